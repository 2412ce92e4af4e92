"""The commands and their options, as `--help` shows them. What they do is in the other modules,
which are imported only when their command runs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from copy import copy
from functools import partial
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup
from typer.main import get_command

from .. import __version__
from ..dataclasses import dataclass
from ..errors import AgentError
from .admin import commands as admin
from .admin.key_commands import audit, keys
from .brought import LAB, refuse_missing
from .mcp.commands import mcps
from .talk import commands as talk
from .terminal.failures import EXIT_CODES, configure_logging, report_failure
from .terminal.output import close_streams, prepare_streams
from .usage.budget_commands import budgets
from .usage.commands import usages

PROGRAM = "plainloop"
# As the help page lists them: what one does first, then what one looks at, then upkeep.
# Those of packs stand at PACKAGES, each under its own panel.
PACKAGES: Final = "Packages"  # without a panel of their own
PANELS: Final = {
    "Talk": ("start", "ask", "chat", "onboard"),
    PACKAGES: (),
    "What happened": (
        *("threads", "show", "explain", "failures", "approvals", "approve", "usage", "budget"),
        "learned",
    ),
    "Replay and decide": ("replay", "export", *LAB),
    "Run the service": (
        *("models", "doctor", "deploy", "serve", "mcp", "token", "keys", "audit", "webhooks"),
        *("schedules", "migrate", "tenant", "import"),
    ),
    "Develop": ("new", "dev", "demo", "wire-server"),
}


class OrderedGroup(TyperGroup):
    """A command group: our commands in our order, and packages' commands, loaded when needed."""

    def list_commands(self, ctx: Any) -> list[str]:
        with suppress(AgentError):  # a help page must not fail for a setting
            self._add_pack_commands()
        return sorted(super().list_commands(ctx), key=self._find_place)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.commands:
            self._add_pack_commands()
        if cmd_name not in self.commands:
            refuse_missing(cmd_name)
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands of `--help` in panels, without the package rich."""
        panels: dict[str, list[str]] = {}
        for name in self.list_commands(ctx):
            panels.setdefault(self._get_panel(name), []).append(name)
        widest = max(map(len, self.commands))
        for panel, names in panels.items():
            with formatter.section(panel):
                formatter.write_dl(
                    (
                        name.ljust(widest),
                        self.commands[name].get_short_help_str(formatter.width - widest - 6),
                    )
                    for name in names
                    if not self.commands[name].hidden
                )

    def _get_panel(self, name: str) -> str:
        ours = next((panel for panel, names in PANELS.items() if name in names), None)
        return ours or getattr(self.commands[name], "rich_help_panel", None) or PACKAGES

    def _find_place(self, name: str) -> tuple[int, int]:
        """Return a command's place: (panel, place in it); packs' commands come last."""
        panel = self._get_panel(name)
        names = PANELS.get(panel, ())
        place = [*PANELS].index(panel if panel in PANELS else PACKAGES)
        return place, names.index(name) if name in names else len(names)

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
app.add_typer(admin.doctors, name="doctor")
for command in (
    *(talk.ask, talk.chat, talk.onboard, talk.threads, talk.show, talk.explain),
    talk.failures,
    *(talk.approvals, talk.approve),
    *(admin.models, admin.serve, admin.start, admin.token, admin.migrate),
    *(admin.new, admin.dev, audit),
):
    app.command()(command)
app.add_typer(mcps, name="mcp")
app.add_typer(usages, name="usage")
app.add_typer(keys, name="keys", help="Manage API keys.")
app.add_typer(budgets, name="budget", help="Manage budgets of runs, users and tenants.")


class PlainReader:
    """Reads unset options and plain text. typer's own reader imports pydantic, which is slow."""

    def __init__(self, make_reader: Any) -> None:
        self.make_reader = make_reader

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the option's value, converted to its type."""
        kind, info = param.type_descriptor.annotation, param.type_descriptor.parameter_info
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if info.parser is None and (type(value) is kind or kind == list[str]):
            return [*value] if kind == list[str] else value
        return self.make_reader().coerce(value, param=param, ctx=ctx)


def build_command(name: str) -> Any:
    """Build only the named command, which is quicker; all of them if it is a group or unknown."""
    shown = copy(app)
    if found := [
        one for one in app.registered_commands if getattr(one.callback, "__name__", "") == name
    ]:
        shown.registered_commands, shown.registered_groups = found, []
    command: Any = get_command(shown)
    for part in (command, *command.commands.values()):
        for param in part.get_params(typer.Context(part)):
            param.get_runtime_param = partial(PlainReader, param.get_runtime_param)
    return command


@dataclass(slots=True)
class Invocation:
    """Data of the command line that applies to every command."""

    debug: bool = False

    @property
    def terminal(self) -> Any:
        """Return the terminal (`packs.terminal.Terminal`) that commands of packs work with."""
        from .terminal.pack_terminal import PackTerminal

        return PackTerminal()


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code, printing an exception as one line."""
    prepare_streams()
    add_current_folder()
    invocation = Invocation()
    try:
        # Not standalone: typer would print errors in its own form and exit with its own codes.
        command = build_command(arguments[0] if arguments else "")
        code = command(list(arguments), prog_name=PROGRAM, standalone_mode=False, obj=invocation)
    except Exception as error:  # noqa: BLE001 - the edge
        return report_failure(error, debug=invocation.debug)
    finally:
        close_streams()
    return code if isinstance(code, int) else 0


def add_current_folder() -> None:
    """Add the current folder to the end of the import path, for a project's packs and designs."""
    with suppress(OSError):  # the folder is gone
        if (folder := os.getcwd()) not in sys.path:  # noqa: PTH109 - as Python has it
            # At the end: a folder of the project must not take the place of an installed module
            # (tests/project/test_wheel.py::test_a_project_beside_a_folder_server_runs).
            sys.path.append(folder)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"{PROGRAM} {__version__}")
        raise typer.Exit


@app.callback()
def main(
    context: typer.Context,
    debug: Annotated[bool, typer.Option("--debug", help="show logs and tracebacks")] = False,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="print the version and exit"
        ),
    ] = False,
) -> None:
    """An agent service whose whole engine can be read in an afternoon.

    \b
    plainloop ask "how many jobs have I applied to?"
    plainloop chat --last
    plainloop explain last

    Settings come from plainloop.toml and AGENT_… variables; `plainloop doctor` shows them.
    """
    context.obj.debug = debug
    configure_logging(debug=debug)
