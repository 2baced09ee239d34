"""Positions, moves, games and errors."""

import gc
import gzip
import io
import json
import os
import signal
import tempfile
import threading
import unittest
from pathlib import Path

import tridex

ROOT = Path(__file__).resolve().parent.parent.parent.parent
SAMPLE = ROOT / "corpus/games/meder/sample-game"


class Positions(unittest.TestCase):
    def test_every_legal_move_of_every_system_can_be_written_read_and_taken_back(self):
        for rules in tridex.RULES:
            position = tridex.Position(rules)
            for _ in range(12):
                before, fen = position.copy(), position.fen()
                moves = position.legal_moves
                self.assertEqual(len(moves), len(set(moves)))
                self.assertEqual(len(moves), position.perft(1))
                for move in moves:
                    self.assertIn(move, moves)
                    self.assertEqual(position.parse(position.notation(move)), move)
                    position.push(move)
                    self.assertNotEqual(position, before)
                    self.assertEqual(position.pop(), move)
                    self.assertEqual(position, before)
                self.assertEqual(tridex.Position(rules, fen).fen(), fen)
                self.assertEqual(tridex.Position(rules, fen).key, position.key)
                position.push(moves[len(moves) // 2])
            self.assertEqual(len(position.move_stack), 12)

    def test_notations_of_one_board(self):
        position = tridex.Position("meder")
        position.play("1. b4N b5B 2. c3W a6N")
        move = position.parse("Nc2W")
        self.assertEqual(position.notation(move, "manual"), "b2,WB-d3,WB")
        self.assertEqual(position.parse("b2,WB-d3,WB"), move)
        self.assertEqual((move.kind, move.from_square, move.to_square, move.promotion), ("piece", "a1W", "c2W", None))
        with self.assertRaisesRegex(ValueError, "chess3"):
            position.notation(move, "chess3")

    def test_kinds_of_moves(self):
        position = tridex.Position("meder")
        moves = [move for _ in range(40) for move in [position.legal_moves[0]] if position.push(move)]
        kinds = {move.kind for _ in [0] for move in moves}
        [game] = tridex.read_games(SAMPLE / "clean.pgn")
        kinds |= {move.kind for move in game.moves}
        self.assertLessEqual({"piece", "castle"}, kinds)
        castle = next(move for move in game.moves if move.kind == "castle")
        self.assertEqual((castle.from_square, castle.to_square), ("d9KL6", "e9KL6"))

    def test_a_position_that_is_not_changed_by_an_error(self):
        position = tridex.Position()
        fen = position.fen()
        with self.assertRaises(tridex.MoveError) as caught:
            position.play("1. b4N b5B 2. Nz9 c3W")
        self.assertEqual((caught.exception.token, caught.exception.ply), ("Nz9", 2))
        self.assertEqual((position.fen(), position.move_stack), (fen, []))
        other = tridex.Position("chess3").legal_moves[0]
        self.assertNotIn(other, position.legal_moves)
        self.assertFalse(position.is_legal(other))
        with self.assertRaises(tridex.MoveError):
            position.push(other)
        with self.assertRaises(IndexError):
            position.pop()
        with self.assertRaises(TypeError):
            position.push(7)

    def test_errors_of_positions_and_names(self):
        with self.assertRaises(tridex.PositionError) as caught:
            tridex.Position("meder", "4/4/4/4|x")
        self.assertEqual(caught.exception.offset, 8)
        with self.assertRaises(tridex.PositionError) as caught:
            tridex.Position("chess3", tridex.Position("meder").fen())
        self.assertIsNone(caught.exception.offset)
        for call, near in (
            (lambda: tridex.Position("mede"), "meder"),
            (lambda: tridex.validate(text="", notation="manul"), "manual"),
            (lambda: tridex.read_games(text="", encoding="utf8-"), "utf-8"),
            (lambda: tridex.convert(text="1. b4N", invalid="kep"), "keep"),
            (lambda: tridex.dedupe(text="1. b4N", keep="longets"), "longest"),
            (lambda: tridex.Position().svg(theme="drak"), "dark"),
        ):
            with self.assertRaisesRegex(ValueError, f"did you mean {near}"):
                call()

    def test_the_board_of_a_position_string_chooses_the_rules(self):
        for rules, chosen in (("meder", "meder"), ("manual", "manual"), ("millennium", "millennium"), ("chess3", "millennium")):
            fen = tridex.Position(rules).fen()
            self.assertEqual((tridex.Position(fen=fen).rules, tridex.Position(rules, fen).rules), (chosen, rules))
        self.assertEqual(tridex.Position().rules, "meder")

    def test_pictures(self):
        position = tridex.Position()
        self.assertTrue(repr(position).startswith("meder, move 1: White to move\n"))
        self.assertTrue(position._repr_svg_().startswith("<svg"))
        self.assertNotEqual(position.svg(view="stand"), position.svg())
        self.assertTrue(position.png(width=200).startswith(b"\x89PNG"))
        drawn = position.svg(moves_of="b1W")
        self.assertNotEqual(drawn, position.svg())
        position.push("b4N")
        self.assertNotEqual(position.svg(), position.svg(last_move=False))

    def test_pieces(self):
        position = tridex.Position()
        pieces = position.pieces
        self.assertEqual(len(pieces), 32)
        for square, letter in pieces.items():
            self.assertEqual(position.piece_at(square), letter)
        self.assertIsNone(position.piece_at("c5N"))
        with self.assertRaises(ValueError):
            position.piece_at("q9")

    def test_the_end_of_a_game(self):
        [game] = tridex.read_games(next(ROOT.glob("corpus/games/millennium/davis-dagostino/*.pgn")))
        position = game.end()
        self.assertTrue(position.is_checkmate() and position.is_check() and position.is_game_over())
        self.assertEqual((position.outcome(), game.outcome, game.result), ("0-1 checkmate", "0-1 checkmate", "0-1"))
        self.assertEqual(len(position.legal_moves), 0)


class Games(unittest.TestCase):
    def test_one_game_from_everywhere(self):
        path = SAMPLE / "as-printed.txt"
        data = path.read_bytes()
        with tempfile.TemporaryDirectory() as folder:
            packed = Path(folder) / "game.txt.gz"
            packed.write_bytes(gzip.compress(data))
            read = [
                tridex.read_games(path),
                tridex.read_games(str(path)),
                tridex.read_games(packed),
                tridex.read_games(text=data),
                tridex.read_games(text=data.decode()),
                tridex.read_games(io.BytesIO(data)),
                tridex.read_games(io.StringIO(data.decode())),
            ]
            games = [list(games) for games in read]
        for [game] in games:
            self.assertEqual((game.status, game.plies, len(game.findings)), ("ambiguous", 33, 2))
            places = [(found.line, found.column, found.code) for found in game.findings]
            self.assertEqual(places, [(4, 8, "dialect"), (11, 10, "ambiguous")])
            self.assertEqual(game.findings[1].alternatives, ["a6N-a5B", "a6B-a5B"])
            self.assertEqual(len(game), len(game.moves))

    def test_a_game_is_played_through(self):
        [game] = tridex.read_games(SAMPLE / "clean.pgn")
        positions = list(game.positions())
        self.assertEqual(len(positions), 34)
        self.assertEqual((positions[0], positions[-1]), (game.start(), game.end()))
        position = game.start()
        for move, token, after in zip(game.moves, game.tokens("manual"), positions[1:]):
            self.assertEqual(position.parse(token), move)
            position.push(move)
            self.assertEqual(position, after)
        [again] = tridex.read_games(text=game.to_pgn("manual"))
        self.assertEqual((again.moves, again.status, again.tags["Notation"]), (game.moves, "valid", "manual"))

    def test_a_slip_is_explained_and_repaired(self):
        [clean] = tridex.read_games(SAMPLE / "clean.pgn")
        text = str(clean).replace("Nc2W", "Nc2N", 1)
        self.assertNotEqual(text, str(clean))
        [broken] = tridex.read_games(text=text)
        self.assertEqual(broken.status, "invalid")
        error = next(found for found in broken.findings if found.severity == "error")
        self.assertTrue(error.corrections)
        for correction in error.corrections:
            self.assertGreater(correction.cost, 0)
            self.assertTrue(correction.changes[0].line >= error.line or correction.changes)
        [repaired] = tridex.read_games(text=text, repair=True)
        codes = {found.code for found in repaired.findings}
        self.assertEqual(repaired.status == "invalid", "repaired" not in codes)

    def test_records_of_one_game_are_reconciled(self):
        sheets = [
            ("1. b4N b5B 2. c3W a6N 3. Nc2W Nc6N 4. a4W 1-0", {}),
            ("[Result \"0-1\"]\n\n1. b4N b5B 2. c3W a6 3. Sc2W Sc6N 0-1", {"locale": "de"}),
        ]
        a, b = [next(tridex.read_games(text=text, **how)) for text, how in sheets]
        found = tridex.reconcile(a, b)
        moves = ["b4N", "b5B", "c3W", "a6N", "Nc2W", "Nc6N", "a4W"]
        self.assertEqual((found.game.tokens("meder"), len(found)), (moves, 7))
        kinds = [(one.ply, one.kind, one.is_undecided) for one in found.differences]
        self.assertEqual(kinds, [(None, "result", True), (7, "end", False), (7, "ambiguous", True)])
        result, _, last = found.differences
        self.assertEqual((result.written, result.text), (["1-0", "0-1"], "*"))
        self.assertEqual((last.move_number, last.text, last.readings[0], last.written), ("4.", "a4W", "a4W", ["a4W", ""]))
        self.assertEqual(last.row(), json.loads(last.json))
        self.assertEqual((found.is_decided, found.result), (False, None))
        self.assertEqual(found.game.status, "ambiguous")
        self.assertIn("B has ended", last.message)
        [again] = tridex.read_games(text=str(found.game))
        self.assertEqual(again.moves, found.game.moves)
        # The order makes no difference, a third record may help, and records of two games are refused.
        self.assertEqual(tridex.reconcile(b, a).game.moves, found.game.moves)
        [c] = tridex.read_games(text="1. b4N b5B 2. c3W a6N 3. Nc2W Nc6N 4. a4W 1-0")
        self.assertEqual([one.kind for one in tridex.reconcile(a, b, c).differences], ["result", "end"])
        [other] = tridex.read_games(text="1. c3N c6B 2. 0-0 d5N 3. a3N 0-0 4. a3W Nc6N 5. b4N b5N")
        with self.assertRaisesRegex(tridex.Error, "records of different games"):
            tridex.reconcile(a, other)
        with self.assertRaisesRegex(ValueError, "meder"):
            tridex.reconcile(a, b, rules="medr")
        with self.assertRaises(TypeError):
            tridex.reconcile(a, "1. b4N")

    def test_errors_of_files(self):
        with self.assertRaises(tridex.FileError) as caught:
            tridex.read_games("/nowhere/at-all.pgn")
        self.assertEqual((caught.exception.file, caught.exception.code), ("/nowhere/at-all.pgn", "cannot-open"))
        with self.assertRaises(TypeError):
            tridex.read_games()

        with tempfile.TemporaryDirectory() as folder:
            for call in (
                lambda: list(tridex.validate(folder)),
                lambda: tridex.validate(folder).counts(),
                lambda: tridex.stats(folder),
                lambda: tridex.dedupe(folder),
            ):
                with self.assertRaisesRegex(tridex.FileError, "no files of games"):
                    call()
            good = Path(folder) / "good.pgn"
            good.write_text("1. b4N b5B *\n")
            run = tridex.validate([good, Path(folder) / "missing.pgn"])
            with self.assertRaises(tridex.FileError) as caught:
                run.counts()
            self.assertEqual(caught.exception.counts["games"], 1)
            [problem] = caught.exception.problems
            self.assertEqual((problem.code, problem.game), ("cannot-open", None))
            self.assertIn("cannot-open", [problem.code for problem in run.problems()])

    def test_an_extension_of_another_format(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("out.json", "out.xlsx", "out.csv.gz", "out.ndjson"):
                with self.assertRaisesRegex(ValueError, "expected a name that ends in .pgn or .txt"):
                    tridex.convert(text="1. b4N b5B *", output=Path(folder) / name)
            self.assertEqual(os.listdir(folder), [])
            for name in ("out.pgn", "out.TXT.gz", "out"):
                tridex.convert(text="1. b4N b5B *", output=Path(folder) / name)
            self.assertEqual(len(os.listdir(folder)), 3)

    @unittest.skipIf(os.name == "nt", "names of files are text there")
    def test_names_of_files_that_are_no_text(self):
        with tempfile.TemporaryDirectory() as folder:
            names = [b"M\xfcller.pgn", b"M\xf6ller.pgn", rb"M\xfcller.pgn"]
            games = Path(folder) / "games"
            games.mkdir()
            for name in names:
                (games / os.fsdecode(name)).write_text("1. b4N b5B *\n")
            db = Path(folder) / "db"
            self.assertEqual(tridex.index(games, db)["added"], 3)
            shown = {f"{games}/{name}" for name in (r"M\xfcller.pgn", r"M\xf6ller.pgn", r"M\x5cxfcller.pgn")}
            self.assertEqual({hit["source"] for hit in tridex.Index(db).search()}, shown)
            path = games / os.fsdecode(names[0])
            path.write_text("1. b4N b9N *\n")
            [problem] = [found for found in tridex.validate(path).problems() if found.severity == "error"]
            self.assertIn(problem.file, shown)

    def test_an_index_of_nothing_is_not_made(self):
        with tempfile.TemporaryDirectory() as folder:
            db = Path(folder) / "new" / "db"
            done = tridex.index(Path(folder) / "missing.pgn", db)
            self.assertEqual((done["games"], len(done["problems"])), (0, 1))
            self.assertEqual(os.listdir(folder), [])

    def test_what_a_file_object_raises_is_not_changed(self):
        class Broken:
            def __init__(self, error, before):
                self.error, self.parts = error, [before, None]

            def read(self, size):
                part = self.parts.pop(0)
                if part is None:
                    raise self.error
                return part

        class Own(Exception):
            pass

        games = "1. b4N b5B *\n\n" * 10
        for kind in (OSError, Own, ValueError, UnicodeDecodeError, MemoryError, KeyboardInterrupt, SystemExit, GeneratorExit):
            error = kind("utf-8", b"\xff", 0, 1, "no text") if kind is UnicodeDecodeError else kind("gone")
            for before in (None, games, games.encode()):
                read, broken = [], Broken(error, before)
                with self.assertRaises(kind) as caught:
                    for game in tridex.read_games(broken):
                        read.append(game)
                self.assertIs(caught.exception, error)
                self.assertIsNone(error.__cause__)
                # What was read before an error is not lost. An interrupt does not wait for it.
                if before and issubclass(kind, Exception):
                    self.assertGreaterEqual(len(read), 9, kind)
        for wrong in (7, ["1. b4N"], object()):
            with self.assertRaises(TypeError):
                list(tridex.read_games(Broken(OSError(), wrong)))

    def test_an_iteration_that_is_given_up(self):
        text = "1. b4N b5B *\n\n" * 20_000
        threads = threading.active_count()
        for _ in range(5):
            run = iter(tridex.validate(text=text, threads=2))
            self.assertEqual(next(run).number, 1)
            del run
        gc.collect()
        self.assertEqual(threading.active_count(), threads)
        self.assertEqual(tridex.validate(text=text).counts()["games"], 20_000)

    def test_memory_stays_that_of_some_games(self):
        def resident():
            with open("/proc/self/statm") as statm:
                return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        if not os.path.exists("/proc/self/statm"):
            self.skipTest("no /proc here")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "games.pgn"
            game = (SAMPLE / "clean.pgn").read_text().strip() + "\n\n"
            path.write_text(game * 40_000)
            for read in (tridex.read_games, tridex.validate):
                sizes = []
                for number, _ in enumerate(read(path)):
                    if number in (10_000, 39_999):
                        sizes.append(resident())
                self.assertLess(sizes[1] - sizes[0], 32 << 20, read)

    @unittest.skipUnless(hasattr(signal, "setitimer"), "no timers here")
    def test_an_interrupt_ends_a_run(self):
        class Endless:
            def read(self, size):
                return "1. b4N b5B *\n\n" * 1000

        def ring(number, frame):
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGALRM, ring)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with self.assertRaises(KeyboardInterrupt):
                for _ in tridex.read_games(Endless()):
                    pass
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def test_other_threads_run_meanwhile(self):
        text = "1. b4N b5B *\n\n" * 50_000
        ticks, done = [], threading.Event()

        def tick():
            while not done.wait(0.001):
                ticks.append(1)

        thread = threading.Thread(target=tick)
        thread.start()
        tridex.validate(text=text, threads=1).counts()
        done.set()
        thread.join()
        self.assertTrue(ticks)


class Trees(unittest.TestCase):
    TEXT = '[White "Kirk"]\n\n1. b4N b5B 2. c3W (2. Nb3W {develops} d6N) 2... a6N $1 *'

    def test_a_game_is_read_changed_and_written(self):
        [game] = tridex.read_games(text=self.TEXT)
        tree = game.tree()
        first = tree.main_line()[0]
        self.assertEqual([str(node.move) for node in tree.main_line()], [str(move) for move in game.moves])
        self.assertEqual(tree.end.position().fen(), game.end().fen())
        [main, variation] = first.children[0].children
        self.assertEqual((main.is_main, variation.is_main, variation.comment), (True, False, "develops"))
        self.assertEqual((tree.end.nags, variation.token, variation.ply), ([1], "Nb3W", 3))
        self.assertEqual(variation.parent, first.next)
        self.assertEqual([node.notation() for node in variation.path], ["b4N", "b5B", "Nb3W"])
        reply = first.add("b6B")
        self.assertEqual(first.add(reply.move), reply)
        reply.comment, reply.nags = "quieter", [3]
        reply.promote()
        tree.set_tag("Annotator", "Spock")
        tree.result = "1-0"
        self.assertEqual(
            tree.movetext(),
            "1. b4N b6B $3 {quieter} (1... b5B 2. c3W (2. Nb3W {develops} 2... d6N) 2... a6N $1)",
        )
        [again] = tridex.read_games(text=tree.to_pgn("manual"))
        self.assertEqual((again.status, again.result, again.tags["Annotator"]), ("valid", "1-0", "Spock"))
        self.assertEqual(again.tree().movetext(), tree.movetext())
        # The game that it was made of is as it was.
        self.assertEqual(game.tree().movetext(), tridex.read_games(text=self.TEXT).__next__().tree().movetext())

    def test_nodes_that_are_removed(self):
        tree = tridex.GameTree("chess3")
        last = tree.root.add_line("1B2-1B3 3B7-3B6")
        copy = tree.copy()
        tree.main_line()[0].remove()
        self.assertEqual((tree.main_line(), len(copy.main_line())), ([], 2))
        self.assertEqual(repr(last), "<GameNode: removed>")
        for use in (lambda: last.comment, lambda: last.add("1C2-1C3"), last.promote, last.position):
            with self.assertRaises(ValueError):
                use()
        with self.assertRaises(tridex.MoveError):
            tree.root.add("3B7-3B6")
        with self.assertRaises(KeyError):
            tree.remove_tag("White")
        with self.assertRaisesRegex(ValueError, "unknown result"):
            tree.result = "2-0"

    def test_a_tree_from_a_position(self):
        position = tridex.Position("meder")
        position.play("b4N b5B")
        tree = tridex.GameTree("meder", position.fen())
        tree.root.add("c3W")
        self.assertIn("[FEN \"", tree.to_pgn())
        self.assertIn("\n2. c3W *\n", tree.to_pgn())


class Searches(unittest.TestCase):
    def test_errors_of_queries(self):
        with tempfile.TemporaryDirectory() as folder:
            tridex.index(SAMPLE, folder)
            index = tridex.Index(folder)
            with self.assertRaises(tridex.QueryError) as caught:
                index.search("player:")
            self.assertEqual((caught.exception.text, caught.exception.offset), ("player:", 7))
            with self.assertRaisesRegex(ValueError, "did you mean date"):
                index.search(sort="dat")
            with self.assertRaises(tridex.QueryError):
                index.game("no-such-game")
        with self.assertRaises(tridex.DatabaseError):
            tridex.Index("/nowhere/at-all")

    def test_no_answer_lacks_the_games_of_a_damaged_file(self):
        for kind in ("fast", "moves", "store", "term", "keys"):
            with tempfile.TemporaryDirectory() as folder:
                tridex.index(SAMPLE, folder)
                whole = tridex.Index(folder)
                self.assertEqual((whole.damage, len(whole.search()), len(whole)), ([], len(whole), len(whole)))
                [path] = Path(folder).glob(f"*.{kind}")
                data = bytearray(path.read_bytes())
                # In the first block of the file; and in its footer.
                for at in (10, len(data) - 5):
                    data[at] ^= 1
                    path.write_bytes(data)
                    index = tridex.Index(folder)
                    answers = [
                        lambda: len(index.search("player:anna or rules:meder", moves="b4N b5B")),
                        lambda: index.openings()[0]["games"],
                        lambda: len(index),
                        lambda: index.positions,
                    ]
                    games = len(whole)
                    for answer, right in zip(answers, (games, games, games, whole.positions)):
                        try:
                            self.assertEqual(answer(), right, kind)
                        except tridex.DatabaseError:
                            self.assertTrue(index.damage)
                    data[at] ^= 1
                path.write_bytes(data)
        with tempfile.TemporaryDirectory() as folder:
            tridex.index(SAMPLE, folder)
            [path] = Path(folder).glob("*.fast")
            data = bytearray(path.read_bytes())
            data[100] ^= 1
            path.write_bytes(data)
            index = tridex.Index(folder)
            for answer in (index.search, index.openings, lambda: index.game("clean.pgn:1")):
                with self.assertRaisesRegex(tridex.DatabaseError, "damaged"):
                    answer()
            self.assertTrue(all(isinstance(part, (str, Path)) for row in index.damage for part in row))
            with self.assertRaises(tridex.DatabaseError):
                len(index)

    def test_games_are_not_added_twice(self):
        with tempfile.TemporaryDirectory() as folder:
            first = tridex.index(SAMPLE, folder)
            again = tridex.index(SAMPLE, folder)
            self.assertEqual((again["added"], again["games"]), (0, first["games"]))
            self.assertGreater(first["added"], 0)

    def test_files_that_have_not_changed_are_not_read_again(self):
        with tempfile.TemporaryDirectory() as folder:
            games, db = Path(folder) / "games", Path(folder) / "db"
            games.mkdir()
            (games / "a.pgn").write_text("1. b4N b5B *\n")
            (games / "b.pgn").write_text("1. b4N b9N *\n\n[White \"Uhura\"]\n\n1. c3W *\n")
            counts = lambda done: tuple(done[name] for name in ("added", "updated", "unchanged", "rejected", "removed"))
            self.assertEqual(counts(tridex.index(games, db)), (2, 0, 0, 1, 0))
            # A file with problems is read again, to report them again.
            self.assertEqual(counts(tridex.index(games, db)), (0, 0, 2, 1, 0))
            # Other options may find other games. A file has its name in the index from the first time.
            self.assertEqual(counts(tridex.index(games, db, rules="meder")), (0, 0, 2, 1, 0))
            before = os.getcwd()
            try:
                os.chdir(games)
                self.assertEqual(counts(tridex.index("a.pgn", db)), (0, 0, 1, 0, 0))
            finally:
                os.chdir(before)
            (games / "a.pgn").write_text("1. b4N b6B *\n")
            self.assertEqual(counts(tridex.index(games / "a.pgn", db)), (0, 1, 0, 0, 0))
            (games / "a.pgn").write_text("[Event \"b\"]\n\n1. b4N b6B *\n")
            self.assertEqual(counts(tridex.index(games / "a.pgn", db)), (0, 1, 0, 0, 0))
            self.assertEqual(len(tridex.Index(db)), 2)


if __name__ == "__main__":
    unittest.main()
