"""Decides which calls need approval after text from outside was read: one pure rule, and its table.

The table stands in `docs/outside-text.md`, and `tests/provenance/test_rule.py` holds both to each
other. Nothing is looked up, and no model is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from ..base.text.addresses import list_addresses, list_ends
from ..base.text.cleaning import cut_text
from ..dataclasses import dataclass
from .marking import Reach, Weight
from .sources import Sources, list_leaves
from .tracing import ORIGINS, Origin, Traced, Tracer
from .words import to_number

Verdict = Literal["goes", "marked", "asks"]
_MAX_QUOTED: Final = 6  # values, in a question
_MAX_QUOTED_CHARS: Final = 120  # of each
_ASKS: Final[Mapping[Origin, Verdict]] = {"outside": "asks", "unknown": "asks"}
_GOES: Final[Mapping[Origin, Verdict]] = {"user": "goes", "row": "goes", "computed": "goes"}
# By weight, then by where a target comes from; the worst of a call's targets decides.
TABLE: Final[Mapping[Weight, Mapping[Origin, Verdict]]] = {
    "look": {**_GOES, "hint": "goes", "trusted": "goes", **_ASKS},
    "undo": {**_GOES, "hint": "marked", "trusted": "marked", **_ASKS},
    "final": {**_GOES, "hint": "marked", "trusted": "asks", **_ASKS},
    "remove": dict.fromkeys(ORIGINS, "asks"),
}
# Numbers and days that come from outside, or from nowhere.
AMOUNTS: Final[Mapping[Weight, Verdict]] = {
    "look": "asks",
    "undo": "marked",
    "final": "asks",
    "remove": "asks",
}

# Of a call that text from outside spells, whoever named what it reaches.
DICTATED: Final[Mapping[Weight, Verdict]] = {"undo": "marked", "final": "asks"}


@dataclass(frozen=True, slots=True)
class Judged:
    """The judgement of a tool call: whether it may run, why, and its arguments' origins."""

    verdict: Verdict
    reason: str
    traced: tuple[Traced, ...] = ()
    reached: tuple[str, ...] = ()  # names of its targets and amounts

    def list_origins(self) -> dict[str, Origin]:
        """Map each argument to its origin, or to its least trusted one if it has several values."""
        origins = dict[str, Origin]()
        for item in self.traced:
            known = ORIGINS.index(origins.get(item.name, "user"))
            origins[item.name] = ORIGINS[max(known, ORIGINS.index(item.origin))]
        return origins

    def describe(self) -> str:
        """Describe where each argument comes from, such as `to outside, body unknown`."""
        return ", ".join(f"{name} {origin}" for name, origin in self.list_origins().items())

    def word_outside(self) -> str:
        """Describe for an approver which values come from third-party text or an unknown source."""
        if self.verdict != "asks":
            return ""
        quoted = [
            f"{item.path} “{cut_text(item.value, _MAX_QUOTED_CHARS)}”"
            for item in self.traced
            if item.origin == "outside" or (item.origin == "unknown" and item.name in self.reached)
        ]
        shown = quoted[:_MAX_QUOTED] + [f"{len(quoted) - _MAX_QUOTED} more"] * (
            len(quoted) > _MAX_QUOTED
        )
        return f" (not the user's words: {', '.join(shown)})" if shown else ""


def trace_call(arguments: Mapping[str, Any], reach: Reach, tracer: Tracer) -> tuple[Traced, ...]:
    """Trace where every value in a call's arguments comes from."""
    return tuple(
        tracer.trace_amount(path, leaf, arguments)
        if name in reach.amounts
        else tracer.trace_name(path, leaf, reach.fields.get(name, ()))
        for name, value in arguments.items()
        for path, leaf in list_leaves(value, name)
    )


def judge_call(
    arguments: Mapping[str, Any], reach: Reach, sources: Sources, *, is_read: bool = False
) -> Judged:
    """Judge whether a tool call needs approval, by the origin of its arguments."""
    tracer = sources.tracer = sources.tracer or Tracer(sources)
    traced = trace_call(arguments, reach, tracer)
    if not sources.is_tainted:
        return Judged("goes", "no text from outside was read", traced)
    reached = (*reach.targets, *reach.amounts)
    call = _Call(arguments, reach, reach.weigh(arguments, is_read=is_read), traced, tracer)
    verdict, reason = "goes", "the user named everything that the call affects"
    if call.weight == "remove":
        verdict, reason = "asks", "the call removes data"
    for item in call.list_reached():
        each = _judge_target(item, call)
        if _RANK.index(each) > _RANK.index(verdict):
            verdict, reason = each, _ORIGIN_TEXTS[item.origin].format(item.path, item.value)
    # After the targets: a named recipient must not get data that the user did not mean for them.
    if verdict != "asks" and (revealed := _find_revealed_secret(call, sources)):
        verdict, reason = "asks", revealed
    if verdict != "asks" and (each := DICTATED.get(call.weight)) and _is_dictated(call, sources):
        verdict, reason = each, "text that the user did not write spells out this call"
    return Judged(verdict, reason, traced, reached)


_RANK: Final[tuple[Verdict, ...]] = ("goes", "marked", "asks")
_ORIGIN_TEXTS: Final[Mapping[Origin, str]] = {
    "user": "the user wrote {0} ({1})",
    "row": "{0} ({1}) is stored in a row that the user named",
    "computed": "{0} ({1}) was computed from the user's message",
    "hint": "{0} ({1}) is stored in a row that the user may have meant",
    "trusted": "the user did not name {0} ({1})",
    "outside": "{0} ({1}) comes from text that the user did not write",
    "unknown": "neither the user nor trusted data named {0} ({1})",
}


@dataclass(frozen=True, slots=True)
class _Call:
    arguments: Mapping[str, Any]
    reach: Reach
    weight: Weight
    traced: tuple[Traced, ...]
    tracer: Tracer

    def list_reached(self) -> list[Traced]:
        named = (*self.reach.targets, *self.reach.amounts)
        return [item for item in self.traced if item.name in named]

    def list_texts(self) -> list[Traced]:
        named = (*self.reach.targets, *self.reach.amounts)
        return [item for item in self.traced if item.name not in named]


def _judge_target(item: Traced, call: _Call) -> Verdict:
    verdict = TABLE[call.weight][item.origin]
    if verdict != "asks" or call.weight == "remove":
        return verdict
    if item.origin == "trusted":
        return "marked" if _is_harmless(call) else "asks"
    if item.name in call.reach.amounts and item.kind != "text":
        return AMOUNTS[call.weight]
    if call.weight == "look" and call.tracer.is_link_of_named_row(item.value):
        return "marked"
    return "asks"


def _is_harmless(call: _Call) -> bool:
    """Whether a call moves nothing but the user's own words."""
    texts, amounts = call.list_texts(), [call.arguments.get(name) for name in call.reach.amounts]
    return bool(texts) and not any(amounts) and all(item.origin == "user" for item in texts)


def _is_dictated(call: _Call, sources: Sources) -> bool:
    """Whether text from outside names all that a call reaches, and fills or is in its texts."""
    names = [item for item in call.list_reached() if item.kind == "text"]
    if not names or any(item.value not in sources.outside for item in names):
        return False
    texts = call.list_texts()
    is_quoted = any(item.origin == "outside" for item in texts)
    return is_quoted or all(item.value in sources.outside for item in texts)


def _find_revealed_secret(call: _Call, sources: Sources) -> str | None:
    """Find text in a call that must not be sent unasked: an address that nobody named; words
    of somebody outside, to whom the user did not name; a secret that the user did not say.
    """
    if call.weight == "look":
        return None
    texts = call.list_texts()
    for item in texts:
        for address in list_addresses(item.value, item.name):
            if to_number(address) is None and not any(
                map(call.tracer.is_known, list_ends(address))
            ):
                return f"{item.name} contains {address}, an address that the user did not name"
    if call.weight == "undo":
        return None
    if any(item.origin != "user" for item in call.list_reached()):
        quoted = next((item for item in texts if item.origin == "outside"), None)
        if quoted is not None:
            return (
                f"{quoted.name} is copied from text from outside, and the user did "
                "not name the recipient"
            )
    call_text = " ".join(item.value for item in texts)
    is_revealed = any(
        secret in call_text and secret not in sources.user for secret in sources.secrets
    )
    return "the call reveals a secret of the user" if is_revealed else None
