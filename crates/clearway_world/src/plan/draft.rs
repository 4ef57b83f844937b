//! A plan while it is being read: limits, notes and the position in the file in one place.
//!
//! Every reader hands its points and lines to a [`Draft`], so that all formats have the same limits, drop closing
//! points in the same way, and word their notes alike.

use super::check::{self, Place};
use super::{MAX_POINTS, Plan, PlanPolygon, Ring};
use clearway_base::error::{Error, ErrorKind, Result};

/// The number of notes of one kind that are shown in full. Further ones are only counted, so that notes stay bounded.
const MAX_SIMILAR_NOTES: usize = 10;

/// A plan under construction.
#[derive(Debug)]
pub(super) struct Draft {
    /// The position of the reader, for messages.
    pub(super) place: Place,
    /// The number of points without area or length that were read and left out.
    pub(super) lone_points: usize,
    /// The number of points that came with more than two numbers.
    pub(super) dropped_ordinates: usize,
    /// Everything read so far.
    plan: Plan,
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
            plan: Plan::default(),
            point_count: 0,
            max_points,
            notes: Vec::new(),
        }
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
        self.plan.polygons.push(PlanPolygon { outline, holes });
    }

    /// Adds a ring without a role; `index` is its number in the file.
    pub(super) fn add_ring(&mut self, index: usize, ring: Ring) {
        let ring = opened(ring);
        if ring.len() < 3 {
            self.note_short_ring(index, ring.len(), "left out");
        } else {
            self.plan.rings.push(ring);
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
            self.plan.walls.push(points);
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

    /// Returns the plan, with its notes in words.
    pub(super) fn finish(mut self) -> Plan {
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
        self.plan.notes = self.notes.into_iter().flat_map(NoteGroup::into_lines).collect();
        self.plan
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
