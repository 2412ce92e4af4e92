"""The pack of `docs/packs.md`, as it stands there: its own folder, no change in the engine."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import ConfigError
from plainloop.agent.intents.rules import match_intent
from plainloop.agent.packs.loading import load_packs
from plainloop.agent.store.store import Store
from tests.fixtures import TESTS_PACK
from tests.machine.scripted import text, tools, verdict
from tests.packs.interviewing import Interviewing, make_scripted, open_offline
from tests.server.conftest import serving

PAGE = Path(__file__).parents[2] / "docs" / "packs.md"
BLOCK = re.compile(r"^```(?:python|sql)\n(?:#|--) file: (\S+)\n(.*?)^```$", re.M | re.S)
NAME = "acme.reading_list"


@pytest.fixture
def own_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The page's files in a folder that Python finds."""
    for path, content in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for module in [name for name in sys.modules if name.split(".")[0] == "acme"]:
        del sys.modules[module]


async def test_the_documented_pack_is_complete(own_pack: Path, settings: Settings, store: Store):
    async with open_offline(settings, AGENT_PACKS=NAME) as service:
        pack = service.pack
        thread = await service.ensure_thread("t1", "u1", None, "Hi")

        async def ask(question: str, user_id: str = "u1") -> str:
            where = thread if user_id == "u1" else await service.ensure_thread("t1", user_id, None)
            return (await service.answer("t1", user_id, where.thread_id, question)).answer

        assert await ask("How many books do I have?") == "You have no books."
        scripted, provider = make_scripted(
            settings,
            store,
            pack,
            tools(("c1", "add_book", {"title": "Dune", "author": "Frank Herbert"})),
            text("Added #1."),
        )
        done = await scripted.answer("t1", "u1", thread.thread_id, "Add Dune by Frank Herbert.")
        assert done.answer == "Added #1."
        assert await ask("list my unread books") == (
            "You have 1 book with status unread:\n\n- #1 Dune (unread)"
        )
        assert "Frank Herbert" in await ask("show me the Dune book")
        assert await ask("How many books do I have?", "u2") == "You have no books."
        assert [tool.name for tool in provider.requests[0].tools] == ["add_book", "list_books"]
        german = match_intent("Wie viele Bücher habe ich?", pack.entities)
        assert german is not None and german.entity_type == "books"
    served = replace(settings, agent=replace(settings.agent, packs=(NAME,)))
    async with serving(served) as replica:
        client = await replica.client()
        answer = await client.get("/api/books")
        described = (await client.get("/openapi.json")).json()
    assert (answer.status_code, answer.json()) == (200, {"books": []})  # of the local user: none
    assert "/api/books" in described["paths"]


async def test_the_documented_packs_interview_ends_at_its_marker(
    own_pack: Path, settings: Settings, store: Store
):
    environ = {"AGENT_PACKS": TESTS_PACK, "AGENT_ONBOARDING": NAME}
    async with open_offline(settings, **environ) as service:
        assert [pack.name for pack in service.packs] == ["tracker", "reading_list"]
        assert service.onboarding_pack.name == "reading_list"
        scripted, _ = make_scripted(
            settings,
            store,
            service.onboarding_pack,
            text("Which book first?"),
            tools(("c1", "add_book", {"title": "Dune"})),
            text("Added. [LIST_COMPLETE]"),
        )
        held = Interviewing(scripted)
        assert (await held.say(None)).ending == ["done"]
        turn = await held.say("Dune")
    assert (turn.shown, turn.ending) == ("Added.", ["onboarding_complete", "done"])


def test_a_pack_that_cannot_be_imported_is_reported(own_pack: Path):
    cases = {
        "acme.nothing": "the pack 'acme.nothing' cannot be imported: No module named",
        "no_such_folder.pack": "cannot be imported: No module named 'no_such_folder'",
        "acme.broken": "cannot be imported: ModuleNotFoundError: No module named 'no_such_library'",
    }
    (own_pack / "acme" / "broken.py").write_text("import no_such_library")
    for name, message in cases.items():
        with pytest.raises(ConfigError) as caught:
            load_packs([name])
        assert message in caught.value.message
    assert caught.value.hint == "see acme/broken.py:1"


async def test_a_packs_module_name_needs_no_dot(
    own_pack: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.syspath_prepend(own_pack / "acme")
    async with open_offline(settings, AGENT_PACKS="reading_list") as service:
        thread = await service.ensure_thread("t1", "u1", None, "Hi")
        done = await service.answer("t1", "u1", thread.thread_id, "How many books do I have?")
    assert done.answer == "You have no books."
    monkeypatch.delitem(sys.modules, "reading_list")


async def test_the_documented_packs_checks_and_orders_work(
    own_pack: Path, settings: Settings, store: Store
):
    async with open_offline(settings, AGENT_PACKS="acme.bookshop") as service:
        scripted, provider = make_scripted(
            settings,
            store,
            service.pack,
            tools(("c1", "order_book", {"title": "Dune"})),
            text("It is ordered."),
            text("It is ordered: B-1."),
            verdict("pass"),
            tools(("c2", "read_last_order", {})),
            text("Your last order is B-1."),
            verdict("pass"),
        )
        thread = await scripted.ensure_thread("t1", "u1", None, "Hi")
        done = await scripted.answer("t1", "u1", thread.thread_id, "Order Dune.")
        asked = str(provider.requests[2])
        later = await scripted.answer("t1", "u1", thread.thread_id, "Which was my last order?")
        kept = await store.read("t1").fetch("select text, has_passed from bookshop_notices")
        (call,) = await store.list_tool_calls("t1", done.run.run_id)
    assert (done.answer, later.answer) == ("It is ordered: B-1.", "Your last order is B-1.")
    assert "the order B-1 is not named" in asked
    assert [tuple(row.values()) for row in kept] == [(done.answer, True), (later.answer, True)]
    orders = sys.modules["acme.bookshop"].SHOP
    assert orders == {call.idempotency_key: "B-1"}


def test_the_documented_packs_test_and_script_pass(own_pack: Path):
    pytest.importorskip("plainloop_rules")  # of the wire server, which plays the model
    page = PAGE.read_text(encoding="utf-8")
    (source,) = re.findall(r"^```python\n(from pathlib.*?play_messages.*?)^```$", page, re.M | re.S)
    (script,) = re.findall(r"^```json\n(.*?)^```$", page, re.M | re.S)
    folder = own_pack / "tests"
    folder.mkdir()
    (own_pack / "plainloop.toml").write_text('[agent]\npacks = ["acme.bookshop"]\n')
    (folder / "test_shop.py").write_text(source)
    (folder / "model.json").write_text(script)
    scope: dict[str, Any] = {"__file__": str(folder / "test_shop.py")}

    exec(source, scope)
    scope["test_a_book_is_ordered"]()
