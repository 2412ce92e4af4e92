"""Spark: `--engine spark`, on a cluster (`--address spark://host:7077`) or one of this machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

from plainloop.agent.base.extras import load_extra
from plainloop_lab.replay.engines.tasks import RETRIES, Run, Task

SHARDS_A_PROCESSOR: Final = 8  # that are sent at once: their results come together


@contextmanager
def open_spark(address: str | None, processes: int) -> Generator[Run]:
    """Connect to a Spark cluster, else start local processes, to run tasks there.

    Yields the function that runs them.
    """
    spark = load_extra("pyspark", "spark", of="plainloop-lab")
    if address is None:
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # else the first on the path
    master = address or f"local[{processes},{RETRIES + 1}]"
    # spark-submit gives the master by itself.
    settings = spark.SparkConf().setIfMissing("spark.master", master)
    settings = settings.setAppName("plainloop").setIfMissing("spark.ui.enabled", "false")
    settings = settings.setIfMissing("spark.ui.showConsoleProgress", "false")
    with spark.SparkContext(conf=settings) as context:
        context.setLogLevel("ERROR")
        yield partial(_run, context)


def _run(
    context: Any, work: Callable[[Task], Any], tasks: Sequence[Task]
) -> Iterator[tuple[int, Any]]:
    def run_one(item: tuple[int, Task]) -> tuple[int, Any]:
        return item[0], work(item[1])

    at_once = SHARDS_A_PROCESSOR * context.defaultParallelism
    for begin in range(0, len(tasks), at_once):
        some = [*enumerate(tasks[begin : begin + at_once], begin)]
        yield from context.parallelize(some, len(some)).map(run_one).collect()
