//! Every tolerance of queries, clearance, paths and links in one table: unit, effect, and why this value.
//!
//! Three facts bound the errors. A float has 53 bits, so that one rounding is at most 2^-53 of the value, about
//! 1.1e-16. Coordinates stay below 2^28 grid units, and vertices are whole numbers of them. Stored widths are `f32`,
//! rounded down. Constants are grouped by what they are multiplied with or compared to. Where a value has no
//! derivation, its doc names the constants between which it must lie.

/// Lengths: shares of the extent of the mesh, which is the longer side of the box around it, unless stated otherwise.
pub mod lengths {
    /// Lengths of paths that differ by less than this share of the extent count as equal; so do places. It is about
    /// 9000 roundings, enough for a path of thousands of legs. A larger value would drop shorter paths; a smaller one
    /// would follow copies of one path.
    pub const SAME_LENGTH: f64 = 1e-12;

    /// A ray of a disc may come closer to a wall than the radius by this share of the extent. It must be above
    /// [`SAME_LENGTH`], by which rays are clipped, and below [`LEG_TO_WALL`], by which the finished path is checked.
    pub const RAY_TO_WALL: f64 = 1e-10;

    /// A leg of a finished path may come closer to a wall than the radius by this share of the extent. A larger value
    /// lets bodies overlap walls. With a smaller one than [`RAY_TO_WALL`], the check would refuse what the search
    /// allows.
    pub const LEG_TO_WALL: f64 = 1e-9;

    /// Smaller radii, as shares of the extent, are rounded up to it as far as the body fits. It is 100 times
    /// [`LEG_TO_WALL`]: below that, the check of legs could not see a wall that a body overlaps.
    pub const TINY_RADIUS: f64 = 1e-7;

    /// A place counts as on the inner side of a line up to this share of the extent beyond it. Cross products of
    /// vectors as long as the mesh are off by three roundings of each term; the value is about 200 times that.
    pub const ON_SIDE: f64 = 1e-13;

    /// A string may come closer to a wall than the radius by this share of the extent, beside
    /// [`STRING_TO_WALL`](super::radii::STRING_TO_WALL). It is 900 roundings of a coordinate, which a small radius does
    /// not cover.
    pub const STRING_ROUNDING: f64 = 1e-13;

    /// A place of a path may lie off its cell by this share of the extent and the slack of the mesh together. The
    /// search computes places to [`SAME_LENGTH`].
    pub const WALKED_PLACE: f64 = SAME_LENGTH;

    /// A wall begins at a portal if its end is at most this far from it, in grid units. Vertices are whole numbers of
    /// units, so that two of them are never this close.
    pub const AT_PORTAL: f64 = 0.5;
}

/// Multiples of `NavMesh::slack`: how far a place may be off once it was written in plan coordinates and read again.
pub mod slacks {
    /// A disc that comes closer to a wall than its radius by this many slacks only touches it. Two places that are off
    /// by one slack along both axes are less than 3 slacks nearer to each other.
    pub const TOUCHING: f64 = 4.0;

    /// Walls up to this many slacks beyond the radius count when a place is nudged. The value is twice [`TOUCHING`], so
    /// that the nudge does not run into a wall that it did not look at.
    pub const TIGHT: f64 = 2.0 * TOUCHING;

    /// Each further attempt nudges a place by this many slacks more: ten attempts reach about one slack. A larger value
    /// would leave places farther from the wall than needed.
    pub const NUDGE: f64 = 0.125;

    /// The greatest nudge away from two walls, as a multiple of the missing distance and one slack. Walls that face
    /// each other nearly exactly ask for longer ones; then the place moves away from the nearer wall only.
    pub const FARTHEST_NUDGE: f64 = 1e3;

    /// A move that stops this many slacks beside a cell may end in that cell. The value is four times [`TOUCHING`], by
    /// which the move itself may be off.
    pub const STOPPED_BESIDE: f64 = 4.0 * TOUCHING;

    /// Up to this many slacks from a wall, a place lies on it, and the wall gives the direction away from it. At that
    /// distance one slack bends the direction by 1/16, which is 3.6 degrees.
    pub const ON_WALL: f64 = 16.0;

    /// A sliding body aims this many slacks off the wall beside it. The value is four times [`TOUCHING`]: with less,
    /// the next straight move could stop at the same wall.
    pub const OFF_WALL: f64 = 4.0 * TOUCHING;

    /// A body on a roadmap keeps this many slacks more than its radius. The value is twice [`ROADMAP_ROUNDING`], so
    /// that the radius is left after rounding.
    pub const ROADMAP_MARGIN: f64 = 2.0 * ROADMAP_ROUNDING;

    /// Spots of a roadmap may be this many slacks closer to walls than its radius. Rounding moves a spot towards the
    /// walls that it was made from.
    pub const ROADMAP_ROUNDING: f64 = 32.0;

    /// A leg leaves a cell at an end of a side if it passes this close to that end, in slacks with
    /// [`WALKED_PLACE`](super::lengths::WALKED_PLACE) added. Then every cell around the end may come next.
    pub const AT_END: f64 = 4.0;

    /// A place touches sides up to this far away, in slacks with [`WALKED_PLACE`](super::lengths::WALKED_PLACE) added.
    /// The value is twice [`AT_END`], so that all sides at an end are found from a place near it.
    pub const AT_PLACE: f64 = 2.0 * AT_END;
}

/// Angles in radians, and sines and keys of small angles.
pub mod angles {
    /// A point looks along one direction if two differ by less than this. The unit is the size of the two products in
    /// their cross product. It is about 9000 roundings: starts that are not on the grid are rounded.
    pub const SAME_DIRECTION: f64 = 1e-12;

    /// Keys of directions that differ by less than this count as one. A key is the tangent of half an angle, so that
    /// small angles are one within 2e-9 radians. A smaller value would keep rays apart that touch one circle; a larger
    /// one would close narrow beams.
    pub const SAME_KEY: f64 = 1e-9;

    /// Angles that differ by less than this count as one, in radians. On a circle that fits the mesh it is at most the
    /// length that [`LEG_TO_WALL`](super::lengths::LEG_TO_WALL) allows.
    pub const SAME_ANGLE: f64 = 1e-9;

    /// A place of touch this far outside a free arc still counts as on it, in radians. Ends of arcs come from arc
    /// cosines, which are off by up to the square root of two roundings, 1.5e-8.
    pub const ARC_SLACK: f64 = 1e-7;

    /// A body that would turn back by more than this, in radians, has turned nearly all around. The value is ten times
    /// [`ARC_SLACK`], by which an arc may start late.
    pub const TURNED_BACK: f64 = 10.0 * ARC_SLACK;

    /// A ray runs along a side if the sine of the angle between them is at most this, about 90 roundings. With a
    /// smaller value, divisions by the sine would give places that are only rounding.
    pub const PARALLEL: f64 = 1e-14;

    /// One plus the cosine of an angle below this means half a turn: within 1.4e-7 radians of it. With a smaller value,
    /// rounding of the sum would decide about the key.
    pub const HALF_TURN: f64 = 1e-14;

    /// The size of the key of half a turn. Up to [`HALF_TURN`] keys stay below 1.5e7, so that this one is the greatest.
    pub const GREATEST_KEY: f64 = 1e14;

    /// Two unit vectors are opposite if the square of their sum is at most this: within 1e-10 radians. Their sum then
    /// has no direction but rounding.
    pub const OPPOSITE: f64 = 1e-20;

    /// A cell lies ahead of a place unless the direction leaves it by more than this sine. The unit is the product of
    /// the sizes of direction and side. It is ten times [`SAME_DIRECTION`], because legs are rounded once more.
    pub const NOT_AHEAD: f64 = 1e-11;

    /// A line runs along a segment if the sine of the angle between them is at most this. At that angle the crossing
    /// is known to about 4e-7 of the segment; at smaller ones it would soon be nothing but rounding.
    pub const IN_LINE: f64 = 1e-9;

    /// Two walls push a place in different directions if the cosine between these is below this: 26 degrees or more.
    /// Nearer directions belong to one wall or to a smooth bend, and one move does for both.
    pub const OTHER_WALL: f64 = 0.9;
}

/// Shares of a radius, or of its square.
pub mod radii {
    /// The width of a passage may be understated by this share. It is stored as `f32` and rounded down, which loses up
    /// to 2^-23, or 1.2e-7; the value is eight times that. Passages this close to the radius are left to the search.
    pub const NEARLY_WIDE: f64 = 1e-6;

    /// The body on a roadmap is wider than asked for by this share, so that rounding of large radii does no harm. A
    /// larger value would close passages that the body just fits.
    pub const WIDER: f64 = 1e-6;

    /// A place on a circle may lie beside a side or a cell by this share of the radius. It is
    /// [`ARC_SLACK`](super::angles::ARC_SLACK) as a length on that circle.
    pub const ON_CIRCLE: f64 = super::angles::ARC_SLACK;

    /// A circle whose squared radius exceeds the squared distance of a line by less than this share only grazes it. It
    /// is nine roundings: a square root of less is nothing but rounding.
    pub const GRAZED: f64 = 1e-15;

    /// A tangent exists up to this overlap of two circles, as a share of the squared distance of their centres. With a
    /// smaller value, rounding would lose the tangent between circles that touch.
    pub const RAY_EXISTS: f64 = 1e-12;

    /// Curves that miss each other, and circles that overlap, by up to this share of the squared radius only touch. A
    /// smaller value loses places and strings between walls that leave exactly the width of the body.
    pub const JUST_TOUCHING: f64 = 1e-9;

    /// A string keeps off a peg if it comes closer to it than the radius by at most this share: about 9000 roundings.
    pub const PEG_TOUCHED: f64 = 1e-12;

    /// A string may come closer to a wall than the radius by this share of it. It is a tenth of what the judge of paths
    /// allows ([`RELATIVE`](super::judge::RELATIVE)).
    pub const STRING_TO_WALL: f64 = 1e-10;

    /// A place is nudged to a distance greater than the radius by this share, about four steps of a float. Without it,
    /// rounding could put the place inside again.
    pub const LAST_BIT: f64 = 1e-15;

    /// The least distance between an arc and its chords, as a share of the radius. At this value 2222 chords make a
    /// full turn, above the most that a path uses; without a limit, a tolerance of zero would leave a single chord.
    pub const FINEST_CHORD: f64 = 1e-6;
}

/// Shares of a segment, of a distance or of a cost.
pub mod shares {
    /// Distances that are computed in two ways count as equal if the smaller is at least this share of the greater.
    /// With a value nearer to 1, rounding would start exact searches in vain.
    pub const SAME_DISTANCE: f64 = 1.0 - 1e-9;

    /// In layers a wall counts if its distance is at least this share of the distance of the portals before it. A wall
    /// that ends at a portal is as near as the portal, up to rounding; what is clearly nearer belongs to another floor.
    pub const NOT_NEARER: f64 = 1.0 - 1e-9;

    /// Shares along a straight move that differ by less than this are one place: about 9000 roundings. A larger value
    /// would skip cells that the move really crosses.
    pub const SAME_SHARE: f64 = 1e-12;

    /// Shares along a line that differ by less than this are one touched place. It is larger than [`SAME_SHARE`]: where
    /// a line crosses portals at small angles, shares are less exact.
    pub const TOUCHED_SHARE: f64 = 1e-9;

    /// Parts of an envelope shorter than this share of the segment are rounding errors. A smaller value would leave
    /// peaks that no wall makes; a larger one would miss real ones.
    pub const NEGLIGIBLE: f64 = 1e-12;

    /// The search for a zero stops at this share of the range of values, about 900 roundings of a value in it. A
    /// smaller value would only spend all steps on rounding.
    pub const SETTLED: f64 = 1e-13;

    /// An estimate must be better than the known one by this share to replace it. Estimates never fall along a way but
    /// by rounding; without it, parents of nodes could form a circle.
    pub const SAME_ESTIMATE: f64 = 1e-12;

    /// Another round of straightening follows if the last one made the way cheaper by more than this share. A smaller
    /// value takes more rounds for what nobody can see.
    pub const CLEARLY_CHEAPER: f64 = 1e-6;

    /// A flight may come nearer to a threat than its start by this share. Its start is computed as a place of the way
    /// once more, and must not forbid the way by rounding.
    pub const NO_NEARER: f64 = 1e-9;

    /// A way from an end of a portal begins this share of the length before the end, off the walls that meet there. A
    /// larger value would leave the sight of what stands at the end.
    pub const NEAR_END: f64 = 1e-3;

    /// Refuges near corners lie this share of the way to the middle of the cell, so that a point is off the walls.
    pub const OFF_WALLS: f64 = 1e-3;

    /// Refuges for bodies lie this share of the way from a corner to the middle of the cell. Few bodies fit nearer.
    pub const OFF_CORNERS: f64 = 0.1;
}

/// Lengths and heights in metres.
pub mod metres {
    /// Points of a path closer together than this along every axis are one, in metres. Nobody sees a nanometre, and
    /// plan coordinates up to 4000 km differ by less where they are equal up to rounding.
    pub const ONE_PLACE: f64 = 1e-9;

    /// On a stretch this short, in metres, rounding decides which of two floors that end over each other is under a
    /// path. A leap to another floor and back within it is left out. Grid units of scenes are 0.24 mm, so that it is
    /// about four units.
    pub const BRIEF: f64 = 1e-3;

    /// Ground within this height of a path, in metres, belongs to the floor of the path. Storeys are farther apart, and
    /// steps are lower.
    pub const FLOOR_OF_PATH: f64 = 1.0;

    /// Ground that differs by less than this from a height that is asked for belongs to the floor that is meant, in
    /// metres. No two floors lie within twice this over each other, so that only one is meant.
    pub const FLOOR_MEANT: f64 = 0.5;
}

/// Rounding of floats and of what is stored.
pub mod floats {
    /// A cross product in floats is off by less than this share of the sizes of its two terms. There are three
    /// roundings of at most 2^-53 each; four make 2^-51.
    pub const CROSS_ERROR: f64 = 1.0 / (1u64 << 51) as f64;

    /// The part of the slack of a mesh that the fine grid causes: two of its steps of 2^-23 grid units.
    pub const FINE_STEPS: f64 = 1.0 / (1 << 22) as f64;

    /// The part of the slack of a mesh that plan coordinates cause, as a share of the greatest coordinate. Writing and
    /// reading them takes four roundings of at most 2^-53.
    pub const PLAN_COORDINATES: f64 = 2.0 * f64::EPSILON;

    /// Distances of landmarks are stored as `f32`. This share of a distance covers the rounding of it and of the one
    /// that it is compared with, in storage and in the difference. Without it, estimates could exceed the true rest.
    pub const STORED_DISTANCE: f32 = 4.0 * f32::EPSILON;
}

/// The judge of paths: `path/verify.rs`. Its tolerances are its own, so that it does not inherit errors of planners.
pub mod judge {
    /// A length or a radius may be off by this share. A larger value would pass paths that touch walls; a smaller one
    /// would fail paths that rounding explains.
    pub const RELATIVE: f64 = 1e-9;

    /// The rounding of a place, as a share of the greatest coordinate. A place is made from the coordinates of walls in
    /// a few steps; 64 steps of a float are more than any path takes.
    pub const COORDINATES: f64 = 64.0 * f64::EPSILON;

    /// A body whose radius is at most this many roundings of a place is judged as a point: it may touch walls.
    pub const NEARLY_POINT: f64 = 2.0;

    /// A path passes a vertex if it comes this close, in roundings of a place. The vertex and the place are off along
    /// both axes, which is below 3 in all.
    pub const PASSED: f64 = 4.0;

    /// A direction lies in a free sector up to this far beside it, in radians. Directions to places close by are off by
    /// more than `RELATIVE`.
    pub const IN_SECTOR: f64 = 1e-7;
}
