//! Tiles: parts of a floor laid side by side, whose corners nearly meet, each a little off.
//!
//! Welding joins corners as close as rounding and tools leave them. Tiles are off by millimetres more, and still no
//! wider apart than gaps that are bridged. But rims that end in four points instead of one fold when they are drawn
//! together, and a wall along a whole side would be left. So corners that are meant to be one become one before
//! anything else is made of the floors.
//!
//! A group of corners is meant to be one under these conditions:
//!
//! - it is a few ends of floors within a gap of each other, and every other end is twice as far away;
//! - none of its floors lies over another, so that a rug in the corner of a room stays where it is;
//! - no wall stands in between.
//!
//! Invariant: only floors move, never across a wall, and no floor turns over. Of 100 tiled floors each with corners off
//! by 2, 4, 6 and 10 mm, 9, 52, 73 and 75 had such a wall before; now none has. Cost: 3 to 4 % of a build.

use crate::surface::faces::edge_table::{EdgeTable, Side};
use crate::surface::faces::soup::{Corner, Face, Kind, Soup};
use crate::surface::faces::t_joints::{Joint, place_on};
use crate::surface::grid_rules::Limits;
use crate::surface::tolerances::tiles::{BESIDE, FARTHEST, MOST_CORNERS, MOST_NEAR, MOST_SECTORS, MOST_SEEN};
use clearway_geometry::boxes::{Box2, BoxGrid};
use clearway_geometry::construct::along;
use clearway_geometry::predicates::orient;
use clearway_geometry::vec2::{beyond_triangle, segment_distance};
use clearway_geometry::{DisjointSets, NONE, Point, Vec2};

/// Matches the corners and sides of tiles.
#[derive(Clone, Copy, Debug)]
pub struct Laying {
    /// The distance by which tiles may be off, in the plane and in height, in grid units.
    gap: f64,
    /// The step and the height of a body: they decide what counts as a wall.
    limits: Limits,
}

impl Laying {
    /// Makes a matcher for tiles up to `gap` grid units apart, and no more than [`FARTHEST`].
    pub fn within(gap: f64, limits: Limits) -> Laying {
        Laying { gap: gap.min(FARTHEST), limits }
    }

    /// Finds the sides at which floors end, given the edges of all floors.
    pub fn open_sides(&self, soup: &Soup, edges: &EdgeTable) -> OpenSides {
        let sides = free_sides(soup, edges);
        let ends = free_ends(soup, &sides, self.gap);
        OpenSides { sides, ends }
    }

    /// Returns the new position of each corner as a corner of floors, so that tiles meet; `None` if no corner moves.
    pub fn meeting_places(&self, soup: &Soup, open: &OpenSides) -> Option<Vec<Point>> {
        let mut groups = self.groups(soup, &open.ends);
        if groups.is_empty() {
            return None;
        }
        // Groups that must not move are emptied, one condition after the other.
        part_neighbours(soup, &mut groups);
        self.part_overlaps(soup, &mut groups);
        self.part_at_walls(soup, &mut groups);
        let mut goals: Vec<Point> = soup.corners.iter().map(|corner| corner.at).collect();
        for group in groups.iter().filter(|group| !group.is_empty()) {
            let goal = middle_of(soup, group);
            group.iter().for_each(|corner| goals[*corner as usize] = goal);
        }
        stay_where_faces_turn(soup, &groups, &mut goals);
        let is_moved = soup.corners.iter().zip(&goals).any(|(corner, goal)| corner.at != *goal);
        is_moved.then_some(goals)
    }

    /// Finds groups of a few ends of floors. A group is no wider than the gap, and all other ends at about its height
    /// are at least twice as far away.
    fn groups(&self, soup: &Soup, ends: &[(u32, bool)]) -> Vec<Vec<u32>> {
        let (mut sets, crowded) = self.near_ends(soup, ends);
        let mut crowded: Vec<u32> = crowded.into_iter().map(|end| sets.root(end)).collect();
        crowded.sort_unstable();
        let mut members: Vec<(u32, u32)> = (0..ends.len() as u32).map(|end| (sets.root(end), end)).collect();
        members.sort_unstable();
        let is_small = |group: &&[(u32, u32)]| {
            (2..=MOST_CORNERS).contains(&group.len()) && crowded.binary_search(&group[0].0).is_err()
        };
        let groups = members.chunk_by(|p, q| p.0 == q.0).filter(is_small);
        let groups = groups.map(|group| group.iter().map(|end| ends[end.1 as usize].0).collect::<Vec<u32>>());
        let is_narrow = |group: &Vec<u32>| {
            group.iter().all(|corner| farthest(soup, group, *corner) as f64 <= self.gap * self.gap)
        };
        groups.filter(is_narrow).collect()
    }

    /// Joins ends within twice the gap of each other. Returns the sets, and the ends that have too many others near
    /// them or fine detail.
    ///
    /// Sets are too wide where other ends are near. They are dropped later, so that what is left is isolated.
    fn near_ends(&self, soup: &Soup, ends: &[(u32, bool)]) -> (DisjointSets, Vec<u32>) {
        let corner = |end: u32| soup.corners[ends[end as usize].0 as usize];
        let spot = |end: u32| Box2 { min: corner(end).at, max: corner(end).at };
        let count = ends.len() as u32;
        let bins = BoxGrid::of((0..count).map(spot).collect());
        let mut sets = DisjointSets::new(ends.len());
        let mut crowded = Vec::new();
        for end in (0..count).filter(|end| !ends[*end as usize].1) {
            let (mut seen, mut near) = (0, 0);
            let is_crowded = bins.any_touching(&spot(end).grown((2.0 * self.gap) as i32), |other| {
                let is_near = self.is_near(corner(end), corner(other));
                if is_near {
                    sets.join(end, other);
                    near += 1;
                }
                seen += 1;
                seen > MOST_SEEN || near > MOST_NEAR || (is_near && ends[other as usize].1)
            });
            crowded.extend(is_crowded.then_some(end));
        }
        (sets, crowded)
    }

    /// True if two corners are at about one height and within twice the gap.
    fn is_near(&self, one: Corner, other: Corner) -> bool {
        self.is_level(one, other) && one.at.distance(other.at) <= 2.0 * self.gap
    }

    /// True if the heights of two corners differ by at most the gap.
    fn is_level(&self, one: Corner, other: Corner) -> bool {
        (f64::from(one.height) - f64::from(other.height)).abs() <= self.gap
    }

    /// Empties groups in which floors at about one height lie over each other.
    fn part_overlaps(&self, soup: &Soup, groups: &mut [Vec<u32>]) {
        let group_of = group_of(soup, groups);
        let mut sectors: Vec<Sector> =
            turns(soup).filter_map(|corners| Sector::of(soup, &group_of, corners)).collect();
        sectors.sort_by_key(|sector| sector.group);
        let is_pile = |one: &Sector, other: &Sector| {
            one.corner.at != other.corner.at && self.is_level(one.corner, other.corner) && one.overlaps(other)
        };
        for sectors in sectors.chunk_by(|p, q| p.group == q.group) {
            let has_pile = || sectors.iter().any(|one| sectors.iter().any(|other| is_pile(one, other)));
            if sectors.len() > MOST_SECTORS || has_pile() {
                groups[sectors[0].group as usize].clear();
            }
        }
    }

    /// Empties groups in which a corner would pass through a wall.
    fn part_at_walls(&self, soup: &Soup, groups: &mut [Vec<u32>]) {
        let mut moves: Vec<(u32, Move)> = Vec::new();
        for (number, group) in (0u32..).zip(groups.iter()) {
            let goal = middle_of(soup, group);
            let of_corner = |corner: &u32| (number, Move { corner: soup.corners[*corner as usize], goal });
            moves.extend(group.iter().map(of_corner));
        }
        let is_walled = self.walled(soup, &moves.iter().map(|(_, way)| *way).collect::<Vec<_>>());
        for ((group, _), _) in moves.iter().zip(is_walled).filter(|(_, is_walled)| *is_walled) {
            groups[*group as usize].clear();
        }
    }

    /// For each move: does something stand in its way that is too high to step over?
    fn walled(&self, soup: &Soup, moves: &[Move]) -> Vec<bool> {
        let extent = |way: &Move| Box2::of(&[way.corner.at, way.goal]).grown(BESIDE.ceil() as i32);
        let bins = BoxGrid::of(moves.iter().map(extent).collect());
        let mut is_walled = vec![false; moves.len()];
        for face in soup.faces.iter().filter(|face| face.kind != Kind::Walkable && !moves.is_empty()) {
            let corners = face.corners.map(|corner| soup.corners[corner as usize]);
            // A face may be visited more than once, which is harmless here and cheaper than keeping track.
            bins.any_touching(&Box2::of(&corners.map(|corner| corner.at)), |number| {
                let (way, is_walled) = (&moves[number as usize], &mut is_walled[number as usize]);
                *is_walled = *is_walled || (self.is_in_the_way(corners, way.corner) && way.meets(corners));
                false
            });
        }
        is_walled
    }

    /// True if a face reaches into the heights between a step and a body above a corner.
    fn is_in_the_way(&self, face: [Corner; 3], corner: Corner) -> bool {
        let over = face.map(|other| f64::from(other.height) - f64::from(corner.height));
        over.iter().any(|over| *over > self.limits.step) && over.iter().any(|over| *over < self.limits.height)
    }

    /// Returns joints where a corner of a floor lies beside the side of another, as where tiles are laid in a bond.
    pub fn joints_beside(&self, soup: &Soup, open: &OpenSides) -> Vec<Joint> {
        let mut found = self.near_sides(soup, open);
        found.sort_unstable_by_key(|(_, joint)| joint.3);
        let is_found = |corner: u32| found.binary_search_by_key(&corner, |(_, joint)| joint.3).is_ok();
        let at = |corner: u32| soup.corners[corner as usize].at;
        let mut ways: Vec<(u32, Vec2)> = turns(soup)
            .filter(|corners| is_found(corners[0]))
            .map(|corners| (corners[0], middle(corners.map(at))))
            .collect();
        ways.sort_unstable_by_key(|(corner, _)| *corner);
        // A floor on the same side of the line as the side's own floor lies over that floor: it is no neighbour.
        found.retain(|([from, to], (.., end))| {
            let side = at(*to).as_vec2() - at(*from).as_vec2();
            let first = ways.partition_point(|(corner, _)| corner < end);
            ways[first..].iter().take_while(|way| way.0 == *end).all(|way| side.cross(way.1) < 0.0)
        });
        let to_side = |(_, (low, high, ahead, end)): &([u32; 2], Joint)| {
            let whole = at(*low).distance_squared(at(*high)) as f64;
            Move {
                corner: soup.corners[*end as usize],
                goal: along(at(*low), at(*high), *ahead as f64 / whole),
            }
        };
        let is_walled = self.walled(soup, &found.iter().map(to_side).collect::<Vec<_>>());
        let open = found.into_iter().zip(is_walled).filter(|(_, is_walled)| !is_walled);
        open.map(|((_, joint), _)| joint).collect()
    }

    /// Returns free sides of floors, each with a joint for a corner that lies beside it, far from both ends.
    fn near_sides(&self, soup: &Soup, open: &OpenSides) -> Vec<([u32; 2], Joint)> {
        let corner = |number: u32| soup.corners[number as usize];
        // On a shorter side no point is far enough from both ends.
        let is_long = |[from, to]: &&[u32; 2]| corner(*from).at.distance(corner(*to).at) > 3.0 * self.gap;
        let sides: Vec<[u32; 2]> = open.sides.iter().filter(is_long).copied().collect();
        let bins = BoxGrid::of(sides.iter().map(|side| Box2::of(&side.map(|end| corner(end).at))).collect());
        let (mut found, mut near, reach) = (Vec::new(), Vec::new(), self.gap as i32);
        for end in open.ends.iter().filter(|(_, is_small)| !is_small).map(|(end, _)| *end) {
            let at = corner(end).at;
            near.clear();
            let is_crowded = bins.any_touching(&Box2 { min: at, max: at }.grown(reach), |side| {
                near.push(side);
                near.len() > MOST_SEEN
            });
            near.sort_unstable();
            near.dedup();
            for side in near.iter().filter(|_| !is_crowded).map(|side| sides[*side as usize]) {
                let is_inside = side.iter().all(|other| corner(*other).at.distance(at) > 2.0 * self.gap);
                let [low, high] = [side[0].min(side[1]), side[0].max(side[1])];
                let ahead = place_on([low, high].map(corner), corner(end), reach, reach);
                found.extend(ahead.filter(|_| is_inside).map(|ahead| (side, (low, high, ahead, end))));
            }
        }
        found
    }
}

/// The sides and corners at which floors end.
#[derive(Debug)]
pub struct OpenSides {
    /// The sides beyond which no other floor goes on, each with its floor on the left.
    sides: Vec<[u32; 2]>,
    /// The corners at which these sides end, sorted, and whether one of the sides there is short.
    ends: Vec<(u32, bool)>,
}

/// The straight move of a corner.
#[derive(Clone, Copy, Debug)]
struct Move {
    /// The corner before the move.
    corner: Corner,
    /// The position after the move.
    goal: Point,
}

impl Move {
    /// True if the way passes within [`BESIDE`] of a face in projection, or starts inside it.
    fn meets(&self, face: [Corner; 3]) -> bool {
        let [from, to] = [self.corner.at, self.goal].map(Point::as_vec2);
        let [a, b, c] = face.map(|corner| corner.at.as_vec2());
        let is_near = |(p, q): (Vec2, Vec2)| segment_distance(from, to, p, q) <= BESIDE;
        [(a, b), (b, c), (c, a)].into_iter().any(is_near)
            || ((b - a).cross(c - a) > 0.0 && beyond_triangle([a, b, c], from) <= 0.0)
    }
}

/// A floor as seen from one of its corners.
struct Sector {
    /// The group of the corner.
    group: u32,
    /// The corner.
    corner: Corner,
    /// The direction of the side that bounds the floor clockwise, one unit long.
    right: Vec2,
    /// The direction of the side that bounds it counter-clockwise, one unit long.
    left: Vec2,
}

impl Sector {
    /// Makes the sector of a face at its first corner; `None` if that corner is in no group.
    fn of(soup: &Soup, group_of: &[u32], corners: [u32; 3]) -> Option<Sector> {
        let group = group_of[corners[0] as usize];
        if group == NONE {
            return None;
        }
        let [corner, right, left] = corners.map(|corner| soup.corners[corner as usize]);
        let [right, left] = [right, left].map(|end| (end.at.as_vec2() - corner.at.as_vec2()).unit());
        Some(Sector { group, corner, right, left })
    }

    /// True if the middle direction of one sector lies inside the other.
    fn overlaps(&self, other: &Sector) -> bool {
        let holds =
            |sector: &Sector, way: Vec2| sector.right.cross(way) > 0.0 && way.cross(sector.left) > 0.0;
        holds(self, other.right + other.left) || holds(other, self.right + self.left)
    }
}

/// Returns the direction from the first corner in the middle between the two others.
fn middle(corners: [Point; 3]) -> Vec2 {
    let [at, right, left] = corners.map(Point::as_vec2);
    (right - at).unit() + (left - at).unit()
}

/// Returns the three rotations of each walkable face's corners.
fn turns(soup: &Soup) -> impl Iterator<Item = [u32; 3]> {
    let floors = soup.faces.iter().filter(|face| face.kind == Kind::Walkable);
    floors.flat_map(|face| [0, 1, 2].map(|i| [0, 1, 2].map(|k| face.corners[(i + k) % 3])))
}

/// Returns the sides of floors beyond which no other floor goes on, each with its floor on the left.
pub(crate) fn free_sides(soup: &Soup, edges: &EdgeTable) -> Vec<[u32; 2]> {
    let floors = soup.count_up_to(Kind::Walkable) as u32;
    let free = |edge: &[Side]| {
        // Floors come first along an edge, as in the soup.
        let sides = &edge[..edge.partition_point(|side| side.triangle < floors)];
        let first = sides.first()?;
        // A floor that is listed twice has its sides twice in the same direction; they stay free.
        sides.iter().all(|side| side.is_ahead == first.is_ahead).then(|| first.ends())
    };
    edges.edges().filter_map(free).collect()
}

/// Returns the corners at which free sides end, sorted. Marks a corner if a free side there is at most twice the gap
/// long: fine detail that must not move.
fn free_ends(soup: &Soup, sides: &[[u32; 2]], gap: f64) -> Vec<(u32, bool)> {
    let is_short = |side: &[u32; 2]| {
        let [from, to] = side.map(|end| soup.corners[end as usize].at);
        from.distance(to) <= 2.0 * gap
    };
    // One short side is enough to mark a corner.
    let mut is_small: Vec<Option<bool>> = vec![None; soup.corners.len()];
    for side in sides {
        let is_short = is_short(side);
        for end in side.map(|end| end as usize) {
            is_small[end] = Some(is_short || is_small[end] == Some(true));
        }
    }
    (0..).zip(is_small).filter_map(|(corner, is_small)| Some((corner, is_small?))).collect()
}

/// Returns the squared distance from a corner to the farthest corner of its group.
fn farthest(soup: &Soup, group: &[u32], corner: u32) -> i64 {
    let at = |corner: u32| soup.corners[corner as usize].at;
    group.iter().map(|other| at(corner).distance_squared(at(*other))).max().unwrap_or(0)
}

/// Returns the position of the corner whose farthest partner is nearest. An existing corner is taken, so that at least
/// one stays in place.
fn middle_of(soup: &Soup, group: &[u32]) -> Point {
    let middle = group.iter().min_by_key(|corner| (farthest(soup, group, **corner), **corner));
    middle.map_or_else(Point::default, |corner| soup.corners[*corner as usize].at)
}

/// Returns the index of each corner's group, or [`NONE`].
fn group_of(soup: &Soup, groups: &[Vec<u32>]) -> Vec<u32> {
    let mut group_of = vec![NONE; soup.corners.len()];
    for (number, group) in (0u32..).zip(groups) {
        group.iter().for_each(|corner| group_of[*corner as usize] = number);
    }
    group_of
}

/// Empties groups with two corners at the ends of one side of a floor: that floor is narrow, not off. Empties groups at
/// bevels too, which would be torn off the floor.
fn part_neighbours(soup: &Soup, groups: &mut [Vec<u32>]) {
    let group_of = group_of(soup, groups);
    for Face { corners, kind, is_up, .. } in &soup.faces {
        let [a, b, c] = corners.map(|corner| group_of[corner as usize]);
        for (p, q) in [(a, b), (b, c), (c, a)].into_iter().filter(|(p, _)| *p != NONE) {
            if (*kind == Kind::Walkable && p == q) || (*kind == Kind::Blocking && *is_up) {
                groups[p as usize].clear();
            }
        }
    }
}

/// Cancels the move of every group that would turn a face over or halve its area.
///
/// Cancelling one move may turn another face, so that this repeats until no face turns.
fn stay_where_faces_turn(soup: &Soup, groups: &[Vec<u32>], goals: &mut [Point]) {
    let group_of = group_of(soup, groups);
    let is_moved = |face: &&Face| face.corners.iter().any(|corner| group_of[*corner as usize] != NONE);
    let mut floors: Vec<&Face> =
        soup.faces.iter().filter(|face| face.kind == Kind::Walkable).filter(is_moved).collect();
    loop {
        // All faces that turn are found before any move is cancelled: the result does not depend on their order.
        let turns = |face: &&Face| {
            let before = face.corners.map(|corner| soup.corners[corner as usize].at);
            let after = face.corners.map(|corner| goals[corner as usize]);
            let [before, after] = [before, after].map(|[a, b, c]| orient(a, b, c));
            2 * after < before
        };
        let (turning, others): (Vec<&Face>, Vec<&Face>) = floors.into_iter().partition(turns);
        if turning.is_empty() {
            return;
        }
        floors = others;
        let groups_of = |face: &Face| face.corners.map(|corner| group_of[corner as usize]);
        for group in turning.into_iter().flat_map(groups_of).filter(|group| *group != NONE) {
            for corner in &groups[group as usize] {
                goals[*corner as usize] = soup.corners[*corner as usize].at;
            }
        }
    }
}
