//! Goals of bodies: areas that many share, places of one's own, and directions.

use super::routes::distance;
use clearway_base::{Error, ErrorKind, Result};
use clearway_nav::Location;

/// The largest number of corners of an area. Every body in a cell of the area looks at each of them.
pub const MAX_CORNERS: usize = 10_000;

/// The number of a goal area in its crowd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GoalId(pub(crate) u32);

impl GoalId {
    /// Returns the number as an index: areas are numbered from zero in the order in which they were added.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a body wants to go.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Goal {
    /// Nowhere: it stands and makes room.
    #[default]
    None,
    /// Into an area, which it may share with any number of bodies.
    Area(GoalId),
    /// To a place of its own.
    Place(Location),
    /// Always in this direction, in plan coordinates. Its length does not matter.
    Direction([f64; 2]),
}

impl From<GoalId> for Goal {
    fn from(goal: GoalId) -> Goal {
        Goal::Area(goal)
    }
}

impl From<Location> for Goal {
    fn from(at: Location) -> Goal {
        Goal::Place(at)
    }
}

/// An area of the mesh, as the ground inside an outline: a goal of bodies, or a part of the ground that is slow.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    /// Its corners in plan coordinates, in either order. The outline must not cross itself.
    pub(crate) outline: Vec<[f64; 2]>,
    /// The height of its ground in metres, where floors lie over each other; `None` for all floors.
    pub(crate) height: Option<f64>,
    /// The rule by which a body counts as there.
    pub(crate) reach: Reach,
}

/// The rule by which a body counts as in a goal area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Reach {
    /// The centre of a body is inside of it.
    #[default]
    Centre,
    /// As `Centre`, or the last step that it planned led its centre across. No step misses a thin area then.
    Across,
    /// As `Across`, or the disc of the body touches a side. So bodies arrive in areas in which they cannot stand.
    Touch,
}

/// The gap in metres that still counts as a touch: more than bodies leave before a wall.
const TOUCH_GAP: f64 = 0.02;

/// The difference in metres between the height of an area and the ground that still belongs to it. Half a storey
/// keeps floors apart and lets ramps and steps in.
pub(crate) const AREA_HEIGHT: f64 = 1.25;

impl Area {
    /// Makes an area from an outline of at least three corners.
    pub fn new(outline: Vec<[f64; 2]>) -> Result<Area> {
        let bad = |message: String| Err(Error::new(ErrorKind::OutOfRange, message));
        if outline.len() < 3 || outline.len() > MAX_CORNERS {
            return bad(format!("an area has 3 to {MAX_CORNERS} corners, not {}", outline.len()));
        }
        if let Some(index) = outline.iter().position(|corner| !corner.iter().all(|c| c.is_finite())) {
            return bad(format!("corner {index} of the area is not finite"));
        }
        if doubled_area(&outline) == 0.0 {
            return bad("the outline encloses nothing".to_string());
        }
        Ok(Area { outline, height: None, reach: Reach::Centre })
    }

    /// Makes the area of a rectangle from two opposite corners.
    pub fn rectangle(low: [f64; 2], high: [f64; 2]) -> Result<Area> {
        Area::new(vec![low, [high[0], low[1]], high, [low[0], high[1]]])
    }

    /// Says on which floor the area lies: ground within 1.25 m of this height belongs to it.
    #[must_use]
    pub fn at_height(mut self, height: f64) -> Area {
        self.height = Some(height);
        self
    }

    /// Says what counts as being there, for bodies whose goal it is.
    #[must_use]
    pub fn reach(mut self, reach: Reach) -> Area {
        self.reach = reach;
        self
    }

    /// Returns the corners in plan coordinates.
    pub fn outline(&self) -> &[[f64; 2]] {
        &self.outline
    }

    /// Returns the height of its floor; `None` for all floors.
    pub fn height(&self) -> Option<f64> {
        self.height
    }

    /// True if a point lies inside the outline or on it, seen from above.
    pub fn holds(&self, at: [f64; 2]) -> bool {
        holds(&self.outline, at)
    }
}

/// True if a body that came from a place to another in its last step is in an area now.
pub(crate) fn is_in(area: &Area, from: [f64; 2], to: [f64; 2], radius: f64) -> bool {
    if area.holds(to) {
        return true;
    }
    let touches = |[a, b]: [[f64; 2]; 2]| beside_side(a, b, to).is_some_and(|far| far <= radius + TOUCH_GAP);
    match area.reach {
        Reach::Centre => false,
        Reach::Across => sides(&area.outline).any(|side| cross(side, [from, to])),
        Reach::Touch => sides(&area.outline).any(|side| cross(side, [from, to]) || touches(side)),
    }
}

/// Returns the outlines of the ground on which the centre of a body is in an area: its own, and where touching counts a
/// strip along each side.
pub(crate) fn shapes(area: &Area, radius: f64) -> Vec<Vec<[f64; 2]>> {
    let mut shapes = vec![area.outline.clone()];
    if area.reach == Reach::Touch {
        let outward = if doubled_area(&area.outline) > 0.0 { -radius } else { radius };
        shapes.extend(sides(&area.outline).filter(|[a, b]| a != b).map(|[a, b]| {
            let length = distance(a, b);
            let [x, y] = [(a[1] - b[1]) / length * outward, (b[0] - a[0]) / length * outward];
            vec![a, b, [b[0] + x, b[1] + y], [a[0] + x, a[1] + y]]
        }));
    }
    shapes
}

/// Returns the sides of an outline.
fn sides(outline: &[[f64; 2]]) -> impl Iterator<Item = [[f64; 2]; 2]> + '_ {
    outline.iter().zip(outline.iter().skip(1).chain(outline.first())).map(|(a, b)| [*a, *b])
}

/// Returns the distance of a place from a side; `None` if it lies beyond an end of it.
fn beside_side(a: [f64; 2], b: [f64; 2], at: [f64; 2]) -> Option<f64> {
    let (along, off) = ([b[0] - a[0], b[1] - a[1]], [at[0] - a[0], at[1] - a[1]]);
    let square = along[0] * along[0] + along[1] * along[1];
    let part = along[0] * off[0] + along[1] * off[1];
    let is_beside = square > 0.0 && (0.0..=square).contains(&part);
    is_beside.then(|| (along[0] * off[1] - along[1] * off[0]).abs() / square.sqrt())
}

/// True if two segments have a point in common, apart from rounding.
fn cross([a, b]: [[f64; 2]; 2], [p, q]: [[f64; 2]; 2]) -> bool {
    let side =
        |u: [f64; 2], v: [f64; 2], w: [f64; 2]| (v[0] - u[0]) * (w[1] - u[1]) - (v[1] - u[1]) * (w[0] - u[0]);
    // Segments in line have no sides; their boxes tell whether they meet.
    let meet = |axis: usize| {
        a[axis].min(b[axis]) <= p[axis].max(q[axis]) && p[axis].min(q[axis]) <= a[axis].max(b[axis])
    };
    p != q
        && meet(0)
        && meet(1)
        && side(a, b, p) * side(a, b, q) <= 0.0
        && side(p, q, a) * side(p, q, b) <= 0.0
}

/// True if a point lies inside an outline, by counting crossings.
pub(crate) fn holds(outline: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let mut inside = false;
    let mut last = match outline.last() {
        Some(last) => *last,
        None => return false,
    };
    for &corner in outline {
        if (corner[1] > y) != (last[1] > y) {
            let share = (y - corner[1]) / (last[1] - corner[1]);
            inside ^= x < corner[0] + share * (last[0] - corner[0]);
        }
        last = corner;
    }
    inside
}

/// Returns twice the signed area of an outline.
pub(crate) fn doubled_area(outline: &[[f64; 2]]) -> f64 {
    let following = outline.iter().skip(1).chain(outline.first());
    outline.iter().zip(following).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum()
}
