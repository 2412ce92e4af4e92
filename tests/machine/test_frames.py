"""How deep the machine is: project frames between `run_agent` and the call into an SDK or into the
database's driver."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import plainloop
from plainloop import agent
from plainloop.agent.config.values import Secret
from plainloop.agent.core.models import connect_models
from plainloop_wire.script import parse_script
from tests.machine.scripted import text, tools, triage

FRAMES_AT_MOST = 5
FRAMES_TO_SQL_AT_MOST = 8
FRAMES_WITH_TASKS_AT_MOST = 11  # a step that is stored with the next call's row
PROJECT = tuple(str(Path(name).parent) for name in (plainloop.__file__, agent.__file__))
SDK_FOLDERS = {
    # These two SDKs build an endpoint's request once; what sends it stands in the SDK's place.
    "anthropic": "/providers/http/prepared.py",
    "openai": "/providers/http/prepared.py",
    "gemini": "/site-packages/google/genai/",
    "ollama": "/site-packages/httpx2/",  # it has no SDK: the call into the HTTP client
}
SCRIPT = [
    {
        "match": {"system": "You sort requests"},
        "answer": {
            "json": {
                "worker": "note_writer",
                "success_criteria": "",
                "fast_intent": "none",
                "entity_type": "none",
                "filters": [],
            }
        },
    },
    {
        "match": {"after_tool": False},
        "answer": {"tool_calls": [{"name": "list_notes", "arguments": {}}]},
    },
    {"match": {"after_tool": True}, "answer": {"text": "No notes."}},
]


Stacks = dict[str, list[str]]  # by the coroutine that runs in a task: who started the task


def list_project_frames(frame: FrameType | None, spawned: Stacks) -> list[str] | None:
    """The project's functions from `run_agent` (not counted) down to this frame; None outside.

    A task's frames follow those of whoever started it.
    """
    found: list[str] = []
    while frame is not None:
        if frame.f_code.co_filename.startswith(PROJECT):
            if frame.f_code.co_name == "run_agent":
                return found[::-1]
            found.append(frame.f_code.co_name)
        frame = frame.f_back
    if found and found[-1] in spawned:
        return [*spawned[found[-1]], *found[::-1]]
    return None


@contextmanager
def watch_sdk_calls(folder: str) -> Iterator[list[list[str]]]:
    """Collects the project's frames of each call that goes from our code into the SDK."""
    stacks: list[list[str]] = []
    spawned: Stacks = {}

    def see(frame: FrameType, event: str, arg: Any) -> None:
        caller, called = frame.f_back, frame.f_code
        if event != "call" or caller is None:
            return
        if not caller.f_code.co_filename.startswith(PROJECT):
            return
        is_task = called.co_name == "create_task"
        is_sdk_call = folder in called.co_filename and called.co_flags & inspect.CO_COROUTINE
        if folder.endswith(".py"):
            is_sdk_call = is_sdk_call and called.co_name == "send"
        if not is_task and not is_sdk_call:
            return
        stack = list_project_frames(caller, spawned)
        if stack is not None and is_task:
            spawned[frame.f_locals["coro"].__name__] = stack
        elif stack is not None:
            stacks.append(stack)

    sys.setprofile(see)
    try:
        yield stacks
    finally:
        sys.setprofile(None)


@pytest.mark.parametrize("provider", SDK_FOLDERS)
async def test_at_most_five_frames_lie_between_run_agent_and_the_sdk(
    machine, settings, wire_server, provider, record_property
):
    server = await wire_server(script=parse_script(SCRIPT))
    base = server.openai_url if provider == "openai" else server.base_url
    own = replace(settings, provider=provider, api_key=Secret("any"), api_base=base)
    run = await machine(models=await connect_models(own))
    with watch_sdk_calls(SDK_FOLDERS[provider]) as stacks:
        told = await run.ask("what did I write down")

    assert told.answer == "No notes."
    worker = max((stack for stack in stacks if stack[:1] == ["worker"]), key=len)
    record_property("frames", " → ".join(worker))
    print(f"{provider}: {len(worker)} frames: {' → '.join(worker)}")
    # Where the SDK's request was built before, the channel waits for its sending: one frame more.
    most = FRAMES_AT_MOST + SDK_FOLDERS[provider].endswith(".py")
    assert len(worker) <= FRAMES_AT_MOST, worker
    assert max(len(stack) for stack in stacks) <= most, stacks


async def test_at_most_eight_frames_lie_between_run_agent_and_the_sql_driver(
    machine, record_property
):
    """In one stack: what a cancellation must not cut runs in a task of its own."""
    add = tools(("c1", "add_note", {"text": "milk"}))
    run = await machine(triage("note_writer"), add, text("Noted."))
    with watch_sdk_calls("/site-packages/asyncpg/") as stacks:
        told = await run.ask("note milk")

    assert told.answer == "Noted."
    whole = max(stacks, key=len)
    alone = max(map(cut_at_task, stacks), key=len)
    record_property("frames", " → ".join(whole))
    print(f"{len(alone)} frames: {' → '.join(alone)}; {len(whole)} with tasks: {' → '.join(whole)}")
    assert len(alone) <= FRAMES_TO_SQL_AT_MOST, alone
    assert len(whole) <= FRAMES_WITH_TASKS_AT_MOST, whole


def cut_at_task(stack: list[str]) -> list[str]:
    """The stack in which SQL is sent, where a task of its own sends it."""
    guard = "finish_despite_cancel"
    return stack[stack.index(guard) + 1 :] if guard in stack else stack
