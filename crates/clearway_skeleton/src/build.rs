//! Builds of whole diagrams, and the safety net that builds a faulty one anew.
//!
//! Cost: the sort, then constant time for each site as measured up to a million segments.

use crate::audit::Audit;
use crate::diagram::{Diagram, FRAME, Trouble};
use crate::shapes::{Hints, Owned, Shape, ShapeId};
use clearway_base::error::{Error, Result};
use clearway_base::parallel;
use clearway_geometry::{NONE, Point, hilbert};

impl Diagram {
    /// Builds a diagram of many shapes at once: points in rounds of growing size, each along a Hilbert curve (Amenta,
    /// Choi and Rote 2003), then the segments along it. The ids are in the order of the shapes.
    pub fn build(min: Point, max: Point, shapes: &[Shape]) -> Result<(Diagram, Vec<ShapeId>)> {
        Diagram::build_checked(min, max, shapes, true)
    }

    /// The same; walls that are known not to cross need no check.
    pub(crate) fn build_checked(
        min: Point,
        max: Point,
        shapes: &[Shape],
        is_checked: bool,
    ) -> Result<(Diagram, Vec<ShapeId>)> {
        let (diagram, ids) = Diagram::build_sheets([min, max], &[shapes], is_checked)?;
        Ok((diagram, ids.into_iter().flatten().collect()))
    }

    /// The same for several sheets that do not know of each other, each with a frame of its own.
    pub(crate) fn build_sheets(
        [min, max]: [Point; 2],
        sheets: &[impl AsRef<[Shape]>],
        is_checked: bool,
    ) -> Result<(Diagram, Vec<Vec<ShapeId>>)> {
        let mut diagram = Diagram::new(min, max)?;
        diagram.is_checked = is_checked;
        let mut ids = Vec::with_capacity(sheets.len());
        for (sheet, shapes) in sheets.iter().enumerate() {
            let first = if sheet == 0 { FRAME } else { diagram.add_sheet()? };
            ids.push(diagram.fill_sheet(shapes.as_ref(), first)?);
        }
        diagram.hints = Hints::new(diagram.bounds, diagram.graph.sites.len());
        for id in 0..diagram.graph.sites.len() as u32 {
            diagram.note(id);
        }
        diagram.is_checked = true;
        Ok((diagram, ids))
    }

    /// Puts the shapes of a sheet in, given a site of it.
    fn fill_sheet(&mut self, shapes: &[Shape], first: u32) -> Result<Vec<ShapeId>> {
        for (index, shape) in shapes.iter().enumerate() {
            self.check_shape(shape).map_err(|e| Error::new(e.kind(), format!("shape {index}: {e}")))?;
        }
        let corner_count: usize = shapes.iter().map(|shape| shape.corners().len()).sum();
        self.hints = Hints::new(self.bounds, 2 * corner_count);
        let wall_count: usize = shapes.iter().map(|shape| shape.walls().count()).sum();
        self.graph.reserve(Diagram::distinct_corners(shapes) + wall_count);
        let sites = self.build_points(shapes, first)?;
        self.build_segments(shapes, &sites)
    }

    /// The number of corners without repetitions.
    fn distinct_corners(shapes: &[Shape]) -> usize {
        let mut corners: Vec<i64> =
            shapes.iter().flat_map(|shape| shape.corners()).map(|p| p.rank()).collect();
        sort(&mut corners);
        corners.dedup();
        corners.len()
    }

    /// Puts in the corners of all shapes, given a site to start from. Returns a site for each corner, shape after shape.
    fn build_points(&mut self, shapes: &[Shape], first: u32) -> Result<Vec<u32>> {
        let shift = hilbert::shift_for(self.bounds[0], self.bounds[1]);
        let corners: Vec<Point> = shapes.iter().flat_map(|shape| shape.corners().iter().copied()).collect();
        let mut state = 0x9E37_79B9_7F4A_7C15u64;
        let rounds = corners.iter().map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            20 - (state >> 33 | 1 << 20).trailing_zeros()
        });
        let rounds: Vec<u32> = rounds.collect();
        let least = self.bounds[0];
        let mut order: Vec<(u32, u32, u32)> =
            map(corners.len(), |i| (rounds[i], hilbert::index(corners[i], least, shift), i as u32));
        sort(&mut order);
        let mut sites = vec![NONE; corners.len()];
        let mut hint = first;
        for (_, _, i) in order {
            let site = self.point_site(corners[i as usize], hint);
            hint = site.map_err(|trouble| self.refusal(trouble))?;
            sites[i as usize] = hint;
        }
        Ok(sites)
    }

    fn build_segments(&mut self, shapes: &[Shape], sites: &[u32]) -> Result<Vec<ShapeId>> {
        let shift = hilbert::shift_for(self.bounds[0], self.bounds[1]);
        let mut walls = Vec::new();
        let mut ids = Vec::with_capacity(shapes.len());
        let mut first = 0;
        for shape in shapes {
            let corners = shape.corners();
            let id = self.new_shape(&sites[first..first + corners.len()]);
            for (wall, [i, j]) in shape.walls().enumerate() {
                let (a, b) = (corners[i], corners[j]);
                let middle = Point::new((a.x + b.x) / 2, (a.y + b.y) / 2);
                walls.push((middle, ids.len() as u32, wall as u32, sites[first + i], sites[first + j]));
            }
            self.shapes[id.index as usize].segments = vec![NONE; shape.walls().count()];
            first += corners.len();
            ids.push(id);
        }
        let least = self.bounds[0];
        let mut order = map(walls.len(), |i| {
            let (middle, shape, wall, a, b) = walls[i];
            (hilbert::index(middle, least, shift), shape, wall, a, b)
        });
        sort(&mut order);
        let mut meeting: Vec<u32> = Vec::new();
        for (_, shape, wall, a, b) in order {
            match self.segment_site(a, b) {
                Ok(segment) => {
                    self.shapes[ids[shape as usize].index as usize].segments[wall as usize] = segment;
                }
                Err(Trouble::Meets(_)) => meeting.push(shape),
                Err(trouble) => return Err(self.refusal(trouble)),
            }
        }
        self.put_again(shapes, &ids, meeting)?;
        Ok(ids)
    }

    /// Takes shapes that meet others out, and puts them in one by one, split where they meet.
    fn put_again(&mut self, shapes: &[Shape], ids: &[ShapeId], mut meeting: Vec<u32>) -> Result<()> {
        meeting.sort_unstable();
        meeting.dedup();
        for &shape in &meeting {
            let index = ids[shape as usize].index as usize;
            let mut owned = std::mem::take(&mut self.shapes[index]);
            owned.segments.retain(|&segment| segment != NONE);
            self.take_out(&owned);
            self.shapes[index] = Owned { generation: owned.generation, is_alive: true, ..Owned::default() };
        }
        for shape in meeting {
            self.put(ids[shape as usize].index, &shapes[shape as usize], None)
                .map_err(|e| Error::new(e.kind(), format!("shape {shape}: {e}")))?;
        }
        Ok(())
    }

    /// Audits the diagram and builds it anew if something is wrong. Returns what the audit found.
    pub fn mend(&mut self) -> Result<Audit> {
        let audit = self.audit();
        if !audit.is_clean() {
            self.rebuild()?;
        }
        Ok(audit)
    }

    /// Builds the graph of the same sites anew. Shapes keep their ids.
    fn rebuild(&mut self) -> Result<()> {
        let living: Vec<u32> =
            (0..self.shapes.len() as u32).filter(|&i| self.shapes[i as usize].is_alive).collect();
        let shapes: Vec<Shape> =
            living[1..].iter().map(|&i| self.shape_of(&self.shapes[i as usize])).collect();
        let is_checked = !self.groups.is_empty();
        let (mut fresh, ids) = Diagram::build_checked(self.bounds[0], self.bounds[1], &shapes, is_checked)?;
        fresh.graph.counters = self.graph.counters;
        fresh.graph.counters.rebuilds += 1;
        // The fresh diagram numbers shapes anew; here they keep their indices.
        let index_of = |fresh: u32| living[fresh as usize];
        let groups = std::mem::take(&mut fresh.groups).into_iter();
        fresh.groups = groups
            .map(|(group, members)| (index_of(group), members.into_iter().map(index_of).collect()))
            .collect();
        fresh.by_site = None;
        fresh.shape_count = self.shape_count;
        let mut owned = std::mem::take(&mut self.shapes);
        for (&index, id) in living[1..].iter().zip(ids) {
            let mut made = std::mem::take(&mut fresh.shapes[id.index as usize]);
            made.woven.iter_mut().for_each(|woven| woven.group = index_of(woven.group));
            let generation = owned[index as usize].generation;
            owned[index as usize] = Owned { generation, ..made };
        }
        owned[0] = std::mem::take(&mut fresh.shapes[0]);
        fresh.shapes = owned;
        fresh.free_shapes = std::mem::take(&mut self.free_shapes);
        *self = fresh;
        Ok(())
    }
}

/// The fewest items that are shared among threads: waking a thread costs as much as some thousand keys, and skeletons of
/// small worlds are built by the thousand.
const WORTH_THREADS: usize = 4096;

/// Returns the values for a range of indices; those of many on several threads.
fn map<T: Send>(count: usize, make: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
    if count < WORTH_THREADS { (0..count).map(make).collect() } else { parallel::map(count, make) }
}

/// Sorts a list; a long one on several threads. No two items are equal, so that there is one order.
fn sort<T: Ord + Send>(items: &mut [T]) {
    if items.len() < WORTH_THREADS { items.sort_unstable() } else { parallel::sort(items) }
}
