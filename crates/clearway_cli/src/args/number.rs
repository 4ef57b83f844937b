//! Numbers and points as they are written on the command line.

use clearway::SketchOptions;
use clearway::answer::PathEnd;
pub use clearway::answer::{Point, Point3};

/// Reads `X,Y` or `X,Y,Z`.
pub fn point(text: &str) -> Result<Point, String> {
    match coordinates(text)?[..] {
        [x, y] => Ok(Point::Plan([x, y])),
        [x, y, z] => Ok(Point::Space([x, y, z])),
        _ => Err("expected two numbers with a comma between them, as in 2.5,-1, or three in a scene".into()),
    }
}

/// Reads an end of a path: a point, or the name of a place.
pub fn path_end(text: &str) -> Result<PathEnd, String> {
    match (point(text), text.trim()) {
        (Ok(at), _) => Ok(PathEnd::At(at)),
        (Err(message), name) if name.is_empty() || looks_like_a_point(name) => Err(message),
        (Err(_), name) => Ok(PathEnd::Named(name.to_string())),
    }
}

/// True if a text that is not a point was meant as one: it begins like a number, or has a number between commas.
/// `exit:2` and `exit:2,3` are names.
fn looks_like_a_point(text: &str) -> bool {
    let is_number = |part: &str| part.trim().parse::<f64>().is_ok();
    text.starts_with(|c: char| c.is_ascii_digit() || "+-.,".contains(c))
        || (text.contains(',') && !text.contains(':') && text.split(',').any(is_number))
}

/// Reads `X,Y,Z`.
pub fn point3(text: &str) -> Result<Point3, String> {
    match coordinates(text)?[..] {
        [x, y, z] => Ok([x, y, z]),
        _ => Err("expected three numbers with commas between them, as in 2.5,0,-1".into()),
    }
}

/// Reads two points with a colon between them.
pub fn ends(text: &str) -> Result<[Point; 2], String> {
    let (from, to) =
        text.split_once(':').ok_or("expected two points with a colon between them, as in 0,0:2.5,-1")?;
    Ok([point(from)?, point(to)?])
}

/// Reads numbers with commas between them; none if there is no comma.
fn coordinates(text: &str) -> Result<Vec<f64>, String> {
    let coordinate = |text: &str| number(text).map_err(|problem| format!("`{}` is {problem}", text.trim()));
    if !text.contains(',') {
        return Ok(Vec::new());
    }
    text.split(',').map(coordinate).collect()
}

/// The storeys that a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storeys {
    /// All storeys.
    All,
    /// The storey with this index.
    One(usize),
}

/// Reads `all` or the index of a storey.
pub fn storeys(text: &str) -> Result<Storeys, String> {
    match text {
        "all" => Ok(Storeys::All),
        _ => text.parse().map(Storeys::One).map_err(|_| "neither a number of a storey nor `all`".into()),
    }
}

/// Reads a length that may be zero.
pub fn length(text: &str) -> Result<f64, String> {
    let value = number(text)?;
    if value >= 0.0 { Ok(value) } else { Err("negative; it must be zero or more".into()) }
}

/// Reads a length that may not be zero.
pub fn side(text: &str) -> Result<f64, String> {
    let value = number(text)?;
    if value > 0.0 { Ok(value) } else { Err("not a length; it must be more than zero".into()) }
}

/// A range of widths in metres, the second not included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Widths {
    /// The least width.
    pub from: f64,
    /// The width that all others lie below.
    pub below: f64,
}

impl Widths {
    /// All widths below this one.
    pub fn below(width: f64) -> Widths {
        Widths { from: 0.0, below: width }
    }
}

/// Reads a width, or two with a colon between them.
pub fn widths(text: &str) -> Result<Widths, String> {
    let Some((from, below)) = text.split_once(':') else { return side(text).map(Widths::below) };
    let widths = Widths { from: length(from)?, below: side(below)? };
    if widths.from < widths.below {
        return Ok(widths);
    }
    Err("empty; the first width must be less than the second, as in 0.6:1".into())
}

/// Reads the cost of a metre on an area class: `road=0.5`.
pub fn weight(text: &str) -> Result<(String, f64), String> {
    let (name, cost) = text.rsplit_once('=').ok_or("not AREA=COST, for instance road=0.5")?;
    let cost = number(cost)?;
    if cost > 0.0 { Ok((name.to_string(), cost)) } else { Err("the cost must be more than zero".into()) }
}

/// Reads the width of the part of the world that a picture shows. It is at least a millimetre: below, coordinates of
/// pictures are too large to be drawn.
pub fn across(text: &str) -> Result<f64, String> {
    let value = number(text)?;
    if value >= 0.001 { Ok(value) } else { Err("too little to be seen; it must be at least 0.001 m".into()) }
}

/// Reads a factor of at least 1.
pub fn factor(text: &str) -> Result<f64, String> {
    let value = number(text)?;
    if value >= 1.0 { Ok(value) } else { Err("less than 1; no path is shorter than the shortest".into()) }
}

/// Reads a factor for the heights of a picture.
pub fn height_scale(text: &str) -> Result<f64, String> {
    let (value, limits) = (number(text)?, SketchOptions::HEIGHT_SCALES);
    if limits.contains(&value) {
        return Ok(value);
    }
    Err(format!("out of range; it must lie between {} and {}", limits.start(), limits.end()))
}

/// Reads a finite number.
fn number(text: &str) -> Result<f64, String> {
    let value: f64 = text.trim().parse().map_err(|_| "not a number".to_string())?;
    if value.is_finite() { Ok(value) } else { Err("not a finite number".into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_two_or_three_finite_numbers() {
        assert_eq!(point("2.5,-1"), Ok(Point::Plan([2.5, -1.0])));
        assert_eq!(point(" 1e3, .5 "), Ok(Point::Plan([1000.0, 0.5])));
        assert_eq!(point("1,2,-3"), Ok(Point::Space([1.0, 2.0, -3.0])));
        for bad in ["", "1", "1;2", "1,2,3,4", "1,", "nan,0", "0,inf", "1e999,0", "a,b", "1,2,"] {
            assert!(point(bad).is_err(), "{bad}");
        }
        assert_eq!(ends("0,1:-2,3"), Ok([Point::Plan([0.0, 1.0]), Point::Plan([-2.0, 3.0])]));
        assert!(ends("0,1").is_err() && ends("0,1:2").is_err());
        assert_eq!(point3("1,2,-3"), Ok([1.0, 2.0, -3.0]));
        assert!(point3("1,2").is_err());
    }

    #[test]
    fn points_are_told_as_they_are_written() {
        assert_eq!(Point::Plan([1e300, -2.0]).to_string(), "1e300,-2");
        assert_eq!(Point::Space([0.5, 1e-9, 3.0]).to_string(), "0.5,1e-9,3");
    }

    #[test]
    fn lengths_and_factors_have_their_ranges() {
        assert_eq!((length("0"), side("0.5"), factor("1")), (Ok(0.0), Ok(0.5), Ok(1.0)));
        assert!(["-1", "NaN", "inf", ""].iter().all(|text| length(text).is_err()));
        assert!(["0", "-1", "nan"].iter().all(|text| side(text).is_err()));
        assert_eq!(widths("1"), Ok(Widths { from: 0.0, below: 1.0 }));
        assert_eq!(widths("0.6:1"), Ok(Widths { from: 0.6, below: 1.0 }));
        assert!(["0", "-1:2", "1:1", "2:1", "1:", "1:nan"].iter().all(|text| widths(text).is_err()));
        assert_eq!((height_scale("0.1"), height_scale("50")), (Ok(0.1), Ok(50.0)));
        assert!(["0", "-1", "50.1", "nan"].iter().all(|text| height_scale(text).is_err()));
        assert!(["0.99", "inf", "x"].iter().all(|text| factor(text).is_err()));
    }
}
