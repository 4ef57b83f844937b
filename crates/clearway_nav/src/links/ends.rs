//! Start and goal of a path for points that may be off the mesh, or on pieces that nothing connects.
//!
//! Each end may be moved by a limited distance. A pair of points, one near each end, is admissible if the body fits at
//! both, and both lie in one component or in two that links connect. The admissible pair with the least total move is
//! taken. If there is none, each end goes to its own nearest point where the body fits. An end is never moved to where
//! the body does not fit. Only the nearest such point of each component can be part of the best pair.
//!
//! Cost: one look at the cells around each end, and a walk along the links for each component there.

use crate::mesh::{LinkRecord, NavMesh, distance};
use crate::path::{LinkUse, Place};
use crate::query::{Location, OffMesh, Position, in_world};
use std::collections::BTreeSet;

/// The body that goes from end to end, and the distance by which the ends may be moved.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SnapRules {
    /// The greatest move of each end, in metres in space.
    pub distance: f64,
    /// The radius of the body in metres. Ends are moved away from walls by it where the distance allows.
    pub radius: f64,
    /// The links that may be taken.
    pub links: LinkUse,
}

clearway_base::setters!(SnapRules { distance: f64, radius: f64, links: LinkUse });

impl SnapRules {
    /// True if the body may take a link.
    fn allows(&self, link: &LinkRecord) -> bool {
        self.links.allows_link(link, self.radius)
    }
}

/// An end of a path on the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SnappedEnd {
    /// The point on the mesh.
    pub location: Location,
    /// The length of the move in metres in space. It counts from the floor under the given point, or from the point
    /// itself where there is no floor under it.
    pub moved: f64,
    /// The point from which it was moved.
    origin: [f64; 3],
}

/// The answer for an end that is farther from the mesh than it may be moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OffEnd {
    /// The end that is off: start or goal.
    pub place: Place,
    /// The nearest point of the mesh and its distance.
    pub off: OffMesh,
}

impl NavMesh {
    /// Returns start and goal for points that may be off the mesh, too close to a wall, or on pieces that nothing
    /// connects, such as a table top. The ends are moved as little as possible, each by at most `rules.distance`
    /// metres. Ends that no move connects or clears stay where they are, so that a search can report why there is no
    /// path.
    ///
    /// ```
    /// # use clearway::{MeshOptions, NavMesh, Plan, links::SnapRules};
    /// let square = |x: f64, side: f64| vec![[x, 0.0], [x + side, 0.0], [x + side, side], [x, side]];
    /// let plan = Plan::from_rings([square(0.0, 4.0), square(5.0, 0.5)]);
    /// let mesh = MeshOptions::default().build(&plan)?;
    /// let rules = SnapRules::default().distance(2.0);
    /// let [_, goal] = mesh.snap_ends([1.0, 1.0], [5.25, 0.25], &rules).unwrap();
    /// assert_eq!((goal.location.position(), goal.moved), ([4.0, 0.25], 1.25));
    /// # Ok::<(), clearway::Error>(())
    /// ```
    pub fn snap_ends(
        &self,
        from: impl Position,
        to: impl Position,
        rules: &SnapRules,
    ) -> Result<[SnappedEnd; 2], OffEnd> {
        let own = [
            self.own_end(from, rules).map_err(|off| OffEnd { place: Place::Start, off })?,
            self.own_end(to, rules).map_err(|off| OffEnd { place: Place::Goal, off })?,
        ];
        let cleared = own.map(|end| self.cleared(end, rules));
        let fits = |end: &SnappedEnd| rules.distance == 0.0 || self.has_room_at(end, rules);
        let stays = rules.distance == 0.0 || (cleared.iter().all(fits) && self.are_joined(cleared, rules));
        let ends = if stays { cleared } else { self.joined_ends(own, rules).unwrap_or(cleared) };
        for (end, place) in ends.iter().zip([Place::Start, Place::Goal]) {
            // The body does not fit where this end would come to lie, and it did not lie on the mesh before.
            if end.moved > 0.0 && !fits(end) {
                let point = self.has_heights().then(|| self.place(end.location));
                let off = OffMesh { nearest: Some(end.location), distance: end.moved, point };
                return Err(OffEnd { place, off });
            }
        }
        Ok(self.passable_ends(ends, rules).unwrap_or(ends))
    }

    /// True if the body fits at an end.
    fn has_room_at(&self, end: &SnappedEnd, rules: &SnapRules) -> bool {
        self.clearance(end.location).is_none_or(|room| room >= rules.radius)
    }

    /// Handles ends on one piece between which the body cannot pass, for example out of a pocket between walls. Moves
    /// one end to where the body can pass, if that is within reach; the end with the lesser move.
    fn passable_ends(&self, [start, goal]: [SnappedEnd; 2], rules: &SnapRules) -> Option<[SnappedEnd; 2]> {
        let is_one = self.component_at(&start) == self.component_at(&goal);
        let passes = || self.can_pass(start.location, goal.location, rules.radius);
        if rules.distance == 0.0 || rules.radius == 0.0 || !is_one || passes() {
            return None;
        }
        let moved = |end: SnappedEnd, other: &SnappedEnd| {
            let location = self.nearest_reachable(other.location, end.location, rules.radius)?;
            let moved = distance(end.origin, self.place(location));
            (moved <= rules.distance).then_some(SnappedEnd { location, moved, ..end })
        };
        let pairs =
            [moved(start, &goal).map(|start| [start, goal]), moved(goal, &start).map(|goal| [start, goal])];
        let way = |pair: &[SnappedEnd; 2]| pair[0].moved + pair[1].moved;
        pairs.into_iter().flatten().min_by(|p, q| way(p).total_cmp(&way(q)))
    }

    /// Returns the point of the mesh under `position`, or the nearest point if it is within reach.
    fn own_end(&self, position: impl Position, rules: &SnapRules) -> Result<SnappedEnd, OffMesh> {
        match self.locate(position) {
            Ok(location) => Ok(SnappedEnd { location, moved: 0.0, origin: self.place(location) }),
            Err(OffMesh { nearest: Some(location), distance, .. }) if distance <= rules.distance => {
                let height = position.height().unwrap_or_else(|| self.height(location));
                let origin = in_world(position.plan(), height);
                Ok(SnappedEnd { location, moved: distance, origin })
            }
            Err(off) => Err(off),
        }
    }

    /// Returns the component of an end.
    fn component_at(&self, end: &SnappedEnd) -> u32 {
        self.component_of(end.location.cell().0)
    }

    /// True if both ends lie in one component or links lead from start to goal.
    fn are_joined(&self, ends: [SnappedEnd; 2], rules: &SnapRules) -> bool {
        let [start, goal] = ends.map(|end| self.component_at(&end));
        start == goal || self.components_from(start, rules).contains(&goal)
    }

    /// Returns the connected pair within reach of two ends that moves them least, if there is one; of equals the first.
    fn joined_ends(&self, own: [SnappedEnd; 2], rules: &SnapRules) -> Option<[SnappedEnd; 2]> {
        let [starts, goals] = own.map(|end| self.ends_around(end, rules));
        let mut best: Option<[SnappedEnd; 2]> = None;
        for start in starts {
            let reached = self.components_from(self.component_at(&start), rules);
            for goal in goals.iter().filter(|goal| reached.contains(&self.component_at(goal))) {
                let is_less =
                    |best: &[SnappedEnd; 2]| start.moved + goal.moved < best[0].moved + best[1].moved;
                if best.as_ref().is_none_or(is_less) {
                    best = Some([start, *goal]);
                }
            }
        }
        best
    }

    /// Returns the nearest point of each component within reach at which the body fits, the component of the end itself
    /// first.
    fn ends_around(&self, own: SnappedEnd, rules: &SnapRules) -> Vec<SnappedEnd> {
        let (at, height) = (own.origin.plan(), own.origin[1]);
        let near = self.nearest_by_component(at, height, rules.distance).into_iter();
        let others = near.filter(|(component, ..)| *component != self.component_at(&own));
        let end = |(_, location, moved)| SnappedEnd { location, moved, ..own };
        let all = std::iter::once(own).chain(others.map(end));
        all.map(|end| self.cleared(end, rules)).filter(|end| self.has_room_at(end, rules)).collect()
    }

    /// Returns the components that links lead to from `first`, itself included.
    fn components_from(&self, first: u32, rules: &SnapRules) -> BTreeSet<u32> {
        let (mut reached, mut open) = (BTreeSet::from([first]), vec![first]);
        while let Some(component) = open.pop() {
            for link in self.parts.links.iter().filter(|link| rules.allows(link)) {
                let [from, to] = [0, 1].map(|i| self.component_of(link.ends[i].cell));
                let ways = [(from, to, true), (to, from, link.both_ways)];
                for (_, beyond, _) in ways.into_iter().filter(|way| way.0 == component && way.2) {
                    if reached.insert(beyond) {
                        open.push(beyond);
                    }
                }
            }
        }
        reached
    }

    /// Moves an end to where the body fits, on the same component and within reach, if it has to and can be moved.
    fn cleared(&self, end: SnappedEnd, rules: &SnapRules) -> SnappedEnd {
        if self.has_room_at(&end, rules) || rules.distance == 0.0 {
            return end;
        }
        let (at, piece) = (end.origin.plan(), self.component_at(&end));
        let is_here = |found: &Location| self.parts.cell_component[found.cell().index()] == piece;
        let direct = || self.nearest_clear(at, rules.radius, rules.distance).filter(is_here);
        let found = if self.has_heights() { None } else { direct() };
        let found =
            found.or_else(|| self.nearest_clear_on_floor(at, end.location, rules.radius, rules.distance));
        let cleared = found.map(|location| SnappedEnd {
            location,
            moved: distance(end.origin, self.place(location)),
            ..end
        });
        let is_right =
            |found: &SnappedEnd| self.component_at(found) == piece && found.moved <= rules.distance;
        cleared.filter(is_right).unwrap_or(end)
    }
}
