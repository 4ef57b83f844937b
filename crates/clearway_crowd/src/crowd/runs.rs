//! Passes over bodies in runs: each run is one piece of work for a thread, and tells what it saw.
//!
//! Runs have a fixed length, and what they tell comes in their order. So the number of threads changes nothing.

use clearway_base::parallel;

/// The number of bodies in a run. Fewer cost more in handing out than in walking; more leave threads idle at the end.
pub(super) const RUN: usize = 512;

/// Changes the items of all runs, each given with the number of its first item. Returns what each run tells, in order.
pub(super) fn change_runs<T: Send, R: Send>(
    items: &mut [T],
    change: impl Fn(usize, &mut [T]) -> R + Sync + Send,
) -> Vec<R> {
    let firsts = (0..).step_by(RUN);
    let mut runs: Vec<_> = firsts.zip(items.chunks_mut(RUN)).map(|(first, run)| (first, run, None)).collect();
    parallel::each_with(&mut runs, 1, || (), |(), _, (first, run, told)| *told = Some(change(*first, run)));
    runs.into_iter().filter_map(|(_, _, told)| told).collect()
}

/// Writes two lists, run by run: what `make` gives for each item of a third of the same length.
pub(super) fn write_runs<S: Sync, A: Send, B: Send>(
    sources: &[S],
    (a, b): (&mut [A], &mut [B]),
    make: impl Fn(&S) -> (A, B) + Sync + Send,
) {
    let mut runs: Vec<_> = sources.chunks(RUN).zip(a.chunks_mut(RUN).zip(b.chunks_mut(RUN))).collect();
    parallel::each_with(
        &mut runs,
        1,
        || (),
        |(), _, (sources, (a, b))| {
            for (source, (a, b)) in sources.iter().zip(a.iter_mut().zip(b.iter_mut())) {
                (*a, *b) = make(source);
            }
        },
    );
}
