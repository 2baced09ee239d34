// Dragging selects what is dragged, and clicks where it is dropped.
import { html, svg } from "../lib/dom.js";
import { go } from "./swap.js";

// What moves less far, in pixels, is no drag.
const FAR = 6;

/** @type {{ from: Element, at: [number, number], ghost?: HTMLElement, ready?: Promise<void> } | null} */
let held = null;
let dragged = false;

/** Whether the click that is heard now ends a drag: it is none. */
export const isDragged = () => dragged;

/** @param {Event} event */
const stay = (event) => held && event.preventDefault();

const drop = () => {
  held?.ghost?.remove();
  held = null;
};

/** The element of an event that can be dragged. @param {Event} event */
const liftable = (event) => (event.target instanceof Element ? event.target.closest("[data-lift]") : null);

/** A picture of what is dragged. @param {Element} from */
const ghostOf = (from) => {
  const piece = from.getAttribute("data-piece");
  const key = from.getAttribute("data-key");
  const shown = document.querySelector(piece ? `[data-key="h${piece[0] === "w" ? piece[1] : piece[1].toLowerCase()}"] svg` : `[data-key="${key}"] svg`);
  if (shown) return shown.cloneNode(true);
  if (!piece) return (key ?? "").replace(/^h/, "");
  // The picture of the board defines the pieces.
  return svg("svg", { class: "piece", viewBox: "-50 -100 100 104" }, svg("use", { href: `#${piece}` }));
};

/** Hears the pointer on the whole page. */
export const listenToDrags = () => {
  addEventListener("dragstart", (event) => liftable(event) && event.preventDefault());
  addEventListener("pointerdown", (event) => {
    dragged = false;
    const from = liftable(event);
    if (!from || event.button !== 0 || !(event.target instanceof Element)) return;
    // The finger stays with the page when the link below it is replaced, and does not scroll.
    event.target.releasePointerCapture(event.pointerId);
    event.target.addEventListener("touchmove", stay, { passive: false });
    held = { from, at: [event.clientX, event.clientY] };
  });
  addEventListener("pointermove", (event) => {
    if (!held) return;
    if (!held.ghost) {
      if (Math.hypot(event.clientX - held.at[0], event.clientY - held.at[1]) < FAR) return;
      dragged = true;
      held.ghost = html("div", { class: "ghost" }, ghostOf(held.from));
      document.body.append(held.ghost);
      held.ready = go(held.from.getAttribute("data-lift") ?? "", false);
    }
    held.ghost.style.translate = `${event.clientX}px ${event.clientY}px`;
  });
  addEventListener("touchmove", stay, { passive: false });
  addEventListener("pointercancel", drop);
  addEventListener("pointerup", async (event) => {
    const ready = held?.ready;
    drop();
    // The click that follows a drag is none.
    setTimeout(() => {
      dragged = false;
    });
    if (!ready) return;
    await ready;
    // What is dropped may be dropped behind a piece that has no link.
    const there = document.elementsFromPoint(event.clientX, event.clientY);
    const to = there.map((one) => one.closest(".spots a[href]")).find(Boolean);
    if (!to) return go(location.href, false);
    const address = new URL(to.getAttribute("href") ?? "", location.href);
    // What was dragged is not put down twice.
    if (address.pathname === "/setup") address.searchParams.delete("hand");
    go(address.pathname + address.search, true);
  });
};
