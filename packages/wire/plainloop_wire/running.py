"""`plainloop wire-server`: the providers' real formats on loopback, with no model behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from plainloop.agent.cli.terminal import output
from plainloop.agent.config.settings import load_settings
from plainloop.agent.packs.loading import load_served_packs

from .serving import run_wire_server


def serve(host: str, port: int, script: Path | None, log_file: Path | None, **options: Any) -> None:
    """Serve until a signal. Raises: ConfigError for a bad script, fault or address."""
    load_served_packs(load_settings())  # the stand-in learns their rules
    run_wire_server(host, port, script=script, log_file=log_file, echo=output.write_line, **options)
