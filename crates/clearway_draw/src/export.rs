//! Exports meshes to formats that other programs read.
//!
//! Coordinates are written as the shortest text that reads back as the same float, so nothing is lost. Area classes and
//! links are exported if the format can hold them; WKT cannot.

mod detour;
mod gltf;
mod godot;

use clearway_nav::mesh::{Cell, ComponentId, Link, NavMesh, VertexId};
use clearway_nav::query::{Position, in_world};
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write;

pub use detour::{DetourBody, to_detour};
pub use gltf::to_glb;
pub use godot::to_godot;

/// Returns the mesh as Wavefront OBJ: one face for each cell, one group for each component. Area classes are materials;
/// links are lines in groups of their own.
///
/// The world is right-handed with +Y up, and a plan lies in its ground plane. The plan's (x, y) becomes (x, 0, -y), so
/// that the plan is seen from above as it was drawn. Faces are counter-clockwise from above.
///
/// In a scene corners lie on the ground, but the shape of the ground between them is lost: a bridge that rises between
/// its ends looks flat. [`ground_to_obj`] has true heights everywhere. Where the ground steps from one cell to the
/// next, a corner is written once for each height.
pub fn to_obj(mesh: &NavMesh) -> String {
    let mesh = &*mesh.compacted();
    let mut text = String::from("# clearway navigation mesh: convex cells, +Y up, metres\no navmesh\n");
    let corners =
        if mesh.has_heights() { raised_corners(mesh, &mut text) } else { flat_corners(mesh, &mut text) };
    let mut class = None;
    for (component, cells) in by_component(mesh).into_iter().enumerate() {
        let _ = writeln!(text, "g component_{component}");
        for cell in cells {
            use_material(mesh, &cell, &mut class, &mut text);
            text.push('f');
            for number in &corners[cell.id().index()] {
                let _ = write!(text, " {number}");
            }
            text.push('\n');
        }
    }
    link_lines(mesh, &mut text);
    text
}

/// Writes the area class of a cell as the material of the following faces, if it changes. Without classes there are no
/// materials.
fn use_material(mesh: &NavMesh, cell: &Cell<'_>, current: &mut Option<u8>, text: &mut String) {
    let class = cell.area_class();
    if let (true, Some(name)) = (mesh.area_names().len() > 1, area_name(mesh, cell))
        && *current != Some(class)
    {
        let _ = writeln!(text, "usemtl {}", word(name));
        *current = Some(class);
    }
}

/// Returns the name of the area class of a cell; `None` on a plan.
fn area_name<'a>(mesh: &'a NavMesh, cell: &Cell<'_>) -> Option<&'a str> {
    mesh.area_names().get(usize::from(cell.area_class())).map(String::as_str)
}

/// Returns a name as one word, because OBJ splits names at spaces.
fn word(name: &str) -> String {
    name.split_whitespace().collect::<Vec<&str>>().join("_")
}

/// Writes links as lines from start to end, each in a group that names it and its kind.
fn link_lines(mesh: &NavMesh, text: &mut String) {
    for (number, link) in mesh.links().enumerate() {
        let ways = if link.both_ways { "both ways" } else { "one way" };
        let cost = link.cost.unwrap_or_else(|| link.length());
        let _ = writeln!(text, "# {} {}: {cost} m of walking, {ways}", link.kind, link.name);
        let _ = writeln!(text, "g link_{number}_{}", word(link.kind.name()));
        for [x, y, z] in [link.from, link.to] {
            let _ = writeln!(text, "v {x} {y} {z}");
        }
        // Negative indices count back from the last vertex.
        text.push_str("l -2 -1\n");
    }
}

/// Returns the walkable ground as Wavefront OBJ with true heights everywhere, exact up to rounding. There is one group
/// for each cell. It is one face if the ground is even; otherwise it holds the faces of the scene, clipped to the cell.
/// A plan gives the cells themselves. Area classes and links are as in [`to_obj`].
pub fn ground_to_obj(mesh: &NavMesh) -> String {
    let mesh = &*mesh.compacted();
    let mut text = String::from("# clearway walkable ground, +Y up, metres\no ground\n");
    let (mut count, mut class) = (0, None);
    for cell in mesh.cells() {
        let _ = writeln!(text, "g cell_{}", cell.id());
        use_material(mesh, &cell, &mut class, &mut text);
        for corners in mesh.ground_faces(&cell) {
            for (at, height) in &corners {
                let [x, y, z] = mesh.in_world(*at, *height);
                let _ = writeln!(text, "v {x} {y} {z}");
            }
            text.push('f');
            for number in count + 1..=count + corners.len() {
                let _ = write!(text, " {number}");
            }
            count += corners.len();
            text.push('\n');
        }
    }
    link_lines(mesh, &mut text);
    text
}

/// Writes one corner for each vertex. Returns the numbers of the corners of each cell, from 1 on.
fn flat_corners(mesh: &NavMesh, text: &mut String) -> Vec<Vec<usize>> {
    for id in (0..mesh.vertex_count() as u32).map(VertexId) {
        let [x, _, z] = in_world(mesh.position(id).unwrap_or_default(), 0.0);
        // Writing into a string cannot fail.
        let _ = writeln!(text, "v {x} 0 {z}");
    }
    mesh.cells().map(|cell| cell.corners().map(|corner| corner.index() + 1).collect()).collect()
}

/// Writes one corner for each vertex and height; heights within a millimetre are one. Returns as `flat_corners`.
fn raised_corners(mesh: &NavMesh, text: &mut String) -> Vec<Vec<usize>> {
    let mut number_of: BTreeMap<(VertexId, i64), usize> = BTreeMap::new();
    let mut corners = Vec::with_capacity(mesh.cell_count());
    for cell in mesh.cells() {
        let numbers = cell.corners().zip(cell.points()).map(|(corner, at)| {
            let height = mesh.ground_height(cell.id().0, at.as_vec2());
            let next = number_of.len() + 1;
            *number_of.entry((corner, (height * 1e3).round() as i64)).or_insert_with(|| {
                let [x, y, z] = in_world(mesh.position(corner).unwrap_or_default(), height);
                let _ = writeln!(text, "v {x} {y} {z}");
                next
            })
        });
        corners.push(numbers.collect());
    }
    corners
}

/// Returns the mesh as a GeoJSON (RFC 7946) collection of one polygon for each cell, in plan coordinates.
///
/// `layer` is the index of the cell's storey (see [`NavMesh::storeys`]). In a scene, cells have their area class and
/// the mean height of their ground. Links follow the cells as lines, with heights in a scene. Their properties are
/// name, kind, cost in metres of walking, both ways or not, and the radius of the largest body.
pub fn to_geojson(mesh: &NavMesh) -> String {
    let mesh = &*mesh.compacted();
    let storeys = mesh.storeys();
    let mut text = String::from("{\"type\":\"FeatureCollection\",\"features\":[");
    for cell in mesh.cells() {
        let comma = if cell.id().index() == 0 { "" } else { "," };
        let (id, region, component) = (cell.id(), cell.region(), cell.component());
        let height = mesh.mean_height(cell.id()).unwrap_or(0.0);
        let layer = storeys.partition_point(|storey| storey[1] <= height);
        let class = area_name(mesh, &cell).map(|name| {
            let height = (height * 1e3).round() / 1e3 + 0.0;
            format!(",\"area_class\":{},\"height\":{height}", json!(name))
        });
        let class = class.unwrap_or_default();
        let _ = write!(
            text,
            "{comma}\n{{\"type\":\"Feature\",\"id\":{id},\"properties\":{{\"id\":{id},\"region\":{region},\
             \"component\":{component},\"layer\":{layer}{class}}},\"geometry\":{{\"type\":\"Polygon\",\
             \"coordinates\":[["
        );
        points(&mut text, &cell, |text, [x, y]| write!(text, "[{x},{y}]"), ",");
        text.push_str("]]}}");
    }
    for (number, link) in mesh.links().enumerate() {
        let comma = if number == 0 && mesh.cell_count() == 0 { "" } else { "," };
        let _ = write!(text, "{comma}\n{}", link_feature(mesh, number, &link));
    }
    text.push_str("\n]}\n");
    text
}

/// Returns a link as a GeoJSON feature.
fn link_feature(mesh: &NavMesh, number: usize, link: &Link) -> serde_json::Value {
    let place = |at: [f64; 3]| {
        let [x, y] = at.plan();
        if mesh.has_heights() { json!([x, y, at[1]]) } else { json!([x, y]) }
    };
    json!({
        "type": "Feature",
        "id": format!("link_{number}"),
        "properties": {
            "link": number,
            "name": link.name,
            "kind": link.kind,
            "cost": link.cost.unwrap_or_else(|| link.length()),
            "both_ways": link.both_ways,
            "max_radius": link.max_radius,
        },
        "geometry": { "type": "LineString", "coordinates": [place(link.from), place(link.to)] },
    })
}

/// Returns the mesh as well-known text: one `MULTIPOLYGON` of the cells, in plan coordinates. Area classes and links
/// are lost.
pub fn to_wkt(mesh: &NavMesh) -> String {
    let mesh = &*mesh.compacted();
    if mesh.cell_count() == 0 {
        return "MULTIPOLYGON EMPTY\n".to_string();
    }
    let mut text = String::from("MULTIPOLYGON (");
    for cell in mesh.cells() {
        text.push_str(if cell.id().index() == 0 { "((" } else { ",\n((" });
        points(&mut text, &cell, |text, [x, y]| write!(text, "{x} {y}"), ", ");
        text.push_str("))");
    }
    text.push_str(")\n");
    text
}

/// Writes the corners of a cell counter-clockwise; the first one is repeated at the end.
fn points(
    text: &mut String,
    cell: &Cell<'_>,
    write: impl Fn(&mut String, [f64; 2]) -> std::fmt::Result,
    separator: &str,
) {
    for (i, point) in cell.outline().chain(cell.outline().take(1)).enumerate() {
        if i > 0 {
            text.push_str(separator);
        }
        let _ = write(text, point);
    }
}

/// Returns the cells of each component.
fn by_component(mesh: &NavMesh) -> Vec<Vec<Cell<'_>>> {
    let mut groups = vec![Vec::new(); mesh.component_count()];
    for cell in mesh.cells() {
        let ComponentId(component) = cell.component();
        groups[component as usize].push(cell);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_build::MeshOptions;
    use clearway_world::plan::{Plan, PlanFormat};

    /// Two components, a hole, and coordinates that are not short decimals.
    pub const PLAN: &str = "MULTIPOLYGON (\
        ((0.1 0.2, 10.3 0, 10 7.7, 0 8.3, 0.1 0.2), (3 3, 3 5, 5 5, 4.4 3.3, 3 3)), \
        ((-20 -20, -12.5 -20, -12.5 -12, -20 -20)))";

    pub fn mesh(text: &str) -> NavMesh {
        MeshOptions::default().build(&Plan::parse(PlanFormat::Wkt, text).unwrap()).unwrap()
    }

    fn area(ring: &[[f64; 2]]) -> f64 {
        let next = ring.iter().cycle().skip(1);
        0.5 * ring.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f64>()
    }

    fn compare_cells(mesh: &NavMesh, read: &Plan) {
        assert_eq!(read.polygons.len(), mesh.cell_count());
        for (polygon, cell) in read.polygons.iter().zip(mesh.cells()) {
            assert_eq!(polygon.outline, cell.outline().collect::<Vec<_>>(), "bit for bit");
            assert!(area(&polygon.outline) > 0.0, "counter-clockwise");
            assert!((area(&polygon.outline) - cell.area()).abs() < 1e-9);
        }
    }

    #[test]
    fn well_known_text_reads_back_the_same() {
        let mesh = mesh(PLAN);
        compare_cells(&mesh, &Plan::parse(PlanFormat::Wkt, &to_wkt(&mesh)).unwrap());
    }

    #[test]
    fn geojson_reads_back_the_same() {
        let mesh = mesh(PLAN);
        let text = to_geojson(&mesh);
        compare_cells(&mesh, &Plan::parse(PlanFormat::GeoJson, &text).unwrap());
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        for (feature, cell) in json["features"].as_array().unwrap().iter().zip(mesh.cells()) {
            assert_eq!(feature["properties"]["id"], cell.id().0);
            assert_eq!(feature["properties"]["region"], cell.region().0);
            assert_eq!(feature["properties"]["component"], cell.component().0);
            assert_eq!(feature["properties"]["layer"], 0);
            let ring = feature["geometry"]["coordinates"][0].as_array().unwrap();
            assert_eq!(ring.first(), ring.last(), "closed");
        }
    }

    #[test]
    fn a_plan_of_cells_has_the_same_area_as_the_mesh() {
        let before = mesh(PLAN);
        let after = mesh(&to_wkt(&before));
        assert!((before.area() - after.area()).abs() < 1e-6);
        assert_eq!(before.component_count(), after.component_count());
    }

    #[test]
    fn obj_lies_on_the_ground_and_faces_up() {
        let mesh = mesh(PLAN);
        let text = to_obj(&mesh);
        let (mut vertices, mut faces, mut groups) = (Vec::new(), 0, Vec::new());
        for line in text.lines() {
            let fields: Vec<_> = line.split(' ').collect();
            let numbers: Vec<f64> = fields[1..].iter().filter_map(|field| field.parse().ok()).collect();
            match fields[0] {
                "v" => vertices.push([numbers[0], numbers[1], numbers[2]]),
                "g" => groups.push(fields[1]),
                "f" => {
                    faces += 1;
                    assert!(normal_y(&vertices, &numbers) > 0.0, "{line}");
                }
                _ => {}
            }
        }
        assert_eq!((vertices.len(), faces), (mesh.vertex_count(), mesh.cell_count()));
        assert!(vertices.iter().all(|vertex| vertex[1] == 0.0));
        assert_eq!(groups, ["component_0", "component_1"]);
        assert!(!text.contains("-0\n"), "no negative zero");
    }

    /// The upward part of a face's normal, by Newell's method.
    fn normal_y(vertices: &[[f64; 3]], face: &[f64]) -> f64 {
        let corner = |i: usize| vertices[face[i % face.len()] as usize - 1];
        let term = |a: [f64; 3], b: [f64; 3]| (a[2] - b[2]) * (a[0] + b[0]);
        (0..face.len()).map(|i| term(corner(i), corner(i + 1))).sum()
    }

    #[test]
    fn nothing_is_exported_as_nothing() {
        let empty = mesh("POLYGON ((0 0, 1 1, 2 2, 0 0))");
        assert_eq!(to_wkt(&empty), "MULTIPOLYGON EMPTY\n");
        assert_eq!(to_geojson(&empty), "{\"type\":\"FeatureCollection\",\"features\":[\n]}\n");
        assert!(!to_obj(&empty).contains("\nf "));
    }
}
