//! Points that questions are asked about: in the plan, or in space.

/// A point that a question is asked about.
///
/// `[x, y]` are plan coordinates. `[x, y, z]` is a point in space, right-handed with +Y up, whose plan coordinates are
/// `[x, -z]`; its height tells floors apart that lie over each other.
pub trait Position: Copy + sealed::Sealed {
    /// The plan coordinates.
    fn plan(self) -> [f64; 2];

    /// The height in metres, for points in space.
    fn height(self) -> Option<f64>;
}

impl Position for [f64; 2] {
    fn plan(self) -> [f64; 2] {
        self
    }

    fn height(self) -> Option<f64> {
        None
    }
}

impl Position for [f64; 3] {
    fn plan(self) -> [f64; 2] {
        // `0 - z` has no negative zero.
        [self[0], 0.0 - self[2]]
    }

    fn height(self) -> Option<f64> {
        Some(self[1])
    }
}

mod sealed {
    pub trait Sealed {}

    impl Sealed for [f64; 2] {}

    impl Sealed for [f64; 3] {}
}
