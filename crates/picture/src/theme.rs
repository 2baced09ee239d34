//! The colours of a picture.

/// Light or dark ground.
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

/// Every colour, as SVG writes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Palette {
    /// Behind everything.
    pub(crate) ground: &'static str,
    /// Light and dark squares.
    pub(crate) light: &'static str,
    pub(crate) dark: &'static str,
    /// Lines between squares and around boards.
    pub(crate) line: &'static str,
    /// Sides of the fixed boards, of White's and of Black's attack boards.
    pub(crate) edge: &'static str,
    pub(crate) edge_white: &'static str,
    pub(crate) edge_black: &'static str,
    /// Posts, and pins on which nothing stands.
    pub(crate) post: &'static str,
    /// Writing on the ground, on light and on dark squares.
    pub(crate) text: &'static str,
    pub(crate) text_light: &'static str,
    pub(crate) text_dark: &'static str,
    /// Men: what fills them and what surrounds them.
    pub(crate) white_fill: &'static str,
    pub(crate) white_line: &'static str,
    pub(crate) black_fill: &'static str,
    pub(crate) black_line: &'static str,
    /// The squares of the last move, a king in check, squares that can be reached.
    pub(crate) last: &'static str,
    pub(crate) check: &'static str,
    pub(crate) reach: &'static str,
    /// The line around a mark.
    pub(crate) halo: &'static str,
    /// Marks of a commentator.
    pub(crate) green: &'static str,
    pub(crate) red: &'static str,
    pub(crate) yellow: &'static str,
    pub(crate) blue: &'static str,
}

macro_rules! palettes {
    ($($field:ident $name:literal $light:literal $dark:literal;)*) => {
        const LIGHT: Palette = Palette { $($field: $light,)* };
        const DARK: Palette = Palette { $($field: $dark,)* };
        const PAGE: Palette = Palette { $($field: concat!("var(--tx-", $name, ")"),)* };
        /// Names of the CSS variables with their values.
        const VARIABLES: &[(&str, &str, &str)] = &[$((concat!("--tx-", $name), $light, $dark),)*];
    };
}

palettes! {
    ground "ground" "#f7f8fa" "#161b21";
    light "light" "#edf1f4" "#7c90a4";
    dark "dark" "#93b3cc" "#3d5268";
    line "line" "#2b3947" "#0c1014";
    edge "edge" "#8397a9" "#34424f";
    edge_white "edge-white" "#fdfdfb" "#e9edf0";
    edge_black "edge-black" "#2a323c" "#61798f";
    post "post" "#5f7386" "#8fa2b3";
    text "text" "#31445a" "#c4d0da";
    text_light "text-light" "#25364a" "#05080b";
    text_dark "text-dark" "#1f2f42" "#f2f6f9";
    white_fill "white-fill" "#fffef9" "#fbfaf5";
    white_line "white-line" "#1f2832" "#0b0f13";
    black_fill "black-fill" "#252d37" "#0e1217";
    black_line "black-line" "#f3f6f9" "#eef2f5";
    last "last" "#d99a10" "#ffc933";
    check "check" "#c2140f" "#ff8a7e";
    reach "reach" "#17613a" "#8df0b0";
    halo "halo" "#10202e" "#0a0e12";
    green "green" "#17713a" "#6fe394";
    red "red" "#b31d1a" "#ff9186";
    yellow "yellow" "#7a5c00" "#ffe27a";
    blue "blue" "#1c4f9c" "#7db4ff";
}

impl Theme {
    pub(crate) const fn palette(self) -> &'static Palette {
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
        VARIABLES
            .iter()
            .map(|(name, light, dark)| {
                let value = if self == Self::Dark { dark } else { light };
                format!("{name}:{value};")
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance by WCAG 2.1.
    fn luminance(color: &str) -> f64 {
        let part = |i: usize| {
            let value = u8::from_str_radix(&color[i..i + 2], 16).expect("two hexadecimal digits");
            let value = f64::from(value) / 255.0;
            if value <= 0.040_45 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

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
                // A man is seen by what fills it or by what surrounds it.
                for (fill, line) in [
                    (palette.white_fill, palette.white_line),
                    (palette.black_fill, palette.black_line),
                ] {
                    let seen = contrast(fill, square).max(contrast(line, square));
                    least("man", seen, 4.5);
                    least("outline", contrast(fill, line), 7.0);
                }
            }
            // White and black men are far apart without any colour.
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
        for (name, _, dark) in VARIABLES {
            assert!(css.contains(&format!("{name}:{dark};")));
        }
        assert!(PAGE.edge_white.contains("--tx-edge-white"));
    }
}
