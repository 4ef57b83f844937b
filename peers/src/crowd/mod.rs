//! Measures crowds beside each other, in one run on one machine: the subcommands `crowd`, `crowd-large`,
//! `crowd-thesis`.
//!
//! Reading order: `scene`, `peer` (what an engine is), the engines themselves, `measure`, `table`; then `parts`,
//! `scaling` and `writing` (ours alone), `large`, `thesis`.

mod args;
mod dodgy;
#[cfg(feature = "recast")]
mod dt_crowd;
mod grid;
mod jupedsim;
pub mod large;
mod measure;
mod ours;
mod parts;
mod peer;
mod scaling;
mod scene;
pub mod table;
pub mod thesis;
mod worlds;
mod writing;

use serde::Serialize;

use args::CrowdArgs;
use measure::CostRow;
use parts::PartRow;
use peer::CrowdPeer;
use scaling::{GrowthRow, ThreadRow};
use scene::Scene;
use writing::WriteRow;

/// Numbers of bodies in the table of costs.
const SIZES: [usize; 3] = [1_000, 10_000, 50_000];

/// Everything that `crowd` measured.
#[derive(Clone, Debug, Default, Serialize)]
struct Report {
    rounds: usize,
    costs: Vec<CostRow>,
    parts: Vec<PartRow>,
    growth: Vec<GrowthRow>,
    threads: Vec<ThreadRow>,
    writing: Vec<WriteRow>,
}

/// Runs the subcommand `crowd` with the words after its name.
pub fn run(words: impl IntoIterator<Item = String>) -> Result<(), String> {
    let args = CrowdArgs::parse(words)?;
    if args.child {
        clearway::set_thread_count(args.threads);
        return scaling::print_step_time(args.only.first().map_or("headway", String::as_str));
    }
    clearway::set_thread_count(1);
    let mut report = Report { rounds: args.rounds, ..Report::default() };
    measure_costs(&args, &mut report);
    if args.wants_scene("parts") {
        report.parts = parts::measure(args.rounds)?;
        print!("{}", table::parts(&report.parts));
    }
    if args.wants_scene("growth") {
        report.growth = scaling::growth("headway", args.rounds)?;
        print!("{}", table::growth(&report.growth));
    }
    if args.wants_scene("threads") {
        report.threads = vec![scaling::threads("headway", args.rounds)?];
        print!("{}", table::threads(&report.threads));
    }
    if args.wants_scene("writing") {
        report.writing = writing::measure(args.rounds)?;
        print!("{}", table::writing(&report.writing));
    }
    crate::write_json(args.json.as_deref(), || {
        serde_json::to_string_pretty(&report).map_err(|error| error.to_string())
    })
}

/// All engines.
fn all_peers() -> Vec<Box<dyn CrowdPeer>> {
    let mut peers: Vec<Box<dyn CrowdPeer>> = vec![Box::new(dodgy::Dodgy)];
    #[cfg(feature = "recast")]
    for (name, quality) in [("dtCrowd q0", 0), ("dtCrowd q3", 3)] {
        peers.push(Box::new(dt_crowd::DtCrowd { name, quality }));
    }
    peers.push(Box::new(jupedsim::Jupedsim));
    peers.extend(ours::peers());
    peers
}

fn measure_costs(args: &CrowdArgs, report: &mut Report) {
    let mut peers = all_peers();
    peers.retain(|peer| args.wants(&peer.name()));
    for count in args.sizes_or(&SIZES) {
        for scene in [Scene::disc(count, 0.5), Scene::disc(count, 2.0), Scene::room(count, 2.0)] {
            if args.wants_scene(&scene.name) {
                eprintln!("{}: {} bodies", scene.name, scene.bodies.len());
                report.costs.extend(measure::measure(&peers, &scene, args.rounds, args.seconds));
            }
        }
    }
    if !report.costs.is_empty() {
        print!("{}", table::costs(&report.costs));
    }
}
