//! `clearway build`: the mesh of a scene or a plan, and a report.

mod linking;

use crate::args::BuildArgs;
use crate::clock::{StageClock, ms};
use crate::failure::{Failure, Result};
use crate::input::World;
use crate::report::{BuildAnswer, CoverageAnswer, LinksAnswer, size_text};
use crate::{hints, input, memory, output};
use clearway::answer::{ExampleWalk, odd_plan_unit};
use clearway::surface::likely_unit;
use clearway::{
    BuildReport, Building, Drawn, ErrorKind, NavMesh, Progress, Scene, SurfaceReport, WalkableSurface,
};
use clearway_compare::Columns;
use linking::Linking;
use std::path::Path;
use std::time::Instant;

/// Runs the command. Returns false if nothing is walkable.
pub fn run(args: &BuildArgs) -> Result<bool> {
    if let Some(path) = &args.output {
        output::extension_of(path, &["nav"])?;
    }
    limit_threads(args.threads)?;
    let (mesh, mut answer) = build(args)?;
    if mesh.cell_count() == 0 {
        return nothing_walkable(args, &mut answer);
    }
    let bytes = encoded(args, &mesh, &mut answer)?;
    answer.bytes = bytes.len();
    if let Some(path) = &args.output {
        output::write_file(path, &bytes)?;
    }
    if args.json {
        output::print_json(&answer)?;
    } else {
        output::print(&(answer.text() + &saved_text(args, &mesh, bytes.len())))?;
    }
    Ok(true)
}

/// Returns the bytes of the mesh file, with the path index if that is asked for.
fn encoded(args: &BuildArgs, mesh: &NavMesh, answer: &mut BuildAnswer) -> Result<Vec<u8>> {
    if !args.index {
        return Ok(mesh.encode());
    }
    let mut clock = StageClock::start();
    mesh.prepare_paths_with_progress(&mut clock).map_err(|error| error.in_file(&args.input))?;
    for stage in clock.finish() {
        answer.build_ms += stage.ms;
        answer.stages.push(stage);
    }
    answer.path_index = mesh.path_index();
    answer.peak_memory = memory::peak_bytes();
    Ok(mesh.encode_with_index())
}

/// Reports why nothing is walkable, and writes no file.
fn nothing_walkable(args: &BuildArgs, answer: &mut BuildAnswer) -> Result<bool> {
    answer.output = None;
    if args.json {
        output::print_json(answer)?;
    } else {
        output::print(&answer.text())?;
    }
    let reason = answer.report.surface.as_ref().and_then(SurfaceReport::why_empty);
    let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
    output::complain(&format!(
        "clearway: {}: nothing is walkable, so there is no mesh{reason}\n",
        args.input.display()
    ));
    Ok(false)
}

/// Limits the number of threads of the library, if asked to.
pub fn limit_threads(threads: Option<u16>) -> Result<()> {
    let Some(threads) = threads else { return Ok(()) };
    clearway::set_thread_count(usize::from(threads));
    Ok(())
}

/// Builds the mesh of the input; fails if an option does not fit the kind of input.
fn build(args: &BuildArgs) -> Result<(NavMesh, BuildAnswer)> {
    args.options().validate()?;
    let world = World::known(&args.input)?;
    let other = match world {
        World::Plan => {
            let option = args.scene.given().or_else(|| args.links.given_for_scenes());
            option.map(|option| (option, "scenes", "a plan"))
        }
        World::Building => args.plan.given().map(|option| (option, "plans", "a building")),
        World::Scene => args.plan.given().map(|option| (option, "plans", "a scene")),
    };
    if let Some((option, meant, given)) = other {
        let message = format!("{option} is for {meant} only; {} is {given}", args.input.display());
        return Err(Failure::new(message));
    }
    match world {
        World::Plan => build_plan(args),
        World::Building => build_storeys(args, &Building::load(&args.input)?),
        World::Scene => build_scene(args, || {
            let mut scene = Scene::load_with_options(&args.input, &args.scene.reading())?;
            scene.select(&args.scene.selection()).map_err(|error| error.in_file(&args.input))?;
            Ok(scene)
        }),
    }
}

/// Builds the mesh of a plan.
fn build_plan(args: &BuildArgs) -> Result<(NavMesh, BuildAnswer)> {
    let started = Instant::now();
    let plan = match Building::from_drawing(&args.input, &args.plan_reading())? {
        Drawn::Plan(plan) => plan,
        Drawn::Building(building) => return build_storeys(args, &building),
    };
    let linking = Linking::read(args, None)?;
    let read_ms = ms(started.elapsed());
    let work = |clock: &mut StageClock| args.options().build_with_report(&plan, clock);
    let (mut mesh, mut answer) = Work::start(args).done(read_ms, work)?;
    answer.report.repaired.extend(plan.unit.and_then(|unit| odd_plan_unit(&mesh, unit)));
    linking.link(&mut mesh, None, &mut answer)?;
    Ok((mesh, answer))
}

/// Builds the mesh of a building, with the named places of its plans.
fn build_storeys(args: &BuildArgs, building: &Building) -> Result<(NavMesh, BuildAnswer)> {
    let (mut mesh, answer) =
        build_scene(args, || building.scene().map_err(|error| error.in_file(&args.input).into()))?;
    mesh.set_places(&building.places());
    Ok((mesh, answer))
}

/// Builds the mesh of a scene, and compares it with columns if asked to.
fn build_scene(args: &BuildArgs, read: impl FnOnce() -> Result<Scene>) -> Result<(NavMesh, BuildAnswer)> {
    let walking = args.scene.walking()?;
    let started = Instant::now();
    let linking = Linking::read(args, Some(&walking))?;
    let mut rules = walking.ways(linking.ways());
    // Leaps may lead to what nothing else leads to.
    rules.islands &= !(linking.finds_leaps() && args.scene.keeps_islands_for_leaps());
    let mut scene = read()?;
    if args.scene.guesses_scale() {
        likely_unit(&scene, &rules).map_err(|error| error.in_file(&args.input))?.apply(&mut scene);
    }
    if let Some(step) = args.scene.coverage {
        Columns::check_step(&scene, step).map_err(|error| error.in_file(&args.input))?;
    }
    let read_ms = ms(started.elapsed());
    let (mut mesh, mut answer) = Work::start(args).done(read_ms, |clock| {
        let surface = WalkableSurface::extract_with_progress(&scene, &rules, clock)?;
        args.options().build_with_report(&surface, clock)
    })?;
    if let Some(surface) = &mut answer.report.surface {
        // A warning that the given options already answer would only confuse.
        surface.warnings.retain(|warning| args.scene.can_heed(warning.kind));
    }
    linking.link(&mut mesh, Some(&scene), &mut answer)?;
    if let Some(step) = args.scene.coverage {
        let mut clock = StageClock::start();
        clock.stage("coverage");
        answer.coverage = Some(CoverageAnswer::of(&scene, &rules, &mesh, step)?);
    }
    Ok((mesh, answer))
}

/// A build under way.
struct Work<'a> {
    /// The arguments.
    args: &'a BuildArgs,
    /// The clock of the stages.
    clock: StageClock,
    /// The beginning of the build.
    started: Instant,
}

impl Work<'_> {
    /// Starts the clocks.
    fn start(args: &BuildArgs) -> Work<'_> {
        Work { args, clock: StageClock::start(), started: Instant::now() }
    }

    /// Does the work and measures it.
    fn done(
        mut self,
        read_ms: f64,
        work: impl FnOnce(&mut StageClock) -> clearway::Result<(NavMesh, BuildReport)>,
    ) -> Result<(NavMesh, BuildAnswer)> {
        let built = work(&mut self.clock);
        let build_ms = ms(self.started.elapsed());
        let stages = self.clock.finish();
        let (mesh, report) = built.map_err(|error| match error.kind() {
            ErrorKind::Options => error,
            _ => error.in_file(&self.args.input),
        })?;
        let input = self.args.input.display().to_string();
        let output = self.args.output.as_ref().map(|path| path.display().to_string());
        let peak_memory = memory::peak_bytes();
        let answer = BuildAnswer {
            input,
            output,
            bytes: 0,
            read_ms,
            build_ms,
            stages,
            peak_memory,
            method: report.surface.as_ref().map(|surface| surface.rules.method.into()),
            coverage: None,
            links: LinksAnswer::default(),
            path_index: None,
            report,
        };
        Ok((mesh, answer))
    }
}

/// Returns the line that says where the mesh was saved, or how to save it.
fn saved_text(args: &BuildArgs, mesh: &NavMesh, bytes: usize) -> String {
    if let Some(path) = &args.output {
        let saved = format!("saved {} ({})\n", path.display(), size_text(bytes));
        return saved + &example_text(mesh, path);
    }
    // In the current folder: the folder of the input may not be writable.
    let mesh = Path::new(&input::file_name(&args.input)).with_extension("nav");
    format!("not saved; to save it add: -o {}\n", hints::path(&mesh))
}

/// Returns a command that asks for a path that exists, if one was found.
fn example_text(mesh: &NavMesh, path: &Path) -> String {
    let Some(ExampleWalk { from, to, radius }) = ExampleWalk::on(mesh) else { return String::new() };
    let (program, path) = (hints::program(), hints::path(path));
    format!("try: {program} path {path} --from={from} --to={to} --radius {radius}\n")
}
