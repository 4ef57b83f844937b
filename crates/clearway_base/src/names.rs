//! Messages about names that are not known.

/// Says that a name is not known, and which known name is nearest to it.
pub fn unknown<'a>(what: &str, given: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    let given_shown = crate::file::quoted(given);
    let nearest = known.iter().map(|name| (edits(given, name), *name)).min();
    match nearest {
        Some((edits, name)) if edits <= 1 + name.len() / 3 => {
            format!("{what} {given_shown} is not known; did you mean `{name}`?")
        }
        Some(_) => format!("{what} {given_shown} is not known; known are {}", known.join(", ")),
        None => format!("{what} {given_shown} is not known; there are none"),
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
    fn the_nearest_name_is_proposed() {
        assert_eq!(edits("radus", "radius"), 1);
        assert_eq!(edits("kitten", "sitting"), 3);
        let known = || ["radius", "speed", "priority"].into_iter();
        assert!(unknown("key", "raduis", known()).ends_with("did you mean `radius`?"));
        assert!(unknown("key", "zzzz", known()).ends_with("known are radius, speed, priority"));
    }
}
