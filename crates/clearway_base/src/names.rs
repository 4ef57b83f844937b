//! Messages about names that are not known.

/// Says that a name is not known, and which known name is nearest to it.
pub fn unknown<'a>(what: &str, given: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    let given_shown = crate::file::quoted(given);
    let nearest = known.iter().map(|name| (edits(given, name), *name)).min();
    match nearest {
        Some((edits, name)) if edits <= (1 + name.len() / 3).min(name.len() / 2) => {
            format!("{what} {given_shown} is not known; did you mean `{name}`?")
        }
        Some(_) => format!("{what} {given_shown} is not known; known are {}", known.join(", ")),
        None => format!("{what} {given_shown} is not known; there are none"),
    }
}

/// The largest number of characters of a name that messages show. A hostile file may give a name of megabytes.
const MOST_SHOWN: usize = 64;

/// A name for messages, in quotes and with its signs escaped; a long one is cut.
pub fn shown(name: &str) -> String {
    match name.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{:?}", format!("{}\u{2026}", &name[..end])),
        None => format!("{name:?}"),
    }
}

/// Returns the number of letters to insert, delete or replace to turn one word into another. Long words are cut.
fn edits(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|word| word.chars().take(64).collect::<Vec<char>>());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut() {
        assert_eq!(shown("a \"b\""), "\"a \\\"b\\\"\"");
        assert_eq!(shown(&"ä".repeat(64)), format!("\"{}\"", "ä".repeat(64)));
        assert_eq!(shown(&"ä".repeat(5000)), format!("\"{}…\"", "ä".repeat(64)));
    }

    #[test]
    fn the_nearest_name_is_proposed() {
        assert_eq!(edits("radus", "radius"), 1);
        assert_eq!(edits("kitten", "sitting"), 3);
        let known = || ["radius", "speed", "priority"].into_iter();
        assert!(unknown("key", "raduis", known()).ends_with("did you mean `radius`?"));
        assert!(unknown("key", "zzzz", known()).ends_with("known are radius, speed, priority"));
    }
}
