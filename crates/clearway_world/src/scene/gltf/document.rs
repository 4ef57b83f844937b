//! The JSON of a glTF file, as far as triangles need it.
//!
//! Field names follow the specification. Everything is optional where the format allows it; other fields are skipped.
//! Rare fields are boxed, so that a file of many small nodes takes little memory.

use serde::Deserialize;
use serde::de::IgnoredAny;

use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file::quoted;

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    pub(super) asset: Asset,
    /// The index of the default scene.
    pub(super) scene: Option<u32>,
    #[serde(default)]
    pub(super) scenes: Vec<SceneEntry>,
    #[serde(default)]
    pub(super) nodes: Vec<Node>,
    #[serde(default)]
    pub(super) meshes: Vec<Mesh>,
    #[serde(default)]
    pub(super) materials: Vec<Material>,
    #[serde(default)]
    pub(super) accessors: Vec<Accessor>,
    #[serde(default)]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(default)]
    pub(super) buffers: Vec<Buffer>,
    /// Extensions without which the file cannot be read as meant.
    #[serde(default)]
    pub(super) extensions_required: Vec<String>,
}

/// The version of the format.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Asset {
    pub(super) version: String,
    pub(super) min_version: Option<String>,
}

/// One scene: the roots of its trees of nodes.
#[derive(Debug, Deserialize)]
pub(super) struct SceneEntry {
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) nodes: Vec<u32>,
}

/// A node: a transform, its children and perhaps a mesh.
#[derive(Debug, Deserialize)]
pub(super) struct Node {
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) children: Vec<u32>,
    pub(super) mesh: Option<u32>,
    /// Present if the mesh is deformed by bones, which is ignored and noted.
    pub(super) skin: Option<IgnoredAny>,
    /// Sixteen numbers, column after column; excludes the three below.
    pub(super) matrix: Option<Box<[f64; 16]>>,
    pub(super) translation: Option<Box<[f64; 3]>>,
    /// A quaternion (x, y, z, w).
    pub(super) rotation: Option<Box<[f64; 4]>>,
    pub(super) scale: Option<Box<[f64; 3]>>,
    #[serde(default)]
    pub(super) extensions: NodeExtensions,
}

/// The extensions of a node that are read.
#[derive(Debug, Default, Deserialize)]
pub(super) struct NodeExtensions {
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    pub(super) instancing: Option<Box<Instancing>>,
}

/// `EXT_mesh_gpu_instancing`: draws the mesh of a node several times.
#[derive(Debug, Deserialize)]
pub(super) struct Instancing {
    #[serde(default)]
    pub(super) attributes: InstancingAttributes,
}

/// The accessors with one translation, rotation and scale for each instance.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) struct InstancingAttributes {
    pub(super) translation: Option<u32>,
    pub(super) rotation: Option<u32>,
    pub(super) scale: Option<u32>,
}

/// A mesh: primitives that are drawn together.
#[derive(Debug, Deserialize)]
pub(super) struct Mesh {
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) primitives: Vec<Primitive>,
}

/// Triangles, lines or points with one material.
#[derive(Debug, Deserialize)]
pub(super) struct Primitive {
    #[serde(default)]
    pub(super) attributes: Attributes,
    /// The accessor of the indices of corners; without it, positions are taken in order.
    pub(super) indices: Option<u32>,
    pub(super) material: Option<u32>,
    /// The kind of primitive: 4 is a list of triangles, the default, 5 a strip, 6 a fan.
    pub(super) mode: Option<u32>,
    #[serde(default)]
    pub(super) extensions: PrimitiveExtensions,
}

/// The attributes of vertices that are read.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Attributes {
    #[serde(rename = "POSITION")]
    pub(super) position: Option<u32>,
}

/// The extensions of a primitive that matter.
#[derive(Debug, Default, Deserialize)]
pub(super) struct PrimitiveExtensions {
    /// Present if the geometry is compressed with Draco.
    #[serde(rename = "KHR_draco_mesh_compression")]
    pub(super) draco: Option<DracoPrimitive>,
}

/// Without the decoder it only matters that there is a stream.
#[cfg(not(feature = "draco"))]
pub(super) type DracoPrimitive = IgnoredAny;

/// `KHR_draco_mesh_compression`: a stream with all triangles of a primitive.
#[cfg(feature = "draco")]
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DracoPrimitive {
    pub(super) buffer_view: u32,
    /// The numbers of attributes within the stream.
    #[serde(default)]
    pub(super) attributes: Attributes,
}

/// A material, of which only the name matters.
#[derive(Debug, Deserialize)]
pub(super) struct Material {
    #[serde(default)]
    pub(super) name: String,
}

/// A view of a buffer as elements of numbers.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    /// The view with the bytes; without it all numbers are zero.
    pub(super) buffer_view: Option<u32>,
    #[serde(default)]
    pub(super) byte_offset: u64,
    /// The code of the type of number, as in OpenGL.
    pub(super) component_type: u32,
    /// True if whole numbers stand for fractions of their largest value.
    #[serde(default)]
    pub(super) normalized: bool,
    pub(super) count: u64,
    /// `SCALAR`, `VEC3` and the like.
    #[serde(rename = "type")]
    pub(super) shape: String,
    pub(super) sparse: Option<Box<Sparse>>,
}

/// Elements that replace some of an accessor.
#[derive(Debug, Deserialize)]
pub(super) struct Sparse {
    pub(super) count: u64,
    pub(super) indices: SparseIndices,
    pub(super) values: SparseValues,
}

/// The indices of the replaced elements, in rising order.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub(super) buffer_view: u32,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) component_type: u32,
}

/// The new elements.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub(super) buffer_view: u32,
    #[serde(default)]
    pub(super) byte_offset: u64,
}

/// A range of a buffer.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: u32,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) byte_length: u64,
    /// The distance between the starts of elements; without it they follow each other tightly.
    pub(super) byte_stride: Option<u64>,
    #[serde(default)]
    pub(super) extensions: BufferViewExtensions,
}

/// The extensions of a view that matter.
#[derive(Debug, Default, Deserialize)]
pub(super) struct BufferViewExtensions {
    /// Present if the bytes are compressed with meshopt.
    #[serde(rename = "EXT_meshopt_compression", alias = "KHR_meshopt_compression")]
    pub(super) meshopt: Option<Box<MeshoptView>>,
}

/// `EXT_meshopt_compression`: a stream with the bytes of a view.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MeshoptView {
    pub(super) buffer: u32,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) byte_length: u64,
    pub(super) byte_stride: u64,
    pub(super) count: u64,
    /// `ATTRIBUTES`, `TRIANGLES` or `INDICES`.
    pub(super) mode: String,
    /// The filter of attributes: `NONE` by default, `OCTAHEDRAL`, `QUATERNION` or `EXPONENTIAL`.
    pub(super) filter: Option<String>,
}

/// Bytes in the binary chunk, within the text or in another file.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    /// The path of a file or `data:`; without it, the binary chunk is meant.
    pub(super) uri: Option<String>,
    pub(super) byte_length: u64,
}

impl Document {
    /// Reads the JSON; the nesting of its brackets is bounded by the JSON reader.
    pub(super) fn read(json: &[u8]) -> Result<Document> {
        let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
        let document: Document = serde_json::from_slice(json).map_err(|error| {
            Error::new(ErrorKind::Syntax, format!("the glTF JSON is not understood: {error}"))
        })?;
        if !document.asset.version.starts_with("2.") {
            let version: String = document.asset.version.chars().take(16).collect();
            let message = format!("glTF version {version:?}; only version 2 is read");
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        if let Some(needed) = &document.asset.min_version {
            check_needed(needed)?;
        }
        let is_unknown = |name: &&String| name.contains("draco") && !cfg!(feature = "draco");
        match document.extensions_required.iter().find(is_unknown) {
            Some(name) => Err(compressed("the file", name)),
            None => Ok(document),
        }
    }
}

/// Refuses files that need a reader of a version after 2.0.
fn check_needed(version: &str) -> Result<()> {
    let number =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u32>().ok())?;
    let numbers = version.split_once('.').and_then(|(major, minor)| Some((number(major)?, number(minor)?)));
    match numbers {
        Some(numbers) if numbers <= (2, 0) => Ok(()),
        Some(_) => {
            let message = format!("asset.minVersion is {}; only version 2.0 is read", quoted(version));
            Err(Error::new(ErrorKind::Unsupported, message))
        }
        None => {
            let message = format!("asset.minVersion: expected a version as `2.0`, found {}", quoted(version));
            Err(Error::new(ErrorKind::Syntax, message))
        }
    }
}

/// An element by its index, or an error that names both ends of the reference.
pub(super) fn get<'a, T>(
    list: &'a [T],
    number: u32,
    name: &str,
    from: impl FnOnce() -> String,
) -> Result<&'a T> {
    list.get(number as usize).ok_or_else(|| {
        let message = format!("{}: {name} {number}, but the file has {}", from(), list.len());
        Error::new(ErrorKind::OutOfRange, message)
    })
}

/// The error for compressed geometry.
pub(super) fn compressed(what: &str, extension: &str) -> Error {
    let message = format!(
        "{what} is compressed with {extension}, which this program was built without; export it without compression"
    );
    Error::new(ErrorKind::Unsupported, message)
}
