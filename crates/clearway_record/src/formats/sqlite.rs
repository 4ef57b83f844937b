//! JuPedSim's trajectory database, version 2: one transaction, prepared statements.

use crate::draft::{Draft, unwritable};
use crate::{QUANTUM, Recording};
use clearway_base::Result;
use rusqlite::{Connection, params};
use std::collections::BTreeMap;
use std::path::Path;

/// The tables of version 2, which JuPedSim 1.4 and PedPy 1.5 read; both refuse version 3. Recordings with several floors
/// have the height as one more column, at the end.
const TABLES: &str = "
    CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE geometry(hash INTEGER NOT NULL, wkt TEXT NOT NULL);
    CREATE TABLE frame_data(frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);
";

/// Settings for a file that nobody else sees until it is complete: no journal, no waiting for the disk.
const SETTINGS: &str = "
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA cache_size = -65536;
";

/// Writes the database.
pub fn write(recording: &Recording, path: &Path) -> Result<()> {
    let draft = Draft::new(path);
    let write = || -> rusqlite::Result<()> {
        let mut database = Connection::open(draft.place())?;
        database.execute_batch(SETTINGS)?;
        let transaction = database.transaction()?;
        transaction.execute_batch(TABLES)?;
        write_metadata(&transaction, recording)?;
        write_frames(&transaction, recording)?;
        write_places(&transaction, recording)?;
        // One sort at the end is cheaper than a tree that grows with every row.
        transaction.execute_batch(
            "CREATE INDEX frame_id_idx ON trajectory_data(frame, id);
             CREATE UNIQUE INDEX geometry_hash ON geometry(hash);",
        )?;
        transaction.commit()
    };
    write().map_err(|error| unwritable(path, &error))?;
    draft.publish()
}

fn write_metadata(database: &Connection, recording: &Recording) -> rusqlite::Result<()> {
    let [low, high] = recording.bounds();
    let header = recording.header();
    let mut insert = database.prepare("INSERT INTO metadata(key, value) VALUES(?, ?)")?;
    for (key, value) in [
        ("version", "2".to_string()),
        ("fps", recording.fps().to_string()),
        ("xmin", low[0].to_string()),
        ("xmax", high[0].to_string()),
        ("ymin", low[1].to_string()),
        ("ymax", high[1].to_string()),
        ("clearway_model", header.model.clone()),
        ("clearway_scenario", header.scenario.clone()),
        ("clearway_seed", header.seed.to_string()),
    ] {
        insert.execute(params![key, value])?;
    }
    Ok(())
}

/// Writes each geometry once, counted from 1, and which one each frame has. Without frames that of the run stands alone.
fn write_frames(database: &Connection, recording: &Recording) -> rusqlite::Result<()> {
    let whole = recording.geometry().to_wkt();
    let mut known: BTreeMap<&str, i64> = BTreeMap::new();
    let mut store = database.prepare("INSERT INTO geometry(hash, wkt) VALUES(?, ?)")?;
    let mut insert = database.prepare("INSERT INTO frame_data(frame, geometry_hash) VALUES(?, ?)")?;
    if recording.frames() == 0 {
        store.execute(params![1, whole])?;
    }
    for frame in 0..recording.frames() {
        let wkt = recording.space(frame).unwrap_or(&whole);
        let next = known.len() as i64 + 1;
        let number = *known.entry(wkt).or_insert(next);
        if number == next {
            store.execute(params![number, wkt])?;
        }
        insert.execute(params![frame as i64, number])?;
    }
    Ok(())
}

fn write_places(database: &Connection, recording: &Recording) -> rusqlite::Result<()> {
    let is_layered = recording.geometry().is_layered;
    let (column, value) = if is_layered { (", pos_z REAL NOT NULL", ", ?") } else { ("", "") };
    database.execute_batch(&format!(
        "CREATE TABLE trajectory_data(frame INTEGER NOT NULL, id INTEGER NOT NULL, \
         pos_x REAL NOT NULL, pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL{column});"
    ))?;
    let mut insert =
        database.prepare(&format!("INSERT INTO trajectory_data VALUES(?, ?, ?, ?, ?, ?{value})"))?;
    let mut headings = vec![[1.0, 0.0]; recording.agents().len()];
    for frame in 0..recording.frames() {
        turn(&mut headings, recording, frame);
        insert.raw_bind_parameter(1, frame as i64)?;
        for sample in recording.frame(frame) {
            let [x, y, z] = sample.at.map(round);
            // JuPedSim counts its bodies from 1.
            insert.raw_bind_parameter(2, i64::from(sample.agent) + 1)?;
            insert.raw_bind_parameter(3, x)?;
            insert.raw_bind_parameter(4, y)?;
            let [ahead, left] = headings[sample.agent as usize];
            insert.raw_bind_parameter(5, ahead)?;
            insert.raw_bind_parameter(6, left)?;
            if is_layered {
                insert.raw_bind_parameter(7, z)?;
            }
            insert.raw_execute()?;
        }
    }
    Ok(())
}

/// Turns each body of a frame towards its place in the next one. A body that does not move keeps its direction.
fn turn(headings: &mut [[f64; 2]], recording: &Recording, frame: usize) {
    let next = recording.frame(frame + 1);
    for sample in recording.frame(frame) {
        let Ok(place) = next.binary_search_by_key(&sample.agent, |later| later.agent) else { continue };
        let [x, y] = [0, 1].map(|axis| f64::from(next[place].at[axis]) - f64::from(sample.at[axis]));
        let length = x.hypot(y);
        if length > 0.0 {
            headings[sample.agent as usize] = [x / length, y / length];
        }
    }
}

/// Returns a stored length in metres. A division keeps the digits as they are in decimal.
fn round(length: i32) -> f64 {
    f64::from(length) / (1.0 / QUANTUM).round()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use rusqlite::OptionalExtension;

    #[test]
    fn the_database_holds_every_place() {
        let scratch = clearway_scenes::Scratch::new("record_sqlite");
        for recording in [testing::door(50, 1), testing::tower(30)] {
            let path = scratch.path("run.sqlite");
            write(&recording, &path).unwrap();
            let database = Connection::open(&path).unwrap();
            let text = |query: &str| database.query_row(query, [], |row| row.get::<_, String>(0)).unwrap();
            assert_eq!(text("SELECT value FROM metadata WHERE key = 'version'"), "2");
            assert_eq!(text("SELECT value FROM metadata WHERE key = 'fps'"), "10");
            assert_eq!(
                text("SELECT wkt FROM geometry JOIN frame_data ON hash = geometry_hash WHERE frame = 3"),
                recording.geometry().to_wkt()
            );
            let rows: usize =
                database.query_row("SELECT count(*) FROM trajectory_data", [], |row| row.get(0)).unwrap();
            assert_eq!(rows, recording.samples());
            let sample = recording.frame(7)[2];
            let query = "SELECT pos_x, pos_y FROM trajectory_data WHERE frame = 7 AND id = ?";
            let found: Option<[f64; 2]> = database
                .query_row(query, [sample.agent + 1], |row| Ok([row.get(0)?, row.get(1)?]))
                .optional()
                .unwrap();
            let found = found.unwrap();
            assert!((found[0] - sample.xy()[0]).abs() < 1e-9 && (found[1] - sample.xy()[1]).abs() < 1e-9);
            let lengths: Vec<f64> = database
                .prepare("SELECT ori_x * ori_x + ori_y * ori_y FROM trajectory_data")
                .unwrap()
                .query_map([], |row| row.get(0))
                .unwrap()
                .map(|length| length.unwrap())
                .collect();
            assert!(lengths.iter().all(|length| (length - 1.0).abs() < 1e-12));
            let heights = database.prepare("SELECT pos_z FROM trajectory_data").is_ok();
            assert_eq!(heights, recording.geometry().is_layered);
        }
    }

    /// One geometry stood for the whole run although a wall fell on the way.
    #[test]
    fn frames_name_the_geometry_they_have() {
        let scratch = clearway_scenes::Scratch::new("record_sqlite_spaces");
        let mut recording = testing::door(20, 1);
        let other = "POLYGON ((0 0, 1 0, 1 1, 0 0))".to_string();
        let whole = recording.geometry().to_wkt();
        let space = |from: f64, wkt: &String| crate::recording::Space { from, wkt: wkt.clone() };
        recording.spaces = vec![space(1.0, &other), space(2.0, &whole)];
        let path = scratch.path("run.sqlite");
        write(&recording, &path).unwrap();
        let database = Connection::open(&path).unwrap();
        let query = "SELECT wkt FROM geometry JOIN frame_data ON hash = geometry_hash WHERE frame = ?";
        let wkt = |frame: i64| database.query_row(query, [frame], |row| row.get::<_, String>(0)).unwrap();
        assert_eq!([9, 10, 19].map(wkt), [whole.clone(), other.clone(), other]);
        assert_eq!(wkt(20), whole);
        let count: i64 = database.query_row("SELECT count(*) FROM geometry", [], |row| row.get(0)).unwrap();
        assert_eq!(count, 2);
    }

    #[test]
    fn a_failed_write_leaves_nothing() {
        let scratch = clearway_scenes::Scratch::new("record_sqlite_fails");
        let error = write(&testing::door(3, 1), &scratch.path("missing/run.sqlite")).unwrap_err();
        assert!(error.to_string().contains("cannot be written"), "{error}");
    }
}
