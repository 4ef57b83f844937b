//! Affine maps: the transforms of glTF nodes.

use super::document::Node;

/// An affine map of space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Transform {
    /// Three rows of a matrix; the last column is the translation.
    rows: [[f64; 4]; 3],
}

impl Transform {
    /// The map that changes nothing.
    pub(super) const IDENTITY: Transform =
        Transform { rows: [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]] };

    /// The map of a node into its parent: its matrix, or its scale, then rotation, then translation.
    pub(super) fn of_node(node: &Node) -> Transform {
        if let Some(matrix) = &node.matrix {
            // The format stores column after column.
            let row = |row: usize| [matrix[row], matrix[4 + row], matrix[8 + row], matrix[12 + row]];
            return Transform { rows: [row(0), row(1), row(2)] };
        }
        let translation = node.translation.as_deref().copied().unwrap_or([0.0; 3]);
        let rotation = node.rotation.as_deref().copied().unwrap_or([0.0, 0.0, 0.0, 1.0]);
        let scale = node.scale.as_deref().copied().unwrap_or([1.0; 3]);
        Transform::of_parts(translation, rotation, scale)
    }

    /// Scale, then rotation by a quaternion (x, y, z, w), then translation. A quaternion without a usable length does
    /// not turn.
    pub(super) fn of_parts(translation: [f64; 3], rotation: [f64; 4], scale: [f64; 3]) -> Transform {
        let length = length_of(rotation);
        let [x, y, z, w] = if turns(rotation) { rotation.map(|c| c / length) } else { [0.0, 0.0, 0.0, 1.0] };
        let turned = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
            [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
            [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
        ];
        let row = |row: usize| {
            let [a, b, c] = turned[row];
            [a * scale[0], b * scale[1], c * scale[2], translation[row]]
        };
        Transform { rows: [row(0), row(1), row(2)] }
    }

    /// First `inner`, then this one.
    pub(super) fn after(&self, inner: &Transform) -> Transform {
        let column = |c: usize| inner.rows.map(|row| row[c]);
        let [x, y, z] = [0, 1, 2].map(|c| self.linear(column(c)));
        let shift = self.apply(column(3));
        let row = |row: usize| [x[row], y[row], z[row], shift[row]];
        Transform { rows: [row(0), row(1), row(2)] }
    }

    /// The image of a point.
    pub(super) fn apply(&self, place: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = self.linear(place);
        [x + self.rows[0][3], y + self.rows[1][3], z + self.rows[2][3]]
    }

    /// True if left and right are swapped. Then triangles must be turned over to face outside still.
    pub(super) fn mirrors(&self) -> bool {
        let [a, b, c] = self.rows;
        let cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
        cross[0] * c[0] + cross[1] * c[1] + cross[2] * c[2] < 0.0
    }

    /// The image of a direction: without the translation.
    fn linear(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        self.rows.map(|[a, b, c, _]| a * x + b * y + c * z)
    }
}

/// The greatest error of the last row of a matrix, compared with 0, 0, 0, 1. It covers the rounding of 32-bit
/// numbers, and no more: a larger error means a projective map.
const LAST_ROW_SLACK: f64 = 1e-6;

/// The last row of a node's matrix if it is not 0, 0, 0, 1: then the matrix is projective, not affine.
pub(super) fn projective_row(node: &Node) -> Option<[f64; 4]> {
    let matrix = node.matrix.as_deref()?;
    let row = [matrix[3], matrix[7], matrix[11], matrix[15]];
    let is_affine =
        row.iter().zip([0.0, 0.0, 0.0, 1.0]).all(|(c, plain)| (c - plain).abs() <= LAST_ROW_SLACK);
    (!is_affine).then_some(row)
}

/// True if a quaternion has a usable length: neither zero nor infinite. NaN passes.
pub(super) fn turns(rotation: [f64; 4]) -> bool {
    let length = length_of(rotation);
    // NaN makes positions that are no numbers, and these are refused with their own message.
    length > 0.0 && length < f64::INFINITY || length.is_nan()
}

/// The length of a quaternion.
fn length_of(rotation: [f64; 4]) -> f64 {
    rotation.iter().map(|c| c * c).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_rotation_and_translation_come_in_that_order() {
        // A quarter turn about y takes x to -z; the quaternion need not have length one.
        let transform = Transform::of_parts([10.0, 20.0, 30.0], [0.0, 2.0, 0.0, 2.0], [2.0, 3.0, 4.0]);
        let place = transform.apply([1.0, 1.0, 1.0]);
        let expected = [14.0, 23.0, 28.0];
        assert!(place.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{place:?}");
        assert!(!transform.mirrors());
    }

    #[test]
    fn chains_are_applied_inside_out() {
        let shift = Transform::of_parts([1.0, 0.0, 0.0], [0.0; 4], [1.0; 3]);
        let mirror = Transform::of_parts([0.0; 3], [0.0, 0.0, 0.0, 1.0], [-2.0, 1.0, 1.0]);
        assert_eq!(mirror.after(&shift).apply([1.0, 5.0, 6.0]), [-4.0, 5.0, 6.0]);
        assert_eq!(shift.after(&mirror).apply([1.0, 5.0, 6.0]), [-1.0, 5.0, 6.0]);
        assert!(shift.after(&mirror).mirrors() && !mirror.after(&mirror).mirrors());
        assert_eq!(Transform::IDENTITY.after(&mirror), mirror);
    }
}
