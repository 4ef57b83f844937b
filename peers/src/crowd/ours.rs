//! Our engine with each of its models.

use clearway::{Location, NavMesh};
use clearway_crowd::model::{MODEL_NAMES, model_by_name};
use clearway_crowd::{AgentOptions, Area, Crowd, CrowdOptions, LocalModel};

use super::peer::{CrowdPeer, DT, Run};
use super::scene::{RADIUS, SPEED, Scene};

/// Our engine with one model.
pub struct Ours {
    /// The name of the model.
    pub name: &'static str,
    /// True if the contact projection keeps bodies apart.
    pub contact: bool,
}

/// The models that are also measured without the contact projection.
const BARE: [&str; 3] = ["headway", "orca", "collision_free"];

/// A model by its name.
pub fn model(name: &str) -> Result<Box<dyn LocalModel>, String> {
    model_by_name(name)
        .ok_or_else(|| format!("there is no model {name}; there are {}", MODEL_NAMES.join(", ")))
}

/// Our engine with every model, and with some of them without the contact projection.
pub fn peers() -> Vec<Box<dyn CrowdPeer>> {
    let with = MODEL_NAMES.iter().map(|&name| Ours { name, contact: true });
    let without = BARE.iter().map(|&name| Ours { name, contact: false });
    with.chain(without).map(|ours| Box::new(ours) as _).collect()
}

impl CrowdPeer for Ours {
    fn name(&self) -> String {
        format!("ours {}{}", self.name, if self.contact { "" } else { ", no projection" })
    }

    fn prepare(&self, scene: &Scene) -> Result<Box<dyn Run>, String> {
        let mesh = scene.mesh()?;
        let model = model(self.name)?;
        let dt = DT.min(f64::from(model.spec().max_dt));
        let mut crowd = Crowd::new(CrowdOptions::default().contact(self.contact));
        crowd.set_model(model);
        fill(&mut crowd, &mesh, scene)?;
        Ok(Box::new(OurRun { crowd, mesh, dt }))
    }
}

/// Adds the bodies of a scene.
pub fn fill(crowd: &mut Crowd, mesh: &NavMesh, scene: &Scene) -> Result<(), String> {
    let area = |[low, high]: [[f64; 2]; 2]| Area::rectangle(low, high).map_err(|error| error.to_string());
    let exit = scene.exit.map(area).transpose()?.map(|area| crowd.add_goal(area));
    for body in &scene.bodies {
        let options = AgentOptions::at(place(mesh, body.at)?).radius(RADIUS).speed(SPEED);
        let options = match exit {
            Some(exit) => options.goal(exit),
            None => options.goal(place(mesh, body.goal)?),
        };
        crowd.add(options).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// A point of the plan on the mesh.
pub fn place(mesh: &NavMesh, at: [f64; 2]) -> Result<Location, String> {
    mesh.locate(at).map_err(|_| format!("{at:?} is off the mesh"))
}

struct OurRun {
    crowd: Crowd,
    mesh: NavMesh,
    dt: f64,
}

impl Run for OurRun {
    fn dt(&self) -> f64 {
        self.dt
    }

    fn bodies(&self) -> usize {
        self.crowd.len()
    }

    fn step(&mut self) -> Result<(), String> {
        self.crowd.step(&self.mesh, self.dt).map(|_| ()).map_err(|error| error.to_string())
    }
}
