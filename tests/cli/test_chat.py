"""`chat`: over a pipe, and in a real terminal with its keys."""

from __future__ import annotations

import json
import re
import stat
from pathlib import Path
from typing import Any

import pytest

from plainloop.agent.store.store import Store
from plainloop_wire.faults import Faults
from plainloop_wire.script import parse_script
from tests.cli.conftest import Command, point_at
from tests.cli.terminal import CTRL_C, Terminal
from tests.wire_fixtures import StartWire

CTRL_D = "\x04"
PROMPT = ">\x08"  # as it is drawn while nothing is typed


async def open_chat(plainloop: Command, program: Any = (), **environ: str) -> Terminal:
    terminal = await plainloop.open_terminal("chat", program=program, NO_COLOR="1", **environ)
    await terminal.read_until(PROMPT)
    return terminal


async def say(terminal: Terminal, line: str) -> str:
    """What is shown of it, until the prompt is there again."""
    terminal.type(line)
    return await terminal.read_until(PROMPT)


async def leave(terminal: Terminal, key: str = CTRL_D) -> int:
    terminal.type(key)
    return await terminal.wait()


async def test_chat_over_a_pipe_sends_each_line_to_one_thread(plainloop: Command, store: Store):
    lines = "add a job: Cook at Cafe Uno\n\nmove it to applied\r\nhow many jobs have I applied to?"
    done = await plainloop("chat", stdin=lines.encode())

    assert done.code == 0
    added, moved, counted = done.out.splitlines()
    assert ("Cafe Uno" in added, "applied" in moved) == (True, True)
    assert counted == "You have 1 job with status applied."
    (thread,) = await store.list_threads("local", "local", limit=9)
    assert len(await store.list_runs("local", thread.thread_id)) == 3


async def test_chats_banner_names_the_model_or_the_offline_provider(
    plainloop: Command, wire_server: StartWire
):
    server = await wire_server()
    offline = await plainloop("chat")
    model = await plainloop("chat", **point_at("anthropic", server.base_url))

    assert "offline rule-based stand-in, no language model" in offline.err
    assert "anthropic:claude-" in model.err


async def test_chat_commands_use_the_current_thread(plainloop: Command):
    lines = (
        "list my jobs\n/show\n/explain\n/threads\n/usage\n/new\nlist my jobs\n/threads\n/quit\nx"
    )
    done = await plainloop("chat", stdin=lines.encode())

    assert (done.code, done.out.count("You have no jobs.")) == (0, 4)
    assert "rule 'english.list' is certain" in done.out
    assert "2 model calls avoided" in done.out
    threads = re.findall(r"^[0-9a-f-]{36}  .*$", done.out, re.MULTILINE)
    assert len(threads) == 1 + 2, "one thread before /new, two after"


async def test_the_export_command_of_chat_writes_the_current_thread(
    plainloop: Command, tmp_path: Path
):
    file = tmp_path / "talk.jsonl"
    lines = f"list my jobs\n/export\n/export {file}\n/export {file}\nhow many jobs?\n"
    done = await plainloop("chat", stdin=lines.encode())
    told = next(line for line in done.out.splitlines() if line.startswith("{"))

    assert file.read_text() == told + "\n"
    assert [item["content"] for item in json.loads(told)["messages"]] == [
        *("list my jobs", "You have no jobs.")
    ]
    assert f"{file} already exists" in done.err


@pytest.mark.parametrize("before", ["", "how many jobs?\n/new\n"])
async def test_commands_of_a_new_chat_ignore_earlier_threads(
    plainloop: Command, store: Store, tmp_path: Path, before: str
):
    await plainloop("ask", "add a job: Cook at Cafe Uno")
    waits = await plainloop("ask", "delete job 1")
    file = tmp_path / "talk.jsonl"
    names = ("show", "explain", "export", f"export {file}", "approve", "deny", "cancel")
    lines = before + "".join(f"/{name}\n" for name in names)
    done = await plainloop("chat", stdin=lines.encode())

    assert waits.code != 0
    assert done.code == 2
    assert "Cafe Uno" not in done.out and not file.exists()
    assert done.err.count("error[INVALID_INPUT]: this chat has no messages yet") == 6
    assert "`/approve last` uses the newest" in done.err
    assert "no run is active or waiting here" in done.err
    if not before:  # else the newest thread waits for nothing
        assert "Deleted" in (await plainloop("chat", stdin=b"/approve last\n")).out


async def test_a_failing_line_of_a_piped_chat_only_sets_the_exit_code(plainloop: Command):
    lines = b"/nonsense\n" + b"x" * 100_001 + b"\nlist my jobs\n"
    done = await plainloop("chat", stdin=lines)

    assert (done.code, done.out) == (2, "You have no jobs.\n")
    assert [line for line in done.err.splitlines() if line.startswith("error[")] == [
        "error[INVALID_INPUT]: unknown command /nonsense",
        "error[MESSAGE_TOO_LONG]: the message has 100,001 characters; the limit is 100,000",
    ]


async def test_ctrl_d_ends_chat_in_a_terminal(plainloop: Command):
    terminal = await open_chat(plainloop)
    shown = await say(terminal, "list my jobs\n")
    listed = await say(terminal, "/help\n")

    assert await leave(terminal) == 0
    assert re.search(r"You have no jobs\.\nfast_list · no model call · [\d.]+ m?s\n", shown)
    assert "/explain" in listed


async def test_ctrl_c_at_the_chat_prompt_clears_the_line(plainloop: Command):
    terminal = await open_chat(plainloop)
    terminal.type("delete every")
    await terminal.read_until("delete every")
    await terminal.interrupt_until(PROMPT)
    terminal.type("list my jobs\n")
    await terminal.read_until("You have no jobs.")

    assert await leave(terminal, "/quit\n") == 0


async def test_ctrl_c_during_a_chats_run_cancels_only_the_run(
    plainloop: Command, wire_server: StartWire, store: Store
):
    server = await wire_server(faults=Faults(first_ms=400, delay_ms=20))
    terminal = await open_chat(plainloop, **point_at("anthropic", server.base_url))
    terminal.type("add a job: Cook at Cafe Uno\n")
    await terminal.read_until("intent_classifier")
    cancelled = await say(terminal, CTRL_C)
    server.wire.faults.load(Faults())
    answered = await say(terminal, "add a job: Cook at Cafe Due\n")

    assert await leave(terminal) == 0
    assert "cancelled\nstored in thread" in cancelled
    assert "Cafe Due" in answered
    (thread,) = await store.list_threads("local", "local", limit=9)
    runs = await store.list_runs("local", thread.thread_id)
    assert sorted(run.status for run in runs) == ["cancelled", "succeeded"]


async def test_chat_history_is_kept_in_a_private_file(plainloop: Command, tmp_path: Path):
    first = await open_chat(plainloop)
    await say(first, "how many jobs do I have?\n")
    await leave(first, "/quit\n")
    second = await open_chat(plainloop)
    shown = await say(second, "\x1b[A\x1b[A\n")
    await leave(second, "/quit\n")

    assert "You have no jobs." in shown
    history = tmp_path / "data" / "chat_history"
    assert stat.S_IMODE(history.stat().st_mode) == 0o600


@pytest.mark.parametrize("ignoring", [(), ("sh", "-c", "trap '' HUP; exec \"$@\"", "sh")])
async def test_closing_the_terminal_ends_chat(ignoring: tuple[str, ...], plainloop: Command):
    terminal = await open_chat(plainloop, (*ignoring, *plainloop.program))
    terminal.close()

    assert await terminal.wait() == 129


async def test_control_sequences_in_answers_do_not_reach_the_terminal(
    plainloop: Command, wire_server: StartWire
):
    sorted_out = {"worker": "general", "success_criteria": "", "fast_intent": "none"}
    triage = sorted_out | {"entity_type": "none", "filters": []}
    evil = {"answer": {"text": "a\x1b]0;owned\x07b\x1b[2Jc"}}
    script = parse_script([{"match": {"schema": True}, "answer": {"json": triage}}, evil])
    server = await wire_server(script=script)
    terminal = await plainloop.open_terminal(
        "ask", "tell me a joke", NO_COLOR="1", **point_at("anthropic", server.base_url)
    )

    assert await terminal.wait() == 0, terminal.shown
    assert "a�]0;owned�b�[2Jc" in terminal.shown
    assert "\x1b]0;" not in terminal.shown


async def test_several_pasted_lines_are_one_chat_message(plainloop: Command, store: Store):
    terminal = await open_chat(plainloop)
    terminal.type("\x1b[200~list my jobs\nand all of\nmy contacts\x1b[201~")
    await terminal.read_until("my contacts")
    await say(terminal, "\r")

    assert await leave(terminal) == 0
    (thread,) = await store.list_threads("local", "local", limit=9)
    (run,) = await store.list_runs("local", thread.thread_id)
    messages = await store.load_messages("local", run.thread_id)
    assert messages[0]["parts"] == [
        {"type": "text", "text": "list my jobs\nand all of\nmy contacts"}
    ]


async def test_tab_completes_a_chat_command(plainloop: Command):
    terminal = await open_chat(plainloop)
    terminal.type("/he\t")
    await terminal.read_until("lp")  # "/he" may stand there already
    terminal.type("\r")
    await terminal.read_until("Ctrl-D quits")
    await terminal.read_until(PROMPT)

    assert await leave(terminal) == 0


async def test_chat_requests_an_approval_that_yes_decides(plainloop: Command):
    await plainloop("ask", "add a job: Cook at Cafe Uno")
    terminal = await plainloop.open_terminal("chat")
    await terminal.read_until(PROMPT)
    shown = await say(terminal, "show me job 1\r")
    asked = await say(terminal, "delete it\r")
    done = await say(terminal, "yes\r")

    assert await leave(terminal) == 0
    assert "\x1b[1m#1 Cook at Cafe Uno (saved)" in shown
    assert "**" not in shown
    assert "asks for your approval: Delete #1 Cook at Cafe Uno?" in asked
    assert "yes allows the call, no denies it" in asked
    assert "Deleted #1 Cook at Cafe Uno" in done


async def test_chat_decides_approvals_by_yes_or_no_and_cancels_by_cancel(
    plainloop: Command, store: Store
):
    lines = (
        *("add a job: Cook at Cafe Uno", "delete the Cafe Uno job", "no"),
        *("delete the Cafe Uno job", "/cancel", "delete the Cafe Uno job", "Yes."),
    )
    done = await plainloop("chat", stdin="\n".join(lines).encode())

    assert "denied: " in done.err
    assert "cancelled" in done.err
    assert "Deleted #1" in done.out
    (thread,) = await store.list_threads("local", "local", limit=9)
    runs = await store.list_runs("local", thread.thread_id)
    assert sorted(run.status for run in runs) == ["cancelled", *["succeeded"] * 3]


async def test_yes_in_a_new_chat_is_an_ordinary_message(plainloop: Command, store: Store):
    lines = ("add a job: Cook at Cafe Uno", "delete the Cafe Uno job", "/new", "yes")
    done = await plainloop("chat", stdin="\n".join(lines).encode())

    assert "allowed: " not in done.err
    assert len(await store.list_threads("local", "local", limit=9)) == 2


async def test_a_yes_in_chat_decides_only_the_displayed_approval(plainloop: Command, store: Store):
    for company in ("Cafe Uno", "Bar Due"):
        await plainloop("ask", f"add a job: Cook at {company}")
    terminal = await plainloop.open_terminal("chat")
    await terminal.read_until(PROMPT)
    await say(terminal, "delete the Cafe Uno job\r")
    (thread, *_) = await store.list_threads("local", "local", limit=9)
    await plainloop("approve", "--deny")
    other = await plainloop("ask", "--thread", thread.thread_id, "delete the Bar Due job")
    told = await say(terminal, "yes\r")
    await leave(terminal, CTRL_D)

    assert "asks for your approval: Delete #2 Cook at Bar Due?" in other.err
    assert "this approval was already decided: denied" in told
    assert "2 jobs" in (await plainloop("ask", "how many jobs do I have?")).out
