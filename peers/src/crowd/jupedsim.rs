//! JuPedSim from PyPI, in a Python process of its own. It runs its collision-free speed model at its default time step.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;

use super::peer::{CrowdPeer, Run};
use super::scene::{RADIUS, SPEED, Scene};

/// The time step that JuPedSim recommends, in seconds.
const JUPEDSIM_DT: f64 = 0.01;
/// The version that the figures are of.
const PACKAGE: &str = "jupedsim==1.4.2";
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/python/jupedsim_crowd.py");
const VENV: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/jupedsim");

/// The collision-free speed model of JuPedSim.
pub struct Jupedsim;

impl CrowdPeer for Jupedsim {
    fn name(&self) -> String {
        "JuPedSim CFSM".into()
    }

    fn prepare(&self, scene: &Scene) -> Result<Box<dyn Run>, String> {
        JupedsimRun::start(scene, None).map(|run| Box::new(run) as Box<dyn Run>)
    }

    /// Its steps take long, and repeat well.
    fn rounds(&self, asked: usize) -> usize {
        asked.min(2)
    }
}

/// Microseconds that JuPedSim takes to write a body of a frame to SQLite: steps with its writer less steps without.
pub fn writing(scene: &Scene) -> Result<f64, String> {
    let file = Path::new(VENV).join("trajectories.sqlite");
    let micros = |file: Option<&Path>| {
        let mut run = JupedsimRun::start(scene, file)?;
        run.steps(WRITTEN)?;
        run.steps(WRITTEN).map(|micros| micros / (WRITTEN * scene.bodies.len()) as f64)
    };
    let written = micros(Some(&file))?;
    std::fs::remove_file(&file).ok();
    Ok(written - micros(None)?)
}

/// Frames that JuPedSim writes while the clock runs.
const WRITTEN: usize = 20;

impl JupedsimRun {
    /// Starts Python with a scene, and with a file that takes every frame where one is given.
    fn start(scene: &Scene, file: Option<&Path>) -> Result<JupedsimRun, String> {
        let mut child = Command::new(python()?)
            .arg(SCRIPT)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        let input = child.stdin.take().ok_or("no pipe to Python")?;
        let output = BufReader::new(child.stdout.take().ok_or("no pipe from Python")?);
        let mut run = JupedsimRun { child, input, output, bodies: scene.bodies.len() };
        let ready = run.ask(&as_json(scene, file))?;
        if ready.starts_with("ready") { Ok(run) } else { Err("JuPedSim refused the scene".into()) }
    }
}

fn as_json(scene: &Scene, file: Option<&Path>) -> String {
    let bodies: Vec<_> = scene.bodies.iter().map(|body| (body.at, body.goal)).collect();
    serde_json::json!({
        "outline": scene.outline, "bodies": bodies, "exit": scene.exit,
        "dt": JUPEDSIM_DT, "radius": RADIUS, "speed": SPEED, "file": file,
    })
    .to_string()
}

struct JupedsimRun {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    bodies: usize,
}

impl JupedsimRun {
    /// Sends a line and returns the answer.
    fn ask(&mut self, line: &str) -> Result<String, String> {
        let sent = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        sent.map_err(|_| "JuPedSim ended".to_string())?;
        let mut answer = String::new();
        match self.output.read_line(&mut answer) {
            Ok(0) => Err("JuPedSim ended".into()),
            Ok(_) => Ok(answer),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Run for JupedsimRun {
    fn dt(&self) -> f64 {
        JUPEDSIM_DT
    }

    fn warm_up(&self) -> f64 {
        0.2
    }

    fn measured(&self) -> f64 {
        0.3
    }

    fn bodies(&self) -> usize {
        self.bodies
    }

    fn step(&mut self) -> Result<(), String> {
        self.steps(1).map(|_| ())
    }

    fn steps(&mut self, count: usize) -> Result<f64, String> {
        let answer = self.ask(&count.to_string())?;
        let seconds = answer.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
        seconds.map(|seconds| seconds * 1e6).ok_or_else(|| format!("JuPedSim said {answer}"))
    }
}

impl Drop for JupedsimRun {
    fn drop(&mut self) {
        // It ends by itself when its input closes; nobody waits for the rest of a step.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// The Python that has JuPedSim; it is installed once, in a folder beside our builds.
fn python() -> Result<PathBuf, String> {
    static FOUND: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    FOUND.get_or_init(install).clone()
}

fn install() -> Result<PathBuf, String> {
    let python = Path::new(VENV).join("bin/python");
    let has_it = |python: &Path| run(Command::new(python).args(["-c", "import jupedsim"])).is_ok();
    if has_it(&python) {
        return Ok(python);
    }
    run(Command::new("python3").args(["-m", "venv", VENV])).map_err(|error| format!("no Python: {error}"))?;
    run(Command::new(&python).args(["-m", "pip", "install", "--quiet", PACKAGE]))
        .map_err(|error| format!("pip cannot install {PACKAGE}: {error}"))?;
    if has_it(&python) { Ok(python) } else { Err("JuPedSim does not load".into()) }
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| error.to_string())?;
    let last =
        |text: &[u8]| String::from_utf8_lossy(text).trim().lines().last().unwrap_or("failed").to_owned();
    if output.status.success() { Ok(()) } else { Err(last(&output.stderr)) }
}
