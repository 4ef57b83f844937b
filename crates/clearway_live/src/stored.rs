//! A mesh with all that stands on it in a file, and back.
//!
//! What is stored is the mesh as it was built and a list of what stands ([`Fixtures`]). Loading makes the edits again, so
//! nothing that is read must be trusted. Storing does the same first: what stands is put on the mesh as it was built, in
//! an order that depends on what stands alone. So the bytes do not depend on the way there.
//!
//! Cost: one edit for each thing that stands, and the clearances of two meshes.

use crate::edit::{Anchor, Edit, Obstacle};
use crate::fabric::Face;
use crate::live_mesh::LiveMesh;
use crate::patch::{Paint, Standing};
use crate::shape::Outline;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_geometry::Vec2;
use clearway_nav::mesh::{
    FLAT_CLASS, Fixture, FixtureRole, Fixtures, LinkEnd, LinkRecord, MAX_FIXTURES, Shape, Swap,
};
use clearway_nav::{Link, NavMesh};
use std::path::Path;

impl LiveMesh {
    /// Returns the mesh as files keep it: with what stands on it by name, doors with their state, areas, and links
    /// asleep. [`LiveMesh::new`] takes it up again; for everybody else it is a mesh like any other. If nothing stands, it
    /// is the mesh as it was built. Equal things on equal meshes give equal bytes, whatever happened before.
    ///
    /// The cells are those of the edits made anew in a canonical order, so they may be others than those of
    /// [`mesh`](LiveMesh::mesh). Fails if that order cannot be followed, which layers may refuse; or for more than
    /// [`MAX_FIXTURES`] things.
    pub fn stored(&self) -> Result<NavMesh> {
        let built = self.as_built()?;
        let came: Vec<Fixture> = self.fixtures_here();
        if came.is_empty() {
            return Ok(built);
        }
        if came.len() > MAX_FIXTURES {
            let detail = format!("{} things stand; a file holds at most {MAX_FIXTURES}", came.len());
            return Err(Error::new(ErrorKind::TooLarge, detail));
        }
        let mut list = came.clone();
        list.sort_by_cached_key(order_of);
        let mut again = LiveMesh::new(built.clone())?;
        // Layers may refuse one order of edits and take another.
        if again.put_all(&list).is_err() {
            list = came;
            again = LiveMesh::new(built.clone())?;
            again.put_all(&list).map_err(|error| {
                let detail = format!("what stands cannot be stored: on the mesh as it was built, {error}");
                Error::new(error.kind(), detail)
            })?;
        }
        let mut mesh = again.mesh().compacted().into_owned();
        mesh.set_fixtures(Some(Fixtures { built: built.encode(), list }));
        Ok(mesh)
    }

    /// Writes the mesh with all that stands on it to a `.nav` file; see [`stored`](LiveMesh::stored).
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        self.stored().map_err(|error| error.in_file(path.as_ref()))?.save(path)
    }

    /// Reads a mesh from a `.nav` file, with what stands on it if that was kept.
    pub fn load(path: impl AsRef<Path>) -> Result<LiveMesh> {
        let mesh = NavMesh::load(path.as_ref())?;
        LiveMesh::new(mesh).map_err(|error| error.in_file(path.as_ref()))
    }

    /// Makes a mesh ready for edits that was stored with what stands on it.
    pub(crate) fn with_fixtures(mesh: NavMesh) -> Result<LiveMesh> {
        let fixtures = mesh.fixtures().cloned().unwrap_or_default();
        let of_built = |error: Error| {
            Error::new(error.kind(), format!("the mesh as it was built, which the file keeps: {error}"))
        };
        let mut built = NavMesh::decode(&fixtures.built).map_err(of_built)?;
        if built.fixtures().is_some() {
            let detail = "the mesh as it was built, which the file keeps, has fixtures itself";
            return Err(Error::new(ErrorKind::Syntax, detail));
        }
        // Places and links may have been put on the mesh after it was stored, or taken off it.
        built.set_places(mesh.places());
        let known: Vec<String> = built.links().map(|link| link.name).collect();
        let more: Vec<Link> = mesh.links().filter(|link| !known.contains(&link.name)).collect();
        let mut live = LiveMesh::new(built)?;
        live.put_all(&fixtures.list)?;
        // Links that are awake here and not there were taken off the mesh.
        let kept: Vec<String> = mesh.links().map(|link| link.name).collect();
        let gone = live.links().filter(|(name, awake)| *awake && !kept.iter().any(|kept| kept == name));
        let mut edits: Vec<Edit> = gone.map(|(name, _)| Edit::RemoveLink(name.to_string())).collect();
        edits.extend(more.into_iter().map(Edit::AddLink));
        live.apply(&Edit::Batch(edits))?;
        Ok(live)
    }

    /// Puts all these things on the mesh.
    pub(crate) fn put_all(&mut self, list: &[Fixture]) -> Result<()> {
        for (number, fixture) in list.iter().enumerate() {
            self.put(fixture).map_err(|error| {
                Error::new(error.kind(), format!("fixture {number} {:?}: {error}", fixture.name))
            })?;
        }
        Ok(())
    }

    /// Puts one thing on the mesh.
    fn put(&mut self, fixture: &Fixture) -> Result<()> {
        let anchor = Anchor { height: fixture.height };
        let obstacle = Obstacle { shape: fixture.shape.clone(), anchor };
        let named = |edit: Edit| match fixture.name.as_str() {
            "" => edit,
            name => Edit::Named(name.to_string(), Box::new(edit)),
        };
        match (&fixture.role, &fixture.shape) {
            (FixtureRole::Area(name), _) => {
                let class = self.area_class(name)?;
                self.apply(&Edit::Area(obstacle, class))?;
            }
            (FixtureRole::Obstacle, _) => drop(self.apply(&named(Edit::Add(obstacle)))?),
            (FixtureRole::Door(is_open), Shape::Segment(ends)) => {
                let doors = self.apply(&named(Edit::AddDoor(*ends, anchor)))?.doors;
                let turns = doors.into_iter().map(|door| Edit::Door(door, *is_open)).collect();
                self.apply(&Edit::Batch(turns))?;
            }
            (FixtureRole::Door(_), _) => {
                return Err(Error::new(ErrorKind::Syntax, "a door must be a segment"));
            }
        }
        Ok(())
    }

    /// Returns everything that stands: areas in the order of the edits, then the rest by number.
    pub(crate) fn fixture_list(&self) -> Vec<Fixture> {
        let areas = self.paints().map(|paint| self.area_fixture(paint));
        areas.chain(self.all_standing().map(|(_, standing)| fixture_of(standing))).collect()
    }

    /// Returns everything that stands on ground of this mesh. Only in a part of a world does anything stand elsewhere.
    fn fixtures_here(&self) -> Vec<Fixture> {
        if self.part.is_none() {
            return self.fixture_list();
        }
        let is_here = |place: &Obstacle| {
            let outline = Outline::of(&place.shape, &self.mesh().parts().grid);
            outline
                .and_then(|outline| self.ground_under(&outline, place.anchor))
                .is_ok_and(|ground| !ground.is_empty())
        };
        let areas = self.paints().filter(|paint| is_here(&paint.place)).map(|paint| self.area_fixture(paint));
        let standing = self.all_standing().filter(|(id, _)| self.is_here(*id));
        areas.chain(standing.map(|(_, standing)| fixture_of(standing))).collect()
    }

    /// Returns an area as files hold it.
    fn area_fixture(&self, paint: &Paint) -> Fixture {
        let class = self.mesh().area_names().get(usize::from(paint.class));
        let class = class.map_or(FLAT_CLASS, String::as_str).to_string();
        fixture(String::new(), FixtureRole::Area(class), &paint.place)
    }

    /// Returns the mesh as it was built, with the links as they are now.
    fn as_built(&self) -> Result<NavMesh> {
        let mut mesh = NavMesh::clone(self.mesh());
        let mut restored = self.built().restored(self.mesh(), self.fabric()).splice;
        mesh.splice(&restored, self.epoch() + 1);
        restored = Default::default();
        for (slot, link) in (0u32..).zip(self.all_links()) {
            let before = link.as_ref().and_then(|link| link.awake());
            let after = link.as_ref().map(|link| LinkRecord {
                ends: [0, 1].map(|end| self.end_on(&mesh, link.record.ends[end], link.cells[end])),
                ..link.record.clone()
            });
            restored.links.push(Swap { slot, before, after });
        }
        mesh.splice(&restored, self.epoch() + 2);
        let wrong = |flaws: Vec<clearway_nav::mesh::Flaw>| {
            let detail = flaws.first().map(ToString::to_string).unwrap_or_default();
            Error::new(ErrorKind::Unsupported, format!("the links cannot be stored: {detail}"))
        };
        let compacted = mesh.compacted().into_owned();
        self.mesh().with_other_cells(compacted.into_parts()).map_err(wrong)
    }

    /// Returns an end of a link in the cell of the mesh as it was built that holds it. `face` is where it is now.
    fn end_on(&self, built: &NavMesh, end: LinkEnd, face: Option<Face>) -> LinkEnd {
        let spot = built.parts().grid.units(end.position);
        let slack = built.slack();
        let holds = |cell: u32| {
            let corners: Vec<Vec2> = built
                .cell(clearway_nav::mesh::CellId(cell))
                .map(|cell| cell.points().map(|p| p.as_vec2()).collect())
                .unwrap_or_default();
            crate::link::holds(&corners, spot, slack)
        };
        let height = match face {
            Some(Face::Free(cell)) => self.mesh().ground_height(cell, spot),
            Some(Face::Covered(cell)) => self
                .fabric()
                .covered_cell(cell)
                .map_or(0.0, |cell| self.mesh().height_on_patches(&cell.patches, spot)),
            None => built.ground_height(end.cell, spot),
        };
        let near = Vec2::new(slack, slack);
        let mut found: Vec<(f64, bool, u32)> = Vec::new();
        let _ = built.index().touching(spot - near, spot + near, |cell| {
            if holds(cell) {
                let off = (built.ground_height(cell, spot) - height).abs();
                found.push((off, cell != end.cell, cell));
            }
            std::ops::ControlFlow::<()>::Continue(())
        });
        // On a border the cell that it was put into comes first.
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        LinkEnd { cell: found.first().map_or(end.cell, |(_, _, cell)| *cell), ..end }
    }
}

/// Returns an obstacle or a door as files hold it.
pub(crate) fn fixture_of(standing: &Standing) -> Fixture {
    let role = standing.door.map_or(FixtureRole::Obstacle, FixtureRole::Door);
    fixture(standing.name.clone().unwrap_or_default(), role, &standing.obstacle)
}

/// Returns something that stands as files hold it.
fn fixture(name: String, role: FixtureRole, place: &Obstacle) -> Fixture {
    // Files hold no negative zeros, and no heights that are none.
    let height = place.anchor.height.filter(|height| height.is_finite()).map(|height| height + 0.0);
    Fixture { name, role, shape: place.shape.map(|number| number + 0.0), height }
}

/// Returns a key that orders what stands: areas keep their order; then come things with a name by name, then the rest by
/// their shapes.
pub(crate) fn order_of(fixture: &Fixture) -> (u8, String, String) {
    match &fixture.role {
        FixtureRole::Area(_) => (0, String::new(), String::new()),
        _ if fixture.name.is_empty() => {
            (2, String::new(), format!("{:?}", (&fixture.shape, fixture.height, &fixture.role)))
        }
        _ => (1, fixture.name.clone(), String::new()),
    }
}
