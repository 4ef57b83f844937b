//! Selects parts by name or material: parts to leave out, and the area class of the others.
//!
//! Cost: parts times patterns, times the length of names.

use super::{GROUND, MAX_AREAS, Part, Scene};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file::quoted;

/// The longest pattern, in characters. Matching takes time that grows with its length.
const MAX_PATTERN_CHARS: usize = 256;
/// The maximum number of names with which a pattern that matches nothing is compared. It bounds the time for
/// suggestions.
const MAX_COMPARED: usize = 10_000;
/// The maximum number of names that are suggested for such a pattern.
const MAX_SUGGESTED: usize = 3;

/// A selection of parts of a scene: parts to leave out, and parts with an area class.
///
/// A pattern is compared, with the case of letters, with a part's whole name, with each level of it (between `/`),
/// and with its material; one match is enough. `*` stands for any characters, `?` for exactly one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Patterns of parts to leave out; this comes before area classes.
    pub ignore: Vec<String>,
    /// Names of area classes with patterns of their parts. If several match, the last decides. The class `ground` is
    /// there from the beginning.
    pub areas: Vec<(String, String)>,
}

/// Applies a selection; see [`Scene::select`].
pub(super) fn select(scene: &mut Scene, selection: &Selection) -> Result<()> {
    let ignore = selection.ignore.iter().map(|text| Pattern::new(text)).collect::<Result<Vec<_>>>()?;
    let mut areas = scene.areas.clone();
    if areas.is_empty() {
        areas.push(GROUND.to_string());
    }
    let mut rules = Vec::new();
    for (name, text) in &selection.areas {
        rules.push((area_number(&mut areas, name)?, Pattern::new(text)?));
    }
    // Warnings are made before parts are removed: afterwards their names would match nothing.
    let warnings =
        warnings_on_unmatched(scene, ignore.iter().chain(rules.iter().map(|(_, pattern)| pattern)));
    let is_ignored: Vec<bool> =
        scene.parts.iter().map(|part| ignore.iter().any(|pattern| pattern.matches(part))).collect();
    let removed = remove_parts(scene, &is_ignored)?;
    if removed > 0 {
        let parts = is_ignored.iter().filter(|is_ignored| **is_ignored).count();
        scene.notes.push(format!("{removed} triangles of {parts} parts are left out as asked"));
    }
    for part in &mut scene.parts {
        if let Some((area, _)) = rules.iter().rev().find(|(_, pattern)| pattern.matches(part)) {
            part.area = *area;
        }
    }
    scene.areas = areas;
    scene.warnings.extend(warnings);
    Ok(())
}

/// The index of a class, which is added if it is new.
fn area_number(areas: &mut Vec<String>, name: &str) -> Result<u8> {
    let refuse = |message: String| Error::new(ErrorKind::Options, message);
    if name.is_empty() {
        return Err(refuse("an area class has an empty name".to_string()));
    }
    let known = areas.iter().position(|area| area == name);
    let place = known.unwrap_or(areas.len());
    if place >= MAX_AREAS {
        return Err(refuse(format!(
            "the area class {} is one too many; the limit is {MAX_AREAS}",
            quoted(name)
        )));
    }
    if known.is_none() {
        areas.push(name.to_string());
    }
    u8::try_from(place).map_err(|_| refuse(format!("there are more than {MAX_AREAS} area classes")))
}

/// Removes the triangles of some parts, and the vertices that only they used. Returns the number of removed
/// triangles.
fn remove_parts(scene: &mut Scene, is_ignored: &[bool]) -> Result<usize> {
    let stays = |part: &u32| !is_ignored.get(*part as usize).copied().unwrap_or(false);
    let kept = scene.part_of.iter().filter(|part| stays(part)).count();
    let removed = scene.part_of.len() - kept;
    if removed == 0 {
        return Ok(0);
    }
    if kept == 0 {
        let message =
            format!("all {removed} triangles are left out: the patterns to ignore match every part");
        return Err(Error::new(ErrorKind::Empty, message));
    }
    let mut owners = scene.part_of.iter();
    scene.triangles.retain(|_| owners.next().is_some_and(stays));
    scene.part_of.retain(stays);
    drop_unused_vertices(scene);
    Ok(removed)
}

/// Removes vertices that no triangle uses, and numbers the others anew.
fn drop_unused_vertices(scene: &mut Scene) {
    const UNUSED: u32 = u32::MAX;
    let mut numbers = vec![UNUSED; scene.vertices.len()];
    for corner in scene.triangles.iter().flatten() {
        if let Some(number) = numbers.get_mut(*corner as usize) {
            *number = 0;
        }
    }
    let used = numbers.iter_mut().filter(|number| **number != UNUSED);
    (0..).zip(used).for_each(|(new, number)| *number = new);
    let mut marks = numbers.iter();
    scene.vertices.retain(|_| marks.next().is_some_and(|number| *number != UNUSED));
    for corner in scene.triangles.iter_mut().flatten() {
        *corner = numbers.get(*corner as usize).copied().unwrap_or(UNUSED);
    }
}

/// One warning for each pattern that matches no part, with the names that are nearest to it.
fn warnings_on_unmatched<'a>(scene: &Scene, patterns: impl Iterator<Item = &'a Pattern>) -> Vec<String> {
    let unmatched = patterns.filter(|pattern| !scene.parts.iter().any(|part| pattern.matches(part)));
    let warning = |pattern: &Pattern| {
        let list = |names: Vec<&str>| names.into_iter().map(quoted).collect::<Vec<_>>().join(", ");
        let names = names(scene);
        let in_other_case = names_in_other_case(&names, pattern);
        let hint = match () {
            () if names.is_empty() => "no part has a name or a material".to_string(),
            () if in_other_case.is_empty() => format!("nearest are {}", list(nearest_names(names, pattern))),
            () => format!("in other upper and lower case there are {}", list(in_other_case)),
        };
        format!("no part is called {}; {hint}", quoted(&pattern.text()))
    };
    unmatched.map(warning).collect()
}

/// The names of parts, level by level, and of materials, in their order.
fn names(scene: &Scene) -> Vec<&str> {
    let names = scene.parts.iter().flat_map(|part| part.name.split('/').chain([part.material.as_str()]));
    let mut names: Vec<&str> = names.filter(|name| !name.is_empty()).take(MAX_COMPARED).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Names that a pattern would match in another case of letters.
fn names_in_other_case<'a>(names: &[&'a str], pattern: &Pattern) -> Vec<&'a str> {
    let lower = pattern.lower();
    let alike = names.iter().copied().filter(|name| lower.matches_text(&name.to_lowercase()));
    alike.take(MAX_SUGGESTED).collect()
}

/// The names with the fewest edits from a pattern, at most `MAX_SUGGESTED`.
fn nearest_names<'a>(mut names: Vec<&'a str>, pattern: &Pattern) -> Vec<&'a str> {
    let wanted: Vec<char> =
        pattern.glob.iter().filter(|c| **c != '*').flat_map(|c| c.to_lowercase()).collect();
    names.sort_by_cached_key(|name| edits(&wanted, name));
    names.truncate(MAX_SUGGESTED);
    names
}

/// The number of letters that must be inserted, removed or changed to get from one word to another, in any case of
/// letters.
fn edits(wanted: &[char], name: &str) -> usize {
    let name = name.chars().take(MAX_PATTERN_CHARS).flat_map(char::to_lowercase);
    let mut row: Vec<usize> = (0..=wanted.len()).collect();
    for (line, letter) in (1..).zip(name) {
        let mut diagonal = std::mem::replace(&mut row[0], line);
        for place in 1..row.len() {
            let changed = diagonal + usize::from(wanted[place - 1] != letter);
            diagonal = row[place];
            row[place] = changed.min(row[place - 1] + 1).min(diagonal + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}

/// A glob over characters.
pub(crate) struct Pattern {
    /// Its characters, with `*` and `?` as wildcards.
    glob: Vec<char>,
}

impl Pattern {
    /// Reads a pattern; refuses empty and long ones.
    pub(crate) fn new(text: &str) -> Result<Pattern> {
        let glob: Vec<char> = text.chars().take(MAX_PATTERN_CHARS + 1).collect();
        if glob.is_empty() {
            return Err(Error::new(ErrorKind::Options, "a pattern of part names is empty"));
        }
        if glob.len() > MAX_PATTERN_CHARS {
            let message = format!(
                "the pattern {} has more than {MAX_PATTERN_CHARS} characters, the limit",
                quoted(text)
            );
            return Err(Error::new(ErrorKind::Options, message));
        }
        Ok(Pattern { glob })
    }

    /// The pattern in lower case.
    pub(crate) fn lower(&self) -> Pattern {
        Pattern { glob: self.glob.iter().flat_map(|c| c.to_lowercase()).collect() }
    }

    /// The pattern as text, for messages.
    pub(crate) fn text(&self) -> String {
        self.glob.iter().collect()
    }

    /// True if the pattern matches a level of the part's name, its whole name or its material.
    fn matches(&self, part: &Part) -> bool {
        // Levels come first: a name without levels is its only level.
        part.name.split('/').any(|level| self.matches_text(level))
            || self.matches_text(&part.name)
            || !part.material.is_empty() && self.matches_text(&part.material)
    }

    /// True if the glob matches a whole text. It backtracks to the last `*` only, which is enough: an earlier one
    /// could not take more.
    pub(crate) fn matches_text(&self, text: &str) -> bool {
        let mut rest = text.chars();
        let mut place = 0;
        let mut retry: Option<(usize, std::str::Chars<'_>)> = None;
        loop {
            let before = rest.clone();
            match (self.glob.get(place), rest.next()) {
                (Some('*'), _) => {
                    rest = before.clone();
                    place += 1;
                    retry = Some((place, before));
                }
                (None, None) => return true,
                (Some(wanted), Some(letter)) if *wanted == '?' || *wanted == letter => place += 1,
                _ => {
                    let Some((after_star, from)) = &mut retry else { return false };
                    if from.next().is_none() {
                        return false;
                    }
                    rest = from.clone();
                    place = *after_star;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene() -> Scene {
        let part =
            |name: &str, material: &str| Part { name: name.into(), material: material.into(), area: 0 };
        Scene {
            vertices: (0..12).map(|i| [f64::from(i), 0.0, 0.0]).collect(),
            triangles: (0..4).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect(),
            part_of: vec![0, 1, 2, 3],
            parts: vec![
                part("town/house/floor", "Wood"),
                part("town/trees/tree.001", "Leaf"),
                part("town/pond", "Water"),
                part("", ""),
            ],
            areas: vec!["ground".into()],
            ..Scene::default()
        }
    }

    fn selection(ignore: &[&str], areas: &[(&str, &str)]) -> Selection {
        Selection {
            ignore: ignore.iter().map(|text| text.to_string()).collect(),
            areas: areas.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect(),
        }
    }

    #[test]
    fn globs_match_whole_texts() {
        let cases = [
            ("tree*", "tree.001", true),
            ("*", "", true),
            ("**", "abc", true),
            ("?", "ü", true),
            ("?", "", false),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-b-b-d", false),
            ("*.00?", "tree.001", true),
            ("*.00?", "tree.0012", false),
            ("Tree*", "tree.001", false),
            ("tree", "tree.001", false),
            ("*tree", "a tree b tree", true),
        ];
        for (glob, text, is_match) in cases {
            assert_eq!(Pattern::new(glob).unwrap().matches_text(text), is_match, "{glob} {text}");
        }
    }

    #[test]
    fn globs_of_many_stars_end_soon() {
        let pattern = Pattern::new(&"*a".repeat(100)).unwrap();
        assert!(!pattern.matches_text(&format!("{}b", "a".repeat(100_000))));
    }

    #[test]
    fn ignored_parts_are_removed_with_their_vertices() {
        let mut scene = scene();
        scene.select(&selection(&["trees", "Wood"], &[])).unwrap();
        assert_eq!(scene.triangles, [[0, 1, 2], [3, 4, 5]]);
        assert_eq!(scene.part_of, [2, 3]);
        assert_eq!(scene.vertices[0], [6.0, 0.0, 0.0]);
        assert_eq!(scene.notes, ["2 triangles of 2 parts are left out as asked"]);
        assert_eq!(scene.validate(), Ok(()));
    }

    #[test]
    fn areas_are_given_by_level_whole_name_and_material() {
        let mut scene = scene();
        let rules = [("wet", "Water"), ("soft", "town/*/*"), ("hard", "floor"), ("ground", "tree.*")];
        scene.select(&selection(&[], &rules)).unwrap();
        assert_eq!(scene.areas, ["ground", "wet", "soft", "hard"]);
        assert_eq!(scene.parts.iter().map(|part| part.area).collect::<Vec<_>>(), [3, 0, 1, 0]);
        assert!(scene.notes.is_empty());
        // A second selection adds to the first.
        scene.select(&selection(&[], &[("deep", "pond"), ("wet", "house")])).unwrap();
        assert_eq!(scene.areas.len(), 5);
        assert_eq!(scene.parts.iter().map(|part| part.area).collect::<Vec<_>>(), [1, 0, 4, 0]);
    }

    #[test]
    fn patterns_without_a_match_are_told_the_nearest_names() {
        let mut scene = scene();
        scene.select(&selection(&["flor"], &[("wet", "water*")])).unwrap();
        let expected = [
            "no part is called `flor`; nearest are `floor`, `Wood`, `Leaf`",
            "no part is called `water*`; in other upper and lower case there are `Water`",
        ];
        assert_eq!(scene.warnings, expected);
        assert!(scene.notes.is_empty());
        let mut nameless = Scene { parts: vec![Part::default()], ..Scene::default() };
        nameless.select(&selection(&["x"], &[])).unwrap();
        assert_eq!(nameless.warnings, ["no part is called `x`; no part has a name or a material"]);
    }

    #[test]
    fn senseless_selections_change_nothing() {
        let many: Vec<(String, String)> = (0..255).map(|i| (format!("a{i}"), "*".to_string())).collect();
        let cases = [
            (
                selection(&["*"], &[]),
                ErrorKind::Empty,
                "all 4 triangles are left out: the patterns to ignore match every part",
            ),
            (selection(&[""], &[]), ErrorKind::Options, "a pattern of part names is empty"),
            (selection(&[], &[("", "x")]), ErrorKind::Options, "an area class has an empty name"),
            (
                Selection { ignore: vec![], areas: many },
                ErrorKind::Options,
                "the area class `a254` is one too many; the limit is 255",
            ),
        ];
        for (selection, kind, message) in cases {
            let mut scene = scene();
            let error = scene.select(&selection).unwrap_err();
            assert_eq!((error.kind(), error.to_string().as_str()), (kind, message));
            assert_eq!(scene, self::scene());
        }
        let long = "x".repeat(300);
        assert_eq!(scene().select(&selection(&[&long], &[])).unwrap_err().kind(), ErrorKind::Options);
    }
}
