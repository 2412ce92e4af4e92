"""`plainloop gate`, `compare`, `compact`, `route`, `tune`: their options. COMMANDS has all."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final

import typer

from plainloop.agent.cli.terminal.launching import launch
from plainloop.agent.cli.terminal.options import Owner, grouped
from plainloop.agent.packs.commands import LOCAL, Tenant, make_group
from plainloop_lab.replay.commands.options import Selection, Source

from ..replay.commands.commands import export
from .advise_commands import advise
from .deploy_commands import deploys
from .options import Expectation, Planning, Tuning, VerdictFiles
from .replay_commands import replays
from .rollout_commands import canaries, shadows

compacts = make_group("Compare ways to shorten histories.")
routes = make_group("Choose the cheapest sufficient model per request.")

What = "a report's folder, a replay's id or FILE.jsonl; add :VARIANT to choose one side"

Simulate = Annotated[
    int | None,
    typer.Option(
        "--simulate",
        min=1,
        metavar="DRAWS",
        help="test the gate on cases whose correct verdict is already known",
    ),
]


@grouped
def gate(
    rules: Annotated[Path, typer.Argument(metavar="RULES.toml")],
    planning: Planning,
    files: VerdictFiles,
    expectation: Expectation,
    owner: Owner,
    candidate: Annotated[
        list[str] | None,
        typer.Option("--candidate", "-c", metavar="WHAT", help=f"{What}; may be repeated"),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            "--baseline",
            "-b",
            metavar="WHAT",
            help="what to compare with; default: the baseline in the candidate's report",
        ),
    ] = None,
    simulate: Simulate = None,
    record: Annotated[
        bool,
        typer.Option(
            "--record", help="store the verdict and send it to webhooks, even when comparing files"
        ),
    ] = False,
) -> None:
    """Decide whether a candidate may go live.

    The verdict is passed, failed or undecided.

    \b
    plainloop gate rules.toml --plan --baseline before/
    plainloop gate rules.toml --candidate report/ --junit gate.xml
    plainloop gate rules.toml -b then.jsonl -c now.jsonl

    The exit code is 0 if passed, 1 if failed, and 10 if undecided. An undecided verdict says how
    many more conversations are needed. packages/lab/docs/deciding.md describes the rules.
    """
    from . import gate as gates

    if planning.plan and simulate:
        raise typer.BadParameter("--plan and --simulate exclude each other: give one of them")
    if planning.plan:
        launch(gates.plan_gate(owner, rules, baseline, max(1, len(candidate or ())), planning))
    if simulate:
        launch(gates.simulate_gate(owner, rules, baseline, simulate, files.json))
    told = (baseline, candidate or (), files, expectation)
    launch(gates.gate(owner, rules, *told, is_recorded=record))


def score(
    rules: Annotated[Path, typer.Argument(metavar="RULES.toml")],
    candidate: Annotated[
        list[str], typer.Option("--candidate", "-c", metavar="WHAT", help=f"{What}; repeatable")
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE.jsonl", help="file to add the scores to")
    ] = Path("scores.jsonl"),
    expected: Annotated[
        Path | None,
        typer.Option("--expected", metavar="FILE.jsonl", help="file with expected answers"),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            "--judge",
            metavar="PROVIDER:MODEL",
            help="model that judges facts; default: the evaluator's",
        ),
    ] = None,
    max_cost_usd: Annotated[
        float | None,
        typer.Option("--max-cost-usd", min=0, help="stop before the cost exceeds this amount"),
    ] = None,
    tenant: Tenant = LOCAL,
) -> None:
    """Score answers with a model: `facts` and `similar`.

    \b
    plainloop score rules.toml -c report/ --expected expected.jsonl -o report/scores.jsonl
    plainloop gate rules.toml -c report/ --expected expected.jsonl

    Each answer is scored once; the same command continues where it stopped. The judge of facts is
    also asked for verdicts that are known. The exit code is 1 if too many of these are wrong.
    """
    from .score import score

    launch(score(Owner(tenant), rules, candidate, output, expected, judge, max_cost_usd))


def judge(
    report: Annotated[
        str,
        typer.Argument(
            metavar="REPORT", help="report folder or id of a live replay that ran with --judge"
        ),
    ],
    labels: Annotated[
        Path | None,
        typer.Option(
            "--labels", metavar="FILE.jsonl", help="file of people's verdicts on some of the turns"
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
        str, typer.Argument(metavar="REPORT", help="report folder or id of a live replay")
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            *("--output", "-o"),
            metavar="FILE.jsonl",
            help="write the labels to this file (default: labels.jsonl in the report folder; for "
            "a live replay, the database keeps them)",
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
        list[str], typer.Argument(metavar="REPORTS", help="report folders or ids of live replays")
    ],
    measure: Annotated[
        str | None,
        typer.Option("--measure", help="measures of quality to show; default: all in the reports"),
    ] = None,
    rules: Annotated[
        Path | None, typer.Option("--rules", metavar="FILE.toml", help="file with your own checks")
    ] = None,
    per_month: Annotated[
        int | None,
        typer.Option(
            "--per-month", min=0, help="conversations per month, to project the monthly cost"
        ),
    ] = None,
    ledger: Annotated[
        bool,
        typer.Option(
            "--ledger", help="project the monthly cost from the conversations of the last 30 days"
        ),
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
    typer.Argument(metavar="OUTCOMES", help="a CSV file, or the report folders of live replays"),
]
Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        metavar="NAME=PRICE",
        help="NAME: a model's column or report folder; begin with the model in use",
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

    One half of the outcomes suggests rows for the table; the other half tests them.
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
    """Test a table again, on new outcomes.

    \b
    plainloop route check routes.json new.csv --model large=20 --model small=1 -o routes.json

    The exit code is 0 if the table is proven to keep its promise, and 10 if that is undecided. The
    exit code is 1 if the table is proven to break its promise or has expired; rows are then removed
    until the rest keeps it.
    """
    from . import route

    request = route.Request(outcomes, model or (), (), measure)
    raise typer.Exit(route.check_routes(table, request, output))


@grouped
def tune(
    worker: Annotated[
        str,
        typer.Argument(metavar="WORKER", help="name of the worker (with --from, it must be react)"),
    ],
    tuning: Tuning,
) -> None:
    """Search for a better prompt within a fixed budget.

    A better prompt is accepted only after a test on conversations that the search never saw.

    \b
    plainloop tune react --from talks.jsonl --rules rules.toml --max-cost-usd 5 --into tuned
    plainloop tune my_worker --rules rules.toml --max-cost-usd 20 --into tuned --plan

    Every try is a live replay. You can stop it at any time; the same command continues and buys
    nothing twice. The exit code is 10 if no prompt was proven to be better.
    """
    from .tune import tune_prompt

    launch(tune_prompt(worker, tuning))


@compacts.callback()
def compact() -> None:
    """Compare ways to shorten histories."""


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
            help="model whose cache prices to use; default: a write costs 1.25 × the input price, "
            "a read 0.1 ×",
        ),
    ] = None,
    json: Annotated[Path | None, typer.Option("--json", metavar="FILE")] = None,
) -> None:
    """Compare ways to shorten histories on your own threads, without calling a model.

    \b
    plainloop compact plan --sample 200 --model anthropic:claude-sonnet-5-5
    plainloop compact plan --from conversations.jsonl

    For each way, the command shows tokens, cost including the provider's cache, and how many
    recorded tool calls used a value that the model would no longer have seen.
    """
    from .compact import plan_compacting

    Source(None if source is None else str(source)).check(selection)
    launch(plan_compacting(source, selection, model, json))


COMMANDS: Final[dict[str, Any]] = {
    "replay": replays,
    "export": export,
    "advise": advise,
    "gate": gate,
    "score": score,
    "judge": judge,
    "label": label,
    "compare": compare,
    "route": routes,
    "compact": compacts,
    "tune": tune,
    "shadow": shadows,
    "canary": canaries,
    "deploy": deploys,
}
