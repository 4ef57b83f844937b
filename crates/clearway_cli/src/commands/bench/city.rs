//! Tables 5.1 to 5.4 of the Voronoi thesis, run again: published, ours, ratio; and the areas of its figure 5.7.

use super::channels::{self, Channels};
use super::worlds::{self, Setting, WORLD};
use crate::args::BenchArgs;
use crate::failure::{Failure, Result};
use crate::{output, png};
use clearway::roads::{Detail, RoadCrowd, RoadCrowdOptions, Roads};
use clearway::{NavMesh, Overlay, Sketch, SketchOptions, Trace};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// A row of the thesis.
struct Row {
    table: &'static str,
    setting: Setting,
    agents: usize,
    /// The greatest number of expansions of a search.
    limit: Option<u32>,
    published: Published,
}

/// The figures of the thesis: one core of 2010.
#[derive(Clone, Copy, Debug, Serialize)]
struct Published {
    segments: usize,
    /// The mean time of a body's step, in microseconds.
    step_us: f64,
    /// The mean number of expansions.
    expansions: f64,
    /// The longest path in metres.
    longest: f64,
}

/// Makes a row.
const fn row(
    table: &'static str,
    setting: Setting,
    agents: usize,
    limit: Option<u32>,
    [segments, step_us, expansions, longest]: [f64; 4],
) -> Row {
    let published = Published { segments: segments as usize, step_us, expansions, longest };
    Row { table, setting, agents, limit, published }
}

/// Every row. The thesis gives steps of 0.2 to 0.8 ms with one digit.
const ROWS: [Row; 11] = [
    row("5.1", Setting::Rows(760.0), 20, None, [212.0, 200.0, 24.98, 796.61]),
    row("5.1", Setting::Rows(760.0), 40, None, [430.0, 300.0, 49.52, 766.15]),
    row("5.1", Setting::Rows(760.0), 60, None, [682.0, 300.0, 62.94, 772.22]),
    row("5.1", Setting::Rows(760.0), 100, None, [1280.0, 400.0, 90.05, 765.77]),
    row("5.1", Setting::Rows(1900.0), 200, None, [2031.0, 800.0, 99.77, 1930.95]),
    row("5.2", Setting::Disc(5.0), 10, None, [105_960.0, 500.0, 11.0, 3.1]),
    row("5.2", Setting::Disc(6.04), 20, None, [106_040.0, 500.0, 3.93, 6.04]),
    row("5.2", Setting::Disc(88.08), 50, None, [106_338.0, 700.0, 38.71, 88.08]),
    row("5.3", Setting::Across(1960.0), 1, None, [105_877.0, 36_000.0, 48_376.64, 3927.82]),
    row("5.4", Setting::Disc(196.0), 40, Some(1000), [106_177.0, 300.0, 314.49, 392.92]),
    row("5.4", Setting::Across(1000.0), 10, Some(1000), [106_009.0, 500.0, 334.62, 1988.33]),
];

/// The length of steps in metres, and that of quick runs on the longest way.
const STEP: f64 = 1.0;
const QUICK_STEP: f64 = 20.0;

/// The rounds of the runs in which bodies plan anew with every step. They are timed for comparison only.
const ANEW_ROUNDS: usize = 40;

/// A row with our figures.
#[derive(Debug, Serialize)]
struct Answer {
    table: &'static str,
    agents: usize,
    published: Published,
    /// Voronoi edges with all bodies in.
    segments: usize,
    /// The mean time of a body's step on the diagram with all bodies in it, in microseconds. Plans are kept and mended.
    step_us: f64,
    /// The same where bodies plan anew with every step, over the first rounds.
    anew_us: f64,
    /// The published time divided by ours.
    times_faster: f64,
    /// The mean number of expansions.
    expansions: f64,
    /// The longest walk in metres.
    longest: f64,
    /// Bodies that arrived.
    arrived: usize,
    /// The mean time of a step where costs are computed once on the contracted roads of the walls; null without walls.
    contracted_us: Option<f64>,
    /// Bodies that arrived there.
    contracted_arrived: Option<usize>,
    #[serde(skip)]
    tracks: Vec<Vec<[f64; 2]>>,
    #[serde(skip)]
    goals: Vec<[f64; 2]>,
}

/// Everything, for JSON.
#[derive(Serialize)]
struct Report {
    rows: Vec<Answer>,
    channels: Channels,
}

/// Runs every row.
pub fn run(args: &BenchArgs) -> Result<bool> {
    let started = Instant::now();
    let mesh = worlds::city()?;
    let roads = Arc::new(Roads::build(&mesh)?);
    let prepared = started.elapsed().as_secs_f64();
    let mut answers = Vec::new();
    for row in &ROWS {
        output::complain(&format!("table {}, {} bodies\n", row.table, row.agents));
        let answer = answer(row, &roads, args.quick)?;
        if let Some(folder) = &args.pictures {
            draw(&mesh, &answer, folder)?;
        }
        answers.push(answer);
    }
    let channels = channels::measure(&mesh, &roads)?;
    if args.json {
        output::print_json(&Report { rows: answers, channels })?;
    } else {
        output::print(&(text(&answers, prepared) + &channels::text(&channels)))?;
    }
    Ok(true)
}

/// Runs one row on the diagram with all bodies, and on the contracted roads.
fn answer(row: &Row, roads: &Arc<Roads>, is_quick: bool) -> Result<Answer> {
    let step = if is_quick && row.table == "5.3" { QUICK_STEP } else { STEP };
    let options = RoadCrowdOptions::default().max_expansions(row.limit);
    let ours = simulate(row, roads, options, step, usize::MAX)?;
    let anew = simulate(row, roads, options.keep_plans(false), step, ANEW_ROUNDS)?;
    let contracted = match row.setting {
        Setting::Rows(_) => None,
        _ => Some(simulate(row, roads, options.detail(Detail::Contracted), step, usize::MAX)?),
    };
    Ok(Answer {
        table: row.table,
        agents: row.agents,
        published: row.published,
        segments: ours.segments,
        step_us: ours.step_us,
        anew_us: anew.step_us,
        times_faster: row.published.step_us / ours.step_us,
        expansions: ours.expansions,
        longest: ours.longest,
        arrived: ours.arrived,
        contracted_us: contracted.as_ref().map(|run| run.step_us),
        contracted_arrived: contracted.as_ref().map(|run| run.arrived),
        tracks: ours.tracks,
        goals: ours.goals,
    })
}

/// The figures of a run.
struct Figures {
    segments: usize,
    step_us: f64,
    expansions: f64,
    longest: f64,
    arrived: usize,
    tracks: Vec<Vec<[f64; 2]>>,
    goals: Vec<[f64; 2]>,
}

/// Steps a crowd until everybody has arrived, or until twice the published way and a little more is walked, or until
/// this many rounds have passed.
fn simulate(
    row: &Row,
    roads: &Arc<Roads>,
    options: RoadCrowdOptions,
    step: f64,
    rounds: usize,
) -> Result<Figures> {
    let mut crowd: RoadCrowd = worlds::crowd(row.setting, Some(roads), options)?;
    worlds::fill(&mut crowd, row.setting, row.agents, step)?;
    let segments = crowd.diagram().edges().count();
    let mut tracks: Vec<Vec<[f64; 2]>> = crowd.bodies().iter().map(|body| vec![body.at]).collect();
    let mut walked = vec![0.0; row.agents];
    let (mut steps, mut expansions, mut seconds) = (0u64, 0u64, 0.0);
    let most = (2.0 * row.published.longest / step) as usize + 100;
    for _ in 0..most.min(rounds) {
        let walking: Vec<usize> = (0..row.agents).filter(|&i| !crowd.bodies()[i].arrived).collect();
        if walking.is_empty() {
            break;
        }
        for number in walking {
            let started = Instant::now();
            let done = crowd.step_body(number);
            seconds += started.elapsed().as_secs_f64();
            (steps, expansions) = (steps + 1, expansions + u64::from(done.expansions));
            walked[number] += done.moved;
            tracks[number].push(crowd.bodies()[number].at);
        }
    }
    Ok(Figures {
        segments,
        step_us: seconds * 1e6 / steps.max(1) as f64,
        expansions: expansions as f64 / steps.max(1) as f64,
        longest: walked.into_iter().fold(0.0, f64::max),
        arrived: crowd.bodies().iter().filter(|body| body.arrived).count(),
        tracks,
        goals: crowd.bodies().iter().filter_map(|body| body.goal).collect(),
    })
}

/// Returns the tables as text.
fn text(answers: &[Answer], prepared: f64) -> String {
    let mut text = format!(
        "Voronoi thesis, tables 5.1 to 5.4: published (one core of 2010) and ours. City and roads built in {prepared:.2} s.\n\n\
         table  bodies  segments          step, us                       expansions          longest, m       arrived  anew, us  contracted, us\n\
         \x20                published   ours  published    ours   times  published     ours  published    ours\n"
    );
    for answer in answers {
        let p = &answer.published;
        text += &format!(
            "{:>5}  {:>6}  {:>8} {:>7}  {:>8.0} {:>8.2} {:>6.0}x  {:>9.1} {:>9.1}  {:>9.1} {:>7.1}  {:>7}  {:>8.2}  {}\n",
            answer.table,
            answer.agents,
            p.segments,
            answer.segments,
            p.step_us,
            answer.step_us,
            answer.times_faster,
            p.expansions,
            answer.expansions,
            p.longest,
            answer.longest,
            answer.arrived,
            answer.anew_us,
            answer
                .contracted_us
                .zip(answer.contracted_arrived)
                .map_or("-".into(), |(us, arrived)| { format!("{us:.2}, {arrived} arrived") }),
        );
    }
    text
}

/// The size of the marks of starts and goals as a share of the picture.
const MARK: f64 = 0.003;

/// Draws the tracks of a run over the city, or over an empty world, with the starts in black and the goals in violet.
fn draw(city: &NavMesh, answer: &Answer, folder: &PathBuf) -> Result<()> {
    let points = || answer.tracks.iter().flatten();
    let mut window = points().fold([[WORLD; 2], [0.0; 2]], |[low, high], at| {
        [[low[0].min(at[0]), low[1].min(at[1])], [high[0].max(at[0]), high[1].max(at[1])]]
    });
    window[0] = window[0].map(|part| (part - 20.0).max(0.0));
    window[1] = window[1].map(|part| (part + 20.0).min(WORLD));
    let trace = |track: &Vec<[f64; 2]>| Trace {
        points: track.iter().map(|&[x, y]| [x, 0.0, -y]).collect(),
        cell: None,
    };
    // Two hundred tracks side by side stay apart as thin lines.
    let width = if answer.agents > 50 { 0.5 } else { 1.5 };
    let size = MARK * (window[1][0] - window[0][0]);
    let mark = |at: &[f64; 2]| Trace {
        points: [[-1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, -1.0], [-1.0, 0.0]]
            .map(|[x, y]| [at[0] + size * x, 0.0, -at[1] - size * y])
            .to_vec(),
        cell: None,
    };
    let starts = answer.tracks.iter().filter_map(|track| track.first()).map(mark).collect();
    let overlays = [
        Overlay::new("track", "#be185d", answer.tracks.iter().map(trace).collect()).width(width),
        Overlay::new("start", "#111827", starts).width(2.5),
        Overlay::new("goal", "#6d28d9", answer.goals.iter().map(mark).collect()).width(2.5),
    ];
    let title = format!("Table {}, {} bodies", answer.table, answer.agents);
    let empty;
    let mesh = if answer.table == "5.1" {
        let square = vec![[0.0, 0.0], [WORLD, 0.0], [WORLD, WORLD], [0.0, WORLD]];
        empty = clearway::MeshOptions::default().build(&clearway::Plan::from_rings([square]))?;
        &empty
    } else {
        city
    };
    let options = SketchOptions::default().title(Some(title)).window(Some(window));
    let picture = png::of_svg(&Sketch::with_overlays(mesh, &[], &overlays, &options))?;
    std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, "cannot be made", &error))?;
    output::write_file(&folder.join(format!("city_{}_{}.png", answer.table, answer.agents)), &picture)
}
