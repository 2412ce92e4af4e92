"""Claude models accept, drop or refuse thinking blocks that come back, through the real SDK."""

from __future__ import annotations

from typing import Any

import anthropic
import pytest

from packages.wire.tests.brains import TOOL, CityBrain, FixedBrain, call, think

MODEL = "claude-sonnet-5-5"
BETA = {"anthropic-beta": "thinking-binding-controls-2026-08-01"}
DROP = {"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}}
TOOLS: list[Any] = [{"name": "get_weather", "description": "Weather.", "input_schema": TOOL}]
SYSTEM = "You are short."
REFUSED = (
    "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a "
    "different conversation. Remove the block, or set "
    '`thinking.block_binding.prefix_mismatch_behavior` to "drop_block".'
)


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


class Talk:
    """A conversation as a client keeps it: each answer goes back as it came."""

    def __init__(self, client: Any, **asked: Any) -> None:
        first = {"model": MODEL, "max_tokens": 2000, "system": SYSTEM, "tools": TOOLS}
        self.asked: dict[str, Any] = first | asked
        self.messages: list[Any] = []
        self._client = client

    async def say(self, text: str, **more: Any) -> Any:
        self.messages.append(user(text))
        answer = await self.send(**more)
        content = [block.model_dump(exclude_none=True) for block in answer.content]
        self.messages.append({"role": "assistant", "content": content})
        return answer

    async def send(self, **more: Any) -> Any:
        asked = {**self.asked, "messages": self.messages, **more}
        return await self._client.messages.create(**asked)


@pytest.fixture
async def client(wire_server, connect):
    return connect(await wire_server(CityBrain())).anthropic


@pytest.fixture
async def talk(client) -> Talk:
    talk = Talk(client)
    await talk.say("one")
    await talk.say("two")
    return talk


def list_told(answer: Any) -> list[tuple[str, str]]:
    entries = answer.model_dump()["input_transformations"]
    assert {entry["type"] for entry in entries} <= {"thinking_dropped"}
    return [(entry["path"], entry["reason"]) for entry in entries]


async def test_thinking_of_a_growing_conversation_is_accepted(talk):
    answer = await talk.say("three", thinking=DROP, extra_headers=BETA)
    assert [block.type for block in answer.content] == ["thinking", "text"]
    assert list_told(answer) == []


@pytest.mark.parametrize(
    "change",
    [
        {"system": "You are long."},
        {"system": None},
        {"tools": [{**TOOLS[0], "description": "The weather."}]},
        {"tools": [*TOOLS, {"name": "other", "input_schema": TOOL}]},
    ],
)
async def test_thinking_after_a_changed_system_prompt_is_refused(talk, change):
    talk.asked = {name: value for name, value in {**talk.asked, **change}.items() if value}
    with pytest.raises(anthropic.BadRequestError) as refused:
        await talk.say("three")
    assert REFUSED in str(refused.value)


async def test_cache_markers_do_not_invalidate_thinking(talk):
    mark = {"cache_control": {"type": "ephemeral"}}
    talk.asked["system"] = [{"type": "text", "text": SYSTEM, **mark}]
    talk.asked["tools"] = [{**TOOLS[0], **mark}]
    await talk.say("three")


async def test_thinking_after_a_changed_message_is_refused(talk):
    talk.messages[2] = user("two, that is")
    with pytest.raises(anthropic.BadRequestError, match=r"messages\.3\.content\.0: .* different"):
        await talk.say("three")


async def test_thinking_after_an_omitted_thinking_block_is_refused(talk):
    await talk.say("three")
    del talk.messages[3]["content"][0]
    with pytest.raises(anthropic.BadRequestError, match=r"messages\.5\.content\.0: .* different"):
        await talk.say("four")


async def test_a_history_without_thinking_blocks_is_accepted(talk):
    for message in talk.messages[1::2]:
        del message["content"][0]
    await talk.say("three", system="You are long.")


async def test_a_request_can_have_invalid_thinking_dropped_and_reported(talk):
    talk.asked["system"] = "You are long."
    answer = await talk.say("three", thinking=DROP, extra_headers=BETA)
    both = [(f"messages.{n}.content.0", "prefix_binding_mismatch") for n in (1, 3)]
    assert list_told(answer) == both
    # What is thought now stays valid, whether what was dropped is sent again or not.
    assert list_told(await talk.say("four", thinking=DROP, extra_headers=BETA)) == both
    for message in talk.messages[1:5:2]:
        del message["content"][0]
    await talk.say("five")


async def test_a_streams_first_event_lists_dropped_thinking(talk):
    asked = {**talk.asked, "system": "You are long.", "messages": [*talk.messages, user("three")]}
    events = await talk._client.messages.create(
        **asked, stream=True, thinking=DROP, extra_headers=BETA
    )
    first = await anext(aiter(events))
    assert len(list_told(first.message)) == 2


async def test_block_binding_without_its_beta_header_is_refused(talk):
    with pytest.raises(anthropic.BadRequestError, match="block_binding: Extra inputs are not"):
        await talk.say("three", thinking=DROP)


async def test_an_unknown_mismatch_behaviour_of_thinking_is_refused(talk):
    wrong = {"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "ignore"}}
    with pytest.raises(anthropic.BadRequestError, match="Input should be 'error' or 'drop_block'"):
        await talk.say("three", thinking=wrong, extra_headers=BETA)


async def test_dropped_thinking_is_reported_only_with_the_beta_header(talk):
    answer = await talk.say("three")
    assert "input_transformations" not in answer.model_dump()


async def test_a_changed_thinking_text_is_refused(client):
    talk = Talk(client, thinking={"type": "adaptive", "display": "summarized"})
    await talk.say("one")
    talk.messages[1]["content"][0]["thinking"] += "!"
    with pytest.raises(anthropic.BadRequestError, match="`thinking` block'"):
        await talk.say("two", thinking=DROP, extra_headers=BETA)


@pytest.mark.parametrize("model", ["claude-sonnet-5-5", "claude-haiku-5-5", "claude-opus-5-5"])
async def test_some_models_drop_thinking_of_another_account(wire_server, connect, http, model):
    server = await wire_server(CityBrain())
    talk = Talk(connect(server).anthropic, model=model)
    await talk.say("one")
    talk._client = connect(server, "another").anthropic
    answer = await talk.say("two", thinking=DROP, extra_headers=BETA)
    bound = [("messages.1.content.0", "organization_binding_mismatch")]
    assert list_told(answer) == ([] if model == "claude-opus-5-5" else bound)
    await talk.say("three")  # it is left out without a word, not refused


@pytest.mark.parametrize(
    ("maker", "reader", "is_read"),
    [
        ("claude-opus-5-5", "claude-fable-5-1", True),
        ("claude-haiku-5-5", "claude-opus-5-5", True),
        ("claude-fable-5-1", "claude-opus-5-5", False),
        ("claude-sonnet-5-5", "claude-haiku-5-5", False),
        ("claude-sonnet-5-5", "claude-sonnet-5-5-20260928", True),
    ],
)
async def test_a_model_accepts_thinking_of_its_listed_other_models_only(
    client, maker, reader, is_read
):
    talk = Talk(client, model=maker)
    await talk.say("one")
    answer = await talk.say("two", model=reader, thinking=DROP, extra_headers=BETA)
    unread = [("messages.1.content.0", "model_binding_mismatch")]
    assert list_told(answer) == ([] if is_read else unread)


@pytest.mark.parametrize("model", ["claude-opus-5", "claude-sonnet-5", "claude-sonnet-4-6"])
async def test_claude_before_5_1_does_not_bind_thinking_to_its_prefix(client, model):
    talk = Talk(client, model=model, thinking={"type": "adaptive"})
    await talk.say("one")
    await talk.say("two", system="You are long.")


@pytest.mark.parametrize(
    "model", ["claude-opus-6", "claude-fable-5-2", "anthropic/claude-mythos-5.1@eu"]
)
async def test_later_claude_models_bind_thinking_to_its_prefix(client, model):
    talk = Talk(client, model=model)
    await talk.say("one")
    with pytest.raises(anthropic.BadRequestError, match="different conversation"):
        await talk.say("two", system="You are long.")


@pytest.mark.parametrize(
    ("model", "kinds"),
    [
        ("claude-sonnet-5-5", ["thinking", "tool_use"]),
        ("claude-fable-5-1", ["thinking", "text", "tool_use"]),
    ],
)
async def test_newer_models_return_text_between_tool_calls_as_thinking(
    wire_server, connect, model, kinds
):
    client = connect(await wire_server(FixedBrain(call("Oslo")))).anthropic
    talk = Talk(client, model=model)
    first = await talk.say("Weather?")
    assert [block.type for block in first.content] == ["thinking", "text", "tool_use"]
    result = {"type": "tool_result", "tool_use_id": first.content[-1].id, "content": "3"}
    talk.messages.append({"role": "user", "content": [result]})
    summarized = {"type": "adaptive", "display": "summarized"}
    second = await talk.send(thinking=summarized)
    assert [block.type for block in second.content] == kinds
    assert "Let me look." in (second.content[0].thinking, getattr(second.content[1], "text", ""))


async def test_thinking_text_is_empty_unless_a_summary_is_requested(wire_server, connect):
    client = connect(await wire_server(FixedBrain(think("Hm.", "Yes.")))).anthropic
    silent = await Talk(client).say("one")
    told = await Talk(client).say("one", thinking={"type": "adaptive", "display": "summarized"})
    assert [answer.content[0].thinking for answer in (silent, told)] == ["", "Hm."]
