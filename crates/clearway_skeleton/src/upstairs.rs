//! Obstacles on a mesh in layers: put in, moved and refused by the cells of their corners.
//!
//! The straight way over the mesh from a corner to a wall, and from there through the cells of the diagram back, finds the
//! nearest site on the right floor. Obstacles that touch walls, cross others, hold others or lie inside of them are
//! refused: shapes that meet are split by places of the plan, and the ground is flooded from outside, which has no
//! meaning here. Cost: that of the edit.

use crate::circle::Circle;
use crate::diagram::{Beside, Diagram};
use crate::ground::Kind;
use crate::query::VertexId;
use crate::shapes::{Shape, ShapeId};
use crate::skeleton::Skeleton;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_geometry::Point;
use clearway_geometry::predicates::orient;
use clearway_nav::mesh::CellId;
use clearway_nav::{Location, NavMesh};

impl Skeleton {
    /// Puts an obstacle in by the cells of the mesh in which its corners lie, for a mesh in layers too. There an obstacle
    /// must keep off walls and other obstacles. Its walls must run straight over the ground from corner to corner. The mesh
    /// must be the one from which the skeleton was built.
    pub fn insert_at(&mut self, mesh: &NavMesh, shape: &Shape, cells: &[CellId]) -> Result<ShapeId> {
        if !self.is_layered() {
            return self.insert(shape);
        }
        self.check_on_floor(mesh, shape, cells)?;
        self.check_uncovered(mesh, shape, cells)?;
        let id = self.with_beside(mesh, shape, cells, |diagram, near| diagram.insert_beside(shape, near))?;
        self.set_kind(id, Kind::of(shape));
        if !self.is_lone(id) {
            self.diagram_mut().remove(id)?;
            return Err(holds_others());
        }
        self.settle_at(id, shape, cells);
        Ok(id)
    }

    /// Puts an obstacle in the place of another by the cells of its corners, as [`Skeleton::insert_at`]. The id stays. If
    /// the new one is refused, the old one stays.
    pub fn replace_at(&mut self, mesh: &NavMesh, id: ShapeId, shape: &Shape, cells: &[CellId]) -> Result<()> {
        if !self.is_layered() {
            return self.replace(id, shape);
        }
        self.check_obstacle(id)?;
        self.check_on_floor(mesh, shape, cells)?;
        let gone = || Error::new(ErrorKind::Options, format!("shape {} is not in the diagram", id.index));
        let before = self.diagram().drawn(id).ok_or_else(gone)?;
        let cells_before = self.layers.cells_of.get(&id).cloned().ok_or_else(gone)?;
        self.diagram_mut().lift_alone(id)?;
        let result = self.check_uncovered(mesh, shape, cells).and_then(|()| {
            self.with_beside(mesh, shape, cells, |diagram, near| diagram.put_beside(id, shape, near))?;
            self.set_kind(id, Kind::of(shape));
            if self.is_lone(id) {
                return Ok(());
            }
            self.diagram_mut().lift_alone(id)?;
            Err(holds_others())
        });
        if result.is_ok() {
            self.settle_at(id, shape, cells);
        } else {
            self.with_beside(mesh, &before, &cells_before, |diagram, near| {
                diagram.put_beside(id, &before, near)
            })?;
            self.set_kind(id, Kind::of(&before));
            self.settle_at(id, &before, &cells_before);
        }
        result
    }

    /// Refuses a shape whose corners do not lie in their cells, or whose walls leave the ground.
    fn check_on_floor(&self, mesh: &NavMesh, shape: &Shape, cells: &[CellId]) -> Result<()> {
        let corners = shape.corners();
        self.diagram().check_shape(shape)?;
        if let Some(i) =
            (0..corners.len()).find(|&i| !cells.get(i).is_some_and(|&cell| holds(mesh, cell, corners[i])))
        {
            let message = format!("corner {i} at {:?} does not lie in the cell given for it", corners[i]);
            return Err(Error::new(ErrorKind::OutOfRange, message));
        }
        for [i, j] in shape.walls() {
            let reach = mesh.sweep(corners[i].as_vec2(), cells[i].0, corners[j].as_vec2(), 0.0);
            if reach.wall.is_some()
                || !(reach.end == cells[j].0 || holds(mesh, CellId(reach.end), corners[j]))
            {
                let message = format!("the wall from corner {i} to {j} does not run over the ground");
                return Err(Error::new(ErrorKind::Unsupported, message));
            }
        }
        Ok(())
    }

    /// Refuses a shape that lies inside another obstacle. Walls that cross are refused, so one corner tells for all.
    fn check_uncovered(&self, mesh: &NavMesh, shape: &Shape, cells: &[CellId]) -> Result<()> {
        let first = shape.corners().first().zip(cells.first());
        let at = first.map(|(corner, &cell)| Location::in_cell(cell, self.place(corner.as_vec2())));
        if at.is_some_and(|at| self.is_walkable_at(mesh, at)) {
            return Ok(());
        }
        let message =
            "the obstacle touches a wall or lies inside of another, which a mesh in layers does not take";
        Err(Error::new(ErrorKind::Unsupported, message))
    }

    /// Lets an edit of the diagram find the nearest sites of a shape's corners by their cells.
    fn with_beside<T>(
        &mut self,
        mesh: &NavMesh,
        shape: &Shape,
        cells: &[CellId],
        edit: impl FnOnce(&mut Diagram, &mut dyn FnMut(&Diagram, usize) -> Result<Beside>) -> Result<T>,
    ) -> Result<T> {
        let corners = shape.corners();
        let least = self.diagram().bounds[0];
        let mut diagram = std::mem::replace(self.diagram_mut(), Diagram::new(least, least)?);
        let result = edit(&mut diagram, &mut |diagram, i| {
            let at = Location::in_cell(cells[i], self.place(corners[i].as_vec2()));
            let spot = self.spot_in(diagram, mesh, at);
            let none = || Error::new(ErrorKind::Internal, "no wall was found from there");
            let spot = spot.ok_or_else(none)?;
            let exit = diagram.graph.retract_from(&spot);
            let exit = exit.map(|(edge, centre, radius)| (edge, Circle::new(centre, radius)));
            Ok(Beside { nearest: spot.site, exit })
        });
        *self.diagram_mut() = diagram;
        result
    }

    /// Marks the sides of a lone obstacle on a mesh in layers, and remembers its cells.
    fn settle_at(&mut self, id: ShapeId, shape: &Shape, cells: &[CellId]) {
        self.forget_ways();
        self.set_walkable(id, Kind::of(shape).sides());
        self.layers.cells_of.insert(id, cells.to_vec());
    }

    /// True if a location of the mesh lies on walkable ground and not on a wall, obstacles counted.
    fn is_walkable_at(&self, mesh: &NavMesh, at: Location) -> bool {
        let graph = &self.diagram().graph;
        let exit = self.spot_in(self.diagram(), mesh, at).and_then(|spot| graph.retract_from(&spot));
        exit.is_some_and(|(edge, ..)| {
            let ends = [edge.0 / 3, graph.twin[edge.0 as usize] / 3];
            ends.iter().any(|&face| self.is_free(VertexId(face)))
        })
    }
}

/// The error of an obstacle in layers with others inside.
fn holds_others() -> Error {
    let message = "the obstacle lies around others, which a mesh in layers does not take";
    Error::new(ErrorKind::Unsupported, message)
}

/// True if a cell of a mesh holds a grid point, its border included.
fn holds(mesh: &NavMesh, cell: CellId, at: Point) -> bool {
    let ring: Vec<Point> = mesh.cell(cell).into_iter().flat_map(|cell| cell.points()).collect();
    let corner = |i: usize| ring[i % ring.len()];
    !ring.is_empty() && (0..ring.len()).all(|i| orient(corner(i), corner(i + 1), at) >= 0)
}
