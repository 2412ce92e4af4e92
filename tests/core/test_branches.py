"""Versions of a message in a family of threads; pins and labels of the whole family."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from plainloop.agent.errors import NotFoundError
from plainloop.agent.store.clients.branches import Branch, Versions, find_versions, list_family
from plainloop.agent.store.clients.names import fork_thread
from plainloop.agent.store.store import Store
from plainloop.agent.store.threads import count_labels, file_thread
from tests.core.store_samples import create_thread, make_text

FIRST = Branch("a", None, None, 6, datetime(2026, 1, 1, tzinfo=UTC))


def branch(name: str, of: str, at: int, ends: int = 6, day: int = 2) -> Branch:
    return Branch(name, of, at, ends, datetime(2026, 1, day, tzinfo=UTC))


@pytest.mark.parametrize(
    ("family", "own", "versions"),
    [
        ([FIRST], "a", []),
        ([FIRST, branch("b", "a", 2)], "a", [Versions(2, ["a", "b"], 0)]),
        ([FIRST, branch("b", "a", 2)], "b", [Versions(2, ["a", "b"], 1)]),
        # The first message itself has versions.
        ([FIRST, branch("b", "a", 0)], "b", [Versions(0, ["a", "b"], 1)]),
        # A branch that holds nothing of its own yet is no version, and has the others.
        ([FIRST, branch("b", "a", 2, ends=2)], "b", []),
        ([FIRST, branch("b", "a", 2, ends=2)], "a", []),
        # Positions that the thread does not reach are none of its own.
        (
            [FIRST, branch("b", "a", 2, ends=4), branch("c", "a", 4)],
            "b",
            [Versions(2, ["c", "b"], 1)],
        ),
        # A branch of a branch: what both copied is one version, the thread used last stands for it.
        (
            [FIRST, branch("b", "a", 2), branch("c", "b", 4, day=3)],
            "a",
            [Versions(2, ["a", "c"], 0)],
        ),
        (
            [FIRST, branch("b", "a", 2, day=4), branch("c", "b", 4, day=3)],
            "c",
            [Versions(2, ["a", "b"], 1), Versions(4, ["b", "c"], 1)],
        ),
        # The thread between is erased: its copies still belong together.
        ([FIRST, branch("c", "b", 4)], "c", []),
        ([FIRST, branch("c", "b", 4), branch("d", "b", 4)], "d", [Versions(4, ["c", "d"], 1)]),
    ],
)
def test_message_versions_are_listed_where_branches_diverge(
    family: list[Branch], own: str, versions: list[Versions]
) -> None:
    assert find_versions(own, family) == versions


async def make_family(store: Store) -> tuple[Any, Any, Any]:
    first = await create_thread(store)
    for role in ("user", "assistant"):
        await store.save_message("acme", first.thread_id, None, make_text(role, "a"))
    async with store.transaction("acme") as tx:
        second = await fork_thread(tx, "ann", first.thread_id, 1)
        third = await fork_thread(tx, "ann", second.thread_id, 1)
    return first, second, third


async def test_all_branches_are_listed_from_each_branch(store: Store) -> None:
    family = await make_family(store)
    alone = await create_thread(store)
    first, second, third = (item.thread_id for item in family)
    for thread_id in (first, second, third):
        found = await list_family(store.read("acme"), "ann", thread_id)
        told = [(item.thread_id, item.forked_from, item.forked_at) for item in found]
        assert told == [(first, None, None), (second, first, 1), (third, second, 1)]
        assert [item.next_position for item in found] == [2, 1, 1]
    (own,) = await list_family(store.read("acme"), "ann", alone.thread_id)
    assert own.thread_id == alone.thread_id
    assert await list_family(store.read("acme"), "bob", first) == []
    assert await list_family(store.read("umbrella"), "ann", first) == []


async def test_pins_and_labels_apply_to_all_branches(store: Store) -> None:
    family = await make_family(store)
    alone = await create_thread(store)
    async with store.transaction("acme") as tx:
        await file_thread(tx, "ann", family[1].thread_id, True, ["b", "a"])
        await file_thread(tx, "ann", family[2].thread_id, None, None)
        await file_thread(tx, "ann", alone.thread_id, False, ["b"])
        assert await count_labels(tx, "ann") == [("a", 1), ("b", 2)]
        assert await count_labels(tx, "bob") == []
        rows = await tx.fetch("select thread_id, is_pinned, labels from threads order by thread_id")
        told = [(row["is_pinned"], row["labels"]) for row in rows]
        assert told == [*[(True, ["b", "a"])] * 3, (False, ["b"])]
        await file_thread(tx, "ann", family[0].thread_id, False, [])
        assert await count_labels(tx, "ann") == [("b", 1)]
    for tenant_id, user_id in (("acme", "bob"), ("umbrella", "ann")):
        async with store.transaction(tenant_id) as tx:
            with pytest.raises(NotFoundError, match="no such thread: "):
                await file_thread(tx, user_id, alone.thread_id, True, [])
            assert await count_labels(tx, user_id) == []
