//! The page of the documentation that lists every test. A test keeps the page as this file writes it.

use crate::case::Suite;
use crate::suite::cases;
use std::fmt::Write;

/// What stands before the tables.
const HEAD: &str = "\
# Verification tests

`clearway verify` runs these tests. Every place is built by code: plans from rectangles and rings, stairs and storeys
from triangles. [`docs/verification.md`](../verification.md) has the last results.

```text
clearway verify [--model NAME|all] [--suite SUITE] [--test ID] [--radius R] [--without-projection]
                [--quick|--full] [--seeds N] [--list] [--json] [--html OUT.html] [-o OUT.md]
```

## What is common to all

- Bodies have the radius 0.15 m, then 0.2 m, unless `--radius` says otherwise. `--full` runs everything with and without
  the contact projection.
- The time step is 0.05 s; 0.1 s with a thousand people and in the building.
- Flows and streams run with three seeds, and their means are judged. Counts add up all seeds.
- Overlap is measured five times a second between all bodies and with all walls, by code that shares nothing with the
  engine. With the contact projection a depth above 0.0001 m fails the test, whatever it is about.
- A run ends when everybody left, or when nobody left for a minute.
- Where a standard gives no number, the source says that the criterion is ours. Where a standard asks for documentation,
  the verdict is `documented`.
- Tests of several suites that ask the same share one run. What needs groups, smoke, gas or lifts is not here: NIST 2.5,
  2.6, 2.7, 2.9, 3.2; ISO 14 to 19; RiMEA 15.
- Exits are chosen by a controller above the crowd: every 2 s each person adds the way to each exit at its speed and the
  queue before it at 1.8 persons per second, and changes for a gain of 15 %.
- A capacity of a door is a turnstile: whoever stands in the door waits for the next turn. Without it a door of 1 m lets
  as many pass as the data have, more than IMO allows.

With `--json` the command prints a list of objects with `id`, `suite`, `title`, `model`, `radius`, `projection`, `seeds`,
`setup`, `criterion`, `source`, `value` (the first of `values`), `values` (each with `name`, `value`, `unit`, `low`, `high`),
`overlap`, `note` and `verdict` (`pass`, `fail` or `documented`). A value that could not be measured is `null`; it fails where
there is a limit. The exit code is 1 if a test failed.
";

/// Returns the page.
pub fn write() -> String {
    let mut text = HEAD.to_string();
    for suite in Suite::ALL {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "\n## {}\n", suite.title());
        text.push_str("| test | what | set-up | passes | source | quick |\n|---|---|---|---|---|---|\n");
        for case in cases().iter().filter(|case| case.suite == suite) {
            let quick = if case.quick { "yes" } else { "" };
            let _ = writeln!(
                text,
                "| `{}` | {} | {} | {} | {} | {quick} |",
                case.id, case.title, case.setup, case.criterion, case.source
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_documentation_lists_every_test() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/verify.md");
        if std::env::var_os("CLEARWAY_BLESS").is_some() {
            std::fs::write(path, super::write()).unwrap();
        }
        let page = std::fs::read_to_string(path).unwrap();
        assert!(page == super::write(), "set CLEARWAY_BLESS=1 to write docs/reference/verify.md anew");
    }
}
