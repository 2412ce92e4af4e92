"""Tool results and files as they travel, in our vocabulary."""

from __future__ import annotations

from typing import Any

import orjson

from ...types import FilePart


def parse_result(text: str) -> Any:
    """The JSON value that the text holds, else the text itself.

    >>> parse_result('{"total": 3}'), parse_result("3 rows")
    ({'total': 3}, '3 rows')
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text


def to_file_part(media_type: str, data: str) -> FilePart:
    """A file of the user's."""
    return {"type": "file", "media_type": media_type, "data": data, "tokens": 0}
