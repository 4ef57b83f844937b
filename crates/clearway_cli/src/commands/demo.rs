//! `clearway demo`: makes a world, its mesh and its pictures.

mod house;
mod people;

use crate::args::{DemoArgs, World};
use crate::clock::{StageClock, ms};
use crate::failure::{Failure, Result};
use crate::report::measure;
use crate::{hints, output, png};
use clearway::mesh::Cell;
use clearway::plan::{Plan, PlanPolygon};
use clearway::{BuildReport, MeshOptions, NavMesh, Sketch, SketchOptions};
use clearway_scenes::PlanDrawing;
use serde_json::json;
use std::path::Path;
use std::time::Instant;

/// Runs the command.
pub fn run(args: &DemoArgs) -> Result<bool> {
    if args.output.exists() && !args.output.is_dir() {
        return Err(Failure::new(format!("{}: is a file; --output needs a folder", args.output.display())));
    }
    let demo = match args.world {
        World::Building => house::demo(args)?,
        world => Demo::of_plan(args, world)?,
    };
    demo.write(&args.output)?;
    if args.json {
        output::print_json(&demo.json(&args.output))?
    } else {
        output::print(&demo.story(&args.output))?
    }
    Ok(true)
}

/// A world with everything made from it.
struct Demo {
    /// The name of the world, which begins the names of its files.
    name: &'static str,
    /// A description of what was done.
    tale: String,
    /// The report of the build.
    report: BuildReport,
    /// The duration of the build in milliseconds.
    build_ms: f64,
    /// The files to write.
    files: Vec<DemoFile>,
    /// Commands for the reader to try, without the name of the program.
    commands: Vec<String>,
}

/// A file of the demo.
struct DemoFile {
    /// Its name.
    name: String,
    /// A description of its content.
    what: &'static str,
    /// Its content.
    bytes: Vec<u8>,
}

impl DemoFile {
    fn new(name: impl Into<String>, what: &'static str, bytes: impl Into<Vec<u8>>) -> DemoFile {
        DemoFile { name: name.into(), what, bytes: bytes.into() }
    }
}

/// A walk worth looking at.
struct Walk {
    /// The start.
    from: [f64; 2],
    /// The goal.
    to: [f64; 2],
    /// The radii in metres for which it is worth it.
    radii: &'static [f64],
}

impl Walk {
    /// Returns the walk of a world.
    fn of(world: World, mesh: &NavMesh) -> Option<Walk> {
        match world {
            World::TurnBack => Some(Walk { from: [2.5, 1.5], to: [9.5, 1.5], radii: &[0.25, 1.0] }),
            World::TwoWays => Some(Walk { from: [5.0, 5.0], to: [25.0, 5.0], radii: &[0.25, 1.5] }),
            _ => {
                let [from, to] = far_apart(mesh)?;
                Some(Walk { from, to, radii: &[0.0] })
            }
        }
    }

    /// Returns the commands that find and draw the walk.
    fn commands(&self, nav: &str, picture: &str) -> Vec<String> {
        let ([sx, sy], [gx, gy]) = (self.from, self.to);
        let ask = |radius: &f64| format!("path {nav} --from {sx},{sy} --to {gx},{gy} --radius {radius}");
        let radius = self.radii.last().copied().unwrap_or(0.0);
        let draw = format!("draw {nav} -o {picture} --path {sx},{sy}:{gx},{gy} --radius {radius}");
        self.radii.iter().map(ask).chain([draw]).collect()
    }
}

/// Returns points in two cells of the largest component that are far from each other.
fn far_apart(mesh: &NavMesh) -> Option<[[f64; 2]; 2]> {
    let largest = mesh.cells().max_by(|a, b| a.area().total_cmp(&b.area()))?.component();
    let middle = |cell: Cell<'_>| {
        let sum = cell.outline().fold([0.0; 2], |sum, point| [sum[0] + point[0], sum[1] + point[1]]);
        // The mean of the corners of a convex cell is inside, even when it is rounded to centimetres.
        sum.map(|sum| (100.0 * sum / cell.outline().len() as f64).round() / 100.0)
    };
    let is_inside = |point: &[f64; 2]| mesh.locate(*point).is_ok();
    let roomy = mesh.cells().filter(|cell| cell.component() == largest && cell.area() > 1.0);
    let places: Vec<[f64; 2]> = roomy.map(middle).filter(is_inside).collect();
    let distance = |a: &[f64; 2], b: &[f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
    let furthest = |from: &[f64; 2]| {
        places.iter().max_by(|a, b| distance(a, from).total_cmp(&distance(b, from))).copied()
    };
    let from = furthest(places.first()?)?;
    Some([from, furthest(&from)?])
}

impl Demo {
    /// Makes the demo of a world that is a plan.
    fn of_plan(args: &DemoArgs, world: World) -> Result<Demo> {
        let seeded = |what: &str| format!("{what}, seed {}", args.seed);
        let (name, title, drawing) = match world {
            World::Market => ("market", seeded("Market place"), clearway_scenes::market(args.seed)),
            World::TurnBack => ("turn_back", "Turn back".to_string(), clearway_scenes::turn_back()),
            World::TwoWays => ("two_ways", "Two ways".to_string(), clearway_scenes::two_ways()),
            _ => ("ward", seeded("Hospital ward"), clearway_scenes::hospital_ward(args.seed)),
        };
        let plan = plan_of(&drawing);
        let mut clock = StageClock::start();
        let started = Instant::now();
        let (mesh, report) = MeshOptions::default().build_with_report(&plan, &mut clock)?;
        let build_ms = ms(started.elapsed());
        drop(clock);
        let svg = Sketch::of(&mesh, &SketchOptions::default().title(Some(title.clone())));
        let png = png::of_svg(&svg)?;
        let file = |extension: &str| format!("{name}.{extension}");
        let files = vec![
            DemoFile::new(file("wkt"), "the plan", drawing.to_wkt() + "\n"),
            DemoFile::new(file("nav"), "the mesh", mesh.encode()),
            DemoFile::new(file("svg"), "the picture", svg),
            DemoFile::new(file("png"), "the same picture for viewers without SVG", png),
        ];
        let word = |name: String| hints::path(&args.output.join(name));
        let nav = word(file("nav"));
        let walk = Walk::of(world, &mesh).map(|walk| walk.commands(&nav, &word(format!("{name}_path.png"))));
        let mut commands = walk.unwrap_or_default();
        commands.extend([
            format!("check {nav}"),
            format!("info {nav}"),
            format!("draw {nav} -o {} --labels --width 2400", word(format!("{name}_labels.png"))),
            format!("export {nav} {}", word(file("obj"))),
            format!("build {} --quality best", word(file("wkt"))),
        ]);
        let tale = format!(
            "{title}: a plan of {points} points was drawn, and all {area} m\u{b2} one can walk on were divided\n\
             into {cells} exactly convex cells joined by {portals} portals, in {ms} ms.\n\
             No division into convex cells can have fewer than {bound}.\n",
            points = plan.point_count(),
            area = measure(report.area),
            cells = report.cells,
            portals = report.portals,
            ms = measure(build_ms),
            bound = report.lower_bound,
        );
        Ok(Demo { name, tale, report, build_ms, files, commands })
    }

    /// Writes the files into a folder.
    fn write(&self, folder: &Path) -> Result<()> {
        let files: Vec<_> =
            self.files.iter().map(|file| (folder.join(&file.name), &file.bytes[..])).collect();
        output::write_files_into(folder, &files)
    }

    /// Returns the answer for programs.
    fn json(&self, folder: &Path) -> serde_json::Value {
        let paths = self.files.iter().map(|file| folder.join(&file.name).display().to_string());
        json!({
            "world": self.name,
            "files": paths.collect::<Vec<_>>(),
            "build_ms": self.build_ms,
            "report": self.report,
        })
    }

    /// Returns the answer for people.
    fn story(&self, folder: &Path) -> String {
        let program = hints::program();
        let mut text = format!("{}\n", self.tale);
        for file in &self.files {
            text += &format!("  {}  {}\n", folder.join(&file.name).display(), file.what);
        }
        text += "\nTry next:\n";
        for command in &self.commands {
            text += &format!("  {program} {command}\n");
        }
        text
    }
}

/// Turns a drawing into a plan. The generators depend on nothing, so their drawings are not plans yet.
fn plan_of(drawing: &PlanDrawing) -> Plan {
    let polygon = |(outline, holes): &(Vec<[f64; 2]>, Vec<Vec<[f64; 2]>>)| PlanPolygon {
        outline: outline.clone(),
        holes: holes.clone(),
    };
    Plan {
        polygons: drawing.polygons.iter().map(polygon).collect(),
        rings: drawing.rings.clone(),
        walls: drawing.walls.clone(),
        ..Plan::default()
    }
}
