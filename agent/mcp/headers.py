"""Builds and reads the HTTP headers that MCP 2026-07-28 requires beside a request's body."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from ..base.text.foreign_json import as_object
from .wire import ServerError

VERSION_HEADER: Final = "mcp-protocol-version"
METHOD_HEADER: Final = "mcp-method"
NAME_HEADER: Final = "mcp-name"
PARAM_PREFIX: Final = "mcp-param-"
SESSION_HEADER: Final = "mcp-session-id"
ANNOTATION: Final = "x-mcp-header"
# Which parameter names what the method is about.
NAMED_BY: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}

_PLAIN: Final = re.compile(r"[!-~](?:[ -~]*[!-~])?")
_ENCODED: Final = re.compile(r"=\?base64\?([A-Za-z0-9+/=]*)\?=")
_TOKEN: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_KINDS: Final = ("string", "integer", "boolean")


def encode_header(value: str) -> str:
    """Encode a text as a header value.
    >>> encode_header("list_jobs"), encode_header("früh"), decode_header(encode_header("früh"))
    ('list_jobs', '=?base64?ZnLDvGg=?=', 'früh')
    """
    # A plain text that looks encoded is encoded too: otherwise the server would decode it.
    if _PLAIN.fullmatch(value) and not _ENCODED.fullmatch(value):
        return value
    return f"=?base64?{base64.b64encode(value.encode()).decode()}?="


def decode_header(value: str) -> str | None:
    """Decode a header value; None if its encoding is broken."""
    match = _ENCODED.fullmatch(value)
    if match is None:
        return value
    try:
        return base64.b64decode(match[1], validate=True).decode()
    except ValueError:
        return None


def find_param_headers(schema: Mapping[str, Any]) -> dict[tuple[str, ...], str]:
    """Map argument paths to the names of the HTTP headers that repeat these arguments.

    Raises: ServerError for a schema whose annotations cannot be followed: its tool is left out.
    """
    headers: dict[tuple[str, ...], str] = {}
    for path, part in _walk(schema, ()):
        if ANNOTATION not in part:
            continue
        name = part[ANNOTATION]
        # The specification: a tool with an invalid annotation is left out by the client, not called
        # without the header (test_an_impossible_header_annotation_drops_its_tool).
        if not path or part.get("type") not in _KINDS:
            raise ServerError(
                f"{ANNOTATION} is set on an argument that cannot be sent as an HTTP header: remove "
                "it at the server"
            )
        if not isinstance(name, str) or not _TOKEN.fullmatch(name):
            raise ServerError(f"an {ANNOTATION} is not a header name: correct it at the server")
        if name.lower() in (other.lower() for other in headers.values()):
            raise ServerError(
                f"two arguments have the same {ANNOTATION} {name[:80]!r}: rename one at the server"
            )
        headers[path] = name
    return headers


def build_param_headers(
    names: Mapping[tuple[str, ...], str], arguments: Mapping[str, Any]
) -> dict[str, str]:
    headers: dict[str, str] = {}
    for path, name in names.items():
        value: Any = arguments
        for key in path:
            value = as_object(value).get(key)
        # JSON's spelling, which the body has: the server compares both, and answers 400 (−32020).
        if isinstance(value, bool):
            value = str(value).lower()
        if isinstance(value, (str, int)):
            headers[PARAM_PREFIX + name.lower()] = encode_header(str(value))
    return headers


def _walk(
    value: Any, path: tuple[str, ...] | None
) -> Iterator[tuple[tuple[str, ...] | None, dict[str, Any]]]:
    """Yield each part of a schema with its path; None if it is reached by more than properties."""
    if isinstance(value, list):
        for item in cast("list[Any]", value):
            yield from _walk(item, None)
    if not isinstance(value, dict):
        return
    part = cast("dict[str, Any]", value)
    yield path, part
    for key, inner in part.items():
        if key == "properties" and isinstance(inner, dict):
            for name, item in cast("dict[str, Any]", inner).items():
                yield from _walk(item, None if path is None else (*path, name))
        elif key not in ("enum", "const", "default", "examples"):
            yield from _walk(inner, None)
