//! Plans that bodies keep from step to step, and mend.
//!
//! A step changes the roads around the body, and other bodies change them elsewhere. A body looks at the next edges of
//! its plan. If some are gone, a short search joins the rest of the plan behind them. If that fails, or if the plan has
//! served long enough for what it cost, the body plans anew. So searches cost a bounded number of expansions for each
//! step, however far the goal is. A plan that was kept is passable, but may be longer than the best one of the moment.

use crate::astar::{Astar, Found, Net, Task};
use crate::live::Live;
use clearway_geometry::{NONE, Vec2};
use std::collections::VecDeque;

/// The number of edges ahead that a body looks at: some eighty metres of a city.
const LOOK: usize = 48;

/// The number of nodes at which a mended way may join the plan: enough to leave out a node that now lies behind.
const JOINTS: usize = 8;

/// The greatest number of expansions to mend a plan; a way around a body or two takes less.
const MENDING: u32 = 128;

/// A plan serves one step for so many expansions of its search, so that searches cost no more than the move of a site.
const EXPANSIONS_A_STEP: u32 = 16;

/// A search of fewer expansions is made anew with every step: to mend its plan would cost as much.
const CHEAP: u32 = 2 * MENDING;

/// The greatest number of steps that a plan serves: better ways that open far away are found after that.
const MOST_STEPS: u32 = 64;

/// The plan of a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// Its edges, from the body on.
    edges: VecDeque<u32>,
    /// The number of the edit at which all of them were sound.
    edit: u64,
    /// The steps that it still serves.
    steps: u32,
    kind: Kind,
}

/// How far a plan leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    /// There is none.
    #[default]
    Unknown,
    /// A search found no way.
    Blind,
    /// To the place nearest to the goal that a limited search found.
    Partial,
    /// To the goal.
    Complete,
}

/// What a body knows when it plans: its starts and goals, and their places.
#[derive(Clone, Copy)]
pub(crate) struct Ends<'a> {
    pub starts: &'a [(u32, f64)],
    pub goals: &'a [(u32, f64)],
    pub at: Vec2,
    pub on_road: Vec2,
}

impl Ends<'_> {
    /// The search between them.
    pub fn task(&self, limit: Option<u32>, dead_ends: bool) -> Task<'_> {
        Task {
            starts: self.starts,
            goals: self.goals,
            target: self.on_road,
            origin: self.at,
            most: f64::INFINITY,
            limit,
            dead_ends,
        }
    }
}

/// The answer of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Advice {
    /// Head for this vertex of the own cell.
    Vertex(u32),
    /// There was no way a few steps ago.
    NoWay,
    /// Plan anew.
    Search,
}

impl Plan {
    /// Forgets the plan.
    pub fn clear(&mut self) {
        self.kind = Kind::Unknown;
    }

    /// Keeps the end of a search for as long as it was dear.
    pub fn keep(&mut self, live: &Live, search: &Astar, found: Found) {
        self.edges.clear();
        self.edit = live.lanes.edits;
        let is_cheap = search.expansions < CHEAP && found != Found::Nothing;
        self.steps = if is_cheap { 0 } else { (search.expansions / EXPANSIONS_A_STEP).min(MOST_STEPS) };
        let (last, kind) = match found {
            Found::Complete { last, .. } => (Some(last), Kind::Complete),
            Found::Partial { last } => (Some(last).filter(|last| *last != NONE), Kind::Partial),
            Found::Nothing => (None, Kind::Blind),
        };
        self.kind = kind;
        self.edges.extend(last.into_iter().flat_map(|last| search.trace(last)).skip(1).map(|(_, via)| via));
        if kind == Kind::Partial {
            self.steps = self.steps.min(self.edges.len() as u32 / 2);
        }
    }

    /// Advises a body that has moved, and mends the plan.
    pub fn advise(&mut self, live: &mut Live, search: &mut Astar, ends: &Ends) -> Advice {
        if self.kind == Kind::Unknown || self.steps == 0 {
            return Advice::Search;
        }
        self.steps -= 1;
        if self.kind == Kind::Blind {
            return Advice::NoWay;
        }
        self.mend(live, search, ends).map_or(Advice::Search, Advice::Vertex)
    }

    /// Joins the body to the sound rest of its plan. Returns the first vertex of the way.
    fn mend(&mut self, live: &mut Live, search: &mut Astar, ends: &Ends) -> Option<u32> {
        let is_sound = |live: &Live, edge: u32| live.lanes.is_as_of(edge, self.edit);
        let looked = self.edges.len().min(LOOK);
        let broken = (0..looked).rev().find(|i| !is_sound(live, self.edges[*i]));
        let first = broken.map_or(0, |i| i + 1);
        if first >= self.edges.len() || (self.kind == Kind::Complete && self.edges.len() <= LOOK) {
            // The goal is near: its own nodes count.
            let last = self.edges.back().and_then(|edge| live.lanes.get(live.diagram, *edge));
            let is_right = last.is_some_and(|(to, _)| ends.goals.iter().any(|goal| goal.0 == to));
            if self.kind != Kind::Complete || (first < self.edges.len() && !is_right) {
                return None;
            }
        }
        let mut joints: Vec<(u32, f64)> = Vec::with_capacity(JOINTS);
        let mut length = 0.0;
        for &edge in self.edges.iter().skip(first).take(JOINTS) {
            if !is_sound(live, edge) {
                break;
            }
            joints.push((edge / 3, length));
            length += live.lanes.get(live.diagram, edge)?.1.length;
        }
        let last = joints.last().copied();
        if let Some((_, length)) = last {
            joints.iter_mut().for_each(|joint| joint.1 = length - joint.1);
        }
        let ends = match last {
            Some((node, _)) => Ends { goals: &joints, on_road: live.place(node), ..*ends },
            None => *ends,
        };
        let Found::Complete { last, .. } = search.run(live, &ends.task(Some(MENDING), false)) else {
            return None;
        };
        let joint = joints.iter().position(|joint| joint.0 == last).unwrap_or(joints.len());
        self.edges.drain(..first + joint);
        for (_, via) in search.trace(last).into_iter().skip(1).rev() {
            self.edges.push_front(via);
        }
        self.edit = live.lanes.edits;
        Some(search.first(last))
    }
}
