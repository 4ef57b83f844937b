//! The two ends of a path, for points that may be off the mesh, or on pieces of it that nothing joins.
//!
//! Each end may be moved by so much. Of all pairs of places, one within reach of each end, that lie in one component or in
//! two that links join, the pair is taken that moves the ends least in all; where no pair is joined, each end goes to its
//! own nearest place. Only the place of each component that is nearest to an end can be part of the best pair.
//!
//! Cost: one look at the cells around each end, and for each component there a walk along the links.

use crate::mesh::{LinkRecord, NavMesh, distance};
use crate::path::{LinkUse, Place};
use crate::query::{Location, OffMesh, Position};
use std::collections::BTreeSet;

/// Who goes from end to end, and how far the ends may be moved.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SnapRules {
    /// How far each end may be moved, in metres in space.
    pub distance: f64,
    /// The radius of the body in metres: where there is room for it within the distance, ends keep it from walls.
    pub radius: f64,
    /// The links that may be taken.
    pub links: LinkUse,
}

clearway_base::setters!(SnapRules { distance: f64, radius: f64, links: LinkUse });

impl SnapRules {
    fn allows(&self, link: &LinkRecord) -> bool {
        self.links.allows_link(link, self.radius)
    }
}

/// An end of a path on the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SnappedEnd {
    /// Where it is.
    pub location: Location,
    /// How far it was moved, in metres in space: from where one stands at the point that was given, which takes no move,
    /// or from the point itself where one stands nowhere.
    pub moved: f64,
    /// From where it was moved.
    origin: [f64; 3],
}

/// The answer for an end that is farther from the mesh than it may be moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OffEnd {
    /// Which of the two.
    pub place: Place,
    /// How far it is from where.
    pub off: OffMesh,
}

impl NavMesh {
    /// Start and goal for points that may be off the mesh, too close to a wall, or on pieces that nothing joins, such as
    /// the top of a table: the ends are moved as little as that takes, each by no more than `rules.distance` metres.
    /// Ends that no move joins or clears stay where they are, so that a search tells why there is no path.
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
        let stays = rules.distance == 0.0 || self.are_joined(own, rules);
        let ends = if stays { own } else { self.joined_ends(own, rules).unwrap_or(own) };
        let ends = ends.map(|end| self.cleared(end, rules));
        Ok(self.passable_ends(ends, rules).unwrap_or(ends))
    }

    /// For ends on one piece that the body cannot get from one to the other of, as from a pocket between walls: one of them
    /// moved to where it can, if that is within reach; the one that takes the lesser move.
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

    /// Where one stands at a point, or the nearest place, if that is within reach.
    fn own_end(&self, position: impl Position, rules: &SnapRules) -> Result<SnappedEnd, OffMesh> {
        match self.locate(position) {
            Ok(location) => Ok(SnappedEnd { location, moved: 0.0, origin: self.place(location) }),
            Err(OffMesh { nearest: Some(location), distance }) if distance <= rules.distance => {
                let ([x, y], height) = (position.plan(), position.height());
                let height = height.unwrap_or_else(|| self.height(location));
                Ok(SnappedEnd { location, moved: distance, origin: [x, height, 0.0 - y] })
            }
            Err(off) => Err(off),
        }
    }

    fn component_at(&self, end: &SnappedEnd) -> u32 {
        self.parts.cell_component[end.location.cell().index()]
    }

    fn are_joined(&self, ends: [SnappedEnd; 2], rules: &SnapRules) -> bool {
        let [start, goal] = ends.map(|end| self.component_at(&end));
        start == goal || self.components_from(start, rules).contains(&goal)
    }

    /// The pair of joined places within reach of two ends that moves them least, if there is one; of equals the lowest.
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

    /// An end, and the places nearest to it in all other components within reach.
    fn ends_around(&self, own: SnappedEnd, rules: &SnapRules) -> Vec<SnappedEnd> {
        let [x, height, z] = own.origin;
        let near = self.nearest_by_component([x, 0.0 - z], height, rules.distance).into_iter();
        let others = near.filter(|(component, ..)| *component != self.component_at(&own));
        let end = |(_, location, moved)| SnappedEnd { location, moved, ..own };
        std::iter::once(own).chain(others.map(end)).collect()
    }

    /// The components that can be reached from one by links, itself included.
    fn components_from(&self, first: u32, rules: &SnapRules) -> BTreeSet<u32> {
        let (mut reached, mut open) = (BTreeSet::from([first]), vec![first]);
        while let Some(component) = open.pop() {
            for link in self.parts.links.iter().filter(|link| rules.allows(link)) {
                let [from, to] = [0, 1].map(|i| self.parts.cell_component[link.ends[i].cell as usize]);
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

    /// The end where a body has room, on its component and within reach, if it must and can be moved there.
    fn cleared(&self, end: SnappedEnd, rules: &SnapRules) -> SnappedEnd {
        let has_room = self.clearance(end.location).is_none_or(|room| room >= rules.radius);
        if has_room || rules.distance == 0.0 {
            return end;
        }
        let found = self.nearest_clear_to(end.location, rules.radius, rules.distance);
        let cleared = found.map(|location| SnappedEnd {
            location,
            moved: distance(end.origin, self.place(location)),
            ..end
        });
        let is_right = |found: &SnappedEnd| {
            self.component_at(found) == self.component_at(&end) && found.moved <= rules.distance
        };
        cleared.filter(is_right).unwrap_or(end)
    }
}
