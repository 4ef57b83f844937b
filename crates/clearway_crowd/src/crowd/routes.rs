//! Distances to a shared goal for one radius: a search over sample points of portals, backwards from the goal.
//!
//! A sample knows the length of the rest of the way, the cell through which the way leads on, and the next sample. A way
//! that leaves a cell through a sample never comes back: the sample leads on through the other cell. Links are samples
//! that lead on by a ride. Costs of cells weigh the metres in them. Cost: Dijkstra over all samples, with as many edges
//! as there are pairs of samples in a cell; a building of 30,000 cells takes some ten milliseconds.

use super::goal::{AREA_HEIGHT, Area, doubled_area, holds, shapes};
use super::ground::{Ground, nearest_on_segment};
use super::portals::{PortalTable, point_on};
use clearway_geometry::NONE;
use clearway_nav::mesh::CellId;
use clearway_nav::{Location, NavMesh};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// The next sample of one that leads straight to the goal.
pub(crate) const GOAL: u32 = NONE - 1;

/// The cell of a link entrance: the way leads on by the ride.
pub(crate) const RIDE: u32 = NONE - 1;

/// The distance in metres between the points that stand for an area in a cell.
const TARGET_SPACING: f64 = 0.5;

/// The largest number of points that stand for an area in one cell. Larger areas get a coarser raster.
const MOST_TARGETS: f64 = 64.0;

/// Bodies that arrive by touching head for places this much nearer, in metres, so that they touch when they get there.
const TOUCH_PLAY: f64 = 0.01;

/// An end of a link, as a place in a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkStop {
    /// The link.
    pub link: u32,
    /// The place.
    pub at: [f64; 2],
    /// Its cell.
    pub cell: u32,
    /// The stop at the other end.
    pub other: u32,
    /// The cost of the ride that begins here, in metres of walking; infinite where none begins.
    pub ride: f64,
    /// The radius in metres of the largest body.
    pub max_radius: f64,
}

/// Returns the stops of all links.
pub(crate) fn link_stops(mesh: &NavMesh) -> Vec<LinkStop> {
    let mut stops = Vec::new();
    for (number, link) in mesh.links().enumerate() {
        let (Ok(from), Ok(to)) = (mesh.locate(link.from), mesh.locate(link.to)) else { continue };
        let cost = link.cost.unwrap_or_else(|| link.length());
        let first = stops.len() as u32;
        let ends = [(from, first + 1, cost), (to, first, if link.both_ways { cost } else { f64::INFINITY })];
        stops.extend(ends.map(|(at, other, ride)| LinkStop {
            link: number as u32,
            at: at.position(),
            cell: at.cell().0,
            other,
            ride,
            max_radius: link.max_radius.unwrap_or(f64::INFINITY),
        }));
    }
    stops
}

/// The ground of an area in one cell: places where a body can stand.
#[derive(Clone, Debug, Default)]
pub(crate) struct Targets {
    /// The places, in plan coordinates.
    pub places: Vec<[f64; 2]>,
    /// The boxes around each `GROUP` places, low and high corner.
    boxes: Vec<[[f64; 2]; 2]>,
}

/// The number of places in a box. Everybody near a goal asks for the nearest place in each step: with up to 64 places,
/// eight boxes of eight look at the fewest.
const GROUP: usize = 8;

/// An area as the ground of a mesh: for each of its cells the places to head for.
pub(crate) type AreaCells = BTreeMap<u32, Targets>;

/// Lists the cells of an area, with the places where a body of this radius can stand.
pub(crate) fn area_cells(mesh: &NavMesh, area: &Area, radius: f64) -> AreaCells {
    let shapes = shapes(area, (radius - TOUCH_PLAY).max(0.5 * radius));
    let mut cells = AreaCells::new();
    for cell in mesh.cells() {
        let outline: Vec<[f64; 2]> = cell.outline().collect();
        let parts = shapes.iter().filter_map(|shape| part_in(shape, &outline));
        let places: Vec<[f64; 2]> =
            parts.flat_map(|part| standing_places(mesh, (area, radius), cell.id(), &part)).collect();
        if !places.is_empty() {
            cells.insert(cell.id().0, Targets::new(places));
        }
    }
    let fits = |targets: &Targets, cell: u32| {
        let at = |place: &[f64; 2]| Location::in_cell(CellId(cell), *place);
        targets.places.iter().any(|place| mesh.clearance(at(place)).unwrap_or(0.0) >= radius)
    };
    // Cells without a free place count only if there is no other.
    if cells.iter().any(|(cell, targets)| fits(targets, *cell)) {
        cells.retain(|cell, targets| fits(targets, *cell));
    }
    cells
}

/// Returns the part of a shape that lies in a cell.
fn part_in(shape: &[[f64; 2]], cell: &[[f64; 2]]) -> Option<Vec<[f64; 2]>> {
    if boxes_apart(shape, cell) {
        return None;
    }
    let mut clip = shape.to_vec();
    for (place, from) in cell.iter().enumerate() {
        clip = clipped(&clip, *from, cell[(place + 1) % cell.len()]);
    }
    (clip.len() >= 3 && doubled_area(&clip).abs() >= 1e-6).then_some(clip)
}

/// Returns the places in a part of an area where a body can stand; where nobody fits, the roomiest place.
fn standing_places(
    mesh: &NavMesh,
    (area, radius): (&Area, f64),
    cell: CellId,
    part: &[[f64; 2]],
) -> Vec<[f64; 2]> {
    let standing = |at: [f64; 2]| Location::in_cell(cell, at);
    let on_floor = |at: [f64; 2]| {
        area.height().is_none_or(|height| (mesh.height(standing(at)) - height).abs() <= AREA_HEIGHT)
    };
    let room = |at: &[f64; 2]| mesh.clearance(standing(*at)).unwrap_or(0.0);
    let free = |places: Vec<[f64; 2]>| -> Vec<[f64; 2]> {
        places.into_iter().filter(|at| room(at) >= radius && on_floor(*at)).collect()
    };
    let mut places = free(border(part));
    if places.is_empty() {
        places = free(inside(part));
    }
    if places.is_empty() {
        // The roomiest place still says where the area is.
        let all = inside(part).into_iter().chain(border(part)).filter(|at| on_floor(*at));
        places.extend(all.max_by(|p, q| room(p).total_cmp(&room(q))));
    }
    places
}

/// True if the boxes around two outlines do not touch.
fn boxes_apart(one: &[[f64; 2]], other: &[[f64; 2]]) -> bool {
    let span = |outline: &[[f64; 2]], axis: usize| {
        outline
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| (low.min(p[axis]), high.max(p[axis])))
    };
    (0..2).any(|axis| {
        let ((a, b), (c, d)) = (span(one, axis), span(other, axis));
        b < c || d < a
    })
}

/// Returns the part of an outline on the left of a line.
fn clipped(outline: &[[f64; 2]], from: [f64; 2], to: [f64; 2]) -> Vec<[f64; 2]> {
    let height = |p: [f64; 2]| (to[0] - from[0]) * (p[1] - from[1]) - (to[1] - from[1]) * (p[0] - from[0]);
    let mut kept = Vec::with_capacity(outline.len() + 2);
    for (place, &p) in outline.iter().enumerate() {
        let q = outline[(place + 1) % outline.len()];
        let (h, k) = (height(p), height(q));
        if h >= 0.0 {
            kept.push(p);
        }
        if (h >= 0.0) != (k >= 0.0) {
            let share = h / (h - k);
            kept.push([p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])]);
        }
    }
    kept
}

/// Returns places on the border of an outline, at most `TARGET_SPACING` apart.
fn border(outline: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let whole: f64 =
        (0..outline.len()).map(|place| distance(outline[place], outline[(place + 1) % outline.len()])).sum();
    let spacing = TARGET_SPACING.max(whole / MOST_TARGETS);
    let mut places = Vec::new();
    for (place, &p) in outline.iter().enumerate() {
        let q = outline[(place + 1) % outline.len()];
        let steps = (distance(p, q) / spacing).ceil().max(1.0);
        places.extend((0..steps as u32).map(|step| {
            let share = f64::from(step) / steps;
            [p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])]
        }));
    }
    places
}

/// Returns a grid of places inside an outline.
fn inside(outline: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let low = [0, 1].map(|axis| outline.iter().map(|p| p[axis]).fold(f64::INFINITY, f64::min));
    let high = [0, 1].map(|axis| outline.iter().map(|p| p[axis]).fold(f64::NEG_INFINITY, f64::max));
    let count = MOST_TARGETS.sqrt();
    let spacing = [0, 1].map(|axis| ((high[axis] - low[axis]) / count).max(0.2 * TARGET_SPACING));
    let steps = [0, 1].map(|axis| ((high[axis] - low[axis]) / spacing[axis]).ceil() as u32);
    let mut places = Vec::new();
    for row in 0..steps[1] {
        for column in 0..steps[0] {
            let at = [column, row].map(|step| f64::from(step) + 0.5);
            let at = [low[0] + at[0] * spacing[0], low[1] + at[1] * spacing[1]];
            if holds(outline, at) {
                places.push(at);
            }
        }
    }
    places
}

/// The ways of bodies of one radius to one goal.
#[derive(Clone, Debug)]
pub(crate) struct RouteTable {
    /// The cells of the goal.
    pub goal: AreaCells,
    /// True while nobody can arrive there: the ways lead near it all the same.
    pub is_closed: bool,
    /// For each sample, then each link stop, the length of the rest of the way; infinite where there is none.
    pub rest: Vec<f32>,
    /// The cell through which the way leads on; [`RIDE`] by the ride of a link.
    pub via: Vec<u32>,
    /// The next sample; [`GOAL`] at the end.
    pub next: Vec<u32>,
}

/// What a route search reads.
#[derive(Clone, Copy)]
pub(crate) struct RouteWorld<'a> {
    /// The mesh.
    pub mesh: &'a NavMesh,
    /// The ground.
    pub ground: &'a Ground,
    /// The free parts of portals.
    pub portals: &'a PortalTable,
    /// The ends of links.
    pub stops: &'a [LinkStop],
    /// For each cell what a metre costs; empty for 1 everywhere.
    pub costs: &'a [f32],
}

impl RouteWorld<'_> {
    /// Visits the samples and the link stops in a cell, with their places.
    fn visit(&self, cell: u32, mut visit: impl FnMut(u32, u32, [f64; 2])) {
        for side in self.ground.sides_of(cell) {
            let side = &self.ground.sides[side];
            if side.portal == NONE {
                continue;
            }
            for span in self.portals.spans_of(side.portal) {
                let span = &self.portals.spans[span as usize];
                for sample in span.first_sample..span.first_sample + span.samples {
                    visit(sample, side.portal, point_on(side, span.place(sample)));
                }
            }
        }
        let first = self.portals.sample_count() as u32;
        for (number, stop) in self.stops.iter().enumerate().filter(|(_, stop)| stop.cell == cell) {
            visit(first + number as u32, NONE, stop.at);
        }
    }

    /// Returns what a metre costs in a cell.
    fn cost(&self, cell: u32) -> f32 {
        self.costs.get(cell as usize).copied().unwrap_or(1.0)
    }
}

impl RouteTable {
    /// Searches the ways to a goal from everywhere.
    pub fn new(world: RouteWorld, goal: AreaCells) -> RouteTable {
        let count = world.portals.sample_count() + world.stops.len();
        let mut search = Search {
            world,
            table: RouteTable {
                goal,
                is_closed: false,
                rest: vec![f32::INFINITY; count],
                via: vec![NONE; count],
                next: vec![NONE; count],
            },
            open: BinaryHeap::new(),
        };
        search.run();
        search.table
    }
}

/// A search under way.
struct Search<'a> {
    /// What it reads.
    world: RouteWorld<'a>,
    /// What it has found.
    table: RouteTable,
    /// Samples to expand, the nearest first; lengths as bits, which sort like the lengths.
    open: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Search<'_> {
    /// Runs the search from the cells of the goal.
    fn run(&mut self) {
        let goal = std::mem::take(&mut self.table.goal);
        for (cell, targets) in &goal {
            let mut found = Vec::new();
            self.world.visit(*cell, |sample, _, at| {
                let near =
                    targets.places.iter().map(|place| distance(at, *place)).fold(f64::INFINITY, f64::min);
                found.push((sample, near as f32 * self.world.cost(*cell)));
            });
            for (sample, rest) in found {
                self.reach(sample, rest, *cell, GOAL);
            }
        }
        self.table.goal = goal;
        while let Some(Reverse((bits, sample))) = self.open.pop() {
            if bits == self.table.rest[sample as usize].to_bits() {
                self.expand(sample);
            }
        }
    }

    /// Notes a way from a sample if it is the shortest so far.
    fn reach(&mut self, sample: u32, rest: f32, via: u32, next: u32) {
        let place = sample as usize;
        if rest < self.table.rest[place] {
            self.table.rest[place] = rest;
            self.table.via[place] = via;
            self.table.next[place] = next;
            self.open.push(Reverse((rest.to_bits(), sample)));
        }
    }

    /// Finds ways that lead to a sample.
    fn expand(&mut self, sample: u32) {
        let first_stop = self.world.portals.sample_count();
        if sample as usize >= first_stop {
            return self.expand_stop(sample, first_stop as u32);
        }
        let portal = self.world.portals.span_at(sample).portal;
        let via = self.table.via[sample as usize];
        // The cell on the other side: ways come from there.
        let Some(side) = self.world.ground.side_into(via, portal) else { return };
        let side = &self.world.ground.sides[side as usize];
        let place = self.world.portals.span_at(sample).place(sample);
        self.expand_into(
            sample,
            side.beyond,
            portal,
            point_on(&self.world.ground.sides[side.twin as usize], place),
        );
    }

    /// Finds ways through a cell to a sample in it.
    fn expand_into(&mut self, sample: u32, cell: u32, portal: u32, at: [f64; 2]) {
        let (rest, cost) = (self.table.rest[sample as usize], self.world.cost(cell));
        let has_neck = self.world.portals.has_neck(self.world.mesh, self.world.ground, cell);
        let mut found = Vec::new();
        self.world.visit(cell, |other, other_portal, place| {
            let rest = rest + distance(at, place) as f32 * cost;
            let passes = other_portal != portal && rest < self.table.rest[other as usize];
            let is_walk = portal != NONE && other_portal != NONE;
            let crosses = !has_neck
                || !is_walk
                || (passes && self.world.portals.crosses(self.world.mesh, cell, portal, other_portal));
            if passes && crosses {
                found.push((other, rest));
            }
        });
        for (other, rest) in found {
            self.reach(other, rest, cell, sample);
        }
    }

    /// Finds ways that lead to a link stop: the ride to it if the way leads on by walking, else walks to it.
    fn expand_stop(&mut self, sample: u32, first: u32) {
        let stop = self.world.stops[(sample - first) as usize];
        if self.table.via[sample as usize] == RIDE {
            return self.expand_into(sample, stop.cell, NONE, stop.at);
        }
        let entry = self.world.stops[stop.other as usize];
        if entry.ride.is_finite() && self.world.portals.radius <= entry.max_radius {
            let rest = self.table.rest[sample as usize] + entry.ride as f32;
            self.reach(first + stop.other, rest, RIDE, sample);
        }
    }
}

impl Ground {
    /// Returns the side of a cell along a portal.
    pub fn side_into(&self, cell: u32, portal: u32) -> Option<u32> {
        self.sides_of(cell).find(|side| self.sides[*side].portal == portal).map(|side| side as u32)
    }
}

impl Targets {
    /// Makes the targets at some places.
    fn new(places: Vec<[f64; 2]>) -> Targets {
        let bounds = |places: &[[f64; 2]]| {
            let corner = |start: f64, choose: fn(f64, f64) -> f64| {
                [0, 1].map(|axis| places.iter().map(|place| place[axis]).fold(start, choose))
            };
            [corner(f64::INFINITY, f64::min), corner(f64::NEG_INFINITY, f64::max)]
        };
        let boxes = places.chunks(GROUP).map(bounds).collect();
        Targets { places, boxes }
    }

    /// Returns the place nearest to a point. Between two places beside each other it lies on the line between them.
    pub fn nearest(&self, at: [f64; 2]) -> Option<[f64; 2]> {
        let far = |place: [f64; 2]| {
            let (x, y) = (place[0] - at[0], place[1] - at[1]);
            x * x + y * y
        };
        let (mut best, mut least) = (0, f64::INFINITY);
        for (group, [low, high]) in self.boxes.iter().enumerate() {
            let inside = [0, 1].map(|axis| at[axis].max(low[axis]).min(high[axis]));
            // Nothing in the box is nearer than the box: rounding keeps the order of differences and squares.
            if far(inside) >= least {
                continue;
            }
            for (index, place) in self.places.iter().enumerate().skip(group * GROUP).take(GROUP) {
                let squared = far(*place);
                if squared < least {
                    (best, least) = (index, squared);
                }
            }
        }
        let count = self.places.len();
        let mut nearest = *self.places.get(best)?;
        // The places are in order along the border.
        for other in [self.places[(best + 1) % count], self.places[(best + count - 1) % count]] {
            if distance(other, self.places[best]) <= 1.01 * TARGET_SPACING {
                let between = nearest_on_segment(at, self.places[best], other);
                if far(between) < least {
                    (nearest, least) = (between, far(between));
                }
            }
        }
        Some(nearest)
    }
}

/// Returns the distance of two points.
pub(crate) fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    let (x, y) = (a[0] - b[0], a[1] - b[1]);
    // A square root is the same on every machine; the hypotenuse of a library need not be.
    (x * x + y * y).sqrt()
}

impl RouteTable {
    /// Makes it one of a goal that is closed, or open.
    pub fn closed(mut self, is_closed: bool) -> RouteTable {
        self.is_closed = is_closed;
        self
    }
}

/// Returns a place of a goal area: the first of its first cell.
pub(crate) fn nearest_target(goal: &AreaCells) -> Option<Location> {
    let (cell, targets) = goal.iter().next()?;
    targets.places.first().map(|place| Location::in_cell(CellId(*cell), *place))
}
