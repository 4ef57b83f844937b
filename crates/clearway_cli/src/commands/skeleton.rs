//! `clearway skeleton`: the roads of greatest clearance of a mesh, audited, and the widest way between two places.

mod ways;

use super::path;
use crate::args::{Point, SkeletonArgs};
use crate::failure::Result;
use crate::report::{Table, measure, short_point};
use crate::{input, output, png};
use clearway::answer::{Manner, Question, Refusal, check_kind};
use clearway::links::SnapRules;
use clearway::mesh::CellId;
use clearway::skeleton::{Audit, Counters, Edge, Floors, Skeleton};
use clearway::{Layer, LinkUse, Location, NavMesh, Overlay, PathQuery, Sketch, SketchOptions, Trace};
use serde::Serialize;

/// The number of halvings that find where a road leaves a cell: a thousandth of a piece of a road.
const HALVINGS: u32 = 10;

/// The colour of roads: darker than the pastels of cells, and apart from the blue of portals.
const ROAD: &str = "#be185d";

/// Runs the command. Returns false if the audit found something, or if there is no way.
pub fn run(args: &SkeletonArgs) -> Result<bool> {
    let picture = args.output.as_ref().map(|path| output::extension_of(path, &["svg", "png"])).transpose()?;
    args.output.iter().try_for_each(|path| output::keep_input(&args.input, path))?;
    let mesh = input::load_or_build_mesh(&args.input)?;
    args.zoom.at.map_or(Ok(()), |at| check_kind(&mesh, at))?;
    let ends = match (&args.from, &args.to) {
        (Some(from), Some(to)) => Some(path::points(&args.input, &mesh, [from, to], args.radius)?),
        _ => None,
    };
    let places = match ends.map(|ends| locate(&mesh, ends, args.radius)).transpose() {
        Ok(places) => places,
        Err(refusal) => return refuse(args, &refusal),
    };
    let skeleton = Skeleton::build(&mesh)?;
    let mut answer = Answer::of(&mesh, &skeleton, args.input.display().to_string());
    if let Some((ends, places)) = ends.zip(places) {
        answer.widest = Some(Widest::of(&mesh, &skeleton, ends, places));
        answer.ways = ways::all(&mesh, places, args.radius)?;
    }
    if let (Some(path), Some(extension)) = (&args.output, picture) {
        let svg = draw(&mesh, &skeleton, &answer.ways, args)?;
        let bytes = if extension == "png" { png::of_svg(&svg)? } else { svg.into_bytes() };
        output::write_file(path, &bytes)?;
        answer.output = Some(path.display().to_string());
    }
    if args.json {
        output::print_json(&answer)?
    } else {
        output::print(&answer.text())?
    }
    let has_way = answer.widest.as_ref().is_none_or(|widest| widest.radius.is_some());
    Ok(answer.is_clean && has_way)
}

/// The answer. Lengths are in metres.
#[derive(Debug, Serialize)]
struct Answer {
    /// The mesh.
    input: String,
    /// The picture.
    output: Option<String>,
    /// The walls of the mesh.
    walls: usize,
    /// The Voronoi vertices on walkable ground.
    vertices: usize,
    /// The places of these, each counted once however many walls its disc touches.
    nodes: usize,
    /// The Voronoi edges between them: those that have a length.
    roads: usize,
    /// The sum of their lengths.
    road_length: f64,
    /// The parts into which a mesh in layers was cut, and the portals between them.
    sheets: usize,
    connections: usize,
    /// The largest empty circle.
    roomiest: Option<Room>,
    /// True if the audit found nothing.
    is_clean: bool,
    /// The audit of the whole diagram.
    audit: AuditAnswer,
    /// The widest way between two places.
    widest: Option<Widest>,
    /// The way of each planner between the two places.
    ways: Vec<ways::Way>,
}

/// A place with room.
#[derive(Debug, Serialize)]
struct Room {
    /// The place.
    at: Point,
    /// The distance of the nearest wall.
    radius: f64,
}

/// The audit and the counters of the build, for programs.
#[derive(Debug, Serialize)]
struct AuditAnswer {
    discs: usize,
    topology_errors: usize,
    intruded_discs: usize,
    loose_discs: usize,
    /// The deepest intrusion in metres.
    deepest: f64,
    /// Tests of a site against a disc.
    tests: u64,
    /// Tests that plain floats could not decide.
    unsure: u64,
    ties: u64,
    /// Sites that were taken out: portals between sheets are.
    removals: u64,
    /// Faces that removal was not sure of.
    weak_faces: u64,
    /// Insertions that found no place.
    refused: u64,
    /// Diagrams that the safety net built anew, and their share of the removals.
    rebuilds: u64,
    rebuild_rate: f64,
}

impl AuditAnswer {
    /// Puts an audit and counters together.
    fn of(audit: &Audit, counters: &Counters, unit: f64) -> AuditAnswer {
        AuditAnswer {
            discs: audit.vertices,
            topology_errors: audit.topology_errors,
            intruded_discs: audit.intruded_discs,
            loose_discs: audit.loose_discs,
            deepest: audit.deepest * unit,
            tests: counters.tests,
            unsure: counters.unsure,
            ties: counters.ties,
            removals: counters.removals,
            weak_faces: counters.weak_ears,
            refused: counters.refused,
            rebuilds: counters.rebuilds,
            rebuild_rate: counters.rebuilds as f64 / counters.removals.max(1) as f64,
        }
    }
}

impl Answer {
    /// Describes a skeleton.
    fn of(mesh: &NavMesh, skeleton: &Skeleton, input: String) -> Answer {
        let unit = skeleton.unit();
        let lengths: Vec<f64> = skeleton.roads().map(|(_, road)| road.length() * unit).collect();
        let network = skeleton.network();
        let room = skeleton.vertices().max_by(|a, b| a.1.radius.total_cmp(&b.1.radius));
        let floors = skeleton.floors(mesh);
        let audit = skeleton.audit(mesh);
        Answer {
            input,
            output: None,
            walls: mesh.wall_count(),
            vertices: skeleton.vertices().count(),
            nodes: network.nodes.len(),
            roads: network.edges.len(),
            road_length: lengths.iter().sum(),
            roomiest: room.map(|(id, vertex)| Room {
                at: point_on(mesh, floors.cell(id), skeleton.place(vertex.at)),
                radius: vertex.radius * unit,
            }),
            sheets: skeleton.sheet_count(),
            connections: skeleton.connection_count(),
            is_clean: audit.is_clean(),
            audit: AuditAnswer::of(&audit, &skeleton.diagram().counters(), unit),
            widest: None,
            ways: Vec::new(),
        }
    }

    /// Returns the answer in words.
    fn text(&self) -> String {
        let mut table = Table::default();
        table.row("walls", self.walls, "");
        if self.sheets > 1 {
            table.row("sheets", self.sheets, format!("sewn together at {} portals", self.connections));
        }
        table.row("vertices", self.vertices, format!("in {} places with three nearest walls", self.nodes));
        let length = format!("{} m of greatest clearance", measure(self.road_length));
        table.row("roads", self.roads, length);
        if let Some(room) = &self.roomiest {
            table.row(
                "most room",
                measure(room.radius),
                format!("m to the nearest wall, at {}", short_point(room.at)),
            );
        }
        let audit = &self.audit;
        let ties = format!("tests, {} not sure by floats, {} ties", audit.unsure, audit.ties);
        table.row("decisions", audit.tests, ties);
        let found = if self.is_clean {
            "discs, all empty, all touch their walls, topology sound".to_string()
        } else {
            format!(
                "discs, {} intruded (deepest {:.1e} m), {} loose, {} errors of topology",
                audit.intruded_discs, audit.deepest, audit.loose_discs, audit.topology_errors
            )
        };
        table.row("audit", audit.discs, found);
        ways::rows(&self.ways, &mut table);
        let widest = self.widest.as_ref().map_or_else(String::new, Widest::text);
        let output = self.output.as_ref().map_or_else(String::new, |path| format!("drew {path}\n"));
        format!("{}: the skeleton\n{}{widest}{output}", self.input, table.text())
    }
}

/// The widest way between two places.
#[derive(Debug, Serialize)]
struct Widest {
    from: Point,
    to: Point,
    /// The radius of the largest body that gets there; null if nobody does.
    radius: Option<f64>,
    /// Where it just fits.
    bottleneck: Option<Point>,
}

impl Widest {
    /// Asks for the widest way between two points and their places on the mesh.
    fn of(mesh: &NavMesh, skeleton: &Skeleton, [from, to]: [Point; 2], ends: [Location; 2]) -> Widest {
        let Some(way) = skeleton.widest_between(mesh, ends[0], ends[1]) else {
            let touching =
                touching_end(mesh, ends).map(|end| point_on(mesh, Some(end.cell()), end.position()));
            return Widest { from, to, radius: touching.map(|_| 0.0), bottleneck: touching };
        };
        let is_here = |end: &&Location| end.position() == way.at;
        let place = skeleton.bottleneck(mesh, &skeleton.floors(mesh), &way);
        let cell = place.as_ref().or(ends.iter().find(is_here)).map(Location::cell);
        let bottleneck = Some(point_on(mesh, cell, way.at));
        Widest { from, to, radius: Some(way.radius), bottleneck }
    }

    /// Returns the answer in words.
    fn text(&self) -> String {
        match (self.radius, self.bottleneck) {
            (Some(radius), Some(at)) => {
                format!(
                    "A body of radius {} m gets from {} to {}; it just fits at {}.\n",
                    measure(radius),
                    self.from,
                    self.to,
                    short_point(at)
                )
            }
            _ => format!("Nobody gets from {} to {}.\n", self.from, self.to),
        }
    }
}

/// Returns the end of a way that lies on a wall, where no road begins: only a point gets there. `None` if no point does.
fn touching_end(mesh: &NavMesh, ends: [Location; 2]) -> Option<Location> {
    // Roads walk, so links do not count.
    mesh.find_path(&PathQuery::new(ends[0], ends[1]).links(LinkUse::None)).ok()?;
    let clearance = |end: &Location| mesh.clearance(*end).unwrap_or(0.0);
    ends.into_iter().min_by(|a, b| clearance(a).total_cmp(&clearance(b)))
}

/// Returns the places of two points on the mesh.
fn locate(
    mesh: &NavMesh,
    [from, to]: [Point; 2],
    radius: f64,
) -> std::result::Result<[Location; 2], Refusal> {
    let manner = Manner::shortest(SnapRules::default().radius(radius));
    Question { from, to, manner: &manner }.ends(mesh).map(|ends| ends.map(|end| end.location))
}

/// Tells why there are no places to begin or end at.
fn refuse(args: &SkeletonArgs, refusal: &Refusal) -> Result<bool> {
    if args.json {
        output::print_json(&refusal.json())?;
    } else {
        output::print(&format!("no path: {refusal}\n"))?;
    }
    Ok(false)
}

/// Returns a place of the plan as a point of a scene, on the ground of a cell, or as a point of a plan.
fn point_on(mesh: &NavMesh, cell: Option<CellId>, at: [f64; 2]) -> Point {
    match cell {
        Some(cell) if mesh.has_heights() => Point::Space(mesh.place(Location::in_cell(cell, at))),
        _ => Point::Plan(at),
    }
}

/// Draws the roads over the mesh, and the ways over the roads.
fn draw(mesh: &NavMesh, skeleton: &Skeleton, ways: &[ways::Way], args: &SkeletonArgs) -> Result<String> {
    let floors = skeleton.floors(mesh);
    let traces = skeleton.roads().flat_map(|(_, road)| traces(mesh, skeleton, &floors, &road)).collect();
    let (name, storey) = (input::file_name(&args.input), args.storey(mesh)?);
    let place = storey.map_or(name.clone(), |storey| format!("{name}, storey {storey}"));
    let options = SketchOptions::default()
        .width(args.width)
        .view(args.view.into())
        .layer(storey.map(Layer::Storey))
        .window(args.window(mesh)?)
        .title(Some(format!("{place}: roads of greatest clearance")));
    let mut overlays = vec![Overlay::new("road", ROAD, traces)];
    overlays.extend(ways::overlays(ways));
    Ok(Sketch::with_overlays(mesh, &[], &overlays, &options))
}

/// Returns the line of a road, cut where it goes from cell to cell.
fn traces(mesh: &NavMesh, skeleton: &Skeleton, floors: &Floors, road: &Edge) -> Vec<Trace> {
    let Some(first) = floors.cell(road.ends[0]) else { return Vec::new() };
    let line = skeleton.line(mesh, first, road);
    if line.is_empty() {
        return Vec::new();
    }
    let mut traces = vec![Trace { points: vec![mesh.place(line[0])], cell: Some(line[0].cell()) }];
    for pair in line.windows(2) {
        let end = mesh.place(pair[1]);
        if pair[0].cell() != pair[1].cell() {
            let border = border(mesh, [pair[0], pair[1]]);
            traces.last_mut().into_iter().for_each(|trace| trace.points.push(border));
            traces.push(Trace { points: vec![border], cell: Some(pair[1].cell()) });
        }
        traces.last_mut().into_iter().for_each(|trace| trace.points.push(end));
    }
    traces
}

/// The place on a straight way at which it leaves its first cell. A picture that does not show the next cell ends the road
/// there.
fn border(mesh: &NavMesh, [from, to]: [Location; 2]) -> [f64; 3] {
    let [a, b] = [from, to].map(|end| end.position());
    let (mut inside, mut beyond) = (0.0, 1.0);
    let mut last = from;
    for _ in 0..HALVINGS {
        let share = 0.5 * (inside + beyond);
        let at = [0, 1].map(|i| a[i] + (b[i] - a[i]) * share);
        match mesh.raycast(from, at, 0.0).filter(|hit| hit.reached() && hit.at.cell() == from.cell()) {
            Some(hit) => (inside, last) = (share, hit.at),
            None => beyond = share,
        }
    }
    mesh.place(last)
}
