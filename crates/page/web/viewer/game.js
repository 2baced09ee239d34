// A game as a tree of positions.
import { layoutOf, movesOf, tagsOf } from "./wire.js";

/** @import { Layout, More, Shape, Shared, Start, WireGame } from "./wire.js" */

/**
 * A position of a game, and the move that led to it.
 * @typedef {object} Position
 * @property {number} index Its number in the order of the text; 0 is the start.
 * @property {Position} [before] The position before; none at the start.
 * @property {Position} [next] The next position on its line.
 * @property {Position[]} children
 * @property {string[]} words The move in every notation.
 * @property {string} number What is written in front of the move: `12.` or `12...`.
 * @property {number[]} pieces The piece on every square.
 * @property {boolean} white Whether it is White's turn.
 * @property {number} fullmoves
 * @property {number} halfmoves
 * @property {string} rights
 * @property {number} layout The index of its layout among those of the game.
 * @property {number[]} taken The pieces that were captured.
 * @property {[string, string]} clocks The times of White and Black.
 * @property {string} [score] The evaluation after the move, as in the comment.
 * @property {string[]} comments
 * @property {number[]} step The squares that a piece left and reached; none at the start.
 * @property {number[]} squares The squares of the move.
 * @property {number} [board] The attack board that moved.
 * @property {number} [check] The square of the king in check.
 * @property {string} [outcome]
 * @property {string} judgement
 * @property {string} [nags]
 * @property {[number, string][]} marked
 * @property {[number, number, string][]} arrows
 * @property {string} [tried] For a move that the reader has tried: the move in the notation of its rules.
 */

/**
 * A part of the text: a move, or of another kind.
 * @typedef {object} Item
 * @property {Position} [node]
 * @property {boolean} [numbered] Whether the number of the move is written.
 * @property {boolean} [main] Whether the move is one of the main line.
 * @property {string} [kind] `(`, `)`, `c`, `e`, `k` or `w`, as in the data.
 * @property {string} [text]
 */

/**
 * A game, decoded.
 * @typedef {object} Game
 * @property {Shared} shared
 * @property {string} title
 * @property {[string, string][]} tags
 * @property {string} result
 * @property {string[]} notations
 * @property {Start} start
 * @property {Shape} shape
 * @property {Layout[]} layouts
 * @property {number} at
 * @property {number[]} found
 * @property {Position[]} nodes
 * @property {Item[]} items
 */

/**
 * The line that is read, and where it has arrived.
 * @typedef {object} Line
 * @property {Position} at
 * @property {boolean} numbered Whether its next move has its number written.
 * @property {boolean} branches Whether its next move begins a variation.
 */

/** Whether a piece is White's. @param {number} piece */
export const isWhite = (piece) => piece > 0 && piece < 7;

/**
 * The position after a move.
 * @param {Position} before
 * @param {string} move
 * @param {number} index
 * @param {More} more
 * @param {Shared} shared
 * @returns {Position}
 */
const played = (before, move, index, more, shared) => {
  const [step, ...words] = move.split(" ");
  const [from, to] = [step.slice(0, 2), step.slice(2)].map((square) => Number.parseInt(square, 16));
  const piece = before.pieces[from];
  const isQuiet = piece % 6 !== 1 && before.pieces[to] === 0;
  const pieces = before.pieces.slice();
  let { taken } = before;
  const changes = more.changes ?? [from, 0, to, piece];
  for (let k = 0; k < changes.length; k += 2) {
    const old = before.pieces[changes[k]];
    if (old && isWhite(old) !== before.white) taken = [...taken, old];
    pieces[changes[k]] = changes[k + 1];
  }
  return {
    index,
    before,
    children: [],
    words,
    number: before.fullmoves + (before.white ? "." : "..."),
    pieces,
    white: !before.white,
    fullmoves: before.fullmoves + (before.white ? 0 : 1),
    halfmoves: more.halfmoves ?? (isQuiet ? before.halfmoves + 1 : 0),
    rights: more.rights === undefined ? before.rights : shared.rights[more.rights],
    layout: more.layout ?? before.layout,
    taken,
    clocks: before.clocks,
    comments: [],
    step: [from, to],
    squares: more.squares ?? [from, to],
    board: more.board,
    check: more.check,
    outcome: more.outcome,
    judgement: more.judgement ?? "",
    nags: more.nags,
    marked: more.marked ?? [],
    arrows: more.arrows ?? [],
  };
};

/**
 * The position before the first move.
 * @param {Start} start
 * @param {More} more
 * @returns {Position}
 */
const started = (start, more) => ({
  index: 0,
  children: [],
  words: [],
  number: "",
  pieces: start.pieces,
  white: start.white,
  fullmoves: start.fullmoves,
  halfmoves: start.halfmoves,
  rights: start.rights,
  layout: more.layout ?? 0,
  taken: [],
  clocks: ["", ""],
  comments: [],
  step: [],
  squares: more.squares ?? [],
  board: more.board,
  check: more.check,
  outcome: more.outcome,
  judgement: more.judgement ?? "",
  nags: more.nags,
  marked: more.marked ?? [],
  arrows: more.arrows ?? [],
});

/**
 * Decodes a game: every position knows the one before it and the next one on its line.
 * @param {Shared} shared
 * @param {WireGame} wire
 * @returns {Game}
 */
export const decoded = (shared, wire) => {
  const start = shared.starts[wire.start];
  const more = wire.more ?? {};
  const moves = movesOf(shared, wire);
  const root = started(start, more[0] ?? {});
  const nodes = [root];
  /** @type {Line[]} */
  const lines = [{ at: root, numbered: true, branches: false }];
  /** @type {Item[]} */
  const items = [];
  /** @param {Line} line */
  const play = (line) => {
    const before = line.at;
    const index = nodes.length;
    const node = played(before, moves[index - 1], index, more[index] ?? {}, shared);
    before.children.push(node);
    if (!line.branches) before.next = node;
    items.push({ node, numbered: line.numbered || before.white, main: lines.length === 1 });
    Object.assign(line, { at: node, numbered: false, branches: false });
    nodes.push(node);
  };
  for (const token of wire.text) {
    const line = lines[lines.length - 1];
    if (typeof token === "number") {
      for (let k = 0; k < token; k++) play(line);
      continue;
    }
    const [kind, text] = [token[0], token.slice(1)];
    if (kind === "(") {
      line.numbered = true;
      lines.push({ at: line.at.before ?? root, numbered: true, branches: true });
    } else if (kind === ")") lines.pop();
    else if (kind === "c") {
      line.at.comments.push(text);
      line.numbered = true;
    } else if (kind === "e") line.at.score = text;
    else if (kind === "k") {
      const [white, black] = line.at.clocks;
      line.at.clocks = line.at.white ? [white, text] : [text, black];
    }
    items.push({ kind, text });
  }
  while (lines.length > 1 && lines.pop()) items.push({ kind: ")" });
  return {
    shared,
    title: wire.title,
    tags: tagsOf(shared, wire),
    result: wire.result,
    notations: wire.notations,
    start,
    shape: shared.shapes[wire.shape],
    layouts: wire.layouts.map((layout) => layoutOf(shared, shared.shapes[wire.shape], shared.layouts[layout])),
    at: wire.at,
    found: wire.found ?? [],
    nodes,
    items,
  };
};

/** The last position of a line. @param {Position} node */
export const lastOf = (node) => {
  let last = node;
  while (last.next) last = last.next;
  return last;
};

/**
 * The move with its judgement, as it is shown in a notation.
 * @param {Position} node
 * @param {number} notation
 */
export const wordOf = (node, notation) => (node.words[notation] ?? node.words[0]) + node.judgement;
