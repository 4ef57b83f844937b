//! What edits put into a tiled world as a file beside its index. `docs/reference/tiles-format.md` describes it.
//!
//! The file is a list of what stands. Reading makes the edits again, so nothing that is read must be trusted. Equal things
//! give equal bytes, whatever happened before.

use crate::tiled_mesh::{Source, TiledMesh};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file;
use clearway_live::{LiveMesh, WorldList};
use clearway_nav::mesh::{Fixture, FixtureRole, Shape};
use clearway_nav::{Link, LinkKind};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

/// The name of the file of edits in its folder.
pub const EDITS_NAME: &str = "edits.json";

/// The name of the format in the file.
const FORMAT: &str = "clearway edits";

/// The version of the format.
const VERSION: u32 = 1;

/// The greatest size of a file of edits, in bytes. It bounds memory for hostile files.
const MAX_BYTES: u64 = 1 << 28;

/// Everything that edits put into a world, as the file holds it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    format: String,
    version: u32,
    /// The names of all area classes in the order of their numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    classes: Vec<String>,
    /// Areas in the order of the edits; then obstacles and doors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    things: Vec<StoredThing>,
    /// Links that came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    links: Vec<StoredLink>,
    /// The names of links of the world that went.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    gone_links: Vec<String>,
}

/// Something that stands.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredThing {
    role: StoredRole,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    name: String,
    shape: StoredShape,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    height: Option<f64>,
}

/// What it does to the ground.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredRole {
    Obstacle,
    OpenDoor,
    ClosedDoor,
    Area(String),
}

/// A shape, in plan coordinates.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum StoredShape {
    Polygon(Vec<[f64; 2]>),
    Segment([[f64; 2]; 2]),
    Disc { centre: [f64; 2], radius: f64, sides: u32 },
    Box { centre: [f64; 2], size: [f64; 2], turn: f64 },
}

/// A link, in world coordinates.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredLink {
    name: String,
    kind: String,
    from: [f64; 3],
    to: [f64; 3],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cost: Option<f64>,
    both_ways: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_radius: Option<f64>,
}

impl TiledMesh {
    /// Returns everything that edits put into the world as the text of a file; `None` if nothing stands.
    pub fn edits_text(&self) -> Result<Option<String>> {
        let Some(list) = self.world_list() else { return Ok(None) };
        let text = serde_json::to_string_pretty(&Stored::of(&list));
        let text = text.map_err(|error| Error::new(ErrorKind::Syntax, error.to_string()))?;
        Ok(Some(text + "\n"))
    }

    /// Puts into the world what a text of [`edits_text`](TiledMesh::edits_text) holds, in place of what stands. Nothing
    /// changes if the text makes no sense.
    pub fn read_edits(&mut self, text: &str) -> Result<()> {
        let list = Stored::parse(text)?.list();
        let (mesh, around) = self.frame()?.nothing_loaded()?;
        let mut resting = LiveMesh::part_of(mesh, around)?;
        resting.put_list(&list)?;
        (self.rest, self.now) = (Some(resting), OnceLock::new());
        Ok(())
    }

    /// Stores what edits put into the world in its folder, as `edits.json`. [`TiledMesh::open`] takes it up again. The file
    /// is complete or as it was. If nothing stands, there is none. Fails for a world in memory.
    pub fn save_edits(&self) -> Result<()> {
        let Source::Folder(folder) = &self.source else {
            let detail = "the world is not in a folder; `edits_text` gives what stands";
            return Err(Error::new(ErrorKind::Options, detail));
        };
        let path = folder.join(EDITS_NAME);
        let written = match self.edits_text()? {
            Some(text) => file::write_whole(&path, text.as_bytes()),
            None if path.exists() => fs::remove_file(&path),
            None => Ok(()),
        };
        written
            .map_err(|error| Error::new(ErrorKind::Io, format!("cannot be written: {error}")).in_file(&path))
    }

    /// Returns the number of things that edits put into the world, links that came or went included.
    pub fn edit_count(&self) -> usize {
        self.world_list().map_or(0, |list| list.fixtures.len() + list.added.len() + list.taken.len())
    }

    /// Takes up what was stored in a folder.
    pub(crate) fn take_up_edits(&mut self, folder: &Path) -> Result<()> {
        let path = folder.join(EDITS_NAME);
        if !path.exists() {
            return Ok(());
        }
        let text = file::read_filled_text(&path, "list of edits", MAX_BYTES);
        text.and_then(|text| self.read_edits(&text)).map_err(|error| error.in_file(&path))
    }

    /// Returns everything that edits put into the world; `None` if nothing stands.
    fn world_list(&self) -> Option<WorldList> {
        let live = self.now.get().and_then(|now| now.edited.as_ref()).map(|edited| &edited.live);
        let list = live.or(self.rest.as_ref()).map(LiveMesh::world_list);
        list.filter(|list| !(list.fixtures.is_empty() && list.added.is_empty() && list.taken.is_empty()))
    }
}

impl Stored {
    fn of(list: &WorldList) -> Stored {
        let link = |link: &Link| StoredLink {
            name: link.name.clone(),
            kind: link.kind.name().to_string(),
            from: link.from,
            to: link.to,
            cost: link.cost,
            both_ways: link.both_ways,
            max_radius: link.max_radius,
        };
        Stored {
            format: FORMAT.to_string(),
            version: VERSION,
            classes: list.classes.clone(),
            things: list.fixtures.iter().map(StoredThing::of).collect(),
            links: list.added.iter().map(link).collect(),
            gone_links: list.taken.clone(),
        }
    }

    /// Reads the text of a file.
    fn parse(text: &str) -> Result<Stored> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
            version: u32,
        }
        let syntax = |error: serde_json::Error| {
            Error::new(ErrorKind::Syntax, format!("is not a list of edits of a world in tiles: {error}"))
        };
        let head: Head = serde_json::from_str(text).map_err(syntax)?;
        if head.format != FORMAT || head.version != VERSION {
            let message = format!(
                "is a list of `{}` version {}; this clearway reads `{FORMAT}` version {VERSION}",
                head.format, head.version
            );
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        serde_json::from_str(text).map_err(syntax)
    }

    fn list(self) -> WorldList {
        let link = |link: StoredLink| Link {
            name: link.name,
            kind: LinkKind::from_name(&link.kind),
            from: link.from,
            to: link.to,
            cost: link.cost,
            both_ways: link.both_ways,
            max_radius: link.max_radius,
        };
        WorldList {
            classes: self.classes,
            fixtures: self.things.into_iter().map(StoredThing::fixture).collect(),
            added: self.links.into_iter().map(link).collect(),
            taken: self.gone_links,
        }
    }
}

impl StoredThing {
    fn of(fixture: &Fixture) -> StoredThing {
        let role = match &fixture.role {
            FixtureRole::Area(class) => StoredRole::Area(class.clone()),
            FixtureRole::Obstacle => StoredRole::Obstacle,
            FixtureRole::Door(true) => StoredRole::OpenDoor,
            FixtureRole::Door(false) => StoredRole::ClosedDoor,
        };
        let shape = match fixture.shape.clone() {
            Shape::Polygon(corners) => StoredShape::Polygon(corners),
            Shape::Segment(ends) => StoredShape::Segment(ends),
            Shape::Disc { centre, radius, sides } => StoredShape::Disc { centre, radius, sides },
            Shape::Box { centre, size, turn } => StoredShape::Box { centre, size, turn },
        };
        StoredThing { role, name: fixture.name.clone(), shape, height: fixture.height }
    }

    fn fixture(self) -> Fixture {
        let role = match self.role {
            StoredRole::Area(class) => FixtureRole::Area(class),
            StoredRole::Obstacle => FixtureRole::Obstacle,
            StoredRole::OpenDoor => FixtureRole::Door(true),
            StoredRole::ClosedDoor => FixtureRole::Door(false),
        };
        let shape = match self.shape {
            StoredShape::Polygon(corners) => Shape::Polygon(corners),
            StoredShape::Segment(ends) => Shape::Segment(ends),
            StoredShape::Disc { centre, radius, sides } => Shape::Disc { centre, radius, sides },
            StoredShape::Box { centre, size, turn } => Shape::Box { centre, size, turn },
        };
        Fixture { name: self.name, role, shape, height: self.height }
    }
}
