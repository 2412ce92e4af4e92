"""The adapter of `examples/own_backend`: an old contract's events, made of the AI SDK's chunks."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from packages.frontends.tests.test_openai_chat import BURN
from tests.machine.scripted import text, triage
from tests.protocols.conftest import ServeNotes

ADAPTER = Path(__file__).parents[2] / "examples" / "own_backend" / "adapter.py"


def load_adapter() -> Any:
    spec = importlib.util.spec_from_file_location("own_backend_adapter", ADAPTER)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("reply", "end"), [("no", "error"), ("yes please", "burnt")])
async def test_a_page_backend_sees_the_start_of_an_approved_tool_once(
    reply: str, end: str, serve: ServeNotes
) -> None:
    translate = load_adapter().translate
    served = await serve(triage("note_writer"), BURN, text("So be it."))
    client, told = await served.client(), []
    for n, said in enumerate(("please do it", reply)):
        message = {"id": f"m{n}", "role": "user", "parts": [{"type": "text", "text": said}]}
        body = {"id": "s-1", "message": message, "trigger": "submit-message"}
        answer, names = await client.post("/api/ui/default/chat", json=body), {}
        chunks = [json.loads(x[6:]) for x in answer.text.splitlines() if x.startswith("data: {")]
        told += [old for chunk in chunks if (old := translate(chunk, names))]

    shown = [(item["type"], item.get("name")) for item in told if item["type"] != "token"]
    asked = [("tool_start", "burn_notes"), ("done", None)]
    assert shown == [*asked, ("tool_end", "burn_notes"), ("done", None)]
    [ended] = [item for item in told if item["type"] == "tool_end"]
    assert end in json.dumps(ended["output"])
