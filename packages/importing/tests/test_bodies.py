"""Requests and answers in the forms in which wrappers of LangSmith and Langfuse record them.

Sources: langsmith/wrappers/_anthropic.py and _openai.py; langfuse/openai.py.
"""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings

from .conftest import Bring, read_all, show
from .test_files import ANSWERED, ASKED, AT, make_run, write

CALL = {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "stock", "arguments": "{}"}
RESULT = {"type": "function_call_output", "call_id": "c1", "output": "12"}
SAYS = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "12."}]}
THINKS = {"type": "reasoning", "id": "rs_1", "summary": []}
TURN = [ASKED, THINKS, CALL, RESULT]
SHOWN = [
    ("user", "Which keys?", []),
    ("assistant", "", [("stock", {})]),
    ("tool", "12"),
    ("assistant", "12.", []),
]
TOOL_USE = {"id": "t1", "type": "function", "function": {"name": "stock", "arguments": "{}"}}
PLAIN = [("user", "Which keys?", []), ("assistant", "Blue.", [])]

RUNS: dict[str, tuple[Any, Any, list[Any]]] = {
    "wrap_anthropic": (
        {"messages": [ASKED], "model": "claude-sonnet-5"},
        {"id": "msg_1", **ANSWERED, "stop_reason": "end_turn", "usage_metadata": {}},
        PLAIN,
    ),
    "wrap_anthropic, a call": (
        {"messages": [ASKED], "model": "claude-sonnet-5"},
        {"id": "msg_1", "role": "assistant", "content": None, "tool_calls": [TOOL_USE]},
        SHOWN[:2],
    ),
    "wrap_openai, Responses": (
        {"input": TURN, "instructions": "Be brief.", "model": "gpt-5"},
        {"id": "resp_1", "object": "response", "output": [THINKS, SAYS], "usage_metadata": {}},
        SHOWN,
    ),
    "wrap_openai, Responses of text": (
        {"input": "Which keys?", "instructions": "Be brief.", "model": "gpt-5"},
        {"id": "resp_1", "object": "response", "output": [CALL]},
        SHOWN[:2],
    ),
    "a completion": ({"prompt": "Which keys?"}, {"choices": [{"text": "Blue."}]}, PLAIN),
    "a LangChain completion": (
        {"prompts": ["Which keys?"]},
        {"generations": [[{"text": "Blue."}]]},
        PLAIN,
    ),
    "@traceable": ({"messages": [ASKED]}, {"output": "Blue."}, PLAIN),
    "@traceable, messages": ({"messages": [ASKED]}, {"messages": [ASKED, ANSWERED]}, PLAIN),
    "@traceable, its own": (
        {"question": "Which keys?"},
        {"colour": "blue"},
        [("user", '{"question":"Which keys?"}', []), ("assistant", '{"colour":"blue"}', [])],
    ),
}


@pytest.mark.parametrize("name", RUNS)
async def test_langsmith_runs_of_each_wrapper_keep_their_text(
    settings: Settings, tmp_path: Path, name: str
) -> None:
    inputs, outputs, expected = RUNS[name]
    path = write(tmp_path, make_run(inputs=inputs, outputs=outputs))
    (one,) = await read_all(settings, "langsmith", path)
    assert show(one.messages) == expected
    assert one.system == inputs.get("instructions", "")


GENERATIONS: dict[str, tuple[Any, Any, list[Any]]] = {
    "Responses": (TURN, [THINKS, SAYS], SHOWN),
    "Responses, one item": ("Which keys?", CALL, SHOWN[:2]),
    "a prompt object": ({"input": "Which keys?", "prompt": {"id": "p"}}, "Blue.", PLAIN),
    "a message": (ASKED, ANSWERED, PLAIN),
    "choices": ([ASKED], [ANSWERED, {**ANSWERED, "content": "Red."}], PLAIN),
    "structured": (
        {"question": "Which keys?"},
        {"colour": "blue", "n": 2},
        [("user", '{"question":"Which keys?"}', []), ("assistant", '{"colour":"blue","n":2}', [])],
    ),
    "a list": ([ASKED], ["blue", "red"], [PLAIN[0], ("assistant", '["blue","red"]', [])]),
}


def make_observation(**more: Any) -> dict[str, Any]:
    kept = {"id": "o", "traceId": "t", "type": "GENERATION", "startTime": AT, "endTime": AT}
    return {**kept, "model": "gpt-5", **more}


@pytest.mark.parametrize("name", GENERATIONS)
async def test_langfuse_generations_of_each_form_keep_their_text(
    settings: Settings, tmp_path: Path, name: str
) -> None:
    sent, output, expected = GENERATIONS[name]
    path = write(tmp_path, make_observation(input=sent, output=output))
    (one,) = await read_all(settings, "langfuse", path)
    assert show(one.messages) == expected


@pytest.mark.parametrize(
    ("costs", "expected"),
    [({"input": 0.1, "output": 0.2}, "0.3"), ({"input": 0.1, "total": 0.7}, "0.7"), ({}, "0")],
)
async def test_costs_of_langfuse_without_a_total_are_summed(
    bring: Bring, tmp_path: Path, costs: Any, expected: str
) -> None:
    item = make_observation(input=[ASKED], output=ANSWERED, costDetails=costs)
    report = await bring("langfuse", write(tmp_path, item))
    assert report.money.stated_usd == Decimal(expected)


@pytest.mark.parametrize("sent", [{"messages": []}, {"tools": [{"name": "stock"}]}, None])
async def test_an_empty_request_is_reported_as_missing_content(
    settings: Settings, tmp_path: Path, sent: Any
) -> None:
    path = write(tmp_path, make_observation(input=sent, output=ANSWERED))
    (one,) = await read_all(settings, "langfuse", path)
    assert "no content: the input was not exported" in one.gaps
