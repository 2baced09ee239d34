#!/usr/bin/env python3
"""Times the program beside pgn-reader and shakmaty on ordinary chess, in one run, and prints a table.

    python3 crates/replay/benches/compare.py [--games 100000] [--rounds 5] [--threads 1 2] [--rows WORD ...]
    python3 crates/replay/benches/compare.py --before PATH/TO/ANOTHER/tridex
    python3 crates/replay/benches/compare.py --games 20000 --counts [--rounds 0]

Needs cargo and nothing else; for counts, `perf` or valgrind. Both sides are whole commands on archives of generated games of about eighty plies, with as
many tags; a round runs each program once, in turn, so that a machine whose speed drifts disturbs both alike. Printed are
medians of the rounds, in millions of plies a second; the ratio is to the peers in the same rounds. With `--before`
another build of the program runs in every round too.

Behind these come two jobs of the rules alone, on one thread: making games, in plies a second, and counting the sequences of
legal moves from the start, in sequences a second.

Times depend on how busy the machine is; instructions and branch misses hardly do. With `--counts` each row also has both a
ply, user mode, one thread: by `perf stat` on the same archives where the processor's counters can be read, else by
callgrind and its model of branch prediction, on 4,000 games and a depth of perft less by one. `--rounds 0` counts and times nothing.

Annotated archives are made here, from the plain ones of either side in the same way: a clock at every move, remarks,
judgements, and at every sixteenth move a variation, each fourth of them with another inside. A variation takes the move
that was played and the next ones again: legal, and replayed like any other. Their plies count.
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "..", "..", ".."))

OWN = {"meder": "meder", "manual": "manual", "federation": "meder", "millennium": "millennium", "chess3": "chess3"}
OTHER = {"meder": "manual", "manual": "meder", "millennium": "chess3", "chess3": "millennium"}


def rows():
    """Title, archive (system, notation, kind), our command, the peers' job, the peers' archive."""
    validate = ["validate"]
    for rules, own in OWN.items():
        yield f"validate, {rules}", (rules, own, "plain"), validate, "validate", "plain"
    for rules in ("meder", "manual", "federation", "millennium", "chess3"):
        other = OTHER[OWN[rules]]
        yield f"validate, {rules} in {other}'s notation", (rules, other, "plain"), validate, "validate", "plain"
    yield "validate, meder in German", ("meder", "meder", "de"), validate, "validate", "plain"
    for rules in OWN:
        yield f"validate, {rules} annotated", (rules, OWN[rules], "annotated"), validate, "annotated", "annotated"
    for kind in ("csv", "ndjson"):
        for rules in ("meder", "millennium"):
            yield f"validate, {rules} from {kind.upper()}", (rules, rules, kind), validate, "validate", "plain"
    yield "validate, meder, 1 % of the games faulty", ("meder", "meder", "faulty"), validate, "validate", "plain"
    yield "validate to NDJSON, meder", ("meder", "meder", "plain"), ["validate", "--format", "ndjson"], "validate", "plain"
    for rules in ("meder", "millennium"):
        to = ["convert", "--to", OTHER[rules]]
        yield f"{rules} to coordinates", (rules, rules, "plain"), to, "long", "plain"
    yield "meder to coordinates, NDJSON out", ("meder", "meder", "plain"), ["convert", "--to", "manual", "--format", "ndjson"], "long", "plain"
    for rules in ("meder", "millennium"):
        to = ["convert", "--to", rules]
        yield f"{rules} from coordinates, with marks", (rules, OTHER[rules], "plain"), to, "marks", "plain"
    for rules in ("meder", "millennium"):
        yield f"tokenise, {rules}", (rules, rules, "plain"), "tokenise", "tokenise", "plain"
        yield f"replay and key every position, {rules}", (rules, rules, "plain"), "keys", "keys", "plain"


def own_rows(tridex, peers, archives, is_wanted, shallower=0):
    """Jobs without an archive: title, how much is made, our command, how much the peers make, their command."""
    games = str(archives.games)
    for rules in ("meder", "millennium"):
        title = f"generate, {rules}"
        if is_wanted(title):
            plies = archives.get((rules, OWN[rules], "plain"))[1]
            ours = [tridex, "generate", "--rules", rules, "--games", games, "--seed", "1", "--threads", "1"]
            yield title, plies, ours, archives.get(("peers", "plain"))[1], [peers, "generate", games, "1"]
    for rules, depth in DEPTHS.items():
        title = f"perft {depth}, {rules}"
        if is_wanted(title):
            ours = [tridex, "perft", str(depth - shallower), "--rules", rules]
            chess = [peers, "perft", str(6 - shallower)]
            yield title, printed(ours), ours, printed(chess), chess


DEPTHS = {"meder": 6, "manual": 6, "federation": 5, "millennium": 4, "chess3": 4}


def printed(command):
    return int(subprocess.run(command, capture_output=True, check=True).stdout.split()[0])


REMARKS = ["A quiet move.", "The level above is empty now.", "Forced.", "Better late than never"]


def annotate(source, target):
    """Writes an annotated copy of a plain archive, and returns the plies in it, variations counted."""
    plies = 0
    with open(source, encoding="utf-8") as text, open(target, "w", encoding="utf-8") as out:
        words = []
        for line in text:
            if not line.startswith("["):
                words += line.split()
                continue
            if words:
                plies += annotate_moves(words, out)
                words = []
            out.write(line)
        plies += annotate_moves(words, out)
    return plies


def annotate_moves(words, out):
    moves = [word for word in words[:-1] if not word[:-1].isdigit() or word[-1] != "."]
    parts, plies = [], len(moves)
    for ply, move in enumerate(moves):
        number = f"{ply // 2 + 1}." + (".." if ply % 2 else "")
        mark = ["!", "?!"][ply // 10 % 2] if ply % 10 == 3 else ""
        parts.append(f"{number} {move}{mark}")
        if ply % 12 == 5:
            parts.append("$16")
        minutes = 90 - ply // 4
        parts.append(f"{{[%clk {minutes // 60}:{minutes % 60:02}:{ply % 60:02}]}}")
        if ply % 12 == 7:
            parts.append(f"{{{REMARKS[ply // 12 % 4]}}}")
        if ply % 16 == 15:
            line = moves[ply:ply + 5]
            plies += len(line)
            inner = ""
            if ply // 16 % 4 == 1 and len(line) > 2:
                inner = f" ({line[1]} {line[2]})"
                plies += 2
            parts.append(f"({number} {line[0]} " + " ".join(line[1:2]) + inner + " " + " ".join(line[2:]) + ")")
    parts.append(words[-1])
    out.write("\n")
    width = 0
    for word in " ".join(parts).split():
        if width + len(word) > 78:
            out.write("\n")
            width = 0
        out.write(word if width == 0 else f" {word}")
        width += len(word) + 1
    out.write("\n\n")
    return plies


def spoil(source, target):
    """Writes a copy in which the move in the middle of every hundredth game goes to a square that does not exist."""
    with open(source, encoding="utf-8") as text:
        games = text.read().split("\n\n")
    for i in range(1, len(games), 200):
        words = games[i].split(" ")
        middle = len(words) // 2
        if words[middle].endswith("."):
            middle += 1
        words[middle] = "Nb9W"
        games[i] = " ".join(words)
    with open(target, "w", encoding="utf-8") as out:
        out.write("\n\n".join(games))


class Archives:
    """Archives, made when they are first needed: path and plies of each."""

    def __init__(self, folder, games, tridex, peers):
        self.folder, self.games, self.tridex, self.peers = folder, games, tridex, peers
        self.made = {}

    def get(self, key):
        if key not in self.made:
            path = os.path.join(self.folder, "-".join(key))
            self.made[key] = (path, self.make(key, path))
        return self.made[key]

    def make(self, key, path):
        side, kind = key[0], key[-1]
        if kind in ("annotated", "faulty"):
            plain, plies = self.get(key[:-1] + ("plain",))
            if kind == "annotated":
                return annotate(plain, path)
            spoil(plain, path)
            return plies
        if side == "peers":
            with open(path, "wb") as out:
                subprocess.run([self.peers, "generate", str(self.games), "1"], stdout=out, check=True)
            report = subprocess.run([self.peers, "tokenise", path, "1"], capture_output=True, check=True)
            return int(report.stdout.split()[0])
        command = [self.tridex, "generate", "--rules", side, "--games", str(self.games), "--seed", "1",
                   "--notation", key[1], "--output", path]
        if kind in ("csv", "ndjson"):
            command += ["--format", kind]
        if kind == "de":
            command += ["--locale", "de"]
        subprocess.run(command, check=True)
        if kind in ("csv", "ndjson", "de"):
            return self.get(key[:-1] + ("plain",))[1]
        report = subprocess.run([self.tridex, "validate", path, "--format", "ndjson"], capture_output=True, check=True)
        return sum(int(line.split(b'"plies":')[1].split(b",")[0]) for line in report.stdout.splitlines())


def build(args, cwd, target):
    env = dict(os.environ, CARGO_TARGET_DIR=target)
    subprocess.run(["cargo", *args], cwd=cwd, env=env, check=True, stdout=subprocess.PIPE)


def find_bench(target):
    folder = os.path.join(target, "release", "deps")
    found = [
        os.path.join(folder, name)
        for name in os.listdir(folder)
        if name.startswith("jobs-") and "." not in name
    ]
    return max(found, key=os.path.getmtime)


def seconds(command):
    started = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    elapsed = time.perf_counter() - started
    # 1 says that something in the data fell short, as in the faulty games.
    if done.returncode not in (0, 1):
        sys.exit(f"{command} ended with {done.returncode}: {done.stderr}")
    return elapsed


class Counter:
    """Instructions and branch misses of a command in user mode."""

    def __init__(self):
        probe = self.by_perf(["true"]) if shutil.which("perf") else None
        if probe is not None:
            self.name, self.count, self.is_slow = "perf stat", self.by_perf, False
        elif shutil.which("valgrind"):
            self.name, self.count, self.is_slow = "callgrind", self.by_callgrind, True
        else:
            sys.exit("--counts needs perf with hardware counters, or valgrind")

    @staticmethod
    def by_perf(command):
        events = ["instructions:u", "branch-misses:u"]
        done = subprocess.run(["perf", "stat", "-x,", "-e", ",".join(events), "--", *command],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        found = {}
        for line in done.stderr.splitlines():
            cells = line.split(",")
            if len(cells) > 2 and cells[2] in events and cells[0].isdigit():
                found[cells[2]] = int(cells[0])
        return tuple(found[event] for event in events) if len(found) == len(events) else None

    @staticmethod
    def by_callgrind(command):
        done = subprocess.run(["valgrind", "--tool=callgrind", "--branch-sim=yes", "--callgrind-out-file=/dev/null", *command],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        instructions = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
        misses = re.search(r"Mispredicts:\s+([\d,]+)", done.stderr)
        if instructions is None or misses is None:
            sys.exit(f"callgrind of {command} counted nothing: {done.stderr}")
        return tuple(int(found.group(1).replace(",", "")) for found in (instructions, misses))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rows", nargs="+", default=[""], help="only rows with one of these words in the title")
    parser.add_argument("--before", help="another build of the program, to run in the same rounds")
    parser.add_argument("--counts", action="store_true", help="count instructions and branch misses a ply, too")
    options = parser.parse_args()
    options.counter = Counter() if options.counts else None

    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
    build(["build", "--release", "--bin", "tridex"], ROOT, target)
    build(["bench", "-p", "tridex-replay", "--bench", "jobs", "--no-run"], ROOT, target)
    peers_target = os.path.join(target, "peers")
    build(["build", "--release"], os.path.join(HERE, "peers"), peers_target)
    tridex = os.path.join(target, "release", "tridex")
    jobs = find_bench(target)
    peers = os.path.join(peers_target, "release", "peers")

    print(f"M plies/s, medians of {options.rounds} rounds, {options.games} games each\n")
    head = ["job", "threads", "pgn-reader + shakmaty", "tridex", "ratio"] + ["before"] * bool(options.before)
    if options.counter:
        print(f"Instructions and branch misses a ply, by {options.counter.name}, one thread\n")
        head += ["counts, peers", "counts, tridex"] + ["counts, before"] * bool(options.before)
    print("| " + " | ".join(head) + " |")
    print("|---" * len(head) + "|")
    with tempfile.TemporaryDirectory() as folder:
        archives = Archives(folder, options.games, tridex, peers)
        # A count by callgrind takes fifty times as long as the run; instructions a ply are alike on fewer games.
        few = os.path.join(folder, "few")
        os.mkdir(few)
        counted = Archives(few, 4000, tridex, peers) if options.counter and options.counter.is_slow else archives

        def is_wanted(title):
            return any(word in title for word in options.rows)

        for title, key, ours, theirs, kind in rows():
            if not is_wanted(title):
                continue

            def sides_of(archives, threads):
                chess, chess_plies = archives.get(("peers", kind))
                path, plies = archives.get(key)

                def command(program):
                    if isinstance(ours, str):
                        return [jobs, ours, path, str(threads)]
                    return [program, *ours, path, "--threads", str(threads)]
                sides = {"peers": (chess_plies, [peers, theirs, chess, str(threads)]), "ours": (plies, command(tridex))}
                if options.before and not isinstance(ours, str):
                    sides["before"] = (plies, command(options.before))
                return sides

            for threads in options.threads:
                to_count = sides_of(counted, 1) if options.counter and threads == options.threads[0] else {}
                race(title, str(threads), sides_of(archives, threads), to_count, options)

        def sides_of_own(count, ours, chess_count, theirs):
            sides = {"peers": (chess_count, theirs), "ours": (count, ours)}
            if options.before:
                sides["before"] = (count, [options.before, *ours[1:]])
            return sides

        to_count = {}
        if options.counter:
            shallower = 1 if options.counter.is_slow else 0
            to_count = {title: row for title, *row in own_rows(tridex, peers, counted, is_wanted, shallower)}
        for title, *row in own_rows(tridex, peers, archives, is_wanted):
            race(title, "1", sides_of_own(*row), sides_of_own(*to_count[title]) if to_count else {}, options)


def race(title, threads, sides, to_count, options):
    """Runs every side once in each round, counts what is to be counted, and prints the row."""
    speeds = {side: [] for side in sides}
    for _ in range(options.rounds):
        for side, (count, words) in sides.items():
            speeds[side].append(count / seconds(words) / 1e6)

    def median(values, form):
        return form.format(statistics.median(values)) if values else ""

    ratios = [a / b for a, b in zip(speeds["ours"], speeds["peers"])]
    cells = [title, threads, median(speeds["peers"], "{:.1f}"), median(speeds["ours"], "{:.1f}"), median(ratios, "**{:.2f}**")]
    if options.before:
        cells.append(median(speeds.get("before"), "{:.1f}"))
    if options.counter:
        for side in ["peers", "ours"] + ["before"] * bool(options.before):
            cells.append(counts(options.counter, *to_count[side]) if side in to_count else "")
    print("| " + " | ".join(cells) + " |", flush=True)


def counts(counter, count, words):
    instructions, misses = counter.count(words)
    return f"{instructions / count:.0f} / {misses / count:.2f}"


if __name__ == "__main__":
    sys.exit(main())
