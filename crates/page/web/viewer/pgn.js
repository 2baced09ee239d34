// A game as PGN.

import { isVariation, lineOf } from "./graft.js";

/** @import { Game, Position } from "./game.js" */

/**
 * The moves up to a position and those that follow it as a game without variations. It has no result if it is not the main line.
 * @param {Game} game
 * @param {Position} node
 * @returns {Game}
 */
export const lineGame = (game, node) => {
  const items = lineOf(game, node);
  if (!isVariation(node) && items.every((item) => item.node?.tried === undefined)) return { ...game, items };
  return { ...game, items, result: "*", tags: game.tags.filter(([tag]) => tag.toLowerCase() !== "result") };
};

/**
 * The game as PGN in one of its notations.
 * @param {Game} game
 * @param {number} notation
 * @returns {string}
 */
export const pgnOf = (game, notation) => {
  const [name, locale] = game.notations[notation].split(", ");
  const tags = game.tags.filter(([tag]) => !/^(notation|locale)$/i.test(tag));
  /** @param {string} tag */
  const isMissing = (tag) => !tags.some(([known]) => known.toLowerCase() === tag);
  if (isMissing("result")) tags.push(["Result", game.result]);
  if (isMissing("variant")) tags.push(["Variant", game.start.rules]);
  tags.push(["Notation", name]);
  if (/^[a-z]{2}$/.test(locale)) tags.push(["Locale", locale]);
  /** @param {Position} node */
  const marksOf = (node) => {
    const squares = game.layouts[node.layout].squares[notation];
    const marked = node.marked.map(([square, ink]) => ink + squares[square]).join(",");
    const arrows = node.arrows.map(([from, to, ink]) => ink + squares[from] + squares[to]).join(",");
    return marked || arrows ? [`{${marked && `[%csl ${marked}]`}${arrows && `[%cal ${arrows}]`}}`] : [];
  };
  const tokens = game.items.flatMap(({ node, numbered, kind = "", text = "" }) => {
    if (node) return [...(numbered ? [node.number] : []), node.words[notation] + (node.nags ?? node.judgement), ...marksOf(node)];
    if (kind === "c") return [`{${text.replaceAll("}", ")")}}`];
    if (kind === "e" || kind === "k") return [`{[%${kind === "e" ? "eval" : "clk"} ${text}]}`];
    return [kind === "w" ? text : kind];
  });
  const lines = [...marksOf(game.nodes[0]), ...tokens, game.result].join(" ").replace(/(.{1,79})(\s+|$)/g, "$1\n");
  return `${tags.map(([tag, value]) => `[${tag} "${value.replace(/["\\]/g, "\\$&")}"]\n`).join("")}\n${lines}`;
};
