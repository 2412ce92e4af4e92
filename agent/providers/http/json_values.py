"""Parses JSON of servers, with lone surrogates."""

from __future__ import annotations

import json
from typing import Any

import orjson


def parse_json(data: bytes | str) -> Any:
    """Parse a server's JSON, also with lone surrogates, which orjson refuses.

    Raises: ValueError for what is no JSON.
    """
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        return json.loads(data, strict=False)
