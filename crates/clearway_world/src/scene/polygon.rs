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

/// A polygon whose triangles' sides cross each other more often than this is a tangle: it is left out.
///
/// The work of uniting triangles grows with their crossings, so this bounds the work for one polygon, however many corners it
/// has, to about a second. Random corners reach the limit at 210; 600 took 2 s and 5,000 minutes. Faces of up to 100
/// corners cannot reach it. Drawn faces cross themselves a few times at most.
pub(super) const MAX_CROSSINGS: usize = 20_000;

/// The outcome of cutting a polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// Its triangles cover it.
    Simple,
    /// It crosses itself or has no area: its triangles may overlap.
    Crossing,
    /// It crosses itself more often than [`MAX_CROSSINGS`]: it has no triangles.
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
        // Fewer corners cannot cross so often, even if all sides of triangles crossed all others.
        let may_tangle = 2 * corners.len() * corners.len() > MAX_CROSSINGS;
        let crossings = if may_tangle { self.crossings_of_sides() } else { 0 };
        if crossings > MAX_CROSSINGS {
            return Cut::Tangled;
        }
        let is_simple = self.cut_flat(is_flat);
        // Where no sides cross no triangles do.
        if crossings > 0 && self.crossings_of_triangles() > MAX_CROSSINGS {
            return Cut::Tangled;
        }
        self.triangles.extend(self.ring.ears.iter().map(|ear| ear.map(|corner| corners[corner])));
        if is_simple { Cut::Simple } else { Cut::Crossing }
    }

    /// Cuts the polygon that was flattened into ears; false if they may overlap.
    fn cut_flat(&mut self, is_flat: bool) -> bool {
        if !is_flat || self.is_fan() {
            self.ring.ears.clear();
            self.ring.ears.extend((2..self.flat.len()).map(|corner| [0, corner - 1, corner]));
            return is_flat;
        }
        self.ring.reset(&self.flat);
        self.ring.clip_ears(&self.flat)
    }

    /// How often the polygon's sides cross each other; stops beyond [`MAX_CROSSINGS`].
    fn crossings_of_sides(&mut self) -> usize {
        let ends = self.flat.iter().zip(self.flat.iter().cycle().skip(1));
        self.sweep.crossings(ends.map(|(from, to)| [*from, *to]))
    }

    /// How often the sides of triangles cross each other; stops beyond [`MAX_CROSSINGS`].
    fn crossings_of_triangles(&mut self) -> usize {
        let ends = self.flat.iter().zip(self.flat.iter().cycle().skip(1));
        // The first and the last corner of an ear are the ends of the diagonal that cuts it off.
        let diagonals = self.ring.ears.iter().map(|ear| [self.flat[ear[0]], self.flat[ear[2]]]);
        self.sweep.crossings(ends.map(|(from, to)| [*from, *to]).chain(diagonals))
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
}

/// Counts crossings of lines, from left to right.
#[derive(Debug, Default)]
struct Sweep {
    lines: Vec<[[f64; 2]; 2]>,
    /// Lines that do not end before the place of the sweep.
    open: Vec<[[f64; 2]; 2]>,
}

impl Sweep {
    /// How often lines cross each other; stops beyond [`MAX_CROSSINGS`]. Costs lines times those above one place.
    fn crossings(&mut self, lines: impl Iterator<Item = [[f64; 2]; 2]>) -> usize {
        self.lines.clear();
        self.lines.extend(lines.map(|[a, b]| if a[0] <= b[0] { [a, b] } else { [b, a] }));
        self.lines.sort_by(|p, q| p[0][0].total_cmp(&q[0][0]));
        self.open.clear();
        let mut crossings = 0;
        for line in &self.lines {
            self.open.retain(|other| other[1][0] >= line[0][0]);
            crossings += self.open.iter().filter(|other| cross(*line, **other)).count();
            if crossings > MAX_CROSSINGS {
                break;
            }
            self.open.push(*line);
        }
        crossings
    }
}

/// Whether two lines cross in a place inside both.
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
        for count in (4..60).chain([150]) {
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
        for (count, expected) in
            [(51, Cut::Crossing), (150, Cut::Crossing), (600, Cut::Tangled), (5000, Cut::Tangled)]
        {
            let corners: Vec<u32> = (0..count).collect();
            assert_eq!(cutter.cut(&scattered(count), &corners), expected, "{count}");
            let triangles = if expected == Cut::Tangled { 0 } else { count as usize - 2 };
            assert_eq!(cutter.triangles().len(), triangles);
        }
        // The sides of a random walk cross few others, its triangles many.
        let mut place = [0.0; 3];
        let walk = scattered(4000).into_iter().map(|step| {
            place = [0, 1, 2]
                .map(|axis| (place[axis] + step[axis] / f64::from(1 << 23) - 1.0).clamp(-30.0, 30.0));
            [place[0], 0.0, place[2]]
        });
        let walk: Vec<[f64; 3]> = walk.collect();
        assert_eq!(cutter.cut(&walk, &(0..4000).collect::<Vec<u32>>()), Cut::Tangled);
        // Every side of this star crosses almost all others.
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
