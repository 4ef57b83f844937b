//! Ends of barriers that nearly reach something are led on to it: nobody fits through a crack that is narrower than what
//! corners are welded by, and soups that were not drawn on one grid are full of them.

use super::bins::{Bins, Extent};
use clearway_geometry::arrangement::Border;
use clearway_geometry::predicates::on_segment;
use clearway_geometry::{Point, Vec2};

/// How far beyond a line an end is led so that rounding does not leave it short, in grid units.
const BEYOND: f64 = 2.0;

/// Adds barriers from loose ends to everything within reach.
pub fn close_ends(borders: &mut Vec<Border>, reach: i32) {
    let loose = loose_ends(borders);
    if loose.is_empty() || reach == 0 {
        return;
    }
    let bins = Bins::of(borders.iter().map(|border| Extent::of(&[border.from, border.to])).collect());
    let mut fresh = Vec::new();
    let mut near = Vec::new();
    for (end, own) in loose {
        near.clear();
        bins.each_touching(&Extent { min: end, max: end }.grown(reach), |other| near.push(other));
        let others = || near.iter().filter(|other| **other != own).map(|other| &borders[*other as usize]);
        if others().any(|other| on_segment(other.from, other.to, end)) {
            continue;
        }
        for other in others() {
            if let Some(to) = led_on(end, other, f64::from(reach)) {
                let (from, to) = (end.min(to), end.max(to));
                fresh.push(Border { from, to, ..borders[own as usize] });
            }
        }
    }
    borders.extend(fresh);
}

/// Ends at which no other barrier ends, and the barriers that end there.
fn loose_ends(borders: &[Border]) -> Vec<(Point, u32)> {
    let barriers = (0u32..).zip(borders).filter(|(_, border)| border.is_barrier);
    let mut ends: Vec<(Point, u32)> =
        barriers.flat_map(|(number, border)| [(border.from, number), (border.to, number)]).collect();
    ends.sort_unstable();
    ends.chunk_by(|p, q| p.0 == q.0).filter(|same| same.len() == 1).map(|same| same[0]).collect()
}

/// Where an end has to go on to in order to meet a line, if that is within reach.
fn led_on(end: Point, line: &Border, reach: f64) -> Option<Point> {
    let near = [line.from, line.to].into_iter().find(|corner| corner.distance(end) <= reach);
    if near.is_some() {
        return near;
    }
    let (along, off) = (line.to - line.from, end - line.from);
    let (ahead, whole) = (along.dot(off) as f64, along.dot(along) as f64);
    let aside = along.cross(off) as f64 / whole.sqrt();
    if ahead <= 0.0 || ahead >= whole || aside.abs() > reach {
        return None;
    }
    let across = Vec2::new(along.y as f64, -along.x as f64).unit() * (aside + BEYOND.copysign(aside));
    Some(Point::new(end.x + across.x.round() as i32, end.y + across.y.round() as i32))
}
