//! Checks every law of a mesh anew: nothing here shares code with the build.
//!
//! The laws rest on each other, and are checked in this order:
//!
//! 1. [`structure`]: lists fit, ids are in range, portals join two cells;
//! 2. [`cells`]: every cell is convex and runs around once;
//! 3. [`planarity`]: sides meet only at their ends, and cells do not overlap; or [`layers`] for the mesh of a scene: no
//!    folds, and heights that fit;
//! 4. [`groups`]: components and regions are connected as they claim;
//! 5. [`border`]: walls close into loops, and Euler's formula holds;
//! 6. [`removable`]: no portal is left that is not needed.
//!
//! The mesh alone cannot show that its cells cover the input exactly; tests compare areas. Cost: O(n log n) for n
//! sides, whatever their shapes.

mod border;
mod cells;
mod flaw;
mod groups;
mod layers;
mod planarity;
mod removable;
mod sides;
mod structure;
#[cfg(test)]
mod tests;

use super::NavMesh;
pub(crate) use flaw::Flaws;
pub use flaw::{Flaw, FlawKind, MAX_FLAWS};
use sides::Sides;
use structure::Structure;

/// Notes every flaw of the mesh itself; [`NavMesh::check`] also checks clearances and links.
pub(crate) fn check_all(mesh: &NavMesh, flaws: &mut Flaws) {
    match structure::check(mesh, flaws) {
        Structure::Broken => {}
        Structure::Loose => check_shapes(&Sides::unlinked(mesh), flaws),
        Structure::Linked(sides) => {
            check_shapes(&sides, flaws);
            if let Some(relief) = mesh.layers() {
                layers::check(&sides, relief, flaws);
            }
            let pieces = groups::check(&sides, flaws);
            border::check(&sides, &pieces, flaws);
            removable::check(&sides, flaws);
            flaws.lay_on_ground(mesh);
        }
    }
}

/// Notes only the flaws that make a mesh unusable. A mesh without them can be asked without a panic. A search ends if
/// the cells are convex, too.
pub(crate) fn check_structure(mesh: &NavMesh, flaws: &mut Flaws) {
    structure::check(mesh, flaws);
}

/// Notes every cell of a mesh of sound structure that is not convex. Cost: linear.
pub(crate) fn check_convex(mesh: &NavMesh, flaws: &mut Flaws) {
    mesh.cells().for_each(|cell| cells::check_shape(mesh, &cell, flaws));
}

/// Checks cells one by one, then all together. A cell that is not convex has no clear inside, so overlaps are checked
/// only if all cells are sound.
fn check_shapes(sides: &Sides<'_>, flaws: &mut Flaws) {
    let before = flaws.count();
    cells::check(sides.mesh, flaws);
    if !sides.mesh.has_heights() {
        planarity::check(sides, flaws.count() == before, flaws);
    }
}
