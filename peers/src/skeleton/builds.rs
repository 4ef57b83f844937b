//! Whole diagrams: ours, spade's triangulation of the same segments, and Boost.Polygon's diagram.

use clearway_geometry::Point;
use clearway_skeleton::{Diagram, Shape};
use serde::Serialize;
use spade::{ConstrainedDelaunayTriangulation, Point2};

use super::worlds::World;
use crate::clock::timed;
use crate::crowd::table::{figure, markdown};
use crate::heap::grown_by;

/// One world.
#[derive(Serialize)]
pub struct BuildRow {
    world: &'static str,
    segments: usize,
    /// Processor time of our build in milliseconds.
    ours_ms: f64,
    /// Processor time of spade's constrained Delaunay triangulation.
    cdt_ms: f64,
    /// Processor time of Boost.Polygon; `None` where Boost is not installed.
    boost_ms: Option<f64>,
    /// Bytes that our diagram holds for each segment.
    bytes: Option<f64>,
    /// Discs that another site enters, and errors of topology.
    flaws: usize,
}

/// Builds a world with every peer in turn, several times.
pub fn measure(world: &World, shapes: &[Shape], rounds: usize) -> Result<BuildRow, String> {
    let segments = segments_of(shapes);
    let (mut ours_ms, mut cdt_ms) = (f64::INFINITY, f64::INFINITY);
    let mut boost_ms: Option<f64> = None;
    let (mut bytes, mut flaws) = (None, 0);
    for round in 0..rounds {
        let ((diagram, grown), time) = timed(|| grown_by(|| ours(world, shapes)));
        ours_ms = ours_ms.min(time.cpu_ms);
        if round == 0 {
            let audit = diagram?.audit();
            flaws = audit.intruded_discs + audit.loose_discs + audit.topology_errors;
            bytes = grown.map(|grown| grown as f64 / segments.len() as f64);
        }
        let (result, time) = timed(|| triangulate(&segments));
        result?;
        cdt_ms = cdt_ms.min(time.cpu_ms);
        let (vertices, time) = timed(|| boost(&segments));
        if vertices >= 0 {
            boost_ms = Some(boost_ms.map_or(time.cpu_ms, |least| least.min(time.cpu_ms)));
        }
    }
    Ok(BuildRow { world: world.name, segments: segments.len(), ours_ms, cdt_ms, boost_ms, bytes, flaws })
}

fn ours(world: &World, shapes: &[Shape]) -> Result<Diagram, String> {
    let [min, max] = world.frame();
    let built = Diagram::build(min, max, shapes).map_err(|error| error.to_string())?;
    Ok(built.0)
}

fn segments_of(shapes: &[Shape]) -> Vec<[Point; 2]> {
    let mut segments = Vec::new();
    for shape in shapes {
        let Shape::Polygon(corners) = shape else { continue };
        let after = corners.iter().cycle().skip(1);
        segments.extend(corners.iter().zip(after).map(|(a, b)| [*a, *b]));
    }
    segments
}

fn triangulate(segments: &[[Point; 2]]) -> Result<(), String> {
    // Corners follow each other, so that every segment begins where its own number says.
    let points: Vec<_> = segments.iter().map(|[a, _]| Point2::new(f64::from(a.x), f64::from(a.y))).collect();
    let mut edges = Vec::with_capacity(segments.len());
    let mut first = 0;
    for (i, [_, to]) in segments.iter().enumerate() {
        let closes = segments[first][0] == *to;
        edges.push([i, if closes { first } else { i + 1 }]);
        if closes {
            first = i + 1;
        }
    }
    let built = ConstrainedDelaunayTriangulation::<Point2<f64>>::bulk_load_cdt(points, edges);
    std::hint::black_box(built.map_err(|error| error.to_string())?);
    Ok(())
}

/// The number of Boost's vertices; negative without Boost.
#[cfg(feature = "recast")]
fn boost(segments: &[[Point; 2]]) -> std::ffi::c_long {
    unsafe extern "C" {
        fn shim_boost_voronoi(coordinates: *const i32, count: usize) -> std::ffi::c_long;
    }
    let flat: Vec<i32> = segments.iter().flat_map(|[a, b]| [a.x, a.y, b.x, b.y]).collect();
    // SAFETY: the list holds four coordinates for each segment and lives through the call.
    unsafe { shim_boost_voronoi(flat.as_ptr(), segments.len()) }
}

/// Boost is compiled together with Recast only.
#[cfg(not(feature = "recast"))]
fn boost(_: &[[Point; 2]]) -> std::ffi::c_long {
    -1
}

/// The table.
pub fn table(rows: &[BuildRow]) -> String {
    let header = [
        "world",
        "segments",
        "ours, ms",
        "µs / segment",
        "spade CDT, ms",
        "ours / CDT",
        "Boost, ms",
        "ours / Boost",
        "bytes / segment",
        "flaws",
    ];
    let cells = |row: &BuildRow| {
        let per = row.ours_ms * 1e3 / row.segments as f64;
        vec![
            row.world.to_string(),
            row.segments.to_string(),
            figure(Some(row.ours_ms)),
            figure(Some(per)),
            figure(Some(row.cdt_ms)),
            figure(Some(row.ours_ms / row.cdt_ms)),
            figure(row.boost_ms),
            figure(row.boost_ms.map(|boost| row.ours_ms / boost)),
            figure(row.bytes),
            row.flaws.to_string(),
        ]
    };
    markdown("Builds of segment Voronoi diagrams", &header, &rows.iter().map(cells).collect::<Vec<_>>())
}
