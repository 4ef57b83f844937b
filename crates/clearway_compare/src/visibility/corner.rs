//! Corners that paths turn around, and the part of the circle around each on which a disc can roll.
//!
//! A path bends only at obstacle-convex corners (time-slicing thesis, 4.1). For a disc of radius r the turn is an arc
//! of the circle of that radius around the corner. The arc lies inside the *normal cone* between the outward normals of
//! the corner's two walls. Other walls within 2r block parts of it; the rest are the *free arcs*.

use super::sector::{Fan, Sector};
use super::walls::{Hold, Stand, Wall, Walls, slack};
use clearway_geometry::{NONE, Vec2};
use clearway_nav::mesh::NavMesh;
use std::f64::consts::{PI, TAU};

/// Tolerance in radians: contacts this far outside an arc count as on it. Straight pieces are tested against all walls
/// anyway.
pub(super) const ANGLE_SLACK: f64 = 1e-7;

/// Free arcs narrower than this, in radians, come from rounding and are dropped.
const LEAST_ARC: f64 = 1e-10;

/// A wall corner with a free sector wider than a half turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    /// The vertex of the mesh.
    pub vertex: u32,
    /// The side of the mesh that begins the free sector.
    pub side: u32,
    /// Its position in grid units.
    pub at: Vec2,
    /// Its free sector, exact.
    sector: Sector,
    /// The outward normal of the first wall: angles of contacts are measured counter-clockwise from here.
    normal: Vec2,
    /// The width of the normal cone in radians, up to π.
    pub width: f64,
}

/// A part of a corner's circle where the disc fits, as angles from the corner's first normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FreeArc {
    /// The first angle, in radians.
    pub from: f64,
    /// The last angle, in radians.
    pub to: f64,
}

/// Returns all corners of a mesh, in the order of its sides.
pub(super) fn corners(mesh: &NavMesh, fan: &Fan<'_>) -> Vec<Corner> {
    let layout = mesh.graph();
    let walls = (0..layout.twin.len()).filter(|side| layout.twin[*side] == NONE);
    let with_sectors = walls.map(|side| (side, fan.sector(side)));
    let wide = with_sectors.filter(|(_, sector)| sector.is_wide());
    wide.map(|(side, sector)| {
        let [at, onward] = fan.ends(side);
        let last = fan.sector_sides(side).last().copied().unwrap_or(side);
        let back = layout.start[fan.previous(last)];
        let turn = (onward - at).angle_to(back - at);
        // A wide sector is above π, so the angle is negative, or zero at the end of a thin wall.
        Corner {
            vertex: layout.vertex[side],
            side: side as u32,
            at,
            sector,
            normal: (onward - at).unit().perp(),
            // A sector of hardly more than π may come out as +π by rounding.
            width: if turn > 1.0 { 0.0 } else { (turn + PI).clamp(0.0, PI) },
        }
    })
    .collect()
}

impl Corner {
    /// Returns the corner itself as the stand of a point.
    pub fn stand(&self) -> Stand {
        Stand { at: self.at, hold: Hold::Vertex { vertex: self.vertex, sector: self.sector } }
    }

    /// True if a stand at this corner lies in the corner's sector, and not in another sector of the same vertex.
    pub fn is_held_by(&self, stand: &Stand) -> bool {
        matches!(stand.hold, Hold::Vertex { vertex, sector } if vertex == self.vertex && sector == self.sector)
    }

    /// Returns the point on the circle around the corner in this direction.
    pub fn contact(&self, direction: Vec2, radius: f64) -> Stand {
        if radius > 0.0 { Stand { at: self.at + direction * radius, hold: Hold::Open } } else { self.stand() }
    }

    /// Returns the angle of a direction from the first normal, from a little below 0 to a little below 2π.
    pub fn angle(&self, direction: Vec2) -> f64 {
        let angle = self.normal.angle_to(direction);
        if angle < -ANGLE_SLACK { angle + TAU } else { angle }
    }

    /// True if a straight piece that touches the circle in this direction can belong to a shortest path. This is the
    /// thesis's test for redundant edges, for every radius.
    pub fn is_taut(&self, direction: Vec2, slack: f64) -> bool {
        // Cones are no wider than π, so most directions fail here without computing an angle.
        self.normal.cross(direction) > -2.0 * ANGLE_SLACK
            && (-slack..=self.width + slack).contains(&self.angle(direction))
    }

    /// Returns the parts of the cone where a disc of this radius keeps clear of all walls.
    pub fn free_arcs(&self, walls: &Walls, radius: f64) -> Vec<FreeArc> {
        let whole = FreeArc { from: 0.0, to: self.width };
        if radius <= 0.0 {
            return vec![whole];
        }
        let mut blocked = Vec::new();
        walls.any_near((self.at, self.at), 2.0 * radius, |wall| {
            // The corner's own walls made the cone; other walls that end here lie between them.
            if !wall.vertices.contains(&self.vertex) {
                self.block(wall, radius, &mut blocked);
            }
            false
        });
        blocked.sort_by(|a, b| a.from.total_cmp(&b.from).then(a.to.total_cmp(&b.to)));
        remainder(whole, &blocked)
    }

    /// Adds the angles at which a disc on the circle comes too close to a wall: within reach of its ends, or of its
    /// inside.
    fn block(&self, wall: &Wall, radius: f64, blocked: &mut Vec<FreeArc>) {
        let least = radius - slack(radius);
        let mut add = |middle: Vec2, from: f64, to: f64| {
            let angle = self.normal.angle_to(middle);
            for turn in [-TAU, 0.0, TAU] {
                let arc = FreeArc { from: angle + from + turn, to: angle + to + turn };
                if arc.to > 0.0 && arc.from < self.width {
                    blocked.push(arc);
                }
            }
        };
        for end in [wall.from, wall.to] {
            let away = end - self.at;
            let distance = away.length();
            let excess = (radius - least) * (radius + least);
            let cosine = (distance * distance + excess) / (2.0 * distance * radius);
            if cosine < 1.0 {
                add(away, -cosine.acos(), cosine.acos());
            }
        }
        let along = (wall.to - wall.from).unit();
        let away = wall.from - self.at;
        let upright = if away.dot(along.perp()) >= 0.0 { along.perp() } else { -along.perp() };
        let height = away.dot(upright);
        // Angles are measured from `upright`, towards `along` where `sense` is negative.
        let sense = upright.cross(along).signum();
        let reach = [away.dot(along), (wall.to - self.at).dot(along)];
        for [from, to] in wall_angles(height, reach, radius, least) {
            let ends = [from * sense, to * sense];
            add(upright, ends[0].min(ends[1]), ends[0].max(ends[1]));
        }
    }
}

/// Returns the angles φ from the upright of a wall at which a point of the circle of `radius` lies over the inside of
/// the wall and nearer than `least`. For these angles cos φ > (height - least) / radius, and radius sin φ lies within
/// `reach`.
fn wall_angles(height: f64, reach: [f64; 2], radius: f64, least: f64) -> Vec<[f64; 2]> {
    let cosine = (height - least) / radius;
    if cosine >= 1.0 {
        return Vec::new();
    }
    let half = cosine.max(-1.0).acos();
    let [low, high] = reach.map(|along| (along / radius).clamp(-1.0, 1.0).asin());
    let parts = [[low, high], [PI - high, PI - low], [-PI - high, -PI - low]];
    let clipped = parts.map(|[from, to]| [from.max(-half), to.min(half)]);
    clipped.into_iter().filter(|[from, to]| from < to).collect()
}

/// Returns the parts of an arc that sorted blocked parts leave.
fn remainder(whole: FreeArc, blocked: &[FreeArc]) -> Vec<FreeArc> {
    if blocked.is_empty() {
        return vec![whole];
    }
    let mut free = Vec::new();
    let mut from = whole.from;
    for part in blocked {
        if part.from - from > LEAST_ARC {
            free.push(FreeArc { from, to: part.from.min(whole.to) });
        }
        from = from.max(part.to);
    }
    if whole.to - from > LEAST_ARC {
        free.push(FreeArc { from, to: whole.to });
    }
    free
}

/// Returns the free arc on which a direction lies, and its angle.
pub(super) fn arc_at(corner: &Corner, arcs: &[FreeArc], direction: Vec2) -> Option<(u32, f64)> {
    let angle = corner.angle(direction);
    let holds = |arc: &FreeArc| angle >= arc.from - ANGLE_SLACK && angle <= arc.to + ANGLE_SLACK;
    arcs.iter().position(holds).map(|arc| (arc as u32, angle))
}
