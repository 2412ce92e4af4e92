"""`plainloop gate`, `compare`, `compact`, `route`, `tune`: their options. COMMANDS has all."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final

import typer

from plainloop.agent.cli.replay.options import Selection, Source
from plainloop.agent.cli.terminal.launching import launch
from plainloop.agent.cli.terminal.options import Owner, grouped
from plainloop.agent.packs.commands import LOCAL, Tenant, make_group

from .options import Planning, Tuning, VerdictFiles
from .replay_commands import replays
from .rollout_commands import canaries, shadows

compacts = make_group("Ways of keeping histories short.")
routes = make_group("Which model is good enough where.")

What = "a report's folder, a replay's id, or FILE.jsonl; :LANE after it"

Simulate = Annotated[
    int | None,
    typer.Option(
        "--simulate", min=1, metavar="DRAWS", help="try the gate where the truth is known"
    ),
]


@grouped
def gate(
    rules: Annotated[Path, typer.Argument(metavar="RULES.toml")],
    planning: Planning,
    files: VerdictFiles,
    owner: Owner,
    candidate: Annotated[
        list[str] | None,
        typer.Option("--candidate", "-c", metavar="WHAT", help=f"{What}; may be repeated"),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option("--baseline", "-b", metavar="WHAT", help="default: the candidate's own"),
    ] = None,
    simulate: Simulate = None,
    record: Annotated[
        bool,
        typer.Option("--record", help="store the verdict and send it to webhooks, for files too"),
    ] = False,
) -> None:
    """Decide whether a candidate may go live.

    It has passed, failed, or it is undecided.

    \b
    plainloop gate rules.toml --plan --baseline before/
    plainloop gate rules.toml --candidate report/ --junit gate.xml
    plainloop gate rules.toml -b then.jsonl -c now.jsonl

    The exit code is 0, 1 or 10: undecided, with what it would take to know.
    packages/lab/docs/deciding.md has the rules.
    """
    from . import gate as gates

    if planning.plan and simulate:
        raise typer.BadParameter("--plan and --simulate exclude each other")
    if planning.plan:
        launch(gates.plan_gate(owner, rules, baseline, max(1, len(candidate or ())), planning))
    if simulate:
        launch(gates.simulate_gate(owner, rules, baseline, simulate, files.json))
    launch(gates.gate(owner, rules, baseline, candidate or (), files, is_recorded=record))


def judge(
    report: Annotated[
        str,
        typer.Argument(
            metavar="REPORT", help="report folder of a live replay with --judge, or its id"
        ),
    ],
    labels: Annotated[
        Path | None,
        typer.Option(
            "--labels", metavar="FILE.jsonl", help="file of people's verdicts on some turns"
        ),
    ] = None,
    tenant: Tenant = LOCAL,
) -> None:
    """Check a judge model before it is believed.

    Does it judge the answers, or their place; does it agree with people?

    \b
    plainloop judge report/ --labels labels.jsonl

    A line of labels is {"conversation_id", "turn", "winner": "candidate" | "reference" | "tie"};
    `plainloop label` asks for them. What people said in the console counts too.
    The exit code is 1 when nothing may be decided by it; a gate does not either.
    """
    from .gate import check_judge

    launch(check_judge(Owner(tenant), report, labels))


def label(
    report: Annotated[
        str, typer.Argument(metavar="REPORT", help="a live replay's report folder, or its id")
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            *("--output", "-o"),
            metavar="FILE.jsonl",
            help="file for the labels; default: kept with a replay's id, else labels.jsonl",
        ),
    ] = None,
    tenant: Tenant = LOCAL,
) -> None:
    """Say which answers are better, without knowing whose they are.

    \b
    plainloop label 01a20d74
    plainloop label report/ -o labels.jsonl
    plainloop judge report/ --labels labels.jsonl

    A judge is calibrated by it. Verdicts on a replay are kept with it, where the console shows
    them, and reports count them; those on a folder are lines of a file.
    """
    from .label import label

    launch(label(Owner(tenant), report, output))


def compare(
    reports: Annotated[
        list[str],
        typer.Argument(metavar="REPORTS", help="report folders of live replays, or their ids"),
    ],
    measure: Annotated[
        str | None,
        typer.Option("--measure", help="measure of quality; default: every measure present"),
    ] = None,
    rules: Annotated[
        Path | None, typer.Option("--rules", metavar="FILE.toml", help="file of your own checks")
    ] = None,
    per_month: Annotated[
        int | None,
        typer.Option(
            "--per-month", min=0, help="conversations a month, to project the monthly cost"
        ),
    ] = None,
    ledger: Annotated[
        bool, typer.Option("--ledger", help="use the number of the last 30 days")
    ] = False,
    report: Annotated[Path | None, typer.Option("--report", metavar="DIR")] = None,
    tenant: Tenant = LOCAL,
) -> None:
    """Compare candidates in one table.

    Quality with its interval, money, time, and whom nobody beats.

    \b
    plainloop compare haiku/ mini/ flash/ --ledger --report choice
    plainloop compare 0198f3 0199a1 --measure judged

    Each is the candidate of a live replay; the first one's baseline stands above them.
    """
    from .compare import compare

    owner = Owner(tenant)
    work = compare(owner, reports, measure, rules, per_month, report, from_ledger=ledger)
    launch(work)


Outcomes = Annotated[
    list[Path],
    typer.Argument(metavar="OUTCOMES", help="a CSV file, or the folders of live replays' reports"),
]
Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model", metavar="NAME=PRICE", help="a column or folder; the current model first"
    ),
]
By = Annotated[
    list[str],
    typer.Option("--by", metavar="FEATURE", help="features known when a request is routed"),
]
Measure = Annotated[str, typer.Option("--measure", help="for replays: the measure of quality")]
MaxLoss = Annotated[str, typer.Option("--max-loss", metavar="2pp", help="largest accepted loss")]
Seed = Annotated[int, typer.Option("--seed", help="seed of the split into halves")]
Output = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE.json")]


@routes.command("learn")
def learn(
    outcomes: Outcomes,
    by: By,
    model: Models = None,
    measure: Measure = "same_arguments",
    max_loss: MaxLoss = "2pp",
    output: Output = None,
    days: Annotated[
        int | None, typer.Option("--days", min=1, help="days until the table expires")
    ] = None,
    simulate: Simulate = None,
    rows: Annotated[int, typer.Option("--rows", min=2, help="size of each sample")] = 1_000,
    seed: Seed = 0,
) -> None:
    """Learn which model is good enough where.

    \b
    plainloop route learn outcomes.csv --by class --model large=20 --model small=1 -o routes.json
    plainloop route learn haiku/ mini/ --by worker --by intent --max-loss 1pp

    One half of the outcomes says what to try first, the other half how far it may go.
    """
    from . import route

    request = route.Request(outcomes, model or (), by, measure)
    if simulate:
        raise typer.Exit(route.simulate_routes(request, max_loss, rows, simulate, seed))
    raise typer.Exit(route.learn_routes(request, max_loss, output, days, seed))


@routes.command("check")
def check(
    table: Annotated[Path, typer.Argument(metavar="ROUTES.json")],
    outcomes: Outcomes,
    model: Models = None,
    measure: Measure = "same_arguments",
    output: Output = None,
) -> None:
    """Test a table again, on outcomes that did not choose it.

    \b
    plainloop route check routes.json new.csv --model large=20 --model small=1 -o routes.json

    The exit code is 0 when it is proven to keep its promise, 1 when it is proven to break it or
    has expired (then rows go until the rest keeps it), 10 when that is undecided.
    """
    from . import route

    request = route.Request(outcomes, model or (), (), measure)
    raise typer.Exit(route.check_routes(table, request, output))


@grouped
def tune(
    worker: Annotated[str, typer.Argument(metavar="WORKER", help="of a file: react")],
    tuning: Tuning,
) -> None:
    """Search a better prompt with a hard budget.

    It is believed only after a test on conversations that the search never saw.

    \b
    plainloop tune react --from talks.jsonl --rules rules.toml --max-cost-usd 5 --into tuned
    plainloop tune my_worker --rules rules.toml --max-cost-usd 20 --into tuned --plan

    Every try is a live replay: stop it when you like, the same command goes on and buys nothing
    twice. The exit code is 10 when nothing was proven to be better.
    """
    from .tune import tune_prompt

    launch(tune_prompt(worker, tuning))


@compacts.callback()
def compact() -> None:
    """Ways of keeping histories short."""


@compacts.command("plan")
@grouped
def plan_compacting(
    selection: Selection,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="FILE.jsonl", help="file of conversations; default: stored threads"
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            metavar="PROVIDER:MODEL",
            help="model whose cache prices count; default: 1.25 and 0.1",
        ),
    ] = None,
    json: Annotated[Path | None, typer.Option("--json", metavar="FILE")] = None,
) -> None:
    """Compare ways of keeping histories short on your own threads, without asking a model.

    \b
    plainloop compact plan --sample 200 --model anthropic:claude-sonnet-4-5
    plainloop compact plan --from conversations.jsonl

    For each: tokens, money with the provider's cache counted, and how many of the recorded tool
    calls needed a value that the model would not have seen any more.
    """
    from .compact import plan_compacting

    Source(None if source is None else str(source)).check(selection)
    launch(plan_compacting(source, selection, model, json))


COMMANDS: Final[dict[str, Any]] = {
    "replay": replays,
    "gate": gate,
    "judge": judge,
    "label": label,
    "compare": compare,
    "route": routes,
    "compact": compacts,
    "tune": tune,
    "shadow": shadows,
    "canary": canaries,
}
