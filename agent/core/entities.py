"""Fast queries as SQL: names only from an entity's spec, values only as parameters.

Beside the spec's fields a filter may name two pseudo-fields: `LOOKUP_FIELD` (any of the lookup
columns; every word of the value must occur in them) and `ID_FIELD` (the id column).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final, cast

from ..base.text import clean_text
from ..types import FastIntent, FastQuery, Filter
from .spec import EntitySpec, FieldSpec

LOOKUP_FIELD: Final = "*"
ID_FIELD: Final = "#"
TOTAL_COLUMN: Final = "_total"  # rows that match, shown or not
MAX_ROWS: Final = 100  # even when the user asks for more
MAX_INT: Final = 2**63 - 1

_OPERATORS: Final = {"eq": "=", "gte": ">=", "lte": "<="}
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_NUMBER: Final = re.compile(r"(>=|<=|>|<|=)?\s*[$€£]?(\d{1,3}(?:,\d{3})+|\d{1,15})\s*(k)?\Z")
_DATE: Final = re.compile(r"(>=|<=|=)?\s*(\d{4}-\d\d-\d\d)\Z")
_YES_NO: Final = {"true": True, "yes": True, "false": False, "no": False}

AddArg = Callable[[Any], str]  # takes a value, gives its placeholder


def build_fast_query(
    entity: EntitySpec,
    intent: FastIntent,
    query: FastQuery,
    tenant_id: str,
    user_id: str,
    *,
    max_rows: int,
) -> tuple[str, list[Any]]:
    """The statement and its arguments for one fast path.

    count: one row. list and lookup: the entity's columns; best match first for a lookup. Each row
    has `TOTAL_COLUMN`. max_rows: how many rows when the query states no limit.

    Raises: ValueError when the query names what the spec does not have, or a value does not fit.
    """
    args: list[Any] = []

    def add_arg(value: Any) -> str:
        args.append(value)
        return f"${len(args)}"

    conditions = [f"tenant_id = {add_arg(tenant_id)}", f"user_id = {add_arg(user_id)}"]
    conditions += [_build_condition(entity, item, add_arg) for item in query["filters"]]
    source = f"from {_quote_table(entity.table)} where {' and '.join(conditions)}"
    if intent == "count":
        return f"select count(*) as {TOTAL_COLUMN} {source}", args
    order = _build_order(entity, query, add_arg if intent == "lookup" else None)
    limit = add_arg(min(query["limit"], MAX_ROWS) if query["limit"] > 0 else max_rows)
    columns = dict.fromkeys([entity.id_column, *(item.column for item in entity.fields)])
    names = ", ".join(_quote(column) for column in columns)
    counted = f"count(*) over () as {TOTAL_COLUMN}"
    return f"select {names}, {counted} {source} order by {order} limit {limit}", args


def validate_fast_query(entity: EntitySpec, raw: Mapping[str, Any]) -> FastQuery | None:
    """A model's `{"fast_intent", "entity_type", "filters": [{"field", "value"}]}` as a query.

    Enum values may be given by any of their words, numbers as "100k" or ">= 5". Optional keys:
    `order_by`, `descending`, `limit`. None when anything in it does not fit the spec.
    """
    filters: Any = raw.get("filters") or []
    if raw.get("entity_type", entity.name) != entity.name or not isinstance(filters, list):
        return None
    parsed = [_parse_filter(entity, item) for item in cast(list[Any], filters)]
    known = [item for item in parsed if item is not None]
    is_nameless = raw.get("fast_intent") == "lookup" and not known
    if len(known) < len(parsed) or is_nameless or _has_doubles(known):
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


def escape_like(text: str) -> str:
    r"""The text so that LIKE finds it literally.

    >>> escape_like("50%_a\\b")
    '50\\%\\_a\\\\b'
    """
    return re.sub(r"([\\%_])", r"\\\1", text)


# conditions


def _build_condition(entity: EntitySpec, item: Filter, add_arg: AddArg) -> str:
    name, op, value = item["field"], item["op"], item["value"]
    if name == ID_FIELD and op == "eq" and not isinstance(value, bool):
        return f"{_quote(entity.id_column)}::text = {add_arg(clean_text(str(value)))}"
    if name == LOOKUP_FIELD and op == "contains" and isinstance(value, str):
        return _build_word_search(entity, value, add_arg)
    field = entity.get_field(name)
    if field is None:
        raise ValueError(f"{entity.name} has no field {name!r}")
    column = _quote(field.column)
    if field.kind in ("text", "enum") and isinstance(value, str):
        return _build_text_condition(field, op, clean_text(value), add_arg)
    if field.kind == "int" and op in _OPERATORS and _is_int(value):
        return f"{column} {_OPERATORS[op]} {add_arg(value)}::bigint"
    if field.kind == "bool" and op == "eq" and isinstance(value, bool):
        return f"{column} = {add_arg(value)}::boolean"
    if field.kind == "date" and op in _OPERATORS and isinstance(value, str):
        return f"{column}::date {_OPERATORS[op]} {add_arg(date.fromisoformat(value))}::date"
    raise ValueError(f"{entity.name}.{name} cannot be filtered by {op} {value!r}")


def _build_text_condition(field: FieldSpec, op: str, value: str, add_arg: AddArg) -> str:
    column = _quote(field.column)
    if field.values and op == "eq" and value in field.values:
        return f"{column}::text = {add_arg(value)}"
    if field.kind == "text" and not field.values and op == "eq":
        return f"lower({column}::text) = lower({add_arg(value)})"
    if field.kind == "text" and not field.values and op == "contains":
        return _build_like(f"{column}::text", f"%{escape_like(value)}%", add_arg)
    raise ValueError(f"{field.name} cannot be filtered by {op} {value!r}")


def _build_word_search(entity: EntitySpec, value: str, add_arg: AddArg) -> str:
    columns = ", ".join(_list_lookup_columns(entity))
    words = clean_text(value).split()
    if not columns or not words:
        raise ValueError(f"{entity.name} cannot be looked up by {value!r}")
    text = f"concat_ws(' ', {columns})"
    return " and ".join(_build_like(text, f"%{escape_like(word)}%", add_arg) for word in words)


def _build_like(text: str, pattern: str, add_arg: AddArg) -> str:
    return f"{text} ilike {add_arg(pattern)} escape '\\'"


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MAX_INT


# order


def _build_order(entity: EntitySpec, query: FastQuery, add_arg: AddArg | None) -> str:
    """add_arg: given for a lookup, whose best matches come first."""
    name = query["order_by"]
    field = entity.get_field(name or entity.default_order)
    if field is None:
        raise ValueError(f"{entity.name} cannot be sorted by {name!r}")
    descending = query["descending"] if name else entity.default_descending
    direction = "desc" if descending else "asc"
    column = _quote(field.column)
    by_field = f"lower({column}::text)" if field.kind == "text" else column
    ranks = _list_ranks(entity, query, add_arg) if add_arg else []
    by_id = f"{_quote(entity.id_column)} {direction}"
    return ", ".join([*ranks, f"{by_field} {direction} nulls last", by_id])


def _list_ranks(entity: EntitySpec, query: FastQuery, add_arg: AddArg) -> list[str]:
    """How well a row matches each text: 0 exactly, 1 from the start, 2 as a phrase, 3 by words."""
    ranks: list[str] = []
    for item in query["filters"]:
        if item["op"] == "contains":
            text = clean_text(str(item["value"]))
            columns = _list_lookup_columns(entity)
            if (field := entity.get_field(item["field"])) is not None:
                columns = [f"{_quote(field.column)}::text"]
            ranks.append(_build_rank(columns, text, add_arg))
    return ranks


def _build_rank(columns: list[str], text: str, add_arg: AddArg) -> str:
    literal = escape_like(text)
    patterns = [(literal, 0), (f"{literal}%", 1), (f"%{literal}%", 2)]
    cases = [
        f"when {' or '.join(_build_like(c, pattern, add_arg) for c in columns)} then {rank}"
        for pattern, rank in patterns
    ]
    return f"case {' '.join(cases)} else 3 end"


def _list_lookup_columns(entity: EntitySpec) -> list[str]:
    return [f"{_quote(item.column)}::text" for item in entity.fields if item.is_lookup]


def _quote(name: str) -> str:
    if not _IDENTIFIER.match(name):
        raise ValueError(f"{name!r} is no column name")
    return f'"{name}"'


def _quote_table(name: str) -> str:
    return ".".join(_quote(part) for part in name.split("."))


# what a model gave


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
        names = [
            value
            for value, words in field.values.items()
            if folded in (value.casefold(), value.replace("_", " ").casefold())
            or folded in (word.casefold() for word in words)
        ]
        return {"field": field.name, "op": "eq", "value": names[0]} if len(names) == 1 else None
    if field.kind == "text":
        return {"field": field.name, "op": "contains", "value": text}
    if field.kind == "bool":
        yes = _YES_NO.get(folded)
        return None if yes is None else {"field": field.name, "op": "eq", "value": yes}
    if field.kind == "int":
        return _parse_number(field, folded)
    return _parse_date(field, folded)


def _parse_number(field: FieldSpec, text: str) -> Filter | None:
    match = _NUMBER.match(text)
    if not match:
        return None
    operator, digits, thousands = match.groups()
    number = int(digits.replace(",", "")) * (1000 if thousands else 1)
    if operator == ">":
        return {"field": field.name, "op": "gte", "value": number + 1}
    if operator == "<":
        return {"field": field.name, "op": "lte", "value": number - 1}
    op = "gte" if operator == ">=" else "lte" if operator == "<=" else "eq"
    return {"field": field.name, "op": op, "value": number}


def _parse_date(field: FieldSpec, text: str) -> Filter | None:
    match = _DATE.match(text)
    if not match:
        return None
    try:
        date.fromisoformat(match[2])
    except ValueError:
        return None
    op = "gte" if match[1] == ">=" else "lte" if match[1] == "<=" else "eq"
    return {"field": field.name, "op": op, "value": match[2]}


def _has_doubles(filters: list[Filter]) -> bool:
    """Two conditions on one field with the same operator: a model's "or", which we do not have."""
    pairs = [(item["field"], item["op"]) for item in filters]
    return len(set(pairs)) < len(pairs) or any(
        item["op"] == "eq" and sum(pair[0] == item["field"] for pair in pairs) > 1
        for item in filters
    )
