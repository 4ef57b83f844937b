//! Cuts a path into parts that run on the cells of a picture and parts that do not.

use super::overlay::Parts;
use super::scope::Scope;
use clearway_nav::mesh::NavMesh;
use clearway_nav::path::{Leg, Path, Ride};

/// A path in parts, in their order.
pub struct Course {
    /// The parts.
    pub stretches: Vec<Stretch>,
    /// Start and goal in the world; `None` for an end on a cell that is not shown.
    pub ends: [Option<[f64; 3]>; 2],
    /// True if every walk is one part.
    pub is_uncut: bool,
}

/// The least height in metres between a path and ground that covers it.
const COVER: f64 = 1.0;
/// The length in metres of the pieces in which a path is tested for ground above it.
const PIECE: f64 = 0.2;

/// A part of a path.
pub enum Stretch {
    /// A walk along these points of the world; `walk` is the whole walk that it is a part of.
    Walk { walk: Path, points: Vec<[f64; 3]>, is_shown: bool },
    /// A link between these points of the world.
    Link { ends: [[f64; 3]; 2], is_shown: bool },
}

impl Course {
    /// Cuts a path. Its points follow the ground and its arcs to within `tolerance` metres.
    pub fn of(mesh: &NavMesh, scope: &Scope, path: &Path, tolerance: f64) -> Course {
        let mut course = Course { stretches: Vec::new(), ends: [None; 2], is_uncut: scope.is_whole };
        let mut ends = Vec::new();
        for leg in path.legs() {
            match leg {
                Leg::Walk(walk) => {
                    for (is_shown, points) in walk.stretches(mesh, tolerance, |cell| scope.shows(cell)) {
                        ends.extend(
                            [points.first(), points.last()].map(|end| end.copied().filter(|_| is_shown)),
                        );
                        course.stretches.push(Stretch::Walk { walk: walk.clone(), points, is_shown });
                    }
                }
                Leg::Link(Ride { link, from, to, .. }) => {
                    let shown = match mesh.parts().links.get(link.0 as usize) {
                        Some(record) => record.ends.iter().any(|end| scope.shows(end.cell)),
                        None => scope.is_whole,
                    };
                    ends.extend([from, to].map(|end| Some(end).filter(|_| shown)));
                    course.stretches.push(Stretch::Link { ends: [from, to], is_shown: shown });
                }
            }
        }
        course.ends = [ends.first(), ends.last()].map(|end| end.copied().flatten());
        course
    }

    /// Cuts walks where they run under ground that is shown; those parts count as not shown.
    pub fn under_ground(mut self, mesh: &NavMesh, scope: &Scope) -> Course {
        if !mesh.has_heights() {
            return self;
        }
        let mut stretches = Vec::with_capacity(self.stretches.len());
        for stretch in self.stretches {
            let Stretch::Walk { walk, points, is_shown: true } = stretch else {
                stretches.push(stretch);
                continue;
            };
            let parts = parts_by_cover(mesh, scope, &points);
            if parts.len() < 2 && parts.iter().all(|(is_covered, _)| !is_covered) {
                stretches.push(Stretch::Walk { walk, points, is_shown: true });
                continue;
            }
            self.is_uncut = false;
            stretches.extend(parts.into_iter().map(|(is_covered, points)| Stretch::Walk {
                walk: walk.clone(),
                points,
                is_shown: !is_covered,
            }));
        }
        Course { stretches, ..self }
    }
}

/// Cuts a line into parts under shown ground and parts in the open.
pub fn parts_by_cover(mesh: &NavMesh, scope: &Scope, points: &[[f64; 3]]) -> Parts {
    let mut parts = Parts::new();
    let between = |a: &[f64; 3], b: &[f64; 3], share: f64| [0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * share);
    for pair in points.windows(2) {
        let length = (pair[1][0] - pair[0][0]).hypot(pair[1][2] - pair[0][2]);
        // At a corner of a wall a path may stand still for a moment, and the ground beyond the wall is no cover.
        if length < 1e-6 {
            continue;
        }
        let count = (length / PIECE).ceil().clamp(1.0, 1e4) as usize;
        for piece in 0..count {
            let at = |step: f64| between(&pair[0], &pair[1], (piece as f64 + step) / count as f64);
            let is_covered = is_under_ground(mesh, scope, at(0.5));
            match parts.last_mut() {
                Some((is_same, line)) if *is_same == is_covered => {
                    // Pieces of one straight line need only its end.
                    if piece > 0 && line.len() > 1 {
                        line.pop();
                    }
                    line.push(at(1.0));
                }
                _ => parts.push((is_covered, vec![at(0.0), at(1.0)])),
            }
        }
    }
    parts
}

/// True if shown ground lies over a place.
fn is_under_ground(mesh: &NavMesh, scope: &Scope, [x, y, z]: [f64; 3]) -> bool {
    let mut heights = mesh.heights_at(x, z).into_iter();
    heights.any(|height| height > y + COVER && scope.is_shown_at(height))
}
