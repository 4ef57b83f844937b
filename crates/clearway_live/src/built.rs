//! The mesh as it was built, as far as edits changed it: when nothing stands any more, it comes back as it was.
//!
//! Cost: the first change of a thing stores it once; every further one is a look-up.

use crate::changes::Changes;
use crate::fabric::{Edge, Fabric, Face, Thin};
use crate::live_mesh::LiveMesh;
use crate::patch::{Keyed, Patched};
use clearway_geometry::Point;
use clearway_nav::NavMesh;
use clearway_nav::mesh::{CellContent, PortalRecord, Splice, Swap};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Everything that edits changed, as it was before the first of them; `None` for what was not there.
#[derive(Debug, Default)]
pub(crate) struct Built {
    cells: BTreeMap<u32, Option<CellContent>>,
    portals: BTreeMap<u32, Option<PortalRecord>>,
    vertices: BTreeMap<u32, Option<Point>>,
    doors: BTreeMap<u32, Option<()>>,
    facing: BTreeMap<Edge, Option<Face>>,
    thin: BTreeMap<Edge, Option<Thin>>,
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
        fn slots<T: Clone>(known: &mut BTreeMap<u32, Option<T>>, swaps: &[Swap<T>]) {
            for swap in swaps {
                known.entry(swap.slot).or_insert_with(|| swap.before.clone());
            }
        }
        fn keys<T: Clone>(known: &mut BTreeMap<Edge, Option<T>>, keyed: &[Keyed<T>]) {
            for keyed in keyed {
                known.entry(keyed.key).or_insert_with(|| keyed.before.clone());
            }
        }
        slots(&mut self.cells, &patch.splice.cells);
        slots(&mut self.portals, &patch.splice.portals);
        slots(&mut self.vertices, &patch.splice.vertices);
        slots(&mut self.doors, &patch.splice.doors);
        keys(&mut self.facing, &patch.facing);
        keys(&mut self.thin, &patch.thin);
    }

    /// Returns the patch that brings everything back as it was built. Nothing may stand.
    pub fn restored(&self, mesh: &NavMesh, fabric: &Fabric) -> Patched {
        fn swaps<T: Clone + PartialEq>(
            built: &BTreeMap<u32, Option<T>>,
            now: impl Fn(u32) -> Option<T>,
        ) -> Vec<Swap<T>> {
            let swap = |(slot, built): (&u32, &Option<T>)| {
                let before = now(*slot);
                (before != *built).then(|| Swap { slot: *slot, before, after: built.clone() })
            };
            built.iter().filter_map(swap).collect()
        }
        fn keyed<T: Clone + PartialEq>(
            built: &BTreeMap<Edge, Option<T>>,
            now: impl Fn(&Edge) -> Option<T>,
        ) -> Vec<Keyed<T>> {
            let keyed = |(key, built): (&Edge, &Option<T>)| {
                let before = now(key);
                (before != *built).then(|| Keyed { key: *key, before, after: built.clone() })
            };
            built.iter().filter_map(keyed).collect()
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
