//! The planners that the command offers. A new one takes a name here and one arm in [`PlannerName::planner`].

use crate::failure::{Failure, Result};
use clap::ValueEnum;
use clearway::roads::{Method, RoadOptions, RoadPlanner};
use clearway::{CorridorPlanner, NavMesh, OptimalPlanner, Planner};
use clearway_base::names::unknown;
use clearway_compare::{CentrePlanner, GridOptions, GridPlanner, VisibilityPlanner, WayPoint};

/// A planner by its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum PlannerName {
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
    /// Along the medial axis, as far from walls as possible
    Roadmap,
    /// The shortest path in the corridor of the roadmap's, or with --clearance one that keeps off walls
    Ecm,
    /// The Indicative Route Method: smooth, along the roadmap's path
    Irm,
    /// MIRAN: along the shortest path with shortcuts, by what a metre costs on each area class
    Miran,
}

/// The number of queries from which on it pays to build the path index first.
const MANY_QUERIES: usize = 256;

/// The options that some planners need.
#[derive(Clone, Debug, Default)]
pub struct PlannerOptions {
    /// The side of the cells of a raster, in metres.
    pub cell_size: Option<f64>,
    /// The preferred clearance of `ecm` in metres.
    pub clearance: f64,
    /// The shortcuts of `miran` in metres along the route.
    pub sigma: Option<f64>,
    /// The cost of a metre by the name of an area class, for `miran`.
    pub weights: Vec<(String, f64)>,
}

impl PlannerOptions {
    /// Returns a planner on the roads of a mesh. Fails if the mesh has no skeleton or no area class of a name.
    fn on_roads(&self, method: Method, mesh: &NavMesh) -> Result<RoadPlanner> {
        let mut weights = vec![1.0; mesh.area_names().len()];
        for (name, weight) in &self.weights {
            let class = mesh.area_names().iter().position(|known| known == name);
            let class = class.ok_or_else(|| {
                let known = mesh.area_names().iter().map(String::as_str);
                Failure::new(format!("--weight: {}", unknown("area class", name, known)))
            })?;
            weights[class] = *weight;
        }
        let usual = RoadOptions::default();
        let sigma = self.sigma.unwrap_or(usual.sigma);
        let options = usual.clearance(self.clearance).sigma(sigma).weights(weights);
        Ok(RoadPlanner::prepared(method, options, mesh)?)
    }
}

/// A planner for a mesh. Each thread has its own.
pub type AnyPlanner<'m> = Box<dyn Planner + 'm>;

impl PlannerName {
    /// Returns the name on the command line and in answers.
    pub fn name(self) -> &'static str {
        match self {
            PlannerName::Optimal => "optimal",
            PlannerName::Corridor => "corridor",
            PlannerName::Visibility => "visibility",
            PlannerName::Centre => "centre",
            PlannerName::Grid => "grid",
            PlannerName::Roadmap => Method::Roadmap.name(),
            PlannerName::Ecm => Method::Ecm.name(),
            PlannerName::Irm => Method::Irm.name(),
            PlannerName::Miran => Method::Miran.name(),
        }
    }

    /// Prepares the mesh for many queries, if that pays.
    pub fn prepare(self, mesh: &NavMesh, queries: usize) {
        if self == PlannerName::Optimal && queries >= MANY_QUERIES {
            mesh.prepare_paths();
        }
    }

    /// Makes the planner for a mesh.
    pub fn planner<'m>(self, mesh: &'m NavMesh, options: &PlannerOptions) -> Result<AnyPlanner<'m>> {
        Ok(match self {
            PlannerName::Optimal => Box::new(OptimalPlanner::new()),
            PlannerName::Corridor => Box::new(CorridorPlanner::new()),
            PlannerName::Centre => Box::new(CentrePlanner::new(mesh, WayPoint::Centre)),
            PlannerName::Visibility => Box::new(VisibilityPlanner::new(mesh)?),
            PlannerName::Grid => {
                Box::new(GridPlanner::new(mesh, &GridOptions::default().cell_size(options.cell_size))?)
            }
            PlannerName::Roadmap => Box::new(options.on_roads(Method::Roadmap, mesh)?),
            PlannerName::Ecm => Box::new(options.on_roads(Method::Ecm, mesh)?),
            PlannerName::Irm => Box::new(options.on_roads(Method::Irm, mesh)?),
            PlannerName::Miran => Box::new(options.on_roads(Method::Miran, mesh)?),
        })
    }
}
