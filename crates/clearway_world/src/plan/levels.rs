//! The levels of a plan: which there are, and the shapes of one of them.

use super::assemble;
use super::draft::{Draft, Form, Shape};
use super::project::project;
use super::{Plan, PlanOptions, PlanRole};
use clearway_base::error::{Error, ErrorKind, Result};

/// The width in metres of stairs that do not tell it: two people side by side.
const USUAL_STAIRS: f64 = 1.2;

/// The greatest number of levels of a plan that are built at once: no building has more.
const MAX_LEVELS: usize = 256;

/// One level of a plan with levels.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanLevel {
    /// Its number: 0 for the ground floor, 1 for the floor above, -1 for the cellar.
    pub number: f64,
    /// Its plan.
    pub plan: Plan,
}

/// Stairs or a ramp between two levels.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanStairs {
    /// The name.
    pub name: String,
    /// The numbers of the lower and the upper level.
    pub levels: [f64; 2],
    /// The middle line, from the foot to the head.
    pub line: Vec<[f64; 2]>,
    /// The width in metres.
    pub width: f64,
}

/// A plan with several levels, and the stairs between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanLevels {
    /// The levels from the lowest on.
    pub levels: Vec<PlanLevel>,
    /// The stairs.
    pub stairs: Vec<PlanStairs>,
    /// Omissions and guesses of the reader that concern all levels.
    pub notes: Vec<String>,
}

/// What a plan file draws.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanDrawing {
    /// One plan.
    Plan(Plan),
    /// Several levels over each other.
    Levels(PlanLevels),
}

/// Makes a plan for each level of a draft.
pub(super) fn plans(mut draft: Draft, options: &PlanOptions) -> Result<PlanLevels> {
    let count = levels(&draft).len();
    if count > MAX_LEVELS {
        let message = format!("the plan has {count} levels; the limit is {MAX_LEVELS}; --level builds one");
        return Err(Error::new(ErrorKind::TooLarge, message));
    }
    let mut whole = Plan::default();
    let mut found = PlanLevels { notes: draft.take_notes(), ..PlanLevels::default() };
    project(&mut draft, options, &mut whole)?;
    draft.is_in_degrees = false;
    found.notes.append(&mut whole.notes);
    assemble::scale(&mut draft, options.scale);
    draft.unit = 1.0;
    let one_level = PlanOptions { level: None, scale: None, ..options.clone() };
    let roles = assemble::roles(&draft, options, &mut found.notes)?;
    let mut stairs = Vec::new();
    let sets = draft.level_sets.clone();
    draft.shapes.retain(|shape| {
        let is_stairs =
            roles[shape.part as usize] == Some(PlanRole::Stairs) && sets[shape.levels as usize].len() > 1;
        if is_stairs {
            stairs.push(shape.clone());
        }
        !is_stairs
    });
    for (number, shape) in stairs.into_iter().enumerate() {
        let levels = &sets[shape.levels as usize];
        found.add_stairs(shape, levels, number + 1);
    }
    for number in levels(&draft) {
        let mut drawn = draft.copied(|shape| is_on(&draft, shape, number));
        drawn.level_sets = vec![Vec::new(); drawn.level_sets.len()];
        found.levels.push(PlanLevel { number, plan: assemble::plan(drawn, &one_level)? });
    }
    Ok(found)
}

impl PlanLevels {
    /// Adds stairs between each two levels that follow each other. An area of four corners leads from its first side to
    /// the opposite one.
    fn add_stairs(&mut self, shape: Shape, levels: &[f64], number: usize) {
        let name = shape.name.unwrap_or_else(|| format!("stairs {number}"));
        let middle = |a: [f64; 2], b: [f64; 2]| [0, 1].map(|k| f64::midpoint(a[k], b[k]));
        let (line, width) = match shape.form {
            Form::Line(line) => (line, shape.width.unwrap_or(USUAL_STAIRS)),
            Form::Ring(ring) | Form::Polygon(super::PlanPolygon { outline: ring, .. }) if ring.len() == 4 => {
                let width = (ring[1][0] - ring[0][0]).hypot(ring[1][1] - ring[0][1]);
                self.notes
                    .push(format!("{name}: the first side of the area is taken for the foot of the stairs"));
                (vec![middle(ring[0], ring[1]), middle(ring[2], ring[3])], width)
            }
            _ => {
                self.notes.push(format!(
                    "{name}: left out; draw stairs as a line from foot to head, or as an area of four corners"
                ));
                return;
            }
        };
        for pair in levels.windows(2) {
            let levels = [pair[0], pair[1]];
            self.stairs.push(PlanStairs { name: name.clone(), levels, line: line.clone(), width });
        }
    }
}

/// Gives levels to the shapes of parts whose names tell one, such as `EG_Walls` or `Level 2/A-WALL`. It takes two levels with
/// walls or floors: a single name may mean anything.
pub(super) fn levels_from_names(draft: &mut Draft) {
    let numbers: Vec<Option<f64>> = draft.parts.iter().map(|part| level_of_name(&part.name)).collect();
    let is_ground = |part: u32| {
        let role = draft.parts[part as usize].own_role();
        matches!(role, Some(PlanRole::Wall | PlanRole::Floor))
    };
    let drawn = draft.shapes.iter().filter(|shape| is_ground(shape.part));
    let mut known: Vec<f64> = drawn.filter_map(|shape| numbers[shape.part as usize]).collect();
    known.sort_by(f64::total_cmp);
    known.dedup();
    if known.len() < 2 {
        return;
    }
    let sets: Vec<u32> = numbers
        .iter()
        .map(|number| {
            draft.enter_levels(number.as_slice());
            draft.levels
        })
        .collect();
    draft.enter_levels(&[]);
    draft.shapes.iter_mut().for_each(|shape| shape.levels = sets[shape.part as usize]);
    let names = known.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
    draft.note("levels", |_| format!("names of layers tell the levels {names}"));
}

/// The level that a name tells: a word for a storey beside a number, or a short form such as `OG2` or `1UG`.
fn level_of_name(name: &str) -> Option<f64> {
    let lower = name.to_lowercase();
    let mut words: Vec<(&str, Option<f64>)> = Vec::new();
    for piece in lower.split(|letter: char| !letter.is_alphanumeric()).filter(|piece| !piece.is_empty()) {
        // Digits and letters are words of their own: `2og`, `og2` and `og 2` are one.
        let edge = piece
            .find(|letter: char| letter.is_ascii_digit() != piece.starts_with(|c: char| c.is_ascii_digit()));
        let (head, tail) = piece.split_at(edge.unwrap_or(piece.len()));
        for word in [head, tail].into_iter().filter(|word| !word.is_empty()) {
            words.push((word, word.parse().ok().filter(|_| word.len() <= 3)));
        }
    }
    (0..words.len()).find_map(|at| {
        let after = words.get(at + 1).and_then(|(_, number)| *number);
        let before = at.checked_sub(1).and_then(|before| words[before].1);
        let number = after.or(before);
        match words[at].0 {
            "eg" | "rdc" | "gf" | "erdgeschoss" => Some(0.0),
            "og" | "obergeschoss" => Some(number.unwrap_or(1.0)),
            "ug" | "kg" | "untergeschoss" | "basement" => Some(-number.unwrap_or(1.0)),
            "level" | "lvl" | "storey" | "story" | "etage" | "niveau" | "floor" | "geschoss" | "ebene"
            | "piano" | "planta" => number,
            _ => None,
        }
    })
}

/// All levels of a draft, from the lowest on.
pub(super) fn levels(draft: &Draft) -> Vec<f64> {
    let mut levels: Vec<f64> = draft.level_sets.iter().flatten().copied().collect();
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    levels
}

/// Keeps the shapes of one level: the one that is asked for, else the lowest that is not below the ground. Shapes
/// without level lie on all.
pub(super) fn choose_level(draft: &mut Draft, asked: Option<&str>, notes: &mut Vec<String>) -> Result<()> {
    let levels = levels(draft);
    let names = || levels.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
    let chosen = match asked {
        Some(name) => {
            let level = name.trim().parse::<f64>().ok().filter(|level| levels.contains(level));
            Some(level.ok_or_else(|| {
                let message = format!("there is no level {name}; there are: {}", names());
                Error::new(ErrorKind::Options, message)
            })?)
        }
        None if levels.len() > 1 => {
            let ground = levels.iter().copied().find(|level| *level >= 0.0).or(levels.first().copied());
            if let Some(ground) = ground {
                notes.push(format!(
                    "of the levels {} only level {ground} was read; --level chooses another",
                    names()
                ));
            }
            ground
        }
        None => None,
    };
    if let Some(chosen) = chosen {
        keep_level(draft, chosen);
    }
    Ok(())
}

/// Keeps the shapes of a level, and those without level.
fn keep_level(draft: &mut Draft, level: f64) {
    let mut shapes = std::mem::take(&mut draft.shapes);
    shapes.retain(|shape| is_on(draft, shape, level));
    draft.shapes = shapes;
}

/// True if a shape lies on a level, or on all.
fn is_on(draft: &Draft, shape: &Shape, level: f64) -> bool {
    let set = &draft.level_sets[shape.levels as usize];
    set.is_empty() || set.contains(&level)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::PlanFormat;

    #[test]
    fn names_of_layers_tell_levels() {
        let cases = [
            ("EG_WAND", Some(0.0)),
            ("2OG-Walls", Some(2.0)),
            ("og 3/Wand", Some(3.0)),
            ("A-WALL/Level-02", Some(2.0)),
            ("UG1_WALL", Some(-1.0)),
            ("KG", Some(-1.0)),
            ("1. Obergeschoss", Some(1.0)),
            ("Floor 4", Some(4.0)),
            ("A-FLOR", None),
            ("floor", None),
            ("WALL 2", None),
            ("EGRESS", None),
            ("", None),
        ];
        for (name, level) in cases {
            assert_eq!(level_of_name(name), level, "{name}");
        }
    }

    /// A drawing of two storeys, and stairs as a line on a layer of both.
    #[test]
    fn drawings_with_levels_in_their_names_become_levels() {
        let square =
            |layer: &str| format!("0 LWPOLYLINE 8 {layer} 70 1 10 0 20 0 10 9 20 0 10 9 20 9 10 0 20 9 ");
        let text = |layers: &[&str]| {
            let shapes: String = layers.iter().map(|layer| square(layer)).collect();
            let text = format!("0 SECTION 2 ENTITIES {shapes} 0 ENDSEC 0 EOF");
            text.split_whitespace().map(|word| format!("{word}\n")).collect::<String>()
        };
        let level = |name: &str| {
            let options = PlanOptions::default().level(Some(name.to_string()));
            Plan::parse_bytes(
                PlanFormat::Dxf,
                text(&["EG_WALL", "OG1_WALL", "OG1_FURN"]).as_bytes(),
                &options,
            )
        };
        let (ground, upper) = (level("0").unwrap(), level("1").unwrap());
        assert_eq!((ground.walls.len(), ground.obstacles.len()), (1, 0));
        assert_eq!((upper.walls.len(), upper.obstacles.len()), (1, 1));
        assert!(level("2").unwrap_err().to_string().contains("there are: 0, 1"));
        let single = Plan::parse(PlanFormat::Dxf, &text(&["EG_WALL", "FURN"])).unwrap();
        assert!(single.notes.iter().all(|note| !note.contains("level")), "{:?}", single.notes);
    }
}
