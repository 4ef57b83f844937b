//! Removal of a site: its cell is filled by cutting ears from the ring of its neighbours.
//!
//! An ear is the disc that touches three neighbours in a row. It is cut if it is a vertex of the diagram without the
//! site, by the rule of `ears`. Any order of cuts gives a closed surface, so topology cannot break. A neighbour may
//! occur several times in the ring, so entries of the ring count and never sites. Cost: quadratic in the neighbours,
//! of which there are about six.

use crate::circle::Circle;
use crate::ears::{Ear, Entry};
use crate::graph::{Graph, next};
use clearway_geometry::NONE;

/// Memory of removal, used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Removal {
    /// The entries of the whole ring, which do not change while ears are cut.
    pub entries: Vec<Entry>,
    faces: Vec<u32>,
    ring: Vec<Link>,
    /// Pairs of stand-ins for edges both of whose sides lie in the hole.
    pairs: Vec<[u32; 2]>,
}

/// A neighbour in the ring that is left.
#[derive(Clone, Copy, Debug)]
struct Link {
    site: u32,
    /// The half-edge of the hole from this neighbour to the next one.
    inner: u32,
    /// The half-edge outside the hole that runs from the next neighbour to this one.
    outer: u32,
    /// Its entry in the whole ring.
    entry: usize,
    /// The ear at this neighbour, once computed.
    ear: Option<Ear>,
}

/// The cut that was chosen: a place in the ring, and the ear or nothing for a zip.
struct Cut {
    at: usize,
    ear: Option<Ear>,
    margin: f64,
}

impl Graph {
    /// Takes a site out of the graph. Segments must go before their ends.
    pub fn detach(&mut self, id: u32) {
        self.counters.removals += 1;
        let mut work = std::mem::take(&mut self.removal);
        self.open_ring(id, &mut work);
        self.stand_in_for_inner_edges(&mut work);
        for &face in &work.faces {
            self.forget_face(face);
        }
        for i in 0..work.ring.len() {
            self.spoke[work.ring[i].site as usize] = next(work.ring[i].outer);
        }
        while work.ring.len() > 3 {
            let cut = self.choose(id, &mut work);
            if cut.margin < -self.weak() {
                self.counters.weak_ears += 1;
            }
            match cut.ear {
                Some(ear) => self.cut_ear(cut.at, ear, &mut work),
                None => self.zip(cut.at, &mut work),
            }
        }
        self.close_ring(id, &mut work);
        self.glue_inner_edges(&mut work);
        self.spoke[id as usize] = NONE;
        self.removal = work;
    }

    /// A margin below which an ear is not trusted: a hundred thousand roundings.
    fn weak(&self) -> f64 {
        1e5 * self.epsilon
    }

    fn open_ring(&self, id: u32, work: &mut Removal) {
        work.faces.clear();
        work.ring.clear();
        work.pairs.clear();
        for (entry, h) in self.spokes(id).enumerate() {
            let opposite = next(h);
            work.faces.push(h / 3);
            work.ring.push(Link {
                site: self.from(opposite),
                inner: opposite,
                outer: self.twin[opposite as usize],
                entry,
                ear: None,
            });
        }
        let count = work.ring.len();
        work.entries.clear();
        for i in 0..count {
            let [from, to] = [(i + count - 1) % count, i].map(|j| self.discs[work.faces[j] as usize].circle);
            work.entries.push(self.entry(id, work.ring[i].site, from, to));
        }
    }

    /// Edges of two neighbours inside the hole on both sides get a half-edge each outside of it, glued at the end.
    fn stand_in_for_inner_edges(&mut self, work: &mut Removal) {
        let count = work.ring.len();
        for i in 0..count {
            let (mine, beyond) = (work.ring[i].inner, self.twin[work.ring[i].inner as usize]);
            let Some(j) = (i + 1..count).find(|&j| work.ring[j].inner == beyond) else { continue };
            let circles = [self.circle(beyond), self.circle(mine)];
            let mut stand_ins = [NONE; 2];
            for (k, (place, circle)) in [i, j].into_iter().zip(circles).enumerate() {
                let face = self.new_face();
                self.origin[face as usize * 3] = work.ring[(place + 1) % count].site;
                self.origin[face as usize * 3 + 1] = work.ring[place].site;
                self.twin[face as usize * 3] = NONE;
                self.set_circle(face, circle, 0.0);
                work.ring[place].outer = face * 3;
                stand_ins[k] = face * 3;
            }
            work.pairs.push(stand_ins);
        }
    }

    /// The best cut: the first ear that is sure, else the ear with the greatest margin, else a zip.
    fn choose(&mut self, id: u32, work: &mut Removal) -> Cut {
        let count = work.ring.len();
        // Where nothing can be judged, any face keeps the surface closed; the audit finds it.
        let mut best = Cut { at: 0, ear: Some(Ear::NONE), margin: f64::NEG_INFINITY };
        for i in 0..count {
            let [p, n] = [(i + count - 1) % count, (i + 1) % count].map(|j| work.ring[j]);
            if p.site == n.site {
                continue;
            }
            let ear = match work.ring[i].ear {
                Some(ear) => ear,
                None => self.ear(id, [p.entry, work.ring[i].entry, n.entry], &work.entries),
            };
            work.ring[i].ear = Some(ear);
            if ear.margin > best.margin {
                best = Cut { at: i, ear: Some(ear), margin: ear.margin };
                if ear.margin >= -self.epsilon {
                    return best;
                }
            }
        }
        // Any ear that is nearly good wins over a zip.
        if best.margin >= -128.0 * self.epsilon {
            return best;
        }
        for i in 0..count {
            let margin = self.zip_margin(id, i, work);
            if margin > best.margin {
                best = Cut { at: i, ear: None, margin };
            }
        }
        best
    }

    /// The margin of closing the edge at place `i` between two entries of one site; minus infinity where it cannot be.
    fn zip_margin(&self, id: u32, i: usize, work: &Removal) -> f64 {
        let count = work.ring.len();
        let (p, n) = (work.ring[(i + count - 1) % count], work.ring[(i + 1) % count]);
        let (first, second) = (p.outer, work.ring[i].outer);
        let is_pair = work.pairs.iter().any(|pair| *pair == [first, second] || *pair == [second, first]);
        if p.site != n.site || is_pair {
            return f64::NEG_INFINITY;
        }
        let (a, b) = (p.site, work.ring[i].site);
        let ends = [self.circle(first), self.circle(second)];
        if ends.iter().any(Circle::is_outer) {
            return -1e6 * self.epsilon;
        }
        // Sixteen places judge a rare last resort well enough; the audit looks again.
        let mut margin = f64::INFINITY;
        for step in 1..16 {
            let circle = self.circle_on_edge(a, b, ends[0], ends[1], f64::from(step) / 16.0);
            if self.site(id).distance(circle.at) < circle.radius {
                let others = work.entries.iter().filter(|entry| entry.site != a && entry.site != b);
                margin = self.least_distance(id, others, &circle).min(margin);
            }
        }
        if margin == f64::INFINITY { -1e9 * self.epsilon } else { margin.min(-128.0 * self.epsilon) }
    }

    fn cut_ear(&mut self, i: usize, ear: Ear, work: &mut Removal) {
        let count = work.ring.len();
        let (p, n) = ((i + count - 1) % count, (i + 1) % count);
        let sites = [p, i, n].map(|j| work.ring[j].site);
        let face = self.new_face();
        for (j, site) in sites.into_iter().enumerate() {
            self.origin[face as usize * 3 + j] = site;
            self.spoke[site as usize] = face * 3 + j as u32;
        }
        self.set_circle(face, ear.circle, ear.error);
        self.link(face * 3, work.ring[p].outer);
        self.link(face * 3 + 1, work.ring[i].outer);
        self.twin[face as usize * 3 + 2] = NONE;
        work.ring[p].outer = face * 3 + 2;
        work.ring[p].ear = None;
        work.ring[n].ear = None;
        work.ring.remove(i);
    }

    /// Glues the two outer half-edges at place `i`, between two entries of one site.
    fn zip(&mut self, i: usize, work: &mut Removal) {
        self.counters.zips += 1;
        let count = work.ring.len();
        let (p, n) = ((i + count - 1) % count, (i + 1) % count);
        let (first, second) = (work.ring[p].outer, work.ring[i].outer);
        self.link(first, second);
        self.spoke[work.ring[i].site as usize] = first;
        self.spoke[work.ring[p].site as usize] = second;
        work.ring[p].outer = work.ring[n].outer;
        let other = work.entries[work.ring[n].entry];
        work.entries[work.ring[p].entry].join(&other);
        let (one, two) = (i.max(n), i.min(n));
        work.ring.remove(one);
        work.ring.remove(two);
        for link in &mut work.ring {
            link.ear = None;
        }
    }

    /// Closes a ring of three with a face, and one of two with an edge.
    fn close_ring(&mut self, id: u32, work: &mut Removal) {
        let ring = &work.ring;
        if let [one, two] = ring[..] {
            self.link(one.outer, two.outer);
            self.spoke[one.site as usize] = next(one.outer);
            self.spoke[two.site as usize] = one.outer;
            return;
        }
        let [one, two, three] = ring[..] else { return };
        let ear = self.ear(id, [one.entry, two.entry, three.entry], &work.entries);
        if ear.margin < -self.weak() {
            self.counters.weak_ears += 1;
        }
        let face = self.new_face();
        for (j, link) in [one, two, three].into_iter().enumerate() {
            let h = face * 3 + j as u32;
            self.origin[h as usize] = link.site;
            self.link(h, link.outer);
            self.spoke[link.site as usize] = h;
        }
        self.set_circle(face, ear.circle, ear.error);
    }

    /// Glues what stands beside the two stand-ins of each inner edge, and gives the stand-ins back.
    fn glue_inner_edges(&mut self, work: &mut Removal) {
        for [one, other] in work.pairs.clone() {
            let (a, b) = (self.twin[one as usize], self.twin[other as usize]);
            if a == NONE || b == NONE {
                continue;
            }
            self.link(a, b);
            for (stand_in, real) in [(one, b), (other, a)] {
                let (from, to) = (self.from(stand_in), self.to(stand_in));
                for (site, h) in [(from, real), (to, next(real))] {
                    if self.spoke[site as usize] / 3 == stand_in / 3 {
                        self.spoke[site as usize] = h;
                    }
                }
            }
        }
        for stand_in in work.pairs.iter().flatten() {
            self.forget_face(stand_in / 3);
        }
    }
}
