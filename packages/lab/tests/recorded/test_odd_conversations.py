"""Conversations of every shape that is valid somewhere: replayed whole, taken by providers."""

from __future__ import annotations

from typing import Any

import pytest

from packages.lab.tests.recorded.test_openai_format import ask_tool, line, tell, user
from plainloop.agent.config.settings import load_settings
from plainloop_lab.replay.engine.recorded import replay_imported
from plainloop_lab.replay.sources.openai_format import parse_conversation
from plainloop_lab.replay.sources.tool_inference import infer_tools
from tests.cli.conftest import plainloop as plainloop

Said = dict[str, Any]


def say(text: str = "yes") -> Said:
    return {"role": "assistant", "content": text}


def ask_many(*ids: str) -> Said:
    calls = [call for i in ids for call in ask_tool(i)["tool_calls"]]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def ask_with(arguments: Any) -> list[Said]:
    return [user("x"), ask_tool("a", "find", arguments), tell("a"), say()]


# By name: the messages, and what becomes of each turn.
ODD: dict[str, tuple[list[Said], str]] = {
    "the model begins": ([say("Hi"), user("x"), say(), user("y"), say()], "same same"),
    "it begins with a call": ([ask_tool("a"), tell("a"), say(), user("x"), say()], "same"),
    "a user who speaks twice": (
        [user("x"), user("y"), say(), user("z"), user("z"), say()],
        "unanswered same unanswered same",
    ),
    "a model that speaks twice": ([user("x"), say("1"), say("2"), user("y"), say()], "same same"),
    "twenty calls at once": (
        [user("x"), ask_many(*"abcdefghijklmnopqrst"), *map(tell, "tsrqponmlkjihgfedcba"), say()],
        "same",
    ),
    "words beside a call": ([user("x"), {**ask_tool("a"), "content": "So."}, tell("a")], "partial"),
    "an end inside a call": ([user("x"), ask_tool("a")], "partial"),
    "a question only": ([user("x")], "unanswered"),
    "arguments that are no JSON": (ask_with("{oops"), "same"),
    "arguments that are a list": (ask_with("[1]"), "same"),
    "no arguments": (ask_with(None), "same"),
    "keys that are strange": (ask_with('{"": 1, "$ref": "#", "a b": {"c": [null, 1e9]}}'), "same"),
    "an empty result": ([user("x"), ask_tool("a"), tell("a", ""), say()], "same"),
    "the same call again and again": (
        [user("x"), *(m for i in range(30) for m in (ask_tool(f"c{i}"), tell(f"c{i}"))), say()],
        "same",
    ),
    "a tool called as a node": ([user("x"), ask_tool("a", "react"), tell("a"), say()], "same"),
    "a marker of ours": ([user("x"), say("So [ONBOARDING_COMPLETE] it is")], "same"),
    "letters of all kinds": ([user("\u0000é\u2028\U0001f600"), say("\ufeffж\r\n\t")], "same"),
    "only blanks around": (
        [{"role": "developer", "content": " "}, user(" x "), say(" y ")],
        "same",
    ),
    "the API of 2023": (
        [
            user("x"),
            {"role": "assistant", "content": None, "function_call": {"name": "find"}},
            {"role": "function", "name": "find", "content": "1"},
            say(),
        ],
        "same",
    ),
    "a refusal": ([user("x"), {"role": "assistant", "content": None, "refusal": "No."}], "same"),
}


@pytest.mark.parametrize("name", ODD)
async def test_each_odd_imported_conversation_replays_without_divergence(name: str) -> None:
    messages, outcomes = ODD[name]
    talk = parse_conversation(line(*messages), 1)
    replayed = await replay_imported(talk, infer_tools([talk]), load_settings({}))
    assert replayed.divergence is None
    assert " ".join(turn.outcome for turn in replayed.turns) == outcomes
