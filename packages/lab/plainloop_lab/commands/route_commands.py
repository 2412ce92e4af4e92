"""`plainloop route`: its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plainloop.agent.cli.terminal.launching import launch
from plainloop.agent.cli.terminal.options import Owner, grouped
from plainloop.agent.packs.commands import make_group

from .options import Learning, RoutedModels, TriedModels

routes = make_group("Choose the cheapest sufficient model per request.")

Outcomes = Annotated[
    list[Path] | None,
    typer.Argument(metavar="OUTCOMES", help="a CSV file, or the report folders of live replays"),
]
By = Annotated[
    list[str],
    typer.Option(
        "--by", metavar="FEATURE", help="features that are known when a request is routed"
    ),
]


@routes.command("learn")
@grouped
def learn(
    tried: TriedModels,
    owner: Owner,
    by: By,
    models: RoutedModels,
    learning: Learning,
    outcomes: Outcomes = None,
) -> None:
    """Learn which requests a cheaper model can answer.

    \b
    plainloop route learn outcomes.csv --by class --model large=20 --model small=1 -o routes.json
    plainloop route learn haiku/ mini/ --by worker --by intent --max-loss 1pp
    plainloop route learn --candidate openai:gpt-6-luna@low --for crm_worker --by intent

    One half of the outcomes suggests rows for the routing table. The other half tests these rows.
    """
    from . import route

    request = route.Request(owner, outcomes or (), tried, models, by)
    if learning.simulate:
        launch(route.simulate_routes(request, learning, learning.simulate))
    launch(route.learn_routes(request, learning))


@routes.command("check")
@grouped
def check(
    tried: TriedModels,
    owner: Owner,
    table: Annotated[
        Path, typer.Argument(metavar="ROUTES.json", help="routing table written by `route learn`")
    ],
    models: RoutedModels,
    outcomes: Outcomes = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE.json", help="write the table to this file"),
    ] = None,
) -> None:
    """Test a routing table again, with new outcomes.

    \b
    plainloop route check routes.json new.csv --model large=20 --model small=1 -o routes.json

    The exit code is 0 if the loss of quality is proven to stay within the table's --max-loss, 10
    if that is undecided, and 1 if the loss is proven to be larger or the table has expired. With 1,
    rows are removed from the table until the rest stays within the limit.
    """
    from . import route

    request = route.Request(owner, outcomes or (), tried, models)
    launch(route.check_routes(table, request, output))
