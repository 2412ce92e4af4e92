"""`plainloop import langgraph|openai|otel|langfuse|langsmith`: their options. COMMANDS has all."""

from __future__ import annotations

from inspect import cleandoc
from pathlib import Path
from typing import Annotated

import typer

from plainloop.agent.packs.commands import LOCAL, Tenant, launch, make_group

imports = make_group("Import conversations, traces and files from other systems.")
COMMANDS = {"import": imports}

Files = Annotated[
    list[str], typer.Argument(metavar="FILE…", help="file to import, plain or gzip; - reads stdin")
]
User = Annotated[str, typer.Option("--user", help="the user who owns the imported conversations")]
Pack = Annotated[
    str | None,
    typer.Option(
        "--pack", help="pack that continues the conversations; default: the first served pack"
    ),
]
Report = Annotated[
    Path | None,
    typer.Option(
        "--report",
        metavar="FILE.json",
        help="write a report of imported, repaired and skipped items",
    ),
]
SkipBroken = Annotated[
    bool, typer.Option("--skip-broken", help="skip records that cannot be read, and list them")
]
Skipped = Annotated[
    Path,
    typer.Option(
        "--skipped", metavar="FILE.jsonl", help="file that lists skipped records: line and reason"
    ),
]
Expected = Annotated[
    Path | None,
    typer.Option(
        "--expected",
        metavar="FILE.jsonl",
        help="write the expected answers of a dataset's rows, for `plainloop gate --expected`",
    ),
]
Ids = Annotated[
    Path | None,
    typer.Option(
        "--ids",
        metavar="FILE.jsonl",
        help="list each conversation's name in the source and its id in plainloop",
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="check the file without writing anything")]


@imports.command("langgraph")
def import_langgraph(
    context: typer.Context,
    source: Annotated[
        str, typer.Argument(metavar="URL|FILE", help="postgresql://… URL, or a SQLite file")
    ],
    schema: Annotated[
        str | None,
        typer.Option("--schema", help="schema of the tables in Postgres; default: public"),
    ] = None,
    messages_key: Annotated[
        str | None,
        typer.Option(
            "--messages-key", help="channel of the graph's state that contains the messages"
        ),
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

    Reads the tables of LangGraph for Python and JS, and does not need LangGraph. Threads that wait
    become approvals.
    """
    from .terminal import Request, import_threads

    request = Request("langgraph", [source], user, tenant, pack, report, dry_run)
    launch(context, import_threads, request, schema, messages_key)


def add_files_command(source: str, told: str) -> None:
    """Add the command `import SOURCE` that reads files. told: its help."""

    @imports.command(source, help=cleandoc(told))
    def import_files(
        context: typer.Context,
        files: Files,
        user: User = LOCAL,
        pack: Pack = None,
        report: Report = None,
        skip_broken: SkipBroken = False,
        skipped: Skipped = Path("skipped.jsonl"),
        expected: Expected = None,
        ids: Ids = None,
        dry_run: DryRun = False,
        tenant: Tenant = LOCAL,
    ) -> None:
        from .terminal import Request, import_files

        listed = skipped if skip_broken else None
        told = (report, dry_run, listed, expected, ids)
        request = Request(source, files, user, tenant, pack, *told)
        launch(context, import_files, request)


add_files_command(
    "openai",
    """
    Import files of OpenAI; the format is recognised from their content.

    \b
    plainloop import openai conversations.json                    the chat product's export
    plainloop import openai completions.json messages.jsonl       stored completions
    plainloop import openai responses.jsonl                       Responses, with their items
    plainloop import openai batch-input.jsonl batch-output.jsonl errors.jsonl
    plainloop import openai fine-tuning.jsonl                     also DPO, ShareGPT and ChatML
    plainloop import openai dataset.jsonl eval.json               Evals: rows, run outputs, graders
    """,
)
add_files_command(
    "otel",
    """
    Import spans and log records of OpenTelemetry: GenAI, OpenInference, Traceloop.

    \b
    plainloop import otel traces.jsonl logs.jsonl
    plainloop import otel request.pb

    Accepts OTLP as JSON with one request per line, as the collector's file exporter writes it, and
    OTLP as protobuf.
    """,
)
add_files_command(
    "langfuse",
    """
    Import traces and observations of Langfuse, or the requests that its clients send.

    \b
    plainloop import langfuse traces.jsonl               as the API returns them
    plainloop import langfuse observations.csv           exported, JSON or CSV
    """,
)
add_files_command(
    "langsmith",
    """
    Import runs of LangSmith, or the requests that its clients send.

    \b
    plainloop import langsmith runs.jsonl                runs or a dataset, exported
    """,
)
