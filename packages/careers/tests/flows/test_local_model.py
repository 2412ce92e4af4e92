"""The model of `tests/local_model.py` in the place of one that follows its prompt.

AGENT_TEST_LOCAL_TALKS: how many free conversations.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from packages.careers.tests.flows.conftest import OpenService
from packages.careers.tests.flows.turns import ROUNDABOUT
from plainloop.agent.base.messages.contents import list_open_calls
from plainloop.agent.core.history import repair_history
from plainloop.agent.errors import AgentError
from plainloop.agent.service.service import Service
from tests.local_model import TURNS, LocalModel
from tests.local_model import local_model as local_model

TALKS = int(os.environ.get("AGENT_TEST_LOCAL_TALKS", "1"))
# Never seen by the rules, the stand-in or a prompt.
SENTENCES = (
    "what should I do next?",
    "add a job: Cook at Cafe Uno in Rome",
    "Write a haiku about rain.",
    "move the cook job to interviewing and tell me why",
    "delete all jobs",
    "what is 17 times 23?",
    "schreib mir einen Brief an Cafe Uno",
    "why?",
    "make the letter shorter",
    "give me JSON with keys a and b",
    "translate 'good morning' to French",
    "tell me a very long story about a job seeker",
    "find me jobs as a nurse in Madrid",
    "who are you?",
    "ok",
    "résume mon CV en deux lignes",
    "which of them pays best, and is it remote?",
    "no",
    "forget that",
    "thanks, bye",
)


async def open_over(model: LocalModel, open_wire: OpenService, **variables: str) -> Service:
    return await open_wire("offline", **model.environ, **variables)


async def say(service: Service, thread_id: str, text: str | None, *, is_streamed: bool) -> str:
    """The outcome in a word: "succeeded", or the error's code."""
    viewer = (lambda _event: None) if is_streamed else None
    try:
        await service.answer("local", "mira", thread_id, text, viewer)
    except AgentError as error:
        return error.code
    return "succeeded"


async def check_thread(service: Service, thread_id: str, thread_kind: str = "chat") -> list[Any]:
    """Its ledger rows, once history and runs are seen to be whole."""
    messages = await service.store.load_messages("local", thread_id)
    begins_empty = thread_kind == "onboarding"  # the agent speaks first
    assert repair_history(messages[begins_empty:])[1] == []
    assert list_open_calls(messages) == []
    runs = await service.store.list_runs("local", thread_id)
    assert {run.status for run in runs} <= {"succeeded", "failed"}
    return [call for run in runs for call in await service.store.list_calls("local", run.run_id)]


async def check_ledger(service: Service, thread_id: str, counted: list[int]) -> None:
    """counted: what the model's server has counted meanwhile."""
    calls = await check_thread(service, thread_id)
    if all(call.status == "succeeded" for call in calls):  # a call that was cut states nothing
        usages = [call.usage for call in calls]
        sums = [
            sum(usage.input_tokens or 0 for usage in usages),
            sum(usage.cache_read_tokens or 0 for usage in usages),
            sum(usage.output_tokens or 0 for usage in usages),
        ]
        assert sums == counted
        assert {usage.source for usage in usages} <= {"provider"}


@pytest.mark.parametrize("talk", range(TALKS))
async def test_runs_of_a_local_model_end_without_internal_errors_or_lost_tokens(
    local_model: LocalModel, open_wire: OpenService, talk: int
):
    """Each talk begins elsewhere; every second is streamed, every second pair has one loop."""
    design = "react" if talk % 4 in (1, 2) else "default"
    service = await open_over(local_model, open_wire, AGENT_DESIGN=design)
    thread = await service.ensure_thread("local", "mira", None, "free talk")
    before = local_model.read_tokens()

    said = [SENTENCES[(talk // 2 + turn) % len(SENTENCES)] for turn in range(TURNS)]
    outcomes = [
        await say(service, thread.thread_id, text, is_streamed=talk % 2 == 0) for text in said
    ]

    assert "INTERNAL_ERROR" not in outcomes
    after = local_model.read_tokens()
    await check_ledger(
        service, thread.thread_id, [b - a for a, b in zip(before, after, strict=True)]
    )


# A turn of them takes several calls: one of them is enough where turns are few.
@pytest.mark.parametrize("is_streamed", [True, False][:TURNS])
async def test_a_local_model_ends_all_six_flows_without_an_internal_error(
    local_model: LocalModel, open_wire: OpenService, is_streamed: bool
):
    service = await open_over(local_model, open_wire)
    thread = await service.ensure_thread("local", "mira", None, "six flows")
    before = local_model.read_tokens()

    outcomes = [
        await say(service, thread.thread_id, text, is_streamed=is_streamed)
        for text in ROUNDABOUT[-TURNS:]
    ]

    assert "INTERNAL_ERROR" not in outcomes
    after = local_model.read_tokens()
    await check_ledger(
        service, thread.thread_id, [b - a for a, b in zip(before, after, strict=True)]
    )


async def test_a_local_model_ends_interview_turns_without_an_internal_error(
    local_model: LocalModel, open_wire: OpenService
):
    service = await open_over(local_model, open_wire)
    thread = await service.ensure_interview("local", "mira")
    answers = (None, "My name is Jo Smith, I live in Rome.", "A cook, for ten years.", "yes")

    outcomes = [
        await say(service, thread.thread_id, text, is_streamed=True) for text in answers[:TURNS]
    ]

    assert "INTERNAL_ERROR" not in outcomes
    await check_thread(service, thread.thread_id, "onboarding")
