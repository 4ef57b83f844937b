//! Edits of a diagram by whole shapes. Shapes that cross, touch or overlap are split where they meet.
//!
//! Most shapes meet nothing, and their walls are sites. A shape that meets others forms a group with them. The walls of
//! a group are arranged on the grid, and pieces on which several walls run are one site with several owners. Each shape
//! remembers what was drawn. When one goes, its group is put in again from the drawings, so the others become straight
//! again. Rounding may lead a piece into one more shape; that joins the group then. A failed edit leaves the diagram as
//! it was. Cost: that of the sites; for a group, of all its walls.

use crate::diagram::{Beside, Diagram, Placed, Trouble};
use crate::shapes::{Owned, Shape, ShapeId, Woven};
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_geometry::Point;
use clearway_geometry::arrangement::{SplitWall, split_walls};
use std::collections::BTreeMap;

/// Shapes that are out of the diagram for the moment, by their index.
type Drawings = BTreeMap<u32, Shape>;

impl Diagram {
    /// Puts a shape in. Where its walls meet others, all of them are split, with crossings rounded to the grid.
    pub fn insert(&mut self, shape: &Shape) -> Result<ShapeId> {
        self.check_shape(shape)?;
        self.changed.clear();
        let id = self.new_shape(&[]);
        let result = self.put(id.index, shape, None);
        if result.is_err() {
            self.retire(id.index as usize, id.generation);
        }
        result.map(|()| id)
    }

    /// Puts a shape in whose corners go beside known sites: `near` gives the nearest site of a corner and the edge
    /// behind it. Shapes that meet others are refused.
    pub(crate) fn insert_beside(
        &mut self,
        shape: &Shape,
        near: impl FnMut(&Diagram, usize) -> Result<Beside>,
    ) -> Result<ShapeId> {
        self.check_shape(shape)?;
        self.changed.clear();
        let sites = self.add_beside(shape, near)?;
        let id = self.new_shape(&[]);
        self.settle(id.index, sites);
        Ok(id)
    }

    /// Takes the sites of a shape out, which stays alive without them until [`Diagram::put_beside`].
    pub(crate) fn lift_alone(&mut self, id: ShapeId) -> Result<()> {
        let place = self.owned(id)?;
        self.changed.clear();
        self.lift(place as u32);
        Ok(())
    }

    /// Gives a living shape without sites those of a drawing, as [`Diagram::insert_beside`] does.
    pub(crate) fn put_beside(
        &mut self,
        id: ShapeId,
        shape: &Shape,
        near: impl FnMut(&Diagram, usize) -> Result<Beside>,
    ) -> Result<()> {
        let place = self.owned(id)?;
        let sites = self.add_beside(shape, near)?;
        self.settle(place as u32, sites);
        Ok(())
    }

    /// Puts the sites of a shape in; on an error none of them.
    fn add_beside(
        &mut self,
        shape: &Shape,
        mut near: impl FnMut(&Diagram, usize) -> Result<Beside>,
    ) -> Result<Owned> {
        let mut owned = Owned::default();
        let mut result = Ok(());
        for (i, &corner) in shape.corners().iter().enumerate() {
            let site = near(self, i).and_then(|beside| {
                let site = self.new_point_site(corner, &beside);
                site.map_err(|trouble| self.refusal(trouble))
            });
            match site {
                Ok(site) => owned.points.push(site),
                Err(e) => {
                    result = Err(Error::new(e.kind(), format!("corner {i}: {e}")));
                    break;
                }
            }
        }
        for [i, j] in shape.walls().take_while(|_| result.is_ok()).collect::<Vec<_>>() {
            match self.segment_site(owned.points[i], owned.points[j]) {
                Ok(site) => owned.segments.push(site),
                Err(trouble) => {
                    let e = self.refusal(trouble);
                    result = Err(Error::new(e.kind(), format!("wall from corner {i} to {j}: {e}")));
                    break;
                }
            }
        }
        if let Err(error) = result {
            self.take_out(&owned);
            return Err(error);
        }
        Ok(owned)
    }

    /// Takes a shape out. Pieces that others own stay.
    pub fn remove(&mut self, id: ShapeId) -> Result<()> {
        let place = self.owned(id)?;
        self.changed.clear();
        let mut out = self.lift(place as u32);
        let gone = out.remove(&(place as u32));
        if let Err(error) = self.put_all(&out) {
            out.extend(gone.map(|shape| (place as u32, shape)));
            self.put_all(&out)?;
            return Err(error);
        }
        self.retire(place, id.generation);
        Ok(())
    }

    /// Puts a shape in the place of another, which keeps its id. If the new one is refused, the old one stays.
    pub fn replace(&mut self, id: ShapeId, shape: &Shape) -> Result<()> {
        self.check_shape(shape)?;
        let place = self.owned(id)?;
        self.changed.clear();
        let hint = self.neighbour_outside(&self.shapes[place]);
        let mut out = self.lift(place as u32);
        let old = out.remove(&(place as u32));
        let hint = if out.is_empty() { hint } else { None };
        let result = self.put_all(&out).and_then(|()| self.put(place as u32, shape, hint));
        if result.is_err() {
            for other in out.clone().into_keys() {
                // One of them may be out again already with the group of another.
                if !self.shapes[other as usize].points.is_empty() {
                    out.extend(self.lift(other));
                }
            }
            out.extend(old.map(|shape| (place as u32, shape)));
            self.put_all(&out)?;
        }
        result
    }

    /// Puts shapes in that were taken out, in the order of their indices.
    fn put_all(&mut self, out: &Drawings) -> Result<()> {
        out.iter().try_for_each(|(&index, shape)| self.put(index, shape, None))
    }

    /// Puts the sites of a shape in; on an error nothing changes.
    pub(crate) fn put(&mut self, index: u32, shape: &Shape, hint: Option<u32>) -> Result<()> {
        match self.add_sites(shape, hint) {
            Ok([points, segments]) => {
                self.settle(index, Owned { points, segments, ..Owned::default() });
                Ok(())
            }
            Err(Trouble::Failed(error)) => Err(error),
            Err(Trouble::Meets(site)) => self.weave(index, shape, site),
        }
    }

    /// Gives a shape its sites.
    fn settle(&mut self, index: u32, sites: Owned) {
        if let Some(by_site) = &mut self.by_site {
            by_site.extend(sites.points.iter().chain(&sites.segments).map(|&site| (site, index)));
        }
        let owned = &mut self.shapes[index as usize];
        *owned = Owned { generation: owned.generation, is_alive: true, ..sites };
        self.changed.push(index);
    }

    /// Takes the sites of a shape and of its group out. The shapes stay alive without sites.
    fn lift(&mut self, index: u32) -> Drawings {
        let group = self.shapes[index as usize].woven.as_ref().map(|woven| woven.group);
        let members = group.and_then(|group| self.groups.remove(&group)).unwrap_or_else(|| vec![index]);
        let mut out = Drawings::new();
        for member in members {
            let owned = std::mem::take(&mut self.shapes[member as usize]);
            out.insert(member, self.shape_of(&owned));
            if let Some(by_site) = &mut self.by_site {
                for &site in owned.points.iter().chain(&owned.segments) {
                    by_site.remove(&(site, member));
                }
            }
            self.take_out(&owned);
            let bare = Owned { generation: owned.generation, is_alive: true, ..Owned::default() };
            self.shapes[member as usize] = bare;
        }
        out
    }

    /// The shapes that own a site.
    fn shapes_with(&mut self, site: u32) -> Vec<u32> {
        let shapes = &self.shapes;
        let by_site = self.by_site.get_or_insert_with(|| {
            let sites =
                |owned: &Owned| owned.points.iter().chain(&owned.segments).copied().collect::<Vec<u32>>();
            let each = shapes.iter().zip(0u32..).filter(|(owned, _)| owned.is_alive);
            each.flat_map(|(owned, index)| sites(owned).into_iter().map(move |site| (site, index))).collect()
        });
        by_site.range((site, 0)..=(site, u32::MAX)).map(|&(_, shape)| shape).collect()
    }

    /// Puts a shape in that meets a site of another or of its own, and splits all that meet.
    fn weave(&mut self, index: u32, shape: &Shape, met: u32) -> Result<()> {
        let mut before = Drawings::new();
        let mut drawings = Drawings::from([(index, shape.clone())]);
        let mut met = met;
        loop {
            for other in self.shapes_with(met) {
                if !drawings.contains_key(&other) {
                    let lifted = self.lift(other);
                    before.extend(lifted.clone());
                    drawings.extend(lifted);
                }
            }
            let members = drawings.len();
            let error = match self.put_woven(&drawings) {
                Ok(()) => return Ok(()),
                Err(Trouble::Failed(error)) => error,
                Err(Trouble::Meets(site)) => {
                    // A frame or a shape of the group itself cannot be met by sound pieces.
                    if self.shapes_with(site).iter().any(|other| *other != 0 && !drawings.contains_key(other))
                    {
                        met = site;
                        continue;
                    }
                    self.refusal(Trouble::Meets(site))
                }
            };
            debug_assert!(members > 0);
            self.put_all(&before)?;
            return Err(error);
        }
    }

    /// Puts a group of shapes in, split where they meet; on an error none of them.
    fn put_woven(&mut self, drawings: &Drawings) -> Placed<()> {
        let mut walls = Vec::new();
        let mut wall_of: Vec<(u32, u32)> = Vec::new();
        for (&index, shape) in drawings {
            let corners = shape.corners();
            for (number, [i, j]) in shape.walls().enumerate() {
                walls.push([corners[i], corners[j]]);
                wall_of.push((index, number as u32));
            }
        }
        let corners: Vec<Point> = drawings.values().flat_map(|shape| shape.corners()).copied().collect();
        let pieces = split_walls(&corners, &walls)
            .map_err(|error| Trouble::Failed(Error::new(ErrorKind::Unsupported, error.to_string())))?;
        let group = drawings.keys().next().copied().unwrap_or(0);
        let start = |(&index, shape): (&u32, &Shape)| {
            let woven = Woven { shape: shape.clone(), of_wall: Vec::new(), group };
            (index, Owned { woven: Some(Box::new(woven)), ..Owned::default() })
        };
        let mut made: BTreeMap<u32, Owned> = drawings.iter().map(start).collect();
        if let Err(trouble) = self.add_pieces(drawings, &pieces, &wall_of, &mut made) {
            for owned in made.values() {
                self.take_out(owned);
            }
            return Err(trouble);
        }
        self.groups.insert(group, made.keys().copied().collect());
        for (index, owned) in made {
            self.settle(index, owned);
        }
        Ok(())
    }

    /// Puts the points of a group in, then its pieces. Each shape owns its own.
    fn add_pieces(
        &mut self,
        drawings: &Drawings,
        pieces: &[SplitWall],
        wall_of: &[(u32, u32)],
        made: &mut BTreeMap<u32, Owned>,
    ) -> Placed<()> {
        let mut near = None;
        let mut point = |diagram: &mut Diagram, at: Point| {
            let from = near.unwrap_or_else(|| diagram.hint(at.as_vec2()));
            let site = diagram.point_site(at, from)?;
            near = Some(site);
            Ok(site)
        };
        for (index, shape) in drawings {
            let Some(owned) = made.get_mut(index) else { continue };
            for &corner in shape.corners() {
                owned.points.push(point(self, corner)?);
            }
        }
        let mut ends = Vec::with_capacity(pieces.len());
        for piece in pieces {
            for &(wall, _) in &piece.walls {
                let Some(owned) = made.get_mut(&wall_of[wall as usize].0) else { continue };
                for end in piece.ends {
                    owned.points.push(point(self, end)?);
                }
                ends.push([owned.points[owned.points.len() - 2], owned.points[owned.points.len() - 1]]);
            }
        }
        let mut ends = ends.into_iter();
        for piece in pieces {
            for &(wall, forwards) in &piece.walls {
                let (index, number) = wall_of[wall as usize];
                let (Some([a, b]), Some(owned)) = (ends.next(), made.get_mut(&index)) else { continue };
                let site = self.segment_site(a, b)?;
                owned.segments.push(site);
                let is_same_way = (self.graph.site(site).ends[0] == a) == forwards;
                owned.woven.iter_mut().for_each(|woven| woven.of_wall.push((number, is_same_way)));
            }
        }
        Ok(())
    }

    /// True for a shape whose walls meet others or themselves.
    pub(crate) fn is_woven(&self, id: ShapeId) -> bool {
        self.owned(id).is_ok_and(|place| self.shapes[place].woven.is_some())
    }

    /// A shape as it was drawn; `None` for one that is gone.
    pub fn drawn(&self, id: ShapeId) -> Option<Shape> {
        Some(self.shape_of(&self.shapes[self.owned(id).ok()?]))
    }

    /// The shapes in the diagram.
    pub fn shape_ids(&self) -> impl Iterator<Item = ShapeId> + '_ {
        let all = self.shapes.iter().zip(0u32..).skip(1).filter(|(owned, _)| owned.is_alive);
        all.map(|(owned, index)| ShapeId { index, generation: owned.generation })
    }

    /// The segments of the frame.
    pub(crate) fn frame_sites(&self) -> Vec<u32> {
        self.shapes[0].segments.clone()
    }

    /// For each segment site of a shape, the wall along which it runs, and whether it runs the same way.
    pub(crate) fn walls_of(&self, id: ShapeId) -> Vec<(u32, u32, bool)> {
        let Ok(place) = self.owned(id) else { return Vec::new() };
        let owned = &self.shapes[place];
        if let Some(woven) = &owned.woven {
            let each = owned.segments.iter().zip(&woven.of_wall);
            return each.map(|(&site, &(wall, is_same_way))| (site, wall, is_same_way)).collect();
        }
        let shape = self.shape_of(owned);
        let each = owned.segments.iter().zip(shape.walls()).enumerate();
        each.map(|(wall, (&site, [i, _]))| {
            (site, wall as u32, self.graph.site(site).ends[0] == owned.points[i])
        })
        .collect()
    }
}
