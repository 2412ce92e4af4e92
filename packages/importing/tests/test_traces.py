"""Traces and files of four systems: conversations, calls and usage as their programs had them, or
what is missing by name.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from packages.importing.tests.conftest import KIOSKS, find_public, read_all, show, show_expected
from plainloop.agent.config.settings import Settings
from plainloop_importing.conversations import Conversation
from plainloop_importing.messages import MessageReader
from plainloop_importing.otel.spans import make_call

# By source and sample: its files, and the conversations of which a file holds less than was said.
NO_PICTURE = {"shop-7"}
CUT = {"shop-7", "shop-8"}
REFUSED = {"shop-9"}  # the file has a refusal's words, the transcript has not
ALL = {f"shop-{n}" for n in range(1, 10)}
NONE: set[str] = set()
CASES: tuple[tuple[str, str, tuple[str, ...], set[str]], ...] = (
    ("otel", "otel-latest-span-public", ("traces.otlp.jsonl",), CUT),
    ("otel", "otel-latest-event-public", ("traces.otlp.jsonl", "logs.otlp.jsonl"), NO_PICTURE),
    ("otel", "otel-default-public", ("traces.otlp.jsonl",), ALL),
    ("otel", "otel-default-public-legacy", ("traces.otlp.jsonl", "logs.otlp.jsonl"), NONE),
    ("otel", "traceloop-public", ("traces.otlp.jsonl",), CUT | REFUSED),
    ("otel", "openinference-public", ("traces.otlp.jsonl",), REFUSED),
    ("otel", "graph-openinference-langchain-public", ("traces.otlp.jsonl",), NONE),
    ("otel", "otel-latest-span-public", ("traces.0.pb",), CUT),
    ("otel", "otel-default-public-legacy", ("traces.0.pb", "logs.0.pb"), NONE),
    ("otel", "openinference-public", ("traces.0.pb",), REFUSED),
    ("langfuse", "langfuse-openai-public", ("traces.0.pb",), NO_PICTURE),
    ("langfuse", "langfuse-openai-public", ("traces.otlp.jsonl",), NO_PICTURE),
    ("langfuse", "langfuse-openai-public", ("api-traces.jsonl",), NO_PICTURE),
    ("langfuse", "langfuse-openai-public", ("api-v2-observations.json",), NO_PICTURE),
    ("langfuse", "langfuse-openai-public", ("ui-observations.csv",), NO_PICTURE),
    ("langfuse", "graph-langfuse-langchain-public", ("traces.otlp.jsonl",), NONE),
    ("langfuse", "graph-langfuse-langchain-public", ("ui-observations.csv",), NONE),
    ("langfuse", "graph-langfuse-langchain-public", ("api-traces.jsonl",), NONE),
    ("langfuse", "graph-langfuse-langchain-public", ("api-v2-observations.json",), NONE),
    ("langsmith", "langsmith-openai-public", ("requests.jsonl",), REFUSED),
    ("langsmith", "langsmith-openai-public", ("runs.jsonl",), REFUSED),
    ("langsmith", "langsmith-openai-public-batch", ("requests.jsonl",), REFUSED),
    ("langsmith", "langsmith-openai-public-batch", ("runs.jsonl",), REFUSED),
    ("langsmith", "graph-langsmith-public", ("runs.jsonl",), NONE),
    ("langsmith", "graph-langsmith-public", ("requests.jsonl",), NONE),
)


def sum_usage(found: list[Conversation]) -> dict[str, int]:
    sums = {"input": 0, "output": 0, "cached": 0, "reasoning": 0}
    for placed in (placed for one in found for placed in one.calls):
        usage = placed.call.usage
        sums["input"] += usage.input_total or 0
        sums["output"] += usage.output_total or 0
        sums["cached"] += usage.cache_read_tokens or 0
        sums["reasoning"] += usage.reasoning_tokens or 0
    return sums


@pytest.mark.parametrize(("source", "name", "files", "less"), CASES)
async def test_public_samples_are_imported_with_their_gaps_reported(
    source: str, name: str, files: tuple[str, ...], less: set[str], settings: Settings
):
    expected = json.loads(Path(find_public(f"{source}/{name}.expected.json")).read_text("utf-8"))
    paths = [find_public(f"{source}/{name}.{file}.gz") for file in files]

    found = {one.name: one for one in await read_all(settings, source, *paths)}

    whole = {c["conversation_id"]: show_expected(c["messages"]) for c in expected["conversations"]}
    named = {n: c for n, c in found.items() if n in whole and n not in less}
    assert {n: show(c.messages) for n, c in named.items()} == {
        n: said for n, said in whole.items() if n not in less
    }
    for one in (c for n, c in found.items() if n not in named):
        assert one.gaps or one.notes or one.name in REFUSED
    usage = expected["totals"].get("usage")
    if usage is not None:
        told = sum_usage(list(found.values()))
        assert (told["input"], told["output"]) == (usage["input"], usage["output"])


OPENAI = "openai/openai-public.expected.json"


@pytest.mark.parametrize(
    ("files", "count", "same"),
    [
        (("stored-completions-public.json", "stored-completions-messages-public.jsonl"), 9, 8),
        (
            ("batch-input-public.jsonl", "batch-output-public.jsonl", "batch-errors-public.jsonl"),
            9,
            7,
        ),
        (("fine-tuning-public.jsonl",), 9, 8),
        (("sharegpt-public.jsonl",), 9, 8),
        (("chatgpt-conversations-public.json",), 9, 7),
    ],
)
async def test_a_public_openai_file_is_imported_as_conversations(
    files: tuple[str, ...], count: int, same: int, settings: Settings
):
    """same: so many are whole; the others fail, or lack a picture or words, in the file itself."""
    expected = json.loads(Path(find_public(OPENAI)).read_text("utf-8"))["conversations"]

    found = await read_all(settings, "openai", *(find_public(f"openai/{f}.gz") for f in files))

    said = [show_expected(conversation["messages"]) for conversation in expected]
    assert len(found) == count
    assert sum(show(one.messages) in said for one in found) == same


async def test_responses_are_joined_by_previous_response_id(settings: Settings):
    path = find_public("openai/responses-public.jsonl.gz")

    (found,) = await read_all(settings, "openai", path)

    assert show(found.messages) == [
        ("user", "Any tyres?", []),
        ("assistant", "", [("stock", {"item": "tyre"})]),
        ("tool", '{"item": "tyre", "left": 4}'),
        ("assistant", "Four.", []),
        ("user", "And tubes?", []),
        ("assistant", "Also four.", []),
    ]
    assert [placed.answered_at for placed in found.calls] == [1, 3, 5]


KIOSK = [
    ("user", "Any stamps?", []),
    ("assistant", "", [("stock", {"item": "stamp"})]),
    ("tool", "12 left"),
    ("assistant", "Twelve.", []),
]


@pytest.mark.parametrize(("source", "file"), KIOSKS.items())
async def test_the_same_conversation_is_imported_equally_from_every_source(
    source: str, file: str, settings: Settings
):
    (found,) = await read_all(settings, source, str(file))

    assert (found.name, found.system, show(found.messages)) == (
        "kiosk-1",
        "You keep a kiosk.",
        KIOSK,
    )
    assert [(p.first, p.last, p.answered_at) for p in found.calls] == [(0, 0, 1), (0, 2, 3)]
    assert sum_usage([found]) == {"input": 104, "output": 14, "cached": 32, "reasoning": 0}
    assert found.gaps == []


async def test_unnamed_conversations_with_the_same_start_stay_separate(
    settings: Settings, tmp_path: Path
):
    def complete(n: int, answer: str) -> list[dict[str, Any]]:
        return [
            {"object": "chat.completion", "id": f"c{n}", "created": 1_795_000_000 + n,
             "model": "gpt-4o-mini", "choices": [{"message": {"content": answer}}]},
            {"completion": f"c{n}", "list": {"data": [{"role": "user", "content": "Hi"}]}},
        ]  # fmt: skip

    path = tmp_path / "stored.jsonl"
    items = [*complete(1, "Hello"), *complete(2, "Hello")]
    path.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")

    found = await read_all(settings, "openai", str(path))

    assert [show(one.messages) for one in found] == [
        [("user", "Hi", []), ("assistant", "Hello", [])]
    ] * 2


async def test_a_call_with_another_system_prompt_is_a_separate_conversation(
    settings: Settings, tmp_path: Path
):
    trace = json.loads(KIOSKS["langfuse"].read_text("utf-8"))
    title = {
        **trace["observations"][0],
        "id": "o9",
        "startTime": "2026-11-20T10:00:05Z",
        "endTime": "2026-11-20T10:00:06Z",
        "input": [
            {"role": "system", "content": "Write a title."},
            {"role": "user", "content": "Any stamps?"},
        ],
        "output": {"role": "assistant", "content": "Stamps"},
    }
    trace["observations"].append(title)
    path = tmp_path / "traces.jsonl"
    path.write_text(json.dumps(trace), encoding="utf-8")

    (found,) = await read_all(settings, "langfuse", str(path))

    assert show(found.messages) == KIOSK
    assert [placed.answered_at for placed in found.calls] == [1, 3, None]


IN, OUT = "gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"
READ, WRITTEN = "gen_ai.usage.cache_read", "gen_ai.usage.cache_creation"
DETAILS = "gen_ai.usage.details.cache"
ANTHROPIC_SPANS: dict[str, tuple[dict[str, int], tuple[int, int, int]]] = {
    "the conventions": (
        {IN: 1000, OUT: 5, f"{READ}.input_tokens": 900, f"{WRITTEN}.input_tokens": 40},
        (60, 900, 40),
    ),
    "pydantic-ai": (
        {IN: 1000, OUT: 5, f"{DETAILS}_read_tokens": 900, f"{DETAILS}_write_tokens": 40},
        (60, 900, 40),
    ),
    "anthropic's own counts": (
        {IN: 60, OUT: 5, f"{READ}_input_tokens": 900, f"{WRITTEN}_input_tokens": 40},
        (60, 900, 40),
    ),
}


@pytest.mark.parametrize("name", ANTHROPIC_SPANS)
def test_cached_tokens_of_anthropic_spans_are_counted_once(settings: Settings, name: str) -> None:
    usage, expected = ANTHROPIC_SPANS[name]
    span = {
        "span": "s", "trace": "t", "parent": "", "start": 1763900000000000000, "name": "chat",
        "end": 1763900001000000000, "is_error": False, "message": "", "events": [],
        "attributes": {"gen_ai.provider.name": "anthropic", **usage},
    }  # fmt: skip
    call = make_call(span, [], None, MessageReader(settings), None)
    found = call.usage
    assert (found.input_tokens, found.cache_read_tokens, found.cache_write_tokens) == expected
