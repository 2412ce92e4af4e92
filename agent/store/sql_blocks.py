"""SQL lives in `.sql` files; this reads their named blocks, once.

A block starts with `-- name: load_thread`, a `-- …` line with its purpose follows. What several
statements of a file share is a block before them, `-- part: shown`, and stands in them as
`{shown}`; the token buckets as `{buckets: calls.@}`, a list with `@` for each name; ` +` makes it a
sum.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from ..types import INPUT_BUCKETS, TOKEN_BUCKETS

_NAME = re.compile(r"^-- (name|part): (\w+)\n-- \S.*\n", re.MULTILINE)
_BUCKETS = re.compile(r"\{(buckets|inputs)( \+)?: ([^{}]+)\}")
CORE_SQL = Path(__file__).parent / "sql"


@cache
def load_sql(path: Path) -> Mapping[str, str]:
    """Load a file's SQL statements by name, without their comments.

    Raises: ValueError when a name comes twice or text stands before the first block.
    """
    heading, *blocks = _NAME.split(path.read_text(encoding="utf-8"))
    names = blocks[1::3]
    if heading.strip() or len(set(names)) != len(names):
        raise ValueError(
            f"{path.name}: there is text before the first block, or a block name is used twice. "
            "Begin each block with `-- name: NAME`"
        )
    found: dict[str, dict[str, str]] = {"part": {}, "name": {}}
    for kind, name, body in zip(blocks[::3], names, blocks[2::3], strict=True):
        for part, text in found["part"].items():
            body = body.replace(f"{{{part}}}", text)
        found[kind][name] = write_buckets(body.strip())
    return MappingProxyType(found["name"])


def write_buckets(sql: str) -> str:
    """Replace the placeholders for token columns in a SQL text by the columns.

    >>> write_buckets("select {inputs +: coalesce(@, 0)}")[:44]
    'select coalesce(input_tokens, 0) + coalesce('
    """

    def write(found: re.Match[str]) -> str:
        names = TOKEN_BUCKETS if found[1] == "buckets" else INPUT_BUCKETS
        return (" + " if found[2] else ", ").join(found[3].replace("@", name) for name in names)

    return _BUCKETS.sub(write, sql)
