// The lines on which pieces move, as threads through the levels. It draws nothing.

/** @import { Layout, Shape } from "./wire.js" */
/** @import { LegalMove } from "./wire.js" */

/**
 * A ray of a piece.
 * @typedef {object} Ray
 * @property {[from: number, to: number][]} parts From square to square.
 * @property {number[]} blocked The squares of pieces that end it and cannot be captured.
 */

/** Whether a piece moves along lines. @param {number} piece */
const isSlider = (piece) => [3, 4, 5].includes(((piece - 1) % 6) + 1);

/** @param {number} a @param {number} b @returns {number} */
const divisor = (a, b) => (b ? divisor(b, a % b) : Math.abs(a));

/** The squares in space: a file and a rank of the plan, and a height. */
export class Space {
  /**
   * @param {Shape} shape
   * @param {Layout} layout
   */
  constructor({ boards, sizes }, { columns, pins }) {
    this.isStair = sizes.length > 3;
    const width = this.isStair ? 6 : 8;
    this.width = width;
    this.columns = columns;
    this.boards = boards;
    // Attack boards are between the levels: heights are counted in halves.
    this.heights = sizes.map((_, board) => {
      if (board < 3) return 2 * board;
      const pin = pins[board - 3].split("@")[1];
      return 2 * Math.floor((Number(pin[1]) - 1) / 2) + (pin.endsWith("v") ? -1 : 1);
    });
    /** The squares of each column, the lowest first. @type {number[][]} */
    this.inColumn = [];
    for (const [square, column] of columns.entries()) {
      this.inColumn[column] ??= [];
      this.inColumn[column].push(square);
    }
    for (const squares of this.inColumn) squares?.sort((a, b) => this.heightOf(a) - this.heightOf(b));
  }

  /** @param {number} square */
  heightOf(square) {
    return this.heights[this.boards.findLastIndex((first) => first <= square)];
  }

  /** @param {number} square @returns {[number, number, number]} */
  placeOf(square) {
    const column = this.columns[square];
    return [column % this.width, Math.floor(column / this.width), this.heightOf(square)];
  }

  /** The squares at a file and a rank of the plan. @param {number} x @param {number} y */
  squaresAt(x, y) {
    return x < 0 || x >= this.width ? [] : this.inColumn[x + y * this.width] ?? [];
  }

  /** The next square below in its column. @param {number} square */
  below(square) {
    const column = this.inColumn[this.columns[square]];
    return column[column.indexOf(square) - 1];
  }

  /**
   * The way from one square to another in equal steps. On the stair board a step is one in the plan, at any height.
   * @param {number} from
   * @param {number} to
   */
  wayTo(from, to) {
    const [start, end] = [this.placeOf(from), this.placeOf(to)];
    const way = start.map((value, i) => end[i] - value);
    const steps = this.isStair && (way[0] || way[1]) ? divisor(way[0], way[1]) : divisor(divisor(way[0], way[1]), way[2]);
    const direction = way.map((value) => value / (steps || 1));
    const key = (this.isStair && (way[0] || way[1]) ? direction.slice(0, 2) : direction).join();
    return { key, steps, direction };
  }

  /**
   * The squares on the way from one square to another, both included; where a column has several, that which is nearest to the
   * straight line.
   * @param {number} from
   * @param {number} to
   * @param {number} piece
   */
  along(from, to, piece) {
    const { steps, direction } = this.wayTo(from, to);
    const [x, y, z] = this.placeOf(from);
    const between = [];
    for (let step = 1; isSlider(piece) && step < steps; step++) {
      const height = z + direction[2] * step;
      /** @param {number} square */
      const off = (square) => Math.abs(this.heightOf(square) - height);
      const here = this.squaresAt(x + direction[0] * step, y + direction[1] * step).toSorted((a, b) => off(a) - off(b))[0];
      if (here !== undefined) between.push(here);
    }
    return [from, ...between, to];
  }

  /**
   * The rays on which a piece can move.
   * @param {number} from
   * @param {LegalMove[]} moves Its moves.
   * @param {number[]} pieces The piece on every square.
   * @returns {Ray[]}
   */
  rays(from, moves, pieces) {
    if (!isSlider(pieces[from])) return [];
    /** @type {Map<string, { to: number, steps: number, direction: number[] }[]>} */
    const lines = new Map();
    for (const to of new Set(moves.map((move) => move.to))) {
      if (typeof to === "string") continue;
      const { key, steps, direction } = this.wayTo(from, to);
      lines.set(key, [...(lines.get(key) ?? []), { to, steps, direction }]);
    }
    return [...lines.values()].map((line) => this.ray(from, line.sort((a, b) => a.steps - b.steps), pieces));
  }

  /**
   * @param {number} from
   * @param {{ to: number, steps: number, direction: number[] }[]} line The targets, the nearest first.
   * @param {number[]} pieces
   * @returns {Ray}
   */
  ray(from, line, pieces) {
    /** @type {[number, number][]} */
    const parts = [];
    let [before, here, steps] = [[from], /** @type {number[]} */ ([]), line[0].steps];
    for (const target of line) {
      if (target.steps > steps) [before, here, steps] = [here, [], target.steps];
      const height = this.heightOf(target.to);
      /** @param {number} square */
      const off = (square) => Math.abs(this.heightOf(square) - height);
      parts.push([before.toSorted((a, b) => off(a) - off(b))[0], target.to]);
      here.push(target.to);
    }
    const { direction } = line[line.length - 1];
    const [x, y, z] = this.placeOf(from);
    const [nextX, nextY, nextZ] = [x, y, z].map((value, i) => value + direction[i] * (steps + 1));
    const isOpen = here.some((square) => !pieces[square]);
    const next = isOpen ? this.squaresAt(nextX, nextY).filter((square) => this.isStair || this.heightOf(square) === nextZ) : [];
    return { parts, blocked: next.filter((square) => pieces[square] && square !== from) };
  }
}
