//! The build: snap, arrange, partition, assemble.

use super::assemble::assemble;
use super::ground::{self, Ground};
use super::options::MeshOptions;
use super::partition::{self, Partition};
use super::report::{BuildReport, Repair};
use super::{Cell, NavMesh, Relief};
use crate::error::{Error, ErrorKind, Result};
use crate::plan::Plan;
use crate::progress::{NoProgress, Progress, begin};
use crate::surface::WalkableSurface;
use clearway_geometry::NONE;
use clearway_geometry::arrangement::{ArrangeError, Floor, Repairs, Tally, arrange};

impl NavMesh {
    /// Builds the mesh of a plan.
    pub fn build(plan: &Plan, options: &MeshOptions) -> Result<NavMesh> {
        Ok(Self::build_with_report(plan, options, &mut NoProgress)?.0)
    }

    /// Builds the mesh of a plan, telling `progress` the stages, and reports what was found and mended.
    pub fn build_with_report(
        plan: &Plan,
        options: &MeshOptions,
        progress: &mut dyn Progress,
    ) -> Result<(NavMesh, BuildReport)> {
        options.validate()?;
        begin(progress, "snap")?;
        let ground = ground::snap(plan, options)?;
        begin(progress, "arrange")?;
        let floor = arrange(&ground.chains).map_err(|error| explain(error, &ground))?;
        let repairs = floor.repairs;
        let partition = partition::partition(floor, ground.grid.unit(), options, progress)?;
        begin(progress, "assemble")?;
        let (mesh, _) = assemble(&partition.facets, ground.grid, |side| partition.joins_region(side));
        let report = report(&mesh, &partition, &ground, repairs, plan, options);
        Ok((mesh, report))
    }
}

impl NavMesh {
    /// Builds the mesh of a walkable surface.
    pub fn build_on(surface: &WalkableSurface, options: &MeshOptions) -> Result<NavMesh> {
        options.validate()?;
        let triangulation = surface.outline.triangulation.clone();
        let free = vec![true; triangulation.edges().triangle_count() as usize];
        let floor = Floor { triangulation, free, repairs: Repairs::default() };
        let partition = partition::partition(floor, surface.grid.unit(), options, &mut NoProgress)?;
        let (mut mesh, vertex_of) =
            assemble(&partition.facets, surface.grid, |side| partition.joins_region(side));
        mesh.relief = Some(std::sync::Arc::new(Relief::under(&mesh, surface, &vertex_of)));
        Ok(mesh)
    }
}

fn explain(error: ArrangeError, ground: &Ground) -> Error {
    let (ArrangeError::TooTangled(at) | ArrangeError::TooDeep(at)) = error;
    let [x, y] = ground.grid.world(at);
    Error::new(ErrorKind::TooLarge, format!("near ({x}, {y}): {error}"))
}

fn report(
    mesh: &NavMesh,
    partition: &Partition,
    ground: &Ground,
    repairs: Repairs,
    plan: &Plan,
    options: &MeshOptions,
) -> BuildReport {
    let (sharp_corners, forced_sharp_corners) = sharp_corners(mesh);
    let portal_length = mesh.portal_length();
    BuildReport {
        cells: mesh.cell_count(),
        regions: mesh.region_count(),
        portals: mesh.portal_count(),
        walls: mesh.wall_count(),
        vertices: mesh.vertex_count(),
        notches: partition.notches,
        holes: partition.holes,
        components: mesh.component_count(),
        lower_bound: partition.lower_bound,
        area: mesh.area(),
        portal_length,
        mean_portal_length: portal_length / mesh.portal_count().max(1) as f64,
        sharp_corners,
        forced_sharp_corners,
        grid: mesh.unit(),
        moved: ground.moved,
        repaired: all_repairs(mesh, ground, repairs, plan),
        options: options.clone(),
    }
}

fn all_repairs(mesh: &NavMesh, ground: &Ground, repairs: Repairs, plan: &Plan) -> Vec<Repair> {
    let entry = |kind, tally: Tally, detail: &str| Repair {
        kind,
        count: tally.count,
        at: tally.first.map(|point| ground.grid.world(point)),
        detail: detail.to_string(),
    };
    let found = [
        entry("crossings", repairs.crossings, "segments that cross were joined in a new vertex"),
        entry("bends", repairs.bends, "segments that pass a vertex within half a unit were led through it"),
        entry("overlaps", repairs.overlaps, "edges drawn more than once were kept once"),
        entry("dissolved", repairs.dissolved, "edges that separate nothing were dissolved"),
    ];
    let notes =
        plan.notes.iter().map(|note| Repair { kind: "note", count: 1, at: None, detail: note.clone() });
    let found = found.into_iter().filter(|repair| repair.count > 0);
    let empty = (mesh.cell_count() == 0).then(|| Repair {
        kind: "empty",
        count: 1,
        at: None,
        detail: "nothing is walkable: no ring encloses any space".to_string(),
    });
    empty.into_iter().chain(ground.repairs.iter().cloned()).chain(found).chain(notes).collect()
}

/// Corners under one degree, and those of them that lie between two walls.
fn sharp_corners(mesh: &NavMesh) -> (usize, usize) {
    let (mut all, mut forced) = (0, 0);
    for cell in mesh.cells() {
        for (is_sharp, between_walls) in corner_facts(&cell) {
            all += usize::from(is_sharp);
            forced += usize::from(is_sharp && between_walls);
        }
    }
    (all, forced)
}

/// For each corner of a cell, whether it is under one degree and whether both its sides are walls.
fn corner_facts(cell: &Cell<'_>) -> impl Iterator<Item = (bool, bool)> {
    let points: Vec<_> = cell.points().collect();
    let sides = cell.records();
    let count = points.len();
    (0..count).map(move |i| {
        let before = (i + count - 1) % count;
        let onward = points[(i + 1) % count] - points[i];
        let back = points[before] - points[i];
        let (cross, dot) = (onward.cross(back) as f64, onward.dot(back) as f64);
        let is_sharp = dot > 0.0 && cross < dot * 1f64.to_radians().tan();
        (is_sharp, sides[i].portal == NONE && sides[before].portal == NONE)
    })
}
