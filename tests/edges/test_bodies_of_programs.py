"""Bodies as chat programs, frameworks and low-code tools send them: all of them are answered.

Written after their request types and public reports of November 2026; the users have set nothing.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.edges.conftest import ServeNotes, get_model
from tests.edges.test_openai_chat import MODEL
from tests.edges.test_wishes import FORMAT, Person
from tests.machine.scripted import text, triage
from tests.wire_fixtures import StartWire

HI: Any = {"role": "user", "content": "please do it"}
TOOL: Any = {"type": "function", "function": {"name": "get_place", "strict": True}}
THOUGHT = [
    {"type": "thinking", "thinking": "hm", "signature": "s"},
    {"type": "text", "text": "One."},
]
BODIES: dict[str, dict[str, Any]] = {
    "aider": {"temperature": 0, "stream": False, "max_tokens": None},
    "mastra": {"temperature": 0, "top_p": 1, "tool_choice": "auto", "tools": [TOOL]},
    "llama-index": {"temperature": 0.1, "seed": 1, "stop": None, "logprobs": None},
    "lm-eval": {"temperature": 0, "seed": 1234, "stop": ["\n\n", "Q:"], "max_tokens": 256},
    "deepeval": {"temperature": 0.0, "response_format": FORMAT, "n": 1},
    "smolagents": {"stop": ["Observation:", "Calling tools:"], "temperature": 0.5},
    "litellm": {"drop_params": True, "user": "u", "metadata": {"a": "b"}, "temperature": 0.2},
    "open webui": {
        "chat_id": "c",
        "session_id": "s",
        "id": "i",
        "params": {},
        "tool_ids": None,
        "features": {"web_search": False},
        "variables": {},
        "background_tasks": {},
        "model_item": {"id": MODEL},
    },
    "librechat": {
        "user": "64f",
        "temperature": 1,
        "top_p": 1,
        "presence_penalty": 0,
        "frequency_penalty": 0,
        "promptPrefix": "",
        "endpoint": "plainloop",
    },
    "sillytavern": {
        "temperature": 0.9,
        "top_k": 0,
        "min_p": 0.1,
        "repetition_penalty": 1.1,
        "top_a": 0,
        "seed": -1,
        "chat_completion_source": "custom",
        "user_name": "A",
        "logit_bias": {},
    },
    "n8n": {"temperature": 0.7, "timeout": 60000, "maxRetries": 2, "model_kwargs": None},
    "a search that is off": {"web_search": False, "enable_search": False, "plugins": []},
    "dify": {"temperature": 0.7, "top_p": 1, "presence_penalty": 0, "user": "abc-123"},
    "vllm's clients": {"chat_template_kwargs": {"enable_thinking": False}, "top_k": 20},
    "openrouter's clients": {"provider": {"order": ["a"]}, "transforms": [], "usage": {}},
    "a switch of providers": {
        "messages": [HI, {"role": "assistant", "content": THOUGHT}, {**HI, "content": "and?"}]
    },
    "reasoning kept": {
        "messages": [HI, {"role": "assistant", "content": "One.", "reasoning_content": "hm"}, HI]
    },
    "arguments as an object": {
        "messages": [
            HI,
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"id": "c9", "type": "function", "function": {"name": "f", "arguments": {}}}
                ],
            },
            {"role": "tool", "tool_call_id": "c9", "content": "x"},
            HI,
        ]
    },
}


@pytest.mark.parametrize("name", BODIES)
async def test_the_defaults_of_a_program_are_no_error_with_a_strict_model(
    name: str, serve: ServeNotes, wire_server: StartWire
) -> None:
    server = await wire_server(Person())
    told: dict[str, Any] = {"wire": "anthropic", "wire_model": "claude-sonnet-5-5"}
    served = await serve(wire_url=server.base_url, **told)
    body = {"model": MODEL, "messages": [HI], **BODIES[name]}
    answer = await (await served.client()).post("/v1/chat/completions", json=body)

    assert answer.status_code == 200, answer.text
    assert answer.json()["choices"][0]["message"]["content"]


async def test_another_providers_thoughts_are_no_part_of_a_history(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("Two."))
    body = {"model": MODEL, **BODIES["a switch of providers"]}
    await (await served.client()).post("/v1/chat/completions", json=body)
    said = [item["parts"][0] for item in get_model(served).requests[-1].messages]

    assert [part["text"] for part in said if part["type"] == "text"] == [
        "please do it",
        "One.",
        "and?",
    ]
