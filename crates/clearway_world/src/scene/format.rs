//! The formats of scene files, and the choice of a reader for a file.

use std::fmt;
use std::path::Path;

use super::draft::Draft;
use super::{MAX_FILE_BYTES, Scene, SceneOptions, gltf, obj, ply, stl};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file;

/// A format of scene files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SceneFormat {
    /// glTF 2.0 as JSON, with buffers inside or in files beside it. `.gltf`
    Gltf,
    /// glTF 2.0 in one binary file. `.glb`
    Glb,
    /// Wavefront objects: polygons in groups. `.obj`
    Obj,
    /// Stereolithography, as text or binary. `.stl`
    Stl,
    /// Stanford polygons, as text or binary. `.ply`
    Ply,
}

/// File extensions in lower case, each with its format.
const EXTENSIONS: [(&str, SceneFormat); 5] = [
    ("gltf", SceneFormat::Gltf),
    ("glb", SceneFormat::Glb),
    ("obj", SceneFormat::Obj),
    ("stl", SceneFormat::Stl),
    ("ply", SceneFormat::Ply),
];

impl SceneFormat {
    /// The format that a file's extension stands for, in any case of letters.
    pub fn from_path(path: impl AsRef<Path>) -> Result<SceneFormat> {
        file::format_of(path.as_ref(), "scene", &EXTENSIONS)
    }
}

impl fmt::Display for SceneFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SceneFormat::Gltf => "glTF",
            SceneFormat::Glb => "binary glTF",
            SceneFormat::Obj => "OBJ",
            SceneFormat::Stl => "STL",
            SceneFormat::Ply => "PLY",
        })
    }
}

/// Reads a file; errors do not name it yet.
pub(super) fn load(path: &Path, options: &SceneOptions) -> Result<Scene> {
    let format = SceneFormat::from_path(path)?;
    let bytes = file::read_filled(path, "file", MAX_FILE_BYTES)?;
    // The folder of `town.gltf` is the empty path; joined with a file name it gives that name.
    let folder = path.parent().unwrap_or(Path::new(""));
    parse(format, &bytes, Some(folder), options)
}

/// Reads bytes. Other files are read only if a folder is given.
pub(super) fn parse(
    format: SceneFormat,
    bytes: &[u8],
    folder: Option<&Path>,
    options: &SceneOptions,
) -> Result<Scene> {
    options.validate()?;
    let is_gltf = matches!(format, SceneFormat::Gltf | SceneFormat::Glb);
    if options.scene.is_some() && !is_gltf {
        let message = format!("a scene of the file is chosen, but {format} files hold only one");
        return Err(Error::new(ErrorKind::Options, message));
    }
    let mut draft = Draft::new(options);
    match format {
        SceneFormat::Gltf | SceneFormat::Glb => gltf::read(bytes, folder, &mut draft)?,
        SceneFormat::Obj => obj::read(&String::from_utf8_lossy(bytes), &mut draft)?,
        SceneFormat::Stl => stl::read(bytes, &mut draft)?,
        SceneFormat::Ply => ply::read(bytes, &mut draft)?,
    }
    draft.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_scenes::Scratch;
    use std::fs::File;

    #[test]
    fn extensions_choose_formats_in_any_case() {
        let cases = [
            ("a.gltf", SceneFormat::Gltf),
            ("a.b.GLB", SceneFormat::Glb),
            ("dir.stl/a.Obj", SceneFormat::Obj),
            ("a.stl", SceneFormat::Stl),
            ("a.PLY", SceneFormat::Ply),
        ];
        for (path, format) in cases {
            assert_eq!(SceneFormat::from_path(path), Ok(format), "{path}");
        }
        let error = SceneFormat::from_path("a.fbx").unwrap_err();
        let message =
            "the extension `.fbx` is not a known scene format; known are .gltf, .glb, .obj, .stl, .ply";
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Unsupported, message));
    }

    #[test]
    fn files_that_cannot_be_scenes_are_refused_by_name() {
        let scratch = Scratch::new("scene_format");
        let cases: [(&str, &[u8], ErrorKind, &str); 3] = [
            ("empty.obj", b"", ErrorKind::Empty, "the file is empty"),
            ("blank.obj", b"# nothing\n", ErrorKind::Empty, "there is not a single triangle"),
            ("scene.fbx", b"Kaydara", ErrorKind::Unsupported, "known are .gltf"),
        ];
        for (name, bytes, kind, message) in cases {
            let path = scratch.write(name, bytes);
            let error = Scene::load(&path).unwrap_err();
            assert_eq!(error.kind(), kind, "{name}");
            assert!(error.to_string().contains(message), "{error}");
            assert!(error.to_string().contains(name), "{error}");
        }
        let error = Scene::load(scratch.path("missing.glb")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        std::fs::create_dir_all(scratch.path("folder.obj")).unwrap();
        let error = Scene::load(scratch.path("folder.obj")).unwrap_err();
        assert!(error.to_string().ends_with("is a directory, not a file"), "{error}");
    }

    #[test]
    fn large_files_are_refused_before_they_are_read() {
        let scratch = Scratch::new("scene_size");
        let path = scratch.write("large.obj", b"");
        File::options().write(true).open(&path).unwrap().set_len(MAX_FILE_BYTES + 1).unwrap();
        let error = Scene::load(&path).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TooLarge);
        assert!(error.to_string().contains("the limit is 4294967296"), "{error}");
    }

    #[test]
    fn only_gltf_files_hold_scenes_to_choose_from() {
        let options = SceneOptions::default().scene(Some(1.into()));
        let error = Scene::parse(SceneFormat::Obj, b"", &options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Options);
        assert_eq!(error.to_string(), "a scene of the file is chosen, but OBJ files hold only one");
    }
}
