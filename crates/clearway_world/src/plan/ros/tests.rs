use super::*;
use crate::plan::testing::double_area;

/// A map of these rows: `.` free, `#` occupied, `?` unknown. The last row lies lowest.
fn map(rows: &[&str], more: &str, options: &PlanOptions) -> Result<Plan> {
    let shade = |tile: char| match tile {
        '.' => 254,
        '#' => 0,
        _ => 205,
    };
    let mut picture = format!("P5 {} {} 255\n", rows[0].len(), rows.len()).into_bytes();
    picture.extend(rows.iter().flat_map(|row| row.chars()).map(shade));
    parse(&format!("image: a.pgm\nresolution: 0.5\nfree_thresh: 0.196\n{more}"), &picture, options)
}

/// Every cell as it is.
fn plain() -> PlanOptions {
    PlanOptions::default().simplify(0.0)
}

fn area(plan: &Plan) -> f64 {
    plan.rings.iter().map(|ring| double_area(ring) / 2.0).sum()
}

#[test]
fn free_cells_are_floor_with_the_last_row_lowest() {
    let plan = map(&["....", "..##"], "origin: [10, 20, 0]", &plain()).unwrap();
    assert_eq!(area(&plan), 1.5);
    assert_eq!(plan.bounds(), Some([[10.0, 20.0], [12.0, 21.0]]));
    assert!(plan.notes[0].starts_with("a map of 4 by 2 cells of 0.5 m: 6 free, 2 occupied, 0 unknown"));
}

#[test]
fn maps_are_turned_by_their_yaw() {
    let yaw = std::f64::consts::FRAC_PI_2;
    let plan = map(&["...."], &format!("origin: [0, 0, {yaw}]"), &plain()).unwrap();
    let [low, high] = plan.bounds().unwrap();
    assert!((low[0] + 0.5).abs() < 1e-9 && (high[1] - 2.0).abs() < 1e-9, "{low:?} {high:?}");
}

#[test]
fn roles_make_unknown_cells_walkable() {
    let rows = ["..??"];
    assert_eq!(area(&map(&rows, "", &plain()).unwrap()), 0.5);
    let options = plain().roles(vec![(PlanRole::Floor, "unknown".into())]);
    assert_eq!(area(&map(&rows, "", &options).unwrap()), 1.0);
    let options = plain().roles(vec![(PlanRole::Exit, "unknown".into())]);
    assert!(map(&rows, "", &options).is_err());
}

#[test]
fn maps_without_free_cells_are_refused() {
    let error = map(&["##", "??"], "", &PlanOptions::default()).unwrap_err();
    assert!(
        error.to_string().starts_with("the map has no free cell: 0 free, 2 occupied, 2 unknown"),
        "{error}"
    );
}

#[test]
fn maps_of_specks_only_are_refused() {
    let error = map(&["...."], "", &plain().scale(1e-6)).unwrap_err();
    assert!(error.to_string().starts_with("every free piece is smaller than 0.25 m²"), "{error}");
}

/// Random maps: simplified outlines never cross, keep their number, and stay within the tolerance.
#[test]
fn simplified_outlines_stay_apart_and_near() {
    let mut state = 7_u64;
    let mut random = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        state >> 40
    };
    for round in 0..60 {
        let (width, height) = (6 + round % 17, 5 + round % 11);
        let mut grid = Grid::new(width);
        (0..width * height).for_each(|_| grid.push(random() % 100 < 70));
        let mut draft = Draft::new();
        draw_outlines(&mut grid, &mut draft).unwrap();
        let rings: Vec<Ring> = draft.finish().rings;
        for tolerance in [0.5, 1.0, 2.5] {
            let simple = simplified(rings.clone(), tolerance);
            assert_eq!(simple.len(), rings.len());
            check_near(&rings, &simple, tolerance);
            check_apart(&simple, &rings);
        }
    }
}

/// Every old corner lies within the tolerance of its new ring.
fn check_near(old: &[Ring], new: &[Ring], tolerance: f64) {
    for (old, new) in old.iter().zip(new) {
        for p in old {
            let edges = new.iter().zip(new.iter().cycle().skip(1));
            let nearest = edges.map(|(a, b)| distance(*p, *a, *b)).fold(f64::INFINITY, f64::min);
            assert!(nearest <= tolerance + 1e-9, "{nearest} > {tolerance}");
        }
    }
}

/// No two edges cross, and edges touch only at corners that were touched before.
fn check_apart(rings: &[Ring], old: &[Ring]) {
    let orient =
        |a: [f64; 2], b: [f64; 2], c: [f64; 2]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let edges: Vec<[[f64; 2]; 2]> = rings
        .iter()
        .flat_map(|ring| ring.iter().zip(ring.iter().cycle().skip(1)).map(|(a, b)| [*a, *b]))
        .collect();
    for (k, [a, b]) in edges.iter().enumerate() {
        for [c, d] in &edges[k + 1..] {
            let crosses = orient(*a, *b, *c) * orient(*a, *b, *d) < 0.0
                && orient(*c, *d, *a) * orient(*c, *d, *b) < 0.0;
            assert!(!crosses, "{a:?} {b:?} {c:?} {d:?} of {old:?}");
        }
    }
}

fn distance(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let along = [b[0] - a[0], b[1] - a[1]];
    let length = along[0] * along[0] + along[1] * along[1];
    let t = (((p[0] - a[0]) * along[0] + (p[1] - a[1]) * along[1]) / length).clamp(0.0, 1.0);
    (a[0] + t * along[0] - p[0]).hypot(a[1] + t * along[1] - p[1])
}
