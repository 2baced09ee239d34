//! How likely each slip is.
//!
//! A cost is a negative logarithm of a probability, in hundredths: an event of cost 100 is as likely as one in 2.72.
//! The probabilities assume that a player makes a slip in about 4 of 100 plies, that the kinds of slips are about
//! equally frequent, and that a token offers a few characters, levels or pieces that may be confused.

use tridex_notation::resolve::{Mismatch, Mismatches};
use tridex_notation::slips::Slip;

/// A cost in hundredths of the natural logarithm.
pub(super) type Cost = u32;

/// A move is omitted.
pub(super) const OMITTED: Cost = 510;

/// The move after an omitted one is omitted, too.
pub(super) const OMITTED_AGAIN: Cost = 300;

/// The sheet has a token for a move that was not recorded, such as `--`.
pub(super) const NOT_RECORDED: Cost = 30;

/// The player has stopped writing. Counted once.
pub(super) const ENDED: Cost = 150;

/// The player has stopped writing before. Counted for each ply.
pub(super) const STILL_ENDED: Cost = 2;

/// A move changes places with the next one, or with the player's next one.
pub(super) const EXCHANGED: Cost = 580;

/// Two moves change places, as the two moves before them did: a column is shifted by a row.
pub(super) const STILL_SHIFTED: Cost = 60;

/// A token does not resemble its move.
pub(super) const UNREADABLE: Cost = 1150;

/// A token that is no move of the game. It costs more than any slip, so that the last token of a record is not dropped
/// while it may be a move.
pub(super) const SUPERFLUOUS: Cost = 950;

/// Moves were omitted, but the move numbers run on.
pub(super) const RUNNING_ON: Cost = 90;

/// The move numbers jump ahead, but no move is omitted.
pub(super) const JUMP: Cost = 500;

/// The move numbers are right again after moves that were omitted.
pub(super) const RIGHT_AGAIN: Cost = 150;

/// The token is in the letters of another language.
pub(super) const FOREIGN: Cost = 250;

/// A sheet that may be in English is in another language. Just more than one token costs that is in another language.
pub(super) const FOREIGN_SHEET: Cost = FOREIGN + 1;

/// The token is in the other notation of the board.
pub(super) const OTHER_NOTATION: Cost = 300;

/// The token means several legal moves.
pub(super) const SEVERAL: Cost = 120;

/// The token names a square of departure that the position does not require, in a sheet that rarely does so.
pub(super) const NEEDLESS_DEPARTURE: Cost = 50;

/// A check has no mark, in a sheet that marks checks.
pub(super) const UNMARKED_CHECK: Cost = 450;

/// The cost of a slip within a token.
pub(super) const fn of_slip(slip: Slip) -> Cost {
    match slip {
        Slip::Case => 50,
        Slip::Misread => 620,
        Slip::Level => 600,
        Slip::Piece => 640,
        Slip::Missing => 660,
        Slip::Swapped | Slip::Doubled | Slip::NextKey => 740,
        Slip::Character => 850,
    }
}

/// The cost of marks that do not agree with the move. In a sheet that marks no captures, missing marks cost nothing.
pub(super) fn of_marks(mismatches: Mismatches, marks_captures: bool) -> Cost {
    let cost = |mismatch| match mismatch {
        Mismatch::CheckWritten | Mismatch::MateWritten => 450,
        Mismatch::CaptureMissing if !marks_captures => 0,
        Mismatch::CaptureMissing => 450,
        Mismatch::EnPassantMissing => 50,
        Mismatch::CaptureWritten | Mismatch::EnPassantWritten => 500,
    };
    mismatches.iter().map(cost).sum()
}
