//! The planners on the skeleton behind one name each, for path queries.

use crate::astar::Astar;
use crate::graph::Stretch;
use crate::irm::Irm;
use crate::lay;
use crate::miran::{Miran, MiranOptions};
use crate::roads::{Detail, Joint, RoadPath, RoadQuery, Roads};
use crate::route::IndicativeRoute;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_nav::path::{LinkUse, Planner};
use clearway_nav::{Location, NavMesh, NoPath, Path, PathQuery};

/// The steps along parabolas that are tried, see `Arc::walk`: the first strays from the axis by 0.4 % of the clearance.
/// Finer ones are for bodies that just fit.
const STEPS: [f64; 3] = [0.125, 0.02, 0.003];

/// A method of planning on the skeleton.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// The Voronoi roadmap: along the medial axis, from and to the retractions of start and goal.
    #[default]
    Roadmap,
    /// The explicit corridor map: the shortest path, or one with a preferred clearance, in the corridor of the roadmap's.
    Ecm,
    /// The Indicative Route Method, along the roadmap's path.
    Irm,
    /// MIRAN, along the path of the optimal search, or the cheap one if the query gives costs.
    Miran,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 4] = [Method::Roadmap, Method::Ecm, Method::Irm, Method::Miran];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Method::Roadmap => "roadmap",
            Method::Ecm => "ecm",
            Method::Irm => "irm",
            Method::Miran => "miran",
        }
    }

    /// The method of a name.
    pub fn from_name(name: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|method| method.name() == name)
    }
}

/// Options of the planners on the skeleton.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RoadOptions {
    /// The preferred clearance of `ecm` in metres; up to the radius it asks for the shortest path in the corridor.
    pub clearance: f64,
    /// The shortcut parameter of `miran`: metres along the route that may be cut short. Small values follow the route.
    pub sigma: f64,
    /// What a metre costs `miran` on each area class, by its number; 1 where there is no entry, infinite if forbidden.
    pub weights: Vec<f64>,
    /// The length of a step of `irm` and `miran` in metres.
    pub step: f64,
    /// The greatest number of expansions of the search on the roads; when it is reached, paths are partial.
    pub max_expansions: Option<u32>,
}

clearway_base::setters!(RoadOptions {
    clearance: f64,
    sigma: f64,
    weights: Vec<f64>,
    step: f64,
    max_expansions: Option<u32>
});

impl Default for RoadOptions {
    /// Shortest corridor paths; shortcuts of 5 m; steps of a quarter of a metre, a third of what a pedestrian takes.
    fn default() -> RoadOptions {
        RoadOptions { clearance: 0.0, sigma: 5.0, weights: Vec::new(), step: 0.25, max_expansions: None }
    }
}

impl RoadOptions {
    /// Refuses numbers that no planner can follow.
    pub(crate) fn check(&self) -> Result<()> {
        let refused = |what: &str| Err(Error::new(ErrorKind::Options, what.to_string()));
        if !(0.0..f64::INFINITY).contains(&self.clearance) {
            return refused(&format!(
                "a clearance of {} m: it must be at least 0 and finite",
                self.clearance
            ));
        }
        if self.sigma.is_nan() || self.sigma <= 0.0 {
            return refused(&format!("a sigma of {} m: it must be more than 0", self.sigma));
        }
        if !(self.step > 0.0 && self.step.is_finite()) {
            return refused(&format!("a step of {} m: it must be more than 0 and finite", self.step));
        }
        match self.weights.iter().position(|weight| weight.is_nan() || *weight < 0.0) {
            Some(class) => refused(&format!(
                "a weight of {} for area class {class}: it must be at least 0, or infinite where nobody may go",
                self.weights[class]
            )),
            None => Ok(()),
        }
    }
}

/// A planner on the skeleton. It builds the roads of a mesh with the first query on it.
///
/// Where its method fails, for example on a mesh without skeleton, it returns the shortest path and counts a rescue.
/// Links, costs (but for `miran`) and further goals are ignored.
///
/// ```
/// use clearway_build::MeshOptions;
/// use clearway_nav::PathQuery;
/// use clearway_nav::path::{Planner, verify};
/// use clearway_roads::{Method, RoadOptions, RoadPlanner};
/// use clearway_world::{Plan, plan::PlanFormat};
///
/// let room = "POLYGON ((0 0, 20 0, 20 10, 0 10, 0 0), (8 0.5, 12 0.5, 12 6, 8 6, 8 0.5))";
/// let mesh = MeshOptions::default().build(&Plan::parse(PlanFormat::Wkt, room)?)?;
/// let [from, to] = [[2.0, 2.0], [18.0, 2.0]].map(|at| mesh.locate(at).unwrap());
/// let query = PathQuery::new(from, to).radius(0.4);
/// for method in Method::ALL {
///     let mut planner = RoadPlanner::new(method, RoadOptions::default().clearance(1.0));
///     let path = planner.find_path(&mesh, &query).unwrap();
///     assert_eq!(verify(&mesh, &path), Ok(()));
///     assert_eq!(planner.rescues(), 0);
/// }
/// # Ok::<(), clearway_base::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct RoadPlanner {
    method: Method,
    options: RoadOptions,
    /// The roads of the last mesh, by its serial number; `None` if it has no skeleton.
    roads: Option<(u64, Option<Roads>)>,
    search: Astar,
    rescues: u64,
}

/// How much wider a body of MIRAN plans where there is room, in slacks of the mesh. A sight that touches a wall may be four
/// slacks too near, and judges of paths do not forgive that.
const SIGHT: f64 = 8.0;

impl RoadPlanner {
    /// Makes a planner. Where its options are not sound, the shortest path stands for the method's.
    pub fn new(method: Method, options: RoadOptions) -> RoadPlanner {
        RoadPlanner { method, options, ..RoadPlanner::default() }
    }

    /// Makes a planner for a mesh and builds its roads. Fails if an option is not sound, or if the mesh has no skeleton and
    /// the method needs it.
    pub fn prepared(method: Method, options: RoadOptions, mesh: &NavMesh) -> Result<RoadPlanner> {
        options.check()?;
        let mut planner = RoadPlanner::new(method, options);
        if method != Method::Miran {
            planner.roads = Some((mesh.graph().serial, Some(Roads::build(mesh)?)));
        }
        Ok(planner)
    }

    /// Its options.
    pub fn options(&self) -> &RoadOptions {
        &self.options
    }

    /// The number of queries so far that the method failed to answer, and the optimal search answered.
    pub fn rescues(&self) -> u64 {
        self.rescues
    }

    /// The path of the method; `None` if it fails.
    fn plan(&mut self, mesh: &NavMesh, query: &PathQuery, ends: [Location; 2]) -> Option<Path> {
        if self.method == Method::Miran {
            let wider = SIGHT * mesh.slack() * mesh.unit();
            return [wider, 0.0].into_iter().find_map(|more| self.walk_miran(mesh, query, ends, more));
        }
        self.prepare(mesh);
        let Some((_, Some(roads))) = &self.roads else { return None };
        let path = road_path(roads, mesh, self.method, &self.options, ends, query.radius, &mut self.search)?;
        if self.method == Method::Irm && path.complete {
            let mut irm = Irm::new(IndicativeRoute::of(&path), query.radius);
            let walked = irm.walk(roads, mesh, ends[0], self.options.step);
            return walked.filter(|path| ends_at(mesh, path, ends[1]));
        }
        Some(path)
    }

    /// The path of MIRAN along the shortest, for a body that is wider by this many metres.
    fn walk_miran(&self, mesh: &NavMesh, query: &PathQuery, ends: [Location; 2], wider: f64) -> Option<Path> {
        // A point needs no room on a plan. In layers a place on a corner does not tell the floor.
        let is_wider = query.radius > 0.0 || mesh.has_heights();
        let radius = if is_wider { query.radius + wider } else { 0.0 };
        let asked = PathQuery::new(ends[0], ends[1]).radius(radius).links(LinkUse::None);
        let costs = query.costs.as_deref().cloned();
        let route = mesh.find_path(&asked.costs(costs.clone())).ok()?;
        let RoadOptions { sigma, ref weights, step, .. } = self.options;
        let cells = costs.map(|costs| costs.cells).unwrap_or_default();
        let options =
            MiranOptions::default().sigma(sigma).weights(weights.clone()).cells(cells).radius(radius);
        Miran::new(mesh, ends[0], IndicativeRoute::of(&route), options)?
            .walk_as(query.radius, mesh, ends[0], step)
            .filter(|path| ends_at(mesh, path, ends[1]))
    }

    fn prepare(&mut self, mesh: &NavMesh) {
        let serial = mesh.graph().serial;
        if self.roads.as_ref().is_none_or(|(known, _)| *known != serial) {
            self.roads = Some((serial, Roads::build(mesh).ok()));
        }
    }
}

impl Planner for RoadPlanner {
    fn find_path(&mut self, mesh: &NavMesh, query: &PathQuery) -> std::result::Result<Path, NoPath> {
        let ends = query.legal_ends(mesh)?;
        if let Some(path) = self.plan(mesh, query, ends) {
            return Ok(path);
        }
        self.rescues += 1;
        let asked = PathQuery::new(ends[0], ends[1]).radius(query.radius).links(LinkUse::None);
        let path = mesh.find_path(&asked)?;
        Ok(Path { bound: f64::INFINITY, ..path })
    }
}

/// True if a path ends on the floor of its goal. Steppers see places of the plan, and may take one below for the goal.
fn ends_at(mesh: &NavMesh, path: &Path, goal: Location) -> bool {
    !mesh.has_heights() || path.cells.last().is_none_or(|cell| *cell == goal.cell())
}

/// The path on the roads: in the corridor for `ecm`, else along the medial axis.
pub(crate) fn road_path(
    roads: &Roads,
    mesh: &NavMesh,
    method: Method,
    options: &RoadOptions,
    ends: [Location; 2],
    radius: f64,
    search: &mut Astar,
) -> Option<Path> {
    let joints = [roads.join(mesh, ends[0])?, roads.join(mesh, ends[1])?];
    // A corridor needs the corners beside edges of no length too.
    let detail = if method == Method::Ecm { Detail::Raw } else { Detail::Contracted };
    let asked = RoadQuery { radius, max_expansions: options.max_expansions, detail, ..RoadQuery::default() };
    let found = roads.find_between(joints, &asked, search)?;
    if method == Method::Ecm && found.complete {
        let corridor = roads.corridor_along(found.stretches, joints, ends, found.expansions);
        return corridor.path(roads, mesh, radius, options.clearance);
    }
    axis_path(roads, mesh, ends, joints, &found, radius)
}

/// The path along the medial axis.
fn axis_path(
    roads: &Roads,
    mesh: &NavMesh,
    ends: [Location; 2],
    joints: [Joint; 2],
    found: &RoadPath,
    radius: f64,
) -> Option<Path> {
    let walk: &[Stretch] = &found.stretches;
    STEPS.into_iter().find_map(|step| {
        let mut stations = vec![joints[0].at, joints[0].off_wall];
        stations.extend(roads.stations(walk, step));
        if found.complete {
            stations.extend([joints[1].on_road, joints[1].off_wall, joints[1].at]);
        }
        let path =
            lay::path(mesh, ends, lay::straight(mesh, &stations), radius, u64::from(found.expansions))?;
        Some(Path { complete: found.complete, ..path })
    })
}
