//! Shows simulated time and people left while a run goes on.

use clearway_scenario::Run;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// The time between two updates of the line; also the time before it appears.
const REFRESH: Duration = Duration::from_millis(250);

/// A line on the terminal; nothing if standard error is no terminal.
pub struct Progress {
    /// The number of the run in words.
    run: String,
    /// The time of the last update.
    last: Instant,
    /// True once the line was shown.
    is_shown: bool,
    /// True if there is a terminal.
    is_terminal: bool,
}

impl Progress {
    /// Starts the line of a run.
    pub fn start(number: usize, runs: usize) -> Progress {
        let run = if runs > 1 { format!("run {} of {runs}, ", number + 1) } else { String::new() };
        Progress { run, last: Instant::now(), is_shown: false, is_terminal: std::io::stderr().is_terminal() }
    }

    /// Shows where a run is.
    pub fn show(&mut self, run: &Run<'_>) {
        if !self.is_terminal || self.last.elapsed() < REFRESH {
            return;
        }
        (self.last, self.is_shown) = (Instant::now(), true);
        let line = format!(
            "\r\x1b[2Kclearway: {}{:.1} s simulated, {} people left",
            self.run,
            run.time(),
            run.left()
        );
        crate::output::complain(&line);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_shown {
            crate::output::complain("\r\x1b[2K");
        }
    }
}
