//! The entities of a DXF file that draw lines. Everything else is counted by its kind.

use super::curves::{Arc, Spline, radians, turn};
use super::hatch::{self, Loop};
use super::pairs::Pair;
use clearway_base::error::Result;

/// The bits of group code 70 of a polyline that make it a mesh of faces.
const MESH_FLAGS: i64 = 16 | 64;

/// A drawn entity.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entity {
    /// The name of its layer.
    pub(super) layer: String,
    /// Its form.
    pub(super) form: EntityForm,
    /// True if it is drawn on the back of the plane, where x runs the other way.
    pub(super) is_mirrored: bool,
    /// The line of the file at which it starts.
    pub(super) at: usize,
    /// What it declares and lacks, in words for the report. It is drawn as far as it goes.
    pub(super) flaw: Option<Box<str>>,
}

/// The form of an entity, in its own coordinates.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum EntityForm {
    /// Corners with bulges.
    Polyline { corners: Vec<[f64; 3]>, is_closed: bool },
    /// An arc of a circle or an ellipse.
    Arc(Arc),
    /// A spline.
    Spline { spline: Spline, is_closed: bool },
    /// A filled area of three or four corners.
    Area(Vec<[f64; 2]>),
    /// A filled area with its loops; those inside others are holes.
    Hatch(Vec<Loop>),
    /// A block put here.
    Insert(Insert),
}

impl EntityForm {
    /// What keeps it from being drawn as it is meant, in words.
    pub(super) fn flaw(&self) -> Option<String> {
        match self {
            EntityForm::Spline { spline, .. } => spline.fault(),
            _ => None,
        }
    }
}

/// A block that is drawn somewhere, once or in rows and columns.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Insert {
    /// The name of the block.
    pub(super) block: String,
    /// Where its base point is put.
    pub(super) at: [f64; 2],
    /// How many times larger it is drawn along x and y; negative if mirrored.
    pub(super) scale: [f64; 2],
    /// The angle in radians.
    pub(super) angle: f64,
    /// The number of columns and rows.
    pub(super) counts: [i64; 2],
    /// The distances between columns and rows.
    pub(super) steps: [f64; 2],
}

/// The group codes of one entity, gathered.
#[derive(Debug)]
pub(super) struct Raw {
    /// The kind: `LINE`, `ARC`, ...
    pub(super) kind: String,
    /// The line of the file at which it starts.
    pub(super) at: usize,
    /// The name of its layer.
    layer: String,
    /// The name after group code 2.
    name: String,
    /// True if it lies in paper space or is invisible.
    is_hidden: bool,
    /// The points after group codes 10, 11, 12 and 13, with their bulges.
    points: [Vec<[f64; 3]>; 4],
    /// The numbers after group codes 40 to 45 and 50, 51: the last of each.
    reals: [Option<f64>; 12],
    /// The lists after group codes 40 and 41.
    lists: [Vec<f64>; 2],
    /// The numbers after group codes 70 to 75: the last of each.
    ints: [i64; 6],
    /// The z of the direction that its plane faces.
    facing: f64,
    /// The number after group code 90: of the corners of a polyline.
    count: i64,
    /// The numbers of the loops of a hatch, in order.
    loops: Vec<(i32, f64)>,
}

impl Raw {
    /// Starts an entity.
    pub(super) fn new(kind: &str, at: usize) -> Raw {
        Raw {
            kind: kind.to_string(),
            at,
            layer: "0".to_string(),
            name: String::new(),
            is_hidden: false,
            points: Default::default(),
            reals: [None; 12],
            lists: Default::default(),
            ints: [0; 6],
            facing: 1.0,
            count: 0,
            loops: Vec::new(),
        }
    }

    /// Takes one more pair.
    pub(super) fn take(&mut self, pair: &Pair<'_>) -> Result<()> {
        match pair.code {
            code if self.kind == "HATCH" && hatch::is_of_loop(code) => self.loops.push((code, pair.real()?)),
            2 => self.name = pair.text().into_owned(),
            8 => self.layer = pair.text().into_owned(),
            10..=13 => self.points[(pair.code - 10) as usize].push([pair.real()?, 0.0, 0.0]),
            20..=23 => {
                if let Some(point) = self.points[(pair.code - 20) as usize].last_mut() {
                    point[1] = pair.real()?;
                }
            }
            40..=51 => {
                let value = pair.real()?;
                self.reals[(pair.code - 40) as usize] = Some(value);
                if pair.code == 42
                    && let Some(point) = self.points[0].last_mut()
                {
                    point[2] = value;
                }
                if pair.code <= 41 {
                    self.lists[(pair.code - 40) as usize].push(value);
                }
            }
            60 => self.is_hidden |= pair.int() == 1,
            67 => self.is_hidden |= pair.int() == 1,
            70..=75 => self.ints[(pair.code - 70) as usize] = pair.int(),
            90 => self.count = pair.int(),
            230 => self.facing = pair.real()?,
            _ => {}
        }
        Ok(())
    }

    /// The vertex of an old polyline; `None` for control points of splines and vertices of faces.
    pub(super) fn vertex(&self) -> Option<[f64; 3]> {
        let flags = self.ints[0];
        (flags & 16 == 0 && flags & 128 == 0).then(|| self.points[0].last().copied()).flatten()
    }

    /// True if it starts an old polyline, whose vertices follow.
    pub(super) fn starts_polyline(&self) -> bool {
        self.kind == "POLYLINE"
    }

    /// True if blocks of attributes or vertices may follow it.
    pub(super) fn is_hidden(&self) -> bool {
        self.is_hidden
    }

    /// The entity; `None` if it draws nothing that counts.
    pub(super) fn entity(self, vertices: Vec<[f64; 3]>) -> Option<Entity> {
        let is_mirrored =
            self.facing < 0.0 && !matches!(self.kind.as_str(), "LINE" | "ELLIPSE" | "SPLINE" | "3DFACE");
        let (layer, kind, at) = (self.layer.clone(), self.kind.clone(), self.at);
        let short = self.shortfall();
        let (form, flaw) = self.form(vertices)?;
        let flaw = short.or(flaw).map(|flaw| format!("{kind} at line {at}: {flaw}").into_boxed_str());
        Some(Entity { layer, form, is_mirrored, at, flaw })
    }

    /// The first list that is not as long as the entity declares, in words.
    fn shortfall(&self) -> Option<String> {
        let lists = match self.kind.as_str() {
            "LWPOLYLINE" => vec![("corners", self.count, self.points[0].len())],
            "MLINE" => vec![("corners", self.ints[2], self.points[1].len())],
            "SPLINE" => vec![
                ("control points", self.ints[3], self.points[0].len()),
                ("fit points", self.ints[4], self.points[1].len()),
                ("knots", self.ints[2], self.lists[0].len()),
            ],
            _ => Vec::new(),
        };
        lists.into_iter().find_map(|(things, declared, found)| shortfall(things, declared, found))
    }

    /// The form, and what is wrong with it; `None` if it draws nothing that counts.
    fn form(self, vertices: Vec<[f64; 3]>) -> Option<(EntityForm, Option<String>)> {
        if self.kind == "HATCH" {
            let (loops, flaw) = hatch::loops(&self.loops);
            return (!loops.is_empty() || flaw.is_some()).then_some((EntityForm::Hatch(loops), flaw));
        }
        let form = self.plain_form(vertices)?;
        let flaw = form.flaw();
        Some((form, flaw))
    }

    /// The form of all but hatches; `None` if it draws nothing that counts.
    fn plain_form(self, vertices: Vec<[f64; 3]>) -> Option<EntityForm> {
        let real = |code: usize| self.reals[code - 40];
        let flat = |point: &[f64; 3]| [point[0], point[1]];
        let first = |list: usize| self.points[list].first().map(flat);
        match self.kind.as_str() {
            "LINE" => {
                let ends = [first(0)?, first(1)?].map(|[x, y]| [x, y, 0.0]);
                Some(EntityForm::Polyline { corners: ends.to_vec(), is_closed: false })
            }
            "LWPOLYLINE" => {
                let is_closed = self.ints[0] & 1 != 0;
                Some(EntityForm::Polyline { corners: self.points.into_iter().next()?, is_closed })
            }
            "POLYLINE" if self.ints[0] & MESH_FLAGS == 0 => {
                Some(EntityForm::Polyline { corners: vertices, is_closed: self.ints[0] & 1 != 0 })
            }
            "MLINE" => {
                let corners = self.points[1].iter().map(|[x, y, _]| [*x, *y, 0.0]).collect();
                Some(EntityForm::Polyline { corners, is_closed: self.ints[1] & 2 != 0 })
            }
            "CIRCLE" => Some(EntityForm::Arc(Arc::of_circle(first(0)?, real(40)?, 0.0, 0.0))),
            "ARC" => {
                let angles = [50, 51].map(|code| radians(real(code).unwrap_or(0.0)));
                Some(EntityForm::Arc(Arc::of_circle(first(0)?, real(40)?, angles[0], angles[1])))
            }
            "ELLIPSE" => {
                let (axis, ratio) = (first(1)?, real(40)? * self.facing.signum());
                let other = [-axis[1] * ratio, axis[0] * ratio];
                let start = real(41).unwrap_or(0.0);
                let sweep = turn(start, real(42).unwrap_or(0.0));
                Some(EntityForm::Arc(Arc { centre: first(0)?, axis, other, start, sweep }))
            }
            "SPLINE" => {
                let is_closed = self.ints[0] & 1 != 0;
                let degree = usize::try_from(self.ints[1]).unwrap_or(0);
                let [control, fit] = [0, 1].map(|list| self.points[list].iter().map(flat).collect());
                let [knots, weights] = self.lists;
                Some(EntityForm::Spline {
                    spline: Spline { degree, knots, control, weights, fit },
                    is_closed,
                })
            }
            "SOLID" | "TRACE" => {
                Some(EntityForm::Area(vec![first(0)?, first(1)?, first(3).or(first(2))?, first(2)?]))
            }
            "3DFACE" => Some(EntityForm::Area(vec![first(0)?, first(1)?, first(2)?, first(3).or(first(2))?])),
            "INSERT" => Some(EntityForm::Insert(Insert {
                at: first(0)?,
                scale: [41, 42].map(|code| real(code).unwrap_or(1.0)),
                angle: radians(real(50).unwrap_or(0.0)),
                counts: [self.ints[0], self.ints[1]].map(|count| count.max(1)),
                steps: [44, 45].map(|code| real(code).unwrap_or(0.0)),
                block: self.name,
            })),
            _ => None,
        }
    }
}

/// Words for a list that is not as long as declared; lists whose length is not declared are taken as they are.
pub(super) fn shortfall(things: &str, declared: i64, found: usize) -> Option<String> {
    let is_short = declared > 0 && usize::try_from(declared) != Ok(found);
    is_short.then(|| format!("it declares {declared} {things} and has {found}"))
}
