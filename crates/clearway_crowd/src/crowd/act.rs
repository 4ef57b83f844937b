//! The passes of neighbours, model and contact, for one body after the other in the order of tiles.

use super::bodies::Bodies;
use super::body::{Body, Phase};
use super::corner::around_corner;
use super::ground::Ground;
use super::guide::DIRECTIONS;
use super::near::{Enough, Ranges, Shown, Sight, Sorted};
use super::project::{LONGEST_PUSH, Wish, project};
use super::runs::{change_runs, write_runs};
use super::survey::Glance;
use crate::half_planes::HalfPlane;
use crate::model::{LocalModel, Neighbour, Spec, View};
use crate::vector::Vector;
use clearway_geometry::NONE;

/// The gap in metres below which two bodies touch, as far as arrival is concerned. Bodies that queue keep about 0.15 m.
const TOUCHING: f32 = 0.25;

/// What the passes read.
pub(crate) struct Acting<'a> {
    /// The ground.
    pub ground: &'a Ground,
    /// The bodies in the order of tiles.
    pub sorted: &'a Sorted,
    /// The model.
    pub model: &'a dyn LocalModel,
    /// What the model needs.
    pub spec: Spec,
    /// The largest radius in the crowd, in metres.
    pub widest: f32,
    /// The highest priority in the crowd.
    pub highest: u8,
    /// The greatest move of any body in this step, in metres.
    pub longest_move: f32,
    /// True if bodies keep their radius from corners on the way to their way points.
    pub rounds_corners: bool,
    /// True to project.
    pub contact: bool,
    /// The time step in seconds.
    pub dt: f32,
    /// The seed of the crowd.
    pub seed: u64,
    /// The number of the step.
    pub step: u64,
}

/// Scratch buffers of a thread.
#[derive(Default)]
pub(crate) struct Scratch {
    /// What is in sight.
    sight: Sight,
    /// Neighbours for the model.
    near: Vec<Neighbour>,
    /// Half-planes of contacts.
    planes: Vec<HalfPlane>,
}

impl Acting<'_> {
    /// Lets a body with this index among the sorted ones act: what it sees, what it wishes, what it may do.
    pub fn act(&self, scratch: &mut Scratch, index: usize, body: &mut Body) {
        let me = &self.sorted.shown[index];
        let contact = me.radius + self.widest + 2.0 * self.longest_move;
        let ranges = Ranges {
            bodies: self.spec.range.max(contact),
            behind: self.spec.behind.clamp(contact, self.spec.range.max(contact)),
            contact,
            head: me.head,
            walls: self.spec.wall_range.max(me.radius + self.longest_move),
        };
        // Nobody takes the larger share of a gap from such a body: only near ones count for contacts.
        let is_first = me.priority == self.highest && !me.stands;
        let push = self.longest_move.max(LONGEST_PUSH) + 1e-4;
        let least = if is_first { me.radius + self.widest + 2.0 * push } else { f32::INFINITY };
        let enough = Enough { bodies: self.spec.neighbours, least };
        let Scratch { sight, near, planes } = scratch;
        sight.look(self.ground, self.sorted, (index, body.cell), ranges, enough);
        body.noted.beside_arrived = self.gather(me, sight, near);
        let mut view = self.view(me, body);
        if self.rounds_corners && !me.roams {
            view.head = around_corner(&view, &sight.walls);
        }
        let act = self.model.act(&view, near, &sight.walls);
        let wish = if act.velocity.is_finite() { act.velocity } else { Vector::ZERO };
        let most = self.spec.max_speed * body.speed * body.full_pace() * self.dt;
        let displacement = (wish * self.dt).at_most(most);
        body.displacement = if self.contact {
            let widest = if is_first { self.widest } else { f32::INFINITY };
            let wish = Wish { me, displacement, overlap: self.spec.overlap, widest };
            project(&wish, sight, &self.sorted.shown, planes)
        } else {
            displacement
        };
        body.velocity = body.displacement * (1.0 / self.dt);
        (body.wish, body.state) = (wish, act.state);
    }

    /// Gathers the nearest bodies as the model sees them, nearest first. Returns whether one of them arrived, has the
    /// same goal and touches.
    fn gather(&self, me: &Shown, sight: &mut Sight, near: &mut Vec<Neighbour>) -> bool {
        near.clear();
        sight.order();
        let squared = self.spec.range * self.spec.range;
        let mut beside_arrived = false;
        for key in sight.keys.iter().take(self.spec.neighbours) {
            let candidate = &sight.bodies[(key & 0xffff_ffff) as usize];
            let distance = candidate.distance_squared;
            if distance > squared {
                break;
            }
            let other = &self.sorted.shown[candidate.index as usize];
            let mate = me.goal == other.goal;
            let neighbour = Neighbour {
                offset: candidate.offset,
                distance: distance.sqrt(),
                velocity: other.velocity,
                wish: other.wish,
                head: other.head,
                radius: other.radius,
                id: other.slot,
                priority: other.priority,
                mate,
                first: goes_first(me, other, candidate.offset),
                stands: other.stands,
            };
            beside_arrived |= mate && other.arrived && neighbour.gap(me.radius) < TOUCHING;
            near.push(neighbour);
        }
        beside_arrived
    }

    /// Returns a body as its model sees it.
    fn view(&self, me: &Shown, body: &Body) -> View {
        View {
            velocity: me.velocity,
            wish: me.wish,
            head: me.head,
            target: body.target,
            left: me.left,
            radius: me.radius,
            speed: if me.stands { 0.0 } else { body.speed * body.full_pace() },
            priority: me.priority,
            stands: me.stands,
            id: me.slot,
            state: body.state,
            dt: self.dt,
            seed: self.seed,
            step: self.step,
        }
    }
}

/// True if another body has the right of way: its priority is higher, it walks while I stand, or it has less way left.
#[inline]
fn goes_first(me: &Shown, other: &Shown, offset: Vector) -> bool {
    if me.priority != other.priority {
        return other.priority > me.priority;
    }
    if me.stands != other.stands {
        // Who stands makes room, but not for one who wants to stand at the same goal.
        return if me.goal == other.goal { other.stands } else { me.stands };
    }
    if me.roams {
        let ahead = offset.dot(me.head);
        return ahead > 0.0 || (ahead == 0.0 && other.slot < me.slot);
    }
    other.left < me.left || (other.left == me.left && other.slot < me.slot)
}

impl Sorted {
    /// Sorts all bodies on the ground by tile. Returns what it noticed of them.
    pub fn sort(&mut self, ground: &Ground, bodies: &mut Bodies) -> Glance {
        let list = bodies.list();
        self.places.resize(list.len(), NONE);
        let glances = change_runs(&mut self.places, |first, places| {
            let mut glance = Glance::default();
            for (place, body) in places.iter_mut().zip(&list[first..]) {
                glance.add(body);
                *place = if body.is_on_ground() { ground.tile(body.cell, body.at) } else { NONE };
            }
            glance
        });
        self.find_places(ground.tile_count, bodies.slots());
        if bodies.order(&self.places) {
            let places = self.places.iter_mut().enumerate();
            let count = self.sources.len();
            places.for_each(|(here, place)| *place = if here < count { here as u32 } else { NONE });
            self.sources.iter_mut().zip(0..).for_each(|(source, here)| *source = here);
        }
        self.read(bodies.list());
        let mut all = Glance::default();
        glances.into_iter().for_each(|glance| all.join(glance));
        // The order of the list means nothing.
        all.asking.sort_unstable();
        all
    }

    /// Makes of the tile of each body its place in the order of tiles. Bodies of one tile lie in the order of their slots.
    fn find_places(&mut self, tiles: usize, slots: &[u32]) {
        self.first.clear();
        self.first.resize(tiles + 1, 0);
        let mut count = 0;
        for tile in self.places.iter().filter(|tile| **tile != NONE) {
            self.first[*tile as usize] += 1;
            count += 1;
        }
        let mut sum = 0;
        for first in &mut self.first {
            sum += *first;
            *first = sum;
        }
        self.sources.resize(count, 0);
        for (source, tile) in self.places.iter().enumerate().filter(|(_, tile)| **tile != NONE) {
            let first = &mut self.first[*tile as usize];
            *first -= 1;
            self.sources[*first as usize] = source as u32;
        }
        for tile in self.first.windows(2).filter(|tile| tile[1] - tile[0] > 1) {
            let bodies = &mut self.sources[tile[0] as usize..tile[1] as usize];
            bodies.sort_unstable_by_key(|source| slots[*source as usize]);
        }
        for (place, source) in (0..).zip(&self.sources) {
            self.places[*source as usize] = place;
        }
    }

    /// Copies what neighbours read of the bodies.
    fn read(&mut self, bodies: &[Body]) {
        let count = self.sources.len();
        self.at.resize(count, [0.0; 2]);
        self.shown.resize(count, Shown::default());
        write_runs(&self.sources, (&mut self.at, &mut self.shown), |source| {
            let body = &bodies[*source as usize];
            (body.at, Shown::of(body))
        });
    }
}

impl Shown {
    /// Returns what neighbours read of a body.
    fn of(body: &Body) -> Shown {
        let stands = !body.walks() || body.head == Vector::ZERO;
        Shown {
            velocity: body.velocity,
            wish: body.wish,
            head: if stands { Vector::ZERO } else { body.head },
            radius: body.radius,
            left: body.left,
            slot: body.slot,
            goal: body.goal_key,
            priority: body.priority,
            stands,
            roams: body.goal_key >= DIRECTIONS,
            arrived: body.phase == Phase::Arrived,
        }
    }
}
