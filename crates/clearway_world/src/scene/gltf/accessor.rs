//! Numbers out of buffers, through glTF accessors.
//!
//! An accessor is checked against its buffer once. Then its elements are read in place, one by one, without copies:
//! parts of a file often share one long accessor. Sparse replacements are found by binary search.

use super::buffers::Buffers;
use super::document::{Accessor, Document, get};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file::quoted;

/// The maximum number of elements of an accessor without bytes of its own, all zeros but for sparse replacements.
/// Such elements cost the file nothing, so a few bytes could announce any number.
const MAX_ZEROS: u64 = 1 << 20;

/// A checked accessor.
#[derive(Clone, Copy)]
pub(super) struct Elements<'a> {
    /// The number of elements.
    count: u32,
    /// The type of its numbers.
    component: Component,
    /// True if whole numbers stand for fractions of their largest value.
    is_normalized: bool,
    /// The elements; `None` if all are zero.
    base: Option<Rows<'a>>,
    /// The elements that replace others.
    sparse: Option<Replacements<'a>>,
}

/// Elements that begin every `stride` bytes; all of them lie within the bytes.
#[derive(Clone, Copy)]
struct Rows<'a> {
    /// The bytes from the first element on.
    bytes: &'a [u8],
    /// The distance between the starts of elements, in bytes.
    stride: usize,
}

/// Elements that replace others.
#[derive(Clone, Copy)]
struct Replacements<'a> {
    /// The number of replacements.
    count: usize,
    /// The type of their indices.
    component: Component,
    /// The indices of the replaced elements, in rising order.
    numbers: Rows<'a>,
    /// The new elements.
    values: Rows<'a>,
}

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

/// Makes the bytes of an accessor available.
pub(super) fn fetch(document: &Document, buffers: &mut Buffers<'_>, number: u32, user: &str) -> Result<()> {
    let accessor = get(&document.accessors, number, "accessor", || user.to_string())?;
    let sparse = accessor.sparse.iter().flat_map(|s| [s.indices.buffer_view, s.values.buffer_view]);
    accessor.buffer_view.into_iter().chain(sparse).try_for_each(|view| buffers.fetch(document, view))
}

impl<'a> Elements<'a> {
    /// Checks an accessor of `width` numbers per element, whose bytes were fetched.
    pub(super) fn new(
        document: &Document,
        buffers: &'a Buffers<'_>,
        number: u32,
        width: usize,
        user: &str,
    ) -> Result<Elements<'a>> {
        let accessor = get(&document.accessors, number, "accessor", || user.to_string())?;
        let name = format!("accessor {number}");
        let check = Checker { document, buffers, name: &name };
        check.shape(accessor, width)?;
        let component = check.component(accessor.component_type)?;
        let size = component.size() * width;
        let base = match accessor.buffer_view {
            Some(view) => Some(check.rows(view, accessor.byte_offset, accessor.count, size)?),
            None if accessor.count > MAX_ZEROS => {
                let message = format!("{} elements without bytes; the limit is {MAX_ZEROS}", accessor.count);
                return Err(check.error(ErrorKind::TooLarge, &message));
            }
            None => None,
        };
        let sparse = check.replacements(accessor, size)?;
        let count = u32::try_from(accessor.count).map_err(|_| {
            let message = format!("{} elements; the limit is {}", accessor.count, u32::MAX);
            check.error(ErrorKind::TooLarge, &message)
        })?;
        Ok(Elements { count, component, is_normalized: accessor.normalized, base, sparse })
    }

    /// The number of elements.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// True if its numbers can be indices of vertices.
    pub(super) fn is_whole(&self) -> bool {
        matches!(self.component, Component::U8 | Component::U16 | Component::U32)
    }

    /// Checks that sparse replacements come in rising order and replace existing elements. Looking them up relies on
    /// that.
    pub(super) fn check_order(&self, user: &str) -> Result<()> {
        let Some(sparse) = &self.sparse else { return Ok(()) };
        let mut least = 0;
        for place in 0..sparse.count {
            let number = sparse.number(place);
            if number < least || number >= self.count {
                let message = format!(
                    "{user}: sparse replacement {place} is for element {number}; they must rise and stay below {}",
                    self.count
                );
                return Err(Error::new(ErrorKind::OutOfRange, message));
            }
            least = number + 1;
        }
        Ok(())
    }

    /// An element by its index; zeros beyond the end.
    pub(super) fn get<const N: usize>(&self, number: u32) -> [f64; N] {
        let replaced = self.sparse.as_ref().and_then(|sparse| sparse.find(number));
        let element = replaced.or_else(|| self.base.as_ref()?.element(number as usize));
        let mut values = [0.0; N];
        let Some(element) = element.filter(|_| number < self.count) else { return values };
        for (value, bytes) in values.iter_mut().zip(element.chunks_exact(self.component.size())) {
            *value = self.component.read(bytes);
            if self.is_normalized {
                *value = self.component.normalized(*value);
            }
        }
        values
    }
}

impl<'a> Rows<'a> {
    /// The bytes from the start of an element on.
    fn element(&self, number: usize) -> Option<&'a [u8]> {
        self.bytes.get(number.checked_mul(self.stride)?..)
    }
}

impl<'a> Replacements<'a> {
    /// The index of the element that a replacement replaces.
    fn number(&self, place: usize) -> u32 {
        let bytes = self.numbers.element(place).unwrap_or_default();
        bytes.get(..self.component.size()).map_or(0, |bytes| self.component.read(bytes) as u32)
    }

    /// The bytes of the replacement of an element, if it has one.
    fn find(&self, wanted: u32) -> Option<&'a [u8]> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.number(middle).cmp(&wanted) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return self.values.element(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}

impl Component {
    /// The number of bytes.
    fn size(self) -> usize {
        match self {
            Component::I8 | Component::U8 => 1,
            Component::I16 | Component::U16 => 2,
            Component::U32 | Component::F32 => 4,
        }
    }

    /// Reads a number from as many bytes as it has.
    fn read(self, bytes: &[u8]) -> f64 {
        let [a, b, c, d] = [0, 1, 2, 3].map(|place| bytes.get(place).copied().unwrap_or(0));
        match self {
            Component::I8 => f64::from(i8::from_le_bytes([a])),
            Component::U8 => f64::from(a),
            Component::I16 => f64::from(i16::from_le_bytes([a, b])),
            Component::U16 => f64::from(u16::from_le_bytes([a, b])),
            Component::U32 => f64::from(u32::from_le_bytes([a, b, c, d])),
            Component::F32 => f64::from(f32::from_le_bytes([a, b, c, d])),
        }
    }

    /// Converts a whole number to a fraction of its largest value.
    fn normalized(self, value: f64) -> f64 {
        let largest = match self {
            Component::I8 => 127.0,
            Component::U8 => 255.0,
            Component::I16 => 32_767.0,
            Component::U16 => 65_535.0,
            Component::U32 | Component::F32 => return value,
        };
        (value / largest).max(-1.0)
    }
}

/// Checks the pieces of one accessor.
struct Checker<'a, 'b, 'c> {
    /// The file.
    document: &'b Document,
    /// The fetched bytes.
    buffers: &'a Buffers<'c>,
    /// The name of the accessor in messages.
    name: &'b str,
}

impl<'a> Checker<'a, '_, '_> {
    /// Checks that an element has `width` numbers.
    fn shape(&self, accessor: &Accessor, width: usize) -> Result<()> {
        let wanted =
            ["SCALAR", "VEC2", "VEC3", "VEC4"].get(width.wrapping_sub(1)).copied().unwrap_or_default();
        if accessor.shape == wanted {
            return Ok(());
        }
        let message = format!("expected the type {wanted}, found {}", quoted(&accessor.shape));
        Err(self.error(ErrorKind::Syntax, &message))
    }

    /// The type of number with this code.
    fn component(&self, code: u32) -> Result<Component> {
        Ok(match code {
            5120 => Component::I8,
            5121 => Component::U8,
            5122 => Component::I16,
            5123 => Component::U16,
            5125 => Component::U32,
            5126 => Component::F32,
            _ => return Err(self.error(ErrorKind::Syntax, &format!("component type {code} is not known"))),
        })
    }

    /// Checks that all elements lie within their view.
    fn rows(&self, view_number: u32, offset: u64, count: u64, size: usize) -> Result<Rows<'a>> {
        let view = get(&self.document.buffer_views, view_number, "buffer view", || self.name.to_string())?;
        let bytes = self.buffers.view(view, view_number)?;
        let stride = view.byte_stride.unwrap_or(size as u64);
        if stride < size as u64 {
            let message =
                format!("elements of {size} bytes every {stride} bytes of buffer view {view_number}");
            return Err(self.error(ErrorKind::Syntax, &message));
        }
        // 128 bits cannot overflow here.
        let last = u128::from(stride) * u128::from(count.saturating_sub(1)) + size as u128;
        let needed = u128::from(offset) + if count == 0 { 0 } else { last };
        if needed > bytes.len() as u128 {
            let message = format!(
                "{count} elements need {needed} bytes of buffer view {view_number}, which has {}",
                bytes.len()
            );
            return Err(self.error(ErrorKind::OutOfRange, &message));
        }
        let bytes = usize::try_from(offset).ok().and_then(|offset| bytes.get(offset..)).unwrap_or_default();
        // A stride that does not fit can serve a single element only.
        Ok(Rows { bytes, stride: usize::try_from(stride).unwrap_or(usize::MAX) })
    }

    /// Checks the sparse replacements.
    fn replacements(&self, accessor: &Accessor, size: usize) -> Result<Option<Replacements<'a>>> {
        let Some(sparse) = &accessor.sparse else { return Ok(None) };
        let component = self.component(sparse.indices.component_type)?;
        if !matches!(component, Component::U8 | Component::U16 | Component::U32) {
            return Err(self.error(ErrorKind::Syntax, "sparse numbers must be unsigned and whole"));
        }
        let (indices, values) = (&sparse.indices, &sparse.values);
        let numbers = self.rows(indices.buffer_view, indices.byte_offset, sparse.count, component.size())?;
        let values = self.rows(values.buffer_view, values.byte_offset, sparse.count, size)?;
        let count = usize::try_from(sparse.count).unwrap_or(0);
        Ok(Some(Replacements { count, component, numbers, values }))
    }

    /// An error that names the accessor.
    fn error(&self, kind: ErrorKind, message: &str) -> Error {
        Error::new(kind, format!("{}: {message}", self.name))
    }
}
