//! Porches: ground behind exits that a plan draws as a line where its ground ends.
//!
//! People who vanish at such a line leave faster than its opening lets anybody through, because nobody is in front of
//! them. So the ground goes on behind the line for the run, as wide as the line and with walls beside it, and people
//! leave at its end. Invariant: the exit lies on the porch alone, so whoever leaves has passed the whole opening. Cost: one
//! more build of the plan.

use clearway_nav::{Location, NavMesh};
use clearway_world::Plan;
use clearway_world::plan::PlanPolygon;

/// A line by its two ends.
pub(crate) type Ends = [[f64; 2]; 2];

/// Ground that goes on so far behind a line, in metres, needs no porch: whoever crosses the line has passed the opening.
const GOES_ON: f64 = 0.5;

/// The distance in metres behind the line at which people leave. It covers the walls of an opening and two bodies, so that
/// those who leave still stand in the way of those who come.
const LEAVE: f64 = 1.0;

/// The least depth of the exit behind that, in metres.
const LEAST_DEPTH: f64 = 0.4;

/// The length in metres by which a porch reaches into the ground before it: above rounding to the grid.
const OVERLAP: f64 = 0.05;

/// The places along a line at which the ground is looked at, as parts of its length.
const SAMPLES: [f64; 5] = [0.1, 0.3, 0.5, 0.7, 0.9];

/// The distance in metres within which ground must begin beside a line, and the steps in which it is looked for.
const NEAR: [f64; 2] = [0.5, 0.05];

/// The ground behind an exit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Porch {
    /// The line of the exit.
    pub line: Ends,
    /// The corners of the part on which people leave.
    pub exit: Vec<[f64; 2]>,
    /// The corners of all of it.
    pub outline: Vec<[f64; 2]>,
    /// The unit direction in which people leave.
    ahead: [f64; 2],
    /// The distance in metres before the line at which the ground before it ends.
    gap: f64,
}

impl Porch {
    /// Returns the porch that a line needs for bodies up to a radius; `None` if the ground goes on behind it, or if
    /// there is none before it.
    pub fn behind(mesh: &NavMesh, line: Ends, radius: f64) -> Option<Porch> {
        let [a, b] = line;
        let along = [b[0] - a[0], b[1] - a[1]];
        let length = along[0].hypot(along[1]);
        let left = [-along[1] / length, along[0] / length];
        let right = left.map(|c| -c);
        let ([left_gap, left_depth], [right_gap, right_depth]) =
            (beside(mesh, line, left), beside(mesh, line, right));
        if left_depth.min(right_depth) >= GOES_ON {
            return None;
        }
        let (ahead, gap) = if left_depth < right_depth { (left, right_gap) } else { (right, left_gap) };
        if left_depth.max(right_depth) <= 0.0 || !length.is_normal() {
            return None;
        }
        let end = LEAVE + LEAST_DEPTH.max(radius + OVERLAP);
        let at = |end: [f64; 2], far: f64| [end[0] + far * ahead[0], end[1] + far * ahead[1]];
        let strip = |from: f64, to: f64| vec![at(a, from), at(b, from), at(b, to), at(a, to)];
        Some(Porch { line, exit: strip(LEAVE, end), outline: strip(-gap - OVERLAP, end), ahead, gap })
    }

    /// Lays the porch into a plan. Its walls keep it apart from whatever else lies behind the line.
    pub fn add_to(&self, plan: &mut Plan) {
        let [a, b] = self.line;
        let [_, _, far_b, far_a] = self.outline[..] else { return };
        // Where walls enclose the floor, the walls of the porch do. An outline would make it a shape of its own there, and
        // narrow shapes are taken for the insides of walls.
        if plan.enclosed.is_none() {
            plan.polygons.push(PlanPolygon { outline: self.outline.clone(), holes: Vec::new() });
        }
        plan.walls.push(vec![a, far_a, far_b, b]);
    }

    /// True if people get from the ground before the line to the exit: no wall was drawn along the line.
    pub fn is_open(&self, mesh: &NavMesh) -> bool {
        let leads_out = |at: [f64; 2]| {
            let on = |far: f64| [0, 1].map(|axis| at[axis] + far * self.ahead[axis]);
            let from = mesh.locate(on(-self.gap - 2.0 * OVERLAP)).ok();
            from.and_then(|from| mesh.raycast(from, on(LEAVE), 0.0)).is_some_and(|hit| hit.reached())
        };
        2 * samples(self.line).filter(|at| leads_out(*at)).count() > SAMPLES.len()
    }
}

/// Returns the side of an exit along which the ground ends, if it is the only one: an area that was drawn before an
/// opening. People leave through the opening then, and not from all sides of the area.
pub(crate) fn opening_of(mesh: &NavMesh, outline: &[[f64; 2]]) -> Option<Ends> {
    let following = || outline.iter().skip(1).chain(outline.first());
    let doubled: f64 = outline.iter().zip(following()).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum();
    let outward = if doubled > 0.0 { 1.0 } else { -1.0 };
    let ends = |[a, b]: &Ends| {
        let [x, y] = [outward * (b[1] - a[1]), outward * (a[0] - b[0])];
        let length = x.hypot(y);
        let is_ground = |at: [f64; 2], far: f64| {
            mesh.locate([at[0] + far * x / length, at[1] + far * y / length]).is_ok()
        };
        let ends_here = |at: &[f64; 2]| is_ground(*at, -2.0 * OVERLAP) && !is_ground(*at, OVERLAP);
        2 * samples([*a, *b]).filter(ends_here).count() > SAMPLES.len()
    };
    let mut sides =
        outline.iter().zip(following()).map(|(a, b)| [*a, *b]).filter(|[a, b]| a != b).filter(ends);
    sides.next().filter(|_| sides.next().is_none())
}

/// Returns the points along a line at which the ground is looked at.
fn samples([a, b]: Ends) -> impl Iterator<Item = [f64; 2]> {
    SAMPLES.into_iter().map(move |part| [0, 1].map(|axis| a[axis] + part * (b[axis] - a[axis])))
}

/// Returns the distances at which the ground beside a line begins and ends in a direction, in metres: the middle ones of
/// those at its samples.
fn beside(mesh: &NavMesh, line: Ends, towards: [f64; 2]) -> [f64; 2] {
    let mut found = [[0.0; SAMPLES.len()]; 2];
    for (index, at) in samples(line).enumerate() {
        let [gap, depth] = ground_from(mesh, at, towards);
        (found[0][index], found[1][index]) = (gap, depth);
    }
    found.map(|mut list| {
        list.sort_by(f64::total_cmp);
        list[SAMPLES.len() / 2]
    })
}

/// Returns the distances at which the ground begins and ends from a point in a direction, in metres.
fn ground_from(mesh: &NavMesh, at: [f64; 2], towards: [f64; 2]) -> [f64; 2] {
    let on = |far: f64| [0, 1].map(|axis| at[axis] + far * towards[axis]);
    let [reach, step] = NEAR;
    let steps = (0..=(reach / step) as usize).map(|number| number as f64 * step);
    let start = |far: f64| -> Option<(f64, Location)> { Some((far, mesh.locate(on(far)).ok()?)) };
    let found = steps.filter_map(start).next();
    let Some((gap, from)) = found else { return [reach, 0.0] };
    let depth = mesh.raycast(from, on(gap + 2.0 * GOES_ON), 0.0).map_or(0.0, |hit| hit.distance);
    [gap, if depth > 0.0 { gap + depth } else { 0.0 }]
}

#[cfg(test)]
mod tests {
    use crate::{Ground, Outcome, Run, Scenario, Verdict};
    use clearway_scenes::Scratch;

    /// 150 people in a room of 10 m by 10 m.
    const PEOPLE: &str = "[run]\nlimit = 200\n[[source]]\nrectangle = [[0.2, 0.2], [8, 9.8]]\ncount = 150\n";

    fn run(text: &str, folder: &std::path::Path) -> (Outcome, Scenario) {
        let mut scenario = Scenario::parse("s.toml", folder.to_path_buf(), text).unwrap();
        let ground = Ground::load(&scenario, None).unwrap();
        scenario.settle(&ground).unwrap();
        let outcome = Run::new(&scenario, &ground, 0).unwrap().finish(|_| Ok(true)).unwrap();
        assert_eq!((outcome.verdict, outcome.arrived), (Some(Verdict::Arrived), 150), "{outcome:?}");
        (outcome, scenario)
    }

    fn flow(outcome: &Outcome) -> f64 {
        let exit = &outcome.exits[0];
        (exit.people - 1) as f64 / (exit.last.unwrap() - exit.first.unwrap())
    }

    /// The doorway of the room, 1 m wide and 0.2 m deep, with ground behind it.
    fn doorway() -> f64 {
        let plan = "POLYGON ((0 0, 10 0, 10 4.5, 10.2 4.5, 10.2 3, 13 3, 13 7, 10.2 7, 10.2 5.5, 10 5.5, 10 10, 0 10, 0 0))";
        let exit = "[[exit]]\nname = 'exit'\nrectangle = [[12, 3], [13, 7]]\n";
        flow(&run(&format!("[world]\nwkt = '{plan}'\n{exit}{PEOPLE}goal = 'exit'\n"), "".as_ref()).0)
    }

    /// People vanished half a metre before such a line, 2.7 times as many as the doorway lets through.
    #[test]
    fn an_exit_that_is_a_line_has_the_flow_of_its_opening() {
        let expected = doorway();
        let plan = "POLYGON ((0 0, 10 0, 10 4.5, 10.2 4.5, 10.2 5.5, 10 5.5, 10 10, 0 10, 0 0))";
        for x in ["10.0", "10.1", "10.2"] {
            let exit = format!("[[exit]]\nname = 'exit'\nline = [[{x}, 4.5], [{x}, 5.5]]\n");
            let text = format!("[world]\nwkt = '{plan}'\n{exit}{PEOPLE}goal = 'exit'\n");
            let (outcome, _) = run(&text, "".as_ref());
            let flow = flow(&outcome);
            assert!((flow / expected - 1.0).abs() < 0.1, "{x}: {flow} {expected}");
            assert!(outcome.notes.is_empty(), "{outcome:?}");
        }
    }

    /// Writes a drawing of closed polylines on layers.
    fn dxf(shapes: &[(&str, bool, &[[f64; 2]])]) -> String {
        let mut text =
            "0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n6\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n".to_string();
        for (layer, is_closed, points) in shapes {
            text +=
                &format!("0\nLWPOLYLINE\n8\n{layer}\n90\n{}\n70\n{}\n", points.len(), u8::from(*is_closed));
            text.extend(points.iter().map(|[x, y]| format!("10\n{x}\n20\n{y}\n")));
        }
        text + "0\nENDSEC\n0\nEOF\n"
    }

    /// The same in a drawing of walls: with a line in the doorway, and with an area before it.
    #[test]
    fn an_exit_of_a_drawing_has_the_flow_of_its_opening() {
        let expected = doorway();
        let walls: &[[f64; 2]] = &[
            [10.0, 4.5],
            [10.0, 0.0],
            [0.0, 0.0],
            [0.0, 10.0],
            [10.0, 10.0],
            [10.0, 5.5],
            [10.2, 5.5],
            [10.2, 10.2],
            [-0.2, 10.2],
            [-0.2, -0.2],
            [10.2, -0.2],
            [10.2, 4.5],
        ];
        let line: &[[f64; 2]] = &[[10.1, 4.5], [10.1, 5.5]];
        let area: &[[f64; 2]] = &[[9.6, 4.5], [10.2, 4.5], [10.2, 5.5], [9.6, 5.5]];
        for (exit, is_closed) in [(line, false), (area, true)] {
            let scratch = Scratch::new("porch");
            let drawing = dxf(&[("WALLS", true, walls), ("EXITS", is_closed, exit)]);
            scratch.write("room.dxf", drawing.as_bytes());
            let text = format!("[world]\nfile = 'room.dxf'\n{PEOPLE}exit = 'exit'\n");
            let (outcome, scenario) = run(&text, scratch.folder());
            let flow = flow(&outcome);
            assert!((flow / expected - 1.0).abs() < 0.1, "{flow} {expected}");
            assert!((scenario.places[0].capacity - 1.9).abs() < 1e-9 && outcome.notes.is_empty());
            // By [[exit]] it has a name, and may be limited.
            let own = "[[exit]]\nname = 'front'\nexit = 'exit'\nthroughput = 1\n";
            let text = format!("[world]\nfile = 'room.dxf'\n{own}{PEOPLE}goal = 'front'\n");
            let (outcome, _) = run(&text, scratch.folder());
            assert_eq!((outcome.exits.len(), outcome.exits[0].name.as_str()), (1, "front"));
            assert!((self::flow(&outcome) - 1.0).abs() < 0.05, "{outcome:?}");
        }
    }

    /// A line with ground on both sides takes people who step over it, in any time step.
    #[test]
    fn people_leave_at_a_line_in_the_middle_of_the_ground() {
        let exit =
            "[[exit]]\nname = 'exit'\nline = [[12, 0], [12, 10]]\n[[profile]]\nname = 'runner'\nspeed = 7\n";
        let plan = "POLYGON ((0 0, 20 0, 20 10, 0 10, 0 0))";
        let people = PEOPLE.replace("limit = 200", "limit = 200\ndt = 0.5");
        let text = format!("[world]\nwkt = '{plan}'\n{exit}{people}goal = 'exit'\n");
        let mut scenario = Scenario::parse("s.toml", "".into(), &text).unwrap();
        let ground = Ground::load(&scenario, None).unwrap();
        scenario.settle(&ground).unwrap();
        let mut run = Run::new(&scenario, &ground, 0).unwrap();
        let outcome = run.finish(|run| {
            assert!(run.crowd().agents().all(|agent| agent.at.position()[0] < 12.1));
            Ok(true)
        });
        let outcome = outcome.unwrap();
        assert_eq!((outcome.verdict, outcome.arrived), (Some(Verdict::Arrived), 150), "{outcome:?}");
    }

    /// An exit of a plan can be closed and limited like any other.
    #[test]
    fn an_exit_of_a_plan_closes_and_is_limited() {
        let plan = "POLYGON ((0 0, 10 0, 10 4.5, 10.2 4.5, 10.2 5.5, 10 5.5, 10 10, 0 10, 0 0))";
        let exit = "[[exit]]\nname = 'exit'\nline = [[10.1, 4.5], [10.1, 5.5]]\nclosed = [[0, 20]]\nthroughput = 1\n";
        let text = format!("[world]\nwkt = '{plan}'\n{exit}{PEOPLE}goal = 'exit'\n");
        let (outcome, _) = run(&text, "".as_ref());
        assert!(outcome.exits[0].first.unwrap() > 20.0 && (flow(&outcome) - 1.0).abs() < 0.05, "{outcome:?}");
    }
}
