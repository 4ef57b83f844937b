//! The tree of nodes, walked without recursion, so that depth costs no stack.
//!
//! Invariant: every node is visited at most once. Cost: linear in the nodes.

use super::accessor::{self, Elements};
use super::buffers::Buffers;
use super::document::{Document, Node, get};
use super::transform::{self, Transform};
use crate::scene::MAX_NODE_DEPTH;
use crate::scene::draft::Draft;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file::quoted;

/// The greatest length of the name of a node with the names of all its parents, in bytes. It bounds the memory for
/// names of deep trees.
const MAX_PATH_BYTES: usize = 4096;

/// A node with its position in the world.
pub(super) struct Placed<'a> {
    /// Its index in the file.
    pub(super) number: u32,
    pub(super) node: &'a Node,
    /// The map from the node to the world.
    pub(super) transform: Transform,
    /// The names from the root to the node, joined by `/`. Nodes without names are left out.
    pub(super) path: &'a str,
}

impl Placed<'_> {
    /// The name of the node in messages.
    pub(super) fn name(&self) -> String {
        if self.path.is_empty() {
            format!("node {}", self.number)
        } else {
            format!("node {} {}", self.number, quoted(self.path))
        }
    }
}

/// A node that waits for its turn.
struct Waiting {
    /// Its index in the file.
    number: u32,
    /// The index of its parent, for messages.
    parent: Option<u32>,
    /// Its level in the tree; roots have level 1.
    depth: usize,
    /// The map from its parent to the world.
    transform: Transform,
    /// The length of the path of its parent, to which the path is cut back.
    path_length: usize,
}

/// The nodes that are no node's children.
pub(super) fn roots(document: &Document) -> Vec<u32> {
    let mut is_child = vec![false; document.nodes.len()];
    for child in document.nodes.iter().flat_map(|node| &node.children) {
        if let Some(is_child) = is_child.get_mut(*child as usize) {
            *is_child = true;
        }
    }
    (0..).zip(is_child).filter(|(_, is_child)| !is_child).map(|(number, _)| number).collect()
}

/// Visits all nodes below some roots, parents before children, in the order of the file.
pub(super) fn walk(
    document: &Document,
    roots: &[u32],
    mut visit: impl FnMut(&Placed<'_>) -> Result<()>,
) -> Result<()> {
    let mut is_visited = vec![false; document.nodes.len()];
    let mut path = String::new();
    let root = |number: &u32| Waiting {
        number: *number,
        parent: None,
        depth: 1,
        transform: Transform::IDENTITY,
        path_length: 0,
    };
    let mut waiting: Vec<Waiting> = roots.iter().rev().map(root).collect();
    while let Some(next) = waiting.pop() {
        let node = get(&document.nodes, next.number, "node", || parent_name(next.parent))?;
        check_place(&next, &mut is_visited)?;
        path.truncate(next.path_length);
        extend_path(&mut path, node, next.number)?;
        let transform = next.transform.after(&Transform::of_node(node));
        visit(&Placed { number: next.number, node, transform, path: &path })?;
        waiting.extend(node.children.iter().rev().map(|child| Waiting {
            number: *child,
            parent: Some(next.number),
            depth: next.depth + 1,
            transform,
            path_length: path.len(),
        }));
    }
    Ok(())
}

/// Refuses a node that was visited before, which also rules out circles, and a node that lies too deep.
fn check_place(next: &Waiting, is_visited: &mut [bool]) -> Result<()> {
    let was_visited = is_visited.get_mut(next.number as usize).is_none_or(|v| std::mem::replace(v, true));
    if was_visited {
        let message = format!(
            "node {} is reached twice, the second time from {}: nodes must form a tree",
            next.number,
            parent_name(next.parent)
        );
        return Err(Error::new(ErrorKind::Syntax, message));
    }
    if next.depth > MAX_NODE_DEPTH {
        let message =
            format!("node {} lies {} levels deep; the limit is {MAX_NODE_DEPTH}", next.number, next.depth);
        return Err(Error::new(ErrorKind::TooLarge, message));
    }
    Ok(())
}

/// Appends the name of a node to the path; refuses a path that becomes too long.
fn extend_path(path: &mut String, node: &Node, number: u32) -> Result<()> {
    if !path.is_empty() && !node.name.is_empty() {
        path.push('/');
    }
    path.push_str(&node.name);
    if path.len() > MAX_PATH_BYTES {
        let message = format!(
            "node {number}: its name with those above it has more than {MAX_PATH_BYTES} bytes, the limit"
        );
        return Err(Error::new(ErrorKind::TooLarge, message));
    }
    Ok(())
}

/// The name of a parent in messages.
fn parent_name(parent: Option<u32>) -> String {
    parent.map_or_else(|| "the scene".to_string(), |parent| format!("node {parent}"))
}

/// The number of times that a node draws its mesh. Fetches and checks the accessors of its instances.
pub(super) fn fetch_copies(
    document: &Document,
    buffers: &mut Buffers<'_>,
    placed: &Placed<'_>,
) -> Result<u64> {
    let Some(instancing) = &placed.node.extensions.instancing else { return Ok(1) };
    let attributes = &instancing.attributes;
    for number in [attributes.translation, attributes.rotation, attributes.scale].into_iter().flatten() {
        accessor::fetch(document, buffers, number, &placed.name())?;
    }
    let [translations, rotations, scales] = instances(document, buffers, placed)?;
    let counts = [translations, rotations, scales].map(|elements| elements.map(|elements| elements.count()));
    let mut counts = counts.into_iter().flatten();
    let Some(count) = counts.next() else { return Ok(1) };
    if counts.any(|other| other != count) {
        let message =
            format!("{}: its instances have different numbers of places, turns or sizes", placed.name());
        return Err(Error::new(ErrorKind::Syntax, message));
    }
    Ok(u64::from(count))
}

/// Notes instances whose rotation has no usable length. Their accessors must have been fetched.
pub(super) fn note_copies(
    document: &Document,
    buffers: &Buffers<'_>,
    placed: &Placed<'_>,
    draft: &mut Draft<'_>,
) -> Result<()> {
    let [_, Some(rotations), _] = instances(document, buffers, placed)? else { return Ok(()) };
    let mut still = (0..rotations.count()).filter(|number| !transform::turns(rotations.get(*number)));
    if let Some(first) = still.next() {
        let count = 1 + still.count();
        draft.notes.add("rotations without length", || {
            let name = placed.name();
            format!(
                "{name}: the rotations of {count} of its instances have no length, or too much, first that of \
                 instance {first}: they are not turned"
            )
        });
    }
    Ok(())
}

/// All transforms with which a node draws its mesh: its own, or those of its instances.
pub(super) fn copies(
    document: &Document,
    buffers: &Buffers<'_>,
    placed: &Placed<'_>,
) -> Result<Vec<Transform>> {
    let [translations, rotations, scales] = instances(document, buffers, placed)?;
    let counts = [translations, rotations, scales].map(|elements| elements.map(|elements| elements.count()));
    let Some(count) = counts.into_iter().flatten().next() else { return Ok(vec![placed.transform]) };
    let copy = |number: u32| {
        let inner = Transform::of_parts(
            translations.map_or([0.0; 3], |elements| elements.get(number)),
            rotations.map_or([0.0, 0.0, 0.0, 1.0], |elements| elements.get(number)),
            scales.map_or([1.0; 3], |elements| elements.get(number)),
        );
        placed.transform.after(&inner)
    };
    Ok((0..count).map(copy).collect())
}

/// The accessors of the translations, rotations and scales of the instances of a node; `None` where the file has
/// none.
fn instances<'a>(
    document: &Document,
    buffers: &'a Buffers<'_>,
    placed: &Placed<'_>,
) -> Result<[Option<Elements<'a>>; 3]> {
    let Some(instancing) = &placed.node.extensions.instancing else { return Ok([None; 3]) };
    let attributes = &instancing.attributes;
    let elements = |number: Option<u32>, width: usize| {
        number.map(|number| Elements::new(document, buffers, number, width, &placed.name())).transpose()
    };
    Ok([
        elements(attributes.translation, 3)?,
        elements(attributes.rotation, 4)?,
        elements(attributes.scale, 3)?,
    ])
}
