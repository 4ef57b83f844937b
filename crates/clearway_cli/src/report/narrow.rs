//! Narrow places, for people and for programs.

use super::{Table, measure, short_point};
use crate::args::{Point, Widths};
use clearway::answer::{point_in, point_of, short};
use clearway::path::Leg;
use clearway::query::in_world;
use clearway::skeleton::{NarrowPlace, Passage, Skeleton};
use clearway::{NavMesh, Path, Result};
use serde::Serialize;

/// The number of places listed for people; `--json` lists all.
const MOST_LISTED: usize = 50;
/// The greatest distance in metres between arcs of a path and the lines by which places on it are found.
const FINE: f64 = 0.01;

/// A narrow place. Lengths are in metres.
#[derive(Debug, Serialize)]
pub struct NarrowAnswer {
    /// The distance between the walls.
    pub width: f64,
    /// The middle between them.
    pub at: Point,
    /// The nearest points of both walls.
    pub walls: [Point; 2],
    /// `through`, `dead_end`, or `closed` if the whole piece is narrow.
    pub passage: &'static str,
    /// The distance along the path, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub along: Option<f64>,
}

impl NarrowAnswer {
    fn of(mesh: &NavMesh, place: &NarrowPlace, along: Option<f64>) -> NarrowAnswer {
        let height = mesh.place(place.at)[1];
        NarrowAnswer {
            width: place.width,
            at: point_of(mesh, place.at),
            walls: place.walls.map(|wall| point_in(mesh, in_world(wall, height))),
            passage: match place.passage {
                Passage::Through => "through",
                Passage::DeadEnd => "dead_end",
                Passage::Closed => "closed",
            },
            along,
        }
    }

    /// Returns all places of a mesh of these widths, the narrowest first.
    pub fn all(mesh: &NavMesh, widths: Widths) -> Result<Vec<NarrowAnswer>> {
        let places = Skeleton::build(mesh)?.narrow_places(mesh, widths.below);
        let places = places.iter().filter(|place| place.width >= widths.from);
        Ok(places.map(|place| NarrowAnswer::of(mesh, place, None)).collect())
    }

    /// Returns the places narrower than `width` through which a path leads, in the order of the path.
    pub fn along(mesh: &NavMesh, path: &Path, width: f64) -> Result<Vec<NarrowAnswer>> {
        let places = Skeleton::build(mesh)?.narrow_places(mesh, width);
        let (mut found, mut before) = (Vec::new(), 0.0);
        for leg in path.legs() {
            let Leg::Walk(walk) = leg else { continue };
            let line = walk.points_in_space(mesh, FINE);
            let passed = |place: &NarrowPlace| {
                let along = place.passed_by(mesh, &line)?;
                Some(NarrowAnswer::of(mesh, place, Some(before + along)))
            };
            found.extend(places.iter().filter_map(passed));
            before += walk.length;
        }
        let key = |answer: &NarrowAnswer| answer.along.unwrap_or(0.0);
        found.sort_by(|p, q| key(p).total_cmp(&key(q)));
        Ok(found)
    }

    /// Returns the list of all places for people, the widest first: those are doors, the others cracks. A long list begins
    /// with the number of places for each width.
    pub fn all_text(list: &[NarrowAnswer], widths: Widths) -> String {
        let [from, below] = [widths.from, widths.below].map(short);
        let range =
            if widths.from > 0.0 { format!("{from} m to {below} m wide") } else { below_text(&below) };
        if list.is_empty() {
            return format!("  no place is {range}\n");
        }
        let counts = if list.len() > MOST_LISTED { counts(list, widths) } else { String::new() };
        format!("  places {range}: {}\n{counts}{}", list.len(), rows(list.iter().rev(), list.len()))
    }

    /// Returns the list of places on a way for people, in the order of the way.
    pub fn way_text(list: &[NarrowAnswer], width: f64) -> String {
        let range = below_text(&short(width));
        if list.is_empty() {
            return format!("  no place on the way is {range}\n");
        }
        format!("  places on the way {range}: {}\n{}", list.len(), rows(list.iter(), list.len()))
    }
}

/// Returns the words for all widths below one.
fn below_text(width: &str) -> String {
    format!("narrower than {width} m")
}

/// Returns a row for each of the first places.
fn rows<'a>(places: impl Iterator<Item = &'a NarrowAnswer>, count: usize) -> String {
    let mut table = Table::default();
    for place in places.take(MOST_LISTED) {
        let [a, b] = place.walls.map(short_point);
        let along = place.along.map(|along| format!("after {} m ", measure(along))).unwrap_or_default();
        let kind = match place.passage {
            "dead_end" => ", a dead end",
            "closed" => ", all of its piece",
            _ => "",
        };
        let at = short_point(place.at);
        table.row("narrow", measure(place.width), format!("m {along}at {at}, between {a} and {b}{kind}"));
    }
    if count > MOST_LISTED {
        table.row("", count - MOST_LISTED, "more; --json lists all");
    }
    table.text()
}

/// Returns how many places there are for each width: a line for each fifth of the range that has some.
fn counts(list: &[NarrowAnswer], widths: Widths) -> String {
    let mut table = Table::default();
    let end = |number: u32| widths.from + (widths.below - widths.from) * f64::from(number) / 5.0;
    for number in 0..5 {
        let [low, high] = [end(number), end(number + 1)];
        let count = list.iter().filter(|place| place.width >= low && place.width < high).count();
        if count > 0 {
            table.row("places", count, format!("from {} m to {} m", measure(low), measure(high)));
        }
    }
    table.text()
}
