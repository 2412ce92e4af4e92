"""`plainloop import langgraph|openai|otel|langfuse|langsmith`: their options. COMMANDS has all."""

from __future__ import annotations

from inspect import cleandoc
from typing import Annotated

import typer

from plainloop.agent.cli.terminal.options import grouped
from plainloop.agent.packs.commands import launch, make_group

from .options import Destination, Reading

imports = make_group("Import conversations, traces and files from other systems.")
COMMANDS = {"import": imports}

Files = Annotated[
    list[str], typer.Argument(metavar="FILE…", help="file to import, plain or gzip; - reads stdin")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="check the file without writing anything")]


@imports.command("langgraph")
@grouped
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
    *,
    destination: Destination,
    dry_run: DryRun = False,
) -> None:
    """Import the threads of LangGraph's checkpoint tables.

    \b
    plainloop import langgraph postgresql://reader@db/app --dry-run
    plainloop import langgraph checkpoints.sqlite --user ann

    Reads the tables of LangGraph for Python and JS, and does not need LangGraph. Threads that wait
    become approvals.
    """
    from .terminal import Request, import_threads

    request = Request("langgraph", [source], destination, is_dry=dry_run)
    launch(context, import_threads, request, schema, messages_key)


def add_files_command(source: str, told: str) -> None:
    """Add the command `import SOURCE`, which imports files, with this help text."""

    @imports.command(source, help=cleandoc(told))
    @grouped
    def import_files(
        context: typer.Context,
        files: Files,
        destination: Destination,
        reading: Reading,
        dry_run: DryRun = False,
    ) -> None:
        from .terminal import Request, import_files

        request = Request(source, files, destination, reading, is_dry=dry_run)
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
