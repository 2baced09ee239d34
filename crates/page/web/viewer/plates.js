// Draws the boards of the glass view: transparent plates, their names, files and ranks, and posts.
import { filled, svg } from "../lib/dom.js";
import { FIXED } from "./geometry.js";
import { mountedOn } from "./wire.js";

/** @import { Game } from "./game.js" */
/** @import { GlassStage, Place } from "./glass.js" */

const THICK = 0.09;
const POST = 0.07;
const OPACITY = { light: 0.6, dark: 0.68, edge: 0.7 };

/**
 * A plate.
 * @typedef {object} Plate
 * @property {number} board
 * @property {number} size
 * @property {SVGGElement} group
 * @property {SVGPathElement} edge The sides of the plate.
 * @property {SVGPathElement} light
 * @property {SVGPathElement} dark
 * @property {SVGPathElement} rim
 * @property {SVGTextElement} name
 * @property {SVGTextElement[]} files
 * @property {SVGTextElement[]} ranks
 */

/** @param {string} text @param {string} [weight] */
const word = (text, weight = "400") => svg("text", { fill: "var(--tx-text)", "font-family": "system-ui,sans-serif", "font-weight": weight, "text-anchor": "middle" }, text);

/** The boards of glass. */
export class Plates {
  /** @param {number} unit The side of a square in the picture. */
  constructor(unit) {
    this.unit = unit;
    /** @type {Plate[]} */
    this.all = [];
    /** @type {SVGPathElement[]} */
    this.posts = [];
  }

  /**
   * Makes the elements of a layout.
   * @param {Game} game
   * @param {number} layout
   * @param {number} notation
   * @returns {Map<number, Element[]>} Those of each board.
   */
  make(game, layout, notation) {
    const { mounts } = mountedOn(game.layouts[layout], 0);
    const line = { stroke: "var(--tx-line)", "stroke-width": 1, "stroke-linejoin": "round" };
    this.all = game.shape.sizes.map((size, board) => {
      // The flat view has the names: that of the board, then a file and a rank for each square of the diagonal.
      const names = mounts.find((mount) => mount.board === board)?.names ?? [];
      const markup = (names[notation] ?? names[0] ?? []).map((part) => game.layouts[layout].shared.parts[part]).join("");
      const [name = "", ...along] = [...markup.matchAll(/>([^<]*)<\/text>/g)].map(([, text]) => text);
      const pin = game.layouts[layout].pins[board - FIXED];
      const side = pin === undefined ? "" : /^[QK]/.test(pin) ? "-white" : "-black";
      const level = board < FIXED ? `-${board}` : "";
      const edge = svg("path", { fill: `var(--tx-edge${side})`, "fill-opacity": OPACITY.edge, ...line });
      const light = svg("path", { fill: `var(--tx-light${level})`, "fill-opacity": OPACITY.light });
      const dark = svg("path", { fill: `var(--tx-dark${level})`, "fill-opacity": OPACITY.dark });
      const rim = svg("path", { fill: "none", ...line, ...(side ? { stroke: `var(--tx-edge${side})`, "stroke-width": 2.4 } : {}) });
      // Beside its board the number of a level is enough.
      const own = word(name.replace(/^level /, ""), "600");
      const files = along.filter((_, i) => i % 2 === 0).map((text) => word(text));
      const ranks = along.filter((_, i) => i % 2 === 1).map((text) => word(text));
      const group = svg("g", {}, edge, light, dark, rim, own, svg("g", { class: "tx-along" }, ...files, ...ranks));
      return { board, size, group, edge, light, dark, rim, name: own, files, ranks };
    });
    this.posts = [];
    return new Map(this.all.map(({ board, group }) => [board, [group]]));
  }

  /** Every plate and post with the height at which it is painted. @param {GlassStage} stage @returns {[number, Element][]} */
  laid(stage) {
    const posts = stage.posts().map(({ place: [, , z] }, i) => /** @type {[number, Element]} */ ([Math.max(0, stage.heights.findLastIndex((height) => height <= z + 0.01)), this.posts[i]]));
    return [...this.all.map(({ board, group }) => /** @type {[number, Element]} */ ([stage.storyOf(board), group])), ...posts];
  }

  /**
   * Draws everything as it is seen from an angle.
   * @param {GlassStage} stage
   * @param {boolean} isTurning Whether files and ranks, which are hidden then, can wait.
   */
  place(stage, isTurning) {
    /** @param {Place} place */
    const at = (place) => stage.project(place).slice(0, 2).map((value) => (value * this.unit).toFixed(2)).join(" ");
    /** @param {Place[]} places */
    const area = (places) => `M${places.map(at).join("L")}Z`;
    for (const plate of this.all) {
      const { size } = plate;
      const [x, y, z] = stage.places[plate.board];
      const corners = Array.from({ length: size + 1 }, (_, rank) => Array.from({ length: size + 1 }, (_, file) => at([x + file, y + rank, z])));
      const squares = ["", ""];
      for (let rank = 0; rank < size; rank++) {
        for (let file = 0; file < size; file++) {
          const [near, far] = [corners[rank], corners[rank + 1]];
          squares[(x + y + file + rank) % 2] += `M${near[file]}L${near[file + 1]}L${far[file + 1]}L${far[file]}Z`;
        }
      }
      plate.dark.setAttribute("d", squares[0]);
      plate.light.setAttribute("d", squares[1]);
      /** @type {Place[]} */
      const around = [[x, y, z], [x + size, y, z], [x + size, y + size, z], [x, y + size, z]];
      plate.rim.setAttribute("d", area(around));
      plate.edge.setAttribute("d", this.sides(stage, around).map(([from, to]) => area([from, to, lowered(to), lowered(from)])).join(""));
      this.write(stage, plate, isTurning);
    }
    this.raise(stage);
  }

  /**
   * The sides of a plate that the viewer sees.
   * @param {GlassStage} stage
   * @param {Place[]} around
   * @returns {[Place, Place][]}
   */
  sides(stage, around) {
    const drawn = around.map((place) => stage.project(place));
    return around.flatMap((from, i) => {
      const next = (i + 1) % 4;
      return drawn[next][0] > drawn[i][0] ? [/** @type {[Place, Place]} */ ([from, around[next]])] : [];
    });
  }

  /**
   * Puts the name beside the leftmost corner, files and ranks along the two near sides.
   * @param {GlassStage} stage
   * @param {Plate} plate
   * @param {boolean} isTurning
   */
  write(stage, { board, size, name, files, ranks }, isTurning) {
    const [x, y, z] = stage.places[board];
    /** @param {SVGTextElement} text @param {Place} place @param {number} height @param {Record<string, unknown>} [more] */
    const put = (text, place, height, more = {}) => {
      const [u, v, scale] = stage.project(place);
      filled(text, { x: (u * this.unit).toFixed(1), y: ((v + 0.35 * height * scale) * this.unit).toFixed(1), "font-size": (height * scale * this.unit).toFixed(1), ...more }, []);
    };
    /** @type {Place[]} */
    const corners = [[x, y, z], [x + size, y, z], [x + size, y + size, z], [x, y + size, z]];
    const leftmost = corners.reduce((a, b) => (stage.project(b)[0] < stage.project(a)[0] ? b : a));
    // Next to its corner, away from the middle of the board.
    const away = /** @type {Place} */ (leftmost.map((value, i) => (i < 2 ? value + 0.3 * Math.sign(value - [x, y][i] - size / 2) : value)));
    put(name, away, size > 2 ? 0.45 : 0.34, { "text-anchor": "end" });
    if (isTurning) return;
    const isNear = stage.cos > 0;
    const isLeft = stage.sin > 0;
    for (const [i, text] of files.entries()) put(text, [x + i + 0.5, isNear ? y - 0.25 : y + size + 0.25, z], 0.26);
    for (const [i, text] of ranks.entries()) put(text, [isLeft ? x - 0.25 : x + size + 0.25, y + i + 0.5, z], 0.26);
  }

  /** Draws the posts. @param {GlassStage} stage */
  raise(stage) {
    const posts = stage.posts();
    const scale = this.unit * POST * 2 * stage.zoom;
    while (this.posts.length < posts.length) this.posts.push(svg("path", { fill: "none", stroke: "var(--tx-post)", "stroke-linecap": "round", "stroke-opacity": 0.7 }));
    for (const [i, { place: [x, y, z], height }] of posts.entries()) {
      const [a, b] = stage.project([x, y, z]);
      const [c, d] = stage.project([x, y, z + height - THICK]);
      filled(this.posts[i], { d: `M${[a, b].map((value) => (value * this.unit).toFixed(1)).join(" ")}L${[c, d].map((value) => (value * this.unit).toFixed(1)).join(" ")}`, "stroke-width": scale.toFixed(1) }, []);
    }
  }
}

/** The point below one on a plate. @param {Place} place @returns {Place} */
const lowered = ([x, y, z]) => [x, y, z - THICK];
