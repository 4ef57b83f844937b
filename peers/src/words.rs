//! Words of a command line whose options take lists.

use std::iter::Peekable;
use std::str::FromStr;

/// The words up to the next option, cut at commas.
pub fn values_of(
    option: &str,
    words: &mut Peekable<impl Iterator<Item = String>>,
) -> Result<Vec<String>, String> {
    let mut values = Vec::new();
    while let Some(word) = words.next_if(|word| !word.starts_with("--")) {
        values.extend(word.split(',').filter(|part| !part.is_empty()).map(str::to_owned));
    }
    if values.is_empty() { Err(format!("{option} needs a value")) } else { Ok(values) }
}

/// The only one of them.
pub fn one(values: Vec<String>) -> Result<String, String> {
    match <[String; 1]>::try_from(values) {
        Ok([value]) => Ok(value),
        Err(values) => Err(format!("one value instead of {}", values.join(", "))),
    }
}

/// A number of any kind.
pub fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{text} is not a number"))
}

/// Several of them.
pub fn numbers<T: FromStr>(texts: &[String]) -> Result<Vec<T>, String> {
    texts.iter().map(|text| number(text)).collect()
}
