//! Lines of a text: errors about files name them.

/// The ends of the lines of a text.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// The bytes at which lines end, in order.
    ends: Vec<usize>,
}

impl Lines {
    /// Finds the lines of a text. Cost: linear.
    pub fn of(text: &str) -> Lines {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Lines { ends: ends.map(|(at, _)| at).collect() }
    }

    /// Returns the number of the line that holds a byte, counted from 1.
    pub fn line(&self, byte: usize) -> usize {
        1 + self.ends.partition_point(|end| *end < byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_holds_its_end() {
        let lines = Lines::of("a\n\nbc\n");
        let found: Vec<usize> = (0..7).map(|byte| lines.line(byte)).collect();
        assert_eq!(found, [1, 1, 2, 3, 3, 3, 4]);
        assert_eq!(Lines::of("").line(0), 1);
    }
}
