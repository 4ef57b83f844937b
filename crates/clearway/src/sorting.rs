//! Sorting: on all threads where that is worth it, and without comparing where a number tells most of the order, which
//! the kernel does.

pub(crate) use clearway_geometry::sorting::sort_by_number;
use clearway_geometry::{Point, sorting};
use rayon::prelude::*;

/// Fewer items than this are sorted before other threads could wake up.
const WORTH_SHARING: usize = 1 << 14;

/// Sorts items of which equal ones cannot be told apart.
pub(crate) fn sort<T: Ord + Send>(items: &mut [T]) {
    if items.len() < WORTH_SHARING || rayon::current_num_threads() == 1 {
        items.sort_unstable();
    } else {
        items.par_sort_unstable();
    }
}

/// Sorts items that come in the order of a place first, of which equal ones cannot be told apart.
pub(crate) fn sort_by_place<T: Ord + Copy + Send>(items: &mut [T], place: impl Fn(&T) -> Point) {
    if items.len() < WORTH_SHARING || rayon::current_num_threads() == 1 {
        sorting::sort_by_place(items, place);
    } else {
        items.par_sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
