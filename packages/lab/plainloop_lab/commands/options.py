"""Options that go together: what a live replay asks of whom, what a gate writes, what is tuned."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Annotated, Final, Literal

import typer

from plainloop.agent.cli.terminal.options import option
from plainloop.agent.dataclasses import MISSING, dataclass
from plainloop.agent.packs.commands import LOCAL
from plainloop_lab.replay.commands.options import Selection

from ..advise.wanted import MAX_SAMPLE

WHAT: Final = "a report's folder, a replay's id or FILE.jsonl; add :VARIANT to choose one side"
NEWEST: Final = "or a model, for your newest replay with that model as candidate"
SIMULATED: Final = "test the gate on cases whose correct verdict is already known"
Replay = Annotated[
    str, typer.Argument(metavar="REPLAY", help="the replay's id, or the start of its id")
]


@dataclass(frozen=True, slots=True)
class TriedModels:
    """Options for the candidates: models and efforts to try, and the workers they are for."""

    candidate: list[str] | None = option(
        "model, effort or both to try: gpt-6-luna@low, @high; may be repeated",
        metavar="MODEL[@EFFORT]",
    )
    of_worker: list[str] | None = option(
        "worker or role that --candidate is for; may be repeated; default: all",
        None,
        "--for",
        metavar="WORKER",
    )

    def list_settings(self) -> dict[str, dict[str, str]]:
        """Return the settings that each candidate changes, by the candidate's name."""
        from plainloop.agent.service.variants import (
            name_role_model,  # the options are read at every start
            name_top_model,
        )

        if self.of_worker and not self.candidate:
            raise typer.BadParameter("--for needs --candidate: name a candidate")
        found: dict[str, dict[str, str]] = {}
        for text in self.candidate or []:
            found[text] = {} if self.of_worker else name_top_model(text)
            for worker in self.of_worker or []:
                found[text] |= name_role_model(worker, text)
        return found


@dataclass(frozen=True, slots=True)
class Candidate:
    """Options for what a candidate changes from the served configuration."""

    provider: str | None = option("provider of the candidate")
    model: list[str] | None = option(
        "model of the candidate, effort, or both: gpt-6-luna@low, @high; of one role or worker: "
        "triage=…, crm_worker=openai:gpt-6-luna@none",
        None,
        metavar="[ROLE=]MODEL[@EFFORT]",
    )
    setting: list[str] | None = option(
        "any setting of the candidate, such as AGENT_AGENTS_EVALUATOR_MODEL=…; may be repeated",
        None,
        "--set",
        metavar="AGENT_NAME=VALUE",
    )
    prompts: Path | None = option(
        "folder of the candidate's prompts: WORKER.md for each worker, or react.md", metavar="DIR"
    )
    design: str | None = option("design of the candidate")

    def read_settings(self) -> dict[str, str]:
        """Return the settings that the candidate changes, from the command's options.

        API keys are refused, because replays are stored.
        """
        from plainloop.agent.service.variants import name_role_model, name_top_model

        found = {} if self.provider is None else {"AGENT_PROVIDER": self.provider}
        for text in self.model or []:
            role, is_role, model = text.partition("=")
            found |= name_role_model(role, model) if is_role else name_top_model(text)
        for text in self.setting or []:
            name, is_given, value = text.partition("=")
            if not is_given or not name.startswith("AGENT_"):
                raise typer.BadParameter(f"--set must be AGENT_NAME=VALUE, not {text!r}")
            if name.endswith(("_KEY", "_SECRET", "_URL")):
                raise typer.BadParameter(f"{name} is a secret: set it in the environment")
            found[name] = value
        return found


@dataclass(frozen=True, slots=True)
class Judging:
    """Options for the model and rubric that judge answers."""

    judge: str | None = option(
        "model that compares the candidate's answers with the baseline's", metavar="PROVIDER:MODEL"
    )
    rubric: Path | None = option("file with the judge's criteria", metavar="FILE")


@dataclass(frozen=True, slots=True)
class Asking:
    """Options for how a live replay calls models and tools."""

    history: Literal["recorded", "own"] = option(
        "earlier answers that later turns see: the recorded ones, or those of this replay",
        "recorded",
    )
    allow_reads: bool = option("execute read tools whose result was not recorded", False)
    sandbox: bool = option("execute read and write tools on a temporary copy of your rows", False)
    baseline: bool = option(
        "also run today's configuration, to compare the candidate with it",
        True,
        "--baseline/--no-baseline",
    )
    share: bool = option(
        "send a request that baseline and candidate share only once; --no-share: send it for each",
        True,
        "--share/--no-share",
    )
    batch_api: bool = option(
        "use the provider's batch API, which costs half and takes up to a day", False
    )
    only_routing: bool = option(
        "with --for triage or --for router: end each turn where its worker would begin, to buy "
        "only the routing",
        False,
    )
    requests_per_minute: int | None = option(
        "max. requests per minute to each provider, per process", min=1
    )


@dataclass(frozen=True, slots=True)
class Outcome:
    """Options for the result of a live replay: report and exit code."""

    report: Path | None = option("folder for the report's files", metavar="DIR")
    strict: bool = option(
        "exit with 1 if the candidate is worse, with 10 if undecided, not judged or not compared",
        False,
    )


@dataclass(frozen=True, slots=True)
class Work:
    """Options for how much of a live replay runs at once, and its cost limit."""

    concurrency: int | None = option(
        "conversations in parallel; default: 4, with --batch-api AGENT_LIMITS_BATCH_CONVERSATIONS",
        None,
        "-c",
        min=1,
        max=10_000,
    )
    max_cost_usd: float | None = option("stop when the replay has cost this much", min=0)

    @property
    def limit_usd(self) -> Decimal | None:
        """Return the cost limit in USD as a decimal, or None."""
        return None if self.max_cost_usd is None else Decimal(str(self.max_cost_usd))


@dataclass(frozen=True, slots=True)
class VerdictFiles:
    """Options for the files of a gate's result; None: not written."""

    json: Path | None = option("write the result as JSON", metavar="FILE")
    junit: Path | None = option("write the result as JUnit XML", metavar="FILE")
    markdown: Path | None = option("write the result as Markdown", metavar="FILE")
    html: Path | None = option("write the result as a web page", metavar="FILE")
    history: Path | None = option(
        "file that keeps each rule's verdicts by branch, to show since when a rule has failed",
        metavar="FILE.jsonl",
    )
    branch: str | None = option(
        "with --history: name of the branch; default: the branch of the CI pipeline, or of git"
    )


@dataclass(frozen=True, slots=True)
class Expectation:
    """Options for the expected answers and scores."""

    expected: Path | None = option(
        "file with expected answers: lines of conversation_id, expected and, if it is not the last "
        "one, turn",
        metavar="FILE.jsonl",
    )
    scores: list[Path] | None = option(
        "files of `plainloop score`; default: scores.jsonl in the candidates' folders",
        None,
        metavar="FILE.jsonl",
    )


@dataclass(frozen=True, slots=True)
class Planning:
    """Options for a gate's plan. model: prices both sides."""

    plan: bool = option("show how many conversations the gate needs, and their cost", False)
    cost_usd: float | None = option("with --plan: cost of a conversation on both sides", min=0)
    model: list[str] | None = option(
        "with --plan and a file: models whose prices are used", None, metavar="PROVIDER:MODEL"
    )
    prompts: Path | None = option(
        "with --plan: folder of new prompts, to find the requests that these change", metavar="DIR"
    )
    touched: float | None = option(
        "with --plan: share of the conversations that the candidate changes", min=0, max=1
    )


@dataclass(frozen=True, slots=True)
class Sides:
    """Options for what a gate compares."""

    candidate: list[str] | None = option(
        f"{WHAT}; {NEWEST}; repeatable", None, "-c", metavar="WHAT"
    )
    of_worker: list[str] | None = option(
        "worker or role that a model named by --candidate is for", None, "--for", metavar="WORKER"
    )
    baseline: str | None = option(
        "what to compare with; default: the baseline in the candidate's report",
        None,
        "-b",
        metavar="WHAT",
    )
    simulate: int | None = option(SIMULATED, metavar="DRAWS", min=1)
    record: bool = option(
        "store the verdict and send it to webhooks, even when comparing files", False
    )


@dataclass(frozen=True, slots=True)
class Scoring:
    """Options for scoring answers with a model."""

    candidate: list[str] = option(f"{WHAT}; repeatable", MISSING, "-c", metavar="WHAT")
    output: Path = option(
        "file to add the scores to", Path("scores.jsonl"), "-o", metavar="FILE.jsonl"
    )
    expected: Path | None = option("file with expected answers", metavar="FILE.jsonl")
    judge: str | None = option(
        "model that judges facts; default: the evaluator's", metavar="PROVIDER:MODEL"
    )
    max_cost_usd: float | None = option("stop before the cost exceeds this amount", min=0)
    tenant_id: str = option("", LOCAL, "--tenant", hidden=True)


@dataclass(frozen=True, slots=True)
class Comparing:
    """Options for the table of candidates."""

    measure: str | None = option("measures of quality to show; default: all in the reports")
    rules: Path | None = option("file with your own checks", metavar="FILE.toml")
    per_month: int | None = option("conversations per month, to project the monthly cost", min=0)
    ledger: bool = option(
        "project the monthly cost from the conversations of the last 30 days", False
    )
    report: Path | None = option("folder for the report's files", metavar="DIR")


@dataclass(frozen=True, slots=True)
class RoutedModels:
    """Options for the models that a routing table chooses from."""

    model: list[str] | None = option(
        "a model's CSV column or report folder, and its price; name the current model first",
        metavar="NAME=PRICE",
    )
    measure: str = option("measure of quality, for replays", "same_arguments")


@dataclass(frozen=True, slots=True)
class Learning:
    """Options for learning a routing table, or for simulating that."""

    max_loss: str = option(
        "largest accepted loss of quality, in percentage points", "2pp", metavar="2pp"
    )
    output: Path | None = option("write the table to this file", None, "-o", metavar="FILE.json")
    days: int | None = option("days until the routing table expires; default: never", min=1)
    simulate: int | None = option(SIMULATED, metavar="DRAWS", min=1)
    rows: int = option("number of rows in each sample", 1_000, min=2)
    seed: int = option("random seed for splitting the outcomes into halves", 0)


@dataclass(frozen=True, slots=True)
class Shadowing:
    """Options for how much of the traffic a shadow replays."""

    max_cost_usd: float = option("total spending limit in USD", MISSING, min=0)
    share: str = option("share of all runs to replay", "20%", metavar="20%")
    beside: int = option("pause while a process has more active runs than this", 0, min=0)
    requests_per_minute: int | None = option(
        "max. requests per minute to each provider, per process", min=1
    )


@dataclass(frozen=True, slots=True)
class Tuning:
    """Options for tuning a prompt."""

    rules: Path = option(
        "rules file; its first rule names the measure to improve", MISSING, metavar="FILE.toml"
    )
    into: Path = option("folder for the progress and the result", MISSING, metavar="DIR")
    max_cost_usd: float = option("max. total cost in USD, including the proposals", MISSING, min=0)
    source: Path | None = option(
        "file of conversations; default: the worker's threads", None, "--from", metavar="FILE"
    )
    tries: int = option("number of new prompts to try", 6, min=1, max=100)
    proposer: str | None = option(
        "model that writes proposals; default: your configured model", metavar="PROVIDER:MODEL"
    )
    plan: bool = option("show what would be run, and which improvements could be proven", False)
    concurrency: int = option("conversations in parallel", 4, "-c", min=1)
    seed: int = option("random seed that splits the conversations", 0)
    tenant_id: str = option("", LOCAL, "--tenant", hidden=True)

    def select(self, worker: str) -> Selection:
        """Select the stored threads of the worker to tune.

        If the conversations come from a file, threads of any worker are selected.
        """
        named = None if self.source else worker
        return Selection(worker=named, seed=self.seed, tenant_id=self.tenant_id)


@dataclass(frozen=True, slots=True)
class Advising:
    """Options for advice: what to try for which workers, and the cost limit."""

    into: Path = option("folder for the progress and the result", MISSING, metavar="DIR")
    max_cost_usd: float = option("max. total cost in USD; 0: no model is called", 0.0, min=0)
    successor: bool = option(
        "try only the vendor's successors of models that have a shutdown date", False
    )
    sample: int = option(
        "number of the newest conversations to use for each worker", 300, min=5, max=MAX_SAMPLE
    )
    margin: str = option(
        "largest accepted loss of quality, in percentage points", "5pp", metavar="5pp"
    )
    rules: Path | None = option(
        "rules file of a gate; default: same tools and arguments, no more errors, and with --judge "
        "its preference",
        metavar="FILE.toml",
    )
    judge: str | None = option("model that compares the answers", metavar="PROVIDER:MODEL")
    batch_api: bool = option(
        "use the provider's batch API, which costs half and takes longer", False
    )
    plan: bool = option("show what would be tried, and the estimated cost", False)
    watch: bool = option("after the switch: compare live traffic with the result in --into", False)
    concurrency: int = option("conversations in parallel", 4, "-c", min=1)
    seed: int = option("random seed that selects the conversations", 0)
    json: Path | None = option("write the result as JSON", metavar="FILE")
    junit: Path | None = option("write the result as JUnit XML", metavar="FILE")
    markdown: Path | None = option("write the result as Markdown", metavar="FILE")
    tenant_id: str = option("", LOCAL, "--tenant", hidden=True)
