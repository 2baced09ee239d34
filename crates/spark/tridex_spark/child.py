"""The program as a child of Spark's tasks."""

import json
import os
import shlex
import subprocess

# Marks what the child said on its standard error, behind its results.
MARK = "\x01"

# Spark gives only the exit code of a child that fails, and fails a job for any that is not 0. So the child's words are
# kept, and come marked behind its results; and that some game is invalid (1) is no reason to fail.
SCRIPT = f"""
said=$(mktemp) || exit 2
trap 'rm -f "$said"' EXIT
"$@" 2>"$said"
code=$?
sed "s/^/{MARK}/" "$said"
[ "$code" -le 1 ] || exit "$code"
"""

# The same with a folder of its own for what the child writes, which is told first. It is the last argument.
SCRIPT_IN_FOLDER = (
    f"""
into=$(mktemp -d "$1/.doing-XXXXXXXX") || exit 2
chmod 755 "$into"
printf '{MARK}%s\\n' "$into"
shift
set -- "$@" "$into/made"
"""
    + SCRIPT
)


class ChildFailed(Exception):
    """The program ended with a fault; its own words say why."""


def command(script, *arguments):
    """A command for `RDD.pipe`, which takes words apart as a shell does."""
    return shlex.join(["/bin/sh", "-c", script, "tridex", *map(str, arguments)])


def environment():
    """What a child needs to know of the machine. `RDD.pipe` gives it nothing else."""
    known = ("PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH")
    return {name: os.environ[name] for name in known if name in os.environ}


def pipe(pieces, script, *arguments):
    """The lines that children say, one child for each partition of `pieces`, its words marked by `MARK`."""
    lines = pieces.pipe(command(script, *arguments), env=environment(), checkCode=True)
    return lines.mapPartitions(_with_words)


def _with_words(lines):
    """Passes lines on; a child that fails is told in its own words."""
    words = []
    try:
        for line in lines:
            if line.startswith(MARK):
                words.append(line[len(MARK) :])
            yield line
    except Exception as fault:
        raise ChildFailed("\n".join(words[-20:]) or str(fault)) from fault


def run(*arguments):
    """Runs the program here, and gives what it says on both outputs; a fault is raised in its own words."""
    done = subprocess.run(list(map(str, arguments)), capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise ChildFailed(done.stderr.strip() or f"{arguments[0]} ended with {done.returncode}")
    return done.stdout, done.stderr


def summary_of(words):
    """The one summary among a child's words, and the others."""
    summaries = [json.loads(word) for word in words if word.startswith("{")]
    return summaries, [word for word in words if not word.startswith("{")]


def add(summaries):
    """The sum of summaries: numbers are added, and so are those of tables in them."""
    total = {}
    for summary in summaries:
        for name, value in summary.items():
            if isinstance(value, dict):
                total[name] = add([total.get(name, {}), value])
            elif isinstance(value, (int, float)):
                total[name] = total.get(name, 0) + value
    return total
