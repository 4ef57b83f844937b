//! What the tests of the readers share.

use std::path::{Path, PathBuf};

use super::{Plan, PlanFormat};
use clearway_base::error::ErrorKind;

/// A file of the shared test data, or `None`, said in words, where it is missing.
pub(super) fn shared_file(name: &str) -> Option<PathBuf> {
    let data = std::env::var_os("CLEARWAY_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let path = data.join(name);
    if !path.is_file() {
        println!("skipped: no shared data file {name}; set CLEARWAY_DATA to its folder");
        return None;
    }
    Some(path)
}

/// Twice the signed area of a ring, positive if it runs counter-clockwise with y up.
pub(super) fn double_area(ring: &[[f64; 2]]) -> f64 {
    let next = ring.iter().cycle().skip(1);
    ring.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum()
}

/// Checks that a text is refused with this kind and exactly this message.
pub(super) fn check_refused(format: PlanFormat, text: &str, kind: ErrorKind, message: &str) {
    match Plan::parse(format, text) {
        Ok(plan) => panic!("{text:?} was read as {plan:?}"),
        Err(error) => assert_eq!((error.to_string().as_str(), error.kind()), (message, kind), "{text:?}"),
    }
}

/// Reads every beginning of a text, and the text with each byte damaged: nothing may panic, and
/// whatever is read must be valid.
pub(super) fn check_damaged(format: PlanFormat, text: &str) {
    for end in 0..=text.len() {
        check_harmless(format, &text[..end]);
    }
    for position in 0..text.len() {
        for damage in ["", "\0", "(", ")", "9", "-", ",", "#", "\n", "e", "[", "]", "\"", "é"] {
            let damaged = [&text[..position], damage, &text[position + 1..]].concat();
            check_harmless(format, &damaged);
        }
    }
}

fn check_harmless(format: PlanFormat, text: &str) {
    if let Ok(plan) = Plan::parse(format, text) {
        assert_eq!(plan.validate(), Ok(()), "{text:?}");
    }
}
