"""A model as judge: both orders, each judgement bought once, in the ledger."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from packages.lab.tests.replay.test_live import (
    Candidate,
    answer,
    count_answers,
    wait_for_batch,
    write_rooms,
)
from packages.lab.tests.replay.test_measures import make_turn
from plainloop.agent.store.store import Store
from plainloop.agent.types import ChatRequest, LLMResponse
from plainloop_lab.comparing.judge import (
    RUBRIC,
    TEXT_CHARS,
    build_request,
    decide,
    judge_turn,
    render_earlier,
)
from plainloop_lab.live.plan import make_judge
from tests.cli.conftest import Command, point_at
from tests.cli.conftest import plainloop as plainloop
from tests.wire_fixtures import StartWire

JUDGED = ("--judge", "anthropic:claude-opus-4-5", "--prompts", "mine")


def prefer_short(request: ChatRequest) -> LLMResponse:
    """The candidate, known by its prompt, is short; the judge likes that."""
    if request.json_schema is None:
        return answer("Yes." if "castles" in request.system else "It is with pleasure that I do.")
    text = request.messages[0]["parts"][0]["text"]  # type: ignore[typeddict-item]
    one, other = (part.partition("</answer>")[0] for part in text.split("<answer>")[1:])
    return judge("A" if len(one) < len(other) else "B")


def prefer_the_first(request: ChatRequest) -> LLMResponse:
    return prefer_short(request) if request.json_schema is None else judge("A")


def say_nonsense(request: ChatRequest) -> LLMResponse:
    return prefer_short(request) if request.json_schema is None else answer("Both are nice.")


def judge(winner: str) -> LLMResponse:
    return answer(orjson.dumps({"reason": f"because of {winner}", "winner": winner}).decode())


def write_castles(folder: Path) -> tuple[str, ...]:
    (folder / "mine").mkdir()
    (folder / "mine" / "react.md").write_text("You book castles.\n")
    return (*write_rooms(folder), *JUDGED, "--report", "out")


def load_report(folder: Path) -> Any:
    return orjson.loads((folder / "out" / "report.json").read_bytes())


@pytest.mark.parametrize(
    ("model", "winner", "value"),
    [(prefer_short, "candidate", 1.0), (prefer_the_first, "tie", 0.5), (say_nonsense, None, None)],
)
async def test_a_judges_preference_counts_only_if_equal_in_both_orders(
    model: Any,
    winner: str | None,
    value: float | None,
    plainloop: Command,
    wire_server: StartWire,
    store: Store,
    tmp_path: Path,
) -> None:
    server = await wire_server(Candidate(model))
    environ = point_at("anthropic", server.base_url)
    done = await plainloop(*write_castles(tmp_path), **environ)
    assert done.code == 0, done
    assert "judge: anthropic:claude-opus-4-5" in done.out
    report = load_report(tmp_path)
    turns = report["conversations"][0]["turns"]
    assert [turn["judgement"]["winner"] for turn in turns] == [winner] * 2
    assert [turn["measures"]["candidate"].get("judged") for turn in turns] == [value] * 2
    asked = [e["body"] for e in server.requests if "two answers" in str(e["body"]["system"])]
    assert len(asked) == (4 if model is not say_nonsense else 8), "nonsense is asked for once more"
    assert {body["model"] for body in asked} == {"claude-opus-4-5"}
    assert report["ledger"]["calls"] == len(server.requests)
    rows = await store.read("local").fetch(
        "select node, model, status, replay_id is not null as bought from llm_calls "
        "where tenant_id = 'local' and role = 'evaluator'"
    )
    row = {"node": "judge", "model": "claude-opus-4-5", "status": "succeeded", "bought": True}
    assert [dict(found) for found in rows] == [row] * len(asked)


async def test_a_resumed_judge_buys_no_judgement_twice(
    plainloop: Command, wire_server: StartWire, store: Store, tmp_path: Path
) -> None:
    server = await wire_server(Candidate(prefer_short))
    environ = point_at("anthropic", server.base_url)
    limit = ("--max-cost-usd", "0.002", "--concurrency", "1")
    stopped = await plainloop(*write_castles(tmp_path), *limit, **environ)
    replay_id = await wait_for_batch(store)
    assert stopped.code == 6, stopped
    bought = len(server.requests)
    done = await plainloop("replay", "resume", replay_id, "--max-cost-usd", "9", **environ)
    assert done.code == 0, done
    assert bought < len(server.requests) == 8
    assert await count_answers(store, replay_id) == 8


async def test_a_judge_reads_the_given_rubric_and_skips_equal_answers(
    plainloop: Command, wire_server: StartWire, tmp_path: Path
) -> None:
    server = await wire_server(Candidate(prefer_short))
    environ = point_at("anthropic", server.base_url)
    (tmp_path / "mine.txt").write_text("Count the {vowels}.")
    arguments = (*write_castles(tmp_path), "--rubric", "mine.txt")
    await plainloop(*arguments, **environ)
    assert "Count the {vowels}." in str(server.requests[-1]["body"]["system"])
    before = len(server.requests)
    await plainloop(*write_rooms(tmp_path), *JUDGED[:2], "--no-share", "--report", "out", **environ)
    assert len(server.requests) == before + 4, "two turns in two lanes, no judgement"
    assert load_report(tmp_path)["conversations"][0]["turns"][0]["judgement"] == {
        "turn": 0,
        "winner": "tie",
        "reasons": [],
        "answers": [],
    }


async def test_missing_judge_settings_are_refused_before_any_cost(
    plainloop: Command, wire_server: StartWire, tmp_path: Path
) -> None:
    server = await wire_server(Candidate(prefer_short))
    environ = point_at("anthropic", server.base_url)
    for arguments, told in (
        (("--judge", "openai:gpt-4o"), "OPENAI_API_KEY"),
        (("--judge", "nobody:x"), "nobody"),
        (("--judge", "anthropic", "--rubric", "none.txt"), "none.txt"),
    ):
        done = await plainloop(*write_rooms(tmp_path), *arguments, **environ)
        assert (done.code != 0, told in done.err) == (True, True), done
    assert server.requests == []


def test_a_judge_sees_no_hint_which_answer_is_the_candidates() -> None:
    request = build_request("r", "", "u", "one", "other")
    shown = request.system + str(request.messages)
    assert not [word for word in ("candidate", "baseline", "recording") if word in shown.lower()]
    assert decide("A", "A") == decide("tie", "A") == decide("None", "None") == "tie"


def test_a_judge_sees_the_newest_of_a_long_conversation() -> None:
    before = [(f"question {n}", "A long story. " * 200) for n in range(5)]
    shown = render_earlier([*before, ("Which hotel?", "The one at the lake.")])
    assert shown.endswith("\nUser: Which hotel?\nAssistant: The one at the lake.")
    assert (len(shown), shown[0], "question 0" in shown) == (TEXT_CHARS, "…", False)


def test_a_judges_effort_is_no_part_of_its_models_name() -> None:
    prefix = "AGENT_AGENTS_EVALUATOR"
    named = {f"{prefix}_PROVIDER": "openai", f"{prefix}_MODEL": "gpt-6-luna"}
    found = [make_judge(f"openai:gpt-6-luna{end}", None).settings for end in ("", "@high")]
    assert found == [named, named | {f"{prefix}_EFFORT": "high"}]


async def test_long_answers_with_different_ends_are_no_tie() -> None:
    """A judge sees the beginning of each: what only the rest shows, it cannot prefer or equal."""
    ctx: Any = None  # nobody is asked
    verdicts: list[Any] = []
    for end in ("Booked.", "Not booked."):
        long = "A long story. " * (TEXT_CHARS // 10)
        lanes = {
            "baseline": make_turn(text=f"{long}Booked."),
            "candidate": make_turn(text=long + end),
        }
        turn: Any = {"turn": 0, "user": "Book it", "lanes": lanes}
        found = await judge_turn(turn, [], "baseline", RUBRIC, ctx)
        verdicts.append((found["winner"], found["answers"]))
    assert verdicts == [("tie", []), (None, [])]
