//! The published method beside ours, both against the oracle.

use super::oracle::Oracle;
use super::{built, location};
use clearway_build::Quality;
use clearway_compare::published::CrossTable;
use clearway_geometry::Vec2;
use clearway_nav::mesh::{NavMesh, PortalId};
use clearway_scenes::Family;

/// Pairs of portals and radii: how many a method calls passable, how many of these are not, and how many pairs
/// that are passable it misses.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    declared: usize,
    wrong: usize,
    missed: usize,
}

impl Score {
    fn note(&mut self, declared: bool, truth: bool) {
        self.declared += usize::from(declared);
        self.wrong += usize::from(declared && !truth);
        self.missed += usize::from(!declared && truth);
    }
}

/// Where the highest peak of each portal is.
fn tops(mesh: &NavMesh) -> Vec<(u32, Vec2)> {
    let graph = mesh.peak_graph();
    let top = |portal: u32| {
        let peaks = graph.peaks_of(portal);
        let top = peaks.max_by(|a, b| graph.peaks[*a].height.total_cmp(&graph.peaks[*b].height)).unwrap();
        (mesh.parts().portals[portal as usize].cells[0], graph.position(mesh, portal, top as u32))
    };
    (0..mesh.parts().portals.len() as u32).map(top).collect()
}

/// Radii just below and just above critical values that the oracle can tell apart.
fn near_critical(mesh: &NavMesh, step: f64) -> Vec<f64> {
    let mut widths: Vec<f64> =
        mesh.peak_graph().forest.width.iter().map(|width| f64::from(*width) * mesh.unit()).collect();
    widths.retain(|width| *width > 6.0 * step);
    widths.sort_by(f64::total_cmp);
    widths.dedup();
    let every = widths.len().div_ceil(12).max(1);
    widths.into_iter().step_by(every).flat_map(|width| [0.99 * width, 1.01 * width]).collect()
}

fn compare(mesh: &NavMesh, step: f64) -> (usize, [Score; 2]) {
    let (oracle, tops, table) = (Oracle::new(mesh, step / mesh.unit()), tops(mesh), CrossTable::of(mesh));
    let climbs: Vec<_> = tops.iter().map(|top| oracle.climb(top.1)).collect();
    let radii = near_critical(mesh, step);
    let (mut passable, mut scores) = (0, [Score::default(); 2]);
    for (from, (cell, at)) in tops.iter().enumerate() {
        let truth = oracle.widest(from, &climbs);
        for radius in &radii {
            let published = table.reachable(PortalId(from as u32), *radius);
            for (to, (other, goal)) in tops.iter().enumerate().filter(|(to, _)| *to != from) {
                let possible = truth[to] * mesh.unit() >= *radius;
                let ends = [location(mesh, *cell, *at), location(mesh, *other, *goal)];
                passable += usize::from(possible);
                scores[0].note(published[to], possible);
                scores[1].note(mesh.can_pass(ends[0], ends[1], *radius), possible);
            }
        }
    }
    (passable, scores)
}

/// Prints the table of docs/decisions/clearance.md.
#[test]
fn the_published_method_errs_where_ours_does_not() {
    let families = [
        Family::Boxes,
        Family::RotatedBoxes,
        Family::ConvexObstacles,
        Family::Caves,
        Family::Mazes,
        Family::Stars,
        Family::Spikes,
        Family::SimplePolygons,
        Family::Circles,
        Family::ThinWalls,
    ];
    println!(
        "| scenes | passable | published: wrongly passable | missed | ours: wrongly passable | missed |"
    );
    let mut total = [Score::default(); 2];
    let mut all = 0;
    for family in families {
        let (mut passable, mut scores) = (0, [Score::default(); 2]);
        for (seed, quality) in [(11, Quality::Fast), (12, Quality::Default)] {
            let (count, found) = compare(&built(family.draw(60, seed), quality), 0.04);
            passable += count;
            for (score, found) in scores.iter_mut().chain(&mut total).zip(found.iter().chain(&found)) {
                score.declared += found.declared;
                score.wrong += found.wrong;
                score.missed += found.missed;
            }
        }
        all += passable;
        print_row(family.name(), passable, &scores);
    }
    print_row("all", all, &total);
    assert_eq!((total[1].wrong, total[1].missed), (0, 0));
    assert!(total[0].wrong > 0 && total[0].missed > 0);
}

fn print_row(name: &str, passable: usize, [published, ours]: &[Score; 2]) {
    let share =
        |count: usize, of: usize| format!("{count} ({:.1} %)", 100.0 * count as f64 / of.max(1) as f64);
    println!(
        "| {name} | {passable} | {} | {} | {} | {} |",
        share(published.wrong, published.declared),
        share(published.missed, passable),
        ours.wrong,
        ours.missed
    );
}
