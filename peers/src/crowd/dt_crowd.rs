//! C++ `dtCrowd` of Detour, on the fewest polygons that hold the scene.

use std::ffi::{c_float, c_int, c_void};
use std::ptr::NonNull;

use super::peer::{CrowdPeer, DT, Run};
use super::scene::{Point, RADIUS, SPEED, Scene};
use crate::paths::detour::Native;
use crate::paths::detour_mesh::{Cells, DetourMesh};

/// Above so many agents its proximity grid runs out of indices of 16 bits, and the update may never return.
const MOST_AGENTS: usize = 40_000;

/// `dtCrowd` with the sampling of one of RecastDemo's qualities.
pub struct DtCrowd {
    /// The name in tables.
    pub name: &'static str,
    /// RecastDemo's quality, 0 to 3.
    pub quality: c_int,
}

impl CrowdPeer for DtCrowd {
    fn name(&self) -> String {
        self.name.into()
    }

    fn prepare(&self, scene: &Scene) -> Result<Box<dyn Run>, String> {
        if scene.bodies.len() > MOST_AGENTS {
            return Err(format!("its grid takes no more than about {MOST_AGENTS} agents"));
        }
        let mesh = Native::of(&DetourMesh::of(Cells::ours(&scene.mesh()?))?)?;
        let count = scene.bodies.len() as c_int;
        // SAFETY: the mesh lives as long as the crowd, which is dropped first.
        let crowd = unsafe { shim_crowd_new(mesh.as_ptr(), count, RADIUS as f32, self.quality) };
        let crowd = NonNull::new(crowd).ok_or("dtCrowd refused the mesh")?;
        let run = DtRun { crowd, _mesh: mesh, bodies: scene.bodies.len() };
        for (index, body) in scene.bodies.iter().enumerate() {
            let [at, goal] = [body.at, body.goal].map(flat);
            // SAFETY: both are three floats, and the crowd lives.
            let added = unsafe {
                shim_crowd_add(run.crowd.as_ptr(), at.as_ptr(), goal.as_ptr(), RADIUS as f32, SPEED as f32)
            };
            if added == 0 {
                return Err(format!("dtCrowd refused agent {index}"));
            }
        }
        Ok(Box::new(run))
    }
}

/// A point of a plan, which lies at height 0.
fn flat([x, z]: Point) -> [c_float; 3] {
    [x as c_float, 0.0, z as c_float]
}

struct DtRun {
    crowd: NonNull<c_void>,
    _mesh: Native,
    bodies: usize,
}

impl Run for DtRun {
    fn dt(&self) -> f64 {
        DT
    }

    fn bodies(&self) -> usize {
        self.bodies
    }

    fn step(&mut self) -> Result<(), String> {
        // SAFETY: the crowd lives until drop.
        unsafe { shim_crowd_update(self.crowd.as_ptr(), DT as c_float) };
        Ok(())
    }
}

impl Drop for DtRun {
    fn drop(&mut self) {
        // SAFETY: the pointer came from `shim_crowd_new`, and this is the only free.
        unsafe { shim_crowd_free(self.crowd.as_ptr()) }
    }
}

unsafe extern "C" {
    fn shim_crowd_new(mesh: *mut c_void, most: c_int, radius: c_float, quality: c_int) -> *mut c_void;
    fn shim_crowd_free(crowd: *mut c_void);
    fn shim_crowd_add(
        crowd: *mut c_void,
        at: *const c_float,
        goal: *const c_float,
        radius: c_float,
        speed: c_float,
    ) -> c_int;
    fn shim_crowd_update(crowd: *mut c_void, dt: c_float);
}
