"""`plainloop deploy check` says in CI what a starting replica would be judged to be."""

from __future__ import annotations

from pathlib import Path

import pytest

from packages.lab.tests.deploy.changing import copy_served
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop
from tests.fixtures import run_sql

SAME = "0 differences not allowed"
OTHERWISE = {"AGENT_TRIAGE": "false"}  # no model sorts requests: the classifier writes less


@pytest.fixture
async def talked(plainloop: Command) -> Command:
    await plainloop("ask", "add a job: Cook at Cafe Uno")
    return plainloop


async def test_deploy_check_passes_unchanged_code_and_writes_nothing(talked: Command) -> None:
    url = talked.environ["DATABASE_URL"]
    name = url.partition("?")[0].rpartition("/")[2]
    await run_sql(url, f"alter database {name} set default_transaction_read_only = on")
    done = await talked("deploy", "check")
    assert (done.code, SAME in done.out) == (0, True), done.err


async def test_deploy_check_fails_for_other_settings_and_names_them(talked: Command) -> None:
    done = await talked("deploy", "check", "--report", "report", **OTHERWISE)
    assert done.code == 1
    assert "tracker/default update intent_classifier" in done.out
    told = await talked("deploy", "check", **OTHERWISE)
    assert "1 difference not allowed" in told.out
    assert "--report DIR shows each" in told.err
    assert (talked.folder / "report" / "report.html").exists()


async def test_deploy_check_reports_that_it_has_no_conversations(plainloop: Command) -> None:
    done = await plainloop("deploy", "check")
    assert (done.code, "nothing was judged" in done.err) == (0, True), done.err


async def test_deploy_check_names_missing_migrations(talked: Command, tmp_path: Path) -> None:
    tree = copy_served(tmp_path / "newer")
    (tree / "migrations" / "9000_core_hats.sql").write_text("create table hats (a int)")
    done = await talked("deploy", "check", PYTHONPATH=str(tree))
    assert (done.code, SAME in done.out) == (0, True), done.err
    assert "lacks the migrations 9000_core_hats.sql" in done.err


async def test_deploy_check_fails_for_unexecuted_changed_code_until_accepted(
    talked: Command, tmp_path: Path
) -> None:
    tree = copy_served(tmp_path / "newer")
    tools = tree / "tests" / "tracker" / "tools.py"
    text = tools.read_text(encoding="utf-8")
    tools.write_text(text.replace('{"job": drop_nulls(row)}', '{"job": row}'), encoding="utf-8")
    done = await talked("deploy", "check", "--report", "report", PYTHONPATH=str(tree))
    assert (done.code, SAME in done.out) == (1, True), done
    assert "but tool create_job (tracker): its code is different today\n" in done.out
    assert "changed and not allowed: tracker code tool create_job\n" in done.out
    assert 'pattern = "tracker code tool create_job"' in done.err
    assert "tool create_job" in (talked.folder / "report" / "report.html").read_text()

    warned = await talked("deploy", "check", PYTHONPATH=str(tree), AGENT_DEPLOY_CODE="warn")
    assert (warned.code, "its code is different" in warned.out) == (0, True), warned
    (talked.folder / "allowed.toml").write_text(
        '[[allow]]\npattern = "tracker code tool *"\nreason = "nulls"\nuntil = 9999-12-31\n'
    )
    accepted = await talked("deploy", "check", PYTHONPATH=str(tree))
    assert (accepted.code, "not allowed: tracker" in accepted.out) == (0, False), accepted


async def test_deploy_check_works_from_an_exported_file(talked: Command) -> None:
    await talked("export", "--recording", "-o", "all.jsonl")
    same = await talked("deploy", "check", "--from", "all.jsonl")
    other = await talked("deploy", "check", "--from", "all.jsonl", **OTHERWISE)
    assert (same.code, SAME in same.out, other.code) == (0, True, 1)


async def test_deploy_check_refuses_a_file_without_recordings(talked: Command) -> None:
    await talked("export", "-o", "plain.jsonl")
    done = await talked("deploy", "check", "--from", "plain.jsonl")
    assert "line 1 of plain.jsonl has no recording" in done.err


async def test_an_invalid_allowed_toml_is_refused_with_the_expected_format(talked: Command) -> None:
    (talked.folder / "allowed.toml").write_text('[[allow]]\npattern = "*"\n')
    done = await talked("deploy", "check")
    assert "allowed.toml cannot be read" in done.err
    assert "`pattern`, `reason` and `until`" in done.err
