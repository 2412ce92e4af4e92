"""An import accounts for all of its input: each word and each token is imported or named as left
out. Inputs are generated in every shape that a source is known to use.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from packages.importing.tests.checkpoints import Saver, make_message
from packages.importing.tests.conftest import Bring, read_all, show
from plainloop.agent.base.messages.contents import get_text, list_calls
from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import InputError
from plainloop.agent.store.store import Store
from plainloop_importing.conversations import Conversation
from plainloop_importing.usage import read_usage
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop

WORD = re.compile(r"word\d+")
TIMES = re.compile(r"\((\d+) times\)$")
START, END = "2026-10-25T01:00:00.000Z", "2026-10-25T01:00:01.000Z"


def list_words(found: list[Any]) -> set[str]:
    """All words that came through: in messages, prompts, and calls beside the conversation."""
    kept: list[Any] = []
    for one in found:
        if isinstance(one, Conversation):
            kept += [one.system, one.messages, one.title, one.error]
            for call in (placed.call for placed in one.calls):
                kept += [call.system, [s.parts for s in call.sent or []], call.error]
                kept.append(call.answer.parts if call.answer else None)
    return set(WORD.findall(json.dumps(kept, default=str)))


def count_left_out(found: list[Any]) -> int:
    """How many items the reports of all conversations name, with what belongs to none."""
    notes = [
        note for one in found if isinstance(one, Conversation) for note in one.notes + one.gaps
    ]
    stated = [TIMES.search(note) for note in notes]
    return sum(isinstance(one, InputError) for one in found) + sum(
        int(match[1]) if match else 1 for match in stated
    )


WORDS = st.integers(10_000, 99_999).map(lambda n: f"word{n}")
POINTER = {"asset_pointer": "sediment://file_1", "size_bytes": 9, "format": "wav"}
NO_TEXT = st.sampled_from(
    [
        {"content_type": "audio_asset_pointer", **POINTER},
        {"content_type": "image_asset_pointer", **POINTER},
        {"content_type": "video_container_asset_pointer", **POINTER},
        {
            "content_type": "real_time_user_audio_video_asset_pointer",
            "frames_asset_pointers": [],
            "audio_asset_pointer": {"content_type": "audio_asset_pointer", **POINTER},
        },
        {"content_type": "a_type_of_next_year", "blob": 1},
    ]
)


def say(kind: str, **content: Any) -> dict[str, Any]:
    return {"content_type": kind, **content}


TEXT_PARTS = st.one_of(
    WORDS,
    WORDS.map(lambda word: say("audio_transcription", text=word, direction="in")),
    WORDS.map(lambda word: say("text", text=word)),
    WORDS.map(lambda word: say("a_type_of_next_year", text=word)),
)
CONTENTS = st.one_of(
    st.lists(st.one_of(TEXT_PARTS, NO_TEXT), max_size=3).map(
        lambda parts: say("multimodal_text", parts=parts)
    ),
    st.lists(WORDS, max_size=2).map(lambda parts: say("text", parts=parts)),
    WORDS.map(lambda word: say("code", language="python", text=word)),
    WORDS.map(lambda word: say("execution_output", text=word)),
    st.tuples(WORDS, WORDS).map(
        lambda two: say("tether_browsing_display", result=two[0], summary=two[1])
    ),
    st.tuples(WORDS, WORDS).map(
        lambda two: say("tether_quote", title=two[0], url="https://a.example", text=two[1])
    ),
    WORDS.map(lambda word: say("system_error", name="Error", text=word)),
    WORDS.map(lambda word: say("user_editable_context", user_profile=word)),
    WORDS.map(lambda word: say("reasoning_recap", content=word)),
    WORDS.map(lambda word: say("citable_code_output", output_str=word)),
    WORDS.map(lambda word: say("a_type_of_next_year", text=word)),
    st.tuples(WORDS, WORDS).map(
        lambda two: say("thoughts", thoughts=[{"summary": two[0], "content": two[1]}])
    ),
)


@st.composite
def draw_tree(draw: st.DrawFn) -> dict[str, Any]:
    """A conversation of ChatGPT's export with branches, hidden messages and any content."""
    nodes: dict[str, Any] = {
        "root": {"id": "root", "parent": None, "children": [], "message": None}
    }
    for n in range(draw(st.integers(1, 6))):
        parent = draw(st.sampled_from(list(nodes)))
        role = draw(st.sampled_from(["user", "assistant", "tool", "system"]))
        message = {
            "id": f"n{n}",
            "author": {"role": role},
            "create_time": draw(st.one_of(st.none(), st.integers(1_730_000_000, 1_740_000_000))),
            "content": draw(CONTENTS),
            "weight": draw(st.sampled_from([1.0, 1.0, 1.0, 0])),
            "metadata": {},
            "recipient": draw(st.sampled_from(["all", "all", "python"]))
            if role == "assistant"
            else "all",
        }
        nodes[f"n{n}"] = {"id": f"n{n}", "parent": parent, "children": [], "message": message}
        nodes[parent]["children"].append(f"n{n}")
    tree = {"title": "T", "conversation_id": "c", "mapping": nodes}
    current = draw(st.sampled_from([*nodes, None, "gone"]))
    return tree if current is None else {**tree, "current_node": current}


def list_messages(tree: dict[str, Any]) -> list[set[str]]:
    """The words of each message of a tree."""
    nodes = tree["mapping"].values()
    return [set(WORD.findall(json.dumps(n["message"]))) for n in nodes if n["message"]]


def import_text(settings: Settings, tmp_path: Path, source: str, text: str) -> Any:
    path = tmp_path / "input.jsonl"
    path.write_text(text, encoding="utf-8")
    return read_all(settings, source, str(path))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("inputs")


@pytest.fixture(scope="module")
def defaults() -> Settings:
    return Settings()


@given(tree=draw_tree())
@hypothesis_settings(max_examples=200, deadline=None)
async def test_every_message_of_an_openai_chat_export_is_imported_or_reported(
    tree: dict[str, Any], defaults: Settings, folder: Path
):
    found = await import_text(defaults, folder, "openai", json.dumps(tree))

    kept = list_words(found)
    missing = sum(not words <= kept for words in list_messages(tree))
    assert count_left_out(found) >= missing
    parts = [
        p
        for n in tree["mapping"].values()
        if n["message"]
        for p in n["message"]["content"].get("parts", [])
    ]
    silent = [part for part in parts if isinstance(part, dict) and "text" not in part]
    assert not silent or count_left_out(found) > 0


BLOCKS = st.one_of(
    WORDS,
    WORDS.map(lambda word: [{"type": "text", "text": word}]),
    st.tuples(WORDS, WORDS).map(
        lambda two: [{"type": "text", "text": two[0]}, {"type": "input_text", "text": two[1]}]
    ),
    WORDS.map(lambda word: [{"type": "audio_transcription", "text": word}]),
    WORDS.map(
        lambda word: [{"type": "input_audio", "input_audio": {"data": ""}, "transcript": word}]
    ),
    WORDS.map(lambda word: [{"type": "a_type_of_next_year", "text": word}]),
    WORDS.map(lambda word: [{"type": "a_type_of_next_year", "deep": {"er": word}}]),
    WORDS.map(
        lambda word: [{"type": "image_url", "image_url": {"url": f"https://a.example/{word}"}}]
    ),
)
MORE = st.one_of(
    st.just({}),
    WORDS.map(lambda word: {"reasoning_content": word}),
    WORDS.map(lambda word: {"audio": {"id": "a", "data": "", "transcript": word}, "content": None}),
    WORDS.map(lambda word: {"refusal": word, "content": None}),
    WORDS.map(
        lambda word: {"tool_calls": [{"id": "c", "function": {"name": "look", "arguments": word}}]}
    ),
)
ROLES = st.sampled_from(["system", "developer", "user", "assistant", "tool", "a_role_of_next_year"])
MESSAGES = st.lists(
    st.one_of(
        st.builds(lambda role, content: {"role": role, "content": content}, ROLES, BLOCKS),
        st.builds(
            lambda content, more: {"role": "assistant", "content": content, **more}, BLOCKS, MORE
        ),
    ),
    min_size=1,
    max_size=5,
)
ANSWERS = st.lists(
    st.builds(
        lambda content, more: {"role": "assistant", "content": content, **more}, BLOCKS, MORE
    ),
    min_size=1,
    max_size=2,
)
LANGCHAIN = {"system": "system", "user": "human", "assistant": "ai", "tool": "tool"}


def to_observation(messages: list[Any], answers: list[Any], usage: Any = None) -> dict[str, Any]:
    return {
        "id": "o1", "traceId": "t1", "type": "GENERATION", "startTime": START, "endTime": END,
        "model": "m", "input": messages, "output": answers, "usageDetails": usage,
    }  # fmt: skip


def to_run(messages: list[Any], answers: list[Any], usage: Any = None) -> dict[str, Any]:
    kinds = [{**one, "type": LANGCHAIN.get(one["role"], one["role"])} for one in messages]
    told = [{"message": {"kwargs": {**one, "usage_metadata": usage or {}}}} for one in answers]
    return {
        "id": "r1", "trace_id": "t1", "run_type": "llm", "start_time": START, "end_time": END,
        "inputs": {"messages": [kinds]}, "outputs": {"generations": [told]},
    }  # fmt: skip


def to_span(messages: list[Any], answers: list[Any], usage: Any = None) -> dict[str, Any]:
    attributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.input.messages": json.dumps(messages),
        "gen_ai.output.messages": json.dumps(answers),
    }
    values = [{"key": key, "value": {"stringValue": value}} for key, value in attributes.items()]
    for key, count in (usage or {}).items():
        values.append({"key": f"gen_ai.usage.{key}", "value": {"intValue": str(count)}})
    span = {
        "traceId": "0" * 31 + "1", "spanId": "0" * 15 + "1", "name": "chat", "attributes": values,
        "startTimeUnixNano": "1793000000000000000", "endTimeUnixNano": "1793000001000000000",
    }  # fmt: skip
    return {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}


def to_stored(messages: list[Any], answers: list[Any], usage: Any = None) -> str:
    completion = {
        "object": "chat.completion", "id": "c1", "created": 1_795_000_000, "model": "m",
        "choices": [{"message": one} for one in answers], "usage": usage,
    }  # fmt: skip
    lists = {"completion": "c1", "list": {"data": messages}}
    return json.dumps(completion) + "\n" + json.dumps(lists)


def to_response(messages: list[Any], answers: list[Any], usage: Any = None) -> str:
    response = {"object": "response", "id": "r", "created_at": 1_795_000_000, "output": answers}
    items = {"data": messages[::-1]}
    return json.dumps({"response": {**response, "usage": usage}, "input_items": items})


def to_chatml(messages: list[Any], answers: list[Any], usage: Any = None) -> str:
    said = [f"<|im_start|>{m['role']}\n{json.dumps(m)}<|im_end|>" for m in (*messages, *answers)]
    return json.dumps({"text": "\n".join(said)})


SHAPES: dict[str, Any] = {
    "langfuse": lambda *told: json.dumps(to_observation(*told)),
    "langsmith": lambda *told: json.dumps(to_run(*told)),
    "otel": lambda *told: json.dumps(to_span(*told)),
    "openai stored": to_stored,
    "openai responses": to_response,
    "openai chatml": to_chatml,
    "openai training": lambda sent, answers: json.dumps({"messages": [*sent, *answers]}),
    "openai sharegpt": lambda sent, answers: json.dumps(
        {"conversations": [{"from": m["role"], "value": json.dumps(m)} for m in (*sent, *answers)]}
    ),
}


@pytest.mark.parametrize("source", SHAPES)
@given(sent=MESSAGES, answers=ANSWERS)
@hypothesis_settings(max_examples=100, deadline=None)
async def test_every_message_of_a_trace_is_imported_or_reported(
    source: str, sent: list[Any], answers: list[Any], defaults: Settings, folder: Path
):
    text = SHAPES[source](sent, answers)
    found = await import_text(defaults, folder, source.partition(" ")[0], text)

    kept = list_words(found)
    missing = sum(not set(WORD.findall(json.dumps(one))) <= kept for one in (*sent, *answers))
    assert count_left_out(found) >= missing


@given(sent=MESSAGES)
@hypothesis_settings(max_examples=60, deadline=None)
async def test_every_message_of_a_checkpoint_is_imported_or_reported(
    sent: list[Any], defaults: Settings, folder: Path
):
    (folder / "c.sqlite").unlink(missing_ok=True)
    saver = Saver(folder / "c.sqlite")
    kinds = {"user": "human", "assistant": "ai", "tool": "tool"}
    usage = {"input_tokens": 10, "output_tokens": 5, "qxyz": 3}
    saver.put(
        "t-1",
        [
            make_message(kinds[one["role"]], id=f"m{n}", usage_metadata=usage, **one)
            if one["role"] in kinds
            else {**one, "id": f"m{n}"}
            for n, one in enumerate(sent)
        ],
    )

    found = await read_all(defaults, "langgraph", str(saver.path))

    kept = list_words(found)
    missing = sum(not set(WORD.findall(json.dumps(one))) <= kept for one in sent)
    assert count_left_out(found) >= missing
    calls = [placed for one in found for placed in one.calls]
    assert not calls or any("'qxyz'" in note for one in found for note in one.notes)


# What vendors call input, output, and the cached, written and reasoned tokens; these count apart
# from the first two, or within them.
APART = {
    "langfuse": ("input", "output", "input_cached_tokens", None, "output_reasoning_tokens"),
    "langfuse of langchain": ("input", "output", "input_cache_read", "input_cache_creation", None),
    "langfuse of anthropic": (
        "input", "output", "cache_read_input_tokens", "cache_creation_input_tokens", None,
    ),
    "anthropic": (
        "input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens",
        None,
    ),
    "bedrock": (
        "inputTokens", "outputTokens", "cacheReadInputTokens", "cacheWriteInputTokens", None,
    ),
}  # fmt: skip
WITHIN = {
    "chat": (
        "prompt_tokens", "completion_tokens", "prompt_tokens_details.cached_tokens", None,
        "completion_tokens_details.reasoning_tokens",
    ),
    "responses": (
        "input_tokens", "output_tokens", "input_tokens_details.cached_tokens", None,
        "output_tokens_details.reasoning_tokens",
    ),
    "langchain": (
        "input_tokens", "output_tokens", "input_token_details.cache_read",
        "input_token_details.cache_creation", "output_token_details.reasoning",
    ),
    "deepseek": (
        "prompt_tokens", "completion_tokens", "prompt_cache_hit_tokens", None,
        "completion_tokens_details.reasoning_tokens",
    ),
}  # fmt: skip
COUNT = st.integers(0, 9_999)


def nest(flat: dict[str, int]) -> dict[str, Any]:
    nested: dict[str, Any] = {}
    for name, count in flat.items():
        *path, last = name.split(".")
        at = nested
        for step in path:
            at = at.setdefault(step, {})
        at[last] = count
    return nested


@pytest.mark.parametrize("style", [*APART, *WITHIN])
@given(counts=st.tuples(*[COUNT] * 5), has_total=st.booleans())
@hypothesis_settings(max_examples=60, deadline=None)
def test_token_counts_under_any_name_are_imported_into_one_bucket(
    style: str, counts: tuple[int, ...], has_total: bool
):
    uncached, said, read, written, thought = counts
    names = (APART | WITHIN)[style]
    read, written, thought = (
        count if name else 0
        for name, count in zip(names[2:], (read, written, thought), strict=True)
    )
    is_apart = style in APART
    told = {
        names[0]: uncached + (0 if is_apart else read + written),
        names[1]: said + (0 if is_apart else thought),
    }
    told |= {n: c for n, c in zip(names[2:], (read, written, thought), strict=True) if n}
    if has_total:
        told["total"] = uncached + read + written + said + thought
    left_out: list[str] = []

    usage = read_usage(nest(told), left_out.append)

    assert left_out == []
    assert (usage.input_tokens, usage.output_tokens) == (uncached, said)
    assert (usage.cache_read_tokens or 0, usage.written_total or 0) == (read, written)
    assert (usage.reasoning_tokens or 0) == thought


@given(name=st.text("qxyz_", min_size=3, max_size=20), count=st.integers(1, 9_999))
@hypothesis_settings(max_examples=100, deadline=None)
def test_unknown_usage_names_are_reported(name: str, count: int):
    left_out: list[str] = []
    read_usage({"input_tokens": 10, "output_tokens": 5, name: count}, left_out.append)
    assert len(left_out) == 1 and repr(name) in left_out[0]


VOICE = {
    "title": "T",
    "conversation_id": "voice-1",
    "mapping": {
        "root": {"parent": None, "children": ["n1"], "message": None},
        **{
            name: {
                "parent": parent,
                "children": [],
                "message": {
                    "author": {"role": role},
                    "create_time": at,
                    "content": {"content_type": "multimodal_text", "parts": parts},
                    "recipient": "all",
                },
            }
            for name, parent, role, at, parts in (
                (
                    "n1", "root", "user", 1,
                    [
                        {"content_type": "audio_transcription", "text": "Which is best paid?"},
                        {"content_type": "real_time_user_audio_video_asset_pointer"},
                    ],
                ),
                (
                    "n2", "n1", "assistant", 2,
                    [
                        {"content_type": "audio_transcription", "text": "The one at Acme."},
                        {"content_type": "audio_asset_pointer", "asset_pointer": "sediment://1"},
                    ],
                ),
                ("old", "n1", "assistant", 1.5, ["None."]),
                ("n3", "n2", "user", 3, ["thanks"]),
            )
        },
    },
}  # fmt: skip


@pytest.mark.parametrize("current", ["n3", None, "gone"])
async def test_an_imported_voice_chat_has_its_transcripts(
    current: str | None, settings: Settings, tmp_path: Path
):
    tree = VOICE if current is None else {**VOICE, "current_node": current}

    (one,) = await import_text(settings, tmp_path, "openai", json.dumps(tree))

    assert show(one.messages) == [
        ("user", "Which is best paid?", []),
        ("assistant", "The one at Acme.", []),
        ("user", "thanks", []),
    ]
    assert sorted(one.notes) == sorted(
        [
            *["the export does not say which branch is shown: the newest is used"]
            * (current != "n3"),
            "a message of another branch: left out",
            "content of type 'real_time_user_audio_video_asset_pointer' without text: left out",
            "content of type 'audio_asset_pointer' without text: left out",
        ]
    )


async def test_langfuses_anthropic_cache_tokens_are_imported_into_the_ledger(
    bring: Bring, store: Store, tmp_path: Path
):
    usage = {"input": 100, "cache_read_input_tokens": 5000, "cache_creation_input_tokens": 300,
             "output": 5, "total": 5405, "tokens_of_next_year": 7}  # fmt: skip
    said = [{"role": "user", "content": "hi"}]
    item = to_observation(said, [{"role": "assistant", "content": "hello"}], usage)
    embedding = {
        **to_observation([], [], {"input": 9, "total": 9}),
        "id": "o2",
        "type": "EMBEDDING",
    }
    path = tmp_path / "observations.jsonl"
    path.write_text(f"{json.dumps(item)}\n{json.dumps(embedding)}\n", encoding="utf-8")

    report = (await bring("langfuse", str(path))).to_json()

    rows = (
        "select input_tokens, cache_read_tokens, cache_write_tokens, output_tokens from llm_calls"
    )
    async with store.transaction("local") as tx:
        assert [tuple(row.values()) for row in await tx.fetch(rows)] == [(100, 5000, 300, 5)]
    async with store.transaction("another tenant") as tx:
        assert await tx.fetch(rows) == []
    assert list(report["refused"]) == ["usage of an observation of type 'EMBEDDING': left out"]
    assert (
        list(report["notes"])
        == [
            "usage with the unknown name 'tokens_of_next_year': left out",
            "usage whose total is not the sum of its parts: the parts are used",
        ][:1]
    )


async def test_an_imported_batch_of_responses_keeps_its_texts(settings: Settings, tmp_path: Path):
    asked = {
        "custom_id": "1",
        "url": "/v1/responses",
        "body": {"model": "m", "input": "Any tyres?"},
    }
    output = [
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "Four."}],
        }
    ]
    body = {"object": "response", "id": "resp_1", "created_at": 1_795_000_000, "output": output}
    answered = {"custom_id": "1", "response": {"status_code": 200, "body": body}}

    text = f"{json.dumps(asked)}\n{json.dumps(answered)}"
    (one,) = await import_text(settings, tmp_path, "openai", text)

    assert show(one.messages) == [("user", "Any tyres?", []), ("assistant", "Four.", [])]


async def test_a_call_without_a_conversation_name_is_kept_in_its_trace(
    settings: Settings, tmp_path: Path
):
    lines: list[str] = []
    for n, session in enumerate(("a", "b", None)):
        item = to_observation([{"role": "user", "content": f"word{n}"}], [])
        lines.append(json.dumps({**item, "id": f"o{n}", "sessionId": session}))

    found = await import_text(settings, tmp_path, "langfuse", "\n".join(lines))

    assert list_words(found) == {"word0", "word1", "word2"}


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("openai", "[]"),
        ("langfuse", '{"data": []}'),
        ("langsmith", '{"run_type": "chain", "id": "1"}'),
        ("otel", '{"resourceSpans": []}'),
    ],
)
async def test_importing_a_file_without_conversations_is_an_error(
    source: str, text: str, plainloop: Command, tmp_path: Path
):
    path = tmp_path / "empty.json"
    path.write_text(text, encoding="utf-8")
    for dry in ([], ["--dry-run"]):
        done = await plainloop("import", source, str(path), *dry)
        assert (done.code, "no conversation and no model call found" in done.err) == (2, True)


ANSWERED = {
    "object": "chat.completion",
    "id": "chatcmpl-1",
    "created": 1_795_000_000,
    "choices": [{"message": {"role": "assistant", "content": "Four."}}],
}


@pytest.mark.parametrize(
    ("item", "told"),
    [
        ({**ANSWERED, "created": "yesterday"}, "item 1: created is 'yesterday', which is not a"),
        (
            {"completion": "chatcmpl-1", "list": {"data": [{"role": "user", "content": "Hi"}]}},
            "messages of stored completions, but not the list of completions",
        ),
        (
            {"custom_id": "1", "body": {"model": "m", "messages": []}},
            "the requests of a batch, but not the batch's output file",
        ),
    ],
)
async def test_an_incomplete_file_is_refused_with_the_missing_part(
    item: dict[str, Any], told: str, settings: Settings, tmp_path: Path
):
    with pytest.raises(InputError) as refused:
        await import_text(settings, tmp_path, "openai", json.dumps(item))
    assert told in refused.value.message


async def test_text_parts_without_a_known_type_are_imported(settings: Settings, tmp_path: Path):
    """Bedrock's blocks have no type at all."""
    use = {"toolUse": {"toolUseId": "t1", "name": "count", "input": {"of": "tyres"}}}
    gives = {"toolResult": {"toolUseId": "t1", "content": [{"text": "fo"}, {"text": "ur"}]}}
    messages = [
        {"role": "user", "content": [{"text": "How many?"}, {"type": "odd", "text": "Tyres."}]},
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [gives]},
        {"role": "assistant", "content": [{"text": "Four."}]},
    ]
    (one,) = await import_text(settings, tmp_path, "openai", json.dumps({"messages": messages}))

    (_, called, result, said) = one.messages
    assert get_text(one.messages[0]) == "How many?Tyres."
    assert [call["arguments"] for call in list_calls(called)] == [{"of": "tyres"}]
    assert '"result": "four"' in json.dumps(result)
    assert get_text(said) == "Four."
