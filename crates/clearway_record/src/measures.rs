//! What is measured in every frame of a run: overlap, jitter, wall distance, path lengths, needless standing, wobbling.
//!
//! Velocities are differences of places between frames, so they need no trust in what the engine says.

use crate::header::AgentRecord;
use crate::pairs::{Disc, PairFinder};
use crate::recorder::Place;
use crate::stand::{Stand, Standing, Stands};
use crate::walls::Walls;
use serde::Serialize;

/// An overlap up to this many metres counts as touching. It is the precision that the engine promises.
const TOUCH: f64 = 1e-4;

/// Walls farther than this from the rim of a body are not looked for, in metres.
const WALL_REACH: f64 = 1.0;

/// A body is free if the gap to every other body and wall is larger than this, in metres: more than a step.
const FREE_GAP: f64 = 0.5;

/// A body stands if it is slower than this part of its free speed.
const STANDING_SHARE: f64 = 0.1;

/// Turns count only above this speed in m/s: a body that stands has no direction.
const TURNING_SPEED: f64 = 0.2;

/// Turns below this many radians are rounding or noise: one degree.
const LEAST_TURN: f64 = 0.017;

/// A body that is faster than this many times its free speed and [`JUMP_SPEED`] was moved, and has no velocity.
const JUMP_FACTOR: f64 = 3.0;

/// The least speed of a jump in m/s.
const JUMP_SPEED: f64 = 10.0;

/// The numbers of a run that say if it can be believed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Measures {
    /// The number of frames that were measured.
    pub frames: u64,
    /// The largest overlap of two bodies in metres; 0 if none touched.
    pub largest_overlap: f64,
    /// The number of pairs over all frames that overlapped by more than 0.1 mm.
    pub overlapping_pairs: u64,
    /// The largest depth of a body in a wall in metres; 0 if none touched one.
    pub largest_wall_overlap: f64,
    /// The number of bodies over all frames that were in a wall by more than 0.1 mm.
    pub bodies_in_walls: u64,
    /// The least distance between the rim of a body and a wall in metres, at most 1; negative inside a wall.
    pub least_wall_distance: f64,
    /// The mean of |change of velocity| / time between frames, in m/s², over all bodies that walk.
    pub jitter: f64,
    /// The mean of walked length / shortest way, both in the plan, over the bodies that arrived and whose way to the
    /// goal they reached is known; 0 if there is none.
    pub path_ratio: f64,
    /// The mean of walked length / straight distance, both in space, over the bodies that arrived; 0 if there is none.
    pub detour: f64,
    /// The seconds, over all bodies, in which a body was on its way, stood, and had more than 0.5 m of room around it.
    pub standing_free: f64,
    /// The mean number of changes between left and right turns for each second of walking.
    pub turn_changes: f64,
    /// The mean speed in m/s of bodies on their way.
    pub mean_speed: f64,
    /// The seconds, over all bodies, in which they were on their way.
    pub walking_time: f64,
    /// The longest that a body walked, in metres.
    pub longest_walk: f64,
    /// The longest time in seconds for which a body stood although it was on its way.
    pub longest_stand: f64,
    /// The bodies that stood for more than a minute although they were on their way, if there were any.
    pub standing: Option<Standing>,
}

/// What is remembered of a body from frame to frame.
#[derive(Clone, Copy, Default)]
struct Track {
    first: [f64; 3],
    last: [f64; 3],
    velocity: Option<[f64; 2]>,
    /// The number of the frame in which it was seen last, counted from 1; 0 before the first.
    seen: u64,
    walked: f64,
    /// The length of its way in the plan.
    walked_in_plan: f64,
    stand: Stand,
    /// The side to which it turned last: -1, 0 or 1.
    turn: i8,
}

/// Sums up a run, frame by frame.
pub struct Meter {
    walls: Walls,
    finder: PairFinder,
    tracks: Vec<Track>,
    discs: Vec<Disc>,
    /// The gap from each body of the frame to what is nearest to it.
    gaps: Vec<f64>,
    measures: Measures,
    stands: Stands,
    jitter: Mean,
    path_ratio: Mean,
    detour: Mean,
    turns: u64,
}

/// A running mean.
#[derive(Clone, Copy, Default)]
struct Mean {
    sum: f64,
    count: u64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    fn value(self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
    }
}

impl Meter {
    /// Makes a meter for a space with these walls.
    pub fn new(walls: Walls) -> Meter {
        Meter {
            walls,
            finder: PairFinder::default(),
            tracks: Vec::new(),
            discs: Vec::new(),
            gaps: Vec::new(),
            measures: Measures { least_wall_distance: WALL_REACH, ..Measures::default() },
            stands: Stands::default(),
            jitter: Mean::default(),
            path_ratio: Mean::default(),
            detour: Mean::default(),
            turns: 0,
        }
    }

    /// Measures a frame at a time. `step` is the time between frames in seconds. `walked` is told of everybody who
    /// walked from one place to another since the last frame.
    pub fn frame(
        &mut self,
        agents: &[AgentRecord],
        places: &[Place],
        step: f64,
        time: f64,
        mut walked: impl FnMut([f64; 3], [f64; 3]),
    ) {
        self.measures.frames += 1;
        self.tracks.resize(agents.len(), Track::default());
        self.discs.clear();
        self.discs.extend(places.iter().map(|p| Disc { at: p.at, radius: agents[p.agent as usize].radius }));
        self.find_contacts();
        for (place, gap) in places.iter().zip(&self.gaps) {
            let agent = &agents[place.agent as usize];
            let track = &mut self.tracks[place.agent as usize];
            let before = track.last;
            let moved = track.advance(place, agent, step, self.measures.frames);
            if moved.is_some() {
                walked(before, place.at);
            }
            let stood = track.stand.go_on(place.at, time, place.walks && moved.is_some());
            self.stands.add(place.agent as usize, stood);
            let Some(moved) = moved.filter(|_| place.walks) else { continue };
            self.measures.walking_time += step;
            self.measures.mean_speed += moved.speed * step;
            moved.change.into_iter().for_each(|change| self.jitter.add(change / step));
            self.turns += u64::from(moved.has_turned);
            if moved.speed < agent.speed * STANDING_SHARE && *gap > FREE_GAP {
                self.measures.standing_free += step;
            }
        }
    }

    /// Finds overlaps of bodies and walls, and the gap around each body.
    fn find_contacts(&mut self) {
        let (discs, measures, gaps) = (&self.discs, &mut self.measures, &mut self.gaps);
        gaps.clear();
        gaps.resize(discs.len(), f64::INFINITY);
        let widest = discs.iter().map(|disc| disc.radius).fold(0.0, f64::max);
        self.finder.visit(discs, 2.0 * widest + FREE_GAP, |i, j, distance| {
            let gap = distance - discs[i].radius - discs[j].radius;
            gaps[i] = gaps[i].min(gap);
            gaps[j] = gaps[j].min(gap);
            measures.largest_overlap = measures.largest_overlap.max(-gap);
            measures.overlapping_pairs += u64::from(gap < -TOUCH);
        });
        for (disc, gap) in discs.iter().zip(gaps) {
            let mut least = WALL_REACH;
            self.walls.near(disc.at, disc.radius + WALL_REACH, |_, distance| {
                least = least.min(distance - disc.radius);
            });
            *gap = gap.min(least);
            measures.least_wall_distance = measures.least_wall_distance.min(least);
            measures.largest_wall_overlap = measures.largest_wall_overlap.max(-least);
            measures.bodies_in_walls += u64::from(least < -TOUCH);
        }
    }

    /// Takes note that a body came to its goal.
    pub fn arrived(&mut self, agent: usize, record: &AgentRecord) {
        let Some(track) = self.tracks.get_mut(agent).filter(|track| track.seen > 0) else { return };
        self.stands.add(agent, track.stand.end());
        let straight = length(difference(track.last, track.first));
        // A body that came in at its goal has no way to compare with.
        if straight > record.radius {
            self.detour.add(track.walked / straight);
        }
        if let Some(way) = record.way.filter(|way| *way > record.radius) {
            self.path_ratio.add(track.walked_in_plan / way);
        }
    }

    /// Ends the run and gives its numbers.
    pub fn finish(mut self) -> Measures {
        for (agent, track) in self.tracks.iter_mut().enumerate() {
            self.stands.add(agent, track.stand.end());
        }
        let mut measures = self.measures;
        measures.longest_stand = self.stands.longest();
        measures.standing = self.stands.standing();
        let seconds = measures.walking_time.max(f64::MIN_POSITIVE);
        measures.jitter = self.jitter.value();
        measures.path_ratio = self.path_ratio.value();
        measures.detour = self.detour.value();
        measures.turn_changes = self.turns as f64 / seconds;
        measures.mean_speed /= seconds;
        measures.longest_walk = self.tracks.iter().map(|track| track.walked).fold(0.0, f64::max);
        measures
    }
}

/// What a body did between two frames.
struct Moved {
    speed: f64,
    /// The length of the change of its velocity in m/s, if it had one.
    change: Option<f64>,
    /// True if it turns to the other side than before.
    has_turned: bool,
}

impl Track {
    /// Follows a body into the next frame. Returns what it did, unless it has just come in or was moved.
    fn advance(&mut self, place: &Place, agent: &AgentRecord, step: f64, frame: u64) -> Option<Moved> {
        let was_here = self.seen > 0 && self.seen + 1 == frame;
        let walked = difference(place.at, self.last);
        let speed = length(walked) / step;
        let jumped = speed > JUMP_SPEED.max(JUMP_FACTOR * agent.speed);
        if self.seen == 0 {
            self.first = place.at;
        }
        let before = self.velocity.take();
        (self.last, self.seen) = (place.at, frame);
        if !was_here || jumped {
            return None;
        }
        self.walked += length(walked);
        self.walked_in_plan += walked[0].hypot(walked[1]);
        let velocity = [walked[0] / step, walked[1] / step];
        self.velocity = Some(velocity);
        let change = before.map(|old| (velocity[0] - old[0]).hypot(velocity[1] - old[1]));
        let has_turned = before.is_some_and(|old| self.turns(old, velocity));
        Some(Moved { speed, change, has_turned })
    }

    /// Takes note of a turn. Returns true if it goes to the other side than the last one.
    fn turns(&mut self, old: [f64; 2], new: [f64; 2]) -> bool {
        if old[0].hypot(old[1]) < TURNING_SPEED || new[0].hypot(new[1]) < TURNING_SPEED {
            return false;
        }
        let across = old[0] * new[1] - old[1] * new[0];
        let along = old[0] * new[0] + old[1] * new[1];
        // The tangent of a small angle is the angle.
        if across.abs() < LEAST_TURN * along {
            return false;
        }
        let side = if across > 0.0 { 1 } else { -1 };
        let has_changed = self.turn == -side;
        self.turn = side;
        has_changed
    }
}

fn difference(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn length(v: [f64; 3]) -> f64 {
    v.iter().map(|c| c * c).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Geometry;

    /// Runs bodies of radius 0.25 along given places at 10 frames a second in a room of 10 m by 10 m.
    fn measure(paths: &[fn(f64) -> [f64; 2]], frames: u32) -> Measures {
        let room = vec![[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]];
        let mut meter = Meter::new(Walls::new(&Geometry::of_plan(&[room], &[])));
        let agents: Vec<_> =
            (0..paths.len()).map(|i| AgentRecord::new(i as u64).radius(0.25).way(4.0)).collect();
        for frame in 0..frames {
            let place = |(i, path): (usize, &fn(f64) -> [f64; 2])| {
                let [x, y] = path(f64::from(frame) * 0.1);
                Place::new(i as u32, [x, y, 0.0])
            };
            let places: Vec<_> = paths.iter().enumerate().map(place).collect();
            meter.frame(&agents, &places, 0.1, f64::from(frame) * 0.1, |_, _| ());
        }
        (0..paths.len()).for_each(|i| meter.arrived(i, &agents[i]));
        meter.finish()
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn a_straight_walk_has_no_jitter_and_the_length_of_its_way() {
        let found = measure(&[|t| [1.0 + t, 5.0]], 41);
        assert!(near(found.jitter, 0.0) && near(found.turn_changes, 0.0), "{found:?}");
        assert!(near(found.path_ratio, 1.0) && near(found.detour, 1.0), "{found:?}");
        assert!(near(found.mean_speed, 1.0) && near(found.walking_time, 4.0), "{found:?}");
        assert_eq!((found.largest_overlap, found.largest_wall_overlap), (0.0, 0.0));
        assert!(near(found.least_wall_distance, 0.75), "{found:?}");
    }

    /// The walked length was one in space, the shortest way one in the plan: on stairs everybody took a detour.
    #[test]
    fn walked_and_shortest_way_on_stairs_are_both_in_the_plan() {
        let mut meter = Meter::new(Walls::new(&Geometry::default()));
        let agents = [AgentRecord::new(0).way(4.0)];
        for frame in 0..=40 {
            let x = f64::from(frame) * 0.1;
            let place = Place::new(0, [x, 0.0, x * 0.6]);
            meter.frame(&agents, &[place], 0.1, x, |_, _| ());
        }
        meter.arrived(0, &agents[0]);
        let found = meter.finish();
        assert!(near(found.path_ratio, 1.0) && near(found.detour, 1.0), "{found:?}");
        assert!(found.longest_walk > 4.6, "{found:?}");
    }

    #[test]
    fn overlaps_are_as_deep_as_they_are() {
        let found = measure(&[|_| [5.0, 5.0], |_| [5.4, 5.0], |_| [0.2, 5.0]], 3);
        assert!(near(found.largest_overlap, 0.1), "{found:?}");
        assert!(
            near(found.largest_wall_overlap, 0.05) && near(found.least_wall_distance, -0.05),
            "{found:?}"
        );
        assert_eq!((found.overlapping_pairs, found.bodies_in_walls), (3, 3));
    }

    #[test]
    fn standing_counts_only_where_there_is_room() {
        assert!(near(measure(&[|_| [5.0, 5.0]], 11).standing_free, 1.0));
        assert!(near(measure(&[|_| [5.0, 5.0], |_| [5.9, 5.0]], 11).standing_free, 0.0));
    }

    #[test]
    fn a_zigzag_changes_its_turn_each_time() {
        let zigzag = |t: f64| [1.0 + t, 5.0 + if (t * 10.0).round() as i64 % 2 == 0 { 0.0 } else { 0.05 }];
        let found = measure(&[zigzag], 41);
        assert!(found.turn_changes > 9.0 && found.jitter > 9.0, "{found:?}");
    }

    #[test]
    fn a_body_that_is_carried_back_has_not_run() {
        let found = measure(&[|t| [1.0 + t % 2.0, 5.0]], 61);
        assert!(near(found.jitter, 0.0) && near(found.mean_speed, 1.0), "{found:?}");
    }
}
