"""TypeScript types from `/openapi.json`, as docs/frontends.md says: made, compiled, and used."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from tests.edges.conftest import ServeNotes
from tests.edges.node_clients import FOLDER, require_node
from tests.edges.test_frontends_docs import TEXT

# What the compiler must refuse, else the types say nothing.
WRONG = """
import type { components } from "./plainloop";
type Schemas = components["schemas"];
// @ts-expect-error a message has a content
export const empty: Schemas["NewMessage"] = {};
// @ts-expect-error a decision is a boolean
export const decision: Schemas["Decision"] = { approve: "yes" };
export const shown = (event: Schemas["TextDelta"]): string => event.content;
// @ts-expect-error it has no such field
export const hidden = (event: Schemas["TextDelta"]): string => event.text;
"""
STRICT = (
    "--strict",
    "--target",
    "es2022",
    "--module",
    "esnext",
    "--moduleResolution",
    "bundler",
    "--skipLibCheck",
)


async def run(*command: str, folder: Path) -> str:
    process = await asyncio.create_subprocess_exec(
        *command, cwd=folder, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    async with asyncio.timeout(120):
        told, _ = await process.communicate()
    assert process.returncode == 0, told.decode()
    return told.decode()


async def test_the_types_fit_what_the_server_says(serve: ServeNotes, tmp_path: Path) -> None:
    require_node("openapi-typescript")
    served = await serve(is_offline=True, has_auth=False)
    client = await served.client()
    (tmp_path / "openapi.json").write_text((await client.get("/openapi.json")).text)
    [options] = re.findall(r"openapi\.json (--.*) -o plainloop\.d\.ts", TEXT)
    [example] = re.findall(r"```ts\n(.*?)```", TEXT, re.DOTALL)
    example = example.replace("http://127.0.0.1:8000", served.url).replace("jobs", "notes")
    (tmp_path / "example.mts").write_text(example.replace("./plainloop", "./plainloop.js"))
    (tmp_path / "wrong.mts").write_text(WRONG.replace("./plainloop", "./plainloop.js"))
    programs = FOLDER / "node_modules" / ".bin"

    await run(
        *(str(programs / "openapi-typescript"), "openapi.json", *options.split()),
        *("-o", "plainloop.d.ts"),
        folder=tmp_path,
    )
    await run(str(programs / "tsc"), *STRICT, "example.mts", "wrong.mts", folder=tmp_path)

    assert "no notes" in (await run("node", "example.mjs", folder=tmp_path)).lower()
