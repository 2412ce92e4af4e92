"""What a wire server can be told at its start: the options of `plainloop wire-server`."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

from plainloop.agent.cli.terminal.options import option
from plainloop.agent.dataclasses import dataclass

LOOPBACK: Final = "127.0.0.1"
End = Literal["abort", "clean", "error"]


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Options of the server: where it listens, how strict it is, which failures it injects."""

    host: str = option("address to listen on", LOOPBACK)
    port: int = option("port to listen on; 0 picks any free one", 8399, min=0, max=65535)
    script: Path | None = option("file with the answers to send; default: rules write the answers")
    fail: list[str] | None = option(
        "fail the first requests with a status: 2x529; 1x0 drops the connection; may be repeated",
        metavar="TIMESxSTATUS",
    )
    first_ms: float = option("wait before each answer", 0, min=0, metavar="MS")
    delay_ms: float = option("wait between two pieces of an answer", 0, min=0, metavar="MS")
    retry_after_s: float | None = option("send Retry-After with failures", min=0, metavar="SECONDS")
    cut_after_bytes: int | None = option("cut each answer off after N bytes", min=0, metavar="N")
    cut_after_events: int | None = option("cut each stream off after N events", min=0, metavar="N")
    cut_end: End = option("how a cut answer ends", "abort")
    key: str | None = option("the only key that is accepted", metavar="KEY")
    strict_models: bool = option("answer 404 for models that the provider does not have", False)
    context_tokens: int | None = option(
        "refuse prompts with more tokens; with Ollama's API, cut them", min=1, metavar="N"
    )
    log_file: Path | None = option("write every request to this file, as a line of JSON")
