// Moves of the reader: legal moves come from the engine, and become variations of the game.
import { html } from "../lib/dom.js";
import { pathOf } from "./graft.js";
import { positionOf } from "./position.js";

/** @import { Board } from "./board.js" */
/** @import { Position } from "./game.js" */
/** @import { Engine, LegalMove, Spot, ViewerData } from "./wire.js" */

/**
 * What the viewer does for it.
 * @typedef {object} Host
 * @property {(node: Position) => void} goTo Shows a position of the game.
 * @property {(node: Position, data: ViewerData, moves: string[]) => void} add Adds moves after a position, and shows the last one.
 * @property {(text: string) => void} say Adds a message to what is written of the position.
 * @property {(moves: LegalMove[], word: (move: LegalMove) => string, chosen: (move: LegalMove) => void) => void} choose Lets
 *   the reader choose among moves.
 */

// Legal moves are asked for after this many milliseconds, so that nobody waits while moves are turned quickly.
const DELAY = 120;

/** A move without what may be missing when it is typed. @param {string} word */
const plain = (word) => word.replace(/[+#=!?]+$/, "").toLowerCase();

/** Plays moves that are not in the game. */
export class TryOut {
  /**
   * @param {Board} board
   * @param {Engine} engine
   * @param {Host} host
   * @param {string} prefix
   */
  constructor(board, engine, host, prefix) {
    this.board = board;
    this.engine = engine;
    this.host = host;
    this.field = html("input", { class: "tx-try", "aria-label": "Try a move", placeholder: "Try a move", list: `${prefix}legal`, autocomplete: "off", spellcheck: "false" });
    this.list = html("datalist", { id: `${prefix}legal` });
    /** @type {{ position: string, moves: Promise<LegalMove[]> }} */
    this.ahead = { position: "", moves: Promise.resolve([]) };
    this.timer = 0;
    this.field.addEventListener("input", (event) => {
      this.field.setCustomValidity("");
      // A move that is chosen from the list is no input of a key.
      const { inputType = "" } = /** @type {InputEvent} */ (event);
      if (!inputType || inputType === "insertReplacementText") this.enter();
    });
    this.field.addEventListener("keydown", (event) => event.key === "Enter" && this.enter());
  }

  /** A move in the notation that is shown. @param {LegalMove} move */
  wordOf(move) {
    const { game, notation } = this.board.shown;
    return move.words[game.notations[notation].split(",")[0]] ?? move.move;
  }

  /** The legal moves of the position that is shown. */
  legalMoves() {
    const { game, node } = this.board.shown;
    const position = positionOf(game, node);
    if (this.ahead.position === position) return this.ahead.moves;
    const moves = Promise.resolve(this.engine.legalMoves(position, game.start.rules)).catch(() => /** @type {LegalMove[]} */ ([]));
    this.ahead = { position, moves };
    moves.then((known) => {
      if (this.ahead.moves !== moves) return;
      this.list.replaceChildren(...known.map((move) => new Option(this.wordOf(move))));
      this.field.disabled = known.length === 0;
    });
    return moves;
  }

  /** Asks for the legal moves a moment later. */
  lookAhead() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.legalMoves(), DELAY);
  }

  /** Plays a move: one of the game if it has it. @param {LegalMove} move */
  async play(move) {
    const { game, node, notation } = this.board.shown;
    const known = node.children.find((child) => child.words[notation] === this.wordOf(move));
    if (known) return this.host.goTo(known);
    // The whole line from where it leaves the game: the engine may keep it.
    const { base, moves: before } = pathOf(node);
    const moves = [...before, move.move];
    let data;
    try {
      data = await this.engine.play(positionOf(game, base), moves, game.start.rules);
    } catch {
      return this.host.say("This move could not be played: try again.");
    }
    // Another game may be shown by now.
    if (this.board.shown.game === game) this.host.add(base, data, moves);
  }

  /**
   * Plays lines again that the address names. A line that cannot be played is left out.
   * @param {{ base: number, moves: string[] }[]} lines
   */
  async restore(lines) {
    const { game } = this.board.shown;
    for (const { base, moves } of lines) {
      const node = game.nodes[base];
      if (!node) continue;
      try {
        const data = await this.engine.play(positionOf(game, node), moves, game.start.rules);
        if (this.board.shown.game !== game) return;
        this.host.add(node, data, moves);
      } catch {
        this.host.say("A line of the address could not be played.");
      }
    }
  }

  /** Plays the move that is written in the field. */
  async enter() {
    const text = this.field.value.trim();
    const known = text ? await this.legalMoves() : [];
    const move = known.find((one) => this.wordOf(one) === text) ?? known.find((one) => plain(this.wordOf(one)) === plain(text));
    this.field.setCustomValidity(text && !move ? "This is not a legal move here" : "");
    this.field.reportValidity();
    if (!move) return;
    this.field.value = "";
    this.play(move);
  }

  /**
   * Selects a piece or a board. The pieces stay in the page: a finger on one that was removed would not be heard of again.
   * @param {Spot} from
   * @param {LegalMove[]} moves
   */
  pick(from, moves) {
    this.board.shown.picked = moves.length ? { from, moves } : null;
    this.board.drawOver();
  }

  /**
   * Plays the move from what is selected to a place; of several moves the reader chooses.
   * @param {Spot} to
   * @returns {boolean} Whether there is one.
   */
  playTo(to) {
    const moves = (this.board.shown.picked?.moves ?? []).filter((move) => move.to === to);
    if (moves.length === 1) this.play(moves[0]);
    else if (moves.length) this.host.choose(moves, (move) => this.wordOf(move), (move) => this.play(move));
    return moves.length > 0;
  }
}
