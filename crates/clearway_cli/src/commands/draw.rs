//! `clearway draw`: a picture of a mesh.

use crate::args::DrawArgs;
use crate::failure::Result;
use crate::report::size_text;
use crate::{input, output, png};
use clearway::Sketch;
use serde_json::json;
use std::path::PathBuf;

pub fn run(args: &DrawArgs) -> Result<bool> {
    let path = target(args);
    let extension = output::extension_of(&path, &["svg", "png"])?;
    let mesh = input::load_or_build_mesh(&args.input)?;
    let svg = Sketch::of(&mesh, &args.options(input::file_name(&args.input)));
    let bytes = if extension == "png" {
        png::of_svg(&svg).map_err(|failure| failure.in_file(&path))?
    } else {
        svg.into_bytes()
    };
    output::write_file(&path, &bytes)?;
    if args.json {
        let (input, output) = (args.input.display().to_string(), path.display().to_string());
        output::print_json(&json!({ "input": input, "output": output, "bytes": bytes.len() }))?;
    } else {
        output::print(&format!("drew {} ({})\n", path.display(), size_text(bytes.len())))?;
    }
    Ok(true)
}

fn target(args: &DrawArgs) -> PathBuf {
    args.output.clone().unwrap_or_else(|| args.input.with_extension("svg"))
}
