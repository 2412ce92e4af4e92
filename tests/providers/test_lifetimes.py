"""How long a prompt is kept: chosen by measured pauses, asked for as each provider wants it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from plainloop.agent.base.messages.contents import make_text_message
from plainloop.agent.providers.anthropic.wire import from_message, to_body
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS, find_cache_offer
from plainloop.agent.providers.lifetimes import CacheCosts, Pauses, is_long_cheaper, read_costs
from plainloop.agent.providers.model_handle import ModelHandle
from plainloop.agent.providers.provider_state import SentCall, Target
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.types import ChatRequest, LLMResponse, Usage
from scripts.benchmarks.pauses import Ledger
from tests.providers.conversations import ROUND_TRIP
from tests.providers.test_request_bodies import capture

CLAUDE = ModelHandle("anthropic", "claude-sonnet-5-5", create_provider("anthropic", "k", None))
SAID = [make_text_message("user", "Hi."), make_text_message("assistant", "Hello.")]
ASKED = ChatRequest("You keep the books. " * 200, SAID, cache_key="thread")


class Planning:
    """One replica's choices for one tenant, over a ledger in memory."""

    def __init__(self, mode: Any = "auto") -> None:
        self.now = 1_000_000.0
        self.ledger = Ledger("acme")
        self.pauses = Pauses(mode, lambda: self.now)

    async def plan(
        self, request: ChatRequest = ASKED, handle: ModelHandle = CLAUDE, worker: str = "clerk"
    ) -> tuple[ChatRequest, ModelHandle]:
        ledger = cast(Any, self.ledger)
        return await self.pauses.plan_call(request, handle, ledger, "worker", worker)

    def call(self, *gaps: float, read: int | None = None) -> None:
        """Answer the thread once after each of these pauses."""
        for gap in gaps:
            self.now += gap
            cached = read or 0
            self.ledger.add("thread", self.now, Usage(2_000 - cached, read, None, 1))


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
def test_the_longer_cache_lifetime_is_chosen_if_cheaper(
    between: float, beyond: float, new_share: float, is_long: bool
) -> None:
    assert is_long_cheaper(between, beyond, new_share) is is_long


def test_cache_lifetime_choices_use_the_models_prices() -> None:
    offer = find_cache_offer("openai", "gpt-6.1-terra")
    terra = ModelHandle("openai", "gpt-6.1-terra", CLAUDE.chat)
    assert offer is not None
    assert read_costs(terra, offer) == CacheCosts(1.25, 2.5, 0.05)


async def test_lifetimes_are_measured_hourly_from_the_tenants_threads() -> None:
    planning = Planning()
    chosen = [(await planning.plan())[0].cache_for]
    planning.call(*[900.0] * 20)
    chosen.append((await planning.plan())[0].cache_for)
    planning.call(*[5.0] * 400)
    chosen.append((await planning.plan())[0].cache_for)
    planning.now += 3_601
    chosen.append((await planning.plan())[0].cache_for)

    assert chosen == ["short", "long", "long", "short"]


async def test_cache_lifetimes_are_reconsidered_hourly() -> None:
    planning = Planning()
    await planning.plan()
    planning.call(*[30.0] * 40)
    planning.ledger.fetch = cast(Any, None)  # not read: it would fail

    assert (await planning.plan())[0].cache_for == "short"


async def test_too_few_pauses_do_not_lengthen_the_cache_lifetime() -> None:
    planning = Planning()
    planning.call(10.0, 10.0, 900.0)

    assert (await planning.plan())[0].cache_for != "long"


async def test_the_shared_prefix_is_cached_longer_if_calls_are_rare() -> None:
    planning = Planning()
    for n in range(30):  # each thread once
        planning.now += 900.0
        planning.ledger.add(f"thread {n}", planning.now, Usage(2_000, 0, None, 1))
    asked, _ = await planning.plan()
    once, _ = await planning.plan(replace(ASKED, cache_key=None), worker="other")

    assert (asked.cache_for, once.cache_for) == ("stable", "stable")


@pytest.mark.parametrize(("mode", "chosen"), [("short", "short"), ("long", "long")])
async def test_the_cache_lifetime_setting_overrides_measurement(mode: str, chosen: str) -> None:
    planning = Planning(mode)
    planning.call(*[900.0 if mode == "short" else 10.0] * 20)
    request, handle = await planning.plan()

    assert (request.cache_for, handle.is_long) == (chosen, chosen == "long")
    assert (await planning.plan(replace(ASKED, cache_key=None)))[0].cache_for != "long"


async def test_a_cache_lifetime_choice_is_noted_with_its_reason() -> None:
    planning = Planning()
    planning.call(*[900.0] * 20)
    _, handle = await planning.plan()
    assert handle.notes == (
        "cache asked for 1h: 19 of 19 recent pauses were between 5m and 1h, 0 longer",
    )


async def test_the_default_cache_lifetime_is_not_noted() -> None:
    request, handle = await Planning().plan()
    assert (request.cache_for, handle.notes) == ("short", ())


async def test_models_with_one_cache_lifetime_get_no_parameter() -> None:
    planning = Planning("long")
    planning.call(*[900.0] * 20)
    gemini = ModelHandle("gemini", "gemini-3.8-flash", CLAUDE.chat)
    request, handle = await planning.plan(handle=gemini)
    assert (request, handle.notes) == (ASKED, ())


def make_answer(usage: Usage, answer_id: str | None = None) -> LLMResponse:
    said = make_text_message("assistant", "ok")
    return LLMResponse(said, "end", usage, "claude-sonnet-5-5", response_id=answer_id)


async def test_requests_name_the_last_answer_to_explain_cache_misses() -> None:
    planning = Planning()
    first, handle = await planning.plan()
    answer = make_answer(Usage(2_000, output_tokens=1), "msg_1")
    planning.pauses.note_answer(handle, "thread", answer)
    second, _ = await planning.plan()
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
def test_the_providers_cache_miss_reason_is_noted(reason: Any, notes: tuple[str, ...]) -> None:
    target = Target("anthropic", "claude-sonnet-5-5", PROVIDER_DEFAULTS["anthropic"].quirks)
    said = [{"type": "text", "text": "ok"}]
    body = {"content": said, "stop_reason": "end_turn", "usage": {}, "diagnostics": reason}
    assert from_message(body, SentCall(ASKED, target, {}, [], None)).notes == notes


async def test_a_drop_in_cache_reads_is_reported_once() -> None:
    planning = Planning()
    alarms: list[str | None] = []
    for read in (1_900, 0, 0):
        planning.call(*[60.0] * 30, read=read)
        planning.now += 3_601
        alarms.append((await planning.plan())[1].cache_alarm)
    told = "of what was sent before, 0 % is read from the provider's cache, usually 56 %"
    assert alarms == [None, told, None]


@pytest.mark.parametrize(
    ("cache_for", "ttls"),
    [
        ("short", [None, None, None, None]),
        ("stable", ["1h", "1h", None, None]),
        ("long", ["1h", "1h", "1h", "1h"]),
    ],
)
async def test_anthropic_cache_markers_name_the_lifetime(
    cache_for: Any, ttls: list[str | None]
) -> None:
    body = (await capture("anthropic", replace(ROUND_TRIP, cache_for=cache_for)))["body"]
    turns = [turn["content"][-1] for turn in body["messages"] if turn["role"] == "user"]
    marked = [body["tools"][-1], body["system"][-1], *turns[-2:]]
    assert [block["cache_control"].get("ttl") for block in marked] == ttls


async def test_billed_openai_cache_writes_share_one_cache_key() -> None:
    keys = {
        (await capture("responses", replace(ROUND_TRIP, cache_key=thread)))["body"][
            "prompt_cache_key"
        ]
        for thread in ("a", "b")
    }
    other = replace(ROUND_TRIP, system="Another.")
    assert len(keys) == 1
    assert (await capture("responses", other))["body"]["prompt_cache_key"] not in keys


async def test_unbilled_openai_caches_use_sixteen_keys_per_prefix() -> None:
    async def read_key(thread: str, **changes: Any) -> str:
        asked = replace(ROUND_TRIP, cache_key=thread, **changes)
        return (await capture("openai", asked))["body"]["prompt_cache_key"]

    keys = [await read_key(f"thread {n}") for n in range(40)]
    assert {key.rpartition("-")[0] for key in keys} == {keys[0].rpartition("-")[0]}
    assert 8 <= len(set(keys)) <= 16
    assert await read_key("thread 0") == keys[0]
    assert await read_key("thread 0", system="Another.") != keys[0]


async def test_single_openai_calls_cache_only_the_stable_prefix() -> None:
    body = (await capture("responses", replace(ROUND_TRIP, cache_key=None)))["body"]
    assert body["prompt_cache_options"] == {"mode": "explicit"}
    assert str(body["input"]).count("prompt_cache_breakpoint") == 1
