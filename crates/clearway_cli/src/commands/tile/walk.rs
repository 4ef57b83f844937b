//! Walks across a folder of tiles, and tells the memory along the way.

use super::{picture, picture_bytes};
use crate::args::{Point, TileArgs};
use crate::clock::ms;
use crate::commands::path::check_ends;
use crate::failure::Result;
use crate::report::Table;
use crate::{memory, output};
use clearway::answer::{Manner, Question, measure, size_text};
use clearway::links::SnapRules;
use clearway::tiles::{TiledMesh, WalkEnd, WalkOptions, WalkStep};
use serde::Serialize;
use std::time::Instant;

/// The number of rows of the table for people.
const ROWS: usize = 20;

/// A place of the walk, as programs read it.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The metres walked.
    pub walked: f64,
    /// The place.
    pub at: Point,
    /// The number of loaded tiles.
    pub tiles: usize,
    /// The tiles that came and went here.
    pub came: usize,
    pub went: usize,
    /// The bytes of the loaded tiles.
    pub tile_bytes: usize,
    /// The bytes of the lists of their mesh.
    pub mesh_bytes: usize,
    /// The memory of the process in bytes, if the system tells it.
    pub resident: Option<u64>,
    /// The time since the last row, in milliseconds: the path, the step, the tiles and the mesh.
    pub ms: f64,
}

/// The whole walk, as programs read it.
#[derive(Debug, Serialize)]
struct Walk {
    /// The folder.
    input: String,
    /// How it ended: `arrived`, `stuck`, or the reason why there is no path.
    end: String,
    /// The metres walked.
    walked: f64,
    /// The number of tiles of the world.
    tiles: usize,
    /// The greatest number of tiles that were loaded at once.
    most_tiles: usize,
    /// The greatest number of bytes of tiles and mesh.
    most_bytes: usize,
    /// The bytes of all tiles as files.
    world_bytes: u64,
    /// The places.
    steps: Vec<Row>,
}

/// Walks. Returns false if the walk did not arrive.
pub fn run(args: &TileArgs, [from, to]: [Point; 2]) -> Result<bool> {
    let mut tiles = TiledMesh::open(&args.input)?;
    check_ends(&mut tiles, [from, to].into_iter())?;
    let is_in_space = matches!(from, Point::Space(_));
    let options = WalkOptions::default().radius(args.radius).around(args.around).step(args.step);
    let mut steps = Vec::new();
    let mut begun = Instant::now();
    let refusal = refusal(&mut tiles, [from, to], args.radius)?;
    let mut note = |step: &WalkStep| {
        let [x, y, z] = step.at;
        steps.push(Row {
            walked: step.walked,
            at: if is_in_space { Point::Space([x, y, z]) } else { Point::Plan([x, 0.0 - z]) },
            tiles: step.footprint.tiles,
            came: step.loaded.len(),
            went: step.unloaded.len(),
            tile_bytes: step.footprint.tile_bytes,
            mesh_bytes: step.footprint.mesh_bytes,
            resident: memory::resident_bytes(),
            ms: ms(begun.elapsed()),
        });
        begun = Instant::now();
    };
    let end = match refusal {
        Some(refusal) => Err(refusal),
        None => Ok(tiles.walk(from.in_space(), to.in_space(), &options, |step, _| note(step))?),
    };
    if let Some(path) = &args.draw {
        let svg = picture::of_walk(tiles.index(), &steps);
        output::write_file(path, &picture_bytes(path, svg)?)?;
    }
    let most = |of: fn(&Row) -> usize| steps.iter().map(of).max().unwrap_or(0);
    let walk = Walk {
        input: args.input.display().to_string(),
        end: end.as_ref().map_or_else(Clone::clone, end_text),
        walked: steps.last().map_or(0.0, |row| row.walked),
        tiles: tiles.index().tiles.len(),
        most_tiles: most(|row| row.tiles),
        most_bytes: most(|row| row.tile_bytes + row.mesh_bytes),
        world_bytes: tiles.index().tiles.iter().map(|tile| tile.bytes).sum(),
        steps,
    };
    if args.json {
        output::print_json(&walk)?;
    } else {
        let written = args.draw.as_ref().map(|path| format!("wrote {}\n", path.display()));
        output::print(&(walk.text(args.around) + &written.unwrap_or_default()))?;
    }
    Ok(end == Ok(WalkEnd::Arrived))
}

/// Tells why a walk cannot begin or end at these points, as `path` does. The tiles under both are loaded meanwhile.
fn refusal(tiles: &mut TiledMesh, [from, to]: [Point; 2], radius: f64) -> Result<Option<String>> {
    let mut came = Vec::new();
    for (end, point) in [("start", from), ("goal", to)] {
        if tiles.within(point.in_space(), 0.0).is_empty() {
            return Ok(Some(format!("the {end} {point} is not on the mesh: no tile is there")));
        }
        came.extend(tiles.load_around(point.in_space(), 0.0)?);
    }
    let manner = Manner::shortest(SnapRules::default().radius(radius));
    let refusal = Question { from, to, manner: &manner }.ends(&*tiles.mesh()?).err();
    for tile in came {
        tiles.unload(tile);
    }
    Ok(refusal.map(|refusal| refusal.to_string()))
}

/// Returns the end of a walk in words.
fn end_text(end: &WalkEnd) -> String {
    match end {
        WalkEnd::Arrived => "arrived".to_string(),
        WalkEnd::Stuck => "stuck".to_string(),
        WalkEnd::NoPath(reason) => reason.to_string(),
    }
}

impl Walk {
    /// Returns the walk in words.
    fn text(&self, around: f64) -> String {
        if self.steps.is_empty() {
            return format!("no path: {}\n", self.end);
        }
        let mut table = Table::default();
        let every = self.steps.len().div_ceil(ROWS).max(1);
        let last = self.steps.len().saturating_sub(1);
        let rows = self.steps.iter().enumerate().filter(|(i, _)| i % every == 0 || *i == last);
        for (_, row) in rows {
            let resident = row.resident.map_or_else(String::new, |bytes| {
                format!(", process {}", size_text(usize::try_from(bytes).unwrap_or(usize::MAX)))
            });
            let sizes =
                format!("tiles {}, mesh {}{resident}", size_text(row.tile_bytes), size_text(row.mesh_bytes));
            table.row(&format!("{} m", measure(row.walked)), format!("{} tiles", row.tiles), sizes);
        }
        let hint = match self.end.as_str() {
            "stuck" if self.most_tiles < self.tiles => {
                format!("a way may lead over tiles that were not loaded; try more than --around {around}\n")
            }
            _ => String::new(),
        };
        format!(
            "{}{} after {} m: at most {} of {} tiles at once\n{hint}",
            table.text(),
            self.end,
            measure(self.walked),
            self.most_tiles,
            self.tiles
        )
    }
}
