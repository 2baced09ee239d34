// Buttons with pictures, and dialogs.
import { html, svg } from "../lib/dom.js";

/** The pictures on buttons. */
export const ICONS = {
  first: "M4 3V17H6V3ZM17 3V17L7 10Z",
  back: "M13 3L15 5L10 10L15 15L13 17L6 10Z",
  play: "M5 3V17L16 10Z",
  stop: "M5 4H8V16H5ZM12 4H15V16H12Z",
  forth: "M7 3L5 5L10 10L5 15L7 17L14 10Z",
  last: "M3 3V17L13 10ZM14 3V17H16V3Z",
  leave: "M9 3V7H13A4 4 0 0 1 13 17H6V14.5H13A1.5 1.5 0 0 0 13 9.5H9V13L3 8Z",
  promote: "M10 3L17 10L15 12L11.5 8.5V17H8.5V8.5L5 12L3 10Z",
  close: "M4 6L6 4L10 8L14 4L16 6L12 10L16 14L14 16L10 12L6 16L4 14L8 10Z",
};

/** A picture for a button. @param {string} path */
export const icon = (path) => svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true", focusable: "false" }, svg("path", { d: path }));

/**
 * A button with a text or a picture.
 * @param {string} name
 * @param {string} label
 * @param {string | Element} content
 * @param {string} [key] The key that does the same.
 */
export const button = (name, label, content, key) => {
  const unseen = typeof content === "string" ? {} : { "aria-label": label };
  return html("button", { type: "button", class: `tx-${name}`, ...unseen, title: key ? `${label} (${key})` : label }, content);
};

/**
 * A dialog, which keeps the focus; Escape closes it.
 * @param {Element} root
 * @param {string} name
 * @param {string} label
 * @param {...Element} children
 */
export const dialog = (root, name, label, ...children) => {
  const close = button("close", "Close", icon(ICONS.close));
  const head = html("div", { class: "tx-head" }, html("h2", {}, label), close);
  const box = html("dialog", { class: `tx-dialog tx-${name}`, "aria-label": label }, head, ...children);
  close.addEventListener("click", () => box.close());
  box.addEventListener("click", (event) => event.target === box && box.close());
  root.append(box);
  return box;
};

/**
 * Makes a button one that is on or off.
 * @param {HTMLButtonElement} element
 * @param {boolean} isOn
 * @param {(isOn: boolean) => void} act
 */
export const toggle = (element, isOn, act) => {
  let now = isOn;
  const show = () => element.setAttribute("aria-pressed", String(now));
  show();
  element.addEventListener("click", () => {
    now = !now;
    show();
    act(now);
  });
};
