//! Builds a mesh: snap, arrange, partition, assemble; for scenes also lay the ground and mend.
//!
//! Invariant: every mesh passes the gate `NavMesh::from_parts` before it leaves this file. Nothing here depends on the
//! number of threads. Mending costs 3 to 5 % of the build of a scene.

use crate::faults::Faults;
use crate::ground::ground_under;
use crate::options::MeshOptions;
use crate::plan_floor::{Told, floor_of};
use crate::report::{BuildReport, PartReport, PlaceReport, Repair};
use crate::snapped_plan::{self, SnappedPlan};
use crate::surface::{SurfaceFinding, SurfaceReport, WalkableSurface};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::parallel::in_pool;
use clearway_base::progress::{NoProgress, Progress, begin};
use clearway_cells::{Numbered, Partition, assemble, partition};
use clearway_geometry::NONE;
use clearway_geometry::arrangement::{ArrangeError, Repairs, Tally};
use clearway_nav::mesh::{Cell, Flaw, MeshParts, MeshPlace, NavMesh};
use clearway_world::plan::{Plan, PlanPlace};
use std::sync::Arc;

/// A world that a mesh can be built from: a [`Plan`] or a [`WalkableSurface`].
pub trait World: sealed::Build {}

impl World for Plan {}

impl World for WalkableSurface {}

mod sealed {
    use super::{BuildReport, MeshOptions, NavMesh, Progress, Result};

    /// Seals [`World`](super::World): only the worlds of this crate can be built from.
    pub trait Build {
        /// Builds the mesh. The caller has validated the options.
        fn build(&self, options: &MeshOptions, progress: &mut dyn Progress)
        -> Result<(NavMesh, BuildReport)>;
    }
}

impl MeshOptions {
    /// Builds the mesh of a plan, or of the walkable surface of a scene.
    ///
    /// ```
    /// # use clearway::{MeshOptions, NavMesh, Scene, SceneFormat, SceneOptions, WalkRules, WalkableSurface};
    /// let floor = b"v 0 1 0\nv 0 1 4\nv 5 1 4\nv 5 1 0\nf 1 2 3 4\n";
    /// let scene = Scene::parse(SceneFormat::Obj, floor, &SceneOptions::default())?;
    /// let surface = WalkableSurface::extract(&scene, &WalkRules::default())?;
    /// let mesh = MeshOptions::default().build(&surface)?;
    /// assert_eq!((mesh.cell_count(), mesh.area(), mesh.heights_at(2.0, 2.0)), (1, 20.0, vec![1.0]));
    /// # Ok::<(), clearway::Error>(())
    /// ```
    pub fn build(&self, world: &(impl World + ?Sized)) -> Result<NavMesh> {
        Ok(self.build_with_report(world, &mut NoProgress)?.0)
    }

    /// Builds a mesh and reports what was found and mended. `progress` receives the name of each stage.
    pub fn build_with_report(
        &self,
        world: &(impl World + ?Sized),
        progress: &mut dyn Progress,
    ) -> Result<(NavMesh, BuildReport)> {
        self.validate()?;
        let (mesh, report) = world.build(self, progress)?;
        if self.clearance {
            begin(progress, "clearance")?;
            mesh.prepare_clearance(progress)?;
        }
        Ok((mesh, report))
    }
}

impl sealed::Build for Plan {
    fn build(&self, options: &MeshOptions, progress: &mut dyn Progress) -> Result<(NavMesh, BuildReport)> {
        begin(progress, "snap")?;
        let ground = snapped_plan::snap(self, options)?;
        begin(progress, "arrange")?;
        // Drawn plans may cross and overlap themselves: the arrangement resolves that.
        let (floor, enclosed) = floor_of(self, &ground).map_err(|error| explain(error, &ground))?;
        let repairs = floor.repairs;
        let partition = partition(floor, ground.grid.unit(), &options.cells(), progress)?;
        begin(progress, "assemble")?;
        let numbered = Numbered::of(&partition.facets);
        let parts = assemble(&partition.facets, &numbered, ground.grid, |side| partition.joins_region(side));
        let mut mesh = checked(parts)?;
        mesh.set_places(&places_at(self, 0.0));
        let repaired = all_repairs(&mesh, &ground, repairs, &enclosed, self);
        let (places, parts) = (
            self.places.iter().map(PlaceReport::of).collect(),
            self.parts.iter().map(PartReport::of).collect(),
        );
        let report = BuildReport {
            moved: ground.moved,
            repaired,
            places,
            parts,
            ..report(&mesh, &partition, options)
        };
        Ok((mesh, report))
    }
}

impl sealed::Build for WalkableSurface {
    fn build(&self, options: &MeshOptions, progress: &mut dyn Progress) -> Result<(NavMesh, BuildReport)> {
        refuse_for_scenes(options)?;
        in_pool(|| build_on(self, options, progress))
    }
}

/// Returns the named places of a plan whose floor has this height.
pub(crate) fn places_at(plan: &Plan, height: f64) -> Vec<MeshPlace> {
    let place = |place: &PlanPlace| MeshPlace {
        name: place.name.clone(),
        role: place.role.to_string(),
        height,
        points: place.points.clone(),
    };
    plan.places.iter().map(place).collect()
}

/// Builds the mesh on a walkable surface: partition, assemble, lay the ground, mend.
///
/// Mending repeats, because cells that join others after a removal have to be examined again.
fn build_on(
    surface: &WalkableSurface,
    options: &MeshOptions,
    progress: &mut dyn Progress,
) -> Result<(NavMesh, BuildReport)> {
    let mut partition = partition(surface.floor(), surface.grid().unit(), &options.cells(), progress)?;
    begin(progress, "assemble")?;
    let mut numbered = Numbered::of(&partition.facets);
    let parts = assemble(&partition.facets, &numbered, surface.grid(), |side| partition.joins_region(side));
    let mut mesh = checked(parts)?;
    begin(progress, "heights")?;
    let relief = ground_under(&mesh, surface, &numbered.vertex_of);
    mesh = checked(MeshParts { relief: Some(Arc::new(relief)), ..mesh.into_parts() })?;
    begin(progress, "mend")?;
    let mut told = surface.report().clone();
    // Only cells that changed since the last round are examined again.
    let mut fresh: Vec<u32> = (0..mesh.cell_count() as u32).collect();
    for _ in 0..MOST_MENDINGS {
        let faults = faults(surface, &mesh, &fresh);
        if faults.is_empty() {
            break;
        }
        enter_faults(&mesh, &faults, &mut told);
        (mesh, fresh) = mended(&mesh, &mut numbered, &mut partition, &faults)?;
    }
    let (moved, surface) = (told.moved, Some(told));
    let report = BuildReport { moved, surface, ..report(&mesh, &partition, options) };
    Ok((mesh, report))
}

/// The maximum number of mending rounds. When cells are left out, their neighbours may join and break a limit
/// themselves. A fault that survives the last round stays in the mesh; more rounds cost time only while faults remain.
const MOST_MENDINGS: usize = 4;

/// Leaves the faults out of the mesh. Returns the new mesh and the cells that were joined from several old cells.
fn mended(
    old: &NavMesh,
    numbered: &mut Numbered,
    partition: &mut Partition,
    faults: &Faults,
) -> Result<(NavMesh, Vec<u32>)> {
    let cells = faults.all_cells();
    numbered.take_away(&mut partition.facets, &cells, &faults.portals);
    partition.settle(cells.len());
    let before = std::mem::replace(numbered, Numbered::of(&partition.facets));
    let ground = old.parts();
    let mut parts = assemble(&partition.facets, numbered, ground.grid, |side| partition.joins_region(side));
    // For each new cell, the old cells that it was joined from: the ground moves with them.
    let mut from: Vec<Vec<u32>> = vec![Vec::new(); parts.cell_region.len()];
    for (now, before) in numbered.cell_of.iter().zip(&before.cell_of).filter(|(now, _)| **now != NONE) {
        from[*now as usize].push(*before);
    }
    for old in &mut from {
        old.sort_unstable();
        old.dedup();
    }
    parts.relief = ground.relief.as_ref().map(|relief| Arc::new(relief.regrouped(&from)));
    // A cell that joined no other is the same as before and needs no second look.
    let fresh = (0u32..).zip(&from).filter(|(_, old)| old.len() > 1).map(|(cell, _)| cell).collect();
    Ok((old.with_other_cells(parts).map_err(|flaws| told(&flaws))?, fresh))
}

/// Passes assembled parts through the gate. A flaw is a bug of the build: it becomes an error and no mesh is returned.
fn checked(parts: MeshParts) -> Result<NavMesh> {
    NavMesh::from_parts(parts).map_err(|flaws| told(&flaws))
}

/// Turns the first flaw into an internal error.
fn told(flaws: &[Flaw]) -> Error {
    let first = flaws.first().map_or_else(String::new, ToString::to_string);
    Error::new(ErrorKind::Internal, format!("the build broke a law of meshes: {first}"))
}

/// Finds the cells and portals that break head-room or step limits because borders moved, and crumbs. Only cells no
/// wider than the overlap of two borders that moved break limits.
fn faults(surface: &WalkableSurface, mesh: &NavMesh, cells: &[u32]) -> Faults {
    let relief = mesh.parts().relief.as_deref();
    let found = |relief| Faults::of(mesh, relief, cells, surface.widest_overlap()).with_crumbs(mesh, cells);
    relief.map_or_else(Faults::default, found)
}

/// Adds what was left out to the report, one entry per kind.
fn enter_faults(mesh: &NavMesh, faults: &Faults, report: &mut SurfaceReport) {
    let cells = faults.cells.iter().copied();
    let portals = faults.portals.iter().map(|portal| mesh.parts().portals[*portal as usize].cells[0]);
    let kinds = [
        (
            "covered",
            cells.collect::<Vec<u32>>(),
            "cells beside walls and gaps that lie under others were left out",
        ),
        ("closed", portals.collect(), "portals across gaps that are too high to step over were closed"),
        ("crumbs", faults.crumbs.clone(), "cells smaller than 1 cm\u{b2} beside walls were left out"),
    ];
    for (kind, cells, detail) in kinds.into_iter().filter(|(_, cells, _)| !cells.is_empty()) {
        let (count, at) =
            (cells.len() as u64, cells.first().map(|cell| mesh.in_space(*cell, mesh.middle(*cell))));
        match report.repaired.iter_mut().find(|repair| repair.kind == kind) {
            Some(known) => known.count += count,
            None => report.repaired.push(SurfaceFinding::new(kind, count, at, detail)),
        }
    }
}

/// Refuses options that only plans have. Relaxation joins cells in one plane, and the grid of scenes is fixed.
fn refuse_for_scenes(options: &MeshOptions) -> Result<()> {
    let wrong = |name: &str| {
        let message = format!("{name} is for plans only: meshes of scenes are built without it");
        Err(Error::new(ErrorKind::Options, message))
    };
    match () {
        () if options.relax_angle > 0.0 => wrong("relax_angle"),
        () if options.relax_depth > 0.0 => wrong("relax_depth"),
        () if options.grid.is_some() => wrong("grid"),
        () => Ok(()),
    }
}

/// Turns an error of the arrangement into one that names the place in world coordinates.
fn explain(error: ArrangeError, ground: &SnappedPlan) -> Error {
    let (ArrangeError::TooTangled(at) | ArrangeError::TooDeep(at)) = error;
    let [x, y] = ground.grid.world(at);
    Error::new(ErrorKind::TooLarge, format!("near ({x}, {y}): {error}"))
}

/// Fills in the figures that all meshes have. The caller adds what was moved and mended.
fn report(mesh: &NavMesh, partition: &Partition, options: &MeshOptions) -> BuildReport {
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
        moved: 0.0,
        repaired: Vec::new(),
        surface: None,
        places: Vec::new(),
        parts: Vec::new(),
        options: options.clone(),
    }
}

/// Lists what was mended in a plan: an empty result first, then lost chains, repairs of the arrangement, and the
/// reader's notes.
fn all_repairs(
    mesh: &NavMesh,
    ground: &SnappedPlan,
    repairs: Repairs,
    told: &Told,
    plan: &Plan,
) -> Vec<Repair> {
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
    let found = told.repairs(ground).into_iter().chain(found).filter(|repair| repair.count > 0);
    let empty = (mesh.cell_count() == 0).then(|| Repair {
        kind: "empty",
        count: 1,
        at: None,
        detail: "nothing is walkable: no ring encloses any space".to_string(),
    });
    empty.into_iter().chain(ground.repairs.iter().cloned()).chain(found).chain(notes).collect()
}

/// Counts the corners under one degree, and how many of these lie between two walls.
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

/// For each corner of a cell: is it under one degree, and are both its sides walls?
fn corner_facts(cell: &Cell<'_>) -> impl Iterator<Item = (bool, bool)> {
    let points: Vec<_> = cell.points().collect();
    let sides = cell.records();
    let count = points.len();
    (0..count).map(move |i| {
        let before = (i + count - 1) % count;
        let onward = points[(i + 1) % count] - points[i];
        let back = points[before] - points[i];
        let (cross, dot) = (onward.cross(back) as f64, onward.dot(back) as f64);
        // Cells are convex, so the cross product is not negative and the tangent can be compared without a division.
        let is_sharp = dot > 0.0 && cross < dot * 1f64.to_radians().tan();
        (is_sharp, sides[i].portal == NONE && sides[before].portal == NONE)
    })
}
