//! Measures planners beside each other, in one run on one machine: the subcommand `paths`.
//!
//! Reading order: `peer` (what a planner is), `maps`, the planners themselves, `measure`, `rows`, `table`.

mod args;
mod buildings;
#[cfg(feature = "recast")]
pub mod detour;
#[cfg(feature = "recast")]
pub mod detour_mesh;
mod growth;
mod index;
mod maps;
mod measure;
mod ours;
mod peer;
mod places;
mod polyanya_crate;
mod rows;
mod table;
#[cfg(test)]
mod tests;

use args::PathArgs;
use buildings::Building;
use index::IndexRow;
use maps::Map;
use peer::{PathPeer, PlacePeer};
use polyanya_crate::PolyanyaCrate;
use rows::PathRow;
use table::PathReport;

const POLYANYAS: [PolyanyaCrate; 2] = [PolyanyaCrate::Home, PolyanyaCrate::OurCells];
#[cfg(feature = "recast")]
const DETOURS: [detour::Detour; 2] = [detour::Detour::MergedMesh, detour::Detour::OurCells];

/// Runs the subcommand with the words after its name.
pub fn run(words: impl IntoIterator<Item = String>) -> Result<(), String> {
    let args = PathArgs::parse(words)?;
    // Queries run on one thread, so builds and indices do too: their times compare.
    clearway::set_thread_count(1);
    let mut report = PathReport { rounds: args.rounds, ..PathReport::default() };
    if args.buildings {
        measure_buildings(&args, &mut report)?;
    } else {
        measure_plans(&args, &mut report)?;
    }
    print!("{}", report.markdown());
    crate::write_json(args.json.as_deref(), || report.json())
}

/// The maps or the generated worlds.
fn measure_plans(args: &PathArgs, report: &mut PathReport) -> Result<(), String> {
    let peers = all_planners();
    if !peers.iter().any(|peer| args.wants_peer(peer.name())) {
        let names: Vec<&str> = peers.iter().map(|peer| peer.name()).collect();
        return Err(format!("no such planner; there are {}", names.join(", ")));
    }
    if args.scale { measure_growth(args, &peers, report) } else { measure_maps(args, &peers, report) }
}

fn all_planners() -> Vec<Box<dyn PathPeer>> {
    let mut peers: Vec<Box<dyn PathPeer>> = POLYANYAS.map(|polyanya| Box::new(polyanya) as _).into();
    #[cfg(feature = "recast")]
    peers.extend(DETOURS.map(|detour| Box::new(detour) as _));
    peers.extend(ours::planners());
    peers
}

/// The peers that know places; those that cannot take this map are left out.
fn all_places(map: &Map, args: &PathArgs) -> Vec<Box<dyn PlacePeer>> {
    let mut peers: Vec<Box<dyn PlacePeer>> = Vec::new();
    for polyanya in POLYANYAS {
        peers.extend(polyanya.places(map).map(|places| Box::new(places) as Box<dyn PlacePeer>));
    }
    #[cfg(feature = "recast")]
    for detour in DETOURS {
        peers.extend(detour.places(map).map(|places| Box::new(places) as Box<dyn PlacePeer>));
    }
    peers.push(ours::places(map));
    peers.retain(|peer| args.wants_peer(peer.name()));
    peers
}

fn measure_maps(args: &PathArgs, peers: &[Box<dyn PathPeer>], report: &mut PathReport) -> Result<(), String> {
    let folder = maps::folder(args)?;
    for name in maps::NAMES.into_iter().filter(|name| args.wants_map(name)) {
        let map = Map::load(&folder, name, args)?;
        eprintln!("{}", map.summary());
        let tracks = measure::measure(peers, &map, args);
        let base = tracks.iter().find(|track| track.peer == PolyanyaCrate::HOME);
        report.paths.extend(tracks.iter().map(|track| PathRow::new(&map, track, base)));
        let index = IndexRow::measure(name, || maps::mesh_of(&map.plan), args.rounds)?;
        report.indices.push(index.compare(&tracks));
        let ends = places::ends_of_queries(&map);
        report.places.extend(places::measure(&mut all_places(&map, args), &map, &ends, args.rounds));
    }
    if report.paths.is_empty() {
        return Err(format!("no such map or radius; the maps are {}", maps::NAMES.join(", ")));
    }
    Ok(())
}

fn measure_growth(
    args: &PathArgs,
    peers: &[Box<dyn PathPeer>],
    report: &mut PathReport,
) -> Result<(), String> {
    for &size in &args.sizes {
        let (vertices, map) = growth::world(size)?;
        eprintln!("{}", map.summary());
        let tracks = measure::measure(peers, &map, args);
        let index = IndexRow::measure(&map.name, || maps::mesh_of(&map.plan), args.rounds)?;
        let index = index.compare(&tracks);
        let mut places = all_places(&map, args);
        report.growth.extend(growth::measure(vertices, &map, (&tracks, &index), &mut places, args.rounds));
        report.indices.push(index);
    }
    Ok(())
}

fn measure_buildings(args: &PathArgs, report: &mut PathReport) -> Result<(), String> {
    for (name, options, cell_size) in buildings::ALL.into_iter().filter(|(name, ..)| args.wants_map(name)) {
        let building = Building::new(name, options, cell_size)?;
        eprintln!(
            "{name}: {} pairs; our mesh has {} cells",
            building.pairs.len(),
            building.mesh.cell_count()
        );
        report.indices.push(IndexRow::measure(name, || building.build(), args.rounds)?);
        report.buildings.extend(buildings::measure(&building, args)?);
    }
    Ok(())
}
