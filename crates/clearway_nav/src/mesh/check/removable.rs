//! No portal may be superfluous: removing it must make some corner reflex.
//!
//! A portal between two regions is kept for the regions' sake when one of them holds several cells. All other portals
//! between cells of one area class must be needed by the cells themselves, unless they are doors. Where two cells share several portals in a
//! row, the row is removed or kept as a whole. Cost: linear in the number of sides.

use super::flaw::{Flaw, FlawKind, Flaws};
use super::sides::Sides;
use clearway_geometry::NONE;
use clearway_geometry::predicates::is_convex_sector;

/// Notes portals that could be removed.
pub(super) fn check(sides: &Sides<'_>, flaws: &mut Flaws) {
    let mesh = sides.mesh;
    let mut cells_in = vec![0u32; mesh.region_count()];
    for region in &mesh.parts.cell_region {
        cells_in[*region as usize] += 1;
    }
    let must_be_needed = |side: u32, twin: u32| {
        let areas = [side, twin].map(|s| mesh.area_class(sides.cell(s)));
        if areas[0] != areas[1] {
            return false;
        }
        let [a, b] = [side, twin].map(|s| mesh.parts.cell_region[sides.cell(s) as usize]);
        a == b || (cells_in[a as usize] == 1 && cells_in[b as usize] == 1)
    };
    for side in sides.all() {
        let twin = sides.twin(side);
        if twin != NONE && side < twin && must_be_needed(side, twin) && is_removable(sides, side, twin) {
            let detail = || {
                let [a, b] = [side, twin].map(|s| sides.cell(s));
                format!("is not needed: cells {a} and {b} would be convex without it")
            };
            let portal = mesh.parts.sides[side as usize].portal;
            let flaw = || Flaw::new(FlawKind::Removable, detail()).vertex(mesh, sides.from(side));
            flaws.note(|| flaw().portal(portal));
        }
    }
}

/// True if the row of portals that starts with `side` could be removed. Only the first portal of a row answers for the
/// row.
fn is_removable(sides: &Sides<'_>, side: u32, twin: u32) -> bool {
    if sides.twin(sides.prev(side)) == sides.next(twin) {
        return false;
    }
    let is_door = |side: u32| sides.mesh.is_door(sides.mesh.parts.sides[side as usize].portal);
    let (mut last, mut last_twin) = (side, twin);
    let mut has_door = is_door(side);
    while sides.twin(sides.next(last)) == sides.prev(last_twin) {
        (last, last_twin) = (sides.next(last), sides.prev(last_twin));
        has_door |= is_door(last);
    }
    !has_door
        && stays_convex(sides, sides.prev(side), sides.next(twin))
        && stays_convex(sides, sides.prev(last_twin), sides.next(last))
}

/// True if the corner between a side and the side that would follow it is at most π wide.
fn stays_convex(sides: &Sides<'_>, before: u32, after: u32) -> bool {
    is_convex_sector(sides.direction(after), sides.direction(before).reversed())
}
