//! Models by name, with parameters by name: what commands and scenario files ask for.

use super::{Anticipation, CollisionFree, Headway, LocalModel, Orca, PowerLaw, Reynolds, SocialForce};
use clearway_base::{Error, ErrorKind, Result};

/// The names of the models that come with clearway, the default first.
pub const MODEL_NAMES: [&str; 8] =
    ["headway", "orca", "collision_free", "anticipation", "social_force", "power_law", "reynolds", "rules"];

/// Returns a model with its default parameters; `None` if none of [`MODEL_NAMES`] is meant.
pub fn model_by_name(name: &str) -> Option<Box<dyn LocalModel>> {
    Some(match name {
        "headway" => Box::new(Headway::default()),
        "orca" => Box::new(Orca::default()),
        "collision_free" => Box::new(CollisionFree::default()),
        "anticipation" => Box::new(Anticipation::default()),
        "social_force" => Box::new(SocialForce::default()),
        "power_law" => Box::new(PowerLaw::default()),
        "reynolds" => Box::new(Reynolds::default()),
        "rules" => Box::new(Reynolds::rules()),
        _ => return None,
    })
}

/// Returns a model with some parameters set. The error names the known models, the known parameters or the limits.
pub fn model_with(name: &str, values: &[(&str, f64)]) -> Result<Box<dyn LocalModel>> {
    let Some(mut model) = model_by_name(name) else {
        let known = MODEL_NAMES.join(", ");
        return Err(Error::new(ErrorKind::Options, format!("model {name:?} is not one of {known}")));
    };
    for (key, value) in values {
        set_parameter(model.as_mut(), key, *value)?;
    }
    Ok(model)
}

/// A parameter of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Parameter {
    /// The name of its field.
    pub name: &'static str,
    /// Its value. 0 and 1 mean no and yes for switches.
    pub value: f32,
    /// The least value that makes sense.
    pub least: f32,
    /// The greatest value that makes sense.
    pub most: f32,
}

impl Parameter {
    /// Makes a parameter with its limits.
    pub fn new(name: &'static str, value: f32, least: f32, most: f32) -> Parameter {
        Parameter { name, value, least, most }
    }
}

/// Sets a parameter of a model after checking its limits. The error names the known parameters or the limits.
pub fn set_parameter(model: &mut dyn LocalModel, key: &str, value: f64) -> Result<()> {
    let (name, known) = (model.spec().name, model.parameters());
    let Some(parameter) = known.iter().find(|parameter| parameter.name == key) else {
        let known: Vec<&str> = known.iter().map(|parameter| parameter.name).collect();
        let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
        let message = format!("model {name}: no parameter {key:?}; known: {known}");
        return Err(Error::new(ErrorKind::Options, message));
    };
    let Parameter { least, most, .. } = *parameter;
    let fits = value >= f64::from(least) && value <= f64::from(most);
    if !fits || !model.set(key, value as f32) {
        let message = format!("model {name}: {key} = {value} is not between {least} and {most}");
        return Err(Error::new(ErrorKind::OutOfRange, message));
    }
    Ok(())
}

/// Writes the two methods of [`LocalModel`] that list and set parameters: `field in least..most`, and switches after
/// a semicolon.
macro_rules! parameters {
    ($($field:ident in $least:literal..$most:literal),* $(; $($switch:ident),*)?) => {
        fn parameters(&self) -> Vec<$crate::model::Parameter> {
            vec![
                $($crate::model::Parameter::new(stringify!($field), self.$field, $least, $most),)*
                $($($crate::model::Parameter::new(stringify!($switch), f32::from(self.$switch), 0.0, 1.0),)*)?
            ]
        }

        fn set(&mut self, name: &str, value: f32) -> bool {
            match name {
                $(stringify!($field) => self.$field = value,)*
                $($(stringify!($switch) => self.$switch = value != 0.0,)*)?
                _ => return false,
            }
            true
        }
    };
}
pub(super) use parameters;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_gives_its_model_with_settable_parameters() {
        for name in MODEL_NAMES {
            let mut model = model_by_name(name).unwrap();
            assert_eq!(model.spec().name, name);
            let known = model.parameters();
            assert!(known.len() >= 3, "{name}");
            for parameter in known {
                let Parameter { least, value, most, .. } = parameter;
                assert!(least <= value && value <= most, "{name}: {parameter:?}");
                set_parameter(model.as_mut(), parameter.name, f64::from(most)).unwrap();
                let now = model.parameters();
                assert!(
                    now.iter().any(|now| now.name == parameter.name && now.value == most),
                    "{name}: {parameter:?}"
                );
            }
        }
    }

    #[test]
    fn errors_name_what_is_known() {
        let message = |name, values: &[(&str, f64)]| model_with(name, values).err().unwrap().to_string();
        assert!(message("boids", &[]).contains("headway, orca, collision_free"));
        assert!(message("headway", &[("gama", 1.0)]).contains("known: gamma, jam, area"));
        assert!(message("headway", &[("relaxation", 0.0)]).contains("between"));
        assert!(message("orca", &[("horizon", f64::NAN)]).contains("between"));
        assert!(model_with("headway", &[("jam", 5.0), ("keep", -0.25)]).is_ok());
    }

    /// Every parameter at its least and its most, one at a time, must not make a model wish nonsense.
    #[test]
    fn models_bear_the_limits_of_their_parameters() {
        for name in MODEL_NAMES {
            for parameter in model_by_name(name).unwrap().parameters() {
                for value in [parameter.least, parameter.most] {
                    let model = model_with(name, &[(parameter.name, f64::from(value))]).unwrap();
                    for case in 0..300 {
                        let (me, near, walls) = crate::model::testing::random_view(model.as_ref(), case);
                        let act = model.act(&me, &near, &walls);
                        assert!(
                            act.velocity.is_finite(),
                            "{name} with {} = {value}: {act:?}",
                            parameter.name
                        );
                    }
                }
            }
        }
    }
}
