//! The styles of SVG elements, as far as they matter to plans: what is filled, and what is hidden.

use roxmltree::{Document, Node};
use std::collections::BTreeMap;

/// Fill and visibility of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Look {
    /// True if its inside is painted.
    pub(super) is_filled: bool,
    /// True if it is not drawn.
    pub(super) is_hidden: bool,
}

impl Default for Look {
    fn default() -> Look {
        Look { is_filled: true, is_hidden: false }
    }
}

impl Look {
    /// Takes one property.
    fn set(&mut self, name: &str, value: &str) {
        let value = value.trim().trim_end_matches("!important").trim();
        match name.trim() {
            "fill" if value != "inherit" => self.is_filled = value != "none" && value != "transparent",
            "fill-opacity" => self.is_filled &= value != "0",
            "display" => self.is_hidden |= value == "none",
            "visibility" => self.is_hidden |= value == "hidden" || value == "collapse",
            _ => {}
        }
    }

    /// Takes the properties of a `style` attribute.
    fn set_all(&mut self, declarations: &str) {
        declared(declarations).for_each(|(name, value)| self.set(name, value));
    }
}

/// The properties that matter to plans.
const PROPERTIES: [&str; 4] = ["fill", "fill-opacity", "display", "visibility"];

/// The names and values of declarations.
fn declared(declarations: &str) -> impl Iterator<Item = (&str, &str)> {
    declarations.split(';').filter_map(|declaration| declaration.split_once(':'))
}

/// The rules of all `style` elements whose selectors are a class, an id or a tag.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    /// The last value of each property of [`PROPERTIES`] by selector. Each element that has it takes only these, however
    /// long the sheet is.
    rules: BTreeMap<String, [Option<String>; PROPERTIES.len()]>,
}

impl Sheet {
    /// Reads the style elements of a document. Selectors that are not simple are left out.
    pub(super) fn of(document: &Document<'_>) -> Sheet {
        let mut sheet = Sheet::default();
        for node in document.descendants().filter(|node| node.tag_name().name() == "style") {
            for (selectors, declarations) in
                node.text().unwrap_or_default().split('}').filter_map(|rule| rule.split_once('{'))
            {
                for selector in selectors.split(',') {
                    let rule = sheet.rules.entry(selector.trim().to_string()).or_default();
                    for (name, value) in declared(declarations) {
                        let known = PROPERTIES.iter().position(|known| *known == name.trim());
                        if let Some(known) = known {
                            rule[known] = Some(value.to_string());
                        }
                    }
                }
            }
        }
        sheet
    }

    /// The look of an element inside others.
    pub(super) fn look(&self, node: Node<'_, '_>, outer: Look) -> Look {
        let mut look = outer;
        for name in PROPERTIES {
            if let Some(value) = node.attribute(name) {
                look.set(name, value);
            }
        }
        let classes =
            node.attribute("class").unwrap_or_default().split_whitespace().map(|class| format!(".{class}"));
        let selectors = std::iter::once(node.tag_name().name().to_string())
            .chain(classes)
            .chain(node.attribute("id").map(|id| format!("#{id}")));
        for rule in selectors.filter_map(|selector| self.rules.get(&selector)) {
            for (name, value) in PROPERTIES.iter().zip(rule) {
                value.iter().for_each(|value| look.set(name, value));
            }
        }
        if let Some(style) = node.attribute("style") {
            look.set_all(style);
        }
        look
    }
}
