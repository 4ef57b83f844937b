//! Edits of a world in tiles: they stand in the world whichever tiles are loaded.

use crate::worlds::{all, hall, mesh_of_plan, mesh_of_soup, tiled, worlds};
use clearway_live::{Anchor, DoorId, Edit, LiveMesh, Named, Obstacle, Shape};
use clearway_nav::links::SnapRules;
use clearway_nav::{Link, LinkKind, NavMesh, PathQuery};
use clearway_scenes::{BuildingOptions, Family, Random, building};
use clearway_tiles::{NoWay, OpenSeam, Tile, TileId, TiledMesh, divide};
use std::collections::BTreeMap;

fn obstacle(shape: Shape) -> Obstacle {
    Obstacle { shape, anchor: Anchor::default() }
}

fn block(centre: [f64; 2], size: [f64; 2]) -> Obstacle {
    obstacle(Shape::Box { centre, size, turn: 0.0 })
}

fn named(name: &str, edit: Edit) -> Edit {
    Edit::Named(name.to_string(), Box::new(edit))
}

fn area(tiles: &TiledMesh) -> f64 {
    tiles.mesh().unwrap().area()
}

/// A hall of 90 m in nine tiles of 30 m.
fn nine() -> TiledMesh {
    tiled(&hall(90.0), 30.0)
}

const LEFT: TileId = TileId { x: 0, y: 0 };
const MIDDLE: TileId = TileId { x: 1, y: 0 };

#[test]
fn an_obstacle_comes_back_with_its_tile() {
    let mut tiles = nine();
    tiles.load(LEFT).unwrap();
    tiles.load(MIDDLE).unwrap();
    // It covers parts of two tiles.
    let id = tiles.apply(&Edit::Add(block([30.0, 15.0], [4.0, 10.0]))).unwrap().obstacles[0];
    assert_eq!(area(&tiles), 1760.0);
    let bytes = tiles.mesh().unwrap().encode();
    tiles.unload(MIDDLE);
    assert_eq!(area(&tiles), 880.0);
    tiles.unload(LEFT);
    assert_eq!(area(&tiles), 0.0);
    tiles.load(MIDDLE).unwrap();
    assert_eq!(area(&tiles), 880.0);
    tiles.load(LEFT).unwrap();
    assert!(tiles.mesh().unwrap().encode() == bytes, "other bytes");
    // The handle is the same as before.
    tiles.unload(LEFT);
    tiles.apply(&Edit::Move(id, block([45.0, 15.0], [2.0, 2.0]))).unwrap();
    assert_eq!(area(&tiles), 896.0);
    tiles.apply(&Edit::Remove(id)).unwrap();
    assert_eq!(area(&tiles), 900.0);
    let error = tiles.apply(&Edit::Remove(id)).unwrap_err().to_string();
    assert!(error.contains("there is no obstacle"), "{error}");
    tiles.load_all().unwrap();
    assert!(tiles.mesh().unwrap().encode() == hall(90.0).encode());
}

#[test]
fn edits_on_ground_that_is_not_loaded_count() {
    let mut tiles = nine();
    let id = tiles.apply(&Edit::Add(block([45.0, 45.0], [2.0, 2.0]))).unwrap().obstacles[0];
    assert!(!tiles.standing().unwrap().unwrap().is_here(id));
    tiles.load(TileId { x: 1, y: 1 }).unwrap();
    assert_eq!(area(&tiles), 896.0);
    assert!(tiles.standing().unwrap().unwrap().is_here(id));
    // Ground of no tile, and shapes that make no sense, are refused whatever is loaded.
    for (shape, words) in [
        (block([-50.0, 10.0], [2.0, 2.0]), "touches no ground"),
        (block([1e9, 10.0], [2.0, 2.0]), "outside the grid"),
        (block([45.0, 15.0], [0.0, 2.0]), "make no sense"),
    ] {
        let error = tiles.apply(&Edit::Add(shape)).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    // A batch is made as a whole or not at all.
    let batch = vec![Edit::Add(block([10.0, 10.0], [2.0, 2.0])), Edit::Add(block([-50.0, 0.0], [1.0, 1.0]))];
    assert!(tiles.apply(&Edit::Batch(batch)).is_err());
    tiles.load_all().unwrap();
    assert_eq!(area(&tiles), 8096.0);
    assert!(tiles.mesh().unwrap().check().is_empty());
}

#[test]
fn open_seams_stay_known_where_edits_cut_them() {
    let mut tiles = nine();
    tiles.load(LEFT).unwrap();
    let length = |tiles: &TiledMesh| {
        let seams = tiles.open_seams().unwrap();
        let mesh = tiles.mesh().unwrap();
        let mut sum = 0.0;
        for seam in &seams {
            let [a, b] = seam.ends;
            assert!(seam.tile == MIDDLE || seam.tile == TileId { x: 0, y: 1 });
            assert!(mesh.cell(seam.cell).is_some());
            sum += (a[0] - b[0]).hypot(a[1] - b[1]);
        }
        sum
    };
    assert_eq!(length(&tiles), 60.0);
    // A block over the seam leaves two pieces of it.
    let id = tiles.apply(&Edit::Add(block([30.0, 15.0], [4.0, 10.0]))).unwrap().obstacles[0];
    assert_eq!(length(&tiles), 50.0);
    // A block over the corner where both seams meet, and one that stands beside a seam.
    tiles.apply(&Edit::Add(block([30.0, 30.0], [2.0, 2.0]))).unwrap();
    assert_eq!(length(&tiles), 48.0);
    tiles.apply(&Edit::Add(block([29.0, 3.0], [2.0, 2.0]))).unwrap();
    assert_eq!(length(&tiles), 46.0);
    let body = SnapRules::default().radius(0.3);
    let answer = tiles.find_way([10.0, 10.0], [20.0, 25.0], &body).unwrap();
    assert!(answer.shorter.is_none());
    tiles.apply(&Edit::Remove(id)).unwrap();
    assert_eq!(length(&tiles), 56.0);
    // The seam is walled up from inside: no way leads out.
    tiles.apply(&Edit::Clear).unwrap();
    assert_eq!(length(&tiles), 60.0);
}

#[test]
fn answers_name_tiles_of_the_edited_world() {
    let mut tiles = nine();
    tiles.load(LEFT).unwrap();
    tiles.load(MIDDLE).unwrap();
    // A wall between the two loaded tiles: the way leads through those above.
    let wall = Edit::Add(obstacle(Shape::Segment([[30.0, -1.0], [30.0, 31.0]])));
    let wall = tiles.apply(&wall).unwrap().obstacles[0];
    let body = SnapRules::default().radius(0.3);
    let ask = |tiles: &TiledMesh| tiles.find_way([10.0, 10.0], [50.0, 10.0], &body);
    let through = |answer: &Result<clearway_tiles::Way, NoWay>| match answer {
        Err(NoWay::Unloaded { tiles }) => tiles.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(through(&ask(&tiles)), [TileId { x: 0, y: 1 }, TileId { x: 1, y: 1 }]);
    // A room around the start: then there is no way, whatever is loaded.
    let ring = [[8.0, 8.0], [12.0, 8.0], [12.0, 12.0], [8.0, 12.0], [8.0, 8.0]];
    let walls = ring.windows(2).map(|ends| Edit::Add(obstacle(Shape::Segment([ends[0], ends[1]]))));
    let room = tiles.apply(&Edit::Batch(walls.collect())).unwrap();
    assert!(matches!(ask(&tiles), Err(NoWay::NoPath(_))));
    tiles.undo(&room).unwrap();
    let mut whole = nine();
    whole.load_all().unwrap();
    whole.apply(&Edit::Add(obstacle(Shape::Segment([[30.0, -1.0], [30.0, 31.0]])))).unwrap();
    let length = ask(&whole).unwrap().path.length;
    let way = tiles.load_way([10.0, 10.0], [50.0, 10.0], &body).unwrap();
    assert!((way.path.length - length).abs() < 1e-6, "{} {length}", way.path.length);
    tiles.apply(&Edit::Remove(wall)).unwrap();
    assert_eq!(ask(&tiles).unwrap().path.length, 40.0);
}

#[test]
fn edits_are_taken_back_whichever_tiles_came() {
    let mut tiles = nine();
    tiles.load(LEFT).unwrap();
    let first = tiles.apply(&named("a", Edit::Add(block([10.0, 10.0], [2.0, 2.0])))).unwrap();
    let before = tiles.mesh().unwrap().encode();
    let second = tiles.apply(&named("b", Edit::Add(block([20.0, 20.0], [2.0, 2.0])))).unwrap();
    tiles.undo(&second).unwrap();
    assert!(tiles.mesh().unwrap().encode() == before);
    let moved = tiles.apply(&Edit::Move(first.obstacles[0], block([40.0, 10.0], [2.0, 2.0]))).unwrap();
    tiles.load(MIDDLE).unwrap();
    assert_eq!(area(&tiles), 1796.0);
    let error = tiles.undo(&first).unwrap_err().to_string();
    assert!(error.contains("must be taken back first"), "{error}");
    tiles.undo(&moved).unwrap();
    tiles.unload(MIDDLE);
    assert!(tiles.mesh().unwrap().encode() == before);
    tiles.undo(&first).unwrap();
    assert_eq!(area(&tiles), 900.0);
    assert!(tiles.standing().unwrap().unwrap().named("a").is_none());
}

#[test]
fn doors_areas_and_links_stand_in_the_world() {
    let mut tiles = nine();
    tiles.load(LEFT).unwrap();
    let wall = |from: [f64; 2], to: [f64; 2]| Edit::Add(obstacle(Shape::Segment([from, to])));
    let door = Edit::AddDoor([[15.0, 10.0], [15.0, 14.0]], Anchor::default());
    let edits = vec![wall([15.0, -1.0], [15.0, 10.0]), wall([15.0, 14.0], [15.0, 31.0]), named("gate", door)];
    tiles.apply(&Edit::Batch(edits)).unwrap();
    let Some(Named::Door(gate)) = tiles.standing().unwrap().unwrap().named("gate") else { panic!() };
    let body = SnapRules::default();
    let ask = |tiles: &TiledMesh| tiles.find_way([5.0, 12.0], [25.0, 12.0], &body);
    assert_eq!(ask(&tiles).unwrap().path.length, 20.0);
    // The door closes while its tile is away.
    tiles.unload(LEFT);
    tiles.apply(&Edit::Door(gate, false)).unwrap();
    let mud = tiles.area_class("mud").unwrap();
    tiles.apply(&Edit::Area(block([30.0, 20.0], [4.0, 4.0]), mud)).unwrap();
    tiles.load(LEFT).unwrap();
    assert_eq!(tiles.standing().unwrap().unwrap().is_open(gate), Some(false));
    assert!(matches!(ask(&tiles), Err(NoWay::Unloaded { .. })));
    let muddy = |tiles: &TiledMesh| {
        let mesh = tiles.mesh().unwrap();
        let is_mud = |cell: &clearway_nav::mesh::Cell<'_>| cell.area_class() == mud;
        mesh.cells().filter(is_mud).map(|cell| cell.area()).sum::<f64>()
    };
    assert_eq!(muddy(&tiles), 8.0);
    tiles.load(MIDDLE).unwrap();
    assert_eq!(muddy(&tiles), 16.0);
    // A link to a tile that is not loaded.
    let link = Link::new("lift", LinkKind::Lift, [5.0, 0.0, -5.0], [80.0, 0.0, -80.0]);
    tiles.apply(&Edit::AddLink(link)).unwrap();
    assert!(!tiles.mesh().unwrap().links().any(|link| link.name == "lift"));
    let far = TileId { x: 2, y: 2 };
    tiles.load(far).unwrap();
    let way = tiles.find_way([6.0, 5.0], [81.0, 80.0], &body.clone().links(clearway_nav::path::LinkUse::All));
    assert_eq!(way.unwrap().path.legs().len(), 3);
    tiles.apply(&Edit::RemoveLink("lift".to_string())).unwrap();
    assert_eq!(tiles.mesh().unwrap().links().count(), 0);
    let error = tiles.apply(&Edit::RemoveLink("lift".to_string())).unwrap_err().to_string();
    assert!(error.contains("there is no link"), "{error}");
}

/// A random place of the world, and the height of its floor.
fn any_place(whole: &NavMesh, random: &mut Random) -> ([f64; 2], Anchor) {
    let at = whole.random_point(random.below(1 << 30) as u64).unwrap();
    let height = whole.has_heights().then(|| whole.height(at));
    (at.position(), Anchor { height })
}

/// Makes one random edit. Returns false if it was refused; then it changes nothing.
fn edit(tiles: &mut TiledMesh, whole: &NavMesh, size: f64, random: &mut Random, number: usize) -> bool {
    let (centre, anchor) = any_place(whole, random);
    let size = 0.3 * size;
    let extent = [random.range(0.1 * size, size), random.range(0.1 * size, size)];
    let end = [centre[0] + extent[0], centre[1] - extent[1]];
    let shape = match random.below(4) {
        0 => Shape::Segment([centre, end]),
        1 => Shape::Disc { centre, radius: 0.5 * extent[0], sides: 9 },
        2 => Shape::Polygon(vec![centre, end, [centre[0] + extent[0], centre[1] + extent[1]]]),
        _ => Shape::Box { centre, size: extent, turn: random.range(0.0, 3.0) },
    };
    let thing = Obstacle { shape, anchor };
    let (mut names, mut doors): (Vec<Named>, Vec<DoorId>) = Default::default();
    if let Some(live) = tiles.standing().unwrap() {
        names = live.all_named().map(|(_, named)| named).collect();
        doors = live.doors().map(|(door, _)| door).collect();
    }
    let one = names.get(random.below(names.len().max(1))).copied();
    let door = doors.get(random.below(doors.len().max(1))).copied();
    let change = match (random.below(10), one, door) {
        (0 | 1, Some(Named::Obstacle(id)), _) => Edit::Remove(id),
        (2, Some(Named::Obstacle(id)), _) => Edit::Move(id, thing),
        (3, ..) => named(&format!("door {number}"), Edit::AddDoor([centre, end], anchor)),
        (4, _, Some(door)) => Edit::Door(door, random.chance(0.4)),
        (5, ..) => Edit::Area(thing, tiles.area_class(["mud", "ice"][random.below(2)]).unwrap()),
        (6, ..) => {
            let ends = [any_place(whole, random), (centre, anchor)]
                .map(|([x, y], anchor)| [x, anchor.height.unwrap_or(0.0), -y]);
            Edit::AddLink(Link::new(format!("link {number}"), LinkKind::Jump, ends[0], ends[1]))
        }
        _ => named(&format!("crate {number}"), Edit::Add(thing)),
    };
    tiles.apply(&change).is_ok()
}

/// Equal tiles and equal things give equal bytes: random edits, loads and unloads against the same world made anew from
/// what was stored, with the same tiles loaded in reverse order.
#[test]
fn equal_tiles_and_equal_things_give_equal_bytes() {
    let (mut compared, mut made, mut left_out) = (0, 0, 0);
    for (seed, (name, mesh, size)) in (0u64..).zip(worlds()) {
        let mut random = Random::new(seed);
        let mut tiles = tiled(&mesh, size);
        let names = all(&tiles);
        for round in 0..3 {
            for number in 0..12 {
                if random.chance(0.4) {
                    let tile = names[random.below(names.len())];
                    if !tiles.unload(tile) {
                        tiles.load(tile).unwrap();
                    }
                }
                made += usize::from(edit(&mut tiles, &mesh, size, &mut random, 100 * round + number));
            }
            let name = format!("{name}, round {round}");
            if round == 1 && tiles.standing().unwrap().is_some() {
                tiles.edit(|live| Ok(live.tidy())).unwrap();
            }
            check_laws(&name, &tiles);
            let before = open_lengths(&tiles);
            tiles.settle();
            check_laws(&name, &tiles);
            for (tile, length) in open_lengths(&tiles) {
                let off = (before.get(&tile).copied().unwrap_or(0.0) - length).abs();
                assert!(off < 1e-3 * (1.0 + length), "{name}: seams towards {tile} are {off} m off");
            }
            let Some(text) = tiles.edits_text().unwrap() else { continue };
            let mut again = tiled(&mesh, size);
            again.read_edits(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(again.edits_text().unwrap().unwrap(), text, "{name}");
            let loaded: Vec<TileId> = tiles.loaded().collect();
            loaded.iter().rev().for_each(|tile| assert!(again.load(*tile).unwrap()));
            assert!(
                again.mesh().unwrap().encode() == tiles.mesh().unwrap().encode(),
                "{name}: the order of edits and loads changes the bytes"
            );
            assert_eq!(again.open_seams().unwrap(), tiles.open_seams().unwrap(), "{name}");
            left_out += tiles.standing().unwrap().map_or(0, |live| live.left_out().count());
            compared += 1;
        }
    }
    println!("{made} edits made, {left_out} left out in {compared} worlds");
    assert!(compared > 100 && made > 1000, "{compared} {made}");
}

/// The length of open seams towards each tile.
fn open_lengths(tiles: &TiledMesh) -> BTreeMap<TileId, f64> {
    let mut lengths = BTreeMap::new();
    for OpenSeam { cell, ends: [a, b], tile } in tiles.open_seams().unwrap() {
        assert!(!tiles.is_loaded(tile) && tiles.mesh().unwrap().cell(cell).is_some());
        *lengths.entry(tile).or_insert(0.0) += (a[0] - b[0]).hypot(a[1] - b[1]);
    }
    lengths
}

fn check_laws(name: &str, tiles: &TiledMesh) {
    let mesh = tiles.mesh().unwrap_or_else(|error| panic!("{name}: {error}"));
    let flaws: Vec<String> = mesh.check().iter().map(ToString::to_string).collect();
    assert!(flaws.is_empty(), "{name}: {flaws:#?}");
    let live = tiles.standing().unwrap();
    assert_eq!(live.and_then(LiveMesh::fabric_fault), None, "{name}");
}

/// Where the way lies inside the loaded set, it is that of the whole world with the same edits.
#[test]
fn ways_are_those_of_the_whole_edited_world() {
    let mut compared = 0;
    for (seed, (name, mesh, size)) in (100u64..).zip(worlds()) {
        if mesh.has_heights() {
            continue;
        }
        let mut random = Random::new(seed);
        let mut tiles = tiled(&mesh, size);
        tiles.load_all().unwrap();
        for number in 0..10 {
            edit(&mut tiles, &mesh, size, &mut random, number);
        }
        let Some(text) = tiles.edits_text().unwrap() else { continue };
        tiles.settle();
        let whole = tiles.mesh().unwrap();
        let mut part = tiled(&mesh, size);
        part.read_edits(&text).unwrap();
        let names = all(&part);
        let missing = names[names.len() / 2];
        names.iter().filter(|tile| **tile != missing).for_each(|tile| assert!(part.load(*tile).unwrap()));
        let here = part.mesh().unwrap();
        let ends: Vec<_> = here.random_points(7).take(8).collect();
        for pair in ends.windows(2) {
            let places = [pair[0], pair[1]].map(|end| here.place(end));
            let [Ok(from), Ok(to)] = places.map(|place| whole.locate(place)) else { continue };
            for radius in [0.0, 0.2] {
                let wanted = whole.find_path(&PathQuery::new(from, to).radius(radius));
                match (part.find_path(&PathQuery::new(pair[0], pair[1]).radius(radius)), wanted) {
                    (Ok(way), Ok(wanted)) => {
                        // Where obstacles cross a seam, the crossing is rounded to the grid.
                        let (longer, slack) = (way.path.length - wanted.length, 1e-3 * (1.0 + wanted.length));
                        assert!(longer > -slack, "{name}: shorter by {longer}");
                        assert!(way.shorter.is_some() || longer < slack, "{name}: longer by {longer}");
                        compared += usize::from(way.shorter.is_none());
                    }
                    (Err(NoWay::Unloaded { tiles }), _) => assert_eq!(tiles, [missing], "{name}"),
                    (Err(NoWay::NoPath(reason)), Ok(_)) => panic!("{name}: {reason}, but there is a way"),
                    _ => {}
                }
            }
        }
    }
    assert!(compared > 60, "{compared}");
}

#[test]
fn scenes_need_the_height_of_a_floor() {
    let mesh = mesh_of_soup(&building(BuildingOptions::default(), 1).soup);
    let mut tiles = tiled(&mesh, 7.0);
    let at = mesh.random_point(3).unwrap();
    let thing = |height: Option<f64>| Obstacle {
        shape: Shape::Box { centre: at.position(), size: [0.4, 0.4], turn: 0.0 },
        anchor: Anchor { height },
    };
    // The same whether the tile is loaded or not.
    for is_loaded in [false, true] {
        if is_loaded {
            tiles.load_all().unwrap();
        }
        let error = tiles.apply(&Edit::Add(thing(None))).unwrap_err().to_string();
        assert!(error.contains("the height of its floor"), "{error}");
        assert!(tiles.apply(&Edit::Add(thing(Some(f64::NAN)))).is_err());
        tiles.apply(&Edit::Add(thing(Some(mesh.height(at))))).unwrap();
    }
}

/// A wall along the line between two tiles takes no ground on either side. It stands between them once both are loaded.
#[test]
fn a_wall_on_the_line_between_tiles_parts_them() {
    let mut tiles = nine();
    tiles.load(LEFT).unwrap();
    tiles.apply(&Edit::Add(obstacle(Shape::Segment([[30.0, 0.0], [30.0, 30.0]])))).unwrap();
    assert_eq!(area(&tiles), 900.0);
    tiles.load(MIDDLE).unwrap();
    assert_eq!((area(&tiles), tiles.mesh().unwrap().component_count()), (1800.0, 2));
    // So does one that came while neither was loaded.
    let mut later = nine();
    later.apply(&Edit::Add(obstacle(Shape::Segment([[30.0, 0.0], [30.0, 30.0]])))).unwrap();
    later.load(MIDDLE).unwrap();
    later.load(LEFT).unwrap();
    assert!(later.mesh().unwrap().encode() == tiles.mesh().unwrap().encode());
}

/// A link of the world that was not known yet has the name of one that edits brought: that one is left out, and told of.
#[test]
fn links_of_one_name_are_told_of() {
    let mut mesh = hall(90.0);
    let links = [Link::new("lift", LinkKind::Lift, [5.0, 0.0, -5.0], [10.0, 0.0, -10.0])];
    mesh.add_links(&links, 0.5).unwrap();
    let mut tiles = tiled(&mesh, 30.0);
    let own = Link::new("lift", LinkKind::Lift, [40.0, 0.0, -5.0], [50.0, 0.0, -10.0]);
    let added = tiles.apply(&Edit::AddLink(own)).unwrap();
    tiles.load(MIDDLE).unwrap();
    assert_eq!(tiles.mesh().unwrap().links().count(), 1);
    tiles.load(LEFT).unwrap();
    let mesh = tiles.mesh().unwrap();
    assert_eq!(mesh.links().map(|link| link.from[0]).collect::<Vec<f64>>(), [5.0]);
    let told = |tiles: &TiledMesh| {
        tiles.standing().unwrap().unwrap().left_out().map(|thing| thing.what.clone()).collect::<Vec<String>>()
    };
    assert_eq!(told(&tiles).len(), 1);
    assert!(told(&tiles)[0].contains("lift"), "{:?}", told(&tiles));
    // Taken back, whatever was loaded meanwhile.
    tiles.undo(&added).unwrap();
    assert_eq!((told(&tiles).len(), tiles.edit_count()), (0, 0));
    // A link of the world goes, and comes back by undoing.
    let taken = tiles.apply(&Edit::RemoveLink("lift".to_string())).unwrap();
    tiles.unload(LEFT);
    tiles.load(LEFT).unwrap();
    assert_eq!((tiles.mesh().unwrap().links().count(), tiles.edit_count()), (0, 1));
    tiles.undo(&taken).unwrap();
    assert_eq!(tiles.mesh().unwrap().links().count(), 1);
}

/// What `docs/limits.md` says: the far part of an obstacle on a slope is missed while the tile of its middle is away.
#[test]
fn a_slope_hides_the_far_part_of_an_obstacle() {
    let mut soup = clearway_scenes::Soup::new();
    soup.vertices = [[0.0, 0.0, 0.0], [40.0, 20.0, 0.0], [40.0, 20.0, -4.0], [0.0, 0.0, -4.0]].into();
    soup.triangles = vec![[0, 1, 2], [0, 2, 3]];
    (soup.part_of, soup.parts) = (vec![0, 0], vec![("ramp".to_string(), String::new())]);
    let mut tiles = tiled(&mesh_of_soup(&soup), 10.0);
    let thing = |height: f64| Obstacle {
        shape: Shape::Box { centre: [18.0, 2.0], size: [8.0, 2.0], turn: 0.0 },
        anchor: Anchor { height: Some(height) },
    };
    let [middle, far] = [1, 2].map(|x| TileId { x, y: 0 });
    tiles.load(far).unwrap();
    let whole = area(&tiles);
    tiles.apply(&Edit::Add(thing(9.0))).unwrap();
    assert_eq!(area(&tiles), whole, "if this has become right, docs/limits.md may say so");
    tiles.load(middle).unwrap();
    assert!((area(&tiles) - (2.0 * whole - 16.0)).abs() < 1e-2, "{}", area(&tiles));
}

#[test]
fn damaged_edits_are_refused() {
    let mut tiles = nine();
    tiles.apply(&named("crate", Edit::Add(block([10.0, 10.0], [2.0, 2.0])))).unwrap();
    tiles.apply(&Edit::AddDoor([[20.0, 10.0], [20.0, 12.0]], Anchor::default())).unwrap();
    let text = tiles.edits_text().unwrap().unwrap();
    let mut refused = |from: &str, to: &str, words: &str| {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        let error = tiles.read_edits(&changed).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
        assert!(tiles.edits_text().unwrap().unwrap() == text, "something changed");
    };
    refused("clearway edits", "clearway tiles", "a list of `clearway tiles`");
    refused("\"version\": 1", "\"version\": 2", "version 2");
    refused("\"obstacle\"", "\"monster\"", "unknown variant");
    refused("\"obstacle\"", "\"open_door\"", "a door must be a segment");
    refused("\"crate\"", "\"cr\\u0007ate\"", "control characters");
    refused("10.0", "1e300", "outside the grid");
    refused("10.0", "1e999", "is not a list of edits");
    refused("2.0", "-2.0", "make no sense");
    refused("\"name\"", "\"nane\"", "unknown field");
    refused("things", "links", "is not a list of edits");
    // Any cut and any changed byte gives an error or another list, and never a panic.
    for place in 0..text.len() {
        let _ = tiled(&hall(90.0), 30.0).read_edits(&text[..place]);
    }
    let mut memory = nine();
    assert!(memory.save_edits().unwrap_err().to_string().contains("not in a folder"));
    memory.read_edits(&text).unwrap();
    assert_eq!(memory.edits_text().unwrap().unwrap(), text);
}

/// A tile of another world is refused. What stands survives that.
#[test]
fn edits_survive_tiles_that_do_not_fit() {
    let other = mesh_of_plan(Family::ALL[1].draw(500, 3));
    let [mut tiles, others] =
        [mesh_of_plan(Family::ALL[1].draw(400, 3)), other].map(|mesh| divide(&mesh, 30.0).unwrap());
    let same = |tile: &Tile| {
        let fits = |there: &&Tile| there.id() == tile.id() && there.neighbours() == tile.neighbours();
        others.iter().find(fits).cloned()
    };
    let place = tiles.iter().rposition(|tile| same(tile).is_some()).unwrap();
    tiles[place] = same(&tiles[place]).unwrap();
    let foreign = tiles[place].id();
    let mut world = TiledMesh::of_tiles(30.0, tiles).unwrap();
    let good = all(&world)[0];
    assert_ne!(good, foreign);
    world.load(good).unwrap();
    let place = world.mesh().unwrap().random_point(1).unwrap().position();
    let id = world.apply(&Edit::Add(block(place, [0.1, 0.1]))).unwrap().obstacles[0];
    let bytes = world.mesh().unwrap().encode();
    let refused = world.load_all().and_then(|()| world.mesh().map(|_| ())).unwrap_err().to_string();
    assert!(refused.contains("tile"), "{refused}");
    for tile in all(&world).into_iter().filter(|tile| *tile != good) {
        world.unload(tile);
    }
    assert!(world.mesh().unwrap().encode() == bytes, "something was lost");
    world.apply(&Edit::Remove(id)).unwrap();
}
