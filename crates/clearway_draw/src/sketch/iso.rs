//! Scenes as seen from above and aside: floors at their heights, with upright strips for walls.
//!
//! The eye is far away and above everything, so that whatever hides something lies higher. Drawing goes from the lowest
//! to the highest, and at one height from the back to the front. This is right for every flat floor. Heights are
//! stretched until storeys do not hide each other. Walls behind a floor stand up as strips; walls before it are only
//! lines, so that one can look into rooms.

use super::backdrop::Edges;
use super::color::{PALETTE, cell_colors, shaded};
use super::course::{Course, Stretch};
use super::frame::{Frame, Strokes};
use super::graticule::Graticule;
use super::hiding::Floors;
use super::links::{self, Arch};
use super::overlay::{Parts, Sight};
use super::path::{PathText, pixels};
use super::route::{self, PATH_COLORS};
use super::scope::{Scope, box_around, meets};
use super::{LEDGE, Over, PALE_INK, PAPER, PORTAL, SketchOptions, WALL, legend};
use clearway_nav::mesh::{Cell, CellId, CellSide, LinkRecord, NavMesh, simplified};
use std::fmt::Write;

/// The angle in radians by which the direction of view is turned from north. Neither axis then points straight at the
/// eye.
const TURN: f64 = 0.5;
/// The angle in radians of the eye above the ground. A larger angle shows more floor and less height.
const ELEVATION: f64 = 0.72;
/// The height of drawn walls, in metres: low enough to look over.
const WALL_HEIGHT: f64 = 0.8;
/// The thickness of drawn floors, in metres.
const SLAB: f64 = 0.22;
/// The share of a storey that must be visible under the next; heights are stretched until it is.
const SEEN_SHARE: f64 = 0.6;
/// The greatest stretch of heights chosen automatically. Beyond it, stairs look like ladders.
const MOST_STRETCH: f64 = 5.0;
/// The number of random points at which overlapping floors are measured.
const SAMPLES: usize = 256;
/// The least height in metres between two floors that counts as one over the other.
const HEAD_ROOM: f64 = 1.5;
/// The tolerance in metres to which the ground is drawn.
const EXACT: f64 = 0.04;

/// The projection from space to the flat picture, in metres.
#[derive(Clone, Copy)]
struct Eye {
    /// The factor for heights.
    stretch: f64,
}

impl Eye {
    /// Chooses the stretch of heights: as asked for, or so that each storey is visible under the next, if storeys lie
    /// over each other.
    fn of(mesh: &NavMesh, scope: &Scope, options: &SketchOptions) -> Eye {
        if let Some(stretch) = options.clamped_height_scale() {
            return Eye { stretch };
        }
        let [low, high] = scope.bounds.unwrap_or_default();
        let (width, depth) = (high[0] - low[0], high[1] - low[1]);
        let seen = (width * TURN.sin() + depth * TURN.cos()) * ELEVATION.sin();
        let gap = gap_between_floors(mesh, scope);
        let stretch = gap.map_or(1.0, |gap| SEEN_SHARE * seen / (gap * ELEVATION.cos()));
        Eye { stretch: if stretch.is_finite() { stretch.clamp(1.0, MOST_STRETCH) } else { 1.0 } }
    }

    /// Returns the height in metres that looks like `height` after stretching; walls grow a little with the stretch.
    fn unstretched(self, height: f64) -> f64 {
        height / self.stretch.powf(0.75)
    }

    /// Projects a point of the plan at a height.
    fn see(self, [x, y]: [f64; 2], height: f64) -> [f64; 2] {
        let across = x * TURN.cos() - y * TURN.sin();
        [across, self.depth([x, y]) * ELEVATION.sin() + height * self.stretch * ELEVATION.cos()]
    }

    /// Projects a point of the world.
    fn see_world(self, [x, y, z]: [f64; 3]) -> [f64; 2] {
        self.see([x, -z], y)
    }

    /// Returns the arch of a link.
    fn link(self, mesh: &NavMesh, link: &LinkRecord) -> Arch {
        let ends = link.ends.map(|end| mesh.end_in_space(&end));
        links::arch_from_aside((|place| self.see_world(place), self.stretch), ends)
    }

    /// True if a cell is visible on the ground of a picture. The picture of the cell at its lowest ground, extended up
    /// by its rise, must meet the ground.
    fn sees(self, mesh: &NavMesh, cell: &Cell<'_>, frame: &Frame) -> bool {
        let [low, high] = mesh.height_range(cell.id()).unwrap_or_default();
        let rise = (high - low) * self.stretch * ELEVATION.cos() * frame.scale;
        let mut outline: Vec<[f64; 2]> = cell.outline().map(|at| frame.place(self.see(at, low))).collect();
        // Pixels count downwards, which reverses the order of corners.
        outline.reverse();
        let [left, top, width, height] = frame.ground();
        meets(&outline, [[left, top], [left + width, top + height + rise]])
    }

    /// Returns the distance of a point away from the eye, in metres.
    fn depth(self, [x, y]: [f64; 2]) -> f64 {
        x * TURN.sin() + y * TURN.cos()
    }
}

/// Returns the median height between floors that lie over each other, in metres; `None` if few do.
fn gap_between_floors(mesh: &NavMesh, scope: &Scope) -> Option<f64> {
    if scope.storeys.len() < 2 {
        return None;
    }
    let mut gaps = Vec::new();
    for place in mesh.random_points(1).take(SAMPLES) {
        let [x, y] = place.position();
        let own = mesh.height(place);
        let above = mesh.heights_at(x, -y).into_iter().find(|height| *height > own + HEAD_ROOM);
        gaps.extend(above.map(|above| above - own));
    }
    gaps.sort_by(f64::total_cmp);
    (4 * gaps.len() >= SAMPLES).then(|| gaps[gaps.len() / 2])
}

/// One shape on the flat picture.
struct Item {
    /// Its height in metres: lower shapes are drawn first.
    height: f64,
    /// Its depth in metres: of equal heights, deeper shapes are drawn first.
    depth: f64,
    /// Its points on the flat picture, in metres.
    points: Vec<[f64; 2]>,
    /// Its appearance.
    look: Look,
    /// The heights of its points, if it is ground.
    heights: Vec<f64>,
}

/// The appearance of a shape.
#[derive(Clone)]
enum Look {
    /// Ground in this colour.
    Floor(String),
    /// The edge of a floor seen from the front, in this colour.
    Edge(String),
    /// A wall behind a floor: a strip with a line on top.
    Back,
    /// A wall before a floor: a line only.
    Front,
    /// A ledge, or an edge of which it is not known whether it is a wall: a pale line.
    Ledge,
    /// A portal: a thin line.
    Portal,
}

/// Draws everything between header and footer. Returns the frame and the text. From aside a window is no box, so the
/// scope grows to everything visible in the box around it.
pub fn picture(
    mesh: &NavMesh,
    scope: &mut Scope,
    over: Over<'_>,
    edges: &Edges,
    options: &SketchOptions,
) -> (Frame, String) {
    let eye = Eye::of(mesh, scope, options);
    let upright = options.clone().flip_y(true).window(None);
    let window = options.window.filter(|_| !scope.storeys.is_empty()).map(|window| {
        let corners = corners_of(window, mesh, scope).map(|(at, height)| eye.see(at, height));
        Frame::of(box_around(corners), &upright)
    });
    if let Some(frame) = &window {
        *scope = Scope::of_seen(mesh, options, |cell| eye.sees(mesh, cell, frame));
    }
    let mut items = items(mesh, scope, eye, edges, options);
    items.sort_by(|p, q| p.height.total_cmp(&q.height).then(q.depth.total_cmp(&p.depth)));
    let arches: Vec<_> =
        links::shown(mesh, scope, options).map(|link| (link, eye.link(mesh, link))).collect();
    let lines = graticule(mesh, scope, options);
    let around: Vec<[f64; 2]> =
        lines.iter().flat_map(|(lines, low)| lines.corners().map(|at| eye.see(at, *low))).collect();
    let points = || {
        let arches = arches.iter().flat_map(|(_, arch)| arch);
        items.iter().flat_map(|item| &item.points).chain(arches).chain(&around)
    };
    let frame = window.unwrap_or_else(|| Frame::of(box_around(points().copied()), &upright));
    let mut svg = String::new();
    let strokes = frame.strokes(mesh);
    if let Some((lines, low)) = &lines {
        lines.lines(&mut svg, &frame, |at| frame.place(eye.see(at, *low)));
    }
    if eye.stretch != 1.0 {
        let [left, top, ..] = frame.ground();
        let at = [left + 14.0 * frame.ui, top + 24.0 * frame.ui];
        legend::text(&mut svg, &format!("heights x {:.1}", eye.stretch), at, 9.5 * frame.ui, PALE_INK);
    }
    for item in &items {
        draw(&mut svg, item, &frame, &strokes);
    }
    if let Some((lines, low)) = &lines {
        lines.numbers(&mut svg, &frame, |at| frame.place(eye.see(at, *low)));
    }
    for (link, arch) in arches {
        links::draw(&mut svg, &frame, link, &arch.map(|point| frame.place(point)));
    }
    let floors = Floors::of(
        items
            .iter()
            .filter(|item| !item.heights.is_empty())
            .map(|item| item.points.iter().copied().zip(item.heights.iter().copied()).collect()),
    );
    let sight = Aside { eye, floors: &floors, frame: &frame };
    over.overlays.iter().for_each(|overlay| overlay.draw(&mut svg, (mesh, scope), &frame, &sight));
    for (path, color) in over.paths.iter().zip(PATH_COLORS.iter().cycle()) {
        let course = Course::of(mesh, scope, path, EXACT);
        draw_path(&mut svg, &course, &sight, color);
    }
    (frame, svg)
}

/// Returns the lines of round coordinates and the height in metres at which they lie: that of the lowest ground. A part of
/// a mesh has none, because what is around it is cut off.
fn graticule(mesh: &NavMesh, scope: &Scope, options: &SketchOptions) -> Option<(Graticule, f64)> {
    let bounds = scope.bounds.filter(|_| options.window.is_none())?;
    let lows = scope.cells().filter_map(|cell| mesh.height_range(cell)).map(|[low, _]| low);
    let low = lows.reduce(f64::min).unwrap_or(0.0);
    // The picture is about as wide as the ground, seen aslant.
    let width: f64 = [0, 1].map(|axis| bounds[1][axis] - bounds[0][axis]).iter().sum();
    let scale = f64::from(options.clamped_width()) / width.max(f64::MIN_POSITIVE);
    Some((Graticule::of(bounds, scale, mesh.has_heights())?, low))
}

/// Returns the corners of a window at the lowest and the highest height of the ground that is shown.
fn corners_of(
    [low, high]: [[f64; 2]; 2],
    mesh: &NavMesh,
    scope: &Scope,
) -> impl Iterator<Item = ([f64; 2], f64)> {
    let ranges = scope.cells().filter_map(|cell| mesh.height_range(cell));
    let heights = ranges.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]).unwrap_or_default();
    let corners = [low, [high[0], low[1]], high, [low[0], high[1]]];
    corners.into_iter().flat_map(move |at| heights.map(|height| (at, height)))
}

/// Collects the shapes of all cells that are shown.
fn items(mesh: &NavMesh, scope: &Scope, eye: Eye, edges: &Edges, options: &SketchOptions) -> Vec<Item> {
    let colors = cell_colors(mesh, options.color_by);
    let heights: Vec<f64> = scope.cells().filter_map(|cell| mesh.mean_height(cell)).collect();
    let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
    let range = (heights.iter().copied().fold(low, f64::max) - low).max(1.0);
    let mut items = Vec::new();
    for cell in scope.cells() {
        let height = mesh.mean_height(cell).unwrap_or(0.0);
        // Lower floors are a little darker, so that storeys differ.
        let light = 0.9 + 0.1 * (height - low) / range;
        let color = PALETTE[colors[cell.index()]];
        floors(&mut items, mesh, cell, eye, (color, light));
        let Some(view) = mesh.cell(cell) else { continue };
        let first = mesh.parts().first_side[cell.index()] as usize;
        for (place, side) in view.sides().enumerate() {
            let is_wall = edges.is_wall(first + place);
            side_items(&mut items, mesh, (cell, side, is_wall), eye, (color, light));
        }
    }
    items
}

/// Adds the ground of a cell: its outline if it is flat, its faces if it is bent.
fn floors(items: &mut Vec<Item>, mesh: &NavMesh, cell: CellId, eye: Eye, (color, light): (&str, f64)) {
    let unit = mesh.unit();
    let pieces = mesh.terrain(cell.0, None);
    let level =
        |height: f64| pieces.first().and_then(|piece| piece.corners.first()).map_or(0.0, |c| c.1) - height;
    let corners = || pieces.iter().flat_map(|piece| &piece.corners);
    if corners().all(|(_, height)| level(*height).abs() * unit < EXACT) {
        let height = corners().next().map_or(0.0, |corner| corner.1 * unit);
        let outline: Vec<[f64; 2]> = mesh.cell(cell).map_or(Vec::new(), |cell| cell.outline().collect());
        let points = outline.iter().map(|at| eye.see(*at, height)).collect();
        let depth = outline.iter().map(|at| eye.depth(*at)).fold(f64::NEG_INFINITY, f64::max);
        let heights = vec![height; outline.len()];
        items.push(Item { height, depth, points, look: Look::Floor(shaded(color, light)), heights });
        return;
    }
    for piece in pieces {
        let places: Vec<([f64; 2], f64)> =
            piece.corners.iter().map(|(at, height)| (mesh.parts().grid.place(*at), height * unit)).collect();
        let height = places.iter().map(|place| place.1).sum::<f64>() / places.len().max(1) as f64;
        let depth = places.iter().map(|place| eye.depth(place.0)).fold(f64::NEG_INFINITY, f64::max);
        // Slopes that face the light, which comes from the left, are lighter.
        let lit = (piece.rise.x * TURN.cos() - piece.rise.y * TURN.sin()) / (1.0 + piece.rise.length());
        let color = shaded(color, light * (0.95 + 0.16 * lit));
        let points = places.iter().map(|(at, height)| eye.see(*at, *height)).collect();
        let heights = places.iter().map(|place| place.1).collect();
        items.push(Item { height, depth, points, look: Look::Floor(color), heights });
    }
}

/// Adds the shape along a side of a cell: a wall, the edge of the floor, or a portal.
fn side_items(
    items: &mut Vec<Item>,
    mesh: &NavMesh,
    (cell, side, is_wall): (CellId, CellSide, bool),
    eye: Eye,
    (color, light): (&str, f64),
) {
    let (Some(from), Some(to)) = (mesh.position(side.from), mesh.position(side.to)) else { return };
    // Each portal is drawn once, by its first cell.
    if side.portal.and_then(|portal| mesh.portal(portal)).is_some_and(|portal| portal.cells[0] != cell) {
        return;
    }
    let line =
        simplified(&mesh.ground_line(cell.0, [from, to].map(|end| mesh.parts().grid.units(end))), EXACT);
    let place = |share: f64| [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * share);
    let lifted = |by: f64| line.iter().map(move |(share, height)| eye.see(place(*share), height + by));
    let strip = |by: f64| lifted(0.0).chain(lifted(by).collect::<Vec<_>>().into_iter().rev()).collect();
    let height = line.iter().map(|stop| stop.1).sum::<f64>() / line.len().max(1) as f64;
    let depth = 0.5 * (eye.depth(from) + eye.depth(to));
    // Small offsets in height draw portals and walls after the floors that they belong to.
    let mut add = |above: f64, points: Vec<[f64; 2]>, look: Look| {
        items.push(Item { height: height + above, depth, points, look, heights: Vec::new() });
    };
    if side.portal.is_some() {
        return add(0.03, lifted(0.0).collect(), Look::Portal);
    }
    // The cell lies on the left; the wall is behind it if the left is towards the eye.
    let is_behind = eye.depth([from[1] - to[1], to[0] - from[0]]) < 0.0;
    if is_behind && is_wall {
        return add(0.06, strip(eye.unstretched(WALL_HEIGHT)), Look::Back);
    }
    if !is_behind {
        add(-0.05, strip(-eye.unstretched(SLAB)), Look::Edge(shaded(color, 0.72 * light)));
    }
    add(0.07, lifted(0.0).collect(), if is_wall { Look::Front } else { Look::Ledge });
}

/// Draws one shape.
fn draw(svg: &mut String, item: &Item, frame: &Frame, strokes: &Strokes) {
    let mut path = PathText::default();
    let points = item.points.iter().map(|point| frame.place(*point));
    let thin = pixels(0.6 * frame.ui);
    // Writing into a string cannot fail.
    let _ = match &item.look {
        Look::Floor(color) | Look::Edge(color) => {
            path.ring(points);
            let data = path.text();
            writeln!(svg, "<path fill=\"{color}\" stroke=\"{color}\" stroke-width=\"{thin}\" d=\"{data}\"/>")
        }
        Look::Back => {
            path.ring(points);
            let mut top = PathText::default();
            top.line(item.points[item.points.len() / 2..].iter().map(|point| frame.place(*point)));
            let data = path.text();
            let _ = writeln!(svg, "<path fill=\"{BACK_WALL}\" fill-opacity=\".82\" d=\"{data}\"/>");
            legend::line_element(svg, &top, WALL, 0.6 * strokes.wall, "");
            Ok(())
        }
        Look::Front | Look::Ledge | Look::Portal => {
            path.line(points);
            let (color, width) = match item.look {
                Look::Front => (WALL, strokes.wall),
                Look::Ledge => (LEDGE, strokes.wall),
                _ => (PORTAL, 0.7 * strokes.portal),
            };
            legend::line_element(svg, &path, color, width, "");
            Ok(())
        }
    };
}

/// The colour of walls that stand behind a floor.
const BACK_WALL: &str = "#a9b4c4";

/// The length in pixels of the steps in which paths are tested for floors that hide them.
const STEP: f64 = 3.0;

/// The view from aside.
struct Aside<'a> {
    eye: Eye,
    floors: &'a Floors,
    frame: &'a Frame,
}

impl Sight for Aside<'_> {
    fn see(&self, point: [f64; 3]) -> [f64; 2] {
        self.frame.place(self.eye.see_world(point))
    }

    fn cut(&self, points: &[[f64; 3]]) -> Parts {
        let step = STEP * self.frame.ui / self.frame.scale;
        self.floors.parts(points, |place| self.eye.see_world(place), step)
    }

    fn arch(&self, ends: [[f64; 3]; 2]) -> Arch {
        links::arch_from_aside((|place| self.see(place), self.eye.stretch), ends)
    }

    fn tolerance(&self) -> f64 {
        EXACT
    }
}

/// Draws a path over everything. What floors hide is dashed.
fn draw_path(svg: &mut String, course: &Course, sight: &Aside, color: &str) {
    let frame = sight.frame;
    for stretch in &course.stretches {
        match stretch {
            Stretch::Walk { points, is_shown, .. } => {
                let parts = match &points[..] {
                    [_] => vec![(false, points.clone())],
                    points => sight.cut(points),
                };
                for (is_hidden, points) in parts {
                    let mut line = PathText::default();
                    line.line(points.into_iter().map(|point| sight.see(point)));
                    if is_hidden || !is_shown {
                        route::draw_elsewhere(svg, &line, frame, color);
                        continue;
                    }
                    legend::line_element(svg, &line, PAPER, 4.4 * frame.ui, " stroke-opacity=\".8\"");
                    legend::line_element(svg, &line, color, 2.2 * frame.ui, "");
                }
            }
            Stretch::Link { ends, is_shown } => {
                links::draw_taken(svg, frame, &sight.arch(*ends), color, *is_shown);
            }
        }
    }
    route::ends(svg, course.ends.map(|end| end.map(|point| sight.see(point))), frame, color);
}
