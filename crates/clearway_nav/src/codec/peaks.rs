//! Clearances as bytes: the peaks of every portal, and the trees of widest ways through cells.
//!
//! A portal has the number of its peaks and its critical radius; a peak has six words:
//!
//! 1. its position on the portal, from the first vertex on, as a share of 2^32 - 1;
//! 2. the distance to the nearest wall (`f32`);
//! 3. the least distance on the portal between the peak before it and itself (`f32`); zero for the first;
//! 4. for both cells of the portal, the index of an earlier peak in the order of the border (`u16` each, the first cell
//!    in the low half); zero for the first peak of a cell;
//! 5. and 6. the width of the way through each cell to that peak (`f32`); zero for the first peak of a cell.
//!
//! All lengths are in grid units, rounded down. The forest is not stored: it follows quickly.

use super::words;
use crate::clearance::{PeakGraph, PeakRecord, Seen};
use crate::mesh::{Flaw, FlawKind, Flaws, NavMesh};

/// Encodes the number of peaks and the critical radius of each portal.
pub(super) fn encode_portals(graph: &PeakGraph) -> Vec<u8> {
    let counts = (0..graph.critical.len() as u32).map(|portal| graph.peaks_of(portal).len() as u32);
    let words = counts.zip(&graph.critical).flat_map(|(count, critical)| [count, critical.to_bits()]);
    words.flat_map(u32::to_le_bytes).collect()
}

/// Encodes six words for each peak, portal after portal.
pub(super) fn encode_peaks(graph: &PeakGraph) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(24 * graph.peaks.len());
    for portal in 0..graph.critical.len() as u32 {
        let peaks = graph.peaks_of(portal);
        for peak in peaks.clone() {
            let record = &graph.peaks[peak];
            let dip = if peak == peaks.start { 0.0 } else { graph.dip_before(portal, peak as u32) };
            let up = u32::from(record.up[0]) | u32::from(record.up[1]) << 16;
            let [first, second] = record.width.map(f32::to_bits);
            let words = [record.along, record.height.to_bits(), dip.to_bits(), up, first, second];
            bytes.extend(words.into_iter().flat_map(u32::to_le_bytes));
        }
    }
    bytes
}

/// Reads the clearances of a mesh of sound structure; `None` after a flaw.
pub(super) fn read(mesh: &NavMesh, portals: &[u8], peaks: &[u8], flaws: &mut Flaws) -> Option<PeakGraph> {
    let before = flaws.count();
    let portals: Vec<[u32; 2]> = words(portals, "portals", flaws).collect();
    let peaks: Vec<[u32; 6]> = words(peaks, "peaks", flaws).collect();
    let counted: u64 = portals.iter().map(|[count, _]| u64::from(*count)).sum();
    for (what, stored, needed) in
        [("portals", portals.len(), mesh.parts.portals.len() as u64), ("peaks", peaks.len(), counted)]
    {
        if stored as u64 != needed {
            let detail = || format!("section {what}: has {stored} elements instead of {needed}");
            flaws.note(|| Flaw::new(FlawKind::Section, detail()));
        }
    }
    if flaws.count() > before {
        return None;
    }
    let mut graph = PeakGraph::default();
    let mut rest = peaks.as_slice();
    for (portal, [count, critical]) in portals.iter().enumerate() {
        let (own, others) = rest.split_at_checked(*count as usize)?;
        rest = others;
        if let Some(detail) = read_portal(&mut graph, portal as u32, *critical, own) {
            flaws.note(|| Flaw::new(FlawKind::Section, detail).portal(portal as u32));
            return None;
        }
    }
    if let Some((peak, detail)) = wrong_tree(mesh, &graph) {
        let portal = graph.portal_of(peak);
        flaws.note(|| Flaw::new(FlawKind::Section, detail).portal(portal));
        return None;
    }
    graph.join(mesh);
    Some(graph)
}

/// Adds a portal to the graph, or describes its fault.
fn read_portal(graph: &mut PeakGraph, portal: u32, critical: u32, peaks: &[[u32; 6]]) -> Option<String> {
    if peaks.is_empty() {
        return Some("has no peak".to_string());
    }
    graph.critical.push(f32::from_bits(critical));
    if !is_radius(f32::from_bits(critical)) {
        return Some(format!("the critical radius {} makes no sense", f32::from_bits(critical)));
    }
    for (index, [along, height, dip, up, first, second]) in peaks.iter().copied().enumerate() {
        let [height, dip, first, second] = [height, dip, first, second].map(f32::from_bits);
        let all_finite = [height, dip, first, second].iter().all(|r| is_radius(*r) && r.is_finite());
        let in_order = index == 0 || peaks[index - 1][0] <= along;
        if !all_finite || !in_order || (index == 0 && dip != 0.0) {
            return Some(format!("peak {index} makes no sense"));
        }
        if index > 0 {
            graph.extra.push(portal);
            graph.dip.push(dip);
        }
        let up = [up as u16, (up >> 16) as u16];
        graph.peaks.push(PeakRecord { along, height, up, width: [first, second] });
    }
    None
}

/// Returns the first peak whose parent in the tree of a cell does not come before it, and a description.
fn wrong_tree(mesh: &NavMesh, graph: &PeakGraph) -> Option<(u32, String)> {
    let mut seen = Vec::new();
    for cell in 0..mesh.cell_slots() as u32 {
        graph.seen_from(mesh, cell, &mut seen);
        for (place, Seen { peak, face, .. }) in seen.iter().enumerate() {
            let record = &graph.peaks[*peak as usize];
            let (up, width) = (record.up[usize::from(*face)], record.width[usize::from(*face)]);
            let sound = usize::from(up) < place || (place == 0 && up == 0 && width == 0.0);
            if !sound {
                return Some((
                    *peak,
                    format!("a peak comes after peak {up} of cell {cell}, but is its {place}th"),
                ));
            }
        }
    }
    None
}

/// True if the value can be a radius: a number, not negative, and not a negative zero.
fn is_radius(value: f32) -> bool {
    value >= 0.0 && value.is_sign_positive()
}
