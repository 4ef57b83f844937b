//! A scene to a mesh, and a path on it: `cargo run --example load_scene [LEVEL.glb]`.

use clearway::{MeshOptions, PathQuery, Scene, WalkRules, WalkableSurface};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mesh = match std::env::args().nth(1) {
        Some(file) => clearway::load(file)?,
        None => {
            // A floor of 10 m with a wall across most of it, as an engine hands it over.
            let positions = [
                [0.0f32, 0.0, 0.0],
                [0.0, 0.0, 10.0],
                [10.0, 0.0, 10.0],
                [10.0, 0.0, 0.0],
                [5.0, 0.0, 0.0],
                [5.0, 3.0, 0.0],
                [5.0, 3.0, 8.0],
                [5.0, 0.0, 8.0],
            ];
            let scene = Scene::from_mesh(&positions, &[0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7])?;
            let surface = WalkableSurface::extract(&scene, &WalkRules::default().max_step(0.3))?;
            MeshOptions::default().build(&surface)?
        }
    };
    println!("{} cells, {} m\u{b2}", mesh.cell_count(), mesh.area());
    let [from, to] = [1, 2].map(|seed| mesh.random_point(seed));
    if let (Some(from), Some(to)) = (from, to) {
        match mesh.find_path(&PathQuery::new(from, to).radius(0.3).snap(1.0)) {
            Ok(path) => println!("{} m: {:.1?}", path.length, path.points_in_space(&mesh, 0.05)),
            Err(reason) => println!("no path ({}): {reason}", reason.code()),
        }
    }
    Ok(())
}
