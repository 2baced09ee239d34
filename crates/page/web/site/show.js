// Shows the viewer in place of a game's links.
import { getJson } from "./get.js";

/** @import { Engine } from "../viewer/wire.js" */

/**
 * Shows the viewer in place of a game's links. Links to its position follow it.
 * @param {HTMLElement} game
 * @param {string} address The address of its data.
 */
export const showGame = async (game, address) => {
  game.addEventListener("tx-move", (event) => {
    const { position } = /** @type {CustomEvent<{ position: string }>} */ (event).detail;
    for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[data-position]"))) {
      const to = new URL(link.href);
      to.searchParams.set("position", position);
      link.href = to.href;
    }
  });
  const to = new URL(address, location.href).searchParams.get("to");
  /** @type {Engine} */
  const engine = {
    legalMoves: (fen, rules) => getJson("/api/v1/moves", { rules, fen }).then(({ moves }) => moves),
    play: (fen, moves, rules) => getJson("/viewer/line", { rules, fen, moves: moves.join(" "), ...(to ? { to } : {}) }),
  };
  const view = "stand" in game.dataset ? "Stand" : null;
  const plays = "plays" in game.dataset;
  try {
    TridexViewer.show(game, await getJson(address), { engine: plays ? undefined : engine, view, turned: "turned" in game.dataset, plays });
  } catch {
    game.removeAttribute("data-viewer");
  }
};
