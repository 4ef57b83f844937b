//! Peak memory of one build, in a process of its own so that no earlier build hides it.

use std::process::Command;

use serde::{Deserialize, Serialize};

/// The flag by which this program tells its child to measure one build's peak.
pub const CHILD_FLAG: &str = "--peak";

/// Resident memory of one build.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Peak {
    /// In use once the input was loaded and prepared, in KiB.
    pub before_kib: u64,
    /// The most that was in use during the build, in KiB.
    pub peak_kib: u64,
}

impl Peak {
    /// What the build itself added, in MiB.
    pub fn rise_mib(&self) -> f64 {
        self.peak_kib.saturating_sub(self.before_kib) as f64 / 1024.0
    }
}

/// Measures in a child process: this program again, with words that ask for one build.
pub fn peak_in_child(words: &[&str]) -> Result<Peak, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(program).args(words).output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
}

/// The child's side: one build in this process, as a line of JSON.
pub fn print_peak(build: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    forget_peak()?;
    let before_kib = status_kib("VmRSS")?;
    build()?;
    let peak = Peak { before_kib, peak_kib: status_kib("VmHWM")? };
    println!("{}", serde_json::to_string(&peak).map_err(|error| error.to_string())?);
    Ok(())
}

/// Lowers the kernel's high-water mark to the present use: loading the input must not count as building.
fn forget_peak() -> Result<(), String> {
    std::fs::write("/proc/self/clear_refs", "5").map_err(|error| format!("clear_refs: {error}"))
}

fn status_kib(field: &str) -> Result<u64, String> {
    let status = std::fs::read_to_string("/proc/self/status").map_err(|error| error.to_string())?;
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).ok_or_else(|| format!("/proc/self/status has no {field}"))
}
