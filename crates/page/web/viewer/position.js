// A position as a position string, and in words.

/** @import { Game, Position } from "./game.js" */

const LETTERS = " PNBRQKpnbrqk";
const ROLES = ["pawn", "knight", "bishop", "rook", "queen", "king"];

/**
 * The position string of a position.
 * @param {Game} game
 * @param {Position} node
 * @returns {string}
 */
export const positionOf = (game, node) => {
  const { boards, sizes } = game.shape;
  /** @param {number} board */
  const ranks = (board) => {
    const size = sizes[board];
    const lines = [];
    for (let rank = size - 1; rank >= 0; rank--) {
      const first = boards[board] + rank * size;
      const line = node.pieces.slice(first, first + size).map((piece) => LETTERS[piece]).join("");
      lines.push(line.replace(/ +/g, (empty) => String(empty.length)));
    }
    return lines.join("/");
  };
  // The boards that do not move from the highest; the others in their order.
  const parts = [2, 1, 0].map(ranks);
  game.layouts[node.layout].pins.forEach((pin, i) => {
    parts.push(`${pin}:${ranks(3 + i)}`);
  });
  return [parts.join("|"), node.white ? "w" : "b", node.rights, node.halfmoves, node.fullmoves].join(" ");
};

/**
 * Pieces in words: `queen, 2 pawns`.
 * @param {number[]} pieces
 */
export const listed = (pieces) => {
  const counts = ROLES.map((role, i) => ({ role, count: pieces.filter((piece) => (piece - 1) % 6 === i).length }));
  const found = counts.filter(({ count }) => count).reverse();
  return found.map(({ role, count }) => (count > 1 ? `${count} ${role}s` : role)).join(", ");
};

/**
 * A position in words, for readers who do not see it.
 * @param {Game} game
 * @param {Position} node
 * @param {number} notation
 */
export const described = (game, node, notation) => {
  const { squares } = game.layouts[node.layout];
  const names = squares[notation] ?? squares[0];
  const sides = ["White", "Black"].map((side, black) => {
    const groups = [...ROLES.keys()].reverse().map((role) => {
      const own = names.filter((_, square) => node.pieces[square] === 1 + role + 6 * black);
      return own.length ? `${ROLES[role]}${own.length > 1 ? "s" : ""} ${own.join(" ")}` : "";
    });
    return `${side}: ${groups.filter(Boolean).join(", ")}.`;
  });
  return sides.join(" ");
};
