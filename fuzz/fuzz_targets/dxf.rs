//! Bytes as a DXF drawing: reading never panics, and what is read builds into a mesh without flaws.

#![no_main]

use clearway::{MeshOptions, Plan, PlanFormat, PlanOptions, Quality};
use clearway_fuzz::check_mesh;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(plan) = Plan::parse_bytes(PlanFormat::Dxf, data, &PlanOptions::default()) else { return };
    if plan.point_count() > 2000 {
        return;
    }
    if let Ok(mesh) = MeshOptions::default().quality(Quality::Fast).build(&plan) {
        check_mesh(&mesh, &plan);
    }
});
