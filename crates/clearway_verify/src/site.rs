//! Places where tests happen: a mesh built from rectangles, rings or sloping ground, and its shape for pictures.

use clearway_base::Result;
use clearway_build::{MeshOptions, WalkRules, WalkableSurface};
use clearway_nav::{Location, NavMesh};
use clearway_world::plan::PlanPolygon;
use clearway_world::{Plan, Scene};

/// The steepest ground in radians on which people walk, 50 degrees: a stair of ISO 20414 rises by 45.
const STEEPEST: f64 = 0.873;

/// A rectangle: least x, least y, greatest x, greatest y, in metres.
pub type Rect = [f64; 4];

/// A closed ring of points in metres.
pub type Ring = Vec<[f64; 2]>;

/// The place of a test.
#[derive(Debug)]
pub struct Site {
    /// Its mesh.
    pub mesh: NavMesh,
    /// The ground seen from above, for pictures. Later shapes are drawn over earlier ones.
    pub(crate) shapes: Vec<Ring>,
    /// Obstacles in the ground, for pictures.
    pub(crate) holes: Vec<Ring>,
    /// The length after which the place repeats along x, and its width from y = 0 on.
    pub(crate) period: Option<[f64; 2]>,
    /// True if floors lie over each other or slope.
    pub(crate) has_heights: bool,
}

impl Site {
    /// Builds flat ground as the union of rectangles.
    pub fn rooms(rects: &[Rect]) -> Result<Site> {
        let shapes: Vec<Ring> = rects.iter().map(|rect| corners(*rect)).collect();
        Site::polygons(shapes, Vec::new())
    }

    /// Builds flat ground inside one ring, without the inside of holes.
    pub fn outline(ring: Ring, holes: Vec<Ring>) -> Result<Site> {
        Site::polygons(vec![ring], holes)
    }

    /// Builds a corridor that repeats along x. Whoever walks out at one end comes in at the other.
    pub fn ring(length: f64, width: f64) -> Result<Site> {
        let mut site = Site::rooms(&[[0.0, 0.0, length, width]])?;
        site.period = Some([length, width]);
        Ok(site)
    }

    /// Builds ground in space from rectangles with heights.
    pub fn storeys(grounds: &[Ground]) -> Result<Site> {
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for ground in grounds {
            let first = vertices.len() as u32;
            vertices.extend(ground.corners());
            triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
        }
        let parts = vec![0; triangles.len()];
        let scene = Scene::from_triangles(vertices, triangles, parts, [("ground", "")])?;
        let shapes = grounds.iter().map(|ground| corners(ground.rect)).collect();
        let surface = WalkableSurface::extract(&scene, &WalkRules::default().max_slope(STEEPEST))?;
        let mesh = MeshOptions::default().build(&surface)?;
        Ok(Site { mesh, shapes, holes: Vec::new(), period: None, has_heights: true })
    }

    /// Builds the mesh of flat ground. Holes are cut out of the first shape.
    fn polygons(shapes: Vec<Ring>, holes: Vec<Ring>) -> Result<Site> {
        let mut plan = Plan::default();
        for (index, outline) in shapes.iter().enumerate() {
            let holes = if index == 0 { holes.clone() } else { Vec::new() };
            plan.polygons.push(PlanPolygon { outline: outline.clone(), holes });
        }
        let mesh = MeshOptions::default().build(&plan)?;
        Ok(Site { mesh, shapes, holes, period: None, has_heights: false })
    }

    /// Returns the distance from a place to the nearest wall, in metres. The ends of a ring are no walls.
    pub fn wall_distance(&self, at: Location) -> f64 {
        match self.period {
            Some([_, width]) => at.position()[1].min(width - at.position()[1]),
            None => self.mesh.clearance(at).unwrap_or(f64::NEG_INFINITY),
        }
    }

    /// Returns the offset between two points, the shorter way round in a ring.
    pub fn offset(&self, from: [f64; 2], to: [f64; 2]) -> [f64; 2] {
        let (mut x, y) = (to[0] - from[0], to[1] - from[1]);
        if let Some([length, _]) = self.period {
            x -= length * (x / length).round();
        }
        [x, y]
    }

    /// Returns the lowest and the highest corner of the ground.
    pub fn bounds(&self) -> [[f64; 2]; 2] {
        let start = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
        self.shapes.iter().flatten().fold(start, |[low, high], [x, y]| {
            [[low[0].min(*x), low[1].min(*y)], [high[0].max(*x), high[1].max(*y)]]
        })
    }
}

/// A rectangle of ground in space, level or sloping along one axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Its rectangle seen from above.
    pub rect: Rect,
    /// The heights in metres at its corners, counter-clockwise from the least x and y.
    pub heights: [f64; 4],
}

impl Ground {
    /// Makes level ground.
    pub fn level(rect: Rect, height: f64) -> Ground {
        Ground { rect, heights: [height; 4] }
    }

    /// Makes ground that rises or falls along x, from a height at its least x to one at its greatest.
    pub fn along_x(rect: Rect, from: f64, to: f64) -> Ground {
        Ground { rect, heights: [from, to, to, from] }
    }

    /// Makes ground that rises or falls along y, from a height at its least y to one at its greatest.
    pub fn along_y(rect: Rect, from: f64, to: f64) -> Ground {
        Ground { rect, heights: [from, from, to, to] }
    }

    /// Returns the corners in space, x, y up, z, counter-clockwise as seen from above.
    fn corners(&self) -> Vec<[f64; 3]> {
        let flat = corners(self.rect).into_iter();
        flat.zip(self.heights).map(|([x, y], height)| [x, height, 0.0 - y]).collect()
    }
}

/// Returns the corners of a rectangle, counter-clockwise.
pub fn corners([left, low, right, high]: Rect) -> Ring {
    vec![[left, low], [right, low], [right, high], [left, high]]
}

/// True if a point lies in a rectangle or on its rim.
pub fn inside([left, low, right, high]: Rect, [x, y]: [f64; 2]) -> bool {
    (left..=right).contains(&x) && (low..=high).contains(&y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_that_touch_are_one_space() {
        let site =
            Site::rooms(&[[0.0, -5.0, 10.0, 5.0], [10.0, -0.4, 12.0, 0.4], [12.0, -3.0, 17.0, 3.0]]).unwrap();
        assert_eq!(site.mesh.component_count(), 1);
        assert!((site.mesh.area() - (100.0 + 1.6 + 30.0)).abs() < 1e-3);
        let neck = site.mesh.locate([11.0, 0.1]).unwrap();
        assert!((site.wall_distance(neck) - 0.3).abs() < 1e-3);
        assert_eq!(site.bounds(), [[0.0, -5.0], [17.0, 5.0]]);
    }

    #[test]
    fn a_ring_has_no_ends() {
        let site = Site::ring(26.0, 2.0).unwrap();
        let end = site.mesh.locate([25.99, 1.0]).unwrap();
        assert_eq!(site.wall_distance(end), 1.0);
        let [x, y] = site.offset([25.5, 1.0], [0.5, 1.5]);
        assert!((x - 1.0).abs() < 1e-12 && y == 0.5);
    }

    #[test]
    fn sloping_ground_joins_level_ground() {
        let rise = [
            Ground::level([0.0, 0.0, 3.0, 2.0], 0.0),
            Ground::along_x([3.0, 0.0, 11.0, 2.0], 0.0, 6.0),
            Ground::level([11.0, 0.0, 14.0, 2.0], 6.0),
        ];
        let site = Site::storeys(&rise).unwrap();
        assert_eq!(site.mesh.component_count(), 1);
        let half = site.mesh.locate([7.0, 1.0]).unwrap();
        assert!((site.mesh.height(half) - 3.0).abs() < 0.01);
        assert!((site.wall_distance(half) - 1.0).abs() < 0.01);
    }
}
