//! `explain`: what a token means, in words.

use crate::failure::{Failure, Trouble};
use crate::io::one_game::set_up;
use crate::io::output;
use crate::options::values::{COUNTS, Format, LOCALE, NOTATION, RULES, agree, format};
use crate::options::writing::OutputFile;
use crate::session::Session;
use clap::Args;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;
use tridex_geometry::stair::{AttackBoard, Column, Pin};
use tridex_geometry::{Family, Square};
use tridex_notation::meaning::{Meaning, Named, castling_way, faults, meanings, near_tokens};
use tridex_notation::{
    Coordinates, Level, Locale, MovePattern, Notation, WriteOptions, messages, resolve,
    write_unmarked,
};
use tridex_picture::{Ink, Marks, PictureOptions, View, svg};
use tridex_rules::{Castling, Move, Position, RuleSystem};
use tridex_text::{enumeration, json, printable};

/// Put into words what a move of a score sheet means, in every notation and language.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tridex explain Rd0KL1                              a rook, or in French a king
  tridex explain b3,WBxc4,NB 0-0 QP1-QP3             several moves
  tridex explain Nb3W --rules meder                  and whether it is legal at the start
  tridex explain Sb3W --from-locale de --svg b3.svg  with a picture of the square")]
pub(crate) struct ExplainArgs {
    /// Moves as written, each in quotation marks if it has blanks
    #[arg(required = true, value_name = "TOKEN")]
    pub(crate) tokens: Vec<String>,
    /// Notation of the moves [default: every notation]
    #[arg(long, alias = "notation", value_parser = NOTATION, value_name = "NOTATION", help_heading = "Input")]
    pub(crate) from: Option<Notation>,
    /// Language of the piece letters [default: every language]
    #[arg(long, aliases = ["locale", "language"], value_parser = LOCALE, value_name = "CODE", help_heading = "Input")]
    pub(crate) from_locale: Option<Locale>,
    /// Rule system: also report whether the moves are legal
    ///
    /// Each move is looked up in the position of `--fen`, or in the start position. They are not played.
    #[arg(long, value_parser = RULES, value_name = "SYSTEM", help_heading = "Position")]
    pub(crate) rules: Option<RuleSystem>,
    /// Position string: also report whether the moves are legal there
    #[arg(
        long,
        visible_alias = "position",
        value_name = "FEN",
        help_heading = "Position"
    )]
    pub(crate) fen: Option<String>,
    /// Output format [default: text]
    #[arg(long, short, value_parser = format(COUNTS), value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: Option<Format>,
    /// Draw the squares of a single move as SVG to this file
    ///
    /// They are marked in the position of `--fen`, or in the start position. An attack board that the move names is put
    /// on its pin.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) svg: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputFile,
}

/// One meaning of a token, as a line of NDJSON.
#[derive(Serialize)]
struct MeaningLine<'a> {
    token: &'a str,
    words: String,
    notation: &'static str,
    program: Option<&'static str>,
    languages: Vec<&'static str>,
    kind: &'static str,
    piece: Option<&'static str>,
    captures: bool,
    en_passant: bool,
    promotion: Option<&'static str>,
    names: Vec<NameLine>,
    missing: Option<String>,
    legal: Option<Vec<String>>,
    reason: Option<String>,
}

/// A name, and what it is.
#[derive(Serialize)]
struct NameLine {
    name: String,
    words: String,
}

/// A token that is no move, as a line of NDJSON.
#[derive(Serialize)]
struct UnreadLine<'a> {
    token: &'a str,
    unread: Vec<Unread>,
    near: Vec<NameLine>,
}

/// Where one notation stopped reading.
#[derive(Serialize)]
struct Unread {
    notation: &'static str,
    /// From 1, in characters.
    column: usize,
    expected: &'static str,
}

pub(crate) fn run(args: &ExplainArgs, session: &Session) -> Result<(), Failure> {
    if args.svg.is_none() {
        args.output.check(session)?;
    }
    let format = args.output.format(args.format, COUNTS)?;
    agree(args.rules, args.from)?;
    let position = match (args.rules, &args.fen) {
        (None, None) => None,
        (rules, fen) => Some(set_up(session, rules, fen.as_deref())?),
    };
    let reader = Reader {
        session,
        notations: match (args.from, &position) {
            (Some(notation), _) => vec![notation],
            (None, Some(position)) => of_family(position.family()),
            (None, None) => Notation::ALL.to_vec(),
        },
        locale: args.from_locale,
        position,
    };
    if let Some(file) = &args.svg {
        let [token] = args.tokens.as_slice() else {
            return Err(Failure::message(
                "--svg draws the squares of one move: name one token",
            ));
        };
        let other = args.output.path();
        if other.map_or(file.as_os_str() == "-", |other| {
            output::place(file) == output::place(other)
        }) {
            return Err(Failure::message(
                "the picture and the words cannot go to one place; give --svg or --output another file",
            ));
        }
        if let Some(picture) = reader.picture(token)? {
            let file = OutputFile {
                file: Some(file.clone()),
                no_clobber: args.output.no_clobber,
            };
            file.write(session, Format::Html, |out| {
                Ok(out.write_all(picture.as_bytes())?)
            })?;
        }
    }
    args.output.write(session, format, |out| {
        for token in &args.tokens {
            match format {
                Format::Text => out.write_all(reader.text(token).as_bytes())?,
                _ => reader.lines(token, out)?,
            }
        }
        Ok(())
    })
}

/// The notations of a board.
fn of_family(family: Family) -> Vec<Notation> {
    let all = Notation::ALL.into_iter();
    all.filter(|notation| notation.family() == family).collect()
}

/// How tokens are read, and where they are looked up.
struct Reader<'s> {
    session: &'s Session,
    notations: Vec<Notation>,
    locale: Option<Locale>,
    position: Option<Position>,
}

/// A name, and words about it.
type Row = (String, String);

/// What a meaning is in a position: the legal moves that fit, or why none does.
enum Found {
    Moves(Vec<Move>),
    None(String),
}

impl Found {
    /// Whether exactly one legal move fits.
    fn is_one(&self) -> bool {
        matches!(self, Self::Moves(moves) if moves.len() == 1)
    }
}

impl Reader<'_> {
    fn meanings(&self, token: &str) -> Vec<Meaning> {
        meanings(token.as_bytes(), &self.notations, self.locale)
    }

    /// The block of text about a token. Meanings that differ only in their source are one.
    fn text(&self, token: &str) -> String {
        let mut out = String::new();
        let shown = printable(token);
        let found = self.meanings(token);
        let mut blocks: Vec<(String, Vec<Row>, Vec<String>)> = Vec::new();
        let mut fits = false;
        for meaning in &found {
            let named = meaning.named().into_iter();
            let mut rows: Vec<Row> = named.map(|named| (named.name, named.words)).collect();
            if let Some(missing) = meaning.missing_square() {
                rows.push(("error".to_owned(), missing));
            } else if let Some((position, found)) = self.looked_up(meaning) {
                fits |= found.is_one();
                rows.push(verdict(meaning, position, &found));
                if let MovePattern::Castle(side) = meaning.text.pattern() {
                    let way = castling_way(position, *side, meaning.notation);
                    rows.extend(way.map(|way| ("castling".to_owned(), way)));
                }
            } else {
                fits = true;
            }
            let words = meaning.words();
            let known = blocks.iter_mut();
            match known
                .into_iter()
                .find(|block| block.0 == words && block.1 == rows)
            {
                Some(block) => block.2.push(meaning.source()),
                None => blocks.push((words, rows, vec![meaning.source()])),
            }
        }
        self.session.note_if(Trouble::InData, !fits);
        for (words, mut rows, sources) in blocks {
            rows.insert(0, ("notation".to_owned(), sources.join("; ")));
            let _ = writeln!(out, "{shown}: {words}");
            push_rows(&rows, &mut out);
        }
        if found.is_empty() {
            let _ = writeln!(out, "{shown}: not a move in any notation that was tried");
            let unread = self.unread(token).into_iter();
            let mut rows: Vec<_> = unread
                .map(
                    |Unread {
                         notation,
                         column,
                         expected,
                     }| {
                        (
                            notation.to_owned(),
                            format!("column {column}: expected {expected}"),
                        )
                    },
                )
                .collect();
            let near = near_tokens(token.as_bytes(), &self.notations, self.locale);
            let near = near.into_iter().map(|near| {
                let words = format!("{} ({})", near.meaning.words(), near.meaning.source());
                (format!("near: {}", printable(&near.token)), words)
            });
            rows.extend(near);
            push_rows(&rows, &mut out);
        }
        out
    }

    /// The lines of NDJSON about a token.
    fn lines(&self, token: &str, out: &mut dyn std::io::Write) -> Result<(), Failure> {
        let found = self.meanings(token);
        if found.is_empty() {
            self.session.note(Trouble::InData);
            let near = near_tokens(token.as_bytes(), &self.notations, self.locale).into_iter();
            let line = UnreadLine {
                token,
                unread: self.unread(token),
                near: near
                    .map(|near| NameLine {
                        words: near.meaning.words(),
                        name: near.token,
                    })
                    .collect(),
            };
            return Ok(json::write_line(out, &line)?);
        }
        let mut fits = false;
        for meaning in found {
            let (kind, piece, promotion) = match meaning.text.pattern() {
                MovePattern::Piece(piece) => ("piece", piece.role, piece.promotion),
                MovePattern::Board(board) => ("board", None, board.promotion.map(|(_, role)| role)),
                MovePattern::Castle(_) => ("castling", None, None),
            };
            let missing = meaning.missing_square();
            let (mut legal, mut reason) = (None, None);
            fits |= missing.is_none() && self.position.is_none();
            if missing.is_none()
                && let Some((position, found)) = self.looked_up(&meaning)
            {
                fits |= found.is_one();
                match found {
                    Found::Moves(moves) => {
                        let notation = meaning.notation;
                        let moves = moves.into_iter();
                        legal = Some(moves.map(|mv| spelled(notation, position, mv)).collect());
                    }
                    Found::None(why) => {
                        (legal, reason) = (Some(Vec::new()), Some(why));
                    }
                }
            }
            let named = meaning.named().into_iter();
            let line = MeaningLine {
                token,
                words: meaning.words(),
                notation: meaning.notation.name(),
                program: meaning.program.map(|program| program.name()),
                languages: meaning.locales.iter().map(|locale| locale.code()).collect(),
                kind,
                piece: piece.map(|role| role.name()),
                captures: meaning.text.captures(),
                en_passant: meaning.text.en_passant,
                promotion: promotion.map(|role| role.name()),
                names: named
                    .map(|Named { name, words }| NameLine { name, words })
                    .collect(),
                missing,
                legal,
                reason,
            };
            json::write_line(out, &line)?;
        }
        self.session.note_if(Trouble::InData, !fits);
        Ok(())
    }

    /// Where each notation stopped reading a token.
    fn unread(&self, token: &str) -> Vec<Unread> {
        let faults = faults(token.as_bytes(), &self.notations, self.locale).into_iter();
        let faults = faults.map(|(notation, fault)| {
            let before = token.as_bytes().get(..fault.offset).unwrap_or_default();
            Unread {
                notation: notation.name(),
                column: String::from_utf8_lossy(before).chars().count() + 1,
                expected: fault.expected,
            }
        });
        faults.collect()
    }

    /// The position, and what a meaning is in it.
    fn looked_up(&self, meaning: &Meaning) -> Option<(&Position, Found)> {
        let position = self.position.as_ref()?;
        let moves = match meaning.program {
            Some(program) => program.candidates(&meaning.text, position),
            None => resolve::candidates(&meaning.text, position),
        };
        let found = match moves.is_empty() {
            true => Found::None(messages::reason(&meaning.text, position, meaning.notation)),
            false => Found::Moves(moves.into_iter().collect()),
        };
        Some((position, found))
    }

    /// The picture of the squares of a token's first meaning; `None` if it is no move.
    fn picture(&self, token: &str) -> Result<Option<String>, Failure> {
        let found = self.meanings(token);
        let possible = |meaning: &&Meaning| meaning.missing_square().is_none();
        let Some(meaning) = found.iter().find(possible) else {
            return Ok(None);
        };
        let rules = match meaning.notation {
            Notation::Meder => RuleSystem::Meder,
            Notation::Manual => RuleSystem::Manual,
            Notation::Millennium => RuleSystem::Millennium,
            Notation::Chess3 => RuleSystem::Chess3,
        };
        let position = match &self.position {
            Some(position) => position.clone(),
            None => with_boards(Position::start(rules), meaning),
        };
        let options = PictureOptions::default()
            .view(View::Flat)
            .labels(Some(meaning.notation))
            .marks(self.marks(meaning, &position))
            .caption(Some(token));
        Ok(Some(svg(&position, &options)))
    }

    /// The marks for a meaning: an arrow for the only legal move, otherwise the squares that the token names.
    fn marks(&self, meaning: &Meaning, position: &Position) -> Marks {
        let mut marks = Marks::default();
        let only = self.looked_up(meaning).and_then(|(_, found)| match found {
            Found::Moves(moves) if moves.len() == 1 => moves.first().copied(),
            _ => None,
        });
        let mut mark = |from: Option<Square>, to: Option<Square>| {
            marks.squares.extend(to.map(|to| (to, Ink::Green)));
            marks.squares.extend(from.map(|from| (from, Ink::Yellow)));
            if let (Some(from), Some(to)) = (from, to) {
                marks.arrows.push((from, to, Ink::Green));
            }
        };
        if let Some(Move::Piece { from, to, .. } | Move::EnPassant { from, to, .. }) = only {
            mark(Some(from), Some(to));
            return marks;
        }
        match meaning.text.pattern() {
            MovePattern::Piece(piece) => {
                let from = piece.from.squares(position.layout()).single();
                let from = from.filter(|_| piece.from.file.is_some());
                let to = piece.to.squares(position.layout());
                match to.single() {
                    Some(to) => mark(from, Some(to)),
                    None => marks
                        .squares
                        .extend(to.into_iter().map(|to| (to, Ink::Green))),
                }
            }
            MovePattern::Board(board) => {
                let layout = position.layout();
                let on = |pin: Pin| layout.and_then(|layout| layout.board_on(pin));
                let own = board
                    .from
                    .and_then(|from| on(from).or_else(|| on(from.other_surface())));
                marks.pins.extend(own.map(|own| (own, board.to)));
            }
            MovePattern::Castle(_) => {}
        }
        marks
    }
}

/// The position with attack boards on the pins that a meaning names, where this is possible.
fn with_boards(position: Position, meaning: &Meaning) -> Position {
    let mut position = position;
    let places: Vec<Coordinates> = match meaning.text.pattern() {
        MovePattern::Piece(piece) => {
            let from = piece.from;
            let from = from.file.zip(from.rank).map(|(file, rank)| Coordinates {
                file,
                rank,
                level: from.level,
            });
            from.into_iter().chain([piece.to]).collect()
        }
        _ => Vec::new(),
    };
    for place in places {
        let Some(layout) = position.layout().copied() else {
            return position;
        };
        let Some(column) = Column::try_new(place.file, place.rank) else {
            continue;
        };
        let wish = match place.level {
            Some(Level::Pin(pin)) if layout.board_on(pin).is_none() => {
                Some((AttackBoard::of(pin.corner().number() <= 3, pin.wing()), pin))
            }
            Some(Level::Attack(board)) if !layout.pin(board).covers(column) => {
                let free = |pin: &Pin| pin.covers(column) && layout.moved(board, *pin).is_ok();
                Pin::all().find(free).map(|pin| (board, pin))
            }
            _ => None,
        };
        let moved = wish.and_then(|(board, pin)| layout.moved(board, pin).ok());
        if let Some(layout) = moved {
            let mut setup = position.to_setup();
            setup.layout = Some(layout);
            setup.castling = Castling::NONE;
            position = Position::from_setup(position.rules(), &setup).unwrap_or(position);
        }
    }
    position
}

/// Whether a meaning is a legal move, as a row.
fn verdict(meaning: &Meaning, position: &Position, found: &Found) -> Row {
    let (name, words) = match found {
        Found::Moves(moves) => match moves.as_slice() {
            [only] => {
                let notations = of_family(position.family()).into_iter();
                let named = notations
                    .map(|notation| format!("{} ({notation})", spelled(notation, position, *only)));
                ("legal", named.collect::<Vec<_>>().join(", "))
            }
            several => {
                let several = several.iter();
                let several = several.map(|mv| spelled(meaning.notation, position, *mv));
                ("ambiguous", enumeration(&several.collect::<Vec<_>>(), "or"))
            }
        },
        Found::None(why) => ("illegal", why.clone()),
    };
    (name.to_owned(), words)
}

/// A legal move as written in a notation.
fn spelled(notation: Notation, position: &Position, mv: Move) -> String {
    let text = write_unmarked(notation, position, mv, &WriteOptions::default());
    text.map(|text| text.as_str().to_owned())
        .unwrap_or_default()
}

/// Adds rows of a name and words, the words aligned.
fn push_rows(rows: &[Row], out: &mut String) {
    let width = rows.iter().map(|(name, _)| name.chars().count()).max();
    let width = width.unwrap_or_default();
    for (name, words) in rows {
        let _ = writeln!(out, "  {name:width$}  {words}");
    }
}
