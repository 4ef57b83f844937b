//! Names of the parts of a mesh: small numbers that count from zero without gaps.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

id!(
    /// An exactly convex cell.
    CellId
);
id!(
    /// The side that two cells share and through which one can walk.
    PortalId
);
id!(
    /// A corner point of cells.
    VertexId
);
id!(
    /// A group of cells that the relaxation treats as one.
    RegionId
);
id!(
    /// A connection that is not walked.
    LinkId
);
id!(
    /// A connected piece of walkable space.
    ComponentId
);
