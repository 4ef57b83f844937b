//! The local model of a scenario. Models and their parameters are known by name in the engine; here errors get their lines.

use crate::scenario::Scenario;
use clearway_base::error::{ErrorKind, Result};
use clearway_base::names::unknown;
use clearway_crowd::{LocalModel, MODEL_NAMES, model_by_name, set_parameter};

/// Returns the names of all models.
pub fn names() -> Vec<&'static str> {
    MODEL_NAMES.to_vec()
}

/// Returns the names of the parameters of a model; none for a model that is not known.
pub fn parameters(model: &str) -> Vec<&'static str> {
    let parameters = model_by_name(model).map(|model| model.parameters()).unwrap_or_default();
    parameters.iter().map(|parameter| parameter.name).collect()
}

/// Makes the model of a scenario.
pub fn model(scenario: &Scenario) -> Result<Box<dyn LocalModel>> {
    let name = &scenario.model.name;
    let mut model = model_by_name(name).ok_or_else(|| {
        let message = unknown("model", name, MODEL_NAMES.into_iter());
        scenario.wrong(ErrorKind::Options, scenario.model.line, message)
    })?;
    for parameter in &scenario.model.parameters {
        let set = set_parameter(model.as_mut(), &parameter.name, parameter.value);
        set.map_err(|error| scenario.wrong(error.kind(), parameter.line, error.to_string()))?;
    }
    Ok(model)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{ModelOptions, Parameter};

    #[test]
    fn parameters_are_set_and_their_limits_name_the_line() {
        let mut scenario = Scenario::empty("s.toml", "".into());
        let keep = |value| Parameter { name: "keep".to_string(), value, line: 7 };
        scenario.model = ModelOptions { parameters: vec![keep(-0.25)], ..ModelOptions::default() };
        let value =
            |model: &dyn LocalModel| model.parameters().iter().find(|p| p.name == "keep").unwrap().value;
        assert_eq!(value(&*model(&scenario).unwrap()), -0.25);
        scenario.model.parameters = vec![keep(1e9)];
        let error = model(&scenario).err().unwrap().to_string();
        assert!(error.starts_with("s.toml:7: model headway: keep = 1000000000"), "{error}");
        assert!(names().contains(&"orca") && parameters("orca").contains(&"horizon"));
    }
}
