//! Estimates how high rooms are. Indoors a wrong unit shows in that height, where the size of the scene shows
//! nothing.
//!
//! Over the middles of the largest floors the next face above is looked up. If most of their area has one, and it is
//! much farther away than a body is high, or much nearer, the unit is likely another. A second check finds places
//! that are just too low to stand, such as doorways.
//!
//! Cost: one pass over the areas of walkable faces, and up to a few thousand look-ups of points.

use crate::surface::faces::soup::{FaceBins, Soup};
use crate::surface::report::axes_units::metres;
use crate::surface::report::summary::SurfaceFinding;
use crate::surface::rules::WalkRules;
use crate::surface::tolerances::ceilings::{
    BELOW_CEILINGS, BEYOND_FLOORS, DOOR_SPREAD, DOORS, FEWEST_OPENINGS, HIGH, LEAST_AREA, LEAST_ROOM, LOW,
    LOW_SHARE, MOST_OPENINGS, MOST_ROOM, MOST_SPREAD, MOST_UNDERSIDES, NEARLY, ON_FLOOR, SAMPLES, TURNED,
    USUAL, USUAL_DOOR,
};
use clearway_geometry::boxes::Box2;
use clearway_geometry::predicates::orient;
use clearway_geometry::vec2::beyond_triangle;
use clearway_geometry::{Point, Vec2};
use clearway_nav::query::in_world;

/// Units in which scenes are drawn that look too large in metres: their length in metres, and their name. Game units
/// are the 32nd or 64th part of a metre.
const SMALL_UNITS: [(f64, &str); 5] = [
    (0.001, "a millimetre"),
    (0.01, "a centimetre"),
    (1.0 / 64.0, "1/64 of a metre"),
    (0.0254, "an inch"),
    (1.0 / 32.0, "1/32 of a metre"),
];

/// Factors by which a scene that looks too small in metres may be off.
const LARGE_UNITS: [f64; 4] = [3.28, 39.4, 100.0, 1000.0];

/// Warns if most rooms are much higher or lower than rooms are. If rooms are low, but plausible with all faces turned
/// over, it warns about the winding instead.
pub(crate) fn odd_unit(soup: &Soup, faces: &FaceBins, rules: &WalkRules) -> Option<SurfaceFinding> {
    too_high(soup, faces, rules).or_else(|| too_flat(soup, faces, rules))
}

/// Warns if rooms are so high that the unit must be smaller than a metre. It is silent if no known unit makes rooms of
/// them, and where doors speak for the metre however high a hall is.
fn too_high(soup: &Soup, faces: &FaceBins, rules: &WalkRules) -> Option<SurfaceFinding> {
    // In a scene no higher than a hall nothing can be too high, and the samples are saved.
    let heights = (0..soup.faces.len() as u32).map(|face| soup.heights(face));
    let (low, high) =
        heights.fold((i32::MAX, i32::MIN), |(low, high), face| (low.min(face.0), high.max(face.1)));
    if (f64::from(high) - f64::from(low)) * soup.grid.unit() <= HIGH * rules.height {
        return None;
    }
    let mut openings = openings(soup, faces);
    let height = if openings.len() >= FEWEST_OPENINGS {
        middle_height(&openings)
    } else {
        let height = ceiling_height(soup, faces)?;
        // Rooms drawn from inside have no lintels; corridors as low as doors stand for them.
        let low = height_of_share(soup, faces, false, LOW_SHARE);
        let low = low.filter(|low| *low < BELOW_CEILINGS * height);
        openings.extend(low.map(|height| Opening { height, area: 1.0 }));
        openings.sort_by(|p, q| p.height.total_cmp(&q.height));
        height
    };
    if height <= HIGH * rules.height {
        return None;
    }
    // Ceilings outnumber doors, and in another unit they may be as high as doors: only what is lower counts, if anything is.
    let lower = &openings[..openings.partition_point(|opening| opening.height < BELOW_CEILINGS * height)];
    let passages = if lower.is_empty() { &openings[..] } else { lower };
    // The sum of how much each passage looks like a door: 1 at the usual height, 0 from a factor of 1.25 on.
    let doors = |unit: f64| -> f64 {
        let off = |height: f64| (height * unit / (USUAL_DOOR * rules.height)).ln().abs() / DOOR_SPREAD;
        passages.iter().map(|opening| (1.0 - off(opening.height)).max(0.0)).sum()
    };
    // Of several units that make rooms the one counts that makes the best doors, then the one of the most usual rooms.
    let rooms = LEAST_ROOM * rules.height..=MOST_ROOM * rules.height;
    let off = |unit: f64| (height * unit / (USUAL * rules.height)).ln().abs();
    let known = SMALL_UNITS.into_iter().filter(|(unit, _)| rooms.contains(&(height * unit)));
    let better = |one: &(f64, &str), other: &(f64, &str)| {
        doors(one.0).total_cmp(&doors(other.0)).then(off(other.0).total_cmp(&off(one.0)))
    };
    let (needed, name) = known.max_by(better)?;
    let likeness = doors(needed);
    if likeness < doors(1.0) {
        return None;
    }
    let example = openings.iter().find(|opening| DOORS.contains(&(opening.height * needed / rules.height)));
    let evidence = match example {
        Some(door) if likeness > 0.0 => format!("doors would be {} m high", metres(door.height)),
        _ => format!("rooms would be {} m high", metres(height)),
    };
    let detail = format!("{evidence}: perhaps the unit is {name}");
    Some(SurfaceFinding { needed: Some(needed), ..SurfaceFinding::new("unit", 1, None, detail) })
}

/// An underside over a floor.
struct Opening {
    /// Its height over the floor, in metres.
    height: f64,
    /// Its area, in square grid units.
    area: f64,
}

/// Returns the height of openings below which half of their area lies, in metres. They are sorted by height.
fn middle_height(openings: &[Opening]) -> f64 {
    let half = 0.5 * openings.iter().map(|opening| opening.area).sum::<f64>();
    let mut sum = 0.0;
    let middle = openings.iter().find(|opening| {
        sum += opening.area;
        sum >= half
    });
    middle.map_or(0.0, |opening| opening.height)
}

/// Warns if most rooms are too low for anybody: the winding may be wrong, or the unit larger than a metre.
fn too_flat(soup: &Soup, faces: &FaceBins, rules: &WalkRules) -> Option<SurfaceFinding> {
    let is_low = |height: f64| height < LOW * rules.height;
    let height = usual_height(soup, faces, false).filter(|height| is_low(*height))?;
    // Inside out, ceilings count as floors, and the next face above is only the thickness of a slab away.
    let turned =
        usual_height(soup, faces, true).filter(|other| !is_low(*other) && *other <= HIGH * rules.height);
    if let Some(other) = turned {
        let detail = format!(
            "rooms are mostly {} m high, and would be {} m if faces were wound the other way",
            metres(height),
            metres(other)
        );
        return Some(SurfaceFinding::new("winding", 1, None, detail));
    }
    let [up, down] = [area_of(soup, 0..soup.walkable()), area_of(soup, undersides(soup))];
    if down > TURNED * up {
        let square = soup.grid.unit() * soup.grid.unit();
        let detail = format!(
            "{} m\u{b2} face down and only {} m\u{b2} face up: faces may be wound the other way",
            metres(0.5 * down * square),
            metres(0.5 * up * square)
        );
        return Some(SurfaceFinding::new("winding", 1, None, detail));
    }
    // Units differ by factors, so the nearest one is found on a logarithmic scale.
    let off = |factor: &f64| (height * factor / (USUAL * rules.height)).ln().abs();
    let needed = LARGE_UNITS.into_iter().min_by(|p, q| off(p).total_cmp(&off(q)));
    let detail = format!("rooms would be {} m high: perhaps the unit is not the metre", metres(height));
    Some(SurfaceFinding { needed, ..SurfaceFinding::new("unit", 1, None, detail) })
}

/// Returns undersides over floors, the lowest first. Only undersides count that have something above them, as lintels
/// and the ceilings of houses have. A sky has nothing above it.
fn openings(soup: &Soup, faces: &FaceBins) -> Vec<Opening> {
    let undersides = undersides(soup);
    let every = undersides.len() / MOST_OPENINGS + 1;
    let opening = |face: u32| {
        let at = middle(soup, face);
        let own = soup.height_at(face, at);
        let room = height_over_floor(soup, faces, at, own);
        let [a, b, c] = soup.corners(face).map(|corner| corner.at);
        (room.is_finite() && room > ON_FLOOR && is_covered(soup, faces, at, own))
            .then(|| Opening { height: room * soup.grid.unit(), area: orient(a, b, c) as f64 })
    };
    let mut openings: Vec<Opening> = undersides.into_iter().step_by(every).filter_map(opening).collect();
    openings.sort_by(|p, q| p.height.total_cmp(&q.height));
    openings
}

/// True if a face that looks up lies above a point at a height, in grid units.
fn is_covered(soup: &Soup, faces: &FaceBins, at: Vec2, height: f64) -> bool {
    let spot = Point::new(at.x.round() as i32, at.y.round() as i32);
    let mut is_covered = false;
    faces.each_touching(&Box2 { min: spot, max: spot }, |face| {
        is_covered |= soup.faces[face as usize].is_up
            && !soup.is_upright(face)
            && soup.height_at(face, at) > height
            && beyond_triangle(soup.corners(face).map(|corner| corner.at.as_vec2()), at) <= 0.0;
    });
    is_covered
}

/// Returns the usual height of rooms drawn from inside, in metres; `None` under a sky. The sky over a town reaches beyond
/// its ground, or comes down to it.
fn ceiling_height(soup: &Soup, faces: &FaceBins) -> Option<f64> {
    let around = |faces: &mut dyn Iterator<Item = u32>| {
        faces.map(|face| soup.extent(face)).reduce(|one, other| one.joined(&other))
    };
    let floors = around(&mut (0..soup.walkable()))?;
    let ceilings = around(&mut undersides(soup).into_iter())?;
    let length = |extent: Box2| extent.min.distance(extent.max);
    if length(ceilings) > BEYOND_FLOORS * length(floors) {
        return None;
    }
    let [low, height, high] = [0.1, 0.5, 0.9].map(|share| height_of_share(soup, faces, false, share));
    (high? < MOST_SPREAD * low?).then_some(height?)
}

/// Returns the middle of a face, in grid units.
fn middle(soup: &Soup, face: u32) -> Vec2 {
    let [a, b, c] = soup.corners(face).map(|corner| corner.at.as_vec2());
    (a + b + c) * (1.0 / 3.0)
}

/// Warns about places that are just too low to stand, such as doorways.
pub(crate) fn too_low(soup: &Soup, faces: &FaceBins, rules: &WalkRules) -> Option<SurfaceFinding> {
    let undersides = undersides(soup);
    let every = undersides.len() / MOST_UNDERSIDES + 1;
    let unit = soup.grid.unit();
    let (mut count, mut area, mut lowest, mut first) = (0, 0.0, rules.height, None);
    for face in undersides.into_iter().step_by(every) {
        let [a, b, c] = soup.corners(face).map(|corner| corner.at);
        let at = middle(soup, face);
        let height = soup.height_at(face, at);
        let room = height_over_floor(soup, faces, at, height) * unit;
        if room >= NEARLY * rules.height && room < rules.height - unit {
            first = first.or(Some(in_world(soup.grid.place(at), height * unit - room)));
            (count, area, lowest) =
                (count + 1, area + 0.5 * orient(a, b, c) as f64 * unit * unit, room.min(lowest));
        }
    }
    // The advice is rounded down to a centimetre; limits are rounded to whole units in favour of the walker.
    let needed =
        Some((100.0 * (lowest + unit)).floor() / 100.0).filter(|needed| *needed > 2.0 * rules.max_step)?;
    let detail = format!("faces look down on floors from just less than the head-room of {} m", rules.height);
    let found = SurfaceFinding::new("low", count, first, detail);
    (area >= LEAST_AREA).then_some(SurfaceFinding { needed: Some(needed), ..found })
}

/// The height of a point over the next floor below it, in grid units; infinite if there is none.
fn height_over_floor(soup: &Soup, faces: &FaceBins, at: Vec2, height: f64) -> f64 {
    let spot = Point::new(at.x.round() as i32, at.y.round() as i32);
    let mut least = f64::INFINITY;
    faces.floors.each_touching(&Box2 { min: spot, max: spot }, |floor| {
        let corners = soup.corners(floor).map(|corner| corner.at.as_vec2());
        let above = height - soup.height_at(floor, at);
        if above > 0.0 && above < least && beyond_triangle(corners, at) <= 0.0 {
            least = above;
        }
    });
    least
}

/// The median height of the space over the largest floors, weighted by area, in metres. `None` out of doors, where
/// half of the area has nothing above. With `is_turned`, the faces that look down count as floors.
fn usual_height(soup: &Soup, faces: &FaceBins, is_turned: bool) -> Option<f64> {
    height_of_share(soup, faces, is_turned, 0.5)
}

/// As [`usual_height`]; `share` of the area has less height.
fn height_of_share(soup: &Soup, faces: &FaceBins, is_turned: bool, share: f64) -> Option<f64> {
    let area = |face: u32| {
        let [a, b, c] = soup.corners(face).map(|corner| corner.at);
        orient(a, b, c)
    };
    let floors = if is_turned { undersides(soup) } else { (0..soup.walkable()).collect() };
    let mut floors: Vec<(i64, u32)> = floors.into_iter().map(|face| (-area(face), face)).collect();
    // Areas are negative here, so the selection keeps the largest floors. Only which ones matters, not their order.
    if floors.len() > SAMPLES {
        floors.select_nth_unstable(SAMPLES);
        floors.truncate(SAMPLES);
    }
    let room = |(area, face): &(i64, u32)| Some((head_room(soup, faces, *face, is_turned)?, -area as f64));
    let mut rooms: Vec<(f64, f64)> = floors.iter().filter_map(room).collect();
    rooms.sort_by(|p, q| p.0.total_cmp(&q.0));
    let enough = share * rooms.iter().map(|room| room.1).sum::<f64>();
    let mut sum = 0.0;
    let room = rooms.iter().find(|(_, area)| {
        sum += area;
        sum >= enough
    });
    room.map(|room| room.0 * soup.grid.unit()).filter(|height| height.is_finite())
}

/// Twice the area of faces seen from above, in square grid units.
fn area_of(soup: &Soup, faces: impl IntoIterator<Item = u32>) -> f64 {
    let area = |face: u32| {
        let [a, b, c] = soup.corners(face).map(|corner| corner.at);
        orient(a, b, c).abs() as f64
    };
    faces.into_iter().map(area).sum()
}

/// The faces that look down, upright ones excluded.
fn undersides(soup: &Soup) -> Vec<u32> {
    let looks_down = |face: &u32| !soup.is_upright(*face) && !soup.faces[*face as usize].is_up;
    (soup.walkable()..soup.faces.len() as u32).filter(looks_down).collect()
}

/// The distance from the middle of a face to the next face above, in grid units; infinite if there is none. `None` if
/// the floor is buried: the next face above looks up, as the top of a slab that is sunk into the ground.
fn head_room(soup: &Soup, faces: &FaceBins, floor: u32, is_turned: bool) -> Option<f64> {
    let at = middle(soup, floor);
    let own = soup.height_at(floor, at);
    let spot = Point::new(at.x.round() as i32, at.y.round() as i32);
    let (mut tops, mut undersides) = (f64::INFINITY, f64::INFINITY);
    faces.each_touching(&Box2 { min: spot, max: spot }, |face| {
        let corners = || soup.corners(face).map(|corner| corner.at.as_vec2());
        // A face that lies on the floor, such as the same floor drawn twice, is no ceiling.
        if !soup.is_upright(face) && beyond_triangle(corners(), at) <= 0.0 {
            let above = soup.height_at(face, at) - own;
            let is_up = soup.faces[face as usize].is_up != is_turned;
            let least = if is_up { &mut tops } else { &mut undersides };
            *least = if above > ON_FLOOR { least.min(above) } else { *least };
        }
    });
    (undersides <= tops + ON_FLOOR).then_some(undersides)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::WalkableSurface;
    use clearway_world::scene::Scene;

    /// A floor and, where there is one, a ceiling over it, in units of `scale`.
    fn units(scale: f64, has_ceiling: bool) -> Vec<(&'static str, Option<f64>)> {
        let square = |y: f64| [[0.0, y, 0.0], [0.0, y, 80.0], [80.0, y, 80.0], [80.0, y, 0.0]];
        let corners =
            [square(0.0), square(2.7)].concat().into_iter().map(|at: [f64; 3]| at.map(|c| c * scale));
        let triangles = [[0, 1, 2], [0, 2, 3], [4, 6, 5], [4, 7, 6]];
        let count = if has_ceiling { 4 } else { 2 };
        let triangles = triangles[..count].to_vec();
        let scene = Scene::from_triangles(corners.collect(), triangles, vec![0; count], [("", "")]).unwrap();
        let surface = WalkableSurface::extract(&scene, &WalkRules::default()).unwrap();
        surface.report().warnings.iter().map(|warning| (warning.kind, warning.needed)).collect()
    }

    /// The kinds of warnings of boxes, from one corner to the opposite one; wound the other way if `is_turned`.
    fn warned(boxes: &[[[f64; 3]; 2]], is_turned: bool) -> Vec<(&'static str, Option<f64>)> {
        let corner = |[low, high]: &[[f64; 3]; 2], i: usize| {
            [0, 1, 2].map(|axis| if i >> axis & 1 == 0 { low[axis] } else { high[axis] })
        };
        let corners = boxes.iter().flat_map(|one| (0..8).map(|i| corner(one, i))).collect();
        let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let mut triangles = Vec::new();
        for first in (0..boxes.len() as u32).map(|number| 8 * number) {
            let halves = quads.iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
            triangles.extend(halves.map(|half| half.map(|corner| first + corner)));
        }
        triangles.iter_mut().filter(|_| is_turned).for_each(|triangle| triangle.swap(1, 2));
        let part_of = vec![0; triangles.len()];
        let scene = Scene::from_triangles(corners, triangles, part_of, [("", "")]).unwrap();
        let surface = WalkableSurface::extract(&scene, &WalkRules::default()).unwrap();
        surface.report().warnings.iter().map(|warning| (warning.kind, warning.needed)).collect()
    }

    /// A slab sunk into the ground buries it and is no ceiling; a house that is turned inside out is told; so are doors that
    /// are a little too low.
    #[test]
    fn houses_are_judged_by_their_rooms() {
        let ground = [[-20.0, -1.0, -20.0], [20.0, -0.15, 20.0]];
        let slab = [[-19.0, -0.3, -19.0], [19.0, 0.0, 19.0]];
        let roof = |height: f64| [[-19.0, height, -19.0], [19.0, height + 0.3, 19.0]];
        assert_eq!(warned(&[ground, slab, roof(2.7)], false), []);
        assert_eq!(warned(&[slab, roof(2.7)], true), [("winding", None)]);
        let giant = [slab, roof(2.7)].map(|one| one.map(|corner| corner.map(|c| 100.0 * c)));
        assert_eq!(warned(&giant, true), [], "slabs of 30 m thickness are rooms in no unit: nothing is told");
        assert_eq!(warned(&[slab, roof(1.95)], false), [("low", Some(1.95))]);
        assert_eq!(warned(&[slab, roof(1.7)], false), []);
    }

    /// Blocks on open ground, wound the other way: the ground has no underside, and most of it lies under the open sky.
    #[test]
    fn streets_turned_inside_out_are_told() {
        let mut corners = vec![[0.0, 0.0, 0.0], [0.0, 0.0, 90.0], [90.0, 0.0, 90.0], [90.0, 0.0, 0.0]];
        let mut triangles = vec![[0, 2, 1], [0, 3, 2]];
        for x in (0..8).map(|block| 10.0 * f64::from(block)) {
            let first = corners.len() as u32;
            for y in [0.0, 0.3] {
                corners.extend([[x, y, 5.0], [x, y, 11.0], [x + 6.0, y, 11.0], [x + 6.0, y, 5.0]]);
            }
            let block = [[0, 1, 2], [0, 2, 3], [4, 6, 5], [4, 7, 6]];
            triangles.extend(block.map(|half| half.map(|corner: u32| first + corner)));
        }
        let part_of = vec![0; triangles.len()];
        let scene = Scene::from_triangles(corners, triangles, part_of, [("", "")]).unwrap();
        let surface = WalkableSurface::extract(&scene, &WalkRules::default()).unwrap();
        let told: Vec<_> = surface.report().warnings.iter().map(|told| told.kind).collect();
        assert_eq!(told, ["winding"]);
    }

    /// Rooms drawn from inside, as game levels are: a corridor as low as a door tells which of several units it is.
    #[test]
    fn corridors_of_rooms_without_lintels_tell_the_unit() {
        for scale in [32.0, 64.0] {
            let mut corners: Vec<[f64; 3]> = Vec::new();
            for (x, [wide, high]) in [(0.0, [20.0, 4.0]), (20.0, [2.0, 2.25]), (22.0, [12.0, 6.0])] {
                for y in [0.0, high] {
                    let square = [[x, y, 0.0], [x, y, 10.0], [x + wide, y, 10.0], [x + wide, y, 0.0]];
                    corners.extend(square.map(|corner: [f64; 3]| corner.map(|c| c * scale)));
                }
            }
            let room = |first: u32| {
                [[0, 1, 2], [0, 2, 3], [4, 6, 5], [4, 7, 6]].map(|half| half.map(|corner| first + corner))
            };
            let triangles: Vec<[u32; 3]> = [0, 8, 16].into_iter().flat_map(room).collect();
            let scene = Scene::from_triangles(corners, triangles, vec![0; 12], [("", "")]).unwrap();
            let surface = WalkableSurface::extract(&scene, &WalkRules::default()).unwrap();
            let told: Vec<_> =
                surface.report().warnings.iter().map(|told| (told.kind, told.needed)).collect();
            assert_eq!(told, [("unit", Some(1.0 / scale))]);
        }
    }

    #[test]
    fn rooms_of_giants_and_dwarfs_are_told() {
        assert_eq!(units(1.0, true), []);
        assert_eq!(units(100.0, true), [("unit", Some(0.01))]);
        assert_eq!(units(1.0 / 0.0254, true), [("unit", Some(0.0254))]);
        assert_eq!(units(0.1, true), [("unit", Some(3.28))], "a tenth is no unit; feet come nearest");
        assert_eq!(units(100.0, false), [], "out of doors nothing is known");
    }
}
