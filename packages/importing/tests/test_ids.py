"""`--ids`: each conversation's name in the source, with its id here."""

from __future__ import annotations

import json
from pathlib import Path

from plainloop.agent.base.messages.contents import get_text
from plainloop.agent.store.store import Store
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop


def talk(name: str, text: str) -> str:
    said = [{"role": "user", "content": text}, {"role": "assistant", "content": "Noted."}]
    return json.dumps({"conversation_id": name, "messages": said})


async def test_an_import_lists_the_ids_of_its_conversations(
    plainloop: Command, store: Store, tmp_path: Path
) -> None:
    (tmp_path / "talks.jsonl").write_text(f"{talk('s-1', 'one')}\n{talk('s-2', 'two')}\n")
    command = ("import", "openai", "talks.jsonl", "--user", "ann")
    for again in ("ids.jsonl", "ids_again.jsonl"):  # the second time, nothing is new
        done = await plainloop(*command, "--ids", again)
        assert done.code == 0, done

    lines = [json.loads(line) for line in (tmp_path / "ids.jsonl").read_text().splitlines()]
    said = {
        line["name"]: get_text((await store.load_messages("local", line["conversation_id"]))[0])
        for line in lines
    }
    assert said == {"s-1": "one", "s-2": "two"}
    assert (tmp_path / "ids_again.jsonl").read_text() == (tmp_path / "ids.jsonl").read_text()


async def test_an_import_dry_run_writes_no_id_file(plainloop: Command, tmp_path: Path) -> None:
    (tmp_path / "talks.jsonl").write_text(f"{talk('s-1', 'one')}\n")
    done = await plainloop("import", "openai", "talks.jsonl", "--ids", "ids.jsonl", "--dry-run")

    assert done.code == 0, done
    assert not (tmp_path / "ids.jsonl").exists()
