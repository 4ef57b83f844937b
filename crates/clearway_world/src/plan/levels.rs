//! The levels of a plan: which there are, and the shapes of one of them.

use super::assemble;
use super::draft::{Draft, Form, Shape};
use super::project::project;
use super::{Plan, PlanOptions, PlanRole};
use clearway_base::error::{Error, ErrorKind, Result};

/// The width in metres of stairs that do not tell it: two people side by side.
const USUAL_STAIRS: f64 = 1.2;

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

/// Makes a plan for each level of a draft.
pub(super) fn plans(mut draft: Draft, options: &PlanOptions) -> Result<PlanLevels> {
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
        let mut drawn = draft.copied();
        keep_level(&mut drawn, number);
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
pub(super) fn keep_level(draft: &mut Draft, level: f64) {
    let sets = &draft.level_sets;
    draft.shapes.retain(|shape| {
        let set = &sets[shape.levels as usize];
        set.is_empty() || set.contains(&level)
    });
}
