//! Statistics: means, quantiles, the Kolmogorov-Smirnov and chi-square tests, and the functions behind them.

/// Returns the mean; 0 for nothing.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Returns the standard deviation of a sample; 0 for fewer than two values.
pub fn deviation(values: &[f64]) -> f64 {
    let middle = mean(values);
    let squares: f64 = values.iter().map(|value| (value - middle).powi(2)).sum();
    (squares / (values.len().max(2) - 1) as f64).sqrt()
}

/// Returns the median; 0 for nothing.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        count if count % 2 == 1 => sorted[count / 2],
        count => 0.5 * (sorted[count / 2 - 1] + sorted[count / 2]),
    }
}

/// Returns the greatest value; negative infinity for nothing.
pub fn greatest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// Returns the slope of the straight line through points that errs least in y; 0 where x does not vary.
pub fn slope(points: &[(f64, f64)]) -> f64 {
    let (xs, ys): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
    let (x, y) = (mean(&xs), mean(&ys));
    let across: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    let square: f64 = points.iter().map(|p| (p.0 - x).powi(2)).sum();
    if square > 0.0 { across / square } else { 0.0 }
}

/// Returns the value of a curve at x by straight lines between its points, which come in order of x. Before the first
/// and after the last point the curve is level.
pub fn between(curve: &[(f64, f64)], x: f64) -> f64 {
    let after = curve.iter().position(|point| point.0 >= x);
    match after {
        Some(0) => curve[0].1,
        Some(after) => {
            let (from, to) = (curve[after - 1], curve[after]);
            from.1 + (to.1 - from.1) * (x - from.0) / (to.0 - from.0)
        }
        None => curve.last().map_or(0.0, |last| last.1),
    }
}

/// Returns the probability that a sample as far from a law as this one comes from the law: the test of Kolmogorov and
/// Smirnov, with the correction of Stephens for small samples.
pub fn ks_one_sample(values: &[f64], cumulative: impl Fn(f64) -> f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let count = sorted.len() as f64;
    let mut distance: f64 = 0.0;
    for (index, value) in sorted.iter().enumerate() {
        let at = cumulative(*value);
        distance = distance.max(at - index as f64 / count).max((index + 1) as f64 / count - at);
    }
    kolmogorov(distance, count)
}

/// Returns the probability that two samples as far apart as these come from one law.
pub fn ks_two_samples(one: &[f64], other: &[f64]) -> f64 {
    let below = |values: &[f64], x: f64| {
        values.iter().filter(|value| **value <= x).count() as f64 / values.len().max(1) as f64
    };
    let steps = one.iter().chain(other);
    let distance = steps.map(|x| (below(one, *x) - below(other, *x)).abs()).fold(0.0, f64::max);
    let (n, m) = (one.len() as f64, other.len() as f64);
    kolmogorov(distance, n * m / (n + m))
}

/// Returns the probability of a greater distance than this between the law and `count` values.
fn kolmogorov(distance: f64, count: f64) -> f64 {
    let root = count.sqrt();
    let scaled = (root + 0.12 + 0.11 / root) * distance;
    // The series alternates and does not converge near zero, where the probability is 1.
    if scaled < 0.2 {
        return 1.0;
    }
    let term = |k: i32| {
        let size = (-2.0 * f64::from(k * k) * scaled * scaled).exp();
        if k % 2 == 1 { size } else { -size }
    };
    (2.0 * (1..=100).map(term).sum::<f64>()).clamp(0.0, 1.0)
}

/// Returns the probability of counts that differ at least as much as these from equal ones: Pearson's test.
pub fn chi_square_uniform(counts: &[usize]) -> f64 {
    let expected = counts.iter().sum::<usize>() as f64 / counts.len().max(1) as f64;
    let square: f64 = counts.iter().map(|count| (*count as f64 - expected).powi(2) / expected).sum();
    1.0 - gamma_share(0.5 * (counts.len() as f64 - 1.0), 0.5 * square)
}

/// Returns the share of the standard normal law below a value, to 1e-12: by the incomplete gamma function.
pub fn normal_share(value: f64) -> f64 {
    let half = 0.5 * gamma_share(0.5, 0.5 * value * value);
    if value < 0.0 { 0.5 - half } else { 0.5 + half }
}

/// Returns the regularised lower incomplete gamma function P(shape, x).
pub fn gamma_share(shape: f64, x: f64) -> f64 {
    if x <= 0.0 || x.is_nan() {
        return 0.0;
    }
    let front = (shape * x.ln() - x - ln_gamma(shape)).exp();
    // The series converges fast below the mean, the continued fraction above it.
    if x < shape + 1.0 { front * gamma_series(shape, x) } else { 1.0 - front * gamma_fraction(shape, x) }
}

/// Sums the series of the lower incomplete gamma function.
fn gamma_series(shape: f64, x: f64) -> f64 {
    let (mut term, mut sum) = (1.0 / shape, 1.0 / shape);
    for k in 1..1000 {
        term *= x / (shape + f64::from(k));
        sum += term;
        if term < sum * 1e-15 {
            break;
        }
    }
    sum
}

/// Evaluates the continued fraction of the upper incomplete gamma function, by the method of Lentz.
fn gamma_fraction(shape: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let mut b = x + 1.0 - shape;
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / b;
    let mut value = d;
    for k in 1..1000 {
        let a = -f64::from(k) * (f64::from(k) - shape);
        b += 2.0;
        d = 1.0 / nonzero(a * d + b, TINY);
        c = nonzero(b + a / c, TINY);
        value *= d * c;
        if (d * c - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}

/// Returns a value that can be divided by.
fn nonzero(value: f64, tiny: f64) -> f64 {
    if value.abs() < tiny { tiny } else { value }
}

/// Returns the logarithm of the gamma function: Stirling's series above 10, its recurrence below.
fn ln_gamma(x: f64) -> f64 {
    let (mut x, mut shift) = (x, 0.0);
    while x < 10.0 {
        shift -= x.ln();
        x += 1.0;
    }
    let inverse = 1.0 / (x * x);
    let series = (1.0 / 12.0 - inverse * (1.0 / 360.0 - inverse * (1.0 / 1260.0 - inverse / 1680.0))) / x;
    shift + (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_law_has_its_table() {
        for (value, share) in [(0.0, 0.5), (1.0, 0.841_344_746), (-1.96, 0.024_997_895), (3.0, 0.998_650_102)]
        {
            assert!((normal_share(value) - share).abs() < 1e-8, "{value}: {}", normal_share(value));
        }
    }

    #[test]
    fn chi_square_has_its_table() {
        // Nine degrees of freedom: 16.919 is exceeded with probability 0.05.
        assert!((1.0 - gamma_share(4.5, 0.5 * 16.919) - 0.05).abs() < 1e-4);
        assert!(chi_square_uniform(&[10; 10]) > 0.999);
        assert!(chi_square_uniform(&[100, 1, 1, 1]) < 1e-6);
    }

    #[test]
    fn kolmogorov_accepts_the_law_and_refuses_another() {
        let even: Vec<f64> = (0..100).map(|k| (f64::from(k) + 0.5) / 100.0).collect();
        assert!(ks_one_sample(&even, |x| x.clamp(0.0, 1.0)) > 0.99);
        assert!(ks_one_sample(&even, |x| x.clamp(0.0, 1.0).powi(3)) < 1e-6);
        // 1.3581 is the 5 per cent point of the limit law.
        assert!((kolmogorov(1.3581 / 1e4, 1e8) - 0.05).abs() < 1e-3);
        let moved: Vec<f64> = even.iter().map(|x| x + 0.4).collect();
        assert!(ks_two_samples(&even, &even) > 0.99 && ks_two_samples(&even, &moved) < 1e-3);
    }

    #[test]
    fn curves_are_read_between_their_points() {
        let curve = [(0.0, 1.0), (1.0, 3.0), (2.0, 2.0)];
        let read = [-1.0, 0.5, 1.0, 1.5, 9.0].map(|x| between(&curve, x));
        assert_eq!(read, [1.0, 2.0, 3.0, 2.5, 2.0]);
        assert!((slope(&[(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]) - 2.0).abs() < 1e-12);
        assert_eq!(
            (median(&[3.0, 1.0, 2.0]), median(&[1.0, 2.0]), deviation(&[1.0, 3.0])),
            (2.0, 1.5, 2f64.sqrt())
        );
    }
}
