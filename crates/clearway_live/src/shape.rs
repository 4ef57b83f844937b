//! Shapes on the grid, and which cells they touch.

use crate::edit::Shape;
use clearway_base::error::{Error, ErrorKind, Result, short};
use clearway_geometry::predicates::orient;
use clearway_geometry::{Grid, Point, Vec2};

/// The distance in grid units up to which a cell counts as touched. Rounding moves a wall by less than one unit, and
/// the walls of a cell by less than one more; a larger value divides more cells anew than needed.
const NEAR: f64 = 3.0;

/// A shape on the grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outline {
    /// The corners; at least three of a ring, two of a wall.
    pub points: Vec<Point>,
    /// True if the last corner is joined to the first.
    pub is_ring: bool,
}

impl Outline {
    /// Puts a shape on the grid. Fails if it is not finite, lies outside the grid, or has no extent there.
    pub fn of(shape: &Shape, grid: &Grid) -> Result<Outline> {
        let corners = corners_of(shape)?;
        if corners.len() > Shape::MAX_CORNERS {
            let (count, most) = (corners.len(), Shape::MAX_CORNERS);
            return Err(Error::new(
                ErrorKind::TooLarge,
                format!("a shape of {count} corners; at most {most} are allowed"),
            ));
        }
        let mut points = Vec::with_capacity(corners.len());
        for (index, corner) in corners.iter().enumerate() {
            let point = grid.snap(*corner).filter(|_| corner.iter().all(|c| c.is_finite()));
            let point = point.ok_or_else(|| {
                let [x, y] = corner;
                let (x, y) = (short(*x), short(*y));
                let detail = format!("corner {index} at ({x}, {y}) lies outside the grid of the mesh");
                Error::new(ErrorKind::OutOfRange, detail)
            })?;
            if points.last() != Some(&point) {
                points.push(point);
            }
        }
        let is_ring = !matches!(shape, Shape::Segment(_));
        while is_ring && points.len() > 1 && points.first() == points.last() {
            points.pop();
        }
        let outline = Outline { points, is_ring };
        if outline.has_extent() { Ok(outline) } else { Err(no_extent(is_ring)) }
    }

    /// True if a ring has three corners that are not in line, or a wall two.
    fn has_extent(&self) -> bool {
        let [Some(a), Some(b)] = [self.points.first(), self.points.get(1)] else { return false };
        !self.is_ring || self.points.iter().any(|c| orient(*a, *b, *c) != 0)
    }

    /// Returns the pieces of the border.
    pub fn segments(&self) -> impl Iterator<Item = [Point; 2]> + '_ {
        let closing = self.is_ring.then_some((self.points.last(), self.points.first()));
        let closing = closing.and_then(|(last, first)| Some([*last?, *first?]));
        self.points.windows(2).map(|pair| [pair[0], pair[1]]).chain(closing)
    }

    /// Returns the corners of the least box around all that counts as touched.
    pub fn bounds(&self) -> [Vec2; 2] {
        let (min, max) = clearway_geometry::triangulation::bounds(&self.points);
        let near = Vec2::new(NEAR, NEAR);
        [min.as_vec2() - near, max.as_vec2() + near]
    }

    /// Returns the low and the high corner of the box around its corners.
    pub fn corners(&self) -> [Point; 2] {
        clearway_geometry::triangulation::bounds(&self.points).into()
    }

    /// True if the shape comes near a convex cell or covers it.
    pub fn touches(&self, cell: &[Point]) -> bool {
        self.segments().any(|segment| is_near(segment, cell)) || (self.is_ring && self.covers(cell[0]))
    }

    /// True if the ring winds around a point.
    fn covers(&self, p: Point) -> bool {
        let mut winding = 0;
        for [a, b] in self.segments() {
            if (a.y <= p.y) != (b.y <= p.y) {
                let side = orient(a, b, p);
                winding += i32::from(b.y > a.y && side > 0) - i32::from(b.y < a.y && side < 0);
            }
        }
        winding != 0
    }
}

/// The error for a shape that vanishes on the grid.
fn no_extent(is_ring: bool) -> Error {
    let detail = if is_ring {
        "the shape has no area on the grid of the mesh"
    } else {
        "both ends of the wall are one point on the grid of the mesh"
    };
    Error::new(ErrorKind::Empty, detail)
}

/// True unless a line through a side of the cell or through the segment parts the two by more than [`NEAR`].
fn is_near([a, b]: [Point; 2], cell: &[Point]) -> bool {
    let parts = |from: Point, to: Point, of: &mut dyn Iterator<Item = Point>| {
        let limit = -NEAR * from.distance(to);
        let mut sides = of.map(|p| orient(from, to, p) as f64);
        sides.all(|side| side < limit)
    };
    let following = cell.iter().skip(1).chain(cell.first());
    let by_cell = cell.iter().zip(following).any(|(p, q)| parts(*p, *q, &mut [a, b].into_iter()));
    let by_segment = || [[a, b], [b, a]].iter().any(|[a, b]| parts(*a, *b, &mut cell.iter().copied()));
    !by_cell && !by_segment()
}

/// Returns the corners of a shape in metres.
pub(crate) fn corners_of(shape: &Shape) -> Result<Vec<[f64; 2]>> {
    let wrong = |detail: String| Err(Error::new(ErrorKind::Options, detail));
    match shape {
        Shape::Polygon(corners) => Ok(corners.clone()),
        Shape::Segment(ends) => Ok(ends.to_vec()),
        Shape::Disc { centre, radius, sides } => {
            if !(3..=Shape::MAX_SIDES).contains(sides) {
                return wrong(format!("a disc of {sides} sides; 3 to {} are allowed", Shape::MAX_SIDES));
            }
            if !(radius.is_finite() && *radius > 0.0) {
                let radius = short(*radius);
                return wrong(format!("a disc of radius {radius}; it must be finite and greater than zero"));
            }
            let step = std::f64::consts::TAU / f64::from(*sides);
            // The sides of the polygon touch the disc, so that the polygon holds all of it.
            let reach = radius / (0.5 * step).cos();
            let corner = |number: u32| {
                let (sine, cosine) = (step * f64::from(number)).sin_cos();
                [centre[0] + reach * cosine, centre[1] + reach * sine]
            };
            Ok((0..*sides).map(corner).collect())
        }
        Shape::Box { centre, size, turn } => {
            if !size.iter().all(|side| side.is_finite() && *side > 0.0) || !turn.is_finite() {
                let [width, depth, turn] = [size[0], size[1], *turn].map(short);
                return wrong(format!(
                    "a box of {width} by {depth} turned by {turn}: the numbers make no sense"
                ));
            }
            let (sine, cosine) = turn.sin_cos();
            let corner = |[u, v]: [f64; 2]| {
                let (x, y) = (0.5 * u * size[0], 0.5 * v * size[1]);
                [centre[0] + x * cosine - y * sine, centre[1] + x * sine + y * cosine]
            };
            Ok([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(corner).to_vec())
        }
    }
}
