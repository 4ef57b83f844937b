//! Findings as a page of Markdown.

use super::{number, sentence};
use crate::case::Suite;
use crate::lab::Lab;
use crate::outcome::Verdict;
use crate::run::Finding;
use std::fmt::Write;

/// Returns the page.
pub fn write(findings: &[Finding]) -> String {
    let mut text = String::from(
        "# Verification\n\nWritten by `clearway verify`. What each test is stands in `docs/reference/verify.md`.\n",
    );
    let labs = labs(findings);
    summary(&mut text, findings, &labs);
    for lab in &labs {
        for suite in Suite::ALL {
            table(&mut text, findings, lab, suite);
        }
    }
    text
}

/// Returns the conditions in their order.
pub(super) fn labs(findings: &[Finding]) -> Vec<Lab> {
    let mut labs: Vec<Lab> = Vec::new();
    for finding in findings {
        if !labs.contains(&finding.lab) {
            labs.push(finding.lab);
        }
    }
    labs
}

/// Returns a condition in words.
pub(super) fn condition(lab: &Lab) -> String {
    let contact = if lab.contact { "with" } else { "without" };
    format!("{}, radius {} m, {contact} the contact projection", lab.model, lab.radius)
}

/// Returns how many findings of a condition have a verdict.
pub(super) fn count(findings: &[Finding], lab: &Lab, verdict: Verdict) -> usize {
    findings.iter().filter(|finding| finding.lab == *lab && finding.verdict == verdict).count()
}

/// Adds the table of all conditions.
fn summary(text: &mut String, findings: &[Finding], labs: &[Lab]) {
    text.push_str("\n| model | radius | projection | seeds | pass | fail | documented | deepest overlap |\n|---|---|---|---|---|---|---|---|\n");
    for lab in labs {
        let [pass, fail, documented] =
            [Verdict::Pass, Verdict::Fail, Verdict::Documented].map(|verdict| count(findings, lab, verdict));
        let overlap = findings.iter().filter(|finding| finding.lab == *lab).map(|f| f.outcome.overlap);
        let overlap = overlap.fold(0.0, f64::max);
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "| {} | {} m | {} | {} | {pass} | {fail} | {documented} | {} |",
            lab.model,
            lab.radius,
            if lab.contact { "with" } else { "without" },
            lab.seeds,
            length(overlap)
        );
    }
}

/// Returns an overlap in words.
pub(super) fn length(overlap: f64) -> String {
    if overlap == 0.0 {
        "0 m".to_string()
    } else if overlap < 1e-3 {
        format!("{overlap:.1e} m")
    } else {
        format!("{} m", number(overlap))
    }
}

/// Adds the table of a suite under one condition.
fn table(text: &mut String, findings: &[Finding], lab: &Lab, suite: Suite) {
    let mut rows =
        findings.iter().filter(|finding| finding.lab == *lab && finding.case.suite == suite).peekable();
    if rows.peek().is_none() {
        return;
    }
    let _ = writeln!(text, "\n## {}: {}\n", suite.title(), condition(lab));
    text.push_str("| test | what | criterion | source | measured | verdict |\n|---|---|---|---|---|---|\n");
    for finding in rows {
        let case = &finding.case;
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} | {} | {} |",
            case.id,
            case.title,
            case.criterion,
            case.source,
            measured(finding),
            marked(finding.verdict)
        );
    }
}

/// Returns the values of a finding in one cell.
fn measured(finding: &Finding) -> String {
    let mut parts: Vec<String> = finding.values.iter().map(sentence).collect();
    if finding.outcome.overlap > crate::outcome::ALLOWED_OVERLAP {
        let mark = if finding.lab.contact { " ✗" } else { "" };
        parts.push(format!("overlap {}{mark}", length(finding.outcome.overlap)));
    }
    if !finding.outcome.note.is_empty() {
        parts.push(finding.outcome.note.clone());
    }
    parts.join("; ").replace('|', "/")
}

/// Returns a verdict, a failure in bold.
fn marked(verdict: Verdict) -> String {
    if verdict == Verdict::Fail { "**fail**".to_string() } else { verdict.word().to_string() }
}
