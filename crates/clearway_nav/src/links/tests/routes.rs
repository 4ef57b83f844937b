//! Paths with links.

use super::*;
use crate::path::{Leg, LinkUse, NoPath, Path, PathQuery};
use clearway_scenes::{BuildingOptions, Random, building};

fn names(mesh: &NavMesh, path: &Path) -> Vec<String> {
    path.links.iter().map(|ride| mesh.link(ride.link).unwrap().name).collect()
}

#[test]
fn walking_wins_where_it_is_no_longer() {
    let plan = Plan::from_rings([square(0.0, 0.0, 10.0)]);
    let mut mesh = MeshOptions::default().build(&plan).unwrap();
    let [a, b] = [[1.0, 5.0], [9.0, 5.0]].map(|at| place(&mesh, [at[0], 0.0, -at[1]]));
    let link = Link::new("belt", LinkKind::Teleport, [2.0, 0.0, -5.0], [8.0, 0.0, -5.0]);
    mesh.add_links(std::slice::from_ref(&link), 0.5).unwrap();
    let path = mesh.find_path(&PathQuery::new(a, b)).unwrap();
    assert_eq!((path.legs().len(), path.cost, path.length), (1, 8.0, 8.0));
    mesh.clear_links();
    mesh.add_links(&[Link { cost: Some(1.0), ..link }], 0.5).unwrap();
    let path = mesh.find_path(&PathQuery::new(a, b)).unwrap();
    assert_eq!((path.legs().len(), path.cost, path.length), (3, 3.0, 8.0));
}

#[test]
fn drops_lead_one_way_only() {
    let mut mesh = rooms();
    mesh.add_links(&[Link::new("drop", LinkKind::Drop, [4.0, 0.0, -2.0], [10.0, 0.0, -2.0])], 0.5).unwrap();
    let [a, b] = [[1.0, 0.0, -2.0], [12.0, 0.0, -2.0]].map(|at| place(&mesh, at));
    assert_eq!(names(&mesh, &mesh.find_path(&PathQuery::new(a, b)).unwrap()), ["drop"]);
    assert_eq!(mesh.find_path(&PathQuery::new(b, a)), Err(NoPath::Disconnected));
}

#[test]
fn kinds_and_radii_are_respected() {
    let mut mesh = rooms();
    let door = Link::new("door", LinkKind::Door, [3.0, 0.0, -2.0], [11.0, 0.0, -2.0]);
    let hatch = Link { max_radius: Some(0.25), cost: Some(1.0), name: "hatch".to_string(), ..door.clone() };
    let hatch = Link { kind: LinkKind::from_name("hatch"), ..hatch };
    mesh.add_links(&[door, hatch], 0.5).unwrap();
    let [a, b] = [[1.0, 0.0, -2.0], [13.0, 0.0, -2.0]].map(|at| place(&mesh, at));
    let taken = |query: PathQuery| mesh.find_path(&query).map(|path| names(&mesh, &path));
    assert_eq!(taken(PathQuery::new(a, b)).unwrap(), ["hatch"]);
    assert_eq!(taken(PathQuery::new(a, b).radius(0.5)).unwrap(), ["door"]);
    let only = |kind: LinkKind| PathQuery::new(a, b).links(LinkUse::Only(vec![kind]));
    assert_eq!(taken(only(LinkKind::Door)).unwrap(), ["door"]);
    assert_eq!(taken(only(LinkKind::Lift)), Err(NoPath::Disconnected));
    assert_eq!(taken(PathQuery::new(a, b).links(LinkUse::None)), Err(NoPath::Disconnected));
    // The ends are one metre from the wall: no room for a body of more.
    let large = taken(PathQuery::new(a, b).radius(1.5).snap(1.0));
    let Err(NoPath::TooNarrow { widest_radius, .. }) = large else { panic!("{large:?}") };
    assert!((0.9..=1.0).contains(&widest_radius), "{widest_radius}");
    let hatch = only(LinkKind::from_name("hatch")).radius(0.5);
    let Err(NoPath::TooNarrow { widest_radius, .. }) = taken(hatch.clone()) else { panic!("{hatch:?}") };
    assert_eq!(widest_radius, 0.25);
    assert_eq!(taken(only(LinkKind::Lift).radius(0.5)), Err(NoPath::Disconnected));
    assert!(matches!(taken(PathQuery::new(a, b).radius(1.5)), Err(NoPath::TooClose { .. })));
    assert!(matches!(taken(PathQuery::new(a, b).radius(-1.0)), Err(NoPath::BadRadius { .. })));
}

#[test]
fn ends_close_to_a_wall_move_on_their_own_floor() {
    let mut soup = Soup::new();
    soup.part("floors", "Floor");
    soup.floor([0.0, 0.0], [10.0, 10.0], 0.0);
    soup.floor([0.0, 0.0], [10.0, 10.0], 3.0);
    let mut mesh = mesh_of(&scene(&soup));
    mesh.add_links(&[Link::new("lift", LinkKind::Lift, [5.0, 0.0, 5.0], [5.0, 3.0, 5.0])], 0.5).unwrap();
    for height in [0.0, 3.0] {
        let [start, goal] = [[0.1, height, 5.0], [9.9, height, 5.0]].map(|at| place(&mesh, at));
        let query = PathQuery::new(start, goal).radius(0.5).snap(1.0);
        let path = mesh.find_path(&query).unwrap();
        assert_eq!(path.legs().len(), 1, "at height {height}");
        assert!((path.length - 9.0).abs() < 1e-6, "{}", path.length);
    }
}

/// Rooms with pillars in them.
fn islands(random: &mut Random) -> NavMesh {
    let mut rings = Vec::new();
    for room in 0..6 {
        let [x, y] = [f64::from(room % 3) * 12.0, f64::from(room / 3) * 12.0];
        rings.push(square(x, y, 10.0));
        for _ in 0..4 {
            let [dx, dy] = [0; 2].map(|_| random.range(0.5, 8.0));
            rings.push(square(x + dx, y + dy, random.range(0.3, 1.5)));
        }
    }
    MeshOptions::default().build(&Plan::from_rings(rings)).unwrap()
}

fn somewhere(mesh: &NavMesh, random: &mut Random) -> Location {
    loop {
        let at = [random.range(0.0, 36.0), 0.0, -random.range(0.0, 24.0)];
        if let Some((place, 0.0)) = mesh.place_near(at, 0.5) {
            return place;
        }
    }
}

fn random_links(mesh: &NavMesh, count: usize, random: &mut Random) -> Vec<Link> {
    let kinds = [LinkKind::Lift, LinkKind::Jump, LinkKind::Drop];
    let end = |random: &mut Random| {
        let [x, y] = somewhere(mesh, random).position();
        [x, 0.0, -y]
    };
    (0..count)
        .map(|number| {
            let kind = kinds[random.below(3)].clone();
            let [from, to] = [end(random), end(random)];
            let cost = (random.below(2) == 0).then(|| random.range(0.0, 30.0));
            Link { cost, ..Link::new(format!("{number}"), kind, from, to) }
        })
        .collect()
}

/// What the cheapest way costs, by all walks between all ends and Bellman and Ford.
fn by_brute_force(mesh: &NavMesh, query: &PathQuery) -> f64 {
    let fits = |at: Location| mesh.clearance(at).unwrap() >= query.radius;
    let records = mesh.parts.links.iter().filter(|link| query.links.allows_link(link, query.radius));
    let rides: Vec<(Location, Location, f64)> = records
        .flat_map(|link| {
            let [from, to] = link.ends.map(|end| end.location());
            let back = link.both_ways.then_some((to, from, link.cost));
            [Some((from, to, link.cost)), back].into_iter().flatten()
        })
        .filter(|(from, to, _)| fits(*from) && fits(*to))
        .collect();
    let walk = |from: Location, to: Location| {
        let question = PathQuery::new(from, to).radius(query.radius).links(LinkUse::None);
        mesh.find_path(&question).map_or(f64::INFINITY, |path| path.length)
    };
    let mut cost: Vec<f64> = rides.iter().map(|ride| walk(query.start, ride.0) + ride.2).collect();
    let between: Vec<Vec<f64>> =
        rides.iter().map(|from| rides.iter().map(|to| walk(from.1, to.0) + to.2).collect()).collect();
    for _ in 0..rides.len() {
        for (from, row) in between.iter().enumerate() {
            for (to, length) in row.iter().enumerate() {
                cost[to] = cost[to].min(cost[from] + length);
            }
        }
    }
    let arrivals = rides.iter().zip(&cost).map(|(ride, cost)| cost + walk(ride.1, query.goal));
    arrivals.fold(walk(query.start, query.goal), f64::min)
}

#[test]
fn no_way_is_cheaper() {
    let (mut linked, mut none) = (0, 0);
    for seed in 0..12 {
        let mut random = Random::new(seed);
        let mut mesh = islands(&mut random);
        let links = random_links(&mesh, 3 + 2 * seed as usize, &mut random);
        mesh.add_links(&links, 0.5).unwrap();
        for round in 0..6 {
            let [start, goal] = [0; 2].map(|_| somewhere(&mesh, &mut random));
            let radius = [0.0, 0.2, 0.4][round % 3];
            let few = LinkUse::Only(vec![LinkKind::Lift, LinkKind::Drop]);
            let links = if round > 3 { few } else { LinkUse::All };
            let query = PathQuery::new(start, goal).radius(radius).links(links);
            let found = mesh.find_path(&query);
            if matches!(found, Err(NoPath::TooClose { .. })) {
                continue;
            }
            let least = by_brute_force(&mesh, &query);
            let cost = found.as_ref().map_or(f64::INFINITY, |path| path.cost);
            assert!((cost - least).abs() < 1e-9 || cost == least, "seed {seed}: {cost} and not {least}");
            match found {
                Ok(path) => {
                    assert_well_made(&mesh, &query, &path);
                    linked += usize::from(path.legs().len() > 1);
                }
                Err(_) => none += 1,
            }
        }
    }
    assert!(linked > 20 && none > 3, "{linked} with links, {none} without a way");
}

/// Legs follow each other, and costs and lengths add up.
fn assert_well_made(mesh: &NavMesh, query: &PathQuery, path: &Path) {
    let mut at = query.start.position();
    let (mut cost, mut length) = (0.0, 0.0);
    for leg in &path.legs() {
        match leg {
            Leg::Walk(walk) => {
                assert_eq!(walk.start, at);
                at = walk.goal;
                cost += walk.length;
                length += walk.length;
            }
            Leg::Link(ride) => {
                let (from, to, fare) = (&ride.from, &ride.to, ride.cost);
                let link = mesh.link(ride.link).unwrap();
                let ends = [link.from, link.to];
                assert!(ends == [*from, *to] || (link.both_ways && ends == [*to, *from]));
                assert!(query.links.allows(&link.kind));
                assert_eq!([from[0], 0.0 - from[2]], at);
                at = [to[0], 0.0 - to[2]];
                cost += fare;
                length += link.length();
            }
        }
    }
    assert_eq!(at, query.goal.position());
    assert!((cost - path.cost).abs() < 1e-9 && (length - path.length).abs() < 1e-9);
}

#[test]
fn a_thousand_links_take_few_searches() {
    let mut random = Random::new(5);
    let mut mesh = islands(&mut random);
    let links: Vec<Link> = random_links(&mesh, 1000, &mut random)
        .into_iter()
        .map(|link| Link { cost: Some(link.length()), ..link })
        .collect();
    mesh.add_links(&links, 0.5).unwrap();
    let mut searches = 0;
    for _ in 0..20 {
        let [start, goal] = [0; 2].map(|_| somewhere(&mesh, &mut random));
        let path = mesh.find_path(&PathQuery::new(start, goal)).unwrap();
        searches += path.searches;
    }
    assert!(searches < 20 * 60, "{searches} searches for 20 paths");
}

#[test]
fn floors_are_joined_by_lifts_only() {
    let known = building(BuildingOptions { storeys: 3, rooms_x: 2, rooms_z: 2 }, 1);
    let mut soup = known.soup;
    // Without its stairs.
    let stairs: Vec<bool> = soup.parts.iter().map(|part| part.0.contains("stair")).collect();
    assert!(stairs.iter().any(|is_stairs| *is_stairs), "{:?}", soup.parts);
    let keep: Vec<bool> = soup.part_of.iter().map(|part| !stairs[*part as usize]).collect();
    let kept = |number: &usize| keep[*number];
    soup.triangles = (0..keep.len()).filter(kept).map(|number| soup.triangles[number]).collect();
    soup.part_of = (0..keep.len()).filter(kept).map(|number| soup.part_of[number]).collect();
    let mut mesh = mesh_of(&scene(&soup));
    let storey = known.truth.components[0].places.iter().map(|at| at[1]).fold(0.0, f64::max) / 2.0;
    assert_lifts(&mut mesh, storey, [9.0, 2.5], [9.0, 7.5]);
}

/// Lifts from floor to floor at `shaft` lead from the lowest to the highest floor, and nothing else does.
fn assert_lifts(mesh: &mut NavMesh, storey: f64, shaft: [f64; 2], room: [f64; 2]) {
    let at = |[x, z]: [f64; 2], floor: f64| [x, floor * storey, z];
    let [low, high] = [0.0, 2.0].map(|floor| roomy(mesh, at(room, floor)));
    let query = PathQuery::new(low, high).radius(0.25);
    assert_eq!(mesh.find_path(&query), Err(NoPath::Disconnected));
    let stops = [0.0, 1.0, 2.0].map(|floor| {
        let stop = roomy(mesh, at(shaft, floor));
        mesh.in_space(stop.cell.0, mesh.parts.grid.units(stop.position))
    });
    let lift = |floor: usize| {
        let name = format!("lift {floor}");
        Link::new(name, LinkKind::Lift, stops[floor], stops[floor + 1])
    };
    mesh.add_links(&[lift(0), lift(1)], USUAL_SNAP).unwrap();
    assert!(mesh.check().iter().all(|flaw| flaw.kind != FlawKind::Link));
    let up = mesh.find_path(&query).unwrap();
    assert_eq!(names(mesh, &up), ["lift 0", "lift 1"]);
    assert_eq!(up.legs().len(), 4, "walk, two lifts, walk");
    let down = query.clone().start(query.goal).goal(query.start);
    let down = mesh.find_path(&down).unwrap();
    assert!((up.cost - down.cost).abs() < 1e-6);
    let by_ladder = query.links(LinkUse::Only(vec![LinkKind::Ladder]));
    assert_eq!(mesh.find_path(&by_ladder), Err(NoPath::Disconnected));
}

#[test]
fn a_hospital_of_three_floors_needs_its_lifts() {
    let Some(scene) = shared("hospital3.obj") else { return };
    let mut mesh = mesh_of(&scene);
    assert_lifts(&mut mesh, 3.0, [0.0, 0.0], [0.0, 8.0]);
}
