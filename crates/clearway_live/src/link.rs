//! Links on a mesh that changes: a link sleeps while one of its ends is covered, and wakes when both are free.
//!
//! Every link keeps a number for good. Each of its ends knows the cell that holds it, free or covered; an edit that
//! divides this cell anew looks for the end among the new cells. Cost: one look at every link for each edit.

use crate::changes::Changes;
use crate::fabric::Face;
use crate::live_mesh::LiveMesh;
use crate::patch::{Patched, Wish};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::names::shown;
use clearway_geometry::{Point, Vec2};
use clearway_nav::NavMesh;
use clearway_nav::links::USUAL_SNAP;
use clearway_nav::mesh::{Link, LinkRecord, Swap, fixture_name_flaw};
use std::collections::{BTreeMap, BTreeSet};

/// A link, awake or asleep.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LiveLink {
    /// The link as it was put on the mesh.
    pub record: LinkRecord,
    /// The cells that hold its ends; none for an end that no cell holds any more.
    pub cells: [Option<Face>; 2],
}

impl LiveLink {
    /// A link whose ends are on free ground.
    pub fn of(record: LinkRecord) -> LiveLink {
        let cells = [0, 1].map(|end| Some(Face::Free(record.ends[end].cell)));
        LiveLink { record, cells }
    }

    /// Returns the link as the mesh stores it; `None` while it sleeps.
    pub fn awake(&self) -> Option<LinkRecord> {
        let [Some(Face::Free(from)), Some(Face::Free(to))] = self.cells else { return None };
        let mut record = self.record.clone();
        (record.ends[0].cell, record.ends[1].cell) = (from, to);
        Some(record)
    }
}

impl LiveMesh {
    /// Returns the names of all links in the order of their coming, each with true if it is awake. A link sleeps while
    /// an obstacle covers one of its ends, or while one is not in this part of a world; the mesh does not hold it then.
    pub fn links(&self) -> impl Iterator<Item = (&str, bool)> {
        let all = self.all_links().iter().flatten();
        let here = all.map(|link| (link.record.name.as_str(), link.awake().is_some()));
        here.chain(self.links_away().map(|name| (name, false)))
    }

    /// Puts a link on the mesh.
    pub(crate) fn add_link(&mut self, link: &Link, changes: &mut Changes) -> Result<()> {
        let wrong = |kind, detail: String| Err(Error::new(kind, detail));
        if self.links().any(|(name, _)| name == link.name) {
            return wrong(ErrorKind::Options, format!("there is a link {} already", shown(&link.name)));
        }
        let most = clearway_nav::mesh::MAX_LINKS;
        if self.links().count() >= most {
            return wrong(
                ErrorKind::TooLarge,
                format!("{most} links are there already; more are not allowed"),
            );
        }
        let free = self.all_links().iter().position(Option::is_none);
        let slot = free.unwrap_or(self.all_links().len());
        let wishes = self.wish_change(&link.name, Some(link));
        match self.mesh().link_record(link, slot, USUAL_SNAP) {
            Ok(record) => self.write_link(slot as u32, [None, Some(LiveLink::of(record))], wishes, changes),
            Err(_) if self.link_may_be_away(link) => {
                self.write(Patched { wishes, ..Patched::default() }.into(), changes);
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Takes a link away, awake or asleep.
    pub(crate) fn remove_link(&mut self, name: &str, changes: &mut Changes) -> Result<()> {
        let is_it = |link: &Option<LiveLink>| link.as_ref().is_some_and(|link| link.record.name == name);
        let slot = self.all_links().iter().position(is_it);
        let may_be_away = self.is_taking_all() && !name.is_empty() && fixture_name_flaw(name).is_none();
        let is_known = slot.is_some() || may_be_away || self.links_away().any(|away| away == name);
        if !is_known {
            return Err(Error::new(ErrorKind::Options, format!("there is no link {}", shown(name))));
        }
        let wishes = self.wish_change(name, None);
        match slot {
            Some(slot) => {
                let before = self.all_links()[slot].clone();
                self.write_link(slot as u32, [before, None], wishes, changes);
            }
            None => self.write(Patched { wishes, ..Patched::default() }.into(), changes),
        }
        Ok(())
    }

    /// Exchanges one link.
    fn write_link(
        &mut self,
        slot: u32,
        [before, after]: [Option<LiveLink>; 2],
        wishes: Vec<Swap<Wish>>,
        changes: &mut Changes,
    ) {
        let mut patch = Patched { wishes, ..Patched::default() };
        push(&mut patch, slot, before, after);
        self.write(patch.into(), changes);
    }

    /// True if a patch knows of every link that ends in a cell that it exchanges.
    pub(crate) fn knows_links(&self, patch: &Patched) -> bool {
        let is_known = |slot: u32| patch.links.binary_search_by_key(&slot, |swap| swap.slot).is_ok();
        let gone = gone_faces(patch);
        let as_before = |swap: &Swap<LiveLink>| {
            self.all_links().get(swap.slot as usize).and_then(Option::as_ref) == swap.before.as_ref()
        };
        patch.links.iter().all(as_before)
            && patch
                .links
                .iter()
                .filter_map(|swap| swap.after.as_ref())
                .all(|link| self.ends_hold(patch, link))
            && (0u32..).zip(self.all_links()).all(|(slot, link)| {
                let ends = link.iter().flat_map(|link| link.cells).flatten();
                ends.into_iter().all(|face| !gone.contains(&face)) || is_known(slot)
            })
    }

    /// True if the ends of a link that a patch brings lie in cells that are there after the patch.
    fn ends_hold(&self, patch: &Patched, link: &LiveLink) -> bool {
        let (gone, fresh) = (gone_faces(patch), fresh_faces(self.mesh(), patch));
        [0, 1].into_iter().all(|end| {
            let Some(face) = link.cells[end] else { return true };
            if fresh.iter().any(|(known, _)| *known == face) || gone.contains(&face) {
                return fresh.iter().any(|(known, _)| *known == face);
            }
            let spot = self.mesh().parts().grid.units(link.record.ends[end].position);
            let corners = self.fabric().points(self.mesh(), face);
            let corners: Vec<Vec2> = corners.into_iter().map(Point::as_vec2).collect();
            !corners.is_empty() && holds(&corners, spot, self.mesh().slack())
        })
    }

    /// Adds to a patch what it does to links.
    pub(crate) fn relink(&self, patch: &mut Patched) {
        if self.all_links().iter().all(Option::is_none) {
            return;
        }
        let gone = gone_faces(patch);
        let fresh = fresh_faces(self.mesh(), patch);
        for (slot, link) in (0u32..).zip(self.all_links()) {
            let Some(link) = link else { continue };
            let mut after = link.clone();
            let mut is_met = false;
            for end in 0..2 {
                // An end that no cell holds may come back with any edit.
                if link.cells[end].is_none_or(|face| gone.contains(&face)) {
                    is_met = true;
                    let home = Face::Free(link.record.ends[end].cell);
                    let spot = self.mesh().parts().grid.units(link.record.ends[end].position);
                    after.cells[end] = holder(&fresh, spot, self.mesh().slack(), home);
                }
            }
            // A link that stays as it is belongs to the patch as well: taking it back must know all links it meets.
            if is_met {
                push(patch, slot, Some(link.clone()), Some(after));
            }
        }
    }
}

/// Adds a change of a link to a patch.
fn push(patch: &mut Patched, slot: u32, before: Option<LiveLink>, after: Option<LiveLink>) {
    let [old, new] = [&before, &after].map(|link| link.as_ref().and_then(LiveLink::awake));
    if old != new {
        patch.splice.links.push(Swap { slot, before: old, after: new });
    }
    patch.links.push(Swap { slot, before, after });
}

/// Returns the cells that a patch exchanges.
fn gone_faces(patch: &Patched) -> BTreeSet<Face> {
    let free = patch.splice.cells.iter().filter(|swap| swap.before.is_some());
    let covered = patch.covered.iter().filter(|swap| swap.before.is_some());
    let free = free.map(|swap| Face::Free(swap.slot));
    free.chain(covered.map(|swap| Face::Covered(swap.slot))).collect()
}

/// Returns the cells that a patch brings, with their outlines.
fn fresh_faces(mesh: &NavMesh, patch: &Patched) -> Vec<(Face, Vec<Vec2>)> {
    let fresh: BTreeMap<u32, Point> =
        patch.splice.vertices.iter().filter_map(|swap| Some((swap.slot, swap.after?))).collect();
    let point = |vertex: u32| {
        let known = fresh.get(&vertex).or_else(|| mesh.parts().points.get(vertex as usize));
        known.map_or(Vec2::default(), |point| point.as_vec2())
    };
    let mut faces = Vec::new();
    for swap in &patch.splice.cells {
        if let Some(cell) = &swap.after {
            faces.push((Face::Free(swap.slot), cell.sides.iter().map(|side| point(side.vertex)).collect()));
        }
    }
    for swap in &patch.covered {
        if let Some(cell) = &swap.after {
            faces
                .push((Face::Covered(swap.slot), cell.corners.iter().map(|vertex| point(*vertex)).collect()));
        }
    }
    faces
}

/// Returns the cell that holds a place: its home if that does, else a free one if there is one.
fn holder(faces: &[(Face, Vec<Vec2>)], spot: Vec2, slack: f64, home: Face) -> Option<Face> {
    let mut found = faces.iter().filter(|(_, corners)| holds(corners, spot, slack)).map(|(face, _)| *face);
    let all: Vec<Face> = found.by_ref().collect();
    all.iter().copied().find(|face| *face == home).or_else(|| all.first().copied())
}

/// True if a cell with these corners holds a place.
pub(crate) fn holds(corners: &[Vec2], spot: Vec2, slack: f64) -> bool {
    let following = corners.iter().skip(1).chain(corners.first());
    let mut sides = corners.iter().zip(following);
    sides.all(|(a, b)| (*b - *a).cross(spot - *a) >= -slack * (*b - *a).length())
}
