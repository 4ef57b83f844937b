//! The report: one page that plays a run and draws its curves, maps and tables. It asks the network for nothing.

mod base64;
mod stairs;
mod track;

use crate::analysis::{self, Curves, Densities, Diagram, StoreyMap, reference};
use crate::geometry::{Exit, Gate, Line, Probe, Storey};
use crate::{Ensemble, Readings, Recording, Summary};
use base64::base64;
use clearway_base::Result;
use serde_json::{Value, json};
use std::path::Path;

/// The most bytes of places in a page. With a third more for base64 and with maps, the page stays below 15 MB.
const MAX_TRACK_BYTES: usize = 9_000_000;

/// The most points of the curve of an exit.
const MAX_FLOW_POINTS: usize = 1_000;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str =
    concat!(include_str!("player.js"), "\n", include_str!("charts.js"), "\n", include_str!("page.js"));

/// A report page of one run, or of several of which the first is played.
pub struct Report<'a> {
    recording: &'a Recording,
    runs: Vec<Summary>,
    curves: Curves,
    diagram: Diagram,
    maps: Vec<StoreyMap>,
    /// The curves of the other runs.
    others: Vec<Curves>,
    max_track_bytes: usize,
}

impl<'a> Report<'a> {
    /// Makes the report of a run.
    pub fn new(recording: &'a Recording) -> Report<'a> {
        let densities = Densities::of(recording);
        let diagram = analysis::diagram(recording, &densities);
        Report {
            recording,
            runs: vec![Summary::with_densities(recording, &densities, diagram.bins.clone())],
            curves: analysis::curves(recording, &densities),
            diagram,
            maps: analysis::maps(recording, &densities),
            others: Vec::new(),
            max_track_bytes: MAX_TRACK_BYTES,
        }
    }

    /// Adds another run of the same scenario. It gets a row in the table of runs, and a curve.
    pub fn add_run(&mut self, recording: &Recording) {
        let densities = Densities::of(recording);
        let bins = analysis::diagram(recording, &densities).bins;
        self.runs.push(Summary::with_densities(recording, &densities, bins));
        self.others.push(analysis::curves(recording, &densities));
    }

    /// Changes how many bytes of places the page may hold; by default 9 MB. Frames are left out to keep to it.
    #[must_use]
    pub fn max_track_bytes(mut self, max_track_bytes: usize) -> Report<'a> {
        self.max_track_bytes = max_track_bytes.max(1);
        self
    }

    /// Returns the summaries of all runs, the played one first.
    pub fn summaries(&self) -> &[Summary] {
        &self.runs
    }

    /// Returns the page.
    pub fn to_html(&self) -> String {
        let track = track::track(self.recording, self.max_track_bytes);
        let mut data = self.data();
        data["track"] = json!(track);
        // A script ends at the first `</`, also within a text.
        let data = data.to_string().replace("</", "<\\/");
        let title = escaped(&format!("{} · clearway", self.recording.header().scenario));
        fill(
            PAGE,
            &[
                ("title", &title),
                ("style", STYLE),
                ("data", &data),
                ("track", &base64(&track.bytes)),
                ("script", SCRIPT),
            ],
        )
    }

    /// Writes the page to a file.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        let page = self.to_html();
        crate::draft::write(path.as_ref(), |out| out.write_all(page.as_bytes()))
    }

    /// Everything that the page shows beside the places.
    fn data(&self) -> Value {
        let (recording, header) = (self.recording, self.recording.header());
        let others = self.others.iter().map(|curves| json!({ "time": curves.time, "inside": curves.inside }));
        json!({
            "summary": self.runs[0],
            "ensemble": (self.runs.len() > 1).then(|| Ensemble::of(&self.runs)),
            "scenarioText": header.scenario_text,
            "settings": header.settings,
            "bounds": recording.bounds(),
            "storeys": list(&recording.geometry().storeys, storey),
            "exits": list(&recording.geometry().exits, exit),
            "gates": list(&recording.geometry().gates, gate),
            "probes": recording.geometry().probes.iter().zip(recording.readings()).map(probe).collect::<Vec<_>>(),
            "stairs": stairs::flights(recording.geometry()),
            "usedStoreys": recording.used_storeys(),
            "curves": rounded_curves(&self.curves),
            "runs": others.collect::<Vec<_>>(),
            "flows": list(&analysis::exit_flows(recording), flow),
            "diagram": diagram(&self.diagram),
            "weidmann": weidmann(),
            "references": list(&[reference::OPEN_CORRIDOR, reference::CLOSED_RING], measured),
            "maps": list(&self.maps, map),
            "topSpeed": top_speed(recording),
        })
    }
}

/// Describes each element for the page.
fn list<T>(elements: &[T], describe: fn(&T) -> Value) -> Vec<Value> {
    elements.iter().map(describe).collect()
}

fn storey(storey: &Storey) -> Value {
    let lines = |lines: &[Line]| lines.iter().map(flat).collect::<Vec<_>>();
    json!({ "name": storey.name, "rings": lines(&storey.rings), "walls": lines(&storey.walls), "floor": lines(&storey.floor) })
}

fn exit(exit: &Exit) -> Value {
    let outline: Vec<_> = exit.outline.iter().flatten().map(|c| millimetres(*c)).collect();
    json!({ "name": exit.name, "storey": exit.storey, "outline": outline })
}

fn gate(gate: &Gate) -> Value {
    let line: Vec<_> = gate.line.iter().flatten().map(|c| millimetres(*c)).collect();
    json!({ "name": gate.name, "storey": gate.storey, "line": line, "closed": gate.closed })
}

/// A line with its counts in both directions, or an area with its curves.
fn probe((probe, readings): (&Probe, &Readings)) -> Value {
    let points: Vec<_> = probe.points.iter().flatten().map(|c| millimetres(*c)).collect();
    let counts = [true, false].map(|to_left| {
        let times = readings.crossings.iter().filter(|crossing| crossing.to_left == to_left);
        counted(&times.map(|crossing| crossing.time).collect::<Vec<_>>())
    });
    let stride = readings.samples.len().div_ceil(MAX_FLOW_POINTS).max(1);
    let samples = readings.samples.iter().step_by(stride).map(|sample| {
        json!([millimetres(sample.time), millimetres(sample.density), sample.speed.map(millimetres)])
    });
    json!({
        "name": probe.name, "storey": probe.storey, "height": probe.height, "points": points,
        "left": counts[0], "right": counts[1], "samples": samples.collect::<Vec<_>>(),
    })
}

fn measured(reference: &reference::Reference) -> Value {
    json!({ "name": reference.name, "points": reference.points })
}

/// The curve of Weidmann from no density to a jam.
fn weidmann() -> Vec<[f64; 2]> {
    let densities = (0..=108).map(|i| f64::from(i) * 0.05);
    densities.map(|density| [millimetres(density), millimetres(reference::weidmann(density))]).collect()
}

/// Puts texts in the places of their names. A text is never searched for names of others.
fn fill(page: &str, texts: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = page;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        filled.push_str(before);
        filled.push_str(texts.iter().find(|text| text.0 == name).map_or("", |text| text.1));
        rest = after;
    }
    filled + rest
}

/// A text that HTML shows as it is.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A number with three digits: enough to draw.
fn millimetres(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

fn flat(line: &Line) -> Vec<f64> {
    line.iter().flat_map(|p| [millimetres(p[0]), millimetres(p[1])]).collect()
}

fn rounded_curves(curves: &Curves) -> Value {
    let round = |list: &[f64]| list.iter().map(|value| millimetres(*value)).collect::<Vec<_>>();
    json!({
        "time": round(&curves.time),
        "inside": curves.inside,
        "speed": curves.speed.iter().map(|speed| speed.map(millimetres)).collect::<Vec<_>>(),
        "density_time": round(&curves.density_time),
        "mean_density": round(&curves.mean_density),
        "peak_density": round(&curves.peak_density),
    })
}

/// The curve of an exit: times and people so far.
fn flow(flow: &analysis::ExitFlow) -> Value {
    json!({ "name": flow.name, "people": flow.times.len(), "flow": flow.flow, "points": counted(&flow.times) })
}

/// Times and how many people came until then; every so many, if there are many.
fn counted(times: &[f64]) -> Vec<[f64; 2]> {
    let stride = times.len().div_ceil(MAX_FLOW_POINTS).max(1);
    let last = times.len().saturating_sub(1);
    let is_kept = |index: usize| index.is_multiple_of(stride) || index == last;
    let kept = times.iter().enumerate().filter(|(index, _)| is_kept(*index));
    kept.map(|(index, time)| [millimetres(*time), (index + 1) as f64]).collect()
}

fn diagram(diagram: &Diagram) -> Value {
    let point = |p: &analysis::Point| [millimetres(p.density), millimetres(p.speed)];
    json!({ "points": diagram.points.iter().map(point).collect::<Vec<_>>(), "bins": diagram.bins })
}

/// A map as bytes: 0 where nobody was, else 1 for nothing up to 255 for the top of the scale and all above it. The top
/// is what 99 of 100 squares do not exceed, so that no single square rules the colours.
fn map(map: &StoreyMap) -> Value {
    let layer = |values: &[f32], is_there: &dyn Fn(usize) -> bool| {
        let there = values.iter().enumerate().filter(|(index, _)| is_there(*index));
        let mut sorted: Vec<f32> = there.map(|(_, value)| *value).collect();
        sorted.sort_by(f32::total_cmp);
        let max = sorted.last().copied().unwrap_or(0.0);
        let top = sorted.get((sorted.len() * 99).div_ceil(100).saturating_sub(1)).copied().unwrap_or(0.0);
        let byte = |(index, value): (usize, &f32)| {
            let share = if top > 0.0 { (value.max(0.0) / top).min(1.0) } else { 0.0 };
            if is_there(index) { 1 + (share * 254.0).round() as u8 } else { 0 }
        };
        let bytes: Vec<u8> = values.iter().enumerate().map(byte).collect();
        json!({ "max": max, "top": top, "data": base64(&bytes) })
    };
    json!({
        "low": map.low,
        "side": map.side,
        "columns": map.columns,
        "rows": map.rows,
        "density": layer(&map.density, &|i| map.density[i] > 0.0),
        "peak": layer(&map.peak, &|i| map.peak[i] > 0.0),
        "congested": layer(&map.congested, &|i| map.congested[i] > 0.0),
        "speed": layer(&map.speed, &|i| map.speed[i] >= 0.0),
    })
}

/// The speed at the end of the scale of colours: the highest free speed, to the next tenth.
fn top_speed(recording: &Recording) -> f64 {
    let top = recording.agents().iter().map(|agent| agent.speed).fold(0.5, f64::max);
    (top * 10.0).ceil() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn the_page_is_whole_and_asks_for_nothing() {
        let recording = testing::door(60, 1);
        let mut report = Report::new(&recording);
        report.add_run(&testing::door(60, 2));
        let page = report.to_html();
        assert!(!page.contains("{{") && page.ends_with("</html>\n"));
        for outside in ["http://", "https://", "src=", "@import", "fetch("] {
            let found: Vec<_> = page.match_indices(outside).map(|(at, _)| &page[at..at + 26]).collect();
            // The name of the SVG language is no address that is asked.
            assert!(found.iter().all(|text| text.starts_with("http://www.w3.org/2000/svg")), "{found:?}");
        }
        assert!(page.contains(r#""gates":[{"closed":[[1.0,2.5]],"line":[12.0,4.4,12.0,5.6],"name":"gate""#));
        // The text of the scenario ends no script.
        assert_eq!(page.matches("</script>").count(), 3);
        assert!(page.contains("count = 200 # <\\/script> & <b>"));
    }

    /// One square of 400 ruled the colours of all.
    #[test]
    fn the_scale_of_a_map_ends_where_99_of_100_squares_lie() {
        let recording = testing::door(60, 1);
        let mut maps = analysis::maps(&recording, &Densities::of(&recording));
        let map_ = &mut maps[0];
        map_.density.iter_mut().for_each(|density| *density = 2.0);
        map_.density[0] = 50.0;
        let value = map(map_);
        assert_eq!(
            (value["density"]["max"].as_f64(), value["density"]["top"].as_f64()),
            (Some(50.0), Some(2.0))
        );
    }

    #[test]
    fn lines_and_areas_have_curves_on_the_page() {
        let recording = testing::door(60, 1);
        let data = Report::new(&recording).data();
        assert_eq!(data["probes"][0]["right"].as_array().unwrap().len(), 50);
        assert_eq!(data["probes"][0]["left"].as_array().unwrap().len(), 0);
        assert!(data["probes"][1]["samples"].as_array().unwrap().len() > 10);
        assert_eq!(data["summary"]["lines"][0]["to_right"]["people"], 50);
    }

    #[test]
    fn a_storey_without_people_is_not_shown() {
        let mut recording = testing::tower(30);
        let mut roof = recording.header.geometry.storeys[2].clone();
        roof.height = 10.5;
        recording.header.geometry.storeys.push(roof);
        assert_eq!(recording.used_storeys(), [0, 1, 2]);
    }

    #[test]
    fn long_runs_are_thinned_to_the_limit_of_the_page() {
        let recording = testing::door(120, 1);
        let whole = track::track(&recording, usize::MAX);
        let thin = track::track(&recording, whole.bytes.len() / 10);
        assert!(thin.bytes.len() <= whole.bytes.len() / 10);
        let note = serde_json::to_value(&thin).unwrap()["note"].to_string();
        assert!(note.contains("one frame of"), "{note}");
    }

    #[test]
    fn an_empty_run_has_a_page() {
        let recorder =
            crate::Recorder::new(crate::Header::new("nobody", crate::Geometry::default())).unwrap();
        let recording = recorder.finish();
        assert!(Report::new(&recording).to_html().len() > 10_000);
    }
}
