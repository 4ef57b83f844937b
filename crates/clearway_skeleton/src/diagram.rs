//! The diagram that users edit: shapes on the integer grid, with stale-safe handles and shared sites.
//!
//! Shapes may share points and whole segments; each site counts its owners and goes with the last of them. Shapes whose
//! walls meet otherwise are split (`edits`). A frame of four segments encloses the world, so every cell inside is bounded.

use crate::audit::Audit;
use crate::circle::Circle;
use crate::graph::{Counters, Graph};
use crate::insert::Refusal;
use crate::query::EdgeId;
use crate::shapes::{Hints, Owned, Shape, ShapeId, SiteId};
use crate::sites::Site;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_geometry::grid::LIMIT;
use clearway_geometry::predicates::on_segment;
use clearway_geometry::{NONE, Point, Vec2};
use std::collections::{BTreeMap, BTreeSet};

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
    pub(crate) owners: Vec<u32>,
    pub(crate) shapes: Vec<Owned>,
    pub(crate) free_shapes: Vec<u32>,
    pub(crate) bounds: [Point; 2],
    pub(crate) hints: Hints,
    pub(crate) shape_count: usize,
    /// Shapes that were split together, by the group's number.
    pub(crate) groups: BTreeMap<u32, Vec<u32>>,
    /// Pairs of a site and a shape that owns it, kept once shapes have met.
    pub(crate) by_site: Option<BTreeSet<(u32, u32)>>,
    /// The shapes that got other sites in the last edit.
    pub(crate) changed: Vec<u32>,
    /// False while walls go in that are known not to cross.
    pub(crate) is_checked: bool,
}

/// Why a site was not put in. The diagram is as it was before.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// It meets this site elsewhere than at a shared end.
    Meets(u32),
    /// No place was found for it.
    Failed(Error),
}

/// A place beside its nearest site.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beside {
    pub nearest: u32,
    /// The edge that a straight way from that site through the place meets, and the empty disc there; `None` on the site.
    pub exit: Option<(EdgeId, Circle)>,
}

/// The outcome of putting in sites.
pub(crate) type Placed<T> = std::result::Result<T, Trouble>;

impl Trouble {
    fn no_place(what: String) -> Trouble {
        Trouble::Failed(Error::new(ErrorKind::Internal, format!("{what} found no place in the diagram")))
    }

    /// Names the part of the input that it happened to.
    fn at(self, place: impl FnOnce() -> String) -> Trouble {
        match self {
            Trouble::Failed(e) => Trouble::Failed(Error::new(e.kind(), format!("{}: {e}", place()))),
            meets => meets,
        }
    }
}

/// The first site of the frame: every graph starts with three points around it.
pub(crate) const FRAME: u32 = 3;

impl Diagram {
    /// A diagram without shapes over a box of the grid, borders included. The box must stay within the limits of the
    /// grid.
    pub fn new(min: Point, max: Point) -> Result<Diagram> {
        let reach = -LIMIT..=LIMIT;
        let fits = [min, max].iter().all(|p| reach.contains(&p.x) && reach.contains(&p.y));
        if !fits || min.x > max.x || min.y > max.y {
            let message = format!("the box from {min:?} to {max:?} is empty or leaves the grid of ±{LIMIT}");
            return Err(Error::new(ErrorKind::OutOfRange, message));
        }
        let bounds = [min, max];
        let [low, high] = frame_around(bounds);
        let mut diagram = Diagram {
            graph: Graph::around(low.as_vec2(), high.as_vec2()),
            owners: vec![1; FRAME as usize],
            shapes: Vec::new(),
            free_shapes: Vec::new(),
            bounds,
            hints: Hints::new(bounds, 0),
            shape_count: 0,
            groups: BTreeMap::new(),
            by_site: None,
            changed: Vec::new(),
            is_checked: true,
        };
        diagram.add_frame()?;
        Ok(diagram)
    }

    /// Puts the frame in.
    fn add_frame(&mut self) -> Result<()> {
        let [low, high] = frame_around(self.bounds);
        let corners = [low, Point::new(high.x, low.y), high, Point::new(low.x, high.y)];
        self.add_shape(&Shape::Polygon(corners.to_vec()), Some(0))?;
        self.shape_count -= 1;
        debug_assert_eq!(self.shapes[0].points.first(), Some(&FRAME));
        Ok(())
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

    /// Refuses shapes outside of the world, of zero length, and rings that repeat corners.
    pub(crate) fn check_shape(&self, shape: &Shape) -> Result<()> {
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
    pub(crate) fn owned(&self, id: ShapeId) -> Result<usize> {
        let place = id.index as usize;
        match self.shapes.get(place) {
            Some(owned) if owned.is_alive && owned.generation == id.generation && place > 0 => Ok(place),
            _ => Err(Error::new(ErrorKind::Options, format!("shape {} is not in the diagram", id.index))),
        }
    }

    pub(crate) fn shape_of(&self, owned: &Owned) -> Shape {
        if let Some(woven) = &owned.woven {
            return woven.shape.clone();
        }
        let points: Vec<Point> = owned.points.iter().map(|&id| grid_point(self.graph.site(id).a)).collect();
        match (points.as_slice(), owned.segments.len()) {
            ([at], _) => Shape::Point(*at),
            ([a, b], 1) => Shape::Segment([*a, *b]),
            _ => Shape::Polygon(points),
        }
    }

    pub(crate) fn new_shape(&mut self, points: &[u32]) -> ShapeId {
        let index = self.free_shapes.pop().unwrap_or(self.shapes.len() as u32);
        if index as usize == self.shapes.len() {
            self.shapes.push(Owned::default());
        }
        let owned = &mut self.shapes[index as usize];
        (owned.is_alive, owned.points, owned.segments) = (true, points.to_vec(), Vec::new());
        self.shape_count += 1;
        ShapeId { index, generation: owned.generation }
    }

    pub(crate) fn retire(&mut self, place: usize, generation: u32) {
        let generation = generation.wrapping_add(1);
        self.shapes[place] = Owned { generation, ..Owned::default() };
        self.free_shapes.push(place as u32);
        self.shape_count -= 1;
    }

    fn add_shape(&mut self, shape: &Shape, hint: Option<u32>) -> Result<ShapeId> {
        let [points, segments] = self.add_sites(shape, hint).map_err(|trouble| self.refusal(trouble))?;
        let id = self.new_shape(&points);
        self.shapes[id.index as usize].segments = segments;
        Ok(id)
    }

    /// Puts the sites of a shape in; on an error none of them.
    pub(crate) fn add_sites(&mut self, shape: &Shape, hint: Option<u32>) -> Placed<[Vec<u32>; 2]> {
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
                Err(trouble) => {
                    result = Err(trouble.at(|| format!("corner {i}")));
                    break;
                }
            }
        }
        for [i, j] in shape.walls().take_while(|_| result.is_ok()).collect::<Vec<_>>() {
            match self.segment_site(owned.points[i], owned.points[j]) {
                Ok(id) => owned.segments.push(id),
                Err(trouble) => {
                    result = Err(trouble.at(|| format!("wall from corner {i} to {j}")));
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
    pub(crate) fn point_site(&mut self, at: Point, hint: u32) -> Placed<u32> {
        let place = at.as_vec2();
        let nearest = self.graph.locate(place, hint);
        if let Some(id) = self.point_at(place, nearest) {
            self.owners[id as usize] += 1;
            return Ok(id);
        }
        if let Some(wall) = self.wall_under(at, nearest) {
            return Err(Trouble::Meets(wall));
        }
        let id = self.graph.add_site(Site::point(place));
        if self.graph.attach_point(id, nearest).is_err() {
            self.graph.forget_site(id);
            return Err(Trouble::no_place(format!("{at:?}")));
        }
        self.own(id);
        Ok(id)
    }

    /// A new site of a point beside its nearest site, given where a straight way from there through the point leaves the
    /// cell. A site at that place is met.
    pub(crate) fn new_point_site(&mut self, at: Point, beside: &Beside) -> Placed<u32> {
        let place = at.as_vec2();
        if let Some(site) = self.site_under(at, beside.nearest) {
            return Err(Trouble::Meets(site));
        }
        let id = self.graph.add_site(Site::point(place));
        let attached = match beside.exit {
            Some((edge, inside)) => self.graph.attach_point_on(id, edge.0, &inside),
            None => Err(Refusal::NoDisc),
        };
        if attached.is_err() {
            self.graph.forget_site(id);
            return Err(Trouble::no_place(format!("{at:?}")));
        }
        self.own(id);
        Ok(id)
    }

    /// The site of a point beside its nearest site, as [`Diagram::new_point_site`], or one that is there already, with one
    /// more owner.
    pub(crate) fn point_site_beside(&mut self, at: Point, beside: &Beside) -> Placed<u32> {
        match self.site_under(at, beside.nearest).filter(|&id| self.graph.site(id).is_point()) {
            Some(id) => {
                self.add_owner(id);
                Ok(id)
            }
            None => self.new_point_site(at, beside),
        }
    }

    /// The site on which a point lies, given its nearest site on the surface. Neighbours of a site farther away may lie
    /// over the point on another floor.
    fn site_under(&self, at: Point, nearest: u32) -> Option<u32> {
        let place = at.as_vec2();
        let is_near = self.graph.site(nearest).distance(place) < 0.5;
        is_near.then(|| self.point_at(place, nearest).or_else(|| self.wall_under(at, nearest))).flatten()
    }

    /// The site of a wall between two points that meets no other wall, with one more owner. `beside` is the place of its
    /// middle. The wall may be there already.
    pub(crate) fn wall_site_beside(&mut self, [a, b]: [u32; 2], beside: &Beside) -> Placed<u32> {
        let known = self.graph.site(beside.nearest);
        if known.ends_at(a) && known.ends_at(b) {
            self.add_owner(beside.nearest);
            return Ok(beside.nearest);
        }
        let site = Site::segment(self.graph.site(a).a, self.graph.site(b).a, [a, b]);
        let id = self.graph.add_site(site);
        let attached = match beside.exit {
            Some((edge, inside)) => self.graph.attach_segment_on(id, edge.0, &inside),
            None => Err(Refusal::NoDisc),
        };
        if attached.is_err() {
            self.graph.forget_site(id);
            return Err(Trouble::no_place(describe(&site)));
        }
        self.own(id);
        [a, b].into_iter().for_each(|end| self.add_owner(end));
        Ok(id)
    }

    /// The number of owners of a site.
    pub(crate) fn owner_count(&self, id: u32) -> u32 {
        self.owners[id as usize]
    }

    /// Gives a site one more owner.
    pub(crate) fn add_owner(&mut self, id: u32) {
        self.owners[id as usize] += 1;
    }

    /// A wall on which a point lies, looked for at the nearest site and its neighbours.
    fn wall_under(&self, at: Point, nearest: u32) -> Option<u32> {
        let mut around = std::iter::once(nearest).chain(self.graph.spokes(nearest).map(|h| self.graph.to(h)));
        around.find(|&id| {
            let site = self.graph.site(id);
            !site.is_point() && on_segment(grid_point(site.a), grid_point(site.b), at)
        })
    }

    /// The point site at a place, looked for at the nearest site and its neighbours: rounding may have found a wall that
    /// ends there.
    fn point_at(&self, place: Vec2, nearest: u32) -> Option<u32> {
        let mut around = std::iter::once(nearest).chain(self.graph.spokes(nearest).map(|h| self.graph.to(h)));
        around.find(|&id| self.graph.site(id).is_point() && self.graph.site(id).a == place)
    }

    /// The site of a segment between two points, put in if it is new, with one more owner.
    pub(crate) fn segment_site(&mut self, a: u32, b: u32) -> Placed<u32> {
        if let Some(id) = self.graph.segment_between(a, b) {
            self.owners[id as usize] += 1;
            return Ok(id);
        }
        let site = Site::segment(self.graph.site(a).a, self.graph.site(b).a, [a, b]);
        let id = self.graph.add_site(site);
        let result = self.graph.attach_segment(id, self.is_checked);
        if let Err(refusal) = result {
            self.graph.forget_site(id);
            return Err(match refusal {
                Refusal::Meets(other) => Trouble::Meets(other),
                Refusal::NoDisc | Refusal::Fixed => Trouble::no_place(describe(&site)),
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

    pub(crate) fn disown(&mut self, id: u32) {
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

    pub(crate) fn take_out(&mut self, owned: &Owned) {
        for &id in owned.segments.iter().chain(&owned.points) {
            self.disown(id);
        }
    }

    /// A site beside a shape that stays when the shape goes.
    pub(crate) fn neighbour_outside(&self, owned: &Owned) -> Option<u32> {
        let first = *owned.points.first()?;
        let mut around = self.graph.spokes(first).map(|h| self.graph.to(h));
        around.find(|id| !owned.points.contains(id) && !owned.segments.contains(id))
    }

    /// The error of a site that was not put in.
    pub(crate) fn refusal(&self, trouble: Trouble) -> Error {
        match trouble {
            Trouble::Failed(error) => error,
            Trouble::Meets(site) => {
                let message = format!("it meets {}", describe(self.graph.site(site)));
                Error::new(ErrorKind::Unsupported, message)
            }
        }
    }

    /// Remembers a site for the square in which it starts.
    pub(crate) fn note(&mut self, id: u32) {
        let square = self.hints.square(self.graph.site(id).a);
        self.hints.sites[square] = id;
    }

    /// A living site near a place.
    pub(crate) fn hint(&self, at: Vec2) -> u32 {
        let id = self.hints.sites[self.hints.square(at)];
        if id != NONE && self.graph.spoke[id as usize] != NONE { id } else { 0 }
    }

    /// True for a site with one owner: it was put in with the last shape that has it.
    pub(crate) fn is_new(&self, site: SiteId) -> bool {
        self.owners[site.0 as usize] == 1
    }

    /// The point sites and the segment sites of a shape; `None` for a shape that is gone.
    pub fn sites_of(&self, id: ShapeId) -> Option<[Vec<SiteId>; 2]> {
        let owned = &self.shapes[self.owned(id).ok()?];
        Some([&owned.points, &owned.segments].map(|sites| sites.iter().map(|&site| SiteId(site)).collect()))
    }
}

/// The corners of the frame around a box. At an eighth of its size it keeps off the shapes, and its discs stay small.
fn frame_around([min, max]: [Point; 2]) -> [Point; 2] {
    let span = i64::from(max.x - min.x).max(i64::from(max.y - min.y)) as i32;
    let margin = (span / 8).max(8);
    [Point::new(min.x - margin, min.y - margin), Point::new(max.x + margin, max.y + margin)]
}

fn describe(site: &Site) -> String {
    let [a, b] = [grid_point(site.a), grid_point(site.b)];
    if site.is_point() { format!("point {a:?}") } else { format!("segment {a:?} to {b:?}") }
}

fn grid_point(at: Vec2) -> Point {
    Point::new(at.x as i32, at.y as i32)
}
