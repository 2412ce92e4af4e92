"""Tools that nobody taught the stand-in about: chosen and called by their names, words and schemas.

Only what the text plainly says becomes an argument; for the rest the user is asked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from ...types import ToolSchema
from ..rules import get_rules
from .amounts import NUMBER_WORDS
from .schemas import MISSING, Param, fit_value, list_params
from .verbs import LEAD, VERB_WORD, Verb, is_question, parse_tool_name
from .words import STOP_WORDS, list_words, stem

_TAUGHT: Final = ("profile", "contact", "company", "document", "web", "url")
# What stands before a value → words in the names of parameters that take such a one, the surest
# first.
_BEFORE: Final[Mapping[str, str]] = {
    "to": "to target recipient destination receiver end",
    "from": "from source sender origin start",
    "by": "by author artist writer composer maker",
    "in": "in city place location country room unit language",
    "at": "at place venue time address",
    "on": "on date day topic",
    "for": "for customer guest person reason purpose city place location",
    "with": "with guest attendee partner person",
    "about": "about topic subject",
}
_MARK: Final = re.compile(rf"\b({'|'.join(_BEFORE)})\s+(?:(?:the|an?|my)\s+)?", re.I)
_VALUE_END: Final = re.compile(
    r"[,;:]\s|\s(?:are|is|was|were|do|does|did|have|has|that|which|who|and|over|under|above|below)"
    r"(?=\s|$)|\s(?:to|for|of|at)\s+(?=\d)",
    re.I,
)
_NUMBER: Final = r"\d{1,12}(?:[.,]\d{1,6})?"
_SPELT: Final = re.compile(rf"\b(?:{'|'.join(NUMBER_WORDS)})\b", re.I)
_COUNTS: Final = frozenset("count number quantity times amount n".split())
_DATE: Final = re.compile(r"\b\d{4}-\d\d-\d\d\b")
_QUOTED: Final = re.compile(r"[\"“]([^\"”]+)[\"”]|(?<!\w)['‘]([^'’]+)['’](?!\w)")
_ARTICLE: Final = re.compile(r"(?:an?|the|my|our|new|another|this|that|me|some|all)\b\s*", re.I)
_ASKING: Final = re.compile(
    r"\W*(?:what|who|where|when|how (?:much|many))(?:['’]s|\s+(?:is|are|do|does|did))?\b\s*", re.I
)
_LINK: Final = re.compile(
    r"\s*(?:[:–-]\s*|(?:that|called|named|titled|saying|reading|of)\b\s*)", re.I
)
_ITEMS: Final = re.compile(r"\s*(?:\b(?:with|of|containing|including)\b|:)\s+(.+)$", re.I)
_TAIL: Final = re.compile(
    r"(?:[\s,]*\b(?:please|to|from|by|in|at|on|for|with|about))*[\s,;:.!?]*$", re.I
)
_NOT_BEFORE: Final = re.compile(r"(?:\b(?:not|no|never|without)|n['’]t)\s+(?:\w+\s+)?$", re.I)
# A description that begins so tells of a thing; with a verb ("Reset the counter"), of a deed.
_THING: Final = re.compile(r"\W*(?:an?|the|all|every|what|which|how|where|when|current)\b", re.I)
_PRONOUN: Final = re.compile(r"\W*(?:i|we|you|he|she|they|it|this|that)\b", re.I)
_NEW: Final = re.compile(r"^\W*(?:an?\s+)?(?:new|another)\s+(\w+)\s*[:–-]\s", re.I)
_FIRST_WORDS: Final = 3


def is_foreign(tool: ToolSchema) -> bool:
    """Whether no pack's rules know its things."""
    taught = {*_TAUGHT, *(kind for rules in get_rules() for kind in rules.kinds)}
    return not parse_tool_name(tool).stems & {stem(word) for word in taught}


def find_unsaid_verb(clause: str, tools: tuple[ToolSchema, ...]) -> Verb | None:
    """What a clause without a verb asks for: "new task: …", "orders for Smith"."""
    new = _NEW.match(clause)
    known = {verb: _list_nouns(verb, tools) for verb in ("create", "list", "read", "search")}
    if new and stem(new[1].casefold()) in known["create"]:
        return "create"
    first = [] if _PRONOUN.match(clause) else list_words(clause)[:_FIRST_WORDS]
    shown = known["list"] | known["read"] | known["search"]
    return "list" if any(stem(word) in shown for word in first) else None


def choose_by_verb(clause: str, tools: tuple[ToolSchema, ...]) -> ToolSchema | None:
    """The one tool whose own verb the clause begins with: "water the ficus", `water_plant`."""
    words = [stem(word) for word in list_words(_cut_lead(clause))]
    counts = {
        tool.name: sum(noun in words for noun in parse_tool_name(tool).stems)
        for tool in tools
        if words and _has_own_verb(tool) and words[0] == stem(parse_tool_name(tool).nouns[0])
    }
    return _choose_best(counts, tools)


def choose_by_nouns(clause: str, tools: tuple[ToolSchema, ...]) -> ToolSchema | None:
    """The one tool that tells of the thing that is asked about: "what time is it?"."""
    words = {stem(word) for word in list_words(clause) if word not in STOP_WORDS}
    counts = {
        tool.name: len(parse_tool_name(tool).stems & words)
        for tool in tools
        if _has_own_verb(tool) and _THING.match(tool.description) and is_question(clause)
    }
    return _choose_best(counts, tools)


def names_thing(clause: str, tool: ToolSchema) -> bool:
    """Whether the clause says what the tool is about."""
    return bool(parse_tool_name(tool).stems & _list_stems(clause))


def find_number(clause: str, tool: ToolSchema) -> int | None:
    """The row that the clause names by its number: "task 3", "plant #3"."""
    for noun in parse_tool_name(tool).nouns if is_foreign(tool) else ():
        match = re.search(rf"\b{re.escape(noun.rstrip('s'))}s?\s*#?\s*(\d{{1,9}})\b", clause, re.I)
        if match:
            return int(match[1])
    return None


def fill_arguments(tool: ToolSchema, clause: str, known: Mapping[str, Any]) -> dict[str, Any]:
    """`known`, and what else the clause says of the tool's parameters."""
    params, slots = list_params(tool.parameters), dict(known)
    head = _cut_head(clause, tool, params)
    text = _SPELT.sub(lambda match: str(NUMBER_WORDS[match[0].casefold()]), head)
    for param in (param for name, param in params.items() if name not in known):
        value, text = _read_typed(param, text, tool)
        if value is not MISSING:
            slots[param.name] = value
    unset = [param for name, param in params.items() if name not in slots]
    marked, text = _read_marked(unset, text, tool)
    slots |= marked
    left = [p for p in params.values() if p.is_required and p.name not in slots]
    lists = [p for p in left if "array" in p.kinds]
    items = _ITEMS.search(text) if len(lists) == 1 else None
    if items:
        values = re.split(r"\s*(?:,|;|\band\b)\s*", items[1])
        slots[lists[0].name] = fit_value(lists[0], [value for value in values if value])
        text = text[: items.start()]
    numbers = [p for p in left if {"integer", "number"} & set(p.kinds)]
    found = re.findall(rf"(?<![\w#]){_NUMBER}(?![\w-])", text)
    if len(numbers) == len(found) == 1:
        slots[numbers[0].name] = fit_value(numbers[0], found[0].replace(",", "."))
        text = re.sub(rf"\s*{re.escape(found[0])}\s*", " ", text, count=1)
    texts = [p for p in left if "string" in p.kinds and not p.enum and "format" not in p.schema]
    quoted = _QUOTED.search(clause)
    value = (quoted[1] or quoted[2]) if quoted else _trim(text, tool)
    if len(texts) == 1 and value:
        slots[texts[0].name] = fit_value(texts[0], value)
    return {name: value for name, value in slots.items() if value is not MISSING}


def list_unsaid(clause: str, tool: ToolSchema, arguments: Mapping[str, Any]) -> list[str]:
    """The words of a clause that neither the tool's name nor an argument accounts for."""
    params = list_params(tool.parameters).values()
    said = _list_stems(" ".join([tool.name, *(param.name for param in params)]).replace("_", " "))
    said |= _list_stems(" ".join(value for param in params for value in param.enum))
    said |= _list_stems(" ".join(str(value) for value in arguments.values()))
    words = [word for word in list_words(_cut_lead(clause)) if word not in STOP_WORDS]
    return [w for w in words if stem(w) not in said and not VERB_WORD.fullmatch(w)]


def _choose_best(counts: Mapping[str, int], tools: tuple[ToolSchema, ...]) -> ToolSchema | None:
    """The tool with the highest count; None when several have it, or nobody has any."""
    best = max(counts.values(), default=0)
    found = [tool for tool in tools if best and counts.get(tool.name) == best]
    return found[0] if len(found) == 1 else None


def _has_own_verb(tool: ToolSchema) -> bool:
    """Whether its name tells no class of ours."""
    return parse_tool_name(tool).verb is None and is_foreign(tool)


def _list_stems(text: str) -> set[str]:
    return {stem(word) for word in list_words(text)}


def _list_nouns(verb: str, tools: tuple[ToolSchema, ...]) -> set[str]:
    own = [tool for tool in tools if parse_tool_name(tool).verb == verb and is_foreign(tool)]
    return {noun for tool in own for noun in parse_tool_name(tool).stems}


def _read_typed(param: Param, text: str, tool: ToolSchema) -> tuple[Any, str]:
    """What the text says of a flag, number or date by the parameter's own name; and the rest."""
    name = r"[\s_-]+".join(re.escape(part) for part in param.name.removesuffix("s").split("_"))
    found: re.Match[str] | None = None
    value: Any = MISSING
    if "boolean" in param.kinds:
        found = re.search(rf"\b{name}s?\b", text, re.I)
        value = True if found and not _NOT_BEFORE.search(text[: found.start()]) else MISSING
    elif {"integer", "number"} & set(param.kinds):
        nouns = "|".join(map(re.escape, parse_tool_name(tool).nouns))
        names = f"{name}|{nouns}" if param.name in _COUNTS else name
        found = re.search(rf"(?<![\w#])({_NUMBER})\s*(?:{names})s?\b", text, re.I)
        found = found or re.search(rf"\b{name}s?\s*(?:of|:|=|is)?\s*({_NUMBER})\b", text, re.I)
        value = fit_value(param, found[1].replace(",", ".")) if found else MISSING
    elif "date" in (param.schema.get("format"), *param.name.split("_")):
        found = _DATE.search(text)
        value = fit_value(param, found[0]) if found else MISSING
    if found is None or value is MISSING:
        return MISSING, text
    return value, f"{_TAIL.sub('', text[: found.start()])} {text[found.end() :].strip()}".strip()


def _read_marked(params: list[Param], text: str, tool: ToolSchema) -> tuple[dict[str, Any], str]:
    """Texts after the word that stands before such a value ("by Frank Herbert"), and the rest.

    A number is no text: "for 100" names no customer.
    """
    slots: dict[str, Any] = {}
    end = len(text)
    for mark in reversed(list(_MARK.finditer(text))):
        said = _VALUE_END.split(text[mark.end() : end])[0]
        value = _trim(said, tool)
        open_ = [p for p in params if p.name not in slots and "string" in p.kinds and not p.enum]
        param, value = _choose_param(mark[1], value, open_)
        fitted = fit_value(param, value) if param and value else MISSING
        is_no_text = re.fullmatch(_NUMBER, value) or (param and "format" in param.schema)
        if param is None or fitted is MISSING or is_no_text:
            continue
        slots[param.name] = fitted
        text = f"{text[: mark.start()].rstrip()}{text[mark.end() + len(said) :]}".strip(" ,;:")
        end = mark.start()
    return slots, text


def _choose_param(mark: str, value: str, params: list[Param]) -> tuple[Param | None, str]:
    """Whose value it is: of the parameter that it names ("on the Apollo project"), or of one that
    the word before it goes with.
    """
    for param in params:
        named = re.fullmatch(rf"(?:{param.name}\s+(.+)|(.+)\s+{param.name})", value, re.I)
        if named:
            return param, named[1] or named[2]
    for word in _BEFORE[mark.casefold()].split():
        for param in params:
            if word in param.name.split("_"):
                return param, value
    return None, value


def _trim(text: str, tool: ToolSchema) -> str:
    """The text without what surrounds a value: "of the kitchen light" is the kitchen."""
    own = "|".join(re.escape(word) for word in tool.name.casefold().split("_"))
    text = re.sub(rf"(?:\s+(?:{own})s?)+\W*$", "", _TAIL.sub("", text.strip(" ,;:")), flags=re.I)
    return re.sub(rf"^(?:{'|'.join(_BEFORE)}|of|the|an?)\s+", "", text.strip(" ,;:"), flags=re.I)


def _cut_lead(clause: str) -> str:
    return re.sub(rf"^\W*{LEAD}", "", clause, flags=re.I)


def _cut_head(clause: str, tool: ToolSchema, params: Mapping[str, Param]) -> str:
    """The clause without its verb and the tool's own words: "add a task: milk" → "milk"."""
    own = {stem(word) for word in tool.name.casefold().split("_")}
    rest = _ASKING.sub("", _cut_lead(clause), count=1)
    named, mark, said = rest.partition(": ")
    if mark and said and own & _list_stems(named) and not list_unsaid(named, tool, {}):
        return _TAIL.sub("", said)
    first = re.match(r"[\w'’-]+", rest)
    if first and (VERB_WORD.fullmatch(first[0]) or stem(first[0].casefold()) in own):
        rest = rest[first.end() :].lstrip()
    while article := _ARTICLE.match(rest):
        rest = rest[article.end() :]
    while (word := re.match(r"(\w+)\s*", rest)) and stem(word[1].casefold()) in own:
        rest = rest[word.end() :]
    takes_to = any(_choose_param("to", "", [param])[0] for param in params.values())
    rest = rest if takes_to else re.sub(r"^to\s+", "", rest, flags=re.I)
    nouns = "|".join([*map(re.escape, parse_tool_name(tool).nouns), "list"])
    place = rf"\s+(?:to|onto|on|into|in)\s+(?:my|the|our)\s+(?:\w+\s+){{0,2}}?(?:{nouns})s?\W*$"
    link = _LINK.match(rest)
    return _TAIL.sub("", re.sub(place, "", rest[link.end() :] if link else rest, flags=re.I))
