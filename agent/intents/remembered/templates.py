"""Templates of sentences with slots for names, numbers and dates, and triage's answers.

    "Jobs at Acme over 60k?"  {"fast_intent": "list", "entity_type": "jobs", "filters":
                                [company: Acme, salary: >= 60000]}
    ─► "jobs at {jobs.company} over {number}"   [company: {0}, salary: >= {1}]

Taken out is what triage itself put into its filters; of a worker's sentence numbers, dates and what
stands in quotes. All other words stay: equal words, equal template. Pure, linear, of any language.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from ...core.spec import EntitySpec, FieldSpec, Pack
from ...dataclasses import dataclass
from ...types import FastIntent, FastQuery, Filter, Record
from ..proposals import validate_fast_query
from ..queries import ID_FIELD, escape_like

MAX_CHARS: Final = 200
MAX_SLOTS: Final = 8
QUOTE: Final = "quote"
# In a sentence a number or a date is one character, which nobody can type.
# grouped: a number in thousands, "50.000" or "50 000", which not every language writes so: what
# was learned from one is read in one.
# Of Unicode's private area: `isprintable` refuses them in a sentence, so none can be typed in.
MARKS: Final = {"number": "\ue000", "date": "\ue001", "grouped": "\ue002"}
_IN_SLOT: Final = frozenset((*MARKS.values(), "{"))
_QUOTES: Final = str.maketrans(dict.fromkeys("“”„«»‟″「」『』", '"') | {"’": "'"})
_ENDS: Final = " .?!¿¡…。？！"
_SCRIPTS_WITH_SPACES_END: Final = 0x0E00  # Thai; beyond it words are not told apart by spaces
_NUMBER: Final = re.compile(
    r"""
    (?<![\w.,\ue000-\ue002-])
    (?:
        (?P<date>\d{4}-\d\d-\d\d)
        | (?P<grouped>\d{1,3}(?:(?:\.\d{3})+|(?:[ ]\d{3})+))
        | (?P<number>\d{1,3}(?:,\d{3})+k?|\d{1,15}k?)
    )
    (?![0-9A-Za-z_\u00c0-\u024f])(?![.,-]\d)
    """,
    re.ASCII | re.VERBOSE,
)
_SLOT: Final = re.compile(rf"\{{([a-z_]\w*\.[a-z_]\w*|{QUOTE}|{'|'.join(MARKS)})\}}", re.ASCII)
_NAMED: Final = re.compile(r"(\{(?:[a-z_]\w*\.[a-z_]\w*|quote)\})", re.ASCII)
_INDEX: Final = re.compile(r"\{(\d)\}", re.ASCII)
_QUOTED: Final = re.compile(r'"([^"]+)"')


@dataclass(frozen=True, slots=True)
class Part:
    """A span of a sentence's `shown` text, and the kind of slot that may replace it."""

    start: int
    end: int
    slot: str


class Sentence(Record, frozen=True):
    """A user's sentence in the forms that are compared with templates.
    shown: as written, in one line; folded: the same in lower case, character by character. plain:
    folded, with marks for its numbers. opening: the first word; "" if a number is part of it.
    """

    shown: str
    folded: str
    plain: str
    numbers: tuple[Part, ...]
    opening: str


class Template(Record, frozen=True):
    """A sentence with slots for names, numbers and days, and triage's answer to such sentences.
    answer: as triage gave it, with `{0}` for the first slot of the text.
    """

    text: str
    answer: Mapping[str, Any]
    criteria: str = ""

    @property
    def pattern(self) -> str:
        """Return a SQL LIKE pattern that all sentences of this template match."""
        return "%".join(map(escape_like, _NAMED.split(_mark(self.text))[::2]))

    @property
    def opening(self) -> str:
        return _get_opening(_mark(self.text))


@dataclass(frozen=True, slots=True)
class Known:
    """A value that must exist in the user's rows for the template to apply."""

    entity: EntitySpec
    field: FieldSpec
    value: str


class Reading(Record, frozen=True):
    """The result of reading a sentence by a template: a fast path's query, or a worker."""

    intent: FastIntent | None
    entity: str
    query: FastQuery | None
    worker: str
    criteria: str
    known: tuple[Known, ...]

    def is_same(self, other: Reading) -> bool:
        """Whether two interpretations lead to the same query or to the same worker."""
        mine = (self.intent, self.entity, self.worker, _to_comparable(self.query))
        return mine == (other.intent, other.entity, other.worker, _to_comparable(other.query))


def read_sentence(text: str) -> Sentence | None:
    """Parse a sentence; None if it is too long, empty or looks like a template."""
    # Before it is normalised: NFC of a long text costs time in the event loop.
    if len(text) > MAX_CHARS * 2:
        return None
    normal = unicodedata.normalize("NFC", text).translate(_QUOTES)
    shown = " ".join(normal.split()).strip(_ENDS)
    if not 0 < len(shown) <= MAX_CHARS or not shown.isprintable() or not {*"{}"}.isdisjoint(shown):
        return None
    folded = shown.lower()
    if not shown.isascii():
        # Character by character: places in `folded` must be places in `shown` ("ß".casefold() is
        # two).
        folded = "".join(c if len(c.casefold()) > 1 else c.casefold() for c in shown)
    numbers = tuple(map(_mark_number, _NUMBER.finditer(folded)))
    plain = _NUMBER.sub(lambda match: MARKS[str(match.lastgroup)], folded)
    return Sentence(shown, folded, plain, numbers, _get_opening(plain))


def make_template(sentence: Sentence, reading: Reading) -> Template | None:
    """Turn a sentence into a template, by replacing names, numbers and days with slots.

    None where a condition does not stand in the sentence (it may be of today only), stands there
    twice, or where a number or a quotation says something that the answer leaves out.
    """
    if reading.query is None:
        return _make_for_worker(sentence, reading)
    query = reading.query
    if query["order_by"] or query["limit"]:
        return None
    names = [item for item in query["filters"] if item["op"] == "contains"]
    taken: dict[int, Part] = {}
    for item in names:
        part = _find_name(sentence, str(item["value"]), f"{reading.entity}.{item['field']}")
        if part is None:
            return None
        taken[id(item)] = part
    left = [part for part in sentence.numbers if not _lies_in(part, taken.values())]
    values: dict[int, str] = {}
    for item in query["filters"]:
        # Only a number or a day: other values are words of the spec's.
        is_day = isinstance(item["value"], str) and item["value"][:4].isdecimal()
        is_number = isinstance(item["value"], int) and not isinstance(item["value"], bool)
        if item["op"] == "contains" or not (item["field"] == ID_FIELD or is_number or is_day):
            continue
        fitting = [(part, text) for part in left if (text := _fit_number(sentence, part, item))]
        if len(fitting) != 1:
            return None
        taken[id(item)], values[id(item)] = fitting[0]
        left.remove(fitting[0][0])
    quotes = [
        quote
        for quote in _list_quotes(sentence)
        if not any(part.start < quote.end and quote.start < part.end for part in taken.values())
    ]
    parts = sorted(taken.values(), key=lambda part: part.start)
    if left or quotes or not _stand_apart(parts):
        return None
    filters = [
        {
            "field": "id" if item["field"] == ID_FIELD else item["field"],
            "value": values.get(id(item), "{}").replace("{}", f"{{{parts.index(taken[id(item)])}}}")
            if id(item) in taken
            else _write_fixed(item),
        }
        for item in query["filters"]
    ]
    answer = {"fast_intent": reading.intent, "entity_type": reading.entity, "filters": filters}
    return Template(_write_text(sentence, parts), answer)


def read_by_template(template: Template, sentence: Sentence, pack: Pack) -> Reading | None:
    """Interpret a sentence by a template; None if the template does not clearly match.

    None also if the template names what the pack no longer has.
    """
    values = _match(template.text, sentence)
    if values is None:
        return None
    answer = template.answer
    if "worker" in answer:
        worker = pack.get_worker(str(answer["worker"]))
        criteria = _fill(template.criteria, values)
        return None if worker is None else Reading(None, "", None, worker.name, criteria, ())
    entity = next((e for e in pack.entities if e.name == answer.get("entity_type")), None)
    intent, filters = answer.get("fast_intent"), answer.get("filters")
    if entity is None or intent not in ("lookup", "count", "list") or not isinstance(filters, list):
        return None
    raw: list[dict[str, Any]] = [
        {"field": item.get("field"), "value": _fill(str(item.get("value")), values)}
        for item in cast("list[dict[str, Any]]", filters)
    ]
    query = validate_fast_query(entity, {"fast_intent": intent, "filters": raw})
    if query is None:
        return None
    for item in query["filters"]:
        field, value = entity.get_field(item["field"]), item["value"]
        if field and field.smallest and isinstance(value, int) and value < field.smallest:
            return None  # it may mean more than it says: "over 80"
    known: list[Known] = []
    for slot, value in zip(_SLOT.findall(template.text), values, strict=True):
        owner, _, name = slot.partition(".")
        if name:
            field = entity.get_field(name)
            if owner != entity.name or field is None:
                return None
            known.append(Known(entity, field, value))
    return Reading(intent, entity.name, query, "", "", tuple(known))


# making


def _mark_number(match: re.Match[str]) -> Part:
    return Part(match.start(), match.end(), str(match.lastgroup))


def _make_for_worker(sentence: Sentence, reading: Reading) -> Template | None:
    if not sentence.numbers and '"' not in sentence.folded:
        criteria = reading.criteria.replace("{", "(").replace("}", ")")
        return Template(sentence.folded, {"worker": reading.worker}, criteria)
    quotes = _list_quotes(sentence)
    numbers = [part for part in sentence.numbers if not _lies_in(part, quotes)]
    parts = sorted([*quotes, *numbers], key=lambda part: part.start)
    if not _stand_apart(parts):
        return None
    criteria = reading.criteria.replace("{", "(").replace("}", ")")
    for place, part in enumerate(parts):
        said = re.escape(sentence.shown[part.start : part.end])
        criteria, count = re.subn(rf"(?<![\w{{]){said}(?![\w}}])", f"{{{place}}}", criteria)
        if not count:
            criteria = ""  # it may say the same in other words, which are wrong of other numbers
            break
    return Template(_write_text(sentence, parts), {"worker": reading.worker}, criteria)


def _find_name(sentence: Sentence, value: str, slot: str) -> Part | None:
    """Find the only place where the name stands as whole words; None for none or several."""
    spoken = read_sentence(value)
    if spoken is None:
        return None
    parts: list[Part] = []
    start = sentence.folded.find(spoken.folded)
    while start >= 0:
        end = start + len(spoken.folded)
        if _is_whole(sentence.folded, start, end):
            parts.append(Part(start, end, slot))
        start = sentence.folded.find(spoken.folded, start + 1)
    return parts[0] if len(parts) == 1 else None


def _fit_number(sentence: Sentence, part: Part, item: Filter) -> str | None:
    """Write the filter's value with `{}` for the number, as in ">= {}"; None for another number."""
    said = sentence.folded[part.start : part.end]
    if part.slot == "date":
        sign = {"eq": "", "gte": ">= ", "lte": "<= "}.get(item["op"])
        return f"{sign}{{}}" if said == item["value"] and sign is not None else None
    if item["field"] == ID_FIELD:
        return "{}" if said == str(item["value"]) else None
    if not isinstance(item["value"], int):
        return None
    more = item["value"] - _to_number(said)
    signs = {
        ("eq", 0): "",
        ("gte", 0): ">= ",
        ("gte", 1): "> ",
        ("lte", 0): "<= ",
        ("lte", -1): "< ",
    }
    sign = signs.get((item["op"], more))
    return None if sign is None else f"{sign}{{}}"


def _to_number(text: str) -> int:
    digits = re.sub("[,. ]", "", text.removesuffix("k"))
    return int(digits) * (1000 if text.endswith("k") else 1)


def _write_fixed(item: Filter) -> str:
    """Write a fixed value of a filter, such as an allowed value or a yes or no."""
    if isinstance(item["value"], bool):
        return "true" if item["value"] else "false"
    return f">= {item['value']}" if item["op"] == "gte" else str(item["value"])


def _write_text(sentence: Sentence, parts: Sequence[Part]) -> str:
    return _replace(sentence.folded, [(part, f"{{{part.slot}}}") for part in parts])


def _list_quotes(sentence: Sentence) -> list[Part]:
    return [Part(m.start(1), m.end(1), QUOTE) for m in _QUOTED.finditer(sentence.folded)]


def _lies_in(part: Part, others: Any) -> bool:
    return any(other.start <= part.start and part.end <= other.end for other in others)


def _stand_apart(parts: Sequence[Part]) -> bool:
    """Whether something is left between all of them, to tell them apart by."""
    pairs = zip(parts, parts[1:], strict=False)
    return len(parts) <= MAX_SLOTS and all(one.end < other.start for one, other in pairs)


# matching


def _match(text: str, sentence: Sentence) -> list[str] | None:
    """Return the texts in the template's slots in order; None unless there is exactly one way."""
    plain = sentence.plain
    if "{" not in text:
        return [] if text == plain else None
    pieces = _NAMED.split(_mark(text))[::2]
    first, last = _split(plain, pieces, from_end=False), _split(plain, pieces, from_end=True)
    # As early and as late as can be: if both ways differ, the sentence has two readings
    # (tests/routers/test_templates.py::test_an_ambiguous_or_unmatched_sentence_uses_no_template).
    if first is None or first != last:
        return None
    if not all(_is_whole(plain, start, end) for start, end in first):
        return None
    # A mark is one character of `plain`, and more in the sentence as it is shown.
    shift, starts = 0, list[int]()
    for part in sentence.numbers:
        starts.append(part.start - shift)
        shift += part.end - part.start - 1
    values: list[str] = []
    spans, marks = iter(first), list(zip(starts, sentence.numbers, strict=True))
    free = iter([p for at, p in marks if not any(start <= at < end for start, end in first)])
    for slot in _SLOT.findall(text):
        if slot in MARKS:
            part = next(free, None)
            if part is None or part.slot != slot:
                return None
            said = sentence.folded[part.start : part.end]
            values.append(str(_to_number(said)) if slot == "grouped" else said)
            continue
        start, end = next(spans)
        before = sum(p.end - p.start - 1 for at, p in marks if at < start)
        inside = sum(p.end - p.start - 1 for at, p in marks if start <= at < end)
        value = sentence.shown[start + before : end + before + inside]
        if value != value.strip() or (slot == QUOTE and '"' in value):
            return None
        values.append(value)
    return values


def _split(plain: str, pieces: Sequence[str], *, from_end: bool) -> list[tuple[int, int]] | None:
    """Return the spans between the pieces, each as early (or as late) as possible; else None."""
    head, tail = pieces[0], pieces[-1]
    if len(pieces) == 1:
        return [] if plain == head else None
    end = len(plain) - len(tail)
    if not (plain.startswith(head) and plain.endswith(tail)) or end <= len(head):
        return None
    places: list[tuple[int, int]] = []
    low, high = len(head), end
    for piece in reversed(pieces[1:-1]) if from_end else pieces[1:-1]:
        at = plain.rfind(piece, low + 1, high - 1) if from_end else plain.find(piece, low + 1, high)
        if at < 0 or not piece:
            return None
        places.append((at, at + len(piece)))
        low, high = (low, at) if from_end else (at + len(piece), high)
    borders = [len(head), *(n for place in sorted(places) for n in place), end]
    spans = [*zip(borders[::2], borders[1::2], strict=True)]
    return spans if all(start < stop for start, stop in spans) else None


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether no word goes on beyond either end, in scripts that put spaces between words."""
    return not (
        _joins(text[start - 1 : start], text[start]) or _joins(text[end - 1], text[end : end + 1])
    )


def _joins(one: str, other: str) -> bool:
    return all(
        c.isalnum() and ord(c) < _SCRIPTS_WITH_SPACES_END for c in (one or " ", other or " ")
    )


# filling


def _fill(text: str, values: Sequence[str]) -> str:
    def pick(match: re.Match[str]) -> str:
        place = int(match[1])
        return values[place] if place < len(values) else match[0]

    return _INDEX.sub(pick, text)


def _to_comparable(query: FastQuery | None) -> Any:
    if query is None:
        return None
    filters = {
        (f["field"], f["op"], " ".join(str(f["value"]).casefold().split()))
        for f in query["filters"]
    }
    return filters, query["order_by"], query["descending"], query["limit"]


def _mark(text: str) -> str:
    """Replace the slots for numbers in a text by their marks."""
    for name, mark in MARKS.items():
        text = text.replace(f"{{{name}}}", mark)
    return text


def _get_opening(plain: str) -> str:
    word = plain.partition(" ")[0]
    return word if _IN_SLOT.isdisjoint(word) else ""


def _replace(text: str, parts: Sequence[tuple[Part, str]]) -> str:
    pieces: list[str] = []
    at = 0
    for part, put in parts:
        pieces += (text[at : part.start], put)
        at = part.end
    return "".join([*pieces, text[at:]])
