//! The links that a build took, found and left out.

use super::{Table, measure};
use clearway::answer::place_text;
use clearway::links::LeftOut;
use clearway::{JumpRules, LinkKind};
use serde::Serialize;
use std::collections::BTreeMap;

/// The links of a mesh that was built. Lengths are in metres.
#[derive(Debug, Default, Serialize)]
pub struct LinksAnswer {
    /// The file that was read.
    pub file: Option<String>,
    /// The links of the file, by kind.
    pub taken: Vec<KindCount>,
    /// The distance by which their ends may be moved.
    pub snap: Option<f64>,
    /// The longest move of an end.
    pub moved: Option<f64>,
    /// The links found in the scene, by kind.
    pub generated: Vec<KindCount>,
    /// The rules of the leaps that were looked for.
    pub rules: Option<JumpRules>,
    /// Jumps and drops that are possible but did not become links, with reasons.
    pub left_out: Vec<LeftOut>,
}

/// The number of links of a kind.
#[derive(Debug, PartialEq, Serialize)]
pub struct KindCount {
    pub kind: LinkKind,
    pub count: usize,
}

/// Counts links by kind.
pub fn count_kinds<'a>(kinds: impl IntoIterator<Item = &'a LinkKind>) -> Vec<KindCount> {
    let mut counts: BTreeMap<&LinkKind, usize> = BTreeMap::new();
    for kind in kinds {
        *counts.entry(kind).or_default() += 1;
    }
    counts.into_iter().map(|(kind, count)| KindCount { kind: kind.clone(), count }).collect()
}

/// Returns the counts as text, as in `2 ladder, 1 lift`.
pub fn kinds_text(counts: &[KindCount]) -> String {
    let parts: Vec<String> =
        counts.iter().map(|KindCount { kind, count }| format!("{count} {kind}")).collect();
    parts.join(", ")
}

impl LinksAnswer {
    /// Adds rows for people.
    pub fn rows(&self, table: &mut Table) {
        let total = |counts: &[KindCount]| counts.iter().map(|kind| kind.count).sum::<usize>();
        let after = |counts: &[KindCount]| match kinds_text(counts) {
            text if text.is_empty() => text,
            text => format!(": {text}"),
        };
        let mut name = "links";
        if let Some(file) = &self.file {
            let moved = self
                .moved
                .filter(|moved| *moved > 0.0)
                .map(|moved| format!("; ends moved by up to {} m to the mesh", measure(moved)));
            let remark = format!("read from {file}{}{}", after(&self.taken), moved.unwrap_or_default());
            table.row(name, total(&self.taken), remark);
            name = "";
        }
        if let Some(rules) = &self.rules {
            let found =
                format!("found{}; for bodies up to a radius of {} m", after(&self.generated), rules.radius);
            table.row(name, total(&self.generated), found);
        }
        for left in &self.left_out {
            let remark =
                format!("{}s left out: {}, first at {}", left.kind, left.words(), place_text(left.at));
            table.row("", left.count, remark);
        }
    }
}
