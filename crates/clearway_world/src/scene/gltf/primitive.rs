//! The triangles of a mesh: lists, strips and fans, with or without indices.

use super::accessor::{self, Elements};
use super::buffers::Buffers;
use super::document::{Document, Primitive, compressed, get};
use super::nodes::Placed;
use super::transform::Transform;
use crate::scene::draft::Draft;
use clearway_base::error::{Error, ErrorKind, Result};

/// Stands for a vertex that no triangle uses, in tables of new indices.
const UNUSED: u32 = u32::MAX;

/// The way in which corners become triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Every three corners make a triangle.
    List,
    /// Each corner makes a triangle with the two before it.
    Strip,
    /// Each corner makes a triangle with the one before it and the first.
    Fan,
    /// Points and lines.
    Nothing,
}

impl Mode {
    /// The mode of a primitive; an error for an unknown code.
    fn of(primitive: &Primitive, name: &str) -> Result<Mode> {
        Ok(match primitive.mode.unwrap_or(4) {
            0..=3 => Mode::Nothing,
            4 => Mode::List,
            5 => Mode::Strip,
            6 => Mode::Fan,
            other => return Err(Error::new(ErrorKind::Syntax, format!("{name}: mode {other} is not known"))),
        })
    }

    /// The number of triangles that this many corners make.
    fn triangle_count(self, corners: u32) -> u32 {
        match self {
            Mode::List => corners / 3,
            Mode::Strip | Mode::Fan => corners.saturating_sub(2),
            Mode::Nothing => 0,
        }
    }

    /// The corners of a triangle; all triangles of a primitive face the same way.
    fn corners(self, triangle: u32) -> [u32; 3] {
        match self {
            Mode::Strip if triangle % 2 == 1 => [triangle + 1, triangle, triangle + 2],
            Mode::Strip => [triangle, triangle + 1, triangle + 2],
            Mode::Fan => [0, triangle + 1, triangle + 2],
            Mode::List | Mode::Nothing => [3 * triangle, 3 * triangle + 1, 3 * triangle + 2],
        }
    }
}

/// Checks all primitives of a mesh and counts their triangles.
pub(super) fn count_triangles(
    document: &Document,
    buffers: &mut Buffers<'_>,
    mesh_number: u32,
    placed: &Placed<'_>,
    draft: &mut Draft<'_>,
) -> Result<u64> {
    let mesh = get(&document.meshes, mesh_number, "mesh", || placed.name())?;
    let mut total = 0;
    for (number, primitive) in mesh.primitives.iter().enumerate() {
        let name = format!("mesh {mesh_number}, primitive {number}");
        if let Some(material) = primitive.material {
            get(&document.materials, material, "material", || name.clone())?;
        }
        let mode = Mode::of(primitive, &name)?;
        if mode == Mode::Nothing {
            draft
                .notes
                .add("primitives of points or lines", || format!("{name}: points and lines are left out"));
            continue;
        }
        let Some(position) = primitive.attributes.position else {
            draft.notes.add("primitives without places", || format!("{name}: has no places and is left out"));
            continue;
        };
        refuse_compressed(document, primitive, &name)?;
        for accessor in [Some(position), primitive.indices].into_iter().flatten() {
            accessor::fetch(document, buffers, accessor, &name)?;
        }
        let corners = Corners::new(document, buffers, primitive, position, &name)?;
        corners.check_order(&name)?;
        if mode == Mode::List && corners.count() % 3 != 0 {
            let extra = corners.count() % 3;
            draft.notes.add("primitives with extra corners", || {
                format!("{name}: {extra} corners too many, left out")
            });
        }
        total += u64::from(mode.triangle_count(corners.count()));
    }
    Ok(total)
}

/// Refuses a primitive whose geometry exists in compressed form only.
fn refuse_compressed(document: &Document, primitive: &Primitive, name: &str) -> Result<()> {
    let has_bytes = |number: Option<u32>| {
        let accessor = number.and_then(|number| document.accessors.get(number as usize));
        accessor.is_none_or(|accessor| accessor.buffer_view.is_some())
    };
    let is_plain = has_bytes(primitive.attributes.position) && has_bytes(primitive.indices);
    if primitive.extensions.draco.is_none() || is_plain {
        return Ok(());
    }
    Err(compressed(name, "KHR_draco_mesh_compression"))
}

/// The corners of a primitive, in order.
struct Corners<'a> {
    /// The positions of its vertices.
    places: Elements<'a>,
    /// The vertex of each corner; without them, vertices are taken in order.
    numbers: Option<Elements<'a>>,
}

impl<'a> Corners<'a> {
    /// Checks the accessors of a primitive.
    fn new(
        document: &Document,
        buffers: &'a Buffers<'_>,
        primitive: &Primitive,
        position: u32,
        name: &str,
    ) -> Result<Corners<'a>> {
        let places = Elements::new(document, buffers, position, 3, name)?;
        let numbers = primitive.indices.map(|indices| Elements::new(document, buffers, indices, 1, name));
        let numbers = numbers.transpose()?;
        if numbers.is_some_and(|numbers| !numbers.is_whole()) {
            let message = format!("{name}: the numbers of its corners must be unsigned and whole");
            return Err(Error::new(ErrorKind::Syntax, message));
        }
        Ok(Corners { places, numbers })
    }

    /// Checks the sparse replacements of both accessors.
    fn check_order(&self, name: &str) -> Result<()> {
        self.places.check_order(name)?;
        self.numbers.map_or(Ok(()), |numbers| numbers.check_order(name))
    }

    /// The number of corners.
    fn count(&self) -> u32 {
        self.numbers.unwrap_or(self.places).count()
    }

    /// The index of the vertex of a corner; an error if there is no such vertex.
    fn vertex(&self, corner: u32, name: &str) -> Result<u32> {
        let Some(numbers) = &self.numbers else { return Ok(corner) };
        let [number] = numbers.get(corner);
        let count = self.places.count();
        if number < f64::from(count) {
            return Ok(number as u32);
        }
        let message = format!("{name}: corner {corner} is vertex {number}, but there are {count}");
        Err(Error::new(ErrorKind::OutOfRange, message))
    }
}

/// A primitive in its own space, with only the vertices that it uses.
pub(super) struct Shape<'a> {
    /// The positions of all vertices.
    places: Elements<'a>,
    /// The used vertices, as indices of `places`.
    vertices: Vec<u32>,
    /// The triangles, as indices of `vertices`.
    triangles: Vec<[u32; 3]>,
}

impl<'a> Shape<'a> {
    /// Reads a primitive that was checked; `None` if it has no triangles.
    pub(super) fn new(
        document: &Document,
        buffers: &'a Buffers<'_>,
        primitive: &Primitive,
        name: &str,
    ) -> Result<Option<Shape<'a>>> {
        let mode = Mode::of(primitive, name)?;
        let Some(position) = primitive.attributes.position.filter(|_| mode != Mode::Nothing) else {
            return Ok(None);
        };
        let corners = Corners::new(document, buffers, primitive, position, name)?;
        let mut triangles = Vec::new();
        for triangle in 0..mode.triangle_count(corners.count()) {
            let [a, b, c] = mode.corners(triangle);
            triangles.push([corners.vertex(a, name)?, corners.vertex(b, name)?, corners.vertex(c, name)?]);
        }
        let vertices = renumber(&mut triangles, corners.places.count());
        Ok((!triangles.is_empty()).then_some(Shape { places: corners.places, vertices, triangles }))
    }

    /// Adds the triangles to the scene. `name` describes what they belong to, for a message.
    pub(super) fn draw(
        &self,
        transform: &Transform,
        draft: &mut Draft<'_>,
        name: impl Fn() -> String,
    ) -> Result<()> {
        let first = draft.vertex_count();
        for vertex in &self.vertices {
            let place = self.places.get(*vertex);
            // A coordinate that is no number would spread to all axes. Untransformed, it is refused with its own
            // name.
            let is_finite = place.iter().all(|c| c.is_finite());
            let place = if is_finite { transform.apply(place) } else { place };
            draft.add_vertex(place, || format!("{}, vertex {vertex}", name()))?;
        }
        // The draft keeps the number of vertices within 32 bits.
        let first = u32::try_from(first).unwrap_or(UNUSED);
        let mirrors = transform.mirrors();
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|vertex| first + vertex);
            draft.add_triangle(if mirrors { [a, c, b] } else { [a, b, c] })?;
        }
        Ok(())
    }
}

/// Gives the used vertices new indices in rising order, and returns the old ones.
///
/// Primitives may share one long list of positions; a table of that length for each would take too long.
fn renumber(triangles: &mut [[u32; 3]], count: u32) -> Vec<u32> {
    if count as usize / 8 > triangles.len() {
        let mut used: Vec<u32> = triangles.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        for corner in triangles.iter_mut().flatten() {
            *corner = used.partition_point(|vertex| vertex < corner) as u32;
        }
        return used;
    }
    let mut numbers = vec![UNUSED; count as usize];
    for corner in triangles.iter().flatten() {
        numbers[*corner as usize] = 0;
    }
    let mut used = Vec::new();
    for (vertex, number) in (0..).zip(&mut numbers) {
        if *number != UNUSED {
            *number = used.len() as u32;
            used.push(vertex);
        }
    }
    for corner in triangles.iter_mut().flatten() {
        *corner = numbers[*corner as usize];
    }
    used
}
