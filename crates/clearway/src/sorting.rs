//! Sorting: on all threads where that is worth it, and without comparing where a number tells most of the order.

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

/// Sorts items that come in the order of a number first. There should not be many more numbers than items, and few items
/// of each: then this takes one look at each item, not many.
pub(crate) fn sort_by_number<T: Ord + Copy>(items: &mut [T], number: impl Fn(&T) -> usize) {
    let count = items.iter().map(|item| number(item) + 1).max().unwrap_or(0);
    let mut start = vec![0u32; count + 1];
    items.iter().for_each(|item| start[number(item) + 1] += 1);
    for place in 1..start.len() {
        start[place] += start[place - 1];
    }
    let unsorted = items.to_vec();
    for item in unsorted {
        let place = &mut start[number(&item)];
        items[*place as usize] = item;
        *place += 1;
    }
    // Each start has moved on to the end of its items.
    let mut first = 0;
    for end in start.into_iter().take(count) {
        items[first..end as usize].sort_unstable();
        first = end as usize;
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
