//! Circles that touch three sites: closed forms, and Newton steps from the original coordinates.
//!
//! Each closed form is at most quadratic. Newton's steps start from original coordinates, so errors never accumulate from
//! update to update. Their last Jacobian gives a bound on the error of the centre.

use crate::conflict::cross_sign;
use crate::double_double::Double;
use crate::sites::Site;
use clearway_geometry::Vec2;

/// A circle; as the circle of a face its centre is a Voronoi vertex and its radius the clearance there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Circle {
    pub at: Vec2,
    pub radius: f64,
}

impl Circle {
    /// The circle of the face outside of the first three sites: nothing conflicts with it.
    pub const OUTER: Circle = Circle { at: Vec2::new(f64::NAN, f64::NAN), radius: f64::NEG_INFINITY };

    #[inline]
    pub fn is_outer(&self) -> bool {
        self.radius == f64::NEG_INFINITY
    }

    pub fn new(at: Vec2, radius: f64) -> Circle {
        Circle { at, radius }
    }
}

/// Three sites with their ids.
pub(crate) type Triple<'a> = [(u32, &'a Site); 3];

/// Three equations in x, y and radius, with their right sides.
type System = [[f64; 4]; 3];

/// Calls `take` with each real root of `a t² + b t + c`.
pub(crate) fn roots(a: f64, b: f64, c: f64, mut take: impl FnMut(f64)) {
    if a == 0.0 {
        if b != 0.0 {
            take(-c / b);
        }
        return;
    }
    let mut under = b * b - 4.0 * a * c;
    if under < 0.0 {
        // A double root whose discriminant was rounded below zero.
        if under < -1e-9 * b * b {
            return;
        }
        under = 0.0;
    }
    let q = -0.5 * (b + under.sqrt().copysign(b));
    take(q / a);
    if q != 0.0 {
        take(c / q);
    }
}

/// The circle through three points.
pub(crate) fn circumcircle(a: Vec2, b: Vec2, c: Vec2) -> Circle {
    let (p, q) = (b - a, c - a);
    let (pp, qq, d) = (p.length_squared(), q.length_squared(), 2.0 * p.cross(q));
    let at = Vec2::new((q.y * pp - p.y * qq) / d, (p.x * qq - q.x * pp) / d);
    Circle::new(a + at, at.length())
}

/// The circle through three points, with a bound on the error of its centre and radius together. `None` for points near a
/// line, where Newton's steps are better.
///
/// Differences of grid points are exact. Each product and sum adds half a rounding `u` of its own size. So a coordinate of
/// the centre is wrong by at most `20 u · |p| |q| radius / |d| + 2 u · radius`. The radius is wrong by less than both
/// together. The bound takes 90 u and 18 u instead.
pub(crate) fn sure_circumcircle([a, b, c]: [Vec2; 3], grain: f64) -> Option<(Circle, f64)> {
    let (p, q) = (b - a, c - a);
    let steepness = (p.length_squared() * q.length_squared()).sqrt() / (2.0 * p.cross(q)).abs();
    let circle = circumcircle(a, b, c);
    let error = circle.radius * (1e-14 * steepness + 2e-15) + 4.0 * grain;
    (steepness <= STEEPEST).then_some((circle, error))
}

/// The greatest ratio `|p| |q| / |d|` of a circle that needs no Newton steps: the angle at the first point is above 3°.
const STEEPEST: f64 = 10.0;

/// The point of a corner: one of the three is a point, and the other two are segments that end there.
pub(crate) fn corner(sites: Triple) -> Option<usize> {
    (0..3).find(|&i| {
        let (id, point) = sites[i];
        let (_, one) = sites[(i + 1) % 3];
        let (_, other) = sites[(i + 2) % 3];
        point.is_point() && one.ends_at(id) && other.ends_at(id)
    })
}

/// Calls `take` with all circles that touch the points and the lines of the segments. The radius may be negative or not
/// finite where there is none.
pub(crate) fn tangent_circles(sites: Triple, mut take: impl FnMut(Circle)) {
    let mut sorted = sites;
    let end;
    if let Some(straight) = Straight::of(sites) {
        end = Site::point(straight.at);
        sorted[straight.place] = (straight.id, &end);
    }
    sorted.sort_by_key(|(_, site)| !site.is_point());
    let [one, two, three] = sorted;
    match sorted.iter().filter(|(_, site)| site.is_point()).count() {
        3 => take(circumcircle(one.1.a, two.1.a, three.1.a)),
        2 => two_points_and_a_line([one, two], three.1, &mut take),
        1 => a_point_and_two_lines(one, [two.1, three.1], &mut take),
        _ => three_lines([one.1, two.1, three.1], &mut take),
    }
}

/// The unit normal of a line that points to `p`, and the distance of `p`.
fn towards(line: &Site, p: Vec2) -> (Vec2, f64) {
    let (normal, distance) = (line.along.perp(), line.offset(p));
    if distance < 0.0 { (-normal, -distance) } else { (normal, distance) }
}

fn two_points_and_a_line(points: [(u32, &Site); 2], line: &Site, take: &mut impl FnMut(Circle)) {
    let [(p, from), (q, to)] = points;
    match (line.ends_at(p), line.ends_at(q)) {
        (true, true) => return,
        (false, false) => {}
        (first, _) => {
            // The centre lies on the perpendicular through the shared end.
            let (end, other) = if first { (from.a, to.a) } else { (to.a, from.a) };
            let (normal, d) = (line.along.perp(), other - end);
            let across = d.dot(normal);
            if across != 0.0 {
                let t = d.length_squared() / (2.0 * across);
                take(Circle::new(end + normal * t, t.abs()));
            }
            return;
        }
    }
    let d = to.a - from.a;
    let (middle, way) = (d * 0.5, d.unit().perp());
    let (normal, distance) = towards(line, from.a);
    let (high, steep) = (normal.dot(middle) + distance, normal.dot(way));
    let level = middle.length_squared() - high * high;
    roots(1.0 - steep * steep, -2.0 * high * steep, level, |t| {
        let at = middle + way * t;
        take(Circle::new(from.a + at, at.length()));
    });
}

fn a_point_and_two_lines(point: (u32, &Site), lines: [&Site; 2], take: &mut impl FnMut(Circle)) {
    let (id, p) = (point.0, point.1.a);
    let [first, second] = lines.map(|line| line.ends_at(id));
    if first && second {
        return;
    }
    if first || second {
        let (own, other) = if first { (lines[0], lines[1]) } else { (lines[1], lines[0]) };
        let (normal, (towards, distance)) = (own.along.perp(), towards(other, p));
        let cosine = normal.dot(towards);
        for (way, part) in [(1.0, 1.0 - cosine), (-1.0, 1.0 + cosine)] {
            if part > 1e-14 {
                take(Circle::new(p + normal * (way * distance / part), distance / part));
            }
        }
        return;
    }
    let [(m, c), (n, d)] = lines.map(|line| towards(line, p));
    let det = m.cross(n);
    if det.abs() > 1e-9 {
        let base = Vec2::new((d * m.y - c * n.y) / det, (c * n.x - d * m.x) / det);
        let way = Vec2::new((n.y - m.y) / det, (m.x - n.x) / det);
        roots(way.length_squared() - 1.0, 2.0 * base.dot(way), base.length_squared(), |radius| {
            take(Circle::new(p + base + way * radius, radius));
        });
    }
    // Lines that face each other and are nearly parallel cancel above; taken as parallel they start Newton's steps well.
    if det.abs() < 1e-2 && m.dot(n) < 0.0 {
        let radius = 0.5 * (c + d);
        let (base, way) = (m * (radius - c), m.perp());
        roots(1.0, 2.0 * base.dot(way), base.length_squared() - radius * radius, |t| {
            take(Circle::new(p + base + way * t, radius));
        });
    }
}

fn three_lines(lines: [&Site; 3], take: &mut impl FnMut(Circle)) {
    let origin = lines[0].a;
    for signs in [[1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [1.0, 1.0, -1.0], [1.0, -1.0, -1.0]] {
        let system: System = std::array::from_fn(|i| {
            let normal = lines[i].along.perp() * signs[i];
            [normal.x, normal.y, -1.0, -normal.dot(origin - lines[i].a)]
        });
        let det = determinant(&system, [0, 1, 2]);
        if det.abs() >= 1e-14 {
            let [x, y, radius] = solution(&system, det);
            take(Circle::new(origin + Vec2::new(x, y), radius.abs()));
        }
    }
}

fn determinant(m: &System, [i, j, k]: [usize; 3]) -> f64 {
    m[0][i] * (m[1][j] * m[2][k] - m[1][k] * m[2][j]) - m[0][j] * (m[1][i] * m[2][k] - m[1][k] * m[2][i])
        + m[0][k] * (m[1][i] * m[2][j] - m[1][j] * m[2][i])
}

fn solution(m: &System, det: f64) -> [f64; 3] {
    [[3, 1, 2], [0, 3, 2], [0, 1, 3]].map(|columns| determinant(m, columns) / det)
}

/// The largest change of x, y and radius together for changes of at most one in the three equations.
///
/// It is the sum of nine minors over the determinant. Rows are unit vectors with minus one or zero behind them, so the
/// minors of a row are at most 2, 2 and 1.
fn sensitivity(det: f64) -> f64 {
    15.0 / det.abs()
}

/// A segment of a triple that runs straight on from another one. A circle touches both only at the end that they share,
/// so that end stands for the second segment.
#[derive(Clone, Copy)]
struct Straight {
    /// The place of the second segment in the triple.
    place: usize,
    /// The end that both share.
    id: u32,
    at: Vec2,
}

impl Straight {
    fn of(sites: Triple) -> Option<Straight> {
        for (i, place) in [(0, 1), (0, 2), (1, 2)] {
            let (one, other) = (sites[i].1, sites[place].1);
            if one.is_point() || other.is_point() {
                continue;
            }
            for (id, at) in other.ends.into_iter().zip([other.a, other.b]) {
                if one.ends_at(id) && cross_sign(one.away_from(id), other.away_from(id)) == 0 {
                    return Some(Straight { place, id, at });
                }
            }
        }
        None
    }
}

/// The end of a segment of the triple, if the site is that end: the circle's centre then lies on the perpendicular.
fn own_segment<'a>(sites: Triple<'a>, i: usize) -> Option<&'a Site> {
    let id = sites[i].0;
    sites.into_iter().map(|(_, site)| site).find(|site| site.ends_at(id))
}

/// The three equations of tangency at a circle; `None` where the circle has shrunk to one of the points.
fn equations(sites: Triple, straight: Option<Straight>, circle: &Circle) -> Option<System> {
    let mut system = [[0.0; 4]; 3];
    for i in 0..3 {
        let site = sites[i].1;
        let d = circle.at - site.a;
        system[i] = if let Some(end) = straight.filter(|straight| straight.place == i) {
            [site.along.x, site.along.y, 0.0, -(circle.at - end.at).dot(site.along)]
        } else if !site.is_point() {
            let offset = site.offset(circle.at);
            let normal = site.along.perp() * 1f64.copysign(offset);
            [normal.x, normal.y, -1.0, circle.radius - offset.abs()]
        } else if let Some(own) = own_segment(sites, i) {
            [own.along.x, own.along.y, 0.0, -d.dot(own.along)]
        } else {
            let distance = d.length();
            if distance == 0.0 {
                return None;
            }
            [d.x / distance, d.y / distance, -1.0, circle.radius - distance]
        };
    }
    Some(system)
}

/// Newton's steps on the equations of tangency. Returns a bound on the error of the centre and radius together, or
/// `None` if the steps lead nowhere. `grain` is the rounding of a coordinate, `reach` the longest step in radii.
pub(crate) fn polish(sites: Triple, circle: &mut Circle, grain: f64, reach: f64) -> Option<f64> {
    const STEPS: usize = 6;
    let straight = Straight::of(sites);
    for step in 0..STEPS {
        let system = equations(sites, straight, circle)?;
        let residual = system.iter().map(|row| row[3].abs()).fold(0.0, f64::max);
        let det = determinant(&system, [0, 1, 2]);
        let fine = grain + 4e-16 * circle.radius;
        if residual <= 4.0 * fine || step == STEPS - 1 {
            let error = (residual + 4.0 * fine) * (1.0 + sensitivity(det));
            return if residual <= 1e9 * fine && error.is_finite() { Some(error) } else { None };
        }
        if det.abs() < 1e-30 {
            return None;
        }
        let [x, y, radius] = solution(&system, det);
        let most = 1e6 * grain + reach * circle.radius;
        if !(x.abs() < most && y.abs() < most) {
            return None;
        }
        *circle = Circle::new(circle.at + Vec2::new(x, y), (circle.radius + radius).max(0.0));
    }
    None
}

/// A circle in double-double numbers.
pub(crate) struct FineCircle {
    pub x: Double,
    pub y: Double,
    pub radius: Double,
    /// A bound on the error of the three together.
    pub error: f64,
}

/// Offset of a fine centre from a point.
pub(crate) fn fine_offset(circle: &FineCircle, p: Vec2) -> [Double; 2] {
    [circle.x - Double::of(p.x), circle.y - Double::of(p.y)]
}

/// The direction of a segment, of length one, and its length.
pub(crate) fn fine_direction(site: &Site) -> ([Double; 2], Double) {
    let along = [Double::of(site.b.x - site.a.x), Double::of(site.b.y - site.a.y)];
    let length = (along[0] * along[0] + along[1] * along[1]).root();
    (along.map(|part| part / length), length)
}

/// The dot product and the cross product of a direction and an offset.
pub(crate) fn fine_frame(along: [Double; 2], d: [Double; 2]) -> [Double; 2] {
    [d[0] * along[0] + d[1] * along[1], along[0] * d[1] - along[1] * d[0]]
}

/// The same circle to double-double precision: residuals in these numbers, corrections in floats.
pub(crate) fn refined(sites: Triple, circle: &Circle, grain: f64) -> Option<FineCircle> {
    let mut fine = FineCircle {
        x: Double::of(circle.at.x),
        y: Double::of(circle.at.y),
        radius: Double::of(circle.radius),
        error: f64::INFINITY,
    };
    let straight = Straight::of(sites);
    let zero = [Double::of(0.0); 2];
    let along = sites.map(|(_, site)| if site.is_point() { zero } else { fine_direction(site).0 });
    // A step multiplies the error by about the one before; six reach the end from any circle that floats can hold.
    for _ in 0..6 {
        let near = Circle::new(Vec2::new(fine.x.high, fine.y.high), fine.radius.high);
        let mut system = equations(sites, straight, &near)?;
        let mut residual = 0f64;
        for i in 0..3 {
            let site = sites[i].1;
            let d = fine_offset(&fine, site.a);
            let rest = if let Some(end) = straight.filter(|straight| straight.place == i) {
                Double::of(0.0) - fine_frame(along[i], fine_offset(&fine, end.at))[0]
            } else if !site.is_point() {
                fine.radius - fine_frame(along[i], d)[1].abs()
            } else if let Some(own) = (0..3).find(|&j| sites[j].1.ends_at(sites[i].0)) {
                Double::of(0.0) - fine_frame(along[own], d)[0]
            } else {
                fine.radius - (d[0] * d[0] + d[1] * d[1]).root()
            };
            system[i][3] = rest.high;
            residual = residual.max(rest.high.abs());
        }
        let det = determinant(&system, [0, 1, 2]);
        // Double-double numbers have 53 bits more than floats; four of them are given to the rounding of the steps.
        let smallest = grain * 2f64.powi(-48);
        let error = (residual + smallest) * (1.0 + sensitivity(det));
        if residual <= smallest || error >= fine.error {
            fine.error = error.min(fine.error);
            return Some(fine);
        }
        fine.error = error;
        let [x, y, radius] = solution(&system, det);
        fine.x = fine.x + Double::of(x);
        fine.y = fine.y + Double::of(y);
        fine.radius = fine.radius + Double::of(radius);
    }
    Some(fine)
}
