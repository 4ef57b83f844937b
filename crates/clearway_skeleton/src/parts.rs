//! A large sheet is built in parts side by side, with the same result on any number of threads.
//!
//! Lines cut the sheet into slabs. First go in the sites near the lines. Then no empty disc across a line reaches far,
//! and faces fall into those of one slab and those of the seam. The seam has the discs that cross a line, and one of two
//! neighbours of different slabs. Each part puts its sites into a copy of this graph and may not change a face of the seam or of another
//! slab; what would is left for later. A conflict region is connected and each part stays behind its seam, so
//! sites of two parts never see each other, and what the parts changed fits together by number. No circle is computed twice:
//! ties at the seam cannot be decided in two ways. Last go in the sites that were left, a few for each line.
//!
//! Cost: that of a build, shared but for the sites near the lines; copies of the lists of all parts but the first.

use crate::diagram::{Diagram, FRAME, Trouble};
use crate::graph::{Counters, Graph};
use crate::shapes::Shape;
use crate::sites::Site;
use clearway_base::error::Result;
use clearway_base::parallel;
use clearway_geometry::{NONE, Point};

/// Corners and walls of a sheet; a wall joins two corners.
pub(crate) struct Load {
    pub corners: Vec<Point>,
    pub walls: Vec<[u32; 2]>,
}

impl Load {
    /// The corners and walls of shapes, shape after shape.
    pub fn of(shapes: &[Shape]) -> Load {
        let mut load = Load { corners: Vec::new(), walls: Vec::new() };
        for shape in shapes {
            let first = load.corners.len();
            load.corners.extend_from_slice(shape.corners());
            load.walls.extend(shape.walls().map(|wall| wall.map(|corner| (first + corner) as u32)));
        }
        load
    }

    /// The number of corners without repetitions.
    fn distinct_corners(&self) -> usize {
        let mut ranks: Vec<i64> = self.corners.iter().map(|p| p.rank()).collect();
        parallel::sort(&mut ranks);
        ranks.dedup();
        ranks.len()
    }
}

/// Numbers of corners and walls, in the order in which they go in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    pub points: Vec<u32>,
    pub walls: Vec<u32>,
}

/// The site of each corner and of each wall; [`NONE`] for one that is not in.
#[derive(Clone, Debug)]
pub(crate) struct Filled {
    pub points: Vec<u32>,
    pub segments: Vec<u32>,
}

impl Filled {
    /// Follows sites into another graph.
    pub fn shift(&mut self, shift: Shift) {
        self.points.iter_mut().chain(&mut self.segments).for_each(|id| *id = shift.site(*id));
    }
}

/// What did not go in: corners, each with a site near it, and walls.
#[derive(Default)]
struct Later {
    points: Vec<(u32, u32)>,
    walls: Vec<u32>,
}

impl Diagram {
    /// Puts a sheet into an empty diagram, cut into at most this many parts. A wall that meets others stays out.
    pub(crate) fn fill(&mut self, load: &Load, order: &Order, most: usize) -> Result<Filled> {
        let none = |count: usize| vec![NONE; count];
        let mut filled = Filled { points: none(load.corners.len()), segments: none(load.walls.len()) };
        let later = match Cuts::of(&load.corners, most).and_then(|cuts| cuts.split(load, order)) {
            Some((cuts, orders)) => self.fill_in_parts(load, &cuts, orders, &mut filled),
            None => {
                self.graph.reserve(load.distinct_corners() + load.walls.len());
                self.fill_some(load, order, &mut filled)
            }
        };
        self.fill_rest(load, later, &mut filled)?;
        Ok(filled)
    }

    /// Puts in what can go in.
    fn fill_some(&mut self, load: &Load, order: &Order, filled: &mut Filled) -> Later {
        let mut later = Later::default();
        let mut near = FRAME;
        for &i in &order.points {
            match self.point_site(load.corners[i as usize], near) {
                Ok(site) => {
                    filled.points[i as usize] = site;
                    near = site;
                }
                Err(_) => later.points.push((i, near)),
            }
        }
        for &i in &order.walls {
            let [a, b] = load.walls[i as usize].map(|corner| filled.points[corner as usize]);
            match if a == NONE || b == NONE { None } else { self.segment_site(a, b).ok() } {
                Some(site) => filled.segments[i as usize] = site,
                None => later.walls.push(i),
            }
        }
        later
    }

    /// Puts in what was left.
    fn fill_rest(&mut self, load: &Load, later: Later, filled: &mut Filled) -> Result<()> {
        for (i, near) in later.points {
            let site = self.point_site(load.corners[i as usize], near);
            filled.points[i as usize] = site.map_err(|trouble| self.refusal(trouble))?;
        }
        for i in later.walls {
            let [a, b] = load.walls[i as usize].map(|corner| filled.points[corner as usize]);
            match self.segment_site(a, b) {
                Ok(site) => filled.segments[i as usize] = site,
                Err(Trouble::Meets(_)) => {}
                Err(trouble) => return Err(self.refusal(trouble)),
            }
        }
        Ok(())
    }

    /// Puts the first order in, then the others side by side.
    fn fill_in_parts(
        &mut self,
        load: &Load,
        cuts: &Cuts,
        mut orders: Vec<Order>,
        filled: &mut Filled,
    ) -> Later {
        let seam = orders.remove(0);
        let mut later = self.fill_some(load, &seam, filled);
        let shared = Shared::of(self, cuts);
        let free = std::mem::take(&mut self.graph.free_sites);
        let (base, before) = (&*self, &*filled);
        let made = parallel::map(orders.len(), |part| {
            let mut filled = before.clone();
            let (diagram, later) = base.fill_part(load, &orders[part], &shared, part as u32, &mut filled);
            (diagram, filled, later)
        });
        for (part, (diagram, made, left)) in made.into_iter().enumerate() {
            let shift = if part == 0 {
                (self.graph, self.owners) = (diagram.graph, diagram.owners);
                Shift::default()
            } else {
                self.absorb(diagram, &shared, part as u32)
            };
            let Order { points, walls } = &orders[part];
            points.iter().for_each(|&i| filled.points[i as usize] = shift.site(made.points[i as usize]));
            walls.iter().for_each(|&i| filled.segments[i as usize] = shift.site(made.segments[i as usize]));
            later.points.extend(left.points.into_iter().map(|(i, near)| (i, shift.site(near))));
            later.walls.extend(left.walls);
        }
        self.graph.free_sites.extend(free);
        self.graph.fixed = Vec::new();
        later
    }

    /// A copy with the sites of a part, and what it could not put in without changing faces of others.
    fn fill_part(
        &self,
        load: &Load,
        order: &Order,
        shared: &Shared,
        part: u32,
        filled: &mut Filled,
    ) -> (Diagram, Later) {
        let mut diagram = self.clone();
        diagram.graph.fixed = shared.slab_of.iter().map(|&slab| slab != part).collect();
        // The other parts are appended to the first.
        let count = if part == 0 {
            load.distinct_corners() + load.walls.len()
        } else {
            order.points.len() + order.walls.len()
        };
        diagram.graph.reserve(count);
        let later = diagram.fill_some(load, order, filled);
        (diagram, later)
    }

    /// Takes over the graph of a part or of another sheet. What it shares with this one keeps its numbers.
    pub(crate) fn absorb(&mut self, mut other: Diagram, shared: &Shared, part: u32) -> Shift {
        self.owners.resize(self.graph.sites.len(), 0);
        other.owners.resize(other.graph.sites.len(), 0);
        for (id, owners) in shared.owners.iter().enumerate() {
            self.owners[id] += other.owners[id] - owners;
        }
        self.owners.extend(&other.owners[shared.owners.len()..]);
        self.graph.absorb(other.graph, shared, part)
    }
}

/// Lines at equal distance to an axis, each inside of a strip.
struct Cuts {
    /// True for lines along the second axis, which cut the first.
    is_upright: bool,
    /// The strips around the lines, in grid units, in rising order.
    strips: Vec<[i32; 2]>,
}

/// A slab for so many roots of the number of corners. The strips then hold a tenth of the corners at most, and sheets of
/// 16,384 corners and more are cut.
const ROOTS_FOR_A_SLAB: usize = 64;

/// A strip holds so many roots of the number of corners on either side of its line: about four rows of corners. Discs that
/// cross the line should end before the strip does. With three, a turned city left a seventh of its corners for the end.
const ROOTS_FOR_A_STRIP: usize = 4;

/// Every so many corners one is asked where the lines go. An odd number, so that blocks of four corners give all of them.
const SAMPLE: usize = 7;

impl Cuts {
    /// The lines that cut a sheet into at most this many slabs; `None` where it is too small.
    fn of(corners: &[Point], most: usize) -> Option<Cuts> {
        let root = corners.len().isqrt();
        // A power of two, so that two threads get as much to do.
        let slabs = 1 << (root / ROOTS_FOR_A_SLAB).min(most).checked_ilog2()?;
        if slabs < 2 {
            return None;
        }
        let sample = corners.iter().step_by(SAMPLE);
        let [mut xs, mut ys] = [Vec::new(), Vec::new()];
        sample.for_each(|p| {
            xs.push(p.x);
            ys.push(p.y);
        });
        xs.sort_unstable();
        ys.sort_unstable();
        let span = |list: &[i32]| list.last().zip(list.first()).map(|(high, low)| high - low);
        let is_upright = span(&xs) >= span(&ys);
        let list = if is_upright { xs } else { ys };
        let half = root * ROOTS_FOR_A_STRIP / SAMPLE;
        let strip = |cut: usize| {
            let middle = list.len() * cut / slabs;
            Some([*list.get(middle.checked_sub(half)?)?, *list.get(middle + half)?])
        };
        let strips = (1..slabs).map(strip).collect::<Option<Vec<_>>>()?;
        Some(Cuts { is_upright, strips })
    }

    fn along(&self, p: Point) -> i32 {
        if self.is_upright { p.x } else { p.y }
    }

    /// The line inside of a strip.
    fn line([low, high]: [i32; 2]) -> f64 {
        0.5 * (f64::from(low) + f64::from(high))
    }

    /// The slab of a stretch of the axis; `None` if it meets a strip.
    fn slab(&self, low: i32, high: i32) -> Option<usize> {
        let slab = self.strips.partition_point(|strip| strip[1] < low);
        self.strips.get(slab).is_none_or(|strip| high < strip[0]).then_some(slab)
    }

    /// Splits an order into that of the strips and that of each slab. `None` if the strips take too large a share.
    fn split(self, load: &Load, order: &Order) -> Option<(Cuts, Vec<Order>)> {
        let place = |i: u32| self.along(load.corners[i as usize]);
        let mut part_of: Vec<usize> = load
            .corners
            .iter()
            .map(|&p| self.along(p))
            .map(|x| self.slab(x, x).map_or(0, |s| s + 1))
            .collect();
        let wall_part = |&[a, b]: &[u32; 2]| {
            let (from, to) = (place(a), place(b));
            self.slab(from.min(to), from.max(to)).map_or(0, |slab| slab + 1)
        };
        let wall_parts: Vec<usize> = load.walls.iter().map(wall_part).collect();
        for (wall, _) in load.walls.iter().zip(&wall_parts).filter(|(_, part)| **part == 0) {
            wall.iter().for_each(|&corner| part_of[corner as usize] = 0);
        }
        let mut orders = vec![Order::default(); self.strips.len() + 2];
        order.points.iter().for_each(|&i| orders[part_of[i as usize]].points.push(i));
        order.walls.iter().for_each(|&i| orders[wall_parts[i as usize]].walls.push(i));
        (2 * orders[0].points.len() < load.corners.len()).then_some((self, orders))
    }
}

/// No slab: the face belongs to the seam.
const SEAM: u32 = u32::MAX;

/// What the parts of a sheet have in common: the graph before they began.
#[derive(Default)]
pub(crate) struct Shared {
    /// The slab of each face.
    slab_of: Vec<u32>,
    /// The number of owners of each site.
    owners: Vec<u32>,
    counters: Counters,
}

impl Shared {
    fn of(diagram: &Diagram, cuts: &Cuts) -> Shared {
        let graph = &diagram.graph;
        let slab = |face: u32| {
            let circle = graph.discs[face as usize].circle;
            let middle = if cuts.is_upright { circle.at.x } else { circle.at.y };
            let (low, high) = (middle - circle.radius, middle + circle.radius);
            if !(graph.is_face(face) && low.is_finite() && high.is_finite()) {
                return SEAM;
            }
            let slab = cuts.strips.partition_point(|&strip| Cuts::line(strip) < low);
            if cuts.strips.get(slab).is_none_or(|&strip| high < Cuts::line(strip)) {
                slab as u32
            } else {
                SEAM
            }
        };
        let mut slab_of: Vec<u32> = (0..graph.discs.len() as u32).map(slab).collect();
        for h in 0..graph.twin.len() {
            let [one, other] = [h / 3, graph.twin[h] as usize / 3];
            if graph.is_face(one as u32) && slab_of[other] != SEAM && slab_of[one] != slab_of[other] {
                slab_of[one] = SEAM;
            }
        }
        let mut owners = diagram.owners.clone();
        owners.resize(graph.sites.len(), 0);
        Shared { slab_of, owners, counters: graph.counters }
    }
}

/// The shift of the numbers of a graph that another one takes over.
#[derive(Clone, Copy, Default)]
pub(crate) struct Shift {
    sites: [u32; 2],
    sides: [u32; 2],
}

impl Shift {
    pub fn site(&self, id: u32) -> u32 {
        Shift::number(id, self.sites)
    }

    fn side(&self, h: u32) -> u32 {
        Shift::number(h, self.sides)
    }

    /// A number below the first stays.
    fn number(number: u32, [first, by]: [u32; 2]) -> u32 {
        if number < first || number == NONE { number } else { number + by }
    }
}

impl Graph {
    /// Takes over the graph of a part: new sites and faces, and the shared faces of its slab.
    fn absorb(&mut self, other: Graph, shared: &Shared, part: u32) -> Shift {
        let (sites, faces) = (shared.owners.len(), shared.slab_of.len());
        let shift = Shift {
            sites: [sites as u32, (self.sites.len() - sites) as u32],
            sides: [3 * faces as u32, (3 * (self.discs.len() - faces)) as u32],
        };
        // Before the shared faces change: they tell which of the spokes and twins belong to the part.
        let is_ours = |h: u32| shared.slab_of.get(h as usize / 3).is_some_and(|&slab| slab == part);
        for id in 0..sites {
            if is_ours(self.spoke[id]) {
                self.spoke[id] = shift.side(other.spoke[id]);
            }
        }
        for h in 0..3 * faces {
            let is_inside = shared.slab_of[h / 3] == part;
            if is_inside {
                self.origin[h] = shift.site(other.origin[h]);
                self.discs[h / 3] = other.discs[h / 3];
            }
            if is_inside || is_ours(self.twin[h]) {
                self.twin[h] = shift.side(other.twin[h]);
            }
        }
        self.counters.add_since(&shared.counters, &other.counters);
        self.append(other, shift, sites, faces);
        shift
    }

    /// Appends the sites and faces from these numbers on.
    fn append(&mut self, other: Graph, shift: Shift, sites: usize, faces: usize) {
        let moved = |site: &Site| Site { ends: site.ends.map(|end| shift.site(end)), ..*site };
        self.sites.extend(other.sites[sites..].iter().map(moved));
        self.spoke.extend(other.spoke[sites..].iter().map(|&h| shift.side(h)));
        self.origin.extend(other.origin[3 * faces..].iter().map(|&id| shift.site(id)));
        self.twin.extend(other.twin[3 * faces..].iter().map(|&h| shift.side(h)));
        self.discs.extend_from_slice(&other.discs[faces..]);
        self.free_sites.extend(other.free_sites.iter().map(|&id| shift.site(id)));
        self.free_faces.extend(other.free_faces.iter().map(|&face| shift.side(3 * face) / 3));
        self.epoch = self.epoch.max(other.epoch);
    }
}
