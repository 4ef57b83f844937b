//! Kerbs: corners of streets, bevelled blocks in rooms, and what is dropped by default.

use crate::generated::scene_of;

use clearway::mesh::ComponentId;
use clearway::{MeshOptions, NavMesh, Scene, WalkRules, WalkableSurface};
use clearway_compare::{ColumnSampler, Columns};
use clearway_scenes::{KnownScene, Soup, StreetOptions, street_corner};

fn built(scene: &Scene, rules: &WalkRules) -> (WalkableSurface, NavMesh) {
    let surface = WalkableSurface::extract(scene, rules).unwrap();
    let mesh = MeshOptions::default().build(&surface).unwrap();
    assert_eq!(mesh.check(), Vec::new());
    (surface, mesh)
}

fn component_at(mesh: &NavMesh, place: [f64; 3]) -> Option<ComponentId> {
    let at = mesh.locate(place).ok()?;
    let is_here = (mesh.height(at) - place[1]).abs() < 0.1;
    mesh.cell(at.cell()).filter(|_| is_here).map(|cell| cell.component())
}

/// Road and pavement are one piece, the shed is another, and the planter is dropped as an island.
fn judge(number: u64, known: &KnownScene) {
    let scene = scene_of(&known.soup);
    let rules = WalkRules::default();
    let (surface, mesh) = built(&scene, &rules);
    assert_eq!(mesh.component_count(), 2, "corner {number}: {:?}", surface.report().components);
    let [street, shed, planter] = &known.truth.components[..] else { panic!("corner {number}") };
    let here = component_at(&mesh, street.places[0]);
    assert!(here.is_some() && street.places.iter().all(|place| component_at(&mesh, *place) == here));
    let inside = component_at(&mesh, shed.places[0]);
    assert!(inside.is_some() && inside != here, "corner {number}: the shed leaks");
    let dropped = &surface.report().dropped[0];
    assert_eq!((dropped.kind, dropped.count), ("island", 1), "corner {number}");
    assert!((dropped.area - planter.area).abs() < 1e-3);
    let area = street.area + shed.area;
    assert!((mesh.area() - area).abs() < known.truth.tolerance + 1e-3, "corner {number}: {}", mesh.area());
    let columns = Columns::sample(&ColumnSampler::new(&scene, &rules), 0.2, number).unwrap();
    let coverage = columns.coverage(0.25, |_| true, |x, z| mesh.heights_at(x, z));
    assert!(coverage.recall >= 0.995 && coverage.precision >= 0.995, "corner {number}: {coverage:?}");
}

#[test]
fn thirty_street_corners_are_right_with_default_rules() {
    (0..30).for_each(|number| judge(number, &street_corner(StreetOptions::drawn(number))));
}

/// The kerb of the first report: it stands on a floor that runs on beneath it.
#[test]
fn a_kerb_on_a_floor_that_runs_on_is_stepped_over() {
    let mut soup = Soup::new();
    soup.part("", "").floor([0.0, 0.0], [10.0, 6.0], 0.0);
    soup.face(&[[5.0, 0.0, 0.0], [5.0, 0.0, 6.0], [5.1, 0.2, 6.0], [5.1, 0.2, 0.0]]);
    soup.floor([5.1, 0.0], [10.0, 6.0], 0.2);
    let (_, mesh) = built(&scene_of(&soup), &WalkRules::default());
    assert_eq!((mesh.component_count(), mesh.area()), (1, 60.0));
}

/// A block with bevels all around, in the middle of a room.
fn block(rise: f64, bevel: f64, top: f64) -> Scene {
    let mut soup = Soup::new();
    soup.part("", "").floor([0.0, 0.0], [10.0, 10.0], 0.0);
    let square = |half: f64, y: f64| {
        [[-half, -half], [-half, half], [half, half], [half, -half]].map(|[x, z]| [5.0 + x, y, 5.0 + z])
    };
    let (low, high) = (square(top + bevel, 0.0), square(top, rise));
    for side in 0..4 {
        let next = (side + 1) % 4;
        soup.face(&[low[side], low[next], high[next], high[side]]);
    }
    if top > 0.0 {
        soup.face(&high);
    }
    scene_of(&soup)
}

#[test]
fn bevelled_blocks_are_what_their_tops_say() {
    for (rise, bevel) in [(0.2, 0.01), (0.39, 0.1), (0.3, 0.3), (0.15, 0.05)] {
        let (_, mesh) = built(&block(rise, bevel, 1.0), &WalkRules::default());
        assert_eq!(mesh.component_count(), 1, "{rise} m high, {bevel} m wide");
        assert_eq!(component_at(&mesh, [5.0, rise, 5.0]), component_at(&mesh, [1.0, 0.0, 1.0]));
        assert!((mesh.area() - 100.0).abs() < 0.01, "{}", mesh.area());
    }
    // Higher than a step it is an obstacle: the top is an island.
    let (surface, mesh) = built(&block(0.5, 0.1, 1.0), &WalkRules::default());
    assert_eq!((mesh.component_count(), surface.report().dropped[0].kind), (1, "island"));
    assert!(component_at(&mesh, [5.0, 0.5, 5.0]).is_none());
    let (_, mesh) = built(&block(0.5, 0.1, 1.0), &WalkRules::default().islands(false));
    assert_eq!(mesh.component_count(), 2);
    // Without a top it leads nowhere, however low.
    let (_, mesh) = built(&block(0.3, 0.2, 0.0), &WalkRules::default());
    assert!((mesh.area() - (100.0 - 0.16)).abs() < 0.01, "{}", mesh.area());
}

/// What must not vanish: slabs beside each other, a gallery under which one can stand, a platform that ways lead to, the
/// floor of a shut room.
#[test]
fn small_pieces_that_are_no_furniture_stay() {
    let count = |soup: &Soup, rules: WalkRules| built(&scene_of(soup), &rules).1.component_count();
    let mut slabs = Soup::new();
    slabs.part("", "").floor([0.0, 0.0], [10.0, 10.0], 0.0);
    slabs.floor([12.0, 0.0], [13.0, 1.0], 0.0);
    slabs.floor([14.0, 0.0], [15.0, 1.0], 3.0);
    assert_eq!(count(&slabs, WalkRules::default()), 3, "slabs that stand on their own");
    let mut gallery = Soup::new();
    gallery.part("", "").floor([0.0, 0.0], [10.0, 10.0], 0.0);
    gallery.cuboid([2.0, 2.5, 2.0], [4.0, 2.6, 4.0]);
    assert_eq!(count(&gallery, WalkRules::default()), 2, "a gallery");
    let mut table = Soup::new();
    table.part("", "").floor([0.0, 0.0], [10.0, 10.0], 0.0);
    table.cuboid([2.0, 0.7, 2.0], [4.0, 0.75, 3.0]);
    assert_eq!(count(&table, WalkRules::default()), 1, "a table");
    assert_eq!(count(&table, WalkRules::default().islands(false)), 2, "a table that is kept");
    let way = [[1.0, 0.0, 1.0], [3.0, 0.75, 2.5]];
    assert_eq!(count(&table, WalkRules::default().ways(vec![way])), 2, "a table with a way up");
    let mut room = Soup::new();
    room.part("", "").floor([0.0, 0.0], [10.0, 10.0], 0.0);
    for [from, to] in [[[0.0, 1.2], [1.2, 1.2]], [[1.2, 1.2], [1.2, 0.0]]] {
        room.panel(from, to, 0.0, 2.5);
    }
    assert_eq!(count(&room, WalkRules::default()), 2, "a shut room");
}

/// The inside of a closed box is dropped, unless nothing else is there.
#[test]
fn insides_are_dropped_by_default() {
    let mut soup = Soup::new();
    soup.part("", "").floor([0.0, 0.0], [10.0, 10.0], 0.0);
    soup.cuboid([2.0, -0.1, 2.0], [6.0, 3.0, 6.0]);
    let area = |rules: WalkRules| built(&scene_of(&soup), &rules).1.area();
    assert!((area(WalkRules::default()) - 100.0).abs() < 1e-3, "the floor around, and the roof");
    assert!((area(WalkRules::default().inside(false)) - 116.0).abs() < 1e-3);
}
