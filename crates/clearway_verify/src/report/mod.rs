//! Reports: Markdown, one page of HTML with pictures, and JSON.

pub mod chart;
pub mod html;
pub mod json;
pub mod markdown;
pub mod picture;
pub mod reference;

use crate::outcome::Value;

/// Returns a number with as many digits as are worth reading.
pub fn number(value: f64) -> String {
    let digits = match value.abs() {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        _ => 3,
    };
    let text = format!("{value:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_string() } else { text.to_string() }
}

/// Returns a value with its name, unit and limits in words.
pub fn sentence(value: &Value) -> String {
    let measured = value.value.map_or("not reached".to_string(), number);
    let unit = if value.unit.is_empty() { String::new() } else { format!(" {}", value.unit) };
    let limits = match (value.low, value.high) {
        (Some(low), Some(high)) if low == high => format!(" (wanted {})", number(low)),
        (Some(low), Some(high)) => format!(" ({} to {})", number(low), number(high)),
        (Some(low), None) => format!(" (at least {})", number(low)),
        (None, Some(high)) => format!(" (at most {})", number(high)),
        (None, None) => String::new(),
    };
    let mark = if value.is_good() { "" } else { " ✗" };
    format!("{} {measured}{unit}{limits}{mark}", value.name)
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_have_the_digits_that_are_worth_reading() {
        assert_eq!(
            [141.37, 20.04, 1.5, 0.0961, -0.0001, 100.0].map(number),
            ["141", "20", "1.5", "0.096", "0", "100"]
        );
    }
}
