//! PedPy, the analysis library of the field, reads what is written. Skipped where Python or PedPy cannot be had.

use crate::{AgentRecord, Geometry, Header, Place, Recorder, analysis, formats, testing};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The release of PedPy that is tested with.
const PEDPY: &str = "pedpy==1.5.1";

/// Loads both files, and prints how many rows, bodies and seconds they have and the mean speed.
const SCRIPT: &str = r#"
import pathlib, sys
import pedpy
sqlite, text = map(pathlib.Path, sys.argv[1:])
for trajectory in [
    pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=sqlite),
    pedpy.load_trajectory(trajectory_file=text),
]:
    data = trajectory.data
    speed = pedpy.compute_individual_speed(
        traj_data=trajectory, frame_step=5, speed_calculation=pedpy.SpeedCalculation.BORDER_ADAPTIVE)
    print(len(data), data.id.nunique(), trajectory.frame_rate, speed.speed.mean(), data.x.sum())
print(pedpy.load_walkable_area_from_jupedsim_sqlite(trajectory_file=sqlite).area)
"#;

/// Returns a Python that has PedPy: that of `CLEARWAY_PEDPY`, or one in the target folder, made if need be.
fn python() -> Option<&'static Path> {
    static PYTHON: OnceLock<Option<PathBuf>> = OnceLock::new();
    let python = PYTHON.get_or_init(find_python).as_deref();
    if python.is_none() {
        println!("skipped: no Python with {PEDPY}; set CLEARWAY_PEDPY to a Python that has it");
    }
    python
}

fn find_python() -> Option<PathBuf> {
    let runs = |python: &Path| {
        Command::new(python).args(["-c", "import pedpy"]).output().is_ok_and(|output| output.status.success())
    };
    if let Some(python) = std::env::var_os("CLEARWAY_PEDPY").map(PathBuf::from) {
        return runs(&python).then_some(python);
    }
    // The test stands in `target/PROFILE/deps`.
    let folder = std::env::current_exe().ok()?.ancestors().nth(3)?.join("tmp/pedpy");
    let python = folder.join("bin/python");
    if runs(&python) {
        return Some(python);
    }
    let succeeds =
        |command: &mut Command| command.output().is_ok_and(|output| output.status.success()).then_some(());
    succeeds(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    succeeds(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--retries", "0", PEDPY]))?;
    runs(&python).then_some(python)
}

/// Runs a script. Returns what it printed, and the numbers in it, line by line.
fn run(python: &Path, script: &str, files: &[&Path]) -> (String, Vec<Vec<f64>>) {
    let output = Command::new(python).args(["-c", script]).args(files).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    let numbers = |line: &str| line.split(' ').map(|word| word.parse().unwrap()).collect();
    let lines = printed.lines().map(numbers).collect();
    (printed, lines)
}

/// Prints the density around each body, in the order of the bodies.
const DENSITIES: &str = r#"
import pathlib, sys
import pedpy
sqlite = pathlib.Path(sys.argv[1])
trajectory = pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=sqlite)
area = pedpy.load_walkable_area_from_jupedsim_sqlite(trajectory_file=sqlite)
cells = pedpy.compute_individual_voronoi_polygons(
    traj_data=trajectory, walkable_area=area, cut_off=pedpy.Cutoff(radius=0.8, quad_segments=3))
for density in cells.sort_values("id").density:
    print(density)
"#;

/// Returns our densities and those of PedPy for bodies at rest in a room of one ring.
fn densities(python: &Path, room: Vec<[f64; 2]>, places: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut recorder = Recorder::new(Header::new("room", Geometry::of_plan(&[room], &[]))).unwrap();
    let place = |(number, [x, y]): (usize, &[f64; 2])| {
        recorder.add_agent(AgentRecord::new(number as u64)).unwrap();
        Place::new(number as u32, [*x, *y, 0.0])
    };
    let places: Vec<_> = places.iter().enumerate().map(place).collect();
    recorder.frame(0.0, places.clone()).unwrap();
    recorder.frame(0.1, places.clone()).unwrap();
    let recording = recorder.finish();
    // Tests run side by side.
    let scratch = clearway_scenes::Scratch::new(&format!("record_pedpy_density_{}", places.len()));
    let sqlite = scratch.path("run.sqlite");
    formats::write(&recording, &sqlite).unwrap();
    let (printed, lines) = run(python, DENSITIES, &[&sqlite]);
    let ours = analysis::DensityMeter::new(&recording).frame(&recording, 0);
    assert_eq!(lines.len(), 2 * places.len(), "{printed}");
    // Both frames have every body.
    ours.iter().zip(lines.chunks(2)).map(|(ours, theirs)| [*ours, theirs[0][0]]).collect()
}

/// Returns places in a box.
fn scattered(dice: &mut testing::Dice, count: usize, low: [f64; 2], high: [f64; 2]) -> Vec<[f64; 2]> {
    (0..count).map(|_| [dice.between(low[0], high[0]), dice.between(low[1], high[1])]).collect()
}

#[test]
fn densities_are_those_of_pedpy() {
    let Some(python) = python() else { return };
    let room = vec![[0.0, 0.0], [9.0, 1.0], [8.0, 7.0], [1.0, 6.0]];
    let places = scattered(&mut testing::Dice::new(5), 80, [1.1, 1.1], [7.9, 5.9]);
    for (index, [ours, theirs]) in densities(python, room, &places).into_iter().enumerate() {
        assert!((theirs / ours - 1.0).abs() < 1e-6 || ours >= 20.0, "body {index}: {ours} {theirs}");
    }
}

/// A jamb used to cut half of the doorway away: densities came out a quarter too high.
#[test]
fn at_a_doorway_densities_are_near_those_of_pedpy() {
    let Some(python) = python() else { return };
    let [left, right] = [5.0, 5.4];
    let [low, high] = [2.4, 3.6];
    let room = vec![
        [0.0, 0.0],
        [left, 0.0],
        [left, low],
        [right, low],
        [right, 0.0],
        [10.0, 0.0],
        [10.0, 6.0],
        [right, 6.0],
        [right, high],
        [left, high],
        [left, 6.0],
        [0.0, 6.0],
    ];
    let mut dice = testing::Dice::new(7);
    let mut places = scattered(&mut dice, 30, [3.6, 1.0], [4.9, 5.0]);
    places.extend(scattered(&mut dice, 6, [left, low + 0.1], [right, high - 0.1]));
    places.extend(scattered(&mut dice, 30, [5.5, 1.0], [7.0, 5.0]));
    let found = densities(python, room, &places);
    let sum = |which: usize| found.iter().map(|pair| pair[which].min(20.0)).sum::<f64>();
    // What is behind a corner counts for PedPy only.
    assert!(found.iter().all(|[ours, theirs]| *ours >= theirs.min(20.0) * (1.0 - 1e-6)), "{found:?}");
    assert!(sum(0) < 1.03 * sum(1), "{} {}", sum(0), sum(1));
}

#[test]
fn pedpy_reads_the_files() {
    let Some(python) = python() else { return };
    let scratch = clearway_scenes::Scratch::new("record_pedpy");
    let recording = testing::door(60, 1);
    let (sqlite, text) = (scratch.path("run.sqlite"), scratch.path("run.txt"));
    formats::write(&recording, &sqlite).unwrap();
    formats::write(&recording, &text).unwrap();
    let (printed, lines) = run(python, SCRIPT, &[&sqlite, &text]);
    let x: f64 = (0..recording.frames()).flat_map(|i| recording.frame(i)).map(|s| s.xy()[0]).sum();
    for line in &lines[..2] {
        assert_eq!(line[..3], [recording.samples() as f64, 60.0, 10.0], "{printed}");
        assert!((line[4] - x).abs() < 1e-6 * x.abs(), "{printed} {x}");
        // Theirs is a mean over rows with wider differences, ours a mean over time.
        assert!((line[3] / recording.measures().mean_speed - 1.0).abs() < 0.02, "{printed}");
    }
    // A room of 12 by 10 with a pillar, a passage of 2 by 1.2, a hall of 6 by 4 and a niche of 2 by 1.
    assert!((lines[2][0] - (120.0 - 1.0 + 2.4 + 24.0 + 2.0)).abs() < 1e-9, "{printed}");
}
