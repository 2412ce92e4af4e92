"""Tool results and files as they travel, in our vocabulary."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any, Final

import orjson

from plainloop.agent.types import FilePart, FunctionResponse

from .api import WireError


def parse_result(text: str) -> Any:
    """Parse a text as JSON, or return the text itself if it is not JSON.

    >>> parse_result('{"total": 3}'), parse_result("3 rows")
    ({'total': 3}, '3 rows')
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text


def to_tool_result(tool_call_id: str, name: str, result: Any) -> FunctionResponse:
    """Make a tool result, which counts as failed if it is an object with an `error`.

    For formats that do not mark failed results.
    """
    return FunctionResponse(
        type="tool_result",
        id=tool_call_id,
        name=name,
        result=result,
        is_error=isinstance(result, dict) and "error" in result,
    )


# The images that Anthropic's and OpenAI's models read, by what their files begin with.
IMAGES: Final = {
    "image/jpeg": b"\xff\xd8\xff",
    "image/png": b"\x89PNG\r\n\x1a\n",
    "image/gif": b"GIF8",
    "image/webp": b"RIFF",
}
PDFS: Final = {"application/pdf": b"%PDF-"}


def is_of_type(media_type: str, data: str, types: Mapping[str, bytes]) -> bool:
    """Whether base64 content is really a file of its media type.

    types: the accepted media types, with the bytes with which their files begin.
    """
    try:
        content = base64.b64decode(data, validate=True)
    except binascii.Error:
        return False
    return media_type in types and content.startswith(types[media_type])


def read_data_url(url: str, types: Mapping[str, bytes]) -> FilePart:
    """Read a file of one of these types from a base64 `data:` URL.

    Raises: WireError for other addresses and files, in OpenAI's words.
    """
    media_type, mark, data = url.removeprefix("data:").partition(";base64,")
    if not mark:
        raise WireError(
            400,
            "this test server reads images and files only from base64 `data:` URLs: "
            "send the content itself in place of a web address",
        )
    # Source: STranslate/STranslate #277 and vercel/ai #1544, of images.
    if not is_of_type(media_type, data, types) and types is IMAGES:
        raise WireError(
            400,
            "You uploaded an unsupported image. Please make sure your image has of one the "
            "following formats: ['png', 'jpeg', 'gif', 'webp'].",
            code="invalid_image_format",
        )
    if not is_of_type(media_type, data, types):
        raise WireError(
            400,
            "Invalid file data: 'file_data'. Expected a base64-encoded data URL with an "
            f"application/pdf MIME type, but got unsupported MIME type '{media_type}'.",
            code="invalid_value",
        )
    return to_file_part(media_type, data)


def to_file_part(media_type: str, data: str) -> FilePart:
    """Make a message's file part from base64 content."""
    return {"type": "file", "media_type": media_type, "data": data, "tokens": 0}
