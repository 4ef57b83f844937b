//! Where a body among others finds its goal, and the search to it.

use crate::arc::Arc;
use crate::astar::{Astar, Found};
use crate::live::Live;
use crate::plan::Ends;
use clearway_geometry::Vec2;
use clearway_skeleton::SiteId;

/// The expansions of a part of a search from a goal, that shows whether bodies wall the goal in: most such pens are
/// smaller. A search from the body alone would visit the whole world before it knows.
const PROBE: u32 = 64;

/// The expansions of the part of the search from the body that follows: long searches cost an eighth more.
const PART: u32 = 8 * PROBE;

/// Searches between a body and its goal. Without a limit a search from the goal goes along in turns, so that a goal that
/// nothing leads to costs no more than its pen.
pub(crate) fn find(
    live: &mut Live,
    [search, probe]: [&mut Astar; 2],
    ends: &Ends,
    (limit, dead_ends): (Option<u32>, bool),
    expansions: &mut u32,
) -> Found {
    let task = ends.task(limit, dead_ends);
    if limit.is_some() {
        let found = search.run(live, &task);
        *expansions += search.expansions;
        return found;
    }
    let back = Ends { starts: ends.goals, goals: ends.starts, at: ends.on_road, on_road: ends.at };
    let back = back.task(None, false);
    probe.begin(live, &back);
    search.begin(live, &task);
    let mut is_open = false;
    let found = loop {
        if !is_open {
            match probe.go_on(live, &back, PROBE) {
                Some(Found::Nothing) => break Found::Nothing,
                found => is_open = found.is_some(),
            }
        }
        if let Some(found) = search.go_on(live, &task, PART) {
            break found;
        }
    };
    *expansions += search.expansions + probe.expansions;
    found
}

/// Where a goal is reached from.
pub(crate) struct Goals {
    /// Nodes, each with the cost along the edge of the goal's retraction.
    pub nodes: Vec<(u32, f64)>,
    /// The retraction.
    pub on_road: Vec2,
    /// The sites beside that edge.
    pub sides: [SiteId; 2],
}

impl Goals {
    /// Joins a goal to the roads of the moment. `None` for one on a wall or a body, or off the world.
    pub fn of(live: &Live, goal: Vec2) -> Option<Goals> {
        let (id, place, _) = live.diagram.retract(goal, None)?;
        let edge = live.diagram.edge(id)?;
        let sites = edge.sides.map(|site| live.diagram.site_ends(site).unwrap_or_default());
        let narrowest = edge.parameter(edge.narrowest);
        let arc = Arc { edge, nodes: [0; 2], length: edge.length(), sites, narrowest };
        let t = edge.parameter(place);
        let need = live.need(edge.sides);
        let reach = |end: usize| {
            let part = [t, end as f64];
            (arc.least(part) >= need).then(|| (edge.ends[end].0, arc.part_length(part)))
        };
        Some(Goals { nodes: (0..2).filter_map(reach).collect(), on_road: place, sides: edge.sides })
    }
}
