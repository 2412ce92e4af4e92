"""Conversion of Postgres' types: ids are text, JSON documents are plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson

# By the number of parameters.
_PLACES: Final = tuple(",".join(f"${n}" for n in range(1, count + 1)) for count in range(32))


async def set_codecs(connection: Any) -> None:
    """Make asyncpg return uuid columns as text and json columns as Python values."""
    # Text both ways: a row goes to JSON as it is, and ids are compared with what clients sent.
    await connection.set_type_codec(
        "uuid", schema="pg_catalog", encoder=str, decoder=str, format="text"
    )
    # Binary: orjson reads bytes, and the driver need not decode them to text before.
    await connection.set_type_codec(
        "json", schema="pg_catalog", encoder=orjson.dumps, decoder=orjson.loads, format="binary"
    )
    await connection.set_type_codec(
        "jsonb", schema="pg_catalog", encoder=_to_jsonb, decoder=_from_jsonb, format="binary"
    )


def _to_jsonb(value: Any) -> bytes:
    """Encode a value as Postgres's binary jsonb: a version byte, then the JSON text."""
    return b"\x01" + orjson.dumps(value)


def _from_jsonb(data: bytes) -> Any:
    """Decode Postgres's binary jsonb, without its version byte."""
    return orjson.loads(data[1:])


def write_script(text: str, given: Mapping[str, Any]) -> str:
    """Replace `$1` in a SQL script by a JSON document, quoted as a literal.

    >>> print(write_script("select $1", {"a": "it's"}))
    select E'{"a":"it''s"}'
    """
    return text.replace("$1", _to_literal(given))


def write_call(function: str, values: Sequence[Any]) -> str:
    """Write the call of a SQL function as text, for a script; lists and dicts become JSON.

    >>> print(write_call("f", [None, True, 7, "it's", {"a": 1}]))
    f(null,true,7,E'it''s',E'{"a":1}')
    """
    return f"{function}({','.join(map(_to_literal, values))})"


def _to_literal(value: Any) -> str:
    """Quote a value for SQL. Such a literal means the same whatever
    `standard_conforming_strings` says, and JSON has no NUL.
    """
    match value:
        case str():
            text = value
        case dict() | list():
            text = orjson.dumps(value).decode()
        case _:
            return orjson.dumps(value).decode()  # null, true, 7
    escaped = text.replace("\\", "\\\\").replace("'", "''")
    return f"E'{escaped}'"


def to_statement(
    function: str, acting: Mapping[str, Any], values: Sequence[Any], given: Mapping[str, Any]
) -> tuple[str, tuple[Any, ...]]:
    """Build the statement that calls a SQL function, and its arguments.
    Without `values` there is one argument: a document of `acting` and `given`.

    >>> to_statement("f", {"tenant_id": "a", "rights": "none"}, [7], {})
    ('select * from f($1,$2,$3)', ('a', 'none', 7))
    """
    args = (*acting.values(), *values) if values else ({**acting, **given},)
    return f"select * from {function}({_PLACES[len(args)]})", args
