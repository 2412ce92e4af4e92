"""SQL lives in `.sql` files; this reads their named blocks, once.

A block starts with `-- name: load_thread`, a `-- …` line with its purpose follows. The token
buckets stand in it as `{buckets: calls.@}`, a list with `@` for each name; ` +` makes it a sum.
With `, alone` after its name it is often a transaction by itself: see `transactions`.

A statement that leaves together with others has its values written into it: the driver sends
several as one script only without any.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import orjson

from ..types import INPUT_BUCKETS, TOKEN_BUCKETS

_NAME = re.compile(r"^-- name: (\w+)(, alone)?\n-- \S.*\n", re.MULTILINE)
_PARAMETER = re.compile(r"\$(\d+)(::jsonb?\b)?")
_PLAIN = re.compile(r"[A-Za-z0-9_ .:+-]*")
_BUCKETS = re.compile(r"\{(buckets|inputs)( \+)?: ([^{}]+)\}")
CORE_SQL = Path(__file__).parent / "sql"


# Statements that are a transaction by themselves, with their names. Of the second all is undone
# when one gives no row.
ALONE: dict[tuple[str, ...], str] = {}
TOGETHER: dict[tuple[str, ...], str] = {}
# Of the first those that, like all of the second, find every row by a key: planned once.
BY_KEY: set[tuple[str, ...]] = set()


@cache
def load_sql(path: Path) -> Mapping[str, str]:
    """The file's statements by name, without name and purpose.

    Raises: ValueError when a name comes twice or text stands before the first block.
    """
    heading, *parts = _NAME.split(path.read_text(encoding="utf-8"))
    names, bodies = parts[::3], [write_buckets(body.strip()) for body in parts[2::3]]
    for name, mark, body in zip(names, parts[1::3], bodies, strict=True):
        if mark:
            ALONE[body,] = name
    if heading.strip() or len(set(names)) != len(names):
        raise ValueError(
            f"{path.name}: there is text before the first block, or a block name is used twice"
        )
    return MappingProxyType(dict(zip(names, bodies, strict=True)))


def write_buckets(sql: str) -> str:
    """
    >>> write_buckets("select {inputs +: coalesce(@, 0)}")[:44]
    'select coalesce(input_tokens, 0) + coalesce('
    """

    def write(found: re.Match[str]) -> str:
        names = TOKEN_BUCKETS if found[1] == "buckets" else INPUT_BUCKETS
        return (" + " if found[2] else ", ").join(found[3].replace("@", name) for name in names)

    return _BUCKETS.sub(write, sql)


def renumber(sql: str, parameters: Sequence[str]) -> str:
    """
    >>> renumber("select $1, $2::text, $2", ("$1", "$12"))
    'select $1, $12::text, $12'
    """
    return re.sub(r"\$(\d+)", lambda found: parameters[int(found[1]) - 1], sql)


def write_out(sql: str, *args: Any) -> str:
    """The statement with its values in it. What goes into `json` says so: `$1::json`.

    >>> write_out("select $1, $2::json", 7, None)
    'select 7, null::json'
    """
    first, *parts = _PARAMETER.split(sql)
    written = [first]
    for number, cast, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        value = args[int(number) - 1]
        if cast and value is not None:
            value = orjson.dumps(value).decode()
        written += ("null" if value is None else to_literal(value), cast or "", text)
    return "".join(written)


def to_literal(value: Any) -> str:
    """A text, or what is written as one, is base64: it cannot leave its literal whatever it holds.
    An id, a name or a time is written as it is: the server has a function less to call.

    >>> to_literal("it's"), to_literal("local")
    ("convert_from(decode('aXQncw==', 'base64'), 'UTF8')", "'local'")
    """
    if isinstance(value, int):
        return str(value)
    text = str(value)
    if _PLAIN.fullmatch(text):
        return f"'{text}'"
    encoded = binascii.b2a_base64(text.encode(), newline=False).decode()
    return f"convert_from(decode('{encoded}', 'base64'), 'UTF8')"
