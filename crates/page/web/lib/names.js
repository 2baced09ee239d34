/**
 * A text as it is compared in a search: without accents and in lower case.
 * @param {string} text
 * @returns {string}
 */
export const simplified = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
