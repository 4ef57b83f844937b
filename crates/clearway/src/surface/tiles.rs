//! Tiles: parts of floors laid side by side, of which corners nearly meet, each a little off.
//!
//! Welding takes for one place what is as close as rounding and tools make it. Tiles are laid farther off than that, by
//! millimetres, and still no wider apart than gaps that are bridged: but rims that end in four places instead of one fold
//! when they are drawn together, and a wall along a whole side would be left. So corners that are meant to be one become
//! one before anything else is made of them: a few ends of floors close together, twice as far from any other, of which none
//! lies over another: a rug in the corner of a room stays where it is.

use super::bins::{Bins, Extent};
use super::joints::{Joint, place_on};
use super::soup::{Corner, Face, Kind, Soup};
use crate::sorting::sort_by_number;
use clearway_geometry::predicates::orient;
use clearway_geometry::{DisjointSets, NONE, Point, Vec2};

/// Tiles lie no farther off than this, in grid units, however wide gaps are bridged: three centimetres.
const FARTHEST: f64 = 123.0;

/// More places than this are not meant to be one.
const MOST_PLACES: usize = 16;

/// Nor are those of more floors than this.
const MOST_SECTORS: usize = 256;

/// Where more ends or sides than this are near, nothing is off: all of it is small.
const MOST_NEAR: usize = 64;

/// Corners of floors that lie beside the side of another, as where tiles are laid in a bond: what [`Joint`] tells.
pub fn joints_beside(soup: &Soup, gap: f64) -> Vec<Joint> {
    let mut found = near_sides(soup, gap.min(FARTHEST));
    found.sort_unstable_by_key(|(_, joint)| joint.3);
    let is_found = |corner: u32| found.binary_search_by_key(&corner, |(_, joint)| joint.3).is_ok();
    let at = |corner: u32| soup.corners[corner as usize].at;
    let mut ways: Vec<(u32, Vec2)> = turns(soup)
        .filter(|corners| is_found(corners[0]))
        .map(|corners| (corners[0], middle(corners.map(at))))
        .collect();
    ways.sort_unstable_by_key(|(corner, _)| *corner);
    // Floors that lie on the same side of it lie over it.
    found.retain(|([from, to], (.., end))| {
        let along = at(*to).as_vec2() - at(*from).as_vec2();
        let first = ways.partition_point(|(corner, _)| corner < end);
        ways[first..].iter().take_while(|way| way.0 == *end).all(|way| along.cross(way.1) < 0.0)
    });
    found.into_iter().map(|(_, joint)| joint).collect()
}

/// Free sides of floors, and corners of floors within reach of them, far from their ends.
fn near_sides(soup: &Soup, reach: f64) -> Vec<([u32; 2], Joint)> {
    let corner = |number: u32| soup.corners[number as usize];
    let mut sides = free_sides(soup);
    let ends = free_ends(soup, &sides, reach);
    // Shorter ones have no place that is far enough from both ends.
    sides.retain(|[from, to]| corner(*from).at.distance(corner(*to).at) > 3.0 * reach);
    let bins = Bins::of(sides.iter().map(|side| Extent::of(&side.map(|end| corner(end).at))).collect());
    let (mut found, mut near) = (Vec::new(), Vec::new());
    for (end, _) in ends.into_iter().filter(|(_, is_small)| !is_small) {
        let at = corner(end).at;
        near.clear();
        let is_crowded = bins.any_touching(&Extent { min: at, max: at }.grown(reach as i32), |side| {
            near.push(side);
            near.len() > MOST_NEAR
        });
        near.sort_unstable();
        near.dedup();
        for side in near.iter().filter(|_| !is_crowded).map(|side| sides[*side as usize]) {
            let is_inside = side.iter().all(|other| corner(*other).at.distance(at) > 2.0 * reach);
            let [low, high] = [side[0].min(side[1]), side[0].max(side[1])];
            let ahead = place_on([low, high].map(corner), corner(end), reach as i32, reach as i32);
            found.extend(ahead.filter(|_| is_inside).map(|ahead| (side, (low, high, ahead, end))));
        }
    }
    found
}

/// The direction from the first of three corners in the middle between the others.
fn middle(corners: [Point; 3]) -> Vec2 {
    let [at, right, left] = corners.map(Point::as_vec2);
    (right - at).unit() + (left - at).unit()
}

/// The corners of floors, each time from another one on.
fn turns(soup: &Soup) -> impl Iterator<Item = [u32; 3]> {
    let floors = soup.faces.iter().filter(|face| face.kind == Kind::Walkable);
    floors.flat_map(|face| [0, 1, 2].map(|i| [0, 1, 2].map(|k| face.corners[(i + k) % 3])))
}

/// Where corners go so that tiles meet; `None` if none does. Corners that become one lie no farther apart than `gap` grid
/// units, in the plane and in height.
pub fn meeting_places(soup: &Soup, gap: f64) -> Option<Vec<Point>> {
    let gap = gap.min(FARTHEST);
    let places = Places::of(&soup.corners);
    let mut groups = groups(soup, &places, gap);
    part_neighbours(soup, &places, &mut groups);
    part_overlaps(soup, &places, &mut groups, gap);
    let mut goals: Vec<Point> = places.at.clone();
    for group in groups.iter().filter(|group| !group.is_empty()) {
        let goal = places.middle(group);
        group.iter().for_each(|place| goals[*place as usize] = goal);
    }
    stay_where_faces_turn(soup, &places, &groups, &mut goals);
    let is_moved = goals != places.at;
    is_moved.then(|| places.of_corner.iter().map(|place| goals[*place as usize]).collect())
}

/// The places in the plane where corners are.
struct Places {
    /// In order.
    at: Vec<Point>,
    /// The place of each corner.
    of_corner: Vec<u32>,
}

impl Places {
    /// Corners are sorted by place.
    fn of(corners: &[Corner]) -> Places {
        let mut places = Places { at: Vec::new(), of_corner: Vec::with_capacity(corners.len()) };
        for corner in corners {
            if places.at.last() != Some(&corner.at) {
                places.at.push(corner.at);
            }
            places.of_corner.push(places.at.len() as u32 - 1);
        }
        places
    }

    /// How far the farthest of a group lies from one of it, squared.
    fn farthest(&self, group: &[u32], from: u32) -> i64 {
        let distance = |to: &u32| self.at[from as usize].distance_squared(self.at[*to as usize]);
        group.iter().map(distance).max().unwrap_or(0)
    }

    /// The place of a group that is nearest to the farthest other.
    fn middle(&self, group: &[u32]) -> Point {
        let middle = group.iter().min_by_key(|place| (self.farthest(group, **place), **place));
        middle.map_or_else(Point::default, |place| self.at[*place as usize])
    }
}

/// The sides of floors beyond which no other floor goes on, each with its floor on the left.
fn free_sides(soup: &Soup) -> Vec<[u32; 2]> {
    let mut sides: Vec<(u32, u32, bool)> = turns(soup).map(|[p, q, _]| (p.min(q), p.max(q), p < q)).collect();
    sort_by_number(&mut sides, |side| side.0 as usize);
    // Floors may be listed twice.
    let is_free = |same: &&[(u32, u32, bool)]| same.iter().all(|side| side.2 == same[0].2);
    let free = sides.chunk_by(|p, q| (p.0, p.1) == (q.0, q.1)).filter(is_free);
    free.map(|same| if same[0].2 { [same[0].0, same[0].1] } else { [same[0].1, same[0].0] }).collect()
}

/// The corners at which free sides end, sorted, and whether one of these sides is short: what is small is not off.
fn free_ends(soup: &Soup, sides: &[[u32; 2]], gap: f64) -> Vec<(u32, bool)> {
    let is_short = |side: &[u32; 2]| {
        let [from, to] = side.map(|end| soup.corners[end as usize].at);
        from.distance(to) <= 2.0 * gap
    };
    let mut ends: Vec<(u32, bool)> =
        sides.iter().flat_map(|side| side.map(|end| (end, is_short(side)))).collect();
    sort_by_number(&mut ends, |end| end.0 as usize);
    // Of two ends of one corner the one of a short side tells, and comes last.
    ends.dedup_by(|next, kept| {
        kept.1 |= next.0 == kept.0 && next.1;
        next.0 == kept.0
    });
    ends
}

/// The sides of a face, each from its lower corner to its higher.
fn sides(face: &Face) -> [(u32, u32); 3] {
    let [a, b, c] = face.corners;
    [(a, b), (b, c), (c, a)].map(|(p, q)| (p.min(q), p.max(q)))
}

/// Groups of a few places with ends of floors. They are no wider than the gap, and twice as far from all other ends at about
/// their height.
fn groups(soup: &Soup, places: &Places, gap: f64) -> Vec<Vec<u32>> {
    let ends = free_ends(soup, &free_sides(soup), gap);
    let corner = |end: &(u32, bool)| soup.corners[end.0 as usize];
    let place_of = |end: &(u32, bool)| places.of_corner[end.0 as usize];
    let spot = |end: &(u32, bool)| Extent { min: corner(end).at, max: corner(end).at };
    let bins = Bins::of(ends.iter().map(spot).collect());
    let mut sets = DisjointSets::new(places.at.len());
    let mut crowded = Vec::new();
    for end in ends.iter().filter(|(_, is_small)| !is_small) {
        let here = corner(end);
        let mut seen = 0;
        let is_crowded = bins.any_touching(&spot(end).grown((2.0 * gap) as i32), |other| {
            let other = &ends[other as usize];
            let there = corner(other);
            let rise = (f64::from(there.height) - f64::from(here.height)).abs();
            let is_near = rise <= gap && here.at.distance(there.at) <= 2.0 * gap;
            if is_near {
                sets.join(place_of(end), place_of(other));
            }
            seen += 1;
            seen > MOST_NEAR || (is_near && other.1)
        });
        if is_crowded {
            crowded.push(place_of(end));
        }
    }
    let mut members: Vec<(u32, u32)> = Vec::with_capacity(ends.len());
    for end in &ends {
        let place = place_of(end);
        if members.last().is_none_or(|(_, last)| *last != place) {
            members.push((sets.root(place), place));
        }
    }
    members.sort_unstable();
    let mut crowded: Vec<u32> = crowded.into_iter().map(|place| sets.root(place)).collect();
    crowded.sort_unstable();
    let is_small = |group: &&[(u32, u32)]| {
        (2..=MOST_PLACES).contains(&group.len()) && crowded.binary_search(&group[0].0).is_err()
    };
    let groups = members.chunk_by(|p, q| p.0 == q.0).filter(is_small);
    let groups = groups.map(|group| group.iter().map(|(_, place)| *place).collect::<Vec<u32>>());
    let is_narrow = |place: u32, group: &[u32]| places.farthest(group, place) as f64 <= gap * gap;
    groups.filter(|group| group.iter().all(|place| is_narrow(*place, group))).collect()
}

/// For each place the number of its group, if it has one.
fn group_of(places: &Places, groups: &[Vec<u32>]) -> Vec<u32> {
    let mut group_of = vec![NONE; places.at.len()];
    for (number, group) in (0u32..).zip(groups) {
        group.iter().for_each(|place| group_of[*place as usize] = number);
    }
    group_of
}

/// Groups in which two places are ends of one side of a face fall apart: what is there is narrow, not off.
fn part_neighbours(soup: &Soup, places: &Places, groups: &mut [Vec<u32>]) {
    let group_of = group_of(places, groups);
    for (p, q) in soup.faces.iter().flat_map(sides) {
        let [p, q] = [p, q].map(|corner| places.of_corner[corner as usize]);
        let group = group_of[p as usize];
        if p != q && group != NONE && group == group_of[q as usize] {
            groups[group as usize].clear();
        }
    }
}

/// A floor as seen from one of its corners.
struct Sector {
    group: u32,
    place: u32,
    height: f64,
    /// It lies between these two directions, counter-clockwise.
    right: Vec2,
    left: Vec2,
}

impl Sector {
    /// The sector of a face at one of its corners.
    fn of(soup: &Soup, places: &Places, group_of: &[u32], corners: [u32; 3]) -> Option<Sector> {
        let place = places.of_corner[corners[0] as usize];
        let group = group_of[place as usize];
        let [at, right, left] = corners.map(|corner| soup.corners[corner as usize]);
        let [right, left] = [right, left].map(|end| (end.at.as_vec2() - at.at.as_vec2()).unit());
        let sector = Sector { group, place, height: f64::from(at.height), right, left };
        (group != NONE).then_some(sector)
    }

    /// Whether the middle of one lies inside the other.
    fn overlaps(&self, other: &Sector) -> bool {
        let holds =
            |sector: &Sector, way: Vec2| sector.right.cross(way) > 0.0 && way.cross(sector.left) > 0.0;
        holds(self, other.right + other.left) || holds(other, self.right + self.left)
    }
}

/// Groups fall apart in which floors at about one height lie over each other.
fn part_overlaps(soup: &Soup, places: &Places, groups: &mut [Vec<u32>], gap: f64) {
    let group_of = group_of(places, groups);
    let mut sectors: Vec<Sector> =
        turns(soup).filter_map(|corners| Sector::of(soup, places, &group_of, corners)).collect();
    sectors.sort_by_key(|sector| sector.group);
    let is_pile = |one: &Sector, other: &Sector| {
        one.place != other.place && (one.height - other.height).abs() <= gap && one.overlaps(other)
    };
    for sectors in sectors.chunk_by(|p, q| p.group == q.group) {
        let has_pile = || sectors.iter().any(|one| sectors.iter().any(|other| is_pile(one, other)));
        if sectors.len() > MOST_SECTORS || has_pile() {
            groups[sectors[0].group as usize].clear();
        }
    }
}

/// Leaves those groups where they are of which a floor would turn over, or lose half of its area.
fn stay_where_faces_turn(soup: &Soup, places: &Places, groups: &[Vec<u32>], goals: &mut [Point]) {
    let group_of = group_of(places, groups);
    let floors: Vec<[u32; 3]> = soup
        .faces
        .iter()
        .filter(|face| face.kind == Kind::Walkable)
        .map(|face| face.corners.map(|corner| places.of_corner[corner as usize]))
        .filter(|corners| corners.iter().any(|place| goals[*place as usize] != places.at[*place as usize]))
        .collect();
    let mut is_settled = false;
    while !is_settled {
        is_settled = true;
        for corners in &floors {
            let [before, after] = [&places.at, &*goals].map(|at| {
                let [a, b, c] = corners.map(|place| at[place as usize]);
                orient(a, b, c)
            });
            if 2 * after >= before {
                continue;
            }
            is_settled = false;
            for group in corners.map(|place| group_of[place as usize]).into_iter().filter(|g| *g != NONE) {
                groups[group as usize].iter().for_each(|p| goals[*p as usize] = places.at[*p as usize]);
            }
        }
    }
}
