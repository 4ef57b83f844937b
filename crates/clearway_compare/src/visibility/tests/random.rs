//! Laws of paths on random plans: triangles, boxes and thin walls on a small grid, which touch, overlap and line up
//! more often than not, and the same plans turned so that nothing lines up exactly.

use super::*;

/// A small generator of numbers (splitmix64).
pub(super) struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: u32) -> f64 {
        (self.next() % u64::from(limit)) as f64
    }
}

/// A room of 16 by 12 with shapes in it, turned by an angle.
pub(super) fn room(numbers: &mut Numbers, angle: f64) -> String {
    let turned = |x: f64, y: f64| {
        let (sin, cos) = angle.sin_cos();
        format!("{} {}", x * cos - y * sin, x * sin + y * cos)
    };
    let ring = |points: &[[f64; 2]]| {
        let all: Vec<String> = points.iter().chain(points.first()).map(|[x, y]| turned(*x, *y)).collect();
        all.join(", ")
    };
    let mut holes = vec![format!("({})", ring(&[[0.0, 0.0], [16.0, 0.0], [16.0, 12.0], [0.0, 12.0]]))];
    let mut walls = Vec::new();
    for _ in 0..3 + numbers.next() % 8 {
        let [x, y] = [numbers.below(15), numbers.below(11)];
        let [dx, dy] = [1.0 + numbers.below(3), 1.0 + numbers.below(3)];
        match numbers.next() % 4 {
            0 => walls.push(format!("({}, {})", turned(x, y), turned(x + dx, y + dy))),
            1 => walls.push(format!("({}, {}, {})", turned(x, y), turned(x + dx, y), turned(x + dx, y + dy))),
            2 => holes.push(format!("({})", ring(&[[x, y], [x + dx, y], [x + dx, y + dy], [x, y + dy]]))),
            _ => holes.push(format!("({})", ring(&[[x, y], [x + dx, y + 1.0], [x, y + dy + 1.0]]))),
        }
    }
    let lines =
        if walls.is_empty() { String::new() } else { format!(", MULTILINESTRING ({})", walls.join(", ")) };
    format!("GEOMETRYCOLLECTION (POLYGON ({}){lines})", holes.join(", "))
}

/// A few questions on one plan, with growing radii: each path lawful, no shorter than for a smaller body, and the
/// same by the planner, by brute force, and backwards.
fn check(seed: u64, angle: f64) {
    let mut numbers = Numbers(seed);
    let plan = room(&mut numbers, angle);
    let mesh = mesh(&plan);
    let planner = VisibilityPlanner::new(&mesh).unwrap();
    let radii = [0.0, 0.25, 0.5, 0.7, 1.0, 1.25];
    let graphs = radii.map(|radius| TangentGraph::at(&mesh, radius).unwrap());
    for (radius, graph) in radii.iter().zip(&graphs) {
        compare_tangents(&mesh, &planner, graph, *radius);
    }
    for _ in 0..6 {
        let mut place = || {
            let [x, y] = [numbers.below(33) / 2.0, numbers.below(25) / 2.0];
            let (sin, cos) = angle.sin_cos();
            mesh.locate([x * cos - y * sin, x * sin + y * cos]).ok()
        };
        let (Some(start), Some(goal)) = (place(), place()) else { continue };
        let mut last = 0.0;
        for (radius, graph) in radii.iter().zip(&graphs) {
            let what = format!("seed {seed}: {plan} {start:?} to {goal:?} at {radius}");
            let found = planner.find_path(&mesh, start, goal, *radius);
            let others = [
                planner.find_path(&mesh, goal, start, *radius).ok(),
                graph.find_path(&mesh, start, goal),
                graph.find_path(&mesh, goal, start),
            ];
            let length = found.as_ref().map_or(f64::INFINITY, |path| path.length);
            for other in others {
                let other = other.map_or(f64::INFINITY, |path| path.length);
                assert!(
                    other == length || (other - length).abs() <= 1e-9 * length,
                    "{what}: {length}, {other}"
                );
            }
            assert!(
                length >= last * (1.0 - 1e-9),
                "{what}: {length} after {last} {found:?} {:?}",
                planner.find_path(&mesh, start, goal, 0.0)
            );
            if let Ok(path) = &found {
                assert_eq!(verify(&mesh, path), Ok(()), "{what}");
            }
            if *radius == 0.0 {
                assert_eq!(
                    found.is_ok(),
                    mesh.parts().cell_component[start.cell().index()]
                        == mesh.parts().cell_component[goal.cell().index()],
                    "{what}: {found:?}"
                );
            }
            last = length;
        }
    }
}

#[test]
fn on_the_grid() {
    (0..COUNT).for_each(|seed| check(seed, 0.0));
}

#[test]
fn turned() {
    (0..COUNT).for_each(|seed| check(seed, 0.3));
}

const COUNT: u64 = 100;
