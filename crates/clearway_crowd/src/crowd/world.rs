//! What a crowd derives from a mesh: ground, free parts of portals, routes, zones. It is made anew for another mesh.

use super::goal::{AREA_HEIGHT, Area};
use super::ground::{Ground, Wrap};
use super::options::{CrowdOptions, SpeedZone};
use super::portals::PortalTable;
use super::routes::{AreaCells, LinkStop, RouteTable, RouteWorld, area_cells, link_stops};
use clearway_base::{Result, parallel};
use clearway_nav::mesh::CellId;
use clearway_nav::{Location, NavMesh};
use std::collections::{BTreeMap, BTreeSet};

/// A goal area of a crowd.
#[derive(Clone, Debug)]
pub(crate) struct SharedGoal {
    /// The area.
    pub area: Area,
    /// False if it cannot be walked to.
    pub open: bool,
}

/// What is derived from a mesh.
#[derive(Debug)]
pub(crate) struct World {
    /// The ground.
    pub ground: Ground,
    /// The ends of links.
    pub stops: Vec<LinkStop>,
    /// For each radius class its portals, once they are needed.
    pub classes: Vec<Option<PortalTable>>,
    /// The routes by goal and radius class.
    pub tables: BTreeMap<(u32, u32), RouteTable>,
    /// For each cell with a speed zone, the numbers of its zones.
    pub zones: BTreeMap<u32, Vec<u32>>,
    /// For each cell, true if its ground is not level. Empty for a plan.
    sloped: Vec<bool>,
}

/// The difference of heights in a cell, in metres, from which its ground counts as a slope.
const LEVEL: f64 = 0.05;

/// The distance in metres before and behind a body over which a slope is measured: it evens out single steps of a
/// stair.
const SLOPE_BASE: f64 = 0.5;

/// The slope from which a zone counts as up or down.
const STEEP: f64 = 0.05;

impl World {
    /// Derives everything that does not depend on goals.
    pub fn new(mesh: &NavMesh, reach: f64, wraps: &[Wrap], zones: &[SpeedZone]) -> Result<World> {
        let mut world = World {
            ground: Ground::new(mesh, reach, wraps)?,
            stops: link_stops(mesh),
            classes: Vec::new(),
            tables: BTreeMap::new(),
            zones: BTreeMap::new(),
            sloped: sloped_cells(mesh),
        };
        for (number, zone) in zones.iter().enumerate() {
            for cell in area_cells(mesh, &zone.area, 0.0).into_keys() {
                world.zones.entry(cell).or_default().push(number as u32);
            }
        }
        Ok(world)
    }

    /// Makes the portal tables of these classes.
    pub fn prepare_classes(
        &mut self,
        mesh: &NavMesh,
        radii: &[f64],
        needed: &BTreeSet<u32>,
        options: &CrowdOptions,
    ) {
        self.classes.resize_with(radii.len(), || None);
        for &class in needed {
            let place = class as usize;
            if self.classes[place].is_none() {
                self.classes[place] =
                    Some(PortalTable::new(mesh, &self.ground, radii[place], options.shrink));
            }
        }
    }

    /// Makes the route tables that are missing, one thread for each.
    pub fn prepare_tables(&mut self, mesh: &NavMesh, goals: &[SharedGoal], needed: &BTreeSet<(u32, u32)>) {
        let missing: Vec<(u32, u32)> =
            needed.iter().copied().filter(|key| !self.tables.contains_key(key)).collect();
        let made = parallel::map(missing.len(), |number| {
            let (goal, class) = missing[number];
            let portals = self.classes[class as usize].as_ref()?;
            let goal = goals.get(goal as usize);
            let cells = goal.map_or(AreaCells::new(), |goal| area_cells(mesh, &goal.area, portals.radius));
            let is_closed = goal.is_some_and(|goal| !goal.open);
            Some(RouteTable::new(self.route_world(mesh, portals), cells).closed(is_closed))
        });
        for (key, table) in missing.into_iter().zip(made) {
            self.tables.extend(table.map(|table| (key, table)));
        }
    }

    /// Forgets the routes to a goal.
    pub fn forget_goal(&mut self, goal: u32) {
        self.tables.retain(|(known, _), _| *known != goal);
    }

    /// Returns what a route search reads.
    pub fn route_world<'a>(&'a self, mesh: &'a NavMesh, portals: &'a PortalTable) -> RouteWorld<'a> {
        RouteWorld { mesh, ground: &self.ground, portals, stops: &self.stops, costs: &[] }
    }

    /// True if the speed of a body depends on its place in this cell.
    pub fn has_pace(&self, cell: u32, options: &CrowdOptions) -> bool {
        self.zones.contains_key(&cell) || (options.along_ground && self.is_sloped(cell))
    }

    /// Returns the part of its speed at which a body moves in the plan: by the slope of the ground and by zones.
    pub fn pace(
        &self,
        mesh: &NavMesh,
        zones: &[SpeedZone],
        options: &CrowdOptions,
        at: Location,
        head: [f64; 2],
    ) -> f32 {
        let slope = if self.is_sloped(at.cell().0) { slope(mesh, at, head) } else { 0.0 };
        let mut pace = if options.along_ground { (1.0 / (1.0 + slope * slope).sqrt()) as f32 } else { 1.0 };
        for number in self.zones.get(&at.cell().0).into_iter().flatten() {
            let zone = &zones[*number as usize];
            let is_high = |height: f64| (mesh.height(at) - height).abs() <= AREA_HEIGHT;
            if zone.area.holds(at.position()) && zone.area.height().is_none_or(is_high) {
                pace *= if slope > STEEP {
                    zone.up
                } else if slope < -STEEP {
                    zone.down
                } else {
                    zone.level
                };
            }
        }
        pace
    }

    /// True if the ground of a cell is not level.
    pub fn is_sloped(&self, cell: u32) -> bool {
        self.sloped.get(cell as usize).copied().unwrap_or(false)
    }
}

/// Returns, for each cell, true if its ground is not level. Empty for a plan.
fn sloped_cells(mesh: &NavMesh) -> Vec<bool> {
    if mesh.body_height().is_none() {
        return Vec::new();
    }
    let range = |cell: usize| mesh.height_range(CellId(cell as u32)).map_or(0.0, |[low, high]| high - low);
    (0..mesh.cell_slots()).map(|cell| range(cell) > LEVEL).collect()
}

/// Returns the slope of the ground along a direction: the rise per metre in the plan.
fn slope(mesh: &NavMesh, at: Location, head: [f64; 2]) -> f64 {
    let end = |length: f64| {
        let [x, y] = at.position();
        let to = [x + head[0] * length, y + head[1] * length];
        let hit = mesh.raycast(at, to, 0.0);
        hit.map_or((0.0, mesh.height(at)), |hit| (hit.distance, mesh.height(hit.at)))
    };
    let ((before, low), (behind, high)) = (end(-SLOPE_BASE), end(SLOPE_BASE));
    let run = before + behind;
    if run > 0.1 { (high - low) / run } else { 0.0 }
}
