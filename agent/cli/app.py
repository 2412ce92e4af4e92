"""The commands and their options, as `--help` shows them. What they do is in the other modules,
which are imported only when their command runs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import typer
from typer.core import TyperGroup

from .. import __version__
from ..errors import AgentError
from .decide.commands import compacts, compare, gate, judge, label, routes, tune
from .decide.rollout_commands import canaries, shadows
from .mcp.commands import mcps
from .replay.commands import export, replays
from .terminal.failures import EXIT_CODES, configure_logging, report_failure
from .terminal.output import close_streams, prepare_streams
from .usage.budget_commands import budgets
from .usage.commands import usages

PROGRAM = "plainloop"
LOCAL = "local"  # plainloop.agent.service.service's LOCAL_TENANT, which is slow to import

Text = Annotated[list[str], typer.Argument(metavar="TEXT", help="the message; - reads stdin")]
Thread = Annotated[
    str | None, typer.Option("--thread", "-t", help="go on with this thread: its id or the start")
]
Last = Annotated[bool, typer.Option("--last", "-l", help="go on with the newest thread")]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="for usage reports; may be repeated")]
Tenant = Annotated[str, typer.Option("--tenant", hidden=True)]
Json = Annotated[bool, typer.Option("--json", help="all of it as JSON")]

# As the help page lists them: what one does first, then what one looks at, then upkeep.
# Those of packs stand at "".
ORDER: Final = (
    *("start", "ask", "chat", "onboard", "", "threads", "show", "explain", "approvals"),
    *("approve", "usage", "budget", "replay", "export", "gate", "judge", "label", "compare"),
    *("route", "compact", "tune", "shadow", "canary", "models", "doctor", "serve", "mcp"),
    *("token", "migrate", "new", "dev", "wire-server"),
)


class OrderedGroup(TyperGroup):
    """Our commands in our order, and those of the packs, which are read when they are needed."""

    def list_commands(self, ctx: Any) -> list[str]:
        with suppress(AgentError):  # a help page must not fail for a setting
            self._add_pack_commands()
        known = {name: place for place, name in enumerate(ORDER)}
        names = super().list_commands(ctx)
        return sorted(names, key=lambda name: known.get(name, known[""]))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.commands:
            self._add_pack_commands()
        return super().get_command(ctx, cmd_name)

    def _add_pack_commands(self) -> None:
        from .pack_commands import load_commands

        for name, command in load_commands().items():
            self.commands.setdefault(name, command)


app = typer.Typer(
    cls=OrderedGroup,
    rich_markup_mode=None,  # rich costs 0.1 s that a help page need not pay
    no_args_is_help=True,
    epilog=f"\b\nExit codes:\n{EXIT_CODES}",
    pretty_exceptions_enable=False,
)
doctors = typer.Typer(rich_markup_mode=None, invoke_without_command=True)
app.add_typer(doctors, name="doctor")
app.add_typer(replays, name="replay", help="Run recorded conversations again.")
app.command()(export)
app.command()(gate)
app.command()(judge)
app.command()(label)
app.command()(compare)
app.command()(tune)
app.add_typer(routes, name="route", help="Which model is good enough where.")
app.add_typer(compacts, name="compact", help="Ways of keeping histories short.")
app.add_typer(shadows, name="shadow", help="A candidate beside what is served, unseen by users.")
app.add_typer(canaries, name="canary", help="A candidate for a share of threads, taken back.")
app.add_typer(mcps, name="mcp")
app.add_typer(usages, name="usage")
app.add_typer(budgets, name="budget", help="Budgets: what runs, users and tenants may spend.")


@dataclass(slots=True)
class Invocation:
    """What holds for whatever command was given."""

    debug: bool = False

    @property
    def terminal(self) -> Any:
        """For the commands of packs: a `packs.terminal.Terminal`."""
        from .terminal.pack_terminal import PackTerminal

        return PackTerminal()


def run(arguments: Sequence[str]) -> int:
    """Run one command; returns its exit code. Whatever it raises is told in one line."""
    prepare_streams()
    add_current_folder()
    invocation = Invocation()
    try:
        code = app(list(arguments), prog_name=PROGRAM, standalone_mode=False, obj=invocation)
    except Exception as error:  # noqa: BLE001 - the edge
        return report_failure(error, debug=invocation.debug)
    finally:
        close_streams()
    return code if isinstance(code, int) else 0


def add_current_folder() -> None:
    """Packs and designs of a project are found in it; nothing that is installed is hidden by it."""
    with suppress(OSError):  # the folder is gone
        if (folder := os.getcwd()) not in sys.path:  # noqa: PTH109 - as Python has it
            sys.path.append(folder)


def _launch(work: Coroutine[Any, Any, int | None]) -> None:
    from .terminal.running import run_async

    raise typer.Exit(run_async(work) or 0)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"{PROGRAM} {__version__}")
        raise typer.Exit


@app.callback()
def main(
    context: typer.Context,
    debug: Annotated[bool, typer.Option("--debug", help="show logs and tracebacks")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """An agent service whose whole engine can be read in an afternoon.

    \b
    plainloop ask "how many jobs have I applied to?"
    plainloop chat --last
    plainloop explain last

    Settings: plainloop.toml and AGENT_… variables; `plainloop doctor` shows them.
    """
    context.obj.debug = debug
    configure_logging(debug=debug)


@app.command()
def ask(
    text: Text,
    thread: Thread = None,
    last: Last = False,
    as_json: Annotated[bool, typer.Option("--json", help="every event as a JSON line")] = False,
    tag: Tags = None,
    tenant: Tenant = LOCAL,
) -> None:
    """Ask one thing.

    \b
    plainloop ask "add a job: Web Developer at Hooli, remote"
    plainloop ask --last "move it to applied"
    plainloop ask - <question.txt

    The answer comes as it is made, then one line says what it took: route, tools, tokens, cost,
    time. In a pipe, stdout is the final answer and nothing else. Ctrl-C stops the run and keeps
    the thread.
    """
    from .talk.ask import ask
    from .terminal.opening import Owner

    owner = Owner(tenant, tags=(*(tag or ()),))
    _launch(ask(" ".join(text), owner, _choose(thread, last), as_json=as_json))


@app.command()
def chat(
    context: typer.Context,
    thread: Thread = None,
    last: Last = False,
    tag: Tags = None,
    tenant: Tenant = LOCAL,
) -> None:
    """Talk in the terminal, or over a pipe.

    \b
    plainloop chat --last
    printf 'list my jobs\\n' | plainloop chat

    With line editing and history; /help lists the commands. Ctrl-C stops an answer or clears the
    line, Ctrl-D quits. In a pipe each line is a message.
    """
    from .talk.chat import chat
    from .terminal.opening import Owner

    owner = Owner(tenant, tags=(*(tag or ()),))
    raise typer.Exit(chat(owner, _choose(thread, last), debug=context.obj.debug))


@app.command()
def onboard(
    context: typer.Context,
    new: Annotated[bool, typer.Option("--new", help="hold another interview")] = False,
    tenant: Tenant = LOCAL,
) -> None:
    """Hold the onboarding interview.

    \b
    plainloop onboard
    AGENT_ONBOARDING=acme.staff plainloop onboard --new

    The agent speaks first and goes on where the last interview ended; each answer is kept at
    once. Ask "what is missing?" at any time. In a pipe each line is an answer.
    """
    from .talk.onboard import onboard
    from .terminal.opening import Owner

    raise typer.Exit(onboard(Owner(tenant), begin_new=new, debug=context.obj.debug))


@app.command()
def threads(
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=1000)] = 20,
    tenant: Tenant = LOCAL,
) -> None:
    """List your threads, the newest activity first."""
    from .talk.threads import list_threads
    from .terminal.opening import Owner

    _launch(list_threads(Owner(tenant), limit))


@app.command()
def show(
    thread: Annotated[str, typer.Argument(metavar="THREAD", help="its id, the start, or last")],
    as_json: Json = False,
    tenant: Tenant = LOCAL,
) -> None:
    """Show a thread with its tool calls.

    \b
    plainloop show last
    plainloop show 0197a --json
    """
    from .talk.threads import show_thread
    from .terminal.opening import Owner

    _launch(show_thread(Owner(tenant), thread, as_json=as_json))


@app.command()
def explain(
    run: Annotated[str, typer.Argument(metavar="RUN", help="its id, a thread's, or last")],
    tenant: Tenant = LOCAL,
) -> None:
    """Explain a run node by node.

    What was read, decided and why, and what each model call took.

    \b
    plainloop explain last
    """
    from .talk.explain import explain
    from .terminal.opening import Owner

    _launch(explain(Owner(tenant), run))


@app.command()
def approvals(
    run: Annotated[str, typer.Argument(metavar="RUN", help="its id, a thread's, or last")] = "last",
    tenant: Tenant = LOCAL,
) -> None:
    """List what a run asked your approval for."""
    from .talk.approving import print_approvals
    from .terminal.opening import Owner

    _launch(print_approvals(Owner(tenant), run))


@app.command()
def approve(
    run: Annotated[str, typer.Argument(metavar="RUN", help="its id, a thread's, or last")] = "last",
    deny: Annotated[bool, typer.Option("--deny", help="refuse it instead")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="every event as a JSON line")] = False,
    tenant: Tenant = LOCAL,
) -> None:
    """Allow what a run waits for, and show how it goes on.

    \b
    plainloop approve
    plainloop approve 0197a --deny
    """
    from .talk.approving import approve
    from .terminal.opening import Owner

    _launch(approve(Owner(tenant), run, deny=deny, as_json=as_json))


@app.command()
def migrate(
    status: Annotated[bool, typer.Option("--status", help="only list what is applied")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="try it, then roll it back")] = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="make roles, grants and policies again")
    ] = False,
    reset: Annotated[
        bool, typer.Option("--reset", help="make the tables of edited migrations again, empty")
    ] = False,
) -> None:
    """Migrate the database to this version.

    Every command that uses the database does so too.
    """
    from .admin import migrate as migrating

    if status + dry_run + repair + reset > 1:
        raise typer.BadParameter("--status, --dry-run, --repair and --reset exclude each other")
    if repair:
        _launch(migrating.repair())
    if reset:
        _launch(migrating.reset())
    _launch(migrating.list_migrations() if status else migrating.migrate(dry_run=dry_run))


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
    from .admin.doctor import doctor

    _launch(doctor(live=live))


@doctors.command("thread")
def doctor_thread(
    thread: Annotated[str, typer.Argument(metavar="THREAD", help="its id, the start, or last")],
    fix: Annotated[
        bool, typer.Option("--fix", help="write the repaired conversation as a new thread")
    ] = False,
    tenant: Tenant = LOCAL,
) -> None:
    """Check a stored conversation.

    Open tool calls, results without a call, empty messages: what a provider would refuse. Every
    model call repairs that on its way out; --fix writes it down. Exit code 1 when it is left so.
    """
    from .admin.doctor_thread import doctor_thread
    from .terminal.opening import Owner

    _launch(doctor_thread(Owner(tenant), thread, fix=fix))


@app.command()
def models(
    provider: Annotated[str | None, typer.Argument(metavar="[PROVIDER]")] = None,
) -> None:
    """List the models of a provider.

    Without one: of all providers that are configured.
    """
    from .admin.models import list_models

    _launch(list_models(provider))


Host = Annotated[str | None, typer.Option("--host", help="address to listen on")]
Port = Annotated[int | None, typer.Option("--port", "-p", min=0, max=65535, help="0: any free one")]
Open = Annotated[bool, typer.Option("--open", help="open the console in a browser")]


@app.command()
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
    from .admin.serve import serve

    serve(host, port, opens=opens, debug=context.obj.debug)


@app.command()
def start(
    context: typer.Context, host: Host = None, port: Port = None, opens: Open = False
) -> None:
    """Start everything: the same as serve."""
    from .admin.serve import serve

    serve(host, port, opens=opens, debug=context.obj.debug)


@app.command()
def token(
    user: Annotated[str, typer.Argument(metavar="USER", help="whose token it is")],
    tenant: Annotated[str, typer.Option("--tenant", help="the user's tenant")] = "default",
    admin: Annotated[bool, typer.Option("--admin", help="may act for the whole tenant")] = False,
    hours: Annotated[float, typer.Option("--hours", min=0.01, help="how long it is valid")] = 12,
) -> None:
    """Make a JWT for the HTTP API.

    Signed with AGENT_AUTH_JWT_SECRET: for development and small installations.

    \b
    curl -H "Authorization: Bearer $(plainloop token ada)" http://127.0.0.1:8000/api/config
    """
    from .admin.serve import print_token

    print_token(user, tenant, is_admin=admin, hours=hours)


@app.command()
def new(
    folder: Annotated[Path, typer.Argument(metavar="NAME", help="of the project: its folder")],
) -> None:
    """Make a project of your own that runs at once.

    A pack with a table, tools and a worker, a test with a scripted model, and settings.

    \b
    plainloop new desk
    cd desk && plainloop ask "add a task: water the plants"
    """
    from .admin.project import write_new

    write_new(folder)


@app.command()
def dev(host: Host = None, port: Port = None) -> None:
    """Serve, and again after each change of your files.

    A pack's tables are made again when one of its migrations was edited: their rows are lost.
    """
    from .admin.project import serve_again

    _launch(serve_again(host, port))


@app.command("wire-server")
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
    from .admin.wire import serve

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


def _choose(thread: str | None, last: bool) -> str | None:
    """The thread that the options name; None for a new one."""
    if thread is not None and last:
        raise typer.BadParameter("--thread and --last exclude each other")
    return "last" if last else thread
