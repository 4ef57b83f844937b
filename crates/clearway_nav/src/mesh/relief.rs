//! Heights of the ground: the faces of the scene, and the patches that assign them to cells.
//!
//! Cells are convex in projection, not flat: heights come from the faces of the scene. Faces are grouped into charts.
//! Within one chart no two faces lie over each other. A cell may lie on several charts; its patches say which part lies
//! on which chart. So a point in a cell has one height.

use super::{CellId, NavMesh};
use super::{NearestFace, ROUNDING};
use clearway_geometry::boxes::{Box2, BoxGrid};
use clearway_geometry::vec2::beyond_triangle;
use clearway_geometry::{Point, Vec2};

/// A part of a cell that lies on one chart, a triangle in projection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patch {
    /// The chart that it lies on.
    pub chart: u32,
    /// Its corners, counter-clockwise.
    pub corners: [Point; 3],
}

/// The name of the first area class of a plan. The ground of a scene whose parts name none has the same.
pub const FLAT_CLASS: &str = "ground";

/// The ground under a mesh. Without faces it is the flat ground of a plan that has area classes.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Relief {
    /// The corners of faces: point and height, both in grid units.
    pub points: Vec<(Point, i32)>,
    /// The corners of each face, as indices of `points`.
    pub faces: Vec<[u32; 3]>,
    /// The chart of each face.
    pub chart_of: Vec<u32>,
    /// For each cell, the index of its first patch; one more entry ends the last cell.
    pub first_patch: Vec<u32>,
    /// For each cell, the number of its patches. Empty while every cell ends where the next begins.
    pub patch_count: Vec<u32>,
    /// The patches of all cells, cell after cell.
    pub patches: Vec<Patch>,
    /// The area class of each cell.
    pub area_of: Vec<u8>,
    /// The names of the area classes.
    pub areas: Vec<String>,
    /// The greatest step between cells that a portal joins, in metres.
    pub max_step: f64,
    /// The head-room over every cell, in metres: the height of a body.
    pub body_height: f64,
}

impl Relief {
    /// Returns what does not fit in the lists of the ground under a mesh of so many cells; `None` if all fits.
    pub(crate) fn misfit(&self, cells: usize) -> Option<&'static str> {
        let in_range = |face: &[u32; 3]| face.iter().all(|corner| (*corner as usize) < self.points.len());
        let rises = self.first_patch.windows(2).all(|ends| ends[0] <= ends[1]);
        let last = self.first_patch.last().map(|last| *last as usize);
        let lengths = [self.max_step, self.body_height];
        [
            (self.faces.iter().all(in_range), "a face names a corner that does not exist"),
            (self.chart_of.len() == self.faces.len(), "each face needs a chart"),
            (self.first_patch.len() == cells + 1 && rises, "each cell needs a range of patches"),
            (last == Some(self.patches.len()), "the last cell must end with the last patch"),
            (self.area_of.len() == cells, "each cell needs an area class"),
            (lengths.iter().all(|length| *length >= 0.0 && length.is_finite()), "a length is not one"),
        ]
        .into_iter()
        .find_map(|(fits, detail)| (!fits).then_some(detail))
    }

    /// Appends the patches of the next cell. If all lie on one chart, only the first is kept and stands for the whole
    /// cell.
    pub fn add_cell(&mut self, patches: impl Iterator<Item = Patch> + Clone) {
        let first = patches.clone().next().map(|patch| patch.chart);
        let is_one = patches.clone().all(|patch| Some(patch.chart) == first);
        self.patches.extend(patches.take(if is_one { 1 } else { usize::MAX }));
        self.first_patch.push(self.patches.len() as u32);
    }

    /// Returns the same ground under other cells. `joined` lists, for each new cell, the cells of this relief that it
    /// consists of.
    pub fn regrouped(&self, joined: &[Vec<u32>]) -> Relief {
        let mut relief = Relief {
            first_patch: vec![0],
            patches: Vec::new(),
            // Cells of different area classes are never joined, so the first cell stands for all.
            area_of: joined.iter().map(|cells| self.area_of[cells[0] as usize]).collect(),
            ..self.clone()
        };
        for cells in joined {
            relief.add_cell(cells.iter().flat_map(|cell| self.patches_of(*cell)).copied());
        }
        relief
    }

    /// True if both cells lie on the same single chart.
    pub fn share_a_chart(&self, cells: [u32; 2]) -> bool {
        let [one, other] = cells.map(|cell| self.patches_of(cell));
        matches!((one, other), ([one], [other]) if one.chart == other.chart)
    }

    /// Returns the patches of a cell; none for a cell without ground.
    pub fn patches_of(&self, cell: u32) -> &[Patch] {
        let Some(first) = self.first_patch.get(cell as usize).map(|first| *first as usize) else {
            return &[];
        };
        let end = match self.patch_count.get(cell as usize) {
            Some(count) => first + *count as usize,
            None => self.first_patch.get(cell as usize + 1).map_or(first, |end| *end as usize),
        };
        self.patches.get(first..end).unwrap_or_default()
    }

    /// Returns the corners of a face, each with its height, in grid units.
    pub(super) fn corners(&self, face: u32) -> [(Vec2, f64); 3] {
        self.faces[face as usize].map(|corner| {
            let (at, height) = self.points[corner as usize];
            (at.as_vec2(), f64::from(height))
        })
    }

    /// Returns the height of a face at `at`. Beside the face it stays between the heights of the corners.
    fn height_on(&self, face: u32, at: Vec2) -> f64 {
        let [(a, low), (b, mid), (c, high)] = self.corners(face);
        let whole = (b - a).cross(c - a);
        let [u, v, w] = [(b, c), (c, a), (a, b)].map(|(p, q)| (q - p).cross(at - p));
        let [least, most] = [f64::min, f64::max].map(|of: fn(f64, f64) -> f64| of(of(low, mid), high));
        ((u * low + v * mid + w * high) / whole).clamp(least, most)
    }
}

impl Relief {
    /// The flat ground of a plan whose cells, so many, are all of the first area class.
    pub(crate) fn flat(cells: usize) -> Relief {
        Relief {
            first_patch: vec![0; cells + 1],
            area_of: vec![0; cells],
            areas: vec![FLAT_CLASS.to_string()],
            ..Relief::default()
        }
    }

    /// True if it tells nothing that the mesh of a plan does not tell without it.
    pub(crate) fn is_plain(&self) -> bool {
        self.faces.is_empty() && self.areas.len() <= 1
    }
}

/// The boxes of the faces in a uniform grid, derived from the relief.
#[derive(Debug)]
pub struct ReliefIndex {
    /// The face boxes, by face index.
    pub(super) bins: BoxGrid,
}

impl NavMesh {
    /// Returns the ground and the index of its faces, built on first use; `None` for the mesh of a plan.
    pub fn relief_index(&self) -> Option<(&Relief, &ReliefIndex)> {
        let relief = self.parts.relief.as_deref()?;
        let index = self.relief_index.get_or_make(|| {
            let extent = |face: &[u32; 3]| Box2::of(&face.map(|corner| relief.points[corner as usize].0));
            ReliefIndex { bins: BoxGrid::of(relief.faces.iter().map(extent).collect()) }
        });
        Some((relief, index))
    }

    /// True if the mesh was made from a scene, so that its ground has heights.
    pub fn has_heights(&self) -> bool {
        self.layers().is_some()
    }

    /// Returns the ground of the mesh of a scene, which may lie over itself; `None` for a plan, also for one with area
    /// classes.
    pub fn layers(&self) -> Option<&Relief> {
        self.parts.relief.as_deref().filter(|relief| !relief.faces.is_empty())
    }

    /// Returns the height in metres of the ground of a cell at a point in grid units; zero for the mesh of a plan. Only
    /// faces on the chart of the cell's patch count, so floors above and below do not matter.
    pub fn ground_height(&self, cell: u32, at: Vec2) -> f64 {
        let patches = self.parts.relief.as_deref().map_or(&[][..], |relief| relief.patches_of(cell));
        self.height_on(patches, at, |at| self.off_border(cell, at))
    }

    /// As [`ground_height`](NavMesh::ground_height), for ground that is no cell's: these patches alone.
    pub fn height_on_patches(&self, patches: &[Patch], at: Vec2) -> f64 {
        self.height_on(patches, at, |at| at)
    }

    /// Returns the height in metres of patches of ground at a point. `inwards` moves a point on their border inwards.
    fn height_on(&self, patches: &[Patch], at: Vec2, inwards: impl Fn(Vec2) -> Vec2) -> f64 {
        let Some((relief, index)) = self.relief_index() else { return 0.0 };
        let Some(patch) = patch_at(patches, at) else { return 0.0 };
        let nearest = |to: Vec2| {
            let mut nearest = NearestFace::to(to);
            let spot = super::heights::grid_point(to);
            // Points on walls may lie beside the faces by as much as rounding moved them; the margin grows until a face
            // is met.
            for margin in [2, 4, 64, 4096] {
                index.bins.each_touching(&Box2 { min: spot, max: spot }.grown(margin), |face| {
                    if relief.chart_of[face as usize] == patch.chart {
                        nearest.offer(relief.corners(face).map(|(at, _)| at), |_| relief.height_on(face, at));
                    }
                });
                if nearest.height().is_some() {
                    break;
                }
            }
            nearest
        };
        let mut found = nearest(at);
        if found.is_torn() {
            // A patch lies on faces of one height. A single patch stands for the whole cell, so there the cell decides.
            found = nearest(match patches {
                [_] => inwards(at),
                _ => towards(at, middle_of(patch.corners)),
            });
        }
        found.height().unwrap_or(0.0) * self.unit()
    }

    /// Moves a point on the border of a cell inwards, far enough to decide which ground it belongs to.
    fn off_border(&self, cell: u32, at: Vec2) -> Vec2 {
        let is_on = |[from, to]: [Vec2; 2]| (to - from).cross(at - from) <= ROUNDING * (to - from).length();
        let mut lines = self.cell(CellId(cell)).into_iter().flat_map(|cell| cell.lines());
        if lines.any(is_on) { towards(at, self.middle(cell)) } else { at }
    }

    /// Returns the area class of a cell; zero where the mesh has no classes.
    pub(crate) fn area_class(&self, cell: u32) -> u8 {
        let relief = self.parts.relief.as_deref();
        relief.and_then(|relief| relief.area_of.get(cell as usize)).copied().unwrap_or(0)
    }

    /// Returns all heights in metres at which the mesh has ground at a point of the ground plane, lowest first.
    pub fn heights_at(&self, x: f64, z: f64) -> Vec<f64> {
        let at = self.parts.grid.units([x, -z]);
        let mut heights: Vec<f64> =
            self.cells_holding(at).into_iter().map(|cell| self.ground_height(cell, at)).collect();
        heights.sort_by(f64::total_cmp);
        // On a portal both cells hold the point and report nearly the same height.
        heights.dedup_by(|p, q| (*p - *q).abs() < 1e-6);
        heights
    }

    /// True if a cell holds a point in grid units; its border counts.
    pub fn covers(&self, cell: u32, at: Vec2) -> bool {
        let is_left = |[from, to]: [Vec2; 2]| (to - from).cross(at - from) >= 0.0;
        self.cell(CellId(cell)).is_some_and(|cell| cell.lines().all(is_left))
    }

    /// Returns all cells that hold a point in grid units, in the order of their ids.
    pub fn cells_holding(&self, at: Vec2) -> Vec<u32> {
        let mut found = Vec::new();
        let _ = self.index().touching(at, at, |cell| {
            if self.covers(cell, at) {
                found.push(cell);
            }
            std::ops::ControlFlow::<()>::Continue(())
        });
        found
    }
}

/// Moves a point towards `middle` by more than rounding may have moved it, but never past it.
fn towards(at: Vec2, middle: Vec2) -> Vec2 {
    let way = middle - at;
    at + way * (4.0 * ROUNDING / way.length().max(4.0 * ROUNDING))
}

/// Returns the centroid of a triangle.
fn middle_of(corners: [Point; 3]) -> Vec2 {
    let [a, b, c] = corners.map(Point::as_vec2);
    (a + b + c) * (1.0 / 3.0)
}

/// Returns the first patch that holds a point, or else the nearest patch.
fn patch_at(patches: &[Patch], at: Vec2) -> Option<&Patch> {
    if let [only] = patches {
        return Some(only);
    }
    let mut nearest = (f64::INFINITY, patches.first());
    for patch in patches {
        let outside = beyond_triangle(patch.corners.map(Point::as_vec2), at);
        if outside <= 0.0 {
            return Some(patch);
        }
        if outside < nearest.0 {
            nearest = (outside, Some(patch));
        }
    }
    nearest.1
}
