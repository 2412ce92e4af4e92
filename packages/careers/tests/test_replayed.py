"""The assistant's own conversations, run again from the recording."""

from __future__ import annotations

from packages.careers.tests.test_commands import SAMPLES
from tests.cli.conftest import Command


async def test_careers_runs_replay_without_divergence_after_data_changes(
    plainloop: Command,
) -> None:
    await plainloop("import", "resume", str(SAMPLES / "resume.json"))
    await plainloop("import", "job", str(SAMPLES / "job.json"))
    await plainloop("ask", "add a job: Backend Engineer at Initech, remote")
    for said in (
        "list my saved jobs",
        "move the Initech job to applied",
        "write a cover letter for the Initech job",
    ):
        assert (await plainloop("ask", "--last", said)).code == 0
    await plainloop("ask", "add a job: Plumber at Initech")
    await plainloop("ask", "move job #1 to rejected")
    done = await plainloop("replay", "recorded")
    assert "0 diverged" in done.out, done.out
    assert done.code == 0
    one = await plainloop("replay", "recorded", "--worker", "cover_letter")
    assert one.out.startswith("1 conversation, 0 diverged")
    none = await plainloop("replay", "recorded", "--tag", "nothing")
    assert (none.code, "no stored thread matches" in none.err) == (3, True)
