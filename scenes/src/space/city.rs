//! Blocks of a town: streets, kerbs, houses, parks with ponds, trees, and terraces with ramps.

use super::soup::{Soup, rectangle};
use super::stairs::{hole_sides, holed_floor};
use super::truth::{Component, KnownScene, Truth};
use crate::random::Random;

// All lengths are in metres.
const STREET: f64 = 8.0;
/// The side of a block, pavement included. It has four lots.
const BLOCK: f64 = 52.0;
const LOT: f64 = 0.5 * BLOCK;
const PITCH: f64 = STREET + BLOCK;
/// The height of pavements.
const KERB: f64 = 0.12;
/// How far a bevelled kerb leans back: 76 degrees.
const BEVEL: f64 = 0.03;
/// Half the thickness of a trunk.
const TRUNK: f64 = 0.15;
const MAX_BLOCKS: usize = 100;

/// A town of `blocks` by `blocks` blocks (1 to 100), up to about 400 triangles each.
///
/// The truth is complete: the first component is all streets and pavements with the terraces on them. Others
/// are roofs, tops of bushes, and the insides of houses and trunks. Water counts as floor; how much of the
/// first component it is stands in [`Truth::by_material`]. Foliage counts as solid.
pub fn city(blocks: usize, seed: u64) -> KnownScene {
    let blocks = blocks.clamp(1, MAX_BLOCKS);
    let mut work =
        Work { soup: Soup::new(), random: Random::new(seed), used: 0.0, water: 0.0, others: vec![] };
    work.streets(blocks);
    for k in 0..blocks * blocks {
        let low = [k % blocks, k / blocks].map(|i| STREET + PITCH * i as f64);
        work.block(low, &format!("block{k}"));
    }
    let side = PITCH * blocks as f64 + STREET;
    let places = [2.0, side - 2.0].into_iter().map(|x| [x, 0.0, x]);
    let pavement = [STREET + 0.5, KERB, STREET + 0.5];
    let ground = Component::open(side * side - work.used, places.chain([pavement]).collect());
    let components = std::iter::once(ground).chain(work.others).collect();
    let by_material = vec![("Water".to_string(), work.water)];
    KnownScene::new(format!("city_{blocks}"), work.soup, Truth { by_material, ..Truth::of(components) })
}

/// A town under construction.
struct Work {
    soup: Soup,
    random: Random,
    /// The ground that things stand on.
    used: f64,
    water: f64,
    others: Vec<Component>,
}

impl Work {
    /// The streets between blocks, cut at every corner of a block.
    fn streets(&mut self, blocks: usize) {
        self.soup.part("streets", "Asphalt");
        let line = |k: usize| PITCH * (k / 2) as f64 + if k % 2 == 1 { STREET } else { 0.0 };
        for i in 0..=2 * blocks {
            for j in (0..=2 * blocks).filter(|j| i % 2 == 0 || j % 2 == 0) {
                self.soup.floor([line(i), line(j)], [line(i + 1), line(j + 1)], 0.0);
            }
        }
    }

    fn block(&mut self, low: [f64; 2], name: &str) {
        let high = low.map(|x| x + BLOCK);
        let bevel = if self.random.chance(0.5) { BEVEL } else { 0.0 };
        self.soup.part(format!("{name}/kerb"), "Stone");
        let (outer, inner) =
            (rectangle(low, high), rectangle(low.map(|x| x + bevel), high.map(|x| x - bevel)));
        for k in 0..4 {
            let next = (k + 1) % 4;
            let ([ax, az], [bx, bz], [cx, cz], [dx, dz]) = (outer[k], outer[next], inner[next], inner[k]);
            self.soup.face(&[[ax, 0.0, az], [bx, 0.0, bz], [cx, KERB, cz], [dx, KERB, dz]]);
        }
        let lot = |i: f64, j: f64| [low[0] + i * LOT, low[1] + j * LOT];
        let pond = self.random.chance(0.6).then(|| self.pond(lot(0.0, 1.0)));
        self.soup.part(format!("{name}/pavement"), "Pavement");
        match pond {
            Some(hole) => {
                holed_floor(&mut self.soup, inner[0], inner[2], hole, KERB);
                hole_sides(&mut self.soup, hole, 0.0, KERB);
                self.soup.part(format!("{name}/pond"), "Water").floor(hole.0, hole.1, 0.0);
                self.water += (hole.1[0] - hole.0[0]) * (hole.1[1] - hole.0[1]);
            }
            None => self.soup.floor(inner[0], inner[2], KERB),
        }
        self.house(lot(0.0, 0.0), &format!("{name}/lot0"));
        match self.random.chance(0.6) {
            true => self.house(lot(1.0, 0.0), &format!("{name}/lot1")),
            false => self.trees(lot(1.0, 0.0), &format!("{name}/lot1")),
        }
        self.trees(lot(0.0, 1.0), &format!("{name}/lot2"));
        self.terrace(lot(1.0, 1.0), &format!("{name}/lot3"));
    }

    /// Where the pond of a park lies: in its middle, clear of the trees in its corners.
    fn pond(&mut self, lot: [f64; 2]) -> ([f64; 2], [f64; 2]) {
        let low = lot.map(|x| x + self.random.range(8.0, 10.0));
        (low, lot.map(|x| x + self.random.range(15.0, 18.0)))
    }

    fn house(&mut self, lot: [f64; 2], name: &str) {
        let low = lot.map(|x| x + self.random.range(3.0, 8.0));
        let high = low.map(|x| x + self.random.range(9.0, 15.0));
        let top = self.random.range(4.0, 20.0);
        self.soup.part(format!("{name}/house"), "Wall");
        self.soup.cuboid([low[0], KERB, low[1]], [high[0], top, high[1]]);
        self.others.push(Component::shut_in(low, high, KERB));
        self.others.push(Component::top(low, high, top));
        self.used += (high[0] - low[0]) * (high[1] - low[1]);
    }

    /// A tree near each corner of a lot. Nobody can stand on a crown, and everybody under it.
    fn trees(&mut self, lot: [f64; 2], name: &str) {
        for k in 0..4 {
            let corner = [f64::from(k & 1), f64::from(k >> 1)];
            let at = [0, 1].map(|axis| lot[axis] + 4.0 + 17.0 * corner[axis] + self.random.range(-1.0, 1.0));
            let (low, high) = (at.map(|x| x - TRUNK), at.map(|x| x + TRUNK));
            self.soup.part(format!("{name}/tree{k}"), "Wood");
            self.soup.cuboid([low[0], KERB, low[1]], [high[0], 2.9, high[1]]);
            self.others.push(Component::shut_in(low, high, KERB));
            self.used += 4.0 * TRUNK * TRUNK;
            self.soup.part(format!("{name}/tree{k}/crown"), "Foliage");
            crown(&mut self.soup, at);
        }
    }

    /// A terrace with a ramp, and bushes beside it. Ramp and terrace take as much ground as they give.
    fn terrace(&mut self, lot: [f64; 2], name: &str) {
        let at = |x: f64, y: f64, z: f64| [lot[0] + x, y, lot[1] + z];
        let top = KERB + self.random.range(0.8, 1.6);
        self.soup.part(format!("{name}/ramp"), "Concrete").wedge(at(4.0, KERB, 7.5), at(11.0, top, 10.5));
        self.soup
            .part(format!("{name}/terrace"), "Concrete")
            .cuboid(at(11.0, KERB, 6.0), at(18.0, top, 12.0));
        for k in 0..self.random.below(5) {
            let low = [lot[0] + 4.0 + 4.0 * k as f64, lot[1] + self.random.range(16.0, 20.0)];
            let high = low.map(|x| x + self.random.range(0.6, 1.5));
            let height = KERB + self.random.range(0.8, 1.6);
            self.soup.part(format!("{name}/bush{k}"), "Foliage");
            self.soup.cuboid([low[0], KERB, low[1]], [high[0], height, high[1]]);
            self.others.push(Component::top(low, high, height));
            self.used += (high[0] - low[0]) * (high[1] - low[1]);
        }
    }
}

/// An octahedron with faces steeper than anyone can walk, high enough to walk below.
fn crown(soup: &mut Soup, [x, z]: [f64; 2]) {
    let (radius, middle, half) = (0.8, 3.55, 1.05);
    let ring =
        [[x, middle, z - radius], [x - radius, middle, z], [x, middle, z + radius], [x + radius, middle, z]];
    for k in 0..4 {
        let (a, b) = (ring[k], ring[(k + 1) % 4]);
        soup.face(&[a, b, [x, middle + half, z]]);
        soup.face(&[b, a, [x, middle - half, z]]);
    }
}
