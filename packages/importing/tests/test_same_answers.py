"""An answer that several files, commands or systems tell of is one call of the ledger."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from packages.importing.tests.conftest import Bring
from plainloop.agent.errors import InputError
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


def write_numbered(folder: Path, batch: str, question: str, at: int) -> list[str]:
    """A batch whose requests are numbered, as each batch's are."""
    made = make_completion(f"chatcmpl-{batch}", at)
    body = {"model": made["model"], "messages": [{"role": "user", "content": question}]}
    answered = {"id": f"batch_req_{batch}", "custom_id": "request-1"}
    return [
        write(folder / f"{batch}.in.jsonl", {"custom_id": "request-1", "body": body}),
        write(
            folder / f"{batch}.out.jsonl",
            {**answered, "response": {"status_code": 200, "body": made}},
        ),
    ]


@pytest.mark.parametrize("question", ["Which doors?", "Which keys?"])
async def test_batches_that_reuse_custom_ids_become_separate_conversations(
    bring: Bring, store: Store, tmp_path: Path, question: str
) -> None:
    first = write_numbered(tmp_path, "one", "Which keys?", AT)
    second = write_numbered(tmp_path, "two", question, AT + 60)
    reports = [await bring("openai", *files) for files in (first, second, first, second)]
    outcomes = [dict(report.outcomes) for report in reports]
    assert outcomes == [{"new": 1}, {"new": 1}, {"same": 1}, {"same": 1}]
    assert await count(store) == (2, 180)
    assert len(await store.list_threads("local", "ann", limit=10)) == 2


async def test_batches_with_the_same_custom_ids_are_not_mixed_in_one_import(
    bring: Bring, tmp_path: Path
) -> None:
    first = write_numbered(tmp_path, "one", "Which keys?", AT)
    second = write_numbered(tmp_path, "two", "Which doors?", AT + 60)
    with pytest.raises(InputError, match="several requests have the custom_id 'request-1'"):
        await bring("openai", *first, *second)
