//! Finds room for bodies that are put somewhere: after a ride, or out of a wall.
//!
//! Bodies that stand lie in a grid of squares of 1 m. A place is tried first; then the sites of a triangular lattice
//! around it, ring by ring, as far as they can be reached in a straight line. Cost: the sites that are tried, each with
//! the bodies near it.

use super::body::Body;
use clearway_nav::query::in_world;
use clearway_nav::{Location, NavMesh};
use std::collections::BTreeMap;

/// The most rings of sites around a place: 10 m for a person of radius 0.2 m, and at most 7650 sites.
const MOST_RINGS: usize = 50;

/// The directions to the six sites around a site, as parts of their distance.
const SIDES: [[f64; 2]; 6] =
    [[1.0, 0.0], [0.5, HALF_ROOT], [-0.5, HALF_ROOT], [-1.0, 0.0], [-0.5, -HALF_ROOT], [0.5, -HALF_ROOT]];

/// Half the root of three: the height of a triangle with sides of length 1.
const HALF_ROOT: f64 = 0.866_025_403_784_438_6;

/// A body that stands somewhere.
struct Stander {
    /// Its place in plan coordinates.
    at: [f64; 2],
    /// The height of its ground in metres.
    height: f64,
    /// Its radius in metres.
    radius: f64,
}

/// The bodies that stand somewhere.
pub(super) struct Room<'a> {
    /// The mesh.
    mesh: &'a NavMesh,
    /// The bodies by square.
    squares: BTreeMap<[i64; 2], Vec<Stander>>,
    /// The largest radius in metres.
    largest: f64,
    /// The difference of heights in metres from which bodies are on other floors.
    storey: f64,
}

impl<'a> Room<'a> {
    /// Makes room without bodies.
    pub fn new(mesh: &'a NavMesh) -> Room<'a> {
        let storey = mesh.body_height().unwrap_or(f64::INFINITY);
        Room { mesh, squares: BTreeMap::new(), largest: 0.0, storey }
    }

    /// Adds a body.
    pub fn add(&mut self, body: &Body) {
        self.add_at(body.location(), f64::from(body.radius));
    }

    /// Adds a body at a place.
    pub fn add_at(&mut self, place: Location, radius: f64) {
        let at = place.position();
        let stander = Stander { at, height: self.mesh.height(place), radius };
        self.squares.entry(square(at)).or_default().push(stander);
        self.largest = self.largest.max(radius);
    }

    /// True if a body would overlap nobody at a place.
    pub fn is_free(&self, place: Location, radius: f64) -> bool {
        let at = place.position();
        let reach = radius + self.largest;
        let [low, high] = [-reach, reach].map(|reach| square(at.map(|c| c + reach)));
        let overlaps = |other: &Stander| {
            let apart = [other.at[0] - at[0], other.at[1] - at[1]];
            let least = radius + other.radius;
            apart[0] * apart[0] + apart[1] * apart[1] < least * least
                && (other.height - self.mesh.height(place)).abs() < self.storey
        };
        let mut columns =
            (low[0]..=high[0]).flat_map(|x| self.squares.range([x, low[1]]..=[x, high[1]])).map(|(_, b)| b);
        !columns.any(|bodies| bodies.iter().any(overlaps))
    }

    /// Returns a place without others where a body fits, within `reach` of a place and on its floor, but in sight or not.
    pub fn free_place_anywhere(&self, place: Location, radius: f64, reach: f64) -> Option<Location> {
        let ([x, y], height) = (place.position(), self.mesh.height(place));
        let at_site = |[i, j]: [f64; 2]| {
            let at = [x + i * radius, y + j * radius];
            if self.mesh.has_heights() {
                self.mesh.locate(in_world(at, height))
            } else {
                self.mesh.locate(at)
            }
        };
        let fits = |at: &Location| self.mesh.clearance(*at).is_some_and(|room| room >= radius);
        let mut found = sites(reach, radius).filter_map(|site| at_site(site).ok());
        found.find(|at| fits(at) && self.is_free(*at, radius))
    }

    /// Returns a place without others: this one, or one up to `reach` metres beside it.
    pub fn free_place(&self, place: Location, radius: f64, reach: f64) -> Option<Location> {
        if self.is_free(place, radius) {
            return Some(place);
        }
        let [x, y] = place.position();
        sites(reach, radius)
            .filter_map(|[i, j]| self.mesh.raycast(place, [x + i * radius, y + j * radius], radius))
            .find(|hit| hit.reached() && self.is_free(hit.at, radius))
            .map(|hit| hit.at)
    }
}

/// Returns the sites of a lattice around its origin, ring by ring, as far as `reach`. Its spacing is the radius of a body,
/// which is also the unit of the sites.
pub(super) fn sites(reach: f64, radius: f64) -> impl Iterator<Item = [f64; 2]> {
    let rings = ((reach / radius) as usize).min(MOST_RINGS);
    (1..=rings).flat_map(|ring| (0..6 * ring).map(move |number| site(ring, number)))
}

/// Returns the square of a point.
fn square(at: [f64; 2]) -> [i64; 2] {
    at.map(|c| c.floor() as i64)
}

/// Returns a site of a ring around the origin of a lattice with sides of length 1.
fn site(ring: usize, number: usize) -> [f64; 2] {
    let (side, along) = (number / ring, (number % ring) as f64);
    let (corner, next) = (SIDES[side], SIDES[(side + 2) % 6]);
    [0, 1].map(|axis| ring as f64 * corner[axis] + along * next[axis])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_hold_every_site_once() {
        for ring in 1..5 {
            let sites: Vec<[f64; 2]> = (0..6 * ring).map(|number| site(ring, number)).collect();
            for (k, [x, y]) in sites.iter().enumerate() {
                let far = x.hypot(*y);
                assert!(far <= ring as f64 + 1e-9 && far >= HALF_ROOT * ring as f64 - 1e-9, "{far}");
                assert!(sites[..k].iter().all(|[u, v]| (u - x).hypot(v - y) > 0.99));
            }
        }
    }
}
