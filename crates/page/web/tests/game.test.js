// The parts of the viewer that need no browser. The data is of one game that crate tridex-page wrote: its tests compare
// data/game.json with what it writes now.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { numbers } from "../lib/base36.js";
import { simplified } from "../lib/names.js";
import { completions } from "../site/complete.js";
import { pictureOf } from "../site/peek.js";
import { rowsOf, textOf } from "../site/sequence.js";
import { decoded, isWhite, lastOf, wordOf } from "../viewer/game.js";
import { Stage } from "../viewer/geometry.js";
import { angleOf, angleText, GlassStage, presetOf } from "../viewer/glass.js";
import { graft, isVariation, linesOf, linesText, pathOf, promote, prune } from "../viewer/graft.js";
import { scoreOf, secondsOf, seriesOf } from "../viewer/graphs.js";
import { colored } from "../viewer/levels.js";
import { changesBetween } from "../viewer/motion.js";
import { lineGame, pgnOf } from "../viewer/pgn.js";
import { described, listed, positionOf } from "../viewer/position.js";
import { diagramsOf } from "../viewer/print.js";
import { Space } from "../viewer/threads.js";
import { mountedOn, movesOf, tagsOf } from "../viewer/wire.js";

const { shared, games } = JSON.parse(readFileSync(new URL("data/game.json", import.meta.url), "utf8"));
const game = decoded(shared, games[0]);
const main = [];
for (let node = game.nodes[0]; node; node = node.next) main.push(node);

test("numbers are read in base 36", () => {
  assert.deepEqual(numbers("0 a zz 10"), [0, 10, 1295, 36]);
  assert.deepEqual(numbers(""), []);
  assert.deepEqual(numbers(undefined), []);
});

test("names are compared without accents and case", () => {
  assert.equal(simplified("Dvořák ÅSA"), "dvorak asa");
});

test("tags and moves come from the shared lists", () => {
  assert.deepEqual(tagsOf(shared, games[0])[0], ["White", "Kirk"]);
  assert.equal(movesOf(shared, games[0]).length, game.nodes.length - 1);
});

test("a game is a tree of positions", () => {
  assert.deepEqual(main.map((node) => node.words[0] ?? ""), ["", "c3W", "a6N", "b4N", "b5B", "QL2"]);
  assert.deepEqual(main.map((node) => node.number), ["", "1.", "1...", "2.", "2...", "3."]);
  const variation = game.nodes.filter((node) => !main.includes(node));
  assert.deepEqual(variation.map((node) => node.words[0]), ["b3W", "b5B"]);
  assert.equal(variation[0].before, main[2]);
  assert.equal(main[2].children.length, 2);
  assert.equal(lastOf(game.nodes[0]), main.at(-1));
  assert.equal(main.at(-1).next, undefined);
  assert.equal(game.nodes.every((node, i) => node.index === i), true);
});

test("every position differs from the one before by its move alone", () => {
  for (const node of game.nodes.slice(1)) {
    const changed = node.pieces.flatMap((piece, square) => (piece === node.before.pieces[square] ? [] : [square]));
    const isBoard = node.board !== undefined;
    assert.equal(changed.length, isBoard ? 0 : 2, node.words[0]);
    if (!isBoard) assert.deepEqual(new Set(changed), new Set(node.step));
    assert.equal(node.white, !node.before.white);
    assert.equal(isBoard, node.layout !== node.before.layout);
  }
});

test("comments, marks, clocks and judgements belong to their moves", () => {
  const [, first, second] = main;
  assert.deepEqual(first.comments, ["quiet"]);
  assert.deepEqual(first.clocks, ["0:01:00", ""]);
  assert.deepEqual(main.at(-1).clocks, ["0:01:00", ""]);
  assert.equal(first.marked.length, 2);
  assert.equal(first.arrows.length, 1);
  assert.equal(second.judgement, "!?");
  assert.equal(wordOf(second, 0), "a6N!?");
  assert.equal(wordOf(second, 99), "a6N!?");
});

test("a variation that is not closed is closed at the end", () => {
  const open = decoded(shared, { ...games[0], text: [3, "(", 1] });
  assert.deepEqual(open.items.map(({ node, kind }) => (node ? "move" : kind)), ["move", "move", "move", "(", "move", ")"]);
});

test("a position string has all boards, and the pins of the attack boards", () => {
  const strings = main.map((node) => positionOf(game, node));
  assert.equal(strings[0], shared.positions[0]);
  assert.deepEqual(strings, shared.positions);
});

test("a position is described in words", () => {
  const words = described(game, game.nodes[0], 0);
  assert.match(words, /^White: king d0KL1, rook e0KL1, bishops b1W c1W, .*\. Black: king d9KL6, queen /);
  assert.equal(listed([1, 1, 5]), "queen, 2 pawns");
  assert.equal(listed([]), "");
  assert.equal(isWhite(6) && !isWhite(7) && !isWhite(0), true);
});

test("a game is written as PGN in each of its notations", () => {
  const text = pgnOf(game, 0);
  assert.match(text, /^\[White "Kirk"\]\n/);
  assert.match(text, /\[Notation "meder"\]\n\n1\. c3W /);
  assert.match(text, /\{quiet\}/);
  assert.match(text, /\{\[%clk 0:01:00\]\}/);
  assert.match(text, /\[%csl Rc3W,Ga6B\]/);
  assert.match(text, /2\.\s+b4N \$14 \( 2\. b3W \{Kirk\} 2\.\.\. b5B \)/);
  assert.match(text, /0-1\n$/);
  assert.equal(text.split("\n\n")[1].split("\n").every((line) => line.length < 81), true);
  assert.match(pgnOf(game, 1), /\[Notation "manual"\]/);
});

test("a comment cannot end its brackets, nor a tag its quotation marks", () => {
  const nasty = { ...game, tags: [["White", 'a"\\b']], items: [{ kind: "c", text: "a } b" }] };
  const text = pgnOf(nasty, 0);
  assert.match(text, /\[White "a\\"\\\\b"\]/);
  assert.match(text, /\{a \) b\}/);
});

const stages = ["Flat", "Stand", "Column"].flatMap((view) => [false, true].map((isTurned) => ({ view, isTurned })));

test("each square is found at its own middle", () => {
  for (const { view, isTurned } of stages) {
    for (const node of [main[0], main.at(-1)]) {
      const stage = Stage.of(game, node.layout, view, isTurned);
      const count = node.pieces.length;
      for (let square = 0; square < count; square++) {
        const found = stage.squareAt(stage.pointOf(stage.cellOf(square), 0.5, 0.5), count);
        // In space a board can hide a square behind it: then the one in front is found.
        if (view === "Flat") assert.equal(found, square, `${view} ${isTurned}`);
        else assert.equal(found >= square, true, `${view} ${isTurned}: ${found} for ${square}`);
      }
      assert.equal(stage.squareAt([-5, -5], count), -1);
    }
  }
});

test("a turned stage has the same squares from the other side", () => {
  const [white, black] = [false, true].map((isTurned) => Stage.of(game, 0, "Flat", isTurned));
  assert.deepEqual(white.cellOf(0), [0, 0, 0]);
  assert.deepEqual(black.cellOf(0), [0, 3, 3]);
  assert.equal(white.boardOf(47), 2);
  assert.equal(white.boardOf(48), 3);
});

test("a point is turned into a file and a rank and back", () => {
  const stage = Stage.of(game, 0, "Stand", false);
  const corner = stage.cornerOf(1);
  const [file, rank] = stage.cellFrom(stage.pointOf([1, 2, 3], 0.25, 0.5), corner);
  assert.equal(Math.abs(file - 2.25) < 1e-9 && Math.abs(rank - 3.5) < 1e-9, true);
});

test("a level is shown with its attack boards, and they with it", () => {
  for (const isTurned of [false, true]) {
    const stage = Stage.of(game, 0, "Flat", isTurned);
    assert.deepEqual([0, 1, 2, 3, 4, 5, 6].map((board) => stage.levelOf(board)), [0, 1, 2, 0, 0, 2, 2]);
    for (let square = 0; square < 64; square++) {
      const board = stage.boardOf(square);
      const [x, y, width, height] = stage.frameOf(stage.levelOf(board));
      const [left, near] = stage.squareCorner(square);
      assert.equal(left >= x && left + 1 <= x + width && near <= y + height && near - 1 >= y, true, `${isTurned} ${square}`);
    }
    const [, , width, height] = stage.frameOf(1);
    assert.equal(width < 7 && height < 10, true);
  }
});

test("an attack board is found by its squares and beside them", () => {
  const stage = Stage.of(game, 0, "Flat", false);
  const { pins } = game.layouts[0];
  const [x, y] = stage.pointOf([3, 0, 0], 1, 1);
  assert.equal(stage.boardAt([x, y], pins), pins[0].split("@")[0]);
  assert.equal(stage.boardAt([-9, -9], pins), undefined);
});

test("targets are listed once, pins from the farthest", () => {
  const stage = Stage.of(game, 0, "Flat", false);
  assert.deepEqual(stage.targetsOf([{ to: 4 }, { to: 9 }, { to: 4 }]), [4, 9]);
  const pins = stage.targetsOf(Object.keys(stage.view.pins).map((to) => ({ to })));
  const heights = pins.map((pin) => stage.view.pins[pin][1]);
  assert.deepEqual(heights, heights.slice().sort((a, b) => a - b));
  const nearest = pins.at(-1);
  const [x, y] = stage.view.pins[nearest];
  assert.equal(stage.pinAt([x + 0.5, y - 0.5], pins), nearest);
});

test("what is drawn of a layout is decoded once", () => {
  const first = mountedOn(game.layouts[0], 0);
  assert.equal(first, mountedOn(game.layouts[0], 0));
  assert.equal(first.corners.length, 14);
  assert.equal(first.mounts.some(({ names }) => names.length === 2), true);
});

test("between a position and the next one its piece moves", () => {
  for (const node of game.nodes.slice(1)) {
    const there = changesBetween(node.before, node);
    const back = changesBetween(node, node.before);
    const isBoard = node.board !== undefined;
    assert.deepEqual([...there.moved], isBoard ? [] : [[node.step[1], node.step[0]]]);
    assert.deepEqual([...back.moved], isBoard ? [] : [node.step]);
    assert.deepEqual([there.gone, there.come, back.gone, back.come], [[], [], [], []]);
  }
});

test("captures, promotions, castling and en passant move what moves", () => {
  const [none, start] = [[], []];
  const between = (from, to, step = none) => {
    const { moved, gone, come } = changesBetween({ pieces: from, step: start }, { pieces: to, step });
    return { moved: [...moved], gone, come };
  };
  assert.deepEqual(between([4, 7], [0, 4], [0, 1]), { moved: [[1, 0]], gone: [1], come: [] });
  assert.deepEqual(between([1, 0], [0, 5], [0, 1]), { moved: [[1, 0]], gone: [], come: [] });
  assert.deepEqual(between([6, 0, 0, 4], [0, 4, 6, 0], [0, 2]), { moved: [[2, 0], [1, 3]], gone: [], come: [] });
  // King and rook change squares.
  assert.deepEqual(between([6, 4], [4, 6], [0, 1]), { moved: [[1, 0], [0, 1]], gone: [], come: [] });
  assert.deepEqual(between([1, 7, 0], [0, 0, 1], [0, 2]), { moved: [[2, 0]], gone: [1], come: [] });
  // Back from a capture.
  assert.deepEqual(changesBetween({ pieces: [0, 4], step: [0, 1] }, { pieces: [4, 7], step: [] }).come, [1]);
  assert.equal(changesBetween({ pieces: [1, 1, 1, 1, 1], step: [] }, { pieces: [2, 2, 2, 2, 2], step: [] }), null);
});

test("rows of choices write the sequence that they were read from", () => {
  for (const text of [
    "rook takes queen then check",
    "white pawn promotes to queen next black king",
    "castling then within 12 plies queen",
    "QL to Q3 carries knight then 0-0",
    "move",
  ]) assert.equal(textOf(rowsOf(text) ?? []), text);
  assert.equal(rowsOf("not of these words"), null);
  assert.equal(rowsOf("rook then within"), null);
});

test("the glass view finds what it draws at every angle", () => {
  for (const isTurned of [false, true]) {
    for (const angle of [0, 1, 2, 3].map(presetOf)) {
      for (const node of main) {
        const stage = new GlassStage(game, node.layout, angle, isTurned);
        for (const square of node.pieces.keys()) {
          const [x, y, scale] = stage.centerOf(square);
          const [file, rank, height] = stage.placeOf(square);
          const [right, away] = stage.placeAt([x, y], height);
          assert.ok(Math.abs(right - file - 0.5) < 1e-9 && Math.abs(away - rank - 0.5) < 1e-9);
          // A board that is higher can be in front of it.
          const found = stage.squareAt([x, y]);
          assert.ok(found === square || stage.storyOfSquare(found) > stage.storyOfSquare(square), `${square} ${found}`);
          assert.ok(x > 0 && x < stage.view.size[0] && y > 0 && y < stage.view.size[1] && scale > 0.7 && scale < 1.4);
          // Marks have their middle there.
          const [a, b, c, d, e, f] = stage.onSquare(square);
          assert.ok(Math.hypot(e + (a - c) / 2 - x, f + (b - d) / 2 - y) < 1e-9);
        }
        assert.equal(stage.squareAt([-5, -5]), -1);
      }
    }
  }
});

test("nearer pieces of the glass view are painted later", () => {
  const stage = new GlassStage(game, 0, presetOf(), false);
  assert.ok(stage.depthOf(0) > stage.depthOf(12));
  assert.deepEqual([0, 1, 2].map((board) => stage.storyOf(board)), [0, 2, 3]);
  const behind = new GlassStage(game, 0, { ...presetOf(), yaw: 180 }, false);
  assert.ok(behind.depthOf(0) < behind.depthOf(12));
});

test("the glass view finds attack boards and pins", () => {
  const stage = new GlassStage(game, 0, presetOf(3), false);
  const { pins } = game.layouts[0];
  const [x, y] = stage.centerOf(48);
  assert.equal(stage.boardAt([x, y], pins), pins[0].split("@")[0]);
  assert.equal(stage.boardAt([-9, -9], pins), undefined);
  for (const pin of ["Q1", "K3", "Q4v"]) {
    const [file, rank, height] = stage.placeOfPin(pin);
    const [u, v] = stage.project([file + 1, rank + 1, height]);
    assert.equal(stage.pinAt([u, v], [pin]), pin);
  }
  assert.deepEqual(stage.targetsOf([{ to: "K3" }, { to: "Q1" }, { to: "K3" }]), ["Q1", "K3"]);
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6].map((board) => stage.levelOf(board)), [0, 1, 2, 0, 0, 2, 2]);
});

test("an angle is written as a text and read again", () => {
  for (const angle of [presetOf(), presetOf(2), { yaw: 170, tilt: 40, zoom: 1.5, right: 0, down: 0 }, { yaw: 1, tilt: 40, zoom: 1, right: 2.5, down: -1 }]) {
    assert.deepEqual(angleOf(angleText(angle)), angle);
  }
  assert.equal(angleText(presetOf()), "-28,27");
  for (const text of ["", "1", "a,b", "1,2,3,4,5,6", "NaN,1"]) assert.equal(angleOf(text), null, text);
  assert.deepEqual(angleOf("190,900,99,99,0"), { yaw: -170, tilt: 90, zoom: 4, right: 24, down: 0 });
});

/** A game on the cube. Only its boards matter here. */
const cube = () => ({
  shape: { boards: [0, 64, 128], sizes: [8, 8, 8], views: [] },
  layout: { columns: Array.from({ length: 192 }, (_, i) => i % 64), pins: [], squares: [], stages: [], mounted: [] },
});

test("the rays of a piece run through the levels and end at what blocks them", () => {
  const { shape, layout } = cube();
  const space = new Space(shape, layout);
  const pieces = new Array(192).fill(0);
  pieces[0] = 5;
  // A pawn of its own on c3 of the third level, two steps along the diagonal in space.
  pieces[128 + 18] = 1;
  const moves = [1, 2, 3, 64 + 9].map((to) => ({ move: "", words: {}, from: 0, to }));
  const rays = space.rays(0, moves, pieces);
  assert.deepEqual(rays.map(({ parts }) => parts), [[[0, 1], [1, 2], [2, 3]], [[0, 73]]]);
  assert.deepEqual(rays.map(({ blocked }) => blocked), [[], [146]]);
  // A piece that can be captured ends the ray itself.
  pieces[73] = 7;
  assert.deepEqual(space.rays(0, moves, pieces)[1].blocked, []);
  // Knights have no rays.
  pieces[0] = 2;
  assert.deepEqual(space.rays(0, moves, pieces), []);
  assert.deepEqual([space.below(64 + 9), space.below(9)], [9, undefined]);
});

test("the way of a move has the squares between its ends", () => {
  const { shape, layout } = cube();
  const space = new Space(shape, layout);
  assert.deepEqual(space.along(0, 128 + 18, 3), [0, 64 + 9, 128 + 18]);
  assert.deepEqual(space.along(0, 24, 4), [0, 8, 16, 24]);
  assert.deepEqual(space.along(0, 10, 2), [0, 10]);
  // On the stair board a step can end on any height: a1W to a4W passes a2W and a3N or a3W.
  const stair = new Space(game.shape, game.layouts[0]);
  const name = (square) => game.layouts[0].squares[0][square];
  assert.deepEqual(stair.along(0, 12, 4).map(name), ["a1W", "a2W", "a3W", "a4W"]);
  assert.deepEqual(stair.along(0, 16 + 12, 4).map(name), ["a1W", "a2W", "a3W", "a4N", "a5N", "a6N"]);
});

test("the layouts of the stair board are the same in the glass view and for rays", () => {
  for (const [i, layout] of game.layouts.entries()) {
    const stage = new GlassStage(game, i, presetOf(), false);
    const space = new Space(game.shape, layout);
    for (const square of layout.columns.keys()) {
      const [x, y, z] = stage.placeOf(square);
      assert.deepEqual(space.placeOf(square), [x, y, Math.round((2 * z) / stage.gap)]);
    }
  }
});

test("letters of levels are found in moves", () => {
  const all = ["c3W", "bWxc4W", "Nc7B", "Bd7B", "aNxb6Ne.p.", "Qa8QL6", "0-0", "d4N=Q", "QL2"];
  // Only what has a document can make elements.
  const made = [];
  globalThis.document = { createElement: () => ({ setAttribute: (_, value) => made.push(value), append: (text) => made.push(text) }) };
  for (const word of all) colored(game, 0, word);
  delete globalThis.document;
  assert.deepEqual(made.join(" "), "tx-l0 W tx-l0 W tx-l0 W tx-l2 B tx-l2 B tx-l1 N tx-l1 N tx-l1 N");
});

/** A fresh copy of the game, and a line of other moves from a position of it. */
const tried = (count) => {
  const own = decoded(shared, games[0]);
  const all = games[0].moves.split(" ");
  // Its moves are those of the game in another order, which need not be legal here.
  const moves = [all[1], all[0], all[1]].slice(0, count).join(" ");
  return { own, line: decoded(shared, { ...games[0], moves, text: [count], more: {} }) };
};
const textOfItems = ({ items }) => items.map(({ node, numbered, kind, text }) => (node ? (numbered ? node.number : "") + node.words[0] : kind + (text ?? ""))).join(" ");

test("tried moves become variations and can be removed", () => {
  const { own, line } = tried(2);
  const before = textOfItems(own);
  const [root] = own.nodes;
  const last = graft(own, root, line, ["x", "y"]);
  assert.equal(last.tried, "y");
  assert.equal(last.before.before, root);
  assert.equal(root.next.tried, undefined);
  const text = textOfItems(own);
  assert.ok(text.includes(`( 1.${line.nodes[1].words[0]} ${line.nodes[2].words[0]} )`), text);
  assert.ok(text.startsWith(before.split(" ")[0]), text);
  // The same moves are not added twice.
  assert.equal(graft(own, root, line, ["x", "y"]), last);
  assert.equal(textOfItems(own), text);
  assert.deepEqual(linesOf(linesText(own, last).text), [{ base: 0, moves: ["x", "y"] }]);
  assert.deepEqual(linesText(own, last.before), { text: "0~x~y", at: "0.1" });
  assert.equal(linesText(own, root).at, "");
  assert.deepEqual(pathOf(last), { base: root, moves: ["x", "y"] });
  assert.ok(pgnOf(own, 0).includes(line.nodes[2].words[0]));
  prune(own, last);
  assert.deepEqual(linesText(own, root).text, "0~x");
  prune(own, last.before);
  assert.equal(linesText(own, root).text, "");
  assert.equal(textOfItems(own), before);
});

test("tried moves at the end of a line follow it", () => {
  const { own, line } = tried(3);
  const end = lastOf(own.nodes[0]);
  const before = textOfItems(own);
  const last = graft(own, end, line, ["x", "y", "z,1"]);
  assert.equal(lastOf(own.nodes[0]), last);
  assert.ok(textOfItems(own).startsWith(before));
  assert.equal(textOfItems(own).split(" ").filter((word) => word === "(").length, before.split(" ").filter((word) => word === "(").length);
  assert.deepEqual(linesOf(linesText(own, last).text), [{ base: end.index, moves: ["x", "y", "z,1"] }]);
  prune(own, last.before.before);
  assert.equal(textOfItems(own), before);
  assert.equal(lastOf(own.nodes[0]), end);
});

test("a variation is exchanged with its line, with all comments", () => {
  const own = decoded(shared, games[0]);
  const before = textOfItems(own);
  const [b4N, b3W] = own.nodes[2].children;
  const last = lastOf(b3W);
  assert.deepEqual([b4N, b3W, last].map(isVariation), [false, true, true]);
  promote(own, last);
  assert.equal(own.nodes[2].next, b3W);
  assert.equal(lastOf(own.nodes[0]), last);
  assert.deepEqual([b4N, b3W, last].map(isVariation), [true, false, false]);
  const words = (text) => text.split(" ").map((word) => word.replace(/^\d+\.+/, "")).sort();
  const text = textOfItems(own);
  assert.deepEqual(words(text), words(before));
  assert.match(text, /2\.b3W ckirk \( 2\.b4N .*\) 2\.\.\.b5B$/i);
  // Only the moves of what is now the main line are shown as such.
  assert.equal(own.items.filter(({ main }) => main).length, 4);
  // Twice is not at all.
  promote(own, b4N);
  assert.equal(textOfItems(own), before);
  promote(own, b4N);
  assert.equal(textOfItems(own), before);
});

test("a tried line that others leave can be deleted, and they stay", () => {
  const { own, line } = tried(2);
  const end = lastOf(own.nodes[0]);
  const first = graft(own, end, line, ["x", "y"]).before;
  const other = graft(own, end, { ...line, nodes: [line.nodes[0], line.nodes[2]] }, ["z"]);
  assert.equal(end.next, first);
  prune(own, first);
  assert.equal(end.next, other);
  assert.deepEqual(end.children, [other]);
  assert.deepEqual(linesText(own, other), { text: `${end.index}~z`, at: "0.1" });
  prune(own, other);
  assert.deepEqual(end.children, []);
});

test("one line is copied without the others", () => {
  const pgn = pgnOf(lineGame(game, game.nodes[0]), 0);
  assert.ok(!pgn.includes("("), pgn);
  assert.ok(pgn.includes("{[%eval 0.35]}") && pgn.includes("quiet"), pgn);
  assert.ok(pgn.trimEnd().endsWith(game.result), pgn);
  const variation = game.nodes.find((node) => node.words[0] === "b3W");
  const other = pgnOf(lineGame(game, variation), 0);
  assert.match(other, /2\. b3W .*\*\n$/s);
  assert.ok(other.includes('[Result "*"]') && !other.includes("b4N"), other);
  // The game itself is as it was.
  assert.ok(pgnOf(game, 0).includes("( 2. b3W"));
});

test("evaluations and clocks are numbers", () => {
  assert.deepEqual(["0.35", "-1.2,18", "+99", "#3", "#-3"].map(scoreOf), [0.35, -1.2, 10, 10, -10]);
  assert.deepEqual(["1:29:58", "0:05", "7.5"].map(secondsOf), [5398, 5, 7.5]);
  const nodes = [["", ""], ["0:10:00", ""], ["0:10:00", "0:05:00"], ["0:09:00", "0:05:00"]].map((clocks, i) => ({ ...main[i], clocks, score: i % 2 ? `${i}` : undefined }));
  const [scores, clocks] = seriesOf(nodes);
  assert.deepEqual(scores.lines, [[[1, 0.55], [3, 0.65]]]);
  assert.deepEqual(clocks.lines, [[[1, 1], [3, 0.9]], [[2, 0.5]]]);
  assert.equal(clocks.textOf(nodes[2]), "White 0:10:00, Black 0:05:00");
  // One point is no graph.
  assert.deepEqual(seriesOf(nodes.slice(0, 2)), []);
});

test("lines of a damaged address are left out", () => {
  assert.deepEqual(linesOf(""), []);
  assert.deepEqual(linesOf("1;x~y;~;2~%zz;3~a%2Cb"), [{ base: 3, moves: ["a,b"] }]);
});

test("marked moves have diagrams on paper", () => {
  assert.deepEqual(diagramsOf(game).map((node) => node.words[0]), ["c3W"]);
  const nodes = game.nodes.map((node, i) => ({ ...node, marked: [], judgement: i === 2 ? " $220" : "" }));
  nodes[1].arrows = [];
  assert.deepEqual(diagramsOf({ ...game, nodes }).map((node) => node.index), [2]);
});

test("a completion replaces what is before the cursor alone", () => {
  const answer = { from: 5, values: ["player:", "plies:"] };
  assert.deepEqual(completions("mate pl", 7, answer), ["mate player:", "mate plies:"]);
  assert.deepEqual(completions("mate pl or check", 7, answer), ["mate player: or check", "mate plies: or check"]);
  // Places are counted in characters.
  assert.deepEqual(completions("\u{1d54f} \u{e9}pl", 6, { from: 2, values: ["x"] }), ["\u{1d54f} x"]);
});

test("only a game has a picture, at its ply", () => {
  const site = "http://localhost";
  assert.equal(pictureOf(`${site}/game/0123456789abcdef?ply=7&found=7`, false), "/picture/0123456789abcdef.svg?ply=7&theme=light");
  assert.equal(pictureOf(`${site}/game/0123456789abcdef`, true), "/picture/0123456789abcdef.svg?theme=dark");
  assert.equal(pictureOf(`${site}/player?name=Spock`, true), null);
});
