"""Clients made from `/openapi.json`: TypeScript's as docs/frontends.md says, one that calls by the
paths' types, and Python's; and what a linter says of the document.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from plainloop.server.pages.openapi import EXAMPLES
from tests.processes import run_program
from tests.protocols.conftest import ServeNotes
from tests.protocols.node_clients import FOLDER, require_node
from tests.protocols.test_frontends_docs import TEXT
from tests.server.conftest import Served

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
const grave = (item) => (item.severity === "error" ? 0 : 1);
console.log(JSON.stringify(found.map((item) => [grave(item), item.ruleId, item.message])));
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


@pytest.fixture
async def document(serve: ServeNotes, tmp_path: Path) -> tuple[Served, dict[str, Any]]:
    """Who tells it, and what; as a file too."""
    served = await serve(is_offline=True)
    told = (await (await served.client()).get("/openapi.json")).text
    (tmp_path / "openapi.json").write_text(told)
    return served, json.loads(told)


async def test_the_client_types_match_the_servers_contract(
    serve: ServeNotes, tmp_path: Path
) -> None:
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

    make = str(programs / "openapi-typescript")
    await run_program(
        make, "openapi.json", *OPTIONS.split(), "-o", "plainloop.d.ts", folder=tmp_path
    )
    files = ("example.mts", "wrong.mts", "calls.mts")
    await run_program(str(programs / "tsc"), *STRICT, *files, folder=tmp_path)
    said, missing, calls = json.loads(await run_program("node", "calls.mjs", folder=tmp_path))

    assert "no notes" in (await run_program("node", "example.mjs", folder=tmp_path)).lower()
    assert "no notes" in said.lower()
    assert (missing, calls) == ("NOT_FOUND", 0)


async def test_a_python_client_generated_from_the_contract_reads_answers(
    document: tuple[Served, Any], tmp_path: Path
) -> None:
    if not PYTHON.is_dir():
        pytest.skip("openapi-python-client is not installed: ./scripts/packages")
    served, _ = document
    (tmp_path / "config.yml").write_text("post_hooks: []\n")
    (tmp_path / "calls.py").write_text(PYTHON_CALLS)
    at = {"PYTHONPATH": str(PYTHON)}
    options = ("--path", "openapi.json", "--config", "config.yml", "--meta", "none")
    make = (sys.executable, "-m", "openapi_python_client", "generate", *options)
    told = await run_program(
        *make, "--output-path", "client", "--fail-on-warning", environ=at, folder=tmp_path
    )
    answer = await run_program(
        sys.executable, "calls.py", served.url, served.token(), environ=at, folder=tmp_path
    )

    assert "Warning" not in told
    assert json.loads(answer) == ["Notes", "NOT_FOUND"]


async def test_the_contracts_examples_match_their_schemas(document: tuple[Served, Any]) -> None:
    _, whole = document
    schemas, told = whole["components"]["schemas"], whole["x-protocols"]
    fitting = [kind for kind in EXAMPLES if kind in schemas]
    for kind in fitting:
        rooted = {"$ref": f"#/components/schemas/{kind}", "components": whole["components"]}
        jsonschema.Draft202012Validator(rooted).validate(EXAMPLES[kind])

    assert {"NewMessage", "Answer"} <= {*fitting}
    assert schemas["NewMessage"]["examples"] == [EXAMPLES["NewMessage"]]
    assert "WEBSOCKET" in told["/api/ui/{agent}/ws"]
    assert "POST" in told["/mcp"]


@pytest.mark.parametrize("package", ["@stoplight/spectral-rulesets", "@redocly/openapi-core"])
@pytest.mark.usefixtures("document")
async def test_linters_find_no_error_in_the_contract(package: str, tmp_path: Path) -> None:
    require_node(package)
    program = tmp_path / "lint.mjs"
    program.write_text(LINT.replace("NODE", str(FOLDER / "node_modules")))
    if "spectral" in package:
        program = FOLDER / "spectral.mjs"
    found = json.loads(await run_program("node", str(program), "openapi.json", folder=tmp_path))

    assert [item for item in found if item[0] == 0] == []
