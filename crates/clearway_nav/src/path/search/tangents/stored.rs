//! The index as words of a file, and back. The format stands in `codec::path_index`.

use super::build::Line;
use super::liveness::sort_out;
use super::{CLASSES, STATE, Tangent, TangentIndex, corner_of};
use crate::mesh::NavMesh;
use crate::path::search::landmarks::split_vertices;

impl TangentIndex {
    /// Returns the tangents that leave each state, by the state that they lead to.
    pub(super) fn lists(&self) -> Vec<Vec<Tangent>> {
        let states = self.live.len() as u32;
        let mut lists: Vec<Vec<Tangent>> =
            (0..states).map(|state| self.live(state, CLASSES as u32).copied().collect()).collect();
        for state in 0..states {
            // Tangents that are alive for some radius are among the live ones already.
            for (_, dead) in self.dead(state, CLASSES as u32 - 1) {
                let tangent = Tangent { end: dead.end & !STATE | state, ..*dead };
                lists[dead.end() as usize].push(tangent);
            }
        }
        for list in &mut lists {
            list.sort_unstable_by_key(Tangent::end);
        }
        lists
    }

    /// Returns the index as words of a file.
    pub(crate) fn to_words(&self) -> Vec<u32> {
        let lists = self.lists();
        let counts = lists.iter().map(|list| list.len() as u32);
        let tangents = lists.iter().flatten();
        let words = tangents.flat_map(|tangent| [tangent.end(), tangent.widest.to_bits()]);
        counts.chain(words).collect()
    }

    /// Reads the index of a mesh from words of a file, or says what is wrong with them.
    pub(crate) fn from_words(mesh: &NavMesh, words: &[u32]) -> Result<TangentIndex, String> {
        let graph = mesh.graph();
        let states = 2 * graph.corners.len();
        let Some((counts, rest)) = words.split_at_checked(states) else {
            return Err(format!("has {} words and needs more than {states}", words.len()));
        };
        let counted: u64 = counts.iter().map(|count| u64::from(*count)).sum();
        if rest.len() as u64 != 2 * counted {
            return Err(format!("has {} words instead of {}", words.len(), states as u64 + 2 * counted));
        }
        let (pairs, _) = rest.as_chunks::<2>();
        let mut left = pairs;
        let mut lists = Vec::with_capacity(states);
        for (state, count) in counts.iter().enumerate() {
            let (own, others) = left.split_at(*count as usize);
            left = others;
            let in_order = own.windows(2).all(|pair| pair[0][0] < pair[1][0]);
            let tangents: Option<Vec<Tangent>> =
                own.iter().map(|pair| read_tangent(mesh, state as u32, *pair)).collect();
            let tangents = tangents.filter(|_| in_order);
            lists.push(tangents.ok_or_else(|| format!("the tangents of state {state} make no sense"))?);
        }
        let places = graph.corners.iter().map(|corner| graph.start[corner.side as usize]).collect();
        let split = split_vertices(graph);
        let split = graph.corners.iter().map(|corner| split[graph.vertex[corner.side as usize] as usize]);
        Ok(sort_out(places, split.collect(), lists))
    }
}

/// Reads one tangent that leaves a state; `None` if it makes no sense.
fn read_tangent(mesh: &NavMesh, state: u32, [to, widest]: [u32; 2]) -> Option<Tangent> {
    let graph = mesh.graph();
    let widest = f32::from_bits(widest);
    let corner = |state: u32| graph.corners.get(corner_of(state) as usize);
    let point = |side: u32| mesh.parts.points[graph.vertex[side as usize] as usize];
    let (from, other) = (corner(state)?, corner(to)?);
    let way = point(other.side) - point(from.side);
    let is_sound = widest >= 0.0 && widest.is_sign_positive() && way.length_squared() > 0;
    is_sound.then(|| {
        let line = Line::new([from, other], way);
        line.tangent(to, widest, [state, to].map(|state| (state & 1) as usize))
    })
}
