// Turns the glass board: dragging turns and tilts it, the wheel and two fingers zoom it, keys and buttons do the same.
import { html } from "../lib/dom.js";
import { button } from "./controls.js";
import { allowed, PRESETS, presetOf } from "./glass.js";
import { isMoving } from "./motion.js";

/** @import { Board } from "./board.js" */
/** @import { Angle } from "./glass.js" */

// Degrees for each pixel of a drag, and for each press of a key.
const PER_PIXEL = 0.35;
const PER_KEY = 6;
// The factor of a press of a key or of a step of the wheel.
const PER_STEP = 1.2;
// Pictures are coarse while they turn; this many milliseconds later they are smooth again.
const REST = 160;
const SWING = 350;

/** @type {Record<string, Partial<Record<"yaw" | "tilt" | "zoom", number>>>} */
const KEYS = { ArrowLeft: { yaw: -1 }, ArrowRight: { yaw: 1 }, ArrowUp: { tilt: -1 }, ArrowDown: { tilt: 1 }, "+": { zoom: 1 }, "=": { zoom: 1 }, "-": { zoom: -1 } };

/** Hears what turns the board. */
export class Turner {
  /**
   * @param {Board} board
   * @param {() => boolean} isFree Whether the pointer holds nothing else.
   * @param {() => void} rested Called when the board rests at another angle.
   */
  constructor(board, isFree, rested) {
    this.board = board;
    this.isFree = isFree;
    this.rested = rested;
    /** Where the fingers or the mouse are. @type {Map<number, [number, number]>} */
    this.points = new Map();
    this.frame = 0;
    this.swinging = 0;
    this.timer = 0;
    const { element } = board;
    element.addEventListener("pointerdown", (event) => this.down(event));
    element.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) element.addEventListener(end, (event) => this.points.delete(/** @type {PointerEvent} */ (event).pointerId));
    element.addEventListener("wheel", (event) => this.roll(event), { passive: false });
    element.addEventListener("dblclick", (event) => this.isShown() && board.squareAt(event) < 0 && this.swing(presetOf()));
    this.buttons = html("div", { class: "tx-angles", role: "group", "aria-label": "Angle" },
      ...PRESETS.map(([name], i) => this.made(name, `Seen from: ${name.toLowerCase()}`, String(i + 1), () => this.swing(presetOf(i)))),
      this.made("\u2212", "Smaller", "-", () => this.zoomBy(1 / PER_STEP)), this.made("+", "Larger", "+", () => this.zoomBy(PER_STEP)));
  }

  /** @param {string} text @param {string} label @param {string} key @param {() => void} act */
  made(text, label, key, act) {
    const one = button("angle", label, text, key);
    one.setAttribute("aria-label", label);
    one.addEventListener("click", act);
    return one;
  }

  isShown() {
    return this.board.view() === "Glass";
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (!this.isShown() || event.button !== 0) return;
    this.points.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.isFree()) this.board.element.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  move(event) {
    const before = this.points.get(event.pointerId);
    if (!before || !this.isShown() || !this.isFree()) return;
    const { angle } = this.board.shown;
    const here = /** @type {[number, number]} */ ([event.clientX, event.clientY]);
    const [dx, dy] = [here[0] - before[0], here[1] - before[1]];
    const other = [...this.points].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const [old, now] = [before, here].map(([x, y]) => Math.hypot(x - other[0], y - other[1]));
      this.zoomBy(old ? now / old : 1, { clientX: (here[0] + other[0]) / 2, clientY: (here[1] + other[1]) / 2 }, [dx / 2, dy / 2]);
    } else this.show({ ...angle, yaw: angle.yaw + dx * PER_PIXEL, tilt: angle.tilt + dy * PER_PIXEL });
    this.points.set(event.pointerId, here);
  }

  /** @param {WheelEvent} event */
  roll(event) {
    if (!this.isShown() || event.ctrlKey) return;
    event.preventDefault();
    const lines = event.deltaMode === 1 ? event.deltaY / 3 : event.deltaY / 100;
    this.zoomBy(PER_STEP ** -Math.max(-2, Math.min(2, lines)), event);
  }

  /**
   * @param {number} factor
   * @param {{ clientX: number, clientY: number }} [about] What stays where it is; the middle without it.
   * @param {[number, number]} [moved] By how many pixels the picture is moved.
   */
  zoomBy(factor, about, moved = [0, 0]) {
    const { board } = this;
    const { angle } = board.shown;
    const [width, height] = board.stage().view.size;
    const [x, y] = (about && board.pointOn(about)) ?? [width / 2 + angle.right, height / 2 + angle.down];
    const { zoom } = allowed({ ...angle, zoom: angle.zoom * factor });
    const pixels = (board.element.getScreenCTM()?.a ?? 1) * board.shared.unit;
    const [right, down] = [x - width / 2, y - height / 2].map((at, i) => at - (at - [angle.right, angle.down][i]) * (zoom / angle.zoom) + moved[i] / pixels);
    this.show({ ...angle, zoom, right, down });
  }

  /** @param {KeyboardEvent} event @returns {boolean} Whether the key is one of the glass view. */
  key(event) {
    if (!this.isShown()) return false;
    const { angle } = this.board.shown;
    const preset = Number(event.key) - 1;
    if (PRESETS[preset]) this.swing(presetOf(preset));
    else if (event.key === "0") this.swing(presetOf());
    else {
      const { yaw = 0, tilt = 0, zoom = 0 } = (event.shiftKey || event.key.length === 1 ? KEYS[event.key] : null) ?? {};
      if (zoom) this.zoomBy(PER_STEP ** zoom);
      else if (yaw || tilt) this.show({ ...angle, yaw: angle.yaw + yaw * PER_KEY, tilt: angle.tilt + tilt * PER_KEY });
      else return false;
    }
    return true;
  }

  /** Turns to an angle, gradually if the reader wants to see motion. @param {Angle} end */
  swing(end) {
    const { shown } = this.board;
    const start = shown.angle;
    if (!isMoving()) return this.show(end);
    // The shorter way around.
    const yaw = start.yaw + ((end.yaw - start.yaw + 540) % 360) - 180;
    const began = performance.now();
    const step = () => {
      const part = Math.min(1, (performance.now() - began) / SWING);
      const eased = part * part * (3 - 2 * part);
      /** @param {number} from @param {number} to */
      const between = (from, to) => from + (to - from) * eased;
      this.show({
        yaw: between(start.yaw, yaw),
        tilt: between(start.tilt, end.tilt),
        zoom: between(start.zoom, end.zoom),
        right: between(start.right, end.right),
        down: between(start.down, end.down),
      });
      if (part < 1) this.swinging = requestAnimationFrame(step);
    };
    cancelAnimationFrame(this.swinging);
    step();
  }

  /** Shows the boards from an angle, once for each frame of the screen. @param {Angle} angle */
  show(angle) {
    const { board } = this;
    board.shown.angle = allowed(angle);
    board.isTurning = true;
    board.element.classList.add("tx-turning");
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      board.draw();
    });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      board.isTurning = false;
      board.element.classList.remove("tx-turning");
      board.draw();
      this.rested();
    }, REST);
  }
}
