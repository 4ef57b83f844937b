//! Pictures of tiles, and of a walk across them.

use super::walk::Row;
use crate::failure::Result;
use clearway::answer::size_text;
use clearway::tiles::{IndexEntry, TileId, TileIndex, TiledMesh};
use std::fmt::Write;

/// The width of a picture, in pixels.
const WIDTH: f64 = 1000.0;
/// The height of a chart, in pixels.
const CHART: f64 = 220.0;
/// The margin, in pixels.
const MARGIN: f64 = 20.0;
/// The fills of tiles; neighbours differ.
const FILLS: [&str; 4] = ["#cfe3f5", "#f7dcc0", "#d5ecd0", "#eadcf2"];

/// Draws the ground of every tile in the colour of the tile, with its cells and the rectangles of the tiles.
pub fn of_tiles(tiles: &mut TiledMesh) -> Result<String> {
    let map = Map::of(tiles.index());
    let mut svg = map.head(0.0);
    let all: Vec<TileId> = tiles.index().tiles.iter().map(IndexEntry::id).collect();
    tiles.loaded().collect::<Vec<_>>().into_iter().for_each(|tile| {
        tiles.unload(tile);
    });
    for tile in all {
        tiles.load(tile)?;
        let fill = FILLS[(tile.x.rem_euclid(2) + 2 * tile.y.rem_euclid(2)) as usize];
        let _ = write!(svg, "<path fill=\"{fill}\" stroke=\"#8a8f98\" stroke-width=\"0.4\" d=\"");
        for cell in tiles.mesh()?.cells() {
            let places: Vec<String> = cell.outline().map(|at| map.place(at)).collect();
            let _ = write!(svg, "M{}Z", places.join("L"));
        }
        svg.push_str("\"/>\n");
        tiles.unload(tile);
    }
    map.rectangles(&mut svg, tiles.index(), |_| "none");
    svg.push_str("</svg>\n");
    Ok(svg)
}

/// Draws the way over the rectangles of the tiles, and charts of loaded tiles and memory along it.
pub fn of_walk(index: &TileIndex, steps: &[Row]) -> String {
    let map = Map::of(index);
    let mut svg = map.head(2.0 * (CHART + MARGIN));
    map.rectangles(&mut svg, index, |_| "#eef2f6");
    let place = |row: &Row| {
        let [x, _, z] = row.at.in_space();
        map.place([x, -z])
    };
    let places: Vec<String> = steps.iter().map(place).collect();
    let _ = writeln!(
        svg,
        "<path fill=\"none\" stroke=\"#c0392b\" stroke-width=\"3\" d=\"M{}\"/>",
        places.join("L")
    );
    let top = map.height + MARGIN;
    let most = |of: fn(&Row) -> usize| steps.iter().map(of).max().unwrap_or(0);
    let title = format!("loaded tiles over the metres walked, at most {}", most(|row| row.tiles));
    chart(&mut svg, top, steps, "#2b6cb0", &title, |row| row.tiles as f64);
    let bytes = |row: &Row| row.tile_bytes + row.mesh_bytes;
    let title = format!("bytes of tiles and mesh, at most {}", size_text(most(bytes)));
    chart(&mut svg, top + CHART + MARGIN, steps, "#2f855a", &title, |row| bytes(row) as f64);
    svg.push_str("</svg>\n");
    svg
}

/// Draws a quantity over the metres walked. The top of the frame is its greatest value.
fn chart(svg: &mut String, top: f64, steps: &[Row], stroke: &str, title: &str, value: impl Fn(&Row) -> f64) {
    let wide = steps.last().map_or(1.0, |row| row.walked).max(1.0);
    let high = steps.iter().map(&value).fold(1.0, f64::max);
    let inner = WIDTH - 2.0 * MARGIN;
    let _ = writeln!(
        svg,
        "<rect x=\"{MARGIN}\" y=\"{top}\" width=\"{inner}\" height=\"{CHART}\" fill=\"none\" stroke=\"#8a8f98\"/>"
    );
    let mut line = String::new();
    for row in steps {
        let (x, y) = (MARGIN + inner * row.walked / wide, top + CHART * (1.0 - value(row) / high));
        // A step: the quantity stays until the next place.
        let _ = write!(line, "{}{x:.1},{y:.1}", if line.is_empty() { "M" } else { "L" });
    }
    let _ = writeln!(svg, "<path fill=\"none\" stroke=\"{stroke}\" stroke-width=\"2\" d=\"{line}\"/>");
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" font-family=\"sans-serif\" font-size=\"15\" fill=\"#333\">{title}</text>",
        MARGIN + 6.0,
        top + CHART - 8.0
    );
}

/// The plan on the picture.
struct Map {
    /// The low corner of all tiles.
    low: [f64; 2],
    /// The pixels of a metre.
    scale: f64,
    /// The height of the map in pixels, margins included.
    height: f64,
}

impl Map {
    fn of(index: &TileIndex) -> Map {
        let corner = |start: f64, axis: usize, end: usize, pick: fn(f64, f64) -> f64| {
            let boxes = index.tiles.iter().flat_map(|tile| [tile.rectangle, tile.extent]);
            boxes.map(|corners| corners[end][axis]).fold(start, pick)
        };
        let low = [0, 1].map(|axis| corner(f64::INFINITY, axis, 0, f64::min));
        let high = [0, 1].map(|axis| corner(f64::NEG_INFINITY, axis, 1, f64::max));
        let wide = (high[0] - low[0]).max(high[1] - low[1]).max(1e-9);
        let scale = (WIDTH - 2.0 * MARGIN) / wide;
        Map { low, scale, height: scale * (high[1] - low[1]) + 2.0 * MARGIN }
    }

    /// Returns a point of the plan on the picture.
    fn place(&self, at: [f64; 2]) -> String {
        let [x, y] = self.pixels(at);
        format!("{x:.2} {y:.2}")
    }

    fn pixels(&self, at: [f64; 2]) -> [f64; 2] {
        let [x, y] = [0, 1].map(|axis| MARGIN + self.scale * (at[axis] - self.low[axis]));
        [x, self.height - y]
    }

    /// Starts the picture, with room below the map.
    fn head(&self, below: f64) -> String {
        let height = self.height + below;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height:.0}\" viewBox=\"0 0 {WIDTH} {height:.0}\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        )
    }

    /// Draws the rectangles of the tiles.
    fn rectangles(&self, svg: &mut String, index: &TileIndex, fill: impl Fn(&IndexEntry) -> &'static str) {
        for tile in &index.tiles {
            let [[left, bottom], [right, top]] = tile.rectangle.map(|corner| self.pixels(corner));
            let _ = writeln!(
                svg,
                "<rect x=\"{left:.2}\" y=\"{top:.2}\" width=\"{:.2}\" height=\"{:.2}\" fill=\"{}\" stroke=\"#333\" stroke-width=\"1\"/>",
                right - left,
                bottom - top,
                fill(tile)
            );
        }
    }
}
