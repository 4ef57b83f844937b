//! A scene while it is being read: axes, units, limits, parts and notes in one place.
//!
//! Every reader hands its vertices, polygons and parts to a [`Draft`], so that all formats have the same limits and
//! word their messages alike.
//!
//! Invariant: memory grows with what the file really holds, never with what it announces.

use std::collections::HashMap;

use super::notes::Notes;
use super::polygon::{self, Cut, MAX_CROSSINGS};
use super::{GROUND, MAX_FACE_CORNERS, Part, Scene, SceneOptions, check};
use clearway_base::error::{Error, ErrorKind, Result};

/// The maximum total length of all names of parts, in bytes (256 MiB). Nested names repeat those of their parents, so
/// a small file could ask for far more.
const MAX_NAME_BYTES: usize = 256 << 20;

/// A scene under construction.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    /// Axes, unit and limits.
    options: &'a SceneOptions,
    /// Notes for the report.
    pub(super) notes: Notes,
    /// Everything read so far.
    scene: Scene,
    /// The total length of all names of parts so far.
    name_bytes: usize,
    /// The part that was entered last.
    part: u32,
    /// The number of each part by name and material. Looked up only, never iterated: the order of a map must not
    /// reach a result.
    part_numbers: HashMap<(String, String), u32>,
    /// Cuts polygons into triangles.
    cutter: polygon::Cutter,
}

impl<'a> Draft<'a> {
    /// Starts an empty scene.
    pub(super) fn new(options: &'a SceneOptions) -> Draft<'a> {
        Draft {
            options,
            notes: Notes::default(),
            scene: Scene::default(),
            name_bytes: 0,
            part: 0,
            part_numbers: HashMap::new(),
            cutter: polygon::Cutter::default(),
        }
    }

    /// The options of the reader.
    pub(super) fn options(&self) -> &'a SceneOptions {
        self.options
    }

    /// The number of vertices, which is the index of the next one.
    pub(super) fn vertex_count(&self) -> usize {
        self.scene.vertices.len()
    }

    /// The number of triangles, which is the index of the next one.
    pub(super) fn triangle_count(&self) -> usize {
        self.scene.triangles.len()
    }

    /// Adds a vertex in the axes and units of the file. `name` describes it for a message.
    pub(super) fn add_vertex(&mut self, place: [f64; 3], name: impl FnOnce() -> String) -> Result<u32> {
        let place = self.options.world(place);
        if let Some(fault) = check::place_fault(place) {
            return Err(Error::new(ErrorKind::OutOfRange, format!("{}: {fault}", name())));
        }
        let number = u32::try_from(self.scene.vertices.len()).ok().filter(|number| *number < u32::MAX);
        let number = number.ok_or_else(|| {
            let message = format!("{}: there are more than {} vertices, the limit", name(), u32::MAX);
            Error::new(ErrorKind::TooLarge, message)
        })?;
        self.scene.vertices.push(place);
        Ok(number)
    }

    /// Makes this the part of all triangles that follow. Equal names and materials give one part.
    pub(super) fn enter_part(&mut self, name: &str, material: &str) -> Result<()> {
        // Files switch between parts often; the same name and material must not give a new part each time.
        let key = (name.to_string(), material.to_string());
        if let Some(number) = self.part_numbers.get(&key) {
            self.part = *number;
            return Ok(());
        }
        self.name_bytes = self.name_bytes.saturating_add(name.len() + material.len());
        if self.name_bytes > MAX_NAME_BYTES {
            let message = format!("the names of all parts have more than {MAX_NAME_BYTES} bytes, the limit");
            return Err(Error::new(ErrorKind::TooLarge, message));
        }
        // Each part takes some bytes of the file, so their number fits.
        self.part = u32::try_from(self.scene.parts.len()).unwrap_or(u32::MAX);
        self.part_numbers.insert(key, self.part);
        self.scene.parts.push(Part { name: name.to_string(), material: material.to_string(), area: 0 });
        Ok(())
    }

    /// Adds a triangle of vertices that exist to the part entered last.
    pub(super) fn add_triangle(&mut self, corners: [u32; 3]) -> Result<()> {
        if self.scene.parts.is_empty() {
            self.enter_part("", "")?;
        }
        if self.scene.triangles.len() >= self.options.max_triangles {
            let limit = self.options.max_triangles;
            return Err(check::too_many_triangles(format_args!("more than {limit}"), limit));
        }
        self.scene.triangles.push(corners);
        self.scene.part_of.push(self.part);
        Ok(())
    }

    /// Adds a polygon of vertices that exist, cut into triangles. `name` describes it for messages.
    pub(super) fn add_polygon(&mut self, corners: &[u32], name: impl Fn() -> String) -> Result<()> {
        match corners {
            &[a, b, c] => return self.add_triangle([a, b, c]),
            [] | [_] | [_, _] => {
                let count = corners.len();
                self.notes.add("faces with fewer than 3 corners", || {
                    format!("{}: a face of {count} corners, left out", name())
                });
                return Ok(());
            }
            _ => {}
        }
        if corners.len() > MAX_FACE_CORNERS {
            let message =
                format!("{}: a face of {} corners; the limit is {MAX_FACE_CORNERS}", name(), corners.len());
            return Err(Error::new(ErrorKind::TooLarge, message));
        }
        let mut cutter = std::mem::take(&mut self.cutter);
        match cutter.cut(&self.scene.vertices, corners) {
            Cut::Simple => {}
            Cut::Crossing => self.notes.add("faces that cross themselves", || {
                format!("{}: the face crosses itself or has no area, cut up as it comes", name())
            }),
            Cut::Tangled => self.notes.add("tangled faces", || {
                let face = format!("{}: a face of {} corners", name(), corners.len());
                format!("{face} crosses itself more than {MAX_CROSSINGS} times, the limit: left out")
            }),
        }
        let added = cutter.triangles().iter().try_for_each(|triangle| self.add_triangle(*triangle));
        self.cutter = cutter;
        added
    }

    /// Refuses an announced number of triangles before memory is taken for them.
    pub(super) fn check_announced(&self, triangles: u64) -> Result<()> {
        let limit = self.options.max_triangles;
        if triangles > limit as u64 { Err(check::too_many_triangles(triangles, limit)) } else { Ok(()) }
    }

    /// Returns the scene, with its notes in words. Fails if it has no triangle.
    pub(super) fn finish(mut self) -> Result<Scene> {
        if self.scene.triangles.is_empty() {
            let notes = self.notes.into_lines();
            let error = check::no_triangles();
            return Err(match notes.first() {
                Some(note) => Error::new(error.kind(), format!("{error} ({note})")),
                None => error,
            });
        }
        if self.options.flip {
            self.scene.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
        self.scene.areas = vec![GROUND.to_string()];
        self.scene.notes = self.notes.into_lines();
        Ok(self.scene)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_are_turned_over_on_demand() {
        for (flip, expected) in [(false, [0, 1, 2]), (true, [0, 2, 1])] {
            let options = SceneOptions::default().flip(flip);
            let file = b"v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\n";
            let scene = Scene::parse(super::super::SceneFormat::Obj, file, &options).unwrap();
            assert_eq!(scene.triangles, [expected]);
        }
    }

    #[test]
    fn parts_are_kept_once() {
        let options = SceneOptions::default();
        let mut draft = Draft::new(&options);
        for _ in 0..3 {
            draft.add_vertex([0.0; 3], String::new).unwrap();
        }
        for (name, material) in [("a", ""), ("b", "wood"), ("a", ""), ("a", "wood")] {
            draft.enter_part(name, material).unwrap();
            draft.add_triangle([0, 1, 2]).unwrap();
        }
        let scene = draft.finish().unwrap();
        assert_eq!(scene.part_of, [0, 1, 0, 2]);
        assert_eq!(scene.areas, ["ground"]);
        assert_eq!(scene.validate(), Ok(()));
    }

    #[test]
    fn too_many_triangles_and_corners_are_refused() {
        let options = SceneOptions::default().max_triangles(1);
        let mut draft = Draft::new(&options);
        draft.add_vertex([0.0; 3], String::new).unwrap();
        draft.add_triangle([0; 3]).unwrap();
        let error = draft.add_triangle([0; 3]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the scene has more than 1 triangles; the limit is 1 (--max-triangles raises it)"
        );
        let error = draft.add_polygon(&vec![0; MAX_FACE_CORNERS + 1], || "face 7".to_string()).unwrap_err();
        assert_eq!(error.to_string(), "face 7: a face of 10001 corners; the limit is 10000");
        assert_eq!(error.kind(), ErrorKind::TooLarge);
        assert_eq!(draft.check_announced(2).unwrap_err().kind(), ErrorKind::TooLarge);
    }
}
