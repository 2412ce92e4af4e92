"""A provider with a wire format of its own is six files, and nothing else changes.

They are added to a copy of the sources; everything else of the copy is what stands here. The sample
imports us by our whole name, so that it is checked where it stands.
"""

from __future__ import annotations

import asyncio
import filecmp
import json
import os
import shutil
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from plainloop_wire.serving import serve_wire

ROOT = Path(__file__).parents[2]
SAMPLE = Path(__file__).parent / "new_wire"
PROVIDERS = "agent/providers"
ADDED = {
    *(f"{PROVIDERS}/acme/{name}.py" for name in ("__init__", "client", "wire")),
    *(f"{PROVIDERS}/{name}.toml" for name in ("providers", "wires")),
    "docs/providers.md",
}
WIRE = '\n[acme]\nmaker = ".acme.client:AcmeProvider"\nsdk = "httpx2"\n'
ENTRY = """
[acme]
protocol = "acme"
base_url = "{url}"
default_model = "acme-1"
small_model = "acme-1"
key_variables = ["ACME_API_KEY"]
"""
ROW = "| acme | `ACME_API_KEY` | acme-1 | acme-1 | its native API |\n"
PROGRAM = """
import asyncio, json
from dataclasses import replace
from plainloop.agent.config.settings import load_settings
from plainloop.agent.errors import ModelError
from plainloop.agent.providers.defaults import PROVIDER_DEFAULTS
from plainloop.agent.providers.detection import detect_provider
from plainloop.agent.providers.registry import create_provider
from plainloop.agent.types import ChatRequest, LLMResponse, ToolSchema

TOOL = ToolSchema("look", "", {"type": "object"})

def say(**part):
    return {"role": "user", "parts": [part]}

HELLO = say(type="text", text="hello")

async def main():
    chat = create_provider("acme", "key")
    request = ChatRequest("Be brief.", [HELLO], tools=[TOOL])
    whole = await chat.generate(request)
    (call,) = whole.tool_calls
    gave = {"id": call["id"], "name": "look", "result": 7, "is_error": False}
    later = [HELLO, whole.message, say(type="tool_result", **gave)]
    told, said = None, ""
    async for item in chat.generate_stream(replace(request, messages=later)):
        if isinstance(item, LLMResponse):
            told = item
        else:
            said += item.text
    failures = []
    for text in ("too often", "cut"):
        asked = replace(request, messages=[say(type="text", text=text)])
        try:
            async for item in chat.generate_stream(asked):
                pass
        except ModelError as error:
            failures.append(error.code)
    print(json.dumps({
        "order": list(PROVIDER_DEFAULTS)[-1], "found": await detect_provider(load_settings()),
        "models": [item.id for item in await chat.list_models()],
        "calls": [[call["name"], call["arguments"]]], "said": said,
        "told": told.text, "stop": told.stop, "in": told.usage.input_tokens,
        "out": told.usage.output_tokens, "failures": failures,
    }))

asyncio.run(main())
"""


async def speak(request: Request) -> Response:
    """Acme's server: a call first, then the answer to what it gave, streamed where it is asked."""
    body = await request.json()
    assert request.headers["authorization"] == "Bearer key"
    assert (body["rules"], body["tools"][0]["does"]) == ("Be brief.", "look")
    first, last = body["turns"][0], body["turns"][-1]
    used = {"in": 11, "out": 5}
    if first["says"] == "too often":
        return JSONResponse({"error": {"message": "slower"}}, 429)
    if "gave" not in last and not body.get("stream"):
        call = {"call": "c1", "does": "look", "with": {"at": "sky"}}
        return JSONResponse({"says": "", "calls": [call], "used": used})
    end = [] if first["says"] == "cut" else [{"end": True, "used": used}]
    events = [{"says": "It is "}, {"says": f"{last.get('gave')}."}, *end]

    async def stream() -> AsyncIterator[str]:
        for event in events:
            yield f"data: {json.dumps(event)}\n\n"

    return StreamingResponse(stream(), media_type="text/event-stream")


async def list_models(request: Request) -> Response:
    return JSONResponse({"data": [{"id": "acme-1"}]})


ACME = Starlette(routes=[Route("/speak", speak, methods=["POST"]), Route("/models", list_models)])


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The sources, and the page that the sixth file is."""
    ignore = shutil.ignore_patterns("__pycache__")
    for room in ("agent", "plainloop", "server", "docs"):
        shutil.copytree(ROOT / room, tmp_path / "copy" / room, ignore=ignore)
    return tmp_path / "copy"


def add_wire(copy: Path, url: str) -> None:
    shutil.copytree(SAMPLE, copy / PROVIDERS / "acme", ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in (("wires", WIRE), ("providers", ENTRY.format(url=url))):
        with (copy / PROVIDERS / f"{name}.toml").open("a", encoding="utf-8") as file:
            file.write(text)
    page = copy / "docs" / "providers.md"
    head = "| ollama | `OLLAMA_API_KEY`"
    page.write_text(page.read_text("utf-8").replace(head, ROW + head, 1), "utf-8")


def list_changed(copy: Path) -> set[str]:
    """Files that the copy has and we have not, or have otherwise."""
    paths = [path.relative_to(copy) for path in copy.rglob("*") if path.is_file()]
    return {
        path.as_posix()
        for path in paths
        if "__pycache__" not in path.parts
        and not ((ROOT / path).exists() and filecmp.cmp(ROOT / path, copy / path, shallow=False))
    }


async def test_a_new_wire_format_needs_six_files(copy: Path):
    async with serve_wire(ACME) as url:
        add_wire(copy, url)
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", PROGRAM),
            stdout=PIPE,
            stderr=PIPE,
            cwd=copy,
            env=kept | {"PYTHONPATH": str(copy), "ACME_API_KEY": "key"},
        )
        out, err = await process.communicate()

    assert process.returncode == 0, err.decode()
    assert json.loads(out) == {
        "order": "acme",
        "found": "acme",
        "models": ["acme-1"],
        "calls": [["look", {"at": "sky"}]],
        "said": "It is 7.",
        "told": "It is 7.",
        "stop": "end",
        "in": 11,
        "out": 5,
        "failures": ["RATE_LIMITED", "STREAM_CUT"],
    }
    assert list_changed(copy) == ADDED
    assert len(ADDED) == 6
