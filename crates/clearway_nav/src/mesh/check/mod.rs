//! Every law of a mesh, looked at anew: nothing here shares code with the build.
//!
//! The laws stand on each other, and are looked at in that order:
//!
//! 1. [`structure`]: lists fit, numbers name something, portals join two cells;
//! 2. [`cells`]: every cell is convex and runs around once;
//! 3. [`planarity`]: sides meet only at their ends, and cells do not overlap; or for the mesh of a scene, [`layers`]: no
//!    folds, and heights that fit;
//! 4. [`border`]: walls close into loops, and Euler's formula holds;
//! 5. [`groups`]: components and regions are what they claim to be;
//! 6. [`removable`]: no portal is left that is not needed.
//!
//! That cells together cover the input exactly cannot be seen from the mesh alone; tests compare areas. Cost:
//! O(n log n) for n sides, whatever their shapes.

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

/// Notes every flaw of the mesh itself; [`NavMesh::check`] looks at what follows from it as well.
pub(crate) fn check_all(mesh: &NavMesh, flaws: &mut Flaws) {
    match structure::check(mesh, flaws) {
        Structure::Broken => {}
        Structure::Loose => check_shapes(&Sides::unlinked(mesh), flaws),
        Structure::Linked(sides) => {
            check_shapes(&sides, flaws);
            if let Some(relief) = &mesh.parts.relief {
                layers::check(&sides, relief, flaws);
            }
            let pieces = groups::check(&sides, flaws);
            border::check(&sides, &pieces, flaws);
            removable::check(&sides, flaws);
            flaws.lay_on_ground(mesh);
        }
    }
}

/// Notes only the flaws that make a mesh unusable: whatever has none may be asked anything without a panic.
pub(crate) fn check_structure(mesh: &NavMesh, flaws: &mut Flaws) {
    structure::check(mesh, flaws);
}

/// Cells one by one, then all together. A cell that is not convex has no clear inside, so that overlaps would
/// mean little beside it.
fn check_shapes(sides: &Sides<'_>, flaws: &mut Flaws) {
    let before = flaws.count();
    cells::check(sides.mesh, flaws);
    if sides.mesh.parts.relief.is_none() {
        planarity::check(sides, flaws.count() == before, flaws);
    }
}
