"""Conversion of Postgres' types: ids are text, JSON documents are plain values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson


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
    Such a literal means the same whatever `standard_conforming_strings` says, and JSON has no NUL.

    >>> print(write_script("select $1", {"a": "it's"}))
    select E'{"a":"it''s"}'
    """
    document = orjson.dumps(given).decode()
    escaped = document.replace("\\", "\\\\").replace("'", "''")
    return text.replace("$1", f"E'{escaped}'")
