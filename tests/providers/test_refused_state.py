"""Opaque state that is refused: how vendors and gateways say so, and what is left of a history."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plainloop.agent.errors import ModelError, StateRefused
from plainloop.agent.providers.refused_state import (
    describe_refused,
    drop_refused_state,
    drop_state,
    mark_refused,
)
from plainloop.agent.types import Message
from tests.providers.asking import ask
from tests.providers.conversations import connect, user
from tests.providers.documented import to_json
from tests.providers.local_server import Reply, run_local

ONE, OTHER = ("anthropic", "claude"), ("openai", "gpt")
MODIFIED = (
    "messages.5.content.9: `thinking` or `redacted_thinking` blocks in the latest assistant "
    "message cannot be modified. These blocks must remain as they were."
)
BOUND = (
    "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a "
    "different conversation. The `system` prompt differs from the one it was created with."
)
ISSUER = "Upstream request failed: reasoning `encrypted_content` was not issued to this caller"
MALFORMED = "messages.1.content.0.signature: malformed encrypted reasoning content: invalid base64"
ORGANISATION = "Encrypted content organization_id did not match the target organization."
PARSED = "The encrypted content gAAA...Q== could not be verified. Reason: not decrypted or parsed."
PAIR = "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item"
MISSING = (
    "Function call is missing a thought_signature in functionCall parts. This is required for "
    "tools to work correctly, and missing thought_signature may lead to degraded performance."
)


def say(message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", **more}}


RAW = json.dumps({"error": {"code": 400, "message": "Corrupted thought signature."}})
REFUSED = [
    say("bad encrypted state", code="invalid_encrypted_content"),
    *map(say, (PARSED, ORGANISATION, ISSUER, MALFORMED, MODIFIED, BOUND, PAIR)),
    say("messages.1.content.0.thinking.signature: Field required"),
    say("***.***.content.0: Invalid `signature` in `thinking` block (request id: 2026)"),
    say("Invalid signature in thinking block"),
    say("messages.3.content.1: Invalid `data` in `redacted_thinking` block"),
    {"error": {"code": 400, "message": "Corrupted thought signature.", "status": "INVALID"}},
    {"error": {"code": 400, "message": "Thought signature is not valid", "status": "INVALID"}},
    say("Provider returned error", code=400, metadata={"raw": RAW, "provider_name": "Google"}),
    {"error": {"type": "request_fail", "upstream_error": say(BOUND)}},
]
OTHERS = [
    say("Encrypted content is not supported with this model.", param="include"),
    say("Invalid value: 'reasoning.encrypted'. Supported values are: 'file_search_call.results'."),
    say(MISSING),
    say("Invalid 'input[3].call_id': string too long"),
    say("thinking: Input should be a valid dictionary"),
    say("messages: at least one message is required"),
]


async def fail(body: Any, status: int = 400) -> ModelError:
    async with run_local(Reply(to_json(body), status)) as local:
        with pytest.raises(ModelError) as caught:
            await ask(connect("openai", local.url), stream=True)
    return caught.value


@pytest.mark.parametrize("body", REFUSED)
async def test_refused_state_is_recognised_by_the_error_text(body: Any):
    assert isinstance(await fail(body), StateRefused)


@pytest.mark.parametrize("body", OTHERS)
async def test_other_errors_are_not_treated_as_refused_state(body: Any):
    error = await fail(body)
    assert (error.code, isinstance(error, StateRefused)) == ("MODEL_REQUEST", False)


@pytest.mark.parametrize(("status", "code"), [(429, "RATE_LIMITED"), (503, "MODEL_OVERLOADED")])
async def test_overload_errors_are_not_treated_as_refused_state(status: int, code: str):
    assert (await fail(say(BOUND), status)).code == code


def sealed(origin: tuple[str, str], **value: Any) -> Message:
    state: Any = {"provider": origin[0], "model": origin[1], "value": value}
    thought: Any = {"type": "reasoning", "text": "hm", "provider_state": state}
    return {"role": "assistant", "parts": [thought, {"type": "text", "text": "yes"}]}


def show(messages: list[Message]) -> list[Any]:
    """The states' values, message by message; marks are empty ones."""
    return [
        [p["provider_state"]["value"] for p in m["parts"] if "provider_state" in p]
        for m in messages
    ]  # type: ignore[typeddict-item]


def test_dropping_opaque_state_keeps_call_ids_and_phases():
    said = sealed(ONE, signature="s", id="toolu_1", phase="final_answer", echo=True)
    left = [{"id": "toolu_1", "phase": "final_answer", "echo": True}]
    assert show(drop_state([said], [ONE])) == [left]
    assert show([said])[0][0]["signature"] == "s", "what is stored is not changed"


def test_only_state_from_before_a_refusal_is_omitted():
    first, other = sealed(ONE, signature="1"), sealed(OTHER, item={})
    answered = mark_refused(sealed(ONE, signature="2"), ONE)
    thread = [user("a"), first, user("b"), other, user("c"), answered, sealed(ONE, signature="3")]
    left = [[], [{}], [], [{"item": {}}], [], [{}, {"signature": "2"}], [{"signature": "3"}]]
    assert show(drop_refused_state(thread)) == left
    assert describe_refused(thread) == [
        "1 part of opaque state refused by anthropic:claude, not sent any more"
    ]


def test_after_two_refusals_all_opaque_state_of_the_model_is_omitted():
    answered = [mark_refused(sealed(ONE, signature=n), ONE) for n in "12"]
    thread = [user("a"), *answered, sealed(ONE, signature="3"), sealed(OTHER, item={})]
    assert show(drop_refused_state(thread))[1:] == [[{}, {}], [{}, {}], [{}], [{"item": {}}]]


def test_a_history_without_refusals_is_not_copied():
    thread = [user("a"), sealed(ONE, signature="1")]
    assert all(a is b for a, b in zip(drop_refused_state(thread), thread, strict=True))
