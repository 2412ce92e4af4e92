"""Files as other programs write them: their encoding, their packing, and what is wrong in them."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.errors import InputError
from plainloop.agent.store.store import Store
from plainloop_importing import files
from plainloop_importing.values import parse_json
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop

from .conftest import KIOSKS, Bring, read_all, show

AT = "2026-11-01T00:00:00Z"
ASKED = {"role": "user", "content": "Which keys?"}
ANSWERED = {"role": "assistant", "content": "Blue."}
HALF = "cut\ud83d"  # JavaScript counts an emoji as two, and cuts between them


def make_run(**more: Any) -> dict[str, Any]:
    inputs = {"messages": [ASKED], "model": "gpt-5"}
    outputs = {"choices": [{"message": ANSWERED}]}
    run = {"id": "r", "trace_id": "r", "run_type": "llm", "start_time": AT, "end_time": AT}
    return {**run, "inputs": inputs, "outputs": outputs, **more}


def make_span(**more: Any) -> dict[str, Any]:
    said = json.dumps([{"role": "user", "parts": [{"type": "text", "content": "Which keys?"}]}])
    told = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": said}
    attributes = [{"key": key, "value": {"stringValue": value}} for key, value in told.items()]
    span = {"traceId": "a" * 32, "spanId": "b" * 16, "startTimeUnixNano": "1763900000000000000"}
    spans = [{**span, "attributes": attributes, **more}]
    return {"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}


def write(folder: Path, content: Any, name: str = "file.jsonl") -> str:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return str(path)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
@pytest.mark.parametrize("source", KIOSKS)
async def test_files_in_powershells_encodings_are_read(
    settings: Settings, tmp_path: Path, source: str, encoding: str
) -> None:
    text = KIOSKS[source].read_text("utf-8")
    found = await read_all(settings, source, write(tmp_path, text.encode(encoding)))
    expected = await read_all(settings, source, str(KIOSKS[source]))
    assert expected and [one.messages for one in found] == [one.messages for one in expected]


@pytest.mark.parametrize("source", KIOSKS)
async def test_every_source_reads_stdin(plainloop: Command, source: str) -> None:
    done = await plainloop("import", source, "-", "--dry-run", stdin=KIOSKS[source].read_bytes())
    assert (done.code, "1 conversation" in done.out) == (0, True), done


def make_zip() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("conversations.json", "[]")
    return packed.getvalue()


def make_damaged() -> bytes:
    packed = bytearray(gzip.compress(json.dumps([ASKED] * 1_000).encode()))
    packed[30:40] = b"\xff" * 10
    return bytes(packed)


UNREADABLE: dict[str, tuple[bytes, str]] = {
    "export.zip": (make_zip(), "export.zip is a zip archive"),
    "damaged.json.gz": (make_damaged(), "damaged.json.gz is truncated or damaged"),
    "open.json": (b'[{"messages": []}', "open.json: the file's JSON list is incomplete"),
    "text.json": (b"hello", "text.json, item 1 is not JSON"),
}


@pytest.mark.parametrize("name", UNREADABLE)
async def test_an_import_error_names_the_file_and_the_fault(
    settings: Settings, tmp_path: Path, name: str
) -> None:
    content, reason = UNREADABLE[name]
    with pytest.raises(InputError) as refused:
        await read_all(settings, "openai", write(tmp_path, content, name))
    assert reason in refused.value.message


async def test_a_csv_in_another_encoding_is_refused(settings: Settings, tmp_path: Path) -> None:
    rows = f"id,traceId,type,startTime,input\n1,2,GENERATION,{AT},Schlüssel\n"
    found = await read_all(settings, "langfuse", write(tmp_path, rows.encode("utf-16"), "a.csv"))
    assert show(found[0].messages) == [("user", "Schlüssel", [])]
    with pytest.raises(InputError, match="cannot be read as CSV in UTF-8"):
        await read_all(settings, "langfuse", write(tmp_path, rows.encode("latin-1"), "b.csv"))


async def test_csv_rows_with_more_cells_than_the_header_are_skipped(
    plainloop: Command, tmp_path: Path
) -> None:
    rows = ["id,traceId,type,startTime,input", f"1,1,GENERATION,{AT},a", f"2,2,GENERATION,{AT},a,b"]
    rows.append("3,3,GENERATION,yesterday,c")
    write(tmp_path, "\n".join(rows).encode(), "rows.csv")
    done = await plainloop("import", "langfuse", "rows.csv", "--dry-run")
    assert "rows.csv, item 2 has more cells than the head line" in done.err, done
    done = await plainloop("import", "langfuse", "rows.csv", "--dry-run", "--skip-broken")
    assert (done.code, "1 conversation" in done.out, "2 records skipped" in done.out) == (0, 1, 1)
    assert "startTime is 'yesterday'" in (tmp_path / "skipped.jsonl").read_text()


TOLD_CUT = {"usage": {"prompt_tokens": 1, "completion_tokens": 2, "tier": "a\0b"}}
STRANGE: dict[str, tuple[str, Any]] = {
    "half a character in a message": (
        "langsmith",
        make_run(inputs={"messages": [{"role": "user", "content": HALF}]}),
    ),
    "half a character in a name": ("otel", make_span(name=HALF)),
    "half a character in an id": (
        "openai",
        {"conversation_id": HALF, "messages": [ASKED, ANSWERED]},
    ),
    "an integer of more than 64 bits": ("langsmith", make_run(extra={"seed": 2**70})),
    "NUL in what an answer names": (
        "langsmith",
        make_run(outputs={"id": "a\0b", "model": "c\0d", "choices": [{"message": ANSWERED}]}),
    ),
    "NUL in a usage": (
        "langsmith",
        make_run(outputs={"choices": [{"message": ANSWERED}], **TOLD_CUT}),
    ),
    "an error of white space": ("langsmith", make_run(error=" \n")),
}


@pytest.mark.parametrize("name", STRANGE)
async def test_values_that_postgres_cannot_store_do_not_stop_an_import(
    bring: Bring, store: Store, tmp_path: Path, name: str
) -> None:
    source, item = STRANGE[name]
    report = await bring(source, write(tmp_path, item))
    assert report.conversations == 1 and not report.refused
    assert len(await store.list_threads("local", "ann", limit=10)) <= 1


@pytest.mark.parametrize(
    ("source", "item", "reason"),
    [
        ("otel", make_span(startTimeUnixNano=AT), "invalid literal for int()"),
        ("otel", make_span(attributes=[{"value": {"intValue": "many"}}]), "invalid literal"),
        ("langsmith", make_run(start_time="9999-12-31T23:59:59Z"), "which is not a time"),
        ("langsmith", make_run(extra=json.loads("[" * 400 + "]" * 400)), "cannot be stored"),
    ],
)
async def test_unreadable_values_are_errors_that_name_file_and_item(
    settings: Settings, tmp_path: Path, source: str, item: Any, reason: str
) -> None:
    with pytest.raises(InputError, match=r"file\.jsonl, item 1") as refused:
        await read_all(settings, source, write(tmp_path, item))
    assert reason in refused.value.message


async def test_half_a_surrogate_pair_does_not_lose_its_text(
    settings: Settings, tmp_path: Path
) -> None:
    assert parse_json(json.dumps({"a": HALF, "n": 2**70})) == {"a": "cut\ufffd", "n": float(2**70)}
    said = json.dumps([{"role": "user", "parts": [{"type": "text", "content": HALF}]}])
    told = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": said}
    attributes = [{"key": key, "value": {"stringValue": value}} for key, value in told.items()]
    path = write(tmp_path, make_span(attributes=attributes))
    (one,) = await read_all(settings, "otel", path)
    assert show(one.messages) == [("user", "cut\ufffd", [])]


async def test_a_broken_line_is_not_reported_as_a_too_long_one(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST_ITEM_BYTES", 2**20)
    good = json.dumps({"messages": [ASKED, ANSWERED]})
    lines = ['{"messages": [}', *[good] * 40_000]
    path = write(tmp_path, "\n".join(lines).encode())
    with pytest.raises(InputError, match="item 1 is not JSON"):
        await read_all(settings, "openai", path)
    long = json.dumps({"messages": [{"role": "user", "content": "x" * 3 * 2**20}]})
    with pytest.raises(InputError, match="item 1 is longer than"):
        await read_all(settings, "openai", write(tmp_path, long.encode()))


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        ({"body_b64": "e30=", "headers": {"Content-Encoding": "zstd"}}, "compressed (zstd)"),
        ({"body_b64": "x"}, "the body is not base64"),
    ],
)
async def test_unreadable_requests_of_langsmith_are_refused_or_skipped(
    plainloop: Command, tmp_path: Path, item: Any, reason: str
) -> None:
    lines = [json.dumps(item), json.dumps(make_run())]
    write(tmp_path, "\n".join(lines).encode())
    done = await plainloop("import", "langsmith", "file.jsonl", "--dry-run")
    assert (done.code, reason in done.err) == (2, True), done
    done = await plainloop("import", "langsmith", "file.jsonl", "--dry-run", "--skip-broken")
    assert (done.code, "1 conversation" in done.out, "1 record skipped" in done.out) == (0, 1, 1)
