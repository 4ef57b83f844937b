//! Divides touched ground anew: its borders and the shapes are laid over each other, the faces between them get their
//! kind of ground, and each kind is divided into few convex cells.
//!
//! Every kind of ground is bounded by closed loops of directed strokes. A face belongs to the kind whose loops wind
//! around it once. Where loops wind around a face twice, the touched ground lies over itself, and the edit is refused.
//!
//! Invariant: strokes that other cells share keep their ends and get no vertex between them. Cost: that of a small
//! arrangement.

use crate::fabric::{Beyond, Edge, Fabric, Face, Label, Thin, undirected};
use crate::quick::{QuickMap, QuickSet};
use crate::rows::{Rows, TwoVertices};
use crate::shape::Outline;
use crate::strokes::{Labels, Stroke, straightened, strokes_of};
use clearway_base::error::{Error, ErrorKind};
use clearway_cells::{Quality, outlines_of_triangles};
use clearway_geometry::arrangement::Overlay;
use clearway_geometry::{NONE, Point};
use clearway_nav::NavMesh;
use clearway_nav::mesh::Patch;
use std::collections::{BTreeMap, BTreeSet};

/// What a shape does to the ground under it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Brush {
    /// This obstacle covers it.
    Cover(u32),
    /// Its border is a wall of no thickness of this obstacle.
    Wall(u32),
    /// Its border is a door of this number, which is open.
    Door(u32),
    /// It gets this area class.
    Area(u8),
}

/// What is to be done.
pub(crate) struct Task<'a> {
    /// The mesh as it is.
    pub mesh: &'a NavMesh,
    /// The rest of the ground.
    pub fabric: &'a Fabric,
    /// The touched cells with their sides.
    pub faces: BTreeMap<Face, Vec<(Edge, Beyond)>>,
    /// The obstacle that is taken away first.
    pub gone: Option<u32>,
    /// The shapes that are laid over the ground.
    pub shapes: &'a [(Outline, Brush)],
    /// The effort that goes into few cells.
    pub quality: Quality,
}

impl<'a> Task<'a> {
    /// The task to divide cells anew, with nothing laid over them.
    pub fn of(mesh: &'a NavMesh, fabric: &'a Fabric, faces: &BTreeSet<Face>) -> Task<'a> {
        let faces = faces.iter().map(|face| (*face, fabric.sides(mesh, *face))).collect();
        Task { mesh, fabric, faces, gone: None, shapes: &[], quality: Quality::Default }
    }

    /// Returns the corners of all touched cells, those of several cells more than once.
    pub fn corners(&self) -> impl Iterator<Item = u32> + '_ {
        self.faces.values().flatten().map(|((from, _), _)| *from)
    }
}

/// A reason why ground cannot be divided anew.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// Rounding would move the border; with more cells it may succeed.
    Border,
    /// It cannot be done.
    Refused(Error),
}

/// A new cell.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    /// Its corners, counter-clockwise.
    pub corners: Vec<u32>,
    /// The kind of its ground.
    pub label: Label,
    /// Its patches of ground; the seam finds them.
    pub patches: Vec<Patch>,
}

/// The new cells.
#[derive(Debug, Default)]
pub(crate) struct Reworked {
    /// The cells.
    pub pieces: Vec<Piece>,
    /// New vertices, with their points.
    pub vertices: Vec<(u32, Point)>,
    /// Walls of no thickness between the new cells.
    pub thin: BTreeMap<Edge, Thin>,
    /// Vertices at which shapes have corners, with the obstacle.
    pub pinned: BTreeSet<(u32, u32)>,
}

/// Divides the touched ground anew.
pub(crate) fn rework(task: &Task<'_>) -> Result<Reworked, Trouble> {
    let mut labels = Labels::default();
    let strokes = strokes_of(task, &mut labels);
    let strokes = straightened(task, &labels, strokes);
    let points = &task.mesh.parts().points;
    let mut segments: Vec<[Point; 2]> =
        strokes.iter().map(|stroke| [stroke.edge.0, stroke.edge.1].map(|v| points[v as usize])).collect();
    let mut brushes = Vec::new();
    for (index, (outline, _)) in task.shapes.iter().enumerate() {
        for segment in outline.segments() {
            segments.push(segment);
            brushes.push(index);
        }
    }
    let tangled = |error: clearway_geometry::arrangement::ArrangeError| {
        Trouble::Refused(Error::new(ErrorKind::TooLarge, error.to_string()))
    };
    let overlay = Overlay::of(&segments).map_err(tangled)?;
    let ground = Ground { task, strokes, brushes, overlay };
    ground.check_border()?;
    let kinds = ground.kinds(&labels.0)?;
    ground.check_neighbours(&labels.0, &kinds)?;
    ground.divide(&kinds)
}

/// Borders and shapes laid over each other.
struct Ground<'a> {
    task: &'a Task<'a>,
    /// The borders; they are the first segments of the overlay.
    strokes: Vec<Stroke>,
    /// The shape of each further segment.
    brushes: Vec<usize>,
    overlay: Overlay,
}

/// The kinds of ground of the faces of an overlay.
struct Kinds {
    /// The kinds that occur.
    labels: Vec<Label>,
    /// For each triangle, the index of its kind; [`NONE`] outside.
    of_triangle: Vec<u32>,
}

impl Ground<'_> {
    /// Checks that strokes which other cells share are edges as they were.
    fn check_border(&self) -> Result<(), Trouble> {
        let edges = self.overlay.triangulation.edges();
        for (index, stroke) in self.strokes.iter().enumerate().filter(|(_, stroke)| stroke.stays) {
            let [from, to] = self.overlay.ends[index];
            let edge = edges.find(from, to).ok_or(Trouble::Border)?;
            if !self.overlay.along(edge).any(|(segment, _)| segment as usize == index) {
                return Err(Trouble::Border);
            }
            debug_assert_ne!(stroke.edge.0, stroke.edge.1);
        }
        Ok(())
    }

    /// Checks that the ground along sides of cells that are not touched stays free or covered as it was. Rounding may bring
    /// an obstacle onto a portal, or squeeze a thin obstacle to nothing before a wall; the cell behind must then be touched
    /// as well.
    fn check_neighbours(&self, labels: &[Label], kinds: &Kinds) -> Result<(), Trouble> {
        let edges = self.overlay.triangulation.edges();
        let shared = self.strokes.iter().zip(&self.overlay.ends).filter(|(stroke, _)| stroke.stays);
        for (stroke, [from, to]) in shared {
            let edge = edges.find(*from, *to).ok_or(Trouble::Border)?;
            let kind = kinds.of_triangle.get(edge as usize / 3).copied().unwrap_or(NONE);
            let is_free = kinds.labels.get(kind as usize).is_some_and(|label| label.owners.is_empty());
            let was_free = labels.get(stroke.label).is_some_and(|label| label.owners.is_empty());
            let is_alike = match stroke.is_portal {
                true => is_free && self.thin_at(edge) == stroke.thin,
                false => was_free || !is_free,
            };
            if !is_alike {
                return Err(Trouble::Border);
            }
        }
        Ok(())
    }

    /// True if ground on both sides of an edge meets in projection only: no border on one side is one on the other.
    fn is_barrier(&self, edge: u32) -> bool {
        let strokes = || {
            let stroke =
                |(segment, is_same): (u32, bool)| Some((self.strokes.get(segment as usize)?, is_same));
            self.overlay.along(edge).filter_map(stroke)
        };
        let mut left = strokes().filter(|(_, is_same)| *is_same).peekable();
        let has_right = strokes().any(|(_, is_same)| !is_same);
        let is_joined = |stroke: &Stroke| {
            strokes().any(|(other, is_same)| !is_same && (other.edge.1, other.edge.0) == stroke.edge)
        };
        left.peek().is_some() && has_right && !left.any(|(stroke, _)| is_joined(stroke))
    }

    /// Finds the kind of ground of every triangle: crossing a stroke changes how often its loops wind around.
    fn kinds(&self, labels: &[Label]) -> Result<Kinds, Trouble> {
        let edges = self.overlay.triangulation.edges();
        let counters = labels.len() + self.task.shapes.len();
        let count = edges.triangle_count() as usize;
        // Each face of the overlay has one row of windings. Its triangles share the number of the row.
        let mut windings: Vec<i32> = vec![0; counters];
        let mut row_of = vec![NONE; count];
        let mut open = vec![self.overlay.triangulation.outer_triangle()];
        row_of[open[0] as usize] = 0;
        let mut rows = 1;
        while let Some(t) = open.pop() {
            for e in 3 * t..3 * t + 3 {
                let twin = edges.twin(e);
                if twin == NONE || row_of[twin as usize / 3] != NONE {
                    continue;
                }
                let mut row = row_of[t as usize];
                if edges.mark(e) != 0 {
                    let from = row as usize * counters;
                    windings.extend_from_within(from..from + counters);
                    let to = rows as usize * counters;
                    for (segment, is_same) in self.overlay.along(e) {
                        let counter = match self.strokes.get(segment as usize) {
                            Some(stroke) => stroke.label,
                            None => labels.len() + self.brushes[segment as usize - self.strokes.len()],
                        };
                        windings[to + counter] += if is_same { -1 } else { 1 };
                    }
                    row = rows;
                    rows += 1;
                }
                row_of[twin as usize / 3] = row;
                open.push(twin / 3);
            }
        }
        self.kinds_of_rows(labels, &windings, row_of)
    }

    /// Finds the kind of ground of each row of windings. Kinds are numbered in the order of their first triangles.
    fn kinds_of_rows(&self, labels: &[Label], windings: &[i32], row_of: Vec<u32>) -> Result<Kinds, Trouble> {
        let counters = labels.len() + self.task.shapes.len();
        let mut found = Labels::default();
        let mut kinds: Vec<Option<u32>> = vec![None; windings.len() / counters.max(1)];
        let mut of_triangle = row_of;
        for kind in of_triangle.iter_mut().filter(|row| **row != NONE) {
            let row = *kind as usize;
            *kind = match kinds.get(row).copied().flatten() {
                Some(kind) => kind,
                None => {
                    let of_row = windings.get(row * counters..(row + 1) * counters).unwrap_or_default();
                    let label = self.label_of(labels, of_row)?;
                    let kind = label.map_or(NONE, |label| found.index(label) as u32);
                    if let Some(known) = kinds.get_mut(row) {
                        *known = Some(kind);
                    }
                    kind
                }
            };
        }
        Ok(Kinds { labels: found.0, of_triangle })
    }

    /// Returns the kind of ground of a face by its windings; `None` outside.
    fn label_of(&self, labels: &[Label], windings: &[i32]) -> Result<Option<Label>, Trouble> {
        let (own, shapes) = windings.split_at(labels.len());
        let mut around = own.iter().enumerate().filter(|(_, winding)| **winding != 0);
        let Some((index, winding)) = around.next() else { return Ok(None) };
        if *winding != 1 || around.next().is_some() {
            // A plan never lies over itself; there rounding has moved a border across another one.
            let in_layers = self.task.mesh.has_heights();
            return Err(if in_layers { Trouble::Refused(folded()) } else { Trouble::Border });
        }
        let mut label = labels[index].clone();
        for ((_, brush), winding) in self.task.shapes.iter().zip(shapes) {
            match brush {
                Brush::Cover(owner) if *winding != 0 && !label.owners.contains(owner) => {
                    label.owners.push(*owner);
                    label.owners.sort_unstable();
                }
                Brush::Area(area) if *winding != 0 => label.area = *area,
                _ => {}
            }
        }
        Ok(Some(label))
    }

    /// Returns the wall of no thickness along an edge.
    fn thin_at(&self, edge: u32) -> Option<Thin> {
        let mut thin: Option<Thin> = None;
        for (segment, _) in self.overlay.along(edge) {
            let owners = match self.strokes.get(segment as usize) {
                Some(stroke) => stroke.thin.clone(),
                None => match self.task.shapes[self.brushes[segment as usize - self.strokes.len()]].1 {
                    Brush::Wall(owner) => Some(Thin { owners: vec![owner], ..Thin::default() }),
                    Brush::Door(owner) => Some(Thin { open: vec![owner], ..Thin::default() }),
                    _ => None,
                },
            };
            if let Some(other) = owners {
                let thin = thin.get_or_insert_default();
                thin.is_built |= other.is_built;
                thin.is_kept |= other.is_kept;
                thin.owners.extend(other.owners);
                thin.open.extend(other.open);
                for list in [&mut thin.owners, &mut thin.open] {
                    list.sort_unstable();
                    list.dedup();
                }
            }
        }
        thin
    }

    /// Returns the number of the rim along an edge, with the ground of the part on the left.
    fn rim_at(&self, edge: u32) -> Option<u32> {
        let strokes = self.overlay.along(edge).filter(|(_, is_same)| *is_same);
        let mut strokes = strokes.filter_map(|(segment, _)| self.strokes.get(segment as usize));
        strokes.find_map(|stroke| stroke.thin.as_ref()?.rim)
    }

    /// Returns the walls of no thickness and rims by their edges, and the edges at which floors meet in projection only.
    fn borders(&self, kinds: &Kinds) -> (QuickMap<u32, Thin>, QuickSet<u32>) {
        let edges = self.overlay.triangulation.edges();
        let is_ground = |e: u32| kinds.of_triangle.get(e as usize / 3).is_some_and(|kind| *kind != NONE);
        let in_layers = self.task.mesh.has_heights();
        let (mut thin_at, mut barriers) = (QuickMap::default(), QuickSet::default());
        let marked = |e: &u32| edges.mark(*e) != 0 && edges.twin(*e) != NONE && is_ground(*e);
        for e in (0..edges.len()).filter(marked) {
            let is_end = !is_ground(edges.twin(e));
            if is_end || (in_layers && self.is_barrier(e)) {
                barriers.extend((!is_end).then_some(e));
                thin_at.extend(self.rim_at(e).map(|rim| (e, Thin { rim: Some(rim), ..Thin::default() })));
            } else {
                thin_at.extend(self.thin_at(e).map(|thin| (e, thin)));
            }
        }
        (thin_at, barriers)
    }

    /// Divides each kind of ground into convex cells.
    fn divide(&self, kinds: &Kinds) -> Result<Reworked, Trouble> {
        let edges = self.overlay.triangulation.edges();
        let kind = |e: u32| kinds.of_triangle.get(e as usize / 3).copied().unwrap_or(NONE);
        let in_layers = self.task.mesh.has_heights();
        let (thin_at, barriers) = self.borders(kinds);
        let mut result = Reworked::default();
        let mut outlines = Vec::new();
        for (index, label) in (0u32..).zip(&kinds.labels) {
            let members: Vec<bool> = kinds.of_triangle.iter().map(|kind| *kind == index).collect();
            let is_wall =
                |e: u32| kind(edges.twin(e)) != index || thin_at.contains_key(&e) || barriers.contains(&e);
            let cells =
                outlines_of_triangles(&self.overlay.triangulation, &members, self.task.quality, is_wall);
            outlines.extend(cells.into_iter().map(|outline| (outline, label.clone())));
        }
        let is_barrier = |from: u32, to: u32| edges.find(from, to).is_some_and(|e| barriers.contains(&e));
        let borders = outlines.iter().map(|(outline, _): &(Vec<u32>, Label)| outline.as_slice());
        let mut rows = Rows::of(borders, in_layers, is_barrier);
        self.number_vertices(&mut rows, &mut result)?;
        for (e, thin) in thin_at {
            if let Some(edge) = rows.side(edges.origin(e), edges.target(e)) {
                result.thin.insert(undirected(edge), thin);
            }
        }
        self.pin(&rows, &mut result);
        let piece = |(index, (_, label)): (usize, (Vec<u32>, Label))| Piece {
            corners: rows.outline(index),
            label,
            patches: Vec::new(),
        };
        result.pieces = outlines.into_iter().enumerate().map(piece).collect();
        Ok(result)
    }

    /// Gives the corners of new cells their vertices in the mesh; new ones get free numbers.
    fn number_vertices(&self, rows: &mut Rows, result: &mut Reworked) -> Result<(), Trouble> {
        let two = |_: TwoVertices| Trouble::Refused(over_rim());
        let known = self.strokes.iter().zip(&self.overlay.ends);
        for (stroke, ends) in known {
            if stroke.stays && !rows.has_side(ends[0], ends[1]) {
                return Err(Trouble::Border);
            }
            for (local, vertex) in ends.iter().zip([stroke.edge.0, stroke.edge.1]) {
                rows.assign_place(*local, vertex).map_err(two)?;
            }
        }
        if rows.is_in_layers() {
            self.assign_in_layers(rows).map_err(two)?;
        }
        let appended = self.task.mesh.parts().points.len() as u32..;
        let fresh = rows.number_rest(self.task.fabric.free.vertices.iter().copied().chain(appended));
        let place = |(number, local): (u32, u32)| (number, self.overlay.triangulation.point(local));
        result.vertices.extend(fresh.into_iter().map(place));
        Ok(())
    }

    /// Gives rows of corners the vertices of the borders along them.
    fn assign_in_layers(&self, rows: &mut Rows) -> Result<(), TwoVertices> {
        let edges = self.overlay.triangulation.edges();
        let corners: Vec<(usize, usize)> = rows.corners().collect();
        for (outline, corner) in corners {
            let next = rows.next(outline, corner);
            let ends = [rows.local(corner), rows.local(next)];
            let Some(e) = edges.find(ends[0], ends[1]) else { continue };
            for (segment, _) in self.overlay.along(e).filter(|(_, is_same)| *is_same) {
                let Some(stroke) = self.strokes.get(segment as usize) else { continue };
                let [first, last] = self.overlay.ends[segment as usize];
                if first == ends[0] {
                    rows.assign(corner, stroke.edge.0)?;
                }
                if last == ends[1] {
                    rows.assign(next, stroke.edge.1)?;
                }
            }
        }
        Ok(())
    }

    /// Notes the corners of the shapes of obstacles, and the places where a shape crosses itself: there its border bends
    /// although it has no corner.
    fn pin(&self, rows: &Rows, result: &mut Reworked) {
        let mut owners: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        let ends = (0..self.brushes.len()).flat_map(|place| {
            self.overlay.ends[self.strokes.len() + place].into_iter().map(move |local| (local, place))
        });
        for (local, place) in ends.chain(self.own_crossings()) {
            if let Brush::Cover(owner) | Brush::Wall(owner) | Brush::Door(owner) =
                self.task.shapes[self.brushes[place]].1
            {
                owners.entry(local).or_default().insert(owner);
            }
        }
        for (_, corner) in rows.corners() {
            let here = owners.get(&rows.local(corner)).into_iter().flatten();
            result.pinned.extend(here.map(|owner| (rows.vertex(corner), *owner)));
        }
    }

    /// Returns the vertices at which two segments of one shape meet, each with one of the segments.
    fn own_crossings(&self) -> Vec<(u32, usize)> {
        let edges = self.overlay.triangulation.edges();
        let mut passed: Vec<(u32, usize, usize)> = Vec::new();
        for e in (0..edges.len()).filter(|e| edges.mark(*e) != 0) {
            for (segment, _) in self.overlay.along(e) {
                if let Some(place) = (segment as usize).checked_sub(self.strokes.len()) {
                    let shape = self.brushes[place];
                    passed.extend([edges.origin(e), edges.target(e)].map(|local| (local, shape, place)));
                }
            }
        }
        passed.sort_unstable();
        passed.dedup();
        let meet = |pair: &&[(u32, usize, usize)]| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1);
        passed.windows(2).filter(meet).map(|pair| (pair[0].0, pair[0].2)).collect()
    }
}

/// The error for ground that meets in projection and is not joined.
pub(crate) fn over_rim() -> Error {
    Error::new(
        ErrorKind::Unsupported,
        "the cells under the shape meet at a rim between floors that are not joined there; move or shrink the shape",
    )
}

/// The error for ground that lies over itself.
fn folded() -> Error {
    Error::new(
        ErrorKind::Unsupported,
        "folded: the touched ground lies over itself, as where a ramp winds over its own start; use a smaller shape",
    )
}
