//! Expands compressed geometry into plain buffers, before anything else looks at it.
//!
//! A view that is compressed with meshopt gets a buffer of its own with the plain bytes. A primitive that is compressed
//! with Draco gets accessors of its own. Afterwards the document is one without compression. Only what holds places,
//! corners or instances is expanded.

use super::buffers::Buffers;
#[cfg(feature = "draco")]
use super::document::{Accessor, Primitive};
use super::document::{Buffer, BufferView, Document, MeshoptView, get};
use super::meshopt;
use clearway_base::error::{Error, ErrorKind, Result};
use std::collections::BTreeSet;

/// Expands all compressed geometry of a document. No primitive may have more than `most_triangles`.
pub(super) fn expand(
    document: &mut Document,
    buffers: &mut Buffers<'_>,
    most_triangles: usize,
) -> Result<()> {
    for view in compressed_views(document) {
        expand_view(document, buffers, view)?;
    }
    expand_primitives(document, buffers, most_triangles as u64)
}

/// Returns the views compressed with meshopt that triangles or instances need, without those that are there plainly.
fn compressed_views(document: &Document) -> BTreeSet<u32> {
    let primitives = document.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let drawn = primitives.flat_map(|primitive| [primitive.attributes.position, primitive.indices]);
    let instancing = document.nodes.iter().filter_map(|node| node.extensions.instancing.as_ref());
    let copied = instancing.flat_map(|instancing| {
        let attributes = &instancing.attributes;
        [attributes.translation, attributes.rotation, attributes.scale]
    });
    let accessors = drawn.chain(copied).flatten();
    let views = accessors.filter_map(|number| document.accessors.get(number as usize)?.buffer_view);
    let is_compressed = |number: &u32| {
        let view = document.buffer_views.get(*number as usize);
        view.is_some_and(|view| view.extensions.meshopt.is_some())
    };
    views.filter(is_compressed).collect()
}

/// Gives a view compressed with meshopt a buffer of its own.
fn expand_view(document: &mut Document, buffers: &mut Buffers<'_>, number: u32) -> Result<()> {
    let view = get(&document.buffer_views, number, "buffer view", String::new)?;
    let Some(packed) = view.extensions.meshopt.clone() else { return Ok(()) };
    let name = format!("buffer view {number}");
    let source = BufferView {
        buffer: packed.buffer,
        byte_offset: packed.byte_offset,
        byte_length: packed.byte_length,
        byte_stride: None,
        extensions: Default::default(),
    };
    buffers.fetch_buffer(document, packed.buffer, &name)?;
    let stream = buffers.view(&source, number)?;
    let refuse = |why: &str| Error::new(ErrorKind::Syntax, format!("{name}: compressed with meshopt: {why}"));
    let bytes = unpack(&packed, stream).map_err(refuse)?;
    let length = bytes.len() as u64;
    let buffer = buffers.add(document, bytes);
    if let Some(view) = document.buffer_views.get_mut(number as usize) {
        (view.buffer, view.byte_offset, view.byte_length) = (buffer, 0, length);
        view.extensions.meshopt = None;
    }
    Ok(())
}

/// Decodes a stream of meshopt. The message says what is wrong with it.
fn unpack(packed: &MeshoptView, stream: &[u8]) -> std::result::Result<Vec<u8>, &'static str> {
    let size = |number: u64| usize::try_from(number).map_err(|_| "it is too large");
    let (count, stride) = (size(packed.count)?, size(packed.byte_stride)?);
    let words = |numbers: Vec<u32>| match stride {
        2 => Ok(numbers.into_iter().flat_map(|number| (number as u16).to_le_bytes()).collect()),
        4 => Ok(numbers.into_iter().flat_map(u32::to_le_bytes).collect()),
        _ => Err("its stride is not 2 or 4"),
    };
    match packed.mode.as_str() {
        "TRIANGLES" => meshopt::triangles(stream, count).and_then(words),
        "INDICES" => meshopt::indices(stream, count).and_then(words),
        "ATTRIBUTES" => {
            let mut bytes = meshopt::vertices(stream, count, stride)?;
            match packed.filter.as_deref().unwrap_or("NONE") {
                "NONE" => {}
                "EXPONENTIAL" => meshopt::exponents(&mut bytes),
                _ => return Err("its filter is not supported for places"),
            }
            Ok(bytes)
        }
        _ => Err("its mode is not known"),
    }
}

/// Gives primitives compressed with Draco accessors of their own.
#[cfg(feature = "draco")]
fn expand_primitives(document: &mut Document, buffers: &mut Buffers<'_>, most_triangles: u64) -> Result<()> {
    for mesh in 0..document.meshes.len() {
        for number in 0..document.meshes[mesh].primitives.len() {
            if is_plain(document, &document.meshes[mesh].primitives[number]) {
                continue;
            }
            let Some(packed) = document.meshes[mesh].primitives[number].extensions.draco.take() else {
                continue;
            };
            let Some(position) = packed.attributes.position else { continue };
            let name = format!("mesh {mesh}, primitive {number}");
            buffers.fetch(document, packed.buffer_view)?;
            let view = get(&document.buffer_views, packed.buffer_view, "buffer view", || name.clone())?;
            let stream = buffers.view(view, packed.buffer_view)?;
            let decoded = super::draco::decode(stream, position, most_triangles).map_err(|why| {
                Error::new(ErrorKind::Syntax, format!("{name}: compressed with Draco: {why}"))
            })?;
            let places = add_accessor(document, buffers, decoded.places, 5126, "VEC3", 12);
            let corners = add_accessor(document, buffers, decoded.corners, 5125, "SCALAR", 4);
            let primitive = &mut document.meshes[mesh].primitives[number];
            (primitive.attributes.position, primitive.indices) = (Some(places), Some(corners));
            // The decoder makes single triangles of strips.
            primitive.mode = Some(4);
        }
    }
    Ok(())
}

/// True if the places of a primitive are there without compression as well.
#[cfg(feature = "draco")]
fn is_plain(document: &Document, primitive: &Primitive) -> bool {
    let has_bytes = |number: Option<u32>| {
        let accessor = number.and_then(|number| document.accessors.get(number as usize));
        accessor.is_none_or(|accessor| accessor.buffer_view.is_some())
    };
    has_bytes(primitive.attributes.position) && has_bytes(primitive.indices)
}

/// Without the decoder, primitives stay as they are; they are refused when they are drawn.
#[cfg(not(feature = "draco"))]
fn expand_primitives(_: &mut Document, _: &mut Buffers<'_>, _: u64) -> Result<()> {
    Ok(())
}

/// Adds an accessor of elements of `size` bytes. Returns its number.
#[cfg(feature = "draco")]
fn add_accessor(
    document: &mut Document,
    buffers: &mut Buffers<'_>,
    bytes: Vec<u8>,
    component_type: u32,
    shape: &str,
    size: u64,
) -> u32 {
    let byte_length = bytes.len() as u64;
    let buffer = buffers.add(document, bytes);
    let extensions = Default::default();
    let view = BufferView { buffer, byte_offset: 0, byte_length, byte_stride: None, extensions };
    document.buffer_views.push(view);
    document.accessors.push(Accessor {
        buffer_view: Some(document.buffer_views.len() as u32 - 1),
        byte_offset: 0,
        component_type,
        normalized: false,
        count: byte_length / size,
        shape: shape.to_string(),
        sparse: None,
    });
    document.accessors.len() as u32 - 1
}

impl Buffers<'_> {
    /// Adds plain bytes as one more buffer of the document. Returns its number.
    fn add(&mut self, document: &mut Document, bytes: Vec<u8>) -> u32 {
        document.buffers.push(Buffer { uri: None, byte_length: bytes.len() as u64 });
        self.push(bytes);
        document.buffers.len() as u32 - 1
    }
}
