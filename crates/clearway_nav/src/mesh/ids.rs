//! Ids of the parts of a mesh. Each kind of part counts from zero without gaps, so that an id is also an index.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $name(pub u32);

        impl $name {
            /// Returns the id as an index into lists of its kind.
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
    /// The id of an exactly convex cell.
    CellId
);
id!(
    /// The id of a portal: the side that two cells share and through which one can walk.
    PortalId
);
id!(
    /// The id of a vertex, a corner point of cells.
    VertexId
);
id!(
    /// The id of a region: a group of cells that the relaxation treats as one.
    RegionId
);
id!(
    /// The id of a link, a connection that is not walked.
    LinkId
);
id!(
    /// The id of a component, a connected piece of walkable space.
    ComponentId
);
