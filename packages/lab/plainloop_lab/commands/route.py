"""`plainloop route`: which model is good enough where."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from dataclasses import replace as replace_fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.options import Owner
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import InputError
from plainloop_lab.selection.table import Route, Table, load_table

from ..decide.gate import EXIT_CODES
from ..decide.outcome_tables import read_csv
from ..decide.request_rows import join_reports
from ..decide.routing import Outcomes, check, find_oracle, learn, simulate
from .files import write_json
from .options import Learning, RoutedModels, TriedModels
from .reports import find_report

SHOWN_ROUTES: Final = 40


@dataclass(frozen=True, slots=True)
class Request:
    """Options for the outcomes from which routes are learned.

    sources: one CSV file, or a report's folder for each candidate. tried: candidates whose newest
    replays are read too. by: features; of a check, those of its table.
    """

    owner: Owner
    sources: Sequence[Path]
    tried: TriedModels
    models: RoutedModels
    by: Sequence[str] = ()


def parse_points(text: str) -> float:
    """Parse a loss in points such as "2pp" or "0.02" to a number between 0 and 1.

    >>> parse_points("2pp"), parse_points("0.02")
    (0.02, 0.02)
    """
    number, is_points = text.removesuffix("pp"), text.endswith("pp")
    try:
        value = float(number) / (100 if is_points else 1)
    except ValueError:
        value = -1.0
    if not 0 < value < 1:
        raise InputError(f"--max-loss must be in points, such as 2pp, not {text!r}")
    return value


async def learn_routes(request: Request, options: Learning) -> int:
    """Learn a routing table from outcomes, print it and write it to the file."""
    outcomes = await read_outcomes(request)
    table = learn(outcomes, request.by, parse_points(options.max_loss), options.seed)
    if options.days is not None:
        expires = datetime.now(UTC) + timedelta(days=options.days)
        table = replace(table, expires=f"{expires:%Y-%m-%d}")
    output.write_lines(render_table(table, find_oracle(outcomes, table.max_loss)))
    write_json(options.output, msgspec.to_builtins(table))
    return 0


async def check_routes(path: Path, request: Request, target: Path | None) -> int:
    """Test a routing table on new outcomes, and print the verdict.

    Returns the exit code.
    """
    table = load_table(path)
    outcomes = await read_outcomes(replace_fields(request, by=table.by))
    missing = {route.model for route in table.routes} - outcomes.models.keys()
    if missing or table.reference != outcomes.reference:
        named = ", ".join([table.reference, *sorted(missing)])
        raise InputError(
            f"a check of {path} needs outcomes of these models: {named}",
            hint="Pass each of them with --model, in this order: the table's reference model is "
            "the first.",
        )
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    left, found = check(table, outcomes, today)
    for row in found["met"]:
        told = f"{row['rows']:,} outcomes" if row["rows"] else "no outcomes, so nothing is known"
        output.write_line(f"{describe_route(row['route'])}: {told}")
    for row in found["retired"]:
        why = "expired" if found["expired"] else f"it lost {row['loss']:.1%} of all outcomes"
        output.write_line(f"retired: {describe_route(row['route'])}: {why}")
    output.write_line(
        f"{len(left.routes)} of {len(table.routes)} rows stay · loss of the table "
        f"{found['loss']:.1%} over {found['rows']:,} outcomes, promised at most "
        f"{table.max_loss:.1%}: {found['verdict']}"
    )
    if not any(row["rows"] for row in found["met"]):
        output.write_line("no outcome matches a row of the table, so the table was not tested")
    write_json(target, msgspec.to_builtins(left))
    return EXIT_CODES[found["verdict"]]


def describe_route(route: Route) -> str:
    """Describe a route as "key → model"."""
    return f"{' · '.join(route.key)} → {route.model}"


async def simulate_routes(request: Request, options: Learning, draws: int) -> int:
    """Simulate how often learned routing tables keep their promise, and print the result.

    Each table is learned from a random sample of the outcomes.
    """
    outcomes = await read_outcomes(request)
    max_loss, rows = parse_points(options.max_loss), options.rows
    found = simulate(outcomes, request.by, max_loss, rows, draws, options.seed)
    output.write_line(
        f"the promise of {found['max_loss']:.1%} was kept in {found['kept']:.1%} "
        f"of {draws:,} draws of {rows:,} rows; a table chosen only by its mean "
        f"breaks it in {found['naive_broken']:.1%}"
    )
    output.write_line(
        f"saved {found['saving']:.1%} of the cost; with perfect knowledge "
        f"{found['oracle']:.1%} (regret {found['regret']:.1%})"
    )
    return 0


async def read_outcomes(request: Request) -> Outcomes:
    """Read how well each model answered each request.

    The source is a CSV file, reports or replays. Raises: InputError, NotFoundError.
    """
    prices = dict(map(_parse_model, request.models.model or ()))
    candidates = request.tried.list_settings()
    if not candidates and len(request.sources) == 1 and request.sources[0].is_file():
        if len(prices) < 2:
            raise InputError(
                "no models were named", hint="Use --model COLUMN=PRICE, today's model first."
            )
        return read_csv(request.sources[0], request.by, prices)
    reports = {path.resolve().name: path for path in request.sources}
    if len(reports) < len(request.sources) or "baseline" in reports:
        raise InputError(
            "two report folders have the same name, or one is named `baseline`: rename "
            "one of the folders"
        )
    if not reports and not candidates:
        raise InputError("no outcomes were named", hint="Name a CSV file, reports or --candidate.")
    with tempfile.TemporaryDirectory() as made:
        for name, settings in candidates.items():
            reports[name] = await find_report(request.owner, name, Path(made), settings)
        return join_reports(reports, request.by, request.models.measure, prices)


def render_table(table: Table, oracle: float) -> list[str]:
    """Render a routing table as lines for a terminal, with its saving and loss."""
    lines = [f"{' · '.join(table.by):<44}{'model':<28}{'rows':>7}{'loss':>9}"]
    for route in table.routes[:SHOWN_ROUTES]:
        loss = f"{route.loss:+.1%}"
        lines.append(f"{' · '.join(route.key):<44}{route.model:<28}{route.rows:>7,}{loss:>9}")
    if len(table.routes) > SHOWN_ROUTES:
        lines.append(f"… and {len(table.routes) - SHOWN_ROUTES} more")
    return [
        *lines,
        f"all other requests stay with {table.reference}",
        (
            f"saves {table.saving:.1%} of the cost; loss {table.loss:.1%}, with 95% "
            f"confidence below {table.bound:.1%}; promised at most {table.max_loss:.1%}"
        ),
        f"{oracle:.1%} could be saved with perfect knowledge of these outcomes",
    ]


def _parse_model(text: str) -> tuple[str, float]:
    name, is_given, price = text.rpartition("=")
    try:
        value = float(price)
    except ValueError:
        is_given, value = "", 0.0
    if not is_given or not 0 <= value < math.inf:
        raise InputError(f"--model must be NAME=PRICE, not {text!r}")
    return name, value
