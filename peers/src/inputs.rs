//! What is measured: real plans where the data folder is there, generated ones always.
//!
//! Every peer sees the same polygons. An input is named and loaded on demand, so that a child process that
//! measures memory loads no other.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clearway_scenes::Family;

use crate::nesting::polygons_of;
use crate::ours;

/// A closed ring; the last point is not repeated.
pub type Ring = Vec<[f64; 2]>;

/// An outline with holes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygon {
    /// The outer ring.
    pub outline: Ring,
    /// The rings cut out of it.
    pub holes: Vec<Ring>,
}

/// One plan as every peer sees it.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// Its name in tables and after `--plan`.
    pub name: String,
    /// Walkable space: polygons that do not overlap.
    pub polygons: Vec<Polygon>,
    /// Corners that turn inwards by no more than this count as convex, in radians.
    pub relax_angle: f64,
    /// Whether one unit is one metre; the published test polygons have no unit.
    pub in_metres: bool,
    /// The cells that the NEOGEN thesis reports for this input.
    pub neogen_cells: Option<usize>,
}

impl Input {
    /// Every ring of the plan.
    pub fn rings(&self) -> impl Iterator<Item = &Ring> {
        self.polygons.iter().flat_map(|polygon| std::iter::once(&polygon.outline).chain(&polygon.holes))
    }

    /// How many vertices the rings have.
    pub fn vertices(&self) -> usize {
        self.rings().map(Vec::len).sum()
    }

    /// How many holes the polygons have.
    pub fn holes(&self) -> usize {
        self.polygons.iter().map(|polygon| polygon.holes.len()).sum()
    }

    /// The sides of the box around the plan.
    pub fn extent(&self) -> [f64; 2] {
        [0, 1].map(|axis| {
            let along = || self.rings().flatten().map(move |point| point[axis]);
            along().fold(f64::NEG_INFINITY, f64::max) - along().fold(f64::INFINITY, f64::min)
        })
    }
}

/// Where an input comes from.
#[derive(Clone, Debug)]
pub struct Source {
    /// The input's name.
    pub name: String,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    File {
        path: PathBuf,
    },
    /// A test polygon for which the NEOGEN thesis states its cells.
    Published {
        path: PathBuf,
        cells: usize,
    },
    Generated {
        family: Family,
        vertices: usize,
        seed: u64,
    },
}

/// The relaxation under which the NEOGEN thesis states its cells.
const PUBLISHED_RELAX_DEGREES: f64 = 5.0;

/// Generated plans are always these, so that two runs compare.
const SEED: u64 = 1;

/// About the size of the larger real plans.
const GENERATED_VERTICES: usize = 3000;

/// Families whose rings are valid as drawn: the peers do not repair their input.
pub const FAMILIES: [Family; 5] =
    [Family::Boxes, Family::RotatedBoxes, Family::ConvexObstacles, Family::Caves, Family::Mazes];

/// The family that grows: its vertices spread evenly, so growth shows the algorithm and not the plan.
const GROWTH_FAMILY: Family = Family::ConvexObstacles;

impl Source {
    /// Reads or draws the input.
    pub fn load(&self) -> Result<Input, String> {
        let polygons = match &self.kind {
            Kind::File { path } | Kind::Published { path, .. } => file_polygons(path)?,
            Kind::Generated { family, vertices, seed } => generated_polygons(*family, *vertices, *seed),
        };
        let plain = Input { name: self.name.clone(), polygons, in_metres: true, ..Input::default() };
        Ok(match self.kind {
            Kind::File { .. } | Kind::Generated { .. } => plain,
            Kind::Published { cells, .. } => Input {
                relax_angle: PUBLISHED_RELAX_DEGREES.to_radians(),
                in_metres: false,
                neogen_cells: Some(cells),
                ..plain
            },
        })
    }

    /// The plan of the growth table with about so many vertices.
    pub fn growth(vertices: usize) -> Source {
        let kind = Kind::Generated { family: GROWTH_FAMILY, vertices, seed: SEED };
        Source { name: format!("growth-{vertices}"), kind }
    }

    /// A generated plan for a test.
    #[cfg(test)]
    pub fn generated(family: Family, vertices: usize, seed: u64) -> Source {
        let name = format!("{} {seed}", family.name());
        Source { name, kind: Kind::Generated { family, vertices, seed } }
    }

    /// The inverse of [`Source::growth`]'s naming, for child processes.
    pub fn growth_named(name: &str) -> Option<Source> {
        name.strip_prefix("growth-")?.parse().ok().map(Source::growth)
    }
}

/// All inputs of the main table: real plans, published polygons, generated plans.
pub fn catalogue() -> Vec<Source> {
    let data = data_folder();
    let mut sources = real_plans(&data);
    sources.extend(published_polygons(&data));
    sources.extend(generated_plans());
    sources
}

/// The data folder beside the project, or where `CLEARWAY_DATA` says. It need not exist.
pub fn data_folder() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    std::env::var_os("CLEARWAY_DATA").map_or_else(beside, PathBuf::from)
}

fn real_plans(data: &Path) -> Vec<Source> {
    let plans = files_in(&data.join("plans"));
    plans.into_iter().map(|(name, path)| Source { name, kind: Kind::File { path } }).collect()
}

/// The polygons for which `neogen2d.tsv` states the cells.
fn published_polygons(data: &Path) -> Vec<Source> {
    let folder = data.join("polygons");
    let files = files_in(&folder);
    let published = std::fs::read_to_string(folder.join("neogen2d.tsv")).unwrap_or_default();
    let rows = published_cells(&published).into_iter();
    rows.filter_map(|(name, cells)| {
        let path = files.get(&name)?.clone();
        Some(Source { name, kind: Kind::Published { path, cells } })
    })
    .collect()
}

fn generated_plans() -> Vec<Source> {
    let source = |family: Family| Source {
        name: family.name().into(),
        kind: Kind::Generated { family, vertices: GENERATED_VERTICES, seed: SEED },
    };
    FAMILIES.map(source).into()
}

/// The files of a folder by their names without extension, in order; none where there is no such folder.
fn files_in(folder: &Path) -> BTreeMap<String, PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let wanted = paths.filter(|path| {
        path.extension().is_some_and(|kind| ["wkt", "dat", "poly"].iter().any(|known| kind == *known))
    });
    wanted.filter_map(|path| Some((path.file_stem()?.to_str()?.to_owned(), path))).collect()
}

/// Map names and cell counts of the thesis's table, in its order.
fn published_cells(table: &str) -> Vec<(String, usize)> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    let mut rows = lines.map(|line| line.split('\t').collect::<Vec<_>>());
    let Some(names) = rows.next() else { return Vec::new() };
    let Some(column) = names.iter().position(|name| *name == "cells") else { return Vec::new() };
    rows.filter_map(|row| Some((row[0].to_owned(), row.get(column)?.parse().ok()?))).collect()
}

fn file_polygons(path: &Path) -> Result<Vec<Polygon>, String> {
    let (mut polygons, loose) = ours::read(path)?;
    polygons.extend(polygons_of(loose));
    Ok(polygons)
}

fn generated_polygons(family: Family, vertices: usize, seed: u64) -> Vec<Polygon> {
    let drawing = family.draw(vertices, seed);
    let with_roles = drawing.polygons.into_iter().map(|(outline, holes)| Polygon { outline, holes });
    with_roles.chain(polygons_of(drawing.rings)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_table_is_read_by_column_name() {
        let table = "# a remark\nmap\tvertices\tcells\tcells_tau\nfunny\t100\t53\t50\n";
        assert_eq!(published_cells(table), [("funny".to_owned(), 53)]);
    }
}
