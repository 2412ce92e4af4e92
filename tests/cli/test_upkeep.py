"""Migrating, checking, starting: the commands around the conversation."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest

from plainloop.agent.cli.admin import migrate
from plainloop.agent.errors import ConfigError
from plainloop.agent.store.database import open_database
from plainloop.agent.store.embedded.server import stop_embedded
from plainloop.agent.store.older import read_older
from plainloop.agent.store.store import Store
from plainloop_wire.faults import Fault, Faults
from tests.cli.conftest import Command, point_at
from tests.core.test_baseline import BASELINE, OLD_FILES, apply_older
from tests.fixtures import run_sql
from tests.wire_fixtures import StartWire


async def test_migrate_shows_status_dry_runs_and_applies(
    plainloop: Command, empty_database_url: str
):
    environ = {"DATABASE_URL": empty_database_url}
    before = await plainloop("migrate", "--status", **environ)
    tried = await plainloop("migrate", "--dry-run", **environ)
    still = await plainloop("migrate", "--status", **environ)
    applied = await plainloop("migrate", **environ)
    again = await plainloop("migrate", **environ)
    after = await plainloop("migrate", "--status", **environ)

    assert all(line.startswith("pending") for line in before.out.splitlines())
    assert tried.out.startswith("would apply  0200_core_roles.sql\n")
    assert still.out == before.out
    assert applied.out == tried.out.replace("would apply", "applied")
    assert (again.out, again.err) == ("", "nothing to do: all migrations are applied\n")
    assert "pending" not in after.out


async def test_doctor_migrates_nothing_with_tool_servers_either(
    plainloop: Command, empty_database_url: str
):
    settings = plainloop.folder / "servers.toml"
    settings.write_text('[mcp.tickets]\nurl = "http://127.0.0.1:9/mcp"\ntools = ["search"]\n')
    environ = {"DATABASE_URL": empty_database_url, "AGENT_CONFIG": str(settings)}
    checked = await plainloop("doctor", **environ)
    after = await plainloop("migrate", "--status", **environ)

    assert "tickets" in checked.out
    assert all(line.startswith("pending") for line in after.out.splitlines())


async def test_migrate_brings_an_older_database_up_in_two_steps(
    plainloop: Command, empty_database_url: str
):
    first = [*read_older()][:OLD_FILES]
    database = await open_database(empty_database_url)
    await apply_older(database, lambda name: name in first)
    await database.close()
    environ = {"DATABASE_URL": empty_database_url}
    for arguments in (["migrate"], ["migrate", "--status"], ["doctor"], ["usage"]):
        refused = await plainloop(*arguments, **environ)
        assert refused.code == (1 if arguments == ["doctor"] else 5), arguments
        assert "plainloop migrate --from-older" in f"{refused.out}{refused.err}"
    one = await plainloop("migrate", "--from-older", **environ)
    two = await plainloop("migrate", **environ)
    done = await plainloop("migrate", **environ)
    assert (one.code, one.err) == (0, "now run `plainloop migrate`\n")
    assert one.out.splitlines() == [f"applied  {n}" for n in read_older() if n not in first]
    assert two.out.splitlines()[: len(BASELINE)] == [f"applied  {name}" for name in BASELINE]
    assert done.err == "nothing to do: all migrations are applied\n"


async def test_doctor_reports_each_settings_source_without_secrets(plainloop: Command):
    pytest.importorskip("plainloop_careers")
    done = await plainloop("doctor", ANTHROPIC_API_KEY="sk-secret-1", AGENT_MODEL="claude-x")

    assert (done.code, done.err) == (0, "")
    assert "sk-secret-1" not in done.out
    assert "postgresql://" not in done.out
    assert "model = claude-x (from AGENT_MODEL)" in done.out
    assert "database.url = ******** (from DATABASE_URL)" in done.out
    assert "anthropic:claude-x answers as worker, parser · price unknown\n" in done.out
    small = "anthropic:claude-haiku-5-5 answers as classifier, router, evaluator · "
    price = "$0.1 in, $0.01 read from cache, $0.5 out per million tokens"
    assert f"{small}{price} · effort low\n" in done.out
    assert "anthropic: key in ANTHROPIC_API_KEY" in done.out
    assert "none pending" in done.out
    assert "AGENT_TOKEN_RANKS" in done.out
    assert done.out.endswith("everything required is in place\n")


async def test_doctor_adds_up_the_connections_of_all_replicas(
    plainloop: Command, empty_database_url: str
):
    pytest.importorskip("plainloop_careers")
    few = {"DATABASE_URL": empty_database_url, "AGENT_DATABASE_CONNECTIONS": "20"}
    await plainloop("migrate", **few)
    for n in range(4):
        await run_sql(
            empty_database_url, f"insert into replicas (owner, is_draining) values ('r{n}', false)"
        )
    enough = await plainloop("doctor", DATABASE_URL=empty_database_url)
    short = await plainloop("doctor", **few)

    assert (enough.code, short.code) == (0, 0)
    assert re.search(
        r"ok +97 connections, of which other programs use \d+; each replica needs 10, ", enough.out
    )
    assert re.search(r"room for [89] replicas \(4 running\)", enough.out)
    assert "WARN  database  97 connections" not in enough.out
    few["AGENT_DATABASE_CONNECTIONS"] = "30"
    short = await plainloop("doctor", **few)
    assert "each replica needs 30, so there is room for 3 replicas (4 running)" in short.out
    assert "WARN  database  97 connections" in short.out
    assert re.search(r"set AGENT_DATABASE_CONNECTIONS=2[34]\.", short.out)


async def test_doctor_reports_role_faults_and_migrate_repair_fixes_them(
    plainloop: Command, empty_database_url: str
):
    pytest.importorskip("plainloop_careers")
    environ = {"DATABASE_URL": empty_database_url}
    await plainloop("migrate", "--repair", **environ)
    whole = await plainloop("doctor", **environ)
    await run_sql(
        empty_database_url,
        "revoke insert on messages from plainloop_app",
        "drop policy tenant_only on threads",
    )
    broken = await plainloop("doctor", **environ)
    mended = await plainloop("migrate", "--repair", **environ)
    again = await plainloop("doctor", **environ)

    assert (whole.code, broken.code, mended.code, again.code) == (0, 1, 0, 0)
    assert "[ROLES_UNUSABLE]" in broken.out
    assert "grant insert on messages to plainloop_app;" in broken.out
    assert mended.err.endswith("a probe could write and see only its own rows\n")


async def test_doctor_names_large_tables_and_migrate_partitions_them(
    plainloop: Command, database_url: str
):
    pytest.importorskip("plainloop_operations")
    environ = {"DATABASE_URL": database_url}
    # As the server counts them.
    await run_sql(
        database_url, "update pg_class set reltuples = 2e7 where oid = 'llm_calls'::regclass"
    )
    grown = await plainloop("doctor", **environ)
    done = await plainloop("migrate", "--by-months", **environ)
    again = await plainloop("migrate", "--by-months", **environ)

    assert "20,000,000 rows; consider monthly partitions" in grown.out
    assert "llm_calls …" in done.err and (done.code, again.code) == (0, 0)
    assert again.err.endswith("nothing to do: the tables are already partitioned by month\n")


async def test_partitioning_without_its_package_names_the_package(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(migrate, "load_hook", {}.get)
    with pytest.raises(ConfigError, match="`--by-months` needs plainloop-operations") as refused:
        await migrate.begin_months(store)
    assert refused.value.hint == "Install plainloop-operations."


async def test_doctor_continues_after_a_failure_with_a_remedy(plainloop: Command):
    pytest.importorskip("plainloop_careers")
    done = await plainloop(
        "doctor",
        DATABASE_URL="postgresql://nobody@127.0.0.1:9/none",
        AGENT_PROVIDER="openai",
        AGENT_DESIGN="defualt",
    )

    failed = [line.split()[1] for line in done.out.splitlines() if line.startswith("FAIL")]
    assert (done.code, failed) == (1, ["database", "design", "models"])
    assert "did you mean 'default'?" in done.out
    assert "Set OPENAI_API_KEY." in done.out


async def test_doctor_live_probes_the_providers(plainloop: Command, wire_server: StartWire):
    server = await wire_server()
    good = await plainloop("doctor", "--live", **point_at("anthropic", server.base_url))
    server = await wire_server(faults=Faults(series=(Fault(status=401),)))
    bad = await plainloop("doctor", "--live", **point_at("anthropic", server.base_url))

    assert (good.code, bad.code) == (0, 1)
    assert "ok    anthropic answer: claude-" in good.out
    assert "ok    anthropic usage: reported in the stream: " in good.out
    assert "[MODEL_AUTH]" in bad.out
    asked_further = bad.out.partition("[MODEL_AUTH]")[2].partition("· classifier")[0]
    assert "tools" not in asked_further


async def test_doctor_probes_each_roles_own_model_and_url(
    plainloop: Command, wire_server: StartWire
):
    top, second = await wire_server(), await wire_server()
    done = await plainloop(
        *("doctor", "--live"),
        **point_at("anthropic", top.base_url),
        AGENT_AGENTS_EVALUATOR_PROVIDER="openai",
        AGENT_AGENTS_EVALUATOR_MODEL="gpt-5.2-mini",
        AGENT_AGENTS_EVALUATOR_API_BASE=f"{second.base_url}/v1",
        AGENT_AGENTS_EVALUATOR_API_KEY="another-key",
        AGENT_AGENTS_CRM_WORKER_MODEL="claude-opus-4-5",
        AGENT_AGENTS_EMBEDDING_PROVIDER="ollama",
        AGENT_AGENTS_EMBEDDING_API_BASE=second.base_url,
    )

    assert done.code == 0, done.out
    assert "gpt-5.2-mini · evaluator" in done.out
    assert "claude-opus-4-5 · crm_worker" in done.out
    assert re.search(r"claude-\S+ · worker, parser\b", done.out), done.out
    assert "embeddings: vectors of" in done.out
    asked = [entry["path"] for entry in second.requests]
    assert any("/v1/" in path for path in asked)
    assert any("/api/embed" in path for path in asked)
    assert not any("/v1/messages" in path for path in asked)


async def test_the_models_command_lists_a_providers_models(
    plainloop: Command, wire_server: StartWire
):
    server = await wire_server()
    for provider in ("anthropic", "openai", "gemini"):
        environ = point_at(provider, server.base_url)
        named = await plainloop("models", provider, **environ)
        configured = await plainloop("models", **environ)

        assert named.code == 0, named
        assert all(line.startswith(f"{provider}  ") for line in named.out.splitlines())
        used, _, listed = configured.out.partition("\n\n")
        assert named.out == listed != ""
        assert " answers as worker, " in used


async def test_start_serves_and_opens_the_browser_and_a_signal_stops_all(
    plainloop: Command, tmp_path: Path
):
    pytest.importorskip("plainloop_careers")
    environ = {"DATABASE_URL": ""}
    opened = tmp_path / "opened"
    browser = f"""sh -c 'printf "%s" "$1" >{opened}.new && mv {opened}.new {opened}' sh %s"""
    server = await plainloop.start("start", "--port", "0", "--open", BROWSER=browser, **environ)
    assert server.stdout
    async with asyncio.timeout(120):
        banner = [(await server.stdout.readline()).decode() for _ in range(8)]
        while not opened.exists():
            await asyncio.sleep(0.01)
    asked = await plainloop("ask", "how many jobs have I applied to?", **environ)
    server.terminate()
    async with asyncio.timeout(120):
        code = await server.wait()
    stop_embedded(tmp_path / "data")

    assert banner[0].startswith("plainloop is ready on http://127.0.0.1:")
    assert banner[0].split()[-1] == opened.read_text()
    assert "embedded Postgres, migrated" in "".join(banner)
    assert "offline rule-based stand-in, no language model" in banner[1]
    assert asked.out == "You have no jobs with status applied.\n"
    assert code == 0


async def test_the_wire_servers_banner_shows_working_settings(plainloop: Command):
    pytest.importorskip("plainloop_rules")
    server = await plainloop.start("wire-server", "--port", "0", "--delay-ms", "1")
    assert server.stdout
    async with asyncio.timeout(120):
        banner = [(await server.stdout.readline()).decode() for _ in range(5)]
    line = next(line for line in banner if "AGENT_PROVIDER=openai" in line)
    environ = dict(pair.split("=", 1) for pair in line.split())
    done = await plainloop("ask", "add a job: Cook at Cafe Uno", **environ)
    server.terminate()

    assert "#1 Cook at Cafe Uno" in done.out, done
    assert await server.wait() in (0, 143, -15)


async def test_the_keys_commands_show_a_key_once_and_revoke_it(plainloop: Command):
    made = await plainloop("keys", "create", "ada", "--name", "report", "--scope", "admin")
    key = made.out.strip()
    listed = await plainloop("keys", "list")
    [row] = json.loads((await plainloop("keys", "list", "--json")).out)
    elsewhere = await plainloop("keys", "list", "--tenant", "other")
    revoked = await plainloop("keys", "revoke", row["key_id"][:13])

    assert key.startswith("plk_")
    assert key not in listed.out
    assert (row["user_id"], row["scopes"], row["ending"]) == (
        "ada",
        ["admin", "read", "write"],
        key[-4:],
    )
    assert elsewhere.out == "no keys\n"
    assert revoked.out == "revoked: the key report of the user ada\n"
    assert "revoked" in (await plainloop("keys", "list")).out
    assert (await plainloop("keys", "revoke", "ffff")).code != 0


async def test_administrative_commands_are_in_the_audit_trail(plainloop: Command):
    nothing = await plainloop("audit")
    await plainloop("budget", "set", "tenant", "--tokens", "500")
    await plainloop("keys", "create", "ada")
    entries = json.loads((await plainloop("audit", "--json")).out)
    table = (await plainloop("audit")).out
    rows = (await plainloop("audit", "--csv")).out.splitlines()

    assert nothing.out == "no entries\n"
    assert [entry["action"] for entry in entries] == [*("key.create", "budget.save")]
    assert {entry["via"] for entry in entries} == {"cli"}
    assert "key.create" in table
    assert len(rows) == 3
