//! Distance fields: the walking distance from every point to the nearest of some goals, computed once and asked often.
//!
//! For a point the field is exact. It holds the beams of a continuous Dijkstra, a few for each cell. The distance at a
//! point is the least over the beams of its cell that hold it. On maps of a few thousand cells there are 2 to 8 beams
//! per cell on average. Making a field costs as much as ten to a hundred searches; a query takes a few microseconds.
//!
//! For a body with a radius the field is exact if the mesh was prepared ([`NavMesh::prepare_paths`]): it holds the ways
//! to all corners along tangents. Otherwise it is not: see [`DistanceField::distance`].

mod flee;
#[cfg(test)]
pub(super) mod tests;
mod within;

pub use within::Within;

use super::find::with_space;
use super::query::{NoPath, Place};
use super::roadmap::{Lengths, Reached, Roadmap};
use super::search::{Beams, Extent, Goal, TangentField, WalkEnd};
use crate::mesh::NavMesh;
use crate::query::Location;
use clearway_geometry::{NONE, Vec2};

/// The limits of a distance field.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
#[non_exhaustive]
pub struct FieldOptions {
    /// The greatest distance in metres; points farther from all goals are left out.
    pub max_distance: f64,
    /// The largest number of beams, of about 50 bytes each. A field that needs more ends at a lesser distance: see
    /// [`DistanceField::reach`].
    pub max_beams: usize,
}

clearway_base::setters!(FieldOptions { max_distance: f64, max_beams: usize });

impl Default for FieldOptions {
    fn default() -> FieldOptions {
        FieldOptions { max_distance: f64::INFINITY, max_beams: 1 << 21 }
    }
}

/// The walking distance of every point to the nearest of some goals. Made by [`NavMesh::distance_field`]. It belongs to
/// that mesh; on another mesh all its answers are empty.
#[derive(Clone, Debug)]
pub struct DistanceField {
    /// Identifies the mesh.
    serial: u64,
    /// The radius of the body in metres.
    radius: f64,
    /// The size of a grid unit in metres.
    unit: f64,
    /// The shortest ways of a point.
    beams: Beams,
    /// For a body with a radius: its ways.
    ways: Ways,
    /// The goals in use, in the order of the query.
    goals: Vec<Location>,
}

/// The ways of a body.
#[derive(Clone, Debug)]
enum Ways {
    /// Those of a point.
    Point,
    /// Ways along tangents; exact.
    Tangents(TangentField),
    /// Ways over a graph of points, on a mesh that was not prepared.
    Spots(Box<(Roadmap, Reached)>),
}

impl NavMesh {
    /// Computes the walking distances of a body from all points to the nearest goal. Goals that are not on this mesh
    /// are ignored, and so are goals where the body cannot stand.
    ///
    /// ```
    /// # use clearway::{FieldOptions, MeshOptions, NavMesh, PathQuery, Plan, PlanFormat};
    /// let plan = Plan::parse(PlanFormat::Wkt, "POLYGON ((0 0, 6 0, 6 4, 0 4), (2 1, 4 1, 4 3, 2 3))")?;
    /// let mesh = MeshOptions::default().build(&plan)?;
    /// let [goal, here] = [[1.0, 2.0], [5.0, 2.0]].map(|place| mesh.locate(place).unwrap());
    /// let field = mesh.distance_field(&[goal], 0.0, &FieldOptions::default())?;
    /// let path = mesh.find_path(&PathQuery::new(here, goal))?;
    /// assert!((field.distance(&mesh, here).unwrap() - path.length).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn distance_field(
        &self,
        goals: &[Location],
        radius: f64,
        options: &FieldOptions,
    ) -> Result<DistanceField, NoPath> {
        if !(radius >= 0.0 && radius.is_finite()) {
            return Err(NoPath::BadRadius { radius });
        }
        let here: Vec<Location> = goals.iter().copied().filter(|goal| self.is_here(goal)).collect();
        if here.is_empty() {
            return Err(NoPath::OffMesh { place: Place::Goal });
        }
        let room = |goal: &Location| self.clearance(*goal).unwrap_or(0.0);
        let legal: Vec<Location> =
            here.iter().copied().filter(|goal| radius == 0.0 || room(goal) >= radius).collect();
        if legal.is_empty() {
            let clearance = here.iter().map(room).fold(0.0, f64::max);
            return Err(NoPath::TooClose { place: Place::Goal, clearance });
        }
        Ok(self.field_of(legal, radius, options))
    }

    /// Makes the field of goals where the body can stand.
    fn field_of(&self, goals: Vec<Location>, radius: f64, options: &FieldOptions) -> DistanceField {
        let places: Vec<(Vec2, u32)> =
            goals.iter().map(|goal| (self.parts.grid.units(goal.position), goal.cell.0)).collect();
        // A limit that is not a number reaches nowhere.
        let reach = options.max_distance.max(0.0) / self.unit();
        let extent = Extent { reach, max_beams: options.max_beams, turns: true };
        let beams = Beams::gather(self, &places, extent);
        let ways = match self.tangents() {
            _ if radius == 0.0 => Ways::Point,
            Some(index) => {
                let goals = places.iter().map(|(at, cell)| Goal { at: *at, cell: *cell }).collect();
                Ways::Tangents(TangentField::build(self, index, radius / self.unit(), goals, beams.reach))
            }
            None => {
                let mut map = Roadmap::new(self, radius / self.unit(), &places);
                map.link_turns(self.graph(), &beams);
                let (reached, _) = map.search(self, 0..places.len() as u32, 0..0, &Lengths);
                Ways::Spots(Box::new((map, reached)))
            }
        };
        DistanceField { serial: self.graph().serial, radius, unit: self.unit(), beams, ways, goals }
    }
}

/// The next straight move from a point towards a goal.
struct Onward {
    /// The walking distance to the goal along it, in grid units.
    length: f64,
    /// The point to move to, in grid units.
    towards: Vec2,
}

impl DistanceField {
    /// Returns the walking distance from a location to the nearest goal, in metres. `None` if no goal is within
    /// [`reach`](DistanceField::reach), and for locations of another mesh.
    ///
    /// For a point this is the length of the shortest path, and for a body on a mesh that was
    /// [prepared](NavMesh::prepare_paths) as well. On other meshes it is an upper bound for a body: the length
    /// of a way that the body can walk. This way bends only at a few points of each portal and around each corner. On
    /// random plans it was 0.04 % above the shortest on average and 17 % at worst. Where a body just fits through,
    /// there may be no answer. The true distance is never below [`least_distance`](DistanceField::least_distance).
    pub fn distance(&self, mesh: &NavMesh, at: Location) -> Option<f64> {
        self.onward(mesh, at).map(|onward| onward.length * self.unit)
    }

    /// Returns the walking distance of a point, in metres: a body of any radius walks at least as far.
    pub fn least_distance(&self, mesh: &NavMesh, at: Location) -> Option<f64> {
        self.walk_end(mesh, at).map(|end| end.length * self.unit)
    }

    /// Returns the unit direction that leads to the nearest goal. `None` at the goal itself, and where the distance is
    /// not known.
    pub fn direction(&self, mesh: &NavMesh, at: Location) -> Option<[f64; 2]> {
        let onward = self.onward(mesh, at)?;
        let way = onward.towards - mesh.parts.grid.units(at.position);
        let direction = way.unit();
        (way.length() > 0.0 && direction.x.is_finite()).then_some([direction.x, direction.y])
    }

    /// Returns the corners at which the shortest way of a point from here turns, and the goal at its end, in plan
    /// coordinates. Empty where the distance is not known.
    pub fn turns(&self, mesh: &NavMesh, at: Location) -> Vec<[f64; 2]> {
        let mut number = self.walk_end(mesh, at).map_or(NONE, |end| end.turn);
        let mut places = Vec::new();
        while let Some(turn) = self.beams.turn(number) {
            places.push(mesh.parts.grid.place(turn.at));
            number = turn.parent;
        }
        places
    }

    /// Returns the goal that is nearest for a point.
    pub fn nearest_goal(&self, mesh: &NavMesh, at: Location) -> Option<Location> {
        let turn = self.beams.turn(self.walk_end(mesh, at)?.turn)?;
        self.goals.get(turn.source as usize).copied()
    }

    /// Returns the distance in metres up to which the field goes; infinite if it was not limited.
    pub fn reach(&self) -> f64 {
        self.beams.reach * self.unit
    }

    /// Returns the radius for which the field was made, in metres.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// True if the field and the location belong to this mesh.
    fn is_of(&self, mesh: &NavMesh, at: &Location) -> bool {
        self.serial == mesh.graph().serial && mesh.is_here(at)
    }

    /// Returns the end of the shortest walk of a point.
    fn walk_end(&self, mesh: &NavMesh, at: Location) -> Option<WalkEnd> {
        if !self.is_of(mesh, &at) {
            return None;
        }
        let (layout, spot) = (mesh.graph(), mesh.parts.grid.units(at.position));
        let mut cells = Vec::new();
        mesh.cells_at(spot, at.cell.0, &mut cells);
        let ends = cells.iter().filter_map(|cell| self.beams.shortest(layout, spot, *cell));
        ends.min_by(|p, q| p.length.total_cmp(&q.length).then(p.turn.cmp(&q.turn)))
    }

    /// Returns the next straight move of the body.
    fn onward(&self, mesh: &NavMesh, at: Location) -> Option<Onward> {
        if let Ways::Point = &self.ways {
            let end = self.walk_end(mesh, at)?;
            return Some(Onward { length: end.length, towards: self.beams.turn(end.turn)?.at });
        }
        if !self.is_of(mesh, &at) {
            return None;
        }
        let spot = mesh.parts.grid.units(at.position);
        match &self.ways {
            Ways::Point => None,
            Ways::Tangents(ways) => {
                let index = mesh.tangents()?;
                let found = with_space(|space| ways.onward(mesh, index, (spot, at.cell.0), space))?;
                let (length, towards) = found;
                (length <= self.beams.reach).then_some(Onward { length, towards })
            }
            Ways::Spots(ways) if mesh.clearance(at)? >= self.radius => {
                self.onward_over_spots(mesh, at, spot, ways)
            }
            Ways::Spots(_) => None,
        }
    }

    /// Returns the next straight move of the body over a graph of points.
    fn onward_over_spots(
        &self,
        mesh: &NavMesh,
        at: Location,
        spot: Vec2,
        (map, reached): &(Roadmap, Reached),
    ) -> Option<Onward> {
        let mut near: Vec<(f64, u32)> = self
            .spots_near(mesh, map, spot, at)
            .into_iter()
            .map(|next| (reached.costs[next as usize] + map.spots[next as usize].at.distance(spot), next))
            .filter(|(length, _)| *length <= self.beams.reach && length.is_finite())
            .collect();
        near.sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
        // The free test is costly, so spots take it in the order of their length until one passes.
        let free = |next: u32| map.is_free(mesh, spot, at.cell.0, map.spots[next as usize].at);
        let (length, next) = near.into_iter().find(|(_, next)| free(*next))?;
        Some(Onward { length, towards: map.spots[next as usize].at })
    }

    /// Returns the spots of the graph in the cell of a location, and those around the corner where a point would turn
    /// next.
    fn spots_near(&self, mesh: &NavMesh, map: &Roadmap, spot: Vec2, at: Location) -> Vec<u32> {
        let mut cells = Vec::new();
        mesh.cells_at(spot, at.cell.0, &mut cells);
        let turn = self.walk_end(mesh, at).map_or(NONE, |end| end.turn);
        let ahead = map.around(mesh.graph(), &self.beams, turn);
        cells.iter().flat_map(|cell| map.spots_of(*cell).iter().copied()).chain(ahead).collect()
    }
}
