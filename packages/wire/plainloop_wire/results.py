"""Tool results and files as they travel, in our vocabulary."""

from __future__ import annotations

from typing import Any

import orjson

from plainloop.agent.types import FilePart, FunctionResponse

from .api import WireError


def parse_result(text: str) -> Any:
    """The JSON value that the text holds, else the text itself.

    >>> parse_result('{"total": 3}'), parse_result("3 rows")
    ({'total': 3}, '3 rows')
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text


def to_tool_result(tool_call_id: str, name: str, result: Any) -> FunctionResponse:
    """Turn an object into a tool's result: one with an `error` failed, where a wire says nothing of
    failures.
    """
    return FunctionResponse(
        type="tool_result",
        id=tool_call_id,
        name=name,
        result=result,
        is_error=isinstance(result, dict) and "error" in result,
    )


def read_data_url(url: str) -> FilePart:
    """Raises: WireError for an address: nothing is fetched here."""
    media_type, mark, data = url.removeprefix("data:").partition(";base64,")
    if not mark:
        raise WireError(
            400,
            "this test server reads images and files only from base64 `data:` URLs: "
            "send the content itself in place of a web address",
        )
    return to_file_part(media_type, data)


def to_file_part(media_type: str, data: str) -> FilePart:
    """A file of the user's."""
    return {"type": "file", "media_type": media_type, "data": data, "tokens": 0}
