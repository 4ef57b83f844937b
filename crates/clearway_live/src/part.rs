//! A mesh that is a part of a larger world: what edits put down stands in the world, whether its ground is here or not.
//!
//! Things without ground here are away: they keep their ids and names, and no cell knows of them. [`LiveMesh::onto`] puts
//! everything that stands onto another part of the world, in an order that depends on what stands alone; ids stay. Walls
//! at which the part ends are rims. They have numbers of the caller's, which their pieces keep whatever edits cut there.
//!
//! Cost of another part: one edit for each thing that stands on it.

use crate::changes::Changes;
use crate::door::free_cell_at;
use crate::edit::{Anchor, DoorId, Edit, ObstacleId};
use crate::fabric::{Edge, Face, Thin, undirected};
use crate::live_mesh::{LiveMesh, Place};
use crate::patch::{Patched, Standing, Wish};
use crate::region::{covers_nothing, touched};
use crate::shape::Outline;
use crate::stored::{fixture_of, order_of};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::names::shown;
use clearway_nav::links::USUAL_SNAP;
use clearway_nav::mesh::{CellId, Fixture, MAX_FIXTURES, MAX_LINKS, Swap};
use clearway_nav::{Link, NavMesh, Position};
use std::collections::BTreeSet;

/// The world around a mesh that is a part of it.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// True if the world has heights. Then every shape must name its floor: other floors may not be here.
    pub has_heights: bool,
    /// Boxes around all ground of the world that the mesh does not hold: low and high corners in plan coordinates.
    pub boxes: Vec<[[f64; 2]; 2]>,
    /// The walls at which the part ends: the vertices of each, and a number that its pieces keep.
    pub rims: Vec<([u32; 2], u32)>,
}

/// A piece of a wall at which the part ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rim {
    /// The cell that it belongs to.
    pub cell: CellId,
    /// Its ends in plan coordinates, in the direction of the cell's outline.
    pub ends: [[f64; 2]; 2],
    /// The number that it was given.
    pub number: u32,
}

/// Something that stands in the world and has ground here, but cannot be put on it together with the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut {
    /// What it is, in words.
    pub what: String,
    /// The reason.
    pub reason: String,
}

/// Everything that edits put into a world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorldList {
    /// The names of all area classes in the order of their numbers, those of the world included.
    pub classes: Vec<String>,
    /// Areas in the order of the edits; then obstacles and doors.
    pub fixtures: Vec<Fixture>,
    /// Links that edits brought, by name.
    pub added: Vec<Link>,
    /// The names of links of the world that edits took away, sorted.
    pub taken: Vec<String>,
}

/// What a mesh knows as a part of a world.
#[derive(Debug, Default)]
pub(crate) struct Part {
    has_heights: bool,
    boxes: Vec<[[f64; 2]; 2]>,
    /// True while things are put onto the part: what has no ground here is away then, wherever it lies.
    takes_all: bool,
    /// Links that edits brought or took, in the order of their coming; none for what is gone.
    pub wishes: Vec<Option<Wish>>,
    /// Things that could not be put on the mesh, each with its obstacle or door.
    left_out: Vec<(Option<ObstacleId>, LeftOut)>,
}

impl LiveMesh {
    /// Makes a part of a world ready for edits. Nothing stands yet.
    pub fn part_of(mesh: NavMesh, around: Surroundings) -> Result<LiveMesh> {
        let mut live = LiveMesh::new(mesh)?;
        for ([from, to], number) in around.rims {
            let rim = Thin { rim: Some(number), ..Thin::default() };
            live.fabric.thin.insert(undirected((from, to)), rim);
        }
        let (has_heights, boxes) = (around.has_heights, around.boxes);
        live.part = Some(Part { has_heights, boxes, ..Part::default() });
        Ok(live)
    }

    /// Returns everything that stands, on another part of the same world. Ids and names stay, and numbers of area
    /// classes. Equal things on equal meshes give equal bytes, whatever happened before. What cannot be put on the mesh
    /// is told by [`left_out`](LiveMesh::left_out).
    pub fn onto(&self, mesh: NavMesh, around: Surroundings) -> Result<LiveMesh> {
        let mut next = LiveMesh::part_of(mesh, around)?;
        next.obstacles = self.obstacles.iter().map(Place::vacated).collect();
        for name in self.mesh().area_names() {
            next.area_class(name)?;
        }
        next.set_taking_all(true);
        next.put_links(self)?;
        next.put_fixtures(self);
        next.set_taking_all(false);
        Ok(next)
    }

    /// Returns what stands and has ground here, but cannot be put on it together with the rest. Bodies walk through it.
    pub fn left_out(&self) -> impl Iterator<Item = &LeftOut> {
        let is_there =
            |id: &Option<ObstacleId>| id.is_none_or(|id| self.standing(id).is_some() && !self.is_here(id));
        let all = self.part.iter().flat_map(|part| &part.left_out);
        all.filter(move |(id, _)| is_there(id)).map(|(_, thing)| thing)
    }

    /// True if an obstacle has ground in the mesh. On a part of a world, it may stand on ground that is not here.
    pub fn is_here(&self, id: ObstacleId) -> bool {
        let has_any = |len: Option<usize>| len.is_some_and(|len| len > 0);
        let index = id.index as usize;
        self.standing(id).is_some()
            && (has_any(self.fabric.owned.get(index).map(BTreeSet::len))
                || has_any(self.fabric.owned_thin.get(index).map(BTreeSet::len)))
    }

    /// Returns the free pieces of the walls at which the part ends, in the order of cells.
    pub fn rims(&self) -> Vec<Rim> {
        let mesh = self.mesh();
        let place = |vertex: u32| mesh.parts().grid.world(mesh.parts().points[vertex as usize]);
        let mut found: Vec<(u32, Edge, u32)> = Vec::new();
        for ((a, b), thin) in &self.fabric.thin {
            let Some(number) = thin.rim else { continue };
            for edge in [(*a, *b), (*b, *a)] {
                found.extend(free_cell_at(mesh, &self.fabric, edge).map(|cell| (cell, edge, number)));
            }
        }
        found.sort_unstable();
        let rim = |(cell, edge, number): (u32, Edge, u32)| Rim {
            cell: CellId(cell),
            ends: [place(edge.0), place(edge.1)],
            number,
        };
        found.into_iter().map(rim).collect()
    }

    /// Returns everything that edits put into the world, here or away, in an order that depends on what it is. Areas keep
    /// the order of the edits.
    pub fn world_list(&self) -> WorldList {
        let mut fixtures = self.fixture_list();
        fixtures.sort_by_cached_key(order_of);
        let mut added: Vec<Link> = self.wishes().filter_map(Wish::added).cloned().collect();
        added.sort_by(|p, q| p.name.cmp(&q.name));
        let mut taken: Vec<String> = self.wishes().filter_map(Wish::taken).map(str::to_string).collect();
        taken.sort_unstable();
        taken.dedup();
        WorldList { classes: self.mesh().area_names().to_vec(), fixtures, added, taken }
    }

    /// Puts a list of things on a part of a world, whether their ground is here or not: area classes by name, links that
    /// are taken away, links that come, and fixtures. Nothing of it is trusted. A mesh that refuses one of them is of no
    /// further use.
    pub fn put_list(&mut self, list: &WorldList) -> Result<()> {
        if list.fixtures.len() > MAX_FIXTURES {
            let detail = format!("{} things stand; at most {MAX_FIXTURES} are allowed", list.fixtures.len());
            return Err(Error::new(ErrorKind::TooLarge, detail));
        }
        if list.taken.len() > MAX_LINKS {
            let detail = format!("{} links went; at most {MAX_LINKS} are allowed", list.taken.len());
            return Err(Error::new(ErrorKind::TooLarge, detail));
        }
        self.set_taking_all(true);
        for name in &list.classes {
            self.area_class(name)?;
        }
        for name in &list.taken {
            self.apply(&Edit::RemoveLink(name.clone()))?;
        }
        for link in &list.added {
            self.apply(&Edit::AddLink(link.clone()))?;
        }
        self.put_all(&list.fixtures)?;
        self.set_taking_all(false);
        Ok(())
    }

    /// Takes an edit back that was made on another part of the world, in the list of what stands alone: the mesh follows
    /// with [`onto`](LiveMesh::onto). Fails, and changes nothing, if a later edit changed the same things.
    pub fn take_back_elsewhere(&mut self, changes: &Changes) -> Result<()> {
        let mut written: Vec<Patched> = Vec::new();
        for step in changes.steps.iter().rev() {
            let Patched { obstacles, paints, wishes, .. } = step.inverse();
            let notes = Patched { obstacles, paints, wishes, ..Patched::default() };
            if !self.fits(&notes) {
                for notes in written.iter().rev() {
                    self.write(notes.inverse().into(), &mut Changes::default());
                }
                let detail = "a later edit changed the same things; it must be taken back first";
                return Err(Error::new(ErrorKind::Options, detail));
            }
            self.write(notes.clone().into(), &mut Changes::default());
            written.push(notes);
        }
        Ok(())
    }

    /// True if an edit was made on this mesh, and not on another part of the world.
    pub fn made(&self, changes: &Changes) -> bool {
        changes.steps.is_empty() || changes.lineage == self.mesh().lineage()
    }

    /// Returns the cells that a shape touches on its floor; none if that ground is not in this part of the world.
    pub(crate) fn ground_under(&self, outline: &Outline, anchor: Anchor) -> Result<BTreeSet<Face>> {
        let needs_height = self.part.as_ref().is_some_and(|part| part.has_heights);
        if needs_height && !anchor.height.is_some_and(f64::is_finite) {
            let detail = "in a part of a world with heights, a shape needs the height of its floor";
            return Err(Error::new(ErrorKind::Options, detail));
        }
        let found = touched(self.mesh(), &self.fabric, outline, anchor.height)?;
        let [low, high] = outline.corners().map(|corner| self.mesh().parts().grid.world(corner));
        if found.is_empty() && !self.may_be_away(low, high) { Err(covers_nothing()) } else { Ok(found) }
    }

    /// Returns the links by name that edits brought and that have no place in this part of the world.
    pub(crate) fn links_away(&self) -> impl Iterator<Item = &str> {
        let here: BTreeSet<&str> =
            self.all_links().iter().flatten().map(|link| link.record.name.as_str()).collect();
        let added = self.wishes().filter_map(Wish::added).map(|link| link.name.as_str());
        added.filter(move |name| !here.contains(name))
    }

    /// True if an end of a link may lie on ground of the world that is not here.
    pub(crate) fn link_may_be_away(&self, link: &Link) -> bool {
        link.flaw().is_none()
            && [link.from, link.to].iter().any(|end| {
                let at = end.plan();
                self.may_be_away(at.map(|c| c - USUAL_SNAP), at.map(|c| c + USUAL_SNAP))
            })
    }

    /// Returns what a patch must note so that the world knows of a link that comes or goes.
    pub(crate) fn wish_change(&self, name: &str, added: Option<&Link>) -> Vec<Swap<Wish>> {
        let Some(part) = &self.part else { return Vec::new() };
        let known = part
            .wishes
            .iter()
            .position(|wish| wish.as_ref().and_then(Wish::added).is_some_and(|link| link.name == name));
        let free = part.wishes.iter().position(Option::is_none).unwrap_or(part.wishes.len());
        let (slot, after) = match (known, added) {
            (Some(slot), None) => (slot, None),
            (_, Some(link)) => (free, Some(Wish::Add(link.clone()))),
            (None, None) => (free, Some(Wish::Take(name.to_string()))),
        };
        let before = known.filter(|known| *known == slot).and_then(|slot| part.wishes[slot].clone());
        vec![Swap { slot: slot as u32, before, after }]
    }

    fn wishes(&self) -> impl Iterator<Item = &Wish> {
        self.part.iter().flat_map(|part| &part.wishes).flatten()
    }

    fn set_taking_all(&mut self, takes_all: bool) {
        if let Some(part) = &mut self.part {
            part.takes_all = takes_all;
        }
    }

    /// True if things without ground here are away, wherever they lie.
    pub(crate) fn is_taking_all(&self) -> bool {
        self.part.as_ref().is_some_and(|part| part.takes_all)
    }

    /// True if a box meets ground of the world that the mesh does not hold.
    fn may_be_away(&self, low: [f64; 2], high: [f64; 2]) -> bool {
        let meets =
            |[from, to]: &[[f64; 2]; 2]| (0..2).all(|axis| from[axis] <= high[axis] && low[axis] <= to[axis]);
        self.part.as_ref().is_some_and(|part| part.takes_all || part.boxes.iter().any(meets))
    }

    /// Takes the links of the world away that edits took, and puts those on the mesh that edits brought.
    fn put_links(&mut self, from: &LiveMesh) -> Result<()> {
        let wishes = from.part.as_ref().map(|part| part.wishes.clone()).unwrap_or_default();
        let WorldList { added, taken, .. } = from.world_list();
        let here: Vec<String> =
            self.all_links().iter().flatten().map(|link| link.record.name.clone()).collect();
        for name in here.into_iter().filter(|name| taken.binary_search(name).is_ok()) {
            self.apply(&Edit::RemoveLink(name))?;
        }
        for link in &added {
            if let Err(error) = self.apply(&Edit::AddLink(link.clone())) {
                // A link of the world that was not known when this one came may have its name.
                self.leave_out(None, format!("link {}", shown(&link.name)), &error);
            }
        }
        if let Some(part) = &mut self.part {
            // The slots belong to what edits may take back.
            part.wishes = wishes;
        }
        Ok(())
    }

    /// Puts everything that stands elsewhere on this mesh: areas first, then the rest by name and shape. What is refused is
    /// tried once more when all else stands.
    fn put_fixtures(&mut self, from: &LiveMesh) {
        for paint in from.paints() {
            if let Err(error) = self.set_area(&paint.place, paint.class, &mut Changes::default()) {
                let class = self.mesh().area_names().get(usize::from(paint.class)).cloned();
                self.leave_out(None, format!("area {}", shown(&class.unwrap_or_default())), &error);
            }
        }
        // The slots belong to what edits may take back.
        self.paints = from.all_paints().to_vec();
        let mut all: Vec<(ObstacleId, Standing)> =
            from.all_standing().map(|(id, standing)| (id, standing.clone())).collect();
        all.sort_by_cached_key(|(_, standing)| order_of(&fixture_of(standing)));
        all.retain(|(id, standing)| self.stand_again(id.index, standing).is_err());
        for (id, standing) in all {
            if let Err(error) = self.stand_again(id.index, &standing) {
                let what = if standing.door.is_some() { "door" } else { "obstacle" };
                let name =
                    standing.name.as_ref().map_or_else(|| id.to_string(), |name| shown(name).to_string());
                self.note_standing(id.index, standing);
                self.leave_out(Some(id), format!("{what} {name}"), &error);
            }
        }
    }

    /// Lets an obstacle or a door stand again under its number.
    fn stand_again(&mut self, index: u32, standing: &Standing) -> Result<()> {
        let open = Standing { door: standing.door.map(|_| true), ..standing.clone() };
        self.change_obstacle(index, Some(open), &mut Changes::default())?;
        if standing.door == Some(false) {
            let id = DoorId(ObstacleId { index, generation: standing.generation });
            if let Err(error) = self.apply(&Edit::Door(id, false)) {
                self.take_away(index, &mut Changes::default())?;
                return Err(error);
            }
        }
        Ok(())
    }

    /// Notes that something stands, and leaves all cells as they are.
    fn note_standing(&mut self, index: u32, standing: Standing) {
        let obstacles = vec![Swap { slot: index, before: None, after: Some(standing) }];
        self.write(Patched { obstacles, ..Patched::default() }.into(), &mut Changes::default());
    }

    fn leave_out(&mut self, id: Option<ObstacleId>, what: String, error: &Error) {
        if let Some(part) = &mut self.part {
            part.left_out.push((id, LeftOut { what, reason: error.to_string() }));
        }
    }
}
