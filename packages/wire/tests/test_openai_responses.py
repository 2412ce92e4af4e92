"""OpenAI Responses through the real SDK."""

from __future__ import annotations

from typing import Any

import pytest

from packages.wire.tests.brains import SCHEMA, TOOL, CityBrain, FixedBrain, say, think

REASONS = "gpt-6.1-terra"
PLAIN = "gpt-4o"
TOOLS: list[Any] = [{"type": "function", "name": "get_weather", "parameters": TOOL, "strict": True}]
QUESTION = "Weather in Oslo and Rome?"
ENCRYPTED: dict[str, Any] = {"include": ["reasoning.encrypted_content"], "store": False}


def to_input(item: Any) -> dict[str, Any]:
    return item.model_dump(exclude_none=True)


async def read_stream(client: Any, **asked: Any) -> tuple[list[Any], Any]:
    """Every event and the response of the terminal one."""
    events = [event async for event in await client.responses.create(**asked, stream=True)]
    return events, events[-1].response


@pytest.mark.parametrize("model", [PLAIN, REASONS])
async def test_streamed_and_plain_answers_are_equal(wire_server, connect, model):
    client = connect(await wire_server(CityBrain())).openai
    asked: dict[str, Any] = {"model": model, "tools": TOOLS, "input": QUESTION}
    plain = await client.responses.create(**asked)
    events, streamed = await read_stream(client, **asked)

    assert streamed.output == plain.output
    assert streamed.usage == plain.usage
    calls = [(item.name, item.arguments) for item in plain.output if item.type == "function_call"]
    assert calls == [("get_weather", '{"city":"Oslo"}'), ("get_weather", '{"city":"Rome"}')]
    assert [event.sequence_number for event in events] == list(range(len(events)))
    said = "".join(event.delta for event in events if event.type == "response.output_text.delta")
    assert said == plain.output_text == "Let me look."


async def test_responses_events_have_the_documented_order(wire_server, connect):
    client = connect(await wire_server(FixedBrain(say("Yes.")))).openai
    events, _ = await read_stream(client, model=PLAIN, input="Hi")

    assert [event.type.removeprefix("response.") for event in events] == [
        "created",
        "in_progress",
        "output_item.added",
        "content_part.added",
        "output_text.delta",
        "output_text.done",
        "content_part.done",
        "output_item.done",
        "completed",
    ]


async def test_reasoning_items_can_be_sent_back_with_tool_results(wire_server, connect):
    brain = CityBrain()
    client = connect(await wire_server(brain)).openai
    asked: dict[str, Any] = {"model": REASONS, "tools": TOOLS, **ENCRYPTED}
    question = {"role": "user", "content": QUESTION}
    first = await client.responses.create(
        **asked,
        instructions="Be kind.",
        input=[{"role": "developer", "content": "Be short."}, question],
    )
    kinds = [item.type for item in first.output]
    assert kinds == ["reasoning", "message", "function_call", "function_call"]
    results = [
        {"type": "function_call_output", "call_id": item.call_id, "output": '{"degrees": 3}'}
        for item in first.output
        if item.type == "function_call"
    ]
    last = await client.responses.create(
        **asked, input=[question, *map(to_input, first.output), *results]
    )

    assert last.output_text == "Seen: [{'degrees': 3}, {'degrees': 3}]"
    assert brain.requests[0].system == "Be kind.\n\nBe short."
    seen = brain.requests[-1].messages
    assert [message["role"] for message in seen] == ["user", "assistant", "tool"]
    assert [part["type"] for part in seen[1]["parts"]] == [
        "reasoning",
        "text",
        "tool_call",
        "tool_call",
    ]


async def test_newer_models_mark_commentary_and_final_answer(wire_server, connect):
    client = connect(await wire_server(CityBrain())).openai
    asking = await client.responses.create(model=REASONS, tools=TOOLS, input=QUESTION)
    answering = await client.responses.create(model=REASONS, input="Hi")

    assert [item.phase for item in asking.output if item.type == "message"] == ["commentary"]
    assert answering.output[-1].phase == "final_answer"


@pytest.mark.parametrize("summary", [None, "auto"])
async def test_responses_reasoning_is_summarised_on_request(wire_server, connect, summary):
    client = connect(await wire_server(FixedBrain(think("Hm, well.", "Yes.")))).openai
    events, answer = await read_stream(
        client, model=REASONS, input="Well?", reasoning={"summary": summary}
    )
    shown = [piece.text for piece in answer.output[0].summary]
    streamed = [e.delta for e in events if e.type == "response.reasoning_summary_text.delta"]

    assert ("".join(shown), "".join(streamed)) == (("Hm, well.",) * 2 if summary else ("", ""))
    assert answer.usage.output_tokens_details.reasoning_tokens > 0


@pytest.mark.parametrize("stream", [False, True])
async def test_responses_json_mode_and_forced_tools_give_one_object(wire_server, connect, stream):
    client = connect(await wire_server(CityBrain())).openai
    wanted = {"type": "json_schema", "name": "triage", "schema": SCHEMA, "strict": True}
    asked: dict[str, Any] = {"model": PLAIN, "input": QUESTION}
    for extra in (
        {"text": {"format": wanted}},
        {"tools": TOOLS, "tool_choice": {"type": "function", "name": "get_weather"}},
    ):
        if stream:
            _, answer = await read_stream(client, **asked, **extra)
        else:
            answer = await client.responses.create(**asked, **extra)
        item = answer.output[0]
        told = item.arguments if item.type == "function_call" else answer.output_text
        assert told == '{"worker":"crm"}'


async def test_the_token_limit_ends_a_response_as_incomplete(wire_server, connect):
    client = connect(await wire_server(FixedBrain(say("word " * 200)))).openai
    events, cut = await read_stream(client, model=PLAIN, input="Hi", max_output_tokens=16)

    assert events[-1].type == "response.incomplete"
    assert (cut.status, cut.incomplete_details.reason) == ("incomplete", "max_output_tokens")
    assert cut.output[0].status == "incomplete"
    assert cut.usage.output_tokens <= 16


async def test_a_responses_refusal_is_its_own_content_part(wire_server, connect):
    client = connect(
        await wire_server(FixedBrain(say("", stop="refusal", refusal="I cannot do that.")))
    ).openai
    events, answer = await read_stream(client, model=PLAIN, input="Hi")

    said = "".join(event.delta for event in events if event.type == "response.refusal.delta")
    (content,) = answer.output[0].content
    assert (content.type, content.refusal, said) == ("refusal", "I cannot do that.", said)
