//! Random spanning trees of a grid, the skeleton of mazes and of large simple polygons.

use crate::random::Random;
use crate::raster::Raster;

/// A raster with open cells at even places and, between them, the edges of a spanning tree.
///
/// Cells at odd places in both directions stay closed, so open cells never touch only at a corner. The
/// "growing tree" algorithm: `depth` is the chance to go on from the newest cell (long corridors) instead of
/// a random one (short branches). Every step adds or retires a cell, so the cost is linear.
pub(super) fn spanning_tree(random: &mut Random, columns: i32, rows: i32, depth: f64) -> Raster {
    let mut raster = Raster::new(2 * columns - 1, 2 * rows - 1);
    let root = [2 * random.whole(0, columns - 1), 2 * random.whole(0, rows - 1)];
    raster.set(root, true);
    let mut growing = vec![root];
    while !growing.is_empty() {
        let newest = growing.len() - 1;
        let chosen = if random.chance(depth) { newest } else { random.below(growing.len()) };
        let from = growing[chosen];
        match free_step(random, &raster, from) {
            Some([dx, dy]) => {
                let to = [from[0] + 2 * dx, from[1] + 2 * dy];
                raster.set([from[0] + dx, from[1] + dy], true);
                raster.set(to, true);
                growing.push(to);
            }
            None => {
                growing.swap_remove(chosen);
            }
        }
    }
    raster
}

/// A random direction in which the next cell of the grid is not part of the tree yet.
fn free_step(random: &mut Random, raster: &Raster, [x, y]: [i32; 2]) -> Option<[i32; 2]> {
    let mut steps = [[1, 0], [0, 1], [-1, 0], [0, -1]];
    random.shuffle(&mut steps);
    steps.into_iter().find(|[dx, dy]| {
        let [to_x, to_y] = [x + 2 * dx, y + 2 * dy];
        let inside = to_x >= 0 && to_y >= 0 && to_x < raster.columns() && to_y < raster.rows();
        inside && !raster.is_open([to_x, to_y])
    })
}

/// Columns and rows of a nearly square grid of about `count` cells.
pub(super) fn grid_of(count: f64) -> (i32, i32) {
    let columns = count.sqrt().round().max(1.0);
    (columns as i32, (count / columns).round().max(1.0) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::Pinch;

    #[test]
    fn a_tree_has_one_outline_of_four_steps_per_cell() {
        for depth in [0.0, 0.7, 1.0] {
            let polygons = spanning_tree(&mut Random::new(5), 9, 7, depth).trace(Pinch::Split);
            assert_eq!(polygons.len(), 1);
            assert_eq!((polygons[0].0.len(), polygons[0].1.len()), (4 * 9 * 7, 0));
        }
    }
}
