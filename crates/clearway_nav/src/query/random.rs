//! Random points, uniform by area and reproducible from a seed.

use super::Location;
use crate::mesh::NavMesh;
use clearway_geometry::Vec2;

/// An endless iterator of random points on a mesh, uniform by area. It is empty on a mesh without area. Made by
/// [`NavMesh::random_points`].
#[derive(Clone, Debug)]
pub struct RandomPoints<'a> {
    /// The mesh.
    mesh: &'a NavMesh,
    /// The state of the random generator.
    state: u64,
}

impl NavMesh {
    /// Returns random points, uniform by area; the same for the same seed.
    ///
    /// ```
    /// # use clearway::{MeshOptions, NavMesh, Plan};
    /// # let plan = Plan::from_rings([vec![[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]]]);
    /// # let mesh = MeshOptions::default().build(&plan)?;
    /// let places: Vec<_> = mesh.random_points(7).take(10).collect();
    /// assert!(places.iter().all(|place| mesh.locate(place.position()).is_ok()));
    /// assert_eq!(Some(places[0]), mesh.random_point(7));
    /// # Ok::<(), clearway::Error>(())
    /// ```
    pub fn random_points(&self, seed: u64) -> RandomPoints<'_> {
        RandomPoints { mesh: self, state: seed }
    }

    /// Returns one random point, uniform by area; the same for the same seed. `None` on a mesh without area.
    pub fn random_point(&self, seed: u64) -> Option<Location> {
        self.random_points(seed).next()
    }
}

impl Iterator for RandomPoints<'_> {
    type Item = Location;

    fn next(&mut self) -> Option<Location> {
        let sums = self.mesh.index().area_sums(self.mesh);
        let whole = *sums.last().filter(|whole| **whole > 0.0)?;
        let sought = self.number() * whole;
        // Rounding may put the sought area at the very end of the list.
        let cell = sums.partition_point(|sum| *sum <= sought).min(sums.len() - 1) as u32;
        self.place_in(cell)
    }
}

impl RandomPoints<'_> {
    /// Returns a number in [0, 1), by SplitMix64 (Steele, Lea, Flood 2014).
    pub(crate) fn number(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns a random point in a cell.
    pub(crate) fn place_in(&mut self, cell: u32) -> Option<Location> {
        let corners = self.triangle(cell);
        let (mut u, mut v) = (self.number(), self.number());
        // The point lies in the other half of the parallelogram: mirror it into the triangle.
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        let place = corners[0] + (corners[1] - corners[0]) * u + (corners[2] - corners[0]) * v;
        self.mesh.settle(cell, place).or_else(|| self.mesh.settle(cell, corners[0]))
    }

    /// Chooses one of the triangles from the first corner of a cell to its sides, with probability proportional to
    /// area.
    fn triangle(&mut self, cell: u32) -> [Vec2; 3] {
        let layout = self.mesh.graph();
        let corners = &layout.start[layout.sides(cell)];
        let first = corners[0];
        let area = |pair: &[Vec2]| (pair[0] - first).cross(pair[1] - first).max(0.0);
        let whole: f64 = corners[1..].windows(2).map(area).sum();
        let mut sought = self.number() * whole;
        let mut chosen = [first, corners[1], corners[2]];
        for pair in corners[1..].windows(2).filter(|pair| area(pair) > 0.0) {
            chosen = [first, pair[0], pair[1]];
            if sought < area(pair) {
                break;
            }
            sought -= area(pair);
        }
        chosen
    }
}
