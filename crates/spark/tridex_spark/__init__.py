"""tridex on Apache Spark.

Three jobs over collections of games: `validate`, `index` and `positions`. Each cuts the files with `tridex plan`, gives
the pieces to the tasks of an engine, and has the same program read them there: what comes out is what comes out on one
machine. Transport, scheduling and trying again are Spark's.

The program must be found under the same path on every machine, and so must the files and the folder of the results.
"""

from .child import ChildFailed
from .jobs import index, positions, validate

__all__ = ["ChildFailed", "index", "positions", "validate"]
