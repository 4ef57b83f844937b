//! Ground that an obstacle leaves, without a new division: cells stay as they are and lose their owner.
//!
//! Where it can be done, such ground is divided anew together with the cells around. In layers it cannot always: those
//! cells may lie over each other in projection, or meet at a rim between floors. Then their borders stay. Invariant: it
//! looks at no coordinate, so it never fails. Cost: linear in the cells.

use crate::fabric::undirected;
use crate::ground::patches_of;
use crate::rework::{Piece, Reworked, Task};

/// Returns the cells of a task as they are, without what is gone. No shape may be laid over them.
pub(crate) fn relabelled(task: &Task<'_>) -> Reworked {
    let mut result = Reworked::default();
    for (face, sides) in &task.faces {
        let mut label = task.fabric.label(task.mesh, *face);
        label.owners.retain(|owner| Some(*owner) != task.gone);
        let corners = sides.iter().map(|((from, _), _)| *from).collect();
        // The cells may lie over each other, so each keeps its own ground.
        let patches = patches_of(task.mesh, task.fabric, *face).to_vec();
        result.pieces.push(Piece { corners, label, patches });
        for (edge, _) in sides {
            let Some(mut thin) = task.fabric.thin.get(&undirected(*edge)).cloned() else { continue };
            thin.forget(task.gone);
            if !thin.is_gone() {
                result.thin.insert(undirected(*edge), thin);
            }
        }
    }
    result
}
