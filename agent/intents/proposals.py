"""Converts a model's proposal of a fast query to a valid query; nothing in it is trusted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any, Final, cast

from ..base.text.patterns import compile_lazily
from ..core.spec import EntitySpec, FieldSpec
from ..types import FastQuery, Filter
from .queries import ID_FIELD

_NUMBER: Final = compile_lazily(r"(>=|<=|>|<|=)?\s*[$€£]?(\d{1,3}(?:,\d{3})+|\d{1,15})\s*(k)?\Z")
_DATE: Final = compile_lazily(r"(>=|<=|=)?\s*(\d{4}-\d\d-\d\d)\Z")
_CONDITION: Final = compile_lazily(r"([\w ]+)(>=|<=|[<>=:])(.*)", re.S)
_YES_NO: Final = {"true": True, "yes": True, "false": False, "no": False}


def read_records(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """Convert triage's text about stored records to the input of `validate_fast_query`.

    Answers that were recorded before it was one text are in that form.

    >>> read_records({"records": "count jobs; salary>=100k"})["filters"]
    [{'field': 'salary', 'value': '>=100k'}]
    """
    said = answer.get("records")
    if not isinstance(said, str):
        return answer
    head, *conditions = said.split(";")
    intent, _, entity = head.strip().partition(" ")
    filters: list[dict[str, str]] = []
    for text in filter(str.strip, conditions):
        found = _CONDITION.fullmatch(text)  # what is none fits no entity
        field, sign, value = found.groups() if found else (text, "=", "")
        filters.append(
            {"field": field.strip(), "value": (sign.strip("=:") and sign + value) or value}
        )
    return {"fast_intent": intent.lower(), "entity_type": entity.strip(), "filters": filters}


def validate_fast_query(entity: EntitySpec, raw: Mapping[str, Any]) -> FastQuery | None:
    """Convert a model's JSON to a valid fast path query; None if anything in it is invalid.

    Enum values may be given by any of their words, numbers as "100k" or ">= 5". Optional keys:
    `order_by`, `descending`, `limit`. None when anything in it does not fit the spec.
    """
    filters: Any = raw.get("filters") or []
    if raw.get("entity_type", entity.name) != entity.name or not isinstance(filters, list):
        return None
    parsed = [_parse_filter(entity, item) for item in cast(list[Any], filters)]
    known = [item for item in parsed if item is not None]
    is_nameless = raw.get("fast_intent") == "lookup" and not known
    # All or nothing: with one condition left out, a count would be too large, and look certain.
    if len(known) < len(parsed) or is_nameless:
        return None
    # Two conditions on one field with the same operator: a model's "or", which we do not have.
    pairs = {(item["field"], item["op"]) for item in known}
    exact = {item["field"] for item in known if item["op"] == "eq"}
    if len(pairs) < len(known) or any(field in exact and op != "eq" for field, op in pairs):
        return None
    order_by, limit = raw.get("order_by"), raw.get("limit") or 0
    if order_by is not None and (
        not isinstance(order_by, str) or entity.get_field(order_by) is None
    ):
        return None
    if not isinstance(limit, int) or limit < 0:
        return None
    descending = raw.get("descending") is True
    return {"filters": known, "order_by": order_by, "descending": descending, "limit": limit}


def _parse_filter(entity: EntitySpec, raw: Any) -> Filter | None:
    if not isinstance(raw, Mapping):
        return None
    item = cast(Mapping[str, Any], raw)
    name, value = item.get("field"), item.get("value")
    if not isinstance(name, str) or not isinstance(value, str | int) or not str(value).strip():
        return None
    folded = name.strip().casefold().replace(" ", "_")
    field = entity.get_field(folded)
    if field is not None:
        return _parse_value(field, str(value).strip())
    if folded in ("id", entity.id_column) and str(value).lstrip("#").isdecimal():
        return {"field": ID_FIELD, "op": "eq", "value": str(value).lstrip("#")}
    return None


def _parse_value(field: FieldSpec, text: str) -> Filter | None:
    folded = text.casefold()
    if field.values:
        has_reached = bool(field.order) and folded.startswith(">=")
        folded = folded.removeprefix(">=").strip() if has_reached else folded
        names = [
            value
            for value, words in field.values.items()
            if folded in (value.casefold(), value.replace("_", " ").casefold())
            or folded in (word.casefold() for word in words)
        ]
        op = "gte" if has_reached else "eq"
        return {"field": field.name, "op": op, "value": names[0]} if len(names) == 1 else None
    if field.kind == "text":
        return {"field": field.name, "op": "contains", "value": text}
    if field.kind == "bool":
        yes = _YES_NO.get(folded)
        return None if yes is None else {"field": field.name, "op": "eq", "value": yes}
    match = _NUMBER.match(folded) if field.kind == "int" else _DATE.match(folded)
    if not match:
        return None
    op = "gte" if match[1] in (">=", ">") else "lte" if match[1] in ("<=", "<") else "eq"
    if field.kind == "int":
        number = int(match[2].replace(",", "")) * (1000 if match[3] else 1)
        # The query knows only ≥ and ≤.
        number += 1 if match[1] == ">" else -1 if match[1] == "<" else 0
        return {"field": field.name, "op": op, "value": number}
    try:
        date.fromisoformat(match[2])
    except ValueError:
        return None
    return {"field": field.name, "op": op, "value": match[2]}
