//! Small soups read from bytes, and the laws of what is extracted from them; the fuzz target `extract_scene` shares it.

use clearway::{ErrorKind, MeshOptions, Method, NavMesh, Scene, WalkRules, WalkableSurface};

/// Lattice steps in metres, across and up: human scale, thin things, and steps of about the limits of the rules.
const LATTICES: [[f64; 2]; 4] = [[1.0, 0.5], [0.5, 0.2], [0.1, 0.9], [3.0, 1.0]];

/// How far corners are moved off the lattice at most: not at all, by a grid unit or two, by a few millimetres.
const JITTERS: [f64; 4] = [0.0, 0.0, 0.0004, 0.004];

/// Triangles of a soup at most, before some are drawn twice.
const MOST_SHAPES: usize = 24;

/// A soup on a coarse lattice, shaken or not, and rules of any kind.
pub fn read(data: &[u8]) -> (Scene, WalkRules) {
    let mut bytes = data.iter().copied();
    let rules = read_rules(&mut bytes);
    (read_scene(&mut bytes), rules)
}

/// What breaks a law: the mesh has flaws, does not survive encoding, is larger than its surface, or depends on the
/// order of triangles.
pub fn judge(scene: &Scene, rules: &WalkRules) -> Result<(), String> {
    let Some(mesh) = mesh_of(scene, rules)? else { return Ok(()) };
    let flaws = mesh.check();
    if !flaws.is_empty() {
        return Err(format!("flaws: {flaws:?}"));
    }
    let bytes = mesh.encode();
    if NavMesh::decode(&bytes).as_ref() != Ok(&mesh) {
        return Err("decoding gives another mesh".to_string());
    }
    let again = mesh_of(&permuted(scene), rules)?.map(|mesh| mesh.encode());
    if again != Some(bytes) { Err("the order of triangles matters".to_string()) } else { Ok(()) }
}

fn read_rules(bytes: &mut impl Iterator<Item = u8>) -> WalkRules {
    let mut below = |count: usize| usize::from(bytes.next().unwrap_or(0)) % count;
    let max_step = [0.0, 0.2, 0.4, 0.9][below(4)];
    let (choice, other) = (below(3 * 4 * 2), below(4 * 4 * 4));
    let cells = [None, None, Some(0.1), Some(0.5)];
    WalkRules::default()
        .height(2.0)
        .max_step(max_step)
        .max_slope([1.0f64, 45.0, 80.0][choice % 3].to_radians())
        .gap([0.0, 0.001, 0.03, 0.5][choice / 3 % 4])
        .seeds(Vec::new())
        .ways(Vec::new())
        .min_area([0.0, 0.01, 0.0, 0.25][other % 4])
        .inside(choice / 12 == 1)
        .islands(choice / 12 == 1)
        .simplify([0.0, 0.0, 0.05, 0.5][other / 4 % 4])
        .method(cells[other / 16].map_or(Method::Exact, |cell| Method::Voxel { cell }))
}

fn read_scene(bytes: &mut impl Iterator<Item = u8>) -> Scene {
    let mut byte = || bytes.next();
    let [across, up] = LATTICES[usize::from(byte().unwrap_or(0)) % LATTICES.len()];
    let jitter = JITTERS[usize::from(byte().unwrap_or(0)) % JITTERS.len()];
    let mut scene = Scene::default();
    for _ in 0..MOST_SHAPES {
        let Some(shape) = byte() else { break };
        let corners = [0, 1, 2].map(|_| {
            let [x, z, y] = [0; 3].map(|_| byte().unwrap_or(0));
            let off = |b: u8| jitter * (f64::from(b >> 3) / 15.5 - 1.0);
            let place = |b: u8, step: f64| f64::from(b % 8) * step + off(b);
            [place(x, across), place(y, up), place(z, across)]
        });
        add(&mut scene, corners);
        // A parallelogram, and the same again some way up: floors, ramps and boxes are found faster so.
        if shape % 2 == 1 {
            let [a, b, c] = corners;
            add(&mut scene, [a, c, [0, 1, 2].map(|i| a[i] + c[i] - b[i])]);
        }
        if shape / 2 % 4 == 1 {
            let rise = f64::from(1 + shape / 8 % 8) * up;
            add(&mut scene, corners.map(|[x, y, z]| [x, y + rise, z]));
        }
    }
    scene
}

fn add(scene: &mut Scene, corners: [[f64; 3]; 3]) {
    let first = scene.vertices.len() as u32;
    scene.vertices.extend(corners);
    scene.triangles.push([first, first + 1, first + 2]);
}

/// The mesh, if there is anything to walk on.
fn mesh_of(scene: &Scene, rules: &WalkRules) -> Result<Option<NavMesh>, String> {
    let surface = match WalkableSurface::extract(scene, rules) {
        Ok(surface) => surface,
        Err(error) if error.kind() == ErrorKind::TooLarge => return Ok(None),
        Err(error) => return Err(format!("not extracted: {error}")),
    };
    let Ok(mesh) = MeshOptions::default().build(&surface) else { return Ok(None) };
    let (area, most) = (mesh.area(), surface.report().area);
    if area > most * (1.0 + 1e-6) + 1e-3 {
        return Err(format!("the mesh has {area} m2, its surface {most}"));
    }
    Ok(Some(mesh))
}

/// The same triangles from last to first, each from another corner on.
fn permuted(scene: &Scene) -> Scene {
    let mut other = scene.clone();
    other.triangles.reverse();
    for triangle in &mut other.triangles {
        triangle.rotate_left(1);
    }
    other
}
