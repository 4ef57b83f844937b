//! A run as pictures: an animated GIF, or a strip of PNG files.

mod font;
mod raster;
mod scene;

use crate::Recording;
use crate::draft::{Draft, unwritable};
use clearway_base::error::short;
use clearway_base::{Error, ErrorKind, Result};
use raster::{Canvas, PALETTE, UNCHANGED};
use scene::Scene;
use serde::Serialize;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// The largest width or height of a picture in pixels.
const MAX_SIDE: u32 = 4096;

/// How a run is drawn.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct VideoOptions {
    /// The greatest width in pixels.
    pub width: u32,
    /// The greatest height in pixels.
    pub height: u32,
    /// The pictures for each second of the video. GIF counts in hundredths of a second.
    pub fps: f64,
    /// The simulated seconds for each second of the video.
    pub speed: f64,
    /// The most pictures. Longer runs are played faster.
    pub max_frames: usize,
    /// The number of pictures in a strip.
    pub strip: usize,
    /// The storey that is drawn; all, side by side, if there is none.
    pub storey: Option<usize>,
}

clearway_base::setters!(VideoOptions {
    width: u32,
    height: u32,
    fps: f64,
    speed: f64,
    max_frames: usize,
    strip: usize,
    storey: Option<usize>
});

impl Default for VideoOptions {
    fn default() -> VideoOptions {
        VideoOptions {
            width: 800,
            height: 600,
            fps: 10.0,
            speed: 1.0,
            max_frames: 600,
            strip: 12,
            storey: None,
        }
    }
}

/// What was drawn.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct VideoReport {
    /// The number of pictures.
    pub frames: usize,
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// The simulated seconds for each second of the video; more than asked if the run is too long.
    pub speed: f64,
    /// The files that were written.
    pub files: Vec<PathBuf>,
}

impl VideoOptions {
    /// Refuses numbers that make no sense.
    fn check(&self, recording: &Recording) -> Result<()> {
        let refuse = |message: String| Err(Error::new(ErrorKind::Options, message));
        for (name, side) in [("width", self.width), ("height", self.height)] {
            if !(64..=MAX_SIDE).contains(&side) {
                return refuse(format!("{name} {side} of a video must lie between 64 and {MAX_SIDE} pixels"));
            }
        }
        for (name, value, most) in [("fps", self.fps, 50.0), ("speed", self.speed, 1e6)] {
            if !(value > 0.0 && value <= most) {
                return refuse(format!(
                    "{name} {} of a video must be more than 0 and at most {most}",
                    short(value)
                ));
            }
        }
        let storeys = recording.geometry().storeys.len();
        match self.storey {
            Some(storey) if storey >= storeys => {
                refuse(format!("there is no storey {storey}; there are {storeys}"))
            }
            _ if self.max_frames == 0 || self.strip == 0 => {
                refuse("a video needs at least one picture".to_string())
            }
            _ if recording.frames() == 0 => {
                Err(Error::new(ErrorKind::Empty, "the recording has no frames to draw"))
            }
            _ => Ok(()),
        }
    }
}

/// Writes a run as an animated GIF.
pub fn write_gif(
    recording: &Recording,
    path: impl AsRef<Path>,
    options: &VideoOptions,
) -> Result<VideoReport> {
    options.check(recording)?;
    let path = path.as_ref();
    let (times, speed) = gif_times(recording, options);
    let scene = Scene::new(recording, options);
    let draft = Draft::new(path);
    let write = || -> std::result::Result<(), Box<dyn std::error::Error>> {
        let mut file = BufWriter::new(File::create(draft.place())?);
        encode_gif(recording, &scene, &times, options.fps, &mut file)?;
        file.flush()?;
        Ok(file.get_ref().sync_all()?)
    };
    write().map_err(|error| unwritable(path, &error))?;
    draft.publish()?;
    let (width, height) = scene.size();
    Ok(VideoReport { frames: times.len(), width, height, speed, files: vec![path.to_path_buf()] })
}

/// Returns the times that are shown, and the simulated seconds for each second of the video.
fn gif_times(recording: &Recording, options: &VideoOptions) -> (Vec<f64>, f64) {
    let most = options.max_frames.saturating_sub(1).max(1) as f64;
    let speed = options.speed.max(recording.duration() * options.fps / most);
    let count = (recording.duration() * options.fps / speed + 1e-9) as usize + 1;
    let time = |index: usize| recording.time(0) + index as f64 * speed / options.fps;
    ((0..count.min(options.max_frames)).map(time).collect(), speed)
}

/// Encodes the pictures. Each holds only the box in which something changed.
fn encode_gif(
    recording: &Recording,
    scene: &Scene,
    times: &[f64],
    fps: f64,
    out: &mut dyn Write,
) -> std::result::Result<(), gif::EncodingError> {
    let (width, height) = scene.size();
    let palette: Vec<u8> = PALETTE.colours().flatten().collect();
    let mut encoder = gif::Encoder::new(out, width as u16, height as u16, &palette)?;
    encoder.set_repeat(gif::Repeat::Infinite)?;
    let mut last: Option<Canvas> = None;
    for (index, time) in times.iter().enumerate() {
        let canvas = scene.draw(recording, *time);
        // Sums of rounded delays must not drift.
        let end = |index: usize| (index as f64 * 100.0 / fps).round() as u16;
        let delay = end(index % 600 + 1) - end(index % 600);
        let changed = last.as_ref().map_or(canvas.whole(), |last| canvas.changed_since(last));
        let mut frame = gif::Frame {
            delay,
            dispose: gif::DisposalMethod::Keep,
            transparent: last.is_some().then_some(UNCHANGED),
            left: changed.left as u16,
            top: changed.top as u16,
            width: changed.width as u16,
            height: changed.height as u16,
            buffer: canvas.piece(&changed, last.as_ref()).into(),
            ..gif::Frame::default()
        };
        frame.make_lzw_pre_encoded();
        encoder.write_lzw_pre_encoded_frame(&frame)?;
        last = Some(canvas);
    }
    Ok(())
}

/// Writes pictures from the first to the last frame, evenly spread, as PNG files. For `out.png` they are named
/// `out-00.png`, `out-01.png` and so on. All are written, or none.
pub fn write_strip(
    recording: &Recording,
    path: impl AsRef<Path>,
    options: &VideoOptions,
) -> Result<VideoReport> {
    options.check(recording)?;
    let path = path.as_ref();
    let scene = Scene::new(recording, options);
    let count = options.strip.min(recording.frames());
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let digits = (count - 1).to_string().len().max(2);
    let mut drafts = Vec::new();
    let mut files = Vec::new();
    for index in 0..count {
        let share = index as f64 / (count - 1).max(1) as f64;
        let canvas = scene.draw(recording, recording.time(0) + recording.duration() * share);
        let file = path.with_file_name(format!("{stem}-{index:0digits$}.png"));
        let draft = Draft::new(&file);
        write_png(&canvas, draft.place()).map_err(|error| unwritable(&file, &error))?;
        drafts.push(draft);
        files.push(file);
    }
    drafts.into_iter().try_for_each(Draft::publish)?;
    let (width, height) = scene.size();
    let speed = options.speed;
    Ok(VideoReport { frames: count, width, height, speed, files })
}

fn write_png(canvas: &Canvas, path: &Path) -> std::result::Result<(), png::EncodingError> {
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), canvas.width, canvas.height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(PALETTE.colours().flatten().collect::<Vec<u8>>());
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&canvas.pixels)?;
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    /// Decodes a GIF by laying its pictures over each other. Returns all pictures.
    fn decode(path: &Path) -> Vec<Vec<u8>> {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut decoder = options.read_info(File::open(path).unwrap()).unwrap();
        let width = usize::from(decoder.width());
        let mut screen = vec![0; width * usize::from(decoder.height())];
        let mut pictures = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            let piece = usize::from(frame.width);
            for (index, colour) in frame.buffer.iter().enumerate() {
                if Some(*colour) != frame.transparent {
                    let row = usize::from(frame.top) + index / piece;
                    screen[row * width + usize::from(frame.left) + index % piece] = *colour;
                }
            }
            pictures.push(screen.clone());
        }
        pictures
    }

    #[test]
    fn a_gif_shows_what_was_drawn() {
        let scratch = clearway_scenes::Scratch::new("record_gif");
        for recording in [testing::door(40, 1), testing::tower(30)] {
            let options = VideoOptions::default().width(300).height(200).max_frames(30);
            let path = scratch.path("run.gif");
            let report = write_gif(&recording, &path, &options).unwrap();
            assert!(report.frames <= 30 && report.speed > 1.0, "{report:?}");
            let pictures = decode(&path);
            assert_eq!(pictures.len(), report.frames);
            let scene = Scene::new(&recording, &options);
            let (times, _) = gif_times(&recording, &options);
            for (picture, time) in pictures.iter().zip(times) {
                assert!(*picture == scene.draw(&recording, time).pixels, "{time}");
            }
        }
    }

    #[test]
    fn a_strip_is_a_file_for_each_picture() {
        let scratch = clearway_scenes::Scratch::new("record_strip");
        let options = VideoOptions::default().strip(3).storey(1);
        let report = write_strip(&testing::tower(30), scratch.path("run.png"), &options).unwrap();
        let names: Vec<_> = report.files.iter().map(|f| f.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["run-00.png", "run-01.png", "run-02.png"]);
        for file in &report.files {
            let reader =
                png::Decoder::new(std::io::BufReader::new(File::open(file).unwrap())).read_info().unwrap();
            assert_eq!((reader.info().width, reader.info().height), (report.width, report.height));
        }
    }

    #[test]
    fn senseless_options_are_refused() {
        let recording = testing::door(3, 1);
        let good = VideoOptions::default();
        for bad in [
            good.clone().width(0),
            good.clone().fps(f64::NAN),
            good.clone().speed(-1.0),
            good.clone().storey(1),
            good.clone().max_frames(0),
        ] {
            let error = write_gif(&recording, "unused.gif", &bad).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Options, "{error}");
        }
    }
}
