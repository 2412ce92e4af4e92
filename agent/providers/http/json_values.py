"""Parses JSON of servers, with lone surrogates."""

from __future__ import annotations

import json
from typing import Any

import orjson


def parse_json(data: bytes | str) -> Any:
    """Parse a server's JSON, even if orjson refuses it for lone surrogates.

    Raises: ValueError for what is no JSON.
    """
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        return json.loads(data, strict=False)
