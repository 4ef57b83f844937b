//! Charts: connected faces of one area class that do not overlap in projection, and the borders of each.
//!
//! Floors that lie over each other, and ramps that wind over themselves, fall into several charts. Invariant: over a
//! point lies at most one face of a chart, so that within a chart everything is a question about the plane. Charts grow
//! breadth-first from the first face that has none. Cost: linear in edges, plus a test per pair of faces that may
//! overlap.

use crate::surface::faces::edge_table::EdgeTable;
use crate::surface::faces::soup::Soup;
use crate::surface::headroom::prism::{Prism, Prisms};
use crate::surface::sheets::extend_barriers::close_ends;
use crate::surface::tolerances::charts::MOST_WORK;
use clearway_base::parallel::sort_by_place;
use clearway_geometry::arrangement::Border;
use clearway_geometry::{NONE, Point};

/// The charts of all living walkable faces. A face is dead if it is blocked wholly.
#[derive(Debug)]
pub struct Charts {
    /// The faces of each chart, sorted.
    pub charts: Vec<Vec<u32>>,
    /// The chart of each walkable face, or [`NONE`] if it is dead.
    pub chart_of: Vec<u32>,
    /// The face beyond each edge of each walkable face, or [`NONE`].
    beyond: Vec<[u32; 3]>,
}

impl Charts {
    /// Groups all living faces into charts.
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

    /// Makes a chart of the first face and of all faces that can be reached from it, breadth-first.
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

    /// Returns the area class of a chart.
    pub fn area(&self, chart: u32, soup: &Soup) -> u8 {
        let face = self.charts[chart as usize].first();
        face.map_or(0, |face| soup.faces[*face as usize].area)
    }

    /// Returns all borders of a chart, without those that cancel out.
    pub fn borders(&self, chart: usize, soup: &Soup, prisms: &[Prism]) -> Vec<Border> {
        self.borders_with(chart, soup, |face| prisms[face as usize].borders.iter())
    }

    /// Returns the outline of a chart, and those borders on its faces that `blocks_of` names, without those that cancel
    /// out.
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
        // Small keys are sorted in place of borders, because they are compared and moved faster.
        let mut order: Vec<(i64, i64, u32)> =
            (0u32..).zip(&blocks).map(|(number, b)| (b.from.rank(), b.to.rank(), number)).collect();
        sort_by_place(&mut order, |(from, ..)| Point::new((from >> 32) as i32, 0));
        let sums = order.chunk_by(|p, q| (p.0, p.1) == (q.0, q.1)).map(|same| sum(&blocks, same));
        outlines.extend(sums.filter(|sum| sum.block != 0 || sum.is_barrier));
        close_ends(&mut outlines, soup.near);
        outlines
    }
}

/// Returns the same border from its lower end to its higher, so that equal lines have equal ends.
fn directed(border: &Border) -> Border {
    if border.from <= border.to {
        return *border;
    }
    Border { from: border.to, to: border.from, block: -border.block, ..*border }
}

/// Adds up borders along one line. What two faces of a chart lose on both sides of their common edge cancels out.
fn sum(borders: &[Border], same: &[(i64, i64, u32)]) -> Border {
    let border = |number: u32| &borders[number as usize];
    let mut sum = *border(same[0].2);
    for other in same[1..].iter().map(|other| border(other.2)) {
        sum.block += other.block;
        sum.is_barrier |= other.is_barrier;
    }
    sum
}

/// For each living face, all other faces that overlap it in projection, or may.
struct Overlaps<'a> {
    /// Answers for pairs that only may overlap.
    asked: &'a Prisms<'a>,
    /// The start of each face's list in `others`.
    start: Vec<u32>,
    /// The other face, and whether the overlap is known. If not, it is tested on demand.
    others: Vec<(u32, bool)>,
}

impl<'a> Overlaps<'a> {
    /// Sorts all pairs by face, in two passes: one counts, one fills.
    fn of(asked: &'a Prisms<'a>, prisms: &[Prism]) -> Overlaps<'a> {
        // Two entries more than faces: while lists are filled, the entry after a face is its cursor and ends as its
        // end.
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

    /// True if a face overlaps any face for which `holds` is true.
    fn any(&self, face: u32, holds: impl Fn(u32) -> bool) -> bool {
        let [first, last] = [face, face + 1].map(|face| self.start[face as usize] as usize);
        self.others[first..last].iter().any(|(other, is_known)| {
            // The cheap test comes first. A pair is always tested in one order, so that both faces get the same answer.
            holds(*other) && (*is_known || self.asked.overlap(face.min(*other), face.max(*other)))
        })
    }
}

/// Calls `visit` for both orders of each pair of living faces that overlap or may, with whether that is known.
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

/// Finds the face beyond each edge. Only edges count that exactly two living faces share, on different sides of it.
fn neighbours(soup: &Soup, count: u32, is_alive: impl Fn(u32) -> bool) -> Vec<[u32; 3]> {
    let living: Vec<u32> = (0..count).filter(|face| is_alive(*face)).collect();
    let edges = EdgeTable::of(living.iter().map(|face| (*face, soup.faces[*face as usize].corners)));
    let mut beyond = vec![[NONE; 3]; count as usize];
    for edge in edges.edges() {
        if let [one, other] = edge
            && one.is_ahead != other.is_ahead
        {
            beyond[one.triangle as usize][usize::from(one.turn)] = other.triangle;
            beyond[other.triangle as usize][usize::from(other.turn)] = one.triangle;
        }
    }
    beyond
}
