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
from .options import (
    Comparing,
    Expectation,
    Planning,
    Scoring,
    Sides,
    TriedModels,
    Tuning,
    VerdictFiles,
)
from .replay_commands import replays
from .rollout_commands import canaries, shadows
from .route_commands import routes

compacts = make_group("Compare ways to shorten histories.")


@grouped
def gate(
    rules: Annotated[Path, typer.Argument(metavar="RULES.toml", help="file with the gate's rules")],
    planning: Planning,
    files: VerdictFiles,
    expectation: Expectation,
    owner: Owner,
    sides: Sides,
) -> None:
    """Decide whether a candidate may go live.

    The verdict is passed, failed or undecided.

    \b
    plainloop gate rules.toml --plan --baseline before/
    plainloop gate rules.toml --candidate report/ --junit gate.xml
    plainloop gate rules.toml -b then.jsonl -c now.jsonl
    plainloop gate rules.toml -c gpt-6-luna@low -c @medium --for crm_worker

    The exit code is 0 if passed, 1 if failed, and 10 if undecided. An undecided verdict says how
    many more conversations are needed. packages/lab/docs/deciding.md describes the rules.
    """
    from . import gate as gates

    if planning.plan and sides.simulate:
        raise typer.BadParameter("--plan and --simulate exclude each other: give one of them")
    if planning.plan:
        launch(gates.plan_gate(owner, rules, sides, planning))
    if sides.simulate:
        launch(gates.simulate_gate(owner, rules, sides.baseline, sides.simulate, files.json))
    launch(gates.gate(owner, rules, sides, files, expectation))


@grouped
def score(
    rules: Annotated[Path, typer.Argument(metavar="RULES.toml", help="file with the gate's rules")],
    scoring: Scoring,
) -> None:
    """Score answers with a model, for `facts` and `similar`.

    \b
    plainloop score rules.toml -c report/ --expected expected.jsonl -o report/scores.jsonl
    plainloop gate rules.toml -c report/ --expected expected.jsonl

    Each answer is scored once; the same command continues where it stopped. To check the judge of
    facts, some of its questions have known answers. The exit code is 1 if too many of these are
    answered wrongly.
    """
    from .score import score

    launch(score(rules, scoring))


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
    """Check whether the verdicts of a judge model can be trusted.

    Shows whether the judge prefers whichever answer it reads first, and how often it agrees with
    people.

    \b
    plainloop judge report/ --labels labels.jsonl

    Each line of the labels file is {"conversation_id", "turn", "winner": "candidate" | "reference"
    | "tie"}. `plainloop label` writes such a file. Verdicts that people gave in the console count
    too. The exit code is 1 if the judge cannot be trusted; a gate then ignores its verdicts.
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
            help="write the labels to this file (default: labels.jsonl in the current folder; "
            "for a live replay, the database keeps them)",
        ),
    ] = None,
    tenant: Tenant = LOCAL,
) -> None:
    """Choose the better of two answers of unnamed models.

    \b
    plainloop label 01a20d74
    plainloop label report/ -o labels.jsonl
    plainloop judge report/ --labels labels.jsonl

    `plainloop judge` compares a judge model with your choices. Choices about a stored replay are
    kept in the database; the console shows them and reports count them. Choices about a report
    folder are written to a file.
    """
    from .label import label

    launch(label(Owner(tenant), report, output))


@grouped
def compare(
    tried: TriedModels,
    owner: Owner,
    comparing: Comparing,
    reports: Annotated[
        list[str] | None,
        typer.Argument(metavar="REPORTS", help="report folders or ids of live replays"),
    ] = None,
) -> None:
    """Compare candidates in one table.

    The table shows quality with its confidence interval, cost and time, and marks each candidate
    that no other candidate beats in both quality and cost.

    \b
    plainloop compare haiku/ mini/ flash/ --ledger --report choice
    plainloop compare 0198f3 0199a1 --measure judged
    plainloop compare --candidate gpt-6-luna@low --candidate @medium --for crm_worker

    Each row is the candidate of a live replay. --candidate takes your newest replay of that
    candidate. The first row is the baseline of the first replay.
    """
    from .compare import compare

    launch(compare(owner, reports or (), tried, comparing))


@grouped
def tune(
    worker: Annotated[
        str, typer.Argument(metavar="WORKER", help="name of the worker; react if --from is used")
    ],
    tuning: Tuning,
    tried: TriedModels,
) -> None:
    """Search for a better prompt within a fixed budget.

    A better prompt is accepted only after a test on conversations that the search never saw.

    \b
    plainloop tune react --from talks.jsonl --rules rules.toml --max-cost-usd 5 --into tuned
    plainloop tune my_worker --rules rules.toml --max-cost-usd 20 --into tuned --plan
    plainloop tune my_worker --candidate gpt-6-luna@low --rules rules.toml --max-cost-usd 20 \\
        --into tuned

    Each new prompt is tried in a live replay. You can stop the command at any time; the same
    command continues, and pays for no request twice. With --candidate, the prompt is tuned for that
    model. Several candidates share --max-cost-usd equally, and each has its own folder in --into.
    The exit code is 10 if no prompt was proven to be better.
    """
    from .tune import tune_prompt

    launch(tune_prompt(worker, tuning, tried))


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
    json: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="write the result as JSON")
    ] = None,
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
