//! Which of all possible leaps become links: few, and only where they help.
//!
//! Jumps come before drops, short ones before long ones. A leap is left out if a link near it already joins the same
//! pieces of the mesh in the same direction, or if walking takes no more than a few times its length. Of leaps that
//! were not worth it, those nearby are taken to be no better, so that walks are searched for at few places only.

use super::JumpRules;
use super::ledges::{Leap, Spot};
use crate::mesh::{LinkKind, NavMesh};
use crate::path::{PathQuery, SearchSpace};
use clearway_geometry::Vec2;
use std::collections::BTreeMap;

/// The leaps that become links, in the order in which they were found.
pub(super) fn choose(mesh: &NavMesh, leaps: Vec<Leap>, rules: &JumpRules, most: usize) -> Vec<Leap> {
    let mut order: Vec<usize> = (0..leaps.len()).collect();
    // Lengths in centimetres: what differs by less depends on where samples happened to lie.
    let rank = |leap: &Leap| (leap.kind == LinkKind::Drop, (leap.length * 100.0).round() as i64);
    order.sort_by(|p, q| {
        let [one, other] = [&leaps[*p], &leaps[*q]];
        rank(one).cmp(&rank(other)).then(one.aside.total_cmp(&other.aside)).then(p.cmp(q))
    });
    let mut kept = Crowd::new(mesh, rules.spacing);
    let mut refused = Crowd::new(mesh, 0.5 * rules.spacing);
    let mut chosen = Vec::new();
    let mut space = SearchSpace::new();
    for number in order {
        let leap = &leaps[number];
        if chosen.len() >= most {
            break;
        }
        if kept.serves(&leaps, leap) || refused.serves(&leaps, leap) {
            continue;
        }
        if helps(mesh, leap, rules, &mut space) {
            kept.add(&leaps, number);
            chosen.push(number);
        } else {
            refused.add(&leaps, number);
        }
    }
    chosen.sort_unstable();
    chosen.into_iter().map(|number| leaps[number].clone()).collect()
}

/// Whether walking takes much longer, or does not lead there.
fn helps(mesh: &NavMesh, leap: &Leap, rules: &JumpRules, space: &mut SearchSpace) -> bool {
    let component = |spot: &Spot| mesh.cell_component[spot.cell as usize];
    if component(&leap.from) != component(&leap.to) {
        return true;
    }
    let [start, goal] = [leap.from, leap.to].map(|spot| spot.location(mesh));
    let query = PathQuery { radius: rules.radius, ..PathQuery::new(start, goal) };
    mesh.find_path_with(&query, space).map_or(true, |path| path.length > rules.detour * leap.length)
}

/// Leaps, found by where they start and end.
struct Crowd<'a> {
    mesh: &'a NavMesh,
    /// In grid units.
    spacing: f64,
    /// The leaps that start or end in each square.
    squares: BTreeMap<[i64; 2], Vec<usize>>,
}

impl<'a> Crowd<'a> {
    fn new(mesh: &'a NavMesh, spacing: f64) -> Crowd<'a> {
        Crowd { mesh, spacing: spacing / mesh.unit(), squares: BTreeMap::new() }
    }

    fn square(&self, at: Vec2) -> [i64; 2] {
        [at.x, at.y].map(|c| (c / self.spacing).floor() as i64)
    }

    fn add(&mut self, leaps: &[Leap], number: usize) {
        for spot in [leaps[number].from, leaps[number].to] {
            self.squares.entry(self.square(spot.at)).or_default().push(number);
        }
    }

    /// Whether one of these does what the leap does, nearby.
    fn serves(&self, leaps: &[Leap], leap: &Leap) -> bool {
        let [x, y] = self.square(leap.from.at);
        let squares = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| [x + dx, y + dy]));
        let near = |p: &Spot, q: &Spot| {
            let component = |spot: &Spot| self.mesh.cell_component[spot.cell as usize];
            component(p) == component(q) && p.at.distance(q.at) < self.spacing
        };
        let does = |number: &usize| {
            let other = &leaps[*number];
            let same = near(&other.from, &leap.from) && near(&other.to, &leap.to);
            let back = near(&other.from, &leap.to) && near(&other.to, &leap.from);
            match (&other.kind, &leap.kind) {
                (LinkKind::Jump, _) => same || back,
                (_, LinkKind::Jump) => false,
                _ => same,
            }
        };
        squares.filter_map(|square| self.squares.get(&square)).flatten().any(does)
    }
}
