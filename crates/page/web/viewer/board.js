// Draws a position: boards, marks, pieces, arrows. It also finds what is drawn at a point.
import { filled, html, shapes, svg } from "../lib/dom.js";
import { isWhite } from "./game.js";
import { FIXED, Stage, VIEWS } from "./geometry.js";
import { changesBetween, fade, glide, isMoving, pointNow, stop } from "./motion.js";

/** @import { Game, Position } from "./game.js" */
/** @import { Point } from "./geometry.js" */
/** @import { LegalMove, Shared, Spot } from "./wire.js" */

const PIECES = ["", "wP", "wN", "wB", "wR", "wQ", "wK", "bP", "bN", "bB", "bR", "bQ", "bK"];

/**
 * What a board shows.
 * @typedef {object} Shown
 * @property {Game} game
 * @property {Position} node
 * @property {string | null} view The view that was chosen; without one the larger of two is shown.
 * @property {number | null} level The level that is shown alone; nothing for all boards.
 * @property {boolean} isTurned
 * @property {number} notation
 * @property {number} column The column that is marked; -1 for none.
 * @property {[number, number, string][]} drawn Arrows and marks of the reader.
 * @property {{ from: Spot, moves: LegalMove[] } | null} picked What is selected, and its moves.
 */

/**
 * A piece on the board, as it is drawn.
 * @typedef {object} Drawn
 * @property {SVGUseElement} element
 * @property {SVGEllipseElement} shadow
 * @property {Point} foot
 */

/**
 * What was drawn last.
 * @typedef {object} Before
 * @property {string} frame The view and the size of the picture: between two of them nothing moves.
 * @property {Pick<Position, "pieces" | "step">} node
 * @property {number[]} corners
 * @property {Map<number, Drawn>} drawn The pieces by their squares.
 */

/** The ids of pieces, for their numbers in the data. @param {number} piece */
export const pieceId = (piece) => PIECES[piece];

/**
 * A picture of a piece that is defined on the page, such as `wK`.
 * @param {string} id
 */
export const pieceIcon = (id) => svg("svg", { viewBox: "-50 -100 100 104", "aria-hidden": "true", focusable: "false" }, svg("use", { href: `#${id}` }));

/**
 * Defines pieces and marks on a page, once.
 * @param {Element} root
 * @param {Pick<Shared, "pieceShapes" | "markShapes">} shared
 */
export const define = (root, shared) => {
  for (const [id, markup] of [["wK", shared.pieceShapes], ["flat-last", shared.markShapes]]) {
    if (document.getElementById(id)) continue;
    root.prepend(svg("svg", { class: "tx-parts", width: 0, height: 0, "aria-hidden": "true", focusable: "false" }, shapes(markup)));
  }
};

/** The elements of parts that were made, for each page data. @type {WeakMap<Shared, SVGGElement[]>} */
const madeParts = new WeakMap();

/** The picture of a position. */
export class Board {
  /**
   * @param {Shown} shown What the board shows. Its owner changes it, and then calls `draw`.
   * @param {Shared} shared
   * @param {string} prefix The beginning of its ids.
   */
  constructor(shown, shared, prefix) {
    this.shown = shown;
    this.shared = shared;
    /** @param {string} name */
    const layer = (name) => svg("g", { class: `tx-${name}` });
    this.boards = layer("boards");
    this.under = layer("under");
    this.column = layer("column");
    this.chosen = layer("chosen");
    this.gone = layer("gone");
    this.pieces = layer("men");
    this.over = layer("over");
    this.lifted = layer("lifted");
    this.title = svg("title", { id: `${prefix}title` });
    this.description = svg("desc", { id: `${prefix}desc` });
    this.element = svg("svg", { class: "tx-board", role: "img", "aria-labelledby": `${prefix}title ${prefix}desc` });
    const all = svg("g", { id: `${prefix}drawing` }, this.boards, this.under, this.column, this.chosen, this.gone, this.pieces, this.over, this.lifted);
    this.element.append(this.title, this.description, all);
    // The whole board, small, with a frame around the level that is shown alone.
    this.framed = svg("rect", { class: "tx-framed" });
    this.plan = svg("svg", { class: "tx-plan", "aria-hidden": "true", focusable: "false" }, svg("use", { href: `#${all.id}` }), this.framed);
    // What `boards` has.
    this.scene = "";
    /** The elements of each board. @type {Map<number, Element[]>} */
    this.boardParts = new Map();
    /** @type {Before | null} */
    this.before = null;
    // Whether the reader has put the piece down where it goes: then it does not move there again.
    this.isDropped = false;
  }

  /** The view that is shown. */
  view() {
    const { view, game, level } = this.shown;
    if (level !== null) return "Flat";
    if (view) return view;
    const { clientWidth, clientHeight } = this.element;
    /** @param {string} name */
    const scale = (name) => {
      const [width, height] = game.shape.views[2 * VIEWS[name]].size;
      return Math.min((clientWidth || 1) / width, (clientHeight || 1) / height);
    };
    return scale("Column") > scale("Flat") ? "Column" : "Flat";
  }

  /** The stage of a layout in this view. */
  stage(layout = this.shown.node.layout) {
    return Stage.of(this.shown.game, layout, this.view(), this.shown.isTurned);
  }

  /** @param {number} value */
  scaled(value) {
    return +(value * this.shared.unit).toFixed(2);
  }

  /** @param {Point} point */
  at([x, y]) {
    return `translate(${this.scaled(x)} ${this.scaled(y)})`;
  }

  /** Has the boards drawn again, also if their layout is the same: another game has other ones. */
  forget() {
    this.scene = "";
  }

  /**
   * Every mark is a given shape, put where the near left corner of a square or board is.
   * @param {Stage} stage
   * @param {string} name
   * @param {Point} corner
   */
  mark(stage, name, corner) {
    return svg("use", { href: `#${stage.view.space ? "space" : "flat"}-${name}`, transform: this.at(corner) });
  }

  /**
   * @param {Stage} stage
   * @param {string} name
   * @param {number} square
   */
  markOn(stage, name, square) {
    return this.mark(stage, name, stage.squareCorner(square));
  }

  /**
   * The given arrow, turned, its shafts made longer. Where squares are too near to each other it is smaller.
   * @param {Stage} stage
   * @param {number} from
   * @param {number} to
   * @param {string} ink
   */
  arrow(stage, from, to, ink) {
    const [start, end] = [from, to].map((square) => stage.middleOf(square));
    const [dx, dy] = [end[0] - start[0], end[1] - start[1]];
    const length = Math.hypot(dx, dy);
    const given = document.getElementById(`arrow-${ink}`);
    if (length === 0 || !given) return [];
    const long = Math.max(length, 1);
    const more = this.scaled(long - this.shared.arrowLength);
    const drawn = /** @type {Element} */ (given.cloneNode(true));
    drawn.removeAttribute("id");
    drawn.setAttribute("transform", `${this.at(start)} matrix(${dx / long} ${dy / long} ${-dy / long} ${dx / long} 0 0)`);
    [...drawn.children].forEach((part, i) => {
      if (i % 2) part.setAttribute("transform", `translate(${more})`);
      else part.setAttribute("d", (part.getAttribute("d") ?? "").replace(/L([\d.]+)/, (_, x) => `L${Number(x) + more}`));
    });
    return [drawn];
  }

  /**
   * Marks under the pieces: the last move, check, squares of a commentator and of the reader.
   * @param {Stage} stage
   * @param {[number, string][]} marked
   */
  marks(stage, marked) {
    const { node } = this.shown;
    const drawn = [];
    if (node.board !== undefined) {
      if (node.before && node.layout !== node.before.layout) {
        drawn.push(this.mark(stage, "left", this.stage(node.before.layout).cornerOf(node.board)));
      }
      drawn.push(this.mark(stage, "board", stage.cornerOf(node.board)));
    }
    drawn.push(...node.squares.map((square) => this.markOn(stage, "last", square)));
    if (node.check !== undefined) drawn.push(this.markOn(stage, "check", node.check));
    drawn.push(...marked.map(([square, ink]) => this.markOn(stage, ink, square)));
    return drawn;
  }

  /** @param {number} number */
  part(number) {
    const made = madeParts.get(this.shown.game.shared) ?? [];
    madeParts.set(this.shown.game.shared, made);
    made[number] ??= shapes(this.shown.game.shared.parts[number]);
    return /** @type {SVGGElement} */ (made[number].cloneNode(true));
  }

  /**
   * The boards are made again only when another layout, view or notation is shown.
   * @param {Stage} stage
   */
  drawBoards(stage) {
    const { notation } = this.shown;
    const scene = stage.mounts.map(({ parts, names }) => [...parts, "", ...(names[notation] ?? names[0] ?? [])].join(" ")).join();
    if (scene === this.scene) return;
    this.scene = scene;
    this.boardParts = new Map();
    /** @param {number} board @param {number[]} numbers */
    const made = (board, numbers) => {
      const parts = numbers.map((number) => this.part(number));
      this.boardParts.set(board, [...(this.boardParts.get(board) ?? []), ...parts]);
      return parts;
    };
    const shapes = stage.mounts.flatMap(({ board, parts }) => made(board, parts));
    const names = stage.mounts.flatMap((mount) => made(mount.board, mount.names[notation] ?? mount.names[0] ?? []));
    this.boards.replaceChildren(...shapes, ...names);
  }

  /**
   * @param {Point} foot
   * @param {number} piece
   * @param {number} square
   */
  pieceAt(foot, piece, square) {
    return svg("use", { href: `#${PIECES[piece]}`, transform: `${this.at(foot)} scale(${this.shared.pieceScale})`, "data-square": square });
  }

  /**
   * The frame of the whole picture.
   * @param {Stage} stage
   */
  whole(stage) {
    const [width, height] = stage.view.size;
    return `0 0 ${this.scaled(width)} ${this.scaled(height)}`;
  }

  /**
   * Shows the whole picture, or the level that is shown alone.
   * @param {Stage} stage
   */
  frame(stage) {
    const { level } = this.shown;
    const [x, y, width, height] = level === null ? [0, 0, 0, 0] : stage.frameOf(level).map((value) => this.scaled(value));
    this.element.setAttribute("viewBox", level === null ? this.whole(stage) : `${x} ${y} ${width} ${height}`);
    this.plan.setAttribute("viewBox", this.whole(stage));
    filled(this.framed, { x, y, width, height }, []);
  }

  /**
   * Draws a piece, or puts one that is drawn on another square.
   * @param {Drawn | undefined} old
   * @param {Point} foot
   * @param {number} piece
   * @param {number} square
   * @returns {Drawn}
   */
  placed(old, foot, piece, square) {
    const made = this.pieceAt(foot, piece, square);
    const [x, y] = foot;
    const ellipse = { cx: this.scaled(x), cy: this.scaled(y - 0.02), rx: this.scaled(0.3), ry: this.scaled(0.1), opacity: 0.3 };
    if (!old) return { element: made, shadow: svg("ellipse", ellipse), foot };
    for (const { name, value } of made.attributes) old.element.setAttribute(name, value);
    filled(old.shadow, ellipse, []);
    return { ...old, foot };
  }

  /** Draws everything. */
  draw() {
    const { node, drawn } = this.shown;
    const stage = this.stage();
    this.drawBoards(stage);
    this.frame(stage);
    /** @type {[number, string][]} */
    const own = [...node.arrows, ...drawn].filter(([from, to]) => from === to).map(([from, , ink]) => [from, ink]);
    this.under.replaceChildren(...this.marks(stage, [...node.marked, ...own]));
    this.drawPieces(stage);
    this.drawOver();
    this.drawColumn();
  }

  /**
   * Draws the pieces. Those that have moved glide to their squares, on an arc from one board to another; boards glide with
   * their pieces, and captured pieces fade.
   * @param {Stage} stage
   */
  drawPieces(stage) {
    const { node } = this.shown;
    const frame = `${this.view()} ${stage.isTurned} ${stage.view.size} ${stage.view.space}`;
    const before = this.before?.frame === frame ? this.before : null;
    const changes = before && changesBetween(before.node, node);
    const isAnimated = changes !== null && !this.isDropped && isMoving();
    /** @type {Map<number, Drawn>} */
    const drawn = new Map();
    /** @type {Drawn[]} */
    const moving = [];
    for (const [square, piece] of node.pieces.entries()) {
      if (!piece) continue;
      const start = changes?.moved.get(square) ?? square;
      const old = changes && !changes.come.includes(square) ? before?.drawn.get(start) : undefined;
      const foot = stage.footOf(square);
      const isElsewhere = old && (old.foot[0] !== foot[0] || old.foot[1] !== foot[1]);
      const from = old && isAnimated && isElsewhere ? pointNow(old.element) : null;
      if (old && isElsewhere) for (const element of [old.element, old.shadow]) stop(element);
      const now = this.placed(old, foot, piece, square);
      drawn.set(square, now);
      if (from) {
        const to = /** @type {Point} */ (foot.map((value) => this.scaled(value)));
        const isArc = stage.boardOf(start) !== stage.boardOf(square);
        const rise = isArc ? Math.min(this.scaled(1.2), Math.hypot(to[0] - from[0], to[1] - from[1]) / 4) : 0;
        glide(now.element, from, to, { scale: this.shared.pieceScale, rise }).onfinish = () => this.arrange(drawn, stage, []);
        glide(now.shadow, [from[0] - to[0], from[1] - to[1]], [0, 0]);
        moving.push(now);
      } else if (isAnimated && !old) fade(now.element, true);
    }
    this.gone.replaceChildren();
    if (isAnimated) {
      this.glideBoards(stage, before?.corners ?? []);
      for (const square of changes.gone) this.vanish(before?.drawn.get(square)?.element);
    }
    this.isDropped = false;
    this.before = { frame, node, corners: stage.corners, drawn };
    this.arrange(drawn, stage, moving);
  }

  /**
   * Puts the pieces into the order in which they are painted: the farthest first, those that move last.
   * @param {Map<number, Drawn>} drawn
   * @param {Stage} stage
   * @param {Drawn[]} moving
   */
  arrange(drawn, stage, moving) {
    if (this.before?.drawn !== drawn) return;
    const order = [...drawn.values()].sort((a, b) => Number(moving.includes(a)) - Number(moving.includes(b)) || a.foot[1] - b.foot[1]);
    this.pieces.replaceChildren(...order.flatMap(({ element, shadow }) => (stage.view.space ? [shadow, element] : [element])));
  }

  /**
   * Boards that have moved glide from where they were.
   * @param {Stage} stage
   * @param {number[]} corners
   */
  glideBoards(stage, corners) {
    for (const [board, parts] of this.boardParts) {
      if (board < 0) continue;
      const [x, y] = [0, 1].map((i) => this.scaled(corners[2 * board + i] - stage.corners[2 * board + i]));
      if (x || y) for (const part of parts) glide(part, [x, y], [0, 0]);
    }
  }

  /** A captured piece fades. @param {Element | undefined} element */
  vanish(element) {
    if (!element) return;
    stop(element);
    this.gone.append(element);
    fade(element, false).onfinish = () => element.remove();
  }

  /** Draws arrows, the selected piece or board, and where it can go. */
  drawOver() {
    const { game, node, drawn, picked } = this.shown;
    const stage = this.stage();
    /** @type {number[]} */
    let selected = [];
    if (typeof picked?.from === "string") {
      const board = FIXED + game.layouts[node.layout].pins.findIndex((pin) => pin.startsWith(`${picked.from}@`));
      selected = [0, 1, 2, 3].map((i) => game.shape.boards[board] + i);
    } else if (picked) selected = [picked.from];
    this.chosen.replaceChildren(...selected.map((square) => this.markOn(stage, "G", square)));
    const arrows = [...node.arrows, ...drawn].flatMap(([from, to, ink]) => this.arrow(stage, from, to, ink));
    const targets = stage.targetsOf(picked?.moves ?? []).map((to) => {
      const mark = typeof to === "string" ? this.mark(stage, "pin", stage.view.pins[to]) : this.markOn(stage, node.pieces[to] ? "take" : "go", to);
      return filled(mark, { "data-square": to }, []);
    });
    this.over.replaceChildren(...arrows, ...targets);
  }

  /** Marks the column under the pointer on every board. */
  drawColumn() {
    const { game, node, column } = this.shown;
    const stage = this.stage();
    const { columns } = game.layouts[node.layout];
    this.column.replaceChildren(...columns.flatMap((here, square) => (here === column ? this.markOn(stage, "column", square) : [])));
  }

  /**
   * Draws what is dragged at the pointer.
   * @param {Spot} spot
   * @param {Point} point
   */
  lift(spot, [x, y]) {
    const stage = this.stage();
    const [rankX, rankY] = stage.view.rank;
    const drawn = typeof spot === "string"
      ? this.mark(stage, "board", [x - 1 - rankX, y - rankY])
      : this.pieceAt([x, y + 0.45], this.shown.node.pieces[spot], spot);
    this.lifted.replaceChildren(drawn);
    if (typeof spot === "number") this.before?.drawn.get(spot)?.element.classList.add("tx-origin");
  }

  /** Ends the drag. */
  drop() {
    this.lifted.replaceChildren();
    for (const { element } of this.before?.drawn.values() ?? []) element.classList.remove("tx-origin");
  }

  /**
   * The point of an event, in squares.
   * @param {{ clientX: number, clientY: number }} event
   * @returns {Point | null}
   */
  pointOn({ clientX, clientY }) {
    const matrix = this.element.getScreenCTM();
    if (!matrix) return null;
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    return [x / this.shared.unit, y / this.shared.unit];
  }

  /**
   * The square there, regardless of pieces in front of it.
   * @param {{ clientX: number, clientY: number }} event
   */
  squareUnder(event) {
    const point = this.pointOn(event);
    return point ? this.stage().squareAt(point, this.shown.node.pieces.length) : -1;
  }

  /**
   * What a layer has drawn there: of several elements the front one, which the page finds first.
   * @param {{ clientX: number, clientY: number }} event
   * @param {Element} layer
   */
  drawnAt({ clientX, clientY }, layer) {
    const found = document.elementsFromPoint(clientX, clientY).find((one) => one.parentNode === layer && one.hasAttribute("data-square"));
    return found?.getAttribute("data-square") ?? undefined;
  }

  /**
   * The square there: that of a piece, which stands in front of the squares behind it, or else the one below.
   * @param {{ clientX: number, clientY: number }} event
   */
  squareAt(event) {
    return Number(this.drawnAt(event, this.pieces) ?? this.squareUnder(event));
  }

  /**
   * The attack board that has its name, its rim or its tie drawn there.
   * @param {{ clientX: number, clientY: number }} event
   */
  boardDrawnAt({ clientX, clientY }) {
    const { game, node } = this.shown;
    const elements = document.elementsFromPoint(clientX, clientY).filter((one) => this.boards.contains(one));
    for (const [board, parts] of this.boardParts) {
      const isHere = parts.some((part) => elements.some((one) => part.contains(one)));
      if (board >= FIXED && isHere) return game.layouts[node.layout].pins[board - FIXED].split("@")[0];
    }
    return undefined;
  }

  /**
   * What is there: a piece; an attack board, also by a square of it without a piece; an empty square of another board.
   * @param {{ clientX: number, clientY: number }} event
   * @returns {Spot}
   */
  spotAt(event) {
    const { game, node } = this.shown;
    const { pins } = game.layouts[node.layout];
    const square = this.squareAt(event);
    if (square < 0) {
      const point = this.pointOn(event);
      return this.boardDrawnAt(event) ?? (point && this.stage().boardAt(point, pins)) ?? square;
    }
    const pin = node.pieces[square] ? undefined : pins[this.stage().boardOf(square) - FIXED];
    return pin?.split("@")[0] ?? square;
  }

  /**
   * The target there, of the moves of what is selected; -1 for none. A square that has a mark of a target is in front of
   * pieces. What is dropped may be dropped behind a piece; a click selects the piece.
   * @param {{ clientX: number, clientY: number }} event
   * @param {boolean} isDropped
   * @returns {Spot}
   */
  targetAt(event, isDropped) {
    const { picked } = this.shown;
    if (!picked) return -1;
    if (typeof picked.from === "string") {
      const point = this.pointOn(event);
      const stage = this.stage();
      return (point && stage.pinAt(point, stage.targetsOf(picked.moves))) ?? -1;
    }
    const targets = [Number(this.drawnAt(event, this.over)), this.squareAt(event), ...(isDropped ? [this.squareUnder(event)] : [])];
    return targets.find((square) => picked.moves.some(({ to }) => to === square)) ?? -1;
  }

  /**
   * Whether the side to move can move this: one of its pieces, or an attack board.
   * @param {Spot} spot
   */
  isMovable(spot) {
    if (typeof spot === "string") return true;
    const piece = this.shown.node.pieces[spot] ?? 0;
    return piece > 0 && isWhite(piece) === this.shown.node.white;
  }

  /** The picture as a file of its own. */
  svgText() {
    const copy = /** @type {SVGSVGElement} */ (this.element.cloneNode(true));
    for (const layer of copy.querySelectorAll(".tx-column, .tx-gone")) layer.replaceChildren();
    copy.setAttribute("viewBox", this.whole(this.stage()));
    const [, , width, height] = this.whole(this.stage()).split(" ");
    const ids = new Set([...copy.querySelectorAll("use")].map((use) => (use.getAttribute("href") ?? "").slice(1)));
    const definitions = [...ids].flatMap((id) => document.getElementById(id)?.cloneNode(true) ?? []);
    copy.prepend(svg("defs", {}, ...definitions), svg("rect", { width, height, fill: "var(--tx-ground)" }));
    for (const name of ["class", "aria-labelledby"]) copy.removeAttribute(name);
    copy.setAttribute("width", width);
    copy.setAttribute("height", height);
    const style = getComputedStyle(this.element);
    return new XMLSerializer().serializeToString(copy).replace(/var\((--tx-[\w-]+)\)/g, (_, name) => style.getPropertyValue(name).trim());
  }

  /** The picture as PNG, twice as large as it is drawn. */
  async png() {
    const address = URL.createObjectURL(new Blob([this.svgText()], { type: "image/svg+xml" }));
    try {
      const image = new Image();
      image.src = address;
      await image.decode();
      const canvas = html("canvas", { width: 2 * image.width, height: 2 * image.height });
      canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
      return await new Promise((/** @type {(blob: Blob | null) => void} */ done) => canvas.toBlob(done, "image/png"));
    } finally {
      URL.revokeObjectURL(address);
    }
  }
}
