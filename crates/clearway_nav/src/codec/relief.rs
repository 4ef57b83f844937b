//! The ground of a scene as bytes: its faces, the patches of the cells, and the area classes.
//!
//! The mesh of a plan has none of these sections. In the file of a scene, [`SECTIONS`] follow the sections of every
//! mesh:
//!
//! | section | element | content |
//! |---|---|---|
//! | `rules` | 16, once | the highest step and the height of a body, in metres (`f64`) |
//! | `corners` | 12 per corner | grid coordinates x, y and height (`i32`), each of size below 2^28 |
//! | `faces` | 16 per face | its corners, counter-clockwise from above, and its chart (`u32`) |
//! | `grounds` | 8 per cell | number of patches, area class (`u32`) |
//! | `patches` | 28 per patch | chart (`u32`); grid coordinates x, y of three corners (`i32`) |
//! | `areas` | per class | number of bytes of its name (`u32`), and the name as UTF-8 |

use super::words;
use crate::mesh::{Flaw, FlawKind, Flaws, NavMesh, Patch, Relief};
use clearway_geometry::grid::LIMIT;
use clearway_geometry::predicates::orient;
use clearway_geometry::{NONE, Point};

/// The sections of the ground, in the order in which they are stored.
pub(super) const SECTIONS: [&str; 6] = ["rules", "corners", "faces", "grounds", "patches", "areas"];

/// The largest number of area classes: a class is stored in 8 bits.
const MOST_AREAS: usize = 256;

/// Encodes the ground as its sections, in their order.
pub(super) fn encode(relief: &Relief) -> [Vec<u8>; SECTIONS.len()] {
    let corners = relief.points.iter().flat_map(|(at, height)| [at.x, at.y, *height]);
    let faces = relief.faces.iter().zip(&relief.chart_of).flat_map(|([a, b, c], chart)| [*a, *b, *c, *chart]);
    let counts = relief.first_patch.windows(2).map(|ends| ends[1].wrapping_sub(ends[0]));
    let grounds = counts.zip(&relief.area_of).flat_map(|(count, area)| [count, u32::from(*area)]);
    let patches = relief.patches.iter().flat_map(|patch| {
        let [a, b, c] = patch.corners;
        [patch.chart as i32, a.x, a.y, b.x, b.y, c.x, c.y]
    });
    let name = |name: &String| [&(name.len() as u32).to_le_bytes(), name.as_bytes()].concat();
    [
        // Adding zero turns -0.0 into 0.0: equal lengths must have equal bytes.
        [relief.max_step, relief.body_height].into_iter().flat_map(|c| (c + 0.0).to_le_bytes()).collect(),
        corners.flat_map(i32::to_le_bytes).collect(),
        faces.flat_map(u32::to_le_bytes).collect(),
        grounds.flat_map(u32::to_le_bytes).collect(),
        patches.flat_map(i32::to_le_bytes).collect(),
        relief.areas.iter().flat_map(name).collect(),
    ]
}

/// Reads the ground of a mesh of sound structure; `None` after a flaw.
pub(super) fn read(mesh: &NavMesh, sections: [&[u8]; SECTIONS.len()], flaws: &mut Flaws) -> Option<Relief> {
    let before = flaws.count();
    let [rules, corners, faces, grounds, patches, areas] = sections;
    let corners: Vec<[u32; 3]> = words(corners, SECTIONS[1], flaws).collect();
    let faces: Vec<[u32; 4]> = words(faces, SECTIONS[2], flaws).collect();
    let grounds: Vec<[u32; 2]> = words(grounds, SECTIONS[3], flaws).collect();
    let patches: Vec<[u32; 7]> = words(patches, SECTIONS[4], flaws).collect();
    if flaws.count() > before {
        return None;
    }
    let mut relief = Relief::default();
    let read = read_rules(&mut relief, rules)
        .and_then(|()| read_corners(&mut relief, &corners))
        .and_then(|()| read_faces(&mut relief, &faces))
        .and_then(|()| read_patches(&mut relief, &patches))
        .and_then(|()| read_areas(&mut relief, areas))
        .and_then(|()| read_grounds(&mut relief, &grounds, mesh.cell_slots()));
    if let Err(detail) = read {
        flaws.note(|| Flaw::new(FlawKind::Section, detail));
        return None;
    }
    Some(relief)
}

/// The result of reading a section: an error describes the fault in words.
type Finding = Result<(), String>;

/// Reads the step and the body height.
fn read_rules(relief: &mut Relief, bytes: &[u8]) -> Finding {
    let (words, rest) = bytes.as_chunks::<8>();
    let ([step, height], []) = (words, rest) else {
        return Err(format!("section rules: has {} bytes instead of 16", bytes.len()));
    };
    let [step, height] = [step, height].map(|word| f64::from_le_bytes(*word));
    if ![step, height].iter().all(|length| length.is_finite() && length.is_sign_positive()) {
        return Err(format!("section rules: a step of {step} and a height of {height} make no sense"));
    }
    (relief.max_step, relief.body_height) = (step, height);
    Ok(())
}

/// Reads the corners of faces; all must lie on the grid.
fn read_corners(relief: &mut Relief, corners: &[[u32; 3]]) -> Finding {
    for (number, [x, y, height]) in corners.iter().enumerate() {
        let [x, y, height] = [x, y, height].map(|word| *word as i32);
        if !is_on_grid(&[x, y, height]) {
            return Err(format!("section corners: corner {number} lies off the grid"));
        }
        relief.points.push((Point::new(x, y), height));
    }
    Ok(())
}

/// Reads the faces; all must be counter-clockwise and name existing corners.
fn read_faces(relief: &mut Relief, faces: &[[u32; 4]]) -> Finding {
    for (number, [a, b, c, chart]) in faces.iter().copied().enumerate() {
        let at = |corner: u32| {
            let known = relief.points.get(corner as usize).map(|(at, _)| *at);
            let count = relief.points.len();
            known.ok_or_else(|| {
                format!("section faces: face {number} names corner {corner}, but there are {count}")
            })
        };
        // A face without area would divide by zero when heights are interpolated.
        if orient(at(a)?, at(b)?, at(c)?) <= 0 {
            return Err(format!("section faces: face {number} does not run counter-clockwise"));
        }
        if chart == NONE {
            return Err(format!("section faces: face {number} has no chart"));
        }
        relief.faces.push([a, b, c]);
        relief.chart_of.push(chart);
    }
    Ok(())
}

/// Reads the patches; each must lie on a chart that has faces.
fn read_patches(relief: &mut Relief, patches: &[[u32; 7]]) -> Finding {
    let mut charts = relief.chart_of.clone();
    charts.sort_unstable();
    charts.dedup();
    for (number, [chart, corners @ ..]) in patches.iter().enumerate() {
        let [ax, ay, bx, by, cx, cy] = corners.map(|word| word as i32);
        if !is_on_grid(&[ax, ay, bx, by, cx, cy]) {
            return Err(format!("section patches: patch {number} lies off the grid"));
        }
        let corners = [Point::new(ax, ay), Point::new(bx, by), Point::new(cx, cy)];
        if orient(corners[0], corners[1], corners[2]) <= 0 {
            return Err(format!("section patches: patch {number} does not run counter-clockwise"));
        }
        if charts.binary_search(chart).is_err() {
            return Err(format!("section patches: patch {number} lies on chart {chart}, which has no faces"));
        }
        relief.patches.push(Patch { chart: *chart, corners });
    }
    Ok(())
}

/// Reads the names of the area classes; there is at least one.
fn read_areas(relief: &mut Relief, mut bytes: &[u8]) -> Finding {
    while let Some((length, rest)) = bytes.split_first_chunk() {
        let number = relief.areas.len();
        let length = u32::from_le_bytes(*length) as usize;
        let Some((name, rest)) = rest.split_at_checked(length) else {
            return Err(format!("section areas: name {number} has {length} bytes, more than there are"));
        };
        let Ok(name) = std::str::from_utf8(name) else {
            return Err(format!("section areas: name {number} is not UTF-8"));
        };
        relief.areas.push(name.to_string());
        bytes = rest;
    }
    match relief.areas.len() {
        _ if !bytes.is_empty() => Err(format!("section areas: {} bytes follow the last name", bytes.len())),
        0 => Err("section areas: there is none".to_string()),
        count if count > MOST_AREAS => {
            Err(format!("section areas: {count} classes are more than {MOST_AREAS}"))
        }
        _ => Ok(()),
    }
}

/// Reads the patch count and the area class of each cell; counts must add up to the number of patches.
fn read_grounds(relief: &mut Relief, grounds: &[[u32; 2]], cells: usize) -> Finding {
    if grounds.len() != cells {
        return Err(format!("section grounds: has {} elements instead of {cells}", grounds.len()));
    }
    let (mut end, patches) = (0u32, relief.patches.len());
    relief.first_patch.push(0);
    for (cell, [count, area]) in grounds.iter().enumerate() {
        end = end.saturating_add(*count);
        relief.first_patch.push(end);
        let known = u8::try_from(*area).ok().filter(|area| usize::from(*area) < relief.areas.len());
        let Some(area) = known else {
            let classes = relief.areas.len();
            return Err(format!("section grounds: cell {cell} has area class {area} of {classes}"));
        };
        relief.area_of.push(area);
    }
    if end as usize != patches {
        return Err(format!("section grounds: cells have {end} patches, but {patches} are stored"));
    }
    Ok(())
}

/// True if all coordinates are below the limit of the grid.
fn is_on_grid(coordinates: &[i32]) -> bool {
    coordinates.iter().all(|c| c.unsigned_abs() < LIMIT.unsigned_abs())
}
