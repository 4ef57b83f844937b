//! Which connected pieces of the surface are kept: by size, by what can be reached, and not inside solids.

use crate::surface::WalkRules;
use crate::surface::faces::soup::{FaceBins, Soup};
use crate::surface::outline::triangulate::Outline;
use crate::surface::sheets::charts::Charts;
use crate::surface::stitch::fabric::Fabric;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_geometry::boxes::Box2;
use clearway_geometry::predicates::orient;
use clearway_geometry::vec2::beyond_triangle;
use clearway_geometry::{NONE, Point, Vec2};
use clearway_nav::mesh::{Footing, NearestFace};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Why a piece was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// It is smaller than the rules ask for.
    Small,
    /// No seed lies on it.
    Unreachable,
    /// It lies inside a closed solid.
    Inside,
}

/// A connected piece: its area in square metres, and a place on it in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub area: f64,
    pub place: [f64; 3],
    pub dropped: Option<Reason>,
}

/// Looks at the pieces of a fabric.
pub(crate) struct Sorter<'a> {
    pub soup: &'a Soup,
    pub faces: &'a FaceBins,
    pub charts: &'a Charts,
    pub rules: &'a WalkRules,
}

impl Sorter<'_> {
    /// Drops what the rules do not want, and tells about every piece; and for each triangle that is left its place among
    /// the pieces that are.
    pub fn sort(&self, fabric: &mut Fabric) -> Result<(Vec<Piece>, Vec<u32>)> {
        let (piece_of, count) = fabric.pieces();
        let mut pieces = self.measure(fabric, &piece_of, count);
        let seeded = self.seeded(fabric, &piece_of)?;
        for (number, piece) in pieces.iter_mut().enumerate() {
            piece.dropped = match () {
                () if piece.area < self.rules.min_area => Some(Reason::Small),
                () if !seeded.is_empty() && !seeded.contains(&(number as u32)) => Some(Reason::Unreachable),
                () => None,
            };
        }
        if self.rules.inside {
            pieces.par_iter_mut().filter(|piece| piece.dropped.is_none()).for_each(|piece| {
                piece.dropped = self.is_inside(piece).then_some(Reason::Inside);
            });
        }
        let keep: Vec<bool> =
            piece_of.iter().map(|piece| pieces[*piece as usize].dropped.is_none()).collect();
        fabric.retain(&keep);
        // Pieces are numbered in the order of triangles, which dropping some does not change.
        let mut places = vec![NONE; pieces.len()];
        let left = pieces.iter().zip(&mut places).filter(|(piece, _)| piece.dropped.is_none());
        left.zip(0..).for_each(|((_, place), number)| *place = number);
        let kept =
            piece_of.iter().map(|piece| places[*piece as usize]).filter(|place| *place != NONE).collect();
        Ok((pieces, kept))
    }

    /// Measures the pieces that were kept once more: their outlines were simplified, and places behind slits went.
    /// `piece_of` tells the place of each triangle among them.
    pub fn measure_again(&self, piece_of: &[u32], outline: &Outline, pieces: &mut [Piece]) {
        let mut kept: Vec<&mut Piece> = pieces.iter_mut().filter(|piece| piece.dropped.is_none()).collect();
        let areas = outline.areas(piece_of, kept.len(), self.soup.grid.unit());
        kept.iter_mut().zip(areas).for_each(|(piece, area)| piece.area = area);
    }

    /// The area of each piece, and the middle of its largest triangle.
    fn measure(&self, fabric: &Fabric, piece_of: &[u32], count: u32) -> Vec<Piece> {
        let unit = self.soup.grid.unit();
        let areas = fabric.areas(count as usize, |triangle| piece_of[triangle as usize] as usize, unit);
        let mut largest = vec![(0i64, 0u32); areas.len()];
        for (triangle, piece) in (0u32..).zip(piece_of) {
            let (largest, size) = (&mut largest[*piece as usize], fabric.doubled_area(triangle));
            if size > largest.0 {
                *largest = (size, triangle);
            }
        }
        let piece = |(area, (_, triangle)): (f64, &(i64, u32))| {
            let corners = [0, 1, 2].map(|i| fabric.from(3 * triangle + i).as_vec2());
            let middle = (corners[0] + corners[1] + corners[2]) * (1.0 / 3.0);
            let height = self.height(fabric.chart[*triangle as usize], middle);
            Piece { area, place: [middle.x * unit, height * unit, -middle.y * unit], dropped: None }
        };
        areas.into_par_iter().zip(&largest).map(piece).collect()
    }

    /// The height of a chart over a place, in grid units; that of its nearest face near its border.
    fn height(&self, chart: u32, at: Vec2) -> f64 {
        self.height_near(chart, at, 4)
    }

    /// The same for places up to `reach` grid units beyond its border.
    pub fn height_near(&self, chart: u32, at: Vec2, reach: i32) -> f64 {
        let spot = Point::new(at.x.round() as i32, at.y.round() as i32);
        let mut faces = Vec::new();
        self.faces.floors.each_touching(&Box2 { min: spot, max: spot }.grown(reach), |face| {
            faces.extend(Some(face).filter(|face| self.charts.chart_of[*face as usize] == chart));
        });
        // Of faces as near as each other the first counts.
        faces.sort_unstable();
        let mut nearest = NearestFace::to(at);
        for face in faces {
            let corners = self.soup.corners(face).map(|corner| corner.at.as_vec2());
            nearest.offer(corners, |at| self.soup.height_at(face, at));
        }
        nearest.height().unwrap_or(0.0)
    }

    /// The pieces that seeds lie on, and those that ways lead to from there; each takes the ground that one stands on there,
    /// or the nearest in height.
    fn seeded(&self, fabric: &Fabric, piece_of: &[u32]) -> Result<BTreeSet<u32>> {
        let at = |place: [f64; 3]| self.piece_at(fabric, piece_of, place);
        let mut seeded: BTreeSet<u32> =
            self.rules.seeds.iter().map(|seed| at(*seed)).collect::<Result<_>>()?;
        if seeded.is_empty() {
            return Ok(seeded);
        }
        let ways = self.rules.ways.iter();
        let mut ways: Vec<[u32; 2]> =
            ways.filter_map(|[from, to]| Some([at(*from).ok()?, at(*to).ok()?])).collect();
        while let Some(taken) = ways.iter().position(|[from, _]| seeded.contains(from)) {
            seeded.insert(ways.swap_remove(taken)[1]);
        }
        Ok(seeded)
    }

    fn piece_at(&self, fabric: &Fabric, piece_of: &[u32], [x, y, z]: [f64; 3]) -> Result<u32> {
        let refuse = |message: String| Error::new(ErrorKind::Options, message);
        let spot = self.soup.grid.snap([x, -z]);
        let spot = spot.ok_or_else(|| refuse(format!("the seed ({x}, {y}, {z}) lies outside the grid")))?;
        let footing = Footing { above: self.rules.height, below: self.rules.max_step };
        let mut best = ((true, f64::INFINITY), NONE);
        for triangle in 0..piece_of.len() as u32 {
            let [a, b, c] = [0, 1, 2].map(|i| fabric.from(3 * triangle + i));
            if orient(a, b, spot) >= 0 && orient(b, c, spot) >= 0 && orient(c, a, spot) >= 0 {
                let height = self.height(fabric.chart[triangle as usize], spot.as_vec2());
                let rank = footing.rank(height * self.soup.grid.unit() - y);
                if rank < best.0 {
                    best = (rank, piece_of[triangle as usize]);
                }
            }
        }
        let ((is_off, off), piece) = best;
        if is_off {
            let nearest = match piece {
                NONE => "there is no walkable ground above or below it".to_string(),
                _ => format!("the nearest walkable ground above or below it is {off:.2} m away"),
            };
            return Err(refuse(format!("the seed ({x}, {y}, {z}) is not on the ground: {nearest}")));
        }
        Ok(piece)
    }

    /// The eye of a body on a piece, in grid units: in the plane, and the height.
    fn eye(&self, piece: &Piece) -> [f64; 3] {
        let [x, y, z] = piece.place;
        [x, -z, y + 0.5 * self.rules.height].map(|c| c / self.soup.grid.unit())
    }

    /// Whether a piece lies inside a closed solid. Undersides below open ground wind around it as well, but nothing is
    /// above it.
    pub fn is_inside(&self, piece: &Piece) -> bool {
        self.seems_inside(piece) && self.windings(self.eye(piece)) > 0.5
    }

    /// Whether more tops than undersides lie straight above a piece, as inside closed solids: a quick guess.
    pub fn seems_inside(&self, piece: &Piece) -> bool {
        let [x, y, eye] = self.eye(piece);
        let (at, mut above) = (Vec2::new(x, y), 0);
        let spot = Point::new(x.round() as i32, y.round() as i32);
        self.faces.each_touching(&Box2 { min: spot, max: spot }, |face| {
            let corners = self.soup.corners(face).map(|corner| corner.at.as_vec2());
            if beyond_triangle(corners, at) <= 0.0 && self.soup.height_at(face, at) > eye {
                above += if self.soup.faces[face as usize].is_up { 1 } else { -1 };
            }
        });
        above > 0
    }

    /// How often the faces wind around a place: one inside a closed solid, zero outside, in between where it has holes
    /// (Jacobson and others, 2013: the solid angles of all triangles).
    fn windings(&self, eye: [f64; 3]) -> f64 {
        let angle = |face: u32| {
            let corners = self.soup.corners(face).map(|corner| {
                let at = corner.at.as_vec2();
                [at.x - eye[0], at.y - eye[1], f64::from(corner.height) - eye[2]]
            });
            let sign = if self.soup.faces[face as usize].is_up { 1.0 } else { -1.0 };
            sign * solid_angle(corners)
        };
        (0..self.soup.faces.len() as u32).map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
    }
}

/// The solid angle of a triangle seen from the origin, with its sign (van Oosterom and Strackee, 1983).
fn solid_angle([a, b, c]: [[f64; 3]; 3]) -> f64 {
    let dot = |p: [f64; 3], q: [f64; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
    let [la, lb, lc] = [a, b, c].map(|p| dot(p, p).sqrt());
    2.0 * dot(a, cross).atan2(la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb)
}
