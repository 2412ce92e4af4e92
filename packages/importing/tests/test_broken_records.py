"""Records that cannot be read: an error with its place, or skipped and listed with the reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.store.store import Store
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop

ASKED = [{"role": "user", "content": "Which keys?"}, {"role": "assistant", "content": "Blue."}]


def talk(name: str, **more: Any) -> str:
    return json.dumps({"conversation_id": name, "messages": ASKED, **more})


BROKEN = {
    2: ('{"conversation_id": "cut", "mess', "is not JSON"),
    4: ('{"colour": "red"}', "this is not a record of OpenAI; unknown keys: colour"),
    7: (talk("late", created_at="yesterday"), "created_at is 'yesterday', which is not a time"),
}
LINES = [
    talk("first"),
    BROKEN[2][0],
    talk("second"),
    BROKEN[4][0],
    "",
    talk("third"),
    BROKEN[7][0],
    talk("last"),
]


async def test_broken_records_are_skipped_and_listed(
    plainloop: Command, store: Store, tmp_path: Path
) -> None:
    (tmp_path / "talks.jsonl").write_text("\n".join(LINES), encoding="utf-8")
    command = ("import", "openai", "talks.jsonl", "--skip-broken")
    done = await plainloop(*command, "--skipped", "left.jsonl")
    assert done.code == 0, done
    assert "4 conversations" in done.out
    assert "3 records skipped, each with its line and reason: left.jsonl" in done.out
    listed = [json.loads(line) for line in (tmp_path / "left.jsonl").read_text().splitlines()]
    assert [(each["file"], each["line"]) for each in listed] == [("talks.jsonl", n) for n in BROKEN]
    for each, (_, reason) in zip(listed, BROKEN.values(), strict=True):
        assert reason in each["reason"]
    titles = await store.list_threads("local", "local", limit=10)
    assert len(titles) == 4


@pytest.mark.parametrize("line", BROKEN)
async def test_without_skip_broken_the_first_broken_record_is_an_error(
    plainloop: Command, tmp_path: Path, line: int
) -> None:
    broken, reason = BROKEN[line]
    (tmp_path / "talks.jsonl").write_text(f"{talk('first')}\n{broken}\n", encoding="utf-8")
    done = await plainloop("import", "openai", "talks.jsonl")
    assert done.code != 0 and reason in done.err and "item 2" in done.err, done
    assert not (tmp_path / "skipped.jsonl").exists()


async def test_a_valid_import_writes_no_file_of_skipped_records(
    plainloop: Command, tmp_path: Path
) -> None:
    (tmp_path / "talks.jsonl").write_text(talk("first"), encoding="utf-8")
    done = await plainloop("import", "openai", "talks.jsonl", "--skip-broken", "--dry-run")
    assert (done.code, "skipped" in done.out) == (0, False), done
    assert not (tmp_path / "skipped.jsonl").exists()
