"""Recorded provider traffic through the real SDKs and a real socket; what the ledger says of it.

Needs the shared recordings beside the checkout; `test_own_fixtures.py` covers the same ground in
small where they are absent.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import re
import threading
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from plainloop.agent.base.text.secrets import cut_secrets
from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import (
    ContentFiltered,
    ContextTooLong,
    ModelAuthError,
    ModelError,
    ModelNotFoundError,
    ModelOverloaded,
    ModelQuotaError,
    ModelRequestError,
    ModelTimeout,
    RateLimited,
    StreamCut,
)
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.store.records import CallInfo
from plainloop.agent.store.store import Store
from plainloop.agent.types import ChatProvider
from tests.core.model_calls import FixedModels, make_caller
from tests.providers.asking import ask, summarise, summarise_usage

WIRE = Path(__file__).parents[3] / "shared" / "wire"
# Every split that is here; the replay server knows a case by `provider/split:case`.
CASES = [
    {**json.loads(path.read_text()), "name": f"{path.parts[-2]}/{path.parts[-3]}:{path.stem}"}
    for path in sorted(WIRE.glob("*/*/*.json"))
]
ANSWERED = [case for case in CASES if case["expect"]["error"] is None]
# With AGENT_FUZZ_EXAMPLES set each case is cut in all these ways, else it and its neighbours are.
CUTS = [
    (fraction, end)
    for fraction in ("0.02", "0.2", "0.41", "0.6", "0.83", "0.97")
    for end in ("abort", "clean")
]
IS_WHOLE = bool(os.environ.get("AGENT_FUZZ_EXAMPLES"))
# Recorded directory → our provider; compatible servers without a name of their own are `openai`.
PROVIDERS = {
    "moonshot": "kimi",
    "openai_chat": "openai",
    "openai_responses": "openai",
    "openrouter": "openai",
    "compat_other": "openai",
}
STATUS_CLASSES: dict[int, type[ModelError]] = {
    400: ModelRequestError,
    401: ModelAuthError,
    402: ModelQuotaError,
    403: ModelAuthError,
    404: ModelNotFoundError,
    408: ModelTimeout,
    413: ContextTooLong,
    422: ModelRequestError,
    429: RateLimited,
    500: ModelOverloaded,
    502: ModelOverloaded,
    503: ModelOverloaded,
    504: ModelOverloaded,
    529: ModelOverloaded,
}
# Words that say more than the status they come with. Numbers: GLM's and MiniMax's own codes.
TELLING_WORDS: dict[str, type[ModelError]] = {
    "model_not_found": ModelNotFoundError,
    "context_length_exceeded": ContextTooLong,
    "insufficient_quota": ModelQuotaError,
    "content_filter": ContentFiltered,
    "1113": ModelQuotaError,
    "1301": ContentFiltered,
    "1308": ModelQuotaError,
    "1310": ModelQuotaError,
    "2056": ModelQuotaError,
    "2062": ModelQuotaError,
}
# What the class of an error inside a 200 must be: its type or code tells.
WORD_CLASSES: dict[str, type[ModelError]] = {
    "overloaded_error": ModelOverloaded,
    "api_error": ModelOverloaded,
    "server_error": ModelOverloaded,
    "rate_limit_error": RateLimited,
    "rate_limit_exceeded": RateLimited,
    "invalid_request_error": ModelRequestError,
    "insufficient_quota": ModelQuotaError,
    "1002": RateLimited,
    "1004": ModelAuthError,
    "1008": ModelQuotaError,
    "1026": ContentFiltered,
    "1027": ContentFiltered,
    "1039": RateLimited,
    "2013": ModelRequestError,
    "2049": ModelAuthError,
    "2061": ModelQuotaError,
}
_STATUS_WORDS = frozenset(str(status) for status in STATUS_CLASSES)  # OpenRouter's codes

pytestmark = pytest.mark.skipif(not CASES, reason="the shared wire recordings are not here")


@pytest.fixture(scope="module")
def replay_url() -> Iterator[str]:
    """The recordings' own replay server, in a thread with an event loop of its own."""
    spec = importlib.util.spec_from_file_location("wire_serve", WIRE / "serve.py")
    assert spec and spec.loader
    serve = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(serve)
    ports: Queue[int] = Queue()
    loop = asyncio.new_event_loop()
    stopping = asyncio.Event()

    async def run() -> None:
        server, port, _ = await serve.start(0)
        ports.put(port)
        await stopping.wait()
        server.close()

    thread = threading.Thread(target=lambda: asyncio.Runner(loop_factory=lambda: loop).run(run()))
    thread.start()
    yield f"http://127.0.0.1:{ports.get(timeout=30)}"
    loop.call_soon_threadsafe(stopping.set)
    thread.join(10)


def choose_some(ways: list[Any], case: dict[str, Any], share: int) -> list[Any]:
    """Every so many of the ways, other ones for the next case."""
    return ways if IS_WHOLE else ways[CASES.index(case) % share :: share]


def each(cases: list[dict[str, Any]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases, ids=lambda case: case["name"])


@each(CASES)
async def test_recorded_exchanges_read_equally_in_random_chunks(
    case: dict[str, Any], replay_url: str
) -> None:
    is_big = len(case["response"]["body"]) > 50_000
    pieces = [f"/~seed=3,max={90 if is_big else 5}", "/~seed=11,max=300"]
    for options in ("", *choose_some(pieces, case, 2)):
        provider = connect_to_case(case, replay_url + options)
        if case["expect"]["error"] is None:
            said = summarise(await ask(provider, stream=case["stream"]))
            assert said == _expected(case, said), options
        else:
            await _check_failure(case, provider)


@each(ANSWERED)
async def test_cut_exchanges_are_errors_with_the_partial_answer(
    case: dict[str, Any], replay_url: str
) -> None:
    for fraction, end in choose_some(CUTS, case, 4):
        provider = connect_to_case(case, f"{replay_url}/~truncate={fraction},end={end}")
        await _check_cut(case, provider)


def _protocol(case: dict[str, Any]) -> str:
    path = (case["request"].get("path") or "").partition("?")[0]
    if path.endswith("/responses"):
        return "openai_responses"
    if path.startswith("/api/"):
        return "openai_chat" if path.endswith("/chat/completions") else "ollama"
    directory = str(case["name"]).partition("/")[0]
    return directory if directory in ("anthropic", "gemini") else "openai_chat"


def connect_to_case(case: dict[str, Any], root: str) -> ChatProvider:
    directory = str(case["name"]).partition("/")[0]
    provider = PROVIDERS.get(directory, directory)
    suffix = "" if _protocol(case) in ("anthropic", "gemini", "ollama") else "/v1"
    address = f"{root}/{case['name']}{suffix}"
    return create_provider(provider, "key", "some-model", address, protocol=_protocol(case))


def _expected(case: dict[str, Any], said: dict[str, Any]) -> dict[str, Any]:
    expect = case["expect"]
    expected = deepcopy({key: expect.get(key) for key in said})
    expected["reasoning"] = expect.get("reasoning") or ""
    if said["stop"] == "refusal" and "refusal" not in expect:
        expected["refusal"] = said["refusal"]  # the recordings' reader does not look for it
    for call in expected["tool_calls"]:
        call.pop("item_id", None)
    for call, ours in zip(expected["tool_calls"], said["tool_calls"], strict=False):
        call["id"] = call["id"] or ours["id"]  # the provider sent none: ours
        assert ours["id"]
    return expected


async def _check_failure(case: dict[str, Any], provider: ChatProvider) -> None:
    expect = case["expect"]
    with pytest.raises(ModelError) as caught:
        await ask(provider, stream=case["stream"])
    error, stated = caught.value, expect["error"]
    words = [str(stated[key]) for key in ("code", "type") if stated.get(key) is not None]
    words += re.findall(r"\((\d{4})\)$", stated["message"])
    by_word = [WORD_CLASSES[word] for word in words if word in WORD_CLASSES]
    telling = [TELLING_WORDS[word] for word in words if word in TELLING_WORDS]
    status = case["response"]["status"]
    within = stated["status"] or next((int(word) for word in words if word in _STATUS_WORDS), None)
    by_status = STATUS_CLASSES.get(status if status >= 400 else within or 0)
    assert type(error) is next(iter([*telling, *filter(None, [by_status]), *by_word]))
    assert cut_secrets(" ".join(stated["message"].split())[:400]) in error.message
    if expect["stop"] == "error" and case["stream"]:
        partial = summarise(error.partial)
        assert partial["stop"] == "error"
        assert partial == {**_expected(case, partial), "stop_raw": partial["stop_raw"]}


async def _check_cut(case: dict[str, Any], provider: ChatProvider) -> None:
    """An error with a prefix of the answer; or, cut behind the terminal event, all of it."""
    expect = case["expect"]
    try:
        answer = await ask(provider, stream=case["stream"])
    except ModelError as error:
        assert error.retryable
        partial = error.partial
        assert partial is not None or not isinstance(error, StreamCut)
        if partial is not None:
            assert partial.stop == "error"
            assert expect["text"].startswith(partial.text)
            assert len(partial.tool_calls) <= len(expect["tool_calls"])
        return
    said = summarise(answer)
    expected = _expected(case, said)
    assert {**said, "usage": None} == {**expected, "usage": None}
    assert said["usage"] in (None, expected["usage"])


BUCKETS = ("input_total", "cache_read", "cache_write", "output", "reasoning")


async def test_ledger_sums_equal_the_wires_usage(store: Store, settings: Settings, replay_url: str):
    ours = await make_caller(store, settings, model_attempts=1)
    ended: list[str] = []
    for case in CASES:
        models: Any = FixedModels(connect_to_case(case, replay_url))
        ours.ctx = replace(ours.ctx, models=models)
        try:
            await ours.call(stream=case["stream"])
            ended.append("succeeded")
        except ModelError as error:
            ended.append("cut" if error.partial is not None else "failed")
    rows = await ours.list_rows()
    assert [row.status for row in rows] == ended
    assert len(rows) == len(CASES)
    for row, case in zip(rows, CASES, strict=True):
        assert state_usage(row) == get_whole_usage(case), case["name"]
    stated = [usage for case in CASES if (usage := get_whole_usage(case))]
    reported = [usage for row in rows if (usage := state_usage(row))]
    sums = {bucket: sum(usage[bucket] or 0 for usage in stated) for bucket in BUCKETS}
    assert {bucket: sum(usage[bucket] or 0 for usage in reported) for bucket in BUCKETS} == sums
    print(f"\nledger = wire over {len(rows)} exchanges, {len(stated)} with usage: {sums}")


def get_whole_usage(case: dict[str, Any]) -> dict[str, int | None] | None:
    """What the wire stated; None where it lacks a half, which is estimated then."""
    usage = case["expect"]["usage"]
    has_words = case["expect"]["text"] or case["expect"]["tool_calls"]
    if usage is None or usage["input_total"] is None or (has_words and usage["output"] is None):
        return None
    return usage


def state_usage(row: CallInfo) -> dict[str, int | None] | None:
    """What the provider stated, as the cases say it; None where the numbers are our estimate."""
    return summarise_usage(row.usage) if row.usage.source == "provider" else None
