//! Chords: how they rank, where they may end inside an edge, and how they are inserted.

use clearway_geometry::construct::near;
use clearway_geometry::predicates::orient;
use clearway_geometry::{Point, Vector};

use super::space::{PORTAL, Space};
use super::view::{Bound, Window};

/// How good a chord is, best first. Weights are squared lengths times a factor, in halves so that they stay
/// whole: a vertex counts once, a new point on a wall one and a half times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// It ends on a vertex or a wall.
    Solid(i64),
    /// It ends inside a portal: only where the cone holds nothing else.
    OnPortal(i64),
    /// There is none; two edges of the triangulation must do.
    Missing,
}

const VERTEX_HALVES: i64 = 2;
const WALL_HALVES: i64 = 3;

/// Where a chord ends.
#[derive(Clone, Copy, Debug)]
pub enum End {
    /// In this vertex.
    Vertex(u32),
    /// Inside the edge of this half-edge, which has the notch on its left, at this point.
    Inside(u32, Point),
}

/// A chord from a notch that settles it alone.
#[derive(Clone, Copy, Debug)]
pub struct Chord {
    /// How good it is.
    pub rank: Rank,
    /// Where it ends.
    pub end: End,
}

impl Chord {
    /// Whether it is better than any chord through the given edge.
    pub fn is_shorter_than_to(&self, space: &Space, notch: u32, edge: u32) -> bool {
        let edges = space.triangulation.edges();
        let [p, a, b] = [notch, edges.origin(edge), edges.target(edge)].map(|v| space.triangulation.point(v));
        let t = foot(p, a, b).clamp(0.0, 1.0);
        let (to_a, along) = (a - p, b - a);
        let offset = [to_a.x as f64 + along.x as f64 * t, to_a.y as f64 + along.y as f64 * t];
        let squared = offset[0] * offset[0] + offset[1] * offset[1];
        // A rounded distance would do for pruning, but let it never cost a chord that ties.
        matches!(self.rank, Rank::Solid(weight) if (weight as f64) < VERTEX_HALVES as f64 * squared * 0.999)
    }
}

/// The chord from a notch to a vertex that it sees in its cone.
pub fn chord_to(space: &Space, notch: u32, vertex: u32) -> Chord {
    let [from, to] = [notch, vertex].map(|v| space.triangulation.point(v));
    Chord { rank: Rank::Solid(VERTEX_HALVES * from.distance_squared(to)), end: End::Vertex(vertex) }
}

/// The shortest chord from a notch into a constrained edge that it sees, or one nearly as short where the grid
/// or the cell beyond does not allow that one.
pub fn chord_inside(space: &Space, notch: u32, window: &Window) -> Option<Chord> {
    let point = EndPoint::new(space, notch, window).find()?;
    let squared = space.triangulation.point(notch).distance_squared(point);
    let rank = if space.is_wall(window.edge) {
        Rank::Solid(WALL_HALVES * squared)
    } else {
        Rank::OnPortal(VERTEX_HALVES * squared)
    };
    Some(Chord { rank, end: End::Inside(window.edge, point) })
}

/// Makes a chord from a notch a portal. It was seen in the present triangulation, so nothing is in its way.
pub fn insert(space: &mut Space, notch: u32, chord: Chord) {
    let end = match chord.end {
        End::Vertex(vertex) => vertex,
        End::Inside(edge, point) => space.split(edge, point),
    };
    let joined = space.triangulation.join(notch, end, PORTAL);
    debug_assert!(joined, "a seen chord is blocked");
}

/// The search for a grid point at which a chord may end inside an edge.
struct EndPoint<'a> {
    space: &'a Space,
    window: &'a Window,
    notch: Point,
    /// The ends of the edge, right and left.
    a: Point,
    b: Point,
    /// The corners of the triangles on the near and on the far side.
    near_corner: Point,
    far_corner: Point,
}

impl EndPoint<'_> {
    fn new<'a>(space: &'a Space, notch: u32, window: &'a Window) -> EndPoint<'a> {
        let edges = space.triangulation.edges();
        let twin = edges.twin(window.edge);
        let corners = [notch, edges.origin(window.edge), edges.target(window.edge)];
        let [notch, a, b] = corners.map(|v| space.triangulation.point(v));
        let apexes = [window.edge, twin].map(|e| edges.apex(e));
        let [near_corner, far_corner] = apexes.map(|v| space.triangulation.point(v));
        EndPoint { space, window, notch, a, b, near_corner, far_corner }
    }

    /// The nearest point of the edge, rounded to the grid; where that does not fit, ever farther to both sides.
    fn find(&self) -> Option<Point> {
        let (low, high) = (self.fraction(self.window.right), self.fraction(self.window.left));
        let nearest = foot(self.notch, self.a, self.b).max(low).min(high);
        let unit = 1.0 / (self.b - self.a).length();
        let steps = (0..SLIDES).flat_map(|step| [f64::from(1_u32 << step), -f64::from(1_u32 << step)]);
        let tries = std::iter::once(0.0).chain(steps).map(|step| nearest + step * unit);
        let inside = tries.filter(|t| (low..=high).contains(t));
        inside.flat_map(|t| near(self.a, self.b, t)).find(|point| self.fits(*point))
    }

    /// Where a bound of the window meets the edge, as a fraction of it; rounded, so its points are checked.
    fn fraction(&self, bound: Bound) -> f64 {
        let [from, to] = [self.a, self.b].map(|end| bound.direction.cross(end - self.notch) as f64);
        if from == to { 0.5 } else { (from / (from - to)).clamp(0.0, 1.0) }
    }

    /// Whether the edge may be led through a point and the chord end there. The point is on the edge or on the
    /// notch's side of it, so that walls only grow.
    fn fits(&self, point: Point) -> bool {
        let EndPoint { notch, a, b, near_corner, far_corner, .. } = *self;
        self.window.admits(point - notch)
            && orient(a, b, point) >= 0
            && orient(a, point, near_corner) > 0
            && orient(point, b, near_corner) > 0
            && orient(b, point, far_corner) > 0
            && orient(point, a, far_corner) > 0
            && orient(a, point, notch) > 0
            && orient(point, b, notch) > 0
            && self.keeps_far_corners(point)
    }

    /// Whether bending the edge makes no convex corner of the cell beyond it reflex. Its corner at the new point
    /// is convex anyway, since the edge bends away from it.
    fn keeps_far_corners(&self, point: Point) -> bool {
        let triangulation = &self.space.triangulation;
        let twin = triangulation.edges().twin(self.window.edge);
        if !self.space.is_free(twin) {
            return true;
        }
        let after = triangulation.direction(self.space.constrained_after(twin));
        let before = triangulation.direction(self.space.constrained_before(self.window.edge));
        let stays = |was: (Vector, Vector), is: (Vector, Vector)| {
            self.space.allows(is.0, is.1) || !self.space.allows(was.0, was.1)
        };
        let (a, b) = (self.a, self.b);
        stays((a - b, after), (point - b, after)) && stays((before, b - a), (before, point - a))
    }
}

/// Points up to 2 to this power units to both sides of the nearest one are tried.
const SLIDES: u32 = 20;

/// Where the perpendicular from `p` meets the line a–b, as a fraction of a–b.
fn foot(p: Point, a: Point, b: Point) -> f64 {
    (b - a).dot(p - a) as f64 / (b - a).length_squared() as f64
}
