//! Flight: the way to the point farthest from threats.

use super::{DistanceField, FieldOptions};
use crate::mesh::NavMesh;
use crate::path::{NoPath, Path, PathQuery, Place};
use crate::query::Location;
use crate::tolerances::shares::{NO_NEARER, OFF_CORNERS, OFF_WALLS};
use clearway_geometry::{NONE, Vec2};

/// The number of random points considered beside the corners and middles of cells.
const RANDOM_PLACES: usize = 256;

/// The largest number of candidate points from cells. It bounds the time on large meshes; more points find slightly
/// better refuges.
const MOST_PLACES: usize = 4096;

/// The number of candidates for which a path is searched, best first. Each costs a full search.
const MOST_SEARCHES: usize = 16;

/// The depth to which a stretch of a path is halved to bound its distance to a threat: 2^8 parts at most.
const MOST_HALVINGS: u32 = 8;

/// A point to run to.
struct Refuge {
    /// Its location.
    at: Location,
    /// Its walking distance from the nearest threat, in metres.
    away: f64,
}

impl NavMesh {
    /// Returns the shortest path to the reachable point that is farthest from all threats, by their walking distance.
    /// The path is at most `distance` metres long and nowhere comes nearer to a threat than the start is. If no point
    /// is better than the start, the path ends where it starts.
    ///
    /// Candidates are corners and middles of cells, middles of portals and random points, a few thousand at most;
    /// slightly better points may lie between them. Threats count as points, whatever the radius; threats that are not
    /// on this mesh are ignored.
    pub fn flee(
        &self,
        from: Location,
        threats: &[Location],
        distance: f64,
        radius: f64,
    ) -> Result<Path, NoPath> {
        let query = |goal: Location| PathQuery::new(from, goal).radius(radius);
        let stay = self.stay(from, radius)?;
        let own = self.field_within(from, distance);
        let threat = self.distance_field(threats, 0.0, &FieldOptions::default());
        let (Some(own), Ok(threat)) = (own, threat) else { return Ok(stay) };
        let Some(limit) = threat.distance(self, from) else { return Ok(stay) };
        let flight = Flight { mesh: self, from, own, threat, limit };
        let mut searches = 0;
        for refuge in flight.refuges() {
            if !flight.is_safe(&flight.way_to(&refuge), 0.0) || !self.has_room(&refuge.at, radius) {
                continue;
            }
            searches += 1;
            let found = self.find_path(&query(refuge.at)).ok();
            // A body swings wider around corners than a point does.
            let is_good =
                |path: &Path| path.length <= distance && flight.is_safe(&path.points(0.1 * radius), radius);
            if let Some(path) = found.filter(is_good) {
                return Ok(path);
            }
            if searches >= MOST_SEARCHES {
                break;
            }
        }
        Ok(stay)
    }

    /// Returns the path that ends where it starts.
    fn stay(&self, at: Location, radius: f64) -> Result<Path, NoPath> {
        let clearance = self.clearance(at).ok_or(NoPath::OffMesh { place: Place::Start })?;
        if !(radius >= 0.0 && radius.is_finite()) {
            return Err(NoPath::BadRadius { radius });
        }
        if clearance < radius {
            return Err(NoPath::TooClose { place: Place::Start, clearance });
        }
        Ok(Path {
            start: at.position,
            goal: at.position,
            cells: vec![at.cell],
            radius,
            clearance,
            ..Path::default()
        })
    }

    /// True if a body of this radius can stand at a location.
    fn has_room(&self, at: &Location, radius: f64) -> bool {
        radius == 0.0 || self.clearance(*at).is_some_and(|room| room >= radius)
    }
}

/// A flight: the fields of distances that it needs.
struct Flight<'a> {
    /// The mesh.
    mesh: &'a NavMesh,
    /// The start.
    from: Location,
    /// Distances from the start, as far as the body may walk.
    own: DistanceField,
    /// Distances from the nearest threat.
    threat: DistanceField,
    /// The distance of the start from the nearest threat, in metres.
    limit: f64,
}

impl Flight<'_> {
    /// Returns the points within the distance that are farther from the threats than the start, the farthest first.
    fn refuges(&self) -> Vec<Refuge> {
        let mesh = self.mesh;
        let mut places = self.places();
        // A fixed seed per cell: the same flight gives the same answer.
        let seed = self.from.cell.0.into();
        places.extend(mesh.random_points(seed).take(RANDOM_PLACES));
        let mut refuges: Vec<Refuge> = places
            .into_iter()
            .filter(|at| self.own.distance(mesh, *at).is_some())
            .filter_map(|at| self.threat.distance(mesh, at).map(|away| Refuge { at, away }))
            .filter(|refuge| refuge.away > self.limit)
            .collect();
        // The sort is stable: equal points keep their order, which depends on the mesh only.
        refuges.sort_by(|p, q| q.away.total_cmp(&p.away));
        refuges
    }

    /// Returns corners and middles of the cells within the distance, and middles of their portals. Corners are drawn in
    /// by a thousandth and by a tenth, so that bodies fit.
    fn places(&self) -> Vec<Location> {
        let (mesh, layout) = (self.mesh, self.mesh.graph());
        let mut places = Vec::new();
        for cell in (0..mesh.cell_slots() as u32).filter(|cell| self.own.beams.nearest(*cell).is_finite()) {
            let corners = &layout.start[layout.sides(cell)];
            let sum = corners.iter().fold(Vec2::default(), |sum, corner| sum + *corner);
            let middle = sum * (1.0 / corners.len() as f64);
            let drawn_in = |part: f64| corners.iter().map(move |corner| *corner + (middle - *corner) * part);
            let portals = layout.sides(cell).filter(|side| layout.beyond[*side] != NONE).map(|side| {
                let [from, to] = layout.ends(cell, side);
                (from + to) * 0.5
            });
            let spots = drawn_in(OFF_WALLS).chain(drawn_in(OFF_CORNERS)).chain(portals).chain([middle]);
            places.extend(spots.filter_map(|spot| mesh.settle(cell, spot)));
            if places.len() > MOST_PLACES {
                break;
            }
        }
        places
    }

    /// Returns the shortest way of a point to a refuge.
    fn way_to(&self, refuge: &Refuge) -> Vec<[f64; 2]> {
        let mut way = self.own.turns(self.mesh, refuge.at);
        way.reverse();
        way.push(refuge.at.position);
        way
    }

    /// True if a way nowhere comes nearer to a threat than the start is, up to `slack` metres.
    fn is_safe(&self, way: &[[f64; 2]], slack: f64) -> bool {
        let mut hint = self.from;
        let mut before = (self.from.position, self.limit);
        for place in way {
            let Some(away) = self.away(*place, &mut hint) else { return false };
            let next = (*place, away);
            if !self.is_stretch_safe(before, next, slack, MOST_HALVINGS, &mut hint) {
                return false;
            }
            before = next;
        }
        true
    }

    /// True if a straight stretch is safe. The distance to threats changes by no more than one moves, which bounds it
    /// between the ends. If the bound is too low, the stretch is halved.
    fn is_stretch_safe(
        &self,
        (a, away_a): ([f64; 2], f64),
        (b, away_b): ([f64; 2], f64),
        slack: f64,
        halvings: u32,
        hint: &mut Location,
    ) -> bool {
        let least = self.limit - slack - NO_NEARER * self.limit;
        if away_a < least || away_b < least {
            return false;
        }
        let length = (b[0] - a[0]).hypot(b[1] - a[1]);
        if halvings == 0 || 0.5 * (away_a + away_b - length) >= least {
            return true;
        }
        let middle = [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])];
        let Some(away) = self.away(middle, hint) else { return false };
        self.is_stretch_safe((a, away_a), (middle, away), slack, halvings - 1, hint)
            && self.is_stretch_safe((middle, away), (b, away_b), slack, halvings - 1, hint)
    }

    /// Returns the distance of a point from the nearest threat, in metres.
    fn away(&self, place: [f64; 2], hint: &mut Location) -> Option<f64> {
        // Turns lie on walls, where rounding decides whether a point is on the mesh.
        let found = self.mesh.locate_near(place, hint);
        *hint = found.or_else(|off| off.nearest.ok_or(off)).ok()?;
        self.threat.distance(self.mesh, *hint)
    }
}
