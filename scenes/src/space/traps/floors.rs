//! Traps on flat floors: walls of no thickness, solids, faces drawn twice, tiles that do not fit.

use super::super::soup::Soup;
use super::super::truth::{BODY_HEIGHT, Component, KnownScene, MAX_STEP, Truth};

/// A floor of 10 m by 6 m cut in two by a single-sided wall of no thickness: two components of 30 square
/// metres.
pub fn thin_wall() -> KnownScene {
    KnownScene { name: "thin_wall".to_string(), ..hanging_panel(0.0, 2.5) }
}

/// A floor of 10 m by 6 m with a panel of no thickness across it, from `bottom` to `top`.
///
/// It parts the floor unless it ends within a step's height or begins above the body.
pub fn hanging_panel(bottom: f64, top: f64) -> KnownScene {
    let mut soup = Soup::new();
    soup.part("floor", "Floor").floor([0.0, 0.0], [10.0, 6.0], 0.0);
    soup.part("panel", "Wall").panel([5.0, 0.0], [5.0, 6.0], bottom, top);
    let places = [[2.0, 0.0, 3.0], [8.0, 0.0, 3.0]];
    let components = match top > MAX_STEP && bottom < BODY_HEIGHT {
        true => places.map(|place| Component::open(30.0, vec![place])).to_vec(),
        false => vec![Component::open(60.0, places.to_vec())],
    };
    KnownScene::new(format!("hanging_panel_{bottom}_{top}"), soup, Truth::of(components))
}

/// A floor of 10 m by 10 m that runs on inside a closed box of 4 m by 4 m by 3 m: outside, inside and top.
pub fn box_with_floor() -> KnownScene {
    let mut soup = Soup::new();
    soup.part("floor", "Floor").floor([0.0, 0.0], [10.0, 10.0], 0.0);
    soup.part("box", "Wall").cuboid([3.0, 0.0, 3.0], [7.0, 3.0, 7.0]);
    let components = vec![
        Component::open(84.0, vec![[1.0, 0.0, 1.0], [9.0, 0.0, 9.0]]),
        Component::shut_in([3.0, 3.0], [7.0, 7.0], 0.0),
        Component::top([3.0, 3.0], [7.0, 7.0], 3.0),
    ];
    KnownScene::new("box_with_floor", soup, Truth::of(components))
}

/// Four boxes around a square that touch in corners only: the square is cut off, though no wall closes it.
pub fn ring_of_boxes() -> KnownScene {
    let mut soup = Soup::new();
    soup.part("floor", "Floor").floor([0.0, 0.0], [10.0, 10.0], 0.0);
    soup.part("boxes", "Wood");
    let boxes = [[4.0, 2.0], [2.0, 4.0], [6.0, 4.0], [4.0, 6.0]];
    for [x, z] in boxes {
        soup.cuboid([x, 0.0, z], [x + 2.0, 1.5, z + 2.0]);
    }
    let mut components = vec![Component::open(80.0, vec![[1.0, 0.0, 1.0], [9.0, 0.0, 9.0]])];
    components.push(Component::open(4.0, vec![[5.0, 0.0, 5.0]]));
    components.extend(boxes.map(|[x, z]| Component::top([x, z], [x + 2.0, z + 2.0], 1.5)));
    KnownScene::new("ring_of_boxes", soup, Truth::of(components))
}

/// A floor of 10 m by 8 m drawn twice, `gap` metres apart and cut otherwise: one component.
pub fn coplanar_duplicates(gap: f64) -> KnownScene {
    let mut soup = Soup::new();
    soup.part("floor", "Floor").floor([0.0, 0.0], [10.0, 8.0], 0.0);
    soup.part("carpet", "Carpet");
    let ring = [[0.0, 0.0], [0.0, 8.0], [10.0, 8.0], [10.0, 0.0]].map(|[x, z]| [x, gap, z]);
    for k in 0..4 {
        soup.face(&[[3.7, gap, 4.3], ring[k], ring[(k + 1) % 4]]);
    }
    KnownScene::new("coplanar_duplicates", soup, one_floor(10.0, 8.0))
}

/// A floor of 10 m by 8 m of which every triangle is drawn twice, facing up and facing down: one component.
pub fn reversed_duplicates() -> KnownScene {
    let mut soup = Soup::new();
    soup.part("floor", "Floor");
    for k in 0..20 {
        let low = [2.0 * f64::from(k % 5), 2.0 * f64::from(k / 5)];
        soup.ceiling(low, low.map(|x| x + 2.0), 0.0);
        soup.floor(low, low.map(|x| x + 2.0), 0.0);
    }
    KnownScene::new("reversed_duplicates", soup, one_floor(10.0, 8.0))
}

/// A floor of 10 m by 8 m of tiles laid like bricks, so that corners lie on sides: one component.
pub fn t_junction_tiles() -> KnownScene {
    let mut soup = Soup::new();
    soup.part("tiles", "Floor");
    for (low, high) in bricks() {
        soup.floor(low, high, 0.0);
    }
    KnownScene::new("t_junction_tiles", soup, one_floor(10.0, 8.0))
}

/// The same tiles with cracks of `gap` metres between them: one component if such gaps are bridged.
pub fn cracked_tiles(gap: f64) -> KnownScene {
    let mut soup = Soup::new();
    soup.part("tiles", "Floor");
    let (half, mut cracks) = (0.5 * gap, 80.0);
    for (low, high) in bricks() {
        let (low, high) = (low.map(|x| x + half), high.map(|x| x - half));
        soup.floor(low, high, 0.0);
        cracks -= (high[0] - low[0]) * (high[1] - low[1]);
    }
    let truth = Truth { bridge: gap, tolerance: cracks, ..one_floor(10.0, 8.0) };
    KnownScene::new("cracked_tiles", soup, truth)
}

/// A floor of 10 m by 4 m below a ceiling that comes down from 3 m to the floor: a third of it is walkable.
pub fn wedge_ceiling() -> KnownScene {
    let mut soup = Soup::new();
    soup.part("floor", "Floor").floor([0.0, 0.0], [10.0, 4.0], 0.0);
    soup.part("ceiling", "Wall");
    soup.face(&[[0.0, 3.0, 0.0], [10.0, 0.0, 0.0], [10.0, 0.0, 4.0], [0.0, 3.0, 4.0]]);
    let truth = Truth::of(vec![Component::open(40.0 / 3.0, vec![[0.5, 0.0, 2.0], [3.0, 0.0, 1.0]])]);
    KnownScene::new("wedge_ceiling", soup, Truth { blocked: vec![[4.0, 0.0, 2.0], [9.0, 0.0, 2.0]], ..truth })
}

/// The truth of a plain floor.
fn one_floor(x: f64, z: f64) -> Truth {
    let places = vec![[0.45, 0.0, 0.45], [x - 0.45, 0.0, z - 0.45]];
    Truth::of(vec![Component::open(x * z, places)])
}

/// Tiles of a square metre in eight rows on 10 m by 8 m; every other row starts with half a tile.
fn bricks() -> Vec<([f64; 2], [f64; 2])> {
    let row = |j: usize| {
        let shift = if j.is_multiple_of(2) { 0.0 } else { 0.5 };
        let line = move |i: usize| (i as f64 - shift).clamp(0.0, 10.0);
        let tiles = (0..11).filter(move |&i| line(i) < line(i + 1));
        tiles.map(move |i| ([line(i), j as f64], [line(i + 1), j as f64 + 1.0]))
    };
    (0..8).flat_map(row).collect()
}
