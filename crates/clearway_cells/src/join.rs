//! Cells from several places put together: glued along portals, joined where a portal is not needed, numbered
//! canonically.
//!
//! Cost: linear in the sides, plus sorts.

use crate::assemble::{Numbered, assemble};
use crate::partition::Convexity;
use crate::partition::facets::Facets;
use crate::partition::merge::merge_cells_and_rows;
use clearway_geometry::triangulation::hilbert_order;
use clearway_geometry::{DisjointSets, Grid, NONE, Point};
use clearway_nav::mesh::MeshParts;

/// A side of an outline: the number of the outline, and the corner at which the side starts.
pub type OutlineSide = (usize, usize);

/// Two sides of outlines that become one portal. They have the same ends.
#[derive(Clone, Copy, Debug)]
pub struct Joint {
    /// The two sides.
    pub sides: [OutlineSide; 2],
    /// True if the portal stays even where the cells could be one.
    pub stays: bool,
}

/// Makes the parts of a mesh from convex outlines, counter-clockwise, and the portals between them. For each cell returns
/// also the outlines that it consists of. With `in_layers` corners are one vertex if portals join them, else if they lie
/// at one place.
pub fn join(
    outlines: &[Vec<Point>],
    joints: &[Joint],
    grid: Grid,
    in_layers: bool,
) -> (MeshParts, Vec<Vec<u32>>) {
    let corners = Corners::of(outlines);
    let (points, vertices) = corners.vertices(joints, in_layers);
    let mut facets = Facets::of_loops(points, &corners.first, &vertices);
    for Joint { sides: [one, other], stays } in joints {
        facets.glue(corners.number(*one), corners.number(*other), *stays);
    }
    let outline_of = facets.cell_of_sides(&facets.cells());
    merge_cells_and_rows(&mut facets, &Convexity::strict());
    let numbered = Numbered::of(&facets);
    let parts = assemble(&facets, &numbered, grid, |_| false);
    let mut consists_of = vec![Vec::new(); parts.cell_region.len()];
    for (cell, outline) in numbered.cell_of.iter().zip(&outline_of).filter(|(cell, _)| **cell != NONE) {
        consists_of[*cell as usize].push(*outline);
    }
    for outlines in &mut consists_of {
        outlines.sort_unstable();
        outlines.dedup();
    }
    (parts, consists_of)
}

/// The corners of outlines, one after the other.
struct Corners {
    /// The number of the first corner of each outline; one more entry ends the last outline.
    first: Vec<u32>,
    points: Vec<Point>,
}

impl Corners {
    fn of(outlines: &[Vec<Point>]) -> Corners {
        let mut corners = Corners { first: vec![0], points: Vec::new() };
        for outline in outlines {
            corners.points.extend_from_slice(outline);
            corners.first.push(corners.points.len() as u32);
        }
        corners
    }

    /// Returns the number of a side, which is that of the corner at which it starts.
    fn number(&self, (outline, corner): OutlineSide) -> u32 {
        self.first[outline] + corner as u32
    }

    /// Returns the number of the side that follows.
    fn following(&self, (outline, corner): OutlineSide) -> u32 {
        let next = self.number((outline, corner)) + 1;
        if next == self.first[outline + 1] { self.first[outline] } else { next }
    }

    /// Returns the points of the vertices along a Hilbert curve, and the vertex of each corner.
    fn vertices(&self, joints: &[Joint], in_layers: bool) -> (Vec<Point>, Vec<u32>) {
        let along = |Joint { sides: [one, other], .. }: &Joint| {
            [(self.number(*one), self.following(*other)), (self.following(*one), self.number(*other))]
        };
        let mut pairs: Vec<(u32, u32)> = joints.iter().flat_map(along).collect();
        if !in_layers {
            let mut order: Vec<u32> = (0..self.points.len() as u32).collect();
            order.sort_unstable_by_key(|corner| (self.points[*corner as usize].rank(), *corner));
            let is_one = |pair: &&[u32]| self.points[pair[0] as usize] == self.points[pair[1] as usize];
            pairs = order.windows(2).filter(is_one).map(|pair| (pair[0], pair[1])).collect();
        }
        let (row_of, rows) = DisjointSets::joined(self.points.len(), pairs).numbered();
        let mut places = vec![Point::new(0, 0); rows as usize];
        for (row, point) in row_of.iter().zip(&self.points) {
            places[*row as usize] = *point;
        }
        let order: Vec<u32> = hilbert_order(&places).collect();
        let mut number = vec![NONE; places.len()];
        for (new, row) in (0u32..).zip(&order) {
            number[*row as usize] = new;
        }
        let points = order.iter().map(|row| places[*row as usize]).collect();
        (points, row_of.iter().map(|row| number[*row as usize]).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_nav::NavMesh;

    fn square(x: i32, side: i32) -> Vec<Point> {
        [(0, 0), (side, 0), (side, side), (0, side)].map(|(u, v)| Point::new(x + u, v)).to_vec()
    }

    fn joined(stays: bool, in_layers: bool) -> (MeshParts, Vec<Vec<u32>>) {
        let outlines = [square(0, 10), square(10, 10), square(30, 10)];
        let joints = [Joint { sides: [(0, 1), (1, 3)], stays }];
        join(&outlines, &joints, Grid::new([0.0, 0.0], 0).unwrap(), in_layers)
    }

    #[test]
    fn needless_portals_go_and_others_stay() {
        let (parts, consists_of) = joined(false, true);
        assert_eq!((parts.portals.len(), consists_of), (0, vec![vec![0, 1], vec![2]]));
        assert_eq!(NavMesh::from_parts(parts).unwrap().area(), 300.0);
        let (parts, consists_of) = joined(true, true);
        assert_eq!((parts.portals.len(), consists_of.len(), parts.component_count), (1, 3, 2));
    }

    #[test]
    fn corners_in_layers_are_one_only_across_portals() {
        let outlines = [square(0, 10), square(10, 10)];
        let grid = Grid::new([0.0, 0.0], 0).unwrap();
        assert_eq!(join(&outlines, &[], grid, true).0.points.len(), 8);
        assert_eq!(join(&outlines, &[], grid, false).0.points.len(), 6);
        assert!(join(&[], &[], grid, true).1.is_empty());
    }
}
