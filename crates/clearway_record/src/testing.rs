//! Runs made by formula, for tests.

use crate::{
    AgentRecord, EventKind, Exit, Gate, Geometry, Header, Place, Probe, Recorder, Recording, RunEvent, Storey,
};

/// Random numbers for tests.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A whole number below a limit.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    /// A number between two.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.below(1 << 30) as f64 / f64::from(1 << 30)
    }
}

fn ring(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    points.to_vec()
}

/// A room of 12 m by 10 m with a pillar, and a door of 1.2 m into a corridor with the exit "east" at its end; a second
/// exit "west" on the other side.
fn door_geometry() -> Geometry {
    let outer = ring(&[
        [0.0, 0.0],
        [12.0, 0.0],
        [12.0, 4.4],
        [14.0, 4.4],
        [14.0, 3.0],
        [20.0, 3.0],
        [20.0, 7.0],
        [14.0, 7.0],
        [14.0, 5.6],
        [12.0, 5.6],
        [12.0, 10.0],
        [0.0, 10.0],
        [0.0, 6.0],
        [-2.0, 6.0],
        [-2.0, 5.0],
        [0.0, 5.0],
    ]);
    let pillar = ring(&[[4.0, 6.5], [5.0, 6.5], [5.0, 7.5], [4.0, 7.5]]);
    let exits = vec![
        Exit::new("east", 0, vec![[18.5, 3.0], [20.0, 3.0], [20.0, 7.0], [18.5, 7.0]]),
        Exit::new("west", 0, vec![[-2.0, 5.0], [-1.2, 5.0], [-1.2, 6.0], [-2.0, 6.0]]),
    ];
    let probes = vec![
        Probe::new("east line", 0, vec![[16.0, 3.0], [16.0, 7.0]]),
        Probe::new("before the gate", 0, vec![[9.0, 3.5], [12.0, 3.5], [12.0, 6.5], [9.0, 6.5]]),
    ];
    let gate = Gate::new("gate", 0, vec![[12.0, 4.4], [12.0, 5.6]]);
    let geometry = Geometry::of_plan(&[outer, pillar], &[vec![[8.0, 0.0], [8.0, 2.5]]]);
    geometry.exits(exits).gates(vec![gate]).probes(probes)
}

/// Bodies that queue through a door at 1.8 a second, one in six through the other exit. Each walks straight to the door
/// at a time of its own and waits in line.
pub fn door(bodies: u32, seed: u64) -> Recording {
    let header = Header::new("room with a door", door_geometry())
        .seed(seed)
        .model("formula".to_string())
        .scenario_text("# a room with a door\n[[sources]]\ncount = 200 # </script> & <b>\n".to_string())
        .warnings(vec!["2 bodies were moved out of walls".to_string()]);
    let mut recorder = Recorder::new(header).unwrap();
    let mut dice = Dice::new(seed);
    let mut plans = Vec::new();
    for number in 0..bodies {
        let speed = dice.between(1.0, 1.6);
        let start = [dice.between(0.5, 10.0), dice.between(0.5, 9.5)];
        let goes_west = number % 6 == 5;
        let gate = if goes_west { [-0.2, dice.between(5.2, 5.8)] } else { [12.2, dice.between(4.6, 5.4)] };
        let end = if goes_west { [-1.6, gate[1]] } else { [19.0, dice.between(3.5, 6.5)] };
        let turn = f64::from(number) / 1.8;
        plans.push((start, gate, end, speed, turn, goes_west));
        let way = distance(start, gate) + distance(gate, end);
        let record = AgentRecord::new(u64::from(number) * 3).speed(speed).way(way).tag(number % 2);
        recorder.add_agent(record.profile("adult".to_string())).unwrap();
    }
    let mut left = vec![false; bodies as usize];
    let mut step = 0;
    while left.iter().any(|gone| !gone) && step < 20_000 {
        let time = f64::from(step) * 0.1;
        let mut places = Vec::new();
        for (number, (start, gate, end, speed, turn, goes_west)) in plans.iter().enumerate() {
            if left[number] {
                continue;
            }
            let first = distance(*start, *gate) / speed;
            let arrives = first.max(*turn + 2.0);
            let after = (time - arrives).max(0.0) * speed;
            let (at, now) = if time < arrives {
                // It walks slower when it must queue.
                let share = (time / arrives).powf(0.8);
                (mix(*start, *gate, share), distance(*start, *gate) / arrives)
            } else {
                (mix(*gate, *end, (after / distance(*gate, *end)).min(1.0)), *speed)
            };
            if after >= distance(*gate, *end) {
                left[number] = true;
                let event = RunEvent::new(time, number as u32, EventKind::Left);
                recorder.event(event.exit(u32::from(*goes_west))).unwrap();
                continue;
            }
            places.push(Place::new(number as u32, [at[0], at[1], 0.0]).speed(now));
        }
        recorder.frame(time, places).unwrap();
        step += 1;
    }
    recorder.closed(0, 1.0, 2.5);
    recorder.finish()
}

/// A tower of three storeys in which bodies circle and change floors.
pub fn tower(bodies: u32) -> Recording {
    let floor =
        |z: f64| -> Vec<[f64; 3]> { vec![[0.0, 0.0, z], [20.0, 0.0, z], [20.0, 14.0, z], [0.0, 14.0, z]] };
    let core =
        |z: f64| -> Vec<[f64; 3]> { vec![[8.0, 5.0, z], [12.0, 5.0, z], [12.0, 9.0, z], [8.0, 9.0, z]] };
    let storeys =
        [0.0, 3.5, 7.0].map(|z| Storey::new(format!("level {z}"), z).rings(vec![floor(z), core(z)]));
    let exit = Exit::new("lobby", 0, vec![[19.0, 6.0], [20.0, 6.0], [20.0, 8.0], [19.0, 8.0]]);
    let geometry = Geometry::default().storeys(storeys.to_vec()).exits(vec![exit]).is_layered(true);
    let mut recorder = Recorder::new(Header::new("tower", geometry).model("formula".to_string())).unwrap();
    for number in 0..bodies {
        recorder.add_agent(AgentRecord::new(u64::from(number))).unwrap();
    }
    for step in 0..300 {
        let time = f64::from(step) * 0.1;
        let place = |number: u32| {
            let angle = f64::from(number) * 2.4 + time * 1.3 / 6.0;
            let radius = 4.5 + f64::from(number % 5) * 0.45;
            let z = (7.0 - f64::from(number % 3) * 3.5 - time * 0.2).max(0.0);
            Place::new(number, [10.0 + radius * angle.cos() * 1.4, 7.0 + radius * angle.sin(), z]).speed(1.2)
        };
        recorder.frame(time, (0..bodies).map(place)).unwrap();
    }
    recorder.finish()
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

fn mix(a: [f64; 2], b: [f64; 2], share: f64) -> [f64; 2] {
    [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]
}
