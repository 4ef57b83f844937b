//! Writes scenarios to begin with.

use crate::args::{CrowdArgs, ExampleName};
use crate::failure::{Failure, Result};
use crate::{hints, output};
use clearway_scenario::Example;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Writes an example, and its scene beside it if it needs one.
pub fn write(name: ExampleName, args: &CrowdArgs) -> Result<bool> {
    let example = Example::named(name.name()).ok_or_else(|| Failure::new("there is no such example"))?;
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.toml", example.name)));
    output::extension_of(&path, &["toml"])?;
    let mut text = example.text.to_string();
    let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    if let Some(world) = example.world {
        let scene = path.with_extension("obj");
        let scene_name = scene.file_name().unwrap_or_default().to_string_lossy().into_owned();
        text = text.replace(world, &scene_name);
        let house = clearway_scenes::building(clearway_scenes::BuildingOptions::default(), 1);
        files.push((scene, house.soup.to_obj().into_bytes()));
    }
    files.insert(0, (path, text.into_bytes()));
    if let Some((file, _)) = files.iter().find(|(file, _)| file.exists()) {
        return Err(Failure::new("is there already; -o names another file").in_file(file));
    }
    let written: Vec<(PathBuf, &[u8])> =
        files.iter().map(|(file, bytes)| (file.clone(), &bytes[..])).collect();
    output::write_files(&written)?;
    tell(&example, &files, args.json)?;
    Ok(true)
}

/// Says what was written and what to do next.
fn tell(example: &Example, files: &[(PathBuf, Vec<u8>)], as_json: bool) -> Result<()> {
    let names: Vec<String> = files.iter().map(|(file, _)| file.display().to_string()).collect();
    if as_json {
        return output::print_json(&json!({ "example": example.name, "files": names }));
    }
    let [program, file] = [hints::program(), hints::path(Path::new(&names[0]))];
    let html = hints::path(&Path::new(&names[0]).with_extension("html"));
    output::print(&format!(
        "wrote {}: {}\n\nTry next:\n  {program} crowd {file}\n  {program} crowd {file} --report {html}\n",
        names.join(" and "),
        example.about
    ))
}
