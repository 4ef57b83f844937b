//! Measured fundamental diagrams to compare with: density in 1/m², speed in m/s, standard deviation of the speed.
//!
//! Means of the point clouds that the Jülich group published for experiments with people in corridors, and the curve of
//! Weidmann (1993).

/// A measured diagram: its name, and its means with their spread.
pub struct Reference {
    /// What was measured.
    pub name: &'static str,
    /// Density, speed and standard deviation of the speed.
    pub points: &'static [[f64; 3]],
}

/// A corridor of 3.0 m with open ends.
pub const OPEN_CORRIDOR: Reference = Reference {
    name: "open corridor, 3.0 m",
    points: &[
        [0.37, 1.49, 0.15],
        [0.65, 1.42, 0.12],
        [1.28, 1.20, 0.07],
        [1.69, 1.04, 0.12],
        [2.33, 0.53, 0.16],
        [2.68, 0.39, 0.09],
        [3.24, 0.22, 0.06],
        [3.68, 0.16, 0.02],
    ],
};

/// A closed ring of 1.8 m width.
pub const CLOSED_RING: Reference = Reference {
    name: "closed ring, 1.8 m",
    points: &[
        [0.34, 1.11, 0.08],
        [0.73, 0.94, 0.12],
        [1.27, 0.70, 0.12],
        [1.71, 0.56, 0.08],
        [2.26, 0.42, 0.11],
        [2.70, 0.35, 0.06],
        [3.27, 0.23, 0.04],
        [3.71, 0.17, 0.05],
        [4.13, 0.06, 0.04],
    ],
};

/// A corridor of 3.6 m with people in both directions.
pub const BIDIRECTIONAL: Reference = Reference {
    name: "both directions, 3.6 m",
    points: &[
        [0.41, 1.50, 0.10],
        [0.71, 1.32, 0.14],
        [1.21, 1.05, 0.15],
        [1.77, 0.78, 0.10],
        [2.26, 0.58, 0.08],
        [2.73, 0.46, 0.05],
        [3.21, 0.40, 0.03],
    ],
};

/// Returns Weidmann's speed in m/s at a density in 1/m²: 1.34 on free ground, 0 at 5.4.
pub fn weidmann(density: f64) -> f64 {
    if density <= 0.0 {
        return 1.34;
    }
    (1.34 * (1.0 - (-1.913 * (1.0 / density - 1.0 / 5.4)).exp())).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_flow_of_weidmann_is_where_he_found_it() {
        let flow = |density: f64| density * weidmann(density);
        let best =
            (1..540).map(|i| f64::from(i) / 100.0).max_by(|a, b| flow(*a).total_cmp(&flow(*b))).unwrap();
        assert!((best - 1.75).abs() < 0.02 && (flow(best) - 1.22).abs() < 0.01, "{best} {}", flow(best));
        assert!(weidmann(5.4).abs() < 1e-12 && weidmann(9.0) == 0.0);
    }
}
