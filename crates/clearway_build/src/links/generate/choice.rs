//! Chooses which of all possible leaps become links: few, and only where they help.
//!
//! Leaps from pieces that nobody gets onto are left out. Jumps come before drops, short leaps before long ones. A leap
//! is left out if a link nearby joins the same pieces of the mesh in the same direction. It is left out as well if
//! walking takes no more than a few times its length. Leaps near one that was refused for that reason are refused too,
//! so that walks are searched for at few points only.
//!
//! Links that the mesh has already count as kept, if the body of the rules can take them. Cost: at most one path search
//! per leap that is not settled by a neighbour, plus short searches between neighbours.

use super::JumpRules;
use super::ledges::{Leap, Spot};
use super::report::{LeftOut, Reason, Tally};
use clearway_geometry::Vec2;
use clearway_nav::mesh::{LinkKind, NavMesh};
use clearway_nav::path::{LinkUse, PathQuery, SearchSpace};
use std::collections::BTreeMap;

/// Two points are near each other if the walk between them is shorter than this many spacings. With 1, only nearly
/// straight walks count; with a much larger value, a link hides others behind a wall.
const AROUND: f64 = 2.0;

/// Returns the leaps that become links, in the order in which they were found, and what became of the others.
pub(super) fn choose(
    mesh: &NavMesh,
    mut leaps: Vec<Leap>,
    rules: &JumpRules,
    most: usize,
) -> (Vec<Leap>, Vec<LeftOut>) {
    let order = ranked(&leaps);
    let mut kept = Crowd::new(mesh, rules.spacing);
    leaps.extend(known_leaps(mesh, rules));
    // Leaps of the mesh itself come after the new ones in the list, and are kept without being ranked.
    (order.len()..leaps.len()).for_each(|number| kept.add(&leaps, number));
    let mut refused = Crowd::new(mesh, 0.5 * rules.spacing);
    let mut chosen = Vec::new();
    let mut tally = Tally::default();
    let mut space = SearchSpace::new();
    let is_reached = reached(mesh, &leaps, rules);
    for number in order {
        let leap = &leaps[number];
        if !is_reached[component(mesh, &leap.from)] {
            tally.add(Reason::Unreachable, leap, mesh);
        } else if kept.serves(&leaps, leap, &mut space) {
            tally.add(Reason::Near, leap, mesh);
        } else if refused.serves(&leaps, leap, &mut space) {
            tally.add(Reason::Walkable, leap, mesh);
        } else if chosen.len() >= most {
            tally.add(Reason::TooMany, leap, mesh);
        } else if helps(mesh, leap, rules, &mut space) {
            kept.add(&leaps, number);
            chosen.push(number);
        } else {
            refused.add(&leaps, number);
            tally.add(Reason::Walkable, leap, mesh);
        }
    }
    chosen.sort_unstable();
    (chosen.into_iter().map(|number| leaps[number].clone()).collect(), tally.left_out())
}

/// Marks the components that somebody may be on: large ones, and those that leaps or links lead to from there.
fn reached(mesh: &NavMesh, leaps: &[Leap], rules: &JumpRules) -> Vec<bool> {
    let mut areas = vec![0.0; mesh.component_count()];
    mesh.cells().for_each(|cell| areas[cell.component().index()] += cell.area());
    let least = areas.iter().copied().fold(0.0, f64::max).min(rules.min_island);
    let mut is_reached: Vec<bool> = areas.iter().map(|area| *area >= least).collect();
    let mut ways: Vec<Vec<usize>> = vec![Vec::new(); areas.len()];
    let mut lead = |[from, to]: [usize; 2], both_ways: bool| {
        ways[from].push(to);
        if both_ways {
            ways[to].push(from);
        }
    };
    for leap in leaps {
        lead([&leap.from, &leap.to].map(|spot| component(mesh, spot)), leap.kind == LinkKind::Jump);
    }
    for link in &mesh.parts().links {
        lead(link.ends.map(|end| mesh.parts().cell_component[end.cell as usize] as usize), link.both_ways);
    }
    let mut open: Vec<usize> = (0..areas.len()).filter(|number| is_reached[*number]).collect();
    while let Some(number) = open.pop() {
        for next in &ways[number] {
            if !std::mem::replace(&mut is_reached[*next], true) {
                open.push(*next);
            }
        }
    }
    is_reached
}

/// Returns the component of a spot.
fn component(mesh: &NavMesh, spot: &Spot) -> usize {
    mesh.parts().cell_component[spot.cell as usize] as usize
}

/// Returns the order in which leaps are considered: jumps before drops, short before long, from the middle of a wall
/// before from its ends.
fn ranked(leaps: &[Leap]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..leaps.len()).collect();
    // Lengths count in centimetres: smaller differences depend on where samples happened to lie.
    let rank = |leap: &Leap| (leap.kind == LinkKind::Drop, (leap.length * 100.0).round() as i64);
    order.sort_by(|p, q| {
        let [one, other] = [&leaps[*p], &leaps[*q]];
        rank(one).cmp(&rank(other)).then(one.aside.total_cmp(&other.aside)).then(p.cmp(q))
    });
    order
}

/// Returns the jumps and drops that the mesh has, as far as they serve the body of the rules.
fn known_leaps<'a>(mesh: &'a NavMesh, rules: &'a JumpRules) -> impl Iterator<Item = Leap> + 'a {
    mesh.parts().links.iter().filter_map(|link| {
        let is_leap = matches!(link.kind, LinkKind::Jump | LinkKind::Drop);
        let [from, to] =
            link.ends.map(|end| Spot::new(mesh, end.cell, mesh.parts().grid.units(end.position)));
        let serves = is_leap
            && link.max_radius.is_none_or(|most| most >= rules.radius)
            && [from, to].iter().all(|spot| spot.has_room(mesh, rules.radius));
        // The direction alone counts here: jumps lead both ways, drops lead one way.
        let kind = if link.both_ways { LinkKind::Jump } else { LinkKind::Drop };
        serves.then_some(Leap { kind, from, to, length: 0.0, aside: 0.0 })
    })
}

/// True if walking takes much longer than the leap, or does not lead there.
fn helps(mesh: &NavMesh, leap: &Leap, rules: &JumpRules, space: &mut SearchSpace) -> bool {
    let component = |spot: &Spot| mesh.parts().cell_component[spot.cell as usize];
    if component(&leap.from) != component(&leap.to) {
        return true;
    }
    let [start, goal] = [leap.from, leap.to].map(|spot| spot.location(mesh));
    let query = PathQuery::new(start, goal).radius(rules.radius).links(LinkUse::None);
    mesh.find_path_in(&query, space).map_or(true, |path| path.length > rules.detour * leap.length)
}

/// A set of leaps that can be found by their ends.
struct Crowd<'a> {
    /// The mesh of the leaps.
    mesh: &'a NavMesh,
    /// The distance within which leaps are neighbours, in grid units.
    spacing: f64,
    /// The leaps that start or end in each square with sides of `spacing`.
    squares: BTreeMap<[i64; 2], Vec<usize>>,
}

impl<'a> Crowd<'a> {
    /// Makes an empty set. `spacing` is in metres.
    fn new(mesh: &'a NavMesh, spacing: f64) -> Crowd<'a> {
        Crowd { mesh, spacing: spacing / mesh.unit(), squares: BTreeMap::new() }
    }

    /// Returns the square that holds a point.
    fn square(&self, at: Vec2) -> [i64; 2] {
        [at.x, at.y].map(|c| (c / self.spacing).floor() as i64)
    }

    /// Adds a leap by its index, under both its ends.
    fn add(&mut self, leaps: &[Leap], number: usize) {
        for spot in [leaps[number].from, leaps[number].to] {
            self.squares.entry(self.square(spot.at)).or_default().push(number);
        }
    }

    /// True if a leap of the set does what this leap does, nearby.
    fn serves(&self, leaps: &[Leap], leap: &Leap, space: &mut SearchSpace) -> bool {
        let [x, y] = self.square(leap.from.at);
        let squares = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| [x + dx, y + dy]));
        let mut numbers: Vec<usize> =
            squares.filter_map(|square| self.squares.get(&square)).flatten().copied().collect();
        // A leap that starts and ends in these squares is listed twice.
        numbers.sort_unstable();
        numbers.dedup();
        let mut near = |pairs: [[&Spot; 2]; 2]| pairs.into_iter().all(|pair| self.is_near(pair, space));
        numbers.iter().any(|number| {
            let other = &leaps[*number];
            let is_jump = other.kind == LinkKind::Jump;
            // Whoever can jump needs no drop, but a drop does not replace a jump: it does not lead back.
            (is_jump || leap.kind == LinkKind::Drop)
                && near([[&other.from, &leap.from], [&other.to, &leap.to]])
                || is_jump && near([[&other.from, &leap.to], [&other.to, &leap.from]])
        })
    }

    /// True if two points are near each other for a walker: not across a wall, and not on floors one over the other.
    fn is_near(&self, [p, q]: [&Spot; 2], space: &mut SearchSpace) -> bool {
        let component = |spot: &Spot| self.mesh.parts().cell_component[spot.cell as usize];
        if component(p) != component(q) || p.at.distance(q.at) >= self.spacing {
            return false;
        }
        let straight = self.mesh.sweep(p.at, p.cell, q.at, 0.0);
        if straight.wall.is_none() && straight.end == q.cell {
            return true;
        }
        let [start, goal] = [p, q].map(|spot| spot.location(self.mesh));
        let path = self.mesh.find_path_in(&PathQuery::new(start, goal).links(LinkUse::None), space);
        path.is_ok_and(|path| path.length < AROUND * self.spacing * self.mesh.unit())
    }
}
