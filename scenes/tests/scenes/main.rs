//! Laws of the families and the worlds: same seed same plan, sizes as asked, clean ones clean.

mod columns;
mod measure;
mod pictures;
mod space;

use clearway_scenes::{Family, hospital_ward, market, turn_back, two_ways};
use measure::{closed_rings, digest, first_contact, points};

const FAMILY_STEP: f64 = 1.0 / 1024.0;
const WORLD_STEP: f64 = 0.001;

#[test]
fn names_are_unique_and_lead_back_to_their_family() {
    for (index, family) in Family::ALL.into_iter().enumerate() {
        assert_eq!(family as usize, index, "ALL is in the order of the enum");
        assert_eq!(Family::from_name(family.name()), Some(family));
    }
    assert_eq!(Family::from_name("no such family"), None);
}

#[test]
fn sizes_are_roughly_as_asked() {
    for family in Family::ALL {
        for size in [100, 1000, 20_000] {
            for seed in 0..6 {
                let count = family.draw(size, seed).point_count();
                let fits = size <= 2 * count && count <= 2 * size;
                assert!(fits, "{} of {size} with seed {seed} has {count} points", family.name());
            }
        }
    }
}

#[test]
fn every_size_and_seed_gives_a_finite_plan_of_even_density() {
    for family in Family::ALL {
        for size in [0, 8, 9, 13, 20, 31, 50, 200, 3000] {
            for seed in 0..20 {
                let plan = family.draw(size, seed);
                let reach = 40.0 + 16.0 * (size.max(8) as f64).sqrt();
                let bounded = points(&plan).flatten().all(|x| x.is_finite() && x > -30.0 && x < reach);
                assert!(bounded, "{} of {size} with seed {seed}", family.name());
                assert!(closed_rings(&plan).iter().all(|ring| ring.len() >= 3));
                assert!(!closed_rings(&plan).is_empty());
            }
        }
    }
}

#[test]
fn clean_families_have_no_touching_edges() {
    for family in Family::ALL.into_iter().filter(|family| family.is_clean()) {
        for (size, seeds) in [(8, 40), (30, 40), (100, 30), (300, 20), (20_000, 4)] {
            for seed in 0..seeds {
                let contact = first_contact(&family.draw(size, seed), FAMILY_STEP);
                assert_eq!(contact, None, "{} of {size} with seed {seed}", family.name());
            }
        }
    }
}

#[test]
fn worlds_have_no_touching_edges() {
    for seed in 0..30 {
        assert_eq!(first_contact(&hospital_ward(seed), WORLD_STEP), None, "ward {seed}");
        assert_eq!(first_contact(&market(seed), WORLD_STEP), None, "market {seed}");
    }
    assert_eq!(first_contact(&two_ways(), WORLD_STEP), None);
}

#[test]
fn broken_families_are_broken() {
    let broken =
        [Family::PinchedRings, Family::TouchingHoles, Family::OverlappingRings, Family::SelfIntersecting];
    for family in broken.into_iter().chain([Family::DuplicateRings]) {
        for seed in 0..10 {
            assert!(first_contact(&family.draw(200, seed), FAMILY_STEP).is_some(), "{}", family.name());
        }
    }
    assert!((0..10).all(|seed| !Family::ThinWalls.draw(200, seed).walls.is_empty()));
}

#[test]
fn text_has_as_many_coordinates_as_the_plan() {
    for family in Family::ALL {
        let plan = family.draw(500, 3);
        let repeated = closed_rings(&plan).len();
        let text = plan.to_wkt();
        let pairs = text.split(['(', ')', ',']).filter(|part| part.trim().contains(' ')).count();
        assert_eq!(pairs, plan.point_count() + repeated, "{}", family.name());
    }
}

#[test]
fn digests_are_the_committed_ones() {
    let plans = Family::ALL.into_iter().map(|family| (family.name(), family.draw(200, 1)));
    let worlds = [
        ("hospital_ward", hospital_ward(1)),
        ("market", market(1)),
        ("turn_back", turn_back()),
        ("two_ways", two_ways()),
    ];
    let found: Vec<(&str, u64)> = plans.chain(worlds).map(|(name, plan)| (name, digest(&plan))).collect();
    let again: Vec<u64> = Family::ALL.into_iter().map(|family| digest(&family.draw(200, 1))).collect();
    assert!(found.iter().zip(&again).all(|(first, second)| first.1 == *second));
    let text: String = found.iter().map(|(name, digest)| format!("{name} {digest:016x}\n")).collect();
    assert_eq!(text, include_str!("digests.txt"), "found:\n{text}");
}

#[test]
fn a_million_vertices_are_drawn() {
    for family in Family::ALL {
        let count = family.draw(1_000_000, 2).point_count();
        assert!((500_000..2_000_000).contains(&count), "{} has {count} points", family.name());
    }
}
