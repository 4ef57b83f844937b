//! `clearway check`: lists every broken law of a mesh.

use crate::args::MeshArgs;
use crate::failure::Result;
use crate::{input, output};
use clearway::NavMesh;
use serde_json::json;
use std::fmt::Write;

/// Runs the command. Returns false if the mesh has flaws.
pub fn run(args: &MeshArgs) -> Result<bool> {
    let flaws = NavMesh::diagnose_file(&args.mesh)
        .map_err(|error| input::hint_for_worlds(&args.mesh, error.into()))?;
    if args.json {
        let answer = json!({
            "input": args.mesh.display().to_string(),
            "flaw_count": flaws.len(),
            "flaws": flaws,
        });
        output::print_json(&answer)?;
    } else {
        let mut text = String::new();
        for flaw in &flaws {
            // Writing into a string cannot fail.
            let _ = writeln!(text, "{flaw}");
        }
        let _ = writeln!(text, "{} flaw{}", flaws.len(), if flaws.len() == 1 { "" } else { "s" });
        output::print(&text)?;
    }
    Ok(flaws.is_empty())
}
