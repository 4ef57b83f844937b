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

/// Changes the items of three lists of one length together, run by run.
pub(super) fn change_three<A: Send, B: Send, C: Send>(
    (a, b, c): (&mut [A], &mut [B], &mut [C]),
    change: impl Fn(&mut A, &mut B, &mut C) + Sync + Send,
) {
    let lists = a.chunks_mut(RUN).zip(b.chunks_mut(RUN)).zip(c.chunks_mut(RUN));
    let mut runs: Vec<_> = lists.collect();
    parallel::each_with(
        &mut runs,
        1,
        || (),
        |(), _, ((a, b), c)| {
            for ((a, b), c) in a.iter_mut().zip(b.iter_mut()).zip(c.iter_mut()) {
                change(a, b, c);
            }
        },
    );
}
