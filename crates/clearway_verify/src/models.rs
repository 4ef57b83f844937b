//! Local models by name.

use clearway_base::{Error, ErrorKind, Result};
use clearway_crowd::LocalModel;
use clearway_crowd::model::{MODEL_NAMES, model_by_name};

/// The names of all models, the default first.
pub const NAMES: &[&str] = &MODEL_NAMES;

/// Makes a model.
pub fn make(name: &str) -> Result<Box<dyn LocalModel>> {
    model_by_name(name).ok_or_else(|| {
        let message = format!("there is no model {name}; there are {}", NAMES.join(", "));
        Error::new(ErrorKind::Options, message)
    })
}
