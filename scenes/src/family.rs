//! The table of random families.

mod caves;
mod corridors;
mod messes;
mod obstacles;
mod placement;
mod simple;
mod tree;
mod walls;

use crate::drawing::PlanDrawing;
use crate::random::Random;

/// A family of random plans, from clean ones to ones that contain one kind of mess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// Upright boxes in a rectangle; on a third of the seeds with whole coordinates, so many are equal.
    Boxes,
    /// Boxes at any angle.
    RotatedBoxes,
    /// Caves grown by a cellular automaton, upright or with every corner moved a little.
    Caves,
    /// Convex obstacles of 3 to 13 corners.
    ConvexObstacles,
    /// Corridors between walls of some thickness: a spanning tree, with loops on half of the seeds.
    Mazes,
    /// One ring without holes: an untangled random tour if small, else the outline of a random tree.
    SimplePolygons,
    /// Star-shaped holes, some with an island in them, given as rings without roles.
    Stars,
    /// Caves with cells that touch at corners: rings touch themselves and each other there.
    PinchedRings,
    /// Boxes and diamonds with many points on their straight sides, in line across holes.
    CollinearRuns,
    /// Boxes with needles that stick out of them and into them.
    Spikes,
    /// Combs: one with many rows of teeth, or pairs that interlock.
    Combs,
    /// Spirals: a great round one, or many square ones, as walls or as corridors.
    Spirals,
    /// Holes that touch each other and the outline, at corners and along sides.
    TouchingHoles,
    /// Polygons, or holes, that overlap each other and stick out of the outline.
    OverlappingRings,
    /// Bow ties, pentagrams, tangles and rings that run back on themselves.
    SelfIntersecting,
    /// Rings drawn twice: shifted, reversed, with repeated points, and rings without area.
    DuplicateRings,
    /// Open walls of no thickness that cross, touch, overlap and leave the outline.
    ThinWalls,
    /// Round obstacles of many sides with shallow notches.
    Circles,
    /// Shapes and gaps far thinner than a person, down to a millionth of a unit.
    Slivers,
}

impl Family {
    /// Every family.
    pub const ALL: [Family; 19] = [
        Family::Boxes,
        Family::RotatedBoxes,
        Family::Caves,
        Family::ConvexObstacles,
        Family::Mazes,
        Family::SimplePolygons,
        Family::Stars,
        Family::PinchedRings,
        Family::CollinearRuns,
        Family::Spikes,
        Family::Combs,
        Family::Spirals,
        Family::TouchingHoles,
        Family::OverlappingRings,
        Family::SelfIntersecting,
        Family::DuplicateRings,
        Family::ThinWalls,
        Family::Circles,
        Family::Slivers,
    ];

    /// The name in the command line and in test messages.
    pub fn name(self) -> &'static str {
        match self {
            Family::Boxes => "boxes",
            Family::RotatedBoxes => "rotated-boxes",
            Family::Caves => "caves",
            Family::ConvexObstacles => "convex-obstacles",
            Family::Mazes => "mazes",
            Family::SimplePolygons => "simple-polygons",
            Family::Stars => "stars",
            Family::PinchedRings => "pinched-rings",
            Family::CollinearRuns => "collinear-runs",
            Family::Spikes => "spikes",
            Family::Combs => "combs",
            Family::Spirals => "spirals",
            Family::TouchingHoles => "touching-holes",
            Family::OverlappingRings => "overlapping-rings",
            Family::SelfIntersecting => "self-intersecting",
            Family::DuplicateRings => "duplicate-rings",
            Family::ThinWalls => "thin-walls",
            Family::Circles => "circles",
            Family::Slivers => "slivers",
        }
    }

    /// The family of a name.
    pub fn from_name(name: &str) -> Option<Family> {
        Family::ALL.into_iter().find(|family| family.name() == name)
    }

    /// Whether plans of the family are valid: no two edges share more than the corner between neighbours, and
    /// all coordinates are multiples of 1/1024.
    ///
    /// Gaps are far wider than that step, so that rounding to a millimetre keeps them, except in the needles
    /// of spikes and in simple polygons of up to 256 corners.
    pub fn is_clean(self) -> bool {
        !matches!(
            self,
            Family::PinchedRings
                | Family::TouchingHoles
                | Family::OverlappingRings
                | Family::SelfIntersecting
                | Family::DuplicateRings
                | Family::ThinWalls
                | Family::Slivers
        )
    }

    /// A plan of about `size` vertices (at least 8) on about `10 * sqrt(size)` units square, in linear time.
    pub fn draw(self, size: usize, seed: u64) -> PlanDrawing {
        let mut stream = Random::new(seed ^ ((self as u64 + 1) << 56));
        let random = &mut stream;
        let size = size.max(8);
        match self {
            Family::Boxes => obstacles::boxes(random, size),
            Family::RotatedBoxes => obstacles::rotated_boxes(random, size),
            Family::Caves => caves::caves(random, size),
            Family::ConvexObstacles => obstacles::convex_obstacles(random, size),
            Family::Mazes => corridors::maze(random, size),
            Family::SimplePolygons => simple::simple_polygon(random, size),
            Family::Stars => obstacles::stars(random, size),
            Family::PinchedRings => caves::pinched_rings(random, size),
            Family::CollinearRuns => obstacles::collinear_runs(random, size),
            Family::Spikes => obstacles::spikes(random, size),
            Family::Combs => corridors::combs(random, size),
            Family::Spirals => corridors::spirals(random, size),
            Family::TouchingHoles => messes::touching_holes(random, size),
            Family::OverlappingRings => messes::overlapping_rings(random, size),
            Family::SelfIntersecting => messes::self_intersecting(random, size),
            Family::DuplicateRings => messes::duplicate_rings(random, size),
            Family::ThinWalls => walls::thin_walls(random, size),
            Family::Circles => obstacles::circles(random, size),
            Family::Slivers => messes::slivers(random, size),
        }
    }
}
