//! Measures how long it takes to record and write a run: 2,000 bodies that wander for 500 frames.
//! Usage: write_speed FOLDER [ENDING …]

use clearway_record::{
    AgentRecord, Geometry, Header, Place, RecordOptions, Recorder, Recording, Report, formats,
};
use std::path::PathBuf;
use std::time::Instant;

const BODIES: u32 = 2_000;
const FRAMES: u32 = 500;

fn main() -> clearway_base::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".to_string()));
    for measure in [false, true] {
        let options = RecordOptions::default().measure(measure);
        timed(&format!("record, measured: {measure}"), || wander(options.clone()))?;
    }
    let recording = wander(RecordOptions::default())?;
    let wanted: Vec<_> = std::env::args().skip(2).collect();
    for ending in
        formats::endings().into_iter().filter(|e| wanted.is_empty() || wanted.contains(&e.to_string()))
    {
        let path = folder.join(format!("write_speed.{ending}"));
        timed(&format!("write .{ending}"), || formats::write(&recording, &path))?;
        let bytes = std::fs::metadata(&path).map_or(0, |metadata| metadata.len());
        println!("    {:.1} bytes for each", bytes as f64 / f64::from(BODIES * FRAMES));
    }
    if !wanted.is_empty() {
        return Ok(());
    }
    timed("encode .cwt in memory", || Ok(formats::encode(&recording)))?;
    timed("read .cwt", || formats::read_cwt(folder.join("write_speed.cwt")))?;
    timed("report page", || Report::new(&recording).write(folder.join("write_speed.html")))?;
    Ok(())
}

/// Prints how many microseconds something takes for each body and frame, the best of three.
fn timed<T>(what: &str, run: impl Fn() -> clearway_base::Result<T>) -> clearway_base::Result<T> {
    let mut best = f64::INFINITY;
    let mut result = run()?;
    for _ in 0..3 {
        let start = Instant::now();
        result = run()?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{what:24} {:.4} us", best * 1e6 / f64::from(BODIES * FRAMES));
    Ok(result)
}

/// Bodies that walk on curved ways through a hall of 40 m by 40 m.
fn wander(options: RecordOptions) -> clearway_base::Result<Recording> {
    let hall = vec![[0.0, 0.0], [40.0, 0.0], [40.0, 40.0], [0.0, 40.0]];
    let mut recorder = Recorder::with_options(Header::new("hall", Geometry::of_plan(&[hall], &[])), options)?;
    for id in 0..BODIES {
        recorder.add_agent(AgentRecord::new(u64::from(id)))?;
    }
    for frame in 0..FRAMES {
        let time = f64::from(frame) * 0.1;
        let place = |id: u32| {
            let phase = f64::from(id) * 0.37;
            let radius = 4.0 + f64::from(id % 40) * 0.3;
            let turn = phase + time * 1.3 / radius;
            let at = [
                20.0 + radius * turn.cos() + 3.0 * (phase + 0.3 * time).sin(),
                20.0 + radius * turn.sin(),
                0.0,
            ];
            Place::new(id, at).speed(1.3 + 0.1 * (phase + time).sin())
        };
        recorder.frame(time, (0..BODIES).map(place))?;
    }
    Ok(recorder.finish())
}
