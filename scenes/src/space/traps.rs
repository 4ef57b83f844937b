//! Small scenes, each of which catches one mistake that makers of walkable surfaces are known to make.

mod climbs;
mod floors;

pub use climbs::{high_stairs, kerb, nosing_stairs, open_stairs, ramp, spiral_ramp, stacked_floors};
pub use floors::{
    box_with_floor, coplanar_duplicates, cracked_tiles, hanging_panel, reversed_duplicates, ring_of_boxes,
    t_junction_tiles, thin_wall, wedge_ceiling,
};

use super::truth::KnownScene;

/// Every trap with its usual sizes; all truths are complete.
pub fn traps() -> Vec<KnownScene> {
    vec![
        thin_wall(),
        box_with_floor(),
        stacked_floors(),
        spiral_ramp(60),
        nosing_stairs(0.02),
        open_stairs(0.02),
        ring_of_boxes(),
        coplanar_duplicates(0.002),
        t_junction_tiles(),
        cracked_tiles(0.001),
        reversed_duplicates(),
        hanging_panel(1.0, 2.5),
        hanging_panel(2.1, 2.5),
        hanging_panel(0.0, 0.35),
        wedge_ceiling(),
        high_stairs(),
        ramp(44.9),
        ramp(45.1),
        kerb(0.15),
        kerb(0.6),
    ]
}
