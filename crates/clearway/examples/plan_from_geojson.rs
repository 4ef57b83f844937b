//! A floor plan as GeoJSON to a mesh, a picture and a file: `cargo run --example plan_from_geojson [PLAN.geojson]`.

use clearway::{MeshOptions, Plan, PlanFormat, Quality, Sketch, SketchOptions};

const PLAN: &str = r#"{ "type": "Polygon", "coordinates": [
    [[0, 0], [20, 0], [20, 12], [0, 12], [0, 0]],
    [[4, 3], [4, 9], [8, 9], [8, 3], [4, 3]],
    [[12, 2], [12, 5], [17, 5], [17, 2], [12, 2]]
] }"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let plan = match std::env::args().nth(1) {
        Some(file) => Plan::load(file)?,
        None => Plan::parse(PlanFormat::GeoJson, PLAN)?,
    };
    let mesh = MeshOptions::default().quality(Quality::Best).build(&plan)?;
    println!("{} cells, {} flaws", mesh.cell_count(), mesh.check().len());
    let folder = std::env::temp_dir();
    mesh.save(folder.join("plan.nav"))?;
    std::fs::write(folder.join("plan.svg"), Sketch::of(&mesh, &SketchOptions::default()))?;
    println!("wrote plan.nav and plan.svg to {}", folder.display());
    Ok(())
}
