//! Makes the triangles of a building: floors, ramps and railings. Walls without thickness get one: as strips without
//! floor they part floors whatever stands around them.

use super::{Building, Flight};
use crate::options::MeshOptions;
use crate::plan_floor::floor_of;
use crate::snapped_plan;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_geometry::NONE;
use clearway_world::Scene;
use clearway_world::plan::{Plan, PlanPolygon};
use clearway_world::scene::Part;

/// The grid of scenes in metres, on which floors and stairs meet without gaps.
const GRID: f64 = 1.0 / 1024.0;

/// The thickness of walls that have none, in metres: more than the gap of 3 cm that scenes bridge by default.
const THICKNESS: f64 = 0.05;

/// The height of railings in metres: more than a step.
const RAILING: f64 = 1.0;

/// The steepest stairs, as rise over run: the steepest slope that scenes allow by default.
const STEEPEST: f64 = 1.0;

/// Makes the scene.
pub(super) fn scene(building: &Building) -> Result<Scene> {
    let strips =
        building.flights.iter().map(|flight| Strip::of(flight, building)).collect::<Result<Vec<_>>>()?;
    let mut scene =
        Scene { areas: vec!["ground".to_string()], notes: building.notes.clone(), ..Scene::default() };
    for (index, storey) in building.storeys.iter().enumerate() {
        let mut plan = storey.plan.clone();
        let thick =
            plan.walls.iter().flat_map(|wall| wall.windows(2)).filter_map(|ends| thickened(ends[0], ends[1]));
        let thick: Vec<PlanPolygon> = thick.collect();
        plan.obstacles.extend(thick);
        let touching =
            strips.iter().zip(&building.flights).filter(|(_, flight)| flight.storeys.contains(&index));
        plan.obstacles.extend(touching.map(|(strip, _)| strip.outline()));
        let fault = |error: Error| Error::new(error.kind(), format!("storey {}: {error}", storey.name));
        let part = add_part(&mut scene, &format!("storey {}", storey.name));
        add_floor(&mut scene, &plan, storey.height, part).map_err(fault)?;
        scene.notes.extend(storey.plan.notes.iter().map(|note| format!("storey {}: {note}", storey.name)));
    }
    for (strip, flight) in strips.iter().zip(&building.flights) {
        let part = add_part(&mut scene, &format!("stairs {}", flight.name));
        strip.draw(&mut scene, part);
    }
    Ok(scene)
}

/// Adds a part and returns its number.
fn add_part(scene: &mut Scene, name: &str) -> u32 {
    scene.parts.push(Part { name: name.to_string(), material: String::new(), area: 0 });
    scene.parts.len() as u32 - 1
}

/// A segment of a wall as a solid strip. Strips that share an end overlap there, so that nothing leaks between them.
fn thickened(a: [f64; 2], b: [f64; 2]) -> Option<PlanPolygon> {
    let along = [b[0] - a[0], b[1] - a[1]];
    let length = along[0].hypot(along[1]);
    let aside = [-along[1], along[0]].map(|value| value / length * THICKNESS / 2.0);
    let outline = [(a, -1.0), (b, -1.0), (b, 1.0), (a, 1.0)]
        .map(|(end, side)| [0, 1].map(|k| end[k] + side * aside[k]));
    (length > 0.0).then(|| PlanPolygon { outline: outline.to_vec(), holes: Vec::new() })
}

/// Adds the floor of a plan at a height.
fn add_floor(scene: &mut Scene, plan: &Plan, height: f64, part: u32) -> Result<()> {
    let ground = snapped_plan::snap(plan, &MeshOptions::default().grid(GRID))?;
    let (floor, _) =
        floor_of(plan, &ground).map_err(|error| Error::new(ErrorKind::TooLarge, error.to_string()))?;
    let edges = floor.triangulation.edges();
    let first = scene.vertices.len() as u32;
    let mut number = vec![NONE; floor.triangulation.points().len()];
    for t in (0..edges.triangle_count()).filter(|t| floor.free[*t as usize]) {
        let corners = [0, 1, 2].map(|k| edges.origin(3 * t + k));
        for corner in corners {
            if number[corner as usize] == NONE {
                number[corner as usize] = scene.vertices.len() as u32;
                let [x, y] = ground.grid.world(floor.triangulation.point(corner));
                scene.vertices.push([x, height, -y]);
            }
        }
        add_triangle(scene, corners.map(|corner| number[corner as usize]), part);
    }
    if scene.vertices.len() as u32 == first {
        return Err(Error::new(ErrorKind::Empty, "nothing of its plan is walkable"));
    }
    Ok(())
}

/// Adds a triangle.
fn add_triangle(scene: &mut Scene, corners: [u32; 3], part: u32) {
    scene.triangles.push(corners);
    scene.part_of.push(part);
}

/// Adds an upright face over a segment of the plan.
fn add_railing(scene: &mut Scene, ends: [[f64; 2]; 2], foot: [f64; 2], part: u32) {
    let first = scene.vertices.len() as u32;
    for (end, foot) in ends.iter().zip(foot) {
        scene.vertices.push([end[0], foot, -end[1]]);
        scene.vertices.push([end[0], foot + RAILING, -end[1]]);
    }
    add_triangle(scene, [first, first + 2, first + 3], part);
    add_triangle(scene, [first, first + 3, first + 1], part);
}

/// A flight as a strip of quadrilaterals.
struct Strip {
    /// The left and the right border, from the foot on.
    sides: [Vec<[f64; 2]>; 2],
    /// The height at each point.
    heights: Vec<f64>,
}

impl Strip {
    /// Lays a strip along the middle line of a flight; it rises evenly.
    fn of(flight: &Flight, building: &Building) -> Result<Strip> {
        let wrong =
            |message: &str| Error::new(ErrorKind::OutOfRange, format!("stairs {}: {message}", flight.name));
        let heights = flight.storeys.map(|storey| building.storeys.get(storey).map(|storey| storey.height));
        let [Some(low), Some(high)] = heights else {
            return Err(wrong("lead to a storey that is not there"));
        };
        let mut line = flight.line.clone();
        line.dedup();
        let lengths: Vec<f64> =
            line.windows(2).map(|pair| (pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1])).collect();
        let run: f64 = lengths.iter().sum();
        if line.len() < 2 || !run.is_finite() {
            return Err(wrong("the line has no length"));
        }
        if high <= low {
            return Err(wrong(&format!(
                "the upper storey lies at {high} m, not above the lower one at {low} m"
            )));
        }
        if !(flight.width > 0.0 && flight.width.is_finite()) {
            return Err(wrong(&format!("the width is {}; it must be above 0", flight.width)));
        }
        if high - low > STEEPEST * run {
            let message = format!(
                "they rise {:.2} m over {run:.2} m, steeper than 45 degrees; draw a longer line",
                high - low
            );
            return Err(wrong(&message));
        }
        let mut heights = vec![low];
        let mut gone = 0.0;
        for length in &lengths {
            gone += length;
            heights.push(low + (high - low) * gone / run);
        }
        Ok(Strip { sides: sides(&line, flight.width / 2.0), heights })
    }

    /// The outline as a polygon.
    fn outline(&self) -> PlanPolygon {
        let [left, right] = &self.sides;
        PlanPolygon { outline: right.iter().chain(left.iter().rev()).copied().collect(), holes: Vec::new() }
    }

    /// Adds the ramp and its railings.
    fn draw(&self, scene: &mut Scene, part: u32) {
        let [left, right] = &self.sides;
        let first = scene.vertices.len() as u32;
        for ((left, right), height) in left.iter().zip(right).zip(&self.heights) {
            scene.vertices.push([left[0], *height, -left[1]]);
            scene.vertices.push([right[0], *height, -right[1]]);
        }
        for step in 0..left.len() as u32 - 1 {
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| first + 2 * step + k);
            add_triangle(scene, [b, d, c], part);
            add_triangle(scene, [b, c, a], part);
        }
        for side in &self.sides {
            for (ends, heights) in side.windows(2).zip(self.heights.windows(2)) {
                add_railing(scene, [ends[0], ends[1]], [heights[0], heights[1]], part);
            }
        }
    }
}

/// The borders of a strip on both sides of a line; corners are mitred. Points lie on the grid of scenes.
fn sides(line: &[[f64; 2]], half: f64) -> [Vec<[f64; 2]>; 2] {
    let normal = |a: [f64; 2], b: [f64; 2]| {
        let length = (b[0] - a[0]).hypot(b[1] - a[1]);
        [-(b[1] - a[1]) / length, (b[0] - a[0]) / length]
    };
    let normals: Vec<[f64; 2]> = line.windows(2).map(|pair| normal(pair[0], pair[1])).collect();
    [half, -half].map(|offset| {
        (0..line.len())
            .map(|k| {
                let before = normals[k.saturating_sub(1).min(normals.len() - 1)];
                let after = normals[k.min(normals.len() - 1)];
                let sum = [before[0] + after[0], before[1] + after[1]];
                // The mitre of a sharp turn is cut at twice the width.
                let square = (sum[0] * sum[0] + sum[1] * sum[1]).max(0.5);
                [0, 1].map(|axis| ((line[k][axis] + offset * 2.0 * sum[axis] / square) / GRID).round() * GRID)
            })
            .collect()
    })
}
