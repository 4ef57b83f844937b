//! Corners of streets: a pavement that rises from a road along a kerb, around a corner, past a driveway.

use super::soup::{Point3, Soup};
use super::truth::{Component, KnownScene, Truth};
use crate::random::Random;

/// The side of the square that a corner lies in, in metres.
const SIDE: f64 = 64.0;

/// The width of the strip of pavement beside the kerb, which a driveway lowers, in metres.
const STRIP: f64 = 1.5;

/// The side of the shed on the pavement, which has no door, in metres.
const SHED: f64 = 4.0;

/// The side of the planter on the pavement, higher than a step, in metres.
const PLANTER: f64 = 2.0;

/// The side view of a kerb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KerbShape {
    /// One slope from top to foot.
    Bevel,
    /// A bevel on top of an upright side.
    Chamfer,
    /// A bevel, an upright side, and a bevel at the foot.
    DoubleChamfer,
    /// A quarter of a circle, in flat facets.
    Round,
    /// Two slopes, the steeper one below.
    Broken,
}

/// The ground under the foot of a kerb.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Foot {
    /// The road ends so many metres beside the foot; less than zero is under the kerb.
    Ends(f64),
    /// The road runs on beneath kerb and pavement.
    RunsOn,
}

/// The corner of a street.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StreetOptions {
    /// The side view of the kerb.
    pub shape: KerbShape,
    /// The width of the kerb seen from above, in metres.
    pub width: f64,
    /// The height of the pavement above the road, in metres.
    pub rise: f64,
    /// The ground under the foot of the kerb.
    pub foot: Foot,
    /// The radius of the corner, in metres; 0 is a sharp corner.
    pub radius: f64,
    /// The number of straight pieces of a round corner.
    pub pieces: usize,
    /// True if the road fills the corner and the pavement runs around it.
    pub is_basin: bool,
    /// The height of the kerb in the driveway, in metres; `None` if there is no driveway.
    pub driveway: Option<f64>,
    /// The rise of road and pavement along x, in metres per metre.
    pub grade: f64,
    /// The angle by which all is turned, in radians.
    pub turn: f64,
}

impl StreetOptions {
    /// Draws the corner of a number: every shape, foot and kind of corner appears within 30 numbers.
    pub fn drawn(number: u64) -> StreetOptions {
        let mut random = Random::new(number.wrapping_mul(7919) + 21);
        let shapes = [
            KerbShape::Bevel,
            KerbShape::Chamfer,
            KerbShape::DoubleChamfer,
            KerbShape::Round,
            KerbShape::Broken,
        ];
        let width = [0.01, 0.02, 0.04, 0.06, 0.1, 0.3][number as usize % 6];
        // The steepest bevels are narrow, so that the rise stays below a step.
        let angle = random.range(30f64, 85.0).to_radians();
        let rise = (width * angle.tan()).clamp(0.04, 0.36);
        let feet = [
            Foot::Ends(0.0),
            Foot::RunsOn,
            Foot::Ends(0.003),
            Foot::Ends(-0.003),
            Foot::Ends(-0.5 * width),
            Foot::RunsOn,
            Foot::Ends(-width),
        ];
        StreetOptions {
            shape: shapes[number as usize % shapes.len()],
            width,
            rise,
            foot: feet[number as usize % feet.len()],
            radius: [0.0, 3.0, 6.0][number as usize / 2 % 3],
            pieces: 4 + random.below(12),
            is_basin: number % 4 == 3,
            driveway: random.chance(0.6).then(|| random.range(0.0, 0.03f64.min(rise))),
            grade: if random.chance(0.5) { random.range(0.0, 0.08) } else { 0.0 },
            turn: if random.chance(0.7) { random.range(0.0, 1.5) } else { 0.0 },
        }
    }
}

/// The corner of a street with a shed that has no door, and a planter higher than a step.
///
/// The truth is complete: road, kerb and pavement are one piece if the rise is at most a step; the floor of the shed and
/// the top of the planter are pieces of their own.
pub fn street_corner(options: StreetOptions) -> KnownScene {
    let line = Line::of(&options);
    let mut soup = Soup::new();
    lay_road(&mut soup, &options, &line);
    lay_kerb(&mut soup, &options, &line);
    let middle = if options.is_basin { 0.8 * SIDE } else { 0.15 * SIDE };
    let shed = [middle - 0.5 * SHED, middle + 0.5 * SHED];
    let planter = [shed[1] + 1.0, shed[1] + 1.0 + PLANTER];
    lay_shed(soup.part("shed", "Wood"), shed);
    let top = options.rise + options.grade * planter[1] + 0.6;
    soup.part("planter", "Stone");
    soup.cuboid([planter[0], -1.0, shed[0]], [planter[1], top, shed[0] + PLANTER]);
    let ground = |x: f64, z: f64, y: f64| [x, y + options.grade * x, z];
    let (road, pavement) = if options.is_basin { (0.15, 0.8) } else { (0.8, 0.15) };
    let [near, far] = [0.05 * SIDE, 0.95 * SIDE];
    let places = vec![
        ground(road * SIDE, road * SIDE, 0.0),
        ground(pavement * SIDE, if options.is_basin { far } else { near }, options.rise),
        ground(if options.is_basin { far } else { near }, pavement * SIDE, options.rise),
    ];
    let [shed_area, planter_area] = [SHED * SHED, PLANTER * PLANTER];
    let components = vec![
        Component::open(SIDE * SIDE - shed_area - planter_area, places),
        Component::open(shed_area, vec![ground(middle, middle, options.rise)]),
        Component::open(planter_area, vec![[0.5 * (planter[0] + planter[1]), top, shed[0] + 0.5 * PLANTER]]),
    ];
    let mut truth = Truth::of(components);
    // Road and pavement may end a little apart or overlap, all along the kerb.
    truth.tolerance = 2.0 * SIDE * 0.003;
    truth.bridge = 0.03;
    let mut scene = KnownScene::new("street_corner", soup, truth);
    turn(&mut scene, options.turn);
    scene
}

/// The line along the top of a kerb: its points, and the directions in which the kerb falls.
struct Line {
    /// The points, from the side where z is 0 around the corner to the side where x is 0.
    points: Vec<[f64; 2]>,
    /// For each point, the vector by which a kerb of one metre would move it. It points away from the inner corner.
    outward: Vec<[f64; 2]>,
    /// For each point, the height of the kerb there, in metres.
    heights: Vec<f64>,
    /// The number of the first point of the corner and of the last.
    bend: [usize; 2],
    /// The sign of the direction in which the kerb falls.
    sign: f64,
}

impl Line {
    /// Draws the line half-way through the square, with a driveway in its first straight.
    fn of(options: &StreetOptions) -> Line {
        let (edge, radius) = (0.5 * SIDE, options.radius);
        let mut line = Line {
            points: Vec::new(),
            outward: Vec::new(),
            heights: Vec::new(),
            bend: [0; 2],
            sign: if options.is_basin { -1.0 } else { 1.0 },
        };
        line.push([edge, 0.0], [1.0, 0.0], options.rise);
        if let Some(low) = options.driveway {
            for (z, height) in [(3.0, options.rise), (4.0, low), (7.0, low), (8.0, options.rise)] {
                line.push([edge, z], [1.0, 0.0], height);
            }
        }
        line.bend[0] = line.points.len();
        if radius > 0.0 {
            for piece in 0..=options.pieces {
                let angle = std::f64::consts::FRAC_PI_2 * piece as f64 / options.pieces as f64;
                let (sin, cos) = angle.sin_cos();
                let centre = edge - radius;
                line.push([centre + radius * cos, centre + radius * sin], [cos, sin], options.rise);
            }
        } else {
            line.push([edge, edge], [1.0, 1.0], options.rise);
        }
        line.bend[1] = line.points.len() - 1;
        line.push([0.0, edge], [0.0, 1.0], options.rise);
        line
    }

    fn push(&mut self, point: [f64; 2], outward: [f64; 2], height: f64) {
        self.points.push(point);
        self.outward.push(outward);
        self.heights.push(height);
    }

    /// The point of a number, moved to where the kerb falls.
    fn at(&self, number: usize, offset: f64) -> [f64; 2] {
        let ([x, z], [dx, dz]) = (self.points[number], self.outward[number]);
        [x + self.sign * offset * dx, z + self.sign * offset * dz]
    }

    /// The parts of the square on one side of the line, moved by `offset`: towards the inner corner, or away from it.
    fn parts(&self, offset: f64, is_inner: bool) -> Vec<Vec<[f64; 2]>> {
        let moved: Vec<[f64; 2]> = (0..self.points.len()).map(|number| self.at(number, offset)).collect();
        if is_inner {
            let ring: Vec<[f64; 2]> = moved.into_iter().chain([[0.0; 2]]).collect();
            return vec![ring];
        }
        let [first, last] = self.bend;
        let far = [SIDE; 2];
        let mut parts = Vec::new();
        for (number, pair) in moved.windows(2).enumerate() {
            parts.push(match () {
                () if number < first => vec![pair[0], [SIDE, pair[0][1]], [SIDE, pair[1][1]], pair[1]],
                () if number >= last => vec![pair[0], [pair[0][0], SIDE], [pair[1][0], SIDE], pair[1]],
                () => vec![pair[0], far, pair[1]],
            });
        }
        parts.push(vec![moved[first], [SIDE, moved[first][1]], far]);
        parts.push(vec![moved[last], far, [moved[last][0], SIDE]]);
        parts
    }
}

/// Lays the road, and the pavement up to its strip.
fn lay_road(soup: &mut Soup, options: &StreetOptions, line: &Line) {
    soup.part("road", "Asphalt");
    match options.foot {
        Foot::RunsOn => lay(soup, &[[0.0, 0.0], [SIDE, 0.0], [SIDE; 2], [0.0, SIDE]], 0.0, options.grade),
        Foot::Ends(beside) => {
            let parts = line.parts(options.width + beside, options.is_basin);
            parts.iter().for_each(|part| lay(soup, part, 0.0, options.grade));
        }
    }
    soup.part("pavement", "Pavement");
    let parts = line.parts(-STRIP, !options.is_basin);
    parts.iter().for_each(|part| lay(soup, part, options.rise, options.grade));
}

/// Lays the strip of pavement and the kerb along the line.
fn lay_kerb(soup: &mut Soup, options: &StreetOptions, line: &Line) {
    let rows = profile(options.shape, options.width);
    soup.part("kerb", "Stone");
    for number in 0..line.points.len() - 1 {
        let place = |number: usize, offset: f64, height: f64| {
            let [x, z] = line.at(number, offset);
            [x, height + options.grade * x, z]
        };
        let mut quad = |[from, to]: [f64; 2], [high, low]: [[f64; 2]; 2]| {
            let corners = [
                place(number, from, high[0]),
                place(number + 1, from, high[1]),
                place(number + 1, to, low[1]),
                place(number, to, low[0]),
            ];
            add_quad(soup, corners);
        };
        let tops = [line.heights[number], line.heights[number + 1]];
        quad([-STRIP, 0.0], [[options.rise; 2], tops]);
        for pair in rows.windows(2) {
            let heights = [pair[0][1], pair[1][1]].map(|share| tops.map(|top| share * top));
            quad([pair[0][0], pair[1][0]], heights);
        }
    }
}

/// The side view of a kerb: offsets from its top edge in metres, and shares of its height.
fn profile(shape: KerbShape, width: f64) -> Vec<[f64; 2]> {
    let rows: Vec<[f64; 2]> = match shape {
        KerbShape::Bevel => vec![[0.0, 1.0], [1.0, 0.0]],
        KerbShape::Chamfer => vec![[0.0, 1.0], [1.0, 0.5], [1.0, 0.0]],
        KerbShape::DoubleChamfer => vec![[0.0, 1.0], [0.5, 0.75], [0.5, 0.25], [1.0, 0.0]],
        KerbShape::Round => (0..=6)
            .map(|facet| (f64::from(facet) * std::f64::consts::PI / 12.0).sin_cos())
            .map(|(sin, cos)| [sin, cos])
            .collect(),
        KerbShape::Broken => vec![[0.0, 1.0], [0.7, 0.6], [1.0, 0.0]],
    };
    rows.into_iter().map(|[offset, height]| [width * offset, height]).collect()
}

/// Lays a convex part of the plan at a height above the ground.
fn lay(soup: &mut Soup, ring: &[[f64; 2]], height: f64, grade: f64) {
    let mut corners: Vec<Point3> = ring.iter().map(|[x, z]| [*x, height + grade * x, *z]).collect();
    // With x to the right and z towards the reader, a ring that turns from x to z looks down.
    let turned = |[p, q]: [Point3; 2]| p[0] * q[2] - p[2] * q[0];
    let next = corners.iter().skip(1).chain(&corners[..1]);
    if corners.iter().zip(next).map(|(p, q)| turned([*p, *q])).sum::<f64>() > 0.0 {
        corners.reverse();
    }
    soup.face(&corners);
}

/// Adds a face of four corners that looks up, or sideways where it stands upright.
fn add_quad(soup: &mut Soup, corners: [Point3; 4]) {
    let area = |[a, b, c]: [Point3; 3]| (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
    let [a, b, c, d] = corners;
    let is_up = area([a, b, c]) + area([a, c, d]) >= 0.0;
    soup.face(&if is_up { [a, b, c, d] } else { [d, c, b, a] });
}

/// Builds four walls without a door around a square.
fn lay_shed(soup: &mut Soup, [low, high]: [f64; 2]) {
    let corners = [[low, low], [high, low], [high, high], [low, high]];
    for number in 0..4 {
        soup.panel(corners[number], corners[(number + 1) % 4], -1.0, 6.0);
    }
}

/// Turns a scene about the upright axis.
fn turn(scene: &mut KnownScene, angle: f64) {
    let (sin, cos) = angle.sin_cos();
    let turned = |[x, y, z]: Point3| [cos * x + sin * z, y, cos * z - sin * x];
    scene.soup.vertices.iter_mut().for_each(|vertex| *vertex = turned(*vertex));
    let places = scene.truth.components.iter_mut().flat_map(|component| &mut component.places);
    places.for_each(|place| *place = turned(*place));
}
