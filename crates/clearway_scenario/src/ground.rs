//! The world of a scenario as a mesh, or as several: a plan with doors has one for each set of closed doors.

use crate::scenario::{Scenario, WorldSource};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_build::links::{links_beside, load_links, load_links_in_space};
use clearway_build::{MeshOptions, WalkRules, WalkableSurface};
use clearway_nav::NavMesh;
use clearway_nav::links::USUAL_SNAP;
use clearway_nav::mesh::Link;
use clearway_world::scene::SceneOptions;
use clearway_world::{Plan, PlanFormat, Scene, SceneFormat, Up};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The world of a scenario, ready to walk on. All runs of a scenario share it.
pub struct Ground {
    /// The plan, if the world is one: doors are walls of it.
    plan: Option<Plan>,
    /// The lines of all doors.
    doors: Vec<[[f64; 2]; 2]>,
    /// Links to put on every mesh of the plan.
    links: Vec<Link>,
    /// The mesh for each set of closed doors that was needed. Door `k` is bit `k` of the key.
    meshes: Mutex<BTreeMap<u64, Arc<NavMesh>>>,
}

impl Ground {
    /// Reads and builds the world of a scenario. `instead` is a plan, a scene or a mesh to take in its place.
    pub fn load(scenario: &Scenario, instead: Option<&Path>) -> Result<Ground> {
        let ground = match (instead, &scenario.world) {
            (Some(path), _) => Ground::of_file(path, &None, Up::Y, 1.0)?,
            (None, WorldSource::File { path, links, up, scale, line }) => {
                let [path, links] =
                    [Some(path), links.as_ref()].map(|path| path.map(|p| scenario.folder.join(p)));
                let path = path.unwrap_or_default();
                let in_line = |error: Error| scenario.wrong(error.kind(), *line, format!("world: {error}"));
                Ground::of_file(&path, &links, *up, *scale).map_err(in_line)?
            }
            (None, WorldSource::Wkt { text, line }) => {
                let in_line =
                    |error: Error| scenario.wrong(error.kind(), *line, format!("world: wkt: {error}"));
                let plan = Plan::parse(PlanFormat::Wkt, text).map_err(in_line)?;
                Ground::of_plan(plan, Vec::new()).map_err(in_line)?
            }
            (None, WorldSource::Plan(plan)) => {
                Ground::of_plan(plan.clone(), Vec::new()).map_err(|error| error.in_file(&scenario.file))?
            }
        };
        ground.with_doors(scenario)
    }

    /// Makes the ground of a mesh that exists already.
    pub fn of_mesh(mesh: NavMesh) -> Ground {
        let meshes = Mutex::new(BTreeMap::from([(0, Arc::new(mesh))]));
        Ground { plan: None, doors: Vec::new(), links: Vec::new(), meshes }
    }

    /// Builds the mesh of a plan.
    fn of_plan(plan: Plan, links: Vec<Link>) -> Result<Ground> {
        let mesh = build(&plan, &links)?;
        Ok(Ground { plan: Some(plan), links, ..Ground::of_mesh(mesh) })
    }

    /// Reads a plan, a scene or a mesh.
    fn of_file(path: &Path, links: &Option<PathBuf>, up: Up, scale: f64) -> Result<Ground> {
        let beside = Some(links_beside(path)).filter(|beside| beside.exists());
        let links = links.clone().or(beside);
        if PlanFormat::from_path(path).is_ok() {
            let plan = scaled(Plan::load(path)?, scale);
            let links = links.map_or(Ok(Vec::new()), load_links)?;
            return Ground::of_plan(plan, links).map_err(|error| error.in_file(path));
        }
        if SceneFormat::from_path(path).is_err() {
            let is_mesh = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("nav"));
            if !is_mesh {
                let message = "is neither a plan (.wkt, .geojson, .poly, .dat, .map), nor a scene (.glb, .gltf, .obj, \
                               .stl, .ply), nor a mesh (.nav)";
                return Err(Error::new(ErrorKind::Unsupported, message).in_file(path));
            }
            return NavMesh::load(path).map(Ground::of_mesh);
        }
        let scene = Scene::load_with_options(path, &SceneOptions::default().up(up).scale(scale))?;
        let surface = WalkableSurface::extract(&scene, &WalkRules::default());
        let built = surface.and_then(|surface| MeshOptions::default().build(&surface));
        let mut mesh = built.map_err(|error| error.in_file(path))?;
        if let Some(file) = links {
            mesh.add_links(&load_links_in_space(&file)?, USUAL_SNAP).map_err(|error| error.in_file(&file))?;
        }
        Ok(Ground::of_mesh(mesh))
    }

    /// Takes the doors of a scenario, which only a plan can have. Fails if there is no ground at all.
    fn with_doors(mut self, scenario: &Scenario) -> Result<Ground> {
        if self.mesh(0)?.cell_count() == 0 {
            return Err(scenario.wrong(ErrorKind::Empty, 0, "world: nothing of it can be walked on"));
        }
        if let (None, Some(door)) = (&self.plan, scenario.doors.first()) {
            let message = format!(
                "door {:?}: only a plan can have doors; in a scene or a mesh, close an exit instead ([[exit]] closed = …)",
                door.name
            );
            return Err(scenario.wrong(ErrorKind::Unsupported, door.line, message));
        }
        self.doors = scenario.doors.iter().map(|door| door.ends).collect();
        Ok(self)
    }

    /// Returns the mesh while a set of doors is closed: door `k` is bit `k`.
    pub fn mesh(&self, closed: u64) -> Result<Arc<NavMesh>> {
        let mut meshes = self.meshes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mesh) = meshes.get(&closed) {
            return Ok(Arc::clone(mesh));
        }
        let mut plan = self.plan.clone().unwrap_or_default();
        let shut = self.doors.iter().enumerate().filter(|(door, _)| closed >> door & 1 == 1);
        plan.walls.extend(shut.map(|(_, ends)| ends.to_vec()));
        let mesh = Arc::new(build(&plan, &self.links)?);
        meshes.insert(closed, Arc::clone(&mesh));
        Ok(mesh)
    }
}

/// Returns a plan in metres, if its unit has this length in metres.
fn scaled(mut plan: Plan, scale: f64) -> Plan {
    let rings = plan.polygons.iter_mut().flat_map(|shape| shape.holes.iter_mut().chain([&mut shape.outline]));
    let lines = rings.chain(&mut plan.rings).chain(&mut plan.walls);
    lines.flatten().for_each(|at| *at = at.map(|c| c * scale));
    plan
}

/// Builds the mesh of a plan.
fn build(plan: &Plan, links: &[Link]) -> Result<NavMesh> {
    let mut mesh = MeshOptions::default().build(plan)?;
    mesh.add_links(links, USUAL_SNAP)?;
    Ok(mesh)
}
