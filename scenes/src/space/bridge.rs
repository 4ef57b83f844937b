//! A bridge over a road: both can be walked, one above the other.

use super::soup::Soup;
use super::truth::{BODY_HEIGHT, Component, KnownScene, Truth};

// All lengths are in metres. The bridge runs along x, the road along z.
/// Half of the land.
const LAND: [f64; 2] = [32.0, 20.0];
/// Half of the road's width.
const ROAD: f64 = 6.0;
/// Where the deck ends and where the approaches end.
const SPAN: f64 = 8.0;
const FOOT: f64 = 28.0;
/// Half the width of bridge and approaches.
const HALF: f64 = 2.0;
const DECK: f64 = 5.0;
const SLAB: f64 = 0.4;

/// How one gets on the bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approach {
    /// Over solid wedges of earth, with ground inside.
    Embankment,
    /// Over inclined slabs that one can walk under and that dip below the ground at their foot.
    Ramp,
}

/// A bridge of 5 m height, with railings of no thickness.
///
/// The truth is complete: one component, and the insides of embankments.
pub fn bridge(approach: Approach) -> KnownScene {
    let mut soup = Soup::new();
    soup.part("land/west", "Grass").floor([-LAND[0], -LAND[1]], [-ROAD, LAND[1]], 0.0);
    soup.part("land/east", "Grass").floor([ROAD, -LAND[1]], [LAND[0], LAND[1]], 0.0);
    soup.part("road", "Asphalt").floor([-ROAD, -LAND[1]], [ROAD, LAND[1]], 0.0);
    soup.part("bridge/deck", "Concrete").cuboid([-SPAN, DECK - SLAB, -HALF], [SPAN, DECK, HALF]);
    soup.part("bridge/railings", "Metal").panel([-SPAN, -HALF], [SPAN, -HALF], DECK, DECK + 1.0);
    soup.panel([SPAN, HALF], [-SPAN, HALF], DECK, DECK + 1.0);
    let west = west_approach(approach);
    soup.append(&west);
    soup.append(&west.mirrored_x());
    KnownScene::new(format!("bridge_{approach:?}").to_lowercase(), soup, truth(approach))
}

fn west_approach(approach: Approach) -> Soup {
    let mut soup = Soup::new();
    match approach {
        Approach::Embankment => {
            soup.part("approach", "Grass").wedge([-FOOT, 0.0, -HALF], [-SPAN, DECK, HALF]);
        }
        Approach::Ramp => {
            let corner = |k: usize| {
                let (x, y) = if k & 1 == 0 { (-FOOT, 0.0) } else { (-SPAN, DECK) };
                [x, if k & 2 == 0 { y - SLAB } else { y }, if k & 4 == 0 { -HALF } else { HALF }]
            };
            soup.part("approach", "Concrete").hexahedron([0, 1, 2, 3, 4, 5, 6, 7].map(corner));
        }
    }
    soup
}

fn truth(approach: Approach) -> Truth {
    let run = FOOT - SPAN;
    let land = 4.0 * LAND[0] * LAND[1] + 4.0 * SPAN * HALF;
    let places =
        vec![[0.0, 0.0, 0.0], [0.0, DECK, 0.0], [-18.0, 2.5, 0.0], [18.0, 2.5, 0.0], [30.0, 0.0, 15.0]];
    // On each side the approach gives its own plan area and takes the ground that has too little room above.
    match approach {
        Approach::Embankment => {
            let inside = 2.0 * HALF * run * (1.0 - BODY_HEIGHT / DECK);
            let ghosts = [-12.0, 12.0].map(|x| Component::inside(inside, [x, 0.0, 0.0]));
            Truth::of([Component::open(land, places)].into_iter().chain(ghosts).collect())
        }
        Approach::Ramp => {
            let open = 2.0 * HALF * run * (1.0 - (BODY_HEIGHT + SLAB) / DECK);
            let below = vec![[-12.0, 0.0, 0.0], [12.0, 0.0, 0.0]];
            let places = places.into_iter().chain(below).collect();
            Truth {
                blocked: vec![[-22.0, 0.0, 0.0]],
                ..Truth::of(vec![Component::open(land + 2.0 * open, places)])
            }
        }
    }
}
