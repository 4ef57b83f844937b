//! Text in any format: reading never panics, and what is read builds into a mesh without flaws.

#![no_main]

use clearway::{MeshOptions, Plan, PlanFormat, Quality};
use clearway_fuzz::{Bytes, check_mesh};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let choice = bytes.below(5 * 3);
    let format = [PlanFormat::Wkt, PlanFormat::GeoJson, PlanFormat::Poly, PlanFormat::Dat, PlanFormat::Map]
        [choice % 5];
    let Ok(text) = std::str::from_utf8(bytes.rest()) else { return };
    let Ok(plan) = Plan::parse(format, text) else { return };
    if plan.point_count() > 2000 {
        return;
    }
    let quality = [Quality::Fast, Quality::Default, Quality::Best][choice / 5];
    if let Ok(mesh) = MeshOptions::default().quality(quality).build(&plan) {
        check_mesh(&mesh, &(quality, plan));
    }
});
