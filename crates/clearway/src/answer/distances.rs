//! Walking distances from everywhere to the nearest exit.
//!
//! The ground is cut into tiles. Each is measured at its centre, and at its corners for the greatest distance. Shares and
//! means are by area. An exit that is a line or an area stands for points on it, close to each other.

use super::question::{point_in, point_of};
use super::words::{Point, Table, measure, short, short_point, to_millimetres};
use clearway_nav::mesh::{CellId, ComponentId, MeshPlace};
use clearway_nav::path::{DistanceField, FieldOptions, NoPath, Path, PathQuery};
use clearway_nav::query::{Position, Tile, in_world};
use clearway_nav::{Location, NavMesh, OffMesh};
use serde::Serialize;
use std::collections::BTreeMap;

/// The usual number of tiles: enough for smooth pictures, and measured within a second or two.
const USUAL_TILES: f64 = 20_000.0;
/// The least side of a tile in metres, unless it is asked for.
const LEAST_SIDE: f64 = 0.05;
/// The distance in metres between the points that stand for a line, unless there would be too many.
const GOAL_SPACING: f64 = 0.1;
/// The greatest number of points that stand for all exits.
const MOST_GOALS: f64 = 2048.0;
/// The difference in metres between the height of an area and ground that belongs to it: less than half a storey.
const SAME_FLOOR: f64 = 1.25;
/// The greatest distance in metres between the printed path and its arcs.
const FINE: f64 = 0.01;

/// Where one can leave.
#[derive(Clone, Debug, PartialEq)]
pub enum Exit {
    /// A point, a line of two or an area of more corners.
    Shape(Vec<Point>),
    /// All cells of an area class, or the places with this name or role.
    Area(String),
}

impl std::fmt::Display for Exit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Exit::Shape(corners) => {
                let corners: Vec<String> = corners.iter().map(Point::to_string).collect();
                f.write_str(&corners.join(":"))
            }
            Exit::Area(name) => f.write_str(name),
        }
    }
}

/// The reason why there are no distances.
#[derive(Clone, Debug, PartialEq)]
pub enum NoDistances {
    /// No area class and no place has this name.
    UnknownName {
        /// The name.
        name: String,
        /// The names that there are.
        known: Vec<String>,
        /// The words about named places, on a mesh that has some.
        message: Option<String>,
    },
    /// No part of an exit lies on the mesh.
    OffMesh {
        /// The exit in words.
        exit: String,
        /// The nearest place, for a point.
        nearest: Option<Point>,
        /// Its distance in metres.
        distance: Option<f64>,
    },
    /// The body fits at no exit.
    TooClose {
        /// The most room at an exit, in metres.
        clearance: f64,
    },
}

impl std::fmt::Display for NoDistances {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoDistances::UnknownName { message: Some(message), .. } => f.write_str(message),
            NoDistances::UnknownName { name, known, .. } if known.is_empty() => {
                write!(
                    f,
                    "there is no area class and no place {name:?}; this mesh has neither, so name a point or an area"
                )
            }
            NoDistances::UnknownName { name, known, .. } => {
                write!(f, "there is no area class {name:?}; there are {}", known.join(", "))
            }
            NoDistances::OffMesh { exit, nearest: Some(nearest), distance } => {
                let (nearest, away) = (short_point(*nearest), short(to_millimetres(distance.unwrap_or(0.0))));
                write!(f, "the exit {exit} is not on the mesh; the nearest place is {nearest}, {away} m away")
            }
            NoDistances::OffMesh { exit, .. } => write!(f, "no part of the exit {exit} is on the mesh"),
            NoDistances::TooClose { clearance } => {
                let clearance = to_millimetres(*clearance);
                write!(f, "the body fits at no exit: walls are {clearance} m away at most")
            }
        }
    }
}

/// The distances of one connected piece. Lengths are in metres, areas in square metres.
#[derive(Clone, Debug, Serialize)]
pub struct PieceDistances {
    /// The id of the piece.
    pub component: u32,
    /// Its area.
    pub area: f64,
    /// The area from which the body gets to an exit.
    pub reached: f64,
    /// The area where the body has room, but no way to an exit.
    pub cut_off: f64,
    /// The area too close to walls for the body.
    pub no_room: f64,
    /// The mean distance; `None` if nothing is reached.
    pub mean: Option<f64>,
    /// Half of the area is at most so far from an exit.
    pub median: Option<f64>,
    /// 90 % of the area are at most so far from an exit.
    pub p90: Option<f64>,
    /// 95 % of the area are at most so far from an exit.
    pub p95: Option<f64>,
    /// The greatest distance.
    pub max: Option<f64>,
    /// The place with the greatest distance.
    pub farthest: Option<Point>,
}

/// The farthest place and the way from there.
#[derive(Clone, Debug, Serialize)]
pub struct Farthest {
    /// The place.
    pub at: Point,
    /// Its distance from the nearest exit, in metres.
    pub distance: f64,
    /// The way.
    pub points: Vec<Point>,
}

/// The answer for programs.
#[derive(Clone, Debug, Serialize)]
pub struct DistancesReport {
    /// The exits in words.
    pub exits: Vec<String>,
    /// The radius of the body.
    pub radius: f64,
    /// The side of the tiles.
    pub spacing: f64,
    /// The number of tiles.
    pub tiles: usize,
    /// All pieces together.
    pub all: PieceDistances,
    /// The pieces, the largest first.
    pub components: Vec<PieceDistances>,
    /// The farthest place.
    pub farthest: Option<Farthest>,
    /// Remarks.
    pub notes: Vec<String>,
}

/// A tile with its distances.
#[derive(Clone, Debug)]
pub struct MeasuredTile {
    /// The tile.
    pub tile: Tile,
    /// The distance of its centre; `None` where it is not known.
    pub centre: Option<f64>,
    /// The distances of its corners.
    pub corners: Vec<Option<f64>>,
    /// True if the body has room at its centre. Without a distance such a tile is cut off.
    pub has_room: bool,
}

/// The measured distances of a mesh.
#[derive(Clone, Debug)]
pub struct Distances {
    /// All tiles.
    pub tiles: Vec<MeasuredTile>,
    /// The way from the farthest place.
    pub path: Option<Path>,
    /// The answer for programs and people.
    pub report: DistancesReport,
}

/// The points that stand for the exits, and the ground that belongs to them.
#[derive(Default)]
struct Goals {
    places: Vec<Location>,
    areas: Vec<(Vec<[f64; 2]>, f64)>,
    classes: Vec<u8>,
}

impl Distances {
    /// Measures the distances of a body of this radius to the nearest exit. `spacing` is the side of the tiles in metres;
    /// `None` chooses it by the size of the mesh.
    pub fn of(
        mesh: &NavMesh,
        exits: &[Exit],
        radius: f64,
        spacing: Option<f64>,
    ) -> Result<Distances, NoDistances> {
        let side = spacing.unwrap_or_else(|| (mesh.area() / USUAL_TILES).sqrt().max(LEAST_SIDE));
        let tiles = mesh.tiles(side);
        let goals = Goals::of(mesh, exits, &tiles)?;
        if radius > 0.0 {
            mesh.prepare_paths();
        }
        let field = mesh.distance_field(&goals.places, radius, &FieldOptions::default());
        let field = field.map_err(|reason| match reason {
            NoPath::TooClose { clearance, .. } => NoDistances::TooClose { clearance },
            _ => NoDistances::OffMesh { exit: words(exits).join(" "), nearest: None, distance: None },
        })?;
        let measured: Vec<MeasuredTile> =
            tiles.into_iter().map(|tile| goals.measure(mesh, &field, tile)).collect();
        let mut distances =
            Distances { report: report(mesh, exits, radius, side, &measured), tiles: measured, path: None };
        distances.find_farthest(mesh, &goals, radius);
        Ok(distances)
    }

    /// Finds the way from the farthest place.
    fn find_farthest(&mut self, mesh: &NavMesh, goals: &Goals, radius: f64) {
        let Some((distance, at)) = farthest(self.tiles.iter()) else { return };
        if let Some((first, more)) = goals.places.split_first() {
            let query = PathQuery::new(at, *first).more_goals(more.to_vec()).radius(radius);
            self.path = mesh.find_path(&query).ok();
        }
        let points = self.path.as_ref().map(|path| path.points_in_space(mesh, FINE)).unwrap_or_default();
        self.report.farthest = Some(Farthest {
            at: point_of(mesh, at),
            distance,
            points: points.into_iter().map(|at| point_in(mesh, at)).collect(),
        });
    }
}

impl Goals {
    fn of(mesh: &NavMesh, exits: &[Exit], tiles: &[Tile]) -> Result<Goals, NoDistances> {
        let resolved = exits.iter().map(|exit| shapes_of(mesh, exit)).collect::<Result<Vec<_>, _>>()?;
        let length: f64 = resolved.iter().flatten().map(|exit| border_length(mesh, exit)).sum();
        let step = GOAL_SPACING.max(length / MOST_GOALS);
        let mut goals = Goals::default();
        for (exit, shapes) in exits.iter().zip(&resolved) {
            let before = goals.places.len();
            for shape in shapes {
                match shape {
                    Exit::Area(name) => goals.add_class(mesh, name, step)?,
                    Exit::Shape(corners) => goals.add_shape(mesh, corners, step, tiles),
                }
            }
            if goals.places.len() == before {
                return Err(off_mesh(mesh, exit));
            }
        }
        Ok(goals)
    }

    /// Adds the borders of all cells of an area class.
    fn add_class(&mut self, mesh: &NavMesh, name: &str, step: f64) -> Result<(), NoDistances> {
        let class = mesh.area_names().iter().position(|known| known == name);
        let Some(class) = class.and_then(|class| u8::try_from(class).ok()) else {
            let known = mesh.area_names().to_vec();
            return Err(NoDistances::UnknownName { name: name.to_string(), known, message: None });
        };
        self.classes.push(class);
        for cell in mesh.cells().filter(|cell| cell.area_class() == class) {
            let outline: Vec<[f64; 2]> = cell.outline().collect();
            for (from, to) in outline.iter().zip(outline.iter().cycle().skip(1)) {
                let along = stops([*from, *to], step).into_iter();
                self.places.extend(along.map(|at| Location::in_cell(cell.id(), at)));
            }
        }
        Ok(())
    }

    /// Adds a point, the points of a line, or the border and the inside of an area.
    fn add_shape(&mut self, mesh: &NavMesh, corners: &[Point], step: f64, tiles: &[Tile]) {
        let places: Vec<[f64; 3]> = corners.iter().map(|corner| corner.in_space()).collect();
        if let [only] = places[..] {
            self.places.extend(mesh.locate(only).ok());
            return;
        }
        let sides = if places.len() > 2 { places.len() } else { 1 };
        for (from, to) in places.iter().zip(places.iter().cycle().skip(1)).take(sides) {
            let shares = stops([[0.0, 0.0], [length([*from, *to]), 0.0]], step);
            let whole = shares.last().map_or(1.0, |last| last[0]).max(f64::MIN_POSITIVE);
            let place =
                |at: &[f64; 2]| [0, 1, 2].map(|axis| from[axis] + (to[axis] - from[axis]) * at[0] / whole);
            self.places.extend(shares.iter().filter_map(|at| mesh.locate(place(at)).ok()));
        }
        if places.len() > 2 {
            let height = places.iter().map(|at| at[1]).sum::<f64>() / places.len() as f64;
            let outline: Vec<[f64; 2]> = places.iter().map(|at| at.plan()).collect();
            self.areas.push((outline, height));
            let inside = tiles.iter().map(Tile::location).filter(|at| self.is_inside(mesh, *at));
            let inside: Vec<Location> = inside.take(MOST_GOALS as usize).collect();
            self.places.extend(inside);
        }
    }

    /// True if a place belongs to an exit.
    fn is_inside(&self, mesh: &NavMesh, at: Location) -> bool {
        let class = mesh.cell(at.cell()).map(|cell| cell.area_class());
        let is_of_class = class.is_some_and(|class| self.classes.contains(&class));
        is_of_class
            || self.areas.iter().any(|(outline, height)| {
                let is_level = !mesh.has_heights() || (mesh.height(at) - height).abs() < SAME_FLOOR;
                is_level && holds(outline, at.position())
            })
    }

    fn distance(&self, mesh: &NavMesh, field: &DistanceField, at: Location) -> Option<f64> {
        let has_room =
            || field.radius() == 0.0 || mesh.clearance(at).is_some_and(|room| room >= field.radius());
        if self.is_inside(mesh, at) && has_room() { Some(0.0) } else { field.distance(mesh, at) }
    }

    fn measure(&self, mesh: &NavMesh, field: &DistanceField, tile: Tile) -> MeasuredTile {
        let of = |at: [f64; 2]| self.distance(mesh, field, Location::in_cell(tile.cell, at));
        let (centre, corners) = (of(tile.centre), tile.outline.iter().map(|at| of(*at)).collect());
        let room = || mesh.clearance(tile.location()).is_some_and(|room| room >= field.radius());
        let has_room = centre.is_some() || room();
        MeasuredTile { tile, centre, corners, has_room }
    }
}

impl MeasuredTile {
    /// Returns all distances with their places.
    fn places(&self) -> impl Iterator<Item = (f64, [f64; 2])> + '_ {
        let corners =
            self.tile.outline.iter().zip(&self.corners).filter_map(|(at, far)| Some(((*far)?, *at)));
        corners.chain(self.centre.map(|far| (far, self.tile.centre)))
    }
}

/// Returns the shapes of an exit. A name that is no area class stands for named places of the mesh.
fn shapes_of(mesh: &NavMesh, exit: &Exit) -> Result<Vec<Exit>, NoDistances> {
    let name = match exit {
        Exit::Area(name) if !mesh.area_names().contains(name) => name,
        known => return Ok(vec![known.clone()]),
    };
    let places = mesh.places_named(name).map_err(|message| {
        let known = mesh.area_names().to_vec();
        let message = Some(message).filter(|_| !mesh.places().is_empty());
        NoDistances::UnknownName { name: name.clone(), known, message }
    })?;
    let corner = |height: f64, at: [f64; 2]| point_in(mesh, in_world(at, height));
    let shape = |place: &&MeshPlace| place.points.iter().map(|at| corner(place.height, *at)).collect();
    Ok(places.iter().map(shape).map(Exit::Shape).collect())
}

/// Returns the farthest place of some tiles; of equals the first.
fn farthest<'a>(tiles: impl Iterator<Item = &'a MeasuredTile>) -> Option<(f64, Location)> {
    let places = tiles.flat_map(|tile| {
        tile.places().map(|(far, at)| (far, Location::in_cell(tile.tile.cell, at))).collect::<Vec<_>>()
    });
    places.reduce(|best, other| if other.0 > best.0 { other } else { best })
}

/// Puts the figures together.
fn report(mesh: &NavMesh, exits: &[Exit], radius: f64, side: f64, tiles: &[MeasuredTile]) -> DistancesReport {
    let component = |cell: CellId| {
        mesh.cell(cell).map_or(0, |cell| {
            let ComponentId(id) = cell.component();
            id
        })
    };
    let mut pieces: BTreeMap<u32, Vec<&MeasuredTile>> = BTreeMap::new();
    for tile in tiles {
        pieces.entry(component(tile.tile.cell)).or_default().push(tile);
    }
    let mut components: Vec<PieceDistances> =
        pieces.iter().map(|(id, tiles)| piece(mesh, *id, tiles)).collect();
    components.sort_by(|p, q| q.area.total_cmp(&p.area).then(p.component.cmp(&q.component)));
    let all: Vec<&MeasuredTile> = tiles.iter().collect();
    let mut notes = Vec::new();
    if mesh.has_heights() {
        notes.push("distances are those in the plan, as lengths of paths are".to_string());
    }
    if mesh.link_count() > 0 {
        notes
            .push(format!("distances are walked: the {} links of the mesh are not taken", mesh.link_count()));
    }
    DistancesReport {
        exits: words(exits),
        radius,
        spacing: side,
        tiles: tiles.len(),
        all: piece(mesh, 0, &all),
        components,
        farthest: None,
        notes,
    }
}

/// Returns the figures of some tiles.
fn piece(mesh: &NavMesh, component: u32, tiles: &[&MeasuredTile]) -> PieceDistances {
    let area = |tiles: &[&MeasuredTile]| tiles.iter().fold(0.0, |sum, tile| sum + tile.tile.area);
    let (mut reached, missed): (Vec<&MeasuredTile>, Vec<&MeasuredTile>) =
        tiles.iter().partition(|tile| tile.centre.is_some());
    let (cut_off, no_room): (Vec<&MeasuredTile>, Vec<&MeasuredTile>) =
        missed.into_iter().partition(|tile| tile.has_room);
    reached.sort_by(|p, q| p.centre.unwrap_or(0.0).total_cmp(&q.centre.unwrap_or(0.0)));
    let whole = area(&reached);
    let weighted = reached.iter().map(|tile| tile.tile.area * tile.centre.unwrap_or(0.0)).sum::<f64>();
    let quantile = |share: f64| {
        let mut sum = 0.0;
        let mut upto = reached.iter().skip_while(|tile| {
            sum += tile.tile.area;
            sum < share * whole
        });
        upto.next().or(reached.last()).and_then(|tile| tile.centre)
    };
    let most = farthest(tiles.iter().copied());
    PieceDistances {
        component,
        area: area(tiles),
        reached: whole,
        cut_off: area(&cut_off),
        no_room: area(&no_room),
        mean: (whole > 0.0).then(|| weighted / whole),
        median: quantile(0.5),
        p90: quantile(0.9),
        p95: quantile(0.95),
        max: most.map(|(far, _)| far),
        farthest: most.map(|(_, at)| point_of(mesh, at)),
    }
}

impl DistancesReport {
    /// The report for people.
    pub fn text(&self, title: &str) -> String {
        let mut table = Table::default();
        self.all.rows(&mut table);
        if let Some(farthest) = &self.farthest {
            let (at, count) = (short_point(farthest.at), farthest.points.len());
            table.row(
                "farthest",
                to_millimetres(farthest.distance),
                format!("m, from {at}; its way has {count} points"),
            );
        }
        table.row("tiles", self.tiles, format!("{} m wide", measure(self.spacing)));
        let mut text = format!(
            "{title}: walking distances to {}, radius {} m\n",
            self.exits.join(", "),
            short(self.radius)
        );
        text += &super::question::note_lines(&self.notes);
        text += &table.text();
        if self.components.len() > 1 {
            text += &self.pieces_text();
        }
        text
    }

    /// One line for each of the largest pieces.
    fn pieces_text(&self) -> String {
        const MOST_LISTED: usize = 20;
        let mut table = Table::default();
        for piece in self.components.iter().take(MOST_LISTED) {
            let remark = match (piece.mean, piece.max, piece.farthest) {
                (Some(mean), Some(max), Some(at)) => format!(
                    "m\u{b2}; mean {} m, most {} m at {}",
                    measure(mean),
                    measure(max),
                    short_point(at)
                ),
                _ => "m\u{b2}; no way to an exit".to_string(),
            };
            table.row(&format!("piece {}", piece.component), measure(piece.area), remark);
        }
        if self.components.len() > MOST_LISTED {
            table.row("", self.components.len() - MOST_LISTED, "more pieces; --json lists all");
        }
        table.text()
    }
}

impl PieceDistances {
    fn rows(&self, table: &mut Table) {
        table.row("area", measure(self.area), "m\u{b2}");
        table.row("reached", measure(self.reached), "m\u{b2} have a way to an exit");
        for (area, name, remark) in [
            (self.cut_off, "cut off", "m\u{b2} have no way to an exit"),
            (self.no_room, "no room", "m\u{b2} are closer to walls than the radius"),
        ] {
            if area > 0.0 {
                table.row(name, measure(area), remark);
            }
        }
        let rows = [("mean", self.mean), ("median", self.median), ("90 %", self.p90), ("95 %", self.p95)];
        for (name, far) in rows.into_iter().chain([("most", self.max)]) {
            if let Some(far) = far {
                table.row(name, to_millimetres(far), "m");
            }
        }
    }
}

/// Returns the exits in words.
fn words(exits: &[Exit]) -> Vec<String> {
    exits.iter().map(Exit::to_string).collect()
}

/// Returns the refusal for an exit off the mesh.
fn off_mesh(mesh: &NavMesh, exit: &Exit) -> NoDistances {
    let off: Option<OffMesh> = match exit {
        Exit::Shape(corners) if corners.len() == 1 => mesh.locate(corners[0].in_space()).err(),
        _ => None,
    };
    NoDistances::OffMesh {
        exit: exit.to_string(),
        nearest: off.and_then(|off| off.nearest).map(|at| point_of(mesh, at)),
        distance: off.map(|off| off.distance),
    }
}

/// Returns the length of the border of an exit in metres.
fn border_length(mesh: &NavMesh, exit: &Exit) -> f64 {
    match exit {
        Exit::Shape(corners) => {
            let places: Vec<[f64; 3]> = corners.iter().map(|corner| corner.in_space()).collect();
            places.iter().zip(places.iter().cycle().skip(1)).map(|(a, b)| length([*a, *b])).sum()
        }
        Exit::Area(name) => {
            let class = mesh.area_names().iter().position(|known| known == name);
            let cells = mesh.cells().filter(|cell| Some(usize::from(cell.area_class())) == class);
            let outline = cells.map(|cell| {
                let outline: Vec<[f64; 2]> = cell.outline().collect();
                let next = outline.iter().cycle().skip(1);
                outline.iter().zip(next).map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1])).sum::<f64>()
            });
            outline.sum()
        }
    }
}

/// Returns the length of a line in space.
fn length([a, b]: [[f64; 3]; 2]) -> f64 {
    clearway_nav::mesh::distance(a, b)
}

/// Returns points on a line, both ends included, at most `step` apart.
fn stops([from, to]: [[f64; 2]; 2], step: f64) -> Vec<[f64; 2]> {
    let count = ((to[0] - from[0]).hypot(to[1] - from[1]) / step).ceil().clamp(1.0, MOST_GOALS) as usize;
    let at = |i: usize| [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * i as f64 / count as f64);
    (0..=count).map(at).collect()
}

/// True if a point lies inside an outline, by the number of sides that a ray to the right crosses.
pub(super) fn holds(outline: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let sides = outline.iter().zip(outline.iter().cycle().skip(1));
    let crosses = |(a, b): &(&[f64; 2], &[f64; 2])| {
        (a[1] > y) != (b[1] > y) && x < a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1])
    };
    sides.filter(crosses).count() % 2 == 1
}
