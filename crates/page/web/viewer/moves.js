// The list of moves: a link for each, variations indented.
import { html } from "../lib/dom.js";
import { wordOf } from "./game.js";

/** @import { Game, Position } from "./game.js" */

// Variations that are nested more deeply are told apart by brackets alone.
const DEEPEST = 24;

/** @type {Record<string, string>} */
const CLASSES = { c: "comment", k: "clock", w: "word" };

/** The moves of the game that is shown. */
export class MoveList {
  /**
   * @param {string} prefix The beginning of its ids.
   * @param {(node: Position) => void} go Called with the position that a reader chooses.
   */
  constructor(prefix, go) {
    this.prefix = prefix;
    this.element = html("div", { class: "tx-moves", tabindex: "0", role: "group", "aria-label": "Moves of the game" });
    /** @type {Map<number, HTMLAnchorElement>} */
    this.links = new Map();
    /** @type {Game | null} */
    this.game = null;
    this.element.addEventListener("click", (event) => {
      const link = event.target instanceof Element && event.target.closest("a[data-n]");
      if (!link) return;
      event.preventDefault();
      const node = this.game?.nodes[Number(link.getAttribute("data-n"))];
      if (node) go(node);
    });
  }

  /**
   * Lists the moves of a game.
   * @param {Game} game
   * @param {{ number: number, notation: number, start: string }} how The number of the game from 1, and the name of its
   *   start.
   */
  show(game, { number, notation, start }) {
    this.game = game;
    this.links.clear();
    const top = document.createDocumentFragment();
    /** @param {number} index @param {string} text */
    const link = (index, text) => {
      const id = `g${number}m${index}`;
      const made = html("a", { href: `#${id}`, id: this.prefix + id, "data-n": index }, text);
      this.links.set(index, made);
      return made;
    };
    top.append(link(0, start), " ");
    /** @type {Node & ParentNode} */
    let parent = top;
    let depth = 0;
    for (const { node, numbered, main, kind = "", text = "" } of game.items) {
      if (node) {
        const made = link(node.index, wordOf(node, notation));
        made.classList.toggle("tx-main", main);
        made.classList.toggle("tx-found", game.found.includes(node.index));
        const before = numbered ? [html("span", { class: "tx-no" }, node.number), " "] : [];
        parent.append(html("span", { class: "tx-ply" }, ...before, made), " ");
      } else if (kind === "(") {
        depth += 1;
        if (depth <= DEEPEST) parent = parent.appendChild(html("span", { class: "tx-variation" }));
        parent.append("( ");
      } else if (kind === ")") {
        parent.append(") ");
        if (depth <= DEEPEST) parent = parent.parentNode ?? top;
        depth -= 1;
      } else parent.append(html("span", { class: `tx-${CLASSES[kind]}` }, text), " ");
    }
    top.append(html("strong", {}, game.result.replaceAll("-", "\u2013")));
    this.element.replaceChildren(top);
  }

  /** Writes the moves in another notation. @param {number} notation */
  rewrite(notation) {
    for (const [index, link] of this.links) {
      const node = this.game?.nodes[index];
      if (node && index > 0) link.textContent = wordOf(node, notation);
    }
  }

  /** Marks the move that is shown, and scrolls to it: only the list, never the page. @param {Position} node */
  follow(node) {
    this.element.querySelector("a[aria-current]")?.removeAttribute("aria-current");
    const link = this.links.get(node.index);
    if (!link) return;
    link.setAttribute("aria-current", "step");
    const [box, list] = [link.getBoundingClientRect(), this.element.getBoundingClientRect()];
    if (box.top < list.top || box.bottom > list.bottom) this.element.scrollTop += box.top - list.top - list.height / 3;
  }
}
