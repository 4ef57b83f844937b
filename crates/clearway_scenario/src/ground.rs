//! The world of a scenario as a mesh, or as several: a plan with doors has one for each set of closed doors.

use crate::changing::{Barrier, Changing};
use crate::porch::{Ends, Porch};
use crate::scenario::{Door, DoorBar, Scenario, WorldSource};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::names::unknown;
use clearway_build::links::{links_beside, load_links, load_links_in_space};
use clearway_build::{Building, Drawn, MeshOptions, WalkRules, WalkableSurface};
use clearway_nav::NavMesh;
use clearway_nav::links::USUAL_SNAP;
use clearway_nav::mesh::{Link, MeshPlace};
use clearway_nav::query::{Position, in_world};
use clearway_world::scene::SceneOptions;
use clearway_world::{Plan, PlanFormat, PlanOptions, Scene, SceneFormat, Up};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The world of a scenario, ready to walk on. All runs of a scenario share it.
pub struct Ground {
    /// The plan, if the world is one: doors are walls of it.
    plan: Option<Plan>,
    /// What each door shuts.
    doors: Vec<Door>,
    /// What stands in the way while events run.
    barriers: Vec<Barrier>,
    /// The names of the storeys and the heights of their floors in metres, from the lowest to the highest, where plans
    /// name them.
    storeys: Vec<(String, f64)>,
    /// Links to put on every mesh of the plan.
    links: Vec<Link>,
    /// The ground behind exits that are lines of the plan.
    porches: Vec<Porch>,
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
            (None, WorldSource::Unnamed) => {
                let message = "[world] is missing: it names the plan, the scene or the mesh, file = \"hall.wkt\"; \
                               or give the world on the command line, before the scenario";
                return Err(scenario.wrong(ErrorKind::Syntax, 0, message));
            }
            (None, WorldSource::Plan(plan)) => {
                Ground::of_plan(plan.clone(), Vec::new()).map_err(|error| error.in_file(&scenario.file))?
            }
        };
        ground.with_porches(scenario)?.with_doors(scenario)
    }

    /// Makes the ground of a mesh that exists already.
    pub fn of_mesh(mesh: NavMesh) -> Ground {
        let meshes = Mutex::new(BTreeMap::from([(0, Arc::new(mesh))]));
        let (doors, barriers, storeys) = (Vec::new(), Vec::new(), Vec::new());
        let (links, porches) = (Vec::new(), Vec::new());
        Ground { plan: None, doors, barriers, storeys, links, porches, meshes }
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
            let options = PlanOptions::default().scale((scale != 1.0).then_some(scale));
            let plan = match Building::from_drawing(path, &options)? {
                Drawn::Plan(plan) => plan,
                Drawn::Building(building) => {
                    return of_building(&building, links).map_err(|error| error.in_file(path));
                }
            };
            let links = links.map_or(Ok(Vec::new()), load_links)?;
            return Ground::of_plan(plan, links).map_err(|error| error.in_file(path));
        }
        if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml")) {
            return of_building(&Building::load(path)?, links).map_err(|error| error.in_file(path));
        }
        if SceneFormat::from_path(path).is_err() {
            let is_mesh = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("nav"));
            if !is_mesh {
                let message = "is neither a plan (.wkt, .geojson, .dxf, .svg, .yaml, .poly, .dat, .map), nor a scene (.glb, .gltf, .obj, \
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

    /// Takes the doors of a scenario, and tries its events. Fails if there is no ground at all.
    fn with_doors(mut self, scenario: &Scenario) -> Result<Ground> {
        if self.mesh(0)?.cell_count() == 0 {
            return Err(scenario.wrong(ErrorKind::Empty, 0, "world: nothing of it can be walked on"));
        }
        for door in &scenario.doors {
            self.check_door(door).map_err(|error| {
                scenario.wrong(error.kind(), door.line, format!("door {:?}: {error}", door.name))
            })?;
        }
        let whole = self.mesh(0)?;
        for measure in scenario.measures.iter().filter(|measure| measure.points.len() == 2) {
            let ends = [measure.points[0], measure.points[1]];
            if !touches_ground(&whole, ends, measure.height) {
                let message = format!("measure {:?}: no ground of the world lies on its line", measure.name);
                return Err(scenario.wrong(ErrorKind::OutOfRange, measure.line, message));
            }
        }
        self.doors.clone_from(&scenario.doors);
        self.barriers = Changing::rehearse(scenario, &self)?;
        Ok(self)
    }

    /// Lays ground behind the exits of a plan that are lines where its ground ends. A line along a wall stays as it is.
    fn with_porches(self, scenario: &Scenario) -> Result<Ground> {
        let Some(plan) = &self.plan else { return Ok(self) };
        let (mesh, [_, largest]) = (self.mesh(0)?, scenario.radii());
        let lines = scenario.exit_lines(&mesh);
        let mut porches: Vec<Porch> =
            lines.into_iter().filter_map(|line| Porch::behind(&mesh, line, largest)).collect();
        while !porches.is_empty() {
            let mut longer = plan.clone();
            porches.iter().for_each(|porch| porch.add_to(&mut longer));
            let ground = Ground::of_plan(longer, self.links.clone())?;
            let mesh = ground.mesh(0)?;
            let count = porches.len();
            porches.retain(|porch| porch.is_open(&mesh));
            if porches.len() == count {
                return Ok(Ground { porches, ..ground });
            }
        }
        Ok(self)
    }

    /// Returns the part of the ground behind a line on which people leave; `None` if there was no need to lay any.
    pub(crate) fn exit_behind(&self, line: Ends) -> Option<&[[f64; 2]]> {
        let porch = self.porches.iter().find(|porch| porch.line == line)?;
        Some(&porch.exit)
    }

    /// Returns all ground that was laid behind exits.
    pub(crate) fn porches(&self) -> &[Porch] {
        &self.porches
    }

    /// Returns the ground behind an exit of the plan: its line is that of the exit, or a side of it.
    pub(crate) fn porch_of(&self, place: &MeshPlace) -> Option<&Porch> {
        let is_corner = |at: &[f64; 2]| place.points.contains(at);
        self.porches.iter().find(|porch| porch.line.iter().all(is_corner))
    }

    /// True if the world is the mesh of a plan that can be built anew with other walls.
    pub(crate) fn is_plan(&self) -> bool {
        self.plan.is_some()
    }

    /// Fails if a door cannot be in this world: its line must lie on ground, and its link must be there.
    fn check_door(&self, door: &Door) -> Result<()> {
        let mesh = self.mesh(0)?;
        let name = match &door.bar {
            DoorBar::Link(name) => name,
            DoorBar::Line(ends) if !touches_ground(&mesh, *ends, door.height) => {
                let message = "no ground of the world lies on its line";
                return Err(Error::new(ErrorKind::OutOfRange, message));
            }
            DoorBar::Line(_) => return Ok(()),
        };
        let links: Vec<Link> = mesh.links().collect();
        if links.iter().any(|link| link.name == *name) {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Options,
            unknown("link", name, links.iter().map(|link| link.name.as_str())),
        ))
    }

    /// Returns the names of the storeys and the heights of their floors in metres, from the lowest to the highest, if
    /// the world is a building of plans.
    pub fn storeys(&self) -> &[(String, f64)] {
        &self.storeys
    }

    /// Returns everything that stands in the way at some time because of events.
    pub fn barriers(&self) -> &[Barrier] {
        &self.barriers
    }

    /// Returns the ends of what a door shuts, in the plan, and the height at which it begins.
    pub fn door_ends(&self, door: usize) -> Option<([[f64; 2]; 2], f64)> {
        let door = self.doors.get(door)?;
        let mesh = self.mesh(0).ok()?;
        match &door.bar {
            DoorBar::Line(ends) => {
                let middle = [0, 1].map(|axis| 0.5 * (ends[0][axis] + ends[1][axis]));
                let ground = || mesh.locate(middle).map_or(0.0, |at| mesh.height(at));
                Some((*ends, door.height.unwrap_or_else(ground)))
            }
            DoorBar::Link(name) => {
                let link = mesh.links().find(|link| link.name == *name)?;
                Some(([link.from.plan(), link.to.plan()], link.from[1]))
            }
        }
    }

    /// Returns the mesh while a set of doors is closed: door `k` is bit `k`.
    pub fn mesh(&self, closed: u64) -> Result<Arc<NavMesh>> {
        let mut meshes = self.meshes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mesh) = meshes.get(&closed) {
            return Ok(Arc::clone(mesh));
        }
        let shut: Vec<&DoorBar> = self
            .doors
            .iter()
            .enumerate()
            .filter(|(door, _)| closed >> door & 1 == 1)
            .map(|(_, door)| &door.bar)
            .collect();
        let is_open =
            |link: &Link| !shut.iter().any(|bar| matches!(bar, DoorBar::Link(name) if *name == link.name));
        let mesh = match (&self.plan, meshes.get(&0)) {
            (None, Some(whole)) => {
                let links: Vec<Link> = whole.links().filter(is_open).collect();
                // A mesh of its own, not a copy: the crowd must see that it is another one.
                let mut mesh = NavMesh::decode(&whole.encode())?;
                mesh.clear_links();
                mesh.add_links(&links, USUAL_SNAP)?;
                mesh
            }
            _ => {
                let mut plan = self.plan.clone().unwrap_or_default();
                let line =
                    |bar: &&DoorBar| if let DoorBar::Line(ends) = bar { Some(ends.to_vec()) } else { None };
                plan.walls.extend(shut.iter().filter_map(line));
                let links: Vec<Link> = self.links.iter().filter(|link| is_open(link)).cloned().collect();
                build(&plan, &links)?
            }
        };
        let mesh = Arc::new(mesh);
        meshes.insert(closed, Arc::clone(&mesh));
        Ok(mesh)
    }
}

/// Builds the mesh of a building, with the places that its plans name.
fn of_building(building: &Building, links: Option<PathBuf>) -> Result<Ground> {
    let surface = WalkableSurface::extract(&building.scene()?, &WalkRules::default())?;
    let mut mesh = MeshOptions::default().build(&surface)?;
    mesh.set_places(&building.places());
    if let Some(file) = links {
        mesh.add_links(&load_links_in_space(&file)?, USUAL_SNAP).map_err(|error| error.in_file(&file))?;
    }
    let mut storeys: Vec<_> =
        building.storeys.iter().map(|storey| (storey.name.clone(), storey.height)).collect();
    storeys.sort_by(|a, b| a.1.total_cmp(&b.1));
    Ok(Ground { storeys, ..Ground::of_mesh(mesh) })
}

/// True if some point of a line lies on the ground. Points are a tenth of a metre apart, at most a thousand.
fn touches_ground(mesh: &NavMesh, [a, b]: [[f64; 2]; 2], height: Option<f64>) -> bool {
    let count = ((b[0] - a[0]).hypot(b[1] - a[1]) / 0.1).ceil().clamp(1.0, 1000.0);
    let at = |k: usize| [0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * k as f64 / count);
    (0..=count as usize).any(|k| match height.filter(|_| mesh.has_heights()) {
        Some(height) => mesh.locate(in_world(at(k), height)).is_ok(),
        None => mesh.locate(at(k)).is_ok(),
    })
}

/// Builds the mesh of a plan.
fn build(plan: &Plan, links: &[Link]) -> Result<NavMesh> {
    let mut mesh = MeshOptions::default().build(plan)?;
    mesh.add_links(links, USUAL_SNAP)?;
    Ok(mesh)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Run, Verdict};

    /// Two rooms that only a link joins.
    const ROOMS: &str = "
[world]
wkt = 'MULTIPOLYGON (((0 0, 6 0, 6 4, 0 4, 0 0)), ((10 0, 16 0, 16 4, 10 4, 10 0)))'
[run]
limit = 200
[[exit]]
name = 'out'
rectangle = [[15, 0], [16, 4]]
[[source]]
count = 5
rectangle = [[0, 0], [4, 4]]
goal = 'out'
";

    fn rooms(door: &str) -> Scenario {
        Scenario::parse("s.toml", "".into(), &format!("{ROOMS}{door}")).unwrap()
    }

    /// Makes the mesh of the rooms with a link, as a file of links gives it.
    fn mesh() -> NavMesh {
        let plan = "MULTIPOLYGON (((0 0, 6 0, 6 4, 0 4, 0 0)), ((10 0, 16 0, 16 4, 10 4, 10 0)))";
        let mut mesh = MeshOptions::default().build(&Plan::parse(PlanFormat::Wkt, plan).unwrap()).unwrap();
        let at = |x: f64| clearway_nav::query::in_world([x, 2.0], 0.0);
        let kind = clearway_nav::mesh::LinkKind::from_name("lift");
        mesh.add_links(&[Link::new("lift", kind, at(5.0), at(11.0))], USUAL_SNAP).unwrap();
        mesh
    }

    #[test]
    fn a_link_opens_and_closes_on_a_schedule_in_a_mesh() {
        let open = rooms("");
        let ground = Ground::of_mesh(mesh()).with_doors(&open).unwrap();
        let usual = Run::new(&open, &ground, 0).unwrap().finish(|_| Ok(true)).unwrap();
        assert_eq!(usual.verdict, Some(Verdict::Arrived));
        assert!(usual.last_arrival.unwrap() < 40.0, "{usual:?}");
        let late = rooms("[[door]]\nname = 'lift door'\nlink = 'lift'\nclosed = [[0, 40]]\n");
        let ground = Ground::of_mesh(mesh()).with_doors(&late).unwrap();
        assert_eq!(ground.mesh(1).unwrap().link_count(), 0);
        let outcome = Run::new(&late, &ground, 0).unwrap().finish(|_| Ok(true)).unwrap();
        assert_eq!(outcome.verdict, Some(Verdict::Arrived), "{outcome:?}");
        let first = outcome.exits[0].first.unwrap();
        assert!(first > 40.0 && outcome.arrived == 5, "{outcome:?}");
        assert!(outcome.notes.iter().any(|note| note.contains("door \"lift door\" opens at 40.0 s")));
    }

    /// A line across the ground of a mesh, with events and a link that closes, all at once.
    #[test]
    fn doors_of_lines_and_links_and_events_go_together_in_a_mesh() {
        let text = "[[door]]\nname = 'gate'\nline = [[13, 0], [13, 4]]\nclosed = [[0, 10]]\n\
                    [[door]]\nname = 'lift door'\nlink = 'lift'\nclosed = [[0, 30]]\n\
                    [[event]]\nat = 1\nadd = 'crate'\nbox = { centre = [3, 2], size = [0.5, 0.5] }\n";
        let scenario = rooms(text);
        let ground = Ground::of_mesh(mesh()).with_doors(&scenario).unwrap();
        assert_eq!(ground.door_ends(0), Some(([[13.0, 0.0], [13.0, 4.0]], 0.0)));
        let mut run = Run::new(&scenario, &ground, 0).unwrap();
        let mut rode = f64::INFINITY;
        let outcome = run.finish(|run| {
            let arrived = run.crowd().agents().any(|agent| agent.at.position()[0] > 9.0);
            rode = if arrived { rode.min(run.time()) } else { rode };
            Ok(true)
        });
        let outcome = outcome.unwrap();
        assert_eq!((outcome.verdict, outcome.arrived), (Some(Verdict::Arrived), 5), "{outcome:?}");
        assert!(rode > 30.0 && rode < 60.0, "{rode}");
        let told = |words: &str| outcome.notes.iter().any(|note| note.contains(words));
        assert!(told("door \"gate\" opens at 10.0 s") && told("event: add \"crate\""), "{outcome:?}");
    }

    /// Nobody gets through a door of a mesh before it opens.
    #[test]
    fn a_door_of_a_line_opens_and_closes_without_events() {
        let door = "[[door]]\nname = 'gate'\nline = [[13, 0], [13, 4]]\nclosed = [[0, 50]]\n";
        let scenario = rooms(door);
        let ground = Ground::of_mesh(mesh()).with_doors(&scenario).unwrap();
        let outcome = Run::new(&scenario, &ground, 0).unwrap().finish(|_| Ok(true)).unwrap();
        assert_eq!((outcome.verdict, outcome.arrived), (Some(Verdict::Arrived), 5), "{outcome:?}");
        assert!(outcome.exits[0].first.unwrap() > 50.0, "{outcome:?}");
    }

    /// A door with a slip in its coordinates closed nothing, and nobody said so.
    #[test]
    fn a_door_beside_the_ground_is_refused() {
        let door = rooms("[[door]]\nname = 'a'\nline = [[30, 0], [30, 4]]\n");
        let error = Ground::load(&door, None).err().unwrap().to_string();
        assert!(error.contains("s.toml:13: door \"a\": no ground of the world lies on its line"), "{error}");
        assert!(Ground::load(&rooms("[[door]]\nname = 'a'\nline = [[3, 0], [3, 4]]\n"), None).is_ok());
    }

    #[test]
    fn doors_that_cannot_be_in_a_world_are_refused() {
        let refused = |door: &str, parts: &[&str]| {
            let message = Ground::of_mesh(mesh()).with_doors(&rooms(door)).err().unwrap().to_string();
            assert!(parts.iter().all(|part| message.contains(part)), "{message}");
        };
        refused("[[door]]\nname = 'a'\nlink = 'lft'\n", &["door \"a\": link", "did you mean `lift`?"]);
        let line = "[[door]]\nname = 'a'\nline = [[3, 0], [3, 4]]\n";
        refused(
            "[[door]]\nname = 'a'\nline = [[30, 0], [30, 4]]\n",
            &["no ground of the world lies on its line"],
        );
        let high = format!("{ROOMS}[[door]]\nname = 'a'\nlink = 'lift'\nheight = 1\n");
        let error = Scenario::parse("s.toml", "".into(), &high).unwrap_err().to_string();
        assert!(error.contains("height goes with line"), "{error}");
        let both = format!("{ROOMS}{line}link = 'lift'\n");
        let error = Scenario::parse("s.toml", "".into(), &both).unwrap_err().to_string();
        assert!(error.contains("either a line or a link"), "{error}");
    }
}
