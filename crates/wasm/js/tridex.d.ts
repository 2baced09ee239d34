/** A rule system by its name or one of its other spellings; {@link Tridex.systems} lists them. */
export type Rules = string;
/** A notation: `meder`, `manual`, `millennium`, `chess3`. */
export type Notation = string;

/** How a text is read: the options of the command. */
export interface ReadOptions {
  /** The name of the text; how it ends (`.pgn`, `.csv`, `.ndjson`, `.json`) says what it is. Default: `-`. */
  name?: string;
  /** The rule system, whatever the tags say, or `any` for all of the board. */
  rules?: Rules | "any";
  notation?: Notation;
  /** The language of the letters: `en de fr nl cs es`. */
  locale?: string;
  /** The encoding of bytes: `utf-8`. `TextDecoder` decodes others. */
  encoding?: string;
  /** The order of day, month and year in ambiguous dates, such as `3/4/2019`. */
  dates?: "dmy" | "mdy" | "ymd";
  /** Whether ambiguous and foreign words are errors. */
  strict?: boolean;
}

export type Severity = "info" | "warning" | "error";

/** A slip that would explain a game that cannot be read. */
export interface Correction {
  slip: string;
  cost: number;
  changes: { ply: number; move: string; token: string; text: string; slip: string; line: number; column: number }[];
}

export interface Finding {
  severity: Severity;
  /** A name that does not change, such as `ambiguous`. */
  code: string;
  /** The ply it is about, from 1; 0 if none. */
  ply: number;
  /** The number of the move: `11...`. */
  move: string;
  /** The word as written, at a line and a column in characters, both from 1. */
  token: string;
  line: number;
  column: number;
  message: string;
  /** The readings of an ambiguous word, or legal moves that are near. */
  alternatives: string[];
  /** What the word should be, if that is sure. */
  /** Moves of which one or two may be missing, at the places that the corrections give. */
  missing?: string[];
  suggestion: string | null;
  corrections?: Correction[];
  /** The number of further corrections, which are not listed. */
  corrections_unlisted?: number;
}

export interface GameRow {
  source: string;
  game: number;
  line: number;
  status: "valid" | "warned" | "ambiguous" | "invalid";
  rules: Rules;
  notation: Notation;
  locale: string;
  plies: number;
  result: string;
  outcome: string;
  /** The position after the last ply that could be replayed. */
  fen: string;
  key: string;
  diagnostics: Finding[];
  legal?: Rules[];
  systems?: unknown[];
}

/** A finding as a row of its own, or something about the text that belongs to no game. */
export interface Problem {
  file: string;
  game: number | null;
  line: number;
  column: number;
  ply: number | null;
  severity: Severity;
  code: string;
  token: string;
  message: string;
  legal: string[];
  /** What the token should read, if that is sure. */
  suggestion: string | null;
  /** The one likely correction in words, each change with its line and column; at this token or elsewhere. */
  correction: string | null;
}

export interface WriteOptions {
  format?: "pgn" | "ndjson" | "csv" | "html";
  /** For `html`: the text of `viewer.js`, which is next to the module. */
  script?: string;
  locale?: string;
  /** Check and mate marks; without a wish as is customary. */
  marks?: boolean;
  shortPawnCaptures?: boolean;
  figurines?: boolean;
  /** Corrects slips where one way alone lets the game be read. */
  repair?: boolean;
  /** Omits the comments that name guesses and repairs. */
  noTrace?: boolean;
  /** How the text is read. */
  options?: ReadOptions;
}

/** What score sheets of one game differ in. */
export interface Difference {
  /** The ply it is about, from 1; null if it is about the game as a whole. */
  ply: number | null;
  /** The number of the move: `11...`. */
  number: string;
  kind: "tag" | "result" | "move" | "ambiguous" | "superfluous" | "end";
  /** What the game has: the move, the value of the tag, or the result. */
  text: string;
  /** What each score sheet has, as written; empty if it has nothing. */
  written: string[];
  /** How each score sheet agrees with the game, in a few words; empty for tags and results. */
  read_as: string[];
  /** All likely moves if the ply is undecided, the likeliest first. */
  readings: string[];
  message: string;
  /** The position before the ply. */
  position: string | null;
  /** The likely moves that are legal in this position, in the notation of the rules: one if the ply is decided. */
  moves: string[];
}

/** The game that score sheets explain best. */
export interface Reconciled {
  /** The game as PGN, with a comment at each move in which the score sheets differ. */
  text: string;
  /** Whether every move and the result are decided. */
  decided: boolean;
  /** The result that the score sheets state; null if they state none, or different ones. */
  result: string | null;
  rules: Rules;
  plies: number;
  differences: Difference[];
}

export interface Position {
  rules: Rules;
  fen: string;
  key: string;
  turn: "white" | "black";
  check: boolean;
  outcome: string | null;
  /** How many legal moves there are. */
  legal: number;
}

export interface LegalMove {
  /** The move in the notation of its rules. */
  move: string;
  /** The move in every notation of the board. */
  words: Record<Notation, string>;
  /** The index of a square, or the name of an attack board. */
  from: number | string;
  /** The index of a square, or the name of a pin. */
  to: number | string;
}

/** What `TridexViewer.show(element, data)` takes. */
export interface ViewerData {
  shared: object;
  games: object[];
}

export interface PictureOptions {
  view?: "flat" | "stand";
  /** Black's side is near. */
  black?: boolean;
  theme?: "light" | "dark" | "page";
  /** Pixels, 16 to 10,000. */
  width?: number;
  column?: boolean;
  labels?: Notation;
  /** Moves that are played before the picture is drawn; the last one is marked. */
  last?: string;
  /** A square or an attack board whose moves are marked. */
  moves?: string;
}

export interface SetupChange {
  /** Takes all pieces away. */
  empty?: boolean;
  /** Indices of squares, each with the letter of a piece or null. */
  put?: [number, string | null][];
  /** An attack board and the pin it is put on: `["QL", "Q3"]`. */
  board?: [string, string];
  turn?: "white" | "black";
  theme?: "light" | "dark" | "page";
}

export interface Setup {
  /** The rules of the request; if they are for the other board, the first that allow the position. */
  rules: Rules;
  fen: string;
  turn: "white" | "black";
  /** Why the position cannot be played. */
  fault: string | null;
  boards: { name: string; pin: string | null; rows: { square: number; name: string; light: boolean; piece: string | null }[][] }[];
  pins: string[];
  svg: string;
}

export interface Systems {
  version: string;
  systems: { name: Rules; board: "stair" | "cube"; own: Notation; about: string; source: string; notations: Notation[] }[];
  locales: { code: string; name: string }[];
}

/** What is wrong with a request, in words. */
export class TridexError extends Error {
  /** Of a position string that `setup` cannot read: how many of its characters are understood, and what was expected there. */
  at?: number;
  expected?: string;
}

type Text = string | ArrayBuffer | ArrayLike<number>;

export class Tridex {
  constructor(module: WebAssembly.Module);
  systems(): Systems;
  /** The players of each game are White and Black, empty if they have no name; its title is both, or the event, or empty. */
  read(text: Text, options?: ReadOptions): { games: GameRow[]; players: [string, string][]; titles: string[]; problems: Problem[]; plies: number };
  lines(text: Text, options?: ReadOptions, problems?: boolean): string;
  write(text: Text, to: Notation | "own", how?: WriteOptions): { text: string; games: number; refused: string[]; problems: string[] };
  game(text: Text, number: number, how?: { options?: ReadOptions; to?: Notation }): ViewerData;
  /** Two or three score sheets of one game, in any notation, language and layout. */
  reconcile(texts: Text[], how?: { options?: ReadOptions; to?: Notation | "own" }): Reconciled;
  position(rules: Rules, fen?: string): Position;
  moves(rules: Rules, fen?: string, from?: number | string): LegalMove[];
  play(rules: Rules, fen: string | undefined, move: string): Position;
  line(rules: Rules, fen: string | undefined, moves: string[], to?: Notation): ViewerData;
  svg(rules: Rules, fen?: string, how?: PictureOptions): string;
  setup(rules: Rules, fen?: string, change?: SetupChange): Setup;
  style(): string;
}

export function load(source: BufferSource | Response | Promise<Response> | URL | string): Promise<Tridex>;
