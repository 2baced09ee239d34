// Comfort only: links marked data-swap change the page without loading it again, what is marked data-lift can be dragged,
// games have the viewer. Everything works without this file.
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
    // The area of an occupied square has the name of the link over its piece in data-for.
    const { key, for: piece } = document.activeElement?.closest("[data-key], [data-for]")?.dataset ?? {};
    const focused = key ?? piece;
    if (push) history.pushState(null, "", address);
    document.title = page.title;
    main().replaceWith(document.adoptNode(content));
    compose();
    if (focused) (find(focused) ?? main()).focus({ preventScroll: true });
    const status = document.querySelector("main [role=status]");
    document.getElementById("status").textContent = status?.textContent ?? document.title;
  }

  const find = (key) => document.querySelector(`main [data-key="${CSS.escape(key)}"]`);

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-swap]");
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (!dragged) go(link.getAttribute("href"), true);
  });

  // Fields without a value are no part of the address.
  document.addEventListener("formdata", ({ formData }) => {
    for (const [name, value] of [...formData]) if (!value) formData.delete(name);
  });

  addEventListener("popstate", () => go(location.href, false));

  // Dragging selects what is dragged and clicks where it is dropped.
  let held = null;
  let dragged = false;
  const stay = (event) => held && event.preventDefault();
  const drop = () => {
    held?.ghost?.remove();
    held = null;
  };
  addEventListener("dragstart", (event) => event.target.closest?.("[data-lift]") && event.preventDefault());
  addEventListener("pointerdown", (event) => {
    dragged = false;
    const from = event.target.closest?.("[data-lift]");
    if (!from || event.button !== 0) return;
    // The finger stays with the page when the link below it is replaced, and does not scroll.
    event.target.releasePointerCapture(event.pointerId);
    event.target.addEventListener("touchmove", stay, { passive: false });
    held = { from, at: [event.clientX, event.clientY] };
  });
  addEventListener("pointermove", (event) => {
    if (!held) return;
    if (!held.ghost) {
      if (Math.hypot(event.clientX - held.at[0], event.clientY - held.at[1]) < 6) return;
      dragged = true;
      const { piece, key } = held.from.dataset;
      const shown = document.querySelector(piece ? `[data-key="h${piece[0] === "w" ? piece[1] : piece[1].toLowerCase()}"] svg` : `[data-key="${key}"] svg`);
      held.ghost = document.createElement("div");
      held.ghost.className = "ghost";
      held.ghost.append(shown ? shown.cloneNode(true) : pieceOf(piece) ?? key.replace(/^h/, ""));
      document.body.append(held.ghost);
      held.ready = go(held.from.dataset.lift, false);
    }
    held.ghost.style.translate = `${event.clientX}px ${event.clientY}px`;
  });
  const pieceOf = (id) => {
    if (!id) return null;
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "-50 -100 100 104");
    svg.setAttribute("class", "piece");
    const use = svg.appendChild(document.createElementNS(svg.namespaceURI, "use"));
    use.setAttribute("href", `#${id}`);
    return svg;
  };
  addEventListener("touchmove", stay, { passive: false });
  addEventListener("pointercancel", drop);
  addEventListener("pointerup", async (event) => {
    const ready = held?.ready;
    drop();
    // The click that follows a drag is none.
    setTimeout(() => (dragged = false));
    if (!ready) return;
    await ready;
    // What is dropped may be dropped behind a piece that has no link.
    const there = document.elementsFromPoint(event.clientX, event.clientY);
    const to = there.map((one) => one.closest(".spots a[href]")).find(Boolean);
    if (!to) return go(location.href, false);
    const address = new URL(to.getAttribute("href"), location.href);
    // What was dragged is not put down twice.
    if (address.pathname === "/setup") address.searchParams.delete("hand");
    go(address.pathname + address.search, true);
  });

  // Sequences step by step: rows of choices that write the text of the field.
  const ROLES = ["king", "queen", "rook", "bishop", "knight", "pawn"];
  const BOARDS = ["board", "QL", "KL", "ql", "kl"];
  const kindOf = (what) => (BOARDS.includes(what) ? "boards" : what === "castling" ? "castling" : what.startsWith("0") ? "side" : "pieces");
  // Each control: its name, what it is called, its values (none for a text), and the kinds of moves it is for.
  const CONTROLS = [
    ["who", "Side", [["", "either"], "white", "black"]],
    ["what", "Move of", [["move", "any piece"], ...ROLES, ["castling", "castling"], "0-0", "0-0-0", ["board", "attack board"], ...BOARDS.slice(1)]],
    ["takes", "Captures", [["", "-"], ["takes", "anything"], ...ROLES.slice(1).map((role) => [`takes ${role}`, role]), "en passant"], "pieces"],
    ["from", "From", null, "pieces boards"],
    ["to", "To", null, "pieces boards"],
    ["promotes", "Promotes", [["", "-"], ["promotes", "to anything"], ...ROLES.slice(1, 5).map((role) => [`promotes to ${role}`, role])], "pieces"],
    ["board", "Board", [["", "-"], "empty", "turns", ["carries piece", "carries a piece"], ...ROLES.map((role) => [`carries ${role}`, `carries a ${role}`])], "boards"],
    ["gives", "Gives", [["", "-"], "check", "mate"], "pieces boards castling"],
    ["joint", "Next step", ["then", ["next", "at once"], ["then within", "within plies"]]],
    ["plies", "Plies", null],
  ];
  const stepOf = (row) => {
    const values = Object.fromEntries([...row.querySelectorAll("[name]")].map((one) => [one.name, one.value.trim()]));
    const kind = kindOf(values.what);
    for (const [name, , , kinds] of CONTROLS) row.querySelector(`[name=${name}]`).parentElement.hidden = Boolean(kinds) && !kinds.split(" ").includes(kind);
    row.querySelector("[name=plies]").parentElement.hidden = values.joint !== "then within";
    const said = ["takes", "from", "to", "promotes", "board", "gives"].flatMap((name) => {
      const control = row.querySelector(`[name=${name}]`);
      if (control.parentElement.hidden || !values[name]) return [];
      return control.tagName === "INPUT" ? `${name} ${values[name]}` : values[name];
    });
    const what = values.what === "move" && (values.who || said.length) ? [] : [values.what];
    const joint = values.joint === "then within" ? `then within ${values.plies || 20} plies` : values.joint;
    return { text: [...(values.who ? [values.who] : []), ...what, ...said].join(" "), joint };
  };
  // The values of the rows that write a text; null if no rows do.
  const rowsOf = (text) => {
    const words = text.split(/\s+/).filter(Boolean);
    const rows = [];
    let at = 0;
    const takes = (phrase) => {
      const parts = phrase.split(" ");
      const found = parts.every((part, i) => words[at + i] === part);
      if (found) at += parts.length;
      return found;
    };
    for (;;) {
      const row = { joint: "then" };
      rows.push(row);
      for (const [name, , values] of CONTROLS.slice(0, -2)) {
        const known = values?.map((value) => (typeof value === "string" ? value : value[0])).filter(Boolean);
        if (known) row[name] = known.sort((a, b) => b.length - a.length).find(takes) ?? (name === "what" ? "move" : "");
        else if (takes(name)) row[name] = words[at++] ?? "";
      }
      if (at >= words.length) return rows;
      row.joint = ["then within", "then", "next"].find(takes);
      if (row.joint === "then within") {
        row.plies = words[at++];
        if (!takes("plies")) return null;
      }
      if (!row.joint || at >= words.length) return null;
    }
  };
  const compose = () => {
    const field = document.getElementById("f-sequence");
    if (!field) return;
    const make = (name, attributes, ...children) => {
      const element = Object.assign(document.createElement(name), attributes);
      element.append(...children);
      return element;
    };
    const rows = make("ol", { className: "rows" });
    // What was written by hand and no rows write: it stays, and the steps follow it.
    let kept = "";
    const about = make("p", { className: "unchanged", textContent: "The field has a sequence that these controls cannot show. It is kept; steps that you choose here are added after it." });
    const composed = () => {
      const steps = [...rows.children].map(stepOf);
      return steps.map(({ text, joint }, i) => (i < steps.length - 1 ? `${text} ${joint} ` : text)).join("");
    };
    const write = () => {
      const text = composed();
      const isUntouched = rows.children.length < 2 && (text === "" || text === "move");
      field.value = kept ? (isUntouched ? kept : `${kept} then ${text}`) : text;
    };
    const read = () => {
      const text = field.value.trim();
      rows.replaceChildren();
      rowsOf(text)?.forEach(add);
      kept = text === "" || composed() === text.replace(/\s+/g, " ") ? "" : text;
      about.hidden = !kept;
      if (kept) rows.replaceChildren();
      if (!rows.children.length) add();
    };
    const add = (given = {}) => {
      const controls = CONTROLS.map(([name, label, values]) => {
        const options = values?.map((value) => (typeof value === "string" ? new Option(value) : new Option(value[1], value[0])));
        // No part of the form that is sent.
        const control = options ? make("select", { name }, ...options) : make("input", { name, type: "text", autocomplete: "off" });
        control.setAttribute("form", "");
        if (given[name]) control.value = given[name];
        return make("label", { className: name }, label, control);
      });
      const remove = make("button", { type: "button", textContent: "Remove" });
      const row = make("li", {}, ...controls, remove);
      remove.addEventListener("click", () => {
        row.remove();
        write();
      });
      rows.append(row);
      stepOf(row);
    };
    const more = make("button", { type: "button", textContent: "Add a step", className: "more" });
    more.addEventListener("click", () => {
      add();
      write();
    });
    rows.addEventListener("input", write);
    field.addEventListener("input", read);
    read();
    field.parentElement.after(make("details", { className: "composer" }, make("summary", { textContent: "Sequence step by step" }), about, rows, more));
  };
  compose();

  // Light and dark.
  const theme = document.createElement("button");
  theme.type = "button";
  theme.className = "theme";
  theme.textContent = "Dark";
  document.querySelector(".top").append(theme);
  TridexViewer.theme(theme);

  // The viewer takes the place of a game's links; links to its position follow it.
  const game = document.querySelector("[data-viewer]");
  if (!game) return;
  game.addEventListener("tx-move", ({ detail }) => {
    for (const link of document.querySelectorAll("a[data-position]")) {
      const address = new URL(link.href);
      address.searchParams.set("position", detail.position);
      link.href = address;
    }
  });
  const get = async (address, values = {}) => {
    const answer = await fetch(`${address}${address.includes("?") ? "&" : "?"}${new URLSearchParams(values)}`);
    return answer.ok ? answer.json() : Promise.reject(answer.status);
  };
  const to = new URL(game.dataset.viewer, location.href).searchParams.get("to");
  const engine = {
    legalMoves: (fen, rules) => get("/api/v1/moves", { rules, fen }).then(({ moves }) => moves),
    play: (fen, moves, rules) => get("/viewer/line", { rules, fen, moves: moves.join(" "), ...(to ? { to } : {}) }),
  };
  const view = "stand" in game.dataset ? "Stand" : null;
  get(game.dataset.viewer)
    .then((data) => TridexViewer.show(game, data, { engine, view, turned: "turned" in game.dataset }))
    .catch(() => game.removeAttribute("data-viewer"));
})();
