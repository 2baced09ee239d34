// The colours of levels: of their squares, and of their letters in moves.
import { html } from "../lib/dom.js";
import { FIXED } from "./geometry.js";

/** @import { Game } from "./game.js" */

/**
 * How a notation names levels: what follows or precedes the file and the rank of every square of one.
 * @typedef {object} LevelNames
 * @property {string[]} names
 * @property {RegExp} pattern
 */

/** @type {WeakMap<Game, LevelNames[]>} */
const known = new WeakMap();

/** @param {string} text */
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/**
 * The names of levels in a notation of a game.
 * @param {Game} game
 * @param {number} notation
 * @returns {LevelNames}
 */
const namesOf = (game, notation) => {
  const all = known.get(game) ?? [];
  known.set(game, all);
  if (!all[notation]) {
    const squares = game.layouts[0].squares[notation] ?? game.layouts[0].squares[0];
    const first = game.shape.boards.slice(0, FIXED).map((square) => squares[square]);
    const isBefore = first.every((name) => /^\d/.test(name));
    const names = first.map((name) => (isBefore ? name.replace(/[a-z]\d+$/i, "") : name.replace(/^[a-z]\d+,?/i, "")));
    const any = names.filter(Boolean).map(escaped).join("|");
    // Moves may omit the rank of the square that a piece leaves.
    const pattern = isBefore ? `(?:${any})(?=[a-z]\\d)` : `(?<=[a-z]\\d*,?)(?:${any})`;
    all[notation] = { names, pattern: new RegExp(any ? pattern : "(?!)", isBefore ? "gi" : "g") };
  }
  return all[notation];
};

/**
 * A move as text, in which the letters of levels have their colours.
 * @param {Game} game
 * @param {number} notation
 * @param {string} word
 * @returns {(string | HTMLElement)[]}
 */
export const colored = (game, notation, word) => {
  const { names, pattern } = namesOf(game, notation);
  const parts = [];
  let end = 0;
  for (const { 0: name, index } of word.matchAll(pattern)) {
    parts.push(word.slice(end, index), html("span", { class: `tx-l${names.indexOf(name)}` }, name));
    end = index + name.length;
  }
  return [...parts, word.slice(end)].filter((part) => part !== "");
};

/** Gives the squares of a level their tint. @param {Element} part @param {number} board */
export const tint = (part, board) => {
  if (board < 0 || board >= FIXED) return;
  for (const one of [part, ...part.querySelectorAll("[fill]")]) {
    const [, shade] = /^var\(--tx-(light|dark)\)$/.exec(one.getAttribute("fill") ?? "") ?? [];
    if (shade) one.setAttribute("fill", `var(--tx-${shade}-${board})`);
  }
};
