"use strict";
// Plays through the games of the page. All text that came from games is set as text, never as markup; the boards are parts
// of the page, which are only used here.
(() => {
  const root = document.querySelector(".tx-player");
  const articles = root ? [...root.querySelectorAll(".tx-game")] : [];
  if (articles.length === 0) return;
  const one = (name) => root.querySelector(".tx-" + name);
  const NS = "http://www.w3.org/2000/svg";
  const MEN = ["", "wP", "wN", "wB", "wR", "wQ", "wK", "bP", "bN", "bB", "bR", "bQ", "bK"];
  const ROLES = ["pawn", "knight", "bishop", "rook", "queen", "king"];
  const COLORS = { G: "var(--tx-green)", R: "var(--tx-red)", Y: "var(--tx-yellow)", B: "var(--tx-blue)" };
  const DASHES = { G: "", R: ".3 .12", Y: ".1 .1", B: ".26 .1 .08 .1" };
  const board = one("board");
  const column = board.insertBefore(document.createElementNS(NS, "g"), one("men"));
  column.setAttribute("class", "tx-column");
  const state = { game: 0, node: 0, stand: false, side: 0, notation: 0, column: -1 };
  const narrow = window.matchMedia("(max-width: 52rem)");

  // What is known of a game is read when it is shown first.
  const read = new Map();
  const gameOf = (index) => {
    if (!read.has(index)) {
      const game = JSON.parse(articles[index].querySelector(".tx-data").textContent);
      game.children = game.nodes.map(() => []);
      game.nodes.forEach((node, i) => i > 0 && game.children[node.p].push(i));
      // White has moved where the number of the move has one dot.
      const turns = (i) => !game.nodes[i].v.endsWith("...");
      game.nodes.forEach((node, i) => {
        node.white = i > 0 ? !turns(i) : game.children[0].length === 0 || turns(game.children[0][0]);
      });
      game.squares = game.layouts.map((layout) => layout.squares.map((names) => names.split(" ")));
      game.men = new Map([[0, game.start]]);
      read.set(index, game);
    }
    return read.get(index);
  };

  // The men on all squares at a node, found from the nearest node where they are known.
  const menAt = (game, index) => {
    const path = [];
    let at = index;
    while (!game.men.has(at)) {
      path.push(at);
      at = game.nodes[at].p;
    }
    let men = game.men.get(at);
    if (game.men.size > 2000) game.men = new Map([[0, game.start]]);
    for (const step of path.reverse()) {
      men = men.slice();
      const changes = game.nodes[step].d;
      for (let i = 0; i < changes.length; i += 2) men[changes[i]] = changes[i + 1];
      game.men.set(step, men);
    }
    return men;
  };

  // The stage that is shown, with the corners of the boards of one layout on it.
  const placed = (game, layout) => {
    const stage = 2 * (state.stand ? 1 : narrow.matches ? 2 : 0) + state.side;
    return { game, ...game.shape.views[stage], ...game.layouts[layout].stages[stage] };
  };
  // A square is a board, and a file and a rank on it as the viewer sees them.
  const cellOf = (game, square) => {
    const { boards, sizes } = game.shape;
    const b = boards.findIndex((first, i) => square < first + sizes[i] * sizes[i]);
    const [n, i] = [sizes[b], square - boards[b]];
    const [file, rank] = [i % n, Math.floor(i / n)];
    return state.side ? [b, n - 1 - file, n - 1 - rank] : [b, file, rank];
  };
  const pointOf = (place, [b, file, rank], df, dr) => [
    place.corners[2 * b] + file + df + place.rank[0] * (rank + dr),
    place.corners[2 * b + 1] + place.rank[1] * (rank + dr),
  ];

  const make = (name, attributes) => {
    const element = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const U = gameOf(0).unit;
  const scaled = (value) => +(value * U).toFixed(2);
  const polygon = (points, look) =>
    make("polygon", { points: points.map((point) => point.map(scaled).join(",")).join(" "), "stroke-linejoin": "round", ...look });
  const dashed = (dashes) => (dashes ? { "stroke-dasharray": dashes.split(" ").map(scaled).join(" ") } : {});
  const cornersOf = (place, cell, inset, n = 1) =>
    [[inset, inset], [n - inset, inset], [n - inset, n - inset], [inset, n - inset]].map(([f, r]) => pointOf(place, cell, f, r));
  // A line in a colour with a thin dark line on both sides, so that it is seen on any square.
  const ringed = (points, color, width, dashes = "") => [
    polygon(points, { fill: "none", stroke: "var(--tx-halo)", "stroke-width": scaled(width + 0.035) }),
    polygon(points, { fill: "none", stroke: color, "stroke-width": scaled(width), ...dashed(dashes) }),
  ];
  const filled = (points, color, opacity) => polygon(points, { fill: color, opacity });

  const arrow = (place, from, to, ink) => {
    const [a, b] = [from, to].map((square) => pointOf(place, cellOf(place.game, square), 0.5, place.stand ? 0.45 : 0.5));
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const length = Math.hypot(dx, dy);
    if (length === 0) return [];
    const [ux, uy] = [dx / length, dy / length];
    const head = Math.min(length, 0.45);
    const neck = [b[0] - ux * head, b[1] - uy * head];
    const line = { x1: a[0] + ux * 0.15, y1: a[1] + uy * 0.15, x2: neck[0], y2: neck[1] };
    for (const key in line) line[key] = scaled(line[key]);
    const look = { stroke: COLORS[ink], "stroke-width": scaled(0.13), opacity: 0.85, ...dashed(DASHES[ink]) };
    const sides = [[b[0], b[1]], [neck[0] - uy * 0.22, neck[1] + ux * 0.22], [neck[0] + uy * 0.22, neck[1] - ux * 0.22]];
    return [make("line", { ...line, ...look }), polygon(sides, { fill: COLORS[ink], opacity: 0.9 })];
  };

  // Marks under the men: the last move, check, a commentator's squares.
  const marks = (game, node, place) => {
    const drawn = [];
    const cell = (square) => cellOf(game, square);
    if (node.b !== undefined) {
      const n = game.shape.sizes[node.b];
      const before = placed(game, game.nodes[node.p].l);
      if (node.l !== game.nodes[node.p].l) {
        const old = { fill: "none", stroke: "var(--tx-last)", "stroke-width": scaled(0.09), ...dashed(".2 .16") };
        drawn.push(polygon(cornersOf(before, [node.b, 0, 0], 0, n), old));
      }
      drawn.push(...ringed(cornersOf(place, [node.b, 0, 0], -0.02, n), "var(--tx-last)", 0.1));
    }
    for (const square of node.s || []) {
      drawn.push(filled(cornersOf(place, cell(square), 0), "var(--tx-last)", 0.5));
      drawn.push(...ringed(cornersOf(place, cell(square), 0.05), "var(--tx-last)", 0.07));
    }
    if (node.k !== undefined) {
      drawn.push(filled(cornersOf(place, cell(node.k), 0), "var(--tx-check)", 0.45));
      drawn.push(...ringed(cornersOf(place, cell(node.k), 0.04), "var(--tx-check)", 0.07));
      drawn.push(...ringed(cornersOf(place, cell(node.k), 0.15), "var(--tx-check)", 0.05));
    }
    for (const [square, ink] of node.m || []) {
      drawn.push(filled(cornersOf(place, cell(square), 0), COLORS[ink], 0.28));
      drawn.push(...ringed(cornersOf(place, cell(square), 0.07), COLORS[ink], 0.1, DASHES[ink]));
    }
    return drawn;
  };

  const used = (part) => make("use", { href: "#tx-p" + part });
  const draw = () => {
    const game = gameOf(state.game);
    const node = game.nodes[state.node];
    const place = placed(game, node.l);
    const names = place.names[state.notation] || place.names[0];
    board.setAttribute("viewBox", `0 0 ${scaled(place.size[0])} ${scaled(place.size[1])}`);
    one("boards").replaceChildren(...place.parts.map(used), ...names.map(used));
    one("under").replaceChildren(...marks(game, node, place));
    const standing = [];
    menAt(game, state.node).forEach((man, square) => {
      if (man) standing.push([pointOf(place, cellOf(game, square), 0.5, place.foot), MEN[man]]);
    });
    // The farthest first.
    standing.sort((a, b) => a[0][1] - b[0][1]);
    const men = [];
    for (const [[x, y], man] of standing) {
      const shadow = { cx: scaled(x), cy: scaled(y - 0.02), rx: scaled(0.3), ry: scaled(0.1), opacity: 0.3 };
      if (place.stand) men.push(make("ellipse", shadow));
      men.push(make("use", { href: "#" + man, transform: `translate(${scaled(x)} ${scaled(y)}) scale(${game.man})` }));
    }
    one("men").replaceChildren(...men);
    one("over").replaceChildren(...(node.a || []).flatMap(([from, to, ink]) => arrow(place, from, to, ink)));
    drawColumn();
  };

  // The column under the pointer is marked on every board.
  const drawColumn = () => {
    const game = gameOf(state.game);
    const layout = game.nodes[state.node].l;
    const place = placed(game, layout);
    const drawn = [];
    game.layouts[layout].columns.forEach((here, square) => {
      if (here === state.column) drawn.push(...ringed(cornersOf(place, cellOf(game, square), 0.1), "var(--tx-blue)", 0.06, ".16 .1"));
    });
    column.replaceChildren(...drawn);
  };

  const wordOf = (node) => node.t[state.notation] ?? node.t[0];
  const link = (index) => document.getElementById(`tx-g${state.game + 1}m${index}`);
  // The comments behind a move, up to the next one.
  const commentsOf = (index) => {
    const said = [];
    for (let next = link(index)?.nextElementSibling; next && !next.matches("a, strong, .tx-variation"); next = next.nextElementSibling) {
      if (next.matches(".tx-comment")) said.push(next.textContent);
    }
    return said.join(" ");
  };
  const describe = (game, node, men) => {
    const names = game.squares[node.l][state.notation] || game.squares[node.l][0];
    const sides = ["White", "Black"].map((side, black) => {
      const groups = [...ROLES.keys()].reverse().map((role) => {
        const where = names.filter((_, square) => men[square] === 1 + role + 6 * black);
        return where.length ? `${ROLES[role]}${where.length > 1 ? "s" : ""} ${where.join(" ")}` : "";
      });
      return `${side}: ${groups.filter(Boolean).join(", ")}.`;
    });
    return sides.join(" ");
  };
  const say = () => {
    const game = gameOf(state.game);
    const node = game.nodes[state.node];
    const said = state.node === 0 ? "start position" : `${node.v} ${wordOf(node)}${node.j || ""}`;
    const turn = node.white ? "White to move" : "Black to move";
    const rest = [node.e ? node.e : node.k !== undefined ? `check, ${turn}` : turn];
    if (game.found.includes(state.node)) rest.push("found here");
    const comment = commentsOf(state.node);
    const strong = document.createElement("b");
    strong.textContent = said;
    const parts = [strong, ` \u00b7 ${rest.join(" \u00b7 ")}`];
    if (comment) {
      const italic = document.createElement("span");
      italic.className = "tx-comment";
      italic.textContent = comment;
      parts.push(document.createElement("br"), italic);
    }
    one("now").replaceChildren(...parts);
    board.querySelector("title").textContent = `${said}, ${rest.join(", ")}`;
    board.querySelector("desc").textContent = describe(game, node, menAt(game, state.node));
    const able = { first: state.node > 0, back: state.node > 0, forth: node.n !== undefined, last: node.n !== undefined };
    for (const id in able) one(id).setAttribute("aria-disabled", String(!able[id]));
  };

  const follow = () => {
    const old = root.querySelector("a[aria-current]");
    if (old) old.removeAttribute("aria-current");
    const here = link(state.node);
    if (!here) return;
    here.setAttribute("aria-current", "step");
    // Only the list is scrolled, never the page.
    const list = here.closest(".tx-moves");
    const [a, b] = [here.getBoundingClientRect(), list.getBoundingClientRect()];
    if (a.top < b.top || a.bottom > b.bottom) list.scrollTop += a.top - b.top - b.height / 3;
  };
  const show = (node, wants = true) => {
    state.node = node;
    draw();
    say();
    follow();
    if (wants) history.replaceState(null, "", `#g${state.game + 1}m${node}`);
  };
  const rewrite = () => {
    const game = gameOf(state.game);
    for (const at of articles[state.game].querySelectorAll("a[data-n]")) {
      const node = game.nodes[at.dataset.n];
      if (at.dataset.n !== "0") at.textContent = wordOf(node) + (node.j || "");
    }
  };
  const enter = (index, node, wants = true) => {
    state.game = index;
    const game = gameOf(index);
    articles.forEach((article, i) => (article.hidden = i !== index));
    one("games").value = String(index);
    if (state.notation >= game.notations.length) state.notation = 0;
    const choices = game.notations.map((name, i) => new Option(name, String(i), false, i === state.notation));
    one("notation").replaceChildren(...choices);
    rewrite();
    show(game.nodes[node] ? node : game.at, wants);
  };

  const go = (where) => {
    const game = gameOf(state.game);
    let node = state.node;
    if (where === "first") node = 0;
    if (where === "back") node = game.nodes[node].p;
    if (where === "forth") node = game.nodes[node].n ?? node;
    if (where === "last") while (game.nodes[node].n !== undefined) node = game.nodes[node].n;
    if (where === "up" || where === "down") {
      // Other moves from the position before: the line itself and its variations.
      const others = node > 0 ? game.children[game.nodes[node].p] : [];
      if (others.length < 2) return false;
      const step = where === "down" ? 1 : others.length - 1;
      node = others[(others.indexOf(node) + step) % others.length];
    }
    if (node !== state.node) show(node);
    return true;
  };
  for (const id of ["first", "back", "forth", "last"]) one(id).addEventListener("click", () => go(id));
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
    const moves = { ArrowLeft: "back", ArrowRight: "forth", ArrowUp: "up", ArrowDown: "down", Home: "first", End: "last" };
    const where = moves[event.key];
    if (where) {
      if (go(where)) event.preventDefault();
    } else if (event.key === "f") one("flip").click();
    else if (event.key === "v") one("view").click();
  });
  root.addEventListener("click", (event) => {
    const at = event.target.closest("a[data-n]");
    if (!at) return;
    event.preventDefault();
    show(Number(at.dataset.n));
  });

  const toggle = (name, act) => {
    const button = one(name);
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(on));
      act(on);
      draw();
    });
  };
  toggle("view", (on) => (state.stand = on));
  toggle("flip", (on) => (state.side = on ? 1 : 0));
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : window.matchMedia("(prefers-color-scheme: dark)").matches;
  one("dark").setAttribute("aria-pressed", String(dark));
  toggle("dark", (on) => (document.documentElement.dataset.theme = on ? "dark" : "light"));
  one("games").addEventListener("change", (event) => enter(Number(event.target.value), -1));
  one("notation").addEventListener("change", (event) => {
    state.notation = Number(event.target.value);
    rewrite();
    show(state.node, false);
  });

  // Touch: a stroke to the left goes on, a stroke to the right goes back.
  let touched = null;
  board.addEventListener("touchstart", (event) => {
    const touch = event.changedTouches[0];
    touched = event.touches.length === 1 ? [touch.clientX, touch.clientY] : null;
  }, { passive: true });
  board.addEventListener("touchend", (event) => {
    if (!touched) return;
    const touch = event.changedTouches[0];
    const [dx, dy] = [touch.clientX - touched[0], touch.clientY - touched[1]];
    touched = null;
    if (Math.abs(dx) > 30 && Math.abs(dx) > 2 * Math.abs(dy)) go(dx < 0 ? "forth" : "back");
  }, { passive: true });

  const pointAt = (found) => {
    if (found === state.column) return;
    state.column = found;
    drawColumn();
  };
  board.addEventListener("pointermove", (event) => {
    const matrix = board.getScreenCTM();
    if (!matrix || event.pointerType === "touch") return;
    const game = gameOf(state.game);
    const layout = game.nodes[state.node].l;
    const place = placed(game, layout);
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    let found = -1;
    game.layouts[layout].columns.forEach((here, square) => {
      const [x, y] = pointOf(place, cellOf(game, square), 0, 0);
      const rank = (at.y / U - y) / place.rank[1];
      const file = at.x / U - x - rank * place.rank[0];
      if (rank >= 0 && rank < 1 && file >= 0 && file < 1) found = here;
    });
    pointAt(found);
  });
  board.addEventListener("pointerleave", () => pointAt(-1));
  narrow.addEventListener("change", draw);

  const wanted = () => {
    const asked = /^#g(\d+)m(\d+)$/.exec(location.hash);
    const game = asked ? Number(asked[1]) - 1 : 0;
    return articles[game] ? [game, asked ? Number(asked[2]) : -1] : [0, -1];
  };
  window.addEventListener("hashchange", () => enter(...wanted(), false));
  // A browser would scroll to the move that the address names, away from the board.
  for (const at of root.querySelectorAll("a[data-n]")) at.id = "tx-" + at.id;
  const titles = articles.map((article, i) => new Option(`${i + 1}. ${article.querySelector("h2").textContent}`, String(i)));
  one("games").replaceChildren(...titles);
  one("games").parentElement.hidden = articles.length < 2;
  one("stage").hidden = false;
  root.classList.add("tx-ready");
  enter(...wanted(), false);
})();
