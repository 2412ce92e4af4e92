"""Options that go together: what a live replay asks of whom, what a gate writes, what is tuned."""

from __future__ import annotations

from dataclasses import MISSING, dataclass
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal

import typer

from plainloop.agent.cli.replay.options import Selection
from plainloop.agent.cli.terminal.options import option
from plainloop.agent.packs.commands import LOCAL

Replay = Annotated[str, typer.Argument(metavar="REPLAY", help="its id, or the start of its id")]


@dataclass(frozen=True, slots=True)
class Candidate:
    """Says what is tried instead of what is served today."""

    provider: str | None = option("the candidate's provider")
    model: list[str] | None = option(
        "the candidate's model; of one role or worker: triage=…, crm_worker=openai:gpt-4o-mini",
        None,
        metavar="[ROLE=]MODEL",
    )
    setting: list[str] | None = option(
        "any setting of the candidate, such as AGENT_AGENTS_EVALUATOR_MODEL=…; repeatable",
        None,
        "--set",
        metavar="AGENT_NAME=VALUE",
    )
    prompts: Path | None = option(
        "the candidate's prompts: WORKER.md each, or react.md", metavar="DIR"
    )
    design: str | None = option("the candidate's design")

    def read_settings(self) -> dict[str, str]:
        """Read what the candidate sets. Keys are refused: a replay is written down."""
        from plainloop.agent.service.variants import (
            name_role_model,  # the options are read at every start
        )

        found = {} if self.provider is None else {"AGENT_PROVIDER": self.provider}
        for text in self.model or []:
            role, is_role, model = text.partition("=")
            found |= name_role_model(role, model) if is_role else {"AGENT_MODEL": text}
        for text in self.setting or []:
            name, is_given, value = text.partition("=")
            if not is_given or not name.startswith("AGENT_"):
                raise typer.BadParameter(f"--set takes AGENT_NAME=VALUE, not {text!r}")
            if name.endswith(("_KEY", "_SECRET", "_URL")):
                raise typer.BadParameter(f"{name} is a secret: set it in the environment")
            found[name] = value
        return found


@dataclass(frozen=True, slots=True)
class Judging:
    """Says by whom, and by what, answers are judged."""

    judge: str | None = option(
        "a model that says whose answers are better", metavar="PROVIDER:MODEL"
    )
    rubric: Path | None = option("what the judge judges by", metavar="FILE")


@dataclass(frozen=True, slots=True)
class Asking:
    """Says how a live replay asks its models and tools."""

    history: Literal["recorded", "own"] = option(
        "what later turns see: the recording, or the own answers", "recorded"
    )
    allow_reads: bool = option("execute read tools that the recording does not answer", False)
    sandbox: bool = option("run read and write tools on a copy of your rows, then drop it", False)
    baseline: bool = option(
        "the unchanged lane beside the candidate", True, "--baseline/--no-baseline"
    )
    share: bool = option(
        "equal requests are bought once; --no-share: by each lane", True, "--share/--no-share"
    )
    batch_api: bool = option(
        "ask by the provider's batch API: half the price, up to a day a replay", False
    )
    requests_per_minute: int | None = option("to each provider, of this process", min=1)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Says what is made of what a live replay came to."""

    report: Path | None = option("folder for the report's files", metavar="DIR")
    strict: bool = option(
        "exit with 1 when it is worse, 10 when undecided, not judged or not run", False
    )


@dataclass(frozen=True, slots=True)
class Work:
    """Says how much of a live replay is done at once, and what it may cost."""

    concurrency: int | None = option(
        "conversations at once: 4, with --batch-api AGENT_LIMITS_BATCH_CONVERSATIONS",
        None,
        "-c",
        min=1,
        max=10_000,
    )
    max_cost_usd: float | None = option("stop when the replay has cost that", min=0)

    @property
    def limit_usd(self) -> Decimal | None:
        return None if self.max_cost_usd is None else Decimal(str(self.max_cost_usd))


@dataclass(frozen=True, slots=True)
class VerdictFiles:
    """Says where a gate's result is written; None: not."""

    json: Path | None = option("", metavar="FILE")
    junit: Path | None = option("", metavar="FILE")
    markdown: Path | None = option("", metavar="FILE")
    html: Path | None = option("", metavar="FILE")


@dataclass(frozen=True, slots=True)
class Planning:
    """Says what a gate's plan goes by. model: of one, for both sides."""

    plan: bool = option("how many conversations it needs, and what they cost", False)
    cost_usd: float | None = option("of a conversation on both sides, for --plan", min=0)
    model: list[str] | None = option(
        "whose prices, for --plan from a file", None, metavar="PROVIDER:MODEL"
    )
    prompts: Path | None = option("for --plan: what they would have to buy", metavar="DIR")
    touched: float | None = option("for --plan: the share that they change", min=0, max=1)


@dataclass(frozen=True, slots=True)
class Tuning:
    """Says how a prompt is tuned."""

    rules: Path = option("the first is to become better", MISSING, metavar="FILE.toml")
    into: Path = option("where it is kept how far it is", MISSING, metavar="DIR")
    max_cost_usd: float = option("of all of it, the proposals as well", MISSING, min=0)
    source: Path | None = option(
        "conversations; unset: the worker's threads", None, "--from", metavar="FILE"
    )
    tries: int = option("new prompts", 6, min=1, max=100)
    proposer: str | None = option("who writes; unset: your own", metavar="PROVIDER:MODEL")
    plan: bool = option("what it would ask and could find", False)
    concurrency: int = option("", 4, "-c", min=1)
    seed: int = option("of the split", 0)
    tenant_id: str = option("", LOCAL, "--tenant", hidden=True)

    def select(self, worker: str) -> Selection:
        """Select the worker's stored threads, where no file is named."""
        named = None if self.source else worker
        return Selection(worker=named, seed=self.seed, tenant_id=self.tenant_id)
