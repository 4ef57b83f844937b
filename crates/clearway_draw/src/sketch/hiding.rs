//! Parts of a line that floors hide in a picture from aside.
//!
//! The eye is far away and above everything: of two points at one place of the picture the higher one is nearer. So a
//! point is hidden if ground at its place of the picture is higher. Cost: for each step of a line, the floors whose boxes
//! hold it.

use super::overlay::Parts;

/// The least height in metres by which ground must be higher than a point to hide it. The ground that the point lies on
/// must not.
const CLEAR: f64 = 0.3;

/// A triangle of ground: its corners on the picture, and their heights in metres.
type Face = [([f64; 2], f64); 3];

/// The ground of a picture.
pub struct Floors {
    /// The triangles, by their left ends.
    faces: Vec<Face>,
    /// The width of the widest triangle.
    widest: f64,
}

impl Floors {
    /// Takes convex floors: for each corner its point on the picture and its height.
    pub fn of(floors: impl Iterator<Item = Vec<([f64; 2], f64)>>) -> Floors {
        let mut faces: Vec<Face> = Vec::new();
        for floor in floors {
            faces.extend(floor.windows(2).skip(1).map(|pair| [floor[0], pair[0], pair[1]]));
        }
        faces.sort_by(|p, q| left(p).total_cmp(&left(q)));
        let widest = faces.iter().map(|face| right(face) - left(face)).fold(0.0, f64::max);
        Floors { faces, widest }
    }

    /// True if ground hides a point at this place of the picture and at this height.
    fn hide(&self, at: [f64; 2], height: f64) -> bool {
        let first = self.faces.partition_point(|face| left(face) < at[0] - self.widest);
        let near = self.faces[first..].iter().take_while(|face| left(face) <= at[0]);
        near.filter_map(|face| height_at(face, at)).any(|above| above > height + CLEAR)
    }

    /// Cuts a line into parts that are hidden and parts that are not, in steps of at most this length on the picture.
    pub fn parts(&self, points: &[[f64; 3]], see: impl Fn([f64; 3]) -> [f64; 2], step: f64) -> Parts {
        let mut parts = Parts::new();
        for pair in points.windows(2) {
            let [from, to] = [see(pair[0]), see(pair[1])];
            let steps = ((to[0] - from[0]).hypot(to[1] - from[1]) / step).ceil().clamp(1.0, MOST_STEPS);
            let at =
                |share: f64| [0, 1, 2].map(|axis| pair[0][axis] + (pair[1][axis] - pair[0][axis]) * share);
            for number in 0..steps as u32 {
                let ends = [number, number + 1].map(|end| at(f64::from(end) / steps));
                let middle = at((f64::from(number) + 0.5) / steps);
                let is_hidden = self.hide(see(middle), middle[1]);
                match parts.last_mut() {
                    Some((known, line)) if *known == is_hidden => line.push(ends[1]),
                    _ => parts.push((is_hidden, ends.to_vec())),
                }
            }
        }
        parts
    }
}

/// The greatest number of steps along one straight part of a line.
const MOST_STEPS: f64 = 4096.0;

fn left(face: &Face) -> f64 {
    face.iter().map(|corner| corner.0[0]).fold(f64::INFINITY, f64::min)
}

fn right(face: &Face) -> f64 {
    face.iter().map(|corner| corner.0[0]).fold(f64::NEG_INFINITY, f64::max)
}

/// Returns the height of a triangle at a place of the picture; `None` beside it.
fn height_at(face: &Face, [x, y]: [f64; 2]) -> Option<f64> {
    let turn = |[a, b]: [[f64; 2]; 2]| (a[0] - x) * (b[1] - y) - (a[1] - y) * (b[0] - x);
    let [a, b, c] = face.map(|corner| corner.0);
    let parts = [turn([b, c]), turn([c, a]), turn([a, b])];
    let whole: f64 = parts.iter().sum();
    let is_inside = parts.iter().all(|part| part * whole >= 0.0) && whole != 0.0;
    is_inside.then(|| parts.iter().zip(face).map(|(part, corner)| part * corner.1).sum::<f64>() / whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_under_a_floor_is_hidden() {
        let square = |x: f64, height: f64| {
            [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]].map(|[u, v]| ([x + u, v], height)).to_vec()
        };
        let floors = Floors::of([square(0.0, 0.0), square(4.0, 3.0), square(-90.0, 9.0)].into_iter());
        let see = |[x, _, z]: [f64; 3]| [x, z];
        let parts = floors.parts(&[[1.0, 0.0, 1.0], [7.0, 0.0, 1.0]], see, 0.5);
        let kinds: Vec<bool> = parts.iter().map(|part| part.0).collect();
        assert_eq!(kinds, [false, true, false]);
        assert_eq!((parts[1].1[0][0], parts[1].1.last().unwrap()[0]), (4.0, 6.0));
        let above = floors.parts(&[[4.5, 3.0, 1.0], [5.5, 3.0, 1.0]], see, 0.5);
        assert_eq!(above.len(), 1, "its own floor does not hide a line");
    }
}
