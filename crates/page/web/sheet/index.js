// The page: a score sheet is read by the module in a worker, and its games are shown by TridexViewer. Nothing here knows a
// rule or a notation. Text from sheets is set as text, never as markup.
import { html } from "../lib/dom.js";
import { copyText, saveFile } from "../lib/files.js";
import { isDark } from "../lib/theme.js";
import { pairing } from "./pair.js";

/** An element of the page, each by its own name. @param {string} id @returns {any} */
const at = (id) => document.getElementById(id);
// Texts of more characters are read, but not put into the field: editors grow slow.
const EDITABLE = 300_000;
const SHOWN = 200;
const EXAMPLE = `1. b4N b5B
2. c3W a6N
3. Nc2W c6B
4. a3N a6S
5. a3W Bd6N
6. Ba2W Nc7B
7. Qb1W Qb8B
8. Nb2W Ra9QL6
9. Ra0QL1 0-0
10. Ra1W Nb7B
11. Nd4W a5B
12. Nd3N d6B
13. Nxc6B Qa8B
14. Na5N Nxa5N
15. bxa5N a4W
16. Nb4N a5B
17. Nd3N (=) .... etc.
`;
const PIECES = { P: "pawn", N: "knight", B: "bishop", R: "rook", Q: "queen", K: "king" };
const pieceOf = (letter) => TridexViewer.piece(letter < "a" ? `w${letter}` : `b${letter.toUpperCase()}`);
const nameOf = (letter) => `${letter < "a" ? "White" : "Black"} ${PIECES[letter.toUpperCase()]}`;

// The worker: requests and their answers.
const waiting = new Map();
let last = 0;
const source = URL.createObjectURL(new Blob([at("worker").textContent], { type: "text/javascript" }));
const policy = globalThis.trustedTypes?.createPolicy("tridex", { createScriptURL: (url) => (url === source ? url : "") });
const worker = new Worker(policy ? policy.createScriptURL(source) : source);
worker.onmessage = ({ data: { id, value, error, more } }) => {
  const { resolve, reject } = waiting.get(id);
  waiting.delete(id);
  if (error === undefined) resolve(value);
  else reject(Object.assign(new Error(error), more));
};
worker.onerror = () => say("This browser cannot run the reader: WebAssembly is needed.");
const ask = (job, ...args) => new Promise((resolve, reject) => {
  waiting.set(++last, { resolve, reject });
  worker.postMessage({ id: last, job, args });
});
const say = (text) => (at("status").textContent = text);
const complain = (error) => say(error.message);
const count = (number, word) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;

// The text that is read: what is in the field, unless it is too large for it.
/** @type {Record<string, any>} */
const state = { text: "", name: "-", large: null, game: 0, seen: 0, boards: null, piece: null, line: null, rules: undefined, fen: undefined };
const options = () => {
  const chosen = { name: state.name, rules: at("as-rules").value, notation: at("as-notation").value, locale: at("as-locale").value, strict: at("strict").checked };
  return Object.fromEntries(Object.entries(chosen).filter(([, value]) => value));
};
const put = (text, name = "-") => {
  [state.text, state.name, state.large] = [text, name, null];
  if (text.length > EDITABLE) {
    state.large = text;
    at("text").value = `${text.slice(0, 2000)}\n\n... ${name}, ${count(text.length, "character")}: too large to be edited here. Clear this field to type again.`;
  } else at("text").value = text;
  at("text").readOnly = state.large !== null;
};

let reading = 0;
const read = async (keep = false) => {
  const now = ++reading;
  state.text = state.large ?? at("text").value;
  if (state.converted !== undefined && state.text !== state.source) {
    // Another text was converted.
    state.converted = undefined;
    for (const id of ["copy", "download", "replace"]) at(id).disabled = true;
    at("converted").value = at("converted-status").textContent = "";
  }
  if (!state.text.trim()) {
    for (const id of ["findings", "games"]) at(id).replaceChildren();
    for (const id of ["list", "entry"]) at(id).hidden = true;
    at("viewer").replaceChildren();
    state.game = 0;
    return say("Type, paste or open a score sheet.");
  }
  if (state.text.length > EDITABLE) say("Reading.");
  try {
    const found = await ask("read", state.text, options());
    if (now !== reading) return;
    const parts = Object.entries(found.counts).map(([status, games]) => `${games.toLocaleString("en")} ${status}`);
    say(`${count(found.games, "game")}${parts.length ? `: ${parts.join(", ")}` : ""}; ${count(found.plies, "ply").replace("plys", "plies")}${found.seconds > 0.5 ? `; ${found.seconds.toFixed(1)} s` : ""}`);
    at("findings").replaceChildren(...found.problems.map((problem) => finding(problem, null)));
    at("list").hidden = found.games < 2;
    state.count = found.games;
    await Promise.all([list(0), found.games ? show(keep ? Math.min(state.game || 1, found.games) : 1) : null]);
  } catch (error) {
    complain(error);
  }
};
let typing = 0;
at("text").addEventListener("input", () => {
  if (state.large !== null && !at("text").readOnly) state.large = null;
  state.name = "-";
  clearTimeout(typing);
  typing = setTimeout(() => read(true), 250);
});
at("text").addEventListener("keydown", (event) => {
  if (state.large !== null && /^(Backspace|Delete)$/.test(event.key)) {
    put("");
    read();
  }
});
for (const id of ["as-rules", "as-notation", "as-locale", "strict"]) at(id).addEventListener("change", () => read(true));

// Places: lines and columns count characters from 1; a text counts units of UTF-16.
const lines = () => state.text.split(/\r\n|\n|\r/);
const unitsOf = (line, column) => [...line].slice(0, column - 1).join("").length;
const offsetOf = ({ line, column }) => {
  const breaks = [...state.text.matchAll(/\r\n|\n|\r/g)];
  const from = line > 1 ? breaks[line - 2].index + breaks[line - 2][0].length : 0;
  return from + unitsOf(lines()[line - 1] ?? "", column);
};
// A change of the sheet: words at their places, and what is written there instead.
const change = (changes) => {
  const places = changes.map((one) => ({ ...one, at: offsetOf(one) })).sort((a, b) => b.at - a.at);
  let { text } = state;
  for (const { at: from, token, text: word } of places) {
    if (token && text.slice(from, from + token.length) !== token) return say(`\`${token}\` is no longer there.`);
    text = `${text.slice(0, from)}${token ? word : `${word} `}${text.slice(from + token.length)}`;
  }
  put(text, state.name);
  read(true);
  at("text").focus({ preventScroll: true });
  if (state.large === null) at("text").setSelectionRange(places[0].at, places[0].at + places[0].text.length);
};

// A finding under the word it belongs to, with what can be done.
const finding = (found, game) => {
  const line = lines()[found.line - 1] ?? "";
  const from = unitsOf(line, found.column);
  const to = from + found.token.length;
  const shown = found.token && line.slice(from, to) === found.token;
  const start = Math.max(0, from - 40);
  const quote = html("code", {}, start ? "\u2026" : "", line.slice(start, shown ? from : start + 80), ...(shown ? [html("mark", {}, found.token), line.slice(to, to + 40)] : []));
  const where = html("button", { type: "button", class: "where", title: "Show in the score sheet" }, `Line ${found.line}, column ${found.column}`);
  where.addEventListener("click", () => {
    if (state.large !== null) return;
    at("text").focus();
    const offset = offsetOf(found);
    at("text").setSelectionRange(offset, offset + Math.max(found.token.length, 1));
  });
  const choices = found.code === "ambiguous" || found.severity === "error" || found.suggestion ? [found.suggestion, ...(found.alternatives ?? [])] : [];
  const words = [...new Set(choices.filter(Boolean))].slice(0, 12).map((text) => {
    const one = html("button", { type: "button", class: "choice", "aria-label": `Write ${text} for ${found.token}` }, text);
    one.addEventListener("click", () => change([{ ...found, text }]));
    return one;
  });
  const slips = (found.corrections ?? []).slice(0, 5).map(({ slip, changes }) => {
    const said = changes.map(({ token, text, move }) => (!token ? `insert ${text} at ${move}` : !text ? `omit ${token} at ${move}` : `${text} for ${token} at ${move}`)).join(" and ");
    const one = html("button", { type: "button", class: "choice", title: slip }, said);
    one.addEventListener("click", () => change(changes));
    return one;
  });
  return html("div", { class: `finding ${found.severity}` },
    html("p", { class: "quote" }, where, " ", quote),
    html("p", { class: "message" }, html("b", {}, game ? `${found.severity}, game ${game}` : found.severity), ": ", found.message),
    ...(words.length || slips.length ? [html("p", { class: "choices" }, "Write: ", ...words, ...slips)] : []));
};
const list = async (from) => {
  const { rows, more } = await ask("rows", at("filter").value, at("player").value.trim(), from, SHOWN);
  const items = rows.map((row) => {
    const errors = row.diagnostics.filter(({ severity }) => severity !== "info");
    const open = html("button", { type: "button", "data-game": row.game, class: row.status }, `Game ${row.game}${row.title && `: ${row.title}`}`, " ", html("small", {}, `line ${row.line} \u00b7 ${row.status} \u00b7 ${row.rules} \u00b7 ${row.plies} plies${errors[0] ? ` \u00b7 ${errors[0].message}` : ""}`));
    return html("li", {}, open);
  });
  if (from === 0) at("games").replaceChildren();
  at("games").append(...items);
  state.seen = from + rows.length;
  at("more").hidden = !more;
  mark();
};
const mark = () => {
  at("games").querySelector("[aria-current]")?.removeAttribute("aria-current");
  at("games").querySelector(`[data-game="${state.game}"]`)?.setAttribute("aria-current", "true");
};
at("filter").addEventListener("change", () => list(0).catch(complain));
at("player").addEventListener("input", () => list(0).catch(complain));
at("more").addEventListener("click", () => list(state.seen).catch(complain));
at("games").addEventListener("click", (event) => {
  const open = event.target.closest("button");
  if (open) show(Number(open.dataset.game)).catch(complain);
});

// Moves that are tried out; a line of them may become the sheet.
const engine = {
  legalMoves: (position, rules) => ask("moves", rules, position),
  play: async (position, moves, rules) => {
    const data = await ask("line", rules, position, moves);
    state.line = { rules, position, moves: [...moves] };
    at("take-line").disabled = false;
    if (at("record").checked && !at("sheet").hidden) await takeLine(false);
    return data;
  },
};
const takeLine = async (again) => {
  const { rules, position, moves } = state.line;
  reading += 1;
  put(await ask("pgn", rules, position, moves));
  if (again) await read();
  else await ask("read", at("text").value, options()).then((found) => say(`${count(found.plies, "ply").replace("plys", "plies")} in the score sheet`));
};
at("take-line").addEventListener("click", () => takeLine(true).catch(complain));
// One viewer, for it hears the keys of the page.
const view = (place, data) => {
  at(place).append(at("viewer"));
  TridexViewer.show(at("viewer"), data, { engine });
};
const show = async (number) => {
  const { data, row } = await ask("game", number);
  // The address holds the move that is shown: another game begins at its start.
  if (number !== state.game) history.replaceState(null, "", "#");
  state.game = number;
  state.rules = row.rules;
  at("entry").hidden = false;
  at("take-line").disabled = true;
  at("record").checked = row.plies === 0;
  const found = row.diagnostics.map((one) => finding(one, state.count > 1 ? number : null));
  at("findings").replaceChildren(...[...at("findings").children].filter((one) => !one.dataset.game), ...found);
  for (const one of found) one.dataset.game = number;
  view("sheet-viewer", data);
  targets(row.rules);
  mark();
};

// Converting.
const targets = (rules) => {
  const system = state.all.systems.find(({ name }) => name === rules);
  const before = at("to").value;
  at("to").replaceChildren(new Option(`own (${system.own})`, "own"), ...system.notations.map((name) => new Option(name, name)));
  at("to").value = [...at("to").options].some(({ value }) => value === before) ? before : "own";
};
at("convert").addEventListener("click", async () => {
  const how = { format: at("format").value, locale: at("to-locale").value, figurines: at("figurines").checked, repair: at("repair").checked };
  if (how.format === "html") how.script = at("viewer-script").textContent;
  try {
    const written = await ask("write", at("to").value, how);
    [state.source, state.converted] = [state.text, written.text];
    state.format = how.format;
    for (const id of ["copy", "download", "replace"]) at(id).disabled = id === "replace" && how.format === "html";
    at("converted").value = written.text.length > EDITABLE ? `${written.text.slice(0, 2000)}\n...` : written.text;
    at("converted-status").textContent = [`${count(written.games - written.refused.length, "game")} written`, ...written.refused.slice(0, 3)].join("; ");
  } catch (error) {
    at("converted-status").textContent = error.message;
  }
});
at("copy").addEventListener("click", async () => {
  await copyText(at("converted"), state.converted ?? "");
  at("converted-status").textContent = "Copied";
});
at("download").addEventListener("click", () => {
  const type = { html: "text/html", csv: "text/csv" }[state.format] ?? "text/plain";
  saveFile(new Blob([state.converted ?? ""], { type: `${type};charset=utf-8` }), `games.${state.format ?? "pgn"}`);
});
at("replace").addEventListener("click", () => {
  if (!state.converted || state.format === "html") return;
  put(state.converted, `games.${state.format}`);
  read();
});

// Files: what is not UTF-8 is decoded as chosen.
const open = async (file) => {
  let bytes = new Uint8Array(await file.arrayBuffer());
  let { name } = file;
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    bytes = new Uint8Array(await new Response(unpacked).arrayBuffer());
    name = name.replace(/\.gz$/i, "");
  }
  const decoded = (label, fatal) => new TextDecoder(label, { fatal }).decode(bytes);
  const marked = { "254,255": "utf-16be", "255,254": "utf-16le" }[bytes.slice(0, 2).join()];
  let text;
  try {
    text = decoded(marked ?? (at("as-encoding").value || "utf-8"), true);
  } catch {
    text = decoded("windows-1252", false);
    at("as-encoding").value = "windows-1252";
  }
  put(text, name);
  await read();
};
at("file").addEventListener("change", () => {
  if (at("file").files[0]) open(at("file").files[0]).catch(complain);
  at("file").value = "";
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  const [file] = event.dataTransfer?.files ?? [];
  if (!file) return;
  event.preventDefault();
  tab("sheet");
  open(file).catch(complain);
});
at("sample").addEventListener("click", () => {
  put(EXAMPLE);
  read();
});
at("fresh").addEventListener("change", () => {
  const rules = at("fresh").value;
  at("fresh").value = "";
  if (rules) begin(rules);
});
// A game without moves: those that are tried out are written into it.
const begin = (rules, fen) => {
  tab("sheet");
  put(`[Variant "${rules}"]\n${fen ? `[SetUp "1"]\n[FEN "${fen}"]\n` : ""}\n*\n`);
  return read();
};

// Setting up.
let edits = Promise.resolve();
// Whether the field has text that was typed after the last change of the board was asked for. An answer leaves it alone.
let isTyped = false;
at("fen").addEventListener("input", () => (isTyped = true));
const theme = () => (isDark() ? "dark" : "light");
const edit = (change, fen = state.fen) => {
  isTyped = false;
  edits = edits.then(async () => {
    const rules = at("setup-rules").value;
    const found = await ask("setup", rules, fen === undefined ? undefined : state.fen ?? fen, { ...change, theme: theme() });
    setUp(found);
  }).catch((error) => (at("fault").textContent = error.message));
  return edits;
};
// A position that is written or pasted. What cannot be read stays in the field, with the wrong character marked below it.
const UNREAD = "The position string is not understood; the board shows the position before. Correct the string, or choose Start position or Clear.";
const readPosition = () => {
  const written = at("fen").value;
  edits = edits.then(async () => {
    const rules = at("setup-rules").value;
    if (at("fen").value === written) isTyped = false;
    const found = await ask("setup", rules, written, { theme: theme() });
    setUp(found);
    if (found.rules === rules) return;
    at("setup-rules").value = found.rules;
    at("fault").prepend(`The position is one of the other board, so the rules are now ${found.rules}, not ${rules}. `);
  }).catch((error) => {
    at("fault").textContent = error.at === undefined ? error.message : UNREAD;
    if (error.at === undefined) return;
    const text = written.replace(/\s/g, " ");
    const isLong = text.length > 60;
    const before = isLong && error.at > 18 ? `\u2026${text.slice(error.at - 17, error.at)}` : text.slice(0, error.at);
    const rest = isLong && text.length - error.at > 18 ? `${text.slice(error.at, error.at + 17)}\u2026` : text.slice(error.at);
    at("unread").textContent = `${before}${rest}\n${" ".repeat([...before].length)}^ expected ${error.expected}`;
    at("unread").hidden = false;
    at("fen").setAttribute("aria-invalid", "true");
  });
  return edits;
};
// A change of the board would replace the string.
const editBoard = (change) => edits.then(() => at("unread").hidden && edit(change));
const setUp = (found) => {
  state.fen = found.fen;
  if (!isTyped) at("fen").value = found.fen;
  at("fen").removeAttribute("aria-invalid");
  at("unread").hidden = true;
  at("setup-turn").value = found.turn;
  at("fault").textContent = found.fault ?? "This position can be played.";
  at("play-from").disabled = found.fault !== null;
  URL.revokeObjectURL(at("picture").src);
  at("picture").src = URL.createObjectURL(new Blob([found.svg], { type: "image/svg+xml" }));
  at("picture").alt = `The position ${found.fen}`;
  const focus = document.activeElement?.getAttribute("data-square");
  const cells = (rows) => rows.map((row) => html("tr", {}, ...row.map(({ square, name, light, piece }) => {
    const here = html("button", { type: "button", class: light ? "light" : "dark", "data-square": square, "aria-label": `${name}: ${piece ? nameOf(piece) : "empty"}`, title: name }, piece ? pieceOf(piece) : "");
    return html("td", {}, here);
  })));
  at("boards").replaceChildren(...found.boards.map(({ name, pin, rows }) => {
    const caption = html("caption", {}, name, " ");
    if (pin) {
      const pins = html("select", { "aria-label": `Pin of ${name}`, "data-board": name }, ...found.pins.map((one) => new Option(one, one, false, one === pin)));
      pins.value = pin;
      caption.append(pins);
    }
    return html("table", {}, caption, html("tbody", {}, ...cells(rows)));
  }));
  if (focus) at("boards").querySelector(`[data-square="${focus}"]`)?.focus();
};
at("boards").addEventListener("click", (event) => {
  const cell = event.target.closest("button");
  if (cell) editBoard({ put: [[Number(cell.dataset.square), state.piece === cell.dataset.piece ? null : state.piece]] });
});
at("boards").addEventListener("keydown", (event) => {
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  const cell = event.target.closest("td");
  if (!steps || !cell) return;
  const rows = cell.closest("tbody").rows;
  event.stopPropagation();
  rows[cell.parentNode.rowIndex + steps[1]]?.cells[cell.cellIndex + steps[0]]?.firstChild.focus();
  event.preventDefault();
});
at("boards").addEventListener("change", (event) => editBoard({ board: [event.target.dataset.board, event.target.value] }));
at("setup-rules").addEventListener("change", () => {
  state.fen = undefined;
  edit({}, undefined);
});
at("setup-start").addEventListener("click", () => {
  state.fen = undefined;
  edit({}, undefined);
});
at("setup-empty").addEventListener("click", () => edit({ empty: true }));
at("setup-turn").addEventListener("change", () => editBoard({ turn: at("setup-turn").value }));
at("fen").addEventListener("change", readPosition);
at("play-from").addEventListener("click", () => begin(at("setup-rules").value, state.fen));
at("copy-fen").addEventListener("click", () => copyText(at("fen"), state.fen));
const palette = () => {
  const choice = (value, label, text) => {
    const input = html("input", { type: "radio", name: "piece", value, class: "unseen", "aria-label": label });
    input.addEventListener("change", () => (state.piece = value || null));
    return html("label", { title: label }, input, html("span", {}, text));
  };
  const letters = [..."KQRBNPkqrbnp"];
  at("palette").append(...letters.map((letter) => choice(letter, nameOf(letter), pieceOf(letter))), choice("", "Remove pieces", "\u2715"));
  at("palette").querySelector("input").click();
};

// The rules, by their own moves.
let explaining = 0;
const explain = async (rules, letter) => {
  const now = ++explaining;
  for (const button of at("systems").children) button.setAttribute("aria-pressed", String(button.dataset.rules === rules));
  for (const button of at("pieces").children) button.setAttribute("aria-pressed", String(button.dataset.piece === letter));
  const { about, source } = state.all.systems.find(({ name }) => name === rules);
  at("about").textContent = about;
  at("about").title = source;
  state.explained = rules;
  let fen;
  if (letter) {
    const { boards } = await ask("setup", rules, undefined, {});
    const all = boards.flatMap(({ rows }) => rows.flat());
    // The two kings at home, and the piece in the middle of the middle board.
    const others = all.filter(({ piece }) => piece && !"Kk".includes(piece)).map(({ square }) => [square, null]);
    const mains = boards.filter(({ pin }) => pin === null);
    const { rows } = mains[1];
    const middle = rows[rows.length / 2][rows[0].length / 2 - 1].square;
    const king = letter === "K" ? all.filter(({ piece }) => piece === "K").map(({ square }) => [square, null]) : [];
    const found = await ask("setup", rules, undefined, { put: [...others, ...king, [middle, letter]] });
    if (found.fault) throw new Error(found.fault);
    fen = found.fen;
  }
  const line = await ask("line", rules, fen, []);
  if (now !== explaining) return;
  history.replaceState(null, "", "#");
  state.game = 0;
  view("rules-viewer", line);
};
at("systems").addEventListener("click", (event) => {
  const { rules } = event.target.closest("button")?.dataset ?? {};
  if (rules) explain(rules, "").catch(complain);
});
at("pieces").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) explain(state.explained, button.dataset.piece).catch(complain);
});

// Two sheets of one game.
const showPair = pairing({
  at,
  ask,
  view,
  take: (text) => {
    state.game = 0;
    tab("sheet");
    put(text);
    read();
  },
});

// Tabs.
const tabs = ["sheet", "pair", "setup", "rules"];
const tab = (name) => {
  for (const one of tabs) {
    at(one).hidden = one !== name;
    at(`tab-${one}`).setAttribute("aria-selected", String(one === name));
    at(`tab-${one}`).tabIndex = one === name ? 0 : -1;
  }
  if (name === "setup" && state.fen === undefined) edit({}, undefined);
  if (name === "rules") explain(state.explained ?? state.all.systems[0].name, "").catch(complain);
  if (name === "pair") {
    history.replaceState(null, "", "#");
    state.game = 0;
    showPair();
  }
  if (name === "sheet" && state.text && at("viewer").parentNode.id !== "sheet-viewer") show(1).catch(complain);
};
for (const [i, one] of tabs.entries()) {
  at(`tab-${one}`).addEventListener("click", () => tab(one));
  at(`tab-${one}`).addEventListener("keydown", (event) => {
    const step = { ArrowLeft: tabs.length - 1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = tabs[(i + step) % tabs.length];
    tab(next);
    at(`tab-${next}`).focus();
  });
}

const bytes = Uint8Array.from(atob(at("module").textContent.trim()), (sign) => sign.charCodeAt(0));
ask("start", bytes).then((all) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(all.style);
  document.adoptedStyleSheets = [sheet];
  state.all = all;
  TridexViewer.define(document.body, all.pieces);
  const names = all.systems.map(({ name }) => name);
  const notations = [...new Set(all.systems.flatMap((system) => system.notations))];
  const add = (id, values) => at(id).append(...values.map((value) => new Option(value, value)));
  for (const id of ["as-rules", "fresh", "setup-rules"]) add(id, names);
  add("as-notation", notations);
  for (const id of ["as-locale", "to-locale"]) at(id).append(...all.locales.map(({ code, name }) => new Option(name, code)));
  add("as-encoding", ["utf-8", "windows-1252", "windows-1250", "windows-1251", "iso-8859-2", "utf-16le", "utf-16be", "shift_jis", "gb18030", "big5", "euc-kr"]);
  at("systems").append(...names.map((name) => html("button", { type: "button", "data-rules": name }, name)));
  at("pieces").append(html("button", { type: "button", "data-piece": "" }, "Start position"), ...Object.entries(PIECES).map(([letter, name]) => html("button", { type: "button", "data-piece": letter }, `A ${name} alone`)));
  palette();
  state.rules = names[0];
  targets(names[0]);
  document.documentElement.classList.add("ready");
  return read();
}).catch(complain);
