//! Cuts openings for doors into walls.
//!
//! A door that is a point opens the walls that pass near it, by its width. A door that is an area opens the walls inside
//! it. Cost: walls times doors that are near, found by boxes.

use super::nested::contains;

/// The width of a door that does not tell it, in metres: a common door of a room.
const USUAL_WIDTH: f64 = 0.9;

/// The distance in metres within which a wall belongs to a door: half the thickness of a wall.
const REACH: f64 = 0.3;

/// A place at which walls are open.
pub(super) enum Opening {
    /// A point with a width, if that is known.
    At([f64; 2], Option<f64>),
    /// An area.
    Area(Vec<[f64; 2]>),
}

/// Takes the openings out of the walls. Doors that lie on no wall are noted.
pub(super) fn cut_openings(
    walls: Vec<Vec<[f64; 2]>>,
    openings: &[Opening],
    notes: &mut Vec<String>,
) -> Vec<Vec<[f64; 2]>> {
    let mut is_used = vec![false; openings.len()];
    let boxes: Vec<[f64; 4]> = openings.iter().map(reach_of).collect();
    let mut left = Vec::new();
    for wall in walls {
        let mut piece: Vec<[f64; 2]> = Vec::new();
        for pair in wall.windows(2) {
            let [a, b] = [pair[0], pair[1]];
            for [from, to] in open_parts(a, b, openings, &boxes, &mut is_used) {
                let [start, end] = [from, to].map(|t| [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]);
                if piece.last() != Some(&start) {
                    keep(&mut left, std::mem::replace(&mut piece, vec![start]));
                }
                piece.push(end);
            }
        }
        keep(&mut left, piece);
    }
    let lost =
        is_used.iter().zip(openings).filter(|(used, opening)| !**used && matches!(opening, Opening::At(..)));
    let lost = lost.count();
    if lost > 0 {
        notes.push(format!("{lost} doors lie on no wall and open nothing"));
    }
    left
}

/// Keeps a piece of a wall that has a length.
fn keep(left: &mut Vec<Vec<[f64; 2]>>, piece: Vec<[f64; 2]>) {
    if piece.len() >= 2 {
        left.push(piece);
    }
}

/// The box in which an opening can open walls: low x, low y, high x, high y.
fn reach_of(opening: &Opening) -> [f64; 4] {
    match opening {
        Opening::At([x, y], width) => {
            let reach = width.unwrap_or(USUAL_WIDTH) / 2.0 + REACH;
            [x - reach, y - reach, x + reach, y + reach]
        }
        Opening::Area(ring) => ring.iter().fold(
            [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY],
            |[x0, y0, x1, y1], [x, y]| [x0.min(*x), y0.min(*y), x1.max(*x), y1.max(*y)],
        ),
    }
}

/// The parts of a segment that stay, as shares of its length, in order.
fn open_parts(
    a: [f64; 2],
    b: [f64; 2],
    openings: &[Opening],
    boxes: &[[f64; 4]],
    is_used: &mut [bool],
) -> Vec<[f64; 2]> {
    let mut parts = vec![[0.0_f64, 1.0]];
    for ((opening, around), used) in openings.iter().zip(boxes).zip(is_used) {
        let misses = a[0].max(b[0]) < around[0]
            || a[1].max(b[1]) < around[1]
            || a[0].min(b[0]) > around[2]
            || a[1].min(b[1]) > around[3];
        if misses {
            continue;
        }
        for [from, to] in cuts(a, b, opening) {
            *used = true;
            parts = parts
                .into_iter()
                .flat_map(|[start, end]| [[start, end.min(from)], [start.max(to), end]])
                .filter(|[start, end]| start < end)
                .collect();
        }
    }
    parts
}

/// The parts of a segment that an opening takes away.
fn cuts(a: [f64; 2], b: [f64; 2], opening: &Opening) -> Vec<[f64; 2]> {
    let along = [b[0] - a[0], b[1] - a[1]];
    let length = along[0].hypot(along[1]);
    if length == 0.0 {
        return Vec::new();
    }
    match opening {
        Opening::At(at, width) => {
            let there = [at[0] - a[0], at[1] - a[1]];
            let middle = (along[0] * there[0] + along[1] * there[1]) / length;
            let aside = (along[0] * there[1] - along[1] * there[0]).abs() / length;
            let half = width.unwrap_or(USUAL_WIDTH) / 2.0;
            let [from, to] = [(middle - half) / length, (middle + half) / length];
            if aside <= REACH && to > 0.0 && from < 1.0 {
                vec![[from.max(0.0), to.min(1.0)]]
            } else {
                Vec::new()
            }
        }
        Opening::Area(ring) => {
            let mut marks = vec![0.0, 1.0];
            marks.extend(
                ring.iter().zip(ring.iter().cycle().skip(1)).filter_map(|(c, d)| meeting(a, along, *c, *d)),
            );
            marks.sort_by(f64::total_cmp);
            let inside = |[from, to]: [f64; 2]| {
                let t = f64::midpoint(from, to);
                contains(ring, [a[0] + t * along[0], a[1] + t * along[1]])
            };
            marks.windows(2).map(|pair| [pair[0], pair[1]]).filter(|pair| inside(*pair)).collect()
        }
    }
}

/// Where a segment from `a` crosses the segment from c to d, as a share of its length.
fn meeting(a: [f64; 2], along: [f64; 2], c: [f64; 2], d: [f64; 2]) -> Option<f64> {
    let other = [d[0] - c[0], d[1] - c[1]];
    let cross = along[0] * other[1] - along[1] * other[0];
    if cross == 0.0 {
        return None;
    }
    let to = [c[0] - a[0], c[1] - a[1]];
    let t = (to[0] * other[1] - to[1] * other[0]) / cross;
    let s = (to[0] * along[1] - to[1] * along[0]) / cross;
    ((0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&s)).then_some(t)
}
