//! Findings as one page of HTML with pictures and charts. It needs no other file.

use super::markdown::{condition, count, labs, length};
use super::sentence;
use crate::case::Suite;
use crate::lab::Lab;
use crate::outcome::Verdict;
use crate::run::Finding;
use std::fmt::Write;

const STYLE: &str = "\
body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:1180px;padding:0 1rem;color:#222;background:#f6f6f4}\
h1,h2,h3{line-height:1.2}h2{margin-top:2.5rem;border-bottom:2px solid #ddd}\
table{border-collapse:collapse;background:#fff}td,th{border:1px solid #ddd;padding:.3rem .6rem;text-align:left}\
article{background:#fff;border:1px solid #ddd;border-left:6px solid #999;margin:1rem 0;padding:.6rem 1rem}\
article.pass{border-left-color:#2e8b57}article.fail{border-left-color:#c0392b}article.documented{border-left-color:#1f6fb4}\
article h3{margin:.2rem 0}.verdict{font-weight:600}.pass .verdict{color:#2e8b57}.fail .verdict{color:#c0392b}\
.documented .verdict{color:#1f6fb4}dl{display:grid;grid-template-columns:7rem 1fr;gap:.1rem .6rem;margin:.4rem 0}\
dt{color:#777}dd{margin:0}ul{margin:0;padding-left:1.1rem}li.bad{color:#c0392b;font-weight:600}\
figure{display:inline-block;vertical-align:top;margin:.6rem 1rem .2rem 0}figcaption{font-size:13px;color:#555}\
svg.place{background:#e9e8e4;max-width:100%}svg.chart text{font:11px system-ui,sans-serif;fill:#333}";

/// Returns the page.
pub fn write(findings: &[Finding]) -> String {
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>clearway verify</title><style>{STYLE}</style>\
         </head><body><h1>Verification of the crowd</h1>"
    );
    let labs = labs(findings);
    summary(&mut page, findings, &labs);
    let mut drawn: Vec<*const crate::Outcome> = Vec::new();
    for lab in &labs {
        for suite in Suite::ALL {
            section(&mut page, findings, lab, suite, &mut drawn);
        }
    }
    page.push_str("</body></html>\n");
    page
}

/// Adds the table of all conditions.
fn summary(page: &mut String, findings: &[Finding], labs: &[Lab]) {
    page.push_str(
        "<p>Circles are bodies at the end; where everybody left, at the moment when half of them had. Lines are their ways, \
         dots their starts.</p><table><tr><th>condition</th><th>seeds</th><th>pass</th><th>fail</th><th>documented</th>\
         <th>deepest overlap</th></tr>",
    );
    for lab in labs {
        let [pass, fail, documented] =
            [Verdict::Pass, Verdict::Fail, Verdict::Documented].map(|verdict| count(findings, lab, verdict));
        let overlap = findings.iter().filter(|finding| finding.lab == *lab).map(|f| f.outcome.overlap);
        let deepest = length(overlap.fold(0.0, f64::max));
        // Writing into a string cannot fail.
        let _ = write!(
            page,
            "<tr><td>{}</td><td>{}</td><td>{pass}</td><td>{fail}</td><td>{documented}</td><td>{deepest}</td></tr>",
            condition(lab),
            lab.seeds
        );
    }
    page.push_str("</table>");
}

/// Adds the tests of a suite under one condition.
fn section(
    page: &mut String,
    findings: &[Finding],
    lab: &Lab,
    suite: Suite,
    drawn: &mut Vec<*const crate::Outcome>,
) {
    let rows: Vec<&Finding> =
        findings.iter().filter(|finding| finding.lab == *lab && finding.case.suite == suite).collect();
    if rows.is_empty() {
        return;
    }
    let _ = write!(page, "<h2>{}: {}</h2>", suite.title(), condition(lab));
    for finding in rows {
        article(page, finding);
        // Tests that share an experiment share its pictures: they stand at the first.
        let outcome = std::sync::Arc::as_ptr(&finding.outcome);
        if drawn.contains(&outcome) {
            page.push_str("</article>");
            continue;
        }
        drawn.push(outcome);
        for (caption, svg) in &finding.outcome.pictures {
            let _ = write!(page, "<figure>{svg}<figcaption>{}</figcaption></figure>", escaped(caption));
        }
        for chart in &finding.outcome.charts {
            let _ = write!(page, "<figure>{}</figure>", chart.draw());
        }
        page.push_str("</article>");
    }
}

/// Begins the article of one test: everything but its pictures.
fn article(page: &mut String, finding: &Finding) {
    let (case, word) = (&finding.case, finding.verdict.word());
    let _ = write!(
        page,
        "<article class=\"{word}\"><h3>{}: {} <span class=\"verdict\">{word}</span></h3><dl><dt>set-up</dt><dd>{}</dd>\
         <dt>criterion</dt><dd>{}</dd><dt>source</dt><dd>{}</dd><dt>measured</dt><dd><ul>",
        case.id,
        escaped(case.title),
        escaped(case.setup),
        escaped(case.criterion),
        escaped(case.source)
    );
    for value in &finding.values {
        let class = if value.is_good() { "" } else { " class=\"bad\"" };
        let _ = write!(page, "<li{class}>{}</li>", escaped(&sentence(value)));
    }
    let is_bad = finding.lab.contact && finding.outcome.overlap > crate::outcome::ALLOWED_OVERLAP;
    let class = if is_bad { " class=\"bad\"" } else { "" };
    let _ = write!(page, "<li{class}>deepest overlap {}</li></ul></dd>", length(finding.outcome.overlap));
    if !finding.outcome.note.is_empty() {
        let _ = write!(page, "<dt>note</dt><dd>{}</dd>", escaped(&finding.outcome.note));
    }
    page.push_str("</dl>");
}

/// Returns text in which nothing is read as markup.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
