// What moves between two positions, and how it moves on the screen.

/** @import { Position } from "./game.js" */
/** @import { Point } from "./geometry.js" */

// A move takes this many milliseconds.
const DURATION = 220;
// More changes than those of one move are shown at once.
const MOST = 4;
// The points of an arc between two boards.
const STEPS = 10;

/**
 * What is different between two positions, by squares.
 * @typedef {object} Changes
 * @property {Map<number, number>} moved The square that a piece left, by the square that it reached.
 * @property {number[]} gone Squares whose pieces vanish.
 * @property {number[]} come Squares on which pieces appear.
 */

/**
 * The changes between two positions, of which one follows the other.
 * @param {Pick<Position, "pieces" | "step">} from
 * @param {Pick<Position, "pieces" | "step">} to
 * @returns {Changes | null} Nothing if too much is different.
 */
export const changesBetween = (from, to) => {
  const squares = [...to.pieces.keys()].filter((square) => from.pieces[square] !== to.pieces[square]);
  if (squares.length > MOST || from.pieces.length !== to.pieces.length) return null;
  let gone = squares.filter((square) => from.pieces[square]);
  let come = squares.filter((square) => to.pieces[square]);
  /** @type {Map<number, number>} */
  const moved = new Map();
  /** @param {number} start @param {number} end */
  const pair = (start, end) => {
    moved.set(end, start);
    gone = gone.filter((square) => square !== start);
    come = come.filter((square) => square !== end);
  };
  // The piece that moves may become another one: then only its squares tell.
  for (const [start, end] of [to.step, from.step.toReversed()]) {
    if (!moved.size && gone.includes(start) && come.includes(end) && isSameSide(from.pieces[start], to.pieces[end])) pair(start, end);
  }
  for (const end of [...come]) {
    const start = gone.find((square) => from.pieces[square] === to.pieces[end]);
    if (start !== undefined) pair(start, end);
  }
  return { moved, gone, come };
};

/** @param {number} a @param {number} b */
const isSameSide = (a, b) => a > 6 === b > 6;

/** Whether the reader wants to see motion, and can see it. */
export const isMoving = () => !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Where an element is drawn now, also while it moves, in the units of the picture.
 * @param {Element} element
 * @returns {Point}
 */
export const pointNow = (element) => {
  const { e, f } = new DOMMatrix(getComputedStyle(element).transform);
  return [e, f];
};

/**
 * Moves an element from a point to where it is drawn.
 * @param {Element} element
 * @param {Point} from In the units of the picture.
 * @param {Point} to
 * @param {{ scale?: number, rise?: number }} [how] The scale of the element, and how far it rises above the straight line.
 */
export const glide = (element, from, to, { scale = 1, rise = 0 } = {}) => {
  const count = rise ? STEPS : 1;
  const frames = Array.from({ length: count + 1 }, (_, i) => {
    const part = i / count;
    const x = from[0] + (to[0] - from[0]) * part;
    const y = from[1] + (to[1] - from[1]) * part - 4 * rise * part * (1 - part);
    return { transform: `translate(${x}px, ${y}px) scale(${scale})` };
  });
  return element.animate(frames, { duration: DURATION, easing: "ease-in-out" });
};

/**
 * Shows or hides an element gradually.
 * @param {Element} element
 * @param {boolean} isShown
 */
export const fade = (element, isShown) => {
  const [from, to] = isShown ? [0, 1] : [1, 0];
  return element.animate([{ opacity: from }, { opacity: to }], { duration: DURATION, easing: "ease-out" });
};

/** Ends what moves. @param {Element} element */
export const stop = (element) => {
  for (const motion of element.getAnimations()) motion.cancel();
};
