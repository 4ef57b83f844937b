//! The topology of a triangulation: which half-edge follows which, and nothing about positions.
//!
//! Half-edge `3 t + i` leaves corner `i` of triangle `t` and has the triangle on its left. Its twin runs the other
//! way in the neighbouring triangle.
//!
//! Invariant: twins are mutual and carry the same mark. Cost: constant time for each change, apart from walks around
//! a vertex.

/// Stands for no half-edge, no triangle, no vertex. The largest `u32`, so no valid number can be equal to it.
pub const NONE: u32 = u32::MAX;

/// The half-edge after `e` around its triangle.
#[inline]
pub fn next(e: u32) -> u32 {
    if e % 3 == 2 { e - 2 } else { e + 1 }
}

/// The half-edge before `e` around its triangle.
#[inline]
pub fn prev(e: u32) -> u32 {
    if e.is_multiple_of(3) { e + 2 } else { e - 1 }
}

/// The triangle that `e` belongs to.
#[inline]
pub fn triangle(e: u32) -> u32 {
    e / 3
}

/// Triangles glued along their edges, each edge carrying a mark.
#[derive(Clone, Debug, Default)]
pub struct HalfEdges {
    /// All half-edges, three for each triangle.
    sides: Vec<Side>,
    /// For each vertex some half-edge that leaves it, or [`NONE`].
    leaving: Vec<u32>,
}

/// One half-edge. The fields lie together, because callers that read one read the others.
#[derive(Clone, Copy, Debug)]
struct Side {
    /// The vertex that it leaves; [`NONE`] if its triangle was taken out.
    origin: u32,
    /// The half-edge that runs the other way, or [`NONE`].
    twin: u32,
    /// The mark of its edge; zero for none.
    mark: u32,
}

impl Side {
    /// The half-edge of a triangle that was taken out.
    const DEAD: Side = Side { origin: NONE, twin: NONE, mark: 0 };
}

impl HalfEdges {
    /// Creates an empty topology with memory for `vertices` vertices inside a box: two triangles for each vertex.
    pub fn with_capacity(vertices: usize) -> HalfEdges {
        HalfEdges { sides: Vec::with_capacity(6 * vertices + 12), leaving: Vec::with_capacity(vertices + 4) }
    }

    /// The number of half-edges: three for each triangle.
    #[inline]
    pub fn len(&self) -> u32 {
        self.sides.len() as u32
    }

    /// True if there is no triangle.
    pub fn is_empty(&self) -> bool {
        self.sides.is_empty()
    }

    /// The number of triangles, those taken out included.
    #[inline]
    pub fn triangle_count(&self) -> u32 {
        self.len() / 3
    }

    /// The vertex that `e` leaves.
    #[inline]
    pub fn origin(&self, e: u32) -> u32 {
        self.sides[e as usize].origin
    }

    /// The vertex that `e` reaches.
    #[inline]
    pub fn target(&self, e: u32) -> u32 {
        self.sides[next(e) as usize].origin
    }

    /// The corner opposite to `e` in its triangle.
    #[inline]
    pub fn apex(&self, e: u32) -> u32 {
        self.sides[prev(e) as usize].origin
    }

    /// The half-edge running the other way, or [`NONE`] on the outer border.
    #[inline]
    pub fn twin(&self, e: u32) -> u32 {
        self.sides[e as usize].twin
    }

    /// The mark of the edge that `e` is a side of.
    #[inline]
    pub fn mark(&self, e: u32) -> u32 {
        self.sides[e as usize].mark
    }

    /// Marks both sides of the edge.
    #[inline]
    pub fn set_mark(&mut self, e: u32, mark: u32) {
        self.sides[e as usize].mark = mark;
        let twin = self.sides[e as usize].twin;
        if twin != NONE {
            self.sides[twin as usize].mark = mark;
        }
    }

    /// Some half-edge that leaves `v`, or [`NONE`] if there is none.
    #[inline]
    pub fn leaving(&self, v: u32) -> u32 {
        self.leaving[v as usize]
    }

    /// The half-edge that leaves the same vertex next in counter-clockwise order, or [`NONE`] past the border.
    #[inline]
    pub fn next_around(&self, e: u32) -> u32 {
        self.sides[prev(e) as usize].twin
    }

    /// The half-edge that leaves the same vertex next in clockwise order, or [`NONE`] past the border.
    #[inline]
    pub fn prev_around(&self, e: u32) -> u32 {
        let twin = self.sides[e as usize].twin;
        if twin == NONE { NONE } else { next(twin) }
    }

    /// The half-edges leaving `v`, counter-clockwise; `v` must not lie on the outer border.
    pub fn around(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.leaving(v);
        let mut edge = first;
        let mut done = false;
        std::iter::from_fn(move || {
            if done || edge == NONE {
                return None;
            }
            let current = edge;
            edge = self.next_around(edge);
            done = edge == first;
            Some(current)
        })
    }

    /// The half-edge from `a` to `b`, if they are joined; not both may lie on the outer border.
    #[inline]
    pub fn find(&self, a: u32, b: u32) -> Option<u32> {
        self.around(a).find(|e| self.target(*e) == b).or_else(|| {
            // Around a border vertex the walk stops half-way; the other end sees all its edges.
            let back = self.around(b).find(|e| self.target(*e) == a)?;
            Some(self.twin(back)).filter(|e| *e != NONE)
        })
    }

    /// Adds a vertex without any edge yet.
    pub fn add_vertex(&mut self) -> u32 {
        self.leaving.push(NONE);
        self.leaving.len() as u32 - 1
    }

    /// The number of vertices.
    pub fn vertex_count(&self) -> u32 {
        self.leaving.len() as u32
    }

    /// Adds an unglued triangle and returns its first half-edge.
    pub fn add_triangle(&mut self, corners: [u32; 3]) -> u32 {
        let first = self.len();
        for (slot, corner) in corners.into_iter().enumerate() {
            self.sides.push(Side { origin: corner, ..Side::DEAD });
            self.leaving[corner as usize] = first + slot as u32;
        }
        first
    }

    /// Glues two half-edges and gives both the mark. If `outer` is [`NONE`], `inner` becomes part of the border.
    #[inline]
    pub fn glue(&mut self, inner: u32, outer: u32, mark: u32) {
        let side = &mut self.sides[inner as usize];
        (side.twin, side.mark) = (outer, mark);
        if outer != NONE {
            let side = &mut self.sides[outer as usize];
            (side.twin, side.mark) = (inner, mark);
        }
    }

    /// Makes `e` leave `vertex`.
    #[inline]
    fn set_corner(&mut self, e: u32, vertex: u32) {
        self.sides[e as usize].origin = vertex;
        self.leaving[vertex as usize] = e;
    }

    /// Replaces the diagonal `e` of the quadrilateral around it by the other one.
    ///
    /// With `e` = a→b, apexes c (left) and d (right): afterwards `next(e)` = d→c, its twin c→d, and the
    /// triangles are (c, a, d) and (d, b, c). Returns the new diagonal d→c.
    #[inline]
    pub fn flip(&mut self, e: u32) -> u32 {
        let f = self.twin(e);
        let (e_next, f_next) = (next(e), next(f));
        let (c, d) = (self.apex(e), self.apex(f));
        let (outer_ad, mark_ad) = (self.twin(f_next), self.mark(f_next));
        let (outer_bc, mark_bc) = (self.twin(e_next), self.mark(e_next));
        let (a, b) = (self.origin(e), self.origin(f));
        self.glue(e, outer_ad, mark_ad);
        self.glue(f, outer_bc, mark_bc);
        self.glue(e_next, f_next, 0);
        self.set_corner(e, a);
        self.set_corner(f, b);
        self.set_corner(e_next, d);
        self.set_corner(f_next, c);
        e_next
    }

    /// Splits triangle `t` at a new vertex `v` into three; returns the half-edges of the old border.
    pub fn split_triangle(&mut self, t: u32, v: u32) -> [u32; 3] {
        let [ab, bc, ca] = [3 * t, 3 * t + 1, 3 * t + 2];
        let [a, b, c] = [ab, bc, ca].map(|e| self.origin(e));
        let (outer_bc, mark_bc) = (self.twin(bc), self.mark(bc));
        let (outer_ca, mark_ca) = (self.twin(ca), self.mark(ca));
        let second = self.add_triangle([b, c, v]);
        let third = self.add_triangle([c, a, v]);
        self.glue(second, outer_bc, mark_bc);
        self.glue(third, outer_ca, mark_ca);
        self.set_corner(ca, v);
        self.glue(bc, second + 2, 0);
        self.glue(second + 1, third + 2, 0);
        self.glue(third + 1, ca, 0);
        self.leaving[a as usize] = ab;
        [ab, second, third]
    }

    /// Splits the edge `e` = a→b at a new vertex `v`; both halves keep the mark. Returns the four half-edges
    /// of the old border around `v`. Both sides of `e` must have a triangle.
    pub fn split_edge(&mut self, e: u32, v: u32) -> [u32; 4] {
        let f = self.twin(e);
        let mark = self.mark(e);
        let (e_next, f_next, e_prev, f_prev) = (next(e), next(f), prev(e), prev(f));
        let (a, b) = (self.origin(e), self.origin(f));
        let (c, d) = (self.apex(e), self.apex(f));
        let (outer_bc, mark_bc) = (self.twin(e_next), self.mark(e_next));
        let (outer_ad, mark_ad) = (self.twin(f_next), self.mark(f_next));
        // (a b c) becomes (a v c) in place and (v b c) anew; (b a d) becomes (b v d) in place and (v a d).
        let left = self.add_triangle([v, b, c]);
        let right = self.add_triangle([v, a, d]);
        self.set_corner(e_next, v);
        self.set_corner(f_next, v);
        self.glue(left + 1, outer_bc, mark_bc);
        self.glue(right + 1, outer_ad, mark_ad);
        self.glue(e, right, mark);
        self.glue(f, left, mark);
        self.glue(e_next, left + 2, 0);
        self.glue(f_next, right + 2, 0);
        self.leaving[a as usize] = e;
        self.leaving[b as usize] = f;
        [e_prev, left + 1, f_prev, right + 1]
    }

    /// Replaces the triangles around a vertex by one or two others; the vertex is gone. `spokes` are the half-edges
    /// that leave it, counter-clockwise. `fill` names corners of the hole by the index of their spoke,
    /// counter-clockwise. A second triangle shares the edge from the first corner to the third corner of the first
    /// triangle.
    pub fn fill_fan(&mut self, spokes: &[u32], fill: &[[usize; 3]]) {
        let rim: Vec<(u32, u32, u32)> = spokes
            .iter()
            .map(|spoke| {
                let outer = next(*spoke);
                (self.origin(outer), self.twin(outer), self.mark(outer))
            })
            .collect();
        let vertex = self.origin(spokes[0]);
        for spoke in spokes {
            let first = triangle(*spoke) * 3;
            for e in first..first + 3 {
                self.sides[e as usize] = Side::DEAD;
            }
        }
        for (slot, corners) in fill.iter().enumerate() {
            let first = triangle(spokes[slot]) * 3;
            for (i, corner) in corners.iter().enumerate() {
                let (origin, outer, mark) = rim[*corner];
                self.set_corner(first + i as u32, origin);
                if corners[(i + 1) % 3] == (corner + 1) % rim.len() {
                    self.glue(first + i as u32, outer, mark);
                }
            }
        }
        if let [one, other] = fill {
            let side =
                |corners: &[usize; 3], from: usize| corners.iter().position(|c| *c == from).unwrap_or(0);
            let diagonal = triangle(spokes[0]) * 3 + side(one, one[2]) as u32;
            let twin = triangle(spokes[1]) * 3 + side(other, one[0]) as u32;
            self.glue(diagonal, twin, 0);
        }
        self.leaving[vertex as usize] = NONE;
    }

    /// Joins the two triangles at a border vertex into one, so that the border passes the vertex by. `out` is the
    /// border edge that leaves the vertex.
    pub fn pass_by(&mut self, out: u32) {
        let vertex = self.origin(out);
        let into = prev(self.twin(prev(out)));
        let (before, closing) = (self.origin(into), prev(into));
        let (outer, mark) = (self.twin(closing), self.mark(closing));
        let apex = self.origin(closing);
        self.set_corner(out, before);
        self.glue(prev(out), outer, mark);
        self.leaving[apex as usize] = prev(out);
        self.leaving[vertex as usize] = NONE;
        for e in [into, next(into), closing] {
            self.sides[e as usize] = Side::DEAD;
        }
    }

    /// Removes a triangle. Its neighbours end there, with this mark.
    pub fn take_out(&mut self, t: u32, mark: u32) {
        let sides = [3 * t, 3 * t + 1, 3 * t + 2];
        let corners = sides.map(|e| self.origin(e));
        for e in sides {
            let twin = self.sides[e as usize].twin;
            if twin != NONE {
                let side = &mut self.sides[twin as usize];
                (side.twin, side.mark) = (NONE, mark);
            }
        }
        for (i, corner) in corners.into_iter().enumerate() {
            // From now on some other triangle must give the half-edge that leaves the corner.
            let [out, into] = [sides[i], sides[(i + 2) % 3]].map(|e| self.sides[e as usize].twin);
            self.leaving[corner as usize] = match (out, into) {
                (NONE, NONE) => NONE,
                (NONE, into) => into,
                (out, _) => next(out),
            };
        }
        for e in sides {
            self.sides[e as usize] = Side::DEAD;
        }
    }

    /// True if a triangle was taken out.
    pub fn is_dead(&self, triangle: u32) -> bool {
        self.sides[3 * triangle as usize].origin == NONE
    }
}
