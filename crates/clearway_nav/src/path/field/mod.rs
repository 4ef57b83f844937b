//! Distance fields: how far it is from every place to the nearest of some goals, found once and asked often.
//!
//! For a point the field is exact. It holds the beams of a continuous Dijkstra, a few for each cell, and the distance
//! at a place is the least over the beams of its cell that hold it: on maps of some thousand cells 2 to 8 for each
//! cell on average. Making it costs as much as some ten to hundred searches, asking a microsecond or a few.
//!
//! For a body with a radius it is not exact: see [`DistanceField::distance`].

mod flee;
#[cfg(test)]
pub(super) mod tests;
mod within;

pub use within::Within;

use super::query::{NoPath, Place};
use super::roadmap::{Lengths, Reached, Roadmap};
use super::search::{Beams, Extent, WalkEnd};
use crate::mesh::NavMesh;
use crate::query::Location;
use clearway_geometry::{NONE, Vec2};

/// How far a distance field goes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
#[non_exhaustive]
pub struct FieldOptions {
    /// Places farther from all goals than this are left out, in metres.
    pub max_distance: f64,
    /// The room it may take, in beams of about 50 bytes. Where there would be more it ends at a lesser distance:
    /// [`DistanceField::reach`].
    pub max_beams: usize,
}

clearway_base::setters!(FieldOptions { max_distance: f64, max_beams: usize });

impl Default for FieldOptions {
    fn default() -> FieldOptions {
        FieldOptions { max_distance: f64::INFINITY, max_beams: 1 << 21 }
    }
}

/// How far every place is from the nearest of some goals. Made by [`NavMesh::distance_field`]; it belongs to that mesh,
/// and on another one all its answers are empty.
#[derive(Clone, Debug)]
pub struct DistanceField {
    /// Tells the mesh.
    serial: u64,
    /// In metres.
    radius: f64,
    unit: f64,
    beams: Beams,
    /// For a body with a radius: ways over a graph of places.
    ways: Option<(Roadmap, Reached)>,
    /// The goals in use, in the order of the question.
    goals: Vec<Location>,
}

impl NavMesh {
    /// The walking distances of a body from all places to the nearest of the goals. Goals that are not on this mesh
    /// are passed over, and so are those where the body cannot stand.
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

    /// The field of goals where the body can stand.
    fn field_of(&self, goals: Vec<Location>, radius: f64, options: &FieldOptions) -> DistanceField {
        let places: Vec<(Vec2, u32)> =
            goals.iter().map(|goal| (self.parts.grid.units(goal.position), goal.cell.0)).collect();
        // What is not a number reaches nowhere.
        let reach = options.max_distance.max(0.0) / self.unit();
        let extent = Extent { reach, max_beams: options.max_beams, turns: true };
        let beams = Beams::gather(self, &places, extent);
        let ways = (radius > 0.0).then(|| {
            let mut map = Roadmap::new(self, radius / self.unit(), &places);
            map.link_turns(self.graph(), &beams);
            let (reached, _) = map.search(self, 0..places.len() as u32, 0..0, &Lengths);
            (map, reached)
        });
        DistanceField { serial: self.graph().serial, radius, unit: self.unit(), beams, ways, goals }
    }
}

/// Where to go from a place, and how far it is along there, in grid units.
struct Onward {
    length: f64,
    towards: Vec2,
}

impl DistanceField {
    /// The walking distance from a place to the nearest goal, in metres. `None` where no goal is within
    /// [`reach`](DistanceField::reach), and for locations that are not of this mesh.
    ///
    /// For a point this is the length of the shortest path. For a body with a radius it is an upper bound: the length of
    /// a way that the body can walk, which bends only at a few places of each portal and around each corner. On random
    /// plans it was 0.04 % above the shortest on average and 17 % at worst; where a body just fits through there may
    /// be none. The shortest one is never below [`least_distance`](DistanceField::least_distance).
    pub fn distance(&self, mesh: &NavMesh, at: Location) -> Option<f64> {
        self.onward(mesh, at).map(|onward| onward.length * self.unit)
    }

    /// The walking distance of a point, in metres: what a body of any radius walks at least.
    pub fn least_distance(&self, mesh: &NavMesh, at: Location) -> Option<f64> {
        self.walk_end(mesh, at).map(|end| end.length * self.unit)
    }

    /// The direction of length one that leads to the nearest goal. `None` at the goal itself, and where the distance is
    /// not known.
    pub fn direction(&self, mesh: &NavMesh, at: Location) -> Option<[f64; 2]> {
        let onward = self.onward(mesh, at)?;
        let way = onward.towards - mesh.parts.grid.units(at.position);
        let direction = way.unit();
        (way.length() > 0.0 && direction.x.is_finite()).then_some([direction.x, direction.y])
    }

    /// The places where the shortest way of a point from here turns, and the goal at its end, in plan coordinates.
    /// Empty where the distance is not known.
    pub fn turns(&self, mesh: &NavMesh, at: Location) -> Vec<[f64; 2]> {
        let mut number = self.walk_end(mesh, at).map_or(NONE, |end| end.turn);
        let mut places = Vec::new();
        while let Some(turn) = self.beams.turn(number) {
            places.push(mesh.parts.grid.place(turn.at));
            number = turn.parent;
        }
        places
    }

    /// The goal that is nearest for a point.
    pub fn nearest_goal(&self, mesh: &NavMesh, at: Location) -> Option<Location> {
        let turn = self.beams.turn(self.walk_end(mesh, at)?.turn)?;
        self.goals.get(turn.source as usize).copied()
    }

    /// Up to which distance the field goes, in metres; infinite where it was not limited.
    pub fn reach(&self) -> f64 {
        self.beams.reach * self.unit
    }

    /// The radius it was made for, in metres.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    fn is_of(&self, mesh: &NavMesh, at: &Location) -> bool {
        self.serial == mesh.graph().serial && mesh.is_here(at)
    }

    /// The shortest walk of a point.
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

    fn onward(&self, mesh: &NavMesh, at: Location) -> Option<Onward> {
        let Some((map, reached)) = &self.ways else {
            let end = self.walk_end(mesh, at)?;
            return Some(Onward { length: end.length, towards: self.beams.turn(end.turn)?.at });
        };
        if !self.is_of(mesh, &at) || mesh.clearance(at)? < self.radius {
            return None;
        }
        let spot = mesh.parts.grid.units(at.position);
        let mut near: Vec<(f64, u32)> = self
            .spots_near(mesh, map, spot, at)
            .into_iter()
            .map(|next| (reached.costs[next as usize] + map.spots[next as usize].at.distance(spot), next))
            .filter(|(length, _)| *length <= self.beams.reach && length.is_finite())
            .collect();
        near.sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
        let free = |next: u32| map.is_free(mesh, spot, at.cell.0, map.spots[next as usize].at);
        let (length, next) = near.into_iter().find(|(_, next)| free(*next))?;
        Some(Onward { length, towards: map.spots[next as usize].at })
    }

    /// The spots of the graph in the cell of a place, and those around the corner where a point would turn next.
    fn spots_near(&self, mesh: &NavMesh, map: &Roadmap, spot: Vec2, at: Location) -> Vec<u32> {
        let mut cells = Vec::new();
        mesh.cells_at(spot, at.cell.0, &mut cells);
        let turn = self.walk_end(mesh, at).map_or(NONE, |end| end.turn);
        let ahead = map.around(mesh.graph(), &self.beams, turn);
        cells.iter().flat_map(|cell| map.spots_of(*cell).iter().copied()).chain(ahead).collect()
    }
}
