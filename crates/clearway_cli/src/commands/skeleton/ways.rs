//! One query answered by every planner on the skeleton, beside the shortest path.

use crate::failure::Result;
use crate::report::{Table, measure};
use clearway::ErrorKind;
use clearway::roads::{Method, RoadOptions, RoadPlanner};
use clearway::{Costs, Location, NavMesh, Overlay, Path, PathQuery, Planner};
use serde::Serialize;

/// The clearances in metres that the corridor map is asked for, beyond the shortest path.
const CLEARANCES: [f64; 3] = [0.0, 1.0, 2.0];

/// The number of area classes that are avoided, and what a metre on such ground costs those who avoid it.
const MOST_PROFILES: usize = 2;
const AVOIDED: f64 = 8.0;

/// The width of ways, and the distance between two that share a way, in pixels of a picture that is 1200 pixels wide.
/// Nine of them are as wide as half a metre of a plan 30 m wide.
const WIDTH: f64 = 1.8;
const LANE: f64 = 2.2;

/// Colours of the ways, strong enough for the pastels of cells, and apart from that of roads.
const COLORS: [&str; 9] =
    ["#111827", "#b45309", "#047857", "#0e7490", "#4338ca", "#dc2626", "#7c3aed", "#f97316", "#65a30d"];

/// The way of one planner.
#[derive(Debug, Serialize)]
pub struct Way {
    /// The planner, with its options.
    pub planner: String,
    /// The length in metres.
    pub length: f64,
    /// The number of links that it takes. Only `optimal` takes links.
    pub links: usize,
    /// True if the method failed and the shortest path stands for it.
    pub rescued: bool,
    /// The way.
    #[serde(skip)]
    path: Path,
}

/// Answers a query with each planner. A planner without a path, or that does not take the mesh, is left out.
pub fn all(mesh: &NavMesh, [from, to]: [Location; 2], radius: f64) -> Result<Vec<Way>> {
    let query = PathQuery::new(from, to).radius(radius);
    let way = |planner: String, path: &Path, rescued: bool| Way {
        planner,
        length: path.length,
        links: path.links.len(),
        rescued,
        path: path.clone(),
    };
    let mut ways: Vec<Way> =
        mesh.find_path(&query).iter().map(|path| way("optimal".into(), path, false)).collect();
    for (name, method, options) in asked(mesh) {
        let mut planner = match RoadPlanner::prepared(method, options, mesh) {
            Ok(planner) => planner,
            Err(error) if error.kind() == ErrorKind::Unsupported => continue,
            Err(error) => return Err(error.into()),
        };
        let costs = costs(mesh, &planner.options().weights);
        if let Ok(path) = planner.find_path(mesh, &query.clone().costs(costs)) {
            ways.push(way(name, &path, planner.rescues() > 0));
        }
    }
    Ok(ways)
}

/// The planners that are asked, with their options. On a mesh with area classes `miran` walks for those who avoid one, too.
fn asked(mesh: &NavMesh) -> Vec<(String, Method, RoadOptions)> {
    let usual = RoadOptions::default;
    let mut asked = vec![
        ("roadmap".to_string(), Method::Roadmap, usual()),
        ("irm".to_string(), Method::Irm, usual()),
        ("miran".to_string(), Method::Miran, usual()),
    ];
    for clearance in CLEARANCES {
        let name = if clearance > 0.0 { format!("ecm, {clearance} m") } else { "ecm".to_string() };
        asked.push((name, Method::Ecm, usual().clearance(clearance)));
    }
    for (class, name) in mesh.area_names().iter().enumerate().skip(1).take(MOST_PROFILES) {
        let mut weights = vec![1.0; class + 1];
        weights[class] = AVOIDED;
        asked.push((format!("miran, avoids {name}"), Method::Miran, usual().weights(weights)));
    }
    asked
}

/// The costs of cells by the weights of their area classes; `None` if all are one.
fn costs(mesh: &NavMesh, weights: &[f64]) -> Option<Costs> {
    let weight = |class: u8| weights.get(usize::from(class)).copied().unwrap_or(1.0);
    let cells = mesh.cells().map(|cell| weight(cell.area_class())).collect();
    weights.iter().any(|weight| *weight != 1.0).then(|| Costs::default().cells(cells))
}

/// Returns the ways as lines of a picture, each beside the others: the first in its place, the next to its left, to its
/// right, and so on.
pub fn overlays(ways: &[Way]) -> Vec<Overlay> {
    let colored = ways.iter().zip(COLORS.iter().cycle()).enumerate();
    colored
        .map(|(number, (way, color))| {
            let side = if number % 2 == 0 { -LANE } else { LANE };
            // The legend has room for nine short words.
            let word = way.planner.trim_start_matches("miran, ");
            let overlay = Overlay::new(word, color, Vec::new()).paths(vec![way.path.clone()]);
            overlay.width(WIDTH).lane(side * number.div_ceil(2) as f64)
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
            remark = match way.links {
                0 => "m".into(),
                1 => "m, by 1 link; the other planners take no links".into(),
                count => format!("m, by {count} links; the other planners take no links"),
            };
        } else if way.rescued {
            remark.push_str("; the method failed, so this is the shortest path");
        }
        table.row(&way.planner, measure(way.length), remark);
    }
}
