//! Edits of surfaces that lie over themselves, and skeletons that follow them.
//!
//! The ribbon rises all the way, so a height tells the floor of an edit. Shapes lie beside the portals; they cross walls and each
//! other, hold others, and stand on portals between sheets. After each edit the skeleton must be the one that a build of
//! the edited mesh gives, and the judge holds its discs against straight ways. `EDITS=100000` runs that many worlds.

use super::doors::{are_same, circles, triangle};
use super::{Judge, Ribbon};
use clearway_geometry::Vec2;
use clearway_live::{Anchor, Changes, DoorId, Edit, LiveMesh, Obstacle, ObstacleId, Shape};
use clearway_nav::mesh::{CellId, Patch, Relief};
use clearway_nav::{FlawKind, Location, MeshParts, NavMesh};
use clearway_scenes::Random;
use clearway_skeleton::Skeleton;
use std::sync::Arc;

/// The height of each vertex over the one before, in grid units: floors over each other are metres apart.
const RISE: i32 = 512;

#[derive(Debug, Default)]
struct Tally {
    worlds: usize,
    three_sheets: usize,
    edits: usize,
    refused: usize,
    walls: usize,
    discs: usize,
    pairs: usize,
    /// Pairs for which the peak graph of the mesh is narrower.
    narrower: usize,
    rebuilds: u64,
    weak: u64,
    wrong: Vec<String>,
}

/// A ribbon whose cells have heights and are regions of their own.
/// Heights are those of the vertices.
fn with_heights(ribbon: &Ribbon) -> Option<NavMesh> {
    let parts = ribbon.parts();
    let count = parts.cell_region.len();
    let mut relief = Relief { first_patch: vec![0], area_of: vec![0; count], ..Relief::default() };
    for (cell, ring) in (0u32..).zip(&ribbon.cells) {
        let first = relief.points.len() as u32;
        relief.points.extend(ring.iter().map(|&v| (ribbon.points[v as usize], v as i32 * RISE)));
        for i in 1..ring.len() as u32 - 1 {
            relief.faces.push([first, first + i, first + i + 1]);
            relief.chart_of.push(cell);
        }
        let corners = [0, 1, 2].map(|i| ribbon.points[ring[i] as usize]);
        relief.add_cell(std::iter::once(Patch { chart: cell, corners }));
    }
    let regions = (0..count as u32).collect();
    let parts = MeshParts {
        cell_region: regions,
        region_count: count as u32,
        relief: Some(Arc::new(relief)),
        ..parts
    };
    NavMesh::from_parts(parts).ok()
}

struct World {
    /// The mesh as it was at first, which names places.
    first: NavMesh,
    live: LiveMesh,
    doors: Vec<(DoorId, bool)>,
    history: Vec<Changes>,
    random: Random,
}

impl World {
    fn anchor(&self, cell: CellId, at: [f64; 2]) -> Anchor {
        Anchor { height: Some(self.first.height(Location::in_cell(cell, at))) }
    }

    fn obstacle(&mut self) -> Option<Obstacle> {
        let judge = Judge { mesh: &self.first };
        let (corners, cells) = triangle(&self.first, &judge, &mut self.random)?;
        let place = |at: Vec2| self.first.parts().grid.place(at);
        let [a, b, c] = [0, 1, 2].map(|i| place(corners[i].as_vec2()));
        // The height is looked for at the middle of a shape.
        let (shape, home, middle) = match self.random.below(4) {
            0 => (Shape::Segment([a, b]), cells[0], [0, 1].map(|i| 0.5 * (a[i] + b[i]))),
            1 => {
                let size = (b[0] - a[0]).hypot(b[1] - a[1]) + 0.05;
                let turn = self.random.range(0.0, 3.0);
                (Shape::Box { centre: c, size: [size, 0.5 * size], turn }, cells[2], c)
            }
            _ => (Shape::Polygon(vec![a, b, c]), cells[0], [0, 1].map(|i| (a[i] + b[i] + c[i]) / 3.0)),
        };
        let from = self.first.parts().grid.units(if home == cells[2] { c } else { a });
        let cell = judge.cell_at(home, from, self.first.parts().grid.units(middle))?;
        let anchor = self.anchor(cell, middle);
        Some(Obstacle { shape, anchor })
    }

    /// A door in a portal.
    fn door(&mut self) -> Edit {
        let parts = self.first.parts();
        let portal = parts.portals[self.random.below(parts.portals.len())];
        let ends = portal.vertices.map(|vertex| parts.grid.world(parts.points[vertex as usize]));
        let middle = [0, 1].map(|i| 0.5 * (ends[0][i] + ends[1][i]));
        Edit::AddDoor(ends, self.anchor(CellId(portal.cells[0]), middle))
    }

    fn edit(&mut self) -> Option<Edit> {
        let known: Vec<ObstacleId> = self.live.obstacles().map(|(id, _)| id).collect();
        let any = known.get(self.random.below(known.len().max(1))).copied();
        Some(match (self.random.below(10), any) {
            (0, _) if self.doors.len() < 3 => self.door(),
            (0 | 1, _) if !self.doors.is_empty() => {
                let (door, is_open) = self.doors[self.random.below(self.doors.len())];
                Edit::Door(door, !is_open)
            }
            (2, _) => Edit::Batch((0..3).filter_map(|_| self.obstacle()).map(Edit::Add).collect()),
            (3, Some(id)) => {
                Edit::Batch(vec![Edit::Move(id, self.obstacle()?), Edit::Move(id, self.obstacle()?)])
            }
            (4 | 5, Some(id)) => Edit::Move(id, self.obstacle()?),
            (6 | 7, Some(id)) if known.len() > 3 => Edit::Remove(id),
            _ => Edit::Add(self.obstacle()?),
        })
    }

    /// Makes a random edit, or takes the last one back. `None` if it was refused.
    fn step(&mut self) -> Option<Changes> {
        if self.random.chance(0.15)
            && let Some(last) = self.history.pop()
        {
            let changes = self.live.undo(&last).unwrap();
            self.doors = self.live.doors().collect();
            return Some(changes);
        }
        let edit = self.edit()?;
        let changes = self.live.apply(&edit).ok()?;
        self.history.push(changes.clone());
        self.doors = self.live.doors().collect();
        Some(changes)
    }
}

fn judge_edits(seed: u64, tally: &mut Tally) {
    let mut random = Random::new(seed);
    let Some(mesh) = with_heights(&Ribbon::random(&mut random)) else { return };
    if mesh.check().iter().any(|flaw| flaw.kind == FlawKind::Fold) {
        return;
    }
    let Ok(live) = LiveMesh::new(mesh.clone()) else { return };
    let Ok(mut skeleton) = Skeleton::build(live.mesh()) else { return };
    if !skeleton.is_layered() {
        return;
    }
    tally.worlds += 1;
    tally.three_sheets += usize::from(skeleton.sheet_count() > 2);
    let mut world = World { first: mesh, live, doors: Vec::new(), history: Vec::new(), random };
    for number in 0..16 {
        let Some(changes) = world.step() else {
            tally.refused += 1;
            continue;
        };
        tally.edits += 1;
        tally.walls += changes.walls_gone.len() + changes.walls_come.len();
        let mesh = world.live.mesh();
        let name = format!("seed {seed} edit {number}");
        if let Err(error) = skeleton.apply_at(mesh, &changes) {
            return tally.wrong.push(format!("{name}: {error}"));
        }
        let fresh = Skeleton::build(mesh).unwrap();
        if !are_same(&circles(&skeleton), &circles(&fresh)) {
            return tally.wrong.push(format!("{name}: other circles than those of a build"));
        }
        if number % 4 == 3 {
            judge_discs(&name, mesh, &skeleton, tally);
            compare_ways(&name, mesh, [&skeleton, &fresh], tally);
        }
    }
    tally.rebuilds += skeleton.diagram().counters().rebuilds;
    tally.weak += skeleton.diagram().counters().weak_ears;
}

fn judge_discs(name: &str, mesh: &NavMesh, skeleton: &Skeleton, tally: &mut Tally) {
    let (judge, floors) = (Judge { mesh }, skeleton.floors(mesh));
    for (id, vertex) in skeleton.vertices().filter(|(_, vertex)| vertex.radius > 1e-6) {
        tally.discs += 1;
        if !floors.cell(id).is_some_and(|cell| judge.agrees(cell.0, vertex.at, vertex.radius)) {
            return tally.wrong.push(format!("{name}: disc {vertex:?} in {:?}", floors.cell(id)));
        }
    }
}

/// Widest ways of a skeleton that followed, of a build, and of the mesh.
fn compare_ways(name: &str, mesh: &NavMesh, skeletons: [&Skeleton; 2], tally: &mut Tally) {
    let places: Vec<Location> = mesh.random_points(7).take(24).collect();
    for pair in places.chunks(2) {
        tally.pairs += 1;
        let ours = skeletons.map(|skeleton| skeleton.widest_between(mesh, pair[0], pair[1]));
        let [one, other] = ours.map(|way| way.map(|way| way.radius));
        let theirs = mesh.widest_radius(pair[0], pair[1]);
        let agree = match (one, other, theirs) {
            (None, None, None) => true,
            (Some(a), Some(b), Some(c)) => (a - b).abs() <= 1e-9 && a * (1.0 + 1e-12) >= c,
            _ => false,
        };
        if !agree {
            tally.wrong.push(format!("{name}: widest {one:?}, {other:?} and {theirs:?} from {pair:?}"));
        }
        let most = 1.0 + 2f64.powi(-22);
        if one.zip(theirs).is_some_and(|(a, c)| a > c * most) {
            tally.narrower += 1;
            let anew = widest_anew(mesh, pair);
            if anew != theirs {
                tally
                    .wrong
                    .push(format!("{name}: widest {theirs:?}, but {anew:?} when made anew, from {pair:?}"));
            }
        }
    }
}

/// The widest radius between two places on the same mesh with clearances that are made anew.
fn widest_anew(mesh: &NavMesh, pair: &[Location]) -> Option<f64> {
    let compacted = mesh.compacted();
    let parts = MeshParts { doors: Vec::new(), ..compacted.parts().clone() };
    let anew = NavMesh::from_parts(parts).unwrap_or_else(|flaws| panic!("{flaws:?}"));
    let [a, b] = [0, 1].map(|end| anew.nearest(mesh.place(pair[end]), 0.01));
    anew.widest_radius(a?, b?)
}

/// Walls are looked for from a portal as a whole. A wall of another floor under one end of it, to which a way leads around
/// from the other end, counts as near. The skeleton is right there, as the judge says of its discs. Edits are not to blame:
/// the same mesh made anew is as narrow.
#[test]
fn the_mesh_may_be_narrower_than_the_skeleton() {
    let mut narrower = 0;
    for seed in [100_960, 103_090, 105_652, 105_899] {
        let mut tally = Tally::default();
        judge_edits(seed, &mut tally);
        assert_eq!(tally.wrong, Vec::<String>::new(), "seed {seed}");
        narrower += tally.narrower;
    }
    assert!(narrower > 0, "mended: take it out of docs/limits.md");
}

/// Cells that came back could not be merged with their neighbours. The attempt counted as two edits of the mesh, of which the
/// changes did not tell.
#[test]
fn an_edit_tells_the_epoch_of_the_mesh_after_it() {
    let mut tally = Tally::default();
    judge_edits(100_007, &mut tally);
    assert_eq!((tally.worlds, tally.wrong), (1, Vec::new()));
}

#[test]
fn skeletons_that_follow_edits_are_those_of_a_build() {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse().ok());
    let (first, count) = (number("RIBBON_SEED").unwrap_or(0), number("EDITS").unwrap_or(60));
    let mut tally = Tally::default();
    let (mut seed, mut told) = (first as u64, 0);
    while tally.worlds < count {
        judge_edits(seed, &mut tally);
        seed += 1;
        if tally.worlds % 1_000 == 0 && tally.worlds > told {
            told = tally.worlds;
            println!("before seed {seed}: {tally:?}");
        }
    }
    let wrong = std::mem::take(&mut tally.wrong);
    println!("{tally:?}, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{} wrong in {tally:?}: {:#?}", wrong.len(), &wrong[..wrong.len().min(12)]);
    assert!(tally.edits > 6 * tally.worlds, "{tally:?}");
    assert!(tally.rebuilds * 20 < tally.edits as u64 && tally.narrower * 100 < tally.pairs, "{tally:?}");
}
