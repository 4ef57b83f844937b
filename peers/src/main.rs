//! Measures clearway beside its peers, in one run on one machine: mesh builders on floor plans, after `paths`
//! planners, after `scenes` mesh builders on 3D scenes, after `crowd` crowd engines, after `skeleton` Voronoi diagrams, after `live` edits.
//!
//! Reading order: `peer` (what a peer is), `inputs`, the peers themselves, `measure`, `table`; then `paths`, `scenes`,
//! `crowd`, `skeleton`, `live`.

mod args;
mod clock;
mod crowd;
#[cfg(test)]
mod fork;
mod heap;
mod hertel_mehlhorn;
mod inputs;
mod live;
mod measure;
mod memory;
mod nesting;
mod one_chord;
mod ours;
mod paths;
mod peer;
mod polyanya_merge;
#[cfg(test)]
mod promise;
#[cfg(feature = "recast")]
mod recast;
#[cfg(feature = "recast")]
mod recast_mesh;
mod scenes;
mod skeleton;
mod spade_cdt;
mod table;
mod words;

use std::path::Path;
use std::process::ExitCode;

use args::Args;
use inputs::Source;
use one_chord::OneChord;
use peer::Peer;
use table::{Bases, MemoryRow, PlanRows, Report};

/// The peers that ratios are to.
const BASES: Bases = Bases { time: "cdt", length: OneChord::NAME };

/// Peers that run at a million vertices.
const GROWTH_PEERS: [&str; 3] = ["ours-fast", "ours-default", BASES.time];

/// The word that asks for planners instead of builders.
const PATHS: &str = "paths";

/// The word that asks for 3D scenes instead of floor plans.
const SCENES: &str = "scenes";

/// The word that asks for crowd engines.
const CROWD: &str = "crowd";

/// The word that asks for the large runs of our crowd.
const CROWD_LARGE: &str = "crowd-large";

/// The word that asks for Voronoi diagrams.
const SKELETON: &str = "skeleton";

/// The word that asks for a world that changes.
const LIVE: &str = "live";

/// The word that asks for the thesis's experiments.
const CROWD_THESIS: &str = "crowd-thesis";

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1).peekable();
    let known = [PATHS, SCENES, CROWD, CROWD_LARGE, CROWD_THESIS, LIVE, SKELETON];
    let subcommand = words.next_if(|word| known.contains(&word.as_str()));
    let outcome = match subcommand.as_deref() {
        Some(PATHS) => paths::run(words),
        Some(SCENES) => scenes::run(words),
        Some(CROWD) => crowd::run(words),
        Some(CROWD_LARGE) => crowd::large::run(words),
        Some(LIVE) => live::run(words),
        Some(SKELETON) => skeleton::run(words),
        Some(_) => crowd::thesis::run(words),
        None => Args::parse(words).and_then(|args| run(&args)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<(), String> {
    let peers = all_peers();
    let peers: Vec<&dyn Peer> =
        peers.iter().map(Box::as_ref).filter(|peer| args.wants_peer(peer.name())).collect();
    if peers.is_empty() {
        return Err("no such peer".into());
    }
    if args.child { child(args, &peers) } else { measure_all(args, &peers) }
}

fn all_peers() -> Vec<Box<dyn Peer>> {
    let mut peers: Vec<Box<dyn Peer>> = ours::peers();
    peers.push(Box::new(spade_cdt::SpadeCdt));
    peers.push(Box::new(hertel_mehlhorn::HertelMehlhorn::LongestFirst));
    peers.push(Box::new(hertel_mehlhorn::HertelMehlhorn::AsNumbered));
    peers.push(Box::new(OneChord));
    peers.push(Box::new(polyanya_merge::PolyanyaMerge::Once));
    peers.push(Box::new(polyanya_merge::PolyanyaMerge::UntilDone));
    #[cfg(feature = "recast")]
    peers
        .extend([recast_mesh::Recast::coarse(), recast_mesh::Recast::fine()].map(|peer| Box::new(peer) as _));
    peers
}

fn measure_all(args: &Args, peers: &[&dyn Peer]) -> Result<(), String> {
    let mut report = Report { rounds: args.rounds, ..Report::default() };
    let sources = inputs::catalogue();
    for source in sources.iter().filter(|source| args.wants_plan(&source.name)) {
        report.plans.extend(measure_one(source, peers, args.rounds));
    }
    if args.plans.is_empty() {
        let growing: Vec<&dyn Peer> =
            peers.iter().copied().filter(|peer| GROWTH_PEERS.contains(&peer.name())).collect();
        for &size in &args.sizes {
            report.growth.extend(measure_one(&Source::growth(size), &growing, args.rounds));
        }
        if args.memory {
            measure_memory(&mut report);
        }
    } else if report.plans.is_empty() {
        return Err(format!("no such plan; there are {}", names(&sources)));
    }
    publish(args, &report)
}

/// The rows of one input; none where it cannot be read, so that one bad file does not cost the others.
fn measure_one(source: &Source, peers: &[&dyn Peer], rounds: usize) -> Option<PlanRows> {
    let input = source.load().inspect_err(|error| eprintln!("{}: {error}", source.name)).ok()?;
    eprintln!("{}: {} vertices", input.name, input.vertices());
    Some(PlanRows::new(&input, &measure::measure(peers, &input, rounds), BASES))
}

/// Peak memory of the largest plan and of the largest growth plan, for every peer that could build it.
fn measure_memory(report: &mut Report) {
    let largest_plan = report.plans.iter().max_by_key(|plan| plan.vertices);
    let largest_growth = report.growth.iter().max_by_key(|plan| plan.vertices);
    for plan in largest_plan.into_iter().chain(largest_growth) {
        for row in plan.peers.iter().filter(|row| row.cells.is_some()) {
            let peak =
                memory::peak_in_child(&[memory::CHILD_FLAG, "--only", &row.peer, "--plan", &plan.plan]);
            report.memory.push(MemoryRow {
                plan: plan.plan.clone(),
                vertices: plan.vertices,
                peer: row.peer.clone(),
                note: peak.as_ref().err().cloned(),
                peak: peak.ok(),
            });
        }
    }
}

/// The child process: one peer, one plan, one line of JSON.
fn child(args: &Args, peers: &[&dyn Peer]) -> Result<(), String> {
    let name = args.plans.first().ok_or("no plan")?;
    let listed = || inputs::catalogue().into_iter().find(|source| source.name == *name);
    let source = Source::growth_named(name).or_else(listed).ok_or("no such plan")?;
    let mut job = peers[0].prepare(&source.load()?)?;
    memory::print_peak(|| job.run())
}

fn publish(args: &Args, report: &Report) -> Result<(), String> {
    print!("{}", report.markdown());
    write_json(args.json.as_deref(), || report.json())
}

/// Writes the JSON to a file, or prints it where the file is `-`.
fn write_json(path: Option<&Path>, json: impl FnOnce() -> Result<String, String>) -> Result<(), String> {
    match path {
        Some(path) if path.as_os_str() == "-" => println!("{}", json()?),
        Some(path) => std::fs::write(path, json()? + "\n").map_err(|error| error.to_string())?,
        None => {}
    }
    Ok(())
}

fn names(sources: &[Source]) -> String {
    sources.iter().map(|source| source.name.as_str()).collect::<Vec<_>>().join(", ")
}
