//! Moves that slide along walls and around corners.

use super::walls::NearWall;
use super::{Location, Position};
use crate::mesh::NavMesh;
use crate::tolerances::slacks::OFF_WALL;
use clearway_geometry::Vec2;

/// The largest number of straight pieces of one move. A body that still has way to go stops there; the next move
/// continues. Fewer pieces stop early among many short walls.
const MOST_SLIDES: usize = 16;

impl NavMesh {
    /// Moves a body of a given radius from a location towards `to`, sliding along walls and around corners as long as
    /// this brings it nearer. It never leaves the mesh and never passes a wall. A body that keeps its radius from all
    /// walls still does so afterwards; a body that is too close comes no closer. The body stays on the ground: the
    /// height of a target in space does not matter.
    ///
    /// Returns `from` unchanged for a location of another mesh, a target that is not finite, or a radius that is
    /// negative or not finite.
    pub fn move_along(&self, from: Location, to: impl Position, radius: f64) -> Location {
        let goal = self.parts.grid.units(to.plan());
        let sound = radius >= 0.0 && radius.is_finite() && goal.x.is_finite() && goal.y.is_finite();
        if !sound || !self.is_here(&from) {
            return from;
        }
        let radius = radius / self.unit();
        let room = self.nearest_wall(self.parts.grid.units(from.position), from.cell.0);
        // A body that starts too close can only be kept from coming closer.
        let kept = room.map_or(radius, |wall| wall.distance.min(radius));
        self.slide(from, goal, (radius, kept))
    }

    /// Moves straight at the goal, then along the wall in the way to the point nearest to the goal, and so on. Every
    /// straight piece brings the body nearer.
    fn slide(&self, from: Location, goal: Vec2, (radius, kept): (f64, f64)) -> Location {
        let (mut here, mut aim, mut idle) = (from, goal, 0);
        for _ in 0..MOST_SLIDES {
            let spot = self.parts.grid.units(here.position);
            let reach = self.sweep(spot, here.cell.0, aim, radius);
            let stop = spot + (aim - spot) * reach.fraction;
            let Some(next) = self.stand(stop, kept, |place| self.settle_in(&reach, place)) else { break };
            let stop = self.parts.grid.units(next.position);
            let gain = spot.distance(goal) - stop.distance(goal);
            if gain < -self.slack() {
                break;
            }
            here = next;
            aim = match reach.wall {
                None if aim == goal => break,
                None => goal,
                Some(wall) => self.beside(&wall, stop, goal),
            };
            // Two walls may send the body to and fro without end.
            idle = if gain > self.slack() { 0 } else { idle + 1 };
            if idle > 2 {
                break;
            }
        }
        here
    }

    /// Returns the point nearest to the goal on the line along a wall through a point that touches it.
    fn beside(&self, wall: &NearWall, touching: Vec2, goal: Vec2) -> Vec2 {
        let normal = self.normal(wall, touching);
        let along = normal.perp();
        // A little off the wall, so that rounding does not run into it again.
        touching + along * along.dot(goal - touching) + normal * (OFF_WALL * self.slack())
    }
}
