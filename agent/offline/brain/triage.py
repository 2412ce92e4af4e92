"""Sorting a request: which worker, or a plain lookup, count or list of stored rows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from ...base.text import cut_text
from ..reading import Reading
from ..rules import get_rules
from .hedges import find_unsaid, list_doubtful
from .places import find_place
from .profiles import find_statement
from .rows import list_marks
from .schemas import Schema, list_params
from .slots import find_enum, is_deed, is_led_to, read_names
from .verbs import find_verb, is_news, is_question
from .words import PLAIN_WORDS, list_concepts, list_stems, list_words, stem

_WORKER_LINE: Final = re.compile(r"^[ \t]*[-*][ \t]*`?([\w.-]+)`?[ \t]*:[ \t]*(.+)$", re.M)
_ENTITY_LINE: Final = re.compile(r"^[ \t]*(?:[-*][ \t]*)?(\w+):[ \t]*(.+)$", re.M)
_FIELD: Final = re.compile(r"^(\w+)(?:\((\w+)\))?(?:=(.+))?$")
_CATCH_ALL: Final = re.compile(
    r"\b(?:anything else|everything else|any other|general|other)\b", re.I
)
# Words of a request that point to a concept more surely than shared vocabulary does.
_SIGNALS: Final[Mapping[str, str]] = {
    r"\b(?:search|look(?:ing)?|browse|google|hunt|scout)\b[^.]{0,50}"
    r"\b(?:for|web|internet|online)\b": "search search web opening",
    r"\b(?:add|save|track|move|mark|delete|remove|update|bookmark|log|record)\b": "track track",
    r"\b(?:advice|advise|tips?|prepare|negotiate|should i|how (?:do|can|should) i|explain)\b": (
        "advice advice advice"
    ),
    r"\bcompare\b|\bfits?\b[^.]{0,15}\bbest\b|\bbest\b|\brank\b": "compare fit best best",
    r"\b(?:my profile|remember that|prefer)\b": "profile",
}
_COMPOUND: Final = re.compile(
    r"\band (?:which|what|how|who|show|list|tell|add|move|delete|write|are|is)\b|\b(?:then|also"
    r"|after that|as well as|both)\b|[;\n]|\?\s+\S",
    re.I,
)
_COUNT: Final = re.compile(r"\bhow many\b|\bcount\b|\bnumber of\b|\btotal of\b", re.I)
_LIST: Final = re.compile(
    r"^\W*(?:(?:please|can you|could you|would you|i want to|i'd like to|let me)\s+)*"
    r"(?:list|show|display|which|what|see|view|give me|tell me|do i have|have i|who are|any)\b",
    re.I,
)
_LOOKUP: Final = re.compile(
    r"\b(?:status|details?|info(?:rmation)?|look up|show me (?:the|my)|what about|tell me about"
    r"|what is|what's|find|open|pull up|where (?:am i|do i stand))\b",
    re.I,
)
# Conditions that filters of "field is value" cannot say.
_BEYOND_FILTERS: Final = re.compile(
    r"\b(?:over|above|under|below|more than|less than|at least|at most|between|since|before|after"
    r"|during|this (?:week|month|year)|last (?:week|month|year)|today|yesterday|ago|not|never"
    r"|without"
    r"|except|best|better|highest|lowest|average|compare|why|should|percentage|rate|sorted?"
    r"|order(?:ed)?"
    r"|like|similar|same|different|other|half|only|non|besides|most|least|first|last|next"
    r"|per|by (?:status|company|week|month)|or|vs|versus)\b|n['’]t\b|\d"
    r"|^\W*what(?:['’]s| is) an?\b",  # a word is asked about, not a row
    re.I,
)
_CRITERIA_CHARS: Final = 200


@dataclass(frozen=True, slots=True)
class EntityLine:
    """An entity as the prompt describes it: its fields, with the allowed values of each enum."""

    name: str
    fields: Mapping[str, tuple[str, ...]]
    ordered: frozenset[str] = frozenset()  # fields whose values come one after the other


def answer_triage(reading: Reading, schema: Schema) -> dict[str, Any]:
    """The triage object; its keys beyond worker and criteria only when the schema has them."""
    params = list_params(schema)
    worker = choose_worker(reading, params["worker"].enum)
    answer: dict[str, Any] = {
        "worker": worker,
        "success_criteria": _build_criteria(reading.request),
    }
    if "fast_intent" not in params:
        return answer
    entities = parse_entities(reading.system, params["entity_type"].enum)
    return {**answer, **find_fast_query(reading.request, entities)}


def choose_worker(reading: Reading, names: tuple[str, ...]) -> str:
    """The worker whose description shares most with the request, read by concepts."""
    described = {
        match[1]: match[2]
        for match in _WORKER_LINE.finditer(reading.system)
        if not names or match[1] in names
    }
    described = {name: described.get(name, "") for name in names or tuple(described)}
    scores = score_workers(reading.request, described)
    if _is_reply(reading) or not any(scores.values()):
        earlier = score_workers(reading.previous_request, described)
        scores = {name: score + earlier[name] for name, score in scores.items()}
    if any(scores.values()):
        return max(scores, key=lambda name: scores[name])
    catch_all = [n for n, text in described.items() if _CATCH_ALL.search(f"{n} {text}")]
    return (catch_all or list(described) or [""])[-1]


def score_workers(request: str, described: Mapping[str, str]) -> dict[str, float]:
    """How much each worker's name and description share with the request."""
    wanted = list(list_concepts(request))
    learned = [item for rules in get_rules() for item in rules.signals.items()]
    for pattern, meant in [*_SIGNALS.items(), *learned]:
        if re.search(pattern, request, re.I):
            wanted += [stem(word) for word in meant.split()]
    if is_news(request) and read_names(request):
        wanted += [stem("track")] * 2
    if find_statement(request):
        wanted += [stem("profile")] * 3
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


def parse_entities(system: str, names: tuple[str, ...]) -> list[EntityLine]:
    """The entity lines of a prompt: `jobs: company, status=saved|applied, salary_min(int)`."""
    entities: list[EntityLine] = []
    for match in _ENTITY_LINE.finditer(system):
        if match[1] not in names:
            continue
        fields: dict[str, tuple[str, ...]] = {}
        ordered: set[str] = set()
        for part in match[2].split(","):
            field = _FIELD.match(part.strip().rstrip("…."))
            if field:
                fields[field[1]] = tuple(re.split(r"[|<]", field[3])) if field[3] else ()
                if "<" in (field[3] or ""):
                    ordered.add(field[1])
        if fields:
            entities.append(EntityLine(match[1], fields, frozenset(ordered)))
    return entities


def find_fast_query(request: str, entities: list[EntityLine]) -> dict[str, Any]:
    """fast_intent, entity_type, filters; "none" unless all of the request is understood."""
    nothing: dict[str, Any] = {"fast_intent": "none", "entity_type": "none", "filters": []}
    entity = _find_entity(request, entities)
    is_asking = (
        is_question(request) or _COUNT.search(request) or find_verb(request) in ("list", "read")
    )
    if (
        entity is None
        or not is_asking
        or _COMPOUND.search(request)
        or _BEYOND_FILTERS.search(request)
        or find_unsaid(request) is not None
    ):
        return nothing
    filters = _find_filters(request, entity)
    said = [item["value"] for item in filters if not entity.fields[item["field"]]]
    if any(_is_no_value(value, request) for value in said):
        return nothing
    named = any(item["field"] in ("company", "title", "name") for item in filters)
    if _COUNT.search(request):
        intent = "count"
    elif named and _LOOKUP.search(request):
        intent = "lookup"
    else:
        intent = "list" if _LIST.search(request) else "none"
    if intent == "none" or _list_unexplained(request, entity, filters):
        return nothing
    return {"fast_intent": intent, "entity_type": entity.name, "filters": filters}


def _find_entity(request: str, entities: list[EntityLine]) -> EntityLine | None:
    """The one entity that the request names, or whose values it uses; None when several fit."""
    stems = set(list_stems(request))
    named = [e for e in entities if stem(e.name) in stems] or [
        e for e in entities if stem(e.name) in list_concepts(request)
    ]
    return named[0] if len(named) == 1 else None


def _find_filters(request: str, entity: EntityLine) -> list[dict[str, str]]:
    filters: list[dict[str, str]] = []
    for name, values in entity.fields.items():
        value = find_enum(request, values) if values else None
        if value:
            is_reached = name in entity.ordered and value != values[0] and is_deed(request)
            filters.append({"field": name, "value": f">= {value}" if is_reached else value})
    names, place = read_names(request), find_place(request)
    said = {**names, "location": place if place not in names.values() else ""}
    filters += [
        {"field": name, "value": value}
        for name, value in said.items()
        if name in entity.fields and value
    ]
    return filters


def _is_no_value(value: str, request: str) -> bool:
    """Several names in one, or small words that may merely describe: "my favourite jobs", "my loan
    application".
    """
    if re.search(r"\b(?:and|or)\b|[,/]", value, re.I):
        return True
    is_small = value == value.lower() and not re.search(r"\d", value)
    return is_small and not is_led_to(value, request)


def _list_unexplained(request: str, entity: EntityLine, filters: list[dict[str, str]]) -> list[str]:
    """Words that neither the entity, nor a filter, nor the question's form accounts for."""
    explained = PLAIN_WORDS | set(list_stems(entity.name))
    explained |= {word for word in list_stems(request) if stem(entity.name) in list_concepts(word)}
    for item in filters:
        explained |= set(list_stems(item["value"].removeprefix(">= ")))
    enum_values = [v for item in filters for v in entity.fields.get(item["field"], ())]
    said = [*list_stems(request), *list_doubtful(request)]
    return [
        word for word in said if word not in explained and not find_enum(word, tuple(enum_values))
    ]


def _is_reply(reading: Reading) -> bool:
    """Whether the request only makes sense after the answer before it ("yes", "the second one")."""
    if not reading.last_answer:
        return False
    words = list_words(reading.request)
    is_pointing = re.search(r"\b(?:it|that one|this one|them|one)\b|#\d", reading.request, re.I)
    is_asked = reading.last_answer.rstrip().endswith(("?", ").", ")?"))
    return bool(
        (is_asked and len(words) <= 8)
        or (is_pointing and list_marks(reading.last_answer) and len(words) <= 8)
    )


def _build_criteria(request: str) -> str:
    asked = cut_text(re.sub(r"\s+", " ", request).strip(), _CRITERIA_CHARS)
    return (
        f"The answer does what was asked: {asked}" if asked else "The answer is honest and short."
    )
