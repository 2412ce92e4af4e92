"""`plainloop advise`: its options."""

from __future__ import annotations

from dataclasses import MISSING, dataclass
from pathlib import Path

from plainloop.agent.cli.terminal.launching import launch
from plainloop.agent.cli.terminal.options import LOCAL, grouped, option


@dataclass(frozen=True, slots=True)
class Advising:
    """Says what is tried for whom, and what that may cost."""

    into: Path = option("folder for the progress and the result", MISSING, metavar="DIR")
    max_cost_usd: float = option("max. total cost in USD", MISSING, min=0)
    candidate: list[str] | None = option(
        "model, effort or both to try; may be repeated; default: today's models at lower efforts, "
        "and their providers' small models",
        metavar="MODEL[@EFFORT]",
    )
    of_worker: list[str] | None = option(
        "only this worker; may be repeated; default: all that answered in the last 30 days",
        None,
        "--for",
        metavar="WORKER",
    )
    successor: bool = option(
        "try only the vendor's successors of models that have a shutdown date", False
    )
    sample: int = option("conversations for each worker, of the newest", 300, min=5)
    margin: str = option("loss that is accepted", "5pp", metavar="5pp")
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
    concurrency: int = option("conversations in parallel", 4, "-c", min=1)
    seed: int = option("random seed of the draw", 0)
    json: Path | None = option("", metavar="FILE")
    junit: Path | None = option("", metavar="FILE")
    markdown: Path | None = option("", metavar="FILE")
    tenant_id: str = option("", LOCAL, "--tenant", hidden=True)


@grouped
def advise(advising: Advising) -> None:
    """Find the cheapest model and effort for each worker that is not worse.

    \b
    plainloop advise --into advice --max-cost-usd 5 --plan
    plainloop advise --into advice --max-cost-usd 5 --markdown advice.md
    plainloop advise --into advice --max-cost-usd 5 --candidate gpt-6-luna@low --for crm_worker

    Stored conversations are replayed, first few with all candidates, then the rest with the most
    promising one. The same command continues after Ctrl-C and buys nothing twice. The exit code is
    0 if something can be switched, 1 if nothing should be, and 10 if that is undecided.
    packages/lab/docs/advise.md describes the method.
    """
    from .advise import advise_models

    launch(advise_models(advising))
