//! Ground as heights over a square lattice, smooth noise for it, and what of it is walkable.

use super::soup::{Point3, plan_area, steepness};
use super::truth::{BODY_HEIGHT, Component};
use crate::random::Random;

/// Smooth noise in `[0, 1]`: random values at whole places, blended in between.
pub(crate) fn noise(seed: u64, x: f64, z: f64) -> f64 {
    let (i, j) = (x.floor(), z.floor());
    let value = |di: i32, dj: i32| Random::at(seed, [i as i32 + di, j as i32 + dj]).range(0.0, 1.0);
    let ease = |t: f64| t * t * (3.0 - 2.0 * t);
    let (s, t) = (ease(x - i), ease(z - j));
    let row = |dj: i32| value(0, dj) + (value(1, dj) - value(0, dj)) * s;
    row(0) + (row(1) - row(0)) * t
}

/// A square of `cells` by `cells` cells, each cut into two triangles.
pub(crate) struct HeightField {
    pub cells: usize,
    pub points: Vec<Point3>,
    /// For each cell whether its diagonal runs from low x and z to high x and z.
    pub rising: Vec<bool>,
}

impl HeightField {
    /// The heights of a function of the lattice place, rounded to a millimetre.
    pub(crate) fn new(cells: usize, size: f64, height: impl Fn(usize, usize) -> f64) -> HeightField {
        let point = |k: usize| {
            let (i, j) = (k % (cells + 1), k / (cells + 1));
            [size * i as f64, (height(i, j) * 1000.0).round() / 1000.0 + 0.0, size * j as f64]
        };
        let points = (0..(cells + 1) * (cells + 1)).map(point).collect();
        HeightField { cells, points, rising: vec![true; cells * cells] }
    }

    /// The number of the lattice point at a place.
    pub(crate) fn at(&self, i: usize, j: usize) -> usize {
        j * (self.cells + 1) + i
    }

    /// All triangles, facing up: two for each cell, in the order of cells.
    pub(crate) fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        (0..2 * self.cells * self.cells).map(|t| {
            let (i, j) = ((t / 2) % self.cells, t / 2 / self.cells);
            let corners = [(i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j)].map(|(i, j)| self.at(i, j) as u32);
            let [a, b, c, d] = corners;
            match (self.rising[t / 2], t % 2) {
                (true, 0) => [a, b, c],
                (true, _) => [a, c, d],
                (false, 0) => [a, b, d],
                (false, _) => [b, c, d],
            }
        })
    }

    /// The walkable components under a ceiling with this `room` over each point, largest first.
    ///
    /// Cells of different `tags` are parted by walls. Exact as long as the ceiling has the same triangles.
    pub(crate) fn components(&self, room: &[f64], tags: &[u32]) -> Vec<Component> {
        let triangles: Vec<[u32; 3]> = self.triangles().collect();
        let pieces: Vec<Piece> = triangles.iter().map(|corners| self.free(corners, room)).collect();
        let mut groups = Groups((0..triangles.len() as u32).collect());
        for [a, b, s, t] in shared_edges(&triangles) {
            let open = room[a as usize].max(room[b as usize]) > BODY_HEIGHT;
            let same = tags[s as usize / 2] == tags[t as usize / 2];
            if open && same && pieces[s as usize].area > 0.0 && pieces[t as usize].area > 0.0 {
                groups.join(s, t);
            }
        }
        let mut components = gather(&pieces, &mut groups, tags);
        components.sort_by(|a, b| b.area.total_cmp(&a.area));
        components
    }

    /// What of a triangle is walkable.
    fn free(&self, corners: &[u32; 3], room: &[f64]) -> Piece {
        let points = corners.map(|v| self.points[v as usize]);
        let nothing = Piece { area: 0.0, middle: points[0] };
        if steepness(points) > 1.0 {
            return nothing;
        }
        let over = corners.map(|v| room[v as usize] - BODY_HEIGHT);
        let mut ring: Vec<Point3> = Vec::new();
        for k in 0..3 {
            let next = (k + 1) % 3;
            if over[k] >= 0.0 {
                ring.push(points[k]);
            }
            if (over[k] >= 0.0) != (over[next] >= 0.0) {
                let share = over[k] / (over[k] - over[next]);
                ring.push([0, 1, 2].map(|x| points[k][x] + (points[next][x] - points[k][x]) * share));
            }
        }
        if ring.len() < 3 {
            return nothing;
        }
        let area = (2..ring.len()).map(|k| plan_area([ring[0], ring[k - 1], ring[k]])).sum();
        let middle = [0, 1, 2].map(|x| ring.iter().map(|p| p[x]).sum::<f64>() / ring.len() as f64);
        Piece { area, middle }
    }
}

/// The walkable part of a triangle.
struct Piece {
    area: f64,
    middle: Point3,
}

/// Edges of two triangles, as two points and two triangles.
fn shared_edges(triangles: &[[u32; 3]]) -> Vec<[u32; 4]> {
    let mut edges = Vec::with_capacity(3 * triangles.len());
    for (t, corners) in triangles.iter().enumerate() {
        for k in 0..3 {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            edges.push([a.min(b), a.max(b), t as u32]);
        }
    }
    edges.sort_unstable();
    let pairs = edges.windows(2).filter(|pair| pair[0][..2] == pair[1][..2]);
    pairs.map(|pair| [pair[0][0], pair[0][1], pair[0][2], pair[1][2]]).collect()
}

/// One component for each group with area; its places are the middles of its first, largest and last piece.
fn gather(pieces: &[Piece], groups: &mut Groups, tags: &[u32]) -> Vec<Component> {
    let mut members: Vec<(u32, u32)> = Vec::new();
    for t in (0..pieces.len() as u32).filter(|&t| pieces[t as usize].area > 0.0) {
        members.push((groups.root(t), t));
    }
    members.sort_unstable();
    let runs = members.chunk_by(|a, b| a.0 == b.0);
    runs.map(|run| {
        let area = run.iter().map(|&(_, t)| pieces[t as usize].area).sum();
        let largest = run.iter().fold(run[0].1, |best, &(_, t)| {
            if pieces[t as usize].area > pieces[best as usize].area { t } else { best }
        });
        // Only whole triangles serve as places: slivers of them have no room around their middle.
        let wide = |t: &&(u32, u32)| pieces[t.1 as usize].area >= 0.99 * pieces[largest as usize].area;
        let ends = [run.iter().find(wide), run.iter().rfind(wide)];
        let mut chosen: Vec<u32> = ends.into_iter().flatten().map(|&(_, t)| t).collect();
        chosen.dedup();
        let places = chosen.iter().map(|&t| pieces[t as usize].middle).collect();
        Component { area, places, inside: tags[run[0].1 as usize / 2] != 0 }
    })
    .collect()
}

/// Disjoint sets of triangles.
struct Groups(Vec<u32>);

impl Groups {
    fn root(&mut self, mut t: u32) -> u32 {
        while self.0[t as usize] != t {
            let above = self.0[self.0[t as usize] as usize];
            self.0[t as usize] = above;
            t = above;
        }
        t
    }

    fn join(&mut self, s: u32, t: u32) {
        let (s, t) = (self.root(s), self.root(t));
        self.0[s.max(t) as usize] = s.min(t);
    }
}
