// Comfort only: links marked data-swap change the page without loading it again, what is marked data-lift can be dragged,
// games have the viewer. Everything works without this file.
import { html } from "../lib/dom.js";
import { copyText } from "../lib/files.js";
import { isDragged, listenToDrags } from "./drag.js";
import { composeSequence } from "./sequence.js";
import { go, onSwap } from "./swap.js";

/** @import { Engine } from "../viewer/wire.js" */

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest("a[data-swap]");
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  if (!isDragged()) go(link.getAttribute("href") ?? "", true);
});

// Fields without a value are no part of the address.
document.addEventListener("formdata", ({ formData }) => {
  for (const [name, value] of [...formData]) if (!value) formData.delete(name);
});

// The field for a search, which every page has.
document.addEventListener("keydown", (event) => {
  const target = event.target instanceof Element ? event.target : document.body;
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog")) return;
  const field = document.querySelector("input[name=query]:not([type=hidden])");
  if (!(field instanceof HTMLInputElement)) return;
  event.preventDefault();
  field.focus();
});

addEventListener("popstate", () => go(location.href, false));
listenToDrags();
onSwap(composeSequence);

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

// Light and dark.
const theme = html("button", { type: "button", class: "theme" }, "Dark");
document.querySelector(".top")?.append(theme);
TridexViewer.theme(theme);

/**
 * Asks the site for JSON.
 * @param {string} address
 * @param {Record<string, string>} [values]
 */
const get = async (address, values = {}) => {
  const answer = await fetch(`${address}${address.includes("?") ? "&" : "?"}${new URLSearchParams(values)}`);
  return answer.ok ? answer.json() : Promise.reject(answer.status);
};

/**
 * Shows the viewer in place of a game's links. Links to its position follow it.
 * @param {HTMLElement} game
 * @param {string} address The address of its data.
 */
const showGame = async (game, address) => {
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
    legalMoves: (fen, rules) => get("/api/v1/moves", { rules, fen }).then(({ moves }) => moves),
    play: (fen, moves, rules) => get("/viewer/line", { rules, fen, moves: moves.join(" "), ...(to ? { to } : {}) }),
  };
  const view = "stand" in game.dataset ? "Stand" : null;
  try {
    TridexViewer.show(game, await get(address), { engine, view, turned: "turned" in game.dataset });
  } catch {
    game.removeAttribute("data-viewer");
  }
};

const game = document.querySelector("[data-viewer]");
if (game instanceof HTMLElement) showGame(game, game.dataset.viewer ?? "");
