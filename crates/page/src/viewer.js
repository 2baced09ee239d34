"use strict";
// One viewer for games of three-dimensional chess: the board, the moves and the list of games.
// TridexViewer.show(element, {shared, games}, {engine}) fills an element; a game is an object or a function that returns one.
// A page has the same data in its elements `tx-data` and `tx-shared`. The element gets an event `tx-move` for each move. With
// an engine (see README.md) moves can be tried out. Text from games is set as text, never as markup.
globalThis.TridexViewer = (() => {
  const NS = "http://www.w3.org/2000/svg";
  const MEN = ["", "wP", "wN", "wB", "wR", "wQ", "wK", "bP", "bN", "bB", "bR", "bQ", "bK"];
  const LETTERS = " PNBRQKpnbrqk";
  const ROLES = ["pawn", "knight", "bishop", "rook", "queen", "king"];
  const VIEWS = ["Flat", "Stand", "Column"];
  // Variations that are nested more deeply are told apart by brackets alone.
  const DEEPEST = 24;
  // Between two moves of autoplay, in milliseconds.
  const PACE = 1200;

  const filled = (element, attributes, children) => {
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  const html = (name, attributes = {}, ...children) => filled(document.createElement(name), attributes, children);
  const make = (name, attributes = {}, ...children) => filled(document.createElementNS(NS, name), attributes, children);

  // The elements of our own markup of boards and pieces.
  const shapes = (markup) => {
    const top = make("g");
    let at = top;
    for (const [, end, name, attributes, empty, text] of markup.matchAll(/<(\/?)(\w+)((?:\s+[\w-]+="[^"]*")*)\s*(\/?)>|([^<]+)/g)) {
      if (text) at.append(text);
      else if (end) at = at.parentNode;
      else if (/^(defs|g|path|ellipse|circle|rect|text)$/.test(name)) {
        const pairs = [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key, value]);
        const child = at.appendChild(make(name, Object.fromEntries(pairs)));
        if (!empty) at = child;
      }
    }
    return top;
  };

  const numbers = (text) => (text ? text.split(" ").map((number) => parseInt(number, 36)) : []);
  const movesOf = (shared, raw) => numbers(raw.moves).map((move) => shared.moves[move]);
  const tagsOf = (shared, raw) => raw.tags.map((tag) => shared.tags[tag]);

  // The boards on their pins: the columns of all squares, their names in every notation, what is drawn on each stage.
  const layoutOf = (shared, { places, stages }) => {
    const own = numbers(places).map((at) => shared.places[at]);
    const squares = own[0].n.map((_, notation) => own.flatMap(({ n }) => n[notation].split(" ")));
    return { columns: own.flatMap(({ c }) => c), pins: own.flatMap(({ p }) => p ?? []), squares, stages, mounted: [] };
  };
  const mounted = (shared, layout, stage) => (layout.mounted[stage] ??= numbers(layout.stages[stage]).reduce((all, at) => {
    const [board, x, y, shapes, words] = shared.mounts[at];
    if (board >= 0) [all.corners[2 * board], all.corners[2 * board + 1]] = [x / 1000, y / 1000];
    all.parts.push(...shapes);
    words.forEach((own, notation) => (all.names[notation] ??= []).push(...own));
    return all;
  }, { corners: [], parts: [], names: [] }));

  // The tree of a game's positions. Each knows the node before it, the next one on its line, and what is different.
  const unpacked = (shared, raw) => {
    const start = shared.starts[raw.start];
    const more = raw.more ?? {};
    const moves = movesOf(shared, raw);
    const root = { i: 0, children: [], layout: 0, men: start.pieces, taken: [], clocks: ["", ""], comments: [], text: [] };
    Object.assign(root, { white: start.white, full: start.fullmoves, half: start.halfmoves, rights: start.rights }, more[0]);
    const nodes = [root];
    const lines = [{ at: root, numbered: true }];
    const items = [];
    const play = (line) => {
      const before = line.at;
      const i = nodes.length;
      const [step, ...words] = moves[i - 1].split(" ");
      const [from, to] = [step.slice(0, 2), step.slice(2)].map((square) => parseInt(square, 16));
      const man = before.men[from];
      const plain = man % 6 !== 1 && before.men[to] === 0;
      const node = { i, before, words, children: [], s: [from, to], d: [from, 0, to, man], h: plain ? before.half + 1 : 0, ...more[i] };
      node.number = before.full + (before.white ? "." : "...");
      node.white = !before.white;
      node.full = before.full + (before.white ? 0 : 1);
      node.half = node.h;
      node.rights = shared.rights[node.r] ?? before.rights;
      node.layout = node.l ?? before.layout;
      node.men = before.men.slice();
      node.taken = before.taken;
      node.clocks = before.clocks;
      node.comments = [];
      for (let k = 0; k < node.d.length; k += 2) {
        const old = before.men[node.d[k]];
        if (old && old > 6 === before.white) node.taken = [...node.taken, old];
        node.men[node.d[k]] = node.d[k + 1];
      }
      before.children.push(node);
      if (!line.branches) before.next = node;
      items.push({ node, numbered: line.numbered || before.white, main: lines.length === 1 });
      Object.assign(line, { at: node, numbered: false, branches: false });
      nodes.push(node);
    };
    for (const token of raw.text) {
      const line = lines.at(-1);
      if (typeof token === "number") {
        for (let k = 0; k < token; k++) play(line);
        continue;
      }
      const [kind, text] = [token[0], token.slice(1)];
      if (kind === "(") {
        line.numbered = true;
        lines.push({ at: line.at.before ?? root, numbered: true, branches: true });
      } else if (kind === ")") lines.pop();
      else if (kind === "c") {
        line.at.comments.push(text);
        line.numbered = true;
      } else if (kind === "k") {
        line.at.clocks = line.at.clocks.slice();
        line.at.clocks[line.at.white ? 1 : 0] = text;
      }
      items.push({ kind, text });
    }
    while (lines.length > 1 && lines.pop()) items.push({ kind: ")" });
    const layouts = raw.layouts.map((at) => layoutOf(shared, shared.layouts[at]));
    return { ...raw, shared, tags: tagsOf(shared, raw), found: raw.found ?? [], start, shape: shared.shapes[raw.shape], layouts, nodes, items };
  };

  // The game as PGN in one of its notations.
  const pgnOf = (game, notation) => {
    const [name, locale] = game.notations[notation].split(", ");
    const tags = game.tags.filter(([tag]) => !/^(notation|locale)$/i.test(tag));
    const missing = (tag) => !tags.some(([known]) => known.toLowerCase() === tag);
    if (missing("result")) tags.push(["Result", game.result]);
    if (missing("variant")) tags.push(["Variant", game.start.rules]);
    tags.push(["Notation", name]);
    if (/^[a-z]{2}$/.test(locale)) tags.push(["Locale", locale]);
    const marksOf = (node) => {
      const squares = game.layouts[node.layout].squares[notation];
      const csl = (node.m ?? []).map(([at, ink]) => ink + squares[at]).join(",");
      const cal = (node.a ?? []).map(([from, to, ink]) => ink + squares[from] + squares[to]).join(",");
      return csl || cal ? [`{${csl && `[%csl ${csl}]`}${cal && `[%cal ${cal}]`}}`] : [];
    };
    const said = game.items.flatMap(({ node, numbered, kind, text }) => {
      if (node) return [...(numbered ? [node.number] : []), node.words[notation] + (node.g ?? node.j ?? ""), ...marksOf(node)];
      if (kind === "c") return [`{${text.replaceAll("}", ")")}}`];
      return kind === "k" ? [`{[%clk ${text}]}`] : [kind === "w" ? text : kind];
    });
    const lines = [...marksOf(game.nodes[0]), ...said, game.result].join(" ").replace(/(.{1,79})(\s+|$)/g, "$1\n");
    return tags.map(([tag, value]) => `[${tag} "${value.replace(/["\\]/g, "\\$&")}"]\n`).join("") + "\n" + lines;
  };

  const positionOf = (game, node) => {
    const { boards, sizes } = game.shape;
    const ranks = (b) => {
      const n = sizes[b];
      const lines = [];
      for (let rank = n - 1; rank >= 0; rank--) {
        const first = boards[b] + rank * n;
        const line = [...node.men.slice(first, first + n)].map((man) => LETTERS[man]).join("");
        lines.push(line.replace(/ +/g, (empty) => empty.length));
      }
      return lines.join("/");
    };
    // The boards that do not move from the highest; the others in their order.
    const parts = [2, 1, 0].map(ranks);
    game.layouts[node.layout].pins.forEach((pin, i) => parts.push(`${pin}:${ranks(3 + i)}`));
    return [parts.join("|"), node.white ? "w" : "b", node.rights, node.half, node.full].join(" ");
  };

  const simple = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

  // Light or dark: one choice for all pages of a site, as far as the browser stores it.
  const stored = (value) => {
    try {
      if (value) localStorage.setItem("tx-theme", value);
      return localStorage.getItem("tx-theme");
    } catch {
      return null;
    }
  };
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  // Makes a button switch between light and dark.
  const theme = (button) => {
    button.setAttribute("aria-pressed", String(isDark()));
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      stored(root.dataset.theme);
      button.setAttribute("aria-pressed", String(isDark()));
    });
  };
  if (/^(light|dark)$/.test(stored())) root.dataset.theme = stored();

  // Pieces and marks are defined on a page once.
  const define = (root, shared) => {
    for (const [id, markup] of [["wK", shared.men], ["flat-last", shared.marks]]) {
      if (document.getElementById(id)) continue;
      root.prepend(make("svg", { class: "tx-parts", width: 0, height: 0, "aria-hidden": "true", focusable: "false" }, shapes(markup)));
    }
  };
  // A picture of a piece that is defined, such as wK.
  const piece = (id) => make("svg", { viewBox: "-50 -100 100 104", "aria-hidden": "true", focusable: "false" }, make("use", { href: `#${id}` }));

  let viewers = 0;
  const shown = new WeakMap();
  const show = (root, { shared, games }, { engine, view = null, turned = false } = {}) => {
    // What was shown in this element before ends.
    shown.get(root)?.abort();
    const alive = new AbortController();
    shown.set(root, alive);
    const { signal } = alive;
    const prefix = viewers++ ? `tx${viewers}-` : "tx-";
    const unit = shared.unit;
    const state = { game: 0, node: null, view, side: turned ? 1 : 0, notation: 0, column: -1, drawn: [], picked: null };
    const raws = [];
    const rawOf = (index) => (raws[index] ??= typeof games[index] === "function" ? games[index]() : games[index]);
    // Few games are kept unpacked: most are looked at once.
    const kept = new Map();
    const gameOf = (index) => {
      if (!kept.has(index)) {
        if (kept.size > 8) kept.clear();
        kept.set(index, unpacked(shared, rawOf(index)));
      }
      return kept.get(index);
    };
    let game = null;

    // The elements.
    const icon = (path) => make("svg", { viewBox: "0 0 20 20", "aria-hidden": "true", focusable: "false" }, make("path", { d: path }));
    const button = (name, label, content, key) =>
      html("button", { type: "button", class: `tx-${name}`, ...(typeof content === "string" ? {} : { "aria-label": label }), title: key ? `${label} (${key})` : label }, content);
    const PLAY = "M5 3V17L16 10Z";
    const STOP = "M5 4H8V16H5ZM12 4H15V16H12Z";
    const ui = {
      first: button("first", "To the start", icon("M4 3V17H6V3ZM17 3V17L7 10Z"), "Home"),
      back: button("back", "One move back", icon("M13 3L15 5L10 10L15 15L13 17L6 10Z"), "\u2190"),
      play: button("play", "Play on", icon(PLAY), "Space"),
      forth: button("forth", "One move on", icon("M7 3L5 5L10 10L5 15L7 17L14 10Z"), "\u2192"),
      last: button("last", "To the end", icon("M3 3V17L13 10ZM14 3V17H16V3Z"), "End"),
      view: button("view", "Next view", "Flat", "v"),
      flip: button("flip", "Turn the board", "Turn", "f"),
      dark: button("dark", "Dark colours", "Dark"),
      share: button("share", "Copy or download", "Share\u2026"),
      games: button("games", "List of games", "Games\u2026"),
      notation: html("select", { class: "tx-notation", "aria-label": "Notation" }),
      name: html("h2", { class: "tx-name" }),
      about: html("dl"),
      now: html("p", { class: "tx-now", role: "status" }),
      leave: button("leave", "Leave this line of yours", "Leave", "Esc"),
      trial: html("input", { class: "tx-try", "aria-label": "Try a move", placeholder: "Try a move", list: `${prefix}legal`, autocomplete: "off", spellcheck: "false" }),
      legal: html("datalist", { id: `${prefix}legal` }),
      moves: html("div", { class: "tx-moves", tabindex: "0", role: "group", "aria-label": "Moves of the game" }),
      far: html("p", { class: "tx-side tx-far" }),
      near: html("p", { class: "tx-side tx-near" }),
    };
    const layer = (name) => make("g", { class: `tx-${name}` });
    const [boards, under, column, chosen, men, over, lifted] = ["boards", "under", "column", "chosen", "men", "over", "lifted"].map(layer);
    const [title, desc] = [make("title", { id: `${prefix}title` }), make("desc", { id: `${prefix}desc` })];
    const board = make("svg", { class: "tx-board", role: "img", "aria-labelledby": `${title.id} ${desc.id}` });
    board.append(title, desc, boards, under, column, chosen, men, over, lifted);
    const bar = (name, ...children) => html("div", { class: `tx-bar tx-${name}`, role: "group", "aria-label": name === "steps" ? "Moves" : "View" }, ...children);
    root.replaceChildren(
      html("div", { class: "tx-head" }, ui.name),
      ui.now,
      html("section", { class: "tx-stage", "aria-label": "Board" }, ui.far, board, ui.near),
      ui.moves,
      bar("steps", ui.leave, ui.first, ui.back, ui.play, ui.forth, ui.last),
      bar("looks", ui.games, ...(engine ? [ui.trial, ui.legal] : []), ui.view, ui.flip, ui.dark, ui.notation, ui.share),
      html("details", { class: "tx-about" }, html("summary", {}, "Details"), ui.about)
    );
    root.classList.add("tx-player", "tx-ready");
    root.classList.toggle("tx-trial", Boolean(engine));
    define(root, shared);

    // Geometry: a square is a board, and a file and a rank on it as the viewer sees them.
    const STAGES = { Flat: 0, Stand: 1, Column: 2 };
    const viewNow = () => {
      if (state.view) return state.view;
      const scale = (view) => {
        const [w, h] = game.shape.views[2 * STAGES[view]].size;
        return Math.min((board.clientWidth || 1) / w, (board.clientHeight || 1) / h);
      };
      return scale("Column") > scale("Flat") ? "Column" : "Flat";
    };
    const placed = (layout) => {
      const stage = 2 * STAGES[viewNow()] + state.side;
      return { ...game.shape.views[stage], ...mounted(game.shared, game.layouts[layout], stage) };
    };
    const cellOf = (square) => {
      const { boards, sizes } = game.shape;
      const b = boards.findLastIndex((first) => first <= square);
      const [n, i] = [sizes[b], square - boards[b]];
      const [file, rank] = [i % n, Math.floor(i / n)];
      return state.side ? [b, n - 1 - file, n - 1 - rank] : [b, file, rank];
    };
    const pointOf = (place, [b, file, rank], df, dr) => [
      place.corners[2 * b] + file + df + place.rank[0] * (rank + dr),
      place.corners[2 * b + 1] + place.rank[1] * (rank + dr),
    ];
    const scaled = (value) => +(value * unit).toFixed(2);
    const at = ([x, y]) => `translate(${scaled(x)} ${scaled(y)})`;
    // Every mark is a given shape, put where the near left corner of a square or board is.
    const mark = (place, name, corner) => make("use", { href: `#${place.space ? "space" : "flat"}-${name}`, transform: at(corner) });
    const markOn = (place, name, square) => mark(place, name, pointOf(place, cellOf(square), 0, 0));
    const cornerOf = (place, b) => pointOf(place, [b, 0, 0], 0, 0);
    // The given arrow, turned, its shafts made longer. Where squares are too near to each other it is smaller.
    const arrow = (place, from, to, ink) => {
      const [a, b] = [from, to].map((square) => pointOf(place, cellOf(square), 0.5, place.middle));
      const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
      const length = Math.hypot(dx, dy);
      if (length === 0) return [];
      const long = Math.max(length, 1);
      const more = scaled(long - shared.arrow);
      const drawn = document.getElementById(`arrow-${ink}`).cloneNode(true);
      drawn.removeAttribute("id");
      drawn.setAttribute("transform", `${at(a)} matrix(${dx / long} ${dy / long} ${-dy / long} ${dx / long} 0 0)`);
      [...drawn.children].forEach((part, i) => {
        if (i % 2) part.setAttribute("transform", `translate(${more})`);
        else part.setAttribute("d", part.getAttribute("d").replace(/L([\d.]+)/, (_, x) => `L${+x + more}`));
      });
      return [drawn];
    };
    // Marks under the pieces: the last move, check, squares of a commentator and of the reader.
    const marks = (node, place, marked) => {
      const drawn = [];
      if (node.b !== undefined) {
        if (node.layout !== node.before.layout) drawn.push(mark(place, "left", cornerOf(placed(node.before.layout), node.b)));
        drawn.push(mark(place, "board", cornerOf(place, node.b)));
      }
      drawn.push(...(node.s ?? []).map((square) => markOn(place, "last", square)));
      if (node.k !== undefined) drawn.push(markOn(place, "check", node.k));
      drawn.push(...marked.map(([square, ink]) => markOn(place, ink, square)));
      return drawn;
    };

    // The boards are made again only when another layout, view or notation is shown.
    const part = (i) => ((game.shared.made ??= [])[i] ??= shapes(game.shared.parts[i])).cloneNode(true);
    let scene = "";
    const drawBoards = (place) => {
      const names = place.names[state.notation] ?? place.names[0];
      const wanted = [...place.parts, "", ...names].join(" ");
      if (wanted === scene) return;
      scene = wanted;
      board.setAttribute("viewBox", `0 0 ${scaled(place.size[0])} ${scaled(place.size[1])}`);
      boards.replaceChildren(...place.parts.map(part), ...names.map(part));
    };
    const manAt = (foot, man, square) =>
      make("use", { href: `#${MEN[man]}`, transform: `${at(foot)} scale(${shared.man})`, "data-square": square });
    const draw = () => {
      const node = state.node;
      const place = placed(node.layout);
      drawBoards(place);
      const arrows = [...(node.a ?? []), ...state.drawn];
      const marked = [...(node.m ?? []), ...arrows.filter(([from, to]) => from === to).map(([from, , ink]) => [from, ink])];
      under.replaceChildren(...marks(node, place, marked));
      const standing = [];
      node.men.forEach((man, square) => man && standing.push([pointOf(place, cellOf(square), 0.5, place.foot), man, square]));
      // The farthest first.
      standing.sort((a, b) => a[0][1] - b[0][1]);
      const shadow = ([x, y]) => make("ellipse", { cx: scaled(x), cy: scaled(y - 0.02), rx: scaled(0.3), ry: scaled(0.1), opacity: 0.3 });
      men.replaceChildren(...standing.flatMap(([at, man, square]) => [...(place.space ? [shadow(at)] : []), manAt(at, man, square)]));
      drawOver();
      drawColumn();
      const other = viewNow();
      if (ui.view.textContent !== other) ui.view.textContent = other;
    };
    // Where moves go. Pins are drawn the farthest first, which at one height is the rightmost.
    const endsOf = ({ pins }, moves) => [...new Set(moves.map(({ to }) => to))].sort((a, b) => (pins[a] ? pins[a][1] - pins[b][1] || pins[b][0] - pins[a][0] : 0));
    // Arrows, the selected piece or board, and where it can go.
    const drawOver = () => {
      const { node, drawn } = state;
      const { from, moves } = state.picked ?? { from: [], moves: [] };
      const place = placed(node.layout);
      const b = 3 + game.layouts[node.layout].pins.findIndex((pin) => pin.startsWith(`${from}@`));
      const own = typeof from === "string" ? [0, 1, 2, 3].map((i) => game.shape.boards[b] + i) : [from].flat();
      chosen.replaceChildren(...own.map((square) => markOn(place, "G", square)));
      const arrows = [...(node.a ?? []), ...drawn].flatMap(([from, to, ink]) => arrow(place, from, to, ink));
      const ends = endsOf(place, moves).map((to) => {
        const end = typeof to === "string" ? mark(place, "pin", place.pins[to]) : markOn(place, node.men[to] ? "take" : "go", to);
        return filled(end, { "data-square": to }, []);
      });
      over.replaceChildren(...arrows, ...ends);
    };
    // The column under the pointer is marked on every board.
    const drawColumn = () => {
      const { layout } = state.node;
      const place = placed(layout);
      column.replaceChildren(...game.layouts[layout].columns.flatMap((here, square) => (here === state.column ? markOn(place, "column", square) : [])));
    };

    // Words.
    const wordOf = (node) => (node.words[state.notation] ?? node.words[0]) + (node.j ?? "");
    const listed = (codes) => {
      const counts = ROLES.map((role, at) => [role, codes.filter((man) => (man - 1) % 6 === at).length]).filter(([, n]) => n);
      return counts.reverse().map(([role, n]) => (n > 1 ? `${n} ${role}s` : role)).join(", ");
    };
    const describe = (node) => {
      const { squares } = game.layouts[node.layout];
      const names = squares[state.notation] ?? squares[0];
      const sides = ["White", "Black"].map((side, black) => {
        const groups = [...ROLES.keys()].reverse().map((role) => {
          const where = names.filter((_, square) => node.men[square] === 1 + role + 6 * black);
          return where.length ? `${ROLES[role]}${where.length > 1 ? "s" : ""} ${where.join(" ")}` : "";
        });
        return `${side}: ${groups.filter(Boolean).join(", ")}.`;
      });
      return sides.join(" ");
    };
    // A side's clock and the pieces it has captured.
    const sideline = (element, black) => {
      const { clocks, taken } = state.node;
      const codes = taken.filter((man) => man > 6 !== Boolean(black)).sort((a, b) => b - a);
      const side = black ? "Black" : "White";
      const pieces = codes.map((man) => piece(MEN[man]));
      const clock = clocks[black] ? [html("span", { class: "tx-clock" }, clocks[black])] : [];
      const said = codes.length ? [html("span", { class: "tx-unseen" }, `${side} has captured: ${listed(codes)}.`)] : [];
      const name = game.tags.find(([tag]) => tag.toLowerCase() === side.toLowerCase())?.[1] ?? "";
      const player = /[^?]/.test(name) ? [html("b", { class: "tx-player-name" }, name)] : [];
      element.replaceChildren(...player, ...clock, ...pieces, ...said);
    };
    const say = () => {
      const node = state.node;
      const said = node.before ? `${node.number} ${wordOf(node)}` : "start position";
      const turn = node.white ? "White to move" : "Black to move";
      const rest = [node.e ? node.e : node.k !== undefined ? `check, ${turn}` : turn];
      if (game.found.includes(node.i)) rest.push("found here");
      const lines = [html("b", {}, said), ` \u00b7 ${rest.join(" \u00b7 ")}`];
      if (node.comments.length) lines.push(html("br"), " ", html("span", { class: "tx-comment" }, node.comments.join(" ")));
      ui.now.replaceChildren(...lines);
      title.textContent = `${said}, ${rest.join(", ")}`;
      desc.textContent = describe(node);
      sideline(state.side ? ui.near : ui.far, 1);
      sideline(state.side ? ui.far : ui.near, 0);
      for (const id of ["first", "back"]) ui[id].setAttribute("aria-disabled", String(!node.before));
      for (const id of ["play", "forth", "last"]) ui[id].setAttribute("aria-disabled", String(!node.next));
    };

    // The moves: a link for each, variations indented.
    const links = new Map();
    const listMoves = () => {
      links.clear();
      const name = tried ? "line of yours" : "start";
      const start = html("a", { href: `#g${state.game + 1}m0`, id: `${prefix}g${state.game + 1}m0`, "data-n": 0 }, name);
      links.set(0, start);
      const top = document.createDocumentFragment();
      top.append(start, " ");
      let [at, depth] = [top, 0];
      for (const { node, numbered, main, kind, text } of game.items) {
        if (node) {
          const id = `g${state.game + 1}m${node.i}`;
          const link = html("a", { href: `#${id}`, id: prefix + id, "data-n": node.i }, wordOf(node));
          link.classList.toggle("tx-main", main);
          link.classList.toggle("tx-found", game.found.includes(node.i));
          links.set(node.i, link);
          const number = numbered ? [html("span", { class: "tx-no" }, node.number), " "] : [];
          at.append(html("span", { class: "tx-ply" }, ...number, link), " ");
        } else if (kind === "(") {
          if (++depth <= DEEPEST) at = at.appendChild(html("span", { class: "tx-variation" }));
          at.append("( ");
        } else if (kind === ")") {
          at.append(") ");
          if (depth-- <= DEEPEST) at = at.parentNode;
        } else {
          const name = { c: "comment", k: "clock", w: "word" }[kind];
          at.append(html("span", { class: `tx-${name}` }, text), " ");
        }
      }
      top.append(html("strong", {}, game.result.replaceAll("-", "\u2013")));
      ui.moves.replaceChildren(top);
    };
    const follow = () => {
      ui.moves.querySelector("a[aria-current]")?.removeAttribute("aria-current");
      const here = links.get(state.node.i);
      here.setAttribute("aria-current", "step");
      // Only the list is scrolled, never the page.
      const [a, b] = [here.getBoundingClientRect(), ui.moves.getBoundingClientRect()];
      if (a.top < b.top || a.bottom > b.bottom) ui.moves.scrollTop += a.top - b.top - b.height / 3;
    };

    const goTo = (node, wants = true) => {
      state.node = node;
      state.drawn = [];
      state.picked = null;
      draw();
      say();
      follow();
      if (!node.next) playOn(false);
      root.dispatchEvent(new CustomEvent("tx-move", { detail: { position: positionOf(game, node) } }));
      if (wants && !tried) history.replaceState(null, "", `#g${state.game + 1}m${node.i}`);
      lookAhead();
    };
    // Shows another game, or a line of the reader, in the same notation.
    const take = (next) => {
      const name = game?.notations[state.notation];
      game = next;
      state.notation = Math.max(0, game.notations.indexOf(name));
      ui.notation.replaceChildren(...game.notations.map((name, i) => new Option(name, String(i), false, i === state.notation)));
      ui.leave.hidden = !tried;
      scene = "";
      listMoves();
    };
    const enter = (index, at, wants = true) => {
      playOn(false);
      state.game = index;
      tried = null;
      take(gameOf(index));
      ui.name.textContent = games.length > 1 ? `${index + 1}. ${game.title}` : game.title;
      const told = /^(white|black|result|setup|fen|notation|locale|date)$/i;
      const known = game.tags.filter(([tag, value]) => !told.test(tag) && value && !value.startsWith("?"));
      ui.about.replaceChildren(...known.flatMap(([tag, value]) => [html("dt", {}, tag), html("dd", {}, value)]));
      ui.about.parentElement.hidden = known.length === 0;
      goTo(game.nodes[at] ?? game.nodes[game.at], wants);
    };

    let timer = 0;
    const playOn = (on) => {
      if (on === Boolean(timer)) return;
      clearInterval(timer);
      timer = on ? setInterval(() => go("forth"), PACE) : 0;
      ui.play.setAttribute("aria-label", on ? "Stop" : "Play on");
      ui.play.querySelector("path").setAttribute("d", on ? STOP : PLAY);
    };
    const lastOf = (node) => {
      while (node.next) node = node.next;
      return node;
    };
    const go = (where) => {
      const now = state.node;
      // Other moves from the position before: the line itself and its variations.
      const others = now.before?.children ?? [];
      const turned = (step) => others[(others.indexOf(now) + step + others.length) % others.length];
      const node = {
        first: () => game.nodes[0],
        back: () => now.before,
        forth: () => now.next,
        last: () => lastOf(now),
        up: () => (others.length > 1 ? turned(-1) : game.nodes[0]),
        down: () => (others.length > 1 ? turned(1) : lastOf(now)),
      }[where]();
      if (node && node !== now) goTo(node);
      else if (tried && where === "back") leave();
    };
    for (const id of ["first", "back", "forth", "last"]) ui[id].addEventListener("click", () => go(id));
    ui.play.addEventListener("click", () => playOn(!timer && Boolean(state.node.next)));
    ui.moves.addEventListener("click", (event) => {
      const at = event.target.closest("a[data-n]");
      if (!at) return;
      event.preventDefault();
      goTo(game.nodes[at.dataset.n]);
    });
    document.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, dialog")) return;
      if (event.key === " " && event.target.closest("button, a, summary")) return;
      const moves = { ArrowLeft: "back", ArrowRight: "forth", ArrowUp: "up", ArrowDown: "down", Home: "first", End: "last" };
      const keys = { f: "flip", v: "view", " ": "play", ...(tried ? { Escape: "leave" } : {}) };
      if (moves[event.key]) go(moves[event.key]);
      else if (keys[event.key]) ui[keys[event.key]].click();
      else return;
      event.preventDefault();
    }, { signal });

    // Views and colours.
    ui.view.addEventListener("click", () => {
      const now = viewNow();
      // From the flat or the column view to the stand, and on to the other one.
      state.other ??= now === "Column" ? "Flat" : "Column";
      const order = [state.other === "Flat" ? "Column" : "Flat", "Stand", state.other];
      state.view = order[(order.indexOf(now) + 1) % 3];
      draw();
    });
    const toggle = (button, on, act) => {
      const set = (to) => button.setAttribute("aria-pressed", String(to));
      set(on);
      button.addEventListener("click", () => {
        on = !on;
        set(on);
        act(on);
      });
    };
    toggle(ui.flip, turned, (on) => {
      state.side = on ? 1 : 0;
      draw();
      say();
    });
    theme(ui.dark);
    ui.notation.addEventListener("change", () => {
      state.notation = Number(ui.notation.value);
      for (const [i, link] of links) if (i > 0) link.textContent = wordOf(game.nodes[i]);
      draw();
      say();
      follow();
    });
    new ResizeObserver(() => {
      const [w, h] = [board.clientWidth, board.clientHeight];
      if (w && h && !state.view && ui.view.textContent !== viewNow()) draw();
    }).observe(board);

    // Touch: a stroke to the left goes on, a stroke to the right goes back.
    let touched = null;
    board.addEventListener("touchstart", (event) => {
      const touch = event.changedTouches[0];
      touched = event.touches.length === 1 ? [touch.clientX, touch.clientY] : null;
      // What can be moved is moved by the finger; elsewhere the finger scrolls the page, or turns the moves.
      if (engine && isMovable(spotAt(touch))) touched = null;
    }, { passive: true });
    // A finger that begins on a piece or its square moves the piece, not the page.
    board.addEventListener("touchmove", (event) => held && event.preventDefault(), { passive: false });
    board.addEventListener("touchend", (event) => {
      if (!touched) return;
      const touch = event.changedTouches[0];
      const [dx, dy] = [touch.clientX - touched[0], touch.clientY - touched[1]];
      touched = null;
      if (Math.abs(dx) > 30 && Math.abs(dx) > 2 * Math.abs(dy)) go(dx < 0 ? "forth" : "back");
    }, { passive: true });

    // Places on the board: a point in squares, and what is there.
    const pointOn = ({ clientX, clientY }) => {
      const matrix = board.getScreenCTM();
      if (!matrix) return null;
      const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
      return [x / unit, y / unit];
    };
    // The file and rank of a point, counted from a corner.
    const cellFrom = (place, [x, y], [cx, cy]) => {
      const rank = (y - cy) / place.rank[1];
      return [x - cx - rank * place.rank[0], rank];
    };
    const isIn = ([file, rank], size, aside = 0) => rank >= 0 && rank < size && file >= -aside && file < size + aside;
    const squareUnder = (event) => {
      const [place, at] = [placed(state.node.layout), pointOn(event)];
      if (!at) return -1;
      return state.node.men.findLastIndex((_, square) => isIn(cellFrom(place, at, pointOf(place, cellOf(square), 0, 0)), 1));
    };
    // What a layer has drawn there: of several elements the front one, which the page finds first.
    const drawnAt = ({ clientX, clientY }, layer) =>
      document.elementsFromPoint(clientX, clientY).find(({ parentNode, dataset }) => parentNode === layer && dataset.square)?.dataset.square;
    // A piece stands in front of the squares behind it.
    const squareAt = (event) => Number(drawnAt(event, men) ?? squareUnder(event));
    // An attack board by its name or its edge.
    const boardAt = (event) => {
      const [place, at] = [placed(state.node.layout), pointOn(event)];
      const { pins } = game.layouts[state.node.layout];
      const cells = at ? pins.map((pin, i) => [pin, cellFrom(place, at, pointOf(place, [3 + i, 0, 0], 0, 0))]) : [];
      const near = cells.filter(([, cell]) => isIn(cell, 2, 1.8)).sort(([, [a]], [, [b]]) => Math.abs(a - 1) - Math.abs(b - 1));
      return near[0]?.[0].split("@")[0];
    };
    // A piece; an attack board, also by a square of it without a piece; an empty square of another board is only itself.
    const spotAt = (event) => {
      const square = squareAt(event);
      if (square < 0) return boardAt(event) ?? square;
      const b = cellOf(square)[0];
      const pin = state.node.men[square] ? undefined : game.layouts[state.node.layout].pins[b - 3];
      return pin?.split("@")[0] ?? square;
    };
    const isMovable = (spot) => typeof spot === "string" || (spot >= 0 && state.node.men[spot] > 0 && state.node.men[spot] < 7 === state.node.white);

    // Moves of the reader: legal moves come from the engine, and open a line that can be left again.
    let tried = null;
    let ahead = { position: "", moves: Promise.resolve([]) };
    let waiting = 0;
    const wordsOf = (move) => move.words[game.notations[state.notation].split(",")[0]] ?? move.move;
    const legalMoves = () => {
      const position = positionOf(game, state.node);
      if (ahead.position !== position) {
        const moves = Promise.resolve(engine.legalMoves(position, game.start.rules)).catch(() => []);
        ahead = { position, moves };
        moves.then((known) => {
          if (ahead.moves !== moves) return;
          ui.legal.replaceChildren(...known.map((move) => new Option(wordsOf(move))));
          ui.trial.disabled = known.length === 0;
        });
      }
      return ahead.moves;
    };
    // Asked for a moment later, so that nobody waits while moves are turned quickly.
    const lookAhead = () => {
      clearTimeout(waiting);
      if (engine) waiting = setTimeout(legalMoves, 120);
    };
    const tryOut = async (move) => {
      const known = state.node.children.find((child) => child.words[state.notation] === wordsOf(move));
      if (known) return goTo(known);
      const before = tried && { ...tried, moves: tried.moves.slice(0, state.node.i) };
      const line = before ?? { game, node: state.node, position: positionOf(game, state.node), moves: [] };
      line.moves.push(move.move);
      let data = null;
      try {
        data = await engine.play(line.position, line.moves, game.start.rules);
      } catch {
        ui.now.append(" \u00b7 This move could not be played: try again.");
        return;
      }
      const { shared, games } = data;
      tried = line;
      take(unpacked(shared, games[0]));
      goTo(lastOf(game.nodes[0]));
    };
    const leave = () => {
      const { game: left, node } = tried;
      tried = null;
      take(left);
      goTo(node);
      if (document.activeElement === document.body || document.activeElement === ui.leave) ui.moves.focus();
    };
    ui.leave.addEventListener("click", leave);
    // A move is written, or chosen from the list, which is no input of a key.
    const written = async () => {
      const text = ui.trial.value.trim();
      const known = text ? await legalMoves() : [];
      const plain = (word) => word.replace(/[+#=!?]+$/, "").toLowerCase();
      const move = known.find((one) => wordsOf(one) === text) ?? known.find((one) => plain(wordsOf(one)) === plain(text));
      ui.trial.setCustomValidity(text && !move ? "This is not a legal move here" : "");
      ui.trial.reportValidity();
      if (!move) return;
      ui.trial.value = "";
      tryOut(move);
    };
    ui.trial.addEventListener("input", (event) => {
      ui.trial.setCustomValidity("");
      if (!event.inputType || event.inputType === "insertReplacementText") written();
    });
    ui.trial.addEventListener("keydown", (event) => event.key === "Enter" && written());
    const pick = (from, moves) => {
      state.picked = moves.length ? { from, moves } : null;
      // The pieces stay in the page: a finger on one that was removed would not be heard of again.
      drawOver();
    };
    // The target there: of several the one that is drawn in front.
    const targetAt = (event, dropped = false) => {
      if (typeof state.picked.from !== "string") {
        // Marks of targets are in front of pieces. What is dropped may be dropped behind a piece; a click selects the piece.
        const ends = [Number(drawnAt(event, over)), squareAt(event), ...(dropped ? [squareUnder(event)] : [])];
        return ends.find((square) => state.picked.moves.some(({ to }) => to === square)) ?? -1;
      }
      const [place, at] = [placed(state.node.layout), pointOn(event)];
      return endsOf(place, state.picked.moves).findLast((to) => at && isIn(cellFrom(place, at, place.pins[to]), 2)) ?? -1;
    };
    // Plays the move from what is selected to a place; of several moves the reader chooses.
    const playTo = (to) => {
      const moves = state.picked.moves.filter((move) => move.to === to);
      if (moves.length === 1) tryOut(moves[0]);
      else if (moves.length) {
        choices.replaceChildren(...moves.map((move) => {
          const one = button("choice", wordsOf(move), wordsOf(move));
          one.addEventListener("click", () => {
            chooser.close();
            tryOut(move);
          });
          return one;
        }));
        chooser.showModal();
      }
      return moves.length > 0;
    };

    // The pointer: the left button and the finger move pieces and boards, the right button draws arrows and marks of the
    // reader, and the column under the mouse is marked.
    const pointAt = (found) => {
      if (found === state.column) return;
      state.column = found;
      drawColumn();
    };
    let pressed = -1;
    let held = null;
    board.addEventListener("contextmenu", (event) => event.preventDefault());
    board.addEventListener("pointerdown", (event) => {
      if (event.button === 2) pressed = squareAt(event);
      else if (event.pointerType === "mouse" && state.drawn.length) {
        state.drawn = [];
        draw();
      }
      if (!engine || event.button !== 0) return;
      if (state.picked && playTo(targetAt(event))) return;
      const spot = spotAt(event);
      const was = state.picked?.from;
      if (!isMovable(spot)) return state.picked && pick(spot, []);
      const { node } = state;
      const ready = legalMoves().then((moves) => {
        if (node === state.node && spot !== was) pick(spot, moves.filter((move) => move.from === spot));
      });
      held = { spot, was, at: [event.clientX, event.clientY], moved: false, ready };
      board.setPointerCapture(event.pointerId);
    });
    board.addEventListener("pointerup", async (event) => {
      const to = event.button === 2 && pressed >= 0 ? squareAt(event) : -1;
      if (to >= 0) {
        const ink = "GRBY"[(event.shiftKey ? 1 : 0) + (event.altKey ? 2 : 0)];
        const same = state.drawn.findIndex(([from, known]) => from === pressed && known === to);
        if (same >= 0) state.drawn.splice(same, 1);
        else state.drawn.push([pressed, to, ink]);
        draw();
      }
      pressed = -1;
      if (!held) return;
      const { spot, was, moved, ready } = held;
      held = null;
      lifted.replaceChildren();
      await ready;
      // A piece that is dropped elsewhere, or clicked again, is no longer selected.
      if (state.picked && (moved ? !playTo(targetAt(event, true)) : was === spot)) pick(spot, []);
    });
    board.addEventListener("pointercancel", () => {
      held = null;
      pick(-1, []);
      lifted.replaceChildren();
    });
    board.addEventListener("pointermove", (event) => {
      if (held) {
        held.moved ||= Math.hypot(event.clientX - held.at[0], event.clientY - held.at[1]) > 6;
        if (held.moved) lift(event);
      }
      if (event.pointerType === "touch") return;
      pointAt(game.layouts[state.node.layout].columns[squareAt(event)] ?? -1);
      board.classList.toggle("tx-grab", Boolean(engine) && isMovable(spotAt(event)));
    });
    board.addEventListener("pointerleave", () => pointAt(-1));
    // What is dragged is drawn at the pointer.
    const lift = (event) => {
      const [x, y] = pointOn(event);
      const place = placed(state.node.layout);
      if (typeof held.spot === "string") lifted.replaceChildren(mark(place, "board", [x - 1 - place.rank[0], y - place.rank[1]]));
      else lifted.replaceChildren(manAt([x, y + 0.45], state.node.men[held.spot], held.spot));
    };

    // Dialogs: they keep the focus, and Escape closes them.
    const dialog = (name, label, ...children) => {
      const close = button("close", "Close", icon("M4 6L6 4L10 8L14 4L16 6L12 10L16 14L14 16L10 12L6 16L4 14L8 10Z"));
      const box = html("dialog", { class: `tx-dialog tx-${name}`, "aria-label": label }, html("div", { class: "tx-head" }, html("h2", {}, label), close), ...children);
      close.addEventListener("click", () => box.close());
      box.addEventListener("click", (event) => event.target === box && box.close());
      root.append(box);
      return box;
    };

    const choices = html("div", { class: "tx-bar" });
    const chooser = dialog("chooser", "Which move?", choices);

    // The list of games, searched by any words of players, result, event, date, opening and first moves.
    const search = html("input", { type: "search", class: "tx-search", "aria-label": "Search games", placeholder: "Player, result, event, opening, first moves" });
    const count = html("p", { class: "tx-count", role: "status" });
    const rows = html("ol", { class: "tx-rows" });
    const list = dialog("list", "Games", search, count, rows);
    let entries = null;
    const entryOf = (raw, index) => {
      const tags = tagsOf(shared, raw);
      const tagOf = (name) => tags.find(([tag]) => tag.toLowerCase() === name)?.[1].replace(/^[?.]+$/, "") ?? "";
      const words = movesOf(shared, { moves: raw.moves.split(" ", 4).join(" ") }).map((move) => move.split(" ")[1]);
      const facts = ["event", "date", "opening"].map((name) => tagOf(name).replace(/(\.\?\?)+$/, "")).filter(Boolean);
      const first = shared.starts[raw.start].white && words[0] ? words.map((word, i) => (i % 2 ? word : `${i / 2 + 1}. ${word}`)).join(" ") : "";
      const players = ["white", "black"].map((name) => tagOf(name) || name[0].toUpperCase() + name.slice(1));
      const row = html("button", { type: "button", "data-game": index },
        html("b", {}, `${index + 1}. ${players.join(" \u2013 ")}`), " ",
        html("span", { class: "tx-result" }, raw.result.replaceAll("-", "\u2013")), " ",
        html("small", {}, [...facts, first].filter(Boolean).join(" \u00b7 ")));
      return { row: html("li", {}, row), text: simple([row.textContent, raw.result, ...tags.map(([, value]) => value)].join(" ")) };
    };
    const filter = () => {
      entries ??= games.map((_, i) => entryOf(rawOf(i), i));
      const terms = simple(search.value).split(/\s+/);
      const found = entries.filter(({ text }) => terms.every((term) => text.includes(term)));
      count.textContent = found.length === games.length ? `${games.length} games` : `${found.length} of ${games.length} games`;
      rows.replaceChildren(...found.map(({ row }) => row));
    };
    search.addEventListener("input", filter);
    ui.games.addEventListener("click", () => {
      filter();
      rows.querySelector("[aria-current]")?.removeAttribute("aria-current");
      entries[state.game].row.firstChild.setAttribute("aria-current", "true");
      list.showModal();
      search.focus();
      search.select();
      rows.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    });
    rows.addEventListener("click", (event) => {
      const row = event.target.closest("button");
      if (!row) return;
      list.close();
      enter(Number(row.dataset.game), -1);
    });
    list.addEventListener("keydown", (event) => {
      const buttons = [...rows.querySelectorAll("button")];
      const at = buttons.indexOf(document.activeElement);
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) {
        (buttons[at + step] ?? search).focus();
        event.preventDefault();
      } else if (event.key === "Enter" && event.target === search) buttons[0]?.click();
    });

    // Copies.
    const svgText = () => {
      const copy = board.cloneNode(true);
      copy.querySelector(".tx-column").replaceChildren();
      const [, , w, h] = copy.getAttribute("viewBox").split(" ");
      const used = new Set([...copy.querySelectorAll("use")].map((use) => use.getAttribute("href").slice(1)));
      copy.prepend(make("defs", {}, ...[...used].map((id) => document.getElementById(id).cloneNode(true))), make("rect", { width: w, height: h, fill: "var(--tx-ground)" }));
      for (const name of ["class", "aria-labelledby"]) copy.removeAttribute(name);
      copy.setAttribute("width", w);
      copy.setAttribute("height", h);
      const style = getComputedStyle(root);
      return new XMLSerializer().serializeToString(copy).replace(/var\((--tx-[\w-]+)\)/g, (_, name) => style.getPropertyValue(name).trim());
    };
    const what = html("select", { class: "tx-what", "aria-label": "What to copy" });
    const copied = html("textarea", { class: "tx-copied", readonly: "", rows: 12, "aria-label": "Text to copy", spellcheck: "false" });
    const copy = button("copy", "Copy", "Copy");
    const download = button("download", "Download", "Download");
    // The picture as PNG, twice as large as it is drawn.
    const png = async () => {
      const address = URL.createObjectURL(new Blob([svgText()], { type: "image/svg+xml" }));
      try {
        const image = new Image();
        image.src = address;
        await image.decode();
        const canvas = filled(document.createElement("canvas"), { width: 2 * image.width, height: 2 * image.height }, []);
        canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
        return await new Promise((done) => canvas.toBlob(done, "image/png"));
      } finally {
        URL.revokeObjectURL(address);
      }
    };
    const told = html("span", { role: "status" });
    const share = dialog("sharing", "Share", what, copied, html("div", { class: "tx-bar" }, copy, download, told));
    const KINDS = { position: [() => positionOf(game, state.node), "txt"], svg: [svgText, "svg"], png: [svgText, "png"] };
    const kindNow = () => KINDS[what.value] ?? [() => pgnOf(game, Number(what.value)), "pgn"];
    const fill = () => {
      copied.value = kindNow()[0]();
      copied.hidden = copy.hidden = what.value === "png";
      told.textContent = "";
    };
    what.addEventListener("change", fill);
    ui.share.addEventListener("click", () => {
      const pgn = game.notations.map((name, i) => new Option(`PGN (${name})`, String(i), false, i === state.notation));
      what.replaceChildren(...pgn, new Option("Position", "position"), new Option("Picture (SVG)", "svg"), new Option("Picture (PNG)", "png"));
      fill();
      share.showModal();
      what.focus();
    });
    copy.addEventListener("click", async () => {
      copied.select();
      try {
        await navigator.clipboard.writeText(copied.value);
      } catch {
        // Where a page may not use the clipboard, the selected text can still be copied.
        document.execCommand("copy");
      }
      told.textContent = "Copied";
    });
    download.addEventListener("click", async () => {
      const type = kindNow()[1];
      const blob = type === "png" ? await png() : new Blob([copied.value], { type: type === "svg" ? "image/svg+xml" : "text/plain" });
      const address = URL.createObjectURL(blob);
      html("a", { href: address, download: `game-${state.game + 1}.${type}` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 1000);
    });

    const wanted = () => {
      const [, at, node] = /^#g(\d+)m(\d+)$/.exec(location.hash) ?? [];
      return games[at - 1] ? [at - 1, Number(node)] : [0, -1];
    };
    addEventListener("hashchange", () => enter(...wanted(), false), { signal });
    ui.games.hidden = games.length < 2;
    enter(...wanted(), false);
  };

  for (const root of document.querySelectorAll(".tx-player")) {
    const read = (element) => JSON.parse(element.textContent);
    const games = [...root.querySelectorAll(".tx-data")].map((element) => () => read(element));
    if (games.length) show(root, { shared: read(root.querySelector(".tx-shared")), games });
  }
  return { show, theme, define, piece };
})();
