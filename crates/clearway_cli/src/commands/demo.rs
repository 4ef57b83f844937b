//! `clearway demo`: a made world, its mesh and its picture.

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
use std::path::{Path, PathBuf};
use std::time::Instant;

pub fn run(args: &DemoArgs) -> Result<bool> {
    if args.out.exists() && !args.out.is_dir() {
        return Err(Failure::new(format!("{}: is a file; --out needs a folder", args.out.display())));
    }
    let demo = Demo::make(args)?;
    demo.write(&args.out)?;
    if args.json {
        output::print_json(&demo.json(&args.out))?
    } else {
        output::print(&demo.story(&args.out))?
    }
    Ok(true)
}

/// A world, named, with everything made of it.
struct Demo {
    name: &'static str,
    title: String,
    point_count: usize,
    report: BuildReport,
    build_ms: f64,
    /// The contents of the files, by extension.
    files: [(&'static str, Vec<u8>); 4],
    walk: Option<Walk>,
}

/// A walk worth looking at: between which places, and for which radii.
struct Walk {
    from: [f64; 2],
    to: [f64; 2],
    radii: &'static [f64],
}

impl Walk {
    fn of(world: World, mesh: &NavMesh) -> Option<Walk> {
        match world {
            World::TurnBack => Some(Walk { from: [2.5, 1.5], to: [9.5, 1.5], radii: &[0.25, 1.0] }),
            World::TwoWays => Some(Walk { from: [5.0, 5.0], to: [25.0, 5.0], radii: &[0.25, 1.5] }),
            World::Ward | World::Market => {
                let [from, to] = far_apart(mesh)?;
                Some(Walk { from, to, radii: &[0.0] })
            }
        }
    }

    fn commands(&self, program: &str, nav: &str, picture: &str) -> String {
        let ([sx, sy], [gx, gy]) = (self.from, self.to);
        let mut text = String::new();
        for radius in self.radii {
            text += &format!("  {program} path {nav} --from {sx},{sy} --to {gx},{gy} --radius {radius}\n");
        }
        let radius = self.radii.last().copied().unwrap_or(0.0);
        text + &format!("  {program} draw {nav} -o {picture} --path {sx},{sy}:{gx},{gy} --radius {radius}\n")
    }
}

/// Places in two cells of the largest component that are far from each other.
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
    fn make(args: &DemoArgs) -> Result<Demo> {
        let seeded = |what: &str| format!("{what}, seed {}", args.seed);
        let (name, title, drawing) = match args.world {
            World::Ward => ("ward", seeded("Hospital ward"), clearway_scenes::hospital_ward(args.seed)),
            World::Market => ("market", seeded("Market place"), clearway_scenes::market(args.seed)),
            World::TurnBack => ("turn_back", "Turn back".to_string(), clearway_scenes::turn_back()),
            World::TwoWays => ("two_ways", "Two ways".to_string(), clearway_scenes::two_ways()),
        };
        let plan = plan_of(&drawing);
        let mut clock = StageClock::start();
        let started = Instant::now();
        let (mesh, report) = NavMesh::build_with_report(&plan, &MeshOptions::default(), &mut clock)?;
        let build_ms = ms(started.elapsed());
        drop(clock);
        let svg =
            Sketch::of(&mesh, &SketchOptions { title: Some(title.clone()), ..SketchOptions::default() });
        let png = png::of_svg(&svg)?;
        let wkt = drawing.to_wkt() + "\n";
        let files =
            [("wkt", wkt.into_bytes()), ("nav", mesh.encode()), ("svg", svg.into_bytes()), ("png", png)];
        let walk = Walk::of(args.world, &mesh);
        Ok(Demo { name, title, point_count: plan.point_count(), report, build_ms, files, walk })
    }

    fn write(&self, folder: &Path) -> Result<()> {
        let files: Vec<_> =
            self.files.iter().map(|(kind, bytes)| (self.path(folder, kind), &bytes[..])).collect();
        output::write_files_into(folder, &files)
    }

    fn path(&self, folder: &Path, extension: &str) -> PathBuf {
        folder.join(self.name).with_extension(extension)
    }

    fn json(&self, folder: &Path) -> serde_json::Value {
        let paths = self.files.iter().map(|(kind, _)| self.path(folder, kind).display().to_string());
        json!({
            "world": self.name,
            "files": paths.collect::<Vec<_>>(),
            "build_ms": self.build_ms,
            "report": self.report,
        })
    }

    fn story(&self, folder: &Path) -> String {
        let show = |kind: &str| self.path(folder, kind).display().to_string();
        let word = |kind: &str| hints::path(&self.path(folder, kind));
        let program = hints::program();
        let report = &self.report;
        let obj = hints::path(&self.path(folder, "obj"));
        let [labels, path] =
            ["labels", "path"].map(|what| hints::path(&folder.join(format!("{}_{what}.png", self.name))));
        let walk =
            self.walk.as_ref().map(|walk| walk.commands(&program, &word("nav"), &path)).unwrap_or_default();
        format!(
            "{title}: a plan of {points} points was drawn, and all {area} m\u{b2} one can walk on were divided\n\
             into {cells} exactly convex cells joined by {portals} portals, in {ms} ms.\n\
             No division into convex cells can have fewer than {bound}.\n\
             \n\
             \x20 {wkt}  the plan\n\
             \x20 {nav}  the mesh\n\
             \x20 {svg}  the picture\n\
             \x20 {png}  the same picture for viewers without SVG\n\
             \n\
             Try next:\n\
             {walk}\
             \x20 {program} check {nav_word}\n\
             \x20 {program} info {nav_word}\n\
             \x20 {program} draw {nav_word} -o {labels} --labels --width 2400\n\
             \x20 {program} export {nav_word} {obj}\n\
             \x20 {program} build {wkt_word} --quality best\n",
            title = self.title,
            points = self.point_count,
            area = measure(report.area),
            cells = report.cells,
            portals = report.portals,
            ms = measure(self.build_ms),
            bound = report.lower_bound,
            wkt = show("wkt"),
            nav = show("nav"),
            svg = show("svg"),
            png = show("png"),
            nav_word = word("nav"),
            wkt_word = word("wkt"),
        )
    }
}

/// The generators depend on nothing, so their drawings are not plans yet.
fn plan_of(drawing: &PlanDrawing) -> Plan {
    let polygon = |(outline, holes): &(Vec<[f64; 2]>, Vec<Vec<[f64; 2]>>)| PlanPolygon {
        outline: outline.clone(),
        holes: holes.clone(),
    };
    Plan {
        polygons: drawing.polygons.iter().map(polygon).collect(),
        rings: drawing.rings.clone(),
        walls: drawing.walls.clone(),
        notes: Vec::new(),
    }
}
