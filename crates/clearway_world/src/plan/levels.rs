//! The levels of a plan: which there are, and the shapes of one of them.

use super::assemble;
use super::draft::{Draft, Form, Shape};
use super::project::project;
use super::{Plan, PlanOptions, PlanRole};
use clearway_base::error::{Error, ErrorKind, Result};

/// The width in metres of stairs that do not tell it: two people side by side.
const USUAL_STAIRS: f64 = 1.2;

/// The height of a storey in metres where a plan tells only the numbers of its levels.
pub const USUAL_STOREY: f64 = 3.0;

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
    let (all, mut stairs) = (levels(&draft), Vec::new());
    let (sets, is_named) = (draft.level_sets.clone(), draft.has_named_levels);
    draft.shapes.retain(|shape| {
        let is_stairs = roles[shape.part as usize] == Some(PlanRole::Stairs);
        let joined = is_stairs.then(|| joined_levels(&sets[shape.levels as usize], &all, is_named)).flatten();
        let is_kept = joined.is_none();
        stairs.extend(joined.map(|levels| (shape.clone(), levels)));
        is_kept
    });
    let mut treads = 0;
    for (number, (shape, levels)) in stairs.into_iter().enumerate() {
        if is_named && is_tread(&shape.form, &levels) {
            treads += 1;
        } else {
            found.add_stairs(shape, &levels, number + 1, is_named);
        }
    }
    if treads > 0 {
        found.notes.push(format!(
            "{treads} shapes on layers of stairs are shorter than a flight of 45 degrees and count as treads; draw a flight \
             as a line from foot to head, or as an area of four corners"
        ));
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
    /// the opposite one; in drawings, where the first corner is chance, along its length.
    fn add_stairs(&mut self, shape: Shape, levels: &[f64], number: usize, is_drawn: bool) {
        let name = shape.name.unwrap_or_else(|| format!("stairs {number}"));
        let middle = |a: [f64; 2], b: [f64; 2]| [0, 1].map(|k| f64::midpoint(a[k], b[k]));
        let (line, width) = match shape.form {
            Form::Line(line) => (line, shape.width.unwrap_or(USUAL_STAIRS)),
            Form::Ring(mut ring) | Form::Polygon(super::PlanPolygon { outline: mut ring, .. })
                if ring.len() == 4 =>
            {
                let foot = if is_drawn && length(&ring[..2]) > length(&ring[1..3]) {
                    ring.rotate_left(1);
                    "the first short side"
                } else {
                    "the first side"
                };
                self.notes.push(format!("{name}: {foot} of the area is taken for the foot of the stairs"));
                (vec![middle(ring[0], ring[1]), middle(ring[2], ring[3])], length(&ring[..2]))
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

/// Returns the levels that stairs join; `None` if the shape is no flight. Where layers are named after levels, stairs lead
/// from their level to the next one up, and those on a layer of no level through all.
fn joined_levels(own: &[f64], all: &[f64], is_named: bool) -> Option<Vec<f64>> {
    match own {
        [_, _, ..] => Some(own.to_vec()),
        [] if is_named => Some(all.to_vec()),
        [one] if is_named => {
            let next = all.iter().copied().find(|level| level > one)?;
            Some(vec![*one, next])
        }
        _ => None,
    }
}

/// True if a shape is too short to rise from one level to the next by 45 degrees.
fn is_tread(form: &Form, levels: &[f64]) -> bool {
    let run = match form {
        Form::Line(line) => length(line),
        Form::Ring(ring) | Form::Polygon(super::PlanPolygon { outline: ring, .. }) if ring.len() == 4 => {
            length(&ring[..2]).max(length(&ring[1..3]))
        }
        _ => return false,
    };
    let rise = levels.windows(2).map(|pair| (pair[1] - pair[0]) * USUAL_STOREY).fold(0.0, f64::max);
    run < rise
}

/// The length of a line.
fn length(line: &[[f64; 2]]) -> f64 {
    line.windows(2).map(|pair| (pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1])).sum()
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
    draft.has_named_levels = true;
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
    /// Two storeys whose stairs are an area, a line, and treads, on a layer of the lower storey; and a line on a layer
    /// of none.
    #[test]
    fn stairs_in_drawings_lead_to_the_next_level() {
        let shape = |layer: &str, closed: u8, points: &[[f64; 2]]| {
            let points: String = points.iter().map(|[x, y]| format!("10 {x} 20 {y} ")).collect();
            format!("0 LWPOLYLINE 8 {layer} 70 {closed} {points}")
        };
        let room = [[0.0, 0.0], [12.0, 0.0], [12.0, 9.0], [0.0, 9.0]];
        let shapes = [
            shape("EG_WALL", 1, &room),
            shape("OG1_WALL", 1, &room),
            shape("EG_STAIRS", 1, &[[2.0, 2.0], [6.0, 2.0], [6.0, 3.0], [2.0, 3.0]]),
            shape("EG_STAIRS", 0, &[[2.0, 2.0], [2.0, 3.0]]),
            shape("EG_STAIRS", 0, &[[2.0, 5.0], [7.0, 5.0]]),
            shape("OG1_STAIRS", 0, &[[2.0, 5.0], [7.0, 5.0]]),
            shape("STAIRS", 0, &[[10.0, 2.0], [10.0, 7.0]]),
        ];
        let text = format!("0 SECTION 2 ENTITIES {} 0 ENDSEC 0 EOF", shapes.concat());
        let text: String = text.split_whitespace().map(|word| format!("{word}\n")).collect();
        let draft = crate::plan::dxf::parse(text.as_bytes(), None).unwrap();
        let found = plans(draft, &PlanOptions::default()).unwrap();
        let lines: Vec<_> = found.stairs.iter().map(|stairs| (stairs.line.clone(), stairs.levels)).collect();
        assert_eq!(
            lines,
            [
                (vec![[6.0, 2.5], [2.0, 2.5]], [0.0, 1.0]),
                (vec![[2.0, 5.0], [7.0, 5.0]], [0.0, 1.0]),
                (vec![[10.0, 2.0], [10.0, 7.0]], [0.0, 1.0]),
            ]
        );
        assert_eq!(found.stairs[0].width, 1.0);
        assert!(found.notes.iter().any(|note| note.starts_with("1 shapes on layers of stairs")));
        assert!(found.levels.iter().all(|level| level.plan.walls.len() == 1));
    }
}
