// Comfort only, on the page of a game: it has the viewer. Everything works without this file.
import { beginPage } from "./common.js";
import { showGame } from "./show.js";

beginPage();
const game = document.querySelector("[data-viewer]");
if (game instanceof HTMLElement) {
  showGame(game, game.dataset.viewer ?? "");
  // After the last match the same keys lead to the next game that was found.
  game.addEventListener("tx-hit", (event) => {
    const { detail } = /** @type {CustomEvent<number>} */ (event);
    const link = document.querySelector(detail > 0 ? "a[rel=next]" : "a[rel=prev]");
    if (link instanceof HTMLElement) link.click();
  });
}
