//! Pictures of meshes as SVG, for people, for tests and for documents.
//!
//! The text depends only on the mesh and the options. Letters are drawn as strokes, so no font is needed. Numbers are
//! rounded to hundredths of a pixel, so equal meshes give equal bytes everywhere.

mod backdrop;
mod color;
mod course;
mod decks;
mod frame;
mod graticule;
mod heat;
mod hiding;
mod iso;
mod layers;
mod legend;
mod lettering;
mod links;
mod overlay;
mod panels;
mod path;
mod route;
mod scope;
mod ticks;

pub use backdrop::Backdrop;
use backdrop::Edges;
use clearway_nav::mesh::{LinkKind, NavMesh};
use clearway_nav::path::{LinkUse, Path};
use frame::Frame;
pub use heat::{HeatMap, HeatTile};
pub use overlay::{Overlay, Trace};
use overlay::{Parts, Sight};
use path::pixels;
use scope::Scope;
use std::fmt::Write;
use ticks::Ticks;

/// The background.
const PAPER: &str = "#ffffff";
/// Ground that is not walkable.
const SOLID: &str = "#d8dfe8";
/// Titles and labels.
const INK: &str = "#1e293b";
/// Other text.
const PALE_INK: &str = "#64748b";
/// Walls.
const WALL: &str = "#1e293b";
/// Ledges, and edges of which it is not known whether they are walls.
const LEDGE: &str = "#8b97a8";
/// Portals between regions.
const PORTAL: &str = "#2563eb";
/// Portals inside a region.
const INNER_PORTAL: &str = "#60a5fa";
/// Dots at vertices.
const VERTEX: &str = "#0f172a";

/// The groups of cells that share a colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorBy {
    /// Every cell has its own colour.
    Cell,
    /// Cells of a region share a colour. Without relaxation every cell is a region.
    #[default]
    Region,
    /// Cells of a connected component share a colour.
    Component,
    /// Cells of an area class share a colour.
    Area,
}

/// The direction from which a mesh is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// From above, as a plan. Storeys that lie over each other are drawn beside each other
    /// ([`SketchOptions::panels`]).
    #[default]
    Top,
    /// From above and aside, with heights. In scenes of several storeys heights are stretched, so that storeys do not
    /// hide each other.
    Iso,
}

/// The cells that a picture shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Layer {
    /// The cells of one storey, counted from 0; see [`NavMesh::storeys`].
    Storey(usize),
    /// The cells whose mean height lies in this range in metres, the second not included.
    Heights([f64; 2]),
}

/// Options of [`Sketch::of`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SketchOptions {
    /// The groups that share a colour; neighbouring groups differ.
    pub color_by: ColorBy,
    /// Width in pixels, limited to [`SketchOptions::WIDTHS`]. The height follows from the plan.
    pub width: u32,
    /// True if y grows upwards as in plans; false if it grows downwards as in grid maps and on screens.
    pub flip_y: bool,
    /// True to draw the ids of cells where they fit.
    pub labels: bool,
    /// True to draw vertices as dots.
    pub vertices: bool,
    /// The title above the picture.
    pub title: Option<String>,
    /// The direction from which the mesh is seen.
    pub view: View,
    /// The cells that are shown; `None` for all.
    pub layer: Option<Layer>,
    /// The links that are shown.
    pub links: LinkUse,
    /// The part of the plan that is shown, by its lowest and highest corner in plan coordinates (x and -z in a scene);
    /// `None` for all. From aside it is turned, and the box around it is shown.
    pub window: Option<[[f64; 2]; 2]>,
    /// The factor for heights in [`View::Iso`], limited to [`SketchOptions::HEIGHT_SCALES`]. `None` chooses it so that
    /// storeys do not hide each other.
    pub height_scale: Option<f64>,
    /// True to draw storeys that lie over each other in pictures of their own, beside each other, in [`View::Top`].
    /// Otherwise upper floors are drawn over lower ones, which shine through.
    pub panels: bool,
}

clearway_base::setters!(SketchOptions {
    color_by: ColorBy,
    width: u32,
    flip_y: bool,
    labels: bool,
    vertices: bool,
    title: Option<String>,
    view: View,
    layer: Option<Layer>,
    links: LinkUse,
    window: Option<[[f64; 2]; 2]>,
    height_scale: Option<f64>,
    panels: bool,
});

impl SketchOptions {
    /// The least and the greatest width of a picture, in pixels. Below, nothing is legible; above, a tall picture takes
    /// gigabytes as PNG.
    pub const WIDTHS: std::ops::RangeInclusive<u32> = 64..=16384;
    /// The least and the greatest factor for heights.
    pub const HEIGHT_SCALES: std::ops::RangeInclusive<f64> = 0.1..=50.0;

    /// True if links of a kind are shown.
    fn shows(&self, kind: &LinkKind) -> bool {
        self.links.allows(kind)
    }

    /// Returns the factor for heights, limited to its range.
    fn clamped_height_scale(&self) -> Option<f64> {
        let scale = self.height_scale.filter(|scale| !scale.is_nan());
        scale.map(|scale| scale.clamp(*Self::HEIGHT_SCALES.start(), *Self::HEIGHT_SCALES.end()))
    }

    /// Returns the width, limited to its range.
    fn clamped_width(&self) -> u32 {
        self.width.clamp(*Self::WIDTHS.start(), *Self::WIDTHS.end())
    }
}

impl Default for SketchOptions {
    fn default() -> SketchOptions {
        SketchOptions {
            color_by: ColorBy::default(),
            width: 1200,
            flip_y: true,
            labels: false,
            vertices: false,
            title: None,
            view: View::default(),
            layer: None,
            links: LinkUse::All,
            window: None,
            height_scale: None,
            panels: true,
        }
    }
}

/// A picture of a mesh.
#[derive(Clone, Copy, Debug)]
pub struct Sketch;

impl Sketch {
    /// Returns the picture of a mesh as the text of an SVG file.
    ///
    /// ```
    /// use clearway::plan::{Plan, PlanFormat};
    /// use clearway::{MeshOptions, NavMesh, Sketch, SketchOptions};
    /// let plan = Plan::parse(PlanFormat::Wkt, "POLYGON ((0 0, 4 0, 4 3, 2 1, 0 0))")?;
    /// let mesh = MeshOptions::default().build(&plan)?;
    /// let svg = Sketch::of(&mesh, &SketchOptions::default().labels(true));
    /// assert!(svg.starts_with("<svg "));
    /// # Ok::<(), clearway::Error>(())
    /// ```
    pub fn of(mesh: &NavMesh, options: &SketchOptions) -> String {
        Sketch::with_paths(mesh, &[], options)
    }

    /// Returns the picture of a mesh with paths over it. For each path it shows the floor that the body sweeps, the
    /// line of its centre with true arcs, a ring at the start and a dot at the goal. Links that a path takes are dashed
    /// arches. Paths differ in colour.
    pub fn with_paths(mesh: &NavMesh, paths: &[Path], options: &SketchOptions) -> String {
        Sketch::draw(mesh, Over { paths, ..Over::default() }, options)
    }

    /// As [`with_paths`](Sketch::with_paths), with further lines below the paths.
    pub fn with_overlays(
        mesh: &NavMesh,
        paths: &[Path],
        overlays: &[Overlay],
        options: &SketchOptions,
    ) -> String {
        Sketch::draw(mesh, Over { paths, overlays, ..Over::default() }, options)
    }

    /// Returns the picture of a mesh with all that is to be drawn over it.
    pub fn draw(mesh: &NavMesh, over: Over<'_>, options: &SketchOptions) -> String {
        let edges = edges(mesh, over);
        match panels::storeys(mesh, options) {
            Some(storeys) => panels::picture(mesh, over, &edges, storeys, options),
            None => Sketch::one(mesh, over, &edges, options, None).0,
        }
    }

    /// Returns one picture and its height in pixels. `panel` is the number of a panel, which shows the extent of the whole
    /// mesh.
    fn one(
        mesh: &NavMesh,
        over: Over<'_>,
        edges: &Edges,
        options: &SketchOptions,
        panel: Option<usize>,
    ) -> (String, f64) {
        let mut scope = Scope::of(mesh, options);
        if panel.is_some() {
            scope.bounds = mesh.bounds();
        }
        let (frame, drawing) = match options.view {
            View::Top => top(mesh, &scope, over, edges, options),
            View::Iso => iso::picture(mesh, &mut scope, over, edges, options),
        };
        let counts = legend::counts(mesh, &scope, options);
        let mut footer = String::new();
        let mut height = frame.height;
        if !scope.storeys.is_empty() {
            let entries = legend::entries(mesh, &scope, over, edges, options);
            height += legend::footer(&mut footer, &frame, &frame.strokes(mesh), &entries, over.heat).ceil();
        }
        let mut svg = opening(&counts, [frame.width, height], options);
        legend::header(&mut svg, &counts, &frame, options);
        layers::ground(&mut svg, &frame);
        let ticks = (options.view == View::Top && !scope.storeys.is_empty())
            .then(|| Ticks::of(&frame, mesh.has_heights()));
        if let Some(ticks) = &ticks {
            ticks.lines(&mut svg, &frame);
        }
        if scope.storeys.is_empty() {
            notice(&mut svg, mesh, &frame);
        } else {
            // Cells may reach beyond the window, and paths beyond their storey.
            let drawing = if scope.is_whole && options.window.is_none() {
                drawing
            } else {
                layers::clipped(&drawing, &frame, panel.unwrap_or(0))
            };
            svg.push_str(&drawing);
            if let Some(ticks) = &ticks {
                ticks.numbers(&mut svg, &frame);
            }
            svg.push_str(&footer);
        }
        svg.push_str("</g>\n</svg>\n");
        (svg, height)
    }
}

/// What is drawn over a mesh.
#[derive(Clone, Copy, Debug, Default)]
pub struct Over<'a> {
    /// Paths.
    pub paths: &'a [Path],
    /// Lines below them.
    pub overlays: &'a [Overlay],
    /// Values over the ground, in [`View::Top`] only. They take the place of colours and portals.
    pub heat: Option<&'a HeatMap>,
    /// The scene from which the mesh was built. It is drawn faintly beneath, and tells walls from ledges.
    pub backdrop: Option<&'a Backdrop>,
}

/// Finds out what is known of the edges of a mesh.
fn edges(mesh: &NavMesh, over: Over<'_>) -> Edges {
    match over.backdrop {
        _ if !mesh.has_heights() => Edges::Walls,
        Some(backdrop) => backdrop.edges(mesh),
        None => Edges::Unknown,
    }
}

/// Returns the beginning of the file, up to the group that holds everything.
fn opening(counts: &str, size: [f64; 2], options: &SketchOptions) -> String {
    let [width, height] = size.map(pixels);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n"
    );
    // Letters are strokes, so programs that search or read aloud find the words in these two elements.
    if let Some(title) = &options.title {
        let _ = writeln!(svg, "<title>{}</title>", escaped(title));
    }
    let _ = writeln!(svg, "<desc>{}</desc>", escaped(counts));
    let _ = writeln!(svg, "<rect width=\"{width}\" height=\"{height}\" fill=\"{PAPER}\"/>");
    svg.push_str("<g stroke-linecap=\"round\" stroke-linejoin=\"round\">\n");
    svg
}

/// The opacity of floors that lie over others: enough to see them, and what is beneath.
const UPPER: &str = ".62";

/// Draws the mesh as a plan, deck over deck.
fn top(
    mesh: &NavMesh,
    scope: &Scope,
    over: Over<'_>,
    edges: &Edges,
    options: &SketchOptions,
) -> (Frame, String) {
    let frame = Frame::of(scope.bounds, options);
    let (mut svg, strokes) = (String::new(), frame.strokes(mesh));
    let colors = color::cell_colors(mesh, options.color_by);
    if let Some(backdrop) = over.backdrop {
        backdrop.draw(&mut svg, &frame, scope.standing_heights(mesh));
    }
    let shown: Vec<bool> = (0..mesh.cell_slots() as u32).map(|cell| scope.shows(cell)).collect();
    for (number, deck) in decks::decks(mesh, &shown).iter().enumerate() {
        if number > 0 {
            let _ = writeln!(svg, "<g opacity=\"{UPPER}\">");
        }
        layers::cells(&mut svg, mesh, &frame, &colors, deck);
        match over.heat {
            Some(heat) => heat.draw(&mut svg, deck, &frame),
            None => layers::portals(&mut svg, mesh, &frame, &strokes, deck),
        }
        layers::walls(&mut svg, mesh, &frame, &strokes, (deck, edges));
        if options.vertices {
            layers::vertices(&mut svg, mesh, &frame, &strokes, deck);
        }
        if options.labels {
            layers::labels(&mut svg, mesh, &frame, deck);
        }
        if number > 0 {
            svg.push_str("</g>\n");
        }
    }
    for link in links::shown(mesh, scope, options) {
        let [from, to] = link.ends.map(|end| mesh.end_in_space(&end));
        links::draw(&mut svg, &frame, link, &links::arch_from_above(&frame, from, to));
    }
    let sight = Above { mesh, scope, frame: &frame };
    over.overlays.iter().for_each(|overlay| overlay.draw(&mut svg, (mesh, scope), &frame, &sight));
    route::paths(&mut svg, mesh, scope, over.paths, &frame);
    (frame, svg)
}

/// The view from above.
struct Above<'a> {
    mesh: &'a NavMesh,
    scope: &'a Scope,
    frame: &'a Frame,
}

impl Sight for Above<'_> {
    fn see(&self, [x, _, z]: [f64; 3]) -> [f64; 2] {
        self.frame.place([x, -z])
    }

    fn cut(&self, points: &[[f64; 3]]) -> Parts {
        if !self.mesh.has_heights() {
            return vec![(false, points.to_vec())];
        }
        course::parts_by_cover(self.mesh, self.scope, points)
    }

    fn arch(&self, [from, to]: [[f64; 3]; 2]) -> links::Arch {
        links::arch_from_above(self.frame, from, to)
    }

    fn tolerance(&self) -> f64 {
        route::FINE / self.frame.scale
    }
}

/// Draws the message of a picture without cells.
fn notice(svg: &mut String, mesh: &NavMesh, frame: &Frame) {
    let height = 14.0 * frame.ui;
    let room = frame.width - 2.0 * frame.margin;
    let words = if mesh.cell_count() == 0 { "This mesh has no cells." } else { "No cells lie here." };
    let text = lettering::fitted(words, height, room);
    let left = 0.5 * (frame.width - lettering::text_width(&text, height));
    legend::text(svg, &text, [left, 0.5 * frame.height], height, PALE_INK);
}

/// Returns text for XML: special signs are replaced, characters that XML forbids are dropped.
fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => result.push_str("&amp;"),
            '<' => result.push_str("&lt;"),
            '>' => result.push_str("&gt;"),
            '\u{fffe}' | '\u{ffff}' => {}
            _ if character.is_control() => {}
            _ => result.push(character),
        }
    }
    result
}

#[cfg(test)]
mod tests;
