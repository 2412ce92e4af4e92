"""Sorting a request: which worker, or a plain count or list of stored rows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from plainloop.agent.base.text.cleaning import cut_text
from plainloop.agent.types import ToolSchema

from ..reading import Reading
from ..rules import get_rules
from .schemas import Schema, list_params
from .sentence import Unread, read_request
from .words import list_concepts, stem

_WORKER_LINE: Final = re.compile(r"^[ \t]*[-*][ \t]*`?([\w.-]+)`?[ \t]*:[ \t]*(.+)$", re.M)
_ENTITY_LINE: Final = re.compile(r"^[ \t]*(\w+):[ \t]*(.+)$", re.M)
_FIELD: Final = re.compile(r"^(\w+)(?:\((\w+)\))?(?:=(.+))?$")
_CATCH_ALL: Final = re.compile(r"\b(?:anything|everything) else\b|\bgeneral\b|\bother\b", re.I)
_INTENTS: Final = {
    "count": re.compile(r"\bhow many\b|\bcount\b|\bnumber of\b", re.I),
    "lookup": re.compile(r"\blook up\b", re.I),
}
_CRITERIA_CHARS: Final = 200


def answer_triage(reading: Reading, schema: Schema) -> dict[str, Any]:
    """Build the triage answer: worker and criteria, and `records` if the schema has it."""
    params = list_params(schema)
    asked = cut_text(" ".join(reading.request.split()), _CRITERIA_CHARS)
    does = f"does what was asked: {asked}" if asked else "is honest and short."
    worker = choose_worker(reading, params["worker"].enum)
    answer = {"worker": worker, "success_criteria": f"The answer {does}"}
    return {**answer, "records": _find_query(reading)} if "records" in params else answer


def choose_worker(reading: Reading, names: tuple[str, ...]) -> str:
    """Return the worker whose description has the most in common with the request."""
    described = {
        match[1]: match[2]
        for match in _WORKER_LINE.finditer(reading.system)
        if not names or match[1] in names
    }
    described = {name: described.get(name, "") for name in names or tuple(described)}
    scores = _score_workers(reading.request, described)
    if any(scores.values()):
        return max(scores, key=lambda name: scores[name])
    catch_all = [n for n, text in described.items() if _CATCH_ALL.search(f"{n} {text}")]
    return (catch_all or list(described) or [""])[-1]


def _score_workers(request: str, described: Mapping[str, str]) -> dict[str, float]:
    """Score workers by the words that names and descriptions share with the request.

    Rare words count more.
    """
    wanted = list(list_concepts(request))
    for pattern, meant in (item for rules in get_rules() for item in rules.signals.items()):
        if re.search(pattern, request, re.I):
            wanted += [stem(word) for word in meant.split()]
    known = {
        name: list_concepts(f"{name.replace('_', ' ')} {text}") for name, text in described.items()
    }
    rarity = {
        word: 1 / count
        for word in set(wanted)
        if (count := sum(word in words for words in known.values()))
    }
    return {
        name: round(sum(rarity[word] for word in wanted if word in words), 6)
        for name, words in known.items()
    }


def _find_query(reading: Reading) -> str:
    """Return the requested records as a query; "" unless every word is understood."""
    entities = _build_entities(reading.system.partition("\nEntities:\n")[2])
    deed = read_request(reading.request, entities)
    if isinstance(deed, Unread):
        return ""
    intent = next((name for name, said in _INTENTS.items() if said.search(reading.request)), "list")
    filters = (f"{name}={value}" for name, value in deed.arguments.items())
    return "; ".join((f"{intent} {deed.tool.name.removeprefix('list_')}", *filters))


def _build_entities(system: str) -> tuple[ToolSchema, ...]:
    """Convert a prompt's entity lines to tools that list them: `jobs: company, status=a|b`."""
    entities: list[ToolSchema] = []
    for match in _ENTITY_LINE.finditer(system):
        properties: dict[str, Any] = {}
        for part in match[2].split(","):
            field = _FIELD.match(part.strip().rstrip("…."))
            if field:
                properties[field[1]] = {"type": "string"}
            if field and field[3]:
                properties[field[1]]["enum"] = re.split(r"[|<]", field[3])
        if properties:
            entities.append(ToolSchema(f"list_{match[1]}", "", {"properties": properties}))
    return tuple(entities)
