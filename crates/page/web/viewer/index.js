// One viewer for games of three-dimensional chess: the board, the moves and the list of games.
// `TridexViewer.show(element, {shared, games}, {engine})` fills an element. A page has the same data in its elements
// `tx-data` and `tx-shared`. The element gets an event `tx-move` for each move. README.md of the crate describes both.
import { restoreTheme, switchTheme } from "../lib/theme.js";
import { define, pieceIcon } from "./board.js";
import { Viewer } from "./viewer.js";

/** @import { Options } from "./viewer.js" */
/** @import { ViewerData } from "./wire.js" */

const api = {
  /**
   * Shows games in an element, in place of what was shown there.
   * @param {HTMLElement} root
   * @param {ViewerData} data
   * @param {Options} [options]
   */
  show(root, data, options) {
    new Viewer(root, data, options);
  },
  theme: switchTheme,
  define,
  piece: pieceIcon,
};

/** @typedef {typeof api} TridexViewer */

/** @param {Element | null} element */
const read = (element) => JSON.parse(element?.textContent ?? "null");

restoreTheme();
for (const root of document.querySelectorAll(".tx-player")) {
  const games = [...root.querySelectorAll(".tx-data")].map((element) => () => read(element));
  if (games.length && root instanceof HTMLElement) api.show(root, { shared: read(root.querySelector(".tx-shared")), games });
}
Object.assign(globalThis, { TridexViewer: api });
