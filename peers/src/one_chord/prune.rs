//! Removal of portals that later ones made needless.
//!
//! As in `geometry.md` A.3 a merged corner must be convex exactly, even where the plan is relaxed: relaxation
//! spares sectors of the plan from being cut, it does not mend cuts. Merging up to the relaxation as well would
//! make this yardstick up to 6 % shorter on the published polygons.

use clearway_geometry::predicates::is_convex_sector;

use super::space::Space;

/// Removes portals, longest first, where the sectors that they part at both ends are convex as one. Removing one
/// only widens sectors, so a portal that must stay once must stay for ever, and one pass is enough.
pub fn remove_inessential(space: &mut Space) {
    let mut portals: Vec<u32> = space.portals().collect();
    let length_squared = |e: u32| space.triangulation.direction(e).length_squared();
    portals.sort_by_key(|&e| (std::cmp::Reverse(length_squared(e)), e));
    for e in portals {
        let twin = space.triangulation.edges().twin(e);
        if opens_convex(space, e) && opens_convex(space, twin) {
            space.triangulation.set_mark(e, 0);
        }
    }
}

/// Whether the sector at the origin of a portal is convex without the portal.
fn opens_convex(space: &Space, e: u32) -> bool {
    let [from, to] = [space.constrained_before(e), space.constrained_after(e)];
    is_convex_sector(space.triangulation.direction(from), space.triangulation.direction(to))
}
