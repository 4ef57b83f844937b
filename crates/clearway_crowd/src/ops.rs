//! Functions whose result must not depend on the mathematical library of a platform.

/// Returns e to the power of x, to about 1e-6 of its value, from sums and products only; 0 below -87.
pub fn exp(x: f32) -> f32 {
    if x < -87.0 {
        return 0.0;
    }
    let x = x.min(88.0);
    // e^x = 2^whole · e^rest with |rest| <= ln 2 / 2.
    let shifted = x * std::f32::consts::LOG2_E + SHIFT;
    let whole = shifted - SHIFT;
    // ln 2 in two parts, so that the product with a small whole number is exact.
    let rest = x - whole * 0.693_359_4 - whole * -2.121_944_4e-4;
    let series = 1.0
        + rest
            * (1.0
                + rest
                    * (0.5
                        + rest
                            * (1.666_666_7e-1
                                + rest * (4.166_666_6e-2 + rest * (8.333_333e-3 + rest * 1.388_888_9e-3)))));
    // The whole number stands in the lowest bits of the shifted one.
    let power = f32::from_bits(shifted.to_bits().wrapping_sub(SHIFT.to_bits()).wrapping_add(127) << 23);
    series * power
}

/// Adding 1.5 · 2²³ leaves no room for digits after the point: the sum is rounded to a whole number. Faster than
/// `round`, which is a call on processors without an instruction for it.
const SHIFT: f32 = 12_582_912.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_e_are_those_of_the_library() {
        for k in -8600..8700 {
            let x = k as f32 * 0.01;
            let (ours, theirs) = (f64::from(exp(x)), f64::from(x).exp());
            assert!((ours - theirs).abs() <= 2e-6 * theirs, "{x}: {ours} and {theirs}");
        }
        assert_eq!((exp(-1e9), exp(0.0)), (0.0, 1.0));
        assert!(exp(1e9).is_finite());
    }
}
