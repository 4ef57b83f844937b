//! The ground of tiles: which patches lie under which piece, and which faces a tile needs.
//!
//! A tile holds every face that heights on it can depend on: the faces on the charts of its pieces, within the margin in
//! which heights are looked for. Faces that no tile needs go to the first tile, so that all tiles hold all faces.

use crate::divide::{Pieced, area_of, overlap};
use crate::lines::TileId;
use crate::tile::TileGround;
use clearway_geometry::boxes::Box2;
use clearway_nav::NavMesh;
use clearway_nav::mesh::Relief;
use std::collections::{BTreeMap, BTreeSet};

/// The distance in grid units within which heights are looked for around a point.
const MARGIN: i32 = 4096 + 2;

/// The ground of the whole world, dealt out to pieces and tiles.
pub(crate) struct Grounds<'a> {
    /// The mesh.
    mesh: &'a NavMesh,
    /// The ground; `None` for a plan.
    relief: Option<&'a Relief>,
    /// For each piece its patches, as numbers among the patches of its cell.
    patches: Vec<Vec<u32>>,
    /// The faces of each tile.
    faces: BTreeMap<TileId, Vec<u32>>,
    /// The first tile.
    first: Option<TileId>,
}

impl<'a> Grounds<'a> {
    /// Deals out patches and faces.
    pub fn of(mesh: &'a NavMesh, world: &Pieced<'_>, members: &BTreeMap<TileId, Vec<u32>>) -> Grounds<'a> {
        let relief = mesh.parts().relief.as_deref();
        let first = members.keys().next().copied();
        let mut grounds = Grounds { mesh, relief, patches: Vec::new(), faces: BTreeMap::new(), first };
        if let Some(relief) = relief {
            grounds.patches = patches_of(relief, world);
            grounds.faces = faces_of(relief, world, members, &grounds.patches, first);
        }
        grounds
    }

    /// Returns the number of patches of a piece and of its cell, and the area class.
    pub fn counts(&self, piece: u32, parent: u32) -> (u32, u32, u8) {
        let own = self.patches.get(piece as usize).map_or(0, |own| own.len() as u32);
        let all = self.relief.map_or(0, |relief| relief.patches_of(parent).len() as u32);
        (own, all, area_of(self.mesh, parent))
    }

    /// Returns the ground of a tile.
    pub fn tile(&self, id: TileId, members: &[u32], parents: impl Fn(u32) -> u32) -> Option<TileGround> {
        let relief = self.relief?;
        let faces = self.faces.get(&id).map_or(&[][..], Vec::as_slice);
        let mut corners: BTreeSet<u32> = faces.iter().flat_map(|face| relief.faces[*face as usize]).collect();
        if self.first == Some(id) {
            let mut is_used = vec![false; relief.points.len()];
            relief.faces.iter().flatten().for_each(|corner| is_used[*corner as usize] = true);
            corners.extend((0..relief.points.len() as u32).filter(|corner| !is_used[*corner as usize]));
        }
        let point = |corner: u32| {
            let (at, height) = relief.points[corner as usize];
            (corner, at, height)
        };
        let patches = members.iter().flat_map(|member| {
            let own = relief.patches_of(parents(*member));
            self.patches[*member as usize].iter().map(move |number| (*number, own[*number as usize]))
        });
        Some(TileGround {
            points: corners.into_iter().map(point).collect(),
            faces: faces
                .iter()
                .map(|face| (*face, relief.faces[*face as usize], relief.chart_of[*face as usize]))
                .collect(),
            patches: patches.collect(),
            areas: relief.areas.clone(),
            max_step: relief.max_step,
            body_height: relief.body_height,
        })
    }
}

/// Returns the patches under each piece. Every patch of a cell lies under some piece of it.
fn patches_of(relief: &Relief, world: &Pieced<'_>) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = Vec::with_capacity(world.pieces.len());
    let mut first_of_cell = 0;
    for (number, piece) in world.pieces.iter().enumerate() {
        if piece.piece == 0 {
            first_of_cell = number;
        }
        let own = relief.patches_of(piece.parent);
        let is_under = |patch: &u32| own.len() == 1 || overlap(&own[*patch as usize].corners, &piece.points);
        let mut under: Vec<u32> = (0..own.len() as u32).filter(is_under).collect();
        if under.is_empty() && !own.is_empty() {
            under.push(0);
        }
        all.push(under);
        if piece.piece + 1 == piece.pieces {
            let is_missing = |patch: &u32| !all[first_of_cell..].iter().flatten().any(|known| known == patch);
            let missing: Vec<u32> = (0..own.len() as u32).filter(is_missing).collect();
            all[first_of_cell].extend(missing);
            all[first_of_cell].sort_unstable();
        }
    }
    all
}

/// Returns the faces that each tile needs.
fn faces_of(
    relief: &Relief,
    world: &Pieced<'_>,
    members: &BTreeMap<TileId, Vec<u32>>,
    patches: &[Vec<u32>],
    first: Option<TileId>,
) -> BTreeMap<TileId, Vec<u32>> {
    // For each chart the tiles on it, each with the box of its pieces there.
    let mut on_chart: BTreeMap<u32, BTreeMap<TileId, Box2>> = BTreeMap::new();
    for (tile, members) in members {
        for member in members {
            let piece = &world.pieces[*member as usize];
            let extent = Box2::of(&piece.points).grown(MARGIN);
            let own = relief.patches_of(piece.parent);
            for patch in &patches[*member as usize] {
                let boxes = on_chart.entry(own[*patch as usize].chart).or_default();
                let known = boxes.entry(*tile).or_insert(extent);
                *known = known.joined(&extent);
            }
        }
    }
    let mut faces: BTreeMap<TileId, Vec<u32>> = BTreeMap::new();
    for (face, (corners, chart)) in (0u32..).zip(relief.faces.iter().zip(&relief.chart_of)) {
        let extent = Box2::of(&corners.map(|corner| relief.points[corner as usize].0));
        let tiles = on_chart.get(chart).into_iter().flatten();
        let mut needed: Vec<TileId> =
            tiles.filter(|(_, here)| here.touches(&extent)).map(|(tile, _)| *tile).collect();
        if needed.is_empty() {
            needed.extend(first);
        }
        for tile in needed {
            faces.entry(tile).or_default().push(face);
        }
    }
    faces
}
