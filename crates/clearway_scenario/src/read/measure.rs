//! Reads `[[measure]]`: lines and areas at which a run is measured.

use super::places::area;
use super::{Reader, name, only_once};
use crate::scenario::{Measure, Scenario};
use clearway_base::error::{ErrorKind, Result};
use std::collections::BTreeSet;

/// The largest number of lines and areas. Each looks at every body in every frame.
const MAX_MEASURES: usize = 100;

impl Reader<'_> {
    /// Reads `[[measure]]`.
    pub fn read_measures(&self, scenario: &mut Scenario) -> Result<()> {
        let mut known = BTreeSet::new();
        for table in self.tables("measure", &["name", "line", "outline", "rectangle", "height"])? {
            let name = name(&table)?;
            only_once(&table, name, &mut known)?;
            if scenario.measures.len() == MAX_MEASURES {
                let message = format!("there are more than {MAX_MEASURES} lines and areas to measure at");
                return Err(table.wrong_at(ErrorKind::TooLarge, "name", message));
            }
            let (points, height) = if table.has("line") {
                if table.has("outline") || table.has("rectangle") {
                    let message = "it is either a line or an area, not both";
                    return Err(table.wrong_at(ErrorKind::Syntax, "line", message));
                }
                let ends = table.segment("line")?;
                if ends[0] == ends[1] {
                    return Err(table.wrong_at(ErrorKind::OutOfRange, "line", "line has no length"));
                }
                (ends.to_vec(), table.within("height", [-1e6, 1e6], "m")?)
            } else {
                let area = area(&table)?.ok_or_else(|| table.missing("line, outline or rectangle"))?;
                (area.outline().to_vec(), area.height())
            };
            scenario.measures.push(Measure { name: name.to_string(), line: table.line(), points, height });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Ground, Scenario};

    const HALL: &str = "[world]\nwkt = 'POLYGON ((0 0, 8 0, 8 5, 0 5, 0 0))'\n[[source]]\ncount = 3\n";

    fn read(text: &str) -> clearway_base::Result<Scenario> {
        Scenario::parse("s.toml", "".into(), &format!("{HALL}{text}"))
    }

    #[test]
    fn lines_and_areas_to_measure_at_are_read() {
        let text = "[[measure]]\nname = 'a'\nline = [[4, 0], [4, 5]]\n\
                    [[measure]]\nname = 'b'\nrectangle = [[1, 1], [3, 3]]\nheight = 0\n";
        let measures = read(text).unwrap().measures;
        let found: Vec<_> =
            measures.iter().map(|m| (m.name.as_str(), m.line, m.points.len(), m.height)).collect();
        assert_eq!(found, [("a", 5, 2, None), ("b", 8, 4, Some(0.0))]);
    }

    #[test]
    fn mistakes_in_measures_name_the_line() {
        let cases = [
            ("[[measure]]\nline = [[4, 0], [4, 5]]\n", "s.toml:5: measure 1: name is missing"),
            ("[[measure]]\nname = 'a'\n", "s.toml:5: measure \"a\": line, outline or rectangle is missing"),
            (
                "[[measure]]\nname = 'a'\nline = [[4, 0], [4, 0]]\n",
                "s.toml:7: measure \"a\": line has no length",
            ),
            (
                "[[measure]]\nname = 'a'\nline = [[4, 0], [4, 5]]\nrectangle = [[1, 1], [3, 3]]\n",
                "s.toml:7: measure \"a\": it is either a line or an area, not both",
            ),
            ("[[measure]]\nname = 'a'\nlines = 1\n", "s.toml:7: measure \"a\": key `lines` is not known"),
        ];
        for (text, expected) in cases {
            let error = read(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
        let beside = read("[[measure]]\nname = 'a'\nline = [[40, 0], [40, 5]]\n").unwrap();
        let error = Ground::load(&beside, None).err().unwrap().to_string();
        assert!(
            error.contains("s.toml:5: measure \"a\": no ground of the world lies on its line"),
            "{error}"
        );
    }
}
