"""What a replay will cost, beside what replays of the same conversations really cost."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

import httpx2
import pytest

from packages.lab.tests.replay.test_live import Candidate, answer
from packages.lab.tests.test_advise import serve
from plainloop.agent.config.settings import Settings
from plainloop.agent.config.values import Secret
from plainloop.agent.types import ChatRequest, LLMResponse
from plainloop.server.settings import AuthSettings
from tests.fixtures import change_table
from tests.server.conftest import SECRET, Served, ask, begin, serving
from tests.server.replays import TALK, finish, post
from tests.wire_fixtures import StartWire

SONNET, HAIKU = "claude-sonnet-5-5", "claude-haiku-5-5"
CHATS = 6


def respond(request: ChatRequest) -> LLMResponse:
    """Add the job that was asked for, or say hello."""
    return serve(request) if "add a job" in str(request.messages) else answer("Hello.")


@pytest.fixture
async def talked(settings: Settings, wire_server: StartWire) -> AsyncIterator[Served]:
    """A service that has answered chats of ann's, of which some asked no model that adds jobs."""
    server = await wire_server(Candidate(respond))
    chosen = replace(
        settings,
        provider="anthropic",
        model=SONNET,
        api_key=Secret("sk-test"),
        api_base=server.base_url,
    )
    chosen = chosen.change(AuthSettings, jwt_secret=Secret(SECRET))
    async with serving(change_table(chosen, "limits", drain_s=1.0)) as served:
        ann = await served.client("ann")
        for n in range(CHATS):
            chat = await begin(ann)
            await ask(ann, chat, f"add a job: Cook {n} at Initech")
            await ask(ann, chat, f"add a job: Pilot {n} at Initech")
        await ask(ann, await begin(ann), "hello")
        yield served


async def estimate(client: httpx2.AsyncClient, **body: Any) -> Any:
    answer = await client.post("/api/replays/estimate", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_estimates_are_close_to_what_replays_cost(talked: Served) -> None:
    boss = await talked.client("ann", is_admin=True)
    prompts = {it["name"]: it["text"] for it in (await boss.get("/api/prompts")).json()["prompts"]}
    longer = f"{prompts['crm_worker']}\n{'Be brief and kind, and say what you did. ' * 40}"
    bodies: dict[str, tuple[dict[str, Any], int]] = {
        "a cheaper model": ({"model": HAIKU}, CHATS),
        "a longer prompt": ({"prompts": {"crm_worker": longer}}, CHATS),
        "another triage": ({"models": {"triage": HAIKU}}, CHATS),
        "a prompt that no chat used": ({"prompts": {"react": "Be kind."}}, 0),
        "nothing shared": ({"model": HAIKU, "share": False}, CHATS),
        "no baseline": ({"model": HAIKU, "baseline": False}, CHATS),
        "a sample": ({"model": HAIKU, "sample": 3}, 3),
    }
    for name, (body, touched) in bodies.items():
        told = await estimate(boss, **body)
        found = await finish(boss, (await post(boss, **body))["id"])
        cost = Decimal(found["replay"]["cost_usd"])
        about, most = Decimal(told["about_usd"]), Decimal(told["most_usd"])
        assert found["replay"]["status"] == "succeeded", name
        assert cost / Decimal("1.5") < about < cost * Decimal("1.5"), (name, about, cost)
        assert cost <= most, (name, most, cost)
        low, high = Decimal(told["low_usd"]), Decimal(told["high_usd"])
        assert low <= about <= high <= most, (name, told)
        assert abs(told["touched"] - touched) <= 1, (name, told)
        assert told["conversations"] == body.get("sample", CHATS + 1), name
        assert told["stored"] == CHATS + 1


async def test_estimates_of_old_conversations_include_the_first_cache_writes(
    talked: Served,
) -> None:
    boss = await talked.client("ann", is_admin=True)
    body: dict[str, Any] = {"models": {"triage": HAIKU}, "baseline": False, "share": False}
    warm = Decimal((await estimate(boss, **body))["about_usd"])
    async with talked.service.store.transaction("acme") as tx:
        await tx.execute("update llm_calls set created_at = created_at - interval '1 day'")
    async with httpx2.AsyncClient(base_url=str(talked.service.settings.api_base)) as vendor:
        assert (await vendor.post("/__reset")).status_code < 300  # its caches have expired, too
    cold = Decimal((await estimate(boss, **body))["about_usd"])
    found = await finish(boss, (await post(boss, **body))["id"])
    cost = Decimal(found["replay"]["cost_usd"])

    assert cold > warm
    assert cost * Decimal("0.82") < cold < cost * Decimal("1.5"), (warm, cold, cost)


async def test_a_likely_range_ends_at_what_the_recording_paid_without_its_caches(
    talked: Served,
) -> None:
    boss = await talked.client("ann", is_admin=True)
    body: dict[str, Any] = {"models": {"triage": HAIKU}, "baseline": False, "share": False}
    cached = (
        "update llm_calls set created_at = now() - interval '1 day', input_tokens = 0,"
        " cache_read_tokens = $1, cache_write_tokens = $2 where role = 'worker'"
    )
    found = list[tuple[Decimal, Decimal]]()
    for tokens in ((600, 100), (0, 700)):
        async with talked.service.store.transaction("acme") as tx:
            await tx.execute(cached, *tokens)
            paid: Decimal = await tx.fetchval(
                "select sum(cache_write_tokens * 2.5 + cache_read_tokens * 0.2"
                " + output_tokens * 10) / 1e6 from llm_calls where role = 'worker'"
            )
        told = await estimate(boss, **body)
        found.append((Decimal(told["high_usd"]), paid))

    (hit, _), (missed, paid) = found
    assert hit < missed >= paid


async def test_a_prompt_that_no_cache_holds_is_not_estimated_as_read_from_one(
    talked: Served,
) -> None:
    boss = await talked.client("ann", is_admin=True)
    body: dict[str, Any] = {"models": {"triage": HAIKU}, "baseline": False, "share": False}
    async with talked.service.store.transaction("acme") as tx:
        await tx.execute(
            "update llm_calls set created_at = now() - interval '1 day', input_tokens = 0,"
            " cache_read_tokens = 0, cache_write_tokens = 700 where role = 'worker'"
        )
        # The shortest request of the worker, which no cache held.
        await tx.execute(
            "update llm_calls set input_tokens = 300, cache_write_tokens = 0 where call_id ="
            " (select min(call_id::text)::uuid from llm_calls where role = 'worker')"
        )
        written: Decimal = await tx.fetchval(
            "select sum(cache_write_tokens) * 2.5 / 1e6 from llm_calls where role = 'worker'"
        )

    assert Decimal((await estimate(boss, **body))["about_usd"]) > written


async def test_an_experiment_like_another_does_not_pay_for_todays_answers_again(
    talked: Served,
) -> None:
    ann, bob = await talked.client("ann", is_admin=True), await talked.client("bob")
    first = await finish(ann, (await post(ann, model=HAIKU, sample=3))["id"])
    body: dict[str, Any] = {"model": HAIKU, "sample": 3, "like": first["replay"]["id"]}
    refused = await bob.post("/api/replays", json={"like": body["like"]})
    assert (refused.status_code, "there is no replay" in refused.text) == (404, True)
    told = await estimate(ann, **body)
    again = await finish(ann, (await post(ann, **body))["id"])
    cost = Decimal(again["replay"]["cost_usd"])
    assert cost < Decimal(first["replay"]["cost_usd"]) / 2
    assert cost / Decimal("1.5") < Decimal(told["about_usd"]) < cost * Decimal("1.5"), told
    assert again["report"]["summary"]["uncompared"] == 0


async def test_a_limit_below_the_cost_of_one_conversation_is_refused(talked: Served) -> None:
    ann = await talked.client("ann")
    told = await estimate(ann, prompts={"crm_worker": "Be brief."})
    assert told["needed"] == 29, "of 28 without a loss, up to 10.1 of 100 may get worse"
    least = Decimal(told["least_usd"])
    body: dict[str, Any] = {"prompts": {"crm_worker": "Be brief."}, "concurrency": 1}
    low = await ann.post("/api/replays", json={**body, "max_cost_usd": float(least) * 0.9})
    assert (low.status_code, low.json()["error"]["code"]) == (400, "LIMIT_TOO_LOW"), low.text
    assert "one conversation may need" in low.json()["error"]["message"]
    assert (await ann.get("/api/replays")).json() == {"replays": []}
    begun = await post(ann, **body, max_cost_usd=float(least) * 1.01)
    await finish(ann, begun["id"])


async def test_a_limit_is_refused_for_a_model_without_a_price(talked: Served) -> None:
    ann = await talked.client("ann", is_admin=True)
    body = {"model": "claude-nobody-knows", "threads": {}}
    told = await estimate(ann, **body)
    assert (told["about_usd"], told["unpriced"]) == (None, ["anthropic:claude-nobody-knows"])
    for more in ({}, {"threads": None, "conversations": [TALK], "baseline": False}):
        sent = {**body, **more, "max_cost_usd": 1}
        refused = await ann.post("/api/replays", json=sent)
        assert refused.status_code == 400, refused.text
        assert refused.json()["error"]["code"] == "UNPRICED_MODEL"
        assert '[prices."anthropic:claude-nobody-knows"]' in refused.json()["error"]["hint"]
    assert (await ann.get("/api/replays")).json() == {"replays": []}, "nothing was paid"


class Wordy:
    """Answers at some length."""

    words = 40

    def answer(self, request: ChatRequest) -> LLMResponse:
        return serve(request) if request.json_schema else answer("Hello. " * self.words)


async def test_an_estimate_learns_how_long_a_models_answers_are(
    settings: Settings, wire_server: StartWire
) -> None:
    wordy = Wordy()
    server = await wire_server(wordy)
    chosen = replace(settings, provider="anthropic", model=SONNET, api_base=server.base_url)
    chosen = replace(chosen, api_key=Secret("sk-test"))
    chosen = chosen.change(AuthSettings, jwt_secret=Secret(SECRET))
    async with serving(change_table(chosen, "limits", drain_s=1.0)) as served:
        ann = await served.client("ann", is_admin=True)
        for n in range(CHATS):
            await ask(ann, await begin(ann), f"tell me a story about job {n}")
        wordy.words = 400  # the candidate's are ten times as long
        body = {"model": HAIKU, "baseline": False, "share": False}
        before = await estimate(ann, **body)
        first = await finish(ann, (await post(ann, **body))["id"])
        after = await estimate(ann, **body)

    cost = Decimal(first["replay"]["cost_usd"])
    assert before["basis"] == "unknown"
    assert Decimal(before["about_usd"]) < cost / 2
    assert Decimal(before["high_usd"]) >= 2 * Decimal(before["low_usd"])
    assert after["basis"] == "paired"
    assert cost * Decimal("0.8") < Decimal(after["about_usd"]) < cost * Decimal("1.25"), after
    assert Decimal(after["low_usd"]) <= cost <= Decimal(after["high_usd"])


async def test_an_estimate_includes_the_judge(talked: Served) -> None:
    ann = await talked.client("ann", is_admin=True)
    body = {"prompts": {"crm_worker": "Be brief."}}
    plain = await estimate(ann, **body)
    judged = await estimate(ann, **body, judge=f"anthropic:{SONNET}")
    for name in ("low_usd", "about_usd", "high_usd", "most_usd"):
        assert Decimal(judged[name]) > Decimal(plain[name]), name
