//! Detour's two ways to change a mesh: a tile that Recast builds anew, and the tile cache with temporary obstacles.

use std::ffi::{c_float, c_int, c_uint, c_void};
use std::ptr::NonNull;

use super::world::Window;
use crate::clock::Stopwatch;
use crate::recast_mesh::{Settings, Soup};

/// The side of a tile in RecastDemo's tiled mesh, in cells.
pub const TILE_OF_MESH: c_int = 32;
/// The side of a tile in RecastDemo's tile cache, in cells.
pub const TILE_OF_CACHE: c_int = 48;

/// Tiles of the square and polygons of a tile at most: together 22 bits, which is all that Detour's ids have.
const MOST_TILES: c_int = 1 << 9;
const MOST_POLYGONS: c_int = 1 << 13;

/// The height of the space that is built, in metres: above all walls.
const CEILING: f32 = 4.0;

unsafe extern "C" {
    fn shim_tiles_new(
        settings: *const Settings,
        tile_cells: c_int,
        origin: *const c_float,
        ceiling: c_float,
        most_tiles: c_int,
        most_polygons: c_int,
    ) -> *mut c_void;
    fn shim_tiles_free(tiles: *mut c_void);
    fn shim_tiles_build(
        tiles: *mut c_void,
        x: c_int,
        z: c_int,
        vertices: *const c_float,
        vertex_count: c_int,
        triangles: *const c_int,
        triangle_count: c_int,
    ) -> bool;
    fn shim_tiles_cache(
        tiles: *mut c_void,
        x: c_int,
        z: c_int,
        vertices: *const c_float,
        vertex_count: c_int,
        triangles: *const c_int,
        triangle_count: c_int,
    ) -> bool;
    fn shim_tiles_put_box(tiles: *mut c_void, low: *const c_float, high: *const c_float) -> c_uint;
    fn shim_tiles_take_box(tiles: *mut c_void, id: c_uint) -> bool;
    fn shim_tiles_update(tiles: *mut c_void) -> c_int;
    #[cfg(test)]
    fn shim_tiles_path(tiles: *const c_void, from: *const c_float, to: *const c_float) -> f64;
}

/// A square of tiles that lives on the C++ side, over the ground of a window of the city.
pub struct Tiles {
    square: NonNull<c_void>,
    /// The side of a tile in metres.
    side: f64,
}

/// What fills tiles.
type Fill =
    unsafe extern "C" fn(*mut c_void, c_int, c_int, *const c_float, c_int, *const c_int, c_int) -> bool;

impl Tiles {
    /// The tiled mesh of a window, every tile built by Recast.
    pub fn built(window: &Window) -> Result<Tiles, String> {
        Tiles::filled(window, TILE_OF_MESH, shim_tiles_build)
    }

    /// The tile cache of a window.
    pub fn cached(window: &Window) -> Result<Tiles, String> {
        Tiles::filled(window, TILE_OF_CACHE, shim_tiles_cache)
    }

    fn filled(window: &Window, cells: c_int, fill: Fill) -> Result<Tiles, String> {
        let settings = Settings::demo(0.3, 0.2);
        // SAFETY: settings and origin outlive the call; the origin has three numbers.
        let square = unsafe {
            shim_tiles_new(&raw const settings, cells, [0f32; 3].as_ptr(), CEILING, MOST_TILES, MOST_POLYGONS)
        };
        let square = NonNull::new(square).ok_or("Detour refuses the square of tiles")?;
        let mut tiles = Tiles { square, side: f64::from(cells) * f64::from(settings.cell_size) };
        for [x, z] in tiles.touched([0.0, 0.0], [window.size(); 2]) {
            tiles.fill(window, [x, z], fill)?;
        }
        Ok(tiles)
    }

    /// The tiles that a rectangle touches.
    pub fn touched(&self, low: [f64; 2], high: [f64; 2]) -> Vec<[c_int; 2]> {
        let [from, to] = [low, high].map(|corner| corner.map(|c| (c / self.side).floor() as c_int));
        (from[0]..=to[0]).flat_map(|x| (from[1]..=to[1]).map(move |z| [x, z])).collect()
    }

    /// Builds a tile anew. Says how long Recast and Detour took, in microseconds; gathering triangles does not count.
    pub fn rebuild(&mut self, window: &Window, tile: [c_int; 2]) -> Result<f64, String> {
        self.fill(window, tile, shim_tiles_build)
    }

    fn fill(&mut self, window: &Window, [x, z]: [c_int; 2], fill: Fill) -> Result<f64, String> {
        // The border of a tile reaches over its neighbours by a few cells.
        let around = |tile: c_int| [f64::from(tile) * self.side - 2.0, f64::from(tile + 1) * self.side + 2.0];
        let [xs, zs] = [around(x), around(z)];
        let Soup { vertices, triangles } = window.soup([xs[0], zs[0]], [xs[1], zs[1]]);
        let watch = Stopwatch::start();
        // SAFETY: the pointer came from `shim_tiles_new`; both arrays outlive the call, hold as many triples as
        // stated, and every index of a triangle is one of a vertex.
        let done = unsafe {
            fill(
                self.square.as_ptr(),
                x,
                z,
                vertices.as_ptr().cast(),
                vertices.len() as c_int,
                triangles.as_ptr().cast(),
                triangles.len() as c_int,
            )
        };
        let micros = watch.micros();
        if done { Ok(micros) } else { Err(format!("tile {x}, {z} cannot be built")) }
    }

    /// Puts a box into the cache in place of another, and updates until the mesh is right. Says how long that took.
    pub fn move_box(
        &mut self,
        gone: Option<u32>,
        low: [f64; 2],
        high: [f64; 2],
    ) -> Result<(u32, f64), String> {
        let [low, high] = [(low, 0.0f32), (high, 2.0)].map(|([x, z], height)| [x as f32, height, z as f32]);
        let watch = Stopwatch::start();
        // SAFETY: the pointer came from `shim_tiles_new`, and both corners have three numbers.
        let (id, steps) = unsafe {
            let taken = gone.is_none_or(|id| shim_tiles_take_box(self.square.as_ptr(), id));
            let id = shim_tiles_put_box(self.square.as_ptr(), low.as_ptr(), high.as_ptr());
            (id * u32::from(taken), shim_tiles_update(self.square.as_ptr()))
        };
        let micros = watch.micros();
        if id > 0 && steps > 0 { Ok((id, micros)) } else { Err("the cache refuses a box".into()) }
    }

    /// The length of a path of the mesh; `None` if there is none.
    #[cfg(test)]
    pub fn path(&self, from: [f64; 2], to: [f64; 2]) -> Option<f64> {
        let [from, to] = [from, to].map(|[x, z]| [x as f32, 0.0f32, z as f32]);
        // SAFETY: as above.
        let length = unsafe { shim_tiles_path(self.square.as_ptr(), from.as_ptr(), to.as_ptr()) };
        Some(length).filter(|length| *length >= 0.0)
    }
}

impl Drop for Tiles {
    fn drop(&mut self) {
        // SAFETY: the pointer came from `shim_tiles_new`, and this is the only free.
        unsafe { shim_tiles_free(self.square.as_ptr()) }
    }
}
