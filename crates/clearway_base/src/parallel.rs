//! Sorting and picking: on all threads where that is worth it. Where a number tells most of the order the kernel sorts
//! without comparing.

pub use clearway_geometry::sorting::sort_by_number;
use clearway_geometry::{Point, sorting};
use rayon::prelude::*;

/// Fewer items than this are sorted before other threads could wake up.
const WORTH_SHARING: usize = 1 << 14;

/// Sorts items of which equal ones cannot be told apart.
pub fn sort<T: Ord + Send>(items: &mut [T]) {
    if items.len() < WORTH_SHARING || rayon::current_num_threads() == 1 {
        items.sort_unstable();
    } else {
        items.par_sort_unstable();
    }
}

/// Sorts items that come in the order of a place first, of which equal ones cannot be told apart.
pub fn sort_by_place<T: Ord + Copy + Send>(items: &mut [T], place: impl Fn(&T) -> Point) {
    if items.len() < WORTH_SHARING || rayon::current_num_threads() == 1 {
        sorting::sort_by_place(items, place);
    } else {
        items.par_sort_unstable();
    }
}

/// The places of items of which `holds` is true, in order. It is asked twice of each: to count first costs less than a
/// list that grows.
pub fn picked<T: Sync>(items: &[T], holds: impl Fn(&T) -> bool + Sync) -> Vec<u32> {
    let pick = |(first, items): (usize, &[T])| {
        let mut picked = Vec::with_capacity(items.iter().filter(|item| holds(item)).count());
        let places = (first as u32..).zip(items).filter(|(_, item)| holds(item));
        picked.extend(places.map(|(place, _)| place));
        picked
    };
    let threads = rayon::current_num_threads();
    if threads == 1 || items.len() < WORTH_SHARING {
        return pick((0, items));
    }
    let share = items.len().div_ceil(threads);
    let shares = items.par_chunks(share).enumerate().map(|(number, items)| (number * share, items));
    shares.map(pick).collect::<Vec<Vec<u32>>>().concat()
}

#[cfg(test)]
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
