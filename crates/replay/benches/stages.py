#!/usr/bin/env python3
"""Where the instructions of `validate` go, in instructions and mispredicted branches a ply, and prints a table.

    python3 crates/replay/benches/stages.py [--games 2000] [--rest 10] [--other]

Needs cargo, valgrind and binutils. Callgrind counts each instruction of the library's job on generated archives of about
eighty plies a game; the lines that an instruction was inlined through say which stage it belongs to, the first in `STAGES`
that one of them matches. Branches are those that callgrind's model mispredicts, a simpler one than a processor's.
Instructions that copy or fill large blocks are counted once a byte, as the model does. `--rest` lists the functions with most
instructions that no stage matches. `--other` counts `meder` in other containers, annotated, faulty and written out, as
`compare.py` has them, instead of the five systems.
"""

import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

import compare

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "..", "..", ".."))

# Title, rule system, format, what is done to the archive, job.
SYSTEMS = [(rules, rules, "pgn", None, "validate") for rules in ("meder", "manual", "federation", "millennium", "chess3")]
OTHER = [
    ("CSV", "meder", "csv", None, "validate"),
    ("NDJSON", "meder", "ndjson", None, "validate"),
    ("annotated", "meder", "pgn", compare.annotate, "validate"),
    ("1 % faulty", "meder", "pgn", compare.spoil, "validate"),
    ("to NDJSON", "meder", "pgn", None, "validate-ndjson"),
    ("to coordinates", "meder", "pgn", None, "long"),
    ("coordinates in NDJSON", "meder", "pgn", None, "long-ndjson"),
]

# What is said first holds: a move is played where it is found, so that the lines of playing are looked for before those
# of finding.
STAGES = [
    ("Tables, made once", r"sync/once|once_lock|lazy_lock"),
    ("Repetition", r"replay/src/follow/keys\.rs"),
    ("Search for slips", r"replay/src/(repair|guess|findings|review|alternatives)|notation/src/slips"),
    ("Positions as text", r"position_string|to_setup"),
    ("Writing moves", r"notation/src/(moves/\w+/printer|letters)|notation/src/names\.rs"),
    ("Writing text", r"archive/src/(write|json)|serde_json|core/src/fmt|replay/src/(convert|report)\.rs"),
    ("Rows of sheets, lines of JSON", r"archive/src/(sheet|ndjson)"),
    ("Unknown tokens, by the grammar", r"Memo.*learn|/nom-|notation/src/(rule|moves|parse|names|lib)|words/src"),
    ("Safety of the king", r"rules/src/engine/list\.rs"),
    ("Check after the move", r"is_attacked|is_line_attacked|has_slider_behind"),
    ("Playing the move", r"rules/src/(engine/play|pieces|key)\.rs"),
    ("Finding the move", r"rules/src/(?!position\.rs)|geometry/src/"),
    ("Loop over the moves", r"replay/src/(follow/run|memo)\.rs|notation/src/"),
    ("Looking up tokens", r"archive/src/interner\.rs"),
    ("Tags", r"archive/src/pgn/items\.rs|plain_tag|tag_shape|closing_quote"),
    ("What the tags state", r"replay/src/(setting|verdict)\.rs|archive/src/(date|words|game/tags)\.rs"),
    ("Keeping the events", r"archive/src/(game|visit)|replay/src/reader\.rs"),
    ("Movetext", r"archive/src/(pgn|lex)|pgn::run"),
    ("Decoding, batches", r"archive/src/|/memchr-|str/(converts|validations)"),
]
REST = "Results, reports, the rest"
MEMORY = "Allocating and copying"


def job():
    """The library's jobs, built with lines."""
    command = ["cargo", "bench", "-p", "tridex-replay", "--bench", "jobs", "--no-run", "--profile", "measure"]
    said = subprocess.run(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, check=True).stderr
    return os.path.join(ROOT, re.search(r"\(([^)]*jobs-[0-9a-f]+)\)", said).group(1))


def counted(path, program):
    """Instructions and mispredicted branches by address, and the instructions of libraries by function."""
    costs, libraries = collections.defaultdict(lambda: [0, 0]), collections.Counter()
    names = {"ob": {}, "fn": {}}
    owner, function, address, is_call = "", "", 0, False
    for line in open(path):
        line = line.rstrip("\n")
        if named := re.match(r"(c?)(ob|fn)=\((\d+)\)(?: (.*))?$", line):
            called, kind, number, name = named.groups()
            if name:
                names[kind][number] = name
            if not called:
                known = names[kind].get(number, "")
                owner, function = (known, function) if kind == "ob" else (owner, known)
        elif line.startswith("calls="):
            is_call = True
        elif re.match(r"[0-9+*-]", line):
            place, _, *events = line.split()
            if place.startswith("0x"):
                address = int(place, 16)
            elif place != "*":
                address += int(place, 0)
            # What follows a call is the cost of what is called.
            events = [] if is_call else [int(event) for event in events]
            is_call = False
            if not events:
                continue
            if owner != program:
                libraries[function] += events[0]
                continue
            # Instructions, then conditional branches and those mispredicted, then indirect ones.
            cost = costs[address]
            cost[0] += events[0]
            cost[1] += sum(events[2::2])
    return costs, libraries


def lines(program, addresses):
    """For each address the functions and lines that it was inlined through."""
    asked = "\n".join(map(hex, addresses))
    command = ["addr2line", "-C", "-i", "-f", "-a", "-e", program]
    said = subprocess.run(command, input=asked, capture_output=True, text=True, check=True).stdout.splitlines()
    found, address = {}, None
    for line in said:
        if re.fullmatch(r"0x[0-9a-f]{16}", line):
            address = int(line, 16)
            found[address] = []
        else:
            found[address].append(line)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--rest", type=int, default=0)
    parser.add_argument("--other", action="store_true")
    args = parser.parse_args()
    columns = OTHER if args.other else SYSTEMS
    program = job()
    subprocess.run(["cargo", "build", "--release", "--quiet", "--bin", "tridex"], cwd=ROOT, check=True)
    tridex = os.path.join(ROOT, os.environ.get("CARGO_TARGET_DIR", "target"), "release", "tridex")
    table, rest = {}, collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for title, rules, form, change, what in columns:
            archive, counts = os.path.join(folder, f"games.{form}"), os.path.join(folder, "counts")
            command = [tridex, "generate", "--rules", rules, "--games", str(args.games), "--seed", "1"]
            subprocess.run([*command, "--output", archive], stderr=subprocess.DEVNULL, check=True)
            if change:
                plain = archive + ".plain"
                os.replace(archive, plain)
                change(plain, archive)
            command = ["valgrind", "--tool=callgrind", "--dump-instr=yes", "--branch-sim=yes", f"--callgrind-out-file={counts}"]
            done = subprocess.run([*command, program, what, archive, "1"], capture_output=True, text=True, check=True)
            plies = int(done.stdout.split()[0])
            costs, libraries = counted(counts, program)
            through = lines(program, list(costs))
            stages = collections.defaultdict(lambda: [0, 0])
            for address, cost in costs.items():
                said = through.get(address) or ["?"]
                stage = next((name for name, what in STAGES if re.search(what, "\n".join(said))), REST)
                if stage == REST:
                    rest[said[-2] if len(said) > 1 else "?"] += cost[0]
                for at in (0, 1):
                    stages[stage][at] += cost[at] / plies
            stages[MEMORY][0] += sum(libraries.values()) / plies
            table[title] = stages
    print("| stage |" + "".join(f" {title} |" for title in table))
    print("|---" * (1 + len(table)) + "|")
    order = [name for name, _ in STAGES] + [REST, MEMORY]
    row = lambda name, of: print(f"| {name} |" + "".join(f" {of(t)[0]:.0f} / {of(t)[1]:.2f} |" for t in table))
    for name in order:
        if any(stages[name][0] >= 0.5 for stages in table.values()):
            row(name, lambda title: table[title][name])
    row("all", lambda title: [sum(cost[at] for cost in table[title].values()) for at in (0, 1)])
    for name, cost in rest.most_common(args.rest):
        print(cost, name, file=sys.stderr)


if __name__ == "__main__":
    main()
