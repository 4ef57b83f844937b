//! Triangle soup in named parts, and the solids that scenes are put together from.
//!
//! Right-handed, +Y up, metres. Faces are counter-clockwise as seen from outside, so a floor faces +Y. Solids
//! share the corners of their own faces and nothing else: neighbours meet in equal coordinates only.

use std::fmt::Write;

/// No generator makes more triangles than this; options beyond it are cut down.
pub const MAX_TRIANGLES: usize = 4_000_000;

/// A point or vector in space.
pub type Point3 = [f64; 3];

/// Triangles in parts with a name and a material.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Soup {
    /// Where the corners of triangles lie.
    pub vertices: Vec<Point3>,
    /// Corners by number, counter-clockwise as seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// For each triangle the number of its part.
    pub part_of: Vec<u32>,
    /// Name and material of each part.
    pub parts: Vec<(String, String)>,
}

impl Soup {
    /// A soup without triangles.
    pub fn new() -> Soup {
        Soup::default()
    }

    /// Starts a part: all triangles from here on belong to it.
    pub fn part(&mut self, name: impl Into<String>, material: &str) -> &mut Soup {
        self.parts.push((name.into(), material.to_string()));
        self
    }

    /// A flat convex face.
    pub fn face(&mut self, corners: &[Point3]) {
        let base = self.vertices.len() as u32;
        self.vertices.extend_from_slice(corners);
        for k in 2..corners.len() as u32 {
            self.indexed(base, [0, k - 1, k]);
        }
    }

    /// An upright rectangle in plan, at one height, that faces up.
    pub fn floor(&mut self, low: [f64; 2], high: [f64; 2], y: f64) {
        self.face(&rectangle(low, high).map(|[x, z]| [x, y, z]));
    }

    /// An upright rectangle in plan, at one height, that faces down.
    pub fn ceiling(&mut self, low: [f64; 2], high: [f64; 2], y: f64) {
        let [a, b, c, d] = rectangle(low, high).map(|[x, z]| [x, y, z]);
        self.face(&[a, d, c, b]);
    }

    /// A vertical rectangle without thickness from `from` to `to` in plan; it faces left of that direction
    /// as seen from above.
    pub fn panel(&mut self, from: [f64; 2], to: [f64; 2], bottom: f64, top: f64) {
        let at = |[x, z]: [f64; 2], y: f64| [x, y, z];
        self.face(&[at(to, bottom), at(from, bottom), at(from, top), at(to, top)]);
    }

    /// A closed box with upright sides.
    pub fn cuboid(&mut self, low: Point3, high: Point3) {
        let corner = |k: usize| {
            let pick = |axis: usize| if (k >> axis) & 1 == 0 { low[axis] } else { high[axis] };
            [pick(0), pick(1), pick(2)]
        };
        self.hexahedron([0, 1, 2, 3, 4, 5, 6, 7].map(corner));
    }

    /// A closed solid with the faces of a box. The bits 0, 1 and 2 of a corner's number say whether it is on
    /// the side of high x, y and z.
    pub fn hexahedron(&mut self, corners: [Point3; 8]) {
        const FACES: [[u32; 4]; 6] =
            [[2, 6, 7, 3], [0, 1, 5, 4], [0, 4, 6, 2], [1, 3, 7, 5], [0, 2, 3, 1], [4, 5, 7, 6]];
        let base = self.vertices.len() as u32;
        self.vertices.extend_from_slice(&corners);
        for [a, b, c, d] in FACES {
            self.indexed(base, [a, b, c]);
            self.indexed(base, [a, c, d]);
        }
    }

    /// A closed solid with upright sides over a convex ring of `[x, z]`.
    ///
    /// The ring is counter-clockwise as seen from above.
    pub fn prism(&mut self, ring: &[[f64; 2]], bottom: f64, top: f64) {
        let at = |y: f64| move |&[x, z]: &[f64; 2]| [x, y, z];
        let upper: Vec<Point3> = ring.iter().map(at(top)).collect();
        let lower: Vec<Point3> = ring.iter().rev().map(at(bottom)).collect();
        self.face(&upper);
        self.face(&lower);
        for (k, &a) in ring.iter().enumerate() {
            let b = ring[(k + 1) % ring.len()];
            self.panel(b, a, bottom, top);
        }
    }

    /// A closed wedge that climbs along x from `low` to the height of `high`, with upright sides and back.
    pub fn wedge(&mut self, low: Point3, high: Point3) {
        let ([x0, y0, z0], [x1, y1, z1]) = (low, high);
        self.face(&[[x0, y0, z0], [x0, y0, z1], [x1, y1, z1], [x1, y1, z0]]);
        self.ceiling([x0, z0], [x1, z1], y0);
        self.face(&[[x1, y0, z1], [x1, y0, z0], [x1, y1, z0], [x1, y1, z1]]);
        self.face(&[[x0, y0, z0], [x1, y1, z0], [x1, y0, z0]]);
        self.face(&[[x0, y0, z1], [x1, y0, z1], [x1, y1, z1]]);
    }

    /// Adds all of another soup.
    pub fn append(&mut self, other: &Soup) {
        let (base, first) = (self.vertices.len() as u32, self.parts.len() as u32);
        self.vertices.extend_from_slice(&other.vertices);
        self.triangles.extend(other.triangles.iter().map(|corners| corners.map(|v| v + base)));
        self.part_of.extend(other.part_of.iter().map(|part| part + first));
        self.parts.extend_from_slice(&other.parts);
    }

    /// Adds triangles that share corners.
    pub(crate) fn mesh(&mut self, vertices: &[Point3], triangles: impl Iterator<Item = [u32; 3]>) {
        let base = self.vertices.len() as u32;
        self.vertices.extend_from_slice(vertices);
        for corners in triangles {
            self.indexed(base, corners);
        }
    }

    /// The soup with x turned to -x, facing outwards still.
    pub(crate) fn mirrored_x(mut self) -> Soup {
        for vertex in &mut self.vertices {
            vertex[0] = 0.0 - vertex[0];
        }
        for corners in &mut self.triangles {
            corners.swap(1, 2);
        }
        self
    }

    /// Where the corners of a triangle lie.
    pub fn corners(&self, triangle: usize) -> [Point3; 3] {
        self.triangles[triangle].map(|v| self.vertices[v as usize])
    }

    /// The text of a Wavefront OBJ file: a group and a material for each run of triangles of one part.
    pub fn to_obj(&self) -> String {
        let mut text = String::with_capacity(40 * self.vertices.len() + 30 * self.triangles.len());
        text.push_str("# right-handed, +Y up, metres\n");
        for [x, y, z] in &self.vertices {
            let _ = writeln!(text, "v {x} {y} {z}");
        }
        let mut current = None;
        for (corners, &part) in self.triangles.iter().zip(&self.part_of) {
            if current != Some(part) {
                current = Some(part);
                let (name, material) = self.parts.get(part as usize).cloned().unwrap_or_default();
                let _ = writeln!(text, "g {name}\nusemtl {material}");
            }
            let [a, b, c] = corners.map(|v| v + 1);
            let _ = writeln!(text, "f {a} {b} {c}");
        }
        text
    }

    fn indexed(&mut self, base: u32, corners: [u32; 3]) {
        if self.parts.is_empty() {
            self.part("part", "");
        }
        self.triangles.push(corners.map(|v| v + base));
        self.part_of.push(self.parts.len() as u32 - 1);
    }
}

/// The corners of an upright rectangle in plan, counter-clockwise as seen from above.
pub(crate) fn rectangle(low: [f64; 2], high: [f64; 2]) -> [[f64; 2]; 4] {
    [low, [low[0], high[1]], high, [high[0], low[1]]]
}

/// The coordinates rounded to a millimetre, which hides the last bits of trigonometric functions.
pub(crate) fn to_millimetre(point: Point3) -> Point3 {
    point.map(|x| (x * 1000.0).round() / 1000.0 + 0.0)
}

/// The area of a triangle in plan, positive if it faces up.
pub(crate) fn plan_area([a, b, c]: [Point3; 3]) -> f64 {
    0.5 * ((b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]))
}

/// How much a triangle rises per metre in plan; infinite if it is vertical.
pub(crate) fn steepness([a, b, c]: [Point3; 3]) -> f64 {
    let u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    let v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
    let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    normal[0].hypot(normal[2]) / normal[1].abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six times the volume that the faces enclose: positive if they face outwards.
    fn six_volumes(soup: &Soup) -> f64 {
        let volume = |t: usize| {
            let [a, b, c] = soup.corners(t);
            a[0] * (b[1] * c[2] - b[2] * c[1])
                + a[1] * (b[2] * c[0] - b[0] * c[2])
                + a[2] * (b[0] * c[1] - b[1] * c[0])
        };
        (0..soup.triangles.len()).map(volume).sum()
    }

    #[test]
    fn solids_face_outwards_and_enclose_their_volume() {
        let mut soup = Soup::new();
        soup.cuboid([1.0, 2.0, 3.0], [2.0, 4.0, 6.0]);
        assert_eq!(soup.triangles.len(), 12);
        assert!((six_volumes(&soup) - 36.0).abs() < 1e-9);
        let mut soup = Soup::new();
        soup.prism(&rectangle([1.0, 3.0], [2.0, 6.0]), 2.0, 4.0);
        assert!((six_volumes(&soup) - 36.0).abs() < 1e-9);
        let mut soup = Soup::new();
        soup.wedge([1.0, 2.0, 3.0], [2.0, 4.0, 6.0]);
        assert!((six_volumes(&soup) - 18.0).abs() < 1e-9);
    }

    #[test]
    fn floors_face_up_and_panels_left() {
        let mut soup = Soup::new();
        soup.floor([0.0, 0.0], [2.0, 3.0], 1.0);
        assert_eq!(plan_area(soup.corners(0)) + plan_area(soup.corners(1)), 6.0);
        assert_eq!(steepness(soup.corners(0)), 0.0);
        let mut soup = Soup::new();
        soup.ceiling([0.0, 0.0], [2.0, 3.0], 1.0);
        assert!(plan_area(soup.corners(0)) < 0.0);
        let mut soup = Soup::new();
        soup.panel([0.0, 0.0], [1.0, 0.0], 0.0, 1.0);
        let [a, b, c] = soup.corners(0);
        // The z of (b - a) x (c - a): left of +x as seen from above is -z.
        assert!((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) < 0.0);
    }
}
