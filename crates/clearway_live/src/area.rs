//! Ground that gets another area class.
//!
//! The border of the shape becomes a border between cells. Plans have no classes at first; the first new name gives one
//! the class `ground` for all that is there.

use crate::changes::Changes;
use crate::edit::{Obstacle, Shape};
use crate::live_mesh::LiveMesh;
use crate::patch::{Paint, Patched};
use crate::rework::Brush;
use crate::shape::Outline;
use clearway_base::error::{Error, ErrorKind, Result};
use clearway_base::names::shown;
use clearway_nav::mesh::{FLAT_CLASS, MAX_FIXTURE_NAME, Swap, fixture_name_flaw};

/// The largest number of area classes: a class is stored in 8 bits.
const MOST_CLASSES: usize = 256;

impl LiveMesh {
    /// Returns the number of the area class with this name, for [`Edit::Area`](crate::Edit::Area). A new name makes a new
    /// class, on plans as well as on scenes. A new class that no ground has is not stored.
    pub fn area_class(&mut self, name: &str) -> Result<u8> {
        let names = self.mesh().area_names();
        if let Some(known) = names.iter().position(|known| known == name) {
            return narrow(known);
        }
        if names.is_empty() && name == FLAT_CLASS {
            return Ok(0);
        }
        if name.is_empty() || fixture_name_flaw(name).is_some() {
            let detail = format!(
                "area class {}: a name must have 1 to {MAX_FIXTURE_NAME} bytes and no control characters",
                shown(name)
            );
            return Err(Error::new(ErrorKind::Options, detail));
        }
        // A plan without classes gets the one that all its ground has, too.
        let class = names.len().max(1);
        if class >= MOST_CLASSES {
            let detail =
                format!("area class {}: {MOST_CLASSES} are there already; more are not allowed", shown(name));
            return Err(Error::new(ErrorKind::TooLarge, detail));
        }
        let mut patch = Patched::default();
        patch.splice.areas.push(name.to_string());
        self.write(patch.into(), &mut Changes::default());
        narrow(class)
    }

    /// Gives the ground under a shape another area class.
    pub(crate) fn set_area(&mut self, place: &Obstacle, class: u8, changes: &mut Changes) -> Result<()> {
        let classes = self.mesh().area_names().len().max(1);
        if usize::from(class) >= classes {
            let detail = format!("area class {class}: the mesh has {classes} classes, counted from 0");
            return Err(Error::new(ErrorKind::Options, detail));
        }
        if matches!(place.shape, Shape::Segment(_)) {
            return Err(Error::new(ErrorKind::Options, "a wall has no ground under it to get an area class"));
        }
        let outline = Outline::of(&place.shape, &self.mesh().parts().grid)?;
        let faces = self.ground_under(&outline, place.anchor)?;
        let mut patch = self.computed(faces, None, vec![(outline, Brush::Area(class))])?;
        let slots = self.all_paints();
        let hidden = (0u32..).zip(slots).filter(|(_, known)| {
            // The same place was painted before; nothing of that is left to see.
            known.as_ref().is_some_and(|known| known.place == *place)
        });
        patch.paints.extend(hidden.map(|(slot, known)| Swap { slot, before: known.clone(), after: None }));
        let paint = Paint { place: place.clone(), class };
        patch.paints.push(Swap { slot: slots.len() as u32, before: None, after: Some(paint) });
        self.write_guarded(patch, changes)
    }
}

/// Returns the number of a class as the mesh stores it.
fn narrow(class: usize) -> Result<u8> {
    u8::try_from(class).map_err(|error| Error::new(ErrorKind::TooLarge, error.to_string()))
}
