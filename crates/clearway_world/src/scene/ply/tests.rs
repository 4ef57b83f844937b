//! PLY files in all encodings, good and bad.

use super::super::testing::{check_damaged, check_refused, parse};
use super::super::{Scene, SceneFormat};
use clearway_base::error::ErrorKind;

const ELEMENTS: &str = "comment made by hand\nelement extra 1\nproperty list uchar short numbers\nelement vertex 4\n\
                        property float x\nproperty double y\nproperty int z\nproperty uchar red\nelement face 1\n\
                        property list uchar uint vertex_indices\nproperty uchar flag\nend_header\n";

fn text() -> String {
    format!("ply\nformat ascii 1.0\n{ELEMENTS}2 5 6\n0 0 0 9\n0 0 1 9\n1 0.5 1 9\n1 0 0 9\n4 0 1 2 3 7\n")
}

fn binary(is_big: bool) -> Vec<u8> {
    let name = if is_big { "binary_big_endian" } else { "binary_little_endian" };
    let mut bytes = format!("ply\nformat {name} 1.0\n{ELEMENTS}").into_bytes();
    let mut put = |number: &[u8]| {
        let mut number = number.to_vec();
        if is_big {
            number.reverse();
        }
        bytes.extend(number);
    };
    put(&[2]);
    put(&5_i16.to_le_bytes());
    put(&6_i16.to_le_bytes());
    for (x, y, z) in [(0.0_f32, 0.0_f64, 0_i32), (0.0, 0.0, 1), (1.0, 0.5, 1), (1.0, 0.0, 0)] {
        put(&x.to_le_bytes());
        put(&y.to_le_bytes());
        put(&z.to_le_bytes());
        put(&[9]);
    }
    put(&[4]);
    (0_u32..4).for_each(|corner| put(&corner.to_le_bytes()));
    put(&[7]);
    bytes
}

fn read(text: &str) -> Scene {
    parse(SceneFormat::Ply, text.as_bytes()).unwrap()
}

#[test]
fn all_encodings_say_the_same() {
    let scene = read(&text());
    assert_eq!(scene.vertices, [[0.0; 3], [0.0, 0.0, 1.0], [1.0, 0.5, 1.0], [1.0, 0.0, 0.0]]);
    assert_eq!(scene.triangles, [[0, 1, 2], [0, 2, 3]]);
    for is_big in [false, true] {
        assert_eq!(parse(SceneFormat::Ply, &binary(is_big)).unwrap(), scene);
    }
    assert_eq!(read(&text().replace('\n', "\r\n")), scene);
}

#[test]
fn strips_turn_every_other_triangle() {
    let strips = "element tristrips 1\nproperty list int int vertex_indices\nend_header\n";
    let rows = "0 0 0 0 0 1 1 0 0 1 0 1\n8 0 1 2 3 -1 1 2 3\n".replacen("0 0 0 0 0 1", "0 0 0\n0 0 1\n", 1);
    let text = format!(
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n{strips}{rows}"
    );
    assert_eq!(read(&text).triangles, [[0, 1, 2], [2, 1, 3], [1, 2, 3]]);
}

#[test]
fn bad_files_are_refused() {
    let (syntax, range) = (ErrorKind::Syntax, ErrorKind::OutOfRange);
    let changed = |from: &str, to: &str| {
        assert!(text().contains(from), "{from}");
        text().replacen(from, to, 1)
    };
    let cases = [
        ("ply\n".to_string(), syntax, "the header does not end within 4 bytes"),
        ("solid".to_string(), syntax, "a PLY file begins with `ply`"),
        (changed("end_header\n", "end"), syntax, "line 14: a header line that is not understood: `end2`"),
        (changed("format ascii 1.0\n", ""), syntax, "the header has no line `format`"),
        (changed("ascii", "morse"), ErrorKind::Unsupported, "line 2: the encoding `morse` is not known"),
        (changed("double", "half"), ErrorKind::Unsupported, "line 8: the type `half` is not known"),
        (changed("vertex 4", "vertex many"), syntax, "line 6: expected a number of rows, found `many`"),
        (changed("element extra 1\n", ""), syntax, "line 4: a property before the first element"),
        (changed("float x", "float u"), syntax, "the vertices have no property `x`"),
        (
            changed("uint vertex_indices", "uint corners"),
            syntax,
            "the element `face` has no list `vertex_indices`",
        ),
        (
            changed("element vertex", "element face 0\nelement vertex"),
            ErrorKind::Unsupported,
            "the element `face` stands before the vertices",
        ),
        (changed("0.5", "nan"), range, "vertex 2: y is not a number"),
        (changed("0.5", "half"), syntax, "vertex 2 of 4: expected a number, found `half`"),
        (changed("0 1 2 3 7", "0 1 2 4 7"), range, "face 0 of 1: vertex 4, but the file has 4"),
        (changed("0 1 2 3 7", "0 1 2 -1 7"), range, "face 0 of 1: vertex -1, but the file has 4"),
        (changed("0 1 2 3 7", "0 1 2 1.5 7"), syntax, "face 0 of 1: 1.5 is not the number of a vertex"),
        (changed("4 0 1 2 3 7", "-4 0 1 2 3 7"), syntax, "face 0 of 1: a list of -4.0 items"),
        (changed("4 0 1 2 3 7", "4000000000 0 1 2 3 7"), syntax, "face 0 of 1: the file ends here"),
        (changed("face 1", "face 4000000000"), syntax, "face 1 of 4000000000: the file ends here"),
        (
            changed("face 1", "face 0"),
            ErrorKind::Empty,
            "there is not a single triangle (no element `face` with corners)",
        ),
    ];
    for (text, kind, message) in cases {
        check_refused(SceneFormat::Ply, text.as_bytes(), kind, message);
    }
}

#[test]
fn announced_counts_take_neither_memory_nor_time() {
    let empty_rows =
        text().replacen("element extra", "element nothing 18446744073709551615\nelement extra", 1);
    assert_eq!(read(&empty_rows).triangles.len(), 2);
    let bytes = binary(false);
    let body = bytes.split_at(bytes.len() - (5 + 4 * 17 + 18)).1;
    let header = ELEMENTS.replacen("vertex 4", "vertex 4294967295", 1);
    let many = [format!("ply\nformat binary_little_endian 1.0\n{header}").as_bytes(), body].concat();
    let error = parse(SceneFormat::Ply, &many).unwrap_err();
    assert!(error.to_string().ends_with("of 4294967295: the file ends here"), "{error}");
}

#[test]
fn damaged_files_never_panic() {
    check_damaged(SceneFormat::Ply, text().as_bytes());
    check_damaged(SceneFormat::Ply, &binary(false));
    check_damaged(SceneFormat::Ply, &binary(true));
}
