"""Clients of the first seven events see a right text: they append, and know no `text_reset`."""

from __future__ import annotations

from typing import Any

import pytest

from tests.machine.scripted import text, tools, triage, verdict
from tests.server.conftest import Serve, begin
from tests.server.events import RawStream, Sse, names, parse_sse, post

LETTER = (
    triage("writer"),
    text("Dear Sir."),
    verdict("retry", "Whom?", 0.3),
    text("Dear Ms Hall."),
)


def append(events: list[Sse]) -> str:
    """What a client shows that only appends."""
    return "".join(item.data["content"] for item in events if item.event == "text_delta")


@pytest.mark.parametrize("how", ["body", "header"])
async def test_with_drafts_off_a_rejected_draft_is_not_streamed(how: str, serve: Serve):
    served = await serve(*LETTER, verdict("pass"))
    ann = await served.client()
    more: dict[str, Any] = {"drafts": False}
    if how == "header":
        more = {"headers": {"x-plainloop-drafts": "false"}}
    _, events = await post(ann, await begin(ann), "write a letter", **more)

    assert append(events) == events[-1].data["content"] == "Dear Ms Hall."
    assert "text_reset" not in names(events)


async def test_drafts_are_streamed_by_default(serve: Serve):
    served = await serve(*LETTER, verdict("pass"))
    ann = await served.client()
    _, events = await post(ann, await begin(ann), "write a letter")

    assert append(events) == "Dear Sir.Dear Ms Hall."
    assert names(events).count("text_reset") == 1


async def test_with_drafts_off_a_note_is_appended_to_the_answer(serve: Serve):
    served = await serve(*LETTER, verdict("retry", "Too short.", 0.4), evaluator_retries=1)
    ann = await served.client()
    _, events = await post(ann, await begin(ann), "write a letter")
    resets = [n for n, item in enumerate(events) if item.event == "text_reset"]
    shown = append(events[resets[-1] :])

    assert len(resets) == 1  # of the second draft; none of the note
    assert shown == events[-1].data["content"]
    assert shown == "Dear Ms Hall.\n\n_Note: this answer did not pass the review:_\n\nToo short."


async def test_streams_without_drafts_resume_to_the_same_text(serve: Serve):
    served = await serve(*LETTER, verdict("pass"))
    ann = await served.client()
    conversation = await begin(ann)
    answer, events = await post(ann, conversation, "write a letter", drafts=False)
    run_id = answer.headers["x-run-id"]
    path = f"/api/chat/conversations/{conversation}/stream?run_id={run_id}&drafts=false&after="
    numbers = sorted({item.seq for item in events[:-1]})
    for number in numbers:
        stream = await RawStream.open(served.url, f"{path}{number}", served.token())
        seen = [item for item in events if item.seq <= number]
        assert [*seen, *parse_sse(await stream.read_all())] == events, number


async def test_with_the_parameter_wait_close_a_stream_ends_at_an_approval(serve: Serve):
    served = await serve(
        triage("crm_worker"),
        tools(("c1", "delete_job", {"job_id": 1}), said="I would delete it."),
        text("Gone."),
    )
    ann = await served.client()
    job = {"title": "Cook", "company": "Acme"}
    assert (await ann.post("/api/jobs", json=job)).status_code in (200, 201)
    asked = {"drafts": False, "wait": "close"}
    answer, events = await post(ann, await begin(ann), "remove job 1", **asked)

    assert names(events)[-1] == "approval_request"
    assert append(events) == "I would delete it."
    approvals = f"/api/runs/{answer.headers['x-run-id']}/approvals"
    assert len((await ann.get(approvals)).json()["approvals"]) == 1


async def test_an_invalid_drafts_header_is_refused(serve: Serve):
    ann = await (await serve()).client()
    answer = await ann.post(
        f"/api/chat/conversations/{await begin(ann)}/messages",
        json={"content": "hi"},
        headers={"x-plainloop-drafts": "maybe"},
    )

    assert answer.status_code == 400
