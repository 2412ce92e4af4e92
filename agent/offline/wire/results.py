"""Tool results as they travel: text on some wires, JSON in our vocabulary."""

from __future__ import annotations

from typing import Any

import orjson


def parse_result(text: str) -> Any:
    """The JSON value that the text holds, else the text itself.

    >>> parse_result('{"total": 3}'), parse_result("3 rows")
    ({'total': 3}, '3 rows')
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text
