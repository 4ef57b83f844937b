//! Numbers of about 106 bits: the unevaluated sum of two floats (Dekker 1971, Knuth).
//!
//! The second tier of the predicates computes with them. Only IEEE operations are used, so results are the same on every
//! machine.

use std::ops::{Add, Div, Mul, Sub};

/// The sum of a float and a much smaller one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Double {
    pub high: f64,
    pub low: f64,
}

/// Dekker's splitter for 53 bits: 2^27 + 1.
const SPLITTER: f64 = 134_217_729.0;

impl Double {
    pub const fn of(value: f64) -> Double {
        Double { high: value, low: 0.0 }
    }

    fn quick_sum(a: f64, b: f64) -> Double {
        let high = a + b;
        Double { high, low: b - (high - a) }
    }

    fn sum(a: f64, b: f64) -> Double {
        let high = a + b;
        let part = high - a;
        Double { high, low: (a - (high - part)) + (b - part) }
    }

    fn product(a: f64, b: f64) -> Double {
        let high = a * b;
        let split = |x: f64| {
            let c = SPLITTER * x;
            let upper = c - (c - x);
            (upper, x - upper)
        };
        let ((ah, al), (bh, bl)) = (split(a), split(b));
        Double { high, low: ((ah * bh - high) + ah * bl + al * bh) + al * bl }
    }

    pub fn root(self) -> Double {
        if self.high <= 0.0 {
            return Double::of(0.0);
        }
        let guess = self.high.sqrt();
        let rest = self - Double::product(guess, guess);
        Double::quick_sum(guess, rest.high / (2.0 * guess))
    }

    pub fn abs(self) -> Double {
        if self.high < 0.0 { Double::of(0.0) - self } else { self }
    }

    pub fn max(self, other: Double) -> Double {
        if (self - other).high >= 0.0 { self } else { other }
    }
}

impl Add for Double {
    type Output = Double;
    fn add(self, other: Double) -> Double {
        let high = Double::sum(self.high, other.high);
        let low = Double::sum(self.low, other.low);
        let first = Double::quick_sum(high.high, high.low + low.high);
        Double::quick_sum(first.high, first.low + low.low)
    }
}

impl Sub for Double {
    type Output = Double;
    fn sub(self, other: Double) -> Double {
        self + Double { high: -other.high, low: -other.low }
    }
}

impl Mul for Double {
    type Output = Double;
    fn mul(self, other: Double) -> Double {
        let first = Double::product(self.high, other.high);
        Double::quick_sum(first.high, first.low + (self.high * other.low + self.low * other.high))
    }
}

impl Div for Double {
    type Output = Double;
    fn div(self, other: Double) -> Double {
        let first = self.high / other.high;
        let rest = self - other * Double::of(first);
        let second = rest.high / other.high;
        let rest = rest - other * Double::of(second);
        Double::quick_sum(first, second) + Double::of(rest.high / other.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_floats_lose() {
        let (one, tiny) = (Double::of(1.0), Double::of(1e-25));
        assert_eq!((one + tiny - one).high, 1e-25);
        let third = one / Double::of(3.0);
        assert!((third * Double::of(3.0) - one).high.abs() < 1e-31);
        let root = Double::of(2.0).root();
        assert!((root * root - Double::of(2.0)).high.abs() < 1e-31);
    }
}
