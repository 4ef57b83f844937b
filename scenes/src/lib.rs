//! Seeded generators of 2D plans and 3D scenes for property tests, fuzzing, benchmarks and the demo.
//!
//! A plan is plain data ([`PlanDrawing`]): rings of points and open walls, so that this crate depends on
//! nothing and everything can depend on it. The same seed always gives the same plan. Coordinates are rounded
//! to a dyadic or millimetre grid, which hides last-bit differences of trigonometric functions between
//! platforms.
//!
//! * [`Family`] is the table of random families, from clean (no two edges touch) to deliberately broken.
//! * [`hospital_ward`] and [`market`] are places in metres that look like real ones.
//! * [`turn_back`] and [`two_ways`] are fixed plans on which the size of a body decides about its way.
//!
//! A scene is a [`Soup`] of triangles in metres, +Y up; a [`KnownScene`] comes with the [`Truth`] about its
//! walkable surface, in closed form.
//!
//! * [`building`], [`car_park`], [`city`], [`bridge`], [`terrain`] and [`cave`] are places for people.
//! * [`toy`] and [`traps`] are small scenes, each of which catches mistakes.
//! * [`clutter`] makes as many triangles as a measurement needs, and [`dirty`] spoils any soup.

mod detours;
mod drawing;
mod family;
mod hospital;
mod market;
mod nesting;
mod random;
mod raster;
mod scratch;
mod shapes;
mod slots;
mod space;

pub use detours::{turn_back, two_ways};
pub use drawing::{PlanDrawing, Ring};
pub use family::Family;
pub use hospital::hospital_ward;
pub use market::market;
pub use random::Random;
pub use scratch::{Scratch, shared_data};
pub use space::{
    Approach, BODY_HEIGHT, BuildingOptions, CarParkOptions, Component, DirtOptions, Foot, KerbShape,
    KnownScene, MAX_STEP, MAX_TRIANGLES, Point3, Soup, StreetOptions, Truth, box_with_floor, bridge,
    building, car_park, cave, city, clutter, coplanar_duplicates, cracked_tiles, dirt_tolerance, dirty,
    hanging_panel, high_stairs, kerb, nosing_stairs, open_stairs, ramp, reversed_duplicates, ring_of_boxes,
    spiral_ramp, stacked_floors, street_corner, t_junction_tiles, terrain, thin_wall, toy, traps,
    wedge_ceiling,
};
