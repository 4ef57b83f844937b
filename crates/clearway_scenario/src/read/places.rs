//! Reads areas, zones, doors and wraps.

use super::table::Table;
use super::{Reader, name, only_once};
use crate::named::strip;
use crate::porch::Ends;
use crate::preset;
use crate::scenario::{Door, DoorBar, Place, PlaceUse, Scenario, Spot, WrapLines, Zone};
use clearway_base::error::{ErrorKind, Result, short};
use clearway_base::names::unknown;
use clearway_crowd::Area;
use std::collections::BTreeSet;

/// The number of people that leave in a second through a metre of a crowded exit. Seyfried and others (2009) measured
/// 1.9 through bottlenecks of 0.8 to 1.2 m.
const FLOW_PER_METRE: f64 = 1.9;

/// The largest factor of a walking speed.
const MAX_FACTOR: f64 = 10.0;

/// The largest number of doors: sets of closed doors are bits of a number.
pub const MAX_DOORS: usize = 64;

impl Reader<'_> {
    /// Reads `[[exit]]` and `[[area]]`.
    pub fn read_places(&self, scenario: &mut Scenario) -> Result<()> {
        let exit_keys = [
            "name",
            "outline",
            "rectangle",
            "line",
            "exit",
            "height",
            "closed",
            "width",
            "capacity",
            "throughput",
        ];
        let area_keys = ["name", "outline", "rectangle", "height", "closed"];
        let mut known = BTreeSet::new();
        for (kind, keys, use_) in
            [("exit", &exit_keys[..], PlaceUse::Exit), ("area", &area_keys[..], PlaceUse::Stop)]
        {
            for table in self.tables(kind, keys)? {
                let name = name(&table)?;
                only_once(&table, name, &mut known)?;
                let (area, gate, on_plan) = ground_of(&table, use_)?;
                let usual = match (gate, &on_plan) {
                    (Some([a, b]), _) => (b[0] - a[0]).hypot(b[1] - a[1]),
                    // The width is that of the plan, which is not known yet.
                    (None, Some(_)) => 0.0,
                    (None, None) => longest_side(&area),
                };
                let width = table.within("width", [0.1, 1000.0], "m")?.unwrap_or(usual);
                let capacity = table.within("capacity", [0.01, 10_000.0], "1/s")?;
                scenario.places.push(Place {
                    name: name.to_string(),
                    line: table.line(),
                    closed: table.periods("closed")?,
                    capacity: capacity.unwrap_or_else(|| capacity_of_width(width)),
                    throughput: table.within("throughput", [0.001, 10_000.0], "1/s")?,
                    area,
                    use_,
                    on_plan,
                    gate,
                });
            }
        }
        Ok(())
    }

    /// Reads `[[zone]]`.
    pub fn read_zones(&self, scenario: &mut Scenario) -> Result<()> {
        let keys = ["name", "outline", "rectangle", "height", "speed", "up", "down", "stairs"];
        for table in self.tables("zone", &keys)? {
            let area = area(&table)?.ok_or_else(|| table.missing("outline or rectangle"))?;
            let factor = |key: &str| table.within(key, [0.01, MAX_FACTOR], "");
            let level = factor("speed")?;
            let stairs = match table.text("stairs")? {
                Some(name) => Some(preset::stairs(name).ok_or_else(|| {
                    let message = unknown("stairs", name, preset::stairs_names().into_iter());
                    table.wrong_at(ErrorKind::Options, "stairs", message)
                })?),
                None => None,
            };
            if level.is_none() && stairs.is_none() && !table.has("up") && !table.has("down") {
                return Err(table.missing("speed, up, down or stairs"));
            }
            let level = level.unwrap_or(1.0);
            let [up, down] = stairs.unwrap_or([level; 2]);
            let (up, down) = (factor("up")?.unwrap_or(up), factor("down")?.unwrap_or(down));
            let name = table.text("name")?.unwrap_or_default().to_string();
            scenario.zones.push(Zone { name, line: table.line(), area, level, up, down });
        }
        Ok(())
    }

    /// Reads `[[door]]`.
    pub fn read_doors(&self, scenario: &mut Scenario) -> Result<()> {
        let mut known = BTreeSet::new();
        for table in self.tables("door", &["name", "line", "link", "height", "closed"])? {
            let name = name(&table)?;
            only_once(&table, name, &mut known)?;
            let bar = match table.text("link")? {
                Some(_) if table.has("line") => {
                    let message = "a door is either a line or a link, not both";
                    return Err(table.wrong_at(ErrorKind::Syntax, "link", message));
                }
                Some(link) => DoorBar::Link(link.to_string()),
                None if !table.has("line") => return Err(table.missing("line or link")),
                None => DoorBar::Line(table.segment("line")?),
            };
            if matches!(bar, DoorBar::Line([a, b]) if a == b) {
                return Err(table.wrong_at(ErrorKind::OutOfRange, "line", "line has no length"));
            }
            let height = table.number("height")?;
            if height.is_some() && matches!(bar, DoorBar::Link(_)) {
                let message = "the floor of a link is known; height goes with line";
                return Err(table.wrong_at(ErrorKind::Syntax, "height", message));
            }
            let closed = table.periods("closed")?;
            if scenario.doors.len() == MAX_DOORS {
                let message = format!("there are more than {MAX_DOORS} doors");
                return Err(table.wrong_at(ErrorKind::TooLarge, "name", message));
            }
            scenario.doors.push(Door { name: name.to_string(), line: table.line(), bar, height, closed });
        }
        Ok(())
    }

    /// Reads `[[wrap]]`.
    pub fn read_wraps(&self, scenario: &mut Scenario) -> Result<()> {
        for table in self.tables("wrap", &["from", "to"])? {
            let [from, to] = [table.segment("from")?, table.segment("to")?];
            if from[0] == from[1] || from == to {
                let message = if from == to { "from and to are one line" } else { "from has no length" };
                return Err(table.wrong_at(ErrorKind::OutOfRange, "from", message));
            }
            let offsets = [0, 1].map(|end| [to[end][0] - from[end][0], to[end][1] - from[end][1]]);
            let apart = (offsets[0][0] - offsets[1][0]).hypot(offsets[0][1] - offsets[1][1]);
            if apart > 1e-6 {
                let message = "from and to must be equal but for a shift: same length, same direction, same order of ends";
                return Err(table.wrong_at(ErrorKind::OutOfRange, "to", message));
            }
            scenario.wraps.push(WrapLines { from, to, line: table.line() });
        }
        Ok(())
    }
}

/// Reads where an exit or an area is: its area, the line that it is, and the name that the plan gives it.
fn ground_of(table: &Table<'_>, use_: PlaceUse) -> Result<(Area, Option<Ends>, Option<String>)> {
    let keys = ["outline", "rectangle", "line", "exit"];
    let given: Vec<&str> = keys.into_iter().filter(|key| table.has(key)).collect();
    if given.len() > 1 {
        let message = format!("{} cannot stand together", given.join(" and "));
        return Err(table.wrong_at(ErrorKind::Syntax, given[1], message));
    }
    match given.first() {
        Some(&"exit") => {
            if table.has("height") {
                let message = "the plan gives the height of this exit";
                return Err(table.wrong_at(ErrorKind::Syntax, "height", message));
            }
            // It gets its area once the world is there.
            let text = table.text("exit")?.unwrap_or_default().to_string();
            Ok((Area::rectangle([0.0; 2], [1.0; 2])?, None, Some(text)))
        }
        Some(&"line") => {
            let line = table.segment("line")?;
            if line[0] == line[1] {
                return Err(table.wrong_at(ErrorKind::OutOfRange, "line", "line has no length"));
            }
            let area = strip(line)?;
            let height = table.within("height", [-1e6, 1e6], "m")?;
            Ok((height.map_or(area.clone(), |height| area.at_height(height)), Some(line), None))
        }
        _ => {
            let wanted = match use_ {
                PlaceUse::Exit => "outline, rectangle, line or exit",
                PlaceUse::Stop => "outline or rectangle",
            };
            Ok((area(table)?.ok_or_else(|| table.missing(wanted))?, None, None))
        }
    }
}

/// Reads the area of a table, if it has one: `outline` or `rectangle`, and `height`.
pub fn area(table: &Table<'_>) -> Result<Option<Area>> {
    let (key, value) = match (table.get("outline"), table.get("rectangle")) {
        (Some(_), Some(_)) => {
            let message = "the area is either an outline or a rectangle, not both";
            return Err(table.wrong_at(ErrorKind::Syntax, "rectangle", message));
        }
        (Some(value), None) => ("outline", value),
        (None, Some(value)) => ("rectangle", value),
        (None, None) if table.has("height") => {
            return Err(table.wrong_at(
                ErrorKind::Syntax,
                "height",
                "height needs an outline or a rectangle",
            ));
        }
        (None, None) => return Ok(None),
    };
    let list = table.to_list(key, value, "a list of points")?;
    let spots =
        list.iter().map(|value| Ok(spot(&table.to_point(key, value)?))).collect::<Result<Vec<Spot>>>()?;
    let mut outline: Vec<[f64; 2]> = spots.iter().map(|spot| spot.at).collect();
    if key == "rectangle" {
        let [low, high] = outline[..] else {
            return Err(table.wrong(ErrorKind::Syntax, value, "rectangle must be two opposite corners"));
        };
        outline = vec![low, [high[0], low[1]], high, [low[0], high[1]]];
    } else if outline.len() > 3 && outline.first() == outline.last() {
        outline.pop();
    }
    let area =
        Area::new(outline).map_err(|error| table.wrong(error.kind(), value, format!("{key}: {error}")))?;
    let heights: Vec<f64> = spots.iter().filter_map(|spot| spot.height).collect();
    let middle = heights.iter().sum::<f64>() / heights.len().max(1) as f64;
    if heights.iter().any(|height| (height - middle).abs() > 1.0) {
        let message =
            format!("{key}: its corners lie more than 1 m above or below their mean {}", short(middle));
        return Err(table.wrong(ErrorKind::OutOfRange, value, message));
    }
    let height = table.within("height", [-1e6, 1e6], "m")?.or((!heights.is_empty()).then_some(middle));
    Ok(Some(match height {
        Some(height) => area.at_height(height),
        None => area,
    }))
}

/// Makes a point of the plan from `[x, y]` of the plan or `[x, y, z]` of a scene.
pub fn spot(numbers: &[f64]) -> Spot {
    match numbers[..] {
        // The plan lies in space with its y axis towards -z.
        [x, height, z] => Spot { at: [x, 0.0 - z], height: Some(height) },
        [x, y] => Spot { at: [x, y], height: None },
        _ => Spot { at: [f64::NAN; 2], height: None },
    }
}

/// Returns the number of people per second on whom a choice counts at an exit whose width is not given.
pub fn capacity_of(area: &Area) -> f64 {
    capacity_of_width(longest_side(area))
}

/// Returns the number of people per second on whom a choice counts at an exit of a width in metres.
pub fn capacity_of_width(width: f64) -> f64 {
    FLOW_PER_METRE * width
}

/// Returns the length of the longest side of an area: an exit is usually drawn as a strip along its opening.
pub fn longest_side(area: &Area) -> f64 {
    let outline = area.outline();
    let following = outline.iter().skip(1).chain(outline.first());
    let length = |(a, b): (&[f64; 2], &[f64; 2])| (a[0] - b[0]).hypot(a[1] - b[1]);
    outline.iter().zip(following).map(length).fold(0.1, f64::max)
}
