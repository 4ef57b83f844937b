//! `clearway export`: writes a mesh for other programs.

use crate::args::ExportArgs;
use crate::failure::{Failure, Result};
use crate::report::size_text;
use crate::{input, output};
use clearway::export;
use serde_json::json;

/// Runs the command.
pub fn run(args: &ExportArgs) -> Result<bool> {
    let extension = output::extension_of(&args.output, &["obj", "geojson", "wkt"])?;
    let given = [(args.ground, "--ground"), (args.cells, "--cells")];
    if let Some((_, flag)) = given.iter().find(|(is_given, _)| *is_given && extension != "obj") {
        let message = format!("{flag} is for .obj only: the other formats know no heights");
        return Err(Failure::new(message).in_file(&args.output));
    }
    let mesh = input::load_mesh(&args.mesh)?;
    let text = match extension {
        // The cells of a plan are flat; as faces of one mesh they share their corners.
        "obj" if args.cells || !mesh.has_heights() => export::to_obj(&mesh),
        "obj" => export::ground_to_obj(&mesh),
        "geojson" => export::to_geojson(&mesh),
        _ => export::to_wkt(&mesh),
    };
    output::write_file(&args.output, text.as_bytes())?;
    if args.json {
        let (input, output) = (args.mesh.display().to_string(), args.output.display().to_string());
        output::print_json(&json!({ "input": input, "output": output, "bytes": text.len() }))?;
    } else {
        let size = size_text(text.len());
        output::print(&format!(
            "exported {} cells to {} ({size})\n",
            mesh.cell_count(),
            args.output.display()
        ))?;
    }
    Ok(true)
}
