//! The cells and points within a walking distance.

use super::{DistanceField, FieldOptions};
use crate::mesh::{CellGraph, CellId, NavMesh};
use crate::query::Location;
use clearway_geometry::Vec2;

/// The depth to which a triangle of a cell is cut in four to decide whether it lies within a distance as a whole.
const MOST_CUTS: u32 = 6;

/// The number of random points tried until one is near enough. It is exceeded only if nearly all of the cells lie too
/// far.
const MOST_TRIES: usize = 4096;

/// The cells within a walking distance of some points.
#[derive(Clone, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Within {
    /// Cells that lie within the distance as a whole. A cell whose farthest point is at the distance up to a few
    /// hundredths of the cell's size may be listed below instead.
    pub whole: Vec<CellId>,
    /// Other cells that lie within the distance in part.
    pub partly: Vec<CellId>,
}

impl NavMesh {
    /// Returns the cells that a point can reach from a location by walking at most `distance` metres. Empty for a
    /// location of another mesh, and for distances that are negative or not a number.
    pub fn within(&self, from: Location, distance: f64) -> Within {
        self.field_within(from, distance).map(|field| field.within(self, distance)).unwrap_or_default()
    }

    /// Returns a random point that a point can reach by walking at most `distance` metres, uniform by area; the same
    /// for the same seed. `None` for a location of another mesh, and for distances that are negative or not a number.
    /// After a few thousand tries that were all too far away it is `from` itself.
    pub fn random_point_within(&self, from: Location, distance: f64, seed: u64) -> Option<Location> {
        let field = self.field_within(from, distance)?;
        let cells: Vec<u32> =
            (0..self.cell_slots() as u32).filter(|cell| field.beams.nearest(*cell).is_finite()).collect();
        let mut whole = 0.0;
        let sums: Vec<f64> = cells
            .iter()
            .map(|cell| {
                whole += doubled_area(self.graph(), *cell);
                whole
            })
            .collect();
        let mut random = self.random_points(seed);
        let tries = if whole > 0.0 { MOST_TRIES } else { 0 };
        for _ in 0..tries {
            let sought = random.number() * whole;
            let place = sums.partition_point(|sum| *sum <= sought).min(cells.len().saturating_sub(1));
            let found = cells.get(place).and_then(|cell| random.place_in(*cell));
            let found = found.filter(|found| field.distance(self, *found).is_some_and(|far| far <= distance));
            if found.is_some() {
                return found;
            }
        }
        Some(from)
    }

    /// Computes the distances of a point from a location, up to `distance` metres.
    pub(super) fn field_within(&self, from: Location, distance: f64) -> Option<DistanceField> {
        if distance.is_nan() || distance < 0.0 {
            return None;
        }
        let options = FieldOptions::default().max_distance(distance);
        self.distance_field(&[from], 0.0, &options).ok()
    }
}

impl DistanceField {
    /// Returns the cells that lie within a walking distance of the goals, for a point; at most within
    /// [`reach`](DistanceField::reach).
    pub fn within(&self, mesh: &NavMesh, distance: f64) -> Within {
        let mut within = Within::default();
        let limit = distance.min(self.reach()) / self.unit;
        if self.serial != mesh.graph().serial || limit.is_nan() {
            return within;
        }
        let is_near =
            |cell: &u32| self.beams.nearest(*cell).is_finite() && self.beams.nearest(*cell) <= limit;
        for cell in (0..mesh.cell_slots() as u32).filter(is_near) {
            let list =
                if self.holds_whole(mesh, cell, limit) { &mut within.whole } else { &mut within.partly };
            list.push(CellId(cell));
        }
        within
    }

    /// True if a cell surely lies within the distance as a whole.
    fn holds_whole(&self, mesh: &NavMesh, cell: u32, limit: f64) -> bool {
        let layout = mesh.graph();
        let corners = &layout.start[layout.sides(cell)];
        let far =
            |spot: Vec2| self.beams.shortest(layout, spot, cell).map_or(f64::INFINITY, |end| end.length);
        let [first, rest @ ..] = corners else { return false };
        corners.iter().all(|corner| far(*corner) <= limit)
            && rest.windows(2).all(|pair| is_near([*first, pair[0], pair[1]], limit, &far, MOST_CUTS))
    }
}

/// True if a triangle surely lies within a distance; `far` changes by no more than one moves.
fn is_near(corners: [Vec2; 3], limit: f64, far: &impl Fn(Vec2) -> f64, cuts: u32) -> bool {
    let [a, b, c] = corners;
    let middle = (a + b + c) * (1.0 / 3.0);
    let distance = far(middle);
    if distance > limit {
        return false;
    }
    let spread = corners.iter().map(|corner| corner.distance(middle)).fold(0.0, f64::max);
    if distance + spread <= limit {
        return true;
    }
    let [ab, bc, ca] = [(a, b), (b, c), (c, a)].map(|(p, q)| (p + q) * 0.5);
    let parts = [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]];
    cuts > 0 && parts.into_iter().all(|part| is_near(part, limit, far, cuts - 1))
}

/// Returns twice the area of a cell in square grid units.
fn doubled_area(layout: &CellGraph, cell: u32) -> f64 {
    let corners = &layout.start[layout.sides(cell)];
    let [first, rest @ ..] = corners else { return 0.0 };
    rest.windows(2).map(|pair| (pair[0] - *first).cross(pair[1] - *first)).sum::<f64>().max(0.0)
}
