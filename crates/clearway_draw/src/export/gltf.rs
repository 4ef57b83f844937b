//! Meshes as binary glTF: triangles of the ground, a material for each area class, links as nodes.

use super::area_name;
use clearway_nav::mesh::{Cell, NavMesh};
use serde_json::{Value, json};

/// The colours of materials, in turn: the pastels of pictures are too pale for a lit view.
const COLORS: [[f32; 3]; 8] = [
    [0.36, 0.62, 0.86],
    [0.93, 0.60, 0.32],
    [0.48, 0.74, 0.44],
    [0.80, 0.46, 0.66],
    [0.90, 0.80, 0.38],
    [0.40, 0.72, 0.72],
    [0.62, 0.54, 0.84],
    [0.66, 0.56, 0.46],
];

/// The triangles of one area class.
#[derive(Default)]
struct Triangles {
    /// Three corners for each triangle, in the world.
    corners: Vec<[f32; 3]>,
    /// The number of the cell, for each corner.
    cells: Vec<f32>,
}

/// Returns the mesh as a binary glTF file (`.glb`), right-handed with +Y up, in metres.
///
/// The ground is exact: cells whose ground bends are cut along the faces of the scene. There is one primitive with a
/// material for each area class. The attribute `_CELL` holds the number of the cell. Links are nodes whose `extras` hold
/// name, kind, ends, cost, direction and the largest radius; the node of the mesh tells the counts.
pub fn to_glb(mesh: &NavMesh) -> Vec<u8> {
    let mesh = &*mesh.compacted();
    let mut classes: Vec<Triangles> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for cell in mesh.cells() {
        let class = usize::from(cell.area_class());
        while classes.len() <= class {
            names.push(format!("class {}", classes.len()));
            classes.push(Triangles::default());
        }
        if let Some(name) = area_name(mesh, &cell) {
            names[class] = name.to_string();
        }
        add_cell(mesh, &cell, &mut classes[class]);
    }
    let mut binary = Vec::new();
    let (mut accessors, mut views, mut primitives, mut materials) = (vec![], vec![], vec![], vec![]);
    for (number, class) in classes.iter().enumerate().filter(|(_, class)| !class.corners.is_empty()) {
        let first = accessors.len();
        let flat: Vec<f32> = class.corners.iter().flatten().copied().collect();
        add_floats(&mut binary, &mut views, &flat);
        add_floats(&mut binary, &mut views, &class.cells);
        let bound = |start: f32, pick: fn(f32, f32) -> f32| -> Vec<f32> {
            (0..3).map(|axis| class.corners.iter().map(|at| at[axis]).fold(start, pick)).collect()
        };
        accessors.push(json!({
            "bufferView": first, "componentType": 5126, "count": class.corners.len(), "type": "VEC3",
            "min": bound(f32::INFINITY, f32::min), "max": bound(f32::NEG_INFINITY, f32::max),
        }));
        accessors.push(json!({
            "bufferView": first + 1, "componentType": 5126, "count": class.cells.len(), "type": "SCALAR",
        }));
        primitives.push(json!({
            "attributes": { "POSITION": first, "_CELL": first + 1 },
            "material": materials.len(),
            "extras": { "area_class": names[number] },
        }));
        let [red, green, blue] = COLORS[number % COLORS.len()];
        materials.push(json!({
            "name": names[number],
            "pbrMetallicRoughness": {
                "baseColorFactor": [red, green, blue, 1.0], "metallicFactor": 0.0, "roughnessFactor": 1.0,
            },
            "doubleSided": true,
        }));
    }
    let document = document(mesh, [accessors, views, primitives, materials], binary.len());
    container(&document, binary)
}

/// Adds the ground of a cell as triangles.
fn add_cell(mesh: &NavMesh, cell: &Cell<'_>, class: &mut Triangles) {
    for face in mesh.ground_faces(cell) {
        let corners: Vec<[f32; 3]> =
            face.iter().map(|(at, height)| mesh.in_world(*at, *height).map(|value| value as f32)).collect();
        for pair in corners.windows(2).skip(1) {
            class.corners.extend([corners[0], pair[0], pair[1]]);
            class.cells.extend([cell.id().0 as f32; 3]);
        }
    }
}

/// Appends floats to the buffer, as a view of their own.
fn add_floats(binary: &mut Vec<u8>, views: &mut Vec<Value>, floats: &[f32]) {
    let start = binary.len();
    binary.extend(floats.iter().flat_map(|value| value.to_le_bytes()));
    views.push(json!({
        "buffer": 0, "byteOffset": start, "byteLength": binary.len() - start, "target": 34962,
    }));
}

/// Returns the JSON of the file. Lists that would be empty are left out, as glTF asks for.
fn document(
    mesh: &NavMesh,
    [accessors, views, primitives, materials]: [Vec<Value>; 4],
    bytes: usize,
) -> Value {
    let mut nodes = vec![json!({
        "name": "navmesh",
        "extras": {
            "cells": mesh.cell_count(), "components": mesh.component_count(), "links": mesh.link_count(),
        },
    })];
    for link in mesh.links() {
        nodes.push(json!({
            "name": link.name,
            "translation": link.from,
            "extras": {
                "kind": link.kind, "from": link.from, "to": link.to,
                "cost": link.cost.unwrap_or_else(|| link.length()),
                "both_ways": link.both_ways, "max_radius": link.max_radius,
            },
        }));
    }
    let roots: Vec<usize> = (0..nodes.len()).collect();
    let mut document = json!({
        "asset": { "version": "2.0", "generator": "clearway" },
        "scene": 0,
        "scenes": [{ "nodes": roots }],
    });
    if let (Value::Object(members), false) = (&mut document, primitives.is_empty()) {
        nodes[0]["mesh"] = json!(0);
        members.insert("meshes".into(), json!([{ "name": "navmesh", "primitives": primitives }]));
        members.insert("materials".into(), materials.into());
        members.insert("accessors".into(), accessors.into());
        members.insert("bufferViews".into(), views.into());
        members.insert("buffers".into(), json!([{ "byteLength": bytes }]));
    }
    document["nodes"] = nodes.into();
    document
}

/// Packs JSON and buffer into the container. Chunks are padded to four bytes.
fn container(document: &Value, mut binary: Vec<u8>) -> Vec<u8> {
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    binary.resize(binary.len().next_multiple_of(4), 0);
    let mut chunks = vec![(*b"JSON", text)];
    if !binary.is_empty() {
        chunks.push((*b"BIN\0", binary));
    }
    let length: usize = 12 + chunks.iter().map(|(_, bytes)| 8 + bytes.len()).sum::<usize>();
    let mut file = b"glTF".to_vec();
    file.extend(2u32.to_le_bytes());
    file.extend((length as u32).to_le_bytes());
    for (kind, bytes) in chunks {
        file.extend((bytes.len() as u32).to_le_bytes());
        file.extend(kind);
        file.extend(bytes);
    }
    file
}

#[cfg(test)]
mod tests {
    use super::super::tests::{PLAN, mesh};
    use super::*;
    use clearway_world::{Scene, SceneFormat};

    #[test]
    fn binary_gltf_reads_back_as_a_scene_of_the_same_area() {
        let mesh = mesh(PLAN);
        let scene = Scene::parse(SceneFormat::Glb, &to_glb(&mesh), &Default::default()).unwrap();
        let area: f64 = scene
            .triangles
            .iter()
            .map(|corners| {
                let [a, b, c] = corners.map(|corner| scene.vertices[corner as usize]);
                let up = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
                assert!(up > 0.0, "faces up");
                0.5 * up
            })
            .sum();
        assert!((area - mesh.area()).abs() < 1e-3, "{area} {}", mesh.area());
    }

    #[test]
    fn a_mesh_without_cells_is_a_file_without_triangles() {
        let bytes = to_glb(&mesh("POLYGON ((0 0, 1 1, 2 2, 0 0))"));
        assert_eq!(u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize, bytes.len());
    }
}
