"""Templates as lines of JSON: carried to another tenant, or shipped with a pack.

{"pack": "tracker", "template": "jobs at {jobs.company}", "answer": {…}, "criteria": "",
 "within": true}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from plainloop.agent.errors import InputError
from plainloop.agent.intents.remembered.templates import Template

from .learned_rows import LearnedTemplate

MAX_TEMPLATE_CHARS: Final = 1_000
_Text = Annotated[str, Meta(min_length=1, max_length=MAX_TEMPLATE_CHARS)]


class LearnedFilter(msgspec.Struct, forbid_unknown_fields=True):
    """One filter of a learned query; its value may contain slots."""

    field: _Text
    value: Annotated[str, Meta(max_length=MAX_TEMPLATE_CHARS)]


class LearnedAnswer(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A learned answer: a worker, or a query over an entity with filters."""

    worker: str | None = None
    fast_intent: str | None = None
    entity_type: str | None = None
    filters: list[LearnedFilter] | None = None


class LearnedLine(msgspec.Struct, forbid_unknown_fields=True):
    """A line of an export: one learned sentence. within: also valid within a conversation."""

    pack: _Text
    template: _Text
    answer: LearnedAnswer
    criteria: Annotated[str, Meta(max_length=MAX_TEMPLATE_CHARS)] = ""
    within: bool = False

    def to_template(self) -> Template:
        answer: dict[str, Any] = msgspec.to_builtins(self.answer)
        return Template(self.template, answer, self.criteria)


def to_line(learned: LearnedTemplate) -> str:
    """Serialize a sentence that triage has learned as one line, without its user."""
    answer = msgspec.convert(learned.answer, LearnedAnswer)
    line = LearnedLine(learned.pack, learned.template, answer, learned.criteria, learned.is_within)
    return msgspec.json.encode(line).decode()


def parse_lines(lines: Iterable[bytes]) -> Iterator[LearnedLine]:
    """Parse an export of learned sentences, line by line.

    Raises: InputError that names the line.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            parsed = msgspec.json.decode(line, type=LearnedLine)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise InputError(
                f"line {number} is not a learned sentence: {error}",
                hint="`plainloop learned export` writes valid files.",
            ) from error
        if (parsed.answer.worker is None) == (parsed.answer.fast_intent is None):
            raise InputError(
                f"line {number} must name either a worker or a fast path",
                hint="Name one of the two.",
            )
        yield parsed
