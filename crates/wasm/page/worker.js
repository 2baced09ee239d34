// Runs after tridex.js in a worker: keeps one text, and answers the page.
let tridex = null;
let text = "";
let options = {};
let rows = [];

const jobs = {
  async start(packed) {
    const bytes = new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")));
    tridex = await load(bytes);
    const choices = tridex.systems();
    // What games share has the shapes of the pieces.
    const { pieceShapes, markShapes } = tridex.line(choices.systems[0].name, undefined, []).shared;
    return { ...choices, style: tridex.style(), pieces: { pieceShapes, markShapes } };
  },
  // Reads a text, and keeps it and its rows.
  read(next, how) {
    const since = performance.now();
    [text, options] = [next, how];
    const found = tridex.read(text, options);
    rows = found.games;
    found.players.forEach((players, index) => Object.assign(rows[index], { players, title: found.titles[index] }));
    const counts = {};
    for (const { status } of rows) counts[status] = (counts[status] ?? 0) + 1;
    return { games: rows.length, plies: found.plies, problems: found.problems, counts, seconds: (performance.now() - since) / 1000 };
  },
  // Some of its rows: those of a status and of players whose names have these letters, from one on.
  rows(status, letters, from, count) {
    const sought = letters.toLowerCase();
    const isWanted = (row) => (!status || row.status === status) && (!sought || row.players.some((name) => name.toLowerCase().includes(sought)));
    const wanted = status || sought ? rows.filter(isWanted) : rows;
    return { rows: wanted.slice(from, from + count), more: wanted.length > from + count };
  },
  game: (number) => ({ data: tridex.game(text, number, { options }), row: rows[number - 1] }),
  write: (to, how) => tridex.write(text, to, { ...how, options }),
  // The game of two score sheets, with what the viewer shows of it.
  reconcile(sheets, how) {
    const found = tridex.reconcile(sheets, { options: how });
    return { ...found, data: tridex.game(found.text, 1) };
  },
  // A position after each of some moves.
  pictures: (rules, fen, moves, how) => moves.map((last) => tridex.svg(rules, fen, { ...how, last })),
  // A line of moves as PGN.
  pgn(rules, fen, moves) {
    const start = tridex.position(rules).fen;
    const tags = [["Variant", rules], ...(fen && fen !== start ? [["SetUp", "1"], ["FEN", fen]] : [])];
    const record = `${tags.map(([tag, value]) => `[${tag} "${value}"]\n`).join("")}\n${moves.join(" ")} *\n`;
    return tridex.write(record, "own").text;
  },
  moves: (rules, fen) => tridex.moves(rules, fen),
  line: (rules, fen, moves, to) => tridex.line(rules, fen, moves, to),
  setup: (rules, fen, change) => tridex.setup(rules, fen, change),
};

onmessage = async ({ data: { id, job, args } }) => {
  try {
    postMessage({ id, value: await jobs[job](...args) });
  } catch (error) {
    postMessage({ id, error: error.message, more: { at: error.at, expected: error.expected } });
  }
};
