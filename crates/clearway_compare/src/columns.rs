//! The true walkable surface by vertical columns: the heights at which a body can stand above one point, triangle by
//! triangle.
//!
//! This is a brute-force oracle, written for clarity. The extraction of surfaces is measured against it and shares no
//! code with it, only the meaning of the rules. A point is standable if its face faces up, is no steeper than the rules
//! allow, and has head-room. It has head-room if no other surface lies in the open interval up to the head of the body.
//!
//! Every triangle takes head-room, whichever way it faces. Vertical triangles have no area seen from above, so no
//! column meets them. Surfaces within a millimetre of each other are one.
//!
//! The sampler knows only points, so islands, floors inside solids and bridged gaps all count.
//! [`Columns`](super::Columns) can leave out small islands, and [`ColumnSampler::seems_inside`] detects insides; the
//! caller decides about the rest.
//!
//! Triangles lie in the bins of a uniform grid over x and z. A column costs the triangles of its bin.

use clearway_build::surface::WalkRules;
use clearway_world::scene::Scene;

/// Surfaces closer together than this, in metres, are one: nobody stands between them.
const SAME_SURFACE: f64 = 1e-3;

/// Tolerance of head-room in metres: the rounding of sums of heights.
const ROUNDING: f64 = 1e-9;

/// The number of bins per triangle, for small and evenly spread triangles. More bins cost memory, fewer cost time per
/// column.
const BINS_PER_FACE: f64 = 4.0;

/// The largest number of references from bins to triangles. Bins grow where large triangles would fill too many.
const MOST_ENTRIES: usize = 1 << 25;

/// Answers at which heights one can stand at a point of a scene.
#[derive(Clone, Debug)]
pub struct ColumnSampler {
    /// The triangles that have an area seen from above.
    faces: Vec<Face>,
    /// The index of the triangles.
    bins: Bins,
    /// The height of the body, in metres.
    height: f64,
    /// The greatest step, in metres.
    max_step: f64,
    /// The greatest slope, in radians.
    max_slope: f64,
}

/// A height at which a body can stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stand {
    /// The height in metres.
    pub height: f64,
    /// The part of the scene that carries it, as an index into [`Scene::parts`].
    pub part: u32,
}

impl ColumnSampler {
    /// Sorts the triangles of the scene into bins. Triangles with missing or non-finite corners are left out. Of the
    /// rules, only `height`, `max_step` and `max_slope` matter.
    pub fn new(scene: &Scene, rules: &WalkRules) -> ColumnSampler {
        let least_up = rules.least_upright() - ROUNDING;
        let numbers = 0..scene.triangles.len();
        let faces: Vec<Face> = numbers.filter_map(|number| Face::new(scene, number, least_up)).collect();
        let bins = Bins::new(&faces);
        ColumnSampler {
            faces,
            bins,
            height: rules.height,
            max_step: rules.max_step,
            max_slope: rules.max_slope,
        }
    }

    /// Returns the heights at which a body can stand at `(x, z)`, ascending.
    pub fn standable(&self, x: f64, z: f64) -> Vec<Stand> {
        let mut column = Column::default();
        self.stands_in(x, z, &mut column);
        column.stands
    }

    /// Returns the heights of all surfaces at `(x, z)`, ascending, walkable or not.
    pub fn surfaces(&self, x: f64, z: f64) -> Vec<f64> {
        let mut column = Column::default();
        self.cut(x, z, &mut column);
        column.surfaces.iter().map(|surface| surface.low).collect()
    }

    /// True if a body that stands here seems to be inside a closed solid: more tops than undersides lie straight above
    /// its middle, and no more below it. For solids with holes this is a guess.
    pub fn seems_inside(&self, [x, y, z]: [f64; 3]) -> bool {
        let (eye, mut above, mut below) = (y + 0.5 * self.height, 0, 0);
        for face in self.bins.at([x, z]).iter().map(|number| &self.faces[*number as usize]) {
            if face.covers([x, z]) {
                let tops = if face.height_at([x, z]) > eye { &mut above } else { &mut below };
                *tops += if face.is_up { 1 } else { -1 };
            }
        }
        above > 0 && below <= 0
    }

    /// Returns the least and the greatest x and z of all triangles; `None` if nothing has an area.
    pub fn bounds(&self) -> Option<[[f64; 2]; 2]> {
        (!self.faces.is_empty()).then_some([self.bins.least, self.bins.most])
    }

    /// Returns the height of the body, in metres.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// Returns the greatest step of the rules, in metres.
    pub fn max_step(&self) -> f64 {
        self.max_step
    }

    /// Returns the greatest slope of the rules, in radians.
    pub fn max_slope(&self) -> f64 {
        self.max_slope
    }

    /// As [`ColumnSampler::standable`], into a buffer that is reused.
    pub(super) fn stands_in(&self, x: f64, z: f64, column: &mut Column) {
        self.cut(x, z, column);
        column.stands.clear();
        let is_steep = |face: &Face| face.is_up && !face.walkable;
        let steeps = column.hits.iter().filter(|(_, number)| is_steep(&self.faces[*number as usize]));
        column.steeps = steeps.map(|(height, _)| *height).collect();
        for (place, surface) in column.surfaces.iter().enumerate() {
            let Some(stand) = surface.stand else { continue };
            let above = column.surfaces.get(place + 1).map_or(f64::INFINITY, |above| above.low);
            if above >= stand.height + self.height - ROUNDING {
                column.stands.push(stand);
            }
        }
    }

    /// Collects all surfaces of a column, ascending.
    fn cut(&self, x: f64, z: f64, column: &mut Column) {
        column.hits.clear();
        for &number in self.bins.at([x, z]) {
            let face = &self.faces[number as usize];
            if face.covers([x, z]) {
                column.hits.push((face.height_at([x, z]), number));
            }
        }
        column.hits.sort_unstable_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        column.merge(&self.faces);
    }
}

/// Scratch buffers for one column.
#[derive(Clone, Debug, Default)]
pub(super) struct Column {
    /// The triangles that the column meets: height and number.
    hits: Vec<(f64, u32)>,
    /// The surfaces, ascending.
    surfaces: Vec<Surface>,
    /// The heights at which one can stand.
    pub stands: Vec<Stand>,
    /// The heights of faces that look up and are too steep to stand on.
    pub steeps: Vec<f64>,
}

/// Triangles within a millimetre of the lowest of them.
#[derive(Clone, Copy, Debug)]
struct Surface {
    /// The height of the lowest triangle, in metres.
    low: f64,
    /// The stand on the first walkable triangle among them, in the scene's order.
    stand: Option<Stand>,
    /// The number of that triangle; the greatest number if there is none.
    carrier: u32,
}

impl Column {
    /// Merges hits into surfaces.
    fn merge(&mut self, faces: &[Face]) {
        self.surfaces.clear();
        for &(height, number) in &self.hits {
            if self.surfaces.last().is_none_or(|surface| height - surface.low > SAME_SURFACE) {
                self.surfaces.push(Surface { low: height, stand: None, carrier: u32::MAX });
            }
            let face = &faces[number as usize];
            let Some(surface) = self.surfaces.last_mut() else { continue };
            if face.walkable && number < surface.carrier {
                surface.stand = Some(Stand { height, part: face.part });
                surface.carrier = number;
            }
        }
    }
}

/// A triangle seen from above.
#[derive(Clone, Debug)]
struct Face {
    /// The least and the greatest x and z.
    bounds: [[f64; 2]; 2],
    /// Its sides as half-planes.
    edges: [Edge; 3],
    /// A corner: x, height, z.
    corner: [f64; 3],
    /// The change of height per metre along x and z.
    gradient: [f64; 2],
    /// The least and the greatest height of a corner.
    rise: [f64; 2],
    /// True if a body can stand on it, as far as its slope and direction go.
    walkable: bool,
    /// True if it faces up.
    is_up: bool,
    /// The part of the scene that it belongs to.
    part: u32,
}

/// A side of a triangle as a half-plane.
///
/// Its ends are in the same order in both triangles that share it. So a point on the side lies in at least one of them,
/// however the arithmetic rounds.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// The lesser end, by x and then z.
    origin: [f64; 2],
    /// The vector to the greater end.
    along: [f64; 2],
    /// The sign of the inner side.
    sign: f64,
}

impl Face {
    /// Makes the face of a triangle; `None` if it has no area seen from above, or lacks corners.
    fn new(scene: &Scene, number: usize, least_up: f64) -> Option<Face> {
        let corners = scene.triangles[number].map(|vertex| scene.vertices.get(vertex as usize).copied());
        let [a, b, c] = [corners[0]?, corners[1]?, corners[2]?];
        let normal = cross(minus(b, a), minus(c, a));
        let up = normal[1];
        let length = normal.iter().map(|n| n * n).sum::<f64>().sqrt();
        // Vertical triangles cover nothing seen from above.
        if up == 0.0 || !length.is_finite() {
            return None;
        }
        let gradient = [-normal[0] / up, -normal[2] / up];
        if !gradient.iter().all(|slope| slope.is_finite()) {
            return None;
        }
        let [p, q, r] = [a, b, c].map(seen_from_above);
        Some(Face {
            bounds: bounds_of([p, q, r].map(|corner| [corner; 2])),
            edges: [(p, q), (q, r), (r, p)].map(|(from, to)| Edge::new(from, to, up.signum())),
            corner: a,
            gradient,
            rise: [a[1].min(b[1]).min(c[1]), a[1].max(b[1]).max(c[1])],
            walkable: up >= least_up * length,
            is_up: up > 0.0,
            part: scene.part_of.get(number).copied().unwrap_or(0),
        })
    }

    /// True if the triangle lies over or under a point.
    fn covers(&self, place: [f64; 2]) -> bool {
        let [least, most] = self.bounds;
        let near = |axis: usize| (least[axis]..=most[axis]).contains(&place[axis]);
        near(0) && near(1) && self.edges.iter().all(|edge| edge.keeps(place))
    }

    /// Returns the height of the triangle at a point, in metres.
    fn height_at(&self, [x, z]: [f64; 2]) -> f64 {
        let [dx, dz] = [x - self.corner[0], z - self.corner[2]];
        // Steep triangles magnify rounding beyond their own corners, hence the limits.
        (self.corner[1] + self.gradient[0] * dx + self.gradient[1] * dz).clamp(self.rise[0], self.rise[1])
    }
}

impl Edge {
    /// Makes the side from one corner to the next of a triangle whose normal points up (`up` is 1) or down (−1).
    fn new(from: [f64; 2], to: [f64; 2], up: f64) -> Edge {
        // With y up, x to the right and z downwards, a triangle that faces up runs clockwise in (x, z).
        let (origin, end, sign) = if from <= to { (from, to, -up) } else { (to, from, up) };
        Edge { origin, along: [end[0] - origin[0], end[1] - origin[1]], sign }
    }

    /// True if a point lies on the inner side, or on the line.
    fn keeps(&self, [x, z]: [f64; 2]) -> bool {
        let [dx, dz] = [x - self.origin[0], z - self.origin[1]];
        (self.along[0] * dz - self.along[1] * dx) * self.sign >= 0.0
    }
}

/// A uniform grid that lists the triangles over each of its squares.
#[derive(Clone, Debug, Default)]
struct Bins {
    /// The least x and z.
    least: [f64; 2],
    /// The greatest x and z.
    most: [f64; 2],
    /// The side of a bin, in metres.
    side: f64,
    /// The number of columns and rows.
    count: [usize; 2],
    /// For each bin, the index of its first triangle in `entries`; one more entry ends the last bin.
    starts: Vec<usize>,
    /// The triangles of all bins, bin after bin.
    entries: Vec<u32>,
}

impl Bins {
    /// Chooses the size of the bins and sorts the faces into them.
    fn new(faces: &[Face]) -> Bins {
        if faces.is_empty() {
            return Bins::default();
        }
        let [least, most] = bounds_of(faces.iter().map(|face| face.bounds));
        let sides = [most[0] - least[0], most[1] - least[1]];
        let wanted = faces.len() as f64 * BINS_PER_FACE;
        // The second term bounds the number of bins of long and narrow scenes.
        let side = (sides[0] * sides[1] / wanted).sqrt().max(sides[0].max(sides[1]) / wanted);
        let mut bins = Bins { least, most, ..Bins::default() };
        bins.divide(side.max(f64::MIN_POSITIVE));
        while bins.entries_of(faces) > MOST_ENTRIES && bins.count != [1, 1] {
            bins.divide(2.0 * bins.side);
        }
        bins.fill(faces);
        bins
    }

    /// Sets the side of the bins.
    fn divide(&mut self, side: f64) {
        self.side = side;
        self.count = [0, 1].map(|axis| ((self.most[axis] - self.least[axis]) / side) as usize + 1);
    }

    /// Returns the number of references that the bins would hold.
    fn entries_of(&self, faces: &[Face]) -> usize {
        let span =
            |[least, most]: [[f64; 2]; 2], axis| self.row(most[axis], axis) - self.row(least[axis], axis) + 1;
        let entries = faces.iter().map(|face| span(face.bounds, 0).saturating_mul(span(face.bounds, 1)));
        entries.fold(0, usize::saturating_add)
    }

    /// Fills the bins: counts first, then writes, so that the triangles of a bin keep the scene's order.
    fn fill(&mut self, faces: &[Face]) {
        let mut starts = vec![0; self.count[0] * self.count[1] + 1];
        faces.iter().for_each(|face| self.each_bin(face, |bin| starts[bin + 1] += 1));
        for bin in 1..starts.len() {
            starts[bin] += starts[bin - 1];
        }
        let mut next = starts.clone();
        let mut entries = vec![0; starts.last().copied().unwrap_or(0)];
        for (number, face) in (0..).zip(faces) {
            self.each_bin(face, |bin| {
                entries[next[bin]] = number;
                next[bin] += 1;
            });
        }
        (self.starts, self.entries) = (starts, entries);
    }

    /// Visits the bins that the box of a face touches.
    fn each_bin(&self, face: &Face, mut visit: impl FnMut(usize)) {
        let [least, most] = face.bounds;
        for row in self.row(least[1], 1)..=self.row(most[1], 1) {
            for column in self.row(least[0], 0)..=self.row(most[0], 0) {
                visit(row * self.count[0] + column);
            }
        }
    }

    /// Returns the triangles that may lie over or under a point.
    fn at(&self, place: [f64; 2]) -> &[u32] {
        let inside = |axis: usize| (self.least[axis]..=self.most[axis]).contains(&place[axis]);
        if self.entries.is_empty() || !inside(0) || !inside(1) {
            return &[];
        }
        let bin = self.row(place[1], 1) * self.count[0] + self.row(place[0], 0);
        &self.entries[self.starts[bin]..self.starts[bin + 1]]
    }

    /// Returns the row or column of bins for a coordinate. It grows with the coordinate, however it rounds, so a point
    /// within a triangle's box lies in one of the triangle's bins.
    fn row(&self, coordinate: f64, axis: usize) -> usize {
        (((coordinate - self.least[axis]) / self.side) as usize).min(self.count[axis] - 1)
    }
}

/// Returns the box around boxes.
fn bounds_of(boxes: impl IntoIterator<Item = [[f64; 2]; 2]>) -> [[f64; 2]; 2] {
    let nothing = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
    boxes.into_iter().fold(nothing, |[least, most], [low, high]| {
        [[0, 1].map(|axis| least[axis].min(low[axis])), [0, 1].map(|axis| most[axis].max(high[axis]))]
    })
}

/// Returns x and z.
fn seen_from_above([x, _, z]: [f64; 3]) -> [f64; 2] {
    [x, z]
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
