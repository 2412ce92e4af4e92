"""Models refuse what their vendor documents, and accept the rest; one case per rule."""

from __future__ import annotations

from typing import Any

import pytest

from packages.wire.tests.brains import TOOL, CityBrain, FixedBrain, say, think
from plainloop_wire.call import Rules

USER = {"role": "user", "content": "Weather in Oslo?"}
SONNET, GPT = "claude-sonnet-5-5", "gpt-6.1-terra"
CLAUDE_TOOLS = [{"name": "get_weather", "input_schema": TOOL}]
TOOLS = [{"type": "function", "function": {"name": "get_weather", "parameters": TOOL}}]
FLAT_TOOLS = [{"type": "function", "name": "get_weather", "parameters": TOOL}]
ANY = {"type": "any"}
NAMED = {"type": "function", "function": {"name": "get_weather"}}
HEADERS = {"authorization": "Bearer k", "x-api-key": "k", "x-goog-api-key": "k"}
ADAPTIVE, DISABLED = {"type": "adaptive"}, {"type": "disabled"}
SHOWN = {"includeThoughts": True}
BUDGET = {"type": "enabled", "budget_tokens": 1024}


async def send(http: Any, url: str, body: dict[str, Any]) -> tuple[int, Any]:
    answer = await http.post(url, json=body, headers={**HEADERS, "anthropic-version": "2023-06-01"})
    return answer.status_code, answer.json()


async def send_claude(http: Any, server: Any, model: str, **fields: Any) -> tuple[int, Any]:
    body = {"model": model, "max_tokens": 100, "messages": [USER], "tools": CLAUDE_TOOLS, **fields}
    return await send(http, f"{server.base_url}/v1/messages", body)


async def send_chat(http: Any, server: Any, model: str, **fields: Any) -> tuple[int, Any]:
    body = {"model": model, "messages": [USER], "tools": TOOLS, **fields}
    return await send(http, f"{server.openai_url}/chat/completions", body)


async def send_responses(http: Any, server: Any, model: str, **fields: Any) -> tuple[int, Any]:
    body = {"model": model, "input": [USER], "tools": FLAT_TOOLS, **fields}
    return await send(http, f"{server.openai_url}/responses", body)


async def send_gemini(http: Any, server: Any, model: str, **fields: Any) -> tuple[int, Any]:
    declared = [{"functionDeclarations": [{"name": "get_weather", "parametersJsonSchema": TOOL}]}]
    contents = [{"role": "user", "parts": [{"text": "Weather in Oslo?"}]}]
    body = {"contents": contents, "tools": declared, **fields}
    return await send(http, f"{server.base_url}/v1beta/models/{model}:generateContent", body)


@pytest.fixture
async def server(wire_server):
    return await wire_server(CityBrain())


CLAUDE_REFUSES = [
    (SONNET, {"tool_choice": ANY}, "Thinking may not be enabled"),
    (SONNET, {"tool_choice": {"type": "tool", "name": "get_weather"}}, "Thinking may not be"),
    ("claude-opus-5", {"tool_choice": ANY}, "Thinking may not be enabled"),
    (SONNET, {"temperature": 0.3}, "`temperature` is deprecated for this model"),
    ("claude-opus-4-7", {"top_p": 0.9}, "`top_p` is deprecated for this model"),
    (SONNET, {"thinking": BUDGET}, '"thinking.type.enabled" is not supported'),
    (SONNET, {"thinking": DISABLED}, '"thinking.type.disabled" is not supported'),
    ("claude-opus-5-5", {"thinking": {"type": "between_tools"}}, "is not supported for this model"),
    ("claude-sonnet-4-6", {"output_config": {"effort": "xhigh"}}, "output_config.effort"),
    ("claude-haiku-4-5", {"output_config": {"effort": "low"}}, "does not support the effort"),
    (SONNET, {"max_tokens": 128_001}, "max_tokens: 128001 > 128000"),
    ("claude-haiku-4-5", {"max_tokens": 64_001}, "max_tokens: 64001 > 64000"),
    (
        SONNET,
        {"messages": [USER, {"role": "assistant", "content": "It is"}]},
        "does not support assistant message prefill",
    ),
]
CLAUDE_TAKES = [
    (SONNET, {"tool_choice": {"type": "auto"}, "temperature": 1, "thinking": ADAPTIVE}),
    (SONNET, {"thinking": {"type": "between_tools"}, "output_config": {"effort": "max"}}),
    ("claude-haiku-5-5", {"thinking": DISABLED, "tool_choice": ANY}),
    ("claude-opus-5", {"thinking": DISABLED, "tool_choice": ANY}),
    ("claude-sonnet-4-6", {"tool_choice": ANY, "temperature": 0.3}),
    ("claude-sonnet-4-5", {"thinking": BUDGET, "max_tokens": 64_000}),
]


@pytest.mark.parametrize(("model", "fields", "message"), CLAUDE_REFUSES)
async def test_claude_models_refuse_the_fields_that_they_do_not_support(
    server, http, model, fields, message
):
    status, body = await send_claude(http, server, model, **fields)
    assert status == 400
    assert message in body["error"]["message"]


@pytest.mark.parametrize(("model", "fields"), CLAUDE_TAKES)
async def test_claude_models_accept_the_fields_that_they_support(server, http, model, fields):
    status, body = await send_claude(http, server, model, **fields)
    assert status == 200, body


CHAT_REFUSES = [
    ("deepseek-flash", {"tool_choice": "required"}, "Thinking mode does not support"),
    ("deepseek-flash", {"tool_choice": NAMED}, "Thinking mode does not support"),
    ("kimi-k3.1-pro", {"tool_choice": NAMED}, "tool_choice 'specified' is incompatible"),
    ("kimi-k3.1-pro", {"tool_choice": "required"}, "tool_choice 'required' is incompatible"),
    ("kimi-k3.1-pro", {"temperature": 0.3}, "only 1 is allowed for this model"),
    ("kimi-k3.1-pro", {"reasoning_effort": "medium"}, "Supported values are: 'low', 'high'"),
    ("kimi-k3.1-pro", {"thinking": DISABLED}, "Supported values are: 'enabled'"),
    ("glm-5.3", {"tool_choice": "required"}, "Supported values are: 'auto'"),
    ("glm-5.3", {"reasoning_effort": "minimal"}, "Supported values are: 'low', 'high', 'max'"),
    ("glm-5.3", {"thinking": DISABLED}, "Supported values are: 'enabled'"),
    ("MiniMax-M3", {"thinking": {"type": "enabled"}}, "Supported values are: 'disabled'"),
    (GPT, {"top_p": 0.5}, "'top_p' is not supported with this model"),
    ("gpt-6.2-sol", {"reasoning_effort": "none"}, "'none' is not supported with this model"),
    ("gpt-4o", {"reasoning_effort": "low"}, "'reasoning_effort' is not supported"),
    ("gpt-4o", {"max_tokens": 16_385}, "at most 16384 completion tokens"),
    (GPT, {"max_completion_tokens": 128_001}, "at most 128000 completion tokens"),
    ("deepseek-flash", {"max_tokens": 384_001}, "at most 384000 completion tokens"),
    ("kimi-k3.1-pro", {"max_tokens": 1_048_577}, "at most 1048576 completion tokens"),
    ("glm-5.3", {"max_tokens": 131_073}, "at most 131072 completion tokens"),
]
CHAT_TAKES = [
    ("deepseek-flash", {"tool_choice": "required", "thinking": DISABLED}),
    ("kimi-k3.1-pro", {"tool_choice": "none", "reasoning_effort": "max", "temperature": 1}),
    ("glm-5.3-flash", {"tool_choice": "auto", "thinking": DISABLED}),
    ("MiniMax-M3", {"thinking": ADAPTIVE}),
    (GPT, {"reasoning_effort": "none", "max_completion_tokens": 128_000}),
    ("gpt-6.2-astra", {"reasoning_effort": "xhigh"}),
    ("llama-of-somebody", {"reasoning_effort": "whatever", "top_p": 0.5}),
]


@pytest.mark.parametrize(("model", "fields", "message"), CHAT_REFUSES)
async def test_chat_models_refuse_the_fields_that_they_do_not_support(
    server, http, model, fields, message
):
    status, body = await send_chat(http, server, model, **fields)
    assert status == 400
    assert message in body["error"]["message"]


@pytest.mark.parametrize(("model", "fields"), CHAT_TAKES)
async def test_chat_models_accept_the_fields_that_they_support(server, http, model, fields):
    status, body = await send_chat(http, server, model, **fields)
    assert status == 200, body


@pytest.mark.parametrize("effort", ["none", "minimal"])
@pytest.mark.parametrize("model", ["gpt-6.2-astra", "gpt-6.2-sol"])
async def test_responses_models_refuse_efforts_that_they_do_not_support(
    server, http, model, effort
):
    status, body = await send_responses(http, server, model, reasoning={"effort": effort})
    assert (status, body["error"]["param"]) == (400, "reasoning.effort")


async def test_thinking_is_shown_on_request_only(wire_server, http):
    server = await wire_server(FixedBrain(think("Hm.", "Yes.")))
    shown: list[Any] = []
    for asked in ({}, {"summary": "auto"}):
        _, answer = await send_responses(http, server, GPT, tools=[], reasoning=asked)
        shown.append([piece["text"] for piece in answer["output"][0]["summary"]])
    for config in ({}, {"thinkingConfig": SHOWN}):
        body = {"generationConfig": config, "tools": []}
        _, answer = await send_gemini(http, server, "gemini-3.8-flash", **body)
        parts = answer["candidates"][0]["content"]["parts"]
        shown.append([part["text"] for part in parts if part.get("thought")])
    assert shown == [[], ["Hm."], [], ["Hm."]]


@pytest.mark.parametrize(
    ("summary", "rules", "message"),
    [
        ("long", Rules(), "Supported values are: 'auto', 'concise'"),
        ("auto", Rules(hides_thinking=True), "must be verified to generate reasoning summaries"),
    ],
)
async def test_responses_refuses_reasoning_summaries_where_unsupported(
    wire_server, http, summary, rules, message
):
    server = await wire_server(CityBrain(), rules=rules)
    status, body = await send_responses(http, server, GPT, reasoning={"summary": summary})
    assert (status, body["error"]["param"]) == (400, "reasoning.summary")
    assert message in body["error"]["message"]


GEMINI_REFUSES = [
    ("gemini-2.5-flash", {"thinkingConfig": {"thinkingLevel": "LOW"}}, "is not supported"),
    (
        "gemini-3.8-flash",
        {"thinkingConfig": {"thinkingLevel": "LOW", "thinkingBudget": 100}},
        "only set one of thinking budget and thinking level",
    ),
    ("gemini-3.1-pro", {"thinkingConfig": {"thinkingLevel": "MINIMAL"}}, "is not supported"),
    ("gemini-2.0-flash", {"thinkingConfig": SHOWN}, "Thinking is not enabled for models/"),
    ("gemini-2.5-flash-lite", {"thinkingConfig": SHOWN}, "only enabled when thinking is"),
    (
        "gemini-2.5-flash",
        {"thinkingConfig": {**SHOWN, "thinkingBudget": 0}},
        "only enabled when thinking is",
    ),
    ("gemini-3.8-flash", {"maxOutputTokens": 65_537}, "from 1 (inclusive) to 65537"),
]


@pytest.mark.parametrize(("model", "config", "message"), GEMINI_REFUSES)
async def test_gemini_models_refuse_settings_that_they_do_not_support(
    server, http, model, config, message
):
    status, body = await send_gemini(http, server, model, generationConfig=config)
    assert status == 400
    assert message in body["error"]["message"]


HI = {"role": "user", "content": "Hi"}


async def test_a_required_call_is_made_on_every_wire(wire_server, http):
    arguments = '{"city":"Oslo"}'
    server = await wire_server(FixedBrain(say(arguments)))
    claude = await send_claude(http, server, "claude-sonnet-4-6", messages=[HI], tool_choice=ANY)
    chat = await send_chat(http, server, GPT, messages=[HI], tool_choice="required")
    responses = await send_responses(http, server, GPT, input=[HI], tool_choice="required")
    mode = {"functionCallingConfig": {"mode": "ANY"}}
    gemini = await send_gemini(http, server, "gemini-3.8-flash", toolConfig=mode)
    assert claude[1]["content"][-1]["input"] == {"city": "Oslo"}
    [call] = chat[1]["choices"][0]["message"]["tool_calls"]
    assert call["function"] == {"name": "get_weather", "arguments": arguments}
    assert responses[1]["output"][-1]["arguments"] == arguments
    [part] = gemini[1]["candidates"][0]["content"]["parts"]
    assert part["functionCall"] == {"name": "get_weather", "args": {"city": "Oslo"}}


async def test_a_forced_function_is_the_only_one_called_on_every_wire(wire_server, http):
    server = await wire_server(FixedBrain(say('{"city":"Oslo"}')))
    other = {"name": "other", "parametersJsonSchema": TOOL}
    tools = [{"functionDeclarations": [{"name": "a", "parametersJsonSchema": TOOL}, other]}]
    calling = {"mode": "ANY", "allowedFunctionNames": ["other"]}
    body = {"tools": tools, "toolConfig": {"functionCallingConfig": calling}}
    _, answer = await send_gemini(http, server, "gemini-3.8-flash", **body)
    [part] = answer["candidates"][0]["content"]["parts"]
    assert part["functionCall"]["name"] == "other"


async def test_encrypted_reasoning_of_another_account_is_refused(wire_server, http):
    server = await wire_server(FixedBrain(think("Hm.", "Yes.")))
    wanted = {"include": ["reasoning.encrypted_content"], "store": False}
    _, answer = await send_responses(http, server, GPT, tools=[], **wanted)
    history = [HI, *answer["output"], HI]
    for item in history:
        item.pop("status", None)
    url = f"{server.openai_url}/responses"
    body = {"model": GPT, "input": history, **wanted}
    accepted = await http.post(url, json=body, headers={"authorization": "Bearer k"})
    refused = await http.post(url, json=body, headers={"authorization": "Bearer other"})
    assert accepted.status_code == 200, accepted.json()
    assert refused.json()["error"]["code"] == "invalid_encrypted_content"


async def test_a_thought_signature_of_another_account_is_refused(server, http):
    _, answer = await send_gemini(http, server, "gemini-3.8-flash")
    said = answer["candidates"][0]["content"]
    result = {"functionResponse": {"name": "get_weather", "response": {"degrees": 3}}}
    asked = {"role": "user", "parts": [{"text": "Weather in Oslo?"}]}
    body = {"contents": [asked, said, {"role": "user", "parts": [result]}]}
    url = f"{server.base_url}/v1beta/models/gemini-3.8-flash:generateContent"
    accepted = await http.post(url, json=body, headers={"x-goog-api-key": "k"})
    refused = await http.post(url, json=body, headers={"x-goog-api-key": "other"})
    assert accepted.status_code == 200, accepted.json()
    assert refused.json()["error"]["message"] == "Corrupted thought signature."


async def test_a_prompt_beyond_the_models_own_window_is_refused(server, http):
    long = {"role": "user", "content": "word " * 210_000}
    claude = await send_claude(http, server, "claude-haiku-4-5", messages=[long])
    chat = await send_chat(http, server, "gpt-4o", messages=[long])
    large = await send_claude(http, server, SONNET, messages=[long])
    vast = {"role": "user", "content": "word " * 1_060_000}
    models = ("deepseek-flash", "kimi-k3.1-pro", "glm-5.3", "MiniMax-M3")
    others = [await send_chat(http, server, model, messages=[vast]) for model in models]
    assert [answer[0] for answer in others] == [400] * 4
    assert [answer[0] for answer in (claude, chat, large)] == [400, 400, 200]
    assert "maximum" in claude[1]["error"]["message"]
    assert chat[1]["error"]["code"] == "context_length_exceeded"
