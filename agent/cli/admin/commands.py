"""`plainloop serve`, `doctor`, `migrate`, …: the commands and their options."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from ...dataclasses import asdict, dataclass
from ...store.connecting.settings import DeploySettings
from ..brought import ExtendedGroup
from ..terminal.launching import launch, launch_with_store
from ..terminal.options import grouped, option

doctors = typer.Typer(cls=ExtendedGroup, rich_markup_mode=None, invoke_without_command=True)


@dataclass(frozen=True, slots=True)
class Listening:
    """Options of where to serve; None: the settings decide."""

    host: str | None = option("network address to listen on")
    port: int | None = option(
        "port to listen on; 0 picks any free one", None, "-p", min=0, max=65535
    )


@dataclass(frozen=True, slots=True)
class Serving(Listening):
    """Options of how to serve."""

    workers: int | None = option("number of processes that serve this port", min=1)
    opens: bool = option("open the console in a browser", False, "--open")


@dataclass(frozen=True, slots=True)
class Migrating:
    """Alternatives to migrating; at most one may be chosen."""

    status: bool = option("only list the applied migrations", False)
    dry_run: bool = option("run the migrations, then roll them back", False)
    repair: bool = option("create roles, grants and policies again", False)
    reset: bool = option("drop the tables of edited migrations and create them again, empty", False)
    by_months: bool = option("from now on, partition growing tables by month", False)
    from_older: bool = option("first of two steps to upgrade a database of version 0.1", False)


@grouped
def migrate(what: Migrating) -> None:
    """Migrate the database to this version.

    Every command that uses the database also migrates it first.
    """
    from . import migrate as migrating

    given = [f"--{name.replace('_', '-')}" for name, is_given in asdict(what).items() if is_given]
    if len(given) > 1:
        raise typer.BadParameter(f"{' and '.join(given)} exclude each other: give one of them")
    if what.by_months:
        # Each `launch` ends the command: it raises typer.Exit.
        launch_with_store(migrating.begin_months)
    if what.status or what.repair or what.reset:
        other = migrating.repair if what.repair else migrating.reset
        launch(migrating.open_as_it_is(migrating.list_migrations if what.status else other))
    options = {"dry_run": what.dry_run, "from_older": what.from_older}
    launch(migrating.open_as_it_is(migrating.migrate, **options))


@doctors.callback()
def doctor(
    context: typer.Context,
    live: Annotated[
        bool,
        typer.Option(
            "--live",
            help="also call each provider: check models, streams, usage, tools, reasoning, window",
        ),
    ] = False,
) -> None:
    """Check the installation and explain how to fix problems.

    Checks Python, packages, data directory, database, settings, providers and token counting.
    The exit code is 1 when something required does not work.

    \b
    plainloop doctor --live
    plainloop doctor thread last --fix
    """
    if context.invoked_subcommand is not None:
        return
    from .doctor import doctor

    launch(doctor(live=live))


def models(
    provider: Annotated[
        str | None, typer.Argument(metavar="[PROVIDER]", help="name of the provider; default: all")
    ] = None,
) -> None:
    """List the models of a provider.

    Without PROVIDER, the command first shows the model and price of each role, then the models of
    all configured providers.
    """
    from .models import list_models

    launch(list_models(provider))


@grouped
def serve(context: typer.Context, how: Serving) -> None:
    """Serve the HTTP API until stopped.

    \b
    plainloop serve --port 8080
    curl http://127.0.0.1:8080/api/health

    Without keys in [auth], the server listens on loopback only, and every caller is the same local
    user. On Ctrl-C or SIGTERM, running steps finish and other replicas continue the runs.
    """
    from ...config.installed import load_hook
    from ...config.settings import load_settings

    settings = load_settings()
    nice = settings.get_table(DeploySettings).start_nice
    if nice and (start_aside := load_hook("starting")):  # most of a start is what it imports
        start_aside(nice, lambda: import_module(f"{__package__}.serve").import_served(settings))
    from .serve import serve

    changes = {"host": how.host, "port": how.port, "workers": how.workers}
    serve(settings, changes, opens=how.opens, debug=context.obj.debug)


@grouped
def start(context: typer.Context, how: Serving) -> None:
    """Start the service: the same as `serve`."""
    serve(context=context, **asdict(how))


def token(
    user: Annotated[str, typer.Argument(metavar="USER", help="the user that the token signs in")],
    tenant: Annotated[str, typer.Option("--tenant", help="the user's tenant")] = "default",
    admin: Annotated[
        bool, typer.Option("--admin", help="the token may act for every user of the tenant")
    ] = False,
    hours: Annotated[
        # At most a century: "inf" is a number as well, and no date.
        float, typer.Option("--hours", min=0.01, max=876_600, help="how long the token is valid")
    ] = 12,
) -> None:
    """Create a JWT for the HTTP API.

    The token is signed with AGENT_AUTH_JWT_SECRET. Use it for development and small installations.

    \b
    curl -H "Authorization: Bearer $(plainloop token ada)" http://127.0.0.1:8000/api/config
    """
    from .serve import print_token

    print_token(user, tenant, is_admin=admin, hours=hours)


def new(
    folder: Annotated[Path, typer.Argument(metavar="NAME", help="the project's folder")],
) -> None:
    """Create a sample project that can be run at once.

    The project has a pack with a table, tools and a worker, a test with a scripted model, and
    settings.

    \b
    plainloop new desk
    cd desk && plainloop ask "add a task: water the plants"
    """
    from .project import write_new

    write_new(folder)


@grouped
def dev(where: Listening) -> None:
    """Serve, and restart whenever one of your files changes.

    If a migration was edited, the tables of its pack are created again and their rows are lost.
    """
    from .project import serve_again

    launch(serve_again(where.host, where.port))
