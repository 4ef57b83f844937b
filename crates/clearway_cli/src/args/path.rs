//! The arguments of `path`, and those that it shares with `draw`.

use crate::planner::{Planner, PlannerOptions};
use clap::Args;
use std::path::PathBuf;

/// A point in plan coordinates.
pub type Point = [f64; 2];

#[derive(Debug, Args)]
pub struct PathArgs {
    /// The mesh, or a plan, which is built with default options first
    #[arg(value_name = "MESH.nav")]
    pub input: PathBuf,
    /// Where the body starts, in plan coordinates
    #[arg(long, value_name = "X,Y", value_parser = point, allow_hyphen_values = true, requires = "to",
          required_unless_present_any = ["queries", "scen"], conflicts_with_all = ["queries", "scen"])]
    pub from: Option<Point>,
    /// Where it wants to go
    #[arg(long, value_name = "X,Y", value_parser = point, allow_hyphen_values = true, requires = "from")]
    pub to: Option<Point>,
    #[command(flatten)]
    pub walker: Walker,
    /// How far start and goal may be moved where they are off the mesh or too close to a wall, in metres
    #[arg(long, value_name = "METRES", default_value_t = 0.0, value_parser = length, allow_hyphen_values = true)]
    pub snap: f64,
    /// The path may be this many times as long as the shortest
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = factor, allow_hyphen_values = true)]
    pub suboptimality: f64,
    /// Where the goal cannot be reached, lead to the place nearest to it
    #[arg(long)]
    pub partial: bool,
    /// Answer every query of a table with columns sx, sy, gx, gy; compare with its column length_rRADIUS
    #[arg(long, value_name = "FILE.tsv", conflicts_with = "scen")]
    pub queries: Option<PathBuf>,
    /// Answer every query of a MovingAI scenario, between the centres of its tiles
    #[arg(long, value_name = "FILE.scen")]
    pub scen: Option<PathBuf>,
    /// How many threads answer the queries of a file
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// How far the printed points may be from arcs, in metres
    #[arg(long, value_name = "METRES", default_value_t = 0.01, value_parser = length, allow_hyphen_values = true)]
    pub tolerance: f64,
    /// Print one JSON object; for a file of queries, one JSON array
    #[arg(long)]
    pub json: bool,
}

/// Who walks, and who finds the way.
#[derive(Debug, Args)]
pub struct Walker {
    /// The radius of the body in metres
    #[arg(long, value_name = "METRES", default_value_t = 0.0, value_parser = length, allow_hyphen_values = true)]
    pub radius: f64,
    /// What finds the path
    #[arg(long, value_enum, default_value_t = Planner::default())]
    pub planner: Planner,
    /// The side of the cells of the grid planner in metres; chosen from the extent by default, 1 for --scen
    #[arg(long, value_name = "METRES", value_parser = side, allow_hyphen_values = true)]
    cell_size: Option<f64>,
}

impl Walker {
    pub fn options(&self) -> PlannerOptions {
        PlannerOptions { cell_size: self.cell_size }
    }
}

/// Reads `X,Y`.
fn point(text: &str) -> Result<Point, String> {
    let (x, y) =
        text.split_once(',').ok_or("expected two numbers with a comma between them, as in 2.5,-1")?;
    Ok([coordinate(x)?, coordinate(y)?])
}

/// Reads `X,Y:X,Y`.
pub fn ends(text: &str) -> Result<[Point; 2], String> {
    let (from, to) =
        text.split_once(':').ok_or("expected two points with a colon between them, as in 0,0:2.5,-1")?;
    Ok([point(from)?, point(to)?])
}

fn coordinate(text: &str) -> Result<f64, String> {
    number(text).map_err(|problem| format!("`{}` is {problem}", text.trim()))
}

/// Reads a length that may be zero.
fn length(text: &str) -> Result<f64, String> {
    let value = number(text)?;
    if value >= 0.0 { Ok(value) } else { Err("negative; it must be zero or more".into()) }
}

fn side(text: &str) -> Result<f64, String> {
    let value = number(text)?;
    if value > 0.0 { Ok(value) } else { Err("not a length; it must be more than zero".into()) }
}

fn factor(text: &str) -> Result<f64, String> {
    let value = number(text)?;
    if value >= 1.0 { Ok(value) } else { Err("less than 1; no path is shorter than the shortest".into()) }
}

fn number(text: &str) -> Result<f64, String> {
    let value: f64 = text.trim().parse().map_err(|_| "not a number".to_string())?;
    if value.is_finite() { Ok(value) } else { Err("not a finite number".into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_two_finite_numbers() {
        assert_eq!(point("2.5,-1"), Ok([2.5, -1.0]));
        assert_eq!(point(" 1e3, .5 "), Ok([1000.0, 0.5]));
        for bad in ["", "1", "1;2", "1,2,3", "1,", "nan,0", "0,inf", "1e999,0", "a,b"] {
            assert!(point(bad).is_err(), "{bad}");
        }
        assert_eq!(ends("0,1:-2,3"), Ok([[0.0, 1.0], [-2.0, 3.0]]));
        assert!(ends("0,1").is_err() && ends("0,1:2").is_err());
    }

    #[test]
    fn lengths_and_factors_have_their_ranges() {
        assert_eq!((length("0"), side("0.5"), factor("1")), (Ok(0.0), Ok(0.5), Ok(1.0)));
        assert!(["-1", "NaN", "inf", ""].iter().all(|text| length(text).is_err()));
        assert!(["0", "-1", "nan"].iter().all(|text| side(text).is_err()));
        assert!(["0.99", "inf", "x"].iter().all(|text| factor(text).is_err()));
    }
}
