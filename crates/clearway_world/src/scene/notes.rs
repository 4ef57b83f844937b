//! Notes of a reader, bounded: an event that happens a million times is shown a few times and counted.

/// The number of notes of one kind that are shown in full. Further ones are only counted, so that reports stay short.
const MAX_SIMILAR_NOTES: usize = 3;

/// The repairs and omissions of a reader.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// The notes by kind, in the order in which kinds came up.
    groups: Vec<Group>,
}

/// Notes of one kind.
#[derive(Debug)]
struct Group {
    /// A plural that completes "and 12 more …".
    kind: &'static str,
    /// The first notes in full.
    shown: Vec<String>,
    /// The number of further notes.
    hidden: usize,
}

impl Notes {
    /// Adds a note; `kind` is a plural that completes "and 12 more …".
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
