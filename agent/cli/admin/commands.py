"""`plainloop serve`, `doctor`, `migrate`, …: the commands and their options."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from ..terminal.launching import launch, launch_with_store
from ..terminal.options import Owner, grouped, option

Host = Annotated[str | None, typer.Option("--host", help="address to listen on")]
Port = Annotated[
    int | None, typer.Option("--port", "-p", min=0, max=65535, help="0: any free port")
]
Open = Annotated[bool, typer.Option("--open", help="open the console in a browser")]

doctors = typer.Typer(rich_markup_mode=None, invoke_without_command=True)
deploys = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@dataclass(frozen=True, slots=True)
class Migrating:
    """Says what is done instead of migrating; one of these at a time."""

    status: bool = option("only list what is applied", False)
    dry_run: bool = option("try it, then roll it back", False)
    repair: bool = option("make roles, grants and policies again", False)
    reset: bool = option("make the tables of edited migrations again, empty", False)
    by_months: bool = option("keep the tables that grow by months from now on", False)


@grouped
def migrate(what: Migrating) -> None:
    """Migrate the database to this version.

    Every command that uses the database does so too.
    """
    from . import migrate as migrating

    if sum(astuple(what)) > 1:
        raise typer.BadParameter("one of these options at a time")
    if what.by_months:
        launch_with_store(migrating.begin_months)
    if what.status or what.repair or what.reset:
        other = migrating.repair if what.repair else migrating.reset
        launch(migrating.open_as_it_is(migrating.list_migrations if what.status else other))
    launch(migrating.open_as_it_is(migrating.migrate, dry_run=what.dry_run))


@doctors.callback()
def doctor(
    context: typer.Context,
    live: Annotated[
        bool,
        typer.Option(
            "--live", help="also call each provider: list, stream, usage, tools, reasoning, window"
        ),
    ] = False,
) -> None:
    """Check everything and say what to do.

    Python, packages, data directory, database, settings, providers, token counting.
    Exit code 1 when something that is needed does not work.

    \b
    plainloop doctor --live
    plainloop doctor thread last --fix
    """
    if context.invoked_subcommand is not None:
        return
    from .doctor import doctor

    launch(doctor(live=live))


@doctors.command("thread")
@grouped
def doctor_thread(
    owner: Owner,
    thread: Annotated[
        str, typer.Argument(metavar="THREAD", help="its id, the start of its id, or `last`")
    ],
    fix: Annotated[
        bool, typer.Option("--fix", help="save the repaired conversation as a new thread")
    ] = False,
) -> None:
    """Check a stored conversation.

    Open tool calls, results without a call, empty messages: what a provider would refuse. Every
    model call repairs that on its way out; --fix writes it down. Exit code 1 when it is left so.
    """
    from .doctor_thread import doctor_thread

    launch_with_store(doctor_thread, owner, thread, fix=fix)


@deploys.callback()
def deploy() -> None:
    """Judge code before it serves."""


@deploys.command("check")
def deploy_check(
    file: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE.jsonl",
            help="a file made by `export --recording`; default: the database",
        ),
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="DIR", help="folder for the report's files")
    ] = None,
) -> None:
    """Replay what was said by this code, and say what it would do otherwise.

    \b
    DATABASE_URL=postgresql://reader@db/plainloop plainloop deploy check --report report
    plainloop deploy check --from recorded.jsonl

    As a starting replica does with AGENT_DEPLOY_JUDGE: no model, no tool, no token; the database
    is only read. allowed.toml names what is meant. Exit code 1 when something else differs.
    """
    from .deploy import check_deploy

    launch(check_deploy(file, report))


def models(provider: Annotated[str | None, typer.Argument(metavar="[PROVIDER]")] = None) -> None:
    """List the models of a provider.

    Without one: which model does what at which price, and those of all configured providers.
    """
    from .models import list_models

    launch(list_models(provider))


def serve(
    context: typer.Context, host: Host = None, port: Port = None, opens: Open = False
) -> None:
    """Serve the HTTP API until a signal.

    \b
    plainloop serve --port 8080
    curl http://127.0.0.1:8080/api/health

    Without keys in [auth] it listens on loopback only: everybody who can connect is the one local
    user. Ctrl-C or SIGTERM lets running steps finish and hands the rest to other replicas.
    """
    from ...config.settings import load_settings
    from ...deploy.aside import call_aside, set_group_nice

    settings = load_settings()
    if nice := settings.deploy.start_nice:  # most of a start is what it imports
        set_group_nice(nice)
        call_aside(nice, lambda: import_module(f"{__package__}.serve").import_served(settings))
    from .serve import serve

    serve(settings, host, port, opens=opens, debug=context.obj.debug)


def start(
    context: typer.Context, host: Host = None, port: Port = None, opens: Open = False
) -> None:
    """Start everything: the same as serve."""
    serve(context, host, port, opens)


def token(
    user: Annotated[str, typer.Argument(metavar="USER", help="the user the token is for")],
    tenant: Annotated[str, typer.Option("--tenant", help="the user's tenant")] = "default",
    admin: Annotated[
        bool, typer.Option("--admin", help="the token may act for every user of the tenant")
    ] = False,
    hours: Annotated[
        float, typer.Option("--hours", min=0.01, help="how long the token is valid")
    ] = 12,
) -> None:
    """Make a JWT for the HTTP API.

    Signed with AGENT_AUTH_JWT_SECRET: for development and small installations.

    \b
    curl -H "Authorization: Bearer $(plainloop token ada)" http://127.0.0.1:8000/api/config
    """
    from .serve import print_token

    print_token(user, tenant, is_admin=admin, hours=hours)


def new(
    folder: Annotated[Path, typer.Argument(metavar="NAME", help="the project's folder")],
) -> None:
    """Make a project of your own that runs at once.

    A pack with a table, tools and a worker, a test with a scripted model, and settings.

    \b
    plainloop new desk
    cd desk && plainloop ask "add a task: water the plants"
    """
    from .project import write_new

    write_new(folder)


def dev(host: Host = None, port: Port = None) -> None:
    """Serve, and again after each change of your files.

    A pack's tables are made again when one of its migrations was edited: their rows are lost.
    """
    from .project import serve_again

    launch(serve_again(host, port))
