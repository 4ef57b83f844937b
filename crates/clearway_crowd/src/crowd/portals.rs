//! The free parts of portals for one radius, and sample points on them.
//!
//! A body may cross a portal wherever its centre keeps its radius from every wall. Those parts are closed intervals,
//! usually one. Routes are searched among sample points of the parts. Cost: linear in the portals.

use super::ground::{Ground, GroundSide};
use clearway_base::parallel;
use clearway_geometry::NONE;
use clearway_nav::NavMesh;
use clearway_nav::mesh::{CellId, PortalId};
use std::sync::atomic::{AtomicU8, Ordering};

/// The way in which portals are shrunk by the radius of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Shrink {
    /// To the places where a disc really may be, whatever stands near.
    #[default]
    Exact,
    /// Both ends move by the radius, as in the simple method of the papers.
    Simple,
}

/// The distance in metres between two samples of a portal. Distances between samples are exact, so that only the bends
/// of a way are coarse.
const SPACING: f64 = 0.5;

/// The largest number of samples of one free part.
const MOST_SAMPLES: f64 = 9.0;

/// A part of a portal where a disc may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span {
    /// Its portal.
    pub portal: u32,
    /// Its first sample.
    pub first_sample: u32,
    /// The number of samples, at least one.
    pub samples: u32,
    /// Its start in metres from the start of the portal.
    pub low: f32,
    /// Its end.
    pub high: f32,
}

impl Span {
    /// Returns the place of a sample along the portal, in metres.
    pub fn place(&self, sample: u32) -> f64 {
        let (low, high) = (f64::from(self.low), f64::from(self.high));
        let number = f64::from(sample - self.first_sample);
        if self.samples == 1 {
            return 0.5 * (low + high);
        }
        low + (high - low) * number / f64::from(self.samples - 1)
    }
}

/// Returns the point of a portal at a place along it, as its side sees it.
#[inline]
pub(crate) fn point_on(side: &GroundSide, place: f64) -> [f64; 2] {
    let (start, along) = side.track();
    [start[0] + along[0] * place, start[1] + along[1] * place]
}

/// The free parts of all portals for one radius.
#[derive(Debug)]
pub(crate) struct PortalTable {
    /// The radius in metres.
    pub radius: f64,
    /// For each portal its first span; one more entry ends the last portal.
    first_span: Vec<u32>,
    /// The spans, portal after portal.
    pub spans: Vec<Span>,
    /// For each sample its span.
    pub span_of: Vec<u32>,
    /// For each cell: 0 if it is not known, 1 if a disc can move between all of its portals, 2 if not.
    necks: Vec<AtomicU8>,
}

impl PortalTable {
    /// Computes the free parts of all portals.
    pub fn new(mesh: &NavMesh, ground: &Ground, radius: f64, shrink: Shrink) -> PortalTable {
        let count = ground.portal_count;
        let mut lengths = vec![0.0; count];
        for side in ground.sides.iter().filter(|side| side.beyond != NONE) {
            lengths[side.portal as usize] = side.length();
        }
        let parts = parallel::map(count, |portal| {
            let length = lengths[portal];
            match shrink {
                Shrink::Simple => vec![without_ends(length, radius)],
                // The walls beside a wrap run on beyond it.
                Shrink::Exact if portal >= mesh.portal_slots() && length < 2.0 * radius => Vec::new(),
                Shrink::Exact if portal >= mesh.portal_slots() => vec![without_ends(length, radius)],
                Shrink::Exact => mesh.free_intervals(PortalId(portal as u32), radius),
            }
        });
        let mut table = PortalTable {
            radius,
            first_span: vec![0],
            spans: Vec::new(),
            span_of: Vec::new(),
            necks: (0..mesh.cell_slots()).map(|_| AtomicU8::new(0)).collect(),
        };
        for (portal, parts) in parts.into_iter().enumerate() {
            for part in parts {
                table.add(portal as u32, part);
            }
            table.first_span.push(table.spans.len() as u32);
        }
        table
    }

    /// Returns the spans of a portal by number.
    #[inline]
    pub fn spans_of(&self, portal: u32) -> std::ops::Range<u32> {
        self.first_span[portal as usize]..self.first_span[portal as usize + 1]
    }

    /// Returns the number of samples.
    pub fn sample_count(&self) -> usize {
        self.span_of.len()
    }

    /// Returns the span of a sample.
    #[inline]
    pub fn span_at(&self, sample: u32) -> &Span {
        &self.spans[self.span_of[sample as usize] as usize]
    }

    /// True if a disc may not be able to move between all portals of a cell without leaving it.
    pub fn has_neck(&self, mesh: &NavMesh, ground: &Ground, cell: u32) -> bool {
        let known = self.necks[cell as usize].load(Ordering::Relaxed);
        if known != 0 {
            return known == 2;
        }
        let portals: Vec<u32> = self.open_portals(mesh, ground, cell).collect();
        let pairs =
            portals.iter().enumerate().flat_map(|(count, p)| portals[..count].iter().map(move |q| (*p, *q)));
        let has_neck = pairs.into_iter().any(|(p, q)| !self.crosses(mesh, cell, p, q));
        // Every thread finds the same.
        self.necks[cell as usize].store(if has_neck { 2 } else { 1 }, Ordering::Relaxed);
        has_neck
    }

    /// True if a disc can move from one portal of a cell to another without leaving it.
    pub fn crosses(&self, mesh: &NavMesh, cell: u32, from: u32, to: u32) -> bool {
        let is_of_mesh = |portal: u32| (portal as usize) < mesh.portal_slots();
        if !is_of_mesh(from) || !is_of_mesh(to) {
            return true;
        }
        let widest = mesh.cross_radius(CellId(cell), PortalId(from), PortalId(to));
        widest.is_some_and(|widest| widest >= self.radius)
    }

    /// Returns the portals of a cell that the disc can cross.
    fn open_portals<'a>(
        &'a self,
        mesh: &'a NavMesh,
        ground: &'a Ground,
        cell: u32,
    ) -> impl Iterator<Item = u32> + 'a {
        let portals = ground.sides_of(cell).map(|side| ground.sides[side].portal);
        portals.filter(move |portal| {
            *portal != NONE && (*portal as usize) < mesh.portal_slots() && !self.spans_of(*portal).is_empty()
        })
    }

    /// Adds a free part and its samples.
    fn add(&mut self, portal: u32, [low, high]: [f64; 2]) {
        let length = high - low;
        let samples =
            if length < 0.05 { 1 } else { ((length / SPACING).ceil() + 1.0).min(MOST_SAMPLES) as u32 };
        let first_sample = self.span_of.len() as u32;
        let number = self.spans.len() as u32;
        self.spans.push(Span { portal, first_sample, samples, low: low as f32, high: high as f32 });
        self.span_of.extend((0..samples).map(|_| number));
    }
}

/// Returns the part of a portal that is left when both ends move by the radius; its middle if nothing is left.
fn without_ends(length: f64, radius: f64) -> [f64; 2] {
    if length > 2.0 * radius { [radius, length - radius] } else { [0.5 * length; 2] }
}
