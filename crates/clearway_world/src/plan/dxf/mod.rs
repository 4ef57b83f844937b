//! DXF drawings (AutoCAD R12 to 2018, text and binary): lines and areas by layer.
//!
//! Layers are parts; inside a block, the name of the block follows that of the layer. Layers that are off or frozen,
//! paper space and invisible entities are left out. Kinds of entities that draw no walls (texts, dimensions) are counted.
//! Hatches are solid where their layer says that they fill walls or obstacles; elsewhere they are a pattern on a floor.
//! Entities that lack what they declare are drawn as far as they go and told in the report. Curves become chords within
//! [`TOLERANCE`](super::chords::TOLERANCE). Cost: linear in the entities, blocks counted as often as they are drawn.

mod curves;
mod draw;
mod entity;
mod hatch;
mod pairs;

use self::draw::draw;
use self::entity::{Entity, Raw};
use self::pairs::{Pair, Pairs};
use super::assemble::Habit;
use super::draft::Draft;
use super::levels::levels_from_names;
use clearway_base::error::{Error, ErrorKind, Result};
use std::collections::BTreeMap;

/// The units of `$INSUNITS` in metres, by number; 0 stands for unknown ones.
const UNITS: [f64; 22] = [
    0.0,
    0.0254,
    0.3048,
    1609.344,
    0.001,
    0.01,
    1.0,
    1000.0,
    2.54e-8,
    2.54e-5,
    0.9144,
    1e-10,
    1e-9,
    1e-6,
    0.1,
    10.0,
    100.0,
    1e9,
    1.495_978_707e11,
    9.460_730_472e15,
    3.085_677_581e16,
    1200.0 / 3937.0,
];

/// Reads the bytes of a drawing. `scale` is the length of its unit in metres, if one was asked for.
pub(super) fn parse(bytes: &[u8], scale: Option<f64>) -> Result<Draft> {
    let mut drawing = Drawing::read(bytes)?;
    drawing.unit = scale.or(drawing.unit);
    let mut draft = Draft::new();
    draft.habit = Habit::LinesAreWalls;
    draft.encloses = true;
    draw(&drawing, &mut draft)?;
    levels_from_names(&mut draft);
    Ok(draft)
}

/// A layer of the drawing.
#[derive(Clone, Copy, Debug, Default)]
struct Layer {
    /// True if it is off or frozen.
    is_hidden: bool,
}

/// A block: entities that are drawn wherever it is inserted.
#[derive(Clone, Debug, Default)]
struct Block {
    /// The point of the block that comes to lie on the point of an insert.
    base: [f64; 2],
    /// The file that holds the block, if it is not in this one.
    outside: Option<String>,
    /// Its entities.
    entities: Vec<Entity>,
}

/// The content of a file.
#[derive(Debug, Default)]
struct Drawing {
    /// The length of the unit in metres, if the file tells it.
    unit: Option<f64>,
    /// True if lengths are in inches where no unit is given.
    is_english: bool,
    /// The layers by name.
    layers: BTreeMap<String, Layer>,
    /// The blocks by name, in upper case: names of blocks do not heed case.
    blocks: BTreeMap<String, Block>,
    /// What is drawn.
    entities: Vec<Entity>,
    /// The kinds of entities that were left out, with their number.
    left_out: BTreeMap<String, usize>,
    /// The number of entities in paper space or invisible.
    hidden: usize,
}

impl Drawing {
    /// Reads all sections.
    fn read(bytes: &[u8]) -> Result<Drawing> {
        if bytes.starts_with(b"AC10") {
            let message = "this is a DWG file, not DXF; save it as DXF first";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        let mut reader = Reader { pairs: Pairs::new(bytes), ahead: None };
        let mut drawing = Drawing::default();
        let mut sections = 0;
        while let Some(pair) = reader.next()? {
            if pair.is(0, "EOF") {
                break;
            }
            if !pair.is(0, "SECTION") {
                continue;
            }
            sections += 1;
            let Some(name) = reader.next()? else { break };
            match name.text().as_ref() {
                "HEADER" => drawing.read_header(&mut reader)?,
                "TABLES" => drawing.read_tables(&mut reader)?,
                "BLOCKS" => drawing.read_blocks(&mut reader)?,
                "ENTITIES" => drawing.entities = drawing.read_entities(&mut reader)?,
                _ => {}
            }
        }
        if sections == 0 {
            return Err(Error::new(ErrorKind::Syntax, "there is no SECTION, so it is not a DXF file"));
        }
        Ok(drawing)
    }

    /// Reads units.
    fn read_header(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        let mut variable = String::new();
        while let Some(pair) = reader.next_in_section()? {
            match (pair.code, variable.as_str()) {
                (9, _) => variable = pair.text().into_owned(),
                (70, "$INSUNITS") => {
                    let unit = usize::try_from(pair.int()).ok().and_then(|unit| UNITS.get(unit));
                    self.unit = unit.copied().filter(|unit| *unit > 0.0);
                }
                (70, "$MEASUREMENT") => self.is_english = pair.int() == 0,
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads which layers are hidden.
    fn read_tables(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        let mut layer: Option<(String, Layer)> = None;
        loop {
            let pair = reader.next_in_section()?;
            if pair.is_none_or(|pair| pair.code == 0) {
                self.layers.extend(layer.take());
                let Some(pair) = pair else { return Ok(()) };
                layer = pair.is(0, "LAYER").then(Default::default);
            } else if let (Some(pair), Some((name, layer))) = (pair, &mut layer) {
                match pair.code {
                    2 => *name = pair.text().into_owned(),
                    // Frozen layers have bit 0; layers that are off have a negative colour.
                    70 => layer.is_hidden |= pair.int() & 1 != 0,
                    62 => layer.is_hidden |= pair.int() < 0,
                    _ => {}
                }
            }
        }
    }

    /// Reads all blocks.
    fn read_blocks(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        while let Some(pair) = reader.next_in_section()? {
            if !pair.is(0, "BLOCK") {
                continue;
            }
            let (mut block, mut name, mut is_outside) = (Block::default(), String::new(), false);
            while let Some(pair) = reader.next_unless_entity()? {
                match pair.code {
                    2 => name = pair.text().to_uppercase(),
                    1 if !pair.text().is_empty() => block.outside = Some(pair.text().into_owned()),
                    10 => block.base[0] = pair.real()?,
                    20 => block.base[1] = pair.real()?,
                    70 => is_outside = pair.int() & 4 != 0,
                    _ => {}
                }
            }
            block.outside = block.outside.filter(|_| is_outside);
            block.entities = self.read_entities(reader)?;
            self.blocks.entry(name).or_insert(block);
        }
        Ok(())
    }

    /// Reads entities up to the end of the block or the section.
    fn read_entities(&mut self, reader: &mut Reader<'_>) -> Result<Vec<Entity>> {
        let mut entities = Vec::new();
        while let Some(pair) = reader.next_in_section()? {
            if pair.is(0, "ENDBLK") {
                break;
            }
            if pair.code != 0 {
                continue;
            }
            let raw = reader.entity(&pair)?;
            let vertices = if raw.starts_polyline() { reader.vertices()? } else { Vec::new() };
            if raw.is_hidden() {
                self.hidden += 1;
                continue;
            }
            let kind = raw.kind.clone();
            match raw.entity(vertices) {
                Some(entity) => entities.push(entity),
                None if matches!(kind.as_str(), "SEQEND" | "ATTRIB" | "VIEWPORT" | "ATTDEF") => {}
                None => *self.left_out.entry(kind).or_insert(0) += 1,
            }
        }
        Ok(entities)
    }
}

/// The pairs of a file, with one that is read ahead.
struct Reader<'a> {
    /// The pairs.
    pairs: Pairs<'a>,
    /// The pair that is next, if it was looked at already.
    ahead: Option<Pair<'a>>,
}

impl<'a> Reader<'a> {
    /// The next pair.
    fn next(&mut self) -> Result<Option<Pair<'a>>> {
        match self.ahead.take() {
            Some(pair) => Ok(Some(pair)),
            None => self.pairs.next(),
        }
    }

    /// The next pair of the section; `None` at its end.
    fn next_in_section(&mut self) -> Result<Option<Pair<'a>>> {
        let pair = self.next()?;
        if let Some(pair) = pair.filter(|pair| pair.is(0, "EOF") || pair.is(0, "SECTION")) {
            // A section that is not ended is taken for ended.
            self.ahead = Some(pair);
            return Ok(None);
        }
        Ok(pair.filter(|pair| !pair.is(0, "ENDSEC")))
    }

    /// The next pair unless it starts an entity.
    fn next_unless_entity(&mut self) -> Result<Option<Pair<'a>>> {
        let pair = self.next()?;
        if pair.is_some_and(|pair| pair.code == 0) {
            self.ahead = pair;
            return Ok(None);
        }
        Ok(pair)
    }

    /// Reads the entity that a pair starts.
    fn entity(&mut self, start: &Pair<'_>) -> Result<Raw> {
        let mut raw = Raw::new(&start.text(), start.at);
        while let Some(pair) = self.next_unless_entity()? {
            raw.take(&pair).map_err(|error| {
                Error::new(error.kind(), format!("{} at line {}: {error}", raw.kind, raw.at))
            })?;
        }
        Ok(raw)
    }

    /// Reads the vertices of an old polyline.
    fn vertices(&mut self) -> Result<Vec<[f64; 3]>> {
        let mut vertices = Vec::new();
        while let Some(pair) = self.next()? {
            if !pair.is(0, "VERTEX") {
                if !pair.is(0, "SEQEND") {
                    self.ahead = Some(pair);
                }
                break;
            }
            vertices.extend(self.entity(&pair)?.vertex());
        }
        Ok(vertices)
    }
}

#[cfg(test)]
mod tests;
