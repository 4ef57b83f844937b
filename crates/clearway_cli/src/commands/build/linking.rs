//! Puts links on a new mesh: first those of a file, then those found in the scene.

use crate::args::BuildArgs;
use crate::clock::StageClock;
use crate::failure::Result;
use crate::input::World;
use crate::links::LinkFile;
use crate::report::{BuildAnswer, LinksAnswer, count_kinds};
use clearway::links::generate_links_with_report;
use clearway::{JumpRules, NavMesh, Progress, Scene, WalkRules};
use std::time::Instant;

/// The distance in metres that links found on a mesh may be off it: no more than rounding.
const FOUND_SNAP: f64 = 1e-3;

/// The links to add.
pub struct Linking {
    /// The file with links, if there is one.
    file: Option<LinkFile>,
    /// The distance in metres by which ends of these links may be moved.
    snap: f64,
    /// The rules of the leaps to look for.
    leaps: Option<JumpRules>,
}

impl Linking {
    /// Reads the file of links and checks all options, before anything else takes time.
    pub fn read(args: &BuildArgs, walking: Option<&WalkRules>) -> Result<Linking> {
        let leaps = walking.map_or(Ok(None), |walking| args.links.leaps(walking))?;
        let world = if walking.is_some() { World::Scene } else { World::Plan };
        let file = match &args.links.links {
            Some(path) => Some(LinkFile::load(path, world)?),
            None if args.links.no_links => None,
            None => LinkFile::beside(&args.input, world)?,
        };
        let snap = args.links.snap(file.is_some())?;
        Ok(Linking { file, snap, leaps })
    }

    /// Returns start and end of each link in the file, for both directions where it leads both ways.
    pub fn ways(&self) -> Vec<[[f64; 3]; 2]> {
        let links = self.file.iter().flat_map(|file| &file.links);
        links
            .flat_map(|link| {
                let [forth, back] = [[link.from, link.to], [link.to, link.from]];
                [Some(forth), Some(back).filter(|_| link.both_ways)]
            })
            .flatten()
            .collect()
    }

    /// True if leaps are looked for in the scene.
    pub fn finds_leaps(&self) -> bool {
        self.leaps.is_some()
    }

    /// Adds all links to the mesh and reports them. A mesh without cells gets none.
    pub fn link(&self, mesh: &mut NavMesh, scene: Option<&Scene>, answer: &mut BuildAnswer) -> Result<()> {
        if mesh.cell_count() == 0 || (self.file.is_none() && self.leaps.is_none()) {
            return Ok(());
        }
        let (started, mut clock) = (Instant::now(), StageClock::start());
        clock.stage("links");
        answer.links = self.add_links(mesh, scene)?;
        answer.add_stage("links", started.elapsed());
        Ok(())
    }

    /// Adds the links of the file and the leaps found in the scene.
    fn add_links(&self, mesh: &mut NavMesh, scene: Option<&Scene>) -> Result<LinksAnswer> {
        let mut told = LinksAnswer::default();
        if let Some(file) = &self.file {
            told.moved = Some(file.add_to(mesh, self.snap)?);
            told.snap = Some(self.snap);
            told.taken = count_kinds(file.links.iter().map(|link| &link.kind));
            told.file = Some(file.path.display().to_string());
        }
        if let (Some(rules), Some(scene)) = (&self.leaps, scene) {
            let (links, left_out) = generate_links_with_report(mesh, scene, rules)?;
            mesh.add_links(&links, FOUND_SNAP)?;
            told.generated = count_kinds(links.iter().map(|link| &link.kind));
            told.left_out = left_out;
            told.rules = Some(rules.clone());
        }
        Ok(told)
    }
}
