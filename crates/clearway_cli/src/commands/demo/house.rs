//! The demo of scenes: a house with stairs, its mesh, a way through it, and pictures.

use super::{Demo, DemoFile};
use crate::args::{DemoArgs, Point};
use crate::clock::{StageClock, ms};
use crate::failure::{Failure, Result};
use crate::{hints, png};
use clearway::answer::{Manner, Question, measure};
use clearway::links::SnapRules;
use clearway::{
    Layer, MeshOptions, NavMesh, Path, Scene, Sketch, SketchOptions, View, WalkRules, WalkableSurface,
};
use clearway_scenes::{BuildingOptions, KnownScene, Soup};
use std::time::Instant;

/// The beginning of the names of all files.
const NAME: &str = "building";

/// The radius of the walker in metres: somebody with a bag.
const RADIUS: f64 = 0.25;

/// Makes the demo.
pub fn demo(args: &DemoArgs) -> Result<Demo> {
    let size = BuildingOptions { storeys: usize::from(args.storeys), ..BuildingOptions::default() };
    let house = clearway_scenes::building(size, args.seed);
    // The generators depend on nothing, so their soups are not scenes yet.
    let Soup { vertices, triangles, part_of, parts } = house.soup.clone();
    let scene = Scene::from_triangles(vertices, triangles, part_of, parts)?;
    let mut clock = StageClock::start();
    let started = Instant::now();
    let surface = WalkableSurface::extract_with_progress(&scene, &WalkRules::default(), &mut clock)?;
    let (mesh, report) = MeshOptions::default().build_with_report(&surface, &mut clock)?;
    let build_ms = ms(started.elapsed());
    drop(clock);
    let (from, to) = ends(&house)?;
    let path = walk(&mesh, from, to)?;
    let mut files = files(&house, &mesh, &path, args)?;
    let mut tale = tale(args, &scene, &mesh, &path, build_ms);
    if args.people > 0 {
        let crowd = super::people::leave(&mesh, NAME, args)?;
        tale += &crowd.tale;
        files.extend(crowd.files);
    }
    Ok(Demo { name: NAME, tale, report, build_ms, files, commands: commands(args, from, to) })
}

/// Returns the title of the picture.
fn title(args: &DemoArgs) -> String {
    format!("House of {}, seed {}", storeys(args.storeys), args.seed)
}

/// Returns the number of storeys in words.
pub fn storeys(count: u8) -> String {
    match count {
        1 => "one storey".to_string(),
        3 => "three storeys".to_string(),
        count => format!("{count} storeys"),
    }
}

/// Returns two points of the house that are far from each other: on the lowest floor and on the highest.
fn ends(house: &KnownScene) -> Result<(Point, Point)> {
    let places = house.truth.components.first().map_or(&[][..], |component| &component.places);
    let on_floor = |place: &&[f64; 3]| (place[1] / 3.0).fract() == 0.0;
    let floors: Vec<_> = places.iter().filter(on_floor).map(|place| Point::Space(*place)).collect();
    match floors[..] {
        [_, from, .., to] => Ok((from, to)),
        _ => Err(Failure::new("the house has no floors to walk between")),
    }
}

/// Finds the way between two points of the house.
fn walk(mesh: &NavMesh, from: Point, to: Point) -> Result<Path> {
    let manner = Manner::shortest(SnapRules::default().distance(1.0).radius(RADIUS));
    let answer = Question { from, to, manner: &manner }.ask(mesh, |query| mesh.find_path(query));
    answer.outcome.map_err(|refusal| Failure::new(format!("the demo finds no way: {refusal}")))
}

/// Makes the scene, the mesh and the pictures.
fn files(house: &KnownScene, mesh: &NavMesh, path: &Path, args: &DemoArgs) -> Result<Vec<DemoFile>> {
    let paths = std::slice::from_ref(path);
    let options = |title: String| SketchOptions::default().title(Some(title));
    let title = title(args);
    let iso = Sketch::with_paths(mesh, paths, &options(title.clone()).view(View::Iso));
    let mut files = vec![
        DemoFile::new(format!("{NAME}.obj"), "the scene", house.soup.to_obj()),
        DemoFile::new(format!("{NAME}.nav"), "the mesh", mesh.encode()),
        DemoFile::new(format!("{NAME}.png"), "the mesh and a way through it", png::of_svg(&iso)?),
        DemoFile::new(format!("{NAME}.svg"), "the same picture as SVG", iso),
    ];
    for storey in 0..mesh.storeys().len() {
        let layer = Some(Layer::Storey(storey));
        let options = options(format!("{title}: storey {storey}")).layer(layer);
        let top = Sketch::with_paths(mesh, paths, &options);
        let name = format!("{NAME}_{storey}.png");
        files.push(DemoFile::new(name, "one storey from above", png::of_svg(&top)?));
    }
    Ok(files)
}

/// Describes what was done.
fn tale(args: &DemoArgs, scene: &Scene, mesh: &NavMesh, path: &Path, build_ms: f64) -> String {
    let points: Vec<_> = path.points_in_space(mesh, 0.01);
    let climb: f64 = points.windows(2).map(|pair| (pair[1][1] - pair[0][1]).max(0.0)).sum();
    format!(
        "{title}: of {triangles} triangles all that one can stand on, {area} m\u{b2}, was\n\
         found and divided into {cells} exactly convex cells joined by {portals} portals, in {ms} ms.\n\
         A body of radius {RADIUS} m walks {length} m from the ground floor to the top and climbs {climb} m of stairs.\n",
        title = title(args),
        triangles = scene.triangles.len(),
        area = measure(mesh.area()),
        cells = mesh.cell_count(),
        portals = mesh.portal_count(),
        ms = measure(build_ms),
        length = measure(path.length),
        climb = measure(climb),
    )
}

/// Returns the commands for the reader to try.
fn commands(args: &DemoArgs, from: Point, to: Point) -> Vec<String> {
    let word = |name: &str| hints::path(&args.output.join(format!("{NAME}{name}")));
    let nav = word(".nav");
    let mut commands = vec![
        format!("path {nav} --from {from} --to {to} --radius {RADIUS} --snap 1"),
        format!("draw {nav} -o {} --view iso --path {from}:{to}", word("_path.png")),
        format!("draw {nav} -o {} --layer 1 --labels --width 2400", word("_labels.png")),
        format!("check {nav}"),
        format!("info {nav}"),
        format!("export {nav} {}", word("_mesh.obj")),
        format!("build {} --ignore '*table*' --quality best", word(".obj")),
    ];
    if args.people > 0 {
        commands.push(format!("crowd {nav} {} --seed 2", word("_crowd.toml")));
    }
    commands
}
