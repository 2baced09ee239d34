"""Three-dimensional chess: positions, moves, notations, game records, an index of games."""

from os import PathLike
from pathlib import Path
from typing import IO, Any, Dict, Iterable, Iterator, List, Literal, Optional, Sequence, Tuple, TypedDict, Union, final

_Path = Union[str, "PathLike[str]"]
_Paths = Union[_Path, Iterable[_Path]]
_Text = Union[str, bytes]
_Field = Union[str, int, bool, Sequence[str], None]
_Side = Literal["white", "black"]
_View = Literal["flat", "stand"]
_Theme = Literal["light", "dark"]
_Result = Literal["1-0", "0-1", "1/2-1/2", "*"]
_Sort = Literal["date", "white", "black", "event", "plies", "white-elo", "black-elo", "elo", "ply"]

__version__: str
RULES: Tuple[str, ...]
NOTATIONS: Tuple[str, ...]
LOCALES: Tuple[str, ...]

class Error(ValueError): ...

class PositionError(Error):
    offset: Optional[int]

class MoveError(Error):
    token: str
    ply: int
    offset: Optional[int]

class FileError(Error):
    file: str
    code: str
    problems: List[Problem]
    counts: Counts

class QueryError(Error):
    text: str
    offset: int
    expected: str

class DatabaseError(Error): ...

class Counts(TypedDict):
    games: int
    valid: int
    warned: int
    ambiguous: int
    invalid: int
    codes: Dict[str, int]
    damage: int
    plies: int

class DifferenceRow(TypedDict):
    ply: Optional[int]
    number: str
    kind: Literal["tag", "result", "move", "ambiguous", "superfluous", "end"]
    text: str
    written: List[str]
    read_as: List[str]
    readings: List[str]
    message: str

class Hit(TypedDict):
    id: str
    source: str
    game: int
    white: str
    black: str
    event: str
    site: str
    date: str
    round: str
    result: str
    rules: str
    plies: int
    ply: Optional[int]
    opening: Optional[str]
    variation: bool

class Opening(TypedDict):
    move: str
    games: int
    white: int
    draws: int
    black: int
    score: Optional[float]
    average: Optional[int]
    last_year: Optional[int]
    small: bool
    fen: str
    name: Optional[str]

class TreeMove(TypedDict):
    move: str
    games: int
    white: int
    draws: int
    black: int
    score: Optional[float]
    average: Optional[int]
    last_year: Optional[int]
    small: bool
    fen: str
    name: Optional[str]
    depth: int
    line: str
    transposes_to: Optional[str]

Novelty = TypedDict(
    "Novelty",
    {
        "source": str,
        "game": int,
        "white": str,
        "black": str,
        "date": str,
        "rules": str,
        "plies": int,
        "ply": Optional[int],
        "move": Optional[str],
        "games": int,
        "usual": Optional[str],
        "usual_games": int,
        "last": Optional[Hit],
    },
)

class ReportRow(TypedDict):
    name: str
    games: int
    won: int
    drawn: int
    lost: int
    without_result: int
    score: Optional[float]

class EndingRow(TypedDict):
    name: str
    games: int

class Spread(TypedDict):
    least: int
    average: float
    greatest: int

class Report(TypedDict):
    kind: str
    title: str
    fen: Optional[str]
    names: List[ReportRow]
    results: List[ReportRow]
    systems: List[ReportRow]
    years: List[ReportRow]
    openings: List[ReportRow]
    opponents: List[ReportRow]
    players: List[ReportRow]
    continuations: List[Opening]
    endings: List[EndingRow]
    plies: Optional[Spread]
    ratings: Optional[Spread]
    model_games: List[Hit]
    last_games: List[Hit]

class Indexed(TypedDict):
    added: int
    updated: int
    unchanged: int
    rejected: int
    removed: int
    games: int
    positions: int
    problems: List[Problem]

@final
class Move:
    @property
    def kind(self) -> Literal["piece", "en-passant", "castle", "board"]: ...
    @property
    def from_square(self) -> str: ...
    @property
    def to_square(self) -> str: ...
    @property
    def promotion(self) -> Optional[Literal["queen", "rook", "bishop", "knight"]]: ...
    @property
    def turned(self) -> bool: ...
    def __lt__(self, other: Move) -> bool: ...
    def __le__(self, other: Move) -> bool: ...
    def __gt__(self, other: Move) -> bool: ...
    def __ge__(self, other: Move) -> bool: ...
    def __hash__(self) -> int: ...

@final
class LegalMoves:
    def __len__(self) -> int: ...
    def __contains__(self, move: Move) -> bool: ...
    def __iter__(self) -> Iterator[Move]: ...
    def __getitem__(self, index: int) -> Move: ...

@final
class Position:
    def __init__(self, rules: Optional[str] = None, fen: Optional[str] = None) -> None: ...
    @property
    def rules(self) -> str: ...
    @property
    def turn(self) -> _Side: ...
    @property
    def fullmove_number(self) -> int: ...
    @property
    def halfmove_clock(self) -> int: ...
    @property
    def key(self) -> int: ...
    @property
    def move_stack(self) -> List[Move]: ...
    @property
    def legal_moves(self) -> LegalMoves: ...
    @property
    def pieces(self) -> Dict[str, str]: ...
    def piece_at(self, square: str) -> Optional[str]: ...
    def fen(self) -> str: ...
    def parse(self, token: str) -> Move: ...
    def notation(self, move: Union[Move, str], notation: Optional[str] = None) -> str: ...
    def is_legal(self, move: Move) -> bool: ...
    def is_capture(self, move: Move) -> bool: ...
    def push(self, move: Union[Move, str]) -> Move: ...
    def play(self, line: str) -> List[Move]: ...
    def pop(self) -> Move: ...
    def peek(self) -> Move: ...
    def is_check(self) -> bool: ...
    def is_checkmate(self) -> bool: ...
    def is_game_over(self) -> bool: ...
    def outcome(self) -> Optional[str]: ...
    def perft(self, depth: int) -> int: ...
    def copy(self, *, stack: bool = True) -> Position: ...
    def svg(
        self,
        *,
        view: _View = "flat",
        side: _Side = "white",
        theme: _Theme = "light",
        width: int = 800,
        last_move: bool = True,
        moves_of: Optional[str] = None,
    ) -> str: ...
    def png(
        self,
        *,
        view: _View = "flat",
        side: _Side = "white",
        theme: _Theme = "light",
        width: int = 800,
        last_move: bool = True,
        moves_of: Optional[str] = None,
    ) -> bytes: ...
    def _repr_svg_(self) -> str: ...

@final
class Change:
    @property
    def ply(self) -> int: ...
    @property
    def move_number(self) -> str: ...
    @property
    def token(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def slip(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...

@final
class Correction:
    @property
    def slip(self) -> str: ...
    @property
    def cost(self) -> int: ...
    @property
    def words(self) -> str: ...
    @property
    def changes(self) -> List[Change]: ...

@final
class Finding:
    @property
    def severity(self) -> Literal["error", "warning", "info"]: ...
    @property
    def code(self) -> str: ...
    @property
    def ply(self) -> Optional[int]: ...
    @property
    def move_number(self) -> str: ...
    @property
    def token(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def message(self) -> str: ...
    @property
    def alternatives(self) -> List[str]: ...
    @property
    def missing(self) -> List[str]: ...
    @property
    def suggestion(self) -> Optional[str]: ...
    @property
    def corrections(self) -> List[Correction]: ...

@final
class Problem:
    @property
    def file(self) -> str: ...
    @property
    def game(self) -> Optional[int]: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def ply(self) -> Optional[int]: ...
    @property
    def severity(self) -> Literal["error", "warning", "info"]: ...
    @property
    def code(self) -> str: ...
    @property
    def token(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def legal(self) -> List[str]: ...
    @property
    def suggestion(self) -> Optional[str]: ...
    @property
    def correction(self) -> Optional[str]: ...
    @property
    def json(self) -> str: ...
    def row(self) -> Dict[str, Any]: ...

class Verdict:
    @property
    def source(self) -> str: ...
    @property
    def number(self) -> int: ...
    @property
    def line(self) -> int: ...
    @property
    def status(self) -> Literal["valid", "warned", "ambiguous", "invalid"]: ...
    @property
    def rules(self) -> str: ...
    @property
    def notation(self) -> str: ...
    @property
    def locale(self) -> str: ...
    @property
    def plies(self) -> int: ...
    @property
    def result(self) -> _Result: ...
    @property
    def outcome(self) -> Optional[str]: ...
    @property
    def findings(self) -> List[Finding]: ...
    @property
    def moves(self) -> List[Move]: ...
    @property
    def json(self) -> str: ...
    def tokens(self, notation: Optional[str] = None) -> List[str]: ...
    def start(self) -> Position: ...
    def end(self) -> Position: ...
    def positions(self) -> Positions: ...
    def row(self) -> Dict[str, Any]: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...

@final
class Game(Verdict):
    @property
    def tags(self) -> Dict[str, str]: ...
    def to_pgn(self, notation: Optional[str] = None) -> str: ...
    def tree(self) -> GameTree: ...

@final
class GameTree:
    def __init__(self, rules: Optional[str] = None, fen: Optional[str] = None) -> None: ...
    @property
    def rules(self) -> str: ...
    @property
    def root(self) -> GameNode: ...
    @property
    def end(self) -> GameNode: ...
    def main_line(self) -> List[GameNode]: ...
    @property
    def tags(self) -> Dict[str, str]: ...
    def set_tag(self, name: str, value: str) -> None: ...
    def remove_tag(self, name: str) -> None: ...
    @property
    def result(self) -> _Result: ...
    @result.setter
    def result(self, result: _Result) -> None: ...
    def to_pgn(self, notation: Optional[str] = None) -> str: ...
    def movetext(self, notation: Optional[str] = None) -> str: ...
    def copy(self) -> GameTree: ...

@final
class GameNode:
    @property
    def parent(self) -> Optional[GameNode]: ...
    @property
    def next(self) -> Optional[GameNode]: ...
    @property
    def children(self) -> List[GameNode]: ...
    @property
    def path(self) -> List[GameNode]: ...
    @property
    def move(self) -> Optional[Move]: ...
    @property
    def token(self) -> str: ...
    @property
    def ply(self) -> int: ...
    @property
    def is_main(self) -> bool: ...
    @property
    def comment(self) -> str: ...
    @comment.setter
    def comment(self, text: str) -> None: ...
    @property
    def nags(self) -> List[int]: ...
    @nags.setter
    def nags(self, nags: Sequence[int]) -> None: ...
    def position(self) -> Position: ...
    def notation(self, notation: Optional[str] = None) -> str: ...
    def add(self, move: Union[Move, str]) -> GameNode: ...
    def add_line(self, moves: str) -> GameNode: ...
    def promote(self) -> None: ...
    def promote_to_main(self) -> None: ...
    def remove(self) -> None: ...
    def __hash__(self) -> int: ...

@final
class Positions(Iterator[Position]):
    def __iter__(self) -> Positions: ...
    def __next__(self) -> Position: ...

@final
class Games(Iterator[Game]):
    def __iter__(self) -> Games: ...
    def __next__(self) -> Game: ...
    def damage(self) -> List[Finding]: ...

@final
class Difference:
    @property
    def ply(self) -> Optional[int]: ...
    @property
    def move_number(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def is_undecided(self) -> bool: ...
    @property
    def text(self) -> str: ...
    @property
    def written(self) -> List[str]: ...
    @property
    def read_as(self) -> List[str]: ...
    @property
    def readings(self) -> List[str]: ...
    @property
    def message(self) -> str: ...
    @property
    def json(self) -> str: ...
    def row(self) -> DifferenceRow: ...

@final
class Reconciled:
    @property
    def game(self) -> Game: ...
    @property
    def is_decided(self) -> bool: ...
    @property
    def result(self) -> Optional[str]: ...
    @property
    def differences(self) -> List[Difference]: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...

def reconcile(a: Game, b: Game, c: Optional[Game] = None, *, rules: Optional[str] = None) -> Reconciled: ...
def explain(token: str, *, notation: Optional[str] = None, locale: Optional[str] = None) -> List[str]: ...
def read_games(
    source: Union[_Path, IO[str], IO[bytes], None] = None,
    *,
    text: Optional[_Text] = None,
    rules: Optional[str] = None,
    notation: Optional[str] = None,
    locale: Optional[str] = None,
    strict: bool = False,
    encoding: Optional[str] = None,
    dates: Optional[str] = None,
    repair: bool = False,
) -> Games: ...

@final
class Verdicts(Iterator[Verdict]):
    def __iter__(self) -> Verdicts: ...
    def __next__(self) -> Verdict: ...
    @property
    def counts(self) -> Counts: ...

@final
class Problems(Iterator[Problem]):
    def __iter__(self) -> Problems: ...
    def __next__(self) -> Problem: ...
    @property
    def counts(self) -> Counts: ...

@final
class Validation:
    def __iter__(self) -> Verdicts: ...
    def problems(self) -> Problems: ...
    def counts(self) -> Counts: ...

def validate(
    paths: Optional[_Paths] = None,
    *,
    text: Optional[_Text] = None,
    rules: Optional[str] = None,
    notation: Optional[str] = None,
    locale: Optional[str] = None,
    strict: bool = False,
    encoding: Optional[str] = None,
    dates: Optional[str] = None,
    threads: Optional[int] = None,
) -> Validation: ...

class StatsRow(TypedDict):
    kind: str
    rules: str
    key: str
    count: float

def stats(
    paths: Optional[_Paths] = None,
    *,
    text: Optional[_Text] = None,
    top: Optional[int] = None,
    rules: Optional[str] = None,
    notation: Optional[str] = None,
    locale: Optional[str] = None,
    strict: bool = False,
    encoding: Optional[str] = None,
    dates: Optional[str] = None,
    threads: Optional[int] = None,
) -> List[StatsRow]: ...

class GroupRow(TypedDict):
    kind: str
    rules: str
    key: str
    count: int
    won: int
    drawn: int
    lost: int
    points: float
    score: Optional[float]
    as_white: Optional[int]
    plies: float
    first: Optional[str]
    last: Optional[str]
    opponent: Optional[str]
    without_result: int
    average_plies: float

def stats_by(
    by: str,
    paths: Optional[_Paths] = None,
    *,
    text: Optional[_Text] = None,
    per_system: bool = False,
    top: Optional[int] = None,
    rules: Optional[str] = None,
    notation: Optional[str] = None,
    locale: Optional[str] = None,
    strict: bool = False,
    encoding: Optional[str] = None,
    dates: Optional[str] = None,
    threads: Optional[int] = None,
) -> List[GroupRow]: ...

class CrossResult(TypedDict):
    opponent: Optional[str]
    row: Optional[int]
    color: str
    points: Optional[float]
    has_moves: bool
    round: str

class Standing(TypedDict):
    event: str
    rules: str
    rank: int
    player: str
    rating: Optional[int]
    games: int
    won: int
    drawn: int
    lost: int
    points: float
    sonneborn_berger: float
    buchholz: float
    without_result: int
    without_moves: int
    byes: int
    copies: int
    results: List[CrossResult]

def crosstable(
    paths: Optional[_Paths] = None,
    *,
    text: Optional[_Text] = None,
    per_system: bool = False,
    rules: Optional[str] = None,
    notation: Optional[str] = None,
    locale: Optional[str] = None,
    strict: bool = False,
    encoding: Optional[str] = None,
    dates: Optional[str] = None,
    threads: Optional[int] = None,
) -> List[Standing]: ...

class RecordPlace(TypedDict):
    source: str
    game: int
    line: int
    plies: int
    annotations: int
    white: str
    black: str
    result: str
    rules: str

class DuplicateGroup(TypedDict):
    kind: str
    keep: RecordPlace
    drop: List[RecordPlace]
    plies: int
    differs: List[str]
    conflicting: List[RecordPlace]

def dedupe(
    paths: Optional[_Paths] = None,
    *,
    text: Optional[_Text] = None,
    keep: str = "first",
    prefix: bool = False,
    ignore_result: bool = False,
    near: Optional[int] = None,
    min_plies: int = 1,
    rules: Optional[str] = None,
    notation: Optional[str] = None,
    locale: Optional[str] = None,
    strict: bool = False,
    encoding: Optional[str] = None,
    dates: Optional[str] = None,
    threads: Optional[int] = None,
) -> List[DuplicateGroup]: ...

@final
class Conversion:
    @property
    def text(self) -> Optional[str]: ...
    @property
    def counts(self) -> Counts: ...
    @property
    def problems(self) -> List[Problem]: ...
    @property
    def is_stopped(self) -> bool: ...

def convert(
    paths: Optional[_Paths] = None,
    *,
    text: Optional[_Text] = None,
    to: Optional[str] = None,
    output: Optional[_Path] = None,
    rules: Optional[str] = None,
    notation: Optional[str] = None,
    locale: Optional[str] = None,
    strict: bool = False,
    encoding: Optional[str] = None,
    dates: Optional[str] = None,
    threads: Optional[int] = None,
    to_locale: Optional[str] = None,
    short_pawn_captures: bool = False,
    marks: Optional[bool] = None,
    figurines: bool = False,
    traces: bool = True,
    repair: bool = False,
    invalid: Literal["keep", "drop", "stop"] = "keep",
) -> Conversion: ...

@final
class Index:
    def __init__(self, *folders: _Path) -> None: ...
    @property
    def positions(self) -> int: ...
    @property
    def damage(self) -> List[Tuple[Path, str]]: ...
    def __len__(self) -> int: ...
    def search(
        self,
        query: str = "",
        *,
        limit: Optional[int] = None,
        offset: int = 0,
        sort: Optional[_Sort] = None,
        reverse: bool = False,
        sample: Optional[int] = None,
        seed: int = 0,
        **fields: _Field,
    ) -> List[Hit]: ...
    def openings(
        self,
        moves: Optional[str] = None,
        *,
        fen: Optional[str] = None,
        rules: Optional[str] = None,
        notation: Optional[str] = None,
        min_games: int = 1,
        query: str = "",
        **fields: _Field,
    ) -> List[Opening]: ...
    def opening_tree(
        self,
        depth: int,
        moves: Optional[str] = None,
        *,
        fen: Optional[str] = None,
        rules: Optional[str] = None,
        notation: Optional[str] = None,
        min_games: int = 1,
        limit: int = 5,
        sort: str = "games",
        query: str = "",
        **fields: _Field,
    ) -> List[TreeMove]: ...
    def novelties(
        self,
        paths: Optional[_Paths] = None,
        *,
        text: Optional[_Text] = None,
        earlier: bool = False,
        rules: Optional[str] = None,
        notation: Optional[str] = None,
        locale: Optional[str] = None,
        strict: bool = False,
        encoding: Optional[str] = None,
        dates: Optional[str] = None,
        threads: Optional[int] = None,
    ) -> List[Novelty]: ...
    def player_report(self, name: str, *, top: int = 10, query: str = "") -> Report: ...
    def opening_report(
        self,
        moves: Optional[str] = None,
        *,
        fen: Optional[str] = None,
        rules: Optional[str] = None,
        notation: Optional[str] = None,
        top: int = 10,
        query: str = "",
    ) -> Report: ...
    def game(self, name: str, notation: Optional[str] = None) -> str: ...

def index(
    paths: _Paths,
    folder: _Path,
    *,
    rules: Optional[str] = None,
    notation: Optional[str] = None,
    locale: Optional[str] = None,
    strict: bool = False,
    encoding: Optional[str] = None,
    dates: Optional[str] = None,
    threads: Optional[int] = None,
    variations: bool = False,
) -> Indexed: ...
