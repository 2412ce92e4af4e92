"""Whatever is wrong: one clear line with a code, a hint, a non-zero exit, no traceback."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.base.messages.contents import make_text_message
from plainloop.agent.store.store import Store
from plainloop_wire.call import Rules
from tests.cli.conftest import Command, Finished, point_at, run_together
from tests.wire_fixtures import StartWire

NO_THREAD = "01980000-0000-7000-8000-000000000000"

ASK = ["ask", "tell me a joke"]

WRONG_COMMAND_LINES: list[tuple[list[str], int, str]] = [
    (["ask", ""], 2, "EMPTY_MESSAGE"),
    (["ask", " \n\t "], 2, "EMPTY_MESSAGE"),
    (["ask"], 2, "USAGE"),
    (["ask", "hello", "--no-such-option"], 2, "USAGE"),
    (["ask", "hello", "--thread", "1", "--last"], 2, "USAGE"),
    (["frobnicate"], 2, "USAGE"),
    (["ask", "hello", "--thread", NO_THREAD], 3, "NOT_FOUND"),
    (["ask", "hello", "--thread", "no-id-at-all"], 3, "NOT_FOUND"),
    (["ask", "hello", "--last"], 3, "NOT_FOUND"),
    (["chat", "--thread", NO_THREAD], 3, "NOT_FOUND"),
    (["show", NO_THREAD], 3, "NOT_FOUND"),
    (["show", "last"], 3, "NOT_FOUND"),
    (["explain", "last"], 3, "NOT_FOUND"),
    (["explain", NO_THREAD], 3, "NOT_FOUND"),
    (["usage", "--by", "moon"], 2, "INVALID_INPUT"),
    (["usage", "--format", "xml"], 2, "USAGE"),
    (["usage", "--since", "9999-12-31"], 2, "USAGE"),
    (["failures", "--since", "0001-01-01"], 2, "USAGE"),
    (["migrate", "--status", "--dry-run"], 2, "USAGE"),
    (["models", "opnai"], 2, "UNKNOWN_PROVIDER"),
    (["token", "ada", "--hours", "inf"], 2, "USAGE"),
    (["models", "anthropic"], 2, "MISSING_KEY"),
    (["knowledge", "add", "nowhere.md"], 2, "INVALID_INPUT"),
    (["wire-server", "--script", "nowhere.json", "--port", "0"], 2, "CONFIG_INVALID"),
    (["wire-server", "--fail", "often", "--port", "0"], 2, "CONFIG_INVALID"),
]
WRONG_SETTINGS: list[tuple[dict[str, str], int, str]] = [
    ({"AGENT_DESIGN": "defualt"}, 2, "CONFIG_INVALID"),
    ({"AGENT_PACKS": "career"}, 2, "CONFIG_INVALID"),
    ({"AGENT_PROVIDER": "antropic"}, 2, "UNKNOWN_PROVIDER"),
    ({"AGENT_PROVIDER": "anthropic"}, 2, "MISSING_KEY"),
    ({"AGENT_PROVIDER": "openai", "OPENAI_API_KEY": "kĀy"}, 2, "CONFIG_INVALID"),
    ({"AGENT_PROVDER": "offline"}, 2, "CONFIG_INVALID"),
    ({"AGENT_CONFIG": "nowhere.toml"}, 2, "CONFIG_INVALID"),
    ({"AGENT_LIMITS_WORKER_TURNS": "many"}, 2, "CONFIG_INVALID"),
    ({"AGENT_AGENTS_NOBODY_MODEL": "x"}, 2, "CONFIG_INVALID"),
    ({"DATABASE_URL": "postgresql://nobody@127.0.0.1:9/none"}, 5, "STORE_UNAVAILABLE"),
    ({"DATABASE_URL": "postgresql://nobody@no-such-host.invalid/x"}, 5, "STORE_UNAVAILABLE"),
    ({"DATABASE_URL": "mysql://localhost/x"}, 5, "STORE_UNAVAILABLE"),
    ({"DATABASE_URL": "", "AGENT_DATA_DIR": "/proc/plainloop"}, 5, "STORE_UNAVAILABLE"),
]


def describe(done: Finished) -> tuple[int, str]:
    """(exit code, error code) of a command that was refused as it should be."""
    first, *rest = done.err.splitlines() or [""]
    match = re.fullmatch(r"error\[(\w+)\]: \S.*", first)
    is_clean = not done.out and all(line.startswith("hint: ") for line in rest)
    return (done.code, match[1]) if match and is_clean else (done.code, done.out + done.err)


@pytest.mark.parametrize("wrong", [WRONG_COMMAND_LINES, WRONG_SETTINGS], ids=["line", "setting"])
async def test_an_invalid_command_line_or_setting_is_refused(wrong: list[Any], plainloop: Command):
    asked = [(given, {}) if isinstance(given, list) else (ASK, given) for given, _, _ in wrong]
    said = await run_together([plainloop(*line, **environ) for line, environ in asked])

    expected = {str(given): (code, error) for given, code, error in wrong}
    assert dict(zip(expected, map(describe, said), strict=True)) == expected


async def test_a_read_only_data_directory_is_refused(plainloop: Command, tmp_path: Path):
    # A file where the directory should be: refuses root as well, whom permissions do not stop.
    (tmp_path / "file").write_text("")
    done = await plainloop(
        "ask", "hello", DATABASE_URL="", AGENT_DATA_DIR=str(tmp_path / "file" / "data")
    )

    assert describe(done) == (5, "STORE_UNAVAILABLE")
    assert "AGENT_DATA_DIR" in done.err


async def test_asking_an_unknown_model_prints_the_providers_error(
    plainloop: Command, wire_server: StartWire
):
    server = await wire_server(rules=Rules(strict_models=True))
    environ = point_at("anthropic", server.base_url) | {"AGENT_MODEL": "no-such-model"}
    done = await plainloop("ask", "tell me a joke", **environ)

    assert (done.code, done.out) == (7, "")
    first, *_, kept = done.err.splitlines()
    assert first.startswith("error[MODEL_NOT_FOUND]: ")
    assert kept.startswith("stored in thread ")


async def test_another_tenants_thread_gets_the_error_of_a_missing_one(
    plainloop: Command, store: Store
):
    theirs = await store.create_thread("other", "local", pack="tracker")
    await store.save_message("other", theirs.thread_id, None, make_text_message("user", "secret"))
    missing = await plainloop("show", NO_THREAD)

    for arguments in (
        ["show", theirs.thread_id],
        ["show", theirs.thread_id[:13]],
        ["ask", "hello", "--thread", theirs.thread_id],
        ["explain", theirs.thread_id],
    ):
        assert describe(await plainloop(*arguments)) == (3, "NOT_FOUND")
    shown = await plainloop("show", theirs.thread_id)
    assert shown.err == missing.err.replace(NO_THREAD, theirs.thread_id)
    assert theirs.thread_id not in (await plainloop("threads")).out
    assert len(await store.load_messages("other", theirs.thread_id)) == 1


async def test_a_refused_message_leaves_no_thread(plainloop: Command, store: Store):
    await plainloop("ask", "")
    huge = await plainloop("ask", "-", stdin=b"x" * 100_001)

    assert describe(huge) == (2, "MESSAGE_TOO_LONG")
    assert await store.list_threads("local", "local", limit=9) == []


async def test_ask_removes_nul_characters_from_a_message(plainloop: Command):
    done = await plainloop("ask", "-", stdin=b"list\x00 my \x00jobs")

    assert (done.code, done.out) == (0, "You have no jobs.\n"), done


async def test_ask_accepts_invalid_utf_8_in_a_message(plainloop: Command, store: Store):
    by_argument = await plainloop("ask", b"tell me about \xff\xfe")
    by_stdin = await plainloop("ask", "-", stdin=b"tell me about \xed\xa0\xbd")

    assert (by_argument.code, by_stdin.code) == (0, 0), (by_argument, by_stdin)
    threads = await store.list_threads("local", "local", limit=9)
    assert [thread.messages for thread in threads] == [2, 2]
    shown = await plainloop("show", "last")
    assert "tell me about �" in shown.out


async def test_an_internal_error_prints_one_line_or_with_debug_a_traceback(
    plainloop: Command, tmp_path: Path
):
    broken = tmp_path / "sitecustomize.py"
    broken.write_text(
        "import plainloop.agent.core.loop as loop\n"
        "def fail(*args): raise ZeroDivisionError('planted')\n"
        "loop.seal_update = fail\n"
    )
    environ = {"PYTHONPATH": f"{tmp_path}:{plainloop.environ['PYTHONPATH']}"}
    quiet = await plainloop("ask", "list my jobs", **environ)
    loud = await plainloop("--debug", "ask", "list my jobs", **environ)

    first, hint, kept = quiet.err.splitlines()
    assert (quiet.code, quiet.out) == (1, "")
    assert first == "error[INTERNAL_ERROR]: ZeroDivisionError: planted"
    assert "--debug" in hint
    assert kept.startswith("stored in thread ")
    assert "Traceback (most recent call last)" in loud.err
