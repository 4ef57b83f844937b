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

/// The least width in grid units of what a patch and two cells have in common. Rounding moves a border by less than one
/// unit, and by less than one more where it was moved before, so cells beside each other overlap by strips of such a
/// width; the patches beyond may be those of another floor. Ground that is narrower takes the nearest patch.
const LEAST_WIDTH: f64 = 3.0;

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

/// The ground of touched cells, which do not lie over each other.
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
        if !mesh.has_heights() {
            return ground;
        }
        let singles = || faces.clone().map(|face| single(patches_of(mesh, fabric, *face)));
        let first = singles().flatten().min_by_key(key);
        ground.only =
            first.filter(|first| singles().all(|patch| patch.is_some_and(|p| p.chart == first.chart)));
        if ground.only.is_none() {
            ground.cells.extend(faces.map(|face| {
                let outline = fabric.points(mesh, *face);
                let patches = filling(fabric, patches_of(mesh, fabric, *face), &outline);
                (outline, patches)
            }));
        }
        ground
    }

    /// Returns the patches that lie under a new convex cell.
    pub fn under(&self, cell: &[Point]) -> Vec<Patch> {
        if let Some(only) = self.only {
            return vec![only];
        }
        let (mut under, mut widest) = (Vec::new(), None);
        for (outline, patches) in self.cells.iter().filter(|(outline, _)| overlap(outline, cell)) {
            let shared = cut(outline.iter().map(|p| p.as_vec2()).collect(), cell);
            for patch in patches {
                let width = width(&cut(shared.clone(), &patch.corners));
                if width > LEAST_WIDTH {
                    under.push(*patch);
                }
                if widest.is_none_or(|(most, _)| width > most) {
                    widest = Some((width, *patch));
                }
            }
        }
        if under.is_empty() {
            // A cell so thin that it holds no part of a patch takes the one that comes nearest to that.
            let any = self.cells.iter().flat_map(|(_, patches)| patches).next().copied();
            under.extend(widest.map(|(_, patch)| patch).or(any));
        }
        in_order(under)
    }
}

/// Returns the patches of two cells that become one, each with its outline. The two need not lie beside each other in
/// projection alone, so each brings its own.
pub(crate) fn joined(fabric: &Fabric, cells: [(&[Patch], &[Point]); 2]) -> Vec<Patch> {
    let [one, other] = cells.map(|(patches, _)| single(patches));
    if let (Some(one), Some(other)) = (one, other)
        && one.chart == other.chart
    {
        return vec![if key(&other) < key(&one) { other } else { one }];
    }
    in_order(cells.iter().flat_map(|(patches, outline)| filling(fabric, patches, outline)).collect())
}

/// Returns the patches of a cell as they are stored.
pub(crate) fn patches_of<'a>(mesh: &'a NavMesh, fabric: &'a Fabric, face: Face) -> &'a [Patch] {
    match face {
        Face::Free(cell) => mesh.parts().relief.as_deref().map_or(&[], |relief| relief.patches_of(cell)),
        Face::Covered(cell) => fabric.covered_cell(cell).map_or(&[], |cell| &cell.patches),
    }
}

/// Returns the patch that stands for a whole cell.
fn single(patches: &[Patch]) -> Option<Patch> {
    if let [only] = patches { Some(*only) } else { None }
}

/// Returns the patches of a cell so that they fill it.
fn filling(fabric: &Fabric, patches: &[Patch], outline: &[Point]) -> Vec<Patch> {
    match (single(patches), &fabric.ground) {
        (Some(only), Some(built)) => {
            let under = built.under(only.chart, outline);
            if under.is_empty() { vec![only] } else { under }
        }
        _ => patches.to_vec(),
    }
}

/// Puts patches in order. If all are of one chart, the first stands for all.
fn in_order(mut patches: Vec<Patch>) -> Vec<Patch> {
    patches.sort_unstable_by_key(key);
    patches.dedup();
    if patches.iter().all(|patch| patch.chart == patches[0].chart) {
        patches.truncate(1);
    }
    patches
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

/// Returns the mean width of a convex polygon: its area by half its border. Zero for no polygon.
fn width(polygon: &[Vec2]) -> f64 {
    let Some(first) = polygon.first() else { return 0.0 };
    let area: f64 = polygon.windows(2).map(|pair| 0.5 * (pair[0] - *first).cross(pair[1] - *first)).sum();
    let following = polygon.iter().skip(1).chain([first]);
    let border: f64 = polygon.iter().zip(following).map(|(p, q)| p.distance(*q)).sum();
    area / (0.5 * border).max(f64::MIN_POSITIVE)
}

/// True if two convex polygons have inner points in common.
fn overlap(one: &[Point], other: &[Point]) -> bool {
    let parts = |one: &[Point], other: &[Point]| {
        let following = one.iter().skip(1).chain(one.first());
        one.iter().zip(following).any(|(a, b)| other.iter().all(|p| orient(*a, *b, *p) <= 0))
    };
    !parts(one, other) && !parts(other, one)
}
