//! A body that gets a goal and moves at once, while the search for its path still waits or runs. The way walked so far
//! is joined with the path as soon as it is found (`join.rs`).

use super::guess::{Ramble, is_free};
use super::join::join;
use super::schedule::{Pace, SearchId, Slicer};
use super::track::{Track, distance};
use clearway_nav::mesh::NavMesh;
use clearway_nav::path::{NoPath, Path, PathQuery, Place};
use clearway_nav::query::{LastingLocation, Location};

/// The largest number of legs of a guessed walk in one frame. It bounds the time of a frame where legs are short.
const MOST_LEGS: usize = 8;
/// The largest number of expansions of a search for the way to a guess. It is charged to the budget of the coming
/// frames.
const GUESS_STEPS: u64 = 64;
/// The largest number of such searches on the way to a goal: each takes from the budget of all bodies.
const MOST_GUESS_SEARCHES: u32 = 4;
/// The number of points of its trail to which a body looks back for short cuts. Each look is a raycast.
const MOST_LOOK_BACK: usize = 16;
/// The share of the radius that must be free along chords of a path. A chord of the longest step along an arc comes nearer
/// to its corner by less than 1 % of the radius.
const CHORD_SHARE: f64 = 0.98;
/// The number of frames that a body may be held up before it searches anew.
const PATIENCE: u32 = 4;

/// The behaviour of a body between a new goal and its path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Guess {
    /// It stands still.
    Wait,
    /// It walks from cell to cell through the portal that leads best towards the goal, least used portals first.
    #[default]
    Direction,
    /// It goes on along its old path, which is good where the new goal is near the old one. At its end it stands still.
    FollowOldPath,
    /// It walks to the corners of the most promising way that the search has found so far. As long as there are none,
    /// it acts as with [`Guess::Direction`].
    BestSoFar,
}

/// The properties of a [`Walker`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct WalkerOptions {
    /// The radius of the body in metres; 0 for a point.
    pub radius: f64,
    /// The distance that it walks in a frame, in metres.
    pub speed: f64,
    /// Its behaviour as long as it has no path.
    pub guess: Guess,
    /// The priority of its searches.
    pub priority: u32,
    /// The pace of its searches.
    pub pace: Pace,
    /// The distance in metres by which a goal may be moved that is closer to a wall than the radius.
    pub snap: f64,
}

clearway_base::setters!(WalkerOptions {
    radius: f64,
    speed: f64,
    guess: Guess,
    priority: u32,
    pace: Pace,
    snap: f64,
});

impl Default for WalkerOptions {
    fn default() -> WalkerOptions {
        WalkerOptions {
            radius: 0.25,
            speed: 0.1,
            guess: Guess::default(),
            priority: 0,
            pace: Pace::default(),
            snap: 0.0,
        }
    }
}

/// The outcome of a frame for a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Stride {
    /// It has no goal.
    Resting,
    /// It has no path yet.
    Guessing,
    /// It walks along its path.
    Walking,
    /// It is at its goal.
    Arrived,
    /// There is no path to its goal.
    Lost(NoPath),
}

/// The course of the way to the present goal. Frames count from when the goal was set; lengths are in metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct WalkReport {
    /// The number of frames that passed.
    pub frames: u64,
    /// The frame in which it first moved.
    pub first_move: Option<u64>,
    /// The frame in which its path was found.
    pub answered: Option<u64>,
    /// The frame in which it arrived.
    pub arrived: Option<u64>,
    /// The length that it walked.
    pub walked: f64,
    /// The length that it had walked when its path was found.
    pub guessed: f64,
    /// The length of the path that was found, from where the body was when it got the goal.
    pub found: f64,
    /// The length left to walk when the path was found.
    pub joined: f64,
    /// The length that would have been left by way of where the body was when it got the goal.
    pub by_start: f64,
    /// The number of times that it searched anew, because it was held up for long or an edit closed its way.
    pub restarts: u32,
}

/// A body that walks to goals on a mesh. It never leaves the mesh. If it starts no closer to walls than its radius, it
/// never comes closer. After an edit that closed its way it searches anew, and after any edit if it was lost.
///
/// In each frame call [`Slicer::frame`] once and then [`Walker::step`] for each walker.
#[derive(Clone, Debug)]
pub struct Walker {
    /// Its properties.
    options: WalkerOptions,
    /// Its location.
    at: Location,
    /// The same, after the last step.
    kept: LastingLocation,
    /// Its goal, if it has one.
    goal: Option<LastingLocation>,
    /// The serial number of the mesh in the last step; every edit gives a mesh another one.
    serial: Option<u64>,
    /// The search for its path, as long as it waits or runs.
    search: Option<SearchId>,
    /// The reason why there is no path to its goal.
    lost: Option<NoPath>,
    /// The track that it walks along now.
    track: Track,
    /// The length walked on the track, in metres.
    along: f64,
    /// The memory of its walk by guesses.
    ramble: Ramble,
    /// Points since the goal was set, each of which sees the next one; the last is the present one.
    trail: Vec<Location>,
    /// The number of consecutive frames in which it was held up.
    held_up: u32,
    /// The number of searches for the way to a guess so far.
    guess_searches: u32,
    /// The course of the way so far.
    report: WalkReport,
}

impl Walker {
    /// Makes a body without a goal.
    pub fn new(at: Location, options: WalkerOptions) -> Walker {
        Walker {
            options,
            at,
            kept: LastingLocation::new(at),
            goal: None,
            serial: None,
            search: None,
            lost: None,
            track: Track::default(),
            along: 0.0,
            ramble: Ramble::default(),
            trail: Vec::new(),
            held_up: 0,
            guess_searches: 0,
            report: WalkReport::default(),
        }
    }

    /// Returns its location.
    pub fn at(&self) -> Location {
        self.at
    }

    /// Returns its properties.
    pub fn options(&self) -> &WalkerOptions {
        &self.options
    }

    /// Returns the course of the way to the present goal so far.
    pub fn report(&self) -> &WalkReport {
        &self.report
    }

    /// Gives it a new goal. Adds a search from where it is now and cancels the search for the goal before.
    pub fn set_goal(&mut self, slicer: &mut Slicer, goal: Location) {
        self.report = WalkReport::default();
        self.seek(slicer, goal);
    }

    /// Makes it forget its goal and stand still.
    pub fn stop(&mut self, slicer: &mut Slicer) {
        if let Some(search) = self.search.take() {
            slicer.cancel(search);
        }
        (self.goal, self.lost) = (None, None);
        self.set_track(Track::default());
    }

    /// Moves it for one frame.
    pub fn step(&mut self, mesh: &NavMesh, slicer: &mut Slicer) -> Stride {
        self.notice_edits(mesh, slicer);
        let stride = self.step_on(mesh, slicer);
        let mut kept = LastingLocation::new(self.at);
        if kept.on(mesh).is_some() {
            self.kept = kept;
        }
        if let Some(goal) = &mut self.goal {
            goal.on(mesh);
        }
        stride
    }

    /// Moves it for one frame on a mesh whose edits it has noticed.
    fn step_on(&mut self, mesh: &NavMesh, slicer: &mut Slicer) -> Stride {
        let Some(goal) = self.goal.map(|goal| goal.last()) else { return Stride::Resting };
        if let Some(reason) = self.lost {
            return Stride::Lost(reason);
        }
        if self.report.arrived.is_some() {
            return Stride::Arrived;
        }
        self.report.frames += 1;
        if self.is_at(mesh, goal) {
            self.arrive(slicer);
            return Stride::Arrived;
        }
        if let Some(answer) = self.search.and_then(|search| slicer.take(search)) {
            self.search = None;
            // Edits may have come after the frame in which the search ended.
            let is_of_now = slicer.ran_on(mesh);
            match answer {
                Ok(path) if is_of_now || path.is_valid(mesh) => self.take_path(mesh, slicer, &path),
                Err(reason) if is_of_now => {
                    self.lost = Some(reason);
                    return Stride::Lost(reason);
                }
                _ => self.seek_anew(slicer, goal),
            }
        }
        let before = self.report.walked;
        match self.search {
            Some(search) => self.walk_by_guess(mesh, slicer, search, goal),
            None => self.walk_by_path(mesh, slicer, goal),
        }
        if self.is_at(mesh, goal) {
            self.arrive(slicer);
        }
        if self.report.first_move.is_none() && self.report.walked > before {
            self.report.first_move = Some(self.report.frames);
        }
        self.stride()
    }

    /// Finds its place and its goal again after edits, and searches anew if its way was closed.
    fn notice_edits(&mut self, mesh: &NavMesh, slicer: &mut Slicer) {
        let serial = mesh.graph().serial;
        let known = self.serial.replace(serial);
        if !mesh.is_edited() || known == Some(serial) {
            return;
        }
        let trail: Option<Vec<Location>> =
            self.trail.iter().map(|place| LastingLocation::new(*place).on(mesh)).collect();
        let Some(at) = self.kept.on(mesh) else {
            self.lost = self.goal.map(|_| NoPath::OffMesh { place: Place::Start });
            return;
        };
        self.at = at;
        let Some(goal) = &mut self.goal else { return };
        let Some(goal) = goal.on(mesh) else {
            self.lost = Some(NoPath::OffMesh { place: Place::Goal });
            return;
        };
        let is_whole = trail.is_some();
        self.trail = trail.unwrap_or_default();
        if self.report.arrived.is_none() && (self.lost.is_some() || !is_whole || !self.is_way_free(mesh)) {
            self.seek_anew(slicer, goal);
        }
    }

    /// True if nothing stands in the way that it walked by guesses, or in the rest of its path.
    fn is_way_free(&self, mesh: &NavMesh) -> bool {
        let radius = self.options.radius;
        if self.search.is_some() {
            let sees = |pair: &[Location]| is_free(mesh, pair[0], pair[1].position(), radius);
            return self.trail.windows(2).all(sees);
        }
        let (mut at, mut along) = (self.at, self.along);
        while along < self.track.length() {
            let hop = self.track.hop(along);
            along += hop;
            // Chords cut the corners of arcs, and paths touch walls up to rounding.
            let hit = self.track.place(along).and_then(|aim| mesh.raycast(at, aim, CHORD_SHARE * radius));
            let Some(hit) = hit.filter(|hit| hop > 0.0 && hit.reached()) else { return false };
            at = hit.at;
        }
        true
    }

    /// Searches for the way to the same goal anew.
    fn seek_anew(&mut self, slicer: &mut Slicer, goal: Location) {
        self.report.restarts += 1;
        self.seek(slicer, goal);
    }

    /// Returns the outcome of the frame.
    fn stride(&self) -> Stride {
        match (self.report.arrived, self.search) {
            (Some(_), _) => Stride::Arrived,
            (None, Some(_)) => Stride::Guessing,
            (None, None) => Stride::Walking,
        }
    }

    /// True if it is at the goal, up to the tolerance.
    fn is_at(&self, mesh: &NavMesh, goal: Location) -> bool {
        distance(self.at.position(), goal.position()) <= self.tolerance(mesh)
    }

    /// Ends the way to the goal.
    fn arrive(&mut self, slicer: &mut Slicer) {
        if let Some(search) = self.search.take() {
            slicer.cancel(search);
        }
        self.report.arrived = Some(self.report.frames);
    }

    /// Starts a search for the way to a goal, and a new trail.
    fn seek(&mut self, slicer: &mut Slicer, goal: Location) {
        let WalkerOptions { radius, priority, pace, guess, snap, .. } = self.options;
        if let Some(search) = self.search.take() {
            slicer.cancel(search);
        }
        let mut query = PathQuery::new(self.at, goal);
        query.radius = radius;
        // A body that touches a wall may stand a little too close by rounding.
        query.snap = snap.max(1e-3 * radius);
        self.search = Some(slicer.add(query, priority, pace));
        (self.goal, self.lost) = (Some(LastingLocation::new(goal)), None);
        self.ramble = Ramble::default();
        // Two equal points: `note_place` moves the last one and compares with the one before.
        self.trail = vec![self.at, self.at];
        (self.held_up, self.guess_searches) = (0, 0);
        // To the join, the old path is a guess like any other (section 3.1 of the thesis).
        if guess != Guess::FollowOldPath {
            self.set_track(Track::default());
        }
    }

    /// Joins the path with the way walked so far.
    fn take_path(&mut self, mesh: &NavMesh, slicer: &mut Slicer, path: &Path) {
        let joined = join(mesh, slicer, &self.trail, path);
        self.report.answered = Some(self.report.frames);
        self.report.guessed = self.report.walked;
        self.report.found = path.length;
        self.report.by_start = joined.length_by_start;
        self.report.joined = joined.track.length();
        self.trail = Vec::new();
        self.set_track(joined.track);
    }

    /// Walks along the path for one frame; searches anew after being held up for too long.
    fn walk_by_path(&mut self, mesh: &NavMesh, slicer: &mut Slicer, goal: Location) {
        let (before, left) = (self.at.position(), self.follow(mesh, self.options.speed));
        if self.is_track_over() {
            return self.arrive(slicer);
        }
        let held_up = left > 0.0 && distance(before, self.at.position()) < 1e-3 * self.options.speed;
        self.held_up = if held_up { self.held_up + 1 } else { 0 };
        if self.held_up > PATIENCE {
            self.seek_anew(slicer, goal);
        }
    }

    /// Walks by guesses for one frame.
    fn walk_by_guess(&mut self, mesh: &NavMesh, slicer: &mut Slicer, search: SearchId, goal: Location) {
        let mut left = self.options.speed;
        for _ in 0..MOST_LEGS {
            left = self.follow(mesh, left);
            self.note_place(mesh);
            if self.is_at(mesh, goal) || left <= 0.0 {
                return;
            }
            if self.slides_on(mesh) {
                continue;
            }
            let track = self.next_leg(mesh, slicer, search, goal);
            let is_leg = track.is_some();
            self.set_track(track.unwrap_or_default());
            if !is_leg {
                return;
            }
        }
    }

    /// True if it is on a leg that is not over and can still reach its end; it then goes on from where it slid to.
    fn slides_on(&mut self, mesh: &NavMesh) -> bool {
        let Some(aim) = self.track.place(self.track.length()).filter(|_| !self.is_track_over()) else {
            return false;
        };
        let rest = distance(self.at.position(), aim);
        let is_nearer = rest < (self.track.length() - self.along) - 1e-3 * self.options.speed;
        // A point on a portal may lie a little too close to a wall to be reached exactly.
        if rest <= 0.1 * self.options.radius + self.tolerance(mesh) {
            return false;
        }
        if is_nearer {
            self.set_track(Track::through(&[self.at.position(), aim]));
        } else {
            self.ramble.interrupt();
        }
        is_nearer
    }

    /// Returns the next leg of a guessed walk; `None` to stand still.
    fn next_leg(
        &mut self,
        mesh: &NavMesh,
        slicer: &mut Slicer,
        search: SearchId,
        goal: Location,
    ) -> Option<Track> {
        match self.options.guess {
            Guess::Wait | Guess::FollowOldPath => return None,
            Guess::Direction => {}
            Guess::BestSoFar => {
                let corners = slicer.best_guess(mesh, search);
                if let Some((last, before)) = corners.get(1..).and_then(<[_]>::split_last) {
                    return self.leg_to_guess(mesh, slicer, before, *last);
                }
            }
        }
        let mut places = vec![self.at.position()];
        places.extend(self.ramble.next(mesh, self.at, goal, self.options.radius)?);
        Some(Track::through(&places))
    }

    /// Returns the straight leg to the farthest visible corner of the best guess, or the result of a short search to
    /// the last corner.
    fn leg_to_guess(
        &mut self,
        mesh: &NavMesh,
        slicer: &mut Slicer,
        before: &[[f64; 2]],
        last: [f64; 2],
    ) -> Option<Track> {
        let (here, radius) = (self.at.position(), self.options.radius);
        // It may have left the cell that the walk by direction was in.
        self.ramble.interrupt();
        if distance(here, last) <= self.tolerance(mesh) {
            return None;
        }
        let mut corners = std::iter::once(&last).chain(before.iter().rev());
        let seen = corners.find(|corner| is_free(mesh, self.at, **corner, radius));
        if let Some(aim) = seen.filter(|aim| distance(here, **aim) > self.tolerance(mesh)) {
            return Some(Track::through(&[here, *aim]));
        }
        self.guess_searches += 1;
        if self.guess_searches > MOST_GUESS_SEARCHES {
            return None;
        }
        let mut query = PathQuery::new(self.at, mesh.locate_near(last, &self.at).ok()?);
        query.radius = radius;
        query.snap = 1e-3 * radius;
        slicer.short_search(mesh, query, GUESS_STEPS).map(|path| Track::of(&path))
    }

    /// Walks along the track for a distance. Returns the part of it that is left, because the track ended or something
    /// was in the way.
    fn follow(&mut self, mesh: &NavMesh, mut left: f64) -> f64 {
        while left > 0.0 && !self.is_track_over() {
            let hop = self.track.hop(self.along).min(left);
            let Some(aim) = self.track.place(self.along + hop) else { break };
            let before = self.at.position();
            if !self.move_to(mesh, aim) {
                let moved = distance(before, self.at.position());
                self.report.walked += moved;
                left = (left - moved).max(0.0);
                break;
            }
            self.along += hop;
            self.report.walked += hop;
            left -= hop;
        }
        left
    }

    /// Moves to a point nearby. Returns true if it arrived there.
    fn move_to(&mut self, mesh: &NavMesh, aim: [f64; 2]) -> bool {
        let radius = self.options.radius;
        let next = mesh.move_along(self.at, aim, radius);
        if distance(next.position(), aim) <= self.tolerance(mesh) {
            self.at = next;
            return true;
        }
        // Sliding may end in a nook beside the way, although the way itself is legal.
        let there = mesh.locate_near(aim, &self.at).ok().filter(|there| {
            let is_legal = mesh.clearance(*there).is_some_and(|room| room >= radius);
            is_legal && is_free(mesh, self.at, aim, 0.0)
        });
        // Sliding may take twice the distance; aiming half as far keeps to the speed.
        let half = [0, 1].map(|axis| 0.5 * (self.at.position()[axis] + aim[axis]));
        self.at = there.unwrap_or_else(|| mesh.move_along(self.at, half, radius));
        there.is_some()
    }

    /// Adds the present point to the trail. Replaces the last point if the point before sees the present one.
    fn note_place(&mut self, mesh: &NavMesh) {
        let [.., before, last] = &mut self.trail[..] else { return };
        if last.position() == self.at.position() {
            return;
        }
        let is_seen = is_free(mesh, *before, self.at.position(), self.options.radius);
        if is_seen {
            *last = self.at;
        } else {
            self.cut_loop(mesh);
            self.trail.push(self.at);
        }
    }

    /// Drops the points between the present one and the earliest recent point that it sees: the way back need not lead
    /// through dead ends again.
    fn cut_loop(&mut self, mesh: &NavMesh) {
        let first = self.trail.len().saturating_sub(MOST_LOOK_BACK);
        let recent = self.trail.iter().enumerate().skip(first);
        let radius = self.options.radius;
        let mut seen = recent.filter(|(_, place)| is_free(mesh, self.at, place.position(), radius));
        if let Some((number, _)) = seen.next() {
            self.trail.truncate(number + 1);
        }
    }

    /// Starts a track from its beginning.
    fn set_track(&mut self, track: Track) {
        (self.track, self.along) = (track, 0.0);
    }

    /// True if it is at the end of its track.
    fn is_track_over(&self) -> bool {
        self.along >= self.track.length()
    }

    /// Returns the distance in metres at which a point counts as reached.
    fn tolerance(&self, mesh: &NavMesh) -> f64 {
        1e-4 * self.options.radius + 64.0 * mesh.unit()
    }

    /// Returns the number of uses of the portal that it used most while it guessed.
    #[cfg(test)]
    pub(super) fn most_uses(&self) -> u32 {
        self.ramble.most_uses()
    }
}
