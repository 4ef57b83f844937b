//! Makes a plan of the shapes of a drawing, by the roles of their parts.
//!
//! The role of a part comes from the options, else from its format, else from its name. What shapes without a role mean
//! is the habit of their format. Lines of parts whose role asks for areas are chained to rings first. Cost: linear in
//! the points, apart from the search for polygons inside others.

use super::chains::chains;
use super::draft::{Draft, Form, Shape};
use super::geojson::BUILDING;
use super::levels::choose_level;
use super::nested::{note_nested, place_buildings};
use super::openings::{Opening, cut_openings};
use super::project::project;
use super::{Plan, PlanOptions, PlanPart, PlanPlace, PlanPolygon, PlanRole, Ring, USUAL_OPENING};
use crate::scene::Pattern;
use clearway_base::error::Result;
use clearway_base::file::quoted;
use std::collections::BTreeMap;

/// The meaning of shapes whose part has no role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Habit {
    /// Areas are floor, lines are walls, and rings count by nesting.
    AsDrawn,
    /// Every line is a wall, closed or not. Floor is what the walls enclose, unless some part is floor.
    LinesAreWalls,
}

/// Closed outlines of walls thinner than this are solid, in metres. Walls are thinner than half a metre, and rooms are
/// wider.
pub const THIN: f64 = 0.6;

/// The distance in metres within which ends of lines are one corner when lines are chained to rings.
const CORNER: f64 = 1e-3;

/// Makes the plan.
pub(super) fn plan(mut draft: Draft, options: &PlanOptions) -> Result<Plan> {
    let mut plan = Plan { gap: options.gap, ..Plan::default() };
    project(&mut draft, options, &mut plan)?;
    plan.unit = Some(options.scale.unwrap_or(draft.unit)).filter(|_| !draft.is_in_degrees);
    scale(&mut draft, options.scale);
    choose_level(&mut draft, options.level.as_deref(), &mut plan.notes)?;
    let roles = roles(&draft, options, &mut plan.notes)?;
    let parts = parts(&draft, &roles);
    let mut sorter = Sorter {
        plan,
        openings: Vec::new(),
        door_lines: Vec::new(),
        buildings: Vec::new(),
        building: draft.parts.iter().position(|part| part.name == BUILDING).map(|part| part as u32),
        walled: Vec::new(),
        loose: BTreeMap::new(),
    };
    let has_floor = shapes_with(&draft, &roles, PlanRole::Floor) > 0;
    let habit = draft.habit;
    for shape in std::mem::take(&mut draft.shapes) {
        sorter.sort(shape, &roles, habit, has_floor);
    }
    sorter.chain_loose_lines();
    sorter.cut_walls();
    let mut plan = sorter.plan;
    place_buildings(&mut plan, sorter.buildings);
    plan.parts = parts;
    let has_floor = !plan.polygons.is_empty() || !plan.rings.is_empty();
    if draft.encloses && !has_floor && !(plan.walls.is_empty() && plan.obstacles.is_empty()) {
        plan.enclosed = Some(options.opening.unwrap_or(USUAL_OPENING));
    }
    note_nested(&mut plan);
    Ok(plan)
}

/// Turns the units of the drawing into metres.
pub(super) fn scale(draft: &mut Draft, asked: Option<f64>) {
    let unit = asked.unwrap_or(draft.unit);
    if unit == 1.0 {
        return;
    }
    for shape in &mut draft.shapes {
        shape.form.points_mut(|point| *point = point.map(|value| value * unit));
    }
}

/// The role of each part; `None` where the format's habit decides. Patterns that match nothing are noted.
pub(super) fn roles(
    draft: &Draft,
    options: &PlanOptions,
    notes: &mut Vec<String>,
) -> Result<Vec<Option<PlanRole>>> {
    let mut patterns = Vec::new();
    for (role, text) in &options.roles {
        patterns.push((*role, Pattern::new(text)?.lower()));
    }
    let matches = |pattern: &Pattern, name: &str| {
        let name = name.to_lowercase();
        name.split('/').any(|level| pattern.matches_text(level)) || pattern.matches_text(&name)
    };
    for (role, pattern) in &patterns {
        if !draft.parts.iter().any(|part| matches(pattern, &part.name)) {
            let known: Vec<String> = draft
                .parts
                .iter()
                .filter(|part| !part.name.is_empty())
                .take(8)
                .map(|part| quoted(&part.name))
                .collect();
            let known = if known.is_empty() { "the file names no parts".into() } else { known.join(", ") };
            notes.push(format!(
                "no part for the role {role} is called {}; there are: {known}",
                quoted(&pattern.text())
            ));
        }
    }
    let mut roles: Vec<Option<PlanRole>> = draft
        .parts
        .iter()
        .map(|part| {
            let asked = patterns.iter().rev().find(|(_, pattern)| matches(pattern, &part.name));
            asked.map(|(role, _)| *role).or_else(|| part.own_role())
        })
        .collect();
    leave_out_unknown(draft, &mut roles, notes);
    Ok(roles)
}

/// Where every line may be a wall: if names tell which are walls or floors, lines of unknown names are left out; else
/// they are walls.
fn leave_out_unknown(draft: &Draft, roles: &mut [Option<PlanRole>], notes: &mut Vec<String>) {
    let is_known = [PlanRole::Floor, PlanRole::Wall].iter().any(|role| shapes_with(draft, roles, *role) > 0);
    if draft.habit != Habit::LinesAreWalls {
        return;
    }
    if !is_known {
        roles.iter_mut().for_each(|role| *role = role.or(Some(PlanRole::Wall)));
        return;
    }
    let mut counts = vec![0_usize; roles.len()];
    for shape in draft.shapes.iter().filter(|shape| roles[shape.part as usize].is_none()) {
        counts[shape.part as usize] += 1;
    }
    let names: Vec<String> = (0..roles.len())
        .filter(|part| counts[*part] > 0)
        .map(|part| format!("{} ({})", quoted(&draft.parts[part].name), counts[part]))
        .collect();
    if names.is_empty() {
        return;
    }
    let shown = names.iter().take(6).cloned().collect::<Vec<_>>().join(", ");
    let more = if names.len() > 6 { format!(" and {} more", names.len() - 6) } else { String::new() };
    notes.push(format!(
        "shapes of parts without a known role were left out: {shown}{more}; --role wall=NAME takes them in"
    ));
    roles.iter_mut().for_each(|role| *role = role.or(Some(PlanRole::Ignore)));
}

/// The number of shapes of parts with a role.
fn shapes_with(draft: &Draft, roles: &[Option<PlanRole>], role: PlanRole) -> usize {
    draft.shapes.iter().filter(|shape| roles[shape.part as usize] == Some(role)).count()
}

/// The parts with names, for the report.
fn parts(draft: &Draft, roles: &[Option<PlanRole>]) -> Vec<PlanPart> {
    let mut shapes = vec![0_usize; draft.parts.len()];
    draft.shapes.iter().for_each(|shape| shapes[shape.part as usize] += 1);
    let parts = draft.parts.iter().zip(roles).zip(shapes).filter(|((part, _), _)| !part.name.is_empty());
    parts.map(|((part, role), shapes)| PlanPart { name: part.name.clone(), role: *role, shapes }).collect()
}

/// A plan that shapes are sorted into.
struct Sorter {
    /// The plan so far.
    plan: Plan,
    /// Places at which walls have openings.
    openings: Vec<Opening>,
    /// Doors drawn as lines, which open walls that they lie on.
    door_lines: Vec<Shape>,
    /// Outlines of buildings that have no role.
    buildings: Vec<PlanPolygon>,
    /// The part of these buildings.
    building: Option<u32>,
    /// Outlines along which walls stand.
    walled: Vec<Ring>,
    /// Lines of parts whose role asks for areas, by role.
    loose: BTreeMap<PlanRole, Vec<Vec<[f64; 2]>>>,
}

impl Sorter {
    /// Puts a shape where its role says.
    fn sort(&mut self, shape: Shape, roles: &[Option<PlanRole>], habit: Habit, has_floor: bool) {
        let Some(role) = roles[shape.part as usize] else {
            return match habit {
                Habit::AsDrawn => self.as_drawn(shape),
                Habit::LinesAreWalls => self.wall(shape.form, has_floor),
            };
        };
        match role {
            PlanRole::Ignore => {}
            PlanRole::Floor => self.floor(shape),
            PlanRole::Obstacle => self.obstacle(shape.form),
            PlanRole::Wall => self.wall(shape.form, has_floor),
            PlanRole::Door => self.door(shape),
            // A line of stairs only shows the way up.
            PlanRole::Stairs if habit == Habit::AsDrawn && !matches!(shape.form, Form::Line(_)) => {
                self.floor(shape)
            }
            PlanRole::Stairs => {}
            PlanRole::Exit | PlanRole::Start | PlanRole::Waypoint => self.place(shape, role),
        }
    }

    /// Takes a shape for what it looks like.
    fn as_drawn(&mut self, shape: Shape) {
        match shape.form {
            Form::Ring(ring) => self.plan.rings.push(ring),
            Form::Line(line) => self.plan.walls.push(line),
            Form::Polygon(polygon) if self.building == Some(shape.part) => self.buildings.push(polygon),
            Form::Polygon(_) => self.floor(shape),
            Form::Dot(..) => {}
        }
    }

    /// Adds floor.
    fn floor(&mut self, shape: Shape) {
        match shape.form {
            Form::Polygon(polygon) => {
                if shape.is_walled {
                    self.walled.push(polygon.outline.clone());
                    self.walled.extend(polygon.holes.iter().cloned());
                }
                self.plan.polygons.push(polygon);
            }
            Form::Ring(outline) => self.plan.polygons.push(PlanPolygon { outline, holes: Vec::new() }),
            Form::Line(line) => self.loosen(PlanRole::Floor, line),
            Form::Dot(..) => {}
        }
    }

    /// Adds an obstacle.
    fn obstacle(&mut self, form: Form) {
        match form {
            Form::Polygon(polygon) => self.plan.obstacles.push(polygon),
            Form::Ring(outline) => self.plan.obstacles.push(PlanPolygon { outline, holes: Vec::new() }),
            Form::Line(line) => self.loosen(PlanRole::Obstacle, line),
            Form::Dot(..) => {}
        }
    }

    /// Adds walls. A closed outline around a thin body is solid if floor lies under it.
    fn wall(&mut self, form: Form, has_floor: bool) {
        match form {
            Form::Polygon(PlanPolygon { outline, holes }) => {
                std::iter::once(outline).chain(holes).for_each(|ring| self.wall(Form::Ring(ring), has_floor));
            }
            Form::Ring(outline) if has_floor && width(&outline) < THIN => {
                self.plan.obstacles.push(PlanPolygon { outline, holes: Vec::new() });
            }
            Form::Ring(ring) => self.plan.walls.push(closed(ring)),
            Form::Line(line) => self.plan.walls.push(line),
            Form::Dot(..) => {}
        }
    }

    /// Opens walls where a door is. Its area is floor; its lines may only show how the door swings.
    fn door(&mut self, shape: Shape) {
        match &shape.form {
            Form::Polygon(polygon) => {
                self.plan.polygons.push(polygon.clone());
                self.openings.push(Opening::Area(polygon.outline.clone()));
            }
            Form::Dot(at, width) => self.openings.push(Opening::At(*at, *width)),
            Form::Line(_) => return self.door_lines.push(shape),
            Form::Ring(_) => return,
        }
        self.place(shape, PlanRole::Door);
    }

    /// Adds a named place.
    fn place(&mut self, shape: Shape, role: PlanRole) {
        let points = match shape.form {
            Form::Polygon(polygon) => polygon.outline,
            Form::Ring(points) | Form::Line(points) => points,
            Form::Dot(at, _) => vec![at],
        };
        let number = self.plan.places.iter().filter(|place| place.role == role).count() + 1;
        let name = shape.name.unwrap_or_else(|| format!("{role} {number}"));
        self.plan.places.push(PlanPlace { name, role, points });
    }

    /// Keeps a line until all lines of its role can be chained.
    fn loosen(&mut self, role: PlanRole, line: Vec<[f64; 2]>) {
        self.loose.entry(role).or_default().push(line);
    }

    /// Chains loose lines to rings. Lines that stay open are walls of obstacles; of floors they are left out.
    fn chain_loose_lines(&mut self) {
        for (role, lines) in std::mem::take(&mut self.loose) {
            let (rings, open) = chained(&lines);
            for outline in rings {
                match role {
                    PlanRole::Floor => self.plan.polygons.push(PlanPolygon { outline, holes: Vec::new() }),
                    _ => self.plan.obstacles.push(PlanPolygon { outline, holes: Vec::new() }),
                }
            }
            if role == PlanRole::Floor && !open.is_empty() {
                let at = open[0].first().copied().unwrap_or_default();
                self.plan.notes.push(format!(
                    "{} lines of the floor do not close to a ring and were left out, first at ({}, {})",
                    open.len(),
                    at[0],
                    at[1]
                ));
            } else {
                self.plan.walls.extend(open);
            }
        }
    }

    /// Puts walls along the outlines that ask for them, and opens them at doors.
    fn cut_walls(&mut self) {
        let mut walls = std::mem::take(&mut self.plan.walls);
        let (known, mut lines) = (self.openings.len(), Vec::new());
        for shape in std::mem::take(&mut self.door_lines) {
            let Form::Line(line) = &shape.form else { continue };
            if let Some(opening) = Opening::along(line) {
                self.openings.push(opening);
                lines.push(shape);
            }
        }
        if !self.openings.is_empty() {
            let outlines = self.walled.iter().cloned().map(closed);
            let all = walls.iter().cloned().chain(outlines).collect();
            let (left, is_used) = cut_openings(all, &self.openings, &mut self.plan.notes);
            // Lines that open nothing only show how doors swing, and say nothing about walls that nobody drew.
            if known > 0 || is_used.contains(&true) {
                walls = left;
                self.walled.clear();
            }
            let used = lines.into_iter().zip(&is_used[known..]).filter(|(_, is_used)| **is_used);
            used.for_each(|(shape, _)| self.place(shape, PlanRole::Door));
        }
        if !self.walled.is_empty() {
            self.plan.notes.push(format!(
                "{} rooms with walls but without doors: their walls were left out, so that they are joined",
                self.walled.len()
            ));
        }
        self.plan.walls = walls;
    }
}

/// A ring that ends where it starts.
fn closed(mut ring: Ring) -> Vec<[f64; 2]> {
    ring.extend(ring.first().copied());
    ring
}

/// The width of a long body: twice its area over its border.
fn width(ring: &[[f64; 2]]) -> f64 {
    let (mut doubled, mut border) = (0.0, 0.0);
    for (a, b) in ring.iter().zip(ring.iter().cycle().skip(1)) {
        doubled += a[0] * b[1] - a[1] * b[0];
        border += (b[0] - a[0]).hypot(b[1] - a[1]);
    }
    if border > 0.0 { f64::abs(doubled) / border } else { 0.0 }
}

/// Joins lines whose ends meet into rings; returns them and the lines that stay open.
fn chained(lines: &[Vec<[f64; 2]>]) -> (Vec<Ring>, Vec<Vec<[f64; 2]>>) {
    let mut corners: Vec<[f64; 2]> = Vec::new();
    let mut numbers: BTreeMap<[i64; 2], usize> = BTreeMap::new();
    let mut segments: Vec<[usize; 2]> = Vec::new();
    for line in lines {
        let mut before = None;
        for point in line {
            let key = point.map(|value| (value / CORNER).round() as i64);
            let corner = *numbers.entry(key).or_insert_with(|| {
                corners.push(*point);
                corners.len() - 1
            });
            if let Some(before) = before.filter(|before| *before != corner) {
                segments.push(if before < corner { [before, corner] } else { [corner, before] });
            }
            before = Some(corner);
        }
    }
    segments.sort_unstable();
    segments.dedup();
    let found = chains(corners.len(), &segments);
    let points = |chain: Vec<usize>| chain.into_iter().map(|corner| corners[corner]).collect::<Vec<_>>();
    let (rings, short): (Vec<_>, Vec<_>) = found.rings.into_iter().partition(|ring| ring.len() >= 3);
    (rings.into_iter().map(points).collect(), found.open.into_iter().chain(short).map(points).collect())
}
