"""How long a prompt is kept: chosen by measured pauses, asked for as each provider wants it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from plainloop.agent.base.messages.contents import make_text_message
from plainloop.agent.providers.anthropic.wire import from_message, to_body
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS, find_cache_offer
from plainloop.agent.providers.lifetimes import (
    CacheCosts,
    Gaps,
    Pauses,
    is_long_cheaper,
    read_costs,
    weigh_gaps,
)
from plainloop.agent.providers.model_handle import ModelHandle
from plainloop.agent.providers.provider_state import Asked, Target
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.types import ChatRequest, LLMResponse, Usage
from tests.providers.conversations import ROUND_TRIP
from tests.providers.test_request_bodies import capture

CLAUDE = ModelHandle("anthropic", "claude-sonnet-5-5", create_provider("anthropic", "k", None))
ASKED = ChatRequest("You keep the books. " * 200, [], cache_key="thread")


def make_pauses(mode: Any = "auto") -> tuple[Pauses, list[float]]:
    now = [1_000_000.0]
    return Pauses(mode, lambda: now[0]), now


def ask(pauses: Pauses, handle: ModelHandle = CLAUDE, request: ChatRequest = ASKED) -> str:
    return pauses.plan(request, "acme", handle)[0].cache_for


@pytest.mark.parametrize(
    ("between", "beyond", "new_share", "is_long"),
    [
        (0.0, 0.0, 0.05, False),  # nobody pauses
        (0.30, 0.0, 0.05, True),
        (0.05, 0.0, 0.05, True),  # P = 20 n: from 3 % on
        (0.05, 0.0, 0.20, False),  # P = 5 n: from 11 % on
        (0.05, 0.20, 0.05, False),  # who stays away longer pays twice for nothing
    ],
)
def test_the_longer_lifetime_is_asked_for_where_it_costs_less(
    between: float, beyond: float, new_share: float, is_long: bool
) -> None:
    assert is_long_cheaper(between, beyond, new_share) is is_long


def test_the_factors_are_the_prices_of_the_model() -> None:
    offer = find_cache_offer("openai", "gpt-6.1-terra")
    terra = ModelHandle("openai", "gpt-6.1-terra", CLAUDE.chat)
    assert offer is not None
    assert read_costs(terra, offer) == CacheCosts(1.25, 2.5, 0.05)


def test_a_threads_own_pauses_outweigh_its_tenants() -> None:
    offer = find_cache_offer("anthropic", "claude-sonnet-5-5")
    assert offer is not None
    own, tenant = Gaps(), Gaps()
    tenant.add(10, 1_000)
    own.add(900, 30)
    between, beyond, _ = weigh_gaps(own, tenant, offer)
    assert (round(between, 2), beyond) == (0.71, 0.0)


def test_a_new_thread_begins_with_its_tenants_pauses_and_without_any_with_the_shorter() -> None:
    pauses, _ = make_pauses()
    assert ask(pauses) == "short"
    pauses.start("acme", [[0.0, 900.0, 1800.0, 1810.0]])
    assert ask(pauses, request=replace(ASKED, cache_key="another")) == "long"


def test_a_choice_changes_only_when_the_prefix_is_written_anyway() -> None:
    pauses, now = make_pauses()
    chosen: list[str] = []
    for gap in (0.0, 900.0, 10.0, 900.0, 900.0, 10.0):
        now[0] += gap
        chosen.append(ask(pauses))
    # From the second pause on they count; in between the prompt is warm, and stays as it is.
    assert chosen == ["short", "long", "long", "long", "long", "long"]
    now[0] += 3_000.0
    assert ask(pauses) == "long"


@pytest.mark.parametrize(("mode", "chosen"), [("short", "short"), ("long", "long")])
def test_a_setting_wins_over_the_pauses(mode: str, chosen: str) -> None:
    pauses, now = make_pauses(mode)
    for gap in (0.0, 900.0, 10.0):
        now[0] += gap
        assert ask(pauses) == chosen


def test_the_choice_says_why() -> None:
    pauses, now = make_pauses()
    ask(pauses)
    now[0] += 900.0
    _, note = pauses.plan(ASKED, "acme", CLAUDE)
    assert note == "cache asked for 1h: 1 of 1 pauses were between 5m and 1h, 0 longer"


def test_models_with_one_lifetime_are_asked_for_nothing() -> None:
    pauses, _ = make_pauses()
    gemini = ModelHandle("gemini", "gemini-3.8-flash", CLAUDE.chat)
    assert pauses.plan(ASKED, "acme", gemini) == (ASKED, None)


def make_answer(usage: Usage, answer_id: str | None = None) -> LLMResponse:
    said = make_text_message("assistant", "ok")
    return LLMResponse(said, "end", usage, "claude-sonnet-5-5", response_id=answer_id)


def test_what_is_lost_is_told_apart_by_its_cause() -> None:
    pauses, now = make_pauses()
    handle = replace(CLAUDE, pauses=pauses)
    found: list[dict[str, str]] = []
    for gap, read in ((0.0, 0), (10.0, 2_000), (900.0, 0), (10.0, 0)):
        now[0] += gap
        ask(pauses, handle)
        answer = make_answer(Usage(0, read, 2_000 - read, 0))
        found.append(pauses.weigh(replace(handle, cache_key="thread"), "acme", answer))
    losses = [{name: usd for name, usd in row.items() if "loss" in name} for row in found]
    assert losses == [{}, {}, {"pause_loss_usd": "0.0048"}, {"prefix_loss_usd": "0.0048"}]
    assert [row["cache_saved_usd"] for row in found] == ["-0.001", "0.0038", "-0.001", "-0.001"]


async def test_a_thread_names_its_last_answer_so_that_a_miss_can_be_explained() -> None:
    pauses, _ = make_pauses()
    handle = replace(CLAUDE, pauses=pauses, cache_key="thread")
    first, _ = pauses.plan(ASKED, "acme", handle)
    pauses.weigh(handle, "acme", make_answer(Usage(2_000, output_tokens=1), "msg_1"))
    second, _ = pauses.plan(ASKED, "acme", handle)
    assert (first.answered_before, second.answered_before) == (None, "msg_1")

    at_home = Target("anthropic", "claude-sonnet-5-5", PROVIDER_DEFAULTS["anthropic"].quirks)
    body, _ = to_body(second, at_home)
    assert body["diagnostics"] == {"previous_message_id": "msg_1"}
    assert to_body(first, at_home)[0]["diagnostics"] == {"previous_message_id": None}
    assert "diagnostics" not in to_body(replace(second, cache_key=None), at_home)[0]
    elsewhere = (await capture("anthropic", second))["body"]
    assert "diagnostics" not in elsewhere, "a gateway refuses what it does not know"


@pytest.mark.parametrize(
    ("reason", "notes"),
    [
        (None, ()),
        ({"cache_miss_reason": None}, ()),
        (
            {"cache_miss_reason": {"type": "tools_changed", "cache_missed_input_tokens": 1234}},
            ("cache missed, its provider says: tools_changed, 1,234 tokens",),
        ),
        (
            {"cache_miss_reason": {"type": "previous_message_not_found"}},
            ("cache missed, its provider says: previous_message_not_found",),
        ),
    ],
)
def test_the_providers_reason_for_a_miss_is_noted(reason: Any, notes: tuple[str, ...]) -> None:
    target = Target("anthropic", "claude-sonnet-5-5", PROVIDER_DEFAULTS["anthropic"].quirks)
    said = [{"type": "text", "text": "ok"}]
    body = {"content": said, "stop_reason": "end_turn", "usage": {}, "diagnostics": reason}
    assert from_message(body, Asked(ASKED, target, {}, [], None)).notes == notes


async def test_a_fall_of_what_is_read_is_told_once_with_the_next_call() -> None:
    pauses, _ = make_pauses()
    alarms: list[str | None] = []
    for read in [1_900] * 40 + [0] * 20:
        _, handle = await pauses.plan_call(ASKED, CLAUDE, cast(Any, None), "acme")
        alarms.append(handle.cache_alarm)
        pauses.weigh(handle, "acme", make_answer(Usage(2_000 - read, read, 0, 1)))
    told = [alarm for alarm in alarms if alarm]
    assert len(told) == 1 and told[0].endswith("usually 77 %"), told


@pytest.mark.parametrize(
    ("cache_for", "ttls"),
    [
        ("short", [None, None, None, None]),
        ("stable", ["1h", "1h", None, None]),
        ("long", ["1h", "1h", "1h", "1h"]),
    ],
)
async def test_anthropics_marks_name_the_lifetime(cache_for: Any, ttls: list[str | None]) -> None:
    body = (await capture("anthropic", replace(ROUND_TRIP, cache_for=cache_for)))["body"]
    turns = [turn["content"][-1] for turn in body["messages"] if turn["role"] == "user"]
    marked = [body["tools"][-1], body["system"][-1], *turns[-2:]]
    assert [block["cache_control"].get("ttl") for block in marked] == ttls


async def test_threads_with_one_stable_part_share_openais_key_where_writes_are_billed() -> None:
    keys = {
        (await capture("responses", replace(ROUND_TRIP, cache_key=thread)))["body"][
            "prompt_cache_key"
        ]
        for thread in ("a", "b")
    }
    other = replace(ROUND_TRIP, system="Another.")
    assert len(keys) == 1
    assert (await capture("responses", other))["body"]["prompt_cache_key"] not in keys


async def test_elsewhere_the_key_names_the_stable_part_in_sixteen_parts_by_thread() -> None:
    async def read_key(thread: str, **changes: Any) -> str:
        asked = replace(ROUND_TRIP, cache_key=thread, **changes)
        return (await capture("openai", asked))["body"]["prompt_cache_key"]

    keys = [await read_key(f"thread {n}") for n in range(40)]
    assert {key.rpartition("-")[0] for key in keys} == {keys[0].rpartition("-")[0]}
    assert 8 <= len(set(keys)) <= 16
    assert await read_key("thread 0") == keys[0]
    assert await read_key("thread 0", system="Another.") != keys[0]


async def test_what_asks_openai_once_writes_nothing_but_its_stable_part() -> None:
    body = (await capture("responses", replace(ROUND_TRIP, cache_key=None)))["body"]
    assert body["prompt_cache_options"] == {"mode": "explicit"}
    assert str(body["input"]).count("prompt_cache_breakpoint") == 1
