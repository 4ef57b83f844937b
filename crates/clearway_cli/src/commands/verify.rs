//! `clearway verify`: runs the suites of the evacuation field.

use crate::args::VerifyArgs;
use crate::failure::Result;
use crate::output;
use clearway_verify::{Finding, Lab, Verdict, report, suite};
use std::fmt::Write;

/// Runs the command. Returns false if a test failed.
pub fn run(args: &VerifyArgs) -> Result<bool> {
    let request = args.request()?;
    if args.list {
        return list(args.json);
    }
    let findings = clearway_verify::run(&request, &tell)?;
    let mut files = Vec::new();
    if let Some(path) = &args.html {
        files.push((path.clone(), report::html::write(&findings)));
    }
    if let Some(path) = &args.output {
        files.push((path.clone(), report::markdown::write(&findings)));
    }
    let files: Vec<_> = files.iter().map(|(path, text)| (path.clone(), text.as_bytes())).collect();
    output::write_files(&files)?;
    if args.json {
        output::print_json(&report::json::write(&findings))?;
    } else {
        output::print(&text(&findings))?;
    }
    Ok(findings.iter().all(|finding| finding.verdict != Verdict::Fail))
}

/// Writes a line for each experiment that is done.
fn tell(name: &str, lab: &Lab, done: usize, all: usize) {
    let contact = if lab.contact { "" } else { ", no projection" };
    output::complain(&format!("clearway: {done}/{all} {name}, {}, r {}{contact}\n", lab.model, lab.radius));
}

/// Lists the tests.
fn list(is_json: bool) -> Result<bool> {
    let cases = suite::cases();
    if is_json {
        let rows = cases.iter().map(|case| {
            serde_json::json!({
                "id": case.id,
                "suite": case.suite,
                "title": case.title,
                "setup": case.setup,
                "criterion": case.criterion,
                "source": case.source,
            })
        });
        return output::print_json(&rows.collect::<serde_json::Value>()).map(|()| true);
    }
    let mut text = String::new();
    for case in cases {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{:<24} {}: {}", case.id, case.title, case.criterion);
    }
    output::print(&text).map(|()| true)
}

/// Returns a line for each finding and the sums.
fn text(findings: &[Finding]) -> String {
    let mut text = String::new();
    for finding in findings {
        let (case, lab) = (&finding.case, &finding.lab);
        let contact = if lab.contact { "" } else { " no projection" };
        let _ = writeln!(
            text,
            "{:<10} {:<24} {} r {}{contact}: {}",
            finding.verdict.word(),
            case.id,
            lab.model,
            lab.radius,
            summary(finding)
        );
    }
    let count = |verdict| findings.iter().filter(|finding| finding.verdict == verdict).count();
    let [pass, fail, documented] = [Verdict::Pass, Verdict::Fail, Verdict::Documented].map(count);
    let _ = writeln!(text, "{pass} pass, {fail} fail, {documented} documented");
    text
}

/// Returns what decided: values outside of their limits, or else the first value.
fn summary(finding: &Finding) -> String {
    let bad: Vec<String> =
        finding.values.iter().filter(|value| !value.is_good()).map(report::sentence).collect();
    let overlap = finding.outcome.overlap;
    let deep = finding.lab.contact && overlap > clearway_verify::outcome::ALLOWED_OVERLAP;
    let mut parts =
        if bad.is_empty() { finding.values.iter().take(1).map(report::sentence).collect() } else { bad };
    if deep {
        parts.push(format!("overlap {overlap:.1e} m ✗"));
    }
    if finding.outcome.note.starts_with("The experiment stopped") {
        parts.push(finding.outcome.note.clone());
    }
    parts.join("; ")
}
