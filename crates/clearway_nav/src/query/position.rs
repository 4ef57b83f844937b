//! Points that queries take: in the plan, or in space.

/// A point that a query takes.
///
/// `[x, y]` are plan coordinates. `[x, y, z]` is a point in space, right-handed with +Y up; its plan coordinates are
/// `[x, -z]`. Its height distinguishes floors that lie over each other.
pub trait Position: Copy + sealed::Sealed {
    /// Returns the plan coordinates.
    fn plan(self) -> [f64; 2];

    /// Returns the height in metres; `None` for points of the plan.
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
        // `0 - z` instead of `-z`: it makes no negative zero.
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

/// Returns the world point at a height over a point of the plan. Together with [`Position::plan`] it is the one place
/// that knows how a plan lies in the world: its y runs towards -z.
pub fn in_world([x, y]: [f64; 2], height: f64) -> [f64; 3] {
    // `0 - y` instead of `-y`: it makes no negative zero, which would show up in files.
    [x, height, 0.0 - y]
}

/// Implements [`Position`] for the vectors of glam.
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

/// Keeps the trait closed: other types cannot implement it.
mod sealed {
    pub trait Sealed {}

    impl Sealed for [f64; 2] {}

    impl Sealed for [f64; 3] {}

    impl Sealed for [f32; 2] {}

    impl Sealed for [f32; 3] {}
}
