"""Which engines there are."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Final, Literal, Protocol

from plainloop_lab.engines.dask import open_dask
from plainloop_lab.engines.ray import open_ray
from plainloop_lab.engines.spark import open_spark

from .local import open_local
from .tasks import Run

EngineName = Literal["local", "ray", "dask", "spark"]


class OpenEngine(Protocol):
    """address: of a cluster; None: one that is begun for this replay, on this machine.
    processes: of such a one.
    """

    def __call__(self, address: str | None, processes: int) -> AbstractContextManager[Run]: ...


ENGINES: Final[Mapping[EngineName, OpenEngine]] = {
    "local": open_local,
    "ray": open_ray,
    "dask": open_dask,
    "spark": open_spark,
}
