//! Planners on the skeleton as routes of a crowd.
//!
//! A modifier plans a route for each body with a goal, and turns its head by the method's own stepper: the Indicative
//! Route Method, or MIRAN. Roadmap and corridor paths are followed closely by MIRAN with short shortcuts. The local model
//! of the crowd keeps bodies apart. A body that sees its goal, or gets no route, walks by the crowd's own way.
//! The state of a body depends on its own calls only, so neither threads nor the order of bodies matter.

use crate::astar::Astar;
use crate::irm::Irm;
use crate::miran::{Miran, MiranOptions};
use crate::planner::{Method, RoadOptions, road_path};
use crate::roads::Roads;
use crate::route::{IndicativeRoute, Steering};
use clearway_base::error::Result;
use clearway_crowd::{Agent, AgentId, Area, Course, Frozen, Goal, GoalId, Modifier, Vector};
use clearway_nav::path::LinkUse;
use clearway_nav::{Location, NavMesh, PathQuery};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// The shortcut in metres with which bodies follow roadmap and corridor paths: about a step ahead.
const CLOSELY: f64 = 1.0;

/// Routes are planned for a body this much larger, if there is one: nobody walks steadily where they just fit.
const COMFORT: f64 = 1.25;

/// The time in seconds after which a body that lost its route plans anew.
const PAUSE: f64 = 1.0;

/// The places of a raster along each side of an area, at which bodies aim.
const RASTER: usize = 8;

/// Bodies of a crowd that walk by a planner on the skeleton. Clones share their routes.
#[derive(Clone, Debug)]
pub struct RoadGuide {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    method: Method,
    options: RoadOptions,
    ground: RwLock<Ground>,
    walkers: Mutex<BTreeMap<AgentId, Arc<Mutex<Walker>>>>,
}

/// The mesh of the moment, its roads, and the places of areas.
#[derive(Debug)]
struct Ground {
    mesh: Arc<NavMesh>,
    /// `None` for a method that needs none.
    roads: Option<Roads>,
    areas: BTreeMap<GoalId, (Area, Vec<Location>)>,
}

/// A body on its route.
#[derive(Debug, Default)]
struct Walker {
    /// The goal of the route, and the number of the mesh.
    planned: Option<(Goal, u64)>,
    follower: Option<Follower>,
    /// The time in seconds before which it does not plan anew.
    rest_until: f64,
}

#[derive(Debug)]
enum Follower {
    Irm(Irm),
    Miran(Miran),
}

impl RoadGuide {
    /// Makes a guide for the bodies of a crowd on a mesh. Fails if an option is not sound, or if the mesh has no skeleton
    /// and the method needs it.
    pub fn new(method: Method, options: RoadOptions, mesh: Arc<NavMesh>) -> Result<RoadGuide> {
        options.check()?;
        let ground = Ground { roads: roads_for(method, &mesh)?, mesh, areas: BTreeMap::new() };
        let walkers = Mutex::new(BTreeMap::new());
        Ok(RoadGuide { shared: Arc::new(Shared { method, options, ground: RwLock::new(ground), walkers }) })
    }

    /// Tells the area of a goal. Bodies with another [`Goal::Area`] walk by the crowd's own way.
    pub fn set_area(&self, goal: GoalId, area: Area) {
        let mut ground = self.shared.ground.write().unwrap_or_else(PoisonError::into_inner);
        let places = places_in(&ground.mesh, &area);
        ground.areas.insert(goal, (area, places));
    }

    /// Takes another mesh, such as one with closed doors. Everybody plans anew.
    pub fn set_mesh(&self, mesh: Arc<NavMesh>) -> Result<()> {
        let roads = roads_for(self.shared.method, &mesh)?;
        let mut ground = self.shared.ground.write().unwrap_or_else(PoisonError::into_inner);
        for (area, places) in ground.areas.values_mut() {
            *places = places_in(&mesh, area);
        }
        (ground.mesh, ground.roads) = (mesh, roads);
        Ok(())
    }

    /// The state of a body. Those of bodies that left are forgotten now and then.
    fn walker(&self, id: AgentId, frozen: &Frozen) -> Arc<Mutex<Walker>> {
        let mut walkers = self.shared.walkers.lock().unwrap_or_else(PoisonError::into_inner);
        if !walkers.contains_key(&id) && walkers.len().is_power_of_two() && walkers.len() > 64 {
            walkers.retain(|id, _| frozen.agent(*id).is_some());
        }
        Arc::clone(walkers.entry(id).or_default())
    }
}

impl Modifier for RoadGuide {
    fn modify(&self, me: &Agent, frozen: &Frozen, course: &mut Course) {
        if matches!(course.goal, Goal::None | Goal::Direction(_)) {
            return;
        }
        let ground = self.shared.ground.read().unwrap_or_else(PoisonError::into_inner);
        let walker = self.walker(me.id, frozen);
        let mut walker = walker.lock().unwrap_or_else(PoisonError::into_inner);
        let planned = Some((course.goal, ground.mesh.graph().serial));
        if walker.planned != planned {
            *walker = Walker { planned, ..Walker::default() };
        }
        if walker.follower.is_none() && frozen.time() >= walker.rest_until {
            walker.follower = self.shared.plan(&ground, me, course.goal);
            walker.rest_until = frozen.time() + PAUSE;
        }
        let Some(follower) = &mut walker.follower else { return };
        match follower.steer(&ground, me.at) {
            // The crowd walks straight to a goal in sight.
            Some(steering) if steering.is_last => {}
            Some(steering) => course.head = Vector::from(steering.direction),
            None => walker.follower = None,
        }
    }
}

impl Follower {
    fn steer(&mut self, ground: &Ground, at: Location) -> Option<Steering> {
        match self {
            Follower::Irm(irm) => irm.steer(ground.roads.as_ref()?, &ground.mesh, at),
            Follower::Miran(miran) => miran.steer(&ground.mesh, at),
        }
    }
}

impl Shared {
    /// Plans a route for a body; `None` if there is none.
    fn plan(&self, ground: &Ground, me: &Agent, goal: Goal) -> Option<Follower> {
        let (mesh, radius) = (&*ground.mesh, me.radius);
        let ends = [me.at, ground.target(me, goal)?];
        let route = [COMFORT, 1.0].iter().find_map(|share| self.route(ground, ends, radius * share))?;
        if self.method == Method::Irm {
            return Some(Follower::Irm(Irm::new(route, radius)));
        }
        let is_close = self.method != Method::Miran;
        let sigma = if is_close { CLOSELY } else { self.options.sigma };
        let weights = if is_close { Vec::new() } else { self.options.weights.clone() };
        let options = MiranOptions::default().sigma(sigma).weights(weights).radius(radius);
        Miran::new(mesh, me.at, route, options).map(Follower::Miran)
    }

    /// The route of a body of a radius.
    fn route(&self, ground: &Ground, ends: [Location; 2], radius: f64) -> Option<IndicativeRoute> {
        let mesh = &*ground.mesh;
        let path = match &ground.roads {
            None => {
                let query = PathQuery::new(ends[0], ends[1]).radius(radius).links(LinkUse::None);
                mesh.find_path(&query).ok()?
            }
            Some(roads) => {
                let search = &mut Astar::default();
                road_path(roads, mesh, self.method, &self.options, ends, radius, search)?
            }
        };
        Some(IndicativeRoute::of(&path))
    }
}

impl Ground {
    /// The place at which a body aims: its own, or the nearest of an area where it can stand.
    fn target(&self, me: &Agent, goal: Goal) -> Option<Location> {
        match goal {
            Goal::Place(at) => Some(at),
            Goal::Area(id) => {
                let [x, y] = me.at.position();
                let off = |at: &&Location| (at.position()[0] - x).hypot(at.position()[1] - y);
                let fits = |at: &&Location| self.mesh.clearance(**at).is_some_and(|room| room >= me.radius);
                let places = &self.areas.get(&id)?.1;
                places.iter().filter(fits).min_by(|p, q| off(p).total_cmp(&off(q))).copied()
            }
            Goal::None | Goal::Direction(_) => None,
        }
    }
}

/// The roads that a method needs.
fn roads_for(method: Method, mesh: &NavMesh) -> Result<Option<Roads>> {
    if method == Method::Miran { Ok(None) } else { Roads::build(mesh).map(Some) }
}

/// Places of a mesh in an area, on a raster over its box.
fn places_in(mesh: &NavMesh, area: &Area) -> Vec<Location> {
    let outline = area.outline();
    let span = |axis: usize| {
        let parts = outline.iter().map(|corner| corner[axis]);
        parts.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], part| [low.min(part), high.max(part)])
    };
    let [[left, right], [low, high]] = [span(0), span(1)];
    let share = |i: usize| (i as f64 + 0.5) / RASTER as f64;
    let raster = (0..RASTER * RASTER)
        .map(|i| [left + (right - left) * share(i % RASTER), low + (high - low) * share(i / RASTER)]);
    let located = |at: [f64; 2]| match area.height() {
        Some(height) => mesh.locate([at[0], height, -at[1]]).ok(),
        None => mesh.locate(at).ok(),
    };
    raster.filter(|at| is_inside(outline, *at)).filter_map(located).collect()
}

/// True if a point lies in an outline, by the number of sides that a ray crosses.
fn is_inside(outline: &[[f64; 2]], at: [f64; 2]) -> bool {
    let sides = (0..outline.len()).map(|i| [outline[i], outline[(i + 1) % outline.len()]]);
    let crosses = |[a, b]: &[[f64; 2]; 2]| {
        (a[1] > at[1]) != (b[1] > at[1]) && at[0] < a[0] + (b[0] - a[0]) * (at[1] - a[1]) / (b[1] - a[1])
    };
    sides.filter(crosses).count() % 2 == 1
}
