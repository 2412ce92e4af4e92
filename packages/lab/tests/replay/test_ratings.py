"""Reports count what users thought of the recorded answers, and a gate looks at the disliked."""

from __future__ import annotations

from pathlib import Path

import orjson

from packages.lab.tests.recorded.test_ratings import rated as rated
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop

RULES = """
[[rule]]
measure = "failed"
margin = "50pp"
where = { rating = "down" }

[[rule]]
measure = "failed"
margin = "50pp"
by = ["rating"]
needed = false
"""


async def test_reports_count_ratings_and_gates_can_check_disliked_turns(
    rated: Command, tmp_path: Path
) -> None:
    """From the database and from an export alike."""
    await rated("export", "-o", "all.jsonl")
    (tmp_path / "rules.toml").write_text(RULES)
    for name, source in (("stored", []), ("file", ["--from", "all.jsonl"])):
        done = await rated("replay", "live", *source, "--report", name)
        assert done.code == 0, done
        line = next(x for x in done.out.splitlines() if x.startswith("rated good by"))
        assert line.split()[5:] == ["50%", "–", "–", "–"]
        gate = await rated("gate", "rules.toml", "--candidate", name, "--json", f"{name}.json")
        assert gate.code in (0, 10), gate
        told = orjson.loads((tmp_path / f"{name}.json").read_bytes())
        assert '"rating"' in orjson.dumps(told).decode()
        assert "rating down" in gate.out, gate.out
