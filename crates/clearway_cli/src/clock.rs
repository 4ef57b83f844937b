//! Measures the stages of a build, and shows a progress line during long work.

use clearway::Progress;
use serde::Serialize;
use std::io::IsTerminal;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The time before the progress line appears: shorter work shows nothing.
const PATIENCE: Duration = Duration::from_millis(500);
/// The time between two updates of the line.
const REFRESH: Duration = Duration::from_millis(200);

/// The duration of a stage.
#[derive(Clone, Debug, Serialize)]
pub struct StageTime {
    /// The name of the stage.
    pub name: &'static str,
    /// Its duration in milliseconds.
    pub ms: f64,
}

/// Records when each stage of a build begins.
pub struct StageClock {
    /// The stages so far, each with its beginning.
    begun: Vec<(&'static str, Instant)>,
    /// The progress line, on a terminal only.
    line: Option<ProgressLine>,
}

impl StageClock {
    /// Starts a clock that also shows a line on a terminal.
    pub fn start() -> StageClock {
        StageClock { begun: Vec::new(), line: ProgressLine::start() }
    }

    /// Returns the durations of the stages in their order. A stage that came twice is listed twice.
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

/// Returns a duration in milliseconds, to the microsecond.
pub fn ms(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// A line on the terminal that is shown only while work takes long.
struct ProgressLine {
    /// The stage to show.
    stage: Arc<Mutex<&'static str>>,
    /// Its end of the channel; dropping it stops the writer.
    running: Option<Sender<()>>,
    /// The thread that writes the line.
    writer: Option<JoinHandle<()>>,
}

impl ProgressLine {
    /// Starts the line; `None` if standard error is no terminal.
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

    /// Changes the stage that is shown.
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
            // A writer that panicked has nothing more to show.
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
