"""Whatever is asked, the answer is one that the engine can use, and always the same."""

from __future__ import annotations

import json
import os
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from packages.careers.tests.offline.test_triage import TRIAGE
from packages.rules.tests.offline.tracker import ALL_TOOLS, Conversation, make_job, say
from plainloop.agent.types import ChatRequest, JsonSchema, Message, ToolSchema
from plainloop_rules.offline.brain.brain import answer
from plainloop_rules.offline.brain.schemas import fit_arguments

EXAMPLES = int(os.environ.get("AGENT_FUZZ_EXAMPLES", "50"))
PIECES = st.sampled_from(
    "add save move delete list show find the my a job jobs role at in to as applied offer"
    " Microsoft Netflix Berlin developer engineer 90k 120,000 https://x.example/1"
    " a@b.example # #3 it that and"
    ' then note: status salary profile resume remember I prefer letter cover for , . ? ! : - ( ) "'
    " yes no first skip [X_COMPLETE] company title tags 4/5 last three remote".split(" ")
)
TEXTS = st.lists(PIECES, max_size=18).map(" ".join) | st.text(max_size=120)
NAMES = st.sampled_from(
    ["create_job", "list_jobs", "update_job", "delete_x", "read_resume", "web_search", "zap", "a_b"]
)
TYPES: Any = st.sampled_from(
    [
        {"type": "string"},
        {"type": "string", "minLength": 2, "maxLength": 5},
        {"type": "integer", "minimum": 1, "maximum": 5},
        {"type": "number"},
        {"type": "boolean"},
        {"enum": ["saved", "applied"]},
        {"anyOf": [{"enum": ["remote", "onsite"]}, {"type": "null"}]},
        {"type": ["integer", "null"]},
        {"type": "array", "items": {"type": "string"}},
        {"type": "object"},
        {},
    ]
)
KEYS = st.sampled_from(
    "company title url query content status limit job_id id value field_name remote_only tags notes"
    " location salary_min".split()
)
RESULTS: Any = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS | TEXTS, inner, max_size=4),
    max_leaves=8,
)


@st.composite
def make_tools(draw: st.DrawFn) -> tuple[ToolSchema, ...]:
    tools: dict[str, ToolSchema] = {}
    for name in draw(st.lists(NAMES, max_size=5, unique=True)):
        properties = draw(st.dictionaries(KEYS, TYPES, max_size=5))
        required = (
            draw(st.lists(st.sampled_from(sorted(properties)), unique=True)) if properties else []
        )
        schema = {"type": "object", "properties": properties, "required": required}
        tools[name] = ToolSchema(name, "does " + name, schema)
    more = draw(st.sampled_from([(), ALL_TOOLS[5:], ALL_TOOLS[:2]]))
    tools |= {tool.name: tool for tool in more}
    return tuple(tools.values())


@st.composite
def make_histories(draw: st.DrawFn) -> list[Message]:
    messages: list[Message] = []
    for i in range(draw(st.integers(0, 3))):
        messages.append(say("user", draw(TEXTS)))
        if draw(st.booleans()):
            name = draw(NAMES)
            call: Any = {"type": "tool_call", "id": f"c{i}", "name": name, "arguments": {}}
            result: Any = {
                "type": "tool_result",
                "id": f"c{i}",
                "name": name,
                "result": draw(RESULTS),
                "is_error": draw(st.booleans()),
            }
            messages.append({"role": "assistant", "parts": [call]})
            messages.append({"role": "tool", "parts": [result]})
        if draw(st.booleans()):
            messages.append(say("assistant", draw(TEXTS)))
    return messages


def assert_usable(request: ChatRequest) -> None:
    response = answer(request)
    assert answer(request) == response
    assert response.stop == ("tool_use" if response.tool_calls else "end")
    assert response.text.strip() or response.tool_calls
    schemas = {tool.name: tool.parameters for tool in request.tools}
    for call in response.tool_calls:
        assert fit_arguments(schemas[call["name"]], call["arguments"]) == call["arguments"]
        json.dumps(call["arguments"])
    assert (response.usage.input_tokens or 0) > 0
    assert (response.usage.output_tokens or 0) > 0


@settings(max_examples=EXAMPLES, deadline=None)
@given(system=TEXTS, messages=make_histories(), tools=make_tools())
def test_the_offline_provider_answers_any_request_with_valid_calls_or_text(
    system: str, messages: list[Message], tools: tuple[ToolSchema, ...]
) -> None:
    assert_usable(ChatRequest(system, messages, tools))


@settings(max_examples=EXAMPLES, deadline=None)
@given(texts=st.lists(TEXTS.filter(str.strip), min_size=1, max_size=4))
def test_the_offline_provider_answers_every_turn_of_any_conversation(texts: list[str]) -> None:
    conversation = Conversation(jobs=[make_job(1, "Microsoft", "Developer"), make_job(2, "B", "C")])
    for text in texts:
        assert conversation.ask(text).strip()


@settings(max_examples=EXAMPLES, deadline=None)
@given(text=TEXTS, system=TEXTS, properties=st.dictionaries(KEYS, TYPES, max_size=5))
def test_offline_json_has_the_required_keys_of_any_schema(
    text: str, system: str, properties: dict[str, Any]
) -> None:
    for shape in (properties, TRIAGE, {"verdict": {}, "feedback": {"type": "string"}}):
        schema = {"type": "object", "properties": shape, "required": list(shape)}
        request = ChatRequest(system, [say("user", text)], (), JsonSchema("x", schema))
        assert set(json.loads(answer(request).text)) == set(shape)


def test_tool_results_with_and_without_a_wrapper_are_read_equally() -> None:
    def run(result: Any) -> str:
        call: Any = {"type": "tool_call", "id": "1", "name": "list_jobs", "arguments": {}}
        part: Any = {
            "type": "tool_result",
            "id": "1",
            "name": "list_jobs",
            "result": result,
            "is_error": False,
        }
        history: list[Message] = [
            say("user", "list my jobs"),
            {"role": "assistant", "parts": [call]},
            {"role": "tool", "parts": [part]},
        ]
        return answer(ChatRequest("", history, ALL_TOOLS)).text

    bare = {"jobs": [make_job(3, "Acme", "Cook")], "total": 1}
    expected = "1 job:\n- #3 Cook at Acme (saved)"
    assert run(bare) == expected
    assert run(json.dumps(bare)) == expected
    assert run({"result": json.dumps(bare)}) == expected
    assert run({"output": bare}) == expected


def test_repeated_requests_in_a_thread_get_different_call_ids() -> None:
    conversation = Conversation()
    for _ in range(5):
        conversation.ask("list my jobs")
    ids = [
        part["id"]
        for message in conversation.messages
        for part in message["parts"]
        if part["type"] == "tool_call"
    ]
    assert len(set(ids)) == 5
