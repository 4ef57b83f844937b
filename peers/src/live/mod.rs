//! A world that changes: blocks, crates and doors of a city, beside Detour's tiles and its tile cache.

mod ours;
#[cfg(feature = "recast")]
mod tiles;
mod world;

use clearway_scenes::Random;
use serde::Serialize;

use crate::crowd::table::{figure, markdown};
use crate::words::{number, numbers, one, values_of};
use crate::write_json;
use ours::{CRATE, Ours};
use std::path::PathBuf;
use world::{City, PITCH, WINDOW};

/// The options, for `--help` and for a caller who mistyped.
const USAGE: &str = "\
Options of live (lists are separated by blanks or commas):
  --sizes A,B,C    cities of about so many segments (10000, 100000, 1000000)
  --rounds N       moves of a block, a crate and a door, each beside Detour (1000)
  --json FILE      also write the results as JSON; - prints them";

/// Rounds in which the widest radius is asked for: it takes long in large cities, and its median needs no more.
const WIDEST_ROUNDS: usize = 60;

/// The ratio of a rebuilt tile to a moved block that we promise.
const PROMISED: f64 = 20.0;

/// What the caller asked for.
struct Wanted {
    sizes: Vec<usize>,
    rounds: usize,
    json: Option<PathBuf>,
}

/// Median and 99th percentile in microseconds, and how often it was measured.
#[derive(Clone, Copy, Debug, Serialize)]
struct Spread {
    median: f64,
    p99: f64,
    count: usize,
}

/// One city.
#[derive(Serialize)]
struct Row {
    segments: usize,
    cells: usize,
    /// A block of 15 m moved by up to 2 m.
    block: Option<Spread>,
    /// A crate of 1 m moved within a crossing.
    #[serde(rename = "crate")]
    crate_: Option<Spread>,
    /// A door that changes for the first time, and later.
    door_first: Option<Spread>,
    door_later: Option<Spread>,
    /// The way of a disc of 0.5 m past the block: the first after an edit, and the same question again.
    path: Option<Spread>,
    again: Option<Spread>,
    /// The first widest radius after an edit.
    widest: Option<Spread>,
    /// One tile of 9.6 m built anew at the corner of the block, and all tiles that the block touches or touched.
    tile: Option<Spread>,
    tiles: Option<Spread>,
    /// The crate moved in the tile cache, tiles of 14.4 m.
    cache: Option<Spread>,
    refused: usize,
    flaws: usize,
}

/// Microseconds of one city as they come.
#[derive(Default)]
struct Times {
    block: Vec<f64>,
    crate_: Vec<f64>,
    door_first: Vec<f64>,
    door_later: Vec<f64>,
    path: Vec<f64>,
    again: Vec<f64>,
    widest: Vec<f64>,
    tile: Vec<f64>,
    tiles: Vec<f64>,
    cache: Vec<f64>,
}

/// Measures and prints tables.
pub fn run(words: impl Iterator<Item = String>) -> Result<(), String> {
    let wanted = parse(words)?;
    let rows: Result<Vec<Row>, String> =
        wanted.sizes.iter().map(|size| measure(*size, wanted.rounds)).collect();
    let rows = rows?;
    print!("{}", tables(&rows));
    write_json(wanted.json.as_deref(), || {
        serde_json::to_string_pretty(&rows).map_err(|error| error.to_string())
    })
}

fn parse(words: impl Iterator<Item = String>) -> Result<Wanted, String> {
    let mut wanted = Wanted { sizes: vec![10_000, 100_000, 1_000_000], rounds: 1000, json: None };
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        let mut values = || values_of(&word, &mut words);
        match word.as_str() {
            "--sizes" => wanted.sizes = numbers(&values()?)?,
            "--rounds" => wanted.rounds = number::<usize>(&one(values()?)?)?.max(1),
            "--json" => wanted.json = Some(one(values()?)?.into()),
            "--help" => return Err(USAGE.into()),
            _ => return Err(format!("{word} is not known\n{USAGE}")),
        }
    }
    Ok(wanted)
}

/// Edits one city. In every round our edits and Detour's take turns.
fn measure(segments: usize, rounds: usize) -> Result<Row, String> {
    let city = City::of_segments(segments);
    let mut random = Random::new(11);
    eprintln!("city of {} blocks", city.side * city.side);
    let mut ours = Ours::of(&city, &mut random)?;
    let mut detour = Detour::new()?;
    let mut times = Times::default();
    for round in 0..rounds {
        let offset = [0; 2].map(|_| random.range(-2.0, 2.0));
        let (micros, place) = ours.move_block(&mut random, offset);
        times.block.push(micros);
        if let Some(asked) = ours.ask(place, round < WIDEST_ROUNDS) {
            times.path.push(asked.path);
            times.again.push(asked.again);
            times.widest.extend(asked.widest);
        }
        let middle = [0; 2].map(|_| random.below(WINDOW - 4) + 2);
        detour.move_block(middle, offset, &mut times)?;
        let place = [0; 2].map(|_| random.range(-2.0, 1.0));
        times.crate_.push(ours.move_crate(place));
        detour.move_crate(place, &mut times)?;
        toggle_doors(&mut ours, round, &mut times);
    }
    Ok(Row {
        segments: 4 * city.side * city.side + 4,
        cells: ours.cells(),
        block: spread(times.block),
        crate_: spread(times.crate_),
        door_first: spread(times.door_first),
        door_later: spread(times.door_later),
        path: spread(times.path),
        again: spread(times.again),
        widest: spread(times.widest),
        tile: spread(times.tile),
        tiles: spread(times.tiles),
        cache: spread(times.cache),
        refused: ours.refused,
        flaws: ours.flaws(),
    })
}

/// Closes and opens a door; the first change of each counts apart.
fn toggle_doors(ours: &mut Ours, round: usize, times: &mut Times) {
    let door = round % ours.doors();
    let is_first = round < ours.doors();
    let closed = ours.toggle(door, false);
    let opened = ours.toggle(door, true);
    if is_first {
        times.door_first.push(closed)
    } else {
        times.door_later.push(closed)
    }
    times.door_later.push(opened);
}

fn spread(mut micros: Vec<f64>) -> Option<Spread> {
    micros.sort_by(f64::total_cmp);
    let at = |share: f64| micros.get(((micros.len().max(1) - 1) as f64 * share) as usize).copied();
    Some(Spread { median: at(0.5)?, p99: at(0.99)?, count: micros.len() })
}

/// Detour's tiles and its tile cache, each over a window of the city.
#[cfg(feature = "recast")]
struct Detour {
    window: world::Window,
    tiles: tiles::Tiles,
    cache: tiles::Tiles,
    crate_: Option<u32>,
}

#[cfg(feature = "recast")]
impl Detour {
    fn new() -> Result<Detour, String> {
        let window = world::Window::new();
        let (tiles, cache) = (tiles::Tiles::built(&window)?, tiles::Tiles::cached(&window)?);
        Ok(Detour { window, tiles, cache, crate_: None })
    }

    /// Moves a block and builds the tiles that it touches anew.
    fn move_block(&mut self, block: [usize; 2], offset: [f64; 2], times: &mut Times) -> Result<(), String> {
        let [x, z] = self.window.shift(block, offset);
        // The block stood within two metres of where it was built.
        let origin = block.map(|place| place as f64 * PITCH);
        let touched = self.tiles.touched(origin, origin.map(|c| c + PITCH));
        let corner = self.tiles.touched([x, z], [x, z]);
        let mut all = 0.0;
        for tile in touched {
            let micros = self.tiles.rebuild(&self.window, tile)?;
            all += micros;
            times.tile.extend(corner.contains(&tile).then_some(micros));
        }
        times.tiles.push(all);
        Ok(())
    }

    /// Moves the crate in the cache.
    fn move_crate(&mut self, place: [f64; 2], times: &mut Times) -> Result<(), String> {
        let low = place.map(|c| PITCH * (WINDOW / 2) as f64 + c);
        let (id, micros) = self.cache.move_box(self.crate_, low, low.map(|c| c + CRATE))?;
        self.crate_ = Some(id);
        times.cache.push(micros);
        Ok(())
    }
}

/// Without its sources Detour has no rows.
#[cfg(not(feature = "recast"))]
struct Detour;

#[cfg(not(feature = "recast"))]
impl Detour {
    fn new() -> Result<Detour, String> {
        Ok(Detour)
    }

    fn move_block(&mut self, _: [usize; 2], _: [f64; 2], _: &mut Times) -> Result<(), String> {
        Ok(())
    }

    fn move_crate(&mut self, _: [f64; 2], _: &mut Times) -> Result<(), String> {
        Ok(())
    }
}

fn tables(rows: &[Row]) -> String {
    let pair = |spread: Option<Spread>| {
        spread.map_or("–".into(), |s| format!("{} / {}", figure(Some(s.median)), figure(Some(s.p99))))
    };
    let header = [
        "segments",
        "block moved",
        "crate moved",
        "door, first",
        "door, later",
        "disc path, first",
        "again",
        "first widest radius",
        "refused",
        "flaws after",
    ];
    let ours = |row: &Row| {
        let figures =
            [row.block, row.crate_, row.door_first, row.door_later, row.path, row.again, row.widest];
        let mut cells = vec![row.segments.to_string()];
        cells.extend(figures.map(pair));
        cells.extend([row.refused.to_string(), row.flaws.to_string()]);
        cells
    };
    let first =
        markdown("Edits of a city, median / p99, µs", &header, &rows.iter().map(ours).collect::<Vec<_>>());
    let header = [
        "segments",
        "one tile rebuilt",
        "tiles of the block rebuilt",
        "tile cache, crate moved",
        "one tile / our block",
        "all its tiles / our block",
        "tile cache / our crate",
        "promised, one tile",
    ];
    let times =
        |peer: Option<Spread>, ours: Option<Spread>| figure(peer.zip(ours).map(|(p, o)| p.median / o.median));
    let beside = |row: &Row| {
        vec![
            row.segments.to_string(),
            pair(row.tile),
            pair(row.tiles),
            pair(row.cache),
            times(row.tile, row.block),
            times(row.tiles, row.block),
            times(row.cache, row.crate_),
            figure(Some(PROMISED)),
        ]
    };
    let second = markdown(
        "Detour at the same place, median / p99, µs",
        &header,
        &rows.iter().map(beside).collect::<Vec<_>>(),
    );
    let growth = rows.iter().filter_map(|row| Some(row.block?.median));
    let (least, most) = growth.fold((f64::INFINITY, 0.0f64), |(low, high), t| (low.min(t), high.max(t)));
    format!("{first}{second}Growth of a moved block, largest to smallest median: {:.2}\n", most / least)
}

#[cfg(all(test, feature = "recast"))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// A small city goes through the whole run: every figure is there, nothing is refused, no law is broken.
    #[test]
    fn a_city_is_edited_beside_detour() {
        let row = measure(400, 12).unwrap();
        assert_eq!((row.refused, row.flaws), (0, 0));
        let all =
            [row.block, row.crate_, row.path, row.widest, row.tile, row.tiles, row.cache, row.door_later];
        assert!(all.iter().all(|spread| spread.is_some_and(|s| s.count > 0 && s.median > 0.0)), "{all:?}");
        assert!(tables(&[row]).contains("| 404 |"));
    }

    /// Detour sees what we ask of it: a block that moves into a street and a box in the cache lengthen the path.
    #[test]
    fn detour_walks_around_what_came() {
        let mut detour = Detour::new().unwrap();
        // Along a street, beside a block that comes into it by 2 m.
        let ends = [[2.0 * PITCH, 3.2 * PITCH], [2.0 * PITCH, 3.8 * PITCH]];
        let direct = 0.6 * PITCH;
        let length = |tiles: &tiles::Tiles| tiles.path(ends[0], ends[1]).unwrap();
        assert!((length(&detour.tiles) - direct).abs() < 0.1 && (length(&detour.cache) - direct).abs() < 0.1);
        detour.move_block([2, 3], [-2.0, 0.0], &mut Times::default()).unwrap();
        assert!((length(&detour.tiles) - direct).abs() < 0.1, "the street is still 3 m wide");
        let low = [2.0 * PITCH - 1.0, 3.5 * PITCH];
        let (id, _) = detour.cache.move_box(None, low, [low[0] + 2.0, low[1] + 1.0]).unwrap();
        assert!(length(&detour.cache) > direct + 0.1, "{}", length(&detour.cache));
        let far = [PITCH, PITCH];
        detour.cache.move_box(Some(id), far, [far[0] + 1.0, far[1] + 1.0]).unwrap();
        assert!((length(&detour.cache) - direct).abs() < 0.1);
    }
}
