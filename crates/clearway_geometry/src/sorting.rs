//! Sorts by counting where a number or a location gives most of the order.
//!
//! Cost: one pass to count, one to move, then comparisons among few items only.

use crate::grid::Point;

/// Below this number of items, sorting by comparing is faster than counting.
const FEW: usize = 32;

/// Sorts items whose order begins with a number. There should not be many more numbers than items, and few items for
/// each number: then each item is moved once in place of many comparisons.
pub fn sort_by_number<T: Ord + Copy>(items: &mut [T], number: impl Fn(&T) -> usize) {
    if items.len() < FEW {
        return items.sort_unstable();
    }
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

/// Sorts items whose order begins with a point: strips of the plane serve as numbers.
pub fn sort_by_place<T: Ord + Copy>(items: &mut [T], place: impl Fn(&T) -> Point) {
    let x = |item: &T| i64::from(place(item).x);
    let Some(first) = items.iter().map(x).min() else { return };
    let wide = items.iter().map(x).max().unwrap_or(first) - first + 1;
    let mut shift = 0;
    while wide >> shift > items.len() as i64 {
        shift += 1;
    }
    sort_by_number(items, |item| ((x(item) - first) >> shift) as usize);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_and_comparisons_give_one_order() {
        for (count, wide) in [(0, 1), (1, 5), (300, 1), (300, 40), (2000, 1 << 20)] {
            let scrambled = (0..count).map(|i: i64| (i * 7919 % 1013 * 31 % wide, i * 31 % 53));
            let mut expected: Vec<(Point, u8)> = scrambled
                .map(|(x, y)| (Point::new((x - wide / 2) as i32, y as i32), (y % 3) as u8))
                .collect();
            let mut sorted = expected.clone();
            expected.sort_unstable();
            sort_by_place(&mut sorted, |item| item.0);
            assert_eq!(sorted, expected);
        }
    }
}
