// What every page of the site has: light and dark, and the field for a search.
import { html } from "../lib/dom.js";
import { restoreTheme, switchTheme } from "../lib/theme.js";
import { completeQueries } from "./complete.js";

/** Gives the page its theme and its keys. */
export const beginPage = () => {
  restoreTheme();
  const theme = html("button", { type: "button", class: "theme" }, "Dark");
  document.querySelector(".top")?.append(theme);
  switchTheme(theme);
  // The field for a search, which every page has.
  document.addEventListener("keydown", (event) => {
    const target = event.target instanceof Element ? event.target : document.body;
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog")) return;
    const field = document.querySelector("input[name=query]:not([type=hidden])");
    if (!(field instanceof HTMLInputElement)) return;
    event.preventDefault();
    field.focus();
  });
  // Fields without a value are no part of the address.
  document.addEventListener("formdata", ({ formData }) => {
    for (const [name, value] of [...formData]) if (!value) formData.delete(name);
  });
  completeQueries();
};
