//! The judge of paths: tests every law of a path without any help from the planners.
//!
//! It compares each piece with each wall, which is slow and hard to get wrong. Distances are exact up to rounding. Only
//! one thing is sampled: the floor on which a piece passes a wall.

use super::ground::HeightLine;
use super::{Path, Piece};
use crate::mesh::{CellId, NavMesh, VertexId};
use crate::tolerances::judge::{COORDINATES, IN_SECTOR, NEARLY_POINT, PASSED, RELATIVE};
use clearway_geometry::{Vec2, vec2::segment_distance};
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// The number of steps along a piece at which its point nearest to a wall is sampled. That point decides whether both
/// lie on one floor.
const SAMPLES: u32 = 256;

/// Checks the laws of a path. It starts and ends where it says. Its pieces join end to end and add up to its length.
/// Every piece keeps the radius away from every wall. A point may touch walls, but neither cross them nor slip through
/// where two of them touch. The error describes the first violation.
pub fn verify(mesh: &NavMesh, path: &Path) -> Result<(), String> {
    path.walks().iter().try_for_each(|walk| verify_walk(mesh, walk))
}

/// Checks a path without links.
fn verify_walk(mesh: &NavMesh, path: &Path) -> Result<(), String> {
    let judge = Judge::new(mesh, path);
    judge.check_joints()?;
    judge.check_arcs()?;
    judge.check_length()?;
    judge.check_walls()?;
    judge.check_passages()
}

/// A wall in plan coordinates; the free side is on the left.
pub(super) struct Wall {
    /// Its ends.
    ends: [Vec2; 2],
    /// The vertices at its ends.
    vertices: [VertexId; 2],
    /// The cell that it bounds.
    cell: CellId,
}

/// Returns the walls of a cell.
pub(super) fn walls_of(mesh: &NavMesh, cell: CellId) -> impl Iterator<Item = Wall> + use<'_> {
    let sides = mesh.cell(cell).into_iter().flat_map(|cell| cell.sides());
    sides.filter(|side| side.portal.is_none()).filter_map(move |side| {
        let vertices = [side.from, side.to];
        let [from, to] = vertices.map(|vertex| mesh.position(vertex));
        Some(Wall { ends: [from?, to?].map(vector), vertices, cell })
    })
}

/// A path on trial.
pub(super) struct Judge<'a> {
    /// The mesh.
    mesh: &'a NavMesh,
    /// The path, without links.
    path: &'a Path,
    /// The height of the path in a scene: walls of other floors do not count.
    heights: Option<HeightLine>,
    /// All walls of the mesh.
    walls: Vec<Wall>,
    /// Tolerance for rounding of coordinates, in metres.
    pub(super) rounding: f64,
}

/// Returns a point as a vector.
fn vector([x, y]: [f64; 2]) -> Vec2 {
    Vec2::new(x, y)
}

/// Returns start and end of a piece.
fn ends(piece: &Piece) -> [Vec2; 2] {
    [piece.from(), piece.to()].map(vector)
}

impl<'a> Judge<'a> {
    /// Collects the walls and the tolerances.
    fn new(mesh: &'a NavMesh, path: &'a Path) -> Judge<'a> {
        Judge::among(mesh, path, mesh.cells().flat_map(|cell| walls_of(mesh, cell.id())).collect())
    }

    /// As [`new`](Judge::new), with the walls that count.
    pub(super) fn among(mesh: &'a NavMesh, path: &'a Path, walls: Vec<Wall>) -> Judge<'a> {
        let bounds = mesh.bounds().unwrap_or_default();
        let size = bounds.as_flattened().iter().fold(mesh.unit(), |size, c| size.max(c.abs()));
        // A point of a path is a few roundings away from the coordinates of the walls it is made from.
        let rounding = COORDINATES * size;
        Judge { mesh, path, heights: path.heights(mesh), walls, rounding }
    }

    /// Adds walls that count.
    pub(super) fn add_walls(&mut self, walls: Vec<Wall>) {
        self.walls.extend(walls);
    }

    /// Checks that pieces join end to end, from start to goal.
    pub(super) fn check_joints(&self) -> Result<(), String> {
        let mut at = vector(self.path.start);
        let slack = RELATIVE * self.path.length.max(self.path.radius) + self.rounding;
        for (number, piece) in self.path.pieces.iter().enumerate() {
            let [from, to] = ends(piece);
            // Written so that a value that is not a number fails.
            let joins = from.distance(at) <= slack;
            if !joins {
                return Err(format!("piece {number} starts at {from:?}, away from {at:?}"));
            }
            at = to;
        }
        let goal = vector(self.path.goal);
        if at.distance(goal) <= slack {
            Ok(())
        } else {
            Err(format!("the last piece ends at {at:?} and not at the goal {goal:?}"))
        }
    }

    /// Checks that each arc ends where its turn leads.
    pub(super) fn check_arcs(&self) -> Result<(), String> {
        for (number, piece) in self.path.pieces.iter().enumerate() {
            let Piece::Arc { center, from, to, turn } = *piece else { continue };
            let [spoke, last] = [from, to].map(|end| vector(end) - vector(center));
            let (sin, cos) = turn.sin_cos();
            let turned = Vec2::new(spoke.x * cos - spoke.y * sin, spoke.x * sin + spoke.y * cos);
            let slack = RELATIVE * spoke.length() + self.rounding;
            let ends_there = turned.distance(last) <= slack;
            if !ends_there {
                return Err(format!("piece {number} turns by {turn} to {turned:?} and not to {last:?}"));
            }
        }
        Ok(())
    }

    /// Checks that the lengths of the pieces add up.
    pub(super) fn check_length(&self) -> Result<(), String> {
        let sum: f64 = self.path.pieces.iter().map(Piece::length).sum();
        let slack = RELATIVE * sum + self.rounding * (1 + self.path.pieces.len()) as f64;
        if (sum - self.path.length).abs() <= slack {
            Ok(())
        } else {
            Err(format!("the pieces are {sum} long together, the path says {}", self.path.length))
        }
    }

    /// Checks that every piece keeps away from every wall on its floor and crosses none.
    fn check_walls(&self) -> Result<(), String> {
        (0..self.path.pieces.len()).try_for_each(|number| self.check_piece(number, &self.walls))
    }

    /// Checks that a piece keeps away from some walls on its floor and crosses none.
    pub(super) fn check_piece(&self, number: usize, walls: &[Wall]) -> Result<(), String> {
        let least = self.path.radius * (1.0 - RELATIVE) - self.rounding;
        let Some(piece) = self.path.pieces.get(number) else { return Ok(()) };
        for wall in walls {
            let Wall { ends: [a, b], .. } = wall;
            let distance = piece_distance(piece, *a, *b);
            let keeps_away = distance >= least || !self.is_beside(number, wall);
            if !keeps_away {
                return Err(format!(
                    "piece {number} comes within {distance} of the wall from {a:?} to {b:?}, radius {}",
                    self.path.radius
                ));
            }
            if let Piece::Segment { from, to } = *piece
                && self.crosses([from, to].map(vector), [*a, *b])
                && self.is_beside(number, wall)
            {
                return Err(format!("piece {number} crosses the wall from {a:?} to {b:?}"));
            }
        }
        Ok(())
    }

    /// True if the point of a piece nearest to a wall lies on the floor of the wall.
    fn is_beside(&self, number: usize, wall: &Wall) -> bool {
        let Some(heights) = &self.heights else { return true };
        let piece = &self.path.pieces[number];
        let before: f64 = self.path.pieces[..number].iter().map(Piece::length).sum();
        let [a, b] = wall.ends;
        let off = |step: &u32| {
            let along = piece.length() * f64::from(*step) / f64::from(SAMPLES);
            (piece.vector_at(along).distance_to_segment(a, b), along)
        };
        let (distance, along) = (0..=SAMPLES)
            .map(|step| off(&step))
            .fold((f64::INFINITY, 0.0), |best, next| if next.0 < best.0 { next } else { best });
        let foot = piece.vector_at(along).nearest_on(a, b);
        let height = self.mesh.ground_height(wall.cell.0, self.mesh.parts.grid.units([foot.x, foot.y]));
        distance.is_finite() && heights.is_floor(before + along, height)
    }

    /// True if two segments cross by more than rounding.
    fn crosses(&self, one: [Vec2; 2], other: [Vec2; 2]) -> bool {
        let splits = |[a, b]: [Vec2; 2], ends: [Vec2; 2]| {
            let along = (b - a).unit();
            let [s, t] = ends.map(|end| along.cross(end - a));
            s.min(t) < -self.rounding && s.max(t) > self.rounding
        };
        splits(one, other) && splits(other, one)
    }

    /// Checks that the path of a point stays in one free sector at every vertex of a wall that it touches.
    pub(super) fn check_passages(&self) -> Result<(), String> {
        // A body with a radius cannot slip through a point where walls touch.
        if self.path.radius > NEARLY_POINT * self.rounding {
            return Ok(());
        }
        let mut stations = vec![vector(self.path.start)];
        stations.extend(self.path.pieces.iter().map(|piece| ends(piece)[1]));
        let all: Vec<_> = self.rays().into_iter().filter(|(_, rays)| self.is_floor_of(rays)).collect();
        for (vertex, rays) in &all {
            for (back, onward) in self.passages(&stations, rays.at) {
                // In scenes each free sector has a vertex of its own, so it suffices that one of them lets the path
                // through.
                let here = all.iter().filter(|(_, other)| other.at == rays.at);
                if !here.into_iter().any(|(_, other)| other.join(back, onward)) {
                    return Err(format!(
                        "at {:?} (vertex {vertex}) the path slips through touching walls",
                        rays.at
                    ));
                }
            }
        }
        Ok(())
    }

    /// True if the path passes a vertex on the vertex's floor.
    fn is_floor_of(&self, rays: &Rays) -> bool {
        let Some(heights) = &self.heights else { return true };
        let mut before = 0.0;
        self.path.pieces.iter().any(|piece| {
            let along = piece.nearest_to(rays.at, 0.0);
            let touches = piece.vector_at(along).distance(rays.at) <= PASSED * self.rounding;
            let is_floor = touches && heights.is_floor(before + along, rays.height);
            before += piece.length();
            is_floor
        })
    }

    /// Returns the directions back and onward wherever the path touches a point.
    fn passages(&self, stations: &[Vec2], at: Vec2) -> Vec<(Vec2, Vec2)> {
        let touches = |p: Vec2| p.distance(at) <= PASSED * self.rounding;
        let bends = stations.windows(3).filter(|s| touches(s[1])).map(|s| (s[0] - s[1], s[2] - s[1]));
        let straight = stations.windows(2).filter(|s| {
            !touches(s[0]) && !touches(s[1]) && at.distance_to_segment(s[0], s[1]) <= self.rounding
        });
        bends.chain(straight.map(|s| (s[0] - s[1], s[1] - s[0]))).collect()
    }

    /// Returns the walls around each vertex.
    fn rays(&self) -> BTreeMap<VertexId, Rays> {
        let mut rays: BTreeMap<VertexId, Rays> = BTreeMap::new();
        for Wall { ends: [a, b], vertices: [from, to], cell } in &self.walls {
            let around = |at: Vec2| {
                let height = self.mesh.ground_height(cell.0, self.mesh.parts.grid.units([at.x, at.y]));
                Rays { at, height, starts: Vec::new(), stops: Vec::new() }
            };
            rays.entry(*from).or_insert_with(|| around(*a)).starts.push(*b - *a);
            rays.entry(*to).or_insert_with(|| around(*b)).stops.push(*a - *b);
        }
        rays
    }
}

/// The walls that meet in a vertex, as directions away from it. Free sectors run counter-clockwise from each of
/// `starts` to the next of `stops`.
struct Rays {
    /// The position of the vertex.
    at: Vec2,
    /// The height of the ground there, in metres.
    height: f64,
    /// Walls that leave the vertex.
    starts: Vec<Vec2>,
    /// Walls that arrive at the vertex.
    stops: Vec<Vec2>,
}

impl Rays {
    /// True if one free sector holds both directions.
    fn join(&self, one: Vec2, other: Vec2) -> bool {
        self.starts.iter().any(|start| {
            let width = |stop: &Vec2| if turn(*start, *stop) > 0.0 { turn(*start, *stop) } else { TAU };
            let width = self.stops.iter().map(width).fold(TAU, f64::min);
            [one, other].iter().all(|direction| {
                let angle = turn(*start, *direction);
                angle <= width + IN_SECTOR || angle >= TAU - IN_SECTOR
            })
        })
    }
}

/// Returns the angle from one direction counter-clockwise to another, from 0 to below 2π.
fn turn(from: Vec2, to: Vec2) -> f64 {
    let angle = from.angle_to(to);
    if angle < 0.0 { angle + TAU } else { angle }
}

/// Returns the distance between a piece and the segment from `a` to `b`.
fn piece_distance(piece: &Piece, a: Vec2, b: Vec2) -> f64 {
    match *piece {
        // Links are not walked, so no wall is in their way.
        Piece::Link { .. } => f64::INFINITY,
        Piece::Segment { from, to } => segment_distance(vector(from), vector(to), a, b),
        Piece::Arc { center, from, to, turn } => {
            Arc { center: vector(center), from: vector(from), to: vector(to), turn }.distance(a, b)
        }
    }
}

/// An arc of a path.
struct Arc {
    /// The centre.
    center: Vec2,
    /// The start.
    from: Vec2,
    /// The end.
    to: Vec2,
    /// The angle in radians; counter-clockwise when positive.
    turn: f64,
}

impl Arc {
    /// Returns the distance to a segment. The minimum is at an end of either, or on the line from the centre upright to
    /// the segment; it is zero where they cross.
    fn distance(&self, a: Vec2, b: Vec2) -> f64 {
        if self.crossings(a, b).into_iter().any(|at| self.spans(at - self.center)) {
            return 0.0;
        }
        let own = self.from.distance_to_segment(a, b).min(self.to.distance_to_segment(a, b));
        let foot = self.center.nearest_on(a, b);
        let upright = (b - a).perp();
        let radius = self.radius();
        let far = [upright, -upright]
            .into_iter()
            .filter(|direction| self.spans(*direction))
            .map(|direction| (self.center + direction.unit() * radius).distance_to_segment(a, b));
        let near = [a, b, foot]
            .into_iter()
            .filter(|place| self.spans(*place - self.center))
            .map(|place| (place.distance(self.center) - radius).abs());
        near.chain(far).fold(own, f64::min)
    }

    /// Returns the radius.
    fn radius(&self) -> f64 {
        self.from.distance(self.center)
    }

    /// Returns the points where the full circle crosses a segment.
    fn crossings(&self, a: Vec2, b: Vec2) -> Vec<Vec2> {
        let along = (b - a).unit();
        let offset = self.center - a;
        let (middle, height) = (offset.dot(along), offset.cross(along));
        let squared = self.radius() * self.radius() - height * height;
        if squared <= 0.0 {
            return Vec::new();
        }
        let places = [middle - squared.sqrt(), middle + squared.sqrt()];
        places.into_iter().filter(|t| *t > 0.0 && *t < a.distance(b)).map(|t| a + along * t).collect()
    }

    /// True if a direction from the centre meets the arc.
    fn spans(&self, direction: Vec2) -> bool {
        let start = self.from - self.center;
        let angle = if self.turn >= 0.0 { turn(start, direction) } else { turn(direction, start) };
        angle <= self.turn.abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The distance from an arc to a segment by many samples: never below the exact one.
    fn sampled(arc: &Arc, a: Vec2, b: Vec2) -> f64 {
        let spoke = arc.from - arc.center;
        let at = |step: i32| {
            let (sin, cos) = (arc.turn * f64::from(step) / 4000.0).sin_cos();
            arc.center + Vec2::new(spoke.x * cos - spoke.y * sin, spoke.x * sin + spoke.y * cos)
        };
        (0..=4000).map(|step| at(step).distance_to_segment(a, b)).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn distances_of_arcs_agree_with_samples() {
        let mut state = 1u32;
        let mut number = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 8) / f64::from(1 << 24)
        };
        for _ in 0..2000 {
            let mut place = || Vec2::new(number() * 6.0 - 3.0, number() * 6.0 - 3.0);
            let (center, from, a, b) = (place(), place(), place(), place());
            let turn = (number() * 2.0 - 1.0) * 6.0;
            let (sin, cos) = turn.sin_cos();
            let spoke = from - center;
            let to = center + Vec2::new(spoke.x * cos - spoke.y * sin, spoke.x * sin + spoke.y * cos);
            let arc = Arc { center, from, to, turn };
            let (exact, rough) = (arc.distance(a, b), sampled(&arc, a, b));
            assert!(exact <= rough + 1e-12 && rough <= exact + 0.01, "{exact} and {rough}");
        }
    }
}
