//! Settles a notch with one chord in place of two portals; the chord may end inside a wall or a portal.
//!
//! Two neighbouring portals may leave a notch with neither needed at its far end. Then the three cells beside them
//! form a polygon that is reflex only at the notch. Any chord inside the notch's cone (its area of interest in the
//! NEOGEN thesis) divides the polygon into two convex cells, one fewer than before. The chord ends in a corner if
//! there is one in the cone, else inside a wall, else inside a portal (a T-junction).
//!
//! Invariant: new points are rounded towards the notch, so walls only grow, by less than one unit. Every corner is
//! checked exactly. Cost: one pass around the polygon per candidate end.

use super::convexity::Convexity;
use super::facets::{Facets, is_sharp};
use super::stuck::{Move, Stuck};
use clearway_geometry::construct;
use clearway_geometry::predicates::{cross_properly, in_cone, is_convex_sector, on_segment, orient};
use clearway_geometry::{NONE, Point, Vector};

/// The factor by which the squared distance to a new point on a wall is increased. Corners up to a tenth farther away
/// are preferred, because they need no new vertex.
const WALL_WEIGHT: f64 = 1.2;

/// The greatest distance of a new point from its side, in grid units, with a margin for rounding of floats. A larger
/// value skips fewer sides; a smaller one may skip a side that has a nearer point.
const ROUNDED: f64 = 3.0;

/// Replaces pairs of portals by single chords until no pair allows it. Returns the number of cells that were saved.
pub fn settle_notches(facets: &mut Facets, rule: &Convexity) -> usize {
    let mut saved = 0;
    loop {
        let before = saved;
        for side in 0..facets.len() {
            saved += usize::from(settle_at(facets, side, rule, false));
        }
        if saved == before {
            return saved;
        }
    }
}

/// Moves the free end of a portal into the cone of the notch that it leaves together with another portal. That saves
/// no cell yet, but frees the other portal to turn.
pub fn aim_into_cones(facets: &mut Facets, rule: &Convexity) {
    for side in 0..facets.len() {
        settle_at(facets, side, rule, true);
    }
}

/// Shortens portals by moving free ends to the nearest corner, or to a wall point that is clearly nearer. Returns
/// true if any portal moved.
pub fn shorten(facets: &mut Facets, rule: &Convexity, stuck: &mut Stuck) -> bool {
    let mut moved = false;
    for side in 0..facets.len() {
        if stuck.has(side, Move::Shortest) {
            continue;
        }
        if !facets.is_loose(side) || !facets.is_needless_at_target(side, rule) {
            stuck.pin(side);
        } else if shorten_at(facets, side, rule) {
            stuck.forget_beside(facets, side);
            moved = true;
        } else {
            stuck.add(side, Move::Shortest);
        }
    }
    moved
}

/// Moves the end of one portal to the nearest end that is shorter. Returns false if there is none.
fn shorten_at(facets: &mut Facets, side: u32, rule: &Convexity) -> bool {
    let Some(pocket) = Pocket::beside(facets, side) else { return false };
    let length = facets.length_squared(side) as f64;
    let Some((weight, end)) = pocket.nearest_end(facets, rule, length) else { return false };
    debug_assert!(weight < length);
    facets.remove(side);
    let goal = match end {
        End::Corner(goal) => goal,
        End::Inside(cut, point) => facets.split(cut, point),
    };
    facets.revive(side, pocket.sides[0], goal);
    true
}

/// Removes points in which chords once ended and no longer do. `first` is the first vertex that the plan does not
/// have.
pub fn dissolve_unused(facets: &mut Facets, rule: &Convexity, first: u32) {
    for side in 0..facets.len() {
        while !facets.is_dead(side) && facets.target(side) >= first && facets.dissolve_target(side, rule) {}
    }
}

/// The polygon around one or two portals that leave one vertex, as if they were removed.
struct Pocket {
    /// The vertex that the portals leave.
    apex: Point,
    /// Its sides counter-clockwise, the first and the last at the apex.
    sides: Vec<u32>,
    /// The direction in which the whole notch begins, even if one of the portals stays.
    onward: Vector,
    /// The direction in which the whole notch ends.
    back: Vector,
}

/// The end of a chord.
#[derive(Clone, Copy, Debug)]
enum End {
    /// The vertex where this side of the pocket starts.
    Corner(u32),
    /// This point inside this side.
    Inside(u32, Point),
}

/// Tries the corner where `side` starts, between `side` and the side before it. With `alone`, a single one of the two
/// portals is replaced where not both can go. Returns true if that saved a cell.
fn settle_at(facets: &mut Facets, side: u32, rule: &Convexity, alone: bool) -> bool {
    if !facets.is_loose(side) || !facets.is_loose(facets.prev(side)) {
        return false;
    }
    let other = facets.twin(facets.prev(side));
    let gone: &[u32] = match [side, other].map(|portal| facets.is_needless_at_target(portal, rule)) {
        [true, true] => &[side, other],
        [true, false] if alone => &[side],
        [false, true] if alone => &[other],
        _ => return false,
    };
    let Some(pocket) = Pocket::around(facets, side, gone) else { return false };
    let Some(end) = pocket.best_end(facets, rule) else { return false };
    for portal in gone {
        facets.remove(*portal);
    }
    let goal = match end {
        End::Corner(goal) => goal,
        End::Inside(cut, point) => facets.split(cut, point),
    };
    facets.revive(gone[0], pocket.sides[0], goal);
    gone.len() == 2
}

impl Pocket {
    /// The pocket of the corner where `side` starts, without the portals `gone` that leave it. `None` if its cells
    /// are not all different.
    fn around(facets: &Facets, side: u32, gone: &[u32]) -> Option<Pocket> {
        let before = facets.prev(side);
        let (right, left) = (facets.twin(side), facets.twin(before));
        let mut sides = Vec::new();
        if gone.contains(&side) {
            sides.extend(facets.around(right).skip(1));
        } else {
            sides.push(side);
        }
        sides.extend(facets.around(side).skip(1));
        if gone.contains(&left) {
            sides.pop();
            sides.extend(facets.around(left).skip(1));
        }
        let apex = facets.point(facets.origin(side));
        let onward = facets.point(facets.target(facets.next(right))) - apex;
        let back = facets.point(facets.origin(facets.prev(left))) - apex;
        let overlaps =
            sides.iter().any(|at| gone.iter().any(|portal| *at == *portal || *at == facets.twin(*portal)));
        (sides.len() >= 4 && !overlaps).then_some(Pocket { apex, sides, onward, back })
    }

    /// The two cells beside a portal as one polygon, seen from where the portal starts. `None` if both are the same
    /// cell.
    fn beside(facets: &Facets, side: u32) -> Option<Pocket> {
        let right = facets.twin(side);
        let sides: Vec<u32> = facets.around(right).skip(1).chain(facets.around(side).skip(1)).collect();
        let apex = facets.point(facets.origin(side));
        let onward = facets.point(facets.target(*sides.first()?)) - apex;
        let back = facets.point(facets.origin(*sides.last()?)) - apex;
        let overlaps = sides.contains(&side) || sides.contains(&right);
        (sides.len() >= 4 && !overlaps).then_some(Pocket { apex, sides, onward, back })
    }

    /// The end with the shortest chord below `limit` (squared), with its weight.
    fn nearest_end(&self, facets: &Facets, rule: &Convexity, limit: f64) -> Option<(f64, End)> {
        if is_convex_sector(self.onward, self.back) {
            return None;
        }
        let corner = self.best_corner(facets, rule, limit);
        let limit = corner.as_ref().map_or(limit, |(weight, _)| *weight);
        let wall = self.best_inside(facets, |side| facets.is_wall(side), limit / WALL_WEIGHT);
        let wall = wall.map(|(weight, end)| (WALL_WEIGHT * weight, end));
        wall.filter(|(weight, _)| *weight < limit).or(corner)
    }

    /// The end of the shortest chord to a corner, else to a wall, else to a portal.
    fn best_end(&self, facets: &Facets, rule: &Convexity) -> Option<End> {
        if is_convex_sector(self.onward, self.back) {
            return None;
        }
        let any = f64::INFINITY;
        let best = self.best_corner(facets, rule, any).or_else(|| {
            let walls = self.best_inside(facets, |side| facets.is_wall(side), any);
            walls.or_else(|| self.best_inside(facets, |side| facets.twin(side) != NONE, any))
        });
        best.map(|(_, end)| end)
    }

    /// The nearest corner that divides the apex well, if it is nearer than `limit`, with its distance (both squared).
    fn best_corner(&self, facets: &Facets, rule: &Convexity, limit: f64) -> Option<(f64, End)> {
        let apex_vertex = facets.origin(self.sides[0]);
        let goal = |side: u32| facets.point(facets.origin(side));
        let mut best: Option<(i64, u32)> = None;
        for side in &self.sides[2..self.sides.len() - 1] {
            let chord = goal(*side) - self.apex;
            let rank = (chord.length_squared(), *side);
            // The rule may allow any corner here; the chord must lie inside the pocket all the same. The cheap tests
            // come first.
            if (rank.0 as f64) < limit
                && best.is_none_or(|best| rank < best)
                && self.opens_towards(facets, chord)
                && rule.allows(apex_vertex, self.onward, chord)
                && rule.allows(apex_vertex, chord, self.back)
                && self.is_blunt(goal(*side), goal(facets.prev(*side)), goal(facets.next(*side)))
                && self.sees(facets, goal(*side))
            {
                best = Some(rank);
            }
        }
        best.map(|(distance, side)| (distance as f64, End::Corner(side)))
    }

    /// The nearest point inside a side that divides the apex well, if it is nearer than `limit`, with its distance
    /// (both squared).
    fn best_inside(
        &self,
        facets: &Facets,
        is_wanted: impl Fn(u32) -> bool,
        limit: f64,
    ) -> Option<(f64, End)> {
        let mut best: Option<(i64, u32, Point)> = None;
        for side in self.sides[1..self.sides.len() - 1].iter().filter(|side| is_wanted(**side)) {
            let limit = best.map_or(limit, |(distance, ..)| limit.min(distance as f64));
            if self.is_beyond(facets, *side, limit) {
                continue;
            }
            if let Some(point) = self.point_inside(facets, *side) {
                let found = (point.distance_squared(self.apex), *side, point);
                let is_nearer = best.is_none_or(|best| (found.0, found.1) < (best.0, best.1));
                best = if is_nearer { Some(found) } else { best };
            }
        }
        best.map(|(distance, side, point)| (distance as f64, End::Inside(side, point)))
    }

    /// True if no point made on a side can be as near as `limit` (squared). Most sides need no closer look.
    fn is_beyond(&self, facets: &Facets, side: u32, limit: f64) -> bool {
        let [a, b] = [facets.origin(side), facets.target(side)].map(|vertex| facets.point(vertex).as_vec2());
        let off = self.apex.as_vec2().distance_to_segment(a, b) - ROUNDED;
        off > 0.0 && off * off > limit
    }

    /// A grid point on a side, or just before it, that lies inside the cone and leaves every corner convex. Five
    /// positions along the side are tried, the foot of the perpendicular first.
    fn point_inside(&self, facets: &Facets, side: u32) -> Option<Point> {
        let (a, b) = (facets.point(facets.origin(side)), facets.point(facets.target(side)));
        let (low, high) = self.window(a, b)?;
        let foot = foot_of_perpendicular(self.apex, a, b).clamp(low, high);
        let middle = 0.5 * (low + high);
        let tries = [foot, 0.5 * (foot + middle), middle, 0.5 * (low + middle), 0.5 * (middle + high)];
        tries.iter().flat_map(|t| construct::near(a, b, *t)).find(|point| {
            is_within_a_unit(a, b, *point)
                && self.divides_well(facets, side, *point)
                && self.is_clear(facets, [a, b, *point])
                && self.sees(facets, *point)
        })
    }

    /// The part of a segment inside the cone of the apex, as fractions of the segment. Rounded, so it must be checked
    /// exactly.
    fn window(&self, a: Point, b: Point) -> Option<(f64, f64)> {
        let (to_a, to_b) = (a - self.apex, b - self.apex);
        let (right, left) = (self.back.reversed(), self.onward.reversed());
        let hit = |ray: Vector| {
            let (from, to) = (ray.cross(to_a) as f64, ray.cross(to_b) as f64);
            from / (from - to)
        };
        let low = if in_cone(right, left, to_a) { 0.0 } else { hit(right) };
        let high = if in_cone(right, left, to_b) { 1.0 } else { hit(left) };
        (0.0 <= low && low < high && high <= 1.0).then_some((low, high))
    }

    /// True if a chord from the apex to `point`, at which `side` is split, leaves every corner convex.
    fn divides_well(&self, facets: &Facets, side: u32, point: Point) -> bool {
        let (a, b) = (facets.point(facets.origin(side)), facets.point(facets.target(side)));
        let chord = point - self.apex;
        let in_range = in_cone(self.back.reversed(), self.onward.reversed(), chord)
            && self.opens_towards(facets, chord)
            && orient(a, b, point) >= 0
            && orient(self.apex, a, point) > 0
            && orient(self.apex, point, b) > 0
            && is_convex_sector(self.apex - point, a - point)
            && is_convex_sector(b - point, self.apex - point)
            && self.is_blunt(point, a, b);
        in_range && (facets.twin(side) == NONE || far_side_stays_convex(facets, facets.twin(side), point))
    }

    /// True if a direction from the apex points into the pocket, strictly between its first and its last side.
    fn opens_towards(&self, facets: &Facets, direction: Vector) -> bool {
        let (Some(first), Some(last)) = (self.sides.first(), self.sides.last()) else { return false };
        let onward = facets.point(facets.target(*first)) - self.apex;
        let back = facets.point(facets.origin(*last)) - self.apex;
        if is_convex_sector(onward, back) {
            onward.cross(direction) > 0 && direction.cross(back) > 0
        } else {
            !in_cone(back, onward, direction)
        }
    }

    /// True if a chord to `goal` makes no corner under one degree. `before` and `after` are the neighbours of `goal`
    /// along the border.
    fn is_blunt(&self, goal: Point, before: Point, after: Point) -> bool {
        let chord = goal - self.apex;
        let back = chord.reversed();
        let sharp = is_sharp(chord, self.onward)
            || is_sharp(chord, self.back)
            || is_sharp(back, before - goal)
            || is_sharp(back, after - goal);
        !sharp
    }

    /// True if no side of the pocket lies between its side a–b and the point in front of it to which that side will
    /// bend.
    fn is_clear(&self, facets: &Facets, [a, b, point]: [Point; 3]) -> bool {
        self.sides.iter().all(|side| {
            let (p, q) = (facets.point(facets.origin(*side)), facets.point(facets.target(*side)));
            let inside = orient(a, b, p) >= 0 && orient(b, point, p) >= 0 && orient(point, a, p) >= 0;
            let crosses = cross_properly(a, point, p, q) || cross_properly(point, b, p, q);
            (!inside || p == a || p == b) && !crosses
        })
    }

    /// True if no side of the pocket lies between the apex and `goal`.
    fn sees(&self, facets: &Facets, goal: Point) -> bool {
        let inner = &self.sides[1..self.sides.len() - 1];
        inner.iter().all(|side| {
            let (a, b) = (facets.point(facets.origin(*side)), facets.point(facets.target(*side)));
            let blocks = |p: Point| p != goal && on_segment(self.apex, goal, p);
            let crosses = cross_properly(self.apex, goal, a, b);
            !blocks(a) && !blocks(b) && !crosses
        })
    }
}

/// True if the cell beyond a portal stays convex when the portal bends through `point`.
fn far_side_stays_convex(facets: &Facets, far: u32, point: Point) -> bool {
    let (a, b) = (facets.point(facets.origin(far)), facets.point(facets.target(far)));
    let before = facets.point(facets.origin(facets.prev(far)));
    let after = facets.point(facets.target(facets.next(far)));
    is_convex_sector(point - a, before - a)
        && is_convex_sector(after - b, point - b)
        && is_convex_sector(b - point, a - point)
}

/// True if a point is less than one unit away from the line a–b.
fn is_within_a_unit(a: Point, b: Point, point: Point) -> bool {
    let off = i128::from(orient(a, b, point));
    off * off < i128::from((b - a).length_squared())
}

/// The point where the perpendicular from `p` meets the line a–b, as a fraction of a–b.
fn foot_of_perpendicular(p: Point, a: Point, b: Point) -> f64 {
    let along = b - a;
    along.dot(p - a) as f64 / along.length_squared() as f64
}
