"""`plainloop import langgraph|openai|otel|langfuse|langsmith`: their options. COMMANDS has all."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plainloop.agent.packs.commands import LOCAL, Tenant, launch, make_group

imports = make_group("Bring conversations, traces and files of elsewhere here.")
COMMANDS = {"import": imports}

Files = Annotated[list[str], typer.Argument(metavar="FILE…", help="plain or gzip; - reads stdin")]
User = Annotated[str, typer.Option("--user", help="whose conversations they become")]
Pack = Annotated[
    str | None,
    typer.Option("--pack", help="that goes on with them; unset: the first that is served"),
]
Report = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE.json", help="what was taken, mended, left out"),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="read all of it and write nothing")]


@imports.command("langgraph")
def import_langgraph(
    context: typer.Context,
    source: Annotated[
        str, typer.Argument(metavar="URL|FILE", help="postgresql://… or a SQLite file")
    ],
    schema: Annotated[
        str | None, typer.Option("--schema", help="of the tables in Postgres; unset: the usual one")
    ] = None,
    messages_key: Annotated[
        str | None, typer.Option("--messages-key", help="the channel that holds the messages")
    ] = None,
    user: User = LOCAL,
    pack: Pack = None,
    report: Report = None,
    dry_run: DryRun = False,
    tenant: Tenant = LOCAL,
) -> None:
    """Import the threads of LangGraph's checkpoint tables.

    \b
    plainloop import langgraph postgresql://reader@db/app --dry-run
    plainloop import langgraph checkpoints.sqlite --user ann

    Read only, without LangGraph, of Python and JS. Threads that wait become approvals.
    """
    from .terminal import Request, import_threads

    request = Request("langgraph", [source], user, tenant, pack, report, dry_run)
    launch(context, import_threads, request, schema, messages_key)


@imports.command("openai")
def import_openai(
    context: typer.Context,
    files: Files,
    user: User = LOCAL,
    pack: Pack = None,
    report: Report = None,
    dry_run: DryRun = False,
    tenant: Tenant = LOCAL,
) -> None:
    """Import files of OpenAI: which they are is seen by what is in them.

    \b
    plainloop import openai conversations.json                    the chat product's export
    plainloop import openai completions.json messages.jsonl       stored completions
    plainloop import openai responses.jsonl                       Responses, with their items
    plainloop import openai batch-input.jsonl batch-output.jsonl errors.jsonl
    plainloop import openai fine-tuning.jsonl                     also DPO, ShareGPT and ChatML
    """
    _import_files(context, "openai", files, user, tenant, pack, report, dry_run)


@imports.command("otel")
def import_otel(
    context: typer.Context,
    files: Files,
    user: User = LOCAL,
    pack: Pack = None,
    report: Report = None,
    dry_run: DryRun = False,
    tenant: Tenant = LOCAL,
) -> None:
    """Import spans and log records of OpenTelemetry: GenAI, OpenInference, Traceloop.

    \b
    plainloop import otel traces.jsonl logs.jsonl
    plainloop import otel request.pb

    OTLP as JSON, one request a line, as the collector's file exporter writes it; or as protobuf.
    """
    _import_files(context, "otel", files, user, tenant, pack, report, dry_run)


@imports.command("langfuse")
def import_langfuse(
    context: typer.Context,
    files: Files,
    user: User = LOCAL,
    pack: Pack = None,
    report: Report = None,
    dry_run: DryRun = False,
    tenant: Tenant = LOCAL,
) -> None:
    """Import traces and observations of Langfuse, or what its clients post.

    \b
    plainloop import langfuse traces.jsonl               as the API gives them
    plainloop import langfuse observations.csv           exported, JSON or CSV
    """
    _import_files(context, "langfuse", files, user, tenant, pack, report, dry_run)


@imports.command("langsmith")
def import_langsmith(
    context: typer.Context,
    files: Files,
    user: User = LOCAL,
    pack: Pack = None,
    report: Report = None,
    dry_run: DryRun = False,
    tenant: Tenant = LOCAL,
) -> None:
    """Import runs of LangSmith, or what its clients post.

    \b
    plainloop import langsmith runs.jsonl                runs or a dataset, exported
    """
    _import_files(context, "langsmith", files, user, tenant, pack, report, dry_run)


def _import_files(
    context: typer.Context,
    source: str,
    files: list[str],
    user: str,
    tenant: str,
    pack: str | None,
    report: Path | None,
    dry_run: bool,
) -> None:
    from .terminal import Request, import_files

    launch(context, import_files, Request(source, files, user, tenant, pack, report, dry_run))
