//! How much of the heap is in use, as the C library counts it: Rust and C++ structures alike.

/// Runs `build` and says by how many bytes the heap grew; `None` where the C library does not count.
pub fn grown_by<T>(build: impl FnOnce() -> T) -> (T, Option<usize>) {
    let before = in_use();
    let built = build();
    let grown = before.zip(in_use()).map(|(before, after)| after.saturating_sub(before));
    (built, grown)
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn in_use() -> Option<usize> {
    // SAFETY: the call only reads the allocator's counters.
    let counts = unsafe { libc::mallinfo2() };
    Some(counts.uordblks + counts.hblkhd)
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn in_use() -> Option<usize> {
    None
}
