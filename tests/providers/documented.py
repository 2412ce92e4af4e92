"""Bodies as the vendors' documents and SDK types show them: made by hand, none of it recorded."""

from __future__ import annotations

import json
import os
from typing import Any

from plainloop.agent.errors import ModelError
from plainloop.agent.types import ChatRequest, LLMResponse
from tests.providers.asking import HELLO, ask, read_reasoning, summarise
from tests.providers.conversations import connect
from tests.providers.local_server import Reply, run_local

# With AGENT_FUZZ_EXAMPLES set a stream is cut at more places, and at each in both ways.
IS_WHOLE = bool(os.environ.get("AGENT_FUZZ_EXAMPLES"))
CUTS = 23 if IS_WHOLE else 12
EVENT_STREAM = {"content-type": "text/event-stream"}
LINES = {"content-type": "application/x-ndjson"}
# What an answer says when a test names nothing else.
NOTHING: dict[str, Any] = {
    "text": "",
    "reasoning": "",
    "refusal": None,
    "tool_calls": [],
    "server_tool_calls": [],
    "stop": "end",
    "stop_raw": "stop",
    "usage": None,
}


def to_sse(*events: Any, named: bool = False) -> bytes:
    """Events as a body; text stands as it is, so comments and [DONE] can be among them."""
    lines: list[str] = []
    for event in events:
        if isinstance(event, str):
            lines.append(f"{event}\n\n")
            continue
        name = f"event: {event['type']}\n" if named else ""
        lines.append(f"{name}data: {json.dumps(event, ensure_ascii=False)}\n\n")
    return "".join(lines).encode()


def to_ndjson(*replies: Any) -> bytes:
    return "".join(json.dumps(reply, ensure_ascii=False) + "\n" for reply in replies).encode()


def to_json(body: Any) -> bytes:
    return json.dumps(body, ensure_ascii=False).encode()


async def read_stream(
    name: str, body: bytes, headers: Any = EVENT_STREAM, request: ChatRequest = HELLO
) -> LLMResponse:
    """The answer, the same in pieces of any size; cut anywhere it is an error, never a short one.

    A cut behind the terminal event may lose the usage and nothing else.
    """
    async with run_local(Reply(body, headers=headers)) as local:
        provider = connect(name, local.url)
        answer = await ask(provider, request, stream=True)
        said = _without_own_ids(summarise(answer))
        for chunk_size in (1, 13):
            local.replies = [Reply(body, headers=headers, chunk_size=chunk_size)]
            pieced = summarise(await ask(provider, request, stream=True))
            assert _without_own_ids(pieced) == said
        for n, cut_at in enumerate(range(1, len(body), max(1, len(body) // CUTS))):
            for end in ("clean", "drop") if IS_WHOLE else ("clean", "drop")[n % 2 : n % 2 + 1]:
                local.replies = [Reply(body, headers=headers, cut_at=cut_at, end=end)]
                try:
                    whole = summarise(await ask(provider, request, stream=True))
                except ModelError as error:
                    _check_partial(error, answer)
                    continue
                assert {**_without_own_ids(whole), "usage": None} == {**said, "usage": None}
    return answer


async def read_whole(name: str, body: Any, request: ChatRequest = HELLO) -> LLMResponse:
    async with run_local(Reply(body if isinstance(body, bytes) else to_json(body))) as local:
        return await ask(connect(name, local.url), request, stream=False)


async def fail(name: str, reply: Reply, *, stream: bool) -> ModelError:
    """The error that the reply is."""
    async with run_local(reply) as local:
        try:
            answer = await ask(connect(name, local.url), stream=stream)
        except ModelError as error:
            return error
    raise AssertionError(f"an answer, not an error: {summarise(answer)}")


def say(**what: Any) -> dict[str, Any]:
    """What `summarise` gives, by its differences from an empty answer."""
    return {**NOTHING, **what}


def called(call_id: str | None, name: str, **arguments: Any) -> dict[str, Any]:
    """A call, as `summarise` gives it."""
    return {"id": call_id, "name": name, "arguments": arguments}


def cut_call(call_id: str | None, name: str, raw: str) -> dict[str, Any]:
    """A call whose arguments are no JSON, as `summarise` gives it."""
    said = {**called(call_id, name), "arguments": None}
    return {**said, "arguments_raw": raw, "arguments_valid": False}


def tokens(
    input_total: int | None,
    output: int | None,
    *,
    read: int | None = None,
    write: int | None = None,
    reasoning: int | None = None,
) -> dict[str, int | None]:
    """A usage, as `summarise` gives it."""
    return {
        "input_total": input_total,
        "cache_read": read,
        "cache_write": write,
        "output": output,
        "reasoning": reasoning,
    }


def _without_own_ids(said: dict[str, Any]) -> dict[str, Any]:
    calls = [
        {**call, "id": None} if str(call["id"]).startswith("call_") else call
        for call in said["tool_calls"]
    ]
    return {**said, "tool_calls": calls}


def _check_partial(error: ModelError, answer: LLMResponse) -> None:
    partial = error.partial
    if partial is None:
        return
    assert partial.stop == "error"
    assert answer.text.startswith(partial.text)
    assert read_reasoning(answer).startswith(read_reasoning(partial))
    assert len(partial.tool_calls) <= len(answer.tool_calls)
