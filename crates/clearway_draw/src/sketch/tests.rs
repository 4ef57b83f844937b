//! Pictures that are compared with stored ones byte by byte.
//!
//! `CLEARWAY_BLESS=1 cargo test -p clearway sketch` stores them anew; look at them before you commit them.

use super::*;
use clearway_build::MeshOptions;
use clearway_geometry::Point;
use clearway_nav::mesh::Link;
use clearway_nav::path::{PathQuery, Piece};
use clearway_nav::query::Location;
use clearway_world::Scene;
use clearway_world::plan::{Plan, PlanFormat};

/// A hall and a corridor, a room pinched a little in its middle, and a triangle: each has but one partition into
/// fewest cells, so a better search does not change the picture.
const ROOMS: &str = "MULTIPOLYGON (\
    ((0 0, 12 0, 12 4, 7.5 4, 7.5 9, 4.5 9, 4.5 4, 0 4, 0 0)), \
    ((14 0, 17 0.1, 20 0, 20 6, 17 5.9, 14 6, 14 0)), \
    ((9 6, 13 6, 11 9, 9 6)))";

fn mesh(text: &str, options: &MeshOptions) -> NavMesh {
    options.build(&Plan::parse(PlanFormat::Wkt, text).unwrap()).unwrap()
}

fn compare(name: &str, svg: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/golden").join(name);
    if std::env::var_os("CLEARWAY_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, svg).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == svg, "{} differs; CLEARWAY_BLESS=1 stores it anew", path.display());
}

#[test]
fn rooms_look_as_stored() {
    let options = SketchOptions::default().labels(true).vertices(true).title(Some("Rooms".into()));
    compare("rooms.svg", &Sketch::of(&mesh(ROOMS, &MeshOptions::default()), &options));
}

#[test]
fn relaxed_rooms_look_as_stored() {
    let relaxed = MeshOptions::default().relax_angle(5f64.to_radians());
    let options = SketchOptions::default().width(640).flip_y(false);
    compare("rooms_relaxed.svg", &Sketch::of(&mesh(ROOMS, &relaxed), &options));
}

#[test]
fn components_look_as_stored() {
    let options = SketchOptions::default().color_by(ColorBy::Component).width(320);
    compare("rooms_components.svg", &Sketch::of(&mesh(ROOMS, &MeshOptions::default()), &options));
}

#[test]
fn rooms_from_aside_look_as_stored() {
    let options = SketchOptions::default().view(View::Iso).width(640);
    let mesh = mesh(ROOMS, &MeshOptions::default());
    compare("rooms_iso.svg", &Sketch::with_paths(&mesh, &[turning_path()], &options));
}

/// Two floors with stairs between them.
fn floors() -> NavMesh {
    let soup = clearway_scenes::stacked_floors().soup;
    let scene = Scene::from_triangles(soup.vertices, soup.triangles, soup.part_of, soup.parts).unwrap();
    let surface = clearway_build::surface::WalkableSurface::extract(&scene, &Default::default()).unwrap();
    MeshOptions::default().build(&surface).unwrap()
}

#[test]
fn floors_are_shown_together_or_one_by_one() {
    let mesh = floors();
    assert_eq!(mesh.storeys().len(), 2, "{:?}", mesh.storeys());
    for view in [View::Top, View::Iso] {
        let draw = |layer: Option<Layer>| {
            let options = SketchOptions::default().view(view).layer(layer).color_by(ColorBy::Area);
            let svg = Sketch::of(&mesh, &options);
            assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"));
            svg
        };
        let (both, lower, upper) = (draw(None), draw(Some(Layer::Storey(0))), draw(Some(Layer::Storey(1))));
        assert!(lower.len() < both.len() && upper.len() < both.len() && lower != upper);
        assert_eq!(draw(Some(Layer::Heights([2.5, 9.0]))), upper);
        assert_eq!(draw(Some(Layer::Storey(2))), draw(Some(Layer::Heights([50.0, f64::NAN]))));
    }
}

#[test]
fn links_are_arches_and_rings() {
    let mut mesh = floors();
    let (drop, lift) = (LinkKind::Drop, LinkKind::Lift);
    let [_, [right, back]] = mesh.bounds().unwrap();
    let heights = mesh.heights_at(right - 1.0, 1.0 - back);
    let at = |height: f64| [right - 1.0, height, 1.0 - back];
    let ends = [at(heights[0]), at(heights[heights.len() - 1])];
    mesh.add_links(&[Link::new("lift", lift, ends[0], ends[1])], 0.5).unwrap();
    let [x, height, z] = ends[1];
    mesh.add_links(&[Link::new("drop", drop.clone(), ends[1], [x - 0.5, height, z])], 0.5).unwrap();
    for view in [View::Top, View::Iso] {
        let draw = |links: LinkUse| Sketch::of(&mesh, &SketchOptions::default().view(view).links(links));
        let (all, drops, none) =
            (draw(LinkUse::All), draw(LinkUse::Only(vec![drop.clone()])), draw(LinkUse::None));
        assert!(all.len() > drops.len() && drops.len() > none.len(), "{view:?}");
        assert!(!all.contains("NaN") && !none.contains(links::kind_color(&drop)));
    }
}

#[test]
fn a_mesh_without_cells_says_so() {
    let empty = mesh("POLYGON ((0 0, 1 1, 2 2, 0 0))", &MeshOptions::default());
    assert_eq!(empty.cell_count(), 0);
    compare("empty.svg", &Sketch::of(&empty, &SketchOptions::default().width(480)));
}

/// Around the corner of the hall, at a distance of 1 m, and back.
fn turning_path() -> Path {
    let turn = -std::f64::consts::FRAC_PI_2;
    Path {
        start: [1.5, 3.0],
        goal: [5.5, 8.0],
        pieces: vec![
            Piece::Segment { from: [1.5, 3.0], to: [4.5, 3.0] },
            Piece::Arc { center: [4.5, 4.0], from: [4.5, 3.0], to: [5.5, 4.0], turn: -turn },
            Piece::Segment { from: [5.5, 4.0], to: [5.5, 8.0] },
        ],
        length: 7.0 - turn,
        cost: 7.0 - turn,
        radius: 1.0,
        clearance: 1.0,
        ..Path::default()
    }
}

#[test]
fn paths_look_as_stored() {
    let mesh = mesh(ROOMS, &MeshOptions::default());
    let mut point = turning_path();
    (point.radius, point.start) = (0.0, [11.0, 1.0]);
    point.pieces = vec![Piece::Segment { from: point.start, to: point.goal }];
    let options = SketchOptions::default().width(640);
    compare("rooms_paths.svg", &Sketch::with_paths(&mesh, &[turning_path(), point], &options));
}

#[test]
fn arcs_turn_the_right_way_on_any_picture() {
    let mesh = mesh(ROOMS, &MeshOptions::default());
    let picture = |flip_y| {
        let options = SketchOptions::default().width(640).flip_y(flip_y);
        Sketch::with_paths(&mesh, &[turning_path()], &options)
    };
    // With y upwards a left turn is one on the picture; with y downwards it is mirrored.
    assert!(picture(true).contains(" 0 0 0 ") && !picture(true).contains(" 0 0 1 "));
    assert!(picture(false).contains(" 0 0 1 ") && !picture(false).contains(" 0 0 0 "));
}

#[test]
fn odd_paths_still_give_a_picture() {
    let mesh = mesh(ROOMS, &MeshOptions::default());
    let place = turning_path().start;
    let dot = Path { pieces: Vec::new(), goal: place, ..turning_path() };
    let circle = Piece::Arc { center: [3.0, 3.0], from: place, to: place, turn: std::f64::consts::TAU };
    let round = Path { pieces: vec![circle], goal: place, ..turning_path() };
    let nothing = Path { pieces: vec![Piece::Segment { from: place, to: place }], ..dot.clone() };
    let svg = Sketch::with_paths(&mesh, &[dot, round, nothing], &SketchOptions::default());
    assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"));
    assert_eq!(svg.matches(" 0 0 0 ").count(), 4 * 2, "a circle is drawn in quarters, as body and as line");
}

#[test]
fn any_width_and_any_title_give_a_picture() {
    let mesh = mesh(ROOMS, &MeshOptions::default());
    for width in [0, 1, 64, 100, 200, 5000, u32::MAX] {
        let title = Some("<a> & \u{0} \u{1f600} ".repeat(1000));
        let svg = Sketch::of(&mesh, &SketchOptions::default().width(width).title(title));
        assert!(svg.contains("<title>&lt;a&gt; &amp;  \u{1f600}"), "{width}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{width}");
    }
}

#[test]
fn a_flawed_mesh_still_gives_a_picture() {
    let whole = mesh(ROOMS, &MeshOptions::default());
    let first = whole.parts().points[0];
    let spoilt = |spoil: &dyn Fn(&mut Point)| {
        let mut parts = whole.parts().clone();
        parts.points.iter_mut().for_each(spoil);
        NavMesh::from_parts_of_any_shape(parts).unwrap()
    };
    let point = spoilt(&|point| *point = first);
    let line = spoilt(&|point| point.x = 0);
    let inverted = spoilt(&|point| point.y = -point.y);
    for flawed in [point, line, inverted] {
        let svg = Sketch::of(&flawed, &SketchOptions::default().labels(true));
        assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"));
    }
}

#[test]
fn the_text_is_small_and_precise_to_hundredths() {
    let svg = Sketch::of(&mesh(ROOMS, &MeshOptions::default()), &SketchOptions::default());
    let longest = svg.split(|c: char| !c.is_ascii_digit() && c != '.').filter_map(|n| n.split_once('.'));
    assert!(longest.map(|(_, decimals)| decimals.len()).max() <= Some(2));
    // The mesh takes 8000 bytes at most, the coordinates around it 5000.
    let (most, coordinates) = (8000, 5000);
    assert!(svg.len() < most + coordinates, "{}", svg.len());
}

#[test]
fn a_window_shows_what_meets_it_and_nothing_else() {
    let mesh = mesh(ROOMS, &MeshOptions::default());
    for view in [View::Top, View::Iso] {
        let window = |window| SketchOptions::default().window(Some(window)).view(view);
        let svg = Sketch::of(&mesh, &window([[9.5, 6.2], [12.5, 8.0]]));
        assert!(svg.contains("<desc>1 cell \u{b7} 0 portals</desc>"), "{svg}");
        assert!(svg.contains("clip-path") && !svg.contains("NaN") && !svg.contains("inf"));
        let beside = Sketch::of(&mesh, &window([[12.6, 8.0], [13.6, 8.9]]));
        assert!(beside.contains("<desc>0 cells"), "in the box around the triangle, and not in it: {beside}");
    }
}

/// From aside a window is turned: in the corners of the box around it lies more than in the window.
#[test]
fn windows_from_aside_are_full() {
    let tile = |x: f64, y: f64| vec![[x, y], [x + 0.8, y], [x + 0.8, y + 0.8], [x, y + 0.8]];
    let tiles = (0..400).map(|i| tile(f64::from(i % 20), f64::from(i / 20)));
    let mesh = MeshOptions::default().build(&Plan::from_rings(tiles)).unwrap();
    let count = |view: View| {
        let window = Some([[8.0, 8.0], [12.0, 12.0]]);
        let svg = Sketch::of(&mesh, &SketchOptions::default().window(window).view(view));
        svg.split("<desc>").nth(1).unwrap().split_whitespace().next().unwrap().parse::<usize>().unwrap()
    };
    assert_eq!(count(View::Top), 16);
    // The box is 5.4 m by 5.4 m, and the margin around it adds a little.
    assert!((28..60).contains(&count(View::Iso)), "{}", count(View::Iso));
}

#[test]
fn paths_are_whole_only_on_the_storey_that_is_shown() {
    let mesh = floors();
    let [start, goal] = [0, 1].map(|storey| {
        let [from, to] = mesh.storeys()[storey];
        let level = |place: &Location| (from..to).contains(&mesh.height(*place));
        mesh.random_points(3).find(level).unwrap()
    });
    let path = mesh.find_path(&PathQuery::new(start, goal)).unwrap();
    for view in [View::Top, View::Iso] {
        let draw = |layer: Option<Layer>| {
            let options = SketchOptions::default().view(view).layer(layer);
            Sketch::with_paths(&mesh, std::slice::from_ref(&path), &options)
        };
        let faint = "stroke-opacity=\".45\"";
        let dots = |svg: &str| svg.matches("stroke=\"#dc2626\" stroke-width=\"9\"").count();
        let both = draw(None);
        match view {
            // What runs under the upper floor is faint.
            View::Iso => assert!(both.contains(faint) && !both.contains("clip-path")),
            View::Top => assert_eq!(both.matches("<svg ").count(), 3, "a picture for each storey in one"),
        }
        for storey in [0, 1] {
            let one = draw(Some(Layer::Storey(storey)));
            assert!(one.contains(faint) && one.contains("clip-path"), "{view:?}");
            assert_eq!(dots(&one), 1, "only the end on the storey has a dot");
            let counted = one.split("<desc>").nth(1).unwrap().split_whitespace().next().unwrap();
            assert!(counted.parse::<usize>().unwrap() < mesh.cell_count(), "{counted}");
        }
    }
}

/// A path on the lower floor runs in the open and then under the upper floor.
#[test]
fn what_lies_beneath_is_drawn_beneath() {
    let mesh = floors();
    let options = SketchOptions::default().panels(false);
    let through = Sketch::of(&mesh, &options);
    assert!(through.contains("<g opacity=\".62\">"), "upper floors are as of milk glass");
    let is_covered = |place: &Location| {
        let [x, y] = place.position();
        mesh.heights_at(x, -y).len() > 1 && mesh.height(*place) < 1.0
    };
    let is_open = |place: &Location| mesh.heights_at(place.position()[0], -place.position()[1]).len() == 1;
    let under = mesh.random_points(5).take(2000).find(is_covered).unwrap();
    let mut some = mesh.random_points(5).take(2000);
    let beside = some.find(|place| is_open(place) && mesh.height(*place) < 0.1);
    let other = beside.unwrap_or_else(|| mesh.random_points(6).filter(is_covered).nth(3).unwrap());
    let path = mesh.find_path(&PathQuery::new(under, other)).unwrap();
    let svg = Sketch::with_paths(&mesh, &[path], &options);
    assert!(svg.contains("stroke-opacity=\".45\""), "a part of the path is faint");
}

#[test]
fn ledges_are_told_from_walls_by_the_scene() {
    let soup = clearway_scenes::stacked_floors().soup;
    let triangles: Vec<[[f64; 3]; 3]> =
        soup.triangles.iter().map(|corners| corners.map(|corner| soup.vertices[corner as usize])).collect();
    let mesh = floors();
    // Without its scene nothing is known; floors without walls around them end in ledges.
    let unknown = Sketch::of(&mesh, &SketchOptions::default().view(View::Iso));
    let backdrop = Backdrop::new(triangles);
    let over = Over { backdrop: Some(&backdrop), ..Over::default() };
    let known = Sketch::draw(&mesh, over, &SketchOptions::default().view(View::Iso));
    assert!(!unknown.contains(WALL_STRIP) && unknown.contains(LEDGE), "no walls are made up");
    assert!(known.contains(LEDGE));
    let room = mesh_with_wall();
    let backdrop = Backdrop::new(room.1);
    let over = Over { backdrop: Some(&backdrop), ..Over::default() };
    let svg = Sketch::draw(&room.0, over, &SketchOptions::default().view(View::Iso));
    assert!(svg.contains(WALL_STRIP) && svg.contains(LEDGE), "one wall, three ledges");
}

/// The colour of walls that stand behind a floor in `View::Iso`.
const WALL_STRIP: &str = "#a9b4c4";

/// A floor of 4 m by 4 m with a wall along its far side.
fn mesh_with_wall() -> (NavMesh, Vec<[[f64; 3]; 3]>) {
    let vertices: Vec<[f64; 3]> = vec![
        [0.0, 0.0, 0.0],
        [0.0, 0.0, 4.0],
        [4.0, 0.0, 4.0],
        [4.0, 0.0, 0.0],
        [0.0, 3.0, 0.0],
        [4.0, 3.0, 0.0],
    ];
    let corners: Vec<u32> = vec![0, 1, 2, 0, 2, 3, 0, 3, 5, 0, 5, 4];
    let scene = Scene::from_mesh(&vertices, &corners).unwrap();
    let surface = clearway_build::surface::WalkableSurface::extract(&scene, &Default::default()).unwrap();
    let mesh = MeshOptions::default().build(&surface).unwrap();
    let triangles = corners.chunks(3).map(|c| [c[0], c[1], c[2]].map(|i| vertices[i as usize])).collect();
    (mesh, triangles)
}

#[test]
fn heights_are_stretched_as_asked_for() {
    let mesh = floors();
    let draw = |height_scale: Option<f64>| {
        Sketch::of(&mesh, &SketchOptions::default().view(View::Iso).height_scale(height_scale))
    };
    assert_ne!(draw(Some(1.0)), draw(Some(3.0)));
    assert_eq!(draw(Some(1e9)), draw(Some(50.0)));
    assert_eq!(draw(Some(f64::NAN)), draw(None));
}

/// Lists by cell had an entry for each living cell, not for each number.
#[test]
fn edited_meshes_are_drawn_and_exported() {
    use clearway_live::{Anchor, Edit, LiveMesh, Obstacle, Shape};
    for mesh in [mesh(ROOMS, &MeshOptions::default()), floors()] {
        let mut live = clearway_live::LiveMesh::new(mesh).unwrap();
        let mut edits = 0;
        for seed in 0..12 {
            let at = live.mesh().random_point(seed).unwrap();
            let shape = Shape::Box { centre: at.position(), size: [0.8, 0.5], turn: 0.3 };
            let anchor = Anchor { height: live.mesh().has_heights().then(|| live.mesh().height(at)) };
            let Ok(changes) = live.apply(&Edit::Add(Obstacle { shape, anchor })) else { continue };
            edits += 1;
            if seed % 2 == 0 {
                live.apply(&Edit::Remove(changes.obstacles[0])).unwrap();
            }
            look_at(&live);
        }
        assert!(edits > 6, "{edits}");
    }
    fn look_at(live: &LiveMesh) {
        let mesh = live.mesh();
        for color_by in [ColorBy::Cell, ColorBy::Area, ColorBy::Component] {
            for view in [View::Top, View::Iso] {
                let svg = Sketch::of(mesh, &SketchOptions::default().view(view).color_by(color_by));
                assert!(svg.ends_with("</svg>\n"));
            }
        }
        let json: serde_json::Value = serde_json::from_str(&crate::export::to_geojson(mesh)).unwrap();
        assert_eq!(json["features"].as_array().unwrap().len(), mesh.cell_count());
        let wkt = clearway_world::Plan::parse(clearway_world::PlanFormat::Wkt, &crate::export::to_wkt(mesh));
        assert!(wkt.is_ok());
        let faces = crate::export::to_obj(mesh).lines().filter(|line| line.starts_with("f ")).count();
        assert_eq!(faces, mesh.cell_count());
    }
}

/// Pictures of storeys beside each other lost the entries for walls, portals, roads and the first way.
#[test]
fn the_legend_of_a_narrow_picture_has_rows() {
    let plain = mesh(ROOMS, &MeshOptions::default());
    let draw = |count: usize, width: u32| {
        let overlays: Vec<Overlay> =
            (0..count).map(|number| Overlay::new(format!("way {number}"), "#123456", Vec::new())).collect();
        Sketch::with_overlays(&plain, &[], &overlays, &SketchOptions::default().width(width))
    };
    let samples = |svg: &str| svg.matches("stroke=\"#123456\"").count();
    let height = |svg: &str| -> f64 {
        svg.split("height=\"").nth(1).and_then(|rest| rest.split('"').next()?.parse().ok()).unwrap()
    };
    let [few, many] = [1, 12].map(|count| draw(count, 1200));
    assert_eq!((samples(&few), samples(&many)), (1, 12));
    assert!(height(&many) > height(&few));
    let narrow = draw(12, 400);
    assert_eq!(samples(&narrow), 12);
    for entry in ["#2563eb", "#1e293b"] {
        assert!(narrow.contains(entry), "{entry}");
    }
    // Not even one entry fits here.
    assert_eq!(samples(&draw(12, 64)), 0);
}
