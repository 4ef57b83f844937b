//! Finds what takes head-room over a face within one column, and along which lines it ends there.
//!
//! The slab is that of the exact route: open, with unrounded heights. Two rules are simpler. Of one floor drawn twice
//! the first one stays, not the upper one. Low risers and undersides of what stands on a floor are not exempt. Cost:
//! one clip per obstacle in the column.

use crate::surface::faces::soup::{Kind, Soup};
use crate::surface::headroom::clip::{Knot, Line, Polygon, area};
use crate::surface::headroom::prism::{FaceView, Prisms};
use crate::surface::sheets::voxel::spans::Span;
use crate::surface::tolerances::prism::SAME_FLOOR;
use crate::surface::tolerances::voxel_pieces::{BEYOND, LAST, MOST_KNOTS, SHORTEST};
use clearway_geometry::boxes::Box2;
use clearway_geometry::predicates::orient;
use clearway_geometry::{Point, Vec2};

/// A line with the blocked side on its left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Straight {
    /// A point of the line, in grid units.
    pub at: Vec2,
    /// Its direction, one unit long.
    pub along: Vec2,
}

impl Straight {
    /// Returns the point of the line nearest to `of`.
    pub fn foot(&self, of: Vec2) -> Vec2 {
        self.at + self.along * self.along.dot(of - self.at)
    }

    /// Returns the point where two lines meet, unless they are nearly parallel.
    pub fn meeting(&self, other: &Straight) -> Option<Vec2> {
        let turn = self.along.cross(other.along);
        let ahead = (other.at - self.at).cross(other.along) / turn;
        (turn.abs() > 1e-3).then(|| self.at + self.along * ahead)
    }
}

/// A column, and all faces that pass through it.
pub struct Shaft<'a> {
    /// The faces as the exact route sees them.
    pub prisms: &'a Prisms<'a>,
    /// The square of the column.
    pub section: Box2,
    /// The parts of faces in the column.
    pub spans: &'a [Span],
}

/// The part of a face's head-room in a column that one obstacle takes, in projection.
pub struct Piece {
    /// The face.
    pub face: u32,
    /// The first corner of the face; knots are relative to it.
    base: Vec2,
    /// The corners of the piece, counter-clockwise.
    knots: Vec<Knot>,
}

impl Shaft<'_> {
    /// True if obstacles take at least `least` square grid units over a face, so that the column counts as blocked.
    pub fn is_blocked(&self, floor: &Span, least: f64) -> bool {
        let soup = self.prisms.soup;
        let height = self.prisms.limits.height;
        let centre = Point::new(
            i32::midpoint(self.section.min.x, self.section.max.x),
            i32::midpoint(self.section.min.y, self.section.max.y),
        );
        let is_within = |face: u32| {
            let [a, b, c] = soup.corners(face).map(|corner| corner.at);
            [(a, b), (b, c), (c, a)].iter().all(|(p, q)| orient(*p, *q, centre) > 0)
        };
        let level = |face: u32| soup.height_at(face, centre.as_vec2());
        let takes_centre = |span: &Span| {
            let over = level(span.face) - level(floor.face);
            over > SAME_FLOOR && over < height - 1.0 && is_within(span.face)
        };
        if self.obstacles(floor).next().is_none() {
            return false;
        }
        // An obstacle clearly over the centre decides many columns without any clipping.
        if is_within(floor.face) && self.obstacles(floor).any(takes_centre) {
            return true;
        }
        let mut taken = 0.0;
        for piece in self.pieces(floor) {
            taken += area(&piece.knots);
            if taken >= least {
                return true;
            }
        }
        false
    }

    /// Returns what takes head-room over a face, one piece per obstacle.
    pub fn pieces(&self, floor: &Span) -> impl Iterator<Item = Piece> {
        let view = FaceView::new(self.prisms, floor.face);
        let (face, base) = (floor.face, view.corners[0].at.as_vec2());
        self.obstacles(floor).filter_map(move |span| {
            let knots = cut(&view, self.prisms.soup, span.face, &self.section)?;
            Some(Piece { face, base, knots })
        })
    }

    /// Returns the other spans of the column at a height that matters.
    fn obstacles(&self, floor: &Span) -> impl Iterator<Item = &Span> {
        let lowest = f64::from(floor.low) - SAME_FLOOR;
        let highest = f64::from(floor.high) + self.prisms.limits.height;
        let face = floor.face;
        self.spans.iter().filter(move |span| {
            span.face != face && f64::from(span.high) >= lowest && f64::from(span.low) < highest
        })
    }
}

/// Returns the part of a face and of a column that an obstacle blocks, counter-clockwise.
fn cut(view: &FaceView, soup: &Soup, obstacle: u32, section: &Box2) -> Option<Vec<Knot>> {
    let is_floor = soup.faces[obstacle as usize].kind == Kind::Walkable;
    let corners = soup.corners(obstacle);
    if !view.is_in_slab(obstacle) || view.is_apart(&corners) {
        return None;
    }
    let over = corners.map(|corner| view.plane.over(corner));
    let mut polygon = Polygon::<MOST_KNOTS>::of(corners.map(|corner| view.relative(corner.at)), over);
    let [min, max] = [section.min, section.max].map(|corner| view.relative(corner));
    polygon.clip(Line::Column, |knot| knot.at.x - min.x);
    polygon.clip(Line::Column, |knot| max.x - knot.at.x);
    polygon.clip(Line::Column, |knot| knot.at.y - min.y);
    polygon.clip(Line::Column, |knot| max.y - knot.at.y);
    for edge in 0..3 {
        let [start, end] = [edge, (edge + 1) % 3].map(|i| view.relative(view.corners[i].at));
        let inward = (end - start).unit().perp();
        polygon.clip(Line::Face(edge as u8), |knot| inward.dot(knot.at - start));
    }
    let has_area = |knots: &[Knot]| knots.len() >= 3 && area(knots) >= 0.5;
    if !has_area(polygon.knots()) {
        return None;
    }
    if is_floor && polygon.knots().iter().all(|knot| knot.over.abs() <= SAME_FLOOR) {
        // Of one floor drawn twice the first one stays.
        return (obstacle < view.number).then(|| polygon.knots().to_vec());
    }
    polygon.clip(Line::Floor, |knot| knot.over);
    polygon.clip(Line::Ceiling, |knot| view.limits.height - knot.over);
    has_area(polygon.knots()).then(|| polygon.knots().to_vec())
}

/// Returns the line that bounds what is blocked in a column towards `side`, and the face over which it runs.
///
/// The line is the longest edge of a piece, as seen from that side, beyond which no other piece lies.
pub fn line_towards(pieces: &[Piece], side: Vec2) -> Option<(Straight, u32)> {
    let mut best: Option<(f64, Straight, u32)> = None;
    for piece in pieces {
        for (i, knot) in piece.knots.iter().enumerate() {
            let end = piece.knots[(i + 1) % piece.knots.len()].at;
            let (length, along) = ((end - knot.at).length(), (end - knot.at).unit());
            let outward = -along.perp();
            let seen = outward.dot(side);
            // Sides of the column are no real edges, and edges that hardly face the side do not bound it.
            if knot.line == Line::Column || length < SHORTEST || seen < 0.2 {
                continue;
            }
            let at = piece.base + knot.at;
            let beyond = at + along * (0.5 * length) + outward * BEYOND;
            // Where one floor is drawn twice, an edge of the face may bound what is blocked; elsewhere the chart itself
            // ends there.
            let weight = if matches!(knot.line, Line::Face(_)) { LAST } else { 1.0 };
            let score = weight * seen * seen * length;
            if best.as_ref().is_none_or(|best| score > best.0)
                && !pieces.iter().any(|other| other.holds(beyond))
            {
                best = Some((score, Straight { at, along }, piece.face));
            }
        }
    }
    best.map(|(_, line, face)| (line, face))
}

impl Piece {
    /// True if the piece holds a point.
    fn holds(&self, at: Vec2) -> bool {
        let at = at - self.base;
        let ends = self.knots.iter().cycle().skip(1);
        self.knots.iter().zip(ends).all(|(knot, end)| (end.at - knot.at).cross(at - knot.at) >= 0.0)
    }
}
