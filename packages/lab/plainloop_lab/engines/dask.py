"""Dask: `--engine dask`, on a cluster (`--address tcp://host:8786`) or one of this machine."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import Any

from plainloop.agent.base.extras import load_extra
from plainloop_lab.replay.engines.tasks import RETRIES, Run, Task


@contextmanager
def open_dask(address: str | None, processes: int) -> Generator[Run]:
    """Connect to a Dask cluster, else start local processes, to run tasks there.

    Yields the function that runs them.
    """
    dask = load_extra("distributed", "dask", of="plainloop-lab")
    # One thread each: Python's threads would share a processor.
    own: dict[str, Any] = {
        "n_workers": processes,
        "threads_per_worker": 1,
        "dashboard_address": None,
        "silence_logs": logging.ERROR,
    }
    with dask.Client(address) if address else dask.Client(**own) as client:
        yield partial(_run, dask, client)


def _run(
    dask: Any, client: Any, work: Callable[[Task], Any], tasks: Sequence[Task]
) -> Iterator[tuple[int, Any]]:
    waiting = iter(enumerate(tasks))

    def send(count: int) -> list[Any]:
        sent = [
            (n, client.submit(work, t, pure=False, retries=RETRIES))
            for n, t in islice(waiting, count)
        ]
        places.update({future.key: place for place, future in sent})
        return [future for _, future in sent]

    places: dict[str, int] = {}
    done = dask.as_completed(send(2 * max(1, sum(client.nthreads().values()))))
    for future in done:
        yield places.pop(future.key), future.result()
        future.release()
        for following in send(1):
            done.add(following)
