//! Paths for bodies of every radius on small plans: the judge finds nothing to object to, a path exists if and only if
//! the body fits, both ways are as long, and neither slices nor the path index change anything.

#![no_main]

use clearway::path::verify;
use clearway::{NavMesh, PathQuery, PathSearch, Plan, SearchStatus};
use clearway_fuzz::{Bytes, read_place, read_small_mesh};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let Some((plan, mesh)) = read_small_mesh(&mut bytes) else { return };
    if bytes.below(2) == 1 {
        mesh.prepare_paths();
    }
    for _ in 0..4 {
        let ends = [0; 2].map(|_| read_place(&mut bytes, &mesh));
        let [Ok(start), Ok(goal)] = ends.map(|end| mesh.locate(end)) else { continue };
        let widest = mesh.widest_radius(start, goal).unwrap_or(0.0);
        let choice = bytes.byte();
        let radius = match choice % 4 {
            0 => 0.0,
            1 => f64::from(choice) / 64.0,
            2 => widest * (1.0 - f64::from(choice / 4) / 64.0),
            _ => widest * 1.01,
        };
        check(&plan, &mesh, &PathQuery::new(start, goal).radius(radius));
    }
});

fn check(plan: &Plan, mesh: &NavMesh, query: &PathQuery) {
    let answer = mesh.find_path(query);
    let widest = mesh.widest_radius(query.start, query.goal);
    // At the very limit either verdict will do.
    let margin = 1e-6 * query.radius + 4.0 * mesh.unit();
    let fits = widest.is_some_and(|widest| query.radius == 0.0 || query.radius + margin < widest);
    let is_too_wide = widest.is_none_or(|widest| query.radius > widest + margin);
    assert!(answer.is_ok() || !fits, "{answer:?} though {widest:?} fits\n{query:?} on {plan:?}");
    assert!(answer.is_err() || !is_too_wide, "a path though only {widest:?} fits\n{query:?} on {plan:?}");
    if let Ok(path) = &answer {
        assert_eq!(verify(mesh, path), Ok(()), "{query:?} on {plan:?}");
        assert_eq!(path.cells.len(), path.portals.len() + 1, "{query:?} on {plan:?}");
    }
    let back = query.clone().start(query.goal).goal(query.start);
    if let (Ok(path), Ok(back)) = (&answer, mesh.find_path(&back)) {
        let apart = (path.length - back.length).abs();
        assert!(
            apart <= 1e-7 * (1.0 + path.length),
            "{} and {}: {query:?} on {plan:?}",
            path.length,
            back.length
        );
    }
    if let (Ok(path), true) = (&answer, mesh.path_index().is_some()) {
        let plain = NavMesh::decode(&mesh.encode()).expect("what was encoded can be decoded");
        let known = plain.find_path(query).map_or(f64::INFINITY, |known| known.length);
        let apart = (path.length - known).abs();
        assert!(apart <= 1e-7 * (1.0 + path.length), "{} and {known}: {query:?} on {plan:?}", path.length);
    }
    for budget in [1, 7] {
        let mut search = PathSearch::new(query.clone());
        let sliced = loop {
            if let SearchStatus::Done(sliced) = search.step(mesh, budget) {
                break sliced;
            }
        };
        assert_eq!(sliced, answer, "in slices of {budget}: {query:?} on {plan:?}");
    }
}
