//! The mesh that is edited, and its snapshots for readers.

use crate::built::Built;
use crate::changes::Changes;
use crate::edit::{DoorId, Edit, Obstacle, ObstacleId, Shape};
use crate::fabric::{Fabric, Face, grow};
use crate::guard::fault_at;
use crate::link::LiveLink;
use crate::names::Names;
use crate::part::Part;
use crate::patch::{Paint, Patched, Standing, Wish};
use crate::region::{around_obstacle, held_by, with_ring};
use crate::relabel::relabelled;
use crate::rework::{Brush, Task, Trouble, over_rim, rework};
use crate::seam::{seam, seam_of_cells, settled};
use crate::shape::Outline;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_cells::Quality;
use clearway_nav::NavMesh;
use clearway_nav::mesh::{CellId, Swap};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The number of times that more cells are taken when rounding would move the border of the touched ones.
const MOST_RINGS: usize = 3;

/// The number of touched cells up to which their neighbours are divided anew with them. It keeps the number of cells
/// near that of a fresh build; many cells among themselves need no neighbours for that.
const FEW_CELLS: usize = 6;

/// The number of edits that a spare copy of the mesh may lag behind. A copy that lags more is dropped; a new one costs
/// about as much as writing so many edits.
const MOST_BEHIND: usize = 256;

/// A mesh that takes edits. [`mesh`](LiveMesh::mesh) is the mesh as it is now; readers on other threads clone that
/// [`Arc`] and keep their snapshot as long as they like.
///
/// Nobody waits for anybody. While no reader holds a snapshot, edits are written in place. While one does, edits go to
/// a second copy, and both copies take turns.
#[derive(Debug)]
pub struct LiveMesh {
    /// The mesh as it is now.
    front: Arc<NavMesh>,
    /// A second copy that lags behind.
    spare: Option<Spare>,
    /// The ground that the mesh does not hold.
    pub(crate) fabric: Fabric,
    /// The obstacles by number.
    pub(crate) obstacles: Vec<Place>,
    /// All numbers below this one have an obstacle.
    first_free: usize,
    /// The links by number, awake and asleep.
    links: Vec<Option<LiveLink>>,
    /// What edits changed, as it was built.
    built: Built,
    /// Ground that got another area class, by the order of the edits; such ground has no way back but undoing.
    pub(crate) paints: Vec<Option<Paint>>,
    /// The names of what stands.
    names: Names,
    /// The epoch up to which cells were tidied.
    tidied: u64,
    /// After taking back the last edit: the epoch, and the number of the state that came back.
    came_back: (u64, u64),
    /// The rest of the world, for a mesh that is a part of one.
    pub(crate) part: Option<Part>,
}

/// A copy of the mesh that lags behind.
#[derive(Debug)]
struct Spare {
    mesh: Arc<NavMesh>,
    /// The edits that it lacks, each with the epoch that it makes.
    behind: Vec<(Arc<Patched>, u64)>,
}

/// A number for obstacles.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place {
    /// The obstacle that has it now.
    standing: Option<Standing>,
    /// The number of obstacles that had it so far.
    generations: u32,
    /// What its coming changed; none if it moved since.
    added: Option<Arc<Patched>>,
}

impl Place {
    /// Returns the number without what has it now.
    pub fn vacated(&self) -> Place {
        Place { generations: self.generations, ..Place::default() }
    }
}

impl LiveMesh {
    /// Makes a mesh ready for edits. If the mesh was stored with what stands on it
    /// ([`LiveMesh::stored`]), the edits are made again: obstacles and doors have the names that they had. Fails for a
    /// mesh with relaxed regions, whose portals are kept for the regions' sake.
    pub fn new(mesh: NavMesh) -> Result<LiveMesh> {
        if mesh.fixtures().is_some() {
            return LiveMesh::with_fixtures(mesh);
        }
        if mesh.region_count() < mesh.cell_count() {
            let detail = "a mesh with relaxed regions cannot be edited; build it without relaxation";
            return Err(Error::new(ErrorKind::Unsupported, detail));
        }
        // A snapshot has lost the ground under its obstacles; what is left is a mesh like any other.
        let mut mesh = mesh.compacted().into_owned();
        mesh.prepare_edits();
        // Edits patch the cell graph; one that is made after an edit would cost the first search as much as a build.
        mesh.graph();
        let fabric = Fabric::of(&mesh);
        let links = mesh.parts().links.iter().cloned().map(|link| Some(LiveLink::of(link))).collect();
        Ok(LiveMesh {
            front: Arc::new(mesh),
            spare: None,
            fabric,
            obstacles: Vec::new(),
            first_free: 0,
            links,
            built: Built::default(),
            paints: Vec::new(),
            names: Names::default(),
            tidied: 0,
            came_back: (0, 0),
            part: None,
        })
    }

    /// Returns the mesh as it is now. A clone of the [`Arc`] is a snapshot, which no edit changes.
    pub fn mesh(&self) -> &Arc<NavMesh> {
        &self.front
    }

    /// Returns the number of edits so far, those that were taken back included.
    pub fn epoch(&self) -> u64 {
        self.front.epoch()
    }

    /// Returns the number of the present state: the epoch that made it. A state that came back by taking back the last edit
    /// has the number that it had.
    pub(crate) fn state(&self) -> u64 {
        let (epoch, state) = self.came_back;
        if epoch == self.epoch() { state } else { self.epoch() }
    }

    /// Returns an obstacle; `None` if it was removed.
    pub fn obstacle(&self, id: ObstacleId) -> Option<&Obstacle> {
        let standing = self.standing(id).filter(|standing| standing.door.is_none());
        standing.map(|standing| &standing.obstacle)
    }

    /// Returns the obstacle or door with this id.
    pub(crate) fn standing(&self, id: ObstacleId) -> Option<&Standing> {
        let standing = self.obstacles.get(id.index as usize)?.standing.as_ref()?;
        (standing.generation == id.generation).then_some(standing)
    }

    /// Returns the obstacle or door with this number.
    pub(crate) fn standing_at(&self, index: u32) -> Option<(ObstacleId, &Standing)> {
        let standing = self.obstacles.get(index as usize)?.standing.as_ref()?;
        Some((ObstacleId { index, generation: standing.generation }, standing))
    }

    /// Returns all obstacles and doors in the order of their numbers.
    pub(crate) fn all_standing(&self) -> impl Iterator<Item = (ObstacleId, &Standing)> {
        (0..self.obstacles.len() as u32).filter_map(|index| self.standing_at(index))
    }

    /// Returns the ground that the mesh does not hold.
    pub(crate) fn fabric(&self) -> &Fabric {
        &self.fabric
    }

    /// Returns what differs from the mesh as it was built.
    pub(crate) fn built(&self) -> &Built {
        &self.built
    }

    /// Returns the ground that got another area class, in the order of the edits; none for what is hidden.
    pub(crate) fn all_paints(&self) -> &[Option<Paint>] {
        &self.paints
    }

    /// Returns the ground that got another area class, in the order of the edits.
    pub(crate) fn paints(&self) -> impl Iterator<Item = &Paint> {
        self.paints.iter().flatten()
    }

    /// Returns the names of what stands.
    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    /// Returns the epoch up to which cells were tidied.
    pub(crate) fn tidied(&self) -> u64 {
        self.tidied
    }

    /// Notes that the cells as they are were tidied.
    pub(crate) fn note_tidied(&mut self) {
        self.tidied = self.epoch();
    }

    /// Returns the links by number.
    pub(crate) fn all_links(&self) -> &[Option<LiveLink>] {
        &self.links
    }

    /// Returns all obstacles in the order of their numbers.
    pub fn obstacles(&self) -> impl Iterator<Item = (ObstacleId, &Obstacle)> {
        let obstacles = self.all_standing().filter(|(_, standing)| standing.door.is_none());
        obstacles.map(|(id, standing)| (id, &standing.obstacle))
    }

    /// Changes the world. An edit that fails changes nothing.
    pub fn apply(&mut self, edit: &Edit) -> Result<Changes> {
        let before = self.state();
        let mut changes = Changes { epoch: self.epoch(), ..Changes::default() };
        match self.apply_into(edit, &mut changes) {
            Ok(()) => {
                // Later than the last step if merging was tried after it and taken back.
                changes.epoch = self.epoch();
                changes.states = [before, self.state()];
                Ok(changes)
            }
            Err(error) => {
                for step in changes.steps.iter().rev() {
                    self.write(Arc::new(step.inverse()), &mut Changes::default());
                }
                self.came_back = (self.epoch(), before);
                Err(error)
            }
        }
    }

    /// Takes an edit back. Edits are taken back in reverse order: fails, and changes nothing, if a later edit changed
    /// the same cells. Afterwards the mesh has the same bytes as before the edit.
    pub fn undo(&mut self, changes: &Changes) -> Result<Changes> {
        if !self.made(changes) {
            let detail = "the edit was made on another mesh, or before the mesh was made anew";
            return Err(Error::new(ErrorKind::Options, detail));
        }
        let before = self.state();
        let mut undone = Changes { epoch: self.epoch(), ..Changes::default() };
        for step in changes.steps.iter().rev() {
            let inverse = step.inverse();
            if !self.fits(&inverse) {
                for step in undone.steps.iter().rev() {
                    self.write(Arc::new(step.inverse()), &mut Changes::default());
                }
                self.came_back = (self.epoch(), before);
                let detail = "a later edit changed the same cells; it must be taken back first";
                return Err(Error::new(ErrorKind::Options, detail));
            }
            self.write(Arc::new(inverse), &mut undone);
        }
        if before == changes.states[1] {
            // The state before the edit is back as it was, whatever it was: an edit before it can be taken back next.
            self.came_back = (self.epoch(), changes.states[0]);
        } else {
            self.settle(&mut undone);
        }
        undone.epoch = self.epoch();
        undone.states = [before, self.state()];
        Ok(undone)
    }

    /// Applies an edit and notes what changed.
    fn apply_into(&mut self, edit: &Edit, changes: &mut Changes) -> Result<()> {
        match edit {
            Edit::Add(_) | Edit::AddDoor(..) => self.add(edit, None, changes)?,
            Edit::Named(name, edit) => {
                self.names.check_new(name)?;
                self.add(edit, Some(name), changes)?;
            }
            Edit::Door(id, open) => {
                if let Some(patch) = self.toggled(*id, *open)? {
                    self.write_guarded(patch, changes)?;
                }
            }
            Edit::RemoveDoor(id) => {
                self.known_door(*id)?;
                self.remove(id.0.index, changes)?;
            }
            Edit::Remove(id) => {
                self.known(*id)?;
                self.remove(id.index, changes)?;
            }
            Edit::Move(id, obstacle) => {
                self.relocate(*id, obstacle, changes)?;
            }
            Edit::Area(place, class) => self.set_area(place, *class, changes)?,
            Edit::Clear => self.clear(changes),
            Edit::AddLink(link) => self.add_link(link, changes)?,
            Edit::RemoveLink(name) => self.remove_link(name, changes)?,
            Edit::Batch(edits) => {
                for (index, edit) in edits.iter().enumerate() {
                    let numbered = |error: Error| {
                        Error::new(error.kind(), format!("edit {} of the batch: {error}", index + 1))
                    };
                    self.apply_into(edit, changes).map_err(numbered)?;
                }
            }
        }
        Ok(())
    }

    /// Adds an obstacle or a door.
    fn add(&mut self, edit: &Edit, name: Option<&str>, changes: &mut Changes) -> Result<()> {
        match edit {
            Edit::Add(obstacle) => {
                let id = self.stand(obstacle.clone(), None, name, changes)?;
                changes.obstacles.push(id);
            }
            Edit::AddDoor(ends, anchor) => {
                let door = Obstacle { shape: Shape::Segment(*ends), anchor: *anchor };
                let id = self.stand(door, Some(true), name, changes)?;
                changes.doors.push(DoorId(id));
            }
            _ => {
                let detail = "only an obstacle or a door that comes can get a name";
                return Err(Error::new(ErrorKind::Options, detail));
            }
        }
        Ok(())
    }

    /// Lets an obstacle or a door stand. Returns its id.
    fn stand(
        &mut self,
        obstacle: Obstacle,
        door: Option<bool>,
        name: Option<&str>,
        changes: &mut Changes,
    ) -> Result<ObstacleId> {
        let index = self.unused_number();
        let generation = self.obstacles.get(index as usize).map_or(0, |place| place.generations);
        let after = Standing { obstacle, generation, door, name: name.map(str::to_string) };
        self.change_obstacle(index, Some(after), changes)?;
        self.first_free = index as usize + 1;
        Ok(ObstacleId { index, generation })
    }

    /// Fails if there is no such obstacle.
    fn known(&self, id: ObstacleId) -> Result<&Obstacle> {
        let unknown = || Error::new(ErrorKind::Options, format!("there is no obstacle {id}; it was removed"));
        self.obstacle(id).ok_or_else(unknown)
    }

    /// Returns the lowest number that no obstacle has.
    fn unused_number(&self) -> u32 {
        let mut later = self.obstacles.iter().skip(self.first_free);
        let free = later.position(|place| place.standing.is_none()).map(|offset| self.first_free + offset);
        free.unwrap_or(self.obstacles.len()) as u32
    }

    /// Removes the obstacle or door with this number. If nothing stands any more, the whole mesh is as it was built.
    fn remove(&mut self, index: u32, changes: &mut Changes) -> Result<()> {
        self.take_away(index, changes)?;
        if self.paints().next().is_none() && self.obstacles.iter().all(|place| place.standing.is_none()) {
            self.clear(changes);
        }
        Ok(())
    }

    /// Takes the obstacle or door with this number away. If all around it is as it left it when it came, the cells from
    /// before come back as they were.
    pub(crate) fn take_away(&mut self, index: u32, changes: &mut Changes) -> Result<()> {
        let added = self.obstacles.get(index as usize).and_then(|place| place.added.as_ref());
        let inverse = added.map(|added| added.inverse()).filter(|inverse| self.fits(inverse));
        match inverse {
            Some(inverse) => {
                self.write(Arc::new(inverse), changes);
                self.settle(changes);
                Ok(())
            }
            None => self.change_obstacle(index, None, changes).or_else(|_| self.uncover(index, changes)),
        }
    }

    /// Merges cells that came back with neighbours that changed meanwhile, where a portal between them is not needed. Does
    /// nothing if the neighbours are as they were.
    fn settle(&mut self, changes: &mut Changes) {
        let is_there = |cell: &&CellId| self.front.cell(**cell).is_some();
        let faces = changes.added.iter().filter(is_there).map(|cell| Face::Free(cell.0)).collect();
        if let Some(patch) = settled(Task::of(&self.front, &self.fabric, &faces)) {
            // Cells that cannot be merged in layers stay apart.
            self.write_guarded(patch, changes).ok();
        }
    }

    /// Removes the obstacle or door with this number and leaves the borders of cells where they are. It does what a
    /// removal needs, and no more, where the ground cannot be divided anew.
    fn uncover(&mut self, index: u32, changes: &mut Changes) -> Result<()> {
        let faces = held_by(&self.front, &self.fabric, index);
        let task = Task { gone: Some(index), ..Task::of(&self.front, &self.fabric, &faces) };
        let reworked = relabelled(&task);
        let mut patch = seam_of_cells(task, reworked).ok_or_else(over_rim)?;
        let before = self.obstacles.get(index as usize).and_then(|place| place.standing.clone());
        patch.obstacles.push(Swap { slot: index, before, after: None });
        self.write_guarded(patch, changes)
    }

    /// Moves an obstacle. Both places are divided anew together. In layers that cannot be done if they lie on two floors
    /// over each other; then the obstacle goes first and comes afterwards.
    fn relocate(&mut self, id: ObstacleId, obstacle: &Obstacle, changes: &mut Changes) -> Result<()> {
        self.known(id)?;
        let name = self.name_of(id).map(str::to_string);
        let after = Standing { obstacle: obstacle.clone(), generation: id.generation, door: None, name };
        match self.change_obstacle(id.index, Some(after.clone()), changes) {
            Err(_) if self.front.has_heights() => {
                self.take_away(id.index, changes)?;
                self.change_obstacle(id.index, Some(after), changes)
            }
            done => done,
        }
    }

    /// Replaces the obstacle or door with this number by another or by none.
    pub(crate) fn change_obstacle(
        &mut self,
        index: u32,
        after: Option<Standing>,
        changes: &mut Changes,
    ) -> Result<()> {
        let place = self.obstacles.get(index as usize).cloned().unwrap_or_default();
        let mut faces = BTreeSet::new();
        if let Some(standing) = &place.standing {
            let outline = Outline::of(&standing.obstacle.shape, &self.front.parts().grid)?;
            faces = around_obstacle(&self.front, &self.fabric, index, &outline);
        }
        let mut shapes = Vec::new();
        if let Some(Standing { obstacle, door, .. }) = &after {
            let outline = Outline::of(&obstacle.shape, &self.front.parts().grid)?;
            let mut under = self.ground_under(&outline, obstacle.anchor)?;
            let brush = match obstacle.shape {
                Shape::Segment(_) if door.is_some() => Brush::Door(index),
                Shape::Segment(_) => Brush::Wall(index),
                _ => Brush::Cover(index),
            };
            if !under.is_empty() {
                shapes.push((outline, brush));
            }
            faces.append(&mut under);
        }
        let gone = place.standing.is_some().then_some(index);
        let mut patch = self.computed(faces, gone, shapes)?;
        let is_new = place.standing.is_none();
        patch.obstacles.push(Swap { slot: index, before: place.standing, after });
        self.write_guarded(patch, changes)?;
        if let Some(place) = self.obstacles.get_mut(index as usize) {
            place.added = changes.steps.last().filter(|_| is_new).cloned();
        }
        Ok(())
    }

    /// Computes what changes, and touches nothing.
    pub(crate) fn computed(
        &self,
        faces: BTreeSet<Face>,
        gone: Option<u32>,
        shapes: Vec<(Outline, Brush)>,
    ) -> Result<Patched> {
        if faces.is_empty() {
            return Ok(Patched::default());
        }
        // With their neighbours, few cells can be divided better than alone.
        let faces = match faces.len() <= FEW_CELLS && !self.front.has_heights() {
            true => with_ring(&self.front, &self.fabric, &faces),
            false => faces,
        };
        let mut faces = faces;
        for _ in 0..=MOST_RINGS {
            let task = Task::of(&self.front, &self.fabric, &faces);
            let task = Task { gone, shapes: &shapes, quality: Quality::Fast, ..task };
            match rework(&task) {
                Ok(reworked) => return seam(task, reworked).ok_or_else(over_rim),
                Err(Trouble::Refused(error)) => return Err(error),
                Err(Trouble::Border) => {
                    let wider = with_ring(&self.front, &self.fabric, &faces);
                    if self.front.has_heights() && self.is_under(&task, &wider) {
                        break;
                    }
                    faces = wider;
                }
            }
        }
        let detail = "rounding would move walls of cells that the shape does not touch; move it a little";
        Err(Error::new(ErrorKind::OutOfRange, detail))
    }

    /// True if a shape lies over cells that it does not stand on: they are of another floor.
    fn is_under(&self, task: &Task<'_>, wider: &BTreeSet<Face>) -> bool {
        wider.iter().filter(|face| !task.faces.contains_key(*face)).any(|face| {
            let points = self.fabric.points(&self.front, *face);
            task.shapes.iter().any(|(outline, _)| outline.touches(&points))
        })
    }

    /// True if a patch can be written: everything it changes is as it was when the patch was made.
    pub(crate) fn fits(&self, patch: &Patched) -> bool {
        let covered =
            |swap: &Swap<crate::fabric::Covered>| self.fabric.covered_cell(swap.slot) == swap.before.as_ref();
        let obstacle = |swap: &Swap<Standing>| {
            let standing = self.obstacles.get(swap.slot as usize).and_then(|place| place.standing.as_ref());
            standing == swap.before.as_ref() && self.names.fits(swap)
        };
        let paint = |swap: &Swap<Paint>| {
            self.paints.get(swap.slot as usize).and_then(Option::as_ref) == swap.before.as_ref()
        };
        let wishes = self.part.as_ref().map_or(&[][..], |part| &part.wishes);
        let wish = |swap: &Swap<Wish>| {
            wishes.get(swap.slot as usize).and_then(Option::as_ref) == swap.before.as_ref()
        };
        patch.obstacles.iter().all(obstacle)
            && patch.wishes.iter().all(wish)
            && patch.paints.iter().all(paint)
            && patch.covered.iter().all(covered)
            && self.front.fits(&patch.splice)
            && self.fabric.fits(patch)
            && self.knows_links(patch)
    }

    /// Writes a patch, and takes it back if it breaks a law of layers.
    pub(crate) fn write_guarded(&mut self, mut patch: Patched, changes: &mut Changes) -> Result<()> {
        self.relink(&mut patch);
        let mut step = Changes::default();
        self.write(Arc::new(patch), &mut step);
        if let Some(fault) = fault_at(&self.front, &step.added) {
            for written in step.steps.iter().rev() {
                self.write(Arc::new(written.inverse()), &mut Changes::default());
            }
            let detail = format!("folded: {fault}; move or shrink the shape");
            return Err(Error::new(ErrorKind::Unsupported, detail));
        }
        changes.append(step);
        Ok(())
    }

    /// Writes a patch everywhere, and notes what changed.
    pub(crate) fn write(&mut self, patch: Arc<Patched>, changes: &mut Changes) {
        let epoch = self.front.epoch() + 1;
        self.built.note(&patch);
        self.writable().splice(&patch.splice, epoch);
        if let Some(spare) = &mut self.spare {
            spare.behind.push((Arc::clone(&patch), epoch));
        }
        self.spare = self.spare.take().filter(|spare| spare.behind.len() <= MOST_BEHIND);
        self.fabric.write(&patch, &self.front.parts().points);
        for swap in &patch.obstacles {
            grow(&mut self.obstacles, swap.slot as usize, Place::default());
            let place = &mut self.obstacles[swap.slot as usize];
            let next = swap.after.as_ref().map_or(0, |standing| standing.generation + 1);
            place.generations = place.generations.max(next);
            place.standing = swap.after.clone();
            if swap.after.is_none() {
                self.first_free = self.first_free.min(swap.slot as usize);
            }
            self.names.swap(swap);
        }
        for swap in &patch.paints {
            grow(&mut self.paints, swap.slot as usize, None);
            self.paints[swap.slot as usize].clone_from(&swap.after);
        }
        while self.paints.pop_if(|last| last.is_none()).is_some() {}
        for swap in &patch.links {
            grow(&mut self.links, swap.slot as usize, None);
            self.links[swap.slot as usize].clone_from(&swap.after);
        }
        if let Some(part) = &mut self.part {
            for swap in &patch.wishes {
                grow(&mut part.wishes, swap.slot as usize, None);
                part.wishes[swap.slot as usize].clone_from(&swap.after);
            }
        }
        changes.add(&self.front, patch, epoch);
    }

    /// Returns the mesh for writing. If a reader holds it, another copy takes its place first.
    fn writable(&mut self) -> &mut NavMesh {
        if Arc::get_mut(&mut self.front).is_none() {
            let spare = self.spare.take().and_then(|spare| {
                let mut mesh = Arc::try_unwrap(spare.mesh).ok()?;
                spare.behind.iter().for_each(|(patch, epoch)| mesh.splice(&patch.splice, *epoch));
                Some(mesh)
            });
            let next = spare.unwrap_or_else(|| (*self.front).clone());
            let held = std::mem::replace(&mut self.front, Arc::new(next));
            self.spare = Some(Spare { mesh: held, behind: Vec::new() });
        }
        Arc::make_mut(&mut self.front)
    }
}
