//! The parts of a `.cwt` file in front of the frames: header, measures, bodies, events.

use super::bytes::{Source, put, put_f64, put_text};
use crate::geometry::{Exit, Gate, Geometry, Line, Storey};
use crate::header::{AgentRecord, Header, RunEvent};
use crate::measures::Measures;
use crate::recorder::is_event;
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
    put_list(buffer, &header.warnings, |buffer, warning| put_text(buffer, warning));
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
    Ok(Geometry { storeys, exits, gates, is_layered })
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
    ] {
        put_f64(buffer, value);
    }
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
        put(buffer, u64::from(agent.way.is_some()));
        agent.way.iter().for_each(|way| put_f64(buffer, *way));
    });
}

/// Takes the bodies.
pub fn take_agents(source: &mut Source) -> Result<Vec<AgentRecord>> {
    take_list(source, 20, |source| {
        let agent = AgentRecord {
            id: source.number()?,
            radius: source.f64()?,
            speed: source.f64()?,
            tag: source.small()?,
            profile: source.text()?,
            way: if take_flag(source)? { Some(source.f64()?) } else { None },
        };
        let is_sound =
            [agent.radius, agent.speed, agent.way.unwrap_or(0.0)].iter().all(|value| *value >= 0.0);
        if is_sound { Ok(agent) } else { Err(source.fault("a radius, speed or way is negative")) }
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
