//! The memory that the command has used.

/// Returns the greatest amount of memory in use at once, in bytes; `None` if the system does not report it.
pub fn peak_bytes() -> Option<u64> {
    status_bytes("VmHWM:")
}

/// Returns the amount of memory in use now, in bytes; `None` if the system does not report it.
pub fn resident_bytes() -> Option<u64> {
    status_bytes("VmRSS:")
}

/// Returns a line of the process's status that counts KiB, in bytes.
fn status_bytes(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    kib.checked_mul(1024)
}
