//! Cuts a path into parts that run on the cells of a picture and parts that do not.

use super::scope::Scope;
use clearway_nav::mesh::NavMesh;
use clearway_nav::path::{Leg, Path, Ride};

/// A path in parts, in their order.
pub struct Course {
    /// The parts.
    pub stretches: Vec<Stretch>,
    /// Start and goal in the world; `None` for an end on a cell that is not shown.
    pub ends: [Option<[f64; 3]>; 2],
}

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
        let mut course = Course { stretches: Vec::new(), ends: [None; 2] };
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
}
