//! A slow and simple judge of walkable surfaces: columns at regular places in plan, cut by every triangle.

use clearway_scenes::{BODY_HEIGHT, MAX_STEP, Point3, Soup};
use std::collections::BTreeMap;

/// Faces closer than this are one face.
const NEAR: f64 = 0.004;

/// Places at which one can stand, in connected groups.
pub struct Columns {
    step: f64,
    origin: [f64; 2],
    size: [usize; 2],
    /// The heights of each column's places, with their numbers.
    spots: Vec<Vec<(f64, usize)>>,
    groups: Vec<usize>,
}

impl Columns {
    /// Columns `step` apart; gaps of up to a column are bridged if asked.
    pub fn new(soup: &Soup, step: f64, bridge: bool) -> Columns {
        let bound = |axis: usize, sign: f64| {
            sign * soup.vertices.iter().map(|v| sign * v[axis]).fold(f64::INFINITY, f64::min)
        };
        // Off every round number, so that no column runs along a face.
        let origin = [bound(0, 1.0) - 0.6213 * step, bound(2, 1.0) - 0.6317 * step];
        let size =
            [(0, 0), (2, 1)].map(|(axis, k)| ((bound(axis, -1.0) - origin[k]) / step).ceil() as usize + 1);
        let count = size[0] * size[1];
        let mut columns = Columns { step, origin, size, spots: vec![Vec::new(); count], groups: Vec::new() };
        let low_rise = low_rise(soup);
        columns.stand(soup, &low_rise);
        columns.connect(soup, bridge);
        columns
    }

    /// The group at a place.
    pub fn group_at(&self, [x, y, z]: Point3) -> Option<usize> {
        let [i, j] = [(x, 0), (z, 1)].map(|(v, k)| ((v - self.origin[k]) / self.step).round() as usize);
        let near = |spot: &&(f64, usize)| (spot.0 - y).abs() < 0.15;
        self.spots.get(j * self.size[0] + i)?.iter().find(near).map(|spot| root(&self.groups, spot.1))
    }

    /// The area of each group.
    pub fn areas(&self) -> BTreeMap<usize, f64> {
        let mut areas = BTreeMap::new();
        for spot in 0..self.groups.len() {
            *areas.entry(root(&self.groups, spot)).or_insert(0.0) += self.step * self.step;
        }
        areas
    }

    fn range(&self, corners: &[Point3; 3], axis: usize, k: usize) -> std::ops::Range<usize> {
        let low = corners.iter().map(|c| c[axis]).fold(f64::INFINITY, f64::min);
        let high = corners.iter().map(|c| c[axis]).fold(f64::NEG_INFINITY, f64::max);
        let place = |v: f64| ((v - self.origin[k]) / self.step).max(0.0);
        place(low).floor() as usize..(place(high).ceil() as usize + 1).min(self.size[k])
    }

    fn at(&self, i: usize, j: usize) -> [f64; 2] {
        [self.origin[0] + self.step * i as f64, self.origin[1] + self.step * j as f64]
    }

    fn stand(&mut self, soup: &Soup, low_rise: &[bool]) {
        let mut hits: Vec<Vec<(f64, bool)>> = vec![Vec::new(); self.spots.len()];
        for (t, low) in low_rise.iter().enumerate() {
            let corners = soup.corners(t);
            let normal = normal(corners);
            let walkable = normal[1] > 0.0 && (!steep(normal) || *low);
            for j in self.range(&corners, 2, 1) {
                for i in self.range(&corners, 0, 0) {
                    if let Some(y) = height(corners, self.at(i, j)) {
                        hits[j * self.size[0] + i].push((y, walkable));
                    }
                }
            }
        }
        for (column, hits) in hits.iter().enumerate() {
            for &(y, walkable) in hits {
                let blocked = hits.iter().any(|hit| hit.0 > y + NEAR && hit.0 < y + BODY_HEIGHT - 1e-9);
                let known = self.spots[column].iter().any(|spot| (spot.0 - y).abs() <= NEAR);
                if walkable && !blocked && !known {
                    self.spots[column].push((y, self.groups.len()));
                    self.groups.push(self.groups.len());
                }
            }
        }
    }

    fn connect(&mut self, soup: &Soup, bridge: bool) {
        let mut near: Vec<Vec<u32>> = vec![Vec::new(); self.spots.len()];
        for t in 0..soup.triangles.len() {
            let corners = soup.corners(t);
            if steep(normal(corners)) {
                for j in self.range(&corners, 2, 1) {
                    for i in self.range(&corners, 0, 0) {
                        near[j * self.size[0] + i].push(t as u32);
                    }
                }
            }
        }
        for reach in 1..=1 + usize::from(bridge) {
            for column in 0..self.spots.len() {
                let (i, j) = (column % self.size[0], column / self.size[0]);
                if i + reach < self.size[0] {
                    self.link(soup, &near, [i, j], [i + reach, j]);
                }
                if j + reach < self.size[1] {
                    self.link(soup, &near, [i, j], [i, j + reach]);
                }
            }
        }
    }

    fn link(&mut self, soup: &Soup, near: &[Vec<u32>], from: [usize; 2], to: [usize; 2]) {
        let number = |[i, j]: [usize; 2]| j * self.size[0] + i;
        let (a, b) = (number(from), number(to));
        let (p, q) = (self.at(from[0], from[1]), self.at(to[0], to[1]));
        for (y, spot) in self.spots[a].clone() {
            for (other, neighbour) in self.spots[b].clone() {
                let barrier = |&t: &u32| {
                    let range = crossing(soup.corners(t as usize), p, q);
                    range.is_some_and(|[low, high]| {
                        let stops = |y: f64| low < y + BODY_HEIGHT - 1e-6 && high > y + MAX_STEP + 1e-6;
                        stops(y) || stops(other)
                    })
                };
                let reachable = (y - other).abs() <= MAX_STEP + 1e-9;
                if reachable && !near[a].iter().chain(&near[b]).any(barrier) {
                    let (s, t) = (root(&self.groups, spot), root(&self.groups, neighbour));
                    self.groups[s.max(t)] = s.min(t);
                    self.groups[spot] = s.min(t);
                    self.groups[neighbour] = s.min(t);
                }
            }
        }
    }
}

fn root(groups: &[usize], mut spot: usize) -> usize {
    while groups[spot] != spot {
        spot = groups[spot];
    }
    spot
}

fn normal([a, b, c]: [Point3; 3]) -> Point3 {
    let u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    let v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

fn steep([x, y, z]: Point3) -> bool {
    x.hypot(z) > y.abs()
}

/// The height of a triangle at a place in plan, if it is there.
fn height([a, b, c]: [Point3; 3], [x, z]: [f64; 2]) -> Option<f64> {
    let cross = |p: Point3, q: Point3| (q[2] - p[2]) * (x - p[0]) - (q[0] - p[0]) * (z - p[2]);
    let (u, v, w) = (cross(b, c), cross(c, a), cross(a, b));
    let inside = (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0);
    let sum = u + v + w;
    (inside && sum.abs() > 1e-12).then(|| (u * a[1] + v * b[1] + w * c[1]) / sum)
}

/// Between which heights a triangle cuts the vertical strip over a segment in plan.
fn crossing(corners: [Point3; 3], p: [f64; 2], q: [f64; 2]) -> Option<[f64; 2]> {
    let (dx, dz) = (q[0] - p[0], q[1] - p[1]);
    let side = |c: Point3| dx * (c[2] - p[1]) - dz * (c[0] - p[0]);
    let along = |c: Point3| (dx * (c[0] - p[0]) + dz * (c[2] - p[1])) / (dx * dx + dz * dz);
    let mut cut: Vec<[f64; 2]> = Vec::new();
    for k in 0..3 {
        let (a, b) = (corners[k], corners[(k + 1) % 3]);
        let (s, t) = (side(a), side(b));
        if (s > 0.0) != (t > 0.0) {
            let share = s / (s - t);
            let point = [0, 1, 2].map(|x| a[x] + (b[x] - a[x]) * share);
            cut.push([along(point), point[1]]);
        }
    }
    let [[s, y], [t, h]] = cut[..] else { return None };
    let (low, high) = (s.min(t).max(0.0), s.max(t).min(1.0));
    if low > high {
        return None;
    }
    let at = |x: f64| if (t - s).abs() < 1e-12 { None } else { Some(y + (h - y) * (x - s) / (t - s)) };
    match (at(low), at(high)) {
        (Some(a), Some(b)) => Some([a.min(b), a.max(b)]),
        _ => Some([y.min(h), y.max(h)]),
    }
}

/// Whether each triangle is one of steep faces that rise by no more than a step, all those joined with it
/// included.
fn low_rise(soup: &Soup) -> Vec<bool> {
    let key = |v: Point3| v.map(|x| (x * 1e5).round() as i64);
    let mut first: BTreeMap<[i64; 3], usize> = BTreeMap::new();
    let mut groups: Vec<usize> = (0..soup.triangles.len()).collect();
    let steep: Vec<bool> = (0..soup.triangles.len()).map(|t| steep(normal(soup.corners(t)))).collect();
    for t in (0..steep.len()).filter(|&t| steep[t]) {
        for corner in soup.corners(t) {
            let other = *first.entry(key(corner)).or_insert(t);
            let (a, b) = (root(&groups, other), root(&groups, t));
            groups[a.max(b)] = a.min(b);
        }
    }
    let mut range = vec![[f64::INFINITY, f64::NEG_INFINITY]; steep.len()];
    for t in (0..steep.len()).filter(|&t| steep[t]) {
        let [low, high] = &mut range[root(&groups, t)];
        for corner in soup.corners(t) {
            (*low, *high) = (low.min(corner[1]), high.max(corner[1]));
        }
    }
    let rise = |t: usize| range[root(&groups, t)][1] - range[root(&groups, t)][0];
    (0..steep.len()).map(|t| steep[t] && rise(t) <= MAX_STEP + 1e-6).collect()
}
