// Comfort only: links marked data-swap change the page without loading it again, and games have the viewer.
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
    if (push) history.pushState(null, "", address);
    document.title = page.title;
    main().replaceWith(document.adoptNode(content));
    if (focused) (find(focused) ?? main()).focus({ preventScroll: true });
    const said = document.querySelector("main [role=status]");
    document.getElementById("said").textContent = said?.textContent ?? document.title;
  }

  const find = (key) => document.querySelector(`main [data-key="${CSS.escape(key)}"]`);

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-swap]");
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(link.getAttribute("href"), true);
  });

  addEventListener("popstate", () => go(location.href, false));

  // The viewer takes the place of a game's links; links to its position follow it.
  const game = document.querySelector("[data-viewer]");
  if (!game) return;
  game.addEventListener("tx-move", ({ detail }) => {
    for (const link of document.querySelectorAll("a[data-position]")) {
      const address = new URL(link.href);
      address.searchParams.set(link.dataset.position, detail.position);
      link.href = address;
    }
  });
  fetch(game.dataset.viewer)
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status)))
    .then((data) => TridexViewer.show(game, data))
    .catch(() => game.removeAttribute("data-viewer"));
})();
