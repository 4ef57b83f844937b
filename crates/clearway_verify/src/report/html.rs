//! Findings as one page of HTML with pictures and charts. It needs no other file.

use super::markdown::{condition, count, labs, length};
use super::sentence;
use crate::case::Suite;
use crate::lab::Lab;
use crate::outcome::Verdict;
use crate::run::Finding;
use std::collections::{BTreeMap, BTreeSet};
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
nav a{margin-right:.6rem;color:#555}nav a.pass{color:#2e8b57}nav a.fail{color:#c0392b;font-weight:600}\
nav a.documented{color:#1f6fb4}svg.place{background:#e9e8e4;max-width:100%}svg.chart text{font:11px system-ui,sans-serif;fill:#333}";

/// Returns the page.
pub fn write(findings: &[Finding]) -> String {
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>clearway verify</title><style>{STYLE}</style>\
         </head><body><h1>Verification of the crowd</h1>"
    );
    let labs = labs(findings);
    summary(&mut page, findings, &labs);
    contents(&mut page, findings, &labs);
    let mut shown = Shown::new();
    for (number, lab) in labs.iter().enumerate() {
        for suite in Suite::ALL {
            let is_here = |finding: &&Finding| finding.lab == *lab && finding.case.suite == suite;
            let rows: Vec<&Finding> = findings.iter().filter(is_here).collect();
            section(&mut page, &rows, findings, number, &mut shown);
        }
    }
    page.push_str("</body></html>\n");
    page
}

/// The experiments and the numbers of their pictures that are drawn already, with the address of the test at which.
type Shown = BTreeMap<(*const crate::Outcome, usize), String>;

/// Returns the address of a test on the page.
fn address(case: &str, lab: usize) -> String {
    format!("{case}-{}", lab + 1)
}

/// Adds links to all tests, by condition.
fn contents(page: &mut String, findings: &[Finding], labs: &[Lab]) {
    page.push_str("<nav>");
    for (number, lab) in labs.iter().enumerate() {
        let _ = write!(page, "<p><b>{}</b> ", condition(lab));
        for finding in findings.iter().filter(|finding| finding.lab == *lab) {
            let (id, word) = (finding.case.id, finding.verdict.word());
            let _ = write!(page, "<a class=\"{word}\" href=\"#{}\">{id}</a> ", address(id, number));
        }
        page.push_str("</p>");
    }
    page.push_str("</nav>");
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

/// Adds the tests of a suite under the condition of this number.
fn section(page: &mut String, rows: &[&Finding], all: &[Finding], lab: usize, shown: &mut Shown) {
    let Some(first) = rows.first() else { return };
    let _ = write!(page, "<h2>{}: {}</h2>", first.case.suite.title(), condition(&first.lab));
    for finding in rows {
        article(page, finding, all, lab);
        pictures(page, finding, lab, shown);
        page.push_str("</article>");
    }
}

/// Adds the pictures and charts of a test. What tests share stands at the first; the others have a link to it.
fn pictures(page: &mut String, finding: &Finding, lab: usize, shown: &mut Shown) {
    let outcome = std::sync::Arc::as_ptr(&finding.outcome);
    let here = address(finding.case.id, lab);
    let own = finding.outcome.pictures_of(finding.case.part);
    // Charts have no part: they are counted after all pictures.
    let charts =
        finding.outcome.pictures.len()..finding.outcome.pictures.len() + finding.outcome.charts.len();
    let mut elsewhere = BTreeSet::new();
    for number in own.into_iter().chain(charts) {
        if let Some(there) = shown.get(&(outcome, number)) {
            elsewhere.insert(there.clone());
            continue;
        }
        shown.insert((outcome, number), here.clone());
        let chart = number.checked_sub(finding.outcome.pictures.len());
        let _ = match (finding.outcome.pictures.get(number), chart) {
            (Some(picture), _) => {
                let caption = escaped(&picture.caption);
                write!(page, "<figure>{}<figcaption>{caption}</figcaption></figure>", picture.svg)
            }
            (None, Some(chart)) => {
                let drawn = finding.outcome.charts.get(chart).map_or(String::new(), |chart| chart.draw());
                write!(page, "<figure>{drawn}</figure>")
            }
            _ => Ok(()),
        };
    }
    for there in elsewhere {
        let _ = write!(page, "<p>Pictures of the same run: <a href=\"#{there}\">{there}</a></p>");
    }
}

/// Returns a text in which names of tests on the page are links.
fn linked(text: &str, all: &[Finding], lab: usize) -> String {
    let link = |word: &str| {
        let name = word.trim_end_matches([',', ';', '.', ':']);
        let is_there = all.iter().any(|finding| finding.case.id == name);
        let text = escaped(word);
        if is_there { format!("<a href=\"#{}\">{text}</a>", address(name, lab)) } else { text }
    };
    text.split(' ').map(link).collect::<Vec<_>>().join(" ")
}

/// Begins the article of one test: everything but its pictures.
fn article(page: &mut String, finding: &Finding, all: &[Finding], lab: usize) {
    let (case, word) = (&finding.case, finding.verdict.word());
    let _ = write!(
        page,
        "<article class=\"{word}\" id=\"{}\"><h3>{}: {} <span class=\"verdict\">{word}</span></h3><dl><dt>set-up</dt><dd>{}</dd>\
         <dt>criterion</dt><dd>{}</dd><dt>source</dt><dd>{}</dd><dt>measured</dt><dd><ul>",
        address(case.id, lab),
        case.id,
        escaped(case.title),
        linked(case.setup, all, lab),
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
