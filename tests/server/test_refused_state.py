"""A thread whose opaque state its provider refuses goes on: asked once without it, never again."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.config.values import Secret
from plainloop.server.settings import AuthSettings
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop
from tests.providers.documented import to_json, to_sse
from tests.providers.local_server import Reply, run_local
from tests.server.conftest import SECRET, Served, ask, begin, serving

SSE = {"content-type": "text/event-stream"}
ARGUMENTS = {"company": "Acme", "title": "Cook"}
DUMMY = base64.b64encode(b"context_engineering_is_the_way_to_go").decode()


def seal(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@dataclass(frozen=True)
class Vendor:
    """A wire: how it answers with sealed thought, with a call or a text, and how it refuses."""

    chosen: dict[str, Any]
    call: Callable[[str], bytes]
    say: Callable[[str, str], bytes]
    refusal: dict[str, Any]
    plain: Callable[[Any], bool]  # whether what is left of a call in a body can stand alone


def answer_anthropic(sealed: str, block: dict[str, Any], delta: dict[str, Any]) -> bytes:
    usage = {"input_tokens": 10, "output_tokens": 5}
    thought = {"type": "thinking", "thinking": "", "signature": ""}
    signed = {"type": "signature_delta", "signature": seal(sealed)}
    return to_sse(
        {"type": "message_start", "message": {"id": "m", "model": "c", "usage": usage}},
        {"type": "content_block_start", "index": 0, "content_block": thought},
        {"type": "content_block_delta", "index": 0, "delta": signed},
        {"type": "content_block_start", "index": 1, "content_block": block},
        {"type": "content_block_delta", "index": 1, "delta": delta},
        {"type": "message_delta", "delta": {"stop_reason": None}, "usage": usage},
        {"type": "message_stop"},
    )


def call_anthropic(sealed: str) -> bytes:
    block = {"type": "tool_use", "id": "toolu_1", "name": "create_job", "input": {}}
    delta = {"type": "input_json_delta", "partial_json": json.dumps(ARGUMENTS)}
    return answer_anthropic(sealed, block, delta)


def say_anthropic(sealed: str, text: str) -> bytes:
    delta = {"type": "text_delta", "text": text}
    return answer_anthropic(sealed, {"type": "text", "text": ""}, delta)


def answer_responses(sealed: str, item: dict[str, Any]) -> bytes:
    thought = {"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": seal(sealed)}
    usage = {"input_tokens": 10, "output_tokens": 5}
    whole = {"id": "r", "status": "completed", "output": [thought, item], "usage": usage}
    return to_sse({"type": "response.completed", "response": whole})


def call_responses(sealed: str) -> bytes:
    named = {"id": "fc_1", "call_id": "call_1", "name": "create_job"}
    return answer_responses(
        sealed, {"type": "function_call", **named, "arguments": json.dumps(ARGUMENTS)}
    )


def say_responses(sealed: str, text: str) -> bytes:
    content = [{"type": "output_text", "text": text}]
    return answer_responses(sealed, {"type": "message", "role": "assistant", "content": content})


def answer_gemini(sealed: str, part: dict[str, Any]) -> bytes:
    content = {"role": "model", "parts": [{**part, "thoughtSignature": seal(sealed)}]}
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 5}
    candidate = {"content": content, "finishReason": "STOP"}
    return to_sse({"candidates": [candidate], "usageMetadata": usage})


def find_parts(body: Any, key: str) -> list[Any]:
    """Every object of a body that has this key."""
    items = body.values() if isinstance(body, dict) else body if isinstance(body, list) else ()
    inner = [found for item in items for found in find_parts(item, key)]
    return [body, *inner] if isinstance(body, dict) and key in body else inner


VENDORS = {
    "anthropic": Vendor(
        {"provider": "anthropic", "model": "claude-sonnet-4-5"},
        call_anthropic,
        say_anthropic,
        {
            "type": "error",
            "error": {
                "type": "invalid_request_error",
                "message": "messages.1.content.0: Invalid `signature` in `thinking` block",
            },
        },
        lambda body: not find_parts(body["messages"], "thinking"),
    ),
    "responses": Vendor(
        {"provider": "openai", "model": "gpt-6.1-terra", "protocol": "responses"},
        call_responses,
        say_responses,
        {
            "error": {
                "message": "The encrypted content gAAA...one could not be verified.",
                "type": "invalid_request_error",
                "param": None,
                "code": "invalid_encrypted_content",
            }
        },
        # A call that keeps its item's id is refused without the reasoning that belongs to it.
        lambda body: not find_parts(body["input"], "id"),
    ),
    "gemini": Vendor(
        {"provider": "gemini", "model": "gemini-3.8-flash"},
        lambda sealed: answer_gemini(
            sealed, {"functionCall": {"name": "create_job", "args": ARGUMENTS}}
        ),
        lambda sealed, text: answer_gemini(sealed, {"text": text}),
        {
            "error": {
                "code": 400,
                "message": "Corrupted thought signature.",
                "status": "INVALID_ARGUMENT",
            }
        },
        # Gemini 3 refuses a call without any signature, and takes this one for every call.
        lambda body: (
            [part["thoughtSignature"] for part in find_parts(body, "thoughtSignature")] == [DUMMY]
        ),
    ),
}
VENDORS["anthropic 5.5"] = replace(
    VENDORS["anthropic"], chosen={"provider": "anthropic", "model": "claude-sonnet-5-5"}
)


def choose(settings: Settings, vendor: Vendor, url: str) -> Settings:
    return replace(
        settings.change(AuthSettings, jwt_secret=Secret(SECRET)),
        **vendor.chosen,
        api_base=f"{url}/v1" if vendor.chosen["provider"] == "openai" else url,
        api_key=Secret("any"),
        agent=replace(settings.agent, design="react"),
    )


async def load_notes(served: Served, run_id: str) -> list[str]:
    steps = await served.service.store.load_steps("acme", run_id)
    return [note for step in steps for note in step.notes]


async def list_ends(served: Served, run_id: str) -> list[tuple[str, str | None]]:
    calls = await served.service.store.list_calls("acme", run_id)
    assert await served.service.store.list_calls("other", run_id) == []
    return [(call.status, call.error_code) for call in calls]


def holds(request: Any, *sealed: str) -> list[bool]:
    body = json.dumps(request["body"])
    return [seal(each) in body for each in sealed]


@pytest.mark.parametrize("name", VENDORS)
async def test_refused_state_costs_one_request_and_is_not_sent_again(name: str, settings: Settings):
    vendor = VENDORS[name]
    refused = Reply(to_json(vendor.refusal), 400)
    bodies = [vendor.call("one-a"), vendor.say("one-b", "noted"), vendor.say("two", "yes")]
    first, second, third = (Reply(body, headers=SSE) for body in bodies)
    fourth, last = (Reply(vendor.say(n, n), headers=SSE) for n in ("three", "four"))
    replies = (first, second, refused, third, fourth, refused, last)
    async with run_local(*replies) as local:
        own = choose(settings, vendor, local.url)
        async with serving(own) as served:
            ann = await served.client()
            thread = await begin(ann)
            await ask(ann, thread, "note that job")
            again = await ask(ann, thread, "sure?")
            ends = await list_ends(served, again["run_id"])
            notes = await load_notes(served, again["run_id"])
        async with serving(own) as served:  # another process: what is known is in the database
            ann = await served.client()
            plain = await ask(ann, thread, "really?")
            plain_ends = await list_ends(served, plain["run_id"])
            await ask(ann, thread, "and now?")
            await ask(ann, thread, "at last?")
        requests = local.requests

    assert (again["content"], plain["content"]) == ("yes", "three")
    assert ends == [("failed", "STATE_REFUSED"), ("succeeded", None)]
    assert plain_ends == [("succeeded", None)]
    assert any("opaque state" in note and "not sent any more" in note for note in notes)
    sent = [holds(request, "one-a", "one-b", "two", "three") for request in requests]
    assert sent == [
        [False] * 4,
        [True, False, False, False],
        [True, True, False, False],  # refused
        [False] * 4,
        [False, False, True, False],  # what came after the refusal is sent
        [False, False, True, True],  # and refused, too
        [False] * 4,
        [False] * 4,  # none of this model's any more
    ]
    assert all(vendor.plain(requests[n]["body"]) for n in (3, 6, 7))


@pytest.mark.parametrize("name", VENDORS)
async def test_after_one_refusal_each_later_turn_is_one_request(name: str, settings: Settings):
    """As in a change of account: what was made before it is refused, what is made later is read."""
    vendor, names = VENDORS[name], ("one", "two", "three", "four")
    first, *later = (Reply(vendor.say(each, each), headers=SSE) for each in names)
    async with run_local(first, Reply(to_json(vendor.refusal), 400), *later) as local:
        async with serving(choose(settings, vendor, local.url)) as served:
            ann = await served.client()
            thread = await begin(ann)
            told = [await ask(ann, thread, f"turn {n}") for n in range(4)]
            ends = [await list_ends(served, each["run_id"]) for each in told]
        requests = local.requests

    answered = [("succeeded", None)]
    assert [each["content"] for each in told] == [*names]
    assert ends == [answered, [("failed", "STATE_REFUSED"), *answered], answered, answered]
    assert [holds(request, *names[:3]) for request in requests] == [
        [False, False, False],
        [True, False, False],  # refused
        [False, False, False],  # the one request more
        [False, True, False],
        [False, True, True],
    ]


@pytest.mark.parametrize("name", VENDORS)
async def test_other_400_errors_are_not_retried_without_state(name: str, settings: Settings):
    vendor = VENDORS[name]
    other = {"error": {"message": "metadata: too large", "type": "invalid_request_error"}}
    replies = Reply(vendor.say("one", "yes"), headers=SSE), Reply(to_json(other), 400)
    async with run_local(*replies) as local:
        async with serving(choose(settings, vendor, local.url)) as served:
            ann = await served.client()
            thread = await begin(ann)
            await ask(ann, thread, "hello")
            path = f"/api/chat/conversations/{thread}/messages"
            failed = await ann.post(path, json={"content": "and now?"})
        sent = [holds(request, "one")[0] for request in local.requests]

    assert '"code":"MODEL_REQUEST"' in failed.text.replace(" ", "")
    assert sent == [False, True]


async def test_doctor_names_the_state_that_is_not_sent(
    settings: Settings, plainloop: Command
) -> None:
    vendor = VENDORS["anthropic"]
    said = [Reply(vendor.say(n, n), headers=SSE) for n in ("one", "two")]
    refused = Reply(to_json(vendor.refusal), 400)
    async with run_local(said[0], refused, said[1]) as local:
        chosen = {"AGENT_PROVIDER": "anthropic", "AGENT_MODEL": "claude-sonnet-4-5"}
        key = {"AGENT_API_BASE": local.url, "ANTHROPIC_API_KEY": "any", "AGENT_DESIGN": "react"}
        await plainloop("ask", "hello", **chosen, **key)
        done = await plainloop("ask", "--last", "and now?", **chosen, **key)
        explained = await plainloop("explain", "last")
        shown = await plainloop("doctor", "thread", "last")

    assert done.code == 0, done
    assert "anthropic:claude-sonnet-4-5 refused the opaque state" in explained.out
    assert shown.out.splitlines() == [
        "info  1 part of opaque state refused by anthropic:claude-sonnet-4-5, not sent any more",
        "ok    4 messages, nothing to repair",
    ]
