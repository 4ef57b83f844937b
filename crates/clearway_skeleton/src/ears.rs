//! Ears: the discs that may fill the cell of a removed site, judged by what that cell sees.
//!
//! Let H be the cell of the removed site v. Each entry of the ring of neighbours owns an arc of the border of H. The
//! empty discs along that arc touch v at places `on_removed` and the entry at places `on_entry`. A disc is a vertex
//! of the diagram without v iff it meets v, touches its three entries where H sees them, and no entry enters it with the
//! part seen from the chord of the disc on v. For a point v every seen part counts. The rule holds on surfaces of
//! several sheets too, where whole sites in projection would count floors that are not there. Cost: linear in the ring.

use crate::circle::{Circle, Triple, corner, polish, tangent_circles};
use crate::conflict::cross_sign;
use crate::graph::Graph;
use crate::sites::Site;
use clearway_geometry::Vec2;

/// A neighbour of the removed site, with the part of it that the removed cell sees.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub site: u32,
    /// The vertices of the cell before and after the arc.
    from: Circle,
    to: Circle,
    /// Feet of both on the removed site, in rising order.
    on_removed: [f64; 2],
    /// Feet of the same two on the entry.
    on_entry: [f64; 2],
    /// The side of a segment on which the cell lies; zero if it cannot be told.
    side: f64,
    /// An end of the removed segment, or an entry beside the outer face: no sector limits it.
    is_open: bool,
}

/// A disc for three entries: at least zero if it is a vertex of the diagram without the site.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ear {
    pub circle: Circle,
    pub error: f64,
    pub margin: f64,
}

impl Ear {
    /// No disc at all.
    pub const NONE: Ear = Ear {
        circle: Circle { at: Vec2::new(0.0, 0.0), radius: 0.0 },
        error: 0.0,
        margin: f64::NEG_INFINITY,
    };
}

impl Entry {
    /// Takes over the seen part of another entry of the same site, after a zip between them.
    pub fn join(&mut self, other: &Entry) {
        self.to = other.to;
        let least = self.on_entry[0].min(self.on_entry[1]).min(other.on_entry[0]).min(other.on_entry[1]);
        let most = self.on_entry[0].max(self.on_entry[1]).max(other.on_entry[0]).max(other.on_entry[1]);
        let falls = self.on_entry[1] < self.on_entry[0] || other.on_entry[1] < other.on_entry[0];
        self.on_entry = if falls { [most, least] } else { [least, most] };
        self.on_removed[0] = self.on_removed[0].min(other.on_removed[0]);
        self.on_removed[1] = self.on_removed[1].max(other.on_removed[1]);
        if self.side == 0.0 {
            self.side = other.side;
        }
    }
}

impl Graph {
    /// The entry of a neighbour between two vertices of the cell of `removed`.
    pub(crate) fn entry(&self, removed: u32, site: u32, from: Circle, to: Circle) -> Entry {
        let (v, e) = (self.site(removed), self.site(site));
        let foot = |s: &Site, c: &Circle| if s.is_point() { 0.0 } else { s.reach(c.at).clamp(0.0, s.length) };
        let is_end = v.ends_at(site);
        let mut on_removed = [foot(v, &from), foot(v, &to)];
        if is_end {
            on_removed = [if v.ends[0] == site { 0.0 } else { v.length }; 2];
        }
        let (mut on_entry, mut side) = ([foot(e, &from), foot(e, &to)], 0.0);
        if !e.is_point() {
            let (a, b) = (e.offset(from.at), e.offset(to.at));
            let most = if a.abs() > b.abs() { a } else { b };
            if most.abs() > 16.0 * self.epsilon {
                side = most.signum();
            }
        }
        if on_removed[1] < on_removed[0] {
            on_removed.swap(0, 1);
            on_entry.swap(0, 1);
        }
        // Beside the outer face an arc has no end: the whole site counts.
        let is_outer = from.is_outer() || to.is_outer();
        if is_outer {
            (on_removed, on_entry, side) = ([f64::NEG_INFINITY, f64::INFINITY], [0.0, e.length], 0.0);
        }
        Entry { site, from, to, on_removed, on_entry, side, is_open: is_end || is_outer }
    }

    /// The best disc for three entries in this order.
    pub(crate) fn ear(&self, removed: u32, places: [usize; 3], entries: &[Entry]) -> Ear {
        let three = places.map(|place| &entries[place]);
        let sites = self.sites_of(three.map(|entry| entry.site));
        if let Some(i) = corner(sites) {
            return self.corner_ear(removed, i, three, sites);
        }
        let mut best = Ear::NONE;
        tangent_circles(sites, |found| {
            let mut circle = found;
            if !(circle.radius.is_finite() && circle.radius >= 0.0 && circle.radius * self.grain < 1.0) {
                return;
            }
            let error = polish(sites, &mut circle, self.grain, f64::INFINITY).unwrap_or(f64::INFINITY);
            let mut margin = -self.penalty(removed, three, sites, &circle);
            if margin > best.margin {
                let others = entries.iter().enumerate().filter(|(i, _)| !places.contains(i));
                margin = margin.min(self.least_distance(removed, others.map(|(_, e)| e), &circle));
            }
            if margin > best.margin {
                best = Ear { circle, error, margin };
            }
        });
        best
    }

    /// The ear of radius zero at an end of the removed segment, between two other segments.
    fn corner_ear(&self, removed: u32, i: usize, three: [&Entry; 3], sites: Triple) -> Ear {
        let (point, v) = (sites[i], self.site(removed));
        let circle = Circle::new(point.1.a, 0.0);
        let (one, other) = ((i + 1) % 3, (i + 2) % 3);
        // Both walls must be the entries that reach this corner, since a wall may be in the ring several times.
        let unseen = self.unseen(three[one], &circle).max(self.unseen(three[other], &circle));
        let [d, e] = [one, other].map(|j| sites[j].1.away_from(point.0));
        let ear = |margin: f64| Ear { circle, error: 0.0, margin };
        let is_straight = cross_sign(d, e) == 0 && d.dot(e) < 0.0;
        if is_straight && three[i].from.at.distance(three[i].to.at) < 128.0 * self.epsilon {
            // The point sees one ray of the hole: a tie, taken when nothing better is left.
            return ear(-2.0 * self.epsilon - unseen);
        }
        let meets = v.ends_at(point.0) && three[i].from.radius == 0.0 && three[i].to.radius == 0.0;
        if !meets {
            return ear(f64::NEG_INFINITY);
        }
        let q = v.away_from(point.0);
        let is_inside = cross_sign(d, e) > 0 && cross_sign(d, q) > 0 && cross_sign(q, e) > 0;
        ear(if is_inside { -unseen } else { f64::NEG_INFINITY })
    }

    /// A measure of all that speaks against a disc of three entries, other entries aside; zero for a good one.
    fn penalty(&self, removed: u32, three: [&Entry; 3], sites: Triple, circle: &Circle) -> f64 {
        let mut penalty = (self.site(removed).distance(circle.at) - circle.radius).max(0.0);
        let mut touch = [Vec2::default(); 3];
        for i in 0..3 {
            let site = sites[i].1;
            let distance = if site.is_point() {
                touch[i] = site.a;
                circle.at.distance(site.a)
            } else {
                touch[i] = touch_point(sites, i, circle);
                site.offset(circle.at).abs()
            };
            penalty = penalty.max((distance - circle.radius).abs());
        }
        let (p, q) = (touch[1] - touch[0], touch[2] - touch[0]);
        let turn = p.cross(q) / p.length().max(q.length()).max(self.epsilon);
        if turn < -128.0 * self.epsilon {
            penalty = penalty.max(-turn);
        }
        three.into_iter().fold(penalty, |most, entry| most.max(self.unseen(entry, circle)))
    }

    /// Distance of a disc's touch point on an entry from the part that the hole sees.
    fn unseen(&self, entry: &Entry, circle: &Circle) -> f64 {
        let site = self.site(entry.site);
        if !site.is_point() {
            let t = site.reach(circle.at);
            let [low, high] =
                [entry.on_entry[0].min(entry.on_entry[1]), entry.on_entry[0].max(entry.on_entry[1])];
            let outside = (low - t).max(t - high).max(0.0);
            let offset = site.offset(circle.at);
            return if entry.side * offset < 0.0 { outside.max(offset.abs()) } else { outside };
        }
        if entry.is_open {
            return 0.0;
        }
        let [from, to, here] = [entry.from.at, entry.to.at, circle.at].map(|at| at - site.a);
        // The ring runs counter-clockwise around the removed site, so the entry sees its arc clockwise.
        let (after, ahead) = (to.cross(here) >= 0.0, here.cross(from) >= 0.0);
        let is_inside = if to.cross(from) >= 0.0 { after && ahead } else { after || ahead };
        if is_inside {
            return 0.0;
        }
        let from_ray = |ray: Vec2| {
            let length = ray.length();
            let is_near = length > 0.0 && ray.dot(here) > 0.0;
            if is_near { ray.cross(here).abs() / length } else { circle.radius }
        };
        from_ray(from).min(from_ray(to))
    }

    /// The least distance of the seen parts of entries from a disc; below zero if one enters it.
    pub(crate) fn least_distance<'a>(
        &self,
        removed: u32,
        entries: impl Iterator<Item = &'a Entry>,
        circle: &Circle,
    ) -> f64 {
        let v = self.site(removed);
        let chord = if v.is_point() { None } else { Some(chord(v, circle)) };
        entries.fold(f64::INFINITY, |least, entry| least.min(self.seen_distance(entry, circle, chord)))
    }

    fn seen_distance(&self, entry: &Entry, circle: &Circle, chord: Option<[f64; 2]>) -> f64 {
        let site = self.site(entry.site);
        let [mut a, mut b] = entry.on_entry;
        if let Some(chord) = chord {
            let [t, s] = entry.on_removed;
            let (low, high) = (t.max(chord[0]), s.min(chord[1]));
            if low > high {
                return f64::INFINITY;
            }
            let run = s - t;
            if !site.is_point() && run > self.epsilon && run < f64::INFINITY {
                let slope = (b - a) / run;
                (a, b) = (a + (low - t) * slope, a + (high - t) * slope);
            }
        }
        if site.is_point() {
            return circle.at.distance(site.a) - circle.radius;
        }
        let (t, offset) = (site.reach(circle.at), site.offset(circle.at));
        let foot = t.clamp(a.min(b), a.max(b));
        let distance =
            if foot == t { offset.abs() } else { (offset * offset + (t - foot) * (t - foot)).sqrt() };
        distance - circle.radius
    }
}

/// The part of the removed segment inside a disc, as coordinates along it; empty if it is not met.
fn chord(site: &Site, circle: &Circle) -> [f64; 2] {
    let (t, offset) = (site.reach(circle.at), site.offset(circle.at).abs());
    let under = (circle.radius - offset) * (circle.radius + offset);
    if under <= 0.0 { [1.0, -1.0] } else { [t - under.sqrt(), t + under.sqrt()] }
}

/// The touch point of a disc on a segment. Where its own end is in the triple both touch at one place; the segment is
/// then put a little ahead, so that the two have an order.
fn touch_point(sites: Triple, i: usize, circle: &Circle) -> Vec2 {
    let site = sites[i].1;
    for (id, end) in sites {
        if site.ends_at(id) {
            let ahead = 1e-3 * site.length.min(circle.radius.max(1e-6));
            let along = if site.ends[0] == id { site.along } else { -site.along };
            return end.a + along * ahead;
        }
    }
    site.a + site.along * site.reach(circle.at)
}
