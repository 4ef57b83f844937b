//! One query answered by every planner on the skeleton, beside the shortest path.

use crate::failure::Result;
use crate::report::{Table, measure};
use clearway::ErrorKind;
use clearway::roads::{Method, RoadOptions, RoadPlanner};
use clearway::{Location, NavMesh, Overlay, Path, PathQuery, Planner, Trace};
use serde::Serialize;

/// The clearances in metres that the corridor map is asked for, beyond the shortest path.
const CLEARANCES: [f64; 3] = [0.0, 1.0, 2.0];

/// The distance in metres between an arc and the lines that replace it: below what a picture shows.
const FINE: f64 = 0.02;

/// Colours of the ways, dark enough for the pastels of cells.
const COLORS: [&str; 7] = ["#111827", "#b45309", "#047857", "#0e7490", "#4338ca", "#dc2626", "#7c3aed"];

/// The way of one planner.
#[derive(Debug, Serialize)]
pub struct Way {
    /// The planner, with its options.
    pub planner: String,
    /// The length in metres.
    pub length: f64,
    /// True if the method failed and the shortest path stands for it.
    pub rescued: bool,
    /// The points in the world.
    #[serde(skip)]
    points: Vec<[f64; 3]>,
}

/// Answers a query with each planner. A planner without a path, or that does not take the mesh, is left out.
pub fn all(mesh: &NavMesh, [from, to]: [Location; 2], radius: f64) -> Result<Vec<Way>> {
    let query = PathQuery::new(from, to).radius(radius);
    let way = |planner: String, path: &Path, rescued: bool| Way {
        planner,
        length: path.length,
        rescued,
        points: path.points_in_space(mesh, FINE),
    };
    let mut ways: Vec<Way> =
        mesh.find_path(&query).iter().map(|path| way("optimal".into(), path, false)).collect();
    let asked = [Method::Roadmap, Method::Irm, Method::Miran].map(|method| (method, 0.0));
    for (method, clearance) in asked.into_iter().chain(CLEARANCES.map(|clearance| (Method::Ecm, clearance))) {
        let options = RoadOptions::default().clearance(clearance);
        let mut planner = match RoadPlanner::prepared(method, options, mesh) {
            Ok(planner) => planner,
            Err(error) if error.kind() == ErrorKind::Unsupported => continue,
            Err(error) => return Err(error.into()),
        };
        if let Ok(path) = planner.find_path(mesh, &query) {
            let name = match method {
                Method::Ecm if clearance > 0.0 => format!("ecm, {clearance} m"),
                _ => method.name().to_string(),
            };
            ways.push(way(name, &path, planner.rescues() > 0));
        }
    }
    Ok(ways)
}

/// Returns the ways as lines of a picture.
pub fn overlays(ways: &[Way]) -> Vec<Overlay> {
    let colored = ways.iter().zip(COLORS.iter().cycle());
    colored
        .map(|(way, color)| {
            let trace = Trace { points: way.points.clone(), cell: None };
            Overlay::new(way.planner.clone(), color, vec![trace]).width(2.4)
        })
        .collect()
}

/// Adds a row for each way.
pub fn rows(ways: &[Way], table: &mut Table) {
    let shortest = ways.first().map_or(f64::NAN, |way| way.length);
    for way in ways {
        let longer = 100.0 * (way.length / shortest - 1.0);
        let mut remark = format!("m, {longer:.1} % longer than the shortest");
        if way.planner == "optimal" {
            remark = "m".into();
        } else if way.rescued {
            remark.push_str("; the method failed, so this is the shortest path");
        }
        table.row(&way.planner, measure(way.length), remark);
    }
}
