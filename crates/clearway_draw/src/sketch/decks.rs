//! The order in which cells are drawn from above: whatever lies over something comes later.
//!
//! Two cells that overlap in the plan are compared where they overlap. The deck of a cell is the longest chain of cells
//! below it. Cells of one deck do not cover each other, but for spirals whose cells lie over and under each other.

use clearway_geometry::boxes::{Box2, BoxGrid};
use clearway_geometry::{Point, Vec2};
use clearway_nav::mesh::{CellId, NavMesh};

/// The height in metres from which on ground lies over other ground. Less is a step or a seam.
const OVER: f64 = 0.3;
/// The number of rounds in which decks are settled. Only floors wound into each other need more than one.
const MOST_ROUNDS: usize = 8;

/// Sorts the shown cells into decks, the lowest first.
pub fn decks(mesh: &NavMesh, shown: &[bool]) -> Vec<Vec<bool>> {
    if !mesh.has_heights() {
        return vec![shown.to_vec()];
    }
    let cells: Vec<u32> = (0..shown.len() as u32).filter(|cell| shown[*cell as usize]).collect();
    let pairs = overlaps(mesh, &cells);
    let mut deck = vec![0usize; shown.len()];
    for _ in 0..MOST_ROUNDS {
        let mut is_settled = true;
        for &(lower, upper) in &pairs {
            let wanted = deck[lower as usize] + 1;
            // More decks than cells means a ring of cells each over the next.
            if deck[upper as usize] < wanted && wanted <= cells.len() {
                (deck[upper as usize], is_settled) = (wanted, false);
            }
        }
        if is_settled {
            break;
        }
    }
    let count = cells.iter().map(|cell| deck[*cell as usize] + 1).max().unwrap_or(0);
    let on = |number: usize| (0..shown.len()).map(|cell| shown[cell] && deck[cell] == number).collect();
    (0..count).map(on).collect()
}

/// Returns all pairs of cells of which the second lies over the first, by rising height of the lower one.
fn overlaps(mesh: &NavMesh, cells: &[u32]) -> Vec<(u32, u32)> {
    let outline = |cell: u32| -> Vec<Point> {
        mesh.cell(CellId(cell)).map(|cell| cell.points().collect()).unwrap_or_default()
    };
    let boxes: Vec<Box2> = cells.iter().map(|cell| Box2::of(&outline(*cell))).collect();
    let grid = BoxGrid::of(boxes.clone());
    let mut pairs = Vec::new();
    for (place, extent) in boxes.iter().enumerate() {
        let one: Vec<Vec2> = outline(cells[place]).into_iter().map(Point::as_vec2).collect();
        grid.each_touching(extent, |other| {
            if other as usize <= place || !boxes[other as usize].overlaps(extent) {
                return;
            }
            let two: Vec<Vec2> = outline(cells[other as usize]).into_iter().map(Point::as_vec2).collect();
            let Some(at) = middle_of_common(&one, &two) else { return };
            let [a, b] = [place, other as usize].map(|place| mesh.ground_height(cells[place], at));
            match b - a {
                rise if rise > OVER => pairs.push((a, cells[place], cells[other as usize])),
                rise if rise < -OVER => pairs.push((b, cells[other as usize], cells[place])),
                _ => {}
            }
        });
    }
    pairs.sort_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)).then(p.2.cmp(&q.2)));
    pairs.into_iter().map(|(_, lower, upper)| (lower, upper)).collect()
}

/// Returns a point inside both of two convex outlines, counter-clockwise; `None` if they share no area to speak of.
fn middle_of_common(one: &[Vec2], two: &[Vec2]) -> Option<Vec2> {
    let mut common = one.to_vec();
    for (from, to) in two.iter().zip(two.iter().cycle().skip(1)) {
        let depth = |at: Vec2| (*to - *from).cross(at - *from);
        let mut part = Vec::with_capacity(common.len() + 1);
        for (a, b) in common.iter().zip(common.iter().cycle().skip(1)) {
            let (p, q) = (depth(*a), depth(*b));
            if p >= 0.0 {
                part.push(*a);
            }
            if (p > 0.0 && q < 0.0) || (p < 0.0 && q > 0.0) {
                part.push(*a + (*b - *a) * (p / (p - q)));
            }
        }
        common = part;
    }
    let first = *common.first()?;
    let doubled: f64 = common.windows(2).map(|pair| (pair[0] - first).cross(pair[1] - first)).sum();
    let sum = common.iter().fold(Vec2::default(), |sum, at| sum + *at);
    // Less than a few grid units of area is what rounding leaves along a seam.
    (doubled > 64.0).then(|| sum * (1.0 / common.len() as f64))
}
