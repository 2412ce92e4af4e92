"""Describes a request for the ledger: its tools as text, its fingerprint, its size."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

import orjson

from ...types import ChatRequest, Message, ToolSchema
from ..caching.functions import cached_by_bytes, cached_by_identity
from ..tokens.estimate import estimate_request_tokens, estimate_tokens

_OBJECT_SIZE: Final = 4  # of an object beside its JSON
# Of a part: opaque, or for ourselves.
_UNSENT: Final = ("provider_state", "is_untrusted", "is_json", "ended_by", "stop_text")


def _measure_text(written: str | bytes) -> int:
    return len(written) * (1 + _OBJECT_SIZE)


def to_tools_text(request: ChatRequest) -> str:
    """Serialize a request's tools to the text that is stored and hashed; "" without tools."""
    return _write_tools(request.tools) if request.tools else ""


# A worker's tools and a thread's messages, which nobody changes, come with every call.
@cached_by_identity(_measure_text)
def _write_tools(schemas: Sequence[ToolSchema]) -> str:
    tools = [
        {"name": t.name, "description": t.description, "parameters": t.parameters} for t in schemas
    ]
    return orjson.dumps(tools).decode()


def fingerprint_request(
    request: ChatRequest, tools_text: str, *, with_parameters: bool = True
) -> str:
    """Return a request's digest, which is equal for requests that a replay treats as the same.

    The model is not part of it, nor are stored sizes and opaque provider state. with_parameters
    False: as it was recorded before they were part of it.
    """
    # Copy the cached head: updating it in place would change the digests of later requests.
    digest = _hash_head(request.system, tools_text).copy()
    digest.update(b"".join(map(_write_visible, request.messages)))
    if request.json_schema:
        digest.update(orjson.dumps(request.json_schema.schema, option=orjson.OPT_SORT_KEYS))
    if with_parameters:
        digest.update(orjson.dumps(list_parameters(request), option=orjson.OPT_SORT_KEYS))
    return digest.hexdigest()


@cached_by_bytes()  # the larger part of most requests
def _hash_head(system: str, tools_text: str) -> Any:
    return hashlib.sha256(f"{system}\x00{tools_text}\x00".encode())


def list_parameters(request: ChatRequest) -> dict[str, Any]:
    """Collect a request's parameters that affect the answer (temperature, …), without its texts."""
    parameters: dict[str, Any] = {
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "parallel_tool_calls": request.parallel_tool_calls,
        "effort": request.effort or "full",  # of recordings before there were levels
    }
    # Recordings of before they could be asked for know neither.
    if request.stop:
        parameters["stop"] = request.stop
    if request.tool_choice is not None:
        parameters["tool_choice"] = asdict(request.tool_choice)
    return parameters


@cached_by_identity(_measure_text, 16 * 2**20)
def _write_visible(message: Message) -> bytes:
    parts = [
        {key: value for key, value in part.items() if key not in _UNSENT}
        for part in message["parts"]
        if part["type"] != "reasoning"
    ]
    # Copied: orjson's bytes keep the 4 kB that it began with for as long as they live, and these
    # are remembered (tests/core/test_requests.py).
    return b"%b" % orjson.dumps([message["role"], parts])


def estimate_input(request: ChatRequest, tools_text: str) -> int:
    """Estimate a request's input tokens."""
    # The provider counts the shape of the JSON that is asked for too: without it the model's
    # factor, which cuts histories, would be learnt from a gap of ours.
    schema = request.json_schema
    shape = orjson.dumps(schema.schema).decode() if schema else ""
    rest = estimate_tokens(tools_text) + estimate_tokens(shape)
    return estimate_request_tokens(request.system, request.messages) + rest
