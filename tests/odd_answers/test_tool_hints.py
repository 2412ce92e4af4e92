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
def test_a_suggested_tool_never_has_a_stronger_effect(called: str):
    meant = CASES[called]
    told = {"did_you_mean": meant} if meant else {"available": sorted(TOOLS)}
    assert suggest_tool(called, TOOLS) == told


@pytest.mark.parametrize("called", ["get_job", "show_job", "job_details", "select_job", "read-job"])
def test_an_unknown_read_tool_never_suggests_a_deletion(called: str):
    only = {"delete_job": "write", "remove_jobs": "write", "send_job": "external"}
    assert "did_you_mean" not in suggest_tool(called, only)  # type: ignore[arg-type]


@pytest.mark.parametrize("called", ["create_job", "update_job", "job", "renew_job"])
def test_an_unknown_write_tool_never_suggests_a_deletion(called: str):
    only = {"delete_job": "write", "send_job": "external"}
    assert "did_you_mean" not in suggest_tool(called, only)  # type: ignore[arg-type]


@pytest.mark.parametrize("called", ["remove_job", "drop_job", "send_job", "book_job"])
def test_an_unknown_delete_or_send_tool_suggests_no_other_change(called: str):
    only = {"create_job": "write", "update_job": "write"}
    assert "did_you_mean" not in suggest_tool(called, only)  # type: ignore[arg-type]


def test_a_tools_declared_effect_overrides_its_name_in_suggestions():
    assert "did_you_mean" not in suggest_tool("get_note", {"get_notes": "external"})
    assert suggest_tool("get_note", {"get_notes": "read"}) == {"did_you_mean": "get_notes"}


def test_without_tools_there_is_nothing_to_suggest():
    assert suggest_tool("anything", {}) == {"available": []}


@pytest.mark.parametrize("unit", [":", "a:", "foo_", "Ab"])
def test_suggestions_for_a_huge_name_take_bounded_time(unit: str):
    """32,000 characters took 2.2 s in the event loop."""
    effects: dict[str, Any] = {f"{kind}_{n}": "write" for n in range(20) for kind in ("do", "add")}
    with counted_calls() as calls:
        suggest_tool((unit * 32_000)[:32_000], effects)

    assert calls[0] < 200_000
