// Moves that a reader tries become variations of the game. Addresses name them, so that they are there again later.

/** @import { Game, Item, Position } from "./game.js" */

// What belongs to the move before it.
const ASIDE = ["c", "k", "w"];
// An address names at most this many lines.
const MOST_LINES = 20;

/**
 * The end of a variation.
 * @param {Item[]} items
 * @param {number} start Where its opening bracket is.
 */
const afterVariation = (items, start) => {
  let depth = 0;
  for (let i = start; i < items.length; i++) {
    if (items[i].kind === "(") depth += 1;
    if (items[i].kind === ")") depth -= 1;
    if (depth === 0) return i + 1;
  }
  return items.length;
};

/** Where the next item is that does not belong to those before it. @param {Item[]} items @param {number} start */
const afterAsides = (items, start) => {
  let at = start;
  while (ASIDE.includes(items[at]?.kind ?? "")) at += 1;
  return at;
};

/** @param {Item[]} items @param {Position | undefined} node */
const indexOf = (items, node) => items.findIndex((item) => item.node === node);

/**
 * Writes a move into the text: after the last move of a line, or as a variation of the next move.
 * @param {Item[]} items
 * @param {Position} before
 * @param {Position} node
 */
const write = (items, before, node) => {
  if (!before.next) {
    const at = afterAsides(items, indexOf(items, before) + 1);
    items.splice(at, 0, { node, numbered: before.white || !items[at - 1]?.node, main: false });
    return;
  }
  let at = afterAsides(items, indexOf(items, before.next) + 1);
  while (items[at]?.kind === "(") at = afterAsides(items, afterVariation(items, at));
  items.splice(at, 0, { kind: "(" }, { node, numbered: true, main: false }, { kind: ")" });
  if (items[at + 3]?.node) items[at + 3].numbered = true;
};

/**
 * The layout of a tried move among those of the game, to which it is added if it is new.
 * @param {Game} game
 * @param {Game} line
 * @param {number} layout
 */
const layoutIn = (game, line, layout) => {
  const own = line.layouts[layout];
  const known = game.layouts.findIndex((other) => other.pins.join() === own.pins.join());
  if (known >= 0) return known;
  const squares = game.notations.map((name) => own.squares[Math.max(0, line.notations.indexOf(name))]);
  return game.layouts.push({ ...own, squares }) - 1;
};

/**
 * Adds moves after a position, except those that are known there.
 * @param {Game} game
 * @param {Position} from
 * @param {Game} line The moves as they are played from there.
 * @param {string[]} moves The same moves in the notation of the rules.
 * @returns {Position} The last position of the line.
 */
export const graft = (game, from, line, moves) => {
  let before = from;
  for (const [i, node] of line.nodes.slice(1).entries()) {
    const words = game.notations.map((name) => node.words[Math.max(0, line.notations.indexOf(name))]);
    const known = before.children.find((child) => child.words[0] === words[0]);
    if (!known) {
      const layout = layoutIn(game, line, node.layout);
      /** @type {Position} */
      const added = { ...node, index: game.nodes.length, before, next: undefined, children: [], words, layout, taken: [...from.taken, ...node.taken], clocks: from.clocks, tried: moves[i] };
      write(game.items, before, added);
      before.next ??= added;
      before.children.push(added);
      game.nodes.push(added);
    }
    before = known ?? before.children[before.children.length - 1];
  }
  return before;
};

/**
 * Removes a tried move and what follows it.
 * @param {Game} game
 * @param {Position} node
 */
export const prune = (game, node) => {
  const { items } = game;
  const { before } = node;
  if (!before) return;
  const at = indexOf(items, node);
  if (items[at - 1]?.kind === "(" && before.next !== node) items.splice(at - 1, afterVariation(items, at - 1) - at + 1);
  else {
    let end = at;
    while (items[end] && items[end].kind !== ")") end = items[end].kind === "(" ? afterVariation(items, end) : end + 1;
    items.splice(at, end - at);
  }
  before.children = before.children.filter((child) => child !== node);
  if (before.next === node) before.next = undefined;
};

/** The position of the game from which a tried move leaves it, and the moves from there. @param {Position} node */
export const pathOf = (node) => {
  /** @type {string[]} */
  const moves = [];
  let base = node;
  for (; base.tried !== undefined && base.before; base = base.before) moves.unshift(base.tried);
  return { base, moves };
};

/** The last positions of the tried lines of a game. @param {Game} game */
const leavesOf = (game) => {
  const leaves = [];
  const open = [game.nodes[0]];
  for (let node = open.pop(); node; node = open.pop()) {
    open.push(...node.children);
    if (node.tried !== undefined && !node.children.length) leaves.push(node);
  }
  return leaves.sort((a, b) => a.index - b.index).slice(0, MOST_LINES);
};

/**
 * The tried lines of a game as a text for addresses, and where a position is among them.
 * @param {Game} game
 * @param {Position} node
 */
export const linesText = (game, node) => {
  const leaves = leavesOf(game);
  const text = leaves.map((leaf) => {
    const { base, moves } = pathOf(leaf);
    return [base.index, ...moves.map(encodeURIComponent)].join("~");
  }).join(";");
  const { moves } = pathOf(node);
  const line = leaves.findIndex((leaf) => {
    const own = pathOf(leaf);
    return own.base === pathOf(node).base && moves.every((move, i) => own.moves[i] === move);
  });
  return { text, at: moves.length && line >= 0 ? `${line}.${moves.length}` : "" };
};

/** The lines of such a text: each the index of a position, and moves. @param {string} text @returns {{ base: number, moves: string[] }[]} */
export const linesOf = (text) => text.split(";").slice(0, MOST_LINES).flatMap((line) => {
  const [base, ...moves] = line.split("~");
  try {
    return /^\d+$/.test(base) && moves.length ? [{ base: Number(base), moves: moves.map(decodeURIComponent) }] : [];
  } catch {
    return [];
  }
});
