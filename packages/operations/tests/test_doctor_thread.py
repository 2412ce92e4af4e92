"""A conversation that a provider would refuse: shown, and written down repaired."""

from __future__ import annotations

from typing import Any

import pytest

from plainloop.agent.store.store import Store
from plainloop.agent.store.threads import choose_model
from plainloop.agent.types import Message
from tests.cli.conftest import Command, point_at
from tests.cli.conftest import plainloop as plainloop
from tests.core.conversations import answer, call, result, user
from tests.wire_fixtures import StartWire

SOUND = [user("find"), call("a"), result("a"), answer("found")]
POISONED = [user("find"), call("a", "b"), result("b"), answer(" "), result("x"), user("again")]


async def store_thread(store: Store, messages: list[Message], **data: Any) -> str:
    thread = await store.create_thread("local", "local", title="Jobs", pack="tracker")
    for message in messages:
        await store.save_message("local", thread.thread_id, None, message)
    return thread.thread_id


async def test_doctor_thread_reports_no_problem_of_a_valid_thread(plainloop: Command, store: Store):
    thread_id = await store_thread(store, SOUND)
    done = await plainloop("doctor", "thread", thread_id, "--fix")
    assert (done.code, done.out) == (0, "ok    4 messages, nothing to repair\n")
    assert len(await store.list_threads("local", "local", limit=9)) == 1


async def test_doctor_thread_reports_damage_and_fixes_a_copy(plainloop: Command, store: Store):
    thread_id = await store_thread(store, POISONED)
    async with store.transaction("local") as tx:
        await choose_model(tx, "local", thread_id, "openai:gpt-4.1")
    shown = await plainloop("doctor", "thread", "last")
    assert shown.code == 1
    assert shown.out.splitlines()[:3] == [
        "WARN  answered the open call a as interrupted",
        "WARN  dropped an empty assistant message",
        "WARN  dropped the result x, which answers no call",
    ]
    before = await store.load_messages("local", thread_id)
    assert [m["parts"] for m in before] == [m["parts"] for m in POISONED]

    done = await plainloop("doctor", "thread", thread_id, "--fix")
    threads = await store.list_threads("local", "local", limit=9)
    (copy,) = [t for t in threads if t.thread_id != thread_id]
    again = await plainloop("doctor", "thread", copy.thread_id)
    assert (done.code, copy.title, copy.pack) == (0, "Jobs (repaired)", "tracker")
    assert (copy.kind, copy.model, copy.user_id) == ("chat", "openai:gpt-4.1", "local")
    assert copy.thread_id in done.out
    assert again.out == "ok    4 messages, nothing to repair\n"
    assert await store.load_messages("local", thread_id) == before


async def test_a_damaged_thread_can_still_be_continued(
    plainloop: Command, store: Store, wire_server: StartWire
):
    """The wire server refuses such a history as the real API does."""
    thread_id = await store_thread(store, POISONED)
    server = await wire_server()
    environ = point_at("anthropic", server.base_url)
    done = await plainloop("ask", "--thread", thread_id, "write me a haiku about rivers", **environ)
    explained = await plainloop("explain", "last")
    assert (done.code, done.err.count("error")) == (0, 0), done
    assert "history repaired: answered the open call a as interrupted" in explained.out


@pytest.mark.parametrize("arguments", [("thread", "0197"), ("thread",)])
async def test_doctor_thread_refuses_an_unknown_thread(
    plainloop: Command, arguments: tuple[str, ...]
):
    done = await plainloop("doctor", *arguments)
    assert done.code in (2, 3)
    assert done.err


def sealed(owner: str, model: str = "claude-sonnet-5-5", **more: Any) -> Message:
    state: Any = {"provider": "anthropic", "model": model, "value": {"signature": "s"}}
    thought: Any = {"type": "reasoning", "text": "", "provider_state": {**state, **more}}
    thought["provider_state"] |= {"owner": owner} if owner else {}
    return {"role": "assistant", "parts": [thought, {"type": "text", "text": "yes"}]}


async def test_doctor_thread_names_unsent_state_with_the_reason(plainloop: Command, store: Store):
    old, first = sealed(""), sealed("here#1", prefix="a")
    plain = sealed("", "claude-sonnet-4-6")  # it binds nothing: it is sent
    thread = [user("a"), old, user("b"), first, user("c"), plain, user("d"), first]
    thread_id = await store_thread(store, thread)
    shown = await plainloop("doctor", "thread", thread_id)
    name = "anthropic:claude-sonnet-5-5"
    unknown = f"info  1 part of thinking of {name} stored without its request, not sent any more"
    sound = "ok    8 messages, nothing to repair"
    assert (shown.code, shown.out.splitlines()) == (0, [unknown, sound])

    chosen = {"AGENT_PROVIDER": "anthropic", "ANTHROPIC_API_KEY": "any"}
    moved = await plainloop("doctor", "thread", thread_id, **chosen)
    today = "api.anthropic.com#d6a7cd2a"
    assert moved.out.splitlines() == [
        unknown,
        f"info  2 parts of opaque state of {name} from here#1, not sent to {today}",
        sound,
    ]


async def test_explain_and_doctor_name_unsent_state_of_another_api_key(
    plainloop: Command, wire_server: StartWire
):
    server = await wire_server()
    chosen = {"AGENT_PROVIDER": "anthropic", "AGENT_API_BASE": server.base_url}
    design = {**chosen, "AGENT_DESIGN": "react"}
    first = await plainloop("ask", "what can you do?", **design, ANTHROPIC_API_KEY="one")
    again = await plainloop("ask", "--last", "and else?", **design, ANTHROPIC_API_KEY="two")
    explained = await plainloop("explain", "last")
    shown = await plainloop("doctor", "thread", "last", **chosen, ANTHROPIC_API_KEY="two")
    assert (first.code, again.code) == (0, 0)
    named = "opaque state of anthropic:claude-sonnet-5-5 from 127.0.0.1"
    assert f"left out {named}" in explained.out
    assert f"info  1 part of {named}" in shown.out
