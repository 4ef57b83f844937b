//! A cave: uneven floor and ceiling, with room to stand here and there, and pillars.

use super::height_field::{HeightField, noise};
use super::soup::Soup;
use super::truth::{BODY_HEIGHT, Component, KnownScene, Truth};
use crate::random::Random;

/// The side of a cell in metres: large enough that no steep triangle is as low as a step.
const CELL: f64 = 0.75;
/// No lattice point has a room that differs from the body's height by less, so that passages are clear.
const CLEARLY: f64 = 0.1;
const MAX_CELLS: usize = 700;

/// A cave of `cells` by `cells` cells of 0.75 m (4 to 700).
///
/// The truth is complete and exact, since floor and ceiling have the same triangles: all pockets with room to
/// stand, largest first, then the insides of pillars and their tops, which stick out of the ceiling.
pub fn cave(cells: usize, seed: u64) -> KnownScene {
    let cells = cells.clamp(4, MAX_CELLS);
    let scaled =
        |salt: u64, i: usize, j: usize, wave: f64| noise(seed ^ salt, i as f64 / wave, j as f64 / wave);
    let floor = |i: usize, j: usize| 1.5 * scaled(1, i, j, 9.0) + 0.2 * scaled(2, i, j, 2.0);
    let room =
        |i: usize, j: usize| clear_of_limit(0.4 + 2.9 * scaled(3, i, j, 6.0) + 0.6 * scaled(4, i, j, 2.5));
    let ground = HeightField::new(cells, CELL, floor);
    let ceiling = HeightField::new(cells, CELL, |i, j| floor(i, j) + room(i, j));
    let heights: Vec<f64> = ground.points.iter().zip(&ceiling.points).map(|(a, b)| b[1] - a[1]).collect();
    let mut soup = Soup::new();
    soup.part("cave/floor", "Rock").mesh(&ground.points, ground.triangles());
    let hanging = ceiling.triangles().map(|[a, b, c]| [a, c, b]);
    soup.part("cave/ceiling", "Rock").mesh(&ceiling.points, hanging);
    let side = CELL * cells as f64;
    soup.part("cave/walls", "Rock");
    super::stairs::hole_sides(&mut soup, ([0.0, 0.0], [side, side]), -1.0, 8.0);
    let mut tags = vec![0; cells * cells];
    let tops = pillars(&mut soup, &ground, &heights, &mut tags, seed);
    let mut components = ground.components(&heights, &tags);
    components.sort_by_key(|component| component.inside);
    components.extend(tops);
    KnownScene::new(format!("cave_{cells}"), soup, Truth::of(components))
}

/// The room, moved away from the height of the body.
fn clear_of_limit(room: f64) -> f64 {
    match room - BODY_HEIGHT {
        over if over.abs() >= CLEARLY => room,
        over if over >= 0.0 => BODY_HEIGHT + CLEARLY,
        _ => BODY_HEIGHT - CLEARLY,
    }
}

/// Pillars that fill some of the cells with much room, never two side by side. Gives their tops.
fn pillars(
    soup: &mut Soup,
    ground: &HeightField,
    room: &[f64],
    tags: &mut [u32],
    seed: u64,
) -> Vec<Component> {
    let mut random = Random::new(seed);
    let mut tops = Vec::new();
    soup.part("cave/pillars", "Rock");
    for (cell, tag) in tags.iter_mut().enumerate() {
        let (i, j) = (cell % ground.cells, cell / ground.cells);
        let corners = [(i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j)].map(|(i, j)| ground.at(i, j));
        let fits = i % 4 == 2 && j % 4 == 2 && corners.iter().all(|&v| room[v] > BODY_HEIGHT);
        if !fits || !random.chance(0.3) {
            continue;
        }
        *tag = tops.len() as u32 + 1;
        let (low, high) = (ground.points[corners[0]], ground.points[corners[2]]);
        let heights = corners.map(|v| (ground.points[v][1], ground.points[v][1] + room[v]));
        let bottom = heights.iter().fold(f64::INFINITY, |y, h| y.min(h.0)) - 0.5;
        let top = heights.iter().fold(f64::NEG_INFINITY, |y, h| y.max(h.1)) + 0.5;
        soup.cuboid([low[0], bottom, low[2]], [high[0], top, high[2]]);
        tops.push(Component::top([low[0], low[2]], [high[0], high[2]], top));
    }
    tops
}
