"""What ways of keeping histories short would have sent, cost and lost, on recorded conversations.

Nothing is asked of a model: each recorded answer is a call, its history is shown by each policy,
and it is counted which tokens a provider's cache would have had, and which of the values in the
recorded tool calls the model could no longer have seen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

import orjson

from plainloop.agent.base.messages.contents import list_calls
from plainloop.agent.base.text.tables import compact_json, read_json
from plainloop.agent.base.tokens.estimate import estimate_message_tokens, estimate_tokens
from plainloop.agent.core.policy import trim_messages
from plainloop.agent.core.results import cut_result
from plainloop.agent.core.tools import ToolOutcome
from plainloop.agent.dataclasses import dataclass, field
from plainloop.agent.providers.http.bodies import to_json_text
from plainloop.agent.types import Message
from plainloop_lab.replay.sources.conversations import Conversation

KEPT_RESULTS: Final = 4
_LEAST_CHARS: Final = 3  # a shorter value stands everywhere by chance
_SHOWN_LOSSES: Final = 5

# Of messages by place: in which form a call sees it. full, gone (a tool's result is not shown),
# table, cut.
View = list[tuple[int, str]]
Policy = Callable[[Sequence[Message]], View]


@dataclass(frozen=True, slots=True)
class Rates:
    """Says what a token costs: of input written to the cache or read from it, of output."""

    write: float = 1.25
    read: float = 0.1
    output: float = 5.0
    unit: str = ""  # USD; "": in input tokens at full price


@dataclass(slots=True)
class Sums:
    """Counts what a policy came to. is_lossless: it claims that a model sees every value."""

    name: str
    is_lossless: bool
    calls: int = 0
    input_tokens: int = 0
    read_tokens: int = 0
    output_tokens: int = 0
    lost_calls: int = 0
    examples: list[str] = field(default_factory=list[str])

    def price(self, rates: Rates) -> float:
        """Return the cost of all input at these rates, with one way to shorten histories."""
        written = self.input_tokens - self.read_tokens
        return written * rates.write + self.read_tokens * rates.read

    def to_json(self, rates: Rates) -> dict[str, Any]:
        """Convert the sums and the cost of one way to shorten histories to JSON."""
        return {
            "policy": self.name,
            "claims_lossless": self.is_lossless,
            "calls": self.calls,
            "input_tokens": self.input_tokens,
            "cache_read_tokens": self.read_tokens,
            "cost": self.price(rates),
            "calls_that_lost_a_value": self.lost_calls,
            "examples": self.examples,
        }


def compare_policies(
    conversations: Iterable[Conversation], window_tokens: int, result_tokens: int
) -> list[Sums]:
    """Compare how much recorded conversations would cost if their histories were shortened.

    Compares several ways in one pass over the conversations.
    """
    policies: dict[str, tuple[bool, Policy]] = {
        "everything": (True, _show_all),
        f"window of {window_tokens:,} tokens": (
            False,
            lambda messages: [
                (place, "full")
                for place in range(
                    len(messages) - len(trim_messages([*messages], window_tokens)), len(messages)
                )
            ],
        ),
        f"last {KEPT_RESULTS} tool results": (False, _show_newest_results),
        "lists as tables": (True, lambda messages: _show_results(messages, "table")),
        f"results cut to {result_tokens:,} tokens": (
            False,
            lambda messages: _show_results(messages, "cut"),
        ),
    }
    found = {name: Sums(name, is_lossless) for name, (is_lossless, _) in policies.items()}
    for conversation in conversations:
        forms = _Forms(conversation, result_tokens)
        for name, (_, policy) in policies.items():
            _add_conversation(found[name], conversation, forms, policy)
    return list(found.values())


def estimate_cost(conversations: Iterable[Conversation], rates: Rates) -> float:
    """Estimate the mean cost of a conversation whose history is never shortened."""
    sums, count = Sums("everything", is_lossless=True), 0
    for conversation in conversations:
        count += 1
        _add_conversation(sums, conversation, _Forms(conversation, 0), _show_all)
    return (sums.price(rates) + sums.output_tokens * rates.output) / max(1, count)


class _Forms:
    """A conversation's messages in each form, made and counted once."""

    def __init__(self, conversation: Conversation, result_tokens: int) -> None:
        self.messages = conversation.messages
        self.system_tokens = estimate_tokens(conversation.system)
        self.system = conversation.system
        self._result_tokens = result_tokens
        self._known: dict[tuple[int, str], tuple[int, str]] = {}

    def get(self, place: int, form: str) -> tuple[int, str]:
        """Return the message at this position, shortened to this form, as (tokens, text)."""
        if (place, form) not in self._known:
            message = self._change(self.messages[place], form)
            text = orjson.dumps(message["parts"]).decode()
            self._known[place, form] = estimate_message_tokens(message), text
        return self._known[place, form]

    def _change(self, message: Message, form: str) -> Message:
        parts: list[Any] = []
        for part in message["parts"]:
            if part["type"] != "tool_result":
                parts.append(part)
            elif form == "gone":
                parts.append({**part, "result": "(not shown any more)"})
            else:
                is_cut, limit = form == "cut", self._result_tokens
                outcome = ToolOutcome(part["result"])
                text = to_json_text(cut_result(outcome, limit).result if is_cut else outcome.result)
                shown = read_json(compact_json(text) if form == "table" else text)
                parts.append({**part, "result": shown})
        return {"role": message["role"], "parts": parts}


def _add_conversation(
    sums: Sums, conversation: Conversation, forms: _Forms, policy: Policy
) -> None:
    before: View = []
    for place, message in enumerate(forms.messages):
        if message["role"] != "assistant":
            continue
        view = policy(forms.messages[:place])
        tokens = [forms.get(*key)[0] for key in view]
        same = next(
            (n for n, pair in enumerate(zip(before, view, strict=False)) if pair[0] != pair[1]),
            min(len(before), len(view)),
        )
        sums.calls += 1
        sums.output_tokens += forms.get(place, "full")[0]
        sums.input_tokens += forms.system_tokens + sum(tokens)
        if before:
            sums.read_tokens += forms.system_tokens + sum(tokens[:same])
        lost = _find_lost(forms, place, message, view)
        if lost:
            sums.lost_calls += 1
            if len(sums.examples) < _SHOWN_LOSSES:
                sums.examples.append(f"{conversation.conversation_id}: {lost}")
        before = view


def _find_lost(forms: _Forms, place: int, message: Message, view: View) -> str:
    """Return a value in the message's calls that only the whole history contains; "" if none."""
    full = {(n, "full") for n in range(place)}
    if full == set(view):
        return ""
    wanted = [
        (call["name"], value)
        for call in list_calls(message)
        for value in dict.fromkeys(_list_values(call["arguments"]))
    ]
    if not wanted:
        return ""
    seen = "\n".join([forms.system, *(forms.get(*key)[1] for key in view)])
    for name, value in wanted:
        if _stands_in(value, seen):
            continue
        if any(_stands_in(value, forms.get(n, "full")[1]) for n in range(place)):
            return f"{name} needed {value}"
    return ""


def _list_values(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for item in cast("dict[str, Any]", value).values():
            yield from _list_values(item)
    elif isinstance(value, list):
        for item in cast("list[Any]", value):
            yield from _list_values(item)
    elif isinstance(value, (str, int, float)) and not isinstance(value, bool):
        text = value if isinstance(value, str) else f"{value}"
        if len(text) >= _LEAST_CHARS:
            yield text


def _stands_in(value: str, text: str) -> bool:
    """Whether a value occurs in a text as a word of its own: 200 does not in 2005."""
    needle = orjson.dumps(value).decode()[1:-1]
    at = text.find(needle)
    while at >= 0:
        around = text[max(0, at - 1) : at] + text[at + len(needle) : at + len(needle) + 1]
        if not re.search(r"[A-Za-z0-9]", around):
            return True
        at = text.find(needle, at + 1)
    return False


def _show_all(messages: Sequence[Message]) -> View:
    return [(place, "full") for place in range(len(messages))]


def _show_newest_results(messages: Sequence[Message]) -> View:
    results = [place for place, message in enumerate(messages) if message["role"] == "tool"]
    gone = set(results[:-KEPT_RESULTS])
    return [(place, "gone" if place in gone else "full") for place in range(len(messages))]


def _show_results(messages: Sequence[Message], form: str) -> View:
    """Show tool results in this form from the start, so that sent history never changes."""
    return [
        (place, form if message["role"] == "tool" else "full")
        for place, message in enumerate(messages)
    ]


def render_policies(found: Sequence[Sums], rates: Rates) -> list[str]:
    """Render the comparison of ways to shorten histories as lines of a table."""
    whole = found[0]
    unit = rates.unit or "full-price tokens"
    width = max(len(item.name) for item in found)
    head = f"{'input tokens':>14}{'':>8}{'from cache':>12}{unit:>20}{'':>8}"
    lines = [f"{'history':<{width}}{head}  calls that lost a value"]
    for item in found:
        more = item.input_tokens / max(1, whole.input_tokens) - 1
        cost, dearer = item.price(rates), item.price(rates) / max(1e-12, whole.price(rates)) - 1
        cached = item.read_tokens / max(1, item.input_tokens)
        lines.append(
            f"{item.name:<{width}}{item.input_tokens:>14,}{more:>+8.0%}{cached:>12.0%}"
            f"{cost:>20,.2f}{dearer:>+8.0%}  {item.lost_calls:,} of {item.calls:,}"
        )
    lines += [f"lost with {item.name}: {text}" for item in found for text in item.examples[:2]]
    safe = [item for item in found if not item.lost_calls]
    best = min(safe, key=lambda item: item.price(rates))
    return [*lines, f"the cheapest one that lost nothing here: {best.name}"]


def describe(found: Sequence[Sums], rates: Rates) -> Mapping[str, Any]:
    """Describe the comparison of ways to shorten histories as JSON."""
    return {
        "unit": rates.unit or "full-price input tokens",
        "policies": [item.to_json(rates) for item in found],
    }
