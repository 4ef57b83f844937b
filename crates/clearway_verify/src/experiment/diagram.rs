//! Fundamental diagrams: speed by density in corridors that repeat.

use crate::data;
use crate::lab::Lab;
use crate::law::Law;
use crate::outcome::{Outcome, Trace};
use crate::report::chart::{Chart, Mark};
use crate::sim::Sim;
use crate::site::Site;
use crate::stats::mean;
use clearway_base::Result;
use clearway_crowd::Goal;

/// The time in seconds that is discarded, in which a stream forms.
const DISCARDED: f64 = 20.0;

/// The time in seconds over which speeds are measured.
const MEASURED: f64 = 40.0;

/// A stream in a corridor that repeats.
#[derive(Clone, Copy, Debug)]
struct Stream {
    /// The length of the corridor in metres.
    length: f64,
    /// Its width in metres.
    width: f64,
    /// Persons per square metre.
    density: f64,
    /// The law of free speeds.
    speed: Law,
    /// The nominal free speed in m/s: results are scaled from the mean of those drawn to it.
    nominal: f64,
    /// True if half of the people walk the other way.
    is_both_ways: bool,
}

impl Stream {
    fn new(length: f64, width: f64, density: f64) -> Stream {
        let nominal = data::WEIDMANN_SPEED;
        Stream { length, width, density, speed: Law::Fixed(nominal), nominal, is_both_ways: false }
    }

    fn speed(self, speed: f64) -> Stream {
        Stream { speed: Law::Fixed(speed), nominal: speed, ..self }
    }

    fn spread(self) -> Stream {
        Stream { speed: Law::WALKERS, ..self }
    }

    fn both_ways(self) -> Stream {
        Stream { is_both_ways: true, ..self }
    }

    /// Runs the stream. Returns the mean speed along the way in m/s.
    fn run(&self, lab: &Lab, seed: u64) -> Result<(f64, Trace)> {
        let site = Site::ring(self.length, self.width)?;
        let mut sim = Sim::new(lab, &site, seed)?;
        let count = (self.density * self.length * self.width).round() as usize;
        let ways = [(Goal::Direction([1.0, 0.0]), 0), (Goal::Direction([-1.0, 0.0]), 1)];
        let ways = if self.is_both_ways { &ways[..] } else { &ways[..1] };
        sim.fill_mixed(count, [0.0, 0.0, self.length, self.width], self.speed, ways, seed)?;
        let free: Vec<f64> = sim.people().iter().map(|person| person.speed).collect();
        sim.run_for(DISCARDED, |_| ())?;
        let mut speeds = Vec::new();
        sim.run_for(MEASURED, |sim| {
            let along =
                sim.present().iter().map(|b| if b.group == 0 { b.velocity[0] } else { -b.velocity[0] });
            speeds.push(along.sum::<f64>() / count as f64);
        })?;
        let caption = format!("{} by {} m at {} per m²", self.length, self.width, self.density);
        Ok((mean(&speeds) * self.nominal / mean(&free), sim.finish(caption)))
    }
}

/// Runs streams with every seed. Returns the mean speed of each; adds overlap and the picture of one.
fn measure(lab: &Lab, streams: &[Stream], outcome: &mut Outcome) -> Result<Vec<f64>> {
    let runs = lab.each(streams, |stream, seed| stream.run(lab, seed))?;
    let shown = streams.len() / 2;
    let mut means = Vec::new();
    for (index, runs) in runs.into_iter().enumerate() {
        means.push(mean(&runs.iter().map(|run| run.0).collect::<Vec<_>>()));
        for (nth, (_, trace)) in runs.into_iter().enumerate() {
            if index == shown && nth == 0 { outcome.take(trace) } else { outcome.take_unseen(trace) }
        }
    }
    Ok(means)
}

/// Returns Weidmann's curve for a chart.
fn weidmann_curve() -> Vec<(f64, f64)> {
    (4..=52).map(|k| f64::from(k) * 0.1).map(|density| (density, data::weidmann(density))).collect()
}

fn data_points(table: &[data::DensitySpeed]) -> Vec<(f64, f64)> {
    table.iter().map(|(density, speed, _)| (*density, *speed)).collect()
}

/// Judges speeds by Weidmann's and draws them.
fn judge_weidmann(outcome: &mut Outcome, title: &str, densities: &[f64], speeds: &[f64], share: f64) {
    for (density, speed) in densities.iter().zip(speeds) {
        outcome.near(format!("speed at {density} per m²"), *speed, "m/s", data::weidmann(*density), share);
    }
    let ours = densities.iter().copied().zip(speeds.iter().copied()).collect();
    let chart = Chart::new(title, "persons per m²", "m/s")
        .with("Jülich, open 3.0 m", Mark::Data, data_points(data::CORRIDOR))
        .with("Jülich, ring 1.8 m", Mark::Data, data_points(data::RING))
        .with("Weidmann 1993", Mark::Law, weidmann_curve())
        .with("measured here", Mark::Ours, ours);
    outcome.charts.push(chart);
}

/// One stream in 26 by 2 m. Parts: `rimea` (speeds by Weidmann, falling), `imo` (flow falls when crowded).
pub fn ring_narrow(lab: &Lab) -> Result<Outcome> {
    let densities: &[f64] = if lab.is_quick() { &[0.5, 2.0, 4.0] } else { &[0.5, 1.0, 2.0, 3.0, 4.0] };
    let streams: Vec<Stream> = densities.iter().map(|density| Stream::new(26.0, 2.0, *density)).collect();
    let mut outcome = Outcome::default();
    let speeds = measure(lab, &streams, &mut outcome)?;
    outcome.part("rimea");
    judge_weidmann(&mut outcome, "one stream, 26 by 2 m", densities, &speeds, 0.2);
    let rises = speeds.windows(2).filter(|pair| pair[1] > pair[0] + 0.02).count();
    outcome.all("densities at which speed rises", rises, 0);
    outcome.part("imo");
    let flow = |density: f64| {
        densities.iter().position(|at| *at == density).map_or(f64::NAN, |index| density * speeds[index])
    };
    outcome.at_most("flow at 4 per m² as a share of that at 2", flow(4.0) / flow(2.0), "", 0.9999);
    Ok(outcome)
}

/// Movement at 5 persons per square metre, where Weidmann's speed is 0.04 m/s.
pub fn ring_jammed(lab: &Lab) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let speeds = measure(lab, &[Stream::new(26.0, 2.0, 5.0)], &mut outcome)?;
    outcome.show("speed at 5 per m²", speeds[0], "m/s");
    outcome.note = format!("Weidmann has {:.3} m/s.", data::weidmann(5.0));
    Ok(outcome)
}

/// One stream in 20 by 4 m.
pub fn ring_wide(lab: &Lab) -> Result<Outcome> {
    let densities = [0.5, 1.0, 2.0, 3.0, 4.0];
    let streams = densities.map(|density| Stream::new(20.0, 4.0, density));
    let mut outcome = Outcome::default();
    let speeds = measure(lab, &streams, &mut outcome)?;
    judge_weidmann(&mut outcome, "one stream, 20 by 4 m", &densities, &speeds, 0.2);
    Ok(outcome)
}

/// Spread speeds: the fast overtake the slow.
pub fn overtaking(lab: &Lab) -> Result<Outcome> {
    let wide = [0.5, 1.0].map(|density| Stream::new(20.0, 4.0, density).spread());
    let narrow = [0.5, 1.0, 2.0].map(|density| Stream::new(26.0, 2.0, density).spread());
    let streams: Vec<Stream> = narrow.into_iter().chain(wide).collect();
    let mut outcome = Outcome::default();
    let speeds = measure(lab, &streams, &mut outcome)?;
    for (stream, speed) in streams.iter().zip(&speeds) {
        let name = format!("speed at {} per m² in {} m", stream.density, stream.width);
        outcome.near(name, *speed, "m/s", data::weidmann(stream.density), 0.15);
    }
    Ok(outcome)
}

/// Two streams in 20 by 3.6 m, at the free speed of the experiments.
pub fn both_ways(lab: &Lab) -> Result<Outcome> {
    let table: Vec<data::DensitySpeed> = data::BIDIRECTIONAL.iter().skip(1).copied().collect();
    let streams: Vec<Stream> = table
        .iter()
        .map(|(density, ..)| Stream::new(20.0, 3.6, *density).speed(data::BIDIRECTIONAL_SPEED).both_ways())
        .collect();
    let mut outcome = Outcome::default();
    let speeds = measure(lab, &streams, &mut outcome)?;
    for ((density, wanted, _), speed) in table.iter().zip(&speeds) {
        let name = format!("speed at {density} per m²");
        if *density <= 3.0 {
            outcome.near(name, *speed, "m/s", *wanted, 0.2);
        } else {
            outcome.show(name, *speed, "m/s");
        }
    }
    let ours = table.iter().map(|row| row.0).zip(speeds).collect();
    let chart = Chart::new("two streams, 20 by 3.6 m", "persons per m²", "m/s")
        .with("Jülich, both ways 3.6 m", Mark::Data, data_points(data::BIDIRECTIONAL))
        .with("measured here", Mark::Ours, ours);
    outcome.charts.push(chart);
    Ok(outcome)
}

/// Two streams in 20 by 4 m, by Weidmann. Parts: `judged` up to 3 per m², `crowded` at 4.
pub fn both_ways_wide(lab: &Lab) -> Result<Outcome> {
    let densities = [1.0, 2.0, 3.0, 4.0];
    let streams = densities.map(|density| Stream::new(20.0, 4.0, density).both_ways());
    let mut outcome = Outcome::default();
    let speeds = measure(lab, &streams, &mut outcome)?;
    for (density, speed) in densities.iter().zip(&speeds) {
        let name = format!("speed at {density} per m²");
        if *density <= 3.0 {
            outcome.part("judged");
            outcome.near(name, *speed, "m/s", data::weidmann(*density), 0.2);
        } else {
            outcome.part("crowded");
            outcome.show(name, *speed, "m/s");
            outcome.show("Weidmann's speed", data::weidmann(*density), "m/s");
        }
    }
    Ok(outcome)
}

/// Single file (RiMEA 16): a corridor 0.8 m wide that repeats after 26 m.
pub fn single_file(lab: &Lab) -> Result<Outcome> {
    let rows: Vec<(f64, [f64; 3])> =
        data::SINGLE_FILE.iter().filter(|row| (0.4..2.0).contains(&row.0)).copied().collect();
    let stream = |row: &(f64, [f64; 3]), speed: f64| Stream::new(26.0, 0.8, row.0 / 0.8).speed(speed);
    let streams: Vec<Stream> = rows.iter().map(|row| stream(row, data::WEIDMANN_SPEED)).collect();
    let mut outcome = Outcome::default();
    let speeds = measure(lab, &streams, &mut outcome)?;
    let slow: Vec<Stream> = rows.iter().map(|row| stream(row, 0.9)).collect();
    let slow = measure(lab, &slow, &mut Outcome::default())?;
    let inside =
        rows.iter().zip(&speeds).filter(|((_, [low, _, high]), v)| (*low..=*high).contains(v)).count();
    outcome.at_least(
        "share of points between 10 and 90 per cent",
        inside as f64 / rows.len() as f64,
        "",
        0.75,
    );
    outcome.at_most("mean speed of the slower as a share", mean(&slow) / mean(&speeds), "", 0.9999);
    for (row, speed) in rows.iter().zip(&speeds) {
        outcome.show(format!("speed at {} per m", row.0), *speed, "m/s");
    }
    let percentile = |which: usize| data::SINGLE_FILE.iter().map(|row| (row.0, row.1[which])).collect();
    let ours = |speeds: &[f64]| rows.iter().map(|row| row.0).zip(speeds.iter().copied()).collect();
    let chart = Chart::new("single file", "persons per m", "m/s")
        .with("10 %", Mark::Law, percentile(0))
        .with("50 %", Mark::Data, percentile(1))
        .with("90 %", Mark::Law, percentile(2))
        .with("1.34 m/s here", Mark::Ours, ours(&speeds))
        .with("0.9 m/s here", Mark::Ours, ours(&slow));
    outcome.charts.push(chart);
    Ok(outcome)
}

/// A corridor with 60, 120 and 240 people at 1 m/s (ISO 13): nobody is faster than assigned, and speed falls.
pub fn assigned(lab: &Lab) -> Result<Outcome> {
    let streams = [60.0, 120.0, 240.0].map(|count: f64| Stream::new(40.0, 3.0, count / 120.0).speed(1.0));
    let mut outcome = Outcome::default();
    let speeds = measure(lab, &streams, &mut outcome)?;
    for (count, speed) in [60, 120, 240].iter().zip(&speeds) {
        outcome.at_most(format!("speed of {count} people"), *speed, "m/s", 1.05);
    }
    let rises = speeds.windows(2).filter(|pair| pair[1] > pair[0] + 0.02).count();
    outcome.all("numbers of people at which speed rises", rises, 0);
    Ok(outcome)
}
