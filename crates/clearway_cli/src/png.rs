//! Pictures as PNG: renders the SVG to pixels.

use crate::failure::{Failure, Result};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// The largest number of pixels of a picture: 2^27 take half a gigabyte while it is drawn.
const MAX_PIXELS: u64 = 1 << 27;

/// Renders an SVG text to the bytes of a PNG file.
pub fn of_svg(svg: &str) -> Result<Vec<u8>> {
    let tree = Tree::from_str(svg, &Options::default()).map_err(|error| Failure::new(error.to_string()))?;
    let size = tree.size().to_int_size();
    let (width, height) = (size.width(), size.height());
    let too_large = || {
        let limit = format!("the limit is {MAX_PIXELS} pixels");
        Failure::new(format!("{width} x {height} pixels are too many for a PNG; {limit}"))
    };
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(too_large());
    }
    let mut pixmap = Pixmap::new(width, height).ok_or_else(too_large)?;
    resvg::render(&tree, Transform::identity(), &mut pixmap.as_mut());
    pixmap.encode_png().map_err(|error| Failure::new(error.to_string()))
}
