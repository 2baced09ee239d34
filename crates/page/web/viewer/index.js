// One viewer for games of three-dimensional chess: the board, the moves and the list of games.
// `TridexViewer.show(element, {shared, games}, {engine})` fills an element. A page has the same data in its elements
// `tx-data` and `tx-shared`. `<tridex-game src>` shows data at an address. The element gets an event `tx-move` for each move. README.md of the crate describes both.
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

/** `<tridex-game src="game.json" view="Flat" turned>`: shows the data of a viewer at an address. */
class TridexGame extends HTMLElement {
  async connectedCallback() {
    const src = this.getAttribute("src");
    try {
      const answer = await fetch(src ?? "");
      if (!answer.ok) throw new Error(`${answer.status}`);
      const data = await answer.json();
      // The element may have gone, or may show something else by now.
      if (this.isConnected && this.getAttribute("src") === src) api.show(this, data, { view: this.getAttribute("view"), turned: this.hasAttribute("turned") });
    } catch (why) {
      this.append(`This game cannot be shown (${src}: ${why instanceof Error ? why.message : why}).`);
    }
  }
}
// A page may have this script twice.
if (!customElements.get("tridex-game")) customElements.define("tridex-game", TridexGame);
