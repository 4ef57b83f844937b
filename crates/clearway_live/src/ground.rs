//! Ground under new cells: the patches of the old ones that lie under them.

use crate::fabric::{Fabric, Face};
use clearway_nav::NavMesh;
use clearway_nav::mesh::{Patch, filling};

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
        patches.extend(filling(own, &fabric.points(mesh, *face)));
    }
    patches
}
