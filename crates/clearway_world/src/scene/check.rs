//! The limits of coordinates, and the check of whole scenes made in code.
//!
//! Cost: one pass over vertices and triangles.

use super::{MAX_COORDINATE, MAX_TRIANGLES, Scene};
use clearway_base::error::{Error, ErrorKind, Result};

/// Describes the fault of a point of the world, or returns `None` if a vertex may lie there.
///
/// The only function that knows the limits of coordinates.
pub(super) fn place_fault(place: [f64; 3]) -> Option<String> {
    // This comparison is false for NaN as well.
    let is_fine = |c: &f64| c.abs() <= MAX_COORDINATE;
    if place.iter().all(is_fine) {
        return None;
    }
    let mut axes = ["x", "y", "z"].iter().zip(place);
    axes.find(|(_, c)| !is_fine(c)).map(|(axis, c)| coordinate_fault(axis, c))
}

/// Describes the fault of one coordinate.
fn coordinate_fault(axis: &str, value: f64) -> String {
    if value.is_nan() {
        return format!("{axis} is not a number");
    }
    if value.is_infinite() {
        return format!("{axis} is infinite");
    }
    // Debug form: Display would write 1e300 with all its zeros.
    format!(
        "{axis} is {value:?} m, beyond the limit of ±{MAX_COORDINATE} m; if the file is not in metres, give the \
         length of its unit (--scale 0.01 for centimetres)"
    )
}

/// The error for a scene with more triangles than the limit.
pub(super) fn too_many_triangles(count: impl std::fmt::Display, limit: usize) -> Error {
    let hint = if limit < MAX_TRIANGLES { " (--max-triangles raises it)" } else { "" };
    Error::new(ErrorKind::TooLarge, format!("the scene has {count} triangles; the limit is {limit}{hint}"))
}

/// The error for a scene without triangles.
pub(super) fn no_triangles() -> Error {
    Error::new(ErrorKind::Empty, "there is not a single triangle")
}

/// Checks everything that later stages rely on, see [`Scene::validate`].
pub(super) fn scene(scene: &Scene) -> Result<()> {
    for (index, place) in scene.vertices.iter().enumerate() {
        if let Some(fault) = place_fault(*place) {
            return Err(Error::new(ErrorKind::OutOfRange, format!("vertex {index}: {fault}")));
        }
    }
    if scene.triangles.len() > MAX_TRIANGLES {
        return Err(too_many_triangles(scene.triangles.len(), MAX_TRIANGLES));
    }
    if scene.triangles.is_empty() {
        return Err(no_triangles());
    }
    triangles(scene)?;
    parts(scene)
}

/// Checks that corners and parts of triangles exist.
fn triangles(scene: &Scene) -> Result<()> {
    let (count, owned) = (scene.triangles.len(), scene.part_of.len());
    if count != owned {
        return Err(out_of_range(format!("there are {count} triangles, but parts for {owned}")));
    }
    let (vertices, parts) = (scene.vertices.len(), scene.parts.len());
    for (index, (corners, part)) in scene.triangles.iter().zip(&scene.part_of).enumerate() {
        if let Some(corner) = corners.iter().find(|corner| **corner as usize >= vertices) {
            return Err(out_of_range(format!("triangle {index}: vertex {corner} of {vertices}")));
        }
        if *part as usize >= parts {
            return Err(out_of_range(format!("triangle {index}: part {part} of {parts}")));
        }
    }
    Ok(())
}

/// Checks that the area classes of parts exist.
fn parts(scene: &Scene) -> Result<()> {
    // Without names there is still the class of everything that no rule names.
    let areas = scene.areas.len().max(1);
    let bad = scene.parts.iter().position(|part| usize::from(part.area) >= areas);
    bad.map_or(Ok(()), |part| {
        let area = scene.parts[part].area;
        Err(out_of_range(format!("part {part}: area class {area} of {areas}")))
    })
}

/// The error for a number that names nothing.
fn out_of_range(message: String) -> Error {
    Error::new(ErrorKind::OutOfRange, message)
}

#[cfg(test)]
mod tests {
    use super::super::Part;
    use super::*;

    fn one_triangle() -> Scene {
        Scene {
            vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
            triangles: vec![[0, 1, 2]],
            part_of: vec![0],
            parts: vec![Part::default()],
            ..Scene::default()
        }
    }

    #[test]
    fn faults_are_named_by_element() {
        assert_eq!(one_triangle().validate(), Ok(()));
        type Damage = fn(&mut Scene);
        let damages: [(Damage, &str); 7] = [
            (|scene| scene.vertices[1][2] = f64::NAN, "vertex 1: z is not a number"),
            (|scene| scene.vertices[2][0] = f64::NEG_INFINITY, "vertex 2: x is infinite"),
            (|scene| scene.triangles[0][1] = 3, "triangle 0: vertex 3 of 3"),
            (|scene| scene.part_of[0] = 1, "triangle 0: part 1 of 1"),
            (|scene| scene.part_of.clear(), "there are 1 triangles, but parts for 0"),
            (|scene| scene.parts[0].area = 1, "part 0: area class 1 of 1"),
            (|scene| scene.triangles.clear(), "there is not a single triangle"),
        ];
        for (damage, message) in damages {
            let mut scene = one_triangle();
            damage(&mut scene);
            assert_eq!(scene.validate().unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn far_places_are_refused_with_advice() {
        assert_eq!(place_fault([MAX_COORDINATE, -MAX_COORDINATE, 0.0]), None);
        let fault = place_fault([0.0, -70_000.0, f64::NAN]).unwrap();
        assert!(fault.starts_with("y is -70000.0 m, beyond the limit of ±65535 m"), "{fault}");
        assert!(fault.contains("--scale 0.01"), "{fault}");
    }
}
