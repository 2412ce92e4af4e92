"""Ray: `--engine ray`, on a cluster (`--address ray://host:10001`) or one of this machine."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from plainloop.agent.base.extras import load_extra
from plainloop_lab.replay.engines.tasks import RETRIES, Run, Task


@contextmanager
def open_ray(address: str | None, processes: int) -> Generator[Run]:
    """Connect to a Ray cluster, else start local processes, to run tasks there.

    Yields the function that runs them.
    """
    ray = load_extra("ray", "ray", of="plainloop-lab")
    own = {"num_cpus": processes, "include_dashboard": False} if address is None else {}
    ray.init(address=address, log_to_driver=False, **own)
    try:
        yield partial(_run, ray)
    finally:
        ray.shutdown()


def _run(ray: Any, work: Callable[[Task], Any], tasks: Sequence[Task]) -> Iterator[tuple[int, Any]]:
    remote = ray.remote(max_retries=RETRIES)(work)
    waiting, running = list(enumerate(tasks))[::-1], dict[Any, int]()
    while waiting or running:
        # Each time: an autoscaled cluster may begin without a processor, and grows with its tasks
        # (test_ray_waits_for_the_first_processor_of_its_cluster).
        at_once = 2 * max(1, int(ray.cluster_resources().get("CPU", 0)))
        while waiting and len(running) < at_once:
            place, task = waiting.pop()
            running[remote.remote(task)] = place
        for found in ray.wait([*running])[0]:
            yield running.pop(found), ray.get(found)
