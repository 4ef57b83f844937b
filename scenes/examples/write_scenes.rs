//! Writes every 3D scene as an OBJ file, and what is known about it as text, into a folder.
//!
//! `cargo run --release -p clearway_scenes --example write_scenes -- FOLDER`

use std::fmt::Write;
use std::path::Path;
use std::{env, fs, io};

use clearway_scenes::{
    Approach, BuildingOptions, CarParkOptions, Component, DirtOptions, KnownScene, Soup, bridge, building,
    car_park, cave, city, clutter, dirty, terrain, toy, traps,
};

fn main() -> io::Result<()> {
    let Some(folder) = env::args().nth(1) else {
        return Err(io::Error::other("usage: write_scenes FOLDER"));
    };
    let folder = Path::new(&folder);
    fs::create_dir_all(folder)?;
    for scene in places().into_iter().chain(traps().into_iter().map(|trap| named(trap, "trap_"))) {
        write_obj(folder, &scene.name, &scene.soup)?;
        write_obj(folder, &format!("{}_dirty", scene.name), &dirty(&scene.soup, 1, DirtOptions::default()))?;
        fs::write(folder.join(format!("{}.truth.txt", scene.name)), truth_text(&scene))?;
    }
    for boxes in [1000, 10_000, 100_000] {
        write_obj(folder, &format!("clutter_{boxes}"), &clutter(boxes, 1))?;
    }
    Ok(())
}

fn places() -> Vec<KnownScene> {
    let tower = BuildingOptions { storeys: 10, rooms_x: 5, rooms_z: 4 };
    vec![
        toy(),
        building(BuildingOptions::default(), 1),
        building(tower, 1),
        car_park(CarParkOptions::default()),
        car_park(CarParkOptions { levels: 4, turns: 2 }),
        city(1, 1),
        city(8, 1),
        cave(64, 1),
        cave(200, 1),
        terrain(128, 1),
        terrain(512, 1),
        bridge(Approach::Embankment),
        bridge(Approach::Ramp),
    ]
}

fn named(scene: KnownScene, prefix: &str) -> KnownScene {
    KnownScene { name: format!("{prefix}{}", scene.name), ..scene }
}

fn write_obj(folder: &Path, name: &str, soup: &Soup) -> io::Result<()> {
    println!("{name}: {} triangles", soup.triangles.len());
    fs::write(folder.join(format!("{name}.obj")), soup.to_obj())
}

/// The truth as lines that people and scripts can read.
fn truth_text(scene: &KnownScene) -> String {
    let truth = &scene.truth;
    let mut text =
        format!("# {}: height 2.0, step 0.4, slope 45 degrees, no radius; areas in plan\n", scene.name);
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name} {value}");
    };
    line(
        "components",
        format!("{} of which {} outside solids", truth.components.len(), truth.outside_count()),
    );
    line("area", format!("{:.6} of which {:.6} outside solids", truth.area(), truth.outside_area()));
    line("tolerance", truth.tolerance.to_string());
    line("bridge", truth.bridge.to_string());
    for (material, area) in &truth.by_material {
        line("material", format!("{material} {area:.6}"));
    }
    for place in &truth.blocked {
        line("blocked", format!("{place:?}"));
    }
    for Component { area, places, inside } in &truth.components {
        line(if *inside { "inside" } else { "open" }, format!("{area:.6} {places:?}"));
    }
    text
}
