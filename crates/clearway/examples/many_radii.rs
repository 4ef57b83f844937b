//! Bodies of every size on one mesh: `cargo run --example many_radii`.

use clearway::{MeshOptions, PathQuery, Plan, PlanFormat};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A room divided by a wall with a narrow door at the bottom and a wide one at the top.
    let plan = "POLYGON ((0 0, 12 0, 12 9, 0 9), (5.8 0.8, 6.2 0.8, 6.2 6, 5.8 6))";
    let mesh = MeshOptions::default().build(&Plan::parse(PlanFormat::Wkt, plan)?)?;
    let (from, to) = (mesh.locate([2.0, 2.0])?, mesh.locate([10.0, 2.0])?);
    println!("the widest body that gets through has a radius of {:?} m", mesh.widest_radius(from, to));
    for radius in [0.0, 0.2, 0.4, 0.8, 1.2, 1.6] {
        match mesh.find_path(&PathQuery::new(from, to).radius(radius)) {
            Ok(path) => println!("radius {radius}: {:.3} m", path.length),
            Err(reason) => println!("radius {radius}: {reason}"),
        }
    }
    Ok(())
}
