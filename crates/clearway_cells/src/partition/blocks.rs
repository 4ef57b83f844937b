//! Changes many cells in parallel: cuts the cells into blocks, changes each block on its own, and puts them together.
//!
//! Portals between blocks stand still meanwhile. A vertex on such a border may gain or lose portals inside each
//! block, because a corner belongs to one cell.
//!
//! Invariant: the cuts depend on the cells alone, so the result is the same on any number of threads.

use super::facets::Facets;
use clearway_base::parallel;
use clearway_geometry::{NONE, Point};

/// The approximate number of sides of a block. Larger blocks no longer fit a processor's cache; smaller ones have
/// more portals on borders, which stand still.
const SIDES_PER_BLOCK: usize = 1 << 14;

/// The order by which neighbouring cells are put into one block. Rounds alternate, so that no portal stays on a
/// border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// By the number of the lowest vertex, which follows a Hilbert curve: compact blocks.
    Curve,
    /// By the lowest x: upright strips.
    Strips,
    /// By the lowest y: lying strips.
    Layers,
}

/// Applies `change` to each block of cells. With one block only, it works on the whole.
#[must_use]
pub fn in_blocks(facets: Facets, cut: Cut, change: impl Fn(&mut Facets) + Sync) -> Facets {
    let sides = facets.sides().count();
    let count = sides.div_ceil(SIDES_PER_BLOCK);
    if count <= 1 {
        let mut facets = facets;
        change(&mut facets);
        return facets;
    }
    let split = Split::of(&facets, cut, sides.div_ceil(count));
    let numbers = || vec![NONE; facets.points().len()];
    let changed = |number_of: &mut Vec<u32>, block: usize| {
        let mut block = split.extract(&facets, block, number_of);
        change(&mut block.facets);
        block
    };
    let blocks = parallel::map_with(split.blocks.len(), numbers, changed);
    split.put_together(&facets, blocks)
}

/// The assignment of sides to blocks.
struct Split {
    /// The sides of each block.
    blocks: Vec<Vec<u32>>,
    /// For each side its block and its index in that block.
    place: Vec<(u32, u32)>,
}

/// The cells of one block on their own.
struct Block {
    /// The cells, with vertices and sides numbered from zero.
    facets: Facets,
    /// For each vertex that the block was given, the vertex in the whole.
    vertices: Vec<u32>,
}

impl Split {
    /// Orders the cells by `cut`, and fills one block after the other with whole cells.
    fn of(facets: &Facets, cut: Cut, sides_per_block: usize) -> Split {
        let key = |side: u32| {
            let vertex = facets.origin(side);
            let Point { x, y } = facets.point(vertex);
            let first = match cut {
                Cut::Curve => 0,
                Cut::Strips => x,
                Cut::Layers => y,
            };
            // Both keys in one number, which compares faster.
            (i64::from(first) << 32) + i64::from(vertex)
        };
        let cells = facets.cells();
        let mut order: Vec<_> =
            cells.iter().map(|first| (facets.around(*first).map(key).min().unwrap_or(0), *first)).collect();
        order.sort_unstable();
        let mut split = Split { blocks: vec![Vec::new()], place: vec![(NONE, NONE); facets.len() as usize] };
        for (_, first) in order {
            if split.blocks.last().is_some_and(|block| block.len() >= sides_per_block) {
                split.blocks.push(Vec::with_capacity(sides_per_block + 64));
            }
            let number = split.blocks.len() as u32 - 1;
            let Some(block) = split.blocks.last_mut() else { break };
            for side in facets.around(first) {
                split.place[side as usize] = (number, block.len() as u32);
                block.push(side);
            }
        }
        split
    }

    /// The index of a side in block `number`, or [`NONE`] if the side is elsewhere.
    fn place_in(&self, number: usize, side: u32) -> u32 {
        match self.place.get(side as usize) {
            Some((block, place)) if *block as usize == number => *place,
            _ => NONE,
        }
    }

    /// Copies the cells of a block. `number_of` must hold [`NONE`] for every vertex, and does again afterwards.
    fn extract(&self, facets: &Facets, block: usize, number_of: &mut [u32]) -> Block {
        let sides = &self.blocks[block];
        let mut vertices: Vec<u32> = Vec::with_capacity(sides.len() / 2);
        for side in sides {
            let vertex = facets.origin(*side);
            if number_of[vertex as usize] == NONE {
                number_of[vertex as usize] = vertices.len() as u32;
                vertices.push(vertex);
            }
        }
        let local = |vertex: u32| number_of[vertex as usize];
        let part = facets.part(sides, |side| self.place_in(block, side), local, &vertices);
        for vertex in &vertices {
            number_of[*vertex as usize] = NONE;
        }
        Block { facets: part, vertices }
    }

    /// Joins all blocks, as they are now, into the whole.
    fn put_together(&self, facets: &Facets, blocks: Vec<Block>) -> Facets {
        let mut whole = facets.emptied();
        let mut first_place = Vec::with_capacity(blocks.len());
        for Block { facets: part, vertices } in &blocks {
            first_place.push(whole.append(part, vertices));
        }
        // Portals on borders had no twin inside the blocks; they stayed where they were.
        for (side, (block, place)) in self.place.iter().enumerate() {
            let twin = if *block == NONE { NONE } else { facets.twin(side as u32) };
            let Some((twin_block, twin_place)) = self.place.get(twin as usize) else { continue };
            if twin_block != block {
                let here = first_place[*block as usize] + place;
                whole.glue(
                    here,
                    first_place[*twin_block as usize] + twin_place,
                    facets.is_fixed(side as u32),
                );
            }
        }
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::super::convexity::Convexity;
    use super::super::merge::merge_cells;
    use super::*;
    use clearway_geometry::arrangement::{Chain, Role, WALL, arrange};

    /// A field of square pillars large enough for several blocks.
    fn pillars() -> Facets {
        let square = |x: i32, y: i32, side: i32, role| Chain {
            points: [(0, 0), (side, 0), (side, side), (0, side)]
                .map(|(u, v)| Point::new(x + u, y + v))
                .to_vec(),
            role,
        };
        let mut chains = vec![square(0, 0, 10_000, Role::Outline(0))];
        chains.extend(
            (0..2500).map(|i| square(50 + i % 50 * 199, 50 + i / 50 * 199, 90 + i % 7, Role::Hole(0))),
        );
        let floor = arrange(&chains).unwrap();
        let edges = floor.triangulation.edges();
        Facets::of_triangles(&floor.triangulation, &floor.free, |e| edges.mark(e) == WALL, |_| false)
    }

    #[test]
    fn cutting_and_joining_changes_nothing() {
        let before = pillars();
        assert!(before.sides().count() > 2 * SIDES_PER_BLOCK);
        for cut in [Cut::Curve, Cut::Strips, Cut::Layers] {
            let after = in_blocks(before.clone(), cut, |_| ());
            assert_eq!(after.cells().len(), before.cells().len());
            assert_eq!(after.portals().count(), before.portals().count());
            assert_eq!(after.portal_length().round(), before.portal_length().round());
        }
    }

    #[test]
    fn the_number_of_threads_does_not_matter() {
        let rule = Convexity::strict();
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| in_blocks(pillars(), Cut::Curve, |part| merge_cells(part, &rule)))
        };
        let outline = |facets: &Facets| -> Vec<Vec<u32>> {
            facets.cells().iter().map(|c| facets.around(*c).map(|s| facets.origin(s)).collect()).collect()
        };
        let (one, three) = (run(1), run(3));
        assert_eq!(outline(&one), outline(&three));
    }
}
