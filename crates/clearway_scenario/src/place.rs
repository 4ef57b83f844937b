//! Places people so that no two overlap and nobody stands in a wall.
//!
//! Where there is room, places are drawn at random and uniformly. Where it is dense, people take the sites of a
//! triangular lattice that is shaken as far as it allows. A lattice can miss rows between benches that are narrower than
//! its own rows. So sites drawn at random fill what it leaves. Who fits nowhere is left out. Work is bounded: by the
//! number of people, and by the number of sites that the area has.

use crate::random::Draws;
use crate::slope::{STAIRS, steepness};
use clearway_crowd::Area;
use clearway_nav::query::in_world;
use clearway_nav::{Location, NavMesh};
use std::collections::BTreeMap;

/// The share of the ground that bodies may cover for places to be drawn at random only. Random places fill at most
/// 0.547 of the ground; from about 0.4 on most draws fail.
const MAX_RANDOM_COVER: f64 = 0.35;

/// The number of draws for one body before it counts as failed.
const TRIES: usize = 200;

/// The number of bodies that may fail in a row before the ground counts as full.
const MAX_FAILED: usize = 30;

/// The largest number of lattice sites that are looked at.
const MAX_SITES: f64 = 4e6;

/// The gap in metres that is left between bodies, and between bodies and walls: well above rounding.
const GAP: f64 = 1e-3;

/// The difference in metres between the height of an area and the ground that belongs to it, as in the engine.
const AREA_HEIGHT: f64 = 1.25;

/// The difference in height from which two bodies do not touch, in metres.
const BODY_HEIGHT: f64 = 1.5;

/// A body that stands somewhere.
#[derive(Clone, Copy, Debug)]
struct Stander {
    /// Its place in the plan.
    at: [f64; 2],
    /// The height of its ground in metres.
    height: f64,
    /// Its radius in metres.
    radius: f64,
}

/// The bodies that stand somewhere, in a grid.
#[derive(Clone)]
pub struct Taken {
    /// The bodies by square of the grid.
    squares: BTreeMap<[i64; 2], Vec<Stander>>,
    /// The largest radius so far.
    largest: f64,
}

impl Taken {
    /// Makes an empty grid.
    pub fn new() -> Taken {
        Taken { squares: BTreeMap::new(), largest: 0.0 }
    }

    /// Returns the square of a point. Squares have sides of 1 m.
    fn square(at: [f64; 2]) -> [i64; 2] {
        at.map(|c| c.floor() as i64)
    }

    /// Adds a body.
    pub fn add(&mut self, at: [f64; 2], height: f64, radius: f64) {
        self.squares.entry(Taken::square(at)).or_default().push(Stander { at, height, radius });
        self.largest = self.largest.max(radius);
    }

    /// True if a body would touch nobody.
    pub fn is_free(&self, at: [f64; 2], height: f64, radius: f64) -> bool {
        let reach = radius + self.largest + GAP;
        let [low, high] = [-reach, reach].map(|reach| Taken::square([at[0] + reach, at[1] + reach]));
        for x in low[0]..=high[0] {
            for (_, bodies) in self.squares.range([x, low[1]]..=[x, high[1]]) {
                let touches = |other: &Stander| {
                    let apart = [other.at[0] - at[0], other.at[1] - at[1]];
                    let least = radius + other.radius + GAP;
                    apart[0] * apart[0] + apart[1] * apart[1] < least * least
                        && (other.height - height).abs() < BODY_HEIGHT
                };
                if bodies.iter().any(touches) {
                    return false;
                }
            }
        }
        true
    }
}

/// The ground on which people of a source may start.
pub struct Region<'a> {
    /// The mesh.
    pub mesh: &'a NavMesh,
    /// The area; the whole mesh if it is `None`.
    pub area: Option<&'a Area>,
    /// True for components of the mesh in which people may start.
    pub components: &'a [bool],
    /// Places of which a body must be able to reach one. Without any, each place will do.
    pub goals: &'a [Location],
    /// Ground on which nobody starts.
    pub shunned: Option<&'a Shunned>,
}

/// Ground on which nobody starts unless a source names it: exits, doorways, zones and stairs.
#[derive(Clone, Debug, Default)]
pub struct Shunned {
    /// Exits and zones.
    pub areas: Vec<Area>,
    /// The lines of doors, each with the height of its floor.
    pub doors: Vec<([[f64; 2]; 2], Option<f64>)>,
}

/// The distance in metres from the line of a door within which nobody starts: the depth of a doorway.
const DOORWAY: f64 = 0.5;

impl Shunned {
    /// True if nobody starts at a place.
    fn holds(&self, mesh: &NavMesh, place: &Location) -> bool {
        let (at, ground) = (place.position(), mesh.height(*place));
        let is_near = |height: Option<f64>| {
            height.is_none_or(|height| !mesh.has_heights() || (height - ground).abs() <= AREA_HEIGHT)
        };
        let in_area = |area: &Area| area.holds(at) && is_near(area.height());
        let in_door = |([a, b], height): &([[f64; 2]; 2], Option<f64>)| {
            is_near(*height) && distance_from(at, *a, *b) <= DOORWAY
        };
        self.areas.iter().any(in_area) || self.doors.iter().any(in_door) || steepness(mesh, *place) > STAIRS
    }
}

/// Returns the distance of a point from a segment in metres.
pub fn distance_from(at: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let along = [b[0] - a[0], b[1] - a[1]];
    let square = along[0] * along[0] + along[1] * along[1];
    let part = ((at[0] - a[0]) * along[0] + (at[1] - a[1]) * along[1]) / square;
    let part = if square > 0.0 { part.clamp(0.0, 1.0) } else { 0.0 };
    (a[0] + part * along[0] - at[0]).hypot(a[1] + part * along[1] - at[1])
}

impl Region<'_> {
    /// Returns the corners of the rectangle around the region.
    fn bounds(&self) -> [[f64; 2]; 2] {
        let Some(area) = self.area else { return self.mesh.bounds().unwrap_or_default() };
        let start = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
        area.outline().iter().fold(start, |[low, high], p| {
            [[low[0].min(p[0]), low[1].min(p[1])], [high[0].max(p[0]), high[1].max(p[1])]]
        })
    }

    /// Returns all places of the region over a point of the plan: one for each floor.
    fn floors(&self, at: [f64; 2]) -> Vec<Location> {
        if self.area.is_some_and(|area| !area.holds(at)) {
            return Vec::new();
        }
        let places: Vec<Location> = if self.mesh.has_heights() {
            let wanted = self.area.and_then(Area::height);
            let is_near = |height: &f64| wanted.is_none_or(|wanted| (wanted - height).abs() <= AREA_HEIGHT);
            let heights = self.mesh.heights_at(at[0], 0.0 - at[1]).into_iter().filter(is_near);
            heights.filter_map(|height| self.mesh.locate(in_world(at, height)).ok()).collect()
        } else {
            self.mesh.locate(at).ok().into_iter().collect()
        };
        places.into_iter().filter(|place| self.may_start(place)).collect()
    }

    /// True if people may start in the component of a place.
    fn may_start(&self, place: &Location) -> bool {
        let component = self.mesh.cell(place.cell()).map(|cell| cell.component().index());
        component.and_then(|component| self.components.get(component)).copied().unwrap_or(false)
            && !self.shunned.is_some_and(|shunned| shunned.holds(self.mesh, place))
    }

    /// Draws a place, uniformly over the region; `None` if the draw missed it.
    pub fn draw(&self, draws: &mut Draws) -> Option<Location> {
        if self.area.is_none() {
            return self.draw_on_mesh(draws);
        }
        let [low, high] = self.bounds();
        let at = [0, 1].map(|axis| low[axis] + (high[axis] - low[axis]) * draws.uniform());
        let floors = self.floors(at);
        // Of several floors one is chosen, so that none is preferred.
        (!floors.is_empty()).then(|| floors[draws.index(floors.len())])
    }

    /// Draws a place of the mesh; `None` if it lies outside the region. It finds areas that reach far beyond the mesh.
    pub fn draw_on_mesh(&self, draws: &mut Draws) -> Option<Location> {
        let place = self.mesh.random_point((draws.uniform() * (1u64 << 53) as f64) as u64)?;
        let is_high = |height: f64| (height - self.mesh.height(place)).abs() <= AREA_HEIGHT;
        let holds = |area: &Area| area.holds(place.position()) && area.height().is_none_or(is_high);
        (self.may_start(&place) && self.area.is_none_or(holds)).then_some(place)
    }

    /// True if a body at a place touches neither a wall nor another body.
    pub fn has_room(&self, place: &Location, radius: f64, taken: &Taken) -> bool {
        taken.is_free(place.position(), self.mesh.height(*place), radius)
            && self.mesh.clearance(*place).is_some_and(|room| room >= radius + GAP)
            && self.can_leave(place, radius)
    }

    /// True if a body fits through all doors on the way to some goal. A goal in whose place it does not fit says nothing.
    fn can_leave(&self, place: &Location, radius: f64) -> bool {
        let is_within_reach = |goal: &Location| {
            self.mesh.can_pass(*place, *goal, radius)
                || self.mesh.clearance(*goal).is_none_or(|room| room < radius)
        };
        self.goals.is_empty() || self.goals.iter().any(is_within_reach)
    }

    /// Draws a place with room for a body, in a number of tries in the area, and as many on the mesh.
    pub fn draw_free(&self, radius: f64, taken: &Taken, tries: usize, draws: &mut Draws) -> Option<Location> {
        let has_room = |place: &Location| self.has_room(place, radius, taken);
        let found = (0..tries).find_map(|_| self.draw(draws).filter(has_room));
        found.or_else(|| (0..tries).find_map(|_| self.draw_on_mesh(draws).filter(has_room)))
    }

    /// Estimates the ground of the region in m², and the part of it on which a body of this radius can stand.
    fn room(&self, radius: f64, draws: &mut Draws) -> [f64; 2] {
        let (tries, empty) = (1000, Taken::new());
        let mut hits = [0.0; 2];
        for place in (0..tries).filter_map(|_| self.draw(draws)) {
            hits[0] += 1.0;
            hits[1] += f64::from(u8::from(self.has_room(&place, radius, &empty)));
        }
        let [low, high] = self.bounds();
        let whole = match self.area {
            Some(_) => (high[0] - low[0]) * (high[1] - low[1]),
            None => self.mesh.area(),
        };
        hits.map(|hits| hits / f64::from(tries) * whole)
    }
}

/// Places bodies in a region. Returns a place for each radius, in order, or `None` for a body that fits nowhere. The
/// bodies that were placed are added to `taken`.
pub fn place(
    region: &Region<'_>,
    radii: &[f64],
    taken: &mut Taken,
    draws: &mut Draws,
) -> Vec<Option<Location>> {
    let mean = radii.iter().sum::<f64>() / radii.len().max(1) as f64;
    let [ground, room] = region.room(mean, draws);
    let covered: f64 = radii.iter().map(|r| std::f64::consts::PI * r * r).sum();
    let mut places = vec![None; radii.len()];
    if covered <= MAX_RANDOM_COVER * ground {
        let mut tried = taken.clone();
        at_random(region, radii, &mut tried, draws, &mut places);
        if places.iter().all(Option::is_some) {
            *taken = tried;
            return places;
        }
        places.fill(None);
    }
    on_lattice(region, radii, room.max(1e-9), taken, draws, &mut places);
    at_random(region, radii, taken, draws, &mut places);
    places
}

/// Draws places for the bodies that have none, until many in a row fit nowhere.
fn at_random(
    region: &Region<'_>,
    radii: &[f64],
    taken: &mut Taken,
    draws: &mut Draws,
    places: &mut [Option<Location>],
) {
    let mut failed = 0;
    for (slot, &radius) in places.iter_mut().zip(radii).filter(|(slot, _)| slot.is_none()) {
        if failed == MAX_FAILED {
            return;
        }
        *slot = region.draw_free(radius, taken, TRIES, draws);
        failed = if slot.is_some() { 0 } else { failed + 1 };
        if let Some(place) = slot {
            taken.add(place.position(), region.mesh.height(*place), radius);
        }
    }
}

/// Places bodies on the sites of a lattice whose spacing is as wide as the number of bodies allows.
fn on_lattice(
    region: &Region<'_>,
    radii: &[f64],
    room: f64,
    taken: &mut Taken,
    draws: &mut Draws,
    places: &mut [Option<Location>],
) {
    let largest = radii.iter().copied().fold(0.0, f64::max);
    let tight = 2.0 * largest + 2.0 * GAP;
    let mut spacing = (2.0 * room / (3f64.sqrt() * radii.len() as f64)).sqrt().max(tight);
    let mut sites = sites(region, spacing, largest, taken, draws);
    while sites.len() < radii.len() && spacing > tight {
        spacing = (0.96 * spacing).max(tight);
        sites = self::sites(region, spacing, largest, taken, draws);
    }
    fill(region, spacing, largest, taken, draws, &mut sites);
    // The first sites after a shuffle are a random choice.
    for last in (1..sites.len()).rev() {
        sites.swap(last, draws.index(last + 1));
    }
    let play = 0.5 * (spacing - tight);
    for ((slot, &radius), site) in places.iter_mut().zip(radii).zip(sites) {
        let shake = [0; 2].map(|_| play * (2.0 * draws.uniform() - 1.0) * std::f64::consts::FRAC_1_SQRT_2);
        let [x, y] = site.position();
        let moved = region.mesh.locate_near([x + shake[0], y + shake[1]], &site).ok();
        let inside = |place: &Location| region.area.is_none_or(|area| area.holds(place.position()));
        let moved = moved.filter(|place| inside(place) && region.has_room(place, radius, taken));
        let place = moved.unwrap_or(site);
        taken.add(place.position(), region.mesh.height(place), radius);
        *slot = Some(place);
    }
}

/// Adds sites drawn at random to those of a lattice where they keep its spacing: in rows that the lattice misses.
fn fill(
    region: &Region<'_>,
    spacing: f64,
    radius: f64,
    taken: &Taken,
    draws: &mut Draws,
    sites: &mut Vec<Location>,
) {
    let half = 0.5 * (spacing - GAP);
    let mut around = Taken::new();
    for site in &*sites {
        around.add(site.position(), region.mesh.height(*site), half);
    }
    let mut failed = 0;
    while failed < MAX_FAILED * TRIES {
        failed += 1;
        let Some(place) = region.draw(draws) else { continue };
        let (at, height) = (place.position(), region.mesh.height(place));
        if around.is_free(at, height, half) && region.has_room(&place, radius, taken) {
            around.add(at, height, half);
            sites.push(place);
            failed = 0;
        }
    }
}

/// Returns the sites of a triangular lattice on which a body has room. Empty if the region has too many.
fn sites(region: &Region<'_>, spacing: f64, radius: f64, taken: &Taken, draws: &mut Draws) -> Vec<Location> {
    let ([low, high], [least, most]) = (region.bounds(), region.mesh.bounds().unwrap_or_default());
    let low = [0, 1].map(|axis| f64::max(low[axis], least[axis]));
    let high = [0, 1].map(|axis| f64::min(high[axis], most[axis]));
    let row = 0.5 * 3f64.sqrt() * spacing;
    let [columns, rows] =
        [((high[0] - low[0]) / spacing).ceil() + 1.0, ((high[1] - low[1]) / row).ceil() + 1.0];
    if columns * rows > MAX_SITES {
        return Vec::new();
    }
    // The lattice begins somewhere within its first mesh, so that walls do not always cut it the same way.
    let start = [low[0] - spacing * draws.uniform(), low[1] - row * draws.uniform()];
    let mut sites = Vec::new();
    for j in 0..=rows as usize {
        let indent = if j % 2 == 1 { 0.5 * spacing } else { 0.0 };
        for i in 0..=columns as usize {
            let at = [start[0] + indent + spacing * i as f64, start[1] + row * j as f64];
            sites.extend(region.floors(at).into_iter().filter(|place| region.has_room(place, radius, taken)));
        }
    }
    sites
}

/// Returns the components of a mesh on which an area lies, by index; empty if it lies beside the mesh.
pub fn components_of(mesh: &NavMesh, area: &Area, draws: &mut Draws) -> Vec<usize> {
    let all = vec![true; mesh.component_count()];
    let region = Region { mesh, area: Some(area), components: &all, goals: &[], shunned: None };
    let index = |place: Location| mesh.cell(place.cell()).map(|cell| cell.component().index());
    let corners = area.outline().iter().flat_map(|at| region.floors(*at));
    let mut found: Vec<usize> = corners.filter_map(index).collect();
    found.extend((0..256).filter_map(|_| region.draw(draws)).filter_map(index));
    found.extend((0..256).filter_map(|_| region.draw_on_mesh(draws)).filter_map(index));
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Purpose;
    use clearway_build::MeshOptions;
    use clearway_world::Plan;

    /// Returns the mesh of a room with a pillar.
    fn room(width: f64, height: f64) -> NavMesh {
        let ring = |[x, y]: [f64; 2], [w, h]: [f64; 2]| vec![[x, y], [x + w, y], [x + w, y + h], [x, y + h]];
        let plan = Plan::from_rings([ring([0.0; 2], [width, height]), ring([3.0, 2.0], [1.0, 1.0])]);
        MeshOptions::default().build(&plan).unwrap()
    }

    /// Places bodies and checks that nobody touches anybody or a wall. Returns how many have a place.
    fn placed(mesh: &NavMesh, area: Option<&Area>, radii: &[f64]) -> usize {
        let region = Region { mesh, area, components: &[true], goals: &[], shunned: None };
        let mut draws = Draws::new(5, 0, 0, Purpose::Place);
        let places = place(&region, radii, &mut Taken::new(), &mut draws);
        let found: Vec<_> = places.iter().zip(radii).filter_map(|(place, r)| Some(((*place)?, *r))).collect();
        for (k, (a, r)) in found.iter().enumerate() {
            assert!(mesh.clearance(*a).unwrap() >= *r, "{a:?}");
            assert!(area.is_none_or(|area| area.holds(a.position())));
            for (b, s) in &found[..k] {
                let [p, q] = [a.position(), b.position()];
                assert!((p[0] - q[0]).hypot(p[1] - q[1]) >= r + s, "{p:?} {q:?}");
            }
        }
        found.len()
    }

    #[test]
    fn sparse_and_dense_crowds_fit() {
        let mesh = room(10.0, 8.0);
        assert_eq!(placed(&mesh, None, &[0.2; 60]), 60);
        // 3.8 people to the square metre, which random places never reach.
        assert_eq!(placed(&mesh, None, &[0.2; 300]), 300);
        let area = Area::rectangle([5.0, 1.0], [9.0, 7.0]).unwrap();
        assert_eq!(placed(&mesh, Some(&area), &[0.2; 100]), 100);
        let mixed: Vec<f64> = (0..120).map(|k| if k % 3 == 0 { 0.3 } else { 0.15 }).collect();
        assert_eq!(placed(&mesh, None, &mixed), 120);
    }

    #[test]
    fn who_does_not_fit_is_left_out_in_bounded_time() {
        let mesh = room(10.0, 8.0);
        let few = placed(&mesh, None, &[0.2; 2000]);
        // The densest packing of discs of 0.2 m has 7.2 to the square metre.
        assert!((300..570).contains(&few), "{few}");
        let mut draws = Draws::new(5, 0, 0, Purpose::Place);
        let region = Region { mesh: &mesh, area: None, components: &[true], goals: &[], shunned: None };
        let million = place(&region, &vec![0.2; 1_000_000], &mut Taken::new(), &mut draws);
        assert!(million.iter().filter(|place| place.is_some()).count() < 570);
        assert_eq!(placed(&mesh, None, &[5.0; 3]), 0);
    }

    /// A lecture hall: seven rows of 0.7 m behind benches of 0.4 m, which a lattice of bodies can miss.
    fn rows() -> NavMesh {
        let ring = |[x, y]: [f64; 2], [w, h]: [f64; 2]| vec![[x, y], [x + w, y], [x + w, y + h], [x, y + h]];
        let benches =
            (0..7).flat_map(|k| [2.0, 8.7].map(|x| ring([x, 2.0 + 1.1 * f64::from(k)], [5.5, 0.4])));
        let plan = Plan::from_rings([ring([0.0; 2], [16.0, 12.0])].into_iter().chain(benches));
        MeshOptions::default().build(&plan).unwrap()
    }

    #[test]
    fn no_row_of_seats_stays_empty() {
        let mesh = rows();
        let area = Area::rectangle([2.0, 2.4], [14.2, 9.5]).unwrap();
        let region =
            Region { mesh: &mesh, area: Some(&area), components: &[true], goals: &[], shunned: None };
        for count in [30, 60, 90, 120, 150, 180] {
            let mut rows = [0.0f64; 7];
            for seed in 0..10 {
                let mut draws = Draws::new(seed, 0, 0, Purpose::Place);
                let places = place(&region, &vec![0.2; count], &mut Taken::new(), &mut draws);
                for at in places.iter().flatten().map(Location::position) {
                    rows[(((at[1] - 2.2) / 1.1) as usize).min(6)] += 0.1;
                }
            }
            let mean = rows.iter().sum::<f64>() / 7.0;
            assert!(rows.iter().all(|row| (row / mean - 1.0).abs() < 0.35), "{count}: {rows:?}");
        }
    }

    #[test]
    fn places_are_uniform() {
        let mesh = MeshOptions::default()
            .build(&Plan::from_rings([vec![[0.0, 0.0], [100.0, 0.0], [100.0, 100.0], [0.0, 100.0]]]))
            .unwrap();
        let region = Region { mesh: &mesh, area: None, components: &[true], goals: &[], shunned: None };
        let mut draws = Draws::new(2, 0, 0, Purpose::Place);
        let places = place(&region, &[0.2; 2000], &mut Taken::new(), &mut draws);
        let mut bins = [[0.0f64; 10]; 2];
        for at in places.iter().flatten().map(Location::position) {
            for axis in 0..2 {
                bins[axis][(at[axis] / 10.0) as usize] += 1.0;
            }
        }
        // With nine degrees of freedom, 27.9 is exceeded once in a thousand times.
        for bins in bins {
            let square: f64 = bins.iter().map(|count| (count - 200.0).powi(2) / 200.0).sum();
            assert!(square < 27.9, "{bins:?}");
        }
    }
}
