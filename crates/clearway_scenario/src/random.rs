//! Numbers drawn for people: each stream is a function of a seed, a person and a purpose, and of nothing else.

use clearway_crowd::random;

/// The purposes of draws. Each has a stream of its own, so that one more draw for one purpose changes no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The profile of a person.
    Profile,
    /// The radius of a person.
    Radius,
    /// The speed of a person.
    Speed,
    /// The time before a person sets off.
    Premovement,
    /// The journey of a person.
    Journey,
    /// The waiting times of a person on its journey.
    Wait,
    /// The place at which a person starts.
    Place,
    /// The time at which a person enters.
    Entry,
    /// The place at which a person stays in an area.
    Stand,
}

/// A stream of random numbers.
#[derive(Clone, Copy, Debug)]
pub struct Draws {
    /// The seed of the run.
    seed: u64,
    /// The person, counted within its source.
    person: u32,
    /// The source and the purpose.
    stream: u32,
    /// The number of draws so far.
    count: u64,
}

impl Draws {
    /// Makes the stream of a person of a source for a purpose. Sources do not share streams: one more source in a file
    /// changes nobody of the others.
    pub fn new(seed: u64, source: usize, person: usize, purpose: Purpose) -> Draws {
        let stream = (source as u32).wrapping_mul(16).wrapping_add(purpose as u32);
        Draws { seed, person: person as u32, stream, count: 0 }
    }

    /// Returns a number in [0, 1).
    pub fn uniform(&mut self) -> f64 {
        self.count += 1;
        random(self.seed, self.person, self.count, self.stream)
    }

    /// Returns a number in (0, 1], of which a logarithm can be taken.
    pub fn positive(&mut self) -> f64 {
        1.0 - self.uniform()
    }

    /// Returns a normal number of mean 0 and standard deviation 1, by the polar form of Box and Muller.
    pub fn normal(&mut self) -> f64 {
        loop {
            let [x, y] = [2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0];
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                return x * (-2.0 * ln(square) / square).sqrt();
            }
        }
    }

    /// Returns an index below `count`, which must not be zero.
    pub fn index(&mut self, count: usize) -> usize {
        ((self.uniform() * count as f64) as usize).min(count.saturating_sub(1))
    }

    /// Returns an index with a probability in proportion to its weight; 0 if all weights are 0.
    pub fn weighted(&mut self, weights: impl Iterator<Item = f64> + Clone) -> usize {
        let mut left = self.uniform() * weights.clone().sum::<f64>();
        let mut last = 0;
        for (index, weight) in weights.enumerate() {
            if weight > 0.0 {
                last = index;
                if left < weight {
                    return index;
                }
                left -= weight;
            }
        }
        last
    }
}

/// Returns the natural logarithm from sums and products only, so that every platform draws the same numbers. Exact to
/// about 1e-15 for positive numbers.
pub fn ln(x: f64) -> f64 {
    if x <= 0.0 || !x.is_finite() {
        return if x == 0.0 { f64::NEG_INFINITY } else { f64::NAN };
    }
    // Subnormal numbers are scaled into the range of the others.
    let (x, shift) = if x < f64::MIN_POSITIVE { (x * (1u64 << 54) as f64, -54.0) } else { (x, 0.0) };
    let bits = x.to_bits();
    let mut power = ((bits >> 52) & 0x7ff) as f64 - 1023.0 + shift;
    let mut part = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    if part > std::f64::consts::SQRT_2 {
        part *= 0.5;
        power += 1.0;
    }
    // ln(part) = 2 atanh(s) with s = (part - 1) / (part + 1), |s| <= 0.172.
    let s = (part - 1.0) / (part + 1.0);
    let square = s * s;
    let series = (0..12).rev().fold(0.0, |sum, k| sum * square + 1.0 / f64::from(2 * k + 1));
    power * std::f64::consts::LN_2 + 2.0 * s * series
}

/// Returns e to the power of x from sums and products only; infinite above 709.
pub fn exp(x: f64) -> f64 {
    if x.is_nan() || x > 709.0 {
        return if x.is_nan() { x } else { f64::INFINITY };
    }
    if x < -708.0 {
        return 0.0;
    }
    let whole = (x * std::f64::consts::LOG2_E).round();
    // ln 2 in two parts, so that the product with a small whole number is exact.
    let rest = (x - whole * 0.693_147_180_369_123_8) - whole * 1.908_214_929_270_587_7e-10;
    let series = (1..=14).rev().fold(1.0, |sum, k| 1.0 + sum * rest / f64::from(k));
    series * f64::from_bits(((whole as i64 + 1023) << 52) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_and_powers_are_those_of_the_library() {
        for k in 1..4000 {
            let x = f64::from(k) * 0.17 - 340.0;
            assert!((exp(x) - x.exp()).abs() <= 1e-13 * x.exp(), "{x}: {} {}", exp(x), x.exp());
            let y = x.exp();
            assert!((ln(y) - y.ln()).abs() <= 1e-13 * y.ln().abs().max(1.0), "{y}");
        }
        assert_eq!((ln(1.0), exp(0.0), ln(0.0)), (0.0, 1.0, f64::NEG_INFINITY));
        assert!((ln(5e-324) - 5e-324f64.ln()).abs() < 1e-9);
        assert!(ln(-1.0).is_nan() && exp(800.0).is_infinite() && exp(-800.0) == 0.0);
    }

    #[test]
    fn normal_numbers_have_mean_zero_and_deviation_one() {
        let mut draws = Draws::new(7, 0, 0, Purpose::Speed);
        let numbers: Vec<f64> = (0..20_000).map(|_| draws.normal()).collect();
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        let square = numbers.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / numbers.len() as f64;
        assert!(mean.abs() < 0.02 && (square - 1.0).abs() < 0.03, "{mean} {square}");
    }

    #[test]
    fn weights_decide_how_often_an_index_comes() {
        let mut draws = Draws::new(1, 0, 0, Purpose::Profile);
        let mut counts = [0; 3];
        for _ in 0..9000 {
            counts[draws.weighted([1.0, 0.0, 2.0].into_iter())] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!((counts[0] - 3000i32).abs() < 200, "{counts:?}");
    }
}
