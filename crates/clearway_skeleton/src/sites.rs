//! Sites: points, and open segments between two point sites.
//!
//! Coordinates are grid points, so every difference of two of them is exact in a float. The direction and the length of
//! a segment are rounded; what must be exact is decided from the coordinates (`conflict`).

use clearway_geometry::{NONE, Vec2};

/// A point, or an open segment whose ends are sites of their own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    /// The point, or the start of the segment.
    pub a: Vec2,
    /// The end of the segment; the point again for a point.
    pub b: Vec2,
    /// The direction of the segment, of length one; zero for a point.
    pub along: Vec2,
    /// The length of the segment; zero for a point.
    pub length: f64,
    /// The point sites at both ends; [`NONE`] for a point.
    pub ends: [u32; 2],
}

impl Site {
    pub fn point(at: Vec2) -> Site {
        Site { a: at, b: at, along: Vec2::default(), length: 0.0, ends: [NONE; 2] }
    }

    pub fn segment(a: Vec2, b: Vec2, ends: [u32; 2]) -> Site {
        let length = (b - a).length();
        Site { a, b, along: Vec2::new((b.x - a.x) / length, (b.y - a.y) / length), length, ends }
    }

    #[inline]
    pub fn is_point(&self) -> bool {
        self.ends[0] == NONE
    }

    /// True if the point site `id` is an end of this segment.
    #[inline]
    pub fn ends_at(&self, id: u32) -> bool {
        self.ends[0] == id || self.ends[1] == id
    }

    /// The coordinate of the foot of `x` along the segment.
    #[inline]
    pub fn reach(&self, x: Vec2) -> f64 {
        (x - self.a).dot(self.along)
    }

    /// The distance of `x` from the line of the segment, positive on its left.
    #[inline]
    pub fn offset(&self, x: Vec2) -> f64 {
        self.along.cross(x - self.a)
    }

    /// The distance of `x` from the closed site.
    #[inline]
    pub fn distance(&self, x: Vec2) -> f64 {
        if self.is_point() {
            return x.distance(self.a);
        }
        let t = self.reach(x);
        if t <= 0.0 {
            x.distance(self.a)
        } else if t >= self.length {
            x.distance(self.b)
        } else {
            self.offset(x).abs()
        }
    }

    /// The square of the distance of `x` from the closed site.
    #[inline]
    pub fn distance_squared(&self, x: Vec2) -> f64 {
        let from_a = x - self.a;
        if self.is_point() {
            return from_a.length_squared();
        }
        let t = from_a.dot(self.along);
        if t <= 0.0 {
            from_a.length_squared()
        } else if t >= self.length {
            (x - self.b).length_squared()
        } else {
            let offset = self.along.cross(from_a);
            offset * offset
        }
    }

    /// The point of the closed site that lies nearest to `x`.
    #[inline]
    pub fn nearest(&self, x: Vec2) -> Vec2 {
        let t = self.reach(x);
        if t <= 0.0 {
            self.a
        } else if t >= self.length {
            self.b
        } else {
            self.a + self.along * t
        }
    }

    /// The direction of the segment away from its end `id`, exact.
    #[inline]
    pub fn away_from(&self, id: u32) -> Vec2 {
        if self.ends[0] == id { self.b - self.a } else { self.a - self.b }
    }
}
