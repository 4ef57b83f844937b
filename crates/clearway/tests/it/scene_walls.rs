//! Walls of scenes: where they are in the world, and which of them limit portals.

use crate::scene_queries::{mesh_of, scenes};

use clearway::mesh::{CellId, PortalId};
use clearway::{Follower, Location, NavMesh, PathQuery};
use clearway_scenes::{CarParkOptions, car_park};

/// Walls, contacts and targets in the world: x and z are those of the scene, and y is the height of the ground.
#[test]
fn walls_contacts_and_targets_have_places_in_the_world() {
    let known = car_park(CarParkOptions::default());
    let mesh = mesh_of(&known);
    let places: Vec<Location> = mesh.random_points(8).take(60).collect();
    let mut touched = 0;
    for pair in places.chunks(2) {
        let own = mesh.place(pair[0]);
        for wall in mesh.walls_near(pair[0], mesh.clearance(pair[0]).unwrap() + 0.5) {
            for ([x, y, z], plan) in wall.points_in_space(&mesh).into_iter().zip([wall.from, wall.to]) {
                assert_eq!([x, -z], plan);
                assert!((y - own[1]).abs() < 3.0, "{own:?}, but a wall at {y}");
                assert!(mesh.locate([x, y, z]).is_ok(), "{x} {y} {z}");
            }
        }
        let hit = mesh.raycast(pair[0], mesh.place(pair[1]), 0.3).unwrap();
        if let Some(contact) = hit.contact {
            let ([x, y, z], at) = (contact.point_in_space(&mesh), mesh.place(hit.at));
            let [nx, ny, nz] = contact.normal_in_space();
            assert_eq!(ny, 0.0);
            // From the point of the wall along its normal to the centre of the body.
            let far = (at[0] - x) * nx + (at[2] - z) * nz;
            assert!((far - contact.wall.distance).abs() < 1e-6, "{far} and {}", contact.wall.distance);
            assert!((y - at[1]).abs() < 0.3);
            touched += 1;
        }
        if let Ok(path) = mesh.find_path(&PathQuery::new(pair[0], pair[1]).radius(0.3)) {
            let steering = Follower::new(path).update(&mesh, pair[0]);
            let [x, y, z] = steering.point;
            assert_eq!([x, -z], steering.target);
            let ground = mesh.locate([x, y, z]).unwrap();
            assert!((mesh.height(ground) - y).abs() < 0.1, "{y} and {}", mesh.height(ground));
        }
    }
    assert!(touched > 5, "{touched}");
}

/// The free parts of portals against the room at single places. Walls that lie over or under a portal in the plan must
/// not count; walls of the same floor that are half hidden behind a corner must.
#[test]
fn free_parts_of_portals_are_those_of_their_floor() {
    let (mut over, mut blocked) = (0, 0);
    for (known, mesh) in scenes() {
        let walls: Vec<[[f64; 2]; 2]> = mesh.cells().flat_map(|cell| walls_of(&mesh, cell.id())).collect();
        for (index, portal) in mesh.portals().enumerate() {
            let [from, to] = portal.vertices.map(|vertex| mesh.position(vertex).unwrap());
            let length = (to[0] - from[0]).hypot(to[1] - from[1]);
            for radius in [0.2, 0.5, 1.2, 3.0] {
                let free = mesh.free_intervals(PortalId(index as u32), radius);
                for step in 0..=20 {
                    let along = length * f64::from(step) / 20.0;
                    let [x, y] = [0, 1].map(|i| from[i] + (to[i] - from[i]) * f64::from(step) / 20.0);
                    let room = mesh.clearance(Location::in_cell(portal.cells[0], [x, y])).unwrap();
                    let is_free = free.iter().any(|[low, high]| (*low..=*high).contains(&along));
                    if (room - radius).abs() > 1e-6 {
                        let told = format!("{}: portal {index} at {along}, {radius}", known.name);
                        assert_eq!(is_free, room > radius, "{told}: {room} of room, {free:?}");
                    }
                    let is_near = |wall: &[[f64; 2]; 2]| distance([x, y], *wall) < radius - 1e-6;
                    over += usize::from(is_free && walls.iter().any(is_near));
                    blocked += usize::from(!is_free);
                }
            }
        }
    }
    assert!(over > 100 && blocked > 100, "{over} places under other floors, {blocked} blocked");
}

/// The walls of a cell, in plan coordinates.
fn walls_of(mesh: &NavMesh, cell: CellId) -> Vec<[[f64; 2]; 2]> {
    let sides = mesh.cell(cell).unwrap().sides();
    let walls = sides.filter(|side| side.portal.is_none());
    walls.map(|side| [side.from, side.to].map(|vertex| mesh.position(vertex).unwrap())).collect()
}

/// The distance of a point from a segment, in the plan.
fn distance([x, y]: [f64; 2], [from, to]: [[f64; 2]; 2]) -> f64 {
    let along = [to[0] - from[0], to[1] - from[1]];
    let share = ((x - from[0]) * along[0] + (y - from[1]) * along[1]) / (along[0].powi(2) + along[1].powi(2));
    let share = share.clamp(0.0, 1.0);
    (from[0] + along[0] * share - x).hypot(from[1] + along[1] * share - y)
}
