//! The track of a body: pieces one after the other, addressed by the length walked.

use clearway_nav::path::{Path, Piece};

/// The greatest angle in radians of one step along an arc. Smaller steps follow the arc more closely with more moves.
const ARC_STEP: f64 = 0.25;
/// The number of parts of a piece at whose ends joints are tried.
const PARTS: u32 = 4;

/// A sequence of pieces.
#[derive(Clone, Debug, Default)]
pub(super) struct Track {
    /// The pieces, all of positive length.
    pieces: Vec<Piece>,
    /// The length from the start to the end of each piece, in metres.
    ends: Vec<f64>,
}

impl Track {
    /// Makes the track of a path.
    pub fn of(path: &Path) -> Track {
        let mut track = Track::default();
        path.pieces.iter().for_each(|piece| track.push(*piece));
        track
    }

    /// Makes the track that leads straight from point to point.
    pub fn through(places: &[[f64; 2]]) -> Track {
        let mut track = Track::default();
        places.windows(2).for_each(|ends| track.push(Piece::Segment { from: ends[0], to: ends[1] }));
        track
    }

    /// Returns the whole length in metres.
    pub fn length(&self) -> f64 {
        self.ends.last().copied().unwrap_or(0.0)
    }

    /// Appends a piece; pieces without length are left out.
    pub fn push(&mut self, piece: Piece) {
        let length = piece.length();
        if length > 0.0 {
            self.ends.push(self.length() + length);
            self.pieces.push(piece);
        }
    }

    /// Appends the part of another track from `along` on.
    pub fn extend(&mut self, other: &Track, along: f64) {
        let first = other.piece_at(along);
        for (number, piece) in other.pieces.iter().enumerate().skip(first) {
            let begin = other.ends[number] - piece.length();
            self.push(if number == first { piece.rest(along - begin) } else { *piece });
        }
    }

    /// Returns the point after `along` metres; `None` on a track without pieces.
    pub fn place(&self, along: f64) -> Option<[f64; 2]> {
        let number = self.piece_at(along).min(self.pieces.len().checked_sub(1)?);
        let piece = self.pieces.get(number)?;
        let begin = self.ends.get(number)? - piece.length();
        Some(piece.place_at(along - begin))
    }

    /// Returns the length of the next move after `along` metres: to the end of the piece, or a small part of an arc.
    pub fn hop(&self, along: f64) -> f64 {
        let number = self.piece_at(along);
        let (Some(piece), Some(end)) = (self.pieces.get(number), self.ends.get(number)) else { return 0.0 };
        match piece {
            Piece::Segment { .. } | Piece::Link { .. } => end - along,
            Piece::Arc { turn, .. } => {
                (end - along).min(piece.length() * ARC_STEP / turn.abs().max(ARC_STEP))
            }
        }
    }

    /// Returns lengths at which to try joints: the ends of pieces and a few points along each.
    pub fn stops(&self) -> Vec<f64> {
        let mut stops = vec![0.0];
        for (piece, end) in self.pieces.iter().zip(&self.ends) {
            let begin = end - piece.length();
            stops.extend((1..PARTS).map(|part| begin + (end - begin) * f64::from(part) / f64::from(PARTS)));
            stops.push(*end);
        }
        stops
    }

    /// Returns the index of the piece that goes on after `along` metres.
    fn piece_at(&self, along: f64) -> usize {
        self.ends.partition_point(|end| *end <= along)
    }
}

/// Returns the distance of two points of the plan.
pub(super) fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}
