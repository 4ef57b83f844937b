//! Narrow places, for people and for programs.

use super::{Table, measure, short_point};
use crate::args::Point;
use clearway::answer::{point_in, point_of};
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

    /// Returns all places of a mesh narrower than `width`, the narrowest first.
    pub fn all(mesh: &NavMesh, width: f64) -> Result<Vec<NarrowAnswer>> {
        let places = Skeleton::build(mesh)?.narrow_places(mesh, width);
        Ok(places.iter().map(|place| NarrowAnswer::of(mesh, place, None)).collect())
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

    /// Returns the list for people.
    pub fn text(list: &[NarrowAnswer], width: f64, is_path: bool) -> String {
        let whose = if is_path { "on the way " } else { "" };
        if list.is_empty() {
            return format!("  no place {whose}is narrower than {width} m\n");
        }
        let mut table = Table::default();
        for place in list.iter().take(MOST_LISTED) {
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
        if list.len() > MOST_LISTED {
            table.row("", list.len() - MOST_LISTED, "more; --json lists all");
        }
        format!("  places {whose}narrower than {width} m: {}\n{}", list.len(), table.text())
    }
}
