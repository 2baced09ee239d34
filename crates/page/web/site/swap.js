// Links marked data-swap change the page without loading it again.

/** @type {(() => void)[]} */
const swapped = [];
let latest = 0;
let isLeaving = false;
addEventListener("beforeunload", () => {
  isLeaving = true;
});
addEventListener("pageshow", () => {
  isLeaving = false;
});

/** Calls a function now, and again after each change of the page. @param {() => void} act */
export const onSwap = (act) => {
  swapped.push(act);
  act();
};

/** The element of a key. @param {string} key @returns {HTMLElement | null} */
const keyed = (key) => document.querySelector(`main [data-key="${CSS.escape(key)}"]`);

/**
 * Shows another page in place of this one.
 * @param {string} address
 * @param {boolean} isPushed Whether it becomes an entry of the history.
 */
export const go = async (address, isPushed) => {
  latest += 1;
  const turn = latest;
  let page;
  try {
    const answer = await fetch(address, { headers: { accept: "text/html" } });
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    // A request also fails because the reader goes to another page.
    if (!isLeaving) location.href = address;
    return;
  }
  const content = page.getElementById("main");
  if (turn !== latest) return;
  if (!content) {
    location.href = address;
    return;
  }
  // The area of an occupied square has the name of the link over its piece in data-for.
  const active = document.activeElement?.closest("[data-key], [data-for]");
  const focused = active?.getAttribute("data-key") ?? active?.getAttribute("data-for");
  if (isPushed) history.pushState(null, "", address);
  document.title = page.title;
  document.getElementById("main")?.replaceWith(document.adoptNode(content));
  for (const act of swapped) act();
  if (focused) (keyed(focused) ?? document.getElementById("main"))?.focus({ preventScroll: true });
  const status = document.querySelector("main [role=status]");
  const told = document.getElementById("status");
  if (told) told.textContent = status?.textContent ?? document.title;
};
