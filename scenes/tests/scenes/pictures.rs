//! Pictures of everything, for the eye: one SVG each in the target directory's `tmp/pictures`.

use clearway_scenes::{Family, PlanDrawing, hospital_ward, market, turn_back, two_ways};

use crate::measure::{Point, points};

#[test]
fn pictures_are_written() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures");
    std::fs::create_dir_all(&folder).unwrap();
    for seed in 1..=3 {
        let plans = Family::ALL.into_iter().map(|family| (family.name(), family.draw(400, seed)));
        let worlds = [("hospital_ward", hospital_ward(seed)), ("market", market(seed))];
        for (name, plan) in plans.chain(worlds) {
            std::fs::write(folder.join(format!("{name}_{seed}.svg")), svg(&plan)).unwrap();
        }
    }
    for (name, plan) in [("turn_back", turn_back()), ("two_ways", two_ways())] {
        std::fs::write(folder.join(format!("{name}.svg")), svg(&plan)).unwrap();
    }
}

fn svg(plan: &PlanDrawing) -> String {
    let low = [0, 1].map(|axis| points(plan).map(|point| point[axis]).fold(f64::INFINITY, f64::min));
    let high = [0, 1].map(|axis| points(plan).map(|point| point[axis]).fold(f64::NEG_INFINITY, f64::max));
    let margin = 0.02 * (high[0] - low[0]);
    let [width, height] = [0, 1].map(|axis| high[axis] - low[axis] + 2.0 * margin);
    let path = |line: &Vec<Point>| -> String {
        let place = |[x, y]: &Point| format!(" {} {}", x - low[0] + margin, high[1] - y + margin);
        format!("M{}", line.iter().map(place).collect::<String>())
    };
    let area = |rings: &mut dyn Iterator<Item = &Vec<Point>>| {
        let rings: String = rings.map(|ring| path(ring) + " Z ").collect();
        format!("<path d='{rings}' fill='#f4efe4' fill-opacity='0.8' fill-rule='evenodd' stroke='#333'/>\n")
    };
    let mut body = String::new();
    for (outline, holes) in &plan.polygons {
        body += &area(&mut std::iter::once(outline).chain(holes));
    }
    body += &area(&mut plan.rings.iter());
    for wall in &plan.walls {
        body += &format!("<path d='{}' fill='none' stroke='#c33'/>\n", path(wall));
    }
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='1200' height='{}' viewBox='0 0 {width} {height}'>\n\
         <rect width='100%' height='100%' fill='#8a8f98'/>\n<g stroke-width='{}'>\n{body}</g>\n</svg>\n",
        1200.0 * height / width,
        width / 900.0
    )
}
