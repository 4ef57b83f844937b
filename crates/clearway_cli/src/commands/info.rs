//! `clearway info`: what is in a mesh.

use crate::args::MeshArgs;
use crate::failure::{Failure, Result};
use crate::report::{Table, measure, size_text};
use crate::{input, output};
use clearway::NavMesh;
use serde::Serialize;

pub fn run(args: &MeshArgs) -> Result<bool> {
    let mesh = input::load_mesh(&args.mesh)?;
    let file = std::fs::metadata(&args.mesh);
    let bytes = file.map_err(|error| Failure::file(&args.mesh, "cannot be read", &error))?.len();
    let info = Info::of(&mesh, args.mesh.display().to_string(), bytes);
    if args.json {
        output::print_json(&info)?
    } else {
        output::print(&info.text())?
    }
    Ok(true)
}

/// A cell of note.
#[derive(Clone, Copy, Debug, Serialize)]
struct CellSize {
    cell: u32,
    area: f64,
}

/// The answer. Lengths are in metres, areas in square metres.
#[derive(Debug, Serialize)]
struct Info {
    input: String,
    bytes: u64,
    cells: usize,
    regions: usize,
    portals: usize,
    walls: usize,
    vertices: usize,
    components: usize,
    area: f64,
    portal_length: f64,
    mean_corners: f64,
    largest_cell: Option<CellSize>,
    smallest_cell: Option<CellSize>,
    bounds: Option<[[f64; 2]; 2]>,
    grid: f64,
}

impl Info {
    fn of(mesh: &NavMesh, input: String, bytes: u64) -> Info {
        let sizes = || mesh.cells().map(|cell| CellSize { cell: cell.id().0, area: cell.area() });
        let corners: usize = mesh.cells().map(|cell| cell.corners().len()).sum();
        // Of equals the first: `max_by` would take the last.
        let largest = sizes().reduce(|a, b| if b.area > a.area { b } else { a });
        Info {
            input,
            bytes,
            cells: mesh.cell_count(),
            regions: mesh.region_count(),
            portals: mesh.portal_count(),
            walls: mesh.wall_count(),
            vertices: mesh.vertex_count(),
            components: mesh.component_count(),
            area: mesh.area(),
            portal_length: mesh.portal_length(),
            mean_corners: corners as f64 / mesh.cell_count().max(1) as f64,
            largest_cell: largest,
            smallest_cell: sizes().reduce(|a, b| if b.area < a.area { b } else { a }),
            bounds: mesh.bounds(),
            grid: mesh.unit(),
        }
    }

    fn text(&self) -> String {
        let mut table = Table::default();
        table.row("cells", self.cells, format!("{} corners on average", measure(self.mean_corners)));
        if self.regions < self.cells {
            table.row("regions", self.regions, "");
        }
        table.row("portals", self.portals, format!("{} m in all", measure(self.portal_length)));
        table.row("walls", self.walls, "");
        table.row("vertices", self.vertices, "");
        table.row("components", self.components, "");
        table.row("area", measure(self.area), "m\u{b2}");
        for (name, size) in [("largest cell", self.largest_cell), ("smallest cell", self.smallest_cell)] {
            if let Some(CellSize { cell, area }) = size {
                table.row(name, measure(area), format!("m\u{b2}, cell {cell}"));
            }
        }
        table.row("grid", measure(self.grid), "m");
        let mut text = format!("{} ({})\n{}", self.input, size_text(self.bytes as usize), table.text());
        if let Some([[left, bottom], [right, top]]) = self.bounds {
            text += &format!("  from ({left}, {bottom}) to ({right}, {top})\n");
        }
        text
    }
}
