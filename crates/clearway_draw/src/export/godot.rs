//! Meshes as Godot resources.

use super::DetourBody;
use clearway_nav::mesh::{NavMesh, VertexId};
use clearway_nav::query::in_world;

/// Returns the mesh as a Godot 4 resource (`.tres`) of type `NavigationMesh`: one polygon for each cell, with heights at
/// its corners. `body` is for whom the mesh was made. Godot joins polygons whose corners are at one place, so each vertex
/// has one height: the mean of those that the cells around it have there.
///
/// Godot's front sides are clockwise, so corners are in that order as seen from above. Links and area classes are lost.
pub fn to_godot(mesh: &NavMesh, body: DetourBody) -> String {
    let mesh = &*mesh.compacted();
    let mut heights = vec![(0.0, 0.0); mesh.vertex_count()];
    let mut polygons: Vec<String> = Vec::with_capacity(mesh.cell_count());
    for cell in mesh.cells() {
        for (corner, at) in cell.corners().zip(cell.points()) {
            let (sum, count) = &mut heights[corner.index()];
            *sum += mesh.ground_height(cell.id().0, at.as_vec2());
            *count += 1.0;
        }
        let mut numbers: Vec<String> = cell.corners().map(|corner| corner.to_string()).collect();
        numbers.reverse();
        polygons.push(format!("PackedInt32Array({})", numbers.join(", ")));
    }
    let vertices = (0u32..).zip(&heights).map(|(vertex, (sum, count))| {
        let at = mesh.position(VertexId(vertex)).unwrap_or_default();
        let [x, y, z] = in_world(at, if *count > 0.0 { sum / count } else { 0.0 });
        format!("{x}, {y}, {z}")
    });
    let vertices: Vec<String> = vertices.collect();
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
        let text = to_godot(&mesh, body);
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
