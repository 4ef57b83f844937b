//! Follows a path without links: finds the nearest point of it that the body can walk to, and where to head from there.

use super::{FollowerOptions, Steering};
use clearway_geometry::Vec2;
use clearway_nav::mesh::NavMesh;
use clearway_nav::path::{HeightLine, Path, Piece};
use clearway_nav::query::{Location, in_world};
use std::f64::consts::FRAC_PI_2;

/// The number of pieces, nearest first, that a body that was pushed away tries to see. Trying more takes longer than a
/// new search.
const MAX_LOOKS: usize = 16;

/// A body this close to its place on the path is on it, as a share of its coordinates: floats that were handed over and
/// back may be rounded. A larger value would let a body that was nudged jump back.
const ON_PATH: f64 = 1e-9;

/// A place of a path may lie off the mesh by this much, in metres: it is rounded where it runs along a wall.
const OFF_MESH: f64 = 1e-3;

/// Follows a path without links.
#[derive(Clone, Debug)]
pub struct WalkFollower {
    /// The path.
    path: Path,
    /// The options.
    options: FollowerOptions,
    /// For each piece, the length of the path before it, in metres.
    begins: Vec<f64>,
    /// The position of the body on the path, in metres from the start.
    progress: f64,
    /// Scratch buffer: for each piece, the distance of its nearest point to the body, and the position of this point.
    near: Vec<(f64, f64)>,
    /// The height of the path in a scene; `None` before the first update and on a plan.
    heights: Option<HeightLine>,
    /// The serial number of the mesh on which the rest of the path was looked at last, and the finding.
    looked: Option<(u64, bool)>,
}

impl WalkFollower {
    /// Starts at the beginning of a path.
    pub fn new(path: Path, options: FollowerOptions) -> WalkFollower {
        let mut begins = Vec::with_capacity(path.pieces.len());
        let mut sum = 0.0;
        for piece in &path.pieces {
            begins.push(sum);
            sum += piece.length();
        }
        WalkFollower { path, options, begins, progress: 0.0, near: Vec::new(), heights: None, looked: None }
    }

    /// Returns the path that is followed.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the position of the body on the path, in metres from the start.
    pub fn progress(&self) -> f64 {
        self.progress
    }

    /// Returns the point of the path at a distance from its start, in plan coordinates.
    pub fn place_at(&self, distance: f64) -> [f64; 2] {
        let at = match self.piece_at(distance) {
            Some(number) => {
                vector(self.path.pieces[number].place_at((distance - self.begins[number]).max(0.0)))
            }
            None => vector(self.path.start),
        };
        [at.x, at.y]
    }

    /// Tells whether a body stands on the path where it was last: moved by nobody but the follower.
    pub fn is_on_path(&mut self, mesh: &NavMesh, at: Location) -> bool {
        if self.heights.is_none() {
            self.heights = self.path.heights(mesh);
        }
        let place = vector(self.place_at(self.progress));
        let is_near = place.distance(vector(at.position())) <= ON_PATH * (1.0 + place.length());
        is_near && mesh.is_here(&at) && self.is_floor(self.progress, mesh.height(at))
    }

    /// True if the rest of the path can be walked by a body that stands on it. On a mesh that no edit changes it can; after
    /// an edit it is looked at once.
    pub fn is_open(&mut self, mesh: &NavMesh, at: Location) -> bool {
        if !mesh.is_edited() {
            return true;
        }
        let serial = mesh.graph().serial;
        match self.looked {
            Some((known, is_open)) if known == serial => is_open,
            _ => {
                let is_open = self.rest(at).is_valid(mesh);
                self.looked = Some((serial, is_open));
                is_open
            }
        }
    }

    /// Returns what is left of the path for a body that stands on it.
    fn rest(&self, at: Location) -> Path {
        let first = self.piece_at(self.progress).unwrap_or(0);
        let mut pieces: Vec<Piece> = self.path.pieces.iter().skip(first).copied().collect();
        if let (Some(piece), Some(begin)) = (pieces.first_mut(), self.begins.get(first)) {
            *piece = piece.rest(self.progress - begin);
        }
        let mut cells = self.path.cells.clone();
        cells.insert(0, at.cell());
        let length = pieces.iter().map(Piece::length).sum();
        Path { start: self.place_at(self.progress), pieces, cells, length, ..self.path.clone() }
    }

    /// Moves a body that stands on the path along it. Every place of an open path is legal, so nothing is in the way.
    pub fn advance(&mut self, mesh: &NavMesh, at: Location, distance: f64) -> Location {
        let along = (self.progress + distance).min(self.path.length);
        let [x, y] = self.place_at(along);
        let found = match &self.heights {
            Some(heights) => {
                let point = in_world([x, y], heights.at(along));
                heights.locate(mesh, [x, y], along).or_else(|| mesh.nearest(point, OFF_MESH))
            }
            None => mesh.locate_near([x, y], &at).ok().or_else(|| mesh.nearest([x, y], OFF_MESH)),
        };
        let Some(found) = found else { return at };
        self.progress = along;
        found
    }

    /// Tells whether the rest of the path is no longer than the distance of arrival.
    pub fn is_at_end(&self) -> bool {
        self.path.length - self.progress <= self.options.arrival_distance.max(0.0)
    }

    /// Returns where to go from here. Call it whenever the body has moved.
    pub fn update(&mut self, mesh: &NavMesh, position: Location) -> Steering {
        let lost = Steering::lost_at(mesh, position);
        if !mesh.is_here(&position) {
            return lost;
        }
        if self.heights.is_none() {
            self.heights = self.path.heights(mesh);
        }
        let Some((apart, along)) = self.project(mesh, position) else { return lost };
        self.progress = along.max(self.progress);
        let distance_left = apart + (self.path.length - self.progress).max(0.0);
        let arrived = distance_left <= self.options.arrival_distance;
        let Corner { at, along } = self.target(mesh, position, apart);
        let height = self.heights.as_ref().map_or(0.0, |heights| heights.at(along));
        Steering {
            target: [at.x, at.y],
            point: in_world([at.x, at.y], height),
            distance_left,
            arrived,
            lost: false,
            link: None,
        }
    }

    /// Returns the point of the path, not before the present one, that is nearest to the body and can be walked to: its
    /// distance, and its position along the path.
    fn project(&mut self, mesh: &NavMesh, position: Location) -> Option<(f64, f64)> {
        let at = vector(position.position());
        let first = self.piece_at(self.progress).unwrap_or(0);
        let WalkFollower { path, near, begins, progress, .. } = self;
        near.clear();
        for (piece, begin) in path.pieces.iter().zip(&*begins).skip(first) {
            let along = piece.nearest_to(at, (*progress - begin).max(0.0));
            near.push((vector(piece.place_at(along)).distance(at), begin + along));
        }
        if path.pieces.is_empty() {
            near.push((vector(path.start).distance(at), 0.0));
        }
        // Where two pieces meet, both have the same nearest point; the later piece counts.
        near.sort_by(|p, q| p.0.total_cmp(&q.0).then(q.1.total_cmp(&p.1)));
        let rounding = 1e-9 * (1.0 + at.length());
        let height = mesh.height(position);
        let near = self.near.iter().take(MAX_LOOKS);
        near.copied().find(|(apart, along)| {
            let is_here = *apart <= rounding && self.is_floor(*along, height);
            is_here || self.sees(mesh, position, *along)
        })
    }

    /// True if the body can go straight to the point at a distance along the path.
    fn sees(&self, mesh: &NavMesh, from: Location, along: f64) -> bool {
        let hit = mesh.raycast(from, self.place_at(along), self.path.radius);
        hit.is_some_and(|hit| hit.reached() && self.is_floor(along, mesh.height(hit.at)))
    }

    /// True if a height belongs to the floor on which the path lies there; a plan has only one floor.
    fn is_floor(&self, along: f64, height: f64) -> bool {
        self.heights.as_ref().is_none_or(|heights| heights.is_floor(along, height))
    }

    /// True if the body can go straight to a corner, and comes to the floor of the path there.
    fn sees_corner(&self, mesh: &NavMesh, from: Location, corner: &Corner) -> bool {
        let hit = mesh.raycast(from, [corner.at.x, corner.at.y], self.path.radius);
        hit.is_some_and(|hit| hit.reached() && self.is_floor(corner.along, mesh.height(hit.at)))
    }

    /// Returns the point to head for: ahead along the path, or the next corner; back on the path if neither can be
    /// seen.
    fn target(&self, mesh: &NavMesh, position: Location, apart: f64) -> Corner {
        let mut ahead = self.options.look_ahead;
        let mut tries = 4;
        while ahead > 0.0 && tries > 0 {
            let along = (self.progress + ahead).min(self.path.length);
            if self.sees(mesh, position, along) {
                return Corner { at: vector(self.place_at(along)), along };
            }
            ahead *= 0.5;
            tries -= 1;
        }
        // A corner within rounding of the body is passed: a target there would not move it.
        let here = self.progress + ON_PATH * (1.0 + vector(position.position()).length());
        let passed = self.progress + self.options.corner_radius.max(0.0);
        for from in [passed.max(here), here] {
            let corner = self.corner_after(from);
            if self.sees_corner(mesh, position, &corner) {
                return corner;
            }
        }
        // Off the path, a corner may be hidden that can be seen from the path.
        if apart <= self.options.corner_radius {
            return self.corner_after(here);
        }
        Corner { at: vector(self.place_at(self.progress)), along: self.progress }
    }

    /// Returns the next corner after a position on the path: the end of a straight piece. On an arc it is the point
    /// where the tangents here and at its end meet, for at most a right angle.
    fn corner_after(&self, distance: f64) -> Corner {
        let Some(number) = self.piece_at(distance) else {
            return Corner { at: vector(self.path.goal), along: self.path.length };
        };
        match self.path.pieces[number] {
            Piece::Segment { to, .. } | Piece::Link { to, .. } => {
                Corner { at: vector(to), along: self.begins[number] + self.path.pieces[number].length() }
            }
            Piece::Arc { center, turn, .. } => {
                let along = (distance - self.begins[number]).max(0.0);
                let at = vector(self.path.pieces[number].place_at(along));
                let spoke = at - vector(center);
                let left = (turn.abs() - along / spoke.length()).clamp(0.0, FRAC_PI_2);
                let corner = at + spoke.perp() * (turn.signum() * (0.5 * left).tan());
                Corner { at: corner, along: distance + 0.5 * left * spoke.length() }
            }
        }
    }

    /// Returns the piece at a distance from the start; where two meet, the later one.
    fn piece_at(&self, distance: f64) -> Option<usize> {
        self.begins
            .partition_point(|begin| *begin <= distance)
            .max(1)
            .checked_sub(1)
            .filter(|_| !self.begins.is_empty())
    }
}

/// A point to head for.
struct Corner {
    /// The point, in plan coordinates; it may lie beside the path.
    at: Vec2,
    /// The position on the path that is nearest to it, in metres from the start.
    along: f64,
}

/// Returns a point as a vector.
fn vector([x, y]: [f64; 2]) -> Vec2 {
    Vec2::new(x, y)
}
