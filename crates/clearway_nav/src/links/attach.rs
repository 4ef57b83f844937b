//! Puts links on a mesh. Each end moves to the nearest point of the mesh in space, but not up to a floor overhead while
//! there is a floor to stand on.

use crate::mesh::{Link, LinkEnd, LinkRecord, MAX_LINKS, NavMesh, distance};
use crate::query::Location;
use clearway_base::error::{Error, ErrorKind, Result, short};
use clearway_base::names::shown;
use clearway_geometry::Vec2;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Usual distance in metres that the end of a link may lie from the mesh. Larger values forgive sloppy drawing but may
/// choose the wrong floor or side of a wall.
pub const USUAL_SNAP: f64 = 0.5;

impl NavMesh {
    /// Adds links. Their ends move to the nearest point of the mesh, which must be within `snap` metres in space
    /// ([`USUAL_SNAP`] is usual). If this point lies more than a step above, the floor below is taken instead, if it is
    /// within `snap` as well. All links are added, or none where an error is returned; the error names the link and the
    /// field.
    ///
    /// ```
    /// # use clearway::{Link, LinkKind, MeshOptions, PathQuery, Plan};
    /// let square = |x: f64| vec![[x, 0.0], [x + 4.0, 0.0], [x + 4.0, 4.0], [x, 4.0]];
    /// let plan = Plan::from_rings([square(0.0), square(10.0)]);
    /// let mut mesh = MeshOptions::default().build(&plan)?;
    /// mesh.add_links(&[Link::new("plank", LinkKind::Jump, [4.0, 0.0, -2.0], [10.0, 0.0, -2.0])], 0.5)?;
    /// let [a, b] = [[1.0, 2.0], [13.0, 2.0]].map(|place| mesh.locate(place).unwrap());
    /// let path = mesh.find_path(&PathQuery::new(a, b)).unwrap();
    /// assert_eq!((path.legs().len(), path.cost), (3, 12.0));
    /// # Ok::<(), clearway::Error>(())
    /// ```
    pub fn add_links(&mut self, links: &[Link], snap: f64) -> Result<()> {
        if !(snap >= 0.0 && snap.is_finite()) {
            let message = format!("the snap distance {snap} is negative or not finite");
            return Err(Error::new(ErrorKind::Options, message));
        }
        let count = self.parts.links.len() + links.len();
        if count > MAX_LINKS {
            let message = format!("{count} links are too many; {MAX_LINKS} are allowed");
            return Err(Error::new(ErrorKind::TooLarge, message));
        }
        let mut names: BTreeMap<&str, usize> = BTreeMap::new();
        names.extend(self.parts.links.iter().enumerate().map(|(number, link)| (link.name.as_str(), number)));
        // Nothing is added before all links are checked: a failure must leave the mesh as it was.
        let mut records = Vec::with_capacity(links.len());
        for (number, link) in (self.parts.links.len()..).zip(links) {
            if let Some(first) = names.insert(&link.name, number) {
                let why = format!("link {first} has the same");
                return Err(about(ErrorKind::Syntax, number, link, "name", &why));
            }
            records.push(self.link_record(link, number, snap)?);
        }
        let is_other = !records.is_empty();
        self.parts.links.append(&mut records);
        if is_other {
            self.renew_serial();
        }
        Ok(())
    }

    /// Returns a link as the mesh stores it, with its ends at the nearest places within `snap` metres. The error names
    /// the link by this number.
    pub fn link_record(&self, link: &Link, number: usize, snap: f64) -> Result<LinkRecord> {
        if let Some((field, why)) = link.flaw() {
            return Err(about(ErrorKind::OutOfRange, number, link, field, &why));
        }
        let end = |field, at| {
            self.end_near(at, snap).map_err(|why| about(ErrorKind::OutOfRange, number, link, field, &why))
        };
        let ends = [end("from", link.from)?, end("to", link.to)?];
        Ok(self.record(link, ends))
    }

    /// Makes the stored form of a link; a missing cost becomes its length.
    fn record(&self, link: &Link, ends: [LinkEnd; 2]) -> LinkRecord {
        let [from, to] = ends.map(|end| self.end_in_space(&end));
        LinkRecord {
            name: link.name.clone(),
            kind: link.kind.clone(),
            ends,
            // Adding zero turns -0.0 into 0.0: equal links must have equal bytes.
            cost: link.cost.unwrap_or_else(|| distance(from, to)) + 0.0,
            both_ways: link.both_ways,
            max_radius: link.max_radius.map(|radius| radius + 0.0),
        }
    }

    /// Returns the end of a link on the floor where a body at `at` stands, or else at the nearest point; describes why
    /// there is none.
    fn end_near(&self, at: [f64; 3], snap: f64) -> std::result::Result<LinkEnd, String> {
        let nearest = self.place_near(at, snap);
        let step = self.parts.relief.as_ref().map_or(0.0, |relief| relief.max_step);
        let is_overhead = nearest.is_some_and(|(place, _)| self.height(place) > at[1] + step);
        let under = if is_overhead { self.place_under(at, snap) } else { None };
        let nearest = under.or(nearest);
        match nearest {
            Some((place, off)) if off <= snap => {
                Ok(LinkEnd { cell: place.cell.0, position: place.position.map(|c| c + 0.0) })
            }
            Some((place, off)) => {
                let there = self.in_space(place.cell.0, self.parts.grid.units(place.position));
                // More metres than that have hundreds of digits.
                let off = if off < 1e12 { format!("{off:.3}") } else { short(off) };
                Err(format!(
                    "{} is not on the mesh; the nearest place is {}, {off} m away, and only {snap} m are allowed",
                    self.shown_end(at, short),
                    self.shown_end(there, |c| format!("{c:.3}"))
                ))
            }
            None => Err(format!("{} is not on the mesh, which has no cells", self.shown_end(at, short))),
        }
    }

    /// Returns a point in words: in the coordinates of the plan, or in space.
    fn shown_end(&self, [x, y, z]: [f64; 3], number: impl Fn(f64) -> String) -> String {
        // Zero minus zero has no sign.
        let coordinates = if self.has_heights() { vec![x, y, z] } else { vec![x, 0.0 - z] };
        format!("({})", coordinates.into_iter().map(number).collect::<Vec<_>>().join(", "))
    }

    /// Returns the point of the mesh on which a body at `at` stands, and its distance in metres, if it is within reach.
    fn place_under(&self, at: [f64; 3], reach: f64) -> Option<(Location, f64)> {
        let place = self.locate(at).ok()?;
        let off = (self.height(place) - at[1]).abs();
        (off <= reach).then_some((place, off))
    }

    /// Returns the point of the mesh nearest to a point in space, and its distance in metres. It is exact within
    /// `reach` metres on level ground. On slopes it is the point straight above or below, or the nearest in plan.
    pub fn place_near(&self, at: [f64; 3], reach: f64) -> Option<(Location, f64)> {
        let whole = self.index().whole()?.corners();
        let spot = self.parts.grid.units([at[0], -at[2]]);
        let farthest = whole.iter().map(|corner| corner.distance(spot)).fold(0.0, f64::max);
        let mut reach = (reach / self.unit()).max(1.0);
        loop {
            let found = self.nearest_within(at, spot, reach);
            // Everything beyond the reach in plan is farther away than a point found within the reach.
            let is_sure = found.as_ref().is_some_and(|(_, off)| *off <= reach * self.unit());
            if is_sure || reach > 2.0 * farthest {
                return found;
            }
            reach *= 4.0;
        }
    }

    /// Returns the nearest point among the cells whose boxes come within `reach` grid units in plan.
    fn nearest_within(&self, at: [f64; 3], spot: Vec2, reach: f64) -> Option<(Location, f64)> {
        let margin = Vec2::new(reach, reach);
        let mut best: Option<(Location, f64)> = None;
        let _ = self.index().touching(spot - margin, spot + margin, |cell| {
            let near = self.nearest_in_cell(cell, spot);
            if let Some(place) = self.settle(cell, near) {
                let off = distance(at, self.in_space(cell, self.parts.grid.units(place.position)));
                if best.is_none_or(|(_, least)| off < least) {
                    best = Some((place, off));
                }
            }
            ControlFlow::<()>::Continue(())
        });
        best
    }

    /// Returns the point of a cell nearest to `spot` in plan, in grid units.
    fn nearest_in_cell(&self, cell: u32, spot: Vec2) -> Vec2 {
        let layout = self.graph();
        let ends = || layout.sides(cell).map(|side| layout.ends(cell, side));
        if ends().all(|[from, to]| (to - from).cross(spot - from) >= 0.0) {
            return spot;
        }
        let feet = ends().map(|[from, to]| spot.nearest_on(from, to));
        feet.min_by(|p, q| p.distance(spot).total_cmp(&q.distance(spot))).unwrap_or(spot)
    }
}

/// Makes an error that names the link and the field.
fn about(kind: ErrorKind, number: usize, link: &Link, field: &str, why: &str) -> Error {
    Error::new(kind, format!("link {number} {}: {field}: {why}", shown(&link.name)))
}
