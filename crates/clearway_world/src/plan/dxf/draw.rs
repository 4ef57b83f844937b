//! Draws the entities of a DXF file: blocks where they are inserted, curves as chords, lengths in metres.

use super::curves::{Arc, Drawn, bulge_points};
use super::entity::{Entity, EntityForm, Insert};
use super::hatch::{Loop, joined};
use super::{Block, Drawing};
use crate::plan::PlanRole;
use crate::plan::chords::{TOLERANCE, coarse_text};
use crate::plan::draft::{Draft, Form, opened};
use crate::plan::nested::polygons;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::file::quoted;
use std::collections::BTreeSet;
use std::f64::consts::FRAC_PI_2;

/// The deepest nesting of blocks. Blocks that contain themselves end here.
const MAX_DEPTH: usize = 32;

/// The greatest number of entities that are drawn, blocks counted as often as they are drawn. Nested blocks multiply,
/// so a small file can ask for endless work; these take a few hundred megabytes.
const MAX_DRAWN: usize = 1 << 22;

/// The least and greatest radius of the swing of a door, in metres.
const SWING: [f64; 2] = [0.5, 1.5];

/// Draws everything into a draft.
pub(super) fn draw(drawing: &Drawing, draft: &mut Draft) -> Result<()> {
    let unit = drawing.unit;
    let mut pen = Pen {
        drawing,
        tolerance: TOLERANCE / unit.unwrap_or(1.0),
        unit: unit.unwrap_or(1.0),
        drawn: 0,
        swings: 0,
        patterns: 0,
        hidden: 0,
        empty: 0,
        flawed: BTreeSet::new(),
        coarse: BTreeSet::new(),
        missing: Vec::new(),
    };
    if unit.is_none() {
        let extent = pen.extent();
        let (guess, name) = guessed_unit(extent, drawing.is_english);
        (pen.unit, pen.tolerance) = (guess, TOLERANCE / guess);
        draft.note("units", |_| {
            format!("the drawing names no unit; its extent of {extent:.1} units is read as {name}; --scale sets another unit")
        });
    }
    draft.unit = pen.unit;
    pen.draw_all(&drawing.entities, Placing::default(), draft)?;
    pen.tell(draft);
    Ok(())
}

/// The unit of a drawing that names none: such that it has the size of a building.
fn guessed_unit(extent: f64, is_english: bool) -> (f64, &'static str) {
    match extent {
        extent if extent <= 600.0 => (1.0, "metres"),
        extent if is_english && extent <= 12_000.0 => (0.0254, "inches"),
        extent if extent <= 2500.0 => (0.01, "centimetres"),
        _ => (0.001, "millimetres"),
    }
}

/// Where the entities of a block are drawn.
#[derive(Clone, Copy)]
struct Placing<'a> {
    /// The images of the two axes, and of the origin.
    map: [[f64; 2]; 3],
    /// The layer of the insert, which entities on layer 0 take.
    layer: Option<&'a str>,
    /// The name of the block.
    block: Option<&'a str>,
    /// The number of inserts around.
    depth: usize,
}

impl Default for Placing<'_> {
    fn default() -> Self {
        Placing { map: [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]], layer: None, block: None, depth: 0 }
    }
}

impl Placing<'_> {
    /// The image of a point.
    fn point(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|k| self.map[0][k] * x + self.map[1][k] * y + self.map[2][k])
    }

    /// The image of a direction.
    fn direction(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|k| self.map[0][k] * x + self.map[1][k] * y)
    }

    /// The map of the other side of the plane.
    fn mirrored(mut self) -> Self {
        self.map[0] = self.map[0].map(|value| -value);
        self
    }

    /// The factor by which lengths grow at most.
    fn growth(&self) -> f64 {
        let [x, y] = [self.map[0], self.map[1]].map(|axis| axis[0].hypot(axis[1]));
        x.max(y)
    }
}

/// Draws entities.
struct Pen<'a> {
    /// The content of the file.
    drawing: &'a Drawing,
    /// The length of the unit in metres.
    unit: f64,
    /// The distance between curves and chords, in units of the drawing.
    tolerance: f64,
    /// The number of entities drawn so far.
    drawn: usize,
    /// The number of arcs that were taken for the swings of doors.
    swings: usize,
    /// The number of hatches that fill neither walls nor obstacles.
    patterns: usize,
    /// The number of entities on hidden layers.
    hidden: usize,
    /// The number of entities and boundaries of hatches that span no line or area.
    empty: usize,
    /// The lines of the entities whose flaws were told: blocks draw them again and again.
    flawed: BTreeSet<usize>,
    /// The lines of the entities whose coarse chords were told.
    coarse: BTreeSet<usize>,
    /// Blocks that are not in the file.
    missing: Vec<String>,
}

impl<'a> Pen<'a> {
    /// The larger side of the box around what is drawn on its own, without blocks.
    fn extent(&self) -> f64 {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        let blocks = self.drawing.blocks.values().flat_map(|block| &block.entities);
        let entities: Box<dyn Iterator<Item = &Entity>> = match self.drawing.entities.iter().all(is_insert) {
            true => Box::new(self.drawing.entities.iter().chain(blocks)),
            false => Box::new(self.drawing.entities.iter()),
        };
        for point in entities.flat_map(|entity| outline_points(&entity.form)) {
            for axis in 0..2 {
                low[axis] = low[axis].min(point[axis]);
                high[axis] = high[axis].max(point[axis]);
            }
        }
        (high[0] - low[0]).max(high[1] - low[1]).max(0.0)
    }

    /// Draws the entities of the drawing or of a block.
    fn draw_all(&mut self, entities: &'a [Entity], placing: Placing<'a>, draft: &mut Draft) -> Result<()> {
        for entity in entities {
            self.drawn += 1;
            if self.drawn > MAX_DRAWN {
                let message = format!("blocks draw more than {MAX_DRAWN} entities, the limit");
                return Err(Error::new(ErrorKind::TooLarge, message));
            }
            let layer = match placing.layer {
                Some(outer) if entity.layer == "0" => outer,
                _ => entity.layer.as_str(),
            };
            if self.drawing.layers.get(layer).is_some_and(|layer| layer.is_hidden) {
                self.hidden += 1;
                continue;
            }
            let placing = if entity.is_mirrored { placing.mirrored() } else { placing };
            let off = match &entity.form {
                EntityForm::Insert(insert) => {
                    self.insert(insert, layer, placing, draft)?;
                    0.0
                }
                EntityForm::Hatch(loops) => self.hatch(loops, layer, placing, draft)?,
                form => self.shape(form, layer, placing, draft)?,
            };
            self.tell_of(entity, layer, off * self.unit, draft);
        }
        Ok(())
    }

    /// Draws a block, in all rows and columns.
    fn insert(
        &mut self,
        insert: &'a Insert,
        layer: &'a str,
        placing: Placing<'a>,
        draft: &mut Draft,
    ) -> Result<()> {
        let Some(block) = self.drawing.blocks.get(&insert.block.to_uppercase()) else {
            self.missing.push(insert.block.clone());
            return Ok(());
        };
        if let Some(file) = &block.outside {
            self.missing.push(file.clone());
            return Ok(());
        }
        if placing.depth >= MAX_DEPTH {
            let message = format!(
                "block {}: blocks are nested deeper than {MAX_DEPTH}, the limit",
                quoted(&insert.block)
            );
            return Err(Error::new(ErrorKind::TooLarge, message));
        }
        for row in 0..insert.counts[1] {
            for column in 0..insert.counts[0] {
                let offset = [column as f64 * insert.steps[0], row as f64 * insert.steps[1]];
                let placed = placed(insert, block, offset, placing);
                let (depth, name) = (placing.depth + 1, Some(insert.block.as_str()));
                // An array of an empty block is work as well.
                self.drawn += 1;
                self.draw_all(
                    &block.entities,
                    Placing { map: placed, layer: Some(layer), block: name, depth },
                    draft,
                )?;
            }
        }
        Ok(())
    }

    /// Draws a line, a curve or an area. Returns how far chords lie off beyond the tolerance.
    fn shape(
        &mut self,
        form: &EntityForm,
        layer: &str,
        placing: Placing<'_>,
        draft: &mut Draft,
    ) -> Result<f64> {
        self.enter_part(form, layer, placing, draft);
        let (Drawn { points, off }, is_closed) = self.points(form, placing);
        let line = checked(points, layer, draft)?;
        let is_closed = is_closed || line.len() > 3 && line.first() == line.last();
        self.empty += usize::from(!add(line, is_closed, draft));
        Ok(off)
    }

    /// The points of a line, a curve or an area, and whether it is closed.
    fn points(&self, form: &EntityForm, placing: Placing<'_>) -> (Drawn, bool) {
        let (growth, straight) = (placing.growth(), |points| Drawn { points, off: 0.0 });
        let tolerance = self.tolerance / growth.max(f64::MIN_POSITIVE);
        let placed = |Drawn { points, off }: Drawn| Drawn {
            points: points.into_iter().map(|point| placing.point(point)).collect(),
            off: off * growth,
        };
        match form {
            EntityForm::Polyline { corners, is_closed } => {
                (placed(polyline(corners, *is_closed, tolerance)), *is_closed)
            }
            EntityForm::Arc(arc) => {
                let arc = Arc {
                    centre: placing.point(arc.centre),
                    axis: placing.direction(arc.axis),
                    other: placing.direction(arc.other),
                    ..*arc
                };
                (arc.points(self.tolerance), arc.is_closed())
            }
            EntityForm::Spline { spline, is_closed } => (placed(spline.points(tolerance)), *is_closed),
            EntityForm::Area(corners) => (placed(straight(corners.clone())), true),
            EntityForm::Insert(_) | EntityForm::Hatch(_) => (Drawn::default(), false),
        }
    }

    /// Draws a hatch: solid on layers of walls and obstacles, else a pattern that only `--role` takes in. Returns how
    /// far chords lie off beyond the tolerance.
    fn hatch(&mut self, loops: &[Loop], layer: &str, placing: Placing<'_>, draft: &mut Draft) -> Result<f64> {
        let name = placing.block.map_or(layer.to_string(), |block| format!("{layer}/{block}"));
        let is_solid = matches!(PlanRole::guess(&name), Some(PlanRole::Wall | PlanRole::Obstacle));
        self.patterns += usize::from(!is_solid);
        let role = if is_solid { PlanRole::Obstacle } else { PlanRole::Ignore };
        draft.enter_part(&format!("{name}/filled"), Some(role));
        let (mut rings, mut worst) = (Vec::new(), 0.0_f64);
        for pieces in loops {
            let drawn: Vec<Drawn> = pieces.iter().map(|piece| self.points(piece, placing).0).collect();
            worst = drawn.iter().map(|drawn| drawn.off).fold(worst, f64::max);
            let pieces = drawn.into_iter().map(|drawn| drawn.points).collect();
            let ring = opened(checked(joined(pieces), layer, draft)?);
            self.empty += usize::from(ring.len() < 3);
            rings.extend(Some(ring).filter(|ring| ring.len() >= 3));
        }
        polygons(rings)?.into_iter().for_each(|polygon| draft.add(Form::Polygon(polygon)));
        Ok(worst)
    }

    /// Starts the part of a shape: its layer and its block. The swing of a door is a part of its own.
    fn enter_part(&mut self, form: &EntityForm, layer: &str, placing: Placing<'_>, draft: &mut Draft) {
        let name = placing.block.map_or(layer.to_string(), |block| format!("{layer}/{block}"));
        let is_other = || PlanRole::guess(&name).is_some_and(|role| role != PlanRole::Wall);
        if self.is_swing(form, placing) && !is_other() {
            self.swings += 1;
            draft.enter_part(&format!("{name}/door swing"), Some(PlanRole::Door));
            return;
        }
        draft.enter_part(&name, None);
    }

    /// True if an arc is a quarter turn of the size of a door.
    fn is_swing(&self, form: &EntityForm, placing: Placing<'_>) -> bool {
        let EntityForm::Arc(arc) = form else { return false };
        let axis = placing.direction(arc.axis);
        let radius = axis[0].hypot(axis[1]) * self.unit;
        let is_quarter = (arc.sweep.abs() - FRAC_PI_2).abs() < 0.2;
        is_quarter && (SWING[0]..=SWING[1]).contains(&radius)
    }

    /// Notes what is wrong with an entity, once for each. `off` tells how far its chords lie off, in metres.
    fn tell_of(&mut self, entity: &Entity, layer: &str, off: f64, draft: &mut Draft) {
        if let Some(flaw) = entity.flaw.as_ref().filter(|_| self.flawed.insert(entity.at)) {
            draft.note("damaged entities", |_| format!("layer {}: {flaw}", quoted(layer)));
        }
        if off > 0.0 && self.coarse.insert(entity.at) {
            draft.note("coarse curves", |_| {
                let text = coarse_text(off);
                format!("layer {}: a curve at line {} is large: {text}", quoted(layer), entity.at)
            });
        }
    }

    /// Notes what was left out.
    fn tell(&self, draft: &mut Draft) {
        let hidden = self.hidden + self.drawing.hidden;
        if hidden > 0 {
            draft.note("hidden", |_| {
                format!(
                    "{hidden} entities on layers that are off or frozen, or in paper space, were left out"
                )
            });
        }
        if self.empty > 0 {
            let empty = self.empty;
            draft.note("empty entities", |_| {
                format!("{empty} entities or boundaries of hatches that span no line or area were left out")
            });
        }
        if self.swings > 0 {
            let swings = self.swings;
            draft.note("swings", |_| {
                format!(
                    "{swings} quarter circles of the size of doors were taken for their swings and left out"
                )
            });
        }
        if self.patterns > 0 {
            let patterns = self.patterns;
            draft.note("patterns", |_| {
                format!(
                    "{patterns} hatches on layers of neither walls nor obstacles were taken for patterns and left out; \
                     --role obstacle=filled makes them solid"
                )
            });
        }
        if !self.drawing.left_out.is_empty() {
            let kinds: Vec<String> = self
                .drawing
                .left_out
                .iter()
                .take(12)
                .map(|(kind, count)| format!("{count} {}", quoted(kind)))
                .collect();
            draft.note("kinds", |_| {
                format!(
                    "entities that draw no walls, or lack a point or radius, were left out: {}",
                    kinds.join(", ")
                )
            });
        }
        for name in &self.missing {
            draft.note("blocks that are not in the file", |_| {
                format!("{} is not in the file and was left out", quoted(name))
            });
        }
    }
}

/// Checks points, and drops those that repeat the one before.
fn checked(points: Vec<[f64; 2]>, layer: &str, draft: &mut Draft) -> Result<Vec<[f64; 2]>> {
    let mut line: Vec<[f64; 2]> = Vec::with_capacity(points.len());
    for point in points {
        if line.last() != Some(&point) {
            draft
                .push_point(&mut line, point)
                .map_err(|error| Error::new(error.kind(), format!("layer {}: {error}", quoted(layer))))?;
        }
    }
    Ok(line)
}

/// Adds a line or a ring to the draft. Points and what collapsed to one are nothing: then it returns false.
fn add(mut line: Vec<[f64; 2]>, is_closed: bool, draft: &mut Draft) -> bool {
    while is_closed && line.len() > 1 && line.first() == line.last() {
        line.pop();
    }
    match line.len() {
        0 | 1 => return false,
        2 => draft.add_wall(line),
        _ if is_closed => draft.add_ring(0, line),
        _ => draft.add_wall(line),
    }
    true
}

/// The points of a polyline with its arcs.
fn polyline(corners: &[[f64; 3]], is_closed: bool, tolerance: f64) -> Drawn {
    let first = corners.first().map(|[x, y, _]| [*x, *y]);
    let mut drawn = Drawn { points: first.into_iter().collect(), off: 0.0 };
    let closing = (is_closed && corners.len() > 1).then(|| (corners.last(), corners.first()));
    let pairs = corners.windows(2).map(|pair| (Some(&pair[0]), Some(&pair[1]))).chain(closing);
    for (from, to) in pairs {
        if let (Some([x, y, bulge]), Some(to)) = (from, to) {
            let next = bulge_points([*x, *y], [to[0], to[1]], *bulge, tolerance);
            drawn.points.extend(next.points);
            drawn.off = drawn.off.max(next.off);
        }
    }
    drawn
}

/// The map of a block that is inserted.
fn placed(insert: &Insert, block: &Block, offset: [f64; 2], outer: Placing<'_>) -> [[f64; 2]; 3] {
    let (sin, cos) = insert.angle.sin_cos();
    let turned = |[x, y]: [f64; 2]| [cos * x - sin * y, sin * x + cos * y];
    let axes = [turned([insert.scale[0], 0.0]), turned([0.0, insert.scale[1]])];
    let offset = turned(offset);
    let origin =
        [0, 1].map(|k| insert.at[k] + offset[k] - axes[0][k] * block.base[0] - axes[1][k] * block.base[1]);
    [outer.direction(axes[0]), outer.direction(axes[1]), outer.point(origin)]
}

/// True for inserted blocks.
fn is_insert(entity: &Entity) -> bool {
    matches!(entity.form, EntityForm::Insert(_))
}

/// Points that tell the size of an entity.
fn outline_points(form: &EntityForm) -> Vec<[f64; 2]> {
    match form {
        EntityForm::Polyline { corners, .. } => corners.iter().map(|[x, y, _]| [*x, *y]).collect(),
        EntityForm::Arc(arc) => arc.extremes(),
        EntityForm::Spline { spline, .. } => spline.control.clone(),
        EntityForm::Area(corners) => corners.clone(),
        EntityForm::Hatch(loops) => loops.iter().flatten().flat_map(outline_points).collect(),
        EntityForm::Insert(insert) => vec![insert.at],
    }
}
