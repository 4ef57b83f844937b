//! The curves of a run as tables of comma-separated values, one file each.

use crate::analysis::{Densities, curves, exit_flows};
use crate::draft::unwritable;
use crate::{Crossing, Recording};
use clearway_base::Result;
use std::path::{Path, PathBuf};

/// Writes the curves of a run into a folder, which is made if it is not there. Returns the files.
pub fn write(recording: &Recording, folder: &Path) -> Result<Vec<PathBuf>> {
    std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    let mut files = Vec::new();
    for (name, text) in tables(recording) {
        let path = folder.join(name);
        crate::draft::write(&path, |out| out.write_all(text.as_bytes()))?;
        files.push(path);
    }
    Ok(files)
}

/// Returns the name and the text of each table. Lines and areas have tables only where there are any.
fn tables(recording: &Recording) -> Vec<(&'static str, String)> {
    let densities = Densities::of(recording);
    let curves = curves(recording, &densities);
    let people = (0..curves.time.len())
        .map(|i| format!("{},{},{}", rounded(curves.time[i]), curves.inside[i], maybe(curves.speed[i])));
    let density = (0..curves.density_time.len()).map(|i| {
        [curves.density_time[i], curves.mean_density[i], curves.peak_density[i]].map(rounded).join(",")
    });
    let flows = exit_flows(recording);
    let exits = flows.iter().flat_map(|flow| counted(quoted(&flow.name), flow.times.iter().copied()));
    let mut tables = vec![
        ("people.csv", table("time_s,people_inside,mean_speed_m_s", people)),
        ("density.csv", table("time_s,mean_density_m2,highest_density_m2", density)),
        ("exits.csv", table("exit,time_s,people_through", exits)),
    ];
    let probes = || recording.geometry().probes.iter().zip(recording.readings());
    let (mut lines, mut areas) = (Vec::new(), Vec::new());
    for (probe, readings) in probes() {
        let name = quoted(&probe.name);
        for (way, to_left) in [("right", false), ("left", true)] {
            let is_this = move |crossing: &&Crossing| crossing.to_left == to_left;
            let times = readings.crossings.iter().filter(is_this).map(|crossing| crossing.time);
            lines.extend(counted(format!("{name},{way}"), times));
        }
        areas.extend(readings.samples.iter().map(|sample| {
            format!("{name},{},{},{}", rounded(sample.time), rounded(sample.density), maybe(sample.speed))
        }));
    }
    if probes().any(|(probe, _)| !probe.is_area()) {
        tables.push(("lines.csv", table("line,to,time_s,people_across", lines)));
    }
    if probes().any(|(probe, _)| probe.is_area()) {
        tables.push(("areas.csv", table("area,time_s,density_m2,mean_speed_m_s", areas)));
    }
    tables
}

fn table(head: &str, rows: impl IntoIterator<Item = String>) -> String {
    let rows: String = rows.into_iter().map(|row| row + "\n").collect();
    format!("{head}\n{rows}")
}

/// Returns a row for each time: what comes first, the time, and how many there were until then.
fn counted(first: String, times: impl Iterator<Item = f64>) -> impl Iterator<Item = String> {
    times.enumerate().map(move |(index, time)| format!("{first},{},{}", rounded(time), index + 1))
}

/// Returns a number with four digits at most.
fn rounded(value: f64) -> String {
    ((value * 1e4).round() / 1e4).to_string()
}

fn maybe(value: Option<f64>) -> String {
    value.map_or(String::new(), rounded)
}

/// Returns a name as a field: in quotes if it has a comma, a quote or the end of a line in it.
fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn each_curve_is_a_table() {
        let scratch = clearway_scenes::Scratch::new("record_csv");
        let recording = testing::door(60, 1);
        let files = write(&recording, &scratch.path("curves")).unwrap();
        let read = |name: &str| {
            let path = files.iter().find(|file| file.ends_with(name)).unwrap();
            std::fs::read_to_string(path).unwrap()
        };
        assert_eq!(files.len(), 5);
        assert!(read("people.csv").starts_with("time_s,people_inside,mean_speed_m_s\n0,60,"));
        assert!(read("exits.csv").lines().any(|row| row.starts_with("east,") && row.ends_with(",50")));
        assert!(
            read("lines.csv").lines().any(|row| row.starts_with("east line,right,") && row.ends_with(",50"))
        );
        assert_eq!(read("areas.csv").lines().next(), Some("area,time_s,density_m2,mean_speed_m_s"));
        assert_eq!(quoted("a, \"b\""), "\"a, \"\"b\"\"\"");
    }
}
