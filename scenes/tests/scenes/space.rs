//! Laws of the 3D scenes: same seed same soup, sizes as stated, truths that a simple judge confirms.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use crate::columns::Columns;
use clearway_scenes::{
    Approach, BuildingOptions, CarParkOptions, DirtOptions, KnownScene, MAX_TRIANGLES, Soup, bridge,
    building, car_park, cave, city, clutter, dirt_tolerance, dirty, terrain, toy, traps,
};

/// Compares a truth with columns `step` apart. Pieces smaller than `least` are not counted.
fn judge(scene: &KnownScene, step: f64, least: f64) {
    let (name, truth) = (&scene.name, &scene.truth);
    assert!(truth.complete && !truth.components.is_empty(), "{name}");
    let columns = Columns::new(&scene.soup, step, truth.bridge > 0.0);
    let areas = columns.areas();
    let mut groups = BTreeSet::new();
    for (k, component) in truth.components.iter().enumerate().filter(|(_, c)| c.area >= least) {
        assert!(!component.places.is_empty(), "{name}: component {k} has no place");
        let found: Vec<_> = component.places.iter().map(|&place| columns.group_at(place)).collect();
        assert!(found[0].is_some(), "{name}: nothing at {:?}", component.places[0]);
        assert!(found.iter().all(|group| *group == found[0]), "{name}: {:?} {found:?}", component.places);
        let group = found[0].unwrap();
        assert!(groups.insert(group), "{name}: component {k} is joined with another");
        let slack = 0.01 * component.area + 3.0 * step * component.area.sqrt() + truth.tolerance;
        let difference = areas[&group] - component.area;
        assert!(
            difference.abs() <= slack,
            "{name}: component {k} is {} not {}",
            areas[&group],
            component.area
        );
    }
    for &place in &truth.blocked {
        assert_eq!(columns.group_at(place), None, "{name}: {place:?} is not blocked");
    }
    let extra: Vec<_> = areas.iter().filter(|(g, area)| !groups.contains(g) && **area >= least).collect();
    let known = truth.components.iter().filter(|c| c.area < least).count();
    assert!(extra.len() <= known, "{name}: more components: {extra:?}");
    let total: f64 = areas.values().sum();
    let slack = 0.005 * truth.area() + truth.tolerance;
    assert!((total - truth.area()).abs() <= slack, "{name}: {total} not {}", truth.area());
}

fn small_scenes() -> Vec<KnownScene> {
    let mut scenes = traps();
    scenes.push(toy());
    scenes.extend([Approach::Embankment, Approach::Ramp].map(bridge));
    scenes.push(building(BuildingOptions { storeys: 3, rooms_x: 2, rooms_z: 2 }, 5));
    scenes.push(car_park(CarParkOptions { levels: 3, turns: 1 }));
    scenes.push(city(1, 4));
    scenes.push(terrain(64, 2));
    scenes.push(cave(30, 6));
    scenes
}

#[test]
fn traps_and_toy_are_what_their_truths_say() {
    for scene in traps().into_iter().chain([toy()]) {
        judge(&scene, 0.04, 0.03);
    }
}

#[test]
fn buildings_are_what_their_truths_say() {
    for (storeys, rooms_x, rooms_z, seed) in [(1, 1, 1, 0), (1, 3, 1, 1), (3, 2, 2, 2), (2, 1, 2, 3)] {
        judge(&building(BuildingOptions { storeys, rooms_x, rooms_z }, seed), 0.035, 0.03);
    }
}

#[test]
fn car_parks_and_bridges_are_what_their_truths_say() {
    for (levels, turns) in [(1, 1), (3, 1), (2, 2)] {
        judge(&car_park(CarParkOptions { levels, turns }), 0.06, 0.05);
    }
    judge(&bridge(Approach::Embankment), 0.06, 0.05);
    judge(&bridge(Approach::Ramp), 0.06, 0.05);
}

#[test]
fn cities_are_what_their_truths_say() {
    for seed in 0..4 {
        judge(&city(1, seed), 0.07, 0.05);
    }
}

#[test]
fn land_and_caves_are_what_their_truths_say() {
    for seed in 0..3 {
        judge(&terrain(64, seed), 0.2, 1.0);
        judge(&cave(40, seed), 0.05, 0.4);
    }
}

#[test]
fn dirt_keeps_the_walkable_surface() {
    let options = DirtOptions::default();
    let house = building(BuildingOptions { storeys: 2, rooms_x: 2, rooms_z: 1 }, 4);
    let places = [toy(), house, car_park(CarParkOptions { levels: 2, turns: 1 }), bridge(Approach::Ramp)];
    for mut scene in traps().into_iter().chain(places) {
        let slack = dirt_tolerance(&scene.soup, options);
        assert!(slack < 0.02 * scene.truth.area(), "{}: {slack}", scene.name);
        scene.soup = dirty(&scene.soup, 9, options);
        scene.truth.bridge += 2.0 * options.jitter;
        scene.truth.tolerance += slack;
        judge(&scene, 0.04, 0.03);
    }
}

#[test]
fn dirt_keeps_parts_and_what_faces_up() {
    let scene = toy();
    let spoilt = dirty(&scene.soup, 1, DirtOptions::default());
    assert_eq!(spoilt.parts, scene.soup.parts);
    assert!(spoilt.triangles.len() > scene.soup.triangles.len());
    let up = |soup: &Soup| -> f64 {
        let area = |t: usize| {
            let [a, b, c] = soup.corners(t);
            0.5 * ((b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]))
        };
        (0..soup.triangles.len()).map(|t| area(t).max(0.0)).sum()
    };
    let plain = DirtOptions { duplicates: 0.0, jitter: 0.0, sink: 0.0, ..DirtOptions::default() };
    assert!((up(&dirty(&scene.soup, 1, plain)) - up(&scene.soup)).abs() < 1e-9);
    let all = DirtOptions { duplicates: 1.0, splits: 1.0, ..plain };
    assert_eq!(dirty(&scene.soup, 1, all).triangles.len(), 4 * scene.soup.triangles.len());
    let nothing = DirtOptions { splits: 0.0, shuffle: false, ..plain };
    let same = dirty(&scene.soup, 1, nothing);
    let corners = |soup: &Soup| -> Vec<_> { (0..soup.triangles.len()).map(|t| soup.corners(t)).collect() };
    assert_eq!(corners(&same), corners(&scene.soup));
}

#[test]
fn equal_seeds_give_equal_scenes_and_others_do_not() {
    let options = BuildingOptions::default();
    assert_eq!(building(options, 3), building(options, 3));
    assert_ne!(building(options, 3).soup, building(options, 4).soup);
    assert_eq!(city(2, 3), city(2, 3));
    assert_ne!(city(2, 3).soup, city(2, 4).soup);
    assert_eq!(cave(20, 3), cave(20, 3));
    assert_ne!(cave(20, 3).soup, cave(20, 4).soup);
    assert_ne!(terrain(64, 3).soup, terrain(64, 4).soup);
    assert_eq!(clutter(500, 3), clutter(500, 3));
    assert_ne!(clutter(500, 3), clutter(500, 4));
    let dirt = DirtOptions::default();
    assert_eq!(dirty(&toy().soup, 3, dirt), dirty(&toy().soup, 3, dirt));
    assert_ne!(dirty(&toy().soup, 3, dirt), dirty(&toy().soup, 4, dirt));
}

/// The volume that the triangles of some parts enclose, if they enclose any.
fn volume(soup: &Soup, counts: impl Fn(&str) -> bool) -> f64 {
    let six = |t: usize| {
        let [a, b, c] = soup.corners(t);
        let cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
        a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2]
    };
    let chosen = (0..soup.triangles.len()).filter(|&t| counts(&soup.parts[soup.part_of[t] as usize].0));
    chosen.map(six).sum::<f64>() / 6.0
}

#[test]
fn solids_face_outwards() {
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-3 * b, "{a} is not {b}");
    let house = building(BuildingOptions { storeys: 2, rooms_x: 2, rooms_z: 1 }, 1).soup;
    let stairs = 1.2 * 0.28 * 0.1875 * (1.0 + 1.5 * 14.0);
    near(volume(&house, |name| name == "storey0/stairs"), stairs);
    let plate = 12.2 * 5.2 - 15.0 * 0.28 * 1.2;
    near(volume(&house, |name| name == "storey1/slab" || name == "storey1/soffit"), 0.2 * plate);
    near(volume(&house, |name| name == "storey1/room1/cupboard"), 1.2 * 1.9 * 0.5);
    let park = car_park(CarParkOptions { levels: 3, turns: 1 });
    let concrete = volume(&park.soup, |name| name == "ramp" || name.ends_with("deck"));
    near(concrete, 0.25 * park.truth.area());
    let span = bridge(Approach::Ramp).soup;
    near(volume(&span, |name| name == "approach"), 2.0 * 20.0 * 4.0 * 0.4);
    let mound = bridge(Approach::Embankment).soup;
    near(volume(&mound, |name| name == "approach"), 2.0 * 20.0 * 4.0 * 2.5);
    let town = city(1, 3).soup;
    // An octahedron is four thirds of its half height times half of the square around its middle.
    near(volume(&town, |name| name == "block0/lot2/tree0/crown"), 0.8 * 0.8 * 1.05 * 4.0 / 3.0);
    assert!(volume(&clutter(1000, 1), |name| name == "boxes") > 100.0);
}

/// FNV-1a over the text of the file.
fn digest(soup: &Soup) -> u64 {
    let text = soup.to_obj();
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[test]
fn digests_of_scenes_are_the_committed_ones() {
    let mut soups: Vec<(String, Soup)> = small_scenes().into_iter().map(|s| (s.name, s.soup)).collect();
    soups.push(("clutter".to_string(), clutter(1000, 1)));
    soups.push(("dirty".to_string(), dirty(&toy().soup, 1, DirtOptions::default())));
    let text: String = soups.iter().map(|(name, soup)| format!("{name} {:016x}\n", digest(soup))).collect();
    assert_eq!(text, include_str!("scene_digests.txt"), "found:\n{text}");
}

/// Indices in range, coordinates finite, no triangle without area.
fn check_soup(soup: &Soup, name: &str) {
    assert_eq!(soup.triangles.len(), soup.part_of.len(), "{name}");
    assert!(soup.triangles.len() <= 2 * MAX_TRIANGLES, "{name}");
    assert!(soup.vertices.iter().flatten().all(|x| x.is_finite()), "{name}");
    assert!(soup.triangles.iter().flatten().all(|&v| (v as usize) < soup.vertices.len()), "{name}");
    assert!(soup.part_of.iter().all(|&part| (part as usize) < soup.parts.len()), "{name}");
    for t in 0..soup.triangles.len() {
        let [a, b, c] = soup.corners(t);
        assert!(a != b && b != c && c != a, "{name}: triangle {t}: {a:?} {b:?} {c:?}");
    }
}

#[test]
fn soups_are_well_formed() {
    for scene in small_scenes() {
        check_soup(&scene.soup, &scene.name);
        check_soup(&dirty(&scene.soup, 2, DirtOptions::default()), &scene.name);
    }
    check_soup(&clutter(3000, 1), "clutter");
}

#[test]
fn sizes_are_as_stated_and_limited() {
    let soup = clutter(100_000, 1);
    assert!((1_200_000..1_250_000).contains(&soup.triangles.len()), "{}", soup.triangles.len());
    assert!(clutter(usize::MAX, 1).triangles.len() <= MAX_TRIANGLES);
    assert_eq!(terrain(33, 1).soup.triangles.len(), 2 * 64 * 64);
    let huge = [
        building(BuildingOptions { storeys: usize::MAX, rooms_x: usize::MAX, rooms_z: usize::MAX }, 1),
        car_park(CarParkOptions { levels: usize::MAX, turns: usize::MAX }),
        city(usize::MAX, 1),
        terrain(usize::MAX, 1),
        cave(usize::MAX, 1),
    ];
    for scene in huge {
        assert!(scene.soup.triangles.len() <= MAX_TRIANGLES, "{}", scene.name);
    }
    let none = building(BuildingOptions { storeys: 0, rooms_x: 0, rooms_z: 0 }, 1);
    assert_eq!(none.truth.components[0].places.len(), 1);
}

#[test]
fn pairs_of_places_follow_from_components() {
    let truth = toy().truth;
    assert_eq!((truth.connected().len(), truth.apart().len()), (6, 4));
    assert_eq!((truth.components.len(), truth.outside_count()), (5, 4));
    assert!((truth.area() - truth.outside_area() - 0.36).abs() < 1e-9);
}

/// Reads what `to_obj` writes: corners, parts by name and material.
fn read_obj(text: &str) -> Soup {
    let mut soup = Soup::new();
    let mut group = String::new();
    for line in text.lines() {
        let (word, rest) = line.split_once(' ').unwrap();
        let numbers = || rest.split(' ');
        match word {
            "v" => {
                let v: Vec<f64> = numbers().map(|n| n.parse().unwrap()).collect();
                soup.vertices.push([v[0], v[1], v[2]]);
            }
            "f" => {
                let v: Vec<u32> = numbers().map(|n| n.parse::<u32>().unwrap() - 1).collect();
                soup.triangles.push([v[0], v[1], v[2]]);
                soup.part_of.push(soup.parts.len() as u32 - 1);
            }
            "g" => group = rest.to_string(),
            "usemtl" => soup.parts.push((group.clone(), rest.to_string())),
            _ => assert_eq!(word, "#"),
        }
    }
    soup
}

#[test]
fn obj_text_reads_back() {
    for scene in small_scenes() {
        let (soup, back) = (&scene.soup, read_obj(&scene.soup.to_obj()));
        assert_eq!((&back.vertices, &back.triangles), (&soup.vertices, &soup.triangles), "{}", scene.name);
        let part = |soup: &Soup, t: usize| soup.parts[soup.part_of[t] as usize].clone();
        assert!((0..soup.triangles.len()).all(|t| part(soup, t) == part(&back, t)), "{}", scene.name);
    }
}
