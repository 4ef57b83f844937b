//! Scenes as they come out of modelling tools: leaning risers, tiles that nearly meet, floors in strips.

use crate::generated::keeping_all;
use clearway::{MeshOptions, NavMesh, Scene, WalkRules, WalkableSurface};

type Triangle = [[f64; 3]; 3];

/// The mesh of triangles that each have corners of their own.
fn mesh(triangles: &[Triangle]) -> NavMesh {
    let mesh = built(triangles, &keeping_all().min_area(0.01));
    assert_eq!(mesh.check(), Vec::new());
    mesh
}

fn built(triangles: &[Triangle], rules: &WalkRules) -> NavMesh {
    let numbers = (0..triangles.len() as u32).map(|number| [0, 1, 2].map(|i| 3 * number + i)).collect();
    let part_of = vec![0; triangles.len()];
    let scene = Scene::from_triangles(triangles.concat(), numbers, part_of, [("all", "")]).unwrap();
    MeshOptions::default().build(&WalkableSurface::extract(&scene, rules).unwrap()).unwrap()
}

fn quad([a, b, c, d]: [[f64; 3]; 4]) -> [Triangle; 2] {
    [[a, b, c], [a, c, d]]
}

/// Numbers from -1 to 1, the same every time.
struct Numbers(u32);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(self.0 >> 8) / f64::from(1 << 23) - 1.0
    }
}

/// Their inner ends are narrower than gaps that are bridged: corners go to the nearest others first.
#[test]
fn spiral_stairs_with_leaning_risers_stay_whole() {
    for (count, inner, lean) in [(12, 0.05, 0.005), (36, 0.15, 0.005), (36, 0.15, 0.01)] {
        let turn = std::f64::consts::TAU / f64::from(count);
        let at = |radius: f64, angle: f64, y: f64| [radius * angle.cos(), y, -radius * angle.sin()];
        let mut stairs = Vec::new();
        for i in 0..12.min(count) {
            let (y, from, to) = (0.2 * f64::from(i), turn * f64::from(i), turn * f64::from(i + 1));
            let front = from + if i == 0 { 0.0 } else { lean / 1.4 };
            stairs.extend(quad([at(inner, front, y), at(1.4, front, y), at(1.4, to, y), at(inner, to, y)]));
            if i > 0 {
                let foot = [at(1.4, from, y - 0.2), at(inner, from, y - 0.2)];
                stairs.extend(quad([at(inner, front, y), foot[1], foot[0], at(1.4, front, y)]));
            }
        }
        assert_eq!(mesh(&stairs).component_count(), 1, "{count} treads from {inner} m, leaning {lean} m");
    }
}

/// However finely a ridge is drawn, it is as wide as it is.
#[test]
fn ridges_of_narrow_strips_are_not_stepped_over() {
    let floor = quad([[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 4.0], [4.0, 0.0, 0.0]]);
    for strips in [1, 4, 16, 40] {
        let mut scene = floor.to_vec();
        let share = |i: i32| f64::from(i) / f64::from(strips);
        for side in [-1.0, 1.0] {
            for i in 0..strips {
                let [foot, top] = [i, i + 1].map(|i| (2.0 + 0.3 * side * (1.0 - share(i)), 0.38 * share(i)));
                let strip = quad([
                    [0.0, foot.1, foot.0],
                    [4.0, foot.1, foot.0],
                    [4.0, top.1, top.0],
                    [0.0, top.1, top.0],
                ]);
                scene.extend(strip.map(|[a, b, c]| if side > 0.0 { [a, b, c] } else { [a, c, b] }));
            }
        }
        let mesh = mesh(&scene);
        assert_eq!(mesh.component_count(), 2, "{strips} strips");
        assert!((mesh.area() - 13.6).abs() < 0.01, "{strips} strips: {}", mesh.area());
    }
}

/// Where four corners nearly meet, a hole of a few millimetres would keep every body its radius away.
#[test]
fn corners_of_tiles_that_nearly_meet_leave_no_holes() {
    for seed in 0..12 {
        let mut numbers = Numbers(seed);
        let mut tiles = Vec::new();
        for (x, z) in (0..6).flat_map(|x| (0..6).map(move |z| (f64::from(x), f64::from(z)))) {
            let corners = [[x, z], [x, z + 1.0], [x + 1.0, z + 1.0], [x + 1.0, z]];
            tiles.extend(quad(corners.map(|at| {
                let [x, z] = at.map(|c| 0.6 * c + 0.001 * numbers.next());
                [x, 0.0, z]
            })));
        }
        let mesh = mesh(&tiles);
        assert_eq!(mesh.component_count(), 1);
        // A body that nearly fills the floor gets around.
        let [from, to] = [[0.3, 0.0, 0.3], [3.3, 0.0, 3.3]].map(|at| mesh.locate(at).unwrap());
        assert!(
            mesh.widest_radius(from, to).unwrap() > 0.28,
            "seed {seed}: {:?}",
            mesh.widest_radius(from, to)
        );
    }
}

/// How long all walls of a mesh are together.
fn length_of_walls(mesh: &NavMesh) -> f64 {
    let distance = |[a, b]: [[f64; 2]; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
    let mut length = 0.0;
    for cell in mesh.cells() {
        let sides = cell.outline().zip(cell.outline().cycle().skip(1)).zip(cell.sides());
        let walls = sides.filter(|(_, side)| side.portal.is_none());
        length += walls.map(|((a, b), _)| distance([a, b])).sum::<f64>();
    }
    length
}

/// Tiles in rows and in a bond, every corner off by up to a centimetre, up and down as well: half of such floors had a wall
/// along a whole side somewhere.
#[test]
fn tiles_that_are_off_leave_no_walls_between_them() {
    for seed in 0..60u32 {
        let mut numbers = Numbers(seed);
        let (size, off) = (0.5, [0.002, 0.004, 0.006, 0.01][seed as usize % 4]);
        let bond = [0.0, 0.25, 0.15][seed as usize % 3];
        let (sin, cos) = f64::from(seed).sin_cos();
        let (columns, rows) = (5, 4);
        let mut tiles = Vec::new();
        for (i, j) in (0..columns).flat_map(|i| (0..rows).map(move |j| (i, j))) {
            let (u, v) = (size * f64::from(i) + bond * f64::from(j % 2), size * f64::from(j));
            let corners = [[u, v], [u, v + size], [u + size, v + size], [u + size, v]];
            tiles.extend(quad(corners.map(|[u, v]| {
                let at = [u * cos - v * sin, 0.0, u * sin + v * cos];
                at.map(|c| c + off * numbers.next())
            })));
        }
        let mesh = mesh(&tiles);
        let around = 2.0 * size * f64::from(columns + rows) + 2.0 * bond * f64::from(rows - 1);
        let walls = length_of_walls(&mesh);
        assert_eq!(mesh.component_count(), 1, "seed {seed}");
        assert!((walls - around).abs() < 0.01 * around + 30.0 * off, "seed {seed}: {walls} is not {around}");
        let ground: f64 =
            mesh.cells().map(|cell| mesh.height_range(cell.id()).unwrap()[1]).fold(0.0, f64::max);
        assert!(ground <= off + 1e-3, "seed {seed}: tiles lie {ground} m high");
    }
}

/// A wall stands in the gap between two floors and is longer than one of them; another where corners of rugs nearly meet; a
/// third below tiles of the storey above. Floors must not reach through, and walls stay where they are.
#[test]
fn floors_laid_together_do_not_pass_walls() {
    let rules = keeping_all().min_area(0.05);
    let level = |[u, v]: [f64; 2], [w, d]: [f64; 2], y: f64| {
        quad([[u, y, v], [u, y, v + d], [u + w, y, v + d], [u + w, y, v]])
    };
    let wall =
        |[u, v]: [f64; 2], [p, q]: [f64; 2]| quad([[u, 0.0, v], [p, 0.0, q], [p, 2.5, q], [u, 2.5, v]]);
    let in_gap = [level([-2.0, 0.0], [2.0, 4.0], 0.0), level([0.02, 1.0], [1.98, 1.0], 0.0)];
    let in_gap = [&in_gap.concat()[..], &wall([0.01, 0.7], [0.01, 2.3])].concat();
    assert_eq!(parts(&in_gap, &rules), 2, "a wall in a gap");
    for y in [0.01, 3.0] {
        let slab = level([-2.0, 0.0], [4.0, 2.0], 0.0);
        let tiles = [level([-1.0, 0.0], [1.0, 1.0], y), level([0.02, 1.01], [1.0, 0.9], y)];
        let walls = [wall([0.0, 0.0], [0.0, 1.0]), wall([0.0, 1.0], [0.0, 2.0])];
        let scene = [&slab[..], &tiles.concat(), &walls.concat()].concat();
        let mesh = built(&scene, &rules);
        let [left, right] = [[-1.5, 0.0, 1.5], [1.5, 0.0, 0.5]].map(|at| mesh.locate(at).unwrap());
        assert_eq!(mesh.widest_radius(left, right), None, "tiles at {y} m");
    }
}

/// Floors of needles turn over where corners move: which groups stay must not depend on the order of triangles.
#[test]
fn floors_laid_together_are_the_same_in_any_order() {
    for seed in 0..40 {
        let mut numbers = Numbers(seed);
        let mut floors = Vec::new();
        for (x, z) in (0..4).flat_map(|x| (0..3).map(move |z| (f64::from(x), f64::from(z)))) {
            let corners = [[x, z], [x, z + 1.0], [x + 1.0, z + 1.0], [x + 1.0, z]];
            let mut off = |c: f64| 0.4 * c + 0.006 * numbers.next();
            let corners = corners.map(|[x, z]| [off(x), 0.0, off(z)]);
            floors.extend(quad(corners));
            let tip = [corners[0], corners[1], corners[2]].map(|[x, _, z]| [x + off(0.0), 0.0, z]);
            floors.push([tip[0], tip[1], [tip[0][0] + 0.012, 0.0, tip[0][2] + 0.2]]);
        }
        let bytes = built(&floors, &keeping_all()).encode();
        for turn in [1, 5, 11] {
            floors.rotate_left(turn);
            floors.reverse();
            assert!(built(&floors, &keeping_all()).encode() == bytes, "seed {seed}");
        }
    }
}

/// What lies on a floor near its corner or its edge is no tile of it, and stays where it is.
#[test]
fn rugs_near_the_corner_of_a_floor_stay_where_they_are() {
    let level = |[u, v]: [f64; 2], [w, d]: [f64; 2], y: f64| {
        quad([[u, y, v], [u, y, v + d], [u + w, y, v + d], [u + w, y, v]])
    };
    for off in [0.004, 0.012, 0.025] {
        let mut room = level([0.0, 0.0], [4.0, 3.0], 0.0).to_vec();
        room.extend(level([off, off], [1.0, 0.7], 0.02));
        room.extend(level([2.0, off], [0.8, 0.7], 0.015));
        let mesh = mesh(&room);
        assert!((mesh.area() - 12.0).abs() < 1e-3, "{off} m: {}", mesh.area());
        let height = |x: f64, z: f64| mesh.height(mesh.locate([x, 0.0, z]).unwrap());
        let inside = [height(off + 0.001, off + 0.001), height(2.001, off + 0.001)];
        let beside = [height(off - 0.002, 0.3), height(2.3, off - 0.002)];
        assert!(inside.iter().zip([0.02, 0.015]).all(|(is, was)| (is - was).abs() < 1e-3), "{inside:?}");
        assert!(beside.iter().all(|is| is.abs() < 1e-3), "{beside:?}");
    }
}

/// Their ends along the border of the floor are closer together than gaps that are bridged, and stay where they are.
#[test]
fn floors_in_narrow_strips_are_as_they_were() {
    let (sin, cos) = 0.12f64.sin_cos();
    let at = |u: f64, v: f64| [u * cos - v * sin, 0.0, u * sin + v * cos];
    for width in [0.003, 0.006, 0.012, 0.02] {
        let count = (3.0 / width) as i32;
        let strip = |i: i32| {
            let [from, to] = [i, i + 1].map(|i| width * f64::from(i));
            quad([at(from, 0.0), at(from, 3.6), at(to, 3.6), at(to, 0.0)])
        };
        let mesh = mesh(&(0..count).flat_map(strip).collect::<Vec<_>>());
        let whole = 3.6 * width * f64::from(count);
        assert_eq!(mesh.component_count(), 1);
        assert!((mesh.area() - whole).abs() < 0.006, "strips of {width} m: {} is not {whole}", mesh.area());
    }
}

/// Stairs with risers, turned and shaken by millimetres: where welding takes the foot of a riser for the back of the tread
/// below, the riser leans, and still keeps no treads apart.
#[test]
fn shaken_stairs_with_risers_stay_whole() {
    let rules = keeping_all().min_area(0.05);
    for seed in 0..60u32 {
        let (sin, cos) = (0.1 * f64::from(seed)).sin_cos();
        let overlap = [0.0, 0.002, 0.003, 0.004][seed as usize % 4];
        let shake = [0.0009, 0.004][seed as usize / 4 % 2];
        let mut state = seed;
        let mut shaken = |c: f64| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            c + shake * (f64::from(state >> 8) / f64::from(1 << 23) - 1.0)
        };
        let mut quad = |[from, to]: [[f64; 2]; 2]| {
            let ends = [(from, 0.0), (from, 1.3), (to, 1.3), (to, 0.0)];
            let [a, b, c, d] = ends
                .map(|([u, y], v)| [u * cos - v * sin + 7.0, y, u * sin + v * cos - 4.0].map(&mut shaken));
            [[a, b, c], [a, c, d]]
        };
        let mut whole = Vec::new();
        for i in 0..8 {
            let (front, top) = (0.3 * f64::from(i) - overlap, 0.17 * f64::from(i));
            whole.extend(quad([[front, top], [front + overlap + 0.3, top]]));
            whole.extend(quad([[front, top - 0.17], [front, top]]));
        }
        assert_eq!(parts(&whole, &rules), 1, "seed {seed}");
    }
}

/// A wall as wide as the floor that it stands on, both turned and written with three decimals: between its ends and the
/// edges of the floor a tenth of a millimetre is left, and nobody walks around it.
#[test]
fn walls_flush_with_a_turned_floor_part_it() {
    for turn in 0..60 {
        let (sin, cos) = (0.1 * f64::from(turn) + 0.03).sin_cos();
        let thickness = f64::from(turn % 4) * 0.05;
        let at = |u: f64, v: f64, y: f64| {
            [u * cos - v * sin + 3.7, y, u * sin + v * cos - 11.3].map(|c| (1e3 * c).round() / 1e3)
        };
        let quad = |[a, b, c, d]: [[f64; 3]; 4]| [[a, b, c], [a, c, d]];
        let upright = |from: [f64; 2], to: [f64; 2]| {
            let [a, b] = [from, to].map(|[u, v]| at(u, v, -0.1));
            let [c, d] = [to, from].map(|[u, v]| at(u, v, 2.5));
            quad([a, b, c, d])
        };
        let mut whole =
            quad([at(0.0, 0.0, 0.0), at(0.0, 4.2, 0.0), at(6.1, 4.2, 0.0), at(6.1, 0.0, 0.0)]).to_vec();
        // In two pieces that need not meet exactly.
        for [from, to] in [[0.0, 1.7], [1.7, 4.2]] {
            let corners = [[3.0, from], [3.0 + thickness, from], [3.0 + thickness, to], [3.0, to]];
            (0..4).for_each(|i| whole.extend(upright(corners[i], corners[(i + 1) % 4])));
        }
        // Walls are hollow.
        let rules = keeping_all().min_area(1.0);
        assert_eq!(parts(&whole, &rules), 2, "turned by {turn}");
    }
}

/// In how many pieces one can walk on triangles.
fn parts(triangles: &[Triangle], rules: &WalkRules) -> usize {
    built(triangles, rules).component_count()
}

/// A box without its underside, from one corner to the opposite one.
fn block([x0, y0, z0]: [f64; 3], [x1, y1, z1]: [f64; 3]) -> Vec<Triangle> {
    let [a, b, c, d] = [[x0, y0, z0], [x0, y0, z1], [x1, y0, z1], [x1, y0, z0]];
    let up = |[x, _, z]: [f64; 3]| [x, y1, z];
    let sides = [(a, b), (b, c), (c, d), (d, a)].map(|(p, q)| quad([p, q, up(q), up(p)]));
    [sides.concat(), quad([up(a), up(b), up(c), up(d)]).to_vec()].concat()
}

/// Turned about the upright axis, and rounded to so many decimals.
fn turned(triangles: &[Triangle], angle: f64, decimals: i32) -> Vec<Triangle> {
    let (sin, cos) = angle.sin_cos();
    let rounded = |c: f64| (c * 10f64.powi(decimals)).round() / 10f64.powi(decimals);
    let corner = |[x, y, z]: [f64; 3]| [cos * x - sin * z, y, sin * x + cos * z].map(rounded);
    triangles.iter().map(|triangle| triangle.map(corner)).collect()
}

/// A column is smaller than the smallest piece that is kept: its inside stayed joined to the floor by cracks of a tenth of a
/// millimetre.
#[test]
fn insides_of_columns_do_not_leak() {
    let mut numbers = Numbers(7);
    for turn in 0..60 {
        let side = 0.25 + 0.1 * (1.0 + numbers.next());
        let floor = quad([[0.0, 0.0, 0.0], [0.0, 0.0, 6.0], [6.0, 0.0, 6.0], [6.0, 0.0, 0.0]]);
        let [x, z] = [3.0 + numbers.next(), 3.0 + numbers.next()];
        let column = block([x, 0.0, z], [x + side, 2.5, z + side]);
        let scene = turned(&[floor.to_vec(), column].concat(), 0.1 * f64::from(turn), 9);
        let mesh = built(&scene, &keeping_all());
        assert_eq!(mesh.check(), Vec::new());
        let truth = 36.0 - side * side;
        assert!((mesh.area() - truth).abs() < 0.01, "turn {turn}: {} instead of {truth}", mesh.area());
    }
}

/// Open treads between two stringers that rise above them, rounded to millimetres. What was flattened folded its neighbours,
/// and a mesh with cells over a full turn came out.
#[test]
fn treads_between_stringers_obey_the_laws() {
    let mut numbers = Numbers(11);
    let mut apart = 0;
    for turn in 0..120 {
        let (run, rise, width) =
            (0.28 + 0.04 * numbers.next(), 0.18 + 0.02 * numbers.next(), 1.0 + 0.2 * numbers.next());
        let (count, slab) = (8, 0.04);
        let mut all = quad([[-3.0, 0.0, -2.0], [-3.0, 0.0, 3.0], [0.0, 0.0, 3.0], [0.0, 0.0, -2.0]]).to_vec();
        for tread in 0..count {
            let (x, y) = (run * f64::from(tread), rise * f64::from(tread + 1));
            all.extend(block([x, y - slab, 0.0], [x + run, y, width]));
        }
        let (end, top) = (run * f64::from(count), rise * f64::from(count));
        all.extend(quad([[end, top, -1.0], [end, top, 3.0], [end + 2.0, top, 3.0], [end + 2.0, top, -1.0]]));
        for z in [-0.04, width] {
            let side = [[0.0, 0.0, z], [end, top, z], [end, top + 0.25, z], [0.0, 0.25, z]];
            let other = side.map(|[x, y, z]| [x, y, z + 0.04]);
            all.extend([quad(side), quad([other[3], other[2], other[1], other[0]])].concat());
            all.extend(quad([side[3], other[3], other[2], side[2]]));
        }
        let scene = turned(&all, 0.0523 * f64::from(turn), 3);
        let mesh = built(&scene, &keeping_all());
        assert_eq!(mesh.check(), Vec::new(), "turn {turn}");
        let (sin, cos) = (0.0523 * f64::from(turn)).sin_cos();
        let place = |x: f64, y: f64| [cos * x - sin * 0.5 * width, y, sin * x + cos * 0.5 * width];
        let [low, high] = [place(-1.0, 0.0), place(end + 1.0, top)].map(|place| mesh.locate(place).unwrap());
        let widest = mesh.widest_radius(low, high).unwrap_or(0.0);
        apart += usize::from((widest - 0.5 * width).abs() > 0.05);
    }
    assert!(apart <= 3, "{apart} of 120 stairs are not as wide as they are");
}
