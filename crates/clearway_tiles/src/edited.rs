//! The mesh of the loaded tiles with everything that edits put into the world.
//!
//! What stands belongs to the world and not to a mesh. When tiles come or go, it is put anew onto the mesh of the loaded
//! set, in an order that depends on what stands alone. Open seams are rims of that mesh, so their pieces stay known
//! whatever edits cut there. Cost of a load: the composition, and one edit for each thing on the loaded tiles.

use crate::answer::OpenSeam;
use crate::compose::{Composed, Frame, LinkOut, compose};
use crate::lines::TileId;
use crate::tiled_mesh::TiledMesh;
use clearway_base::error::Result;
use clearway_live::{Changes, Edit, LiveMesh, Surroundings};
use clearway_nav::links::USUAL_SNAP;
use clearway_nav::{Link, NavMesh, Position};
use std::sync::{Arc, OnceLock};

/// The mesh of the loaded tiles as it is now.
#[derive(Debug)]
pub(crate) struct Now {
    /// The mesh that takes edits; none before the first edit.
    pub edited: Option<Edited>,
    /// What questions are asked of, made when first asked for.
    pub shown: OnceLock<Arc<Composed>>,
}

/// The mesh of the loaded tiles that takes edits.
#[derive(Debug)]
pub(crate) struct Edited {
    /// The mesh.
    pub live: LiveMesh,
    /// The tile beyond each rim, by the number of the rim.
    beyond: Vec<TileId>,
    /// Links of the world that lead into tiles which are not loaded.
    links_out: Vec<LinkOut>,
}

impl TiledMesh {
    /// Changes the world. Takes what a [`LiveMesh`] takes, and keeps it whichever tiles are loaded: an edit stands in the
    /// world. An edit that fails changes nothing.
    ///
    /// On loaded tiles an edit is refused for what a [`LiveMesh`] refuses it. Ground that is not loaded is not looked at:
    /// there an edit counts as made, and takes effect when its tiles are loaded. An edit on ground of no tile is refused.
    pub fn apply(&mut self, edit: &Edit) -> Result<Changes> {
        self.edit(|live| live.apply(edit))
    }

    /// Takes an edit back, as [`LiveMesh::undo`] does. An edit that was made before tiles came or went is taken back among
    /// what stands, and the mesh is made anew; then no cells are listed. Fails, and changes nothing, if a later edit changed
    /// the same things.
    pub fn undo(&mut self, changes: &Changes) -> Result<Changes> {
        if let Some(undone) = self.edit(|live| live.made(changes).then(|| live.undo(changes)).transpose())? {
            return Ok(undone);
        }
        self.edit(|live| live.take_back_elsewhere(changes))?;
        self.settle();
        let mut undone = Changes::default();
        // It is taken back already, so a mesh that cannot be made is told by the next question.
        undone.epoch = self.edit(|live| Ok(live.epoch())).unwrap_or_default();
        Ok(undone)
    }

    /// Returns the number of the area class with this name, for [`Edit::Area`]; a new name makes a new class. The number
    /// holds whichever tiles are loaded.
    pub fn area_class(&mut self, name: &str) -> Result<u8> {
        self.edit(|live| live.area_class(name))
    }

    /// Changes the mesh of the loaded tiles by hand, for what has no method here: scripts, tidying.
    pub fn edit<R>(&mut self, change: impl FnOnce(&mut LiveMesh) -> Result<R>) -> Result<R> {
        if self.standing()?.is_none() {
            let frame = self.frame()?;
            let (mesh, around) = frame.nothing_loaded()?;
            self.rest = Some(LiveMesh::part_of(mesh, around)?);
            self.now = OnceLock::new();
            self.now()?;
        }
        let live = self.now.get_mut().and_then(|now| {
            // A snapshot that nobody holds need not be kept.
            now.shown = OnceLock::new();
            now.edited.as_mut().map(|edited| &mut edited.live)
        });
        live.map_or_else(|| Err(crate::fabric::misfit("there is no mesh to edit")), change)
    }

    /// Returns what stands: obstacles, doors and links by id and name. None before the first edit. Its mesh is
    /// [`mesh`](TiledMesh::mesh).
    pub fn standing(&self) -> Result<Option<&LiveMesh>> {
        Ok(self.now()?.edited.as_ref().map(|edited| &edited.live))
    }

    /// Makes the mesh anew from the loaded tiles and what stands, as the next load would do. Then equal tiles and equal
    /// things give equal bytes, whatever edits came before.
    pub fn settle(&mut self) {
        if let Some(edited) = self.now.take().and_then(|now| now.edited) {
            // What stands rests without ground, so that no second mesh is kept.
            let resting = self.frame().and_then(|frame| {
                let (mesh, around) = frame.nothing_loaded()?;
                edited.live.onto(mesh, around)
            });
            self.rest = Some(resting.unwrap_or(edited.live));
        }
    }

    /// Returns the mesh of the loaded tiles as it is now.
    pub(crate) fn now(&self) -> Result<&Now> {
        if let Some(known) = self.now.get() {
            return Ok(known);
        }
        let composed = self.compose()?;
        let made = match &self.rest {
            Some(resting) => {
                let edited = Some(Edited::of(resting, composed, self)?);
                Now { edited, shown: OnceLock::new() }
            }
            None => Now { edited: None, shown: OnceLock::from(Arc::new(composed)) },
        };
        Ok(self.now.get_or_init(|| made))
    }

    /// Composes the loaded tiles.
    fn compose(&self) -> Result<Composed> {
        let tiles: Vec<_> = self.loaded_tiles().collect();
        let frame = match (&self.rest, tiles.first()) {
            (None, None) => Frame::default(),
            _ => self.frame()?.clone(),
        };
        compose(&frame, &tiles, self.mesh_places())
    }
}

impl Edited {
    /// Puts what stands onto the mesh of the loaded tiles.
    fn of(resting: &LiveMesh, composed: Composed, tiles: &TiledMesh) -> Result<Edited> {
        let mut beyond: Vec<TileId> = composed.seams.iter().map(|seam| seam.tile).collect();
        beyond.sort_unstable();
        beyond.dedup();
        let number = |seam: &OpenSeam| beyond.binary_search(&seam.tile).unwrap_or(0) as u32;
        let rims =
            composed.rims.iter().zip(&composed.seams).map(|(rim, seam)| (*rim, number(seam))).collect();
        let away = tiles.index().tiles.iter().filter(|entry| !tiles.is_loaded(entry.id()));
        let boxes = away.map(|entry| entry.extent).collect();
        let has_heights = tiles.frame()?.has_heights;
        let mesh = Arc::try_unwrap(composed.mesh).unwrap_or_else(|shared| NavMesh::clone(&shared));
        let live = resting.onto(mesh, Surroundings { has_heights, boxes, rims })?;
        Ok(Edited { live, beyond, links_out: composed.links_out })
    }

    /// Returns the mesh with its open seams and links into tiles that are not loaded.
    pub fn shown(&self, tiles: &TiledMesh) -> Composed {
        let mesh = Arc::clone(self.live.mesh());
        let seam = |rim: clearway_live::Rim| {
            let tile = self.beyond.get(rim.number as usize)?;
            Some(OpenSeam { cell: rim.cell, ends: rim.ends, tile: *tile })
        };
        let seams = self.live.rims().into_iter().filter_map(seam).collect();
        let list = self.live.world_list();
        let is_kept = |link: &&LinkOut| list.taken.binary_search(&link.name).is_err();
        let place =
            |link: &LinkOut| Some(LinkOut { cell: mesh.locate(link.at).ok()?.cell(), ..link.clone() });
        let mut links_out: Vec<LinkOut> = self.links_out.iter().filter(is_kept).filter_map(place).collect();
        let here: Vec<String> = mesh.links().map(|link| link.name).collect();
        for link in list.added.iter().filter(|link| !here.contains(&link.name)) {
            links_out.extend(half_link(&mesh, link, tiles));
        }
        let has_links = !list.added.is_empty();
        Composed { mesh, seams, rims: Vec::new(), links_out, has_links }
    }
}

/// Returns a link that edits brought with one end on the mesh and the other in a tile that is not loaded.
fn half_link(mesh: &NavMesh, link: &Link, tiles: &TiledMesh) -> Option<LinkOut> {
    let ends = [link.from, link.to].map(|end| mesh.nearest(end, USUAL_SNAP));
    let (here, at, there) = match ends {
        [Some(here), None] => (here, link.from, link.to),
        [None, Some(here)] => (here, link.to, link.from),
        _ => return None,
    };
    let tile = tiles.within(there.plan(), USUAL_SNAP).into_iter().find(|tile| !tiles.is_loaded(*tile))?;
    Some(LinkOut { cell: here.cell(), tile, name: link.name.clone(), at })
}
