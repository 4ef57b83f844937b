//! Lists of rings: one `x y` per line, as in poly2tri's test bed.
//!
//! A blank line or a comment line (`#` or `//`) ends a ring. Comments do so too, because many files give each ring a
//! comment as its title. Joining two rings would go unnoticed, while a ring cut in two shows. Cost: linear in the
//! text.

use super::Ring;
use super::draft::Draft;
use super::text::{Line, Lines};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file::quoted;

/// Reads a text of any number of rings.
pub(super) fn parse(text: &str) -> Result<Draft> {
    let mut draft = Draft::new();
    let mut ring = Ring::new();
    let mut index = 0;
    for line in Lines::new(text) {
        if !is_separator(&line) {
            let point = point(&line)?;
            draft.place.enter("ring", index);
            draft.push_point(&mut ring, point).map_err(|error| line.error(error.kind(), error))?;
            draft.place.leave();
        } else if !ring.is_empty() {
            draft.add_ring(index, std::mem::take(&mut ring));
            index += 1;
        }
    }
    if !ring.is_empty() {
        draft.add_ring(index, ring);
        index += 1;
    }
    if index == 0 {
        return Err(Error::new(ErrorKind::Empty, "there are only comments, no points"));
    }
    Ok(draft)
}

/// True for lines that hold no data; `#` is a comment in `.poly` files as well.
pub(super) fn is_comment(line: &Line<'_>) -> bool {
    let start = line.text.trim_start();
    start.starts_with('#') || start.starts_with("//")
}

/// True for lines that end a ring.
fn is_separator(line: &Line<'_>) -> bool {
    is_comment(line) || line.text.trim_start().is_empty()
}

/// Reads the two numbers of a line.
fn point(line: &Line<'_>) -> Result<[f64; 2]> {
    let mut fields = line.fields();
    let (Some(x), Some(y), None) = (fields.next(), fields.next(), fields.next()) else {
        // Counting stops at three: the line may be the whole file.
        let count = match line.fields().take(3).count() {
            0 => "none",
            1 => "one",
            _ => "more",
        };
        return Err(line.error(ErrorKind::Syntax, format_args!("expected two numbers `x y`, found {count}")));
    };
    Ok([number(line, x)?, number(line, y)?])
}

/// Reads one number.
fn number(line: &Line<'_>, field: &str) -> Result<f64> {
    let message = || format!("expected a number, found {}", quoted(field));
    field.parse().map_err(|_| line.error(ErrorKind::Syntax, message()))
}

#[cfg(test)]
mod tests {
    use super::super::Plan;
    use super::super::PlanFormat;
    use super::super::testing::{check_damaged, check_refused, double_area, shared_file};
    use super::*;

    #[test]
    fn rings_are_parted_by_blank_and_comment_lines() {
        let first = vec![[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]];
        let second = vec![[1.0, 1.0], [2.0, 1.0], [1.0, 2.0]];
        let both = vec![first.clone(), second.clone()];
        let cases = [
            ("0 0\n4 0\n0 4", vec![first.clone()]),
            ("0 0\n4 0\n0 4\n0 0\n", vec![first.clone()]),
            ("0,0\n 4 , 0\n0,\t4,\n", vec![first]),
            ("\n\n0 0\n4 0\n0 4\n\n \n1 1\n2 1\n1 2\n\n", both.clone()),
            ("# outline\r\n0 0\r\n4 0\r\n0 4\r\n // hole\r\n1 1\r\n2 1\r\n1 2\r\n", both),
        ];
        for (text, rings) in cases {
            let plan = Plan::parse(PlanFormat::Dat, text).unwrap();
            assert_eq!(plan.rings, rings, "{text:?}");
            assert!(plan.notes.is_empty(), "{text:?}");
        }
    }

    #[test]
    fn short_rings_are_noted_by_their_number() {
        let plan = Plan::parse(PlanFormat::Dat, "0 0\n4 0\n0 4\n\n7 7\n8 8\n7 7\n").unwrap();
        assert_eq!(plan.rings.len(), 1);
        assert_eq!(plan.notes, ["ring 1: only 2 points, left out"]);
    }

    #[test]
    fn bad_lines_are_refused_by_their_number() {
        let syntax = ErrorKind::Syntax;
        let cases = [
            ("0 0\n1\n", syntax, "line 2: expected two numbers `x y`, found one"),
            ("0 0 0", syntax, "line 1: expected two numbers `x y`, found more"),
            ("0 0\n\n,\n", syntax, "line 3: expected two numbers `x y`, found none"),
            ("0 0\nHOLE 1\n", syntax, "line 2: expected a number, found `HOLE`"),
            ("0 0\n1 nan", ErrorKind::OutOfRange, "line 2: ring 0, point 1: y is not a number"),
            (
                "0 0\n0 1\n1 1\n\n1e13 1",
                ErrorKind::OutOfRange,
                "line 5: ring 1, point 0: x is 10000000000000.0, beyond the limit of ±1099511627776",
            ),
            ("# nothing\n", ErrorKind::Empty, "there are only comments, no points"),
        ];
        for (text, kind, message) in cases {
            check_refused(PlanFormat::Dat, text, kind, message);
        }
    }

    #[test]
    fn one_long_line_is_refused_shortly() {
        for text in ["1 ".repeat(2_000_000), "1".repeat(4_000_000)] {
            let error = Plan::parse(PlanFormat::Dat, &text).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Syntax);
            assert!(error.to_string().len() < 100, "{error}");
        }
    }

    #[test]
    fn damaged_text_never_panics() {
        check_damaged(PlanFormat::Dat, "# a\n0 0\n4.5 0\n0, -4e1\n\n// b\n1 1\n2 1\n1 2\n1 1\n");
    }

    #[test]
    fn shared_rings_are_read() {
        for (name, points) in
            [("bird", 275), ("debug", 200), ("funny", 100), ("nazca_heron", 1036), ("nazca_monkey", 1204)]
        {
            let Some(path) = shared_file(&format!("polygons/{name}.dat")) else { continue };
            let plan = Plan::load(path).unwrap();
            assert_eq!((plan.rings.len(), plan.point_count()), (1, points), "{name}");
            assert_ne!(double_area(&plan.rings[0]), 0.0, "{name}");
        }
    }
}
