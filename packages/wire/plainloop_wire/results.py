"""Tool results and files as they travel, in our vocabulary."""

from __future__ import annotations

from typing import Any

import orjson

from plainloop.agent.types import FilePart, FunctionResponse

from .api import WireError


def parse_result(text: str) -> Any:
    """Parse a text as JSON; return the text itself if it is not JSON.

    >>> parse_result('{"total": 3}'), parse_result("3 rows")
    ({'total': 3}, '3 rows')
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text


def to_tool_result(tool_call_id: str, name: str, result: Any) -> FunctionResponse:
    """Make a tool result; an object with an `error` counts as failed.

    For formats that do not mark failed results.
    """
    return FunctionResponse(
        type="tool_result",
        id=tool_call_id,
        name=name,
        result=result,
        is_error=isinstance(result, dict) and "error" in result,
    )


def read_data_url(url: str) -> FilePart:
    """Read a file from a base64 `data:` URL. Raises: WireError for other addresses."""
    media_type, mark, data = url.removeprefix("data:").partition(";base64,")
    if not mark:
        raise WireError(
            400,
            "this test server reads images and files only from base64 `data:` URLs: "
            "send the content itself in place of a web address",
        )
    return to_file_part(media_type, data)


def to_file_part(media_type: str, data: str) -> FilePart:
    """Make a message's file part from base64 content."""
    return {"type": "file", "media_type": media_type, "data": data, "tokens": 0}
