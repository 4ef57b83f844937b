//! Random numbers: SplitMix64 (Steele, Lea, Flood 2014), which is small, fast and good enough to draw plans.

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// A small deterministic random generator; equal seeds give equal streams on every platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of a seed. Near seeds give unrelated streams.
    pub fn new(seed: u64) -> Random {
        Random { state: mix(seed ^ GOLDEN) }
    }

    /// The stream of a place under a seed: lets a point that is visited twice receive the same noise twice.
    pub(crate) fn at(seed: u64, place: [i32; 2]) -> Random {
        let key = (u64::from(place[0] as u32) << 32) | u64::from(place[1] as u32);
        Random { state: mix(seed ^ mix(key ^ GOLDEN)) }
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }

    /// A whole number in `0..n`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next_u64()) * n as u128) >> 64) as usize
    }

    /// A number in `[a, b)`.
    pub fn range(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * self.unit()
    }

    /// True with probability `p`.
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// Brings the items into a random order (Fisher-Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }

    /// One of the options.
    pub(crate) fn pick<T: Copy, const N: usize>(&mut self, options: [T; N]) -> T {
        options[self.below(N)]
    }

    /// A whole number in `low..=high`.
    pub(crate) fn whole(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1).max(0) as usize) as i32
    }

    fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_streams_and_near_seeds_do_not() {
        let mut a = Random::new(7);
        let mut b = Random::new(7);
        let mut c = Random::new(8);
        let streams: Vec<[u64; 3]> = (0..8).map(|_| [a.next_u64(), b.next_u64(), c.next_u64()]).collect();
        assert!(streams.iter().all(|[a, b, c]| a == b && a != c));
    }

    #[test]
    fn numbers_stay_in_their_ranges_and_fill_them() {
        let mut random = Random::new(1);
        let mut hits = [0; 5];
        for _ in 0..1000 {
            hits[random.below(5)] += 1;
            let x = random.range(-2.0, 3.0);
            assert!((-2.0..3.0).contains(&x));
        }
        assert!(hits.iter().all(|&count| count > 150), "{hits:?}");
        assert_eq!(random.below(0), 0);
        assert!(!random.chance(0.0) && random.chance(1.0));
    }

    #[test]
    fn shuffle_permutes() {
        let mut items: Vec<u32> = (0..50).collect();
        Random::new(3).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }
}
