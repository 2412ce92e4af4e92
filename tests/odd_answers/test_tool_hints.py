"""Hazard: a hint leads a model from a harmless tool that is not there to a harmful one that is."""

from __future__ import annotations

from typing import Any

import pytest

from plainloop.agent.base.messages.tool_names import suggest_tool
from scripts.benchmarks.rig.counting import counted_calls

TOOLS: Any = {
    "list_jobs": "read",
    "find_job": "read",
    "create_job": "write",
    "update_job": "write",
    "delete_job": "write",
    "archive_thing": "write",
    "tidy_up": "write",
    "send_letter": "external",
    "web_search": "read",
}
# What a model called → the tool that it is led to; None: to the list of all.
CASES = {
    "job.create": "create_job",
    "createJob": "create_job",
    "CREATE_JOB": "create_job",
    "create-job": "create_job",
    "creat_job": "create_job",
    "delete-job": "delete_job",
    "deleteJob": "delete_job",
    "delte_job": "delete_job",
    "jobs.list": "list_jobs",
    "get_jobs": "list_jobs",
    "websearch": "web_search",
    "send-letter": "send_letter",
    "update_jobs": "update_job",
    # Nothing that does more than was asked for:
    "read_letter": None,
    "get_letter": None,
    "write_letter": None,
    "letter": None,
    "undelete_job": "update_job",
    "restore_thing": None,
    "tidyup": None,
    "nothing_like_it": None,
}


@pytest.mark.parametrize("called", CASES)
def test_a_hint_names_no_tool_of_a_stronger_effect(called: str):
    meant = CASES[called]
    told = {"did_you_mean": meant} if meant else {"available": sorted(TOOLS)}
    assert suggest_tool(called, TOOLS) == told


@pytest.mark.parametrize("called", ["get_job", "show_job", "job_details", "select_job", "read-job"])
def test_who_asks_to_read_is_never_led_to_a_deletion(called: str):
    only = {"delete_job": "write", "remove_jobs": "write", "send_job": "external"}
    assert "did_you_mean" not in suggest_tool(called, only)  # type: ignore[arg-type]


@pytest.mark.parametrize("called", ["create_job", "update_job", "job", "renew_job"])
def test_who_asks_to_write_is_never_led_to_a_deletion(called: str):
    only = {"delete_job": "write", "send_job": "external"}
    assert "did_you_mean" not in suggest_tool(called, only)  # type: ignore[arg-type]


@pytest.mark.parametrize("called", ["remove_job", "drop_job", "send_job", "book_job"])
def test_who_asks_to_delete_or_send_is_never_led_to_a_change(called: str):
    only = {"create_job": "write", "update_job": "write"}
    assert "did_you_mean" not in suggest_tool(called, only)  # type: ignore[arg-type]


def test_a_declared_effect_counts_for_more_than_a_name():
    assert "did_you_mean" not in suggest_tool("get_note", {"get_notes": "external"})
    assert suggest_tool("get_note", {"get_notes": "read"}) == {"did_you_mean": "get_notes"}


def test_without_tools_there_is_nothing_to_suggest():
    assert suggest_tool("anything", {}) == {"available": []}


@pytest.mark.parametrize("unit", [":", "a:", "foo_", "Ab"])
def test_a_name_as_long_as_an_answer_costs_no_more_than_a_short_one(unit: str):
    """32,000 characters took 2.2 s in the event loop."""
    effects: dict[str, Any] = {f"{kind}_{n}": "write" for n in range(20) for kind in ("do", "add")}
    with counted_calls() as calls:
        suggest_tool((unit * 32_000)[:32_000], effects)

    assert calls[0] < 200_000
