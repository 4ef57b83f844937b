//! Work on several threads, with the same results on any number of them.
//!
//! Results are written by index, and nothing is reduced in the order in which threads finish. Without the feature
//! `parallel` everything runs on the calling thread.
//!
//! The threads belong to a pool of clearway's own that remembers its process: a child that was forked after the pool
//! started gets a new pool, where the pool of its parent would never answer.

use crate::error::Result;
use crate::progress::{Progress, go_on};
use clearway_geometry::Point;
pub use clearway_geometry::sorting::sort_by_number;
use std::cmp::Ordering;

/// Fewer items than this are sorted before other threads could wake up.
const WORTH_SHARING: usize = 1 << 14;

/// What `make` gives for each number below `count`, in order.
pub fn map<T: Send>(count: usize, make: impl Fn(usize) -> T + Sync) -> Vec<T> {
    map_with(count, || (), |(), number| make(number))
}

/// As [`map`], with scratch memory that each thread makes once and uses again.
pub fn map_with<S, T: Send>(
    count: usize,
    scratch: impl Fn() -> S + Sync + Send,
    make: impl Fn(&mut S, usize) -> T + Sync + Send,
) -> Vec<T> {
    if count < 2 {
        let mut scratch = scratch();
        return (0..count).map(|number| make(&mut scratch, number)).collect();
    }
    threads::map_with(count, scratch, make)
}

/// Changes each item with its number, with scratch memory that each thread makes once and uses again. Threads take runs
/// of at least `least` items.
pub fn each_with<S, T: Send>(
    items: &mut [T],
    least: usize,
    scratch: impl Fn() -> S + Sync + Send,
    change: impl Fn(&mut S, usize, &mut T) + Sync + Send,
) {
    if items.len() <= least {
        let mut scratch = scratch();
        items.iter_mut().enumerate().for_each(|(number, item)| change(&mut scratch, number, item));
    } else {
        threads::each_with(items, least, scratch, change);
    }
}

/// As [`map_with`], asking `progress` time and again whether to go on. At least `least` items are made in between: fewer
/// would leave threads idle.
pub fn map_watched<S, T: Send>(
    count: usize,
    least: usize,
    progress: &mut dyn Progress,
    scratch: impl Fn() -> S + Sync + Send,
    make: impl Fn(&mut S, usize) -> T + Sync + Send,
) -> Result<Vec<T>> {
    let share = count.div_ceil(WATCHED_SHARES).max(least).max(1);
    let mut made = Vec::with_capacity(count);
    for first in (0..count).step_by(share) {
        go_on(progress)?;
        let here = share.min(count - first);
        made.append(&mut map_with(here, &scratch, |scratch, number| make(scratch, first + number)));
    }
    Ok(made)
}

/// Watched work asks this often whether to go on: a fiftieth of the longest stage of a large scene is below a second.
const WATCHED_SHARES: usize = 50;

/// Sets how many threads work is shared among; 0 for as many as there are cores. It holds for this process and the ones
/// forked from it, and must come before the first work: returns whether it did.
pub fn set_thread_count(count: usize) -> bool {
    threads::set_count(count)
}

/// The number of threads that work here is shared among.
pub fn thread_count() -> usize {
    threads::count()
}

/// Runs `work` inside the pool, so that its many small parallel steps do not each pay for entering it.
///
/// Inside another pool of rayon, `work` runs there.
pub fn in_pool<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    threads::in_pool(work)
}

/// Sorts items of which equal ones cannot be told apart.
pub fn sort<T: Ord + Send>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// Sorts items by a comparison that holds only identical items equal.
pub fn sort_by<T: Send>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering + Sync + Send) {
    if items.len() < WORTH_SHARING || threads::count() == 1 {
        items.sort_unstable_by(compare);
    } else {
        threads::sort_by(items, compare);
    }
}

/// Sorts items that come in the order of a place first, of which equal ones cannot be told apart.
pub fn sort_by_place<T: Ord + Copy + Send>(items: &mut [T], place: impl Fn(&T) -> Point) {
    if items.len() < WORTH_SHARING || threads::count() == 1 {
        clearway_geometry::sorting::sort_by_place(items, place);
    } else {
        threads::sort_by(items, T::cmp);
    }
}

/// The indices of items of which `holds` is true, in order. `holds` is asked twice of each item: to count first costs
/// less than a list that grows.
pub fn picked<T: Sync>(items: &[T], holds: impl Fn(&T) -> bool + Sync) -> Vec<u32> {
    let pick = |first: usize, items: &[T]| {
        let mut picked = Vec::with_capacity(items.iter().filter(|item| holds(item)).count());
        let indices = (first as u32..).zip(items).filter(|(_, item)| holds(item));
        picked.extend(indices.map(|(index, _)| index));
        picked
    };
    let threads = threads::count();
    if threads == 1 || items.len() < WORTH_SHARING {
        return pick(0, items);
    }
    let share = items.len().div_ceil(threads);
    let shares: Vec<&[T]> = items.chunks(share).collect();
    map(shares.len(), |number| pick(number * share, shares[number])).concat()
}

#[cfg(feature = "parallel")]
mod threads {
    use rayon::ThreadPool;
    use rayon::prelude::*;
    use std::cmp::Ordering;
    use std::sync::OnceLock;
    use std::sync::atomic::AtomicUsize;
    use std::sync::atomic::Ordering::Relaxed;

    /// Pools by process. A process that was forked from one with a pool finds its parent's in the first slots.
    static POOLS: [OnceLock<(u32, ThreadPool)>; MAX_FORKS] = [const { OnceLock::new() }; MAX_FORKS];

    /// The number of threads of a pool that is made from now on; 0 for as many as there are cores.
    static COUNT: AtomicUsize = AtomicUsize::new(0);

    /// Generations of forked processes that get a pool of their own; later ones work on the calling thread.
    const MAX_FORKS: usize = 16;

    /// The pool of this process; `None` where no thread can be started.
    fn pool() -> Option<&'static ThreadPool> {
        let process = std::process::id();
        let mut pools = POOLS.iter().map_while(|slot| match slot.get() {
            Some(known) => Some(known),
            None => {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(COUNT.load(Relaxed)).build().ok()?;
                Some(slot.get_or_init(|| (process, pool)))
            }
        });
        pools.find(|(owner, _)| *owner == process).map(|(_, pool)| pool)
    }

    pub fn set_count(count: usize) -> bool {
        COUNT.store(count, Relaxed);
        POOLS[0].get().is_none()
    }

    pub fn in_pool<R: Send>(work: impl FnOnce() -> R + Send) -> R {
        if rayon::current_thread_index().is_some() {
            return work();
        }
        match pool() {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// The number of threads that work here is shared among.
    pub fn count() -> usize {
        let inside = rayon::current_thread_index().map(|_| rayon::current_num_threads());
        inside.or_else(|| pool().map(ThreadPool::current_num_threads)).unwrap_or(1)
    }

    pub fn map_with<S, T: Send>(
        count: usize,
        scratch: impl Fn() -> S + Sync + Send,
        make: impl Fn(&mut S, usize) -> T + Sync + Send,
    ) -> Vec<T> {
        in_pool(|| (0..count).into_par_iter().map_init(scratch, make).collect())
    }

    pub fn each_with<S, T: Send>(
        items: &mut [T],
        least: usize,
        scratch: impl Fn() -> S + Sync + Send,
        change: impl Fn(&mut S, usize, &mut T) + Sync + Send,
    ) {
        in_pool(|| {
            let items = items.par_iter_mut().with_min_len(least).enumerate();
            items.for_each_init(scratch, |scratch, (number, item)| change(scratch, number, item));
        });
    }

    pub fn sort_by<T: Send>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering + Sync + Send) {
        in_pool(|| items.par_sort_unstable_by(compare));
    }
}

#[cfg(not(feature = "parallel"))]
mod threads {
    use std::cmp::Ordering;

    pub fn in_pool<R: Send>(work: impl FnOnce() -> R + Send) -> R {
        work()
    }

    pub fn set_count(_: usize) -> bool {
        true
    }

    pub fn count() -> usize {
        1
    }

    pub fn map_with<S, T: Send>(
        count: usize,
        scratch: impl Fn() -> S + Sync + Send,
        make: impl Fn(&mut S, usize) -> T + Sync + Send,
    ) -> Vec<T> {
        let mut scratch = scratch();
        (0..count).map(|number| make(&mut scratch, number)).collect()
    }

    pub fn each_with<S, T: Send>(
        items: &mut [T],
        _: usize,
        scratch: impl Fn() -> S + Sync + Send,
        change: impl Fn(&mut S, usize, &mut T) + Sync + Send,
    ) {
        let mut scratch = scratch();
        items.iter_mut().enumerate().for_each(|(number, item)| change(&mut scratch, number, item));
    }

    pub fn sort_by<T: Send>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering + Sync + Send) {
        items.sort_unstable_by(compare);
    }
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use super::*;

    #[test]
    fn what_is_picked_is_in_order_on_any_number_of_threads() {
        let holds = |number: &u32| number % 7 < 3 || number % 11 == 5;
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            for count in [0, 1, 20_000, 20_003] {
                let numbers: Vec<u32> = (0..count).collect();
                let expected: Vec<u32> = (0..count).filter(holds).collect();
                assert_eq!(pool.install(|| picked(&numbers, holds)), expected);
            }
        }
    }

    #[test]
    fn numbers_and_comparisons_give_one_order() {
        let scrambled = |count: u64| (0..count).map(move |i| (i * 7919 % 1013 % 97, i * 31 % 53, i % 2));
        for count in [0, 1, 2, 500, 20_000] {
            let mut expected: Vec<(u64, u64, u64)> = scrambled(count).collect();
            expected.sort();
            let (mut by_number, mut shared) =
                (scrambled(count).collect::<Vec<_>>(), scrambled(count).collect::<Vec<_>>());
            sort_by_number(&mut by_number, |item| item.0 as usize);
            sort(&mut shared);
            assert_eq!((&by_number, &shared), (&expected, &expected));
        }
    }
}
