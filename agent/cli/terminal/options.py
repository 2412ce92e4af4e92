"""Options that commands share."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from functools import wraps
from typing import Annotated, Any, Final, get_type_hints

import typer

from ...base.time.periods import YEARS, parse_period
from ...dataclasses import MISSING, dataclass, field, fields, is_dataclass
from ...packs.commands import LOCAL
from ...types import NO_OPTIONS, RunOptions

WHEN: Final = '2026-11-01, "2026-11-01 08:30", yesterday, "last month", october or "Oct 2026"'
Json = Annotated[bool, typer.Option("--json", help="print everything as JSON")]


def option(told: str, default: Any = None, *names: str, **more: Any) -> Any:
    """Declare a dataclass field that is a command-line option with the field's name.

    told: its help. more: arguments of `typer.Option`.
    """
    return field(default=default, metadata={"names": names, "help": told, **more})


def grouped(command: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a typer command so that the fields of its dataclass parameters become options."""
    parameters: list[inspect.Parameter] = []
    groups: dict[str, Any] = {}
    # typer reads one parameter for each option: the groups are unfolded in the signature that it
    # sees.
    for parameter in inspect.signature(command, eval_str=True).parameters.values():
        if is_dataclass(group := parameter.annotation):
            groups[parameter.name] = group
            parameters += _list_parameters(group)
        else:
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))

    @wraps(command)
    def run(**given: Any) -> Any:
        for name, group in groups.items():
            taken = [item.name for item in fields(group) if item.name in given]
            given[name] = group(**{item: given.pop(item) for item in taken})
        return command(**given)

    setattr(run, "__signature__", inspect.Signature(parameters))  # noqa: B010
    run.__annotations__ = {item.name: item.annotation for item in parameters}
    return run


def _list_parameters(group: Any) -> list[inspect.Parameter]:
    found: list[inspect.Parameter] = []
    hints = get_type_hints(group)
    for item in (item for item in fields(group) if item.metadata):
        more = dict(item.metadata)
        names: tuple[str, ...] = more.pop("names")
        if not any(name.startswith("--") for name in names):
            names = (f"--{item.name.replace('_', '-')}", *names)
        found.append(
            inspect.Parameter(
                item.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=inspect.Parameter.empty if item.default is MISSING else item.default,
                annotation=Annotated[hints[item.name], typer.Option(*names, **more)],
            )
        )
    return found


@dataclass(frozen=True, slots=True)
class Owner:
    """Options that name the tenant and user of a command."""

    tenant_id: str = option("", LOCAL, "--tenant", hidden=True)
    user_id: str = LOCAL
    options: RunOptions = NO_OPTIONS  # of the runs that it begins


def parse_moment(text: str) -> datetime:
    """Parse a date or time as the user writes it, such as "2026-11-01 08:30" or "Oct 2026".

    A time without a zone is local; a period stands for its start.

    >>> parse_moment("Oct 2026"), parse_moment("2026-11-01 08:30")
    (datetime.datetime(2026, 10, 1, 0, 0), datetime.datetime(2026, 11, 1, 8, 30))
    """
    try:
        at = datetime.fromisoformat(text.strip())
    except ValueError:
        name = "_".join(text.lower().split())
        try:
            at = datetime.combine(parse_period(name, date.today())[0], time())
        except ValueError:
            message = f"{text!r} is not a date or time; write it like {WHEN}"
            raise typer.BadParameter(message) from None
    if at.year not in YEARS:
        raise typer.BadParameter(f"{text!r}: the year must be between 2 and 9998")
    return at


def to_span(
    since: datetime | None, until: datetime | None
) -> tuple[datetime | None, datetime | None]:
    """Convert a command's --since and --until to UTC.

    Times without a zone are local.
    Raises: typer.BadParameter where nothing lies between them.
    """
    begins, ends = (None if at is None else at.astimezone(UTC) for at in (since, until))
    if begins and ends and begins >= ends:
        raise typer.BadParameter(f"--until {until} must be later than --since {since}")
    return begins, ends
