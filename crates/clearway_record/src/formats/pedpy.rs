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

#[test]
fn densities_are_those_of_pedpy() {
    let Some(python) = python() else { return };
    let room = vec![[0.0, 0.0], [9.0, 1.0], [8.0, 7.0], [1.0, 6.0]];
    let mut recorder = Recorder::new(Header::new("room", Geometry::of_plan(&[room], &[]))).unwrap();
    let mut dice = testing::Dice::new(5);
    let place = |number: u32| {
        recorder.add_agent(AgentRecord::new(u64::from(number))).unwrap();
        Place::new(number, [dice.between(1.1, 7.9), dice.between(1.1, 5.9), 0.0])
    };
    let places: Vec<_> = (0..80).map(place).collect();
    recorder.frame(0.0, places.clone()).unwrap();
    recorder.frame(0.1, places).unwrap();
    let recording = recorder.finish();
    let scratch = clearway_scenes::Scratch::new("record_pedpy_density");
    let sqlite = scratch.path("run.sqlite");
    formats::write(&recording, &sqlite).unwrap();
    let (printed, lines) = run(python, DENSITIES, &[&sqlite]);
    let ours = analysis::DensityMeter::new(&recording).frame(&recording, 0);
    assert_eq!(lines.len(), 160, "{printed}");
    for (index, theirs) in lines.iter().enumerate() {
        let ours = ours[index / 2];
        assert!(
            (theirs[0] / ours - 1.0).abs() < 1e-6 || ours >= 20.0,
            "body {}: {ours} {theirs:?}",
            index / 2
        );
    }
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
