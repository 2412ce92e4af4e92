"""`bench efforts`: what low effort for triage and reviews saves at list prices, by provider.

The sizes of thinking are stated here, not measured: no vendor's model is called. Each turn makes
one call of triage and one review, with the provider's small model.
"""

from __future__ import annotations

import argparse
from typing import Any, Final

from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS, find_effort_offer, quirks_for
from plainloop.agent.providers.efforts import fit_effort
from plainloop.agent.providers.pricing import LIST_PRICES
from plainloop.agent.types import Effort, Usage
from scripts.benchmarks.rig.report import print_json, print_table

# Assumed tokens of thinking of one short call, by level. A public measurement of one sum on GLM-5.3
# says 10, 25 and 198 for low, high and max (anomalyco/models.dev #6237); sorting and reviewing
# takes more. Your own ledger's numbers: `plainloop usage --by role,effort`.
THINKING: Final[dict[Effort, int]] = {
    "none": 0,
    "minimal": 40,
    "low": 120,
    "medium": 400,
    "high": 1_000,
    "xhigh": 2_000,
    "max": 3_000,
}
USUAL: Final[Effort] = "medium"  # of models whose own level no page states
TURNS: Final = 1_000
CALLS: Final = 2  # a turn's triage and review


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="bench efforts", description=__doc__)
    parser.add_argument("--json", action="store_true", help="all figures as JSON")
    options = parser.parse_args(argv)
    print_json(measure()) if options.json else print_efforts(measure())


def measure() -> list[dict[str, Any]]:
    """By provider: the small model, its own level and ours, and what that saves."""
    rows: list[dict[str, Any]] = []
    for provider, defaults in PROVIDER_DEFAULTS.items():
        model = defaults.small_model
        offer = find_effort_offer(quirks_for(provider, model, defaults.base_url).efforts, model)
        if offer is None or not defaults.key_variables or not defaults.needs_key:
            continue
        own, ours = offer.default or USUAL, fit_effort(offer, "low", is_set=False)
        saved = THINKING[own] - THINKING[ours or own]
        cost = LIST_PRICES.price(provider, model, Usage(output_tokens=saved * CALLS * TURNS))
        rows.append(
            {
                "provider": provider,
                "model": model,
                "own": own,
                "is_own_known": offer.default is not None,
                "sent": ours,
                "saved_tokens": saved,
                "saved_usd": None if cost.amount is None else float(cost.amount),
            }
        )
    return rows


def print_efforts(rows: list[dict[str, Any]]) -> None:
    sizes = ", ".join(f"{level} {tokens:,}" for level, tokens in THINKING.items())
    print_table(
        f"Low effort for triage and reviews: saved by {TURNS:,} turns at list prices",
        ["", "small model", "its own level", "sent", "thinking tokens a call", "USD"],
        [
            [
                row["provider"],
                row["model"],
                row["own"] + ("" if row["is_own_known"] else " (assumed)"),
                row["sent"] or "nothing",
                -row["saved_tokens"],
                row["saved_usd"],
            ]
            for row in rows
        ],
    )
    print(f"stated thinking tokens of one call: {sizes}")


if __name__ == "__main__":
    main([])
