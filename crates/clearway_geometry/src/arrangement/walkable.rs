//! Decides which faces are walkable, from the winding of every ring around them and the roles of the rings.
//!
//! Cost: one walk over the faces, two with rings without roles; each step costs O(log n) for such rings.

use super::faces::Faces;
use super::labels::Labels;
use super::{ArrangeError, Chain, MAX_NESTING, Role};
use crate::NONE;
use crate::predicates::doubled_area;
use crate::triangulation::Triangulation;
use std::collections::BTreeSet;

/// Tells for each face whether it is walkable.
pub fn classify(
    chains: &[Chain],
    triangulation: &Triangulation,
    labels: &Labels,
    faces: &Faces,
) -> Result<Vec<bool>, ArrangeError> {
    let mut cover = Cover::new(chains);
    let cross = |cover: &mut Cover, edge: u32, forth: bool| cover.cross(triangulation, labels, edge, forth);
    // The depth of a ring is the least over all its faces, so it is known only after a whole walk.
    if chains.iter().any(|c| c.role == Role::Nested) {
        faces.walk(&mut cover, cross, |cover, _| cover.note_depths(chains))?;
        cover.settle_depths();
    }
    let mut walkable = vec![false; faces.count()];
    faces.walk(&mut cover, cross, |cover, face| {
        walkable[face as usize] = cover.is_walkable();
        Ok::<(), ArrangeError>(())
    })?;
    Ok(walkable)
}

/// Tells for each face whether it lies in an obstacle.
pub fn blocked(chains: &[Chain], triangulation: &Triangulation, labels: &Labels, faces: &Faces) -> Vec<bool> {
    let mut cover = Cover::new(chains);
    let cross = |cover: &mut Cover, edge: u32, forth: bool| cover.cross(triangulation, labels, edge, forth);
    let mut blocked = vec![false; faces.count()];
    let walk = faces.walk(&mut cover, cross, |cover, face| {
        blocked[face as usize] = cover.inside_obstacles > 0;
        Ok::<(), std::convert::Infallible>(())
    });
    match walk {
        Ok(()) => blocked,
    }
}

/// The rings that wind around the present face of a walk.
struct Cover {
    /// The role of each chain.
    roles: Vec<Role>,
    /// The winding of each chain around the face.
    winding: Vec<i32>,
    /// For each polygon, the number of its outlines that cover the face.
    outlines: Vec<u32>,
    /// For each polygon, the number of its holes that cover the face.
    holes: Vec<u32>,
    /// For each polygon, true if it is an obstacle.
    is_obstacle: Vec<bool>,
    /// The number of polygons that the face lies in.
    inside_polygons: u32,
    /// The number of obstacles that the face lies in.
    inside_obstacles: u32,
    /// The rings without roles that cover the face, largest first.
    nested: BTreeSet<(std::cmp::Reverse<i128>, u32)>,
    /// For each ring without a role its area; zero for the others.
    size: Vec<std::cmp::Reverse<i128>>,
    /// For each ring without a role, the number of larger rings around it everywhere.
    depth: Vec<u32>,
    /// For each depth, the number of rings of that depth that cover the face. Empty during the first walk.
    at_depth: Vec<u32>,
}

impl Cover {
    /// Starts outside of all rings.
    fn new(chains: &[Chain]) -> Cover {
        let polygons = chains.iter().map(|c| polygon_of(c.role).map_or(0, |p| p as usize + 1)).max();
        let size = |c: &Chain| match c.role {
            Role::Nested => doubled_area(c.points.iter().copied()).abs(),
            _ => 0,
        };
        let mut is_obstacle = vec![false; polygons.unwrap_or(0)];
        for chain in chains {
            if let Role::Obstacle(obstacle) = chain.role {
                is_obstacle[obstacle as usize] = true;
            }
        }
        Cover {
            roles: chains.iter().map(|c| c.role).collect(),
            winding: vec![0; chains.len()],
            outlines: vec![0; polygons.unwrap_or(0)],
            holes: vec![0; polygons.unwrap_or(0)],
            is_obstacle,
            inside_polygons: 0,
            inside_obstacles: 0,
            nested: BTreeSet::new(),
            size: chains.iter().map(|c| std::cmp::Reverse(size(c))).collect(),
            depth: vec![NONE; chains.len()],
            at_depth: Vec::new(),
        }
    }

    /// Follows a walk across an edge, into a face or back out of it.
    fn cross(&mut self, triangulation: &Triangulation, labels: &Labels, edge: u32, forth: bool) {
        let edges = triangulation.edges();
        let upwards = edges.origin(edge) < edges.target(edge);
        for (chain, ascending) in labels.iter(edges.mark(edge)) {
            // Stepping from the left of a ring to its right takes one winding away.
            let along = ascending == upwards;
            self.turn(chain, if along == forth { -1 } else { 1 });
        }
    }

    /// Changes the winding of a chain by one step.
    fn turn(&mut self, chain: u32, step: i32) {
        let winding = &mut self.winding[chain as usize];
        let before = *winding != 0;
        *winding += step;
        let after = *winding != 0;
        if before != after {
            self.toggle(chain, after);
        }
    }

    /// Enters or leaves the space that a chain covers.
    fn toggle(&mut self, chain: u32, entering: bool) {
        let change = |count: &mut u32| *count = if entering { *count + 1 } else { *count - 1 };
        match self.roles[chain as usize] {
            Role::Wall => {}
            Role::Nested => {
                let key = (self.size[chain as usize], chain);
                let _ = if entering { self.nested.insert(key) } else { self.nested.remove(&key) };
                if let Some(count) = self.at_depth.get_mut(self.depth[chain as usize] as usize) {
                    change(count);
                }
            }
            Role::Outline(p) | Role::Hole(p) | Role::Obstacle(p) => {
                let before = self.is_in_polygon(p);
                let is_hole = matches!(self.roles[chain as usize], Role::Hole(_));
                change(if is_hole { &mut self.holes[p as usize] } else { &mut self.outlines[p as usize] });
                let after = self.is_in_polygon(p);
                let inside = match self.is_obstacle[p as usize] {
                    true => &mut self.inside_obstacles,
                    false => &mut self.inside_polygons,
                };
                *inside += u32::from(after);
                *inside -= u32::from(before);
            }
        }
    }

    /// True if the face lies in an outline of the polygon and in none of its holes.
    fn is_in_polygon(&self, p: u32) -> bool {
        self.outlines[p as usize] > 0 && self.holes[p as usize] == 0
    }

    /// Lowers the depths of the rings around the face. A ring counts as inside another if all of it is covered by
    /// larger rings, so its depth is the least number over its faces. Comparing sizes keeps duplicates and partial
    /// overlaps on the same depth.
    fn note_depths(&mut self, chains: &[Chain]) -> Result<(), ArrangeError> {
        if self.nested.len() > MAX_NESTING {
            let chain = self.nested.iter().next().map_or(0, |(_, chain)| *chain);
            return Err(ArrangeError::TooDeep(
                chains[chain as usize].points.first().copied().unwrap_or_default(),
            ));
        }
        let mut larger = 0;
        let mut previous = None;
        for (position, (size, chain)) in self.nested.iter().enumerate() {
            if previous != Some(*size) {
                larger = position as u32;
                previous = Some(*size);
            }
            let depth = &mut self.depth[*chain as usize];
            *depth = larger.min(*depth);
        }
        Ok(())
    }

    /// Ends the first walk: from now on, rings are counted by depth.
    fn settle_depths(&mut self) {
        self.at_depth = vec![0; MAX_NESTING + 1];
    }

    /// True if the face is walkable: in no obstacle, and inside a polygon or a deepest ring of even depth.
    fn is_walkable(&self) -> bool {
        let deepest = self.at_depth.iter().rposition(|count| *count > 0);
        let on_floor = self.inside_polygons > 0 || deepest.is_some_and(|depth| depth % 2 == 0);
        on_floor && self.inside_obstacles == 0
    }
}

/// The polygon that a role names.
fn polygon_of(role: Role) -> Option<u32> {
    match role {
        Role::Outline(p) | Role::Hole(p) | Role::Obstacle(p) => Some(p),
        Role::Nested | Role::Wall => None,
    }
}
