//! A record as evidence: which moves its tokens can mean in a position, and at which cost.

use super::costs::{self, Cost};
use crate::reading::PlayerStyles;
use crate::style::Style;
use crate::style::interpret::{alternatives, besides};
use crate::style::token::token_of;
use tridex_archive::game::{Numbering, Numbers};
use tridex_archive::{Game, is_unrecorded};
use tridex_notation::resolve::marks_of;
use tridex_notation::slips::{Slip, SlipFinder};
use tridex_notation::{CheckMark, MovePattern, MoveText};
use tridex_rules::{Departure, Move, PiecePattern, Position, Role, WrittenMove};

/// How a token agrees with a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Agreement {
    /// It means the move.
    Exact,
    /// It means the move, but its marks of a capture, check or mate do not agree.
    Marks,
    /// It means the move in the letters of another language, or in another notation.
    Foreign,
    /// It is one slip away from the move.
    Slip(Slip),
}

/// A move that a token can mean.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    pub(super) mv: Move,
    pub(super) cost: Cost,
    pub(super) agreement: Agreement,
}

/// Readings of a token that are equally likely.
#[derive(Debug)]
struct Group {
    texts: Vec<(MoveText, Style)>,
    cost: Cost,
}

/// A token of the main line.
#[derive(Debug)]
pub(super) struct SheetToken {
    /// The bytes as written, one line of UTF-8.
    pub(super) text: Vec<u8>,
    /// Its offset in the source.
    pub(super) at: u64,
    /// Where the sheet's move numbers put it, in half moves; `None` if they do not show it.
    pub(super) half: Option<i64>,
    /// Whether it is in the place of a move that was not recorded.
    pub(super) is_unrecorded: bool,
    /// Its readings in the style of each player, the likeliest group first.
    readings: [Vec<Group>; 2],
}

/// A record, prepared to be compared with positions.
#[derive(Debug)]
pub(super) struct Sheet {
    pub(super) tokens: Vec<SheetToken>,
    hands: PlayerStyles,
    finders: [SlipFinder; 2],
    marks_checks: bool,
    marks_captures: bool,
    /// Whether pieces other than pawns often have a square of departure, so that one means nothing.
    writes_departures: bool,
}

impl Sheet {
    /// Prepares a game that is written in these styles. If the language is declared (`bound`), no other is tried.
    /// `also` has other styles that explain the sheet equally well: their readings are as likely as those of `hands`.
    pub(super) fn new(
        game: &Game<'_>,
        hands: PlayerStyles,
        also: &[PlayerStyles],
        bound: bool,
    ) -> Self {
        let events: Vec<_> = game.main_events().collect();
        let halves = halves(&game.numbers, events.len());
        let tokens: Vec<SheetToken> = events
            .into_iter()
            .zip(halves)
            .map(|((_, event), half)| {
                let text = token_of(game, event).into_owned();
                let groups = |turn: usize| {
                    let also = also.iter().filter_map(|hands| hands.get(turn).copied());
                    groups(&text, hands[turn], also, bound)
                };
                SheetToken {
                    readings: [groups(0), groups(1)],
                    at: game.place(event),
                    half,
                    is_unrecorded: is_unrecorded(&text),
                    text,
                }
            })
            .collect();
        let has = |signs: &[u8]| {
            let mut texts = tokens.iter().map(|token| &token.text);
            texts.any(|text| text.iter().any(|sign| signs.contains(sign)))
        };
        let pieces = tokens.iter().filter_map(|token| {
            let (text, _) = token.readings[0].first()?.texts.first()?;
            departure(text).map(|from| from != Departure::default())
        });
        let (mut written, mut all) = (0, 0);
        for has_departure in pieces {
            all += 1;
            written += usize::from(has_departure);
        }
        Self {
            writes_departures: written * 4 > all,
            marks_checks: has(b"+#"),
            marks_captures: has(b"x:"),
            finders: hands.map(|hand| SlipFinder::new(hand.notation, hand.locale)),
            hands,
            tokens,
        }
    }

    /// The legal moves that a token means.
    pub(super) fn exact(&self, position: &Position, token: usize) -> Vec<Fit> {
        let mut fits: Vec<Fit> = Vec::new();
        let turn = position.turn() as usize;
        let Some(groups) = self.tokens.get(token).map(|token| &token.readings[turn]) else {
            return fits;
        };
        for group in groups {
            for (text, style) in &group.texts {
                let moves = style.candidates(text, position);
                let unusual = self.unusual(position, text, *style, moves.len());
                for mv in moves {
                    if !fits.iter().any(|fit| fit.mv == mv) {
                        let mut fit = self.fit(position, mv, text, *style, group.cost);
                        fit.cost += unusual;
                        fits.push(fit);
                    }
                }
            }
            if !fits.is_empty() {
                break;
            }
        }
        fits
    }

    /// The cost of a token that names less, or more, of the square of departure than the position requires.
    fn unusual(&self, position: &Position, text: &MoveText, style: Style, moves: usize) -> Cost {
        if moves > 1 {
            return costs::SEVERAL;
        }
        if self.writes_departures || departure(text).is_none_or(|from| from == Departure::default())
        {
            return 0;
        }
        let MovePattern::Piece(piece) = *text.pattern() else {
            return 0;
        };
        let short = MovePattern::Piece(PiecePattern {
            from: Departure::default(),
            ..piece
        });
        let short = MoveText {
            written: WrittenMove::new(short, text.captures()),
            ..*text
        };
        match style.candidates(&short, position).len() {
            1 => costs::NEEDLESS_DEPARTURE,
            _ => 0,
        }
    }

    /// A legal move that a text means.
    fn fit(&self, position: &Position, mv: Move, text: &MoveText, style: Style, cost: Cost) -> Fit {
        let mut after = position.clone();
        let played = after.play_unchecked(mv);
        let mismatches = style.reported(marks_of(text, mv, played.captures, &after));
        let mut marks = costs::of_marks(mismatches, self.marks_captures);
        if self.marks_checks && text.mark == CheckMark::None && played.check {
            marks += costs::UNMARKED_CHECK;
        }
        Fit {
            mv,
            cost: cost + marks,
            agreement: match (cost, marks) {
                (0, 0) => Agreement::Exact,
                (0, _) => Agreement::Marks,
                _ => Agreement::Foreign,
            },
        }
    }

    /// The legal moves that are one slip away from a token.
    pub(super) fn near(&mut self, position: &Position, token: usize) -> Vec<Fit> {
        let turn = position.turn() as usize;
        let Some(token) = self.tokens.get(token) else {
            return Vec::new();
        };
        if token.is_unrecorded || !self.hands[turn].is_ours() {
            return Vec::new();
        }
        let text = token.readings[turn].first();
        let text = text.and_then(|group| group.texts.first());
        let text = text.map(|(text, _)| text);
        let mark = [b'+', b'#'].iter().any(|sign| token.text.contains(sign));
        let found = self.finders[turn].find(position, &token.text, text);
        let role = text.and_then(|text| match text.pattern() {
            MovePattern::Piece(piece) => piece.role,
            _ => None,
        });
        let fits = found.into_iter().map(|near| {
            // The wrong letter of a piece is a likelier slip than any other wrong character.
            let moved = match near.mv {
                Move::Piece { from, .. } => position.piece_at(from),
                _ => None,
            };
            let slip = match (near.slip, role, moved) {
                (Slip::Character, Some(role), Some(moved))
                    if role != Role::Pawn && moved.role != Role::Pawn && role != moved.role =>
                {
                    Slip::Piece
                }
                (slip, ..) => slip,
            };
            let mut after = position.clone();
            let check = after.play_unchecked(near.mv).check;
            let mark = match (mark, check) {
                (true, false) => 450,
                (false, true) if self.marks_checks => costs::UNMARKED_CHECK,
                _ => 0,
            };
            Fit {
                mv: near.mv,
                cost: costs::of_slip(slip) + mark,
                agreement: Agreement::Slip(slip),
            }
        });
        fits.collect()
    }
}

/// What a token names of the square of departure of a piece other than a pawn. `None` for other moves.
fn departure(text: &MoveText) -> Option<Departure> {
    match text.pattern() {
        MovePattern::Piece(piece) if piece.role.is_some_and(|role| role != Role::Pawn) => {
            Some(piece.from)
        }
        _ => None,
    }
}

/// The groups of readings of a token in a style, the likeliest first. Readings in the styles `also` are in the first
/// group.
fn groups(
    token: &[u8],
    style: Style,
    also: impl Iterator<Item = Style>,
    bound: bool,
) -> Vec<Group> {
    let mut groups = Vec::new();
    if is_unrecorded(token) {
        return groups;
    }
    if let Ok(text) = style.parse(token) {
        let mut texts = vec![(text, style)];
        texts.extend(besides(token, &text, style, bound));
        for style in also {
            let other = style.parse(token).map(|text| (text, style));
            texts.extend(other.ok());
        }
        groups.push(Group { texts, cost: 0 });
    }
    let costs = [costs::FOREIGN, costs::OTHER_NOTATION];
    let others = alternatives(token, style, bound).into_iter().zip(costs);
    let others = others.filter(|(texts, _)| !texts.is_empty());
    groups.extend(others.map(|(texts, cost)| Group { texts, cost }));
    groups
}

/// Where the move numbers put each token, in half moves.
fn halves(numbers: &Numbers, tokens: usize) -> Vec<Option<i64>> {
    if numbers.numbering() == Numbering::Absent {
        return vec![None; tokens];
    }
    let mut halves: Vec<Option<i64>> = (2..).map(Some).take(tokens).collect();
    let last = numbers.wrong.len();
    for (index, wrong) in numbers.wrong.iter().enumerate() {
        // A number that the next one contradicts is itself wrong.
        if !wrong.holds && !wrong.is_first && index + 1 < last {
            continue;
        }
        let (since, from) = (wrong.since.max(0) as usize, wrong.plies.max(0) as usize);
        for (token, half) in halves.iter_mut().enumerate().skip(since + 1) {
            *half = match token < from {
                true => None,
                false => Some(wrong.found + (token - from) as i64),
            };
        }
        if wrong.is_first
            && from == 0
            && let Some(half) = halves.first_mut()
        {
            *half = Some(wrong.found);
        }
    }
    halves
}
