"""`python -m tridex_spark validate|index|positions PATHS --out DIR`: a job on a cluster, or on this machine."""

import argparse
import json
import os
import shlex
import shutil
import sys
import tempfile

from pyspark.sql import SparkSession

from . import jobs


def main(arguments=None):
    """Runs a job and prints its summary as one JSON line; 0 all good, 1 something in the data fell short, 2 a fault."""
    parser = argparse.ArgumentParser(prog="tridex_spark", description=__doc__)
    parser.add_argument("job", choices=("validate", "index", "positions"))
    parser.add_argument("paths", nargs="+", help="files and folders, by names that every machine knows")
    parser.add_argument("--out", required=True, help="a new folder for the results, by such a name")
    parser.add_argument("--master", help="such as spark://host:7077; without it what Spark is set to, or local[*]")
    parser.add_argument("--tridex", default=shutil.which("tridex") or "tridex", help="the program, on every machine")
    parser.add_argument("--target", default=jobs.TARGET, help="bytes of a piece (64MiB)")
    parser.add_argument("--parts", type=int, help="index, positions: parts that are made (4 for each core)")
    parser.add_argument("--merge", help="index: make one index of the parts, in this folder")
    parser.add_argument("--keep-rows", action="store_true", help="positions: keep the row of each ply")
    parser.add_argument("--options", default="", help="options for the program, such as '--rules meder --strict'")
    wish = parser.parse_args(arguments)
    options = shlex.split(wish.options)
    builder = SparkSession.builder.appName(f"tridex {wish.job}")
    if wish.master:
        builder = builder.master(wish.master)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    # Tasks run in folders of their own.
    out = wish.out if "://" in wish.out else os.path.abspath(wish.out)
    common = {"tridex": wish.tridex, "target": wish.target, "options": options}
    try:
        send_package(spark)
        if wish.job == "validate":
            summary = jobs.validate(spark, wish.paths, out, **common)
        elif wish.job == "index":
            summary = jobs.index(spark, wish.paths, out, shards=wish.parts, merge=wish.merge, **common)
        else:
            kept = {"parts": wish.parts, "keep_rows": wish.keep_rows}
            summary = jobs.positions(spark, wish.paths, out, **kept, **common)
    except Exception as fault:  # Spark's own, Java's, a child's, the system's: whatever it is, the job has failed.
        print(f"tridex_spark: {fault}", file=sys.stderr)
        return 2
    finally:
        spark.stop()
    for message in summary["messages"]:
        print(message, file=sys.stderr)
    print(json.dumps(summary))
    return 1 if summary.get("invalid") or summary.get("rejected") or summary.get("damage") else 0


def send_package(spark):
    """Gives this package to the machines that do the work."""
    here = os.path.dirname(os.path.abspath(__file__))
    aside = tempfile.mkdtemp(prefix="tridex-")
    packed = shutil.make_archive(
        os.path.join(aside, "tridex_spark"), "zip", os.path.dirname(here), os.path.basename(here)
    )
    spark.sparkContext.addPyFile(packed)


if __name__ == "__main__":
    sys.exit(main())
