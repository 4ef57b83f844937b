//! Cuts a world into tiles, and writes their folder.

use super::{Summary, picture, picture_bytes};
use crate::args::TileArgs;
use crate::failure::{Failure, Result};
use crate::{input, output};
use clearway::tiles::{EDITS_NAME, INDEX_NAME, Tile, TileIndex, TiledMesh, divide};
use clearway_base::parallel;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Cuts the world, and writes or only reports.
pub fn run(args: &TileArgs) -> Result<()> {
    let old = args.output.as_deref().map(own_files).transpose()?.unwrap_or_default();
    let mesh = input::load_or_build_mesh(&args.input)?;
    let tiles = divide(&mesh, args.size())?;
    if tiles.is_empty() {
        return Err(Failure::new("has no ground, so there is nothing to cut").in_file(&args.input));
    }
    let index = TileIndex::of(args.size(), &tiles).with_places(mesh.places());
    let mut outputs = Vec::new();
    if let Some(folder) = &args.output {
        write(folder, &index, &tiles, &old)?;
        outputs.push(folder.join(INDEX_NAME));
    }
    if let Some(path) = &args.draw {
        let svg = picture::of_tiles(&mut TiledMesh::of_tiles(args.size(), tiles)?)?;
        output::write_file(path, &picture_bytes(path, svg)?)?;
        outputs.push(path.clone());
    }
    Summary::of(args, &index, 0, &outputs).print(args.json)
}

/// Writes the tiles and their index into a folder. Tiles of an earlier cut go.
fn write(folder: &Path, index: &TileIndex, tiles: &[Tile], old: &BTreeSet<String>) -> Result<()> {
    let text = index.text();
    let bytes = parallel::map(tiles.len(), |i| tiles[i].encode());
    let names = index.tiles.iter().map(|entry| entry.file.as_str());
    let mut files: Vec<(PathBuf, &[u8])> =
        names.zip(&bytes).map(|(name, bytes)| (folder.join(name), bytes.as_slice())).collect();
    // The index comes last: with the old one, new tiles are refused instead of being mixed with old ones.
    files.push((folder.join(INDEX_NAME), text.as_bytes()));
    output::write_files_into(folder, &files)?;
    let new: BTreeSet<&str> = index.tiles.iter().map(|entry| entry.file.as_str()).collect();
    for name in old.iter().filter(|name| !new.contains(name.as_str())) {
        let path = folder.join(name);
        fs::remove_file(&path).map_err(|error| Failure::file(&path, "cannot be removed", &error))?;
    }
    Ok(())
}

/// Returns the tiles in a folder of an earlier cut. Fails if the folder holds anything else.
fn own_files(folder: &Path) -> Result<BTreeSet<String>> {
    if !folder.exists() {
        return Ok(BTreeSet::new());
    }
    if !folder.is_dir() {
        return Err(Failure::new("is a file; name a folder to write the tiles into").in_file(folder));
    }
    let cannot = |error: &std::io::Error| Failure::file(folder, "cannot be read", error);
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder).map_err(|error| cannot(&error))? {
        let name = entry.map_err(|error| cannot(&error))?.file_name();
        names.insert(name.to_string_lossy().into_owned());
    }
    if !names.remove(INDEX_NAME) {
        return names.first().map_or_else(|| Ok(BTreeSet::new()), |name| Err(foreign(folder, name)));
    }
    if names.contains(EDITS_NAME) {
        let message = format!(
            "holds {EDITS_NAME}, edits of the world that is there; remove it, or name another folder"
        );
        return Err(Failure::new(message).in_file(folder));
    }
    let known = TiledMesh::open(folder)?;
    let known: BTreeSet<&str> = known.index().tiles.iter().map(|entry| entry.file.as_str()).collect();
    match names.iter().find(|name| !known.contains(name.as_str())) {
        Some(name) => Err(foreign(folder, name)),
        None => Ok(names),
    }
}

/// Refuses a folder that holds other files than tiles.
fn foreign(folder: &Path, name: &str) -> Failure {
    let message = format!("holds {name}, which is no tile of it; name an empty folder, or one of tiles");
    Failure::new(message).in_file(folder)
}
