//! The walkable surface of a scene: where a body can stand, exactly.

mod rules;

pub use rules::WalkRules;
