"""A scripted model behind the wire."""

from __future__ import annotations

from typing import Any

import anthropic
import orjson
import pytest

from packages.wire.tests.brains import SCHEMA, TOOL, CityBrain
from plainloop.agent.errors import ConfigError
from plainloop_wire.script import load_script, parse_script

MODEL = "claude-sonnet-4-6"
TOOLS: list[Any] = [{"name": "get_weather", "input_schema": TOOL}]
FORMAT = {"format": {"type": "json_schema", "schema": SCHEMA}}


async def ask(client: Any, *messages: Any, text: str = "Hi", **more: Any) -> Any:
    return await client.messages.create(
        model=MODEL, max_tokens=200, messages=[*messages, {"role": "user", "content": text}], **more
    )


async def test_the_first_unused_matching_step_of_a_script_answers(wire_server, connect):
    script = parse_script(
        [
            {"match": {"user": "^Bye"}, "answer": {"text": "See you."}, "times": 2},
            {"answer": {"text": "Once."}},
            {"match": {}, "answer": {"text": "Always."}, "times": None},
        ]
    )
    client = connect(await wire_server(CityBrain(), script=script)).anthropic
    said = [
        (await ask(client, text=text)).content[0].text
        for text in ("Hi", "Bye", "Hi", "Bye now", "Bye", "Hi")
    ]
    assert said == ["Once.", "See you.", "Always.", "See you.", "Always.", "Always."]


async def test_script_steps_match_by_system_schema_tool_and_position(wire_server, connect):
    script = parse_script(
        [
            {"match": {"schema": "worker"}, "answer": {"json": {"worker": "crm"}}},
            {"match": {"system": "judge"}, "answer": {"text": "pass"}},
            {
                "match": {"tool": "get_weather", "after_tool": False},
                "answer": {
                    "text": "Looking.",
                    "tool_calls": [{"name": "get_weather", "arguments": {"city": "Oslo"}}],
                },
            },
            {"match": {"after_tool": True}, "answer": {"text": "3 degrees.", "reasoning": "Cold."}},
        ]
    )
    client = connect(await wire_server(CityBrain(), script=script)).anthropic
    called = await ask(client, tools=TOOLS)
    history = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": [block.model_dump() for block in called.content]},
    ]
    results = [{"type": "tool_result", "tool_use_id": called.content[1].id, "content": "3"}]
    answered = await client.messages.create(
        model=MODEL,
        max_tokens=200,
        tools=TOOLS,
        messages=[*history, {"role": "user", "content": results}],
    )
    judged = await ask(client, system="You judge.")
    triaged = await ask(client, output_config=FORMAT)
    assert (called.stop_reason, called.content[1].input) == ("tool_use", {"city": "Oslo"})
    assert answered.content[0].text == "3 degrees."
    assert answered.usage.output_tokens_details.thinking_tokens > 0
    assert judged.content[0].text == "pass"
    assert triaged.content[0].text == '{"worker":"crm"}'


async def test_a_request_that_no_script_step_matches_is_a_400(wire_server, connect):
    script = parse_script([{"match": {"user": "weather"}, "answer": {"text": "Fine."}}])
    client = connect(await wire_server(CityBrain(), script=script)).anthropic
    with pytest.raises(
        anthropic.BadRequestError, match="the script has no step left for user 'Hi'"
    ):
        await ask(client)


async def test_requests_unmatched_by_a_script_can_use_the_offline_model(wire_server, connect, http):
    lines = b'{"fallback": "brain"}\n\n{"answer": {"text": "Scripted."}}\n'
    server = await wire_server(CityBrain(), script=parse_script(lines))
    client = connect(server).anthropic
    said = [(await ask(client)).content[0].text for _ in range(2)]
    await http.post(f"{server.base_url}/__reset")
    said.append((await ask(client)).content[0].text)
    assert said == ["Scripted.", "You said: Hi", "Scripted."]


async def test_a_script_step_can_refuse_or_cut_the_answer(wire_server, connect):
    script = parse_script(
        [
            {"answer": {"text": "I cannot.", "stop": "refusal"}},
            {"answer": {"text": "Half an ans", "stop": "length"}},
        ]
    )
    client = connect(await wire_server(CityBrain(), script=script)).openai
    choices = [
        (
            await client.chat.completions.create(
                model="gpt-4o", messages=[{"role": "user", "content": "Hi"}]
            )
        ).choices[0]
        for _ in range(2)
    ]
    assert [(c.message.refusal, c.message.content, c.finish_reason) for c in choices] == [
        ("I cannot.", None, "stop"),
        (None, "Half an ans", "length"),
    ]


STEP = {"match": {"user": "Hi"}, "answer": {"text": "Hello."}, "times": 3}


@pytest.mark.parametrize(
    "content",
    [
        orjson.dumps([STEP]),
        orjson.dumps({"steps": [STEP]}),
        orjson.dumps(STEP),
        orjson.dumps(STEP) + b"\n",
    ],
)
def test_a_script_can_be_a_list_an_object_or_json_lines(tmp_path, content):
    path = tmp_path / "script.json"
    path.write_bytes(content)
    script = load_script(path)
    assert [(step.match.user, step.answer.text, step.times) for step in script.steps] == [
        ("Hi", "Hello.", 3)
    ]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b'[{"answr": {}}]', "answr"),
        (
            b'[{"match": {"user": "("}, "answer": {}}]',
            "step 1: '\\(' is not a valid regular expression",
        ),
        (b'{"answer": {}}\n{"answer"', "line 2 is not valid JSON"),
        (b"7", "Expected `object`"),
        (b'{"answer": {}}\n7\n', "Expected `object`"),
        (b"\xff", "is not valid: 'utf-8' codec"),
    ],
)
def test_an_error_of_an_invalid_script_names_the_step(tmp_path, content, complaint):
    path = tmp_path / "script.json"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=complaint):
        load_script(path)


def test_the_error_of_a_missing_script_file_names_it(tmp_path):
    with pytest.raises(ConfigError, match="cannot read the script"):
        load_script(tmp_path / "none.json")
