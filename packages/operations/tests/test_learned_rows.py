"""Learned templates are listed with their voters, and deleted by name and pack."""

from __future__ import annotations

from dataclasses import replace

from plainloop.agent.store.learned.votes import NOBODY, drop_templates
from plainloop.agent.store.store import Store
from plainloop_operations.commands.learned_rows import (
    LearnedTemplate,
    delete_templates,
    list_templates,
)
from tests.core.test_store_learned import ANSWER, VOTE, vote


async def test_templates_are_listed_with_their_voters(store: Store):
    for _ in range(3):
        await vote(store, "ann")
    await vote(store, NOBODY, replace(VOTE, template="b", pattern="b"), times=1)
    await vote(store, "bob", replace(VOTE, template="c", pattern="c"))
    db = store.read("acme")
    mine = LearnedTemplate("p", "show jobs", ANSWER, "is right", 3, 1, True, True, False, False, 0)
    listed = await list_templates(db, "ann", None)
    assert [item.template for item in listed] == ["b", "show jobs"]
    assert listed[1] == mine
    assert (listed[0].is_private, listed[0].is_known, listed[0].users) == (False, True, 0)
    assert [item.template for item in await list_templates(db, "bob", "p")] == ["b", "c"]
    assert await list_templates(db, "ann", "q") == []
    assert await list_templates(store.read("umbrella"), "ann", None) == []


async def test_templates_are_dropped_or_deleted_by_name_and_pack(store: Store):
    for name in ("a", "b"):
        for pack in ("p", "q"):
            await vote(store, "ann", replace(VOTE, template=name, pattern=name), pack)
    db = store.read("acme")

    async def show() -> list[tuple[str, str, bool]]:
        listed = await list_templates(db, "ann", None)
        return sorted((item.pack, item.template, item.is_dropped) for item in listed)

    await drop_templates(db, "p", ["a", "zz"])
    await drop_templates(store.read("umbrella"), "q", ["a"])
    assert await show() == [
        *(("p", "a", True), ("p", "b", False), ("q", "a", False), ("q", "b", False))
    ]
    assert await delete_templates(store.read("umbrella"), None, ["a", "b"]) == 0
    assert await delete_templates(db, "p", ["b"]) == 1
    assert await delete_templates(db, None, ["a"]) == 2
    assert await show() == [("q", "b", False)]
