//! The smallest scene with one of everything that decides about the meaning of "walkable".

use super::soup::Soup;
use super::stairs::Flight;
use super::truth::{Component, KnownScene, Truth};

/// A floor of 20 m by 12 m with stairs to a platform, a ramp through the floor, a sunk pillar taller than a
/// body, a wall of no thickness with a door, a table, a low fence, a low and a high crate.
///
/// The truth is complete: the floor with stairs, platform, ramp and low crate; the pillar's inside and its
/// top; the tops of the table and of the high crate.
pub fn toy() -> KnownScene {
    let mut soup = Soup::new();
    soup.part("floor", "Floor").floor([0.0, 0.0], [20.0, 12.0], 0.0);
    wall_with_door(&mut soup);
    // The ramp has no thickness and meets the floor at x = 3. What lies deeper is under the floor.
    soup.part("ramp", "Metal");
    soup.face(&[[2.0, -0.5, 1.0], [2.0, -0.5, 3.0], [6.0, 1.5, 3.0], [6.0, 1.5, 1.0]]);
    let flight = Flight { start: [13.0, 0.0, 8.0], width: 1.5, riser: 0.18, tread: 0.3, treads: 5 };
    flight.build_solid(soup.part("stairs", "Concrete"));
    soup.part("platform", "Concrete").cuboid([14.5, 0.0, 7.5], [16.5, 1.08, 9.5]);
    soup.part("pillar", "Concrete").cuboid([4.0, -1.0, 8.0], [4.6, 3.0, 8.6]);
    soup.part("table", "Wood").cuboid([7.0, 0.7, 6.0], [8.6, 0.75, 6.8]);
    for [x, z] in [[7.05, 6.05], [8.5, 6.05], [7.05, 6.7], [8.5, 6.7]] {
        soup.cuboid([x, 0.0, z], [x + 0.05, 0.7, z + 0.05]);
    }
    soup.part("fence", "Wood").panel([11.0, 4.0], [20.0, 4.0], 0.0, 0.3);
    soup.part("low_crate", "Wood").cuboid([12.0, 0.0, 1.0], [13.0, 0.3, 2.0]);
    soup.part("high_crate", "Wood").cuboid([15.0, 0.0, 1.0], [16.0, 1.2, 2.0]);
    let places = vec![
        [1.0, 0.0, 11.0],
        [5.0, 1.0, 2.0],
        [18.0, 0.0, 11.0],
        flight.on_tread(2),
        [15.5, 1.08, 8.5],
        [18.0, 0.0, 2.0],
        [12.5, 0.3, 1.5],
    ];
    let components = vec![
        Component::open(240.0 - 0.36 - 1.28 - 1.0, places),
        Component::shut_in([4.0, 8.0], [4.6, 8.6], 0.0),
        Component::top([4.0, 8.0], [4.6, 8.6], 3.0),
        Component::top([7.0, 6.0], [8.6, 6.8], 0.75),
        Component::top([15.0, 1.0], [16.0, 2.0], 1.2),
    ];
    let blocked =
        vec![[2.5, -0.25, 2.0], [5.0, 0.0, 2.0], [7.8, 0.0, 6.4], [15.5, 0.0, 1.5], [12.5, 0.0, 1.5]];
    KnownScene::new("toy", soup, Truth { blocked, ..Truth::of(components) })
}

/// A wall across the floor at x = 10, with a door of a metre below a lintel at 2.1 m.
fn wall_with_door(soup: &mut Soup) {
    soup.part("wall", "Wall").panel([10.0, 0.0], [10.0, 5.0], 0.0, 2.5);
    soup.panel([10.0, 6.0], [10.0, 12.0], 0.0, 2.5);
    soup.panel([10.0, 5.0], [10.0, 6.0], 2.1, 2.5);
}
