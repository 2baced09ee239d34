// A layer of the picture: one group, or one for each height of boards.
import { svg } from "../lib/dom.js";

/** Elements of one kind. */
export class Layer {
  /** @param {string} name */
  constructor(name) {
    this.name = name;
    this.groups = [svg("g", { class: `tx-${name}` })];
  }

  /** Has as many groups as there are heights. @param {number} count */
  resize(count) {
    while (this.groups.length < count) this.groups.push(svg("g", { class: `tx-${this.name}` }));
    for (const group of this.groups.splice(count)) group.replaceChildren();
  }

  /**
   * Puts elements in place of what is there. Elements that are there in the same order are not touched, because browsers draw
   * what is removed and inserted from scratch.
   * @param {[story: number, element: Element][]} items
   */
  fill(items) {
    for (const [story, group] of this.groups.entries()) {
      const wanted = items.flatMap(([own, element]) => (own === story ? [element] : []));
      const { children } = group;
      if (children.length !== wanted.length || wanted.some((element, i) => children[i] !== element)) group.replaceChildren(...wanted);
    }
  }
}
