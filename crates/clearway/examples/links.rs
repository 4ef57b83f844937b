//! Connections that are not walked: `cargo run --example links`.

use clearway::{Leg, Link, LinkKind, LinkUse, MeshOptions, PathQuery, Plan};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let room = |x: f64| vec![[x, 0.0], [x + 4.0, 0.0], [x + 4.0, 4.0], [x, 4.0]];
    let mut mesh = MeshOptions::default().build(&Plan::from_rings([room(0.0), room(6.0)]))?;
    // A plan lies in the ground plane of the world: its [x, y] is [x, 0, -y].
    mesh.add_links(&[Link::new("plank", LinkKind::Jump, [4.0, 0.0, -2.0], [6.0, 0.0, -2.0])], 0.5)?;
    let (from, to) = (mesh.locate([1.0, 2.0])?, mesh.locate([9.0, 2.0])?);
    for leg in mesh.find_path(&PathQuery::new(from, to))?.legs() {
        match leg {
            Leg::Walk(walk) => println!("walk {:.2} m", walk.length),
            Leg::Link(ride) => println!("take {:?}", mesh.link(ride.link).map(|link| link.name)),
        }
    }
    let on_foot = mesh.find_path(&PathQuery::new(from, to).links(LinkUse::None));
    println!("on foot: {}", on_foot.err().map_or("a path", |reason| reason.code()));
    Ok(())
}
