// The data from which a viewer shows games. This is the one description of that format: crate tridex-page writes these
// objects (src/data.rs, src/game.rs, src/scenery.rs), and its tests compare the names of all properties with these.
import { numbers } from "../lib/base36.js";

/**
 * What the games of a page share. Games refer to the entries of its lists by their indices.
 * @typedef {object} Shared
 * @property {number} unit The side of a square in the units of the pictures.
 * @property {number} pieceScale The factor by which a piece is scaled for a square.
 * @property {number} arrowLength The length of the arrows in `markShapes`, in squares.
 * @property {string} pieceShapes The markup of the pieces, `wP` to `bK`.
 * @property {string} markShapes The markup of marks and arrows.
 * @property {string[]} parts The markup of parts of boards.
 * @property {Mount[]} mounts
 * @property {Place[]} places
 * @property {string[]} moves Two squares, each as two hexadecimal digits, and the move in every notation of its game.
 * @property {string[]} rights Castling rights, en passant square and moved pawns, as in a position string.
 * @property {[string, string][]} tags Names and values.
 * @property {Shape[]} shapes
 * @property {WireLayout[]} layouts
 * @property {Start[]} starts
 */

/**
 * A board on its pin, regardless of how it is drawn.
 * @typedef {object} Place
 * @property {number[]} columns The columns of its squares.
 * @property {string[]} names The names of its squares, separated by spaces, in every notation.
 * @property {string} [pin] For an attack board: the board and its pin as in a position string, such as `QL@Q1`.
 */

/**
 * A board as it is drawn on one stage.
 * @typedef {object} Mount
 * @property {number} board The index of the board; -1 for posts and free pins.
 * @property {number} x The near left corner of the board, in thousandths of a square.
 * @property {number} y
 * @property {number[]} parts The indices of its parts.
 * @property {number[][]} names The indices of its names, in every notation.
 */

/**
 * The boards of a game, and how each view shows them.
 * @typedef {object} Shape
 * @property {number[]} boards The first square of every board. The boards that do not move come first, the lowest first.
 * @property {number[]} sizes The number of files of every board.
 * @property {WireView[]} views Every view from both sides: flat for White, flat for Black, stand for White, and so on.
 */

/**
 * A view from one side.
 * @typedef {object} WireView
 * @property {[number, number]} size Width and height in squares.
 * @property {[number, number]} rank One rank away from the viewer.
 * @property {number} foot The distance from the near edge of a square to the foot of a piece, in ranks.
 * @property {number} middle The distance to the middle of a mark.
 * @property {boolean} space Whether the view is one in space, in which squares are foreshortened.
 * @property {Record<string, [number, number]>} pins The near left corner that an attack board has on each pin.
 */

/**
 * A layout: the indices of the places of its boards, and for each view the indices of its mounts in the order in which
 * they are painted. Each is a list in base 36.
 * @typedef {object} WireLayout
 * @property {string} places
 * @property {string[]} stages
 */

/**
 * A start position.
 * @typedef {object} Start
 * @property {string} rules The name of the rule system.
 * @property {number[]} pieces The piece on every square: 0 for none, 1 to 6 for White's pawn to king, 7 to 12 for Black's.
 * @property {boolean} white Whether it is White's turn.
 * @property {string} rights
 * @property {number} halfmoves
 * @property {number} fullmoves
 */

/**
 * A game.
 * @typedef {object} WireGame
 * @property {string} title
 * @property {number[]} tags
 * @property {string} result As PGN writes it.
 * @property {string[]} notations The names of the notations that readers can choose.
 * @property {number} shape
 * @property {number} start
 * @property {number[]} layouts
 * @property {string} moves Indices in base 36, one for each move in the order of the text.
 * @property {Record<number, More>} [more] What only some moves have, by the number of the move; 0 is the start.
 * @property {(number | string)[]} text A number of moves, or a text after a letter for its kind: `c` for a comment, `e` for
 *   an evaluation, `k` for the time on a clock, `w` for a token that is no move. Brackets enclose a variation.
 * @property {number} at The move that is shown first.
 * @property {number[]} [found] The moves that match a query.
 */

/**
 * What a move has besides its two squares.
 * @typedef {object} More
 * @property {number} [layout] The layout, by its index among those of the game, if it changes.
 * @property {number[]} [changes] The squares that changed, each followed by the piece there now.
 * @property {number[]} [squares] The squares of the move, if they are not the two of its step.
 * @property {number} [halfmoves] The halfmove clock, if it does not follow from the step.
 * @property {number} [rights] The index of the rights, if they change.
 * @property {number} [board] The attack board that moved, counted among all boards.
 * @property {number} [check] The square of the king in check.
 * @property {string} [outcome] How the rules have ended the game.
 * @property {string} [judgement] Judgements as they are shown after the move.
 * @property {string} [nags] The judgements as PGN writes them, if that is different.
 * @property {[number, string][]} [marked] Squares that a comment marks, and the letters of their inks.
 * @property {[number, number, string][]} [arrows] Arrows of a comment.
 */

/**
 * The data of a viewer. A game may also be a function that returns one.
 * @typedef {object} ViewerData
 * @property {Shared} shared
 * @property {(WireGame | (() => WireGame))[]} games
 */

/**
 * A legal move, as the engine returns it.
 * @typedef {object} LegalMove
 * @property {string} move The move in the notation of its rules.
 * @property {Record<string, string>} words The move in every notation, by the notations' names.
 * @property {Spot} from
 * @property {Spot} to
 */

/**
 * The index of a square, or the name of a board (`QL`) or of a pin (`Q3`).
 * @typedef {number | string} Spot
 */

/**
 * Answers what the viewer cannot know, for it knows no rules.
 * @typedef {object} Engine
 * @property {(position: string, rules: string) => LegalMove[] | Promise<LegalMove[]>} legalMoves
 * @property {(position: string, moves: string[], rules: string) => ViewerData | Promise<ViewerData>} play
 */

/**
 * The boards on their pins.
 * @typedef {object} Layout
 * @property {Shared} shared What it refers to: moves that readers try have data of their own.
 * @property {Shape} shape
 * @property {number[]} columns The column of every square.
 * @property {string[]} pins The attack boards with their pins.
 * @property {string[][]} squares The names of all squares in every notation.
 * @property {string[]} stages
 * @property {Mounted[]} mounted What was decoded of `stages`.
 */

/**
 * What is drawn of a layout on one stage.
 * @typedef {object} Mounted
 * @property {number[]} corners The near left corner of every board: x and y of the first, of the second, and so on.
 * @property {Mount[]} mounts
 */

/**
 * The moves of a game: each the text of its entry in the shared list.
 * @param {Shared} shared
 * @param {Pick<WireGame, "moves">} game
 */
export const movesOf = (shared, game) => numbers(game.moves).map((move) => shared.moves[move]);

/**
 * The tags of a game.
 * @param {Shared} shared
 * @param {WireGame} game
 */
export const tagsOf = (shared, game) => game.tags.map((tag) => shared.tags[tag]);

/**
 * Decodes a layout.
 * @param {Shared} shared
 * @param {Shape} shape
 * @param {WireLayout} layout
 * @returns {Layout}
 */
export const layoutOf = (shared, shape, { places, stages }) => {
  const own = numbers(places).map((place) => shared.places[place]);
  return {
    shared,
    shape,
    columns: own.flatMap(({ columns }) => columns),
    pins: own.flatMap(({ pin }) => pin ?? []),
    squares: own[0].names.map((_, notation) => own.flatMap(({ names }) => names[notation].split(" "))),
    stages,
    mounted: [],
  };
};

/**
 * What is drawn of a layout on a stage, decoded once.
 * @param {Layout} layout
 * @param {number} stage
 * @returns {Mounted}
 */
export const mountedOn = (layout, stage) => {
  if (!layout.mounted[stage]) {
    const mounts = numbers(layout.stages[stage]).map((index) => layout.shared.mounts[index]);
    /** @type {number[]} */
    const corners = [];
    for (const { board, x, y } of mounts) if (board >= 0) [corners[2 * board], corners[2 * board + 1]] = [x / 1000, y / 1000];
    layout.mounted[stage] = { corners, mounts };
  }
  return layout.mounted[stage];
};
