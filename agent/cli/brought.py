"""Subcommands that packages add, and the error for one whose package is not installed."""

from __future__ import annotations

from typing import Any, Final

from typer.core import TyperGroup

from ..errors import InputError

LAB: Final = tuple("advise gate score judge label compare route compact tune shadow canary".split())
# Of those, what is listed with the commands of a service, or apart.
LAB_TOO: Final = ("demo", "deploy", "export", "replay")
OPERATIONS: Final = ("learned", "tenant", "webhooks", "schedules", "doctor thread")
LEDGER: Final = tuple("export reconcile recost statement".split())  # of `usage`
BROUGHT: Final = {
    **dict.fromkeys((*OPERATIONS, *(f"usage {name}" for name in LEDGER)), "plainloop-operations"),
    **dict.fromkeys((*LAB, *LAB_TOO), "plainloop-lab"),
    "wire-server": "plainloop-wire",
    "import": "plainloop-importing",
    "knowledge": "plainloop-retrieval",
}


class ExtendedGroup(TyperGroup):
    """A command group to which packages add subcommands."""

    def list_commands(self, ctx: Any) -> list[str]:
        self._add_brought()
        return super().list_commands(ctx)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.commands:
            self._add_brought()
        if cmd_name not in self.commands:
            refuse_missing(f"{self.name} {cmd_name}")
        return super().get_command(ctx, cmd_name)

    def _add_brought(self) -> None:
        from .pack_commands import load_commands

        brought = load_commands().get(str(self.name))
        for name, command in getattr(brought, "commands", {}).items():
            self.commands.setdefault(name, command)


def refuse_missing(command: str) -> None:
    """Raise InputError if the command belongs to a known package that is not installed."""
    if package := BROUGHT.get(command):
        raise InputError(
            f"`plainloop {command}` needs {package}, which is not installed",
            hint=f"Install it with `pip install {package}`.",
        )
