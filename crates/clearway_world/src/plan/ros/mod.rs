//! Maps of ROS: a YAML file with resolution, origin and thresholds, and a picture of cells.
//!
//! Cells are free, occupied or unknown; these are the parts of the plan, so that roles can be given to them. By default
//! free cells are floor. Outlines are simplified by up to one cell ([`simplify`]); walls are never opened and passages
//! never closed by that. Cost: linear in the cells, and n log n in the corners of outlines.

mod image;
mod simplify;
mod yaml;

use self::image::Image;
use self::simplify::simplified;
use self::yaml::Header;
use super::draft::{Draft, Form};
use super::outlines::{Grid, draw_outlines};
use super::{Plan, PlanOptions, PlanPart, PlanRole, Ring};
use crate::scene::Pattern;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file;
use std::path::Path;

/// The largest YAML file that is read.
const MAX_YAML_BYTES: u64 = 1 << 20;

/// The largest picture file that is read, 1 GiB.
const MAX_IMAGE_BYTES: u64 = 1 << 30;

/// Free pieces smaller than this are left out, in square metres. Rays of laser scanners leave specks of free cells
/// outside of rooms, and nobody can stand on less.
const LEAST_AREA: f64 = 0.25;

/// The names of the parts, in the order of [`Occupancy`].
const PARTS: [&str; 3] = ["free", "occupied", "unknown"];

/// The state of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Occupancy {
    Free,
    Occupied,
    Unknown,
}

/// Reads a map and the picture that it names; errors do not name the YAML file yet.
pub(super) fn load(path: &Path, options: &PlanOptions) -> Result<Plan> {
    let yaml = path.with_extension("yaml");
    let is_picture = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pgm"));
    if is_picture && !yaml.is_file() {
        let message = "a picture alone has no resolution: open the YAML file that names it";
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    let path = if is_picture { &yaml } else { path };
    let text = file::read_filled_text(path, "map", MAX_YAML_BYTES)?;
    let header = Header::parse(&text)?;
    let picture = path.parent().unwrap_or(Path::new("")).join(&header.image);
    let bytes = file::read_filled(&picture, "picture of a map", MAX_IMAGE_BYTES).map_err(|error| {
        Error::new(error.kind(), format!("image {}: {error}", file::quoted(&header.image)))
    })?;
    parse(&text, &bytes, options)
}

/// Reads a map from the text of its YAML file and the bytes of its picture.
pub(super) fn parse(yaml: &str, picture: &[u8], options: &PlanOptions) -> Result<Plan> {
    let header = Header::parse(yaml)?;
    let image = Image::read(picture).map_err(|error| {
        Error::new(error.kind(), format!("image {}: {error}", file::quoted(&header.image)))
    })?;
    let resolution = header.resolution * options.scale.unwrap_or(1.0);
    let walkable = walkable_parts(options)?;
    let (mut grid, counts) = cells(&image, &header, walkable);
    let mut plan = Plan { gap: options.gap, ..Plan::default() };
    tell(&mut plan, counts, walkable, &image, resolution);
    if !grid.has_passable() {
        let [free, occupied, unknown] = counts;
        let message = format!(
            "the map has no free cell: {free} free, {occupied} occupied, {unknown} unknown; check negate and thresholds, or use --role floor=unknown"
        );
        return Err(Error::new(ErrorKind::Empty, message));
    }
    let mut draft = Draft::new();
    draw_outlines(&mut grid, &mut draft)?;
    let rings = draft.shapes.into_iter().filter_map(|shape| match shape.form {
        Form::Ring(ring) => Some(ring),
        _ => None,
    });
    let tolerance = options.simplify.unwrap_or(resolution) / resolution;
    let rings = without_specks(rings.collect(), LEAST_AREA / (resolution * resolution), &mut plan.notes);
    if rings.is_empty() {
        let message = format!(
            "every free piece is smaller than {LEAST_AREA} m\u{b2}, the least that counts, with cells of {resolution} m; check resolution and --scale"
        );
        return Err(Error::new(ErrorKind::Empty, message));
    }
    let before: usize = rings.iter().map(Vec::len).sum();
    let rings = if tolerance > 0.0 { simplified(rings, tolerance) } else { rings };
    let after: usize = rings.iter().map(Vec::len).sum();
    if tolerance > 0.0 {
        plan.notes.push(format!(
            "outlines were simplified from {before} to {after} corners; no border moved by more than {} m (--simplify)",
            tolerance * resolution
        ));
    }
    plan.rings = placed(rings, &header, resolution, options.scale.unwrap_or(1.0));
    plan.validate()?;
    Ok(plan)
}

/// For each state of a cell, true if one can walk there.
fn walkable_parts(options: &PlanOptions) -> Result<[bool; 3]> {
    let mut walkable = [true, false, false];
    for (role, text) in &options.roles {
        let pattern = Pattern::new(text)?.lower();
        for (part, name) in PARTS.iter().enumerate().filter(|(_, name)| pattern.matches_text(name)) {
            walkable[part] = match role {
                PlanRole::Floor => true,
                PlanRole::Obstacle | PlanRole::Wall | PlanRole::Ignore => false,
                role => {
                    let message =
                        format!("cells that are {name} cannot have the role {role}; floor or obstacle");
                    return Err(Error::new(ErrorKind::Options, message));
                }
            };
        }
    }
    Ok(walkable)
}

/// The cells as a grid of which row 0 lies lowest, and the number of cells in each state.
fn cells(image: &Image, header: &Header, walkable: [bool; 3]) -> (Grid, [usize; 3]) {
    let states: Vec<Occupancy> = (0..=255).map(|shade| header.occupancy(shade)).collect();
    let mut grid = Grid::new(image.width);
    let mut counts = [0; 3];
    for row in (0..image.height).rev() {
        for pixel in row * image.width..(row + 1) * image.width {
            let is_clear = header.heeds_opacity() && image.clear.get(pixel).copied().unwrap_or(false);
            let state = if is_clear { Occupancy::Unknown } else { states[usize::from(image.shades[pixel])] };
            counts[state as usize] += 1;
            grid.push(walkable[state as usize]);
        }
    }
    (grid, counts)
}

/// Notes the size of the map and its parts.
fn tell(plan: &mut Plan, counts: [usize; 3], walkable: [bool; 3], image: &Image, resolution: f64) {
    plan.parts = (0..3)
        .filter(|part| counts[*part] > 0)
        .map(|part| PlanPart {
            name: PARTS[part].to_string(),
            role: Some(if walkable[part] { PlanRole::Floor } else { PlanRole::Obstacle }),
            shapes: counts[part],
        })
        .collect();
    plan.notes.push(format!(
        "a map of {} by {} cells of {resolution} m: {} free, {} occupied, {} unknown",
        image.width, image.height, counts[0], counts[1], counts[2]
    ));
}

/// Leaves out small outlines with the holes in them.
fn without_specks(rings: Vec<Ring>, least: f64, notes: &mut Vec<String>) -> Vec<Ring> {
    let total = rings.len();
    // Outlines turn left. A hole of a speck is smaller than the speck and lies nowhere else, so it goes with it.
    let mut kept = Vec::with_capacity(total);
    let mut specks: Vec<[[f64; 2]; 2]> = Vec::new();
    let mut area = 0.0;
    for ring in rings {
        let size = area_of(&ring);
        if size > 0.0 && size < least {
            area += size;
            specks.push(bounds(&ring));
        } else {
            kept.push(ring);
        }
    }
    if specks.is_empty() {
        return kept;
    }
    specks.sort_by(|a, b| a[0][1].total_cmp(&b[0][1]));
    kept.retain(|ring| {
        area_of(ring) > 0.0 || -area_of(ring) >= least || !lies_in_speck(&specks, bounds(ring))
    });
    notes.push(format!(
        "{} free pieces smaller than {LEAST_AREA} m\u{b2} were left out ({} cells in all)",
        specks.len(),
        area
    ));
    kept
}

/// True if the box of a hole lies strictly inside the box of a speck.
fn lies_in_speck(specks: &[[[f64; 2]; 2]], hole: [[f64; 2]; 2]) -> bool {
    let upto = specks.partition_point(|speck| speck[0][1] < hole[0][1]);
    let tall = specks[..upto].iter().rev().take(4096);
    tall.into_iter()
        .any(|[low, high]| (0..2).all(|axis| low[axis] < hole[0][axis] && high[axis] > hole[1][axis]))
}

/// The area of a ring in cells; negative if it turns right.
fn area_of(ring: &[[f64; 2]]) -> f64 {
    let edges = ring.iter().zip(ring.iter().cycle().skip(1));
    edges.map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f64>() / 2.0
}

/// The box around a ring.
fn bounds(ring: &[[f64; 2]]) -> [[f64; 2]; 2] {
    ring.iter().fold([[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]], |[low, high], [x, y]| {
        [[low[0].min(*x), low[1].min(*y)], [high[0].max(*x), high[1].max(*y)]]
    })
}

/// Puts outlines in cells to where the map lies: scaled, turned and moved.
fn placed(rings: Vec<Ring>, header: &Header, resolution: f64, scale: f64) -> Vec<Ring> {
    let (sin, cos) = header.origin[2].sin_cos();
    let place = |[x, y]: [f64; 2]| {
        let [x, y] = [x * resolution, y * resolution];
        [scale * header.origin[0] + cos * x - sin * y, scale * header.origin[1] + sin * x + cos * y]
    };
    rings.into_iter().map(|ring| ring.into_iter().map(place).collect()).collect()
}

#[cfg(test)]
mod tests;
