//! Edits at times, as scenarios have them, and what stands while they run.

use crate::edit::{Named, Shape};
use crate::live_mesh::LiveMesh;
use crate::script::{EditScript, Step, action_of, number};
use crate::shape::corners_of;
use clearway_base::error::{Error, ErrorKind};
use clearway_base::lines::Lines;
use toml::de::DeTable;

/// The longest time of an event in seconds: a week.
const LATEST: f64 = 604_800.0;

/// A step that is made at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedStep {
    /// The time in seconds.
    pub at: f64,
    /// The step.
    pub step: Step,
}

/// Something that stands in the way: an obstacle, or a door that is closed.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Its name.
    pub name: String,
    /// Its corners in plan coordinates. The outline of an obstacle with area ends where it begins.
    pub outline: Vec<[f64; 2]>,
    /// The height of its floor in metres, if it was given.
    pub height: Option<f64>,
}

impl EditScript {
    /// Reads the tables `[[event]]` of a file in TOML and passes over everything else in it. An event is a step of an edit
    /// file with a time `at`. Returns the events by time; those of one time keep their order. An error comes with its
    /// line.
    pub fn parse_events(text: &str) -> std::result::Result<Vec<TimedStep>, (usize, Error)> {
        let lines = Lines::of(text);
        let line = |byte: usize| lines.line(byte);
        let table = DeTable::parse(text).map_err(|error| {
            let at = error.span().map_or(1, |span| line(span.start));
            (at, Error::new(ErrorKind::Syntax, error.message()))
        })?;
        let Some(list) = table.get_ref().get("event") else { return Ok(Vec::new()) };
        let steps = list.get_ref().as_array().ok_or_else(|| {
            let detail = "event must be written [[event]]: there may be several";
            (line(list.span().start), Error::new(ErrorKind::Syntax, detail))
        })?;
        let mut events = Vec::with_capacity(steps.len());
        for (index, value) in steps.iter().enumerate() {
            let at = line(value.span().start);
            let wrong =
                |error: Error| (at, Error::new(error.kind(), format!("event {}: {}", index + 1, error)));
            let time = value.get_ref().as_table().map_or(Ok(None), |table| {
                table.get("at").map(|time| number(time.get_ref(), "at")).transpose()
            });
            let time = time.map_err(wrong)?;
            let time =
                time.ok_or_else(|| wrong(Error::new(ErrorKind::Syntax, "at is missing: a time in seconds")))?;
            if !(0.0..=LATEST).contains(&time) {
                let detail = format!("at must lie between 0 and {LATEST} s");
                return Err(wrong(Error::new(ErrorKind::OutOfRange, detail)));
            }
            let action = action_of(value, &["at"]).map_err(wrong)?;
            events.push(TimedStep { at: time, step: Step { line: at, action } });
        }
        events.sort_by(|a, b| a.at.total_cmp(&b.at));
        Ok(events)
    }
}

impl LiveMesh {
    /// Returns what stands in the way now and has a name, by name.
    pub fn figures(&self) -> Vec<Figure> {
        let figure = |(name, named): (&str, Named)| {
            let id = match named {
                Named::Obstacle(id) => id,
                Named::Door(id) if self.is_open(id) == Some(false) => id.0,
                Named::Door(_) => return None,
            };
            let obstacle = &self.standing(id)?.obstacle;
            let mut outline = corners_of(&obstacle.shape).ok()?;
            if !matches!(obstacle.shape, Shape::Segment(_)) {
                outline.extend(outline.first().copied());
            }
            Some(Figure { name: name.to_string(), outline, height: obstacle.anchor.height })
        };
        self.all_named().filter_map(figure).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_by_time_and_errors_have_their_line() {
        let text = "[world]\nfile = 'a'\n[[event]]\nat = 30\nremove = 'wall'\n[[event]]\nat = 0\nadd = 'wall'\n\
                    segment = [[0, 0], [1, 0]]\n";
        let events = EditScript::parse_events(text).unwrap();
        let times: Vec<(f64, usize)> = events.iter().map(|event| (event.at, event.step.line)).collect();
        assert_eq!(times, [(0.0, 6), (30.0, 3)]);
        assert!(EditScript::parse_events("[world]\nfile = 'a'\n").unwrap().is_empty());
        for (text, line, words) in [
            ("[[event]]\nremove = 'a'\n", 1, "event 1: at is missing"),
            ("\n[[event]]\nat = -1\nremove = 'a'\n", 2, "at must lie between 0 and 604800 s"),
            ("[[event]]\nat = nan\nremove = 'a'\n", 1, "at must be a finite number"),
            ("[[event]]\nat = 1\n", 1, "exactly one of add"),
            ("[[event]]\nat = 1\nremove = 'a'\nwhen = 2\n", 1, "key `when` is not known"),
            ("[event]\nat = 1\n", 1, "must be written [[event]]"),
            ("[[event]]\nat = \n", 2, ""),
        ] {
            let (at, error) = EditScript::parse_events(text).unwrap_err();
            assert!(at == line && error.to_string().contains(words), "{text}: {at}: {error}");
        }
        // A file of edits has no times.
        assert!(EditScript::parse("[[edit]]\nat = 1\nremove = 'a'\n").is_err());
    }
}
