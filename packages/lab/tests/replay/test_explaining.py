"""One conversation of a live replay: its first difference, the cause, the command to repeat it."""

from __future__ import annotations

import html
from typing import Any

import httpx2
import pytest

from packages.lab.tests.replay.test_measures import make_item, make_turn
from plainloop_lab.comparing.comparison import compare_conversation
from plainloop_lab.comparing.explaining import explain_difference, write_command
from plainloop_lab.live.plan import BASELINE, CANDIDATE, LanePlan, LivePlan
from tests.server.conftest import Served
from tests.server.conftest import ann as ann
from tests.server.conftest import serve as serve
from tests.server.conftest import served as served
from tests.server.replays import TALK, finish, post

FIND = {"name": "find", "arguments": {"beds": 2}, "served": "then"}
BOOK = {"name": "book", "arguments": {"room": 7}, "served": "then"}
PROMPT = LanePlan(prompts={"clerk": "Be kind."})


def explain(plan: LanePlan, before: dict[str, Any], now: dict[str, Any]) -> Any:
    turns = [make_turn(**before), make_turn(**now)]
    items = {BASELINE: make_item([turns[0]]), CANDIDATE: make_item([turns[1]])}
    said = {turns[0]["turn"]: "a room"}
    found = compare_conversation(0, "t1", said, [turns[0]], items)
    whole = LivePlan({BASELINE: LanePlan(), CANDIDATE: plan})
    return explain_difference(found, BASELINE, whole)


@pytest.mark.parametrize(
    ("plan", "before", "now", "cause", "told"),
    [
        (
            PROMPT,
            {"text": "Room 7."},
            {"text": "Room 8."},
            "prompt",
            "With new prompt for clerk, turn 1 is the first that differs: ",
        ),
        (
            LanePlan({"AGENT_MODEL": "small"}),
            {"text": "Room 7."},
            {"text": "Room 8."},
            "model",
            "With small, turn 1",
        ),
        (
            LanePlan(),
            {"text": "Room 7."},
            {"text": "Room 8."},
            "chance",
            "With today's configuration",
        ),
        (PROMPT, {"tools": [FIND]}, {"tools": [FIND, BOOK]}, "tool", "With new prompt"),
        (PROMPT, {"tools": [FIND, BOOK]}, {"tools": [BOOK, FIND]}, "order", "With new prompt"),
        (PROMPT, {"path": ["clerk"]}, {"path": ["writer"]}, "rule", "With new prompt"),
    ],
)
def test_explain_states_a_replays_first_difference_in_a_sentence(
    plan: LanePlan, before: dict[str, Any], now: dict[str, Any], cause: str, told: str
) -> None:
    found = explain(plan, before, now)
    assert (found["turn"], found["cause"], found["sentence"][: len(told)]) == (0, cause, told)


def test_explain_returns_nothing_for_equal_answers() -> None:
    assert explain(PROMPT, {}, {}) is None


def test_replay_explain_names_the_candidates_changes() -> None:
    lane = LanePlan({"AGENT_MODEL": "a b"}, {"clerk": "x"})
    found: Any = {"conversation_id": "t1"}
    assert write_command(found, LivePlan({CANDIDATE: lane}), is_thread=True) == (
        "plainloop replay live --thread t1 --prompts DIR --set 'AGENT_MODEL=a b' --no-baseline"
    )


async def test_a_difference_is_explained_over_http_as_json_and_page(
    served: Served, ann: httpx2.AsyncClient
) -> None:
    made = await post(ann, conversations=[TALK], baseline=False)
    await finish(ann, made["id"])
    path = f"/api/replays/{made['id']}/conversations/0"
    shown = (await ann.get(path)).json()
    assert shown["command"] == "plainloop replay live --from FILE.jsonl --no-baseline"
    page = await ann.get(path, params={"format": "html"})
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert ("Run it again" in page.text, "<script" in page.text) == (True, False)
    sentence = shown["explanation"]["sentence"] if shown["explanation"] else "Nothing differs."
    assert sentence in html.unescape(page.text)
    other = await served.client("bob")
    assert (await other.get(path, params={"format": "html"})).status_code == 404
