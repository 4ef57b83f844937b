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

impl Position for [f32; 2] {
    fn plan(self) -> [f64; 2] {
        self.map(f64::from)
    }

    fn height(self) -> Option<f64> {
        None
    }
}

impl Position for [f32; 3] {
    fn plan(self) -> [f64; 2] {
        self.map(f64::from).plan()
    }

    fn height(self) -> Option<f64> {
        Some(f64::from(self[1]))
    }
}

/// The vectors of glam are points as arrays are.
#[cfg(feature = "glam")]
mod vectors {
    use super::{Position, sealed};

    macro_rules! position {
        ($($vector:ty),*) => {$(
            impl Position for $vector {
                fn plan(self) -> [f64; 2] {
                    self.to_array().plan()
                }

                fn height(self) -> Option<f64> {
                    self.to_array().height()
                }
            }

            impl sealed::Sealed for $vector {}
        )*};
    }

    position!(glam::Vec2, glam::Vec3, glam::DVec2, glam::DVec3);
}

mod sealed {
    pub trait Sealed {}

    impl Sealed for [f64; 2] {}

    impl Sealed for [f64; 3] {}

    impl Sealed for [f32; 2] {}

    impl Sealed for [f32; 3] {}
}
