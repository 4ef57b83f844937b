//! C++ Recast's mesh builder as this side sees it: triangles in, polygons and the detail mesh out.

use std::ffi::{c_float, c_int, c_void};
use std::ptr::NonNull;

/// The note of a build that Recast gave up, which it does without a reason.
const FAILED: &str = "a stage of Recast failed";

/// Triangles as Recast reads them: y is up, and a floor's corners run clockwise seen from above in (x, z).
#[derive(Clone, Debug, Default)]
pub struct Soup {
    /// Where corners lie.
    pub vertices: Vec<[c_float; 3]>,
    /// Corners by number; every number is one of a vertex.
    pub triangles: Vec<[c_int; 3]>,
}

/// Lengths in metres, the slope in degrees, regions in cells along one side. Same layout as in the shim.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The side of a cell.
    pub cell_size: c_float,
    cell_height: c_float,
    agent_height: c_float,
    agent_climb: c_float,
    agent_radius: c_float,
    slope_degrees: c_float,
    region_min_size: c_float,
    region_merge_size: c_float,
    edge_length: c_float,
    edge_error: c_float,
    vertices_per_polygon: c_int,
    /// In cells.
    detail_distance: c_float,
    /// In cell heights.
    detail_error: c_float,
}

impl Settings {
    /// The head-room of RecastDemo's agent.
    pub const AGENT_HEIGHT: f32 = 2.0;
    /// Its greatest step.
    pub const AGENT_CLIMB: f32 = 0.9;
    /// Its steepest slope, in degrees.
    pub const SLOPE_DEGREES: f32 = 45.0;

    /// RecastDemo's settings for a solo mesh, with radius 0.
    pub fn demo(cell_size: f32, cell_height: f32) -> Settings {
        Settings {
            cell_size,
            cell_height,
            agent_height: Settings::AGENT_HEIGHT,
            agent_climb: Settings::AGENT_CLIMB,
            agent_radius: 0.0,
            slope_degrees: Settings::SLOPE_DEGREES,
            region_min_size: 8.0,
            region_merge_size: 20.0,
            edge_length: 12.0,
            edge_error: 1.3,
            vertices_per_polygon: 6,
            detail_distance: 6.0,
            detail_error: 1.0,
        }
    }

    /// The same for another agent; the mesh is eroded by its radius.
    pub fn agent(self, height: f32, climb: f32, radius: f32) -> Settings {
        Settings { agent_height: height, agent_climb: climb, agent_radius: radius, ..self }
    }
}

/// Recast at one cell size: a row of a table, on plans and on scenes.
#[derive(Clone, Copy, Debug)]
pub struct Recast {
    /// What the row is called.
    pub name: &'static str,
    /// RecastDemo's settings at that cell size.
    pub settings: Settings,
}

impl Recast {
    /// Cells of 0.3 m, RecastDemo's own choice.
    pub fn coarse() -> Recast {
        Recast { name: "recast-0.3", settings: Settings::demo(0.3, 0.2) }
    }

    /// Cells of 0.1 m, where Recast's outline comes near the true one.
    pub fn fine() -> Recast {
        Recast { name: "recast-0.1", settings: Settings::demo(0.1, 0.1) }
    }

    /// Refuses a world whose grid would have more than `most` cells.
    pub fn refuse_wide(&self, extent: [f64; 2], most: f64) -> Result<(), String> {
        let [width, depth] = extent.map(|side| (side / f64::from(self.settings.cell_size)).ceil());
        if width * depth > most { Err(format!("grid {width} x {depth}")) } else { Ok(()) }
    }
}

/// What a mesh consists of. Same layout as in the shim.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    /// Convex polygons.
    pub polygons: c_int,
    /// Edges between two of them.
    pub portals: c_int,
    /// Sets of polygons that portals connect.
    pub components: c_int,
    /// Summed length of the portals seen from above.
    pub portal_length: f64,
}

/// Polygons as Detour reads them, borrowed from a mesh. Same layout as in the shim.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Polygons {
    /// x, y and z of every vertex, in cells.
    pub vertices: *const u16,
    /// How many vertices there are.
    pub vertex_count: c_int,
    /// Corners, then the neighbours beyond the sides that start there.
    pub polygons: *const u16,
    /// How many polygons there are.
    pub polygon_count: c_int,
    /// Corners of a polygon at most.
    pub most_corners: c_int,
    /// The least corner of the mesh.
    pub low: [c_float; 3],
    /// The greatest corner of the mesh.
    pub high: [c_float; 3],
    /// The unit of x and z.
    pub cell_size: c_float,
    /// The unit of y.
    pub cell_height: c_float,
}

unsafe extern "C" {
    fn shim_recast_build(
        settings: *const Settings,
        vertices: *const c_float,
        vertex_count: c_int,
        triangles: *const c_int,
        triangle_count: c_int,
        keep: bool,
    ) -> *mut c_void;
    fn shim_recast_detail(built: *mut c_void, settings: *const Settings) -> bool;
    fn shim_recast_counts(built: *const c_void) -> Counts;
    fn shim_recast_polygons(built: *const c_void) -> Polygons;
    fn shim_recast_detail_count(built: *const c_void) -> c_int;
    fn shim_recast_detail_triangles(built: *const c_void, corners: *mut c_float);
    fn shim_recast_free(built: *mut c_void);
}

/// A polygon mesh that lives on the C++ side.
pub struct RecastMesh(NonNull<c_void>);

impl RecastMesh {
    /// Everything up to the polygons. `keep` holds what [`RecastMesh::add_detail`] needs.
    pub fn build(soup: &Soup, settings: &Settings, keep: bool) -> Result<RecastMesh, String> {
        // SAFETY: both arrays outlive the call, hold as many triples as stated, and every index of a triangle is
        // one of a vertex.
        let built = unsafe {
            shim_recast_build(
                settings,
                soup.vertices.as_ptr().cast(),
                soup.vertices.len() as c_int,
                soup.triangles.as_ptr().cast(),
                soup.triangles.len() as c_int,
                keep,
            )
        };
        NonNull::new(built).map(RecastMesh).ok_or_else(|| FAILED.into())
    }

    /// Adds the detail mesh, which follows the ground within the polygons.
    pub fn add_detail(&mut self, settings: &Settings) -> Result<(), String> {
        // SAFETY: the pointer came from `shim_recast_build` and is freed only on drop.
        let done = unsafe { shim_recast_detail(self.0.as_ptr(), settings) };
        if done { Ok(()) } else { Err(FAILED.into()) }
    }

    /// Counts polygons, portals and components.
    pub fn counts(&self) -> Counts {
        // SAFETY: as above.
        unsafe { shim_recast_counts(self.0.as_ptr()) }
    }

    /// The polygons; the pointers hold as long as the mesh.
    pub fn polygons(&self) -> Polygons {
        // SAFETY: as above.
        unsafe { shim_recast_polygons(self.0.as_ptr()) }
    }

    /// The corners of the detail mesh's triangles.
    pub fn detail(&self) -> Vec<[[c_float; 3]; 3]> {
        // SAFETY: as above.
        let count = unsafe { shim_recast_detail_count(self.0.as_ptr()) };
        let mut triangles = vec![[[0.0; 3]; 3]; usize::try_from(count).unwrap_or(0)];
        // SAFETY: as above, and there is room for nine numbers for each of the triangles.
        unsafe { shim_recast_detail_triangles(self.0.as_ptr(), triangles.as_mut_ptr().cast()) };
        triangles
    }
}

impl Drop for RecastMesh {
    fn drop(&mut self) {
        // SAFETY: as above, and this is the only free.
        unsafe { shim_recast_free(self.0.as_ptr()) }
    }
}
