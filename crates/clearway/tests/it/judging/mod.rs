//! The laws of a path, held against one query after the other; what the tests of paths share.

use clearway::path::verify;
use clearway::plan::{Plan, PlanPolygon};
use clearway::{
    Location, MeshOptions, NavMesh, NoPath, Path, PathQuery, PathSearch, PlanFormat, Quality, SearchSpace,
    SearchStatus,
};
use clearway_compare::TangentGraph;
use clearway_scenes::{PlanDrawing, Random};

pub const QUALITIES: [Quality; 3] = [Quality::Fast, Quality::Default, Quality::Best];

/// By how much lengths may differ from those of the oracle, as a share.
const SAME_LENGTH: f64 = 1e-7;

/// By how much a radius may be off the widest one before the verdict is certain, as a share.
const SAME_RADIUS: f64 = 1e-6;

pub fn plan_of(drawing: &PlanDrawing) -> Plan {
    let polygons = drawing.polygons.iter().cloned().map(|(outline, holes)| PlanPolygon { outline, holes });
    Plan {
        polygons: polygons.collect(),
        rings: drawing.rings.clone(),
        walls: drawing.walls.clone(),
        ..Plan::default()
    }
}

pub fn mesh_of(plan: &Plan, quality: Quality) -> NavMesh {
    MeshOptions::default().quality(quality).build(plan).unwrap()
}

/// The meshes of a plan given as text, at every quality.
pub fn meshes(wkt: &str) -> Vec<NavMesh> {
    let plan = Plan::parse(PlanFormat::Wkt, wkt).unwrap();
    QUALITIES.map(|quality| mesh_of(&plan, quality)).into()
}

pub fn query(start: Location, goal: Location, radius: f64) -> PathQuery {
    PathQuery::new(start, goal).radius(radius)
}

/// Places of every kind: anywhere, on a coarse raster, on portals, on vertices, and where there is much room.
pub fn random_place(mesh: &NavMesh, random: &mut Random) -> Location {
    let [low, high] = mesh.bounds().unwrap();
    let anywhere = |random: &mut Random| [0, 1].map(|axis| random.range(low[axis], high[axis]));
    let kind = random.below(8);
    for _ in 0..10_000 {
        let place = match kind {
            0 => anywhere(random).map(f64::round),
            1 => anywhere(random).map(|c| (c * 2.0).round() / 2.0),
            2 if mesh.portal_count() > 0 => {
                let portal = mesh.portals().nth(random.below(mesh.portal_count())).unwrap();
                let [a, b] = portal.vertices.map(|vertex| mesh.position(vertex).unwrap());
                let share = [0.0, 0.5, 1.0, random.range(0.0, 1.0)][random.below(4)];
                [0, 1].map(|axis| a[axis] + share * (b[axis] - a[axis]))
            }
            3 | 4 => {
                let places = (0..12).filter_map(|_| mesh.locate(anywhere(random)).ok());
                let roomy =
                    places.max_by(|a, b| mesh.clearance(*a).unwrap().total_cmp(&mesh.clearance(*b).unwrap()));
                roomy.map_or_else(|| anywhere(random), |place| place.position())
            }
            _ => anywhere(random),
        };
        if let Ok(location) = mesh.locate(place) {
            return location;
        }
    }
    mesh.random_point(random.next_u64()).unwrap()
}

/// The findings so far: the laws that were broken, and the greatest difference of lengths.
#[derive(Default)]
pub struct Tally {
    pub broken: Vec<String>,
    pub queries: usize,
    pub paths: usize,
    pub compared: usize,
    pub worst: f64,
    space: SearchSpace,
}

impl Tally {
    pub fn expect(&mut self, holds: bool, message: impl FnOnce() -> String) {
        if !holds {
            self.broken.push(message());
        }
    }

    /// Fails if a law was broken.
    pub fn finish(&self, name: &str) {
        eprintln!(
            "{name}: {} queries, {} paths, {} lengths compared, at most {:.1e} apart",
            self.queries, self.paths, self.compared, self.worst
        );
        let some: Vec<&String> = self.broken.iter().take(12).collect();
        assert!(self.broken.is_empty(), "{name}: {} broken laws, some of them {some:#?}", self.broken.len());
    }

    /// Two lengths, or verdicts, that must agree.
    pub fn same(&mut self, what: &str, name: &str, one: Option<f64>, other: Option<f64>) {
        match (one, other) {
            (Some(one), Some(other)) => {
                let apart = (one - other).abs() / one.abs().max(other.abs()).max(1e-3);
                self.compared += 1;
                self.worst = self.worst.max(apart);
                self.expect(apart <= SAME_LENGTH, || format!("{name}: {what}: {one} and {other}"));
            }
            (None, None) => self.compared += 1,
            _ => self.broken.push(format!("{name}: {what}: {one:?} and {other:?}")),
        }
    }

    /// Holds one query against all laws; its length, if there is a path.
    pub fn judge(
        &mut self,
        name: &str,
        mesh: &NavMesh,
        oracle: Option<&TangentGraph>,
        query: &PathQuery,
    ) -> Option<f64> {
        self.queries += 1;
        let name = &format!(
            "{name}, {:?} to {:?}, radius {:?}",
            query.start.position(),
            query.goal.position(),
            query.radius
        );
        let answer = mesh.find_path(query);
        let length = answer.as_ref().ok().map(|path| path.length);
        if let Ok(path) = &answer {
            self.paths += 1;
            self.judge_path(name, mesh, query, path);
        }
        self.judge_verdict(name, mesh, query, &answer);
        let back = query.clone().start(query.goal).goal(query.start);
        let back = mesh.find_path(&back).ok();
        self.same("there and back", name, length, back.map(|path| path.length));
        if let Some(oracle) = oracle {
            let best = oracle.find_path(mesh, query.start, query.goal);
            if !is_at_the_limit(mesh, query) {
                self.same("search and oracle", name, length, best.map(|path| path.length));
            }
        }
        let again = mesh.find_path_in(query, &mut self.space);
        self.expect(again == answer, || format!("{name}: in used room {again:?} and not {answer:?}"));
        self.judge_slices(name, mesh, query, &answer);
        if let Ok(path) = &answer {
            self.judge_suboptimal(name, mesh, query, path);
        }
        length
    }

    fn judge_path(&mut self, name: &str, mesh: &NavMesh, query: &PathQuery, path: &Path) {
        if let Err(error) = verify(mesh, path) {
            self.broken.push(format!("{name}: {error}"));
        }
        let near = rounding(mesh);
        let ends = [path.start, path.goal];
        for (end, wanted) in ends.into_iter().zip([query.start, query.goal]) {
            let apart = distance(end, wanted.position());
            self.expect(apart <= near, || format!("{name}: {end:?} and not {wanted:?}"));
        }
        let points = path.points(0.01);
        self.expect([points.first(), points.last()] == [Some(&path.start), Some(&path.goal)], || {
            format!("{name}: {points:?} do not lead from end to end")
        });
        let straight = distance(path.start, path.goal);
        self.expect(path.length >= straight * (1.0 - 1e-9), || {
            format!("{name}: shorter than a straight line")
        });
        self.expect(path.complete && path.bound == 1.0, || format!("{name}: {path:?}"));
        self.expect(path.clearance >= path.radius * (1.0 - 1e-9) - near, || format!("{name}: {path:?}"));
        self.judge_cells(name, mesh, path);
    }

    /// Consecutive cells share the portal between them, the first holds the start and the last the goal.
    fn judge_cells(&mut self, name: &str, mesh: &NavMesh, path: &Path) {
        let (cells, portals) = (&path.cells, &path.portals);
        self.expect(cells.len() == portals.len() + 1, || format!("{name}: {cells:?} {portals:?}"));
        for (pair, portal) in cells.windows(2).zip(portals) {
            let sides = mesh.portal(*portal).map(|portal| portal.cells);
            let joins = sides.is_some_and(|[a, b]| [a, b] == pair || [b, a] == pair);
            self.expect(joins, || format!("{name}: {portal:?} does not join {pair:?}"));
        }
        for (cell, end) in [(cells.first(), path.start), (cells.last(), path.goal)] {
            let holds = cell.is_some_and(|cell| is_inside(mesh, *cell, end));
            self.expect(holds, || format!("{name}: {end:?} is not in {cell:?} of {cells:?}"));
        }
    }

    /// There is a path if and only if the radius is at most the widest; and the reason is right where there is none.
    fn judge_verdict(
        &mut self,
        name: &str,
        mesh: &NavMesh,
        query: &PathQuery,
        answer: &Result<Path, NoPath>,
    ) {
        let widest = mesh.widest_radius(query.start, query.goal);
        let fits = widest.is_some_and(|widest| query.radius <= widest);
        if !is_at_the_limit(mesh, query) {
            self.expect(answer.is_ok() == fits, || {
                format!("{name}: the widest radius is {widest:?}, but {answer:?}")
            });
        }
        let clearance = [query.start, query.goal].map(|place| mesh.clearance(place).unwrap());
        let stands = clearance.iter().all(|clearance| *clearance >= query.radius);
        let is_right = match answer {
            Ok(_) => stands,
            Err(NoPath::TooClose { clearance: least, .. }) => !stands && *least < query.radius,
            Err(NoPath::TooNarrow { widest_radius, .. }) => {
                stands
                    && widest.is_some_and(|widest| (widest_radius / widest - 1.0).abs() <= 2.0 * SAME_RADIUS)
            }
            Err(NoPath::Disconnected) => widest.is_none(),
            Err(_) => false,
        };
        self.expect(is_right, || format!("{name}: {answer:?}, clearance {clearance:?}, widest {widest:?}"));
    }

    fn judge_slices(&mut self, name: &str, mesh: &NavMesh, query: &PathQuery, answer: &Result<Path, NoPath>) {
        for budget in [1, 7, u64::MAX] {
            let sliced = in_slices(mesh, query, budget);
            self.expect(sliced.as_ref() == Some(answer), || {
                format!("{name}: in slices of {budget} {sliced:?} and not {answer:?}")
            });
        }
    }

    fn judge_suboptimal(&mut self, name: &str, mesh: &NavMesh, query: &PathQuery, best: &Path) {
        for suboptimality in [1.05, 2.0] {
            let found = mesh.find_path(&query.clone().suboptimality(suboptimality));
            let Ok(path) = found else {
                self.broken.push(format!("{name}: no path at {suboptimality}: {found:?}"));
                continue;
            };
            let share = path.length / best.length;
            let fits =
                best.length == 0.0 || (share >= 1.0 - SAME_LENGTH && share <= path.bound * (1.0 + 1e-9));
            self.expect(fits && path.bound <= suboptimality, || {
                format!("{name}: {share} times the shortest at {suboptimality}, bound {}", path.bound)
            });
            if let Err(error) = verify(mesh, &path) {
                self.broken.push(format!("{name}, suboptimal {suboptimality}: {error}"));
            }
        }
    }
}

/// The answer of a search that runs in slices; `None` if it never ends.
pub fn in_slices(mesh: &NavMesh, query: &PathQuery, budget: u64) -> Option<Result<Path, NoPath>> {
    let mut search = PathSearch::new(query.clone());
    (0..1_000_000).find_map(|_| match search.step(mesh, budget) {
        SearchStatus::Done(answer) => Some(answer),
        SearchStatus::Running => None,
    })
}

/// Whether the radius is so close to the widest one that either verdict will do.
pub fn is_at_the_limit(mesh: &NavMesh, query: &PathQuery) -> bool {
    let widest = mesh.widest_radius(query.start, query.goal);
    query.radius > 0.0
        && widest.is_some_and(|widest| {
            (query.radius - widest).abs() <= SAME_RADIUS * query.radius + rounding(mesh)
        })
}

/// What coordinates may be off through rounding.
pub fn rounding(mesh: &NavMesh) -> f64 {
    let bounds = mesh.bounds().unwrap_or_default();
    1e-13 * bounds.as_flattened().iter().fold(1.0, |size: f64, c| size.max(c.abs()))
}

pub fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

fn is_inside(mesh: &NavMesh, cell: clearway::mesh::CellId, place: [f64; 2]) -> bool {
    let Some(cell) = mesh.cell(cell) else { return false };
    cell.sides().all(|side| {
        let [a, b] = [side.from, side.to].map(|vertex| mesh.position(vertex).unwrap());
        let across = (b[0] - a[0]) * (place[1] - a[1]) - (b[1] - a[1]) * (place[0] - a[0]);
        across >= -1e3 * rounding(mesh) * distance(a, b)
    })
}
