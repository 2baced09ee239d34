// On paper, moves that are marked have diagrams: those with squares or arrows in their comment, and those with the sign $220.
import { html } from "../lib/dom.js";
import { wordOf } from "./game.js";

/** @import { Board } from "./board.js" */
/** @import { Game, Position } from "./game.js" */
/** @import { MoveList } from "./moves.js" */

/** The positions that have a diagram. @param {Game} game @returns {Position[]} */
export const diagramsOf = (game) => game.nodes.filter(({ before, marked, arrows, judgement, nags = "" }) => before && (marked.length > 0 || arrows.length > 0 || `${judgement}${nags}`.includes("$220")));

/**
 * Puts a diagram after each marked move.
 * @param {Board} board
 * @param {MoveList} moves
 */
export const addDiagrams = (board, moves) => {
  const { shown } = board;
  const now = { node: shown.node, level: shown.level, drawn: shown.drawn };
  for (const node of diagramsOf(shown.game)) {
    Object.assign(shown, { node, level: null, drawn: [] });
    board.draw();
    const picture = /** @type {SVGSVGElement} */ (board.element.cloneNode(true));
    for (const layer of picture.querySelectorAll(".tx-column, .tx-gone")) layer.replaceChildren();
    for (const name of ["class", "aria-labelledby"]) picture.removeAttribute(name);
    for (const text of picture.querySelectorAll("title, desc")) text.remove();
    const label = `${node.number} ${wordOf(node, shown.notation)}`;
    picture.setAttribute("aria-label", label);
    moves.links.get(node.index)?.closest(".tx-ply")?.after(html("figure", { class: "tx-diagram" }, picture, html("figcaption", {}, label)));
  }
  Object.assign(shown, now);
  board.draw();
};

/** Removes the diagrams. @param {MoveList} moves */
export const removeDiagrams = (moves) => {
  for (const diagram of moves.element.querySelectorAll(".tx-diagram")) diagram.remove();
};
