//! Our builder and our reader of plan files: the only place here that knows clearway's interface.

use std::path::Path;

use clearway::mesh::Portal;
use clearway::plan::PlanPolygon;
use clearway::{BuildReport, MeshOptions, NavMesh, NoProgress, Plan, Quality};

use crate::inputs::{Input, Polygon, Ring};
use crate::peer::{Job, NOT_RUN, Outcome, Peer};

/// Our builder at every quality.
pub fn peers() -> Vec<Box<dyn Peer>> {
    let qualities = [
        Ours { name: "ours-fast", quality: Quality::Fast },
        Ours { name: "ours-default", quality: Quality::Default },
        Ours { name: "ours-best", quality: Quality::Best },
    ];
    qualities.map(|ours| Box::new(ours) as _).into()
}

/// Polygons with roles and rings without, as a plan file draws them.
pub fn read(path: &Path) -> Result<(Vec<Polygon>, Vec<Ring>), String> {
    let plan = Plan::load(path).map_err(|error| error.to_string())?;
    let polygons = plan.polygons.into_iter();
    let polygons = polygons.map(|PlanPolygon { outline, holes }| Polygon { outline, holes });
    Ok((polygons.collect(), plan.rings))
}

/// An input as a plan of ours.
pub fn plan_of(input: &Input) -> Plan {
    let polygons = input.polygons.iter().cloned();
    let polygons = polygons.map(|Polygon { outline, holes }| PlanPolygon { outline, holes });
    Plan { polygons: polygons.collect(), ..Plan::default() }
}

struct Ours {
    name: &'static str,
    quality: Quality,
}

impl Peer for Ours {
    fn name(&self) -> &'static str {
        self.name
    }

    fn prepare(&self, input: &Input) -> Result<Box<dyn Job>, String> {
        let plan = plan_of(input);
        let options =
            MeshOptions::default().quality(self.quality).relax_angle(input.relax_angle).clearance(false);
        Ok(Box::new(OurJob { plan, options, built: None }))
    }
}

struct OurJob {
    plan: Plan,
    options: MeshOptions,
    built: Option<(NavMesh, BuildReport)>,
}

impl Job for OurJob {
    /// The whole build: snapping, repair, triangulation, partition, mesh.
    fn run(&mut self) -> Result<(), String> {
        let built = self.options.build_with_report(&self.plan, &mut NoProgress);
        self.built = Some(built.map_err(|error| error.to_string())?);
        Ok(())
    }

    fn outcome(&self) -> Result<Outcome, String> {
        let (mesh, report) = self.built.as_ref().ok_or(NOT_RUN)?;
        Ok(Outcome {
            // Regions are what relaxation makes fewer; without it they are the cells.
            cells: mesh.region_count(),
            exact_cells: Some(mesh.cell_count()),
            portals: mesh.portal_count(),
            portal_length: report.portal_length,
            relaxed_portal_length: Some(region_portal_length(mesh)),
            lower_bound: Some(report.lower_bound),
        })
    }
}

/// The summed length of the portals between different regions.
fn region_portal_length(mesh: &NavMesh) -> f64 {
    let parts_regions = |portal: &Portal| {
        let [one, other] = portal.cells.map(|cell| mesh.cell(cell).map(|cell| cell.region()));
        one != other
    };
    let length = |portal: Portal| {
        let [from, to] = portal.vertices.map(|vertex| mesh.position(vertex).unwrap_or_default());
        (to[0] - from[0]).hypot(to[1] - from[1])
    };
    mesh.portals().filter(parts_regions).map(length).sum()
}
