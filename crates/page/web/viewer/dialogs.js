// The list of games, searched by any words of players, result, event, date, opening and first moves; and the choice among
// several moves.
import { html } from "../lib/dom.js";
import { simplified } from "../lib/names.js";
import { button, dialog } from "./controls.js";
import { movesOf, tagsOf } from "./wire.js";

/** @import { LegalMove, Shared, WireGame } from "./wire.js" */

/**
 * The row of a game, and the text in which it is searched for.
 * @param {Shared} shared
 * @param {WireGame} game
 * @param {number} index
 */
const entryOf = (shared, game, index) => {
  const tags = tagsOf(shared, game);
  /** @param {string} name */
  const tagOf = (name) => tags.find(([tag]) => tag.toLowerCase() === name)?.[1].replace(/^[?.]+$/, "") ?? "";
  const words = movesOf(shared, { moves: game.moves.split(" ", 4).join(" ") }).map((move) => move.split(" ")[1]);
  const facts = ["event", "date", "opening"].map((name) => tagOf(name).replace(/(\.\?\?)+$/, "")).filter(Boolean);
  const first = shared.starts[game.start].white && words[0] ? words.map((word, i) => (i % 2 ? word : `${i / 2 + 1}. ${word}`)).join(" ") : "";
  const players = ["white", "black"].map((name) => tagOf(name) || name[0].toUpperCase() + name.slice(1));
  const row = html("button", { type: "button", "data-game": index },
    html("b", {}, `${index + 1}. ${players.join(" \u2013 ")}`), " ",
    html("span", { class: "tx-result" }, game.result.replaceAll("-", "\u2013")), " ",
    html("small", {}, [...facts, first].filter(Boolean).join(" \u00b7 ")));
  return { item: html("li", {}, row), row, text: simplified([row.textContent, game.result, ...tags.map(([, value]) => value)].join(" ")) };
};

/** The dialog with all games. */
export class GamesDialog {
  /**
   * @param {Element} root
   * @param {Shared} shared
   * @param {() => WireGame[]} games Reads all games, when the list is opened first.
   * @param {(index: number) => void} enter Called with the game that a reader chooses.
   */
  constructor(root, shared, games, enter) {
    this.shared = shared;
    this.games = games;
    this.search = html("input", { type: "search", class: "tx-search", "aria-label": "Search games", placeholder: "Player, result, event, opening, first moves" });
    this.count = html("p", { class: "tx-count", role: "status" });
    this.rows = html("ol", { class: "tx-rows" });
    this.box = dialog(root, "list", "Games", this.search, this.count, this.rows);
    /** @type {ReturnType<typeof entryOf>[] | null} */
    this.entries = null;
    this.search.addEventListener("input", () => this.filter());
    this.rows.addEventListener("click", (event) => {
      const row = event.target instanceof Element && event.target.closest("button");
      if (!row) return;
      this.box.close();
      enter(Number(row.dataset.game));
    });
    this.box.addEventListener("keydown", (event) => this.key(event));
  }

  /** Shows the games that have all words of the search. */
  filter() {
    this.entries ??= this.games().map((game, i) => entryOf(this.shared, game, i));
    const words = simplified(this.search.value).split(/\s+/);
    const found = this.entries.filter(({ text }) => words.every((word) => text.includes(word)));
    const all = this.entries.length;
    this.count.textContent = found.length === all ? `${all} games` : `${found.length} of ${all} games`;
    this.rows.replaceChildren(...found.map(({ item }) => item));
    return this.entries;
  }

  /** Opens the list. @param {number} current The game that is shown. */
  open(current) {
    const entries = this.filter();
    for (const { row } of entries) row.removeAttribute("aria-current");
    entries[current].row.setAttribute("aria-current", "true");
    this.box.showModal();
    this.search.focus();
    this.search.select();
    this.rows.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const buttons = [...this.rows.querySelectorAll("button")];
    const at = buttons.map((one) => one === document.activeElement).indexOf(true);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      (buttons[at + step] ?? this.search).focus();
      event.preventDefault();
    } else if (event.key === "Enter" && event.target === this.search) buttons[0]?.click();
  }
}

/** The keys, and what they do. */
const HELP = [
  ["\u2190 \u2192", "one move back, one move on"], ["Home End", "to the start, to the end"], ["\u2191 \u2193", "to another variation"],
  ["Space", "play on, stop"], ["n p", "to the next and the previous move that was searched for, then to the next and the previous game"], ["v", "next view"], ["f", "turn the board"],
  ["Esc", "back to the game from moves of yours"], ["Del", "delete a move of yours and what follows"], ["m", "exchange a variation with the line that it leaves"],
  ["1 2 3 4", "glass view: from the corner, from the front, from the side, from above"],
  ["Shift + \u2190 \u2192 \u2191 \u2193", "glass view: turn and tilt"], ["+ \u2212 0", "glass view: larger, smaller, as at first"], ["?", "this list"],
];

/** The dialog with all keys. */
export class KeysDialog {
  /** @param {Element} root */
  constructor(root) {
    const rows = HELP.flatMap(([key, act]) => [html("dt", {}, html("kbd", {}, key)), html("dd", {}, act)]);
    const mouse = html("p", {}, "The wheel steps through the moves; in the glass view it zooms, and a drag beside the pieces turns the board. The right button draws arrows.");
    this.box = dialog(root, "help", "Keys", html("dl", {}, ...rows), mouse);
  }

  open() {
    this.box.showModal();
  }
}

/** The dialog in which a reader chooses among moves from one place to another. */
export class MoveChooser {
  /** @param {Element} root */
  constructor(root) {
    this.choices = html("div", { class: "tx-bar" });
    this.box = dialog(root, "chooser", "Which move?", this.choices);
  }

  /**
   * @param {LegalMove[]} moves
   * @param {(move: LegalMove) => string} wordOf
   * @param {(move: LegalMove) => void} chosen
   */
  open(moves, wordOf, chosen) {
    this.choices.replaceChildren(...moves.map((move) => {
      const one = button("choice", wordOf(move), wordOf(move));
      one.addEventListener("click", () => {
        this.box.close();
        chosen(move);
      });
      return one;
    }));
    this.box.showModal();
  }
}
