//! The parts of a `.cwt` file in front of the frames: header, measures, bodies, events.

use super::bytes::{Source, put, put_f64, put_text};
use crate::geometry::{Exit, Gate, Geometry, Line, Probe, Storey};
use crate::header::{AgentRecord, Header, RunEvent};
use crate::measures::Measures;
use crate::probe::{AreaSample, Crossing, Readings};
use crate::recorder::is_event;
use crate::recording::Space;
use crate::stand::Standing;
use clearway_base::Result;

/// Appends a list with its length.
fn put_list<T>(buffer: &mut Vec<u8>, list: &[T], put_one: impl Fn(&mut Vec<u8>, &T)) {
    put(buffer, list.len() as u64);
    list.iter().for_each(|element| put_one(buffer, element));
}

/// Takes a list whose elements take at least `least` bytes each.
fn take_list<'a, T>(
    source: &mut Source<'a>,
    least: usize,
    take_one: impl Fn(&mut Source<'a>) -> Result<T>,
) -> Result<Vec<T>> {
    let count = source.count(least)?;
    (0..count).map(|_| take_one(source)).collect()
}

/// Appends how the run was made, and its space.
pub fn put_header(buffer: &mut Vec<u8>, header: &Header) {
    put_f64(buffer, header.fps);
    put(buffer, header.seed);
    for text in [&header.model, &header.scenario, &header.scenario_text] {
        put_text(buffer, text);
    }
    put_list(buffer, &header.settings, |buffer, (name, value)| {
        put_text(buffer, name);
        put_text(buffer, value);
    });
    for list in [&header.warnings, &header.remarks] {
        put_list(buffer, list, |buffer, text| put_text(buffer, text));
    }
    put_geometry(buffer, &header.geometry);
}

/// Takes how the run was made, and its space.
pub fn take_header(source: &mut Source) -> Result<Header> {
    Ok(Header {
        fps: source.f64()?,
        seed: source.number()?,
        model: source.text()?,
        scenario: source.text()?,
        scenario_text: source.text()?,
        settings: take_list(source, 2, |source| Ok((source.text()?, source.text()?)))?,
        warnings: take_list(source, 1, Source::text)?,
        remarks: take_list(source, 1, Source::text)?,
        geometry: take_geometry(source)?,
    })
}

fn put_geometry(buffer: &mut Vec<u8>, geometry: &Geometry) {
    put(buffer, u64::from(geometry.is_layered));
    put_list(buffer, &geometry.storeys, |buffer, storey| {
        put_text(buffer, &storey.name);
        put_f64(buffer, storey.height);
        put_list(buffer, &storey.rings, put_line);
        put_list(buffer, &storey.walls, put_line);
        put_list(buffer, &storey.floor, put_line);
    });
    put_list(buffer, &geometry.exits, |buffer, exit| {
        put_text(buffer, &exit.name);
        put(buffer, u64::from(exit.storey));
        put_list(buffer, &exit.outline, put_pair);
    });
    put_list(buffer, &geometry.gates, |buffer, gate| {
        put_text(buffer, &gate.name);
        put(buffer, u64::from(gate.storey));
        put_list(buffer, &gate.line, put_pair);
        put_list(buffer, &gate.closed, put_pair);
    });
    put_list(buffer, &geometry.probes, |buffer, probe| {
        put_text(buffer, &probe.name);
        put(buffer, u64::from(probe.storey));
        put_maybe(buffer, probe.height);
        put_list(buffer, &probe.points, put_pair);
    });
}

/// Appends 1 and a number, or 0.
fn put_maybe(buffer: &mut Vec<u8>, value: Option<f64>) {
    put(buffer, u64::from(value.is_some()));
    value.iter().for_each(|value| put_f64(buffer, *value));
}

fn take_maybe(source: &mut Source) -> Result<Option<f64>> {
    if take_flag(source)? { source.f64().map(Some) } else { Ok(None) }
}

fn take_geometry(source: &mut Source) -> Result<Geometry> {
    let is_layered = take_flag(source)?;
    let storeys = take_list(source, 12, |source| {
        Ok(Storey {
            name: source.text()?,
            height: source.f64()?,
            rings: take_list(source, 1, take_line)?,
            walls: take_list(source, 1, take_line)?,
            floor: take_list(source, 1, take_line)?,
        })
    })?;
    let exits = take_list(source, 3, |source| {
        Ok(Exit { name: source.text()?, storey: source.small()?, outline: take_list(source, 16, take_pair)? })
    })?;
    let gates = take_list(source, 4, |source| {
        Ok(Gate {
            name: source.text()?,
            storey: source.small()?,
            line: take_list(source, 16, take_pair)?,
            closed: take_list(source, 16, take_pair)?,
        })
    })?;
    let probes = take_list(source, 4, |source| {
        Ok(Probe {
            name: source.text()?,
            storey: source.small()?,
            height: take_maybe(source)?,
            points: take_list(source, 16, take_pair)?,
        })
    })?;
    Ok(Geometry { storeys, exits, gates, probes, is_layered })
}

fn put_pair(buffer: &mut Vec<u8>, pair: &[f64; 2]) {
    pair.iter().for_each(|value| put_f64(buffer, *value));
}

fn take_pair(source: &mut Source) -> Result<[f64; 2]> {
    Ok([source.f64()?, source.f64()?])
}

fn put_line(buffer: &mut Vec<u8>, line: &Line) {
    put_list(buffer, line, |buffer, p| p.iter().for_each(|c| put_f64(buffer, *c)));
}

fn take_line(source: &mut Source) -> Result<Line> {
    take_list(source, 24, |source| Ok([source.f64()?, source.f64()?, source.f64()?]))
}

fn take_flag(source: &mut Source) -> Result<bool> {
    match source.byte()? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(source.fault("a flag is neither 0 nor 1")),
    }
}

/// Appends what was measured.
pub fn put_measures(buffer: &mut Vec<u8>, measures: &Measures) {
    for count in [measures.frames, measures.overlapping_pairs, measures.bodies_in_walls] {
        put(buffer, count);
    }
    for value in [
        measures.largest_overlap,
        measures.largest_wall_overlap,
        measures.least_wall_distance,
        measures.jitter,
        measures.path_ratio,
        measures.detour,
        measures.standing_free,
        measures.turn_changes,
        measures.mean_speed,
        measures.walking_time,
        measures.longest_walk,
        measures.longest_stand,
    ] {
        put_f64(buffer, value);
    }
    put(buffer, u64::from(measures.standing.is_some()));
    if let Some(standing) = &measures.standing {
        put(buffer, standing.people);
        standing.at.iter().chain([&standing.from, &standing.to]).for_each(|value| put_f64(buffer, *value));
    }
}

/// Appends the walkable spaces.
pub fn put_spaces(buffer: &mut Vec<u8>, spaces: &[Space]) {
    put_list(buffer, spaces, |buffer, space| {
        put_f64(buffer, space.from);
        put_text(buffer, &space.wkt);
    });
}

/// Takes the walkable spaces.
pub fn take_spaces(source: &mut Source) -> Result<Vec<Space>> {
    let spaces = take_list(source, 9, |source| Ok(Space { from: source.f64()?, wkt: source.text()? }))?;
    if !spaces.is_sorted_by(|a, b| a.from <= b.from) {
        return Err(source.fault("the spaces are not in the order of their times"));
    }
    Ok(spaces)
}

/// Appends what the probes found.
pub fn put_readings(buffer: &mut Vec<u8>, readings: &[Readings]) {
    put_list(buffer, readings, |buffer, readings| {
        put_list(buffer, &readings.crossings, |buffer, crossing| {
            put_f64(buffer, crossing.time);
            put(buffer, u64::from(crossing.to_left));
        });
        put_list(buffer, &readings.samples, |buffer, sample| {
            put_f64(buffer, sample.time);
            put_f64(buffer, sample.density);
            put_maybe(buffer, sample.speed);
        });
    });
}

/// Takes what the probes found. There is one reading for each probe, or none at all.
pub fn take_readings(source: &mut Source, probes: usize) -> Result<Vec<Readings>> {
    let readings = take_list(source, 2, |source| {
        Ok(Readings {
            crossings: take_list(source, 9, |source| {
                Ok(Crossing { time: source.f64()?, to_left: take_flag(source)? })
            })?,
            samples: take_list(source, 17, |source| {
                Ok(AreaSample { time: source.f64()?, density: source.f64()?, speed: take_maybe(source)? })
            })?,
        })
    })?;
    let is_sound = readings.is_empty() || readings.len() == probes;
    if is_sound { Ok(readings) } else { Err(source.fault("there is not one reading for each probe")) }
}

/// Takes what was measured.
pub fn take_measures(source: &mut Source) -> Result<Measures> {
    Ok(Measures {
        frames: source.number()?,
        overlapping_pairs: source.number()?,
        bodies_in_walls: source.number()?,
        largest_overlap: source.f64()?,
        largest_wall_overlap: source.f64()?,
        least_wall_distance: source.f64()?,
        jitter: source.f64()?,
        path_ratio: source.f64()?,
        detour: source.f64()?,
        standing_free: source.f64()?,
        turn_changes: source.f64()?,
        mean_speed: source.f64()?,
        walking_time: source.f64()?,
        longest_walk: source.f64()?,
        longest_stand: source.f64()?,
        standing: if take_flag(source)? { Some(take_standing(source)?) } else { None },
    })
}

fn take_standing(source: &mut Source) -> Result<Standing> {
    Ok(Standing {
        people: source.number()?,
        at: [source.f64()?, source.f64()?, source.f64()?],
        from: source.f64()?,
        to: source.f64()?,
    })
}

/// Appends the bodies.
pub fn put_agents(buffer: &mut Vec<u8>, agents: &[AgentRecord]) {
    put_list(buffer, agents, |buffer, agent| {
        put(buffer, agent.id);
        put_f64(buffer, agent.radius);
        put_f64(buffer, agent.speed);
        put(buffer, u64::from(agent.tag));
        put_text(buffer, &agent.profile);
        put_maybe(buffer, agent.way);
        put_f64(buffer, agent.entered);
    });
}

/// Takes the bodies.
pub fn take_agents(source: &mut Source) -> Result<Vec<AgentRecord>> {
    take_list(source, 28, |source| {
        let agent = AgentRecord {
            id: source.number()?,
            radius: source.f64()?,
            speed: source.f64()?,
            tag: source.small()?,
            profile: source.text()?,
            way: take_maybe(source)?,
            entered: source.f64()?,
        };
        let numbers = [agent.radius, agent.speed, agent.entered, agent.way.unwrap_or(0.0)];
        let is_sound = numbers.iter().all(|value| *value >= 0.0);
        if is_sound { Ok(agent) } else { Err(source.fault("a radius, speed, time or way is negative")) }
    })
}

/// Appends what happened.
pub fn put_events(buffer: &mut Vec<u8>, events: &[RunEvent]) {
    put_list(buffer, events, |buffer, event| {
        put_f64(buffer, event.time);
        put(buffer, u64::from(event.agent));
        buffer.push(event.kind as u8);
        put(buffer, event.exit.map_or(0, |exit| u64::from(exit) + 1));
    });
}

/// Takes what happened.
pub fn take_events(source: &mut Source, agents: usize, exits: usize) -> Result<Vec<RunEvent>> {
    take_list(source, 11, |source| {
        let time = source.f64()?;
        let agent = source.small()?;
        let kind = source.byte()?;
        let exit = source.number()?;
        let kind = is_event(kind).ok_or_else(|| source.fault(&format!("event {kind} is not known")))?;
        if agent as usize >= agents || exit > exits as u64 {
            return Err(source.fault("an event names a body or an exit that is not there"));
        }
        Ok(RunEvent { time, agent, kind, exit: exit.checked_sub(1).map(|exit| exit as u32) })
    })
}
