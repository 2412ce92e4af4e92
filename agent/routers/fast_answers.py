"""Formats results of fast paths as Markdown. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..base.text.cleaning import cut_text
from ..core.spec import EntitySpec, EntityWords, FieldSpec
from ..intents.queries import ID_FIELD, LOOKUP_FIELD
from ..intents.rules import ENGLISH, load_rules
from ..types import FastQuery, Filter

Nouns = tuple[str, str]  # for one row, for several

MAX_ECHO_CHARS: Final = 80
MAX_FIELD_CHARS: Final = 300

_NUMBER_WORDS: Final = {"eq": "", "gte": "of at least ", "lte": "of at most "}
_DATE_WORDS: Final = {"eq": "on ", "gte": "from ", "lte": "until "}


def format_count(entity: EntitySpec, query: FastQuery, total: int) -> str:
    """Format a count as a sentence: "You have 3 items with status done"."""
    nouns, query = _choose_nouns(entity, query)
    return f"You have {_count(nouns, total)}{describe_filters(entity, query)}."


def format_list(
    entity: EntitySpec, query: FastQuery, total: int, rows: Sequence[Mapping[str, Any]]
) -> str:
    """Format a list: a heading with the total, a line per row, what is left out."""
    nouns, query = _choose_nouns(entity, query)
    described = describe_filters(entity, query)
    if not rows:
        return f"You have {_count(nouns, 0)}{described}."
    order = f", {describe_order(entity, query)}" if query["order_by"] else ""
    lines = [f"- {row['title']}" for row in rows]
    if not query["limit"] or len(rows) == total:
        heading = f"You have {_count(nouns, total)}{described}{order if total > 1 else ''}:"
    elif len(rows) == 1:
        heading = f"Here is the first of your {_count(nouns, total)}{described}{order}:"
    else:
        heading = f"Here are {len(rows)} of your {_count(nouns, total)}{described}{order}:"
    if not query["limit"]:
        lines += _list_more(total, len(rows))
    return "\n".join([heading, "", *lines])


def format_lookup(entity: EntitySpec, query: FastQuery, result: Mapping[str, Any]) -> str:
    """Format a lookup's result: one row's fields, several rows to choose from, or none."""
    rows: Sequence[Mapping[str, Any]] = result["rows"]
    total: int = result["total"]
    nouns, query = _choose_nouns(entity, query)
    described = describe_filters(entity, query)
    if not rows:
        existing = result["existing"]
        all_nouns = _list_nouns(entity)
        have = _count(all_nouns, existing) if existing else f"no {all_nouns[1]} yet"
        return f"I found no {nouns[0]}{described}. You have {have}."
    if total > 1:
        heading = f"I found {_count(nouns, total)}{described}. Which one do you mean?"
        lines = [f"- {row['title']}" for row in rows]
        return "\n".join([heading, "", *lines, *_list_more(total, len(rows))])
    return _format_matches(entity, rows[0])


def format_briefly(
    entity: EntitySpec, words: EntityWords, query: FastQuery, result: Mapping[str, Any]
) -> str:
    """Format a result in another language, briefly, such as "Stellen (Status: offen): 3"."""
    rows: Sequence[Mapping[str, Any]] = result.get("rows", ())
    total: int = result["total"]
    if len(rows) == 1 and "fields" in rows[0]:
        return _format_matches(entity, rows[0], words)
    language: str = result["language"]
    filters = ", ".join(
        _describe_briefly(entity, words, item, language) for item in query["filters"]
    )
    heading = words.plurals[0].capitalize() + (f" ({filters})" if filters else "")
    lines = [f"- {row['title']}" for row in rows]
    more = ["", f"… +{total - len(rows)}"] if rows and total > len(rows) else []
    return "\n".join([f"{heading}: {total}", *([""] if rows else []), *lines, *more])


def describe_filters(entity: EntitySpec, query: FastQuery) -> str:
    """Describe a query's filters as text after a noun, such as " with status done"."""
    words = [_describe_filter(entity, item) for item in query["filters"]]
    if not words:
        return ""
    follows_with = [word.startswith("with ") for word in ["", *words]]
    short = [
        word.removeprefix("with ") if after else word
        for word, after in zip(words, follows_with, strict=False)
    ]
    return " " + (short[0] if len(short) == 1 else f"{', '.join(short[:-1])} and {short[-1]}")


def describe_order(entity: EntitySpec, query: FastQuery) -> str:
    """Describe a query's order, such as "newest first"; "" if it has none."""
    field = entity.get_field(query["order_by"] or "")
    if field is None:
        return ""
    falling = query["descending"]
    if field.kind == "date" and field.name == entity.default_order:
        return "newest first" if falling else "oldest first"
    if field.kind == "date":
        return f"by {_label(field)}, {'newest' if falling else 'oldest'} first"
    if field.kind == "int":
        return f"{'highest' if falling else 'lowest'} {_label(field)} first"
    return f"sorted by {_label(field)}{', descending' if falling else ''}"


def _describe_filter(entity: EntitySpec, item: Filter) -> str:
    value = item["value"]
    if item["field"] == LOOKUP_FIELD:
        return f"matching {_echo(value)}"
    if item["field"] == ID_FIELD:
        return f"with number {value}"
    field = entity.get_field(item["field"])
    if field is None:
        raise ValueError(f"{entity.name} has no field {item['field']!r}: use a declared field")
    label = _label(field)
    if item["op"] in ("in", "since"):
        what = "reached" if field.values else "added" if "added" in field.words else f"with {label}"
        return f"{what} {load_rules().describe_period(ENGLISH, item['op'], str(value))}"
    if field.kind == "bool":
        return f"marked {label}" if value else f"not marked {label}"
    if field.values:
        later = " or later" if item["op"] == "gte" and value != field.order[-1] else ""
        return f"with {label} {str(value).replace('_', ' ')}{later}"
    if field.kind == "int":
        return f"with {label} {_NUMBER_WORDS[item['op']]}{value}"
    if field.kind == "date":
        return f"with {label} {_DATE_WORDS[item['op']]}{value}"
    return f"with {label} {_echo(value)}"


def _format_matches(
    entity: EntitySpec, row: Mapping[str, Any], words: EntityWords | None = None
) -> str:
    """Format one row with its fields."""
    fields: Mapping[str, Any] = row.get("fields", {})
    lines = [
        f"- {_label(field, words)}: {_format_value(field, fields[field.name], words)}"
        for field in entity.fields
        if field.name in fields
    ]
    return "\n".join([f"**{row['title']}**", "", *lines]).strip()


def _describe_briefly(entity: EntitySpec, words: EntityWords, item: Filter, language: str) -> str:
    field = entity.get_field(item["field"])
    if item["field"] == ID_FIELD:
        return f"#{item['value']}"
    if field is None:
        return _echo(item["value"])
    if item["op"] in ("in", "since"):
        return load_rules().describe_period(language, item["op"], str(item["value"]))
    value = _format_value(field, item["value"], words)
    shown = value if field.values or field.kind != "text" else _echo(value)
    sign = {"gte": " ≥ ", "lte": " ≤ "}.get(item["op"], ": ")
    return f"{_label(field, words).capitalize()}{sign}{shown}"


def _list_more(total: int, shown: int) -> list[str]:
    return ["", f"…and {total - shown} more ({shown} shown)."] if total > shown else []


def _count(nouns: Nouns, total: int) -> str:
    return f"{total or 'no'} {nouns[total != 1]}"


def _list_nouns(entity: EntitySpec) -> Nouns:
    return entity.singular, entity.name.replace("_", " ")


def _choose_nouns(entity: EntitySpec, query: FastQuery) -> tuple[Nouns, FastQuery]:
    """Return the answer's nouns, and the query without the condition that these express:
    "invoices" rather than "documents with kind invoice".
    """
    for item in query["filters"]:
        field = entity.get_field(item["field"])
        values = field.values.get(str(item["value"]), ()) if field and item["op"] == "eq" else ()
        nouns = [word for word in values if word in entity.words]
        if len(nouns) > 1:
            rest = [other for other in query["filters"] if other is not item]
            return (nouns[0], nouns[1]), {**query, "filters": rest}
    return _list_nouns(entity), query


def _label(field: FieldSpec, words: EntityWords | None = None) -> str:
    """Return a field's name or translated word; for a yes or no its first word
    ("favorite").
    """
    if words is not None and words.fields.get(field.name):
        return words.fields[field.name][0]
    if field.kind == "bool" and field.words:
        return field.words[0]
    return field.name.replace("_", " ")


def _echo(value: Any) -> str:
    return f"“{cut_text(' '.join(str(value).split()), MAX_ECHO_CHARS)}”"


def _format_value(field: FieldSpec, value: Any, words: EntityWords | None = None) -> str:
    if words is not None and field.values:
        synonyms = words.values.get(field.name, {}).get(str(value))
        if synonyms:
            return synonyms[0]
    if isinstance(value, bool):
        return "yes" if value else "no"
    if field.kind == "date":
        return str(value)[:10]
    if field.values:
        return str(value).replace("_", " ")
    lines = [line.strip() for line in str(value).splitlines() if line.strip()]
    return cut_text("; ".join(lines), MAX_FIELD_CHARS)
