// The pointer: the left button and the finger move pieces and boards, the right button draws arrows and marks of the reader,
// and the column under the mouse is marked. A stroke of the finger turns the moves.

/** @import { Board } from "./board.js" */
/** @import { TryOut } from "./tryout.js" */
/** @import { Spot } from "./wire.js" */

// What moves less far, in pixels, is no drag, and no stroke.
const DRAG = 6;
const STROKE = 30;
// The wheel steps at most once in this many milliseconds: some devices send many events for one turn.
const STEP = 80;

/**
 * What is held.
 * @typedef {object} Held
 * @property {Spot} spot
 * @property {Spot | undefined} was What was selected before.
 * @property {number} x
 * @property {number} y
 * @property {boolean} moved
 * @property {Promise<void>} ready Its moves are known.
 */

/** Hears the pointer on a board. */
export class Pointer {
  /**
   * @param {Board} board
   * @param {TryOut | null} tryOut
   * @param {(step: "forth" | "back") => void} go
   */
  constructor(board, tryOut, go) {
    this.board = board;
    this.tryOut = tryOut;
    this.go = go;
    /** The square at which an arrow begins. */
    this.arrowFrom = -1;
    /** @type {Held | null} */
    this.held = null;
    /** @type {[number, number] | null} */
    this.touched = null;
    const { element } = board;
    element.addEventListener("contextmenu", (event) => event.preventDefault());
    element.addEventListener("pointerdown", (event) => this.down(event));
    element.addEventListener("pointermove", (event) => this.move(event));
    element.addEventListener("pointerup", (event) => this.up(event));
    element.addEventListener("pointercancel", () => this.release());
    this.stepped = 0;
    element.addEventListener("wheel", (event) => this.roll(event), { passive: false });
    element.addEventListener("pointerleave", () => this.pointAt(-1));
    element.addEventListener("touchstart", (event) => this.touch(event), { passive: true });
    // A finger that begins on a piece or its square moves the piece, not the page.
    element.addEventListener("touchmove", (event) => this.held && event.preventDefault(), { passive: false });
    element.addEventListener("touchend", (event) => this.stroke(event), { passive: true });
  }

  /** Puts what is held back. */
  release() {
    this.held = null;
    this.tryOut?.pick(-1, []);
    this.board.drop();
  }

  /** Whether nothing is held, and no arrow is drawn. */
  isFree() {
    return !this.held && this.arrowFrom < 0;
  }

  /** Marks a column. @param {number} column */
  pointAt(column) {
    const { shown } = this.board;
    if (column === shown.column) return;
    shown.column = column;
    this.board.drawColumn();
  }

  /** @param {PointerEvent} event */
  down(event) {
    const { board, tryOut } = this;
    const { shown } = board;
    if (event.button === 2) this.arrowFrom = board.squareAt(event);
    else if (event.pointerType === "mouse" && shown.drawn.length) {
      shown.drawn = [];
      board.draw();
    }
    // With the shift key any drag turns the glass board.
    if (!tryOut || event.button !== 0 || (event.shiftKey && board.view() === "Glass")) return;
    if (shown.picked && tryOut.playTo(board.targetAt(event, false))) return;
    const spot = board.spotAt(event);
    const was = shown.picked?.from;
    if (!board.isMovable(spot)) {
      if (shown.picked) tryOut.pick(spot, []);
      return;
    }
    const { node } = shown;
    const ready = tryOut.legalMoves().then((moves) => {
      if (node === shown.node && spot !== was) tryOut.pick(spot, moves.filter((move) => move.from === spot));
    });
    this.held = { spot, was, x: event.clientX, y: event.clientY, moved: false, ready };
    board.element.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  async up(event) {
    const { board, tryOut } = this;
    const { shown } = board;
    const to = event.button === 2 && this.arrowFrom >= 0 ? board.squareAt(event) : -1;
    if (to >= 0) {
      const ink = "GRBY"[(event.shiftKey ? 1 : 0) + (event.altKey ? 2 : 0)];
      const same = shown.drawn.findIndex(([from, known]) => from === this.arrowFrom && known === to);
      if (same >= 0) shown.drawn.splice(same, 1);
      else shown.drawn.push([this.arrowFrom, to, ink]);
      board.draw();
    }
    this.arrowFrom = -1;
    if (!this.held || !tryOut) return;
    const { spot, was, moved, ready } = this.held;
    this.held = null;
    board.drop();
    await ready;
    if (!shown.picked) return;
    // A piece that is dropped elsewhere, or clicked again, is no longer selected.
    board.isDropped = moved;
    if (moved ? !tryOut.playTo(board.targetAt(event, true)) : was === spot) {
      board.isDropped = false;
      tryOut.pick(spot, []);
    }
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { board, held } = this;
    if (held) {
      held.moved ||= Math.hypot(event.clientX - held.x, event.clientY - held.y) > DRAG;
      const point = board.pointOn(event);
      if (held.moved && point) board.lift(held.spot, point);
    }
    if (event.pointerType === "touch") return;
    const { game, node } = board.shown;
    this.pointAt(game.layouts[node.layout].columns[board.squareAt(event)] ?? -1);
    board.element.classList.toggle("tx-grab", Boolean(this.tryOut) && board.isMovable(board.spotAt(event)));
  }

  /** The wheel steps through the moves, beyond which it scrolls the page. @param {WheelEvent} event */
  roll(event) {
    const { node } = this.board.shown;
    const isForth = event.deltaY > 0;
    const isEnd = isForth ? !node.next : !node.before;
    if (this.board.view() === "Glass" || event.ctrlKey || event.shiftKey || event.metaKey || !event.deltaY || isEnd) return;
    event.preventDefault();
    if (event.timeStamp - this.stepped < STEP) return;
    this.stepped = event.timeStamp;
    this.go(isForth ? "forth" : "back");
  }

  /** @param {TouchEvent} event */
  touch(event) {
    const touch = event.changedTouches[0];
    this.touched = event.touches.length === 1 ? [touch.clientX, touch.clientY] : null;
    // What can be moved is moved by the finger; elsewhere the finger scrolls the page, turns the moves, or turns the glass board.
    if (this.board.view() === "Glass") this.touched = null;
    else if (this.tryOut && this.board.isMovable(this.board.spotAt(touch))) this.touched = null;
  }

  /** A stroke to the left goes on, a stroke to the right goes back. @param {TouchEvent} event */
  stroke(event) {
    if (!this.touched) return;
    const touch = event.changedTouches[0];
    const [dx, dy] = [touch.clientX - this.touched[0], touch.clientY - this.touched[1]];
    this.touched = null;
    if (Math.abs(dx) > STROKE && Math.abs(dx) > 2 * Math.abs(dy)) this.go(dx < 0 ? "forth" : "back");
  }
}
