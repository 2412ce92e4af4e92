"""SQL lives in `.sql` files; this reads their named blocks, once.

A block starts with `-- name: load_thread`, a `-- …` line with its purpose follows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

_NAME = re.compile(r"^-- name: (\w+)\n-- \S.*\n", re.MULTILINE)
CORE_SQL = Path(__file__).parent / "sql"


@cache
def load_sql(path: Path) -> Mapping[str, str]:
    """The file's statements by name, without name and purpose.

    Raises: ValueError when a name comes twice or text stands before the first block.
    """
    heading, *parts = _NAME.split(path.read_text(encoding="utf-8"))
    names, bodies = parts[::2], [body.strip() for body in parts[1::2]]
    if heading.strip() or len(set(names)) != len(names):
        raise ValueError(f"{path.name}: text before the first block, or a name that comes twice")
    return MappingProxyType(dict(zip(names, bodies, strict=True)))
