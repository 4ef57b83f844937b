//! A uniform grid over bodies, for peers that are handed their neighbours: counting sort by cell, then the nearest few.

/// A point of the plan.
pub type Spot = [f32; 2];

/// Bodies sorted by the cell of a grid.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    pitch: f32,
    low: Spot,
    columns: usize,
    rows: usize,
    starts: Vec<u32>,
    cell_of: Vec<u32>,
    /// Bodies in the order of cells: their index before.
    pub order: Vec<u32>,
    sorted: Vec<Spot>,
}

/// At most so many neighbours, as the other engines keep.
pub const MOST: usize = 10;

/// The nearest bodies found so far, nearest first.
#[derive(Clone, Copy, Debug)]
pub struct Nearest {
    /// Squared distances.
    distances: [f32; MOST],
    /// Places in the order of cells.
    places: [u32; MOST],
    count: usize,
}

impl Nearest {
    fn offer(&mut self, distance: f32, place: u32) {
        if self.count == MOST && distance >= self.distances[MOST - 1] {
            return;
        }
        let mut k = self.count.min(MOST - 1);
        while k > 0 && self.distances[k - 1] > distance {
            self.distances[k] = self.distances[k - 1];
            self.places[k] = self.places[k - 1];
            k -= 1;
        }
        self.distances[k] = distance;
        self.places[k] = place;
        self.count = (self.count + 1).min(MOST);
    }

    /// Their places in the order of cells.
    pub fn places(&self) -> &[u32] {
        &self.places[..self.count]
    }
}

impl Grid {
    /// Makes a grid of this pitch in metres.
    pub fn new(pitch: f32) -> Grid {
        Grid { pitch, ..Grid::default() }
    }

    /// Sorts bodies anew.
    pub fn sort(&mut self, spots: &[Spot]) {
        let fold = |start: f32, pick: fn(f32, f32) -> f32| {
            spots.iter().fold([start; 2], |[x, y], spot| [pick(x, spot[0]), pick(y, spot[1])])
        };
        let high = fold(f32::NEG_INFINITY, f32::max);
        self.low = fold(f32::INFINITY, f32::min);
        [self.columns, self.rows] = [0, 1].map(|k| ((high[k] - self.low[k]) / self.pitch) as usize + 1);
        self.starts.clear();
        self.starts.resize(self.columns * self.rows + 1, 0);
        self.cell_of.clear();
        for spot in spots {
            let [x, y] = self.cell(*spot);
            let cell = y * self.columns + x;
            self.starts[cell + 1] += 1;
            self.cell_of.push(cell as u32);
        }
        for cell in 1..self.starts.len() {
            self.starts[cell] += self.starts[cell - 1];
        }
        self.order.resize(spots.len(), 0);
        self.sorted.resize(spots.len(), [0.0; 2]);
        for (body, &cell) in self.cell_of.iter().enumerate().rev() {
            self.starts[cell as usize + 1] -= 1;
            let place = self.starts[cell as usize + 1] as usize;
            self.order[place] = body as u32;
            self.sorted[place] = spots[body];
        }
        self.starts.remove(0);
        self.starts.push(spots.len() as u32);
    }

    fn cell(&self, spot: Spot) -> [usize; 2] {
        let index = |k: usize, count: usize| (((spot[k] - self.low[k]) / self.pitch) as usize).min(count - 1);
        [index(0, self.columns), index(1, self.rows)]
    }

    /// The nearest bodies within a range of the body at this place of the order, itself aside.
    pub fn nearest(&self, place: usize, range: f32) -> Nearest {
        let spot = self.sorted[place];
        let mut nearest = Nearest { distances: [f32::MAX; MOST], places: [0; MOST], count: 0 };
        let [x0, y0] = self.cell(spot.map(|c| c - range));
        let [x1, y1] = self.cell(spot.map(|c| c + range));
        for row in y0..=y1 {
            let cell = row * self.columns;
            let (from, to) = (self.starts[cell + x0] as usize, self.starts[cell + x1 + 1] as usize);
            for (other, at) in self.sorted[from..to].iter().enumerate() {
                let (dx, dy) = (at[0] - spot[0], at[1] - spot[1]);
                let distance = dx * dx + dy * dy;
                if distance < range * range && from + other != place {
                    nearest.offer(distance, (from + other) as u32);
                }
            }
        }
        nearest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clearway_scenes::Random;

    #[test]
    fn the_grid_finds_the_nearest_bodies() {
        let mut random = Random::new(3);
        let mut coordinate = || random.range(-7.0, 9.0) as f32;
        let spots: Vec<Spot> = (0..400).map(|_| [coordinate(), coordinate()]).collect();
        let mut grid = Grid::new(1.0);
        grid.sort(&spots);
        for place in 0..spots.len() {
            let me = grid.order[place] as usize;
            let squared = |other: usize| {
                (spots[other][0] - spots[me][0]).powi(2) + (spots[other][1] - spots[me][1]).powi(2)
            };
            let mut near: Vec<usize> =
                (0..spots.len()).filter(|&other| other != me && squared(other) < 4.0).collect();
            near.sort_by(|a, b| squared(*a).total_cmp(&squared(*b)));
            near.truncate(MOST);
            let found = grid.nearest(place, 2.0);
            let found: Vec<usize> = found.places().iter().map(|&k| grid.order[k as usize] as usize).collect();
            assert_eq!(found, near);
        }
    }
}
