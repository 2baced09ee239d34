"""The command and the module say the same of the corpus and of 1,000 generated games."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import tridex

ROOT = Path(__file__).resolve().parent.parent.parent.parent
PROGRAM = os.environ.get("TRIDEX") or shutil.which("tridex") or str(ROOT / "target/debug/tridex")


def command(*args, text=None):
    """What the command prints, whatever it finds wrong."""
    done = subprocess.run([PROGRAM, *map(str, args)], input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done.stdout, done.stderr


class Alike(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.paths = [ROOT / "corpus"]
        for seed, rules in enumerate(tridex.RULES):
            path = cls.folder / f"{rules}.pgn"
            command("generate", "--rules", rules, "--games", 200, "--seed", seed, "--annotated", "--output", path)
            cls.paths.append(path)

    def generated(self):
        return self.paths[1:]

    def test_rows_of_games(self):
        for options in ({}, {"rules": "any"}, {"strict": True}, {"locale": "de"}):
            args = [arg for name, value in options.items() for arg in ([f"--{name}"] if value is True else [f"--{name}", value])]
            out, _ = command("validate", *self.paths, "--format", "ndjson", *args)
            rows = []
            try:
                for game in tridex.validate(self.paths, **options):
                    rows.append(game.json)
            except tridex.FileError as error:
                self.assertEqual(error.counts["games"], len(rows))
            expected = out.decode().splitlines()
            self.assertGreater(len(expected), 1000)
            self.assertEqual(rows, expected)

    def test_rows_of_problems(self):
        for threads in (1, 2):
            run = tridex.validate(self.paths, threads=threads).problems()
            rows = [problem.json for problem in run]
            out, _ = command("validate", *self.paths, "--problems", "--format", "ndjson", "--threads", threads)
            self.assertGreater(len(rows), 100)
            self.assertEqual(rows, out.decode().splitlines())

    def test_counts(self):
        out, err = command("validate", *self.paths, "--format", "ndjson", "--errors-only", "--summary", "ndjson")
        expected = json.loads(err.decode().splitlines()[-1])
        run = tridex.validate(self.paths)
        try:
            counts = run.counts()
        except tridex.FileError as error:
            counts = error.counts
        self.assertEqual(counts, expected)
        self.assertGreater(counts["games"], 1000)

    def test_games_one_after_another(self):
        compared = 0
        for path in [*ROOT.glob("corpus/games/**/*.pgn"), *ROOT.glob("corpus/games/**/*.csv"), *self.generated()]:
            out, _ = command("validate", path, "--format", "ndjson")
            expected = out.decode().splitlines()
            rows = []
            try:
                rows = [game.json for game in tridex.read_games(path)]
            except tridex.FileError:
                self.assertEqual(expected, [], path)
            self.assertEqual(rows, expected, path)
            compared += len(rows)
        self.assertGreater(compared, 1000)

    def test_conversion(self):
        cube, stair = {"millennium", "chess3"}, {"meder", "manual", "federation"}
        for to, args, options in (
            ("own", [], {}),
            ("meder", [], {}),
            ("manual", ["--repair"], {"repair": True}),
            ("manual", ["--no-trace", "--marks"], {"traces": False, "marks": True}),
            ("meder", ["--locale", "de", "--pawn-captures", "short", "--no-marks"],
             {"to_locale": "de", "short_pawn_captures": True, "marks": False}),
            ("own", ["--figurines", "--invalid", "drop"], {"figurines": True, "invalid": "drop"}),
            ("millennium", [], {}),
        ):
            out, _ = command("convert", *self.paths, "--to", to, *args)
            done = tridex.convert(self.paths, to=to, **options)
            self.assertGreater(len(out), 10_000)
            self.assertEqual(done.text, out.decode(), (to, args))
            rejected = [problem for problem in done.problems if problem.code == "rejected"]
            self.assertTrue(rejected or to == "own" and not args, (to, args))
        self.assertEqual(cube | stair, set(tridex.RULES))

    def test_conversion_to_a_file(self):
        path = self.folder / "converted.pgn"
        done = tridex.convert(self.generated(), output=path)
        out, _ = command("convert", *self.generated(), "--to", "own")
        self.assertIsNone(done.text)
        self.assertEqual(path.read_bytes(), out)
        path.unlink()
        stopped = tridex.convert(ROOT / "corpus", to="manual", output=path, invalid="stop")
        self.assertTrue(stopped.is_stopped)
        self.assertFalse(path.exists())

    def test_statistics(self):
        for args, options in (([], {}), (["--rules", "meder", "--top", "3"], {"rules": "meder", "top": 3})):
            out, _ = command("stats", *self.paths, "--format", "ndjson", *args)
            expected = [json.loads(line) for line in out.decode().splitlines()]
            self.assertGreater(len(expected), 50)
            self.assertEqual(tridex.stats(self.paths, **options), expected)

    def test_groups_and_cross_tables(self):
        groupings = ("player", "opening", "system", "year", "month", "event", "site", "pair")
        for by in groupings:
            for args, options in (([], {}), (["--per-system", "--top", "3"], {"per_system": True, "top": 3})):
                out, _ = command("stats", *self.paths, "--by", by, "--format", "ndjson", *args)
                expected = [json.loads(line) for line in out.decode().splitlines()]
                self.assertGreater(len(expected), 1)
                self.assertEqual(tridex.stats_by(by, self.paths, **options), expected, by)
        for args, options in (([], {}), (["--per-system"], {"per_system": True})):
            out, _ = command("stats", *self.paths, "--crosstable", "--format", "ndjson", *args)
            expected = [json.loads(line) for line in out.decode().splitlines()]
            self.assertGreater(len(expected), 10)
            self.assertEqual(tridex.crosstable(self.paths, **options), expected)
        with self.assertRaises(ValueError):
            tridex.stats_by("colour", self.paths)

    def test_duplicates(self):
        for args, options in (
            ([], {}),
            (["--prefix", "--keep", "longest"], {"prefix": True, "keep": "longest"}),
            (["--near", "2", "--min-plies", "10", "--ignore-result"], {"near": 2, "min_plies": 10, "ignore_result": True}),
        ):
            out, _ = command("dedupe", *self.paths, "--format", "ndjson", *args)
            expected = [json.loads(line) for line in out.decode().splitlines()]
            self.assertGreater(len(expected), 3)
            self.assertEqual(tridex.dedupe(self.paths, **options), expected)

    def test_index(self):
        ours, theirs = self.folder / "ours.index", self.folder / "theirs.index"
        done = tridex.index(self.paths, ours)
        out, _ = command("index", *self.paths, "--index", theirs, "--format", "ndjson")
        expected = json.loads(out)
        self.assertEqual({name: done[name] for name in expected if name in done}, {n: v for n, v in expected.items() if n in done})
        self.assertEqual(len(tridex.Index(ours)), expected["games"])
        # Each skips files that the other has indexed, so nothing is written.
        written = [(folder / "meta.json").stat().st_mtime_ns for folder in (ours, theirs)]
        again = tridex.index(self.generated(), theirs)
        out, _ = command("index", *self.generated(), "--index", ours, "--format", "ndjson")
        self.assertEqual(again["unchanged"], json.loads(out)["unchanged"])
        self.assertEqual([(folder / "meta.json").stat().st_mtime_ns for folder in (ours, theirs)], written)
        index = tridex.Index(theirs)
        for args, options in (
            ([], {}),
            (["player:kirk"], {"query": "player:kirk"}),
            (["--moves", "b4N b5B"], {"moves": "b4N b5B"}),
            (["--pattern", "N@c2W", "--rules", "meder"], {"pattern": "N@c2W", "rules": "meder"}),
            (["--sort", "plies", "--reverse", "--limit", "7"], {"sort": "plies", "reverse": True, "limit": 7}),
        ):
            out, _ = command("search", *args, "--index", theirs, "--format", "ndjson")
            expected = [json.loads(line) for line in out.decode().splitlines()]
            self.assertTrue(expected or "player:kirk" in args)
            self.assertEqual(index.search(**options), expected, args)
            self.assertEqual(tridex.Index(ours).search(**options), expected, args)
        for rules in tridex.RULES:
            out, _ = command("openings", "--rules", rules, "--index", theirs, "--format", "ndjson")
            self.assertEqual(index.openings(rules=rules), [json.loads(line) for line in out.decode().splitlines()])
        for sort in ("games", "score", "rating", "year", "move"):
            args = ["--depth", 3, "--limit", 4, "--sort", sort]
            out, _ = command("openings", "--rules", "meder", *args, "--index", theirs, "--format", "ndjson")
            expected = [json.loads(line) for line in out.decode().splitlines()]
            self.assertGreater(len(expected), 20)
            self.assertEqual(index.opening_tree(3, rules="meder", limit=4, sort=sort), expected)
        for args, options in (([], {}), (["--earlier"], {"earlier": True})):
            path = self.generated()[0]
            out, _ = command("novelty", path, "--index", theirs, "--format", "ndjson", *args)
            expected = [json.loads(line) for line in out.decode().splitlines()]
            self.assertGreater(len(expected), 100)
            self.assertEqual(index.novelties(path, **options), expected)
        out, _ = command("report", "--player", "jarosz", "--query", "plies:50..", "--index", theirs, "--format", "ndjson")
        self.assertEqual(index.player_report("jarosz", query="plies:50.."), json.loads(out))
        self.assertGreater(len(index.player_report("jarosz", top=3)["last_games"]), 2)
        out, _ = command("report", "--rules", "meder", "--moves", "b4N", "--index", theirs, "--format", "ndjson")
        self.assertEqual(index.opening_report("b4N", rules="meder"), json.loads(out))
        hit = index.search(moves="b4N b5B", limit=1)[0]
        out, _ = command("search", "--game", hit["id"], "--index", theirs, "--format", "pgn", "--limit", "1")
        self.assertEqual(index.game(hit["id"]), index.game(f"{hit['source']}:{hit['game']}"))
        self.assertIn('[Variant "', index.game(hit["id"]))


if __name__ == "__main__":
    unittest.main()
