//! The shape of the ground under cells: its faces clipped to a cell, and its height along a line.
//!
//! A face belongs to a cell where both lie over each other and the patch of the cell there lies on the chart of the
//! face. Faces are clipped by the straight sides of convex outlines, in floats: they measure and draw, they decide
//! nothing.

use super::relief::Patch;
use super::{CellId, NavMesh};
use clearway_geometry::boxes::Box2;
use clearway_geometry::clip::half_plane;
use clearway_geometry::grid::LIMIT;
use clearway_geometry::{Point, Vec2};

/// A flat piece of the ground of a cell, in grid units.
#[derive(Clone, Debug, PartialEq)]
pub struct Terrain {
    /// Its corners, counter-clockwise, convex in projection, each with its height.
    pub corners: Vec<(Vec2, f64)>,
    /// The rise in height per unit along x and along y.
    pub rise: Vec2,
}

/// Tolerance in metres within which the ground between two bends counts as straight. A step below this height is not
/// seen.
const STRAIGHT: f64 = 1e-3;
/// Twice the area, in square grid units, up to which a clipped shape counts as a line. Shapes of up to a quarter of a
/// square unit have no ground of their own.
const LEAST_AREA: f64 = 0.5;
/// Height of the bins in metres into which [`NavMesh::storeys`] sorts area. Larger bins merge low steps into one floor;
/// smaller ones split an uneven floor.
pub(super) const STOREY_BIN: f64 = 0.5;
/// Least height in metres between the beginnings of two storeys. It is about the height of a low room, so that half
/// landings start no storey.
const STOREY_GAP: f64 = 2.0;
/// Least area at which a storey begins, as a share of the bin with the largest area. A smaller share makes storeys of
/// landings.
const STOREY_SHARE: f64 = 0.1;

impl NavMesh {
    /// Returns the names of the area classes; empty for the mesh of a plan that has none.
    /// [`Cell::area_class`](super::Cell::area_class) is an index into this list.
    pub fn area_names(&self) -> &[String] {
        self.parts.relief.as_ref().map_or(&[], |relief| &relief.areas)
    }

    /// Returns the mean height of the ground of a cell, weighted by area, in metres; `None` for an id of another mesh.
    pub fn mean_height(&self, cell: CellId) -> Option<f64> {
        let pieces = self.ground_of(cell)?;
        let (area, volume) = (pieces.iter().map(Terrain::area), pieces.iter().map(Terrain::volume));
        let mean = volume.sum::<f64>() / area.sum::<f64>() * self.unit();
        Some(if mean.is_finite() { mean } else { self.middle_height(cell) })
    }

    /// Returns the lowest and the highest height of the ground of a cell, in metres; `None` for an id of another mesh.
    pub fn height_range(&self, cell: CellId) -> Option<[f64; 2]> {
        let pieces = self.ground_of(cell)?;
        let heights = pieces.iter().flat_map(|piece| &piece.corners).map(|corner| corner.1 * self.unit());
        let range = heights.fold(None, |known, height| {
            let [low, high] = known.unwrap_or([height; 2]);
            Some([height.min(low), height.max(high)])
        });
        Some(range.unwrap_or_else(|| [self.middle_height(cell); 2]))
    }

    /// Returns the pieces of the ground of a cell; an empty list for slivers, which the faces may miss.
    fn ground_of(&self, cell: CellId) -> Option<Vec<Terrain>> {
        self.cell(cell)?;
        Some(self.terrain(cell.0, None))
    }

    /// Returns the height of the ground in the middle of a cell, in metres. It stands in where the pieces have no area.
    fn middle_height(&self, cell: CellId) -> f64 {
        self.ground_height(cell.0, self.middle(cell.0))
    }

    /// Returns the storeys of a scene, lowest first: bands of heights `[from, to)` in metres that meet end to end. A
    /// storey begins where much of the area lies at one height. Stairs and ramps belong to the storey that they lead up
    /// from. The mesh of a plan has one storey.
    pub fn storeys(&self) -> Vec<[f64; 2]> {
        let mut area_at = std::collections::BTreeMap::<i64, f64>::new();
        for cell in self.cells() {
            let height = self.mean_height(cell.id()).unwrap_or(0.0);
            *area_at.entry((height / STOREY_BIN).floor() as i64).or_default() += cell.area();
        }
        let most = area_at.values().copied().fold(0.0, f64::max);
        let mut begins: Vec<f64> = Vec::new();
        for (bin, area) in &area_at {
            let height = *bin as f64 * STOREY_BIN;
            let is_above = begins.last().is_none_or(|last| height - last >= STOREY_GAP);
            if is_above && *area >= STOREY_SHARE * most {
                begins.push(height);
            }
        }
        // Ground just below a floor, such as half a step down, still belongs to that floor.
        let from = |place: usize| if place == 0 { f64::NEG_INFINITY } else { begins[place] - STOREY_BIN };
        let to = |place: usize| begins.get(place + 1).map_or(f64::INFINITY, |next| next - STOREY_BIN);
        (0..begins.len()).map(|place| [from(place), to(place)]).collect()
    }

    /// Returns the ground of a cell as flat pieces; with `near`, only the pieces that touch this box. A cell without
    /// patches lies flat at height zero, as all cells of a plan do.
    pub fn terrain(&self, cell: u32, near: Option<[Vec2; 2]>) -> Vec<Terrain> {
        let Some(view) = self.cell(CellId(cell)) else { return Vec::new() };
        let outline: Vec<Vec2> = view.points().map(Point::as_vec2).collect();
        let mut pieces = Vec::new();
        let patches = self.parts.relief.as_ref().map_or(&[][..], |relief| relief.patches_of(cell));
        match patches {
            [only] => self.cut(only.chart, &outline, near, &mut pieces),
            patches => {
                let own = |patch: &Patch| {
                    let shape = clipped(outline.clone(), &patch.corners.map(Point::as_vec2));
                    // A patch that only touches the cell has no ground in it; faces clipped to a line would be wrong.
                    has_area(&shape).then_some((patch.chart, shape))
                };
                let shapes: Vec<(u32, Vec<Vec2>)> = patches.iter().filter_map(own).collect();
                for (chart, shape) in &shapes {
                    self.cut(*chart, shape, near, &mut pieces);
                }
                if let (true, Some(first)) = (shapes.is_empty(), patches.first()) {
                    self.cut(first.chart, &outline, near, &mut pieces);
                }
            }
        }
        if patches.is_empty() {
            let corners = outline.into_iter().map(|at| (at, 0.0)).collect();
            pieces.push(Terrain { corners, rise: Vec2::default() });
        }
        pieces
    }

    /// Appends the faces of a chart, clipped to a convex outline, to `pieces`.
    fn cut(&self, chart: u32, outline: &[Vec2], near: Option<[Vec2; 2]>, pieces: &mut Vec<Terrain>) {
        let (Some((relief, index)), Some(mut extent)) = (self.relief_index(), extent_of(outline)) else {
            return;
        };
        if let Some([low, high]) = near {
            let (low, high) = (grid_point(low), grid_point(high));
            extent.min = Point::new(extent.min.x.max(low.x - 1), extent.min.y.max(low.y - 1));
            extent.max = Point::new(extent.max.x.min(high.x + 1), extent.max.y.min(high.y + 1));
        }
        if extent.min.x > extent.max.x || extent.min.y > extent.max.y {
            return;
        }
        let mut faces = Vec::new();
        index.bins.each_touching(&extent, |face| {
            if relief.chart_of[face as usize] == chart {
                faces.push(face);
            }
        });
        // The grid visits faces bin by bin; sorting makes the result independent of the bins.
        faces.sort_unstable();
        for face in faces {
            let corners = relief.corners(face);
            let shape = clipped(corners.map(|(at, _)| at).to_vec(), outline);
            if shape.len() >= 3 {
                let (rise, [(first, height), ..]) = (rise(&corners), corners);
                let lifted = shape.into_iter().map(|at| (at, height + rise.dot(at - first)));
                pieces.push(Terrain { corners: lifted.collect(), rise });
            }
        }
    }

    /// Returns the height of the ground of a cell along a line in it: shares of the way with heights in metres, in
    /// order. The ground is straight between consecutive entries. At a step two entries have the same share.
    pub fn ground_line(&self, cell: u32, [from, to]: [Vec2; 2]) -> Vec<(f64, f64)> {
        if !self.has_heights() {
            return vec![(0.0, 0.0), (1.0, 0.0)];
        }
        let height = |share: f64| self.ground_height(cell, from + (to - from) * share);
        let mut line: Vec<(f64, f64)> = Vec::new();
        for pair in self.bends(cell, [from, to]).windows(2) {
            let (start, end) = (pair[0], pair[1]);
            let quarter = 0.25 * (end - start);
            let (before, after) = (height(start + quarter), height(end - quarter));
            let middle = 0.5 * (start + end);
            let is_straight = (height(middle) - 0.5 * (before + after)).abs() <= STRAIGHT;
            let lean = if is_straight { 0.5 * (after - before) } else { 0.0 };
            // Otherwise there is a step that no edge revealed, for example where the line runs right along one.
            let step = (!is_straight).then_some([(middle, before), (middle, after)]);
            let ends = [(start, before - lean), (end, after + lean)];
            for stop in ends[..1].iter().chain(step.iter().flatten()).chain(&ends[1..]).copied() {
                // Stretches that join evenly repeat their common end, up to rounding.
                if line.last().is_none_or(|last| last.0 != stop.0 || (last.1 - stop.1).abs() > 1e-6) {
                    line.push(stop);
                }
            }
        }
        line
    }

    /// Returns the shares of the way, from 0 to 1 in order, at which the ground along a line in a cell may bend.
    fn bends(&self, cell: u32, [from, to]: [Vec2; 2]) -> Vec<f64> {
        let mut shares = vec![0.0, 1.0];
        let Some((relief, index)) = self.relief_index() else { return shares };
        let patches = relief.patches_of(cell);
        let mut meet = |corners: [Vec2; 3]| {
            let edges = [0, 1, 2].map(|i| [corners[i], corners[(i + 1) % 3]]);
            shares.extend(edges.into_iter().filter_map(|edge| crossing([from, to], edge)));
        };
        let is_own = |chart: u32| patches.iter().any(|patch: &Patch| patch.chart == chart);
        if let Some(extent) = extent_of(&[from, to]) {
            index.bins.each_touching(&extent, |face| {
                if is_own(relief.chart_of[face as usize]) {
                    meet(relief.corners(face).map(|(at, _)| at));
                }
            });
        }
        if patches.len() > 1 {
            patches.iter().for_each(|patch| meet(patch.corners.map(Point::as_vec2)));
        }
        shares.sort_unstable_by(f64::total_cmp);
        // Bends closer together than an eighth of a grid unit are one bend.
        let least = 0.125 / (to - from).length().max(1.0);
        shares.dedup_by(|next, kept| *next - *kept <= least);
        if let Some(last) = shares.last_mut() {
            *last = 1.0;
        }
        shares
    }
}

impl Terrain {
    /// Returns the height at `at` of the plane through the piece, in grid units.
    pub fn height_at(&self, at: Vec2) -> f64 {
        self.corners.first().map_or(0.0, |(first, base)| base + self.rise.dot(at - *first))
    }

    /// Returns the area of the piece in projection, in square grid units.
    pub fn area(&self) -> f64 {
        self.triangles().map(|(_, area)| area).sum()
    }

    /// Returns the integral of the height over the piece: its area times its mean height.
    fn volume(&self) -> f64 {
        self.triangles().map(|(middle, area)| area * self.height_at(middle)).sum()
    }

    /// Returns the middle and the area of the triangles of a fan that makes up the piece.
    fn triangles(&self) -> impl Iterator<Item = (Vec2, f64)> + '_ {
        let first = self.corners.first().map_or(Vec2::default(), |corner| corner.0);
        self.corners.windows(2).map(move |pair| {
            let (a, b) = (pair[0].0 - first, pair[1].0 - first);
            (first + (a + b) * (1.0 / 3.0), 0.5 * a.cross(b))
        })
    }

    /// True if `at` lies in the box around the piece.
    fn is_in_box(&self, at: Vec2) -> bool {
        let spans = |value: f64, of: fn(&Vec2) -> f64| {
            let along = || self.corners.iter().map(|corner| of(&corner.0));
            along().any(|c| c <= value) && along().any(|c| c >= value)
        };
        spans(at.x, |at| at.x) && spans(at.y, |at| at.y)
    }

    /// Returns the point of the piece nearest to a point in space, and the square of its distance. The foot of the
    /// perpendicular on the plane counts if it lies inside; otherwise the nearest point of a side does.
    pub fn nearest_to(&self, spot: Vec2, height: f64) -> (Vec2, f64) {
        let Some((first, base)) = self.corners.first().copied() else { return (spot, f64::INFINITY) };
        let following = || self.corners.iter().skip(1).chain(self.corners.first());
        let over = base + self.rise.dot(spot - first) - height;
        let foot = spot - self.rise * (over / (1.0 + self.rise.length_squared()));
        let is_inside = |((a, _), (b, _)): (&(Vec2, f64), &(Vec2, f64))| (*b - *a).cross(foot - *a) >= 0.0;
        let squared = |at: Vec2| {
            let off = base + self.rise.dot(at - first) - height;
            (at - spot).length_squared() + off * off
        };
        // A degenerate piece, a line or a point, passes the side test for every place in line with it: hence the box.
        if self.is_in_box(foot) && self.corners.iter().zip(following()).all(is_inside) {
            return (foot, squared(foot));
        }
        let on_side = |((a, low), (b, high)): (&(Vec2, f64), &(Vec2, f64))| {
            let (along, climb) = (*b - *a, high - low);
            let reach = (spot - *a).dot(along) + (height - low) * climb;
            let share = (reach / (along.length_squared() + climb * climb)).clamp(0.0, 1.0);
            let at = if share.is_nan() { *a } else { *a + along * share };
            (at, squared(at))
        };
        let sides = self.corners.iter().zip(following()).map(on_side);
        sides.min_by(|p, q| p.1.total_cmp(&q.1)).unwrap_or((first, squared(first)))
    }
}

/// Returns a line of shares and heights with fewer entries, nowhere off by more than `tolerance` (Douglas and Peucker
/// 1973, with height differences as distances).
pub fn simplified(line: &[(f64, f64)], tolerance: f64) -> Vec<(f64, f64)> {
    let mut keep = vec![false; line.len()];
    let mut open = Vec::new();
    if let Some(last) = line.len().checked_sub(1) {
        (keep[0], keep[last]) = (true, true);
        open.push((0, last));
    }
    while let Some((first, last)) = open.pop() {
        let ((start, low), (end, high)) = (line[first], line[last]);
        let off = |place: &usize| {
            let (share, height) = line[*place];
            let part = if end > start { (share - start) / (end - start) } else { 0.0 };
            (height - low - (high - low) * part).abs()
        };
        let worst = (first + 1..last).max_by(|p, q| off(p).total_cmp(&off(q)));
        if let Some(worst) = worst.filter(|worst| off(worst) > tolerance) {
            keep[worst] = true;
            open.extend([(first, worst), (worst, last)]);
        }
    }
    line.iter().zip(&keep).filter(|(_, keep)| **keep).map(|(stop, _)| *stop).collect()
}

/// Returns the grid point nearest to `at`, clamped to the grid.
pub(super) fn grid_point(at: Vec2) -> Point {
    let limit = f64::from(LIMIT);
    let snap = |c: f64| c.clamp(-limit, limit).round() as i32;
    Point::new(snap(at.x), snap(at.y))
}

/// Returns the box of grid points around `places`, grown by one unit; `None` without places.
fn extent_of(places: &[Vec2]) -> Option<Box2> {
    let points: Vec<Point> = places.iter().map(|at| grid_point(*at)).collect();
    (!points.is_empty()).then(|| Box2::of(&points).grown(1))
}

/// Returns the rise of the plane of a face per unit along x and along y.
fn rise(corners: &[(Vec2, f64); 3]) -> Vec2 {
    let [(a, low), (b, mid), (c, high)] = *corners;
    let (p, q, rise_p, rise_q) = (b - a, c - a, mid - low, high - low);
    let whole = p.cross(q);
    Vec2::new((rise_p * q.y - rise_q * p.y) / whole, (p.x * rise_q - q.x * rise_p) / whole)
}

/// Clips a convex shape to a convex outline (Sutherland and Hodgman 1974).
fn clipped(mut shape: Vec<Vec2>, outline: &[Vec2]) -> Vec<Vec2> {
    let following = outline.iter().skip(1).chain(outline.first());
    for (from, to) in outline.iter().zip(following) {
        let inside = |at: &Vec2| (*to - *from).cross(*at - *from);
        shape = half_plane(&shape, inside, |at, next, share| *at + (*next - *at) * share);
    }
    shape
}

/// True if a convex shape is more than a line or a point: if twice its area exceeds [`LEAST_AREA`].
fn has_area(shape: &[Vec2]) -> bool {
    let Some(first) = shape.first() else { return false };
    let doubled = shape.windows(2).map(|pair| (pair[0] - *first).cross(pair[1] - *first)).sum::<f64>();
    doubled > LEAST_AREA
}

/// Returns the share of the way from `a` to `b` at which it meets the edge `c` to `d`, strictly between 0 and 1. The
/// edge counts as half a grid unit longer at both ends: lines along walls end where edges do.
fn crossing([a, b]: [Vec2; 2], [c, d]: [Vec2; 2]) -> Option<f64> {
    let (along, edge) = (b - a, d - c);
    let turn = along.cross(edge);
    let (share, place) = ((c - a).cross(edge) / turn, (c - a).cross(along) / turn);
    let margin = 0.5 / edge.length();
    let meets = place >= -margin && place <= 1.0 + margin;
    (meets && share > 0.0 && share < 1.0).then_some(share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_steps_and_bends_only() {
        let line = [(0.0, 0.0), (0.25, 0.0), (0.5, 0.001), (0.5, 0.2), (0.75, 0.2), (1.0, 1.0)];
        let kept = [(0.0, 0.0), (0.5, 0.001), (0.5, 0.2), (0.75, 0.2), (1.0, 1.0)];
        assert_eq!(simplified(&line, 0.01), kept);
        assert_eq!(simplified(&line, 9.0), [(0.0, 0.0), (1.0, 1.0)]);
        assert!(simplified(&[], 0.0).is_empty());
    }

    #[test]
    fn shapes_are_cut_to_outlines() {
        let at = Vec2::new;
        let square = [at(0.0, 0.0), at(2.0, 0.0), at(2.0, 2.0), at(0.0, 2.0)];
        let triangle = vec![at(1.0, 1.0), at(5.0, 1.0), at(1.0, 5.0)];
        let cut = clipped(triangle, &square);
        assert_eq!(cut, [at(1.0, 1.0), at(2.0, 1.0), at(2.0, 2.0), at(1.0, 2.0)]);
        let far = vec![at(8.0, 8.0), at(9.0, 8.0), at(8.0, 9.0)];
        assert!(clipped(far, &square).len() < 3);
    }

    #[test]
    fn the_nearest_place_of_a_slope_is_found_in_space() {
        let at = Vec2::new;
        let corners =
            vec![(at(0.0, 0.0), 0.0), (at(4.0, 0.0), 4.0), (at(4.0, 4.0), 4.0), (at(0.0, 4.0), 0.0)];
        let slope = Terrain { corners, rise: at(1.0, 0.0) };
        assert_eq!(slope.nearest_to(at(1.0, 2.0), 3.0), (at(2.0, 2.0), 2.0));
        assert_eq!(slope.nearest_to(at(-1.0, 2.0), -1.0), (at(0.0, 2.0), 2.0));
        assert_eq!(slope.nearest_to(at(6.0, 5.0), 4.0), (at(4.0, 4.0), 5.0));
    }

    #[test]
    fn pieces_without_area_hold_nothing_beyond_their_ends() {
        let at = Vec2::new;
        let line = vec![(at(0.0, 0.0), 0.0), (at(4.0, 0.0), 0.0), (at(2.0, 0.0), 0.0)];
        let piece = Terrain { corners: line, rise: at(0.0, 0.0) };
        assert_eq!(piece.nearest_to(at(9.0, 0.0), 0.0), (at(4.0, 0.0), 25.0));
        assert_eq!(piece.nearest_to(at(3.0, 0.0), 0.0), (at(3.0, 0.0), 0.0));
    }
}
