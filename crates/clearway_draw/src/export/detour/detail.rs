//! The ground under a polygon as a detail mesh: the faces of the scene, cut to the polygon.
//!
//! Detour takes the height of a place from the first triangle that holds it, so triangles need not fit together. A detail
//! mesh has at most 255 vertices and triangles; of more the largest faces stay, and Detour takes the nearest edge
//! elsewhere.

use clearway_geometry::Vec2;
use clearway_geometry::clip::half_plane;
use clearway_nav::mesh::{Cell, NavMesh};
use std::collections::BTreeMap;

/// The most vertices of a polygon with its detail mesh, and the most triangles: Detour numbers both with 8 bits.
const MOST: usize = 255;
/// The distance in grid units within which an edge lies on the border of its polygon.
const ON_BORDER: f64 = 0.5;
/// The least area of a face in square grid units; smaller ones are lines.
const LEAST: f64 = 0.25;

/// A corner of a face: its place and its height in grid units.
type Raised = (Vec2, f64);

/// A detail mesh.
#[derive(Clone, Debug, Default)]
pub struct Detail {
    /// Vertices beside those of the polygon.
    pub vertices: Vec<[f32; 3]>,
    /// Three vertices each, those of the polygon first, and the flags of edges on the border.
    pub triangles: Vec<[u8; 4]>,
}

/// The ground of a cell.
pub struct Ground<'a> {
    mesh: &'a NavMesh,
    /// Its faces; a single one is even.
    faces: Vec<Vec<Raised>>,
}

impl<'a> Ground<'a> {
    pub fn of(mesh: &'a NavMesh, cell: &Cell<'_>) -> Ground<'a> {
        let faces = if mesh.has_heights() { mesh.ground_faces(cell) } else { Vec::new() };
        Ground { mesh, faces }
    }

    /// Returns the detail mesh of a convex part of the cell; `None` if its corners tell its heights.
    pub fn under(&self, outline: &[Vec2]) -> Option<Detail> {
        if self.faces.len() < 2 {
            return None;
        }
        let mut faces: Vec<(f64, Vec<Raised>)> = self
            .faces
            .iter()
            .map(|face| clipped(face, outline))
            .map(|face| (area(&face), face))
            .filter(|(area, _)| *area > LEAST)
            .collect();
        faces.sort_by(|p, q| q.0.total_cmp(&p.0));
        let mut detail = Detail::default();
        let mut number_of = BTreeMap::new();
        for (_, face) in &faces {
            self.add(face, outline, &mut detail, &mut number_of);
        }
        // Detour looks for the nearest edge on the border and relies on one.
        detail.triangles.iter().any(|triangle| triangle[3] != 0).then_some(detail)
    }

    /// Adds a face as a fan, if there is room for it.
    fn add(
        &self,
        face: &[Raised],
        outline: &[Vec2],
        detail: &mut Detail,
        number_of: &mut BTreeMap<[u32; 3], u8>,
    ) {
        let room = MOST.saturating_sub(outline.len() + detail.vertices.len());
        if face.len() > room || detail.triangles.len() + face.len() - 2 > MOST {
            return;
        }
        let numbers: Vec<u8> = face
            .iter()
            .map(|(at, height)| {
                let place = self.mesh.in_world(*at, *height).map(|value| value as f32);
                *number_of.entry(place.map(f32::to_bits)).or_insert_with(|| {
                    detail.vertices.push(place);
                    (outline.len() + detail.vertices.len() - 1) as u8
                })
            })
            .collect();
        for last in 2..face.len() {
            let places = [0, last - 1, last];
            // Two bits for each edge say whether it lies on the border of the polygon.
            let flags = (0..3).map(|edge| {
                let ends = [places[edge], places[(edge + 1) % 3]].map(|place| face[place].0);
                u8::from(is_on_border(ends, outline)) << (2 * edge)
            });
            let [a, b, c] = places.map(|place| numbers[place]);
            detail.triangles.push([a, b, c, flags.sum()]);
        }
    }
}

/// Returns the part of a face inside a convex outline.
fn clipped(face: &[Raised], outline: &[Vec2]) -> Vec<Raised> {
    let between = |p: &Raised, q: &Raised, share: f64| (p.0 + (q.0 - p.0) * share, p.1 + (q.1 - p.1) * share);
    sides(outline).fold(face.to_vec(), |face, [from, to]| {
        half_plane(&face, |(at, _)| (to - from).cross(*at - from), between)
    })
}

/// Returns the area of a face in square grid units.
fn area(face: &[Raised]) -> f64 {
    let Some((first, _)) = face.first().copied() else { return 0.0 };
    0.5 * face.windows(2).map(|pair| (pair[0].0 - first).cross(pair[1].0 - first)).sum::<f64>()
}

/// True if both ends of an edge lie on one side of an outline.
fn is_on_border(ends: [Vec2; 2], outline: &[Vec2]) -> bool {
    sides(outline).any(|[from, to]| {
        ends.iter().all(|at| (to - from).cross(*at - from).abs() <= ON_BORDER * (to - from).length())
    })
}

/// Returns the sides of an outline.
fn sides(outline: &[Vec2]) -> impl Iterator<Item = [Vec2; 2]> + '_ {
    outline.iter().zip(outline.iter().skip(1).chain(outline.first())).map(|(from, to)| [*from, *to])
}
