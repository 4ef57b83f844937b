//! The tangent index: straight lines between corners, each with the largest body that can walk along it.
//!
//! The shortest path of a disc consists of arcs around corners and of straight lines that touch two of them. Such a line
//! is a tangent. One index serves bodies of every radius. A tangent is legal for a radius if no corner is closer to it
//! than that, which one number per tangent answers, and if the body may touch both corners where the tangent does,
//! which the free arcs of the corners answer. A query looks around from its start and its goal, and searches among
//! tangents in between (`docs/decisions/tangents.md`).
//!
//! What a corner sees is found by walking through portals, so that the index is right where floors lie over each other.

mod build;
mod field;
mod follow;
mod goals;
mod limits;
mod liveness;
mod search;
mod stored;
#[cfg(test)]
mod tests;
mod view;

use super::landmarks::find_landmarks;
use crate::mesh::{Corner, Flaw, FlawKind, Flaws, LANDMARKS, NavMesh};
use clearway_base::NoProgress;
use clearway_geometry::Vec2;
pub(in crate::path) use field::TangentField;
pub(super) use search::{Scratch, TangentSearch};

/// A tangent between two corners, seen from the corner that it leaves. In the lists of tangents that arrive, the other
/// end is the corner that it leaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tangent {
    /// The state at the other end in the low bits, and above them the class from which on it is alive.
    end: u32,
    /// The radius up to which no corner is in the way, in grid units, rounded down.
    widest: f32,
    /// The angle in the normal cone at which a point leaves, in steps of [`ANGLE_STEP`]. A tangent that crosses from one
    /// hand to the other turns with the radius, and so do both angles.
    leaves: i16,
    /// The angle in the normal cone of the other corner at which a point arrives, in the same steps.
    arrives: i16,
}

/// The step of stored angles, in radians. All of them lie between minus half a turn and three quarters of a turn.
const ANGLE_STEP: f64 = 1.5e-4;

/// The number of bits of [`Tangent::end`] that name a state. With it, an index has at most 2^27 corners; one with as
/// many would be too large anyway.
const STATE_BITS: u32 = 28;

/// The bits of [`Tangent::end`] that name a state.
const STATE: u32 = (1 << STATE_BITS) - 1;

/// The number of classes of radii. A tangent that leads on for large bodies only is of no use to small ones. More
/// classes cost four bytes per state each, and searches among fewer tangents.
const CLASSES: usize = 6;

/// The rounding of [`Tangent::widest`]: a body at most this share wider is checked against the walls itself. It is
/// twice the greatest rounding error of a `f32`.
const ROUNDED_WIDTH: f64 = 2.4e-7;

/// The error of stored angles, in radians: half a step, and the rounding of the floats that it is computed from. Stored
/// angles are filters. For a disc they are computed anew; a point may take them as they are, because its lines are legal
/// whatever the angle, and only their tautness depends on it.
const ROUNDED_ANGLE: f64 = 0.6 * ANGLE_STEP;

impl Tangent {
    /// The state at the other end.
    #[inline]
    fn end(&self) -> u32 {
        self.end & STATE
    }

    /// The angle at which a point leaves, in radians.
    #[inline]
    fn leaves(&self) -> f64 {
        f64::from(self.leaves) * ANGLE_STEP
    }

    /// The angle at which a point arrives, in radians.
    #[inline]
    fn arrives(&self) -> f64 {
        f64::from(self.arrives) * ANGLE_STEP
    }

    /// The least class of radii for which the tangent leads on; [`CLASSES`] if it never does.
    #[inline]
    fn lives_from(&self) -> u32 {
        self.end >> STATE_BITS
    }

    /// True if a body of this radius fits, as far as corners beside the tangent are concerned.
    #[inline]
    fn fits(&self, radius: f64) -> bool {
        radius <= f64::from(self.widest)
    }

    /// True if a body of this radius may fit. Unless it [`fits`](Tangent::fits), rounding decides, and only a look at
    /// the walls can tell.
    #[inline]
    fn may_fit(&self, radius: f64) -> bool {
        radius <= f64::from(self.widest) * (1.0 + ROUNDED_WIDTH)
    }
}

/// A list of tangents: its place in [`TangentIndex::tangents`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Span {
    /// The first tangent.
    first: u32,
    /// The number of tangents.
    count: u32,
}

/// The tangents between all corners of a mesh.
///
/// A state is a corner and the hand to which the body turns around it: `2 * corner` to the left, `2 * corner + 1` to
/// the right.
#[derive(Debug, PartialEq)]
pub(crate) struct TangentIndex {
    /// For each corner, its place in grid units.
    places: Vec<Vec2>,
    /// For each corner, true if walls divide the free space around it.
    split: Vec<bool>,
    /// The greatest radius of each class, in grid units; the last is infinite.
    classes: [f32; CLASSES],
    /// For each state, the tangents that leave it and lead on for some radius, those first that do for most.
    live: Vec<Span>,
    /// For each state, the tangents that arrive at it and lead nowhere but to a goal in sight, for some radius, those
    /// first that do so for most.
    dead: Vec<Span>,
    /// For each state and class, the greatest progress at which a live tangent leaves it, in radians.
    far: Vec<[f32; CLASSES]>,
    /// All tangents, list after list.
    tangents: Vec<Tangent>,
    /// Goals up to this distance are near, in grid units: twice the mean length of tangents.
    near: f64,
}

impl TangentIndex {
    /// The class of a radius.
    fn class_of(&self, radius: f64) -> u32 {
        self.classes.iter().position(|most| radius <= f64::from(*most)).unwrap_or(CLASSES - 1) as u32
    }

    /// The tangents that leave a state and lead on for a class of radii.
    #[inline]
    fn live(&self, state: u32, class: u32) -> impl Iterator<Item = &Tangent> {
        self.list(self.live[state as usize]).iter().take_while(move |tangent| tangent.lives_from() <= class)
    }

    /// The tangents that arrive at a state and lead nowhere but to a goal in sight, for a class of radii. Each comes
    /// with its place among all tangents.
    #[inline]
    fn dead(&self, state: u32, class: u32) -> impl Iterator<Item = (u32, &Tangent)> {
        let span = self.dead[state as usize];
        let dead = self.list(span).iter().take_while(move |tangent| tangent.lives_from() > class);
        (span.first..).zip(dead)
    }

    /// The tangents of a list.
    #[inline]
    fn list(&self, span: Span) -> &[Tangent] {
        &self.tangents[span.first as usize..(span.first + span.count) as usize]
    }

    /// The number of bytes that the index takes in memory.
    fn bytes(&self) -> usize {
        size_of_val(&self.places[..])
            + size_of_val(&self.split[..])
            + size_of_val(&self.live[..])
            + size_of_val(&self.dead[..])
            + size_of_val(&self.far[..])
            + size_of_val(&self.tangents[..])
    }
}

/// Figures about the index that makes searches fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PathIndex {
    /// The number of corners that paths turn around.
    pub corners: usize,
    /// The number of tangents between corners, in both directions.
    pub tangents: usize,
    /// The bytes that tangents and landmarks take in memory.
    pub bytes: usize,
}

/// Notes a flaw if the path index of a mesh, which may come from a file, is not the one that the mesh has.
pub(crate) fn check_path_index(mesh: &NavMesh, flaws: &mut Flaws) {
    let mut wrong = |detail: String| flaws.note(|| Flaw::new(FlawKind::PathIndex, detail));
    if let Some(stored) = mesh.tangents()
        && let Ok(right) = TangentIndex::build(mesh, &mut NoProgress)
        && stored.to_words() != right.to_words()
    {
        wrong("the stored tangents are not those of the mesh".to_string());
    }
    if let Some(stored) = mesh.landmarks.get() {
        let right = find_landmarks(mesh);
        let differs =
            |(a, b): (&[f32; LANDMARKS], &[f32; LANDMARKS])| a.map(f32::to_bits) != b.map(f32::to_bits);
        if let Some(vertex) = stored.distances.iter().zip(&right.distances).position(differs) {
            wrong(format!("the stored distances of vertex {vertex} from landmarks are wrong"));
        }
    }
}

/// The hand of a state: +1 if the body turns left, -1 if it turns right.
#[inline]
fn hand(state: u32) -> f64 {
    if state & 1 == 0 { 1.0 } else { -1.0 }
}

/// The corner of a state.
#[inline]
fn corner_of(state: u32) -> u32 {
    state >> 1
}

/// Returns the angle of a normal from the start of the cone, within half a turn of the middle of the cone.
#[inline]
fn angle_in_cone(corner: &Corner, normal: Vec2) -> f64 {
    let angle = corner.first.angle_to(normal);
    if angle < 0.5 * corner.span - std::f64::consts::PI { angle + std::f64::consts::TAU } else { angle }
}

impl NavMesh {
    /// Returns the tangent index, if it was prepared.
    #[inline]
    pub(crate) fn tangents(&self) -> Option<&TangentIndex> {
        self.tangents.get()
    }

    /// Returns figures about the index that makes searches fast, if it was [prepared](NavMesh::prepare_paths).
    pub fn path_index(&self) -> Option<PathIndex> {
        let index = self.tangents()?;
        let landmarks = self.landmarks.get().map_or(0, |landmarks| size_of_val(&landmarks.distances[..]));
        let tangents = index.lists().iter().map(Vec::len).sum();
        Some(PathIndex { corners: index.places.len(), tangents, bytes: index.bytes() + landmarks })
    }
}
