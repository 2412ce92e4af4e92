"""`plainloop new`: what it writes runs at once, without a key and without a line of one's own."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from plainloop.agent.errors import InputError
from plainloop.agent.packs.loading import list_pack_names
from plainloop.agent.project.new import choose_pack_name
from tests.cli.conftest import Command


async def test_a_new_project_answers_offline(desk: Command):
    said = [
        await desk("ask", text)
        for text in (
            "add a task: water the plants",
            "how many open tasks do I have?",
            "mark task 1 as done",
            "list my tasks",
        )
    ]

    assert [done.code for done in said] == [0] * 4, [done.err for done in said]
    assert [done.out for done in said] == [
        "Added #1 water the plants (open).\n",
        "You have 1 task with status open.\n",
        "Updated #1 water the plants (done) – status: done.\n",
        "You have 1 task:\n\n- #1 water the plants (done)\n",
    ]


async def test_a_new_projects_tests_pass(desk: Command):
    pytest.importorskip("plainloop_rules")
    tests = replace(desk, program=(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"))
    # Keys and databases of the machine mean nothing to them.
    done = await tests(ANTHROPIC_API_KEY="nobody", DATABASE_URL="postgresql://nowhere")

    assert (done.code, "1 passed" in done.out) == (0, True), done.out


async def test_the_settings_and_keys_of_a_project_are_read_in_its_folder(desk: Command):
    (desk.folder / ".env").write_text("AGENT_LIMITS_MODEL_TIMEOUT_S=77\n", encoding="utf-8")
    done = await desk("doctor")

    assert "file plainloop.toml" in done.out
    assert "limits.model_timeout_s = 77.0 (from AGENT_LIMITS_MODEL_TIMEOUT_S)" in done.out
    assert "packs desk · workers assistant" in done.out


async def test_an_existing_folder_is_not_overwritten(desk: Command):
    before = (desk.folder / "plainloop.toml").read_bytes()
    done = await desk("new", str(desk.folder))

    assert (done.code, "already exists" in done.err) == (2, True)
    assert (desk.folder / "plainloop.toml").read_bytes() == before


@pytest.mark.parametrize(
    ("folder", "name"), [("desk_2", "desk_2"), ("elsewhere/My-Shop", "my_shop"), ("/tmp/x", "x")]
)
def test_a_new_pack_has_the_name_of_its_folder(folder: str, name: str):
    assert choose_pack_name(Path(folder)) == name


@pytest.mark.parametrize(
    "name", ["2desk", "a desk", "class", "calendar", *list_pack_names(), "tests", ".."]
)
def test_an_invalid_pack_name_is_refused(name: str):
    with pytest.raises(
        InputError, match=r"is not a valid pack name|an installed Python module is already named"
    ):
        choose_pack_name(Path(name))
