//! What the path index costs: its size, the time it takes on one thread, and after how many queries it is paid back.

use clearway::NavMesh;
use serde::Serialize;

use super::measure::Track;
use super::ours;
use super::peer::Answer;
use crate::clock::{Elapsed, timed};

/// The radius of the queries that pay the index back.
const DISC: f64 = 0.45;
/// A build that takes longer, in milliseconds, runs once.
const LONG: f64 = 4000.0;
/// Two lengths that differ by no more than this share are the same.
pub const SAME_LENGTH: f64 = 1e-6;
/// The note of a mesh without an index.
const NO_INDEX: &str = "no index: too many corners see each other";

/// The index of one mesh. Fields are empty where there is no such figure.
#[derive(Clone, Debug, Default, Serialize)]
pub struct IndexRow {
    /// The map, world or building.
    pub map: String,
    /// Cells of the mesh.
    pub cells: usize,
    /// Corners that paths turn around.
    pub corners: Option<usize>,
    /// Tangents between corners, in both directions.
    pub tangents: Option<usize>,
    /// Bytes of the index, landmarks included.
    pub bytes: Option<usize>,
    /// Milliseconds to build the mesh with default options.
    pub build_ms: f64,
    /// Milliseconds to prepare paths, also where that ends without an index.
    pub prepare_ms: f64,
    /// Disc queries after which the index is paid back, compared with the planner that does without.
    pub paid_back: Option<f64>,
    /// Queries of all radii that are answered otherwise than without the index. There should be none.
    pub differing: Option<usize>,
    /// Why there is no index.
    pub note: Option<String>,
}

impl IndexRow {
    /// Builds and prepares a mesh in rounds; the least times count.
    pub fn measure(
        map: &str,
        build: impl Fn() -> Result<NavMesh, String>,
        rounds: usize,
    ) -> Result<IndexRow, String> {
        let (mut mesh, mut build_time, mut prepare_time) = once(&build)?;
        for _ in 1..rounds {
            if build_time.cpu_ms + prepare_time.cpu_ms > LONG {
                break;
            }
            let (again, built_in, prepared_in) = once(&build)?;
            mesh = again;
            build_time = build_time.min(built_in);
            prepare_time = prepare_time.min(prepared_in);
        }
        Ok(IndexRow::of(map, &mesh, build_time, prepare_time))
    }

    fn of(map: &str, mesh: &NavMesh, build_time: Elapsed, prepare_time: Elapsed) -> IndexRow {
        let index = mesh.path_index();
        IndexRow {
            map: map.into(),
            cells: mesh.cell_count(),
            corners: index.map(|index| index.corners),
            tangents: index.map(|index| index.tangents),
            bytes: index.map(|index| index.bytes),
            build_ms: build_time.cpu_ms,
            prepare_ms: prepare_time.cpu_ms,
            paid_back: None,
            differing: None,
            note: index.is_none().then(|| NO_INDEX.into()),
        }
    }

    /// Compares the planners with and without the index, at the radii at which both were asked.
    pub fn compare(self, tracks: &[Track]) -> IndexRow {
        let named = |name: &'static str| tracks.iter().filter(move |track| track.peer == name);
        let both = named(ours::NAME).flat_map(|with| {
            named(ours::UNPREPARED).filter(|without| without.radius == with.radius).map(move |w| (with, w))
        });
        let differing = both.map(|(with, without)| differing(&with.answers, &without.answers));
        IndexRow { differing: differing.reduce(|sum, count| sum + count), ..self.pay_back(tracks) }
    }

    /// Says when the index is paid back, where both planners were asked for discs.
    fn pay_back(self, tracks: &[Track]) -> IndexRow {
        let times = |name: &str| {
            let track = tracks.iter().find(|track| track.peer == name && track.radius == DISC);
            track.map(|track| track.micros.as_slice()).unwrap_or_default()
        };
        self.pay_back_by(times(ours::NAME), times(ours::UNPREPARED))
    }

    /// The same from the microseconds of the same queries with and without the index.
    fn pay_back_by(self, with: &[f64], without: &[f64]) -> IndexRow {
        let saved: f64 = without.iter().zip(with).map(|(without, with)| without - with).sum();
        let saved = saved / with.len().min(without.len()) as f64;
        let queries = (self.prepare_ms * 1e3 / saved).ceil();
        IndexRow { paid_back: Some(queries).filter(|_| saved > 0.0 && self.note.is_none()), ..self }
    }

    /// Bytes of the index for each cell.
    pub fn bytes_per_cell(&self) -> Option<f64> {
        self.bytes.map(|bytes| bytes as f64 / self.cells as f64)
    }

    /// The time to prepare over the time to build.
    pub fn prepare_ratio(&self) -> f64 {
        self.prepare_ms / self.build_ms
    }
}

/// The number of answers with another verdict, or with a length that is off by more than rounding.
fn differing(answers: &[Answer], others: &[Answer]) -> usize {
    let is_same = |(one, other): &(&Answer, &Answer)| match (one.length(), other.length()) {
        (Some(one), Some(other)) => (one - other).abs() <= SAME_LENGTH * other.max(1.0),
        _ => one == other,
    };
    answers.iter().zip(others).filter(|pair| !is_same(pair)).count()
}

fn once(build: impl Fn() -> Result<NavMesh, String>) -> Result<(NavMesh, Elapsed, Elapsed), String> {
    let (mesh, build_time) = timed(build);
    let mesh = mesh?;
    let ((), prepare_time) = timed(|| mesh.prepare_paths());
    Ok((mesh, build_time, prepare_time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_paid_back_by_what_queries_save() {
        let row = IndexRow { prepare_ms: 1.0, ..IndexRow::default() };
        let paid_back = |with: &[f64], without: &[f64]| row.clone().pay_back_by(with, without).paid_back;
        assert_eq!(paid_back(&[10.0, 20.0], &[50.0, 60.0]), Some(25.0));
        assert_eq!(paid_back(&[10.0], &[9.0]), None);
        assert_eq!(paid_back(&[], &[]), None);
    }

    #[test]
    fn answers_differ_by_verdict_or_length() {
        let path = |length, expansions| Answer::Path { length, expansions: Some(expansions) };
        let one = [path(1.0, 3), path(1.0, 3), Answer::NoPath, Answer::NoPath];
        let other = [path(1.0, 9), path(1.1, 3), Answer::NoPath, Answer::TooClose];
        assert_eq!(differing(&one, &other), 2);
    }
}
