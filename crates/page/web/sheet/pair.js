// The tab with two score sheets of one game: the module finds the game that explains both, and the page lists where they differ.
import { html } from "../lib/dom.js";
import { isDark } from "../lib/theme.js";

const SHEET_A = `White: Anna Bell
1. b4N b5B
2. c3W a6N
3. Nc2W c6B
4. a3N a6B
5. Ba2W Bd6N
6. a3W
`;
const SHEET_B = `Weiß: Bell
1. b4N b5S
2. c3W a6
3. Sc2N c6S
4. a3N a6S
5. a3W Ld6N
6. La2W Sc7S
`;
// More pictures would be too small to compare.
const PICTURES = 4;

// The number that the viewer gives the move of a ply of the main line. Moves of variations have numbers too.
const nodeOf = (text, ply) => {
  let [node, plies, depth] = [0, 0, 0];
  for (const token of text) {
    if (typeof token !== "number") depth += { "(": 1, ")": -1 }[token[0]] ?? 0;
    else {
      if (!depth && plies + token >= ply) return node + ply - plies;
      node += token;
      if (!depth) plies += token;
    }
  }
  return node;
};

/**
 * What the tab needs of the page.
 * @typedef {object} Page
 * @property {(id: string) => any} at
 * @property {(job: string, ...args: any[]) => Promise<any>} ask
 * @property {(place: string, data: any) => void} view
 * @property {(text: string) => void} take Makes a text the score sheet of the first tab.
 */

/** Gives the tab its life. Returns what shows its game again. @param {Page} page */
export const pairing = ({ at, ask, view, take }) => {
  /** @type {any} */
  let found = null;
  let [now, chosen, typing] = [0, 0, 0];
  const say = (text) => (at("pair-status").textContent = text);
  const counted = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

  const clear = () => {
    found = null;
    at("pair-take").disabled = true;
    at("differences").hidden = at("readings").hidden = true;
  };
  // The position after each likely move, side by side, under what the sheets have.
  const showReadings = async (difference) => {
    const mine = ++chosen;
    const moves = difference.moves.slice(0, PICTURES);
    const drawn = await ask("pictures", found.rules, difference.position, moves, { theme: isDark() ? "dark" : "light", width: 640 });
    if (mine !== chosen) return;
    for (const old of at("readings").querySelectorAll("img")) URL.revokeObjectURL(old.src);
    const figures = drawn.map((svg, i) => {
      const src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
      return html("figure", {}, html("figcaption", {}, `${difference.number} ${moves[i]}`), html("img", { src, alt: `The position after ${difference.number} ${moves[i]}` }));
    });
    const left = difference.readings.length - figures.length;
    const more = left > 0 ? ` ${counted(left, "more reading")}.` : "";
    at("readings").replaceChildren(html("p", {}, `${difference.number} ${difference.message}.${more}`), html("div", {}, ...figures));
    at("readings").hidden = false;
  };
  const choose = (difference, row) => {
    at("differences").querySelector("[aria-current]")?.removeAttribute("aria-current");
    row.setAttribute("aria-current", "true");
    location.hash = `#g1m${nodeOf(found.data.games[0].text, difference.ply)}`;
    showReadings(difference).catch((error) => say(error.message));
  };
  const rowOf = (difference) => {
    const undecided = /^(ambiguous|result)$/.test(difference.kind);
    const row = html("tr", undecided ? { class: "undecided" } : {});
    const number = difference.number || difference.kind;
    const open = html("button", { type: "button", class: "where", "aria-label": `${number}: show the position` }, number);
    open.addEventListener("click", () => choose(difference, row));
    const cells = [0, 1].map((i) => html("td", {}, difference.written[i] || "\u2013", html("small", {}, difference.read_as[i] ?? "")));
    const game = undecided && difference.readings.length ? difference.readings.join(" or ") : difference.text || "\u2013";
    row.append(html("th", { scope: "row" }, difference.position ? open : number), ...cells, html("td", {}, game, html("small", {}, undecided ? "undecided" : "")));
    return row;
  };
  const show = () => {
    if (!found) return;
    view("pair-viewer", found.data);
  };
  const reconcile = async () => {
    const mine = ++now;
    const sheets = [at("pair-a").value, at("pair-b").value];
    if (!sheets.every((sheet) => sheet.trim())) {
      clear();
      return say("");
    }
    try {
      const answer = await ask("reconcile", sheets, {});
      if (mine !== now) return;
      found = answer;
      history.replaceState(null, "", "#");
      const { differences } = found;
      const undecided = differences.filter(({ kind }) => /^(ambiguous|result)$/.test(kind)).length;
      say(`${found.plies} plies; ${counted(differences.length, "difference")}, ${undecided} undecided`);
      const heads = ["Move", "A", "B", "Game"].map((name) => html("th", { scope: "col" }, name));
      at("differences").replaceChildren(html("table", {}, html("thead", {}, html("tr", {}, ...heads)), html("tbody", {}, ...differences.map(rowOf))));
      at("differences").hidden = !differences.length;
      at("readings").hidden = true;
      at("pair-take").disabled = false;
      show();
    } catch (error) {
      if (mine !== now) return;
      clear();
      say(error.message);
    }
  };
  for (const id of ["pair-a", "pair-b"]) {
    at(id).addEventListener("input", () => {
      clearTimeout(typing);
      typing = setTimeout(reconcile, 300);
    });
  }
  at("pair-sample").addEventListener("click", () => {
    [at("pair-a").value, at("pair-b").value] = [SHEET_A, SHEET_B];
    reconcile();
  });
  at("pair-take").addEventListener("click", () => found && take(found.text));
  return show;
};
