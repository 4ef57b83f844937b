//! A path across a folder of tiles.

use super::single;
use crate::args::{PathArgs, Point};
use crate::failure::{Failure, Result};
use crate::output;
use clearway::answer::{PathEnd, check_kind};
use clearway::tiles::{IndexEntry, NoWay, TileId, TiledMesh, Way};
use serde_json::json;

/// The distance around an end without ground in which a hint looks, in sides of a tile.
const HINT_TILES: f64 = 2.0;

/// Finds a path. Loads the tiles that the way needs, or with `--around` only those near the start. Returns false if there
/// is none.
pub fn run(args: &PathArgs) -> Result<bool> {
    let (Some(from), Some(to)) = (&args.from, &args.to) else {
        return Err(Failure::new("a folder of tiles takes one path, --from and --to").in_file(&args.input));
    };
    let mut tiles = TiledMesh::open(&args.input)?;
    let points =
        [from, to].into_iter().filter_map(|end| if let PathEnd::At(at) = end { Some(*at) } else { None });
    check_ends(&mut tiles, points)?;
    let from = start(args, &mut tiles, from)?;
    let (to, answer) = match args.around {
        Some(distance) => near(args, &mut tiles, from, to, distance)?,
        None => anywhere(args, &mut tiles, from, to)?,
    };
    let mesh = tiles.mesh()?;
    match answer {
        Err(NoWay::Tiles(error)) => Err(error.into()),
        Err(NoWay::Unloaded { tiles: names }) => refuse(args, &names).map(|()| false),
        // Other reasons are found again and told as on any mesh.
        answer => {
            let mesh = if answer.is_err() && args.around.is_none() {
                load_beside(&mut tiles, [from, to])?;
                tiles.mesh()?
            } else {
                mesh
            };
            let found = single::run(args, &mesh, [from, to])?;
            tell(args, &tiles, answer.ok())?;
            Ok(found)
        }
    }
}

/// Fails unless the world takes points as the ends were given. Where no tile is loaded, the first one tells.
pub fn check_ends(tiles: &mut TiledMesh, mut ends: impl Iterator<Item = Point>) -> Result<()> {
    let first = tiles.index().tiles.first().map(IndexEntry::id);
    let extra = first.filter(|_| tiles.loaded().len() == 0);
    extra.map_or(Ok(false), |tile| tiles.load(tile))?;
    let mesh = tiles.mesh()?;
    extra.map(|tile| tiles.unload(tile));
    Ok(ends.try_for_each(|end| check_kind(&mesh, end))?)
}

/// A way, or the reason why there is none.
type Answer = std::result::Result<Way, NoWay>;

/// Says what is wrong with an end of a path.
fn wrong_end(args: &PathArgs, option: &str, message: String) -> Failure {
    Failure::new(format!("{option}: {message}")).in_file(&args.input)
}

/// Returns the tiles under the places that an end names.
fn named_tiles(args: &PathArgs, tiles: &TiledMesh, option: &str, end: &PathEnd) -> Result<Vec<TileId>> {
    let PathEnd::Named(name) = end else { return Ok(Vec::new()) };
    let mesh = tiles.mesh()?;
    let places = mesh.places_named(name).map_err(|message| wrong_end(args, option, message))?;
    let mut named: Vec<TileId> = places.into_iter().flat_map(|place| tiles.under(place)).collect();
    named.sort_unstable();
    named.dedup();
    Ok(named)
}

/// Loads these tiles.
fn load(tiles: &mut TiledMesh, names: &[TileId]) -> Result<()> {
    Ok(names.iter().try_for_each(|tile| tiles.load(*tile).map(|_| ()))?)
}

/// Returns the point to start from. The tiles of a named place and those beside them are loaded for that.
fn start(args: &PathArgs, tiles: &mut TiledMesh, from: &PathEnd) -> Result<Point> {
    let named = named_tiles(args, tiles, "--from", from)?;
    let beside: Vec<TileId> =
        named.iter().filter_map(|tile| tiles.entry(*tile)).flat_map(IndexEntry::neighbours).collect();
    load(tiles, &named)?;
    load(tiles, &beside)?;
    from.start(&*tiles.mesh()?).map_err(|message| wrong_end(args, "--from", message))
}

/// Loads the tiles around two ends without a way, so that a hint about the nearest place tells the nearest one.
fn load_beside(tiles: &mut TiledMesh, ends: [Point; 2]) -> Result<()> {
    let reach = HINT_TILES * tiles.index().size;
    Ok(ends.iter().try_for_each(|end| tiles.load_around(end.in_space(), reach).map(|_| ()))?)
}

/// Asks for a way on the tiles near the start. Of the places that the goal names, those on loaded tiles count.
fn near(
    args: &PathArgs,
    tiles: &mut TiledMesh,
    from: Point,
    to: &PathEnd,
    distance: f64,
) -> Result<(Point, Answer)> {
    tiles.unload_beyond(from.in_space(), distance);
    tiles.load_around(from.in_space(), distance)?;
    let goal = to.goal(&*tiles.mesh()?, from, args.walker.radius);
    goal.map_or_else(
        |message| {
            let mut away = named_tiles(args, tiles, "--to", to)?;
            away.retain(|tile| !tiles.is_loaded(*tile));
            if away.is_empty() {
                return Err(wrong_end(args, "--to", message));
            }
            Ok((from, Err(NoWay::Unloaded { tiles: away })))
        },
        |to| Ok((to, find(args, tiles, [from, to])?)),
    )
}

/// Loads the tiles that the way needs. Of several places with a name the nearest one is the goal.
fn anywhere(args: &PathArgs, tiles: &mut TiledMesh, from: Point, to: &PathEnd) -> Result<(Point, Answer)> {
    tiles.load_around(from.in_space(), args.walker.snap_distance())?;
    load(tiles, &named_tiles(args, tiles, "--to", to)?)?;
    let rules = args.walker.snap(&*tiles.mesh()?)?;
    // With the shortest way to each place, the nearest one is known.
    let spots = to.spots(&*tiles.mesh()?).map_err(|message| wrong_end(args, "--to", message))?;
    for spot in spots {
        if let Err(NoWay::Tiles(error)) = tiles.load_way(from.in_space(), spot.in_space(), &rules) {
            return Err(error.into());
        }
    }
    let goal = to.goal(&*tiles.mesh()?, from, args.walker.radius);
    let to = goal.map_err(|message| wrong_end(args, "--to", message))?;
    Ok((to, tiles.load_way(from.in_space(), to.in_space(), &rules)))
}

/// Asks for a way on the tiles that are loaded.
fn find(args: &PathArgs, tiles: &TiledMesh, [from, to]: [Point; 2]) -> Result<Answer> {
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
