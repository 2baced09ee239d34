// A small board beside the row of a result that the mouse or the keyboard is on.
import { html } from "../lib/dom.js";
import { isDark } from "../lib/theme.js";

// It appears after this many milliseconds.
const HOVER = 200;

/**
 * The address of the picture of a result; none for rows that have one, and for other links.
 * @param {string} address The address of its game.
 * @param {boolean} dark
 */
export const pictureOf = (address, dark) => {
  const { pathname, searchParams } = new URL(address);
  const [, id] = /^\/game\/([0-9a-f]{16})$/.exec(pathname) ?? [];
  if (!id) return null;
  const ply = searchParams.get("ply");
  return `/picture/${id}.svg?${new URLSearchParams({ ...(ply ? { ply } : {}), theme: dark ? "dark" : "light" })}`;
};

/** Hears the mouse and the focus on rows of results and in lists of games. */
export const peekAtResults = () => {
  const picture = html("img", { class: "peek", alt: "", hidden: "" });
  document.body.append(picture);
  let timer = 0;
  const hide = () => {
    clearTimeout(timer);
    picture.hidden = true;
  };
  /** @param {Event} event */
  const show = ({ target }) => {
    hide();
    const row = target instanceof Element ? target.closest(".hits tbody tr, .games li") : null;
    const link = row?.querySelector("a");
    const address = link && !row?.querySelector(".small") ? pictureOf(link.href, isDark()) : null;
    if (!row || !address) return;
    timer = setTimeout(() => {
      picture.src = address;
      const box = row.getBoundingClientRect();
      const isLow = box.bottom > innerHeight / 2;
      picture.style.top = isLow ? "auto" : `${box.bottom + 4}px`;
      picture.style.bottom = isLow ? `${innerHeight - box.top + 4}px` : "auto";
      picture.hidden = false;
    }, HOVER);
  };
  document.addEventListener("pointerover", (event) => event.pointerType === "mouse" && show(event));
  document.addEventListener("focusin", (event) => event.target instanceof Element && event.target.matches(":focus-visible") && show(event));
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  for (const name of ["scroll", "pagehide", "focusout"]) addEventListener(name, hide, { passive: true });
};
