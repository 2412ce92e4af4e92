"""What providers say when they fail, and what we make of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plainloop.agent.errors import (
    ContentFiltered,
    ContextTooLong,
    ModelAuthError,
    ModelConnectionError,
    ModelError,
    ModelNotFoundError,
    ModelOverloaded,
    ModelQuotaError,
    ModelRequestError,
    RateLimited,
    ToolsUnsupported,
)
from tests.providers.asking import ask
from tests.providers.conversations import connect
from tests.providers.local_server import Reply, run_local

JSON = {"content-type": "application/json"}
HTML = {"content-type": "text/html"}
PROTOCOLS = ["anthropic", "openai", "responses", "gemini", "ollama"]
PAGE = b"<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"


def error(message: str = "m", **fields: Any) -> dict[str, Any]:
    return {"error": {"message": message, **fields}}


GOOGLE_PER_DAY = error(
    "You exceeded your current quota",
    status="RESOURCE_EXHAUSTED",
    code=429,
    details=[{"violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]}],
)
# Google says 400 for a key that it does not know.
GOOGLE_WRONG_KEY = error(
    "API key not valid. Please pass a valid API key.",
    status="INVALID_ARGUMENT",
    code=400,
    details=[{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}],
)
CASES: list[tuple[str, int, Any, type[ModelError]]] = [
    ("anthropic", 401, error(type="authentication_error"), ModelAuthError),
    ("anthropic", 403, error(type="permission_error"), ModelAuthError),
    ("anthropic", 404, error(type="not_found_error"), ModelNotFoundError),
    ("anthropic", 413, error(type="request_too_large"), ContextTooLong),
    ("anthropic", 429, error(type="rate_limit_error"), RateLimited),
    (
        "anthropic",
        429,
        error(type="rate_limit_error", details={"error_code": "org_spend_limit_reached"}),
        ModelQuotaError,
    ),
    ("anthropic", 400, error("Your credit balance is too low"), ModelQuotaError),
    ("anthropic", 400, error("prompt is too long: 210000 tokens > 200000"), ContextTooLong),
    ("anthropic", 400, error(type="invalid_request_error"), ModelRequestError),
    ("anthropic", 500, error(type="api_error"), ModelOverloaded),
    ("anthropic", 529, error(type="overloaded_error"), ModelOverloaded),
    ("openai", 401, error(code="invalid_api_key"), ModelAuthError),
    ("openai", 404, error(code="model_not_found"), ModelNotFoundError),
    ("openai", 400, error(code="model_not_found"), ModelNotFoundError),
    ("openai", 429, error(code="insufficient_quota"), ModelQuotaError),
    ("openai", 429, error(code="rate_limit_exceeded"), RateLimited),
    ("openai", 400, error(code="context_length_exceeded"), ContextTooLong),
    ("openai", 400, error("Your input exceeds the context window of this model"), ContextTooLong),
    ("openai", 400, error(code="content_policy_violation"), ContentFiltered),
    ("openai", 422, error(), ModelRequestError),
    ("openai", 503, error(), ModelOverloaded),
    ("deepseek", 402, error("Insufficient Balance"), ModelQuotaError),
    ("deepseek", 400, error("Content Exists Risk"), ContentFiltered),
    (
        "kimi",
        400,
        error("The request was rejected because it was considered high risk"),
        ContentFiltered,
    ),
    ("compatible", 400, error(code="data_inspection_failed"), ContentFiltered),
    (
        "openai",
        400,
        error("Your prompt was flagged as potentially violating our usage policy", code="x"),
        ContentFiltered,
    ),
    ("kimi", 429, error(type="engine_overloaded_error"), ModelOverloaded),
    ("kimi", 429, error(type="exceeded_current_quota_error"), ModelQuotaError),
    ("kimi", 429, error(type="rate_limit_reached_error"), RateLimited),
    ("kimi", 400, error("Your request exceeded model token limit: 8192"), ContextTooLong),
    ("glm", 429, error(code="1302"), RateLimited),
    ("glm", 429, error(code="1113"), ModelQuotaError),
    ("glm", 429, error(code="1308"), ModelQuotaError),
    ("glm", 400, error(code="1261"), ContextTooLong),
    ("glm", 400, error(code="1301"), ContentFiltered),
    ("minimax", 200, {"base_resp": {"status_code": 1008, "status_msg": "m"}}, ModelQuotaError),
    ("minimax", 200, {"base_resp": {"status_code": 1002, "status_msg": "m"}}, RateLimited),
    ("minimax", 200, {"base_resp": {"status_code": 1026, "status_msg": "m"}}, ContentFiltered),
    ("minimax", 400, error("context window exceeds limit (2013)"), ContextTooLong),
    ("compatible", 200, error(code=429), RateLimited),
    ("compatible", 200, error(code=502), ModelOverloaded),
    ("compatible", 500, {"error": "m"}, ModelOverloaded),
    ("compatible", 400, {"message": "m"}, ModelRequestError),
    ("compatible", 422, {"detail": [{"loc": ["messages"], "msg": "m"}]}, ModelRequestError),
    ("compatible", 400, {"code": "c", "error": "Incorrect API key provided"}, ModelAuthError),
    ("compatible", 429, {"error": "m", "error_type": "x"}, RateLimited),
    ("responses", 401, error(code="invalid_api_key"), ModelAuthError),
    ("responses", 429, error(code="insufficient_quota"), ModelQuotaError),
    ("ollama", 404, {"error": "model 'x' not found"}, ModelNotFoundError),
    ("ollama", 404, {"error": 'model "m" not found, try pulling it first'}, ModelNotFoundError),
    ("ollama", 400, {"error": "x does not support tools"}, ToolsUnsupported),
    ("ollama", 400, {"error": '"m" does not support thinking'}, ModelRequestError),
    ("ollama", 401, {"error": "unauthorized"}, ModelAuthError),
    ("ollama", 429, {"error": "too many concurrent requests"}, RateLimited),
    ("ollama", 429, {"error": "you have reached your weekly usage limit"}, ModelQuotaError),
    ("ollama", 500, {"error": "model requires more system memory"}, ModelOverloaded),
    ("ollama", 500, {"error": "llama runner process has terminated"}, ModelOverloaded),
    ("ollama", 503, {"error": "server busy, please try again."}, ModelOverloaded),
    ("gemini", 400, error(status="INVALID_ARGUMENT", code=400), ModelRequestError),
    ("gemini", 403, error(status="PERMISSION_DENIED", code=403), ModelAuthError),
    ("gemini", 400, GOOGLE_WRONG_KEY, ModelAuthError),
    ("gemini", 429, error(status="RESOURCE_EXHAUSTED", code=429), RateLimited),
    ("gemini", 429, GOOGLE_PER_DAY, ModelQuotaError),
    ("gemini", 503, error(status="UNAVAILABLE", code=503), ModelOverloaded),
    (
        "gemini",
        400,
        error("The input token count (2000000) exceeds the maximum number of tokens allowed"),
        ContextTooLong,
    ),
]


@pytest.mark.parametrize(
    "message",
    [
        "prompt is too long: 210000 tokens > 200000 maximum",
        "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
        "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens",
        "Please reduce the length of the messages or completion.",
        "This model's maximum prompt length is 131072 but the request contains 200000 tokens.",
        "the request exceeds the available context size, try increasing it",
        "tokens to keep from the initial prompt is greater than the context length",
        "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
        "Input is too long for requested model.",
        "prompt token count of 70000 exceeds the limit of 64000",
        "Request too large for gpt-test on tokens per min (TPM): Limit 30000, Requested 40000.",
        "`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 inputs tokens",
        "the input length exceeds the context length",
    ],
)
async def test_context_overflows_of_every_vendor_are_recognised(message: str) -> None:
    async with run_local(Reply(json.dumps(error(message)).encode(), 400, JSON)) as local:
        with pytest.raises(ContextTooLong):
            await ask(connect("compatible", local.url), stream=False)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(("name", "status", "body", "kind"), CASES)
async def test_provider_errors_are_classified_by_their_remedy(
    name: str, status: int, body: Any, kind: type[ModelError], stream: bool
) -> None:
    async with run_local(Reply(json.dumps(body).encode(), status, JSON)) as local:
        with pytest.raises(ModelError) as caught:
            await ask(connect(name, local.url), stream=stream)
    assert type(caught.value) is kind
    assert len(local.requests) == 1, "the SDK must not retry"


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("status", [200, 502])
@pytest.mark.parametrize("name", PROTOCOLS)
async def test_a_proxys_page_is_reduced_to_its_title(name: str, status: int, stream: bool) -> None:
    async with run_local(Reply(PAGE, status, HTML)) as local:
        with pytest.raises(ModelError) as caught:
            await ask(connect(name, local.url), stream=stream)
    assert "502 Bad Gateway" in caught.value.message
    assert "<" not in caught.value.message


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("name", PROTOCOLS)
@pytest.mark.parametrize("address", ["http://127.0.0.1:9", "http://no-such-host.invalid"])
async def test_an_unreachable_server_is_named(name: str, address: str, stream: bool) -> None:
    with pytest.raises(ModelConnectionError) as caught:
        await ask(connect(name, address), stream=stream)
    assert address in caught.value.message


@pytest.mark.parametrize(
    ("headers", "delay_s"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
@pytest.mark.parametrize("name", PROTOCOLS)
async def test_retry_after_is_read_but_bounded(
    name: str, headers: dict[str, str], delay_s: float | None
) -> None:
    reply = Reply(json.dumps(error()).encode(), 429, {**JSON, **headers, "x-request-id": "r9"})
    async with run_local(reply) as local:
        with pytest.raises(RateLimited) as caught:
            await ask(connect(name, local.url), stream=True)
    assert caught.value.retry_after_s == delay_s
    assert caught.value.request_id == "r9"


async def test_a_providers_list_of_errors_is_shown_verbatim() -> None:
    detail = [{"loc": ["body", "messages"], "msg": "Field required"}]
    async with run_local(Reply(json.dumps({"detail": detail}).encode(), 422, JSON)) as local:
        with pytest.raises(ModelRequestError) as caught:
            await ask(connect("compatible", local.url), stream=False)
    assert caught.value.message == f"openai: {json.dumps(detail)}"


@pytest.mark.parametrize(
    ("words", "delay_s"),
    [
        ("Rate limit reached. Please try again in 1.574s. Visit …", 1.574),
        ("Please try again in 20ms.", 0.02),
        ("Please try again in 1h2m3.5s.", 3723.5),
        ("Please try again in a minute.", None),
    ],
)
async def test_openais_retry_time_is_read_from_the_message(
    words: str, delay_s: float | None
) -> None:
    body = json.dumps(error(words, code="rate_limit_exceeded")).encode()
    async with run_local(Reply(body, 429, JSON)) as local:
        with pytest.raises(RateLimited) as caught:
            await ask(connect("openai", local.url), stream=False)
    assert caught.value.retry_after_s == delay_s


@pytest.mark.parametrize("reason", ["network_error", "insufficient_system_resource"])
async def test_finish_reasons_that_mean_failure_are_errors(reason: str) -> None:
    choice = {"index": 0, "finish_reason": reason, "message": {"content": "half an ans"}}
    async with run_local(Reply(json.dumps({"choices": [choice]}).encode())) as local:
        with pytest.raises(ModelOverloaded) as caught:
            await ask(connect("glm", local.url), stream=False)
    assert caught.value.partial.text == "half an ans"


@pytest.mark.parametrize("body", [b"", b"[]", b"null", b'"text"', b"\xff\xfe"])
@pytest.mark.parametrize("name", PROTOCOLS)
async def test_a_body_that_is_not_an_answer_is_an_error(name: str, body: bytes) -> None:
    async with run_local(Reply(body)) as local:
        with pytest.raises(ModelError):
            await ask(connect(name, local.url), stream=False)


async def test_a_model_without_tool_support_names_alternatives() -> None:
    reply = Reply(b'{"error":"registry/library/llama2 does not support tools"}', 400, JSON)
    async with run_local(reply) as local:
        with pytest.raises(ToolsUnsupported) as caught:
            await ask(connect("ollama", local.url), stream=True)
    assert caught.value.code == "NO_TOOL_SUPPORT"
    assert "llama3.1" in (caught.value.hint or "")
