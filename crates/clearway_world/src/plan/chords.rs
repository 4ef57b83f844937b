//! The number of chords that stand for a curve, shared by the readers of drawings.

use std::f64::consts::TAU;

/// The distance in metres between a curve and its chords: nobody meets a wall a centimetre early or late.
pub(super) const TOLERANCE: f64 = 0.01;

/// The greatest number of chords of one curve. It bounds the points of circles that are larger than any plan: whole
/// circles stay within the tolerance up to a radius of 34 km, short arcs of larger circles as well.
pub(super) const MOST_CHORDS: usize = 4096;

/// The chords of an arc of a circle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Chords {
    /// Their number.
    pub(super) count: usize,
    /// The greatest distance between arc and chord, in the unit of the radius; `None` if it is within the tolerance.
    pub(super) off: Option<f64>,
}

impl Chords {
    /// Divides an arc such that its chords lie within a tolerance, with at least `least` chords for a whole turn.
    pub(super) fn of_arc(radius: f64, sweep: f64, tolerance: f64, least: f64) -> Chords {
        // The sine of half the angle keeps its digits where the cosine of the angle is 1.
        let ratio = (tolerance / (2.0 * radius.max(tolerance))).sqrt().min(1.0);
        let step = (4.0 * ratio.asin()).min(TAU / least);
        let count = (sweep / step).ceil().max(1.0);
        if count <= MOST_CHORDS as f64 {
            return Chords { count: count as usize, off: None };
        }
        let half = (sweep / MOST_CHORDS as f64 / 4.0).sin();
        Chords { count: MOST_CHORDS, off: Some(2.0 * radius * half * half) }
    }
}

/// Words for curves whose chords are coarser than the tolerance, for the report.
pub(super) fn coarse_text(off: f64) -> String {
    format!(
        "the limit of {MOST_CHORDS} chords for one curve leaves them up to {off:.3} m off it, not {TOLERANCE} m"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chords_stay_within_the_tolerance_or_tell_by_how_much_not() {
        for (radius, sweep) in
            [(0.02, TAU), (5.0, 1.0), (2000.0, TAU), (3e4, TAU), (1e6, 0.1), (1e6, TAU), (1e12, TAU)]
        {
            let Chords { count, off } = Chords::of_arc(radius, sweep, TOLERANCE, 12.0);
            let half = (sweep / count as f64 / 4.0).sin();
            let sagitta = 2.0 * radius * half * half;
            assert!(off.unwrap_or(TOLERANCE * (1.0 + 1e-9)) >= sagitta, "{radius}: {sagitta}");
            assert_eq!(off.is_none(), sagitta <= TOLERANCE * (1.0 + 1e-9), "{radius}: {sagitta}");
        }
    }
}
