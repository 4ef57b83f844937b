//! Meshes as Godot resources.

use super::DetourBody;
use clearway_nav::mesh::{CellId, NavMesh};
use clearway_nav::query::in_world;
use std::collections::BTreeMap;

/// Returns the mesh as a Godot 4 resource (`.tres`) of type `NavigationMesh`: one polygon for each cell, with heights at
/// its corners. `body` is for whom the mesh was made; `height` gives the height of the ground in metres at a place of a
/// cell.
///
/// Godot's front sides are clockwise, so corners are in that order as seen from above. Links and area classes are lost.
pub fn to_godot(mesh: &NavMesh, body: DetourBody, height: impl Fn(CellId, [f64; 2]) -> f64) -> String {
    let (mut vertices, mut number_of) = (Vec::new(), BTreeMap::new());
    let mut polygons: Vec<String> = Vec::with_capacity(mesh.cell_count());
    for cell in mesh.cells() {
        let numbers = cell.corners().zip(cell.outline()).map(|(corner, at)| {
            let up = height(cell.id(), at);
            let next = number_of.len();
            let number = number_of.entry((corner, (up * 1e3).round() as i64)).or_insert_with(|| {
                let [x, y, z] = in_world(at, up);
                vertices.push(format!("{x}, {y}, {z}"));
                next
            });
            number.to_string()
        });
        let mut numbers: Vec<String> = numbers.collect();
        numbers.reverse();
        polygons.push(format!("PackedInt32Array({})", numbers.join(", ")));
    }
    let DetourBody { radius, height, climb } = body;
    format!(
        "[gd_resource type=\"NavigationMesh\" format=3]\n\n[resource]\nvertices = PackedVector3Array({})\n\
         polygons = [{}]\nagent_radius = {radius:?}\nagent_height = {height:?}\nagent_max_climb = {climb:?}\n",
        vertices.join(", "),
        polygons.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::super::tests::{PLAN, mesh};
    use super::*;

    #[test]
    fn a_resource_lists_all_corners_and_cells_clockwise() {
        let mesh = mesh(PLAN);
        let body = DetourBody { radius: 0.25, height: 2.0, climb: 0.4 };
        let text = to_godot(&mesh, body, |_, _| 0.0);
        let list = |name: &str| {
            let line = text.lines().find(|line| line.starts_with(name)).unwrap();
            line.split(&['(', ')', ',', '[', ']', ' '][..])
                .filter_map(|word| word.parse::<f64>().ok())
                .collect::<Vec<_>>()
        };
        assert_eq!(list("vertices").len(), 3 * mesh.vertex_count());
        assert_eq!(text.matches("PackedInt32Array").count(), mesh.cell_count());
        let corners: usize = mesh.cells().map(|cell| cell.corners().len()).sum();
        assert_eq!(list("polygons").len(), corners);
        assert!(text.contains("agent_radius = 0.25"));
        let (vertices, first) = (list("vertices"), list("polygons"));
        let at = |i: usize| [vertices[3 * first[i] as usize], vertices[3 * first[i] as usize + 2]];
        let [a, b, c] = [at(0), at(1), at(2)];
        // x to the right and z towards the eye: clockwise from above is counter-clockwise in (x, z).
        assert!((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) >= 0.0);
    }
}
