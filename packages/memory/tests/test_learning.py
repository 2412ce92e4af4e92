"""What users said in conversations that have ended is kept where a setting says so: their own words
only, and nothing of a page's."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plainloop.agent.errors import ConfigError, ModelAuthError
from plainloop_memory import learning, make_host
from plainloop_memory.learning import LearnHost
from tests.machine.running import TENANT
from tests.machine.scripted import text, tools, triage
from tests.server.conftest import Serve, Served, ask, begin
from tests.server.test_tenants import load_everything

from .conftest import with_memory

SAID = "I always take the Zyzzyva night train. What is my list?"
QUOTE = "I always take the Zyzzyva night train"
LISTED = (triage("crm_worker"), tools(("c1", "list_jobs", {})), text("You live in Oslo now."))


@pytest.fixture
def settings(settings: Any) -> Any:
    return with_memory(settings, learn_after_s=0.001)


@pytest.fixture
async def served(serve: Serve) -> Served:
    return await serve(text("not asked yet"))


def choose(*quotes: Any) -> Any:
    return text(json.dumps({"quotes": quotes}))


def get_model(served: Served) -> Any:
    return served.service.models.first  # type: ignore[attr-defined]


async def look(served: Served, *answers: Any) -> None:
    """The replica's own look, now."""
    (host,) = [host for host in served.replica.hosts if isinstance(host, LearnHost)]
    get_model(served).script[:] = answers
    await host.look()


async def talk(served: Served, said: str = SAID, conversation: str | None = None) -> str:
    ann = await served.client("ann")
    conversation = conversation or await begin(ann)
    get_model(served).script[:] = LISTED
    await ask(ann, conversation, said)
    return conversation


async def list_kept(served: Served, user: str = "ann") -> list[tuple[Any, ...]]:
    client = await served.client(user)
    rows = (await client.get("/api/memories")).json()["memories"]
    return [(row["text"], row["conversation_id"], row["position"]) for row in rows]


async def test_learning_stores_a_user_quote_once_with_its_position(served: Served):
    conversation = await talk(served)
    await look(served, choose(QUOTE, "You live in Oslo now", "always take", "the user lives here"))
    asked = get_model(served).requests[-1]
    kept = await list_kept(served)
    await look(served)  # nothing is new: no model is asked
    await talk(served, "I like tea with lemon", conversation)
    await look(served, choose("I like tea with lemon", QUOTE))
    again = get_model(served).requests[-1]

    assert sorted(kept) == [(QUOTE, conversation, 0), ("always take", conversation, 0)]
    shown = asked.messages[0]["parts"][0]["text"]
    assert SAID in shown and "Oslo" not in shown
    assert SAID not in again.messages[0]["parts"][0]["text"]
    assert (await list_kept(served))[0][0] == "I like tea with lemon"
    assert len(await list_kept(served)) == 3
    assert await list_kept(served, "bob") == []


async def test_learning_leaves_no_copy_in_other_tables(served: Served):
    conversation = await talk(served)
    await look(served, choose(QUOTE))
    calls = await served.service.store.read(TENANT).fetch(
        "select response, extra_messages, input_tokens from llm_calls where worker = 'memory'"
    )
    ann = await served.client("ann")
    await ann.delete(f"/api/chat/conversations/{conversation}")

    assert [(row["response"], row["extra_messages"]) for row in calls] == [(None, None)]
    assert calls[0]["input_tokens"] > 0
    assert b"Zyzzyva" not in await load_everything(served.service.store, TENANT)
    assert await list_kept(served) == []


async def test_learning_stores_nothing_after_a_model_failure_or_invalid_answer(served: Served):
    await talk(served)
    await look(served, ModelAuthError("no"))
    await talk(served)
    await look(served, text("none"), text("no JSON"))
    await talk(served)
    await look(served, choose(None, 7, "", "x" * 400))

    assert await list_kept(served) == []


async def test_two_replicas_learn_only_once_from_a_conversation(serve: Serve, served: Served):
    other = await serve(text("not asked yet"))
    await talk(served)
    await look(served, choose(QUOTE))
    await look(other)

    assert len(get_model(other).requests) == 0
    assert len(await list_kept(served)) == 1


async def test_conversations_excluded_from_learning_do_not_delay_others(
    served: Served, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(learning, "AT_ONCE", 1)  # conversations of one look
    gone, interview = await talk(served), await talk(served, "I sing in a choir")
    await talk(served)
    ann = await served.client("ann")
    assert (await ann.delete(f"/api/chat/conversations/{gone}")).status_code == 204
    async with served.service.store.transaction(TENANT) as tx:
        await tx.execute("update threads set kind = 'onboarding' where thread_id = $1", interview)
    await look(served)
    await look(served, choose(QUOTE))

    assert [text for text, *_ in await list_kept(served)] == [QUOTE]


async def test_without_the_setting_no_conversation_is_read_for_learning(
    serve: Serve, settings: Any
):
    class Service:
        pass

    Service.settings = with_memory(settings)  # type: ignore[attr-defined]

    assert make_host(Service()) is None
    served = await serve()
    served.service.settings = with_memory(settings, learn_after_s=4000.0)
    with pytest.raises(ConfigError, match="at most 3000"):
        LearnHost(served.service)
