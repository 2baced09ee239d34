// Draws the lines of moves: the rays of a selected piece, drop lines, and the way of the last move.
import { svg } from "../lib/dom.js";
import { Space } from "./threads.js";

/** @import { Shown } from "./board.js" */
/** @import { Game } from "./game.js" */
/** @import { Point, Stage } from "./geometry.js" */

// One colour for each ray; a piece has at most 26. The lightness suits light and dark pages.
const COLORS = Array.from({ length: 26 }, (_, i) => `hsl(${Math.round(i * 137.5) % 360} 75% 45%)`);
// Widths and distances, in squares.
const THREAD = 0.07;
const DROP = 0.03;
const WAY = 0.08;
const HEAD = 0.24;

/** @type {WeakMap<Game, Space[]>} */
const spaces = new WeakMap();

/** The squares of a layout in space. @param {Game} game @param {number} layout */
export const spaceOf = (game, layout) => {
  const known = spaces.get(game) ?? [];
  spaces.set(game, known);
  known[layout] ??= new Space(game.shape, game.layouts[layout]);
  return known[layout];
};

/** Lines in the picture. */
export class Strokes {
  /** @param {number} unit The side of a square in the picture. */
  constructor(unit) {
    this.unit = unit;
  }

  /** @param {Point[]} points */
  path(points) {
    return `M${points.map((point) => point.map((value) => (value * this.unit).toFixed(1)).join(" ")).join("L")}`;
  }

  /**
   * A line of one colour on a wider one of the ground.
   * @param {Point[]} points
   * @param {string} color
   * @param {number} width
   * @param {Record<string, unknown>} [more]
   */
  line(points, color, width, more = {}) {
    const both = { d: this.path(points), fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round", "pointer-events": "none", ...more };
    const wide = (width * this.unit).toFixed(1);
    const halo = svg("path", { ...both, stroke: "var(--tx-ground)", "stroke-opacity": 0.75, "stroke-width": (2 * width * this.unit).toFixed(1) });
    return [halo, svg("path", { ...both, stroke: color, "stroke-width": wide })];
  }

  /**
   * The rays of the selected piece as threads, a ring around what ends each, and drop lines to the boards below.
   * @param {Shown} shown
   * @param {Stage} stage
   */
  threads({ game, node, picked }, stage) {
    if (typeof picked?.from !== "number") return [];
    const space = spaceOf(game, node.layout);
    const isSpace = stage.view.space || stage.isGlass;
    const drops = isSpace ? picked.moves.flatMap(({ to }) => {
      const below = typeof to === "number" ? space.below(to) : undefined;
      if (typeof to !== "number" || below === undefined) return [];
      const [points, width] = [[stage.middleOf(to), stage.middleOf(below)], (DROP * this.unit).toFixed(1)];
      return [svg("path", { d: this.path(points), fill: "none", stroke: "var(--tx-reach)", "stroke-opacity": 0.6, "stroke-width": width, "stroke-dasharray": "2 4", "pointer-events": "none" })];
    }) : [];
    const rays = space.rays(picked.from, picked.moves, node.pieces).flatMap(({ parts, blocked }, i) => {
      const color = COLORS[i % COLORS.length];
      const lines = parts.flatMap(([from, to]) => {
        // Between boards that are drawn beside each other a thread crosses squares that it does not pass.
        const isAside = !isSpace && stage.boardOf(from) !== stage.boardOf(to);
        return this.line([stage.middleOf(from), stage.middleOf(to)], color, THREAD, isAside ? { opacity: 0.45, "stroke-dasharray": "1 7" } : {});
      });
      return [...lines, ...blocked.map((square) => this.ring(stage, square, color))];
    });
    return [...drops, ...rays];
  }

  /** @param {Stage} stage @param {number} square @param {string} color */
  ring(stage, square, color) {
    const [a, b, c, d, x, y] = stage.onSquare(square);
    const unit = this.unit;
    const matrix = [a, b, c, d, x * unit, y * unit].map((value) => +value.toFixed(3)).join(" ");
    // A mark is drawn to the right of its corner and above it, as ranks lean.
    const middle = stage.isGlass ? [unit / 2, -unit / 2] : stage.middleOf(square).map((value, i) => (value - [x, y][i]) * unit);
    const flat = stage.view.space ? Math.abs(stage.view.rank[1]) : 1;
    return svg("ellipse", {
      cx: middle[0].toFixed(1), cy: middle[1].toFixed(1), rx: 0.42 * unit, ry: (0.42 * unit * flat).toFixed(1), transform: `matrix(${matrix})`,
      fill: "none", stroke: color, "stroke-width": 0.1 * unit, "stroke-dasharray": "5 3", "pointer-events": "none",
    });
  }

  /**
   * The way of the last move, with an arrow at its end. It is painted with its highest square.
   * @param {Shown} shown
   * @param {Stage} stage
   * @returns {[story: number, element: Element][]}
   */
  way({ game, node }, stage) {
    const [from, to] = node.step;
    if (from === to || !node.before || node.board !== undefined || from === undefined) return [];
    const squares = spaceOf(game, node.layout).along(from, to, node.before.pieces[from]);
    const points = squares.map((square) => stage.middleOf(square));
    const [end, before] = [points[points.length - 1], points[points.length - 2]];
    const [dx, dy] = [end[0] - before[0], end[1] - before[1]];
    const length = Math.hypot(dx, dy);
    if (length < HEAD) return [];
    const [ux, uy] = [(dx / length) * HEAD, (dy / length) * HEAD];
    const isAside = !(stage.view.space || stage.isGlass) && stage.boardOf(from) !== stage.boardOf(to);
    const opacity = isAside ? 0.5 : 0.85;
    /** @type {Point} */
    const neck = [end[0] - ux, end[1] - uy];
    const head = svg("path", {
      d: `${this.path([end, [neck[0] - uy / 2, neck[1] + ux / 2], [neck[0] + uy / 2, neck[1] - ux / 2]])}Z`,
      fill: "var(--tx-last)", stroke: "var(--tx-halo)", "stroke-width": 0.8, opacity, "pointer-events": "none",
    });
    const story = Math.max(...squares.map((square) => stage.storyOfSquare(square)));
    const shaft = { d: this.path([...points.slice(0, -1), neck]), fill: "none", "stroke-linejoin": "round", "pointer-events": "none", opacity };
    return [
      [story, svg("path", { ...shaft, stroke: "var(--tx-halo)", "stroke-width": (1.5 * WAY * this.unit).toFixed(1) })],
      [story, svg("path", { ...shaft, stroke: "var(--tx-last)", "stroke-width": (WAY * this.unit).toFixed(1) })],
      [story, head],
    ];
  }
}
