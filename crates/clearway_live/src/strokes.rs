//! The borders of touched ground as directed strokes, each with its ground on the left.
//!
//! Borders between touched cells with the same kind of ground are left out, and so are vertices of borders that nothing
//! needs any more. Cost: that of sorting the corners of the touched cells.

use crate::fabric::{Beyond, Edge, Face, Label, Thin, undirected};
use crate::quick::QuickMap;
use crate::rework::Task;
use clearway_geometry::predicates::orient;

/// A directed piece of a border, with its ground on the left.
#[derive(Clone, Debug)]
pub(crate) struct Stroke {
    /// The vertices that it joins.
    pub edge: Edge,
    /// The kind of ground on its left, as an index.
    pub label: usize,
    /// True if another cell shares it that is not touched.
    pub stays: bool,
    /// True if one can walk across it.
    pub is_portal: bool,
    /// The wall of no thickness along it.
    pub thin: Option<Thin>,
}

/// A list of different kinds of ground.
#[derive(Default)]
pub(crate) struct Labels(pub Vec<Label>);

impl Labels {
    /// Returns the index of a kind.
    pub fn index(&mut self, label: Label) -> usize {
        match self.0.iter().position(|known| *known == label) {
            Some(index) => index,
            None => {
                self.0.push(label);
                self.0.len() - 1
            }
        }
    }
}

/// Returns the borders between different kinds of ground, and those to cells that are not touched.
pub(crate) fn strokes_of(task: &Task<'_>, labels: &mut Labels) -> Vec<Stroke> {
    let Task { mesh, fabric, faces, gone, .. } = task;
    let label_of: QuickMap<Face, usize> = faces
        .keys()
        .map(|face| {
            let mut label = fabric.label(mesh, *face);
            label.owners.retain(|owner| Some(*owner) != *gone);
            (*face, labels.index(label))
        })
        .collect();
    let mut strokes = Vec::new();
    for (face, sides) in faces {
        let own = label_of.get(face).copied().unwrap_or(0);
        for (edge, beyond) in sides.iter().copied() {
            let thin = fabric.thin.get(&undirected(edge)).cloned().map(|mut thin| {
                thin.forget(*gone);
                thin
            });
            let thin = thin.filter(|thin| !thin.is_gone());
            let (other, is_portal) = match beyond {
                Beyond::Nothing => (None, false),
                Beyond::Portal(_, other) => (Some(other), true),
                Beyond::Wall(other) => (Some(other), false),
            };
            let inner = other.and_then(|other| label_of.get(&other));
            let is_open = inner == Some(&own) && thin.is_none();
            debug_assert!(!is_portal || thin.as_ref().is_none_or(|thin| !thin.is_wall()));
            if !is_open {
                let stays = other.is_some() && inner.is_none();
                strokes.push(Stroke { edge, label: own, stays, is_portal, thin });
            }
        }
    }
    strokes
}

/// The strokes that begin or end at each vertex.
struct Ends {
    /// Each vertex with a stroke, in order.
    known: Vec<(u32, usize)>,
    /// Those of strokes that were made longer.
    added: Vec<(u32, usize)>,
}

impl Ends {
    fn of(strokes: &[Stroke]) -> Ends {
        let ends = |(index, stroke): (usize, &Stroke)| [(stroke.edge.0, index), (stroke.edge.1, index)];
        let mut known: Vec<(u32, usize)> = strokes.iter().enumerate().flat_map(ends).collect();
        known.sort_unstable();
        Ends { known, added: Vec::new() }
    }

    /// Returns the strokes at a vertex.
    fn at(&self, vertex: u32) -> impl Iterator<Item = usize> + '_ {
        let first = self.known.partition_point(|(known, _)| *known < vertex);
        let known = self.known[first..].iter().take_while(move |(known, _)| *known == vertex);
        known.chain(self.added.iter().filter(move |(added, _)| *added == vertex)).map(|(_, index)| *index)
    }
}

/// Takes vertices out of straight borders that nothing needs any more: those that edits made where borders met, and
/// those in line with their neighbours.
pub(crate) fn straightened(task: &Task<'_>, labels: &Labels, mut strokes: Vec<Stroke>) -> Vec<Stroke> {
    let Task { mesh, fabric, gone, .. } = task;
    let mut ends = Ends::of(&strokes);
    let mut is_gone = vec![false; strokes.len()];
    for vertex in inner_vertices(task) {
        let here: Vec<usize> = ends.at(vertex).filter(|index| !is_gone[*index]).collect();
        let Some([before, after]) = ends_of_border(&strokes, &here, vertex) else { continue };
        let point = |vertex: u32| mesh.parts().points[vertex as usize];
        let [from, here_at, to] = [before, vertex, after].map(point);
        let is_in_line = orient(from, here_at, to) == 0;
        // A portal may end at a step that is too high. The borders of the two floors begin there, side by side.
        let turns_back = is_in_line && (here_at - from).dot(to - here_at) <= 0;
        let is_straight = is_in_line && !turns_back;
        let pins = fabric.made.get(&vertex);
        let is_left_over = pins.is_some_and(|owners| owners.iter().all(|owner| Some(*owner) == *gone));
        // A corner between two area classes belongs to their border.
        let area = |index: &usize| labels.0[strokes[*index].label].area;
        let has_one_area = here.windows(2).all(|pair| area(&pair[0]) == area(&pair[1]));
        let may_go = (is_left_over && has_one_area) || (is_straight && pins.is_none_or(Vec::is_empty));
        if !may_go || turns_back {
            continue;
        }
        for [from, to] in [[before, after], [after, before]] {
            let into = here.iter().copied().find(|index| strokes[*index].edge == (from, vertex));
            let out = here.iter().copied().find(|index| strokes[*index].edge == (vertex, to));
            if let (Some(into), Some(out)) = (into, out) {
                strokes[into].edge.1 = to;
                is_gone[out] = true;
                ends.added.push((to, into));
            }
        }
    }
    let mut kept = is_gone.iter();
    strokes.retain(|_| kept.next() == Some(&false));
    strokes
}

/// Returns the vertices at which all cells are touched, in order.
fn inner_vertices(task: &Task<'_>) -> Vec<u32> {
    let mut corners: Vec<u32> = task.corners().collect();
    corners.sort_unstable();
    let is_inner = |same: &&[u32]| {
        task.fabric.uses.get(same[0] as usize).is_some_and(|uses| *uses as usize == same.len())
    };
    corners.chunk_by(|a, b| a == b).filter(is_inner).map(|same| same[0]).collect()
}

/// Returns the two vertices between which a vertex lies on a border, if nothing else begins or ends there.
fn ends_of_border(strokes: &[Stroke], here: &[usize], vertex: u32) -> Option<[u32; 2]> {
    let other = |stroke: &Stroke| if stroke.edge.0 == vertex { stroke.edge.1 } else { stroke.edge.0 };
    let first = strokes.get(*here.first()?)?;
    let (mut before, mut after) = (other(first), other(first));
    for end in here.iter().map(|index| other(&strokes[*index])) {
        (before, after) = (before.min(end), after.max(end));
    }
    let is_one = |index: &usize| [before, after].contains(&other(&strokes[*index]));
    if before == after || !here.iter().all(is_one) {
        return None;
    }
    // One stroke each way and kind of ground; both halves of the border are alike.
    let alike = here.iter().all(|index| !strokes[*index].stays && strokes[*index].thin == first.thin);
    let label = |from: u32, to: u32| {
        let mut found = here.iter().filter(|index| strokes[**index].edge == (from, to));
        let label = found.next().map(|index| strokes[*index].label);
        (label, found.next().is_none())
    };
    let forth = [label(before, vertex), label(vertex, after)];
    let back = [label(after, vertex), label(vertex, before)];
    let is_even = forth[0] == forth[1] && back[0] == back[1] && forth[0].1 && back[0].1;
    (alike && is_even).then_some([before, after])
}
