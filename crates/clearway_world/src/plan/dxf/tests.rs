use crate::plan::{Plan, PlanFormat, PlanOptions, PlanPolygon, PlanRole};

/// A file of these entities, with other sections before.
fn file(before: &str, entities: &str) -> String {
    let text = format!(
        "0 SECTION 2 HEADER 9 $INSUNITS 70 6 0 ENDSEC {before} 0 SECTION 2 ENTITIES {entities} 0 ENDSEC 0 EOF"
    );
    text.split_whitespace().map(|word| format!("{word}\n")).collect()
}

fn read(text: &str) -> Plan {
    Plan::parse(PlanFormat::Dxf, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn layers_of_jupedsim_have_their_roles() {
    let plan = read(&file(
        "",
        "0 LWPOLYLINE 8 jps-walkablearea 70 1 10 0 20 0 10 9 20 0 10 9 20 9 10 0 20 9
         0 LWPOLYLINE 8 jps-obstacles 70 129 10 1 20 1 10 2 20 1 10 2 20 2
         0 LWPOLYLINE 8 jps-exits 70 1 10 8 20 8 10 9 20 8 10 9 20 9
         0 CIRCLE 8 jps-waypoints 10 5 20 5 40 1
         0 LINE 8 jps-journeys 10 0 20 0 11 3 21 3
         0 LINE 8 other 10 0 20 0 11 3 21 3",
    ));
    assert_eq!((plan.polygons.len(), plan.obstacles.len(), plan.walls.len()), (1, 1, 0));
    let places: Vec<_> = plan.places.iter().map(|place| (place.name.as_str(), place.role)).collect();
    assert_eq!(places, [("exit 1", PlanRole::Exit), ("waypoint 1", PlanRole::Waypoint)]);
    assert_eq!(plan.enclosed, None);
    assert!(plan.notes[0].contains("`other` (1)"), "{:?}", plan.notes);
}

#[test]
fn lines_without_known_layers_are_walls_around_the_floor() {
    let plan = read(&file("", "0 LINE 8 0 10 0 20 0 11 3 21 0 0 LINE 8 0 10 3 20 0 11 3 21 3"));
    assert_eq!(plan.walls.len(), 2);
    assert_eq!(plan.enclosed, Some(3.0));
}

#[test]
fn blocks_are_scaled_mirrored_turned_and_arrayed() {
    let blocks = "0 SECTION 2 BLOCKS 0 BLOCK 2 b 10 1 20 0
         0 LINE 8 0 10 1 20 0 11 2 21 0 0 ENDBLK
         0 BLOCK 2 outer 10 0 20 0 0 INSERT 8 0 2 B 10 0 20 5 50 90 0 ENDBLK 0 ENDSEC";
    let entities = "0 INSERT 8 wall 2 b 10 10 20 0 41 -2 42 1 70 2 71 1 44 100 45 0
         0 INSERT 8 wall 2 outer 10 0 20 0 210 0 220 0 230 -1";
    let plan = read(&file(blocks, entities));
    let round = |wall: &Vec<[f64; 2]>| wall.iter().map(|p| p.map(|v| v.round() as i64)).collect::<Vec<_>>();
    let walls: Vec<_> = plan.walls.iter().map(round).collect();
    assert_eq!(walls, [vec![[10, 0], [8, 0]], vec![[110, 0], [108, 0]], vec![[0, 5], [0, 6]]]);
    assert_eq!(plan.parts[0].name, "wall/b");
}

#[test]
fn hidden_layers_and_paper_space_are_left_out() {
    let tables = "0 SECTION 2 TABLES 0 TABLE 2 LAYER 0 LAYER 2 off 62 -7 70 0 0 LAYER 2 frozen 62 7 70 1
         0 LAYER 2 on 62 7 70 0 0 ENDTAB 0 ENDSEC";
    let line = |layer: &str, extra: &str| format!("0 LINE 8 {layer} {extra} 10 0 20 0 11 1 21 1 ");
    let entities = line("off", "") + &line("frozen", "") + &line("on", "67 1") + &line("on", "");
    let plan = read(&file(tables, &entities));
    assert_eq!(plan.walls.len(), 1);
    assert!(plan.notes[0].starts_with("3 entities on layers that are off"), "{:?}", plan.notes);
}

#[test]
fn old_polylines_have_vertices_of_their_own() {
    let plan = read(&file(
        "",
        "0 POLYLINE 8 floor 66 1 70 1 0 VERTEX 8 floor 10 0 20 0 0 VERTEX 8 floor 10 4 20 0 42 1 0 VERTEX 8 floor 10 4 20 4
         0 SEQEND 0 LINE 8 wall 10 1 20 1 11 2 21 1",
    ));
    assert_eq!(plan.walls.len(), 1);
    let outline = &plan.polygons[0].outline;
    assert!(outline.len() > 10 && outline.iter().any(|point| (point[0] - 6.0).abs() < 0.02), "{outline:?}");
}

#[test]
fn floors_of_single_lines_are_chained() {
    let line =
        |a: [i32; 2], b: [i32; 2]| format!("0 LINE 8 floor 10 {} 20 {} 11 {} 21 {} ", a[0], a[1], b[0], b[1]);
    let entities =
        line([0, 0], [4, 0]) + &line([4, 4], [4, 0]) + &line([4, 4], [0, 0]) + &line([7, 7], [8, 8]);
    let plan = read(&file("", &entities));
    assert_eq!(plan.polygons.len(), 1);
    assert!(plan.notes[0].starts_with("1 lines of the floor do not close"), "{:?}", plan.notes);
}

#[test]
fn swings_of_doors_do_not_block() {
    let plan = read(&file(
        "",
        "0 LINE 8 0 10 0 20 0 11 5 21 0 0 ARC 8 0 10 0 20 0 40 0.9 50 0 51 90 0 ARC 8 0 10 0 20 0 40 4 50 0 51 90",
    ));
    assert_eq!(plan.walls.len(), 2);
    assert!(plan.notes[0].starts_with("1 quarter circles"), "{:?}", plan.notes);
}

/// A wall that is only hatched, with a hole and an arc, on a layer of walls; tiles on another layer.
#[test]
fn hatches_are_solid_on_layers_of_walls_only() {
    let hatch = |layer: &str| {
        format!(
            "0 HATCH 8 {layer} 10 0 20 0 30 0 2 SOLID 70 1 91 2
             92 3 72 0 73 1 93 4 10 0 20 0 10 9 20 0 10 9 20 9 10 0 20 9 97 0
             92 1 93 3 72 1 10 2 20 2 11 6 21 2 72 1 10 2 20 6 11 2 21 2
             72 2 10 2 20 2 40 4 50 0 51 90 73 1 97 1 330 AB 75 0 98 1 10 1 20 1 "
        )
    };
    let plan = read(&file("", &(hatch("A-WALL") + &hatch("TILES"))));
    assert_eq!((plan.obstacles.len(), plan.walls.len(), plan.enclosed), (1, 0, Some(3.0)));
    let PlanPolygon { outline, holes } = &plan.obstacles[0];
    assert_eq!((outline.len(), holes.len()), (4, 1));
    let farthest = holes[0].iter().map(|[x, y]| (x - 2.0).hypot(y - 2.0)).fold(0.0, f64::max);
    assert!(holes[0].len() > 6 && (farthest - 4.0).abs() < 1e-9, "{holes:?}");
    assert!(plan.notes[0].starts_with("1 hatches on layers of neither walls nor"), "{:?}", plan.notes);
    let options = PlanOptions::default().roles(vec![(PlanRole::Obstacle, "filled".to_string())]);
    let text = file("", &hatch("TILES"));
    let plan = Plan::parse_bytes(PlanFormat::Dxf, text.as_bytes(), &options).unwrap();
    assert_eq!(plan.obstacles.len(), 1);
}

/// Arcs of hatches that run clockwise count their angles clockwise: this one turns from (5, 0) to (0, -5).
#[test]
fn arcs_of_hatches_run_both_ways() {
    let plan = read(&file(
        "",
        "0 HATCH 8 wall 91 1 92 1 93 2 72 2 10 0 20 0 40 5 50 0 51 90 73 0 72 1 10 0 20 -5 11 5 21 0 97 0",
    ));
    let outline = &plan.obstacles[0].outline;
    assert!(outline.iter().all(|[x, y]| *x > -1e-9 && *y < 1e-9), "{outline:?}");
}

/// Walls that run on beneath a door are opened where a line of the door lies on them; leaves and frames open nothing.
#[test]
fn doors_drawn_as_lines_open_the_walls_beneath() {
    let line = |layer: &str, [a, b, c, d]: [f64; 4]| format!("0 LINE 8 {layer} 10 {a} 20 {b} 11 {c} 21 {d} ");
    let walls = "0 LWPOLYLINE 8 WALLS 70 1 10 0 20 0 10 12 20 0 10 12 20 8 10 0 20 8 ".to_string()
        + &line("WALLS", [6.0, 0.0, 6.0, 8.0]);
    let doors = line("DOORS", [6.01, 3.0, 6.01, 4.0])
        + &line("DOORS", [6.0, 5.0, 7.0, 5.0])
        + &line("DOORS", [6.0, 7.8, 6.0, 8.7])
        + &line("DOORS", [6.0, 6.0, 6.0, 6.1]);
    let plan = read(&file("", &(walls + &doors)));
    let pieces = [vec![[6.0, 0.0], [6.0, 3.0]], vec![[6.0, 4.0], [6.0, 8.0]]];
    assert!(pieces.iter().all(|piece| plan.walls.contains(piece)), "{:?}", plan.walls);
    assert_eq!((plan.walls.len(), plan.places.len()), (3, 1));
    assert_eq!((plan.places[0].name.as_str(), plan.places[0].role), ("door 1", PlanRole::Door));
}

#[test]
fn units_come_from_the_file_or_its_extent_or_the_options() {
    let line = "0 LINE 8 0 10 0 20 0 11 8000 21 0";
    let unitless = file("", line).replace("$INSUNITS", "$OTHER");
    let plan = read(&unitless);
    assert_eq!(plan.walls[0][1], [8.0, 0.0]);
    assert!(plan.notes[0].contains("read as millimetres"), "{:?}", plan.notes);
    let options = PlanOptions::default().scale(0.01);
    let plan = Plan::parse_bytes(PlanFormat::Dxf, unitless.as_bytes(), &options).unwrap();
    assert_eq!(plan.walls[0][1], [80.0, 0.0]);
    let plan = read(&file("", line).replace("\n6\n", "\n4\n"));
    assert_eq!(plan.walls[0][1], [8.0, 0.0]);
}

/// Walls that vanished without a word: what is declared and lacks is told, and so is what draws nothing.
#[test]
fn damaged_entities_are_told_with_their_line() {
    let cases = [
        (
            "SPLINE 8 wall 70 8 71 3 72 8 73 4 10 0 20 5",
            "SPLINE",
            "it declares 4 control points and has 1",
            true,
        ),
        (
            "SPLINE 8 wall 71 3 10 0 20 5 10 1 20 5",
            "SPLINE",
            "0 knots do not fit 2 control points of degree 3",
            false,
        ),
        (
            "HATCH 8 wall 91 1 92 2 93 4 10 4 20 4",
            "HATCH",
            "boundary 1: it declares 4 corners and has 1",
            true,
        ),
        (
            "HATCH 8 wall 91 1 92 1 93 1 72 1 10 4 20 4",
            "HATCH",
            "boundary 1 breaks off and was left out",
            false,
        ),
        (
            "HATCH 8 wall 91 2 92 2 93 3 10 4 20 4 10 5 20 4 10 5 20 5",
            "HATCH",
            "it declares 2 boundaries and has 1",
            false,
        ),
        (
            "LWPOLYLINE 8 wall 90 3 10 0 20 5 10 1 20 5",
            "LWPOLYLINE",
            "it declares 3 corners and has 2",
            false,
        ),
        ("MLINE 8 wall 72 3 11 0 21 5 11 1 21 5", "MLINE", "it declares 3 corners and has 2", false),
    ];
    for (entity, kind, flaw, is_empty) in cases {
        let plan = read(&file("", &format!("0 {entity} 0 LINE 8 wall 10 0 20 0 11 3 21 0")));
        assert_eq!(plan.notes[0], format!("layer `wall`: {kind} at line 16: {flaw}"), "{entity}");
        let empty = "1 entities or boundaries of hatches that span no line or area were left out";
        assert_eq!(plan.notes.iter().any(|note| note == empty), is_empty, "{entity}: {:?}", plan.notes);
    }
}

/// Large circles were cut into 512 chords whatever their size, and did not close.
#[test]
fn circles_of_every_size_close_and_stay_within_their_tolerance() {
    for radius in [2000.0, 3e8, 5e8] {
        let plan = read(&file("", &format!("0 CIRCLE 8 wall 10 0 20 0 40 {radius}")));
        let ring = &plan.walls[0];
        assert_eq!(ring.first(), ring.last());
        let middle = [0, 1].map(|k| f64::midpoint(ring[0][k], ring[1][k]));
        let off = radius - middle[0].hypot(middle[1]);
        assert_eq!(plan.notes.is_empty(), off <= 0.01, "{off}: {:?}", plan.notes);
        assert_eq!(plan.notes.is_empty(), radius < 1e4);
    }
    let block = "0 SECTION 2 BLOCKS 0 BLOCK 2 b 10 0 20 0 0 CIRCLE 8 0 10 0 20 0 40 1e6 0 ENDBLK 0 ENDSEC";
    let plan = read(&file(block, "0 INSERT 8 wall 2 b 10 0 20 0 70 3 44 1"));
    let told = "layer `wall`: a curve at line 24 is large: the limit of 4096 chords for one curve leaves them up to \
                0.294 m off it, not 0.01 m";
    assert_eq!(plan.notes, [told]);
}

/// A drawing of one circle had an extent of 0.
#[test]
fn circles_count_in_the_extent_and_scales_in_the_chords() {
    let circle = file("", "0 CIRCLE 8 0 10 0 20 0 40 4000").replace("$INSUNITS", "$OTHER");
    let plan = read(&circle);
    assert!(plan.notes[0].contains("extent of 8000.0 units is read as millimetres"), "{:?}", plan.notes);
    let counts = [None, Some(1.0)].map(|scale| {
        let options = PlanOptions { scale, ..PlanOptions::default() };
        Plan::parse_bytes(PlanFormat::Dxf, circle.as_bytes(), &options).unwrap().walls[0].len()
    });
    assert!(counts[0] < 64 && counts[1] > 1400, "{counts:?}");
}

#[test]
fn roles_can_be_given() {
    let text = file("", "0 LWPOLYLINE 8 Area51 70 1 10 0 20 0 10 9 20 0 10 9 20 9");
    let options = PlanOptions::default().roles(vec![(PlanRole::Floor, "area*".to_string())]);
    let plan = Plan::parse_bytes(PlanFormat::Dxf, text.as_bytes(), &options).unwrap();
    assert_eq!((plan.polygons.len(), plan.walls.len(), plan.enclosed), (1, 0, None));
    let options = PlanOptions::default().roles(vec![(PlanRole::Floor, "nothing".to_string())]);
    let plan = Plan::parse_bytes(PlanFormat::Dxf, text.as_bytes(), &options).unwrap();
    assert_eq!(plan.notes[0], "no part for the role floor is called `nothing`; there are: `Area51`");
}

#[test]
fn bad_files_are_refused_with_a_reason() {
    let nested = "0 SECTION 2 BLOCKS 0 BLOCK 2 a 10 0 20 0 0 INSERT 8 0 2 a 10 0 20 0 0 ENDBLK 0 ENDSEC";
    let bomb = (0..8).fold(String::from("0 SECTION 2 BLOCKS 0 BLOCK 2 b0 0 ENDBLK "), |text, k| {
        let row = format!("0 INSERT 2 b{k} 10 0 20 0 70 900 71 900 ");
        text + &format!("0 BLOCK 2 b{} {row} 0 ENDBLK ", k + 1)
    }) + "0 ENDSEC";
    let cases = [
        ("hello\nworld\n".to_string(), "line 1: expected a group code, found `hello`"),
        ("AC1027".to_string(), "this is a DWG file, not DXF; save it as DXF first"),
        ("0\nEOF\n".to_string(), "there is no SECTION, so it is not a DXF file"),
        (
            file("", "0 LINE 8 0 10 zero"),
            "LINE at line 16: line 20: expected a number for group code 10, found `zero`",
        ),
        (file(nested, "0 INSERT 2 a 10 0 20 0"), "block `a`: blocks are nested deeper than 32, the limit"),
        (file(&bomb, "0 INSERT 2 b8 10 0 20 0"), "blocks draw more than 4194304 entities, the limit"),
        (
            file("", "0 HATCH 8 wall 91 1 92 2 93 1 10 x"),
            "HATCH at line 16: line 26: expected a number for group code 10, found `x`",
        ),
        (
            file("", "0 LINE 10 0 20 1e300 11 1 21 1"),
            "layer `0`: point 0: y is 1e300, beyond the limit of ±1099511627776",
        ),
    ];
    for (text, message) in cases {
        let error = Plan::parse(PlanFormat::Dxf, &text).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}
