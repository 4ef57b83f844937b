//! Decides which connected pieces of the surface are kept: by area, by seeds, not inside closed solids, no islands.
//!
//! A piece lies inside a solid if the generalized winding number at eye height exceeds one half (Jacobson and others,
//! 2013). Cost: linear in the triangles, plus one pass over all faces for each piece that may lie inside a solid.

use crate::surface::WalkRules;
use crate::surface::faces::soup::{FaceBins, Soup};
use crate::surface::outline::islands::drop_islands;
use crate::surface::outline::triangulate::Outline;
use crate::surface::sheets::charts::Charts;
use crate::surface::stitch::fabric::Fabric;
use crate::surface::tolerances::pieces::{MOST_ANGLES, SPREAD};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_geometry::boxes::Box2;
use clearway_geometry::predicates::orient;
use clearway_geometry::vec2::beyond_triangle;
use clearway_geometry::{NONE, Point, Vec2};
use clearway_nav::mesh::{Footing, NearestFace};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// The reason why a piece was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// Its area is below the least area of the rules.
    Small,
    /// No seed lies on it, and no way of the rules leads to it from a seed.
    Unreachable,
    /// It lies inside a closed solid.
    Inside,
    /// It is small and nothing leads to it.
    Island,
}

/// A connected piece of the surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    /// Its area seen from above, in square metres.
    pub area: f64,
    /// A point on it in world coordinates: the middle of its largest triangle.
    pub place: [f64; 3],
    /// The reason why it was dropped; `None` if it is kept.
    pub dropped: Option<Reason>,
}

/// Measures the pieces of a fabric and drops those that the rules do not want.
pub(crate) struct Sorter<'a> {
    /// The triangles of the scene on the grid.
    pub soup: &'a Soup,
    /// All faces of the soup by location.
    pub faces: &'a FaceBins,
    /// The charts that the triangles of the fabric come from.
    pub charts: &'a Charts,
    /// The rules that decide: least area, seeds, ways and solids.
    pub rules: &'a WalkRules,
}

impl Sorter<'_> {
    /// Drops the pieces that the rules do not want. Returns all pieces with the reasons, and for each remaining
    /// triangle the index of its piece among the kept ones.
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
            self.drop_insides(fabric, &piece_of, &mut pieces);
        }
        // Seeds name what is wanted, however small.
        if self.rules.islands && seeded.is_empty() {
            let led_to = self.led_to(fabric, &piece_of);
            drop_islands(self, fabric, &piece_of, &led_to, &mut pieces);
        }
        let keep: Vec<bool> =
            piece_of.iter().map(|piece| pieces[*piece as usize].dropped.is_none()).collect();
        fabric.retain(&keep);
        // Pieces are numbered in the order of triangles. Dropping some does not change that order.
        let mut places = vec![NONE; pieces.len()];
        let left = pieces.iter().zip(&mut places).filter(|(piece, _)| piece.dropped.is_none());
        left.zip(0..).for_each(|((_, place), number)| *place = number);
        let kept =
            piece_of.iter().map(|piece| places[*piece as usize]).filter(|place| *place != NONE).collect();
        Ok((pieces, kept))
    }

    /// Drops the pieces inside closed solids, unless nothing would be left: then what seems to be a solid is a room. A
    /// piece must lie inside with its largest triangle and with others spread over it.
    fn drop_insides(&self, fabric: &Fabric, piece_of: &[u32], pieces: &mut [Piece]) {
        let mut asked: Vec<u32> = (0u32..)
            .zip(&*pieces)
            .filter(|(_, piece)| piece.dropped.is_none())
            .map(|(number, _)| number)
            .collect();
        let count = asked.len();
        asked = asked.into_par_iter().filter(|number| self.seems_inside(&pieces[*number as usize])).collect();
        if asked.is_empty() {
            return;
        }
        asked.sort_by(|p, q| pieces[*q as usize].area.total_cmp(&pieces[*p as usize].area).then(p.cmp(q)));
        asked.truncate(MOST_ANGLES / self.soup.faces.len().max(1) + 1);
        let others = self.spread(fabric, piece_of, &asked, pieces.len());
        let is_inside = |number: &u32| {
            let others = &others[*number as usize];
            self.is_inside(&pieces[*number as usize]) && others.iter().all(|other| self.seems_inside(other))
        };
        let inside: Vec<u32> = asked.into_par_iter().filter(is_inside).collect();
        if inside.len() < count {
            inside.into_iter().for_each(|number| pieces[number as usize].dropped = Some(Reason::Inside));
        }
    }

    /// Returns the middles of a few triangles of each asked piece, evenly chosen, as pieces without an area.
    fn spread(&self, fabric: &Fabric, piece_of: &[u32], asked: &[u32], count: usize) -> Vec<Vec<Piece>> {
        let mut sizes = vec![0usize; count];
        piece_of.iter().for_each(|piece| sizes[*piece as usize] += 1);
        let mut seen = vec![0usize; count];
        let mut others = vec![Vec::new(); count];
        let is_asked: BTreeSet<u32> = asked.iter().copied().collect();
        for (triangle, piece) in (0u32..).zip(piece_of).filter(|(_, piece)| is_asked.contains(piece)) {
            let place = *piece as usize;
            if seen[place].is_multiple_of(sizes[place] / SPREAD + 1) {
                others[place].push(self.at_middle(fabric, triangle, 0.0));
            }
            seen[place] += 1;
        }
        others
    }

    /// Returns the pieces at the ends of ways.
    fn led_to(&self, fabric: &Fabric, piece_of: &[u32]) -> BTreeSet<u32> {
        let ends = self.rules.ways.iter().flatten();
        ends.filter_map(|place| self.piece_at(fabric, piece_of, *place).ok()).collect()
    }

    /// Measures the kept pieces again after outlines were simplified and regions behind slits removed. `piece_of`
    /// holds for each triangle the index of its piece among the kept ones.
    pub fn measure_again(&self, piece_of: &[u32], outline: &Outline, pieces: &mut [Piece]) {
        let mut kept: Vec<&mut Piece> = pieces.iter_mut().filter(|piece| piece.dropped.is_none()).collect();
        let areas = outline.areas(piece_of, kept.len(), self.soup.grid.unit());
        kept.iter_mut().zip(areas).for_each(|(piece, area)| piece.area = area);
    }

    /// Measures the area of each piece, and takes the middle of its largest triangle as its point.
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
        let piece = |(area, (_, triangle)): (f64, &(i64, u32))| self.at_middle(fabric, *triangle, area);
        areas.into_par_iter().zip(&largest).map(piece).collect()
    }

    /// Returns a piece of this area whose point is the middle of a triangle.
    fn at_middle(&self, fabric: &Fabric, triangle: u32, area: f64) -> Piece {
        let unit = self.soup.grid.unit();
        let corners = [0, 1, 2].map(|i| fabric.from(3 * triangle + i).as_vec2());
        let middle = (corners[0] + corners[1] + corners[2]) * (1.0 / 3.0);
        let height = self.height(fabric.chart[triangle as usize], middle);
        Piece { area, place: [middle.x * unit, height * unit, -middle.y * unit], dropped: None }
    }

    /// The height of a chart at a point, in grid units. Near the border of the chart its nearest face counts.
    fn height(&self, chart: u32, at: Vec2) -> f64 {
        self.height_near(chart, at, 4)
    }

    /// As [`Self::height`], for points up to `reach` grid units beyond the border of the chart.
    pub fn height_near(&self, chart: u32, at: Vec2, reach: i32) -> f64 {
        let spot = Point::new(at.x.round() as i32, at.y.round() as i32);
        let mut faces = Vec::new();
        self.faces.floors.each_touching(&Box2 { min: spot, max: spot }.grown(reach), |face| {
            faces.extend(Some(face).filter(|face| self.charts.chart_of[*face as usize] == chart));
        });
        // If faces are equally near the first counts, so the order must be fixed.
        faces.sort_unstable();
        let mut nearest = NearestFace::to(at);
        for face in faces {
            let corners = self.soup.corners(face).map(|corner| corner.at.as_vec2());
            nearest.offer(corners, |at| self.soup.height_at(face, at));
        }
        nearest.height().unwrap_or(0.0)
    }

    /// The pieces on which seeds lie, and the pieces to which ways lead from there, directly or through others. A
    /// seed takes the ground that a body stands on there. Fails if a seed lies on no ground.
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

    /// The piece on whose ground a point of the world stands. Of several floors the one that the body can stand on
    /// wins, then the nearest in height. An error says how far away the nearest ground is.
    fn piece_at(&self, fabric: &Fabric, piece_of: &[u32], [x, y, z]: [f64; 3]) -> Result<u32> {
        let refuse = |message: String| Error::new(ErrorKind::Options, message);
        let spot = self.soup.grid.snap([x, -z]);
        let spot = spot.ok_or_else(|| refuse(format!("the seed ({x}, {y}, {z}) lies outside the grid")))?;
        let footing = Footing { above: self.rules.height, below: self.rules.max_step };
        // All triangles are tested, without an index: seeds are few.
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

    /// The eye of a body on a piece, in grid units: two coordinates in the plane, then the height. It is half a body
    /// high.
    fn eye(&self, piece: &Piece) -> [f64; 3] {
        let [x, y, z] = piece.place;
        [x, -z, y + 0.5 * self.rules.height].map(|c| c / self.soup.grid.unit())
    }

    /// True if a piece lies inside a closed solid. The quick guess comes first: undersides below open ground wind
    /// around a piece as well, but nothing lies above that piece.
    pub fn is_inside(&self, piece: &Piece) -> bool {
        self.seems_inside(piece) && self.windings(self.eye(piece)) > 0.5
    }

    /// True if more tops than undersides lie straight above a piece, as inside closed solids. A quick guess.
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

    /// The generalized winding number of the faces around a point: one inside a closed solid, zero outside, in
    /// between where the solid has holes. It is the sum of the solid angles of all triangles over 4π (Jacobson and
    /// others, 2013).
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

/// The signed solid angle of a triangle seen from the origin (van Oosterom and Strackee, 1983).
fn solid_angle([a, b, c]: [[f64; 3]; 3]) -> f64 {
    let dot = |p: [f64; 3], q: [f64; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
    let [la, lb, lc] = [a, b, c].map(|p| dot(p, p).sqrt());
    2.0 * dot(a, cross).atan2(la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb)
}
