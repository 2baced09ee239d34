// The glass view: the boards in space, seen in perspective from any side. It draws nothing. A point in space is a file and a
// rank of the plan, in which columns lie, and a height; all three in squares. A plane is a height.
import { FIXED, isInside, Stage } from "./geometry.js";

/** @import { Game } from "./game.js" */
/** @import { Frame, Point } from "./geometry.js" */
/** @import { Spot } from "./wire.js" */

/** @typedef {[x: number, y: number, z: number]} Place */
/** @typedef {number[][]} Projection Three rows of factors of x, y and 1. */

/**
 * From where the boards are seen.
 * @typedef {object} Angle
 * @property {number} yaw How far the boards are turned, in degrees.
 * @property {number} tilt How high the viewer is: 90 degrees is straight above.
 * @property {number} zoom
 * @property {number} right How far the picture is moved, in squares.
 * @property {number} down
 */

/** The angles that have names. @type {[name: string, yaw: number, tilt: number][]} */
export const PRESETS = [["Corner", -28, 27], ["Front", -4, 20], ["Side", -78, 13], ["Above", 0, 74]];

const LOWEST = 4;
const ZOOMS = [0.5, 4];

// The distance of the viewer, in squares.
const DISTANCE = 34;
// The heights between levels, in squares: boards of eight ranks hide more of those below.
const STAIR_GAP = 2.9;
const CUBE_GAP = 4.5;

// The near left square of an attack board on each pin, and the square of the main board that carries it.
const PIN_RANKS = [0, 0, 4, 2, 6, 4, 8];
const POST_RANKS = [0, 1, 4, 3, 6, 5, 8];

/** @param {number} value @param {number} low @param {number} high */
const clamped = (value, low, high) => Math.min(high, Math.max(low, value));

/** An angle without what is too far. @param {Angle} angle @returns {Angle} */
export const allowed = ({ yaw, tilt, zoom, right, down }) => {
  const size = clamped(zoom, ZOOMS[0], ZOOMS[1]);
  // The middle of the boards stays in sight.
  const far = 6 * size;
  return {
    yaw: ((yaw % 360) + 540) % 360 - 180,
    tilt: clamped(tilt, LOWEST, 90),
    zoom: size,
    right: clamped(right, -far, far),
    down: clamped(down, -far, far),
  };
};

/** An angle that has a name. @param {number} [number] @returns {Angle} */
export const presetOf = (number = 0) => ({ yaw: PRESETS[number][1], tilt: PRESETS[number][2], zoom: 1, right: 0, down: 0 });

/** An angle as a text, for addresses. @param {Angle} angle */
export const angleText = ({ yaw, tilt, zoom, right, down }) => {
  const parts = [Math.round(yaw), Math.round(tilt), +zoom.toFixed(2), +right.toFixed(1), +down.toFixed(1)];
  while (parts.length > 2 && parts.at(-1) === (parts.length === 3 ? 1 : 0)) parts.pop();
  return parts.join(",");
};

/** The angle of a text. @param {string} text @returns {Angle | null} */
export const angleOf = (text) => {
  const parts = text.split(",").map(Number);
  if (parts.length < 2 || parts.length > 5 || !parts.every(Number.isFinite)) return null;
  const [yaw, tilt, zoom = 1, right = 0, down = 0] = parts;
  return allowed({ yaw, tilt, zoom, right, down });
};

/** The inverse of a projection, up to a factor. @param {Projection} rows @returns {Projection} */
const inverse = ([[a, b, c], [d, e, f], [g, h, i]]) => [
  [e * i - f * h, c * h - b * i, b * f - c * e],
  [f * g - d * i, a * i - c * g, c * d - a * f],
  [d * h - e * g, b * g - a * h, a * e - b * d],
];

/** @param {Projection} rows @param {number} x @param {number} y @returns {Place} */
const applied = (rows, x, y) => {
  const [u, v, w] = rows.map(([a, b, c]) => a * x + b * y + c);
  return [u / w, v / w, w];
};

/** A layout of boards in space, from one angle. */
export class GlassStage extends Stage {
  /**
   * @param {Game} game
   * @param {number} layout
   * @param {Angle} angle
   * @param {boolean} isTurned Whether the angles are counted from Black's side.
   */
  constructor(game, layout, angle, isTurned) {
    const { shape } = game;
    const { columns, pins } = game.layouts[layout];
    const isStair = shape.sizes.length > FIXED;
    const [width, gap] = isStair ? [6, STAIR_GAP] : [8, CUBE_GAP];
    const [middle, depth, high] = isStair ? [3, 10, 2.5 * gap] : [4, 8, 2 * gap];
    // All pictures of a game have one frame.
    const isBelow = game.layouts.some((other) => other.pins.some((pin) => /[12]v$/.test(pin)));
    const low = isBelow ? -0.5 * gap : 0;
    const radius = Math.hypot(middle, depth / 2);
    const lean = (PRESETS[0][2] * Math.PI) / 180;
    const size = /** @type {Point} */ ([2 * radius + (isStair ? 1.3 : 1.6), 2.1 * (radius * Math.sin(lean) + ((high - low) / 2) * Math.cos(lean)) + 1.4]);
    super(shape, { size, rank: [0, -1], foot: 0.09, middle: 0.5, space: false, pins: {} }, { corners: [], mounts: [] }, isTurned);
    this.columns = columns;
    this.width = width;
    this.isStair = isStair;
    this.gap = gap;
    this.center = [middle, depth / 2, (high + low) / 2];
    const turn = ((angle.yaw + (isTurned ? 180 : 0)) * Math.PI) / 180;
    const tilt = (angle.tilt * Math.PI) / 180;
    this.cos = Math.cos(turn);
    this.sin = Math.sin(turn);
    this.low = Math.cos(tilt);
    this.high = Math.sin(tilt);
    this.zoom = angle.zoom;
    // A piece at the back of the highest board needs space above it.
    this.origin = [size[0] / 2 + angle.right, size[1] / 2 + 0.4 + angle.down];
    /** @type {Map<number, { to: Projection, from: Projection }>} */
    this.planes = new Map();
    // A board of the plan: the corner at the lowest file and rank, and its height.
    /** @type {Place[]} */
    this.places = shape.sizes.map((_, board) => {
      const column = columns[shape.boards[board]];
      const height = board < FIXED ? board * gap : this.heightOf(pins[board - FIXED].split("@")[1]);
      return [column % width, Math.floor(column / width), height];
    });
    this.pins = pins;
    const heights = [...new Set(this.places.map(([, , z]) => z))].sort((a, b) => a - b);
    this.heights = heights;
    this.corners = this.places.flatMap((place) => this.project(place).slice(0, 2));
  }

  /** The height of an attack board on a pin. @param {string} pin */
  heightOf(pin) {
    const level = Math.floor((Number(pin[1]) - 1) / 2);
    return (level + (pin.endsWith("v") ? -0.5 : 0.5)) * this.gap;
  }

  /** The corner of an attack board on a pin. @param {string} pin @returns {Place} */
  placeOfPin(pin) {
    return [pin[0] === "K" ? 4 : 0, PIN_RANKS[Number(pin[1])], this.heightOf(pin)];
  }

  /** The projection of a plane, and back. @param {number} height */
  planeAt(height) {
    const known = this.planes.get(height);
    if (known) return known;
    const { cos, sin, low, high, zoom, center: [cx, cy, cz], origin: [ox, oy] } = this;
    const z = height - cz;
    /** @param {number[]} factors Of x, y and z, counted from the centre. */
    const row = ([fx, fy, fz]) => [fx, fy, fz * z - fx * cx - fy * cy];
    const right = row([cos, -sin, 0]);
    const up = row([sin * high, cos * high, low]);
    const away = row([sin * low, cos * low, -high]);
    const deep = [away[0] / DISTANCE, away[1] / DISTANCE, 1 + away[2] / DISTANCE];
    /** @type {Projection} */
    const to = [right.map((part, i) => zoom * part + ox * deep[i]), up.map((part, i) => oy * deep[i] - zoom * part), deep];
    const plane = { to, from: inverse(to) };
    this.planes.set(height, plane);
    return plane;
  }

  /**
   * Where a point in space is drawn, and by how much it is enlarged there.
   * @param {Place} place
   * @returns {[x: number, y: number, scale: number]}
   */
  project([x, y, z]) {
    const [u, v, deep] = applied(this.planeAt(z).to, x, y);
    return [u, v, this.zoom / deep];
  }

  /**
   * What is drawn at a point, if it has a height.
   * @param {Point} point
   * @param {number} height
   * @returns {Point}
   */
  placeAt([u, v], height) {
    const [x, y] = applied(this.planeAt(height).from, u, v);
    return [x, y];
  }

  /**
   * The square of the plan around a place as it is drawn: nearly an affine picture of it. A mark is as large as `span` squares.
   * @param {Place} place
   * @param {number} span
   * @returns {Frame}
   */
  frameOfPlace([x, y, z], span) {
    const half = span / 2;
    const [u, v] = this.project([x + half, y + half, z]);
    const [a, b] = this.project([x + half + 0.5, y + half, z]);
    const [c, d] = this.project([x + half, y + half + 0.5, z]);
    const [ax, ay, bx, by] = [2 * (a - u), 2 * (b - v), 2 * (u - c), 2 * (v - d)];
    // Marks extend to the right and, as ranks do, upwards.
    return [ax, ay, bx, by, u - half * ax + half * bx, v - half * ay + half * by];
  }

  /** The corner of a square. @param {number} square @returns {Place} */
  placeOf(square) {
    const column = this.columns[square];
    return [column % this.width, Math.floor(column / this.width), this.places[this.boardOf(square)][2]];
  }

  /** @param {number} square */
  centerOf(square) {
    const [x, y, z] = this.placeOf(square);
    return this.project([x + 0.5, y + 0.5, z]);
  }

  get isGlass() {
    return true;
  }

  /** @param {number} board */
  levelOf(board) {
    if (board < FIXED) return board;
    return clamped(Math.floor(this.places[board][2] / this.gap + 0.01), 0, 2);
  }

  /** @param {number} board */
  storyOf(board) {
    return this.heights.indexOf(this.places[board][2]);
  }

  /** @param {number} square */
  storyOfSquare(square) {
    return this.storyOf(this.boardOf(square));
  }

  get stories() {
    return this.heights.length;
  }

  /** @param {number} square */
  onSquare(square) {
    return this.frameOfPlace(this.placeOf(square), 1);
  }

  /** @param {number} board */
  onBoard(board) {
    return this.frameOfPlace(this.places[board], 2);
  }

  /** @param {Spot} pin */
  onPin(pin) {
    return this.frameOfPlace(this.placeOfPin(String(pin)), 2);
  }

  /** @param {Point} point @param {string} name The attack board that is held there. @returns {Frame} */
  held(point, name) {
    const board = FIXED + this.pins.findIndex((pin) => pin.startsWith(`${name}@`));
    const height = this.places[board]?.[2] ?? 0;
    const [x, y] = this.placeAt(point, height);
    return this.frameOfPlace([x - 1, y - 1, height], 2);
  }

  /** @param {number} square */
  scaleOf(square) {
    return this.centerOf(square)[2];
  }

  /** A piece faces the viewer. Seen from above it covers its square, from the side it stands in the middle. @param {number} square @returns {Point} */
  footOf(square) {
    const [x, y, scale] = this.centerOf(square);
    return [x, y + 0.4 * scale * this.high ** 2];
  }

  /** @param {number} square @returns {Point} */
  middleOf(square) {
    const [x, y] = this.centerOf(square);
    return [x, y];
  }

  /** @param {number} square */
  shadowOf(square) {
    const [x, y, scale] = this.centerOf(square);
    return { x, y, width: 0.33 * scale, height: 0.33 * scale * this.high };
  }

  /** @param {number} square */
  depthOf(square) {
    // Farther pieces are smaller.
    return this.centerOf(square)[2];
  }

  /** The boards from the highest, which is in front of the others. */
  boardsFromAbove() {
    return [...this.places.keys()].sort((a, b) => this.places[b][2] - this.places[a][2]);
  }

  /** @param {Point} point */
  squareAt(point) {
    for (const board of this.boardsFromAbove()) {
      const [x, y, z] = this.places[board];
      const [right, away] = this.placeAt(point, z);
      const size = this.shape.sizes[board];
      const [file, rank] = [Math.floor(right - x), Math.floor(away - y)];
      if (isInside([file, rank], size)) return this.shape.boards[board] + rank * size + file;
    }
    return -1;
  }

  /** @param {Point} point @param {string[]} pins */
  boardAt(point, pins) {
    const board = this.boardsFromAbove().find((one) => {
      const [x, y, z] = this.places[one];
      const [right, away] = this.placeAt(point, z);
      return one >= FIXED && isInside([right - x, away - y], 2);
    });
    return board === undefined ? undefined : pins[board - FIXED].split("@")[0];
  }

  /** @param {Point} point @param {Spot[]} pins */
  pinAt(point, pins) {
    return pins.findLast((pin) => {
      const [x, y, z] = this.placeOfPin(String(pin));
      const [right, away] = this.placeAt(point, z);
      return isInside([right - x, away - y], 2);
    });
  }

  /** @param {{ to: Spot }[]} moves */
  targetsOf(moves) {
    const targets = [...new Set(moves.map(({ to }) => to))];
    /** @param {Spot} to */
    const height = (to) => (typeof to === "string" ? this.heightOf(to) : 0);
    return targets.sort((a, b) => height(a) - height(b));
  }

  /** The posts: each the place of its foot, and how high it is. @returns {{ place: Place, height: number }[]} */
  posts() {
    const { gap } = this;
    if (!this.isStair) return [0, 1].flatMap((level) => [0, 8].flatMap((x) => [0, 8].map((y) => ({ place: /** @type {Place} */ ([x, y, level * gap]), height: gap }))));
    /** @type {{ place: Place, height: number }[]} */
    const main = [{ place: [3, 4, 0], height: gap }, { place: [3, 6, gap], height: gap }];
    const attack = this.pins.map((on) => {
      const pin = on.split("@")[1];
      const below = Math.min(this.heightOf(pin), this.heightOf(pin.slice(0, 2)) - gap / 2);
      return { place: /** @type {Place} */ ([pin[0] === "K" ? 4.5 : 1.5, POST_RANKS[Number(pin[1])] + 0.5, below]), height: gap / 2 };
    });
    return [...main, ...attack];
  }
}
