// Three-dimensional chess in JavaScript: games read, checked, converted and drawn by the WebAssembly module tridex.wasm.
// `tridex.d.ts` has the types, README.md examples.

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const bytesOf = (text) => (typeof text === "string" ? encoder.encode(text) : new Uint8Array(text));

/** What the module answers where it cannot do what is asked for, in words. */
export class TridexError extends Error {
  name = "TridexError";
}

export class Tridex {
  #module;
  #exports;

  /** Of a compiled module. A module that breaks off, as where memory ends, is started again with the next request. */
  constructor(module) {
    this.#module = module;
  }

  #ask(request, text = "") {
    this.#exports ??= new WebAssembly.Instance(this.#module, {}).exports;
    const wasm = this.#exports;
    try {
      const body = bytesOf(text);
      const head = encoder.encode(`${JSON.stringify(request)}\n`);
      const at = wasm.tridex_request(head.length + body.length) >>> 0;
      const memory = new Uint8Array(wasm.memory.buffer);
      memory.set(head, at);
      memory.set(body, at + head.length);
      const from = wasm.tridex_answer() >>> 0;
      const answer = new Uint8Array(wasm.memory.buffer, from, wasm.tridex_answer_len() >>> 0);
      if (answer[0] !== 43) throw new TridexError(decoder.decode(answer.subarray(1)));
      const end = answer.indexOf(10);
      return [JSON.parse(decoder.decode(answer.subarray(1, end))), answer.slice(end + 1)];
    } catch (error) {
      if (error instanceof TridexError) throw error;
      this.#exports = undefined;
      throw new TridexError(`the module broke off (${error.message}): the text is too large, or this is a fault of tridex`);
    }
  }

  /** Rule systems, notations and languages. */
  systems() {
    return this.#ask({ do: "systems" })[0];
  }

  /** The games of a text with their findings and players, and what belongs to no game. */
  read(text, options = {}) {
    const [{ problems, plies, players, titles }, rows] = this.#ask({ do: "read", options, players: true }, text);
    const lines = decoder.decode(rows).split("\n").filter(Boolean);
    return { games: lines.map((line) => JSON.parse(line)), players, titles, problems, plies };
  }

  /** The same as `tridex validate --format ndjson` writes it, with `problems` that with `--problems`. */
  lines(text, options = {}, problems = false) {
    return decoder.decode(this.#ask({ do: "read", options, problems }, text)[1]);
  }

  /** The games of a text in a notation, `own` being that of their rules: {text, games, refused, problems}. */
  write(text, to, { options = {}, ...how } = {}) {
    const [head, written] = this.#ask({ do: "write", to, options, ...how }, text);
    return { text: decoder.decode(written), ...head };
  }

  /** One game of a text, counted from 1: what TridexViewer.show takes. */
  game(text, number, { options = {}, to } = {}) {
    return JSON.parse(decoder.decode(this.#ask({ do: "game", number, to, options }, text)[1]));
  }

  /** The one game that two or three score sheets of it explain best: {text, decided, result, rules, plies, differences}. */
  reconcile(texts, { options = {}, to } = {}) {
    const sheets = texts.map(bytesOf);
    const lengths = sheets.map(({ length }) => length);
    const all = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
    let at = 0;
    for (const sheet of sheets) {
      all.set(sheet, at);
      at += sheet.length;
    }
    const [{ differences, positions, moves, ...head }, text] = this.#ask({ do: "reconcile", lengths, to, options }, all);
    return { text: decoder.decode(text), ...head, differences: differences.map((one, i) => ({ ...one, position: positions[i], moves: moves[i] })) };
  }

  /** A position: of a position string, or the start of the rules. */
  position(rules, fen) {
    return this.#ask({ do: "position", rules, fen })[0];
  }

  /** Its legal moves; with `from` those of a square or an attack board. */
  moves(rules, fen, from) {
    return this.#ask({ do: "moves", rules, fen, from })[0].moves;
  }

  /** The position after a move in any notation. */
  play(rules, fen, move) {
    return this.#ask({ do: "line", rules, fen, moves: [move] })[0];
  }

  /** A line of moves: what TridexViewer.show takes. */
  line(rules, fen, moves, to) {
    return JSON.parse(decoder.decode(this.#ask({ do: "line", rules, fen, moves, to })[1]));
  }

  /** A position as SVG. */
  svg(rules, fen, how = {}) {
    return decoder.decode(this.#ask({ do: "svg", rules, fen, ...how })[1]);
  }

  /** A position that is set up by hand, after one change: its boards, why it cannot be played, and its picture. */
  setup(rules, fen, change = {}) {
    const [head, svg] = this.#ask({ do: "setup", rules, fen, ...change });
    if (head.unread) throw Object.assign(new TridexError(head.unread), { at: head.at, expected: head.expected });
    return { ...head, svg: decoder.decode(svg) };
  }

  /** The style sheet of TridexViewer and of pictures with the theme `page`. */
  style() {
    return decoder.decode(this.#ask({ do: "style" })[1]);
  }
}

/** Loads the module: from its bytes, a response or an address. */
export async function load(source) {
  const loaded = source instanceof URL || typeof source === "string" ? await fetch(source) : await source;
  const bytes = typeof Response !== "undefined" && loaded instanceof Response ? await loaded.arrayBuffer() : loaded;
  return new Tridex(await WebAssembly.compile(bytes));
}
