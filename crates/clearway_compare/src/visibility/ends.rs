//! Turns a query in metres into two legal points in grid units, and a route back into a path in metres.

use super::graph::Obstacles;
use super::search::Route;
use super::sector::{Fan, Spot, height};
use super::units;
use super::walls::{Hold, Stand, slack};
use clearway_geometry::{NONE, Vec2, vec2::segment_distance};
use clearway_nav::mesh::NavMesh;
use clearway_nav::path::cells_under;
use clearway_nav::path::{NoPath, Path, Piece, Place};
use clearway_nav::query::Location;

/// Points nearer to the end of a wall than this, in grid units, count as lying on it.
const AT_VERTEX: f64 = 1e-6;

/// A query as it was asked.
pub(super) struct Request {
    /// The start.
    pub start: Location,
    /// The goal.
    pub goal: Location,
    /// The radius in metres.
    pub radius: f64,
}

/// Two points where the body can stand.
#[derive(Clone, Copy)]
pub(super) struct Ends {
    /// Start and goal.
    pub places: [Location; 2],
    /// Start and goal with the walls that they touch.
    pub stands: [Stand; 2],
    /// The radius in grid units.
    pub radius: f64,
    /// The radius in metres.
    metres: f64,
}

impl Request {
    /// Checks the radius and both ends.
    pub fn check(&self, mesh: &NavMesh, obstacles: &Obstacles) -> Result<Ends, NoPath> {
        if !(self.radius >= 0.0 && self.radius.is_finite()) {
            return Err(NoPath::BadRadius { radius: self.radius });
        }
        let radius = units(mesh, self.radius);
        let places = [self.start, self.goal];
        for (location, place) in places.iter().zip([Place::Start, Place::Goal]) {
            if !mesh.is_here(location) {
                return Err(NoPath::OffMesh { place });
            }
            let clearance = obstacles.walls.clearance(mesh.parts().grid.units(location.position()));
            if clearance < radius - slack(radius) {
                return Err(NoPath::TooClose { place, clearance: clearance * mesh.unit() });
            }
        }
        let stands = places.map(|location| stand(mesh, &location, radius));
        Ok(Ends { places, stands, radius, metres: self.radius })
    }
}

impl Ends {
    /// True if a body that is small enough gets from one to the other.
    pub fn is_connected(&self, mesh: &NavMesh) -> bool {
        let [start, goal] = self.places.map(|place| mesh.parts().cell_component.get(place.cell().index()));
        start == goal
    }

    /// Returns the same points for another radius in metres.
    pub fn with_radius(&self, mesh: &NavMesh, metres: f64) -> Ends {
        let radius = units(mesh, metres);
        Ends { stands: self.places.map(|location| stand(mesh, &location, radius)), radius, metres, ..*self }
    }

    /// Returns the path along a route between them.
    pub fn path(&self, mesh: &NavMesh, obstacles: &Obstacles, route: &Route) -> Path {
        let [start, goal] = self.places.map(|location| location.position());
        let mut pen = Pen { at: start, pieces: Vec::new(), length: 0.0 };
        for bend in &route.bends {
            let [from, to] = [bend.from, bend.to].map(|at| mesh.parts().grid.place(at));
            pen.line_to(from);
            if self.radius > 0.0 {
                let center = mesh.parts().grid.place(obstacles.corners[bend.corner as usize].at);
                pen.arc_to(center, to, bend.angle, self.metres);
            }
        }
        pen.line_to(goal);
        let straight = self.stands.map(|stand| stand.at);
        let clearance = if route.bends.is_empty() { nearest_wall(obstacles, straight) } else { self.radius };
        let (cells, portals) = cells_under(mesh, self.places[0].cell().0, &pen.pieces);
        Path {
            start,
            goal,
            pieces: pen.pieces,
            cells,
            portals,
            length: pen.length,
            cost: pen.length,
            radius: self.metres,
            clearance: clearance * mesh.unit(),
            expansions: route.expansions,
            ..Path::default()
        }
    }
}

/// Returns the distance from a straight piece to the nearest wall, in grid units.
fn nearest_wall(obstacles: &Obstacles, [a, b]: [Vec2; 2]) -> f64 {
    let distances = obstacles.walls.list.iter().map(|wall| segment_distance(a, b, wall.from, wall.to));
    distances.fold(f64::INFINITY, f64::min)
}

/// Appends pieces one after the other and leaves out those without length.
struct Pen {
    /// The current point, in plan coordinates.
    at: [f64; 2],
    /// The pieces so far.
    pieces: Vec<Piece>,
    /// Their length in metres.
    length: f64,
}

impl Pen {
    /// Appends a segment.
    fn line_to(&mut self, to: [f64; 2]) {
        let from = std::mem::replace(&mut self.at, to);
        if from != to {
            self.pieces.push(Piece::Segment { from, to });
            self.length += (to[0] - from[0]).hypot(to[1] - from[1]);
        }
    }

    /// Appends an arc.
    fn arc_to(&mut self, center: [f64; 2], to: [f64; 2], turn: f64, radius: f64) {
        let from = std::mem::replace(&mut self.at, to);
        if from != to {
            self.pieces.push(Piece::Arc { center, from, to, turn });
            self.length += radius * turn.abs();
        }
    }
}

/// Finds the wall or vertex that a point touches. Only bodies without a radius can touch walls.
fn stand(mesh: &NavMesh, location: &Location, radius: f64) -> Stand {
    let spot = mesh.parts().grid.units(location.position());
    if radius > 0.0 {
        return Stand { at: spot, hold: Hold::Open };
    }
    let (layout, cell) = (mesh.graph(), location.cell().0);
    let at = Spot::of(spot).as_vec2();
    if let Some(side) = layout.sides(cell).find(|side| at.distance(layout.start[*side]) <= AT_VERTEX) {
        let fan = Fan::new(layout);
        let hold = fan.sector_wall(side).map_or(Hold::Open, |wall| Hold::Vertex {
            vertex: layout.vertex[side],
            sector: fan.sector(wall),
        });
        return Stand { at: layout.start[side], hold };
    }
    let mut walls = layout.sides(cell).filter(|side| layout.twin[*side] == NONE);
    let touched = walls.find_map(|side| {
        let [from, to] = layout.ends(cell, side);
        // A portal may continue the line of the wall, so the distance is tested as well.
        let is_on = height(from, to, at) <= 0.0 && at.distance_to_segment(from, to) <= AT_VERTEX;
        is_on.then_some(Hold::Wall { from, to })
    });
    Stand { at, hold: touched.unwrap_or(Hold::Open) }
}
