//! Whether a click hits what is drawn.

use crate::Browser;
use serde_json::{Value, json};

/// A drawn board on a page.
#[derive(Clone, Copy, Debug)]
pub enum Drawing {
    /// A picture with links over it.
    Picture,
    /// The board of the viewer.
    Viewer,
}

/// What was drawn, and what clicks at the middle of its visible part hit.
#[derive(Debug)]
pub struct Clicks {
    /// The number of squares.
    pub squares: usize,
    /// The number of pieces.
    pub pieces: usize,
    /// How many pieces and empty squares are hidden behind others, so that nobody can click them.
    pub hidden: usize,
    /// Where something else is hit, in words.
    pub wrong: Vec<String>,
    /// The visible middle of each piece with a link, from the corner of the drawing: see [`Browser::bring`].
    pub linked: Vec<(f64, f64)>,
}

impl Drawing {
    /// The element of the drawing.
    const fn selector(self) -> &'static str {
        match self {
            Self::Picture => ".board > svg",
            Self::Viewer => ".tx-board",
        }
    }
}

impl Browser {
    /// Compares what is drawn with what a click there would hit, for every piece and every empty square.
    pub fn clicks(&mut self, drawing: Drawing) -> Clicks {
        let svg = drawing.selector();
        let drawing = match drawing {
            Drawing::Picture => json!({
                "svg": svg, "boards": "[role=img]", "men": ".men", "overlay": ".spots", "hit": "link"
            }),
            Drawing::Viewer => json!({
                "svg": svg, "boards": ".tx-boards", "men": ".tx-men", "hit": "viewer"
            }),
        };
        let found = self.eval(&format!("{}({drawing})", include_str!("clicks.js").trim()));
        let count = |name: &str| found[name].as_u64().unwrap_or_default() as usize;
        assert_eq!(count("lost"), 0, "pieces that stand on no square: {found}");
        let list = |name: &str| found[name].as_array().cloned().unwrap_or_default();
        let number = |value: &Value| value.as_f64().unwrap_or_default();
        let points = list("points");
        let linked = points
            .iter()
            .filter(|point| point["linked"] == true && point["what"] != "empty");
        Clicks {
            squares: count("cells"),
            pieces: count("pieces"),
            hidden: count("hidden"),
            wrong: list("wrong")
                .iter()
                .map(|one| one.as_str().unwrap_or_default().to_owned())
                .collect(),
            linked: linked
                .map(|point| (number(&point["at"][0]), number(&point["at"][1])))
                .collect(),
        }
    }

    /// Scrolls a point of a drawing into sight and returns it as a point of the window.
    pub fn bring(&mut self, drawing: Drawing, (x, y): (f64, f64)) -> (f64, f64) {
        let svg = json!(drawing.selector());
        let at = self.eval(&format!(
            "(() => {{ const svg = document.querySelector({svg}); const y = () => svg.getBoundingClientRect().y + {y}; \
             scrollBy({{top: y() - innerHeight / 3, behavior: 'instant'}}); return [svg.getBoundingClientRect().x + {x}, y()]; }})()"
        ));
        let number = |axis: usize| at[axis].as_f64().expect("the drawing is on the page");
        (number(0), number(1))
    }
}
