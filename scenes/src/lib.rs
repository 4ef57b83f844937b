//! Seeded generators of 2D plans for property tests, fuzzing, benchmarks and the demo.
//!
//! A plan is plain data ([`PlanDrawing`]): rings of points and open walls, so that this crate depends on
//! nothing and everything can depend on it. The same seed always gives the same plan. Coordinates are rounded
//! to a dyadic or millimetre grid, which hides last-bit differences of trigonometric functions between
//! platforms.
//!
//! * [`Family`] is the table of random families, from clean (no two edges touch) to deliberately broken.
//! * [`hospital_ward`] and [`market`] are places in metres that look like real ones.
//! * [`turn_back`] and [`two_ways`] are fixed plans on which the size of a body decides about its way.

mod detours;
mod drawing;
mod family;
mod hospital;
mod market;
mod nesting;
mod random;
mod raster;
mod shapes;
mod slots;

pub use detours::{turn_back, two_ways};
pub use drawing::{PlanDrawing, Ring};
pub use family::Family;
pub use hospital::hospital_ward;
pub use market::market;
pub use random::Random;
