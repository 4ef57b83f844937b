use super::*;
use crate::predicates::orient;

fn ring(points: &[(i32, i32)], role: Role) -> Chain {
    Chain { points: points.iter().map(|(x, y)| Point::new(*x, *y)).collect(), role }
}

fn square(x: i32, y: i32, side: i32, role: Role) -> Chain {
    ring(&[(x, y), (x + side, y), (x + side, y + side), (x, y + side)], role)
}

/// Twice the walkable area, after checking the triangulation.
fn doubled_free_area(floor: &Floor) -> i64 {
    assert_eq!(floor.triangulation.flaws(), Vec::<String>::new());
    let corner = |e: u32| floor.triangulation.point(floor.triangulation.edges().origin(e));
    let triangles = floor.triangulation.edges().triangle_count();
    (0..triangles)
        .filter(|t| floor.free[*t as usize])
        .map(|t| orient(corner(3 * t), corner(3 * t + 1), corner(3 * t + 2)))
        .sum()
}

fn area(chains: &[Chain]) -> i64 {
    doubled_free_area(&arrange(chains).unwrap()) / 2
}

#[test]
fn nesting_alternates_between_walkable_and_solid() {
    let rings = [(0, 100), (10, 80), (20, 60), (30, 40)].map(|(at, side)| square(at, at, side, Role::Nested));
    assert_eq!(area(&rings[..1]), 10_000);
    assert_eq!(area(&rings[..2]), 10_000 - 6_400);
    assert_eq!(area(&rings[..3]), 10_000 - 6_400 + 3_600);
    assert_eq!(area(&rings), 10_000 - 6_400 + 3_600 - 1_600);
}

#[test]
fn overlapping_rings_are_united() {
    assert_eq!(area(&[square(0, 0, 10, Role::Nested), square(5, 5, 10, Role::Nested)]), 175);
    let in_outline = [
        square(0, 0, 100, Role::Outline(0)),
        square(10, 10, 10, Role::Hole(0)),
        square(15, 15, 10, Role::Hole(0)),
    ];
    assert_eq!(area(&in_outline), 10_000 - 175);
}

#[test]
fn duplicates_change_nothing() {
    let mut reversed = square(0, 0, 10, Role::Nested);
    reversed.points.reverse();
    assert_eq!(area(&[square(0, 0, 10, Role::Nested), reversed, square(0, 0, 10, Role::Nested)]), 100);
}

#[test]
fn holes_that_touch_the_outline_are_cut_out() {
    assert_eq!(area(&[square(0, 0, 10, Role::Nested), square(0, 3, 4, Role::Nested)]), 84);
    assert_eq!(area(&[square(0, 0, 10, Role::Outline(0)), square(0, 3, 4, Role::Hole(0))]), 84);
}

#[test]
fn an_island_in_a_hole_is_walkable() {
    let chains = [
        square(0, 0, 100, Role::Outline(0)),
        square(10, 10, 50, Role::Hole(0)),
        square(20, 20, 10, Role::Outline(1)),
    ];
    assert_eq!(area(&chains), 10_000 - 2_500 + 100);
}

#[test]
fn a_bow_tie_keeps_both_lobes() {
    let floor = arrange(&[ring(&[(0, 0), (10, 10), (10, 0), (0, 10)], Role::Nested)]).unwrap();
    assert_eq!(doubled_free_area(&floor), 100);
    assert_eq!(floor.repairs.crossings.count, 1);
}

#[test]
fn spikes_and_walls_outside_are_dissolved() {
    let spiked = ring(&[(0, 0), (10, 0), (10, 10), (20, 20), (10, 10), (0, 10)], Role::Nested);
    let outside = ring(&[(-5, 3), (-1, 3)], Role::Wall);
    let floor = arrange(&[spiked, outside]).unwrap();
    assert_eq!(doubled_free_area(&floor), 200);
    assert_eq!(floor.repairs.dissolved.count, 2);
    assert_eq!(floor.triangulation.vertices().len(), 4, "vertices left over are gone");
}

#[test]
fn thin_walls_stay() {
    let floor = arrange(&[square(0, 0, 10, Role::Nested), ring(&[(5, 2), (5, 8)], Role::Wall)]).unwrap();
    assert_eq!(doubled_free_area(&floor), 200);
    let walls =
        (0..floor.triangulation.edges().len()).filter(|e| floor.triangulation.edges().mark(*e) == WALL);
    assert_eq!(walls.count(), 10);
}

#[test]
fn random_tangles_agree_with_winding_numbers() {
    let mut state = 99u64;
    let mut number = |below: i32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as i32 % below
    };
    for size in [4, 8, 30, 1000, 1 << 20, 1 << 27] {
        for _ in 0..40 {
            let chains: Vec<Chain> = (0..3)
                .map(|p| {
                    let points = (0..3 + number(6)).map(|_| Point::new(number(size), number(size))).collect();
                    Chain { points, role: if number(3) == 0 { Role::Wall } else { Role::Outline(p) } }
                })
                .collect();
            let floor = arrange(&chains).unwrap();
            doubled_free_area(&floor);
            check_by_sampling(&chains, &floor, size);
        }
    }
}

/// Found by fuzzing: rounded differently, two copies of a wall zigzagged across each other for millions of steps.
#[test]
fn a_wall_drawn_twice_across_others_is_arranged_quickly() {
    let walls = [
        [(4194300, 3145725), (7340025, -8388600)],
        [(7340025, 2097150), (-4194300, 7340025)],
        [(-5242875, -4194300), (2097150, 5242875)],
        [(-2097150, 6291450), (4194300, 5242875)],
        [(1048575, 4194300), (6291450, -3145725)],
        [(4194300, 3145725), (7340025, -8388600)],
        // The first wall again, but only half of it.
        [(4194300, 3145725), (5767162, -2621437)],
    ];
    let mut chains: Vec<Chain> = walls.iter().map(|wall| ring(wall, Role::Wall)).collect();
    chains.push(square(-10_000_000, -10_000_000, 20_000_000, Role::Nested));
    let floor = arrange(&chains).unwrap();
    doubled_free_area(&floor);
    assert!(floor.triangulation.points().len() < 60, "{} vertices", floor.triangulation.points().len());
}

/// Compares triangle centres, unless a drawn segment passes within two units of them.
fn check_by_sampling(chains: &[Chain], floor: &Floor, size: i32) {
    if size < 1000 {
        return;
    }
    let edges = floor.triangulation.edges();
    for t in 0..edges.triangle_count() {
        let corners = [0, 1, 2].map(|i| floor.triangulation.point(edges.origin(3 * t + i)));
        let centre = Point::new(
            corners.iter().map(|c| c.x / 3).sum::<i32>(),
            corners.iter().map(|c| c.y / 3).sum::<i32>(),
        );
        let inside: Vec<Option<bool>> =
            chains.iter().filter(|c| c.role != Role::Wall).map(|c| winds_around(c, centre)).collect();
        if inside.iter().any(Option::is_none) {
            continue;
        }
        assert_eq!(floor.free[t as usize], inside.contains(&Some(true)), "{chains:?} at {centre:?}");
    }
}

/// Whether a ring winds around a point; `None` when a segment is too near to tell after snapping.
fn winds_around(chain: &Chain, point: Point) -> Option<bool> {
    let mut winding = 0;
    for (i, j) in chain.segments() {
        let (a, b) = (chain.points[i], chain.points[j]);
        let side = orient(a, b, point);
        if (side as f64).abs() <= 4.0 * a.distance(b) + 4.0 {
            return None;
        }
        if (a.y <= point.y) != (b.y <= point.y) && (side > 0) == (b.y > a.y) {
            winding += if b.y > a.y { 1 } else { -1 };
        }
    }
    Some(winding != 0)
}
