//! Bodies that plan anew with every step, as in the thesis: each is a site in a diagram of walls and bodies.
//!
//! A step of a body searches the roads among the others, heads for the first vertex of its path, whose empty circle
//! touches it, and moves its site. Behaviours are options: space negotiation pushes away from the nearest neighbour
//! within twice the radii and half a metre; goal focus walks straight on where there is no path, up to the next wall.
//! Plans are kept and mended while they last. Bodies step in order, each seeing the moves before. Cost of a step: a share
//! of a search, and one move of a point in the diagram.

use crate::astar::{Astar, Found};
use crate::field::RoadField;
use crate::lanes::Lanes;
use crate::live::{Cell, Live};
use crate::plan::{Advice, Ends, Plan};
use crate::roads::{Detail, Roads};
use crate::seek::{Goals, find};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_geometry::{Grid, NONE, Vec2};
use clearway_skeleton::{Diagram, Shape, ShapeId, SiteId};
use std::sync::Arc as Shared;

/// The distance between two bodies, beside their radii, at which they begin to negotiate, in metres. The thesis gives
/// none; half a metre is an arm's length.
const NEGOTIATION: f64 = 0.5;

/// The number of times that a step which would touch a neighbour is halved before the body stays.
const HALVINGS: u32 = 3;

/// Behaviours and limits of all bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RoadCrowdOptions {
    /// The greatest number of expansions of a search; then the best path so far counts.
    pub max_expansions: Option<u32>,
    /// If true, a perceived dead end lifts the limit until the body is nearer to its goal.
    pub dead_ends: bool,
    /// If true, bodies push away from neighbours that come close.
    pub negotiation: bool,
    /// If true, bodies without a path walk straight towards their goal.
    pub goal_focus: bool,
    /// If true, bodies keep their plans and mend them, and plan anew when that fails or now and then. If false, they plan
    /// anew with every step, as in the thesis.
    pub keep_plans: bool,
    /// The roads to plan on: the diagram with all bodies in it, edge by edge, or the contracted roads of the walls. On
    /// those, costs to a goal are computed once, and steps do not search. Bodies then see only their neighbours, until
    /// one gets stuck: it plans among all bodies for a few steps.
    pub detail: Detail,
}

clearway_base::setters!(RoadCrowdOptions {
    max_expansions: Option<u32>,
    dead_ends: bool,
    negotiation: bool,
    goal_focus: bool,
    keep_plans: bool,
    detail: Detail
});

impl Default for RoadCrowdOptions {
    /// All behaviours, without a limit, among all bodies.
    fn default() -> RoadCrowdOptions {
        RoadCrowdOptions {
            max_expansions: None,
            dead_ends: true,
            negotiation: true,
            goal_focus: true,
            keep_plans: true,
            detail: Detail::Raw,
        }
    }
}

/// A body, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoadBody {
    /// Its place in plan coordinates.
    pub at: [f64; 2],
    /// Its goal; without one it is an obstacle.
    pub goal: Option<[f64; 2]>,
    /// Its radius.
    pub radius: f64,
    /// The length of its steps; 0 for an obstacle that nobody pushes.
    pub step: f64,
    /// True once it has come within a step of its goal.
    pub arrived: bool,
}

impl RoadBody {
    /// A body that walks to a goal.
    pub fn new(at: [f64; 2], goal: [f64; 2], radius: f64, step: f64) -> RoadBody {
        RoadBody { at, goal: Some(goal), radius, step, arrived: false }
    }

    /// An obstacle, to be moved by [`RoadCrowd::place`].
    pub fn obstacle(at: [f64; 2], radius: f64) -> RoadBody {
        RoadBody { at, goal: None, radius, step: 0.0, arrived: false }
    }
}

/// What a step of a body did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RoadStep {
    /// The number of expansions of its search.
    pub expansions: u32,
    /// True if a path was found, complete or up to the limit.
    pub has_path: bool,
    /// The length of the move, in metres.
    pub moved: f64,
}

/// A body on contracted roads that moves by less than this share of its step is stuck.
const STUCK: f64 = 0.1;

/// The number of steps for which a body that was stuck plans among all bodies, and the limit of its searches.
const DETOUR: u32 = 16;
const DETOUR_EXPANSIONS: u32 = 512;

/// A body's place in the diagram.
#[derive(Clone, Copy, Debug)]
struct Token {
    shape: ShapeId,
    site: SiteId,
    /// In grid units.
    at: Vec2,
    /// The distance to the goal below which the limit counts again after a dead end.
    lifted: Option<f64>,
    /// The steps on contracted roads for which it still plans among all bodies.
    detour: u32,
}

/// Bodies among walls, each planning anew with every step.
///
/// ```
/// use clearway_roads::{RoadBody, RoadCrowd, RoadCrowdOptions};
///
/// let mut crowd = RoadCrowd::open([0.0, 0.0], [100.0, 100.0], RoadCrowdOptions::default())?;
/// crowd.add(RoadBody::new([10.0, 50.0], [90.0, 50.0], 0.4, 1.0))?;
/// crowd.add(RoadBody::new([90.0, 50.5], [10.0, 50.5], 0.4, 1.0))?;
/// for _ in 0..200 {
///     crowd.step();
/// }
/// assert!(crowd.bodies().iter().all(|body| body.arrived));
/// # Ok::<(), clearway_base::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RoadCrowd {
    diagram: Diagram,
    grid: Grid,
    options: RoadCrowdOptions,
    bodies: Vec<RoadBody>,
    tokens: Vec<Token>,
    /// For each site the radius of the body there, in grid units; 0 for walls.
    radii: Vec<f64>,
    /// The greatest of them.
    largest: f64,
    lanes: Lanes,
    search: Astar,
    /// The search from the goal.
    probe: Astar,
    cell: Cell,
    plans: Vec<Plan>,
    /// The roads of the walls, in the world of a mesh.
    roads: Option<Shared<Roads>>,
    /// For each body the costs to its goal on them.
    fields: Vec<Option<RoadField>>,
}

impl RoadCrowd {
    /// An empty world: a box of the plan.
    pub fn open(min: [f64; 2], max: [f64; 2], options: RoadCrowdOptions) -> Result<RoadCrowd> {
        let no_grid =
            || Error::new(ErrorKind::OutOfRange, format!("no grid fits the box from {min:?} to {max:?}"));
        let grid = Grid::fitting(min, max, |_| true).ok_or_else(no_grid)?;
        let corners = [grid.snap(min), grid.snap(max)];
        let [Some(low), Some(high)] = corners else { return Err(no_grid()) };
        Ok(RoadCrowd::with(Diagram::new(low, high)?, grid, options))
    }

    /// The world of a mesh, by its roads. Their diagram is copied. Scenes in layers are refused.
    pub fn of(roads: &Shared<Roads>, options: RoadCrowdOptions) -> Result<RoadCrowd> {
        if roads.skeleton().is_layered() {
            let message = "bodies as sites need a plan or a scene of one layer";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        let mut crowd = RoadCrowd::with(roads.skeleton().diagram().clone(), roads.grid, options);
        crowd.roads = Some(Shared::clone(roads));
        Ok(crowd)
    }

    fn with(mut diagram: Diagram, grid: Grid, options: RoadCrowdOptions) -> RoadCrowd {
        diagram.watch();
        // Bodies add vertices: an eighth more leaves room for many.
        let nodes = diagram.vertex_slots() + diagram.vertex_slots() / 8;
        RoadCrowd {
            diagram,
            grid,
            options,
            bodies: Vec::new(),
            tokens: Vec::new(),
            radii: Vec::new(),
            largest: 0.0,
            lanes: Lanes::of(3 * nodes),
            search: Astar::of(nodes),
            probe: Astar::of(nodes),
            cell: Cell::default(),
            plans: Vec::new(),
            roads: None,
            fields: Vec::new(),
        }
    }

    /// Puts a body in and returns its number. A place off the world, on a wall or on another body is an error.
    pub fn add(&mut self, body: RoadBody) -> Result<usize> {
        let refused = |why: &str| {
            Error::new(ErrorKind::Options, format!("body {} at {:?}: {why}", self.bodies.len(), body.at))
        };
        let sound =
            body.radius >= 0.0 && body.radius.is_finite() && body.step >= 0.0 && body.step.is_finite();
        if !sound || body.goal.is_some_and(|goal| !goal.iter().all(|c| c.is_finite())) {
            return Err(refused("its radius, step or goal is not sound"));
        }
        let point = self.grid.snap(body.at).ok_or_else(|| refused("off the grid"))?;
        if !self.is_ground(body.at) {
            return Err(refused("off the walkable ground"));
        }
        if self.diagram.nearest(point.as_vec2(), None).distance < 1.0 {
            return Err(refused("on a wall or on another body"));
        }
        let shape = self.diagram.insert(&Shape::Point(point))?;
        self.lanes.note(&mut self.diagram);
        self.plans.push(Plan::default());
        let site = self.diagram.nearest(point.as_vec2(), None).site;
        self.tokens.push(Token { shape, site, at: point.as_vec2(), lifted: None, detour: 0 });
        self.bodies.push(RoadBody { at: self.grid.world(point), ..body });
        self.set_radius(site, body.radius / self.grid.unit());
        self.fields.push(None);
        self.set_goal(self.bodies.len() - 1, body.goal);
        Ok(self.bodies.len() - 1)
    }

    /// The bodies, by number.
    pub fn bodies(&self) -> &[RoadBody] {
        &self.bodies
    }

    /// The diagram of walls and bodies, in grid units.
    pub fn diagram(&self) -> &Diagram {
        &self.diagram
    }

    /// Gives a body another goal, or none. A goal that is not finite counts as none.
    pub fn set_goal(&mut self, number: usize, goal: Option<[f64; 2]>) {
        let goal = goal.filter(|goal| goal.iter().all(|c| c.is_finite()));
        if let (Some(body), Some(token)) = (self.bodies.get_mut(number), self.tokens.get_mut(number)) {
            (body.goal, body.arrived, token.lifted) = (goal, false, None);
            self.plans[number].clear();
            let roads = self.roads.as_ref().filter(|_| self.options.detail == Detail::Contracted);
            self.fields[number] = roads.and_then(|roads| RoadField::of(roads, goal?, body.radius));
        }
    }

    /// Moves a body, such as an obstacle, to a place. Returns `false` if the place is taken or off the world; then the
    /// body stays.
    pub fn place(&mut self, number: usize, at: [f64; 2]) -> bool {
        number < self.bodies.len()
            && self.is_ground(at)
            && self.grid.snap(at).is_some_and(|point| self.move_to(number, point.as_vec2()))
    }

    /// True for a place on the walkable ground of the mesh. An open world is ground everywhere.
    fn is_ground(&self, at: [f64; 2]) -> bool {
        self.roads.as_ref().is_none_or(|roads| roads.skeleton().retract(at, None).is_some())
    }

    /// Steps every body once, in order. Returns what each did.
    pub fn step(&mut self) -> Vec<RoadStep> {
        (0..self.bodies.len()).map(|number| self.step_body(number)).collect()
    }

    /// Steps one body.
    pub fn step_body(&mut self, number: usize) -> RoadStep {
        let (Some(body), Some(token)) = (self.bodies.get(number).copied(), self.tokens.get(number).copied())
        else {
            return RoadStep::default();
        };
        let mut cell = std::mem::take(&mut self.cell);
        let step = if body.step > 0.0 && cell.read(&self.diagram, token.site) {
            self.step_in(number, &body, &token, &cell)
        } else {
            RoadStep::default()
        };
        self.cell = cell;
        step
    }

    fn step_in(&mut self, number: usize, body: &RoadBody, token: &Token, cell: &Cell) -> RoadStep {
        let mut done = RoadStep::default();
        let length = body.step / self.grid.unit();
        let mut way = Vec2::default();
        if let Some(goal) = body.goal.filter(|_| !body.arrived).map(|goal| self.grid.units(goal)) {
            let target = self.target(number, body, token, cell, goal, &mut done.expansions);
            done.has_path = target.is_some();
            let target = target.or_else(|| self.options.goal_focus.then_some((goal, f64::INFINITY)));
            if let Some((target, reach)) = target {
                let off = target - token.at;
                let rest = off.length();
                way = if rest > 0.0 { off * (length.min(rest + reach) / rest) } else { way };
            }
        }
        let planned = way;
        if self.options.negotiation {
            way = self.negotiate(body, token, cell, way, length);
        }
        let to = self.free_end(body, token, cell, way, done.has_path && way == planned);
        let is_stuck = to.distance(token.at) < STUCK * length && !body.arrived;
        self.tokens[number].detour = if is_stuck { DETOUR } else { token.detour.saturating_sub(1) };
        if to != token.at && self.move_to(number, to) {
            let moved = self.tokens[number].at;
            done.moved = moved.distance(token.at) * self.grid.unit();
            if let Some(goal) = body.goal {
                let rest = self.grid.units(goal).distance(moved) * self.grid.unit();
                self.bodies[number].arrived = body.arrived || rest <= body.step;
            }
        }
        done
    }

    /// The place to head for, and how far beyond it is free: the goal if it lies in the body's cell, or the first vertex
    /// of the path. `None` without a path.
    fn target(
        &mut self,
        number: usize,
        body: &RoadBody,
        token: &Token,
        cell: &Cell,
        goal: Vec2,
        expansions: &mut u32,
    ) -> Option<(Vec2, f64)> {
        let nearest = self.diagram.nearest(goal, None);
        if nearest.site == token.site {
            return Some((goal, 0.0));
        }
        let radius = body.radius / self.grid.unit();
        let own = token.site;
        let mut live = Live {
            diagram: &self.diagram,
            lanes: &mut self.lanes,
            own,
            radius,
            bodies: &self.radii,
            largest: self.largest,
        };
        let Goals { nodes, on_road, sides } = Goals::of(&live, goal)?;
        // The empty circle around that place holds the goal and touches the body.
        if sides.contains(&token.site) {
            return Some((goal, 0.0));
        }
        let contracted = self.roads.as_deref().filter(|_| self.options.detail == Detail::Contracted);
        if let Some(roads) = contracted
            && token.detour == 0
        {
            return self.fields[number]
                .as_ref()
                .and_then(|field| field.target(roads, token.at, radius, cell));
        }
        let fits = cell.vertices.iter().filter(|(_, _, reach)| *reach >= radius);
        let starts: Vec<(u32, f64)> = fits.map(|(node, at, _)| (*node, at.distance(token.at))).collect();
        let ends = Ends { starts: &starts, goals: &nodes, at: token.at, on_road };
        let (search, plan) = (&mut self.search, &mut self.plans[number]);
        let mut advice = Advice::Search;
        if self.options.keep_plans {
            search.expansions = 0;
            advice = plan.advise(&mut live, search, &ends);
            *expansions += search.expansions;
        }
        let first = match advice {
            Advice::Vertex(first) => first,
            Advice::NoWay => return None,
            Advice::Search => {
                let rest = token.at.distance(goal);
                let is_limited = token.lifted.is_none_or(|least| rest < least);
                let limit = self.options.max_expansions.filter(|_| is_limited);
                let limit = if contracted.is_some() { Some(DETOUR_EXPANSIONS) } else { limit };
                let found = find(
                    &mut live,
                    [search, &mut self.probe],
                    &ends,
                    (limit, self.options.dead_ends),
                    expansions,
                );
                if is_limited {
                    self.tokens[number].lifted = search.dead_end.then_some(rest);
                }
                plan.keep(&live, search, found);
                match found {
                    Found::Complete { last, .. } | Found::Partial { last } if last != NONE => {
                        search.first(last)
                    }
                    _ => return None,
                }
            }
        };
        cell.vertices
            .iter()
            .find(|vertex| vertex.0 == first)
            .map(|(_, at, reach)| (*at, (reach - radius).max(0.0)))
    }

    /// Adds the push of the nearest neighbour to a step.
    fn negotiate(&self, body: &RoadBody, token: &Token, cell: &Cell, way: Vec2, length: f64) -> Vec2 {
        let unit = self.grid.unit();
        let push = |site: &SiteId| {
            let [a, b] = self.diagram.site_ends(*site)?;
            let foot = token.at.nearest_on(a, b);
            let other = self.radii.get(site.0 as usize).copied().filter(|radius| *radius > 0.0);
            let threshold = body.radius / unit + other.unwrap_or(body.radius / unit) + NEGOTIATION / unit;
            let distance = foot.distance(token.at);
            (distance < threshold && distance > 0.0).then_some((distance, threshold, foot))
        };
        let nearest = cell.neighbours.iter().filter_map(push).min_by(|p, q| p.0.total_cmp(&q.0));
        let Some((distance, threshold, foot)) = nearest else { return way };
        let force = (token.at - foot) * (length * (threshold - distance) / (threshold * distance));
        let (sum, before) = (way + force, way.length());
        let size = sum.length();
        // A walking body keeps the length of its step; a standing one is pushed.
        if before > 0.0 && size > 0.0 { sum * (before / size) } else { sum }
    }

    /// The end of a step that comes no closer to a neighbour than the radii, or than before. A step that is not planned
    /// ends in one of the empty circles that touch the body, so no wall stands between.
    fn free_end(&self, body: &RoadBody, token: &Token, cell: &Cell, way: Vec2, is_planned: bool) -> Vec2 {
        let radius = body.radius / self.grid.unit();
        let is_seen =
            |at: Vec2| cell.vertices.iter().any(|(_, centre, reach)| at.distance(*centre) <= *reach);
        let is_free = |at: Vec2| {
            (is_planned || is_seen(at))
                && cell
                    .neighbours
                    .iter()
                    .filter_map(|site| Some((*site, self.diagram.site_ends(*site)?)))
                    .all(|(site, [a, b])| {
                        let need = radius + self.radii.get(site.0 as usize).copied().unwrap_or(0.0);
                        let [before, after] = [token.at, at].map(|at| at.distance_to_segment(a, b));
                        after >= need.min(before)
                    })
        };
        (0..=HALVINGS)
            .map(|halvings| token.at + way * 0.5f64.powi(halvings as i32))
            .find(|at| is_free(*at))
            .unwrap_or(token.at)
    }

    /// Moves a body's site to the grid point nearest to a place.
    fn move_to(&mut self, number: usize, to: Vec2) -> bool {
        let Some(point) = self.grid.snap(self.grid.place(to)) else { return false };
        let token = self.tokens[number];
        let place = point.as_vec2();
        if place == token.at {
            return true;
        }
        let nearest = self.diagram.nearest(place, Some(token.site));
        if nearest.site != token.site && nearest.distance < 1.0 {
            return false;
        }
        self.set_radius(token.site, 0.0);
        let is_moved = self.diagram.replace(token.shape, &Shape::Point(point)).is_ok();
        self.lanes.note(&mut self.diagram);
        let at = if is_moved { place } else { token.at };
        let site = self.diagram.nearest(at, Some(token.site)).site;
        (self.tokens[number].site, self.tokens[number].at) = (site, at);
        self.bodies[number].at = self.grid.place(at);
        self.set_radius(site, self.bodies[number].radius / self.grid.unit());
        is_moved
    }

    fn set_radius(&mut self, site: SiteId, radius: f64) {
        let index = site.0 as usize;
        self.radii.resize(self.radii.len().max(index + 1), 0.0);
        self.radii[index] = radius;
        self.largest = self.largest.max(radius);
    }
}
