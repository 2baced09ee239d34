//! Score sheets in every layout, notation and language: the same games, read completely.

use std::ffi::OsStr;
use std::io::Cursor;

use crate::support::none_of;
use tridex_archive::batch::Batch;
use tridex_archive::source::{OpenOptions, Source};
use tridex_archive::split::Splitter;
use tridex_archive::{Container, GameResult, Limits, write};
use tridex_notation::{Locale, Notation};
use tridex_replay::generate::Recipe;
use tridex_replay::{Options, Played, Replay, Sink, read};
use tridex_rules::RuleSystem;

/// The words of a language on a score sheet.
struct Language {
    code: &'static str,
    white: &'static str,
    black: &'static str,
    date: &'static str,
    result: &'static str,
    /// How White wins, in words.
    ending: &'static str,
}

const LANGUAGES: [Language; 7] = [
    Language {
        code: "en",
        white: "White",
        black: "Black",
        date: "Date",

        result: "Result",
        ending: "Black resigns",
    },
    Language {
        code: "de",
        white: "Weiß",
        black: "Schwarz",
        date: "Datum",

        result: "Ergebnis",
        ending: "Schwarz gibt auf",
    },
    Language {
        code: "fr",
        white: "Blancs",
        black: "Noirs",
        date: "Date",

        result: "Résultat",
        ending: "Les Noirs abandonnent",
    },
    Language {
        code: "nl",
        white: "Wit",
        black: "Zwart",
        date: "Datum",

        result: "Uitslag",
        ending: "Zwart geeft op",
    },
    Language {
        code: "cs",
        white: "Bílý",
        black: "Černý",
        date: "Datum",

        result: "Výsledek",
        ending: "Černý vzdal",
    },
    Language {
        code: "es",
        white: "Blancas",
        black: "Negras",
        date: "Fecha",

        result: "Resultado",
        ending: "Las negras abandonan",
    },
    Language {
        code: "it",
        white: "Bianco",
        black: "Nero",
        date: "Data",

        result: "Risultato",
        ending: "Il Nero abbandona",
    },
];

const WHITE: &str = "Anna Berger";
const BLACK: &str = "Bert Oyelaran";
const DATE: &str = "2019.03.14";

/// A game as somebody writes it down.
struct Sheet<'s> {
    moves: &'s [String],
    words: &'s Language,
    notation: Notation,
}

/// What a layout has besides the moves.
#[derive(Clone, Copy, PartialEq)]
enum Has {
    Moves,
    Result,
    /// The result and the players.
    Names,
    All,
}

/// The kind of a text.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Of(Container),
    /// A page in HTML, whose text may be of any kind.
    Html,
}

const PGN: Kind = Kind::Of(Container::Pgn);
const MOVETEXT: Kind = Kind::Of(Container::Movetext);
const CSV: Kind = Kind::Of(Container::Csv);
const NDJSON: Kind = Kind::Of(Container::Ndjson);
const JSON: Kind = Kind::Of(Container::Json);

/// A layout: its name, the kind of the text, what it has, and the text of a game. `None` if the notation cannot be
/// written in it.
type Layout = (&'static str, Kind, Has, fn(&Sheet<'_>) -> Option<String>);

impl Sheet<'_> {
    /// The moves of each row: the number, White's and Black's.
    fn rows(&self) -> impl DoubleEndedIterator<Item = (usize, &str, &str)> {
        self.moves.chunks(2).enumerate().map(|(n, row)| {
            let black = row.get(1).map_or("", String::as_str);
            (n + 1, row[0].as_str(), black)
        })
    }

    /// The rows in lines.
    fn lines(&self, line: impl Fn(usize, &str, &str) -> String) -> String {
        self.rows()
            .map(|(n, white, black)| line(n, white, black).trim_end().to_owned() + "\n")
            .collect()
    }

    /// `blocks` columns of rows side by side.
    fn side_by_side(&self, blocks: usize, between: &str) -> String {
        let rows: Vec<_> = self
            .rows()
            .map(|(n, white, black)| format!("{n:>2} {white:<14} {black:<14}"))
            .collect();
        side_by_side(&rows, blocks, between)
    }

    fn of_side(&self, side: usize) -> Vec<&str> {
        self.moves
            .iter()
            .skip(side)
            .step_by(2)
            .map(String::as_str)
            .collect()
    }

    /// Whether tokens are free of blanks and commas.
    fn has_plain_tokens(&self) -> Option<()> {
        (self.notation != Notation::Manual).then_some(())
    }

    /// Players and date on three lines.
    fn head(&self) -> String {
        let Language {
            white, black, date, ..
        } = self.words;
        format!("{white}: {WHITE}\n{black}: {BLACK}\n{date}: 14.03.2019\n\n")
    }

    /// Players and date on one line.
    fn line_head(&self) -> String {
        let Language {
            white, black, date, ..
        } = self.words;
        format!("{white}: {WHITE}   {black}: {BLACK}   {date}: 2019-03-14\n")
    }

    /// Players and date in the cells of a table.
    fn table_head(&self) -> String {
        let Language {
            white, black, date, ..
        } = self.words;
        let rows = [(white, WHITE), (black, BLACK), (date, "14.03.2019")];
        rows.map(|(key, value)| format!("<tr><td>{key}</td><td>{value}</td></tr>\n"))
            .concat()
    }

    /// A title with a dash, and the date.
    fn title(&self) -> String {
        format!("{WHITE} - {BLACK}\n{}: 14.3.2019\n", self.words.date)
    }
}

fn side_by_side(rows: &[String], blocks: usize, between: &str) -> String {
    let height = rows.len().div_ceil(blocks);
    let line = |row: usize| {
        let cells = (0..blocks).filter_map(|block| rows.get(block * height + row));
        cells.map(String::as_str).collect::<Vec<_>>().join(between) + "\n"
    };
    (0..height).map(line).collect()
}

use Has::{All, Moves, Names, Result as Ends};

const LAYOUTS: &[Layout] = &[
    ("numbered rows", MOVETEXT, All, |s| {
        Some(s.head() + &s.lines(|n, w, b| format!("{n}. {w} {b}")) + "1-0\n")
    }),
    ("rows with tabs", MOVETEXT, All, |s| {
        Some(s.line_head() + &s.lines(|n, w, b| format!("{n}\t{w}\t{b}")) + "1:0\n")
    }),
    ("wide rows", MOVETEXT, All, |s| {
        Some(s.title() + &s.lines(|n, w, b| format!("{n:>3}.   {w:<18}{b}")) + "\n1-0\n")
    }),
    ("parentheses", MOVETEXT, All, |s| {
        Some(s.head() + &s.lines(|n, w, b| format!("{n}) {w} {b}")) + "1-0\n")
    }),
    ("number and dash", MOVETEXT, All, |s| {
        s.has_plain_tokens()?;
        Some(s.head() + &s.lines(|n, w, b| format!("{n}- {w} {b}")) + "1-0\n")
    }),
    ("number, blank, dash", MOVETEXT, All, |s| {
        s.has_plain_tokens()?;
        Some(s.head() + &s.lines(|n, w, b| format!("{n} - {w} {b}")) + "1-0\n")
    }),
    ("one line", MOVETEXT, All, |s| {
        let moves: Vec<_> = s.rows().map(|(n, w, b)| format!("{n}. {w} {b}")).collect();
        Some(s.line_head() + moves.join(" ").trim_end() + " 1-0\n")
    }),
    ("glued numbers", MOVETEXT, All, |s| {
        let moves: Vec<_> = s.rows().map(|(n, w, b)| format!("{n}.{w} {b}")).collect();
        Some(s.title() + moves.join(" ").trim_end() + " 1-0\n")
    }),
    ("wrapped", MOVETEXT, All, |s| {
        let moves: Vec<_> = s.rows().map(|(n, w, b)| format!("{n}. {w} {b}")).collect();
        let lines: Vec<_> = moves.chunks(4).map(|line| line.join(" ")).collect();
        Some(s.head() + lines.join("\n").trim_end() + " 1-0\n")
    }),
    ("without numbers", MOVETEXT, All, |s| {
        s.has_plain_tokens()?;
        Some(s.head() + &s.lines(|_, w, b| format!("{w} {b}")) + "1-0\n")
    }),
    ("a line without numbers", MOVETEXT, All, |s| {
        s.has_plain_tokens()?;
        Some(s.head() + &s.moves.join(" ") + " 1-0\n")
    }),
    ("a ply on each line", MOVETEXT, All, |s| {
        Some(s.head() + &s.moves.join("\n") + "\n1-0\n")
    }),
    ("Black's numbers", MOVETEXT, All, |s| {
        Some(
            s.head()
                + &s.lines(|n, w, b| {
                    if b.is_empty() {
                        format!("{n}. {w}")
                    } else {
                        format!("{n}. {w}\n{n}... {b}")
                    }
                })
                + "1-0\n",
        )
    }),
    ("empty lines", MOVETEXT, All, |s| {
        Some(s.head() + &s.lines(|n, w, b| format!("{n}. {w} {b}\n")) + "1-0\n")
    }),
    ("an ending in words", MOVETEXT, All, |s| {
        Some(s.head() + &s.lines(|n, w, b| format!("{n}. {w} {b}")) + s.words.ending + "\n")
    }),
    ("a result with a key", MOVETEXT, All, |s| {
        Some(s.head() + s.words.result + ": 1-0\n" + &s.lines(|n, w, b| format!("{n}. {w} {b}")))
    }),
    ("a result in the title", MOVETEXT, All, |s| {
        Some(
            format!("{WHITE} - {BLACK} 1-0\n{}: 14.3.2019\n", s.words.date)
                + &s.lines(|n, w, b| format!("{n}. {w} {b}")),
        )
    }),
    ("a result in brackets", MOVETEXT, All, |s| {
        Some(s.head() + &s.lines(|n, w, b| format!("{n}. {w} {b}")) + "(1-0)\n")
    }),
    ("headings of columns", MOVETEXT, All, |s| {
        let Language { white, black, .. } = s.words;
        Some(
            s.head()
                + &format!("Nr. {white} {black}\n")
                + &s.lines(|n, w, b| format!("{n}. {w} {b}"))
                + "1-0\n",
        )
    }),
    ("ruled lines", MOVETEXT, All, |s| {
        Some(
            s.head()
                + "--------------------\n"
                + &s.lines(|n, w, b| format!("{n}. {w} {b}\n--------------------"))
                + "1-0\n",
        )
    }),
    ("strokes", MOVETEXT, All, |s| {
        Some(s.head() + &s.lines(|n, w, b| format!("{n} | {w} | {b}")) + "1-0\n")
    }),
    ("slashes", MOVETEXT, All, |s| {
        Some(
            s.head()
                + &s.lines(|n, w, b| {
                    if b.is_empty() {
                        format!("{n}. {w}")
                    } else {
                        format!("{n}. {w} / {b}")
                    }
                })
                + "1-0\n",
        )
    }),
    ("semicolons", MOVETEXT, All, |s| {
        Some(s.head() + &s.lines(|n, w, b| format!("{n}. {w} {b};")) + "1-0\n")
    }),
    ("commas", MOVETEXT, All, |s| {
        s.has_plain_tokens()?;
        Some(
            s.head()
                + &s.lines(|n, w, b| {
                    if b.is_empty() {
                        format!("{n}. {w}")
                    } else {
                        format!("{n}. {w}, {b}")
                    }
                })
                + "1-0\n",
        )
    }),
    ("W: and B:", MOVETEXT, All, |s| {
        s.has_plain_tokens()?;
        Some(
            s.head()
                + &s.lines(|n, w, b| {
                    if b.is_empty() {
                        format!("{n}. W: {w}")
                    } else {
                        format!("{n}. W: {w} B: {b}")
                    }
                })
                + "1-0\n",
        )
    }),
    ("a Markdown table", MOVETEXT, All, |s| {
        let Language { white, black, .. } = s.words;
        Some(
            s.head()
                + &format!("| # | {white} | {black} |\n|---|---|---|\n")
                + &s.lines(|n, w, b| format!("| {n} | {w} | {b} |"))
                + "\n1-0\n",
        )
    }),
    ("a table of characters", MOVETEXT, All, |s| {
        let rule = "+----+----------------+----------------+\n";
        Some(
            s.head()
                + rule
                + &s.lines(|n, w, b| format!("| {n:>2} | {w:<14} | {b:<14} |"))
                + rule
                + "1-0\n",
        )
    }),
    ("quoted lines", MOVETEXT, All, |s| {
        let text = s.head() + &s.lines(|n, w, b| format!("{n}. {w} {b}")) + "1-0\n";
        Some(text.lines().map(|line| format!("> {line}\n")).collect())
    }),
    ("a fence", MOVETEXT, All, |s| {
        Some(s.head() + "```\n" + &s.lines(|n, w, b| format!("{n}. {w} {b}")) + "1-0\n```\n")
    }),
    ("two columns", MOVETEXT, All, |s| {
        s.has_plain_tokens()?;
        Some(s.head() + &s.side_by_side(2, " | ") + "1-0\n")
    }),
    ("three columns", MOVETEXT, All, |s| {
        s.has_plain_tokens()?;
        Some(s.title() + "\n" + &s.side_by_side(3, "   ") + "1-0\n")
    }),
    ("a table of two columns", MOVETEXT, All, |s| {
        let rows: Vec<_> = s
            .rows()
            .map(|(n, w, b)| format!("{n}. | {w} | {b}"))
            .collect();
        let table = side_by_side(&rows, 2, " | ");
        Some(
            s.head()
                + &table
                    .lines()
                    .map(|line| format!("| {line} |\n"))
                    .collect::<String>()
                + "1-0\n",
        )
    }),
    ("White above Black", MOVETEXT, All, |s| {
        s.has_plain_tokens()?;
        let Language { white, black, .. } = s.words;
        Some(
            s.head()
                + &format!(
                    "{white}: {}\n{black}: {}\n1-0\n",
                    s.of_side(0).join(" "),
                    s.of_side(1).join(" ")
                ),
        )
    }),
    ("numbers above rows", MOVETEXT, All, |s| {
        s.has_plain_tokens()?;
        let numbers: Vec<_> = s.rows().map(|(n, ..)| n.to_string()).collect();
        Some(
            s.head()
                + &[
                    numbers.join(" "),
                    s.of_side(0).join(" "),
                    s.of_side(1).join(" "),
                ]
                .join("\n")
                + "\n1-0\n",
        )
    }),
    ("labels with names", MOVETEXT, Names, |s| {
        s.has_plain_tokens()?;
        let Language { white, black, .. } = s.words;
        Some(format!(
            "{white} ({WHITE}): {}\n{black} ({BLACK}): {}\n1-0\n",
            s.of_side(0).join(" "),
            s.of_side(1).join(" ")
        ))
    }),
    ("names above rows", MOVETEXT, Names, |s| {
        s.has_plain_tokens()?;
        let Language { white, black, .. } = s.words;
        Some(format!(
            "{white}: {WHITE}\n{}\n\n{black}: {BLACK}\n{}\n\n1-0\n",
            s.of_side(0).join(", "),
            s.of_side(1).join(", ")
        ))
    }),
    ("rows with numbers", MOVETEXT, All, |s| {
        s.has_plain_tokens()?;
        let numbered = |side: usize| {
            let moves = s.of_side(side).into_iter().enumerate();
            let moves: Vec<_> = moves.map(|(n, mv)| format!("{}. {mv}", n + 1)).collect();
            moves.join(" ")
        };
        Some(s.title() + "\n" + &numbered(0) + "\n" + &numbered(1) + "\n1-0\n")
    }),
    ("players below", MOVETEXT, Names, |s| {
        Some(s.lines(|n, w, b| format!("{n}. {w} {b}")) + &format!("{WHITE} - {BLACK}, 1-0\n"))
    }),
    ("signatures", MOVETEXT, All, |s| {
        let Language {
            white, black, date, ..
        } = s.words;
        let lines = s.lines(|n, w, b| format!("{n}. {w} {b}"));
        Some(lines + &format!("1-0\n\n{white}: {WHITE}\n{black}: {BLACK}\n{date}: 14.03.2019\n"))
    }),
    ("numbers of pages", MOVETEXT, All, |s| {
        let line = |n: usize, w: &str, b: &str| match n {
            4 => format!("{n}. {w} {b}\n- 2 -"),
            8 => format!("{n}. {w} {b}\n\n3/4\n"),
            12 => format!("{n}. {w} {b}\n\n3\n"),
            _ => format!("{n}. {w} {b}"),
        };
        Some(s.head() + &s.lines(line) + "1-0\n")
    }),
    ("a tag below the heading", PGN, All, |s| {
        let rules = match s.notation {
            Notation::Meder => "meder",
            Notation::Manual => "manual",
            Notation::Millennium => "millennium",
            _ => "chess3",
        };
        let lines = s.lines(|n, w, b| format!("{n}. {w} {b}"));
        Some(s.title() + &format!("[Variant \"{rules}\"]\n\n") + &lines + "1-0\n")
    }),
    ("dot leaders", MOVETEXT, All, |s| {
        Some(s.head() + &s.lines(|n, w, b| format!("{n}. {w} ...... {b}")) + "1-0\n")
    }),
    ("a table of a wiki", MOVETEXT, All, |s| {
        let Language { white, black, .. } = s.words;
        Some(
            s.head()
                + &format!("|| Nr. || {white} || {black} ||\n")
                + &s.lines(|n, w, b| format!("|| {n} || {w} || {b} ||"))
                + "\n1-0\n",
        )
    }),
    ("a table in HTML", Kind::Html, All, |s| {
        let Language { white, black, .. } = s.words;
        let rows = s.lines(|n, w, b| format!("<tr><td>{n}.</td><td>{w}</td><td>{b}</td></tr>"));
        Some(format!(
            "<!DOCTYPE html>\n<html><head><title>Club - Games</title></head><body>\n<table>\n{}</table>\n<table border=\"1\">\n\
             <thead><tr><th>Nr.</th><th>{white}</th><th>{black}</th></tr></thead>\n{rows}</table>\n<p>1-0</p></body></html>\n",
            s.table_head()
        ))
    }),
    ("cells in HTML without ends", Kind::Html, Names, |s| {
        let rows = s.lines(|n, w, b| format!("<tr><td>{n}<td>{w}<td>{b}"));
        Some(format!(
            "<h2>{WHITE} &ndash; {BLACK} 1-0</h2><table>{}</table>",
            rows.replace('\n', "")
        ))
    }),
    ("a line for each cell in HTML", Kind::Html, All, |s| {
        let Language {
            white, black, date, ..
        } = s.words;
        let rows = s.lines(|n, w, b| {
            format!("<tr>\n<td>{n}</td>\n<td class=\"w\"><b>{w}</b></td>\n<td>{b}</td>\n</tr>")
        });
        Some(format!(
            "<p>{white}: {WHITE}<br>{black}: {BLACK}<br>\n{date}: 14.03.2019</p>\n<table>\n{rows}</table>\n<p>{}</p>\n",
            s.words.ending
        ))
    }),
    ("two columns in HTML", Kind::Html, All, |s| {
        let rows: Vec<_> = s
            .rows()
            .map(|(n, w, b)| format!("<td>{n}</td><td>{w}</td><td>{b}</td>"))
            .collect();
        let table = side_by_side(&rows, 2, "");
        let rows: String = table
            .lines()
            .map(|row| format!("<tr>{row}</tr>\n"))
            .collect();
        Some(format!(
            "<html><body><pre>{}</pre><table>{rows}</table>1-0</body></html>",
            s.head()
        ))
    }),
    ("paragraphs in HTML", Kind::Html, All, |s| {
        let head = s.head().replace('\n', "<br>\n");
        let lines = s.lines(|n, w, b| format!("<p>{n}.&nbsp;{w} {b}</p>"));
        Some(format!(
            "<html><body>{head}{lines}<p>1&#45;0</p></body></html>"
        ))
    }),
    ("two pages", MOVETEXT, All, |s| {
        let lines = s.lines(|n, w, b| format!("{n}. {w} {b}"));
        let half = lines.lines().count() / 2;
        let page = |lines: Vec<&str>| s.head() + &lines.join("\n");
        Some(
            [
                page(lines.lines().take(half).collect()),
                page(lines.lines().skip(half).collect()),
            ]
            .join("\n\n")
                + "\n1-0\n",
        )
    }),
    ("two pages of two columns", MOVETEXT, All, |s| {
        s.has_plain_tokens()?;
        let rows: Vec<_> = s
            .rows()
            .map(|(n, w, b)| format!("{n:>2} {w:<14} {b:<14}"))
            .collect();
        let (first, second) = rows.split_at(rows.len() / 4 * 2);
        let page = |rows: &[String]| s.title() + &side_by_side(rows, 2, " | ");
        Some([page(first), page(second)].join("\n") + "1-0\n")
    }),
    ("line ends of Windows", MOVETEXT, All, |s| {
        Some(
            (s.head() + &s.lines(|n, w, b| format!("{n}. {w} {b}")) + "1-0\n")
                .replace('\n', "\r\n"),
        )
    }),
    ("times after moves", MOVETEXT, All, |s| {
        s.has_plain_tokens()?;
        Some(
            s.head()
                + &s.lines(|n, w, b| {
                    if b.is_empty() {
                        format!("{n}. {w} (0:0{})", n % 10)
                    } else {
                        format!("{n}. {w} (0:0{}) {b} (0:0{})", n % 10, n % 10)
                    }
                })
                + "1-0\n",
        )
    }),
    ("tags", PGN, All, |s| {
        let tags = format!(
            "[White \"{WHITE}\"]\n[Black \"{BLACK}\"]\n[Date \"{DATE}\"]\n[Result \"1-0\"]\n\n"
        );
        let moves: Vec<_> = s.rows().map(|(n, w, b)| format!("{n}. {w} {b}")).collect();
        Some(tags + moves.join(" ").trim_end() + " 1-0\n")
    }),
    ("CSV with a header", CSV, All, |s| {
        let Language {
            white,
            black,
            result,
            ..
        } = s.words;
        let head = format!("Nr;{white};{black};WhitePlayer;BlackPlayer;Date;{result}\n");
        Some(
            head + &s.lines(|n, w, b| match n {
                1 => format!("{n};{w};{b};{WHITE};{BLACK};{DATE};1-0"),
                _ => format!("{n};{w};{b};;;;"),
            }),
        )
    }),
    ("CSV without a header", CSV, Ends, |s| {
        Some(s.lines(|n, w, b| format!("{n}\t{w}\t{b}")) + "\t1-0\t\n")
    }),
    ("CSV without numbers", CSV, Moves, |s| {
        Some(s.lines(|_, w, b| format!("{w};{b}")))
    }),
    ("CSV with its separator", CSV, Moves, |s| {
        let Language { white, black, .. } = s.words;
        Some(format!("sep=;\nNr;{white};{black}\n") + &s.lines(|n, w, b| format!("{n};{w};{b}")))
    }),
    ("CSV of half-moves", CSV, Moves, |s| {
        let rows = s
            .moves
            .iter()
            .enumerate()
            .map(|(n, mv)| format!("{};\"{mv}\"\n", n + 1));
        Some("ply;move\n".to_owned() + &rows.collect::<String>())
    }),
    ("CSV of games", CSV, All, |s| {
        Some(format!(
            "White,Black,Date,Result,Moves\n{WHITE},{BLACK},{DATE},1-0,\"{}\"\n",
            s.lines(|n, w, b| format!("{n}. {w} {b}"))
                .replace('\n', " ")
        ))
    }),
    ("CSV with White above Black", CSV, Moves, |s| {
        let Language { white, black, .. } = s.words;
        Some(format!(
            "{white};{}\n{black};{}\n",
            s.of_side(0).join(";"),
            s.of_side(1).join(";")
        ))
    }),
    ("CSV of two pages", CSV, Moves, |s| {
        let Language { white, black, .. } = s.words;
        let head = format!("Nr;{white};{black}\n");
        let page = |from: usize, to: usize| -> String {
            s.rows()
                .skip(from)
                .take(to)
                .map(|(n, w, b)| format!("{n};{w};{b}\n"))
                .collect()
        };
        Some(format!("{head}{}{head}{}", page(0, 5), page(5, 100)))
    }),
    ("NDJSON", NDJSON, All, |s| {
        let tags = serde_json::json!({"White": WHITE, "Black": BLACK, "Date": DATE});
        Some(
            serde_json::json!({"tags": tags, "moves": s.moves, "result": "1-0"}).to_string() + "\n",
        )
    }),
    ("JSON with moves as a text", JSON, All, |s| {
        let moves = s.lines(|n, w, b| format!("{n}. {w} {b}"));
        let game = serde_json::json!({"tags": {"White": WHITE, "Black": BLACK, "Date": DATE}, "moves": moves, "result": "1-0"});
        Some(serde_json::to_string_pretty(&[game]).unwrap())
    }),
];

#[derive(Default)]
struct Games(Vec<(Replay, Vec<(String, String)>)>);

impl Sink for Games {
    fn game(&mut self, played: &Played<'_>) {
        self.0.push((played.to_replay(), played.tags()));
    }
}

fn games(kind: Kind, text: &str) -> Games {
    let mut games = Games::default();
    let mut take = |batch: &Batch| drop(read(batch, &Options::default(), &mut games));
    match kind {
        Kind::Of(container) => {
            let batches = Splitter::new(text.as_bytes(), container, Limits::default());
            batches.for_each(|batch| take(&batch.unwrap()));
        }
        Kind::Html => {
            let source = Source::new(OsStr::new("sheet.html"));
            let page = Box::new(Cursor::new(text.to_owned()));
            let input = source.open_reader(page, &OpenOptions::default()).unwrap();
            input.for_each(|batch| take(&batch.unwrap()));
        }
    }
    games
}

/// What is not read of a text, if anything. `truth` is the same game in PGN.
fn lost(kind: Kind, has: Has, text: &str, truth: &Replay) -> Option<String> {
    let Games(found) = games(kind, text);
    let [(replay, tags)] = found.as_slice() else {
        return Some(format!("{} games", found.len()));
    };
    let findings: Vec<_> = replay
        .findings()
        .iter()
        .map(|found| found.message.as_str())
        .collect();
    if replay.rules() != truth.rules() {
        return Some(format!("the rules are {}", replay.rules().name()));
    } else if replay.moves() != truth.moves() || !replay.is_whole() {
        return Some(format!(
            "{} of {} moves: {findings:?}",
            replay.moves().len(),
            truth.moves().len()
        ));
    } else if has != Moves && replay.result() != GameResult::White {
        return Some(format!("the result is {}: {findings:?}", replay.result()));
    }
    let expected = [("White", WHITE), ("Black", BLACK), ("Date", DATE)];
    let tag = |name: &str| {
        tags.iter()
            .find(|(tag, _)| tag == name)
            .map(|(_, value)| value.as_str())
    };
    let stated = match has {
        Moves | Ends => 0,
        Names => 2,
        All => 3,
    };
    let mut expected = expected.iter().take(stated);
    expected
        .find(|(name, value)| tag(name) != Some(*value))
        .map(|(name, _)| format!("{name} is {:?}", tag(name)))
}

#[test]
fn every_layout_is_read_in_every_notation_and_language() {
    let systems = [
        RuleSystem::Meder,
        RuleSystem::Manual,
        RuleSystem::Millennium,
        RuleSystem::Chess3,
    ];
    let mut faults = Vec::new();
    let mut count = 0;
    for rules in systems {
        for words in &LANGUAGES {
            let locale = Locale::from_code(words.code).unwrap();
            let recipe = Recipe {
                plies: 30,
                locale,
                ..Recipe::new(rules, 11)
            };
            let game = recipe.game(1);
            let mut text = Vec::new();
            write::pgn(&game, &mut text).unwrap();
            let Games(truth) = games(PGN, &String::from_utf8(text).unwrap());
            let truth = &truth[0].0;
            assert!(truth.is_whole() && truth.moves().len() > 20 && truth.outcome().is_none());
            let moves: Vec<_> = game
                .main_line()
                .map(|(text, _)| text.into_owned())
                .collect();
            let sheet = Sheet {
                moves: &moves,
                words,
                notation: recipe.notation,
            };
            for (name, kind, has, layout) in LAYOUTS {
                let Some(text) = layout(&sheet) else { continue };
                count += 1;
                if let Some(fault) = lost(*kind, *has, &text, truth) {
                    faults.push(format!(
                        "{name}, {}, {}: {fault}",
                        recipe.notation, words.code
                    ));
                }
            }
        }
    }
    none_of(&faults);
    assert!(LAYOUTS.len() >= 60 && count > 1_000, "{count}");
}

/// The comparison notices each kind of loss.
#[test]
fn a_loss_is_noticed() {
    let sheet = format!("White: {WHITE}\nBlack: {BLACK}\nDate: {DATE}\n\n1. b4N b5B\n1-0\n");
    let truth = &games(MOVETEXT, &sheet).0[0].0;
    assert_eq!(lost(MOVETEXT, All, &sheet, truth), None);
    for (from, to) in [
        ("b5B", "b6B"),
        (BLACK, "Bert"),
        ("03.14", "03.13"),
        ("1-0", "0-1"),
        ("b4N b5B", "b4N b5B 2. Nz9"),
        ("1-0", "1-0\n\nGame 2\n1. b4N"),
    ] {
        let text = sheet.replacen(from, to, 1);
        assert!(lost(MOVETEXT, All, &text, truth).is_some(), "{text}");
    }
}
