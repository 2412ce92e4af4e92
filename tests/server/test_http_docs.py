"""The commands of docs/http.md do what it says, and its tables name what there is."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from plainloop.agent.events import EVENT_NAMES
from plainloop.server.http.error_table import ERRORS
from tests.processes import run_program
from tests.server.conftest import Serve
from tests.server.events import parse_sse

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "http.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"(?<=^```sh\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
HOST = "http://127.0.0.1:8000"


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl here")
async def test_the_documented_http_examples_run_in_order(serve: Serve, tmp_path: Path):
    served = await serve(auth=False)
    blocks = BLOCK.findall(TEXT)
    script = "\necho; echo ======\n".join(["set -euo pipefail", *blocks])
    out = await run_program("bash", "-c", script.replace(HOST, served.url), folder=tmp_path)
    _, health, made, answer, stream, rest, cancelled = out.split("\n======\n")
    conversation = json.loads(made)
    events = parse_sse(stream + "\n")

    assert json.loads(health)["status"] == "ok"
    assert json.loads(answer)["conversation_id"] == conversation["id"]
    assert "#1 Cook at Cafe Uno" in json.loads(answer)["content"]
    assert events[-1].data == {"content": "You have no jobs with status applied."}
    assert parse_sse(rest + "\n") == events[3:]
    assert json.loads(cancelled) == {"run_id": None}


def test_every_event_and_frame_is_documented():
    for name in EVENT_NAMES:
        assert f"`{name}`" in TEXT, name
    frames = (ROOT / "server" / "ws" / "frames.py").read_text(encoding="utf-8")
    told = {*re.findall(r'"type": "(\w+)"', frames), *re.findall(r'tag="(\w+)"', frames)}
    for name in told:
        assert re.search(rf'[`"]{name}\b', TEXT), name
    for mapping in ERRORS.values():
        assert str(mapping.status) in TEXT
