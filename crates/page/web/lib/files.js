// Texts and files for the reader: the clipboard, and downloads.
import { html } from "./dom.js";

/**
 * Copies the text of a field, or another text.
 * @param {HTMLTextAreaElement | HTMLInputElement} field
 * @param {string} [text]
 */
export const copyText = async (field, text = field.value) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Where a page may not use the clipboard, the selected text can still be copied.
    field.select();
    document.execCommand("copy");
  }
};

/**
 * Lets the reader save a file.
 * @param {Blob} blob
 * @param {string} name
 */
export const saveFile = (blob, name) => {
  const address = URL.createObjectURL(blob);
  html("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
};
