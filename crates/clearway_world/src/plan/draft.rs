//! A plan while it is being read: limits, notes and the position in the file in one place.
//!
//! Every reader hands its points and lines to a [`Draft`], so that all formats have the same limits, drop closing
//! points in the same way, and word their notes alike. Shapes belong to named parts; [`assemble`](super::assemble)
//! turns them into a plan by the roles of the parts.

use super::assemble::{self, Habit};
use super::check::{self, Place};
use super::{MAX_POINTS, Plan, PlanOptions, PlanPolygon, PlanRole, Ring};
use clearway_base::error::{Error, ErrorKind, Result};
use std::collections::HashMap;

/// The number of notes of one kind that are shown in full. Further ones are only counted, so that notes stay bounded.
const MAX_SIMILAR_NOTES: usize = 10;

/// A named part of a drawing.
#[derive(Clone, Debug, Default)]
pub(super) struct DraftPart {
    /// The name of its layer, group or kind, with levels parted by `/`; empty where the format has no names.
    pub(super) name: String,
    /// The role that the format itself gives to it.
    pub(super) role: Option<PlanRole>,
    /// True if the name is a title that says nothing about the role.
    pub(super) is_title: bool,
}

impl DraftPart {
    /// The role that the format or the name gives to it.
    pub(super) fn own_role(&self) -> Option<PlanRole> {
        self.role.or_else(|| if self.is_title { None } else { PlanRole::guess(&self.name) })
    }
}

/// The form of a shape.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// An area with holes.
    Polygon(PlanPolygon),
    /// A closed line. Its part decides whether that is an area.
    Ring(Ring),
    /// An open line.
    Line(Vec<[f64; 2]>),
    /// A point, with the width of what stands there, if it is known.
    Dot([f64; 2], Option<f64>),
}

/// A thing that was drawn.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// The index of its part.
    pub(super) part: u32,
    /// Its own name, if it has one.
    pub(super) name: Option<String>,
    /// The index of its set of levels; set 0 holds none.
    pub(super) levels: u32,
    /// True if walls stand along its outline.
    pub(super) is_walled: bool,
    /// Its width in metres, if it is a line that has one.
    pub(super) width: Option<f64>,
    /// Its form.
    pub(super) form: Form,
}

/// A plan under construction.
#[derive(Debug)]
pub(super) struct Draft {
    /// The position of the reader, for messages.
    pub(super) place: Place,
    /// The number of points without area or length that were read and left out.
    pub(super) lone_points: usize,
    /// The number of points that came with more than two numbers.
    pub(super) dropped_ordinates: usize,
    /// The parts so far.
    pub(super) parts: Vec<DraftPart>,
    /// The part of the shapes that are added next.
    pub(super) part: u32,
    /// The name of the shapes that are added next.
    pub(super) name: Option<String>,
    /// True if walls stand along the outlines of the shapes that are added next.
    pub(super) is_walled: bool,
    /// The sets of levels that shapes lie on.
    pub(super) level_sets: Vec<Vec<f64>>,
    /// True if the levels were told by names of layers. Stairs then lead from their level to the next one up.
    pub(super) has_named_levels: bool,
    /// The set of levels of the shapes that are added next.
    pub(super) levels: u32,
    /// Everything drawn so far.
    pub(super) shapes: Vec<Shape>,
    /// The meaning of shapes whose part has no role.
    pub(super) habit: Habit,
    /// True if coordinates are longitudes and latitudes.
    pub(super) is_in_degrees: bool,
    /// True if all that walls enclose is floor where no floor is drawn.
    pub(super) encloses: bool,
    /// The length of the unit in metres, as the file tells it.
    pub(super) unit: f64,
    /// The parts by name and role. Looked up only, never iterated.
    part_of: HashMap<(String, Option<PlanRole>), u32>,
    /// The number of points so far.
    point_count: usize,
    /// The greatest number of points; lower in tests.
    max_points: usize,
    /// The notes by kind.
    notes: Vec<NoteGroup>,
}

impl Draft {
    /// Starts an empty plan.
    pub(super) fn new() -> Draft {
        Draft::with_max_points(MAX_POINTS)
    }

    /// Starts an empty plan with another limit.
    fn with_max_points(max_points: usize) -> Draft {
        Draft {
            place: Place::default(),
            lone_points: 0,
            dropped_ordinates: 0,
            parts: vec![DraftPart::default()],
            part: 0,
            name: None,
            is_walled: false,
            level_sets: vec![Vec::new()],
            has_named_levels: false,
            levels: 0,
            shapes: Vec::new(),
            habit: Habit::AsDrawn,
            is_in_degrees: false,
            encloses: false,
            unit: 1.0,
            part_of: HashMap::new(),
            point_count: 0,
            max_points,
            notes: Vec::new(),
        }
    }

    /// Starts or continues a part: shapes that are added from now on belong to it.
    pub(super) fn enter_part(&mut self, name: &str, role: Option<PlanRole>) {
        if name.is_empty() && role.is_none() {
            self.part = 0;
            return;
        }
        let next = self.parts.len() as u32;
        self.part = *self.part_of.entry((name.to_string(), role)).or_insert(next);
        if self.part == next {
            self.parts.push(DraftPart { name: name.to_string(), role, is_title: false });
        }
    }

    /// Puts the shapes that are added from now on to these levels.
    pub(super) fn enter_levels(&mut self, levels: &[f64]) {
        let known = self.level_sets.iter().position(|set| set == levels);
        self.levels = known.unwrap_or(self.level_sets.len()) as u32;
        if known.is_none() {
            self.level_sets.push(levels.to_vec());
        }
    }

    /// A draft of the same parts and some of the shapes, without notes.
    pub(super) fn copied(&self, is_wanted: impl Fn(&Shape) -> bool) -> Draft {
        Draft {
            parts: self.parts.clone(),
            level_sets: self.level_sets.clone(),
            shapes: self.shapes.iter().filter(|shape| is_wanted(shape)).cloned().collect(),
            habit: self.habit,
            encloses: self.encloses,
            unit: self.unit,
            ..Draft::with_max_points(self.max_points)
        }
    }

    /// Adds a shape to the present part.
    pub(super) fn add(&mut self, form: Form) {
        let (part, name, levels, is_walled) = (self.part, self.name.clone(), self.levels, self.is_walled);
        self.shapes.push(Shape { part, name, levels, is_walled, width: None, form });
    }

    /// Appends a point to a line being read, after checking its range and the number of points.
    pub(super) fn push_point(&mut self, line: &mut Vec<[f64; 2]>, point: [f64; 2]) -> Result<()> {
        self.point_count += 1;
        if self.point_count > self.max_points {
            return Err(check::too_many_points(self.max_points));
        }
        if let Some(fault) = check::point_fault(point) {
            self.place.enter("point", line.len());
            return Err(self.error(ErrorKind::OutOfRange, &fault));
        }
        line.push(point);
        Ok(())
    }

    /// Adds a polygon given as outline and holes; `rings` may be empty.
    pub(super) fn add_polygon(&mut self, rings: Vec<Ring>) {
        let mut rings = rings.into_iter().enumerate();
        let Some((_, outline)) = rings.next() else { return };
        let outline = opened(outline);
        if outline.len() < 3 {
            self.note_short_ring(0, outline.len(), "left out with the whole polygon");
            return;
        }
        let mut holes = Vec::new();
        for (index, hole) in rings {
            let hole = opened(hole);
            if hole.len() < 3 {
                self.note_short_ring(index, hole.len(), "left out");
            } else {
                holes.push(hole);
            }
        }
        self.add(Form::Polygon(PlanPolygon { outline, holes }));
    }

    /// Adds a ring without a role; `index` is its number in the file.
    pub(super) fn add_ring(&mut self, index: usize, ring: Ring) {
        let ring = opened(ring);
        if ring.len() < 3 {
            self.note_short_ring(index, ring.len(), "left out");
        } else {
            self.add(Form::Ring(ring));
        }
    }

    /// Adds an open polyline; its ends may coincide.
    pub(super) fn add_wall(&mut self, points: Vec<[f64; 2]>) {
        if points.len() < 2 {
            let count = points_text(points.len());
            self.note("walls with fewer than 2 points", |place| {
                place.describe(format_args!("a wall of only {count}, left out"))
            });
        } else {
            self.add(Form::Line(points));
        }
    }

    /// Adds a note about the file; `kind` is a plural that completes "and 12 more …".
    pub(super) fn note(&mut self, kind: &'static str, text: impl FnOnce(&Place) -> String) {
        let Some(group) = self.notes.iter_mut().find(|group| group.kind == kind) else {
            self.notes.push(NoteGroup { kind, shown: vec![text(&self.place)], hidden: 0 });
            return;
        };
        if group.shown.len() < MAX_SIMILAR_NOTES {
            group.shown.push(text(&self.place));
        } else {
            group.hidden += 1;
        }
    }

    /// An error at the present position.
    pub(super) fn error(&self, kind: ErrorKind, message: &str) -> Error {
        Error::new(kind, self.place.describe(message))
    }

    /// Returns the plan as drawn, with its notes in words.
    #[cfg(test)]
    pub(super) fn finish(self) -> Plan {
        self.finish_with(&PlanOptions::default()).unwrap_or_default()
    }

    /// Returns the plan that the options make of the drawing, with its notes in words.
    pub(super) fn finish_with(mut self, options: &PlanOptions) -> Result<Plan> {
        let notes = self.take_notes();
        let mut plan = assemble::plan(self, options)?;
        plan.notes.splice(0..0, notes);
        Ok(plan)
    }

    /// Takes the notes in words.
    pub(super) fn take_notes(&mut self) -> Vec<String> {
        if self.lone_points > 0 {
            let count = points_text(self.lone_points);
            self.note("lone points", |_| format!("{count} drawn alone, neither floor nor wall: left out"));
        }
        if self.dropped_ordinates > 0 {
            let count = points_text(self.dropped_ordinates);
            self.note("extra ordinates", |_| {
                format!("{count} with more than x and y (Z, M): only x and y are used")
            });
        }
        std::mem::take(&mut self.notes).into_iter().flat_map(NoteGroup::into_lines).collect()
    }

    /// Notes a ring with too few points to have an area.
    fn note_short_ring(&mut self, index: usize, len: usize, consequence: &str) {
        self.place.enter("ring", index);
        self.note("rings with fewer than 3 points", |place| {
            place.describe(format_args!("only {}, {consequence}", points_text(len)))
        });
        self.place.leave();
    }
}

/// Notes of one kind: the first few in full, the rest counted.
#[derive(Debug)]
struct NoteGroup {
    /// A plural that completes "and 12 more …".
    kind: &'static str,
    /// The first notes in full.
    shown: Vec<String>,
    /// The number of further notes.
    hidden: usize,
}

impl NoteGroup {
    /// The notes in words, with a last line for the hidden ones.
    fn into_lines(self) -> impl Iterator<Item = String> {
        let rest = (self.hidden > 0).then(|| format!("… and {} more {}", self.hidden, self.kind));
        self.shown.into_iter().chain(rest)
    }
}

/// The ring without a repetition of its first point at its end.
pub(super) fn opened(mut ring: Ring) -> Ring {
    while ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    ring
}

/// `1 point` or `7 points`.
fn points_text(count: usize) -> String {
    if count == 1 { "1 point".to_string() } else { format!("{count} points") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_points_are_dropped() {
        let cases: [(&[[f64; 2]], usize); 5] = [
            (&[], 0),
            (&[[1.0, 1.0]], 1),
            (&[[0.0, 0.0], [-0.0, 0.0]], 1),
            (&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [0.0, 0.0]], 3),
            (&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], 3),
        ];
        for (ring, len) in cases {
            assert_eq!(opened(ring.to_vec()).len(), len, "{ring:?}");
        }
    }

    #[test]
    fn similar_notes_are_summarised() {
        let mut draft = Draft::new();
        for index in 0..25 {
            draft.add_ring(index, vec![[0.0, 0.0], [1.0, 0.0]]);
        }
        draft.add_wall(vec![[0.0, 0.0]]);
        let notes = draft.finish().notes;
        assert_eq!(notes.len(), 12);
        assert_eq!(notes[0], "ring 0: only 2 points, left out");
        assert_eq!(notes[10], "… and 15 more rings with fewer than 3 points");
        assert_eq!(notes[11], "a wall of only 1 point, left out");
    }

    #[test]
    fn a_polygon_stands_and_falls_with_its_outline() {
        let fine = vec![[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]];
        let short = vec![[1.0, 1.0], [2.0, 1.0], [1.0, 1.0]];
        let mut draft = Draft::new();
        draft.add_polygon(vec![fine.clone(), short.clone(), fine.clone()]);
        draft.add_polygon(vec![short, fine.clone()]);
        draft.add_polygon(vec![]);
        let plan = draft.finish();
        assert_eq!(plan.polygons, [PlanPolygon { outline: fine.clone(), holes: vec![fine] }]);
        assert_eq!(
            plan.notes,
            ["ring 1: only 2 points, left out", "ring 0: only 2 points, left out with the whole polygon"]
        );
    }

    #[test]
    fn points_are_limited_while_reading() {
        let mut draft = Draft::with_max_points(3);
        let mut line = Vec::new();
        for _ in 0..3 {
            draft.push_point(&mut line, [0.0, 0.0]).unwrap();
        }
        let error = draft.push_point(&mut line, [0.0, 0.0]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TooLarge);
        assert_eq!(error.to_string(), "the plan has more than 3 points, the limit");
    }

    #[test]
    fn bad_points_are_named() {
        let mut draft = Draft::new();
        draft.place.enter("polygon", 2);
        draft.place.enter("ring", 1);
        let error = draft.push_point(&mut vec![[0.0; 2]; 17], [0.0, f64::NAN]).unwrap_err();
        assert_eq!(error.to_string(), "polygon 2, ring 1, point 17: y is not a number");
    }
}
