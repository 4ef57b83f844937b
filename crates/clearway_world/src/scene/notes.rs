//! Notes of a reader, bounded: what happens a million times is said a few times and counted.

/// After this many notes of one kind only their number is kept.
const MAX_SIMILAR_NOTES: usize = 3;

/// What a reader mended or left out.
#[derive(Debug, Default)]
pub(super) struct Notes {
    groups: Vec<Group>,
}

#[derive(Debug)]
struct Group {
    kind: &'static str,
    shown: Vec<String>,
    hidden: usize,
}

impl Notes {
    /// Notes something; `kind` is a plural that completes "and 12 more …".
    pub(super) fn add(&mut self, kind: &'static str, text: impl FnOnce() -> String) {
        let Some(group) = self.groups.iter_mut().find(|group| group.kind == kind) else {
            self.groups.push(Group { kind, shown: vec![text()], hidden: 0 });
            return;
        };
        if group.shown.len() < MAX_SIMILAR_NOTES {
            group.shown.push(text());
        } else {
            group.hidden += 1;
        }
    }

    /// All notes in words, in the order in which their kinds came up.
    pub(super) fn into_lines(self) -> Vec<String> {
        let mut lines = Vec::new();
        for group in self.groups {
            lines.extend(group.shown);
            if group.hidden > 0 {
                lines.push(format!("and {} more {}", group.hidden, group.kind));
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_notes_of_a_kind_are_counted() {
        let mut notes = Notes::default();
        for line in 0..8 {
            notes.add("short faces", || format!("line {line}: short"));
        }
        notes.add("others", || "another".to_string());
        let expected =
            ["line 0: short", "line 1: short", "line 2: short", "and 5 more short faces", "another"];
        assert_eq!(notes.into_lines(), expected);
    }
}
