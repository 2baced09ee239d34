// Comfort only: links marked data-swap change the page without loading it anew, and arrow keys step through a game.
// Everything works without this file.
"use strict";
(() => {
  const main = () => document.getElementById("main");
  let latest = 0;

  async function go(address, push) {
    const turn = ++latest;
    let page;
    try {
      const answer = await fetch(address, { headers: { accept: "text/html" } });
      page = new DOMParser().parseFromString(await answer.text(), "text/html");
    } catch {
      location.href = address;
      return;
    }
    const content = page.getElementById("main");
    if (turn !== latest) return;
    if (!content) {
      location.href = address;
      return;
    }
    const focused = document.activeElement?.closest("[data-key]")?.getAttribute("data-key");
    const scrolled = document.querySelector(".score")?.scrollTop;
    if (push) history.pushState(null, "", address);
    document.title = page.title;
    main().replaceWith(document.adoptNode(content));
    const score = document.querySelector(".score");
    if (score && scrolled !== undefined) score.scrollTop = scrolled;
    show(score?.querySelector("[aria-current]"), score);
    if (focused) (find(focused) ?? main()).focus({ preventScroll: true });
    const said = document.querySelector("main [role=status]") ?? document.querySelector("main .score [aria-current]");
    document.getElementById("said").textContent = said?.textContent ?? document.title;
  }

  const find = (key) => document.querySelector(`main [data-key="${CSS.escape(key)}"]`);

  // The move that is shown stays in sight.
  function show(move, score) {
    if (!move || !score) return;
    const inner = move.getBoundingClientRect();
    const outer = score.getBoundingClientRect();
    if (inner.top < outer.top) score.scrollTop -= outer.top - inner.top + 20;
    if (inner.bottom > outer.bottom) score.scrollTop += inner.bottom - outer.bottom + 20;
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-swap]");
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(link.getAttribute("href"), true);
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea")) return;
    const keys = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };
    const link = keys[event.key] && document.querySelector(`.steps [data-key="${keys[event.key]}"]`);
    if (!link) return;
    event.preventDefault();
    go(link.getAttribute("href"), true);
  });

  addEventListener("popstate", () => go(location.href, false));
  show(document.querySelector(".score [aria-current]"), document.querySelector(".score"));
})();
