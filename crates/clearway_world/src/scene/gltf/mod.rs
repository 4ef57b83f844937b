//! glTF 2.0: meshes put into the world by a tree of nodes, with buffers inside, in a binary chunk or in other files.
//!
//! The file is walked twice. First all references and ranges are checked and triangles counted; then they are drawn.
//! So memory is taken only for what is there and allowed. Pictures, skins, blend shapes and animations are skipped.
//!
//! Invariant: nodes form a tree, as the format demands, which bounds the walk by the number of nodes. Cost: linear in
//! the triangles drawn.

mod accessor;
mod buffers;
mod container;
mod document;
#[cfg(feature = "draco")]
mod draco;
mod expand;
mod meshopt;
mod nodes;
mod primitive;
#[cfg(test)]
mod tests;
mod transform;

use std::path::Path;

use self::buffers::Buffers;
use self::container::Container;
use self::document::{Document, Node};
use self::expand::expand;
use self::nodes::{Placed, walk};
use self::primitive::{Shape, count_triangles};
use super::draft::Draft;
use super::{SceneChoice, check};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file::quoted;

/// Reads a binary file or a text. Files beside it are read only if their folder is given.
pub(super) fn read(bytes: &[u8], folder: Option<&Path>, draft: &mut Draft<'_>) -> Result<()> {
    let container = Container::read(bytes)?;
    let mut document = Document::read(container.json)?;
    let roots = choose_roots(&document, draft)?;
    note_extensions(&document, draft);
    let mut buffers = Buffers::new(&document, container.chunk, folder);
    expand(&mut document, &mut buffers, draft.options().max_triangles)?;
    count(&document, &mut buffers, &roots, draft)?;
    walk(&document, &roots, |placed| draw(&document, &buffers, placed, draft))
}

/// The nodes at which the walk begins.
fn choose_roots(document: &Document, draft: &mut Draft<'_>) -> Result<Vec<u32>> {
    let scenes = &document.scenes;
    let Some(number) = choose_scene(document, draft.options().scene.as_ref())? else {
        if !document.nodes.is_empty() {
            draft
                .notes
                .add("files without scenes", || "the file has no scene: all its nodes are read".to_string());
        }
        return Ok(nodes::roots(document));
    };
    let scene = &scenes[number];
    if scenes.len() > 1 {
        draft.notes.add("files of several scenes", || {
            format!("scene {number} {} of {} is read", quoted(&scene.name), scenes.len())
        });
    }
    Ok(scene.nodes.clone())
}

/// The index of the wanted scene; `None` if the file has no scenes at all. A choice that does not exist is an error.
fn choose_scene(document: &Document, choice: Option<&SceneChoice>) -> Result<Option<usize>> {
    let scenes = &document.scenes;
    let refuse = |kind, message: String| Err(Error::new(kind, message));
    match choice {
        Some(SceneChoice::Number(number)) if *number < scenes.len() => Ok(Some(*number)),
        Some(SceneChoice::Number(number)) => {
            refuse(ErrorKind::Options, format!("scene {number} is chosen, but the file has {}", scenes.len()))
        }
        Some(SceneChoice::Name(name)) => {
            let found = scenes.iter().position(|scene| scene.name == *name);
            let known =
                || scenes.iter().take(8).map(|scene| quoted(&scene.name)).collect::<Vec<_>>().join(", ");
            let message =
                || format!("no scene is called {}; there are {} ({})", quoted(name), scenes.len(), known());
            found.map_or_else(|| refuse(ErrorKind::Options, message()), |number| Ok(Some(number)))
        }
        None => {
            let number = document.scene.unwrap_or(0) as usize;
            if document.scene.is_some() && number >= scenes.len() {
                let message = format!("the default scene is {number}, but the file has {}", scenes.len());
                return refuse(ErrorKind::OutOfRange, message);
            }
            Ok((number < scenes.len()).then_some(number))
        }
    }
}

/// Notes required extensions that the reader ignores. Extensions that are read or only change the look are not noted.
fn note_extensions(document: &Document, draft: &mut Draft<'_>) {
    let is_for_the_eye = |name: &str| {
        ["_materials_", "_texture_", "_lights_", "_image", "draco", "meshopt"]
            .iter()
            .any(|word| name.contains(word))
            || ["KHR_mesh_quantization", "EXT_mesh_gpu_instancing"].contains(&name)
    };
    for name in document.extensions_required.iter().filter(|name| !is_for_the_eye(name)) {
        draft
            .notes
            .add("extensions", || format!("the file needs the extension {}, which is ignored", quoted(name)));
    }
}

/// The first walk: fetches buffers, and checks and counts everything that will be drawn.
fn count(document: &Document, buffers: &mut Buffers<'_>, roots: &[u32], draft: &mut Draft<'_>) -> Result<()> {
    let mut total = 0_u64;
    let mut of_mesh: Vec<Option<u64>> = vec![None; document.meshes.len()];
    walk(document, roots, |placed| {
        check_transform(placed, draft)?;
        let Some(mesh) = placed.node.mesh else { return Ok(()) };
        let place = mesh as usize;
        // Many nodes may share a mesh: it is checked and counted once.
        let known = of_mesh.get(place).copied().flatten();
        let triangles = match known {
            Some(triangles) => triangles,
            None => count_triangles(document, buffers, mesh, placed, draft)?,
        };
        if let Some(of_mesh) = of_mesh.get_mut(place) {
            *of_mesh = Some(triangles);
        }
        let copies = nodes::fetch_copies(document, buffers, placed)?;
        total = total.saturating_add(triangles.saturating_mul(copies));
        let limit = draft.options().max_triangles;
        if total > limit as u64 {
            let error = check::too_many_triangles(total, limit);
            return Err(Error::new(error.kind(), format!("{}: with it {error}", placed.name())));
        }
        // Instances without triangles are not drawn, and their number has no limit.
        if triangles > 0 {
            nodes::note_copies(document, buffers, placed, draft)?;
        }
        if placed.node.skin.is_some() {
            let name = placed.name();
            draft.notes.add("skins", || format!("{name}: its skin is ignored: the mesh is read as modelled"));
        }
        Ok(())
    })
}

/// Refuses a matrix that is not affine, and notes a rotation without a usable length.
fn check_transform(placed: &Placed<'_>, draft: &mut Draft<'_>) -> Result<()> {
    if let Some([a, b, c, d]) = transform::projective_row(placed.node) {
        let message = format!(
            "{}: the last row of its matrix is {a}, {b}, {c}, {d}; only matrices that end in 0, 0, 0, 1 are read",
            placed.name()
        );
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    let rotation = placed.node.rotation.as_deref().filter(|_| placed.node.matrix.is_none());
    if rotation.is_some_and(|rotation| !transform::turns(*rotation)) {
        let text = || format!("{}: its rotation has no length, or too much: it is not turned", placed.name());
        draft.notes.add("rotations without length", text);
    }
    Ok(())
}

/// The second walk: draws the mesh of a node, once for each instance.
fn draw(
    document: &Document,
    buffers: &Buffers<'_>,
    placed: &Placed<'_>,
    draft: &mut Draft<'_>,
) -> Result<()> {
    let Some(mesh_number) = placed.node.mesh else { return Ok(()) };
    let Some(mesh) = document.meshes.get(mesh_number as usize) else { return Ok(()) };
    let part = part_name(placed, placed.node, &mesh.name);
    let mut transforms = None;
    for (number, primitive) in mesh.primitives.iter().enumerate() {
        let name = format!("mesh {mesh_number}, primitive {number}");
        let Some(shape) = Shape::new(document, buffers, primitive, &name)? else { continue };
        let material = primitive.material.and_then(|material| document.materials.get(material as usize));
        draft.enter_part(&part, material.map_or("", |material| &material.name))?;
        let transforms = match &transforms {
            Some(transforms) => transforms,
            None => transforms.insert(nodes::copies(document, buffers, placed)?),
        };
        for transform in transforms.iter() {
            shape.draw(transform, draft, || format!("{}, {name}", placed.name()))?;
        }
    }
    Ok(())
}

/// The names of the nodes from the root on, joined by `/`. A node without a name goes by that of its mesh, or its
/// number.
fn part_name(placed: &Placed<'_>, node: &Node, mesh: &str) -> String {
    let own = match (node.name.is_empty(), mesh.is_empty()) {
        (false, _) => return placed.path.to_string(),
        (true, false) => mesh.to_string(),
        (true, true) => format!("node {}", placed.number),
    };
    if placed.path.is_empty() { own } else { format!("{}/{own}", placed.path) }
}
