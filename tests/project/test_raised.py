"""A tool of one's own that raises: its author sees what and where, nobody else does."""

from __future__ import annotations

import re

from tests.cli.conftest import Command
from tests.project.test_dev import edit


async def test_a_tools_exception_is_shown_only_to_developers(desk: Command):
    edit(
        desk.folder / "desk/tools.py",
        '    return {"task": await',
        '    return {"task": TASK, "a": await',
    )
    done = await desk("ask", "add a task: water the plants")
    explained = await desk("explain", "last")
    shown = await desk("show", "last", "--json")

    raised, at = "NameError: name 'TASK' is not defined", r"desk/tools\.py:\d+"
    assert re.search(rf"warning: tool_failed tool=add_task .*raised={raised} at={at}", done.err)
    assert re.search(rf"the tool raised {raised} at {at}", explained.out)
    for text in (done.out, shown.out):  # what the user and the model were told
        assert "add_task failed unexpectedly" in text
        assert "TASK" not in text
