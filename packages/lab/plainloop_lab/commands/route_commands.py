"""`plainloop route`: its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plainloop.agent.cli.terminal.launching import launch
from plainloop.agent.cli.terminal.options import Owner, grouped
from plainloop.agent.packs.commands import make_group

from .options import TriedModels

routes = make_group("Choose the cheapest sufficient model per request.")

Simulate = Annotated[
    int | None,
    typer.Option(
        "--simulate",
        min=1,
        metavar="DRAWS",
        help="test the gate on cases whose correct verdict is already known",
    ),
]
Outcomes = Annotated[
    list[Path] | None,
    typer.Argument(metavar="OUTCOMES", help="a CSV file, or the report folders of live replays"),
]
Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        metavar="NAME=PRICE",
        help="a model's CSV column or report folder, and its price; name the current model first",
    ),
]
By = Annotated[
    list[str],
    typer.Option(
        "--by", metavar="FEATURE", help="features that are known when a request is routed"
    ),
]
Measure = Annotated[str, typer.Option("--measure", help="measure of quality, for replays")]
MaxLoss = Annotated[
    str,
    typer.Option(
        "--max-loss", metavar="2pp", help="largest accepted loss of quality, in percentage points"
    ),
]
Seed = Annotated[
    int, typer.Option("--seed", help="random seed for splitting the outcomes into halves")
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE.json", help="write the table to this file"),
]


@routes.command("learn")
@grouped
def learn(
    tried: TriedModels,
    owner: Owner,
    by: By,
    outcomes: Outcomes = None,
    model: Models = None,
    measure: Measure = "same_arguments",
    max_loss: MaxLoss = "2pp",
    output: Output = None,
    days: Annotated[
        int | None,
        typer.Option("--days", min=1, help="days until the routing table expires; default: never"),
    ] = None,
    simulate: Simulate = None,
    rows: Annotated[
        int, typer.Option("--rows", min=2, help="number of rows in each sample")
    ] = 1_000,
    seed: Seed = 0,
) -> None:
    """Learn which requests a cheaper model can answer.

    \b
    plainloop route learn outcomes.csv --by class --model large=20 --model small=1 -o routes.json
    plainloop route learn haiku/ mini/ --by worker --by intent --max-loss 1pp
    plainloop route learn --candidate openai:gpt-6-luna@low --for crm_worker --by intent

    One half of the outcomes suggests rows for the routing table. The other half tests these rows.
    """
    from . import route

    request = route.Request(owner, outcomes or (), tried, model or (), by, measure)
    if simulate:
        launch(route.simulate_routes(request, max_loss, rows, simulate, seed))
    launch(route.learn_routes(request, max_loss, output, days, seed))


@routes.command("check")
@grouped
def check(
    tried: TriedModels,
    owner: Owner,
    table: Annotated[
        Path, typer.Argument(metavar="ROUTES.json", help="routing table written by `route learn`")
    ],
    outcomes: Outcomes = None,
    model: Models = None,
    measure: Measure = "same_arguments",
    output: Output = None,
) -> None:
    """Test a routing table again, with new outcomes.

    \b
    plainloop route check routes.json new.csv --model large=20 --model small=1 -o routes.json

    The exit code is 0 if the loss of quality is proven to stay within the table's --max-loss, 10
    if that is undecided, and 1 if the loss is proven to be larger or the table has expired. With 1,
    rows are removed from the table until the rest stays within the limit.
    """
    from . import route

    request = route.Request(owner, outcomes or (), tried, model or (), (), measure)
    launch(route.check_routes(table, request, output))
