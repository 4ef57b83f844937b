//! Ground under new cells: the patches of the mesh as it was built that lie under them.
//!
//! New cells take their patches from the old cells that they overlap, each only where it overlaps them: a patch may stick
//! out of its cell and lie under another floor there. Where an old cell lies on one chart as a whole, its patches are
//! those of the build on that chart, which never lie over each other. So edits make no patches, and however many edits
//! there are, no cell has more patches than the build had there.

use crate::fabric::{Fabric, Face};
use clearway_geometry::boxes::{Box2, BoxGrid};
use clearway_geometry::predicates::orient;
use clearway_geometry::{Point, Vec2, clip};
use clearway_nav::NavMesh;
use clearway_nav::mesh::Patch;

/// The least area in square grid units that a patch and two cells must have in common. Points of crossings are computed
/// to some 1e-8 units; less than this area is a border that they share.
const LEAST_SHARED: f64 = 1e-3;

/// The patches of a mesh as it was built, so that they fill its cells.
#[derive(Debug)]
pub(crate) struct BuiltGround {
    patches: Vec<Patch>,
    /// The boxes of the patches.
    bins: BoxGrid,
}

impl BuiltGround {
    /// Returns the ground of a mesh; `None` for the mesh of a plan.
    pub fn of(mesh: &NavMesh) -> Option<BuiltGround> {
        let relief = mesh.parts().relief.as_deref()?;
        let mut patches = Vec::new();
        for cell in mesh.cells() {
            match relief.patches_of(cell.id().0) {
                [only] => {
                    let points: Vec<Point> = cell.points().collect();
                    let fan = points.windows(2).skip(1).map(|pair| [points[0], pair[0], pair[1]]);
                    let fan = fan.filter(|[a, b, c]| orient(*a, *b, *c) > 0);
                    patches.extend(fan.map(|corners| Patch { chart: only.chart, corners }));
                }
                several => patches.extend_from_slice(several),
            }
        }
        let bins = BoxGrid::of(patches.iter().map(|patch| Box2::of(&patch.corners)).collect());
        Some(BuiltGround { patches, bins })
    }

    /// Returns the patches of a chart under a convex outline.
    fn under(&self, chart: u32, outline: &[Point]) -> Vec<Patch> {
        let mut found = Vec::new();
        self.bins.each_touching(&Box2::of(outline), |number| {
            let patch = self.patches[number as usize];
            if patch.chart == chart && overlap(&patch.corners, outline) {
                found.push(patch);
            }
        });
        found
    }
}

/// The ground of cells that are replaced.
pub(crate) struct OldGround {
    /// The outline of each cell, and its patches, so that they fill it.
    cells: Vec<(Vec<Point>, Vec<Patch>)>,
    /// The patch that stands for all if all cells lie on one chart.
    only: Option<Patch>,
}

impl OldGround {
    /// Returns the ground of cells; nothing for the mesh of a plan.
    pub fn of<'a>(
        mesh: &NavMesh,
        fabric: &Fabric,
        faces: impl Iterator<Item = &'a Face> + Clone,
    ) -> OldGround {
        let mut ground = OldGround { cells: Vec::new(), only: None };
        let (Some(relief), Some(built)) = (mesh.parts().relief.as_deref(), &fabric.ground) else {
            return ground;
        };
        let own = |face: &Face| match face {
            Face::Free(cell) => relief.patches_of(*cell),
            Face::Covered(cell) => fabric.covered_cell(*cell).map_or(&[][..], |cell| &cell.patches),
        };
        let singles = || faces.clone().map(|face| own(face).first().filter(|_| own(face).len() == 1));
        let first = singles().flatten().min_by_key(|patch| key(patch)).copied();
        ground.only =
            first.filter(|first| singles().all(|patch| patch.is_some_and(|p| p.chart == first.chart)));
        if ground.only.is_some() {
            return ground;
        }
        ground.cells.extend(faces.map(|face| {
            let outline = fabric.points(mesh, *face);
            let patches = match own(face) {
                [only] => built.under(only.chart, &outline),
                several => several.to_vec(),
            };
            (outline, patches)
        }));
        ground
    }

    /// Returns the patches that lie under a new convex cell. If all are of one chart, the first stands for all.
    pub fn under(&self, cell: &[Point]) -> Vec<Patch> {
        if let Some(only) = self.only {
            return vec![only];
        }
        let mut under = Vec::new();
        for (outline, patches) in self.cells.iter().filter(|(outline, _)| overlap(outline, cell)) {
            let shared = cut(outline.iter().map(|p| p.as_vec2()).collect(), cell);
            under.extend(
                patches.iter().filter(|patch| area(&cut(shared.clone(), &patch.corners)) > LEAST_SHARED),
            );
        }
        if under.is_empty() {
            // A cell so thin that it holds no part of a patch takes one that touches it.
            let all = || self.cells.iter().flat_map(|(_, patches)| patches);
            under.extend(all().find(|patch| overlap(&patch.corners, cell)).or_else(|| all().next()));
        }
        under.sort_unstable_by_key(key);
        under.dedup();
        if under.iter().all(|patch| patch.chart == under[0].chart) {
            under.truncate(1);
        }
        under
    }
}

/// The order of patches.
fn key(patch: &Patch) -> (u32, [(i32, i32); 3]) {
    (patch.chart, patch.corners.map(|p| (p.x, p.y)))
}

/// Returns the part of a convex polygon inside another one.
fn cut(mut polygon: Vec<Vec2>, by: &[Point]) -> Vec<Vec2> {
    let following = by.iter().skip(1).chain(by.first());
    for (from, to) in by.iter().zip(following) {
        let (from, way) = (from.as_vec2(), to.as_vec2() - from.as_vec2());
        let between = |p: &Vec2, q: &Vec2, share: f64| *p + (*q - *p) * share;
        polygon = clip::half_plane(&polygon, |at| way.cross(*at - from), between);
    }
    polygon
}

/// Returns the area of a convex polygon.
fn area(polygon: &[Vec2]) -> f64 {
    let fan = polygon.windows(2).skip(1).map(|pair| (pair[0] - polygon[0]).cross(pair[1] - polygon[0]));
    0.5 * fan.sum::<f64>()
}

/// True if two convex polygons have inner points in common.
fn overlap(one: &[Point], other: &[Point]) -> bool {
    let parts = |one: &[Point], other: &[Point]| {
        let following = one.iter().skip(1).chain(one.first());
        one.iter().zip(following).any(|(a, b)| other.iter().all(|p| orient(*a, *b, *p) <= 0))
    };
    !parts(one, other) && !parts(other, one)
}
