//! Vectors of 32-bit floats in the plane: offsets and velocities of bodies, relative to a body.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A vector of the plan, in metres or metres per second.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Vector {
    /// First coordinate.
    pub x: f32,
    /// Second coordinate.
    pub y: f32,
}

impl Vector {
    /// The vector of length zero.
    pub const ZERO: Vector = Vector { x: 0.0, y: 0.0 };

    /// Makes the vector (x, y).
    #[inline]
    pub const fn new(x: f32, y: f32) -> Vector {
        Vector { x, y }
    }

    /// Returns the vector from one place to another, both in plan coordinates.
    #[inline]
    pub fn between(from: [f64; 2], to: [f64; 2]) -> Vector {
        Vector::new((to[0] - from[0]) as f32, (to[1] - from[1]) as f32)
    }

    /// Returns the scalar product.
    #[inline]
    pub fn dot(self, other: Vector) -> f32 {
        self.x * other.x + self.y * other.y
    }

    /// Returns twice the signed area spanned with `other`: positive when `other` points to the left.
    #[inline]
    pub fn cross(self, other: Vector) -> f32 {
        self.x * other.y - self.y * other.x
    }

    /// Returns the squared length.
    #[inline]
    pub fn length_squared(self) -> f32 {
        self.dot(self)
    }

    /// Returns the length.
    #[inline]
    pub fn length(self) -> f32 {
        self.length_squared().sqrt()
    }

    /// Returns the vector of length one in the same direction; zero for vectors that are too short to have one.
    #[inline]
    #[must_use]
    pub fn unit(self) -> Vector {
        let length = self.length();
        if length > SHORTEST { self * (1.0 / length) } else { Vector::ZERO }
    }

    /// Returns the vector turned left by a right angle.
    #[inline]
    #[must_use]
    pub fn left(self) -> Vector {
        Vector::new(-self.y, self.x)
    }

    /// Returns the vector turned left by an angle, given by its cosine and sine.
    #[inline]
    #[must_use]
    pub fn turned(self, (cos, sin): (f32, f32)) -> Vector {
        Vector::new(cos * self.x - sin * self.y, sin * self.x + cos * self.y)
    }

    /// Returns the vector, shortened to `most` where it is longer.
    #[inline]
    #[must_use]
    pub fn at_most(self, most: f32) -> Vector {
        let length = self.length();
        if length > most { self * (most / length) } else { self }
    }

    /// True if both coordinates are finite.
    #[inline]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }
}

/// Vectors shorter than this, in metres, have no direction. Its square is still a normal 32-bit float.
const SHORTEST: f32 = 1e-12;

impl Add for Vector {
    type Output = Vector;

    #[inline]
    fn add(self, other: Vector) -> Vector {
        Vector::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Vector {
    type Output = Vector;

    #[inline]
    fn sub(self, other: Vector) -> Vector {
        Vector::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f32> for Vector {
    type Output = Vector;

    #[inline]
    fn mul(self, factor: f32) -> Vector {
        Vector::new(self.x * factor, self.y * factor)
    }
}

impl Neg for Vector {
    type Output = Vector;

    #[inline]
    fn neg(self) -> Vector {
        Vector::new(-self.x, -self.y)
    }
}

impl AddAssign for Vector {
    #[inline]
    fn add_assign(&mut self, other: Vector) {
        *self = *self + other;
    }
}

impl SubAssign for Vector {
    #[inline]
    fn sub_assign(&mut self, other: Vector) {
        *self = *self - other;
    }
}

impl From<[f64; 2]> for Vector {
    fn from([x, y]: [f64; 2]) -> Vector {
        Vector::new(x as f32, y as f32)
    }
}

impl From<Vector> for [f64; 2] {
    fn from(vector: Vector) -> [f64; 2] {
        [f64::from(vector.x), f64::from(vector.y)]
    }
}
