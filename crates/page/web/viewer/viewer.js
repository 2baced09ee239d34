// The viewer: the board, the moves and the list of games in one element.
import { html } from "../lib/dom.js";
import { stored, switchTheme } from "../lib/theme.js";
import { Board, define, pieceIcon, pieceId } from "./board.js";
import { button, ICONS, icon, toggle } from "./controls.js";
import { GamesDialog, KeysDialog, MoveChooser } from "./dialogs.js";
import { decoded, isWhite, lastOf, wordOf } from "./game.js";
import { FIXED, LEVELS } from "./geometry.js";
import { angleOf, angleText, presetOf } from "./glass.js";
import { graft, isVariation, linesOf, linesText, pathOf, promote, prune } from "./graft.js";
import { Graphs } from "./graphs.js";
import { colored } from "./levels.js";
import { isMoving } from "./motion.js";
import { MoveList } from "./moves.js";
import { Pointer } from "./pointer.js";
import { described, listed, positionOf } from "./position.js";
import { addDiagrams, removeDiagrams } from "./print.js";
import { ShareDialog } from "./share.js";
import { TryOut } from "./tryout.js";
import { Turner } from "./turning.js";

/** @import { Game, Position } from "./game.js" */
/** @import { Shown } from "./board.js" */
/** @import { Engine, LegalMove, ViewerData, WireGame } from "./wire.js" */

// The views that a browser remembers, and the name under which it does: the others are chosen by the size of the window.
const CHOICES = ["Stand", "Glass"];
const VIEW = "tx-view";
// Windows that are narrower than this, in pixels, show one level first. Browsers remember who wants to see all.
const NARROW = 600;
const LEVEL = "tx-level";
const LEVEL_NAMES = [["W", "White's board"], ["N", "Neutral board"], ["B", "Black's board"]];
// Between two moves of autoplay, in milliseconds.
const PACE = 1200;
// Few games are kept decoded: most are looked at once.
const DECODED = 8;
// Tags that the title, the moves or nobody needs.
const TOLD = /^(white|black|result|setup|fen|notation|locale|date)$/i;

/** @typedef {"first" | "back" | "forth" | "last" | "up" | "down"} Move */

/** @type {Record<string, Move>} */
const MOVE_KEYS = { ArrowLeft: "back", ArrowRight: "forth", ArrowUp: "up", ArrowDown: "down", Home: "first", End: "last" };

/**
 * Choices for `TridexViewer.show`.
 * @typedef {object} Options
 * @property {Engine} [engine] With one, readers can try out moves.
 * @property {string | null} [view] `Flat`, `Stand`, `Glass` or `Column`: how the board is shown first; without it as the reader
 *   has chosen before.
 * @property {boolean} [turned] Whether Black's side is near the reader first.
 * @property {boolean} [plays] Whether the game plays on by itself, for readers who want motion: then there is the board with its
 *   buttons alone, and the address stays as it is.
 */

/** A part of the address after the game and its position. @param {string} name */
const addressPart = (name) => new RegExp(`&${name}=([^&]*)`).exec(location.hash)?.[1] ?? "";

let viewers = 0;
/** The viewer that an element shows. @type {WeakMap<Element, AbortController>} */
const alive = new WeakMap();

/** Makes the buttons and fields. */
const controls = () => ({
  first: button("first", "To the start", icon(ICONS.first), "Home"),
  back: button("back", "One move back", icon(ICONS.back), "\u2190"),
  play: button("play", "Play on", icon(ICONS.play), "Space"),
  forth: button("forth", "One move on", icon(ICONS.forth), "\u2192"),
  last: button("last", "To the end", icon(ICONS.last), "End"),
  view: button("view", "Next view", "Flat", "v"),
  flip: button("flip", "Turn the board", "Turn", "f"),
  dark: button("dark", "Dark colours", "Dark"),
  share: button("share", "Copy or download", "Share\u2026"),
  keys: button("keys", "Keys", "?", "?"),
  games: button("games", "List of games", "Games\u2026"),
  leave: button("leave", "Back to the game", icon(ICONS.leave), "Esc"),
  promote: button("promote", "Exchange this variation with the line that it leaves", icon(ICONS.promote), "m"),
  prune: button("prune", "Delete this move of yours and what follows", icon(ICONS.close), "Del"),
  notation: html("select", { class: "tx-notation", "aria-label": "Notation" }),
  name: html("h2", { class: "tx-name" }),
  about: html("dl"),
  details: html("details", { class: "tx-about" }, html("summary", {}, "Details")),
  now: html("p", { class: "tx-now", role: "status" }),
  stage: html("section", { class: "tx-stage", "aria-label": "Board" }),
  levels: html("div", { class: "tx-levels", role: "group", "aria-label": "Level" }),
  far: html("p", { class: "tx-side tx-far" }),
  near: html("p", { class: "tx-side tx-near" }),
});

/** Shows games in an element. */
export class Viewer {
  /**
   * @param {HTMLElement} root
   * @param {ViewerData} data
   * @param {Options} [options]
   */
  constructor(root, { shared, games }, { engine, view = null, turned = false, plays = false } = {}) {
    // What was shown in this element before ends.
    alive.get(root)?.abort();
    const ended = new AbortController();
    alive.set(root, ended);
    viewers += 1;
    const prefix = viewers > 1 ? `tx${viewers}-` : "tx-";
    this.root = root;
    this.shared = shared;
    this.games = games;
    this.number = 0;
    /** @type {WireGame[]} */
    this.wires = [];
    /** @type {Map<number, Game>} */
    this.decoded = new Map();
    /** The view that follows the stand. @type {string | null} */
    this.other = null;
    this.timer = 0;
    this.ui = controls();
    const first = this.gameOf(0);
    const [known, angle = ""] = (view ?? (plays ? null : stored(VIEW)) ?? "").split(" ");
    const seen = angleOf(angle) ?? presetOf();
    /** @type {Shown} */
    this.shown = { game: first, node: first.nodes[0], view: CHOICES.includes(known) ? known : null, level: null, isTurned: turned, angle: seen, notation: 0, column: -1, pointed: null, drawn: [], picked: null };
    this.isEntered = false;
    this.isScene = plays;
    this.board = new Board(this.shown, shared, prefix);
    this.moves = new MoveList(prefix, (node) => this.goTo(node), (node) => this.point(node));
    this.graphs = new Graphs((node) => this.goTo(node));
    this.tryOut = engine ? new TryOut(this.board, engine, this, prefix) : null;
    const pointer = new Pointer(this.board, this.tryOut, (step) => this.go(step));
    this.turner = new Turner(this.board, () => pointer.isFree(), () => this.remember());
    this.place();
    define(root, shared);
    this.listen(ended.signal, turned);
    this.chooser = new MoveChooser(root);
    this.keys = new KeysDialog(root);
    this.list = new GamesDialog(root, shared, () => games.map((_, i) => this.wireOf(i)), (index) => this.enter(index, -1));
    this.share = new ShareDialog(root, this.board);
    this.ui.games.hidden = games.length < 2;
    this.enter(...this.addressed(), false);
    const isNarrow = Boolean(this.ui.levels.offsetParent) && this.board.element.clientWidth < NARROW;
    if (isNarrow && !plays && !this.shown.view && stored(LEVEL) !== "all") this.showLevel(this.levelNow());
    if (plays && isMoving()) this.playOn(true);
    if (!plays) this.restore();
  }

  /** Puts everything into the element. */
  place() {
    const { ui, root, board, moves, tryOut } = this;
    /** @param {string} name @param {string} label @param {...Element} children */
    const bar = (name, label, ...children) => html("div", { class: `tx-bar tx-${name}`, role: "group", "aria-label": label }, ...children);
    ui.details.append(ui.about);
    ui.stage.append(ui.levels, ui.far, board.element, this.turner.buttons, ui.near);
    root.replaceChildren(
      html("div", { class: "tx-head" }, ui.name),
      ui.now,
      ui.stage,
      moves.element,
      bar("steps", "Moves", ui.leave, ui.promote, ui.prune, ui.first, ui.back, ui.play, ui.forth, ui.last),
      bar("looks", "View", ui.games, ...(tryOut ? [tryOut.field, tryOut.list] : []), ui.view, ui.flip, ui.dark, ui.notation, ui.share, ui.keys),
      this.graphs.element,
      ui.details
    );
    root.classList.add("tx-player", "tx-ready");
    root.classList.toggle("tx-trial", Boolean(tryOut));
    root.classList.toggle("tx-scene", this.isScene);
  }

  /** @param {AbortSignal} signal @param {boolean} turned */
  listen(signal, turned) {
    const { ui, shown, board } = this;
    ui.first.addEventListener("click", () => this.go("first"));
    ui.back.addEventListener("click", () => this.go("back"));
    ui.forth.addEventListener("click", () => this.go("forth"));
    ui.last.addEventListener("click", () => this.go("last"));
    ui.play.addEventListener("click", () => this.playOn(!this.timer && Boolean(shown.node.next)));
    ui.leave.addEventListener("click", () => this.leave());
    ui.promote.addEventListener("click", () => this.promote());
    ui.prune.addEventListener("click", () => this.prune());
    ui.keys.addEventListener("click", () => this.keys.open());
    ui.view.addEventListener("click", () => this.nextView());
    toggle(ui.flip, turned, (isTurned) => {
      shown.isTurned = isTurned;
      this.draw();
      this.describe();
    });
    switchTheme(ui.dark);
    ui.notation.addEventListener("change", () => {
      shown.notation = Number(ui.notation.value);
      this.moves.rewrite(shown.notation);
      this.draw();
      this.describe();
      this.moves.follow(shown.node);
    });
    ui.games.addEventListener("click", () => this.list.open(this.number));
    ui.share.addEventListener("click", () => this.share.open(this.number + 1));
    new ResizeObserver(() => {
      const { clientWidth, clientHeight } = board.element;
      // Its buttons are there in upright windows alone.
      if (shown.level !== null && !ui.levels.offsetParent) this.showLevel(null);
      if (clientWidth && clientHeight && !shown.view && ui.view.textContent !== board.view()) this.draw();
    }).observe(board.element);
    if (this.isScene) return;
    addEventListener("beforeprint", () => addDiagrams(board, this.moves), { signal });
    addEventListener("afterprint", () => removeDiagrams(this.moves), { signal });
    document.addEventListener("keydown", (event) => this.key(event), { signal });
    addEventListener("hashchange", () => {
      this.enter(...this.addressed(), false);
      this.restore();
    }, { signal });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = event.target instanceof Element ? event.target : document.body;
    if (event.altKey || event.ctrlKey || event.metaKey || target.closest("input, select, textarea, dialog")) return;
    if (event.key === " " && target.closest("button, a, summary")) return;
    if (this.turner.key(event)) return event.preventDefault();
    const { flip, view, play, leave, keys, promote: raise, prune: cut } = this.ui;
    /** @type {Record<string, HTMLButtonElement>} */
    const buttons = { f: flip, v: view, " ": play, "?": keys, m: raise, ...(this.shown.node.tried === undefined ? {} : { Escape: leave, Delete: cut }) };
    const hit = { n: 1, p: -1 }[event.key];
    if (MOVE_KEYS[event.key]) this.go(MOVE_KEYS[event.key]);
    else if (hit) this.toHit(hit);
    else if (buttons[event.key]) buttons[event.key].click();
    else return;
    event.preventDefault();
  }

  /** The data of a game. @param {number} index */
  wireOf(index) {
    const game = this.games[index];
    this.wires[index] ??= typeof game === "function" ? game() : game;
    return this.wires[index];
  }

  /** A game, decoded. @param {number} index */
  gameOf(index) {
    const known = this.decoded.get(index);
    if (known) return known;
    // Those in which moves were tried stay.
    if (this.decoded.size > DECODED) for (const [i, { nodes }] of this.decoded) if (nodes.every(({ tried }) => tried === undefined)) this.decoded.delete(i);
    const game = decoded(this.shared, this.wireOf(index));
    this.decoded.set(index, game);
    return game;
  }

  /** The game and the position that the address names. @returns {[number, number]} */
  addressed() {
    const [, game, node] = /^#g(\d+)m(\d+)(?:&|$)/.exec(location.hash) ?? [];
    const seen = angleOf(addressPart("glass"));
    if (seen) Object.assign(this.shown, { view: "Glass", angle: seen });
    return this.games[Number(game) - 1] ? [Number(game) - 1, Number(node)] : [0, -1];
  }

  /**
   * Shows a game.
   * @param {number} index
   * @param {number} at Its position; that which the data names if there is none.
   * @param {boolean} [isNoted] Whether the address names it then.
   */
  enter(index, at, isNoted = true) {
    const { ui } = this;
    this.playOn(false);
    this.number = index;
    const game = this.gameOf(index);
    this.take(game);
    ui.name.textContent = this.games.length > 1 ? `${index + 1}. ${game.title}` : game.title;
    const known = game.tags.filter(([tag, value]) => !TOLD.test(tag) && value && !value.startsWith("?"));
    ui.about.replaceChildren(...known.flatMap(([tag, value]) => [html("dt", {}, tag), html("dd", {}, value)]));
    ui.details.hidden = known.length === 0;
    this.goTo(game.nodes[at] ?? game.nodes[game.at], isNoted);
  }

  /**
   * Lists the moves of another game in the same notation.
   * @param {Game} game
   */
  take(game) {
    const { shown, ui } = this;
    const name = this.isEntered ? shown.game.notations[shown.notation] : undefined;
    this.isEntered = true;
    shown.game = game;
    shown.notation = Math.max(0, game.notations.indexOf(name ?? ""));
    ui.notation.replaceChildren(...game.notations.map((one, i) => new Option(one, String(i), false, i === shown.notation)));
    this.board.forget();
    this.nameLevels();
    this.listMoves();
  }

  /** Writes the list of moves. */
  listMoves() {
    const { game, notation } = this.shown;
    this.moves.show(game, { number: this.number + 1, notation });
  }

  /**
   * Shows a position.
   * @param {Position} node
   * @param {boolean} [isNoted] Whether the address names it then.
   */
  goTo(node, isNoted = true) {
    const { shown, tryOut, ui } = this;
    shown.node = node;
    shown.drawn = [];
    shown.picked = null;
    shown.pointed = null;
    this.followLevel();
    this.draw();
    this.describe();
    this.moves.follow(node);
    if (!node.next) this.playOn(false);
    this.root.dispatchEvent(new CustomEvent("tx-move", { detail: { position: positionOf(shown.game, node) } }));
    this.graphs.show(node, shown.notation);
    ui.leave.hidden = ui.prune.hidden = node.tried === undefined;
    ui.promote.hidden = !isVariation(node);
    if (isNoted) this.note();
    tryOut?.lookAhead();
  }

  /** Has the address name the game, the position, the angle of the glass view, and the moves of the reader. */
  note() {
    const { shown, board } = this;
    if (this.isScene) return;
    const glass = board.view() === "Glass" ? `&glass=${angleText(shown.angle)}` : "";
    const { text, at } = linesText(shown.game, shown.node);
    const lines = text && `&lines=${text}${at && `&at=${at}`}`;
    history.replaceState(null, "", `#g${this.number + 1}m${pathOf(shown.node).base.index}${glass}${lines}`);
  }

  /** Adds the moves that the address names to the game. */
  async restore() {
    const lines = linesOf(addressPart("lines"));
    if (!lines.length || !this.tryOut) return;
    const { shown } = this;
    const [line, count] = addressPart("at").split(".").map(Number);
    const { game, node } = shown;
    await this.tryOut.restore(lines);
    if (shown.game !== game) return;
    let end = node;
    for (const move of lines[line]?.moves.slice(0, count) ?? []) end = end.children.find(({ tried }) => tried === move) ?? end;
    this.goTo(end);
  }

  /** Has the browser remember the view. */
  remember() {
    const view = this.board.view();
    const angle = view === "Glass" ? ` ${angleText(this.shown.angle)}` : "";
    stored(VIEW, CHOICES.includes(view) ? view + angle : "-");
    if (view === "Glass" || location.hash.includes("&glass=")) this.note();
  }

  /** Marks the squares of a move of the list. @param {Position | null} node */
  point(node) {
    const { shown, board } = this;
    if (node === shown.pointed) return;
    shown.pointed = node?.before ? node : null;
    board.drawColumn();
  }

  /** Takes a step through the moves. @param {Move} step */
  go(step) {
    const { game, node } = this.shown;
    // Other moves from the position before: the line itself and its variations.
    const others = node.before?.children ?? [];
    /** @param {number} by */
    const turned = (by) => others[(others.indexOf(node) + by + others.length) % others.length];
    const steps = {
      first: () => game.nodes[0],
      back: () => node.before,
      forth: () => node.next,
      last: () => lastOf(node),
      up: () => (others.length > 1 ? turned(-1) : game.nodes[0]),
      down: () => (others.length > 1 ? turned(1) : lastOf(node)),
    };
    const next = steps[step]();
    if (next && next !== node) this.goTo(next);
  }

  /**
   * Shows the next move that was searched for, or the previous one. After the last one the element gets an event `tx-hit`, with
   * the direction in `event.detail`.
   * @param {number} by
   */
  toHit(by) {
    const { game, node } = this.shown;
    const here = pathOf(node).base.index;
    const found = game.found.filter((index) => (index - here) * by > 0).sort((a, b) => (a - b) * by)[0];
    if (found !== undefined) this.goTo(game.nodes[found]);
    else this.root.dispatchEvent(new CustomEvent("tx-hit", { detail: by }));
  }

  /** Starts or stops autoplay. @param {boolean} isOn */
  playOn(isOn) {
    if (isOn === Boolean(this.timer)) return;
    clearInterval(this.timer);
    this.timer = isOn ? setInterval(() => this.go("forth"), PACE) : 0;
    this.ui.play.setAttribute("aria-label", isOn ? "Stop" : "Play on");
    this.ui.play.querySelector("path")?.setAttribute("d", isOn ? ICONS.stop : ICONS.play);
  }

  /** From the flat or the column view to those in space, and on to the other one. */
  nextView() {
    this.showLevel(null);
    const now = this.board.view();
    this.other ??= now === "Column" ? "Flat" : "Column";
    const order = [this.other === "Flat" ? "Column" : "Flat", ...CHOICES, this.other];
    this.shown.view = order[(order.indexOf(now) + 1) % order.length];
    this.draw();
    this.remember();
  }

  /** Makes a button for each level, and one for all. */
  nameLevels() {
    const { ui, board, shown } = this;
    const isStair = shown.game.shape.sizes.length > FIXED;
    const names = isStair ? LEVEL_NAMES : Array.from({ length: LEVELS }, (_, i) => [String(i + 1), `Level ${i + 1}`]);
    /** @param {number | null} level @param {string} name @param {string} label */
    const made = (level, name, label) => {
      const one = button("level", label, name);
      one.setAttribute("aria-label", label);
      one.addEventListener("click", () => {
        stored(LEVEL, level === null ? "all" : "one");
        this.showLevel(level);
      });
      return one;
    };
    ui.levels.replaceChildren(made(null, "All", "All boards"), ...names.map(([name, label], level) => made(level, name, label)), board.plan);
    this.markLevel();
  }

  /** Marks the button of the level that is shown. */
  markLevel() {
    const { level } = this.shown;
    const at = level === null ? 0 : level + 1;
    [...this.ui.levels.querySelectorAll("button")].forEach((one, i) => {
      one.setAttribute("aria-pressed", String(i === at));
    });
  }

  /** Shows one level alone, larger, or all boards. @param {number | null} level */
  showLevel(level) {
    if (level === this.shown.level) return;
    this.shown.level = level;
    this.markLevel();
    this.draw();
  }

  /** The level on which the move ends; at the start that of the side near the reader. */
  levelNow() {
    const { node, isTurned } = this.shown;
    if (!node.before) return isTurned ? LEVELS - 1 : 0;
    const stage = this.board.stage();
    return stage.levelOf(node.board ?? stage.boardOf(node.squares.at(-1) ?? 0));
  }

  /** Shows the level on which a move ends, if one is shown alone. */
  followLevel() {
    const { shown } = this;
    if (shown.level === null || !shown.node.before) return;
    shown.level = this.levelNow();
    this.markLevel();
  }

  draw() {
    this.board.draw();
    const view = this.board.view();
    this.ui.stage.dataset.shown = this.shown.level === null ? view : "Level";
    if (this.ui.view.textContent !== view) this.ui.view.textContent = view;
  }

  /** Writes what the board shows: the move, whose turn it is, captured pieces, clocks. */
  describe() {
    const { ui, board } = this;
    const { game, node, notation, isTurned } = this.shown;
    const word = node.before ? wordOf(node, notation) : "";
    const move = word ? `${node.number} ${word}` : "start position";
    const shownMove = word ? [`${node.number} `, ...colored(game, notation, word)] : [move];
    const turn = node.white ? "White to move" : "Black to move";
    const rest = [node.outcome ?? (node.check === undefined ? turn : `check, ${turn}`)];
    if (game.found.includes(node.index)) rest.push("found here");
    const comment = node.comments.length ? [html("br"), " ", html("span", { class: "tx-comment" }, node.comments.join(" "))] : [];
    ui.now.replaceChildren(html("b", {}, ...shownMove), ` \u00b7 ${rest.join(" \u00b7 ")}`, ...comment);
    board.title.textContent = `${move}, ${rest.join(", ")}`;
    board.description.textContent = described(game, node, notation);
    this.describeSide(isTurned ? ui.near : ui.far, 1);
    this.describeSide(isTurned ? ui.far : ui.near, 0);
    for (const step of [ui.first, ui.back]) step.setAttribute("aria-disabled", String(!node.before));
    for (const step of [ui.play, ui.forth, ui.last]) step.setAttribute("aria-disabled", String(!node.next));
  }

  /**
   * Writes a side's name, its clock, and the pieces it has captured.
   * @param {Element} element
   * @param {0 | 1} side 0 for White.
   */
  describeSide(element, side) {
    const { game, node } = this.shown;
    const color = side ? "Black" : "White";
    const taken = node.taken.filter((piece) => isWhite(piece) === Boolean(side)).sort((a, b) => b - a);
    const clock = node.clocks[side] ? [html("span", { class: "tx-clock" }, node.clocks[side])] : [];
    const words = taken.length ? [html("span", { class: "tx-unseen" }, `${color} has captured: ${listed(taken)}.`)] : [];
    const name = game.tags.find(([tag]) => tag.toLowerCase() === color.toLowerCase())?.[1] ?? "";
    const player = /[^?]/.test(name) ? [html("b", { class: "tx-player-name" }, name)] : [];
    element.replaceChildren(...player, ...clock, ...taken.map((piece) => pieceIcon(pieceId(piece))), ...words);
  }

  /**
   * Adds moves of the reader after a position, and shows the last one.
   * @param {Position} node
   * @param {ViewerData} data
   * @param {string[]} moves
   */
  add(node, { shared, games }, moves) {
    const [game] = games;
    const line = decoded(shared, typeof game === "function" ? game() : game);
    const last = graft(this.shown.game, node, line, moves);
    this.listMoves();
    this.goTo(last);
  }

  /** Goes back to the game from moves of the reader. */
  leave() {
    this.goTo(pathOf(this.shown.node).base);
    if (document.activeElement === document.body || document.activeElement === this.ui.leave) this.moves.element.focus();
  }

  /** Exchanges the variation that is shown with the line that it leaves. */
  promote() {
    const { game, node } = this.shown;
    if (!isVariation(node)) return;
    promote(game, node);
    this.listMoves();
    this.goTo(node);
  }

  /** Deletes a move of the reader and what follows it. */
  prune() {
    const { shown } = this;
    const { before } = shown.node;
    if (!before || shown.node.tried === undefined) return;
    prune(shown.game, shown.node);
    this.listMoves();
    this.goTo(before);
  }

  /**
   * Lets the reader choose among moves.
   * @param {LegalMove[]} moves
   * @param {(move: LegalMove) => string} word
   * @param {(move: LegalMove) => void} chosen
   */
  choose(moves, word, chosen) {
    this.chooser.open(moves, word, chosen);
  }

  /** Adds a message to what is written of the position. @param {string} text */
  say(text) {
    this.ui.now.append(` \u00b7 ${text}`);
  }
}
