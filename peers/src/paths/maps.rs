//! What is asked: maps with queries and known answers, from the data folder.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use clearway::{MeshOptions, NavMesh, Plan};

use super::args::PathArgs;
use super::peer::Point;

/// The maps of the data folder, small to large.
pub const NAMES: [&str; 5] = ["arena", "ca_caverns1", "AR0602SR", "brc202d", "Aurora"];

/// One map as every planner sees it.
pub struct Map {
    /// Its name in tables and after `--map`.
    pub name: String,
    /// As it was drawn.
    pub plan: Plan,
    /// Our mesh of it.
    pub mesh: Rc<NavMesh>,
    stored: OnceCell<Vec<u8>>,
    /// The mesh that Polyanya's authors made of it.
    pub home_mesh: Option<PathBuf>,
    /// What is asked.
    pub queries: Vec<Query>,
    /// The radii for which the answers are known, in the order of [`Query::known`].
    pub known_radii: Vec<f64>,
}

/// One question and what is known about its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// Where the path starts.
    pub start: Point,
    /// Where it ends.
    pub goal: Point,
    /// The answers, one for each of [`Map::known_radii`].
    pub known: Vec<Known>,
}

/// What is known about an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Known {
    /// The length of the shortest path.
    Length(f64),
    /// There is no path.
    NoPath,
    /// Start or goal is closer to a wall than the radius.
    TooClose,
    /// Nothing.
    Nothing,
}

impl Map {
    /// A map of the folder.
    pub fn load(folder: &Path, name: &str, args: &PathArgs) -> Result<Map, String> {
        let file = |ending: &str| folder.join(format!("{name}{ending}"));
        let plan = Plan::load(file(".wkt")).map_err(|error| error.to_string())?;
        let table = std::fs::read_to_string(file(".tsv")).map_err(|error| format!("{name}.tsv: {error}"))?;
        let (known_radii, queries) = parse_queries(&table)?;
        let queries = spread(queries, args.queries);
        let home_mesh = Some(file("-merged.mesh")).filter(|path| path.is_file());
        Ok(Map { home_mesh, queries, known_radii, ..Map::of(name, plan)? })
    }

    /// A map without queries.
    pub fn of(name: &str, plan: Plan) -> Result<Map, String> {
        let mesh = mesh_of(&plan)?;
        Ok(Map {
            name: name.into(),
            plan,
            mesh: Rc::new(mesh),
            stored: OnceCell::new(),
            home_mesh: None,
            queries: Vec::new(),
            known_radii: Vec::new(),
        })
    }

    /// The map in one line.
    pub fn summary(&self) -> String {
        let Map { name, queries, mesh, .. } = self;
        let [cells, vertices] = [mesh.cell_count(), mesh.vertex_count()];
        format!("{name}: {} queries; our mesh has {cells} cells, {vertices} vertices", queries.len())
    }

    /// The file of our mesh with its path index, where it has one; made when first asked for.
    pub fn stored_with_index(&self) -> &[u8] {
        self.stored.get_or_init(|| self.mesh.encode_with_index())
    }

    /// What is known about a query at a radius.
    pub fn known(&self, query: usize, radius: f64) -> Known {
        let column = self.known_radii.iter().position(|known| *known == radius);
        column.map_or(Known::Nothing, |column| self.queries[query].known[column])
    }
}

/// Our mesh of a plan, with default options.
pub fn mesh_of(plan: &Plan) -> Result<NavMesh, String> {
    MeshOptions::default().build(plan).map_err(|error| error.to_string())
}

/// The folder of the maps, or in words that it is missing.
pub fn folder(args: &PathArgs) -> Result<PathBuf, String> {
    let folder = args.data.clone().unwrap_or_else(crate::inputs::data_folder).join("paths");
    if folder.is_dir() {
        return Ok(folder);
    }
    Err(format!("no maps in {}; name the data folder with --data or CLEARWAY_DATA", folder.display()))
}

const LENGTH_COLUMN: &str = "length_r";

/// Radii and queries of a table with the columns `sx sy gx gy length_r0 length_r…`.
fn parse_queries(table: &str) -> Result<(Vec<f64>, Vec<Query>), String> {
    let mut lines = table.lines();
    let header = lines.next().ok_or("an empty table of queries")?;
    let radii = header.split('\t').filter_map(|name| name.strip_prefix(LENGTH_COLUMN));
    let radii: Vec<f64> = radii.map(number).collect::<Result<_, _>>()?;
    let queries = lines.filter(|line| !line.is_empty()).map(parse_query).collect::<Result<Vec<_>, _>>()?;
    match queries.iter().find(|query| query.known.len() != radii.len()) {
        Some(query) => Err(format!("the query from {:?} has no answer for every radius", query.start)),
        None => Ok((radii, queries)),
    }
}

fn parse_query(line: &str) -> Result<Query, String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [sx, sy, gx, gy, known @ ..] = fields.as_slice() else { return Err(format!("short line: {line}")) };
    Ok(Query {
        start: [number(sx)?, number(sy)?],
        goal: [number(gx)?, number(gy)?],
        known: known.iter().map(|text| parse_known(text)).collect::<Result<_, _>>()?,
    })
}

fn parse_known(text: &str) -> Result<Known, String> {
    if text == "?" {
        return Ok(Known::Nothing);
    }
    Ok(match number(text)? {
        -1.0 => Known::NoPath,
        -2.0 => Known::TooClose,
        length => Known::Length(length),
    })
}

fn number(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| format!("{text} is not a number"))
}

/// At most so many of the queries, evenly spread.
fn spread(queries: Vec<Query>, most: Option<usize>) -> Vec<Query> {
    let step = most.map_or(1, |most| queries.len().div_ceil(most.max(1))).max(1);
    queries.into_iter().step_by(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_its_radii_and_verdicts() {
        let table = "sx\tsy\tgx\tgy\tlength_r0\tlength_r0.45\tlength_r1.5\n1\t2\t3.5\t4\t5.25\t?\t-2.000\n";
        let (radii, queries) = parse_queries(table).unwrap();
        assert_eq!(radii, [0.0, 0.45, 1.5]);
        let known = vec![Known::Length(5.25), Known::Nothing, Known::TooClose];
        assert_eq!(queries, [Query { start: [1.0, 2.0], goal: [3.5, 4.0], known }]);
        assert!(parse_queries("sx\tsy\tgx\tgy\tlength_r0\n1\t2\t3\t4\n").is_err());
    }

    #[test]
    fn fewer_queries_are_spread_over_the_list() {
        let (_, queries) = parse_queries(&format!("sx\tsy\tgx\tgy\n{}", "1\t2\t3\t4\n".repeat(10))).unwrap();
        assert_eq!(spread(queries.clone(), Some(3)).len(), 3);
        assert_eq!(spread(queries, None).len(), 10);
    }
}
