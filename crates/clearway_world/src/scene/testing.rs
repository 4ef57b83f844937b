//! What the tests of the readers share.

use super::{Scene, SceneFormat, SceneOptions};
use clearway_base::error::{ErrorKind, Result};

/// Reads bytes with a low limit of triangles.
pub(super) fn parse(format: SceneFormat, bytes: &[u8]) -> Result<Scene> {
    Scene::parse(format, bytes, &SceneOptions::default().max_triangles(100_000))
}

/// Checks that bytes are refused with this kind and exactly this message.
pub(super) fn check_refused(format: SceneFormat, bytes: &[u8], kind: ErrorKind, message: &str) {
    let shown = || String::from_utf8_lossy(&bytes[..bytes.len().min(400)]).into_owned();
    match parse(format, bytes) {
        Ok(scene) => panic!("{} was read as {scene:?}", shown()),
        Err(error) => assert_eq!((error.to_string().as_str(), error.kind()), (message, kind), "{}", shown()),
    }
}

/// Reads every beginning of a file, and the file with each byte damaged: nothing may panic, and whatever is read
/// must be valid.
pub(super) fn check_damaged(format: SceneFormat, bytes: &[u8]) {
    for end in 0..=bytes.len() {
        check_harmless(format, &bytes[..end]);
    }
    for position in 0..bytes.len() {
        for damage in
            [&b""[..], b"\0", b"\xff", b"\x7f", b"9", b"-", b",", b"#", b"\n", b"e", b"[", b"\"", b" "]
        {
            let damaged = [&bytes[..position], damage, &bytes[position + 1..]].concat();
            check_harmless(format, &damaged);
        }
    }
}

fn check_harmless(format: SceneFormat, bytes: &[u8]) {
    if let Ok(scene) = parse(format, bytes) {
        assert_eq!(scene.validate(), Ok(()), "{}", String::from_utf8_lossy(bytes));
    }
}
