"""The last call of a turn that requires a tool: only the client's own tools are left to call."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.core.answers import AnswerStream
from plainloop.agent.core.spec import WorkerSpec
from plainloop.agent.core.state import initialize_state
from plainloop.agent.core.tools import Tool, ToolRegistry
from plainloop.agent.store.store import Store
from plainloop.agent.types import Message, RunOptions, StreamDelta, ToolChoice, ToolSchema, Wishes
from plainloop.agent.workers._base_worker import make_worker_node
from tests.core.conversations import call, result, user
from tests.core.model_calls import make_caller
from tests.machine.scripted import ScriptedProvider, text, tools

SPEC = WorkerSpec("w", "", "You work.", ("look",))
EMPTY: dict[str, Any] = {"type": "object", "properties": {}}
REQUIRED = RunOptions(
    client_tools=(ToolSchema("theirs", "Theirs.", EMPTY),),
    wishes=Wishes(tool_choice=ToolChoice("required")),
)
NEW = call("c0")
SAME: list[Message] = [item for n in range(2) for item in (call(f"c{n}"), result(f"c{n}"))]


async def look(tool: Any) -> Any:
    return {}


@pytest.mark.parametrize(
    ("earlier", "options", "limits", "offered"),
    [
        ([], REQUIRED, {}, ["look", "theirs"]),
        ([], REQUIRED, {"worker_turns": 1}, ["theirs"]),  # no turn is left after this one
        ([], replace(REQUIRED, wishes=Wishes()), {"worker_turns": 1}, ["look", "theirs"]),
        ([*SAME], REQUIRED, {"repeated_calls": 4}, ["look", "theirs"]),
        ([*SAME], REQUIRED, {"repeated_calls": 3}, ["theirs"]),  # once more would end the run
        ([NEW, result("c0")], REQUIRED, {"repeated_calls": 3}, ["look", "theirs"]),
    ],
)
async def test_the_last_call_of_a_turn_has_only_the_clients_tools(
    earlier: list[Message],
    options: RunOptions,
    limits: dict[str, int],
    offered: list[str],
    store: Store,
    settings: Settings,
):
    required = options.wishes.tool_choice is not None
    answer = tools(("c9", "theirs", {})) if required else text("done")
    provider = ScriptedProvider(answer)
    ours = await make_caller(store, settings, provider, **limits)
    own = Tool("look", "Look.", "write", look, parameters=EMPTY)
    registry = ToolRegistry((own,)).extend(options.client_tools, "")
    run = replace(ours.ctx.run, options=options)
    ctx = replace(ours.ctx, run=run, tools=registry)
    update, _ = await make_worker_node(SPEC)(initialize_state([user("go"), *earlier]), ctx)
    (request,) = provider.requests
    assert [tool.name for tool in request.tools] == offered
    assert [part["type"] for part in update["messages"][0]["parts"]] == (
        ["tool_call"] if required else ["text"]
    )


async def test_a_final_answer_that_differs_from_the_stream_replaces_it(
    store: Store, settings: Settings
):
    ours = await make_caller(store, settings)
    stream = AnswerStream("", ours.ctx)
    for piece in ("Half ", "of it"):
        await stream.show(StreamDelta(text=piece))
    stream.finish()
    await stream.settle(text("Something else").message)
    assert [(event["event"], event["data"]) for event in ours.events] == [
        ("text_delta", {"content": "Half "}),
        ("text_delta", {"content": "of it"}),
        ("text_reset", {"reason": "the answer was changed"}),
        ("text_delta", {"content": "Something else"}),
    ]
    assert ours.ctx.journal.partial_text == "Something else"
