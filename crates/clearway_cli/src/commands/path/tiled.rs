//! A path across a folder of tiles.

use super::single;
use crate::args::{PathArgs, Point};
use crate::failure::{Failure, Result};
use crate::output;
use clearway::answer::{PathEnd, check_kind};
use clearway::tiles::{NoWay, TileId, TiledMesh, Way};
use serde_json::json;

/// Finds a path. Loads the tiles that the way needs, or with `--around` only those near the start. Returns false if there
/// is none.
pub fn run(args: &PathArgs) -> Result<bool> {
    let (Some(from), Some(to)) = (&args.from, &args.to) else {
        return Err(Failure::new("a folder of tiles takes one path, --from and --to").in_file(&args.input));
    };
    let (from, to) = (point(args, "--from", from)?, point(args, "--to", to)?);
    let mut tiles = TiledMesh::open(&args.input)?;
    let answer = match args.around {
        Some(distance) => {
            tiles.load_around(from.in_space(), distance)?;
            find(args, &tiles, [from, to])?
        }
        None => {
            tiles.load_around(from.in_space(), args.walker.snap_distance())?;
            let rules = args.walker.snap(&*tiles.mesh()?)?;
            tiles.load_way(from.in_space(), to.in_space(), &rules)
        }
    };
    let mesh = tiles.mesh()?;
    for end in [from, to].into_iter().filter(|_| mesh.cell_count() > 0) {
        check_kind(&mesh, end)?;
    }
    match answer {
        Err(NoWay::Tiles(error)) => Err(error.into()),
        Err(NoWay::Unloaded { tiles: names }) => refuse(args, &names).map(|()| false),
        // Other reasons are found again and told as on any mesh.
        answer => {
            let found = single::run(args, &mesh, [from, to])?;
            tell(args, &tiles, answer.ok())?;
            Ok(found)
        }
    }
}

/// The point that an end of a path names. Tiles do not keep the named places of their plan.
fn point(args: &PathArgs, option: &str, end: &PathEnd) -> Result<Point> {
    match end {
        PathEnd::At(point) => Ok(*point),
        PathEnd::Named(name) => Err(Failure::new(format!(
            "{option}: a folder of tiles takes points; it does not know the place {name:?}"
        ))
        .in_file(&args.input)),
    }
}

/// Asks for a way on the tiles that are loaded.
fn find(
    args: &PathArgs,
    tiles: &TiledMesh,
    [from, to]: [Point; 2],
) -> Result<std::result::Result<Way, NoWay>> {
    let rules = args.walker.snap(&*tiles.mesh()?)?;
    Ok(tiles.find_way(from.in_space(), to.in_space(), &rules))
}

/// Says through which tiles the way may lead.
fn refuse(args: &PathArgs, names: &[TileId]) -> Result<()> {
    if args.json {
        let tiles: Vec<[i32; 2]> = names.iter().map(|tile| [tile.x, tile.y]).collect();
        return output::print_json(&json!({ "found": false, "reason": "unloaded", "tiles": tiles }));
    }
    let reason = NoWay::Unloaded { tiles: names.to_vec() };
    output::print(&format!("no path: {reason}\n"))
}

/// Tells people how many tiles were loaded, and whether a shorter way may lead through others.
fn tell(args: &PathArgs, tiles: &TiledMesh, way: Option<Way>) -> Result<()> {
    if args.json {
        return Ok(());
    }
    let mut text =
        format!("tiles         {} of {} loaded\n", tiles.loaded().len(), tiles.index().tiles.len());
    if let Some(shorter) = way.and_then(|way| way.shorter) {
        text += &format!("              a shorter way may lead through tile {}, not loaded\n", shorter.tile);
    }
    output::print(&text)
}
