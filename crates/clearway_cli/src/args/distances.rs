//! The arguments of `distances`.

use super::number::{Storeys, length, point, side, storeys};
use super::storey_of;
use crate::failure::Result;
use clap::Args;
use clearway::NavMesh;
use clearway::answer::{Exit, Point};
use std::path::PathBuf;

pub const EXAMPLES: &str = "\
Examples:
  clearway distances office.nav --to 0,4          how far everything is from a point
  clearway distances office.nav --to 0,3:0,5 --to 20,3:20,5 --radius 0.3 -o far.png    from two doors, as a heat map
  clearway distances office.nav --to 8,0:9,0:9,1:8,1    from an area
  clearway distances level.nav --to exit --layer 0 -o far.png    from the ground of an area class, in a scene

Exit status: 0 distances, 1 none, with the reason, 2 an error.";

#[derive(Debug, Args)]
pub struct DistancesArgs {
    /// The mesh, or a scene or plan, which is built with default options first
    #[arg(value_name = "MESH.nav")]
    pub input: PathBuf,
    /// An exit: a point P, a line P:P, an area P:P:P..., or the name of an area class; may be given again
    #[arg(long = "to", value_name = "EXIT", value_parser = exit, allow_hyphen_values = true, required = true)]
    pub exits: Vec<Exit>,
    /// The radius of the body in metres
    #[arg(long, value_name = "METRES", default_value_t = 0.0, value_parser = length, allow_hyphen_values = true)]
    pub radius: f64,
    /// The side of the tiles that are measured, in metres; chosen by the size of the mesh by default
    #[arg(long, value_name = "METRES", value_parser = side, allow_hyphen_values = true)]
    pub spacing: Option<f64>,
    /// A heat map with lines of equal distance, .svg or .png
    #[arg(short, long, value_name = "OUT.svg|OUT.png")]
    pub output: Option<PathBuf>,
    /// Width of the picture in pixels
    #[arg(long, value_name = "PX", default_value_t = 1200, value_parser = clap::value_parser!(u32).range(64..=16384))]
    pub width: u32,
    /// Show only this storey of a scene, counted from 0, or all, which is the default
    #[arg(long, value_name = "N|all", value_parser = storeys)]
    layer: Option<Storeys>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

impl DistancesArgs {
    /// Returns the storey that is shown; `None` for all. Fails if there is no such storey.
    pub fn storey(&self, mesh: &NavMesh) -> Result<Option<usize>> {
        storey_of(self.layer, mesh, &self.input)
    }
}

/// Reads points with colons between them, or a name.
fn exit(text: &str) -> std::result::Result<Exit, String> {
    if !text.contains(',') {
        return match text.trim() {
            "" => Err("empty; expected a point, an area or a name".into()),
            name => Ok(Exit::Area(name.to_string())),
        };
    }
    let corners: Vec<Point> = text.split(':').map(point).collect::<std::result::Result<_, _>>()?;
    let is_plan = |corner: &Point| matches!(corner, Point::Plan(_));
    if corners.iter().any(is_plan) && !corners.iter().all(is_plan) {
        return Err("corners with two coordinates and with three; all must be of one kind".into());
    }
    Ok(Exit::Shape(corners))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exits_are_points_lines_areas_or_names() {
        let shape = |text: &str| match exit(text) {
            Ok(Exit::Shape(corners)) => corners.len(),
            _ => 0,
        };
        assert_eq!(["1,2", "1,2:3,4", "1,0,2:3,0,4:5,0,6"].map(shape), [1, 2, 3]);
        assert_eq!(exit("exit"), Ok(Exit::Area("exit".into())));
        for bad in ["", "1,2:x", "1,2:1,2,3", "1,nan"] {
            assert!(exit(bad).is_err(), "{bad}");
        }
    }
}
