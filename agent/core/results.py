"""Cuts tool results to a token limit, with a note how to read the rest."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, cast

import orjson

from ..base.tokens.estimate import (
    MAX_CHARS_PER_TOKEN,
    estimate_json_tokens,
    estimate_tokens,
    fit_text,
)
from .taint import UNTRUSTED
from .tools import ToolOutcome, describe_error

NOTE: Final = "cut to fit; ask again with a narrower filter or a smaller limit for the rest"
_NOTE_TOKENS: Final = 40  # the note, the names and brackets around what is kept


def cut_result(outcome: ToolOutcome, max_tokens: int) -> ToolOutcome:
    """Cut a tool's result to `max_tokens`, or to the note about the cut if that is longer.

    A dict keeps its shape: its longest list loses items from the end, then its texts are cut;
    anything else becomes its own beginning as text. A failure still says what failed.
    """
    result: Any = outcome.result
    text = orjson.dumps(result).decode()
    if _fits(text, max_tokens):
        return outcome
    fields = cast(dict[str, Any], result) if isinstance(result, dict) else None
    short: dict[str, Any] | None = None if fields is None else _cut_dict(fields, max_tokens)
    if short is None:
        budget = max(1, max_tokens - _NOTE_TOKENS)
        key, whole = ("error", describe_error(result)) if outcome.is_error else ("text", text)
        short = {key: fit_text(whole, budget), "note": NOTE}
        if outcome.outside or (fields is not None and UNTRUSTED in fields):
            short[UNTRUSTED] = True  # of what is one text now, all of it
            outcome = replace(outcome, outside=())
    return replace(outcome, result=short)


def _cut_dict(result: dict[str, Any], max_tokens: int) -> dict[str, Any] | None:
    """Shorten a dict's longest list and its texts to fit; None if that is not enough."""
    short: dict[str, Any] = {**result, "note": NOTE}
    lists = [key for key, value in result.items() if isinstance(value, list) and value]
    if lists:
        longest = max(lists, key=lambda key: len(orjson.dumps(result[key])))
        short[longest] = _cut_list(short, longest, max_tokens - _NOTE_TOKENS)
        short["shown"] = f"{len(short[longest])} of {len(result[longest])}"
    if _fits(orjson.dumps(short).decode(), max_tokens):
        return short
    texts = sorted(
        (k for k, v in result.items() if isinstance(v, str)), key=lambda k: len(result[k])
    )
    budget = max_tokens - estimate_json_tokens({**short, **dict.fromkeys(texts, "")})
    for n, key in enumerate(texts):  # the short ones first: what they leave is for the long ones
        short[key] = fit_text(result[key], max(1, budget // (len(texts) - n)))
        budget -= estimate_json_tokens(short[key])
    return short if _fits(orjson.dumps(short).decode(), max_tokens) else None


def _cut_list(result: dict[str, Any], key: str, max_tokens: int) -> list[Any]:
    """Return as many first items of a list as fit beside the rest of the result."""
    budget = max_tokens - estimate_json_tokens({**result, key: []})
    kept: list[Any] = []
    for item in result[key]:
        budget -= estimate_json_tokens(item) + 1
        if budget < 0:
            break
        kept.append(item)
    return kept


def _fits(text: str, max_tokens: int) -> bool:
    return len(text) <= max_tokens * MAX_CHARS_PER_TOKEN and estimate_tokens(text) <= max_tokens
