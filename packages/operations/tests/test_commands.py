"""`plainloop webhooks …` and `schedules …` as people run them, and who brings which command."""

from __future__ import annotations

import json

from typer.main import get_command

from plainloop.agent.cli.brought import BROUGHT
from plainloop.agent.store.store import Store
from plainloop_operations.commands.commands import COMMANDS
from plainloop_operations.commands.doctor_commands import doctors
from plainloop_operations.commands.usage_commands import usages
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop

URL = "https://hooks.example/agent"


def test_without_plainloop_operations_its_commands_name_it() -> None:
    groups = {"doctor": doctors, "usage": usages}  # of the service, with more commands
    inner = [
        f"{name} {command}"
        for name, group in groups.items()
        for command in getattr(get_command(group), "commands")  # noqa: B009
    ]
    told = {name for name, package in BROUGHT.items() if package == "plainloop-operations"}

    assert told == {*COMMANDS, *inner} - groups.keys()


async def test_webhook_commands_add_list_enable_and_delete(
    plainloop: Command, store: Store
) -> None:
    nothing = await plainloop("webhooks", "list")
    made = await plainloop("webhooks", "add", URL, "-e", "run.ended", "-e", "gate.decided")
    [row] = json.loads((await plainloop("webhooks", "list", "--json")).out)
    table = (await plainloop("webhooks", "list")).out
    untold = await plainloop("webhooks", "deliveries", URL)
    elsewhere = await plainloop("webhooks", "list", "--tenant", "other")
    async with store.transaction("local") as tx:
        await tx.execute("update webhooks set disabled_at = now(), disabled_reason = 'it failed'")
    disabled = (await plainloop("webhooks", "list")).out
    enabled = await plainloop("webhooks", "enable", row["webhook_id"][:13])
    told = "select plainloop_enqueue_event('local', 'ada', null, null, 'run.ended', '{}')"
    async with store.transaction("local") as tx:
        await tx.execute(told)
    deliveries = (await plainloop("webhooks", "deliveries", URL)).out
    gone = await plainloop("webhooks", "delete", URL)
    wrong = await plainloop("webhooks", "delete", "ffff")
    actions = [entry["action"] for entry in json.loads((await plainloop("audit", "--json")).out)]

    assert nothing.out == elsewhere.out == "no webhooks\n"
    assert (made.code, made.out.startswith("whsec_")) == (0, True), made
    assert made.out.strip() not in table and "everybody" in table
    assert (row["url"], row["user_id"]) == (URL, None)
    assert row["events"] == ["gate.decided", "run.ended"]
    assert untold.out == "no events sent yet\n"
    assert "disabled: it failed" in disabled
    assert enabled.out == f"enabled: {URL}\n"
    assert "run.ended" in deliveries and "waiting" in deliveries
    assert gone.out == f"deleted: {URL}\n"
    assert (wrong.code != 0, "`plainloop webhooks list`" in wrong.err) == (True, True)
    assert actions == ["webhook.delete", "webhook.enable", "webhook.create"]


async def test_unknown_events_and_internal_urls_of_webhooks_are_refused(plainloop: Command) -> None:
    event = await plainloop("webhooks", "add", URL, "-e", "run.begun")
    inside = await plainloop("webhooks", "add", "http://127.0.0.1/x", "-e", "run.ended")

    assert (event.code, "Known events: run.ended, " in event.err) == (2, True)
    assert (inside.code != 0, "https://" in inside.err) == (True, True)
    assert (await plainloop("webhooks", "list")).out == "no webhooks\n"


async def test_schedule_commands_add_pause_resume_and_delete(
    plainloop: Command, store: Store
) -> None:
    nothing = await plainloop("schedules", "list")
    named = ("--name", "mail", "--zone", "Europe/Berlin", "--missed", "skip", "--user", "ada")
    made = await plainloop("schedules", "add", "0 0 1 1 *", "which jobs are open?", *named)
    [row] = json.loads((await plainloop("schedules", "list", "--json")).out)
    history = await plainloop("schedules", "history", "mail")
    paused = await plainloop("schedules", "pause", "mail")
    listed = (await plainloop("schedules", "list")).out
    resumed = await plainloop("schedules", "resume", row["schedule_id"][:13])
    past = (
        "insert into schedule_runs (tenant_id, schedule_id, due_at, user_id, status, reason)"
        " values ('local', $1, now(), 'ada', 'missed', 'NOBODY_THERE')"
    )
    async with store.transaction("local") as tx:
        await tx.execute(past, row["schedule_id"])
    missed = (await plainloop("schedules", "history", "mail")).out
    gone = await plainloop("schedules", "delete", "mail")
    wrong = await plainloop("schedules", "add", "every day", "hello")
    actions = [entry["action"] for entry in json.loads((await plainloop("audit", "--json")).out)]

    assert nothing.out == "no schedules\n"
    assert (made.code, "mail: next " in made.out) == (0, True), made
    assert row["next_at"].endswith("-12-31T23:00:00Z")  # midnight in Berlin
    assert (row["user_id"], row["missed"]) == ("ada", "skip")
    assert history.out == "no runs yet\n"
    assert paused.out == "paused: mail\n" and "paused" in listed
    assert resumed.out.startswith("resumed: mail, next ")
    assert "missed" in missed and "NOBODY_THERE" in missed
    assert gone.out == "deleted: mail\n"
    assert (wrong.code, "5 fields" in wrong.err) == (2, True)
    assert actions == [f"schedule.{name}" for name in ("delete", "resume", "pause", "create")]
