//! Laws that the standards and handbooks of the field give, by name.
//!
//! Every number stands in one table here. Sources: Weidmann (1993) as RiMEA uses it; the circular IMO MSC.1/Circ.1533
//! (groups of passengers and crew); Fruin (1971) for stairs.

use crate::law::Law;

/// Walking speeds by name: least and greatest speed in m/s, each value as likely as any other.
const RANGES: [(&str, [f64; 2]); 16] = [
    ("rimea-under-30", [0.58, 1.61]),
    ("rimea-30-50", [1.41, 1.54]),
    ("rimea-over-50", [0.68, 1.41]),
    ("rimea-impaired", [0.46, 0.76]),
    ("imo-female-under-30", [0.93, 1.55]),
    ("imo-female-30-50", [0.71, 1.19]),
    ("imo-female-over-50", [0.56, 0.94]),
    ("imo-female-impaired-1", [0.43, 0.71]),
    ("imo-female-impaired-2", [0.37, 0.61]),
    ("imo-male-under-30", [1.11, 1.85]),
    ("imo-male-30-50", [0.97, 1.62]),
    ("imo-male-over-50", [0.84, 1.40]),
    ("imo-male-impaired-1", [0.64, 1.06]),
    ("imo-male-impaired-2", [0.55, 0.91]),
    ("imo-crew-female", [0.93, 1.55]),
    ("imo-crew-male", [1.11, 1.85]),
];

/// Groups of people by name: the law of each group and its weight in per cent.
const MIXTURES: [(&str, &[(f64, &str)]); 2] = [
    (
        "imo-passengers",
        &[
            (7.0, "imo-female-under-30"),
            (7.0, "imo-female-30-50"),
            (16.0, "imo-female-over-50"),
            (10.0, "imo-female-impaired-1"),
            (10.0, "imo-female-impaired-2"),
            (7.0, "imo-male-under-30"),
            (7.0, "imo-male-30-50"),
            (16.0, "imo-male-over-50"),
            (10.0, "imo-male-impaired-1"),
            (10.0, "imo-male-impaired-2"),
        ],
    ),
    ("imo-crew", &[(50.0, "imo-crew-female"), (50.0, "imo-crew-male")]),
];

/// Mean walking speeds in m/s by age in years, after Weidmann's curve.
const AGES: [(&str, f64); 6] = [
    ("age-20", 1.62),
    ("age-30", 1.54),
    ("age-40", 1.48),
    ("age-50", 1.41),
    ("age-60", 1.27),
    ("age-70", 1.07),
];

/// The spread of walking speeds within an age in m/s: a fifth of the mean, as over all adults.
const AGE_SPREAD: f64 = 0.2;

/// Speed on stairs as factors of Weidmann's mean of 1.34 m/s: up and down. The speeds are those of Fruin by age.
const STAIRS: [(&str, [f64; 2]); 7] = [
    ("fruin-inside-under-30", [0.55 / 1.34, 0.76 / 1.34]),
    ("fruin-inside-30-50", [0.50 / 1.34, 0.65 / 1.34]),
    ("fruin-inside-over-50", [0.42 / 1.34, 0.55 / 1.34]),
    ("fruin-outside-under-30", [0.58 / 1.34, 0.81 / 1.34]),
    ("fruin-outside-30-50", [0.58 / 1.34, 0.78 / 1.34]),
    ("fruin-outside-over-50", [0.42 / 1.34, 0.59 / 1.34]),
    ("fruin-impaired", [0.32 / 1.34, 0.42 / 1.34]),
];

/// Returns the law of walking speeds that has this name.
pub fn speed(name: &str) -> Option<Law> {
    if name == "weidmann" {
        return Some(Law::normal(1.34, 0.26).between(0.5, 2.2));
    }
    if let Some((_, [min, max])) = RANGES.iter().find(|(known, _)| *known == name) {
        return Some(Law::uniform(*min, *max));
    }
    if let Some((_, mean)) = AGES.iter().find(|(known, _)| *known == name) {
        let sd = AGE_SPREAD * mean;
        return Some(Law::normal(*mean, sd).between(mean - 3.0 * sd, mean + 3.0 * sd));
    }
    let (_, parts) = MIXTURES.iter().find(|(known, _)| *known == name)?;
    let parts = parts.iter().filter_map(|(weight, part)| Some((*weight, speed(part)?))).collect();
    Some(Law::new(crate::law::Shape::Mixture(parts)))
}

/// Returns the names of all laws of walking speeds.
pub fn speed_names() -> Vec<&'static str> {
    let names = RANGES.iter().map(|(name, _)| *name).chain(AGES.iter().map(|(name, _)| *name));
    ["weidmann"].into_iter().chain(names).chain(MIXTURES.iter().map(|(name, _)| *name)).collect()
}

/// Returns the factors of the walking speed on stairs, up and down, that have this name.
pub fn stairs(name: &str) -> Option<[f64; 2]> {
    STAIRS.iter().find(|(known, _)| *known == name).map(|(_, factors)| *factors)
}

/// Returns the names of all factors on stairs.
pub fn stairs_names() -> Vec<&'static str> {
    STAIRS.iter().map(|(name, _)| *name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Draws, Purpose};

    #[test]
    fn every_name_has_a_law_of_usable_speeds() {
        for name in speed_names() {
            let law = speed(name).unwrap().check([0.05, 30.0], "m/s").unwrap();
            let mut draws = Draws::new(1, 0, 0, Purpose::Speed);
            assert!((0..500).map(|_| law.draw(&mut draws)).all(|v| (0.3..2.6).contains(&v)), "{name}");
        }
        assert!(speed("nobody").is_none());
        for name in stairs_names() {
            let [up, down] = stairs(name).unwrap();
            assert!(up < down && down < 0.7, "{name}");
        }
    }

    #[test]
    fn passengers_of_ships_are_slower_than_crew() {
        let mean = |name: &str| {
            let (law, mut draws) = (speed(name).unwrap(), Draws::new(1, 0, 0, Purpose::Speed));
            (0..4000).map(|_| law.draw(&mut draws)).sum::<f64>() / 4000.0
        };
        assert!(mean("imo-passengers") < mean("imo-crew") - 0.3);
        // A young man of the crew walks at 1.48 m/s in the mean.
        assert!((mean("imo-crew-male") - 1.48).abs() < 0.02);
    }
}
