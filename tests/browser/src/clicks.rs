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

    /// Whether something was hit at the corner of its square.
    ///
    /// # Panics
    ///
    /// Panics with words about both if it was not.
    #[track_caller]
    pub fn check(&self, hit: Option<(f64, f64)>, what: &str) {
        let (x, y) = self.corner;
        let is_same = hit.is_some_and(|hit| (hit.0 - x).hypot(hit.1 - y) < 1.0);
        assert!(is_same, "{what}: {self:?} hits {hit:?}");
    }
}

impl Clicks {
    /// Whether everything is there and hit.
    ///
    /// # Panics
    ///
    /// Panics with words about what is wrong.
    #[track_caller]
    pub fn check(&self, (squares, pieces): (usize, usize), is_flat: bool, what: &str) {
        // In the 3-D view a piece can hide a square behind it, which nobody can click then.
        self.check_all(
            (squares, pieces),
            if is_flat { 0 } else { squares / 8 },
            what,
        );
    }

    /// The same where at most this many squares and pieces are hidden.
    ///
    /// # Panics
    ///
    /// Panics with words about what is wrong.
    #[track_caller]
    pub fn check_all(&self, (squares, pieces): (usize, usize), most: usize, what: &str) {
        assert!(self.wrong.is_empty(), "{what}: {:#?}", self.wrong);
        assert_eq!((self.squares, self.pieces), (squares, pieces), "{what}");
        let hidden = &self.hidden;
        assert!(hidden.len() <= most, "{what}: hidden are {hidden:?}");
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

/// The parts of the viewer that lie over each other, at one scroll offset, and those that are wider than the window.
const COVERED: &str = "(() => {
  const parts = ['.tx-now', '.tx-stage', '.tx-moves', '.tx-steps', '.tx-looks', '.tx-about', '.tx-player > .tx-head'];
  const boxes = parts.map((name) => [name, document.querySelector(name)?.getBoundingClientRect()]).filter(([, box]) => box?.height);
  const covered = [];
  boxes.forEach(([name, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    if (high > 1 && wide > 1) covered.push(`${name} and ${other}: ${Math.round(wide)}x${Math.round(high)}`);
  }));
  // What a finger would press: each button in the window is the front element at its middle.
  for (const one of document.querySelectorAll('.tx-bar button, .tx-bar select, .tx-bar input')) {
    const r = one.getBoundingClientRect();
    const [x, y] = [r.x + r.width / 2, r.y + r.height / 2];
    if (!r.height || y < 0 || y >= innerHeight || one.disabled) continue;
    const front = document.elementFromPoint(x, y);
    if (front && !one.contains(front)) covered.push(`${one.className} below ${front.outerHTML.slice(0, 80)}`);
  }
  return [boxes.length, covered];
})()";

impl Browser {
    /// Goes through the views that the viewer of a page has, and clicks in each.
    pub fn click_views(&mut self, counts: (usize, usize), what: &str) {
        // Narrow windows show one level at first.
        self.eval("document.querySelector('.tx-level')?.click()");
        let mut seen = Vec::new();
        for _ in 0..4 {
            let now = self.text("document.querySelector('.tx-view').textContent");
            self.click_view(counts, &now, &format!("{what} {now}"));
            seen.push(now);
            self.eval("document.querySelector('.tx-view').click()");
        }
        seen.sort();
        assert_eq!(seen, ["Column", "Flat", "Glass", "Stand"], "{what}");
    }

    /// Clicks at what the viewer draws in its present view.
    pub fn click_view(&mut self, counts: (usize, usize), view: &str, what: &str) {
        let clicks = self.clicks(Drawing::Viewer);
        match view {
            // The front boards hide a part of those behind, depending on the angle.
            "Glass" => clicks.check_all(counts, counts.0 * 2 / 3, what),
            _ => clicks.check(counts, view != "Stand", what),
        }
        // The mouse itself: the right button marks what it presses.
        for one in clicks.seen.iter().step_by(11) {
            let at = self.bring(Drawing::Viewer, one.at);
            self.right_drag(at, at);
            let mark = self.corner_of(Drawing::Viewer, ".tx-under use[href$='-G']");
            one.check(mark, what);
            self.right_drag(at, at);
        }
        if self.eval("!document.querySelector('.tx-trial')") == true {
            return;
        }
        // The left button selects a piece that can move; some are tried.
        self.wait("document.querySelector('.tx-try').list.options.length > 1");
        let mut selected = 0;
        let seen = clicks.seen.iter();
        let own = seen.filter(|one| one.is_live && one.is_piece());
        for one in own {
            let at = self.bring(Drawing::Viewer, one.at);
            self.click_at(at);
            let chosen = self.corner_of(Drawing::Viewer, ".tx-chosen use");
            if chosen.is_some() {
                one.check(chosen, what);
                selected += 1;
                // Next to the boards nothing is selected.
                let aside = self.bring(Drawing::Viewer, (2.0, 2.0));
                self.click_at(aside);
            }
            if selected == 4 {
                break;
            }
        }
        assert!(selected > 0, "{what}: no piece can be selected");
        let is_played = "!document.querySelector('.tx-leave').hidden";
        assert_eq!(self.eval(is_played), false, "{what}: a move was played");
    }

    /// Scrolls through the page: at no offset does a part of the viewer cover another.
    pub fn is_uncovered(&mut self, what: &str) {
        let end = "document.documentElement.scrollHeight - innerHeight";
        let end = self.eval(end).as_i64().unwrap_or_default();
        for offset in (0..end).step_by(50).chain([end]) {
            self.eval(&format!("scrollTo({{top: {offset}, behavior: 'instant'}})"));
            let covered = self.eval(COVERED);
            assert!(covered[0].as_u64() > Some(4), "{what}: {covered}");
            assert_eq!(covered[1], json!([]), "{what} scrolled by {offset}");
        }
    }

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
            "(() => {{ const svg = [...document.querySelectorAll({svg})].find((one) => one.getBoundingClientRect().width > 0); const y = () => svg.getBoundingClientRect().y + {y}; \
             scrollBy({{top: y() - innerHeight / 3, behavior: 'instant'}}); return [svg.getBoundingClientRect().x + {x}, y()]; }})()"
        ));
        point(&at).expect("the drawing is on the page")
    }

    /// Where the last element that a selector finds in a drawing has the near left corner of its square: a moved mark, or the
    /// area of a link.
    pub fn corner_of(&mut self, drawing: Drawing, selector: &str) -> Option<(f64, f64)> {
        let (svg, selector) = (json!(drawing.selector()), json!(selector));
        let at = self.eval(&format!(
            "(() => {{ const svg = [...document.querySelectorAll({svg})].find((one) => one.getBoundingClientRect().width > 0); const one = [...svg.querySelectorAll({selector})].at(-1); \
             if (!one) return null; const moved = /translate\\(([-\\d.]+) ([-\\d.]+)\\)/.exec(one.getAttribute('transform')); \
             const [a, b, c, d, e, f] = /matrix\\(([^)]*)\\)/.exec(one.getAttribute('transform'))?.[1].split(' ').map(Number) ?? []; \
             const [x, y] = moved ? moved.slice(1) : f === undefined ? [one.points[0].x, one.points[0].y] : [e + 20 * (a - c), f + 20 * (b - d)]; \
             const at = new DOMPoint(x, y).matrixTransform(one.parentNode.getScreenCTM()), box = svg.getBoundingClientRect(); \
             return [at.x - box.x, at.y - box.y]; }})()"
        ));
        point(&at)
    }
}
