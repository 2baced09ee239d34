// Makes elements. Text is set as text, never parsed as markup.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Record<string, unknown>} Attributes */

/**
 * Sets attributes and appends children.
 * @template {Element} E
 * @param {E} element
 * @param {Attributes} attributes
 * @param {(Node | string)[]} children
 * @returns {E}
 */
export const filled = (element, attributes, children) => {
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
};

/**
 * Makes an element of HTML.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Attributes} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export const html = (name, attributes = {}, ...children) => filled(document.createElement(name), attributes, children);

/**
 * Makes an element of SVG.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Attributes} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[K]}
 */
export const svg = (name, attributes = {}, ...children) => filled(document.createElementNS(SVG, name), attributes, children);

/**
 * Makes the elements of our own markup of boards and pieces, in a group. A page that allows no markup from text can use it.
 * Elements of other names are omitted.
 * @param {string} markup
 * @returns {SVGGElement}
 */
export const shapes = (markup) => {
  const top = svg("g");
  /** @type {Element} */
  let parent = top;
  for (const [, end, name, attributes, empty, text] of markup.matchAll(/<(\/?)(\w+)((?:\s+[\w-]+="[^"]*")*)\s*(\/?)>|([^<]+)/g)) {
    if (text) parent.append(text);
    else if (end) parent = parent.parentElement ?? top;
    else if (/^(defs|g|path|ellipse|circle|rect|text)$/.test(name)) {
      const pairs = [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key, value]);
      const child = svg(/** @type {"g"} */ (name), Object.fromEntries(pairs));
      parent.append(child);
      if (!empty) parent = child;
    }
  }
  return top;
};
