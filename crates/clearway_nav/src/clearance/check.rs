//! The check of a stored peak graph, which may come from a file, against the one that the walls make.
//!
//! It computes the graph anew, which costs as much as building it.

use crate::clearance::PeakGraph;
use crate::mesh::{CellGraph, Flaw, FlawKind, Flaws, NavMesh, check_all, check_structure};
use crate::path::check_path_index;
use crate::query::check_links;
use clearway_base::progress::NoProgress;

impl NavMesh {
    /// Returns every flaw of the mesh; empty for every mesh that a build makes.
    ///
    /// If a law is broken, laws that rest on it are not checked. So a mesh may show further flaws once the first are
    /// gone. The list ends after [`MAX_FLAWS`](crate::mesh::MAX_FLAWS).
    ///
    /// ```
    /// use clearway::{MeshOptions, NavMesh, Plan};
    /// let plan = Plan::from_rings([vec![[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0]]]);
    /// let mesh = MeshOptions::default().build(&plan)?;
    /// assert!(mesh.check().is_empty());
    /// # Ok::<(), clearway::Error>(())
    /// ```
    pub fn check(&self) -> Vec<Flaw> {
        let mut flaws = Flaws::default();
        check(&self.compacted(), &mut flaws);
        if let (true, Some(graph)) = (self.is_edited(), self.graph.get())
            && let Some(detail) = graph.difference(&CellGraph::of(self))
        {
            flaws.note(|| Flaw::new(FlawKind::Layout, detail));
        }
        // A mesh without gaps was checked above; of an edited one, the clearances are those of its own numbers.
        if let (true, None, Some(stored)) = (self.is_edited(), flaws.first(), self.peaks.get()) {
            compare(stored, &PeakGraph::of(self, &mut NoProgress).unwrap_or_default(), &mut flaws);
        }
        flaws.into_list()
    }
}

/// Notes every flaw of the mesh, of its links and of its clearances.
pub(crate) fn check(mesh: &NavMesh, flaws: &mut Flaws) {
    let mut of_structure = Flaws::default();
    check_structure(mesh, &mut of_structure);
    if of_structure.first().is_none() {
        check_links(mesh, flaws);
    }
    let before = flaws.count();
    check_all(mesh, flaws);
    if let (0, Some(stored)) = (flaws.count() - before, mesh.peaks.get()) {
        compare(stored, &PeakGraph::of(mesh, &mut NoProgress).unwrap_or_default(), flaws);
    }
    if flaws.count() == before {
        check_path_index(mesh, flaws);
    }
}

/// Notes every difference between a stored graph and the right one.
fn compare(stored: &PeakGraph, right: &PeakGraph, flaws: &mut Flaws) {
    for portal in 0..right.critical.len() as u32 {
        let wrong = |detail: String| Flaw::new(FlawKind::Clearance, detail).portal(portal);
        let critical = [stored, right].map(|graph| graph.critical[portal as usize]);
        if critical[0] != critical[1] {
            let [was, is] = critical;
            flaws.note(|| wrong(format!("has the critical radius {is} units, but {was} is stored")));
        }
        let peaks = [stored, right].map(|graph| {
            let peaks = graph.peaks_of(portal);
            let dips = peaks.clone().skip(1).map(|peak| graph.dip_before(portal, peak as u32));
            (graph.peaks[peaks.clone()].to_vec(), dips.collect::<Vec<f32>>())
        });
        if peaks[0] != peaks[1] {
            let [was, is] = peaks.map(|(peaks, dips)| format!("{peaks:?}, dips {dips:?}"));
            flaws.note(|| wrong(format!("has the peaks {is}, but stored are {was}")));
        }
    }
}
