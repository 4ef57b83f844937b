//! Files of links beside plans and scenes.

use crate::failure::Result;
use crate::input::World;
use clearway::links::{links_beside, load_links, load_links_in_space};
use clearway::{Link, NavMesh};
use std::path::{Path, PathBuf};

/// The links of a file.
#[derive(Debug)]
pub struct LinkFile {
    /// The file.
    pub path: PathBuf,
    /// Its links.
    pub links: Vec<Link>,
}

impl LinkFile {
    /// Reads a file of links; points have two coordinates for a plan and three for a scene.
    pub fn load(path: &Path, world: World) -> Result<LinkFile> {
        let links = match world {
            World::Plan => load_links(path)?,
            World::Scene | World::Building => load_links_in_space(path)?,
        };
        Ok(LinkFile { path: path.to_path_buf(), links })
    }

    /// Reads the links beside a plan or a scene, if there are any.
    pub fn beside(input: &Path, world: World) -> Result<Option<LinkFile>> {
        let path = links_beside(input);
        path.exists().then(|| LinkFile::load(&path, world)).transpose()
    }

    /// Adds the links to a mesh. Returns the longest move of an end, in metres.
    pub fn add_to(&self, mesh: &mut NavMesh, snap: f64) -> Result<f64> {
        let before = mesh.link_count();
        mesh.add_links(&self.links, snap).map_err(|error| error.in_file(&self.path))?;
        let ends = |link: &Link| [link.from, link.to];
        let pairs = self.links.iter().zip(mesh.links().skip(before));
        let moves = pairs.flat_map(|(given, taken)| ends(given).into_iter().zip(ends(&taken)));
        Ok(moves.map(|(given, taken)| distance(given, taken)).fold(0.0, f64::max))
    }
}

/// Returns the distance of two points in space.
pub fn distance(p: [f64; 3], q: [f64; 3]) -> f64 {
    [0, 1, 2].map(|axis| (p[axis] - q[axis]).powi(2)).iter().sum::<f64>().sqrt()
}
