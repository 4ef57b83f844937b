//! The default model passes what a change could break first. `clearway verify --quick` runs more.
#![allow(clippy::unwrap_used)]

use clearway_verify::{Effort, Request, Verdict, report, run};

/// Runs one test with one seed and tells what it measured.
fn check(test: &str, radius: f64) {
    let request =
        Request::default().test(Some(test.to_string())).radii(vec![radius]).seeds(1).effort(Effort::Quick);
    for finding in run(&request, &|_, _, _, _| ()).unwrap() {
        let measured: Vec<String> = finding.values.iter().map(report::sentence).collect();
        let overlap = finding.outcome.overlap;
        assert_ne!(finding.verdict, Verdict::Fail, "{test}: {measured:?}, overlap {overlap}");
    }
}

#[test]
fn headway_walks_corridors_stairs_and_corners() {
    for test in ["rimea-1", "rimea-2", "rimea-3", "rimea-6", "iso-3", "juelich-V2", "juelich-V6"] {
        check(test, 0.2);
    }
}

#[test]
fn headway_passes_standers_and_ignores_the_hidden() {
    for test in ["juelich-V3", "juelich-V4", "juelich-V5", "juelich-V8", "juelich-V12"] {
        check(test, 0.15);
    }
}

#[test]
fn headway_opposes_a_hundred_people() {
    check("nist-2.8", 0.2);
}

#[test]
fn exits_are_assigned_and_may_close() {
    check("rimea-10", 0.2);
    check("nist-4.1", 0.2);
}
