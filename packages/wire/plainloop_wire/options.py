"""What a wire server can be told at its start: the options of `plainloop wire-server`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from plainloop.agent.cli.terminal.options import option

LOOPBACK: Final = "127.0.0.1"
End = Literal["abort", "clean", "error"]


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Says where the server listens, how strict it is, and how it misbehaves."""

    host: str = option("address to listen on", LOOPBACK)
    port: int = option("0: any free one", 8399, min=0, max=65535)
    script: Path | None = option("answers from this file instead of the brain")
    fail: list[str] | None = option("such as 2x529; 1x0 drops the line", metavar="TIMESxSTATUS")
    first_ms: float = option("wait before each answer", 0, min=0, metavar="MS")
    delay_ms: float = option("wait between two pieces of it", 0, min=0, metavar="MS")
    retry_after_s: float | None = option("sent with failures", min=0, metavar="SECONDS")
    cut_after_bytes: int | None = option("break each answer off there", min=0, metavar="N")
    cut_after_events: int | None = option("the same, of streams", min=0, metavar="N")
    cut_end: End = option("how it breaks off", "abort")
    key: str | None = option("the only key that is accepted", metavar="KEY")
    strict_models: bool = option("404 for models that the provider has not", False)
    context_tokens: int | None = option(
        "longer prompts are refused; Ollama's are cut", min=1, metavar="N"
    )
    log_file: Path | None = option("every request as a JSON line")
