"""What differs between two answers to one turn, in words, the worst first: for who judges them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

import orjson

from plainloop.agent.base.text.cleaning import cut_text

from ..live.lane import TurnResult
from ..live.words import WordMatcher
from .measures import MOST_COMPARED_WORDS, find_route

MOST_PASSAGES: Final = 5  # of other words; the longest
SAID_CHARS: Final = 120


def describe_differences(one: TurnResult, other: TurnResult, names: tuple[str, str]) -> list[str]:
    """Describe in words what differs between two answers to one turn, the worst first.

    names: of the sides; use ("1", "2") if the reader must not know which is which.
    """
    parts = (_describe_end, _describe_reviews, _describe_route, _describe_calls)
    lines = [line for describe in parts for line in describe(one, other, names)]
    return [*lines, *describe_passages(one["text"], other["text"], names)]


def are_alike(one: TurnResult, other: TurnResult) -> bool:
    """Whether two answers have the same words, tool calls and end: nothing is to be judged."""
    return (
        one["text"].split() == other["text"].split()
        and one["error"] == other["error"]
        and [_key(use) for use in one["tools"]] == [_key(use) for use in other["tools"]]
    )


def _describe_end(one: TurnResult, other: TurnResult, names: tuple[str, str]) -> Iterator[str]:
    if one["error"] != other["error"]:
        ends = [
            f"ended by {side['error']}" if side["error"] else "ended well" for side in (one, other)
        ]
        yield f"{names[0]} {ends[0]}, {names[1]} {ends[1]}"


def _describe_reviews(one: TurnResult, other: TurnResult, names: tuple[str, str]) -> Iterator[str]:
    last = [side["verdicts"][-1]["verdict"] if side["verdicts"] else None for side in (one, other)]
    if last[0] != last[1]:
        said = [{"pass": "passed", None: "did not look at"}.get(item, "sent back") for item in last]
        yield f"the evaluator {said[0]} {names[0]} and {said[1]} {names[1]}"
    found = [side["problems"] or 0 for side in (one, other)]
    if found[0] != found[1]:
        yield f"the worker's check found {found[0]} faults in {names[0]}, {found[1]} in {names[1]}"


def _describe_route(one: TurnResult, other: TurnResult, names: tuple[str, str]) -> Iterator[str]:
    routes = [", ".join(find_route(side["path"])) or "nobody" for side in (one, other)]
    if routes[0] != routes[1]:
        yield f"{names[0]} was answered by {routes[0]}, {names[1]} by {routes[1]}"


def _describe_calls(one: TurnResult, other: TurnResult, names: tuple[str, str]) -> Iterator[str]:
    """Describe calls that only one side made, writes first, then those with other arguments."""
    left, right = ([*side["tools"]] for side in (one, other))
    for use in [*left]:
        same = next((u for u in right if _key(u) == _key(use)), None)
        if same is not None:
            left.remove(use)
            right.remove(same)
    pairs: list[tuple[Mapping[str, Any], Mapping[str, Any]]] = []
    for use in [*left]:
        like = next((u for u in right if u["name"] == use["name"]), None)
        if like is not None:
            left.remove(use)
            right.remove(like)
            pairs.append((use, like))
    alone = [(names[0], use) for use in left] + [(names[1], use) for use in right]
    for name, use in sorted(alone, key=lambda item: item[1].get("effect", "read") == "read"):
        writes = "" if use.get("effect", "read") == "read" else ", which may write"
        told = f"only {name} calls {use['name']}{_show_fields(use['arguments'])}{writes}"
        yield told + word_origins(use)
    for use, like in pairs:
        keys = dict.fromkeys([*use["arguments"], *like["arguments"]])
        for key in keys:
            values = [_show(side["arguments"].get(key)) for side in (use, like)]
            if values[0] != values[1]:
                values = [
                    f"{value} ({origin})" if (origin := side.get("origins", {}).get(key)) else value
                    for value, side in zip(values, (use, like), strict=True)
                ]
                told = f"{values[0]} in {names[0]}, {values[1]} in {names[1]}"
                yield f"{use['name']}: {key} is {told}"


def word_origins(use: Mapping[str, Any]) -> str:
    """Describe which arguments of a tool call came from untrusted text or an unknown origin.

    "" if none did.

    >>> word_origins({"origins": {"to": "outside", "body": "user"}, "asks": True})
    '; to from outside: a person would have to approve the call'
    """
    origins: Mapping[str, str] = use.get("origins", {})
    told = [f"{name} from {origin}" for name, origin in origins.items() if origin == "outside"]
    told += [f"{name} of unknown origin" for name, origin in origins.items() if origin == "unknown"]
    asks = ": a person would have to approve the call" if use.get("asks") else ""
    return f"; {', '.join(told)}{asks}" if told else ""


def describe_passages(one: str, other: str, names: tuple[str, str]) -> list[str]:
    """Describe the passages in which two texts differ, in their order.

    >>> describe_passages("Room 7 is free.", "Room 8 is free.", ("today", "the candidate"))
    ['today says “7” where the candidate says “8”']
    >>> describe_passages("Yes.", "Yes. Shall I book it?", ("1", "2"))
    ['only 2 says “Shall I book it?”']
    """
    words = [text.split()[:MOST_COMPARED_WORDS] for text in (one, other)]
    if words[0] == words[1]:
        return []
    found = [code for code in WordMatcher(*words).get_opcodes() if code[0] != "equal"]
    longest = sorted(found, key=lambda c: c[1] - c[2] + c[3] - c[4])[:MOST_PASSAGES]
    told = [
        _word_passage(" ".join(words[0][a:b]), " ".join(words[1][c:d]), names)
        for _, a, b, c, d in found
        if any((a, b, c, d) == item[1:] for item in longest)
    ]
    rest = len(found) - len(longest)
    return [*told, f"and {rest} shorter differences in the wording"] if rest else told


def _word_passage(before: str, now: str, names: tuple[str, str]) -> str:
    if not before or not now:
        return (
            f"only {names[0] if before else names[1]} says “{cut_text(before or now, SAID_CHARS)}”"
        )
    shown = [cut_text(text, SAID_CHARS) for text in (before, now)]
    return f"{names[0]} says “{shown[0]}” where {names[1]} says “{shown[1]}”"


def _key(use: Mapping[str, Any]) -> bytes:
    return orjson.dumps([use["name"], use["arguments"]], option=orjson.OPT_SORT_KEYS)


def _show_fields(arguments: Mapping[str, Any]) -> str:
    shown = ", ".join(f"{name}: {_show(value)}" for name, value in arguments.items())
    return f" ({cut_text(shown, SAID_CHARS)})" if shown else ""


def _show(value: Any) -> str:
    """Write an argument as people read it, and not as JSON.

    >>> _show({"title": "Cook", "tags": ["food", 3], "note": None, "remote": True})
    'title: “Cook”, tags: “food” and 3, note: nothing, remote: yes'
    """
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, Any]", value)
        text = ", ".join(f"{name}: {_show(item)}" for name, item in fields.items()) or "nothing"
    elif isinstance(value, list):
        text = " and ".join(map(_show, cast("list[Any]", value))) or "nothing"
    elif isinstance(value, str):
        return f"“{cut_text(value, SAID_CHARS)}”"
    elif isinstance(value, bool):
        text = "yes" if value else "no"
    else:
        text = "nothing" if value is None else str(value)
    return cut_text(text, SAID_CHARS)
