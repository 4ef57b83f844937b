//! `clearway draw`: draws a picture of a mesh.

use crate::args::{DrawArgs, Point};
use crate::failure::{Failure, Result};
use crate::input::{self, World};
use crate::{output, png};
use clearway::answer::{self, Manner, Question, Refusal, size_text};
use clearway::surface::likely_unit;
use clearway::{Backdrop, NavMesh, Over, Path, Scene, Sketch, WalkRules};
use serde_json::{Value, json};
use std::fmt;
use std::path::PathBuf;

/// Runs the command. Returns false if a path does not exist.
pub fn run(args: &DrawArgs) -> Result<bool> {
    let path = target(args);
    let extension = output::extension_of(&path, &["svg", "png"])?;
    output::keep_input(&args.input, &path)?;
    let mesh = input::load_or_build_mesh(&args.input)?;
    args.zoom.at.map_or(Ok(()), |at| answer::check_kind(&mesh, at))?;
    let options = args.options(&mesh)?;
    let Answers { found, missing, notes } = ask(args, &mesh)?;
    let backdrop = backdrop(args, &mesh)?;
    let over = Over { paths: &found, backdrop: backdrop.as_ref(), ..Over::default() };
    let svg = Sketch::draw(&mesh, over, &options);
    let bytes = if extension == "png" {
        png::of_svg(&svg).map_err(|failure| failure.in_file(&path))?
    } else {
        svg.into_bytes()
    };
    output::write_file(&path, &bytes)?;
    if args.json {
        let (input, output) = (args.input.display().to_string(), path.display().to_string());
        let bytes = bytes.len();
        let told: Vec<Value> = missing.iter().map(Missing::json).collect();
        let drawn =
            json!({ "input": input, "output": output, "bytes": bytes, "missing": told, "notes": notes });
        output::print_json(&drawn)?;
    } else {
        let (size, notes) = (size_text(bytes.len()), answer::note_lines(&notes));
        let lines: String = missing.iter().map(|missing| format!("{missing}\n")).collect();
        output::print(&format!("drew {} ({size})\n{lines}{notes}", path.display()))?;
    }
    Ok(missing.is_empty())
}

/// Reads the scene beneath the mesh: the one asked for, or the input if that is a scene. Fails on a plan.
fn backdrop(args: &DrawArgs, mesh: &NavMesh) -> Result<Option<Backdrop>> {
    if let (Some(option), None) = (args.reading.given(), &args.scene) {
        let message = format!("{option} says how --scene is read; to build with it, use clearway build");
        return Err(Failure::new(message).in_file(&args.input));
    }
    let own = Some(&args.input).filter(|path| World::of(path) == Some(World::Scene));
    let Some(path) = args.scene.as_ref().or(own) else { return Ok(None) };
    if !mesh.has_heights() {
        return Err(Failure::new("--scene: the mesh is that of a plan").in_file(&args.input));
    }
    let reading = &args.reading;
    let mut scene = Scene::load_with_options(path, &reading.options())?;
    scene.select(&reading.selection()).map_err(|error| error.in_file(path))?;
    if reading.guesses_scale() {
        let unit = likely_unit(&scene, &WalkRules::default()).map_err(|error| error.in_file(path))?;
        unit.apply(&mut scene);
    }
    let corner = |index: u32| scene.vertices.get(index as usize).copied().unwrap_or_default();
    Ok(Some(Backdrop::new(scene.triangles.iter().map(|corners| corners.map(corner)).collect())))
}

/// The paths that were asked for.
#[derive(Default)]
struct Answers {
    /// The paths that exist.
    found: Vec<Path>,
    /// The paths that do not exist.
    missing: Vec<Missing>,
    /// Remarks about the ends of paths.
    notes: Vec<String>,
}

/// A path that does not exist.
struct Missing {
    /// Start and goal as given.
    ends: [Point; 2],
    /// The reason.
    refusal: Refusal,
}

impl Missing {
    /// Returns the reason and the ends for programs.
    fn json(&self) -> Value {
        let mut value = self.refusal.json();
        if let Value::Object(members) = &mut value {
            members.insert("ends".into(), json!(self.ends));
        }
        value
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [from, to] = self.ends;
        write!(f, "no path from {from} to {to}: {}", self.refusal)
    }
}

/// Finds the paths to draw.
fn ask(args: &DrawArgs, mesh: &NavMesh) -> Result<Answers> {
    let mut answers = Answers::default();
    if args.paths.is_empty() {
        return Ok(answers);
    }
    let mut planner = args.walker.planner.planner(mesh, &args.walker.options()?)?;
    let manner = Manner::shortest(args.walker.snap(mesh)?);
    args.paths.iter().flatten().try_for_each(|point| answer::check_kind(mesh, *point))?;
    for &ends in &args.paths {
        let [from, to] = ends;
        let answer = Question { from, to, manner: &manner }.ask(mesh, |query| planner.find_path(mesh, query));
        answers.notes.extend(answer.notes);
        match answer.outcome {
            Ok(path) => answers.found.push(path),
            Err(refusal) => answers.missing.push(Missing { ends, refusal }),
        }
    }
    Ok(answers)
}

/// Returns the file to write: beside the input by default. Beside a plan in SVG it is a PNG.
fn target(args: &DrawArgs) -> PathBuf {
    let is_svg = args.input.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"));
    args.output.clone().unwrap_or_else(|| args.input.with_extension(if is_svg { "png" } else { "svg" }))
}
