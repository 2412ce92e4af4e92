"""`plainloop serve` runs the HTTP API until a signal; `plainloop token` prints a JWT for it."""

from __future__ import annotations

import asyncio
import sys
import webbrowser
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any, Final

from ....server.auth.identity import Authenticator, Identity, make_token
from ....server.observe.collector import tune_collector
from ....server.observe.logs import configure_server_logging
from ....server.serving import Replica, check_binding, stopped_by_signals
from ....server.settings import AuthSettings, ServerSettings
from ...base.listening import open_listener
from ...config.installed import load_entries
from ...config.settings import Settings, load_settings
from ...designs.base import load_design
from ...packs.loading import load_served_packs
from ...service.service import Service
from ...store.connecting.settings import DatabaseSettings
from ..terminal import output
from ..terminal.running import make_loop, run_in
from ..terminal.serving import describe_model, open_service
from .workers import Supervisor, Worker

CHECKOUT: Final = "./scripts/start"


def import_served(settings: Settings) -> None:
    """Import the packs, the design and the installed extensions that serving needs.
    Raises: ConfigError if one is missing.
    """
    load_served_packs(settings)
    load_design(settings.agent.design)
    load_entries("hosts")


def serve(settings: Settings, changes: dict[str, Any], *, opens: bool, debug: bool) -> None:
    """Serve the HTTP API until a signal, then drain. The address is printed once it is ready.
    changes: what the command line says instead of `[server]`; None: nothing. opens: open the
    console in a browser.

    Raises: ConfigError when the address is taken, or open to the network without authentication.
    """
    given = {name: value for name, value in changes.items() if value is not None}
    settings = settings.change(ServerSettings, **given)
    where = settings.get_table(ServerSettings)
    check_binding(settings, where.host)

    def announce(banner: list[str]) -> None:
        output.write_lines(banner)
        if opens:  # aside: a browser in a terminal gives back when it is left
            url = banner[0].rsplit(" ", 1)[-1]
            Thread(target=webbrowser.open, args=(url,), daemon=True).start()

    worker = None
    if where.workers > 1:
        # Before the fork: workers share the pages of what is imported, until they write to them.
        import_served(settings)
        worker = Supervisor(where.host, where.port, where.workers).run(announce)
        # An exit code: this is the parent, whose workers have ended.
        if isinstance(worker, int):
            sys.exit(worker)
        if where.health_port:  # one a worker, or a scraper would see any of them
            health_port = where.health_port + worker.index
            settings = settings.change(ServerSettings, health_port=health_port)
    with asyncio.Runner(loop_factory=partial(make_loop, settings)) as runner:
        run_in(runner, _serve(settings, worker, announce, debug=debug))


async def _serve(
    settings: Settings, worker: Worker | None, announce: Callable[[list[str]], None], *, debug: bool
) -> None:
    where = settings.get_table(ServerSettings)
    # Before the service: a port that is taken is an error at once, not after a database has started
    # (test_a_port_in_use_gives_a_readable_error).
    listener = worker.listener if worker else open_listener(where.host, where.port)
    health, ready = None, asyncio.Event()
    if where.health_port is not None:
        health = open_listener(where.health_host, where.health_port)
    try:
        async with open_service(settings, loads_sdk=True, ready=ready) as service:
            # After opening, whose progress and warnings are lines for a person.
            configure_server_logging(debug=debug)
            replica = Replica(service, listener, health)

            def tell(url: str) -> None:
                (worker.report_ready if worker else announce)(build_banner(service, url))
                ready.set()
                # Last, when all long-lived objects exist: the collector never searches what is
                # frozen.
                tune_collector()

            async with stopped_by_signals(replica):
                if worker:
                    worker.stop_with_parent(replica.stop)
                await replica.serve(tell)
    finally:
        listener.close()
        if health is not None:
            health.close()


def build_banner(service: Service, url: str) -> list[str]:
    """Build the lines that are printed at start: what is served, and how to reach it."""
    settings = service.settings
    workers = settings.get_table(ServerSettings).workers
    is_embedded = settings.get_table(DatabaseSettings).url is None
    where = "embedded Postgres" if is_embedded else "DATABASE_URL"
    program = CHECKOUT if Path(CHECKOUT).is_file() else "plainloop"
    is_local = Authenticator(settings).is_local
    who = (
        "only this machine, as one user, without a token"
        if is_local
        else "everyone with a JWT or an API key"
    )
    return [
        f"plainloop is ready on {url}",
        f"  answers   {describe_model(service)}",
        f"  callers   {who}",
        f"  database  {where}, migrated",
        f"  files     {settings.data_dir}",
        *([f"  workers   {workers} processes on this port"] if workers > 1 else ()),
        f"Console: {url}/    API: {url}/docs",
        f'Ask:  {program} ask "{(*service.pack.examples, "what can you do?")[0]}"',
        f"Talk: {program} chat    All commands: {program} --help    Stop: Ctrl-C",
    ]


def print_token(user: str, tenant: str, *, is_admin: bool, hours: float) -> None:
    """Print a signed JWT for this user. Raises: ConfigError without a signing secret."""
    identity = Identity(tenant, user, is_admin=is_admin)
    output.write_line(make_token(load_settings().get_table(AuthSettings), identity, hours * 3600))
