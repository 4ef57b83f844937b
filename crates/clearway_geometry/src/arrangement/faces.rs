//! The faces between marked edges, and a tree that leads from the outside into each of them.
//!
//! Invariant: a face is entered through one edge of its parent, so crossing that edge gives its windings from the
//! parent's. Cost: linear in the triangles.

use crate::NONE;
use crate::triangulation::Triangulation;

/// Faces numbered from the outside inwards: the parent of a face has a lower number.
pub struct Faces {
    /// The face of each triangle.
    pub of_triangle: Vec<u32>,
    /// For each face but the first, the half-edge by which it was entered: it lies in the parent face.
    entry: Vec<u32>,
}

impl Faces {
    /// Finds the faces of a triangulation; the face at the box has the number 0.
    pub fn of(triangulation: &Triangulation) -> Faces {
        let edges = triangulation.edges();
        let mut faces = Faces { of_triangle: vec![NONE; edges.triangle_count() as usize], entry: vec![NONE] };
        let mut doors: Vec<u32> = Vec::new();
        let outer = triangulation.outer_triangle();
        let mut stack = vec![outer];
        faces.of_triangle[outer as usize] = 0;
        loop {
            while let Some(t) = stack.pop() {
                for e in 3 * t..3 * t + 3 {
                    let twin = edges.twin(e);
                    if twin == NONE || faces.of_triangle[twin as usize / 3] != NONE {
                        continue;
                    }
                    if edges.mark(e) == 0 {
                        faces.of_triangle[twin as usize / 3] = faces.of_triangle[t as usize];
                        stack.push(twin / 3);
                    } else {
                        doors.push(e);
                    }
                }
            }
            let unopened = |e: &u32| faces.of_triangle[edges.twin(*e) as usize / 3] == NONE;
            let Some(door) = std::iter::from_fn(|| doors.pop()).find(unopened) else { break };
            let inner = edges.twin(door) / 3;
            faces.of_triangle[inner as usize] = faces.entry.len() as u32;
            faces.entry.push(door);
            stack.push(inner);
        }
        faces
    }

    /// Visits every face with a depth-first walk from the outside. `cross` gets each half-edge that is crossed, and
    /// true on the way in; `visit` gets each face once.
    pub fn walk<S, E>(
        &self,
        state: &mut S,
        mut cross: impl FnMut(&mut S, u32, bool),
        mut visit: impl FnMut(&mut S, u32) -> Result<(), E>,
    ) -> Result<(), E> {
        let children = self.children();
        let mut stack = vec![(0u32, true)];
        while let Some((face, arriving)) = stack.pop() {
            let entry = self.entry[face as usize];
            if entry != NONE {
                cross(state, entry, arriving);
            }
            if !arriving {
                continue;
            }
            visit(state, face)?;
            stack.push((face, false));
            let (first, last) = (children.0[face as usize], children.0[face as usize + 1]);
            stack.extend(children.1[first as usize..last as usize].iter().map(|child| (*child, true)));
        }
        Ok(())
    }

    /// The number of faces.
    pub fn count(&self) -> usize {
        self.entry.len()
    }

    /// The children of each face: the index of the first child of each, and the list of all.
    fn children(&self) -> (Vec<u32>, Vec<u32>) {
        let parent = |face: usize| self.of_triangle[self.entry[face] as usize / 3] as usize;
        let mut start = vec![0u32; self.count() + 2];
        for face in 1..self.count() {
            start[parent(face) + 2] += 1;
        }
        for i in 2..start.len() {
            start[i] += start[i - 1];
        }
        let mut list = vec![0u32; self.count() - 1];
        for face in 1..self.count() {
            let slot = &mut start[parent(face) + 1];
            list[*slot as usize] = face as u32;
            *slot += 1;
        }
        (start, list)
    }
}
