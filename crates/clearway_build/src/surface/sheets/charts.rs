//! Charts: connected faces of one area class that do not overlap in projection, and the borders of each.
//!
//! Floors that lie over each other, and ramps that wind over themselves, fall into several charts; within one chart
//! everything is a question about the plane.

use crate::surface::faces::soup::Soup;
use crate::surface::headroom::prism::{Prism, Prisms};
use crate::surface::sheets::extend_barriers::close_ends;
use clearway_base::parallel::{sort_by_number, sort_by_place};
use clearway_geometry::arrangement::Border;
use clearway_geometry::{NONE, Point};

/// A chart grows to about this many faces and borders of what stands on them, so that several can be worked on at once.
const MOST_WORK: usize = 1 << 15;

/// The living walkable faces, and which of them are neighbours.
#[derive(Debug)]
pub struct Charts {
    /// The faces of each chart, in order.
    pub charts: Vec<Vec<u32>>,
    /// For each walkable face its chart, or [`NONE`] if it is dead.
    pub chart_of: Vec<u32>,
    /// For each edge of each walkable face the face beyond it, or [`NONE`].
    beyond: Vec<[u32; 3]>,
}

impl Charts {
    /// Groups the faces over which not everything is blocked.
    pub fn of(asked: &Prisms, prisms: &[Prism]) -> Charts {
        let soup = asked.soup;
        let is_alive = |face: u32| !prisms[face as usize].is_dead;
        let mut charts = Charts {
            charts: Vec::new(),
            chart_of: vec![NONE; prisms.len()],
            beyond: neighbours(soup, prisms.len() as u32, is_alive),
        };
        let overlaps = Overlaps::of(asked, prisms);
        for first in (0..prisms.len() as u32).filter(|face| is_alive(*face)) {
            if charts.chart_of[first as usize] == NONE {
                charts.grow(soup, prisms, first, &overlaps);
            }
        }
        charts
    }

    fn grow(&mut self, soup: &Soup, prisms: &[Prism], first: u32, overlaps: &Overlaps) {
        let chart = self.charts.len() as u32;
        let area = soup.faces[first as usize].area;
        let mut faces = vec![first];
        self.chart_of[first as usize] = chart;
        let work_of = |face: u32| 1 + prisms[face as usize].borders.len();
        let (mut done, mut work) = (0, work_of(first));
        while done < faces.len() && work < MOST_WORK {
            for face in self.beyond[faces[done] as usize] {
                let is_new = face != NONE
                    && self.chart_of[face as usize] == NONE
                    && soup.faces[face as usize].area == area
                    && !overlaps.any(face, |other| self.chart_of[other as usize] == chart);
                if is_new {
                    self.chart_of[face as usize] = chart;
                    faces.push(face);
                    work += work_of(face);
                }
            }
            done += 1;
        }
        faces.sort_unstable();
        self.charts.push(faces);
    }

    /// The area class of a chart.
    pub fn area(&self, chart: u32, soup: &Soup) -> u8 {
        let face = self.charts[chart as usize].first();
        face.map_or(0, |face| soup.faces[*face as usize].area)
    }

    /// All borders of a chart, without those that cancel out.
    pub fn borders(&self, chart: usize, soup: &Soup, prisms: &[Prism]) -> Vec<Border> {
        self.borders_with(chart, soup, |face| prisms[face as usize].borders.iter())
    }

    /// The outline of a chart and those borders of what stands on its faces that `blocks` tells.
    pub fn borders_with<'a, B: Iterator<Item = &'a Border>>(
        &self,
        chart: usize,
        soup: &Soup,
        blocks_of: impl Fn(u32) -> B,
    ) -> Vec<Border> {
        let mut outlines = Vec::new();
        let mut blocks: Vec<Border> = Vec::new();
        for face in &self.charts[chart] {
            let corners = soup.corners(*face).map(|corner| corner.at);
            for (i, beyond) in self.beyond[*face as usize].into_iter().enumerate() {
                if beyond == NONE || self.chart_of[beyond as usize] != chart as u32 {
                    let [from, to] = [corners[i], corners[(i + 1) % 3]];
                    outlines.push(Border { from, to, face: *face, cover: 1, block: 0, is_barrier: false });
                }
            }
            blocks.extend(blocks_of(*face).map(directed));
        }
        // Numbers are sorted in place of borders: they are compared sooner, and moved.
        let mut order: Vec<(i64, i64, u32)> =
            (0u32..).zip(&blocks).map(|(number, b)| (b.from.rank(), b.to.rank(), number)).collect();
        sort_by_place(&mut order, |(from, ..)| Point::new((from >> 32) as i32, 0));
        let sums = order.chunk_by(|p, q| (p.0, p.1) == (q.0, q.1)).map(|same| sum(&blocks, same));
        outlines.extend(sums.filter(|sum| sum.block != 0 || sum.is_barrier));
        close_ends(&mut outlines, soup.near);
        outlines
    }
}

/// The same border from its lower end to its higher.
fn directed(border: &Border) -> Border {
    if border.from <= border.to {
        return *border;
    }
    Border { from: border.to, to: border.from, block: -border.block, ..*border }
}

/// Borders along one line as one. What two faces of a chart lose on both sides of their edge cancels out.
fn sum(borders: &[Border], same: &[(i64, i64, u32)]) -> Border {
    let border = |number: u32| &borders[number as usize];
    let mut sum = *border(same[0].2);
    for other in same[1..].iter().map(|other| border(other.2)) {
        sum.block += other.block;
        sum.is_barrier |= other.is_barrier;
    }
    sum
}

/// For each living face, all others that overlap it in projection.
struct Overlaps<'a> {
    asked: &'a Prisms<'a>,
    /// Where the others of each face start.
    start: Vec<u32>,
    /// The other face, and whether it is known to overlap; otherwise it may.
    others: Vec<(u32, bool)>,
}

impl<'a> Overlaps<'a> {
    fn of(asked: &'a Prisms<'a>, prisms: &[Prism]) -> Overlaps<'a> {
        let mut start = vec![0u32; prisms.len() + 2];
        each_overlap(prisms, |face, _, _| start[face as usize + 2] += 1);
        for face in 2..start.len() {
            start[face] += start[face - 1];
        }
        let mut others = vec![(NONE, false); start.last().map_or(0, |last| *last as usize)];
        each_overlap(prisms, |face, other, is_known| {
            others[start[face as usize + 1] as usize] = (other, is_known);
            start[face as usize + 1] += 1;
        });
        Overlaps { asked, start, others }
    }

    /// Whether a face overlaps any of those that `holds` is true of.
    fn any(&self, face: u32, holds: impl Fn(u32) -> bool) -> bool {
        let [first, last] = [face, face + 1].map(|face| self.start[face as usize] as usize);
        self.others[first..last].iter().any(|(other, is_known)| {
            holds(*other) && (*is_known || self.asked.overlap(face.min(*other), face.max(*other)))
        })
    }
}

/// Calls `visit` with each of two living faces that overlap or may, the other, and whether that is known.
fn each_overlap(prisms: &[Prism], mut visit: impl FnMut(u32, u32, bool)) {
    for (face, prism) in (0u32..).zip(prisms).filter(|(_, prism)| !prism.is_dead) {
        let known = prism.overlaps.iter().map(|other| (*other, true));
        let others = known.chain(prism.may_overlap.iter().map(|other| (*other, false)));
        for (other, is_known) in others.filter(|(other, _)| !prisms[*other as usize].is_dead) {
            visit(face, other, is_known);
            visit(other, face, is_known);
        }
    }
}

/// The face beyond each edge: where exactly two living faces share an edge and lie on different sides of it.
fn neighbours(soup: &Soup, count: u32, is_alive: impl Fn(u32) -> bool) -> Vec<[u32; 3]> {
    let mut edges: Vec<(u32, u32, bool, u32, u32)> = Vec::with_capacity(3 * count as usize);
    for face in (0..count).filter(|face| is_alive(*face)) {
        let corners = soup.faces[face as usize].corners;
        for i in 0..3 {
            let (from, to) = (corners[i], corners[(i + 1) % 3]);
            edges.push((from.min(to), from.max(to), from < to, face, i as u32));
        }
    }
    sort_by_number(&mut edges, |edge| edge.0 as usize);
    let mut beyond = vec![[NONE; 3]; count as usize];
    for run in edges.chunk_by(|e, f| (e.0, e.1) == (f.0, f.1)) {
        if let [one, other] = run
            && one.2 != other.2
        {
            beyond[one.3 as usize][one.4 as usize] = other.3;
            beyond[other.3 as usize][other.4 as usize] = one.3;
        }
    }
    beyond
}
