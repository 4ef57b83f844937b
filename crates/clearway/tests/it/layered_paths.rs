//! Paths over floors that lie over each other, against a walk on a lattice that knows nothing of cells and portals: it
//! asks only how high the ground lies in a place.

use crate::generated;
use crate::generated::keeping_all;

use clearway::path::CorridorPlanner;
use clearway::{
    Location, MeshOptions, NavMesh, NoPath, PathQuery, Quality, Scene, Selection, WalkableSurface,
};
use clearway_scenes::{
    Approach, BuildingOptions, CarParkOptions, KnownScene, bridge, building, car_park, spiral_ramp,
};
use generated::scene_of;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The ground on the points of a lattice.
struct Lattice<'a> {
    mesh: &'a NavMesh,
    /// How far points lie apart, in metres.
    pitch: f64,
    columns: usize,
    rows: usize,
    low: [f64; 2],
    /// For each point, its first floor; one more ends the last.
    first: Vec<usize>,
    heights: Vec<f64>,
    step: f64,
}

/// Sixteen directions: no way is more than 2.8 % longer than the straight one.
const MOVES: [[i64; 2]; 16] = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
    [1, 1],
    [-1, 1],
    [-1, -1],
    [1, -1],
    [2, 1],
    [1, 2],
    [-1, 2],
    [-2, 1],
    [-2, -1],
    [-1, -2],
    [1, -2],
    [2, -1],
];

impl Lattice<'_> {
    fn of(mesh: &NavMesh, pitch: f64) -> Lattice<'_> {
        let [[low_x, low_y], [high_x, high_y]] = mesh.bounds().unwrap();
        // Bounds are those of the plan, which is seen from above.
        let (low, high) = ([low_x, -high_y], [high_x, -low_y]);
        let [columns, rows] = [0, 1].map(|i| ((high[i] - low[i]) / pitch) as usize + 1);
        let step = keeping_all().max_step + 0.01;
        let mut lattice =
            Lattice { mesh, pitch, columns, rows, low, first: vec![0], heights: Vec::new(), step };
        for point in 0..columns * rows {
            let [x, z] = lattice.place(point);
            lattice.heights.extend(mesh.heights_at(x, z));
            lattice.first.push(lattice.heights.len());
        }
        lattice
    }

    fn place(&self, point: usize) -> [f64; 2] {
        // Off the round numbers that scenes are drawn with: no point lies on a wall.
        [point % self.columns, point / self.columns]
            .map(|step| (step as f64 + 0.3179) * self.pitch)
            .into_iter()
            .zip(self.low)
            .map(|(off, low)| low + off)
            .collect::<Vec<f64>>()
            .try_into()
            .unwrap()
    }

    /// How high one gets to a place by going straight there, if one does.
    fn straight(&self, [x, y, z]: [f64; 3], to: [f64; 2]) -> Option<f64> {
        let way = (to[0] - x).hypot(to[1] - z);
        let parts = (way / (0.25 * self.pitch)).ceil().max(1.0) as u32;
        (1..=parts).map(|part| f64::from(part) / f64::from(parts)).try_fold(y, |height, t| {
            let heights = self.mesh.heights_at(x + (to[0] - x) * t, z + (to[1] - z) * t);
            let off = |other: &f64| (other - height).abs();
            heights
                .into_iter()
                .filter(|other| off(other) <= self.step)
                .min_by(|p, q| off(p).total_cmp(&off(q)))
        })
    }

    /// The floor of a point that lies at a height.
    fn floor(&self, point: usize, height: f64) -> Option<usize> {
        (self.first[point]..self.first[point + 1]).find(|floor| (self.heights[*floor] - height).abs() < 1e-3)
    }

    /// The points around a place that one gets to straight, their floors, and how far they are.
    fn entries(&self, at: [f64; 3]) -> Vec<(usize, f64)> {
        let near = |i: usize, low: f64| ((at[i] - low) / self.pitch - 0.3179).floor() as i64;
        let (column, row) = (near(0, self.low[0]), near(2, self.low[1]));
        let around = (-1..=2).flat_map(|dx| (-1..=2).map(move |dz| (column + dx, row + dz)));
        let points = around.filter_map(|(column, row)| self.point(column, row));
        let entry = |point: usize| {
            let to = self.place(point);
            let floor = self.floor(point, self.straight(at, to)?)?;
            Some((floor, (to[0] - at[0]).hypot(to[1] - at[2])))
        };
        points.filter_map(entry).collect()
    }

    fn point(&self, column: i64, row: i64) -> Option<usize> {
        let is_inside = (0..self.columns as i64).contains(&column) && (0..self.rows as i64).contains(&row);
        is_inside.then(|| row as usize * self.columns + column as usize)
    }

    /// How far it is from a place to every floor of every point.
    fn distances(&self, from: [f64; 3]) -> Vec<f64> {
        let mut point_of = vec![0; self.heights.len()];
        for point in 0..self.columns * self.rows {
            point_of[self.first[point]..self.first[point + 1]].fill(point);
        }
        let mut best = vec![f64::INFINITY; self.heights.len()];
        let mut open = BinaryHeap::new();
        for (floor, way) in self.entries(from) {
            best[floor] = way;
            open.push(Reverse((way.to_bits(), floor)));
        }
        while let Some(Reverse((way, floor))) = open.pop() {
            let way = f64::from_bits(way);
            if way > best[floor] {
                continue;
            }
            let (point, [x, z]) = (point_of[floor], self.place(point_of[floor]));
            for [dx, dz] in MOVES {
                let next = self.point((point % self.columns) as i64 + dx, (point / self.columns) as i64 + dz);
                let Some(next) = next else { continue };
                let to = self.place(next);
                let reached = self.straight([x, self.heights[floor], z], to);
                let Some(next) = reached.and_then(|height| self.floor(next, height)) else { continue };
                let way = way + (to[0] - x).hypot(to[1] - z);
                if way < best[next] {
                    best[next] = way;
                    open.push(Reverse((way.to_bits(), next)));
                }
            }
        }
        best
    }
}

fn mesh_of(known: &KnownScene) -> NavMesh {
    // Floors inside walls would lead the lattice, which sees no barriers, through them.
    let rules = keeping_all().inside(true);
    let surface = WalkableSurface::extract(&scene_of(&known.soup), &rules).unwrap();
    MeshOptions::default().quality(Quality::Fast).build(&surface).unwrap()
}

/// Compares the paths from some places to others; what is wrong with the first that is.
fn compare(mesh: &NavMesh, pitch: f64, places: &[Location], sources: usize) -> Result<usize, String> {
    let lattice = Lattice::of(mesh, pitch);
    let mut compared = 0;
    for from in &places[..sources] {
        let distances = lattice.distances(mesh.place(*from));
        for to in &places[sources..] {
            let entries = lattice.entries(mesh.place(*to)).into_iter();
            let walked = entries.map(|(floor, way)| distances[floor] + way).fold(f64::INFINITY, f64::min);
            let told = |what: &str| format!("from {:?} to {:?}: {what}", mesh.place(*from), mesh.place(*to));
            match mesh.find_path(&PathQuery::new(*from, *to)) {
                Err(NoPath::Disconnected) if walked.is_finite() => {
                    return Err(told(&format!("no path, but a walk of {walked} m")));
                }
                Ok(path) if path.length > walked * 1.002 + 0.02 => {
                    return Err(told(&format!("{} m, but a walk of {walked} m", path.length)));
                }
                // Walls keep the lattice at a distance, corner by corner.
                Ok(path) if walked.is_finite() && walked > path.length * 1.06 + 8.0 * pitch => {
                    return Err(told(&format!("{} m, but no walk of less than {walked} m", path.length)));
                }
                Ok(_) if walked.is_finite() => compared += 1,
                _ => {}
            }
        }
    }
    Ok(compared)
}

#[test]
fn paths_in_layers_are_as_short_as_walks_on_a_lattice() {
    let scenes = [
        (building(BuildingOptions::default(), 1), 0.2),
        (car_park(CarParkOptions::default()), 0.6),
        (spiral_ramp(60), 0.2),
        (bridge(Approach::Ramp), 0.4),
        (bridge(Approach::Embankment), 0.4),
    ];
    for (known, pitch) in scenes {
        let mesh = mesh_of(&known);
        let places: Vec<Location> = mesh.random_points(5).take(44).collect();
        let compared =
            compare(&mesh, pitch, &places, 4).unwrap_or_else(|law| panic!("{}: {law}", known.name));
        assert!(compared >= 40, "{}: only {compared} could be compared", known.name);
    }
}

/// Three floors of 10 m by 6 m, 3 m apart, and a ramp from each to the next, one over the other.
fn ramps_over_ramps(area: &str) -> NavMesh {
    let (mut corners, mut triangles, mut part_of, mut names) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut quad = |name: String, quad: [[f64; 3]; 4]| {
        let first = corners.len() as u32;
        corners.extend(quad);
        triangles.extend([[0, 1, 2], [0, 2, 3]].map(|t: [u32; 3]| t.map(|corner| first + corner)));
        part_of.extend([names.len() as u32; 2]);
        names.push(name);
    };
    let flat = |[x, z]: [f64; 2], [far_x, far_z]: [f64; 2], y: f64| {
        [[x, y, z], [x, y, far_z], [far_x, y, far_z], [far_x, y, z]]
    };
    for storey in 0..3 {
        let y = 3.0 * f64::from(storey);
        let hole = [
            ([0.0, 0.0], [10.0, 1.0]),
            ([0.0, 2.5], [10.0, 6.0]),
            ([0.0, 1.0], [2.0, 2.5]),
            ([7.0, 1.0], [10.0, 2.5]),
        ];
        let floor: &[_] = if storey == 0 { &[([0.0, 0.0], [10.0, 6.0])] } else { &hole };
        floor.iter().for_each(|(low, high)| quad(format!("floor{storey}"), flat(*low, *high, y)));
        if storey < 2 {
            let ramp = [[2.0, y, 1.0], [2.0, y, 2.5], [7.0, y + 3.0, 2.5], [7.0, y + 3.0, 1.0]];
            quad(format!("ramp{storey}"), ramp);
        }
    }
    let parts: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "")).collect();
    let mut scene = Scene::from_triangles(corners, triangles, part_of, parts).unwrap();
    scene.select(&Selection { areas: vec![("ramp".into(), area.into())], ..Selection::default() }).unwrap();
    let surface = WalkableSurface::extract(&scene, &keeping_all()).unwrap();
    MeshOptions::default().build(&surface).unwrap()
}

/// Ends of the sides of ramps lie over each other, and areas part cells there: no body turns around the end below or above
/// its own, and no string is pulled from one ramp into the other.
#[test]
fn ramps_over_ramps_lead_to_their_own_floors() {
    for area in ["ramp0", "ramp1", "ramp*", "floor*", "floor2", "none"] {
        let mesh = ramps_over_ramps(area);
        let [low, high] = [[8.5, 0.0, 5.0], [8.5, 6.0, 5.0]].map(|place| mesh.locate(place).unwrap());
        let mut planner = CorridorPlanner::new();
        for (radius, length) in [(0.0, 20.654), (0.01, 20.753), (0.3, 23.638), (0.7, 27.681)] {
            for ends in [[low, high], [high, low]] {
                let query = PathQuery::new(ends[0], ends[1]).radius(radius);
                let path = mesh.find_path(&query).unwrap();
                assert_eq!(path.cells.last(), Some(&ends[1].cell()), "{area}, radius {radius}");
                assert!((path.length - length).abs() < 1e-3, "{area}, radius {radius}: {}", path.length);
                let other = planner.find_path(&mesh, &query).unwrap();
                assert_eq!(other.cells.last(), Some(&ends[1].cell()), "{area}, radius {radius}, corridor");
                assert!(other.length >= length - 1e-3 && other.length < 1.5 * length, "{}", other.length);
            }
        }
    }
}

/// The rim of a floor lies over the side of the ramp that leads up to it: within rounding the ground could be either, and the
/// heights of a path leapt up to the floor and back.
#[test]
fn heights_of_paths_do_not_leap_where_floors_end_over_ramps() {
    let corners = vec![
        [-5.29, 0.0, 17.47],
        [-0.81, 0.0, 21.46],
        [5.15, 0.0, 14.77],
        [-2.47, -0.01, 17.304],
        [2.09, 2.98, 14.72],
        [0.833, 2.98, 13.6],
        [-0.66, 2.98, 12.27],
        [3.82, 2.98, 16.26],
        [5.15, 2.98, 14.77],
        [-3.96, 2.98, 15.973],
        [-2.47, 2.98, 17.304],
    ];
    let triangles = vec![[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 5], [9, 5, 6]];
    let scene = Scene::from_triangles(corners, triangles, vec![0; 5], [("all", "")]).unwrap();
    let surface = WalkableSurface::extract(&scene, &keeping_all()).unwrap();
    let mesh = MeshOptions::default().build(&surface).unwrap();
    let [low, high] = [[-3.2, 0.0, 17.1], [3.4, 3.0, 14.6]].map(|place| mesh.locate(place).unwrap());
    for ends in [[low, high], [high, low]] {
        let path = mesh.find_path(&PathQuery::new(ends[0], ends[1])).unwrap();
        let points = path.points_in_space(&mesh, 0.01);
        for pair in points.windows(2) {
            let way = (pair[1][0] - pair[0][0]).hypot(pair[1][2] - pair[0][2]);
            assert!((pair[1][1] - pair[0][1]).abs() <= 0.41 + way, "{points:?}");
        }
    }
}

/// A ramp along two floors, entered from the lower one beside its foot and left to the upper one beside its top; that ends
/// close to the ramp, high above its foot.
fn ramp_beside_floors() -> Scene {
    let quads = [
        [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [6.0, 3.0, 1.0], [6.0, 3.0, 0.0]],
        [[0.0, 0.0, -4.0], [0.0, 0.0, 0.0], [6.0, 0.0, 0.0], [6.0, 0.0, -4.0]],
        [[0.0, 3.0, -4.0], [0.0, 3.0, -0.07], [5.0, 3.0, -0.07], [5.0, 3.0, -4.0]],
        [[5.0, 3.0, -4.0], [5.0, 3.0, -0.07], [5.2, 3.0, 0.0], [6.0, 3.0, 0.0]],
        [[5.0, 3.0, -4.0], [6.0, 3.0, 0.0], [6.0, 3.0, -2.0], [6.0, 3.0, -4.0]],
    ];
    let halves = |quad: usize| [[0, 1, 2], [0, 2, 3]].map(|half| half.map(|i| 4 * quad as u32 + i));
    let triangles: Vec<[u32; 3]> = (0..quads.len()).flat_map(halves).collect();
    let part_of = vec![0; triangles.len()];
    Scene::from_triangles(quads.concat(), triangles, part_of, [("all", "")]).unwrap()
}

/// A wall of the upper floor, found through the portal at the top of a ramp, was taken for one before its foot: bodies did
/// not fit, or did, as the cells happened to be.
#[test]
fn how_wide_a_way_is_does_not_depend_on_cells() {
    let house = scene_of(&building(BuildingOptions { storeys: 2, rooms_x: 2, rooms_z: 2 }, 3).soup);
    let park = scene_of(&car_park(CarParkOptions::default()).soup);
    for (name, scene) in [("ramp", ramp_beside_floors()), ("house", house), ("park", park)] {
        let surface = WalkableSurface::extract(&scene, &keeping_all()).unwrap();
        let meshes = [Quality::Fast, Quality::Default, Quality::Best]
            .map(|quality| MeshOptions::default().quality(quality).build(&surface).unwrap());
        let places: Vec<[f64; 3]> =
            meshes[0].random_points(5).take(60).map(|place| meshes[0].place(place)).collect();
        for pair in places.windows(2) {
            let widest = meshes.each_ref().map(|mesh| {
                let [one, other] = [pair[0], pair[1]].map(|place| mesh.locate(place).unwrap());
                mesh.widest_radius(one, other).unwrap_or(0.0)
            });
            let is_one = widest.iter().all(|radius| (radius - widest[0]).abs() < 2e-4);
            assert!(is_one, "{name}: from {:?} to {:?}: {widest:?}", pair[0], pair[1]);
        }
    }
    let surface = WalkableSurface::extract(&ramp_beside_floors(), &keeping_all()).unwrap();
    let mesh = MeshOptions::default().build(&surface).unwrap();
    let [low, high] = [[3.0, 0.0, -2.0], [3.0, 1.5, 0.5]].map(|place| mesh.locate(place).unwrap());
    assert!((mesh.widest_radius(low, high).unwrap() - 0.4).abs() < 1e-3);
    assert!(mesh.find_path(&PathQuery::new(low, high).radius(0.39)).is_ok());
}
