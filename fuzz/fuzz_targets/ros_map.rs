//! Bytes as a ROS map, text up to a zero byte and the picture after it: reading never panics, and what is read builds
//! into a mesh without flaws.

#![no_main]

use clearway::{MeshOptions, Plan, PlanOptions, Quality};
use clearway_fuzz::check_mesh;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let end = data.iter().position(|byte| *byte == 0).unwrap_or(data.len());
    let Ok(yaml) = std::str::from_utf8(&data[..end]) else { return };
    let picture = data.get(end + 1..).unwrap_or_default();
    let Ok(plan) = Plan::parse_ros_map(yaml, picture, &PlanOptions::default()) else { return };
    if plan.point_count() > 2000 {
        return;
    }
    if let Ok(mesh) = MeshOptions::default().quality(Quality::Fast).build(&plan) {
        check_mesh(&mesh, &plan);
    }
});
