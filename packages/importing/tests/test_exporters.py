"""Spans and rows as today's libraries write them, shortened.

Made on 30 November 2026 with pydantic-ai-slim 0.4.2, 1.0.10 and 2.68.0, logfire 5.4.0 (with openai
3.57.0 and anthropic 2.14.0), langsmith (`LANGSMITH_TRACING_MODE=otel`) with langchain-core 1.8.3.
After the sources that the modules name: Langfuse's rows, LangSmith's runs, OpenAI's stored
completions; after packages/otel/src/open-telemetry.ts of vercel/ai: version 7 of its SDK. Public
reports: pydantic/pydantic-ai #5179, Arize-ai/openinference #3288, confident-ai/deepeval #3145,
langchain-ai/langsmith-sdk #3431 and #3570, pydantic/logfire #1651.
"""

from __future__ import annotations

import csv
import io
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings

from .conftest import read_all, show
from .test_dialects import MODEL, make_span, read

CALLED = [("user", "Which keys?", []), ("assistant", "Let me look.", [("stock", {"item": "key"})])]
WHOLE = [*CALLED, ("tool", "12 left"), ("assistant", "Twelve.", [])]
SYSTEM = "You keep a kiosk."
PICTURE = "iVBORw0KGgowMDAw"
TOOL = {"name": "stock", "parameters_json_schema": {"type": "object"}, "kind": "function"}
PARAMETERS = json.dumps({"function_tools": [TOOL], "output_tools": [], "output_mode": "text"})
CHAT = {"gen_ai.operation.name": "chat", "gen_ai.request.model": MODEL}


def make_agent_run(first: dict[str, Any], last: dict[str, Any], run: dict[str, Any]) -> list[Any]:
    counts = {"gen_ai.usage.input_tokens": 30, "gen_ai.usage.output_tokens": 5}
    about = {**CHAT, "gen_ai.system": "openai", "model_request_parameters": PARAMETERS, **counts}
    tool = {"gen_ai.tool.name": "stock", "gen_ai.tool.call.id": "c1", "tool_response": "12 left"}
    return [
        make_span(2, about | first, parent=1, name=f"chat {MODEL}"),
        make_span(3, tool, parent=1, name="running tool"),
        make_span(4, about | last, parent=1, name=f"chat {MODEL}"),
        make_span(1, counts | run, name="agent run"),
    ]


def make_event(name: str, body: dict[str, Any]) -> dict[str, Any]:
    return {**body, "event.name": f"gen_ai.{name}"}


LOOKED = {
    "role": "assistant",
    "content": [{"kind": "thinking", "text": "Hm."}, {"kind": "text", "text": "Let me look."}],
    "tool_calls": [
        {"id": "c1", "type": "function",
         "function": {"name": "stock", "arguments": {"item": "key"}}}
    ],
}  # fmt: skip
SHOWN = {"kind": "binary", "media_type": "image/png", "binary_content": PICTURE}
EVENTS = [
    make_event("system.message", {"content": SYSTEM, "role": "system"}),
    make_event("user.message", {"content": ["Which keys?", SHOWN], "role": "user"}),
]
RESULT = {"content": "12 left", "role": "tool", "id": "c1", "name": "stock"}
LATER = [*EVENTS, make_event("assistant.message", LOOKED), make_event("tool.message", RESULT)]
SAYS = {"index": 0, "message": {"role": "assistant", "content": "Twelve."}}
SENT = [
    {
        "role": "user",
        "parts": [
            {"type": "text", "content": "Which keys?"},
            {"type": "binary", "media_type": "image/png", "content": PICTURE},
        ],
    }
]
ANSWER = [
    {
        "role": "assistant",
        "parts": [
            {"type": "thinking", "content": "Hm."},
            {"type": "text", "content": "Let me look."},
            {"type": "tool_call", "id": "c1", "name": "stock", "arguments": {"item": "key"}},
        ],
    }
]
RETURNED = {"type": "tool_call_response", "id": "c1", "name": "stock", "result": "12 left"}
TWELVE = [{"role": "assistant", "parts": [{"type": "text", "content": "Twelve."}]}]
INSTRUCTIONS = {"gen_ai.system_instructions": json.dumps([{"type": "text", "content": SYSTEM}])}
AGENTS: dict[str, list[Any]] = {
    "format 1": make_agent_run(
        {"events": json.dumps([*EVENTS, make_event("choice", {"index": 0, "message": LOOKED})])},
        {"events": json.dumps([*LATER, make_event("choice", SAYS)])},
        {"all_messages_events": json.dumps(LATER)},
    ),
    "format 2": make_agent_run(
        {
            "gen_ai.input.messages": json.dumps(SENT),
            "gen_ai.output.messages": json.dumps(ANSWER),
            **INSTRUCTIONS,
        },
        {
            "gen_ai.input.messages": json.dumps(
                [*SENT, *ANSWER, {"role": "user", "parts": [RETURNED]}]
            ),
            "gen_ai.output.messages": json.dumps(TWELVE),
            **INSTRUCTIONS,
        },
        {"pydantic_ai.all_messages": json.dumps([*SENT, *ANSWER])},
    ),
}


@pytest.mark.parametrize("name", AGENTS)
async def test_an_agent_run_of_pydantic_ai_is_imported_once(
    name: str, settings: Settings, tmp_path: Path
) -> None:
    found = await read(settings, tmp_path, *AGENTS[name])
    assert (show(found.messages), found.system, found.gaps) == (WHOLE, SYSTEM, [])
    kinds = [part["type"] for part in found.messages[0]["parts"]]
    assert kinds == ["text", "file"]  # the picture is one, and no text
    tool = {"name": "stock", "parameters": {"type": "object"}}
    assert [placed.call.tools for placed in found.calls] == [[tool], [tool]]


@pytest.mark.parametrize("name", AGENTS)
async def test_the_last_tool_result_of_a_pydantic_ai_run_is_imported(
    name: str, settings: Settings, tmp_path: Path
) -> None:
    found = await read(settings, tmp_path, *AGENTS[name][:2])
    assert show(found.messages) == WHOLE[:3]


LANGSMITH = {"gen_ai.system": "anthropic", "langsmith.metadata.thread_id": "kiosk-1"}


def make_constructor(kind: str, **fields: Any) -> dict[str, Any]:
    name = ["langchain", "schema", "messages", kind]
    return {"lc": 1, "type": "constructor", "id": name, "kwargs": fields}


async def test_a_langchain_call_of_langsmiths_exporter_keeps_its_cached_tokens(
    settings: Settings, tmp_path: Path
) -> None:
    usage = {"input_tokens": 5100, "output_tokens": 9, "total_tokens": 5109}
    about = {"id": "msg_1", "model_name": "claude-x-2026", "stop_reason": "end_turn"}
    answer = make_constructor(
        "AIMessage", content="Blue.", type="ai", response_metadata=about,
        usage_metadata={**usage, "input_token_details": {"cache_read": 5000}},
    )  # fmt: skip
    sent = make_constructor("HumanMessage", content="Which keys?", type="human")
    call = {
        **LANGSMITH, "langsmith.span.kind": "llm", **CHAT,
        "gen_ai.usage.input_tokens": 5100, "gen_ai.usage.output_tokens": 9,
        "gen_ai.prompt": json.dumps({"messages": [[sent]]}),
        "gen_ai.completion": json.dumps(
            {"generations": [[{"text": "Blue.", "message": answer}]], "type": "LLMResult"}
        ),
    }  # fmt: skip
    prompt = {
        **LANGSMITH, "langsmith.span.kind": "prompt", "gen_ai.operation.name": "chat",
        "gen_ai.prompt": '{"q": "Which keys?"}', "gen_ai.completion": '{"output": {}}',
    }  # fmt: skip
    chain = {
        **LANGSMITH, "langsmith.span.kind": "chain", "gen_ai.operation.name": "chain",
        "gen_ai.usage.input_tokens": 5100,
    }  # fmt: skip

    found = await read(
        settings, tmp_path,
        make_span(2, prompt, parent=1), make_span(3, call, parent=1), make_span(1, chain),
    )  # fmt: skip

    (placed,) = found.calls  # neither the prompt's template nor the chain is a call
    buckets = {name: count for name, count in placed.call.usage.buckets.items() if count}
    assert buckets == {"input_tokens": 100, "cache_read_tokens": 5000, "output_tokens": 9}
    assert (placed.call.response_id, placed.call.model_answered) == ("msg_1", "claude-x-2026")
    assert placed.call.finish == "end_turn"
    assert (found.name, found.notes) == ("kiosk-1", [])


async def test_a_tool_result_of_langsmiths_exporter_is_imported(
    settings: Settings, tmp_path: Path
) -> None:
    calls = [{"name": "stock", "args": {"item": "key"}, "id": "c1", "type": "tool_call"}]
    answer = make_constructor("AIMessage", content="Let me look.", type="ai", tool_calls=calls)
    sent = make_constructor("HumanMessage", content="Which keys?", type="human")
    call = {
        **LANGSMITH, "langsmith.span.kind": "llm", **CHAT,
        "gen_ai.prompt": json.dumps({"messages": [[sent]]}),
        "gen_ai.completion": json.dumps({"generations": [[{"text": "", "message": answer}]]}),
    }  # fmt: skip
    output = {"content": "12 left", "type": "tool", "tool_call_id": "c1", "status": "success"}
    tool = {
        **LANGSMITH, "langsmith.span.kind": "tool", "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "stock", "gen_ai.tool.call.id": "c1",
        "gen_ai.completion": json.dumps({"output": output}),
    }  # fmt: skip

    found = await read(settings, tmp_path, make_span(1, call), make_span(2, tool))

    assert show(found.messages) == WHOLE[:3]


LOGFIRE = {**CHAT, "gen_ai.system": "openai"}
RAW = {"prompt_tokens": 30, "completion_tokens": 5, "total_tokens": 35,
       "prompt_tokens_details": {"cached_tokens": 20},
       "completion_tokens_details": {"reasoning_tokens": 2}}  # fmt: skip


async def test_a_streamed_call_of_logfire_is_one_call(settings: Settings, tmp_path: Path) -> None:
    asked = [{"role": "user", "content": "Which keys?"}]
    request = {"request_data": json.dumps({"model": MODEL, "stream": True, "messages": asked})}
    pending = {**LOGFIRE, **request, "logfire.span_type": "pending_span"}
    began = {**LOGFIRE, **request, "logfire.span_type": "span"}
    ended = {
        **LOGFIRE, **request, "logfire.span_type": "log",
        "response_data": json.dumps({"message": {"role": "assistant", "content": "Blue."}}),
        "gen_ai.response.finish_reasons": '["stop"]', "gen_ai.usage.input_tokens": 30,
        "gen_ai.usage.output_tokens": 5, "gen_ai.usage.raw": json.dumps(RAW),
    }  # fmt: skip
    found = await read(
        settings, tmp_path,
        make_span(1, pending), make_span(2, began), make_span(3, ended, name="streaming response"),
    )  # fmt: skip

    (placed,) = found.calls
    buckets = {name: count for name, count in placed.call.usage.buckets.items() if count}
    assert buckets == {
        "input_tokens": 10, "cache_read_tokens": 20, "output_tokens": 3, "reasoning_tokens": 2,
    }  # fmt: skip
    assert placed.call.finish == "stop"
    assert show(found.messages) == [("user", "Which keys?", []), ("assistant", "Blue.", [])]


async def test_a_streamed_call_of_logfire_without_its_log_is_kept(
    settings: Settings, tmp_path: Path
) -> None:
    asked = [{"role": "user", "content": "Which keys?"}]
    request = {"request_data": json.dumps({"model": MODEL, "stream": True, "messages": asked})}
    found = await read(settings, tmp_path, make_span(1, {**LOGFIRE, **request}))
    assert show(found.messages) == [("user", "Which keys?", [])]


USED = [{"id": "c1", "type": "function",
         "function": {"name": "stock", "arguments": '{"item": "key"}'}}]  # fmt: skip
PIECES = [
    make_event("assistant.message", {"content": "Let me look.", "role": "assistant"}),
    make_event("assistant.message", {"role": "assistant", "tool_calls": USED}),
]
BEGINNING = [
    make_event("system.message", {"content": SYSTEM, "role": "system"}),
    make_event("user.message", {"content": "Which keys?", "role": "user"}),
]
ENDING = make_event("assistant.message", {"content": "Twelve.", "role": "assistant"})
SPLIT = [
    {"role": "assistant", "parts": [{"type": "text", "content": "Let me look."}]},
    {"role": "assistant", "parts": [ANSWER[0]["parts"][2]]},  # type: ignore[index]
]
GIVEN = {"role": "tool", "parts": [{**RETURNED, "response": "12 left"}]}
RESPONSES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "version 1": (
        {"events": json.dumps([*BEGINNING, *PIECES])},
        {"events": json.dumps([*BEGINNING, *PIECES, make_event("tool.message", RESULT), ENDING])},
    ),
    "latest": (
        {
            "gen_ai.input.messages": json.dumps([{**SENT[0], "parts": SENT[0]["parts"][:1]}]),
            "gen_ai.output.messages": json.dumps(SPLIT),
            **INSTRUCTIONS,
        },
        {
            "gen_ai.input.messages": json.dumps(
                [{**SENT[0], "parts": SENT[0]["parts"][:1]}, *SPLIT, GIVEN]
            ),
            "gen_ai.output.messages": json.dumps(TWELVE),
            **INSTRUCTIONS,
        },
    ),
}


@pytest.mark.parametrize("name", RESPONSES)
async def test_logfires_pieces_of_a_responses_answer_are_one_answer(
    name: str, settings: Settings, tmp_path: Path
) -> None:
    request = {**LOGFIRE, "request_data": json.dumps({"model": MODEL, "stream": False})}
    first, last = RESPONSES[name]
    found = await read(
        settings, tmp_path, make_span(1, request | first), make_span(2, request | last)
    )
    assert (show(found.messages), found.system, found.notes) == (WHOLE, SYSTEM, [])
    assert [placed.answered_at for placed in found.calls] == [1, 3]


async def test_arguments_of_a_claude_call_in_logfire_are_not_nested(
    settings: Settings, tmp_path: Path
) -> None:
    asked = {"model": MODEL, "system": SYSTEM, "messages": [{"role": "user", "content": "Hello"}]}
    function = {"arguments": '{"input": {"item": "key"}}', "name": "stock"}
    message = {"role": "assistant", "tool_calls": [{"id": "c1", "function": function}]}
    span = {
        **CHAT, "gen_ai.system": "anthropic", "request_data": json.dumps(asked),
        "response_data": json.dumps({"message": message}), "operation.cost": "0.25",
    }  # fmt: skip
    found = await read(settings, tmp_path, make_span(1, span))
    assert show(found.messages)[1] == ("assistant", "", [("stock", {"item": "key"})])
    assert found.calls[0].call.cost_usd == Decimal("0.25")


async def test_gemini_calls_of_logfire_keep_their_words(settings: Settings, tmp_path: Path) -> None:
    events = [
        {"content": "Which keys?", "role": "user"},
        {
            "index": 0,
            "finish_reason": "STOP",
            "message": {"role": "assistant", "content": ["Blue."]},
        },
    ]
    found = await read(settings, tmp_path, make_span(1, CHAT | {"events": json.dumps(events)}))
    assert show(found.messages) == [("user", "Which keys?", []), ("assistant", "Blue.", [])]


async def test_usage_of_an_ai_sdk_7_agent_is_the_sum_of_its_calls(
    settings: Settings, tmp_path: Path
) -> None:
    counts = {"gen_ai.usage.input_tokens": 30, "gen_ai.usage.output_tokens": 5}
    file = {"type": "file", "mediaType": "image/png", "data": {"type": "data", "data": PICTURE}}
    asked = [{"role": "user", "content": [{"type": "text", "text": "Which keys?"}, file]}]
    call = {
        **CHAT, **counts, "gen_ai.input.messages": json.dumps(asked),
        "gen_ai.output.messages": json.dumps(ANSWER),
    }  # fmt: skip
    tool = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.id": "c1",
            "gen_ai.tool.name": "stock", "gen_ai.tool.call.result": '"12 left"'}  # fmt: skip
    agent = {"gen_ai.operation.name": "invoke_agent", **counts}
    spans = [make_span(2, call, parent=1), make_span(3, tool, parent=1), make_span(1, agent)]

    found = await read(settings, tmp_path, *spans)  # and no report of usage that is left out

    assert show(found.messages) == WHOLE[:3]
    assert [part["type"] for part in found.messages[0]["parts"]] == ["text", "file"]


async def test_usage_of_an_agent_without_calls_is_reported(
    settings: Settings, tmp_path: Path
) -> None:
    agent = {"gen_ai.operation.name": "invoke_agent", "gen_ai.usage.input_tokens": 30}
    error = await read(settings, tmp_path, make_span(1, agent))
    assert error.message == "usage of a span of type 'invoke_agent': left out"


RUN = {
    "trace_id": "t1", "name": "ChatOpenAI", "run_type": "llm", "parent_run_id": "r0",
    "start_time": "2026-08-20T12:00:00.5Z", "end_time": "2026-08-20T12:00:01Z",
    "inputs": {"messages": [{"role": "user", "content": "Which keys?"}], "model": "gpt-5"},
    "outputs": {"choices": [{"message": {"role": "assistant", "content": "Blue."}}]},
}  # fmt: skip
THREAD = {"thread_id": "kiosk-1"}
RUNS: dict[str, Any] = {
    "the command line": {
        **RUN, "run_id": "r1", "status": "success", "duration_ms": 500, "error": None,
        "custom_metadata": THREAD, "costs": {"total_cost": 0.5}, "tags": None,
        "token_usage": {"prompt_tokens": 30, "completion_tokens": 5, "total_tokens": 35},
    },
    "a run with its children": {
        "id": "r0", "trace_id": "t1", "run_type": "chain", "name": "turn", "total_tokens": 35,
        "child_runs": [
            {
                **RUN, "id": "r1", "extra": {"metadata": THREAD}, "total_cost": "0.5",
                "prompt_tokens": 30, "completion_tokens": 5, "total_tokens": 35,
            }
        ],
    },
}  # fmt: skip


@pytest.mark.parametrize("name", RUNS)
async def test_runs_of_langsmiths_exports_are_imported(
    name: str, settings: Settings, tmp_path: Path
) -> None:
    path = tmp_path / "runs.jsonl"
    other = {**RUN, "run_id": "r2", "name": "stock", "run_type": "tool", "inputs": {}}
    lines = [RUNS[name], *([other] if "run_id" in RUNS[name] else [])]
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")

    (found,) = await read_all(settings, "langsmith", str(path))

    call = found.calls[0].call
    assert (found.name, call.model, call.cost_usd) == ("kiosk-1", "gpt-5", Decimal("0.5"))
    assert (call.usage.input_total, call.usage.output_tokens) == (30, 5)
    assert show(found.messages) == [("user", "Which keys?", []), ("assistant", "Blue.", [])]


async def test_messages_of_stored_completions_are_found_by_their_ids(
    settings: Settings, tmp_path: Path
) -> None:
    completion = {
        "object": "chat.completion", "id": "chatcmpl-AyPN", "model": "gpt-5", "created": 1738960610,
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "Blue."}}],
        "usage": {"prompt_tokens": 30, "completion_tokens": 5, "total_tokens": 35},
        "metadata": {"thread_id": "kiosk-1"},
    }  # fmt: skip
    message = {"id": "chatcmpl-AyPN-0", "role": "user", "content": None, "name": None,
               "content_parts": [{"type": "text", "text": "Which keys?"}]}  # fmt: skip
    pages = [{"object": "list", "data": [one], "has_more": False} for one in (completion, message)]
    path = tmp_path / "completions.jsonl"
    path.write_text("\n".join(map(json.dumps, pages)), "utf-8")

    (found,) = await read_all(settings, "openai", str(path))

    assert (found.name, found.gaps) == ("kiosk-1", [])
    assert show(found.messages) == [("user", "Which keys?", []), ("assistant", "Blue.", [])]


GENERATION = {
    "id": "o1", "trace_id": "t1", "type": "GENERATION", "name": "chat",
    "start_time": "2026-08-20 12:00:00.000000", "end_time": "2026-08-20 12:00:01.000000",
    "provided_model_name": "gpt-5", "level": "DEFAULT", "parent_observation_id": None,
    "usage_details": {"input": "30", "output": "5", "total": "35"},
    "cost_details": {"total": 0.5}, "total_cost": 0.5,
    "input": '[{"role": "user", "content": "Which keys?"}]',
    "output": '{"role": "assistant", "content": "Blue."}',
}  # fmt: skip
OF_EVENTS = {
    "id": "o1", "traceId": "t1", "traceName": "turn", "type": "GENERATION", "name": "chat",
    "startTime": "2026-08-20 12:00:00.000000", "endTime": "2026-08-20 12:00:01.000000",
    "sessionId": "kiosk-1", "providedModelName": "gpt-5", "level": "DEFAULT",
    "usageDetails": {"input": 30, "output": 5, "total": 35}, "costDetails": {"total": 0.5},
    "input": GENERATION["input"], "output": GENERATION["output"],
}  # fmt: skip
TRACE = {"id": "t1", "timestamp": "2026-08-20 12:00:00.000", "name": "turn", "user_id": None,
         "session_id": "kiosk-1", "input": "{}", "output": "{}"}  # fmt: skip


def to_csv(row: dict[str, Any]) -> str:
    told = io.StringIO()
    writer = csv.DictWriter(told, row, quoting=csv.QUOTE_ALL)
    writer.writeheader()
    nested = {key: json.dumps(value) for key, value in row.items() if isinstance(value, dict)}
    writer.writerow(row | nested)
    return told.getvalue()


EXPORTS: dict[str, dict[str, str]] = {
    "blob storage, observations and traces": {
        "observations.jsonl": json.dumps(GENERATION), "traces.jsonl": json.dumps(TRACE),
    },
    "blob storage, enriched observations": {
        "observations_v2.json": json.dumps([GENERATION | {"session_id": "kiosk-1"}])
    },
    "the table of events, CSV": {"events.csv": to_csv(OF_EVENTS)},
    "the second API": {"page.json": json.dumps({"data": [OF_EVENTS], "meta": {"cursor": None}})},
    "a trace's page": {"trace.json": json.dumps({"observations": [OF_EVENTS], "scores": []})},
}  # fmt: skip


@pytest.mark.parametrize("name", EXPORTS)
async def test_exports_of_langfuse_keep_model_time_and_session(
    name: str, settings: Settings, tmp_path: Path
) -> None:
    for file, text in EXPORTS[name].items():
        (tmp_path / file).write_text(text, "utf-8")
    files = [str(tmp_path / file) for file in EXPORTS[name]]

    (found,) = await read_all(settings, "langfuse", *files)

    call = found.calls[0].call
    assert (found.name, call.model, call.cost_usd) == ("kiosk-1", "gpt-5", Decimal("0.5"))
    assert call.started_at.isoformat() == "2026-08-20T12:00:00+00:00"
    assert (call.usage.input_total, call.usage.output_tokens) == (30, 5)
    assert show(found.messages) == [("user", "Which keys?", []), ("assistant", "Blue.", [])]
