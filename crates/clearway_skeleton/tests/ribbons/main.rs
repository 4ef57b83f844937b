//! Random surfaces that lie over themselves, judged by brute force: straight ways from cell to cell.
//!
//! A ribbon of two lanes winds and turns on the spot, so it passes over and under itself many times. It has pillars, walls
//! between its lanes, closed gates and points at which only portals end. The judge knows cells and portals only.
#![allow(clippy::unwrap_used, clippy::panic)]

mod doors;
#[cfg(feature = "live")]
mod edits;

use clearway_geometry::predicates::orient;
use clearway_geometry::{Grid, NONE, Point, Vec2};
use clearway_nav::mesh::{PortalRecord, Relief, Side};
use clearway_nav::{FlawKind, Location, MeshParts, NavMesh};
use clearway_scenes::Random;
use clearway_skeleton::Skeleton;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Cells as rings of vertices, and the sides that are closed although two cells share them.
#[derive(Default)]
struct Ribbon {
    points: Vec<Point>,
    cells: Vec<Vec<u32>>,
    closed: Vec<[u32; 2]>,
}

impl Ribbon {
    fn random(random: &mut Random) -> Ribbon {
        let mut ribbon = Ribbon::default();
        let (mut at, mut heading) = (Vec2::default(), random.range(0.0, std::f64::consts::TAU));
        let bend = random.range(-1.2, 1.2);
        let mut section = ribbon.section(at, heading, random);
        for _ in 0..6 + random.below(20) {
            for _ in 0..8 {
                let turn = bend + random.range(-0.5, 0.5);
                let step = random.range(200.0, 2500.0);
                let (next, way) = (heading + turn, heading + 0.5 * turn);
                let to = at + Vec2::new(way.cos(), way.sin()) * step;
                let before = ribbon.points.len();
                let mut after = ribbon.section(to, next, random);
                match random.below(5) {
                    0 => after[0] = section[0],
                    1 => after[2] = section[2],
                    _ => {}
                }
                if ribbon.add(section, after, random) {
                    (section, at, heading) = (after, to, next);
                    break;
                }
                ribbon.points.truncate(before);
            }
        }
        ribbon.without_unused()
    }

    /// A cross section: left, middle, right.
    fn section(&mut self, at: Vec2, heading: f64, random: &mut Random) -> [u32; 3] {
        let left = Vec2::new(-heading.sin(), heading.cos());
        let offsets =
            [random.range(300.0, 1500.0), random.range(-200.0, 200.0), -random.range(300.0, 1500.0)];
        offsets.map(|offset| {
            let spot = at + left * offset;
            self.points.push(Point::new(spot.x.round() as i32, spot.y.round() as i32));
            self.points.len() as u32 - 1
        })
    }

    /// Adds both lanes between two sections. False if they are not convex.
    fn add(&mut self, [l, m, r]: [u32; 3], [l2, m2, r2]: [u32; 3], random: &mut Random) -> bool {
        let mut lanes = [vec![m, m2, l2, l], vec![r, r2, m2, m]];
        lanes.iter_mut().for_each(|lane| lane.dedup());
        if !lanes.iter().all(|lane| self.is_convex(lane)) {
            return false;
        }
        for lane in lanes {
            if !(random.chance(0.3) && self.add_around_pillar(&lane, random)) {
                self.cells.push(lane);
            }
        }
        if random.chance(0.3) {
            self.closed.push([m, m2]);
        }
        if random.chance(0.15) {
            self.closed.push(if random.chance(0.5) { [l2, m2] } else { [m2, r2] });
        }
        true
    }

    /// Adds a cell as a ring of cells around a pillar.
    fn add_around_pillar(&mut self, ring: &[u32], random: &mut Random) -> bool {
        let count = ring.len();
        let middle = ring.iter().fold(Vec2::default(), |sum, v| sum + self.points[*v as usize].as_vec2())
            * (1.0 / count as f64);
        let (share, first) = (random.range(0.1, 0.7), self.points.len() as u32);
        for &v in ring {
            let spot = middle + (self.points[v as usize].as_vec2() - middle) * share;
            self.points.push(Point::new(spot.x.round() as i32, spot.y.round() as i32));
        }
        let quads: Vec<Vec<u32>> = (0..count)
            .map(|i| {
                let j = (i + 1) % count;
                vec![ring[i], ring[j], first + j as u32, first + i as u32]
            })
            .collect();
        let is_sound = quads.iter().all(|quad| self.is_convex(quad));
        if is_sound {
            self.cells.extend(quads);
        } else {
            self.points.truncate(first as usize);
        }
        is_sound
    }

    fn is_convex(&self, ring: &[u32]) -> bool {
        let at = |i: usize| self.points[ring[i % ring.len()] as usize];
        ring.len() > 2 && (0..ring.len()).all(|i| orient(at(i), at(i + 1), at(i + 2)) > 0)
    }

    fn without_unused(mut self) -> Ribbon {
        let mut name = vec![NONE; self.points.len()];
        let mut points = Vec::new();
        for v in self.cells.iter_mut().flatten() {
            if name[*v as usize] == NONE {
                name[*v as usize] = points.len() as u32;
                points.push(self.points[*v as usize]);
            }
            *v = name[*v as usize];
        }
        self.closed.iter_mut().flatten().for_each(|v| *v = name[*v as usize]);
        Ribbon { points, ..self }
    }

    fn mesh(&self) -> NavMesh {
        NavMesh::from_parts(self.parts()).unwrap_or_else(|flaws| panic!("{flaws:?}"))
    }

    fn parts(&self) -> MeshParts {
        let mut parts = MeshParts::empty(Grid::new([0.0, 0.0], -10).unwrap());
        parts.points = self.points.clone();
        let mut open: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        let is_closed = |a: u32, b: u32| self.closed.iter().any(|pair| *pair == [a, b] || *pair == [b, a]);
        let sides = |ring: &Vec<u32>| {
            (0..ring.len()).map(|i| [ring[i], ring[(i + 1) % ring.len()]]).collect::<Vec<_>>()
        };
        let all: BTreeMap<[u32; 2], usize> = self
            .cells
            .iter()
            .enumerate()
            .flat_map(|(c, ring)| sides(ring).into_iter().map(move |s| (s, c)))
            .collect();
        for (cell, ring) in self.cells.iter().enumerate() {
            for [a, b] in sides(ring) {
                let beyond = all.get(&[b, a]).filter(|_| !is_closed(a, b));
                let portal = beyond.map_or(NONE, |&other| {
                    *open.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                        parts
                            .portals
                            .push(PortalRecord { vertices: [a, b], cells: [cell as u32, other as u32] });
                        parts.portals.len() as u32 - 1
                    })
                });
                parts.sides.push(Side { vertex: a, portal });
            }
            parts.first_side.push(parts.sides.len() as u32);
        }
        split_rows(&mut parts);
        let count = self.cells.len();
        parts.cell_region = vec![0; count];
        parts.region_count = 1;
        (parts.cell_component, parts.component_count) = components(&parts, count);
        // A face makes it a scene: a relief without any is that of a plan with area classes.
        let relief = Relief {
            points: vec![(parts.points[0], 0); 3],
            faces: vec![[0, 1, 2]],
            chart_of: vec![0],
            first_patch: vec![0; count + 1],
            area_of: vec![0; count],
            ..Relief::default()
        };
        parts.relief = Some(Arc::new(relief));
        parts
    }
}

/// Gives each row of cells around a point a vertex of its own, as meshes in layers have it.
fn split_rows(parts: &mut MeshParts) {
    let after: Vec<usize> = parts
        .first_side
        .windows(2)
        .flat_map(|ends| (ends[0]..ends[1]).map(|i| if i + 1 == ends[1] { ends[0] } else { i + 1 } as usize))
        .collect();
    let mut row: Vec<usize> = (0..parts.sides.len()).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for i in 0..row.len() {
            for j in (0..i)
                .filter(|&j| parts.sides[i].portal != NONE && parts.sides[i].portal == parts.sides[j].portal)
            {
                for (one, other) in [(i, after[j]), (j, after[i])] {
                    let least = row[one].min(row[other]);
                    changed |= row[one] != least || row[other] != least;
                    (row[one], row[other]) = (least, least);
                }
            }
        }
    }
    let old: Vec<u32> = parts.sides.iter().map(|side| side.vertex).collect();
    let points = std::mem::take(&mut parts.points);
    let mut name = vec![NONE; row.len()];
    for i in 0..row.len() {
        if name[row[i]] == NONE {
            name[row[i]] = parts.points.len() as u32;
            parts.points.push(points[old[i] as usize]);
        }
        parts.sides[i].vertex = name[row[i]];
    }
    for i in 0..row.len() {
        let portal = parts.sides[i].portal;
        if portal != NONE && parts.portals[portal as usize].vertices == [old[i], old[after[i]]] {
            let ends = [i, after[i]].map(|side| parts.sides[side].vertex);
            parts.portals[portal as usize].vertices = ends;
        }
    }
}

fn components(parts: &MeshParts, count: usize) -> (Vec<u32>, u32) {
    let mut of_cell = vec![NONE; count];
    let mut number = 0;
    for first in 0..count {
        if of_cell[first] != NONE {
            continue;
        }
        let mut waiting = vec![first as u32];
        while let Some(cell) = waiting.pop() {
            if of_cell[cell as usize] == NONE {
                of_cell[cell as usize] = number;
                let beside = parts.portals.iter().filter(|portal| portal.cells.contains(&cell));
                waiting.extend(beside.flat_map(|portal| portal.cells));
            }
        }
        number += 1;
    }
    (of_cell, number)
}

/// The judge: straight ways over cells and portals.
struct Judge<'a> {
    mesh: &'a NavMesh,
}

impl Judge<'_> {
    /// Goes straight from a place in a cell, at most so far. Returns the way to the wall or the whole, and the last cell.
    fn walk(&self, mut cell: u32, x: Vec2, way: Vec2, most: f64) -> (f64, u32) {
        let graph = self.mesh.graph();
        let mut came_by = usize::MAX;
        for _ in 0..200 {
            let mut exit = (most, None);
            for side in graph.sides(cell).filter(|&side| side != came_by) {
                let [a, b] = graph.ends(cell, side);
                let rise = (b - a).cross(way);
                if rise < 0.0 {
                    let t = (b - a).cross(a - x) / rise;
                    // Edited cells have sides that run straight on: the way leaves by the one that it meets.
                    let is_met =
                        || (0.0..=1.0).contains(&((x + way * t - a).dot(b - a) / (b - a).length_squared()));
                    if t < exit.0 - 1e-9 || (t < exit.0 + 1e-9 && is_met()) {
                        exit = (t, Some(side));
                    }
                }
            }
            match exit.1 {
                None => return (most, cell),
                Some(side) if graph.beyond[side] == NONE => return (exit.0.max(0.0), cell),
                Some(side) => (cell, came_by) = (graph.beyond[side], graph.twin[side] as usize),
            }
        }
        (0.0, cell)
    }

    /// The distance of the nearest wall that a straight way leads to.
    fn clearance(&self, cell: u32, x: Vec2) -> f64 {
        let graph = self.mesh.graph();
        let mut best = f64::INFINITY;
        for other in 0..graph.cell_slots() as u32 {
            for side in graph.sides(other).filter(|&side| graph.beyond[side] == NONE) {
                let [a, b] = graph.ends(other, side);
                let ends = [graph.vertex[side], graph.vertex[graph.next(other, side)]];
                let foot = x.nearest_on(a, b);
                let corner = if foot == a { Some(ends[0]) } else { (foot == b).then_some(ends[1]) };
                let d = foot - x;
                let length = d.length();
                if length >= best {
                    continue;
                }
                if length < 1e-9 {
                    best = if other == cell { 0.0 } else { best };
                    continue;
                }
                let most = length * (1.0 - 1e-9);
                let (gone, last) = self.walk(cell, x, d * (1.0 / length), most);
                let arrives = match corner {
                    Some(vertex) => graph.sides(last).any(|side| graph.vertex[side] == vertex),
                    None => last == other,
                };
                if gone < best && (gone < most || arrives) {
                    best = gone;
                }
            }
        }
        best
    }

    /// True if the clearance is this one, up to a thousandth of a grid unit. Ways that graze a corner are asked again from
    /// beside it.
    fn agrees(&self, cell: u32, x: Vec2, radius: f64) -> bool {
        let beside = [(0.0, 0.0), (1e-5, 2e-5), (-3e-5, 1e-5), (2e-5, -3e-5), (-1e-5, -2e-5)];
        beside.iter().any(|(dx, dy)| {
            let at = x + Vec2::new(*dx, *dy);
            (self.clearance(cell, at) - radius).abs() < 1e-3
        })
    }
}

#[derive(Debug, Default)]
struct Tally {
    worlds: usize,
    layered: usize,
    folded: usize,
    most_sheets: usize,
    opened: usize,
    discs: usize,
    places: usize,
    pairs: usize,
    /// Pairs for which the peak graph of the mesh is wider.
    less: usize,
    wrong: Vec<String>,
    weak: u64,
}

fn judge_world(seed: u64, tally: &mut Tally) {
    let mut random = Random::new(seed);
    let mesh = Ribbon::random(&mut random).mesh();
    let skeleton = match Skeleton::build(&mesh) {
        Ok(skeleton) => skeleton,
        Err(error) => return tally.wrong.push(format!("seed {seed}: {error}")),
    };
    tally.worlds += 1;
    tally.layered += usize::from(skeleton.is_layered());
    tally.most_sheets = tally.most_sheets.max(skeleton.sheet_count());
    tally.opened += skeleton.connection_count();
    tally.weak += skeleton.diagram().counters().weak_ears;
    // Cells that fill more than a full turn from wall to wall are no lawful mesh. There only the discs are judged.
    let is_lawful = !mesh.check().iter().any(|flaw| flaw.kind == FlawKind::Fold);
    tally.folded += usize::from(!is_lawful);
    let audit = skeleton.audit(&mesh);
    if is_lawful && !audit.is_clean() {
        tally.wrong.push(format!("seed {seed}: {audit:?}"));
    }
    let (judge, floors) = (Judge { mesh: &mesh }, skeleton.floors(&mesh));
    for (id, vertex) in skeleton.vertices().filter(|(_, vertex)| vertex.radius > 1e-6) {
        tally.discs += 1;
        let cell = floors.cell(id);
        if !cell.is_some_and(|cell| judge.agrees(cell.0, vertex.at, vertex.radius)) {
            tally.wrong.push(format!("seed {seed}: disc {vertex:?} in {cell:?}"));
        }
    }
    if is_lawful {
        judge_places(seed, &mesh, &skeleton, &judge, tally);
        compare_widest(seed, &mesh, &skeleton, tally);
    }
}

fn judge_places(seed: u64, mesh: &NavMesh, skeleton: &Skeleton, judge: &Judge<'_>, tally: &mut Tally) {
    let places: Vec<Location> = mesh.random_points(seed).take(24).collect();
    for &at in &places {
        tally.places += 1;
        let ours = skeleton.clearance_at(mesh, at).map(|found| found.distance / mesh.unit());
        let spot = skeleton.units(at.position());
        if !ours.is_some_and(|ours| judge.agrees(at.cell().0, spot, ours)) {
            let brute = judge.clearance(at.cell().0, spot);
            tally.wrong.push(format!("seed {seed}: clearance {ours:?} instead of {brute} at {at:?}"));
        }
    }
}

fn compare_widest(seed: u64, mesh: &NavMesh, skeleton: &Skeleton, tally: &mut Tally) {
    let places: Vec<Location> = mesh.random_points(seed).take(24).collect();
    // A single sheet is a plan.
    let flat = (!skeleton.is_layered()).then(|| {
        let parts = MeshParts { relief: None, ..mesh.parts().clone() };
        NavMesh::from_parts(parts).unwrap()
    });
    for pair in places.chunks(2) {
        tally.pairs += 1;
        let theirs = flat.as_ref().unwrap_or(mesh).widest_radius(pair[0], pair[1]);
        let ours = skeleton.widest_between(mesh, pair[0], pair[1]).map(|way| way.radius);
        let agree = match (ours, theirs) {
            (None, None) => true,
            (Some(a), Some(b)) => a <= b * (1.0 + 2f64.powi(-22)),
            _ => false,
        };
        let is_less = ours.zip(theirs).is_some_and(|(a, b)| a * (1.0 + 1e-12) < b);
        tally.less += usize::from(is_less);
        if !agree || is_less {
            tally.wrong.push(format!("seed {seed}: widest {ours:?} and {theirs:?} from {pair:?}"));
        }
    }
}

#[test]
fn every_disc_is_empty_on_surfaces_that_lie_over_themselves() {
    let first = std::env::var("RIBBON_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let count = std::env::var("RIBBONS").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    let mut tally = Tally::default();
    for seed in first..first + count {
        judge_world(seed, &mut tally);
    }
    let wrong = std::mem::take(&mut tally.wrong);
    println!("{tally:?}, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{} wrong in {tally:?}: {:#?}", wrong.len(), &wrong[..wrong.len().min(12)]);
    assert!(tally.layered * 5 > tally.worlds && tally.most_sheets > 2, "{tally:?}");
}
