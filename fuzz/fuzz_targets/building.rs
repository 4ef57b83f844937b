//! Text as a building of two storeys: reading never panics, and its scene can be walked on without a panic.

#![no_main]

use clearway::{Building, Plan, PlanFormat, WalkRules, WalkableSurface};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let plan = |_: &str, _: &clearway::PlanOptions| {
        Plan::parse(PlanFormat::Wkt, "POLYGON ((0 0, 12 0, 12 8, 0 8))\nLINESTRING (6 0, 6 6)")
    };
    let Ok(building) = Building::parse(text, plan) else { return };
    if building.storeys.len() > 4 || building.flights.len() > 4 {
        return;
    }
    if let Ok(scene) = building.scene() {
        let _ = WalkableSurface::extract(&scene, &WalkRules::default());
    }
});
