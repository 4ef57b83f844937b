//! A skeleton follows the edits of a mesh: the walls that an edit took go, those that it made come. Cost: that of the walls
//! that changed.

use crate::ground::MeshWall;
use crate::skeleton::Skeleton;
use clearway_base::error::Result;
use clearway_geometry::Point;
use clearway_live::{Changes, WallChange};

impl Skeleton {
    /// Follows an edit of the mesh from which the skeleton was built, or an edit that was taken back. Edits are followed
    /// in their order, each once. On an error nothing changes; a mesh in layers is refused. What asks about cells needs
    /// [`Skeleton::tie`] with the new mesh.
    pub fn apply(&mut self, changes: &Changes) -> Result<()> {
        let [gone, come] = [&changes.walls_gone, &changes.walls_come].map(|walls| self.on_grid(walls));
        let [gone, come] = without_pairs(gone, come);
        self.apply_walls(&gone, &come)
    }

    /// Returns walls on the grid, sorted.
    fn on_grid(&self, walls: &[WallChange]) -> Vec<MeshWall> {
        let point = |place: [f64; 2]| {
            let at = self.units(place);
            Point::new(at.x.round() as i32, at.y.round() as i32)
        };
        let mut walls: Vec<MeshWall> = walls.iter().map(|wall| [point(wall.from), point(wall.to)]).collect();
        walls.sort_unstable();
        walls
    }
}

/// Drops walls that both went and came: within a batch one edit may take what another one made.
fn without_pairs(gone: Vec<MeshWall>, come: Vec<MeshWall>) -> [Vec<MeshWall>; 2] {
    let (mut left, mut new) = (Vec::new(), Vec::new());
    let mut come = come.into_iter().peekable();
    for wall in gone {
        new.extend(std::iter::from_fn(|| come.next_if(|other| *other < wall)));
        if come.next_if_eq(&wall).is_none() {
            left.push(wall);
        }
    }
    new.extend(come);
    [left, new]
}
