"""The three jobs. Each returns a summary: counts, and under `messages` what the program had to say besides."""

import json
import os
import shutil
import zlib

from pyspark.sql import functions as f
from pyspark.sql.types import StringType, StructField, StructType

from . import child
from .child import MARK, SCRIPT, SCRIPT_IN_FOLDER, ChildFailed

TARGET = "64MiB"


def plan(tridex, paths, target=TARGET):
    """The pieces of the files that the paths lead to, as lines, and what the program has to say of them."""
    # Tasks run in folders of their own.
    paths = [os.path.abspath(path) for path in paths]
    pieces, words = child.run(tridex, "--no-progress", "plan", "--target", target, "--", *paths)
    return pieces.splitlines(), words.splitlines()


def _check(pieces, summary):
    """Nothing may be lost on the way to the children."""
    if summary.get("pieces", 0) != pieces:
        raise ChildFailed(f"of {pieces} pieces {summary.get('pieces', 0)} were read")


def validate(spark, paths, out, tridex="tridex", target=TARGET, options=()):
    """Replays every game. Into the folder `out` come text files: below `kind=game` one JSON line a game, as
    `tridex validate --format ndjson` writes it, in no order between files."""
    pieces, words = plan(tridex, paths, target)
    context = spark.sparkContext
    lines = child.pipe(
        context.parallelize(pieces, max(1, len(pieces))),
        SCRIPT,
        tridex,
        "--no-progress",
        "validate",
        *("--plan", "-", "--threads", _threads(spark)),
        *("--format", "ndjson", "--summary", "ndjson"),
        *options,
    )

    def kind(line):
        return ("said", line[len(MARK) :]) if line.startswith(MARK) else ("game", line)

    schema = StructType([StructField("kind", StringType()), StructField("value", StringType())])
    rows = spark.createDataFrame(lines.map(kind), schema, verifySchema=False)
    # One pass, and what a task that is lost has written is not there.
    rows.write.partitionBy("kind").text(out)
    said = os.path.join(out, "kind=said")
    told = [row.value for row in spark.read.text(said).collect()] if os.path.isdir(said) else []
    summaries, messages = child.summary_of(told)
    summary = child.add(summaries)
    _check(len(pieces), summary)
    summary["messages"] = words + sorted(messages)
    return summary


def index(spark, paths, out, tridex="tridex", target=TARGET, shards=None, merge=None, options=()):
    """Builds an index in parts: `out` becomes a folder of indices, `shard-...`, that are searched as one, or merged into
    the index `merge`. A piece is in the part that its content says, so that the same files make the same parts."""
    pieces, words = plan(tridex, paths, target)
    arguments = [
        *(tridex, "--no-progress", "index"),
        *("--plan", "-", "--threads", _threads(spark), "--format", "ndjson"),
        *(*options, "--index"),
    ]
    made, summary = _in_parts(spark, pieces, out, "shard", shards, arguments)
    summary["messages"] = words + summary["messages"]
    summary["shards"] = made
    if merge is not None and made:
        child.run(tridex, "--no-progress", "index", "--index", merge, "--merge", *made)
    return summary


def positions(spark, paths, out, tridex="tridex", target=TARGET, parts=None, keep_rows=False, options=()):
    """Counts what was played from every position. `out` gets `positions.parquet`, sorted by key, which
    `tridex openings --parquet` reads, and `games.parquet`; with `keep_rows` below `rows` also the row of each ply."""
    pieces, words = plan(tridex, paths, target)
    rows = os.path.join(out, "rows")
    arguments = [
        *(tridex, "--no-progress", "export"),
        *("--plan", "-", "--threads", _threads(spark), "--format", "ndjson"),
        *(*options, "--parquet"),
    ]
    made, summary = _in_parts(spark, pieces, rows, "part", parts, arguments)
    summary["messages"] = words + summary["messages"]
    if made:
        table = spark.read.parquet(*(os.path.join(part, "positions.parquet") for part in made))
        table = summed(table)
        table.write.option("compression", "zstd").parquet(os.path.join(out, "positions.parquet"))
    games = os.path.join(out, "games.parquet")
    os.makedirs(games, exist_ok=True)
    for number, part in enumerate(made):
        name = os.path.join(games, f"part-{number:05}.parquet")
        os.replace(os.path.join(part, "games.parquet"), name)
    if not keep_rows:
        shutil.rmtree(rows)
    return summary


def summed(rows):
    """Rows of plies, summed up by position and move, and sorted."""
    counted = rows.where("fresh")

    def sums(when, names):
        values = [
            f.lit(1),
            *((f.col("result") == result).cast("bigint") for result in ("1-0", "1/2-1/2", "0-1")),
            f.coalesce(f.col("elo"), f.lit(0)),
            f.col("elo").isNotNull().cast("bigint"),
        ]
        return [
            f.sum(f.when(when, value).otherwise(f.lit(0))).cast("bigint").alias(name)
            for value, name in zip(values, names)
        ]

    games = ("games", "white", "draws", "black", "ratings", "rated")
    again = ("again", *(f"again_{name}" for name in games[1:]))
    table = counted.groupBy("key", "rules", "move").agg(
        *sums(f.lit(True), games),
        f.max("year").alias("last_year"),
        *sums(f.col("again"), again),
    )
    return table.orderBy("key", "rules", "move")


def _threads(spark):
    """As many threads for a child as its task has cores."""
    return spark.sparkContext.getConf().get("spark.task.cpus", "1")


def _in_parts(spark, pieces, out, name, parts, arguments):
    """Has children make something of the pieces, each in a folder of its own, which gets its name when it is whole. Gives
    the folders and the sum of what the children said."""
    os.makedirs(out, exist_ok=True)
    context = spark.sparkContext
    groups = grouped(pieces, parts or min(len(pieces), 4 * context.defaultParallelism))
    names = [f"{name}-{number:05}-{zlib.crc32(repr(group).encode()):08x}" for number, group in enumerate(groups)]
    sizes = [len(group) for group in groups]
    if not groups:
        return [], {"messages": []}
    lines = child.pipe(
        context.parallelize(groups, len(groups)).flatMap(lambda group: group),
        SCRIPT_IN_FOLDER,
        os.path.abspath(out),
        *arguments,
    )

    def finish(number, lines):
        lines = list(lines)
        into = lines[0][len(MARK) :]
        said = [line for line in lines[1:] if not line.startswith(MARK)]
        summary = json.loads(said[-1])
        _check(sizes[number], summary)
        final = os.path.join(os.path.dirname(into), names[number])
        try:
            os.rename(os.path.join(into, "made"), final)
        except OSError:
            # Another try of the same task was first, and made the same.
            if not os.path.isdir(final):
                raise
        shutil.rmtree(into, ignore_errors=True)
        summary["messages"] = [line[len(MARK) :] for line in lines[1:] if line.startswith(MARK)]
        yield final, summary

    made = sorted(lines.mapPartitionsWithIndex(finish).collect())
    # What tasks left that were lost.
    for entry in os.listdir(out):
        if entry.startswith(".doing-"):
            shutil.rmtree(os.path.join(out, entry), ignore_errors=True)
    summary = child.add(summary for _, summary in made)
    summary["messages"] = [line for _, one in made for line in one["messages"]]
    return [folder for folder, _ in made], summary


def grouped(pieces, parts):
    """Pieces in groups by their content, each in the order of their files."""
    groups = [[] for _ in range(max(1, parts))]
    for piece in pieces:
        record = json.loads(piece)
        content = f"{record['seal']} {record['offset']} {record['length']}"
        place = record["path"], record["offset"]
        groups[zlib.crc32(content.encode()) % len(groups)].append((place, piece))
    return [[piece for _, piece in sorted(group)] for group in groups if group]
