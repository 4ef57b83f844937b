//! C++ Detour: `findNearestPoly` twice, `findPath`, `findStraightPath`.

use std::ffi::{c_float, c_int, c_void};
use std::ptr::NonNull;

use super::buildings::{Building, Place, SpacePlanner};
use super::detour_mesh::{Cells, DetourMesh, MOST_CORNERS, WIDEST};
use super::maps::Map;
use super::peer::{Answer, PathPeer, PlacePeer, Planner, Point};
use super::polyanya_crate::PolyanyaCrate;
use crate::recast_mesh::{Polygons, RecastMesh, Settings};
use crate::scenes::soup_of;

/// The greatest step on a flat mesh; any does.
const FLAT_CLIMB: f32 = 1.0;

/// Detour, as shipped with Recast, on one of two meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detour {
    /// The merged mesh that comes with the map: smaller polygons suit a search from polygon to polygon.
    MergedMesh,
    /// Our cells.
    OurCells,
}

impl Detour {
    /// The same mesh for questions about places.
    pub fn places(self, map: &Map) -> Result<DetourPlaces, String> {
        Ok(DetourPlaces { name: self.name(), native: self.native(map)? })
    }

    fn native(self, map: &Map) -> Result<Native, String> {
        let cells = match self {
            Detour::MergedMesh => Cells::home(&PolyanyaCrate::Home.mesh(map)?),
            Detour::OurCells => Cells::ours(&map.mesh),
        };
        Native::of(&DetourMesh::of(cells)?)
    }
}

impl PathPeer for Detour {
    fn name(&self) -> &'static str {
        match self {
            Detour::MergedMesh => "detour",
            Detour::OurCells => "detour-our-cells",
        }
    }

    fn prepare(&self, map: &Map, _radius: f64) -> Result<Box<dyn Planner>, String> {
        Ok(Box::new(DetourPlanner { native: self.native(map)?, corners: 0 }))
    }
}

struct DetourPlanner {
    native: Native,
    corners: usize,
}

impl Planner for DetourPlanner {
    fn find(&mut self, start: Point, goal: Point) {
        self.corners = self.native.path(flat(start), flat(goal));
    }

    fn answer(&mut self) -> Answer {
        let corners = self.native.corners(self.corners);
        let corners = corners.iter().map(|[x, _, z]| [f64::from(*x), f64::from(*z)]);
        Answer::along(corners, Some(self.native.expansions()))
    }

    fn memory(&self) -> Option<usize> {
        Some(self.native.memory())
    }
}

/// The head-room of Recast's agent in buildings, in metres. Doors are 2.1 m high, and rounded to cells of 0.1 m some of
/// them would be closed to an agent of 2 m.
const HEIGHT_INDOORS: f32 = 1.8;

/// Detour on Recast's mesh of a building, eroded by the radius.
pub fn in_building(building: &Building, radius: f64) -> Result<Box<dyn SpacePlanner>, String> {
    let cell_size = building.cell_size;
    let climb = building.rules.max_step as f32;
    let settings = Settings::demo(cell_size, cell_size).agent(HEIGHT_INDOORS, climb, radius as f32);
    let mesh = RecastMesh::build(&soup_of(&building.scene), &settings, false)?;
    let Polygons { vertex_count, polygon_count, .. } = mesh.polygons();
    eprintln!(
        "Recast, cells of {cell_size} m, radius {radius}: {polygon_count} polygons, {vertex_count} vertices"
    );
    Ok(Box::new(DetourPlanner { native: Native::of_recast(&mesh, climb)?, corners: 0 }))
}

impl SpacePlanner for DetourPlanner {
    fn find(&mut self, start: Place, goal: Place) {
        self.corners = self.native.path(start, goal);
    }

    fn length(&mut self) -> Option<f64> {
        self.answer().length()
    }
}

/// A point of a plan, which lies at height 0.
fn flat([x, z]: Point) -> Place {
    [x, 0.0, z]
}

/// Detour's answer to where a point is.
pub struct DetourPlaces {
    name: &'static str,
    native: Native,
}

impl PlacePeer for DetourPlaces {
    fn name(&self) -> &'static str {
        self.name
    }

    fn locate(&mut self, point: Point) -> bool {
        self.native.locate(flat(point))
    }
}

unsafe extern "C" {
    fn shim_detour_build(polygons: *const Polygons, agent_climb: c_float) -> *mut c_void;
    #[cfg(test)]
    fn shim_detour_load(bytes: *const u8, length: c_int) -> *mut c_void;
    #[cfg(test)]
    fn shim_detour_height(planner: *const c_void, point: *const c_float, height: *mut c_float) -> c_int;
    fn shim_detour_free(planner: *mut c_void);
    fn shim_detour_locate(planner: *const c_void, point: *const c_float) -> c_int;
    fn shim_detour_path(planner: *mut c_void, start: *const c_float, goal: *const c_float) -> c_int;
    fn shim_detour_corners(planner: *const c_void) -> *const c_float;
    fn shim_detour_expansions(planner: *const c_void) -> c_int;
    fn shim_detour_memory(planner: *const c_void) -> c_int;
}

/// Mesh and query on the C++ side.
pub struct Native(NonNull<c_void>);

impl Native {
    /// Makes them of cut and rounded cells.
    pub fn of(mesh: &DetourMesh) -> Result<Native, String> {
        let [x, z] = mesh.origin;
        let width = WIDEST as c_float * mesh.cell_size;
        let polygons = Polygons {
            vertices: mesh.vertices.as_ptr().cast(),
            vertex_count: mesh.vertices.len() as c_int,
            polygons: mesh.polygons.as_ptr().cast(),
            polygon_count: mesh.polygons.len() as c_int,
            most_corners: MOST_CORNERS as c_int,
            low: [x, 0.0, z],
            high: [x + width, 1.0, z + width],
            cell_size: mesh.cell_size,
            cell_height: 1.0,
        };
        // SAFETY: both arrays outlive the call and hold as many entries as stated.
        unsafe { Native::build(&polygons, FLAT_CLIMB) }
    }

    /// The polygons that Recast made, for an agent with this greatest step.
    fn of_recast(mesh: &RecastMesh, climb: f32) -> Result<Native, String> {
        // SAFETY: the mesh owns the arrays and outlives the call.
        unsafe { Native::build(&mesh.polygons(), climb) }
    }

    /// A tile set as RecastDemo saves it.
    #[cfg(test)]
    fn load(bytes: &[u8]) -> Result<Native, String> {
        // SAFETY: the bytes outlive the call, and Detour copies them.
        let native = unsafe { shim_detour_load(bytes.as_ptr(), bytes.len() as c_int) };
        NonNull::new(native).map(Native).ok_or_else(|| "Detour refused the file".into())
    }

    /// # Safety
    ///
    /// Both arrays hold as many entries as stated. Detour copies what it keeps.
    unsafe fn build(polygons: &Polygons, climb: f32) -> Result<Native, String> {
        // SAFETY: as the caller promises.
        let native = unsafe { shim_detour_build(&raw const *polygons, climb) };
        NonNull::new(native).map(Native).ok_or_else(|| "Detour refused the mesh".into())
    }

    /// The planner, for other shims.
    pub fn as_ptr(&self) -> *mut c_void {
        self.0.as_ptr()
    }

    fn locate(&self, point: Place) -> bool {
        let point = point.map(|value| value as c_float);
        // SAFETY: the planner lives until drop, and the point is three floats.
        unsafe { shim_detour_locate(self.0.as_ptr(), point.as_ptr()) != 0 }
    }

    /// The height of the ground at a point, from the detail mesh.
    #[cfg(test)]
    fn height(&self, point: Place) -> Option<f64> {
        let (point, mut height) = (point.map(|value| value as c_float), 0.0);
        // SAFETY: as above; the height is one float.
        let found = unsafe { shim_detour_height(self.0.as_ptr(), point.as_ptr(), &raw mut height) };
        (found != 0).then_some(f64::from(height))
    }

    fn path(&mut self, start: Place, goal: Place) -> usize {
        let [start, goal] = [start, goal].map(|point| point.map(|value| value as c_float));
        // SAFETY: as above; `&mut self` keeps everyone else out of the planner's buffers.
        unsafe { shim_detour_path(self.0.as_ptr(), start.as_ptr(), goal.as_ptr()) as usize }
    }

    fn corners(&self, count: usize) -> &[[c_float; 3]] {
        // SAFETY: the buffer holds the corners of the last path, `count` of them, until the next search.
        unsafe { std::slice::from_raw_parts(shim_detour_corners(self.0.as_ptr()).cast(), count) }
    }

    fn expansions(&self) -> u64 {
        // SAFETY: the planner lives until drop.
        unsafe { shim_detour_expansions(self.0.as_ptr()) as u64 }
    }

    fn memory(&self) -> usize {
        // SAFETY: the planner lives until drop.
        unsafe { shim_detour_memory(self.0.as_ptr()) as usize }
    }
}

impl Drop for Native {
    fn drop(&mut self) {
        // SAFETY: the pointer came from `shim_detour_build`, and this is the only free.
        unsafe { shim_detour_free(self.0.as_ptr()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway::export::{DetourBody, to_detour};
    use clearway::{MeshOptions, NavMesh, PathQuery, Plan, PlanFormat, shrunk};
    use clearway_scenes::{Family, hospital_ward};

    fn mesh_of(wkt: &str) -> NavMesh {
        let plan = Plan::parse(PlanFormat::Wkt, wkt).unwrap();
        MeshOptions::default().build(&plan).unwrap()
    }

    /// A place of ours as Detour sees it: z is -y.
    fn in_space([x, y]: [f64; 2]) -> Place {
        [x, 0.0, -y]
    }

    #[test]
    fn exported_tiles_load_and_reach_what_ours_reaches() {
        let mut plans: Vec<String> = (0..3).map(|seed| hospital_ward(seed).to_wkt()).collect();
        plans.extend([Family::Boxes, Family::RotatedBoxes, Family::Mazes].map(|f| f.draw(300, 3).to_wkt()));
        let mut counts = [0; 3];
        for (number, plan) in plans.iter().enumerate() {
            let mesh = mesh_of(plan);
            for radius in [0.0, 0.1, 0.3] {
                let Ok(small) = shrunk(&mesh, radius, None) else { continue };
                let body = DetourBody { radius, height: 2.0, climb: 0.4 };
                let Ok(bytes) = to_detour(&small, body) else { continue };
                let mut native = Native::load(&bytes).unwrap();
                let places: Vec<_> = small.random_points(11).take(401).collect();
                for pair in places.windows(2) {
                    let [from, to] = [pair[0], pair[1]].map(|place| place.position());
                    let found = native.path(in_space(from), in_space(to)) > 0;
                    let ours = small.find_path(&PathQuery::new(pair[0], pair[1])).is_ok();
                    assert_eq!(found, ours, "plan {number}, radius {radius}: {from:?} to {to:?}");
                    let [start, goal] = [from, to].map(|at| mesh.locate(at).unwrap());
                    assert!(!found || mesh.can_pass(start, goal, radius), "{number}: {from:?} to {to:?}");
                    counts[usize::from(found)] += 1;
                }
                counts[2] += 1;
            }
        }
        println!("{} files; {} pairs reached, {} not", counts[2], counts[1], counts[0]);
        assert!(counts[1] > 1000, "{counts:?}");
    }
    /// Compares what Detour reaches on the whole building with ours, and its heights with the ground.
    #[test]
    fn buildings_in_layers_are_reached_as_ours_are() {
        let mut counts = [0; 2];
        let scenes = [
            clearway_scenes::stacked_floors(),
            clearway_scenes::building(Default::default(), 1),
            clearway_scenes::car_park(Default::default()),
        ];
        for (number, scene) in scenes.into_iter().enumerate() {
            let mesh = mesh_of_scene(&scene);
            for radius in [0.1, 0.3] {
                let small = shrunk(&mesh, radius, None).unwrap();
                let body = DetourBody { radius, height: 2.0, climb: 0.4 };
                let mut native = Native::load(&to_detour(&small, body).unwrap()).unwrap();
                let places: Vec<_> = small.random_points(11).take(401).collect();
                for pair in places.windows(2) {
                    let [from, to] = [pair[0], pair[1]].map(|place| {
                        let [x, y] = place.position();
                        [x, small.height(place), -y]
                    });
                    for (place, at) in [(pair[0], from), (pair[1], to)] {
                        let ground = native.height(at).unwrap();
                        let off = (ground - small.height(place)).abs();
                        assert!(off < 0.02, "scene {number}, radius {radius}: {at:?}, off by {off}");
                    }
                    let found = native.path(from, to) > 0;
                    let ours = small.find_path(&PathQuery::new(pair[0], pair[1])).is_ok();
                    assert_eq!(found, ours, "scene {number}, radius {radius}: {from:?} to {to:?}");
                    counts[usize::from(found)] += 1;
                }
            }
        }
        println!("{} pairs reached, {} not", counts[1], counts[0]);
        assert!(counts[1] > 1000, "{counts:?}");
    }

    /// The mesh of a generated scene.
    fn mesh_of_scene(scene: &clearway_scenes::KnownScene) -> NavMesh {
        let soup = scene.soup.clone();
        let scene =
            clearway::Scene::from_triangles(soup.vertices, soup.triangles, soup.part_of, soup.parts).unwrap();
        let surface = clearway::WalkableSurface::extract(&scene, &Default::default()).unwrap();
        MeshOptions::default().build(&surface).unwrap()
    }

    #[test]
    fn links_become_off_mesh_connections() {
        let square = |x: f64| vec![[x, 0.0], [x + 4.0, 0.0], [x + 4.0, 4.0], [x, 4.0]];
        let mut mesh = MeshOptions::default().build(&Plan::from_rings([square(0.0), square(10.0)])).unwrap();
        let jump = |name: &str, from, to| clearway::Link::new(name, clearway::LinkKind::Drop, from, to);
        mesh.add_links(&[jump("drop", [3.0, 0.0, -2.0], [11.0, 0.0, -2.0])], 0.1).unwrap();
        let small = shrunk(&mesh, 0.3, None).unwrap();
        let body = DetourBody { radius: 0.3, height: 2.0, climb: 0.4 };
        let mut native = Native::load(&to_detour(&small, body).unwrap()).unwrap();
        let [here, there] = [[1.0, 0.0, -1.0], [13.0, 0.0, -3.0]];
        assert!(native.path(here, there) > 2);
        assert_eq!(native.path(there, here), 0, "a drop leads one way");
    }
}
