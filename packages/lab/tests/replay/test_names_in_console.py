"""The console and the reports name a conversation alike."""

from __future__ import annotations

import pytest

from plainloop_lab.comparing.comparison import KINDS, compare_conversation, name_conversation
from tests.console.conftest import Look, served
from tests.console.conftest import look as look
from tests.server.conftest import Served, serve

__all__ = ["serve", "served"]
NAME = 'async (chat) => (await import("/console/words.js")).nameChat(chat)'


async def test_reports_and_console_give_a_conversation_the_same_name(served: Served, look: Look):
    page = (await look(served)).page
    at = "2026-05-03T10:00:00.123+00:00"
    names = list[tuple[str, str]]()
    for kind in ("chat", "other", *KINDS):
        for title in ("Rooms", ""):
            chat = {"title": title, "kind": kind, "user_id": "ann", "created_at": at}
            found = compare_conversation(0, "01a22ad9", {0: ""}, [], {})
            found["chat"] = chat  # type: ignore[typeddict-item]
            # The console writes the day as the browser does.
            names.append(
                (name_conversation(found).split(",")[0], (await page.evaluate(NAME, chat)))
            )

    assert [told for told, _ in names] == [shown.split(",")[0] for _, shown in names]
    assert ("New chat", "New chat") in names


@pytest.mark.parametrize(("n", "name"), [(0, "Conversation 1"), (6, "Conversation 7")])
def test_a_conversation_whose_chat_was_deleted_is_named_by_its_place(n: int, name: str):
    assert name_conversation(compare_conversation(n, "01a22ad9", {0: " "}, [], {})) == name
