// Moves that a reader tries become variations of the game. Addresses name them, so that they are there again later.

import { lastOf } from "./game.js";

/** @import { Game, Item, Position } from "./game.js" */

// What belongs to the move before it.
const ASIDE = ["c", "e", "k", "w"];
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

/** Where the line that an item belongs to ends. @param {Item[]} items @param {number} start */
const afterLine = (items, start) => {
  let end = start;
  while (items[end] && items[end].kind !== ")") end = items[end].kind === "(" ? afterVariation(items, end) : end + 1;
  return end;
};

/** Decides anew which moves have their number written, and which belong to the main line. @param {Item[]} items */
const renumber = (items) => {
  // For each open line, whether its next move has its number written.
  const open = [true];
  for (const item of items) {
    const last = open.length - 1;
    if (item.node) {
      item.numbered = open[last] || item.node.before?.white;
      item.main = !last && item.node.tried === undefined;
    }
    if (item.node || item.kind === "c" || item.kind === "(") open[last] = !item.node;
    if (item.kind === "(") open.push(true);
    else if (item.kind === ")" && last) open.pop();
  }
};

/**
 * Writes a move into the text: after the last move of a line, or as a variation of the next move.
 * @param {Item[]} items
 * @param {Position} before
 * @param {Position} node
 */
const write = (items, before, node) => {
  if (!before.next) {
    const at = afterAsides(items, indexOf(items, before) + 1);
    items.splice(at, 0, { node });
    return;
  }
  let at = afterAsides(items, indexOf(items, before.next) + 1);
  while (items[at]?.kind === "(") at = afterAsides(items, afterVariation(items, at));
  items.splice(at, 0, { kind: "(" }, { node }, { kind: ")" });
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
  renumber(game.items);
  return before;
};

/** The first move of the variation that a position is in; none on the main line. @param {Position} node */
const variationOf = (node) => {
  let first = node;
  while (first.before?.next === first) first = first.before;
  return first.before ? first : undefined;
};

/** Whether a position is in a variation. @param {Position} node */
export const isVariation = (node) => variationOf(node) !== undefined;

/**
 * Exchanges a variation with the line that it leaves.
 * @param {Game} game
 * @param {Position} node A position in the variation.
 */
export const promote = (game, node) => {
  const { items } = game;
  const first = variationOf(node);
  const before = first?.before;
  if (!first || !before?.next) return;
  const at = indexOf(items, before.next);
  // Comments may be in front of its first move.
  let start = indexOf(items, first);
  while (items[start].kind !== "(") start -= 1;
  const own = items.splice(start, afterVariation(items, start) - start).slice(1, -1);
  const line = items.splice(at, afterLine(items, at) - at);
  const rest = afterAsides(own, indexOf(own, first) + 1);
  items.splice(at, 0, ...own.slice(0, rest), { kind: "(" }, ...line, { kind: ")" }, ...own.slice(rest));
  before.next = first;
  before.children = [first, ...before.children.filter((child) => child !== first)];
  renumber(items);
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
  const other = before.children.find((child) => child !== node);
  // Its variations stay.
  if (before.next === node && other) promote(game, other);
  const at = indexOf(items, node);
  if (before.next === node) items.splice(at, afterLine(items, at) - at);
  else items.splice(at - 1, afterVariation(items, at - 1) - at + 1);
  before.children = before.children.filter((child) => child !== node);
  if (before.next === node) before.next = undefined;
  renumber(items);
};

/**
 * The text of one line: the moves up to a position and those that follow it, without variations.
 * @param {Game} game
 * @param {Position} node
 * @returns {Item[]}
 */
export const lineOf = (game, node) => {
  const line = new Set();
  for (let one = /** @type {Position | undefined} */ (lastOf(node)); one; one = one.before) line.add(one);
  // For each open line, whether its last move is one of the line.
  const open = [true];
  const items = game.items.filter((item) => {
    if (item.kind === "(") open.push(false);
    else if (item.kind === ")") open.pop();
    else if (item.node) open[open.length - 1] = line.has(item.node);
    return open[open.length - 1] && item.kind !== ")";
  }).map((item) => ({ ...item }));
  renumber(items);
  return items;
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
