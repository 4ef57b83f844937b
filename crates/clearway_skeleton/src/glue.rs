//! Opens a connection between two sheets: the surface is cut along both copies of it and sewn crosswise.
//!
//! Let s be a segment in two sheets, walkable on its left in the first and on its right in the second. Each copy has one
//! edge to each of its ends. Swapping the twins of these four edges joins the walkable halves of both copies to one site
//! and the other halves to another. Their ends become one point whose angle is the sum of both, or fall apart where they
//! were one already. The walkable site is then removed like any other, and the diagram is that of the
//! surface without it: its cell is embedded in the plane, and no empty disc there passes around an end of s. The other
//! site stays for ever and keeps apart what is not walkable. Cost: that of a removal.

use crate::graph::Graph;
use crate::sites::Site;
use clearway_geometry::NONE;

impl Graph {
    /// Opens the connection of two segments in one direction: the first is walkable on its left, the second on its right.
    /// Returns the ends of the walkable side and of the other side, or `None` if the graph has another shape than it must.
    pub fn open(&mut self, [first, second]: [u32; 2]) -> Option<[u32; 4]> {
        let ends = [first, second].map(|id| self.site(id).ends);
        // For each end, the half-edge that leads there from both copies.
        let mut spokes = [[NONE; 2]; 2];
        for (end, pair) in spokes.iter_mut().enumerate() {
            *pair = [self.only_spoke(first, ends[0][end])?, self.only_spoke(second, ends[1][end])?];
        }
        for [one, other] in spokes {
            let [one_twin, other_twin] = [one, other].map(|h| self.twin[h as usize]);
            self.link(one, other_twin);
            self.link(other, one_twin);
        }
        // The face of a spoke lies on its left: seen towards the second end that is walkable in the first sheet.
        self.name_orbit(spokes[1][0], first);
        self.name_orbit(spokes[1][1], second);
        for (end, pair) in spokes.into_iter().enumerate() {
            let around = pair.map(|h| self.twin[h as usize]);
            self.name_end(around, [ends[0][end], ends[1][end]])?;
        }
        let [a, b] = [first, second].map(|id| self.site(id).ends);
        self.detach(first);
        self.forget_site(first);
        Some([a[0], a[1], b[0], b[1]])
    }

    /// The half-edge from one site to another, if there is just one.
    fn only_spoke(&self, from: u32, to: u32) -> Option<u32> {
        let mut found = self.spokes(from).filter(|&h| self.to(h) == to);
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }

    /// The half-edges around the origin of one of them.
    fn orbit(&self, first: u32) -> Vec<u32> {
        let mut around = vec![first];
        let mut h = self.turn(first);
        while h != first {
            around.push(h);
            h = self.turn(h);
        }
        around
    }

    /// Makes a site the origin of all half-edges around the origin of one.
    fn name_orbit(&mut self, first: u32, id: u32) -> Vec<u32> {
        let around = self.orbit(first);
        for &h in &around {
            self.origin[h as usize] = id;
        }
        self.spoke[id as usize] = first;
        around
    }

    /// Names the points at one end after the swap, where two half-edges leave it.
    fn name_end(&mut self, around: [u32; 2], [one, other]: [u32; 2]) -> Option<()> {
        let is_joined = self.orbit(around[0]).contains(&around[1]);
        match (is_joined, one == other) {
            (true, false) => {
                self.name_point(around[0], one, [one, other]);
                self.forget_site(other);
            }
            (false, true) => {
                let made = self.add_site(Site::point(self.site(one).a));
                self.name_point(around[0], made, [one, one]);
                self.name_point(around[1], one, [one, one]);
            }
            _ => return None,
        }
        Some(())
    }

    /// Makes a point the origin of an orbit, and the end of the segments there that ended at one of the old points.
    fn name_point(&mut self, first: u32, id: u32, old: [u32; 2]) {
        for h in self.name_orbit(first, id) {
            let beside = self.to(h) as usize;
            for end in &mut self.sites[beside].ends {
                if *end != NONE && old.contains(end) {
                    *end = id;
                }
            }
        }
    }

    /// True for a point at which no segment ends.
    pub fn is_bare(&self, id: u32) -> bool {
        self.spoke[id as usize] != NONE
            && self.site(id).is_point()
            && !self.spokes(id).any(|h| self.site(self.to(h)).ends_at(id))
    }
}
