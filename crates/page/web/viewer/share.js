// Copies of a game: PGN in every notation, the position, pictures.
import { html } from "../lib/dom.js";
import { copyText, saveFile } from "../lib/files.js";
import { simplified } from "../lib/names.js";
import { button, dialog } from "./controls.js";
import { lineGame, pgnOf } from "./pgn.js";
import { positionOf } from "./position.js";

/** @import { Board } from "./board.js" */

/** The dialog for copies. */
export class ShareDialog {
  /**
   * @param {Element} root
   * @param {Board} board
   */
  constructor(root, board) {
    this.board = board;
    this.what = html("select", { class: "tx-what", "aria-label": "What to copy" });
    this.text = html("textarea", { class: "tx-copied", readonly: "", rows: 12, "aria-label": "Text to copy", spellcheck: "false" });
    this.copy = button("copy", "Copy", "Copy");
    this.told = html("span", { role: "status" });
    const save = button("download", "Download", "Download");
    this.box = dialog(root, "sharing", "Share", this.what, this.text, html("div", { class: "tx-bar" }, this.copy, save, this.told));
    this.what.addEventListener("change", () => this.fill());
    this.copy.addEventListener("click", async () => {
      this.text.select();
      await copyText(this.text);
      this.told.textContent = "Copied";
    });
    save.addEventListener("click", () => this.save());
    this.number = 1;
  }

  /** Opens the dialog. @param {number} number The number of the game, for the name of a file. */
  open(number) {
    this.number = number;
    const { game, notation } = this.board.shown;
    const texts = game.notations.map((name, i) => new Option(`PGN (${name})`, String(i), false, i === notation));
    this.what.replaceChildren(...texts, new Option("PGN of this line alone", "line"), new Option("Link to this position", "link"), new Option("Position", "position"), new Option("Picture (SVG)", "svg"), new Option("Picture (PNG)", "png"));
    this.fill();
    this.box.showModal();
    this.what.focus();
  }

  /** The text that is chosen, and the ending of its file. */
  chosen() {
    const { game, node, notation } = this.board.shown;
    const { value } = this.what;
    if (value === "line") return { text: pgnOf(lineGame(game, node), notation), type: "pgn" };
    if (value === "link") return { text: location.href, type: "txt" };
    if (value === "position") return { text: positionOf(game, node), type: "txt" };
    if (value === "svg" || value === "png") return { text: this.board.svgText(), type: value };
    return { text: pgnOf(game, Number(value)), type: "pgn" };
  }

  fill() {
    const { text, type } = this.chosen();
    this.text.value = text;
    this.text.hidden = this.copy.hidden = type === "png";
    this.told.textContent = "";
  }

  async save() {
    const { text, type } = this.chosen();
    const blob = type === "png" ? await this.board.png() : new Blob([text], { type: type === "svg" ? "image/svg+xml" : "text/plain" });
    if (blob) saveFile(blob, `${this.name()}.${type}`);
  }

  /** The name of a file: the players and the move, as far as they are known. */
  name() {
    const { game, node } = this.board.shown;
    const players = ["white", "black"].map((side) => game.tags.find(([tag]) => tag.toLowerCase() === side)?.[1] ?? "");
    const known = players.some((player) => /[^?]/.test(player)) ? players : [`game ${this.number}`];
    const at = node.index ? node.number.replace("...", "b") + (node.words[0] ?? "") : "";
    const name = [...known, at].map((part) => simplified(part).replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, ""));
    return name.filter(Boolean).join("-").slice(0, 80) || "game";
  }
}
