// Sequences step by step: rows of choices that write the text of the field.
import { html } from "../lib/dom.js";

const ROLES = ["king", "queen", "rook", "bishop", "knight", "pawn"];
const BOARDS = ["board", "QL", "KL", "ql", "kl"];

/** @typedef {string | [value: string, label: string]} Choice */

/**
 * A control: its name, its label, its values (none for a text), and the kinds of moves for which it is shown.
 * @typedef {object} Control
 * @property {string} name
 * @property {string} label
 * @property {Choice[]} [choices]
 * @property {string[]} [kinds]
 */

/** The values of one row, by the names of the controls. @typedef {Record<string, string>} Row */

/** @type {Control[]} */
const CONTROLS = [
  { name: "who", label: "Side", choices: [["", "either"], "white", "black"] },
  { name: "what", label: "Move of", choices: [["move", "any piece"], ...ROLES, ["castling", "castling"], "0-0", "0-0-0", ["board", "attack board"], ...BOARDS.slice(1)] },
  { name: "takes", label: "Captures", choices: [["", "-"], ["takes", "anything"], ...ROLES.slice(1).map((role) => /** @type {Choice} */ ([`takes ${role}`, role])), "en passant"], kinds: ["pieces"] },
  { name: "from", label: "From", kinds: ["pieces", "boards"] },
  { name: "to", label: "To", kinds: ["pieces", "boards"] },
  { name: "promotes", label: "Promotes", choices: [["", "-"], ["promotes", "to anything"], ...ROLES.slice(1, 5).map((role) => /** @type {Choice} */ ([`promotes to ${role}`, role]))], kinds: ["pieces"] },
  { name: "board", label: "Board", choices: [["", "-"], "empty", "turns", ["carries piece", "carries a piece"], ...ROLES.map((role) => /** @type {Choice} */ ([`carries ${role}`, `carries a ${role}`]))], kinds: ["boards"] },
  { name: "gives", label: "Gives", choices: [["", "-"], "check", "mate"], kinds: ["pieces", "boards", "castling"] },
  { name: "joint", label: "Next step", choices: ["then", ["next", "at once"], ["then within", "within plies"]] },
  { name: "plies", label: "Plies" },
];
const DETAILS = ["takes", "from", "to", "promotes", "board", "gives"];

/** The kind of a move, by the value of `what`. @param {string} what */
const kindOf = (what) => {
  if (BOARDS.includes(what)) return "boards";
  if (what === "castling") return "castling";
  return what.startsWith("0") ? "side" : "pieces";
};

/** Whether a control is shown in a row. @param {Control} control @param {Row} row */
const isShown = ({ name, kinds }, row) => {
  if (name === "plies") return row.joint === "then within";
  return !kinds || kinds.includes(kindOf(row.what));
};

/** The text of a row. @param {Row} row */
const stepOf = (row) => {
  const words = DETAILS.flatMap((name) => {
    const control = CONTROLS.find((one) => one.name === name);
    if (!control || !isShown(control, row) || !row[name]) return [];
    return control.choices ? row[name] : `${name} ${row[name]}`;
  });
  const what = row.what === "move" && (row.who || words.length) ? [] : [row.what];
  return [...(row.who ? [row.who] : []), ...what, ...words].join(" ");
};

/** The text of rows. @param {Row[]} rows */
export const textOf = (rows) => rows.map((row, i) => {
  if (i === rows.length - 1) return stepOf(row);
  return `${stepOf(row)} ${row.joint === "then within" ? `then within ${row.plies || 20} plies` : row.joint} `;
}).join("");

/**
 * The values of the rows that write a text.
 * @param {string} text
 * @returns {Row[] | null} Nothing if no rows write it.
 */
export const rowsOf = (text) => {
  const words = text.split(/\s+/).filter(Boolean);
  /** @type {Row[]} */
  const rows = [];
  let at = 0;
  /** @param {string} phrase */
  const takes = (phrase) => {
    const parts = phrase.split(" ");
    const isNext = parts.every((part, i) => words[at + i] === part);
    if (isNext) at += parts.length;
    return isNext;
  };
  for (;;) {
    /** @type {Row} */
    const row = { joint: "then" };
    rows.push(row);
    for (const { name, choices } of CONTROLS.slice(0, -2)) {
      const values = choices?.map((choice) => (typeof choice === "string" ? choice : choice[0])).filter(Boolean);
      // The longest first: "takes" begins "takes queen".
      if (values) row[name] = values.sort((a, b) => b.length - a.length).find(takes) ?? (name === "what" ? "move" : "");
      else if (takes(name)) row[name] = words[at++] ?? "";
    }
    if (at >= words.length) return rows;
    row.joint = ["then within", "then", "next"].find(takes) ?? "";
    if (row.joint === "then within") {
      row.plies = words[at++];
      if (!takes("plies")) return null;
    }
    if (!row.joint || at >= words.length) return null;
  }
};

/** The controls of a row, as elements. @param {Element} element */
const controlsOf = (element) => /** @type {(HTMLInputElement | HTMLSelectElement)[]} */ ([...element.querySelectorAll("[name]")]);

/** The values of a row of elements. @param {Element} element @returns {Row} */
const valuesOf = (element) => Object.fromEntries(controlsOf(element).map((one) => [one.name, one.value.trim()]));

/** Adds the rows of choices after the field for a sequence, if the page has one. */
export const composeSequence = () => {
  const field = document.getElementById("f-sequence");
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  const rows = html("ol", { class: "rows" });
  // What was written by hand and no rows write: it stays, and the steps follow it.
  let unchanged = "";
  const about = html("p", { class: "unchanged" }, "The field has a sequence that these controls cannot show. It is kept; steps that you choose here are added after it.");
  const composed = () => textOf([...rows.children].map(valuesOf));
  const showControls = () => {
    for (const element of rows.children) {
      const values = valuesOf(element);
      for (const one of controlsOf(element)) {
        const control = CONTROLS.find(({ name }) => name === one.name);
        if (control && one.parentElement) one.parentElement.hidden = !isShown(control, values);
      }
    }
  };
  const write = () => {
    showControls();
    const text = composed();
    const isUntouched = rows.children.length < 2 && (text === "" || text === "move");
    if (!unchanged) field.value = text;
    else field.value = isUntouched ? unchanged : `${unchanged} then ${text}`;
  };
  /** @param {Row} [given] */
  const add = (given = {}) => {
    const controls = CONTROLS.map(({ name, label, choices }) => {
      const options = choices?.map((choice) => (typeof choice === "string" ? new Option(choice) : new Option(choice[1], choice[0])));
      const control = options ? html("select", { name }, ...options) : html("input", { name, type: "text", autocomplete: "off" });
      // It is no part of the form that is sent.
      control.setAttribute("form", "");
      if (given[name]) control.value = given[name];
      return html("label", { class: name }, label, control);
    });
    const remove = html("button", { type: "button" }, "Remove");
    const row = html("li", {}, ...controls, remove);
    remove.addEventListener("click", () => {
      row.remove();
      write();
    });
    rows.append(row);
    showControls();
  };
  const read = () => {
    const text = field.value.trim();
    rows.replaceChildren();
    for (const row of rowsOf(text) ?? []) add(row);
    unchanged = text === "" || composed() === text.replace(/\s+/g, " ") ? "" : text;
    about.hidden = !unchanged;
    if (unchanged) rows.replaceChildren();
    if (!rows.children.length) add();
  };
  const more = html("button", { type: "button", class: "more" }, "Add a step");
  more.addEventListener("click", () => {
    add();
    write();
  });
  rows.addEventListener("input", write);
  field.addEventListener("input", read);
  read();
  field.parentElement?.after(html("details", { class: "composer" }, html("summary", {}, "Sequence step by step"), about, rows, more));
};
