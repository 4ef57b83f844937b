//! The mesh as it was built, as far as edits changed it: when nothing stands any more, it comes back as it was.
//!
//! What an edit brings back to what was built is forgotten again. So memory follows what differs now, however many edits
//! were made. Cost: a look-up for each changed thing.

use crate::changes::Changes;
use crate::fabric::{Edge, Fabric, Face, Thin};
use crate::live_mesh::LiveMesh;
use crate::patch::{Keyed, Patched};
use crate::quick::QuickMap;
use clearway_geometry::Point;
use clearway_nav::NavMesh;
use clearway_nav::mesh::{CellContent, PortalRecord, Splice, Swap};
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::sync::Arc;

/// Everything that differs from what was built, as it was built; `None` for what was not there.
#[derive(Debug, Default)]
pub(crate) struct Built {
    cells: QuickMap<u32, Option<CellContent>>,
    portals: QuickMap<u32, Option<PortalRecord>>,
    vertices: QuickMap<u32, Option<Point>>,
    doors: QuickMap<u32, Option<()>>,
    facing: QuickMap<Edge, Option<Face>>,
    thin: QuickMap<Edge, Option<Thin>>,
}

impl LiveMesh {
    /// Brings everything back as it was built, whatever stands. Links stay.
    pub(crate) fn clear(&mut self, changes: &mut Changes) {
        fn gone<T: Clone>(list: &[Option<T>]) -> Vec<Swap<T>> {
            let swap = |(slot, before): (u32, &Option<T>)| {
                before.is_some().then(|| Swap { slot, before: before.clone(), after: None })
            };
            (0u32..).zip(list).filter_map(swap).collect()
        }
        let mut restored = self.built().restored(self.mesh(), self.fabric());
        restored.covered = gone(&self.fabric().covered);
        restored.paints = gone(self.all_paints());
        let standing = self.all_standing().map(|(id, standing)| Swap {
            slot: id.index,
            before: Some(standing.clone()),
            after: None,
        });
        restored.obstacles = standing.collect();
        self.relink(&mut restored);
        if !restored.splice.cells.is_empty() || !restored.obstacles.is_empty() || !restored.paints.is_empty()
        {
            self.write(Arc::new(restored), changes);
        }
    }
}

impl Built {
    /// Notes what a patch is about to change.
    pub fn note(&mut self, patch: &Patched) {
        fn slots<T: Clone + PartialEq>(known: &mut QuickMap<u32, Option<T>>, swaps: &[Swap<T>]) {
            swaps.iter().for_each(|swap| change(known, swap.slot, &swap.before, &swap.after));
        }
        fn keys<T: Clone + PartialEq>(known: &mut QuickMap<Edge, Option<T>>, keyed: &[Keyed<T>]) {
            keyed.iter().for_each(|keyed| change(known, keyed.key, &keyed.before, &keyed.after));
        }
        slots(&mut self.cells, &patch.splice.cells);
        slots(&mut self.portals, &patch.splice.portals);
        slots(&mut self.vertices, &patch.splice.vertices);
        slots(&mut self.doors, &patch.splice.doors);
        keys(&mut self.facing, &patch.facing);
        keys(&mut self.thin, &patch.thin);
    }

    /// Returns the lengths of all lists, by name.
    pub fn lengths(&self) -> [(&'static str, usize); 6] {
        [
            ("built cells", self.cells.len()),
            ("built portals", self.portals.len()),
            ("built vertices", self.vertices.len()),
            ("built doors", self.doors.len()),
            ("built facing", self.facing.len()),
            ("built thin", self.thin.len()),
        ]
    }

    /// Returns the patch that brings everything back as it was built. Nothing may stand.
    pub fn restored(&self, mesh: &NavMesh, fabric: &Fabric) -> Patched {
        fn swaps<T: Clone + PartialEq>(
            built: &QuickMap<u32, Option<T>>,
            now: impl Fn(u32) -> Option<T>,
        ) -> Vec<Swap<T>> {
            let swap = |(slot, built): (&u32, &Option<T>)| {
                let before = now(*slot);
                (before != *built).then(|| Swap { slot: *slot, before, after: built.clone() })
            };
            let mut swaps: Vec<Swap<T>> = built.iter().filter_map(swap).collect();
            swaps.sort_unstable_by_key(|swap| swap.slot);
            swaps
        }
        fn keyed<T: Clone + PartialEq>(
            built: &QuickMap<Edge, Option<T>>,
            now: impl Fn(&Edge) -> Option<T>,
        ) -> Vec<Keyed<T>> {
            let keyed = |(key, built): (&Edge, &Option<T>)| {
                let before = now(key);
                (before != *built).then(|| Keyed { key: *key, before, after: built.clone() })
            };
            let mut keyed: Vec<Keyed<T>> = built.iter().filter_map(keyed).collect();
            keyed.sort_unstable_by_key(|keyed| keyed.key);
            keyed
        }
        let point = |vertex: u32| {
            let is_used = fabric.uses.get(vertex as usize).is_some_and(|uses| *uses > 0);
            mesh.parts().points.get(vertex as usize).copied().filter(|_| is_used)
        };
        // No vertex that edits made is left.
        let made = fabric.made.iter().map(|(vertex, owners)| Keyed {
            key: (*vertex, *vertex),
            before: Some(owners.clone()),
            after: None,
        });
        Patched {
            splice: Splice {
                cells: swaps(&self.cells, |cell| mesh.content(cell)),
                portals: swaps(&self.portals, |portal| mesh.portal_record(portal)),
                vertices: swaps(&self.vertices, point),
                doors: swaps(&self.doors, |portal| mesh.is_door(portal).then_some(())),
                ..Splice::default()
            },
            facing: keyed(&self.facing, |edge| fabric.facing.get(edge).copied()),
            thin: keyed(&self.thin, |edge| fabric.thin.get(edge).cloned()),
            made: made.collect(),
            ..Patched::default()
        }
    }
}

/// Notes a change of one thing. A thing that was not noted is as it was built.
fn change<K: Eq + Hash, T: Clone + PartialEq>(
    known: &mut QuickMap<K, Option<T>>,
    key: K,
    before: &Option<T>,
    after: &Option<T>,
) {
    match known.entry(key) {
        Entry::Vacant(entry) => {
            if before != after {
                entry.insert(before.clone());
            }
        }
        Entry::Occupied(entry) => {
            if entry.get() == after {
                entry.remove();
            }
        }
    }
}
