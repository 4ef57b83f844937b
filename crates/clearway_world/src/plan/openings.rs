//! Cuts openings for doors into walls.
//!
//! A door that is a point opens the walls that pass near it, by its width. A door that is an area opens the walls inside
//! it. A door that is a line opens the walls that it lies on with all its length: an open leaf touches the wall only where
//! it hangs. Cost: walls times doors that are near, found by boxes.

use super::nested::contains;

/// The width of a door that does not tell it, in metres: a common door of a room.
const USUAL_WIDTH: f64 = 0.9;

/// The distance in metres within which a wall belongs to a door: half the thickness of a wall.
const REACH: f64 = 0.3;

/// The distance in metres within which a line lies on a wall: drawings are exact to the millimetre, and the leaves of doors
/// stand further off.
const ON_WALL: f64 = 0.02;

/// The least length of a line that opens a wall, in metres: frames and hinges are shorter.
const LEAST_LINE: f64 = 0.4;

/// The least share of the length of a line that lies on walls: ends of lines may miss a corner by a little.
const LEAST_COVERED: f64 = 0.9;

/// A place at which walls are open.
pub(super) enum Opening {
    /// A point with a width, if that is known.
    At([f64; 2], Option<f64>),
    /// An area.
    Area(Vec<[f64; 2]>),
    /// A straight line along a wall.
    Along([[f64; 2]; 2]),
}

impl Opening {
    /// The opening that a drawn line may be: a straight one, as long as a door.
    pub(super) fn along(line: &[[f64; 2]]) -> Option<Opening> {
        let &[a, b] = line else { return None };
        ((b[0] - a[0]).hypot(b[1] - a[1]) >= LEAST_LINE).then_some(Opening::Along([a, b]))
    }
}

/// Takes the openings out of the walls. Doors that lie on no wall are noted. Returns the walls, and which openings were of
/// use.
pub(super) fn cut_openings(
    walls: Vec<Vec<[f64; 2]>>,
    openings: &[Opening],
    notes: &mut Vec<String>,
) -> (Vec<Vec<[f64; 2]>>, Vec<bool>) {
    let mut is_used = vec![false; openings.len()];
    let boxes = Boxes::of(openings);
    let is_open = lying_on_walls(&walls, openings, &boxes);
    let mut left = Vec::new();
    for wall in walls {
        let mut piece: Vec<[f64; 2]> = Vec::new();
        for pair in wall.windows(2) {
            let [a, b] = [pair[0], pair[1]];
            for [from, to] in open_parts(a, b, openings, &boxes, &is_open, &mut is_used) {
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
    (left, is_used)
}

/// Finds the openings that count: all but lines that do not lie on walls with nearly all their length.
fn lying_on_walls(walls: &[Vec<[f64; 2]>], openings: &[Opening], boxes: &Boxes) -> Vec<bool> {
    let mut covered = vec![0.0; openings.len()];
    for pair in walls.iter().flat_map(|wall| wall.windows(2)) {
        let length = (pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1]);
        let lines =
            boxes.near(pair[0], pair[1]).filter(|index| matches!(openings[*index], Opening::Along(_)));
        for index in lines {
            let parts = cuts(pair[0], pair[1], &openings[index]);
            covered[index] += parts.iter().map(|[from, to]| (to - from) * length).sum::<f64>();
        }
    }
    let counts = |(opening, covered): (&Opening, f64)| match opening {
        Opening::Along([a, b]) => covered >= LEAST_COVERED * (b[0] - a[0]).hypot(b[1] - a[1]),
        Opening::At(..) | Opening::Area(_) => true,
    };
    openings.iter().zip(covered).map(counts).collect()
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
        Opening::Area(ring) => bounds(ring),
        Opening::Along(ends) => {
            let [x0, y0, x1, y1] = bounds(ends);
            [x0 - ON_WALL, y0 - ON_WALL, x1 + ON_WALL, y1 + ON_WALL]
        }
    }
}

/// The box around points: low x, low y, high x, high y.
fn bounds(points: &[[f64; 2]]) -> [f64; 4] {
    let nothing = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
    points.iter().fold(nothing, |[x0, y0, x1, y1], [x, y]| [x0.min(*x), y0.min(*y), x1.max(*x), y1.max(*y)])
}

/// The boxes in which openings can open walls, sorted by their left sides.
struct Boxes {
    /// The box and the index of each opening.
    sorted: Vec<([f64; 4], usize)>,
    /// The greatest width of a box.
    widest: f64,
}

impl Boxes {
    /// Sorts the boxes of all openings.
    fn of(openings: &[Opening]) -> Boxes {
        let mut sorted: Vec<([f64; 4], usize)> = openings.iter().map(reach_of).zip(0..).collect();
        sorted.sort_by(|(one, _), (other, _)| one[0].total_cmp(&other[0]));
        let widest = sorted.iter().fold(0.0, |widest: f64, (around, _)| widest.max(around[2] - around[0]));
        Boxes { sorted, widest }
    }

    /// The openings whose boxes meet the box of a segment, in the order of their boxes.
    fn near(&self, a: [f64; 2], b: [f64; 2]) -> impl Iterator<Item = usize> {
        let [x0, y0, x1, y1] = bounds(&[a, b]);
        let first = self.sorted.partition_point(|(around, _)| around[0] < x0 - self.widest);
        let near = self.sorted[first..].iter().take_while(move |(around, _)| around[0] <= x1);
        near.filter(move |(around, _)| around[2] >= x0 && around[1] <= y1 && around[3] >= y0)
            .map(|(_, index)| *index)
    }
}

/// The parts of a segment that stay, as shares of its length, in order.
fn open_parts(
    a: [f64; 2],
    b: [f64; 2],
    openings: &[Opening],
    boxes: &Boxes,
    is_open: &[bool],
    is_used: &mut [bool],
) -> Vec<[f64; 2]> {
    let mut parts = vec![[0.0_f64, 1.0]];
    for index in boxes.near(a, b).filter(|index| is_open[*index]) {
        for [from, to] in cuts(a, b, &openings[index]) {
            is_used[index] = true;
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
    // Where a point lies along the segment, and how far aside, in metres.
    let seen_from_a = |at: [f64; 2]| {
        let there = [at[0] - a[0], at[1] - a[1]];
        let middle = (along[0] * there[0] + along[1] * there[1]) / length;
        (middle, (along[0] * there[1] - along[1] * there[0]).abs() / length)
    };
    match opening {
        Opening::Along(ends) => {
            let [(start, off), (end, far_off)] = ends.map(seen_from_a);
            let [from, to] = [start.min(end) / length, start.max(end) / length];
            let is_on_wall = off.max(far_off) <= ON_WALL && to > 0.0 && from < 1.0;
            if is_on_wall { vec![[from.max(0.0), to.min(1.0)]] } else { Vec::new() }
        }
        Opening::At(at, width) => {
            let (middle, aside) = seen_from_a(*at);
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
