//! Way points: where a body heads for on the next portals of its route.
//!
//! The dynamic way points of the thesis (Oliva and Pelechano): the point of the free part of a portal nearest to the
//! body, or an end of the part. Here the portal is the farthest of the next few that is seen through the free parts of
//! those before it, so that ways over many small cells are straight. The comparators head for the middle of the next
//! portal, for its nearer end, or along the line to a portal farther on (Curtis). Cost: constant per body and step.

use super::ground::Ground;
use super::portals::{PortalTable, point_on};
use super::routes::{AreaCells, GOAL, RIDE, RouteTable, RouteWorld, distance};
use crate::vector::Vector;
use clearway_geometry::NONE;
use clearway_nav::Location;
use clearway_nav::mesh::CellId;

/// The largest number of portals that a body looks ahead.
pub(crate) const CHAIN: usize = 4;

/// The end of the free part for which a body heads that is beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Outside {
    /// The nearer end: shorter ways and higher flows, since parts are exact.
    #[default]
    Near,
    /// The farther end, as the thesis has it.
    Far,
}

/// The rule by which bodies choose their way points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WayPoints {
    /// Dynamic way points.
    Dynamic {
        /// The end for which bodies beside the free part head.
        outside: Outside,
        /// The number of portals looked ahead, 1 to 4; the thesis looks at one.
        ahead: u8,
    },
    /// The middle of the next portal.
    Centre,
    /// The nearer end of the free part of the next portal.
    ClosestEnd,
    /// Way portals: towards the middle of the portal `ahead` portals on, through the next one.
    WayPortals {
        /// The number of portals looked ahead, 1 to 3.
        ahead: u8,
    },
}

impl Default for WayPoints {
    fn default() -> WayPoints {
        WayPoints::Dynamic { outside: Outside::Near, ahead: CHAIN as u8 }
    }
}

/// What comes after the last portal of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChainEnd {
    /// More portals.
    More,
    /// The goal.
    Goal,
    /// A link.
    Ride(u32),
}

/// The next portals of a route.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chain {
    /// Their sides, each a side of the cell before it.
    pub sides: [u32; CHAIN],
    /// The free parts.
    pub spans: [u32; CHAIN],
    /// The number of portals.
    pub count: u8,
    /// What comes after them.
    pub end: ChainEnd,
    /// The cell in which the chain begins; [`NONE`] if there is no chain.
    pub cell: u32,
    /// The place of the goal or of the link, if it comes within the chain.
    pub last: [f64; 2],
}

impl Chain {
    /// A chain that holds nowhere.
    pub const EMPTY: Chain = Chain {
        sides: [NONE; CHAIN],
        spans: [0; CHAIN],
        count: 0,
        end: ChainEnd::More,
        cell: NONE,
        last: [0.0; 2],
    };

    /// Adds a portal. Returns false if the chain is full.
    pub fn push(&mut self, side: u32, span: u32) -> bool {
        let place = usize::from(self.count);
        if place == CHAIN {
            return false;
        }
        self.sides[place] = side;
        self.spans[place] = span;
        self.count += 1;
        true
    }
}

/// An exit of a cell.
#[derive(Clone, Copy, Debug)]
enum Exit {
    /// The goal lies in the cell.
    Goal,
    /// A sample on a side.
    Sample(u32, u32),
    /// A link stop.
    Ride(u32),
}

/// The number of exits of a narrow cell whose straight way is tested.
const MOST_TESTED: usize = 6;

/// Chooses the next portals from a place to the goal of a table. `None` if no way leads there.
pub(crate) fn choose(world: &RouteWorld, table: &RouteTable, at: [f64; 2], cell: u32) -> Option<Chain> {
    let mut best: Option<(f32, Exit, [f64; 2])> = None;
    let mut all: Vec<(f32, Exit, [f64; 2])> = Vec::new();
    let is_narrow = world.portals.has_neck(world.mesh, world.ground, cell);
    visit_exits(world, table, at, cell, |value, exit, place| {
        if best.is_none_or(|(known, ..)| value < known) {
            best = Some((value, exit, place));
        }
        if is_narrow {
            all.push((value, exit, place));
        }
    });
    if is_narrow {
        // The disc may not get to every portal of the cell: a straight way that is free shows that it does.
        all.sort_by(|p, q| p.0.total_cmp(&q.0));
        let here = Location::in_cell(CellId(cell), at);
        let room = world.mesh.clearance(here).unwrap_or(0.0).min(world.portals.radius);
        let is_free =
            |place: [f64; 2]| world.mesh.raycast(here, place, room * 0.999).is_some_and(|hit| hit.reached());
        let free = all.iter().take(MOST_TESTED).find(|(_, _, place)| is_free(*place));
        best = free.copied().or(best);
    }
    best.map(|(_, exit, place)| chain_from(world, table, cell, exit, place))
}

/// Returns the length of the way from a place to the goal of a table; infinite if there is none.
pub(crate) fn way_left(world: &RouteWorld, table: &RouteTable, at: [f64; 2], cell: u32) -> f32 {
    let mut best = f32::INFINITY;
    visit_exits(world, table, at, cell, |value, _, _| best = best.min(value));
    best
}

/// Visits the exits of a cell from which the way leads on elsewhere, with the length of the whole way.
fn visit_exits(
    world: &RouteWorld,
    table: &RouteTable,
    at: [f64; 2],
    cell: u32,
    mut visit: impl FnMut(f32, Exit, [f64; 2]),
) {
    if let Some(target) = table.goal.get(&cell).and_then(|targets| targets.nearest(at)) {
        visit(distance(at, target) as f32, Exit::Goal, target);
    }
    for number in world.ground.sides_of(cell) {
        let side = &world.ground.sides[number];
        if side.portal == NONE {
            continue;
        }
        for span in world.portals.spans_of(side.portal) {
            let span = &world.portals.spans[span as usize];
            for sample in span.first_sample..span.first_sample + span.samples {
                let (rest, via) = (table.rest[sample as usize], table.via[sample as usize]);
                if via != cell && rest < f32::INFINITY {
                    let place = point_on(side, span.place(sample));
                    visit(rest + distance(at, place) as f32, Exit::Sample(number as u32, sample), place);
                }
            }
        }
    }
    let first = world.portals.sample_count();
    for (number, stop) in world.stops.iter().enumerate().filter(|(_, stop)| stop.cell == cell) {
        if table.via[first + number] == RIDE {
            let rest = table.rest[first + number];
            visit(rest + distance(at, stop.at) as f32, Exit::Ride(number as u32), stop.at);
        }
    }
}

/// Follows a route from an exit.
fn chain_from(world: &RouteWorld, table: &RouteTable, cell: u32, exit: Exit, place: [f64; 2]) -> Chain {
    let mut chain = Chain { cell, ..Chain::EMPTY };
    let (side, sample) = match exit {
        Exit::Goal => return Chain { end: ChainEnd::Goal, last: place, ..chain },
        Exit::Ride(stop) => return Chain { end: ChainEnd::Ride(stop), last: place, ..chain },
        Exit::Sample(side, sample) => (side, sample),
    };
    let first_stop = world.portals.sample_count() as u32;
    let (mut side, mut sample) = (side, sample);
    while chain.push(side, world.portals.span_of[sample as usize]) {
        let next = table.next[sample as usize];
        let beyond = world.ground.sides[side as usize].beyond;
        if next == GOAL {
            let twin = &world.ground.sides[world.ground.sides[side as usize].twin as usize];
            let entry = point_on(twin, world.portals.span_at(sample).place(sample));
            chain.end = ChainEnd::Goal;
            chain.last = table.goal.get(&beyond).and_then(|goal| goal.nearest(entry)).unwrap_or(entry);
            break;
        }
        if next >= first_stop {
            let stop = next - first_stop;
            chain.end = ChainEnd::Ride(stop);
            chain.last = world.stops.get(stop as usize).map_or(chain.last, |stop| stop.at);
            break;
        }
        let portal = world.portals.span_at(next).portal;
        let Some(following) = world.ground.side_into(beyond, portal) else { break };
        (side, sample) = (following, next);
    }
    chain
}

/// Where a body heads for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WayPoint {
    /// The offset to it in metres.
    pub target: Vector,
    /// The portal of the chain on which it lies; `None` for the goal or a link.
    pub on: Option<u8>,
    /// True if the body is beside the free part of the portal, not in front of it.
    pub is_beside: bool,
}

/// The view of a chain from a place.
pub(crate) struct Lookout<'a> {
    /// The cells of the goal, if it is an area.
    pub goal: Option<&'a AreaCells>,
    /// The ground.
    pub ground: &'a Ground,
    /// The free parts of portals.
    pub portals: &'a PortalTable,
    /// The place of the body.
    pub at: [f64; 2],
}

/// A part of a portal as a body sees it: the offsets to both ends, right and left, and their places along the portal.
#[derive(Clone, Copy, Debug)]
struct Opening {
    /// The offset to the right end.
    right: Vector,
    /// The offset to the left end.
    left: Vector,
    /// The places of both ends along the portal.
    places: [f64; 2],
}

impl Lookout<'_> {
    /// Returns the way point by a rule.
    pub fn way_point(&self, chain: &Chain, rule: WayPoints) -> WayPoint {
        if chain.count == 0 {
            let target = Vector::between(self.at, self.last(chain, self.at));
            return WayPoint { target, on: None, is_beside: false };
        }
        match rule {
            WayPoints::Dynamic { outside, ahead } => {
                self.dynamic(chain, outside, usize::from(ahead.clamp(1, CHAIN as u8)))
            }
            WayPoints::Centre => {
                let side = &self.ground.sides[chain.sides[0] as usize];
                self.on(chain, 0, 0.5 * side.length())
            }
            WayPoints::ClosestEnd => {
                let part = self.opening(chain, 0, self.at);
                let end = usize::from(part.left.length_squared() < part.right.length_squared());
                self.on(chain, 0, part.places[end])
            }
            WayPoints::WayPortals { ahead } => self.way_portal(chain, usize::from(ahead.clamp(1, 3))),
        }
    }

    /// Returns the end of the chain that is nearest to a place: of an area that is the nearest part of its last cell.
    fn last(&self, chain: &Chain, at: [f64; 2]) -> [f64; 2] {
        let Some(goal) = self.goal.filter(|_| chain.end == ChainEnd::Goal) else { return chain.last };
        let cell = match chain.count {
            0 => chain.cell,
            count => self.ground.sides[chain.sides[usize::from(count) - 1] as usize].beyond,
        };
        goal.get(&cell).and_then(|targets| targets.nearest(at)).unwrap_or(chain.last)
    }

    /// Returns the dynamic way point: on the farthest portal that is seen, or the goal if that is seen.
    fn dynamic(&self, chain: &Chain, outside: Outside, ahead: usize) -> WayPoint {
        let count = usize::from(chain.count).min(ahead);
        let mut view = self.opening(chain, 0, self.at);
        let (mut seen, mut origin) = (0, self.at);
        for place in 1..count {
            origin = self.shifted(chain, place - 1, origin);
            let Some(cut) = cut(&view, &self.opening(chain, place, origin)) else { break };
            (view, seen) = (cut, place);
        }
        if seen + 1 == usize::from(chain.count) && chain.end != ChainEnd::More {
            origin = self.shifted(chain, seen, origin);
            let last = Vector::between(origin, self.last(chain, origin));
            if view.right.cross(last) >= 0.0 && view.left.cross(last) <= 0.0 {
                return WayPoint { target: last, on: None, is_beside: false };
            }
        }
        let along = view.left - view.right;
        let share = -view.right.dot(along) / along.length_squared().max(f32::MIN_POSITIVE);
        let is_beside = !(0.0..=1.0).contains(&share);
        let share = match outside {
            Outside::Far if is_beside => {
                if share < 0.0 {
                    1.0
                } else {
                    0.0
                }
            }
            _ => share.clamp(0.0, 1.0),
        };
        WayPoint { target: view.right + along * share, on: Some(seen as u8), is_beside }
    }

    /// Returns the way point of way portals: where the line to the middle of a farther portal meets the next one.
    fn way_portal(&self, chain: &Chain, ahead: usize) -> WayPoint {
        let last = ahead.min(usize::from(chain.count) - 1);
        let part = self.opening(chain, 0, self.at);
        let mut origin = self.at;
        for place in 0..last {
            origin = self.shifted(chain, place, origin);
        }
        let far = &self.ground.sides[chain.sides[last] as usize];
        let middle = Vector::between(origin, point_on(far, 0.5 * far.length()));
        let along = part.left - part.right;
        let slope = along.cross(middle);
        let share = if slope.abs() > f32::MIN_POSITIVE { -part.right.cross(middle) / slope } else { 0.5 };
        let share = f64::from(share.clamp(0.0, 1.0));
        self.on(chain, 0, part.places[0] + (part.places[1] - part.places[0]) * share)
    }

    /// Returns the way point at a place along a portal of the chain.
    fn on(&self, chain: &Chain, portal: usize, place: f64) -> WayPoint {
        let side = &self.ground.sides[chain.sides[portal] as usize];
        let target = Vector::between(self.at, point_on(side, place));
        WayPoint { target, on: Some(portal as u8), is_beside: false }
    }

    /// Returns the position as the cell beyond a portal sees it.
    fn shifted(&self, chain: &Chain, portal: usize, at: [f64; 2]) -> [f64; 2] {
        let shift = self.ground.sides[chain.sides[portal] as usize].shift;
        [at[0] + shift[0], at[1] + shift[1]]
    }

    /// Returns the unit direction that leads through a portal of the chain.
    pub fn across(&self, chain: &Chain, portal: usize) -> Vector {
        let side = &self.ground.sides[chain.sides[portal] as usize];
        let [x, y] = side.track().1;
        // Seen from its own cell, a side runs from right to left.
        let along = Vector::new(x as f32, y as f32).unit();
        if side.is_reversed { along.left() } else { -along.left() }
    }

    /// Returns the free part of a portal as seen from a place.
    fn opening(&self, chain: &Chain, portal: usize, at: [f64; 2]) -> Opening {
        let side = &self.ground.sides[chain.sides[portal] as usize];
        let span = &self.portals.spans[chain.spans[portal] as usize];
        let (low, high) = (f64::from(span.low), f64::from(span.high));
        // Seen from its own cell, a side runs from right to left.
        let places = if side.is_reversed { [high, low] } else { [low, high] };
        let [right, left] = places.map(|place| Vector::between(at, point_on(side, place)));
        Opening { right, left, places }
    }
}

/// Returns the part of an opening that is seen through another; `None` if nothing is seen.
fn cut(view: &Opening, next: &Opening) -> Option<Opening> {
    let along = next.left - next.right;
    let (mut low, mut high) = (0.0f32, 1.0f32);
    // Inside: on the left of the right ray and on the right of the left ray.
    for (ray, sign) in [(view.right, 1.0), (view.left, -1.0)] {
        let (height, slope) = (sign * ray.cross(next.right), sign * ray.cross(along));
        if slope > 0.0 {
            low = low.max(-height / slope);
        } else if slope < 0.0 {
            high = high.min(-height / slope);
        } else if height < 0.0 {
            return None;
        }
    }
    if low > high {
        return None;
    }
    let [from, to] = next.places;
    let place = |share: f32| from + (to - from) * f64::from(share);
    Some(Opening {
        right: next.right + along * low,
        left: next.right + along * high,
        places: [place(low), place(high)],
    })
}
