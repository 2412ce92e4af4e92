"""Clients made from `/openapi.json`: TypeScript's as docs/frontends.md says, one that calls by the
paths' types, and Python's; and what a linter says of the document.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from pathlib import Path

import jsonschema
import pytest

from plainloop.server.pages.openapi import EXAMPLES
from tests.edges.conftest import ServeNotes
from tests.edges.node_clients import FOLDER, require_node
from tests.edges.test_frontends_docs import TEXT

[OPTIONS] = re.findall(r"openapi\.json (--.*) -o plainloop\.d\.ts", TEXT)
# What the compiler must refuse, else the types say nothing.
WRONG = """
import type { components } from "./plainloop";
type Schemas = components["schemas"];
// @ts-expect-error a message has no such field
export const empty: Schemas["NewMessage"] = { contents: "hello" };
// @ts-expect-error a decision is a boolean
export const decision: Schemas["Decision"] = { approve: "yes" };
export const shown = (event: Schemas["TextDelta"]): string => event.content;
// @ts-expect-error it has no such field
export const hidden = (event: Schemas["TextDelta"]): string => event.text;
"""
CALLS = """
import createClient from "openapi-fetch";
import type { paths } from "./plainloop.js";
const client = createClient<paths>({ baseUrl: "URL" });
const made = await client.POST("/api/chat/conversations", { body: { title: "Notes" } });
const conversation_id = made.data!.id;
const said = await client.POST("/api/chat/conversations/{conversation_id}/messages", {
  params: { path: { conversation_id } },
  headers: { accept: "application/json" },
  body: { content: "list my notes" },
});
const missing = await client.GET("/api/runs/{run_id}", { params: { path: { run_id: "none" } } });
const answer = said.data!;
if (typeof answer === "string") throw new Error("it is a stream");
const read = await client.GET("/api/runs/{run_id}", {
  params: { path: { run_id: answer.run_id } },
});
const steps: number = read.data!.calls;
console.log(JSON.stringify([answer.content, missing.error!.error.code, steps]));
"""
LINT = """
import { createConfig, lint } from "NODE/@redocly/openapi-core/lib/index.js";
const config = await createConfig({ extends: ["recommended"] });
const found = await lint({ ref: "openapi.json", config });
const wrong = found.filter((item) => item.severity === "error");
console.log(JSON.stringify(wrong.map((item) => [item.ruleId, item.message])));
"""
# `python -m openapi_python_client` wants formatters that are none of a client's.
PYTHON = Path(__file__).parents[2] / ".venv" / "openapi-client"
PYTHON_CALLS = """
import json, sys
from uuid import UUID
from client import AuthenticatedClient
from client.api.chat import (
    get_chat_conversations_conversation_id as read,
    post_chat_conversations as create,
    post_chat_conversations_conversation_id_branches as branch,
)
from client.api.runs import get_runs_run_id as read_run
from client.models import Conversation, ConversationDetail, Error, NewBranch, NewConversation
client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2])
made = create.sync(client=client, body=NewConversation(title="Notes"))
assert isinstance(made, Conversation) and isinstance(made.id, UUID)
copy = branch.sync(made.id, client=client, body=NewBranch())
assert isinstance(copy, Conversation) and copy.id != made.id
found = read.sync(copy.id, client=client, limit=5)
assert isinstance(found, ConversationDetail) and found.messages == []
missing = read_run.sync(made.id, client=client)
assert isinstance(missing, Error)
print(json.dumps([found.conversation.title, missing.error.code]))
"""
STRICT = (
    "--strict --target es2022 --module esnext --moduleResolution bundler --skipLibCheck".split()
)


async def run(*command: str, folder: Path, **environ: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=folder,
        env={**os.environ, **environ},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    async with asyncio.timeout(120):
        told, _ = await process.communicate()
    assert process.returncode == 0, told.decode()
    return told.decode()


async def test_the_types_fit_what_the_server_says(serve: ServeNotes, tmp_path: Path) -> None:
    require_node("openapi-typescript")
    require_node("openapi-fetch")
    served = await serve(is_offline=True, has_auth=False)
    client = await served.client()
    (tmp_path / "openapi.json").write_text((await client.get("/openapi.json")).text)
    [example] = re.findall(r"```ts\n(.*?)```", TEXT, re.DOTALL)
    example = example.replace("http://127.0.0.1:8000", served.url).replace("jobs", "notes")
    (tmp_path / "example.mts").write_text(example.replace("./plainloop", "./plainloop.js"))
    (tmp_path / "wrong.mts").write_text(WRONG.replace("./plainloop", "./plainloop.js"))
    (tmp_path / "calls.mts").write_text(CALLS.replace("URL", served.url))
    (tmp_path / "node_modules").symlink_to(FOLDER / "node_modules")
    programs = FOLDER / "node_modules" / ".bin"

    await run(
        *(str(programs / "openapi-typescript"), "openapi.json", *OPTIONS.split()),
        *("-o", "plainloop.d.ts"),
        folder=tmp_path,
    )
    files = ("example.mts", "wrong.mts", "calls.mts")
    await run(str(programs / "tsc"), *STRICT, *files, folder=tmp_path)
    said, missing, calls = json.loads(await run("node", "calls.mjs", folder=tmp_path))

    assert "no notes" in (await run("node", "example.mjs", folder=tmp_path)).lower()
    assert "no notes" in said.lower()
    assert (missing, calls) == ("NOT_FOUND", 0)


async def test_a_python_client_reads_what_the_contract_promises(
    serve: ServeNotes, tmp_path: Path
) -> None:
    if not PYTHON.is_dir():
        pytest.skip("openapi-python-client is not installed: ./scripts/packages")
    served = await serve(is_offline=True)
    client = await served.client()
    (tmp_path / "openapi.json").write_text((await client.get("/openapi.json")).text)
    (tmp_path / "config.yml").write_text("post_hooks: []\n")
    (tmp_path / "calls.py").write_text(PYTHON_CALLS)
    path, make = {"PYTHONPATH": str(PYTHON)}, (sys.executable, "-m", "openapi_python_client")
    options = ("--path", "openapi.json", "--config", "config.yml", "--meta", "none")
    told = await run(
        *(*make, "generate", *options, "--output-path", "client", "--fail-on-warning"),
        **path,
        folder=tmp_path,
    )
    answer = await run(
        sys.executable, "calls.py", served.url, served.token(), **path, folder=tmp_path
    )

    assert "Warning" not in told
    assert json.loads(answer) == ["Notes", "NOT_FOUND"]


async def test_the_examples_fit_their_schemas(serve: ServeNotes) -> None:
    document = (await (await (await serve(is_offline=True)).client()).get("/openapi.json")).json()
    schemas = document["components"]["schemas"]
    told = [kind for kind in EXAMPLES if kind in schemas]
    for kind in told:
        rooted = {"$ref": f"#/components/schemas/{kind}", "components": document["components"]}
        jsonschema.Draft202012Validator(rooted).validate(EXAMPLES[kind])

    assert {"NewMessage", "Answer"} <= {*told}
    assert schemas["NewMessage"]["examples"] == [EXAMPLES["NewMessage"]]


async def test_every_route_of_every_protocol_is_told(serve: ServeNotes) -> None:
    document = (await (await (await serve(is_offline=True)).client()).get("/openapi.json")).json()
    told = document["x-protocols"]

    assert "GET" in told["/.well-known/agent-card.json"]
    assert "WEBSOCKET" in told["/api/ui/{agent}/ws"]
    assert {"GET", "POST"} & told["/a2a/tasks/{task_id}"].keys()


async def test_stoplights_linter_finds_no_error_in_it(serve: ServeNotes, tmp_path: Path) -> None:
    require_node("@stoplight/spectral-rulesets")
    served = await serve(is_offline=True)
    (tmp_path / "openapi.json").write_text(
        (await (await served.client()).get("/openapi.json")).text
    )
    program = str(FOLDER / "spectral.mjs")
    found = json.loads(await run("node", program, "openapi.json", folder=tmp_path))

    assert [item for item in found if item[0] == 0] == []


async def test_a_linter_finds_no_error_in_the_contract(serve: ServeNotes, tmp_path: Path) -> None:
    require_node("@redocly/openapi-core")
    served = await serve(is_offline=True)
    client = await served.client()
    (tmp_path / "openapi.json").write_text((await client.get("/openapi.json")).text)
    (tmp_path / "lint.mjs").write_text(LINT.replace("NODE", str(FOLDER / "node_modules")))

    assert json.loads(await run("node", "lint.mjs", folder=tmp_path)) == []
