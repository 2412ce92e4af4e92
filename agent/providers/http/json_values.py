"""JSON as servers send it."""

from __future__ import annotations

import json
from typing import Any

import orjson


def parse_json(data: bytes | str) -> Any:
    """JSON as servers send it; a lone surrogate, which orjson refuses, is let through.

    Raises: ValueError for what is no JSON.
    """
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        return json.loads(data, strict=False)
