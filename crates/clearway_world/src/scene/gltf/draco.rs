//! Draco geometry of a primitive, decoded into plain bytes by the crate `draco-core`.
//!
//! Its limits bound what a stream may become, so that a few bytes cannot fill the memory.

use draco_core::mesh::Mesh;
use draco_core::mesh_decoder::MeshDecoder;
use draco_core::{DecodeLimits, DecoderBuffer};

/// The most bytes of decoded attributes of one primitive, in bytes. A million vertices with the usual attributes take
/// less than a tenth.
const MOST_BYTES: u64 = 1 << 30;

/// The triangles of a primitive.
pub(super) struct Decoded {
    /// Three coordinates of 32 bits per vertex.
    pub places: Vec<u8>,
    /// Three vertices of 32 bits per triangle.
    pub corners: Vec<u8>,
}

/// Decodes a stream of at most `most_triangles`. `position` is the number of the attribute with positions. The message
/// says what is wrong with the stream.
pub(super) fn decode(stream: &[u8], position: u32, most_triangles: u64) -> Result<Decoded, String> {
    let limits = DecodeLimits::default()
        .with_max_faces(most_triangles)
        .with_max_points(most_triangles.saturating_mul(3))
        .with_max_decoded_bytes(MOST_BYTES);
    let mut buffer = DecoderBuffer::new(stream).with_limits(limits);
    let mut mesh = Mesh::new();
    MeshDecoder::new().decode(&mut buffer, &mut mesh).map_err(|error| error.to_string())?;
    let attribute = mesh.attribute_by_unique_id(position);
    let attribute = attribute.ok_or_else(|| format!("it has no attribute {position} for its places"))?;
    let places = attribute.read_f32s(mesh.num_points(), 3);
    if places.len() != 3 * mesh.num_points() {
        return Err("its places have no three coordinates".to_string());
    }
    Ok(Decoded {
        places: places.into_iter().flat_map(f32::to_le_bytes).collect(),
        corners: mesh.faces().iter().flatten().flat_map(|corner| corner.0.to_le_bytes()).collect(),
    })
}
