"""Fast queries as SQL: names only from an entity's spec, values only as parameters.

Beside the spec's fields a filter may name two pseudo-fields: `LOOKUP_FIELD` (any of the lookup
columns; every word of the value must occur in them) and `ID_FIELD` (the id column).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, Final

from ..base.text.cleaning import clean_text
from ..base.time.periods import parse_period
from ..core.spec import EntitySpec, FieldSpec
from ..types import FastIntent, FastQuery, Filter

LOOKUP_FIELD: Final = "*"
ID_FIELD: Final = "#"
TOTAL_COLUMN: Final = "_total"  # rows that match, shown or not
UNTRUSTED_COLUMN: Final = "_untrusted"  # a run wrote the row that had read text from outside
MAX_ROWS: Final = 100  # even when the user asks for more
MAX_INT: Final = 2**63 - 1

_OPERATORS: Final = {"eq": "=", "gte": ">=", "lte": "<="}
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_WORD_CHAR: Final = "[[:alnum:]_]"

AddArg = Callable[[Any], str]  # takes a value, gives its placeholder


def build_fast_query(
    entity: EntitySpec,
    intent: FastIntent,
    query: FastQuery,
    tenant_id: str,
    user_id: str,
    *,
    max_rows: int,
    inside_words: bool = False,
) -> tuple[str, list[Any]]:
    """Build a fast path's SQL statement and its arguments.

    count: one row. list and lookup: the entity's columns; best match first for a lookup. Each row
    has `TOTAL_COLUMN`, and `UNTRUSTED_COLUMN` where its entity can tell. max_rows: how many rows
    when the query states no limit. inside_words: a name may stand inside a word; a search may do
    that, a count would take IKEA for EA.

    Raises: ValueError when the query names what the spec does not have, or a value does not fit.
    """
    args: list[Any] = []

    def add_arg(value: Any) -> str:
        args.append(value)
        return f"${len(args)}"

    # Stated although row security enforces it too: a role that bypasses it must not see more
    # (tests/core/test_entities.py::test_entity_queries_return_no_rows_of_another_tenant_or_user).
    owner = [f"item.tenant_id = {add_arg(tenant_id)}", f"item.user_id = {add_arg(user_id)}"]
    source = _build_source(entity, query, owner, add_arg, inside_words=inside_words)
    if intent == "count":
        return f"select count(*) as {TOTAL_COLUMN} {source}", args
    order = _build_order(entity, query, add_arg if intent == "lookup" else None)
    limit = add_arg(min(query["limit"], MAX_ROWS) if query["limit"] > 0 else max_rows)
    columns = dict.fromkeys([entity.id_column, *(item.column for item in entity.fields)])
    names = ", ".join(_quote(column) for column in columns)
    # In the same statement: the total of a second one could belong to other rows.
    names += f", count(*) over () as {TOTAL_COLUMN}"
    if entity.untrusted:
        names += f", ({entity.untrusted}) as {UNTRUSTED_COLUMN}"
    return f"select {names} {source} order by {order} limit {limit}", args


def list_compared(entity: EntitySpec, query: FastQuery) -> list[FieldSpec]:
    """List the fields that a query filters or sorts by and whose values have units (currencies)."""
    named = [query["order_by"], *(item["field"] for item in query["filters"])]
    fields = [entity.get_field(name or "") for name in named]
    return [field for field in fields if field is not None and field.units]


def build_units_query(
    entity: EntitySpec, query: FastQuery, tenant_id: str, user_id: str
) -> tuple[str, list[Any]] | None:
    """Build (SQL, arguments) that count the units of the compared rows; None if they have none.

    The count is `TOTAL_COLUMN`; an unknown unit is one, too.
    """
    compared = list_compared(entity, query)
    if not compared:
        return None
    args: list[Any] = []

    def add_arg(value: Any) -> str:
        args.append(value)
        return f"${len(args)}"

    names = {field.name for field in compared}
    rest = [item for item in query["filters"] if item["field"] not in names]
    stated = " or ".join(f"{_quote(field.column)} is not null" for field in compared)
    conditions = [
        *(f"item.tenant_id = {add_arg(tenant_id)}", f"item.user_id = {add_arg(user_id)}"),
        f"({stated})",
    ]
    among: FastQuery = {**query, "filters": rest}
    units = ", ".join(_quote(column) for column in compared[0].units)
    source = _build_source(entity, among, conditions, add_arg)
    return f"select count(distinct row({units})) as {TOTAL_COLUMN} {source}", args


def build_known_query(
    known: Sequence[tuple[EntitySpec, FieldSpec, str]], tenant_id: str, user_id: str
) -> tuple[str, list[Any]]:
    """Build (SQL, arguments) that check, for each value, whether a row of the user contains it.

    A value is the whole field, or what it says before a comma or the like ("Berlin, Germany"); of
    several words they may begin it ("New York City"). One word in the midst of it proves nothing:
    "new" is no title of mine, though I have a New Business Manager.
    """
    args: list[Any] = [tenant_id, user_id]
    conditions: list[str] = []
    for entity, field, value in known:
        words = clean_text(value).split()
        end = rf"(\s*$|\s*[,;:(/|]|\s+[-–—]\s{rf'|(?!{_WORD_CHAR})' if len(words) > 1 else ''})"
        args.append(r"^\s*" + r"\s+".join(re.sub(r"([^\w])", r"\\\1", w) for w in words) + end)
        conditions.append(
            f"exists (select from {_quote_table(entity.table)} where tenant_id = $1"
            f" and user_id = $2 and {_quote(field.column)}::text ~* ${len(args)})"
        )
    return f"select array[{', '.join(conditions)}]", args


def _build_source(
    entity: EntitySpec,
    query: FastQuery,
    conditions: list[str],
    add_arg: AddArg,
    *,
    inside_words: bool = False,
) -> str:
    """Build the `from … where` of a query; conditions: those that its filters are added to."""
    for item in query["filters"]:
        if item["op"] == "contains":
            conditions += _list_text_conditions(entity, item, add_arg, inside_words=inside_words)
        else:
            conditions.append(_build_condition(entity, item, query, add_arg))
    return f"from {_quote_table(entity.table)} as item where {' and '.join(conditions)}"


def escape_like(text: str) -> str:
    r"""Escape a text for LIKE, so that it matches literally.

    >>> escape_like("50%_a\\b")
    '50\\%\\_a\\\\b'
    """
    return re.sub(r"([\\%_])", r"\\\1", text)


# conditions


def _build_condition(entity: EntitySpec, item: Filter, query: FastQuery, add_arg: AddArg) -> str:
    name, op, value = item["field"], item["op"], item["value"]
    if name == ID_FIELD and op == "eq" and not isinstance(value, bool):
        return f"{_quote(entity.id_column)}::text = {add_arg(clean_text(str(value)))}"
    field = entity.get_field(name)
    if field is None:
        raise ValueError(f"{entity.name} has no field {name!r}: use a declared field")
    column = _quote(field.column)
    if op in ("in", "since") and isinstance(value, str):
        return _build_period(entity, field, item, query, add_arg)
    if field.values and isinstance(value, str) and value in field.values:
        if op == "eq":
            return f"{column}::text = {add_arg(value)}"
        if op != "gte" or not field.order:
            raise ValueError(f"{field.name} cannot be filtered by {op} {value!r}: use eq")
        if field.history is None:
            return f"{column}::text = any({add_arg(field.list_reaching(value))}::text[])"
        return f"exists ({_build_history(entity, field, value, '', add_arg)})"
    if field.kind == "text" and op == "eq" and isinstance(value, str):
        return f"lower({column}::text) = lower({add_arg(clean_text(value))})"
    if field.kind == "int" and op in _OPERATORS and isinstance(value, int):
        # `True` is an int in Python; a number beyond bigint would fail in Postgres, as an error of
        # ours.
        if isinstance(value, bool) or abs(value) > MAX_INT:
            raise ValueError(
                f"{entity.name}.{name} cannot be filtered by {op} {value!r}: use a whole "
                f"number from {-MAX_INT} to {MAX_INT}"
            )
        return f"{column} {_OPERATORS[op]} {add_arg(value)}::bigint"
    if field.kind == "bool" and op == "eq" and isinstance(value, bool):
        return f"{column} = {add_arg(value)}::boolean"
    if field.kind == "date" and op in _OPERATORS and isinstance(value, str):
        return f"{column}::date {_OPERATORS[op]} {add_arg(date.fromisoformat(value))}::date"
    raise ValueError(
        f"{entity.name}.{name} cannot be filtered by {op} {value!r}: use another filter"
    )


def _build_period(
    entity: EntitySpec, field: FieldSpec, item: Filter, query: FastQuery, add_arg: AddArg
) -> str:
    """Build the condition on the day of a date, or of reaching the value filtered by."""
    first, last = parse_period(str(item["value"]), datetime.now(UTC).date())
    if item["op"] == "since":
        last = date.max
    if field.kind == "date":
        day = f"({_quote(field.column)} at time zone 'utc')::date"
        return f"{day} between {add_arg(first)}::date and {add_arg(last)}::date"
    others = [f for f in query["filters"] if f["field"] == field.name and f is not item]
    if field.history is None or len(others) != 1:
        raise ValueError(f"{entity.name}.{field.name} has no date to filter by: use another field")
    day = f"(step.{_quote(field.history.date_column)} at time zone 'utc')::date"
    within = f" and {day} between {add_arg(first)}::date and {add_arg(last)}::date"
    return f"exists ({_build_history(entity, field, str(others[0]['value']), within, add_arg)})"


def _build_history(
    entity: EntitySpec, field: FieldSpec, value: str, condition: str, add_arg: AddArg
) -> str:
    """Build the subquery for the row that says when the value of a field was reached."""
    assert field.history is not None
    history, row_id = field.history, _quote(entity.id_column)
    return (
        f"select step.{_quote(history.date_column)} from {_quote_table(history.table)} as step"
        f" where step.tenant_id = item.tenant_id and step.{row_id} = item.{row_id}"
        f" and step.{_quote(history.value_column)} = {add_arg(value)}{condition}"
    )


def _list_text_conditions(
    entity: EntitySpec, item: Filter, add_arg: AddArg, *, inside_words: bool
) -> list[str]:
    """Build conditions that a text occurs in its field; for a lookup each of its words."""
    field, value = entity.get_field(item["field"]), item["value"]
    text, parts = "", list[str]()
    if item["field"] == LOOKUP_FIELD and isinstance(value, str):
        text = f"concat_ws(' ', {', '.join(_list_lookup_columns(entity))})"
        parts = clean_text(value).split()
    elif field is not None and field.kind == "text" and not field.values and isinstance(value, str):
        text, parts = f"{_quote(field.column)}::text", [clean_text(value)]
    if not parts or (item["field"] == LOOKUP_FIELD and not _list_lookup_columns(entity)):
        raise ValueError(
            f"{entity.name} cannot be searched for {value!r} in {item['field']!r}: use another "
            "field"
        )
    if inside_words:
        return [_build_like(text, f"%{escape_like(part)}%", add_arg) for part in parts]
    return [f"{text} ~* {add_arg(to_word_pattern(part))}" for part in parts]


def to_word_pattern(text: str) -> str:
    r"""Build a Postgres regular expression that matches the text as whole words.

    >>> to_word_pattern("C++ Inc")
    '(?<![[:alnum:]_])C\\+\\+\\s+Inc(?![[:alnum:]_])'
    """
    pattern = r"\s+".join(re.sub(r"([^\w])", r"\\\1", word) for word in text.split())
    before = rf"(?<!{_WORD_CHAR})" if re.match(r"\w", text) else ""
    return before + pattern + (rf"(?!{_WORD_CHAR})" if re.search(r"\w\Z", text) else "")


def _build_like(text: str, pattern: str, add_arg: AddArg) -> str:
    return f"{text} ilike {add_arg(pattern)} escape '\\'"


# order


def _build_order(entity: EntitySpec, query: FastQuery, add_arg: AddArg | None) -> str:
    """Build the `order by` of a query. add_arg: for a lookup, whose best matches come first."""
    name = query["order_by"]
    field = entity.get_field(name or entity.default_order)
    if field is None:
        raise ValueError(f"{entity.name} cannot be sorted by {name!r}: use a declared field")
    descending = query["descending"] if name else entity.default_descending
    direction = "desc" if descending else "asc"
    column = _quote(field.column)
    by_field = f"lower({column}::text)" if field.kind == "text" else column
    # How well a row matches each text: 0 exactly, 1 from the start, 2 as a phrase, 3 by words.
    ranks: list[str] = []
    for item in query["filters"]:
        if add_arg and item["op"] == "contains":
            columns = _list_lookup_columns(entity)
            if (named := entity.get_field(item["field"])) is not None:
                columns = [f"{_quote(named.column)}::text"]
            literal = escape_like(clean_text(str(item["value"])))
            cases = [
                f"when {' or '.join(_build_like(c, pattern, add_arg) for c in columns)} then {rank}"
                for rank, pattern in enumerate((literal, f"{literal}%", f"%{literal}%"))
            ]
            ranks.append(f"case {' '.join(cases)} else 3 end")
    # Sort ties by id: otherwise two pages, or a repeated list, may differ in order.
    by_id = f"{_quote(entity.id_column)} {direction}"
    return ", ".join([*ranks, f"{by_field} {direction} nulls last", by_id])


def _list_lookup_columns(entity: EntitySpec) -> list[str]:
    return [f"{_quote(item.column)}::text" for item in entity.fields if item.is_lookup]


def _quote(name: str) -> str:
    # Names come from packs, not from models, and are checked all the same: they go into SQL as
    # text.
    if not _IDENTIFIER.match(name):
        raise ValueError(f"{name!r} is not a valid column name: use A-Z, a-z, 0-9 and _")
    return f'"{name}"'


def _quote_table(name: str) -> str:
    return ".".join(_quote(part) for part in name.split("."))


def to_json_value(value: Any) -> Any:
    """Convert a column's value to JSON: times and dates as ISO text, a Decimal as a number.

    >>> to_json_value(date(2026, 1, 2)), to_json_value(Decimal("3")), to_json_value([1])
    ('2026-01-02', 3, [1])
    """
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if value is None or isinstance(value, bool | int | float | str | list | dict):
        return value  # pyright: ignore[reportUnknownVariableType]
    return str(value)
