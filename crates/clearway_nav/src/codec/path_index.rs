//! The path index as bytes: distances from landmarks, and tangents between corners.
//!
//! `landmark` has for each vertex its distances from the landmarks of its component, in grid units (`f32`); all of them
//! are not a number (`7fc00000`) where there is no landmark.
//!
//! `tangents` begins with the number of tangents of each state (`u32`). Corners are numbered as they are found along
//! cells and sides; corner c has the states 2c (turning left) and 2c + 1 (turning right). Then each tangent has two
//! words, by the state that it leaves and the state that it leads to: that state, and the widest radius that fits, in
//! grid units (`f32`, rounded down, may be infinite).
//!
//! Angles, and which tangents lead on, follow from these.

use super::words;
use crate::mesh::{Flaw, FlawKind, Flaws, LANDMARKS, Landmarks, NavMesh};
use crate::path::TangentIndex;

/// Encodes both sections; empty ones if the index was not prepared.
pub(super) fn encode(mesh: &NavMesh) -> [Vec<u8>; 2] {
    let rows = mesh.landmarks.get().map_or(&[][..], |landmarks| &landmarks.distances);
    let landmarks = rows.as_flattened().iter().flat_map(|distance| distance.to_bits().to_le_bytes());
    let tangents = mesh.tangents().map(TangentIndex::to_words).unwrap_or_default();
    [landmarks.collect(), tangents.into_iter().flat_map(u32::to_le_bytes).collect()]
}

/// Reads both sections and gives the index to the mesh, unless something is wrong with them.
pub(super) fn read(mesh: &NavMesh, landmarks: &[u8], tangents: &[u8], flaws: &mut Flaws) {
    let before = flaws.count();
    let rows: Vec<[f32; LANDMARKS]> =
        words(landmarks, "landmark", flaws).map(|row: [u32; LANDMARKS]| row.map(f32::from_bits)).collect();
    let mut wrong = |section: &str, detail: String| {
        flaws.note(|| Flaw::new(FlawKind::Section, format!("section {section}: {detail}")));
    };
    if rows.len() != mesh.vertex_count() {
        wrong("landmark", format!("has {} rows instead of {}", rows.len(), mesh.vertex_count()));
    }
    if let Some(vertex) = rows.iter().position(|row| !is_row(row)) {
        wrong("landmark", format!("the distances of vertex {vertex} make no sense"));
    }
    let words: Vec<u32> = words(tangents, "tangents", flaws).map(|[word]| word).collect();
    if flaws.count() > before {
        return;
    }
    match TangentIndex::from_words(mesh, &words) {
        Ok(index) => {
            mesh.landmarks.get_or_make(|| Landmarks { distances: rows });
            mesh.tangents.get_or_make(|| index);
        }
        Err(detail) => {
            flaws.note(|| Flaw::new(FlawKind::Section, format!("section tangents: {detail}")));
        }
    }
}

/// True if distances can be those of a vertex: all of them are distances, or none is a number.
fn is_row(row: &[f32; LANDMARKS]) -> bool {
    let is_distance = |value: &f32| *value >= 0.0 && value.is_sign_positive();
    row.iter().all(is_distance) || row.iter().all(|value| value.to_bits() == f32::NAN.to_bits())
}
