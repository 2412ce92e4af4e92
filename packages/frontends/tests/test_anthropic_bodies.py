"""Bodies that nobody should send to the Messages API, and blocks that are read or told of."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any

import pytest

from packages.frontends.tests.test_openai_chat import MODEL, list_threads
from plainloop.agent.base.messages.contents import get_text
from plainloop.server.app import build_app_context
from plainloop.server.auth.identity import LOCAL
from plainloop.server.http.endpoint import make_request
from plainloop_frontends.anthropic import routes
from plainloop_frontends.anthropic.shapes import CountBody, MessageOfBody
from tests.machine.scripted import text, triage
from tests.protocols.conftest import ServeNotes, get_model
from tests.protocols.program_bodies import BASH, PNG
from tests.server.conftest import Served

HI: Any = {"role": "user", "content": "please do it"}
USE: Any = {"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {"path": "a" * 400}}
IMAGE: Any = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
SCHEMA: dict[str, Any] = {"type": "object"}


def user(*blocks: Any) -> Any:
    return {"role": "user", "content": [*blocks]}


def result(content: Any, **more: Any) -> Any:
    return {"type": "tool_result", "tool_use_id": "toolu_1", "content": content, **more}


# What is wrong with each, by the field that the error names; None: none is meant alone.
REFUSED: dict[str, tuple[str | None, dict[str, Any]]] = {
    "no messages": ("messages", {"messages": []}),
    "a role of another API": ("messages[0].role", {"messages": [{"role": "tool", "content": ""}]}),
    "no content": ("messages[0].content", {"messages": [{"role": "user", "content": None}]}),
    "a block that is none": ("messages[0].content[0]", {"messages": [user(1)]}),
    "an unknown block": ("messages", {"messages": [user({"type": "banana"})]}),
    "a block without type": ("messages", {"messages": [user({"text": "x"})]}),
    "an unknown block in a result": ("messages", {"messages": [user(result([{"type": "x"}]))]}),
    "a result that is no list": ("messages", {"messages": [user(result({"a": 1}))]}),
    "a result of no call": ("messages", {"messages": [user({"type": "tool_result"})]}),
    "an address": ("messages", {"messages": [user({**IMAGE, "source": {"type": "url"}})]}),
    "data that is none": (
        None,
        {"messages": [user({**IMAGE, "source": {**IMAGE["source"], "data": "@"}})]},
    ),
    "a tool added in between": (
        "messages",
        {"messages": [{"role": "system", "content": [{"type": "tool_addition"}]}, HI]},
    ),
    "max_tokens as text": ("max_tokens", {"max_tokens": "5"}),
    "a tool without name": (None, {"tools": [{"input_schema": SCHEMA}]}),
    "two tools of a name": (None, {"tools": [BASH, BASH]}),
    "a choice of nothing": ("tool_choice", {"tools": [BASH], "tool_choice": {"type": "tool"}}),
    "a choice of no kind": ("tool_choice", {"tools": [BASH], "tool_choice": {"type": []}}),
    "a shape of no kind": ("output_config.format", {"output_config": {"format": {"type": "xml"}}}),
    "too many stops": ("stop_sequences", {"stop_sequences": [str(n) for n in range(65)]}),
    "a compaction": ("compaction", {"compaction": {"type": "summarize"}}),
    "another's bill": (
        "billing_policy",
        {"billing_policy": {"type": "billing_policy", "bill_to": "user_profile"}},
    ),
}
RAW = (b"", b"{nope", b"[]", b"null", b'{"a":' + b"[" * 5_000 + b"]" * 5_000 + b"}", b"\xff")


async def post(served: Served, path: str = "", **body: Any) -> Any:
    client = await served.client()
    told = {"model": MODEL, "max_tokens": 50, "messages": [HI], **body}
    return await client.post(f"/anthropic/v1/messages{path}", json=told)


def check_error(answer: Any, status: int, kind: str) -> Any:
    told = answer.json()

    assert (answer.status_code, told["type"], told["error"]["type"]) == (status, "error", kind)
    assert told["request_id"] == answer.headers["request-id"]
    assert told["error"]["message"]
    return told["error"]


async def test_invalid_anthropic_bodies_are_refused_by_field(serve: ServeNotes) -> None:
    served = await serve()
    for name, (param, more) in REFUSED.items():
        error = check_error(await post(served, **more), 400, "invalid_request_error")
        assert error.get("param") == param, (name, error)

    assert get_model(served).requests == [] and await list_threads(served) == []


@pytest.mark.parametrize("path", ["", "/count_tokens"])
async def test_non_object_bodies_are_refused_in_the_apis_format(
    path: str, serve: ServeNotes
) -> None:
    served = await serve()
    client = await served.client()
    headers = {"content-type": "application/json"}
    for raw in RAW:
        sent = client.post(f"/anthropic/v1/messages{path}", content=raw, headers=headers)
        check_error(await sent, 400, "invalid_request_error")


async def test_unknown_paths_get_errors_in_each_apis_format(serve: ServeNotes) -> None:
    client = await (await serve()).client()
    nothing = await client.get("/anthropic/v1/messages/batches")
    method = await client.put("/anthropic/v1/messages", json={})
    other = await client.get("/v1/files")

    check_error(nothing, 404, "not_found_error")
    error = check_error(method, 405, "invalid_request_error")
    assert "POST" in error["message"] and method.headers["allow"] == "POST"
    told = other.json()["error"]
    assert (told["type"], told["code"]) == ("invalid_request_error", "NOT_FOUND")


async def test_a_too_large_body_gets_anthropics_request_too_large_error(serve: ServeNotes) -> None:
    served = await serve(message_bytes=10_000)
    answer = await post(served, messages=[{**HI, "content": "x" * 20_000}])

    check_error(answer, 413, "request_too_large")


async def test_a_body_with_a_thread_id_is_refused(serve: ServeNotes) -> None:
    """Source: anthropic 2.14.0, lib/threads: its tool runners ask for one and do without."""
    answer = await post(await serve(), thread={"type": "create"})
    error = check_error(answer, 400, "invalid_request_error")

    assert error["details"] == {
        "error_code": "thread_unsupported_request",
        "unsupported": ["thread"],
    }


async def test_non_text_tool_results_do_not_end_a_conversation(serve: ServeNotes) -> None:
    """Each later request posts them again."""
    served = await serve(triage("note_writer"), text("A dot."))
    told = {"role": "assistant", "content": [USE]}
    shown = result([IMAGE, {"type": "image", "source": {"type": []}}])
    answer = await post(served, messages=[HI, told, user(shown)], tools=[BASH])
    seen = get_text(get_model(served).requests[-1].messages[-2])

    assert answer.status_code == 200, answer.text
    assert answer.headers["x-plainloop-ignored"] == "messages.tool_result.image"
    assert seen == "Read gave: [image image/png: not shown here]\n[image: not shown here]"


async def test_search_result_blocks_are_read_and_citations_reported(serve: ServeNotes) -> None:
    served = await serve(triage("note_writer"), text("Ann is 41."))
    found = {"type": "search_result", "source": "handbook", "title": "Rules"}
    found["content"] = [{"type": "text", "text": "Ann is 41."}]  # type: ignore[assignment]
    page = {
        "type": "document",
        "source": {"type": "text", "media_type": "text/plain", "data": "Rent is due."},
        "context": "From the landlord.",
        "citations": {"enabled": True},
    }
    said = user(found, page, {"type": "text", "text": "how old is Ann?"})
    answer = await post(served, messages=[said])
    [message] = get_model(served).requests[-1].messages

    assert "Rules\nhandbook\nAnn is 41.\n" in get_text(message)
    assert "From the landlord.\n" in get_text(message)
    assert answer.headers["x-plainloop-ignored"] == "messages.citations"


async def test_counting_tokens_of_a_large_body_does_not_block_the_event_loop(
    serve: ServeNotes, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_begun, may_end, estimate = threading.Event(), threading.Event(), routes.estimate_body

    def hold(*arguments: Any) -> Any:
        has_begun.set()
        assert may_end.wait(10), "nothing else ran while tokens were counted"
        return estimate(*arguments)

    served = await serve()
    app = build_app_context(served.service, served.replica.runs)
    request = make_request(app, LOCAL, served.service.pack, {})
    said = [MessageOfBody("user", "word and other " * 20_000)]
    monkeypatch.setattr(routes, "estimate_body", hold)
    counting = asyncio.create_task(
        routes.MessageRoutes(app).count(request, CountBody(model=MODEL, messages=said))
    )
    while not has_begun.is_set():
        await asyncio.sleep(0)
    may_end.set()

    assert json.loads(bytes((await counting).body))["input_tokens"] > 50_000


async def test_the_token_count_includes_everything_posted(serve: ServeNotes) -> None:
    served = await serve()
    sizes: list[int] = []
    told = {"role": "assistant", "content": [{"type": "text", "text": "Let me read."}]}
    called = {"role": "assistant", "content": [*told["content"], USE]}
    given = user(result("b" * 400))
    for messages, more in (
        ([HI], {}),
        ([HI, told, HI], {}),
        ([HI, called, HI], {}),
        ([HI, called, given], {}),
        ([HI, called, given], {"system": "Be short. " * 20}),
        ([HI, called, given], {"system": "Be short. " * 20, "tools": [BASH]}),
    ):
        client = await served.client()
        body = {"model": MODEL, "messages": messages, **more}
        answer = await client.post("/anthropic/v1/messages/count_tokens", json=body)
        sizes.append(answer.json()["input_tokens"])

    assert sizes == sorted({*sizes}), json.dumps(sizes)
    assert sizes[2] - sizes[1] > 20 and get_model(served).requests == []
