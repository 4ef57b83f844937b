//! Paths on loaded tiles, with a word about those that are not loaded.
//!
//! An open seam is a wall of the loaded mesh. So a path on it is legal, but there may be a shorter one through tiles that
//! are not loaded, and where there is none, there may be one through them. Both are told with the names of tiles. The
//! answers are careful: a tile that is named may turn out to be of no help, but a tile that is not named is of none.

use crate::compose::Composed;
use crate::lines::TileId;
use crate::tiled_mesh::TiledMesh;
use clearway_base::error::Error;
use clearway_geometry::Vec2;
use clearway_nav::links::{SnapRules, SnappedEnd};
use clearway_nav::mesh::{CellId, NavMesh};
use clearway_nav::path::{LinkUse, NoPath, Path, PathQuery, Place};
use clearway_nav::{Location, Position};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;

/// A wall of the loaded mesh beyond which a tile is not loaded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpenSeam {
    /// The cell that the wall belongs to.
    pub cell: CellId,
    /// Its ends in plan coordinates.
    pub ends: [[f64; 2]; 2],
    /// The tile beyond.
    pub tile: TileId,
}

/// A path on the loaded tiles.
#[derive(Clone, Debug)]
pub struct Way {
    /// The path, the shortest on the loaded tiles.
    pub path: Path,
    /// The tile through which a shorter way may lead; `None` if no way through tiles that are not loaded is shorter.
    pub shorter: Option<Shorter>,
}

/// A tile that is not loaded, through which a shorter way may lead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shorter {
    /// The tile at the seam where the way would leave the loaded ones.
    pub tile: TileId,
    /// No way through tiles that are not loaded is shorter than this, in metres.
    pub bound: f64,
}

/// The reason why there is no path on the loaded tiles.
#[derive(Clone, Debug)]
pub enum NoWay {
    /// There is none, whichever tiles are loaded.
    NoPath(NoPath),
    /// There may be one through tiles that are not loaded.
    Unloaded {
        /// The tiles of the way with the fewest of them, from the start to the goal.
        tiles: Vec<TileId>,
    },
    /// The loaded tiles do not make a mesh.
    Tiles(Error),
}

impl fmt::Display for NoWay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoWay::NoPath(reason) => write!(f, "{reason}"),
            NoWay::Unloaded { tiles } => {
                let names: Vec<String> = tiles.iter().map(TileId::to_string).collect();
                write!(f, "the way may lead through tiles that are not loaded: {}", names.join(" "))
            }
            NoWay::Tiles(error) => write!(f, "{error}"),
        }
    }
}

impl TiledMesh {
    /// Returns the shortest path for a body between two points, on the loaded tiles. An end in a tile that is not loaded
    /// is named.
    pub fn find_way(&self, from: impl Position, to: impl Position, rules: &SnapRules) -> Result<Way, NoWay> {
        let composed = self.composed().map_err(NoWay::Tiles)?;
        match composed.mesh.snap_ends(from, to, rules) {
            Ok(ends) => self.find_path(&query_of(ends, rules)),
            Err(off) => {
                let at = if off.place == Place::Start { from.plan() } else { to.plan() };
                let mut tiles = self.within(at, rules.distance);
                tiles.retain(|tile| !self.is_loaded(*tile));
                Err(if tiles.is_empty() {
                    NoWay::NoPath(NoPath::OffMesh { place: off.place })
                } else {
                    NoWay::Unloaded { tiles }
                })
            }
        }
    }

    /// Returns the shortest path on the loaded tiles, or the reason why there is none. The locations belong to
    /// [`mesh`](TiledMesh::mesh).
    pub fn find_path(&self, query: &PathQuery) -> Result<Way, NoWay> {
        let composed = self.composed().map_err(NoWay::Tiles)?;
        match composed.mesh.find_path(query) {
            Ok(path) => {
                // A partial path does not reach the goal: any way that does is better.
                let length = if path.complete { path.length } else { f64::INFINITY };
                let shorter = self.shorter(&composed, query, length);
                Ok(Way { path, shorter })
            }
            Err(reason) => {
                let tiles = self.tiles_on_the_way(&composed, query, &reason);
                Err(if tiles.is_empty() { NoWay::NoPath(reason) } else { NoWay::Unloaded { tiles } })
            }
        }
    }

    /// Loads tiles until the shortest path of the whole world is found, or until it is certain that there is none. Tiles
    /// at both ends come first, then those that the way may lead through, then those through which a shorter way may
    /// lead.
    pub fn load_way(
        &mut self,
        from: impl Position,
        to: impl Position,
        rules: &SnapRules,
    ) -> Result<Way, NoWay> {
        self.load_around(from, rules.distance).map_err(NoWay::Tiles)?;
        self.load_around(to, rules.distance).map_err(NoWay::Tiles)?;
        loop {
            let composed = self.composed().map_err(NoWay::Tiles)?;
            let ends = composed.mesh.snap_ends(from, to, rules);
            let ends = ends.map_err(|off| NoWay::NoPath(NoPath::OffMesh { place: off.place }))?;
            let query = query_of(ends, rules);
            let answer = self.find_path(&query);
            let wanted: Vec<TileId> = match &answer {
                Ok(way) => {
                    self.shorter_ways(&composed, &query, way.path.length).map(|way| way.tile).collect()
                }
                Err(NoWay::Unloaded { tiles }) => tiles.clone(),
                Err(_) => Vec::new(),
            };
            let mut is_new = false;
            for tile in wanted {
                is_new |= self.load(tile).map_err(NoWay::Tiles)?;
            }
            if !is_new {
                return answer;
            }
        }
    }

    /// Returns the tile through which a way may lead that is shorter than `length`.
    fn shorter(&self, composed: &Composed, query: &PathQuery, length: f64) -> Option<Shorter> {
        self.shorter_ways(composed, query, length).min_by(|p, q| p.bound.total_cmp(&q.bound))
    }

    /// Returns the tiles through which ways may lead that are shorter than `length`, for each seam and link.
    fn shorter_ways<'a>(
        &self,
        composed: &'a Composed,
        query: &'a PathQuery,
        length: f64,
    ) -> impl Iterator<Item = Shorter> + 'a {
        let takes_links = (self.index().links || composed.has_links) && query.links != LinkUse::None;
        // A link may cost less than its length, and so may a metre with costs: then no distance bounds the way.
        let is_bounded = query.costs.is_none() && !takes_links;
        let bound = move |seam: &OpenSeam| {
            // A body feels a seam that is a radius away, so its centre need not reach it.
            let bounds = query.goals().map(|goal| {
                let (from, to) = (query.start.position(), goal.position());
                let straight = (from[0] - to[0]).hypot(from[1] - to[1]) * (1.0 - 1e-12);
                straight.max(detour(from, to, seam.ends) - 2.0 * (query.radius + query.snap))
            });
            if is_bounded { bounds.fold(f64::INFINITY, f64::min) } else { 0.0 }
        };
        let seams = composed.seams.iter().map(move |seam| Shorter { tile: seam.tile, bound: bound(seam) });
        let links = composed.links_out.iter().filter(move |_| takes_links);
        let links = links.map(|link| Shorter { tile: link.tile, bound: 0.0 });
        seams.chain(links).filter(move |way| way.bound < length)
    }

    /// Returns the tiles of a way through tiles that are not loaded; empty if there is none.
    fn tiles_on_the_way(&self, composed: &Composed, query: &PathQuery, reason: &NoPath) -> Vec<TileId> {
        match reason {
            NoPath::TooClose { place, .. } => {
                let ends: Vec<Location> = match place {
                    Place::Start => vec![query.start],
                    Place::Goal => query.goals().collect(),
                };
                let is_near = |seam: &&OpenSeam| {
                    ends.iter()
                        .any(|end| detour(end.position(), end.position(), seam.ends) <= 2.0 * query.radius)
                };
                let tiles: BTreeSet<TileId> =
                    composed.seams.iter().filter(is_near).map(|seam| seam.tile).collect();
                tiles.into_iter().collect()
            }
            NoPath::Disconnected | NoPath::TooNarrow { .. } => Web::of(self, composed).way(composed, query),
            _ => Vec::new(),
        }
    }
}

/// Returns the query for ends on the mesh.
fn query_of([start, goal]: [SnappedEnd; 2], rules: &SnapRules) -> PathQuery {
    PathQuery::new(start.location, goal.location).radius(rules.radius).links(rules.links.clone())
}

/// The graph of connected pieces of the loaded mesh and of tiles that are not loaded.
struct Web {
    /// The nodes that each node leads to.
    next: BTreeMap<Node, BTreeSet<Node>>,
}

/// A node of the web.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    /// A connected piece of the loaded mesh.
    Piece(u32),
    /// A tile that is not loaded.
    Tile(TileId),
}

impl Web {
    fn of(tiles: &TiledMesh, composed: &Composed) -> Web {
        let mut web = Web { next: BTreeMap::new() };
        for seam in &composed.seams {
            web.join(piece(&composed.mesh, seam.cell), Node::Tile(seam.tile));
        }
        for link in &composed.links_out {
            web.join(piece(&composed.mesh, link.cell), Node::Tile(link.tile));
        }
        for link in &composed.mesh.parts().links {
            let [from, to] = link.ends.map(|end| piece(&composed.mesh, CellId(end.cell)));
            web.join(from, to);
        }
        for entry in tiles.index().tiles.iter().filter(|entry| !tiles.is_loaded(entry.id())) {
            for other in entry.neighbours().filter(|other| !tiles.is_loaded(*other)) {
                web.join(Node::Tile(entry.id()), Node::Tile(other));
            }
        }
        web
    }

    fn join(&mut self, one: Node, other: Node) {
        self.next.entry(one).or_default().insert(other);
        self.next.entry(other).or_default().insert(one);
    }

    /// Returns the tiles of the way with the fewest steps from the start to a goal that leads through a tile.
    fn way(&self, composed: &Composed, query: &PathQuery) -> Vec<TileId> {
        let goals: BTreeSet<Node> = query.goals().map(|goal| piece(&composed.mesh, goal.cell())).collect();
        // A state is a node, and whether a tile was on the way to it.
        let start = (piece(&composed.mesh, query.start.cell()), false);
        let mut came: BTreeMap<(Node, bool), (Node, bool)> = BTreeMap::from([(start, start)]);
        let mut queue = VecDeque::from([start]);
        while let Some(state) = queue.pop_front() {
            let (node, through) = state;
            if through && goals.contains(&node) {
                return trail(&came, start, state);
            }
            for next in self.next.get(&node).into_iter().flatten() {
                let next = (*next, through || matches!(next, Node::Tile(_)));
                if let std::collections::btree_map::Entry::Vacant(place) = came.entry(next) {
                    place.insert(state);
                    queue.push_back(next);
                }
            }
        }
        Vec::new()
    }
}

/// Returns the tiles on the way from the start to a state.
fn trail(
    came: &BTreeMap<(Node, bool), (Node, bool)>,
    start: (Node, bool),
    mut state: (Node, bool),
) -> Vec<TileId> {
    let mut tiles = Vec::new();
    while state != start {
        if let Node::Tile(tile) = state.0 {
            tiles.push(tile);
        }
        state = came.get(&state).copied().unwrap_or(start);
    }
    tiles.reverse();
    tiles.dedup();
    tiles
}

/// Returns the node of the connected piece that a cell belongs to.
fn piece(mesh: &NavMesh, cell: CellId) -> Node {
    Node::Piece(mesh.cell(cell).map_or(u32::MAX, |cell| cell.component().0))
}

/// Returns the length of the shortest line from one point over a segment to another, rounded down a little.
fn detour(from: [f64; 2], to: [f64; 2], segment: [[f64; 2]; 2]) -> f64 {
    let [a, b] = segment.map(|[x, y]| Vec2::new(x, y));
    let [from, to] = [from, to].map(|[x, y]| Vec2::new(x, y));
    let along = b - a;
    let whole = along.length();
    // Distances from the line of the segment, and places along it.
    let (height, depth) = ((along.cross(from - a) / whole).abs(), (along.cross(to - a) / whole).abs());
    let (first, last) = (along.dot(from - a) / whole, along.dot(to - a) / whole);
    let sum = height + depth;
    let best = if sum > 0.0 { first + (last - first) * height / sum } else { first };
    let best = best.clamp(0.0, whole);
    let length = height.hypot(best - first) + depth.hypot(best - last);
    length * (1.0 - 1e-12)
}
