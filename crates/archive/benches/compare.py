#!/usr/bin/env python3
"""Times the jobs of an archive beside pgn-reader and shakmaty on ordinary chess, in one run, and prints a table.

    python3 crates/archive/benches/compare.py [--games 100000] [--rounds 5] [--threads 1 2]

Needs cargo and nothing else. Both sides read archives of generated games of about eighty plies; a round runs each
program once, in turn, so that a machine whose speed drifts disturbs both alike; the median of the rounds is printed.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "..", "..", ".."))

# Our job, the peers' job, the archive it runs on (by system and notation).
ROWS = [
    ("tokenise", "tokenise", "tokenise", "own"),
    ("validate (read, resolve, replay)", "validate", "validate", "own"),
    ("own notation to coordinates", "long", "long", "own"),
    ("coordinates to own notation, with marks", "marks", "marks", "coordinates"),
    ("replay and key every position", "keys", "keys", "own"),
]
SYSTEMS = {"meder": "manual", "millennium": "chess3"}


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


def run(command):
    plies, seconds, _ = subprocess.run(
        command, check=True, capture_output=True, text=True
    ).stdout.split()
    return int(plies) / float(seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args()

    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
    build(["build", "--release", "--bin", "tridex"], ROOT, target)
    build(["bench", "-p", "tridex-archive", "--bench", "jobs", "--no-run"], ROOT, target)
    peers_target = os.path.join(target, "peers")
    build(["build", "--release"], os.path.join(HERE, "peers"), peers_target)
    tridex = os.path.join(target, "release", "tridex")
    jobs = find_bench(target)
    peers = os.path.join(peers_target, "release", "peers")

    with tempfile.TemporaryDirectory() as folder:
        chess = os.path.join(folder, "chess.pgn")
        with open(chess, "wb") as out:
            subprocess.run([peers, "generate", str(options.games), "1"], stdout=out, check=True)
        archives = {}
        for rules, coordinates in SYSTEMS.items():
            for kind, notation in (("own", rules), ("coordinates", coordinates)):
                path = os.path.join(folder, f"{rules}-{kind}.pgn")
                subprocess.run(
                    [tridex, "generate", "--rules", rules, "--games", str(options.games), "--seed",
                     "1", "--notation", notation, "--output", path],
                    check=True,
                )
                archives[rules, kind] = path
        print(f"M plies/s, median of {options.rounds} rounds, {options.games} games each; "
              "the ratio is to pgn-reader + shakmaty in the same rounds\n")
        head = ["job", "threads", "pgn-reader + shakmaty"]
        for rules in SYSTEMS:
            head += [rules, "ratio"]
        print("| " + " | ".join(head) + " |")
        print("|---" * len(head) + "|")
        for title, ours, theirs, kind in ROWS:
            for threads in options.threads:
                speeds = {name: [] for name in ["peers", *SYSTEMS]}
                for _ in range(options.rounds):
                    speeds["peers"].append(run([peers, theirs, chess, str(threads)]))
                    for rules in SYSTEMS:
                        speeds[rules].append(run([jobs, ours, archives[rules, kind], str(threads)]))
                cells = [title, str(threads), f"{statistics.median(speeds['peers']) / 1e6:.1f}"]
                for rules in SYSTEMS:
                    ratios = [a / b for a, b in zip(speeds[rules], speeds["peers"])]
                    cells += [
                        f"{statistics.median(speeds[rules]) / 1e6:.1f}",
                        f"**{statistics.median(ratios):.2f}**",
                    ]
                print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
