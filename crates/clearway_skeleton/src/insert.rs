//! Insertion of a site: find one vertex that it takes, flood the others, and fill the hole with a star.
//!
//! After Karavelas (2004). A point is found by walking to its nearest site. If it takes no vertex of that site's cell, it
//! lies inside a single Voronoi edge and becomes a site with two neighbours. A segment goes in after its ends and starts
//! at one of them. An edge whose two ends are taken may survive in the middle; the hole then borders it from both sides.
//! Invariant: the hole is a tree of faces, else the insertion is refused and the graph stays as it was. Cost: the size
//! of the hole.

use crate::circle::Circle;
use crate::graph::{Disc, Flood, Graph, Ray, next};
use crate::sites::Site;
use clearway_geometry::predicates::{cross_properly, on_segment};
use clearway_geometry::{NONE, Point};

/// Why a site was not put in. The graph is as it was before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The conflict region is no disc: a predicate was wrong.
    NoDisc,
    /// The segment meets this site elsewhere than at a shared end.
    Meets(u32),
    /// The site takes a vertex that may not change.
    Fixed,
}

/// True if an open segment meets another site elsewhere than at a shared end. Exact.
#[inline]
fn meets(site: &Site, id: u32, other: &Site) -> bool {
    // Both of one lie beyond both of the other.
    let are_apart = |a: f64, b: f64, c: f64, d: f64| {
        (a > c && a > d && b > c && b > d) || (a < c && a < d && b < c && b < d)
    };
    if site.ends_at(id)
        || are_apart(site.a.x, site.b.x, other.a.x, other.b.x)
        || are_apart(site.a.y, site.b.y, other.a.y, other.b.y)
    {
        return false;
    }
    meets_within_boxes(site, other)
}

/// The same for sites whose boxes touch.
fn meets_within_boxes(site: &Site, other: &Site) -> bool {
    let point = |at: clearway_geometry::Vec2| Point::new(at.x as i32, at.y as i32);
    let [a, b, c, d] = [site.a, site.b, other.a, other.b].map(point);
    if other.is_point() {
        return on_segment(a, b, c);
    }
    let inside =
        |p: Point, q: Point, x: Point, ends: [u32; 2], end: u32| !ends.contains(&end) && on_segment(p, q, x);
    cross_properly(a, b, c, d)
        || inside(a, b, c, site.ends, other.ends[0])
        || inside(a, b, d, site.ends, other.ends[1])
        || inside(c, d, a, other.ends, site.ends[0])
        || inside(c, d, b, other.ends, site.ends[1])
}

impl Flood {
    /// The middle of an edge that survives, given its half-edges.
    #[inline]
    fn middle(&self, h: u32, twin: u32) -> Option<Circle> {
        if self.middles.is_empty() {
            return None;
        }
        let key = h.min(twin);
        self.middles.iter().find(|(edge, _)| *edge == key).map(|(_, circle)| *circle)
    }
}

impl Graph {
    /// Puts a stored point site into the graph next to its nearest site.
    pub fn attach_point(&mut self, id: u32, nearest: u32) -> Result<(), Refusal> {
        let site = *self.site(id);
        let first = self.spoke[nearest as usize];
        let mut h = first;
        loop {
            if self.in_conflict(h / 3, &site) {
                return self.replace_from(h / 3, id, false);
            }
            h = self.turn(h);
            if h == first {
                return self.attach_in_lens(id, nearest);
            }
        }
    }

    /// The same by the edge `h` of the nearest site's cell that a straight way from that site through the point meets, at
    /// the centre of `inside`.
    ///
    /// The point lies in that disc, so it takes a part of the edge around the centre. An end of the edge goes too if no middle
    /// between survives. On surfaces of several sheets other discs may hold the point in projection only, so no other
    /// vertex may start the flood.
    pub fn attach_point_on(&mut self, id: u32, h: u32, inside: &Circle) -> Result<(), Refusal> {
        let site = *self.site(id);
        let (a, b) = (self.from(h), self.to(h));
        for side in [h, self.twin[h as usize]] {
            let ends = [self.circle(side), *inside];
            if self.in_conflict(side / 3, &site) && self.surviving_middle(a, b, ends, &site).is_none() {
                return self.replace_from(side / 3, id, false);
            }
        }
        self.counters.lenses += 1;
        self.put_lens(h, id, inside);
        Ok(())
    }

    /// The same for a segment between two points of the graph, by the edge on which a place inside the segment lies as the
    /// point does there. It must not meet others.
    ///
    /// The ends are sites already, so the segment takes more than a part of one edge: an end of the edge goes.
    pub fn attach_segment_on(&mut self, id: u32, h: u32, inside: &Circle) -> Result<(), Refusal> {
        let site = *self.site(id);
        let (a, b) = (self.from(h), self.to(h));
        for side in [h, self.twin[h as usize]] {
            let ends = [self.circle(side), *inside];
            if self.in_conflict(side / 3, &site)
                && self.surviving_middle(a, b, ends, &site).is_none()
                && self.replace_from(side / 3, id, false).is_ok()
            {
                return Ok(());
            }
        }
        self.counters.refused += 1;
        Err(Refusal::NoDisc)
    }

    /// Puts a stored segment site between two points of the graph into it. With `checked` it must not meet others.
    pub fn attach_segment(&mut self, id: u32, checked: bool) -> Result<(), Refusal> {
        let site = *self.site(id);
        if checked {
            self.refuse_at_ends(&site)?;
        }
        for end in site.ends {
            let mut seed = (-self.epsilon, NONE);
            for h in self.spokes(end) {
                let value = self.value(h / 3, &site);
                if value < seed.0 {
                    seed = (value, h / 3);
                }
            }
            if seed.1 != NONE {
                match self.replace_from(seed.1, id, checked) {
                    Err(Refusal::NoDisc) => {}
                    result => return result,
                }
            }
        }
        // In flat worlds every value may lie within the rounding.
        for end in site.ends {
            let faces: Vec<u32> = self.spokes(end).map(|h| h / 3).collect();
            if let Some(&seed) = faces.iter().find(|&&face| self.in_conflict(face, &site))
                && self.replace_from(seed, id, checked).is_ok()
            {
                return Ok(());
            }
        }
        self.counters.refused += 1;
        Err(Refusal::NoDisc)
    }

    /// Puts a point inside the edge of its nearest site where it lies deepest.
    fn attach_in_lens(&mut self, id: u32, nearest: u32) -> Result<(), Refusal> {
        let at = self.site(id).a;
        let mut best: Option<(f64, u32, Circle)> = None;
        for h in self.spokes(nearest) {
            let ends = [self.circle(h), self.circle(self.twin[h as usize])];
            if ends.iter().any(Circle::is_outer) {
                continue;
            }
            if let Some((value, circle)) = self.lens_place(nearest, self.to(h), ends, at)
                && value < best.map_or(0.0, |(least, ..)| least)
            {
                best = Some((value, h, circle));
            }
        }
        let Some((_, h, inside)) = best else {
            self.counters.refused += 1;
            return Err(Refusal::NoDisc);
        };
        if self.is_fixed(h / 3) && self.is_fixed(self.twin[h as usize] / 3) {
            return Err(Refusal::Fixed);
        }
        self.counters.lenses += 1;
        self.put_lens(h, id, &inside);
        Ok(())
    }

    /// Makes two faces along an edge, with the new site between them.
    fn put_lens(&mut self, h: u32, id: u32, inside: &Circle) {
        let t = self.twin[h as usize];
        let (a, b) = (self.from(h), self.to(h));
        let vertices = [h, t].map(|side| self.new_vertex([a, b, id], &self.circle(side), inside));
        let (f, g) = (self.new_face(), self.new_face());
        for (face, sites, vertex) in [(f, [b, a, id], vertices[0]), (g, [a, b, id], vertices[1])] {
            for (i, site) in sites.into_iter().enumerate() {
                self.origin[face as usize * 3 + i] = site;
            }
            self.set_circle(face, vertex.0, vertex.1);
        }
        self.link(h, f * 3);
        self.link(t, g * 3);
        self.link(f * 3 + 1, g * 3 + 2);
        self.link(f * 3 + 2, g * 3 + 1);
        self.spoke[id as usize] = f * 3 + 2;
    }

    /// Floods the conflict region from one face and replaces it by the star of the site.
    fn replace_from(&mut self, seed: u32, id: u32, checked: bool) -> Result<(), Refusal> {
        let mut flood = std::mem::take(&mut self.flood);
        self.epoch += 1;
        if self.epoch == u32::MAX / 4 {
            self.discs.iter_mut().for_each(|disc| disc.mark = 0);
            self.epoch = 1;
        }
        let site = *self.site(id);
        self.spread(seed, &site, &mut flood);
        if !self.fixed.is_empty() && flood.region.iter().any(|&face| self.is_fixed(face)) {
            self.flood = flood;
            return Err(Refusal::Fixed);
        }
        let is_disc = self.walk_border(&mut flood);
        let mut result = if checked { self.refuse_in_region(&site, &flood, is_disc) } else { Ok(()) };
        if result.is_ok() && !is_disc {
            result = Err(Refusal::NoDisc);
        }
        if result.is_ok() {
            self.measure_star(id, &mut flood);
            self.put_star(id, &mut flood);
        }
        self.flood = flood;
        result
    }

    /// Refuses a segment that meets a site of its conflict region elsewhere than at a shared end. Exact.
    ///
    /// One of these sites is the first that the segment meets. Cut off just before that place, the segment is sound, so
    /// its own region is connected. The region contains the edge by which the segment enters the cell of that site,
    /// and the whole segment takes at least what a part of it takes. An edge of an end's own cell may have no vertex in the
    /// region; the neighbours of both ends are looked at before. All sites of a disc of faces lie on its border.
    fn refuse_in_region(&self, site: &Site, flood: &Flood, is_disc: bool) -> Result<(), Refusal> {
        let is_met = |h: &u32| meets(site, self.from(*h), self.site(self.from(*h)));
        let met = if is_disc {
            flood.border.iter().copied().find(is_met)
        } else {
            flood.region.iter().flat_map(|face| face * 3..face * 3 + 3).find(is_met)
        };
        met.map_or(Ok(()), |h| Err(Refusal::Meets(self.from(h))))
    }

    /// Refuses a segment that meets a neighbour of one of its ends elsewhere than there. Exact.
    fn refuse_at_ends(&self, site: &Site) -> Result<(), Refusal> {
        for end in site.ends {
            for h in self.spokes(end) {
                let other = self.to(h);
                if meets(site, other, self.site(other)) {
                    return Err(Refusal::Meets(other));
                }
            }
        }
        Ok(())
    }

    /// Marks faces: `4 * epoch` in the region, `+ 1` in conflict but not reached, `+ 2` not in conflict.
    fn spread(&mut self, seed: u32, site: &Site, flood: &mut Flood) {
        let here = self.epoch * 4;
        flood.stack.clear();
        flood.region.clear();
        flood.middles.clear();
        self.discs[seed as usize].mark = here;
        flood.stack.push((seed, NONE));
        flood.region.push(seed);
        while let Some((face, entry)) = flood.stack.pop() {
            for h in face * 3..face * 3 + 3 {
                if h == entry {
                    continue;
                }
                let twin = self.twin[h as usize];
                let beyond = (twin / 3) as usize;
                let mut mark = self.discs[beyond].mark;
                if mark / 4 != self.epoch {
                    mark = here + if self.in_conflict(beyond as u32, site) { 1 } else { 2 };
                    self.discs[beyond].mark = mark;
                }
                if mark == here + 2 || flood.middle(h, twin).is_some() {
                    continue;
                }
                let ends = [self.discs[face as usize].circle, self.discs[beyond].circle];
                if let Some(circle) = self.surviving_middle(self.from(h), self.to(h), ends, site) {
                    self.counters.middles += 1;
                    flood.middles.push((h.min(twin), circle));
                } else if mark != here {
                    self.discs[beyond].mark = here;
                    flood.stack.push((beyond as u32, twin));
                    flood.region.push(beyond as u32);
                }
            }
        }
    }

    /// True for a half-edge between two faces of the region whose edge vanishes whole.
    #[inline]
    fn is_inside(&self, h: u32, flood: &Flood) -> bool {
        let twin = self.twin[h as usize];
        self.discs[(twin / 3) as usize].mark == self.epoch * 4 && flood.middle(h, twin).is_none()
    }

    /// Lists the half-edges around the region. False if the region is no tree of faces.
    fn walk_border(&mut self, flood: &mut Flood) -> bool {
        flood.border.clear();
        let sides = flood.region.iter().flat_map(|face| face * 3..face * 3 + 3);
        let Some(start) = sides.into_iter().find(|&h| !self.is_inside(h, flood)) else { return false };
        let count = flood.region.len() + 2;
        let mut h = start;
        loop {
            flood.border.push(h);
            if flood.border.len() > count {
                return false;
            }
            h = next(h);
            while self.is_inside(h, flood) {
                h = next(self.twin[h as usize]);
            }
            if h == start {
                return flood.border.len() == count;
            }
        }
    }

    /// Computes the new vertices, one per half-edge of the border, before anything changes.
    fn measure_star(&mut self, id: u32, flood: &mut Flood) {
        let here = self.epoch * 4;
        flood.star.clear();
        for i in 0..flood.border.len() {
            let h = flood.border[i];
            let (outer, origin) = (self.twin[h as usize], self.from(h));
            let beyond = self.discs[(outer / 3) as usize];
            let mut stays = beyond.circle;
            if beyond.mark != here + 2
                && let Some(circle) = flood.middle(h, outer)
            {
                stays = circle;
            }
            let (circle, error) = self.new_vertex([origin, self.to(h), id], &stays, &self.circle(h));
            flood.star.push(Ray { outer, origin, circle, error: (error * 1.000_001) as f32 });
        }
    }

    /// Replaces the region by one face per half-edge of its border.
    fn put_star(&mut self, id: u32, flood: &mut Flood) {
        let (here, count) = (self.epoch * 4, flood.star.len());
        flood.slots.clear();
        flood.slots.extend_from_slice(&flood.region);
        while flood.slots.len() < count {
            flood.slots.push(self.new_face());
        }
        // Both sides of an edge that survives in the middle lie on the border: they are glued to each other again.
        if !flood.middles.is_empty() {
            for ray in &mut flood.star {
                if self.discs[(ray.outer / 3) as usize].mark == here
                    && let Some(i) = flood.border.iter().position(|h| *h == ray.outer)
                {
                    ray.outer = flood.slots[i] * 3;
                }
            }
        }
        let Some((&last, &first)) = flood.slots.last().zip(flood.slots.first()) else { return };
        let mut before = last;
        for (i, (&face, ray)) in flood.slots.iter().zip(&flood.star).enumerate() {
            let (after, next) = match flood.slots.get(i + 1).zip(flood.star.get(i + 1)) {
                Some((&after, ray)) => (after, ray.origin),
                None => (first, flood.star[0].origin),
            };
            let sides = face as usize * 3..face as usize * 3 + 3;
            self.origin[sides.clone()].copy_from_slice(&[ray.origin, next, id]);
            self.twin[sides].copy_from_slice(&[ray.outer, after * 3 + 2, before * 3 + 1]);
            self.twin[ray.outer as usize] = face * 3;
            self.discs[face as usize] = Disc { circle: ray.circle, error: ray.error, mark: 0 };
            self.spoke[ray.origin as usize] = face * 3;
            if let Some(touched) = &mut self.touched {
                touched.extend([face * 3, ray.outer, face * 3 + 1, after * 3 + 2]);
            }
            before = face;
        }
        self.spoke[id as usize] = first * 3 + 2;
    }
}
