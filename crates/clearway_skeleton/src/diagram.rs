//! The diagram that users edit: shapes on the integer grid, with stale-safe handles and shared sites.
//!
//! Shapes may share points and whole segments; each site counts its owners and goes with the last of them. Segments that
//! cross, and points inside segments, are refused. A failed edit leaves the diagram as it was. A frame of four segments
//! encloses the world, so every cell inside is bounded.

use crate::audit::Audit;
use crate::graph::{Counters, Graph};
use crate::insert::Refusal;
use crate::sites::Site;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_geometry::grid::LIMIT;
use clearway_geometry::predicates::on_segment;
use clearway_geometry::{NONE, Point, Vec2, hilbert};

/// An obstacle on the grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A single point.
    Point(Point),
    /// A straight wall.
    Segment([Point; 2]),
    /// A closed ring of walls. Its inside belongs to the diagram too.
    Polygon(Vec<Point>),
}

impl Shape {
    /// Its corners.
    fn corners(&self) -> &[Point] {
        match self {
            Shape::Point(at) => std::slice::from_ref(at),
            Shape::Segment(ends) => ends,
            Shape::Polygon(corners) => corners,
        }
    }

    /// The pairs of corners, by index, that walls join.
    fn walls(&self) -> impl Iterator<Item = [usize; 2]> + use<> {
        let count = self.corners().len();
        let walls = match self {
            Shape::Point(_) => 0,
            Shape::Segment(_) => 1,
            Shape::Polygon(_) => count,
        };
        (0..walls).map(move |i| [i, (i + 1) % count])
    }
}

/// Names a shape in a [`Diagram`]. It stays invalid once its shape is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShapeId {
    index: u32,
    generation: u32,
}

/// Names a site: a point, or an open segment between two points. It is valid until the next edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteId(pub u32);

/// The sites of a shape.
#[derive(Clone, Debug, Default)]
struct Owned {
    generation: u32,
    is_alive: bool,
    points: Vec<u32>,
    segments: Vec<u32>,
}

/// A segment Voronoi diagram that takes shapes in and out, in grid units.
///
/// ```
/// use clearway_geometry::{Point, Vec2};
/// use clearway_skeleton::{Diagram, Shape};
///
/// let mut diagram = Diagram::new(Point::new(0, 0), Point::new(1000, 1000))?;
/// let wall = diagram.insert(&Shape::Segment([Point::new(100, 500), Point::new(900, 500)]))?;
/// let nearest = diagram.nearest(Vec2::new(500.0, 530.0), None);
/// assert_eq!(nearest.distance, 30.0);
/// assert_eq!(nearest.point, Vec2::new(500.0, 500.0));
/// diagram.remove(wall)?;
/// assert!(diagram.remove(wall).is_err());
/// assert!(diagram.audit().is_clean());
/// # Ok::<(), clearway_base::error::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Diagram {
    pub(crate) graph: Graph,
    /// The number of owners of each site: shapes, and segments that end there.
    owners: Vec<u32>,
    shapes: Vec<Owned>,
    free_shapes: Vec<u32>,
    bounds: [Point; 2],
    hints: Hints,
    shape_count: usize,
}

/// For each square of a coarse grid, a site that was put in there last.
#[derive(Clone, Debug, Default)]
struct Hints {
    corner: Vec2,
    size: f64,
    columns: usize,
    rows: usize,
    sites: Vec<u32>,
}

impl Hints {
    /// A grid with about one square for eight sites.
    fn new([min, max]: [Point; 2], count: usize) -> Hints {
        let corner = min.as_vec2();
        let span = max.as_vec2() - corner;
        let size =
            (span.x * span.y / (count as f64 / 8.0).clamp(64.0, 1e6)).sqrt().max(span.x.max(span.y) / 4096.0);
        let [columns, rows] = [span.x, span.y].map(|length| (length / size) as usize + 1);
        Hints { corner, size, columns, rows, sites: vec![NONE; columns * rows] }
    }

    fn square(&self, at: Vec2) -> usize {
        let d = at - self.corner;
        let place = |x: f64, count: usize| ((x / self.size).max(0.0) as usize).min(count - 1);
        place(d.y, self.rows) * self.columns + place(d.x, self.columns)
    }
}

/// The first site of the frame: every graph starts with three points around it.
const FRAME: u32 = 3;

impl Diagram {
    /// A diagram without shapes over a box of the grid, borders included. The box must stay within the limits of the
    /// grid.
    pub fn new(min: Point, max: Point) -> Result<Diagram> {
        let fits = [min, max].iter().all(|p| p.x.abs() <= LIMIT && p.y.abs() <= LIMIT);
        if !fits || min.x > max.x || min.y > max.y {
            let message = format!("the box from {min:?} to {max:?} is empty or leaves the grid of ±{LIMIT}");
            return Err(Error::new(ErrorKind::OutOfRange, message));
        }
        // A frame at an eighth of the size keeps its influence off the shapes, and its discs small.
        let span = i64::from(max.x - min.x).max(i64::from(max.y - min.y)) as i32;
        let margin = (span / 8).max(8);
        let bounds = [min, max];
        let low = Point::new(min.x - margin, min.y - margin);
        let high = Point::new(max.x + margin, max.y + margin);
        let mut diagram = Diagram {
            graph: Graph::around(low.as_vec2(), high.as_vec2()),
            owners: vec![1; FRAME as usize],
            shapes: Vec::new(),
            free_shapes: Vec::new(),
            bounds,
            hints: Hints::new(bounds, 0),
            shape_count: 0,
        };
        let corners = [low, Point::new(high.x, low.y), high, Point::new(low.x, high.y)];
        let frame = diagram.add_shape(&Shape::Polygon(corners.to_vec()), None)?;
        diagram.shape_count = 0;
        debug_assert_eq!(frame.index, 0);
        Ok(diagram)
    }

    /// Builds a diagram of many shapes at once: points in rounds of growing size, each along a Hilbert curve (Amenta,
    /// Choi and Rote 2003), then the segments along it. The ids are in the order of the shapes.
    pub fn build(min: Point, max: Point, shapes: &[Shape]) -> Result<(Diagram, Vec<ShapeId>)> {
        let mut diagram = Diagram::new(min, max)?;
        for (index, shape) in shapes.iter().enumerate() {
            diagram.check_shape(shape).map_err(|e| Error::new(e.kind(), format!("shape {index}: {e}")))?;
        }
        let corner_count: usize = shapes.iter().map(|shape| shape.corners().len()).sum();
        diagram.hints = Hints::new(diagram.bounds, 2 * corner_count);
        let sites = diagram.build_points(shapes)?;
        let ids = diagram.build_segments(shapes, &sites)?;
        diagram.hints = Hints::new(diagram.bounds, diagram.graph.sites.len());
        for id in 0..diagram.graph.sites.len() as u32 {
            diagram.note(id);
        }
        Ok((diagram, ids))
    }

    /// Puts in the corners of all shapes. Returns a site for each corner, shape after shape.
    fn build_points(&mut self, shapes: &[Shape]) -> Result<Vec<u32>> {
        let shift = hilbert::shift_for(self.bounds[0], self.bounds[1]);
        let corners: Vec<Point> = shapes.iter().flat_map(|shape| shape.corners().iter().copied()).collect();
        let mut order: Vec<(u32, u32, u32)> = Vec::with_capacity(corners.len());
        let mut state = 0x9E37_79B9_7F4A_7C15u64;
        for (i, &corner) in corners.iter().enumerate() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let round = 20 - (state >> 33 | 1 << 20).trailing_zeros();
            order.push((round, hilbert::index(corner, self.bounds[0], shift), i as u32));
        }
        order.sort_unstable();
        let mut sites = vec![NONE; corners.len()];
        let mut hint = FRAME;
        for (_, _, i) in order {
            hint = self.point_site(corners[i as usize], hint)?;
            sites[i as usize] = hint;
        }
        Ok(sites)
    }

    fn build_segments(&mut self, shapes: &[Shape], sites: &[u32]) -> Result<Vec<ShapeId>> {
        let shift = hilbert::shift_for(self.bounds[0], self.bounds[1]);
        let mut order = Vec::new();
        let mut ids = Vec::with_capacity(shapes.len());
        let mut first = 0;
        for shape in shapes {
            let corners = shape.corners();
            let id = self.new_shape(&sites[first..first + corners.len()]);
            for [i, j] in shape.walls() {
                let (a, b) = (corners[i], corners[j]);
                let middle = Point::new((a.x + b.x) / 2, (a.y + b.y) / 2);
                let place = hilbert::index(middle, self.bounds[0], shift);
                order.push((place, id.index, sites[first + i], sites[first + j]));
            }
            first += corners.len();
            ids.push(id);
        }
        order.sort_unstable();
        for (_, shape, a, b) in order {
            let segment = self.segment_site(a, b)?;
            self.shapes[shape as usize].segments.push(segment);
        }
        Ok(ids)
    }

    /// Puts a shape in. It may share points and whole segments with others, but not cross or touch them elsewhere.
    pub fn insert(&mut self, shape: &Shape) -> Result<ShapeId> {
        self.check_shape(shape)?;
        self.add_shape(shape, None)
    }

    /// Takes a shape out.
    pub fn remove(&mut self, id: ShapeId) -> Result<()> {
        let place = self.owned(id)?;
        let owned = std::mem::take(&mut self.shapes[place]);
        self.take_out(&owned);
        self.retire(place, owned.generation);
        Ok(())
    }

    /// Puts a shape in the place of another, which keeps its id. If the new one is refused, the old one stays.
    pub fn replace(&mut self, id: ShapeId, shape: &Shape) -> Result<()> {
        self.check_shape(shape)?;
        let place = self.owned(id)?;
        let old = std::mem::take(&mut self.shapes[place]);
        let before: Shape = self.shape_of(&old);
        let hint = self.neighbour_outside(&old);
        self.take_out(&old);
        let (result, sites) = match self.add_sites(shape, hint) {
            Ok(sites) => (Ok(()), sites),
            Err(error) => (Err(error), self.add_sites(&before, hint)?),
        };
        let [points, segments] = sites;
        self.shapes[place] = Owned { generation: old.generation, is_alive: true, points, segments };
        result
    }

    /// The number of shapes.
    pub fn shape_count(&self) -> usize {
        self.shape_count
    }

    /// What happened in the updates so far.
    pub fn counters(&self) -> Counters {
        self.graph.counters
    }

    /// Checks every law: topology, and every disc against all sites.
    pub fn audit(&self) -> Audit {
        let [min, max] = self.frame();
        // Circles hold about 24 bits below a grid unit in the largest world.
        self.graph.audit([min, max], 64.0 * self.graph.epsilon)
    }

    /// The corners of the frame around the world.
    pub(crate) fn frame(&self) -> [Vec2; 2] {
        [self.graph.site(FRAME).a, self.graph.site(FRAME + 2).a]
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
        let (mut fresh, ids) = Diagram::build(self.bounds[0], self.bounds[1], &shapes)?;
        fresh.graph.counters = self.graph.counters;
        fresh.graph.counters.rebuilds += 1;
        let mut owned = std::mem::take(&mut self.shapes);
        for (&index, id) in living[1..].iter().zip(ids) {
            let made = std::mem::take(&mut fresh.shapes[id.index as usize]);
            let generation = owned[index as usize].generation;
            owned[index as usize] = Owned { generation, ..made };
        }
        owned[0] = std::mem::take(&mut fresh.shapes[0]);
        fresh.shapes = owned;
        fresh.free_shapes = std::mem::take(&mut self.free_shapes);
        *self = fresh;
        Ok(())
    }

    /// Refuses shapes outside of the world, of zero length, and rings that repeat corners.
    fn check_shape(&self, shape: &Shape) -> Result<()> {
        let [min, max] = self.bounds;
        let corners = shape.corners();
        for (i, p) in corners.iter().enumerate() {
            if p.x < min.x || p.y < min.y || p.x > max.x || p.y > max.y {
                let message =
                    format!("corner {i} at {p:?} lies outside of the world from {min:?} to {max:?}");
                return Err(Error::new(ErrorKind::OutOfRange, message));
            }
        }
        if let Some([i, j]) = shape.walls().find(|[i, j]| corners[*i] == corners[*j]) {
            let message = format!("the wall from corner {i} to corner {j} at {:?} has no length", corners[i]);
            return Err(Error::new(ErrorKind::Options, message));
        }
        if matches!(shape, Shape::Polygon(_)) && corners.len() < 3 {
            return Err(Error::new(ErrorKind::Options, "a polygon needs three corners"));
        }
        Ok(())
    }

    /// The index of a living shape.
    fn owned(&self, id: ShapeId) -> Result<usize> {
        let place = id.index as usize;
        match self.shapes.get(place) {
            Some(owned) if owned.is_alive && owned.generation == id.generation && place > 0 => Ok(place),
            _ => Err(Error::new(ErrorKind::Options, format!("shape {} is not in the diagram", id.index))),
        }
    }

    fn shape_of(&self, owned: &Owned) -> Shape {
        let points: Vec<Point> = owned.points.iter().map(|&id| grid_point(self.graph.site(id).a)).collect();
        match (points.as_slice(), owned.segments.len()) {
            ([at], _) => Shape::Point(*at),
            ([a, b], 1) => Shape::Segment([*a, *b]),
            _ => Shape::Polygon(points),
        }
    }

    fn new_shape(&mut self, points: &[u32]) -> ShapeId {
        let index = self.free_shapes.pop().unwrap_or(self.shapes.len() as u32);
        if index as usize == self.shapes.len() {
            self.shapes.push(Owned::default());
        }
        let owned = &mut self.shapes[index as usize];
        (owned.is_alive, owned.points, owned.segments) = (true, points.to_vec(), Vec::new());
        self.shape_count += 1;
        ShapeId { index, generation: owned.generation }
    }

    fn retire(&mut self, place: usize, generation: u32) {
        let generation = generation.wrapping_add(1);
        self.shapes[place] = Owned { generation, ..Owned::default() };
        self.free_shapes.push(place as u32);
        self.shape_count -= 1;
    }

    fn add_shape(&mut self, shape: &Shape, hint: Option<u32>) -> Result<ShapeId> {
        let [points, segments] = self.add_sites(shape, hint)?;
        let id = self.new_shape(&points);
        self.shapes[id.index as usize].segments = segments;
        Ok(id)
    }

    /// Puts the sites of a shape in; on an error none of them.
    fn add_sites(&mut self, shape: &Shape, hint: Option<u32>) -> Result<[Vec<u32>; 2]> {
        let mut owned = Owned::default();
        let mut result = Ok(());
        let mut near = hint;
        for (i, &corner) in shape.corners().iter().enumerate() {
            let from = near.unwrap_or_else(|| self.hint(corner.as_vec2()));
            match self.point_site(corner, from) {
                Ok(id) => {
                    owned.points.push(id);
                    near = Some(id);
                }
                Err(e) => {
                    result = Err(Error::new(e.kind(), format!("corner {i}: {e}")));
                    break;
                }
            }
        }
        for [i, j] in shape.walls().take_while(|_| result.is_ok()).collect::<Vec<_>>() {
            match self.segment_site(owned.points[i], owned.points[j]) {
                Ok(id) => owned.segments.push(id),
                Err(e) => {
                    result = Err(Error::new(e.kind(), format!("wall from corner {i} to {j}: {e}")));
                    break;
                }
            }
        }
        if result.is_err() {
            self.take_out(&owned);
        }
        result.map(|()| [owned.points, owned.segments])
    }

    /// The site of a point, put in if it is new, with one more owner.
    fn point_site(&mut self, at: Point, hint: u32) -> Result<u32> {
        let place = at.as_vec2();
        let nearest = self.graph.locate(place, hint);
        let site = self.graph.site(nearest);
        if site.is_point() && site.a == place {
            self.owners[nearest as usize] += 1;
            return Ok(nearest);
        }
        let around = std::iter::once(nearest).chain(self.graph.spokes(nearest).map(|h| self.graph.to(h)));
        for id in around {
            let site = self.graph.site(id);
            if !site.is_point() && on_segment(grid_point(site.a), grid_point(site.b), at) {
                let message = format!("{at:?} lies on the wall {}", describe(site));
                return Err(Error::new(ErrorKind::Unsupported, message));
            }
        }
        let id = self.graph.add_site(Site::point(place));
        if self.graph.attach_point(id, nearest).is_err() {
            self.graph.forget_site(id);
            return Err(Error::new(ErrorKind::Internal, format!("{at:?} found no place in the diagram")));
        }
        self.own(id);
        Ok(id)
    }

    /// The site of a segment between two points, put in if it is new, with one more owner.
    fn segment_site(&mut self, a: u32, b: u32) -> Result<u32> {
        if let Some(id) = self.graph.segment_between(a, b) {
            self.owners[id as usize] += 1;
            return Ok(id);
        }
        let site = Site::segment(self.graph.site(a).a, self.graph.site(b).a, [a, b]);
        let id = self.graph.add_site(site);
        let result = self.graph.attach_segment(id, true);
        if let Err(refusal) = result {
            self.graph.forget_site(id);
            return Err(match refusal {
                Refusal::Meets(other) => {
                    let message = format!("{} meets {}", describe(&site), describe(self.graph.site(other)));
                    Error::new(ErrorKind::Unsupported, message)
                }
                Refusal::NoDisc => {
                    let message = format!("{} found no place in the diagram", describe(&site));
                    Error::new(ErrorKind::Internal, message)
                }
            });
        }
        self.own(id);
        for end in [a, b] {
            self.owners[end as usize] += 1;
        }
        Ok(id)
    }

    /// Gives a new site its first owner.
    fn own(&mut self, id: u32) {
        if self.owners.len() <= id as usize {
            self.owners.resize(id as usize + 1, 0);
        }
        self.owners[id as usize] = 1;
        self.note(id);
    }

    fn disown(&mut self, id: u32) {
        self.owners[id as usize] -= 1;
        if self.owners[id as usize] == 0 {
            let ends = self.graph.site(id).ends;
            self.graph.detach(id);
            self.graph.forget_site(id);
            for end in ends.into_iter().filter(|&end| end != NONE) {
                self.disown(end);
            }
        }
    }

    fn take_out(&mut self, owned: &Owned) {
        for &id in owned.segments.iter().chain(&owned.points) {
            self.disown(id);
        }
    }

    /// A site beside a shape that stays when the shape goes.
    fn neighbour_outside(&self, owned: &Owned) -> Option<u32> {
        let first = *owned.points.first()?;
        let mut around = self.graph.spokes(first).map(|h| self.graph.to(h));
        around.find(|id| !owned.points.contains(id) && !owned.segments.contains(id))
    }

    /// Remembers a site for the square in which it starts.
    fn note(&mut self, id: u32) {
        let square = self.hints.square(self.graph.site(id).a);
        self.hints.sites[square] = id;
    }

    /// A living site near a place.
    pub(crate) fn hint(&self, at: Vec2) -> u32 {
        let id = self.hints.sites[self.hints.square(at)];
        if id != NONE && self.graph.spoke[id as usize] != NONE { id } else { 0 }
    }

    /// The site of the only wall of a shape.
    pub(crate) fn wall_site(&self, id: ShapeId) -> Option<u32> {
        self.shapes.get(id.index as usize)?.segments.first().copied()
    }
}

fn describe(site: &Site) -> String {
    let [a, b] = [grid_point(site.a), grid_point(site.b)];
    if site.is_point() { format!("point {a:?}") } else { format!("segment {a:?} to {b:?}") }
}

fn grid_point(at: Vec2) -> Point {
    Point::new(at.x as i32, at.y as i32)
}
