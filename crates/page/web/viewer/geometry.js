// Where squares are on a stage. A square is a board, and a file and a rank on it as the viewer sees them. Lengths are in
// squares of the flat view. It draws nothing.
import { mountedOn } from "./wire.js";

/** @import { Game } from "./game.js" */
/** @import { Mounted, Shape, Spot, WireView } from "./wire.js" */

/** @typedef {[number, number]} Point */
/** @typedef {[board: number, file: number, rank: number]} Cell */
/** @typedef {[number, number, number, number, number, number]} Frame The matrix that puts a mark, drawn to the right of its corner and above it, where it is seen. */

/** The number of boards that do not move. The attack boards come after them. */
export const FIXED = 3;

/** The views in the order of the data. @type {Record<string, number>} */
export const VIEWS = { Flat: 0, Stand: 1, Column: 2 };

/**
 * Whether a file and a rank, counted from a corner, are inside a board.
 * @param {Point} point
 * @param {number} size
 * @param {number} [aside] How far beyond its files.
 */
export const isInside = ([file, rank], size, aside = 0) => rank >= 0 && rank < size && file >= -aside && file < size + aside;

/** The number of levels: of main boards, or of boards of the cube. */
export const LEVELS = 3;

// How far the frame of a level reaches beyond its board: to the left and right, below and above. On the stair board there is
// room for an attack board at each corner.
const AROUND_MAIN = { side: 1.4, below: 2.9, above: 2.9 };
const AROUND_LEVEL = { side: 0.25, below: 0.25, above: 0.9 };

/** A layout of boards in one view from one side. */
export class Stage {
  /**
   * @param {Shape} shape
   * @param {WireView} view
   * @param {Mounted} mounted
   * @param {boolean} isTurned Whether Black's side is near the viewer.
   */
  constructor(shape, view, mounted, isTurned) {
    this.shape = shape;
    this.view = view;
    this.isTurned = isTurned;
    this.corners = mounted.corners;
    this.mounts = mounted.mounts;
  }

  /**
   * The stage of a layout of a game.
   * @param {Game} game
   * @param {number} layout
   * @param {string} view
   * @param {boolean} isTurned
   */
  static of(game, layout, view, isTurned) {
    const number = 2 * VIEWS[view] + (isTurned ? 1 : 0);
    const { shape } = game.layouts[layout];
    return new Stage(shape, shape.views[number], mountedOn(game.layouts[layout], number), isTurned);
  }

  /**
   * The board of a square.
   * @param {number} square
   */
  boardOf(square) {
    return this.shape.boards.findLastIndex((first) => first <= square);
  }

  /**
   * @param {number} square
   * @returns {Cell}
   */
  cellOf(square) {
    const { boards, sizes } = this.shape;
    const board = this.boardOf(square);
    const [size, i] = [sizes[board], square - boards[board]];
    const [file, rank] = [i % size, Math.floor(i / size)];
    return this.isTurned ? [board, size - 1 - file, size - 1 - rank] : [board, file, rank];
  }

  /**
   * A point of a square, by its distances from the near left corner in files and ranks.
   * @param {Cell} cell
   * @param {number} right
   * @param {number} away
   * @returns {Point}
   */
  pointOf([board, file, rank], right, away) {
    const [x, y] = this.view.rank;
    return [
      this.corners[2 * board] + file + right + x * (rank + away),
      this.corners[2 * board + 1] + y * (rank + away),
    ];
  }

  /**
   * The level of a board, from 0: its own, or that of the main board next to an attack board.
   * @param {number} board
   */
  levelOf(board) {
    if (board < FIXED) return board;
    const { sizes } = this.shape;
    /** @param {number} other */
    const middle = (other) => this.corners[2 * other] + sizes[other] / 2;
    const distances = Array.from({ length: LEVELS }, (_, level) => Math.abs(middle(level) - middle(board)));
    return distances.indexOf(Math.min(...distances));
  }

  /**
   * The part of a flat picture that shows one level with its attack boards.
   * @param {number} level
   * @returns {[x: number, y: number, width: number, height: number]}
   */
  frameOf(level) {
    const { sizes } = this.shape;
    const { side, below, above } = sizes.length > FIXED ? AROUND_MAIN : AROUND_LEVEL;
    const [x, y] = this.cornerOf(level);
    let [left, right] = [x - side, x + sizes[level] + side];
    // Two boards at one corner need more room.
    for (let board = FIXED; board < sizes.length; board++) {
      if (this.levelOf(board) !== level) continue;
      const [own] = this.cornerOf(board);
      [left, right] = [Math.min(left, own - 0.4), Math.max(right, own + sizes[board] + 0.4)];
    }
    return [left, y - sizes[level] - above, right - left, sizes[level] + below + above];
  }

  /**
   * The near left corner of a board.
   * @param {number} board
   */
  cornerOf(board) {
    return this.pointOf([board, 0, 0], 0, 0);
  }

  /** Whether the boards are seen in perspective. */
  get isGlass() {
    return false;
  }

  /** The number of heights, which are painted one after another. */
  get stories() {
    return 1;
  }

  /** The height of a board, counted from the lowest one. @param {number} _board */
  storyOf(_board) {
    return 0;
  }

  /** @param {number} _square */
  storyOfSquare(_square) {
    return 0;
  }

  /** Where a mark on a square is drawn. @param {number} square @returns {Frame} */
  onSquare(square) {
    return [1, 0, 0, 1, ...this.squareCorner(square)];
  }

  /** Where a mark on an attack board is drawn. @param {number} board @returns {Frame} */
  onBoard(board) {
    return [1, 0, 0, 1, ...this.cornerOf(board)];
  }

  /** Where a mark on a pin is drawn. @param {Spot} pin @returns {Frame} */
  onPin(pin) {
    return [1, 0, 0, 1, ...this.view.pins[pin]];
  }

  /** Where an attack board is drawn that is held at a point. @param {Point} point @param {string} _name @returns {Frame} */
  held([x, y], _name) {
    const [rankX, rankY] = this.view.rank;
    return [1, 0, 0, 1, x - 1 - rankX, y - rankY];
  }

  /** By how much a piece on a square is enlarged. @param {number} _square */
  scaleOf(_square) {
    return 1;
  }

  /** The shadow of a piece. @param {number} square */
  shadowOf(square) {
    const [x, y] = this.footOf(square);
    return { x, y: y - 0.02, width: 0.3, height: 0.1 };
  }

  /** Farther squares have a smaller depth: their pieces are painted first. @param {number} square */
  depthOf(square) {
    return this.footOf(square)[1];
  }

  /**
   * The near left corner of a square.
   * @param {number} square
   */
  squareCorner(square) {
    return this.pointOf(this.cellOf(square), 0, 0);
  }

  /**
   * Where the foot of a piece stands.
   * @param {number} square
   */
  footOf(square) {
    return this.pointOf(this.cellOf(square), 0.5, this.view.foot);
  }

  /**
   * The middle of a square.
   * @param {number} square
   */
  middleOf(square) {
    return this.pointOf(this.cellOf(square), 0.5, this.view.middle);
  }

  /**
   * The file and rank of a point, counted from a corner.
   * @param {Point} point
   * @param {Point} corner
   * @returns {Point}
   */
  cellFrom([x, y], [cornerX, cornerY]) {
    const rank = (y - cornerY) / this.view.rank[1];
    return [x - cornerX - rank * this.view.rank[0], rank];
  }

  /**
   * The square at a point: of several the one in front; -1 for none.
   * @param {Point} point
   * @param {number} count The number of squares.
   */
  squareAt(point, count) {
    for (let square = count - 1; square >= 0; square--) {
      if (isInside(this.cellFrom(point, this.squareCorner(square)), 1)) return square;
    }
    return -1;
  }

  /**
   * The attack board at a point or beside it, for its name and its edge are beside it.
   * @param {Point} point
   * @param {string[]} pins The attack boards with their pins.
   * @returns {string | undefined} The name of the board.
   */
  boardAt(point, pins) {
    const cells = pins.map((pin, i) => ({ pin, cell: this.cellFrom(point, this.cornerOf(FIXED + i)) }));
    const near = cells.filter(({ cell }) => isInside(cell, 2, 1.8));
    near.sort((a, b) => Math.abs(a.cell[0] - 1) - Math.abs(b.cell[0] - 1));
    return near[0]?.pin.split("@")[0];
  }

  /**
   * The pin at a point, among some: of several the one in front.
   * @param {Point} point
   * @param {Spot[]} pins
   */
  pinAt(point, pins) {
    return pins.findLast((pin) => isInside(this.cellFrom(point, this.view.pins[pin]), 2));
  }

  /**
   * The targets of moves, each once. Pins are sorted with the farthest first, which at one height is the rightmost.
   * @param {{ to: Spot }[]} moves
   */
  targetsOf(moves) {
    const { pins } = this.view;
    const targets = [...new Set(moves.map(({ to }) => to))];
    return targets.sort((a, b) => (pins[a] ? pins[a][1] - pins[b][1] || pins[b][0] - pins[a][0] : 0));
  }
}
