//! A skeleton follows the edits of a mesh: the walls that an edit took go, those that it made come. Cost: that of the walls
//! that changed.

use crate::ground::MeshWall;
use crate::skeleton::Skeleton;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_geometry::Point;
use clearway_live::{Changes, WallChange};
use clearway_nav::NavMesh;

impl Skeleton {
    /// Follows an edit of the mesh from which the skeleton was built, or an edit that was taken back, and ties the skeleton
    /// to the cells of `mesh`, the mesh right after the edit. Edits are followed in their order, each once. Meshes in layers
    /// are followed too, unless obstacles that were put in by [`Skeleton::insert_at`] stand. On an error nothing changes.
    pub fn apply_at(&mut self, mesh: &NavMesh, changes: &Changes) -> Result<()> {
        if !self.is_layered() {
            self.apply(changes)?;
            return self.tie(mesh);
        }
        let epoch = mesh.epoch();
        if epoch == self.layers.epoch && changes.epoch == epoch && changes.added.is_empty() {
            return Ok(());
        }
        if epoch != changes.epoch || epoch <= self.layers.epoch {
            let message = format!(
                "the edit of epoch {} cannot be followed from epoch {} to {epoch}",
                changes.epoch, self.layers.epoch
            );
            return Err(Error::new(ErrorKind::Options, message));
        }
        let [gone, come] = [&changes.walls_gone, &changes.walls_come].map(|walls| named(walls));
        self.apply_walls_at(mesh, &gone, &come, &changes.added)
    }

    /// Follows an edit of a plan's mesh, or an edit that was taken back, by the ends of its walls alone. Edits are followed
    /// in their order, each once. On an error nothing changes; a mesh in layers is refused ([`Skeleton::apply_at`] takes
    /// it). What asks about cells needs [`Skeleton::tie`] with the new mesh.
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

/// Returns the names of walls, sorted, each once.
fn named(walls: &[WallChange]) -> Vec<[u32; 2]> {
    let mut names: Vec<[u32; 2]> = walls.iter().map(|wall| wall.vertices).collect();
    names.sort_unstable();
    names.dedup();
    names
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
