//! Every tolerance of the surface in one table: unit, effect, and why this value.
//!
//! Lengths named in grid units are multiples of 2^-12 m, about 0.24 mm, the unit of scenes. A pass has a module of its
//! own; [`ROUNDING`] is shared by all.

pub use clearway_nav::mesh::ROUNDING;

/// Cracks separate two regions only if both are at least this large, in square metres: what is smaller is a splinter.
pub const LEAST_PLACE: f64 = 0.01;

/// Phase 1: faces on the grid: `faces/soup.rs`.
pub mod soup {
    /// Steep triangles whose height over their longest side is at most this, in grid units (1 mm), count as upright. They
    /// block as a line. With a smaller value, rounding would decide which walls have area in projection.
    pub const THIN: f64 = 4.0;

    /// The largest weld distance along each axis, in grid units (2.5 mm). A narrower gap in the rules lowers it, down to 0.
    /// Welding saves 18 % of the dungeon's cells.
    pub const WELD: f64 = 10.0;

    /// The largest difference in height of welded corners, in grid units (1 mm). It is half of `SAME_FLOOR`, by which a
    /// floor may lie below the underside of what stands on it. So welding does not bring the one over the other.
    pub const WELD_UPRIGHT: i32 = 4;

    /// A corner counts as on an edge if its height differs by at most this factor times the weld distance. Edge and corner
    /// were welded independently, so errors add.
    pub const JOINT_UPRIGHT: i32 = 2;
}

/// Phase 1: faces on the grid: `faces/tiles.rs`.
pub mod tiles {
    /// The largest distance by which tiles may be off, in grid units (3 cm), however wide gaps are bridged. A larger value
    /// would move corners that were drawn apart on purpose.
    pub const FARTHEST: f64 = 123.0;

    /// The most corners of one group. More corners close together are fine detail; four tiles meet in four corners.
    pub const MOST_CORNERS: usize = 16;

    /// The most floors at the corners of one group. All pairs are compared, so that larger groups would cost too much.
    pub const MOST_SECTORS: usize = 256;

    /// With more ends than this near an end, at about its height, the geometry is fine detail, not misplaced tiles: leave
    /// it.
    pub const MOST_NEAR: usize = 64;

    /// The most ends or sides that are examined around a corner, at any height. Beyond, the corner counts as crowded; this
    /// bounds the time in piles of floors.
    pub const MOST_SEEN: usize = 1024;

    /// Walls closer than this to the way of a corner, in grid units (half a millimetre), are in its way. Rounding may move
    /// wall and corner by that much towards each other.
    pub const BESIDE: f64 = 2.0;
}

/// Phase 1: faces on the grid: `faces/t_joints.rs`.
pub mod t_joints {
    /// The most bins that a side lies in on average, as by default in grids of boxes. Fewer make each look-up by a corner
    /// slower; more take memory.
    pub const MOST_ENTRIES: i64 = 12;
}

/// Phase 1: faces on the grid: `faces/thresholds.rs`.
pub mod thresholds {
    /// Two sides run against each other if the cosine of the angle between them is below this (within 37 degrees of
    /// opposite). Two gaps run along each other if the size of the cosine is above its size.
    pub const AGAINST: f64 = -0.8;

    /// The least width of a doorway at a corner where both floors meet, in grid units (1 cm). Walls may begin that much
    /// later without leaving a doorway. Elsewhere an opening must be wider than a gap.
    pub const SLIT: f64 = 41.0;

    /// The most sides that may cross a side. With more, the side lies in a tangle, and no doorway is looked for beside it.
    /// Only sides count that run against it, no more than a step above or below.
    ///
    /// Without a limit, a polygon of n corners that crosses itself has n² gaps and n³ pairs of them at one corner: 600
    /// corners took 2 s, and 2000 took minutes. Sides of drawn floors cross a few others at most.
    pub const MOST_CROSSINGS: usize = 32;
}

/// Phase 1: faces on the grid: `faces/kerbs.rs`.
pub mod kerbs {
    /// The most faces that one line over a kerb crosses. A finely rounded profile has some twenty; the limit bounds the
    /// time in crumpled scans.
    pub const MOST_FACES: usize = 64;

    /// The steepest climb along a kerb higher than a step from end to end, in metres per metre. Streets and ramps stay
    /// below it. With a larger value, hillsides just steeper than the limit count as kerbs in part.
    pub const CLIMB: f64 = 0.25;

    /// Lines near the corners of a face start this share of the way from a corner to the middle. A smaller share would
    /// follow the sides of the face, where rounding decides.
    pub const NEAR_CORNER: f64 = 0.05;

    /// The greatest length of a crease, in steps. Between two faces at 45 degrees that meet at a right angle a crease is
    /// 1.4 steps long; twice that serves sharper corners. Longer ones are ridges, which lead along a kerb.
    pub const SLIDE: f64 = 3.0;

    /// The share of a face's rise that may be sunk into the lower floor. With more than this, what stands out is too
    /// little to tell it from the upper floor.
    pub const SUNK: f64 = 0.75;
}

/// Phase 1: faces on the grid: `faces/gap_obstruction.rs`.
pub mod gap_obstruction {
    use super::ROUNDING;

    /// Walls up to this far beside a passage count as in it, in grid units: rounding may add that much to a wall.
    pub const MARGIN: i32 = 2;

    /// A wall that reaches no farther than this past the end of a rim, in grid units, only ends the rim. With a smaller
    /// value, rounding would let a wall at the end block the rim.
    pub const AT_END: i32 = 2;

    /// A point closer than this to an end of a rim, in grid units, becomes that end. It keeps stretches from starting with
    /// a piece shorter than rounding.
    pub const SHORTEST: f64 = 2.0 * ROUNDING;
}

/// Phase 2: head-room: `headroom/prism.rs`.
pub mod prism {
    /// Walkable faces at most this far apart wherever they overlap, in grid units (2 mm), are one floor drawn twice. With a
    /// smaller value, doubled floors block each other; with a larger one, thin slabs vanish.
    pub const SAME_FLOOR: f64 = 8.0;

    /// Floors whose mean heights differ by at most this, in grid units, lie at one height. It only covers the rounding of
    /// floats: with a larger value, each of three sheets could give way to another.
    pub const ONE_HEIGHT: f64 = 1e-6;

    /// An upright triangle this far beside a face still counts as on its edge, in grid units. Rounding moves points by half
    /// a unit along each axis, which is up to 0.71.
    pub const BESIDE: f64 = 0.75;

    /// Bounds products in 64 bits, in grid units (256 m). Components of a normal up to twice its square, times half of it,
    /// fit 64 bits three times over. With a larger value they would overflow.
    pub const NEAR: i64 = 1 << 20;
}

/// Phase 2: head-room: `headroom/cover_pruning.rs`.
pub mod cover_pruning {
    /// Pruning starts when the blockers cover the face this many times over, by area. Starting at four made head-room on
    /// navcat three times slower.
    pub const DENSE: f64 = 16.0;

    /// Pruning starts above this many blockers; below, it costs more than it saves.
    pub const FEW: usize = 64;

    /// The most times that a face is halved along each side: parts are 1/256 of its sides at least. More halvings find
    /// covers of smaller parts, for four times the work each.
    pub const MOST_HALVINGS: u32 = 8;

    /// A part is not subdivided further once at most this many blockers touch it: all of them are kept.
    pub const BARE: usize = 4;

    /// The most tests per blocker, on average, in one round of pruning. Blockers that are not ruled out by then stay.
    pub const MOST_LOOKS: usize = 256;

    /// A part counts as covered if it lies this far inside all sides of a blocker, in grid units. Rounding bends the
    /// outline by less, so that a dropped blocker never uncovers anything.
    pub const INSIDE: f64 = 2.0;
}

/// Phase 2: head-room: `headroom/clip.rs`.
pub mod clip {
    /// The most corners of an obstacle clipped by a face, the floor and the ceiling. Each of the five clips adds one corner
    /// at most to a triangle, which makes eight; one more is kept for rounding.
    pub const MOST_KNOTS: usize = 9;

    /// The most corners of a triangle clipped by two lines: five, and one more where rounding does its worst.
    pub const FEWER_KNOTS: usize = 6;
}

/// Phase 3: sheets: `sheets/charts.rs`.
pub mod charts {
    /// A chart stops growing at about this many faces and borders of blockers. Larger charts leave threads idle; smaller
    /// ones mean more rims to glue.
    pub const MOST_WORK: usize = 1 << 15;
}

/// Phase 3: sheets: `sheets/extend_barriers.rs`.
pub mod extend_barriers {
    /// An end is extended this far beyond the line that it meets, in grid units, so that rounding does not leave it short.
    pub const BEYOND: f64 = 1.0;

    /// A line stops a barrier only if the sine of the angle between them is at least this (30 degrees). Barriers at a
    /// smaller angle count as one wall.
    pub const ALONG: f64 = 0.5;

    /// Up to this many loose ends, all borders are examined one by one. For more ends a grid of boxes costs less.
    pub const FEW: usize = 8;
}

/// Phase 3: sheets: `sheets/weave.rs`.
pub mod weave {
    /// The first cell size of charts that fall back, in metres. It is doubled while there would be too many columns.
    pub const FALLBACK_CELL: f64 = 0.1;

    /// The largest cell that a chart may fall back to, in metres, as for cells that a user names. A chart that needs larger
    /// ones makes the extraction fail.
    pub const GREATEST_CELL: f64 = 5.0;
}

/// Phase 3: sheets: `sheets/voxel`.
pub mod voxel {
    /// The most columns of all charts together. It bounds memory; finer cells are refused, or made larger for charts that
    /// fall back.
    pub const MOST_COLUMNS: usize = 1 << 26;

    /// The most fragments of triangles in columns. Each takes 16 bytes, so that the limit is 1 GiB.
    pub const MOST_FRAGMENTS: usize = 1 << 26;

    /// Less than a strip of this width across a column, in grid units, does not block it: rounding may leave that much.
    /// Anything wider counts: where a step overlaps another by a millimetre, both must end along one line to be glued.
    pub const THINNEST: f64 = 0.5;
}

/// Phase 3: sheets: `sheets/voxel/pieces.rs`.
pub mod voxel_pieces {
    /// The most corners of a clipped triangle: each of nine lines adds one to three. The lines are four sides of the
    /// column, three of the face, the floor and the ceiling.
    pub const MOST_KNOTS: usize = 12;

    /// Edges shorter than this, in grid units, are not used: rounding of their ends leaves no direction.
    pub const SHORTEST: f64 = 2.0;

    /// The distance beyond an edge, in grid units, at which another piece is looked for. An edge with a piece beyond it
    /// does not bound what is blocked. The value lies above rounding and far below a cell.
    pub const BEYOND: f64 = 2.0;

    /// The weight of edges of the face itself. It is so small that such an edge is taken only if there is no other.
    pub const LAST: f64 = 1e-6;
}

/// Phase 3: sheets: `sheets/voxel/contour.rs`.
pub mod voxel_contour {
    /// The largest distance of corners and lines from the lattice, in cells. A larger value lets sharp corners run away
    /// from what blocks; a smaller one cuts off corners that are real.
    pub const FARTHEST: f64 = 1.5;

    /// Two lines this close together where they follow each other, in grid units, are one. Rounding bends a line by less; a
    /// larger value would make one line of two faces of a thin wall.
    pub const SAME_LINE: f64 = 2.0;

    /// Faces whose planes are this close together, in grid units (1 mm), are one ground: no new stroke begins between them.
    pub const SAME_PLANE: f64 = 4.0;

    /// Two lines that end this close to each other are joined straight, in cells. Others are joined by way of the lattice.
    pub const SMOOTH: f64 = 0.25;

    /// The most rounds in which runs that cross others are drawn anew. Crossings that are left only block too much.
    pub const ROUNDS: usize = 6;
}

/// Phase 4: stitching: `stitch/glue.rs`.
pub mod glue {
    /// The overlap up to which rims that face each other still meet, in grid units (3 mm). Moving rims together goes too
    /// far here and there; a larger value would glue sheets that lie over each other.
    pub const OVERLAP: f64 = 12.0;

    /// The maximum number of rounds that split edges at each other's vertices. Rims that do not match by then stay apart;
    /// each further round costs time and adds small triangles.
    pub const ROUNDS: usize = 8;

    /// The maximum number of passes that open a fold a little at a time. A spiral stair of n turns about one point needs
    /// n passes. Beyond that the whole edge is parted.
    pub const MOST_SLITS: usize = 512;
}

/// Phase 4: stitching: `stitch/split_at_step_limit.rs`.
pub mod split_at_step_limit {
    /// The shortest stretch that is worth a cut, in grid units (2 mm). Shorter ones would only leave splinters.
    pub const SHORTEST: f64 = 8.0;

    /// The distance of a cut from the point where the step reaches the limit, in grid units, towards the lower side. The
    /// point is rounded by up to half a unit along both axes, about 0.7 in all, and must not end up on the higher side.
    pub const INSET: f64 = 0.75;
}

/// Phase 4: stitching: `stitch/unfold.rs`.
pub mod unfold {
    /// The length by which an edge is opened at a fold, in grid units (2 mm). A longer slit parts more of an edge that
    /// one could walk across; a shorter one may not clear the fold.
    pub const SLIT: f64 = 8.0;
}

/// Phase 4: stitching: `stitch/doorways.rs`.
pub mod doorways {
    /// The distance from a jamb at which a doorway is filled, in grid units (1 mm). Nearer cuts could touch the wall
    /// after rounding; farther ones make doorways narrower than drawn.
    pub const INSET: f64 = 4.0;
}

/// Phase 4: stitching: `stitch/pinholes.rs`.
pub mod pinholes {
    /// The greatest number of sides of a hole that may close. Larger holes are rarely leftovers of corners that nearly
    /// meet, and following them costs more.
    pub const MOST_SIDES: usize = 12;
}

/// Phase 4: stitching: `stitch/rim_index.rs`.
pub mod rim_index {
    /// The index is rebuilt once more than one in this many rims has changed. Smaller values rebuild too late: every
    /// look-up then searches a long list of changes.
    pub const STALE: usize = 8;
}

/// Phase 5: outline: `outline/pieces.rs`.
pub mod pieces {
    /// The most solid angles that are added up to find pieces inside solids, which bounds the time to a few seconds. The
    /// largest pieces come first, and at least one is tested.
    pub const MOST_ANGLES: usize = 1 << 28;

    /// About this many triangles of a piece must seem to lie inside a solid. More cost time; fewer miss a piece that
    /// leaves a shell through a door.
    pub const SPREAD: usize = 16;
}

/// Phase 5: outline: `outline/islands.rs`.
pub mod islands {
    /// Islands are smaller than this, in square metres: tables, beds, cars and the tops of walls. Voxel builders drop
    /// about as much by default.
    pub const LARGEST: f64 = 6.0;

    /// Islands are smaller than this share of the largest piece. In a scene of small pieces none of them is furniture.
    pub const SHARE: f64 = 0.25;

    /// The distance in metres within which other ground lies beside a piece. It is more than the thickness of walls
    /// between rooms, and less than the width of a corridor.
    pub const BESIDE: f64 = 0.6;

    /// The greatest height of furniture and walls over the ground, in metres. Higher tops are roofs.
    pub const HIGHEST: f64 = 3.0;
}

/// Phase 5: outline: `outline/simplify.rs`.
pub mod simplify {
    /// The least cosine between the sides of a bar, one of them reversed: they run against each other within 26 degrees.
    /// A smaller value would square off pointed corners that are no bars.
    pub const BAR: f64 = 0.9;

    /// The maximum number of edges that flip to clear the way for one change. A change that needs more is left undone.
    pub const MOST_FLIPS: usize = 24;

    /// The greatest distance between the point where two lines meet and the grid point taken for it, in grid units.
    /// Candidates lie up to two units along both axes from the rounded point, 3.5 units in all. The value must not be
    /// less.
    pub const ASTRAY: f64 = 4.0;

    /// The maximum number of times that the tolerance doubles from pass to pass. Small details go first, so that larger
    /// changes start from clean borders. The first tolerance is never below rounding.
    pub const MOST_DOUBLINGS: i32 = 3;
}

/// Phase 5: outline: `outline/slits.rs`.
pub mod slits {
    /// The greatest length of an edge through which a slit opens into a wider region, in widths of the slit. With a
    /// larger value, the flat triangles along a long wall would count as slits.
    pub const MOUTH: f64 = 1.5;
}

/// Phase 5: outline: `outline/triangulate.rs`.
pub mod triangulate {
    /// The width in grid units (1 mm) below which a triangle that leads nowhere is dropped, and the width at which the
    /// closing of slits starts. Rounding moves two borders by less. Larger values would remove real floor.
    pub const SPLINTER: f64 = 4.0;
}

/// Reports: `report/axes_units.rs`.
pub mod axes_units {
    /// The length in metres (20 km) above which a scene is likely not in metres. Larger worlds exist, but a mesh for
    /// walkers of that size is rare; a smaller value would warn about open worlds.
    pub const LONGEST: f64 = 20_000.0;

    /// The factor by which the floor area under another upward axis must exceed the present one before a warning. It must
    /// also exceed the area of walls that stand upright either way by this factor. Indoors, floors have at least one and
    /// a half times the area of the walls on one side; the factor stays just below that.
    pub const MUCH_MORE: f64 = 1.4;

    /// The ratio of floor to ceiling area from which the check decides which is which. Below it, the two are too similar
    /// and the warning names no axis.
    pub const ONE_SIDED: f64 = 1.25;

    /// The excess over the steepest slope up to which faces are reported, in radians (5 degrees). Steeper faces are
    /// likely meant to be walls.
    pub const STEEPER: f64 = 5.0 * std::f64::consts::PI / 180.0;

    /// The share of the walkable area from which steep faces are reported. It hides a few odd triangles in a large scene.
    pub const STEEP_SHARE: f64 = 1e-3;
}

/// Reports: `report/ceilings.rs`.
pub mod ceilings {
    /// The number of the largest floors that are sampled for the height of rooms. More samples cost time and rarely
    /// change the median.
    pub const SAMPLES: usize = 256;

    /// Rooms lower than this many times a body are odd: no body fits into a quarter of its height.
    pub const LOW: f64 = 0.25;

    /// Rooms higher than this many times a body are odd. Halls stay below it; centimetres read as metres do not.
    pub const HIGH: f64 = 8.0;

    /// The least number of openings that say something about the unit. A few may be bridges or odd shapes.
    pub const FEWEST_OPENINGS: usize = 6;

    /// The heights of doors, in heights of a body (1.94 to 2.3 m).
    pub const DOORS: std::ops::RangeInclusive<f64> = 0.97..=1.15;

    /// Openings lower than this share of the usual ceiling may be doors. Ceilings of one storey differ by less.
    pub const BELOW_CEILINGS: f64 = 0.95;

    /// The usual height of doors, in heights of a body (2.06 m). Of two units the one counts whose doors come nearer to it.
    pub const USUAL_DOOR: f64 = 1.03;

    /// The natural logarithm of the factor by which a door may be off the usual height: 1.25. Inches and 32nds of a metre
    /// differ by 1.23, so that a door of the one is hardly a door of the other.
    pub const DOOR_SPREAD: f64 = 0.223;

    /// The maximum number of undersides that are sampled for openings, evenly over all. More cost time and rarely change
    /// the lowest quarter.
    pub const MOST_OPENINGS: usize = 512;

    /// The height of the lowest room that a unit is proposed for, in heights of a body. Doors of people are a little
    /// higher than people; the rest is for rounding.
    pub const LEAST_ROOM: f64 = 0.97;

    /// The height of the highest room that a unit is proposed for, in heights of a body (6 m). With a larger value, a
    /// hall in metres would be taken for a room in feet or inches.
    pub const MOST_ROOM: f64 = 3.0;

    /// The ratio of the highest to the lowest tenth of the ceilings from which they are a sky, not ceilings.
    pub const MOST_SPREAD: f64 = 2.0;

    /// The ratio of the extent of ceilings to that of floors from which they are a sky. Roofs that jut out stay below it.
    pub const BEYOND_FLOORS: f64 = 1.2;

    /// The share of the floor whose ceilings are the lowest, which may be corridors as low as doors.
    pub const LOW_SHARE: f64 = 0.05;

    /// The ratio of what faces down to what faces up from which faces are wound the other way. A closed solid has as much of
    /// both.
    pub const TURNED: f64 = 3.0;

    /// The usual height of a room, in heights of a body. The unit that comes nearest to it is proposed.
    pub const USUAL: f64 = 1.4;

    /// The share of the needed head-room from which a low ceiling is reported. Lower ones are likely meant.
    pub const NEARLY: f64 = 0.9;

    /// The maximum number of undersides that are sampled, evenly over all, for low head-room. It bounds the time on large
    /// scenes.
    pub const MOST_UNDERSIDES: usize = 4096;

    /// The least area in square metres that is reported as too low.
    pub const LEAST_AREA: f64 = 0.05;

    /// Faces up to this height above a floor lie on it, in grid units (2 mm). A larger value would take a thin slab for
    /// the floor below it.
    pub const ON_FLOOR: f64 = 8.0;
}

/// Reports: `report/near_misses.rs`.
pub mod near_misses {
    /// Gaps up to this many times the widest bridged gap are reported. Wider ones are likely meant.
    pub const WIDER_GAPS: f64 = 2.0;

    /// Steps up to this many times the greatest step are reported. Higher ones are likely meant.
    pub const HIGHER_STEPS: f64 = 1.5;

    /// The maximum number of pieces that are tested for lying inside a solid. Each test takes a pass over all triangles.
    pub const MOST_ASKED: usize = 3;
}
