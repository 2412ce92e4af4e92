"""The call that follows a failed, paused or wrong answer: what changes in it, and what stays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.base.messages.wishes import word_repair
from plainloop.agent.core.attempts import find_positions, reserve_worst_case
from plainloop.agent.core.llm import (
    ModelCall,
    build_repair_call,
    continue_call,
    count_tokens_used,
    fit_call,
    shorten_call,
    unseal_call,
)
from plainloop.agent.errors import ContextTooLong, ModelOverloaded, StateRefused
from plainloop.agent.providers.model_handle import ModelHandle
from plainloop.agent.providers.room import INPUT_MARGIN, INPUT_OVERHEAD
from plainloop.agent.store.records import Reserved
from plainloop.agent.types import ChatRequest, JsonSchema, LLMResponse, Message, Usage
from plainloop.agent.workers._base_worker import to_thread_message
from tests.core.conversations import answer, call, result, user
from tests.machine.scripted import ScriptedProvider

SCHEMA = JsonSchema("v", {"type": "object"})
TOOL: Any = {"type": "tool_call", "id": "c", "name": "look", "arguments": {}}


def make_handle() -> ModelHandle:
    provider = ScriptedProvider()
    return ModelHandle(provider.provider, provider.model, provider)


def make_call(*view: Message, **rest: Any) -> ModelCall:
    request = ChatRequest(system="Be brief.", messages=[*view], max_tokens=1_000)
    return ModelCall("worker", request, [*view], worker="notes", **rest)


def make_response(*parts: Any, **rest: Any) -> LLMResponse:
    message: Message = {"role": "assistant", "parts": [*parts]}
    return LLMResponse(
        **{"message": message, "stop": "end", "usage": Usage(), "model": "m", **rest}
    )


def say(text: str, **rest: Any) -> LLMResponse:
    return make_response({"type": "text", "text": text}, **rest)


def test_a_repair_request_contains_the_invalid_answer_and_its_fault():
    first = make_call(user("Judge."), extra=[user("more")])
    first = replace(first, request=replace(first.request, json_schema=SCHEMA, tools=(TOOL,)))
    ask = user(word_repair(first.request, "no object"))
    for text, shown in (("hm", "hm"), (" \n", "(empty)")):
        bad = answer(shown)
        request = replace(
            first.request, messages=[user("Judge."), bad, ask], tools=(), is_newest_passing=True
        )
        repair = build_repair_call(first, say(text), "no object", 9_000)
        extra = [user("more"), bad, ask]
        assert repair == replace(first, request=request, extra=extra, is_repair=True)


def test_repairing_a_cut_answer_uses_the_maximum_size():
    first = make_call(user("Judge."))
    for stop, room in (("length", 9_000), ("end", 1_000), ("other", 1_000)):
        repair = build_repair_call(first, say("{", stop=stop), "no object", 9_000)
        assert repair.request.max_tokens == room
        assert repair.extra == repair.request.messages[1:]


def test_a_paused_answer_is_continued_by_a_request_with_its_text():
    first = make_call(user("Search."), extra=[user("more")])
    one, two = say("a", notes=("x",)), say("b", notes=("y",))
    paused = continue_call(first, one)
    request = replace(first.request, messages=[user("Search."), one.message])
    extra = [user("more"), one.message]
    assert paused == replace(first, request=request, extra=extra, paused=one)
    again = continue_call(paused, two)
    both = make_response(*one.message["parts"], *two.message["parts"], notes=("x", "y"))
    assert again.paused == both
    assert again.extra == [*extra, two.message]
    assert continue_call(make_call(user("Search.")), one).extra == [one.message]


def test_a_call_is_repeated_once_without_refused_opaque_state():
    handle = make_handle()
    origin = (handle.provider, handle.model)
    state = {"provider": handle.provider, "model": handle.model, "value": {"signature": "secret"}}
    sealed: Any = {"type": "reasoning", "text": "hm", "provider_state": state}
    text: Any = {"type": "text", "text": "yes"}
    said: Message = {"role": "assistant", "parts": [sealed, text]}
    first = make_call(user("one"), said, user("two"))
    bare = unseal_call(first, StateRefused("no"), handle)

    assert bare is not None and bare.refused == origin
    assert "secret" not in f"{bare.view}{bare.request.messages}"
    assert (len(bare.view), len(bare.request.messages)) == (3, 3)
    same = (bare.role, bare.worker, bare.request.system)
    assert same == ("worker", "notes", "Be brief.")
    assert unseal_call(bare, StateRefused("no"), handle) is None
    assert unseal_call(first, ModelOverloaded("busy"), handle) is None
    plain = make_call(user("one"))
    assert unseal_call(plain, StateRefused("no"), handle) == replace(plain, refused=origin)


def test_a_shortened_request_keeps_its_last_messages():
    turns = [m for n in range(8) for m in (user(f"{n} " * 200), answer("yes"))]
    view, wish = [*turns, user("so?")], user("be kind")
    first = make_call(*view, extra=[wish])
    shorter = shorten_call(first)
    assert shorter is not None and shorter.view == view[-7:]
    messages = [*view[-7:], wish]
    request = replace(first.request, messages=messages)
    kept = replace(first, request=request, view=view[-7:], is_shortened=True)
    assert shorter == kept and shorter.extra == [wish]


def test_a_request_with_omitted_messages_is_stored_whole_in_the_ledger():
    rounds = [m for n in range(8) for m in (call(f"c{n}"), result(f"c{n}", gave="x " * 200))]
    shorter = shorten_call(make_call(user("so?"), *rounds))
    assert shorter is not None
    assert shorter.view == []
    assert shorter.extra == shorter.request.messages
    assert shorter.request.messages[0] == user("so?")
    assert 1 < len(shorter.request.messages) < len(rounds)


def test_a_request_is_shortened_only_after_a_too_long_error():
    turns = [m for n in range(8) for m in (user(f"{n} " * 200), answer("yes"))]
    long, handle = make_call(*turns, user("so?")), make_handle()
    assert fit_call(long, ModelOverloaded("busy"), handle) is None
    fitted = fit_call(long, ContextTooLong("too long"), handle)  # without numbers: both are shorter
    assert fitted is not None and fitted.is_shortened and fitted.room == 500
    assert fit_call(fitted, ContextTooLong("too long"), handle) is None
    short = make_call(user("so?"))
    assert fit_call(short, ContextTooLong("too long"), handle) == replace(short, room=500)
    again = fit_call(replace(long, room=400), ContextTooLong("too long"), handle)
    assert again is not None and again.is_shortened and again.room == 400


def test_unstated_token_counts_count_as_zero():
    assert count_tokens_used(Usage(3, 4, 5, 6, 7)) == {"in": 12, "out": 13}
    assert count_tokens_used(Usage(output_tokens=2)) == {"in": 0, "out": 2}
    assert count_tokens_used(Usage(input_tokens=2)) == {"in": 2, "out": 0}


@pytest.mark.parametrize(
    ("view", "positions"),
    [
        ([], (None, None)),
        ([user("a")], (10, 10)),
        ([user("a"), call("c"), result("c")], (10, 12)),
        ([user("a"), answer("b"), user("c")], (8, 10)),
        ([user("a"), answer("b"), user("c"), answer("d")], (8, 11)),
    ],
)
def test_a_requests_messages_are_located_in_the_thread(
    view: list[Message], positions: tuple[int | None, int | None]
):
    assert find_positions(view, 10) == positions


def test_a_reservation_is_the_estimated_input_plus_the_maximum_answer():
    handle = make_handle()
    tokens = round(1_000 * INPUT_MARGIN) + INPUT_OVERHEAD
    usual = handle.outputs.get(handle.label, "worker")
    assert reserve_worst_case(handle, "worker", 1_000, 9_000) == Reserved(
        tokens + 9_000, None, 9_000, usual
    )
    assert reserve_worst_case(handle, "worker", 1_000, 50) == Reserved(tokens + 50, None, 50, 50)
    priced = replace(handle, provider="anthropic", model="claude-sonnet-4-5")
    most = reserve_worst_case(priced, "worker", 1_000, 9_000)
    whole, alone = priced.price_bound(tokens, 9_000), priced.price_bound(tokens, 0)
    assert whole is not None and alone is not None
    assert (most.cost_usd, most.output_usd) == (whole, (whole - alone) / 9_000)
    assert most.shrink(0).cost_usd == alone
    none = reserve_worst_case(priced, "embedding", 1_000, 0)
    assert (none.cost_usd, none.output_usd, none.output_tokens) == (alone, 0, 0)


STATED: Any = {"type": "text", "text": "", "provider_state": {"id": "m1"}}
THOUGHT: Any = {"type": "reasoning", "text": "hm"}
NONE = "(The model gave no answer. Its stop reason was: length.)"


@pytest.mark.parametrize(
    ("parts", "refusal", "stored"),
    [
        ([{"type": "text", "text": "yes"}], "no", None),
        ([TOOL], None, None),
        ([{"type": "text", "text": " \n"}], None, [{"type": "text", "text": NONE}]),
        ([], "I may not.", [{"type": "text", "text": "I may not."}]),
        (
            [THOUGHT, {**STATED, "text": " "}],
            None,
            [THOUGHT, STATED, {"type": "text", "text": NONE}],
        ),
    ],
)
def test_an_empty_answer_is_stored_with_a_readable_text(
    parts: list[Any], refusal: str | None, stored: list[Any] | None
):
    response = make_response(*parts, stop="length", refusal=refusal)
    kept = {"role": "assistant", "parts": stored} if stored else response.message
    assert to_thread_message(response) == kept
