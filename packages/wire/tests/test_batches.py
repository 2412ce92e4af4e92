"""The batch endpoints, as the providers document them: through the real SDKs and byte for byte.

No recorded exchange was at hand; what is checked here is what the documents and the SDKs' types
say.
"""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from packages.wire.tests.brains import CityBrain
from plainloop.agent.types import ChatRequest, LLMResponse
from plainloop_wire.faults import parse_faults

MODEL = "claude-haiku-4-5"
HEADERS = {"x-api-key": "any", "anthropic-version": "2023-06-01"}
BEARER = {"authorization": "Bearer any"}


def ask(text: str, **more: Any) -> dict[str, Any]:
    return {
        "model": MODEL,
        "max_tokens": 100,
        "messages": [{"role": "user", "content": text}],
        **more,
    }


def entry(custom_id: str, **more: Any) -> dict[str, Any]:
    return {"custom_id": custom_id, "params": ask(f"hello {custom_id}", **more)}


def line(custom_id: str, model: str = "gpt-4o", **more: Any) -> dict[str, Any]:
    body = {"model": model, "messages": [{"role": "user", "content": f"hello {custom_id}"}]}
    url = "/v1/chat/completions"
    return {"custom_id": custom_id, "method": "POST", "url": url, "body": body, **more}


async def read_all(pages: Any) -> list[Any]:
    return [item async for item in pages]


async def hand_in(openai: Any, *lines: dict[str, Any], **more: Any) -> Any:
    content = b"\n".join(map(orjson.dumps, lines))
    file = await openai.files.create(file=("in.jsonl", content), purpose="batch")
    return await openai.batches.create(
        input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h", **more
    )


async def read_file(openai: Any, file_id: str) -> list[Any]:
    content = await openai.files.content(file_id)
    return [orjson.loads(text) for text in content.content.splitlines()]


async def test_an_anthropic_batch_runs_from_creation_to_results(wire_server, connect):
    server = await wire_server()
    batches = connect(server).anthropic.messages.batches
    made = await batches.create(requests=[entry("a"), entry("b", max_tokens=0), entry("c")])
    assert (made.processing_status, made.request_counts.processing) == ("in_progress", 3)
    assert made.results_url is None
    assert (made.expires_at - made.created_at).total_seconds() == 86_400
    ended = await batches.retrieve(made.id)
    counts = ended.request_counts
    assert (ended.processing_status, counts.succeeded, counts.errored) == ("ended", 2, 1)
    results = {r.custom_id: r.result async for r in await batches.results(made.id)}
    assert list(results) == ["c", "b", "a"], "in any order but that of the requests"
    assert results["a"].message.usage.output_tokens > 0
    assert results["b"].error.error.type == "invalid_request_error"
    usage = [e["usage"] for e in server.requests if "batch" in e]
    assert [bool(u) for u in usage] == [True, False, True]
    assert results["c"].message.usage.input_tokens == usage[2]["input_tokens"]


async def test_one_failing_request_of_a_batch_does_not_fail_the_others(wire_server, connect):
    class Failing(CityBrain):
        def answer(self, request: ChatRequest) -> LLMResponse:
            if "hello b" in str(request.messages):
                raise LookupError("no idea")
            return super().answer(request)

    server = await wire_server(Failing())
    batches = connect(server).anthropic.messages.batches
    made = await batches.create(requests=[entry("a"), entry("b"), entry("c")])
    counts = (await batches.retrieve(made.id)).request_counts
    results = {r.custom_id: r.result async for r in await batches.results(made.id)}

    assert (counts.succeeded, counts.errored) == (2, 1)
    assert results["b"].error.error.message == "brain: LookupError('no idea')"


async def test_a_batch_doubles_answer_equals_the_direct_answer(wire_server, connect):
    server = await wire_server()
    messages = connect(server).anthropic.messages
    alone = await messages.create(**ask("hello a"))
    made = await messages.batches.create(requests=[entry("a")])
    (result,) = [r.result async for r in await messages.batches.results(made.id)]
    assert result.message.model_dump() == alone.model_dump()


async def test_an_openai_batch_writes_a_result_file_and_an_error_file(wire_server, connect):
    openai = connect(await wire_server()).openai
    bad = line("b", body={"model": "gpt-4o", "messages": "none"})
    made = await hand_in(openai, line("a"), bad, line("c"), metadata={"mark": "m"})
    assert (made.status, made.request_counts.total) == ("validating", 0)
    ended = await openai.batches.retrieve(made.id)
    counts = ended.request_counts
    assert (ended.status, counts.completed, counts.failed, counts.total) == ("completed", 2, 1, 3)
    assert ended.metadata == {"mark": "m"}
    answers = await read_file(openai, ended.output_file_id)
    assert [(a["custom_id"], a["error"]) for a in answers] == [("c", None), ("a", None)]
    assert answers[0]["response"]["body"]["object"] == "chat.completion"
    (failed,) = await read_file(openai, ended.error_file_id)
    response = failed["response"]
    assert (failed["custom_id"], response["status_code"]) == ("b", 400)
    assert response["body"]["error"]["type"] == "invalid_request_error"


async def test_openai_batches_report_partial_progress_and_anthropics_do_not(wire_server, connect):
    server = await wire_server(faults=parse_faults({"batch_ms": 1e9}))
    clients = connect(server)
    made = await clients.anthropic.messages.batches.create(requests=[entry("a"), entry("b")])
    other = await hand_in(clients.openai, line("a"), line("b"))
    for batch in server.wire.batches.values():
        batch.created_s -= batch.takes_s * 0.6
    half = await clients.anthropic.messages.batches.retrieve(made.id)
    assert (half.processing_status, half.request_counts.succeeded) == ("in_progress", 0)
    going = await clients.openai.batches.retrieve(other.id)
    assert (going.status, going.request_counts.completed) == ("in_progress", 1)


async def test_a_cancelled_batch_keeps_its_finished_answers(wire_server, connect):
    server = await wire_server(faults=parse_faults({"batch_ms": 1e9}))
    clients = connect(server)
    batches = clients.anthropic.messages.batches
    made = await batches.create(requests=[entry("a"), entry("b")])
    other = await hand_in(clients.openai, line("a"), line("b"))
    for batch in server.wire.batches.values():
        batch.created_s -= batch.takes_s * 0.6
    assert (await batches.cancel(made.id)).processing_status == "canceling"
    assert (await clients.openai.batches.cancel(other.id)).status == "cancelling"
    kinds = {r.custom_id: r.result.type async for r in await batches.results(made.id)}
    assert kinds == {"a": "succeeded", "b": "canceled"}
    ended = await clients.openai.batches.retrieve(other.id)
    assert ended.status == "cancelled"
    (left,) = await read_file(clients.openai, ended.error_file_id)
    assert (left["custom_id"], left["error"]["code"]) == ("b", "batch_cancelled")
    with pytest.raises(Exception, match="already ended"):
        await batches.cancel(made.id)


async def test_batch_lists_are_paged_newest_first(wire_server, connect):
    clients = connect(await wire_server())
    batches = clients.anthropic.messages.batches
    made = [(await batches.create(requests=[entry("a")])).id for _ in range(5)]
    others = [(await hand_in(clients.openai, line("a"))).id for _ in range(5)]
    found = await read_all(batches.list(limit=2))
    assert [batch.id for batch in found] == made[::-1]
    listed = await read_all(clients.openai.batches.list(limit=2))
    assert [batch.id for batch in listed] == others[::-1]


async def test_single_requests_of_a_batch_can_expire_or_fail(wire_server, connect):
    of_lines = {"dialect": "batch_line"}
    faults = [{"result": "expired", **of_lines}, {"status": 529, **of_lines}]
    server = await wire_server(faults=parse_faults({"series": faults}))
    clients = connect(server)
    batches = clients.anthropic.messages.batches
    made = await batches.create(requests=[entry("a"), entry("b"), entry("c")])
    results = {r.custom_id: r.result async for r in await batches.results(made.id)}
    kinds = {custom_id: result.type for custom_id, result in results.items()}
    assert kinds == {"a": "expired", "b": "errored", "c": "succeeded"}
    assert results["b"].error.error.type == "overloaded_error"
    server.wire.faults.load(parse_faults({"series": faults}))
    other = await hand_in(clients.openai, line("a"), line("b"), line("c"))
    ended = await clients.openai.batches.retrieve(other.id)
    assert ended.status == "expired"
    errors = {e["custom_id"]: e for e in await read_file(clients.openai, ended.error_file_id)}
    assert errors["a"]["error"]["code"] == "batch_expired"
    assert errors["b"]["response"]["status_code"] == 529


ANTHROPIC_WRONG: dict[str, tuple[Any, str]] = {
    "no requests": ({"requests": []}, "at least 1 item"),
    "an unknown field": ({"requests": [entry("a")], "metadata": {}}, "metadata: Extra inputs"),
    "the same id twice": ({"requests": [entry("a"), entry("a")]}, "duplicate custom_id 'a'"),
    "a bad id": ({"requests": [entry("a b")]}, "requests.0.custom_id: String should match"),
    "no params": ({"requests": [{"custom_id": "a"}]}, "requests.0.params: Field required"),
    "a stream": ({"requests": [entry("a", stream=True)]}, "requests.0.params.stream"),
}


async def test_the_anthropic_double_refuses_a_malformed_batch(wire_server, http):
    server = await wire_server()
    url = f"{server.base_url}/v1/messages/batches"
    for name, (body, told) in ANTHROPIC_WRONG.items():
        answer = await http.post(url, json=body, headers=HEADERS)
        assert (answer.status_code, told in answer.json()["error"]["message"]) == (400, True), name
    assert (await http.post(url, json={"requests": [entry("a")]})).status_code == 401
    missing = await http.get(f"{url}/msgbatch_none", headers=HEADERS)
    assert (missing.status_code, missing.json()["error"]["type"]) == (404, "not_found_error")


OPENAI_WRONG: dict[str, tuple[list[Any], str]] = {
    "the same id twice": ([line("a"), line("a")], "duplicate_custom_id"),
    "another method": ([line("a", method="GET")], "invalid_method"),
    "another endpoint": ([line("a", url="/v1/responses")], "invalid_url"),
    "two models": ([line("a"), line("b", "gpt-4o-mini")], "mismatched_model"),
    "no id": ([{**line("a"), "custom_id": None}], "missing_required_parameter"),
    "no object": (["a"], "invalid_json_line"),
    "nothing": ([], "empty_file"),
}


async def test_the_openai_double_fails_a_batch_with_an_invalid_file(wire_server, connect):
    openai = connect(await wire_server()).openai
    for name, (lines, code) in OPENAI_WRONG.items():
        made = await hand_in(openai, *lines)
        failed = await openai.batches.retrieve(made.id)
        assert (failed.status, failed.errors.data[0].code) == ("failed", code), name
        assert (failed.output_file_id, failed.request_counts.total) == (None, 0)


async def test_the_openai_double_refuses_a_malformed_batch(wire_server, connect, http):
    server = await wire_server()
    file = await connect(server).openai.files.create(file=("in.jsonl", b"{}"), purpose="batch")
    right = {
        "input_file_id": file.id,
        "endpoint": "/v1/chat/completions",
        "completion_window": "24h",
    }
    url = f"{server.openai_url}/batches"
    for changed in (
        {"completion_window": "1h"},
        {"endpoint": "/v1/moderations"},
        {"input_file_id": "file-none"},
        {"priority": "high"},
        {"metadata": {"a": 1}},
    ):
        answer = await http.post(url, json={**right, **changed}, headers=BEARER)
        assert answer.status_code == 400, changed
    assert (await http.post(url, json=right, headers=BEARER)).status_code == 200


async def test_the_openai_double_stores_and_describes_uploaded_files(wire_server, connect, http):
    server = await wire_server()
    files = connect(server).openai.files
    expiry = {"anchor": "created_at", "seconds": 3600}
    made = await files.create(file=("in.jsonl", b"{}\n"), purpose="batch", expires_after=expiry)
    assert (made.bytes, made.filename, made.expires_at - made.created_at) == (3, "in.jsonl", 3600)
    assert (await files.content(made.id)).content == b"{}\n"
    missing = await http.get(f"{server.openai_url}/files/file-none/content", headers=BEARER)
    assert missing.status_code == 404
    forever = {"purpose": "batch", "expires_after[seconds]": "3600"}  # after what?
    for given in ({"purpose": "fun"}, {"purpose": "batch", "mood": "good"}, forever):
        sent = await http.post(
            f"{server.openai_url}/files",
            data=given,
            files={"file": ("in.jsonl", b"{}")},
            headers=BEARER,
        )
        assert sent.status_code == 400, sent.text


async def test_a_batch_double_can_create_a_batch_and_answer_500(wire_server, http):
    lost = {"status": 500, "dialect": "anthropic_batches", "after": True}
    server = await wire_server(faults=parse_faults({"series": [lost]}))
    url = f"{server.base_url}/v1/messages/batches"
    answer = await http.post(url, json={"requests": [entry("a")]}, headers=HEADERS)
    assert (answer.status_code, len(server.wire.batches)) == (500, 1)
