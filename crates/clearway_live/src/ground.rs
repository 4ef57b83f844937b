//! Ground under new cells: the patches of the old ones that lie under them.

use crate::fabric::{Fabric, Face};
use clearway_geometry::Point;
use clearway_geometry::predicates::orient;
use clearway_nav::NavMesh;
use clearway_nav::mesh::Patch;

/// Returns the patches of cells, so that they fill the cells: a single patch stands for its whole cell.
pub(crate) fn patches_of<'a>(
    mesh: &NavMesh,
    fabric: &Fabric,
    faces: impl Iterator<Item = &'a Face>,
) -> Vec<Patch> {
    let Some(relief) = mesh.parts().relief.as_deref() else { return Vec::new() };
    let mut patches = Vec::new();
    for face in faces {
        let own = match face {
            Face::Free(cell) => relief.patches_of(*cell),
            Face::Covered(cell) => fabric.covered_cell(*cell).map_or(&[][..], |cell| &cell.patches),
        };
        if let [only] = own {
            let points = fabric.points(mesh, *face);
            let fan = points.windows(2).skip(1).map(|pair| [points[0], pair[0], pair[1]]);
            let fan = fan.filter(|[a, b, c]| orient(*a, *b, *c) > 0);
            patches.extend(fan.map(|corners| Patch { chart: only.chart, corners }));
        } else {
            patches.extend_from_slice(own);
        }
    }
    patches
}

/// Returns the patches that lie under a convex cell. If all are of one chart, the first stands for all.
pub(crate) fn patches_under(patches: &[Patch], cell: &[Point]) -> Vec<Patch> {
    let mut under: Vec<Patch> =
        patches.iter().filter(|patch| overlap(&patch.corners, cell)).copied().collect();
    if under.is_empty() {
        // A cell so thin that it holds no part of a patch takes the first that touches it.
        under.extend(patches.first());
    }
    under.sort_unstable_by_key(|patch| (patch.chart, patch.corners.map(|p| (p.x, p.y))));
    under.dedup();
    if under.iter().all(|patch| patch.chart == under[0].chart) {
        under.truncate(1);
    }
    under
}

/// True if two convex polygons have inner points in common.
fn overlap(one: &[Point], other: &[Point]) -> bool {
    let parts = |one: &[Point], other: &[Point]| {
        let following = one.iter().skip(1).chain(one.first());
        one.iter().zip(following).any(|(a, b)| other.iter().all(|p| orient(*a, *b, *p) <= 0))
    };
    !parts(one, other) && !parts(other, one)
}
