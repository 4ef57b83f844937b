//! The planners that the command offers. A new one takes a name here and one arm in [`Planner::finder`].

use crate::failure::Result;
use clap::ValueEnum;
use clearway::path::{CorridorPlanner, SearchSpace};
use clearway::{Link, LinkKind, LinkPath, LinkQuery, NavMesh, NoPath, PathQuery};
use clearway_compare::{CentrePlanner, GridOptions, GridPlanner, VisibilityPlanner, WayPoint};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Planner {
    /// The shortest path, by a search of the mesh itself
    #[default]
    Optimal,
    /// A path through the first corridor that A* over portals finds, pulled tight; fast, not always the shortest
    Corridor,
    /// The shortest path, by corners that see one another; slow to prepare, for plans of up to 6000 corners
    Visibility,
    /// Portal centres by the published clearance, for comparison; it may come too close to walls
    Centre,
    /// A* on a raster of the mesh, for comparison
    Grid,
}

/// From so many queries on it pays to find landmarks first.
const MANY_QUERIES: usize = 64;

/// What some planners want to know before they start.
#[derive(Clone, Debug, Default)]
pub struct PlannerOptions {
    /// The side of the cells of a raster, in metres.
    pub cell_size: Option<f64>,
    /// The kinds of links that may be used; all where none are given.
    pub kinds: Option<Vec<LinkKind>>,
}

impl PlannerOptions {
    /// Whether there are links that may be used.
    fn has_links(&self, mesh: &NavMesh) -> bool {
        let allows = |link: &Link| self.kinds.as_ref().is_none_or(|kinds| kinds.contains(&link.kind));
        mesh.links().any(|link| allows(&link))
    }
}

/// Answers one query after the other, in memory that it uses again.
pub type Finder<'m> = Box<dyn FnMut(&PathQuery) -> std::result::Result<LinkPath, NoPath> + Send + 'm>;

impl Planner {
    /// The name in the command line and in answers.
    pub fn name(self) -> &'static str {
        match self {
            Planner::Optimal => "optimal",
            Planner::Corridor => "corridor",
            Planner::Visibility => "visibility",
            Planner::Centre => "centre",
            Planner::Grid => "grid",
        }
    }

    /// Makes the mesh ready for many queries, where that pays.
    pub fn prepare(self, mesh: &NavMesh, queries: usize) {
        if self == Planner::Optimal && queries >= MANY_QUERIES {
            mesh.prepare_paths();
        }
    }

    /// The planner at work on a mesh. Threads get one each.
    pub fn finder<'m>(self, mesh: &'m NavMesh, options: &PlannerOptions) -> Result<Finder<'m>> {
        Ok(match self {
            Planner::Optimal if options.has_links(mesh) => {
                let (kinds, mut space) = (options.kinds.clone(), SearchSpace::new());
                Box::new(move |query| with_links(mesh, query, &kinds, &mut space))
            }
            Planner::Optimal => {
                let mut space = SearchSpace::new();
                Box::new(move |query| mesh.find_path_with(query, &mut space).map(LinkPath::from))
            }
            Planner::Corridor => {
                let mut planner = CorridorPlanner::new();
                Box::new(move |query| planner.find_path(mesh, query).map(LinkPath::from))
            }
            Planner::Centre => {
                let mut planner = CentrePlanner::new(mesh, WayPoint::Centre);
                Box::new(move |query| planner.find_path(mesh, query).map(LinkPath::from))
            }
            Planner::Visibility => {
                let planner = VisibilityPlanner::new(mesh)?;
                Box::new(move |query| {
                    planner.find_path(mesh, query.start, query.goal, query.radius).map(LinkPath::from)
                })
            }
            Planner::Grid => {
                let options = GridOptions::default().cell_size(options.cell_size);
                let mut planner = GridPlanner::new(mesh, &options)?;
                Box::new(move |query| planner.find_path(query).map(LinkPath::from))
            }
        })
    }
}

/// The cheapest way with links. Where there is none, and a part of it is good enough, that part is walked.
fn with_links(
    mesh: &NavMesh,
    query: &PathQuery,
    kinds: &Option<Vec<LinkKind>>,
    space: &mut SearchSpace,
) -> std::result::Result<LinkPath, NoPath> {
    let PathQuery { start, goal, radius, snap, partial, .. } = *query;
    let linked = LinkQuery::new(start, goal).radius(radius).snap(snap).kinds(kinds.clone());
    match mesh.find_path_with_links_in(&linked, space) {
        Err(_) if partial => mesh.find_path_with(query, space).map(LinkPath::from),
        found => found,
    }
}
