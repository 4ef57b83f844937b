use crate::plan::{Plan, PlanFormat, PlanOptions, PlanRole};

fn svg(inside: &str) -> String {
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' \
             xmlns:inkscape='http://www.inkscape.org/namespaces/inkscape' viewBox='0 0 100 50'>{inside}</svg>"
    )
}

fn read(inside: &str) -> Plan {
    Plan::parse(PlanFormat::Svg, &svg(inside)).unwrap_or_else(|error| panic!("{inside}: {error}"))
}

fn rounded(points: &[[f64; 2]]) -> Vec<[i64; 2]> {
    points.iter().map(|point| point.map(|value| value.round() as i64)).collect()
}

#[test]
fn shapes_are_turned_over_and_transformed() {
    let plan = read("<g transform='translate(10 0)'><rect width='4' height='2' transform='scale(2)'/></g>");
    assert_eq!(rounded(&plan.rings[0]), [[10, 50], [18, 50], [18, 46], [10, 46]]);
}

#[test]
fn filled_shapes_are_areas_and_others_lines() {
    let plan = read("<style>.w{fill:none}</style><rect width='9' height='9'/><path class='w' d='M0 0 h3 v3 z'/>
        <line x2='5' y2='5'/><path style='fill:none' d='M1 1 Q 3 3 5 1'/><rect display='none' width='1' height='1'/>");
    assert_eq!((plan.rings.len(), plan.walls.len(), plan.enclosed), (1, 3, None));
    let plan = read("<g fill='none'><rect width='9' height='9'/></g>");
    assert_eq!((plan.rings.len(), plan.walls.len(), plan.enclosed), (0, 1, Some(3.0)));
}

#[test]
fn circles_stay_within_their_tolerance_or_are_told() {
    let plan = read("<circle r='2000'/>");
    let middle = [0, 1].map(|k| f64::midpoint(plan.rings[0][0][k], plan.rings[0][1][k]));
    let off = 2000.0 - middle[0].hypot(middle[1] - 50.0);
    assert!((0.0..=0.01).contains(&off), "{off}");
    assert!(!plan.notes.iter().any(|note| note.contains("is large")), "{:?}", plan.notes);
    let plan = read("<circle r='1e9'/>");
    assert!(plan.notes.iter().any(|note| note.contains("<circle>: a curve is large: the limit of 4096")));
    let plan = read("<path d='M0 0 C 0 1e8 1e8 1e8 1e8 0'/>");
    assert!(plan.notes.iter().any(|note| note.contains("<path>: a curve is large: the limit of 4096")));
}

#[test]
fn labels_classes_and_ids_name_parts() {
    let text = "<g inkscape:label='Floors' id='layer1'><rect id='rect77' width='9' height='9'/></g>
        <g id='furniture'><rect class='desk' id='big one' width='1' height='1'/></g><rect id='main exit' width='1' height='1'/>";
    let plan = read(text);
    let names: Vec<_> = plan.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["Floors", "furniture/desk/big one", "main exit"]);
    assert_eq!((plan.obstacles.len(), plan.places.len()), (1, 1));
    assert_eq!(plan.places[0].name, "main exit");
    let options = PlanOptions::default().roles(vec![(PlanRole::Floor, "floors".into())]);
    let plan = Plan::parse_bytes(PlanFormat::Svg, svg(text).as_bytes(), &options).unwrap();
    assert_eq!((plan.polygons.len(), plan.rings.len()), (1, 0));
}

#[test]
fn paths_of_several_outlines_have_holes() {
    let plan = read("<path d='M0 0 H9 V9 H0 Z M1 1 H3 V3 H1 Z M20 0 h5 v5 z'/>");
    assert_eq!(plan.polygons.len(), 2);
    assert_eq!(plan.polygons[0].holes.len(), 1);
}

#[test]
fn symbols_are_used_where_they_are_placed() {
    let plan = read("<defs><symbol id='s'><rect width='1' height='1'/></symbol><g id='t'><rect width='2' height='2'/></g></defs>
        <use xlink:href='#s' x='5' y='5'/><use href='#t' transform='translate(1,1)'/><use href='#none'/>");
    assert_eq!(rounded(&plan.rings[0])[0], [5, 45]);
    assert_eq!(rounded(&plan.rings[1])[0], [1, 49]);
    assert!(
        plan.notes.iter().any(|note| note.contains("uses an element that is not there")),
        "{:?}",
        plan.notes
    );
}

#[test]
fn real_sizes_are_kept() {
    let text = "<svg xmlns='http://www.w3.org/2000/svg' width='12000mm' viewBox='0 0 1200 800'><rect width='100' height='100'/></svg>";
    let plan = Plan::parse(PlanFormat::Svg, text).unwrap();
    assert_eq!(plan.bounds(), Some([[0.0, 7.0], [1.0, 8.0]]));
}

#[test]
fn bad_files_are_refused_with_a_place() {
    let deep = "<g>".repeat(80) + &"</g>".repeat(80);
    let laughing = "<g id='a'><use href='#a'/></g>";
    let crowded = format!("<path d='{}'/>", "M0 0h1v1z".repeat(20_000));
    let cases = [
        (svg(&crowded), "line 1, column "),
        ("<svg".to_string(), "not XML: "),
        ("<html/>".to_string(), "the root element is `html`, not `svg`"),
        (svg("\n<path d='M0 0 L x'/>"), "line 2, column 1, <path>: d: "),
        (svg("<g transform='turn(3)'/>"), "line 1, column "),
        (svg(&deep), "line 1, column "),
        (svg(laughing), "line 1, column "),
        (svg("<rect width='1e300' height='2'/>"), "line 1, column "),
    ];
    for (text, message) in cases {
        let error = Plan::parse(PlanFormat::Svg, &text).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn an_arc_without_bound_is_refused_before_it_is_divided() {
    let far = "9".repeat(49);
    for d in [format!("M1 1 H{far} V7 A2 2 0 0 1 11 9 Z"), format!("M1 1 A{far} 1 0 1 1 5 5 Z")] {
        let error = Plan::parse(PlanFormat::Svg, &svg(&format!("<path d='{d}'/>"))).unwrap_err().to_string();
        assert!(
            error.ends_with("<path>: d: a number is 1e49, beyond the limit of ±1099511627776"),
            "{error}"
        );
    }
    // Steps that are allowed by themselves end far outside, where the plan as a whole is refused.
    let steps = format!("M0 0 {}A2 2 0 0 1 11 9 Z", "h1e12 ".repeat(1000));
    let error = Plan::parse(PlanFormat::Svg, &svg(&format!("<path d='{steps}'/>"))).unwrap_err().to_string();
    assert!(error.contains("beyond the limit of ±1099511627776"), "{error}");
}
