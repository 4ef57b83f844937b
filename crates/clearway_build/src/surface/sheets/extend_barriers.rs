//! Extends ends of barriers that nearly reach a line up to that line.
//!
//! Nobody fits through a crack that is narrower than the weld distance, and soups that were not drawn on one grid are
//! full of such cracks. A wall that ends flush with a floor then leaves no way around it. Ends are extended straight
//! ahead only: extending to lines beside as well would cost the dungeon 37 % more cells. Cost: one look-up in a grid of
//! boxes per loose end.

use crate::surface::tolerances::extend_barriers::{ALONG, BEYOND, FEW};
use clearway_base::parallel::sort_by_place;
use clearway_geometry::Point;
use clearway_geometry::arrangement::Border;
use clearway_geometry::boxes::{Box2, BoxGrid};
use clearway_geometry::predicates::on_segment;

/// Extends every barrier that ends less than `reach` grid units before a line.
pub fn close_ends(borders: &mut [Border], reach: i32) {
    let loose = loose_ends(borders);
    if loose.is_empty() || reach == 0 {
        return;
    }
    let extents: Vec<Box2> = borders.iter().map(|border| Box2::of(&[border.from, border.to])).collect();
    let bins = (loose.len() > FEW).then(|| BoxGrid::of(extents.clone()));
    let mut near = Vec::new();
    for (end, own) in loose {
        near.clear();
        let around = Box2 { min: end, max: end }.grown(reach);
        match &bins {
            Some(bins) => bins.each_touching(&around, |other| near.push(other)),
            None => {
                near.extend((0..).zip(&extents).filter(|(_, e)| e.touches(&around)).map(|(other, _)| other))
            }
        }
        let others =
            || near.iter().map(|other| &borders[*other as usize]).filter(|other| !is_end(other, end));
        // An end that lies on a line already is closed.
        if others().any(|other| on_segment(other.from, other.to, end)) {
            continue;
        }
        let Border { from, to, .. } = borders[own as usize];
        let start = if end == from { to } else { from };
        let ways = others().filter_map(|other| way_on([start, end], other, f64::from(reach)));
        if let Some(way) = ways.min_by(f64::total_cmp) {
            let along = (end.as_vec2() - start.as_vec2()).unit() * (way + BEYOND);
            let led_on = Point::new(end.x + along.x.round() as i32, end.y + along.y.round() as i32);
            let own = &mut borders[own as usize];
            (own.from, own.to) = (start.min(led_on), start.max(led_on));
        }
    }
}

/// Returns ends at which no barrier goes on, each with the longest barrier that ends there.
fn loose_ends(borders: &[Border]) -> Vec<(Point, u32)> {
    let barriers = (0u32..).zip(borders).filter(|(_, border)| border.is_barrier);
    let mut ends: Vec<(Point, u32)> =
        barriers.flat_map(|(number, border)| [(border.from, number), (border.to, number)]).collect();
    sort_by_place(&mut ends, |end| end.0);
    ends.chunk_by(|p, q| p.0 == q.0).filter_map(|same| loose_end(borders, same)).collect()
}

/// Returns the longest of the barriers that end at one point; `None` if another comes from elsewhere. Barriers that
/// come from the same side are triangles of one wall.
fn loose_end(borders: &[Border], same: &[(Point, u32)]) -> Option<(Point, u32)> {
    let way = |(end, number): &(Point, u32)| {
        let Border { from, to, .. } = borders[*number as usize];
        if *end == from { to - from } else { from - to }
    };
    let longest = *same.iter().max_by_key(|end| way(end).dot(way(end)))?;
    let along = way(&longest);
    let comes_along = |end| {
        let way = way(end);
        along.dot(way) > 0 && (along.cross(way) as f64).abs() < ALONG * along.length() * way.length()
    };
    same.iter().all(comes_along).then_some(longest)
}

/// True if a border is a barrier that ends at a point.
fn is_end(border: &Border, at: Point) -> bool {
    border.is_barrier && (border.from == at || border.to == at)
}

/// Returns the distance that a barrier has to go on until it meets a line, if that is within reach.
fn way_on([start, end]: [Point; 2], line: &Border, reach: f64) -> Option<f64> {
    let along = (end.as_vec2() - start.as_vec2()).unit();
    let [from, to] = [line.from, line.to].map(|at| at.as_vec2() - end.as_vec2());
    let turn = along.cross((to - from).unit());
    let [left, right] = [from, to].map(|at| along.cross(at));
    // A line that ends beside the barrier is still met if that is within a unit.
    if turn.abs() < ALONG || left.max(right) < -BEYOND || left.min(right) > BEYOND {
        return None;
    }
    let way = from.cross((to - from).unit()) / turn;
    (0.0..=reach).contains(&way).then_some(way)
}
