//! Any order of insertion gives the same network of Voronoi vertices and edges, in worlds full of ties.
#![allow(clippy::unwrap_used, clippy::panic)]

use clearway_geometry::Point;
use clearway_scenes::Random;
use clearway_skeleton::{Diagram, Network, Shape};

/// A node or an edge by the coordinates of its sites, the edge with its nodes.
type Names = (Vec<Vec<[i64; 4]>>, Vec<([u32; 2], [i64; 2])>);

/// The ends of sites on the grid: nothing that an order of edits could tell.
fn names(diagram: &Diagram, network: &Network) -> Names {
    let ends = |site| {
        let [a, b] = diagram.site_ends(site).unwrap().map(|at| [at.x as i64, at.y as i64]);
        let [p, q] = [a.min(b), a.max(b)];
        [p[0], p[1], q[0], q[1]]
    };
    let nodes =
        network.nodes.iter().map(|node| node.sites.iter().map(|&site| ends(site)).collect()).collect();
    let length = |edge: &clearway_skeleton::NetworkEdge| {
        let found = diagram.edge(edge.edge).unwrap();
        [found.length(), edge.width].map(|value| (value * 1e3).round() as i64)
    };
    (nodes, network.edges.iter().map(|edge| (edge.ends, length(edge))).collect())
}

fn same_network(one: &Diagram, other: &Diagram, what: &str) {
    let (a, b) = (one.network(), other.network());
    let ((nodes, edges), (others, rest)) = (names(one, &a), names(other, &b));
    assert_eq!(nodes, others, "{what}: nodes");
    assert_eq!(edges.len(), rest.len(), "{what}: edges");
    for (p, q) in edges.iter().zip(&rest) {
        assert!(p.0 == q.0 && (0..2).all(|i| (p.1[i] - q.1[i]).abs() <= 1), "{what}: {p:?} {q:?}");
    }
    for (p, q) in a.nodes.iter().zip(&b.nodes) {
        assert!(p.at.distance(q.at) < 1e-6 && (p.radius - q.radius).abs() < 1e-6, "{what}: {p:?} {q:?}");
    }
}

fn put(size: i32, shapes: &[Shape]) -> Diagram {
    let mut diagram = Diagram::new(Point::new(0, 0), Point::new(size, size)).unwrap();
    shapes.iter().for_each(|shape| _ = diagram.insert(shape).unwrap());
    diagram
}

fn shuffle(shapes: &mut [Shape], random: &mut Random) {
    (1..shapes.len()).rev().for_each(|i| shapes.swap(i, random.below(i + 1)));
}

/// Blocks of a city: four corners on one circle at each crossing.
fn city(side: i32) -> Vec<Shape> {
    let block = |k: i32| {
        let (x, y) = (k / side * 200 + 50, k % side * 200 + 50);
        let corners = [(0, 0), (150, 0), (150, 150), (0, 150)];
        Shape::Polygon(corners.map(|(a, b)| Point::new(x + a, y + b)).to_vec())
    };
    (0..side * side).map(block).collect()
}

/// Regular rings of points and short walls on a coarse grid: masses of discs with many sites.
fn coarse(random: &mut Random) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = Vec::new();
    for column in 1..7 {
        for row in 1..7 {
            let at = Point::new(column * 120, row * 120);
            shapes.extend(match random.below(4) {
                0 => Some(Shape::Point(at)),
                1 => Some(Shape::Segment([at, Point::new(at.x + 40, at.y)])),
                2 => Some(Shape::Segment([at, Point::new(at.x + 40, at.y + 40)])),
                _ => None,
            });
        }
    }
    shapes.push(Shape::Point(Point::new(100, 100)));
    shapes
}

#[test]
fn any_order_of_insertion_gives_one_network() {
    let mut random = Random::new(7);
    for round in 0..60 {
        let mut shapes = if round % 4 == 0 { city(5) } else { coarse(&mut random) };
        let first = put(1_100, &shapes);
        for _ in 0..4 {
            shuffle(&mut shapes, &mut random);
            same_network(&first, &put(1_100, &shapes), &format!("round {round}"));
        }
        let (built, _) = Diagram::build(Point::new(0, 0), Point::new(1_100, 1_100), &shapes).unwrap();
        same_network(&first, &built, &format!("round {round}, built at once"));
    }
}

#[test]
fn removals_lead_back_to_one_network() {
    let mut random = Random::new(11);
    for round in 0..30 {
        let mut shapes = if round % 3 == 0 { city(4) } else { coarse(&mut random) };
        shuffle(&mut shapes, &mut random);
        let half = shapes.len() / 2;
        let mut diagram = Diagram::new(Point::new(0, 0), Point::new(1_100, 1_100)).unwrap();
        let mut ids: Vec<_> = shapes.iter().map(|shape| diagram.insert(shape).unwrap()).collect();
        while ids.len() > half {
            diagram.remove(ids.pop().unwrap()).unwrap();
        }
        same_network(&put(1_100, &shapes[..half]), &diagram, &format!("round {round}"));
    }
}

/// Shapes that cross the lines along which a large world is cut, touch them, and meet each other there.
fn crossing(side: i32, random: &mut Random) -> Vec<Shape> {
    let mut shapes = city(side);
    let reach = side * 200;
    shapes.retain(|_| random.below(8) > 0);
    for i in 0..side / 8 {
        let y = i * 1_600 + 40;
        shapes.push(Shape::Segment([Point::new(0, y), Point::new(reach, y + 5)]));
        let at = Point::new(random.below(reach as usize) as i32, y + 9);
        shapes.push(Shape::Segment([at, Point::new(at.x + 900, y + 420)]));
        shapes.push(Shape::Point(Point::new(reach / 2, y + 7)));
        shapes.push(Shape::Segment([Point::new(0, y - 30), Point::new(reach, y - 30)]));
        // On a wall, which is in before the point where the point lies in a slab.
        shapes.push(Shape::Point(Point::new(random.below(reach as usize) as i32, y - 30)));
    }
    shapes
}

/// A world that is built in parts has the network of one that was built shape by shape.
#[test]
fn parts_fit_together() {
    let mut random = Random::new(13);
    let mut holey = city(96);
    holey.retain(|_| random.below(3) > 0);
    // Wide empty ground in the middle: discs across the line are as large.
    let mut hollow = city(96);
    hollow.retain(|shape| {
        let Shape::Polygon(ring) = shape else { return true };
        (ring[0].x - 9_600).abs() > 4_000 || (ring[0].y - 9_600).abs() > 7_000
    });
    for (what, shapes) in
        [("city", city(96)), ("holes", holey), ("hollow", hollow), ("crossing", crossing(96, &mut random))]
    {
        let max = Point::new(19_300, 19_300);
        let (built, ids) = Diagram::build(Point::new(0, 0), max, &shapes).unwrap();
        let audit = built.audit();
        assert!(audit.is_clean(), "{what}: {audit:?}");
        for (id, shape) in ids.iter().zip(&shapes) {
            assert_eq!(built.drawn(*id).as_ref(), Some(shape), "{what}");
        }
        same_network(&put(19_300, &shapes), &built, what);
    }
}

/// Any number of threads gives the same vertices in the same order.
#[test]
fn threads_do_not_matter() {
    // Large enough for four parts.
    let shapes = city(130);
    let build = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let max = Point::new(26_100, 26_100);
        let (built, _) = pool.install(|| Diagram::build(Point::new(0, 0), max, &shapes)).unwrap();
        (built.vertices().collect::<Vec<_>>(), built.counters())
    };
    let one = build(1);
    assert!([2, 3, 8].into_iter().all(|threads| build(threads) == one));
}

/// A city has one node for each crossing, and no edge of no length.
#[test]
fn a_crossing_is_one_node() {
    let diagram = put(1_100, &city(5));
    let network = diagram.network();
    let is_crossing = |at: &&clearway_skeleton::NetworkNode| at.sites.len() >= 4 && at.radius < 40.0;
    assert_eq!(network.nodes.iter().filter(is_crossing).count(), 16);
    let lengths = network.edges.iter().map(|edge| diagram.edge(edge.edge).unwrap().length());
    assert!(lengths.into_iter().all(|length| length > 1e-6));
}
