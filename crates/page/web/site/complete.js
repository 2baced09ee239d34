// Completes the field of a query: names of fields, their values, names of players. The site knows them all.
import { html } from "../lib/dom.js";
import { getJson } from "./get.js";

// The site is asked after this many milliseconds without a key.
const PAUSE = 150;

/** @param {EventTarget | null} target */
const queryField = (target) => (target instanceof HTMLInputElement && target.name === "query" && target.type === "text" ? target : null);

/**
 * The whole texts of the field that complete what is before the cursor.
 * @param {string} text
 * @param {number} at Where the cursor is.
 * @param {{ from: number, values: string[] }} answer The values that can stand from there on.
 */
export const completions = (text, at, { from, values }) => {
  const before = [...text.slice(0, at)].slice(0, from).join("");
  return values.map((value) => before + value + text.slice(at));
};

/** Hears all fields of queries, also those of pages that come later. */
export const completeQueries = () => {
  const list = html("datalist", { id: "completions" });
  document.body.append(list);
  let timer = 0;
  document.addEventListener("input", (event) => {
    const field = queryField(event.target);
    if (!field) return;
    field.setAttribute("list", list.id);
    field.removeAttribute("aria-invalid");
    clearTimeout(timer);
    const { inputType = "" } = /** @type {InputEvent} */ (event);
    // What was chosen from the list needs no other list.
    if (!inputType || inputType === "insertReplacementText") return list.replaceChildren();
    timer = setTimeout(async () => {
      const { value, selectionEnd } = field;
      const at = selectionEnd ?? value.length;
      if (!value.slice(0, at).trim()) return list.replaceChildren();
      const answer = await getJson("/complete", { query: value.slice(0, at) }).catch(() => ({ from: 0, values: [] }));
      if (field.value === value) list.replaceChildren(...completions(value, at, answer).map((text) => new Option(text, text)));
    }, PAUSE);
  });
};

/** Selects what is not understood in a query. */
export const markFault = () => {
  const field = queryField(document.querySelector("[data-fault]"));
  if (!field) return;
  field.focus({ preventScroll: true });
  const at = [...field.value].slice(0, Number(field.dataset.fault)).join("").length;
  field.setSelectionRange(at, Math.max(at, field.value.length));
};
