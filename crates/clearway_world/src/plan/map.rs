//! MovingAI grid maps: draws the outlines of the tiles that one can stand on.
//!
//! A header (`type octile`, `height`, `width`, `map`) and then one line per row. The tile in column c and row r
//! covers x from c to c + 1 and y from r to r + 1: rows grow with y, nothing is flipped. Passable are `.` and `G`
//! (ground) and `S` (swamp); blocked are `@` and `O` (out of bounds), `T` (trees) and `W` (water). Cost: linear in
//! the tiles.

use super::MAX_MAP_SIDE;
use super::draft::Draft;
use super::outlines::{Grid, draw_outlines};
use super::text::{Line, Lines};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file::quoted;

/// Reads a text of a header and its tiles.
pub(super) fn parse(text: &str) -> Result<Draft> {
    let mut lines = Lines::new(text);
    let size = read_header(&mut lines)?;
    let mut grid = read_tiles(&mut lines, size)?;
    if !grid.has_passable() {
        return Err(Error::new(ErrorKind::Empty, "the map has no passable tile"));
    }
    let mut draft = Draft::new();
    draw_outlines(&mut grid, &mut draft)?;
    Ok(draft)
}

/// The size of a map in tiles.
#[derive(Clone, Copy)]
struct Size {
    /// The number of columns.
    width: usize,
    /// The number of rows.
    height: usize,
}

/// Reads up to the line `map`; the other lines may come in any order.
fn read_header(lines: &mut Lines<'_>) -> Result<Size> {
    let (mut is_octile, mut width, mut height) = (false, None, None);
    for line in lines {
        let mut fields = line.fields();
        match (fields.next(), fields.next(), fields.next()) {
            (None, ..) => {}
            (Some("type"), Some("octile"), None) => is_octile = true,
            (Some("type"), Some(other), None) => {
                let message = format!("maps of type {} are not read, only octile", quoted(other));
                return Err(line.error(ErrorKind::Unsupported, message));
            }
            (Some("width"), Some(tiles), None) => width = Some(side(&line, "width", tiles)?),
            (Some("height"), Some(tiles), None) => height = Some(side(&line, "height", tiles)?),
            (Some("map"), None, None) => return size(&line, is_octile, width, height),
            _ => {
                let found = quoted(line.text.trim());
                let message = format!("expected `type`, `height`, `width` or `map`, found {found}");
                return Err(line.error(ErrorKind::Syntax, message));
            }
        }
    }
    Err(Error::new(ErrorKind::Syntax, "the text ends before the line `map`"))
}

/// Reads a width or height; refuses more than the limit.
fn side(line: &Line<'_>, name: &str, field: &str) -> Result<usize> {
    let tiles = field.parse().map_err(|_| {
        line.error(ErrorKind::Syntax, format_args!("expected a number of tiles, found {}", quoted(field)))
    })?;
    if tiles > MAX_MAP_SIDE {
        let message = format!("the {name} is {tiles} tiles, the limit is {MAX_MAP_SIDE}");
        return Err(line.error(ErrorKind::TooLarge, message));
    }
    Ok(tiles)
}

/// Checks that the header was complete.
fn size(line: &Line<'_>, is_octile: bool, width: Option<usize>, height: Option<usize>) -> Result<Size> {
    match (is_octile, width, height) {
        (true, Some(width), Some(height)) => Ok(Size { width, height }),
        _ => {
            let message = "`type octile`, `height` and `width` must come before `map`";
            Err(line.error(ErrorKind::Syntax, message))
        }
    }
}

/// Reads the rows; memory grows with the text, not with what the header claims.
fn read_tiles(lines: &mut Lines<'_>, size: Size) -> Result<Grid> {
    let mut grid = Grid::new(size.width);
    for row in 0..size.height {
        let Some(line) = lines.next() else {
            let message = format!("the map has {row} rows, but its header says {}", size.height);
            return Err(Error::new(ErrorKind::Syntax, message));
        };
        read_row(&line, row, size.width, &mut grid)?;
    }
    match lines.find(|line| !line.text.trim().is_empty()) {
        Some(line) => {
            let message = format!("there is text after the {} rows of the header", size.height);
            Err(line.error(ErrorKind::Syntax, message))
        }
        None => Ok(grid),
    }
}

/// Reads one row of tiles; refuses rows of another width.
fn read_row(line: &Line<'_>, row: usize, width: usize, grid: &mut Grid) -> Result<()> {
    let tiles = line.text.trim_end();
    for (column, tile) in tiles.chars().take(width).enumerate() {
        let Some(is_passable) = passable(tile) else {
            let tile = quoted(tile.encode_utf8(&mut [0; 4]));
            let message = format!("unknown tile {tile} (tile row {row}, tile column {column})");
            let line = line.number;
            let place = format!("line {line}, column {}: {message}", column + 1);
            return Err(Error::new(ErrorKind::Syntax, place));
        };
        grid.push(is_passable);
    }
    // All tiles so far are ASCII, so bytes can be counted up to the first surplus tile.
    if tiles.len() != width {
        let relation = if tiles.len() < width { "fewer" } else { "more" };
        let message = format!("tile row {row} has {relation} tiles than the width of {width}");
        return Err(line.error(ErrorKind::Syntax, message));
    }
    Ok(())
}

/// True if one can stand on a tile; `None` for letters that the format does not have.
fn passable(tile: char) -> Option<bool> {
    match tile {
        '.' | 'G' | 'S' => Some(true),
        '@' | 'O' | 'T' | 'W' => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Plan;
    use super::super::PlanFormat;
    use super::super::testing::{check_damaged, check_refused, double_area, shared_file};
    use super::*;

    fn text(rows: &[&str]) -> String {
        let width = rows.first().map_or(0, |row| row.len());
        format!("type octile\nheight {}\nwidth {width}\nmap\n{}\n", rows.len(), rows.join("\n"))
    }

    fn area(plan: &Plan) -> f64 {
        plan.rings.iter().map(|ring| double_area(ring)).sum::<f64>() / 2.0
    }

    #[test]
    fn tiles_are_passable_by_their_letter() {
        let plan = Plan::parse(PlanFormat::Map, &text(&[".GS@OTW"])).unwrap();
        assert_eq!(plan.rings, [vec![[3.0, 0.0], [3.0, 1.0], [0.0, 1.0], [0.0, 0.0]]]);
        assert!(plan.notes.is_empty());
    }

    #[test]
    fn headers_may_be_spaced_and_ordered_freely() {
        for text in [
            "type octile\nwidth 2\nheight 1\nmap\n.@",
            "type octile\r\nheight 1\r\nwidth 2\r\nmap\r\n.@\r\n",
            "\n type  octile\n\nheight\t1 \nwidth 2\nmap\n.@  \n\n\n",
        ] {
            let plan = Plan::parse(PlanFormat::Map, text).unwrap();
            assert_eq!(plan.rings.len(), 1, "{text:?}");
        }
    }

    #[test]
    fn bad_maps_are_refused() {
        let syntax = ErrorKind::Syntax;
        let header = "type octile\nheight 2\nwidth 2\nmap\n";
        let after = |rows: &str| format!("{header}{rows}");
        let missing = "line 3: `type octile`, `height` and `width` must come before `map`";
        let cases = [
            ("type octile\nheight 2".into(), syntax, "the text ends before the line `map`"),
            ("type octile\nheight 2\nmap\n".into(), syntax, missing),
            ("height 2\nwidth 2\nmap\n..\n..".into(), syntax, missing),
            (
                "type octile\nversion 1".into(),
                syntax,
                "line 2: expected `type`, `height`, `width` or `map`, found `version 1`",
            ),
            (
                "type hex\n".into(),
                ErrorKind::Unsupported,
                "line 1: maps of type `hex` are not read, only octile",
            ),
            ("type octile\nheight -2".into(), syntax, "line 2: expected a number of tiles, found `-2`"),
            (
                "type octile\nheight 2\nwidth 16385\nmap\n".into(),
                ErrorKind::TooLarge,
                "line 3: the width is 16385 tiles, the limit is 16384",
            ),
            (after("..\n"), syntax, "the map has 1 rows, but its header says 2"),
            (after("..\n."), syntax, "line 6: tile row 1 has fewer tiles than the width of 2"),
            (after("...\n.."), syntax, "line 5: tile row 0 has more tiles than the width of 2"),
            (after(".é\n.."), syntax, "line 5, column 2: unknown tile `é` (tile row 0, tile column 1)"),
            (after("..\n. "), syntax, "line 6: tile row 1 has fewer tiles than the width of 2"),
            (after("..\nx."), syntax, "line 6, column 1: unknown tile `x` (tile row 1, tile column 0)"),
            (after("..\n..\n\n.."), syntax, "line 8: there is text after the 2 rows of the header"),
            (after("@@\nTW"), ErrorKind::Empty, "the map has no passable tile"),
            (
                "type octile\nheight 0\nwidth 0\nmap\n".into(),
                ErrorKind::Empty,
                "the map has no passable tile",
            ),
        ];
        for (text, kind, message) in cases {
            check_refused(PlanFormat::Map, &text, kind, message);
        }
    }

    #[test]
    fn a_small_file_cannot_claim_much_memory() {
        let text = "type octile\nheight 16384\nwidth 16384\nmap\n..";
        assert_eq!(Plan::parse(PlanFormat::Map, text).unwrap_err().kind(), ErrorKind::Syntax);
    }

    #[test]
    fn damaged_text_never_panics() {
        check_damaged(PlanFormat::Map, &text(&["..@.", "@.GS", "T@.W"]));
    }

    #[test]
    fn shared_maps_have_the_area_of_their_tiles() {
        for name in ["arena", "AR0602SR", "brc202d", "ca_caverns1"] {
            let Some(path) = shared_file(&format!("paths/{name}.map")) else { continue };
            let text = std::fs::read_to_string(&path).unwrap();
            let tiles = text.split_once("map\n").unwrap().1.matches('.').count();
            let plan = Plan::load(path).unwrap();
            assert_eq!(area(&plan), tiles as f64, "{name}");

            // The same free space drawn by others, with the same corners.
            let Some(path) = shared_file(&format!("paths/{name}.wkt")) else { continue };
            let drawn = Plan::load(path).unwrap();
            assert_eq!(corners(&plan), corners(&drawn), "{name}");
        }
    }

    fn corners(plan: &Plan) -> Vec<[i64; 2]> {
        let mut corners: Vec<_> =
            plan.lines().flatten().map(|point| point.map(|value| value as i64)).collect();
        corners.sort_unstable();
        corners
    }
}
