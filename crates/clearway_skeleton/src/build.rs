//! Builds of whole diagrams, and the safety net that builds a faulty one anew.
//!
//! Cost: the sort, then constant time for each site as measured up to a million segments.

use crate::audit::Audit;
use crate::diagram::Diagram;
use crate::parts::{Filled, Load, Order, Shared};
use crate::shapes::{Hints, Owned, Shape, ShapeId};
use clearway_base::error::{Error, Result};
use clearway_base::parallel;
use clearway_geometry::{NONE, Point, hilbert};

impl Diagram {
    /// Builds a diagram of many shapes at once: points in rounds of growing size, each along a Hilbert curve (Amenta,
    /// Choi and Rote 2003), then the segments along it. The ids are in the order of the shapes. A large world is built in
    /// parts on several threads (`parts`).
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

    /// The same for several sheets that do not know of each other, each with a frame of its own. They are built side by
    /// side, and their lists joined in their order.
    pub(crate) fn build_sheets(
        bounds: [Point; 2],
        sheets: &[impl AsRef<[Shape]> + Sync],
        is_checked: bool,
    ) -> Result<(Diagram, Vec<Vec<ShapeId>>)> {
        let count: usize = sheets.iter().map(|sheet| sheet.as_ref().len()).sum();
        let build =
            |sheet: usize| Diagram::build_sheet(bounds, sheets[sheet].as_ref(), is_checked, MOST_PARTS);
        let mut made = map(sheets.len(), count, build).into_iter();
        let Some(first) = made.next() else { return Ok((Diagram::new(bounds[0], bounds[1])?, Vec::new())) };
        let (mut diagram, filled) = first?;
        let mut filled = vec![filled];
        for sheet in made {
            let (other, mut sites) = sheet?;
            sites.shift(diagram.absorb(other, &Shared::default(), 0));
            filled.push(sites);
        }
        diagram.hints = Hints::new(diagram.bounds, diagram.graph.sites.len());
        for id in 0..diagram.graph.sites.len() as u32 {
            diagram.note(id);
        }
        let mut ids = Vec::with_capacity(sheets.len());
        for (shapes, filled) in sheets.iter().zip(filled) {
            ids.push(diagram.name_shapes(shapes.as_ref(), &filled)?);
        }
        diagram.is_checked = true;
        Ok((diagram, ids))
    }

    /// Builds a sheet in at most this many parts, without its shapes.
    pub(crate) fn build_sheet(
        bounds: [Point; 2],
        shapes: &[Shape],
        is_checked: bool,
        most: usize,
    ) -> Result<(Diagram, Filled)> {
        let mut empty = Diagram::new(bounds[0], bounds[1])?;
        for (index, shape) in shapes.iter().enumerate() {
            empty.check_shape(shape).map_err(|e| Error::new(e.kind(), format!("shape {index}: {e}")))?;
        }
        empty.is_checked = is_checked;
        let load = Load::of(shapes);
        empty.hints = Hints::new(bounds, 2 * load.corners.len());
        let order = empty.order(&load);
        let mut diagram = empty.clone();
        let mut filled = diagram.fill(&load, &order, most);
        if filled.is_err() {
            // A corner that touches a wall of another part can go in only before that wall.
            diagram = empty;
            filled = diagram.fill(&load, &order, 1);
        }
        filled.map(|filled| (diagram, filled))
    }

    /// The order in which corners and walls go in.
    fn order(&self, load: &Load) -> Order {
        let [least, greatest] = self.bounds;
        let shift = hilbert::shift_for(least, greatest);
        let mut state = 0x9E37_79B9_7F4A_7C15u64;
        let rounds = load.corners.iter().map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            20 - (state >> 33 | 1 << 20).trailing_zeros()
        });
        let rounds: Vec<u32> = rounds.collect();
        let key = |round: u32, index: u32, i: usize| (u64::from(round) << 32 | u64::from(index), i as u32);
        let count = load.corners.len();
        let points = map(count, count, |i| key(rounds[i], hilbert::index(load.corners[i], least, shift), i));
        let count = load.walls.len();
        let walls = map(count, count, |i| {
            let [a, b] = load.walls[i].map(|corner| load.corners[corner as usize]);
            let middle = Point::new((a.x + b.x) / 2, (a.y + b.y) / 2);
            key(0, hilbert::index(middle, least, shift), i)
        });
        let [points, walls] = [points, walls].map(|mut keys| {
            parallel::sort(&mut keys);
            keys.into_iter().map(|(_, i)| i).collect()
        });
        Order { points, walls }
    }

    /// Makes the shapes of a sheet, given the sites of their corners and walls. Those with a wall that is not in are put in
    /// again, split where they meet others.
    fn name_shapes(&mut self, shapes: &[Shape], filled: &Filled) -> Result<Vec<ShapeId>> {
        let mut ids = Vec::with_capacity(shapes.len());
        let mut meeting = Vec::new();
        let (mut points, mut segments) = (filled.points.as_slice(), filled.segments.as_slice());
        for shape in shapes {
            let (own, others) = points.split_at(shape.corners().len());
            let (walls, rest) = segments.split_at(shape.walls().count());
            (points, segments) = (others, rest);
            if walls.contains(&NONE) {
                meeting.push(ids.len() as u32);
            }
            let id = self.new_shape(own);
            self.shapes[id.index as usize].segments = walls.to_vec();
            ids.push(id);
        }
        self.put_again(shapes, &ids, &meeting)?;
        Ok(ids)
    }

    /// Takes shapes that meet others out, and puts them in one by one, split where they meet.
    fn put_again(&mut self, shapes: &[Shape], ids: &[ShapeId], meeting: &[u32]) -> Result<()> {
        for &shape in meeting {
            let index = ids[shape as usize].index as usize;
            let mut owned = std::mem::take(&mut self.shapes[index]);
            owned.segments.retain(|&segment| segment != NONE);
            self.take_out(&owned);
            self.shapes[index] = Owned { generation: owned.generation, is_alive: true, ..Owned::default() };
        }
        for &shape in meeting {
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

/// The most parts into which a sheet is cut. More of them would leave much for the strips between.
const MOST_PARTS: usize = 8;

/// Returns the values for a range of indices, on several threads if they stand for many items.
fn map<T: Send>(count: usize, items: usize, make: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
    if items < WORTH_THREADS { (0..count).map(make).collect() } else { parallel::map(count, make) }
}
