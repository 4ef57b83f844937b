//! `clearway info`: describes a mesh.

use crate::args::{InfoArgs, Point};
use crate::failure::{Failure, Result};
use crate::report::{
    NarrowAnswer, Table, count_kinds, index_row, kinds_text, measure, short_point, size_text,
};
use crate::{input, output};
use clearway::answer::point_in;
use clearway::mesh::{Fixture, FixtureRole};
use clearway::query::in_world;
use clearway::{Link, LinkKind, MeshPlace, NavMesh, PathIndex};
use serde::Serialize;

/// The number of links listed for people; `--json` lists all.
const MOST_LISTED: usize = 20;

/// Runs the command.
pub fn run(args: &InfoArgs) -> Result<bool> {
    let mesh = input::load_mesh(&args.mesh)?;
    let file = std::fs::metadata(&args.mesh);
    let bytes = file.map_err(|error| Failure::file(&args.mesh, "cannot be read", &error))?.len();
    let mut info = Info::of(&mesh, args.mesh.display().to_string(), bytes);
    info.narrow = args.narrow.map(|widths| NarrowAnswer::all(&mesh, widths)).transpose()?;
    if args.json {
        output::print_json(&info)?
    } else {
        let narrow = info.narrow.as_ref().zip(args.narrow);
        let narrow = narrow.map(|(list, widths)| NarrowAnswer::all_text(list, widths)).unwrap_or_default();
        output::print(&(info.text() + &narrow))?
    }
    Ok(true)
}

/// A cell and its area.
#[derive(Clone, Copy, Debug, Serialize)]
struct CellSize {
    /// The id of the cell.
    cell: u32,
    /// Its area in square metres.
    area: f64,
}

/// The answer. Lengths are in metres, areas in square metres.
#[derive(Debug, Serialize)]
struct Info {
    /// The mesh file.
    input: String,
    /// The size of the file in bytes.
    bytes: u64,
    cells: usize,
    regions: usize,
    portals: usize,
    walls: usize,
    vertices: usize,
    components: usize,
    area: f64,
    portal_length: f64,
    /// The mean number of corners per cell.
    mean_corners: f64,
    largest_cell: Option<CellSize>,
    smallest_cell: Option<CellSize>,
    /// The corners of the box around the mesh.
    bounds: Option<[Point; 2]>,
    /// The size of a grid unit.
    grid: f64,
    /// Figures about the path index; null if the file has none.
    path_index: Option<PathIndex>,
    /// All links.
    links: Vec<LinkInfo>,
    /// The places that a plan names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    places: Vec<PlaceInfo>,
    /// What edits put on the mesh.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixtures: Vec<FixtureInfo>,
    /// The area classes of a plan that has any; those of a scene come with its storeys.
    #[serde(rename = "areas", skip_serializing_if = "Vec::is_empty")]
    plan_areas: Vec<AreaInfo>,
    /// The narrow places, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    narrow: Option<Vec<NarrowAnswer>>,
    #[serde(flatten)]
    /// The properties of meshes of scenes.
    scene: Option<SceneInfo>,
}

/// A link, for people and programs.
#[derive(Debug, Serialize)]
struct LinkInfo {
    /// The id of the link.
    link: usize,
    name: String,
    kind: LinkKind,
    from: Point,
    to: Point,
    /// The cost in metres of walking.
    cost: f64,
    both_ways: bool,
    /// The radius of the largest body that can take it; null for any.
    max_radius: Option<f64>,
}

impl LinkInfo {
    /// Returns all links of a mesh.
    fn all(mesh: &NavMesh) -> Vec<LinkInfo> {
        let info = |(number, link): (usize, Link)| LinkInfo {
            link: number,
            from: point_in(mesh, link.from),
            to: point_in(mesh, link.to),
            cost: link.cost.unwrap_or_else(|| link.length()),
            both_ways: link.both_ways,
            max_radius: link.max_radius,
            name: link.name,
            kind: link.kind,
        };
        mesh.links().enumerate().map(info).collect()
    }

    /// Returns the link as a remark after its cost.
    fn text(&self) -> String {
        let [from, to] = [self.from, self.to].map(short_point);
        let ways = if self.both_ways { "and back" } else { "one way" };
        let radius = self.max_radius.map(|radius| format!(", radius up to {radius} m")).unwrap_or_default();
        format!("m of walking: {} {:?} from {from} to {to}, {ways}{radius}", self.kind, self.name)
    }
}

/// A named place, for people and programs.
#[derive(Debug, Serialize)]
struct PlaceInfo {
    name: String,
    role: String,
    /// Its points, in the coordinates that the mesh takes.
    points: Vec<Point>,
}

impl PlaceInfo {
    /// Returns all named places of a mesh.
    fn all(mesh: &NavMesh) -> Vec<PlaceInfo> {
        let info = |place: &MeshPlace| PlaceInfo {
            name: place.name.clone(),
            role: place.role.clone(),
            points: place.points.iter().map(|at| point_in(mesh, in_world(*at, place.height))).collect(),
        };
        mesh.places().iter().map(info).collect()
    }

    /// Returns the place as a remark.
    fn text(&self) -> String {
        let first = self.points.first().map(|at| short_point(*at)).unwrap_or_default();
        format!("{}:{}, at {first}", self.role, self.name)
    }
}

/// Something that edits put on a mesh, for people and programs.
#[derive(Debug, Serialize)]
struct FixtureInfo {
    /// Its name; empty if it has none.
    name: String,
    /// Its kind: `obstacle`, `open door`, `closed door`, or the area class of the ground.
    kind: String,
}

impl FixtureInfo {
    /// Returns everything that edits put on a mesh.
    fn all(mesh: &NavMesh) -> Vec<FixtureInfo> {
        let info = |fixture: &Fixture| FixtureInfo {
            name: fixture.name.clone(),
            kind: match &fixture.role {
                FixtureRole::Area(class) => format!("area {class}"),
                FixtureRole::Obstacle => "obstacle".to_string(),
                FixtureRole::Door(true) => "open door".to_string(),
                FixtureRole::Door(false) => "closed door".to_string(),
            },
        };
        mesh.fixtures().map(|fixtures| fixtures.list.iter().map(info).collect()).unwrap_or_default()
    }

    /// Returns the fixture as a remark.
    fn text(&self) -> String {
        if self.name.is_empty() { self.kind.clone() } else { format!("{} {:?}", self.kind, self.name) }
    }
}

/// The properties that only meshes of scenes have.
#[derive(Debug, Serialize)]
struct SceneInfo {
    /// The area classes that some cell has.
    areas: Vec<AreaInfo>,
    /// The storeys, lowest first.
    storeys: Vec<Storey>,
}

/// The cells of an area class.
#[derive(Debug, Serialize)]
struct AreaInfo {
    name: String,
    cells: usize,
    area: f64,
}

impl AreaInfo {
    /// Returns the area classes that some cell has.
    fn all(mesh: &NavMesh) -> Vec<AreaInfo> {
        let class = |(number, name): (usize, &String)| {
            let cells = || mesh.cells().filter(|cell| usize::from(cell.area_class()) == number);
            AreaInfo {
                name: name.clone(),
                cells: cells().count(),
                area: cells().map(|cell| cell.area()).sum(),
            }
        };
        mesh.area_names().iter().enumerate().map(class).filter(|area| area.cells > 0).collect()
    }

    /// Adds a row for each class.
    fn rows(list: &[AreaInfo], table: &mut Table) {
        for area in list {
            table.row(&area.name, measure(area.area), format!("m\u{b2}, {} cells", area.cells));
        }
    }
}

/// The cells of a storey, and the heights of its lowest and highest ground.
#[derive(Debug, Serialize)]
struct Storey {
    heights: [f64; 2],
    cells: usize,
    area: f64,
}

impl Storey {
    /// Returns all storeys of a mesh: a cell belongs to the storey in which its mean height lies.
    fn all(mesh: &NavMesh) -> Vec<Storey> {
        let means: Vec<f64> = mesh.cells().map(|cell| mesh.mean_height(cell.id()).unwrap_or(0.0)).collect();
        let storey = |[from, to]: [f64; 2]| {
            let mut storey = Storey { heights: [f64::INFINITY, f64::NEG_INFINITY], cells: 0, area: 0.0 };
            let here = mesh.cells().zip(&means).filter(|(_, mean)| (from..to).contains(*mean));
            for (cell, mean) in here {
                let [low, high] = mesh.height_range(cell.id()).unwrap_or([*mean; 2]);
                storey.heights = [storey.heights[0].min(low), storey.heights[1].max(high)];
                storey.cells += 1;
                storey.area += cell.area();
            }
            storey
        };
        mesh.storeys().into_iter().map(storey).filter(|storey| storey.cells > 0).collect()
    }
}

impl SceneInfo {
    /// Describes the mesh of a scene; `None` for a plan.
    fn of(mesh: &NavMesh) -> Option<SceneInfo> {
        mesh.has_heights().then(|| SceneInfo { areas: AreaInfo::all(mesh), storeys: Storey::all(mesh) })
    }

    /// Adds rows for storeys and area classes.
    fn rows(&self, table: &mut Table) {
        for (number, storey) in self.storeys.iter().enumerate() {
            let [low, high] = storey.heights.map(measure);
            let remark = format!("m\u{b2}, {} cells, ground at heights {low} to {high} m", storey.cells);
            table.row(&format!("storey {number}"), measure(storey.area), remark);
        }
        AreaInfo::rows(&self.areas, table);
    }

    /// Returns the heights of the lowest and the highest ground.
    fn heights(&self) -> [f64; 2] {
        let ends = |[low, high]: [f64; 2], storey: &Storey| {
            [low.min(storey.heights[0]), high.max(storey.heights[1])]
        };
        let first = self.storeys.first().map_or([0.0; 2], |storey| storey.heights);
        self.storeys.iter().fold(first, ends)
    }
}

/// Returns the box around a mesh, in the coordinates that the mesh takes.
fn bounds(mesh: &NavMesh, scene: Option<&SceneInfo>) -> Option<[Point; 2]> {
    let [[left, bottom], [right, top]] = mesh.bounds()?;
    Some(match scene {
        None => [Point::Plan([left, bottom]), Point::Plan([right, top])],
        Some(scene) => {
            let [low, high] = scene.heights();
            // A plan's y is -z.
            [Point::Space([left, low, 0.0 - top]), Point::Space([right, high, 0.0 - bottom])]
        }
    })
}

impl Info {
    /// Describes a mesh.
    fn of(mesh: &NavMesh, input: String, bytes: u64) -> Info {
        let sizes = || mesh.cells().map(|cell| CellSize { cell: cell.id().0, area: cell.area() });
        let corners: usize = mesh.cells().map(|cell| cell.corners().len()).sum();
        let scene = SceneInfo::of(mesh);
        // Of equals the first one; `max_by` would take the last.
        let largest = sizes().reduce(|a, b| if b.area > a.area { b } else { a });
        Info {
            input,
            bytes,
            cells: mesh.cell_count(),
            regions: mesh.region_count(),
            portals: mesh.portal_count(),
            walls: mesh.wall_count(),
            vertices: mesh.vertex_count(),
            components: mesh.component_count(),
            area: mesh.area(),
            portal_length: mesh.portal_length(),
            mean_corners: corners as f64 / mesh.cell_count().max(1) as f64,
            largest_cell: largest,
            smallest_cell: sizes().reduce(|a, b| if b.area < a.area { b } else { a }),
            bounds: bounds(mesh, scene.as_ref()),
            grid: mesh.unit(),
            path_index: mesh.path_index(),
            links: LinkInfo::all(mesh),
            places: PlaceInfo::all(mesh),
            fixtures: FixtureInfo::all(mesh),
            plan_areas: if mesh.has_heights() { Vec::new() } else { AreaInfo::all(mesh) },
            narrow: None,
            scene,
        }
    }

    /// Adds rows for what edits put on the mesh.
    fn fixture_rows(&self, table: &mut Table) {
        if !self.fixtures.is_empty() {
            table.row("fixtures", self.fixtures.len(), "put there by edits; clearway edit takes their names");
        }
        for fixture in self.fixtures.iter().take(MOST_LISTED) {
            table.row("", "", fixture.text());
        }
        let more = self.fixtures.len().saturating_sub(MOST_LISTED);
        if more > 0 {
            table.row("", more, "more; --json lists all");
        }
    }

    /// Returns the description for people.
    fn text(&self) -> String {
        let mut table = Table::default();
        table.row("cells", self.cells, format!("{} corners on average", measure(self.mean_corners)));
        if self.regions < self.cells {
            table.row("regions", self.regions, "");
        }
        table.row("portals", self.portals, format!("{} m in all", measure(self.portal_length)));
        table.row("walls", self.walls, "");
        table.row("vertices", self.vertices, "");
        table.row("components", self.components, "");
        table.row("area", measure(self.area), "m\u{b2}");
        for (name, size) in [("largest cell", self.largest_cell), ("smallest cell", self.smallest_cell)] {
            if let Some(CellSize { cell, area }) = size {
                table.row(name, measure(area), format!("m\u{b2}, cell {cell}"));
            }
        }
        if let Some(scene) = &self.scene {
            scene.rows(&mut table);
        }
        AreaInfo::rows(&self.plan_areas, &mut table);
        table.row("grid", measure(self.grid), "m");
        index_row(self.path_index.as_ref(), &mut table);
        if !self.links.is_empty() {
            let kinds = count_kinds(self.links.iter().map(|link| &link.kind));
            table.row("links", self.links.len(), kinds_text(&kinds));
        }
        for link in self.links.iter().take(MOST_LISTED) {
            table.row("", measure(link.cost), link.text());
        }
        let more = self.links.len().saturating_sub(MOST_LISTED);
        if more > 0 {
            table.row("", more, "more; --json lists all");
        }
        if !self.places.is_empty() {
            table.row("places", self.places.len(), "by role and name; path --to takes them");
        }
        for place in self.places.iter().take(MOST_LISTED) {
            table.row("", "", place.text());
        }
        let more = self.places.len().saturating_sub(MOST_LISTED);
        if more > 0 {
            table.row("", more, "more; --json lists all");
        }
        self.fixture_rows(&mut table);
        let mut text = format!("{} ({})\n{}", self.input, size_text(self.bytes as usize), table.text());
        if let Some(corners) = self.bounds {
            let [low, high] = corners.map(|corner| short_point(corner).replace(',', ", "));
            text += &format!("  from ({low}) to ({high})\n");
        }
        text
    }
}
