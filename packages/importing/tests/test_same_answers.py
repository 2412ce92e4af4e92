"""An answer that several files, commands or systems tell of is one call of the ledger."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from packages.importing.tests.conftest import Bring
from plainloop.agent.store.store import Store
from plainloop.agent.usage.report import summarize_usage

AT = int(datetime(2026, 10, 25, 9, tzinfo=UTC).timestamp())
USED = {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100}
ASKED = [{"role": "user", "content": "Which keys?"}]


def make_completion(name: str, at: int = AT) -> dict[str, Any]:
    message = {"role": "assistant", "content": "The blue ones."}
    return {
        "id": name,
        "object": "chat.completion",
        "created": at,
        "model": "gpt-4o-mini",
        "choices": [{"message": message, "finish_reason": "stop"}],
        "usage": USED,
    }


def write(path: Path, *items: Any) -> str:
    path.write_text("\n".join(map(json.dumps, items)), encoding="utf-8")
    return str(path)


def write_stored(folder: Path, *made: dict[str, Any]) -> list[str]:
    lists = [{"completion": one["id"], "list": {"data": ASKED}} for one in made]
    return [write(folder / "stored.jsonl", *made), write(folder / "said.jsonl", *lists)]


def write_batch(folder: Path, made: dict[str, Any]) -> list[str]:
    body = {"model": made["model"], "messages": ASKED}
    answered = {"custom_id": "a", "response": {"status_code": 200, "body": made}}
    return [
        write(folder / "in.jsonl", {"custom_id": "a", "method": "POST", "body": body}),
        write(folder / "out.jsonl", answered),
    ]


def write_trace(folder: Path, name: str) -> str:
    told = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "gpt-4o-mini",
        "gen_ai.response.id": name,
        "gen_ai.usage.input_tokens": 90,
        "gen_ai.usage.output_tokens": 10,
    }
    attributes = [
        {"key": key, "value": {"intValue" if isinstance(v, int) else "stringValue": str(v)}}
        for key, v in told.items()
    ]
    span = {
        "traceId": "5b8efff798038103d269b633813fc60c",
        "spanId": "eee19b7ec3c1b174",
        "name": "chat gpt-4o-mini",
        "startTimeUnixNano": str(AT * 10**9 - 800_000_000),
        "endTimeUnixNano": str(AT * 10**9),
        "attributes": attributes,
    }
    return write(folder / "trace.jsonl", {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]})


async def count(store: Store) -> tuple[int, int | None]:
    (total,) = await summarize_usage(store.read("local"))
    return total.calls, total.input_total


async def test_an_answer_imported_from_three_files_is_one_ledger_row(
    bring: Bring, store: Store, tmp_path: Path
) -> None:
    made = make_completion("chatcmpl-one")
    await bring("openai", *write_stored(tmp_path, made))
    assert await count(store) == (1, 90)
    batch = await bring("openai", *write_batch(tmp_path, made))
    trace = await bring("otel", write_trace(tmp_path, "chatcmpl-one"))
    assert await count(store) == (1, 90)
    for report in (batch, trace):
        assert [*report.notes] == ["a call whose answer was imported before: counted once"]
        assert report.money.calls == 0
    again = await bring("openai", *write_stored(tmp_path, made))
    assert (await count(store), [*again.notes]) == ((1, 90), [])


async def test_reused_response_ids_of_other_answers_stay_separate(
    bring: Bring, store: Store, tmp_path: Path
) -> None:
    await bring("openai", *write_stored(tmp_path, make_completion("chatcmpl-1")))
    later = make_completion("chatcmpl-1", AT + 3 * 86_400)
    await bring("openai", *write_batch(tmp_path, later))
    assert await count(store) == (2, 180)


async def test_the_same_response_id_in_another_tenant_is_another_call(
    bring: Bring, store: Store, tmp_path: Path
) -> None:
    files = write_stored(tmp_path, make_completion("chatcmpl-one"))
    await bring("openai", *files)
    await bring("openai", *files, tenant_id="other")
    (total,) = await summarize_usage(store.read("other"))
    assert (total.calls, await count(store)) == (1, (1, 90))
