//! A plan as plain data, and its text form.

use std::fmt::Write;

use crate::nesting::polygons_by_nesting;
use crate::shapes::Point;

/// A closed ring of points; the last point is not repeated.
pub type Ring = Vec<[f64; 2]>;

/// A plan as plain rings and walls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanDrawing {
    /// Walkable outlines, each with the holes cut out of it; walkable space is their union.
    pub polygons: Vec<(Ring, Vec<Ring>)>,
    /// Rings without roles: nesting decides (outline, hole, island in the hole, ...). They never cross.
    pub rings: Vec<Ring>,
    /// Open polylines: walls of no thickness.
    pub walls: Vec<Vec<[f64; 2]>>,
}

impl PlanDrawing {
    /// A single outline with holes.
    pub(crate) fn field(outline: Ring, holes: Vec<Ring>) -> PlanDrawing {
        PlanDrawing { polygons: vec![(outline, holes)], ..PlanDrawing::default() }
    }

    /// The plan as well-known text: a `MULTIPOLYGON`, or with walls a `GEOMETRYCOLLECTION` of it and
    /// `LINESTRING`s.
    ///
    /// Numbers are the shortest text that reads back as the same float. Well-known text has no rings without
    /// roles, so [`rings`](PlanDrawing::rings) are written as the polygons that their nesting makes of them.
    pub fn to_wkt(&self) -> String {
        let nested = polygons_by_nesting(&self.rings);
        let polygons: Vec<String> = self.polygons.iter().chain(&nested).map(polygon_text).collect();
        let area = match polygons.is_empty() {
            true => "MULTIPOLYGON EMPTY".to_string(),
            false => format!("MULTIPOLYGON ({})", polygons.join(", ")),
        };
        if self.walls.is_empty() {
            return area;
        }
        let walls: Vec<String> =
            self.walls.iter().map(|wall| format!("LINESTRING {}", points_text(wall.iter()))).collect();
        format!("GEOMETRYCOLLECTION ({area}, {})", walls.join(", "))
    }

    /// How many points all rings and walls have together.
    pub fn point_count(&self) -> usize {
        self.lines().map(Vec::len).sum()
    }

    /// The plan scaled about the origin, then turned by `angle` radians, then moved.
    pub fn scaled(&self, factor: f64, angle: f64, offset: [f64; 2]) -> PlanDrawing {
        let (sin, cos) = angle.sin_cos();
        self.mapped(|[x, y]| {
            let (x, y) = (x * factor, y * factor);
            [x * cos - y * sin + offset[0], x * sin + y * cos + offset[1]]
        })
    }

    pub(crate) fn mapped(&self, map: impl Fn(Point) -> Point) -> PlanDrawing {
        let line = |points: &Ring| points.iter().map(|&point| map(point)).collect::<Ring>();
        PlanDrawing {
            polygons: (self.polygons.iter())
                .map(|(outline, holes)| (line(outline), holes.iter().map(line).collect()))
                .collect(),
            rings: self.rings.iter().map(line).collect(),
            walls: self.walls.iter().map(line).collect(),
        }
    }

    fn lines(&self) -> impl Iterator<Item = &Ring> {
        let polygons =
            self.polygons.iter().flat_map(|(outline, holes)| std::iter::once(outline).chain(holes));
        polygons.chain(&self.rings).chain(&self.walls)
    }
}

fn polygon_text((outline, holes): &(Ring, Vec<Ring>)) -> String {
    let rings: Vec<String> = std::iter::once(outline)
        .chain(holes)
        .map(|ring| points_text(ring.iter().chain(ring.first())))
        .collect();
    format!("({})", rings.join(", "))
}

fn points_text<'a>(points: impl Iterator<Item = &'a Point>) -> String {
    let mut text = String::from("(");
    for (i, [x, y]) in points.enumerate() {
        let comma = if i == 0 { "" } else { ", " };
        // Writing into a string cannot fail.
        let _ = write!(text, "{comma}{x} {y}");
    }
    text + ")"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::rectangle;

    fn nested() -> PlanDrawing {
        let square = |a: f64, b: f64| rectangle([a, a], [b, b]);
        let rings = vec![square(2.0, 8.0), square(0.0, 10.0), square(4.0, 6.5)];
        PlanDrawing { rings, ..PlanDrawing::default() }
    }

    #[test]
    fn text_of_a_polygon_with_a_wall() {
        let mut plan = PlanDrawing::field(vec![[0.0, 0.0], [0.1, 0.0], [0.0, 2.5]], vec![]);
        assert_eq!(plan.to_wkt(), "MULTIPOLYGON (((0 0, 0.1 0, 0 2.5, 0 0)))");
        plan.walls.push(vec![[1.0, 2.0], [1e-7, -3.0]]);
        assert_eq!(
            plan.to_wkt(),
            "GEOMETRYCOLLECTION (MULTIPOLYGON (((0 0, 0.1 0, 0 2.5, 0 0))), LINESTRING (1 2, 0.0000001 -3))"
        );
        assert_eq!(PlanDrawing::default().to_wkt(), "MULTIPOLYGON EMPTY");
    }

    #[test]
    fn text_of_rings_gives_them_roles() {
        assert_eq!(
            nested().to_wkt(),
            "MULTIPOLYGON (((0 0, 10 0, 10 10, 0 10, 0 0), (2 2, 8 2, 8 8, 2 8, 2 2)), \
             ((4 4, 6.5 4, 6.5 6.5, 4 6.5, 4 4)))"
        );
    }

    #[test]
    fn scaling_turns_about_the_origin_and_keeps_the_count() {
        let plan = nested();
        let turned = plan.scaled(2.0, std::f64::consts::FRAC_PI_2, [100.0, 0.0]);
        assert_eq!(turned.point_count(), plan.point_count());
        let [x, y] = turned.rings[0][1];
        assert!((x - 96.0).abs() < 1e-9 && (y - 16.0).abs() < 1e-9, "{x} {y}");
        assert_eq!(plan.scaled(1.0, 0.0, [0.0, 0.0]), plan);
    }
}
