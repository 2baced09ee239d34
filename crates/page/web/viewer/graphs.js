// Graphs of the evaluations and the clocks of a line, if its comments have them. Each is below a slider, which mouse, finger and
// keyboard move to a position.
import { html, svg } from "../lib/dom.js";
import { lastOf, wordOf } from "./game.js";

/** @import { Position } from "./game.js" */

// Evaluations beyond this many pawns, and mates, are drawn at the edge.
const PAWNS = 10;
// The height of a graph, and of the rim that its lines leave free; it is scaled to its place.
const HIGH = 100;
const RIM = 5;

/** The seconds of a time on a clock: `1:29:58`. @param {string} text */
export const secondsOf = (text) => text.split(":").reduce((sum, part) => 60 * sum + Number(part), 0);

/** An evaluation in pawns, as it is drawn: `0.35`, `-1.2,18` with its depth, or `#-3` for a mate. @param {string} text */
export const scoreOf = (text) => {
  const pawns = text.startsWith("#") ? PAWNS * (text[1] === "-" ? -1 : 1) : Number.parseFloat(text);
  return Math.max(-PAWNS, Math.min(PAWNS, pawns));
};

/**
 * A graph of a line.
 * @typedef {object} Series
 * @property {string} name
 * @property {[number, number][][]} lines The points of each of its lines: the number of the position, and 0 to 1 upwards.
 * @property {(node: Position) => string} textOf What it shows at a position, in words.
 */

/**
 * The graphs of a line: only those with two points or more.
 * @param {Position[]} line
 * @returns {Series[]}
 */
export const seriesOf = (line) => {
  /** @type {[number, number][]} */
  const scores = line.flatMap(({ score }, i) => (score === undefined ? [] : [[i, (scoreOf(score) + PAWNS) / (2 * PAWNS)]]));
  // Each side has its own clock, which is written after its moves: after those of Black it is White's turn.
  const times = [false, true].map((isBlack) => line.flatMap((node, i) => {
    const text = i && node.white === isBlack ? node.clocks[isBlack ? 1 : 0] : "";
    return text ? [{ i, seconds: secondsOf(text) }] : [];
  }));
  const longest = Math.max(1, ...times.flat().map(({ seconds }) => seconds));
  /** @type {Series[]} */
  const all = [
    { name: "Evaluation", lines: [scores], textOf: ({ score }) => score ?? "" },
    { name: "Clocks", lines: times.map((own) => own.map(({ i, seconds }) => [i, seconds / longest])), textOf: ({ clocks: [white, black] }) => `White ${white || "?"}, Black ${black || "?"}` },
  ];
  return all.filter(({ lines }) => lines.some((points) => points.length > 1));
};

/** The graphs below the moves. */
export class Graphs {
  /** @param {(node: Position) => void} go Called with the position that a reader chooses. */
  constructor(go) {
    this.element = html("div", { class: "tx-graphs" });
    this.go = go;
    /** @type {Position[]} */
    this.line = [];
    /** @type {{ series: Series, slider: HTMLInputElement, now: SVGElement }[]} */
    this.drawn = [];
  }

  /**
   * Shows a position in the graphs of its line.
   * @param {Position} node
   * @param {number} notation
   */
  show(node, notation) {
    const line = [];
    for (let one = /** @type {Position | undefined} */ (lastOf(node)); one; one = one.before) line.unshift(one);
    if (line.length !== this.line.length || line.some((one, i) => one !== this.line[i])) {
      this.line = line;
      this.element.replaceChildren();
      this.drawn = seriesOf(line).map((series) => this.draw(series));
    }
    const at = line.indexOf(node);
    const move = node.before ? `${node.number} ${wordOf(node, notation)}` : "start";
    for (const { series, slider, now } of this.drawn) {
      slider.value = String(at);
      slider.setAttribute("aria-valuetext", [move, series.textOf(node)].filter(Boolean).join(": "));
      now.setAttribute("d", `M${at} 0V${HIGH}`);
    }
    this.element.hidden = !this.drawn.length;
  }

  /** @param {Series} series */
  draw(series) {
    const last = this.line.length - 1;
    const now = svg("path", { class: "tx-here" });
    const paths = series.lines.map((points, i) => {
      const text = points.map(([x, y]) => `${x} ${(HIGH - RIM - y * (HIGH - 2 * RIM)).toFixed(1)}`).join("L");
      return svg("path", { class: `tx-line${i}`, d: text && `M${text}` });
    });
    const middle = series.lines.length > 1 ? [] : [svg("path", { class: "tx-even", d: `M0 ${HIGH / 2}H${last}` })];
    const slider = html("input", { type: "range", min: 0, max: last, "aria-label": series.name });
    slider.addEventListener("input", () => this.go(this.line[Number(slider.value)]));
    const picture = svg("svg", { viewBox: `0 0 ${last} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...middle, ...paths, now);
    const box = html("div", { class: "tx-graph", title: series.name }, picture, slider);
    this.element.append(box);
    return { series, slider, now };
  }
}
