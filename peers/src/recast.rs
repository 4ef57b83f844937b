//! C++ Recast on the plan made solid: a floor with walls of 3 m around it.
//!
//! The floor is the plan's triangulation at height 0 and every wall a quad, so that Recast sees what a level
//! editor would hand it. Radius 0, since our cells are not shrunk either. Settings are those of RecastDemo's solo
//! mesh; the detail mesh is left out of the time.

use std::ffi::{c_float, c_int, c_void};
use std::ptr::NonNull;

use spade::Triangulation;

use crate::inputs::{Input, Ring};
use crate::peer::{Job, NOT_RUN, Outcome, Peer};
use crate::spade_cdt::{Segments, walkable_faces};

const WALL_HEIGHT: f32 = 3.0;

/// Recast addresses its open spans with 24 bits and fails in silence beyond; a grid of more cells is no fair row.
const MOST_GRID_CELLS: f64 = (1 << 24) as f64;

/// Recast at one cell size.
pub struct Recast {
    name: &'static str,
    settings: Settings,
}

impl Recast {
    /// Cells of 0.3 m, RecastDemo's own choice.
    pub fn coarse() -> Recast {
        Recast { name: "recast-0.3", settings: Settings::demo(0.3, 0.2) }
    }

    /// Cells of 0.1 m, where Recast's outline comes near the plan's.
    pub fn fine() -> Recast {
        Recast { name: "recast-0.1", settings: Settings::demo(0.1, 0.1) }
    }

    fn refuse(&self, input: &Input) -> Result<(), String> {
        if !input.in_metres {
            return Err("not in metres".into());
        }
        let [width, depth] = input.extent().map(|side| (side / f64::from(self.settings.cell_size)).ceil());
        if width * depth > MOST_GRID_CELLS {
            return Err(format!("grid {width} x {depth}"));
        }
        Ok(())
    }
}

impl Peer for Recast {
    fn name(&self) -> &'static str {
        self.name
    }

    fn prepare(&self, input: &Input) -> Result<Box<dyn Job>, String> {
        self.refuse(input)?;
        let mut soup = Soup::default();
        soup.add_floor(input)?;
        input.rings().for_each(|ring| soup.add_walls(ring));
        Ok(Box::new(RecastJob { soup, settings: self.settings, built: None }))
    }
}

struct RecastJob {
    soup: Soup,
    settings: Settings,
    built: Option<Built>,
}

impl Job for RecastJob {
    fn run(&mut self) -> Result<(), String> {
        self.built = Some(Built::from(&self.soup, &self.settings).ok_or("a stage of Recast failed")?);
        Ok(())
    }

    fn outcome(&self) -> Result<Outcome, String> {
        let counts = self.built.as_ref().ok_or(NOT_RUN)?.counts();
        if counts.polygons == 0 {
            return Err("empty mesh".into());
        }
        Ok(Outcome {
            cells: counts.polygons as usize,
            portals: counts.portals as usize,
            portal_length: counts.portal_length,
            ..Outcome::default()
        })
    }
}

/// Triangles as Recast reads them: y is up, and a floor's corners run clockwise seen from above in (x, z).
#[derive(Default)]
struct Soup {
    vertices: Vec<[c_float; 3]>,
    triangles: Vec<[c_int; 3]>,
}

impl Soup {
    fn add_floor(&mut self, input: &Input) -> Result<(), String> {
        let cdt = Segments::of(input).triangulate()?;
        let walkable = walkable_faces(&cdt);
        for vertex in cdt.vertices() {
            self.vertices.push([vertex.position().x as f32, 0.0, vertex.position().y as f32]);
        }
        for face in cdt.inner_faces().filter(|face| walkable[face.index()]) {
            let [a, b, c] = face.vertices().map(|vertex| vertex.index() as c_int);
            self.triangles.push([a, c, b]);
        }
        Ok(())
    }

    fn add_walls(&mut self, ring: &Ring) {
        let first = self.vertices.len() as c_int;
        let count = ring.len() as c_int;
        for &[x, y] in ring {
            self.vertices.push([x as f32, 0.0, y as f32]);
            self.vertices.push([x as f32, WALL_HEIGHT, y as f32]);
        }
        for i in 0..count {
            let (low, next_low) = (first + 2 * i, first + 2 * ((i + 1) % count));
            self.triangles.push([low, next_low, next_low + 1]);
            self.triangles.push([low, next_low + 1, low + 1]);
        }
    }
}

/// Lengths in metres, the slope in degrees, regions in cells along one side. Same layout as in the shim.
#[repr(C)]
#[derive(Clone, Copy)]
struct Settings {
    cell_size: c_float,
    cell_height: c_float,
    agent_height: c_float,
    agent_climb: c_float,
    slope_degrees: c_float,
    region_min_size: c_float,
    region_merge_size: c_float,
    edge_length: c_float,
    edge_error: c_float,
    vertices_per_polygon: c_int,
}

impl Settings {
    fn demo(cell_size: f32, cell_height: f32) -> Settings {
        Settings {
            cell_size,
            cell_height,
            agent_height: 2.0,
            agent_climb: 0.9,
            slope_degrees: 45.0,
            region_min_size: 8.0,
            region_merge_size: 20.0,
            edge_length: 12.0,
            edge_error: 1.3,
            vertices_per_polygon: 6,
        }
    }
}

/// Same layout as in the shim.
#[repr(C)]
struct Counts {
    polygons: c_int,
    portals: c_int,
    portal_length: f64,
}

unsafe extern "C" {
    fn shim_recast_build(
        settings: *const Settings,
        vertices: *const c_float,
        vertex_count: c_int,
        triangles: *const c_int,
        triangle_count: c_int,
    ) -> *mut c_void;
    fn shim_recast_counts(built: *const c_void) -> Counts;
    fn shim_recast_free(built: *mut c_void);
}

/// A polygon mesh that lives on the C++ side.
struct Built(NonNull<c_void>);

impl Built {
    fn from(soup: &Soup, settings: &Settings) -> Option<Built> {
        // SAFETY: both arrays outlive the call, hold as many triples as stated, and every index of a triangle is
        // one of a vertex.
        let built = unsafe {
            shim_recast_build(
                settings,
                soup.vertices.as_ptr().cast(),
                soup.vertices.len() as c_int,
                soup.triangles.as_ptr().cast(),
                soup.triangles.len() as c_int,
            )
        };
        NonNull::new(built).map(Built)
    }

    fn counts(&self) -> Counts {
        // SAFETY: the pointer came from `shim_recast_build` and is freed only on drop.
        unsafe { shim_recast_counts(self.0.as_ptr()) }
    }
}

impl Drop for Built {
    fn drop(&mut self) {
        // SAFETY: as above, and this is the only free.
        unsafe { shim_recast_free(self.0.as_ptr()) }
    }
}
