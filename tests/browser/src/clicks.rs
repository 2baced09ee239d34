//! Whether a click hits what is drawn.

use crate::Browser;
use serde_json::{Value, json};

/// A drawn board on a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
    /// The number of spots on squares that can be reached.
    pub spots: usize,
    /// The number of places where an attack board can go.
    pub pins: usize,
    /// What is hidden behind others, so that nobody can click it, in words.
    pub hidden: Vec<String>,
    /// Where something else is hit, in words.
    pub wrong: Vec<String>,
    /// What is not hidden.
    pub seen: Vec<Seen>,
}

/// A piece, an empty square, a spot or a pin of a drawing. Points are counted from the corner of the drawing.
#[derive(Clone, Debug)]
pub struct Seen {
    /// `#wK` for White's king, else words.
    pub what: String,
    /// The near left corner of its square.
    pub corner: (f64, f64),
    /// The middle of its visible part.
    pub at: (f64, f64),
    /// Whether a click on it does something: it has a link, or moves of it can be tried.
    pub is_live: bool,
}

impl Seen {
    /// Whether this is a piece.
    #[must_use]
    pub fn is_piece(&self) -> bool {
        self.what.starts_with('#')
    }
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

fn point(value: &Value) -> Option<(f64, f64)> {
    Some((value[0].as_f64()?, value[1].as_f64()?))
}

impl Browser {
    /// Compares what is drawn with what a click there would hit, for every piece and every empty square, and for the spots and
    /// pins that show where something can go.
    pub fn clicks(&mut self, drawing: Drawing) -> Clicks {
        let svg = drawing.selector();
        let wish = match drawing {
            Drawing::Picture => json!({
                "svg": svg, "boards": "[role=img]", "men": ".men", "overlay": ".spots", "hit": "link"
            }),
            Drawing::Viewer => json!({
                "svg": svg, "boards": ".tx-boards", "men": ".tx-men", "overlay": ".tx-under", "hit": "viewer"
            }),
        };
        let found = self.eval(&format!("{}({wish})", include_str!("clicks.js").trim()));
        let count = |name: &str| found[name].as_u64().unwrap_or_default() as usize;
        assert_eq!(count("lost"), 0, "pieces that stand on no square: {found}");
        let list = |name: &str| found[name].as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let live = match drawing {
            Drawing::Picture => "linked",
            Drawing::Viewer => "taken",
        };
        let seen = list("seen").into_iter().filter_map(|one| {
            Some(Seen {
                what: text(&one["what"]),
                corner: point(&one["corner"])?,
                at: point(&one["at"])?,
                is_live: one[live] == true,
            })
        });
        Clicks {
            squares: count("cells"),
            pieces: count("pieces"),
            spots: count("spots"),
            pins: count("pins"),
            hidden: list("hidden").iter().map(text).collect(),
            wrong: list("wrong").iter().map(text).collect(),
            seen: seen.collect(),
        }
    }

    /// Scrolls a point of a drawing into sight and returns it as a point of the window.
    pub fn bring(&mut self, drawing: Drawing, (x, y): (f64, f64)) -> (f64, f64) {
        let svg = json!(drawing.selector());
        let at = self.eval(&format!(
            "(() => {{ const svg = document.querySelector({svg}); const y = () => svg.getBoundingClientRect().y + {y}; \
             scrollBy({{top: y() - innerHeight / 3, behavior: 'instant'}}); return [svg.getBoundingClientRect().x + {x}, y()]; }})()"
        ));
        point(&at).expect("the drawing is on the page")
    }

    /// Where the last element that a selector finds in a drawing has the near left corner of its square: a moved mark, or the
    /// area of a link.
    pub fn corner_of(&mut self, drawing: Drawing, selector: &str) -> Option<(f64, f64)> {
        let (svg, selector) = (json!(drawing.selector()), json!(selector));
        let at = self.eval(&format!(
            "(() => {{ const svg = document.querySelector({svg}); const one = [...svg.querySelectorAll({selector})].at(-1); \
             if (!one) return null; const moved = /translate\\(([-\\d.]+) ([-\\d.]+)\\)/.exec(one.getAttribute('transform')); \
             const [x, y] = moved ? moved.slice(1) : [one.points[0].x, one.points[0].y]; \
             const at = new DOMPoint(x, y).matrixTransform(one.parentNode.getScreenCTM()), box = svg.getBoundingClientRect(); \
             return [at.x - box.x, at.y - box.y]; }})()"
        ));
        point(&at)
    }
}
