//! The laws of a path on every family of random plans: at every quality, straight and turned, for every kind of radius,
//! held against brute force.

use crate::judging;

use clearway::{Location, NavMesh, PathQuery};
use clearway_compare::TangentGraph;
use clearway_scenes::{Family, PlanDrawing, Random, turn_back, two_ways};
use judging::{QUALITIES, Tally, mesh_of, plan_of, query, random_place};

/// Radii that say something about two places: none, small, medium, and close to the widest on both sides of it.
fn radii(mesh: &NavMesh, start: Location, goal: Location) -> Vec<f64> {
    let mut radii = vec![0.0, 0.05, 0.4, 1.3];
    if let Some(widest) = mesh.widest_radius(start, goal).filter(|widest| *widest > 1e-3) {
        radii.extend([0.7, 0.99, 1.01].map(|share| share * widest));
    }
    radii.sort_by(f64::total_cmp);
    radii
}

/// Random queries on a mesh, each with a range of radii.
fn judge_mesh(tally: &mut Tally, name: &str, mesh: &NavMesh, pairs: usize, seed: u64) {
    let mut random = Random::new(seed);
    let fixed = [0.0, 0.05, 0.4, 1.3].map(|radius| (radius, TangentGraph::at(mesh, radius).unwrap()));
    for _ in 0..pairs {
        let [start, goal] = [(); 2].map(|()| random_place(mesh, &mut random));
        let mut before: Option<f64> = None;
        for radius in radii(mesh, start, goal) {
            let made;
            let oracle = match fixed.iter().find(|(other, _)| *other == radius) {
                Some((_, graph)) => graph,
                None => {
                    made = TangentGraph::at(mesh, radius).unwrap();
                    &made
                }
            };
            let length = tally.judge(name, mesh, Some(oracle), &query(start, goal, radius));
            if let (Some(length), Some(before)) = (length, before) {
                tally.expect(length >= before * (1.0 - 1e-9), || {
                    format!("{name}: {start:?} to {goal:?}: {before} before, {length} with radius {radius}")
                });
            }
            before = length.or(before);
        }
    }
}

fn judge_drawing(tally: &mut Tally, name: &str, drawing: &PlanDrawing, pairs: usize, seed: u64) {
    for quality in QUALITIES {
        for angle in [0.0, 0.3] {
            let turned = if angle == 0.0 { drawing.clone() } else { drawing.scaled(1.0, angle, [0.0, 0.0]) };
            let mesh = mesh_of(&plan_of(&turned), quality);
            if mesh.cell_count() > 0 {
                let name = format!("{name}, {quality:?}, turned by {angle}");
                judge_mesh(tally, &name, &mesh, pairs, seed);
            }
        }
    }
}

#[test]
fn small_plans_of_every_family() {
    let mut tally = Tally::default();
    for family in Family::ALL {
        for (size, seed) in [(8, 0), (14, 1), (24, 2), (40, 3)] {
            let name = format!("{} of size {size}, seed {seed}", family.name());
            judge_drawing(&mut tally, &name, &family.draw(size, seed), 4, seed);
        }
    }
    tally.finish("small plans");
}

#[test]
fn plans_on_which_the_radius_decides() {
    let mut tally = Tally::default();
    for (name, drawing) in [("turn back", turn_back()), ("two ways", two_ways())] {
        judge_drawing(&mut tally, name, &drawing, 25, 5);
    }
    tally.finish("fixed plans");
}

/// With landmarks and without: the same lengths and verdicts, to one goal or to the nearest of several.
#[test]
fn landmarks_and_further_goals() {
    let mut tally = Tally::default();
    for family in Family::ALL {
        let mesh = mesh_of(&plan_of(&family.draw(150, 4)), QUALITIES[1]);
        let mut random = Random::new(9);
        let queries: Vec<PathQuery> = [0.0, 0.3, 0.9, 0.0, 0.3, 0.9]
            .into_iter()
            .map(|radius| {
                let [start, goal] = [(); 2].map(|()| random_place(&mesh, &mut random));
                let more_goals = (0..3).map(|_| random_place(&mesh, &mut random)).collect();
                query(start, goal, radius).more_goals(more_goals)
            })
            .collect();
        let lengths: Vec<Option<f64>> =
            queries.iter().map(|query| nearest(&mut tally, family.name(), &mesh, query)).collect();
        mesh.prepare_paths();
        for (query, length) in queries.iter().zip(lengths) {
            let prepared = nearest(&mut tally, family.name(), &mesh, query);
            tally.same("with landmarks", family.name(), length, prepared);
        }
    }
    tally.finish("landmarks and further goals");
}

/// The length to the nearest of all goals, which must be the least of the lengths to each.
fn nearest(tally: &mut Tally, name: &str, mesh: &NavMesh, all: &PathQuery) -> Option<f64> {
    let name = &format!("{name}: {all:?}");
    let answer = mesh.find_path(all).ok();
    let goals = std::iter::once(all.goal).chain(all.more_goals.iter().copied());
    let each = goals.filter_map(|goal| tally.judge(name, mesh, None, &query(all.start, goal, all.radius)));
    let least = each.min_by(f64::total_cmp);
    let length = answer.map(|path| path.length);
    tally.same("the nearest goal", name, length, least);
    length
}

#[test]
fn from_a_place_to_itself() {
    let mut tally = Tally::default();
    for family in Family::ALL {
        let mesh = mesh_of(&plan_of(&family.draw(30, 6)), QUALITIES[1]);
        let mut random = Random::new(3);
        for _ in 0..12 {
            let place = random_place(&mesh, &mut random);
            for radius in [0.0, 0.2, 1.0] {
                let length = tally.judge(family.name(), &mesh, None, &query(place, place, radius));
                let stands = mesh.clearance(place).unwrap() >= radius;
                tally.same("staying", family.name(), length, stands.then_some(0.0));
            }
        }
    }
    tally.finish("staying");
}

/// A far place of the map: coordinates of millions of metres cost no accuracy but their own.
#[test]
fn far_from_the_origin() {
    let mut tally = Tally::default();
    for family in [Family::Boxes, Family::RotatedBoxes, Family::Caves, Family::ThinWalls, Family::Stars] {
        for (offset, angle) in [([1e6, -1e6], 0.0), ([4e6, 5e5], 0.3)] {
            let mesh = mesh_of(&plan_of(&family.draw(40, 8).scaled(1.0, angle, offset)), QUALITIES[1]);
            judge_mesh(&mut tally, &format!("{} at {offset:?}", family.name()), &mesh, 5, 8);
        }
    }
    tally.finish("far away");
}
