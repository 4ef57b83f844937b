//! Laws of random numbers: speeds, times before people set off.

use crate::stats::{gamma_share, normal_share};
use clearway_crowd::random;

/// A law of a random number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// Always this.
    Fixed(f64),
    /// Every value between two is equally likely.
    Uniform(f64, f64),
    /// The normal law, cut at a least and a greatest value.
    Normal {
        /// Its mean.
        mean: f64,
        /// Its standard deviation.
        deviation: f64,
        /// Values below it become it.
        low: f64,
        /// Values above it become it.
        high: f64,
    },
    /// The logarithm has a normal law with this mean and deviation.
    Lognormal(f64, f64),
    /// The gamma law with this shape and scale.
    Gamma(f64, f64),
    /// The Weibull law with this scale and shape.
    Weibull(f64, f64),
}

impl Law {
    /// The usual law of walking speeds: mean 1.34, deviation 0.26, cut at 0.5 and 2.2 m/s.
    pub const WALKERS: Law = Law::Normal { mean: 1.34, deviation: 0.26, low: 0.5, high: 2.2 };

    /// Makes a normal law that is cut four deviations from its mean, where nearly nothing lies.
    pub fn normal(mean: f64, deviation: f64) -> Law {
        Law::Normal { mean, deviation, low: mean - 4.0 * deviation, high: mean + 4.0 * deviation }
    }

    /// Returns the share of values up to this one.
    pub fn share(&self, value: f64) -> f64 {
        match *self {
            Law::Fixed(fixed) => f64::from(u8::from(value >= fixed)),
            Law::Uniform(low, high) => ((value - low) / (high - low)).clamp(0.0, 1.0),
            Law::Normal { mean, deviation, .. } => normal_share((value - mean) / deviation),
            Law::Lognormal(..) | Law::Gamma(..) | Law::Weibull(..) if value <= 0.0 => 0.0,
            Law::Lognormal(mean, deviation) => normal_share((value.ln() - mean) / deviation),
            Law::Gamma(shape, scale) => gamma_share(shape, value / scale),
            Law::Weibull(scale, shape) => 1.0 - (-(value / scale).powf(shape)).exp(),
        }
    }

    /// Returns a value of the law for one body.
    pub fn draw(&self, seed: u64, body: u32, stream: u32) -> f64 {
        self.quantile(random(seed, body, 0, stream))
    }

    /// Returns the value below which a share of the law lies.
    pub fn quantile(&self, share: f64) -> f64 {
        match *self {
            Law::Fixed(fixed) => fixed,
            Law::Uniform(low, high) => low + (high - low) * share,
            Law::Normal { mean, deviation, low, high } => {
                self.halved(share, mean - 10.0 * deviation, mean + 10.0 * deviation).clamp(low, high)
            }
            Law::Lognormal(..) | Law::Gamma(..) | Law::Weibull(..) => self.halved(share, 0.0, 1e6),
        }
    }

    /// Finds a quantile by halving: the share grows with the value.
    fn halved(&self, share: f64, mut low: f64, mut high: f64) -> f64 {
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.share(middle) < share { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{deviation, ks_one_sample, mean};

    #[test]
    fn draws_follow_their_law() {
        let laws = [
            Law::Uniform(10.0, 100.0),
            Law::normal(1.2, 0.2),
            Law::Lognormal(4.586, 0.967),
            Law::Gamma(1.291, 103.901),
            Law::Weibull(139.285, 1.195),
        ];
        for law in laws {
            let drawn: Vec<f64> = (0..500).map(|body| law.draw(7, body, 3)).collect();
            let p = ks_one_sample(&drawn, |value| law.share(value));
            assert!(p > 0.01, "{law:?}: p {p}");
        }
        let speeds: Vec<f64> = (0..2000).map(|body| Law::WALKERS.draw(1, body, 0)).collect();
        assert!((mean(&speeds) - 1.34).abs() < 0.02 && (deviation(&speeds) - 0.26).abs() < 0.02);
        assert!(speeds.iter().all(|speed| (0.5..=2.2).contains(speed)));
    }
}
