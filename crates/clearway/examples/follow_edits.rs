//! A mesh is edited, and its skeleton follows: both answer how wide a body can be on its way past a crate.

use clearway::live::{Anchor, Edit, LiveMesh, Obstacle, Shape};
use clearway::skeleton::Skeleton;
use clearway::{Error, MeshOptions, Plan};

fn main() -> Result<(), Error> {
    let hall = Plan::from_rings([vec![[0.0, 0.0], [20.0, 0.0], [20.0, 6.0], [0.0, 6.0]]]);
    let mut live = LiveMesh::new(MeshOptions::default().build(&hall)?)?;
    let mut skeleton = Skeleton::build(live.mesh())?;
    let ends = [[4.0, 3.0], [16.0, 3.0]];
    let mut id = None;
    for y in [2.0, 3.0, 4.0] {
        let shape = Shape::Box { centre: [10.0, y], size: [1.0, 2.0], turn: 0.0 };
        let there = Obstacle { shape, anchor: Anchor::default() };
        let changes = live.apply(&id.map_or(Edit::Add(there.clone()), |id| Edit::Move(id, there)))?;
        id = id.or(changes.obstacles.first().copied());
        skeleton.apply(&changes)?;
        let places = ends.map(|place| live.mesh().locate(place));
        if let [Ok(from), Ok(to)] = places {
            let width =
                |radius: Option<f64>| radius.map_or("none".to_string(), |radius| format!("{radius:.3} m"));
            let by_mesh = width(live.mesh().widest_radius(from, to));
            let by_skeleton = width(skeleton.widest(ends[0], ends[1]).map(|way| way.radius));
            println!("crate at y = {y}: widest radius {by_mesh} by the mesh, {by_skeleton} by the skeleton");
        }
    }
    Ok(())
}
