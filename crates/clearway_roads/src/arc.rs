//! One Voronoi edge of the roads: places, radii, lengths of its parts, and the polygon that a body walks along it.
//!
//! A parabola is walked along a polygon of tangents. Tangents lie on the side of the wall, and the first touches the
//! curve at its narrowest place: the polygon keeps the smallest radius of the curve from the wall and from the corner.

use clearway_geometry::Vec2;
use clearway_skeleton::{Curve, Edge};

/// A Voronoi edge with the sites on both sides, in grid units. Places on it have a parameter from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arc {
    pub edge: Edge,
    /// The numbers of its end nodes in the raw graph.
    pub nodes: [u32; 2],
    pub length: f64,
    /// The ends of the site on the left and of that on the right, seen from the first node.
    pub sites: [[Vec2; 2]; 2],
    /// The parameter of the narrowest place.
    pub narrowest: f64,
}

impl Arc {
    pub fn place(&self, t: f64) -> Vec2 {
        // The ends are those of the nodes, to the last bit.
        if t <= 0.0 {
            self.edge.at[0]
        } else if t >= 1.0 {
            self.edge.at[1]
        } else {
            self.edge.at(t)
        }
    }

    /// The distance of a place from both sites.
    pub fn radius(&self, t: f64) -> f64 {
        if t <= 0.0 {
            return self.edge.radii[0];
        }
        if t >= 1.0 {
            return self.edge.radii[1];
        }
        let at = self.edge.at(t);
        at.distance_to_segment(self.sites[0][0], self.sites[0][1])
    }

    /// The length of a part.
    pub fn part_length(&self, [from, to]: [f64; 2]) -> f64 {
        if from.min(to) <= 0.0 && from.max(to) >= 1.0 {
            return self.length;
        }
        match self.edge.curve {
            Curve::Line => self.length * (to - from).abs(),
            Curve::Parabola { foot, along, normal, height, range } => {
                let range = [from, to].map(|t| range[0] + (range[1] - range[0]) * t);
                Edge { curve: Curve::Parabola { foot, along, normal, height, range }, ..self.edge }.length()
            }
        }
    }

    /// The radius of the smallest empty circle on a part.
    pub fn least(&self, [from, to]: [f64; 2]) -> f64 {
        let (low, high) = (from.min(to), from.max(to));
        if low <= self.narrowest && self.narrowest <= high {
            return self.edge.width;
        }
        self.radius(from).min(self.radius(to))
    }

    /// Appends the stations of a walk along a part: all but the first. Tangents touch the curve every `step`, in the
    /// logarithmic measure of a parabola, so that the walk strays from it by a share `step²/4` of the radius.
    pub fn walk(&self, [from, to]: [f64; 2], step: f64, out: &mut Vec<Vec2>) {
        if let Curve::Parabola { foot, along, normal, height, range } = self.edge.curve {
            let [start, end] = [from, to].map(|t| range[0] + (range[1] - range[0]) * t);
            let measure = |u: f64| (u / height).asinh();
            let mut before = start;
            let middle = (start * end < 0.0).then_some(0.0);
            for target in middle.into_iter().chain([end]) {
                let (low, high) = (measure(before), measure(target));
                let count = ((high - low).abs() / step).ceil().clamp(1.0, 4096.0);
                for i in 1..=count as u32 {
                    let share = f64::from(i) / count;
                    let next =
                        if share == 1.0 { target } else { height * (low + (high - low) * share).sinh() };
                    // Where the tangents at both parameters meet.
                    let rise = (before * next + height * height) / (2.0 * height);
                    out.push(foot + along * (0.5 * (before + next)) + normal * rise);
                    before = next;
                }
            }
        }
        out.push(self.place(to));
    }

    /// The parameters between two places at which the radius passes a value, in the order of the walk.
    pub fn crossings(&self, [from, to]: [f64; 2], radius: f64) -> Vec<f64> {
        let mut stops = vec![from];
        if (from - self.narrowest) * (to - self.narrowest) < 0.0 {
            stops.push(self.narrowest);
        }
        stops.push(to);
        let is_wide = |t: f64| self.radius(t) >= radius;
        let mut found = Vec::new();
        for pair in stops.windows(2).filter(|pair| is_wide(pair[0]) != is_wide(pair[1])) {
            let (mut low, mut high) = (pair[0], pair[1]);
            // The radius rises or falls all the way between two stops. Sixty halvings reach the last bit.
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if is_wide(middle) == is_wide(low) { low = middle } else { high = middle }
            }
            found.push(if is_wide(low) { low } else { high });
        }
        found
    }
}
