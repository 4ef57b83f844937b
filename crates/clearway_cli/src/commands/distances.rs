//! `clearway distances`: how far everything is from the nearest exit, as a table and as a heat map.

use crate::args::DistancesArgs;
use crate::failure::{Failure, Result};
use crate::{input, output, png};
use clearway::answer::{Distances, Exit, MeasuredTile, NoDistances, check_kind};
use clearway::{HeatMap, HeatTile, Layer, NavMesh, Over, Sketch, SketchOptions};
use serde_json::{Value, json};

/// The greatest number of tiles. Each takes some microseconds and some hundred bytes.
const MOST_TILES: f64 = 4e6;

/// The words and colours of ground without a distance: where the body has room, and where it has none. Both stand out
/// from the bands, which go from yellow to violet, and from ground that is not walkable.
const BLANKS: [(&str, &str); 2] = [("cut off", "#7fb0d6"), ("no room", "#a3abb8")];

/// Runs the command. Returns false if there are no distances.
pub fn run(args: &DistancesArgs) -> Result<bool> {
    let picture = args.output.as_ref().map(|path| output::extension_of(path, &["svg", "png"])).transpose()?;
    args.output.iter().try_for_each(|path| output::keep_input(&args.input, path))?;
    let mesh = input::load_or_build_mesh(&args.input)?;
    let shapes = args
        .exits
        .iter()
        .filter_map(|exit| if let Exit::Shape(corners) = exit { Some(corners) } else { None });
    shapes.flatten().try_for_each(|corner| check_kind(&mesh, *corner))?;
    let storey = args.storey(&mesh)?;
    if args.spacing.is_some_and(|side| mesh.area() / (side * side) > MOST_TILES) {
        let least = (mesh.area() / MOST_TILES).sqrt();
        return Err(Failure::new(format!(
            "--spacing: too fine for this mesh; it must be at least {least:.3} m"
        )));
    }
    let found = match Distances::of(&mesh, &args.exits, args.radius, args.spacing) {
        Ok(found) => found,
        Err(reason @ NoDistances::UnknownName { .. }) => {
            return Err(Failure::new(format!("--to: {reason}")).in_file(&args.input));
        }
        Err(reason) => return refuse(args, &reason),
    };
    if let (Some(path), Some(extension)) = (&args.output, picture) {
        let svg = draw(args, &mesh, &found, storey);
        let bytes = if extension == "png" { png::of_svg(&svg)? } else { svg.into_bytes() };
        output::write_file(path, &bytes)?;
    }
    print(args, &found)?;
    Ok(true)
}

/// Tells why there are no distances.
fn refuse(args: &DistancesArgs, reason: &NoDistances) -> Result<bool> {
    if args.json {
        let word = if matches!(reason, NoDistances::TooClose { .. }) { "too_close" } else { "off_mesh" };
        output::print_json(&json!({ "reason": word, "message": reason.to_string(), "all": null }))?;
    } else {
        output::print(&format!("no distances: {reason}\n"))?;
    }
    Ok(false)
}

/// Prints the figures.
fn print(args: &DistancesArgs, found: &Distances) -> Result<()> {
    let output_name = args.output.as_ref().map(|path| path.display().to_string());
    if args.json {
        let mut value = serde_json::to_value(&found.report).unwrap_or_default();
        if let Value::Object(members) = &mut value {
            members.insert("input".into(), args.input.display().to_string().into());
            members.insert("output".into(), json!(output_name));
        }
        return output::print_json(&value);
    }
    let drew = output_name.map(|name| format!("drew {name}\n")).unwrap_or_default();
    output::print(&(found.report.text(&args.input.display().to_string()) + &drew))
}

/// Draws the heat map, with the way from the farthest place.
fn draw(args: &DistancesArgs, mesh: &NavMesh, found: &Distances, storey: Option<usize>) -> String {
    let tile = |measured: &MeasuredTile| HeatTile {
        cell: measured.tile.cell,
        centre: (measured.tile.centre, measured.centre),
        corners: measured.tile.outline.iter().copied().zip(measured.corners.iter().copied()).collect(),
        blank: usize::from(!measured.has_room),
    };
    let heat = HeatMap::new("distance", found.tiles.iter().map(tile).collect()).blanks(&BLANKS);
    let name = input::file_name(&args.input);
    let exits = found.report.exits.join(", ");
    let options = SketchOptions::default()
        .width(args.width)
        .layer(storey.map(Layer::Storey))
        .title(Some(format!("{name}: walking distance to {exits}")));
    let paths: Vec<_> = found.path.iter().cloned().collect();
    Sketch::draw(mesh, Over { paths: &paths, heat: Some(&heat), ..Over::default() }, &options)
}
