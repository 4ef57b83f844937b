//! The passes before the model: who sets off, which way leads on, and where to head for.

use super::body::{Body, Crossing, OwnExit, OwnRoute, Phase, REFRESH};
use super::goal::{AREA_HEIGHT, Goal, is_in};
use super::options::{CrowdOptions, SpeedZone};
use super::portals::{PortalTable, point_on};
use super::routes::{LinkStop, RouteTable, distance};
use super::way::{CHAIN, Chain, ChainEnd, Lookout, WayPoint, choose};
use super::world::{SharedGoal, World};
use crate::random::random;
use crate::vector::Vector;
use clearway_nav::NavMesh;

/// What the guide of a body reads.
#[derive(Clone, Copy)]
pub(crate) struct Guide<'a> {
    /// The mesh.
    pub mesh: &'a NavMesh,
    /// What is derived from it.
    pub world: &'a World,
    /// The options of the crowd.
    pub options: &'a CrowdOptions,
    /// The speed zones.
    pub zones: &'a [SpeedZone],
    /// The time step in seconds.
    pub dt: f32,
}

/// A body that heads for a way point nearer than this, in metres, looks past it: else it would stop at every portal. More
/// than a few centimetres would lead slow bodies into the corner beside the portal.
const LOOK_PAST: f32 = 0.03;

/// A target less than this beyond a portal, in metres, does not lead through it: above rounding.
const ON_PORTAL: f32 = 1e-3;

/// A lost body has come as near to its goal as it can if less than this is left, in metres.
const AS_NEAR: f32 = 0.15;

impl Guide<'_> {
    /// Decides where a body heads for.
    pub fn guide(&self, body: &mut Body) {
        body.noted.routed = false;
        body.noted.no_route = false;
        if !body.walks() {
            (body.head, body.target, body.left) = (Vector::ZERO, Vector::ZERO, 0.0);
            return;
        }
        match body.goal {
            Goal::None => {}
            Goal::Direction(direction) => {
                body.head = Vector::from(direction).unit();
                (body.target, body.left) = (body.head * 10.0, 0.0);
            }
            Goal::Area(_) | Goal::Place(_) => self.follow_route(body),
        }
        self.set_pace(body);
    }

    /// Follows a route of many or of one's own.
    fn follow_route(&self, body: &mut Body) {
        body.refresh -= self.dt;
        // Lent out, so that the body can be changed beside it.
        let own = body.own.take();
        self.follow(body, own.as_deref());
        body.own = own;
    }

    /// Follows a route of one's own, or of many if there is none.
    fn follow(&self, body: &mut Body, own: Option<&OwnRoute>) {
        let table = match (own, body.goal) {
            (None, Goal::Area(goal)) => self.world.tables.get(&(goal.0, body.class)),
            _ => None,
        };
        if table.is_some_and(|table| table.is_closed) && body.phase == Phase::Walking {
            // It is told as lost first; then it walks near and waits.
            return self.without_route(body, own);
        }
        if body.chain.cell != body.cell || body.refresh <= 0.0 {
            // Spread over the steps, so that no step has all the work.
            body.refresh = REFRESH * (0.75 + 0.5 * random(0, body.slot, 0, 71) as f32);
            body.noted.routed = true;
            let found = match (own, table) {
                (Some(own), _) => own.chain(body.cell, &self.world.stops),
                (None, Some(table)) => self.chosen(body, table).map(|chain| (chain, Crossing::default())),
                (None, None) => None,
            };
            match found {
                Some(found) => (body.chain, body.crossing) = found,
                None => return self.without_route(body, own),
            }
        }
        self.head_for(body, own, table);
    }

    /// Chooses the next portals towards a shared goal.
    fn chosen(&self, body: &Body, table: &RouteTable) -> Option<Chain> {
        let portals = self.world.classes.get(body.class as usize)?.as_ref()?;
        choose(&self.world.route_world(self.mesh, portals), table, body.at, body.cell)
    }

    /// Heads straight for a goal of one's own while its route is searched; else notes that there is no route.
    fn without_route(&self, body: &mut Body, own: Option<&OwnRoute>) {
        body.chain = Chain::EMPTY;
        body.noted.no_route = true;
        // The pace is looked up with the route; a body that waits for its route must not pay for it in each step.
        body.noted.routed = false;
        if let (Goal::Place(goal), None) = (body.goal, own) {
            body.target = Vector::between(body.at, goal.position());
            (body.head, body.left) = (body.target.unit(), body.target.length());
        } else {
            (body.head, body.target) = (Vector::ZERO, Vector::ZERO);
        }
    }

    /// Heads for the way point on the next portals.
    fn head_for(&self, body: &mut Body, own: Option<&OwnRoute>, table: Option<&RouteTable>) {
        let Some(Some(portals)) = self.world.classes.get(body.class as usize) else { return };
        let goal = table.map(|table| &table.goal);
        let lookout = Lookout { goal, ground: &self.world.ground, portals, at: body.at };
        let way_point = lookout.way_point(&body.chain, self.options.way_points);
        let target = self.past(&lookout, &body.chain, way_point);
        body.left = match (own, table) {
            (Some(_), _) => self.left_of_own(body),
            (None, Some(table)) if body.chain.count > 0 => self.left_through(body, table, portals),
            _ => way_point.target.length(),
        };
        body.target = target;
        let head = target.unit();
        if body.phase == Phase::Lost && body.left < AS_NEAR {
            // As near as it can come: it waits here.
            body.head = Vector::ZERO;
        } else if head != Vector::ZERO {
            body.head = head;
        }
    }

    /// Returns the length of the way through the next portal: the shortest over its samples.
    ///
    /// It depends on nothing but the place and the portal, and grows by no more than a body moves back. So of two bodies
    /// on one way, the one ahead always has less left: right of way is an order.
    fn left_through(&self, body: &Body, table: &RouteTable, portals: &PortalTable) -> f32 {
        let side = &self.world.ground.sides[body.chain.sides[0] as usize];
        let span = &portals.spans[body.chain.spans[0] as usize];
        let samples = span.first_sample..span.first_sample + span.samples;
        let left = |sample: u32| {
            let to = Vector::between(body.at, point_on(side, span.place(sample)));
            table.rest[sample as usize] + to.length()
        };
        samples.map(left).fold(f32::INFINITY, f32::min)
    }

    /// Returns the length of the way along a route of one's own.
    fn left_of_own(&self, body: &Body) -> f32 {
        let Chain { count, end, last, sides, .. } = &body.chain;
        let Crossing { place, rest } = body.crossing;
        match end {
            _ if *count > 0 => {
                let crossing = point_on(&self.world.ground.sides[sides[0] as usize], f64::from(place));
                rest + distance(body.at, crossing) as f32
            }
            ChainEnd::Ride(_) => rest + distance(body.at, *last) as f32,
            ChainEnd::Goal | ChainEnd::More => distance(body.at, *last) as f32,
        }
    }

    /// Returns the target of a way point, or what lies behind it if it is very near.
    fn past(&self, lookout: &Lookout, chain: &Chain, way_point: WayPoint) -> Vector {
        let Some(portal) = way_point.on else { return way_point.target };
        // Beside the free part stands a corner: the body must get in front of the part first.
        if way_point.is_beside || way_point.target.length() > LOOK_PAST {
            return way_point.target;
        }
        let next = usize::from(portal) + 1;
        if next < usize::from(chain.count) {
            let mut rest = Chain { count: chain.count - next as u8, ..*chain };
            rest.sides.copy_within(next.., 0);
            rest.spans.copy_within(next.., 0);
            let target = lookout.way_point(&rest, self.options.way_points).target;
            // The next portal may lie on the line of this one, behind a wall between them. Then the body would come to
            // the wall and not through this portal: it goes across first.
            let across = lookout.across(chain, usize::from(portal));
            let beyond = (target - way_point.target).dot(across);
            return if beyond < ON_PORTAL { way_point.target + across * LOOK_PAST } else { target };
        }
        match chain.end {
            ChainEnd::More => way_point.target,
            ChainEnd::Goal | ChainEnd::Ride(_) => Vector::between(lookout.at, chain.last),
        }
    }

    /// Sets the part of its speed that the ground allows.
    fn set_pace(&self, body: &mut Body) {
        if !self.world.has_pace(body.cell, self.options) {
            body.pace = 1.0;
        } else if body.noted.routed
            || self.world.zones.contains_key(&body.cell)
            || body.goal_key >= DIRECTIONS
        {
            let head = body.head.into();
            body.pace = self.world.pace(self.mesh, self.zones, self.options, body.location(), head);
        }
    }
}

/// Keys of goals from this number on are directions.
pub(crate) const DIRECTIONS: u32 = 1 << 31;

impl OwnRoute {
    /// Returns the next portals from a cell, and where the cell is left: for the last time, since a route may come by
    /// twice. `None` if the route does not run through it.
    pub fn chain(&self, cell: u32, stops: &[LinkStop]) -> Option<(Chain, Crossing)> {
        let first = if self.last == cell {
            self.legs.len()
        } else {
            self.legs.iter().rposition(|leg| leg.cell == cell)?
        };
        let mut chain = Chain { cell, last: self.goal, end: ChainEnd::Goal, ..Chain::EMPTY };
        for leg in self.legs.iter().skip(first) {
            match leg.exit {
                OwnExit::Side { side, span, .. } => {
                    if usize::from(chain.count) == CHAIN {
                        chain.end = ChainEnd::More;
                        break;
                    }
                    chain.push(side, span);
                }
                OwnExit::Ride { stop, .. } => {
                    (chain.end, chain.last) = (ChainEnd::Ride(stop), stops[stop as usize].at);
                    break;
                }
                OwnExit::End => break,
            }
        }
        let crossing = match self.legs.get(first).map(|leg| leg.exit) {
            Some(OwnExit::Side { crossing, .. }) => crossing,
            Some(OwnExit::Ride { rest, .. }) => Crossing { place: 0.0, rest },
            Some(OwnExit::End) | None => Crossing::default(),
        };
        Some((chain, crossing))
    }
}

/// True if a body stands within the reach of its goal.
pub(crate) fn is_at_goal(mesh: &NavMesh, body: &Body, goals: &[SharedGoal]) -> bool {
    let is_on_floor = |height: f64| (mesh.height(body.location()) - height).abs() <= AREA_HEIGHT;
    match body.goal {
        Goal::Area(goal) => goals.get(goal.index()).is_some_and(|goal| {
            let step: [f64; 2] = body.displacement.into();
            let from = [body.at[0] - step[0], body.at[1] - step[1]];
            goal.open
                && is_in(&goal.area, from, body.at, f64::from(body.radius))
                && goal.area.height().is_none_or(is_on_floor)
        }),
        Goal::Place(goal) => {
            let near = distance(body.at, goal.position()) <= AT_PLACE.max(0.25 * f64::from(body.radius));
            near && (goal.cell().0 == body.cell || is_on_floor(mesh.height(goal)))
        }
        Goal::None | Goal::Direction(_) => false,
    }
}

/// The distance in metres from its place at which a body has arrived: about the sway of a standing person.
const AT_PLACE: f64 = 0.1;
