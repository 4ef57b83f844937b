//! Findings as JSON: a list of objects, one for each test under each condition.

use crate::run::Finding;
use serde_json::{Value, json};

/// Returns the list.
pub fn write(findings: &[Finding]) -> Value {
    findings.iter().map(object).collect()
}

/// Returns the object of one finding. `value` is the first of its values.
fn object(finding: &Finding) -> Value {
    let (case, lab) = (&finding.case, &finding.lab);
    json!({
        "id": case.id,
        "suite": case.suite,
        "title": case.title,
        "model": lab.model,
        "radius": lab.radius,
        "projection": lab.contact,
        "seeds": lab.seeds,
        "setup": case.setup,
        "criterion": case.criterion,
        "source": case.source,
        "value": finding.values.first().and_then(|value| value.value),
        "values": finding.values,
        "overlap": finding.outcome.overlap.is_finite().then_some(finding.outcome.overlap),
        "note": finding.outcome.note,
        "verdict": finding.verdict,
    })
}
