"""The four tools: results to the letter, fields in the state alone, a file written as a whole."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainloop.agent.config.settings import Settings
from plainloop.agent.service.service import Service
from plainloop.agent.store.store import Store
from plainloop_staff import make_pack
from plainloop_staff.export import to_bullets, write_document
from plainloop_staff.fields import FIELD_NAMES, FIELDS, InvalidValue, parse_field
from plainloop_staff.settings import get_export_dir
from tests.machine.notes_pack import make_pack as make_other_pack
from tests.machine.scripted import ScriptedProvider, text, tools
from tests.packs.interviewing import Interviewing, Turn, make_scripted

PACK = make_pack()
FIELDS_IN_ORDER = [
    "employee_name",
    "employee_id",
    "starter_kit",
    "dietary_restrictions",
    "meeting_scheduled",
    "conversation_summary",
]
REQUIRED = ["employee_name", "employee_id", "starter_kit"]
ADA = {"employee_name": "Ada Lovelace", "employee_id": "42", "starter_kit": "mouse"}


async def call(
    settings: Settings, store: Store, *steps: tuple[str, dict[str, Any]], said: Any = ()
) -> list[Any]:
    """The results of these calls, one model answer each, and after it what `said` answers."""
    return [part["result"] for part in await call_parts(settings, store, *steps, said=said)]


async def call_parts(
    settings: Settings, store: Store, *steps: tuple[str, dict[str, Any]], said: Any = ()
) -> list[Any]:
    held, _ = hold(settings, store, *steps, said=said)
    await held.say("go")
    thread = await held.service.ensure_interview("t1", "u1")
    messages = await store.load_messages("t1", thread.thread_id)
    return [part for m in messages if m["role"] == "tool" for part in m["parts"]]


def hold(
    settings: Settings, store: Store, *steps: tuple[str, dict[str, Any]], said: Any = ()
) -> tuple[Interviewing, ScriptedProvider]:
    calls = [tools((f"c{n}", *step)) for n, step in enumerate(steps)]
    roomy = replace(settings, limits=replace(settings.limits, onboarding_turns=20))
    service, provider = make_scripted(roomy, store, PACK, *calls, *said, text("Noted."))
    return Interviewing(service), provider


def write(name: str, value: Any, **more: Any) -> tuple[str, dict[str, Any]]:
    return "write_data", {"field_name": name, "value": value, **more}


def write_all(values: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [write(name, value) for name, value in values.items()]


async def test_read_data_returns_all_six_fields_or_the_requested_ones(
    settings: Settings, store: Store
):
    results = await call(
        settings,
        store,
        ("read_data", {}),
        write("employee_name", "  Ada Lovelace "),
        ("read_data", {"field_names": ["employee_name", "starter_kit"]}),
        ("read_data", {"field_names": ["shoe_size"]}),
        ("read_data", {"field_names": []}),
    )

    assert results[0] == {"status": "success", **dict.fromkeys(FIELDS_IN_ORDER)}
    assert results[2] == {"status": "success", "employee_name": "Ada Lovelace", "starter_kit": None}
    assert results[3] == {
        "status": "error",
        "message": "Unknown field 'shoe_size'",
        "valid_fields": FIELDS_IN_ORDER,
    }
    assert list(results[4]) == ["status", *FIELDS_IN_ORDER]


async def test_write_data_stores_valid_values(settings: Settings, store: Store):
    results = await call(
        settings,
        store,
        write("employee_name", "Ada"),
        write("employee_id", 42),
        write("starter_kit", "MOUSE"),
        write("dietary_restrictions", ""),
        write("meeting_scheduled", True),
        write("meeting_scheduled", "no"),
        ("read_data", {}),
    )

    recorded = {"status": "success", "message": "Data recorded"}
    assert results[:-1] == [
        {"field_name": "employee_name", "value": "Ada", **recorded},
        {"field_name": "employee_id", "value": "42", **recorded},
        {"field_name": "starter_kit", "value": "mouse", **recorded},
        {"field_name": "dietary_restrictions", "value": "", **recorded},
        {"field_name": "meeting_scheduled", "value": True, **recorded},
        {"field_name": "meeting_scheduled", "value": False, **recorded},
    ]
    assert results[-1] == {
        "status": "success",
        "employee_name": "Ada",
        "employee_id": "42",
        "starter_kit": "mouse",
        "dietary_restrictions": "",
        "meeting_scheduled": False,
        "conversation_summary": None,
    }


NAME_BOUNDS = "employee_name must be a text of 1 to 255 characters"
INVALID: list[tuple[str, Any, str, dict[str, Any]]] = [
    ("employee_name", "", NAME_BOUNDS, {}),
    ("employee_name", "   ", NAME_BOUNDS, {}),
    ("employee_name", "x" * 256, NAME_BOUNDS, {}),
    ("employee_id", "1" * 51, "employee_id must be a text of 1 to 50 characters", {}),
    (
        "starter_kit",
        "unicorn",
        "starter_kit must be one of: mouse, keyboard, backpack",
        {"valid_values": ["mouse", "keyboard", "backpack"]},
    ),
    (
        "dietary_restrictions",
        "x" * 501,
        "dietary_restrictions must be a text of at most 500 characters",
        {},
    ),
    ("meeting_scheduled", "perhaps", "meeting_scheduled must be true or false", {}),
]


async def test_write_data_refuses_invalid_values_with_the_reason(settings: Settings, store: Store):
    steps = [write(name, value) for name, value, _, _ in INVALID]
    *parts, read = await call_parts(settings, store, *steps, ("read_data", {}))

    for part, (name, value, message, more) in zip(parts, INVALID, strict=True):
        refused = {"field_name": name, "value": value, "status": "error", "message": message}
        assert (part["result"], part["is_error"]) == ({**refused, **more}, True)
    assert read["result"] == {"status": "success", **dict.fromkeys(FIELDS_IN_ORDER)}


async def test_write_data_refuses_an_unknown_field_with_the_known_ones(
    settings: Settings, store: Store
):
    assert await call(settings, store, write("shoe_size", "42")) == [
        {
            "field_name": "shoe_size",
            "status": "error",
            "message": "Unknown field 'shoe_size'",
            "valid_fields": FIELDS_IN_ORDER,
        }
    ]


async def test_export_data_names_missing_fields(settings: Settings, store: Store):
    results = await call(settings, store, write("employee_id", "42"), ("export_data", {}))

    assert results[1] == {
        "status": "error",
        "message": "Cannot export: missing required fields",
        "missing_fields": ["employee_name", "starter_kit"],
        "required_fields": REQUIRED,
    }
    assert not get_export_dir(settings).exists()


async def test_export_data_writes_a_summary_and_one_file(settings: Settings, store: Store):
    held, provider = hold(
        settings,
        store,
        *write_all(ADA),
        write("dietary_restrictions", "none", comments="asked twice"),
        ("export_data", {"confirmation_message": "Yes, that is right"}),
        said=[text("- Ada Lovelace starts.\n- She gets a mouse.")],
    )

    turn = await held.say("I am Ada.")

    thread = await held.service.ensure_interview("t1", "u1")
    path = get_export_dir(settings) / f"{thread.thread_id}.json"
    summary = "- Ada Lovelace starts.\n- She gets a mouse."
    (exported,) = [d for d in turn.list_data("tool_result") if d["name"] == "export_data"]
    assert exported["result"] == {
        "status": "success",
        "message": "Onboarding data exported successfully",
        "file_path": str(path),
        "summary": summary,
    }
    document = json.loads(path.read_text(encoding="utf-8"))
    assert document.pop("exported_at").endswith("+00:00")
    assert document == {
        "conversation_id": thread.thread_id,
        **ADA,
        "dietary_restrictions": "none",
        "meeting_scheduled": None,
        "conversation_summary": summary,
        "comments": {"dietary_restrictions": "asked twice"},
        "confirmation_message": "Yes, that is right",
    }
    assert [item.name for item in get_export_dir(settings).iterdir()] == [path.name]
    assert thread.data["conversation_summary"] == summary
    asked = provider.requests[5]
    assert "2 to 3 Markdown bullets" in asked.system
    assert "Employee name: Ada Lovelace" in str(asked.messages)
    assert "user: I am Ada." in str(asked.messages)
    assert turn.ending == ["onboarding_complete", "done"]


async def test_an_export_to_a_failing_disk_stores_nothing(settings: Settings, store: Store):
    get_export_dir(settings).parent.mkdir(parents=True, exist_ok=True)
    get_export_dir(settings).write_text("a file where the folder should be")
    held, _ = hold(settings, store, *write_all(ADA), ("export_data", {}), said=[text("- a\n- b")])

    turn = await held.say("go")

    thread = await held.service.ensure_interview("t1", "u1")
    messages = await store.load_messages("t1", thread.thread_id)
    result = [part for m in messages if m["role"] == "tool" for part in m["parts"]][-1]["result"]
    assert result == {
        "status": "error",
        "message": "Failed to write export file: File exists",
        "file_path": str(get_export_dir(settings) / f"{thread.thread_id}.json"),
    }
    assert turn.ending == ["done"]
    assert "conversation_summary" not in thread.data


def test_an_interrupted_export_keeps_the_old_file(tmp_path: Path, monkeypatch: Any):
    path = tmp_path / "a.json"
    write_document(path, {"n": 1})

    def refuse(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(OSError, match="No space left"):
        write_document(path, {"n": 2})

    assert json.loads(path.read_bytes()) == {"n": 1}
    assert [item.name for item in tmp_path.iterdir()] == ["a.json"]


@given(st.text(max_size=300), st.lists(st.text(min_size=1, max_size=20), min_size=3, max_size=5))
def test_an_export_summary_always_has_two_or_three_bullets(said: str, recorded: list[str]):
    lines = to_bullets(said, [" ".join(line.split()) or "x" for line in recorded]).split("\n")

    assert 2 <= len(lines) <= 3
    assert all(line.startswith("- ") for line in lines)


@given(st.sampled_from(FIELDS), st.text(max_size=600) | st.integers() | st.floats() | st.booleans())
def test_stored_interview_values_are_always_valid(item: Any, given_value: Any):
    try:
        value = parse_field(item, given_value)
    except InvalidValue as error:
        assert item.name in str(error)
        return
    assert parse_field(item, value) == value
    assert isinstance(value, bool) == item.is_bool


async def test_staff_tool_calls_run_one_at_a_time(settings: Settings, store: Store):
    both = tools(
        ("c1", *write("employee_name", "Ada", comments="said so")),
        ("c2", *write("employee_id", "42", comments="from the card")),
        ("c3", "read_data", {"field_names": ["employee_name", "employee_id"]}),
    )
    service, provider = make_scripted(settings, store, PACK, both, text("Noted."))

    turn = await Interviewing(service).say("go")

    read = turn.list_data("tool_result")[-1]["result"]
    assert read == {"status": "success", "employee_name": "Ada", "employee_id": "42"}
    thread = await service.ensure_interview("t1", "u1")
    assert thread.data["comments"] == {"employee_name": "said so", "employee_id": "from the card"}
    assert [request.parallel_tool_calls for request in provider.requests] == [False, False]


async def test_the_staff_worker_sees_only_its_four_tools(settings: Settings, store: Store):
    other = make_other_pack()
    stranger = tools(*((f"c{n}", item.name, {}) for n, item in enumerate(other.tools)))
    made, provider = make_scripted(settings, store, PACK, stranger, text("No."))
    service = Service(made.settings, store, made.models, (other, PACK))
    held = Interviewing(service)
    thread = await store.create_thread("t1", "u1", pack="staff_onboarding", kind="onboarding")

    turn = Turn()
    await service.answer("t1", "u1", thread.thread_id, "Use every tool.", turn.events.append)

    four = ["export_data", "rag_search", "read_data", "write_data"]
    assert [[tool.name for tool in request.tools] for request in provider.requests] == [four] * 2
    refused = {item["name"]: item["error"] for item in turn.list_data("tool_error")}
    assert refused == {item.name: f"unknown tool {item.name!r}" for item in other.tools}
    assert held.service.get_pack(other.name) is other


def test_the_staff_packs_fields_and_tools_match_the_contract():
    assert list(FIELD_NAMES) == FIELDS_IN_ORDER
    assert [item.name for item in FIELDS if item.is_required] == REQUIRED
    assert {tool.name: tool.schema.parameters.get("required", []) for tool in PACK.tools} == {
        "read_data": [],
        "write_data": ["field_name", "value"],
        "rag_search": ["query"],
        "export_data": [],
    }
