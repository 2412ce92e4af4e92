"""openai-agents on both of OpenAI's APIs: its own tool is called by it, between two requests."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from packages.frontends.tests.test_openai_chat import MODEL, list_threads
from tests.machine.scripted import text, tools, triage
from tests.processes import run_program
from tests.protocols.conftest import ServeNotes, get_model

FOLDER = Path(__file__).parents[3] / ".venv" / "openai-agents"
PROGRAM = Path(__file__).with_name("openai_agents_client.py")


async def test_the_openai_agents_sdk_runs_on_our_agent(serve: ServeNotes) -> None:
    if not FOLDER.is_dir():
        pytest.skip("openai-agents is not installed: ./scripts/packages")
    call = tools(("c1", "get_place", {}), said="One moment.")
    served = await serve(*(triage("note_writer"), call, text("You are in Oslo.")) * 2)
    command = (sys.executable, str(PROGRAM), served.url, served.token(), MODEL)
    told = await run_program(*command, environ={"PYTHONPATH": str(FOLDER)})
    for end in (ends := json.loads(told)):
        assert end["output"].strip() == "You are in Oslo."
        assert end["shown"].split() == "One moment. You are in Oslo.".split()
        assert end["tokens"] == 45
    for request in (2, 5):
        answered = get_model(served).requests[request].messages[-1]["parts"][0]
        assert answered["result"] == "Oslo"
    assert len(await list_threads(served)) == len(ends) == 2
