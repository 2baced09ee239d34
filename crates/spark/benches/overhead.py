"""What Spark costs above the bare command: seconds of each job, at one and two Workers of one core each.

    TRIDEX=target/release/tridex python crates/spark/benches/overhead.py 100000

The bare command runs with as many threads as there are Workers. A job's time is from the start of its driver to its end,
the start of the cluster not counted; what a job without games takes is told beside, for that part does not grow.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import test_jobs as jobs  # noqa: E402


def timed(work):
    """How many seconds something takes."""
    since = time.monotonic()
    work()
    return time.monotonic() - since


def main():
    """Measures and prints a table."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    wanted = sys.argv[2:] or ["validate", "index", "positions"]
    tridex = jobs.program()
    folder = Path(tempfile.mkdtemp(prefix="tridex-overhead-"))
    cluster = None
    try:
        source, none = folder / "games", folder / "none"
        source.mkdir()
        none.mkdir()
        for rules in jobs.SYSTEMS:
            each = str(games // len(jobs.SYSTEMS))
            out = source / f"{rules}.pgn"
            jobs.run(tridex, "generate", "--rules", rules, "--games", each, "--seed", "3", "--output", out)
        (none / "none.pgn").write_text('[Variant "meder"]\n\n1. b4N *\n')
        size = sum(file.stat().st_size for file in source.iterdir())
        target = f"{max(64, size // 16 // 1024)}KiB"
        print(f"{games} games, {size >> 20} MiB, pieces of {target}")
        print("| job | workers | bare | on Spark | ratio | without games |")
        print("|---|---:|---:|---:|---:|---:|")
        for workers in (1, 2):
            aside = folder / f"of-{workers}"
            aside.mkdir()
            cluster = jobs.Cluster(aside, [f"w{n}" for n in range(workers)])
            for name in wanted:
                bare = {
                    "validate": ("validate", source, "--format", "ndjson", "-o", aside / "rows"),
                    "index": ("index", source, "--index", aside / "index"),
                    "positions": ("export", source, "--parquet", aside / "tables"),
                }[name]
                alone = timed(lambda: jobs.run(tridex, *bare, "-j", workers))

                def on_spark(paths, out):
                    running = jobs.job(cluster.master, tridex, name, [paths], aside / out, target=target)
                    return timed(lambda: jobs.ended(running))

                full, empty = on_spark(source, f"{name}-all"), on_spark(none, f"{name}-none")
                print(
                    f"| {name} | {workers} | {alone:.1f} s | {full:.1f} s | {full / alone:.1f} | {empty:.1f} s |",
                    flush=True,
                )
            cluster.stop()
    finally:
        if cluster is not None:
            cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
