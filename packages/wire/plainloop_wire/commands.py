"""`plainloop wire-server`: its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final, Literal

import typer


def wire_server(
    host: Annotated[str, typer.Option(help="address to listen on")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any free one")] = 8399,
    script: Annotated[
        Path | None, typer.Option(help="answers from this file instead of the brain")
    ] = None,
    fail: Annotated[
        list[str] | None,
        typer.Option(metavar="TIMESxSTATUS", help="such as 2x529; 1x0 drops the line"),
    ] = None,
    first_ms: Annotated[
        float, typer.Option(min=0, metavar="MS", help="wait before each answer")
    ] = 0,
    delay_ms: Annotated[
        float, typer.Option(min=0, metavar="MS", help="wait between two pieces of it")
    ] = 0,
    retry_after_s: Annotated[
        float | None, typer.Option(min=0, metavar="SECONDS", help="sent with failures")
    ] = None,
    cut_after_bytes: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="break each answer off there")
    ] = None,
    cut_after_events: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="the same, of streams")
    ] = None,
    cut_end: Annotated[
        Literal["abort", "clean", "error"], typer.Option(help="how it breaks off")
    ] = "abort",
    key: Annotated[
        str | None, typer.Option(metavar="KEY", help="the only key that is accepted")
    ] = None,
    strict_models: Annotated[
        bool, typer.Option("--strict-models", help="404 for models that the provider has not")
    ] = False,
    context_tokens: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="longer prompts are refused; Ollama's are cut"),
    ] = None,
    log_file: Annotated[Path | None, typer.Option(help="every request as a JSON line")] = None,
) -> None:
    """Serve the providers' formats without a model.

    A loopback server for tests and demos: real wire formats, strict, with failures on demand.

    \b
    plainloop wire-server --port 8399 --fail 2x529 --delay-ms 20
    AGENT_PROVIDER=anthropic AGENT_API_BASE=http://127.0.0.1:8399 ANTHROPIC_API_KEY=any \\
        plainloop ask "list my jobs"
    """
    from .running import serve

    serve(
        host,
        port,
        script,
        log_file,
        fail=fail or (),
        first_ms=first_ms,
        delay_ms=delay_ms,
        retry_after_s=retry_after_s,
        cut_after_bytes=cut_after_bytes,
        cut_after_events=cut_after_events,
        cut_end=cut_end,
        key=key,
        strict_models=strict_models,
        context_tokens=context_tokens,
    )


COMMANDS: Final[dict[str, Any]] = {"wire-server": wire_server}
