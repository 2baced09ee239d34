"""The three jobs on a cluster of processes: the same bytes as on one machine, whatever dies on the way.

Needs pyspark, a JDK and the program: `TRIDEX` names it, or it is looked for in `target`. `TRIDEX_SPARK_GAMES` says how
many games there are (2,000).
"""

import gzip
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
ROOT = PACKAGE.parents[1]
sys.path.insert(0, str(PACKAGE))

from tridex_spark import jobs  # noqa: E402

GAMES = int(os.environ.get("TRIDEX_SPARK_GAMES", "2000"))
SYSTEMS = ("meder", "manual", "federation", "millennium", "chess3")


def program():
    """The program that is tried."""
    named = os.environ.get("TRIDEX")
    built = [ROOT / "target" / kind / "tridex" for kind in ("release", "debug")]
    found = [Path(named)] if named else [path for path in built if path.exists()]
    if not found:
        raise unittest.SkipTest("the program is not built: cargo build")
    return str(found[0].resolve())


def run(*arguments, codes=(0, 1)):
    """What the program says on standard output."""
    done = subprocess.run(list(map(str, arguments)), capture_output=True, check=False)
    assert done.returncode in codes, f"{arguments}: {done.stderr.decode()}"
    return done.stdout


def lines(data):
    return sorted(data.splitlines())


def collection(tridex, folder, games):
    """Games of five systems in files of several kinds, one of them compressed, one damaged in many places."""
    folder.mkdir()
    each = str(games // len(SYSTEMS))

    def made(rules, *options):
        return run(tridex, "generate", "--rules", rules, "--games", each, "--seed", "7", *options)

    meder = made("meder", "--annotated")
    (folder / "a-meder.pgn").write_bytes(meder)
    (folder / "b-manual.pgn.gz").write_bytes(gzip.compress(made("manual"), 1))
    (folder / "c-federation.csv").write_bytes(made("federation", "--format", "csv"))
    (folder / "d-millennium.ndjson").write_bytes(made("millennium", "--format", "ndjson"))
    broken = bytearray(made("chess3"))
    for place in range(1000, len(broken), 50_021):
        broken[place] ^= 0x11
    (folder / "e-chess3.pgn").write_bytes(broken)
    # Half of a compressed file: what can be unfolded is read, and the rest is told.
    packed = gzip.compress(meder[: len(meder) // 10], 1)
    (folder / "f-broken-off.pgn.gz").write_bytes(packed[: len(packed) // 2])


class Cluster:
    """A Master and Workers of one core each, as processes of their own."""

    def __init__(self, folder, workers=("one", "two")):
        import pyspark

        self.home = Path(pyspark.__file__).parent
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.master = f"spark://127.0.0.1:{port}"
        self.processes = []
        log = self._start("master", "org.apache.spark.deploy.master.Master", "--port", str(port))
        self._until(log, "I have been elected leader")
        self.workers = []
        for name in workers:
            self.add_worker(name)

    def add_worker(self, name):
        work = ("--cores", "1", "--memory", "1g", "--work-dir", str(self.folder / name), self.master)
        log = self._start(name, "org.apache.spark.deploy.worker.Worker", *work)
        self.workers.append(self.processes[-1])
        self._until(log, "Successfully registered with master")

    def _start(self, name, kind, *arguments):
        log = self.folder / f"{name}.log"
        command = [self.home / "bin" / "spark-class", kind, "--host", "127.0.0.1", "--webui-port", "0", *arguments]
        quiet = {"SPARK_DAEMON_MEMORY": "256m", "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
        with open(log, "wb") as out:
            self.processes.append(
                subprocess.Popen(
                    list(map(str, command)),
                    stdout=out,
                    stderr=subprocess.STDOUT,
                    env={**os.environ, **quiet},
                    start_new_session=True,
                )
            )
        return log

    @staticmethod
    def _until(log, word):
        for _ in range(600):
            if word in log.read_text(errors="replace"):
                return
            time.sleep(0.2)
        raise AssertionError(f"not said: {word}\n{log.read_text()}")

    def kill_worker(self):
        """One Worker dies at once, and with it its executor. What the executor had started is left behind."""
        worker = self.workers.pop(0)
        executors = [pid for pid in children(worker.pid) if "CoarseGrainedExecutorBackend" in said_of(pid)]
        os.kill(worker.pid, signal.SIGKILL)
        for pid in executors:
            os.kill(pid, signal.SIGKILL)
        worker.wait()
        return executors

    def stop(self):
        for process in self.processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def said_of(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def children(pid):
    """The processes that a process started, and theirs."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except (OSError, IndexError, ValueError):
            continue
        if parent == pid:
            found += [int(entry.name), *children(int(entry.name))]
    return found


def job(master, tridex, name, paths, out, *options, target="64KiB"):
    """A job as a user starts it, in a process of its own."""
    command = [sys.executable, "-m", "tridex_spark", name, *paths, "--out", out, "--master", master]
    command += ["--tridex", tridex, "--target", target, *options]
    quiet = {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": PACKAGE}
    memory = "--driver-memory 512m --conf spark.executor.memory=600m --conf spark.ui.enabled=false "
    memory += "--conf spark.sql.shuffle.partitions=4 pyspark-shell"
    return subprocess.Popen(
        list(map(str, command)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **quiet, "PYSPARK_SUBMIT_ARGS": memory},
        cwd=tempfile.gettempdir(),
    )


def ended(process, codes=(0, 1)):
    """The summary of a job that ends well."""
    out, words = process.communicate(timeout=3000)
    assert process.returncode in codes, words.decode()[-4000:]
    return json.loads(out) if process.returncode in (0, 1) else words.decode()


class Jobs(unittest.TestCase):
    """One cluster and one collection for all."""

    @classmethod
    def setUpClass(cls):
        if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
            raise unittest.SkipTest("there is no JDK")
        try:
            import pyspark  # noqa: F401
        except ImportError as fault:
            raise unittest.SkipTest("pyspark is not installed") from fault
        cls.tridex = program()
        cls.folder = Path(tempfile.mkdtemp(prefix="tridex-spark-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, True)
        cls.games = cls.folder / "games"
        collection(cls.tridex, cls.games, GAMES)
        # A piece takes a second or so at most.
        cls.target = f"{max(32, GAMES // 40)}KiB"
        cls.cluster = Cluster(cls.folder)
        cls.addClassCleanup(cls.cluster.stop)
        cls.one = cls.folder / "one.index"
        run(cls.tridex, "index", cls.games, "--index", cls.one, codes=(2,))

    def start(self, name, out, *options, tridex=None):
        return job(
            self.cluster.master, tridex or self.tridex, name, [self.games], out, *options, target=self.target
        )

    def slow(self):
        """The program, half a second late, so that there is a middle to kill something in."""
        slow = self.folder / "slow"
        slow.write_text(f'#!/bin/sh\ncase " $* " in *" --plan "*) sleep 0.5;; esac\nexec {self.tridex} "$@"\n')
        slow.chmod(0o755)
        return slow

    def same_games(self, out):
        mine = b"".join(part.read_bytes() for part in sorted(out.glob("kind=game/part-*")))
        alone = run(self.tridex, "validate", self.games, "--format", "ndjson", "--quiet", codes=(2,))
        self.assertGreater(alone.count(b"\n"), GAMES * 9 // 10)
        self.assertEqual(lines(mine), lines(alone))

    def same_index(self, summary):
        search = ("search", "--format", "ndjson")
        alone = run(self.tridex, *search, "--index", self.one)
        self.assertGreater(alone.count(b"\n"), GAMES // 2)
        parts = [word for shard in summary["shards"] for word in ("--index", shard)]
        self.assertEqual(lines(run(self.tridex, *search, *parts)), lines(alone))
        return alone

    def same_openings(self, tables):
        asked = 0
        for rules in SYSTEMS:
            moves = ""
            for _ in range(4):
                table = ("openings", "--rules", rules, "--format", "ndjson", *(("--moves", moves) if moves else ()))
                alone = run(self.tridex, *table, "--index", self.one)
                self.assertEqual(run(self.tridex, *table, "--parquet", tables), alone, f"{rules} {moves}")
                if not alone:
                    break
                asked += 1
                moves = f"{moves} {json.loads(alone.splitlines()[0])['move']}".strip()
        self.assertGreater(asked, 15)

    def test_1_validate(self):
        out = self.folder / "validated"
        summary = ended(self.start("validate", out))
        self.same_games(out)
        self.assertGreater(summary["invalid"], 0)
        self.assertEqual(summary["games"], sum(summary[s] for s in ("valid", "warned", "ambiguous", "invalid")))
        self.assertTrue(any("f-broken-off" in message for message in summary["messages"]), summary["messages"])

    def test_2_index(self):
        merged = self.folder / "merged"
        summary = ended(self.start("index", self.folder / "shards", "--parts", "5", "--merge", merged))
        alone = self.same_index(summary)
        again = run(self.tridex, "search", "--format", "ndjson", "--index", merged)
        self.assertEqual(lines(again), lines(alone))
        run(self.tridex, "index", "--index", merged, "--verify", codes=(0,))

    def test_3_positions(self):
        tables = self.folder / "tables"
        summary = ended(self.start("positions", tables, "--parts", "4", "--keep-rows"))
        self.same_openings(tables)
        alone = self.folder / "alone"
        run(self.tridex, "export", "--index", self.one, "--parquet", alone)
        self.same_openings(alone)
        try:
            import duckdb
        except ImportError:
            print("duckdb is not installed: rows are not compared", file=sys.stderr)
            return
        mine = f"read_parquet('{tables}/rows/*/positions.parquet')"
        theirs = f"read_parquet('{alone}/positions.parquet')"

        def ask(question):
            return duckdb.sql(question).fetchall()

        self.assertEqual(ask(f"select count(*) from {mine}"), ask(f"select count(*) from {theirs}"))
        self.assertEqual(ask(f"select count(*) from {mine}"), [(summary["positions"],)])
        self.assertEqual(ask(f"select count(*) from (from {mine} except all from {theirs})"), [(0,)])
        sums = f"""select key, rules, move, count(*) games, count(*) filter (result = '1-0') white,
            count(*) filter (again) again from {theirs} where fresh group by all"""
        table = f"(select key, rules, move, games, white, again from read_parquet('{tables}/positions.parquet/*.parquet'))"
        self.assertEqual(ask(f"select count(*) from (from ({sums}) except all from {table})"), [(0,)])
        self.assertEqual(ask(f"select count(*) from (from {table} except all from ({sums}))"), [(0,)])

    def test_4_a_child_that_fails_fails_the_job_with_its_message(self):
        failed = self.start("validate", self.folder / "failed", "--options", "--rules nonsense")
        self.assertIn("the rule systems are meder", ended(failed, codes=(2,)))
        # A file that changes while the job runs is no longer what was planned.
        games = self.folder / "changing"
        games.mkdir()
        shutil.copy(self.games / "a-meder.pgn", games)
        fickle = self.folder / "fickle"
        fickle.write_text(
            f'#!/bin/sh\ncase " $* " in *" --plan "*) echo >> {games}/a-meder.pgn;; esac\nexec {self.tridex} "$@"\n'
        )
        fickle.chmod(0o755)
        shards = self.folder / "no-shards"
        failed = job(self.cluster.master, fickle, "index", [games], shards, target=self.target)
        self.assertIn("has changed since it was split", ended(failed, codes=(2,)))
        self.assertEqual(list(shards.glob("shard-*")), [])

    def test_5_a_worker_dies_in_the_middle(self):
        shards = self.folder / "shards-of-one"
        running = self.start("index", shards, "--parts", "8", tridex=self.slow())
        for _ in range(3000):
            if list(shards.glob("shard-*")) or running.poll() is not None:
                break
            time.sleep(0.05)
        self.assertIsNone(running.poll(), "it was over too early")
        self.assertEqual(len(self.cluster.kill_worker()), 1, "an executor died with it")
        summary = ended(running)
        self.assertEqual(len(summary["shards"]), len(list(shards.iterdir())), "nothing is left behind")
        self.same_index(summary)
        # The other jobs the same way, each with a Worker more to lose.
        for name, check in (("validate", self.same_games), ("positions", self.same_openings)):
            self.cluster.add_worker(f"more-{name}")
            out = self.folder / f"{name}-of-one"
            running = self.start(name, out, tridex=self.slow())
            begun = out / ("_temporary" if name == "validate" else "rows")
            pattern = "0/task*" if name == "validate" else "part-*"
            for _ in range(3000):
                if list(begun.glob(pattern)) or running.poll() is not None:
                    break
                time.sleep(0.05)
            self.assertIsNone(running.poll(), f"{name} was over too early")
            self.assertEqual(len(self.cluster.kill_worker()), 1)
            ended(running)
            check(out)


class Groups(unittest.TestCase):
    """What needs no engine."""

    def test_every_piece_is_in_one_group_whatever_the_order(self):
        pieces = [
            json.dumps({"path": f"{n % 3}.pgn", "offset": n, "length": 1, "seal": f"{n * 7919:08x}"}) for n in range(50)
        ]
        groups = jobs.grouped(pieces, 7)
        self.assertEqual(sorted(sum(groups, [])), sorted(pieces))
        self.assertEqual(jobs.grouped(pieces[::-1], 7), groups)
        self.assertGreater(len(groups), 4)
        self.assertEqual(jobs.grouped([], 7), [])


if __name__ == "__main__":
    unittest.main()
