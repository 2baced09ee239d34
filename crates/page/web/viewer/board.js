// Draws a position: boards, marks, pieces, arrows. It also finds what is drawn at a point.
import { filled, html, shapes, svg } from "../lib/dom.js";
import { isWhite } from "./game.js";
import { FIXED, Stage, VIEWS } from "./geometry.js";
import { angleText, GlassStage } from "./glass.js";
import { Layer } from "./layer.js";
import { tint } from "./levels.js";
import { changesBetween, fade, glide, isMoving, pointNow, stop } from "./motion.js";
import { Plates } from "./plates.js";
import { Strokes } from "./strokes.js";

/** @import { Game, Position } from "./game.js" */
/** @import { Frame, Point } from "./geometry.js" */
/** @import { Angle } from "./glass.js" */
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
 * @property {Angle} angle From where the glass view is seen.
 * @property {number} notation
 * @property {number} column The column that is marked; -1 for none.
 * @property {Position | null} pointed The position whose move the pointer is on in the list.
 * @property {[number, number, string][]} drawn Arrows and marks of the reader.
 * @property {{ from: Spot, moves: LegalMove[] } | null} picked What is selected, and its moves.
 */

/**
 * A piece on the board, as it is drawn.
 * @typedef {object} Drawn
 * @property {SVGUseElement} element
 * @property {SVGEllipseElement} shadow
 * @property {Point} foot
 * @property {number} story
 * @property {number} depth
 * @property {Animation[]} motions What moves it.
 */

/**
 * What was drawn last.
 * @typedef {object} Before
 * @property {string} frame The view and the size of the picture: between two of them nothing moves.
 * @property {string} angle The angle of the glass view: nothing moves while it is turned.
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
    this.boards = new Layer("boards");
    this.under = new Layer("under");
    this.column = new Layer("column");
    this.chosen = new Layer("chosen");
    this.gone = new Layer("gone");
    this.pieces = new Layer("men");
    this.over = svg("g", { class: "tx-over" });
    this.lifted = svg("g", { class: "tx-lifted" });
    this.plates = new Plates(shared.unit);
    this.strokes = new Strokes(shared.unit);
    this.title = svg("title", { id: `${prefix}title` });
    this.description = svg("desc", { id: `${prefix}desc` });
    this.element = svg("svg", { class: "tx-board", role: "img", "aria-labelledby": `${prefix}title ${prefix}desc` });
    this.drawing = svg("g", { id: `${prefix}drawing` });
    this.element.append(this.title, this.description, this.drawing);
    // The whole board, small, with a frame around the level that is shown alone.
    this.framed = svg("rect", { class: "tx-framed" });
    this.plan = svg("svg", { class: "tx-plan", "aria-hidden": "true", focusable: "false" }, svg("use", { href: `#${this.drawing.id}` }), this.framed);
    // What `boards` has.
    this.scene = "";
    /** The elements of each board. @type {Map<number, Element[]>} */
    this.boardParts = new Map();
    /** @type {Before | null} */
    this.before = null;
    // Whether the reader has put the piece down where it goes: then it does not move there again.
    this.isDropped = false;
    // Whether the glass board is being turned: then what is small is not drawn.
    this.isTurning = false;
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
    const { game, angle, isTurned } = this.shown;
    const view = this.view();
    return view === "Glass" ? new GlassStage(game, layout, angle, isTurned) : Stage.of(game, layout, view, isTurned);
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

  /** Gives each height of the stage its layers, the lowest first: a board of glass is in front of what is below it. @param {Stage} stage */
  layOut(stage) {
    const layers = [this.boards, this.under, this.column, this.chosen, this.gone, this.pieces];
    if (this.drawing.firstChild && this.boards.groups.length === stage.stories) return;
    for (const layer of layers) layer.resize(stage.stories);
    this.drawing.replaceChildren(...this.boards.groups.flatMap((_, story) => layers.map(({ groups }) => groups[story])), this.over, this.lifted);
    // The pieces are in their layers again when they are arranged.
    for (const { element, shadow } of this.before?.drawn.values() ?? []) for (const one of [element, shadow]) one.remove();
  }

  /**
   * Every mark is a given shape, put where the near left corner of a square or board is.
   * @param {Stage} stage
   * @param {string} name
   * @param {Frame} frame
   */
  mark(stage, name, [a, b, c, d, x, y]) {
    const matrix = [a, b, c, d].map((value) => +value.toFixed(4)).join(" ");
    const transform = stage.isGlass ? `matrix(${matrix} ${this.scaled(x)} ${this.scaled(y)})` : this.at([x, y]);
    return svg("use", { href: `#${stage.view.space ? "space" : "flat"}-${name}`, transform });
  }

  /**
   * @param {Stage} stage
   * @param {string} name
   * @param {number} square
   */
  markOn(stage, name, square) {
    return this.mark(stage, name, stage.onSquare(square));
  }

  /**
   * A mark in the layer of its square.
   * @param {Stage} stage
   * @param {string} name
   * @param {number} square
   * @returns {[story: number, mark: Element]}
   */
  laid(stage, name, square) {
    return [stage.storyOfSquare(square), this.markOn(stage, name, square)];
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
    /** @type {[number, Element][]} */
    const drawn = [];
    if (node.board !== undefined) {
      const story = stage.storyOf(node.board);
      if (node.before && node.layout !== node.before.layout) {
        drawn.push([story, this.mark(stage, "left", this.stage(node.before.layout).onBoard(node.board))]);
      }
      drawn.push([story, this.mark(stage, "board", stage.onBoard(node.board))]);
    }
    drawn.push(...node.squares.map((square) => this.laid(stage, "last", square)), ...this.strokes.way(this.shown, stage));
    if (node.check !== undefined) drawn.push(this.laid(stage, "check", node.check));
    drawn.push(...marked.map(([square, ink]) => this.laid(stage, ink, square)));
    return drawn;
  }

  /** @param {number} number */
  part(number) {
    const { game, node } = this.shown;
    const { shared } = game.layouts[node.layout];
    const made = madeParts.get(shared) ?? [];
    madeParts.set(shared, made);
    made[number] ??= shapes(shared.parts[number]);
    return /** @type {SVGGElement} */ (made[number].cloneNode(true));
  }

  /**
   * The boards are made again only when another layout, view or notation is shown.
   * @param {Stage} stage
   */
  drawBoards(stage) {
    const { game, notation, node } = this.shown;
    if (stage instanceof GlassStage) {
      const scene = `Glass ${node.layout} ${notation}`;
      if (scene !== this.scene) this.boardParts = this.plates.make(game, node.layout, notation);
      this.plates.place(stage, this.isTurning);
      if (scene !== this.scene) this.boards.fill(this.plates.laid(stage));
      this.scene = scene;
      return;
    }
    // The parts of moves that readers try have numbers of their own.
    const own = game.layouts[node.layout].shared === game.shared ? "" : `${node.layout}: `;
    const scene = own + stage.mounts.map(({ parts, names }) => [...parts, "", ...(names[notation] ?? names[0] ?? [])].join(" ")).join();
    if (scene === this.scene) return;
    this.scene = scene;
    this.boardParts = new Map();
    /** @param {number} board @param {number[]} numbers */
    const made = (board, numbers) => {
      const parts = numbers.map((number) => this.part(number));
      for (const part of parts) tint(part, board);
      this.boardParts.set(board, [...(this.boardParts.get(board) ?? []), ...parts]);
      return parts;
    };
    const shapes = stage.mounts.flatMap(({ board, parts }) => made(board, parts));
    const names = stage.mounts.flatMap((mount) => made(mount.board, mount.names[notation] ?? mount.names[0] ?? []));
    this.boards.fill([...shapes, ...names].map((part) => [0, part]));
  }

  /**
   * @param {Point} foot
   * @param {number} scale
   */
  standing(foot, scale) {
    return `${this.at(foot)} scale(${+(this.shared.pieceScale * scale).toFixed(4)})`;
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
   * @param {Stage} stage
   * @param {number} piece
   * @param {number} square
   * @returns {Drawn}
   */
  placed(old, stage, piece, square) {
    const foot = stage.footOf(square);
    const element = old?.element ?? svg("use");
    const shadow = old?.shadow ?? svg("ellipse", { opacity: 0.25 });
    // Browsers draw a piece from scratch when its address is set, even to the same one.
    const known = element.getAttribute("data-square") === String(square) ? {} : { "data-square": square };
    const href = `#${PIECES[piece]}`;
    const look = element.getAttribute("href") === href ? {} : { href };
    filled(element, { transform: this.standing(foot, stage.scaleOf(square)), ...known, ...look }, []);
    const { x, y, width, height } = stage.shadowOf(square);
    filled(shadow, { cx: this.scaled(x), cy: this.scaled(y), rx: this.scaled(width), ry: this.scaled(height) }, []);
    return { element, shadow, foot, story: stage.storyOfSquare(square), depth: stage.depthOf(square), motions: [] };
  }

  /** Draws everything. */
  draw() {
    const { node, drawn } = this.shown;
    const stage = this.stage();
    this.layOut(stage);
    this.drawBoards(stage);
    this.frame(stage);
    /** @type {[number, string][]} */
    const own = [...node.arrows, ...drawn].filter(([from, to]) => from === to).map(([from, , ink]) => [from, ink]);
    this.under.fill(this.marks(stage, [...node.marked, ...own]));
    this.drawPieces(stage);
    this.drawOver(stage);
    this.drawColumn(stage);
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
    const angle = stage.isGlass ? angleText(this.shown.angle) : "";
    const changes = before && changesBetween(before.node, node);
    const isAnimated = changes !== null && before?.angle === angle && !this.isDropped && isMoving();
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
      if (old && isElsewhere) for (const motion of old.motions) motion.cancel();
      const now = this.placed(old, stage, piece, square);
      drawn.set(square, now);
      if (old && !isElsewhere) now.motions = old.motions;
      if (from) {
        const to = /** @type {Point} */ (foot.map((value) => this.scaled(value)));
        const isArc = stage.boardOf(start) !== stage.boardOf(square);
        const rise = isArc ? Math.min(this.scaled(1.2), Math.hypot(to[0] - from[0], to[1] - from[1]) / 4) : 0;
        const motion = glide(now.element, from, to, { scale: this.shared.pieceScale * stage.scaleOf(square), rise });
        motion.onfinish = () => this.arrange(drawn, stage, []);
        now.motions = [motion, glide(now.shadow, [from[0] - to[0], from[1] - to[1]], [0, 0])];
        moving.push(now);
      } else if (isAnimated && !old) now.motions = [fade(now.element, true)];
    }
    this.gone.fill([]);
    if (isAnimated) {
      this.glideBoards(stage, before?.corners ?? []);
      for (const square of changes.gone) this.vanish(before?.drawn.get(square));
    }
    this.isDropped = false;
    this.before = { frame, angle, node, corners: stage.corners, drawn };
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
    const order = [...drawn.values()].sort((a, b) => Number(moving.includes(a)) - Number(moving.includes(b)) || a.depth - b.depth);
    const hasShadow = stage.view.space || stage.isGlass;
    this.pieces.fill(order.flatMap(({ element, shadow, story }) => (hasShadow ? [[story, shadow], [story, element]] : [[story, element]])));
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

  /** A captured piece fades. @param {Drawn | undefined} piece */
  vanish(piece) {
    if (!piece) return;
    const { element, story } = piece;
    stop(element);
    this.gone.groups[Math.min(story, this.gone.groups.length - 1)].append(element);
    fade(element, false).onfinish = () => element.remove();
  }

  /** Draws arrows, the selected piece or board, and where it can go. */
  drawOver(stage = this.stage()) {
    const { game, node, drawn, picked } = this.shown;
    /** @type {number[]} */
    let selected = [];
    if (typeof picked?.from === "string") {
      const board = FIXED + game.layouts[node.layout].pins.findIndex((pin) => pin.startsWith(`${picked.from}@`));
      selected = [0, 1, 2, 3].map((i) => game.shape.boards[board] + i);
    } else if (picked) selected = [picked.from];
    this.chosen.fill(selected.map((square) => this.laid(stage, "G", square)));
    const arrows = [...node.arrows, ...drawn].flatMap(([from, to, ink]) => this.arrow(stage, from, to, ink));
    const targets = stage.targetsOf(picked?.moves ?? []).map((to) => {
      const mark = typeof to === "string" ? this.mark(stage, "pin", stage.onPin(to)) : this.markOn(stage, node.pieces[to] ? "take" : "go", to);
      return filled(mark, { "data-square": to }, []);
    });
    this.over.replaceChildren(...this.strokes.threads(this.shown, stage), ...arrows, ...targets);
  }

  /** Marks the column under the pointer on every board, and the squares of a move that the pointer is on. */
  drawColumn(stage = this.stage()) {
    const { game, node, column, pointed } = this.shown;
    const { columns } = game.layouts[node.layout];
    if (pointed) {
      const { board, squares } = pointed;
      return this.column.fill(board === undefined ? squares.map((square) => this.laid(stage, "B", square)) : [[stage.storyOf(board), this.mark(stage, "board", stage.onBoard(board))]]);
    }
    this.column.fill(columns.flatMap((here, square) => (here === column ? [this.laid(stage, "column", square)] : [])));
  }

  /**
   * Draws what is dragged at the pointer.
   * @param {Spot} spot
   * @param {Point} point
   */
  lift(spot, [x, y]) {
    const stage = this.stage();
    const drawn = typeof spot === "string"
      ? this.mark(stage, "board", stage.held([x, y], spot))
      : svg("use", { href: `#${PIECES[this.shown.node.pieces[spot]]}`, transform: this.standing([x, y + 0.45], stage.scaleOf(spot)) });
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
   * @param {Element[]} groups The groups of the layer.
   */
  drawnAt({ clientX, clientY }, groups) {
    const found = document.elementsFromPoint(clientX, clientY).find((one) => one.hasAttribute("data-square") && groups.some((group) => one.parentNode === group));
    return found?.getAttribute("data-square") ?? undefined;
  }

  /**
   * The square there: that of a piece, which stands in front of the squares behind it, or else the one below.
   * @param {{ clientX: number, clientY: number }} event
   */
  squareAt(event) {
    return Number(this.drawnAt(event, this.pieces.groups) ?? this.squareUnder(event));
  }

  /**
   * The attack board that has its name, its rim or its tie drawn there.
   * @param {{ clientX: number, clientY: number }} event
   */
  boardDrawnAt({ clientX, clientY }) {
    const { game, node } = this.shown;
    const elements = document.elementsFromPoint(clientX, clientY).filter((one) => this.boards.groups.some((group) => group.contains(one)));
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
    const targets = [Number(this.drawnAt(event, [this.over])), this.squareAt(event), ...(isDropped ? [this.squareUnder(event)] : [])];
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
