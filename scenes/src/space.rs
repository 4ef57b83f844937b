//! Scenes in three dimensions: triangle soups with what is known about their walkable surface.

mod bridge;
mod building;
mod car_park;
mod cave;
mod city;
mod clutter;
mod dirt;
mod height_field;
mod soup;
mod stairs;
mod street;
mod terrain;
mod toy;
mod traps;
mod truth;

pub use bridge::{Approach, bridge};
pub use building::{BuildingOptions, building};
pub use car_park::{CarParkOptions, car_park};
pub use cave::cave;
pub use city::city;
pub use clutter::clutter;
pub use dirt::{DirtOptions, dirt_tolerance, dirty};
pub use soup::{MAX_TRIANGLES, Point3, Soup};
pub use street::{Foot, KerbShape, StreetOptions, street_corner};
pub use terrain::terrain;
pub use toy::toy;
pub use traps::{
    box_with_floor, coplanar_duplicates, cracked_tiles, hanging_panel, high_stairs, kerb, nosing_stairs,
    open_stairs, ramp, reversed_duplicates, ring_of_boxes, spiral_ramp, stacked_floors, t_junction_tiles,
    thin_wall, traps, wedge_ceiling,
};
pub use truth::{BODY_HEIGHT, Component, KnownScene, MAX_STEP, Truth};
