//! Time and memory of this process, as the kernel counts them.

use std::time::Instant;

use serde::Serialize;

/// Milliseconds of one run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Elapsed {
    /// Processor time of all threads: what stays comparable while other work shares the machine.
    pub cpu_ms: f64,
    /// Wall time: below the processor time where a build uses several threads.
    pub wall_ms: f64,
}

impl Elapsed {
    /// Component by component: noise only ever adds time, so the least value is the best estimate.
    pub fn min(self, other: Elapsed) -> Elapsed {
        Elapsed { cpu_ms: self.cpu_ms.min(other.cpu_ms), wall_ms: self.wall_ms.min(other.wall_ms) }
    }

    /// One after the other.
    #[cfg(feature = "recast")]
    pub fn plus(self, other: Elapsed) -> Elapsed {
        Elapsed { cpu_ms: self.cpu_ms + other.cpu_ms, wall_ms: self.wall_ms + other.wall_ms }
    }
}

/// Runs `work` and says how long it took.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Elapsed) {
    let (cpu, wall) = (cpu_ms(), Instant::now());
    let result = work();
    let elapsed = Elapsed { cpu_ms: cpu_ms() - cpu, wall_ms: wall.elapsed().as_secs_f64() * 1e3 };
    (result, elapsed)
}

/// Times short work of this thread. Wall time is finer, but counts what others do while the thread waits for a
/// processor; processor time does not, but takes a fraction of a microsecond to read. The lesser of both counts.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    cpu_ms: f64,
    wall: Instant,
}

impl Stopwatch {
    /// Starts now.
    pub fn start() -> Stopwatch {
        Stopwatch { cpu_ms: clock_ms(libc::CLOCK_THREAD_CPUTIME_ID), wall: Instant::now() }
    }

    /// Microseconds since the start.
    pub fn micros(self) -> f64 {
        let wall = self.wall.elapsed().as_secs_f64() * 1e6;
        let cpu = (clock_ms(libc::CLOCK_THREAD_CPUTIME_ID) - self.cpu_ms) * 1e3;
        wall.min(cpu)
    }
}

fn cpu_ms() -> f64 {
    clock_ms(libc::CLOCK_PROCESS_CPUTIME_ID)
}

fn clock_ms(clock: libc::clockid_t) -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid timespec that lives through the call.
    let status = unsafe { libc::clock_gettime(clock, &raw mut time) };
    assert_eq!(status, 0, "the kernel does not count processor time");
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}
