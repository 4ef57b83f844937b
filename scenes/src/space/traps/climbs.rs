//! Traps on the way up: stairs of several kinds, ramps at the limit, kerbs.

use super::super::car_park::{free_ramp, helix_place};
use super::super::soup::Soup;
use super::super::stairs::{Flight, hole_sides, holed_floor};
use super::super::truth::{Component, KnownScene, MAX_STEP, Truth};

/// Two floors of 8 m by 6 m, 3 m apart, the upper with a stairwell: one component that lies over itself.
pub fn stacked_floors() -> KnownScene {
    let mut soup = Soup::new();
    let (low, high) = ([0.0, 0.0], [8.0, 6.0]);
    let flight = Flight { start: [1.5, 0.0, 2.0], width: 1.2, riser: 0.1875, tread: 0.28, treads: 15 };
    let hole = flight.footprint();
    soup.part("lower", "Floor").floor(low, high, 0.0);
    holed_floor(soup.part("upper", "Floor"), low, high, hole, 3.0);
    soup.part("soffit", "Concrete");
    for (a, b) in super::super::stairs::around_hole(low, high, hole) {
        soup.ceiling(a, b, 2.8);
    }
    hole_sides(&mut soup, hole, 2.8, 3.0);
    flight.build(soup.part("stairs", "Concrete"));
    let area = 48.0 - flight.floor_lost_below() + flight.area() + 48.0 - flight.area();
    let places = vec![[0.5, 0.0, 3.0], flight.on_tread(7), [0.5, 3.0, 3.0], [7.0, 3.0, 5.0], [7.0, 0.0, 5.0]];
    let truth = Truth::of(vec![Component::open(area, places)]);
    KnownScene::new("stacked_floors", soup, Truth { blocked: vec![[3.0, 0.0, 2.6]], ..truth })
}

/// A spiral ramp of so many sectors (at most 10 000), 24 to a turn and 3 m up: one component over itself.
pub fn spiral_ramp(sectors: usize) -> KnownScene {
    let sectors = sectors.clamp(1, 10_000);
    let mut soup = Soup::new();
    let area = free_ramp(soup.part("ramp", "Concrete"), 3.0, sectors);
    let places = (0..sectors).step_by(12).map(|sector| helix_place(3.0, 24, sector)).collect();
    KnownScene::new("spiral_ramp", soup, Truth::of(vec![Component::open(area, places)]))
}

/// Stairs of loose boards, each of which covers `overlap` metres of the one below: one component.
pub fn nosing_stairs(overlap: f64) -> KnownScene {
    let area = boards_area(-overlap);
    let truth = Truth::of(vec![Component::open(area, board_places(-overlap))]);
    KnownScene::new("nosing_stairs", boards(-overlap), truth)
}

/// Stairs of loose boards with gaps of `gap` metres in plan: one component if such gaps are bridged.
pub fn open_stairs(gap: f64) -> KnownScene {
    let area = boards_area(gap);
    let truth = Truth::of(vec![Component::open(area, board_places(gap))]);
    // Bridges may count as area or not.
    let tolerance = f64::from(BOARDS + 1) * gap * 2.0;
    KnownScene::new("open_stairs", boards(gap), Truth { bridge: gap, tolerance, ..truth })
}

const BOARDS: i32 = 10;
const BOARD: f64 = 0.28;
const RISER: f64 = 0.18;

/// Where board `k` begins; the landing counts as the last board.
fn board_start(k: i32, gap: f64) -> f64 {
    3.0 + gap + f64::from(k) * (BOARD + gap)
}

/// A floor, boards of 4 cm that climb from it, and a landing. Nothing lies below the boards.
fn boards(gap: f64) -> Soup {
    let mut soup = Soup::new();
    soup.part("floor", "Floor").floor([0.0, 0.0], [3.0, 2.0], 0.0);
    soup.part("boards", "Wood");
    for k in 0..BOARDS {
        let (x, y) = (board_start(k, gap), RISER * f64::from(k + 1));
        soup.cuboid([x, y - 0.04, 0.0], [x + BOARD, y, 2.0]);
    }
    let (x, y) = (board_start(BOARDS, gap), RISER * f64::from(BOARDS + 1));
    soup.part("landing", "Floor").cuboid([x, y - 0.04, 0.0], [x + 3.0, y, 2.0]);
    soup
}

/// What can be stood on: all there is in plan, less what is covered from above.
fn boards_area(gap: f64) -> f64 {
    let covered = 2.0 * (-gap).max(0.0) * f64::from(BOARDS + 1);
    2.0 * (3.0 + BOARD * f64::from(BOARDS) + 3.0) - covered
}

fn board_places(gap: f64) -> Vec<[f64; 3]> {
    let middle = [board_start(4, gap) + 0.5 * BOARD, RISER * 5.0, 1.0];
    vec![[1.0, 0.0, 1.0], middle, [board_start(BOARDS, gap) + 2.0, RISER * f64::from(BOARDS + 1), 1.0]]
}

/// Stairs with risers of 0.6 m, which nobody can climb: every tread is a component of its own.
pub fn high_stairs() -> KnownScene {
    let mut soup = Soup::new();
    soup.part("floor", "Floor").floor([0.0, 0.0], [3.0, 2.0], 0.0);
    // Three solid treads, so that none is high enough for anyone to stand inside.
    let flight = Flight { start: [3.0, 0.0, 0.0], width: 2.0, riser: 0.6, tread: 0.5, treads: 3 };
    flight.build_solid(soup.part("stairs", "Concrete"));
    let mut components = vec![Component::open(6.0, vec![[1.0, 0.0, 1.0]])];
    components.extend((0..3).map(|k| Component::open(1.0, vec![flight.on_tread(k)])));
    KnownScene::new("high_stairs", soup, Truth::of(components))
}

/// Two floors joined by a ramp of 4 m in plan at an angle in degrees (1 to 80): one component up to 45
/// degrees, else the floors alone.
pub fn ramp(degrees: f64) -> KnownScene {
    let degrees = degrees.clamp(1.0, 80.0);
    let top = (4000.0 * degrees.to_radians().tan()).round() / 1000.0;
    let mut soup = Soup::new();
    soup.part("lower", "Floor").floor([0.0, 0.0], [3.0, 2.0], 0.0);
    soup.part("ramp", "Concrete").face(&[[3.0, 0.0, 0.0], [3.0, 0.0, 2.0], [7.0, top, 2.0], [7.0, top, 0.0]]);
    soup.part("upper", "Floor").floor([7.0, 0.0], [10.0, 2.0], top);
    let (lower, middle, upper) = ([1.0, 0.0, 1.0], [5.0, 0.5 * top, 1.0], [9.0, top, 1.0]);
    let truth = match degrees <= 45.0 {
        true => Truth::of(vec![Component::open(20.0, vec![lower, middle, upper])]),
        false => {
            let floors = [lower, upper].map(|place| Component::open(6.0, vec![place]));
            Truth { blocked: vec![middle], ..Truth::of(floors.to_vec()) }
        }
    };
    KnownScene::new(format!("ramp_{degrees}"), soup, truth)
}

/// A street of 4 m by 6 m and a pavement of 3 m by 6 m, joined by a steep bevel of this rise and a third of
/// it in plan.
///
/// Up to a step's height the bevel is walkable and all is one component; else it is two floors.
pub fn kerb(rise: f64) -> KnownScene {
    let rise = rise.clamp(0.01, 1.9);
    let edge = 4.0 + rise / 3.0;
    let mut soup = Soup::new();
    soup.part("street", "Asphalt").floor([0.0, 0.0], [4.0, 6.0], 0.0);
    soup.part("kerb", "Stone").face(&[
        [4.0, 0.0, 0.0],
        [4.0, 0.0, 6.0],
        [edge, rise, 6.0],
        [edge, rise, 0.0],
    ]);
    soup.part("pavement", "Pavement").floor([edge, 0.0], [edge + 3.0, 6.0], rise);
    let (street, pavement) = ([2.0, 0.0, 3.0], [edge + 1.5, rise, 3.0]);
    let components = match rise <= MAX_STEP {
        true => vec![Component::open(6.0 * (edge + 3.0), vec![street, pavement])],
        false => vec![Component::open(24.0, vec![street]), Component::open(18.0, vec![pavement])],
    };
    KnownScene::new(format!("kerb_{rise}"), soup, Truth::of(components))
}
