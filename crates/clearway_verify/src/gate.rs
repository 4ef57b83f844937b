//! Lines that people cross: when each crossed first, and the flow that follows.

use crate::sim::Sim;

/// A line with the time at which each person was first beyond it.
#[derive(Clone, Debug, Default)]
pub struct Gate {
    /// For each person the time in seconds.
    pub first: Vec<Option<f64>>,
}

impl Gate {
    /// Looks who is beyond the line now. Whoever left the crowd in this step has crossed.
    pub fn watch(&mut self, sim: &Sim, beyond: impl Fn([f64; 2]) -> bool) {
        self.first.resize(sim.people().len(), None);
        let now = sim.time();
        for body in sim.present() {
            if beyond(body.at) {
                self.first[body.person].get_or_insert(now);
            }
        }
        for &person in sim.gone_now() {
            self.first[person].get_or_insert(now);
        }
    }

    /// Returns the times in order.
    pub fn times(&self) -> Vec<f64> {
        sorted(self.first.iter().flatten().copied().collect())
    }

    /// Returns the times of one group in order.
    pub fn times_of(&self, sim: &Sim, group: u32) -> Vec<f64> {
        let of_group = self.first.iter().zip(sim.people()).filter(|(_, person)| person.group == group);
        sorted(of_group.filter_map(|(time, _)| *time).collect())
    }

    /// Returns the time of the last, if as many as `wanted` crossed; infinite otherwise.
    pub fn last_of(&self, wanted: usize) -> f64 {
        let times = self.times();
        if times.len() >= wanted { times.last().copied().unwrap_or(f64::INFINITY) } else { f64::INFINITY }
    }
}

fn sorted(mut times: Vec<f64>) -> Vec<f64> {
    times.sort_unstable_by(f64::total_cmp);
    times
}

/// Returns the flow of the middle 80 per cent in persons per second; 0 for fewer than 20 persons.
pub fn middle_flow(times: &[f64]) -> f64 {
    let count = times.len();
    if count < 20 {
        return 0.0;
    }
    let (begin, end) = (count / 10, count - 1 - count / 10);
    (end - begin) as f64 / (times[end] - times[begin])
}

/// Returns the flow from the first to the last, in persons per second.
pub fn whole_flow(times: &[f64]) -> f64 {
    match times {
        [first, .., last] => (times.len() - 1) as f64 / (last - first),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_even_stream_has_one_flow() {
        let times: Vec<f64> = (0..100).map(|k| 3.0 + 0.5 * f64::from(k)).collect();
        assert!((middle_flow(&times) - 2.0).abs() < 1e-9 && (whole_flow(&times) - 2.0).abs() < 1e-9);
        assert_eq!((middle_flow(&times[..5]), whole_flow(&times[..1])), (0.0, 0.0));
    }
}
