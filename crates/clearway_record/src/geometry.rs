//! The space of a run as it is drawn and measured: storeys with rings and walls, and exits.

use crate::rings;
use serde::Serialize;

/// A chain of points in metres: x and y of the plan, z upwards.
pub type Line = Vec<[f64; 3]>;

/// A body belongs to the highest storey whose floor lies at most this far above its feet, in metres. The last step of a
/// stair counts as the upper floor.
const STEP_ONTO_STOREY: f64 = 0.5;

/// The space in which a crowd walked.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Geometry {
    /// The storeys, from the lowest to the highest.
    pub storeys: Vec<Storey>,
    /// The exits.
    pub exits: Vec<Exit>,
    /// What was closed for some time.
    pub gates: Vec<Gate>,
    /// The lines and areas at which the run is measured.
    pub probes: Vec<Probe>,
    /// True if floors lie above each other.
    pub is_layered: bool,
}

/// One floor of the space.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Storey {
    /// The name that a reader sees.
    pub name: String,
    /// The height of its floor in metres.
    pub height: f64,
    /// Closed rings around the walkable space and around its holes, in any direction. The last point is not repeated.
    pub rings: Vec<Line>,
    /// Open walls.
    pub walls: Vec<Line>,
    /// Polygons that cover the walkable space, counter-clockwise; for instance the cells of a mesh. Without them the
    /// rings are filled. Rings that lead over stairs to another storey do not close, so layered spaces need them.
    pub floor: Vec<Line>,
}

/// A place where bodies leave.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Exit {
    /// The name of the exit.
    pub name: String,
    /// The number of its storey.
    pub storey: u32,
    /// Its outline in the plan.
    pub outline: Vec<[f64; 2]>,
}

/// Something that was closed for some time: a door, a link or an exit.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Gate {
    /// Its name.
    pub name: String,
    /// The number of its storey.
    pub storey: u32,
    /// Where it is: the line of a door, the outline of an exit with its first point repeated.
    pub line: Vec<[f64; 2]>,
    /// The times in seconds between which it was closed.
    pub closed: Vec<[f64; 2]>,
}

/// A line or an area at which a run is measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Probe {
    /// Its name.
    pub name: String,
    /// The number of the storey on which it is drawn.
    pub storey: u32,
    /// The height in metres at which it counts; every floor if it is `None`.
    pub height: Option<f64>,
    /// Two points for a line, three or more for an area.
    pub points: Vec<[f64; 2]>,
}

clearway_base::setters!(Geometry {
    storeys: Vec<Storey>,
    exits: Vec<Exit>,
    gates: Vec<Gate>,
    probes: Vec<Probe>,
    is_layered: bool
});
clearway_base::setters!(Probe { height: Option<f64> });
clearway_base::setters!(Storey { rings: Vec<Line>, walls: Vec<Line>, floor: Vec<Line> });

impl Exit {
    /// Makes an exit with a name, a storey and an outline.
    pub fn new(name: impl Into<String>, storey: u32, outline: Vec<[f64; 2]>) -> Exit {
        Exit { name: name.into(), storey, outline }
    }
}

impl Probe {
    /// Makes a probe of every floor: two points make a line, more an area.
    pub fn new(name: impl Into<String>, storey: u32, points: Vec<[f64; 2]>) -> Probe {
        Probe { name: name.into(), storey, height: None, points }
    }

    /// True for an area.
    pub fn is_area(&self) -> bool {
        self.points.len() > 2
    }

    /// Returns the area in m²; 0 for a line.
    pub fn area(&self) -> f64 {
        let next = self.points.iter().cycle().skip(1);
        let twice = self.points.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f64>();
        twice.abs() / 2.0
    }
}

impl Gate {
    /// Makes a gate that is open.
    pub fn new(name: impl Into<String>, storey: u32, line: Vec<[f64; 2]>) -> Gate {
        Gate { name: name.into(), storey, line, closed: Vec::new() }
    }

    /// True if it was closed at a time.
    pub fn is_closed(&self, time: f64) -> bool {
        self.closed.iter().any(|[from, to]| (*from..*to).contains(&time))
    }
}

impl Storey {
    /// Makes an empty storey.
    pub fn new(name: impl Into<String>, height: f64) -> Storey {
        Storey { name: name.into(), height, ..Storey::default() }
    }

    /// The walkable space as polygons, each with its outer ring first: its floor, or what its rings enclose.
    fn polygons(&self) -> Vec<Vec<&Line>> {
        if self.floor.is_empty() {
            return rings::polygons(&self.rings);
        }
        self.floor.iter().map(|polygon| vec![polygon]).collect()
    }

    /// All wall segments: the sides of rings and the parts of open walls.
    pub fn segments(&self) -> impl Iterator<Item = [[f64; 3]; 2]> + '_ {
        let sides = self.rings.iter().flat_map(|ring| {
            let next = ring.iter().cycle().skip(1);
            ring.iter().zip(next).map(|(a, b)| [*a, *b])
        });
        let parts = self.walls.iter().flat_map(|wall| wall.windows(2).map(|pair| [pair[0], pair[1]]));
        sides.chain(parts)
    }
}

impl Geometry {
    /// Makes the geometry of a plan with one floor at height 0, from rings and open walls.
    pub fn of_plan(rings: &[Vec<[f64; 2]>], walls: &[Vec<[f64; 2]>]) -> Geometry {
        let raised = |lines: &[Vec<[f64; 2]>]| -> Vec<Line> {
            lines.iter().map(|line| line.iter().map(|p| [p[0], p[1], 0.0]).collect()).collect()
        };
        let storey = Storey::new("ground", 0.0).rings(raised(rings)).walls(raised(walls));
        Geometry { storeys: vec![storey], ..Geometry::default() }
    }

    /// Makes a geometry from the wall segments of a mesh and the heights of its floors, from the lowest to the highest.
    /// Each segment goes to the storey of its middle. Segments that follow each other become rings, what is left over
    /// becomes open walls.
    pub fn of_segments(segments: &[[[f64; 3]; 2]], floors: &[(String, f64)]) -> Geometry {
        let mut storeys: Vec<_> =
            floors.iter().map(|(name, height)| Storey::new(name.clone(), *height)).collect();
        if storeys.is_empty() {
            storeys.push(Storey::new("ground", 0.0));
        }
        let is_layered = storeys.len() > 1;
        let mut geometry = Geometry { storeys, is_layered, ..Geometry::default() };
        let mut groups = vec![Vec::new(); geometry.storeys.len()];
        for [a, b] in segments {
            groups[geometry.storey_of((a[2] + b[2]) / 2.0)].push([*a, *b]);
        }
        for (storey, group) in geometry.storeys.iter_mut().zip(&groups) {
            (storey.rings, storey.walls) = rings::chain(group);
        }
        geometry
    }

    /// Adds polygons that cover the walkable space, for instance the cells of a mesh, each to the storey of its middle.
    #[must_use]
    pub fn with_floor(mut self, polygons: &[Line]) -> Geometry {
        for polygon in polygons.iter().filter(|polygon| polygon.len() > 2) {
            let height = polygon.iter().map(|p| p[2]).sum::<f64>() / polygon.len() as f64;
            let storey = self.storey_of(height);
            if let Some(storey) = self.storeys.get_mut(storey) {
                storey.floor.push(polygon.clone());
            }
        }
        self
    }

    /// Returns the number of the storey on which a body with its feet at this height walks.
    pub fn storey_of(&self, z: f64) -> usize {
        let above = self.storeys.iter().rposition(|storey| storey.height <= z + STEP_ONTO_STOREY);
        above.unwrap_or(0)
    }

    /// Returns the lowest and the highest corner of everything that is drawn, in the plan; `None` if nothing is.
    pub fn bounds(&self) -> Option<[[f64; 2]; 2]> {
        let lines = self.storeys.iter().flat_map(|storey| storey.rings.iter().chain(&storey.walls).flatten());
        let outlines = self.exits.iter().flat_map(|exit| exit.outline.iter().copied());
        let points = lines.map(|p| [p[0], p[1]]).chain(outlines);
        points.fold(None, |bounds, p| {
            let [low, high] = bounds.unwrap_or([p, p]);
            Some([[low[0].min(p[0]), low[1].min(p[1])], [high[0].max(p[0]), high[1].max(p[1])]])
        })
    }

    /// Returns the walkable space as WKT: polygons with their holes, the storeys after each other.
    pub fn to_wkt(&self) -> String {
        let polygons: Vec<_> =
            self.storeys.iter().flat_map(Storey::polygons).map(|polygon| wkt_of(&polygon)).collect();
        match polygons.as_slice() {
            [] => "GEOMETRYCOLLECTION EMPTY".to_string(),
            [one] => format!("POLYGON {one}"),
            many => {
                let many: Vec<_> = many.iter().map(|polygon| format!("POLYGON {polygon}")).collect();
                format!("GEOMETRYCOLLECTION ({})", many.join(", "))
            }
        }
    }
}

/// Writes a polygon, its outer ring first, in the brackets of WKT.
fn wkt_of(polygon: &[&Line]) -> String {
    let ring = |line: &&Line| {
        let closed = line.iter().chain(line.first());
        let points: Vec<_> = closed.map(|p| format!("{} {}", p[0], p[1])).collect();
        format!("({})", points.join(", "))
    };
    let rings: Vec<_> = polygon.iter().map(ring).collect();
    format!("({})", rings.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(at: f64, size: f64) -> Vec<[f64; 2]> {
        vec![[at, at], [at + size, at], [at + size, at + size], [at, at + size]]
    }

    #[test]
    fn rings_within_rings_become_holes() {
        let geometry = Geometry::of_plan(&[square(1.0, 2.0), square(0.0, 10.0), square(20.0, 1.0)], &[]);
        assert_eq!(
            geometry.to_wkt(),
            "GEOMETRYCOLLECTION (POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0), (1 1, 3 1, 3 3, 1 3, 1 1)), \
             POLYGON ((20 20, 21 20, 21 21, 20 21, 20 20)))"
        );
        assert_eq!(geometry.bounds(), Some([[0.0, 0.0], [21.0, 21.0]]));
    }

    #[test]
    fn segments_of_two_floors_become_rings_of_two_storeys() {
        let floor = |z: f64| {
            let corners: Vec<[f64; 3]> = square(0.0, 4.0).iter().map(|p| [p[0], p[1], z]).collect();
            [0, 2, 1, 3].map(|i| [corners[i], corners[(i + 1) % 4]])
        };
        let mut segments = [floor(0.0), floor(3.0)].concat();
        segments.push([[1.0, 1.0, 3.0], [2.0, 2.0, 3.0]]);
        let floors = [("ground".to_string(), 0.0), ("first".to_string(), 3.0)];
        let geometry = Geometry::of_segments(&segments, &floors);
        let sizes: Vec<_> = geometry.storeys.iter().map(|s| (s.rings.len(), s.walls.len())).collect();
        assert_eq!(sizes, [(1, 0), (1, 1)]);
        assert_eq!(geometry.storeys[1].rings[0].len(), 4);
        let cells: Vec<Line> =
            [0.0, 3.0].map(|z| square(0.0, 4.0).iter().map(|p| [p[0], p[1], z]).collect()).to_vec();
        let geometry = geometry.with_floor(&cells);
        assert!(geometry.storeys.iter().all(|storey| storey.floor.len() == 1));
        assert_eq!(geometry.to_wkt().matches("POLYGON").count(), 2);
        assert_eq!([-9.0, 0.0, 2.4, 2.6, 90.0].map(|z| geometry.storey_of(z)), [0, 0, 0, 1, 1]);
    }
}
