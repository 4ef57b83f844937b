//! `clearway export`: writes a mesh for other programs.

use crate::args::ExportArgs;
use crate::failure::{Failure, Result};
use crate::report::size_text;
use crate::{input, output};
use clearway::NavMesh;
use clearway::export::{self, DetourBody};
use clearway::mesh::CellId;
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
    if args.radius.is_some() && !["tres", "bin"].contains(&extension) {
        let message = "--radius is for .tres and .bin only: the other formats hold the whole ground";
        return Err(Failure::new(message).in_file(&args.output));
    }
    let mesh = input::load_mesh(&args.mesh)?;
    let (bytes, cells) = match extension {
        "tres" | "bin" => for_a_body(args, &mesh, extension)?,
        _ => (whole(args, &mesh, extension), mesh.cell_count()),
    };
    output::write_file(&args.output, &bytes)?;
    if args.json {
        let (input, output) = (args.mesh.display().to_string(), args.output.display().to_string());
        let told = json!({ "input": input, "output": output, "bytes": bytes.len(), "cells": cells });
        output::print_json(&told)?;
    } else {
        let size = size_text(bytes.len());
        output::print(&format!("exported {cells} cells to {} ({size})\n", args.output.display()))?;
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

/// Returns the mesh for a body, and its number of cells. Without a radius the cells are as they are.
fn for_a_body(args: &ExportArgs, mesh: &NavMesh, extension: &str) -> Result<(Vec<u8>, usize)> {
    let heights = args.heights(mesh)?;
    let shrunk = match args.radius {
        Some(radius) => Some(clearway::shrunk(mesh, radius, heights).map_err(|error| {
            let advice =
                if mesh.storeys().len() > 1 && heights.is_none() { "; --layer N chooses one" } else { "" };
            Failure::new(format!("--radius: {error}{advice}")).in_file(&args.mesh)
        })?),
        None => None,
    };
    let body = DetourBody {
        radius: args.radius.unwrap_or(0.0),
        height: mesh.body_height().unwrap_or(USUAL_BODY[0]),
        climb: mesh.max_step().unwrap_or(USUAL_BODY[1]),
    };
    let height = |cell: CellId, at: [f64; 2]| match &shrunk {
        None => mesh.height(clearway::Location::in_cell(cell, at)),
        Some(_) => {
            let [x, z] = [at[0], -at[1]];
            let is_in = |height: &f64| heights.is_none_or(|[low, high]| *height >= low && *height < high);
            mesh.heights_at(x, z).into_iter().find(is_in).unwrap_or(0.0)
        }
    };
    let written = shrunk.as_ref().unwrap_or(mesh);
    let bytes = if extension == "tres" {
        export::to_godot(written, body, height).into_bytes()
    } else {
        export::to_detour(written, body, height).map_err(|error| error.in_file(&args.mesh))?
    };
    Ok((bytes, written.cell_count()))
}
