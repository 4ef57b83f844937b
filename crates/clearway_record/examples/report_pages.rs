//! Writes report pages of runs that are made by formula: a room with a door, and a tower. Usage: report_pages FOLDER

use clearway_record::{
    AgentRecord, EventKind, Exit, Geometry, Header, Place, Recorder, Recording, Report, RunEvent, Storey,
    VideoOptions, video,
};

#[allow(dead_code, missing_docs, clippy::unwrap_used)]
#[path = "../src/testing.rs"]
mod testing;

fn main() -> clearway_base::Result<()> {
    let folder = std::path::PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".to_string()));
    let (door, others) = (testing::door(200, 1), [testing::door(200, 2), testing::door(200, 3)]);
    let mut report = Report::new(&door);
    others.iter().for_each(|run| report.add_run(run));
    report.write(folder.join("door.html"))?;
    Report::new(&testing::tower(90)).write(folder.join("tower.html"))?;
    let options = VideoOptions::default().speed(5.0);
    let report = video::write_gif(&door, folder.join("door.gif"), &options)?;
    video::write_strip(&testing::tower(90), folder.join("tower.png"), &options.strip(2))?;
    println!("wrote two pages, a video of {} pictures and a strip into {}", report.frames, folder.display());
    Ok(())
}
