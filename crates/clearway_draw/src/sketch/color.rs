//! Chooses colours so that groups of cells that touch differ.
//!
//! Groups (cells, regions or components) are the nodes of a planar graph, so one of them always has at most five
//! neighbours. Such a node is removed again and again, and colours are given in the opposite order ("smallest last",
//! Matula and Beck 1983). Every node then has at most five colours to avoid. With twelve colours there are always seven
//! to choose from, and a hash of the node's number chooses. Cost: O(n log n).

use super::ColorBy;
use clearway_nav::mesh::{Cell, CellId, NavMesh};
use std::collections::BTreeSet;

/// Pastels around the colour circle (OKLCH; lightness 0.95 and 0.92, chroma 0.035 and 0.05 in turn). Pale, so that
/// lines and paths stand out.
pub const PALETTE: [&str; 12] = [
    "#ffe6e7", "#ffdbca", "#fdecd5", "#e9e7c1", "#e5f4dd", "#c7f0dc", "#d5f6f6", "#c2ecfe", "#dff0ff",
    "#e0e1ff", "#f8e8ff", "#fed8ec",
];

/// Returns, for every cell, the index of its colour in [`PALETTE`]. Edits leave gaps among the cells; a gap has any.
pub fn cell_colors(mesh: &NavMesh, color_by: ColorBy) -> Vec<usize> {
    let slots = || (0..mesh.cell_slots() as u32).map(|cell| mesh.cell(CellId(cell)));
    if color_by == ColorBy::Area {
        return slots().map(|cell| cell.map_or(0, |cell| area_color(cell.area_class()))).collect();
    }
    let groups: Vec<usize> = slots().map(|cell| cell.map_or(0, |cell| group_of(&cell, color_by))).collect();
    let count = groups.iter().max().map_or(0, |last| last + 1);
    let colors = differing_colors(&neighbors(mesh, &groups, count));
    groups.iter().map(|group| colors[*group]).collect()
}

/// Returns the colour index of an area class; the first classes lie far apart on the colour circle.
pub fn area_color(class: u8) -> usize {
    (7 + 5 * usize::from(class)) % PALETTE.len()
}

/// Returns a colour, given as `#rrggbb`, with this share of its light.
pub fn shaded(color: &str, light: f64) -> String {
    let part = |from: usize| color.get(from..from + 2).and_then(|text| u8::from_str_radix(text, 16).ok());
    let [red, green, blue] =
        [1, 3, 5].map(|from| (f64::from(part(from).unwrap_or(0)) * light).round().clamp(0.0, 255.0) as u8);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Returns the group of a cell.
fn group_of(cell: &Cell<'_>, color_by: ColorBy) -> usize {
    match color_by {
        ColorBy::Cell => cell.id().index(),
        ColorBy::Region => cell.region().index(),
        ColorBy::Component => cell.component().index(),
        ColorBy::Area => usize::from(cell.area_class()),
    }
}

/// Returns, for every group, the groups with which it shares a portal.
fn neighbors(mesh: &NavMesh, groups: &[usize], count: usize) -> Vec<Vec<usize>> {
    let mut neighbors = vec![Vec::new(); count];
    for portal in mesh.portals() {
        let [a, b] = portal.cells.map(|cell| groups[cell.index()]);
        if a != b {
            neighbors[a].push(b);
            neighbors[b].push(a);
        }
    }
    for list in &mut neighbors {
        list.sort_unstable();
        list.dedup();
    }
    neighbors
}

/// Returns a colour for every node, different from the colours of its neighbours.
fn differing_colors(neighbors: &[Vec<usize>]) -> Vec<usize> {
    let mut colors = vec![None; neighbors.len()];
    for node in smallest_last(neighbors).into_iter().rev() {
        let start = scramble(node as u64) as usize % PALETTE.len();
        let mut choices = (0..PALETTE.len()).map(|step| (start + step) % PALETTE.len());
        let is_free = |color: &usize| neighbors[node].iter().all(|other| colors[*other] != Some(*color));
        colors[node] = Some(choices.find(is_free).unwrap_or(start));
    }
    colors.into_iter().map(Option::unwrap_or_default).collect()
}

/// Returns the nodes in the order in which each has the fewest neighbours left.
fn smallest_last(neighbors: &[Vec<usize>]) -> Vec<usize> {
    let mut degrees: Vec<usize> = neighbors.iter().map(Vec::len).collect();
    let mut queue: BTreeSet<(usize, usize)> = degrees.iter().copied().zip(0..).collect();
    let mut order = Vec::with_capacity(neighbors.len());
    while let Some((_, node)) = queue.pop_first() {
        order.push(node);
        for &other in &neighbors[node] {
            if queue.remove(&(degrees[other], other)) {
                degrees[other] -= 1;
                queue.insert((degrees[other], other));
            }
        }
    }
    order
}

/// Spreads consecutive numbers over all numbers (the finaliser of SplitMix64).
fn scramble(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wheel_gets_colors_that_differ() {
        let rim = 500;
        let mut neighbors: Vec<Vec<usize>> =
            (0..rim).map(|i| vec![(i + 1) % rim, (i + rim - 1) % rim, rim]).collect();
        neighbors.push((0..rim).collect());
        let colors = differing_colors(&neighbors);
        for (node, others) in neighbors.iter().enumerate() {
            assert!(others.iter().all(|other| colors[*other] != colors[node]), "{node}");
        }
        let used: BTreeSet<_> = colors.iter().collect();
        assert_eq!(used.len(), PALETTE.len(), "a picture of few colours is dull");
    }

    #[test]
    fn nothing_has_no_colors() {
        assert!(differing_colors(&[]).is_empty());
    }
}
