//! Digits and a few letters, three pixels wide and five high.

/// The width of a letter with the gap behind it, in pixels before scaling.
pub const ADVANCE: usize = 4;

/// Returns the rows of a letter from the top; the highest of three bits is on the left.
pub fn rows(letter: char) -> [u8; 5] {
    match letter {
        '0' => [7, 5, 5, 5, 7],
        '1' => [2, 6, 2, 2, 7],
        '2' => [7, 1, 7, 4, 7],
        '3' => [7, 1, 3, 1, 7],
        '4' => [5, 5, 7, 1, 1],
        '5' => [7, 4, 7, 1, 7],
        '6' => [7, 4, 7, 5, 7],
        '7' => [7, 1, 2, 2, 2],
        '8' => [7, 5, 7, 5, 7],
        '9' => [7, 5, 7, 1, 7],
        '.' => [0, 0, 0, 0, 2],
        's' => [0, 3, 6, 3, 6],
        'n' => [0, 6, 5, 5, 5],
        'i' => [2, 0, 2, 2, 2],
        'd' => [1, 1, 3, 5, 3],
        'e' => [0, 2, 5, 6, 3],
        _ => [0; 5],
    }
}
