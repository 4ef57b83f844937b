//! The roles of the parts of a plan, and the roles that names of layers stand for.

use std::fmt;

/// The role of a part of a plan: a layer, a group or a kind of feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum PlanRole {
    /// Areas that one can walk on.
    Floor,
    /// Areas that one cannot walk on; lines are walls.
    Obstacle,
    /// Lines that nobody walks through.
    Wall,
    /// Areas that join floors through a wall, and points at which a wall has an opening. Lines are only drawn there.
    Door,
    /// Areas or lines where people leave.
    Exit,
    /// Areas where people start.
    Start,
    /// Areas that people pass on their way.
    Waypoint,
    /// Areas or lines along which one gets from one level to another.
    Stairs,
    /// Drawn for people: texts, dimensions, frames. Left out.
    Ignore,
}

/// Every role with its name.
const NAMES: [(&str, PlanRole); 9] = [
    ("floor", PlanRole::Floor),
    ("obstacle", PlanRole::Obstacle),
    ("wall", PlanRole::Wall),
    ("door", PlanRole::Door),
    ("exit", PlanRole::Exit),
    ("start", PlanRole::Start),
    ("waypoint", PlanRole::Waypoint),
    ("stairs", PlanRole::Stairs),
    ("ignore", PlanRole::Ignore),
];

/// Words in names of layers, in lower case, with the roles that they stand for. The first word found decides, so words
/// for what is only drawn come first: `wall-text` is a text. English, German, French, Spanish and Italian.
const WORDS: [(&str, PlanRole); 88] = [
    ("jps-walkablearea", PlanRole::Floor),
    ("walkablearea", PlanRole::Floor),
    ("jps-obstacles", PlanRole::Obstacle),
    ("jps-exits", PlanRole::Exit),
    ("jps-distributions", PlanRole::Start),
    ("jps-waypoints", PlanRole::Waypoint),
    ("jps-journeys", PlanRole::Ignore),
    ("jps-parameters", PlanRole::Ignore),
    ("defpoints", PlanRole::Ignore),
    ("dimension", PlanRole::Ignore),
    ("bemass", PlanRole::Ignore),
    ("bemaß", PlanRole::Ignore),
    ("cotes", PlanRole::Ignore),
    ("cotas", PlanRole::Ignore),
    ("text", PlanRole::Ignore),
    ("beschrift", PlanRole::Ignore),
    ("anno", PlanRole::Ignore),
    ("label", PlanRole::Ignore),
    ("symbol", PlanRole::Ignore),
    ("title", PlanRole::Ignore),
    ("legend", PlanRole::Ignore),
    ("viewport", PlanRole::Ignore),
    ("background", PlanRole::Ignore),
    ("frame", PlanRole::Ignore),
    ("border", PlanRole::Ignore),
    ("rahmen", PlanRole::Ignore),
    ("hatch", PlanRole::Ignore),
    ("schraff", PlanRole::Ignore),
    ("axis", PlanRole::Ignore),
    ("achse", PlanRole::Ignore),
    ("centerline", PlanRole::Ignore),
    ("centreline", PlanRole::Ignore),
    ("ceiling", PlanRole::Ignore),
    ("decke", PlanRole::Ignore),
    ("roof", PlanRole::Ignore),
    ("dach", PlanRole::Ignore),
    ("lighting", PlanRole::Ignore),
    ("electric", PlanRole::Ignore),
    ("elektro", PlanRole::Ignore),
    ("exit", PlanRole::Exit),
    ("ausgang", PlanRole::Exit),
    ("sortie", PlanRole::Exit),
    ("salida", PlanRole::Exit),
    ("uscita", PlanRole::Exit),
    ("distribution", PlanRole::Start),
    ("start", PlanRole::Start),
    ("spawn", PlanRole::Start),
    ("waypoint", PlanRole::Waypoint),
    ("stair", PlanRole::Stairs),
    ("steps", PlanRole::Stairs),
    ("treppe", PlanRole::Stairs),
    ("escal", PlanRole::Stairs),
    ("scala", PlanRole::Stairs),
    ("ramp", PlanRole::Stairs),
    ("door", PlanRole::Door),
    ("tür", PlanRole::Door),
    ("tuer", PlanRole::Door),
    ("porte", PlanRole::Door),
    ("puerta", PlanRole::Door),
    ("porta", PlanRole::Door),
    ("window", PlanRole::Wall),
    ("glaz", PlanRole::Wall),
    ("fenster", PlanRole::Wall),
    ("fenetre", PlanRole::Wall),
    ("fenêtre", PlanRole::Wall),
    ("ventana", PlanRole::Wall),
    ("finestra", PlanRole::Wall),
    ("wall", PlanRole::Wall),
    ("wand", PlanRole::Wall),
    ("wände", PlanRole::Wall),
    ("waende", PlanRole::Wall),
    ("mauer", PlanRole::Wall),
    ("muro", PlanRole::Wall),
    ("pared", PlanRole::Wall),
    ("cloison", PlanRole::Wall),
    ("partition", PlanRole::Wall),
    ("furniture", PlanRole::Obstacle),
    ("furn", PlanRole::Obstacle),
    ("möbel", PlanRole::Obstacle),
    ("moebel", PlanRole::Obstacle),
    ("meuble", PlanRole::Obstacle),
    ("mobilier", PlanRole::Obstacle),
    ("obstacle", PlanRole::Obstacle),
    ("hindernis", PlanRole::Obstacle),
    ("column", PlanRole::Obstacle),
    ("pillar", PlanRole::Obstacle),
    ("stütze", PlanRole::Obstacle),
    ("equipment", PlanRole::Obstacle),
];

/// Whole words, for names that are too short to be looked for inside others.
const WHOLE_WORDS: [(&str, PlanRole); 19] = [
    ("dim", PlanRole::Ignore),
    ("dims", PlanRole::Ignore),
    ("txt", PlanRole::Ignore),
    ("grid", PlanRole::Ignore),
    ("quote", PlanRole::Ignore),
    ("note", PlanRole::Ignore),
    ("notes", PlanRole::Ignore),
    ("source", PlanRole::Start),
    ("mur", PlanRole::Wall),
    ("murs", PlanRole::Wall),
    ("out", PlanRole::Exit),
    ("col", PlanRole::Obstacle),
    ("cols", PlanRole::Obstacle),
    ("eqpm", PlanRole::Obstacle),
    ("table", PlanRole::Obstacle),
    ("room", PlanRole::Floor),
    ("rooms", PlanRole::Floor),
    ("floor", PlanRole::Floor),
    ("walkable", PlanRole::Floor),
];

impl PlanRole {
    /// The role of a name: `floor`, `obstacle`, `wall`, `door`, `exit`, `start`, `waypoint`, `stairs` or `ignore`.
    pub fn from_name(name: &str) -> Option<PlanRole> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, role)| *role)
    }

    /// The names of all roles.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name)
    }

    /// The role that a name of a layer or a block stands for. Levels of names (between `/`) are asked from the last
    /// one on: a block says more than the layer that it lies on.
    pub fn guess(name: &str) -> Option<PlanRole> {
        name.rsplit('/').find_map(guess_level)
    }
}

impl fmt::Display for PlanRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = NAMES.iter().find(|(_, role)| role == self).map_or("", |(name, _)| *name);
        f.write_str(name)
    }
}

/// The role that one level of a name stands for.
fn guess_level(name: &str) -> Option<PlanRole> {
    let lower = name.to_lowercase();
    let whole = |(word, _): &&(&str, PlanRole)| {
        lower.split(|letter: char| !letter.is_alphabetic()).any(|piece| piece == *word)
    };
    let found =
        WORDS.iter().find(|(word, _)| lower.contains(word)).or_else(|| WHOLE_WORDS.iter().find(whole));
    found.map(|(_, role)| *role)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_layers_tell_roles() {
        let cases = [
            ("jps-walkablearea", Some(PlanRole::Floor)),
            ("JPS-Obstacles", Some(PlanRole::Obstacle)),
            ("A-WALL-EXTR", Some(PlanRole::Wall)),
            ("A-WALL-TEXT", Some(PlanRole::Ignore)),
            ("A-DOOR", Some(PlanRole::Door)),
            ("Innenwände", Some(PlanRole::Wall)),
            ("S-COLS", Some(PlanRole::Obstacle)),
            ("color", None),
            ("0", None),
            ("0/DOOR90", Some(PlanRole::Door)),
            ("A-WALL/chair", Some(PlanRole::Wall)),
            ("A-FLOR-ROOM", Some(PlanRole::Floor)),
            ("", None),
        ];
        for (name, role) in cases {
            assert_eq!(PlanRole::guess(name), role, "{name}");
        }
    }

    #[test]
    fn names_and_roles_go_both_ways() {
        for name in PlanRole::names() {
            assert_eq!(PlanRole::from_name(name).unwrap().to_string(), name);
        }
        assert_eq!(PlanRole::from_name("Floor"), None);
    }
}
