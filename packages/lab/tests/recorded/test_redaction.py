"""`plainloop export --redact`: no personal data in the file, and the replay is still exact."""

from __future__ import annotations

import re
from pathlib import Path

import orjson
import pytest

from plainloop_lab.replay.redaction.finding import list_capitalised_names, list_cued_names
from plainloop_lab.replay.redaction.redactor import Redactor
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop

PERSONAL = (
    *("Lindqvist", "lindqvist", "Mara", "Initech", "Jonas", "Weber"),
    *("151 2345678", "1512345678", "84213", "mara@initech.example"),
)
ASKED = (
    "add a job: Backend Engineer at Initech, remote",
    "My name is Mara Lindqvist, call me at +49 151 2345678 or write to mara@initech.example",
    "tell Jonas Weber about order 84213 and the Initech job of Lindqvist",
    "how many jobs do I have?",
)


async def record(plainloop: Command, *more: str) -> str:
    for text in ASKED:
        assert (await plainloop("ask", text)).code == 0
    assert (await plainloop("ask", "--last", "move the Initech job to applied")).code == 0
    done = await plainloop("export", "--recording", "--redact", *more, "-o", "recorded.jsonl")
    assert done.code == 0, done
    return done.err


async def test_redacted_recordings_replay_exactly_without_a_database(
    plainloop: Command, tmp_path: Path
) -> None:
    told = await record(plainloop)
    text = (tmp_path / "recorded.jsonl").read_text()
    assert "left out" not in told, told
    assert "1 e-mail address" in told
    assert [word for word in PERSONAL if word in text] == []
    away = {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}
    replayed = await plainloop("replay", "recorded", "--from", "recorded.jsonl", **away)
    assert (replayed.code, replayed.out.splitlines()[0]) == (
        0,
        "4 conversations, 0 diverged · turns: 5 same",
    )


async def test_redaction_replaces_a_name_equally_in_all_conversations(
    plainloop: Command, tmp_path: Path
) -> None:
    await record(plainloop)
    lines = [orjson.loads(line) for line in (tmp_path / "recorded.jsonl").read_bytes().splitlines()]
    said = [line["messages"][0]["content"] for line in lines]
    company = said[0].removeprefix("add a job: ").split(" at ")[1].removesuffix(", remote")
    surname = said[1].split()[4].removesuffix(",")
    assert said[2].endswith(f"and the {company} job of {surname}")


async def test_redaction_replaces_the_names_of_a_name_list(
    plainloop: Command, tmp_path: Path
) -> None:
    (tmp_path / "names.txt").write_text("order\n")
    await record(plainloop, "--redact-names", "names.txt")
    lines = (tmp_path / "recorded.jsonl").read_bytes().splitlines()
    said = orjson.loads(lines[2])["messages"][0]["content"]
    assert (" about " in said, " order " in said) == (True, False)


async def test_a_failing_recording_export_leaves_no_file(
    plainloop: Command, tmp_path: Path
) -> None:
    assert (await plainloop("ask", ASKED[0])).code == 0
    export = ("export", "--recording", "--redact", "-o", "recorded.jsonl", "--redact-names")
    done = await plainloop(*export, "missing.txt")
    assert (done.code, "cannot read missing.txt" in done.err) == (2, True)
    (tmp_path / "missing.txt").write_text("Initech\n")

    assert (await plainloop(*export, "missing.txt")).code == 0


async def test_redact_without_recording_is_refused(plainloop: Command) -> None:
    done = await plainloop("export", "--redact")
    assert (done.code, "--redact needs --recording" in done.err) == (2, True)
    done = await plainloop("export", "--recording", "--redact-digits", "2")
    assert (done.code, "need --redact" in done.err) == (2, True)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Please ask Anna-Lena O'Neil.", {"Anna-Lena", "O'Neil"}),
        ("We met on Monday in Kiel", {"Kiel"}),
        ("The API is slow", set()),
        ("Wo wohnt die Familie Berg und was ist mit der Rechnung?", {"Familie", "Berg"}),
        ("hello", set()),
    ],
)
def test_redaction_replaces_capitalised_words_inside_a_sentence(text: str, names: set[str]) -> None:
    assert {*list_capitalised_names(text, {"the", "we", "please"})} == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Dear Dr. Okafor,", {"Okafor"}),
        ("ich heiße Björn", {"Björn"}),
        ("I live at 12 Baker Street", {"Baker"}),
        ("Sie wohnt Lindenallee 7", {"Lindenallee"}),
        ("I am not sure", set()),
    ],
)
def test_redaction_replaces_the_word_after_a_title_such_as_dr(text: str, names: set[str]) -> None:
    assert {*list_cued_names(text, {"dr"})} == names


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-27T14:30:00",
        "on 2026-11-27",
        "in 2026",
        "01a21d44-dbc9-7235-8429-2304bf9f71c8",
        "12 of 345",
        "27.11.2026",
    ],
)
def test_redaction_keeps_ids_timestamps_and_short_numbers(text: str) -> None:
    assert Redactor().redact(text) == text


@pytest.mark.parametrize(
    "text", ["+49 (151) 234-5678", "4111 1111 1111 1111", "DE89 3704 0044 0532 0130 00", "$85,000"]
)
def test_redaction_preserves_the_format_of_numbers(text: str) -> None:
    redacted = Redactor().redact(text)
    assert redacted != text
    assert re.sub(r"\d", "9", redacted) == re.sub(r"\d", "9", text)


def test_redaction_replaces_a_number_equally_in_text_and_json() -> None:
    redactor = Redactor()
    told = redactor.redact({"salary": 85000, "note": "85,000 a year", "share": 0.5, "is": True})
    assert told["note"].split()[0].replace(",", "") == str(told["salary"])
    assert (told["share"], told["is"]) == (0.5, True)


def test_redaction_keeps_the_packs_own_texts() -> None:
    prompt = "You answer questions about orders of Initech, at most 10000 a day."
    redactor = Redactor([prompt], ["Initech"])
    told = redactor.redact(f"{prompt}\n\nThe user is at Initech, room 10000.")
    assert told.startswith(prompt)
    assert "Initech" not in told.removeprefix(prompt)
    assert "10000" not in told.removeprefix(prompt)


def test_redaction_replaces_numbers_beside_a_packs_text() -> None:
    own = "Look an order up by its number, and tell its state."
    text = f"call 4915112345 {own} " * 3_000

    changed = Redactor([own]).redact(text)

    assert changed.count(own) == 3_000
    assert "4915112345" not in changed


def test_redaction_changes_numbers_even_if_all_replacements_are_used() -> None:
    redactor = Redactor(min_digits=1)
    changed = [redactor.redact(f"room {n}") for n in range(10)]

    assert changed[0] == "room 0"
    assert [n for n in range(1, 10) if changed[n] == f"room {n}"] == []


def test_redaction_replaces_different_numbers_differently() -> None:
    redactor = Redactor(min_digits=2)

    assert len({redactor.redact(f"room {n}") for n in range(10, 99)}) == 89
