//! Measured and published figures that simulations are compared with, each table with its source.
//!
//! Flows are persons per second, densities persons per square metre (single file: per metre), speeds m/s.

/// The free speed of Weidmann's diagram in m/s, the mean of his review of 1993.
pub const WEIDMANN_SPEED: f64 = 1.34;

/// Weidmann's exponent in persons per square metre: larger makes speed fall later.
const WEIDMANN_GAMMA: f64 = 1.913;

/// Weidmann's jam density in persons per square metre: nobody moves beyond it.
const WEIDMANN_JAM: f64 = 5.4;

/// Returns the speed of Weidmann's fundamental diagram (1993) at a density.
pub fn weidmann(density: f64) -> f64 {
    let crowding = 1.0 / density - 1.0 / WEIDMANN_JAM;
    WEIDMANN_SPEED * (1.0 - (-WEIDMANN_GAMMA * crowding).exp()).max(0.0)
}

/// A measured flow through a bottleneck: clear width in metres, flow in persons per second.
pub type WidthFlow = (f64, f64);

/// Flow through bottlenecks, Kretz et al. 2006.
pub const KRETZ: &[WidthFlow] = &[
    (0.4, 0.879),
    (0.4, 0.899),
    (0.5, 1.007),
    (0.5, 1.036),
    (0.6, 1.124),
    (0.7, 1.222),
    (0.7, 1.251),
    (0.8, 1.388),
    (0.8, 1.417),
    (0.8, 1.456),
    (0.9, 1.534),
    (0.9, 1.583),
    (0.9, 1.632),
    (1.0, 1.710),
    (1.0, 1.808),
    (1.0, 1.876),
    (1.0, 2.023),
    (1.2, 2.033),
    (1.2, 2.111),
    (1.2, 2.287),
];

/// Flow through bottlenecks, Seyfried et al. 2009.
pub const SEYFRIED: &[WidthFlow] = &[(0.8, 1.288), (0.9, 1.674), (1.0, 1.900), (1.1, 2.123), (1.2, 2.364)];

/// Flow through bottlenecks, the Hermes experiments (EG 2006).
pub const HERMES: &[WidthFlow] = &[
    (0.9, 1.593),
    (1.0, 1.832),
    (1.1, 1.988),
    (1.2, 2.312),
    (1.4, 2.706),
    (1.6, 2.842),
    (1.8, 3.551),
    (2.0, 3.549),
    (2.2, 4.063),
    (2.5, 5.116),
];

/// Flow through bottlenecks, Müller 1981.
pub const MUELLER: &[WidthFlow] = &[(0.6, 1.482), (0.9, 2.264), (1.2, 2.751), (1.5, 3.574), (1.8, 3.817)];

/// Flow through bottlenecks, Nagai et al. 2006.
pub const NAGAI: &[WidthFlow] = &[(0.8, 1.737), (1.2, 2.582), (1.6, 3.257), (2.0, 3.874)];

/// Flow through bottlenecks, Daamen and Hoogendoorn 2010: the least and the greatest of each width.
pub const DAAMEN: &[WidthFlow] = &[
    (0.5, 1.06),
    (0.5, 1.11),
    (0.85, 2.28),
    (0.85, 2.35),
    (1.0, 2.54),
    (1.0, 2.77),
    (1.1, 2.47),
    (1.1, 2.62),
    (1.65, 3.59),
    (1.65, 3.90),
    (2.75, 5.68),
    (2.75, 6.47),
];

/// Every table of flow through bottlenecks with the name of its source.
pub const BOTTLENECKS: &[(&str, &[WidthFlow])] = &[
    ("Kretz 2006", KRETZ),
    ("Seyfried 2009", SEYFRIED),
    ("Hermes 2006", HERMES),
    ("Müller 1981", MUELLER),
    ("Nagai 2006", NAGAI),
    ("Daamen 2010", DAAMEN),
];

/// The middle of the measured flows at the widths that are judged: clear width in metres, persons per second. The
/// calibration of the model Headway aimed at these values.
pub const DOOR_MIDDLE: &[WidthFlow] = &[
    (0.8, 1.43),
    (0.9, 1.75),
    (1.0, 1.83),
    (1.1, 2.25),
    (1.2, 2.25),
    (1.4, 2.71),
    (1.6, 3.05),
    (1.8, 3.68),
    (2.0, 3.71),
    (2.5, 5.12),
];

/// Returns the least and the greatest measured flow at a width, over all sources; `None` where nobody measured.
pub fn door_range(width: f64) -> Option<[f64; 2]> {
    let all = BOTTLENECKS.iter().flat_map(|(_, table)| table.iter());
    let flows = all.filter(|(at, _)| (at - width).abs() < 1e-6).map(|(_, flow)| *flow);
    flows.fold(None, |range: Option<[f64; 2]>, flow| {
        let [low, high] = range.unwrap_or([flow; 2]);
        Some([low.min(flow), high.max(flow)])
    })
}

/// A point of a fundamental diagram: density, mean speed, standard deviation of the speed.
pub type DensitySpeed = (f64, f64, f64);

/// Unidirectional flow in a closed ring 1.8 m wide: 434 measurements of the Jülich archive, in bins.
pub const RING: &[DensitySpeed] = &[
    (0.34, 1.11, 0.08),
    (0.73, 0.94, 0.12),
    (1.27, 0.70, 0.12),
    (1.71, 0.56, 0.08),
    (2.26, 0.42, 0.11),
    (2.70, 0.35, 0.06),
    (3.27, 0.23, 0.04),
    (3.71, 0.17, 0.05),
    (4.13, 0.06, 0.04),
];

/// Unidirectional flow in an open corridor 3.0 m wide: 571 measurements of the Jülich archive, in bins.
pub const CORRIDOR: &[DensitySpeed] = &[
    (0.37, 1.49, 0.15),
    (0.65, 1.42, 0.12),
    (1.28, 1.20, 0.07),
    (1.69, 1.04, 0.12),
    (2.33, 0.53, 0.16),
    (2.68, 0.39, 0.09),
    (3.24, 0.22, 0.06),
    (3.68, 0.16, 0.02),
];

/// Bidirectional flow in a corridor 3.6 m wide: 304 measurements of the Jülich archive, in bins.
pub const BIDIRECTIONAL: &[DensitySpeed] = &[
    (0.41, 1.50, 0.10),
    (0.71, 1.32, 0.14),
    (1.21, 1.05, 0.15),
    (1.77, 0.78, 0.10),
    (2.26, 0.58, 0.08),
    (2.73, 0.46, 0.05),
    (3.21, 0.40, 0.03),
];

/// The free speed in m/s of those who walked in the bidirectional experiments.
pub const BIDIRECTIONAL_SPEED: f64 = 1.5;

/// Flow before a corner of a corridor 2.4 m wide, Jülich archive; no deviations are given.
pub const CORNER_BEFORE: &[DensitySpeed] =
    &[(0.34, 1.48, 0.0), (0.67, 1.30, 0.0), (1.29, 1.01, 0.0), (1.74, 0.84, 0.0), (2.13, 0.73, 0.0)];

/// Flow after a corner of a corridor 2.4 m wide, Jülich archive; no deviations are given.
pub const CORNER_AFTER: &[DensitySpeed] =
    &[(0.35, 1.42, 0.0), (0.69, 1.25, 0.0), (1.26, 1.04, 0.0), (1.62, 0.91, 0.0)];

/// Flow after the merge of a T-junction 2.4 m wide, Jülich archive; no deviations are given.
pub const JUNCTION_AFTER: &[DensitySpeed] =
    &[(0.76, 1.24, 0.0), (1.29, 1.03, 0.0), (1.79, 0.86, 0.0), (2.24, 0.75, 0.0), (2.63, 0.69, 0.0)];

/// Percentiles of speeds in single file (RiMEA 4.1.1, test 16): density per metre, then 10, 50 and 90 per cent.
pub const SINGLE_FILE: &[(f64, [f64; 3])] = &[
    (0.10, [0.961, 1.186, 1.483]),
    (0.30, [0.840, 1.160, 1.473]),
    (0.50, [0.708, 1.091, 1.389]),
    (0.70, [0.598, 0.975, 1.305]),
    (0.90, [0.448, 0.747, 1.101]),
    (1.10, [0.316, 0.520, 0.840]),
    (1.30, [0.187, 0.393, 0.608]),
    (1.50, [0.112, 0.273, 0.485]),
    (1.70, [0.071, 0.199, 0.382]),
    (1.90, [0.048, 0.158, 0.314]),
    (2.10, [0.035, 0.131, 0.270]),
    (2.30, [0.027, 0.114, 0.239]),
    (2.50, [0.022, 0.102, 0.220]),
];

/// Walking speeds by age from Weidmann's figure as RiMEA uses it: age in years, least and greatest mean in m/s.
pub const SPEED_BY_AGE: &[(u32, [f64; 2])] = &[
    (20, [1.60, 1.64]),
    (30, [1.52, 1.56]),
    (40, [1.46, 1.50]),
    (50, [1.39, 1.43]),
    (60, [1.25, 1.29]),
    (70, [1.05, 1.09]),
];

/// Returns the band of speeds on stairs at a density, up or down, after the formulas of Corbetta as the JuPedSim
/// community uses them for RiMEA 13: least and greatest speed in m/s along the ground plan.
pub fn stair_band(density: f64, is_up: bool) -> [f64; 2] {
    let rho = density;
    let (fast, fast_sd, slow, slow_sd) = if is_up {
        (0.18 * rho * rho - 0.55 * rho + 1.02, 0.35 - 0.14 * rho, 0.01 * rho + 0.48, 0.10 - 0.02 * rho)
    } else {
        (0.33 * rho * rho - 1.02 * rho + 1.39, 0.29 - 0.11 * rho, -0.08 * rho + 0.67, 0.14 - 0.06 * rho)
    };
    [(fast - fast_sd).min(slow - slow_sd), (fast + fast_sd).max(slow + slow_sd)]
}

/// The greatest flow per metre of clear width and second that IMO MSC.1/Circ.1533 allows a door.
pub const IMO_FLOW: f64 = 1.33;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weidmann_has_his_figures() {
        for (density, speed) in [(0.5, 1.298), (1.0, 1.058), (2.0, 0.606), (3.0, 0.331), (4.0, 0.156)] {
            assert!((weidmann(density) - speed).abs() < 1e-3, "{density}: {}", weidmann(density));
        }
        assert_eq!(weidmann(6.0), 0.0);
        let flow = |density: f64| density * weidmann(density);
        assert!(flow(1.75) > flow(1.6) && flow(1.75) > flow(1.9) && (flow(1.75) - 1.22).abs() < 0.01);
    }

    #[test]
    fn every_door_that_is_judged_was_measured() {
        for (width, middle) in DOOR_MIDDLE {
            let [low, high] = door_range(*width).unwrap();
            assert!(low <= middle + 0.01 && middle - 0.01 <= high, "{width}: {low} {middle} {high}");
        }
        assert_eq!(door_range(0.95), None);
    }

    #[test]
    fn stairs_are_faster_downwards() {
        for density in [0.6, 0.8, 1.0] {
            let ([_, up], [_, down]) = (stair_band(density, true), stair_band(density, false));
            assert!(down > up, "{density}: up to {up} and {down}");
        }
    }
}
