// Comfort only: links marked data-swap change the page without loading it again, what is marked data-lift can be dragged, and
// results show their boards. Everything works without this file.
import { html } from "../lib/dom.js";
import { copyText } from "../lib/files.js";
import { beginPage } from "./common.js";
import { markFault } from "./complete.js";
import { isDragged, listenToDrags } from "./drag.js";
import { peekAtResults } from "./peek.js";
import { composeSequence } from "./sequence.js";
import { showGame } from "./show.js";
import { go, onSwap } from "./swap.js";

beginPage();
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest("a[data-swap]");
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  if (!isDragged()) go(link.getAttribute("href") ?? "", true);
});

addEventListener("popstate", () => go(location.href, false));
listenToDrags();
onSwap(composeSequence);
onSwap(markFault);
peekAtResults();

// The home page has a board on which a game plays on.
onSwap(() => {
  const game = document.querySelector("[data-viewer]:not(.tx-ready)");
  if (game instanceof HTMLElement) showGame(game, game.dataset.viewer ?? "");
});

// Wide and upright windows have pictures of their own; the other one would be met by keys and by searches in the page.
const WIDE = matchMedia("(min-width: 56rem) and (min-aspect-ratio: 1/1)");
onSwap(() => {
  for (const board of document.querySelectorAll(".boards > .board")) if (!board.getClientRects().length) board.remove();
});
WIDE.addEventListener("change", () => document.querySelector(".boards") && go(location.href, false));

// A position string can be copied.
onSwap(() => {
  const field = document.getElementById("position");
  if (!(field instanceof HTMLInputElement)) return;
  const copy = html("button", { type: "button", class: "copy" }, "Copy");
  copy.addEventListener("click", async () => {
    await copyText(field);
    copy.textContent = "Copied";
  });
  field.after(copy);
});
