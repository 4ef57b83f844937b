//! Wavefront OBJ: polygons in objects and groups.
//!
//! Vertices are read in a first pass, so that faces may stand before them, as the format allows. Texture coordinates,
//! normals, smoothing and material files are skipped; lines and points are noted. Groups with several names become
//! levels of the part's name. Cost: linear in the text.

use super::draft::Draft;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file::quoted;

/// Reads a text of statements.
pub(super) fn read(text: &str, draft: &mut Draft<'_>) -> Result<()> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    read_vertices(text, draft)?;
    let mut reader = Reader {
        draft,
        seen: 0,
        object: String::new(),
        group: String::new(),
        material: String::new(),
        is_new_part: true,
        corners: Vec::new(),
    };
    for statement in Statements::new(text) {
        reader.read(&statement)?;
    }
    Ok(())
}

/// The first pass: only vertices.
fn read_vertices(text: &str, draft: &mut Draft<'_>) -> Result<()> {
    for statement in Statements::new(text) {
        if statement.keyword != "v" {
            continue;
        }
        let mut fields = statement.fields();
        let mut coordinate = || {
            let field =
                fields.next().ok_or_else(|| statement.syntax("a vertex has fewer than three numbers"))?;
            field
                .parse::<f64>()
                .map_err(|_| statement.syntax(format!("expected a number, found {}", quoted(field))))
        };
        let place = [coordinate()?, coordinate()?, coordinate()?];
        let number = draft.vertex_count() + 1;
        draft.add_vertex(place, || format!("line {}: vertex {number}", statement.line))?;
    }
    Ok(())
}

/// The second pass: faces and the parts they belong to.
struct Reader<'a, 'o> {
    /// The scene so far, with all vertices.
    draft: &'a mut Draft<'o>,
    /// The number of vertices before the present statement: negative indices count back from there.
    seen: usize,
    /// The name of the present object.
    object: String,
    /// The names of the present group, joined by `/`.
    group: String,
    /// The name of the present material.
    material: String,
    /// True if a name changed since the last face.
    is_new_part: bool,
    /// Scratch buffer for the corners of a face.
    corners: Vec<u32>,
}

impl Reader<'_, '_> {
    /// Reads one statement.
    fn read(&mut self, statement: &Statement<'_>) -> Result<()> {
        match statement.keyword {
            "v" => self.seen += 1,
            "f" | "fo" => self.face(statement)?,
            "o" => {
                self.object = statement.name();
                self.group.clear();
                self.is_new_part = true;
            }
            "g" => {
                self.group = statement.rest.split_ascii_whitespace().collect::<Vec<_>>().join("/");
                self.is_new_part = true;
            }
            "usemtl" => {
                self.material = statement.name();
                self.is_new_part = true;
            }
            "vt" | "vn" | "vp" | "s" | "mtllib" | "usemap" | "maplib" | "lod" | "bevel" | "c_interp"
            | "d_interp" | "shadow_obj" | "trace_obj" | "mg" => {}
            "l" | "p" => self.note("lines and points", statement, "lines and points are left out"),
            "call" | "csh" | "curv" | "curv2" | "surf" | "cstype" | "deg" | "parm" | "trim" | "hole"
            | "end" | "bmat" | "step" | "scrv" | "sp" | "con" | "stech" | "ctech" => {
                self.note("curved surfaces and calls", statement, "curved surfaces and calls are left out");
            }
            _ => self.note("unknown statements", statement, "an unknown statement is left out"),
        }
        Ok(())
    }

    /// Adds a note that names the line.
    fn note(&mut self, kind: &'static str, statement: &Statement<'_>, text: &str) {
        let (line, keyword) = (statement.line, statement.keyword);
        self.draft.notes.add(kind, || format!("line {line}: {}: {text}", quoted(keyword)));
    }

    /// Reads a polygon.
    fn face(&mut self, statement: &Statement<'_>) -> Result<()> {
        self.corners.clear();
        for field in statement.fields() {
            let corner = self.corner(field).map_err(|(kind, message)| statement.error(kind, message))?;
            self.corners.push(corner);
        }
        if self.is_new_part {
            let is_nested = !self.object.is_empty() && !self.group.is_empty();
            let slash = if is_nested { "/" } else { "" };
            let name = format!("{}{slash}{}", self.object, self.group);
            self.draft.enter_part(&name, &self.material)?;
            self.is_new_part = false;
        }
        self.draft.add_polygon(&self.corners, || format!("line {}", statement.line))
    }

    /// The vertex of `7`, `7/1`, `7//3`, `7/1/3` or `-2`.
    fn corner(&self, field: &str) -> std::result::Result<u32, (ErrorKind, String)> {
        let text = field.split('/').next().unwrap_or(field);
        let number: i64 = text.parse().map_err(|_| {
            (ErrorKind::Syntax, format!("expected the number of a vertex, found {}", quoted(field)))
        })?;
        let count = self.draft.vertex_count();
        let place = match number {
            0 => return Err((ErrorKind::OutOfRange, "vertex 0: vertices are counted from 1".to_string())),
            1.. => usize::try_from(number - 1).ok().filter(|place| *place < count),
            _ => usize::try_from(number.unsigned_abs()).ok().and_then(|back| self.seen.checked_sub(back)),
        };
        place.and_then(|place| u32::try_from(place).ok()).ok_or_else(|| {
            let limit = if number > 0 {
                format!("the file has {count}")
            } else {
                format!("{} stand before", self.seen)
            };
            (ErrorKind::OutOfRange, format!("vertex {number}, but {limit}"))
        })
    }
}

/// A keyword and the text after it; lines that end in `\` are joined.
struct Statement<'a> {
    /// The line of its keyword, counted from 1.
    line: usize,
    /// The first word.
    keyword: &'a str,
    /// The text after the keyword. It may hold `\` and line ends, where lines are joined.
    rest: &'a str,
}

impl<'a> Statement<'a> {
    /// The words after the keyword, up to a comment.
    fn fields(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let is_between = |c: char| c.is_ascii_whitespace() || c == '\\';
        let fields = self.rest.split(is_between).filter(|field| !field.is_empty());
        fields.take_while(|field| !field.starts_with('#'))
    }

    /// All text after the keyword; names may hold spaces and `#`.
    fn name(&self) -> String {
        self.rest.trim().to_string()
    }

    /// An error that names the line.
    fn error(&self, kind: ErrorKind, message: impl std::fmt::Display) -> Error {
        Error::new(kind, format!("line {}: {message}", self.line))
    }

    /// A syntax error that names the line.
    fn syntax(&self, message: impl std::fmt::Display) -> Error {
        self.error(ErrorKind::Syntax, message)
    }
}

/// The statements of a text, without comments and blank lines.
struct Statements<'a> {
    /// The text that is still to be read.
    rest: &'a str,
    /// The number of its first line.
    line: usize,
}

impl<'a> Statements<'a> {
    /// Starts at the first line.
    fn new(text: &'a str) -> Statements<'a> {
        Statements { rest: text, line: 1 }
    }

    /// Takes lines up to one that does not end in `\`, and counts them.
    fn take_lines(&mut self) -> &'a str {
        let start = self.rest;
        let may_continue = !start.trim_start_matches([' ', '\t']).starts_with('#');
        let mut end = 0;
        loop {
            let line = start[end..].split('\n').next().unwrap_or_default();
            self.line += 1;
            let is_last = end + line.len() >= start.len();
            end = (end + line.len() + 1).min(start.len());
            if is_last || !may_continue || !line.trim_end_matches('\r').ends_with('\\') {
                self.rest = &start[end..];
                return &start[..end];
            }
        }
    }
}

impl<'a> Iterator for Statements<'a> {
    type Item = Statement<'a>;

    fn next(&mut self) -> Option<Statement<'a>> {
        while !self.rest.is_empty() {
            let line = self.line;
            let lines = self.take_lines();
            let content = lines.trim();
            let end = content.find(|c: char| c.is_ascii_whitespace()).unwrap_or(content.len());
            let (keyword, rest) = content.split_at(end);
            if !keyword.is_empty() && !keyword.starts_with('#') {
                return Some(Statement { line, keyword, rest });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_damaged, check_refused, parse};
    use super::super::{SceneFormat, SceneOptions};
    use super::*;

    const SQUARE: &str = "v 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\n";

    fn triangles(faces: &str) -> Vec<[u32; 3]> {
        parse(SceneFormat::Obj, format!("{SQUARE}{faces}").as_bytes()).unwrap().triangles
    }

    #[test]
    fn corners_come_in_every_form() {
        let cases = [
            "f 1 2 3",
            "f 1/7 2/8 3/9",
            "f 1//7 2//8 3//9",
            "f 1/1/1 2/2/2 3/3/3 # comment",
            "f -4 -3 -2\r",
            "  f\t1 2 3  ",
            "f 1 \\\n2 3",
            "f 1 2\\\r\n \\\r\n 3\r\n",
            "# a comment \\\nf 1 2 3\\",
        ];
        for faces in cases {
            assert_eq!(triangles(faces), [[0, 1, 2]], "{faces:?}");
        }
    }

    #[test]
    fn faces_may_stand_before_their_vertices() {
        let text = format!("f 1 2 3\n{SQUARE}f -1 -2 -3\nv 9 9 9\n");
        let scene = parse(SceneFormat::Obj, text.as_bytes()).unwrap();
        assert_eq!(scene.triangles, [[0, 1, 2], [3, 2, 1]]);
    }

    #[test]
    fn polygons_are_cut_inside() {
        assert_eq!(triangles("f 1 2 3 4"), [[0, 1, 2], [0, 2, 3]]);
        let arrow = "v 0 0 0\nv 4 0 4\nv 0 0 1\nv -4 0 4\nf 2 3 4 1\n";
        let scene = parse(SceneFormat::Obj, arrow.as_bytes()).unwrap();
        // The cut joins the tip and the notch.
        assert!(scene.triangles.iter().all(|t| t.contains(&0) && t.contains(&2)), "{:?}", scene.triangles);
    }

    #[test]
    fn parts_have_objects_groups_and_materials() {
        let faces = "f 1 2 3\no house\nf 1 2 3\ng walls north\nusemtl Material #1\nf 1 2 3\nf 1 2 3\n\
                     g\nf 1 2 3\no empty\no tree top\nf 1 2 3\ng walls\no house\nusemtl\nf 1 2 3\n";
        let scene = parse(SceneFormat::Obj, format!("{SQUARE}{faces}").as_bytes()).unwrap();
        let parts: Vec<_> =
            scene.parts.iter().map(|part| (part.name.as_str(), part.material.as_str())).collect();
        let expected = [
            ("", ""),
            ("house", ""),
            ("house/walls/north", "Material #1"),
            ("house", "Material #1"),
            ("tree top", "Material #1"),
        ];
        assert_eq!(parts, expected);
        assert_eq!(scene.part_of, [0, 1, 2, 2, 3, 4, 1]);
    }

    #[test]
    fn everything_else_is_passed_over_or_noted() {
        let text = format!(
            "\u{feff}mtllib missing.mtl\nvt 0 0\nvn 0 1 0\ns off\nl 1 2\np 1\ncurv 0 1 1 2\nfrobnicate 3\n{SQUARE}f 1 2 3\nf 1 2\n"
        );
        let scene = parse(SceneFormat::Obj, text.as_bytes()).unwrap();
        let expected = [
            "line 5: `l`: lines and points are left out",
            "line 6: `p`: lines and points are left out",
            "line 7: `curv`: curved surfaces and calls are left out",
            "line 8: `frobnicate`: an unknown statement is left out",
            "line 14: a face of 2 corners, left out",
        ];
        assert_eq!(scene.notes, expected);
    }

    #[test]
    fn names_that_are_not_unicode_are_read() {
        let text = [SQUARE.as_bytes(), b"# \xfc\ng T\xfcr\nf 1 2 3\n"].concat();
        assert_eq!(parse(SceneFormat::Obj, &text).unwrap().parts[0].name, "T\u{fffd}r");
    }

    #[test]
    fn axes_and_units_are_turned() {
        let options = SceneOptions::default().up(super::super::Up::Z).scale(0.01);
        let text = "v 0 0 300\nv 100 0 0\nv 0 200 0\nf 1 2 3\n";
        let scene = super::super::Scene::parse(SceneFormat::Obj, text.as_bytes(), &options).unwrap();
        assert_eq!(scene.vertices, [[0.0, 3.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -2.0]]);
    }

    #[test]
    fn bad_statements_are_refused_by_their_line() {
        let (syntax, range) = (ErrorKind::Syntax, ErrorKind::OutOfRange);
        let cases = [
            ("v 1 2\n", syntax, "line 1: a vertex has fewer than three numbers"),
            ("\nv 1 2 x\n", syntax, "line 2: expected a number, found `x`"),
            ("v 1 nan 0\n", range, "line 1: vertex 1: y is not a number"),
            ("v 1 0 -inf\n", range, "line 1: vertex 1: z is infinite"),
            ("v 1 0 1e999\n", range, "line 1: vertex 1: z is infinite"),
            (
                "v 0 0 0\nv 1e300 0 0\n",
                range,
                "line 2: vertex 2: x is 1e300 m, beyond the limit of ±65535 m; if the file is not in metres, give \
                 the length of its unit (--scale 0.01 for centimetres)",
            ),
            ("v 0 0 0\nf 1 1 2\n", range, "line 2: vertex 2, but the file has 1"),
            ("v 0 0 0\nf 0 1 1\n", range, "line 2: vertex 0: vertices are counted from 1"),
            ("v 0 0 0\nf 1 -2 1\nv 0 0 0\n", range, "line 2: vertex -2, but 1 stand before"),
            (
                "v 0 0 0\nf 1 1 99999999999999999999\n",
                syntax,
                "line 2: expected the number of a vertex, found `99999999999999999999`",
            ),
            (
                "v 0 0 0\nf 1 1 -9223372036854775808\n",
                range,
                "line 2: vertex -9223372036854775808, but 1 stand before",
            ),
            ("v 0 0 0\nf a b c\n", syntax, "line 2: expected the number of a vertex, found `a`"),
            ("v 0 0 0\nv 1 1 1\n", ErrorKind::Empty, "there is not a single triangle"),
            (
                "solid x\n",
                ErrorKind::Empty,
                "there is not a single triangle (line 1: `solid`: an unknown statement is left out)",
            ),
        ];
        for (text, kind, message) in cases {
            check_refused(SceneFormat::Obj, text.as_bytes(), kind, message);
        }
    }

    #[test]
    fn faces_of_too_many_corners_are_refused() {
        let text = format!("v 0 0 0\nf {}\n", "1 ".repeat(20_000));
        check_refused(
            SceneFormat::Obj,
            text.as_bytes(),
            ErrorKind::TooLarge,
            "line 2: a face of 20000 corners; the limit is 10000",
        );
    }

    /// Such a face took minutes to build.
    #[test]
    fn tangled_faces_are_left_out_and_noted() {
        let mut state = 1_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 20
        };
        let places: String = (0..2000).map(|_| format!("v {} 0 {}\n", random(), random())).collect();
        let numbers: Vec<String> = (1..=2000).map(|number: u32| number.to_string()).collect();
        let text = format!("{places}f {}\nf 1 2 3\n", numbers.join(" "));
        let scene = parse(SceneFormat::Obj, text.as_bytes()).unwrap();
        assert!(scene.triangles == [[0, 1, 2]], "{} triangles", scene.triangles.len());
        let note =
            "line 2001: a face of 2000 corners crosses itself more than 20000 times, the limit: left out";
        assert_eq!(scene.notes, [note]);
        let message = format!("there is not a single triangle ({note})");
        let alone = text.strip_suffix("f 1 2 3\n").unwrap();
        check_refused(SceneFormat::Obj, alone.as_bytes(), ErrorKind::Empty, &message);
    }

    #[test]
    fn damaged_text_never_panics() {
        let text = format!("{SQUARE}o a\ng b c\nusemtl m\nf 1/1 2//2 3/3/3 -1\nf 1 2 \\\n3\n# end");
        check_damaged(SceneFormat::Obj, text.as_bytes());
    }
}
