"""Tool results are cut to a budget, with a note how to get the rest."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import orjson

from agent.core.text import cut_text
from agent.core.tokens import estimate_json_tokens
from agent.core.tools import ToolOutcome

CHARS_PER_TOKEN: Final = 3  # cautious: a cut text must fit
NOTE: Final = "cut to fit; ask again with a narrower filter or a smaller limit for the rest"


def cut_result(outcome: ToolOutcome, max_tokens: int) -> ToolOutcome:
    """The outcome with a result of about `max_tokens` at most.

    A dict keeps its shape: its longest list loses items from the end, then its longest texts are
    cut; anything else becomes its own beginning as text.
    """
    if estimate_json_tokens(outcome.result) <= max_tokens:
        return outcome
    if isinstance(outcome.result, dict):
        return replace(outcome, result=_cut_dict(outcome.result, max_tokens))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    text = orjson.dumps(outcome.result).decode()
    short = cut_text(text, max_tokens * CHARS_PER_TOKEN)
    return replace(outcome, result={"text": short, "note": NOTE})


def _cut_dict(result: dict[str, Any], max_tokens: int) -> dict[str, Any]:
    short: dict[str, Any] = {**result, "note": NOTE}
    lists = [key for key, value in result.items() if isinstance(value, list)]
    if lists:
        longest = max(lists, key=lambda key: estimate_json_tokens(result[key]))
        short[longest] = _cut_list(short, longest, max_tokens)
        short["shown"] = f"{len(short[longest])} of {len(result[longest])}"
    excess = estimate_json_tokens(short) > max_tokens
    texts = [key for key, value in result.items() if isinstance(value, str)] if excess else []
    for key in texts:
        short[key] = cut_text(result[key], max_tokens * CHARS_PER_TOKEN // len(texts))
    if estimate_json_tokens(short) > max_tokens and not texts:
        text = orjson.dumps(result).decode()
        return {"text": cut_text(text, max_tokens * CHARS_PER_TOKEN), "note": NOTE}
    return short


def _cut_list(result: dict[str, Any], key: str, max_tokens: int) -> list[Any]:
    """As many first items as fit beside the rest of the result."""
    budget = max_tokens - estimate_json_tokens({**result, key: []})
    kept: list[Any] = []
    for item in result[key]:
        budget -= estimate_json_tokens(item)
        if budget < 0:
            break
        kept.append(item)
    return kept
