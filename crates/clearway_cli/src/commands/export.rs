//! `clearway export`: writes a mesh for other programs.

use crate::args::ExportArgs;
use crate::failure::{Failure, Result};
use crate::report::size_text;
use crate::{input, output};
use clearway::NavMesh;
use clearway::export::{self, DetourBody};
use serde_json::json;

/// The height and the step of a body in metres where the mesh of a plan does not tell: the usual ones.
const USUAL_BODY: [f64; 2] = [2.0, 0.4];

/// Runs the command.
pub fn run(args: &ExportArgs) -> Result<bool> {
    let known = ["glb", "obj", "geojson", "wkt", "tres", "bin"];
    let extension = output::extension_of(&args.output, &known)?;
    output::keep_input(&args.mesh, &args.output)?;
    let given = [(args.ground, "--ground"), (args.cells, "--cells")];
    if let Some((_, flag)) = given.iter().find(|(is_given, _)| *is_given && extension != "obj") {
        let message = format!("{flag} is for .obj only");
        return Err(Failure::new(message).in_file(&args.output));
    }
    let mesh = input::load_mesh(&args.mesh)?;
    let shrunk = shrunk(args, &mesh)?;
    let written = shrunk.as_ref().unwrap_or(&mesh);
    let bytes = match extension {
        "tres" => export::to_godot(written, body(args, &mesh)).into_bytes(),
        "bin" => export::to_detour(written, body(args, &mesh)).map_err(|error| error.in_file(&args.mesh))?,
        _ => whole(args, written, extension),
    };
    let (cells, lost) = (written.cell_count(), mesh.link_count() - written.link_count());
    output::write_file(&args.output, &bytes)?;
    if args.json {
        let (input, output) = (args.mesh.display().to_string(), args.output.display().to_string());
        let told = json!({
            "input": input, "output": output, "bytes": bytes.len(), "cells": cells, "links_left_out": lost,
        });
        output::print_json(&told)?;
    } else {
        let size = size_text(bytes.len());
        let lost = match lost {
            0 => String::new(),
            lost => format!("; {lost} links without room were left out"),
        };
        output::print(&format!("exported {cells} cells to {} ({size}){lost}\n", args.output.display()))?;
    }
    Ok(true)
}

/// Returns the whole mesh in a format that knows no body.
fn whole(args: &ExportArgs, mesh: &NavMesh, extension: &str) -> Vec<u8> {
    match extension {
        "glb" => export::to_glb(mesh),
        // The cells of a plan are flat; as faces of one mesh they share their corners.
        "obj" if args.cells || !mesh.has_heights() => export::to_obj(mesh).into_bytes(),
        "obj" => export::ground_to_obj(mesh).into_bytes(),
        "geojson" => export::to_geojson(mesh).into_bytes(),
        _ => export::to_wkt(mesh).into_bytes(),
    }
}

/// Returns the mesh shrunk for a body; `None` without a radius.
fn shrunk(args: &ExportArgs, mesh: &NavMesh) -> Result<Option<NavMesh>> {
    let heights = args.heights(mesh)?;
    let shrunk = args.radius.map(|radius| clearway::shrunk(mesh, radius, heights)).transpose();
    shrunk.map_err(|error| Failure::new(format!("--radius: {error}")).in_file(&args.mesh))
}

/// Returns the body that the mesh is written for.
fn body(args: &ExportArgs, mesh: &NavMesh) -> DetourBody {
    DetourBody {
        radius: args.radius.unwrap_or(0.0),
        height: mesh.body_height().unwrap_or(USUAL_BODY[0]),
        climb: mesh.max_step().unwrap_or(USUAL_BODY[1]),
    }
}
