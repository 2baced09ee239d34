//! The colours of a picture.

use tridex_geometry::Shade;
use tridex_rules::Color;

/// The colours of a picture, by its ground.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Theme {
    /// Dark writing on light ground.
    #[default]
    Light,
    /// Light writing on dark ground.
    Dark,
    /// No colour of its own: every colour is a CSS variable, such as `var(--tx-ground)`, that the page around the
    /// picture declares ([`Theme::css`]). For pages only: a picture alone in a file would be black.
    Page,
}

/// The colours of both themes by name, the CSS variables, and the palette that has all of them.
macro_rules! palettes {
    ($($(#[$doc:meta])? $field:ident $name:literal $light:literal $dark:literal;)*) => {
        /// Every colour, as SVG writes it.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct Palette<'a> {
            $($(#[$doc])? pub(crate) $field: &'a str,)*
        }
        const LIGHT: Palette<'static> = Palette { $($field: $light,)* };
        const DARK: Palette<'static> = Palette { $($field: $dark,)* };
        const PAGE: Palette<'static> = Palette { $($field: concat!("var(--tx-", $name, ")"),)* };
        impl<'a> Palette<'a> {
            fn set(&mut self, name: &str, value: &'a str) {
                match name {
                    $($name => self.$field = value,)*
                    _ => {}
                }
            }
        }
        /// Names of the colours with their values in both themes.
        const COLORS: &[(&str, &str, &str)] = &[$(($name, $light, $dark),)*];
    };
}

palettes! {
    /// The background.
    ground "ground" "#f7f8fa" "#161b21";
    /// Light and dark squares.
    light "light" "#edf1f4" "#7c90a4";
    dark "dark" "#93b3cc" "#3d5268";
    /// Lines between squares and around boards.
    line "line" "#2b3947" "#0c1014";
    /// Sides of the fixed boards, of White's and of Black's attack boards.
    edge "edge" "#8397a9" "#34424f";
    edge_white "edge-white" "#fdfdfb" "#e9edf0";
    edge_black "edge-black" "#2a323c" "#61798f";
    /// Posts, and pins without a board.
    post "post" "#5f7386" "#8fa2b3";
    /// Writing on the ground, on light and on dark squares.
    text "text" "#31445a" "#c4d0da";
    text_light "text-light" "#25364a" "#05080b";
    text_dark "text-dark" "#1f2f42" "#f2f6f9";
    /// Pieces: what fills them and what surrounds them.
    white_fill "white-fill" "#fffef9" "#fbfaf5";
    white_line "white-line" "#1f2832" "#0b0f13";
    black_fill "black-fill" "#252d37" "#0e1217";
    black_line "black-line" "#f3f6f9" "#eef2f5";
    /// The squares of the last move, a king in check, squares that can be reached.
    last "last" "#d99a10" "#ffc933";
    check "check" "#c2140f" "#ff8a7e";
    reach "reach" "#17613a" "#8df0b0";
    /// The line around a mark.
    halo "halo" "#10202e" "#0a0e12";
    /// Marks of a commentator.
    green "green" "#17713a" "#6fe394";
    red "red" "#b31d1a" "#ff9186";
    yellow "yellow" "#7a5c00" "#ffe27a";
    blue "blue" "#1c4f9c" "#7db4ff";
}

impl<'a> Palette<'a> {
    /// What fills and what surrounds the pieces of a side.
    pub(crate) const fn piece(&self, color: Color) -> (&'a str, &'a str) {
        match color {
            Color::White => (self.white_fill, self.white_line),
            Color::Black => (self.black_fill, self.black_line),
        }
    }

    /// The colours of light and of dark squares.
    pub(crate) const fn square(&self, shade: Shade) -> &'a str {
        match shade {
            Shade::Light => self.light,
            Shade::Dark => self.dark,
        }
    }
}

impl Theme {
    pub(crate) const fn palette(self) -> &'static Palette<'static> {
        match self {
            Self::Light => &LIGHT,
            Self::Dark => &DARK,
            Self::Page => &PAGE,
        }
    }

    /// The declarations of the CSS variables that [`Theme::Page`] uses, with the colours of this theme (those of the
    /// light one for `Page` itself): `--tx-ground:#f7f8fa;` and so on.
    #[must_use]
    pub fn css(self) -> String {
        let declared = COLORS.iter().map(|(name, light, dark)| {
            let value = if self == Self::Dark { dark } else { light };
            format!("--tx-{name}:{value};")
        });
        declared.collect()
    }
}

/// Colours in place of those of a theme, each by its name.
///
/// ```
/// use tridex_picture::{Colors, PictureOptions, svg};
/// use tridex_rules::{Position, RuleSystem};
///
/// let colors = Colors::parse("brown")?;
/// assert_eq!(colors, Colors::parse("light=#f0d9b5,dark=#b58863")?);
/// let options = PictureOptions::default().colors(colors);
/// assert!(svg(&Position::start(RuleSystem::Meder), &options).contains("#b58863"));
/// # Ok::<(), tridex_picture::ColorsError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Colors(Vec<(&'static str, String)>);

/// The error for a list of colours that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColorsError(String);

impl std::fmt::Display for ColorsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ColorsError {}

/// Named lists of colours.
const NAMED: [(&str, &str); 4] = [
    ("blue", ""),
    ("brown", "light=#f0d9b5,dark=#b58863"),
    ("green", "light=#ffffdd,dark=#86a666"),
    ("grey", "light=#dee3e6,dark=#a0a0a0"),
];

impl Colors {
    /// Reads colours by the name of a list (`blue`, which is the theme's own, `brown`, `green`, `grey`), or from a list
    /// such as `light=#f0d9b5,dark=#b58863`. The names in it are the CSS variables of [`Theme::css`] without `--tx-`.
    /// If the list has a colour for squares but none for the writing on them, the writing becomes black or white.
    ///
    /// ```
    /// use tridex_picture::Colors;
    ///
    /// assert!(Colors::parse("brown").is_ok());
    /// assert!(Colors::parse("light=#f0d9b5,dark=#b58863").is_ok());
    /// assert!(Colors::parse("light=white").is_err());
    /// ```
    ///
    /// # Errors
    /// If an entry is not a name, an equals sign, and `#` with six hexadecimal digits.
    pub fn parse(text: &str) -> Result<Self, ColorsError> {
        let list = match NAMED.iter().find(|(name, _)| *name == text) {
            Some((_, "")) => return Ok(Self::default()),
            Some((_, list)) => list,
            None => text,
        };
        let colors = list.split(',').map(color);
        colors
            .collect::<Result<_, _>>()
            .map(Self)
            .map_err(ColorsError)
    }

    /// The palette of a theme with these colours.
    pub(crate) fn over<'a>(&'a self, theme: &Palette<'a>) -> Palette<'a> {
        let mut palette = *theme;
        for (square, text) in [("light", "text-light"), ("dark", "text-dark")] {
            if let Some((_, color)) = self.0.iter().rev().find(|(name, _)| *name == square) {
                let is_bright = contrast(color, BLACK) >= contrast(color, WHITE);
                palette.set(text, if is_bright { BLACK } else { WHITE });
            }
        }
        for (name, color) in &self.0 {
            palette.set(name, color);
        }
        palette
    }
}

/// Reads an entry of a list, or returns what is wrong with it.
fn color(entry: &str) -> Result<(&'static str, String), String> {
    let Some((name, value)) = entry.split_once('=') else {
        let known = NAMED.map(|(name, _)| name).join(", ");
        return Err(format!(
            "expected {known}, or a list such as light=#f0d9b5,dark=#b58863"
        ));
    };
    let names = COLORS.iter().map(|(name, ..)| *name);
    let Some(name) = names.clone().find(|known| *known == name) else {
        let names = names.collect::<Vec<_>>().join(" ");
        return Err(format!(
            "no colour has the name before \"=\"; names: {names}"
        ));
    };
    let digits = value.strip_prefix('#').unwrap_or_default();
    if digits.len() != 6 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(format!("{name}: expected a colour such as #f0d9b5"));
    }
    Ok((name, value.to_ascii_lowercase()))
}

const BLACK: &str = "#000000";
const WHITE: &str = "#ffffff";

/// Relative luminance of `#rrggbb` by WCAG 2.1.
fn luminance(color: &str) -> f64 {
    let part = |i: usize| {
        let value = color
            .get(i..i + 2)
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let value = f64::from(value.unwrap_or(0)) / 255.0;
        if value <= 0.040_45 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}

/// The contrast of two colours by WCAG 2.1, from 1 to 21.
fn contrast(a: &str, b: &str) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_and_writing_stand_out_from_what_is_behind_them() {
        for palette in [&LIGHT, &DARK] {
            let least = |name: &str, got: f64, wanted: f64| {
                assert!(got >= wanted, "{name}: {got:.2} is below {wanted}");
            };
            least("text", contrast(palette.text, palette.ground), 4.5);
            least("post", contrast(palette.post, palette.ground), 3.0);
            // A rim is seen by its fill or by the line around it, and the two sides' rims are far apart.
            for edge in [palette.edge_white, palette.edge_black] {
                let seen =
                    contrast(edge, palette.ground).max(contrast(palette.line, palette.ground));
                least("rim", seen, 3.0);
            }
            least(
                "rim of Black's",
                contrast(palette.edge_black, palette.ground),
                3.0,
            );
            least(
                "rims",
                contrast(palette.edge_white, palette.edge_black),
                3.0,
            );
            for square in [palette.light, palette.dark] {
                // A piece is seen by what fills it or by what surrounds it.
                for (fill, line) in [
                    (palette.white_fill, palette.white_line),
                    (palette.black_fill, palette.black_line),
                ] {
                    let seen = contrast(fill, square).max(contrast(line, square));
                    least("piece", seen, 4.5);
                    least("outline", contrast(fill, line), 7.0);
                }
            }
            // White and black pieces are far apart without any colour.
            least(
                "sides",
                contrast(palette.white_fill, palette.black_fill),
                10.0,
            );
            least(
                "coordinates",
                contrast(palette.text_light, palette.light),
                4.5,
            );
            least(
                "coordinates",
                contrast(palette.text_dark, palette.dark),
                4.5,
            );
            // Marks lie on squares of either shade; a line round them helps where a colour alone would not.
            for ink in [
                palette.last,
                palette.check,
                palette.reach,
                palette.green,
                palette.red,
                palette.yellow,
                palette.blue,
            ] {
                for square in [palette.light, palette.dark] {
                    let seen = contrast(ink, square).max(contrast(palette.halo, square));
                    least("mark", seen, 3.0);
                }
            }
        }
    }

    #[test]
    fn a_page_declares_every_variable() {
        let css = Theme::Dark.css();
        for (name, _, dark) in COLORS {
            assert!(css.contains(&format!("--tx-{name}:{dark};")));
        }
        assert!(PAGE.edge_white.contains("--tx-edge-white"));
    }

    #[test]
    fn colors_are_names_or_lists_and_bad_ones_are_refused() {
        assert_eq!(Colors::parse("blue"), Ok(Colors::default()));
        let list = Colors::parse("dark=#101010,text=#ABCDEF").expect("a list");
        let palette = list.over(&LIGHT);
        assert_eq!(
            (palette.dark, palette.text, palette.text_dark),
            ("#101010", "#abcdef", WHITE)
        );
        assert_eq!(palette.light, LIGHT.light);
        for (name, list) in NAMED {
            let colors = Colors::parse(name).unwrap_or_else(|_| panic!("{list}"));
            for theme in [&LIGHT, &DARK] {
                let palette = colors.over(theme);
                assert!(contrast(palette.text_light, palette.light) >= 4.5, "{name}");
                assert!(contrast(palette.text_dark, palette.dark) >= 4.5, "{name}");
            }
        }
        for bad in [
            "",
            "pink",
            "light",
            "light=",
            "light=red",
            "light=#12345g",
            "lihgt=#123456",
            "light=#f0d9b5,",
            "light=#\u{e9}\u{e9}\u{e9}",
        ] {
            assert!(Colors::parse(bad).is_err(), "{bad}");
        }
    }
}
