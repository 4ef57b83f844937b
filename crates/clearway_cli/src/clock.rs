//! How long the stages of a build take, and a line that says so while one waits.

use clearway::Progress;
use serde::Serialize;
use std::io::IsTerminal;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Work shorter than this says nothing.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often the line changes.
const REFRESH: Duration = Duration::from_millis(200);

/// How long a stage took.
#[derive(Clone, Debug, Serialize)]
pub struct StageTime {
    pub name: &'static str,
    pub ms: f64,
}

/// Notes when each stage of a build begins.
pub struct StageClock {
    begun: Vec<(&'static str, Instant)>,
    line: Option<ProgressLine>,
}

impl StageClock {
    /// A clock that also shows a line on a terminal.
    pub fn start() -> StageClock {
        StageClock { begun: Vec::new(), line: ProgressLine::start() }
    }

    /// The times of the stages in their order. A stage that came twice is there twice.
    pub fn finish(self) -> Vec<StageTime> {
        let end = Instant::now();
        let ends = self.begun.iter().skip(1).map(|(_, begun)| *begun).chain([end]);
        let spans = self.begun.iter().zip(ends);
        spans.map(|((name, begun), end)| StageTime { name, ms: ms(end - *begun) }).collect()
    }
}

impl Progress for StageClock {
    fn stage(&mut self, name: &'static str) -> bool {
        self.begun.push((name, Instant::now()));
        if let Some(line) = &self.line {
            line.show(name);
        }
        true
    }
}

/// Milliseconds, to the microsecond.
pub fn ms(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// A line on the terminal that is there only while work goes on for long.
struct ProgressLine {
    stage: Arc<Mutex<&'static str>>,
    /// Dropped to tell the writer to stop.
    running: Option<Sender<()>>,
    writer: Option<JoinHandle<()>>,
}

impl ProgressLine {
    /// `None` when nobody looks.
    fn start() -> Option<ProgressLine> {
        if !std::io::stderr().is_terminal() {
            return None;
        }
        let stage = Arc::new(Mutex::new("start"));
        let (running, stopped) = mpsc::channel();
        let shown = Arc::clone(&stage);
        let write = move || {
            let begun = Instant::now();
            let mut wait = PATIENCE;
            while stopped.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                wait = REFRESH;
                let name = shown.lock().map_or("", |name| *name);
                let seconds = begun.elapsed().as_secs_f64();
                crate::output::complain(&format!("\r\x1b[2Kclearway: {name} ... {seconds:.1} s"));
            }
            if wait == REFRESH {
                crate::output::complain("\r\x1b[2K");
            }
        };
        let writer = thread::Builder::new().spawn(write).ok()?;
        Some(ProgressLine { stage, running: Some(running), writer: Some(writer) })
    }

    fn show(&self, name: &'static str) {
        if let Ok(mut stage) = self.stage.lock() {
            *stage = name;
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.running.take();
        if let Some(writer) = self.writer.take() {
            // A writer that failed has nothing more to say.
            let _ = writer.join();
        }
    }
}

/// Does something, and notes how many microseconds it took.
pub fn timed<T>(micros: &mut f64, work: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let done = work();
    *micros = (started.elapsed().as_secs_f64() * 1e9).round() / 1e3;
    done
}
