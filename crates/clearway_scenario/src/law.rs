//! Laws of random quantities: radii, speeds, times.
//!
//! A law is drawn from a stream of numbers in [0, 1) that depends on nothing but the seed and the person. Bounds cut
//! a law off: a number outside is drawn again.

use crate::random::{Draws, exp, ln};
use clearway_base::error::{Error, ErrorKind, Result, short};

/// The number of draws after which a law gives up and takes its nearest bound. [`Law::check`] refuses laws for which
/// that would happen often.
const MAX_TRIES: usize = 200;

/// The law of a random quantity, cut off at bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Law {
    /// The law without bounds.
    pub shape: Shape,
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
}

/// A law without bounds.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// Always the same value.
    Constant(f64),
    /// Every value between two is as likely as any other.
    Uniform {
        /// The least value.
        min: f64,
        /// The greatest value.
        max: f64,
    },
    /// The normal law.
    Normal {
        /// The mean.
        mean: f64,
        /// The standard deviation.
        sd: f64,
    },
    /// The law of e to the power of a normal number.
    Lognormal {
        /// The mean of the logarithm.
        mu: f64,
        /// The standard deviation of the logarithm.
        sigma: f64,
    },
    /// The gamma law.
    Gamma {
        /// The shape.
        shape: f64,
        /// The scale.
        scale: f64,
    },
    /// The law of Weibull.
    Weibull {
        /// The shape.
        shape: f64,
        /// The scale.
        scale: f64,
    },
    /// The exponential law.
    Exponential {
        /// The mean.
        mean: f64,
    },
    /// One of several laws, chosen by weight: the groups of a population.
    Mixture(Vec<(f64, Law)>),
}

impl Law {
    /// Makes a law without bounds.
    pub fn new(shape: Shape) -> Law {
        Law { shape, min: f64::NEG_INFINITY, max: f64::INFINITY }
    }

    /// Makes a law that always gives the same value.
    pub fn constant(value: f64) -> Law {
        Law::new(Shape::Constant(value))
    }

    /// Makes a law in which every value between two is as likely as any other.
    pub fn uniform(min: f64, max: f64) -> Law {
        Law::new(Shape::Uniform { min, max })
    }

    /// Makes a normal law.
    pub fn normal(mean: f64, sd: f64) -> Law {
        Law::new(Shape::Normal { mean, sd })
    }

    /// Cuts the law off at bounds.
    #[must_use]
    pub fn between(mut self, min: f64, max: f64) -> Law {
        (self.min, self.max) = (min, max);
        self
    }

    /// Draws a value.
    pub fn draw(&self, draws: &mut Draws) -> f64 {
        let mut value = self.min;
        for _ in 0..MAX_TRIES {
            value = self.shape.draw(draws);
            if (self.min..=self.max).contains(&value) {
                return value;
            }
        }
        // Rare: `check` refuses laws that hardly ever give a value between their bounds.
        if value > self.max { self.max } else { self.min }
    }

    /// Checks the parameters, and cuts the law off at limits outside of which a value cannot be used. A constant, or an
    /// even law, must lie within them.
    pub fn check(mut self, limits: [f64; 2], unit: &str) -> Result<Law> {
        self.shape.check(limits, unit)?;
        if self.min > self.max || self.min.is_nan() || self.max.is_nan() {
            let [min, max] = [self.min, self.max].map(short);
            return Err(bad(format!("min {min} must not be greater than max {max}")));
        }
        self.min = self.min.max(limits[0]);
        self.max = self.max.min(limits[1]);
        let mut draws = Draws::new(0, 0, 0, crate::random::Purpose::Entry);
        let hits = (0..2000).filter(|_| (self.min..=self.max).contains(&self.shape.draw(&mut draws)));
        if hits.count() < 20 {
            let [min, max] = [self.min, self.max].map(short);
            return Err(bad(format!("this law hardly ever gives a value between {min} and {max} {unit}")));
        }
        Ok(self)
    }
}

impl Shape {
    /// Draws a value.
    fn draw(&self, draws: &mut Draws) -> f64 {
        match self {
            Shape::Constant(value) => *value,
            Shape::Uniform { min, max } => min + (max - min) * draws.uniform(),
            Shape::Normal { mean, sd } => mean + sd * draws.normal(),
            Shape::Lognormal { mu, sigma } => exp(mu + sigma * draws.normal()),
            Shape::Gamma { shape, scale } => scale * gamma(*shape, draws),
            Shape::Weibull { shape, scale } => scale * exp(ln(-ln(draws.positive())) / shape),
            Shape::Exponential { mean } => -mean * ln(draws.positive()),
            Shape::Mixture(parts) => {
                let chosen = draws.weighted(parts.iter().map(|(weight, _)| *weight));
                parts.get(chosen).map_or(f64::NAN, |(_, law)| law.draw(draws))
            }
        }
    }

    /// Checks the parameters.
    fn check(&self, limits: [f64; 2], unit: &str) -> Result<()> {
        let within = |name: &str, value: f64| {
            if (limits[0]..=limits[1]).contains(&value) {
                return Ok(());
            }
            let ([low, high], value) = (limits.map(short), short(value));
            Err(bad(format!("{name} {value} must lie between {low} and {high} {unit}")))
        };
        let finite = |name: &str, value: f64| {
            if value.is_finite() {
                Ok(())
            } else {
                Err(bad(format!("{name} {} is not finite", short(value))))
            }
        };
        let positive = |name: &str, value: f64| {
            if value > 0.0 && value.is_finite() {
                return Ok(());
            }
            Err(bad(format!("{name} {} must be greater than 0 and finite", short(value))))
        };
        match self {
            Shape::Constant(value) => within("the value", *value),
            Shape::Uniform { min, max } if min > max => {
                Err(bad(format!("min {} must not be greater than max {}", short(*min), short(*max))))
            }
            Shape::Uniform { min, max } => within("min", *min).and(within("max", *max)),
            Shape::Normal { mean, sd } => finite("mean", *mean).and(positive("sd", *sd)),
            Shape::Lognormal { mu, sigma } => finite("mu", *mu).and(positive("sigma", *sigma)),
            Shape::Gamma { shape, scale } | Shape::Weibull { shape, scale } => {
                positive("shape", *shape).and(positive("scale", *scale))
            }
            Shape::Exponential { mean } => positive("mean", *mean),
            Shape::Mixture(parts) => parts.iter().try_for_each(|(_, law)| law.shape.check(limits, unit)),
        }
    }
}

/// Draws from the gamma law of scale 1 by the method of Marsaglia and Tsang (2000): a cube of a normal number, accepted
/// in all but a few cases.
fn gamma(shape: f64, draws: &mut Draws) -> f64 {
    if shape < 1.0 {
        // A number of shape + 1, times a uniform number to the power of 1 / shape.
        let power = exp(ln(draws.positive()) / shape);
        return gamma(shape + 1.0, draws) * power;
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = draws.normal();
        let root = 1.0 + c * x;
        if root <= 0.0 {
            continue;
        }
        let cube = root * root * root;
        if ln(draws.positive()) < 0.5 * x * x + d - d * cube + d * ln(cube) {
            return d * cube;
        }
    }
}

/// Makes an error about a parameter.
fn bad(message: String) -> Error {
    Error::new(ErrorKind::OutOfRange, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Purpose;

    /// Returns the mean and the standard deviation of many draws.
    fn moments(law: &Law) -> [f64; 2] {
        let mut draws = Draws::new(3, 0, 0, Purpose::Speed);
        let values: Vec<f64> = (0..40_000).map(|_| law.draw(&mut draws)).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let square = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / values.len() as f64;
        [mean, square.sqrt()]
    }

    #[track_caller]
    fn near(law: Shape, mean: f64, sd: f64) {
        let law = Law::new(law);
        let [m, s] = moments(&law);
        assert!((m - mean).abs() < 0.03 * mean && (s - sd).abs() < 0.04 * sd, "{law:?}: {m} {s}");
    }

    #[test]
    fn means_and_deviations_are_those_of_the_textbooks() {
        near(Shape::Uniform { min: 2.0, max: 8.0 }, 5.0, 6.0 / 12f64.sqrt());
        near(Shape::Normal { mean: 1.34, sd: 0.26 }, 1.34, 0.26);
        near(Shape::Exponential { mean: 3.0 }, 3.0, 3.0);
        near(Shape::Gamma { shape: 1.291, scale: 103.901 }, 1.291 * 103.901, 1.291f64.sqrt() * 103.901);
        near(Shape::Gamma { shape: 0.5, scale: 2.0 }, 1.0, 0.5f64.sqrt() * 2.0);
        // Shape 2 is the law of Rayleigh.
        near(Shape::Weibull { shape: 2.0, scale: 1.0 }, 0.886_227, 0.463_251);
        let (mu, sigma) = (1.0f64, 0.5f64);
        let mean = (mu + sigma * sigma / 2.0).exp();
        near(Shape::Lognormal { mu, sigma }, mean, mean * ((sigma * sigma).exp() - 1.0).sqrt());
    }

    #[test]
    fn bounds_hold() {
        let law = Law::normal(1.34, 0.26).between(1.2, 1.5).check([0.0, 30.0], "m/s").unwrap();
        let mut draws = Draws::new(3, 0, 0, Purpose::Speed);
        assert!((0..5000).all(|_| (1.2..=1.5).contains(&law.draw(&mut draws))));
    }

    #[test]
    fn laws_that_make_no_sense_are_refused() {
        let refused = |law: Law, part: &str| {
            let error = law.check([0.01, 20.0], "m").unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        };
        refused(Law::constant(0.0), "the value 0 must lie between 0.01 and 20 m");
        refused(Law::constant(f64::NAN), "NaN");
        refused(Law::constant(-1.0), "-1");
        refused(Law::uniform(3.0, 2.0), "min 3 must not be greater than max 2");
        refused(Law::uniform(1.0, 1e9), "max 1000000000");
        refused(Law::normal(1.0, 0.0), "sd 0 must be greater than 0");
        refused(Law::normal(1.0, 0.1).between(8.0, 9.0), "hardly ever");
        refused(Law::new(Shape::Gamma { shape: -1.0, scale: 1.0 }), "shape -1");
        refused(Law::new(Shape::Exponential { mean: f64::INFINITY }), "mean inf");
    }
}
