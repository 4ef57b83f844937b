//! Cuts polygons in space into triangles.
//!
//! A polygon is seen along its normal (Newell's, so that it need not be quite flat). If the triangles from its first
//! corner to all its sides face the same way, they are taken: always so for convex polygons without corners in a row.
//! Otherwise ears are clipped (Meisters, "Polygons have ears", 1975). Corners in a row go last, so that they become
//! corners of triangles where they can.
//!
//! Invariant: only diagonals are chosen and no point is made, so a simple polygon is covered exactly. Polygons that
//! cross themselves too often are not cut: uniting their triangles would meet every crossing again. Cost: linear for
//! a fan, corners times reflex corners for ears.

use std::collections::VecDeque;

/// The limit of corner inspections, as a multiple of the number of corners squared. A polygon that needs more counts
/// as crossing itself, and the rest is cut as a fan.
const MAX_LOOKS: usize = 16;

/// The greatest number of crossings between sides, for each corner. A polygon with more is a tangle and is not cut.
///
/// The triangles of a polygon cross each other at least as often as its sides, and the work of uniting them grows
/// with their crossings. With this limit it grows no faster than the corners: a face of 10,000 has at most a million
/// crossings. Random corners reach the limit at about 900 corners, which take a second to unite; 5,000 took minutes.
/// Faces of fewer than 202 corners cannot reach it. Drawn faces cross themselves a few times at most.
pub(super) const MAX_CROSSINGS_PER_CORNER: usize = 100;

/// The outcome of cutting a polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// Its triangles cover it.
    Simple,
    /// It crosses itself or has no area: its triangles may overlap.
    Crossing,
    /// It crosses itself more than [`MAX_CROSSINGS_PER_CORNER`] allows: it has no triangles.
    Tangled,
}

/// Cuts polygons, and reuses its buffers from one polygon to the next.
#[derive(Debug, Default)]
pub(super) struct Cutter {
    /// The triangles of the polygon cut last.
    triangles: Vec<[u32; 3]>,
    /// Its corners, projected along its normal.
    flat: Vec<[f64; 2]>,
    /// Scratch buffer for clipping ears.
    ring: Ring,
    /// Scratch buffer for counting crossings.
    sweep: Sweep,
}

impl Cutter {
    /// The triangles of the polygon cut last, with the polygon's direction of turning.
    pub(super) fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Cuts a polygon of at least 3 corners.
    pub(super) fn cut(&mut self, vertices: &[[f64; 3]], corners: &[u32]) -> Cut {
        self.triangles.clear();
        let is_flat = self.flatten(vertices, corners);
        if self.sweep.crosses_often(&self.flat) {
            return Cut::Tangled;
        }
        let is_simple = self.cut_flat(corners, is_flat);
        if is_simple { Cut::Simple } else { Cut::Crossing }
    }

    /// Cuts the flattened polygon. Returns false if its triangles may overlap.
    fn cut_flat(&mut self, corners: &[u32], is_flat: bool) -> bool {
        if !is_flat || self.is_fan() {
            self.fan(corners);
            return is_flat;
        }
        let flat = &self.flat;
        self.ring.reset(flat);
        let is_simple = self.ring.clip_ears(flat);
        let named = |ear: &[usize; 3]| ear.map(|corner| corners[corner]);
        self.triangles.extend(self.ring.ears.iter().map(named));
        is_simple
    }

    /// Projects the polygon along its normal, so that it turns counter-clockwise. Returns false if it has no area.
    fn flatten(&mut self, vertices: &[[f64; 3]], corners: &[u32]) -> bool {
        let place = |corner: u32| vertices.get(corner as usize).copied().unwrap_or_default();
        let normal = newell(corners.iter().map(|corner| place(*corner)));
        // Dropping the axis along which the normal is longest keeps the projection widest.
        let across = (0..3).max_by(|a, b| normal[*a].abs().total_cmp(&normal[*b].abs())).unwrap_or(0);
        let (mut u, mut v) = ((across + 1) % 3, (across + 2) % 3);
        if normal[across] < 0.0 {
            (u, v) = (v, u);
        }
        self.flat.clear();
        self.flat.extend(corners.iter().map(|corner| [place(*corner)[u], place(*corner)[v]]));
        normal[across] != 0.0
    }

    /// True if all triangles from the first corner turn left.
    fn is_fan(&self) -> bool {
        let [first, rest @ ..] = self.flat.as_slice() else { return true };
        rest.windows(2).all(|side| turn(*first, side[0], side[1]) > 0.0)
    }

    /// Takes the triangles from the first corner to all sides.
    fn fan(&mut self, corners: &[u32]) {
        let [first, rest @ ..] = corners else { return };
        self.triangles.extend(rest.windows(2).map(|side| [*first, side[0], side[1]]));
    }
}

/// Counts crossings of the sides of a polygon, from left to right.
#[derive(Debug, Default)]
struct Sweep {
    /// All sides, each from left to right, sorted by their left ends.
    sides: Vec<[[f64; 2]; 2]>,
    /// The sides that do not end to the left of the present side's start.
    open: Vec<[[f64; 2]; 2]>,
}

impl Sweep {
    /// True if sides cross more often than [`MAX_CROSSINGS_PER_CORNER`] allows. Costs corners times the sides above
    /// one point, and stops at the limit.
    fn crosses_often(&mut self, flat: &[[f64; 2]]) -> bool {
        let most = MAX_CROSSINGS_PER_CORNER * flat.len();
        // The limit is out of reach even if all sides cross all others.
        if flat.len() * flat.len().saturating_sub(1) / 2 <= most {
            return false;
        }
        let ends = flat.iter().zip(flat.iter().cycle().skip(1));
        let rightwards = |(a, b): (&[f64; 2], &[f64; 2])| if a[0] <= b[0] { [*a, *b] } else { [*b, *a] };
        self.sides.clear();
        self.sides.extend(ends.map(rightwards));
        self.sides.sort_by(|p, q| p[0][0].total_cmp(&q[0][0]));
        self.open.clear();
        let mut crossings = 0;
        for side in &self.sides {
            self.open.retain(|other| other[1][0] >= side[0][0]);
            crossings += self.open.iter().filter(|other| cross(*side, **other)).count();
            if crossings > most {
                return true;
            }
            self.open.push(*side);
        }
        false
    }
}

/// True if two sides cross in a point inside both.
fn cross([a, b]: [[f64; 2]; 2], [c, d]: [[f64; 2]; 2]) -> bool {
    let are_apart = a[1].max(b[1]) < c[1].min(d[1]) || c[1].max(d[1]) < a[1].min(b[1]);
    !are_apart && turn(a, b, c) * turn(a, b, d) < 0.0 && turn(c, d, a) * turn(c, d, b) < 0.0
}

/// The rest of a polygon while ears are clipped.
#[derive(Debug, Default)]
struct Ring {
    /// The corner after each corner.
    next: Vec<usize>,
    /// The corner before each corner.
    previous: Vec<usize>,
    /// True for remaining corners that turn right or not at all. Only these can lie inside an ear.
    is_blunt: Vec<bool>,
    /// True for corners that were clipped.
    is_clipped: Vec<bool>,
    /// All corners that were ever blunt.
    blunt: Vec<usize>,
    /// The number of remaining corners.
    left: usize,
    /// The triangles clipped so far.
    ears: Vec<[usize; 3]>,
}

impl Ring {
    /// Starts with all corners of a polygon.
    fn reset(&mut self, flat: &[[f64; 2]]) {
        let count = flat.len();
        self.next.clear();
        self.next.extend((1..count).chain([0]));
        self.previous.clear();
        self.previous.extend([count - 1].into_iter().chain(0..count - 1));
        self.is_clipped.clear();
        self.is_clipped.resize(count, false);
        self.left = count;
        self.ears.clear();
        self.is_blunt.clear();
        self.is_blunt.resize(count, false);
        self.blunt.clear();
        for corner in 0..count {
            if self.turn_at(flat, corner) <= 0.0 {
                self.is_blunt[corner] = true;
                self.blunt.push(corner);
            }
        }
    }

    /// Clips ears until nothing is left. Returns false if a corner that is no ear had to be clipped.
    fn clip_ears(&mut self, flat: &[[f64; 2]]) -> bool {
        let mut looks_left = MAX_LOOKS * flat.len() * flat.len();
        let mut waiting: VecDeque<usize> = (0..flat.len()).collect();
        let mut is_simple = true;
        let mut clipped_since_round = true;
        while self.left > 3 {
            let Some(corner) = waiting.pop_front() else {
                // A corner may become an ear when others far along the ring go. So all are tried again, unless none
                // went.
                if !clipped_since_round {
                    is_simple &= self.clip_one_by_force(flat, looks_left > 0);
                }
                clipped_since_round = false;
                waiting.extend((0..flat.len()).filter(|corner| !self.is_clipped[*corner]));
                continue;
            };
            if !self.is_clipped[corner] && self.is_ear(flat, corner, &mut looks_left) {
                waiting.extend([self.previous[corner], self.next[corner]]);
                self.clip(flat, corner);
                clipped_since_round = true;
            }
            if looks_left == 0 {
                self.clip_rest();
                return false;
            }
        }
        self.clip_rest();
        is_simple
    }

    /// True if the triangle at a corner holds no other corner. Counts the corners it inspects.
    fn is_ear(&self, flat: &[[f64; 2]], corner: usize, looks_left: &mut usize) -> bool {
        if self.is_blunt[corner] {
            return false;
        }
        let (before, after) = (self.previous[corner], self.next[corner]);
        let [a, b, c] = [before, corner, after].map(|corner| flat[corner]);
        // Each test inspects all blunt corners; the budget bounds the quadratic worst case.
        *looks_left = looks_left.saturating_sub(self.blunt.len());
        let blocks = |other: &usize| {
            let place = flat[*other];
            self.is_blunt[*other]
                && ![before, after].contains(other)
                && ![a, b, c].contains(&place)
                && turn(a, b, place) >= 0.0
                && turn(b, c, place) >= 0.0
                && turn(c, a, place) >= 0.0
        };
        !self.blunt.iter().any(blocks)
    }

    /// Clips a corner, and updates whether its neighbours are blunt.
    fn clip(&mut self, flat: &[[f64; 2]], corner: usize) {
        let (before, after) = (self.previous[corner], self.next[corner]);
        self.ears.push([before, corner, after]);
        self.next[before] = after;
        self.previous[after] = before;
        self.is_clipped[corner] = true;
        self.is_blunt[corner] = false;
        self.left -= 1;
        for neighbour in [before, after] {
            let is_blunt = self.turn_at(flat, neighbour) <= 0.0;
            if is_blunt && !self.is_blunt[neighbour] {
                self.blunt.push(neighbour);
            }
            self.is_blunt[neighbour] = is_blunt;
        }
    }

    /// Clips a corner although no ear is left. A corner that does not turn is preferred, which loses no area. Returns
    /// true if there was one.
    fn clip_one_by_force(&mut self, flat: &[[f64; 2]], may_look: bool) -> bool {
        let mut there = (0..flat.len()).filter(|corner| !self.is_clipped[*corner]);
        let straight = there.clone().find(|corner| may_look && self.turn_at(flat, *corner) == 0.0);
        if let Some(corner) = straight.or_else(|| there.next()) {
            self.clip(flat, corner);
        }
        straight.is_some()
    }

    /// Takes a fan over the remaining corners.
    fn clip_rest(&mut self) {
        let Some(first) = self.is_clipped.iter().position(|is_clipped| !is_clipped) else { return };
        let mut corner = self.next[first];
        while self.next[corner] != first {
            self.ears.push([first, corner, self.next[corner]]);
            corner = self.next[corner];
        }
    }

    /// Positive if the rest of the polygon turns left at a corner.
    fn turn_at(&self, flat: &[[f64; 2]], corner: usize) -> f64 {
        turn(flat[self.previous[corner]], flat[corner], flat[self.next[corner]])
    }
}

/// Twice the area of a triangle, positive if it turns left.
fn turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// The normal of a polygon that need not be flat (Newell): sums of areas seen along each axis.
fn newell(places: impl Iterator<Item = [f64; 3]> + Clone) -> [f64; 3] {
    let Some(origin) = places.clone().next() else { return [0.0; 3] };
    // Relative to a corner, points far from zero lose no digits.
    let local = places.map(|place| [place[0] - origin[0], place[1] - origin[1], place[2] - origin[2]]);
    let mut normal = [0.0; 3];
    let mut before = [0.0; 3];
    for place in local {
        for (axis, sum) in normal.iter_mut().enumerate() {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            *sum += before[u] * place[v] - before[v] * place[u];
        }
        before = place;
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cuts a polygon in a plane, which is also tried tilted, and checks that its triangles cover it.
    fn check(flat: &[[f64; 2]]) -> Vec<[u32; 3]> {
        let embeddings: [fn([f64; 2]) -> [f64; 3]; 4] = [
            |[x, y]| [x, y, 5.0],
            |[x, y]| [x, 2.0, -y],
            |[x, y]| [-3.0, x, y],
            |[x, y]| [x, y, x + 2.0 * y],
        ];
        let corners: Vec<u32> = (0..flat.len() as u32).collect();
        let mut all = Vec::new();
        for embedding in embeddings {
            let vertices: Vec<_> = flat.iter().map(|place| embedding(*place)).collect();
            let mut cutter = Cutter::default();
            assert_eq!(cutter.cut(&vertices, &corners), Cut::Simple, "{flat:?}");
            all.push(cutter.triangles().to_vec());
        }
        let area = |ring: &[[f64; 2]]| -> f64 {
            (1..ring.len() - 1).map(|corner| turn(ring[0], ring[corner], ring[corner + 1])).sum()
        };
        for triangles in &all {
            assert_eq!(triangles.len(), flat.len() - 2, "{flat:?}");
            let areas: Vec<f64> =
                triangles.iter().map(|t| area(&t.map(|corner| flat[corner as usize]))).collect();
            assert!(areas.iter().all(|area| *area >= 0.0), "{flat:?}: {areas:?}");
            assert!((areas.iter().sum::<f64>() - area(flat)).abs() < 1e-9, "{flat:?}");
        }
        all.swap_remove(0)
    }

    #[test]
    fn convex_polygons_are_fans() {
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        assert_eq!(check(&square), [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn concave_polygons_are_cut_inside() {
        let arrow = [[4.0, 4.0], [0.0, 1.0], [-4.0, 4.0], [0.0, 0.0]];
        for start in 0..4 {
            let mut turned = arrow;
            turned.rotate_left(start);
            check(&turned);
        }
        let ell = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
        check(&ell);
        let comb: Vec<[f64; 2]> = (0..40)
            .map(|i| [f64::from(i), if i % 2 == 0 { 1.0 } else { 9.0 }])
            .chain([[40.0, -1.0], [-1.0, -1.0]])
            .rev()
            .collect();
        check(&comb);
    }

    #[test]
    fn spirals_and_stars_are_cut_inside() {
        let star = |count: u32| -> Vec<[f64; 2]> {
            (0..count)
                .map(|i| {
                    let angle = f64::from(i) / f64::from(count) * std::f64::consts::TAU;
                    let radius = if i % 2 == 0 { 1.0 } else { 10.0 };
                    [radius * angle.cos(), radius * angle.sin()]
                })
                .collect()
        };
        for count in [8, 30, 400] {
            check(&star(count));
        }
        let arm = |radius: f64| {
            move |i: u32| {
                let angle = f64::from(i) / 10.0;
                [(angle + radius) * angle.cos(), (angle + radius) * angle.sin()]
            }
        };
        let spiral: Vec<[f64; 2]> = (0..200).map(arm(3.0)).chain((0..200).rev().map(arm(1.0))).collect();
        check(&spiral);
    }

    #[test]
    fn corners_in_a_row_stay_corners() {
        let square = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
        let triangles = check(&square);
        assert!(triangles.iter().all(|t| t.map(|c| square[c as usize]).iter().any(|p| p[1] > 0.0)));
    }

    #[test]
    fn tangled_and_flat_polygons_end() {
        let bow = [[0.0, 0.0, 0.0], [4.0, 0.0, 4.0], [4.0, 0.0, 0.0], [0.0, 0.0, 3.0]];
        let mut cutter = Cutter::default();
        cutter.cut(&bow, &[0, 1, 2, 3]);
        assert_eq!(cutter.triangles().len(), 2);
        let row = [[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [3.0, 0.0, 0.0]];
        assert_eq!(cutter.cut(&row, &[0, 1, 2, 3]), Cut::Crossing);
        assert_eq!(cutter.triangles().len(), 2);
        assert_eq!(cutter.cut(&row, &[1; 50]), Cut::Crossing);
        let mut state = 1_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 28)
        };
        for count in (4..60).chain([500]) {
            let vertices: Vec<[f64; 3]> = (0..count).map(|_| [random(), random(), random()]).collect();
            let corners: Vec<u32> = (0..count).collect();
            cutter.cut(&vertices, &corners);
            assert_eq!(cutter.triangles().len(), count as usize - 2);
        }
    }

    /// Random places in a square, the same every time.
    fn scattered(count: u32) -> Vec<[f64; 3]> {
        let mut state = 1_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 8)
        };
        (0..count).map(|_| [random(), 0.0, random()]).collect()
    }

    /// One face of 5,000 random corners took minutes to build.
    #[test]
    fn tangles_of_many_corners_are_not_cut() {
        let mut cutter = Cutter::default();
        for (count, expected) in [(201, Cut::Crossing), (600, Cut::Crossing), (2000, Cut::Tangled)] {
            let corners: Vec<u32> = (0..count).collect();
            assert_eq!(cutter.cut(&scattered(count), &corners), expected, "{count}");
            let triangles = if expected == Cut::Tangled { 0 } else { count as usize - 2 };
            assert_eq!(cutter.triangles().len(), triangles);
        }
        // Every side of this star crosses almost all others, but fans out from its first corner.
        let star = |i: u32| (f64::from(i) * std::f64::consts::PI * 2500.0 / 5001.0 * 2.0).sin_cos();
        let places: Vec<[f64; 3]> = (0..5001).map(|i| [star(i).0, 0.0, star(i).1]).collect();
        assert_eq!(cutter.cut(&places, &(0..5001).collect::<Vec<u32>>()), Cut::Tangled);
    }

    #[test]
    fn simple_polygons_of_many_corners_are_cut() {
        let star: Vec<[f64; 2]> = (0..5000)
            .map(|i| {
                let (sin, cos) = (f64::from(i) / 5000.0 * std::f64::consts::TAU).sin_cos();
                let radius = if i % 2 == 0 { 0.6 } else { 1.0 };
                [radius * cos, radius * sin]
            })
            .collect();
        check(&star);
        // All sides of a comb lie above one place.
        let comb: Vec<[f64; 2]> = (0..4998)
            .map(|i| [if i % 2 == 0 { 1.0 } else { 9.0 }, f64::from(i)])
            .chain([[-1.0, 4998.0], [-1.0, -1.0]])
            .collect();
        check(&comb);
    }
}
