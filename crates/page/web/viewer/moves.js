// The list of moves: a link for each, variations indented. Wide windows have a column for each side.
import { html } from "../lib/dom.js";
import { wordOf } from "./game.js";
import { colored } from "./levels.js";

/** @import { Game, Position } from "./game.js" */

// Variations that are nested more deeply are told apart by brackets alone.
const DEEPEST = 24;

/** @type {Record<string, string>} */
const CLASSES = { c: "comment", e: "score", k: "clock", w: "word" };

/** The moves of the game that is shown. */
export class MoveList {
  /**
   * @param {string} prefix The beginning of its ids.
   * @param {(node: Position) => void} go Called with the position that a reader chooses.
   * @param {(node: Position | null) => void} point Called with the position whose move the pointer is on.
   */
  constructor(prefix, go, point) {
    this.prefix = prefix;
    this.element = html("div", { class: "tx-moves", tabindex: "0", role: "group", "aria-label": "Moves of the game" });
    /** @type {Map<number, HTMLAnchorElement>} */
    this.links = new Map();
    /** @type {Game | null} */
    this.game = null;
    this.element.addEventListener("click", (event) => {
      const node = this.nodeOf(event);
      if (!node) return;
      event.preventDefault();
      go(node);
    });
    this.element.addEventListener("pointerover", (event) => event.pointerType === "mouse" && point(this.nodeOf(event)));
    this.element.addEventListener("pointerleave", () => point(null));
  }

  /** The position of the move that an event is on. @param {Event} event */
  nodeOf({ target }) {
    const link = target instanceof Element && target.closest("a[data-n]");
    return (link && this.game?.nodes[Number(link.getAttribute("data-n"))]) || null;
  }

  /**
   * Lists the moves of a game.
   * @param {Game} game
   * @param {{ number: number, notation: number }} how The number of the game from 1.
   */
  show(game, { number, notation }) {
    this.game = game;
    this.links.clear();
    const top = document.createDocumentFragment();
    /** @param {number} index @param {...(string | Node)} text */
    const link = (index, ...text) => {
      const id = `g${number}m${index}`;
      const made = html("a", { href: `#${id}`, id: this.prefix + id, "data-n": index }, ...text);
      this.links.set(index, made);
      return made;
    };
    top.append(link(0, "start"), " ");
    /** @type {Node & ParentNode} */
    let parent = top;
    let depth = 0;
    /** The cell of the last move, to which its clock belongs. @type {HTMLElement | null} */
    let cell = null;
    for (const { node, numbered, main, kind = "", text = "" } of game.items) {
      if (node) {
        const made = link(node.index, ...colored(game, notation, wordOf(node, notation)));
        made.classList.toggle("tx-main", main);
        made.classList.toggle("tx-found", game.found.includes(node.index));
        made.classList.toggle("tx-tried", node.tried !== undefined);
        const before = numbered ? [html("span", { class: "tx-no" }, node.number), " "] : [];
        cell = html("span", { class: node.white ? "tx-black" : "tx-white" }, made);
        parent.append(html("span", { class: "tx-ply" }, ...before, cell), " ");
      } else if (kind === "(") {
        cell = null;
        depth += 1;
        if (depth <= DEEPEST) parent = parent.appendChild(html("span", { class: "tx-variation" }));
        parent.append("( ");
      } else if (kind === ")") {
        cell = null;
        parent.append(") ");
        if (depth <= DEEPEST) parent = parent.parentNode ?? top;
        depth -= 1;
      } else {
        const part = html("span", { class: `tx-${CLASSES[kind]}` }, text);
        if (kind === "c") cell = null;
        if (cell) cell.append(" ", part);
        else parent.append(part, " ");
      }
    }
    top.append(html("strong", {}, game.result.replaceAll("-", "\u2013")));
    this.element.replaceChildren(top);
  }

  /** Writes the moves in another notation. @param {number} notation */
  rewrite(notation) {
    for (const [index, link] of this.links) {
      const node = this.game?.nodes[index];
      if (this.game && node && index > 0) link.replaceChildren(...colored(this.game, notation, wordOf(node, notation)));
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
